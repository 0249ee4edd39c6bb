"""Python looks for cycles only where a loop says that nobody waits."""

from __future__ import annotations

import gc
import weakref

from firmware.runtime import garbage


class Knot:
    """An object that only a collection frees."""

    def __init__(self) -> None:
        self.itself = self


def test_no_allocation_begins_a_collection_and_a_sweep_frees_what_was_left() -> None:
    collections: list[str] = []
    with garbage.kept_out():
        gc.callbacks.append(lambda phase, _info: collections.append(phase))
        try:
            knot = weakref.ref(Knot())
            kept: list[list[int]] = [[] for _ in range(garbage.ENOUGH)]
            assert not collections and knot() is not None
            garbage.sweep()
            assert collections == ["start", "stop"] and knot() is None and kept
            garbage.sweep()
            assert len(collections) == 2, "little came since"
        finally:
            gc.callbacks.pop()
    assert gc.isenabled() and gc.get_freeze_count() == 0
