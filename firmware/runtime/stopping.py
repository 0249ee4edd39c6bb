"""The end of a process: each part is let go, whatever happens to the one before it."""

from __future__ import annotations

import logging
from collections.abc import Callable

log = logging.getLogger("felt.stopping")


def stop_all(*closes: Callable[[], object]) -> None:
    """Close each in turn. One that fails is logged: no stop is a crash, and no part stays open for another's sake."""
    for close in closes:
        try:
            close()
        except Exception:
            log.warning("%s failed at the stop", getattr(close, "__qualname__", close), exc_info=True)
