"""Wagers on a meter whose hand is named and whose share has a price are paid like those of a round of cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.games.lunar.game import wagers_in_order
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName, five_card_hand
from firmware.rules.meter_wagers import (
    LUCKY,
    MAGIC_CARD,
    claim_payments,
    envy_payments,
    envy_receivers,
    lost_payments,
    lucky_payment,
    magic_card_payment,
    meter_payment,
    prize_of,
)
from firmware.rules.money import Cents
from firmware.rules.payline import pay_lines, row_of_cards, void_payments
from firmware.rules.payment import Payment, Result, Source
from firmware.rules.paytable import Fixed, Share
from firmware.rules.round import parse_round
from firmware.rules.seat import FOLDS, LEAVES, Choice, Decision, Option, Round, Seat
from firmware.rules.settlement import settle
from firmware.rules.submission import parse_submission
from firmware.rules.told import Told
from firmware.rules.wager import FIVE_CARD
from tests.rules.law_rounds import LUNAR
from tests.rules.test_properties import EXAMPLES, holdem_rounds

PA = {
    "book": "pa-653a",
    "table_minimum": "5.00",
    "blind": {"paytable": "A"},
    "trips": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
    "five_card_hand": {"wager": "5.00", "magic_card": True, "lucky_bonus": True},
}
MARYLAND = {
    "book": "md-36.05.16",
    "table_minimum": "5.00",
    "blind": {"paytable": "A"},
    "trips": {"paytable": "A"},
    "progressive": {"wager": "5.00", "seed": "10000.00", "rate": "21"},
}


def named(round_: Round, line: Payment) -> Payment | None:
    """The same payment from what a table knows: the name of the hand and, of a share, its price."""
    rules, seat = round_.submission, round_.seats[line.seat]
    price = line.payout if line.meter else None
    own, dealers = (five_card_hand(cards + round_.board[:3]) for cards in (seat.cards, round_.dealer))
    if line.wager == "progressive":
        return meter_payment(rules, line.seat, "progressive", own, price)
    if line.wager in FIVE_CARD:
        return meter_payment(rules, line.seat, line.wager, dealers if "dealer" in line.wager else own, price)
    for names, payment in ((MAGIC_CARD, magic_card_payment), (LUCKY, lucky_payment)):
        for wager, name in names.items():
            if line.wager == name:
                return payment(rules, line.seat, wager)
    return None


@EXAMPLES
@given(st.one_of(holdem_rounds("pa-653a"), holdem_rounds("md-36.05.16")))
@pytest.mark.slow
def test_what_is_named_is_paid_like_what_is_dealt(written: dict[str, Any]) -> None:
    """Bounds: one to six seats, every paytable; no irregularity. Envy too, with its order and its holder."""
    round_ = parse_round(written | {"irregularity": None})
    payments = settle(round_).payments
    for line in payments:
        if not round_.seats[line.seat].abandoned and (same := named(round_, line)):
            assert same == line
    envy: list[Payment] = []
    for holder in list(round_.seats.values())[::-1]:
        if not holder.abandoned:
            receivers = envy_receivers(round_.submission, list(round_.seats.values())[::-1], holder)
            envy += envy_payments(
                round_.submission, holder.number, five_card_hand(holder.cards + round_.board[:3]), receivers
            )
    assert envy == [line for line in payments if line.wager == "envy"]


def test_653a_11k4_a_fixed_prize_from_the_rack_or_by_an_attendant_a_share_from_neither() -> None:
    rules = parse_submission(PA)
    assert meter_payment(rules, 3, "progressive", HandName.FLUSH).source is Source.RACK
    assert meter_payment(rules, 3, "progressive", HandName.FLUSH, paid_from=Source.ATTENDANT).source is Source.ATTENDANT
    share = meter_payment(rules, 3, "progressive", HandName.ROYAL_FLUSH, Cents(1234567), paid_from=Source.ATTENDANT)
    assert (share.source, share.meter, share.payout, share.returned) == (Source.CAGE, "main", 1234567, 0)
    lost = meter_payment(rules, 3, "progressive", HandName.PAIR)
    assert (lost.result, lost.source, lost.cite) == (Result.LOSE, None, "653a.11(k)")
    with pytest.raises(ValueError, match="has no price yet"):
        meter_payment(rules, 3, "progressive", HandName.STRAIGHT_FLUSH)


def test_maryland_12D_a_fixed_prize_returns_the_wager() -> None:
    """36.05.16.12D(1) pays "to 1", where 653a.12(d)(1) pays "for 1"."""
    paid = meter_payment(parse_submission(MARYLAND), 2, "progressive", HandName.FLUSH)
    assert (paid.odds, paid.stake, paid.returned, paid.payout) == ("40 to 1", 500, 500, 20000)
    kept = meter_payment(parse_submission(PA), 2, "progressive", HandName.FLUSH)
    assert (kept.odds, kept.stake, kept.returned, kept.payout) == ("40 for 1", 100, 0, 4000)


def test_653a_11k5_envy_is_for_a_hand_whether_or_not_a_wager_was_on_it() -> None:
    found = list(envy_payments(parse_submission(PA), 2, HandName.ROYAL_FLUSH, [6, 1]))
    assert [(line.seat, line.for_seat, line.payout, line.source) for line in found] == [
        (6, 2, 100000, Source.RACK),
        (1, 2, 100000, Source.RACK),
    ]
    assert not list(envy_payments(parse_submission(PA), 2, HandName.FLUSH, [6, 1]))
    assert not list(envy_payments(parse_submission(LUNAR), 2, HandName.ROYAL_FLUSH, [3]))


# What is lost or returned without a comparison -------------------------------------------------------------------------

ANTE = {"ante": Cents(1500), "super": Cents(1500)}


def lunar_seat(*decisions: Decision, **more: Any) -> Seat:
    return Seat(2, (), ANTE, decisions, **more)


def lines(payments: tuple[Payment, ...]) -> list[tuple[str, str, int, str]]:
    return [(line.wager, str(line.result), line.stake, line.cite) for line in payments]


def test_671a_7b_who_leaves_loses_what_the_decisions_staked_too() -> None:
    bet = Decision(Choice.PLAY, "bet", Cents(3000), "bet")
    fee = Decision(Choice.OPTION, "bet", Cents(1500), "options_fee")
    rules, told = parse_submission(LUNAR), Told(qualifies=False)
    left = pay_lines(rules, lunar_seat(bet, *LEAVES), told)
    assert lines(left) == [
        ("super", "lose", 1500, "671a.7(b)"),
        ("ante", "lose", 1500, "671a.7(b)"),
        ("bet", "lose", 3000, "671a.7(b)"),
    ]
    assert lines(pay_lines(rules, lunar_seat(fee, *LEAVES), told))[-1] == ("options_fee", "lose", 1500, "671a.11(d)(1)")


def test_653a_7b_a_raise_that_was_made_before_leaving_is_lost() -> None:
    seat = Seat(3, (), {"ante": Cents(500), "blind": Cents(500), "progressive": Cents(100)})
    seat = replace(seat, decisions=(Decision(Choice.PLAY, "flop", Cents(1000), "play"), *LEAVES))
    left = pay_lines(parse_submission(PA), seat, Told(qualifies=True))
    assert [line.wager for line in left] == ["ante", "blind", "play"]
    assert {(line.result, line.cite) for line in left} == {(Result.LOSE, "653a.7(b)")}


def test_reading_12_a_void_round_returns_what_was_decided_too() -> None:
    rules = parse_submission(LUNAR)
    bet = Decision(Choice.PLAY, "bet", Cents(3000), "bet")
    back = void_payments(rules, lunar_seat(bet, option=Option((), ())), "dealer_card_exposed")
    assert lines(back) == [
        ("super", "void", 1500, "671a.13(d)"),
        ("options_fee", "void", 1500, "671a.13(d)"),
        ("ante", "void", 1500, "671a.13(d)"),
        ("bet", "void", 3000, "671a.13(d)"),
    ]
    assert all(line.returned == line.stake for line in back)
    seat = Seat(3, (), {"ante": Cents(500), "blind": Cents(500), "trips": Cents(500)}, FOLDS)
    kept = void_payments(parse_submission(PA), seat, "dealer_card_exposed", still=("trips",))
    assert [line.wager for line in kept] == ["ante", "blind"]


# What cards make -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filed", "wager", "cards", "row"),
    [
        (LUNAR, "super", "Kh Kc Qd Js Jh", "five picture cards"),
        (LUNAR, "super:dealer", "9h 2h 7h 5h Jh", "flush"),
        (LUNAR, "super:4", "9h 9s 6d 7h 5c", ""),
        (LUNAR, "super", "9h 9s", ""),
        (
            PA | {"six_card_bonus": {"paytable": "E"}},
            "six_card_bonus",
            "Td 9d Ad Kd Qd Jd",
            "six-card royal flush, diamonds",
        ),
        (PA | {"six_card_bonus": {"paytable": "A"}}, "six_card_bonus", "Td 9d", ""),
    ],
)
def test_the_row_that_cards_make(filed: dict[str, Any], wager: str, cards: str, row: str) -> None:
    assert row_of_cards(parse_submission(filed), wager, tuple(cards.split())) == row


def test_671a_11b2_a_hand_that_is_owed_the_instant_payout_may_elect_nothing_else() -> None:
    game = game_of("pa-671a")
    assert game.legal_elections(("9h", "8h", "7h", "6h", "5h")) == ("instant",)
    assert game.legal_elections(("9h", "8h", "7h", "6h", "5c")) == ("bet", "fold", "buy", "exchange")
    assert game.procedure.exchanges == (2, 3, 4, 5)


def test_671a_11_wagers_come_in_their_passes() -> None:
    """(c) Supers hand by hand with folds, (d) fees, (e) Supers on the dealer, (f) ante and bet from the last seat."""
    bet = Decision(Choice.PLAY, None, Cents(3000), "bet")
    seats = {
        1: Seat(1, (), ANTE, FOLDS, super_on={2: Cents(500), 0: Cents(700)}),
        2: Seat(2, (), ANTE, (bet,), option=Option((), ())),
        3: Seat(3, (), ANTE, (bet,)),
    }
    found = [(turn.seat.number, turn.wager) for turn in wagers_in_order(seats)]
    assert found == [
        (1, "super"),
        (1, "ante"),
        (2, "super"),
        (1, "super:2"),
        (3, "super"),
        (2, "options_fee"),
        (1, "super:dealer"),
        (3, "ante"),
        (3, "bet"),
        (2, "ante"),
        (2, "bet"),
    ]


def test_the_prize_of_a_wager_is_known_before_it_has_a_price() -> None:
    rules = parse_submission(PA)
    assert isinstance(prize_of(rules, "progressive", HandName.ROYAL_FLUSH), Share)
    assert isinstance(prize_of(rules, "five_card_dealer", HandName.FLUSH), Fixed)
    assert prize_of(rules, "progressive", HandName.PAIR) is None
    assert prize_of(parse_submission(LUNAR), "progressive", HandName.FLUSH) is None


def test_what_a_bank_froze_is_divided_among_the_seats_in_their_order() -> None:
    """Reading 4: equal parts of whole cents. Without a seat, or for a hand that wins no share, nothing was frozen."""
    rules = parse_submission(PA)
    paid = claim_payments(rules, "five_card_dealer", HandName.ROYAL_FLUSH, Cents(900), (6, 2, 1))
    assert [(one.seat, one.payout, one.source) for one in paid] == [(seat, 300, Source.CAGE) for seat in (6, 2, 1)]
    with pytest.raises(ValueError, match="for 0 seats"):
        claim_payments(rules, "five_card_dealer", HandName.ROYAL_FLUSH, Cents(900), ())
    with pytest.raises(ValueError, match="wins no share"):
        claim_payments(rules, "progressive", HandName.FLUSH, Cents(900), (1,))


@pytest.mark.parametrize(("decisions", "cites"), [((), ["653a.11(k)", "653a.11(l)"]), (LEAVES, ["653a.7(b)"] * 2)])
def test_what_won_nothing_is_collected_when_the_round_is_over(
    decisions: tuple[Decision, ...], cites: list[str]
) -> None:
    """Every wager with a meter but those that won; of a seat that was left, as lost by leaving (653a.7(b))."""
    wagers = {
        "ante": Cents(500),
        "progressive": Cents(100),
        "five_card_player": Cents(500),
        "five_card_dealer": Cents(500),
    }
    lost = list(lost_payments(parse_submission(PA), Seat(3, (), wagers, decisions), ["five_card_dealer"]))
    assert [(one.wager, one.stake, one.returned, one.cite) for one in lost] == [
        ("progressive", 100, 0, cites[0]),
        ("five_card_player", 500, 0, cites[1]),
    ]
