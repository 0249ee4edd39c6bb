"""The journal: what was written is there for ever, and whoever changes a byte of it is found, row and all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from msgspec.structs import fields

from firmware.__main__ import main
from firmware.runtime import bank
from firmware.runtime.day_files import Journal
from firmware.runtime.files import open_any, verify
from firmware.runtime.journal import OWN_ROWS, JournalDamaged, Vocabulary, make, row_hash
from firmware.runtime.seals import Checkpoint, load_key
from firmware.runtime.sqlite import StoreError
from firmware.runtime.table_journal import VOCABULARY
from firmware.table import events as e
from tests.runtime.world import Clock, TableWorld
from tests.sample import some

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COLUMNS = "row, boot, mono_ns, utc, kind, version, body, hash"


@pytest.fixture
def path(table: TableWorld) -> Path:
    """The journal of a table whose round was counted; the program has ended and the file is whole."""
    table.counted(1, 3)
    table.journal.close()
    return table.journal.path


@pytest.fixture(scope="module")
def counted_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One counted round, made once; tests take copies."""
    monkeypatch = pytest.MonkeyPatch()
    clock = Clock()
    clock.install(monkeypatch)
    table = TableWorld(tmp_path_factory.mktemp("counted"), clock)
    table.counted(1, 3)
    table.journal.close()
    monkeypatch.undo()
    return table.folder


def verified(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["journal", "verify", str(path)])
    said = capsys.readouterr()
    return code, said.out + said.err


