"""The questions of a seat, the choices that may be true, and the facts that cannot be true together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware.rules.hands import RANKED
from firmware.rules.known import Fact, Known, Said, facts, without
from firmware.rules.payline import rows
from firmware.rules.seat import DEALER, FOLDS, Choice, Seat
from firmware.rules.submission import parse_submission
from firmware.rules.told import NONE_OF_THESE
from firmware.rules.worlds import Worlds
from tests.rules.law_rounds import LUNAR, said_of
from tests.rules.test_payline import BETS, EVERYTHING, HEADS_UP, PA, PLAYS, RAISES, seat_of

WORLDS = {rules["book"]: Worlds(parse_submission(rules)) for rules in (PA, HEADS_UP, LUNAR)}
INSTANT = "Tc Jc Qc Kc 9c | ante 5.00, super 5.00 | takes the instant payout"


def telling(said: Said, *answers: tuple[str, str]) -> Said:
    for about, answer in answers:
        said = said.saying(about, answer)
    return said


@pytest.mark.parametrize(
    ("rules", "line", "result", "qualifies", "wanted"),
    [
        # 653a.11(h): nothing but the comparison, until a win, of which the Blind wants the hand.
        (PA, PLAYS, "", True, ["result"]),
        (PA, PLAYS, "lower", True, ["result"]),
        (PA, PLAYS, "equal", False, ["result"]),
        (PA, PLAYS, "higher", False, ["result", "hand"]),
        # 653a.11(j): a bad beat asks for the hand that lost, the dealer's or the player's own.
        (PA, EVERYTHING + " plays 10.00 flop", "", True, ["result", "hand", "six_card_bonus"]),
        (PA, EVERYTHING + " plays 10.00 flop", "lower", True, ["result", "hand", "six_card_bonus"]),
        (PA, EVERYTHING + " plays 10.00 flop", "higher", True, ["result", "hand", "dealer_hand", "six_card_bonus"]),
        # 653a.11(f)(2): a fold leaves Trips and Six Card; (b): who leaves has lost everything.
        (PA, EVERYTHING + " folds", "", True, ["hand", "six_card_bonus"]),
        (PA, "2c 3c | ante 5.00, blind 5.00 | folds", "", True, []),
        (PA, EVERYTHING + " leaves", "", True, []),
        # 677a.11(h)(2)(iii)(B), (i)
        (HEADS_UP, RAISES, "equal", True, ["result"]),
        (HEADS_UP, RAISES, "lower", True, ["result", "hand"]),
        (HEADS_UP, RAISES, "higher", True, ["result", "hand"]),
        (HEADS_UP, RAISES.replace("odds", "pocket bonus 5.00, odds"), "", True, ["result", "pocket_bonus"]),
        (HEADS_UP, RAISES.replace("odds", "trips plus 5.00, odds"), "equal", True, ["result", "hand"]),
        # 671a.11(c) to (f): Supers were declared before.
        (LUNAR, BETS + " bets", "", True, ["result"]),
        (LUNAR, BETS + " bets", "", False, ["hand"]),
        (LUNAR, BETS + " bets | declares nothing", "higher", True, ["result", "hand", "second"]),
        (LUNAR, BETS + " folds", "", True, []),
        (LUNAR, INSTANT, "", True, ["instant"]),
    ],
)
def test_a_dealer_is_asked_no_more_than_the_wagers_want(
    rules: dict[str, Any], line: str, result: str, qualifies: bool, wanted: list[str]
) -> None:
    said = said_of(seat_of(rules, line))
    said = said.saying("result", result) if result else said
    assert list(WORLDS[rules["book"]].questions(Known(qualifies=qualifies), said)) == wanted


def test_653a_13_reading_12_of_a_void_round_only_what_it_settles_is_asked() -> None:
    worlds, said = WORLDS["pa-653a"], said_of(replace(seat_of(PA, EVERYTHING + " folds"), decisions=FOLDS))
    assert list(worlds.questions(Known(still=("trips",)), said)) == ["hand"]
    assert not worlds.questions(Known(still=()), said)


def test_the_choices_are_the_rows_that_pay_highest_first() -> None:
    rules, worlds, known = parse_submission(PA), WORLDS["pa-653a"], Known(qualifies=True)
    blind = rows(rules, "blind")
    higher = said_of(seat_of(PA, PLAYS)).saying("result", "higher")
    assert worlds.questions(known, higher)["hand"] == (*blind, NONE_OF_THESE)
    with_trips = said_of(seat_of(PA, EVERYTHING + " plays 10.00 flop"))
    assert worlds.questions(known, with_trips)["result"] == ("higher", "equal", "lower")
    asked = worlds.questions(known, with_trips.saying("result", "higher"))
    assert asked["hand"] == (*blind, "straight", "three of a kind", NONE_OF_THESE)
    assert asked["dealer_hand"] == (*rows(rules, "bad_beat_bonus"), NONE_OF_THESE)
    assert asked["six_card_bonus"] == (*rows(rules, "six_card_bonus"), NONE_OF_THESE)
    lunar, bets = parse_submission(LUNAR), said_of(seat_of(LUNAR, BETS + " bets")).saying("result", "higher")
    assert WORLDS["pa-671a"].questions(known, bets)["hand"] == rows(lunar, "bet")


@pytest.mark.parametrize(
    ("rules", "line", "least"),
    [(HEADS_UP, RAISES, "straight"), (PA, EVERYTHING + " plays 10.00 flop", "three of a kind")],
)
def test_a_bad_beat_may_be_where_the_dealer_can_beat_a_hand_that_is_paid_677a_12_c_653a_12_g(
    rules: dict[str, Any], line: str, least: str
) -> None:
    worlds, seat = WORLDS[rules["book"]], seat_of(rules, line)
    assert may_be_beaten_well(worlds, seat, Known(qualifies=True))
    assert not may_be_beaten_well(worlds, seat, Known(qualifies=False))
    above = RANKED[RANKED.index("pair") :]
    hands = [hand for hand in above if may_be_beaten_well(worlds, seat, Known(qualifies=True, hand=hand))]
    assert hands == [*RANKED[RANKED.index(least) :]]
    assert not may_be_beaten_well(worlds, replace(seat, decisions=FOLDS), Known(qualifies=True))


def test_no_bad_beat_is_offered_to_a_seat_without_that_wager_653a_12_g() -> None:
    assert not may_be_beaten_well(WORLDS["pa-653a"], seat_of(PA, PLAYS), Known(qualifies=True))
    assert not may_be_beaten_well(WORLDS["pa-671a"], seat_of(LUNAR, BETS + " bets"), Known(qualifies=True))


def may_be_beaten_well(worlds: Worlds, seat: Seat, known: Known) -> bool:
    return worlds.may_be_beaten_well(known, said_of(seat))


HIGHER, EQUAL, LOWER = (("result", result) for result in ("higher", "equal", "lower"))


@pytest.mark.parametrize(
    ("rules", "line", "qualifies", "answers", "matter"),
    [
        # Names that no hand has.
        (PA, PLAYS, True, [HIGHER, ("hand", "big flush")], ["hand"]),
        (LUNAR, BETS + " bets", True, [HIGHER, ("hand", "pair"), ("second", "high card")], ["second"]),
        # Wrong taps: a pair beats no dealer's flush, nobody ties a dealer's flush with a straight, a royal flush never
        # loses, a dealer with a pair qualifies and one without does not.
        (PA, PLAYS, True, [HIGHER, ("hand", "pair"), ("dealer_hand", "flush")], ["result", "hand", "dealer_hand"]),
        (PA, PLAYS, True, [HIGHER, ("hand", "high card")], ["qualifies", "result", "hand"]),
        (PA, PLAYS, True, [EQUAL, ("hand", "straight"), ("dealer_hand", "flush")], ["result", "hand", "dealer_hand"]),
        (PA, PLAYS, False, [EQUAL, ("hand", "pair")], ["qualifies", "result", "hand"]),
        (PA, PLAYS, False, [LOWER, ("hand", "pair")], ["qualifies", "result", "hand"]),
        (PA, PLAYS, True, [LOWER, ("hand", "royal flush")], ["result", "hand"]),
        (PA, PLAYS, False, [HIGHER, ("dealer_hand", "pair")], ["qualifies", "dealer_hand"]),
        (PA, PLAYS, True, [HIGHER, ("dealer_hand", "high card")], ["qualifies", "dealer_hand"]),
        (LUNAR, BETS + " bets", True, [HIGHER, ("hand", "high card")], ["qualifies", "result", "hand"]),
        (
            LUNAR,
            BETS + " bets",
            True,
            [LOWER, ("hand", "pair"), ("dealer_hand", "high card")],
            ["qualifies", "dealer_hand"],
        ),
    ],
)
def test_what_cannot_be_is_not_offered_and_the_facts_against_it_are_named(
    rules: dict[str, Any],
    line: str,
    qualifies: bool,
    answers: list[tuple[str, str]],
    matter: list[str],
) -> None:
    worlds, said, known = WORLDS[rules["book"]], said_of(seat_of(rules, line)), Known(qualifies=qualifies)
    *before, (about, answer) = answers
    assert answer not in worlds.questions(known, telling(said, *before)).get(about, ())
    denied = known.at(1, telling(said, *answers))
    assert not worlds.possible(denied)
    facts = {"qualifies": Fact(DEALER, "qualifies", qualifies), **{name: Fact(1, name, each) for name, each in answers}}
    named = worlds.conflict(denied)
    assert set(named) >= {facts[name] for name in matter}
    assert set(named) - {facts[name] for name in matter} <= {facts["qualifies"]}


@pytest.mark.parametrize(
    ("rules", "line", "about", "answer"),
    [
        (PA, PLAYS, "result", "better"),
        (PA, PLAYS, "dealer_hand", "flush"),
        (PA, PLAYS, "trips", "flush"),
        (PA, EVERYTHING + " folds", "six_card_bonus", "two pair"),
        (LUNAR, BETS + " bets", "super:3", "flush"),
        (LUNAR, BETS + " bets", "super:2", "royal flush"),
    ],
)
def test_no_other_wager_is_asked_about_and_no_row_that_is_none(
    rules: dict[str, Any], line: str, about: str, answer: str
) -> None:
    asked = WORLDS[rules["book"]].questions(Known(qualifies=True), said_of(seat_of(rules, line)))
    assert answer not in asked.get(about, ())


@pytest.mark.parametrize("result", ["", "equal"])
def test_653a_11h_two_royal_flushes_lie_on_the_board_and_are_everybodys(result: str) -> None:
    """Each of them alone is one that wins; before any result was told they leave the others nothing else."""
    worlds, seat = WORLDS["pa-653a"], said_of(seat_of(PA, EVERYTHING + " plays 10.00 flop"))
    royal = telling(seat, ("hand", "royal flush"))
    one = telling(royal, ("result", result)) if result else royal
    known = Known(qualifies=True).at(1, one).at(2, royal)
    asked = worlds.questions(known, seat)
    assert (asked["result"], asked["hand"]) == (("equal",), ("royal flush",))
    assert not worlds.possible(known.at(3, telling(seat, ("hand", ""))))
    assert not worlds.possible(known.at(3, telling(seat, ("result", "higher"))))


def test_whatever_is_known_can_be_left_out() -> None:
    """A fact that stays is looked for again and again: a seat's hand was taken for the dealer's, and the table stood."""
    said = Said(
        Choice.PLAY,
        ("ante", "trips"),
        answers=(("result", "higher"), ("hand", "flush"), ("dealer_hand", ""), ("six_card_bonus", "")),
        rows=(("super", "flush"),),
        cards=("Ah", "Kd"),
        first=("2c", "3c"),
        prizes=("flush", "straight"),
    )
    known = Known(False, "pair", "flush", ("flush",), None, ("2c", "7d", "9s"), ("4c", "5c"), ("6c",), ((2, said),))
    every = list(facts(known))
    assert len(every) == 16 and {one.seat for one in every} == {0, 2}
    for one in every:
        assert list(facts(without(known, one))) == [other for other in every if other != one], one
