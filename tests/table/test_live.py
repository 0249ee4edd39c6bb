"""A new table is a test until two people say LIVE (`firmware/table/live`): played whole, while its bank hears of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import pytest

from firmware.proof.simulation.shifts.shift import Shift
from firmware.table import events as e
from firmware.table import live
from firmware.table.evolve import ahead, evolve
from firmware.table.invariants import broken
from firmware.table.state import Phase, Prize, TableState, Tally
from firmware.table.wire import MeterHeard
from firmware.wire.from_table import Reversal
from tests.table.table import DIAZ, OKAFOR, Dealer, Same, Table, house_of, written
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
    for table in (test, Table().opens()):
        Dealer(table).deals(1)
        assert not table.undo_is_lit, "the count of a wager is final"


def test_late_chips_of_a_test_are_not_told_later(test: Table) -> None:
    test.seats(1).place()
    Dealer(test).presses("no-more-bets")
    test.seats(2).place()
    assert test.state.seat(2).late
    assert not test.state.neighbors.untold.late


def test_a_share_is_priced_by_the_meter_that_was_forced(test: Table) -> None:
    forced(test, "main", 1_234_567)
    test.waits(1_100)
    dealer = Dealer(test)
    dealer.deals(3)
    dealer.claims(3, "straight flush")
    assert test.phase == "hold" and test.last(e.ClaimPriced).price.amount == 123_458
    dealer.presses("claim-paid", by=OKAFOR)
    assert test.last(e.ClaimPaid).payments[0].payout == 123_458
    dealer.presses("clear")
    assert not test.told and not test.state.neighbors.shares and not broken(test.state)
    assert not test.state.days.total.awards


def shown(table: Table) -> str:
    """The meter on the glass, where the bank's board says $777.00."""
    heard = (MeterHeard("main", "Jackpot", "777.00"),)
    words = screen(
        table.house, table.state, Live(meters=heard, meters_at="22:14"), frame_of(PANELS["1280x800"])
    ).widgets
    (rail,) = (widget for widget in words if widget.id == "rail-meters")
    _heading, name, amount = (line.text for line in rail.lines)
    assert name == "JACKPOT"
    return amount


def test_the_glass_of_a_test_shows_its_own_meter_and_after_live_the_banks(test: Table) -> None:
    assert shown(test) == "$10,000.00", "the seed, where nobody forced it"
    forced(test, "main", 1_234_567)
    test.waits(1_100)
    assert shown(test) == "$12,345.67"
    assert shown(Table().opens()) == "$777.00"
    Dealer(test).deals(3)
    assert test.replayed() == test.state


def test_a_meter_of_a_test_grows_by_its_wagers_and_gives_those_of_a_void_round_back(test: Table) -> None:
    forced(test, "main", 1_234_567)
    test.waits(1_100)
    dealer = Dealer(test)
    dealer.deals(1, 3, 5)
    assert shown(test) == "$12,346.30", "three times 21 cents (653a.12(d)(3))"
    dealer.presses("problem", "problem misdealt")
    dealer.presses("apply", by=DIAZ)
    assert test.phase == "void" and shown(test) == "$12,345.67"
    assert not test.told and test.replayed() == test.state


def test_bets_that_are_reopened_after_the_count_of_a_test_count_once() -> None:
    test = Table(house=house_of(level=1), live=False).opens()
    dealer = Dealer(test)
    dealer.presses("box 1", "box 3")
    dealer.deals(1, 3)
    assert shown(test) == "$10,000.42"
    dealer.presses("reopen")
    dealer.presses("reopen too-early", by=DIAZ)
    assert test.phase == "open" and shown(test) == "$10,000.00"
    dealer.deals(1, 3)
    assert shown(test) == "$10,000.42" and test.replayed() == test.state


def test_a_hit_of_a_test_takes_its_share_and_the_whole_meter_starts_with_its_seed(test: Table) -> None:
    forced(test, "main", 1_234_578)
    test.waits(1_100)
    dealer = Dealer(test)
    dealer.deals(3)
    dealer.claims(3, "straight flush")
    assert shown(test) == "$12,345.99", "it is paid first"
    dealer.presses("claim-paid", by=OKAFOR)
    assert shown(test) == "$11,111.40"
    dealer.presses("clear")
    test.seats(3).lift()
    dealer.deals(3)
    dealer.claims(3, "royal flush")
    assert test.last(e.ClaimPriced).price.amount == 1_111_161
    dealer.presses("claim-rejected", by=OKAFOR)
    assert shown(test) == "$11,111.61", "no winner takes nothing"
    dealer.claims(3, "royal flush")
    dealer.presses("claim-paid", by=OKAFOR)
    assert shown(test) == "$10,000.00"
    assert not test.told and not broken(test.state) and test.replayed() == test.state


def test_a_five_card_jackpot_of_a_test_starts_again_with_its_reserve() -> None:
    """653a.12(e)(4): as at the bank, and one share for each who backed the dealer's hand."""
    table = Table(house=house_of(five_card=True), live=False)
    fed = (("five_card", 13_000_005), ("five_card_reserve", 8_000_000))
    moved = live.told(table.house, table.state, Reversal(1, "653a.13"), fed)
    state = reduce(ahead, moved, table.state)
    prize = Prize("royal flush", "100%", "", meter="five_card", wager="five_card_dealer", backers=(5, 2))
    taken = dict(live.taken(table.house, state, prize).stand)
    assert taken["five_card"] == 8_000_000 + 5 and taken["five_card_reserve"] == 0
    names = [one.name for one in live.of_a_test(table.house, state, ())]
    assert names == ["main", "five_card"], "a reserve is never shown"


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
    dealer.sees_no("apply", by=DIAZ)
    table.press("apply", by=DIAZ)
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
    assert (message.seq, message.kind) == (1, "wagers") and message.made == {"progressive": [2]}
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
    assert "NOT LIVE" not in Table().opens().words()


class Trial(Shift):
    """A shift at a table that nobody said LIVE at; a technician has forced every meter."""

    def _write(self, events: Sequence[e.Event], after: TableState) -> None:
        assert not any(isinstance(event, e.MessageOwed) for event in events)
        if any(isinstance(event, e.TableLive) for event in events):
            forced = [e.MeterForced(meter, 1_234_567, "4001") for meter in self.house.submission.meters]
            events = [*events[:-1], *forced]
            after = reduce(evolve, events, self.state)
        super()._write(events, after)
        assert not broken(self.state)


@pytest.mark.slow
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