def refused_by_the_table(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that `felt table` says when it does not start."""
    assert main(["table", "--home", str(path.parent)]) == 2
    said = capsys.readouterr()
    assert not said.out and len(said.err.splitlines()) == 1
    return said.err


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    rows = connection.execute(f"SELECT {COLUMNS} FROM event ORDER BY row").fetchall()
    connection.close()
    return rows


def edited(path: Path, *statements: str, rechained: bool = False) -> None:
    """Somebody who knows SQL takes the triggers away first; `rechained`: and knows how the hashes are made."""
    connection = sqlite3.connect(path)
    triggers = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
    for statement in (*(f"DROP TRIGGER {name}" for name in triggers), *statements):
        connection.execute(statement)
    before = "0" * 64
    for row in connection.execute(f"SELECT {COLUMNS} FROM event ORDER BY row").fetchall() if rechained else []:
        before = row_hash(*[*row[:-1], before])
        connection.execute("UPDATE event SET hash = ? WHERE row = ?", (before, row[0]))
    connection.commit()
    connection.close()


def sealed_again(path: Path) -> None:
    """Whoever is the program's own user has its key as well, and makes every seal again."""
    key = load_key(next(path.parent.glob("*-seal.key")))
    connection = sqlite3.connect(path)
    (journal,) = connection.execute("SELECT value FROM about WHERE key = 'id'").fetchone()
    found = "SELECT number, event.row, hash FROM seal JOIN event ON event.row = seal.row"
    for number, row, head in connection.execute(found).fetchall():
        note = key.sign(Checkpoint(f"{key.public.name}/{journal}", row, head, number).text)
        connection.execute("UPDATE seal SET note = ? WHERE number = ?", (note, number))
    connection.commit()
    connection.close()


# Appending ----------------------------------------------------------------------------------------------------------


def test_what_was_appended_is_replayed_in_order_and_goes_on_after_it(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    first: list[e.Event] = [e.TableOpened("uth-04", "a" * 32, 6), e.CountEntered("progressive", 3, 2)]
    make(path, VOCABULARY.name)
    journal = Journal(path, VOCABULARY)
    journal.append(first)
    head, name = journal.head, journal.id
    journal.close()
    journal = Journal(path, VOCABULARY)
    assert list(journal.replay()) == first
    assert (journal.rows, journal.head, journal.id) == (2, head, name)
    journal.append([e.CountAgreed((1, 2))])
    assert list(journal.replay()) == [*first, e.CountAgreed((1, 2))]
    assert journal.verify() == (3, journal.head)
    journal.close()


def test_a_transaction_that_fails_leaves_nothing_behind_and_the_next_one_works(tmp_path: Path) -> None:
    make(tmp_path / "table.journal", VOCABULARY.name)
    journal = Journal(tmp_path / "table.journal", VOCABULARY)

    def fails(_: object) -> None:
        raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="disk is full"):
        journal.append([e.CountAgreed(())], also=fails)
    assert (journal.rows, journal.verify()[0]) == (0, 0)
    journal.append([e.CountAgreed(())])
    assert journal.verify()[0] == 1
    journal.close()


def test_the_triggers_abort_every_update_delete_and_replacement(path: Path) -> None:
    connection = sqlite3.connect(path)
    for statement in (
        "UPDATE event SET body = '{}' WHERE row = 3",
        "UPDATE event SET row = row + 100",
        "DELETE FROM event WHERE row = 3",
        "DELETE FROM event",
        f"INSERT OR REPLACE INTO event SELECT {COLUMNS} FROM event WHERE row = 3",
        "REPLACE INTO event VALUES (3, '', 0, '', '', 1, '', '')",
        "UPDATE about SET value = 'x'",
        "DELETE FROM about",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="a journal is"):
            connection.execute(statement)
    connection.close()


def test_a_second_program_on_the_same_file_is_told_so_and_nothing_is_written_twice(path: Path) -> None:
    one = Journal(path, VOCABULARY)
    rows, _ = one.verify()
    with pytest.raises(StoreError, match="another program writes to it; stop that one first"):
        Journal(path, VOCABULARY)
    one.append([e.CountEntered("progressive", None, 0)])
    reader = Journal(path, VOCABULARY, read_only=True)
    assert reader.verify()[0] == rows + 1
    reader.close()
    one.close()
    Journal(path, VOCABULARY).close()


@pytest.mark.parametrize("promises", some([1, 7, 60], keep=[7]))
def test_a_kill_in_the_middle_of_appends_loses_nothing_that_was_promised(tmp_path: Path, promises: int) -> None:
    path = tmp_path / "table.journal"
    make(path, VOCABULARY.name)
    heads: dict[int, str] = {}
    for _ in range(2):
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.runtime.appender", str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert program.stdout is not None
        lines = [program.stdout.readline() for _ in range(promises)]
        program.kill()
        lines += program.stdout.readlines()  # what it had said and we had not heard
        program.wait()
        heads.update((int(row), head) for row, head in (line.split() for line in lines if line.endswith("\n")))
    journal = Journal(path, VOCABULARY)
    hashes = {entry.row: entry.hash for entry in journal.entries()}
    journal.close()
    assert {row: hashes.get(row) for row in heads} == heads
    assert len(hashes) % 2 == 0, "a transaction is there with all its rows or not at all"


# One byte ------------------------------------------------------------------------------------------------------------


def locks_row(path: Path) -> tuple[int, tuple[object, ...]]:
    """A row in the middle: the lock. Its version is 2, which SQLite keeps in a byte of its own."""
    rows = rows_of(path)
    place = next(place for place, row in enumerate(rows) if row[4] == b"BetsClosed")
    assert 3 < place < len(rows) - 2
    return place + 1, rows[place]


def offsets(content: bytes, row: tuple[object, ...]) -> Iterator[dict[str, int]]:
    """Where each field of a row stands in the file. A record is a header of types and then the fields, one by one."""
    number, boot, mono_ns, utc, kind, version, body, hash = row
    assert isinstance(mono_ns, int) and isinstance(version, int) and isinstance(number, int)
    size = 6 if mono_ns < 2**47 else 8
    fields = {
        "boot": boot,
        "mono_ns": mono_ns.to_bytes(size, "big"),
        "utc": utc,
        "kind": kind,
        "version": b"",  # SQLite writes a 1 into the header of a row, not beside its fields
        "body": body,
        "hash": hash,
    }
    record = b"".join(value for value in fields.values() if isinstance(value, bytes))
    start = content.find(record)
    while start >= 0:
        found = {}
        at = start
        for name, value in fields.items():
            assert isinstance(value, bytes)
            found[name] = at + len(value) // 2 if name != "mono_ns" else at + len(value) - 1
            at += len(value)
        header = next(back for back in range(6, 20) if content[start - back] == back and content[start - back + 1] == 0)
        found["row"] = start - header - 1
        yield found
        start = content.find(record, start + 1)


def flipped(path: Path, field: str, bit: int) -> int:
    """Change one bit of one field of the lock's row where it lives on the disk; the row's number."""
    number, row = locks_row(path)
    whole = path.read_bytes()
    for found in offsets(whole, row):
        content = bytearray(whole)
        content[found[field]] ^= bit
        path.write_bytes(content)
        try:
            if rows_of(path)[number - 1] != row:
                return number
        except sqlite3.DatabaseError:
            return number
    raise AssertionError(f"{field} of row {number} was not found in {path}")


@pytest.mark.parametrize("bit", [0x01, 0x80])
@pytest.mark.parametrize("field", ["row", "boot", "mono_ns", "utc", "kind", "body", "hash"])
def test_one_bit_changed_on_the_disk_names_the_row_and_the_table_does_not_start(
    counted_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], field: str, bit: int
) -> None:
    path = tmp_path / "table.journal"
    shutil.copy(counted_home / "table.journal", path)
    assert verified(path, capsys)[0] == 0
    number = flipped(path, field, bit)
    code, said = verified(path, capsys)
    assert code == 2 and len(said.splitlines()) == 1
    assert f"table.journal: row {number}: " in said
    evidence = path.read_bytes()
    said = refused_by_the_table(path, capsys)
    assert f"row {number}: " in said
    assert "Do not delete the file: it is evidence. Call the technician" in said
    assert "restored copy" in said and "two people adopt" in said
    assert path.read_bytes() == evidence, "evidence is not touched"


