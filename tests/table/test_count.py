"""The count in front of the table inventory container: 653a.8(b), 653a.12(d)(3)."""

from __future__ import annotations

import pytest

from firmware.table import events as e
from firmware.table.inputs import Pressed
from tests.table.table import DIAZ, Dealer, Table
from ui.words import ENGLISH


def locked(*seats: int, dead: tuple[int, ...] = ()) -> tuple[Table, Dealer]:
    """A table whose bets are locked with chips on `seats`."""
    table = Table().opens()
    dealer = Dealer(table)
    for seat in dead:
        dealer.presses("problem table", "problem sensors", f"sensor {seat}", "back")
    table.seats(*seats).place()
    dealer.presses("no-more-bets")
    return table, dealer


def test_653a_8b_chips_that_equal_the_lamps_go_into_the_rack_and_to_the_bank_once() -> None:
    table, dealer = locked(1, 3, 6)
    dealer.presses("count 3")
    assert table.phase == "deal" and table.lit == (1, 3, 6)
    made = {"name": "progressive", "seats": [1, 3, 6], "amounts": ["1.00"] * 3, "wager": "1.00", "paytable": "A"}
    assert [message.body for message in table.owed] == [{"round": 1, "made": [made]}]


def test_653a_8b_a_round_without_wagers_owes_nothing() -> None:
    table, _ = locked()
    assert table.phase == "deal" and table.owed == []


def test_653a_8b_no_card_is_dealt_before_a_difference_is_settled() -> None:
    table, dealer = locked(1, 3)
    dealer.presses("count 1")
    assert table.phase == "difference" and "2 lamps, 1 chip. Tap the seat that differs." in table.words()
    assert table.owed == []
    dealer.sees_no("clear", "seat 7", "settle taken-back")


FEWER_CHIPS = {
    "settle taken-back": ("no chip", "the player took it back"),
    "settle no-chip": ("no chip", "no chip was there: sensor error"),
}


@pytest.mark.parametrize("key", FEWER_CHIPS)
def test_653a_8b_fewer_chips_than_lamps(key: str) -> None:
    table, dealer = locked(1, 3)
    dealer.presses("count 1", "seat 3", key)
    assert table.phase == "deal" and table.lit == (1,)
    assert table.owed[-1].made == {"progressive": [1]}
    settled = table.last(e.DifferenceSettled)
    assert (settled.seat, settled.outcome, ENGLISH(settled.reason)) == (3, *FEWER_CHIPS[key])


def test_653a_8b_every_chip_is_missing() -> None:
    table, dealer = locked(1, 3)
    dealer.presses("count 0", "seat 3", "settle taken-back", "seat 1", "settle no-chip")
    assert table.phase == "deal" and table.owed == []


def test_653a_8b_a_chip_without_a_lamp_is_returned() -> None:
    table, dealer = locked(1)
    dealer.presses("count 2", "seat 4")
    dealer.sees_no("settle taken-back", "settle by-hand")
    dealer.presses("settle returned")
    assert table.phase == "deal" and table.lit == (1,)
    assert ENGLISH(table.last(e.DifferenceSettled).reason) == "chip without a lamp, returned"


def test_653a_8b_two_chips_on_one_sensor_one_is_returned() -> None:
    table, dealer = locked(1)
    dealer.presses("count 2", "seat 1", "settle second-chip")
    assert table.phase == "deal" and table.lit == (1,) and table.owed[-1].made == {"progressive": [1]}


def test_653a_8b_a_chip_on_a_dead_sensor_is_a_bet_or_goes_back() -> None:
    table, dealer = locked(1, dead=(5,))
    dealer.presses("count 2", "seat 5", "settle by-hand", by=DIAZ)
    assert table.phase == "deal" and table.lit == (1, 5) and table.owed[-1].made == {"progressive": [1, 5]}
    table, dealer = locked(1, dead=(5,))
    dealer.presses("count 2", "seat 5", "settle returned")
    assert table.phase == "deal" and table.lit == (1,)


def test_653a_8b_as_many_chips_as_lamps_on_other_seats_are_settled_by_a_recount() -> None:
    """A late chip lies on seat 4, and the lit seat's chip is gone: the dealer says 2, settles both."""
    table, dealer = locked(1, 3)
    dealer.presses("count 1", "undo")
    assert table.phase == "count"
    dealer.presses("count 3", "seat 4", "settle returned")
    assert table.phase == "deal"


def test_653a_8b_more_cannot_be_returned_than_was_counted() -> None:
    table, dealer = locked(1)
    dealer.presses("count 0", "seat 2")
    assert "settle returned" not in table.pressable("")
    dealer.presses("undo")
    assert table.state.round.question == 0, "the seat was not tapped"
    dealer.presses("recount", "count 1")
    assert table.phase == "deal"


def test_653a_8b_a_recount_keeps_what_was_settled() -> None:
    table, dealer = locked(1, 2, 3)
    dealer.presses("count 1", "seat 3", "settle taken-back", "recount", "count 2")
    assert table.phase == "deal" and table.lit == (1, 2)


def test_653a_8b_a_second_tap_on_the_seat_takes_the_question_back() -> None:
    table, dealer = locked(1)
    dealer.presses("count 2", "seat 4", "seat 4")
    dealer.sees_no("settle returned")
    table.hears(Pressed("settle returned"))
    assert table.notice == "Tap the seat that differs first."


@pytest.mark.parametrize("word", ["count 7", "count -1", "count", "count 1.5", "count ¾", "count 00001", "count x"])
def test_653a_8b_a_count_that_cannot_be_is_refused(word: str) -> None:
    table, dealer = locked(1)
    dealer.sees_no(word)
    table.hears(Pressed(word))
    assert table.phase == "count" and table.notice.endswith("at this table.")


def test_653a_8b_after_the_count_bets_are_not_reopened_at_level_0() -> None:
    table, dealer = locked(1)
    dealer.presses("count 1")
    dealer.sees_no("reopen", "undo")
    table.hears(Pressed("reopen"))
    assert table.phase == "deal" and table.notice.startswith("Cards may be out")
    table.hears(Pressed("undo"))
    assert table.phase == "deal" and table.final == "MessageOwed"


def test_653a_7c_after_a_count_of_nothing_bets_are_not_reopened_either() -> None:
    """At level 0 nobody says when the cards are out: a wager placed then would have seen them."""
    table, dealer = locked(2)
    dealer.presses("count 0", "seat 2", "settle no-chip")
    dealer.sees_no("reopen")
    table.hears(Pressed("reopen"))
    assert table.phase == "deal" and "Cards may be out" in table.notice
    dealer.presses("undo")
    assert table.phase == "difference", "only the count is taken back"
    dealer.presses("settle no-chip")
