"""What happened at a table. Each event is a row of the journal and carries its outcome, so replay needs no rulebook.

A kind once written is readable for ever: a class that must change gets the next `VERSION` and a step in `UPGRADES` that
turns the older body into the newer one. Fields are plain (str, int, bool, tuples, such classes), amounts are cents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, get_args


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first event of a journal."""

    VERSION: ClassVar[int] = 1
    table: str
    journal: str
    seats: int


@dataclass(frozen=True, slots=True)
class Started:
    """The program started on this journal; who writes from here on. Until a device is heard of, it counts as lost."""

    VERSION: ClassVar[int] = 1
    boot: str
    program: str
    submission: str


# The lockout and the sensors ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BetsOpened:
    """A round begins. `stuck`: seats covered since before the last lock; a fault until they are seen uncovered."""

    VERSION: ClassVar[int] = 1
    round: int
    stuck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A sensor held its covered level for the debounce time: acknowledged (653a.2(c)(1)), its lamp may light."""

    VERSION: ClassVar[int] = 1
    seat: int
    since_ns: int


@dataclass(frozen=True, slots=True)
class WagerTakenBack:
    """Uncovered before the lock."""

    VERSION: ClassVar[int] = 1
    seat: int
    since_ns: int


@dataclass(frozen=True, slots=True)
class ChipNotRecognised:
    """A chip lies on a sensor and is no wager: progressive bets are off. Until it is lifted."""

    VERSION: ClassVar[int] = 1
    seat: int
    why: str


@dataclass(frozen=True, slots=True)
class ChipSeen:
    """A chip lies on a sensor and is no news: bets are closed, or it was called late already, or the sensor is dead.

    `before_lock`: it has lain there since before the last lock.
    """

    VERSION: ClassVar[int] = 1
    seat: int
    before_lock: bool


@dataclass(frozen=True, slots=True)
class ChipLifted:
    """A sensor is uncovered; no wager changes by it."""

    VERSION: ClassVar[int] = 1
    seat: int


@dataclass(frozen=True, slots=True)
class LateWager:
    """A chip that came too late, or was not settled at the lock.

    `ms`: the last edge of the chip, less the lock: negative for one that had not settled; None where the lock was
    found at the start, or the machine has restarted since. `covered`: the sensor is known to be covered now.
    """

    VERSION: ClassVar[int] = 1
    seat: int
    ms: int | None
    was_lit: bool
    covered: bool


@dataclass(frozen=True, slots=True)
class BetsClosed:
    """No more bets (653a.8(b)). `accepted`: every wager of the round.

    `readings`: the evidence, (seat, covered at the lock, for how many ms, -1 where unknown) for every sensor.
    """

    VERSION: ClassVar[int] = 2
    at_ns: int
    source: str
    accepted: tuple[int, ...]
    readings: tuple[tuple[int, bool, int], ...]


@dataclass(frozen=True, slots=True)
class BetsReopened:
    """The lock was a mistake and no chip was counted yet."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class SensorMarked:
    """The dealer marked a seat's sensor as dead, or as working again."""

    VERSION: ClassVar[int] = 1
    seat: int
    dead: bool


@dataclass(frozen=True, slots=True)
class WagerMarked:
    """The dealer entered, or took back, by hand the wager of a seat whose sensor is dead."""

    VERSION: ClassVar[int] = 1
    seat: int
    placed: bool


@dataclass(frozen=True, slots=True)
class SwitchTurned:
    """The lockout switch, or its cut wire."""

    VERSION: ClassVar[int] = 1
    locked: bool


# The count --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountEntered:
    """The dealer counted the chips in front of the table inventory container (653a.8(b))."""

    VERSION: ClassVar[int] = 1
    chips: int
    lamps: int


