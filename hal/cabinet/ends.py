"""The ends of the wires: what a table and a screen hold of a cabinet. `SimulatedTable` stands where pins would be."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hal.buttons import DEBOUNCE_NS, ButtonWatch
from hal.cabinet.wire import DEVICE, LINE_MAX, Refusal, line_of, parsed, said_of
from hal.ports import Badge, Button, Complaint, DeviceFound, DeviceLost, Edge, Lamp, Level, Put
from hal.touch import Touch
from hal.workers import Worker

RETRY_S = 0.25


class _Wire:
    """A connection to the cabinet's device socket that comes back by itself.

    One thread reads. A caller writes at once on its own thread: one small write that never blocks.
    """

    def __init__(self, put: Callable[[Any], None], path: Path, role: str) -> None:
        self._put = put
        self._path = path
        self._role = role
        self._dialled: socket.socket | None = None
        self._socket: socket.socket | None = None
        """The same, once the cabinet has said hello."""
        self._lock = threading.Lock()
        self._lost_told = False
        self._stopped = threading.Event()
        self._worker = Worker(f"cabinet-{role}", self._run)

    def start(self) -> None:
        """Connect, and put what comes."""
        self._worker.start()

    def close(self) -> None:
        """Hang up. The cabinet's drivers fall back to dark and locked."""
        self._stopped.set()
        with self._lock:
            if self._dialled is not None:
                with contextlib.suppress(OSError):  # not connected yet, or not any more
                    self._dialled.shutdown(socket.SHUT_RDWR)
        self._worker.end()

    def _run(self) -> None:
        while not self._stopped.is_set():
            why = self._stay_connected()
            self._forget()
            if self._stopped.is_set():
                return
            if not self._lost_told:
                self._lost_told = True
                self._put(DeviceLost(DEVICE, f"{self._path}: {why}; start `felt cabinet` with the same home"))
            self._stopped.wait(RETRY_S)

    def _stay_connected(self) -> str:
        """Connect and read until the connection ends; says why it did."""
        wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        with self._lock:
            self._dialled = wire
        try:
            wire.connect(str(self._path))
            wire.sendall(line_of({"hello": self._role}))
            received = b""
            while chunk := wire.recv(65_536):
                *lines, received = (received + chunk).split(b"\n")
                for line in lines:
                    refusal = self._hear(wire, line)
                    if refusal:
                        return refusal
                if len(received) > LINE_MAX:
                    return f"a line of more than {LINE_MAX} bytes"
            return "the cabinet hung up"
        except OSError as error:
            return error.strerror or str(error)
        finally:
            with self._lock:
                self._socket = self._dialled = None
                wire.close()

    def _hear(self, wire: socket.socket, line: bytes) -> str:
        """Take one line; a refusal of this connection is given back."""
        try:
            said = parsed(line)
        except Refusal as refusal:
            self._put(Complaint(DEVICE, str(refusal)))
            return ""
        match said:
            case {"hello": str()}:
                self._connected(wire)
            case {"error": str(text)} if self._socket is None:
                return text
            case {"error": str(text)}:
                self._put(Complaint(DEVICE, text))
            case _ if (signal := self._signal(said)) is not None:
                self._put(signal)
            case _ if self._feels(said):
                pass
            case _:
                self._put(Complaint(DEVICE, f"{line[:80]!r} is not understood; update table or cabinet"))
        return ""

    def _connected(self, wire: socket.socket) -> None:
        self._lost_told = False
        self._put(DeviceFound(DEVICE))
        with self._lock:
            self._socket = wire
            if not self._stopped.is_set():
                self._repeat()

    def _repeat(self) -> None:
        """Called with the lock held when the connection is there: tell what must be known."""

    def _signal(self, said: Mapping[str, Any]) -> object | None:
        raise NotImplementedError

    def _feels(self, said: Mapping[str, Any]) -> bool:
        """True for what is no signal yet and was taken in."""
        return False

    def _forget(self) -> None:
        """The connection ended: what was under way over it is void."""

    def _write(self, line: bytes) -> None:
        """One small write, with the lock held. A cabinet that cannot take it whole at once counts as gone: connect again."""
        if self._socket is None:
            return
        try:
            sent = self._socket.send(line, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except OSError:
            sent = 0
        if sent != len(line):
            with contextlib.suppress(OSError):  # it is down already
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket = None


class SimulatedTable(_Wire):
    """`hal.ports.Whole` on a cabinet, whether or not it has sensors and buttons.

    socket_path: the cabinet's device socket. button_debounce_ns: how long a press of a wagering button must hold.
    """

    name = DEVICE

    def __init__(self, put: Put, socket_path: Path, button_debounce_ns: int = DEBOUNCE_NS) -> None:
        super().__init__(put, socket_path, "table")
        self._shown: dict[str, Any] = {}
        """Lamps, lock line and lamps of the buttons, as they were told last."""
        self._levels: dict[Button, bool] = {}
        self._buttons = ButtonWatch(put, button_debounce_ns, self._levels.get)

    def close(self) -> None:
        """Hang up. The cabinet's drivers fall back to dark and locked."""
        super().close()
        self._buttons.close()

    def read(self) -> None:
        """Have the level of every line put soon."""
        with self._lock:
            self._write(b'{"read":true}\n')

    def light(self, lamps: Mapping[int, Lamp]) -> None:
        """Make the lamps so. This method and those below send nothing that this connection was sent before."""
        self._tell("lamps", {str(seat): str(lamp) for seat, lamp in lamps.items()})

    def lock(self, locked: bool) -> None:
        """Make the lock line so."""
        self._tell("locked", locked)

    def light_buttons(self, lit: Mapping[Button, bool]) -> None:
        """Make the lamps of the buttons so."""
        self._tell("buttons", {said_of(button): on for button, on in lit.items()})

    def _tell(self, what: str, wanted: object) -> None:
        with self._lock:
            if self._shown.get(what) != wanted:
                self._shown[what] = wanted
                self._command({what: wanted})

    def _repeat(self) -> None:
        if self._shown:
            self._command(self._shown)

    def _command(self, told: Mapping[str, object]) -> None:
        """With the time at which it was given: real lamps are a wire, these are another process that wakes later."""
        self._write(line_of({**told, "at_ns": time.monotonic_ns()}))

    def _signal(self, said: Mapping[str, Any]) -> object | None:
        match said:
            case {"edge": [int(line), bool(on), int(at_ns)]}:
                return Edge(line, on, at_ns)
            case {"level": [int(line), bool(on), int(at_ns)]}:
                return Level(line, on, at_ns)
            case {"badge": [str(number), int(at_ns)]}:
                return Badge(number, at_ns)
        return None

    def _feels(self, said: Mapping[str, Any]) -> bool:
        match said:
            case {"button_edge": [int(seat), str(name), bool(on), int(at_ns)]}:
                self._levels[seat, name] = on
                self._buttons.edge((seat, name), on, at_ns)
            case {"button_level": [int(seat), str(name), bool(on), int()]}:
                self._levels[seat, name] = on
                self._buttons.read((seat, name), on)
            case _:
                return False
        return True

    def _forget(self) -> None:
        self._levels.clear()
        self._buttons.forget()


class CabinetPanel(_Wire):
    """The touch panel of a cabinet: puts `hal.touch.Touch`, DeviceLost and DeviceFound."""

    def __init__(self, put: Callable[[Touch | DeviceLost | DeviceFound | Complaint], None], socket_path: Path) -> None:
        super().__init__(put, socket_path, "panel")

    def _signal(self, said: Mapping[str, Any]) -> object | None:
        match said:
            case {"touch": [int() | float() as x_mm, int() | float() as y_mm, bool(down), int(at_ns)]}:
                return Touch(float(x_mm), float(y_mm), down, at_ns)
        return None
