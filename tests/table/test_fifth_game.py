"""A fifth game at a table: `tests/games/riverboat` is dealt, settled, corrected, shown and simulated like the four."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.proof.simulation import books
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.plan import plan
from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.submission import parse_submission
from firmware.table.house import House
from firmware.table.procedures import Equipment
from tests.sample import some
from tests.table.table import DEBOUNCE_MS, DIAZ, MS, PEOPLE, Dealer, Table

SEATS = 4

pytestmark = pytest.mark.usefixtures("riverboat")


def house_of(level: int) -> House:
    rules = parse_submission({"book": "riverboat", "table_minimum": "15.00", "lucky_river": {"paytable": "A"}})
    return House(rules, rules.book.procedure, Equipment(), level, DEBOUNCE_MS * MS, PEOPLE)


def test_a_dealer_plays_it_by_the_words_of_its_book() -> None:
    """Two players; one stays with 5 times the ante before the flop, one folds at the river under his Lucky River."""
    table = Table(house=house_of(1), seats=SEATS).opens()
    dealer = Dealer(table)
    dealer.presses("box 1", "box 2", "stakes", "stakes 2", "stakes 2 lucky_river", "chips 500", "back")
    assert dict(table.state.seat(2).position.stakes) == {"ante": 1500, "paddle": 1500, "lucky_river": 500}
    dealer.presses("no-more-bets", "dealt")
    assert "Stay 2× or 5×, or check?" in table.words()
    dealer.presses("seat 1")
    assert "5×" in table.words()
    dealer.presses("next", "next", "seat 2")
    assert "TUCK: LUCKY" in table.words()
    dealer.presses("next")
    assert "TWO PAIR OR BETTER" in table.words() and "LESS THAN TWO PAIR" in table.words()
    dealer.presses("dealer no", "answer none", "settled")
    assert "win, push or lose?" in table.words()
    dealer.presses("answer higher", "answer flush")
    due = [(line.wager, str(line.result), line.payout) for line in table.state.seat(1).position.due]
    assert due == [("ante", "push", 0), ("paddle", "win", 1500), ("stay", "win", 7500)]
    dealer.presses("settled", "problem", "problem correct", "correct 1")
    dealer.presses("correct 1 wrong-amount", by=DIAZ)
    assert not table.state.seat(1).position.settled


@pytest.mark.parametrize("seeds", some([1, 3], keep=[1]))
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.slow
def test_its_shifts_are_paid_as_its_law_says(level: int, seeds: int) -> None:
    """Every round is compared with the settlement of the whole round; shifts go on until the floor has corrected one."""
    corrected, shifts = 0, 0
    while shifts < seeds or not corrected:
        shifts += 1
        table = Shift("riverboat", shifts, level=level, trouble=3)
        table.play(60)
        assert table.tally["rounds compared"] > 40
        corrected += table.tally["corrected by the floor"]
        assert shifts < 12, "the floor corrects none"


def test_its_rules_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "riverboat"]) == 0
    shown = capsys.readouterr().out
    assert "RIVERBOAT HOLD 'EM" in shown and "LUCKY RIVER" in shown.upper() and "RB.12(c)" in shown


def test_the_simulation_has_a_script_for_it(tmp_path: Path) -> None:
    assert books.write(tmp_path, "riverboat").table == "riverboat-01"
    assert not books.has_bank("riverboat") and books.levels("riverboat") == (1, 2)
    game = Game.of(tmp_path / "table.toml")
    script = plan(1, 40, game)
    assert {wager for round_ in script for _, wager, _ in round_.sides} == {"lucky_river"}
    assert {act for round_ in script for _, act in round_.acts} >= {"dock 5", "fold"}
