"""The other end of the table's socket: frames in, taps out. It connects again by itself, without end."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from firmware.runtime.glass import FingerDown, TapArrived
from hal.workers import Worker

F = TypeVar("F")

RETRY_S = 0.2
ANSWER_S = 5.0
"""A table says at once what is to be seen; one that took the call and says nothing does not have it any more."""

log = logging.getLogger("felt.glass")


@dataclass(frozen=True, slots=True)
class TableGone:
    """The table's process does not answer."""


class GlassClient(Generic[F]):
    """One connection to a table, as "screen" (F is Frame) or "observe" (F is Observation)."""

    def __init__(self, path: Path, role: str, kind: type[F], put: Callable[[F | TableGone], None]) -> None:
        self._path, self._role, self._kind, self._put = path, role, kind, put
        self._socket: socket.socket | None = None
        self._stopped = threading.Event()
        self._worker = Worker(f"glass-{role}", self._run)

    def start(self) -> None:
        """Connect in the background."""
        self._worker.start()

    def tap(self, tap: TapArrived) -> None:
        """Send a tap; without a table it is lost, and the screen says that there is no table."""
        self._send({"tap": tap})

    def finger_down(self, down: FingerDown) -> None:
        """Send that a finger lies on a key to be held: from now on the table measures."""
        self._send({"down": down})

    def _send(self, line: object) -> None:
        connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.sendall(msgspec.json.encode(line) + b"\n")

    def close(self) -> None:
        """End the thread."""
        self._stopped.set()
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._worker.end(within_s=2)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._stay_connected()
            except OSError as error:
                log.debug("no table at %s: %s", self._path, error)
            except ValueError as error:  # msgspec's errors are: a table killed within a line, or one of another version
                log.warning("the table at %s does not speak as expected: %s", self._path, error)
            if self._socket is not None:
                self._socket = None
                self._put(TableGone())
            self._stopped.wait(RETRY_S)

    def _stay_connected(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(self._path))
            connection.settimeout(ANSWER_S)
            connection.sendall(msgspec.json.encode({"hello": self._role}) + b"\n")
            self._socket = connection
            with connection.makefile("rb") as lines:
                for line in lines:
                    connection.settimeout(None)
                    self._put(msgspec.json.decode(line, type=self._kind))
