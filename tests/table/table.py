"""A table in a dealer's words: chips on sensors, a switch, a screen, and a bank that does what docs/mqtt.md says.

`Table` is the law (decide, evolve) behind the real `Lines`, without a disk, a broker or a clock: time passes only in
`waits`. What is pressed must be an enabled key of the screen that is shown. Every event goes through the journal's own
encoding, and `check` holds the truths that no round may break.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from firmware.bank.wire import decode_up
from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, as_is
from firmware.rules.money import Cents, dollars
from firmware.rules.payment import Payment
from firmware.rules.paytable import Meter, MeterOffer, Share
from firmware.rules.submission import parse_submission
from firmware.runtime.journal import Vocabulary
from firmware.runtime.lines import Lines
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.house import Drawing, House, Person
from firmware.table.inputs import (
    Anchors,
    BankSaid,
    Chance,
    ClaimAnswer,
    Input,
    LinkSeen,
    NoMoreBets,
    Pressed,
    SensorsSeen,
    ShufflerSeen,
    Started,
    Ticked,
)
from firmware.table.interlock import ObstacleKind, machine_obstacles, obstacles
from firmware.table.outbox import REPORTS
from firmware.table.procedures import Equipment
from firmware.table.projections import heeds_switch, lamps
from firmware.table.state import BEFORE_CARDS, NO_HASH, Phase, TableState
from firmware.wire.structs import replace
from hal.ports import LOCKOUT, Edge, Level, On
from tests import register
from ui.dealer.frame import frame_of
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.pieces import Live
from ui.dealer.screens import screen
from ui.dealer.widgets import Screen, Widget
from ui.words import ENGLISH

MS = 1_000_000
DEBOUNCE_MS, WINDOW_MS = 20, 10
SETTLED_MS = 40
"""Long enough for anything to settle."""
VOCABULARY: Vocabulary[e.Event] = Vocabulary("table", e.EVENTS, e.UPGRADES)
FIRST_EPOCH = "e" * 32
JOURNAL = "a" * 32

DEALER, DIAZ, OKAFOR, TECHNICIAN = "1001", "2001", "3001", "4001"
PEOPLE = {
    DEALER: Person(DEALER, "T. Nguyen", "dealer"),
    DIAZ: Person(DIAZ, "R. Diaz", "floorperson"),
    OKAFOR: Person(OKAFOR, "M. Okafor", "manager"),
    TECHNICIAN: Person(TECHNICIAN, "P. Lind", "technician"),
}
FLOOR = ("floorperson", "manager")

FLOP = "Ah Kh Qh"
HANDS: Mapping[str, str] = {
    "royal flush": "Jh Th",
    "straight flush": "9c 8c | 7c 6c 5c",
    "four of a kind": "7c 7d | 7h 7s Kd",
    "full house": "7c 7d | 7h Ks Kd",
    "flush": "9h 3h",
    "straight": "Js Tc",
    "three of a kind": "As Ad",
    "two pair": "As Kd",
    "pair": "As 2d",
    "high card": "3s 2d",
}
"""Two cards on `FLOP`, or with a flop of their own after the bar."""


def cards_of(hand: str) -> tuple[str, ...]:
    """Five cards that make the hand: his two, then the flop."""
    own, _, flop = HANDS[hand].partition(" | ")
    return tuple(f"{own} {flop or FLOP}".split())


RULES: Mapping[str, Mapping[str, Any]] = {
    "pa-653a": {
        "adjacent_boxes": 2,
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "bad_beat_bonus": {"paytable": "A"},
        "six_card_bonus": {"paytable": "A"},
    },
    "md-36.05.16": {
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "six_card_bonus": {"paytable": "A"},
        "progressive": {"wager": "1.00", "seed": "10000.00", "rate": "21"},
    },
    "pa-671a": {"instant": {"paytable": "A"}, "super_on_others": {}},
    "pa-677a": {"pocket_bonus": {"paytable": "A"}, "trips_plus": {"paytable": "A"}},
}
"""What the four tables of these tests offer, beside an ante of $15; a progressive is added to Pennsylvania's 653a."""
FIVE_CARD = {"wager": "1.00", "magic_card": True, "lucky_bonus": True}
NOON = 1_800_000_000
"""Seconds of UTC at which a table's clock starts."""


