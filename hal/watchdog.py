"""systemd's notification socket in a few lines: READY, STATUS, WATCHDOG, EXTEND_TIMEOUT (sd_notify(3)).

Without one, nothing happens.

A loop that turns pets the watchdog; one that hangs is killed and started again, and the state is restored from disk.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping

STARTING_US = 60_000_000
"""A start that goes on is given this much more time, microseconds."""
STARTING_PAUSE_NS = 10_000_000_000


class Watchdog:
    """Tells the service's supervisor how we are.

    environ: NOTIFY_SOCKET (a path, or `@name` for an abstract socket), WATCHDOG_USEC (microseconds; absent:
        no watchdog) and WATCHDOG_PID (when it names another process, the watchdog is not ours).
        Raises ValueError if one is malformed.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ, clock: Callable[[], int] = time.monotonic_ns) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        if address and address[0] not in "@/":
            raise ValueError(f"NOTIFY_SOCKET is {address!r}: it must begin with / or @; start this through systemd")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        if self._socket is not None:
            self._socket.setblocking(False)
        self._clock = clock
        self._pause_ns = _microseconds(environ) * 1000 // 3
        self._petted_ns: int | None = None
        self._started_ns: int | None = None

    def starting(self) -> None:
        """A long start goes on: as often as you like, sent every ten seconds. A start that hangs is still killed."""
        now_ns = self._clock()
        if self._started_ns is None or now_ns - self._started_ns >= STARTING_PAUSE_NS:
            self._started_ns = now_ns
            self._send(f"EXTEND_TIMEOUT_USEC={STARTING_US}")

    def ready(self, status: str = "") -> None:
        """The service is up: state restored, first frame shown."""
        self._send("READY=1" + (f"\nSTATUS={status}" if status else ""))

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={text}")

    def pet(self) -> None:
        """Say that the loop turns: as often as you like, sent at most three times in the watchdog's time."""
        if not self._pause_ns:
            return
        now_ns = self._clock()
        if self._petted_ns is None or now_ns - self._petted_ns >= self._pause_ns:
            self._petted_ns = now_ns
            self._send("WATCHDOG=1")

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except BlockingIOError:
            # systemd is behind. To wait for it would stop the table; a missed pet is repeated, and if it stays behind
            # for the whole watchdog time the restart that follows is the right answer.
            return


def _microseconds(environ: Mapping[str, str]) -> int:
    """The watchdog's time, 0 for none."""
    text = environ.get("WATCHDOG_USEC", "0")
    if not text.isdecimal():
        raise ValueError(f"WATCHDOG_USEC is {text!r}: it must be microseconds; set WatchdogSec= in the unit")
    ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(text) if ours else 0
