"""What happened at a table. Each event is a row of the journal and carries its outcome, so replay needs no rulebook.

A kind once written is readable for ever: a class that must change gets the next `VERSION` and a step in `UPGRADES` that
turns the older body into the newer one. Fields are plain (str, int, bool, tuples, such classes), amounts are cents,
`at` is a time of day in seconds of UTC, `by` the badge of whoever signed ("" where nobody had to).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from firmware.table.state import Line


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first event of a journal; `TableShut` follows it, because nobody has brought cards yet."""

    VERSION: ClassVar[int] = 1
    table: str
    journal: str
    seats: int


@dataclass(frozen=True, slots=True)
class Started:
    """The program started on this journal; who writes from here on. Until a device is heard of, it counts as lost."""

    VERSION: ClassVar[int] = 2
    boot: str
    program: str
    submission: str
    book: str
    level: int
    progressive: bool
    equipment: str
    """`Equipment.text`, "" in a journal of before."""


# Opening and closing the table, decks (sections .3 to .5) -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DecksReceived:
    """Decks came to the table, to be inspected (653a.4(a)): (number, back colour). Numbers are never used again."""

    VERSION: ClassVar[int] = 1
    decks: tuple[tuple[int, str], ...]
    at: int


@dataclass(frozen=True, slots=True)
class PreinspectedReceived:
    """Decks came preinspected and preshuffled (653a.4(e)): they only have to be cut."""

    VERSION: ClassVar[int] = 1
    decks: tuple[tuple[int, str], ...]
    at: int


@dataclass(frozen=True, slots=True)
class DecksRefused:
    """A defect was found, or the reception was a wrong tap: the decks that came last go away."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DecksInspected:
    """The dealer found no defect."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DecksVerified:
    """The floorperson verified the inspection."""

    VERSION: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True)
class FirstPlayerLooked:
    """The first player had the opportunity to inspect the spread cards (653a.4(c), .5(f))."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class CardsStacked:
    """Turned face down, washed, stacked."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class ShuffleWanted:
    """No machine shuffles: the dealer has to, before the next round (653a.5(a)). `by`: a floorperson's order, or ""."""

    VERSION: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """Shuffled by hand."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DeckDelivered:
    """Shuffled by the machine; it needs no cut (653a.5(c)(1))."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DeckCut:
    """Cut, ten cards or more (653a.5(d)); also again, as a floorperson ordered."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class CutNotNeeded:
    """A device that reshuffles and counts by itself (653a.5(g))."""

    VERSION: ClassVar[int] = 1
    cite: str


@dataclass(frozen=True, slots=True)
class RecutOrdered:
    """A floorperson requires another cut before any card is dealt (653a.5(e))."""

    VERSION: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True)
class ReshuffleOrdered:
    """Bets are open or locked and no card is dealt: a floorperson directs another shuffle (653a.5(a)); wagers stay.

    Also where the machine was covered before it had shuffled.
    """

    VERSION: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True)
class ClosingTakenBack:
    """The closing was a wrong tap; the decks that came last were not opened yet and are spread for a first player."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class StepTakenBack:
    """The last step of opening, idling or closing was a wrong tap."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DecksWanted:
    """Other decks have to come before the next round. `all`: every deck leaves; else only what is missing is replaced."""

    VERSION: ClassVar[int] = 1
    why: str
    all: bool


@dataclass(frozen=True, slots=True)
class DeckDue:
    """The decks have been in use as long as they may (653a.3(c)), or nobody can say how long."""

    VERSION: ClassVar[int] = 1
    why: str


@dataclass(frozen=True, slots=True)
class DeckRemoved:
    """A deck leaves the table and never comes back."""

    VERSION: ClassVar[int] = 1
    number: int
    why: str
    by: str


@dataclass(frozen=True, slots=True)
class TableIdled:
    """No gaming activity: the cards are spread face down (653a.5(f))."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class FacesTurned:
    """A player asked for the spread cards face up, or they are turned down again."""

    VERSION: ClassVar[int] = 1
    up: bool


