"""A table that knows results but not cards (assist level 1): what the dealer says is paid exactly as the cards would be."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.known import Known
from firmware.rules.money import cents
from firmware.rules.payline import (
    dealer_of_cards,
    pay_lines,
    rows,
    told_of_cards,
)
from firmware.rules.payment import Payment
from firmware.rules.round import parse_round
from firmware.rules.seat import FOLDS, Round, Seat
from firmware.rules.settlement import settle
from firmware.rules.strict import Refusal
from firmware.rules.submission import parse_submission
from firmware.rules.told import Told
from firmware.rules.worlds import Worlds
from tests.rules.law_rounds import LUNAR, round_file, said_of, seat_object, told_of_round
from tests.rules.test_law import CASES
from tests.rules.test_properties import EXAMPLES, holdem_rounds, lunar_rounds

OF_METERS = ("progressive", "five_card_player", "five_card_dealer")
BONUSES = ("envy", "magic_card_player", "magic_card_dealer", "lucky_player", "lucky_dealer")


# What the cards say, a dealer says ----------------------------------------------------------------------------------


def only_what_is_asked(round_: Round, seat: Seat, told: Told) -> Told:
    """The same dealer, who answers no more than he is asked, from the choices he is shown; Supers were shown before."""
    known = said_of(seat)
    known = known.saying("result", told.result) if told.result else known
    asked = Worlds(round_.submission).questions(Known(qualifies=told.qualifies), known)
    named = {"hand": told.hand, "dealer_hand": told.dealer_hand, "second": told.second}
    said: dict[str, Any] = {
        answer: name if answer in asked and name in asked[answer] else "" for answer, name in named.items()
    }
    side = {wager: row for wager, row in told.side.items() if wager in asked or wager.startswith("super")}
    return told._replace(result=told.result if "result" in asked else "", side=side, **said)


def without_cards(seat: Seat) -> Seat:
    """The seat as a table at this level knows it; of an option how many cards were exchanged, and not which."""
    option = seat.option and replace(seat.option, discarded=(), drawn=(), unseen=seat.option.exchanged)
    return replace(seat, cards=(), option=option)


def assert_the_dealer_is_paid_by_like_the_cards(written: dict[str, Any]) -> None:
    """Every wager of every seat but those of meters: the same payments, in the same order, as the cards' settlement."""
    round_ = parse_round(written)
    settled = settle(round_)
    boxes: dict[object, list[Payment]] = defaultdict(list)
    for number in sorted(round_.seats, reverse=True):
        seat = round_.seats[number]
        told = told_of_round(round_, number)
        player = seat.player or number
        mine = [each for each in settled.payments if each.seat == number]
        wanted = [each for each in mine if each.wager not in OF_METERS and each.wager not in BONUSES]
        for said in (told, only_what_is_asked(round_, seat, told)):
            assert list(pay_lines(round_.submission, without_cards(seat), said, boxes[player])) == wanted
        boxes[player] += wanted


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
@pytest.mark.slow
def test_what_is_told_is_paid_like_what_is_dealt(written: dict[str, Any]) -> None:
    """Bounds: every book, one to six seats, every decision, every side wager; no irregularity."""
    assert_the_dealer_is_paid_by_like_the_cards(written | {"irregularity": None})


@pytest.mark.parametrize(
    ("rules", "case"),
    [case for case in CASES if not {"refused", "irregularity"}.intersection(case.values[1])],  # type: ignore[arg-type]
)
def test_every_case_of_the_law_is_paid_alike(rules: dict[str, Any], case: dict[str, Any]) -> None:
    """The rare hands that a random round seldom holds: every case of `law/` that is settled."""
    assert_the_dealer_is_paid_by_like_the_cards(round_file(rules, case))


@pytest.mark.slow
@EXAMPLES
@given(st.one_of(holdem_rounds("pa-653a"), holdem_rounds("md-36.05.16"), holdem_rounds("pa-677a")), st.booleans())
def test_what_is_still_settled_of_a_void_round_is_told_like_a_fold(written: dict[str, Any], dealt: bool) -> None:
    """653a.13(a), 677a.13(a), Maryland .13C. Bounds: cards face up after the deal, with and without a dealer's hand."""
    round_ = parse_round(written | {"irregularity": {"kind": "cards_face_up", "after_initial_deal": True}})
    settled, still = settle(round_), round_.submission.book.still_settled["cards_face_up"]
    for number, seat in round_.seats.items():
        folded = seat if seat.abandoned else replace(seat, decisions=FOLDS)
        told = told_of_cards(round_.submission, folded, round_.board, round_.dealer if dealt else (), round_.six_card)
        lines = pay_lines(round_.submission, without_cards(folded), told)
        assert [line for line in lines if line.wager in still] == [
            each for each in settled.payments if each.seat == number and each.wager in still
        ]


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


