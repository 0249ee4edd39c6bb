"""A table that knows results but not cards (assist level 1): what the dealer says is paid exactly as the cards would be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_rounds import round_file, seat_object
from test_law import CASES
from test_properties import EXAMPLES, holdem_rounds, lunar_rounds

from firmware.rules.heads_up import pocket_row
from firmware.rules.lunar import after_the_option, second_combinations, super_hand
from firmware.rules.money import cents
from firmware.rules.payline import (
    NONE_OF_THESE,
    OF_METERS,
    RESULTS,
    Told,
    answers,
    needs,
    pay_lines,
    rows,
)
from firmware.rules.payment import Payment
from firmware.rules.round import DEALER, Choice, Round, Seat, parse_round
from firmware.rules.settlement import Settlement, settle
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission
from firmware.rules.ultimate import six_card_row

BONUSES = ("envy", "magic_card_player", "magic_card_dealer", "lucky_player", "lucky_dealer")
OPPOSITE = {value: word for word, value in RESULTS.items()}


# What the cards say, a dealer says ----------------------------------------------------------------------------------


def told_from_the_cards(round_: Round, settled: Settlement, seat: Seat) -> Told:
    """What a dealer who sees the cards answers: only what he is asked, from the choices he is shown."""
    assert settled.dealer is not None
    hand, dealer = settled.seats[seat.number], settled.dealer
    result = OPPOSITE[(hand.strength > dealer.strength) - (hand.strength < dealer.strength)]
    asked = answers(round_.submission, seat, result, settled.qualifies)
    named = {"hand": hand.name, "dealer_hand": dealer.name, "second": ""}
    if "second" in asked:
        named["second"] = second_row(round_, seat)
    said = {answer: named[answer] for answer in asked if named.get(answer) in asked[answer]}
    picked = side_rows(round_, seat)
    undeclared = {f"super:{on}" for on in seat.super_on or () if on != DEALER and not round_.seats[on].declared}
    return Told(
        qualifies=settled.qualifies,
        result=result if "result" in asked else "",
        side={wager: row for wager, row in picked.items() if row in asked.get(wager, picked.values())},
        undeclared=frozenset(undeclared),
        **said,
    )


def second_row(round_: Round, seat: Seat) -> str:
    """Lunar Poker's best-paid second combination, from the cards."""
    made = second_combinations(after_the_option(seat))
    return next((row for row in rows(round_.submission, "bet:second") if row in made), "")


def side_rows(round_: Round, seat: Seat) -> Mapping[str, str]:
    """The rows of the wagers that are won by other cards than the best hand's; also of a Super nobody declared."""
    found: dict[str, str | None] = {}
    if "pocket_bonus" in seat.wagers:
        found["pocket_bonus"] = pocket_row(seat.cards)
    if "six_card_bonus" in seat.wagers:
        found["six_card_bonus"] = six_card_row(
            round_.submission.paytables["six_card_bonus"], seat.cards + round_.six_card
        )
    if "super" in seat.wagers:
        found["super"] = super_hand(seat.cards)
        for on in seat.super_on or ():
            backed = round_.dealer if on == DEALER else round_.seats[on].cards
            found[f"super:{on or 'dealer'}"] = super_hand(backed)
    if seat.decision and seat.decision.choice is Choice.INSTANT:
        found["instant"] = settle(round_).seats[seat.number].name
    return {wager: row for wager, row in found.items() if row in rows(round_.submission, wager)}


def without_cards(seat: Seat) -> Seat:
    """The seat as a table at this level knows it; of an option only that its fee was paid."""
    return replace(seat, cards=(), option=seat.option and replace(seat.option, discarded=(), drawn=()))


def assert_the_dealer_is_paid_by_like_the_cards(written: dict[str, Any]) -> None:
    """Every wager of every seat but those of meters: the same payments, in the same order, as the cards' settlement."""
    round_ = parse_round(written)
    settled = settle(round_)
    boxes: dict[object, list[Payment]] = defaultdict(list)
    for number in sorted(round_.seats, reverse=True):
        seat = round_.seats[number]
        told = told_from_the_cards(round_, settled, seat)
        player = seat.player or number
        lines = pay_lines(round_.submission, without_cards(seat), told, boxes[player])
        boxes[player] += lines
        mine = [each for each in settled.payments if each.seat == number]
        assert list(lines) == [each for each in mine if each.wager not in OF_METERS and each.wager not in BONUSES]


