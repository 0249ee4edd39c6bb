"""How far a long command has come: one line that is written over on a terminal, plain lines in a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")

QUIET_S = 2.0
"""A command that ends sooner shows nothing."""
TERMINAL_S, FILE_S = 0.2, 30.0
"""Seconds between two lines, on a terminal and in a file."""
CLEAR = "\r\x1b[K"


def shown(
    items: Iterable[T],
    what: str,
    total: int = 0,
    out: TextIO | None = None,
    now: Callable[[], float] = time.monotonic,
) -> Iterator[T]:
    """The same items. `what` is one of them, such as "row"; `total`: how many there are, 0 where nobody knows.

    Lines go to `out`, or to standard error. `now` gives seconds. The line of a terminal is gone after the last item.
    """
    out = out or sys.stderr
    terminal = out.isatty()
    began = last = now()
    count = 0
    for count, item in enumerate(items, start=1):
        yield item
        at = now()
        if at - began >= QUIET_S and at - last >= (TERMINAL_S if terminal else FILE_S):
            line = line_of(what, count, total, at - began)
            out.write(f"{CLEAR}{line}" if terminal else f"{line}\n")
            out.flush()
            last = at
    if terminal and last > began:
        out.write(CLEAR)
        out.flush()


def line_of(what: str, count: int, total: int, seconds: float) -> str:
    """`row 12,000 of 90,000, 4,000 a second, 0:19 left`."""
    rate = count / seconds
    speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
    if not total:
        return f"{what} {count:,}, {speed} a second"
    minutes, left = divmod(round(max(total - count, 0) / rate), 60)
    return f"{what} {count:,} of {total:,}, {speed} a second, {minutes}:{left:02} left"
