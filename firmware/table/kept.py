"""Results for one state of a table, found once: a press, the screen and their readers ask the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from firmware.table.house import House
from firmware.table.state import TableState

Rest = TypeVarTuple("Rest")
Found = TypeVar("Found")

STATES_MAX = 32
"""As many states as a press looks at: the one before it and the one after it, and what lies between for each seat."""

_STATES: dict[int, tuple[House, TableState, dict[Any, Any]]] = {}
"""A state never changes, and while it is kept no other object has its identity."""


def kept(find: Callable[[House, TableState, *Rest], Found]) -> Callable[[House, TableState, *Rest], Found]:
    """Makes of a pure function the same one, which is asked once of each of the last states."""

    @wraps(find)
    def asked(house: House, state: TableState, *rest: *Rest) -> Found:
        there = _STATES.pop(id(state), None)
        if there is None or there[0] is not house:
            if len(_STATES) >= STATES_MAX:
                del _STATES[next(iter(_STATES))]
            there = house, state, {}
        _STATES[id(state)] = there  # last in the order: what is asked least goes first
        found, key = there[2], (find, *rest)
        if key not in found:
            found[key] = find(house, state, *rest)
        answer: Found = found[key]
        return answer

    return asked
