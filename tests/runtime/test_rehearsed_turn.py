"""Before a chip settles its turn is rehearsed, so that the processor has it at hand: that must never be seen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from firmware.runtime import table as table_runtime
from firmware.table import events as e
from hal.ports import Edge, Lamp
from tests.runtime.world import MS, TableWorld

DUE_MS = 30
"""Debounce and window."""


@pytest.fixture
def waiting(table: TableWorld, monkeypatch: pytest.MonkeyPatch) -> TableWorld:
    """A chip lies on seat 3 and settles in a millisecond; each look at the clock takes 20 us."""
    table.opens()
    table.sensors.moves(3, True)
    table.turns()
    table.turns(DUE_MS - 1)

    def looked_at() -> int:
        table.clock.now_ns += 20_000
        return table.clock.now_ns

    here = SimpleNamespace(monotonic_ns=looked_at, strftime=lambda _format: "12:00")
    monkeypatch.setattr(table_runtime, "time", here)
    return table


def test_what_is_rehearsed_is_neither_written_nor_shown_nor_kept(waiting: TableWorld) -> None:
    table, journal = waiting, waiting.journal
    before = table.state, journal.rows, journal.head, dict(table.sensors.lamps)
    assert table.service._wait() == []
    assert (table.state, journal.rows, journal.head, table.sensors.lamps) == before
    assert not table.events(e.WagerPlaced)
    table.service.turn([])
    assert [placed.seat for placed in table.events(e.WagerPlaced)] == [3] and table.sensors.lamps[3] is Lamp.LIT


def test_the_way_that_is_rehearsed_is_that_of_the_turn(waiting: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    table = waiting
    rehearsed: list[e.Event] = []
    monkeypatch.setattr(table.journal, "rehearse", rehearsed.extend)
    table.service._wait()
    table.service.turn([])
    assert rehearsed and rehearsed == table.events(object)[-len(rehearsed) :]


def test_an_edge_that_is_reported_during_the_rehearsal_counts_for_the_decision(
    waiting: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = waiting
    lifted = Edge(3, False, table.clock.now_ns - 9 * MS - MS // 2)  # it had lain for 19.5 ms
    monkeypatch.setattr(table.journal, "rehearse", lambda _events: table.inbox.put(lifted))
    table.service.turn(table.service._wait())
    assert not table.events(e.WagerPlaced) and table.sensors.lamps[3] is Lamp.DARK


def test_there_is_no_rehearsal_without_the_time_for_it(waiting: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    table = waiting
    rehearsed: list[e.Event] = []
    monkeypatch.setattr(table.journal, "rehearse", rehearsed.extend)
    table.service._rehearsal_ns = table_runtime.REHEARSAL_MOST_NS
    assert table.service._wait() == [] and not rehearsed
    table.service.turn([])
    assert table.sensors.lamps[3] is Lamp.LIT
