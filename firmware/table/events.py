"""What happened at a table. Each event is a row of the journal and carries its outcome, so replay needs no rulebook.

A row has every field of its kind: none of its own has a default. A kind once fielded is readable for ever: a class that
must then change gets the next `VERSION` and a step in `UPGRADES` that turns the older body into the newer one. Fields are
plain (str, int, bool, tuples, such classes), amounts are cents.

`Fact`: something happened by itself (a chip, a line, a neighbor's word). `Told`: people told it, or the table itself drew
a conclusion; `tap` is the number of the press that it belongs to, 0 where nobody pressed. `at` is the time of day in
seconds of UTC, `by` the badge whose PIN was right on that screen ("" where none was), `player` the mark of the player
whose position it is about, "" where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_args

from firmware.rules.message import Message
from firmware.rules.payment import Payment
from firmware.table.records import named_record, record
from firmware.table.state import Amounts, Correction, Debt, Panel, Price, StakeBack, Tally
from firmware.wire.reports import DifferenceOutcome

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def event(kind: type[Kind]) -> type[Kind]:
    """A kind of event: a frozen record, without slots (`firmware.table.records`)."""
    return record(kind)


@named_record
class Recorded:
    """A row of the journal."""

    VERSION: ClassVar[int] = 1
    tap: int = 0


@named_record
class Fact(Recorded):
    """Something happened that nobody can take back."""


@named_record
class Told(Recorded):
    """People told it."""

    at: int = 0
    by: str = ""
    player: str = ""


# The program ----------------------------------------------------------------------------------------------------------


class OfProgram:
    """The journal and the program that writes it."""

    __slots__ = ()


@event
class TableOpened(OfProgram, Fact):
    """The first event of a journal; `TableShut` follows it, because nobody has brought cards yet."""

    table: str
    journal: str
    seats: int


@event
class Started(OfProgram, Fact):
    """The program started on this journal; who writes from here on. Until a device is heard of, it counts as lost."""

    boot: str
    program: str
    submission: str
    book: str
    level: int
    progressive: bool
    equipment: str
    """`Equipment.text`."""
    at: int
    """The time of day, seconds of UTC."""


@event
class ClockCorrected(OfProgram, Fact):
    """The time of day was wrong since this boot, and was set by so many seconds: so is what has happened on it."""

    by: int


@event
class RecordAccepted(OfProgram, Fact):
    """Two people accepted a record that the table does not accept by itself.

    `what`: "journal", its own; "bank", the ledger that is heard of next; "key", a new one that seals its journal (`why` has
    the public half).
    """

    what: str
    why: str
    people: tuple[str, ...]


@event
class DayClosed(OfProgram, Told):
    """A floorperson closed a gaming day; what is open then is carried into the next one.

    `number`: the first day is 1. `perpetual`: since the journal was made. `round`: what bets are open or locked for, 0 for
    nothing. `claims`: those without a verdict. The bank held messages up to `held` of `seq`.
    """

    day: str
    number: int
    totals: Tally
    perpetual: Tally
    round: int
    claims: tuple[str, ...]
    held: int
    seq: int


@event
class MeterForced(OfProgram, Fact):
    """A technician (`by`) said what stands on a test's own meter, in cents. Of a live table only the bank says that."""

    meter: str
    amount: int
    by: str


@event
class MetersMoved(OfProgram, Told):
    """What stands on a test's own meters now, in micro-dollars: wagers fed them, went back, or a share was paid.

    `fed`: what this round's wagers put there, below zero what went back with them; () for a share.
    """

    stand: Amounts
    fed: Amounts


@event
class LiveSigned(OfProgram, Told):
    """A floorperson signed first that the table is live; whoever says so after him is another person."""


@event
class TableLive(OfProgram, Told):
    """Two different people (`people`) said LIVE: what is played from here on is no test. No row takes it back."""

    people: tuple[str, ...]


ProgramEvent = (
    TableOpened
    | Started
    | ClockCorrected
    | RecordAccepted
    | DayClosed
    | MeterForced
    | MetersMoved
    | LiveSigned
    | TableLive
)


# Opening and closing the table, decks (sections .3 to .5) -------------------------------------------------------------


class OfDecks:
    """What is done to the decks."""

    __slots__ = ()


