"""Two people end a table's alarm at the bank, from the command line; one person cannot, nor can a running bank be edited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.bank.state import BankState, evolve
from firmware.runtime.bank import open_journal
from firmware.wire.payload import canonical
from tests.runtime.world import BankWorld, Clock

PINS = {"2001": "4826", "3001": "7391"}
STRANGE = "f" * 32


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Who answers the questions of `felt bank adopt`: badges and the PINs that they type."""

    def answer(*answers: tuple[str, str]) -> None:
        badges: Iterator[str] = iter([badge for badge, _ in answers])
        pins = iter([pin for _, pin in answers])
        monkeypatch.setattr("builtins.input", lambda _prompt: next(badges))
        monkeypatch.setattr("getpass.getpass", lambda _prompt="": next(pins))

    return answer


def wagers(journal: str) -> bytes:
    """The first message of a journal of table uth-04."""
    body = {"round": 1, "seats": [1], "wager": "1.00", "paytable": "A"}
    message = {
        "v": 1,
        "table": "uth-04",
        "journal": journal,
        "seq": 1,
        "prev": "0" * 64,
        "kind": "wagers",
        "body": body,
    }
    return canonical(message)


def journal_of_table(home: Path) -> tuple[str, int]:
    """The journal that the bank takes for table uth-04's own, and how many alarms stand."""
    state = BankState()
    with closing(open_journal(home / "bank.ledger", read_only=True)) as ledger:
        for event in ledger.replay():
            state = evolve(state, event)
    book = state.book("uth-04")
    return book.journal, len(book.alarms)


@pytest.fixture
def alarmed(tmp_path: Path, clock: Clock) -> Path:
    """A stopped bank that heard uth-04 speak from its own journal and then from a strange one."""
    bank = BankWorld(tmp_path, clock)
    bank.hears(wagers("a" * 32))
    bank.hears(wagers(STRANGE))
    bank.journal.close()
    assert journal_of_table(tmp_path)[1] == 1
    return tmp_path


def adopt(home: Path) -> int:
    return main(["bank", "--home", str(home), "adopt", "uth-04"])


def test_two_people_adopt_the_journal_whose_alarm_stands(alarmed: Path, people: Callable[..., None]) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert adopt(alarmed) == 0
    assert journal_of_table(alarmed) == (STRANGE, 0)


def test_a_bank_without_a_ledger_is_refused_before_anybody_is_asked_and_none_is_made(
    tmp_path: Path, people: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people()
    assert adopt(tmp_path) == 2
    assert f"{tmp_path / 'bank.ledger'}: there is no ledger; name the bank with --config" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    monkeypatch.chdir(tmp_path)
    assert main(["bank", "adopt", "uth-04"]) == 2, "the line as it was once written"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([("2001", "4826"), ("2001", "4826")], id="the same person twice"),
        pytest.param([("2001", "4826"), ("3001", "0000")], id="a wrong PIN"),
        pytest.param([("9999", "4826"), ("3001", "7391")], id="a stranger"),
    ],
)
def test_anything_less_than_two_people_changes_nothing(
    alarmed: Path, people: Callable[..., None], answers: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    before = journal_of_table(alarmed)
    people(*answers)
    assert adopt(alarmed) == 2
    assert "two different people" in capsys.readouterr().err
    assert journal_of_table(alarmed) == before


@pytest.mark.usefixtures("bank")
def test_a_running_bank_cannot_be_written_by_a_second_program(
    tmp_path: Path, people: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    people(("2001", PINS["2001"]), ("3001", PINS["3001"]))
    assert adopt(tmp_path) == 2
    assert "another program writes to it" in capsys.readouterr().err
