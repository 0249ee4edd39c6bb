"""Who plays, who has left, and bets that are opened again: section .7 of the books, at every table that it concerns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from firmware.rules.payment import Payment
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.submission import parse_submission
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.inputs import ButtonPushed
from firmware.wire.structs import replace
from tests.table.procedures.walks import BOOKS, at_ask, at_deal, betting, buys_in, leaves, lines_of, refuses, tells
from tests.table.table import DEALER, DIAZ, MS, RULES, TECHNICIAN, Dealer, Table, house_of
from ui.words import ENGLISH

PROGRESSIVE = ("pa-653a", "md-36.05.16")

# .7(b), Maryland .07C(2): "may be considered abandoned and may be treated as losing" ----------------------------------


def signs_left(table: Table, dealer: Dealer, seat: int) -> None:
    """Nobody but a floorperson has a player's wagers treated as losing; then the journal names him."""
    dealer.presses("problem", "problem left")
    for badge in ("", DEALER, TECHNICIAN):
        dealer.sees_no(*([f"left {seat}"] if not badge else []), by=badge)
        table.press(f"left {seat}", badge)
        assert not table.state.seat(seat).left, f"signed by {badge or 'nobody'}"
    dealer.presses(f"left {seat}", by=DIAZ)
    assert table.last(e.SeatAbandoned).by == DIAZ and table.state.seat(seat).left
    if table.panel:
        dealer.presses("back")


@pytest.mark.parametrize("book", BOOKS)
def test_7b_wagers_are_treated_as_losing_by_a_floorpersons_word(book: str) -> None:
    table, dealer = at_deal(book, 1, 2)
    signs_left(table, dealer, 2)
    while table.undo_is_lit:
        dealer.presses("undo")
    assert table.state.seat(2).left, "what was signed is not undone"
    table.restarts()
    leaves(dealer, 2)
    assert not table.state.seat(2).left, "the floor says otherwise"


@pytest.mark.parametrize("book", BOOKS)
def test_7b_from_the_deal_to_the_seats_turn(book: str) -> None:
    table, dealer = at_ask(book, 1, 2, 3)
    signs_left(table, dealer, 3)
    while table.phase == "ask":
        dealer.presses("next")
    if table.phase == "supers":
        dealer.presses("supers-settled")
    assert table.phase == "reveal"
    signs_left(table, dealer, 2)
    dealer.presses("dealer yes")
    assert table.phase == "settle" and table.state.round.turn == 1
    signs_left(table, dealer, 1)


def test_7b_671a_who_leaves_before_his_cards_are_drawn_neither_bets_nor_folds() -> None:
    """DRAW: nobody has to answer for a player who has gone; the fee is collected, the rest is lost."""
    table, dealer = at_ask("pa-671a", 1, 2, 3)
    for seat in (1, 2):
        dealer.presses(f"seat {seat}", "choose buy")
    dealer.presses("next", "supers-settled")
    assert table.phase == "draw" and table.state.round.turn == 1
    signs_left(table, dealer, 1)
    assert table.phase == "draw" and table.state.round.turn == 2
    leaves(dealer, 1)
    assert table.state.round.turn == 1, "he is here after all, and draws"
    leaves(dealer, 1)
    signs_left(table, dealer, 2)
    assert table.phase == "reveal", "nobody is left to draw"
    dealer.presses("problem", "problem left")
    table.press("left 2", DIAZ)
    assert table.state.seat(2).left and "the draws are over" in table.notice
    dealer.presses("back", "dealer yes")
    cites = {line.wager: line.cite for line in table.state.seat(1).position.lines}
    assert cites == {"super": "671a.11(c)(1)", "options_fee": "671a.11(d)(1)", "ante": "671a.7(b)"}
    assert lines_of(table, 1)["ante"] == ("lose", 0, 0)


# .7(c), .7(d) of 671a, Maryland .07E: no wager after "no more bets" ---------------------------------------------------


def signs_reopen(table: Table, dealer: Dealer) -> None:
    """A floorperson has bets opened again, and says why."""
    dealer.presses("reopen")
    assert table.phase in ("deal", "count") and table.panel == "reopen"
    for badge in ("", DEALER):
        table.press("reopen too-early", badge)
        assert table.phase != "open"
    table.press("reopen for-fun", DIAZ)
    assert table.phase != "open" and table.notice == "Choose a reason."
    dealer.presses("reopen too-early", by=DIAZ)
    assert table.phase == "open"
    reopened = table.last(e.BetsReopened)
    assert (reopened.by, reopened.reason) == (DIAZ, "too-early")


