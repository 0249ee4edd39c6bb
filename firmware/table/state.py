"""What a table knows: one frozen value, rebuilt from the journal after any power cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from firmware.rules.paytable import Progressive
from firmware.rules.procedure import Procedure
from firmware.rules.submission import Submission
from firmware.table.procedures import Equipment
from firmware.table.records import replace

NO_HASH = "0" * 64


class Phase(StrEnum):
    """Where a round stands. `firmware.table.phases` says which event leads where."""

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
    """Lunar Poker: all decisions are locked in; Super wagers, instant payouts, folds (671a.11(c))."""
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


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one wager: win, lose, push or void. Of `stake`, `returned` goes back; `payout` comes on top (cents)."""

    wager: str
    result: str
    stake: int
    returned: int
    payout: int
    odds: str
    cite: str


Told = tuple[tuple[str, str], ...]
"""What the dealer has answered of the hand whose turn it is: (question, choice), see `firmware.rules.payline.answers`."""


@dataclass(frozen=True, slots=True)
class Box:
    """A betting position in the game against the dealer (assist levels 1 and 2).

    `stakes`: (wager, cents), () where nobody plays. `choice`: "" until the player is asked, "check", "play" (with its
    `times` and `street`), "fold", "abandoned", at Lunar Poker also "instant". `option`: an options fee: "buy", or
    "exchange" with `exchanged` cards, `drawn` when he has them. `super_row`: the row that a declared Super wins on.
    `lines`: what was settled before the seat's turn; `due`: what is to be collected and paid now; `final`: what was.
    """

    stakes: tuple[tuple[str, int], ...] = ()
    choice: str = ""
    street: str = ""
    times: int = 0
    raised: int = 0
    """Cents of a raise that is no whole multiple of the ante (677a.11(b), (d)); 0 where it is `times`."""
    option: str = ""
    exchanged: int = 0
    drawn: bool = False
    super_row: str = ""
    by_lamp: bool = False
    """Only a progressive or Five Card Hand wager said at the lock that somebody plays here."""
    cards: tuple[str, ...] = ()
    told: Told = ()
    lines: tuple[Line, ...] = ()
    due: tuple[Line, ...] = ()
    final: tuple[Line, ...] = ()
    settled: bool = False
    stayed: Box | None = None
    """The position before its player was said to have left, should that be taken back."""

    @property
    def plays(self) -> bool:
        """Somebody placed the wagers that the game needs."""
        return bool(self.stakes)

    @property
    def ante(self) -> int:
        """Cents."""
        return dict(self.stakes).get("ante", 0)

    @property
    def waits_for_cards(self) -> bool:
        """An options fee is paid, and its cards are still to be dealt (671a.11(d))."""
        return bool(self.option) and not self.drawn

    @property
    def played(self) -> int:
        """Cents of the Play, Raise or Bet."""
        return self.raised or self.ante * self.times

    @property
    def stays(self) -> bool:
        """Neither folded nor left, nor paid at once."""
        return self.plays and self.choice not in ("fold", "abandoned", "instant")


@dataclass(frozen=True, slots=True)
class Prize:
    """What a seat's progressive wager has won. `amount` is in cents, None until the bank has priced a share."""

    hand: str
    odds: str
    cite: str
    amount: int | None = None
    meter: str = ""
    percent: int = 0
    cards: tuple[str, ...] = ()
    rank: str = ""
    slot: int = 0
    claim: str = ""
    by: tuple[str, ...] = ()
    status: str = "named"
    """named, validated, claimed, pending, paid or rejected."""
    wager: str = "progressive"
    """Or five_card_player, five_card_dealer."""
    backers: int = 1
    """By how many a share on the dealer's hand is divided."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One betting position and its sensor."""

    covered: bool = False
    before_lock: bool = False
    """Covered since before the last lock: no wager until it was seen uncovered."""
    ignored: bool = False
    """Covered while progressive bets were off: no wager until it was seen uncovered."""
    dead: bool = False
    """The dealer marked the sensor as dead; wagers are entered by hand."""
    wager: bool = False
    late: bool = False
    late_ms: int | None = None
    was_lit: bool = False
    mark: str = ""
    """"same player" (another box of the holder of an envy hand) or "left" (abandoned)."""
    prize: Prize | None = None
    earlier: tuple[Prize, ...] = ()
    """Prizes of this round that are over; a further one was named."""
    own: bool = False
    """A Five Card Hand wager on the seat's own hand; `dealers`: on the dealer's."""
    dealers: bool = False
    box: Box = Box()

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """Every prize of the round, the last one named last."""
        return (*self.earlier, self.prize) if self.prize else self.earlier

    @property
    def five_card(self) -> tuple[str, ...]:
        """The hands that this seat's Five Card Hand wagers are on: "own", "dealer"."""
        return (*(("own",) if self.own else ()), *(("dealer",) if self.dealers else ()))


