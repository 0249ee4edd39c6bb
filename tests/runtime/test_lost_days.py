"""The file of a closed gaming day is lost: two people sign so, the gap is named ever after, the rest is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.bank.ledger import LedgerBroken
from firmware.runtime import bank as bank_runtime
from firmware.runtime import table_keeping
from firmware.runtime.files import open_any, verify
from firmware.runtime.journal import FileGone, JournalDamaged
from firmware.runtime.snapshots import carries
from firmware.runtime.sqlite import Database, StoreError
from tests.runtime.test_day_files import (
    FIRST,
    SECOND,
    clears,
    closes_day,
    closes_ledger,
    days,
    house,
    played,
    plays_a_round,
    plays_another_round,
    reconciled,
)
from tests.runtime.test_seals import two_people
from tests.runtime.test_two_records import House
from tests.runtime.world import TableWorld

__all__ = ["days", "house", "played"]
LEDGER_DAY = "bank.ledger.00001.2026-01-11"


@pytest.fixture
def three(played: TableWorld, days: list[str]) -> TableWorld:
    """Two days were closed; a round of the third is played, and the program has ended."""
    clears(played)
    days[0] = "2027-01-12"
    closes_day(played)
    played.turns(11_000)
    plays_a_round(played, 4)
    clears(played)
    played.journal.close()
    return played


@pytest.fixture
def updated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Another version of the program is installed: it believes no snapshot of this one."""

    def install() -> None:
        for module in (table_keeping, bank_runtime):
            monkeypatch.setattr(module, "program_of", lambda *_: "0" * 64)
            module.keeping.cache_clear()

    yield install
    monkeypatch.undo()
    for module in (table_keeping, bank_runtime):
        module.keeping.cache_clear()


def signs(monkeypatch: pytest.MonkeyPatch, folder: Path) -> int:
    """Two people sign at the stopped table that its files are lost."""
    two_people(monkeypatch)
    return main(["table", "accept", "days", "--home", str(folder)])


def ends(path: Path) -> tuple[int, str]:
    """The last row of a file, and its hash."""
    database = Database(path, read_only=True)
    [(row, head)] = database.execute("SELECT row, hash FROM event ORDER BY row DESC LIMIT 1")
    database.close()
    return int(str(row)), str(head)


def signed(journal: Path) -> list[FileGone]:
    file = open_any(journal)
    try:
        return [entry.event for entry in file.own_entries() if isinstance(entry.event, FileGone)]
    finally:
        file.close()


def changes_a_row(path: Path) -> None:
    """A row of this file is changed by somebody who can write it."""
    database = Database(path)
    database.execute("DROP TRIGGER event_stays")
    database.execute(
        "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = (SELECT max(row) FROM event) - 2"
    )
    database.close()


