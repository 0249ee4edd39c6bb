"""Bets close while there is still room for a thousand rounds, and the glass says why; no round is lost to a full disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.rules.games import books
from firmware.runtime import disk
from firmware.runtime.disk import ENOUGH_BYTES, RESERVE_BYTES, free_bytes, is_short
from firmware.runtime.journal import Journal, make
from firmware.runtime.table import VOCABULARY
from firmware.simulation.books import levels
from firmware.simulation.shifts.shift import Shift
from firmware.table import events as e
from hal.ports import LOCKOUT
from tests.runtime.world import TableWorld
from tests.sample import some


class Disk:
    """So much room."""

    free = ENOUGH_BYTES

    def __call__(self, folder: Path) -> int:
        assert folder.is_dir()
        return self.free


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk of the table, which has enough room at first."""
    room = Disk()
    monkeypatch.setattr("firmware.runtime.table.free_bytes", room)
    return room


def cleared(table: TableWorld) -> None:
    """The round under way is over, and the switch says that bets may open."""
    table.bank_says()
    table.presses("primary")
    table.sensors.moves(LOCKOUT, True)
    for _ in range(3):
        table.beats()
        table.turns(1_000)


def test_bets_stay_closed_before_the_reserve_is_touched_and_the_glass_says_why(room: Disk, table: TableWorld) -> None:
    table.counted(1)
    room.free = RESERVE_BYTES - 1
    table.turns(1_000)
    assert table.state.phase == "deal", "a round that is under way goes on"
    cleared(table)
    assert table.state.phase == "closed" and table.sensors.locked
    assert "BETS STAY CLOSED" in table.text and "The disk is nearly full." in table.text
    assert "Call the technician." in table.text
    room.free = ENOUGH_BYTES
    table.turns(1_000)
    assert table.state.phase == "open"
    assert [event.short for event in table.events(e.DiskChanged)] == [True, False]


def test_bets_that_are_open_are_played_to_their_end(room: Disk, table: TableWorld) -> None:
    table.opens()
    room.free = 0
    table.turns(1_000)
    assert table.state.phase == "open"
    table.places(2)
    assert table.state.wagers == (2,)


def test_a_table_that_starts_on_a_full_disk_opens_no_bets(room: Disk, table: TableWorld) -> None:
    table.counted(1)
    cleared(table)
    table.locks()
    room.free = 0
    table.starts()
    table.link.connects()
    table.beats()
    table.turns(1_000)
    assert table.state.neighbours.disk_short
    room.free = ENOUGH_BYTES
    table.starts()
    assert not table.state.neighbours.disk_short


def test_a_disk_at_the_edge_writes_no_row_a_second(room: Disk, table: TableWorld) -> None:
    table.counted(1)
    for free in (RESERVE_BYTES - 1, RESERVE_BYTES + 1) * 20:
        room.free = free
        table.turns(1_000)
    assert len(table.events(e.DiskChanged)) == 1
    assert is_short(ENOUGH_BYTES - 1, was_short=True) and not is_short(RESERVE_BYTES, was_short=False)


def test_a_folder_that_is_gone_has_no_room(tmp_path: Path) -> None:
    assert free_bytes(tmp_path) > 0
    assert free_bytes(tmp_path / "gone") == 0


@pytest.mark.parametrize("book", some(books(), keep=books()[2:3]))
def test_the_reserve_holds_a_thousand_rounds(book: str, tmp_path: Path) -> None:
    """Of a busy shift with everything told; twice, as the log holds what the file does not hold yet."""
    rounds = 12
    shift = Shift(book, 3, level=levels(book)[-1], trouble=4)
    shift.play(rounds)
    make(tmp_path / "table.journal", VOCABULARY.name)
    journal = Journal(tmp_path / "table.journal", VOCABULARY)
    journal.append([VOCABULARY.decode(*row) for row in shift.rows])
    journal.close()
    assert 2 * 1_000 * journal.path.stat().st_size // rounds < disk.RESERVE_BYTES
