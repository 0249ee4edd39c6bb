"""The events of a table. Each event is a row of the journal and carries its outcome, so replay needs no rulebook.

A row has every field of its kind: none of its own has a default. A kind once fielded stays readable: a class that
must then change gets the next `VERSION` and a step in `UPGRADES` that turns the older body into the newer one. Fields are
plain (str, int, bool, tuples, such classes), amounts are cents.

`Fact`: something happened by itself (a chip, a line, a neighbor's word). `Told`: people told it, or the table itself drew
a conclusion; `tap` is the number of the press that it belongs to, 0 if nobody pressed. `at` is the time of day in
seconds of UTC, `by` the badge whose PIN was right on that screen ("" for none), `player` the mark of the player
whose position it is about, "" for none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, get_args

from msgspec import Struct

from firmware.rules.approvals import Act
from firmware.rules.message import Message
from firmware.rules.payment import Payment
from firmware.table.state import (
    Amounts,
    Correction,
    Debt,
    DeckWork,
    Neighbor,
    Panel,
    Price,
    RoundWork,
    StakeBack,
    Tally,
)
from firmware.wire.reports import AccountMove, DifferenceOutcome


class Recorded(Struct, frozen=True, kw_only=True):
    """A row of the journal."""

    VERSION: ClassVar[int] = 1
    tap: int = 0


class Fact(Recorded, frozen=True, kw_only=True):
    """Something happened that nobody can take back."""


class Told(Recorded, frozen=True, kw_only=True):
    """People told it."""

    at: int = 0
    by: str = ""
    player: str = ""


# The program ----------------------------------------------------------------------------------------------------------


class OfProgram:
    """The journal and the program that writes it."""

    __slots__ = ()


class TableOpened(OfProgram, Fact, frozen=True):
    """The first event of a journal; `TableShut` follows it, because nobody has brought cards yet."""

    table: str
    journal: str
    seats: int


class Started(OfProgram, Fact, frozen=True):
    """The program started on this journal; who writes from here on. Until a device is heard of, it counts as lost."""

    boot: str
    program: str
    submission: str
    book: str
    level: int
    wagers: tuple[str, ...]
    """Those with a meter, in the order of a seat's turn; `sensed`: those that a chip on a sensor makes."""
    sensed: tuple[str, ...]
    equipment: str
    """`Equipment.text`."""
    at: int
    """The time of day, seconds of UTC."""


class ClockCorrected(OfProgram, Fact, frozen=True):
    """The time of day was wrong since this boot, and was set by so many seconds: so is what has happened on it."""

    by: int


class RecordAccepted(OfProgram, Fact, frozen=True):
    """Two people accepted a record that the table does not accept by itself.

    `what`: "journal", its own; "bank", the ledger that is heard of next; "key", a new one that seals its journal (`why` has
    the public half).
    """

    what: str
    why: str
    people: tuple[str, ...]


class DayClosed(OfProgram, Told, frozen=True):
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


class MeterForced(OfProgram, Fact, frozen=True):
    """A technician (`by`) set the amount of a test's own meter, in cents. At a live table only the bank does that."""

    meter: str
    amount: int
    by: str


class MetersMoved(OfProgram, Told, frozen=True):
    """The amounts of a test's own meters now, in micro-dollars: wagers fed them, went back, or a share was paid.

    `fed`: the contributions of this round's wagers, below zero if they went back; () for a share.
    """

    stand: Amounts
    fed: Amounts


class LiveSigned(OfProgram, Told, frozen=True):
    """A floorperson signed first that the table is live; the second person is another one."""


class TableLive(OfProgram, Told, frozen=True):
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
    """Work on the decks."""

    __slots__ = ()


class DecksReceived(OfDecks, Told, frozen=True):
    """Decks came to the table, to be inspected (653a.4(a)): (number, back color). Numbers are never used again."""

    decks: tuple[tuple[int, str], ...]


class DecksDone(OfDecks, Told, frozen=True):
    """The next step of the cards' way to and from a round was done; nothing else is to be said of it."""

    work: DeckWork


