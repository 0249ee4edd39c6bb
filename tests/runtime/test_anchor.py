"""A table has one journal, made once: one that is gone, put back, cut, rewritten or without its log is found out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.runtime.anchor import SLOT, AnchorFile, JournalLost
from firmware.runtime.journal import make
from firmware.runtime.table_journal import VOCABULARY, make_journal
from firmware.runtime.table_signatures import accept_journal
from firmware.table import events as e
from tests.runtime.test_adoption import PINS
from tests.runtime.test_config import LUNAR
from tests.runtime.test_journal import edited, rows_of
from tests.runtime.world import Clock, TableWorld

NAME = "table.journal"
EVIDENCE = "Do not delete anything: it is evidence"


def refused(home: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that `felt table` says when it does not start."""
    capsys.readouterr()
    assert main(["table", *words, "--home", str(home)]) == 2
    said = capsys.readouterr()
    assert not said.out and len(said.err.splitlines()) == 1
    return said.err


def copied(table: TableWorld, to: Path, *left_out: str) -> Path:
    """The table's folder as a power cut would leave it, without some of its files."""
    to.mkdir()
    for file in table.folder.iterdir():
        if file.is_file() and file.name not in left_out:
            shutil.copy(file, to)
    return to


@pytest.fixture
def alone(tmp_path: Path, clock: Clock) -> TableWorld:
    """A table of Lunar Poker, which has no bank, in the middle of a round."""
    (tmp_path / "home").mkdir()
    table = TableWorld(tmp_path / "home", clock, LUNAR)
    table.brings_cards()
    table.presses_for("no-more-bets")
    table.turns(60)
    assert table.state.phase == "deal"
    return table


# One journal, once -----------------------------------------------------------------------------------------------------


def test_a_table_makes_no_journal_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no journal; `felt table new` makes one, once" in refused(tmp_path, capsys)
    assert list(tmp_path.iterdir()) == [], "and nothing else either"


def test_a_new_journal_is_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "new", "--home", str(tmp_path)]) == 0
    made = rows_of(tmp_path / NAME)
    assert [row[4] for row in made] == [b"TableOpened", b"TableShut"]
    assert "a table has one journal" in refused(tmp_path, capsys, "new")
    assert rows_of(tmp_path / NAME) == made


@pytest.mark.parametrize("left", [".lock", ".anchor", "-wal"])
def test_a_home_that_lost_its_journal_says_what_shows_it_and_gets_no_new_one(
    table: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str], left: str
) -> None:
    home = tmp_path / "lost"
    home.mkdir()
    shutil.copy(table.folder / f"{NAME}{left}", home)
    said = refused(home, capsys)
    assert f"the journal is gone, {NAME}{left} says that there was one" in said and "move the whole folder away" in said
    assert f"{NAME}{left} is there" in refused(home, capsys, "new")
    assert not (home / NAME).exists()


def test_a_journal_whose_making_the_power_cut_is_made_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / NAME, VOCABULARY.name)
    assert "was never made to the end; `felt table new` does it" in refused(tmp_path, capsys)
    assert main(["table", "new", "--home", str(tmp_path)]) == 0
    assert len(rows_of(tmp_path / NAME)) == 2


def test_a_journal_whose_anchor_the_power_cut_away_is_made_to_the_end_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The power went after its first rows were written: `felt table new` writes the anchor, and nothing else anew."""
    path = tmp_path / NAME
    made = make_journal(path, "uth-04", 6)
    rows = rows_of(path)
    path.with_name(f"{NAME}.anchor").unlink()
    assert ".anchor beside it is missing" in refused(tmp_path, capsys)
    with pytest.raises(JournalLost, match="is of another table"):
        make_journal(path, "uth-05", 6)
    assert make_journal(path, "uth-04", 6) == made
    assert rows_of(path) == rows and AnchorFile(path).read() is not None


def test_a_journal_that_was_played_on_is_not_made_to_the_end(
    table: TableWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who takes the anchor of a table's journal away gets no new one by `felt table new`."""
    table.journal.close()
    table.journal.path.with_name(f"{NAME}.anchor").unlink()
    assert "a table has one: start the table" in refused(table.folder, capsys, "new")


# What a start finds ----------------------------------------------------------------------------------------------------


