"""The state of a table: one frozen value, rebuilt from the journal after any power cut.

It is nested by lifetime: the program (`Program`), the decks, one round, the felt (sensors, switch, accounts), the
neighbors (shuffler, link, bank), the desk (the screen), the trail that UNDO goes back along, and the few
things that are never forgotten (`History`). A new round is a new `Round`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import Cents
from firmware.rules.payment import Payment
from firmware.rules.seat import Choice, multiple
from firmware.rules.wager import FIVE_CARD
from firmware.wire.reports import COUNTS_MAX, DifferenceOutcome
from firmware.wire.structs import replace

NO_HASH = "0" * 64
STRANGER = "bank"
"""The place of a complaint about who else speaks to the bank under this table's name."""
LATE_CONTACTS = "contacts"
"""The place of a complaint that contacts were heard late: a fact about the machine; nothing was refused."""
WIRES_NEVER, LINK_NEVER = say("felt.not-heard"), say("link.not-connected")
JUST_STARTED = say("link.just-started")
"""The reasons of wires and link, until the first word about them."""
RECENT_DAYS = 8
"""Dates of closed days that are kept, so that none is closed twice though a clock ran ahead for some of them."""
HANDS = ("own", "dealer")
"""The hands that a Five Card Hand wager can be on."""
FIVE_CARD_ON = dict(zip(HANDS, FIVE_CARD, strict=True))
"""The wager that each of their buttons makes."""
Amounts = tuple[tuple[str, int], ...]
"""By name, in the order of the names; what is nothing is left out."""
HAND_CARDS = 5
"""Cards of a hand, where its book does not say otherwise."""


class Phase(StrEnum):
    """The phase of a round. `firmware.table.phases` says which event leads where."""

    SHUT = "shut"
    """Closed for gaming: no deck at the table."""
    INSPECT = "inspect"
    VERIFY = "verify"
    SPREAD = "spread"
    WASH = "wash"
    SHUFFLE = "shuffle"
    CUT = "cut"
    IDLE = "idle"
    """Open for gaming, nobody plays: the cards lie spread."""
    EMPTY = "empty"
    """Being closed: the cards are counted."""
    CLOSED = "closed"
    """Between two rounds; bets open by themselves when nothing stands in the way."""
    OPEN = "open"
    COUNT = "count"
    DIFFERENCE = "difference"
    DEAL = "deal"
    ASK = "ask"
    SUPERS = "supers"
    """All decisions are locked in; declared hands, instant payouts, folds (671a.11(c))."""
    DRAW = "draw"
    REVEAL = "reveal"
    HAND = "hand"
    """Cards are entered, for one hand or for the board and the dealer."""
    SETTLE = "settle"
    CARDS = "cards"
    VALIDATE = "validate"
    PRICE = "price"
    HOLD = "hold"
    PAY = "pay"
    ENVY = "envy"
    VOID = "void"


BETWEEN = frozenset({Phase.CLOSED, Phase.OPEN, Phase.SHUFFLE})
"""No card is dealt and nothing is unsettled."""
BEFORE_CARDS = frozenset({Phase.OPEN, Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL})
"""The cards are cut, none is dealt (at level 0 nobody says when the deal begins)."""
IN_ROUND = frozenset(
    {
        *(Phase.COUNT, Phase.DIFFERENCE, Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.REVEAL, Phase.HAND),
        *(Phase.SETTLE, Phase.CARDS, Phase.VALIDATE, Phase.PAY),
    }
)
"""Bets are closed and the round can still be void."""
PAYS = frozenset({Phase.VALIDATE, Phase.PAY, Phase.HOLD, Phase.ENVY})
"""The next step pays a prize of a wager with a meter, or leads to its payment."""
DAY_CLOSES = BETWEEN | {Phase.SHUT, Phase.IDLE, Phase.PRICE, Phase.HOLD}
"""A gaming day may be closed: nothing waits for the dealer's next word."""
UNFINISHED = IN_ROUND | {Phase.PRICE, Phase.HOLD, Phase.ENVY, Phase.VOID}
"""Bets were closed and the felt is not cleared."""


# Program ------------------------------------------------------------------------------------------------------------


class Program(Struct, frozen=True):
    """The program that writes this journal, and its rules. `boot`: the machine's boot, whose clock stamps edges."""

    table: str = ""
    journal: str = ""
    boot: str = ""
    book: str = ""
    level: int = 0
    """Assist level: 0 progressive winners, 1 decisions and results, 2 cards."""
    wagers: tuple[str, ...] = ()
    """The wagers with a meter that the table offers, in the order of a seat's turn (653a.11(k), (l), reading 4)."""
    sensed: tuple[str, ...] = ()
    """Those that a chip on a sensor makes: every seat has a sensor for each of them."""
    submission: str = ""
    """Hash of the rules submission that the table was last started with."""
    equipment: str = ""
    """`Equipment.text` of then."""
    live: bool = False
    """Two people have said LIVE: what is played is no test, and its money counts."""
    live_by: str = ""
    """The badge of who signed first for that, "" before; it is over once the table is opened again for a test."""
    meters: Amounts = ()
    """By meter, in micro-dollars: what stands on a test's own, where that was forced or has moved; else its seed."""
    booted: int = 0
    """When the program first started on this boot, seconds of UTC."""

    @property
    def progressive(self) -> bool:
        """The table offers a progressive wager: it has sensors, a lockout and a bank."""
        return bool(self.sensed)