@pytest.mark.parametrize(
    ("change", "row", "why"),
    [
        ("DELETE FROM event WHERE row = 5", 5, "the row is missing, row 6 follows"),
        ("DELETE FROM event WHERE row = 1", 1, "the row is missing, row 2 follows"),
        ("UPDATE event SET row = -row WHERE row IN (5, 6)", 1, "the row is missing, row -6 follows"),
        (
            "UPDATE event SET body = (SELECT body FROM event AS other WHERE other.row = 11 - event.row)"
            " WHERE row IN (5, 6)",
            5,
            "the row was changed after it was written",
        ),
        ("UPDATE event SET mono_ns = 'soon' WHERE row = 5", 5, "a field is not what was written"),
        ("UPDATE event SET body = x'00ff' WHERE row = 5", 5, "a field is not what was written"),
        ("UPDATE event SET hash = upper(hash) WHERE row = 5", 5, "the row was changed after it was written"),
        (
            "INSERT INTO event SELECT row + 1, boot, mono_ns, utc, kind, version, body, hash FROM event"
            " ORDER BY row DESC LIMIT 1",
            0,
            "the row was changed after it was written",
        ),
    ],
)
def test_rows_missing_swapped_retyped_or_added_are_named(
    path: Path, capsys: pytest.CaptureFixture[str], change: str, row: int, why: str
) -> None:
    edited(path, change)
    row = row or len(rows_of(path))
    code, said = verified(path, capsys)
    assert code == 2
    assert f": row {row}: {why}" in said
    assert f": row {row}: {why}" in refused_by_the_table(path, capsys)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE event SET kind = 'GiftGiven' WHERE row = 5", "kind 'GiftGiven' is unknown to this program"),
        ("UPDATE event SET version = 9 WHERE row = 5", "9 is newer than this program"),
        ("UPDATE event SET version = 0 WHERE row = 5", "0 was never written by any program"),
        ("UPDATE event SET version = -1 WHERE row = 5", "-1 was never written by any program"),
        ("UPDATE event SET body = '{' WHERE row = 5", "cannot be read"),
        ("UPDATE event SET body = '[]' WHERE row = 5", "cannot be read"),
        ("UPDATE event SET kind = 'BetsClosed', version = 1, body = '[]' WHERE row = 5", "cannot be read"),
        ("UPDATE event SET kind = 'BetsClosed', version = 1, body = '{}' WHERE row = 5", "cannot be read"),
    ],
)
def test_an_event_that_this_program_cannot_read_is_refused_by_its_row_though_its_hash_is_right(
    path: Path, capsys: pytest.CaptureFixture[str], change: str, why: str
) -> None:
    edited(path, change, rechained=True)
    code, said = verified(path, capsys)
    assert code == 2 and ": row 5: " in said and why in said
    assert ": row 5: " in refused_by_the_table(path, capsys)


# The file ------------------------------------------------------------------------------------------------------------


STAMPED = {"tap", "at", "by", "player"}
"""What a table's loop writes beside what happened: who decides an event leaves these to it."""


@pytest.mark.parametrize("kind", [*VOCABULARY.kinds.values(), *bank.VOCABULARY.kinds.values(), *OWN_ROWS.values()])
def test_a_row_has_every_field_of_its_kind_and_the_first_version(kind: Any) -> None:
    assert kind.VERSION == 1
    stamped = STAMPED if issubclass(kind, e.Recorded) else set()
    assert [field.name for field in fields(kind) if not field.required and field.name not in stamped] == []


