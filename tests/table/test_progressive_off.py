"""What is wrong with the progressive closes progressive bets only: the base game goes on (653a.7(d)(3), 36.05.16.07).

Sensors, lamps, the link, the bank and its alarms, a floorperson's OUT OF ORDER: rounds without the wager, no lamp lit, the
lock line locked, the reason on the glass; what was lit before stands. Shuffler and decks close all bets.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.table import events as e
from firmware.table.projections import lamps, locked, recognizes
from firmware.table.state import TableState
from tests.table.table import DIAZ, Dealer, Table

TROUBLE: dict[str, tuple[Callable[[Table], None], Callable[[Table], None], str]] = {
    "a bank alarm": (
        lambda table: said(table, alarm="rules", alarm_text="another paytable"),
        lambda table: said(table),
        "Bank alarm: another paytable",
    ),
    "another journal": (
        lambda table: said(table, journal="b" * 32),
        lambda table: said(table),
        "The bank holds another journal of this table.",
    ),
    "sensors lost": (
        lambda table: table.sensors(False, "cabinet unplugged"),
        lambda table: finds(table),
        "Sensors lost: cabinet unplugged",
    ),
    "the link": (lambda table: table.link(False), lambda table: table.link(True), "the bank is silent"),
    "out of order": (lambda table: marks(table, "off"), lambda table: marks(table, "on"), "Out of order."),
}
EVERY = pytest.mark.parametrize(("begins", "ends", "why"), TROUBLE.values(), ids=TROUBLE)


def said(table: Table, **changes: str) -> None:
    """All that is owed has arrived, and the bank says this about it."""
    table.bank.listens_in_silence()
    table.hears(table.bank.said(**changes))


def finds(table: Table) -> None:
    """The sensors' wires are found, and steady for a second."""
    table.sensors(True)
    table.waits(1_100)


def marks(table: Table, way: str) -> None:
    """A floorperson puts the progressive out of order, or in order."""
    Dealer(table).presses("problem", f"problem progressive-{way}")
    Dealer(table).presses("apply", by=DIAZ)
    table.waits(100)


def is_dark(state: TableState) -> bool:
    return set(lamps(state).values()) == {"dark"} and locked(state)


@EVERY
def test_653a_7d3_a_round_without_the_progressive_while_it_is_off(
    begins: Callable[[Table], None], ends: Callable[[Table], None], why: str
) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    begins(table)
    dealer.presses("no-more-bets", "clear")
    assert table.phase == "open" and why in table.words() and "PROGRESSIVE OFF" in table.words()
    table.seats(2).place()
    assert table.lit == () and locked(table.state)
    dealer.presses("no-more-bets")
    assert table.phase == "deal", "there is nothing to count"
    table.seats(2).lift()
    dealer.presses("clear")
    assert table.phase == "open" and not table.owed
    ends(table)
    assert table.phase == "open" and recognizes(table.state)
    table.seats(2).place()
    assert table.lit == (2,)


@EVERY
def test_653a_2c1_what_was_lit_stands_when_the_progressive_goes_off_among_the_bets(
    begins: Callable[[Table], None], ends: Callable[[Table], None], why: str
) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    table.seats(1, 3).place()
    begins(table)
    assert why in table.words() and table.lit == (1, 3)
    if table.watching:
        table.seats(4).place()
    dealer.presses("no-more-bets", "count 2")
    assert table.phase == "deal" and table.last(e.CountAgreed).seats == (1, 3)
    assert [owed.made for owed in table.owed] == [{"progressive": [1, 3]}], "their contributions are the bank's"


@pytest.mark.parametrize("kind", ["a bank alarm", "another journal", "sensors lost", "the link"])
def test_what_goes_off_in_the_middle_of_a_round_stops_nothing_and_the_next_one_opens(kind: str) -> None:
    begins, _, why = TROUBLE[kind]
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 2)
    begins(table)
    assert table.phase == "deal" and table.lit == (1, 2)
    assert ("NO LINK" if kind == "the link" else "PROG OFF") in table.words(), "seen in every phase"
    dealer.presses("clear")
    assert table.phase == "open" and why in table.words() and not table.lit


def test_with_its_sensors_lost_the_table_does_not_wait_for_the_switch() -> None:
    """Nobody hears it any more; bets are locked on the screen."""
    table = Table().opens()
    dealer = Dealer(table)
    table.turns_switch(locked=True)
    table.sensors(False)
    dealer.presses("clear")
    assert table.phase == "open" and "lock on this screen" in table.words()
    dealer.presses("no-more-bets", "clear")
    assert table.phase == "open"


def test_653a_2c2_a_cut_lockout_wire_stops_the_progressive_only_once_the_floor_has_put_it_out_of_order() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    table.turns_switch(locked=True)  # the wire is cut
    dealer.presses("clear")
    assert table.phase == "closed" and "Lockout switch is locked" in table.words()
    marks(table, "off")
    assert table.phase == "open" and is_dark(table.state)
    table.waits(5_000)
    assert table.phase == "open", "a wire that nobody asks locks nothing"
    table.restarts()
    assert table.phase == "open" and table.state.felt.out_of_order, "until a floorperson says otherwise"
    dealer.presses("problem", "problem progressive-on")
    dealer.sees_no("apply", by=DIAZ)
    table.press("apply", by=DIAZ)
    assert table.state.felt.out_of_order and "Turn the lockout switch to open first" in table.notice
    dealer.presses("back")
    table.turns_switch(locked=False)
    marks(table, "on")
    table.seats(5).place()
    assert table.lit == (5,)


def test_the_floor_signs_that_the_progressive_is_out_of_order() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.presses("problem", "problem progressive-off")
    dealer.sees_no("apply")
    dealer.presses("apply", by=DIAZ)
    assert table.last(e.ProgressiveMarked).by == DIAZ and table.final == "ProgressiveMarked"


@pytest.mark.parametrize("fault", ["jam", "door", "count"])
def test_653a_13e_a_shuffler_in_trouble_closes_all_bets_all_the_same(fault: str) -> None:
    table = Table().opens()
    marks(table, "off")
    Dealer(table).presses("no-more-bets")
    table.shuffles(mode="fault", fault=fault, alarm=1)
    Dealer(table).presses("clear")
    assert table.phase == "closed"


def test_a_table_that_nobody_adopted_plays_without_the_progressive_whoever_spoke_first_under_its_name() -> None:
    table = Table().opens()
    table.hears(table.bank.said(alarm="new", alarm_text="never adopted", about=("f" * 32, 0, "0" * 64)))
    assert table.phase == "open" and is_dark(table.state)
    assert "two people adopt it there" in table.words() and not table.state.desk.stranger
    table.restarts()
    assert is_dark(table.state)
    table.bank.speaks()
    table.seats(5).place()
    assert table.lit == (5,), "once they have"