def one_player_on_all_boxes(written: dict[str, Any]) -> dict[str, Any]:
    """The same round with one person on every box, if the boxes lie side by side."""
    numbers = [int(number) for number in written["seats"]]
    if max(numbers) - min(numbers) + 1 == len(numbers):
        for seat in written["seats"].values():
            seat["player"] = "A"
    return written


@EXAMPLES
@given(
    st.one_of(
        holdem_rounds("pa-653a"),
        holdem_rounds("md-36.05.16"),
        holdem_rounds("pa-677a"),
        holdem_rounds("pa-677a").map(one_player_on_all_boxes),
        lunar_rounds(),
    )
)
def test_what_is_told_is_paid_like_what_is_dealt(written: dict[str, Any]) -> None:
    """Bounds: every book, one to six seats, every decision, every side wager; no irregularity."""
    assert_the_dealer_is_paid_by_like_the_cards(written | {"irregularity": None})


@pytest.mark.parametrize(
    ("rules", "case"), [case for case in CASES if not {"refused", "irregularity"}.intersection(case.values[1])]
)
def test_every_case_of_the_law_is_paid_alike(rules: dict[str, Any], case: dict[str, Any]) -> None:
    """The rare hands that a random round seldom holds: every case of `law/` that is settled."""
    assert_the_dealer_is_paid_by_like_the_cards(round_file(rules, case))


# One seat at a time --------------------------------------------------------------------------------------------------

PA = {
    "book": "pa-653a",
    "table_minimum": "5.00",
    "payout_limit": "50000.00",
    "blind": {"paytable": "B"},
    "trips": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
    "five_card_hand": {"wager": "5.00"},
    "six_card_bonus": {"paytable": "E"},
    "bad_beat_bonus": {"paytable": "A"},
}
HEADS_UP = {
    "book": "pa-677a",
    "table_minimum": "5.00",
    "payout_limit": "50000.00",
    "adjacent_boxes": 2,
    "pocket_bonus": {"paytable": "A"},
    "trips_plus": {"paytable": "A"},
}
LUNAR = {"book": "pa-671a", "table_minimum": "5.00", "instant": {"paytable": "A"}, "super_on_others": {}}

PLAYS = "2c 3c | ante 5.00, blind 5.00 | plays 20.00 preflop"
EVERYTHING = (
    "2c 3c | ante 5.00, blind 5.00, trips 5.00, bad beat bonus 5.00, six card bonus 5.00, progressive 1.00, "
    "five card player 5.00 |"
)
RAISES = "2c 3c | ante 5.00, odds 5.00 | raises 15.00 preflop"
BETS = "2c 3d 4h 5s 9c | ante 5.00, super 5.00, super on dealer 5.00, super on 2 5.00 |"


def seat_of(rules: dict[str, Any], line: str) -> Seat:
    """Seat 1 as a line of `law/` would write it, without its cards."""
    other = seat_object("Ks Kd 8h 8s 2h | ante 5.00, super 5.00 | folds") if rules is LUNAR else None
    seats = {"1": seat_object(line)} | ({"2": other} if other else {})
    if rules is LUNAR:
        cards = {"dealer": ["Ah", "Kh", "9h", "8d", "3s"]}
    else:
        cards = {"board": ["Ah", "Kh", "9h", "8d", "3s"], "dealer": ["7c", "7d"], "six_card": ["4c", "4d", "4h", "5c"]}
        cards = cards if "six_card_bonus" in rules else {key: cards[key] for key in ("board", "dealer")}
    meters = {"main": "20000.00", "five_card": "60000.00", "five_card_reserve": "0.00"} if rules is PA else {}
    round_ = parse_round({"rules": rules, "cards": cards, "seats": seats, "meters": meters})
    return without_cards(round_.seats[1])