# Decks --------------------------------------------------------------------------------------------------------------


class Deck(Struct, frozen=True):
    """A deck at the table. `number` is never used again; `since`: when it came, seconds of UTC, 0 where unknown."""

    number: int
    color: str
    since: int


class Prepared(StrEnum):
    """How far the deck is prepared. `MACHINE`: a machine had it ready, whole."""

    NOT = ""
    PRESHUFFLED = "preshuffled"
    SHUFFLED = "shuffled"
    CUT = "cut"
    MACHINE = "machine"


class DeckWork(StrEnum):
    """A step of the cards' way to a round, or from one (sections .4 and .5)."""

    INSPECTED = "decks inspected"
    """The dealer found no defect."""
    PREINSPECTED = "decks preinspected"
    """They came preinspected and preshuffled (653a.4(e)): they only have to be cut."""
    REFUSED = "decks refused"
    """A defect was found: the decks that came last go away."""
    VERIFIED = "decks verified"
    """The floorperson verified the inspection."""
    LOOKED = "first player looked"
    """The first player had the opportunity to inspect the spread cards (653a.4(c), .5(f))."""
    STACKED = "cards stacked"
    """Turned face down, washed, stacked."""
    SHUFFLED = "deck shuffled"
    """By hand."""
    IDLE = "table idle"
    """No gaming activity: the cards are spread face down (653a.5(f))."""
    CLOSING = "closing begun"
    """The table is being closed: machine, shoe and rack are emptied and all cards counted."""


class RoundWork(StrEnum):
    """A part of a round that is over for all seats."""

    DEALT = "cards dealt"
    """Players and dealer have their cards."""
    ASKED = "all asked"
    """Every player has folded or wagered: the dealer's hand comes next."""
    LOCKED_IN = "locked in"
    """ "All decisions are locked in" (671a.11(c))."""
    SUPERS_SETTLED = "supers settled"
    """Super wagers, instant payouts and folds are settled (671a.11(c))."""
    DRAWN = "draws done"
    """Nobody is left to draw."""
    NO_CARDS = "no cards entered"
    """No cards after all: back to the seat that is settled."""
    NO_CARDS_OF_DEALER = "no dealer's cards entered"
    """Back to the dealer's hand."""
    NO_DECLARED_CARDS = "no declared cards entered"
    """Back to the declared hands."""
    STUB_COUNTED = "stub counted"
    """The stub says that 52 cards are in the deck (653a.8(g))."""


class Neighbor(StrEnum):
    """A part beside the table that is there or not."""

    LINK = "link"
    SENSORS = "sensors"
    DISK = "disk"


class MachineWork(StrEnum):
    """The shuffler's sign since it last had to shuffle. Only its own word that it began is a sign."""

    NOTHING = ""
    BEGUN = "begun"
    """It was empty, was loading or shuffled: what it has ready next was shuffled since."""
    DONE = "done"
    """And has had a deck ready ever since; that deck was given to no round."""


class Decks(Struct, frozen=True):
    """The cards between opening and closing: which decks are here, what was done to them, how long ago."""

    here: tuple[Deck, ...] = ()
    in_play: int = 0
    """The index of the deck that this round is dealt from; they alternate."""
    played: int = 0
    """Number of the deck that was dealt last."""
    opening: tuple[int, ...] = ()
    """Numbers of the decks that came last and have not been bet on yet."""
    due: Message = NOTHING
    """Why the decks must be changed before the next round."""
    went: Message = NOTHING
    """Why the last decks went, until others come."""
    cards: Prepared = Prepared.NOT
    """The preparation of the deck for this round, or the next. Bets may open before a machine has it ready, no card
    is dealt.
    """
    recut: str = ""
    """Badge of the floorperson who ordered another cut, or another shuffle, before the first card."""
    reshuffle: bool = False
    """The order is a shuffle, not only a cut."""
    since_count: int = 0
    """Rounds since a stub was counted."""
    work: MachineWork = MachineWork.NOTHING
    """The sign of a shuffle that the next round wants of a machine (653a.5(a), .13(e))."""
    miscounted: tuple[tuple[int, int], ...] = ()
    """(deck, cards) that the machine has counted wrongly: these decks leave, even if a later count is right (653a.5(b))."""
    covered: bool = False
    """The machine is covered as out of order; other means are used."""
    covered_for: str = ""
    """The fault that it had said then, "" for none."""
    unit: str = ""
    """The shuffler that belongs to this table."""
    face_up: bool = False
    """Nobody plays, and a player asked to see the faces."""
    emptied: int = 0
    """Cards counted at the closing of the table."""
    counted: bool = False
    """They were counted since the closing began."""

    @property
    def current(self) -> Deck | None:
        """The deck that this round is dealt from; between two rounds, the next one."""
        return self.here[self.in_play] if self.in_play < len(self.here) else None

    @property
    def miscount(self) -> int | None:
        """How many cards the machine counted in the current deck; None where it found nothing wrong."""
        return None if self.current is None else dict(self.miscounted).get(self.current.number)

    @property
    def played_is_here(self) -> bool:
        """The deck of this round was not removed since its bets were closed."""
        return any(deck.number == self.played for deck in self.here)


