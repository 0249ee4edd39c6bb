"""The near end of the hands in the virtual machine (`tests/hil/guest/hands.py`).

People use the simulated world as it is: a cabinet on this computer with its chips, its switch and its shuffler. Its wires
lead into the machine. `FarHands` is what a table is to that cabinet: contacts become pulls of GPIO lines, badges keys of
a reader, touches fingers on a panel; what the output lines show becomes lamps and a lock line. The cabinet knows no
difference, and outlives a power cut as chips do.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import socket
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.config import TableConfig
from hal.cabinet.wire import DEVICE_SOCKET, line_of
from hal.ports import LOCKOUT, Lamp
from tests.hil.machine import Machine
from tests.hil.rig import Broken, Held, Lines
from ui.dealer.panels import Panel

SPAN = 4096
"""The far panel's axes go from 0 to one less."""
RETRY_S = 0.2
CONTROL_S = 120.0
LOOK_S = 1.0
STARVED = 30
"""So many times longer a line may take by the machine's own clock, which goes on while it waits for a processor."""
ANSWER_S = 10.0
"""A machine that is there says so within this; one that starts anew may leave a connection waiting for minutes."""
PINGS = 12
SOON_NS = 1_000_000_000
"""The switch's first edge is looked for from so long before the cabinet's own time of it: two clocks, and a wire between."""
BOUNCE_NS = 200_000_000
"""Edges of a switch that are closer to each other are of one turn of it, in a machine that stands still now and then too."""
CLOSED_MS, TURNED_BACK_MS = 10.0, 30.0
"""Closed for less between two of them it only bounced; for longer it was turned back, since a table's debounce time (20 ms)
has passed. In between nobody knows."""
BLINK_FAST_NS, BLINK_SLOW_NS = 300_000_000, 900_000_000
"""A lamp that changes again so soon blinks, fast or slowly."""


class Control:
    """Root's hands in the machine: commands, signals, files. A connection for each thing asked."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def ask(self, do: str, patience_s: float = CONTROL_S, **told: Any) -> dict[str, Any]:
        """One thing. Raises OSError while the machine does not answer, Broken for what failed there.

        patience_s: what the machine waits for a processor of this computer is not counted.
        """
        with self.connection(patience_s) as ask:
            return ask(do, **told)

    @contextlib.contextmanager
    def connection(self, patience_s: float) -> Iterator[Callable[..., dict[str, Any]]]:
        """Several things over one connection."""
        with dial(self._machine, "control", patience_s) as wire:

            def ask(do: str, **told: Any) -> dict[str, Any]:
                wire.sendall(line_of({"do": do, **told}))
                answer: dict[str, Any] = json.loads(self._line(wire, patience_s))
                if "error" in answer:
                    raise Broken(f"{do} in the machine: {answer['error']}")
                return answer

            yield ask

    def _line(self, wire: socket.socket, patience_s: float) -> bytes:
        """What the machine says next."""
        line, deadline = b"", self._machine.now_s + patience_s
        wire.settimeout(LOOK_S)
        while not line.endswith(b"\n"):
            try:
                chunk = wire.recv(65_536)
            except TimeoutError:
                if self._machine.now_s > deadline:
                    raise
                continue
            if not chunk:
                raise ConnectionResetError("the machine hung up")
            line += chunk
        return line

    def run(self, line: str, within_s: float = CONTROL_S) -> str:
        """A line of shell as root; what it said. Raises Broken if it fails."""
        done = self.ask("run", within_s + 10, line=line, within_s=STARVED * within_s)
        if done["code"]:
            raise Broken(f"{line!r} in the machine: exit code {done['code']}: {done['said'][-2000:]}")
        return str(done["said"])

    def put(self, path: str, contents: bytes) -> None:
        """Write a file."""
        self.ask("put", path=path, contents=base64.b64encode(contents).decode())

    def get(self, path: str) -> bytes:
        """Read a file."""
        return base64.b64decode(self.ask("get", path=path)["contents"])

    def ahead_ns(self) -> int:
        """By how much this computer's CLOCK_MONOTONIC is ahead of the machine's; good to half of the fastest answer."""
        best, ahead = 1 << 62, 0
        with self.connection(ANSWER_S) as ask:
            for _ in range(PINGS):
                before = time.monotonic_ns()
                there = ask("now")["at_ns"]
                took = time.monotonic_ns() - before
                if took < best:
                    best, ahead = took, before + took // 2 - there
        return ahead

    def talk(self, line: str, answer: Callable[[str], str], within_s: float) -> str:
        """A line of shell that asks questions; all that it said. `answer`: to a line that ends with a colon."""
        said, asked = "", 0
        with dial(self._machine, f"talk {line}", within_s) as wire:
            while chunk := wire.recv(65_536):
                said += chunk.decode(errors="replace")
                if said.endswith(": ") and said.count(": ", asked):
                    question, asked = said[asked:].splitlines()[-1], len(said)
                    wire.sendall(answer(question).encode() + b"\n")
        return said


@contextlib.contextmanager
def dial(machine: Machine, what: str, within_s: float) -> Iterator[socket.socket]:
    """A connection to the hands' port. Raises OSError; a machine that is booting hangs up at once."""
    with socket.create_connection(("127.0.0.1", machine.port), timeout=within_s) as wire:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire.sendall(f"{what}\n".encode())
        yield wire