@pytest.mark.parametrize(
    ("rules", "line", "result", "qualifies", "wanted"),
    [
        # 653a.11(h): nothing but the comparison, until a win, of which the Blind wants the hand.
        (PA, PLAYS, "", True, ["qualifies", "result"]),
        (PA, PLAYS, "lower", True, ["qualifies", "result"]),
        (PA, PLAYS, "equal", False, ["qualifies", "result"]),
        (PA, PLAYS, "higher", False, ["qualifies", "result", "hand"]),
        # 653a.11(j): a bad beat asks for the hand that lost, the dealer's or the player's own.
        (PA, EVERYTHING + " plays 10.00 flop", "", True, ["qualifies", "result", "hand", "six_card_bonus"]),
        (PA, EVERYTHING + " plays 10.00 flop", "lower", True, ["qualifies", "result", "hand", "six_card_bonus"]),
        (
            PA,
            EVERYTHING + " plays 10.00 flop",
            "higher",
            True,
            ["qualifies", "result", "hand", "dealer_hand", "six_card_bonus"],
        ),
        # 653a.11(f)(2): a fold leaves Trips and Six Card; (b): who leaves has lost everything.
        (PA, EVERYTHING + " folds", "higher", True, ["hand", "six_card_bonus"]),
        (PA, "2c 3c | ante 5.00, blind 5.00 | folds", "", True, []),
        (PA, EVERYTHING + " leaves", "", True, []),
        # 677a.11(h)(2)(iii)(B), (i)
        (HEADS_UP, RAISES, "equal", True, ["qualifies", "result"]),
        (HEADS_UP, RAISES, "lower", True, ["qualifies", "result", "hand"]),
        (HEADS_UP, RAISES, "higher", True, ["qualifies", "result", "hand"]),
        (
            HEADS_UP,
            RAISES.replace("odds", "pocket bonus 5.00, odds"),
            "",
            True,
            ["qualifies", "result", "pocket_bonus"],
        ),
        (HEADS_UP, RAISES.replace("odds", "trips plus 5.00, odds"), "equal", True, ["qualifies", "result", "hand"]),
        # 671a.11(c) to (f)
        (LUNAR, BETS + " bets", "", True, ["super", "super:2", "super:dealer", "qualifies", "result"]),
        (LUNAR, BETS + " bets", "", False, ["super", "super:2", "super:dealer", "qualifies", "hand"]),
        (
            LUNAR,
            BETS + " bets | declares nothing",
            "higher",
            True,
            ["super:2", "super:dealer", "qualifies", "result", "hand", "second"],
        ),
        (LUNAR, BETS + " folds", "", True, ["super", "super:2", "super:dealer"]),
        (
            LUNAR,
            "Tc Jc Qc Kc 9c | ante 5.00, super 5.00 | takes the instant payout",
            "",
            True,
            ["super", "instant"],
        ),
    ],
)
def test_a_dealer_is_asked_no_more_than_the_wagers_want(
    rules: dict[str, Any], line: str, result: str, qualifies: bool, wanted: list[str]
) -> None:
    assert list(needs(parse_submission(rules), seat_of(rules, line), result, qualifies)) == wanted


def test_the_choices_are_the_rows_that_pay_highest_first() -> None:
    rules = parse_submission(PA)
    seat = seat_of(PA, PLAYS)
    blind = ("royal flush", "straight flush", "four of a kind", "full house", "flush")
    assert rows(rules, "blind") == blind
    assert answers(rules, seat, "higher")["hand"] == (*blind, NONE_OF_THESE)
    with_trips = answers(rules, seat_of(PA, EVERYTHING + " plays 10.00 flop"), "higher")
    assert with_trips["hand"] == (*blind, "straight", "three of a kind", NONE_OF_THESE)
    assert with_trips["result"] == ("higher", "equal", "lower")
    assert with_trips["dealer_hand"] == (*rows(rules, "bad_beat_bonus"), NONE_OF_THESE)
    assert rows(rules, "five_card_dealer") == ("royal flush", "straight flush", "four of a kind", "full house", "flush")
    assert rows(rules, "progressive")[0] == "royal flush"
    lunar = parse_submission(LUNAR)
    assert rows(lunar, "super:4") == rows(lunar, "super:dealer") == rows(lunar, "super")
    assert answers(lunar, seat_of(LUNAR, BETS + " bets"), "higher")["hand"] == rows(lunar, "bet")
    assert rows(lunar, "bet")[-1] == "ace-king"
    with pytest.raises(KeyError):
        rows(parse_submission(HEADS_UP), "trips")