@dataclass(frozen=True, slots=True)
class ClosingBegun:
    """The table is being closed: machine, shoe and rack are emptied and all cards counted."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class CardsEmptied:
    """So many cards were counted at the closing."""

    VERSION: ClassVar[int] = 1
    cards: int


@dataclass(frozen=True, slots=True)
class TableShut:
    """Closed for gaming; the decks have gone. `reason`: why the count was not right, or ""."""

    VERSION: ClassVar[int] = 1
    cards: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceCovered:
    """The machine is covered, or has a sign, as out of order (653a.13(g)); other means are used from here on."""

    VERSION: ClassVar[int] = 1
    why: str
    by: str


@dataclass(frozen=True, slots=True)
class DeviceUncovered:
    """The machine works again."""

    VERSION: ClassVar[int] = 1
    by: str


@dataclass(frozen=True, slots=True)
class UnitAccepted:
    """Another shuffler belongs to this table now."""

    VERSION: ClassVar[int] = 1
    unit: str
    by: str


@dataclass(frozen=True, slots=True)
class StubCounted:
    """The stub says that 52 cards are in the deck (653a.8(g))."""

    VERSION: ClassVar[int] = 1


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


# The game against the dealer (assist levels 1 and 2; sections .7 to .11) --------------------------------------------


@dataclass(frozen=True, slots=True)
class BoxPlaced:
    """What a seat wagers, (wager, cents); () where nobody plays."""

    VERSION: ClassVar[int] = 1
    seat: int
    stakes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Players and dealer have their cards."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DealTakenBack:
    """Not dealt yet: a wrong tap."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Decided:
    """A player's choice so far: "check", "play" with its multiple of the ante, "fold", "instant"; Lunar's `option`."""

    VERSION: ClassVar[int] = 1
    seat: int
    choice: str
    street: str
    times: int
    option: str
    exchanged: int


@dataclass(frozen=True, slots=True)
class RaiseSized:
    """A raise of so many cents, up to the street's multiple of the ante and not a whole one (677a.11(b), (d))."""

    VERSION: ClassVar[int] = 1
    seat: int
    cents: int


@dataclass(frozen=True, slots=True)
class SeatChosen:
    """The seat that the next keys are about; 0 for none."""

    VERSION: ClassVar[int] = 1
    seat: int


@dataclass(frozen=True, slots=True)
class SeatAbandoned:
    """A player left during the round, all wagers of the seat lose (653a.7(b)); `left` False: that was wrong."""

    VERSION: ClassVar[int] = 1
    seat: int
    left: bool


@dataclass(frozen=True, slots=True)
class StreetClosed:
    """Everybody was asked; the next community cards are dealt."""

    VERSION: ClassVar[int] = 1
    street: int


@dataclass(frozen=True, slots=True)
class AskingDone:
    """Every player has folded or wagered: the dealer's hand comes next."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class LockedIn:
    """ "All decisions are locked in" (671a.11(c))."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class StreetReopened:
    """The questions of this street are asked again: a wrong tap."""

    VERSION: ClassVar[int] = 1
    street: int