# The round ----------------------------------------------------------------------------------------------------------


Called = tuple[tuple[str, str], ...]
"""The dealer's answers about the hand in turn: (question, choice), see `firmware.rules.worlds`."""


class PrizeStatus(StrEnum):
    """How far a prize has come."""

    NAMED = "named"
    VALIDATED = "validated"
    CLAIMED = "claimed"
    PENDING = "pending"
    PAID = "paid"
    REJECTED = "rejected"


class Correction(StrEnum):
    """Why a floorperson has something settled again or a credit taken back."""

    WRONG_RESULT = "wrong-result"
    WRONG_AMOUNT = "wrong-amount"
    WRONG_SEAT = "wrong-seat"
    WRONG_CREDIT = "wrong-credit"
    FOULED_DECK = "fouled-deck"


class Reopening(StrEnum):
    """Why a floorperson has bets opened again after the count (653a.7(c))."""

    BY_MISTAKE = "by-mistake"
    TOO_EARLY = "too-early"
    NOT_TAKEN = "not-taken"


class StakeBack(StrEnum):
    """Why a Five Card Hand wager is in its account again."""

    TAKEN_BACK = "taken back"
    LATE = "after the lock"
    NO_ANTE = "no ante"
    DECKS = "decks are changed"
    VOID = "void"


class Decision(Struct, frozen=True):
    """One decision of a position. `times` the ante, or `raised` cents where the amount is free (677a.11(b), (d)).

    `option`: an options fee: "buy", or "exchange" with `exchanged` cards (671a.11(b)(3)). `changed`: the seat had answered
    this street before.
    """

    street: str
    choice: Choice
    times: int = 0
    raised: int = 0
    option: str = ""
    exchanged: int = 0
    changed: bool = False


UNDECIDED = Decision("", Choice.NONE)


class Position(Struct, frozen=True):
    """A betting position in the game against the dealer (assist levels 1 and 2).

    `stakes`: (wager, cents), () where nobody plays. `decisions`: one a street or pass, in their order. `super_row`: the
    row that a declared Super wins on. `lines`: what was settled before the seat's turn; `due`: what is to be collected
    and paid now; `final`: what was. `undone`: what a correction undid and was not settled again; the money is still out.
    """

    stakes: tuple[tuple[str, int], ...] = ()
    decisions: tuple[Decision, ...] = ()
    left: bool = False
    """The player left the table during the round (653a.7(b))."""
    drawn: bool = False
    """An options fee was paid, and its cards are here."""
    elects_again: bool = False
    """Its instant payout was withdrawn: until the first pass is paid nobody else is asked (671a.11(b), (c))."""
    super_row: str = ""
    undeclared: bool = False
    """The dealer said that the player did not declare this hand (671a.11(c)(1)): no card decides that."""
    first: tuple[str, ...] = ()
    """The cards that were dealt first, where they were entered for a declared hand."""
    cards: tuple[str, ...] = ()
    called: Called = ()
    lines: tuple[Payment, ...] = ()
    due: tuple[Payment, ...] = ()
    final: tuple[Payment, ...] = ()
    undone: tuple[Payment, ...] = ()
    settled: bool = False

    @property
    def plays(self) -> bool:
        """Somebody placed the wagers that the game needs."""
        return bool(self.stakes)

    @property
    def decision(self) -> Decision:
        """The last decision."""
        return self.decisions[-1] if self.decisions else UNDECIDED

    @property
    def choice(self) -> Choice:
        """The player's decision so far; a player who left has decided nothing that counts.

        A hand that was verified for the instant payout has it, against any tap (671a.11(b)(2)).
        """
        if self.left:
            return Choice.ABANDONED
        return Choice.INSTANT if self.verified else self.decision.choice

    @property
    def verified(self) -> str:
        """The row of the instant payout that the dealer, or the cards, found; "" for none (671a.11(c)(3))."""
        return dict(self.called).get("instant", "") if self.called else ""

    @property
    def street(self) -> str:
        """On which street the last decision was made."""
        return "" if self.left else self.decision.street

    @property
    def option(self) -> str:
        """The option that was paid for, "" for none."""
        return "" if self.left or self.verified else self.decision.option

    @property
    def times(self) -> int:
        """The multiple of the ante that the last decision wagers, 0 for none."""
        return 0 if self.left or self.verified else self.decision.times

    @property
    def raised(self) -> int:
        """Cents of the last decision, where the amount is free and no multiple was named."""
        return 0 if self.left or self.verified else self.decision.raised

    @property
    def exchanged(self) -> int:
        """How many cards are exchanged for the options fee."""
        return self.decision.exchanged

    @property
    def bought(self) -> bool:
        """A card was bought for the options fee, and comes to the others."""
        return bool(self.option) and not self.exchanged

    @property
    def base(self) -> int:
        """Cents of the wager that every position has, which stands first."""
        return self.stakes[0][1] if self.stakes else 0

    @property
    def waits_for_cards(self) -> bool:
        """An options fee is paid, and its cards are still to be dealt (671a.11(d))."""
        return bool(self.option) and not self.drawn

    @property
    def played(self) -> int:
        """Cents of the deciding wagers; an instant payout leaves none."""
        return 0 if self.verified else sum(self.staked(one) for one in self.decisions)

    def staked(self, decision: Decision) -> int:
        """Cents that a decision wagers."""
        return decision.raised or multiple(Cents(self.base), decision.times)


