"""The law of a game that is no Hold'em: `tests/games/levee`, hands of three cards that rank otherwise, no companion."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.config import ConfigError, load_table
from firmware.proof.rehearse.tables import of_book
from firmware.rules.cards import DECK
from firmware.rules.games.registry import game_of
from firmware.rules.payline import pay_lines
from firmware.rules.round import check_stakes, parse_round
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission
from tests.rules.law_rounds import told_of_round

pytestmark = pytest.mark.usefixtures("levee")

FILED = {
    "book": "levee",
    "table_minimum": "10.00",
    "pair_plus": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
}
ALL = {"entry": "10.00", "pair_plus": "5.00", "progressive": "1.00"}
PLAYS = {"at": "decision", "wager": "10.00"}


def written(cards: str, dealer: str, decision: object = PLAYS) -> dict[str, object]:
    seat = {"cards": cards.split(), "wagers": ALL, "decision": decision}
    return {
        "rules": FILED,
        "cards": {"dealer": dealer.split()},
        "meters": {"main": "2000.21"},
        "seats": {"3": seat},
    }


def lines(cards: str, dealer: str, decision: object = PLAYS) -> list[str]:
    settled = settle(parse_round(written(cards, dealer, decision)))
    return [f"{one.wager} {one.result} {one.payout} {one.cite}" for one in settled.payments]


def test_all_hands_of_a_deck_have_their_names() -> None:
    """22,100 hands of three cards, counted as everybody counts them."""
    game = game_of("levee")
    assert Counter(str(game.name_of(hand)) for hand in combinations(DECK, 3)) == {
        "straight flush": 48,
        "three of a kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ah Kh Qh", "Kd Qd Jd"),
        ("4c 3c 2c", "3h 2h Ah"),
        ("3h 2h Ah", "Ac Ad As"),
        ("2c 2d 2s", "Ac Kd Qs"),
        ("3c 2d As", "Ah Jh 9h"),
        ("4h 3h 2c", "3c 2d As"),
        ("5h 4h 2h", "Ac Ad Ks"),
        ("3c 3d 2s", "2c 2d As"),
        ("3c 3d 5s", "3h 3s 4c"),
        ("Kc Qd 9s", "Kh Qs 8c"),
    ],
)
def test_a_straight_is_above_a_flush_and_three_of_a_kind_above_both(higher: str, lower: str) -> None:
    game = game_of("levee")
    assert game.hand_of(tuple(higher.split())).strength > game.hand_of(tuple(lower.split())).strength


def test_a_dealer_below_a_pair_does_not_play() -> None:
    assert lines("8c 9d Ts", "Ac Kd 9s") == [
        "entry win 1000 LV.12(a)",
        "play push 0 LV.11(e)(1)",
        "pair_plus win 3000 LV.12(b)",
        "progressive win 600 LV.12(d)",
    ]


def test_a_straight_beats_a_flush() -> None:
    assert lines("8c 9d Ts", "Ah Kh 9h")[:2] == ["entry win 1000 LV.12(a)", "play win 1000 LV.12(a)"]
    assert lines("Ac Kc 9c", "8h 9d Ts")[:2] == ["entry lose 0 LV.11(e)(2)", "play lose 0 LV.11(e)(2)"]


def test_a_fold_keeps_what_its_cards_win() -> None:
    """Reading 1; the whole meter, which starts again with its seed."""
    assert lines("3h 2h Ah", "Kc Kd 2s", "fold") == [
        "entry lose 0 LV.11(c)",
        "pair_plus win 20000 LV.12(b)",
        "progressive win 200021 LV.12(d)",
    ]
    assert settle(parse_round(written("3h 2h Ah", "Kc Kd 2s"))).meters == {"main": 1_000_000_000}


def test_what_is_told_is_paid_like_what_is_dealt() -> None:
    round_ = parse_round(written("8c 9d Ts", "Ah Kh 9h"))
    told = told_of_round(round_, 3)
    assert (told.result, told.hand, told.side) == ("higher", "", {"pair_plus": "straight"})
    own = [one for one in settle(round_).payments if one.wager != "progressive"]
    assert list(pay_lines(round_.submission, round_.seats[3], told)) == own


def test_its_stakes_have_no_companion() -> None:
    rules, game = parse_submission(FILED), game_of("levee")
    assert game.base == "entry" and game.companion is None
    stakes = game.default_stakes(rules)
    assert stakes == {"entry": 1000} == game.restaked(rules, {}, "entry", rules.table_minimum)
    check_stakes(rules, {5: stakes})
    with pytest.raises(Refusal, match=r"seats.5.wagers.entry: is 9.99; the table minimum is 10.00"):
        parse_round({**written("8c 9d Ts", "Ah Kh 9h"), "seats": {"5": {
            "cards": ["8c", "9d", "Ts"], "wagers": {"entry": "9.99"}, "decision": "fold"}}})  # fmt: skip


def test_felt_settle_and_felt_rules_know_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(written("3h 2h Ah", "Kc Kd 2s")), encoding="utf-8")
    assert main(["settle", str(file)]) == 0
    settled = json.loads(capsys.readouterr().out)
    assert settled["seats"]["3"] == {"hand": "straight flush", "cards": ["3h", "2h", "Ah"]}
    assert settled["dealer"] == {"hand": "pair", "cards": ["Kc", "Kd", "2s"], "qualifies": True}
    assert main(["rules", "show", "levee"]) == 0
    assert "LV.12(b)" in capsys.readouterr().out
    assert main(["rules", "explain", "levee"]) == 0
    assert "A fold keeps Pair Plus and Progressive" in capsys.readouterr().out


def test_its_cards_are_not_entered_at_level_2(tmp_path: Path) -> None:
    """One sentence, where a table is configured and where it is rehearsed."""
    assert parse_submission(FILED).levels == (0, 1)
    with pytest.raises(ConfigError, match=r"--level 2: levee has the levels 0 to 1"):
        of_book("levee", "t1", 2)
    file = tmp_path / "table.toml"
    file.write_text(
        'id = "levee-01"\n[rules]\nbook = "levee"\ntable_minimum = "10.00"\n[dealing]\nassist = 2\n', encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=r"dealing.assist: 2; hands of 3 cards cannot be entered yet: 1"):
        load_table(file)