def test_a_log_that_is_gone_is_found_out_without_a_bank(
    alone: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before, Lunar Poker went on with what stood in the file itself, and nobody was told of 111 rows."""
    home = copied(alone, tmp_path / "without-log", f"{NAME}-wal", f"{NAME}-shm")
    assert main(["journal", "verify", str(home / NAME)]) == 0, "the chain cannot show it"
    said = refused(home, capsys)
    assert "-wal beside it is gone, empty or damaged" in said and EVIDENCE in said


def test_a_log_that_was_emptied_is_found_out_too(
    alone: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = copied(alone, tmp_path / "emptied", f"{NAME}-shm")
    (home / f"{NAME}-wal").write_bytes(b"")
    assert "-wal beside it is gone, empty or damaged" in refused(home, capsys)


@pytest.mark.parametrize(("start", "length"), [(0, 32), (32, 24), (32 + 24 + 100, 4)])
def test_a_log_that_was_damaged_is_not_taken_for_an_empty_one(
    alone: TableWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str], start: int, length: int
) -> None:
    """The header of the log, or its first frame, zeroed after a power cut: rows were missing, and nobody was told."""
    home = copied(alone, tmp_path / "damaged", f"{NAME}-shm")
    log = home / f"{NAME}-wal"
    content = bytearray(log.read_bytes())
    content[start : start + length] = bytes(byte ^ 0xFF for byte in content[start : start + length])
    log.write_bytes(content)
    for _ in range(2):
        said = refused(home, capsys)
        assert "-wal beside it is gone, empty or damaged" in said and EVIDENCE in said
        assert log.read_bytes() == content, "the evidence stays as it is"


def test_a_power_cut_in_a_round_loses_nothing_and_is_not_suspected(
    alone: TableWorld, tmp_path: Path, clock: Clock
) -> None:
    home = copied(alone, tmp_path / "whole", f"{NAME}-shm")
    assert main(["journal", "verify", str(home / NAME)]) == 0, "and whoever looks leaves no trace"
    assert TableWorld(home, clock, LUNAR).state.phase == "deal"


def test_at_the_end_of_a_round_all_of_it_stands_in_the_file_itself(table: TableWorld, tmp_path: Path) -> None:
    table.counted(3)
    table.presses("primary")
    assert table.state.phase not in ("deal", "open")
    home = copied(table, tmp_path / "file-alone", f"{NAME}-wal", f"{NAME}-shm")
    assert [row[4] for row in rows_of(home / NAME)][-1] == b"RoundCleared"
    said = AnchorFile(home / NAME).read()
    assert said is not None and (said.rows, said.running) == (len(rows_of(home / NAME)), True)


def older(table: TableWorld, path: Path) -> None:
    shutil.copy(table.folder / "older" / NAME, path)


def cut(_: TableWorld, path: Path) -> None:
    edited(
        path,
        "DELETE FROM message WHERE row > (SELECT max(row) FROM event) - 3",
        "DELETE FROM event WHERE row > (SELECT max(row) FROM event) - 3",
        "DELETE FROM seal WHERE row > (SELECT max(row) FROM event)",
    )


def rewritten(_: TableWorld, path: Path) -> None:
    """$40 becomes $4,000 and the chain is made again, as whoever knows SQL and SHA-256 can."""
    edited(path, "UPDATE event SET utc = '2026-01-01T00:00:00.000+00:00' WHERE row = 5", rechained=True)


def another(table: TableWorld, path: Path) -> None:
    path.unlink()
    path.with_name(f"{NAME}.anchor").rename(table.folder / "kept")
    path.with_name(f"{NAME}.lock").unlink()
    path.with_name("table-seal.key").unlink()
    make_journal(path, "uth-04", 6)
    (table.folder / "kept").rename(path.with_name(f"{NAME}.anchor"))


def unanchored(_: TableWorld, path: Path) -> None:
    path.with_name(f"{NAME}.anchor").unlink()


SOUND, UNSOUND = 0, 2
FOUND = {
    "an older copy is put back": (older, SOUND, "an older copy, or rows were cut off"),
    "the last rows are cut off cleanly": (cut, SOUND, "an older copy, or rows were cut off"),
    "a row is edited and the chain made again": (rewritten, UNSOUND, "is not the one that was written"),
    "it is another journal": (another, SOUND, "the file .anchor beside it is of journal"),
    "its anchor is gone": (unanchored, SOUND, "is missing or cannot be read"),
}


@pytest.mark.parametrize(("change", "alone", "why"), FOUND.values(), ids=FOUND)
def test_a_journal_that_is_not_what_it_was_is_refused_by_name(
    table: TableWorld,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[TableWorld, Path], None],
    alone: int,
    why: str,
) -> None:
    path = table.folder / NAME
    copied(table, table.folder / "older")
    table.counted(3)
    table.journal.close()
    change(table, path)
    assert main(["journal", "verify", str(path)]) == alone, "by itself, with its seals"
    said = refused(table.folder, capsys)
    assert why in said and EVIDENCE in said and "felt table accept journal" in said


def test_two_people_accept_what_is_left_and_the_journal_says_so(
    table: TableWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    badges, pins = iter(PINS), iter(PINS.values())
    monkeypatch.setattr("builtins.input", lambda _prompt: next(badges))
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(pins))
    table.counted(3)
    table.journal.close()
    cut(table, table.folder / NAME)
    refused(table.folder, capsys)
    assert main(["table", "accept", "journal", "--home", str(table.folder)]) == 0
    table.starts()
    (accepted,) = table.events(e.RecordAccepted)
    assert accepted.people == ("2001", "3001") and "rows were cut off" in accepted.why


def test_one_person_accepts_nothing(
    table: TableWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda _prompt: "2001")
    monkeypatch.setattr("getpass.getpass", lambda _prompt="": PINS["2001"])
    table.journal.close()
    cut(table, table.folder / NAME)
    rows = rows_of(table.folder / NAME)
    assert main(["table", "accept", "journal", "--home", str(table.folder)]) == 2
    assert "two different people" in capsys.readouterr().err
    assert rows_of(table.folder / NAME) == rows


# The file beside it ----------------------------------------------------------------------------------------------------


def test_a_write_that_the_power_cut_leaves_the_one_before(table: TableWorld) -> None:
    anchor = AnchorFile(table.folder / NAME)
    before = anchor.read()
    assert before is not None
    table.journal.close()
    after = anchor.read()
    assert after is not None and after.rows > before.rows and not after.running
    torn = bytearray(anchor.path.read_bytes())
    torn[after.count % 2 * SLOT + 20] ^= 1
    anchor.path.write_bytes(torn)
    assert anchor.read() == before


def test_a_journal_with_nothing_wrong_is_not_accepted_again(table: TableWorld) -> None:
    table.journal.close()
    with pytest.raises(JournalLost, match="nothing is wrong"):
        accept_journal(table.folder / NAME, ("2001", "3001"))
