"""A game is one folder: a fifth one lives in `tests/games` and is used like the four, with no line changed outside it."""

from __future__ import annotations

import random
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.rules.games import books, load_book
from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of, register, withdraw
from firmware.rules.known import Known
from firmware.rules.money import Cents
from firmware.rules.payline import pay_lines, void_payments
from firmware.rules.payment import Payment, Result
from firmware.rules.poster import explained_book, posted_book
from firmware.rules.round import check_stakes, parse_round
from firmware.rules.seat import FOLDS, Choice, Decision, Seat
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission
from firmware.rules.told import Told
from firmware.rules.worlds import Worlds
from tests.rules.law_rounds import said_of, told_of_round
from tests.rules.random_rounds import random_rounds

RIVERBOAT = Path(__file__).parents[1] / "games" / "riverboat"
FILED = {"book": "riverboat", "table_minimum": "10.00", "lucky_river": {"paytable": "B"}}

pytestmark = pytest.mark.usefixtures("riverboat")


def round_of(*, seat: str, board: str, dealer: str, decision: Any, **more: Any) -> dict[str, Any]:
    wagers = {"ante": "10.00", "paddle": "10.00", "lucky_river": "5.00"}
    seats = {"2": {"cards": seat.split(), "wagers": wagers, "decision": decision}}
    return {"rules": FILED, "cards": {"board": board.split(), "dealer": dealer.split()}, "seats": seats, **more}


STAYS = {"at": "dock", "wager": "50.00"}
FULL = {"seat": "9c 9d", "board": "9h 4s 4d 7c 2h", "dealer": "Kc Qd"}


def lines(written: dict[str, Any]) -> list[tuple[str, str, int, str]]:
    return [(each.wager, str(each.result), each.payout, each.cite) for each in settle(parse_round(written)).payments]


def test_it_is_a_book_like_the_others() -> None:
    assert books()[-1] == "riverboat"
    assert load_book("riverboat").title in posted_book(load_book("riverboat")).title()
    assert "Lucky River" in posted_book(load_book("riverboat"))
    assert "RB.11(f)" in explained_book(load_book("riverboat"))
    withdraw("riverboat")
    assert "riverboat" not in books()
    with pytest.raises(Refusal, match="is not a book"):
        game_of("riverboat")


DATACLASS = """from __future__ import annotations

from dataclasses import dataclass
from firmware.rules.games.blind import WithBlind


@dataclass(frozen=True)
class Boat:
    decks: int = 3


class Boats(WithBlind):
    boat = Boat()


GAME = Boats
"""


def another(folder: Path, law: str, **numbers: int) -> Path:
    """A sixth game with this `game.py`, and other numbers on lines of their own."""
    shutil.copytree(RIVERBOAT, folder)
    book = (RIVERBOAT / "book.toml").read_text(encoding="utf-8").replace('book = "riverboat"', 'book = "steamboat"')
    for name, number in numbers.items():
        book, found = re.subn(rf"(?m)^{name} = \d+$", f"{name} = {number}", book)
        assert found == 1
    (folder / "book.toml").write_text(book, encoding="utf-8")
    (folder / "game.py").write_text(law, encoding="utf-8")
    return folder


def added_modules() -> set[str]:
    return {name for name in sys.modules if name.startswith("felt_game_")}


def test_its_law_may_have_a_dataclass_and_its_folder_any_name(tmp_path: Path) -> None:
    before = added_modules()
    made = register(another(tmp_path / "steam boat-2.0", DATACLASS))
    try:
        [module] = added_modules() - before
        assert module.isidentifier()
        assert type(made).__module__ == module
    finally:
        withdraw("steamboat")
    assert added_modules() == before


def test_two_folders_of_one_name_are_two_laws(tmp_path: Path) -> None:
    made = register(another(tmp_path / "riverboat", DATACLASS))
    try:
        assert type(made).__name__ == "Boats"
        withdraw("riverboat")
        assert sys.modules[type(made).__module__].GAME is type(made)
    finally:
        withdraw("steamboat")


def test_seats_stand_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """The tenth after the second, however a round file names them: the last one is paid first."""
    law = (RIVERBOAT / "game.py").read_text(encoding="utf-8")
    register(another(tmp_path / "steamboat", law, seats=12))
    try:
        written = round_of(seat="9c 9d", board="9h 4s 4d 7c 2h", dealer="Kc Qd", decision="fold")
        written["rules"] = {**FILED, "book": "steamboat"}
        written["seats"] = {"10": {**written["seats"]["2"], "cards": ["As", "Ah"]}, **written["seats"]}
        assert [*parse_round(written).seats] == [2, 10]
        assert settle(parse_round(written)).payments[0].seat == 10
    finally:
        withdraw("steamboat")


@pytest.mark.parametrize(
    ("law", "why"),
    [("GAME = nothing", NameError), ("", AttributeError), ("GAME = lambda book: book", TypeError), ("(", SyntaxError)],
)
def test_a_game_whose_law_does_not_load_is_no_game(tmp_path: Path, law: str, why: type[Exception]) -> None:
    before = added_modules()
    with pytest.raises(why):
        register(another(tmp_path / "steamboat", law))
    assert "steamboat" not in books()
    assert added_modules() == before


