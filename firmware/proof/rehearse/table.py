"""One rehearsed table: the casino's own law, lines, screens and PIN desk, in one process and told the time.

It does the work of `firmware.runtime.table` around the law without threads, a disk and a clock: facts and presses go in,
events follow, and only a journal in memory outlives the power.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import reduce

from firmware.proof.rehearse.account import Account
from firmware.proof.rehearse.bank import Bank
from firmware.proof.rehearse.machine import Machine
from firmware.proof.rehearse.steps import Badge, Draw
from firmware.proof.rehearse.tables import Seating
from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, as_is, say
from firmware.rules.money import cents
from firmware.rules.payment import Payment
from firmware.runtime.chance import draw
from firmware.runtime.house import house_of
from firmware.runtime.journal import Vocabulary
from firmware.runtime.lines import Lines
from firmware.runtime.pins import PinChecked, PinDesk, had_failed
from firmware.runtime.spine import applied
from firmware.table import events as e
from firmware.table import jackpot
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.inputs import (
    ButtonPushed,
    Chance,
    Input,
    LinkSeen,
    NextPushed,
    NoMoreBets,
    PinAccepted,
    PinRefused,
    Pressed,
    SensorsSeen,
    ShufflerSeen,
    Started,
    Ticked,
)
from firmware.table.projections import heeds_switch, lamps, locked
from firmware.table.state import Phase, PrizeStatus, Seat, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from hal.ports import LOCKOUT, Edge, Level
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS
from ui.dealer.pieces import Live
from ui.dealer.screens import composed, screen, screen_key
from ui.dealer.widgets import Screen
from ui.words import ENGLISH

MS, S = 1_000_000, 1_000_000_000
NOON = int(datetime(2030, 1, 1, 12, tzinfo=UTC).timestamp())
"""The time of day at which the clock stands at nought."""
MONOTONIC = 1_000 * S
"""The time of the machine's own clock then."""
VOCABULARY: Vocabulary[e.Event] = Vocabulary("table", e.EVENTS, e.UPGRADES)
NO_MORE_BETS = "no-more-bets"


def asks_to_sign(shown: Screen) -> bool:
    """Somebody's badge is wanted here; the pad for the PIN comes after it."""
    return any(widget.id == "badge" for widget in shown.widgets)