@pytest.mark.parametrize("keeps", [0.9, 0.5, 0.2, 0.02])
def test_a_truncated_file_is_refused_in_one_line(path: Path, capsys: pytest.CaptureFixture[str], keeps: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keeps)])
    code, said = verified(path, capsys)
    assert code == 2 and len(said.splitlines()) == 1
    assert "table.journal" in said and "evidence" in said
    assert "evidence" in refused_by_the_table(path, capsys)


def test_a_file_that_is_no_database_is_refused_and_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.journal"
    path.write_text("these are my notes\n" * 100)
    assert verified(path, capsys)[0] == 2
    assert "not a database" in refused_by_the_table(path, capsys)
    assert path.read_text() == "these are my notes\n" * 100


def test_a_database_of_somebody_else_is_refused_and_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.journal"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE music (title TEXT)")
    connection.close()
    before = path.read_bytes()
    assert "this is no journal of Felt; name one" in refused_by_the_table(path, capsys)
    assert "this is no journal of Felt; name one" in verified(path, capsys)[1]
    assert path.read_bytes() == before


def test_the_journal_of_a_bank_is_none_of_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.journal"
    bank.begin_ledger(path, "felt")
    assert "a journal of 'bank', format 1; expected 'table', format 1" in refused_by_the_table(path, capsys)
    assert open_any(path).vocabulary.name == "bank"


def test_a_journal_of_a_later_format_is_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited(path, "UPDATE about SET value = '4' WHERE key = 'format'")
    assert "format 4; expected 'table', format 1" in refused_by_the_table(path, capsys)


def test_a_journal_without_its_name_is_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited(path, "DELETE FROM about WHERE key = 'id'")
    assert "expected 'table', format 1" in refused_by_the_table(path, capsys)


@pytest.mark.parametrize("name", ["none.journal", "folder", "empty.journal"])
def test_no_file_a_folder_and_an_empty_file_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.journal").touch()
    for command in ("show", "verify", "export"):
        assert main(["journal", command, str(tmp_path / name)]) == 2
        said = capsys.readouterr()
        assert name in said.err and not said.out and len(said.err.splitlines()) == 1


@contextmanager
def somebody_else() -> Iterator[Path]:
    """A folder that the user of this block may read and not write; root would not notice."""
    folder = Path(tempfile.mkdtemp(prefix="felt-"))
    mine = os.geteuid()
    folder.chmod(0o555)
    if mine == 0:
        os.seteuid(65534)
    try:
        yield folder
    finally:
        if mine == 0:
            os.seteuid(mine)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with somebody_else() as folder:
        assert main(["table", "new", "--home", str(folder)]) == 2
    said = capsys.readouterr().err
    assert "May this user write it?" in said and len(said.splitlines()) == 1


