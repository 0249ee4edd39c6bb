"""A bank that is put back twice from one backup still knows, and tells its tables, what it was called in between."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

import pytest

from firmware.bank.events import BankStarted
from firmware.runtime.anchor import JournalLost
from tests.runtime.world import EPOCH, BankWorld, Clock


@pytest.fixture
def bank(tmp_path: Path, clock: Clock) -> BankWorld:
    """A bank that has begun its ledger."""
    return BankWorld(tmp_path, clock)


def file_of(bank: BankWorld) -> Path:
    return bank.folder / "bank.ledger.epochs"


def backup_of(bank: BankWorld) -> Path:
    """The ledger alone, of a bank that has ended in order."""
    bank.journal.close()
    backup = bank.folder / "backup"
    shutil.copy(bank.path, backup)
    bank.starts()
    return backup


def restores(bank: BankWorld, backup: Path) -> str:
    """The ledger is put back, and the bank started on it once with --restored; its epoch then."""
    bank.journal.close()
    shutil.copy(backup, bank.path)
    bank.starts(secrets.token_hex(16), restored=True)
    return bank.service.state.epoch


def test_a_second_restore_from_one_backup_announces_the_first_ones_epoch_too(bank: BankWorld) -> None:
    """Tables that went by the first one's epoch took the second for another bank, each until two people had looked."""
    backup = backup_of(bank)
    first = restores(bank, backup)
    second = restores(bank, backup)
    assert bank.service.state.before == (EPOCH, first) and second not in (EPOCH, first)
    bank.link.connects()
    bank.turns()
    assert bank.down["epoch"] == second and bank.down["before"] == [EPOCH, first]
    assert bank.events(BankStarted)[-1].forgotten == (first,), "so whoever reads the ledger comes to the same state"
    third = restores(bank, backup)
    assert set(bank.service.state.before) == {EPOCH, first, second} and third not in bank.service.state.before


def test_a_ledger_that_knows_its_epochs_itself_has_forgotten_none(bank: BankWorld) -> None:
    first = restores(bank, backup_of(bank))
    second = restores(bank, backup_of(bank))
    assert bank.events(BankStarted)[-1].forgotten == () and bank.service.state.before == (EPOCH, first)
    assert file_of(bank).read_text().split() == [EPOCH, first, second]


def test_a_start_that_announces_no_restore_is_refused_and_forgets_nothing_of_the_file(bank: BankWorld) -> None:
    backup = backup_of(bank)
    first = restores(bank, backup)
    bank.journal.close()
    shutil.copy(backup, bank.path)
    with pytest.raises(JournalLost, match=r"row .* was written.*start once with `felt bank --restored`"):
        bank.starts()
    assert set(file_of(bank).read_text().split()) == {EPOCH, first}
    assert restores(bank, backup) and bank.service.state.before == (EPOCH, first)


@pytest.mark.parametrize("content", ("", "d" * 32 + "\n", "half a li", f"{EPOCH}\nrubbish\n", "\udcff\n"))
def test_a_file_that_is_lost_damaged_or_another_ledgers_announces_nothing(bank: BankWorld, content: str) -> None:
    """Then the bank says what its ledger knows, as one does that was put back on another machine."""
    backup = backup_of(bank)
    restores(bank, backup)
    file_of(bank).write_bytes(content.encode("utf-8", "surrogateescape"))
    second = restores(bank, backup)
    assert bank.service.state.before == (EPOCH,)
    assert file_of(bank).read_text().split() == [EPOCH, second], "and the file is right again"
