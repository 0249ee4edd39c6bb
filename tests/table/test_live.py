"""A new table is a test until two people say LIVE (`firmware/table/live`): played whole, while its bank hears of nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from firmware.simulation.shifts.shift import Shift
from firmware.table import events as e
from firmware.table.invariants import broken
from firmware.table.state import Phase, Tally
from tests.table.table import DIAZ, OKAFOR, Dealer, Same, Table, written
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS
from ui.dealer.pieces import Live
from ui.dealer.screens import screen

LIVE, SECOND = "problem live", "problem live-second"


def forced(table: Table, meter: str, cents: int) -> None:
    """A technician was at the stopped table."""
    table._write([written(Same(table.state), e.MeterForced(meter, cents, "4001"))])
    table.restarts()


@pytest.fixture
def test() -> Table:
    """A new table that nobody said LIVE at, opened to be tried."""
    return Table(live=False).opens()


def test_a_wager_of_a_test_is_lit_and_counted_and_nothing_is_owed(test: Table) -> None:
    dealer = Dealer(test)
    test.seats(1, 3).place()
    assert test.lit == (1, 3)
    dealer.presses("no-more-bets", "count 2")
    assert test.phase == "deal" and test.lit == (1, 3)
    test.seats(1, 3).lift()
    dealer.names(3, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    assert test.last(e.PrizePaid).payment.payout
    assert not test.told and not test.state.seq, "a prize was paid, and the bank was told of nothing"
    assert not broken(test.state)
    assert test.replayed() == test.state


def test_a_test_is_taken_back_no_further_than_a_live_round(test: Table) -> None:
    live = Table().opens()
    for table in (test, live):
        Dealer(table).deals(1)
        assert not table.undo_is_lit, "the count of a wager is final"


def test_late_chips_of_a_test_are_not_told_later(test: Table) -> None:
    test.seats(1).place()
    Dealer(test).presses("no-more-bets")
    test.seats(2).place()
    assert test.state.seat(2).late
    assert not test.state.neighbours.untold.late


def test_a_share_is_priced_by_the_meter_that_was_forced(test: Table) -> None:
    forced(test, "main", 1_234_567)
    test.waits(1_100)
    dealer = Dealer(test)
    dealer.deals(3)
    dealer.claims(3, "straight flush")
    assert test.phase == "hold" and test.last(e.ClaimPriced).price.amount == 123_456
    dealer.presses("claim-paid", by=OKAFOR)
    assert test.last(e.ClaimPaid).payments[0].payout == 123_456
    dealer.presses("clear")
    assert not test.told and not test.state.neighbours.shares and not broken(test.state)
    assert not test.state.days.total.awards


def test_a_share_of_a_meter_that_was_not_forced_is_refused(test: Table) -> None:
    dealer = Dealer(test)
    dealer.deals(3)
    dealer.claims(3, "royal flush")
    assert test.phase == "validate" and "nothing stands on main" in test.notice
    dealer.presses("not-a-winner", by=DIAZ)
    assert test.phase == "settle" and not test.told


def test_the_bank_of_a_test_freezes_nothing_and_ends_no_claim(test: Table) -> None:
    forced(test, "main", 100_000)
    test.waits(1_100)
    Dealer(test).deals(3)
    Dealer(test).claims(3, "royal flush")
    before = test.last(e.ClaimPriced)
    test.bank.speaks()
    assert test.phase == "hold" and test.last(e.ClaimPriced) == before


def test_live_takes_two_different_people_at_a_closed_table() -> None:
    table = Table(live=False)
    table.restored()
    dealer = Dealer(table)
    dealer.presses("problem table", LIVE)
    dealer.presses("apply", by=DIAZ)
    assert not table.state.program.live and table.state.program.live_by == DIAZ
    dealer.presses(SECOND)
    dealer.presses("apply", by=DIAZ)
    assert not table.state.program.live and f"Badge {DIAZ} said LIVE first" in table.notice
    dealer.presses("apply", by=OKAFOR)
    said = table.last(e.TableLive)
    assert table.state.program.live and said.people == (DIAZ, OKAFOR)
    assert table.recorded[-2].at and not table.undo_is_lit
    dealer.presses("problem table")
    dealer.sees_no(LIVE, SECOND)
    table.restarts()
    assert table.state.program.live and table.replayed() == table.state


def test_the_power_goes_between_the_two_people() -> None:
    table = Table(live=False)
    Dealer(table).presses("problem table", LIVE)
    Dealer(table).presses("apply", by=DIAZ)
    table.restarts()
    assert table.phase == "shut" and table.state.program.live_by == DIAZ and not table.state.program.live
    table.press("back")
    Dealer(table).presses("problem table", SECOND)
    Dealer(table).presses("apply", by=OKAFOR)
    assert table.state.program.live


def test_who_signed_first_signed_for_that_moment_only() -> None:
    """Decks come for another test: both people say it again."""
    table = Table(live=False)
    Dealer(table).presses("problem table", LIVE)
    Dealer(table).presses("apply", by=DIAZ)
    table.press("back")
    table.opens()
    assert table.state.program.live_by == ""


def test_live_is_not_said_while_bets_are_open(test: Table) -> None:
    test.seats(1).place()
    assert test.phase == "open"
    Dealer(test).presses("problem table")
    Dealer(test).sees_no(LIVE)
    test.press(LIVE, DIAZ)
    assert "cannot" in test.notice or test.notice
    assert not test.state.program.live and not test.state.program.live_by


def test_undo_does_not_take_live_back() -> None:
    table = Table()
    assert table.state.trail.final == "TableLive" or not table.undo_is_lit
    table.opens()
    table.press("undo")
    assert table.state.program.live


def test_what_was_played_in_a_test_is_in_no_total_and_no_day_is_closed(test: Table) -> None:
    dealer = Dealer(test)
    dealer.deals(1)
    dealer.presses("clear")
    assert test.state.days.total == Tally()
    dealer.presses("problem table")
    dealer.sees_no("problem close-day")


def test_a_round_after_live_is_owed_from_the_first_message_on(test: Table) -> None:
    dealer = Dealer(test)
    dealer.deals(1)
    dealer.presses("clear", "problem table", "problem close")
    while test.phase == "empty":
        dealer.presses("emptied 52")
    assert test.phase == "shut"
    dealer.presses("problem table", LIVE)
    dealer.presses("apply", by=DIAZ)
    dealer.presses(SECOND)
    dealer.presses("apply", by=OKAFOR)
    test.opens()
    dealer.deals(2)
    (message,) = test.told
    assert (message.seq, message.kind) == (1, "wagers") and message.body["seats"] == [2]
    assert test.state.days.total.contributions


@pytest.mark.parametrize("panel", PANELS)
def test_every_screen_of_a_test_says_that_it_is_one(panel: str) -> None:
    table = Table(live=False)
    dealer = Dealer(table)
    for step in (table.opens, lambda: dealer.deals(1, 2), lambda: dealer.names(1, "flush"), lambda: None):
        shown = screen(table.house, table.state, Live("22:14", by=DIAZ, badge=DIAZ), frame_of(PANELS[panel]))
        said = "\n".join(line.text for widget in shown.widgets for line in widget.lines)
        assert "NOT LIVE" in said
        if table.phase in ("shut", "open"):
            assert "no money counts" in said
        step()
    assert table.phase == Phase.VALIDATE
    live = Table().opens()
    assert "NOT LIVE" not in live.words()


class Trial(Shift):
    """A shift at a table that nobody said LIVE at; a technician has forced every meter."""

    def _write(self, events: Iterable[e.Event]) -> None:
        for event in events:
            assert not isinstance(event, e.MessageOwed)
            if isinstance(event, e.TableLive):
                super()._write(e.MeterForced(meter, 1_234_567, "4001") for meter in self.house.submission.meters)
            else:
                super()._write([event])
            assert not broken(self.state)


def test_a_night_of_a_test_moves_no_meter_of_the_bank() -> None:
    claims = 0
    for level in (0, 1, 2):
        shift = Trial("pa-653a", 7, level=level, checks=False)
        assert shift.bank is not None
        before = shift.bank.state
        shift.play(60)
        claims += shift.tally["claim paid"] + shift.tally["claim rejected"]
        assert shift.bank.state == before and not shift.state.seq and shift.state.days.total == Tally()
    assert claims