class Price(Struct, frozen=True):
    """The price that the bank froze for a claim: cents in all, the meter, the ledger (its epoch), the version."""

    amount: int
    meter: str
    epoch: str
    version: int


class Prize(Struct, frozen=True):
    """A prize of a wager with a meter. `payments`: the law's, () until the bank has priced a share.

    `backers`: the seats among which a share is divided; on the dealer's hand all who backed it (653a.12(e)(2)).
    """

    hand: str
    odds: str
    cite: str
    payments: tuple[Payment, ...] = ()
    meter: str = ""
    percent: int = 0
    cards: tuple[str, ...] = ()
    rank: str = ""
    slot: int = 0
    claim: str = ""
    claim_seq: int = 0
    """The number of the message that makes the claim."""
    by: tuple[str, ...] = ()
    status: PrizeStatus = PrizeStatus.NAMED
    wager: str = "progressive"
    """Or five_card_player, five_card_dealer."""
    backers: tuple[int, ...] = ()
    hand_cards: int = HAND_CARDS
    """So many cards the claim of a share needs."""
    price: Price | None = None
    """The price of a share, once the bank has frozen it."""
    offered: Price | None = None
    """The bank's later price, while nobody has signed for it: the amount that was shown stands."""

    @property
    def amount(self) -> int | None:
        """Cents that are paid in all, None until the bank has priced a share."""
        return sum(one.payout for one in self.payments) if self.payments else None

    @property
    def payment(self) -> Payment:
        """The payment of a fixed prize."""
        return self.payments[0]


class Seat(Struct, frozen=True):
    """One betting position in one round: its wagers with a meter, its prizes, its position in the game."""

    meters: Amounts = ()
    """Its wagers with a meter, in the order of its turn: cents of each."""
    late: tuple[tuple[str, int | None], ...] = ()
    """(wager, ms) of each chip that came too late, or was not settled at the lock; the ms as of `LateWager`."""
    same_player: bool = False
    """Another position of the holder of an envy hand (653a.7(e))."""
    player: str = ""
    """The player's mark, in every event about this position; the same at all of one person (653a.7(e)). "" for none."""
    prize: Prize | None = None
    earlier: tuple[Prize, ...] = ()
    """Prizes of this round that are over; a further one was named."""
    position: Position = Position()
    not_winners: tuple[str, ...] = ()
    """Wagers with a meter that a floorperson found to win nothing, with any cards."""
    corrected: bool = False
    """A floorperson had something of this seat settled again, or signed that its turn, or its hand, was another one."""

    def staked(self, wager: str) -> int:
        """Cents of a wager with a meter, 0 where it was not made."""
        return next((amount for name, amount in self.meters if name == wager), 0)

    @property
    def placed(self) -> tuple[str, ...]:
        """Its wagers with a meter, in the order of its turn."""
        return tuple(name for name, _ in self.meters)

    @property
    def wager(self) -> bool:
        """A lamp of it is lit: it has a wager that a sensor saw, or that was entered for one."""
        return any(name not in FIVE_CARD for name, _ in self.meters)

    @property
    def left(self) -> bool:
        """The player left the table during the round."""
        return self.position.left

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """Every prize of the round, the last one named last."""
        return (*self.earlier, self.prize) if self.prize else self.earlier

    @property
    def share_may_be_late(self) -> bool:
        """Its share is claimed though a later turn took from the meter: somebody signed for that (653a.11(h), .12(d)(4))."""
        return self.corrected

    @property
    def share_is_no_evidence(self) -> bool:
        """A payment of the bank, or by its hand, stays paid, but says nothing of the flop to other hands any more."""
        return self.corrected

    @property
    def five_card(self) -> tuple[str, ...]:
        """The hands that this seat's Five Card Hand wagers are on: "own", "dealer"."""
        return tuple(hand for hand, wager in FIVE_CARD_ON.items() if self.staked(wager))


class EnvyHand(Struct, frozen=True):
    """The holder of a hand that brought envy bonuses, and the hand (653a.11(k)(5))."""

    holder: int
    hand: str


