"""Every book's table as `scripts/run --book` starts it: real processes, cards brought, bets open, no more bets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware import config as c
from firmware.rules.paytable import BOOKS as EVERY_BOOK
from firmware.runtime.house import warnings
from scripts.simulation import books
from scripts.simulation.person import Person
from scripts.simulation.processes import SimulatedBank
from scripts.simulation.summary import is_right, summarise


@pytest.fixture(params=books.BOOKS)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedBank]:
    home = tmp_path_factory.mktemp("k")
    books.write(home, request.param)
    bank = SimulatedBank(home, configuration=home)
    try:
        bank.start()
        yield bank
    finally:
        bank.stop()


def test_a_table_of_each_book_opens_and_locks(running: SimulatedBank) -> None:
    names = [process.name for process in running.processes]
    assert names[-3:] == ["cabinet", "table", "screen"]
    assert (names[:-3] == ["broker", "bank", "sign"]) == running.is_linked == bool(names[:-3])
    with closing(Person(running.home, patience_s=10)) as person:
        person.screen("shut")
        person.press("PREINSPECTED DECKS")
        person.screen("cut")
        person.press("CUT, 10 OR MORE")
        person.screen("open")
        person.press("NO MORE BETS")
        person.screen("count" if running.is_linked else "deal")
        assert all(process.running for process in running.processes)
    running.stop()
    assert is_right(summarise(running.home, 1))


@pytest.mark.parametrize("book", books.BOOKS)
def test_table_and_bank_of_each_book_agree_at_every_level(book: str, tmp_path: Path) -> None:
    for level in books.levels(book):
        game = books.write(tmp_path, book, level)
        file = tmp_path / "table.toml"
        table = c.load_table(file)
        submission = c.submission(table, file)
        assert (table.dealing.assist, submission.book.name) == (level, book)
        assert (submission.progressive is not None) == game.progressive
        assert warnings(table, submission) == ()
        if game.progressive:
            bank = c.load_bank(tmp_path / "bank.toml")
            assert table.id in bank.tables and table.link.bank == bank.id
            assert c.submission(bank, tmp_path / "bank.toml").submission_hash == submission.submission_hash


def test_there_is_a_table_of_every_book() -> None:
    assert set(books.BOOKS) == set(EVERY_BOOK)