def test_what_two_people_sign_names_the_day_the_last_rows_known_and_who(
    three: TableWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, lost = ends(three.folder / FIRST), ends(three.folder / SECOND)
    (three.folder / SECOND).unlink()
    assert main(["journal", "verify", str(three.folder)]) == 2
    assert signs(monkeypatch, three.folder) == 0
    [gone] = signed(three.folder / "table.journal")
    assert gone == FileGone(SECOND, *lost, FIRST, *first, "lost", ("2001", "3001"), "")
    capsys.readouterr()
    for _ in range(2):
        assert main(["journal", "verify", str(three.folder)]) == 0
        said = capsys.readouterr().out
        assert f"{SECOND}: rows {first[0] + 1} to {lost[0]} are gone (lost, signed by badges 2001 and 3001)" in said
        assert first[1] in said and lost[1] in said
        three.starts()
        three.turns(1_100)
        three.journal.close()


@pytest.mark.parametrize("lost", [[FIRST], [SECOND], [FIRST, SECOND]], ids=["the first", "the second", "both"])
def test_a_program_that_was_updated_goes_on_once_it_is_signed_and_not_before(
    three: TableWorld, lost: list[str], monkeypatch: pytest.MonkeyPatch, updated: Callable[[], None]
) -> None:
    before = three.state
    for name in lost:
        (three.folder / name).unlink()
    updated()
    with pytest.raises(StoreError, match="this file is missing"):
        three.starts()
    three.journal.close()
    assert signs(monkeypatch, three.folder) == 0
    three.starts()
    assert three.state.days == before.days and three.state.round.number == before.round.number
    assert three.state.seq == before.seq
    plays_a_round(three, 5)
    clears(three)
    three.journal.close()
    found = verify(three.folder)
    assert [gone.file for gone in found.gone] == lost[-1:] and not found.missing, (
        "the newest; its rows are all that are gone"
    )


@pytest.mark.parametrize("changed", [FIRST, "table.journal"])
def test_nothing_but_the_lost_rows_is_skipped(three: TableWorld, changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (three.folder / SECOND).unlink()
    assert signs(monkeypatch, three.folder) == 0
    changes_a_row(three.folder / changed)
    with pytest.raises(JournalDamaged, match="was changed after it was written") as damage:
        verify(three.folder)
    assert damage.value.path.name == changed


def test_another_file_that_is_lost_later_is_not_covered_by_what_was_signed(
    three: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    (three.folder / SECOND).unlink()
    assert signs(monkeypatch, three.folder) == 0
    (three.folder / FIRST).unlink()
    assert verify(three.folder).missing == FIRST
    assert signs(monkeypatch, three.folder) == 0
    found = verify(three.folder)
    assert (found.missing, [gone.file for gone in found.gone]) == ("", [FIRST, SECOND])


def test_a_file_that_is_found_again_is_looked_at_again(three: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    away = three.folder / "in a drawer"
    (three.folder / SECOND).rename(away)
    assert signs(monkeypatch, three.folder) == 0
    away.rename(three.folder / SECOND)
    assert (verify(three.folder).files, verify(three.folder).gone) == (3, ())


def test_nobody_signs_for_what_is_there(
    three: TableWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ends(three.folder / "table.journal")
    assert signs(monkeypatch, three.folder) == 2
    assert "no file of an earlier day is missing" in capsys.readouterr().err
    assert ends(three.folder / "table.journal") == rows


def test_one_person_alone_signs_nothing(three: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    (three.folder / SECOND).unlink()
    monkeypatch.setattr("builtins.input", lambda _prompt: "2001")
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": "2001")
    assert main(["table", "accept", "days", "--home", str(three.folder)]) == 2
    assert signed(three.folder / "table.journal") == []


def test_a_message_of_the_lost_rows_is_complained_of_and_a_later_one_is_found(
    three: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    (three.folder / FIRST).unlink()
    assert signs(monkeypatch, three.folder) == 0
    three.starts()
    assert three.service._read(1, 1) == three.service._read(2, 9) == []
    assert [one.seq for one in three.service._read(3, 9)] == [3, 4, 5]
    assert three.service._read(6, 9) == []
    with pytest.raises(StoreError, match="are gone"):
        three.journal.hash_at(1)


# The bank, and both sides ------------------------------------------------------------------------------------------------


@pytest.fixture
def closed(house: House) -> House:
    """The bank's first day is closed too; a wager came after, and both programs have ended."""
    clears(house.table)
    closes_ledger(house, "2026-01-11")
    plays_another_round(house, 2)
    clears(house.table)
    house.goes_on()
    house.table.journal.close()
    house.bank.journal.close()
    return house


def signs_at_bank(monkeypatch: pytest.MonkeyPatch, house: House) -> int:
    two_people(monkeypatch)
    return main(["bank", "--home", str(house.bank.folder), "accept-days"])


@pytest.mark.parametrize("update", [False, True])
def test_a_bank_goes_on_without_a_lost_day_and_its_meters_stand(
    closed: House, monkeypatch: pytest.MonkeyPatch, updated: Callable[[], None], *, update: bool
) -> None:
    before = bank_runtime.verify(closed.bank.path)
    (closed.bank.folder / LEDGER_DAY).unlink()
    with pytest.raises(StoreError, match="this file is missing"):
        bank_runtime.verify(closed.bank.path)
    if update:
        updated()
    assert signs_at_bank(monkeypatch, closed) == 0
    assert bank_runtime.verify(closed.bank.path) == before
    closed.restarts()
    plays_another_round(closed, 4)
    assert not closed.bank.service.state.book("uth-04").alarms and not closed.table.state.owed
    assert not closed.table.state.neighbors.bank_alarm
    clears(closed.table)
    wrong = [one.text for one in reconciled(closed) if one.wrong]
    assert wrong == []


def test_an_entry_that_was_changed_after_a_lost_day_is_found(closed: House, monkeypatch: pytest.MonkeyPatch) -> None:
    (closed.bank.folder / LEDGER_DAY).unlink()
    assert signs_at_bank(monkeypatch, closed) == 0
    ledger = Database(closed.bank.path)
    ledger.execute("DROP TRIGGER ledger_stays")
    ledger.execute("UPDATE ledger SET micros = micros + 1 WHERE account = 'contributions'")
    ledger.close()
    with pytest.raises(LedgerBroken, match="is not what row"):
        bank_runtime.verify(closed.bank.path)


@pytest.mark.parametrize("whose", ["table", "bank"])
def test_both_sides_are_held_against_each_other_but_for_what_is_gone_which_is_named(
    closed: House, whose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = closed.bank.folder / LEDGER_DAY if whose == "bank" else closed.table.folder / FIRST
    lost.unlink()
    assert (signs_at_bank(monkeypatch, closed) if whose == "bank" else signs(monkeypatch, closed.table.folder)) == 0
    found = reconciled(closed)
    assert [one.text for one in found if one.wrong] == []
    assert any(lost.name in one.text and one.text.endswith("what stood there is not compared") for one in found)
    assert any("messages, " in one.text and "owes" not in one.text for one in found)


def test_a_state_of_another_program_is_believed_only_where_all_of_it_can_be_read() -> None:
    assert carries({"a": [1, {"b": 2}], "new": 0}, {"a": [1, {"b": 2}]})
    assert not carries({"a": 1}, {"a": 1, "gone": 2})
    assert not carries({"a": [1]}, {"a": [1, 2]}) and not carries({"a": True}, {"a": "1"})


def test_a_state_that_cannot_be_read_is_refused_and_nothing_is_signed(
    three: TableWorld, monkeypatch: pytest.MonkeyPatch, updated: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    (three.folder / SECOND).unlink()
    updated()
    read = table_keeping.read
    monkeypatch.setattr(table_keeping, "read", lambda text: read(text.replace('"tables":', '"other":')))
    table_keeping.keeping.cache_clear()
    assert signs(monkeypatch, three.folder) == 2
    assert "start the one that was installed before" in capsys.readouterr().err
    assert signed(three.folder / "table.journal") == []
