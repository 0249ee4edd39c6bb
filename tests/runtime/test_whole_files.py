"""A file is whole before it counts, and a start goes on from what is whole; a bank makes no ledger by itself."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.runtime import bank as bank_runtime
from firmware.runtime import whole
from firmware.runtime.anchor import JournalLost
from firmware.runtime.clock import SteadyClock
from firmware.runtime.files import verify
from firmware.runtime.sqlite import StoreError
from tests.runtime.test_day_files import closes_day, closes_ledger, plays_a_round
from tests.runtime.test_two_records import House
from tests.runtime.world import BankWorld, Clock, TableWorld

DAY = "2027-01-11"


@pytest.fixture
def house(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> House:
    """Both sides have closed a day, and nothing was written since."""
    monkeypatch.setattr(SteadyClock, "gaming_day", lambda _, begins: DAY)
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    house = House(TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock))
    closes_day(house.table)
    house.table.turns(50)
    closes_ledger(house, DAY)
    assert house.table.journal.days == house.bank.journal.days == 1
    return house


def test_a_write_that_the_disk_does_not_give_back_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small"
    whole.put(path, b"before")
    monkeypatch.setattr(os, "write", lambda file, content: len(content))  # said to be written, and is not
    with pytest.raises(StoreError, match="what was written is not what is read back"):
        whole.put(path, b"after")
    monkeypatch.undo()
    assert path.read_bytes() == b"before" and [one.name for one in tmp_path.iterdir()] == ["small"]


def killed(world: TableWorld | BankWorld) -> None:
    """The power goes: nothing is said at the end."""
    world.journal.leaving, world.journal.log_stays = None, True
    world.journal.close()


@pytest.mark.parametrize("content", [b"", b"rubbish" * 2_000])
def test_a_new_days_file_that_cannot_be_read_gives_its_name_back_to_the_day_that_has_all_rows(
    house: House, content: bytes
) -> None:
    for world in (house.table, house.bank):
        rows = world.journal.rows
        killed(world)
        world.journal.path.write_bytes(content)
        world.starts()
        house.table.turns(11_000)
        house.bank.turns(11_000)
        assert world.journal.rows >= rows and world.journal.days == 1, "the day is put aside once more"
        assert world.journal.path.with_name(f"{world.journal.path.name}.unreadable").read_bytes() == content
        verify(world.journal.path)


def test_a_new_days_file_on_which_something_was_promised_is_not_passed_over(house: House) -> None:
    house.table.opens()
    killed(house.table)
    house.table.journal.path.write_bytes(b"rubbish" * 2_000)
    with pytest.raises(StoreError, match="Is it a file of Felt"):
        house.table.starts()


def test_a_page_of_the_index_that_cannot_be_read_is_found_at_the_start(house: House) -> None:
    plays_a_round(house.table, 3)
    house.table.journal.close()
    path = house.table.journal.path
    content = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as file:
        [(page,)] = file.execute("SELECT rootpage FROM sqlite_master WHERE name = 'message'").fetchall()
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged|malformed"):
        house.table.starts()


# The ledger is made once ------------------------------------------------------------------------------------------------


def test_a_bank_makes_its_ledger_by_a_command_and_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bank", "--home", str(tmp_path)]) == 2
    assert "`felt bank new` makes it, once" in capsys.readouterr().err and not list(tmp_path.glob("bank.ledger*"))
    assert main(["bank", "new", "--home", str(tmp_path)]) == 0
    assert "public key of its seals" in capsys.readouterr().out
    assert main(["bank", "verify", str(tmp_path / "bank.ledger")]) == 0
    capsys.readouterr()
    assert main(["bank", "new", "--home", str(tmp_path)]) == 2
    assert "a bank has one ledger" in capsys.readouterr().err


@pytest.mark.parametrize(
    "gone, said",
    [
        ("bank.ledger", "the ledger is missing or empty"),
        ("bank.ledger-wal", "the file -wal beside it is gone, empty or damaged"),
        ("bank.ledger.anchor", "the file .anchor beside it is missing"),
        ("bank.ledger.epochs", "is missing, empty, or another ledger's"),
    ],
)
@pytest.mark.parametrize("emptied", [False, True])
def test_what_is_missing_of_a_ledger_is_a_refusal_that_names_its_cure(
    bank: BankWorld, gone: str, said: str, emptied: bool
) -> None:
    bank.turns(61_000)
    killed(bank)
    lost = bank.folder / gone
    assert lost.stat().st_size, "it was there"
    lost.unlink()
    if emptied:
        lost.touch()
    before = {path.name: path.stat().st_size for path in bank.folder.glob("bank.ledger*")}
    with pytest.raises(StoreError, match=said) as refusal:
        bank_start(bank)
    assert "felt bank --restored" in str(refusal.value)
    assert before.keys() >= {path.name for path in bank.folder.glob("bank.ledger*")} - {
        "bank.ledger-wal",
        "bank.ledger-shm",
    }


def bank_start(bank: BankWorld) -> None:
    """As the program does it, not the world: no new ledger for one that is gone."""
    bank_runtime.open_journal(bank.path).close()
    bank.starts()


def test_a_backup_that_is_announced_is_taken(bank: BankWorld) -> None:
    bank.journal.close()
    backup = bank.folder / "backup"
    shutil.copy(bank.path, backup)
    bank.starts()
    bank.journal.close()
    shutil.copy(backup, bank.path)
    with pytest.raises(JournalLost, match="start once with `felt bank --restored`"):
        bank.starts()
    bank.starts("d" * 32, restored=True)
    assert bank.service.state.epoch == "d" * 32
    bank.starts()
    assert bank.service.state.epoch == "d" * 32