@dataclass(frozen=True, slots=True)
class Shuffler:
    """The shuffler's last word. `alarm` above `acknowledged` is an alarm that nobody has seen."""

    connected: bool = False
    unit: str = ""
    mode: str = "off"
    count: int | None = None
    deck: str = ""
    fault: str = ""
    alarm: int = 0
    acknowledged: int = 0


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck at the table. `number` is never used again; `since`: when it came, seconds of UTC, 0 where unknown."""

    number: int
    colour: str
    since: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Cards being entered. `want`: the place of each card to come: "seat", "board", "dealer" or "six" (Six Card box)."""

    want: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    rank: str = ""
    slot: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """The round in play beside its seats (assist levels 1 and 2, and the bonus draw). `street`: which questions.

    `dealer_row`: the row that Supers on the dealer's hand win on, "" for none, None until it was told.
    `qualifies`: None until the dealer's hand is shown; then whether it has a pair (ace-king at Lunar Poker) or better.
    `last_settled`: the seat that was settled last, 0 where nothing can be taken back. `lucky`: the position drawn, a
    seat number or 0 for the dealer, None where none was drawn. `stub_counted`: 52 cards, this round.
    """

    street: int = 0
    board: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    six_card: tuple[str, ...] = ()
    dealer_hand: str = ""
    dealer_row: str | None = None
    qualifies: bool | None = None
    entry: Entry = Entry()
    last_settled: int = 0
    magic_card: str = ""
    lucky: int | None = None
    supers_settled: bool = False
    """Lunar Poker's first pass was paid: opened again by a floorperson, it leads to no election (671a.11(c))."""
    envied: tuple[int, int, tuple[tuple[int, int], ...]] | None = None
    """Of the last envy bonuses paid: the holder, the cents that were paid, and all receivers before the marks."""
    taken_back: tuple[tuple[int, int], ...] = ()
    """(seat, cents) that a first pass had paid before the round was void."""
    stub_counted: bool = False
    boxes_open: bool = False
    """A floorperson has the dealer put the positions right after the lock, on the panel of the wagers."""
    was_dealt: bool = False
    """The dealer has said that cards are out: bets are not opened again (653a.7(c)). `was_shown`: the dealer's hand."""
    was_shown: bool = False
    left_out: int = 0
    """Cards found face up, in the discard rack."""
    pushed: tuple[tuple[int, str, int, bool], ...] = ()
    """(seat, hand, ns, placed) of every Five Card Hand wager and its return, in order."""
    credited: tuple[tuple[int, str, int], ...] = ()
    """(seat, wager, cents) of every credit to a wagering account."""


@dataclass(frozen=True, slots=True)
class Before:
    """The table before its last round was cleared, for taking that back."""

    round: int
    seats: tuple[Seat, ...]
    game: Game
    in_play: int
    since_count: int
    cards: str