@pytest.mark.parametrize("book", ["pa-671a", "pa-677a"])
def test_7c_where_nothing_is_counted_bets_are_opened_again_by_the_floor(book: str) -> None:
    table, dealer = betting(book, 1, 2)
    dealer.presses("no-more-bets")
    assert table.phase == "deal"
    signs_reopen(table, dealer)
    dealer.presses("no-more-bets")
    signs_reopen(table, dealer)


@pytest.mark.parametrize("book", PROGRESSIVE)
def test_7c_before_the_count_agrees_the_dealer_takes_the_lock_back_after_it_the_floor(book: str) -> None:
    table, dealer = betting(book, 1, 2, lit=(1,))
    dealer.presses("no-more-bets", "reopen")
    assert table.phase == "open" and table.last(e.BetsReopened).reason == ""
    table.seats(1).lift()
    dealer.presses("no-more-bets")
    assert table.phase == "deal", "nothing is counted: from the lock on it is the floor's"
    signs_reopen(table, dealer)
    table.seats(1).place()
    dealer.presses("no-more-bets", "reopen")
    assert table.phase == "open", "another lock, and nothing was counted since"


@pytest.mark.parametrize("book", PROGRESSIVE)
@pytest.mark.parametrize("bank_hears_at_once", [True, False])
def test_7c_wagers_that_went_to_the_bank_go_back_with_the_lock_and_are_told_again(
    book: str, bank_hears_at_once: bool
) -> None:
    """One signature, one transaction: bets are open, and the bank is owed the way back; then the count as it stands."""
    table, dealer = at_deal(book, 1, 2, lit=(1,))
    if bank_hears_at_once:
        table.bank.listens()
    signs_reopen(table, dealer)
    last = table.owed[-1]
    assert (last.kind, last.body["round"]) == ("reversal", table.state.round.number)
    assert last.body["reason"] == table.house.procedure.cite("after no more bets")
    table.seats(1, 2).place()
    table.restarts()
    dealer.presses("no-more-bets", "count 2")
    assert [(one.kind, one.made) for one in table.owed] == [
        ("wagers", {"progressive": [1]}),
        ("reversal", {}),
        ("wagers", {"progressive": [1, 2]}),
    ]
    assert table.phase == "deal"
    table.bank.listens()
    dealer.presses("problem", "problem face-up")
    dealer.presses("apply", by=DIAZ)
    assert [one.kind for one in table.owed][3:] == ["reversal"], "a void round takes back what stands, once"


@pytest.mark.parametrize("book", PROGRESSIVE)
def test_7c_without_a_wager_at_the_next_count_the_bank_is_owed_nothing_more(book: str) -> None:
    """The chips are in the rack: with the lock each seat gives up its lamp, and lays its chip again or does not."""
    table, dealer = at_deal(book, 1, 2, lit=(1,))
    table.seats(1).lift()
    signs_reopen(table, dealer)
    assert table.state.wagers == ()
    dealer.presses("no-more-bets")
    assert table.phase == "deal" and [one.kind for one in table.owed] == ["wagers", "reversal"]
    signs_reopen(table, dealer)
    assert [one.kind for one in table.owed] == ["wagers", "reversal"], "nothing stands that could go back"


@pytest.mark.parametrize("book", BOOKS)
def test_7c_after_the_first_answer_nobody_opens_bets_again(book: str) -> None:
    """Nor after UNDO has led back to the deal, or to the count: the cards may have been seen."""
    table, dealer = at_ask(book, 1, 2)
    dealer.sees_no("reopen")
    while table.undo_is_lit:
        dealer.presses("undo")
        if table.phase in ("deal", "count"):
            dealer.sees_no("reopen")
            assert "Cards may be out" in refuses(table, "reopen too-early", DIAZ)
    assert table.phase in ("deal", "count")


