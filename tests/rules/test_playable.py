"""What the table cannot play yet is refused when the book is read, by one sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.rules.games import books
from firmware.rules.games.registry import game_of, register, withdraw
from firmware.rules.strict import Refusal

RIVERBOAT = Path(__file__).parents[1] / "games" / "riverboat"
THREE_CARDS = "hole_cards = 3\nboard_cards = 0\nhand_cards = 3\n"
LAST_STREET = 'name = "river"\nwager = "stay"\ntimes = [2]\nlast = true\n'

Edit = Callable[[str], str]


def instead(old: str, new: str) -> Edit:
    """The book with other words in one place."""

    def edited(book: str) -> str:
        assert old in book, old
        return book.replace(old, new)

    return edited


def without_streets(book: str) -> str:
    """The book with no question at all."""
    first, *others, last = book.split("[[procedure.street]]\n")
    assert others
    return first + last[last.index("[procedure.cites]") :]


def of_three_cards(book: str) -> str:
    """Three cards and no board."""
    return book.replace("hole_cards = 2\nboard_cards = 5\n", THREE_CARDS)


def on_pockets(book: str) -> str:
    """Three cards, and no wager on the name of a hand."""
    return of_three_cards(book).replace('settled_by = "hand"', 'settled_by = "pocket"')


REFUSED: dict[str, tuple[Edit, str]] = {
    "two wagers at every position": (
        instead('companion = "equal"\n', ""),
        "steamboat.wager: ante, paddle at every position; the table plays games with one such wager",
    ),
    "no wager at every position": (
        instead("required = true\nforfeited_by_fold = true\n[wager.paddle]", "[wager.paddle]"),
        "steamboat.wager: nothing at every position; the table plays games with one such wager",
    ),
    "two companions": (
        instead("[wager.lucky_river]\n", '[wager.lucky_river]\ncompanion = "at least"\n'),
        "steamboat.wager: paddle, lucky_river as companions; the table plays games with one companion, or none",
    ),
    "a wager with a meter that nothing makes": (
        instead('[wager.lucky_river]\nsettled_by = "hand"\n', '[wager.progressive]\nsettled_by = "meter"\n'),
        "steamboat.wager: progressive with a meter and no way to make it; right would be placed by sensor or account",
    ),
    "a wager of an account that has no button": (
        instead(
            '[wager.lucky_river]\nsettled_by = "hand"\n',
            '[wager.lucky_river]\nsettled_by = "meter"\nplaced = "account"\n',
        ),
        "steamboat.wager: lucky_river from an account; the table has buttons for five_card_player, five_card_dealer",
    ),
    "two wagers with envy": (
        instead(
            '[wager.lucky_river]\nsettled_by = "hand"\n',
            "".join(
                f'[wager.{name}]\nsettled_by = "meter"\nplaced = "account"\nenvied = true\n'
                for name in ("five_card_player", "five_card_dealer")
            ),
        ),
        "steamboat.wager: five_card_player, five_card_dealer with envy; the table pays it for one wager",
    ),
    "a stage that nobody knows": (
        instead('passes = ["streets", ', 'passes = ["insurance", "streets", '),
        "steamboat.passes: insurance as stages of a round; the table knows streets, elections, supers, draw, reveal",
    ),
    "nobody is asked": (
        instead('passes = ["streets", ', "passes = ["),
        "steamboat.passes: nobody decides anything; the table plays games in which players wager once more, or fold",
    ),
    "no street": (without_streets, "steamboat.passes: nobody decides anything"),
    "no last street": (
        instead(LAST_STREET, LAST_STREET.replace("last = true\n", "")),
        "steamboat.procedure.street: the last street, and no other, is one on which a player wagers or folds",
    ),
    "a fold on an earlier street": (
        instead("times = [3]\n", "times = [3]\nlast = true\n"),
        "steamboat.procedure.street: the last street, and no other, is one on which a player wagers or folds",
    ),
    "no settlement": (
        instead('"reveal", "settle"]', '"reveal"]'),
        "steamboat.passes: no hand is settled; the table settles every hand, seat by seat",
    ),
    "a dealer without cards": (
        instead("dealer_cards = 2", "dealer_cards = 0"),
        "steamboat.wager: ante, paddle, stay against a dealer whose hand is never shown; the table compares shown hands",
    ),
    "a dealer who shows nothing": (
        instead('"streets", "reveal", ', '"streets", '),
        "steamboat.wager: ante, paddle, stay against a dealer whose hand is never shown; the table compares shown hands",
    ),
    "too few cards for a hand": (
        instead("board_cards = 5", "board_cards = 2"),
        "steamboat.procedure: hands of 5 cards from 4; the table makes them from 5 to 7",
    ),
    "too many cards for a hand": (
        instead("hole_cards = 2", "hole_cards = 4"),
        "steamboat.procedure: hands of 5 cards from 9; the table makes them from 5 to 7",
    ),
    "the name of a hand of three cards": (
        of_three_cards,
        "steamboat.wager: lucky_river on the name of a hand of 3 cards; the table names hands of 5 cards only",
    ),
    "three cards without a name": (
        on_pockets,
        "steamboat.procedure: hands of 3 cards, and its game.py does not say what they are called",
    ),
}


def folder(at: Path, edit: Edit) -> Path:
    """A game of this name whose book was edited."""
    shutil.copytree(RIVERBOAT, at)
    book = (RIVERBOAT / "book.toml").read_text(encoding="utf-8").replace('book = "riverboat"', 'book = "steamboat"')
    (at / "book.toml").write_text(edit(book), encoding="utf-8")
    return at


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_table_cannot_play_is_one_sentence(tmp_path: Path, what: str) -> None:
    edit, sentence = REFUSED[what]
    with pytest.raises(Refusal) as refused:
        register(folder(tmp_path / "steamboat", edit))
    assert str(refused.value).startswith(sentence)
    assert "steamboat" not in books()


def test_a_game_with_a_blind_says_what_it_lacks(tmp_path: Path) -> None:
    """The class of games with an ante and a Blind; the table itself plays without a companion."""
    lone = instead('companion = "equal"\ncite = "RB.7(d)(1)"\nrequired = true\n', "")
    with pytest.raises(Refusal, match=r"wager: has no companion; a game with a Blind"):
        register(folder(tmp_path / "steamboat", lone))


def test_one_decision_for_all_is_no_other_kind_of_game(tmp_path: Path) -> None:
    """One street: everybody plays or folds, and nothing is dealt after it."""

    def one_street(book: str) -> str:
        first, *_, last = book.split("[[procedure.street]]\n")
        return f"{first}[[procedure.street]]\n{last}"

    game = register(folder(tmp_path / "steamboat", one_street))
    try:
        assert game is game_of("steamboat")
        assert [street.name for street in game.procedure.streets] == ["river"]
    finally:
        withdraw("steamboat")


def test_a_command_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the folder was added without its law having been asked for."""
    from firmware.rules import games

    games.add(folder(tmp_path / "steamboat", REFUSED["no settlement"][0]))
    try:
        assert main(["rules", "show", "steamboat"]) == 2
    finally:
        withdraw("steamboat")
    assert capsys.readouterr().err == (
        "felt rules show: steamboat.passes: no hand is settled; the table settles every hand, seat by seat\n"
    )