class ShuffleWanted(OfDecks, Told, frozen=True):
    """No machine shuffles: the dealer has to, before the next round (653a.5(a)); or a floorperson (`by`) orders it."""


class DeckDelivered(OfDecks, Told, frozen=True):
    """Shuffled by the machine; it needs no cut (653a.5(c)(1))."""


class DeckCut(OfDecks, Told, frozen=True):
    """Cut, ten cards or more (653a.5(d)); also again, as a floorperson ordered.

    `waived`: the paragraph by which a device that reshuffles and counts by itself needs no cut (653a.5(g)), else "".
    """

    waived: str


class RecutOrdered(OfDecks, Told, frozen=True):
    """A floorperson requires another cut before any card is dealt (653a.5(e)); `shuffle`: another shuffle (653a.5(a)).

    Wagers stay. Also where the machine was covered before it had shuffled.
    """

    shuffle: bool


class DecksWanted(OfDecks, Told, frozen=True):
    """Other decks have to come before the next round. `all`: every deck leaves; else only what is missing is replaced."""

    why: Message
    all: bool


class DeckDue(OfDecks, Told, frozen=True):
    """The decks have been in use as long as they may (653a.3(c)), or nobody can say how long."""

    why: Message


class DeckRemoved(OfDecks, Told, frozen=True):
    """A deck leaves the table and never comes back. `why`: what was found, or the paragraph that orders it."""

    number: int
    why: Message


class FacesTurned(OfDecks, Told, frozen=True):
    """A player asked for the spread cards face up, or they are turned down again."""

    up: bool


class CardsEmptied(OfDecks, Told, frozen=True):
    """So many cards were counted at the closing."""

    cards: int


class TableShut(OfDecks, Told, frozen=True):
    """Closed for gaming; the decks have gone. `reason`: why the count was not right."""

    cards: int
    reason: Message


class DeviceMarked(OfDecks, Told, frozen=True):
    """The machine is covered, or has a sign, as out of order (653a.13(g)), and other means are used; or it works again.

    `fault`: what the machine had said, "" where only people found it out of order.
    """

    covered: bool
    fault: str


class UnitAccepted(OfDecks, Told, frozen=True):
    """Another shuffler belongs to this table now."""

    unit: str


class DeckMiscounted(OfDecks, Fact, frozen=True):
    """The machine revealed that a deck has not 52 cards: it has to be removed, even if later counts are right
    (653a.5(b)).
    """

    number: int
    cards: int


DecksEvent = (
    DecksReceived
    | DecksDone
    | ShuffleWanted
    | DeckDelivered
    | DeckCut
    | RecutOrdered
    | DecksWanted
    | DeckDue
    | DeckRemoved
    | FacesTurned
    | CardsEmptied
    | TableShut
    | DeviceMarked
    | UnitAccepted
    | DeckMiscounted
)


# The lockout, the sensors, the count ----------------------------------------------------------------------------------


class OfBets:
    """Bets, from open to agreed."""

    __slots__ = ()


class BetsOpened(OfBets, Told, frozen=True):
    """A round begins. `stuck`: sensors covered since before the last lock; a fault until they are seen uncovered.

    A sensor is numbered by its spot: those of all seats for the first wager, then those for the next.
    """

    round: int
    stuck: tuple[int, ...]


class WagerPlaced(OfBets, Fact, frozen=True):
    """A wager with a meter stands, and its lamp may light: its sensor held its covered level for the debounce time
    (653a.2(c)(1)), or its button took it from the seat's account (653a.7(d)(4)).

    `at_ns`: the edge that began it. `amount`: what is wagered, in cents. `chips`: the worth of each chip, as the sensor told
    it; () where it tells none.
    """

    seat: int
    wager: str
    at_ns: int
    amount: int
    chips: tuple[int, ...]


class WagerReturned(OfBets, Fact, frozen=True):
    """Taken back before the lock; or, of an account, too late, not played, or void: the stake is in it again."""

    seat: int
    wager: str
    at_ns: int
    amount: int
    why: StakeBack


