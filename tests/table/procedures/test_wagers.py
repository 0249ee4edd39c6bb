"""Wagers: 653a.7, 36.05.16.07, 671a.7, 677a.7. Which ones, on what they depend, and who leaves."""

from __future__ import annotations

import pytest

from firmware.rules.submission import parse_submission
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.inputs import ButtonPushed
from firmware.table.jackpot import adjacent
from firmware.wire.reports import AccountMove
from firmware.wire.structs import replace
from tests.table.procedures.walks import (
    BOOKS,
    Stakes,
    at_ask,
    at_deal,
    at_reveal,
    betting,
    buys_in,
    decides,
    edits,
    leaves,
    lines_of,
    locks,
    refuses,
    since,
    stakes,
)
from tests.table.table import OKAFOR, RULES, Dealer, Table, house_of
from ui.words import ENGLISH

SECOND = {"pa-653a": "blind", "md-36.05.16": "blind", "pa-671a": "super", "pa-677a": "odds"}
every_book = pytest.mark.parametrize("book", BOOKS)


def offered(house: House, seat: int) -> tuple[str, ...]:
    """The wagers that a dealer can enter for a seat."""
    return house.game.offered(house.submission, seat)


# Who leaves: .7(b) --------------------------------------------------------------------------------------------------

SIDES: dict[str, Stakes] = {
    "pa-653a": {2: {"trips": 500, "bad_beat_bonus": 500, "six_card_bonus": 500}},
    "md-36.05.16": {2: {"trips": 500, "six_card_bonus": 500}},
    "pa-671a": {},
    "pa-677a": {2: {"pocket_bonus": 500, "trips_plus": 500}},
}


@every_book
def test_7_a_player_who_leaves_has_abandoned_his_wagers(book: str) -> None:
    """Every wager of seat 2 loses, bonus wagers too; the other seats are settled as if nobody had left."""
    table, dealer = at_ask(book, 2, 4, sides=SIDES[book])
    leaves(dealer, 2)
    if book == "pa-671a":
        dealer.presses("next", "supers-settled", "dealer yes")
    else:
        assert refuses(table, "seat 2") == "Seat 2 is not asked here."
        dealer.presses("next", "next", "next", "dealer yes")
    lines = lines_of(table, 2)
    assert set(lines) >= {wager for wager, _ in table.state.seat(2).position.stakes}
    assert set(lines.values()) == {("lose", 0, 0)}
    assert table.state.round.turn == 4 and table.state.seat(2).position.settled


@every_book
def test_7_a_player_who_is_back_is_settled_as_usual(book: str) -> None:
    """Said of the wrong seat and taken back before its turn: what he had decided stands again."""
    table, dealer = at_ask(book, 2)
    if book == "pa-671a":
        dealer.presses("seat 2", "choose bet")
        leaves(dealer, 2)
        leaves(dealer, 2)
        dealer.presses("next", "supers-settled", "dealer yes")
    else:
        decides(table, dealer, 2, "play", 3)
        leaves(dealer, 2)
        leaves(dealer, 2)
        dealer.presses("next")
        assert table.phase == "reveal"  # he had raised before the flop: he is not asked again
        leaves(dealer, 2)
        leaves(dealer, 2)
        dealer.presses("dealer yes")
    dealer.presses("answer equal", "settled")
    assert lines_of(table, 2)["ante"] == ("push", 1500, 0)
    times = 2 if book == "pa-671a" else 3
    assert [line.stake for line in table.state.seat(2).position.final if line.wager in ("play", "raise", "bet")] == [
        1500 * times
    ]


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_7_who_leaves_while_his_seat_is_settled_is_paid_nothing(book: str) -> None:
    """The answers stood for a win; he is gone before he is paid."""
    table, dealer = at_reveal(book, 3, lit=(3,))
    dealer.presses("dealer yes", "answer higher", "answer flush")
    leaves(dealer, 3)
    assert refuses(table, "seat 3") == "The player of seat 3 has left."
    dealer.presses("settled")
    assert {result for result, _, _ in lines_of(table, 3).values()} == {"lose"}
    dealer.presses("clear")
    assert table.state.players == ()  # nobody sits there in the next round


# No more bets: .7(c) ------------------------------------------------------------------------------------------------


@every_book
def test_7_nothing_changes_after_no_more_bets(book: str) -> None:
    """No seat comes in or goes out and no stake changes, from the lock until the round is settled."""
    table, dealer = betting(book, 2, 3)
    words = ("box 1", "box 2", "stakes 2", "chips 500", "no-chips", "account 2")
    walk = {"pa-671a": ("dealt", "next", "supers-settled", "dealer yes")}.get(
        book, ("dealt", "next", "next", "next", "dealer yes")
    )
    lies = [seat.position.stakes for seat in table.state.round.seats]
    dealer.presses("no-more-bets")
    steps = ("count 0", *walk) if table.phase == "count" else walk
    for step in steps:
        for word in words:
            refuses(table, word)
        dealer.presses(step)
    assert [seat.position.stakes for seat in table.state.round.seats] == lies


