"""Bets close while there is still room for a thousand rounds, and the glass says why; no round is lost to a full disk.

At the bank the same: tables hear that its disk is short, and what it cannot book stays owed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.bank import events as b
from firmware.proof.simulation.books import levels
from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.games import books
from firmware.runtime import disk
from firmware.runtime.day_files import Journal
from firmware.runtime.disk import ENOUGH_BYTES, LAST_BYTES, RESERVE_BYTES, free_bytes, is_short, is_spent
from firmware.runtime.journal import make
from firmware.runtime.table_journal import VOCABULARY
from firmware.table import events as e
from firmware.table.state import Neighbor
from hal.ports import LOCKOUT
from tests.runtime.test_two_records import House
from tests.runtime.world import BankWorld, Clock, TableWorld
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
    assert [event.up for event in table.events(e.NeighborChanged) if event.what is Neighbor.DISK] == [False, True]


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
    assert table.state.neighbors.disk_short
    room.free = ENOUGH_BYTES
    table.starts()
    assert not table.state.neighbors.disk_short


def test_a_disk_at_the_edge_writes_no_row_a_second(room: Disk, table: TableWorld) -> None:
    table.counted(1)
    for free in (RESERVE_BYTES - 1, RESERVE_BYTES + 1) * 20:
        room.free = free
        table.turns(1_000)
    assert [event.up for event in table.events(e.NeighborChanged) if event.what is Neighbor.DISK] == [False]
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


@pytest.fixture
def vault(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk of the bank, which has enough room at first."""
    vault = Disk()
    monkeypatch.setattr("firmware.runtime.bank.free_bytes", vault)
    return vault


@pytest.fixture
def house(vault: Disk, tmp_path: Path, clock: Clock) -> House:
    """A round whose wager the bank has booked."""
    assert vault.free == ENOUGH_BYTES
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    house = House(TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock))
    house.table.counted(3)
    house.goes_on()
    assert not house.table.state.owed and house.table.state.neighbors.link_up
    return house


def test_a_bank_whose_disk_runs_short_says_so_and_tables_light_no_lamp_until_it_has_room(
    house: House, vault: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    table = house.table
    table.presses_for("clear")
    table.sensors.moves(3, False)
    house.goes_on()
    vault.free = RESERVE_BYTES - 1
    house.goes_on()
    table.sensors.moves(LOCKOUT, True)
    house.goes_on()
    assert table.state.phase == "open", "the base game goes on"
    table.places(1)
    assert not table.state.wagers and not table.state.neighbors.link_up
    assert "the bank's disk is nearly full" in table.text
    assert "63 MB are free where the ledger is: tables recognize no progressive wager" in caplog.text
    assert [event.place for event in house.bank.events(b.Complained)] == ["disk"]
    vault.free = ENOUGH_BYTES
    house.goes_on()
    assert table.state.neighbors.link_up and "the bank's disk" not in table.text
    table.sensors.moves(1, False)
    house.goes_on()
    table.places(1)
    assert table.state.wagers == (1,)


def test_what_a_table_owes_is_booked_from_what_a_bank_keeps_and_then_not_until_there_is_room(
    house: House, vault: Disk
) -> None:
    """A lamp that was lit before is a promise, and its wager is booked; below the last reserve it stays owed."""
    table, bank = house.table, house.bank
    for free, booked in ((LAST_BYTES, True), (LAST_BYTES - 1, False)):
        table.presses_for("clear")
        for seat in (1, 3):
            table.sensors.moves(seat, False)
        house.goes_on()
        table.opens()
        table.places(1)
        assert table.state.wagers == (1,)
        vault.free = free
        house.goes_on()
        table.locks()
        table.presses("count-1")
        rows = bank.journal.rows
        house.goes_on(15)
        assert bool(table.state.owed) is not booked, free
        assert (bank.journal.rows > rows) is booked, "below that no row is written"
        held = bank.down["seq"]
        assert (held == table.state.seq) is booked, "and nothing is acknowledged"
        if booked:
            vault.free = ENOUGH_BYTES
            house.goes_on()
    vault.free = ENOUGH_BYTES
    house.goes_on(5)
    assert not table.state.owed and table.state.neighbors.link_up and house.alarms == ("", [])


def test_a_bank_at_the_edge_of_its_room_says_it_once(house: House, vault: Disk) -> None:
    for free in (RESERVE_BYTES - 1, RESERVE_BYTES + 1) * 20:
        vault.free = free
        house.goes_on(1)
    assert len(house.bank.events(b.Complained)) == 1
    assert is_spent(LAST_BYTES, was_spent=True) and not is_spent(LAST_BYTES, was_spent=False)
