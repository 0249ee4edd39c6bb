"""Gaming days at three tables and their bank, with faults by seed: nothing is lost, doubled, late or forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.proof.simulation import month
from firmware.proof.simulation.month import TABLES, play
from firmware.proof.simulation.shifts.law import Wrong
from firmware.table.state import TableState
from firmware.wire.structs import replace


@pytest.mark.slow
def test_three_days_come_to_what_the_ledger_has_to_the_micro_dollar(tmp_path: Path) -> None:
    seen = play(tmp_path, 7, 3, 4)
    assert sum(total.rounds for total in seen.totals.values()) == 3 * 4 * len(TABLES)
    assert seen.contributions and seen.met["power cuts"] and seen.met["messages lost"]
    assert len(list((tmp_path / TABLES[0]).glob("table.journal.0000?.2027-01-0?"))) == 3


def test_a_day_that_forgets_a_meter_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(month.MonthTable, "closes_day", closes_day_without_counting)
    with pytest.raises(Wrong, match="contributions"):
        play(tmp_path, 2, 1, 2)


def closes_day_without_counting(table: month.MonthTable, day: str) -> None:
    """The table has forgotten one meter's contributions when its day is closed."""
    table.spine.state = forgetful(table.spine.state)  # type: ignore[union-attr]
    table.state = table.spine.state  # type: ignore[union-attr]
    closes_day(table, day)


def forgetful(state: TableState) -> TableState:
    days = state.days
    total = replace(days.total, contributions=days.total.contributions[1:])
    return replace(state, days=replace(days, total=total))


closes_day = month.MonthTable.closes_day


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_month_comes_to_what_the_ledger_has_to_the_micro_dollar(tmp_path: Path) -> None:
    seen = play(tmp_path, 3, 30, 8)
    assert sum(total.rounds for total in seen.totals.values()) == 30 * 8 * len(TABLES)
    for what in ("power cuts", "bank restarts", "messages lost", "messages twice", "days without a link"):
        assert seen.met[what], f"no {what} in {seen.met}"