def test_an_inspector_verifies_a_copy_on_a_disc_that_nobody_can_write(
    counted_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = (counted_home / "table.journal").read_bytes()
    with somebody_else() as folder:
        if os.getuid() == 0:
            os.seteuid(0)
        folder.chmod(0o755)
        (folder / "table.journal").write_bytes(content)
        folder.chmod(0o555)
        if os.getuid() == 0:
            os.seteuid(65534)
        code, said = verified(folder / "table.journal", capsys)
        assert [file.name for file in folder.iterdir()] == ["table.journal"], "nothing is put beside evidence"
    assert code == 0 and "unbroken" in said


def test_a_file_may_have_any_name(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = path.with_name("evidence 50%? #3&mode=rw.journal")
    path.rename(odd)
    assert verified(odd, capsys)[0] == 0


def test_show_and_export_give_every_row(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(path)
    assert main(["journal", "show", str(path)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == len(rows) and "TableOpened" in shown[0]
    assert main(["journal", "export", str(path)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["event"]["hash"] for one in told if "event" in one] == [row[-1].decode() for row in rows]


def exported(path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["journal", "export", str(path)]) == 0
    return capsys.readouterr().out.splitlines()


def test_an_export_is_verified_without_the_journal_by_its_bytes(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, export = exported(path, capsys), tmp_path / "kept.jsonl"
    export.write_text("\n".join(told) + "\n")
    code, said = verified(export, capsys)
    assert code == 0 and f"rows 1 to {len(rows_of(path))} of table" in said
    third = json.loads(told[3])["event"]
    fields = [third[key] for key in ("row", "boot", "mono_ns", "utc", "kind", "version", "body")]
    before = json.loads(told[2])["event"]["hash"]
    text = json.dumps([*fields, before], separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == third["hash"], "as docs/journal.md says, without Felt"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda told: told[:-1], "breaks off"),
        (lambda told: told[:4], "breaks off"),
        (lambda told: [*told[:3], *told[4:]], "stands in its place"),
        (lambda told: [*told[:3], told[3].replace('"utc":"2', '"utc":"3'), *told[4:]], "its hash does not fit"),
        (lambda told: [*told[:3], told[3][:40], *told[4:]], "is not what was exported"),
        (lambda told: told[1:], "does not say whose rows follow"),
        (lambda told: [one for one in told if '"row":4,' not in one], "stands in its place"),
    ],
)
def test_an_export_that_was_changed_or_breaks_off_is_refused(
    spoil: Callable[[list[str]], list[str]],
    why: str,
    path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    export = tmp_path / "kept.jsonl"
    export.write_text("\n".join(spoil(exported(path, capsys))) + "\n")
    code, said = verified(export, capsys)
    assert code == 2 and why in said


# Older bodies --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Counted:
    """A kind that got its third version."""

    VERSION: ClassVar[int] = 3
    chips: int
    by: str
    at: int


THIRD: Vocabulary[Counted] = Vocabulary(
    "table",
    {"Counted": Counted},
    {("Counted", 1): lambda body: {**body, "by": ""}, ("Counted", 2): lambda body: {**body, "at": 0}},
)


def test_an_older_body_is_brought_up_step_by_step() -> None:
    assert THIRD.decode("Counted", 1, '{"chips": 4}') == Counted(4, "", 0)
    assert THIRD.decode("Counted", 2, '{"chips": 4, "by": "2001"}') == Counted(4, "2001", 0)
    assert THIRD.decode(*THIRD.encode(Counted(4, "2001", 7))) == Counted(4, "2001", 7)


@pytest.mark.parametrize("version", [0, 4])
def test_a_version_that_nobody_here_knows_is_refused(version: int) -> None:
    with pytest.raises(ValueError, match=f"Counted {version}"):
        THIRD.decode("Counted", version, '{"chips": 4}')


# The documented format -----------------------------------------------------------------------------------------------


def documented(language: str) -> str:
    block: str
    (block,) = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "journal.md").read_text(), re.DOTALL)
    return block


def test_the_verifier_of_the_documentation_agrees_and_finds_a_changed_row(path: Path, tmp_path: Path) -> None:
    journal = Journal(path, VOCABULARY)
    journal.verify()
    journal.append([e.Complained('ü/\\"', "€ \u2028 \x7f \x01 𝄞\n\t", 1)])
    rows, head = journal.verify()
    journal.close()
    verifier = tmp_path / "verifier.py"
    verifier.write_text(documented("python"))
    command = [sys.executable, str(verifier), str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, f"{rows} {head}\n", "")
    edited(path, "UPDATE event SET utc = '' WHERE row = 4")
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode != 0 and "row 4 is missing or was changed" in said.stderr


def test_the_statement_of_the_documentation_gives_the_text_that_is_hashed(path: Path) -> None:
    connection = sqlite3.connect(path)
    hashes = dict(connection.execute("SELECT row, hash FROM event"))
    for row, stated in hashes.items():
        ((text,),) = connection.execute(documented("sql").replace("row = 7", f"row = {row}"))
        assert hashlib.sha256(text.encode()).hexdigest() == stated
    connection.close()


def test_damage_is_an_exception_that_names_path_and_row(path: Path) -> None:
    edited(path, "UPDATE event SET utc = '' WHERE row = 4")
    with pytest.raises(JournalDamaged) as damage:
        open_any(path).verify()
    assert (damage.value.path, damage.value.row) == (path, 4)


HALF_A_STEP = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode=DELETE")
connection.execute("PRAGMA cache_size=1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE half AS SELECT zeroblob(100000) AS step FROM event")
os._exit(0)
"""


def test_a_file_whose_half_step_only_a_start_takes_back_says_so(path: Path) -> None:
    """The power went while a day was put aside: SQLite's note lies beside the file, and a reader may not follow it."""
    rows = verify(path).rows
    subprocess.run([sys.executable, "-c", HALF_A_STEP, str(path)], check=True)
    assert path.with_name(f"{path.name}-journal").stat().st_size
    with pytest.raises(StoreError, match="the next start of table or bank ends that"):
        verify(path)
    Journal(path, VOCABULARY).close()
    assert verify(path).rows == rows
