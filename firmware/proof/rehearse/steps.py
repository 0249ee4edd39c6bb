"""The steps of a script as values: deeds of people and devices, given settings, expectations."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware.rules.money import Cents, Micros

# Given -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """A difference from the table that the options name. `table`: "" for all. `path`: `rules.blind.paytable`."""

    table: str
    path: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class GivenMeter:
    """The amount on a meter before the first step."""

    table: str
    meter: str
    amount: Micros


# Steps -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip comes to lie on a seat's sensor, or goes."""

    seat: int
    lies: bool


@dataclass(frozen=True, slots=True)
class Button:
    """A Five Card Hand button is pushed."""

    seat: int
    hand: str


@dataclass(frozen=True, slots=True)
class Lockout:
    """The lockout switch: `on`, `off`, or its wire is `cut`."""

    way: str


@dataclass(frozen=True, slots=True)
class NextKey:
    """The hardware NEXT key."""


@dataclass(frozen=True, slots=True)
class Device:
    """`sensors`, `badge-reader`, `shuffler` or `link`: it is lost, or there again."""

    name: str
    there: bool


@dataclass(frozen=True, slots=True)
class ShufflerSays:
    """A status; what is not named stays."""

    mode: str | None = None
    count: int | None = None
    uncounted: bool = False
    """The unit does not know how many cards are inside."""
    deck: str | None = None
    fault: str | None = None
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class ShufflerAuto:
    """The machine, and the hands that swap decks, work by themselves again."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A person shows a badge and types a PIN; both "": who was here goes."""

    number: str = ""
    pin: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """A key of the screen. `manner`: press, hold, or force."""

    word: str
    manner: str = "press"


@dataclass(frozen=True, slots=True)
class GoOn:
    """The primary key: once, or until the table stands at this phase."""

    to: str = ""


@dataclass(frozen=True, slots=True)
class TellIn:
    """A player and the stakes."""

    seat: int
    stakes: tuple[tuple[str, Cents], ...] = ()


@dataclass(frozen=True, slots=True)
class TellOut:
    """A player does not play."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellSamePlayer:
    """Two seats are one player's."""

    seat: int
    other: int


@dataclass(frozen=True, slots=True)
class TellChoice:
    """A decision: check, play, raise, bet, fold, buy, exchange, instant. `number`: multiples, cards, or cents."""

    seat: int
    choice: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class TellLeft:
    """The player has left."""

    seat: int


@dataclass(frozen=True, slots=True)
class TellDealer:
    """The dealer's hand qualifies, or does not."""

    qualifies: bool


@dataclass(frozen=True, slots=True)
class TellResult:
    """The comparison: win, lose or tie."""

    seat: int
    result: str


@dataclass(frozen=True, slots=True)
class TellRow:
    """The row that the hand makes for a wager; `none`, or `undeclared`."""

    seat: int
    wager: str
    row: str


@dataclass(frozen=True, slots=True)
class EnterCards:
    """Cards: of the `board`, the `dealer`, the `six`, or a seat's number."""

    place: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """The draw of the table's generator in this round. `lucky`: a seat, 0 for the dealer; both None: nothing."""

    magic: str | None = None
    lucky: int | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes."""

    ns: int


@dataclass(frozen=True, slots=True)
class Power:
    """The table loses its power and comes back from its journal."""


@dataclass(frozen=True, slots=True)
class OpenBets:
    """All that is usual from a shut table to open bets."""


@dataclass(frozen=True, slots=True)
class Clear:
    """CLEAR, and what is usual until bets are open."""


@dataclass(frozen=True, slots=True)
class OnTable:
    """The steps that follow are of that table."""

    name: str


Told = (
    TellIn | TellOut | TellSamePlayer | TellChoice | TellLeft | TellDealer | TellResult | TellRow
)  # what a dealer is told, and tells the table
Step = (
    Chip
    | Button
    | Lockout
    | NextKey
    | Device
    | ShufflerSays
    | ShufflerAuto
    | Badge
    | Press
    | GoOn
    | Told
    | EnterCards
    | Draw
    | Wait
    | Power
    | OpenBets
    | Clear
    | OnTable
)

# Expectations ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhaseIs:
    """The table stands there."""

    phase: str


@dataclass(frozen=True, slots=True)
class TextShown:
    """One widget's text contains it, or none does."""

    text: str
    there: bool = True


@dataclass(frozen=True, slots=True)
class KeyOffered:
    """The screen, or a menu one press away, offers that key enabled, or does not."""

    word: str
    there: bool = True


@dataclass(frozen=True, slots=True)
class WasRefused:
    """The step before was refused, with a text containing this."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class LampIs:
    """A seat's lamp."""

    seat: int
    lamp: str


@dataclass(frozen=True, slots=True)
class LockIs:
    """The lock line."""

    locked: bool


@dataclass(frozen=True, slots=True)
class PaymentMade:
    """This round has that payment, as it stands after corrections. `for_seat`, `cite`: where they are said."""

    seat: int
    wager: str
    result: str
    returned: Cents
    payout: Cents
    limited: bool = False
    for_seat: int | None = None
    cite: str = ""


@dataclass(frozen=True, slots=True)
class NoPayment:
    """None was made in this round."""

    seat: int
    wager: str


@dataclass(frozen=True, slots=True)
class InOrder:
    """These payments were made in this order."""

    payments: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class VoidBy:
    """The round is void by a paragraph that starts so; None: it is not void."""

    cite: str | None


@dataclass(frozen=True, slots=True)
class DeckIs:
    """That deck may, or may never again, be dealt here."""

    number: int
    playable: bool


@dataclass(frozen=True, slots=True)
class MeterStands:
    """The bank's ledger, cut to the cent: what stands on a meter, or is pending of it."""

    meter: str
    amount: Cents
    pending: bool = False


@dataclass(frozen=True, slots=True)
class AccountHolds:
    """The amount in a seat's wagering account."""

    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class AlarmIs:
    """The alarm of that kind stands; "": none does."""

    kind: str = ""


@dataclass(frozen=True, slots=True)
class TapsAre:
    """Presses of this round."""

    number: int


Expectation = (
    PhaseIs
    | TextShown
    | KeyOffered
    | WasRefused
    | LampIs
    | LockIs
    | PaymentMade
    | NoPayment
    | InOrder
    | VoidBy
    | DeckIs
    | MeterStands
    | AccountHolds
    | AlarmIs
    | TapsAre
)

# Lines -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script. `after_ns`: so long after the start of the step before, None: when that has ended."""

    number: int
    text: str
    says: Given | GivenMeter | Step | Expectation
    after_ns: int | None = None

    @property
    def is_step(self) -> bool:
        """Something happens."""
        return not isinstance(self.says, Given | GivenMeter | Expectation)


@dataclass(frozen=True, slots=True)
class Script:
    """A script that was read. `givens` come first."""

    name: str
    lines: tuple[Line, ...] = field(default=())