@event
class DecksReceived(OfDecks, Told):
    """Decks came to the table, to be inspected (653a.4(a)): (number, back color). Numbers are never used again."""

    decks: tuple[tuple[int, str], ...]


@event
class PreinspectedReceived(OfDecks, Told):
    """Decks came preinspected and preshuffled (653a.4(e)): they only have to be cut."""

    decks: tuple[tuple[int, str], ...]


@event
class DecksRefused(OfDecks, Told):
    """A defect was found: the decks that came last go away."""


@event
class DecksInspected(OfDecks, Told):
    """The dealer found no defect."""


@event
class DecksVerified(OfDecks, Told):
    """The floorperson verified the inspection."""


@event
class FirstPlayerLooked(OfDecks, Told):
    """The first player had the opportunity to inspect the spread cards (653a.4(c), .5(f))."""


@event
class CardsStacked(OfDecks, Told):
    """Turned face down, washed, stacked."""


@event
class ShuffleWanted(OfDecks, Told):
    """No machine shuffles: the dealer has to, before the next round (653a.5(a)); or a floorperson (`by`) orders it."""


@event
class DeckShuffled(OfDecks, Told):
    """Shuffled by hand."""


@event
class DeckDelivered(OfDecks, Told):
    """Shuffled by the machine; it needs no cut (653a.5(c)(1))."""


@event
class DeckCut(OfDecks, Told):
    """Cut, ten cards or more (653a.5(d)); also again, as a floorperson ordered."""


@event
class CutNotNeeded(OfDecks, Told):
    """A device that reshuffles and counts by itself (653a.5(g))."""

    cite: str


@event
class RecutOrdered(OfDecks, Told):
    """A floorperson requires another cut before any card is dealt (653a.5(e)); `shuffle`: another shuffle (653a.5(a)).

    Wagers stay. Also where the machine was covered before it had shuffled.
    """

    shuffle: bool


@event
class DecksWanted(OfDecks, Told):
    """Other decks have to come before the next round. `all`: every deck leaves; else only what is missing is replaced."""

    why: Message
    all: bool


@event
class DeckDue(OfDecks, Told):
    """The decks have been in use as long as they may (653a.3(c)), or nobody can say how long."""

    why: Message


@event
class DeckRemoved(OfDecks, Told):
    """A deck leaves the table and never comes back. `why`: what was found, or the paragraph that orders it."""

    number: int
    why: Message


@event
class TableIdled(OfDecks, Told):
    """No gaming activity: the cards are spread face down (653a.5(f))."""


@event
class FacesTurned(OfDecks, Told):
    """A player asked for the spread cards face up, or they are turned down again."""

    up: bool


@event
class ClosingBegun(OfDecks, Told):
    """The table is being closed: machine, shoe and rack are emptied and all cards counted."""


@event
class CardsEmptied(OfDecks, Told):
    """So many cards were counted at the closing."""

    cards: int


@event
class TableShut(OfDecks, Told):
    """Closed for gaming; the decks have gone. `reason`: why the count was not right."""

    cards: int
    reason: Message


@event
class DeviceCovered(OfDecks, Told):
    """The machine is covered, or has a sign, as out of order (653a.13(g)); other means are used from here on.

    `fault`: what the machine had said, "" where only people found it out of order.
    """

    fault: str


@event
class DeviceUncovered(OfDecks, Told):
    """The machine works again."""


@event
class UnitAccepted(OfDecks, Told):
    """Another shuffler belongs to this table now."""

    unit: str


@event
class StubCounted(OfDecks, Told):
    """The stub says that 52 cards are in the deck (653a.8(g))."""


@event
class DeckMiscounted(OfDecks, Fact):
    """The machine revealed that a deck has not 52 cards: it has to be removed, whatever is said later (653a.5(b))."""

    number: int
    cards: int


DecksEvent = (
    DecksReceived
    | PreinspectedReceived
    | DecksRefused
    | DecksInspected
    | DecksVerified
    | FirstPlayerLooked
    | CardsStacked
    | ShuffleWanted
    | DeckShuffled
    | DeckDelivered
    | DeckCut
    | CutNotNeeded
    | RecutOrdered
    | DecksWanted
    | DeckDue
    | DeckRemoved
    | TableIdled
    | FacesTurned
    | ClosingBegun
    | CardsEmptied
    | TableShut
    | DeviceCovered
    | DeviceUncovered
    | UnitAccepted
    | StubCounted
    | DeckMiscounted
)


