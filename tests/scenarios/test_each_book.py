"""Every book's table as `scripts/run --book` starts it: real processes, cards brought, bets open, no more bets."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from firmware import config as c
from firmware.bank.ledger import Account
from firmware.proof.simulation import books
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import Person, shown
from firmware.proof.simulation.plan import Round, Winner
from firmware.proof.simulation.processes import SimulatedBank
from firmware.proof.simulation.summary import is_right, summarise
from firmware.rules.games import books as every_book
from firmware.rules.money import Micros
from firmware.runtime.bank import verify
from firmware.runtime.house import warnings
from tests.sample import some

CONTRIBUTION = Micros(210_000)
"""Of each $5 wager of the sample progressive, as its rules have it."""


@pytest.fixture(params=some(every_book(), keep=every_book()[::3]))
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedBank]:
    home = tmp_path_factory.mktemp("k")
    books.write(home, request.param)
    bank = SimulatedBank(home, configuration=home)
    try:
        bank.start()
        yield bank
    finally:
        bank.stop()


def brings_cards(person: Person) -> None:
    """Preinspected and preshuffled decks are brought, and the first of them is cut."""
    person.screen("shut")
    person.key("preinspected", until=shown("cut"))  # another change of the screen is no answer to the tap
    person.key("primary", until=shown("open"))


def test_a_table_of_each_book_opens_and_locks(running: SimulatedBank) -> None:
    names = [process.name for process in running.processes]
    assert names[-3:] == ["cabinet", "table", "screen"]
    assert (names[:-3] == ["broker", "bank", "sign"]) == running.is_linked == bool(names[:-3])
    with closing(Person(running.home, patience_s=30)) as person:
        brings_cards(person)
        person.key("primary")
        person.screen("deal")
        assert all(process.running for process in running.processes)
    running.stop()
    assert is_right(summarise([running.home / "table.journal"], running.home / "bank.ledger", 1))


def test_653a_7_d_4_a_wagering_button_of_the_cabinet_is_a_wager_and_lights(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("k")
    books.write(home, "pa-653a", five_card=True)
    bank = SimulatedBank(home, configuration=home)
    try:
        bank.start()
        with closing(Person(home, patience_s=30)) as person:
            brings_cards(person)
            person.key("accounts", until=shown("accounts"))
            person.tile(3)
            person.key("chips-2500")
            person.key("primary")
            person.world.button(3, "own")
            person.world.wait(buttons={(3, "own"): True}, within_s=5)
            person.world.button(3, "own")
            person.world.wait(buttons={(3, "own"): False}, within_s=5)
    finally:
        bank.stop()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_tables_play_on_one_bank_at_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each wager of both is in the one ledger, and every share that a table claimed is that table's."""
    home = tmp_path_factory.mktemp("k")
    books.write(home, "pa-653a", tables=2)
    bank = SimulatedBank(home, configuration=home, tables=2)
    rounds = {2: Round((1, 3)), 3: Round((2, 4), winners=(Winner(4, "royal flush"),))}

    def night(number: int) -> None:
        with closing(Person(books.homes(home, 2)[number])) as person:
            for played, script in rounds.items():
                Dealer(person, seed=number).play(played, script)

    try:
        bank.start()
        with ThreadPoolExecutor(2) as dealers:
            list(dealers.map(night, range(2)))
    finally:
        bank.stop()
    journals = [folder / "table.journal" for folder in books.homes(home, 2)]
    summary = summarise(journals, home / "bank.ledger", 4)
    assert is_right(summary)
    assert summary["wagers"] == 8
    assert verify(home / "bank.ledger").total(Account.CONTRIBUTIONS) == 8 * CONTRIBUTION
    assert sorted((one["table"], one["seat"], one["status"]) for one in summary["awards"]) == [
        ("uth-04", 4, "paid"),
        ("uth-05", 4, "paid"),
    ]


def test_each_table_of_a_bank_has_a_name_of_its_own() -> None:
    assert books.names("pa-653a", 3) == ["uth-04", "uth-05", "uth-06"]


@pytest.mark.parametrize("book", every_book())
def test_table_and_bank_of_each_book_agree_at_every_level(book: str, tmp_path: Path) -> None:
    for level in books.levels(book):
        game = books.write(tmp_path, book, level)
        file = tmp_path / "table.toml"
        table = c.load_table(file)
        submission = c.submission(table, file)
        assert (table.dealing.assist, submission.book.name) == (level, book)
        assert bool(submission.on_sensor) == ("progressive" in game.rules)
        short_pins = all("the PIN of" in warning for warning in warnings(table, submission))
        assert short_pins, "but for the short PINs of simulated people"
        if "progressive" in game.rules:
            bank = c.load_bank(tmp_path / "bank.toml")
            assert table.id in bank.tables and table.link.bank == bank.id
            assert c.submission(bank, tmp_path / "bank.toml").submission_hash == submission.submission_hash