@dataclass(frozen=True, slots=True)
class Owed:
    """A message to the bank as it goes over the wire."""

    seq: int
    hash: str
    text: str


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table. Seats are numbered from 1, the dealer's far left; `seats[n - 1]` is seat n."""

    table: str = ""
    journal: str = ""
    boot: str = ""
    book: str = "pa-653a"
    level: int = 0
    """Assist level: 0 progressive winners, 1 decisions and results, 2 cards."""
    progressive: bool = True
    """The table offers a progressive wager: it has sensors, a lockout and a bank."""
    submission: str = ""
    """Hash of the rules submission that the table was last started with."""
    equipment: str = ""
    """`Equipment.text` of then, "" where the journal does not say it."""
    phase: Phase = Phase.CLOSED
    round: int = 0
    seats: tuple[Seat, ...] = ()
    lock_at_ns: int = 0
    lock_boot: str = ""
    lock_source: str = ""
    chips: int = 0
    """Counted chips that are not yet settled with the lamps."""
    question: int = 0
    """The seat that the dealer tapped in a difference, 0 for none."""
    turn: int = 0
    """The seat whose prize is being settled, 0 for none."""
    envy: tuple[tuple[int, int], ...] = ()
    void_cite: str = ""
    void_kind: str = ""
    """What voided the round, by the name of the books."""
    still: tuple[str, ...] = ()
    """Wagers that a void round settles from the cards nevertheless (653a.13(a), (d))."""
    decks: tuple[Deck, ...] = ()
    deck_number: int = 0
    """The highest number that a deck ever had."""
    in_play: int = 0
    """Which of the decks this round is dealt from; they alternate."""
    played: int = 0
    """Number of the deck that was dealt last."""
    opening: tuple[int, ...] = ()
    """Numbers of the decks that came last and have not been bet on yet."""
    idled: bool = False
    """The cards lay spread since the last bets: they are washed before the next ones (653a.5(f))."""
    deck_due: str = ""
    """Why the decks must be changed before the next round."""
    cards: str = ""
    """Of the deck for this round, or the next: "" not shuffled, "preshuffled", "shuffled" by hand, "cut", or "machine".

    "machine": it had the deck ready, whole. Bets may open before that, no card is dealt.
    """
    recut: str = ""
    """Badge of the floorperson who ordered another cut, or another shuffle, before the first card."""
    reshuffle: bool = False
    """What was ordered is a shuffle, not only a cut."""
    since_count: int = 0
    """Rounds since a stub was counted."""
    covered: str = ""
    """Why the machine is covered as out of order; other means are used."""
    face_up: bool = False
    """Nobody plays, and a player asked to see the faces."""
    faces_seen: bool = False
    """Somebody has seen the faces since the cards were spread: they are not played before they are washed."""
    emptied: int = 0
    """Cards counted at the closing of the table."""
    counted: bool = False
    """They were counted since the closing began."""
    game: Game = Game()
    accounts: tuple[int, ...] = ()
    """Cents in each seat's wagering account (simulated)."""
    floor_called: bool = False
    panel: str = ""
    """What the work area shows instead of the phase's own: see `decide`."""
    unit: str = ""
    """The shuffler that belongs to this table."""
    notice: str = ""
    """Why the last press was refused; the next step clears it."""
    complaint: str = ""
    """The last refused bytes or payload of this round, for the screen."""
    complaints: int = 0
    """All that were refused since the journal began."""
    switch_locked: bool = True
    shuffler: Shuffler = field(default_factory=Shuffler)
    link_up: bool = False
    link_why: str = "not connected since the start"
    sensors_up: bool = False
    sensors_why: str = "not heard of since the start"
    bank_alarm: str = ""
    bank_alarm_text: str = ""
    bank_epoch: str = ""
    bank_seq: int = 0
    outbox: tuple[Owed, ...] = ()
    """The last messages owed to the bank, held or not, oldest first."""
    sent_wagers: bool = False
    """This round's wagers are in the outbox: they are the bank's business too."""
    before: Before | None = None
    """The last round as it stood when it was cleared, for taking that back; None when that is no longer possible."""

    def seat(self, number: int) -> Seat:
        """Seat `number`, from 1."""
        return self.seats[number - 1]

    def numbered(self) -> Iterator[tuple[int, Seat]]:
        """Every (number, seat), from the dealer's left."""
        return enumerate(self.seats, start=1)

    def with_seat(self, number: int, seat: Seat) -> TableState:
        """The same table with one other seat."""
        return replace(self, seats=(*self.seats[: number - 1], seat, *self.seats[number:]))

    @property
    def wagers(self) -> tuple[int, ...]:
        """The seats whose wager is recognised."""
        return tuple(number for number, seat in self.numbered() if seat.wager)

    @property
    def seq(self) -> int:
        """The number of the last message owed, 0 before the first."""
        return self.outbox[-1].seq if self.outbox else 0

    @property
    def owed(self) -> tuple[Owed, ...]:
        """What the bank does not hold, in order."""
        return tuple(message for message in self.outbox if message.seq > self.bank_seq)

    @property
    def before_clear(self) -> bool:
        """The last round can be taken back."""
        return self.before is not None

    @property
    def deck(self) -> Deck | None:
        """The deck that this round is dealt from; between two rounds, the next one."""
        return self.decks[self.in_play] if self.in_play < len(self.decks) else None

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that play against the dealer."""
        return tuple(number for number, seat in self.numbered() if seat.box.plays)

    @property
    def in_turn(self) -> bool:
        """Seats are settled against the dealer in their turn (assist levels 1 and 2)."""
        return self.game.qualifies is not None or (bool(self.void_cite) and bool(self.still))

    @property
    def locked(self) -> bool:
        """The lock line: no progressive wager may be placed."""
        return self.phase is not Phase.OPEN or not recognises(self)


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a badge. Roles: dealer, floorperson, manager, technician."""

    badge: str
    name: str
    role: str

    @property
    def is_floor(self) -> bool:
        """A floorperson or above (653a.11(k)(3))."""
        return self.role in ("floorperson", "manager")


