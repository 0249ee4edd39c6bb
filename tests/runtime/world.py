"""A table's and a bank's process in memory: real service, real journal, real inbox; a world side instead of devices.

Time is the world's: nothing waits for a clock, and nothing sleeps.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import msgspec
import pytest

from firmware import config as c
from firmware.config import BankConfig
from firmware.rules.message import Message, say
from firmware.rules.submission import Submission
from firmware.runtime import bank as bank_runtime
from firmware.runtime import clock as clock_runtime
from firmware.runtime import table as table_runtime
from firmware.runtime import words as words_runtime
from firmware.runtime.bank import BankService, begin_ledger, open_journal, rules_of
from firmware.runtime.clock import Look
from firmware.runtime.day_files import Journal
from firmware.runtime.glass import Frame, Observation, TapArrived
from firmware.runtime.house import house_of
from firmware.runtime.link import Arrived, Connected, Disconnected, NoLink
from firmware.runtime.pins import PinChecked
from firmware.runtime.seals import own_key
from firmware.runtime.table import TableService
from firmware.runtime.table_journal import VOCABULARY, make_journal
from firmware.runtime.table_journal import open_journal as open_table_journal
from firmware.runtime.table_signatures import go_live
from firmware.runtime.words import BankLink, Sealed, TableLink, Voice
from firmware.table import events as e
from firmware.table.state import NO_HASH, MachineWork, TableState
from firmware.wire.offers import offer_of
from firmware.wire.records import document
from firmware.wire.structs import replace
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox
from hal.ports import (
    LOCKOUT,
    Badge,
    BadgeReader,
    Button,
    ButtonPressed,
    Complaint,
    DeviceFound,
    DeviceLost,
    Edge,
    Hardware,
    Lamp,
    Level,
    Put,
    ShufflerStatus,
)
from hal.watchdog import Watchdog
from ui.dealer.widgets import Widget

MS = 1_000_000
S = 1_000_000_000
EPOCH = "e" * 32
PINS = {"2001": "4826", "3001": "7391"}
READY = ShufflerStatus(True, "unit-1", "ready", 52, "blue", "", 0, 0)
PATIENCE_S = 60
"""How long a thread may take on a machine that has no time for it. No result hangs on it."""
One = TypeVar("One")


@dataclass
class Clock:
    """CLOCK_MONOTONIC, turned by hand."""

    now_ns: int = 1_000 * S

    @property
    def utc_s(self) -> int:
        """The time of day goes with it."""
        return 1_790_000_000 + self.now_ns // S

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Both services read the time through their module's `time`."""
        here = SimpleNamespace(monotonic_ns=lambda: self.now_ns, strftime=lambda _format: "12:00")
        monkeypatch.setattr(table_runtime, "time", here)
        monkeypatch.setattr(clock_runtime, "look", lambda: Look(self.utc_s * S, self.now_ns, False))
        monkeypatch.setattr(bank_runtime, "time", here)
        monkeypatch.setattr(words_runtime, "time", here)


