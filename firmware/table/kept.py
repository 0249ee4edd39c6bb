"""What follows from one state of a table, found once: a press, the screen and whoever reads it ask the same of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Protocol, TypeVar, TypeVarTuple

from firmware.table.house import House
from firmware.table.state import TableState

Rest = TypeVarTuple("Rest")
Found = TypeVar("Found")

STATES_MAX = 32
"""As many states as a press looks at: the one before it and the one after it, and what lies between for each seat."""
KNOWN_MAX = 64
"""As much of what states have in common: a round of it."""


class Keeps(Protocol):
    """Makes of a pure function the same one, which is asked no more often than it has to be."""

    def __call__(
        self, find: Callable[[House, TableState, *Rest], Found]
    ) -> Callable[[House, TableState, *Rest], Found]: ...


def kept_by(known: Callable[[TableState], Hashable]) -> Keeps:
    """For functions that read nothing of a state but what is `known` of it: asked once of all states that have it in common.

    A state never changes, so that what is known of this very state holds as long as it is kept; while it is kept, no other
    object has its identity.
    """
    states: dict[int, tuple[House, TableState, dict[Any, Any]]] = {}
    alike: dict[tuple[House, Hashable], dict[Any, Any]] = {}

    def look(house: House, state: TableState) -> tuple[House, TableState, dict[Any, Any]]:
        key = house, known(state)
        found = alike.get(key)
        if found is None:
            if len(alike) >= KNOWN_MAX:
                del alike[next(iter(alike))]
            found = alike[key] = {}
        if len(states) >= STATES_MAX:
            del states[next(iter(states))]
        there = states[id(state)] = house, state, found
        return there

    def keeps(find: Callable[[House, TableState, *Rest], Found]) -> Callable[[House, TableState, *Rest], Found]:
        @wraps(find)
        def asked(house: House, state: TableState, *rest: *Rest) -> Found:
            there = states.get(id(state))
            if there is None or there[0] is not house:
                there = look(house, state)
            found, key = there[2], (find, *rest)
            if key not in found:
                found[key] = find(house, state, *rest)
            answer: Found = found[key]
            return answer

        return asked

    return keeps


kept: Keeps = kept_by(lambda _: object())
"""For functions that may read anything: asked once of each of the last states, and never of two."""
