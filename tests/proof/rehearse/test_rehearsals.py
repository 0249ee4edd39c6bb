"""Every rehearsal under tests/rehearsals holds and says the same every time; exit codes are the contract's."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.proof.rehearse.words import ALARMS, KEY_WORDS, PHASES, problem, text_of
from firmware.rules.games import books
from firmware.table.decide import ANY_TIME, KEYS
from firmware.table.irregularity import ProblemKind
from firmware.table.state import Phase
from tests.sample import some

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted((ROOT / "tests" / "rehearsals").glob("*.felt"))
OF_EACH = pytest.mark.parametrize("script", some(SCRIPTS, keep=SCRIPTS[::12]), ids=lambda path: path.stem)


def options_of(script: Path) -> list[str]:
    """The first line of a rehearsal says for which table it is."""
    first = script.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# table: "), "a rehearsal begins with its table"
    return first.removeprefix("# table: ").split()


def played(monkeypatch: pytest.MonkeyPatch, text: str, *options: str) -> int:
    """A script from standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return main(["rehearse", *options, "-"])


@OF_EACH
def test_a_rehearsal_holds(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rehearse", *options_of(script), str(script)]) == 0, capsys.readouterr().err


def test_there_are_rehearsals_of_every_book() -> None:
    named = {word for script in SCRIPTS for word in options_of(script)}
    assert set(books()) <= named and len(SCRIPTS) >= 12


@pytest.mark.parametrize("script", some(SCRIPTS[::6], keep=SCRIPTS[:1]), ids=lambda path: path.stem)
def test_the_same_script_and_seed_give_the_same_transcript(script: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["rehearse", *options_of(script), "--transcript", str(tmp_path / name), str(script)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_transcript_has_one_line_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.jsonl"
    script = (
        "open\nchip 3\nexpect lamp 3 lit\npress no-more-bets\n+15ms chip 4  # late\npress count 9\nexpect refused\n"
    )
    assert played(monkeypatch, script, "--book", books()[0], "--transcript", str(out)) == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["line"] for line in lines] == [1, 2, 4, 5, 6]
    assert lines[1]["lamps"] == {"3": "lit"} and lines[1]["lock"] == "open" and lines[1]["refused"] is None
    assert lines[3]["at_ms"] == lines[2]["at_ms"] + 15 and lines[3]["step"] == "+15ms chip 4"
    keys = {key["word"]: key for key in lines[3]["keys"]}
    assert keys["count 3"] == {"word": "count 3", "label": "3", "enabled": True, "primary": False, "hold": False}
    assert keys["reopen"]["hold"] and keys["reopen"]["primary"]
    assert lines[4]["refused"] and lines[4]["meters"] == {"main": "10000.00"} and lines[4]["alarm"] is None
    assert list(lines[0]) == [
        *("line", "step", "table", "at_ms", "phase", "title", "texts", "keys", "lamps", "lock", "refused"),
        *("payments", "meters", "pending", "alarm"),
    ]


def test_pictures_are_drawn_of_every_step_that_changed_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert played(monkeypatch, "open\nchip 3\nlift 4\n", "--book", books()[0], "--pictures", str(tmp_path)) == 0
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["0001-t1.png", "0002-t1.png"]


FAILS = {
    "open\npress clear\n": ":2: press clear",
    "open\nexpect phase deal\n": ":2: expect phase deal",
    "open\nnext-key\n": ":2: next-key",
    "open\npress envy 3 flush\n": "ENVY is not available now",
    "open\ntell 3 trips flush\n": ":2: tell 3 trips flush",
    "open\nchip 9\n": "no seat 9",
    "open\nchip 3\nexpect refused\n": "was not refused",
    "open\nhold no-more-bets\n": "is not held",
    "given rules.table_minimum 0\n": ":1: given",
    "given rules.table_minimum 20.00\nexpect refused\n": ":2: expect refused",
    "given meter mega 5.00\n": "no meter mega",
    "given meter main 5.00\nexpect refused\n": ":2: expect refused",
    "open\npress no-more-bets\ngo on to settle\n": "something else is asked first",
}


@pytest.mark.parametrize("script", FAILS)
def test_what_does_not_go_or_hold_is_exit_1_with_the_line(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert played(monkeypatch, script, "--book", books()[0], "--level", "1") == 1
    assert FAILS[script] in capsys.readouterr().err


A_PAGE_TURNED_AWAY = """
open
tell 1 in
tell 2 in
tell 5 in
chip 1
chip 5
press no-more-bets
press count 2
go on to reveal
tell dealer qualifies
tell 5 lose
tell 2 win
tell 2 blind straight flush
press envy 2 straight flush
"""


def test_a_key_whose_page_another_seat_holds_is_refused_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found by the examiner of 653a: seat 2 was picked, and the envy key was not on the page that came."""
    assert played(monkeypatch, A_PAGE_TURNED_AWAY, "--book", "pa-653a", "--level", "1") == 1
    assert "press envy 2 straight flush: did not go: One seat at a time: seat 5 is first." in capsys.readouterr().err


def test_what_is_malformed_is_exit_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    book = books()[0]
    assert played(monkeypatch, "open\nchipp 3\n", "--book", book) == 2
    assert "felt rehearse: -:2: step 'chipp'" in capsys.readouterr().err
    assert played(monkeypatch, "table t7\n", "--book", book) == 2
    assert played(monkeypatch, "open\n") == 2
    assert played(monkeypatch, "open\n", "--book", "no-book") == 2
    assert played(monkeypatch, "open\n", "--book", book, "--level", "7") == 2
    assert main(["rehearse", "--book", book, "no-such-file.felt"]) == 2
    assert main(["rehearse", "--book", book]) == 2
    assert played(monkeypatch, "open\n", "--table", "no-such.toml") == 2


def test_what_felt_did_wrong_is_exit_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("firmware.proof.rehearse.player.Player.play", broken)
    assert played(monkeypatch, "open\n", "--book", books()[0]) == 3


@pytest.mark.parametrize("book", books())
def test_what_a_book_stands_for_can_be_shown_and_played(
    book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rehearse", "--book", book, "--show"]) == 0
    filed = tmp_path / "table.toml"
    filed.write_text(capsys.readouterr().out, encoding="utf-8")
    assert played(monkeypatch, "open\nexpect phase open\n", "--table", str(filed)) == 0


def test_refused_presses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    script = 'open\ntell 3 in trips 2.50\nexpect refused\nexpect no text "ANTE $15"\nforce count 3\nexpect refused\n'
    assert played(monkeypatch, script, "--book", books()[0], "--level", "1") == 0


# Words -------------------------------------------------------------------------------------------------------------------


def test_the_document_is_what_the_command_prints() -> None:
    document = (ROOT / "docs" / "rehearse.md").read_text(encoding="utf-8")
    assert document == text_of(""), "felt rehearse --words > docs/rehearse.md"


def test_every_word_of_the_table_has_its_meaning() -> None:
    assert list(PHASES) == [str(phase) for phase in Phase]
    verbs = {verb for keys in KEYS.values() for verb in keys} | set(ANY_TIME) | {"no-more-bets"}
    assert {word.partition(" ")[0] for word in KEY_WORDS} == verbs
    assert all(problem(kind) for kind in ProblemKind)


def test_every_alarm_has_its_meaning() -> None:
    """Those of docs/operations.md, which another test holds to what bank and table raise."""
    cures = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^### `([a-z]+)`", cures, re.MULTILINE)) == set(ALARMS) - {"shuffler"}


@pytest.mark.parametrize("book", books())
def test_the_words_of_one_book(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rehearse", "--words", book]) == 0
    assert re.findall("## Rows of (.*)", capsys.readouterr().out) == [book]
