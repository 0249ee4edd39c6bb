"""Coordinated Universal Time for people, beside the monotonic clock that decides."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta


def utc_now() -> str:
    """`2026-11-21T14:07:05.123Z`"""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_s() -> int:
    """The time of day in whole seconds since 1970."""
    return int(datetime.now(UTC).timestamp())


def gaming_day(begins: time) -> str:
    """`2026-11-21`: the gaming day of now, in the machine's local time; until `begins` it is that of the evening before."""
    before = timedelta(hours=begins.hour, minutes=begins.minute)
    return (datetime.now() - before).date().isoformat()


def local(at: int) -> str:
    """`14:07`, or `Nov 21, 14:07` of another day: seconds of UTC in the machine's local time, for people."""
    then = datetime.fromtimestamp(at)
    return f"{then:%H:%M}" if then.date() == datetime.now().date() else f"{then:%b} {then.day}, {then:%H:%M}"
