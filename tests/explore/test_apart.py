"""Two tables followed apart (`tests/explore/apart.py`) come to the very worlds that exploring both together visits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.explore.apart import APART, CENTER, WHAT, Apart, Joined
from tests.explore.search import DOWN, DOWN_AT, MASK, SIDE, TABLE_AT, UP, UP_AT, Explorer, Scope
from tests.explore.test_planted_protocol_mistakes import (
    LITTLE,
    OVER,
    Plant,
    acknowledged_before_it_is_committed,
    sent_is_held,
    term_ignored,
    twice_after_a_start,
    void_round_of_another_epoch,
)

LIMITS = ("doubled", "reordered", "lost", "table_starts", "bank_starts", "restores")
Place = tuple[int, int, int]
"""Bank and backup, and each table with what is under way to and from it."""


def together(explorer: Explorer) -> set[Place]:
    """Every world, both tables together, one after the other; without the faults to come."""
    worlds, seen = [explorer.start], {explorer.start}
    for world in worlds:
        for _, after in explorer.moves(world):
            if after not in seen:
                seen.add(after)
                worlds.append(after)
    first, second = (
        MASK[SIDE] << TABLE_AT[at] | MASK[2 * UP] << UP_AT[at] | MASK[2 * DOWN] << DOWN_AT[at] for at in (0, 1)
    )
    return {(world & CENTER, world & first, world & second) for world in worlds}


def apart(scope: Scope, explorer: Explorer) -> set[Place]:
    """The worlds that all places stand for, whatever is put back."""
    found: set[Place] = set()
    for what in WHAT if scope.restores else WHAT[:1]:
        one = Apart(scope, what, explorer)
        assert one.explore().whole
        for center, pairs in one.places.items():
            for pair in pairs:
                mine, other = ({member & APART for member in members} for members in pair)
                found |= {(center & CENTER, a, b) for a in mine for b in other}
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fault", ("", "table_starts", "bank_starts", "restores"))
def test_both_come_to_the_same_worlds_where_no_fault_is_counted_for_both_tables(fault: str) -> None:
    limits: dict[str, Any] = {name: int(name == fault) for name in LIMITS}
    scope = Scope(acts=(1, 1), **limits)
    explorer = Explorer(scope)
    visited = together(explorer)
    assert len(visited) > 200 and apart(scope, explorer) == visited


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fault", ("doubled", "reordered", "lost"))
def test_apart_comes_to_more_where_each_table_has_the_fault_for_itself(fault: str) -> None:
    limits: dict[str, Any] = {name: int(name == fault) for name in LIMITS}
    scope = Scope(acts=(1, 1), **limits)
    explorer = Explorer(scope)
    assert apart(scope, explorer) > together(explorer)


def joined(scope: Scope, explorer: Explorer) -> set[Place]:
    """The worlds that every bank with all that may stand beside it comes to, whatever is put back."""
    found: set[Place] = set()
    for what in WHAT if scope.restores else WHAT[:1]:
        one = Joined(scope, what, explorer)
        assert one.explore().whole
        for center, at in one.beside:
            if at == 0:
                mine, other = one.beside[center, 0], one.beside.get((center, 1), {})
                found |= {(center & CENTER, a, b) for a in mine for b in other}
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("fault", ("", *LIMITS))
def test_one_place_for_each_bank_leaves_no_world_out(fault: str) -> None:
    limits: dict[str, Any] = {name: int(name == fault) for name in LIMITS}
    scope = Scope(acts=(1, 1), **limits)
    explorer = Explorer(scope)
    assert joined(scope, explorer) >= together(explorer)


FOUND: dict[Plant, tuple[Scope, str]] = {
    acknowledged_before_it_is_committed: (LITTLE, "the bank is another one after a start than before"),
    twice_after_a_start: (LITTLE, "came twice and counted"),
    void_round_of_another_epoch: (LITTLE, "the meters hold {'main': 10000210000}, and should {'main': 100"),
    term_ignored: (OVER, "goes by term 1 of a bank that it heard as term 2"),
    sent_is_held: (LITTLE, "the bank holds 0"),
}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", (Apart, Joined))
@pytest.mark.parametrize("plant", FOUND, ids=lambda plant: plant.__name__)
def test_a_planted_mistake_is_found_with_the_tables_apart_too(
    plant: Plant, way: type[Apart], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    scope, wrong = FOUND[plant]
    seen = way(scope).explore()
    assert any(wrong in one for one in seen.wrong), str(seen)
