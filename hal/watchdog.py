"""systemd's notification socket in a few lines: READY, STATUS, WATCHDOG, EXTEND_TIMEOUT (sd_notify(3)).

Without one, nothing happens.

A loop that turns pets the watchdog; one that hangs is killed and started again, and the state is restored from disk. A
socket that refuses (the manager crashed, is frozen, or is being exchanged) ends no loop: that is logged once, and what
could not be said is said again at a later turn.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

log = logging.getLogger("felt.watchdog")

STARTING_US = 60_000_000
"""A start that goes on is given this much more time, microseconds."""
STARTING_PAUSE_NS = 10_000_000_000
AGAIN_NS = 1_000_000_000
"""How long after a refusal it is tried again at the earliest."""


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
        self._clock = clock
        self._pause_ns = _microseconds(environ) * 1000 // 3
        self._petted_ns: int | None = None
        self._started_ns: int | None = None
        self._unsaid: dict[str, str] = {}
        """Words that the socket refused, by their first word: only the newest status is worth saying."""
        self._refused_ns = 0
        self._refused = False

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
        now_ns = self._clock()
        if self._unsaid and now_ns - self._refused_ns >= AGAIN_NS:
            for message in list(self._unsaid.values()):
                self._send(message)
        if not self._pause_ns:
            return
        if self._petted_ns is None or now_ns - self._petted_ns >= self._pause_ns:
            self._petted_ns = now_ns
            self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        """Over a socket of its own: one that is kept may break, and cost a table one of its open files for good."""
        if not self._address:
            return
        word = message.partition("=")[0]
        self._unsaid.pop(word, None)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as notifying:
                notifying.setblocking(False)
                notifying.sendto(message.encode(), self._address)
        except OSError as error:
            # To wait for systemd would stop the table. If it stays so for the whole watchdog time while systemd lives, the
            # restart that follows is the right answer.
            self._unsaid[word], self._refused_ns = message, self._clock()
            if not self._refused:
                log.warning("systemd does not hear this service: %s; said again until it does", error)
            self._refused = True
            return
        if self._refused:
            log.info("systemd hears this service again")
        self._refused = False


def _microseconds(environ: Mapping[str, str]) -> int:
    """The watchdog's time, 0 for none."""
    text = environ.get("WATCHDOG_USEC", "0")
    if not text.isdecimal():
        raise ValueError(f"WATCHDOG_USEC is {text!r}: it must be microseconds; set WatchdogSec= in the unit")
    ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(text) if ours else 0