@pytest.mark.parametrize("book", PROGRESSIVE)
def test_7c_at_level_0_nobody_opens_bets_again_once_the_count_agreed(book: str) -> None:
    table, dealer = betting(book, level=0)
    dealer.presses("no-more-bets")
    assert "Cards may be out" in refuses(table, "reopen too-early", DIAZ)
    dealer.sees_no("reopen")
    assert "Cards may be out" in refuses(table, "reopen")


# .7(d)(3), (4), Maryland .07F(3)(a): "After placing the Ante and Blind wagers" ----------------------------------------


@pytest.mark.parametrize("book", PROGRESSIVE)
@pytest.mark.parametrize("level", [1, 2])
def test_7d3_nobody_is_taken_to_have_laid_an_ante(book: str, level: int) -> None:
    """Chips and lamps agree, but one lit seat has no Ante: it is asked about before a card is dealt."""
    table, dealer = betting(book, 1, lit=(1, 3), level=level)
    dealer.presses("no-more-bets")
    assert table.state.players == (1,)
    dealer.presses("count 2")
    assert table.phase == "difference" and "Seat 3 is lit and has no ante." in table.words()
    table.restarts()
    dealer.sees_no("seat 9", "settle taken-back")
    dealer.presses("seat 3")
    dealer.sees_no("settle taken-back", "settle no-chip", "settle second-chip")
    dealer.presses("settle no-ante")
    assert table.phase == "deal" and table.lit == (1,) and table.state.players == (1,)
    assert ENGLISH(table.last(e.DifferenceSettled).reason) == "no ante was placed before it, returned"
    assert table.owed[-1].made == {"progressive": [1]}


@pytest.mark.parametrize("book", PROGRESSIVE)
@pytest.mark.parametrize("level", [0, 1, 2])
def test_7d3_a_wager_that_was_returned_before_the_count(book: str, level: int) -> None:
    table, dealer = betting(book, 1, lit=(1, 3), level=level)
    dealer.presses("no-more-bets", "count 1", "seat 3", "settle no-ante")
    assert table.phase == "deal" and table.lit == (1,)
    settled = table.last(e.DifferenceSettled)
    assert (settled.seat, settled.outcome) == (3, "no chip")
    assert table.owed[-1].made == {"progressive": [1]}


@pytest.mark.parametrize("book", PROGRESSIVE)
def test_7d3_an_ante_that_lies_there_and_was_not_entered(book: str) -> None:
    table, dealer = betting(book, 1, lit=(1, 3))
    dealer.presses("no-more-bets", "count 2", "seat 3", "box 3")
    assert table.phase == "deal" and table.state.players == (1, 3) and table.lit == (1, 3)
    assert table.state.seat(3).position.stakes == table.state.seat(1).position.stakes


@pytest.mark.parametrize("book", PROGRESSIVE)
def test_7d3_who_has_an_ante_is_not_asked_and_cannot_be_without(book: str) -> None:
    table, dealer = betting(book, 1, 3, lit=(1, 3))
    dealer.presses("no-more-bets", "count 1", "seat 3")
    dealer.sees_no("settle no-ante", "box 3")
    refuses(table, "settle no-ante")
    refuses(table, "box 3")


def test_7d4_a_five_card_hand_wager_without_an_ante_is_in_its_account_again() -> None:
    table, dealer = betting("pa-653a", 1, five_card=True)
    buys_in(dealer, 3, 500)
    table.hears(ButtonPushed(3, "own", table.now * MS))
    dealer.presses("no-more-bets", "count 0")
    assert table.phase == "difference" and table.state.felt.accounts[2] == 400
    dealer.presses("seat 3", "settle no-ante")
    assert table.phase == "deal" and table.state.felt.accounts[2] == 500 and not table.state.seat(3).five_card
    assert not table.owed, "the bank hears of no wager"


# .7(e), .12(f): adjacent boxes of one player --------------------------------------------------------------------------


def boxes(book: str, most: int, **rules: Any) -> House:
    """A table where one player may bet at so many adjacent boxes."""
    base = {"book": book, "table_minimum": "15.00", **RULES[book], "adjacent_boxes": most, **rules}
    return replace(house_of(book=book, level=1), submission=parse_submission(base))


def joins(dealer: Dealer, seat: int) -> None:
    dealer.presses("stakes", f"stakes {seat}", f"same-player {seat}", "back")


