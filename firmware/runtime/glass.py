"""The table's Unix socket: screens receive what to draw and send taps; observers receive what a person would see.

A slow or dead client costs nothing: each has a mailbox of one frame, the newest, and a thread of its own. The table
only puts frames down and takes taps from its inbox.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from ui.dealer.widgets import Screen

LINE_MAX = 64 * 1024
CLIENTS_MAX = 16
"""One more, and the oldest has to come again: whoever connects without end must not use up the process's files."""

Whole = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


@dataclass(frozen=True, slots=True)
class Frame:
    """One state of the screen, for whoever draws it."""

    screen: Screen
    guard_ms: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class Text:
    """A widget as a person sees it: its words, where it is (mm), whether it is a key and can be pressed."""

    id: str
    text: str
    x: float
    y: float
    w: float
    h: float
    key: bool
    enabled: bool
    hold_ms: int
    shape: str


@dataclass(frozen=True, slots=True)
class Observation:
    """What a person at the table sees, and nothing else."""

    screen: str
    key: str
    widgets: tuple[Text, ...]
    lamps: Mapping[str, str]
    locked: bool
    guard_ms: int
    at_ns: int


class TapArrived(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press from a screen. The table looks up what lies there; it does not take a client's word for it."""

    screen_key: str
    x_mm: float
    y_mm: float
    held_ms: Whole
    at_ns: Whole


class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a client: "screen" or "observe"."""

    hello: str


class TapLine(msgspec.Struct, forbid_unknown_fields=True):
    """A later line of a screen."""

    tap: TapArrived


@dataclass(frozen=True, slots=True)
class GlassComplaint:
    """A client that does not speak the protocol."""

    text: str


def observe(frame: Frame, lamps: Mapping[int, str], locked: bool) -> Observation:
    """The frame as text."""
    widgets = tuple(
        Text(
            widget.id,
            "\n".join(line.text for line in widget.lines),
            widget.x,
            widget.y,
            widget.w,
            widget.h,
            key=bool(widget.press),
            enabled=widget.enabled,
            hold_ms=widget.hold_ms,
            shape=str(widget.shape),
        )
        for widget in frame.screen.widgets
    )
    seats = {str(seat): str(lamp) for seat, lamp in lamps.items()}
    return Observation(frame.screen.name, frame.screen.key, widgets, seats, locked, frame.guard_ms, frame.at_ns)


class _Client:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.role = ""
        self._mail: bytes | None = None
        self._changed = threading.Condition()
        self._open = True

    def post(self, line: bytes) -> None:
        with self._changed:
            self._mail = line
            self._changed.notify()

    def write(self) -> None:
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


class Glass:
    """The server side, in the table's process."""

    def __init__(self, path: Path, put: Callable[[object], None], *, observable: bool) -> None:
        self._path = path
        self._put = put
        self._observable = observable
        self._clients: dict[_Client, None] = {}
        """Those who are connected, the oldest first."""
        self._lock = threading.Lock()
        self._last: dict[str, bytes] = {}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def start(self) -> None:
        """Listen; only this user may connect."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.unlink(missing_ok=True)
        before = os.umask(0o177)
        try:
            self._socket.bind(str(self._path))
        finally:
            os.umask(before)
        self._socket.listen()
        threading.Thread(target=self._accept, name="glass", daemon=True).start()

    def show(self, frame: Frame, observation: Observation | None) -> None:
        """Put down the newest frame for every client."""
        lines = {"screen": msgspec.json.encode(frame) + b"\n"}
        if observation is not None:
            lines["observe"] = msgspec.json.encode(observation) + b"\n"
        with self._lock:
            self._last = lines
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
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client.end()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            client = _Client(connection)
            with self._lock:
                beyond = list(self._clients)[: len(self._clients) + 1 - CLIENTS_MAX]
                for oldest in beyond:
                    del self._clients[oldest]
                self._clients[client] = None
            for oldest in beyond:
                oldest.end()
            threading.Thread(target=client.write, name="glass-write", daemon=True).start()
            threading.Thread(target=self._read, args=(client,), name="glass-read", daemon=True).start()

    def _read(self, client: _Client) -> None:
        try:
            with client.connection.makefile("rb") as lines:
                while line := lines.readline(LINE_MAX):
                    self._line(client, line)
        except OSError:
            pass  # it went, perhaps with frames unread; whoever comes again gets the newest
        except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
            self._put(GlassComplaint(f"{type(error).__name__}: {str(error)[:120]}"))
        finally:
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
            self._put(ClientCame(role))
        elif client.role == "screen":
            self._put(msgspec.json.decode(line, type=TapLine).tap)


@dataclass(frozen=True, slots=True)
class ClientCame:
    """A client said hello: it wants a frame."""

    role: str
