"""The Five Card Hand bonus by itself: 653a.11(l) and 653a.12(e)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from firmware.rules.five_card import returns, warning
from firmware.rules.hands import five_card_hand
from firmware.rules.money import cents
from firmware.rules.paytable import Fixed, MeterOffer, Share
from firmware.rules.submission import parse_submission

BY_HANDS = Fraction(624 * 500 + 3744 * 100 + 5108 * 50, 2_598_960)
"""Four of a kind, full house and flush among all hands of five, as every textbook counts them."""
METER = Fraction(21, 100)


def offered(wager: str = "5.00", **drawn: bool) -> MeterOffer:
    filed: dict[str, Any] = {"book": "pa-653a", "table_minimum": "5.00"}
    filed |= {"blind": {"paytable": "A"}, "trips": {"paytable": "A"}, "five_card_hand": {"wager": wager, **drawn}}
    return parse_submission(filed).offers["five_card_player"]


@pytest.mark.parametrize(
    ("five", "odds", "amount", "floor"),
    [
        ("9c 9d 9h 9s 2c", "500 for 1", "2500.00", True),
        ("9c 9d 9h 2s 2c", "100 for 1", "500.00", False),
        ("9c 8c 7c 2c 3c", "50 for 1", "250.00", False),
    ],
)
def test_fixed_prizes_and_who_verifies_them_653a_12_e_1(five: str, odds: str, amount: str, floor: bool) -> None:
    """653a.11(l)(2): of the fixed ones a floorperson verifies 500 for 1 only; at odds "for" the stake stays."""
    prize = offered().prizes[five_card_hand(five.split())]
    assert prize == Fixed(odds, cents(amount), cents("0.00"), "653a.12(e)", floor)


@pytest.mark.parametrize(("five", "percent"), [("Ah Kh Qh Jh Th", 100), ("9h Kh Qh Jh Th", 10)])
def test_shares_of_the_meter_653a_12_e_1(five: str, percent: int) -> None:
    prize = offered().prizes[five_card_hand(five.split())]
    assert prize == Share("five_card", percent, f"{percent}% of five_card", "653a.12(e)")
    assert prize.floor


def test_less_than_a_flush_has_no_prize_653a_7_d_4() -> None:
    assert five_card_hand(["9c", "8d", "7c", "6c", "5c"]) not in offered().prizes
    with pytest.raises(ValueError, match="five different cards"):
        five_card_hand(["9c", "9c", "7c", "6c", "5c"])


def test_magic_card_and_lucky_bonus_653a_12_e_3() -> None:
    offer = offered(magic_card=True, lucky_bonus=True)
    assert offer.drawn["magic_card"] == Fixed("20 for 1", cents("100.00"), cents("0.00"), "653a.12(e)(3)", False)
    assert offer.drawn["lucky_bonus"] == Fixed("5 for 1", cents("25.00"), cents("0.00"), "653a.12(e)(3)", False)
    assert not offered().drawn


def test_what_comes_back_of_a_wager() -> None:
    """The hands, the 21 % on meter and reserve, 20 of five cards in 52, 5 of one position in seven."""
    assert returns(offered(), 1, 1, 6) == BY_HANDS + METER
    assert returns(offered(magic_card=True), 1, 1, 6) == BY_HANDS + METER + Fraction(100, 52)
    assert returns(offered(magic_card=True), 10, 1, 6) == BY_HANDS + METER + Fraction(10, 52)
    assert returns(offered(lucky_bonus=True), 1, 3, 6) == BY_HANDS + METER + Fraction(5, 21)
    both = offered("0.01", magic_card=True, lucky_bonus=True)
    assert returns(both, 8, 4, 5) == BY_HANDS + METER + Fraction(100, 416) + Fraction(5, 24)


def test_a_table_that_draws_too_often_is_told_so() -> None:
    assert warning(offered(), 1, 1, 6) == ""
    assert warning(offered(magic_card=True), 5, 1, 6) == ""
    assert warning(offered(magic_card=True), 1, 1, 6) == (
        "The Five Card Hand bonus returns 2.495 for 1, more than it takes: a Magic Card in every round alone returns "
        "1.923 for 1, beside 0.572 for 1 by its hands and meter; draw less often."
    )
    assert warning(offered(lucky_bonus=True), 1, 1, 6).startswith(
        "The Five Card Hand bonus returns 1.286 for 1, more than it takes: a Lucky Bonus in every round alone returns 0.714"
    )
    both = warning(offered(magic_card=True, lucky_bonus=True), 4, 2, 6)
    assert "a Magic Card in one round in 4 alone returns 0.480 for 1, a Lucky Bonus in one round in 2 alone" in both


@pytest.mark.parametrize(("magic", "lucky", "seats"), [(0, 1, 6), (1, 0, 6), (1, 1, 0)])
def test_never_drawing_is_not_offering(magic: int, lucky: int, seats: int) -> None:
    with pytest.raises(ValueError, match="one round in 1 or more"):
        returns(offered(magic_card=True, lucky_bonus=True), magic, lucky, seats)