BOARD = "Ah Kh 9h 8d 3s"
SIX = "Ks Kd 4h 5c"
ALL_SIDES = "ante 5.00, blind 5.00, trips 5.00, bad beat bonus 5.00, six card bonus 5.00"
POCKET = "ante 5.00, odds 5.00, pocket bonus 5.00"
SUPER = "ante 5.00, super 5.00"


@pytest.mark.parametrize(
    ("rules", "line", "board", "dealer", "wanted"),
    [
        # 653a.11(h), (j), (m): two pair against a pair; the Six Card bonus from the two cards and the four in the box.
        (
            PA,
            f"As 9d | {ALL_SIDES} | plays 10.00 flop",
            BOARD,
            "8c 7d",
            Told(qualifies=True, result="higher", hand="two pair", dealer_hand="pair"),
        ),
        (
            PA,
            f"Kc 2c | {ALL_SIDES} | plays 10.00 flop",
            BOARD,
            "Qc Js",
            Told(
                qualifies=False,
                result="higher",
                hand="pair",
                dealer_hand="high card",
                side={"six_card_bonus": "three of a kind"},
            ),
        ),
        # 653a.11(f)(2): a folded hand is not compared, and is named for its Trips.
        (
            PA,
            f"As Ad | {ALL_SIDES} | folds",
            BOARD,
            "8c 7d",
            Told(qualifies=True, hand="three of a kind", dealer_hand="pair"),
        ),
        # 653a.13: a void round leaves what it leaves; a board alone is nobody's hand; an unknown dealer's may be any.
        (PA, f"As Ad | {ALL_SIDES} | folds", BOARD, "", Told(qualifies=True, hand="three of a kind")),
        (PA, f"As Ad | {ALL_SIDES} | folds", "Ah Kh 9h", "", Told(qualifies=True, hand="three of a kind")),
        (PA, f"As Ad | {ALL_SIDES} | folds", "", "8c 7d", Told(qualifies=True)),
        (
            PA,
            f"Kc 2c | {ALL_SIDES} | folds",
            "Ah Kh 9h",
            "8c 7d",
            Told(qualifies=False, hand="pair", dealer_hand="high card"),
        ),
        (PA, f" | {ALL_SIDES} | folds", BOARD, "8c 7d", Told(qualifies=True, dealer_hand="pair")),
        (PA, f"As Ad | {ALL_SIDES} | plays 10.00 flop", BOARD, "", Told(qualifies=True, hand="three of a kind")),
        # 677a.11(i)(1): two cards make a Pocket Bonus, one makes none.
        (HEADS_UP, f"As Ad | {POCKET} | folds", "", "", Told(qualifies=True, side={"pocket_bonus": "pair of aces"})),
        (HEADS_UP, f"As 9d | {POCKET} | folds", "", "", Told(qualifies=True)),
        (HEADS_UP, f"As | {POCKET} | folds", "", "", Told(qualifies=True)),
        (
            HEADS_UP,
            f"Ac Qc | {POCKET} | raises 5.00 river",
            BOARD,
            "As Qs",
            Told(
                qualifies=True,
                result="equal",
                hand="pair",
                dealer_hand="pair",
                side={"pocket_bonus": "ace and king, queen or jack, same suit"},
            ),
        ),
        # 671a.6(b)(10), .11(f): ace-king qualifies; reading 7: the pair and, with its other cards, an ace-king.
        (
            LUNAR,
            f"Ah Kd 9c 9d 2h | {SUPER} | bets",
            "",
            "As Kc 8h 7d 2s",
            Told(qualifies=True, result="higher", hand="pair", dealer_hand="ace-king", second="ace-king"),
        ),
        (
            LUNAR,
            f"Ah Qd 9c 7c 2h | {SUPER} | bets",
            "",
            "As Jc 8h 7d 2s",
            Told(qualifies=False, result="higher", hand="high card", dealer_hand="high card"),
        ),
        # 671a.11(d)(1): six cards after one was bought, of which five are the hand and the sixth makes a second one.
        (
            LUNAR,
            f"Ah Kd 9c 9d 9h 9s | {SUPER} | bets",
            "",
            "As Ac 8h 7d 2s",
            Told(qualifies=True, result="higher", hand="four of a kind", dealer_hand="pair", second="ace-king"),
        ),
        # 671a.11(c)(3)
        (
            LUNAR,
            f"9h Th Jh Qh Kh | {SUPER} | takes the instant payout",
            "",
            "As Ac 8h 7d 2s",
            Told(qualifies=True, hand="straight flush", dealer_hand="pair", side={"instant": "straight flush"}),
        ),
        (LUNAR, f"Ah Kd 9c | {SUPER} | folds", "", "", Told(qualifies=True)),
    ],
)
def test_the_cards_say_what_a_dealer_would(
    rules: dict[str, Any], line: str, board: str, dealer: str, wanted: Told
) -> None:
    """The Six Card box is dealt after the board."""
    written = seat_object(line)
    cards = written["cards"]
    written["cards"] = cards[:5]
    round_ = parse_round(
        {"rules": rules, "seats": {"1": written}, "irregularity": {"kind": "incorrect_number_of_cards"}}
    )
    submission, seat = round_.submission, replace(round_.seats[1], cards=tuple(cards))
    on_board, dealers = tuple(board.split()), tuple(dealer.split())
    six_card = tuple(SIX.split()) if board == BOARD else ()
    assert told_of_cards(submission, seat, on_board, dealers, six_card) == wanted
    qualifies = bool(wanted.dealer_hand) and wanted.qualifies
    assert dealer_of_cards(submission, on_board, dealers) == (wanted.dealer_hand, qualifies)


