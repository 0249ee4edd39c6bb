"""The window is no bound: an edge that is reported later still counts where the level of its line gives it away."""

from __future__ import annotations

import pytest

from firmware.table import events as e
from hal.ports import LOCKOUT, Edge
from tests.runtime.world import MS, TableWorld

DEBOUNCE_MS, WINDOW_MS = 20, 10
DUE_MS = DEBOUNCE_MS + WINDOW_MS


def lies_unreported(table: TableWorld, seat: int) -> int:
    """A chip lies on a seat, and the report of its edge is on its way; when it was laid, in ns."""
    table.sensors.levels[seat] = True
    return table.clock.now_ns


def reported(table: TableWorld, seat: int, at_ns: int) -> None:
    table.inbox.put(Edge(seat, True, at_ns))
    table.turns()


@pytest.fixture(params=["switch", "screen"])
def locked(request: pytest.FixtureRequest, table: TableWorld) -> TableWorld:
    """Bets are open; a chip was laid in time, 25 ms before the lock, and its edge is not reported yet."""
    table.opens()
    table.laid_ns = lies_unreported(table, 2)  # type: ignore[attr-defined]
    table.clock.now_ns += 25 * MS
    if request.param == "switch":
        table.sensors.moves(LOCKOUT, False)
        table.turns()
    else:
        table.sensors.levels[2] = False  # the reading at the press does not see it either
        table.presses("primary")
        table.sensors.levels[2] = True
    return table


def test_653a_7_a_wager_whose_edge_is_reported_35_ms_late_stands(locked: TableWorld) -> None:
    table = locked
    table.turns(DUE_MS)
    assert table.state.phase == "open", "its level contradicts what is known: one more window"
    table.turns(WINDOW_MS - 1)
    reported(table, 2, table.laid_ns)  # type: ignore[attr-defined]
    table.turns(1)
    assert table.state.phase == "count" and table.state.wagers == (2,)


def test_the_wait_is_one_window_and_no_more(locked: TableWorld) -> None:
    table = locked
    table.turns(DUE_MS)
    table.turns(WINDOW_MS - 1)
    assert table.state.phase == "open"
    assert table.service._lines.next_deadline() == table.clock.now_ns + 1 * MS
    table.turns(1)
    assert table.state.phase == "deal" and table.state.wagers == ()


def test_where_every_level_agrees_the_decision_does_not_wait(table: TableWorld) -> None:
    table.opens()
    table.places(3)
    table.sensors.moves(LOCKOUT, False)
    table.turns()
    table.turns(DUE_MS - 1)
    assert table.state.phase == "open"
    table.turns(1)
    assert table.state.phase == "count" and table.state.wagers == (3,)


def test_lines_that_answer_later_are_waited_for_no_longer_than_a_window(
    table: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.opens()
    table.places(3)
    asked: list[int] = []
    monkeypatch.setattr(table.sensors, "read", lambda: asked.append(table.clock.now_ns))
    table.sensors.moves(LOCKOUT, False)
    table.turns()
    table.turns(DUE_MS)
    table.turns(WINDOW_MS - 1)
    assert table.state.phase == "open" and len(asked) == 1
    table.turns(1)
    assert table.state.phase == "count" and table.state.wagers == (3,)


def test_what_else_comes_while_the_lines_are_read_is_not_lost(table: TableWorld) -> None:
    table.opens()
    table.sensors.moves(LOCKOUT, False)
    table.turns()
    read = table.sensors.read

    def read_while_the_shuffler_complains() -> None:
        read()
        table.shuffler.complains("a frame was cut off")

    table.sensors.read = read_while_the_shuffler_complains  # type: ignore[method-assign]
    table.turns(DUE_MS)
    table.sensors.read = read  # type: ignore[method-assign]
    assert table.state.phase == "deal"
    table.turns()
    assert [complained.text for complained in table.events(e.Complained)] == ["a frame was cut off"]