@pytest.mark.parametrize("book", ["pa-653a", "pa-677a"])
def test_7e_the_boxes_of_one_player_are_adjacent_and_as_many_as_are_filed(book: str) -> None:
    table, dealer = betting(book, 1, 2, 3, 5, house=boxes(book, 2))
    joins(dealer, 2)
    assert [seat.player for seat in table.state.round.seats] == ["1", "1", "", "", "", ""]
    dealer.presses("stakes", "stakes 3")
    assert "2 adjacent seats at most" in refuses(table, "same-player 3")
    dealer.presses("stakes 5")
    dealer.sees_no("same-player 5")
    refuses(table, "same-player 5")
    dealer.presses("stakes 2", "same-player 2", "stakes 3", "same-player 3", "back")
    assert [seat.player for seat in table.state.round.seats] == ["", "2", "2", "", "", ""]
    table.restarts()
    dealer.presses("box 3", "box 3")
    assert table.state.seat(3).player == "", "who sits down there is somebody else"
    dealer.presses("undo", "undo", "no-more-bets")
    assert [seat.player for seat in table.state.round.seats] == ["", "2", "2", "", "", ""]
    if table.phase == "count":
        dealer.presses("count 0")
    assert "PROBLEM has the floor" in refuses(table, "same-player 2"), "after the lock nobody changes places alone"


def test_11k5_where_only_the_own_other_box_made_a_progressive_wager_the_refusal_says_so() -> None:
    """653a.11(k)(5): "not entitled to an Envy Bonus for his own hand". The seat is refused for that reason, not another."""
    table, dealer = betting("pa-653a", 1, 3, 4, lit=(3,))
    joins(dealer, 4)
    dealer.presses("no-more-bets", "count 1", "next", "next", "next", "dealer yes")
    assert refuses(table, "envy 4 straight flush") == (
        "Seat 4: only its own player made a progressive wager. No envy for an own hand."
    )
    assert refuses(table, "envy 2 straight flush") == "Seat 2 has no progressive wager."


@pytest.mark.parametrize("book", BOOKS)
def test_7e_one_box_a_player_has_no_such_key(book: str) -> None:
    house = boxes(book, 1) if book in ("pa-653a", "pa-677a") else None
    table, dealer = betting(book, 1, 2, house=house)
    dealer.presses("stakes", "stakes 2")
    dealer.sees_no("same-player 2")
    refuses(table, "same-player 2")


def test_7e_in_the_next_round_the_same_person_sits_there() -> None:
    table, dealer = betting("pa-677a", 1, 2, 4, house=boxes("pa-677a", 2))
    joins(dealer, 2)
    dealer.presses("no-more-bets")
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("clear")
    assert table.phase == "open" and [seat.player for seat in table.state.round.seats][:2] == ["1", "1"]


@pytest.mark.parametrize("same", [False, True])
def test_12f_the_limit_is_one_over_all_boxes_of_a_player(same: bool) -> None:
    """677a.12(f): what the table pays is what `felt settle` pays for the same boxes."""
    house = boxes("pa-677a", 2, payout_limit="50000.00")
    table, dealer = betting("pa-677a", 1, 2, house=house, sides={1: {"ante": 300_00}, 2: {"ante": 300_00}})
    if same:
        joins(dealer, 2)
    dealer.presses("no-more-bets", "dealt", "next", "next")
    dealer.presses("next", "dealer yes", "answer higher", "answer royal flush")
    if table.state.round.turn == 2:
        dealer.presses("settled")
    dealer.presses("answer higher", "answer straight flush", "settled", "clear")
    limit = house.submission.book.limit
    assert limit is not None
    paid = {
        number: sum(line.payout for line in settled(table, number) if line.wager in limit.covers) for number in (1, 2)
    }
    ante = table.state.seat(1).position.base
    assert ante == 315_00 and paid[2] == 50_000_00
    assert paid[1] == (0 if same else min(50_000_00, 52 * ante))
    assert all(line.limited for line in settled(table, 1) if line.wager == "odds") == same
    assert_as_settled(house, table, same)


IN_HALF_ANTES = {"lower": 0, "flush": 7, "straight flush": 104, "royal flush": 1004}
"""What a box wins that no limit cuts: ante and raise at even money, and the Odds (677a.12(a), (b))."""