# The lockout, the sensors, the count ----------------------------------------------------------------------------------


class OfBets:
    """Bets, from open to agreed."""

    __slots__ = ()


@event
class BetsOpened(OfBets, Told):
    """A round begins. `stuck`: seats covered since before the last lock; a fault until they are seen uncovered."""

    round: int
    stuck: tuple[int, ...]


@event
class WagerPlaced(OfBets, Fact):
    """A sensor held its covered level for the debounce time: acknowledged (653a.2(c)(1)), its lamp may light.

    `amount`: what is wagered, in cents. `chips`: the worth of each chip, as the sensor told it; () where it tells none.
    """

    seat: int
    since_ns: int
    amount: int
    chips: tuple[int, ...] = ()


@event
class WagerTakenBack(OfBets, Fact):
    """Uncovered before the lock."""

    seat: int
    since_ns: int


@event
class ChipNotRecognized(OfBets, Fact):
    """What lies on a sensor is no wager: progressive bets are off, or it is not the posted wager. Until it is lifted, or
    other `chips` lie there.
    """

    seat: int
    why: Message
    chips: tuple[int, ...] = ()


@event
class ChipSeen(OfBets, Fact):
    """A chip lies on a sensor and is no news: bets are closed, or it was called late already, or the sensor is dead.

    `before_lock`: it has lain there since before the last lock.
    """

    seat: int
    before_lock: bool
    chips: tuple[int, ...] = ()


@event
class ChipLifted(OfBets, Fact):
    """A sensor is uncovered; no wager changes by it."""

    seat: int


@event
class LateWager(OfBets, Fact):
    """A chip that came too late, or was not settled at the lock.

    `ms`: the last edge of the chip, less the lock: negative for one that had not settled; None where the lock was
    found at the start, or the machine has restarted since. `covered`: the sensor is known to be covered now.
    """

    seat: int
    ms: int | None
    was_lit: bool
    covered: bool
    chips: tuple[int, ...] = ()


@event
class BetsClosed(OfBets, Fact):
    """No more bets (653a.8(b)). `accepted`: every wager of the round.

    `readings`: the evidence, (seat, covered at the lock, for how many ms, -1 where unknown) for every sensor.
    `told_ns`: when the screen said that it was touched, where that was too old to be believed; else 0.
    """

    at_ns: int
    source: str
    accepted: tuple[int, ...]
    readings: tuple[tuple[int, bool, int], ...]
    told_ns: int


@event
class BetsReopened(OfBets, Told):
    """The lock was a mistake. `reason`: why a floorperson had bets opened after the count, "" before it."""

    reason: str


@event
class SensorMarked(OfBets, Told):
    """The dealer marked a seat's sensor as dead, or as working again."""

    seat: int
    dead: bool


@event
class ProgressiveMarked(OfBets, Told):
    """A floorperson put the table's progressive out of order, or in order again: sensors, lamps, switch, buttons."""

    works: bool


@event
class WagerMarked(OfBets, Told):
    """The dealer entered, or took back, by hand the wager of a seat whose sensor is dead; or it goes back unplayed, while
    its chip may still lie there, since the decks have to be changed before a round is dealt.

    `amount`: cents of the wager that was entered, 0 where it was taken back.
    """

    seat: int
    amount: int


@event
class SwitchTurned(OfBets, Fact):
    """The lockout switch, or its cut wire."""

    locked: bool


@event
class CountEntered(OfBets, Told):
    """The dealer counted the chips in front of the table inventory container (653a.8(b))."""

    chips: int
    lamps: int


@event
class CountTakenBack(OfBets, Told):
    """The dealer counts again."""


@event
class SeatInQuestion(OfBets, Told):
    """The dealer tapped the seat where count and lamps differ; 0 for none."""

    seat: int


@event
class DifferenceSettled(OfBets, Told):
    """One seat of a difference, with its reason. `amount`: cents of the wager that it enters by hand, else 0."""

    seat: int
    outcome: DifferenceOutcome
    reason: Message
    amount: int = 0


