"""The table's Unix socket: screens receive what to draw and send taps; observers receive what a person would see.

A slow or dead client costs nothing: each has a mailbox of one frame, the newest, and a thread of its own. The table
only puts frames down and takes taps from its inbox. How long a key was held is measured here, by the table's own clock:
a screen tells that a finger came and that it left, and has to let the time between pass.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec

from firmware.config import ConfigError
from firmware.rules.message import Message
from hal.workers import Worker, errand
from ui.dealer.widgets import Screen

ENDS_S = 1.0
"""A stop does not wait longer for the thread that accepts."""
LINE_MAX = 64 * 1024
CLIENTS_MAX = 16
"""One more, and the oldest has to come again: a program that connects without end must not use up the process's files."""

HOLD_LATE_MS = 1_000
"""So much more than the finger's own time this clock may see of a hold: words of a busy screen come late. Never less."""
MS = 1_000_000
S = 1_000_000_000
PRESSES_MOST, PRESSES_A_SECOND = 40, 20
"""So many words of all screens reach the table at once, and so many a second after that: no hand is faster."""

Whole = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


@dataclass(frozen=True, slots=True)
class Frame:
    """One state of the screen, for the program that draws it."""

    screen: Screen
    guard_ms: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class Text:
    """A widget as a person sees it: what it says, where it is (mm), what a key of it sends and whether it can be pressed.

    `text`: in words, for people who read what was seen. `said`: the message of each line, or its data; a program that looks
    goes by these, for words may be put better at any time. `press`: "" where it is no key. `seat`: whom a key is about.
    """

    id: str
    text: str
    said: tuple[Message | str, ...]
    x: float
    y: float
    w: float
    h: float
    press: str
    enabled: bool
    hold_ms: int
    shape: str
    seat: int


@dataclass(frozen=True, slots=True)
class Observation:
    """The view of a person at the table, and nothing else."""

    screen: str
    key: str
    widgets: tuple[Text, ...]
    lamps: Mapping[str, str]
    locked: bool
    guard_ms: int
    at_ns: int