def test_the_limit_is_over_all_boxes_of_a_player_677a_12_f() -> None:
    """Two winning royal flushes of 100 on the Odds: what the first box was paid is no longer there for the second."""
    rules = parse_submission(HEADS_UP)
    seat = seat_of(HEADS_UP, "2c 3c | ante 95.00, odds 95.00 | raises 95.00 river")
    told = Told(qualifies=True, result="higher", hand="royal flush")
    first = pay_lines(rules, seat, told)
    assert [line.payout for line in first] == [cents("95.00"), cents("95.00"), cents("47500.00")]
    second = pay_lines(rules, seat, told, first)
    assert [line.payout for line in second] == [cents("95.00"), cents("95.00"), cents("2120.00")]
    assert second[-1].limited
    bad_beat = pay_lines(rules, seat, Told(qualifies=True, result="lower", hand="straight flush"), [*first, *second])
    assert bad_beat[-1].payout == cents("47500.00")
    assert pay_lines(rules, seat, told, bad_beat) == first


PLAY = Told(qualifies=True, result="higher")


@pytest.mark.parametrize(
    ("rules", "line", "told", "at"),
    [
        (PA, PLAYS, Told(qualifies=True), "result"),
        (PA, PLAYS, Told(qualifies=True, result="better"), "result"),
        (PA, PLAYS, replace(PLAY, hand="big flush"), "hand"),
        (PA, PLAYS, replace(PLAY, dealer_hand="good"), "dealer_hand"),
        (PA, PLAYS, replace(PLAY, side={"trips": "flush"}), "side.trips"),
        (PA, EVERYTHING + " folds", replace(PLAY, side={"six_card_bonus": "two pair"}), "six_card_bonus"),
        # Wrong taps: a pair beats no dealer's flush, nobody ties a dealer's flush with a straight, a royal flush never
        # loses, a dealer with a pair qualifies and one without does not.
        (PA, PLAYS, replace(PLAY, hand="pair", dealer_hand="flush"), "result"),
        (PA, PLAYS, replace(PLAY, hand="high card"), "result"),
        (PA, PLAYS, Told(qualifies=True, result="equal", hand="straight", dealer_hand="flush"), "result"),
        (PA, PLAYS, Told(qualifies=False, result="equal", hand="pair"), "result"),
        (PA, PLAYS, Told(qualifies=False, result="lower", hand="pair"), "result"),
        (PA, PLAYS, Told(qualifies=True, result="lower", hand="royal flush"), "result"),
        (PA, PLAYS, Told(qualifies=False, result="higher", dealer_hand="pair"), "dealer_hand"),
        (PA, PLAYS, Told(qualifies=True, result="higher", dealer_hand="high card"), "dealer_hand"),
        (LUNAR, BETS + " bets", Told(qualifies=True, result="higher"), "hand"),
        (LUNAR, BETS + " bets", Told(qualifies=True, result="higher", hand="high card"), "hand"),
        (
            LUNAR,
            BETS + " bets",
            Told(qualifies=True, result="lower", hand="pair", dealer_hand="high card"),
            "dealer_hand",
        ),
        (LUNAR, BETS + " bets", replace(PLAY, hand="pair", second="high card"), "second"),
        (LUNAR, BETS + " bets", replace(PLAY, hand="pair", side={"super:3": "flush"}), "side.super:3"),
        (LUNAR, BETS + " bets", replace(PLAY, hand="pair", side={"super:2": "royal flush"}), "super:2"),
        (
            LUNAR,
            "Tc Jc Qc Kc 9c | ante 5.00, super 5.00 | takes the instant payout",
            Told(qualifies=True),
            "instant",
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_paid(
    rules: dict[str, Any], line: str, told: Told, at: str
) -> None:
    with pytest.raises(Refusal) as refused:
        pay_lines(parse_submission(rules), seat_of(rules, line), told)
    assert refused.value.at == at


def test_a_seat_that_has_not_decided_is_not_paid() -> None:
    undecided = replace(seat_of(LUNAR, BETS + " bets"), decision=None)
    with pytest.raises(Refusal, match="seat 1 has not decided yet"):
        pay_lines(parse_submission(LUNAR), undecided, Told(qualifies=False))