@event
class CountAgreed(OfBets, Told):
    """Chips and lamps agree; the chips go into the rack."""

    seats: tuple[int, ...]


@event
class PlayerMarked(OfBets, Told):
    """The adjacent positions of one person (653a.7(e), 677a.7(e)); `mark`: his, "" where a position is alone again."""

    seats: tuple[int, ...]
    mark: str


BetsEvent = (
    BetsOpened
    | WagerPlaced
    | WagerTakenBack
    | ChipNotRecognized
    | ChipSeen
    | ChipLifted
    | LateWager
    | BetsClosed
    | BetsReopened
    | SensorMarked
    | ProgressiveMarked
    | WagerMarked
    | SwitchTurned
    | CountEntered
    | CountTakenBack
    | SeatInQuestion
    | DifferenceSettled
    | CountAgreed
    | PlayerMarked
)


# The game against the dealer (assist levels 1 and 2; sections .7 to .11) ----------------------------------------------


class OfGame:
    """The game against the dealer."""

    __slots__ = ()


@event
class StakesPlaced(OfGame, Told):
    """What a seat wagers, (wager, cents); () where nobody plays."""

    seat: int
    stakes: tuple[tuple[str, int], ...]


@event
class Dealt(OfGame, Told):
    """Players and dealer have their cards."""


@event
class Decided(OfGame, Told):
    """A player's choice on a street: "check", "play" with its multiple of the ante, "fold", "instant"; an `option`."""

    seat: int
    choice: str
    street: str
    times: int
    option: str
    exchanged: int


@event
class RaiseSized(OfGame, Told):
    """A raise of so many cents, up to the street's multiple of the ante and not a whole one (677a.11(b), (d))."""

    seat: int
    cents: int


@event
class SeatChosen(OfGame, Told):
    """The seat that the next keys are about; 0 for none."""

    seat: int


@event
class SeatAbandoned(OfGame, Told):
    """A player left during the round, all wagers of the seat lose (653a.7(b)); `left` False: he is back."""

    seat: int
    left: bool


@event
class StreetClosed(OfGame, Told):
    """Everybody was asked; the next community cards are dealt."""

    street: int


@event
class AskingDone(OfGame, Told):
    """Every player has folded or wagered: the dealer's hand comes next."""


@event
class LockedIn(OfGame, Told):
    """ "All decisions are locked in" (671a.11(c))."""


@event
class StreetReopened(OfGame, Told):
    """A floorperson has the questions of this street asked again: they were told wrongly."""

    street: int


@event
class ElectionReopened(OfGame, Told):
    """A floorperson withdraws a seat's instant payout, for its hand is neither a royal nor a straight flush: it elects
    again, and every other decision stands (671a.11(b), .12(a)).
    """

    seat: int


@event
class LinesSettled(OfGame, Told):
    """Some wagers of a seat are settled before its turn: a fold, the passes of 671a.11(c) to (e), a void round."""

    seat: int
    lines: tuple[Payment, ...]
    complete: bool


@event
class SuperCalled(OfGame, Told):
    """The row of the Super paytable that a declared hand wins on, or "" (671a.11(b)); seat 0: the dealer's hand.

    `undeclared`: its player did not declare it, whatever its cards make.
    """

    seat: int
    row: str
    undeclared: bool


@event
class SupersSettled(OfGame, Told):
    """Super wagers, instant payouts and folds are settled (671a.11(c))."""


@event
class DrawTaken(OfGame, Told):
    """A player who paid the options fee got his cards and bets, or folds (671a.11(d))."""

    seat: int
    bets: bool
    times: int


@event
class DrawsDone(OfGame, Told):
    """Nobody is left to draw."""


@event
class EntryBegun(OfGame, Told):
    """Cards are entered, one for each place: "seat", "board", "dealer" or "six" (Six Card box)."""

    want: tuple[str, ...]


@event
class EntryLeft(OfGame, Told):
    """No cards after all; back to the seat."""


@event
class RevealEntryLeft(OfGame, Told):
    """No cards after all; back to the dealer's hand."""


@event
class DeclaredEntryLeft(OfGame, Told):
    """No cards after all; back to the declared hands."""