@lru_cache
def house_of(
    paytable: str = "A",
    wager: str = "1.00",
    book: str = "pa-653a",
    level: int = 0,
    equipment: Equipment = Equipment(),  # noqa: B008 (frozen)
    five_card: bool = False,
) -> House:
    """A house of a book; `five_card`: with the Five Card Hand bonus, drawn in every round."""
    rules: dict[str, Any] = {"book": book, "table_minimum": "15.00", **RULES[book]}
    if book == "pa-653a":
        rules["progressive"] = {"paytable": paytable, "wager": wager}
    if five_card:
        rules["five_card_hand"] = FIVE_CARD
    submission = parse_submission(rules)
    return House(submission, submission.book.procedure, equipment, level, DEBOUNCE_MS * MS, PEOPLE, Drawing(1, 1))


# What is the same for every test ------------------------------------------------------------------------------------

Thing = TypeVar("Thing")


class Same(Generic[Thing]):
    """A thing as a key: this very one. Only what is never changed may stand here, and to compare two tables takes long."""

    __slots__ = ("it",)

    def __init__(self, it: Thing) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.it is self.it


class Written(NamedTuple):
    """An event in the journal: as it was decided, as rounds are told here, its row, and the table after it."""

    event: e.Event
    untimed: e.Event
    row: tuple[str, int, str]
    after: TableState


WALKED = 8_192
"""So many steps and screens are remembered: most tests come to their phase by a walk that another test has made."""


def forget() -> None:
    """Nothing is remembered: the law is another one now (a mistake was planted, or taken out)."""
    for remembered in (step_of, written, screen_of, pressable_of):
        remembered.cache_clear()


BEFORE_ANYTHING = TableState()


@lru_cache(WALKED)
def step_of(house: Same[House], before: Same[TableState], given: Input) -> tuple[Written, ...]:
    """What follows an input: decided, written and checked once, however many tests come this way."""
    step: list[Written] = []
    for event, after in decide(house.it, before.it, given).rows:
        step.append(Written(event, untimed(event), VOCABULARY.encode(event), after))
    check(house.it, before.it, given, tuple(one.event for one in step), step[-1].after if step else before.it)
    return tuple(step)


@lru_cache(WALKED)
def written(before: Same[TableState], event: e.Event) -> Written:
    """An event goes into the journal."""
    return Written(event, untimed(event), VOCABULARY.encode(event), evolve(before.it, event))


@lru_cache(WALKED)
def screen_of(house: Same[House], state: Same[TableState], by: str) -> Screen:
    """What is shown to a badge whose PIN was right, or to nobody."""
    live = Live(by=by, name=PEOPLE[by].name if by else "", badge=by)
    return screen(house.it, state.it, live, frame_of(SEVEN_INCH))


@lru_cache(WALKED)
def pressable_of(house: Same[House], state: Same[TableState], by: str) -> Mapping[str, Widget]:
    """The keys of that screen, by their words."""
    shown = screen_of(house, state, by)
    return MappingProxyType({one.press: one for one in shown.widgets if one.press and one.enabled})


@dataclass(frozen=True)
class Message:
    """One message owed to the bank."""

    seq: int
    kind: str
    body: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.kind} {self.made or ''}{self.body.get('claim', '')}".strip()

    @property
    def made(self) -> dict[str, list[int]]:
        """The seats that made each wager, by its name."""
        return {one["name"]: one["seats"] for one in self.body.get("made", ())}


def born(seats: int, *, live: bool = True) -> tuple[e.Event, ...]:
    """The first rows of a journal; `live`: two people have said so at once, and nothing is a test."""
    made = (e.TableOpened("uth-04", JOURNAL, seats), e.TableShut(0, NOTHING))
    return (*made, e.TableLive((DIAZ, OKAFOR), at=NOON, by=OKAFOR)) if live else made


