"""Coordinated Universal Time for people, beside the monotonic clock that decides."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """`2026-11-21T14:07:05.123Z`"""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_s() -> int:
    """The time of day in whole seconds since 1970."""
    return int(datetime.now(UTC).timestamp())