@dataclass
class Bulb:
    """What a meter at a lamp has seen: its level, and its last two changes (ns of this computer)."""

    high: bool = False
    changed_ns: int = 0
    before_ns: int = 0
    shown: Lamp = Lamp.DARK

    def change(self, high: bool, at_ns: int) -> None:
        if high != self.high:
            self.high, self.before_ns, self.changed_ns = high, self.changed_ns, at_ns

    def look(self, now_ns: int) -> Lamp:
        apart = self.changed_ns - self.before_ns
        blinks = now_ns - self.changed_ns < BLINK_SLOW_NS and apart < BLINK_SLOW_NS
        if blinks and self.before_ns:
            return Lamp.FAULT if apart < BLINK_FAST_NS else Lamp.LATE
        return Lamp.LIT if self.high else Lamp.DARK


@dataclass
class Wiring:
    """Which line of the chip each thing of the table is wired to."""

    sensors: Mapping[int, int] = field(default_factory=dict)
    lamps: Mapping[int, int] = field(default_factory=dict)
    lockout: int | None = None
    lock: int | None = None


def wiring(config: TableConfig, *, sensors: bool) -> Wiring:
    """Of a table, by its table.toml; nothing is wired at one without sensors."""
    if not sensors:
        return Wiring()
    seats = config.seats
    return Wiring(
        dict(enumerate(seats.sensor_pins, start=1)),
        dict(enumerate(seats.lamp_pins, start=1)),
        seats.lockout_pin,
        seats.lock_pin,
    )


@dataclass(frozen=True, slots=True)
class Pull:
    """A line was pulled, and left high or low: at `at_ns` (of this computer) it was done, `took_ns` before it was not.

    late_ns: the longest that the machine was seen to stand still since the pull before.
    """

    line: int
    high: bool
    at_ns: int
    took_ns: int = 0
    late_ns: int = 0


