"""Sensors that tell what a chip is worth: what lies there is the posted wager, or no wager (653a.7(d)(3), 653a.8(b))."""

from __future__ import annotations

import pytest

from firmware.table import events as e
from tests.table.table import Dealer, Table

ONE, TWO, FIVE, UNREAD = 1_00, 2_00, 5_00, 0


def a_table(wager: str = "1.00") -> tuple[Table, Dealer]:
    table = Table("A", wager).opens()
    return table, Dealer(table)


def test_653a_7d3_a_chip_of_the_posted_wager_is_the_wager_and_its_worth_is_written() -> None:
    table, _ = a_table()
    table.seats(3).place(chips=(ONE,))
    placed = table.last(e.WagerPlaced)
    assert (placed.seat, placed.amount, placed.chips) == (3, ONE, (ONE,)) and table.lit == (3,)


def test_a_contact_tells_no_worth_and_its_wager_is_the_posted_one() -> None:
    table, _ = a_table("5.00")
    table.seats(3).place()
    placed = table.last(e.WagerPlaced)
    assert (placed.amount, placed.chips) == (FIVE, ()) and table.lit == (3,)


@pytest.mark.parametrize(
    ("wager", "chips", "lies", "wanted"),
    [
        ("1.00", (FIVE,), "$5 chip", "$1 chip"),
        ("1.00", (TWO,), "$2 chip", "$1 chip"),
        ("5.00", (ONE,), "$1 chip", "$5 chip"),
        ("1.00", (ONE, ONE), "$1 chip and $1 chip", "$1 chip"),
        ("5.00", (ONE, TWO, TWO), "$1 chip, $2 chip and $2 chip", "$5 chip"),
        ("1.00", (UNREAD,), "a chip that cannot be read", "$1 chip"),
        ("1.00", (UNREAD, ONE), "a chip that cannot be read and $1 chip", "$1 chip"),
    ],
)
def test_653a_7d3_anything_else_is_no_wager_and_the_screen_says_what_lies_there_and_what_is_wanted(
    wager: str, chips: tuple[int, ...], lies: str, wanted: str
) -> None:
    table, dealer = a_table(wager)
    table.seats(3).place(chips=chips)
    assert table.lamps == "dark dark dark dark dark dark"
    assert f"Seat 3: {lies} on the sensor, not a bet. A bet is one {wanted}." in table.words()
    dealer.presses("no-more-bets")
    assert table.lit == ()
    assert not any(isinstance(event, e.LateWager) for event in table.happened)


def test_a_right_chip_instead_of_a_wrong_one_is_a_wager_and_a_wrong_one_for_a_right_one_takes_it_back() -> None:
    table, _ = a_table()
    table.seats(3).place(chips=(FIVE,))
    table.seats(3).place(chips=(ONE,))
    assert table.lit == (3,) and "not a bet" not in table.words()
    table.seats(3).place(chips=(ONE, FIVE))
    assert table.lit == () and isinstance(table.happened[-2], e.WagerReturned)
    table.seats(3).place(chips=(ONE,))
    assert table.lit == (3,)
    table.seats(3).lift()
    assert table.lit == () and "not a bet" not in table.words()


def test_a_reader_that_loses_the_worth_of_a_lit_chip_darkens_no_lamp() -> None:
    """A lit lamp is a promise: only a chip that is known to be another one, or none, takes it back."""
    table, dealer = a_table()
    table.seats(3).place(chips=(ONE,))
    written = len(table.happened)
    table.seats(3).place(chips=(UNREAD,))
    table.seats(3).place(chips=(ONE,))
    assert table.lit == (3,) and len(table.happened) == written
    table.seats(3).place(chips=(UNREAD,))
    dealer.presses("no-more-bets", "count 1")
    assert table.owed[-1].body["made"][0]["amounts"] == ["1.00"]


def test_a_lit_chip_that_was_not_told_for_a_while_and_turns_out_to_be_another_one_is_no_wager() -> None:
    table, _ = a_table()
    table.seats(3).place(chips=(ONE,))
    table.seats(3).place(chips=(UNREAD,))
    table.seats(3).place(chips=(FIVE,))
    assert table.lit == ()


def test_a_tag_that_flickers_for_less_than_the_debounce_time_is_steady() -> None:
    table, _ = a_table()
    table.seats(3).place(chips=(ONE,))
    written = len(table.happened)
    for _ in range(20):
        table.seats(3).lift(ms=5)
        table.seats(3).place(ms=9, chips=(ONE,))
    table.waits(40)
    assert table.lit == (3,) and len(table.happened) == written


def test_a_lit_tag_that_flickers_at_the_lock_is_late_and_was_lit_and_the_count_decides() -> None:
    """As with a loose contact: at the lock the raw level decides."""
    table, dealer = a_table()
    table.seats(3).place(chips=(ONE,))
    table.seats(3).lift(ms=5)
    table.seats(3).place(ms=5, chips=(ONE,))
    dealer.presses("no-more-bets")
    late = table.last(e.LateWager)
    assert (late.seat, late.was_lit) == (3, True) and table.phase == "count"


def test_after_the_lock_chips_that_are_collected_one_by_one_are_not_late_and_one_that_comes_is() -> None:
    table, dealer = a_table()
    table.seats(3).place(chips=(FIVE, ONE))
    table.seats(4).place(chips=(ONE,))
    dealer.presses("no-more-bets")
    table.seats(3).place(chips=(FIVE,))
    table.seats(3).lift()
    assert not any(isinstance(event, e.LateWager) for event in table.happened)
    table.seats(4).place(chips=(UNREAD,))
    assert not any(isinstance(event, e.LateWager) for event in table.happened), "it may be the chip that lay there"
    table.seats(4).place(chips=(ONE, FIVE))
    late = table.last(e.LateWager)
    assert (late.seat, late.was_lit, late.chips) == (4, True, (ONE, FIVE))


def test_after_the_lock_a_chip_in_place_of_another_is_late() -> None:
    table, dealer = a_table()
    table.seats(4).place(chips=(ONE,))
    dealer.presses("no-more-bets")
    table.seats(4).place(chips=(FIVE,))
    assert table.last(e.LateWager).chips == (FIVE,)


def test_a_chip_that_lies_there_since_the_last_lock_is_no_wager_whatever_comes_to_it_and_goes() -> None:
    table, dealer = a_table()
    table.seats(3).place(chips=(ONE,))
    dealer.presses("no-more-bets", "count 1", "clear")
    assert table.state.round.number == 2 and table.state.sensor(3).before_lock
    table.seats(3).place(chips=(ONE, ONE))
    table.seats(3).place(chips=(ONE,))
    assert table.lit == () and table.state.sensor(3).before_lock
    table.seats(3).lift()
    table.seats(3).place(chips=(ONE,))
    assert table.lit == (3,)


def test_after_a_power_cut_the_chip_that_lies_there_is_the_one_that_was_lit() -> None:
    table, _ = a_table()
    table.seats(3).place(chips=(ONE,))
    table.loses_power()
    table.comes_back()
    assert table.lit == (3,)
    assert sum(isinstance(event, e.WagerPlaced) for event in table.happened) == 1