@dataclass(frozen=True, slots=True)
class CountTakenBack:
    """The dealer counts again."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class SeatInQuestion:
    """The dealer tapped the seat where count and lamps differ; 0 for none."""

    VERSION: ClassVar[int] = 1
    seat: int


@dataclass(frozen=True, slots=True)
class DifferenceSettled:
    """One seat of a difference, with its reason. `outcome`: "no chip", "returned" or "by hand"."""

    VERSION: ClassVar[int] = 1
    seat: int
    outcome: str
    reason: str


@dataclass(frozen=True, slots=True)
class CountAgreed:
    """Chips and lamps agree; the chips go into the rack."""

    VERSION: ClassVar[int] = 1
    seats: tuple[int, ...]


# Winners ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettlingBegun:
    """The dealer asked for the winners."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class WinnerPicked:
    """A lit seat is said to have won; 0 takes the pick back."""

    VERSION: ClassVar[int] = 1
    seat: int


@dataclass(frozen=True, slots=True)
class PrizeNamed:
    """A fixed prize: hand, odds and money of the paytable in force (653a.12(d)(1))."""

    VERSION: ClassVar[int] = 1
    seat: int
    hand: str
    odds: str
    amount: int
    cite: str


@dataclass(frozen=True, slots=True)
class ShareNamed:
    """A share of a meter; it needs the five cards."""

    VERSION: ClassVar[int] = 1
    seat: int
    hand: str
    odds: str
    meter: str
    percent: int
    cite: str


@dataclass(frozen=True, slots=True)
class CardTapped:
    """Card entry. `rank` is a rank whose suit is still to come, or ""; `slot` the place it goes to."""

    VERSION: ClassVar[int] = 1
    cards: tuple[str, ...]
    rank: str
    slot: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """Five cards were entered and make this hand."""

    VERSION: ClassVar[int] = 1
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrizeTakenBack:
    """The dealer named the wrong seat or hand; nothing was validated yet. Also a floorperson's "not a winner"."""

    VERSION: ClassVar[int] = 1
    seat: int
    by: str


@dataclass(frozen=True, slots=True)
class PrizeValidated:
    """A floorperson validated a fixed prize (653a.11(k)(3))."""

    VERSION: ClassVar[int] = 1
    seat: int
    by: str


@dataclass(frozen=True, slots=True)
class PrizePaid:
    """Paid from the table inventory."""

    VERSION: ClassVar[int] = 1
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class ClaimMade:
    """A floorperson validated a share of a meter; the bank is asked to freeze it (653a.12(d)(4))."""

    VERSION: ClassVar[int] = 1
    seat: int
    claim: str
    by: str


@dataclass(frozen=True, slots=True)
class ClaimPriced:
    """The bank froze the amount and took it off the meter."""

    VERSION: ClassVar[int] = 1
    seat: int
    claim: str
    amount: int


@dataclass(frozen=True, slots=True)
class ClaimPaid:
    """A second person saw the documents; paid, not from the rack (653a.11(k)(4))."""

    VERSION: ClassVar[int] = 1
    seat: int
    claim: str
    amount: int
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimRejected:
    """A second person found that it is not a winner; the bank gives the amount back to the meter.

    `by` is empty where the bank holds the claim without effect: its alarm was looked at by two people there.
    """

    VERSION: ClassVar[int] = 1
    seat: int
    claim: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnvyOwed:
    """Envy bonuses to look through, seat by seat from the last down (653a.11(k)(5)): (seat, cents)."""

    VERSION: ClassVar[int] = 1
    holder: int
    payments: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class EnvyMarked:
    """A receiver is the holder's other box ("same player"), has left ("left"), or is neither ("")."""

    VERSION: ClassVar[int] = 1
    seat: int
    mark: str


@dataclass(frozen=True, slots=True)
class EnvyPaid:
    """The envy bonuses of one hand were paid from the table inventory."""

    VERSION: ClassVar[int] = 1
    holder: int
    payments: tuple[tuple[int, int], ...]


# The end of a round -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """All hands void, all wagers returned (653a.13, 653a.8(h))."""

    VERSION: ClassVar[int] = 1
    round: int
    cite: str
    by: str
    returned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundCleared:
    """Every hand is settled and the cards are gone."""

    VERSION: ClassVar[int] = 1
    round: int


@dataclass(frozen=True, slots=True)
class ClearTakenBack:
    """The dealer cleared too early; no wager of a next round is on the felt."""

    VERSION: ClassVar[int] = 1
    round: int