class FarHands:
    """Carries everything between a cabinet and a machine, until closed; comes back by itself after each boot."""

    def __init__(self, machine: Machine, home: Path, wires: Wiring, panel: Panel) -> None:
        self._machine, self._cabinet = machine, home / DEVICE_SOCKET
        self._wires, self._panel = wires, panel
        self._lock = threading.Lock()
        self._levels: dict[int, bool] = {}
        self._bulbs = {seat: Bulb() for seat in wires.lamps}
        self._holders: dict[str, bool] = {}
        self._held = threading.Condition(self._lock)
        self._ahead_ns = 0
        self._far: socket.socket | None = None
        self._stopped = threading.Event()
        self._inverted: set[int] = set()
        self.unplugged: set[str] = set()
        """Devices that were taken away: no badge waits for its reader to come back."""
        self.pulled: list[Pull] = []
        """Every line that was pulled."""
        self._asked = 0
        """How many pulls were asked for since the machine was there."""
        self._threads = [
            threading.Thread(target=self._run, name="far-hands", daemon=True),
            threading.Thread(target=self._feel, name="far-panel", daemon=True),
        ]

    def start(self) -> None:
        """Begin to carry."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End; the cabinet sees its table leave."""
        self._stopped.set()
        self.drop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=5)

    def drop(self) -> None:
        """The machine is off, or starts anew: nothing that it said holds any longer."""
        with self._lock:
            far, self._far = self._far, None
            self._levels = {}
            self._holders = {}
            self._held.notify_all()
            if far is not None:
                with contextlib.suppress(OSError):
                    far.shutdown(socket.SHUT_RDWR)

    @property
    def there(self) -> bool:
        """The far hands answer."""
        return self._far is not None

    @property
    def ahead_ns(self) -> int:
        """Added to a time of the machine, gives this computer's."""
        return self._ahead_ns

    def lines(self) -> Lines:
        """What a meter at the lamps and at the lock line reads; without power everything is low."""
        with self._lock:
            lamps = {seat: self._levels.get(line, False) for seat, line in self._wires.lamps.items()}
            lock = self._wires.lock
            return Lines(lamps, lock is not None and self._levels.get(lock, False), time.monotonic())

    def held(self, device: str, within_s: float) -> bool:
        """Wait until a program has this device (chip, touch, badge) open."""
        with self._held:
            return self._held.wait_for(lambda: self._holders.get(device, False) or self._stopped.is_set(), within_s)

    def held_ms(self, locked_ns: int, within_s: float) -> dict[int, Held]:
        """As `tests.hil.rig.Rig.held_ms`, by the machine's own clock at its wires. Raises Broken if a pull is not told.

        While hands stood still everything else in the machine may have, too: the kernel's stamp of an edge, or the table.
        So each bound is wider by the longest that the machine stood still around this lock.
        """
        wires, soon_ns = self._wires, locked_ns - SOON_NS
        with self._held:
            if not self._held.wait_for(lambda: len(self.pulled) >= self._asked, within_s):
                raise Broken(f"of {self._asked} pulls of lines the machine tells {len(self.pulled)}")
            pulled = list(self.pulled)
        recent = [pull for pull in pulled if pull.at_ns > soon_ns]
        late_ns = max(pull.late_ns for pull in recent)
        turned = _turned_last([pull for pull in recent if pull.line == wires.lockout], late_ns)
        held: dict[int, Held] = {}
        for seat, line in wires.sensors.items():
            since = [(_closed_at(pulled, line, locked.at_ns), locked) for locked in turned]
            possible = [_between(closed, locked, late_ns) for closed, locked in since if closed is not None]
            if possible:
                held[seat] = min(least for least, _ in possible), max(most for _, most in possible)
        return held

    def invert(self, line: int) -> None:
        """Wire a line the other way round: its sensor's contact, or what hangs at it."""
        self._inverted.add(line)

    def plug(self, device: str, there: bool) -> None:
        """Give a device of the machine to its kernel, or take it away."""
        (self.unplugged.discard if there else self.unplugged.add)(device)
        self._say({"plug": [device, there]})

    def _say(self, said: Mapping[str, Any]) -> None:
        with self._lock:
            if self._far is not None:
                with contextlib.suppress(OSError):  # its reader finds out
                    self._far.sendall(line_of(said))

    # the machine's end

    def _run(self) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(OSError, ValueError, Broken):
                self._stay()
            self.drop()
            self._stopped.wait(RETRY_S)

    def _stay(self) -> None:
        self._ahead_ns = Control(self._machine).ahead_ns()
        wires = self._wires
        outputs = [*wires.lamps.values(), *([wires.lock] if wires.lock is not None else [])]
        with dial(self._machine, "hands", CONTROL_S) as far, self._table() as near:
            far.sendall(line_of({"outputs": outputs}))
            with self._lock:
                self._far = far
                self._asked = 0
                self.pulled.clear()
            threading.Thread(target=self._listen_near, args=(near, far), name="far-moves", daemon=True).start()
            received = b""
            while not self._stopped.is_set():
                readable, _, _ = select.select([far], [], [], 0.1)
                if readable:
                    chunk = far.recv(65_536)
                    if not chunk:
                        return
                    *lines, received = (received + chunk).split(b"\n")
                    for line in lines:
                        self._hear(json.loads(line))
                self._show(near)

    @contextlib.contextmanager
    def _table(self) -> Iterator[socket.socket]:
        """The cabinet's wires to a table."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as near:
            near.connect(str(self._cabinet))
            near.sendall(line_of({"hello": "table"}))
            try:
                yield near
            finally:
                with contextlib.suppress(OSError):
                    near.shutdown(socket.SHUT_RDWR)

    def _hear(self, said: Mapping[str, Any]) -> None:
        with self._held:
            match said:
                case {"levels": dict(levels), "at_ns": int(at_ns)}:
                    self._levels = {
                        int(line): bool(high) != (int(line) in self._inverted) for line, high in levels.items()
                    }
                    for seat, line in self._wires.lamps.items():
                        self._bulbs[seat].change(self._levels.get(line, False), at_ns + self._ahead_ns)
                case {"holders": dict(holders)}:
                    self._holders = {str(name): bool(held) for name, held in holders.items()}
                    self._held.notify_all()
                case {"pulled": [line, high], "took_ns": took_ns, "late_ns": late_ns, "at_ns": at_ns}:
                    self.pulled.append(Pull(line, high, at_ns + self._ahead_ns, took_ns, late_ns))
                    self._held.notify_all()

    def _show(self, near: socket.socket) -> None:
        """Tell the cabinet what its lamps are, where that is new."""
        with self._lock:
            now_ns = time.monotonic_ns()
            looks = {seat: bulb.look(now_ns) for seat, bulb in self._bulbs.items()}
            lock = self._wires.lock
            locked = lock is None or not self._levels.get(lock, False)
            said = {"lamps": {str(seat): str(lamp) for seat, lamp in looks.items()}, "locked": locked}
            if said == self._told:
                return
            self._told = said
            at_ns = max([now_ns - 100_000_000, *(bulb.changed_ns for bulb in self._bulbs.values())])
        near.sendall(line_of({**said, "at_ns": min(at_ns, now_ns)}))

    _told: Mapping[str, Any] = {}

    def _listen_near(self, near: socket.socket, far: socket.socket) -> None:
        """What hands do at the cabinet, until it or the machine hangs up."""
        self._told = {}
        with contextlib.suppress(OSError, ValueError):
            for line in near.makefile("rb"):
                self._move(json.loads(line))
        with contextlib.suppress(OSError):
            far.shutdown(socket.SHUT_RDWR)

    def _move(self, said: Mapping[str, Any]) -> None:
        match said:
            case {"edge": [int(place), bool(on), int()]} | {"level": [int(place), bool(on), int()]}:
                line = self._wires.lockout if place == LOCKOUT else self._wires.sensors.get(place)
                if line is not None:
                    with self._lock:
                        self._asked += 1
                    self._say({"pull": [line, on == (line in self._inverted)]})
            case {"badge": [str(number), int()]}:
                threading.Thread(target=self._hold_badge, args=(number,), name="far-badge", daemon=True).start()

    def _hold_badge(self, number: str) -> None:
        """A person holds a badge to the reader until somebody reads it; at one that was pulled nobody waits."""
        if "badge" in self.unplugged or self.held("badge", CONTROL_S):
            self._say({"badge": number})

    # the panel's end

    def _feel(self) -> None:
        """Fingers go to whoever has the panel open; while nobody has, the cabinet has no panel."""
        while not self._stopped.is_set():
            if not self.held("touch", 1.0) or self._stopped.is_set():
                continue
            with contextlib.suppress(OSError, ValueError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as near:
                near.connect(str(self._cabinet))
                near.sendall(line_of({"hello": "panel"}))
                self._feel_while_held(near)

    def _feel_while_held(self, near: socket.socket) -> None:
        received = b""
        while not self._stopped.is_set():
            readable, _, _ = select.select([near], [], [], 0.2)
            if readable:
                chunk = near.recv(65_536)
                if not chunk:
                    return
                *lines, received = (received + chunk).split(b"\n")
                for line in lines:
                    match json.loads(line):
                        case {"touch": [x_mm, y_mm, bool(down), int()]}:
                            self._say({"finger": [*self._point(x_mm, y_mm), down]})
            with self._lock:
                if not self._holders.get("touch", False):
                    return

    def _point(self, x_mm: float, y_mm: float) -> tuple[int, int]:
        """Where the far panel feels that."""
        parts = (x_mm / self._panel.width_mm, y_mm / self._panel.height_mm)
        x, y = (min(SPAN - 1, max(0, round(part * SPAN))) for part in parts)
        return x, y


def _between(first: Pull, then: Pull, late_ns: int) -> Held:
    """How long it was from one pull to another: a machine that stands still between a pull and its clock blurs both."""
    least_ns = then.at_ns - then.took_ns - first.at_ns - late_ns
    return least_ns / 1e6, (then.at_ns - first.at_ns + first.took_ns + late_ns) / 1e6


def _turned_last(pulled: Sequence[Pull], late_ns: int) -> list[Pull]:
    """The first edge of the last time that a switch was turned; it may have been turned the other way a moment before.

    Several edges where it is not known which of them a table takes for it: a busy machine stretches a bounce, and a switch
    that was closed meanwhile for the debounce time was not turned yet.
    """
    first, *before = sorted(pulled, key=lambda pull: pull.at_ns, reverse=True)
    possible: list[Pull] = []
    for pull in before:
        least_ms, most_ms = _between(pull, first, late_ns)
        if first.at_ns - pull.at_ns > BOUNCE_NS + late_ns or (not pull.high and least_ms > TURNED_BACK_MS):
            break
        if not pull.high and most_ms > CLOSED_MS:
            possible.append(first)
        first = pull
    return [*possible, first]


def _closed_at(pulled: Sequence[Pull], line: int, when_ns: int) -> Pull | None:
    """Since when a line that is closed at `when_ns` has been so; of an open one, when it was closed next; None: never.

    A contact that bounces on after that moment was closed at it all the same.
    """
    since: Pull | None = None
    for pull in sorted((pull for pull in pulled if pull.line == line), key=lambda pull: pull.at_ns):
        if pull.at_ns > when_ns and since is not None:
            break
        since = None if pull.high else since if since is not None else pull
    return since


class Joined:
    """A Unix socket here that leads to one in the machine, as long as that is there."""

    def __init__(self, machine: Machine, here: Path, there: str) -> None:
        self._machine, self._there = machine, there
        here.unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(here))
        self._listening.listen()
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, name="joined", daemon=True).start()

    def close(self) -> None:
        """Hang up on everybody."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.drop()

    def drop(self) -> None:
        """The machine is off: whoever was joined to it is told."""
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(near,), name="joined", daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        with near, contextlib.suppress(OSError, Broken):
            Control(self._machine).ask("now", ANSWER_S)
            self._join(near)

    def _join(self, near: socket.socket) -> None:
        with dial(self._machine, f"socket {self._there}", CONTROL_S) as far:
            far.settimeout(None)
            pair = {near: far, far: near}
            self._open |= set(pair)
            try:
                pump(pair)
            finally:
                self._open -= set(pair)


