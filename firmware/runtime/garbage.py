"""When Python looks for garbage in cycles: in a pause of the loop that nobody waits for, and never by itself.

A full collection stops the program for as long as it takes to visit every object, tens of milliseconds on a fast
machine. Records have no cycles, so reference counts free nearly everything; what is left is little and can wait.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

ENOUGH = 20_000
"""Containers more than after the last collection: a few megabytes."""


@contextmanager
def kept_out() -> Iterator[None]:
    """The program is up: what lives now is not visited again, and no allocation begins a collection meanwhile."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def sweep() -> bool:
    """Collect what was left since the last time, if that is much: whether it did. For a loop that has nothing to do."""
    due = gc.get_count()[0] >= ENOUGH
    if due:
        gc.collect()
    return due