class ChipSeen(OfBets, Fact, frozen=True):
    """A chip lies on a sensor and is no wager.

    `why`: bets are open, and it is not recognized until it is lifted or other `chips` lie there: progressive bets are off,
    or it is not the posted wager. Without it the chip is no news: bets are closed, it was called late already, or the sensor
    is dead; `before_lock`: it has lain there since before the last lock.
    """

    seat: int
    wager: str
    before_lock: bool
    why: Message
    chips: tuple[int, ...]


class ChipLifted(OfBets, Fact, frozen=True):
    """A sensor is uncovered; no wager changes by it."""

    seat: int
    wager: str


class LateWager(OfBets, Fact, frozen=True):
    """A chip that came too late, or was not settled at the lock.

    `ms`: the last edge of the chip, less the lock: negative for one that had not settled; None where the lock was
    found at the start, or the machine has restarted since. `covered`: the sensor is known to be covered now.
    """

    seat: int
    wager: str
    ms: int | None
    was_lit: bool
    covered: bool
    chips: tuple[int, ...]


class BetsClosed(OfBets, Fact, frozen=True):
    """No more bets (653a.8(b)). `accepted`: every such wager of the round.

    `accepted` and `readings` name sensors by their spots. `readings`: the evidence, (spot, covered at the lock, for how many
    ms, -1 where unknown) for every sensor.
    `told_ns`: when the screen said that it was touched, where that was too old to be believed; else 0.
    """

    at_ns: int
    source: str
    accepted: tuple[int, ...]
    readings: tuple[tuple[int, bool, int], ...]
    told_ns: int


class BetsReopened(OfBets, Told, frozen=True):
    """The lock was a mistake. `reason`: why a floorperson had bets opened after the count, "" before it."""

    reason: str


class SensorMarked(OfBets, Told, frozen=True):
    """The dealer marked a seat's sensor as dead, or as working again."""

    seat: int
    wager: str
    dead: bool


class ProgressiveMarked(OfBets, Told, frozen=True):
    """A floorperson put the table's progressive out of order, or in order again: sensors, lamps, switch, buttons."""

    works: bool


class WagerMarked(OfBets, Told, frozen=True):
    """The dealer entered, or took back, by hand the wager of a seat whose sensor is dead; or it goes back unplayed, while
    its chip may still lie there, since the decks have to be changed before a round is dealt.

    `amount`: cents of the wager that was entered, 0 where it was taken back.
    """

    seat: int
    wager: str
    amount: int


class SwitchTurned(OfBets, Fact, frozen=True):
    """The lockout switch, or its cut wire."""

    locked: bool


class CountEntered(OfBets, Told, frozen=True):
    """The dealer counted the chips of a wager in front of the table inventory container (653a.8(b)); None: now."""

    wager: str
    chips: int | None
    lamps: int


class DifferenceSettled(OfBets, Told, frozen=True):
    """One seat of a difference, with its reason. `amount`: cents of the wager that it enters by hand, else 0."""

    seat: int
    wager: str
    outcome: DifferenceOutcome
    reason: Message
    amount: int


class CountAgreed(OfBets, Told, frozen=True):
    """Chips and lamps agree; the chips go into the rack."""

    seats: tuple[int, ...]


class PlayerMarked(OfBets, Told, frozen=True):
    """The adjacent positions of one person (653a.7(e), 677a.7(e)); `mark`: of the person, "" if a position is alone
    again.
    """

    seats: tuple[int, ...]
    mark: str


BetsEvent = (
    BetsOpened
    | WagerPlaced
    | WagerReturned
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
    | DifferenceSettled
    | CountAgreed
    | PlayerMarked
)


# The game against the dealer (assist levels 1 and 2; sections .7 to .11) ----------------------------------------------


class OfGame:
    """The game against the dealer."""

    __slots__ = ()


class StakesPlaced(OfGame, Told, frozen=True):
    """The wagers of a seat, (wager, cents); () if nobody plays."""

    seat: int
    stakes: tuple[tuple[str, int], ...]


class RoundDone(OfGame, Told, frozen=True):
    """A part of the round is over for all seats."""

    work: RoundWork


class Decided(OfGame, Told, frozen=True):
    """A player's choice on a street: "check", "play" with its multiple of the ante, "fold", "instant"; an `option`."""

    seat: int
    choice: str
    street: str
    times: int
    option: str
    exchanged: int