@dataclass(frozen=True, slots=True)
class Drawing:
    """How often Magic Card and Lucky Bonus are drawn: in one round of so many, 0 never (table.toml; no text says it)."""

    magic_one_in: int = 0
    lucky_one_in: int = 0


@dataclass(frozen=True, slots=True)
class House:
    """What a casino decided: rules submission, equipment, assist level, people. Constant while a program runs."""

    submission: Submission
    procedure: Procedure
    equipment: Equipment
    level: int
    debounce_ns: int
    people: Mapping[str, Person]
    drawing: Drawing = Drawing()

    @property
    def offers_progressive(self) -> bool:
        """The submission has a progressive wager; without one a table has no sensors and no bank."""
        return self.submission.progressive is not None

    @property
    def progressive(self) -> Progressive:
        """The progressive wager of a table that offers it."""
        assert self.submission.progressive is not None, "this table has no progressive wager"
        return self.submission.progressive

    @property
    def seats(self) -> int:
        """The most seats that the book allows."""
        return self.procedure.seats


def lamps(state: TableState) -> dict[int, str]:
    """What every seat's lamp shows: dark, lit, late or fault. A wager stays lit to the end of its round."""
    return {number: _lamp(state, seat) for number, seat in state.numbered()}


def _lamp(state: TableState, seat: Seat) -> str:
    if seat.wager:
        return "lit"
    if seat.late and seat.covered:
        return "late"
    if state.phase is Phase.OPEN and seat.before_lock and not seat.dead:
        return "fault"
    return "dark"


def recognises(state: TableState) -> bool:
    """True where a progressive wager placed now is recognised: the bank can be told and no alarm stands."""
    return state.progressive and state.link_up and state.sensors_up and not state.bank_alarm


def why_off(state: TableState) -> str:
    """Why progressive wagers are not recognised, in words for the dealer; "" where they are."""
    if not state.progressive:
        return "This table has no progressive wager."
    if state.bank_alarm:
        return f"Bank alarm: {state.bank_alarm_text}"
    if not state.sensors_up:
        return f"Sensors lost: {state.sensors_why}"
    if not state.link_up:
        return f"No link to the bank: {state.link_why}"
    return ""
