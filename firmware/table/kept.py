"""What follows from one state of a table, found once: a press, the screen and whoever reads it ask the same of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

from firmware.table.house import House
from firmware.table.state import TableState

Rest = TypeVarTuple("Rest")
Found = TypeVar("Found")

STATES_MAX = 32
"""As many states as a press looks at: the one before it and the one after it, and what lies between for each seat."""


def kept(find: Callable[[House, TableState, *Rest], Found]) -> Callable[[House, TableState, *Rest], Found]:
    """The same pure function, asked once of each of the last states.

    A state never changes, so that what was found of this very state holds as long as it is kept; while it is kept, no other
    object has its identity.
    """
    known: dict[int, tuple[House, TableState, dict[Any, Found]]] = {}

    def asked(house: House, state: TableState, *rest: *Rest) -> Found:
        there = known.get(id(state))
        if there is None or there[0] is not house:
            if len(known) >= STATES_MAX:
                del known[next(iter(known))]
            there = known[id(state)] = house, state, {}
        found = there[2]
        if rest not in found:
            found[rest] = find(house, state, *rest)
        return found[rest]

    return asked
