"""The time of day. The monotonic clock decides; the wall clock is evidence, and is believed if the journal bears it out.

A wall clock jumps: somebody sets it, a machine without a battery begins where it was saved, or in 1970, until a time server
is heard. So a journal's time goes on from its last row by the monotonic clock, and takes from the wall clock only how long
the machine was off.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import NamedTuple

S = 1_000_000_000
OFF_MOST_NS = 366 * 24 * 3600 * S
"""No table stands switched off for longer with a journal that goes on: a wall clock beyond that is wrong."""
SAME_NS = 2 * S
"""Two clocks that are apart by less say the same."""
FELT_NS = 1_767_225_600 * S
"""2026-01-01: no row of Felt's is older, and a clock that says so is wrong."""
TIMEX_BYTES = 512
"""struct timex is 208 bytes on 64 bits; its first field is zero for a question."""
TIME_ERROR = 5
"""adjtimex(2): nobody sets the clock."""


class Look(NamedTuple):
    """The machine's clocks at one moment, ns: CLOCK_REALTIME, CLOCK_MONOTONIC; whether a time server sets the first."""

    wall_ns: int
    mono_ns: int
    is_set: bool


class Mark(NamedTuple):
    """When a journal's last row was written: on which boot of the machine, its monotonic clock, and UTC, in ns."""

    boot: str
    mono_ns: int
    utc_ns: int


_LIBC = ctypes.CDLL(None, use_errno=True)


def is_set() -> bool | None:
    """Whether a time server sets the machine's clock; None where that may not be asked."""
    said = _LIBC.adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    return None if said < 0 else said != TIME_ERROR


def look() -> Look:
    """The machine's clocks, now."""
    return Look(time.time_ns(), time.monotonic_ns(), bool(is_set()))


class SteadyClock:
    """A journal's time: UTC as it is believed, from its last row on. All in ns of what UTC is ahead of CLOCK_MONOTONIC.

    Within one run it goes by the monotonic clock. The wall clock is followed between the least that the journal shows and
    the most that was believed at the start; beyond that only until it agrees with a time server for the first time. So what
    a wrong clock said at a start is taken back by itself when it is right, and a clock that jumps meanwhile says nothing.
    """

    def __init__(self, boot: str, last: Mark | None, looked: Callable[[], Look] | None = None) -> None:
        """`last`: of the journal's last row, None where it has none."""
        self._looked = looked or (lambda: look())
        seen = self._looked()
        offered = seen.wall_ns - seen.mono_ns
        self._known = last is not None and last.utc_ns >= FELT_NS
        """Some clock was believed once; else the first one that can be right is."""
        self._least = self._most = offered
        if last is not None and self._known:
            same = last.boot == boot
            self._least = self._most = last.utc_ns - last.mono_ns if same else last.utc_ns
            if not same and self._least <= offered <= self._least + OFF_MOST_NS:
                self._most = offered
        self.began_ns = self._believed = self._most
        """The first belief (`ahead_ns`): of the rows before, and of the boot if that is a new one."""
        self.is_sure = False
        """A time server has borne it out since the start."""
        self._follow(seen)

    def _follow(self, seen: Look) -> None:
        offered = seen.wall_ns - seen.mono_ns
        can_be = seen.wall_ns >= FELT_NS and (not self._known or offered <= self._believed + OFF_MOST_NS)
        if can_be and (not self._known or (seen.is_set and not self.is_sure)):
            self._known = True
            self._least, self._most = min(self._least, offered), max(self._most, offered)
        if self._least - SAME_NS <= offered <= self._most + SAME_NS:
            if abs(offered - self._believed) > SAME_NS:
                self._believed = offered
            self.is_sure |= seen.is_set

    @property
    def ahead_ns(self) -> int:
        """Nanoseconds that UTC is ahead of CLOCK_MONOTONIC by the present belief."""
        self._follow(self._looked())
        return self._believed

    def at(self) -> tuple[int, int]:
        """UTC as it is believed and CLOCK_MONOTONIC, ns, of one moment."""
        seen = self._looked()
        self._follow(seen)
        return self._believed + seen.mono_ns, seen.mono_ns

    def utc_s(self) -> int:
        """Whole seconds since 1970."""
        return self.at()[0] // S

    def utc_now(self) -> str:
        """`2026-11-21T14:07:05.123Z`"""
        return _written(self.at()[0]).replace("+00:00", "Z")

    def gaming_day(self, begins: time_of_day) -> str:
        """The gaming day of now (`gaming_day`)."""
        return gaming_day(begins, self.utc_s())

    def row(self) -> tuple[str, int]:
        """UTC as a journal writes it, and ns of CLOCK_MONOTONIC, of one moment."""
        utc_ns, mono_ns = self.at()
        return _written(utc_ns), mono_ns


def _written(utc_ns: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=utc_ns // 1000)).isoformat(
        timespec="milliseconds"
    )


def mark_of(boot: str, mono_ns: int, utc: str) -> Mark:
    """The mark of a row by its fields. Raises ValueError for a time that is none."""
    written = datetime.fromisoformat(utc) - datetime(1970, 1, 1, tzinfo=UTC)
    return Mark(boot, mono_ns, written // timedelta(microseconds=1) * 1000)


def utc_now() -> str:
    """The machine's wall clock, right or wrong: `2026-11-21T14:07:05.123Z`"""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_s() -> int:
    """The machine's wall clock in whole seconds since 1970."""
    return int(datetime.now(UTC).timestamp())


def gaming_day(begins: time_of_day, at_s: int) -> str:
    """`2026-11-21`: the gaming day of `at_s`, by local time; until `begins` it is that of the evening before."""
    before = timedelta(hours=begins.hour, minutes=begins.minute)
    return (datetime.fromtimestamp(at_s) - before).date().isoformat()


def local(at: int) -> str:
    """`14:07`, or `Nov 21, 14:07` of another day: seconds of UTC in the machine's local time, for people."""
    then = datetime.fromtimestamp(at)
    return f"{then:%H:%M}" if then.date() == datetime.now().date() else f"{then:%b} {then.day}, {then:%H:%M}"
