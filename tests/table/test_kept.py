"""What follows from one state is found once, and never of another one."""

from __future__ import annotations

from firmware.table.house import House
from firmware.table.kept import STATES_MAX, kept
from firmware.table.state import TableState
from firmware.wire.structs import replace
from tests.table.table import house_of

HOUSE = house_of()
ASKED: list[tuple[int, TableState]] = []


@kept
def taps_and(house: House, state: TableState, number: int) -> int:
    """Something that follows from a state and a number."""
    ASKED.append((number, state))
    return state.taps + number


def test_one_state_is_asked_once_for_each_seat() -> None:
    ASKED.clear()
    state = TableState(taps=10)
    assert [taps_and(HOUSE, state, number) for number in (1, 2, 1, 2)] == [11, 12, 11, 12]
    assert [number for number, _ in ASKED] == [1, 2]


def test_another_state_or_house_is_asked_for_itself() -> None:
    ASKED.clear()
    state = TableState(taps=20)
    assert taps_and(HOUSE, state, 1) == 21
    assert taps_and(HOUSE, replace(state, taps=30), 1) == 31
    assert taps_and(replace(HOUSE, level=HOUSE.level), state, 1) == 21
    assert len(ASKED) == 3


def test_only_the_last_states_are_kept() -> None:
    ASKED.clear()
    states = [TableState(taps=taps) for taps in range(STATES_MAX + 1)]
    for state in (*states, states[-1], states[0]):
        assert taps_and(HOUSE, state, 0) == state.taps
    assert len(ASKED) == STATES_MAX + 2, "the first one is asked again, the last one is not"
