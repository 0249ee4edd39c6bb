"""Open for bets, and no more bets: 653a.2(c), 653a.7(d)(3), 653a.8(b)."""

from __future__ import annotations

import pytest

from firmware.rules.message import NOTHING
from firmware.table import events as e
from firmware.table.inputs import LinkSeen, Pressed, SensorsSeen, SwitchSettled
from firmware.table.projections import locked
from hal.ports import LOCKOUT, Edge
from tests.table.table import DEBOUNCE_MS, WINDOW_MS, Dealer, Table


def a_table(paytable: str = "A", wager: str = "1.00", seats: int = 6) -> tuple[Table, Dealer]:
    table = Table(paytable, wager, seats).opens()
    return table, Dealer(table)


# 653a.2(c)(1): acknowledged ------------------------------------------------------------------------------------------


def test_653a_2c1_bets_open_by_themselves_when_nothing_stands_in_the_way() -> None:
    table = Table().opens()
    assert table.phase == "open" and table.state.round.number == 1
    assert table.lamps == "dark dark dark dark dark dark"


def test_653a_2c1_a_chip_is_acknowledged_when_it_has_lain_for_the_debounce_time() -> None:
    table, _ = a_table()
    table.seats(1, 3).place(ms=DEBOUNCE_MS + WINDOW_MS - 1)
    assert table.lamps == "dark dark dark dark dark dark"
    table.waits(1)
    assert table.lamps == "lit dark lit dark dark dark"
    assert table.state.wagers == (1, 3)


def test_653a_2c1_a_bouncing_chip_is_one_wager() -> None:
    table, _ = a_table()
    for _ in range(4):
        table.seats(2).place(ms=3)
        table.seats(2).lift(ms=2)
    table.seats(2).place()
    assert [type(event) for event in table.happened if "Wager" in type(event).__name__] == [e.WagerPlaced]


def test_653a_2c1_an_uncovered_sensor_takes_the_wager_back_before_the_lock() -> None:
    table, _ = a_table()
    table.seats(4).place()
    table.seats(4).lift()
    assert table.lamps == "dark dark dark dark dark dark"
    table.seats(4).place()
    assert table.lit == (4,)


def test_two_switch_levels_that_say_the_same_change_nothing() -> None:
    table, _ = a_table()
    assert table.hears(SwitchSettled(False)) == ()


# 653a.2(c)(2), 653a.8(b): the lockout -------------------------------------------------------------------------------


def test_653a_2c2_the_screen_locks() -> None:
    table, dealer = a_table()
    table.seats(1, 3).place()
    assert "2 lit" in table.words()
    dealer.presses("no-more-bets")
    assert table.phase == "count" and table.lit == (1, 3)
    assert table.last(e.BetsClosed).source == "screen"


def test_653a_2c2_the_switch_locks_and_its_first_edge_counts() -> None:
    table, _ = a_table()
    table.seats(5).place()
    locked_at = table.now
    table.turns_switch(locked=True, bounces=(3, 4))
    assert table.phase == "count" and table.lit == (5,)
    closed = table.last(e.BetsClosed)
    assert (closed.source, closed.at_ns) == ("switch", locked_at * 1_000_000)


def test_653a_2c2_the_first_of_switch_and_screen_is_the_lock() -> None:
    table, dealer = a_table()
    table.seats(1).place()
    table.seats(2).place(ms=15)
    turned_at = table.now
    table.turns_switch(locked=True, ms=12)
    table.waits(3)
    dealer.presses("no-more-bets")
    assert table.lit == (1,), "at the tap seat 2 would have settled, at the switch it had not"
    assert table.last(e.BetsClosed).at_ns == turned_at * 1_000_000
    assert table.last(e.LateWager) == e.LateWager(2, "progressive", -15, was_lit=False, covered=False, chips=())


def test_653a_2c2_a_cut_wire_reads_as_locked_and_keeps_bets_closed() -> None:
    table, dealer = a_table()
    table.turns_switch(locked=True)
    dealer.presses("clear")
    assert table.phase == "closed" and "Lockout switch is locked" in table.words()
    table.turns_switch(locked=False)
    assert table.phase == "open" and table.state.round.number == 2


def test_653a_2c2_a_loose_wire_reads_as_locked_too() -> None:
    table, _ = a_table()
    table.seats(2).place()
    table.turns_switch(locked=True, bounces=(15,) * 81, ms=0)
    assert table.phase == "count" and table.lit == (2,), "it does not end, and after a second nobody waits for it"
    table.waits(100)
    assert not table.state.felt.switch_locked, "the wire holds again"