def _clock(at: int) -> str:
    """Seconds of UTC as a rehearsal's people read them."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M")


class Table:
    """A table, everything about it and everybody at it. The mover of the clock sets `now_ns`."""

    def __init__(self, seating: Seating, bank: Bank | None, seed: int) -> None:
        self.config, self.name = seating.config, seating.name
        self.house = house_of(seating.config, seating.submission)
        self.bank = bank
        self.seats = min(seating.config.seats.count, self.house.seats)
        self.now_ns = 0
        self.state = TableState()
        self.account = Account()
        self.link = bank is not None
        self.sensors = self.house.offers_progressive
        self.reader = True
        self.draws: list[Draw] = []
        self.meters: tuple[MeterHeard, ...] = ()
        self._meters_at = ""
        self.failed_pin = ""
        """Why the last badge or PIN was refused, "" where it was not."""
        self.stash: dict[tuple[object, ...], object] = {}
        """Answers that are not asked for yet (`firmware.proof.rehearse.dealer_answers`)."""
        self._seats_with_sensors = self.seats if self.house.offers_progressive else 0
        self._journal: list[tuple[str, int, str]] = []
        self._chips = dict.fromkeys(range(1, self._seats_with_sensors + 1), False)
        self._switch_locked = self._wire_cut = False
        self._random = random.Random(f"{seed} {self.name}")
        self._person = Badge()
        self._pin_wrong = False
        self._boots = 0
        screen_of = self.config.screen
        self._frame = frame_of(PANELS[screen_of.panel], left=screen_of.hand == "left")
        self._denominations = tuple(cents(chip) for chip in self.config.screen.denominations)
        self.machine = Machine(self.house)
        journal = hashlib.sha256(f"{seed} {self.name}".encode()).hexdigest()[:32]
        people = tuple(badge for badge in self.house.people if self.house.may_sign(badge, Act.LIVE))[:2]
        opened = e.TableOpened(self.name, journal, self.seats)
        self._write(applied(evolve, self.state, [opened, e.TableShut(0, NOTHING), e.TableLive(people, at=NOON)]))
        self._boot()

    # Time and the law ------------------------------------------------------------------------------------------------------

    @property
    def monotonic_ns(self) -> int:
        """The time of the machine's clock."""
        return MONOTONIC + self.now_ns

    @property
    def utc_s(self) -> int:
        """The time of day, seconds of UTC."""
        return NOON + self.now_ns // S

    def hear(self, given: Input) -> tuple[e.Event, ...]:
        """One input, and all that follows from it."""
        turn = decide(self.house, self.state, given)
        self._write(turn.rows)
        return turn.events

    def _write(self, rows: Iterable[tuple[e.Event, TableState]]) -> None:
        for event, after in rows:
            self._journal.append(VOCABULARY.encode(event))
            before, self.state = self.state, after
            if isinstance(event, e.BadgeUnlocked):
                self.pins.unlock(event.badge)
            self.account.note(before, event)

    def tick(self) -> None:
        """The loop tells the law the time of day."""
        self.hear(Ticked(self.utc_s))

    def next_deadline(self) -> int | None:
        """When a line can have settled."""
        at = self._lines.next_deadline()
        return None if at is None else max(at - MONOTONIC, self.now_ns)

    def turn(self) -> None:
        """One turn of the loop: what has settled, and what the machine says to it."""
        betting, heeds = self.state.phase is Phase.OPEN, heeds_switch(self.state)
        for fact in self._lines.facts(self.monotonic_ns, betting=betting, heeds_switch=heeds):
            self.hear(replace(fact, chance=self._chance()) if isinstance(fact, NoMoreBets) else fact)
        self._hear_machine()
        self.pins.move_to(screen_key(self.state))

    def _hear_machine(self) -> None:
        """The machine answers to what became of the decks; that may go on once or twice."""
        for _ in range(3):
            seen = self.machine.says(self.state)
            if seen is None or _as_known(self.state) == seen:
                return
            self.hear(seen)

    def _chance(self) -> Chance:
        by_lot = draw(self.house.drawing, self.seats, self._random.randrange)
        told, self.draws = self.draws, []
        if not told:
            return by_lot
        magic = next((one.magic for one in reversed(told) if one.magic is not None), None)
        lucky = next((one.lucky for one in reversed(told) if one.lucky is not None), None)
        return Chance(magic or "", lucky or 0, magic is not None, lucky is not None)

    # Power -----------------------------------------------------------------------------------------------------------------

    def lose_power(self) -> None:
        """Only the journal is left, what lies on the felt and what people saw; the badge has gone. The program starts."""
        self._person = Badge()
        self.state = reduce(evolve, (VOCABULARY.decode(*row) for row in self._journal), TableState())
        self._boot()

    def _boot(self) -> None:
        self._boots += 1
        seats = self.config.seats
        self._lines = Lines(self._seats_with_sensors, seats.debounce_ms * MS, seats.window_ms * MS)
        people = {person.badge: person for person in self.config.people}
        self.pins = PinDesk(people, self._checked, run=lambda check: check())
        self.pins.remember(self.state.history.failures, self.monotonic_ns)
        self.hear(Started(f"boot-{self._boots}", "rehearsal", self.house.submission.submission_hash))

    def find_devices(self) -> None:
        """After a start: what is plugged in is found, what is not is missed."""
        self.plug_sensors(self.sensors)
        self._hear_machine()
        self.plug_link(self.link)
        self.pins.move_to(screen_key(self.state))

    # Devices ---------------------------------------------------------------------------------------------------------------

    def plug_sensors(self, there: bool) -> None:
        """The wires of all sensors are lost, or found: then every line is read."""
        if not self.house.offers_progressive:
            return
        self.sensors = there
        if there:
            self._lines.start(self.monotonic_ns, self.state.felt.sensors)
            for line, on in ((LOCKOUT, self._switch_open), *self._chips.items()):
                self._lines.feed(Level(line, on, self.monotonic_ns))
        self.hear(SensorsSeen(there, NOTHING if there else as_is("unplugged")))

    def plug_link(self, there: bool) -> None:
        """The way to the bank is lost, or found."""
        if self.bank is None:
            return
        self.link = there
        self.hear(LinkSeen(there, NOTHING if there else say("link.bank-silent")))

    def hear_bank(self) -> None:
        """The bank's word arrives."""
        if self.bank is not None and self.link:
            self.hear(self.bank.says(self.name))

    def move_chip(self, seat: int, lies: bool) -> None:
        """A chip on a sensor, or off it."""
        if self._chips[seat] != lies:
            self._chips[seat] = lies
            self._feed(seat, lies)

    @property
    def payments(self) -> tuple[Payment, ...]:
        """The settlements of this round. A wager with a meter and no named prize is lost once its seat is settled, and on
        record with CLEAR; at level 0 no seat is settled before.
        """
        made, state = self.account.payments, self.state
        if state.round.void_cite or self.account.round != state.round.number:
            return made
        lost = jackpot.lost(self.house, state) if any(seat.position.settled for _, seat in state.numbered()) else ()
        return (*made, *(line for line in lost if _is_over(state.seat(line.seat), line.wager)))

    @property
    def covered(self) -> tuple[int, ...]:
        """The seats on whose sensors a chip lies."""
        return tuple(seat for seat, lies in self._chips.items() if lies)

    @property
    def has_sensors(self) -> bool:
        """The table has sensors, lamps and a lockout switch."""
        return bool(self._chips)

    @property
    def _switch_open(self) -> bool:
        return not (self._switch_locked or self._wire_cut)

    @property
    def switch_locked(self) -> bool:
        """The lockout reads as locked."""
        return not self._switch_open

    def turn_switch(self, way: str) -> None:
        """`on`, `off`, or its wire is `cut`."""
        before = self._switch_open
        if way == "cut":
            self._wire_cut = True
        else:
            self._wire_cut, self._switch_locked = False, way == "on"
        if self._switch_open != before:
            self._feed(LOCKOUT, self._switch_open)

    def _feed(self, line: int, on: bool) -> None:
        if self.sensors:
            self._lines.feed(Edge(line, on, self.monotonic_ns))

    def push_next(self) -> tuple[e.Event, ...]:
        """The NEXT key beside the rack."""
        return self.hear(NextPushed(self.utc_s))

    def push_button(self, seat: int, hand: str) -> None:
        """A Five Card Hand button."""
        self.hear(ButtonPushed(seat, hand, self.monotonic_ns))

    # People ----------------------------------------------------------------------------------------------------------------

    def meet(self, person: Badge) -> None:
        """Somebody shows a badge and types a PIN, or goes. The PIN is typed wherever a screen asks for it."""
        self._person, self._pin_wrong, self.failed_pin = person, False, ""
        self.pins.show("")
        if person.number and self.reader:
            self._show_badge()

    def _show_badge(self) -> None:
        if self.pins.show(self._person.number):
            number = self._person.number
            self._refuse_pin(PinRefused(number, say("badge.unknown", badge=number)))

    def sign_in(self) -> int:
        """The person here types the PIN if the screen asks for it; returns the wait before that (ns)."""
        self.pins.move_to(screen_key(self.state))
        if not self._asks_pin() or not self._person.number or self._pin_wrong or not self.reader or self.by:
            return 0
        if self.pins.badge != self._person.number:
            self._show_badge()
        if wait_s := self.pins.wait_s(self.monotonic_ns):
            return wait_s * S
        for digit in self._person.pin:
            self.pins.digit(digit)
        self.pins.enter(self.monotonic_ns)
        return 0

    def _asks_pin(self) -> bool:
        return asks_to_sign(self.screen())

    def _checked(self, answer: PinChecked) -> None:
        before, at = self.pins.wrong(answer.badge), self.utc_s
        if why := self.pins.checked(answer, self.monotonic_ns, at):
            self._refuse_pin(PinRefused(answer.badge, why, self.pins.wrong(answer.badge).count, at))
        elif before.count:
            self.hear(PinAccepted(answer.badge, had_failed(before, _clock)))

    def _refuse_pin(self, refused: PinRefused) -> None:
        self._pin_wrong, self.failed_pin = True, ENGLISH(refused.why)
        self.hear(refused)

    @property
    def by(self) -> str:
        """The badge whose PIN was right on this very screen."""
        return self.pins.by(screen_key(self.state), self.monotonic_ns)

    @property
    def signer(self) -> str:
        """The badge of who would sign in wherever a screen asks for it."""
        person = next((one for one in self.config.people if one.badge == self._person.number), None)
        return person.badge if person and self.reader and not self._pin_wrong else ""

    # The screen ------------------------------------------------------------------------------------------------------------

    def screen(self, state: TableState | None = None, by: str | None = None) -> Screen:
        """The table's screen, or the one of another state and with another person's PIN."""
        live = self._live() if by is None else replace(self._live(), badge=by, by=by, name=self._name(by), typed=0)
        return screen(self.house, self.state if state is None else state, live, self._frame)

    def composed(self) -> Screen:
        """The table's screen in messages."""
        return composed(self.house, self.state, self._live(), self._frame)

    def _live(self) -> Live:
        clock = _clock(self.utc_s)
        if self.bank is not None and self.link:
            self.meters, self._meters_at = self.bank.board, clock
        badge = self.pins.badge
        return Live(
            clock=clock,
            meters=self.meters,
            meters_at=self._meters_at,
            badge=badge,
            name=self._name(badge),
            typed=self.pins.typed,
            wait_s=self.pins.wait_s(self.monotonic_ns) if badge else 0,
            checking=self.pins.checking(self.monotonic_ns),
            by=self.by,
            denominations=self._denominations,
            locking=self._lines.locking,
            reader_gone=not self.reader,
        )

    def _name(self, badge: str) -> str:
        return self.house.people[badge].name if badge in self.house.people else ""

    @property
    def denominations(self) -> tuple[int, ...]:
        """The chips in the rack, largest first, in cents."""
        return self._denominations

    @property
    def lamps(self) -> Mapping[int, str]:
        """The lamp of every seat."""
        return {seat: str(lamp) for seat, lamp in lamps(self.state).items()} if self.has_sensors else {}

    @property
    def locked(self) -> bool:
        """The lock line."""
        return locked(self.state)

    def press(self, word: str) -> tuple[e.Event, ...]:
        """A key, on any screen. The lock is a time on the lines: its consequences come later."""
        if word == NO_MORE_BETS:
            self._lines.lock(self.monotonic_ns, "screen")
            return ()
        return self.hear(Pressed(word, self.by, self.utc_s))


def _as_known(state: TableState) -> ShufflerSeen:
    known = state.neighbors.shuffler
    return ShufflerSeen(known.connected, known.unit, known.mode, known.count, known.deck, known.fault, known.alarm)


def _is_over(seat: Seat, wager: str) -> bool:
    """This seat is settled, and no prize of this wager is being paid."""
    ended = (PrizeStatus.PAID, PrizeStatus.REJECTED)
    return seat.position.settled and all(prize.wager != wager or prize.status in ended for prize in seat.prizes)
