"""Hands in the virtual machine: they pull the lines of a simulated GPIO chip, touch a panel, hold badges to a reader.

They belong to the test rig and know nothing of Felt: whoever connects (`tests.hil.vm`) says what to move, and is told what
every output line shows and who holds which device. One TCP port; the first line of a connection names what it is for:

hands    lines of JSON both ways: moves in; levels, holders and times out
control  lines of JSON, one answer each: commands, signals, files
talk     the rest of the line is a command that asks questions: its words come back, and what is said to it are answers
socket   the rest of the line is the path of a Unix socket, to which the connection is joined

Every time is ns of this machine's CLOCK_MONOTONIC.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from evdev import AbsInfo, UInput
from evdev import ecodes as e

PORT = 7000
TICK_S = 0.02
"""How often every line is looked at: an output that changed is told, an input that a new owner has reset is pulled again."""
LOOK_S = 5.0
"""How often it is looked up who has opened the devices, though nobody was seen to open or close one."""
IN_OPEN, IN_CLOSE = 0x20, 0x18
"""linux/inotify.h"""
SPAN = 4096
"""A panel's axes go from 0 to one less."""
LINES = Path("/sys/devices/platform")
CHIP = Path("/sys/kernel/config/gpio-sim/table")
CLAIMED = Path("/sys/kernel/debug/gpio")
"""Every line that a program holds, and its level, in one read."""
KEY_S = 0.004
TALKER = "felt-talker"
"""What runs a command that asks questions; it may have the devices too."""