@dataclass(frozen=True, slots=True)
class LinesSettled:
    """Some wagers of a seat are settled before its turn: a fold, Lunar Poker's passes."""

    VERSION: ClassVar[int] = 1
    seat: int
    lines: tuple[Line, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class SuperTold:
    """The row of the Super paytable that a declared hand wins on, or "" (671a.11(b)); seat 0: the dealer's hand."""

    VERSION: ClassVar[int] = 1
    seat: int
    row: str


@dataclass(frozen=True, slots=True)
class SupersSettled:
    """Super wagers, instant payouts and folds are settled (671a.11(c))."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class DrawTaken:
    """A player who paid the options fee got his cards and bets, or folds (671a.11(d))."""

    VERSION: ClassVar[int] = 1
    seat: int
    bets: bool
    times: int


@dataclass(frozen=True, slots=True)
class DrawTakenBack:
    """The last player's answer after his draw was a wrong tap."""

    VERSION: ClassVar[int] = 1
    seat: int


@dataclass(frozen=True, slots=True)
class DrawsDone:
    """Nobody is left to draw."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class EntryBegun:
    """Cards are entered, one for each place: "seat", "board" or "dealer"."""

    VERSION: ClassVar[int] = 1
    want: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryLeft:
    """No cards after all; back to the seat."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class RevealEntryLeft:
    """No cards after all; back to the dealer's hand."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class CardsEntered:
    """The cards of the board, the dealer, the Six Card box, and of one seat (0: none), as they lie on the table."""

    VERSION: ClassVar[int] = 1
    seat: int
    cards: tuple[str, ...]
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    six_card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealerShown:
    """The dealer's hand. `hand` "" where only its qualification was told."""

    VERSION: ClassVar[int] = 1
    hand: str
    qualifies: bool


@dataclass(frozen=True, slots=True)
class DealerTakenBack:
    """The dealer's hand was told wrongly; nobody is settled yet."""

    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class HandTold:
    """What was said of the hand whose turn it is. `lines`: what follows for its wagers, () while something is missing."""

    VERSION: ClassVar[int] = 1
    seat: int
    told: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SeatSettled:
    """Collected and paid: one seat completely before the next (653a.11(h)(2))."""

    VERSION: ClassVar[int] = 1
    seat: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SettledTakenBack:
    """A seat from which wagers were only collected was settled wrongly; they lie before the player again."""

    VERSION: ClassVar[int] = 1
    seat: int


@dataclass(frozen=True, slots=True)
class SettlementCorrected:
    """A floorperson had a settled seat, or its paid prize, settled again; `lines` or `amount` is what was undone."""

    VERSION: ClassVar[int] = 1
    seat: int
    wager: str
    lines: tuple[Line, ...]
    amount: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class IrregularityNoted:
    """Something irregular that voids nothing: a card left out, a card used as the next one (653a.13(a), (b))."""

    VERSION: ClassVar[int] = 1
    kind: str
    cite: str
    by: str


# Five Card Hand bonus (653a.7(d)(4), .12(e)) ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoughtIn:
    """Chips became credit of a seat's wagering account (simulated; 605a.3)."""

    VERSION: ClassVar[int] = 1
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class CashedOut:
    """The whole credit was paid from the rack."""

    VERSION: ClassVar[int] = 1
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class FiveCardPlaced:
    """A Five Card Hand wager, taken from the account. `hand`: "own" or "dealer"."""

    VERSION: ClassVar[int] = 1
    seat: int
    hand: str
    amount: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class FiveCardReturned:
    """Taken back before the lock, too late, or the round is void: the stake is in the account again."""

    VERSION: ClassVar[int] = 1
    seat: int
    hand: str
    amount: int
    why: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class ButtonIgnored:
    """A wagering button was pressed in vain."""

    VERSION: ClassVar[int] = 1
    seat: int
    hand: str
    why: str


@dataclass(frozen=True, slots=True)
class BonusDrawn:
    """Drawn by the machine's cryptographic generator, on disk before anybody sees it. `lucky`: a seat, 0 the dealer."""

    VERSION: ClassVar[int] = 1
    magic_card: str
    lucky: int | None


@dataclass(frozen=True, slots=True)
class AccountCredited:
    """A Five Card Hand, Magic Card or Lucky Bonus prize (653a.11(l)(3))."""

    VERSION: ClassVar[int] = 1
    seat: int
    wager: str
    odds: str
    amount: int
    cite: str


@dataclass(frozen=True, slots=True)
class AccountCorrected:
    """A floorperson took a wrong credit back."""

    VERSION: ClassVar[int] = 1
    seat: int
    wager: str
    amount: int
    by: str
    reason: str


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
    """A fixed prize: hand, odds and money of the paytable in force (653a.12(d)(1)). `wager`: which won."""

    VERSION: ClassVar[int] = 2
    seat: int
    hand: str
    odds: str
    amount: int
    cite: str
    wager: str


@dataclass(frozen=True, slots=True)
class ShareNamed:
    """A share of a meter; it needs the five cards. `backers`: by how many it is divided (653a.12(e)(2))."""

    VERSION: ClassVar[int] = 2
    seat: int
    hand: str
    odds: str
    meter: str
    percent: int
    cite: str
    wager: str
    backers: int


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
    """All hands void, wagers returned (653a.13, 653a.8(h)), but those in `still` that are settled from the cards."""

    VERSION: ClassVar[int] = 2
    round: int
    cite: str
    by: str
    returned: tuple[int, ...]
    kind: str
    still: tuple[str, ...]


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
    """The work area shows another panel: "" (the phase's own), "sensors", "problem", …: see `decide`."""

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
    | DecksReceived
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
    | ReshuffleOrdered
    | ClosingTakenBack
    | StepTakenBack
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
    | BoxPlaced
    | Dealt
    | DealTakenBack
    | Decided
    | RaiseSized
    | SeatChosen
    | SeatAbandoned
    | StreetClosed
    | AskingDone
    | LockedIn
    | StreetReopened
    | LinesSettled
    | SuperTold
    | SupersSettled
    | DrawTaken
    | DrawTakenBack
    | DrawsDone
    | EntryBegun
    | EntryLeft
    | RevealEntryLeft
    | CardsEntered
    | DealerShown
    | DealerTakenBack
    | HandTold
    | SeatSettled
    | SettledTakenBack
    | SettlementCorrected
    | IrregularityNoted
    | BoughtIn
    | CashedOut
    | FiveCardPlaced
    | FiveCardReturned
    | ButtonIgnored
    | BonusDrawn
    | AccountCredited
    | AccountCorrected
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


def _with(**added: object) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda body: {**body, **added}


UPGRADES: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("BetsClosed", 1): _no_readings_yet,
    ("Started", 1): _with(book="pa-653a", level=0, progressive=True, equipment=""),
    ("PrizeNamed", 1): _with(wager="progressive"),
    ("ShareNamed", 1): _with(wager="progressive", backers=1),
    ("RoundVoided", 1): _with(kind="", still=[]),
}
"""(kind, older version) -> the step to the next version."""
