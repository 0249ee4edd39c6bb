"""A start replays from the last snapshot, and what it then knows is what all rows from the first would have made."""

from __future__ import annotations

import dataclasses
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from firmware.__main__ import main
from firmware.bank.ledger import LedgerBroken
from firmware.bank.state import BankState, TableBook
from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.games import books
from firmware.rules.money import Cents
from firmware.runtime import bank as bank_runtime
from firmware.runtime import spine, table_keeping
from firmware.runtime import table as table_runtime
from firmware.runtime.day_files import Journal
from firmware.runtime.files import verify
from firmware.runtime.journal import SNAPSHOTS_MAX, JournalDamaged, SnapshotTaken, hash_of_state, row_hash
from firmware.runtime.snapshots import EVERY_MOST
from firmware.runtime.spine import Spine
from firmware.runtime.table_journal import VOCABULARY
from firmware.table import events as e
from firmware.table.evolve import evolve
from firmware.table.outbox import owe
from firmware.table.state import TableState
from firmware.wire.from_table import MadeWager, Wagers
from firmware.wire.offers import WagerOffered
from firmware.wire.structs import replace
from tests.bank.casino import Bank, Table, rules
from tests.runtime.world import BankWorld, Clock, TableWorld

ROOT = Path(__file__).parent.parent.parent
TABLE = table_keeping.keeping()
BANK = bank_runtime.keeping()


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> int:
    """Snapshots every 16 rows."""
    of_tables, of_banks = (
        dataclasses.replace(TABLE, every=16, calm_after=16),
        dataclasses.replace(BANK, every=16, calm_after=16),
    )
    monkeypatch.setattr(table_runtime, "keeping", lambda: of_tables)
    monkeypatch.setattr(bank_runtime, "keeping", lambda: of_banks)
    return 16


# The text of a state --------------------------------------------------------------------------------------------------


class Interrupted(Shift):
    """A shift beside which a twin loses its power after every single row, and starts again from a snapshot."""

    twin = TableState()

    def _write(self, events: Sequence[e.Event], after: TableState) -> None:
        super()._write(events, after)
        for event in events:
            self.twin = TABLE.read(TABLE.write(evolve(self.twin, event)))
        assert self.twin == self.state
        assert TABLE.write(self.twin) == TABLE.write(self.state), "one state has one text"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("book", books())
def test_a_table_that_starts_from_a_snapshot_after_every_row_is_the_same_table(book: str, seed: int) -> None:
    shift = Interrupted(book, seed, trouble=3)
    shift.play(4)
    assert shift.twin.taps and shift.twin == shift.state


def test_a_table_that_was_restored_can_take_back_what_the_other_can(table: TableWorld) -> None:
    table.counted(1, 3)
    for press in ("seat-1", "hand-flush"):
        table.presses(press)
    assert table.state.trail.steps
    restored = TABLE.read(TABLE.write(table.state))
    assert restored == table.state and restored.trail == table.state.trail
    undone = e.Undone(tap=restored.taps + 1)
    assert evolve(restored, undone) == evolve(table.state, undone)


def test_parts_that_the_trail_shares_are_written_once(table: TableWorld) -> None:
    table.counted(1, 3)
    text = TABLE.write(table.state)
    assert text.count('"shuffler"') <= len({id(step.before.neighbors) for step in table.state.trail.steps}) + 1


def test_a_bank_that_starts_from_a_snapshot_after_every_message_is_the_same_bank() -> None:
    bank, tables = Bank(rules("A", five_card="1.00")), [Table("uth-01"), Table("uth-02")]
    for round in range(1, 40):
        for table in tables:
            bank.hears(table, table.wagers(round, 1, 2, own=[1], dealer=[2]))
        if round % 7 == 0:
            bank.hears(tables[0], tables[0].claim(round, 1, "royal flush", number=round))
        if round % 11 == 0:
            bank.hears(tables[1], tables[1].void(round))
        restored = BANK.read(BANK.write(bank.state))
        assert restored == bank.state
        assert BANK.write(restored) == BANK.write(bank.state)
        bank.state = restored
    assert bank.replayed() == bank.state and bank.state.pending