class Watch:
    """Sees when anybody opens or closes a device: looking through all processes again and again costs too much."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._events = self._libc.inotify_init1(os.O_NONBLOCK)
        self._nodes: dict[str, int] = {}

    def on(self, nodes: Iterable[str]) -> None:
        """Watch these devices; one that was made anew is watched anew."""
        for node in nodes:
            with contextlib.suppress(OSError):
                made = os.stat(node).st_ino  # noqa: PTH116
                if node and self._nodes.get(node) != made:
                    self._libc.inotify_add_watch(self._events, node.encode(), IN_OPEN | IN_CLOSE)
                    self._nodes[node] = made

    def wait(self, most_s: float) -> None:
        """Until somebody does, or for so long."""
        select.select([self._events], [], [], most_s)

    def stirred(self) -> bool:
        """Somebody opened or closed one since it was asked last."""
        try:
            return bool(os.read(self._events, 65_536))
        except BlockingIOError:
            return False


class Chip:
    """The simulated GPIO chip, as a meter and a screwdriver have it."""

    def __init__(self) -> None:
        self.wanted: dict[int, bool] = {}
        """Input lines that something is wired to, and whether it leaves them high."""
        self.outputs: tuple[int, ...] = ()
        self._values: dict[int, int] = {}
        self._claimed: int | None = None

    def seen(self) -> bytes:
        """What the kernel says of the lines that are held: while it is the same, so is everything else."""
        if self._claimed is None:
            self._claimed = os.open(CLAIMED, os.O_RDONLY)
        return os.pread(self._claimed, 16_384, 0)

    def level(self, line: int) -> bool:
        """What a line shows; low where there is no chip."""
        try:
            if line not in self._values:
                self._values[line] = os.open(self._folder() / f"sim_gpio{line}" / "value", os.O_RDONLY)
            return os.pread(self._values[line], 4, 0).strip() == b"1"
        except OSError:
            self.forget()
            return False

    def pull(self, line: int, high: bool) -> None:
        """Leave an input line high, or close it to ground."""
        self.wanted[line] = high
        with contextlib.suppress(OSError):
            (self._folder() / f"sim_gpio{line}" / "pull").write_text("pull-up" if high else "pull-down")

    def hold(self) -> None:
        """Whoever claims a line resets it; what is wired there pulls it as before."""
        for line, high in self.wanted.items():
            if self.level(line) != high:
                self.pull(line, high)

    def forget(self) -> None:
        for value in self._values.values():
            os.close(value)
        self._values.clear()

    def plug(self, there: bool) -> None:
        """Take the chip away from the kernel, or give it back."""
        self.forget()
        (CHIP / "live").write_text("1" if there else "0")
        for line, high in self.wanted.items():
            self.pull(line, high)

    def _folder(self) -> Path:
        name, bank = ((CHIP / part).read_text().strip() for part in ("dev_name", "bank0/chip_name"))
        return LINES / name / bank

    def node(self) -> str:
        try:
            return f"/dev/{(CHIP / 'bank0' / 'chip_name').read_text().strip()}"
        except OSError:
            return ""


class Panel:
    """A touch panel that the kernel takes for a real one."""

    def __init__(self) -> None:
        self._device: UInput | None = None
        self._contact = 0

    def plug(self, there: bool) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None
        if there:
            axis = AbsInfo(0, 0, SPAN - 1, 0, 0, 0)
            axes = [(code, axis) for code in (e.ABS_X, e.ABS_Y, e.ABS_MT_POSITION_X, e.ABS_MT_POSITION_Y)]
            axes += [(e.ABS_MT_SLOT, AbsInfo(0, 0, 9, 0, 0, 0)), (e.ABS_MT_TRACKING_ID, AbsInfo(0, 0, 65535, 0, 0, 0))]
            able = {e.EV_KEY: [e.BTN_TOUCH], e.EV_ABS: axes}
            self._device = UInput(able, name="Felt touch panel", input_props=[e.INPUT_PROP_DIRECT])

    def finger(self, x: int, y: int, down: bool) -> None:
        if self._device is None:
            return
        if down:
            self._contact = (self._contact + 1) % 65536
            for code, value in ((e.ABS_MT_SLOT, 0), (e.ABS_MT_TRACKING_ID, self._contact)):
                self._device.write(e.EV_ABS, code, value)
            for codes, value in (((e.ABS_MT_POSITION_X, e.ABS_X), x), ((e.ABS_MT_POSITION_Y, e.ABS_Y), y)):
                for code in codes:
                    self._device.write(e.EV_ABS, code, value)
        else:
            self._device.write(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
        self._device.write(e.EV_KEY, e.BTN_TOUCH, int(down))
        self._device.syn()

    def node(self) -> str:
        return self._device.device.path if self._device is not None and self._device.device else ""


class Reader:
    """A badge reader: a keyboard to the kernel."""

    def __init__(self) -> None:
        self._pause = threading.Event()
        self._device: UInput | None = None

    def plug(self, there: bool) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None
        if there:
            self._device = UInput({e.EV_KEY: list(range(1, 128))}, name="Felt badge reader")

    def badge(self, number: str) -> None:
        if self._device is None:
            return
        for letter in [*number, "ENTER"]:
            code = e.ecodes[f"KEY_{letter.upper()}"]
            shifted = letter.isalpha() and letter.isupper() and letter != "ENTER"
            for key, value in (
                ([(e.KEY_LEFTSHIFT, 1)] * shifted) + [(code, 1), (code, 0)] + [(e.KEY_LEFTSHIFT, 0)] * shifted
            ):
                self._device.write(e.EV_KEY, key, value)
                self._device.syn()
            self._pause.wait(KEY_S)

    def node(self) -> str:
        return self._device.device.path if self._device is not None and self._device.device else ""


class Hands:
    """All of it, and whoever listens."""

    def __init__(self) -> None:
        self.chip, self.panel, self.reader = Chip(), Panel(), Reader()
        self.panel.plug(True)
        self.reader.plug(True)
        self._lock = threading.Lock()
        self._listeners: list[socket.socket] = []
        self._levels: dict[int, bool] = {}
        self._holders: dict[str, bool] = {}
        self._watch = Watch()
        self._late_ns = 0
        """The longest that this machine stood still since it was told last, as far as these hands could see."""

    def run(self) -> None:
        """Look at everything for ever; hands that cannot are no hands, so the program ends and is started again."""
        try:
            self._look()
        finally:
            os._exit(1)

    def _look(self) -> None:
        looked, seen = 0.0, b""
        while True:
            with self._lock:
                now = time.monotonic()
                due = self._watch.stirred() or now - looked >= LOOK_S
                held = (
                    self.chip.seen()
                )  # before the lines are pulled: who claims one meanwhile is seen at the next look
                if due or held != seen:
                    seen = held
                    self.chip.hold()
                    levels = {line: self.chip.level(line) for line in self.chip.outputs}
                    if levels != self._levels:
                        self._levels = levels
                        self._tell({"levels": levels, "at_ns": time.monotonic_ns()})
                if due:
                    looked = now
                    holders = self._held()
                    if holders != self._holders:
                        self._holders = holders
                        self._tell({"holders": holders, "at_ns": time.monotonic_ns()})
            slept_ns = time.monotonic_ns()
            self._watch.wait(TICK_S)
            late_ns = time.monotonic_ns() - slept_ns - round(TICK_S * 1e9)
            self._late_ns = max(self._late_ns, late_ns)

    def serve(self, connection: socket.socket) -> None:
        """Whoever moves the hands; the newest one is told everything from the start."""
        with self._lock:
            self._listeners.append(connection)
            self._tell({"levels": self._levels, "at_ns": time.monotonic_ns()})
            self._tell({"holders": self._holders, "at_ns": time.monotonic_ns()})
        try:
            for line in connection.makefile("rb"):
                self._do(json.loads(line))
        finally:
            with self._lock:
                self._listeners.remove(connection)

    def _do(self, said: dict[str, Any]) -> None:
        with self._lock:
            match said:
                case {"outputs": list(lines)}:
                    self.chip.outputs = tuple(lines)
                case {"wires": dict(lines)}:
                    self.chip.wanted = {}
                    for line, high in lines.items():
                        self.chip.pull(int(line), high)
                case {"pull": [int(line), bool(high)]}:
                    before_ns = time.monotonic_ns()
                    self.chip.pull(line, high)
                    at_ns = time.monotonic_ns()
                    told = {"took_ns": at_ns - before_ns, "late_ns": self._late_ns, "at_ns": at_ns}
                    self._late_ns = 0
                    self._tell({"pulled": [line, high], **told})
                case {"finger": [int(x), int(y), bool(down)]}:
                    self.panel.finger(x, y, down)
                case {"badge": str(number)}:
                    self.reader.badge(number)
                case {"plug": [str(name), bool(there)]}:
                    {"chip": self.chip.plug, "touch": self.panel.plug, "badge": self.reader.plug}[name](there)
                    self._tell({"plugged": [name, there], "at_ns": time.monotonic_ns()})
                case _:
                    self._tell({"error": f"not understood: {said}"})

    def _tell(self, said: dict[str, Any]) -> None:
        for listener in self._listeners:
            with contextlib.suppress(OSError):  # its reader finds out
                listener.sendall(json.dumps(said).encode() + b"\n")

    def _held(self) -> dict[str, bool]:
        """Which devices some other process has open."""
        nodes = {"chip": self.chip.node(), "touch": self.panel.node(), "badge": self.reader.node()}
        self._watch.on(nodes.values())
        opened: set[str] = set()
        for unit in ("felt-table.service", "felt-screen.service", f"{TALKER}.scope"):
            with contextlib.suppress(OSError):
                for pid in Path(f"/sys/fs/cgroup/system.slice/{unit}/cgroup.procs").read_text().split():
                    opened |= set(_files(pid))
        return {name: node in opened for name, node in nodes.items()}


def _files(pid: str) -> list[str]:
    found = []
    for descriptor in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/proc/{pid}/fd/{descriptor}"))  # noqa: PTH115
    return found


# Control --------------------------------------------------------------------------------------------------------------


def control(connection: socket.socket) -> None:
    """One answer a line."""
    for line in connection.makefile("rb"):
        asked = json.loads(line)
        try:
            told = _CONTROL[asked.pop("do")](**asked)
        except Exception as error:
            told = {"error": f"{type(error).__name__}: {error}"}
        connection.sendall(json.dumps({**told, "at_ns": time.monotonic_ns()}).encode() + b"\n")


def _now() -> dict[str, Any]:
    return {}


def _run(line: str, within_s: float) -> dict[str, Any]:
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=within_s,
    )
    return {"code": done.returncode, "said": done.stdout.decode(errors="replace")}


def _signal(unit: str, number: int) -> dict[str, Any]:
    """To every process of a unit, as a kernel that runs out of memory does it; the time is that of the signal."""
    pids = Path(f"/sys/fs/cgroup/system.slice/{unit}.service/cgroup.procs").read_text().split()
    at_ns = time.monotonic_ns()
    for pid in pids:
        os.kill(int(pid), number)
    return {"pids": pids, "signalled_ns": at_ns}


def _put(path: str, contents: str) -> dict[str, Any]:
    Path(path).write_bytes(base64.b64decode(contents))
    return {}


def _get(path: str) -> dict[str, Any]:
    return {"contents": base64.b64encode(Path(path).read_bytes()).decode()}


_CONTROL: dict[str, Callable[..., dict[str, Any]]] = {
    "now": _now,
    "run": _run,
    "signal": _signal,
    "put": _put,
    "get": _get,
}


# Connections ----------------------------------------------------------------------------------------------------------


def joined(connection: socket.socket, path: str) -> None:
    """Carry bytes both ways until one side ends."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.connect(path)
        pair = {connection: other, other: connection}
        while True:
            readable, _, _ = select.select(list(pair), [], [])
            for one in readable:
                received = one.recv(65_536)
                if not received:
                    return
                pair[one].sendall(received)


def _answer(hands: Hands, connection: socket.socket) -> None:
    with connection, contextlib.suppress(OSError, ValueError):
        first = b""
        while not first.endswith(b"\n"):
            byte = connection.recv(1)
            if not byte:
                return
            first += byte
        what, _, rest = first.decode().strip().partition(" ")
        if what == "hands":
            hands.serve(connection)
        elif what == "control":
            control(connection)
        elif what == "talk":
            within = ["systemd-run", "-q", "--scope", "--collect", f"--unit={TALKER}", "/bin/sh", "-c", rest]
            subprocess.run(within, stdin=connection.fileno(), stdout=connection.fileno(), stderr=connection.fileno())
        elif what == "socket":
            joined(connection, rest)


def main() -> None:
    """Listen for ever."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    hands = Hands()
    threading.Thread(target=hands.run, name="hands", daemon=True).start()
    with socket.create_server(("0.0.0.0", PORT)) as listening:
        while True:
            connection, _ = listening.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_answer, args=(hands, connection), daemon=True).start()


if __name__ == "__main__":
    main()