@event
class FirstCardsEntered(OfGame, Told):
    """The first cards of a declared hand, as its player shows them (671a.11(b), (c)(2), (3))."""

    seat: int
    cards: tuple[str, ...]


@event
class CardsEntered(OfGame, Told):
    """The cards of the board, the dealer, the Six Card box, and of one seat (0: none), as they lie on the table."""

    seat: int
    cards: tuple[str, ...]
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    six_card: tuple[str, ...]


@event
class DealerShown(OfGame, Told):
    """The dealer's hand. `hand` "" where only its qualification was told."""

    hand: str
    qualifies: bool


@event
class HandCalled(OfGame, Told):
    """What was said of the hand whose turn it is. `lines`: what follows for its wagers, () while something is missing."""

    seat: int
    called: tuple[tuple[str, str], ...]
    lines: tuple[Payment, ...]


@event
class SeatSettled(OfGame, Told):
    """Collected and paid: one seat completely before the next (653a.11(h)(2)). Not `complete`: a part of its turn."""

    seat: int
    lines: tuple[Payment, ...]
    complete: bool


@event
class SettlementCorrected(OfGame, Told):
    """A floorperson had a seat, settled or answered, or a fixed prize settled again; or envy bonuses paid again.

    `wager`: "" for the whole seat, the prize's wager, or "envy". `lines`: what was undone, () where a seat was only
    answered.
    """

    seat: int
    wager: str
    lines: tuple[Payment, ...]
    reason: Correction


@event
class LimitReopened(OfGame, Told):
    """What this player was paid at another position since leaves this one another part of his payout limit: these wagers
    are settled again, as the law now pays what was told of the hand (677a.12(f)).
    """

    seat: int
    lines: tuple[Payment, ...]


@event
class PassReopened(OfGame, Told):
    """A floorperson has the first pass called and paid again, this seat's hand first, 0: none of them (671a.11(c)).

    `stands`: of every player what stays settled. `lines`: what was settled of this seat before.
    """

    seat: int
    stands: tuple[tuple[int, tuple[Payment, ...]], ...]
    lines: tuple[Payment, ...]
    reason: Correction


@event
class RevealReopened(OfGame, Told):
    """A floorperson has the dealer's hand told again, and settled again what it settled (653a.11(g), 671a.11(e), (f)).

    `stands`: of every player what stays settled of what came before his turn. `lines`: what is settled again.
    """

    stands: tuple[tuple[int, tuple[Payment, ...]], ...]
    lines: tuple[Payment, ...]


@event
class IrregularityNoted(OfGame, Told):
    """Something irregular that voids nothing: a card left out, a card used as the next one (653a.13(a), (b))."""

    kind: str
    cite: str


@event
class RoundVoided(OfGame, Told):
    """All hands void, wagers returned (653a.13, 653a.8(h)), but those in `settled_anyway`, from the cards.

    `returned`: the wagers that a meter belongs to, () where the round was void before; those of the game follow, seat by
    seat. No wager that has won a share is one of them. `envy`: bonuses that had been paid, and are taken back. `signed`:
    both badges where two people had to sign, else ().
    """

    round: int
    cite: str
    returned: tuple[Payment, ...]
    envy: tuple[Payment, ...]
    signed: tuple[str, ...]
    kind: str
    settled_anyway: tuple[str, ...]
    dealt: bool
    """A card had left the deck."""


@event
class DeviceFailed(OfGame, Fact):
    """The machine jammed or stopped while bets were open or a round was played: what it had ready is not ready any more.

    `cite`: the paragraph by which the round is void (653a.13(f), 36.05.16.13H, .13I), "" where it is not.
    """

    fault: str
    cite: str


@event
class RoundCleared(OfGame, Told):
    """Every hand is settled and the cards are gone. `lost`: the wagers with a meter that nobody named a prize for.

    `dealt`: a card had left the deck; two decks change places only after such a round (653a.3(b)(3)).
    """

    round: int
    lost: tuple[Payment, ...]
    dealt: bool


