"""The table's process: THINK, WRITE, ACT over real devices. Everything that holds money is in this one loop.

Device threads, the link and the screens only put into the inbox; the loop alone takes. What leaves the table (lamps, the
lock line, screens, messages owed) is a projection of the state and is asserted again until it holds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from firmware.config import ConfigError, TableConfig
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.rules.money import cents
from firmware.runtime.chance import draw
from firmware.runtime.clock import utc_s
from firmware.runtime.disk import free_bytes, is_short
from firmware.runtime.glass import ClientCame, Frame, Glass, GlassComplaint, TapArrived, observe
from firmware.runtime.grievances import Grievances
from firmware.runtime.journal import Journal, JournalDamaged, Vocabulary, boot_id
from firmware.runtime.lines import Fact, Lines
from firmware.runtime.link import Arrived, Connected, Disconnected, Link, NoLink
from firmware.runtime.outgoing import Outgoing, presence
from firmware.runtime.pins import PinChecked, PinDesk
from firmware.runtime.spine import Spine
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.house import House
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
    Complaints,
    DiskSeen,
    Input,
    LinkSeen,
    NextPushed,
    NoMoreBets,
    PinRefused,
    Pressed,
    SensorsSeen,
    ShufflerSeen,
    Started,
    Ticked,
)
from firmware.table.projections import button_lamps, is_closed, lamps, locked
from firmware.table.state import UNFINISHED, Owed, Phase, TableState
from firmware.table.wire import MeterHeard, decode_alive, decode_down, decode_meters
from firmware.wire.payload import WireError
from firmware.wire.topics import TableTopics
from hal.debounce import Inbox
from hal.ports import (
    NEXT_KEY,
    UNLIT,
    Badge,
    Button,
    ButtonPressed,
    Complaint,
    DeviceFound,
    DeviceLost,
    Edge,
    Lamp,
    Level,
    SensorsAndLamps,
    Shuffler,
    ShufflerStatus,
)
from hal.watchdog import Watchdog
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS
from ui.dealer.pieces import Live
from ui.dealer.screens import screen, screen_key
from ui.dealer.widgets import Screen

log = logging.getLogger("felt.table")

MS = 1_000_000
S = 1_000_000_000
BANK_SILENCE_NS = 6 * S
TICK_NS = 30 * S
"""How often the table's law is told the time of day, for the age of its decks."""
ASSERT_NS = 1 * S
"""How often lamps and lock line are told again, and the lines' levels are read."""
WAKE_EARLY_NS = 400_000

UP = "up"
"""What the messages that a table owes are found under in its journal."""


def _message(event: e.Event) -> tuple[str, int] | None:
    return (UP, event.seq) if isinstance(event, e.MessageOwed) else None


VOCABULARY: Vocabulary[e.Event] = Vocabulary("table", e.EVENTS, e.UPGRADES, _message)


def _unknown(badge: str, shown: int) -> Message:
    if shown > 1:
        return say("badge.unknown-again", badge=badge, times=shown)
    return say("badge.unknown", badge=badge)