# The wagers of a table: .7(d), 671a.7(c) ----------------------------------------------------------------------------

OFFERED = {
    "pa-653a": ("ante", "trips", "bad_beat_bonus", "six_card_bonus"),
    "md-36.05.16": ("ante", "trips", "six_card_bonus"),
    "pa-671a": ("ante", "super", "super:dealer", "super:2", "super:3", "super:4", "super:5"),
    "pa-677a": ("ante", "pocket_bonus", "trips_plus"),
}


@every_book
def test_7_a_table_asks_for_the_wagers_of_its_submission(book: str) -> None:
    """Those and no others; the ante stands at the table minimum and takes its companion along."""
    table, dealer = betting(book, 1)
    assert offered(table.house, 1) == OFFERED[book]
    everything = {wager for wagers in OFFERED.values() for wager in wagers}
    for wager in sorted(everything - set(OFFERED[book])):
        assert refuses(table, f"stakes 1 {wager}") == "There is no such wager at this table."
    assert dict(table.state.seat(1).position.stakes) == {"ante": 1500, SECOND[book]: 1500}
    edits(dealer, 1)
    dealer.presses("chips 500", "chips 500")
    assert dict(table.state.seat(1).position.stakes) == {"ante": 2500, SECOND[book]: 2500}
    dealer.presses("no-chips")
    assert dict(table.state.seat(1).position.stakes)["ante"] == 1500


def filed(book: str, *without: str) -> House:
    """The house of these tests with some sections left out of its submission."""
    rules = {key: value for key, value in RULES[book].items() if key not in without}
    submission = parse_submission({"book": book, "table_minimum": "15.00", **rules})
    return replace(house_of(book=book, level=1), submission=submission)


@pytest.mark.parametrize(
    ("book", "wager"),
    [
        ("pa-653a", "bad_beat_bonus"),
        ("pa-653a", "six_card_bonus"),
        ("md-36.05.16", "six_card_bonus"),
        ("pa-677a", "pocket_bonus"),
        ("pa-677a", "trips_plus"),
    ],
)
def test_7_what_is_not_filed_is_not_asked_for(book: str, wager: str) -> None:
    """(d): each optional wager only "if specified in its Rules Submission"."""
    house = filed(book, wager, "progressive")
    assert wager not in offered(house, 1) and wager in offered(house_of(book=book, level=1), 1)
    table, _ = betting(book, 1, house=house)
    assert refuses(table, f"stakes 1 {wager}") == "There is no such wager at this table."


NEEDS = [
    ("pa-653a", "bad_beat_bonus", "trips", "653a.7(d)(6)"),
    ("md-36.05.16", "six_card_bonus", "trips", "36.05.16.07F(4)(b)"),
]


@pytest.mark.parametrize(("book", "wager", "first", "cite"), NEEDS)
def test_7_a_wager_without_the_one_it_needs_is_refused(book: str, wager: str, first: str, cite: str) -> None:
    """The screen names the wager that is missing; with it, it stands; and that one is not taken away under it."""
    table, dealer = betting(book, 2)
    edits(dealer, 2, wager)
    notice = refuses(table, "chips 500")
    assert f"is made with {first.title()} only" in notice and cite in notice
    dealer.presses("back")
    stakes(dealer, 2, first, 500)
    stakes(dealer, 2, wager, 500)
    assert {first, wager} <= set(dict(table.state.seat(2).position.stakes))
    edits(dealer, 2, first)
    assert cite in refuses(table, "no-chips")


def test_7_the_six_card_bonus_needs_only_an_ante_in_pennsylvania() -> None:
    """653a.7(d)(5): it has no bearing on another wager."""
    table, dealer = betting("pa-653a", 2)
    stakes(dealer, 2, "six_card_bonus", 500)
    assert dict(table.state.seat(2).position.stakes)["six_card_bonus"] == 500


@every_book
def test_7_a_bonus_wager_brings_its_ante_along(book: str) -> None:
    """(d)(1): nobody has a bonus wager without ante and companion; chips on an empty place put them up."""
    table, dealer = betting(book)
    side = {"pa-671a": "super"}.get(book, OFFERED[book][1])
    stakes(dealer, 3, side, 2500)
    lies = dict(table.state.seat(3).position.stakes)
    assert lies["ante"] == 1500 and lies[SECOND[book]] == (2500 if side == "super" else 1500) and lies[side] == 2500


def test_7_a_super_is_never_less_than_the_ante() -> None:
    """671a.7(c)(2): it rises with the ante, and taken away it is the ante again."""
    table, dealer = betting("pa-671a", 2)
    stakes(dealer, 2, "ante", 500, 500)
    stakes(dealer, 2, "super", 500)
    assert dict(table.state.seat(2).position.stakes) == {"ante": 2500, "super": 3000}
    stakes(dealer, 2, "super")
    assert dict(table.state.seat(2).position.stakes) == {"ante": 2500, "super": 2500}