def test_a_large_bank_writes_its_state_less_often() -> None:
    small, large = ({f"t-{number}": TableBook() for number in range(tables)} for tables in (50, 500))
    assert BANK.due(2_000, BankState(tables=small)) and not BANK.due(1_999, BankState(tables=small))
    assert BANK.due(5_000, BankState(tables=large)) and not BANK.due(4_999, BankState(tables=large))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"parts": {}}', "null"])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        TABLE.state_of(text)
    with pytest.raises(ValueError):
        BANK.state_of(text)


def test_what_keeps_the_books_is_in_the_hash_of_the_program() -> None:
    """A module that evolve or its state needs, and that stands elsewhere, would change without a word."""
    for module, packages in (
        ("firmware.table.evolve", ("firmware.table", "firmware.wire", "firmware.rules")),
        ("firmware.bank.state", ("firmware.bank", "firmware.wire", "firmware.rules")),
    ):
        code = f"import sys, {module}; print(*(name for name in sys.modules if name.startswith('firmware.')))"
        said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in said.stdout.split():
            assert name in packages or name.rpartition(".")[0] in packages, name


# A start --------------------------------------------------------------------------------------------------------------


def rows_read(table: TableWorld, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many rows a start of the program replays."""
    replayed: list[object] = []
    entries = Journal.entries

    def counted(self: Journal[Any], after: int = 0) -> Any:
        for entry in entries(self, after):
            replayed.append(entry)
            yield entry

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "entries", counted)
        table.starts()
    return len(replayed)


def plays(table: TableWorld, times: int = 30) -> None:
    """The bank comes and goes: rows without end."""
    table.link.connects()
    for _ in range(times):
        table.beats()
        table.turns(1_000)
        table.turns(10_000)


def snapshots(path: Path) -> list[int]:
    """The rows of the snapshots."""
    with sqlite3.connect(path) as connection:
        return [row for (row,) in connection.execute("SELECT row FROM event WHERE kind = 'SnapshotTaken' ORDER BY row")]


def test_a_start_replays_from_the_last_snapshot(often: int, table: TableWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    table.counted(1, 3)
    plays(table)
    before = table.state
    found = snapshots(table.journal.path)
    assert len(found) > SNAPSHOTS_MAX and max(b - a for a, b in zip([0, *found], found, strict=False)) <= often
    assert rows_read(table, monkeypatch) <= often < table.journal.rows
    assert replace(table.state.program, boot="") == replace(before.program, boot="")
    assert table.state.round == before.round and table.state.trail.final == before.trail.final
    verify(table.journal.path)


def test_every_row_is_a_place_where_the_power_may_fail(often: int, table: TableWorld, tmp_path: Path) -> None:
    """The file as it was after each transaction: from the snapshot, and from row 1."""
    table.counted(1, 3)
    plays(table)
    table.journal.close()
    with sqlite3.connect(table.journal.path) as whole:
        last = whole.execute("SELECT max(row) FROM event").fetchone()[0]
        kept = [row for (row,) in whole.execute("SELECT row FROM snapshot")]
        for row in range(1, last + 1):
            cut = tmp_path / "cut.journal"
            cut.unlink(missing_ok=True)
            with sqlite3.connect(cut) as other:
                whole.backup(other)
                for trigger in ("event_remains", "message_remains"):
                    other.execute(f"DROP TRIGGER {trigger}")
                for name in ("event", "message", "snapshot"):
                    other.execute(f"DELETE FROM {name} WHERE row > ?", (row,))
            journal = Journal(cut, VOCABULARY, read_only=True)
            after, state = TABLE.restore(journal)
            for event in journal.replay(after):
                state = evolve(state, event)
            full = TableState()
            for event in journal.replay():
                full = evolve(full, event)
            assert state == full, row
            assert after == max((snapshot for snapshot in kept if snapshot <= row), default=0)
            journal.close()


def test_a_bank_starts_from_its_snapshot_and_holds_the_same(often: int, bank: BankWorld) -> None:
    table = Table("uth-04")
    for round in range(1, 60):
        bank.hears(table.wagers(round, 1, 2))
    before = bank.service.state
    bank.starts()
    assert bank.service._spine.kept, "from a snapshot"
    assert replace(bank.service.state, term=0) == replace(before, term=0)
    assert bank.down["seq"] == 59
    bank.journal.close()
    assert main(["bank", "verify", str(bank.path)]) == 0
    assert len(snapshots(bank.path)) >= 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE meter SET micros = micros + 1 WHERE name = 'main'", "meter main is stored as"),
        ("UPDATE ledger SET micros = 5 WHERE row = (SELECT max(row) - 1 FROM ledger)", "entries are not what the rows"),
        ("DELETE FROM ledger WHERE row = (SELECT max(row) FROM ledger)", "entries are not what the rows"),
        (
            "INSERT INTO ledger SELECT max(row) + 1, 'awards', 'main', '', 0, 5 FROM ledger",
            "entries are not what the rows",
        ),
    ],
)
def test_a_bank_that_starts_from_a_snapshot_holds_its_tables_against_the_rows_since(
    often: int, bank: BankWorld, change: str, said: str
) -> None:
    table = Table("uth-04")
    for round in range(1, 40):
        bank.hears(table.wagers(round, 1, 2))
    bank.journal.close()
    edited(bank.path, change)
    with pytest.raises(LedgerBroken, match=said):
        bank.starts()


def test_a_bank_that_starts_from_a_snapshot_does_not_walk_its_ledger(often: int, bank: BankWorld) -> None:
    table = Table("uth-04")
    for round in range(1, 60):
        bank.hears(table.wagers(round, 1, 2))
    found = snapshots(bank.path)
    assert max(row for row in found) > 50
    edited(bank.path, "UPDATE ledger SET micros = micros + 1 WHERE row = 3")
    bank.starts()
    assert main(["bank", "verify", str(bank.path)]) == 2, "what is older is for verify"


def test_a_snapshot_is_written_at_least_every_five_thousand_rows(table: TableWorld) -> None:
    table.counted(2)
    state, messages = table.state, []
    for round in range(2, 2 * EVERY_MOST):
        messages.append(owe(state, Wagers(round, (MadeWager.at(WagerOffered("progressive", Cents(100), "A"), 2),))))
        state = evolve(state, messages[-1])
    table.service._spine.record(messages)
    found = snapshots(table.journal.path)
    assert len(found) >= 2 and max(b - a for a, b in zip([0, *found], found, strict=False)) <= TABLE.every
    assert max(TABLE.every, BANK.every) <= EVERY_MOST
    table.starts()
    assert table.state.seq == state.seq and table.state.neighbors.outbox == state.neighbors.outbox


def test_a_long_replay_says_again_and_again_that_the_start_goes_on(
    ended: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update all rows are read once; systemd would kill a start of minutes, again and again."""
    monkeypatch.setattr(spine, "TOLD_EVERY", 10)
    edited(ended.journal.path, "DELETE FROM snapshot")
    journal = Journal(ended.journal.path, VOCABULARY)
    told: list[None] = []
    replayed: Spine[TableState, object, e.Event] = Spine(
        journal, TABLE, lambda state, given: (), starting=lambda: told.append(None)
    )
    assert replayed.state == ended.state and len(told) >= ended.journal.rows // 10 - len(snapshots(journal.path))
    journal.close()


# Snapshots that are not believed ----------------------------------------------------------------------------------------


def edited(path: Path, *statements: str) -> None:
    """By somebody who knows SQL."""
    with sqlite3.connect(path) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.fixture
def ended(often: int, table: TableWorld) -> TableWorld:
    """A table with several snapshots, whose program has ended."""
    table.counted(1, 3)
    plays(table)
    table.journal.close()
    return table


@pytest.mark.parametrize("change", ["UPDATE snapshot SET state = state || ' '", "UPDATE snapshot SET state = x'00'"])
def test_a_damaged_snapshot_is_never_believed_and_the_start_goes_back_to_row_one(
    ended: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    rows, before = ended.journal.rows, ended.state
    edited(ended.journal.path, change)
    assert rows_read(ended, monkeypatch) >= rows
    assert ended.state.round == before.round
    assert caplog.text.count("is damaged; felt journal verify looks at all") == SNAPSHOTS_MAX


def test_only_the_damaged_one_is_passed_over(
    ended: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, often: int
) -> None:
    edited(ended.journal.path, "UPDATE snapshot SET state = '' WHERE row = (SELECT max(row) FROM snapshot)")
    assert often < rows_read(ended, monkeypatch) <= 2 * often
    assert caplog.text.count("is damaged") == 1


def test_a_snapshot_of_another_program_is_passed_over_and_said(
    ended: TableWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    rows = ended.journal.rows
    other = dataclasses.replace(TABLE, program="0" * 64, every=16, calm_after=16)
    monkeypatch.setattr(table_runtime, "keeping", lambda: other)
    assert rows_read(ended, monkeypatch) >= rows
    assert "is another program's and is passed over" in caplog.text
    assert rows_read(ended, monkeypatch) <= 16, "its own stands there now"


def test_a_snapshot_that_was_changed_is_found_by_verify(ended: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "verify", str(ended.journal.path)]) == 0
    edited(ended.journal.path, "UPDATE snapshot SET state = state || ' ' WHERE row = (SELECT min(row) FROM snapshot)")
    assert main(["journal", "verify", str(ended.journal.path)]) == 2
    assert "the text of this snapshot was changed after it was written" in capsys.readouterr().err


def test_a_snapshot_put_in_beside_no_row_is_refused_by_its_row(ended: TableWorld) -> None:
    edited(ended.journal.path, "INSERT INTO snapshot SELECT max(row) + 1, state FROM snapshot")
    with pytest.raises(JournalDamaged, match="the row knows of none"):
        verify(ended.journal.path)
    with pytest.raises(JournalDamaged, match="the row knows of none"):
        ended.starts()


def test_a_false_state_with_all_its_hashes_made_again_is_found_by_verify(ended: TableWorld) -> None:
    """Whoever can write the file can write another state, and the chain from there on; the rows before it say otherwise."""
    path = ended.journal.path
    row = max(snapshots(path))
    journal = Journal(path, VOCABULARY, read_only=True)
    text = next(text for number, text in journal.snapshots() if number == row)
    journal.close()
    assert text is not None
    state = TABLE.read(text)
    false = TABLE.write(replace(state, felt=replace(state.felt, accounts=(999_999,) * 6)))
    edited(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE snapshot SET state = ? WHERE row = ?", (false, row))
        connection.execute(
            "UPDATE event SET body = replace(body, ?, ?) WHERE row = ?",
            (hash_of_state(text), hash_of_state(false), row),
        )
        columns = "row, boot, mono_ns, utc, kind, version, body, hash"
        (before,) = connection.execute("SELECT hash FROM event WHERE row = ?", (row - 1,)).fetchone()
        for fields in connection.execute(f"SELECT {columns} FROM event WHERE row >= ? ORDER BY row", (row,)).fetchall():
            before = row_hash(*[*fields[:-1], before])
            connection.execute("UPDATE event SET hash = ? WHERE row = ?", (before, fields[0]))
    connection.close()
    with pytest.raises(JournalDamaged, match=f"row {row}: the snapshot is not what the rows before it make"):
        verify(path)


def test_the_row_of_a_snapshot_is_in_the_chain(ended: TableWorld) -> None:
    row = max(snapshots(ended.journal.path))
    edited(ended.journal.path, f"UPDATE event SET body = replace(body, 'state', 'STATE') WHERE row = {row}")
    with pytest.raises(JournalDamaged, match=f"row {row}: the row was changed"):
        ended.starts()


def test_of_an_old_snapshot_only_its_row_is_kept(ended: TableWorld, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(ended.journal.path) as connection:
        kept = [row for (row,) in connection.execute("SELECT row FROM snapshot ORDER BY row")]
    assert kept == snapshots(ended.journal.path)[-SNAPSHOTS_MAX:]
    assert main(["journal", "show", str(ended.journal.path)]) == 0
    assert capsys.readouterr().out.count("SnapshotTaken") == len(snapshots(ended.journal.path))


def test_a_transaction_that_fails_leaves_no_snapshot_behind(tmp_path: Path, clock: Clock, often: int) -> None:
    table = TableWorld(tmp_path, clock)
    rows, journal = table.journal.rows, table.journal

    def fails(_: object) -> None:
        raise OSError("the power has failed")

    with pytest.raises(OSError, match="power"):
        journal.append([TABLE.of(table.state)], also=fails)
    assert journal.rows == rows and not list(journal.snapshots())
    assert not [entry for entry in journal.entries() if isinstance(entry.event, SnapshotTaken)]