class Envied(Struct, frozen=True):
    """Envy bonuses of one hand that were paid: its holder, what was paid, and what all were owed before the marks."""

    holder: int
    paid: tuple[Payment, ...]
    owed: tuple[Payment, ...]


class Entry(Struct, frozen=True):
    """Cards being entered. `want`: the place of each card to come: "seat", "board", "dealer" or "six" (Six Card box)."""

    want: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    rank: str = ""
    slot: int = 0


class Lock(Struct, frozen=True):
    """When bets were closed, on which boot's clock, by what."""

    at_ns: int = 0
    boot: str = ""
    source: str = ""


class Credit(Struct, frozen=True):
    """A credit to an account; `hand`: the hand that was named at once, "" if a prize says it or it was drawn."""

    payment: Payment
    hand: str = ""


class Round(Struct, frozen=True):
    """One deal, from open bets to the next. Between two rounds it is the last one, empty but for stakes carried over.

    `dealer_row`: the row that Supers on the dealer's hand win on, "" for none, None until it was called. `qualifies`:
    None until the dealer's hand is shown; then whether it does. `lucky`: the position drawn, a seat number or 0 for the
    dealer, None where none was drawn. `stub_counted`: 52 cards, this round.
    """

    number: int = 0
    seats: tuple[Seat, ...] = ()
    lock: Lock = Lock()
    counting: str = ""
    """The wager of a sensor whose chips are counted."""
    chips: int = 0
    """Its counted chips that are not yet settled with the lamps."""
    question: int = 0
    """The seat that the dealer tapped in a difference, 0 for none."""
    turn: int = 0
    """The seat whose prize or hand is being settled, 0 for none."""
    street: int = 0
    board: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    six_card: tuple[str, ...] = ()
    dealer_hand: str = ""
    dealer_row: str | None = None
    qualifies: bool | None = None
    entry: Entry = Entry()
    magic_card: str = ""
    lucky: int | None = None
    supers_settled: bool = False
    """The first pass was paid: opened again by a floorperson, it leads to no election (671a.11(c))."""
    envy: tuple[Payment, ...] = ()
    """Envy bonuses that are owed."""
    shares: tuple[Payment, ...] = ()
    """A share on the dealer's hand: the payments to its other backers at their own turns (reading 4)."""
    envied: tuple[Envied, ...] = ()
    """The envy bonuses that were paid, and not taken back."""
    envy_hands: tuple[EnvyHand, ...] = ()
    """The hands that brought envy bonuses."""
    void_cite: str = ""
    void_kind: str = ""
    """The cause of the void round, by the name of the books."""
    void_dealt: bool = False
    """A card had left the deck when the round was void."""
    shoe_empty: bool = False
    """The machine was seen to deal to the last card, or to be emptied after it: it deals no more in this round."""
    device_failed: str = ""
    """The paragraph by which this round is void because its shoe or shuffler failed, "" for none."""
    also_void: tuple[str, ...] | None = None
    """The wagers that the last paragraph returned too, if the round was void before; None if it was void once."""
    fouled: bool = False
    """A card was found that lies twice, is foreign or damaged, when the round could not be void yet."""
    settled_anyway: tuple[str, ...] = ()
    """Wagers that a void round still settles from the cards (653a.13(a), (d))."""
    taken_back: tuple[tuple[int, int], ...] = ()
    """(seat, cents) that players had been paid before the round was void, and that come back from them."""
    stub_counted: bool = False
    positions_open: bool = False
    """A floorperson has the dealer put the positions right after the lock, on the panel of the wagers."""
    left_out: int = 0
    """Cards found face up, in the discard rack."""
    pushed: tuple[tuple[int, str, int, bool], ...] = ()
    """(seat, wager, ns, placed) of every Five Card Hand wager and its return, in order."""
    credits: tuple[Credit, ...] = ()
    """Every credit to a wagering account that stands."""
    sent_wagers: bool = False
    """This round's wagers are in the outbox, or of a test on its own meters: they are more than this round's business."""
    fed: Amounts = ()
    """By meter: micro-dollars of these wagers that the meters got and did not give back."""

    @property
    def envied_by(self) -> dict[int, str]:
        """Holder -> the hand that brought envy bonuses."""
        return {one.holder: one.hand for one in self.envy_hands}

    @property
    def credited(self) -> tuple[Payment, ...]:
        """The payments that were credited to accounts."""
        return tuple(one.payment for one in self.credits)


# Felt, neighbors, desk ------------------------------------------------------------------------------------------------


class Sensor(Struct, frozen=True):
    """The sensor of one seat: what lies on it."""

    covered: bool = False
    before_lock: bool = False
    """Covered since before the last lock: no wager until it was seen uncovered."""
    ignored: bool = False
    """Covered while progressive bets were off: no wager until it was seen uncovered."""
    dead: bool = False
    """The dealer marked the sensor as dead; wagers are entered by hand."""
    chips: tuple[int, ...] = ()
    """Cents of each chip there, 0 of one that cannot be told; () where none lies, or the sensor tells no worth."""