@dataclass(frozen=True, slots=True)
class PanelTurned:
    """The work area shows another panel: "" (the phase's own), "sensors", "void", or "void CITE"."""

    VERSION: ClassVar[int] = 1
    panel: str


@dataclass(frozen=True, slots=True)
class FloorCalled:
    """The dealer asks for a floorperson, or one has come."""

    VERSION: ClassVar[int] = 1
    on: bool


@dataclass(frozen=True, slots=True)
class PressRefused:
    """A press that may not be; nothing else changes."""

    VERSION: ClassVar[int] = 1
    word: str
    why: str


@dataclass(frozen=True, slots=True)
class PinFailed:
    """A badge that nobody wears here, or a wrong PIN; the PIN itself is never here."""

    VERSION: ClassVar[int] = 1
    badge: str
    why: str


@dataclass(frozen=True, slots=True)
class Complained:
    """Refused bytes or payloads, counted and rate-limited."""

    VERSION: ClassVar[int] = 1
    place: str
    text: str
    count: int


# Neighbours -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShufflerChanged:
    """The shuffler's whole status, where it differs from the one before."""

    VERSION: ClassVar[int] = 1
    connected: bool
    unit: str
    mode: str
    count: int | None
    deck: str
    fault: str
    alarm: int


@dataclass(frozen=True, slots=True)
class AlarmAcknowledged:
    """The dealer saw this alarm of the shuffler."""

    VERSION: ClassVar[int] = 1
    alarm: int


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The way to the bank is up, or down and why."""

    VERSION: ClassVar[int] = 1
    up: bool
    why: str


@dataclass(frozen=True, slots=True)
class SensorsChanged:
    """The wires of all sensors were lost, or are there again."""

    VERSION: ClassVar[int] = 1
    up: bool
    why: str


@dataclass(frozen=True, slots=True)
class MessageOwed:
    """A message that the bank does not hold yet: its canonical text and the hash of that text."""

    VERSION: ClassVar[int] = 1
    seq: int
    hash: str
    text: str


@dataclass(frozen=True, slots=True)
class BankHolds:
    """The highest message that the bank has committed, in this epoch of its ledger."""

    VERSION: ClassVar[int] = 1
    epoch: str
    seq: int


@dataclass(frozen=True, slots=True)
class BankAlarm:
    """The bank's alarm about this table, or "" when it is over."""

    VERSION: ClassVar[int] = 1
    kind: str
    text: str


Event = (
    TableOpened
    | Started
    | BetsOpened
    | WagerPlaced
    | WagerTakenBack
    | ChipNotRecognised
    | ChipSeen
    | ChipLifted
    | LateWager
    | BetsClosed
    | BetsReopened
    | SensorMarked
    | WagerMarked
    | SwitchTurned
    | CountEntered
    | CountTakenBack
    | SeatInQuestion
    | DifferenceSettled
    | CountAgreed
    | SettlingBegun
    | WinnerPicked
    | PrizeNamed
    | ShareNamed
    | CardTapped
    | HandShown
    | PrizeTakenBack
    | PrizeValidated
    | PrizePaid
    | ClaimMade
    | ClaimPriced
    | ClaimPaid
    | ClaimRejected
    | EnvyOwed
    | EnvyMarked
    | EnvyPaid
    | RoundVoided
    | RoundCleared
    | ClearTakenBack
    | PanelTurned
    | FloorCalled
    | PressRefused
    | PinFailed
    | Complained
    | ShufflerChanged
    | AlarmAcknowledged
    | LinkChanged
    | SensorsChanged
    | MessageOwed
    | BankHolds
    | BankAlarm
)

EVENTS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""Every kind by the name under which it stands in the journal."""


def _no_readings_yet(body: dict[str, Any]) -> dict[str, Any]:
    """BetsClosed 1 did not record what every sensor read at the lock."""
    return {**body, "readings": []}


UPGRADES: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("BetsClosed", 1): _no_readings_yet,
}
"""(kind, older version) -> the step to the next version."""