class Table:
    """One table with `paytable` and `wager`, `seats` positions, everything shut until it `opens`."""

    def __init__(
        self, paytable: str = "A", wager: str = "1.00", seats: int = 6, house: House | None = None, *, live: bool = True
    ) -> None:
        self.house = house or house_of(paytable, wager)
        seats = min(seats, self.house.seats)
        spots = seats * len(self.house.submission.on_sensor)
        self.state = BEFORE_ANYTHING
        self.journal: list[tuple[str, int, str]] = []
        self.happened: list[e.Event] = []
        self.recorded: list[e.Event] = []
        self.states: list[TableState] = [self.state]
        self.now = 1_000_000
        self.chips: dict[int, On] = dict.fromkeys(range(1, max(seats, spots) + 1), False)
        self.switch_on = True
        self.boots = 0
        self.sensors_count = spots
        self.lines = Lines(self.sensors_count, DEBOUNCE_MS * MS, WINDOW_MS * MS)
        self.shuffler = ShufflerSeen(True, "S-1", "ready", 52, "blue", "", 0)
        self.works_by_itself = True
        """The machine shuffles, and hands put the cards in, as they should; else it only says what it is told to."""
        self.chance = Chance()
        self.bank = Bank(self)
        self.watching = True
        for event in born(seats, live=live):
            self._write([written(Same(self.state), event)])
        self._start()

    @classmethod
    def again(cls, other: Table) -> Table:
        """Another program on a copy of that journal, before the same felt: what happens there stays there."""
        table = cls(seats=len(other.chips), house=other.house)
        table.journal, table.happened = list(other.journal), list(other.happened)
        table.recorded, table.states = list(other.recorded), list(other.states)
        table.chips, table.switch_on, table.now = dict(other.chips), other.switch_on, other.now
        table._start()
        return table

    # What happens at the table ---------------------------------------------------------------------------------------

    def opens(self) -> Table:
        """Everything is healthy, preinspected decks came and are cut: bets open."""
        self.restored()
        self.waits(SETTLED_MS)
        if self.state.phase is Phase.SHUT:
            self.press("preinspected")
            self.press("cut")
        assert self.state.phase is Phase.OPEN, obstacles(self.house, self.state)
        self.waits(1_100)  # the start's rule: no uncovering counts before a second of calm
        return self

    @property
    def clock(self) -> int:
        """The time of day, seconds of UTC."""
        return NOON + self.now // 1000

    def press(self, word: str, by: str = "") -> None:
        """A key, whatever the screen shows. Before it the hands have done at the machine what goes with it."""
        pressed = Pressed(word, by, self.clock)
        if self.works_by_itself and word in ("clear", "shuffled", "recut"):
            self._puts_the_cards_in(decide(self.house, self.state, pressed).events)
        events = self.hears(pressed)
        if not any(isinstance(one, e.PressRefused) for one in events):
            self.does_as_told()

    def _puts_the_cards_in(self, events: tuple[e.Event, ...]) -> None:
        """The played deck, or one that is to be shuffled, goes into a machine in order, and comes out of it ready."""
        stale = any(isinstance(one, e.PressRefused) and one.why.id == "obstacle.both" for one in events)
        ends = any(isinstance(one, e.RoundCleared) for one in events)
        if (stale or ends) and self.is_ready:
            self._shuffles_again()

    @property
    def is_ready(self) -> bool:
        """The machine is in order, and a whole deck lies in it."""
        told = self.shuffler
        whole = told.count == 52 or not self.house.equipment.counts
        return told.connected and told.mode == "ready" and not told.fault and whole

    def ticks(self) -> None:
        """The loop tells the time of day."""
        self.hears(Ticked(self.clock))

    def restored(self) -> None:
        """Link, sensors and shuffler are there; the bank has spoken."""
        if self.house.offers_progressive:
            self.hears(LinkSeen(True, NOTHING))
            self.sensors(True)
        self.hears(self.shuffler)

    def seats(self, *numbers: int) -> Seats:
        return Seats(self, numbers)

    def turns_switch(self, *, locked: bool, bounces: Iterable[int] = (), ms: int = SETTLED_MS) -> None:
        """Turn the lockout switch (or cut its wire): an edge, and one more after each of `bounces` (ms)."""
        self.switch_on = not locked
        self.lines.feed(Edge(LOCKOUT, not locked, self.now * MS))
        for pause in bounces:
            self.switch_on = not self.switch_on
            self.waits(pause)
            self.lines.feed(Edge(LOCKOUT, self.switch_on, self.now * MS))
        self.waits(ms)

    def sensors(self, up: bool, why: str = "unplugged") -> None:
        """The wires of all sensors are lost, or found: then every line is read."""
        if up:
            self._watch()
        self.watching = up
        self.hears(SensorsSeen(up, NOTHING if up else as_is(why)))

    def link(self, up: bool, why: str = "the bank is silent") -> None:
        self.hears(LinkSeen(up, NOTHING if up else as_is(why)))

    def shuffles(self, **changes: Any) -> None:
        """The shuffler says something else than before; a machine that gets ready has shuffled before it says so."""
        before, after = self.shuffler, replace(self.shuffler, **changes)
        again = before.mode not in ("ready", "shuffling") or (before.deck, before.unit) != (after.deck, after.unit)
        self_made = self.works_by_itself and not self.state.decks.covered
        if self_made and again and after.connected and after.mode == "ready" and not after.fault:
            self.says(**{**changes, "mode": "shuffling", "count": None})
        self.shuffler = after
        self.hears(after)
        self.does_as_told()

    def does_as_told(self) -> None:
        """The screen asks for a shuffle: hands put the deck in."""
        if self.works_by_itself and self.is_ready and self._waits_for_a_shuffle():
            self._shuffles_again()

    def _waits_for_a_shuffle(self) -> bool:
        waits = self.state.phase in BEFORE_CARDS | {Phase.CLOSED, Phase.SHUFFLE} and self.house.equipment.machine
        found = machine_obstacles(self.house, self.state) if waits and not self.state.decks.covered else ()
        return any(one.kind is ObstacleKind.STALE for one in found)

    def _shuffles_again(self) -> None:
        count = self.shuffler.count
        self.says(mode="shuffling", count=None)
        self.says(mode="ready", count=count)

    def says(self, **changes: Any) -> None:
        """The shuffler says this, and nothing in between."""
        self.shuffler = replace(self.shuffler, **changes)
        self.hears(self.shuffler)

    def loses_power(self) -> None:
        """Only the journal is left, and what lies on the felt. The program starts, and knows no neighbor yet."""
        self._start()

    def comes_back(self) -> None:
        """Every neighbor is there again, and a second has passed in which nothing moved."""
        self.restored()
        self.does_as_told()
        self.waits(1_100)

    def restarts(self) -> None:
        """The power goes and comes."""
        self.loses_power()
        self.waits(3_000)
        self.comes_back()

    def waits(self, ms: int) -> None:
        """Time passes; the loop wakes at its own deadlines, and never for nothing."""
        until, idle = self.now + ms, 0
        while (deadline := self.lines.next_deadline()) is not None and deadline <= until * MS:
            before, self.now = self.now, max(self.now, -(-deadline // MS))
            idle = idle + 1 if self.now == before else 0
            assert idle < 4, f"the loop spins: {deadline} is over at {self.now} ms"
            self._turn()
        self.now = until
        self._turn()

    def hears(self, given: Input) -> tuple[e.Event, ...]:
        """One input, and all that follows."""
        step = step_of(Same(self.house), Same(self.state), given)
        events = tuple(one.event for one in step)
        self._write(step)
        if isinstance(given, Pressed) and not any(isinstance(one, e.PressRefused) for one in events):
            register.played(self.house.submission.book.name)
        return events

    # What one sees ------------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        return str(self.state.phase)

    @property
    def notice(self) -> str:
        """Why the last press was refused, in English."""
        return ENGLISH(self.state.desk.notice)

    @property
    def panel(self) -> str:
        """What the work area shows instead of the phase: `problem correct`, `stakes 3 trips`, "" for nothing."""
        panel = self.state.desk.panel
        return " ".join(str(part) for part in (panel.kind, panel.seat, panel.what) if part)

    @property
    def undo_is_lit(self) -> bool:
        return bool(self.state.trail.steps)

    @property
    def final(self) -> str:
        """Why UNDO is dark, by the name of its row in the table of what is final; "" while it is lit."""
        return "" if self.undo_is_lit else self.state.trail.final

    @property
    def lamps(self) -> str:
        """`lit dark dark late dark dark`."""
        return " ".join(lamps(self.state).values())

    @property
    def lit(self) -> tuple[int, ...]:
        return tuple(seat for seat, lamp in lamps(self.state).items() if lamp == "lit")

    @property
    def told(self) -> list[Message]:
        """Every message since the journal began, held or not."""
        return [message_of(owed.text) for owed in self.state.neighbors.outbox]

    @property
    def owed(self) -> list[Message]:
        """Of these all that a meter moves by, or is held by."""
        return [message for message in self.told if message.kind not in REPORTS]

    def screen(self, by: str = "") -> Screen:
        return screen_of(Same(self.house), Same(self.state), by)

    def pressable(self, by: str = "") -> Mapping[str, Widget]:
        """What can be pressed now, by its word."""
        return pressable_of(Same(self.house), Same(self.state), by)

    def offers(self, word: str, by: str = "") -> bool:
        """The screen has this key."""
        return word in self.pressable(by)

    def words(self, by: str = "") -> str:
        """All that the screen says."""
        return "\n".join(line.text for widget in self.screen(by).widgets for line in widget.lines)

    def last(self, kind: type[e.Event]) -> Any:
        """The last event of a kind."""
        return next(event for event in reversed(self.happened) if isinstance(event, kind))

    def history(self) -> list[tuple[TableState, e.Event]]:
        """Every event, with its press, and the table that it happened to."""
        return list(zip(self.states, self.recorded, strict=False))

    def standing(self) -> list[tuple[TableState, e.Event]]:
        """The same without the presses that were taken back."""
        undone, presses = set(), [0]
        for event in self.recorded:
            if isinstance(event, e.Undone):
                undone.add(presses.pop())
            elif event.tap and event.tap != presses[-1]:
                presses.append(event.tap)
        return [(before, event) for before, event in self.history() if event.tap not in undone]

    def replayed(self) -> TableState:
        """The state that the journal alone gives."""
        return reduce(evolve, (VOCABULARY.decode(*row) for row in self.journal), TableState())

    # The loop --------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self.boots += 1
        self.state = self.replayed()
        self.lines = Lines(self.sensors_count, DEBOUNCE_MS * MS, WINDOW_MS * MS)
        self.watching = False
        self.hears(Started(f"boot-{self.boots}", "program", "submission", self.clock))

    def _watch(self) -> None:
        self.lines.start(self.now * MS, self.state.felt.sensors)
        for line, on in ((LOCKOUT, self.switch_on), *self.chips.items()):
            self.lines.feed(Level(line, on, self.now * MS))

    def _turn(self) -> None:
        betting, heeds = self.state.phase is Phase.OPEN, heeds_switch(self.state)
        for fact in self.lines.facts(self.now * MS, betting=betting, heeds_switch=heeds):
            self.hears(replace(fact, chance=self.chance) if isinstance(fact, NoMoreBets) else fact)

    def _write(self, step: Iterable[Written]) -> None:
        for one in step:
            self.journal.append(one.row)
            self.happened.append(one.untimed)
            self.recorded.append(one.event)
            self.state = one.after
            self.states.append(self.state)


@dataclass(frozen=True)
class Seats:
    """Some seats of a table, from the players' side."""

    table: Table
    numbers: tuple[int, ...]

    def place(self, ms: int = SETTLED_MS, chips: tuple[int, ...] = ()) -> None:
        """A chip on each sensor, which then lies there for `ms`; of a sensor that tells worths, these chips and no other."""
        self._move(chips or True, ms)

    def lift(self, ms: int = SETTLED_MS) -> None:
        self._move(False, ms)

    def _move(self, covered: On, ms: int) -> None:
        for number in self.numbers:
            if self.table.chips[number] != covered:
                self.table.chips[number] = covered
                if self.table.watching:
                    self.table.lines.feed(Edge(number, covered, self.table.now * MS))
        self.table.waits(ms)


class Dealer:
    """Hands and eyes at the screen: presses what is there, or fails."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def presses(self, *words: str, by: str = "") -> None:
        """One key after the other, each on the screen that is then shown. `by`: the badge whose PIN was right there."""
        for word in words:
            keys = self.table.pressable(by)
            assert word in keys, f"no key {word!r} on {self.table.screen(by).name}: {sorted(keys)}; {self.table.notice}"
            if word == "no-more-bets":
                self.table.lines.lock(self.table.now * MS, "screen")
                self.table.waits(SETTLED_MS)
            else:
                self.table.press(word, by)

    def sees_no(self, *words: str, by: str = "") -> None:
        """These cannot be pressed now."""
        keys = self.table.pressable(by)
        assert not [word for word in words if word in keys]

    def enters(self, cards: Iterable[str]) -> None:
        """Two taps a card."""
        for card in cards:
            self.presses(f"rank {card[0]}", f"suit {card[1]}")

    def deals(self, *seats: int) -> None:
        """From open bets to the deal: chips, lock, count."""
        self.table.seats(*seats).place()
        self.presses("no-more-bets", *([f"count {len(seats)}"] if seats else []))
        self.table.seats(*seats).lift()

    def names(self, seat: int, hand: str) -> None:
        self.presses(f"seat {seat}", f"hand {hand}")

    def claims(self, seat: int, hand: str, floor: str = DIAZ) -> None:
        """A share of a meter, up to the floorperson's approval."""
        self.names(seat, hand)
        self.enters(cards_of(hand))
        self.presses("show")
        self.presses("approve", by=floor)


def untimed(event: e.Event) -> e.Event:
    """An event without the number and the time of its press, as rounds are told here."""
    return replace(event, tap=0, at=0) if isinstance(event, e.Told) else replace(event, tap=0)


def message_of(text: str) -> Message:
    document = json.loads(text)
    return Message(document["seq"], document["kind"], document["body"])


class Bank:
    """An honest bank of one table, written apart from the product: holds what follows, prices what is claimed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.epoch = FIRST_EPOCH
        self.held: list[str] = []
        self.meters = {name: meter.seed for name, meter in table.house.submission.meters.items()}
        self.claims: dict[str, ClaimAnswer] = {}
        self.prices: set[tuple[str, str, str, str]] = set()
        """Claim, dollars, meter and epoch of every price that was ever given, also by a ledger that was lost."""
        self.reseeds: dict[str, tuple[int, str]] = {}
        """What the meter of a claim started again with, and from which reserve."""
        self.rounds: dict[int, dict[str, list[int]]] = {}
        """Round -> wager -> seats."""
        self.reversed: set[int] = set()
        self.paid: list[tuple[int, dict[str, Any]]] = []
        """(round, line) of what was paid beside shares of a meter, and stands."""

    def listens(self) -> None:
        """All that is owed arrives, and the bank says what it holds."""
        self.listens_in_silence()
        self.speaks()

    def listens_in_silence(self) -> None:
        """All that is owed arrives; the answer is lost."""
        for owed in self._table.state.owed:
            if owed.seq > len(self.held):
                self._hold(owed.text)

    def speaks(self) -> None:
        self._table.hears(self.said())

    def said(self, **changes: Any) -> BankSaid:
        digest = hashlib.sha256(self.held[-1].encode()).hexdigest() if self.held else NO_HASH
        journal = JOURNAL if self.held else ""
        before = () if self.epoch == FIRST_EPOCH else (FIRST_EPOCH,)
        held, claims = len(self.held), tuple(self.claims.values())
        about = (self._table.state.program.journal, 0, NO_HASH)
        said = BankSaid(self.epoch, journal, held, digest, claims, anchors=Anchors(before=before), about=about)
        return replace(said, **changes)

    def copied_to(self, table: Table) -> Bank:
        """The same bank, for a copy of its table."""
        bank = Bank(table)
        bank.epoch, bank.prices = self.epoch, set(self.prices)
        for text in self.held:
            bank._hold(text)
        return bank

    def goes_back(self, seq: int) -> None:
        """Restored from a backup that held `seq` messages: it says so by its epoch, and by the one it had before."""
        kept, prices = self.held[:seq], self.prices
        self.__init__(self._table)  # type: ignore[misc]
        self.prices = prices
        self.epoch = "f" * 32
        for text in kept:
            self._hold(text)

    def _hold(self, text: str) -> None:
        document = json.loads(text)
        before = hashlib.sha256(self.held[-1].encode()).hexdigest() if self.held else NO_HASH
        assert text == json.dumps(document, sort_keys=True, separators=(",", ":")), "not canonical"
        assert document["seq"] == len(self.held) + 1 and document["prev"] == before, "does not follow"
        assert document["table"] == "uth-04" and document["journal"] == JOURNAL
        decode_up("uth-04", text.encode(), "2027-01-15T12:00:00Z")  # the product's own bank can read it
        self.held.append(text)
        _EFFECTS[document["kind"]](self, document["body"])

    def _wagers(self, body: dict[str, Any]) -> None:
        last = max(self.rounds, default=0)
        again = body["round"] == last and last in self.reversed  # its bets were opened again
        assert again or body["round"] > last, "what stands of a round comes once, and rounds rise"
        offers = self._table.house.submission.offers
        if again:
            self.reversed.discard(last)
            for name, seats in self.rounds[last].items():
                self._fed(offers[name].meters, -len(seats))
        self.rounds[body["round"]] = {one["name"]: one["seats"] for one in body["made"]}
        for one in body["made"]:
            offer = offers[one["name"]]
            assert one["wager"] == dollars(offer.wager) and one["paytable"] == offer.paytable
            assert one["seats"] == sorted(set(one["seats"])) and len(one["amounts"]) == len(one["seats"])
            self._fed(offer.meters, len(one["seats"]))

    def _fed(self, meters: Mapping[str, Meter], wagers: int) -> None:
        for name, meter in meters.items():
            self.meters[name] += meter.contribution * wagers  # type: ignore[assignment]

    def _reversal(self, body: dict[str, Any]) -> None:
        assert body["round"] in self.rounds and body["round"] not in self.reversed, "a reversal of nothing, or twice"
        self.reversed.add(body["round"])

    def _claim(self, body: dict[str, Any]) -> None:
        wager, backers = body["wager"], body["backers"]
        assert backers == 1 or wager == "five_card_dealer", "only the dealer's hand is divided"
        assert body["seat"] in self.rounds[body["round"]][wager] and body["round"] not in self.reversed
        assert self._table.house.game.name_of(tuple(body["cards"])) == body["hand"] and body["claim"] not in self.claims
        assert PEOPLE[body["floor"]].role in FLOOR
        offer = self._table.house.submission.offers[wager]
        share = offer.prizes[HandName(body["hand"])]
        assert isinstance(share, Share)
        stands = self.meters[share.meter]
        amount = stands * share.percent // 100 // 10_000 // backers * backers
        reseed = self._reseed(offer, share)
        self.meters[share.meter] = stands - amount * 10_000 + reseed
        self.reseeds[body["claim"]] = (reseed, offer.meters[share.meter].reserve)
        self.prices.add((body["claim"], dollars(Cents(amount)), share.meter, self.epoch))
        self.claims[body["claim"]] = ClaimAnswer(body["claim"], "pending", Cents(amount), share.meter, len(self.held))

    def _reseed(self, offer: MeterOffer, share: Share) -> int:
        """What a meter starts again with when the whole of it is won: its seed, or the Five Card Hand's reserve."""
        if share.percent < 100:
            return 0
        if not offer.meters[share.meter].reserve:
            return offer.meters[share.meter].seed
        reserve = offer.meters[share.meter].reserve
        saved, self.meters[reserve] = self.meters[reserve], 0  # type: ignore[assignment]
        return saved

    def _verdict(self, body: dict[str, Any]) -> None:
        claim = self.claims[body["claim"]]
        assert claim.status == "pending" and len(set(body["by"])) == 2
        price = (body["claim"], body["amount"], body["meter"], body["epoch"])
        assert price in self.prices, "what was frozen"
        assert all(PEOPLE[badge].role in FLOOR for badge in body["by"])
        self.claims[body["claim"]] = replace(claim, status="paid" if body["paid"] else "rejected")
        if not body["paid"]:
            reseed, reserve = self.reseeds[body["claim"]]
            self.meters[claim.meter] += claim.amount * 10_000 - reseed  # type: ignore[assignment]
            if reserve:
                self.meters[reserve] += reseed  # type: ignore[assignment]

    def _payment(self, body: dict[str, Any]) -> None:
        """Each once a round, to a seat with that wager; what is taken back was paid."""
        for line in body["lines"]:
            paid = (body["round"], line)
            if "corrected" in body:
                self.paid.remove(paid)
                continue
            seats = self.rounds[body["round"]][_BACKED.get(line["wager"], line["wager"])]
            assert line["seat"] in seats and body["round"] not in self.reversed, "paid, and no wager stands"
            assert paid not in self.paid, "paid twice"
            self.paid.append(paid)

    def _told(self, body: dict[str, Any]) -> None:
        """What only is written down."""


_BACKED = {
    "envy": "progressive",
    **{f"{name}_{hand}": f"five_card_{hand}" for name in ("magic_card", "lucky") for hand in ("player", "dealer")},
}
"""What a payment is for, where it is not called as its wager."""
_EFFECTS: Mapping[str, Callable[[Bank, dict[str, Any]], None]] = {
    "wagers": Bank._wagers,
    "reversal": Bank._reversal,
    "claim": Bank._claim,
    "verdict": Bank._verdict,
    "payment": Bank._payment,
    **dict.fromkeys(("account", "count", "day"), Bank._told),
}


# What must hold after every single input --------------------------------------------------------------------------


def check(house: House, before: TableState, given: Input, events: tuple[e.Event, ...], state: TableState) -> None:
    """The "never" list of a table, as far as one step can show it."""
    kinds = [type(event) for event in events]
    if e.PressRefused in kinds:
        assert kinds == [e.PressRefused], kinds
        assert _unsaid(state) == _unsaid(before), "a refused press changes only the notice"
        assert state.desk.notice
    if not isinstance(given, Pressed):
        assert e.PressRefused not in kinds, "a fact is never refused"
    if e.BetsOpened in kinds or e.BetsReopened in kinds:
        assert not obstacles(house, state), f"bets opened before: {obstacles(house, state)}"
    if before.phase is not Phase.OPEN and state.phase is not Phase.OPEN:
        assert e.WagerPlaced not in kinds, "a wager while bets are closed"
    if isinstance(given, NoMoreBets) and before.phase is Phase.OPEN:
        assert state.phase in (Phase.COUNT, Phase.DEAL), "no more bets closes bets"
    if state.round.number < before.round.number:
        assert kinds == [e.Undone] and state.round.number == before.round.number - 1
    lit = {spot for spot, number, wager, _ in state.spots() if state.seat(number).staked(wager)}
    assert {spot for spot, lamp in lamps(state).items() if lamp == "lit"} == lit, "a lit lamp is a wager"
    if state.phase is Phase.OPEN:
        lying = [sensor for spot, *_, sensor in state.spots() if spot in lit]
        assert all(sensor.covered or sensor.dead for sensor in lying), "a wager without a chip"
    for event in events:
        if isinstance(event, e.BetsClosed):
            acknowledged = {spot for spot, number, wager, _ in before.spots() if before.seat(number).staked(wager)}
            assert set(event.accepted) <= acknowledged, "a wager that no lamp had acknowledged"
    _check_outbox(before, state)
    _check_money(before, state, events)


def shared(payments: Iterable[Payment]) -> tuple[tuple[int, int], ...]:
    """(seat, cents paid) of each payment."""
    return tuple((one.seat, one.payout) for one in payments)


def lit_seats(payments: Iterable[Payment]) -> tuple[int, ...]:
    """The seats whose progressive wager is among these payments."""
    return tuple(one.seat for one in payments if one.wager == "progressive")


def _unsaid(state: TableState) -> TableState:
    """The table without its last refusal."""
    return replace(state, desk=state.desk.unsaid)


def _check_outbox(before: TableState, state: TableState) -> None:
    """What was owed stays as it was; what is new follows without a gap."""
    assert all(state.neighbors.message(owed.seq) in (owed, None) for owed in before.neighbors.outbox)
    last = before.neighbors.outbox[-1] if before.neighbors.outbox else None
    for owed in state.neighbors.outbox[len(state.neighbors.outbox) - (state.seq - before.seq) :]:
        document = json.loads(owed.text)
        assert owed.seq == document["seq"] == (last.seq + 1 if last else 1)
        assert document["prev"] == (last.hash if last else NO_HASH)
        assert owed.hash == hashlib.sha256(owed.text.encode()).hexdigest()
        last = owed


def _check_money(before: TableState, state: TableState, events: tuple[e.Event, ...]) -> None:
    """Nothing is paid that was not validated, by whom it has to be."""
    for event in events:
        if isinstance(event, e.CountAgreed):
            assert event.seats == state.wagers
        if isinstance(event, e.PrizePaid):
            prize = before.seat(event.seat).prize
            assert prize and prize.status == "validated" and prize.payments == (event.payment,) and not prize.meter
            assert PEOPLE[prize.by[0]].role in FLOOR
        if isinstance(event, e.ClaimPaid | e.ClaimRejected):
            prize = before.seat(event.seat).prize
            waits = "pending" if event.by else "claimed"  # what the bank holds without effect never got a price
            assert prize and prize.status == waits and prize.meter
            assert len(set(event.signed)) == 2 and all(PEOPLE[badge].role in FLOOR for badge in event.signed)
        if isinstance(event, e.ClaimPaid):
            assert (
                prize
                and {*event.payments, *event.later} == {*prize.payments}
                and not {*event.payments} & {*event.later}
            )