class TapArrived(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press from a screen. The table looks up what lies there; it does not take a client's word for it.

    `held_ms`: as the screen says it; as it reaches the table, no more than the table's own clock saw.
    """

    screen_key: str
    x_mm: float
    y_mm: float
    held_ms: Whole
    at_ns: Whole


class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a client: "screen" or "observe"."""

    hello: str


class FingerDown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finger came down on a key to be held."""

    screen_key: str
    x_mm: float
    y_mm: float


class ScreenLine(msgspec.Struct, forbid_unknown_fields=True):
    """A later line of a screen: one of the two."""

    tap: TapArrived | None = None
    down: FingerDown | None = None


@dataclass(frozen=True, slots=True)
class GlassComplaint:
    """A client that does not speak the protocol."""

    text: str


def observe(frame: Frame, composed: Screen, lamps: Mapping[int, str], locked: bool) -> Observation:
    """The frame as text. `composed`: its screen before it was put into words."""
    widgets = tuple(
        Text(
            widget.id,
            "\n".join(line.text for line in widget.lines),
            tuple(line.said for line in before.lines),
            widget.x,
            widget.y,
            widget.w,
            widget.h,
            press=widget.press,
            enabled=widget.enabled,
            hold_ms=widget.hold_ms,
            shape=str(widget.shape),
            seat=widget.seat,
        )
        for widget, before in zip(frame.screen.widgets, composed.widgets, strict=True)
    )
    seats = {str(seat): str(lamp) for seat, lamp in lamps.items()}
    return Observation(frame.screen.name, frame.screen.key, widgets, seats, locked, frame.guard_ms, frame.at_ns)


class _Client:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.role = ""
        self.down: tuple[FingerDown, int] | None = None
        """The finger that came last, and when its word came."""
        self._mail: bytes | None = None
        self._changed = threading.Condition()
        self._open = True

    def post(self, line: bytes) -> None:
        with self._changed:
            self._mail = line
            self._changed.notify()

    def write(self) -> None:
        """Send what is posted. A client lives as long as this does: one that takes nothing more comes again."""
        try:
            self._write()
        finally:
            self.end()

    def _write(self) -> None:
        while True:
            with self._changed:
                while self._mail is None and self._open:
                    self._changed.wait()
                line, self._mail = self._mail, None
            if line is None:
                return
            try:
                self.connection.sendall(line)
            except OSError:
                return

    def end(self) -> None:
        with self._changed:
            self._open = False
            self._changed.notify()
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class _Pace:
    """How many words there may be: up to PRESSES_MOST at once, which come back at PRESSES_A_SECOND."""

    def __init__(self) -> None:
        self._left = float(PRESSES_MOST)
        self._at_ns = time.monotonic_ns()

    def allows(self, now_ns: int) -> bool:
        """One more, now."""
        come = (now_ns - self._at_ns) / S * PRESSES_A_SECOND
        self._left, self._at_ns = min(PRESSES_MOST, self._left + come), now_ns
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Glass:
    """The server side, in the table's process."""

    def __init__(
        self,
        path: Path,
        put: Callable[[object], None],
        *,
        observable: bool,
        shared: bool = False,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`shared`: the folder's group may connect too (systemd/felt.tmpfiles.conf), else this user only."""
        self._path, self._clock, self._umask = path, clock, 0o117 if shared else 0o177
        self._screen = Screen("", "")
        self._put = put
        self._observable = observable
        self._clients: dict[_Client, None] = {}
        """Those who are connected, the oldest first."""
        self._lock = threading.Lock()
        self._pace, self._flooded = _Pace(), False
        self._last: dict[str, bytes] = {}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._closed = False
        self._worker = Worker("glass", self._accept)

    def start(self) -> None:
        """Listen; who may connect, the mode of the socket says from its first moment. Raises ConfigError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        before = os.umask(self._umask)
        try:
            self._path.unlink(missing_ok=True)
            self._socket.bind(str(self._path))
        except OSError as error:
            raise ConfigError(
                f"{self._path}: {error.strerror or error}; take away what lies there, or name a home that this user owns"
            ) from error
        finally:
            os.umask(before)
        self._socket.listen()
        self._worker.start()

    def show(self, frame: Frame, observation: Observation | None) -> None:
        """Put down the newest frame for every client."""
        lines = {"screen": msgspec.json.encode(frame) + b"\n"}
        if observation is not None:
            lines["observe"] = msgspec.json.encode(observation) + b"\n"
        with self._lock:
            self._last, self._screen = lines, frame.screen
            for client in self._clients:
                if client.role in lines:
                    client.post(lines[client.role])

    @property
    def watched(self) -> bool:
        """True where a bench or laboratory observes."""
        with self._lock:
            return any(client.role == "observe" for client in self._clients)

    def close(self) -> None:
        """Let every client go."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._worker.end(within_s=ENDS_S)
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client.end()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                if self._closed:
                    return
                raise  # no file to give: the loop complains, and this is begun again
            client = _Client(connection)
            with self._lock:
                beyond = list(self._clients)[: len(self._clients) + 1 - CLIENTS_MAX]
                for oldest in beyond:
                    del self._clients[oldest]
                self._clients[client] = None
            for oldest in beyond:
                oldest.end()
            if not (errand("glass-write", client.write) and errand("glass-read", partial(self._read, client))):
                self._forget(client)  # no thread to give: it comes again

    def _read(self, client: _Client) -> None:
        try:
            with client.connection.makefile("rb") as lines:
                while line := lines.readline(LINE_MAX):
                    self._line(client, line)
        except OSError:
            pass  # it went, perhaps with frames unread; a new connection gets the newest
        except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
            self._say(GlassComplaint(f"{type(error).__name__}: {str(error)[:120]}"))
        finally:
            self._forget(client)

    def _forget(self, client: _Client) -> None:
        with self._lock:
            self._clients.pop(client, None)
        client.end()

    def _line(self, client: _Client, line: bytes) -> None:
        if not client.role:
            role = msgspec.json.decode(line, type=Hello).hello
            if role not in ("screen", "observe") or (role == "observe" and not self._observable):
                raise ValueError(f'hello {role[:20]!r}: it is "screen", or "observe" where table.toml allows it')
            with self._lock:
                client.role = role
                last = self._last.get(role)
            if last is not None:
                client.post(last)
            self._say(ClientCame(role))
        elif client.role == "screen":
            said = msgspec.json.decode(line, type=ScreenLine)
            if (said.tap is None) == (said.down is None):
                raise ValueError("a screen tells of one tap, or of one finger that came down")
            if said.down is not None:
                client.down = said.down, self._clock()
            elif said.tap is not None:
                self._say(self._measured(client, said.tap))

    def _say(self, signal: object) -> None:
        """Put what a client said, where that is no flood: each word costs the table a turn, and most of them a row."""
        with self._lock:
            allowed = self._pace.allows(time.monotonic_ns())
            told, self._flooded = self._flooded, not allowed
        if allowed:
            self._put(signal)
        elif not told:
            self._put(GlassComplaint(f"more than {PRESSES_A_SECOND} presses a second: no hand is so fast; left out"))

    def _measured(self, client: _Client, tap: TapArrived) -> TapArrived:
        """The tap, held for no longer than this clock saw its finger on that very key."""
        began, client.down = client.down, None
        held_ms = 0
        if tap.held_ms and began is not None and self._same_key(began[0], tap):
            seen_ms = (self._clock() - began[1]) // MS
            held_ms = min(tap.held_ms, seen_ms) if seen_ms - tap.held_ms <= HOLD_LATE_MS else 0
        return msgspec.structs.replace(tap, held_ms=held_ms)

    def _same_key(self, down: FingerDown, tap: TapArrived) -> bool:
        """The finger came down on the key that it left, on the screen that is shown."""
        with self._lock:
            shown = self._screen
        if not down.screen_key == tap.screen_key == shown.key:
            return False
        key = shown.key_at(tap.x_mm, tap.y_mm)
        return key is not None and shown.key_at(down.x_mm, down.y_mm) == key


@dataclass(frozen=True, slots=True)
class ClientCame:
    """A client said hello: it wants a frame."""

    role: str