GameEvent = (
    StakesPlaced
    | Dealt
    | Decided
    | RaiseSized
    | SeatChosen
    | SeatAbandoned
    | StreetClosed
    | AskingDone
    | LockedIn
    | StreetReopened
    | ElectionReopened
    | LinesSettled
    | SuperCalled
    | SupersSettled
    | DrawTaken
    | DrawsDone
    | EntryBegun
    | EntryLeft
    | RevealEntryLeft
    | CardsEntered
    | DealerShown
    | HandCalled
    | SeatSettled
    | SettlementCorrected
    | LimitReopened
    | PassReopened
    | RevealReopened
    | FirstCardsEntered
    | DeclaredEntryLeft
    | IrregularityNoted
    | RoundVoided
    | DeviceFailed
    | RoundCleared
)


# Five Card Hand bonus (653a.7(d)(4), .12(e)) --------------------------------------------------------------------------


class OfAccounts:
    """Wagering accounts, and the wagers that are made from them."""

    __slots__ = ()


@event
class BoughtIn(OfAccounts, Told):
    """Chips became credit of a seat's wagering account (simulated; 605a.3)."""

    seat: int
    amount: int


@event
class CashedOut(OfAccounts, Told):
    """The whole credit was paid from the rack."""

    seat: int
    amount: int


@event
class FiveCardPlaced(OfAccounts, Fact):
    """A Five Card Hand wager, taken from the account. `hand`: "own" or "dealer"."""

    seat: int
    hand: str
    amount: int
    at_ns: int


@event
class FiveCardReturned(OfAccounts, Fact):
    """Taken back before the lock, too late, not played, or the round is void: the stake is in the account again."""

    seat: int
    hand: str
    amount: int
    why: StakeBack
    at_ns: int


@event
class ButtonIgnored(OfAccounts, Fact):
    """A wagering button press that had no effect."""

    seat: int
    hand: str
    why: Message


@event
class BonusDrawn(OfAccounts, Fact):
    """Drawn by the machine's cryptographic generator, on disk before anybody sees it. `lucky`: a seat, 0 the dealer."""

    magic_card: str
    lucky: int | None


@event
class AccountCredited(OfAccounts, Told):
    """A Five Card Hand, Magic Card or Lucky Bonus prize (653a.11(l)(3)); `hand`: of the first, what it won on."""

    seat: int
    payment: Payment
    hand: str


@event
class AccountCorrected(OfAccounts, Told):
    """A floorperson took a wrong credit back."""

    seat: int
    payment: Payment
    reason: Correction


AccountsEvent = (
    BoughtIn
    | CashedOut
    | FiveCardPlaced
    | FiveCardReturned
    | ButtonIgnored
    | BonusDrawn
    | AccountCredited
    | AccountCorrected
)


# Winners --------------------------------------------------------------------------------------------------------------


class OfPrizes:
    """Progressive prizes, claims, envy bonuses."""

    __slots__ = ()


@event
class SettlingBegun(OfPrizes, Told):
    """The dealer asked for the winners."""


@event
class WinnerPicked(OfPrizes, Told):
    """A lit seat is said to have won; 0 takes the pick back."""

    seat: int


@event
class PrizeNamed(OfPrizes, Told):
    """A fixed prize: the hand, and what will be paid by the paytable in force (653a.12(d)(1))."""

    seat: int
    hand: str
    payment: Payment


@event
class ShareNamed(OfPrizes, Told):
    """A share of a meter; it needs the five cards. `backers`: the seats that it is divided among (653a.12(e)(2))."""

    seat: int
    hand: str
    odds: str
    meter: str
    percent: int
    cite: str
    wager: str
    backers: tuple[int, ...]


@event
class CardTapped(OfPrizes, Told):
    """Card entry. `rank` is a rank whose suit is still to come, or ""; `slot` the place it goes to."""

    cards: tuple[str, ...]
    rank: str
    slot: int


@event
class HandShown(OfPrizes, Told):
    """Five cards were entered and make this hand."""

    seat: int
    cards: tuple[str, ...]


@event
class PrizeTakenBack(OfPrizes, Told):
    """The dealer named the wrong seat or hand; nothing was validated yet. Also a floorperson's "not a winner"."""

    seat: int


@event
class PrizeValidated(OfPrizes, Told):
    """A floorperson validated a fixed prize (653a.11(k)(3))."""

    seat: int


