"""The table's process: THINK, WRITE, ACT over real devices. Everything that holds money is in this one loop.

Device threads, the link and the screens only put into the inbox; the loop alone takes. Every output of the table (lamps, the
lock line, screens, messages owed) is a projection of the state and is asserted again until it holds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping

from firmware.config import ConfigError, TableConfig
from firmware.config import gaming_day as day_begins
from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.rules.money import cents
from firmware.runtime import garbage, seals
from firmware.runtime.anchored_journal import AnchoredJournal
from firmware.runtime.chance import draw
from firmware.runtime.clock import SteadyClock
from firmware.runtime.day_files import Journal
from firmware.runtime.disk import free_bytes, is_short
from firmware.runtime.glass import ClientCame, Frame, Glass, GlassComplaint, TapArrived, observe
from firmware.runtime.grievances import Grievances
from firmware.runtime.journal import JournalDamaged, boot_id
from firmware.runtime.ledger_watch import LedgerWatch
from firmware.runtime.lines import Fact, Lines
from firmware.runtime.link import Arrived, Carrier, Connected, Disconnected
from firmware.runtime.outgoing import Outgoing, presence
from firmware.runtime.pins import PinChecked, PinDesk, had_failed
from firmware.runtime.service import ServiceDesk, last_report
from firmware.runtime.signed_notes import PublicKey
from firmware.runtime.spine import Spine
from firmware.runtime.sqlite import StoreError
from firmware.runtime.status import StatusReport
from firmware.runtime.stopping import stop_all
from firmware.runtime.table_journal import UP
from firmware.runtime.table_keeping import keeping
from firmware.runtime.words import OLD, AnotherRun, Refused
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.house import House
from firmware.table.inputs import (
    TOLD_EVERY_S,
    BankSaid,
    ButtonPushed,
    ClockSet,
    Complaints,
    DiskSeen,
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
from firmware.table.neighbors import journal_fault
from firmware.table.projections import button_lamps, heeds_switch, is_closed, lamps, locked
from firmware.table.state import UNFINISHED, WIRES_NEVER, Owed, Phase, TableState
from firmware.table.wire import MeterHeard, decode_alive, decode_down, meters_of, objection_to_offer
from firmware.wire.anchors import Anchor
from firmware.wire.from_bank import Board, Heartbeat
from firmware.wire.offers import Offer, offer_of
from firmware.wire.payload import WireError, read
from firmware.wire.structs import replace
from firmware.wire.topics import TableTopics
from hal import badge as badge_reader
from hal.debounce import Inbox
from hal.ports import (
    NEXT_KEY,
    UNLIT,
    Badge,
    BadgeReader,
    Button,
    ButtonPressed,
    Complaint,
    DeviceDead,
    DeviceFound,
    DeviceLost,
    Edge,
    Hardware,
    Lamp,
    Level,
    Shuffler,
    ShufflerStatus,
)
from hal.watchdog import Watchdog
from hal.workers import revived
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS
from ui.dealer.pieces import Live
from ui.dealer.screens import composed, screen_key, spoken
from ui.dealer.widgets import Screen
from ui.words import ENGLISH, Words

log = logging.getLogger("felt.table")

MS = 1_000_000
S = 1_000_000_000
CLOCK = "%-I:%M %p"
"""The clock of the house: twelve hours."""
BANK_SILENCE_NS = 6 * S
PRESENT_NS = 10 * S
"""How often a table says that it is there; also at once when a prize was paid and when a round has ended."""
LOST_NS = 500 * MS
"""The same while the sensors do not answer: whether they are gone for good is known the sooner."""
TICK_NS = TOLD_EVERY_S * S
"""How often the table's law is told the time of day, for the age of its decks."""
SPEAK_NS = 1 * S
"""For so long at most nothing is said while a line settles: no chip waits for a seal."""
ASSERT_NS = 1 * S
"""How often lamps and lock line are told again, and the lines' levels are read."""
TOUCH_MOST_NS = 300 * MS
"""A touch that is older, when the loop hears of it, counts as one of now: a hung screen makes no lit bet late."""
REFUSED_NS = 5 * S
"""A refusal stands on the screen for so long."""
WAKE_EARLY_NS = 400_000
REHEARSAL_MOST_NS = 3_000_000
"""For so long at most a turn is rehearsed before a chip settles; a machine that takes longer begins no earlier."""
FILE_AGAIN_NS = 10 * S
"""How long after a file could not be closed, because somebody read it, that is tried again."""