class RaiseSized(OfGame, Told, frozen=True):
    """A raise of so many cents, up to the street's multiple of the ante and not a whole one (677a.11(b), (d))."""

    seat: int
    cents: int


class SeatChosen(OfGame, Told, frozen=True):
    """The seat that the next keys are about, in a difference the one where count and lamps differ; 0 for none."""

    seat: int


class SeatAbandoned(OfGame, Told, frozen=True):
    """A player left during the round, all wagers of the seat lose (653a.7(b)); `left` False: the player is back."""

    seat: int
    left: bool


class StreetClosed(OfGame, Told, frozen=True):
    """Everybody was asked; the next community cards are dealt."""

    street: int


class StreetReopened(OfGame, Told, frozen=True):
    """A floorperson has the questions of this street asked again: they were told wrongly."""

    street: int


class ElectionReopened(OfGame, Told, frozen=True):
    """A floorperson withdraws a seat's instant payout, for its hand is neither a royal nor a straight flush: it elects
    again, and every other decision stands (671a.11(b), .12(a)).
    """

    seat: int


class LinesSettled(OfGame, Told, frozen=True):
    """Some wagers of a seat are settled before its turn: a fold, the passes of 671a.11(c) to (e), a void round."""

    seat: int
    lines: tuple[Payment, ...]
    complete: bool


class SuperCalled(OfGame, Told, frozen=True):
    """The row of the Super paytable that a declared hand wins on, or "" (671a.11(b)); seat 0: the dealer's hand.

    `undeclared`: its player did not declare it, in spite of its cards.
    """

    seat: int
    row: str
    undeclared: bool


class DrawTaken(OfGame, Told, frozen=True):
    """A player who paid the options fee got the cards and bets, or folds (671a.11(d))."""

    seat: int
    bets: bool
    times: int


class EntryBegun(OfGame, Told, frozen=True):
    """Cards are entered, one for each place: "seat", "board", "dealer" or "six" (Six Card box)."""

    want: tuple[str, ...]


class FirstCardsEntered(OfGame, Told, frozen=True):
    """The first cards of a declared hand, as its player shows them (671a.11(b), (c)(2), (3))."""

    seat: int
    cards: tuple[str, ...]


class CardsEntered(OfGame, Told, frozen=True):
    """The cards of the board, the dealer, the Six Card box, and of one seat (0: none), as they lie on the table."""

    seat: int
    cards: tuple[str, ...]
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    six_card: tuple[str, ...]


class DealerShown(OfGame, Told, frozen=True):
    """The dealer's hand. `hand` "" where only its qualification was told."""

    hand: str
    qualifies: bool


class HandCalled(OfGame, Told, frozen=True):
    """The words about the hand in turn. `lines`: the payments of its wagers, () while an answer is missing."""

    seat: int
    called: tuple[tuple[str, str], ...]
    lines: tuple[Payment, ...]


class SeatSettled(OfGame, Told, frozen=True):
    """Collected and paid: one seat completely before the next (653a.11(h)(2)). Not `complete`: a part of its turn."""

    seat: int
    lines: tuple[Payment, ...]
    complete: bool


class SettlementCorrected(OfGame, Told, frozen=True):
    """A floorperson had a seat, settled or answered, or a fixed prize settled again; or envy bonuses paid again.

    `wager`: "" for the whole seat, the prize's wager, or "envy". `lines`: what was undone, () where a seat was only
    answered.
    """

    seat: int
    wager: str
    lines: tuple[Payment, ...]
    reason: Correction


class LimitReopened(OfGame, Told, frozen=True):
    """Later payments at another position of this player leave this one another part of the payout limit: these wagers are
    settled again, as the law now pays the same words about the hand (677a.12(f)).
    """

    seat: int
    lines: tuple[Payment, ...]


class PassReopened(OfGame, Told, frozen=True):
    """A floorperson has the first pass called and paid again, this seat's hand first, 0: none of them (671a.11(c)).

    `stands`: of every player what stays settled. `lines`: what was settled of this seat before.
    """

    seat: int
    stands: tuple[tuple[int, tuple[Payment, ...]], ...]
    lines: tuple[Payment, ...]
    reason: Correction