class Felt(Struct, frozen=True):
    """The felt, across rounds: chips on sensors, the switch, the seats' wagering accounts."""

    sensors: tuple[Sensor, ...] = ()
    """Those of all seats for the first of `Program.sensed`, then those for the next: a `spot` counts them from 1."""
    up: bool = False
    why: Message = WIRES_NEVER
    switch_locked: bool = True
    out_of_order: bool = False
    """A floorperson said so of sensors, lamps, switch and buttons: no progressive wager is recognized."""
    accounts: tuple[int, ...] = ()
    """Cents in each seat's wagering account (simulated)."""


class Shuffler(Struct, frozen=True):
    """The shuffler's last word. `alarm` above `acknowledged` is an alarm that nobody has seen."""

    connected: bool = False
    unit: str = ""
    mode: str = "off"
    count: int | None = None
    deck: str = ""
    fault: str = ""
    alarm: int = 0
    acknowledged: int = 0


class Owed(Struct, frozen=True):
    """A message to the bank as it goes over the wire."""

    seq: int
    hash: str
    text: str


class LedgerSeen(Struct, frozen=True):
    """The bank's ledger that the table goes by ("" for none yet), and how far it had come when that was written last.

    `key`: the digits of the key that seals what its bank says.
    """

    epoch: str = ""
    term: int = 0
    rows: int = 0
    head: str = ""
    key: str = ""


SHARES_KEPT = 100
"""Shares that a table remembers having paid, or rejected: more is owed for one soon after an earlier claim of its meter is
rejected, or by order of the regulator.
"""


class SharePaid(Struct, frozen=True):
    """A share of a meter that was claimed here: its claim, wager and hand, and cents paid so far, 0 for a rejected one."""

    claim: str
    wager: str
    hand: str
    paid: int


class Debt(Struct, frozen=True):
    """A claim of this table that was paid too little, because an earlier one of its meter was no winner (docs/mqtt.md).

    `price`: what is to be paid for it in all; `owed`: cents of that which were not paid yet. `gone`: two people found the
    player gone. `by`: who signed first for its payment, "" before.
    """

    claim: str
    price: Price
    owed: int
    gone: bool
    by: str = ""

    @property
    def round(self) -> int:
        """The round in which it was won, by the claim's name: TABLE:ROUND:SEAT:NUMBER."""
        return int(self.claim.split(":")[1])

    @property
    def seat(self) -> int:
        """The seat that won it."""
        return int(self.claim.split(":")[2])


class Untold(Struct, frozen=True):
    """Late chips and differences since the last report to the bank, oldest first; the report waits for the next
    message that is final.

    `late`: (round, seat, wager, ms after the lock, whether its lamp was lit); `differences`: (round, seat, wager, outcome).
    """

    late: tuple[tuple[int, int, str, int | None, bool], ...] = ()
    differences: tuple[tuple[int, int, str, DifferenceOutcome], ...] = ()

    @property
    def told(self) -> Untold:
        """The rest after one message has told as much as fits into it."""
        return Untold(self.late[COUNTS_MAX:], self.differences[COUNTS_MAX:])


class Neighbors(Struct, frozen=True):
    """The neighbors of the table: the shuffler, the way to the bank, the bank, and the debts to it."""

    shuffler: Shuffler = Shuffler()
    link_up: bool = False
    link_why: Message = LINK_NEVER
    heard: bool = False
    """The link was up since the program started: the bank had compared its record with this one."""
    unheard_by: tuple[str, ...] = ()
    """The badges that signed since then for paying prizes before it is: two different ones pay."""
    bank_alarm: str = ""
    bank_alarm_text: Message = NOTHING
    ledger: LedgerSeen = LedgerSeen()
    bank_seq: int = 0
    outbox: tuple[Owed, ...] = ()
    """The last messages owed to the bank, held or not, oldest first; the journal has all of them."""
    debts: tuple[Debt, ...] = ()
    """The bank's debts to players of this table by name, oldest first."""
    shares: tuple[SharePaid, ...] = ()
    """The last shares of meters that this table has paid, or found to be no winners, oldest first: more is owed for no other
    claim.
    """
    held: tuple[str, ...] = ()
    """Claims on which the bank holds a verdict, also where an adoption ended its alarm: they are not over."""
    untold: Untold = Untold()
    disk_short: bool = False
    """The disk has no room beyond what is kept for a thousand rounds."""

    def message(self, seq: int) -> Owed | None:
        """Message `seq`; None where it was never owed, or is older than what is kept here."""
        place = seq - self.outbox[0].seq if self.outbox else -1
        return self.outbox[place] if 0 <= place < len(self.outbox) else None


class PanelKind(StrEnum):
    """The panel that the work area shows instead of the phase's own."""

    NONE = ""
    PROBLEM = "problem"
    TABLE = "table"
    SENSORS = "sensors"
    STAKES = "stakes"
    ACCOUNTS = "accounts"
    RAISE = "raise"
    LEFT = "left"
    REOPEN = "reopen"