def pump(pair: Mapping[socket.socket, socket.socket]) -> None:
    """Carry bytes both ways until one side ends."""
    while True:
        readable, _, _ = select.select(list(pair), [], [])
        for one in readable:
            received = one.recv(65_536)
            if not received:
                return
            pair[one].sendall(received)


class ShufflerCable:
    """Joins the cabinet's shuffler to the machine's USB plug, which is pulled and put back when the shuffler's is."""

    def __init__(self, machine: Machine, link: Path) -> None:
        self._machine, self._link = machine, link
        self._stopped = threading.Event()
        self.plugged = False
        self._thread = threading.Thread(target=self._run, name="shuffler-cable", daemon=True)

    def start(self) -> None:
        """Begin to carry."""
        self._thread.start()

    def close(self) -> None:
        """Pull it."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stopped.wait(RETRY_S):
            if self._machine.on and self._link.exists():
                with contextlib.suppress(OSError, Broken):
                    self._carry()

    def _carry(self) -> None:
        near = os.open(self._link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            tty.setraw(near, termios.TCSANOW)
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as far:
                far.connect(str(self._machine.shuffler))
                self._machine.plug_shuffler(True)
                self.plugged = True
                try:
                    self._pump(near, far)
                finally:
                    self.plugged = False
                    if self._machine.on:
                        self._machine.plug_shuffler(False)
        finally:
            os.close(near)

    def _pump(self, near: int, far: socket.socket) -> None:
        """Until either end is gone; what the machine does not take at once is lost, as on a real line."""
        while not self._stopped.is_set() and self._link.exists():
            ends: list[int | socket.socket] = [near, far]
            readable, _, _ = select.select(ends, [], [], 0.2)
            if near in readable:
                received = os.read(near, 4096)
                if not received:
                    return
                with contextlib.suppress(BlockingIOError):
                    far.send(received, socket.MSG_DONTWAIT)
            if far in readable:
                received = far.recv(4096)
                if not received:
                    return
                with contextlib.suppress(BlockingIOError):
                    os.write(near, received)
