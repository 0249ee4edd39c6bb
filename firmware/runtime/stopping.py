"""The end of a process: each part is let go, even if the one before it fails."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable

log = logging.getLogger("felt.stopping")


def stop_all(*closes: Callable[[], object]) -> None:
    """Close each in turn. One that fails is logged: no stop is a crash, and no part stays open for another's sake."""
    for close in closes:
        try:
            close()
        except Exception:
            log.warning("%s failed at the stop", getattr(close, "__qualname__", close), exc_info=True)


def until_signalled(stop: Callable[[], None]) -> None:
    """`stop` is what a process does when systemd, or who started it, ends it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop())