class TableService:
    """One running table. Built by `firmware.__main__`."""

    def __init__(
        self,
        config: TableConfig,
        house: House,
        journal: Journal[e.Event],
        inbox: Inbox,
        sensors: SensorsAndLamps,
        shuffler: Shuffler,
        link: Link | NoLink,
        glass: Glass,
        watchdog: Watchdog,
    ) -> None:
        self._config = config
        self._inbox, self._sensors, self._shuffler, self._link, self._glass = inbox, sensors, shuffler, link, glass
        self._watchdog = watchdog
        self._topics = TableTopics.of(config.link.bank, config.id)
        self._spine: Spine[TableState, Input, e.Event] = Spine(
            journal, keeping(), lambda state, given: decide(house, state, given), starting=watchdog.starting
        )
        self._house = house
        self._regions = frame_of(PANELS[config.screen.panel])
        seats = config.seats
        self._progressive = house.offers_progressive
        self._has_buttons = house.submission.five_card_hand is not None
        sensors_there = seats.count if self._progressive else 0
        self._lines = Lines(sensors_there, seats.debounce_ms * MS, seats.window_ms * MS)
        self._pins = PinDesk({person.badge: person for person in config.people}, inbox.put)
        self._outgoing = Outgoing(link, self._topics.up, self._read)
        self._grievances, self._strangers = Grievances(), Grievances()
        self._denominations = tuple(cents(chip) for chip in config.screen.denominations)
        self._meters: tuple[MeterHeard, ...] = ()
        self._meters_at = ""
        self._beat_ns: int | None = None
        self._bank_why = say("link.bank-not-heard")
        self._screen = Screen("", "")
        self._shown: tuple[dict[int, str], bool, Mapping[Button, bool]] | None = None
        self._asserted_ns = 0
        self._weighed_ns = -ASSERT_NS
        self._ticked_ns: int | None = None
        self._unit_acknowledged = 0
        self._pressed = False
        self._wants_frame = False
        self._running = True

    @property
    def state(self) -> TableState:
        """The table as it is on disk."""
        return self._spine.state

    def stop(self) -> None:
        """End the loop after this turn. Safe from a signal's handler or another thread."""
        self._running = False
        self._inbox.put(None)

    def run(self, program: str, submission: str) -> None:
        """Open the journal if it is new, start the devices, and turn until stopped."""
        self._open(program, submission)
        self._glass.start()
        self._sensors.start()
        self._shuffler.start()
        self._link.start()
        self._act(time.monotonic_ns())
        self._watchdog.ready(f"round {self.state.round.number}, {self.state.phase}")
        try:
            while self._running:
                self.turn(self._wait())
        finally:
            self._link.publish(
                self._topics.alive, presence(self._config.id, self.state.program.journal, alive=False), retain=True
            )
            self._sensors.close()
            self._shuffler.close()
            self._link.close()
            self._glass.close()

    def _open(self, program: str, submission: str) -> None:
        journal = self._spine.journal
        if not self.state.program.journal:
            opened = e.TableOpened(self._config.id, journal.id, self._config.seats.count)
            self._spine.record([opened, e.TableShut(0)])
        self._refuse_another_table()
        self._refuse_other_rules(submission)
        self._spine.take([Started(boot_id(), program, submission)])
        log.info(
            "journal %s: %d rows, round %d, %s", journal.path, journal.rows, self.state.round.number, self.state.phase
        )

    def _refuse_another_table(self) -> None:
        """The journal is of this very table, and no round of another game is under way. Raises ConfigError."""
        state, path = self.state, self._spine.journal.path
        seats = len(state.round.seats)
        if state.program.table != self._config.id:
            raise ConfigError(f"id: {self._config.id!r}; {path} is of {state.program.table!r}: name another home")
        if seats != self._config.seats.count:
            raise ConfigError(
                f"seats.count: {self._config.seats.count}; {path} was begun with {seats} seats: name another home"
            )
        level = self._house.level
        if state.program.level != level and state.phase in UNFINISHED:
            raise ConfigError(
                f"dealing.assist: {level}; {path} is in the middle of a round of level {state.program.level}: "
                "put the level back until the round is cleared"
            )

    def _refuse_other_rules(self, submission: str) -> None:
        """What is staked, owed and on the table is of the rules that it was opened under. Raises ConfigError."""
        state, path, book = self.state, self._spine.journal.path, self._house.game.name
        if is_closed(state):
            return
        remedy = "close it under the old rules first, or name another home"
        if state.program.book != book:
            raise ConfigError(
                f"rules.book: {book!r}; {path} has a table of {state.program.book!r} that is not shut: {remedy}"
            )
        if not state.program.equipment:  # begun by a version that did not keep it
            return
        if state.program.submission != submission:
            raise ConfigError(
                f"rules: submission {submission[:8]}; {path} has a table of {state.program.submission[:8]} "
                f"that is not shut: {remedy}"
            )
        if state.program.equipment != self._house.equipment.text:
            raise ConfigError(
                f"dealing: {self._house.equipment.text}; {path} has a table with {state.program.equipment} "
                f"that is not shut: {remedy}"
            )

    def turn(self, signals: Iterable[object]) -> None:
        """One turn of the loop: what came, what follows, what the world is told."""
        now_ns = time.monotonic_ns()
        self._pressed = False
        given = [one for signal in signals for one in self._interpret(signal, now_ns)]
        given += [self._with_chance(fact) for fact in self._lines.facts(now_ns, betting=self.state.phase is Phase.OPEN)]
        given += self._link_now(now_ns)
        given += self._disk_now(now_ns)
        given += self._strangers_due(now_ns)
        given += [Complaints(c.place, c.text, c.count) for c in self._grievances.due(now_ns)]
        if self._ticked_ns is None or now_ns - self._ticked_ns >= TICK_NS:
            self._ticked_ns = now_ns
            given.append(Ticked(utc_s()))
        if given:
            self._spine.take(given)
        self._act(time.monotonic_ns())
        self._watchdog.pet()

    # What came -------------------------------------------------------------------------------------------------------

    def _interpret(self, signal: object, now_ns: int) -> Iterator[Input]:
        match signal:
            case Edge() | Level():
                self._feed(signal)
            case ButtonPressed():
                if (signal.seat, signal.name) == NEXT_KEY:
                    yield NextPushed(utc_s())
                else:
                    yield ButtonPushed(signal.seat, signal.name, signal.at_ns)
            case TapArrived():
                yield from self._tap(signal, now_ns)
            case Badge():
                self._badge(signal.number)
            case PinChecked():
                why = self._pins.checked(signal, now_ns)
                if why:
                    yield PinRefused(signal.badge, why)
            case ShufflerStatus():
                yield ShufflerSeen(
                    signal.connected, signal.unit, signal.mode, signal.count, signal.deck, signal.fault, signal.alarm
                )
                self._unit_acknowledged = signal.acknowledged
            case Complaint():
                self._grievances.hear(signal.place, signal.text)
            case GlassComplaint():
                self._grievances.hear("screen socket", signal.text)
            case DeviceLost(device, text) if device != "shuffler":
                yield SensorsSeen(False, as_is(text))
            case DeviceFound(device) if device != "shuffler":
                covered = frozenset(
                    number for number, one in enumerate(self.state.felt.sensors, start=1) if one.covered
                )
                self._lines.start(now_ns, covered)
                yield SensorsSeen(True, NOTHING)
            case ClientCame():
                self._wants_frame = True
            case Arrived():
                yield from self._arrived(signal)
            case Connected():
                self._outgoing.forget()
                self._link.publish(
                    self._topics.alive, presence(self._config.id, self.state.program.journal, alive=True), retain=True
                )
            case Disconnected():
                self._beat_ns, self._bank_why = None, signal.why

    def _badge(self, number: str) -> None:
        if self._pins.show(number):
            self._strangers.hear("badge", number)

    def _strangers_due(self, now_ns: int) -> list[Input]:
        """Badges that nobody here wears, at a bounded rate: a reader may be fed with them without end."""
        return [PinRefused(one.text, _unknown(one.text, one.count)) for one in self._strangers.due(now_ns)]

    def _with_chance(self, fact: Fact) -> Input:
        """What is drawn for the round is drawn with the lock, and so is written before it is shown."""
        if not isinstance(fact, NoMoreBets):
            return fact
        return replace(fact, chance=draw(self._house.drawing, self._config.seats.count))

    def _feed(self, signal: Edge | Level) -> None:
        try:
            self._lines.feed(signal)
        except ValueError as error:
            self._grievances.hear("sensors", str(error))

    def _tap(self, tap: TapArrived, now_ns: int) -> Iterator[Input]:
        """Look up what lies under the finger on the screen that is shown now; a tap on an older one does nothing."""
        widget = self._screen.key_at(tap.x_mm, tap.y_mm) if tap.screen_key == self._screen.key else None
        if widget is None or tap.held_ms < widget.hold_ms:
            return
        verb, _, rest = widget.press.partition(" ")
        match verb:
            case "no-more-bets":
                self._lines.lock(min(tap.at_ns, now_ns), "screen")
                self._sensors.read()
            case "pin":
                self._pins.digit(rest)
            case "pin-back":
                self._pins.erase()
            case "pin-enter":
                self._pins.enter(now_ns)
            case _ if widget.hold_ms and self._pressed:
                pass  # it was held for what the screen showed before the other press of this turn
            case _:
                self._pressed = True
                yield Pressed(widget.press, self._pins.by(self._screen.key, now_ns), utc_s())

    def _arrived(self, message: Arrived) -> Iterator[Input]:
        try:
            if message.topic == self._topics.down:
                yield self._compared(decode_down(message.payload, self._config.id))
            elif message.topic == self._topics.bank:
                beat = decode_alive(message.payload, self._config.link.bank)
                if not beat.alive:
                    self._beat_ns, self._bank_why = None, say("link.bank-stopped")
                elif not message.retained:  # a heart that beat for whoever comes later says nothing about now
                    self._beat_ns = message.at_ns
            elif message.topic == self._topics.meters:
                self._meters, self._meters_at = decode_meters(message.payload), time.strftime("%H:%M")
        except WireError as error:
            self._grievances.hear(message.topic, str(error))

    def _compared(self, said: BankSaid) -> BankSaid:
        """With the hash of a message that is too old for the state: a bank from a backup speaks of one."""
        outbox = self.state.neighbours.outbox
        if not outbox or not 0 < said.seq < outbox[0].seq:
            return said
        return replace(said, ours="".join(one.hash for one in self._read(said.seq, 1)))

    def _read(self, first: int, most: int) -> list[Owed]:
        """Messages from the journal, however old; none where it is damaged there, which is complained of."""
        try:
            events = self._spine.journal.messages(UP, first, most)
        except JournalDamaged as damage:
            self._grievances.hear("journal", f"row {damage.row}: {damage.why}")
            return []
        return [Owed(one.seq, one.hash, one.text) for one in events if isinstance(one, e.MessageOwed)]

    def _disk_now(self, now_ns: int) -> list[Input]:
        """The room on the disk, looked at once a second: bets open by themselves with the press that clears a round."""
        if now_ns - self._weighed_ns < ASSERT_NS:
            return []
        self._weighed_ns = now_ns
        was_short = self.state.neighbours.disk_short
        short = is_short(free_bytes(self._spine.journal.path.parent), was_short=was_short)
        return [DiskSeen(short)] if short != was_short else []

    def _link_now(self, now_ns: int) -> list[Input]:
        """The link is up while the bank's heart is heard and the bank holds what it is told."""
        if not self._progressive:
            return []
        heard = self._beat_ns is not None and now_ns - self._beat_ns < BANK_SILENCE_NS
        stuck = self._outgoing.is_stuck(self.state, now_ns, heard=heard)
        up = heard and not stuck
        if up:
            why = NOTHING
        elif heard:
            why = say("link.bank-takes-nothing")
        elif self._beat_ns is not None:
            why = say("link.bank-silent")
        else:
            why = self._bank_why
        if (up, why) == (self.state.neighbours.link_up, self.state.neighbours.link_why):
            return []
        return [LinkSeen(up, why)]

    # What the world is told --------------------------------------------------------------------------------------------

    def _act(self, now_ns: int) -> None:
        state = self.state
        self._show_lamps(state, now_ns)
        self._pins.move_to(screen_key(state))
        if state.neighbours.shuffler.acknowledged > self._unit_acknowledged:
            self._shuffler.acknowledge(state.neighbours.shuffler.acknowledged)
            self._unit_acknowledged = state.neighbours.shuffler.acknowledged
        self._outgoing.act(state, now_ns)
        self._show_screen(state, now_ns)

    def _show_lamps(self, state: TableState, now_ns: int) -> None:
        seats = lamps(state) if self._progressive else {}
        shown = (seats, locked(state), button_lamps(state) if self._has_buttons else UNLIT)
        again = now_ns - self._asserted_ns >= ASSERT_NS
        if shown == self._shown and not again:
            return
        if again:
            self._sensors.read()
            self._asserted_ns = now_ns
        lit = {seat: Lamp(lamp) for seat, lamp in shown[0].items()}
        self._sensors.show(lit, locked=shown[1], buttons=shown[2])
        self._wants_frame = self._wants_frame or shown != self._shown
        self._shown = shown

    def _show_screen(self, state: TableState, now_ns: int) -> None:
        now = screen(self._house, state, self._live(now_ns), self._regions)
        if now == self._screen and not self._wants_frame:
            return
        self._screen, self._wants_frame = now, False
        frame = Frame(now, self._config.screen.guard_ms, now_ns)
        seen = observe(frame, lamps(state), locked(state)) if self._glass.watched else None
        self._glass.show(frame, seen)

    def _live(self, now_ns: int) -> Live:
        place = screen_key(self.state)
        badge = self._pins.badge
        person = self._house.people.get(badge)
        return Live(
            clock=time.strftime("%H:%M"),
            meters=self._meters,
            meters_at=self._meters_at,
            badge=badge,
            name=person.name if person else "",
            typed=self._pins.typed,
            wait_s=self._pins.wait_s(now_ns) if badge else 0,
            checking=self._pins.checking,
            by=self._pins.by(place, now_ns),
            denominations=self._denominations,
            locking=self._lines.locking,
        )

    def _wait(self) -> list[object]:
        """Until something comes, or is due though nothing comes: a level settles, the lamps are told again.

        A timer wakes a quarter of a millisecond late and the processor cold, which is as long as the commit that
        follows. So the loop wakes a little early for a level that settles, and watches the clock for that long.
        """
        settles_ns = self._lines.next_deadline()
        due_ns = self._asserted_ns + ASSERT_NS
        if settles_ns is None or settles_ns > due_ns:
            return self._inbox.take(max(0.0, (due_ns - time.monotonic_ns()) / S))
        signals = self._inbox.take(max(0.0, (settles_ns - WAKE_EARLY_NS - time.monotonic_ns()) / S))
        while not signals and time.monotonic_ns() < settles_ns:
            pass
        return signals