def test_a_game_whose_book_does_not_load_is_no_game(tmp_path: Path) -> None:
    folder = another(tmp_path / "steamboat", DATACLASS)
    (folder / "book.toml").write_text('book = "steamboat"\n', encoding="utf-8")
    with pytest.raises(KeyError):
        register(folder)
    assert "steamboat" not in books()


def test_a_name_that_is_taken_stays_with_its_game(tmp_path: Path, riverboat: Game) -> None:
    shutil.copytree(RIVERBOAT, tmp_path / "riverboat")
    with pytest.raises(ValueError, match="another game has this name"):
        register(tmp_path / "riverboat")
    assert game_of("riverboat") is riverboat


def test_its_hands_are_settled_by_its_own_numbers() -> None:
    """The dealer's pair of fours does not qualify here: the ante is a push, the Paddle pays its own 2 to 1."""
    assert lines(round_of(**FULL, decision=STAYS)) == [
        ("ante", "push", 0, "RB.11(h)(1)"),
        ("paddle", "win", 2000, "RB.12(b)"),
        ("stay", "win", 5000, "RB.12(a)"),
        ("lucky_river", "win", 2500, "RB.12(c)"),
    ]


@pytest.mark.parametrize(
    ("at", "wager"), [("dock", "30.00"), ("flop", "20.00"), ("river", "10.00"), ("preflop", "50.00")]
)
def test_its_streets_and_multiples_are_its_own(at: str, wager: str) -> None:
    with pytest.raises(Refusal, match=r"seats.2.decision"):
        parse_round(round_of(**FULL, decision={"at": at, "wager": wager}))
    parse_round(round_of(**FULL, decision={"at": "dock", "wager": "20.00"}))


def test_what_is_told_is_paid_like_what_is_dealt() -> None:
    round_ = parse_round(round_of(**FULL, decision=STAYS))
    told = told_of_round(round_, 2)
    assert (told.qualifies, told.result, told.hand) == (False, "higher", "full house")
    assert list(pay_lines(round_.submission, round_.seats[2], told)) == list(settle(round_).payments)
    said = said_of(round_.seats[2]).saying("result", "higher")
    asked = Worlds(round_.submission).questions(Known(qualifies=True), said)
    assert asked["hand"] == ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight", "")


def test_a_fold_loses_what_its_book_says_and_waits_under_the_rest(riverboat: Game) -> None:
    round_ = parse_round(round_of(**FULL, decision="fold"))
    paid = pay_lines(round_.submission, round_.seats[2], told_of_round(round_, 2))
    lost = [each for each in paid if each.wager in riverboat.forfeited]
    assert [(each.wager, each.cite) for each in lost] == [("ante", "RB.11(f)"), ("paddle", "RB.11(f)")]
    assert riverboat.tucked_under(round_.seats[2].wagers) == ("lucky_river",)


def test_its_stakes_are_checked_without_a_round() -> None:
    rules = parse_submission(FILED)
    game = game_of("riverboat")
    stakes = game.default_stakes(rules)
    assert stakes == {"ante": 1000, "paddle": 1000}
    check_stakes(rules, {4: game.restaked(rules, stakes, "lucky_river", Cents(500))})
    assert game.restaked(rules, stakes, "ante", Cents(2500)) == {"ante": 2500, "paddle": 2500}
    with pytest.raises(Refusal, match=r"seats.4.wagers.paddle: is 10.00; the same as the ante, 25.00, is wanted"):
        check_stakes(rules, {4: {"ante": Cents(2500), "paddle": Cents(1000)}})
    with pytest.raises(Refusal, match=r"seats.5: is not a key here"):
        check_stakes(rules, {5: stakes})


def test_random_rounds_are_dealt_of_it_too() -> None:
    """What `scripts/bench settle` compares two checkouts by; a few of its rounds are refused on purpose."""
    rounds = list(random_rounds(random.Random(5), 200))
    own = [each for each in rounds if each["rules"]["book"] == "riverboat"]
    assert len(own) == 200 // len(books())
    assert sum(is_settled(each) for each in rounds) > 150
    assert sum(is_settled(each) for each in own) > 30


def is_settled(written: dict[str, Any]) -> bool:
    try:
        return bool(settle(parse_round(written)).payments)
    except Refusal:
        return False


# A position with several deciding wagers: no shipped game has one, and no type excludes it ----------------------------

TWICE = (Decision(Choice.PLAY, "dock", Cents(5000), "stay"), Decision(Choice.PLAY, "flop", Cents(3000), "stay"))


def seat_with(decisions: tuple[Decision, ...]) -> Seat:
    return Seat(2, (), {"ante": Cents(1000), "paddle": Cents(1000)}, decisions)


def stay(payments: tuple[Payment, ...]) -> tuple[Result, int, int]:
    [line] = [each for each in payments if each.wager == "stay"]
    return line.result, line.stake, line.returned


def test_decisions_of_one_wager_add_up_and_a_later_fold_loses_them() -> None:
    rules = parse_submission(FILED)
    assert seat_with(TWICE).decided("stay") == 8000
    assert stay(pay_lines(rules, seat_with((*TWICE, *FOLDS)), Told(qualifies=True, hand="pair"))) == (
        Result.LOSE,
        8000,
        0,
    )
    assert stay(void_payments(rules, seat_with((*TWICE, *FOLDS)), "cards_face_up")) == (Result.VOID, 8000, 8000)