def test_653a_2c2_a_screen_lock_does_not_wait_for_a_wire_that_has_come_loose_since() -> None:
    table, _ = a_table()
    table.seats(2).place()
    table.lines.lock(table.now * 1_000_000, "screen")
    table.turns_switch(locked=True, bounces=(15,) * 6, ms=0)
    assert table.phase == "count" and table.lit == (2,)


def test_653a_2c2_releasing_the_switch_alone_never_opens_bets() -> None:
    table, _ = a_table()
    table.seats(2).place()
    table.turns_switch(locked=True)
    table.turns_switch(locked=False)
    assert table.phase == "count"


def test_653a_2c2_bets_that_open_while_the_switch_is_being_turned_are_locked_at_once() -> None:
    table, dealer = a_table()
    table.shuffles(mode="sort")
    dealer.presses("no-more-bets", "clear")
    table.turns_switch(locked=True, ms=DEBOUNCE_MS)
    table.shuffles(mode="ready")
    assert table.phase == "open", "nobody knows of the switch yet"
    table.waits(100)
    assert table.phase == "deal" and table.state.felt.switch_locked


def test_653a_2c2_bets_that_open_in_the_very_turn_in_which_the_switch_is_found_locked_are_locked_at_once() -> None:
    table, dealer = a_table()
    table.shuffles(mode="sort")
    dealer.presses("no-more-bets", "clear")
    table.switch_on = False
    table.lines.feed(Edge(LOCKOUT, False, table.now * 1_000_000))
    table.now += DEBOUNCE_MS + WINDOW_MS
    found = table.lines.facts(table.now * 1_000_000, betting=False)
    table.shuffles(mode="ready")
    for fact in found:
        table.hears(fact)
    assert table.phase == "open" and table.state.felt.switch_locked
    table.waits(100)
    assert table.phase == "deal"


@pytest.mark.parametrize("ms, late_ms", [(1, -1), (10, -10), (19, -19)])
def test_653a_2c2_a_chip_that_had_not_settled_at_the_lock_is_late_by_negative_milliseconds(
    ms: int, late_ms: int
) -> None:
    table, dealer = a_table()
    table.seats(3).place(ms=ms)
    dealer.presses("no-more-bets")
    assert table.lamps == "dark dark late dark dark dark"
    assert table.last(e.LateWager).ms == late_ms
    assert f"{late_ms:+,} ms" in table.words()


def test_653a_2c2_a_chip_that_lay_for_the_debounce_time_to_the_millisecond_is_a_wager() -> None:
    table, dealer = a_table()
    table.seats(3).place(ms=DEBOUNCE_MS)
    dealer.presses("no-more-bets")
    assert table.lit == (3,)


@pytest.mark.parametrize("ms", [0, 1, 700])
def test_653a_2c2_a_chip_after_the_lock_is_late(ms: int) -> None:
    table, _ = a_table()
    table.seats(1).place()
    table.lines.lock(table.now * 1_000_000, "screen")
    table.waits(ms)
    table.seats(6).place(ms=100)
    assert table.phase == "count"
    assert table.lamps == "lit dark dark dark dark late" and table.state.wagers == (1,)
    assert table.last(e.LateWager).ms == ms
    table.seats(6).lift()
    assert table.lamps == "lit dark dark dark dark dark", "the lamp goes out when the chip is returned"
    assert "returned" in table.words()


def test_653a_2c2_a_wager_that_was_being_lifted_at_the_lock_is_no_wager_and_says_that_it_was_lit() -> None:
    table, dealer = a_table()
    table.seats(2).place()
    table.seats(2).lift(ms=7)
    dealer.presses("no-more-bets")
    assert table.state.wagers == ()
    assert table.last(e.LateWager) == e.LateWager(2, "progressive", -7, was_lit=True, covered=False, chips=())


def test_653a_2c2_each_sensor_is_evidence_of_the_lock() -> None:
    table, dealer = a_table(seats=2)
    table.seats(1).place(ms=500)
    dealer.presses("no-more-bets")
    (seat_1, seat_2) = table.last(e.BetsClosed).readings
    assert seat_1 == (1, True, 500)
    assert seat_2[:2] == (2, False) and seat_2[2] > 1_100 + 500, "as long as it was watched"


def test_653a_2c2_milliseconds_are_rounded_away_from_the_lock() -> None:
    table, _ = a_table()
    table.chips[1] = True
    table.lines.feed(Edge(1, True, table.now * 1_000_000 + 300_000))
    table.waits(1)
    table.lines.lock(table.now * 1_000_000, "screen")
    table.waits(100)
    assert table.last(e.LateWager).ms == -1, "0.7 ms before the lock is before the lock"


# Stuck chips and dead sensors ----------------------------------------------------------------------------------------