class Panel(Struct, frozen=True):
    """A panel, the seat that it is about (0 for none), and what of it: a problem's key, a wager."""

    kind: PanelKind = PanelKind.NONE
    seat: int = 0
    what: str = ""
    signed: str = ""
    """The badge of the first of two signers, "" before; it is gone with the panel."""


NO_PANEL = Panel()


class Desk(Struct, frozen=True):
    """The dealer's desk beside the game: the panel, the last refusal, complaints, a call."""

    panel: Panel = NO_PANEL
    notice: Message = NOTHING
    """Why the last press was refused; the next step clears it."""
    refused: str = ""
    """The badge of who pressed, "" where nobody had signed in."""
    pressed: str = ""
    """The word of that press."""
    failed: str = ""
    """It was no press: this badge, or its PIN, was refused."""
    complaint: str = ""
    """The last refused bytes or payload of this round, for the screen."""
    complaints: int = 0
    stranger: str = ""
    """Another machine that uses this table's name at the bank, as the dealer was told in this round."""
    """All that were refused since the journal began."""
    floor_called: bool = False

    @property
    def unsaid(self) -> Desk:
        """The same without the last refusal."""
        return replace(self, notice=NOTHING, refused="", pressed="", failed="")


WARNS_AT = 3
"""Wrong PINs of a badge since its last right one: from so many on the floor is told."""
LOCKS_AT, LOCKS_WITHIN_S = 10, 3_600
"""So many within so many seconds, and no right one between them, lock a badge."""


class WrongPins(Struct, frozen=True):
    """A badge's wrong PINs since its last right one: how many, when the first and the last (seconds of UTC, 0: unknown).

    `forgiven`: how many there were when a manager unlocked it last; `recent`: when the last ten since then were. No clock is
    asked whether it is locked: a locked badge has no further tries, so that stands where its tenth one stands.
    """

    badge: str
    count: int
    first: int = 0
    last: int = 0
    forgiven: int = 0
    recent: tuple[int, ...] = ()

    @property
    def tries(self) -> int:
        """Since it was unlocked: by them it waits."""
        return self.count - self.forgiven

    @property
    def locked(self) -> bool:
        """No PIN of it is checked until a manager unlocks it."""
        return len(self.recent) == LOCKS_AT and self.recent[-1] - self.recent[0] <= LOCKS_WITHIN_S

    def one_more(self, at: int) -> WrongPins:
        """With another one, at this time."""
        recent = (*self.recent, at)[-LOCKS_AT:]
        return replace(self, count=self.count + 1, first=self.first or at, last=at, recent=recent)

    def unlocked(self) -> WrongPins:
        """As a manager leaves it: the next right PIN still says how many there were."""
        return replace(self, forgiven=self.count, recent=())


class History(Struct, frozen=True):
    """Things that no UNDO takes back. Rounds are numbers, 0 for none."""

    deck_number: int = 0
    """The highest number that a deck ever had."""
    dealt: int = 0
    """The last round in which cards were said to be out: its bets are not opened again (653a.7(c))."""
    counted: int = 0
    """The last round whose lock nobody may call a mistake alone any more: its count agreed, or none was asked for."""
    failures: tuple[WrongPins, ...] = ()
    """The failures of each badge since its last right PIN: a restart forgets none."""

    def failed(self, badge: str) -> WrongPins:
        """The wrong PINs of a badge."""
        return next((one for one in self.failures if one.badge == badge), WrongPins(badge, 0))

    @property
    def warned(self) -> tuple[WrongPins, ...]:
        """Those that the floor is told of."""
        return tuple(one for one in self.failures if one.count >= WARNS_AT)


# Gaming days ----------------------------------------------------------------------------------------------------------


class Tally(Struct, frozen=True):
    """The table in numbers: of one gaming day, or since its journal was made.

    Cleared rounds by wager, in cents: `staked`, and of that `returned` (a push, a void, a stake that a win
    gives back); `paid` on top, from any source, envy bonuses as they are paid. `awards`: by meter, cents of claims
    that were paid; `contributions`: by meter, micro-dollars that the bank was told of, less what it was told to take back.
    """

    rounds: int = 0
    """Cleared, the void ones (`voids`) among them."""
    voids: int = 0
    late: int = 0
    """Chips that were called late."""
    differences: int = 0
    """Seats at which count and lamps differed."""
    bought: int = 0
    """Cents into wagering accounts, and `cashed` out of them."""
    cashed: int = 0
    staked: Amounts = ()
    returned: Amounts = ()
    paid: Amounts = ()
    awards: Amounts = ()
    contributions: Amounts = ()


class Days(Struct, frozen=True):
    """The table's gaming days. `closed`: how many were; `recent`: the last dates; `at`: when the last was closed.

    `total`: since the journal was made; `before`: of that, what the closed days had.
    """

    closed: int = 0
    recent: tuple[str, ...] = ()
    at: int = 0
    total: Tally = Tally()
    before: Tally = Tally()

    @property
    def last(self) -> str:
        """The date of the last one, "" for none."""
        return self.recent[-1] if self.recent else ""