class RevealReopened(OfGame, Told, frozen=True):
    """A floorperson has the dealer's hand entered again, and its wagers settled again (653a.11(g), 671a.11(e), (f)).

    `stands`: the settlements before each player's turn that stay. `lines`: those that are settled again.
    """

    stands: tuple[tuple[int, tuple[Payment, ...]], ...]
    lines: tuple[Payment, ...]


class IrregularityNoted(OfGame, Told, frozen=True):
    """Something irregular that voids nothing: a card left out, a card used as the next one (653a.13(a), (b))."""

    kind: str
    cite: str


class RoundVoided(OfGame, Told, frozen=True):
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


class DeviceFailed(OfGame, Fact, frozen=True):
    """The machine jammed or stopped while bets were open or a round was played: what it had ready is not ready any more.

    `cite`: the paragraph by which the round is void (653a.13(f), 36.05.16.13H, .13I), "" where it is not.
    """

    fault: str
    cite: str


class RoundCleared(OfGame, Told, frozen=True):
    """Every hand is settled and the cards are gone. `lost`: the wagers with a meter that nobody named a prize for.

    `dealt`: a card had left the deck; two decks change places only after such a round (653a.3(b)(3)).
    """

    round: int
    lost: tuple[Payment, ...]
    dealt: bool


GameEvent = (
    StakesPlaced
    | RoundDone
    | Decided
    | RaiseSized
    | SeatChosen
    | SeatAbandoned
    | StreetClosed
    | StreetReopened
    | ElectionReopened
    | LinesSettled
    | SuperCalled
    | DrawTaken
    | EntryBegun
    | CardsEntered
    | DealerShown
    | HandCalled
    | SeatSettled
    | SettlementCorrected
    | LimitReopened
    | PassReopened
    | RevealReopened
    | FirstCardsEntered
    | IrregularityNoted
    | RoundVoided
    | DeviceFailed
    | RoundCleared
)


# Five Card Hand bonus (653a.7(d)(4), .12(e)) --------------------------------------------------------------------------


class OfAccounts:
    """Wagering accounts, and the wagers that are made from them."""

    __slots__ = ()


class AccountMoved(OfAccounts, Told, frozen=True):
    """Chips became credit of a seat's wagering account (simulated; 605a.3), or its whole credit was paid from the rack."""

    seat: int
    move: AccountMove
    amount: int


class ButtonIgnored(OfAccounts, Fact, frozen=True):
    """A wagering button press that had no effect."""

    seat: int
    hand: str
    why: Message


class BonusDrawn(OfAccounts, Fact, frozen=True):
    """Drawn by the machine's cryptographic generator, on disk before anybody sees it. `lucky`: a seat, 0 the dealer."""

    magic_card: str
    lucky: int | None


class AccountCredited(OfAccounts, Told, frozen=True):
    """A Five Card Hand, Magic Card or Lucky Bonus prize (653a.11(l)(3)); `hand`: of the first, what it won on."""

    seat: int
    payment: Payment
    hand: str


class AccountCorrected(OfAccounts, Told, frozen=True):
    """A floorperson took a wrong credit back."""

    seat: int
    payment: Payment
    reason: Correction


AccountsEvent = AccountMoved | ButtonIgnored | BonusDrawn | AccountCredited | AccountCorrected


# Winners --------------------------------------------------------------------------------------------------------------


class OfPrizes:
    """Progressive prizes, claims, envy bonuses."""

    __slots__ = ()


class SettlingBegun(OfPrizes, Told, frozen=True):
    """The dealer asked for the winners."""


class WinnerPicked(OfPrizes, Told, frozen=True):
    """A lit seat is said to have won; 0 takes the pick back."""

    seat: int


class PrizeNamed(OfPrizes, Told, frozen=True):
    """A fixed prize: the hand, and what will be paid by the paytable in force (653a.12(d)(1))."""

    seat: int
    hand: str
    payment: Payment