@event
class PrizeElsewhere(OfPrizes, Told):
    """A floorperson has a fixed prize paid not from the table inventory; the cards stay until then (653a.11(k)(4))."""

    seat: int
    payment: Payment


@event
class PrizePaid(OfPrizes, Told):
    """A fixed prize was paid, from where the payment says."""

    seat: int
    payment: Payment


@event
class ClaimMade(OfPrizes, Told):
    """A floorperson validated a share of a meter; the bank is asked to freeze it (653a.12(d)(4)).

    `seq`: the number of the message that makes the claim.
    """

    seat: int
    claim: str
    seq: int


@event
class ClaimPriced(OfPrizes, Fact):
    """The bank froze the amount and took it off the meter: what the law pays with it, to each who backed it."""

    seat: int
    claim: str
    price: Price
    payments: tuple[Payment, ...]


@event
class PriceOffered(OfPrizes, Fact):
    """The bank says another amount than the one that was shown for the claim; None: it says that one again."""

    seat: int
    claim: str
    price: Price | None


@event
class PriceAccepted(OfPrizes, Told):
    """A floorperson signed for the bank's other amount; whoever ends the claim is another person than `by`."""

    seat: int
    claim: str
    price: Price
    payments: tuple[Payment, ...]


@event
class ClaimPaid(OfPrizes, Told):
    """A second person saw the documents; paid, not from the rack (653a.11(k)(4)). `signed`: both badges.

    `later`: the shares of those whose turn is still to come; they are paid then (653a.12(e)(2), reading 4).
    """

    seat: int
    claim: str
    payments: tuple[Payment, ...]
    signed: tuple[str, ...]
    later: tuple[Payment, ...]


@event
class ClaimRejected(OfPrizes, Told):
    """A second person found that it is not a winner; the bank gives the amount back to the meter.

    Without `by` the bank holds the claim without effect: `signed` are the two who looked at its alarm there.
    """

    seat: int
    claim: str
    signed: tuple[str, ...]


@event
class EnvyOwed(OfPrizes, Told):
    """Envy bonuses to go through, seat by seat from the last down (653a.11(k)(5)), for the `hand` of the holder."""

    holder: int
    payments: tuple[Payment, ...]
    hand: str


@event
class EnvyMarked(OfPrizes, Told):
    """A receiver is the holder's other position, or is not."""

    seat: int
    same_player: bool


@event
class EnvyPaid(OfPrizes, Told):
    """The envy bonuses of one hand were paid from the table inventory."""

    holder: int
    payments: tuple[Payment, ...]


PrizesEvent = (
    SettlingBegun
    | WinnerPicked
    | PrizeNamed
    | ShareNamed
    | CardTapped
    | HandShown
    | PrizeTakenBack
    | PrizeValidated
    | PrizeElsewhere
    | PrizePaid
    | ClaimMade
    | ClaimPriced
    | PriceOffered
    | PriceAccepted
    | ClaimPaid
    | ClaimRejected
    | EnvyOwed
    | EnvyMarked
    | EnvyPaid
)


# The desk and the neighbors -------------------------------------------------------------------------------------------


class OfDesk:
    """What the screen shows, refusals, UNDO."""

    __slots__ = ()


@event
class PanelTurned(OfDesk, Told):
    """The work area shows another panel."""

    panel: Panel


@event
class FloorCalled(OfDesk, Told):
    """The dealer asks for a floorperson, or one has come."""

    on: bool


@event
class Undone(OfDesk, Told):
    """The last press that may still be taken back was a wrong one. Facts that came since stay."""


@event
class StepsFinal(OfDesk, Recorded):
    """A fact means something else than it would have meant without some presses: only the last `left` may be undone."""

    left: int


@event
class PressRefused(OfDesk, Recorded):
    """A press that may not be; nothing else changes. `by`: the badge of who pressed, "" where nobody had signed in."""

    word: str
    why: Message
    by: str


@event
class PinFailed(OfDesk, Recorded):
    """A badge that nobody wears here, a wrong PIN, or one that could not be checked; the PIN itself is never here.

    `failures`: the badge's wrong PINs since its last right one; 0 where nobody wears it. `at`: when it was wrong, seconds
    of UTC; 0 where it was not.
    """

    badge: str
    why: Message
    failures: int
    at: int = 0