def test_the_rows_of_a_wager_stand_highest_first() -> None:
    rules = parse_submission(PA)
    assert rows(rules, "blind") == ("royal flush", "straight flush", "four of a kind", "full house", "flush")
    assert rows(rules, "five_card_dealer") == ("royal flush", "straight flush", "four of a kind", "full house", "flush")
    assert rows(rules, "progressive")[0] == "royal flush"
    lunar = parse_submission(LUNAR)
    assert rows(lunar, "super:4") == rows(lunar, "super:dealer") == rows(lunar, "super")
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
        (PA, PLAYS, PLAY._replace(hand="big flush"), "hand"),
        (PA, PLAYS, PLAY._replace(dealer_hand="good"), "dealer_hand"),
        (PA, PLAYS, PLAY._replace(side={"trips": "flush"}), "side.trips"),
        (PA, EVERYTHING + " folds", PLAY._replace(side={"six_card_bonus": "two pair"}), "six_card_bonus"),
        (LUNAR, BETS + " bets", Told(qualifies=True, result="higher"), "hand"),
        (LUNAR, BETS + " bets", Told(qualifies=True, result="higher", hand="high card"), "hand"),
        (LUNAR, BETS + " bets", PLAY._replace(hand="pair", second="high card"), "second"),
        (LUNAR, BETS + " bets", PLAY._replace(hand="pair", side={"super:3": "flush"}), "side.super:3"),
        (LUNAR, BETS + " bets", PLAY._replace(hand="pair", side={"super:2": "royal flush"}), "super:2"),
        (
            LUNAR,
            "Tc Jc Qc Kc 9c | ante 5.00, super 5.00 | takes the instant payout",
            Told(qualifies=True),
            "instant",
        ),
    ],
)
def test_a_missing_or_unknown_answer_is_refused_before_anything_is_paid(
    rules: dict[str, Any], line: str, told: Told, at: str
) -> None:
    with pytest.raises(Refusal) as refused:
        pay_lines(parse_submission(rules), seat_of(rules, line), told)
    assert refused.value.at == at


def test_a_seat_that_has_not_decided_is_not_paid() -> None:
    undecided = replace(seat_of(LUNAR, BETS + " bets"), decisions=())
    with pytest.raises(Refusal, match="seat 1 has not decided yet"):
        pay_lines(parse_submission(LUNAR), undecided, Told(qualifies=False))
