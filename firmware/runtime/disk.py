"""Room on the disk: bets close before what is kept for the rounds under way is touched, by a table or by its bank."""

from __future__ import annotations

import os
from pathlib import Path

MB = 1_000_000
RESERVE_BYTES = 64 * MB
"""A thousand rounds of a busy table, and as much again, which SQLite's log takes until it is folded in."""
ENOUGH_BYTES = RESERVE_BYTES * 5 // 4
"""Bets open again from here on, so that a disk at the edge does not write a row a second."""
LAST_BYTES = RESERVE_BYTES // 4
"""A bank books nothing that it hears below this: in what is left its log is folded in, and people may sign."""


def free_bytes(folder: Path) -> int:
    """Bytes that a program of this user may still write beside `folder`; None if nobody can tell."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_bavail * found.f_frsize


def is_short(free: int, *, was_short: bool) -> bool:
    """The reserve is reached, or was and is not left behind yet."""
    return free < (ENOUGH_BYTES if was_short else RESERVE_BYTES)


def is_spent(free: int, *, was_spent: bool) -> bool:
    """So is what a bank books from when its disk is short, or was and is not half there again."""
    return free < (LAST_BYTES * 3 // 2 if was_spent else LAST_BYTES)