class DeviceDied(Exception):
    """The program has to start again to open a device again; systemd does that."""


def _log_device(signal: object) -> None:
    """A technician reads the log, not the journal: each device that goes or comes has a line there."""
    match signal:
        case DeviceLost(device, text):
            log.warning("%s lost: %s", device, text)
        case DeviceFound(device):
            log.info("%s found", device)


def _unknown(badge: str, shown: int) -> Message:
    if shown > 1:
        return say("badge.unknown-again", badge=badge, times=shown)
    return say("badge.unknown", badge=badge)


def _of_touch(told_ns: int, now_ns: int) -> tuple[int, str, int]:
    """The lock of a touch: its time, whose it is, and what the screen said where that is not believed."""
    if told_ns < now_ns - TOUCH_MOST_NS:
        return now_ns, "screen", told_ns
    return min(told_ns, now_ns), "screen", 0


class TableService:
    """One running table. Built by `firmware.commands.table`.

    badges: a reader of its own; None: the cabinet's wire has it. faults: what of the machine a technician has to mend.
    """

    def __init__(
        self,
        config: TableConfig,
        house: House,
        journal: Journal[e.Event],
        inbox: Inbox,
        hardware: Hardware,
        shuffler: Shuffler,
        link: Carrier,
        glass: Glass,
        watchdog: Watchdog,
        badges: BadgeReader | None = None,
        faults: tuple[Message, ...] = (),
    ) -> None:
        self._config = config
        self._inbox, self._hardware, self._shuffler, self._link, self._glass = inbox, hardware, shuffler, link, glass
        self._watchdog, self._badges, self._faults = watchdog, badges, faults
        self._topics = TableTopics.of(config.link.bank, config.id)
        self._spine: Spine[TableState, Input, e.Event] = Spine(
            journal, keeping(), lambda state, given: decide(house, state, given).rows, starting=watchdog.starting
        )
        self._house, self._ahead_s = house, journal.clock.began_ns // S
        self._day_begins = day_begins(config)
        shown, seats = config.screen, config.seats
        self._regions = frame_of(PANELS[shown.panel], left=shown.hand == "left")
        self._words = Words(shown.language)
        self._progressive = house.offers_progressive
        self._has_buttons = bool(house.submission.by_account)
        sensors_there = seats.count * len(house.submission.on_sensor)
        self._lines = Lines(sensors_there, seats.debounce_ms * MS, seats.window_ms * MS)
        self._pins = PinDesk({person.badge: person for person in config.people}, inbox.put)
        self._service = ServiceDesk(sensors_there)
        self._pins.remember(self.state.history.failures, time.monotonic_ns())
        self._outgoing = Outgoing(link, self._topics.up, self._read)
        self._status = StatusReport(link, self._topics.status, config.id, machine=bool(faults))
        self._grievances, self._strangers = Grievances(), Grievances()
        self._denominations = tuple(cents(chip) for chip in config.screen.denominations)
        self._meters: tuple[MeterHeard, ...] = ()
        self._meters_at = ""
        self._refusal: tuple[Message, int] = (NOTHING, 0)
        self._most: tuple[str, tuple[tuple[str, int], ...]] = ("", ())
        """The epoch of the last board, and the most that its meters ever held."""
        self._beat_ns: int | None = None
        self._beat_due_ns = self._spoke_ns = 0
        """When the table says again that it is there, and when it said anything last."""
        self._ledger = LedgerWatch()
        self._silent_why = NOTHING
        """Why a heart that is heard is not that of this table's bank."""
        self._bank_short = False
        """The bank's disk has no room for the wagers of more rounds, by its last heart."""
        self._journal_fault = ""
        """The fault of this journal that the bank's word shows (`journal_fault`)."""
        self._bank_why = say("link.bank-not-heard")
        self._reader_gone = False
        self._away = dict.fromkeys(hardware.names, WIRES_NEVER)
        """Why each of these devices that is not there is not."""
        self._seal_key: PublicKey | None = None
        self._screen = Screen("", "")
        self._shown: tuple[dict[int, str], bool, Mapping[Button, bool]] | None = None
        self._asserted_ns = 0
        self._rehearsal_ns = WAKE_EARLY_NS  # how long the last one took
        self._weighed_ns = -ASSERT_NS
        self._ticked_ns: int | None = None
        self._unit_acknowledged = 0
        self._pressed = self._wants_frame = False
        self._kept = AnchoredJournal(journal)
        self._in_round = False
        self._file_due_ns = 0  # when a new file is begun at the earliest
        self._running = True
        self._died = ""

    @property
    def state(self) -> TableState:
        """The table as it is on disk."""
        return self._spine.state

    @property
    def _clock(self) -> SteadyClock:
        return self._spine.journal.clock

    def stop(self) -> None:
        """End the loop after this turn. Safe from a signal's handler or another thread."""
        self._running = False
        self._inbox.put(None)

    def run(self, program: str, submission: str) -> None:
        """Take up the journal, start the devices, and turn until stopped. Raises DeviceDied."""
        self._open(submission)
        self._glass.start()
        self._hardware.start()
        if self._badges is not None:
            self._badges.start()
        self._shuffler.start()
        self._link.start()
        self._begin(program, submission)
        self._act(time.monotonic_ns())
        self._watchdog.ready(f"round {self.state.round.number}, {self.state.phase}")
        try:
            with garbage.kept_out():
                while self._running:
                    self.turn(self._wait())
        finally:
            badges = () if self._badges is None else (self._badges.close,)
            devices = (*(device.close for device in self._hardware.devices), *badges, self._shuffler.close)
            stop_all(self._say_goodbye, *devices, self._link.close, self._glass.close)
        if self._died:
            raise DeviceDied(f"{self._died}; the table starts again")

    def _say_goodbye(self) -> None:
        gone = presence(self._config.id, self.state.program.journal, alive=False)
        self._link.publish(self._topics.alive, gone, retain=True)

    def _open(self, submission: str) -> None:
        journal = self._spine.journal
        self._kept.hold()
        self._seal_key = seals.take_up(journal)
        self._ledger.recall(self.state.neighbors)
        self._refuse_another_table()
        self._refuse_other_rules(submission)

    def _begin(self, program: str, submission: str) -> None:
        """The devices are there: only now is it a start. One that fails, again and again, writes nothing."""
        journal = self._spine.journal
        self._status.program = program
        self._spine.take([Started(boot_id(), program, submission, self._ahead_s + time.monotonic_ns() // S)])
        self._kept.keep()  # the log has a row now, and so a size
        journal.leaving = self._kept.leave
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
        """Stakes, debts and cards belong to the rules that the table was opened under. Raises ConfigError."""
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
        given: list[Input] = [*self._clock_now()]
        given += [one for signal in signals for one in self._interpret(signal, now_ns)]
        betting, heeds = self.state.phase is Phase.OPEN, heeds_switch(self.state)
        read = self._read_lines if self._progressive else None
        facts = self._lines.facts(now_ns, betting=betting, heeds_switch=heeds, read=read)
        given += [self._with_chance(fact) for fact in facts]
        given += self._link_now(now_ns)
        given += self._disk_now(now_ns)
        given += self._strangers_due(now_ns)
        given += self._complaints_due(now_ns)
        if self._ticked_ns is None or now_ns - self._ticked_ns >= TICK_NS:
            self._ticked_ns = now_ns
            given.append(Ticked(self._clock.utc_s(), self._clock.is_sure))
        if given:
            happened = self._spine.take(given)
            self._kept.keep_log()
            self._ledger.recall(self.state.neighbors)
            for event in happened:
                if isinstance(event, e.BadgeUnlocked):
                    self._pins.unlock(event.badge)
            if any(isinstance(event, e.PrizePaid | e.EnvyPaid | e.RoundCleared) for event in happened):
                self._beat_due_ns = 0
        self._act(time.monotonic_ns())
        self._keep_rounds()
        self._keep_days()
        self._watchdog.pet()

    def _keep_rounds(self) -> None:
        """When a round has ended, and no chip waits: all of it goes into the journal's own file, and is anchored."""
        if self.state.phase in UNFINISHED:
            self._in_round = True
        elif self._in_round and self._spine.journal.rows > self._kept.logged and self._lines.next_deadline() is None:
            self._in_round = False
            self._kept.keep()

    def _keep_days(self) -> None:
        """A gaming day was closed: the journal goes on in a new file, once no chip waits and nobody reads the old one."""
        journal, days, now_ns = self._spine.journal, self.state.days, time.monotonic_ns()
        waits = self.state.phase is Phase.OPEN or self._lines.next_deadline() is not None
        if days.closed <= journal.days or waits or now_ns < self._file_due_ns:
            return
        self._file_due_ns = now_ns + FILE_AGAIN_NS
        if why := self._kept.begin_file(lambda: self._spine.begin_file(days.last, days.closed)):
            log.error("day %d is not put aside yet, and that is tried again: %s", days.closed, why)
        self._in_round = True

    # Results ---------------------------------------------------------------------------------------------------------

    def _interpret(self, signal: object, now_ns: int) -> Iterator[Input]:
        _log_device(signal)
        self._wants_frame |= self._service.hear(signal)
        match signal:
            case Edge() | Level():
                self._feed(signal)
            case ButtonPressed():
                if (signal.seat, signal.name) == NEXT_KEY:
                    yield NextPushed(self._clock.utc_s())
                else:
                    yield ButtonPushed(signal.seat, signal.name, signal.at_ns)
            case TapArrived():
                yield from self._tap(signal, now_ns)
            case Badge():
                self._badge(signal.number)
            case PinChecked():
                yield from self._checked(signal, now_ns)
            case ShufflerStatus():
                yield ShufflerSeen(
                    signal.connected, signal.unit, signal.mode, signal.count, signal.deck, signal.fault, signal.alarm
                )
                self._unit_acknowledged = signal.acknowledged
            case Refused(kind=kind):
                self._status.refused[kind] += 1
                if kind != OLD:
                    self._grievances.hear(signal.place, signal.text)
            case Complaint():
                self._grievances.hear(signal.place, signal.text)
            case GlassComplaint():
                self._grievances.hear("screen socket", signal.text)
            case DeviceDead(device, text):
                self._died, self._running = f"{device}: {text}", False
            case DeviceLost(badge_reader.DEVICE) | DeviceFound(badge_reader.DEVICE):
                self._reader_gone = isinstance(signal, DeviceLost)
            case DeviceLost(device, text) if device in self._hardware.names:
                self._away[device] = as_is(text)
                yield SensorsSeen(False, as_is(text))
            case DeviceFound(device) if device in self._hardware.names:
                yield self._found(device, now_ns)
            case ClientCame():
                self._wants_frame = True
            case Arrived():
                yield from self._arrived(signal)
            case Connected():
                self._outgoing.forget()
                self._status.forget()
                self._beat_due_ns = 0
            case AnotherRun():
                self._status.forget()
                self._beat_due_ns = 0
            case Disconnected():
                self._beat_ns, self._bank_why = None, signal.why

    def _found(self, device: str, now_ns: int) -> SensorsSeen:
        """A device of lines is there (again): all lines are watched from now on, and are up once none is away."""
        self._away.pop(device, None)
        self._lines.start(now_ns, self.state.felt.sensors)
        if len(self._hardware.devices) > 1:  # it tells its own levels, and not those of another
            self._hardware.read()
        why = next(iter(self._away.values()), NOTHING)
        return SensorsSeen(not self._away, why)

    def _checked(self, answer: PinChecked, now_ns: int) -> Iterator[Input]:
        before, at = self._pins.wrong(answer.badge), self._clock.utc_s()
        if why := self._pins.checked(answer, now_ns, at):
            count = self._pins.wrong(answer.badge).count
            yield PinRefused(answer.badge, why, count, at if count > before.count else 0)
        elif before.count:
            yield PinAccepted(answer.badge, had_failed(before))

    def _badge(self, number: str) -> None:
        if not self._service.reads(number) and self._pins.show(number):
            self._strangers.hear("badge", number)

    def _complaints_due(self, now_ns: int) -> list[Input]:
        """Refused words of machines, for the log and the journal, at a bounded rate."""
        for ended in revived(now_ns):
            self._grievances.hear(ended.place, ended.text)
        due = self._grievances.due(now_ns)
        for one in due:
            log.warning("refused (%d times): %s: %s", one.count, one.place, one.text)
        return [Complaints(one.place, one.text, one.count) for one in due]

    def _strangers_due(self, now_ns: int) -> list[Input]:
        """Badges that nobody here wears, at a bounded rate: a reader may be fed with them without end."""
        return [PinRefused(one.text, _unknown(one.text, one.count)) for one in self._strangers.due(now_ns)]

    def _with_chance(self, fact: Fact) -> Input:
        """The draws of the round are made with the lock, and so are written before they are shown."""
        if not isinstance(fact, NoMoreBets):
            return fact
        return replace(fact, chance=draw(self._house.drawing, self._config.seats.count))

    def _read_lines(self) -> None:
        """Every line, for a decision of this turn; what else came meanwhile is for the next one."""
        self._hardware.read()
        for signal in self._inbox.take(0):
            if isinstance(signal, Edge | Level):
                self._feed(signal)
            else:
                self._inbox.put(signal)

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
        if verb == "service" or (self._service.is_on and verb.startswith("service-")):
            self._serve(verb, rest, now_ns)
            return
        match verb:
            case "no-more-bets":
                self._lines.lock(*_of_touch(tap.at_ns, now_ns))
                self._hardware.read()
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
                yield Pressed(widget.press, self._pins.by(self._screen.key, now_ns), *self._now)

    def _serve(self, verb: str, rest: str, now_ns: int) -> None:
        """A key of SERVICE: the table's law never hears of it."""
        if verb == "service":
            if is_closed(self.state):
                self._service.begin()
            return
        by = self._pins.by(self._screen.key, now_ns)
        may = by if self._house.may_sign(by, Act.SERVICE) else ""
        home, key = self._spine.journal.path.parent, self._seal_key
        self._service.press(verb, rest, may, lambda: last_report(home, key) if key else ())

    def _arrived(self, message: Arrived) -> Iterator[Input]:
        try:
            if message.topic == self._topics.down:
                said = self._compared(decode_down(message.payload, self._config.id, retained=message.retained))
                yield from self._said(replace(said, key=message.by), message)
            elif message.topic == self._topics.bank:
                beat = decode_alive(message.payload, self._config.link.bank)
                if not beat.alive:
                    self._beat_ns, self._bank_why = None, say("link.bank-stopped")
                elif not message.retained:  # a retained heartbeat says nothing about now
                    self._hear_heart(beat, message.at_ns)
            elif message.topic == self._topics.meters:
                board = read(message.payload, Board)
                if not self._is_over(board.epoch, board.term, message):
                    self._meters, self._meters_at = meters_of(board), time.strftime(CLOCK)
                    self._most = board.epoch, tuple((meter.name, meter.most) for meter in board.meters)
        except WireError as error:
            self._grievances.hear(message.topic, str(error))

    def _compared(self, said: BankSaid) -> BankSaid:
        """With the hash of a message that is too old for the state: a bank from a backup speaks of one."""
        outbox = self.state.neighbors.outbox
        if not outbox or not 0 < said.seq < outbox[0].seq:
            return said
        return replace(said, ours="".join(one.hash for one in self._read(said.seq, 1)))

    def _read(self, first: int, most: int) -> list[Owed]:
        """Messages from the journal, however old; none where it is damaged or missing there, which is complained of."""
        try:
            events = self._spine.journal.messages(UP, first, most)
        except JournalDamaged as damage:
            self._grievances.hear("journal", f"row {damage.row}: {damage.why}")
            return []
        except StoreError as error:
            self._grievances.hear("journal", f"message {first} is not found: {error}")
            return []
        return [Owed(one.seq, one.hash, one.text) for one in events if isinstance(one, e.MessageOwed)]

    def _own_hash(self, row: int, seen: str) -> str:
        """The hash of that row of this journal; as it was `seen`, with a complaint, where its file is missing."""
        try:
            return self._spine.journal.hash_at(row)
        except StoreError as error:
            self._grievances.hear("journal", f"row {row} is not compared: {error}")
            return seen

    def _is_over(self, epoch: str, term: int, message: Arrived) -> bool:
        """An earlier bank of this ledger says this; but for what the broker had kept, it is complained of."""
        is_over = self._ledger.is_older(epoch, term)
        if is_over and not message.retained:
            self._grievances.hear(message.topic, f"a bank of term {term} speaks, which is over")
        return is_over

    def _said(self, said: BankSaid, message: Arrived) -> Iterator[BankSaid]:
        """The bank's word about this table, beside what the journal has; that of an older bank is not heard."""
        if self._is_over(said.epoch, said.anchors.term, message):
            return
        if not self._is_borne_out(said, message):
            return
        own = said.journal == self.state.program.journal
        if own and said.anchors.seen_rows:
            head = self._own_hash(said.anchors.seen_rows, said.anchors.seen_head)
            said = replace(said, anchors=replace(said.anchors, own_head=head))
        fault = journal_fault(self.state, said) if own else ""
        if fault != self._journal_fault:
            self._journal_fault, self._beat_due_ns = fault, 0
        epoch, most = self._most
        yield replace(said, most=most if epoch == said.epoch else ())

    def _is_borne_out(self, said: BankSaid, message: Arrived) -> bool:
        """A restore that is announced is the bank's where heart and board say its epoch too, and the old heart is over."""
        known = self.state.neighbors.ledger.epoch
        if said.epoch == known or known not in said.anchors.before:
            return True
        epoch, _ = self._most
        if epoch == said.epoch and self._ledger.has_taken_over(epoch, message.at_ns):
            return True
        if not message.retained:
            text = f"says that ledger {known[:8]} was restored as {said.epoch[:8]}: not taken before heart and board say so"
            self._grievances.hear(message.topic, text)
        return False

    def _hear_heart(self, beat: Heartbeat, at_ns: int) -> None:
        """It counts where it is that of this table's own bank; a bank that is not is told at once what was seen."""
        if self._ledger.hears(beat, at_ns):
            self._beat_due_ns = 0
        why = self._ledger.objection(beat)
        if why and self._ledger.is_another(beat):
            self._grievances.hear(self._topics.bank, f"epoch {beat.epoch[:8]}, term {beat.term}: not this table's bank")
        else:
            why = why or objection_to_offer(self._offer, beat.offer)
            self._beat_ns, self._bank_short = None if why else at_ns, beat.short
        if why and why != self._silent_why:
            log.warning("%s: %s", self._topics.bank, ENGLISH(why))
            self._beat_due_ns = 0
        self._silent_why = why

    @property
    def _offer(self) -> Offer | None:
        """The wagers and meters that this table plays."""
        return offer_of(self._house.submission, self._status.program)

    @property
    def _now(self) -> tuple[int, str]:
        """Seconds of UTC, and the gaming day, as the journal's clock believes."""
        return self._clock.utc_s(), self._clock.gaming_day(self._day_begins)

    def _clock_now(self) -> list[Input]:
        """The journal's clock believes another time than before: by so much whole seconds."""
        ahead_s = self._clock.ahead_ns // S
        by, self._ahead_s = ahead_s - self._ahead_s, ahead_s
        if by:
            log.warning("the clock is set by %+d s: it is %s now", by, self._clock.utc_now())
        return [ClockSet(by, self._clock.utc_s())] if by else []

    def _disk_now(self, now_ns: int) -> list[Input]:
        """The room on the disk, looked at once a second: bets open by themselves with the press that clears a round."""
        if now_ns - self._weighed_ns < ASSERT_NS:
            return []
        self._weighed_ns = now_ns
        was_short = self.state.neighbors.disk_short
        short = is_short(free_bytes(self._spine.journal.path.parent), was_short=was_short)
        return [DiskSeen(short)] if short != was_short else []

    def _link_now(self, now_ns: int) -> list[Input]:
        """The link is up while the bank's heart is heard and the bank holds what it is told."""
        if not self._progressive:
            return []
        heard = self._beat_ns is not None and now_ns - self._beat_ns < BANK_SILENCE_NS
        stuck = self._outgoing.is_stuck(self.state, now_ns, heard=heard)
        up = heard and not stuck and not self._bank_short and not self._link.contested
        if up:
            why = NOTHING
        elif self._link.contested:
            why = self._bank_why
        elif heard and self._bank_short:
            why = say("link.bank-disk")
        elif heard:
            why = say("link.bank-takes-nothing")
        elif self._silent_why:
            why = self._silent_why
        elif self._beat_ns is not None:
            why = say("link.bank-silent")
        else:
            why = self._bank_why
        if (up, why) == (self.state.neighbors.link_up, self.state.neighbors.link_why):
            return []
        return [LinkSeen(up, why)]

    # Words to the world ------------------------------------------------------------------------------------------------

    def _act(self, now_ns: int) -> None:
        state = self.state
        if self._service.is_on and not is_closed(state):
            self._service.end()
        self._show_lamps(state, now_ns)
        self._pins.move_to(self._place)
        if state.neighbors.shuffler.acknowledged > self._unit_acknowledged:
            self._shuffler.acknowledge(state.neighbors.shuffler.acknowledged)
            self._unit_acknowledged = state.neighbors.shuffler.acknowledged
        self._show_screen(state, now_ns)
        betting = state.phase is Phase.OPEN and now_ns - self._spoke_ns < SPEAK_NS
        chip_waits = betting and self._lines.next_deadline() is not None
        if self._link.connected and not chip_waits:
            self._spoke_ns = now_ns
            self._outgoing.act(state, now_ns, self._own_anchor)
            self._beat(now_ns)
            self._status.act(state, now_ns)

    @property
    def _own_anchor(self) -> Anchor:
        """How far this journal has come."""
        journal = self._spine.journal
        return Anchor(journal.rows, journal.head)

    def _beat(self, now_ns: int) -> None:
        """Say that the table is there, how far its journal has come, and what it saw of the ledger."""
        if now_ns < self._beat_due_ns or not self._link.connected:
            return
        self._beat_due_ns = now_ns + PRESENT_NS
        said = presence(
            self._config.id,
            self.state.program.journal,
            alive=True,
            anchor=self._own_anchor,
            ledger=self._ledger.seen,
            found=self._journal_fault,
            offer=self._offer,
        )
        self._link.publish(self._topics.alive, said, qos=0, retain=True)

    def _show_lamps(self, state: TableState, now_ns: int) -> None:
        seats = lamps(state) if self._progressive else {}
        tried = self._service.lamps
        if tried is not None:
            seats = {seat: tried.get(seat, Lamp.DARK) for seat in seats}
        shown = (seats, locked(state), button_lamps(state) if self._has_buttons else UNLIT)
        again = now_ns - self._asserted_ns >= self._assert_ns
        if shown == self._shown and not again:
            return
        if again:
            self._hardware.read()
            self._asserted_ns = now_ns
        self._hardware.lamps.light({seat: Lamp(lamp) for seat, lamp in shown[0].items()})
        self._hardware.lock_line.lock(shown[1])
        self._hardware.buttons.light_buttons(shown[2])
        self._wants_frame = self._wants_frame or shown != self._shown
        self._shown = shown

    @property
    def _assert_ns(self) -> int:
        return ASSERT_NS if self.state.felt.up else LOST_NS

    def _show_screen(self, state: TableState, now_ns: int) -> None:
        said = composed(self._house, self._without_old_refusal(state, now_ns), self._live(now_ns), self._regions)
        now = spoken(said, self._words)
        if now == self._screen and not self._wants_frame:
            return
        self._screen, self._wants_frame = now, False
        frame = Frame(now, self._config.screen.guard_ms, now_ns)
        seen = observe(frame, said, lamps(state), locked(state)) if self._glass.watched else None
        self._glass.show(frame, seen)

    def _without_old_refusal(self, state: TableState, now_ns: int) -> TableState:
        """The state as it is shown: nobody reads the refusal of a press after some seconds; that of a PIN stays."""
        notice = state.desk.notice
        if notice is not self._refusal[0]:
            self._refusal = notice, now_ns
        if not notice or state.desk.failed or now_ns - self._refusal[1] < REFUSED_NS:
            return state
        return replace(state, desk=state.desk.unsaid)

    @property
    def _place(self) -> str:
        """The screen at which people sign: the key of what is shown."""
        return self._service.place or screen_key(self.state)

    def _live(self, now_ns: int) -> Live:
        place, unit = self._place, self.state.neighbors.shuffler
        badge = self._pins.badge
        person = self._house.people.get(badge)
        return Live(
            clock=time.strftime(CLOCK),
            at=self._now[0] // 60 * 60,
            meters=self._meters,
            meters_at=self._meters_at,
            badge=badge,
            name=person.name if person else "",
            typed=self._pins.typed,
            wait_s=self._pins.wait_s(now_ns) if badge else 0,
            checking=self._pins.checking(now_ns),
            by=self._pins.by(place, now_ns),
            denominations=self._denominations,
            locking=self._lines.locking,
            reader_gone=self._reader_gone,
            faults=self._faults,
            day=self._now[1],
            can_serve=is_closed(self.state),
            service=self._service.shown(unit.mode if unit.connected else ""),
        )

    def _wait(self) -> list[object]:
        """Until something comes, or is due though nothing comes: a level settles, the lamps are told again.

        A timer wakes a quarter of a millisecond late and the processor cold, which is as long as the commit that
        follows. So the loop wakes early for a level that settles, rehearses its turn, and watches the clock for the rest.
        """
        settles_ns = self._lines.next_deadline()
        due_ns = self._asserted_ns + self._assert_ns
        if settles_ns is None or settles_ns > due_ns:
            if settles_ns is None and self.state.phase != "open":  # a chip may come at any time while bets are open
                if signals := self._inbox.take(0):
                    return signals
                garbage.sweep()
            return self._inbox.take(max(0.0, (due_ns - time.monotonic_ns()) / S))
        early_ns = WAKE_EARLY_NS + self._rehearsal_ns
        signals = self._inbox.take(max(0.0, (settles_ns - early_ns - time.monotonic_ns()) / S))
        if signals:
            return signals
        self._rehearse(settles_ns)
        while time.monotonic_ns() < settles_ns:
            pass
        return self._inbox.take(0)  # what a line has reported meanwhile counts for what settles now

    def _rehearse(self, settles_ns: int) -> None:
        """Go the way of the chip that settles next up to its lamp, but for what is written: for the processor's caches.

        A loop that has slept finds code and data cold, and what is decided and written takes four times as long. Nothing
        that is rehearsed is kept: the turn decides again, from what is known then. It has time, or is left out.
        """
        began_ns = time.monotonic_ns()
        coming = self._lines.coming()
        if not coming or began_ns + self._rehearsal_ns > settles_ns:
            return
        state = self._spine.rehearse(coming)
        lamps(state), locked(state), heeds_switch(state)
        self._rehearsal_ns = min(REHEARSAL_MOST_NS, time.monotonic_ns() - began_ns)