@event
class PinRight(OfDesk, Recorded):
    """The right PIN of a badge that had failed: its failures are over, and its owner is told of them (`why`)."""

    badge: str
    why: Message


@event
class BadgeUnlocked(OfDesk, Told):
    """A manager unlocked a badge that had too many wrong PINs."""

    badge: str


@event
class Complained(OfDesk, Fact):
    """Refused bytes or payloads, counted and rate-limited."""

    place: str
    text: str
    count: int


DeskEvent = (
    PanelTurned | FloorCalled | Undone | StepsFinal | PressRefused | PinFailed | PinRight | BadgeUnlocked | Complained
)


class OfNeighbours:
    """The shuffler, the link, the sensors' wires, the bank."""

    __slots__ = ()


@event
class ShufflerChanged(OfNeighbours, Fact):
    """The shuffler's whole status, where it differs from the one before."""

    connected: bool
    unit: str
    mode: str
    count: int | None
    deck: str
    fault: str
    alarm: int


@event
class AlarmAcknowledged(OfNeighbours, Told):
    """The dealer saw this alarm of the shuffler."""

    alarm: int


@event
class LinkChanged(OfNeighbours, Fact):
    """The way to the bank is up, or down and why."""

    up: bool
    why: Message


@event
class SensorsChanged(OfNeighbours, Fact):
    """The wires of all sensors were lost, or are there again."""

    up: bool
    why: Message


@event
class DiskChanged(OfNeighbours, Fact):
    """The journal's disk is short of room: no bets open until it has room for a thousand rounds and more."""

    short: bool


@event
class MessageOwed(OfNeighbours, Told):
    """A message that the bank does not hold yet: its canonical text and the hash of that text.

    `fed`: by meter, micro-dollars that the bank puts on it for this; below zero what it takes back. `kind`: what it tells.
    """

    seq: int
    hash: str
    text: str
    fed: Amounts
    kind: str


@event
class UnheardSigned(OfNeighbours, Told):
    """One of two people signed for paying prizes though the bank was not heard since the start."""


@event
class BankHolds(OfNeighbours, Fact):
    """The highest message that the bank has committed, in this epoch of its ledger.

    `term`, `rows`, `head`: how often a bank has started on it, and how far it has come; 0 and "" where it does not say.
    `key`: the digits of the key that seals what the bank says.
    """

    epoch: str
    seq: int
    term: int
    rows: int
    head: str
    key: str


@event
class BankAlarm(OfNeighbours, Fact):
    """The bank's alarm about this table, or "" when it is over. `text`: in its own words, or what this table found."""

    kind: str
    text: Message


@event
class DebtsHeard(OfNeighbours, Fact):
    """What the bank owes players of this table now, by its word."""

    debts: tuple[Debt, ...]


@event
class VerdictsHeld(OfNeighbours, Fact):
    """The claims of this table on which the bank holds a verdict now, by its word: two people have to look there."""

    claims: tuple[str, ...]


@event
class DebtSigned(OfNeighbours, Told):
    """A floorperson signed first for the second payment of this claim; whoever ends it is another person than `by`."""

    claim: str


@event
class DebtPaid(OfNeighbours, Told):
    """A second person saw the rest of a claim paid, not from the rack: `owed` cents. `signed`: both badges."""

    claim: str
    owed: int
    signed: tuple[str, ...]


@event
class DebtStands(OfNeighbours, Told):
    """A second person found the player gone: the rest of the claim stays owed by name. `signed`: both badges."""

    claim: str
    owed: int
    signed: tuple[str, ...]


NeighboursEvent = (
    ShufflerChanged
    | AlarmAcknowledged
    | LinkChanged
    | SensorsChanged
    | DiskChanged
    | MessageOwed
    | UnheardSigned
    | BankHolds
    | BankAlarm
    | DebtsHeard
    | VerdictsHeld
    | DebtSigned
    | DebtPaid
    | DebtStands
)


Event = ProgramEvent | DecksEvent | BetsEvent | GameEvent | AccountsEvent | PrizesEvent | DeskEvent | NeighboursEvent

EVENTS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""Every kind by the name under which it stands in the journal."""

UPGRADES: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(kind, older version) -> the step to the next version."""