def test_a_chip_since_before_the_last_lock_is_a_fault_until_it_is_lifted() -> None:
    table, dealer = a_table()
    table.seats(1, 2).place()
    dealer.presses("no-more-bets", "count 2")
    table.seats(1).lift()
    dealer.presses("clear")
    assert table.phase == "open" and table.lamps == "dark fault dark dark dark dark"
    assert "OLD CHIP" in table.words()
    dealer.presses("no-more-bets")
    assert table.state.wagers == (), "nobody wagered in this round"
    table.turns_switch(locked=False)
    dealer.presses("reopen")
    assert table.lamps == "dark fault dark dark dark dark", "a mistaken lock does not make it a wager"
    table.seats(2).lift()
    assert table.lamps == "dark dark dark dark dark dark"
    table.seats(2).place()
    assert table.lit == (2,)


def test_a_stuck_chip_that_only_bounces_stays_a_fault() -> None:
    table, dealer = a_table()
    table.seats(2).place()
    dealer.presses("no-more-bets", "count 1", "clear")
    table.seats(2).lift(ms=12)
    table.seats(2).place()
    assert table.lamps == "dark fault dark dark dark dark"


def test_a_chip_that_came_during_the_deal_is_late_and_a_wager_of_the_next_round() -> None:
    table, dealer = a_table()
    dealer.deals(1)
    table.seats(5).place()
    assert table.lamps == "lit dark dark dark late dark"
    dealer.presses("clear")
    assert table.state.round.number == 2 and table.lit == (5,)


def test_a_dead_sensors_wager_is_entered_by_hand() -> None:
    table, dealer = a_table()
    dealer.presses("problem table", "problem sensors", "sensor 4")
    assert "FAILED" in table.words()
    dealer.presses("back", "seat 4")
    assert table.lit == (4,) and "by hand" in table.words()
    dealer.presses("seat 4")
    assert table.lit == (), "entered by mistake, taken back"
    dealer.presses("seat 4", "no-more-bets")
    assert table.lit == (4,)
    dealer.presses("count 1")
    assert table.phase == "deal" and table.owed[-1].made == {"progressive": [4]}


def test_a_dead_sensor_neither_makes_nor_takes_a_wager() -> None:
    table, dealer = a_table()
    dealer.presses("problem table", "problem sensors", "sensor 4", "back")
    table.seats(4).place()
    assert table.lit == ()
    dealer.presses("seat 4")
    table.seats(4).lift()
    assert table.lit == (4,)
    dealer.presses("no-more-bets")
    assert table.lit == (4,)


def test_a_sensor_with_a_wager_is_not_marked_as_dead() -> None:
    table, dealer = a_table()
    table.seats(4).place()
    dealer.presses("problem table", "problem sensors")
    dealer.sees_no("sensor 4")
    table.press("sensor 4")
    assert table.notice == "Seat 4 has a wager: take it back or lock first."
    dealer.presses("back")
    assert table.lit == (4,)


def test_a_sensor_that_works_again_acknowledges_the_chip_that_lies_on_it() -> None:
    table, dealer = a_table()
    dealer.presses("problem table", "problem sensors", "sensor 4", "back")
    table.seats(4).place()
    dealer.presses("problem table", "problem sensors", "sensor 4", "back")
    assert table.lit == (4,), "no wager without a lamp"
    table.seats(4).lift()
    assert table.lit == ()


def test_with_the_link_down_no_wager_is_entered_by_hand_and_one_may_be_taken_back() -> None:
    table, dealer = a_table()
    dealer.presses("problem table", "problem sensors", "sensor 4", "sensor 5", "back", "seat 5")
    table.link(False)
    dealer.sees_no("seat 4")
    table.hears(Pressed("seat 4"))
    assert table.notice == "No link to the bank: the bank is silent" and table.lit == (5,)
    table.hears(Pressed("seat 5"))
    assert table.lit == ()


def test_a_working_sensors_seat_has_no_key_for_wagers() -> None:
    table, dealer = a_table()
    dealer.sees_no("seat 1")
    table.hears(Pressed("seat 1"))
    assert table.notice == "Seat 1's sensor works: the chip makes the wager."


# The link ---------------------------------------------------------------------------------------------------------------


def test_with_the_link_down_progressive_bets_are_off_and_the_main_game_goes_on() -> None:
    table, dealer = a_table()
    table.link(False, "the bank is silent")
    assert "PROGRESSIVE OFF. Call the floor for a technician.\nDeal on" in table.words()
    assert "No link to the bank: the bank is silent" in table.words(), "after what it means for the dealer"
    table.seats(2).place()
    assert table.lit == () and locked(table.state)
    dealer.presses("no-more-bets")
    assert table.phase == "deal", "nothing is there to count"
    dealer.presses("clear")
    assert table.state.round.number == 2 and table.owed == []