@dataclass
class MemoryLink:
    """A link with a world side: `deliver`, and all that was published."""

    put: Callable[[object], None]
    clock: Clock
    connected: bool = False
    contested: bool = False
    closed: bool = False
    published: list[tuple[str, bytes]] = field(default_factory=list)
    carried: int = 0
    """How many of them a wire has brought to the other side."""
    kept: dict[str, bytes] = field(default_factory=dict)
    """What a broker keeps of them."""

    def carries(self) -> list[tuple[str, bytes]]:
        """What was published and not yet brought."""
        first, self.carried = self.carried, len(self.published)
        return self.published[first:]

    def start(self) -> None:
        pass

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        if self.connected:
            self.published.append((topic, payload))
            if retain:
                self.kept[topic] = payload

    def close(self) -> None:
        self.connected, self.closed = False, True

    def connects(self) -> None:
        self.connected = True
        self.put(Connected(self.clock.now_ns))

    def drops(self) -> None:
        self.connected = False
        self.put(Disconnected(say("link.broker-gone"), self.clock.now_ns))

    def deliver(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        self.put(Arrived(topic, payload, self.clock.now_ns, retained))

    def last(self, topic: str) -> dict[str, Any]:
        """The newest payload of a topic."""
        return next(json.loads(payload) for name, payload in reversed(self.published) if name == topic)

    def all(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(payload) for name, payload in self.published if name == topic]


@dataclass
class MemorySensors:
    """Sensors, lamps and the lockout; the world places chips and turns the switch."""

    put: Put
    clock: Clock
    seats: int = 6
    levels: dict[int, bool] = field(default_factory=dict)
    lamps: dict[int, Lamp] = field(default_factory=dict)
    buttons: dict[Button, bool] = field(default_factory=dict)
    locked: bool = True
    closed: bool = False
    name: str = "cabinet"

    def start(self) -> None:
        self.put(DeviceFound("cabinet"))
        self.read()

    def read(self) -> None:
        for line in range(self.seats + 1):
            self.put(Level(line, self.levels.get(line, False), self.clock.now_ns))

    def light(self, lamps: Mapping[int, Lamp]) -> None:
        self.lamps = dict(lamps)

    def lock(self, locked: bool) -> None:
        self.locked = locked

    def light_buttons(self, lit: Mapping[Button, bool]) -> None:
        self.buttons = dict(lit)

    def close(self) -> None:
        self.closed = True

    def moves(self, line: int, on: bool) -> None:
        self.levels[line] = on
        self.put(Edge(line, on, self.clock.now_ns))

    def pushes(self, seat: int, hand: str) -> None:
        self.put(ButtonPressed(seat, hand, self.clock.now_ns))


@dataclass
class MemoryShuffler:
    """A shuffler that says what the world wants, and remembers what was acknowledged."""

    put: Put
    status: ShufflerStatus = READY
    acknowledged: list[int] = field(default_factory=list)
    closed: bool = False

    def start(self) -> None:
        self.put(self.status)

    def acknowledge(self, alarm: int) -> None:
        self.acknowledged.append(alarm)

    def close(self) -> None:
        self.closed = True

    def says(self, status: ShufflerStatus) -> None:
        self.status = status
        self.put(status)

    def complains(self, text: str) -> None:
        self.put(Complaint("shuffler", text))

    def lost(self) -> None:
        self.put(DeviceLost("shuffler", "unplugged"))


@dataclass
class MemoryGlass:
    """Keeps the newest frame and observation, as a bench would see them."""

    frame: Frame | None = None
    seen: Observation | None = None
    frames: list[bytes] = field(default_factory=list)
    watched: bool = True

    def start(self) -> None:
        pass

    def show(self, frame: Frame, observation: Observation | None) -> None:
        self.frame, self.seen = frame, observation

    def close(self) -> None:
        pass


METER = {
    "name": "main",
    "display_name": "Jackpot",
    "amount": "10012.34",
    "seed": "10000.00",
    "steps": 2,
    "most": "10012.34",
}
BOARD = {
    "v": 1,
    "epoch": EPOCH,
    "version": 3,
    "at": "2026-11-21T14:07:05.123Z",
    "title": "Progressive",
    "tables": ["uth-04"],
    "meters": [METER],
    "pending": [],
    "won": [],
}


class TableWorld:
    """One table and the world around it, in the words of a person who stands there."""

    sensors: MemorySensors
    journal: Journal[Any]
    badges: BadgeReader | None = None
    faults: tuple[Message, ...] = ()
    sealed = False
    """Words go over the edge at which they are sealed, as those of a program do."""
    live = True
    """Two people have said LIVE at the new table before its program starts."""

    def __init__(self, folder: Path, clock: Clock, written: str = "") -> None:
        """`written`: a table.toml; "": the defaults of the simulation."""
        self.folder, self.clock = folder, clock
        self.file = folder / "table.toml" if written else None
        if self.file:
            self.file.write_text(written, encoding="utf-8")
        self.config = c.load_table(self.file)
        if written:
            self.config = msgspec.structs.replace(self.config, people=c.SIMULATED_PEOPLE)
        self.starts()

    def starts(self) -> None:
        """The program starts, or starts again on the same journal; the chips stay."""
        submission = c.submission(self.config, self.file)
        self.inbox = Inbox(self.config.seats.debounce_ms * MS)
        self.link = MemoryLink(self.inbox.put, self.clock)
        self.wires(submission)
        self.shuffler = MemoryShuffler(self.inbox.put)
        self.glass = MemoryGlass()
        if hasattr(self, "journal"):
            self.journal.close()  # the program that ran before is gone
        path = self.folder / "table.journal"
        if not path.exists():
            make_journal(path, self.config.id, self.config.seats.count)
            if self.live:
                go_live(path, ("2001", "3001"), 1_800_000_000)
        self.journal: Journal[e.Event] = open_table_journal(path)
        self.service = TableService(
            self.config,
            house_of(self.config, submission),
            self.journal,
            self.inbox,
            self.hardware,
            self.shuffler,
            self.edge() if submission.on_sensor else NoLink(),
            self.glass,  # type: ignore[arg-type]
            Watchdog({}),
            self.badges,
            self.faults,
        )
        self.service._open(submission.submission_hash)
        self.hardware.start()
        if self.badges is not None:
            self.badges.start()
        self.shuffler.start()
        self.service._begin("test", submission.submission_hash)
        self.turns()

    def edge(self) -> MemoryLink | Sealed:
        """What the service speaks through."""
        if not self.sealed:
            return self.link
        voice = Voice(lambda: own_key(self.journal))
        edge = TableLink(voice, self.inbox.put, lambda: self.service.state.neighbors.ledger.key)
        edge.over(self.link)
        self.link.put = edge.arrived
        return edge

    @property
    def hardware(self) -> Hardware:
        """What the program is wired to."""
        return Hardware.of(self.sensors)

    def wires(self, submission: Submission) -> None:
        """What stands in for sensors, lamps and the badge reader; the chips stay."""
        levels = self.sensors.levels if hasattr(self, "sensors") else {}
        sensed = self.config.seats.count if submission.on_sensor else -1
        self.sensors = MemorySensors(self.inbox.put, self.clock, sensed, levels)

    @property
    def state(self) -> TableState:
        return self.service.state

    @property
    def topic(self) -> str:
        return f"felt/felt/table/{self.config.id}"

    def turns(self, ms: int = 0) -> None:
        """So much time passes, and the loop turns."""
        self.clock.now_ns += ms * MS
        self.service.turn(self.inbox.take(0))
        self._swaps_decks()

    def _swaps_decks(self) -> None:
        """A shuffler that stands ready gives its deck, takes the other one in and shuffles it, between two rounds."""
        status, deck = self.shuffler.status, self.state.deck
        in_order = status == dataclasses.replace(READY, alarm=status.alarm, deck=status.deck)
        if self.state.phase != "closed" or not in_order or deck is None:
            return
        if deck.color != status.deck or self.state.decks.work is not MachineWork.DONE:
            self.shuffles(deck=deck.color)

    def shuffles(self, **changes: Any) -> None:
        """The shuffler shuffles, and has a whole deck ready."""
        for mode, count in (("shuffling", None), ("ready", READY.count)):
            now = dataclasses.replace(self.shuffler.status, connected=True, mode=mode, count=count, fault="", **changes)
            self.shuffler.says(now)
            self.service.turn(self.inbox.take(0))

    def events(self, kind: type[Any]) -> list[Any]:
        """Every event of that kind, read back from the file."""
        journal = Journal(self.folder / "table.journal", VOCABULARY, read_only=True)
        try:
            return [event for event in journal.replay() if isinstance(event, kind)]
        finally:
            journal.close()

    # The felt --------------------------------------------------------------------------------------------------------

    def brings_cards(self) -> None:
        """Preinspected and preshuffled decks are brought, and the first of them is cut (653a.4(e), 653a.5(d))."""
        self.presses_for("preinspected")
        self.presses_for("cut")
        assert self.state.decks.here and self.state.phase in ("closed", "open", "shuffle"), self.text

    def opens(self) -> None:
        """Cards are there, the bank is, the switch is turned to open, and every line has been steady for a second."""
        if self.state.phase == "shut":
            self.brings_cards()
        self.link.connects()
        self.beats()
        self.sensors.moves(LOCKOUT, True)
        self.turns(50)
        self.turns(50)
        for _ in range(3):
            self.beats()
            self.turns(1_000)
        assert self.state.phase == "open", self.text

    def places(self, *seats: int) -> None:
        for seat in seats:
            self.sensors.moves(seat, True)
        self.turns(30)

    def locks(self) -> None:
        """No more bets, by the switch."""
        self.sensors.moves(LOCKOUT, False)
        self.turns(60)

    def counted(self, *seats: int) -> None:
        """Bets on these seats, locked, counted: the round's wagers are owed."""
        self.opens()
        self.places(*seats)
        self.locks()
        self.presses(f"count-{len(seats)}")
        assert self.state.phase == "deal", self.text

    def validating(self, seat: int = 3) -> None:
        """A fixed prize waits for a floorperson."""
        self.counted(seat)
        self.presses(f"seat-{seat}")
        self.presses("hand-flush")
        assert self.state.phase == "validate", self.text

    def claims_a_royal(self, seat: int = 3) -> None:
        """A counted seat's royal flush is shown, and a floorperson validates it: its claim waits for a price."""
        self.presses(f"seat-{seat}")
        self.presses("hand-royal-flush")
        for card in ("As", "Ks", "Qs", "Js", "Ts"):
            self.presses(f"rank-{card[0]}")
            self.presses(f"suit-{card[1]}")
        self.presses("primary")
        self.identifies("2001")
        self.presses("primary", held_ms=1_500)

    # The bank --------------------------------------------------------------------------------------------------------

    @property
    def offer(self) -> dict[str, Any]:
        """What a bank says that plays what this table plays."""
        offer = offer_of(c.submission(self.config, self.file), "test")
        assert offer is not None, "a table without a progressive has no bank"
        return document(offer)

    @property
    def heart(self) -> dict[str, Any]:
        """What it says that it is there with."""
        return {
            "v": 1,
            "bank": "felt",
            "epoch": EPOCH,
            "alive": True,
            "at": "2026-11-21T14:07:05.123Z",
            "board": 1,
            "offer": self.offer,
        }

    def beats(self, **changes: Any) -> None:
        self.link.deliver("felt/felt/alive", json.dumps(self.heart | changes).encode())

    def down(self, **changes: Any) -> dict[str, Any]:
        """What a bank says that holds everything this table owes."""
        held = self.state.neighbors.outbox[-1] if self.state.neighbors.outbox else None
        return {
            "v": 1,
            "epoch": EPOCH,
            "table": self.config.id,
            "journal": self.state.program.journal if held else "",
            "seq": held.seq if held else 0,
            "hash": held.hash if held else NO_HASH,
            "claims": [],
            "alarm": None,
        } | changes

    def alarm(self, kind: str, seq: int, text: str) -> dict[str, Any]:
        """An alarm of the bank about a message that this table has sent, or would."""
        sent = {one.seq: one.hash for one in self.state.neighbors.outbox}
        journal = self.state.program.journal
        return {"kind": kind, "journal": journal, "seq": seq, "hash": sent.get(seq, NO_HASH), "text": text}

    def bank_says(self, **changes: Any) -> None:
        self.link.deliver(f"{self.topic}/down", json.dumps(self.down(**changes)).encode())
        self.turns()

    def hears_board(self, **changes: Any) -> None:
        """The bank's board, of a meter that held $10,012.34 at most."""
        self.link.deliver("felt/felt/meters", json.dumps(BOARD | changes).encode())

    # The screen ------------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """Every word on the screen, as a bench observes it."""
        assert self.glass.seen is not None
        return " | ".join(" / ".join(widget.text.split("\n")) for widget in self.glass.seen.widgets if widget.text)

    def taps(self, name: str, held_ms: int = 0, screen_key: str | None = None) -> None:
        """A finger in the middle of a key, whether it can be pressed or not."""
        assert self.glass.frame is not None
        shown = self.glass.frame.screen
        widget = next(widget for widget in shown.widgets if widget.id == name)
        x, y = widget.x + widget.w / 2, widget.y + widget.h / 2
        self.inbox.put(TapArrived(screen_key or shown.key, x, y, held_ms, self.clock.now_ns))

    def presses(self, name: str, held_ms: int = 0) -> None:
        self.taps(name, held_ms)
        self.turns()

    def key_for(self, press: str) -> Widget:
        """The key that tells the table this, wherever the screen has it."""
        assert self.glass.frame is not None
        key = next((one for one in self.glass.frame.screen.widgets if one.press == press), None)
        assert key is not None, f"no key for {press!r}: {self.text}"
        return key

    def presses_for(self, press: str) -> None:
        """That key, for as long as it must be held."""
        key = self.key_for(press)
        self.presses(key.id, key.hold_ms)

    def shows_badge(self, number: str) -> None:
        self.inbox.put(Badge(number, self.clock.now_ns))
        self.turns()

    @property
    def asks_pin(self) -> bool:
        """The pad is there."""
        assert self.glass.frame is not None
        return any(one.id.startswith("pin-") for one in self.glass.frame.screen.widgets)

    def types(self, digits: str) -> None:
        for digit in digits:
            self.presses(f"pin-{digit}")

    def awaits(self, kind: type[One], device: str | None = None) -> One:
        """The first signal of this kind (of this device) that a thread puts; it and all that came before it go on waiting.

        A busy machine puts words of its own in between, such as a complaint about late contacts or another device's
        return, so the first signal that comes is not always the one that was asked for.
        """
        held: list[object] = []
        found: One | None = None
        while found is None:
            came = self.inbox.take(PATIENCE_S)
            assert came, f"nobody put {kind.__name__}, only {held}"
            held += came
            found = next(
                (one for one in held if isinstance(one, kind) and device in (None, getattr(one, "device", None))), None
            )
        for one in held:
            self.inbox.put(one)
        return found

    def hears(self, kind: type[One], device: str | None = None) -> One:
        """Wait for such a signal, and take it in."""
        heard = self.awaits(kind, device)
        self.turns()
        return heard

    def enters_pin(self, digits: str) -> PinChecked:
        """Type, press OK, and wait for the checking thread's answer."""
        self.types(digits)
        self.presses("pin-OK")
        return self.hears(PinChecked)

    def identifies(self, badge: str) -> None:
        self.shows_badge(badge)
        assert self.enters_pin(PINS[badge]).right


class BankWorld:
    """One bank and the tables that speak to it."""

    journal: Journal[Any]
    sealed = False
    """As a table's."""

    def __init__(self, folder: Path, clock: Clock, *, signed_first: bool = False) -> None:
        """`signed_first`: as a bank is started; else a table's first journal is adopted as soon as it speaks."""
        self.folder, self.clock, self.signed_first = folder, clock, signed_first
        self.config: BankConfig = c.load_bank(None)
        self.starts()

    def edge(self) -> MemoryLink | Sealed:
        """What the service speaks through."""
        if not self.sealed:
            return self.link
        voice = Voice(lambda: own_key(self.journal, "felt/bank/felt"))
        edge = BankLink(voice, self.inbox.put, BankTopics("felt"), lambda table: self.service.adopted(table))
        edge.over(self.link)
        self.link.put = edge.arrived
        return edge

    @property
    def path(self) -> Path:
        return self.folder / "bank.ledger"

    def starts(self, epoch: str = EPOCH, *, restored: bool = False) -> None:
        """The program starts, or starts again on the same ledger."""
        submission = c.submission(self.config, None)
        assert submission.on_sensor
        self.inbox = Inbox(0)
        self.link = MemoryLink(self.inbox.put, self.clock)
        if hasattr(self, "journal"):
            self.journal.close()  # the program that ran before is gone
        if new := not self.path.exists():
            begin_ledger(self.path, self.config.id)
        self.journal = open_journal(self.path)
        rules = replace(rules_of(self.config, submission, None), signed_first=self.signed_first)
        self.service = BankService(
            self.config,
            rules,
            self.journal,
            self.inbox,
            self.edge(),
            Watchdog({}),
            offer=offer_of(submission, "test"),
        )
        self.service.begin(epoch, restored=restored or new)
        self.link.connects()
        self.turns()

    def turns(self, ms: int = 0) -> None:
        self.clock.now_ns += ms * MS
        self.service.turn(self.inbox.take(0))

    def hears(self, *payloads: bytes, table: str = "uth-04") -> None:
        """These payloads arrive under a table's topic, in one turn."""
        for payload in payloads:
            self.link.deliver(f"felt/felt/table/{table}/up", payload)
        self.turns()

    @property
    def down(self) -> dict[str, Any]:
        return self.link.last("felt/felt/table/uth-04/down")

    def meter(self, name: str = "main") -> int:
        return self.service.state.meter(name)

    def events(self, kind: type[Any]) -> list[Any]:
        journal = open_journal(self.path, read_only=True)
        try:
            return [event for event in journal.replay() if isinstance(event, kind)]
        finally:
            journal.close()