class ShareNamed(OfPrizes, Told, frozen=True):
    """A share of a meter; it needs the `hand_cards` cards. `backers`: the seats that divide it (653a.12(e)(2))."""

    seat: int
    hand: str
    odds: str
    meter: str
    percent: int
    cite: str
    wager: str
    backers: tuple[int, ...]
    hand_cards: int


class CardTapped(OfPrizes, Told, frozen=True):
    """Card entry. `rank` is a rank whose suit is still to come, or ""; `slot` the place it goes to."""

    cards: tuple[str, ...]
    rank: str
    slot: int


class HandShown(OfPrizes, Told, frozen=True):
    """Five cards were entered and make this hand."""

    seat: int
    cards: tuple[str, ...]


class PrizeTakenBack(OfPrizes, Told, frozen=True):
    """The dealer named the wrong seat or hand; nothing was validated yet. Also a floorperson's "not a winner"."""

    seat: int


class PrizeValidated(OfPrizes, Told, frozen=True):
    """A floorperson validated a fixed prize (653a.11(k)(3))."""

    seat: int


class PrizeElsewhere(OfPrizes, Told, frozen=True):
    """A floorperson has a fixed prize paid not from the table inventory; the cards stay until then (653a.11(k)(4))."""

    seat: int
    payment: Payment


class PrizePaid(OfPrizes, Told, frozen=True):
    """A fixed prize was paid, from where the payment says."""

    seat: int
    payment: Payment


class ClaimMade(OfPrizes, Told, frozen=True):
    """A floorperson validated a share of a meter; the bank is asked to freeze it (653a.12(d)(4)).

    `seq`: the number of the message that makes the claim.
    """

    seat: int
    claim: str
    seq: int


class ClaimPriced(OfPrizes, Fact, frozen=True):
    """The bank froze the amount and took it off the meter: what the law pays with it, to each who backed it."""

    seat: int
    claim: str
    price: Price
    payments: tuple[Payment, ...]


class PriceOffered(OfPrizes, Fact, frozen=True):
    """The bank says another amount than the one that was shown for the claim; None: it says that one again."""

    seat: int
    claim: str
    price: Price | None


class PriceAccepted(OfPrizes, Told, frozen=True):
    """A floorperson signed for the bank's other amount; the person who ends the claim is not `by`."""

    seat: int
    claim: str
    price: Price
    payments: tuple[Payment, ...]


class ClaimPaid(OfPrizes, Told, frozen=True):
    """A second person saw the documents; paid, not from the rack (653a.11(k)(4)). `signed`: both badges.

    `later`: the shares of those whose turn is still to come; they are paid then (653a.12(e)(2), reading 4).
    """

    seat: int
    claim: str
    payments: tuple[Payment, ...]
    signed: tuple[str, ...]
    later: tuple[Payment, ...]


class ClaimRejected(OfPrizes, Told, frozen=True):
    """A second person found that it is not a winner; the bank gives the amount back to the meter.

    Without `by` the bank holds the claim without effect: `signed` are the two who looked at its alarm there.
    """

    seat: int
    claim: str
    signed: tuple[str, ...]


class EnvyOwed(OfPrizes, Told, frozen=True):
    """Envy bonuses to go through, seat by seat from the last down (653a.11(k)(5)), for the `hand` of the holder."""

    holder: int
    payments: tuple[Payment, ...]
    hand: str


class EnvyMarked(OfPrizes, Told, frozen=True):
    """A receiver is the holder's other position, or is not."""

    seat: int
    same_player: bool


class EnvyPaid(OfPrizes, Told, frozen=True):
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
    """The screen, refusals, UNDO."""

    __slots__ = ()


class PanelTurned(OfDesk, Told, frozen=True):
    """The work area shows another panel."""

    panel: Panel


class FloorCalled(OfDesk, Told, frozen=True):
    """The dealer asks for a floorperson, or one has come."""

    on: bool


class Undone(OfDesk, Told, frozen=True):
    """The last press that may still be taken back was a wrong one. Facts that came since stay."""


class StepsFinal(OfDesk, Recorded, frozen=True):
    """A fact means something else than it would have meant without some presses: only the last `left` may be undone."""

    left: int