def test_7_supers_on_other_hands_as_filed() -> None:
    """671a.7(c)(3): from the table minimum up, on a hand that will be dealt; not offered where it is not filed."""
    table, dealer = betting("pa-671a", 2, 4)
    edits(dealer, 2, "super:4")
    dealer.presses("chips 500")
    assert dict(table.state.seat(2).position.stakes)["super:4"] == 1500, "the least that may lie there"
    dealer.presses("chips 500", "chips 500", "back")
    stakes(dealer, 2, "super:dealer", 2500)
    assert dict(table.state.seat(2).position.stakes)["super:4"] == 2500
    edits(dealer, 2, "super:3")
    assert "3" in refuses(table, "chips 2500")  # nobody plays there
    dealer.presses("back", "box 4")  # and nobody backs a hand whose player has got up
    assert "super:4" not in dict(table.state.seat(2).position.stakes)
    assert not any(wager.startswith("super:") for wager in offered(filed("pa-671a", "super_on_others"), 2))


# Five Card Hand: 653a.7(d)(4) ---------------------------------------------------------------------------------------


def pushes(table: Table, seat: int, hand: str) -> None:
    table.hears(ButtonPushed(seat, hand, table.now * 1_000_000))


def test_7_five_card_hand_has_two_buttons_and_an_account() -> None:
    """Own hand, dealer's hand, or both; a push takes the wager from the account, another one gives it back."""
    table, dealer = betting("pa-653a", 2, five_card=True)
    pushes(table, 2, "own")
    assert ENGLISH(table.last(e.ButtonIgnored).why) == "the account holds too little: buy in first"
    buys_in(dealer, 2, 100, 100, 100)
    pushes(table, 2, "own")
    pushes(table, 2, "dealer")
    assert table.state.seat(2).five_card == ("own", "dealer") and table.state.felt.accounts[1] == 100
    pushes(table, 2, "dealer")
    assert table.state.seat(2).five_card == ("own",) and table.state.felt.accounts[1] == 200
    locks(table, dealer)
    for hand in ("own", "dealer"):
        pushes(table, 2, hand)
        assert ENGLISH(table.last(e.ButtonIgnored).why) == "no more bets"
    assert table.state.seat(2).five_card == ("own",) and table.state.felt.accounts[1] == 200
    assert table.owed[-1].made == {"five_card_player": [2]}


def test_7_an_account_is_cashed_out_between_rounds() -> None:
    """What is left in it is paid from the rack; an empty account is not, and the table does not close on a full one."""
    table, dealer = betting("pa-653a", five_card=True)
    buys_in(dealer, 3, 500)
    table.press("problem close")
    assert table.notice == "Cash out the wagering account of seat 3 first."
    dealer.presses("account 1", "account 3", "cash-out")
    assert (
        table.last(e.AccountMoved) == e.AccountMoved(3, AccountMove.CASH_OUT, 500)
        and table.state.felt.accounts == (0,) * 6
    )
    assert refuses(table, "cash-out") == "There is nothing to cash out."


def test_7_no_buttons_where_the_bonus_is_not_filed() -> None:
    """A push at a table without the wager is nothing."""
    table, _ = betting("pa-653a", 2)
    count = len(table.happened)
    pushes(table, 2, "own")
    assert since(table, count) == []
    assert refuses(table, "account 2") == "This table has no wagering accounts."


# Boxes of one player: 653a.7(e), 677a.7(e), 36.05.16.07F, 671a.7(e) -------------------------------------------------


@pytest.mark.parametrize(("boxes", "others"), [(1, set()), (2, {2, 4}), (3, {1, 2, 4, 5})])
def test_7_how_many_boxes_one_player_may_bet(boxes: int, others: set[int]) -> None:
    """An envy receiver is said to be the holder's own other box only within the boxes that are filed."""
    rules = {**RULES["pa-653a"], "progressive": {"paytable": "A", "wager": "1.00"}, "adjacent_boxes": boxes}
    submission = parse_submission({"book": "pa-653a", "table_minimum": "15.00", **rules})
    table, dealer = at_envy(replace(house_of(), submission=submission))
    assert {seat for seat in (1, 2, 4, 5, 6) if adjacent(table.house, table.state, seat)} == others
    for number in (1, 2, 4, 5, 6):
        if number in others:
            dealer.presses(f"seat {number}")
        else:
            refuses(table, f"seat {number}")
        assert table.state.seat(number).same_player == (number in others)


def test_7_one_position_for_one_player_in_maryland() -> None:
    """36.05.16.07F (the second one): no receiver is the holder's other box."""
    table, dealer = at_envy(house_of(book="md-36.05.16"))
    refuses(table, "seat 2")
    assert not table.state.seat(2).same_player
    leaves(dealer, 2)
    assert table.state.seat(2).left and table.phase == "envy"


def at_envy(house: House) -> tuple[Table, Dealer]:
    """Six lit seats, level 0; seat 3 holds a royal flush, the cage has paid it."""
    table, dealer = at_deal(house=house, level=0, lit=range(1, 7))
    dealer.claims(3, "royal flush")
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    assert table.phase == "envy"
    return table, dealer