# The whole ------------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """The table before an accepted press, its own trail left out; `facts`: how many of the trail's came before it.

    `silent`: it has told nothing so far that any fact's meaning depends on.
    """

    before: TableState
    facts: int
    silent: bool


class Trail(NamedTuple):
    """The trail of UNDO: the presses that may still be taken back, and every fact since the first of them.

    `final`: the kind of event after which nothing before it is taken back (`firmware.table.finals`), "" for none.
    """

    steps: tuple[Step, ...] = ()
    facts: tuple[object, ...] = ()
    final: str = ""


NO_TRAIL = Trail()


class TableState(Struct, frozen=True):
    """The whole table. Seats are numbered from 1, the dealer's far left."""

    phase: Phase = Phase.CLOSED
    program: Program = Program()
    decks: Decks = Decks()
    round: Round = Round()
    felt: Felt = Felt()
    neighbors: Neighbors = Neighbors()
    desk: Desk = Desk()
    history: History = History()
    days: Days = Days()
    trail: Trail = NO_TRAIL
    taps: int = 0
    """Presses that were accepted since the journal began; no UNDO takes one back."""

    def seat(self, number: int) -> Seat:
        """Seat `number` of this round, from 1."""
        return self.round.seats[number - 1]

    def spot(self, number: int, wager: str) -> int:
        """The number of a seat's sensor for this wager, among all sensors of the table."""
        of = self.program.sensed.index(wager)
        return of * len(self.round.seats) + number

    def at(self, spot: int) -> tuple[int, str]:
        """The seat, and the wager, of a sensor."""
        of, seat = divmod(spot - 1, len(self.round.seats))
        return seat + 1, self.program.sensed[of]

    def spots(self) -> Iterator[tuple[int, int, str, Sensor]]:
        """Every sensor, with its number, its seat and its wager."""
        for spot, sensor in enumerate(self.felt.sensors, start=1):
            yield spot, *self.at(spot), sensor

    def sensor(self, number: int, wager: str = "") -> Sensor:
        """A seat's sensor for this wager, or its first one."""
        return self.felt.sensors[self.spot(number, wager) - 1 if wager else number - 1]

    def sensors(self, number: int) -> tuple[Sensor, ...]:
        """All sensors of a seat."""
        return tuple(self.sensor(number, wager) for wager in self.program.sensed)

    def numbered(self) -> Iterator[tuple[int, Seat]]:
        """Every (number, seat), from the dealer's left."""
        return enumerate(self.round.seats, start=1)

    def with_seat(self, number: int, seat: Seat) -> TableState:
        """The same table with one other seat."""
        seats = self.round.seats
        changed = replace(self.round, seats=(*seats[: number - 1], seat, *seats[number:]))
        return replace(self, round=changed)

    def with_sensor(self, spot: int, sensor: Sensor) -> TableState:
        """The same table with one other sensor."""
        sensors = self.felt.sensors
        return replace(self, felt=replace(self.felt, sensors=(*sensors[: spot - 1], sensor, *sensors[spot:])))

    def with_wager(self, number: int, wager: str, amount: int) -> TableState:
        """The same table with this wager with a meter at a seat, of so many cents; 0: without it."""
        seat = self.seat(number)
        made = {**dict(seat.meters), wager: amount}
        in_turn = tuple((name, made[name]) for name in self.program.wagers if made.get(name))
        return self.with_seat(number, replace(seat, meters=in_turn))

    @property
    def wagers(self) -> tuple[int, ...]:
        """The seats with a lit lamp."""
        return tuple(number for number, seat in self.numbered() if seat.wager)

    def made(self, wager: str) -> tuple[int, ...]:
        """The seats with that wager with a meter."""
        return tuple(number for number, seat in self.numbered() if seat.staked(wager))

    @property
    def seq(self) -> int:
        """The number of the last message owed, 0 before the first."""
        return self.neighbors.outbox[-1].seq if self.neighbors.outbox else 0

    @property
    def owed(self) -> tuple[Owed, ...]:
        """The messages that the bank does not hold, in order, as far back as it is kept here; numbers have no gap."""
        them = self.neighbors
        return them.outbox[max(0, them.bank_seq + 1 - them.outbox[0].seq) :] if them.outbox else ()

    @property
    def deck(self) -> Deck | None:
        """The deck that this round is dealt from; between two rounds, the next one."""
        return self.decks.current

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that play against the dealer."""
        return tuple([number for number, seat in self.numbered() if seat.position.stakes])

    @property
    def in_turn(self) -> bool:
        """Seats are settled against the dealer in their turn (assist levels 1 and 2)."""
        if self.round.void_cite:
            return bool(self.program.level and self.round.settled_anyway)
        return self.round.qualifies is not None

    @property
    def was_dealt(self) -> bool:
        """In this round the dealer has said that cards are out, even if that was taken back since."""
        return self.history.dealt == self.round.number and self.round.number > 0

    @property
    def was_counted(self) -> bool:
        """The count of this round agreed, or none was asked for, even if that was taken back since."""
        return self.history.counted == self.round.number and self.round.number > 0