class PressRefused(OfDesk, Recorded, frozen=True):
    """A press that may not be; nothing else changes. `by`: the badge of who pressed, "" where nobody had signed in.

    `act`: the press waits for another signature, for this act; None where a signature changes nothing.
    """

    word: str
    why: Message
    by: str
    act: Act | None


class PinTried(OfDesk, Recorded, frozen=True):
    """A badge that nobody wears here, a wrong PIN, or one that could not be checked; the PIN itself is never here. Or the
    `right` PIN of a badge that had failed: its failures are over, and its owner is told of them (`why`).

    `failures`: the badge's wrong PINs since its last right one; 0 where nobody wears it. `at`: when it was wrong, seconds
    of UTC; 0 where it was not.
    """

    badge: str
    right: bool
    why: Message
    failures: int
    at: int = 0


class BadgeUnlocked(OfDesk, Told, frozen=True):
    """A manager unlocked a badge that had too many wrong PINs."""

    badge: str


class Complained(OfDesk, Fact, frozen=True):
    """Refused bytes or payloads, counted and rate-limited."""

    place: str
    text: str
    count: int


DeskEvent = PanelTurned | FloorCalled | Undone | StepsFinal | PressRefused | PinTried | BadgeUnlocked | Complained


class OfNeighbors:
    """The shuffler, the link, the sensors' wires, the bank."""

    __slots__ = ()


class ShufflerChanged(OfNeighbors, Fact, frozen=True):
    """The shuffler's whole status, where it differs from the one before."""

    connected: bool
    unit: str
    mode: str
    count: int | None
    deck: str
    fault: str
    alarm: int


class AlarmAcknowledged(OfNeighbors, Told, frozen=True):
    """The dealer saw this alarm of the shuffler."""

    alarm: int


class NeighborChanged(OfNeighbors, Fact, frozen=True):
    """The way to the bank, the wires of all sensors, or room on the journal's disk is there (`up`), or not and why.

    Without room no bets open until there is some for a thousand rounds and more.
    """

    what: Neighbor
    up: bool
    why: Message


class MessageOwed(OfNeighbors, Told, frozen=True):
    """A message that the bank does not hold yet: its canonical text and the hash of that text.

    `fed`: by meter, micro-dollars that the bank puts on it for this; below zero what it takes back. `kind`: what it tells.
    """

    seq: int
    hash: str
    text: str
    fed: Amounts
    kind: str


class OneSigned(OfNeighbors, Told, frozen=True):
    """One of two people signed for paying prizes though the bank was not heard since the start (`Act.UNHEARD`), or for the
    second payment of a `claim` (`Act.OWED`); another person than `by` signs next. `claim`: "" of the first.
    """

    act: Act
    claim: str


class BankHolds(OfNeighbors, Fact, frozen=True):
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


class BankAlarm(OfNeighbors, Fact, frozen=True):
    """The bank's alarm about this table, or "" when it is over. `text`: in its own words, or what this table found."""

    kind: str
    text: Message


class DebtsHeard(OfNeighbors, Fact, frozen=True):
    """The bank's debts to players of this table now, by its word."""

    debts: tuple[Debt, ...]


class VerdictsHeld(OfNeighbors, Fact, frozen=True):
    """The claims of this table on which the bank holds a verdict now, by its word: two people have to look there."""

    claims: tuple[str, ...]


class DebtEnded(OfNeighbors, Told, frozen=True):
    """A second person saw the rest of a claim paid, not from the rack: `owed` cents; or found the player gone, and it stays
    owed by name (not `paid`). `signed`: both badges.
    """

    claim: str
    owed: int
    signed: tuple[str, ...]
    paid: bool


NeighborsEvent = (
    ShufflerChanged
    | AlarmAcknowledged
    | NeighborChanged
    | OneSigned
    | MessageOwed
    | BankHolds
    | BankAlarm
    | DebtsHeard
    | VerdictsHeld
    | DebtEnded
)


Event = ProgramEvent | DecksEvent | BetsEvent | GameEvent | AccountsEvent | PrizesEvent | DeskEvent | NeighborsEvent

EVENTS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""Every kind by the name under which it stands in the journal."""

UPGRADES: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(kind, older version) -> the step to the next version."""