@pytest.mark.parametrize("anew", ["lower", "flush", "royal flush"])
@pytest.mark.parametrize("corrected", [1, 2, 3])
@pytest.mark.parametrize("first", [("royal flush", "straight flush", "flush"), ("flush", "lower", "straight flush")])
@pytest.mark.parametrize("turned", [0, 1, 2])
@pytest.mark.slow
def test_12f_after_a_correction_the_player_has_what_the_limit_lets_through(
    first: tuple[str, ...], turned: int, corrected: int, anew: str
) -> None:
    """677a.12(f): "aggregate payout limit per player per round of play". Whoever was not cut is left alone."""
    told = dict(enumerate((*first[turned:], *first[:turned]), start=1))
    if anew == "royal flush" and anew in (hand for seat, hand in told.items() if seat != corrected):
        pytest.skip("one royal flush a board (677a.12(b))")
    house = boxes("pa-677a", 3, payout_limit="50000.00")
    table, dealer = betting("pa-677a", 1, 2, 3, house=house, sides={seat: {"ante": 300_00} for seat in told})
    joins(dealer, 2)
    joins(dealer, 3)
    dealer.presses("no-more-bets", "dealt", "next", "next", "next", "dealer yes")
    for seat in (3, 2, 1):
        is_settled(table, dealer, told[seat])
    cut = {seat for seat in told if any(line.limited for line in table.state.seat(seat).position.final)}
    assert paid_to_player(table) == within_the_limit(told)
    dealer.presses("problem", "problem correct", f"correct {corrected}")
    dealer.presses(f"correct {corrected} wrong-result", by=DIAZ)
    count = len(table.happened)
    is_settled(table, dealer, anew)
    while table.state.round.turn:
        table.restarts()
        assert table.offers("settled"), "nothing is asked again"
        dealer.presses("settled")
    again = [event.seat for event in table.happened[count:] if isinstance(event, e.LimitReopened)]
    assert {*again} <= cut - {corrected} and again == sorted({*again}, reverse=True)
    assert paid_to_player(table) == within_the_limit({**told, corrected: anew})
    assert not any(seat.position.undone for seat in table.state.round.seats)
    dealer.presses("clear")


def is_settled(table: Table, dealer: Dealer, hand: str) -> None:
    """The seat in turn wins with this hand, or loses; and is paid."""
    dealer.presses("answer lower" if hand == "lower" else "answer higher")
    if table.offers(word := "answer none" if hand == "lower" else f"answer {hand}"):
        dealer.presses(word)
    dealer.presses("settled")


def within_the_limit(told: Mapping[int, str]) -> int:
    return min(50_000_00, sum(IN_HALF_ANTES[hand] * 315_00 // 2 for hand in told.values()))


def paid_to_player(table: Table) -> int:
    """What the player of boxes 1 to 3 was paid."""
    return sum(line.payout for seat in (1, 2, 3) for line in table.state.seat(seat).position.final)


def settled(table: Table, number: int) -> tuple[Payment, ...]:
    """What was paid at a seat's turn."""
    return next(one.lines for one in reversed(table.happened) if isinstance(one, e.SeatSettled) and one.seat == number)


def assert_as_settled(house: House, table: Table, same: bool) -> None:
    ante = {"ante": "315.00", "odds": "315.00"}
    seat = {"wagers": ante, "decision": {"at": "river", "wager": "315.00"}, **({"player": "A"} if same else {})}
    rules = {"book": "pa-677a", "table_minimum": "15.00", **RULES["pa-677a"]}
    rules |= {"adjacent_boxes": 2, "payout_limit": "50000.00"}
    round_ = {
        "rules": rules,
        "cards": {"board": ["Th", "Jh", "Qh", "2c", "2d"], "dealer": ["3s", "4d"]},
        "seats": {"1": {**seat, "cards": ["9h", "8h"]}, "2": {**seat, "cards": ["Ah", "Kh"]}},
    }
    law = settle(parse_round(round_)).payments
    at_the_table = [line for number in (2, 1) for line in settled(table, number)]
    assert [(one.seat, one.wager, one.payout, one.limited) for one in at_the_table] == [
        (one.seat, one.wager, one.payout, one.limited) for one in law
    ]