def test_lit_bets_stay_when_the_link_goes_and_are_sent_when_it_returns() -> None:
    table, dealer = a_table()
    table.seats(2).place()
    table.link(False)
    assert table.lit == (2,)
    dealer.presses("no-more-bets", "count 1")
    assert [str(message) for message in table.owed] == ["wagers {'progressive': [2]}"]
    table.link(True)
    table.bank.listens()
    assert table.state.owed == ()


def test_a_lit_bet_is_taken_back_with_the_link_down_as_well() -> None:
    table, _ = a_table()
    table.seats(2).place()
    table.link(False)
    table.seats(2).lift()
    assert table.lit == ()


def test_a_chip_placed_while_bets_were_off_is_no_wager_when_the_link_returns_until_it_is_lifted() -> None:
    table, dealer = a_table()
    table.link(False)
    table.seats(2).place()
    table.link(True)
    assert table.lit == () and "NO BET" in table.words()
    dealer.presses("no-more-bets")
    assert table.state.wagers == ()
    table.turns_switch(locked=False)
    dealer.presses("reopen")
    table.seats(2).lift()
    table.seats(2).place()
    assert table.lit == (2,)


def test_sensors_lost_close_bets_for_progressive_chips() -> None:
    table, dealer = a_table()
    table.seats(1).place()
    table.sensors(False, "call the technician")
    assert "Sensors lost: call the technician" in table.words()
    assert table.lit == (1,), "a lit lamp was a promise"
    table.sensors(True)
    table.waits(1_100)
    dealer.presses("no-more-bets")
    assert table.lit == (1,)


def test_a_chip_lifted_while_the_sensors_were_lost_counts_until_they_have_been_steady_for_a_second() -> None:
    table, dealer = a_table()
    table.seats(1, 2).place()
    table.sensors(False)
    table.seats(1).lift()
    table.sensors(True)
    table.waits(500)
    assert table.lit == (1, 2)
    table.waits(600)
    assert table.lit == (2,)
    dealer.presses("no-more-bets")
    assert table.lit == (2,)


def test_a_lock_before_the_sensors_were_steady_goes_by_what_is_on_disk() -> None:
    table, _ = a_table()
    table.seats(1).place()
    table.sensors(False)
    table.seats(1).lift()
    table.sensors(True)
    table.waits(985)
    table.lines.lock(table.now * 1_000_000, "screen")
    table.waits(100)
    assert table.phase == "count" and table.lit == (1,), "at the lock no uncovering counted yet"


# Reopen ------------------------------------------------------------------------------------------------------------------


def test_reopen_is_refused_while_the_switch_is_locked() -> None:
    table, dealer = a_table()
    table.seats(2).place()
    table.turns_switch(locked=True)
    assert "reopen" not in table.pressable("")
    table.hears(Pressed("reopen"))
    assert table.phase == "count" and table.notice == "Turn the lockout switch to open first."
    table.turns_switch(locked=False)
    dealer.presses("reopen")
    assert table.phase == "open" and table.lit == (2,) and table.state.round.number == 1


def test_reopen_makes_a_late_chip_a_wager() -> None:
    table, dealer = a_table()
    table.seats(2).place(ms=5)
    dealer.presses("no-more-bets")
    assert table.lamps == "dark late dark dark dark dark"
    dealer.presses("reopen")
    assert table.lit == (2,)
    dealer.presses("no-more-bets")
    assert table.lit == (2,)


def test_reopen_takes_back_a_wager_whose_chip_is_gone() -> None:
    table, dealer = a_table()
    table.seats(2, 3).place()
    dealer.presses("no-more-bets")
    table.seats(2).lift()
    assert table.lit == (2, 3), "the dealer collects the chips: the wagers stand"
    dealer.presses("reopen")
    assert table.lit == (3,), "bets are open, and no chip lies on seat 2"
    table.seats(2).place()
    assert table.lit == (2, 3)


def test_reopen_is_refused_while_an_obstacle_stands() -> None:
    table, dealer = a_table()
    table.seats(2).place()
    dealer.presses("no-more-bets")
    table.shuffles(fault="jam", mode="fault", alarm=1)
    assert "reopen" not in table.pressable("")
    table.hears(Pressed("reopen"))
    assert table.phase == "count" and table.notice.startswith("Shuffler alarm: jam")


# Facts that say nothing new ------------------------------------------------------------------------------------------


def test_the_same_fact_twice_changes_nothing_twice() -> None:
    table, _ = a_table()
    assert table.hears(LinkSeen(True, NOTHING)) == ()
    assert table.hears(SensorsSeen(True, NOTHING)) == ()
    assert table.hears(table.shuffler) == ()
