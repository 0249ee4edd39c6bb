"""A gaming day is closed by a signed event with its totals; what is open is carried (`firmware/table/days`, `tally`)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from firmware.bank.ledger import Account
from firmware.proof.simulation.account import OF_METERS
from firmware.proof.simulation.account_law import Right
from firmware.proof.simulation.shifts.floor import between_rounds, close_table, open_table
from firmware.proof.simulation.shifts.houses import CHIEF
from firmware.proof.simulation.shifts.shift import Shift, play_round
from firmware.rules.games import books
from firmware.rules.money import Cents, Micros
from firmware.rules.payment import award
from firmware.table import events as e
from firmware.table.inputs import Pressed
from firmware.table.state import Amounts, Position, Prize, PrizeStatus, Round, Seat, TableState, Tally
from firmware.table.tally import added, counted, less
from tests.table.table import DEALER, DIAZ, Dealer, Table
from ui.dealer.frame import frame_of
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.pieces import Live
from ui.dealer.screens import screen
from ui.dealer.widgets import Tone

BOOKS = pytest.mark.parametrize("book", books())
YEARS_MS = 72 * 365 * 24 * 3600 * 1000
MONDAY, TUESDAY, WEDNESDAY = "2027-01-11", "2027-01-12", "2027-01-13"


def closes_day(table: Table, day: str, by: str = DIAZ) -> e.DayClosed | None:
    """TABLE, the key of the day, a signature: the event, None where it was refused. A panel of before is left."""
    closed = table.state.days.closed
    dealer = Dealer(table)
    dealer.presses(*({"back"} & table.pressable("").keys()), "problem table", "problem close-day")
    table.hears(Pressed("apply", by, table.clock, day))
    return table.last(e.DayClosed) if table.state.days.closed > closed else None


class Days(Shift):
    """A shift of several gaming days. `closings`: what was written at the end of each."""

    closings: tuple[e.DayClosed, ...] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.right: dict[int, Right] = {}
        """By round of the auditor: the law's settlement of the cards; `extra`: what it does not say a seat lost."""
        post = self.account._post

        def posts(right: Right | None) -> None:
            self.right.pop(self.account.books.round, None)
            if right is not None:
                books, named = self.account.books, {(one.seat, one.wager) for one in right.payments}
                extra = dict(right.extra) if self.house.level and not books.void else {}
                for seat, wager in books.rejected - named:  # two people found that it is no winner: it lost
                    extra[seat] = extra.get(seat, 0) + self.stake_of(wager)
                self.right[books.round] = right._replace(extra=extra)
            post(right)

        self.account._post = posts  # type: ignore[method-assign]

    def stake_of(self, wager: str) -> int:
        """Of a wager with a meter, in cents."""
        return self.house.submission.offers[wager].wager

    def plays(self, rounds: tuple[int, ...]) -> None:
        open_table(self)
        for day, number in enumerate(rounds, start=1):
            for _ in range(number):
                between_rounds(self)
                play_round(self)
            between_rounds(self, calm=True)
            self.press("problem close-day")
            events = self.take(Pressed("apply", CHIEF, self.now_s, f"2027-01-{day:02d}"))
            self.closings += tuple(one for one in events if isinstance(one, e.DayClosed))
        close_table(self)
        self.account.closes()


def won_by_players(tally: Tally) -> int:
    """Cents."""
    return sum(dict(tally.paid).values()) + sum(dict(tally.returned).values()) - sum(dict(tally.staked).values())


@BOOKS
@pytest.mark.slow
def test_the_totals_are_what_the_law_makes_of_the_cards(book: str) -> None:
    """An auditor saw cards, chips and screens, and no event: what players won by them is what the table says."""
    shift = Days(book, 6, trouble=3)
    shift.plays((6, 1, 9))
    total = shift.state.days.total
    known = [
        one for right in shift.right.values() for one in right.payments if shift.house.level or one.wager in OF_METERS
    ]
    of_left = sum(sum(right.extra.values()) for right in shift.right.values())
    assert won_by_players(total) == sum(one.payout + one.returned - one.stake for one in known) - of_left
    paid: Amounts = added((), ((one.wager, one.payout) for one in known))
    assert total.paid == paid
    assert total.rounds == 16
    if shift.bank:
        accounts = shift.bank.state.accounts
        fed = {
            meter: accounts.balance(Account.CONTRIBUTIONS, meter) - accounts.balance(Account.REVERSALS, meter)
            for meter in accounts.balances
        }
        assert dict(total.contributions) == {meter: micros for meter, micros in fed.items() if micros}
        awards = {meter: accounts.balance(Account.AWARDS, meter) for meter in accounts.balances}
        assert {meter: Micros(cents * 10_000) for meter, cents in total.awards} == {
            meter: micros for meter, micros in awards.items() if micros
        }


@BOOKS
@pytest.mark.slow
def test_the_days_together_are_all_that_happened(book: str) -> None:
    shift = Days(book, 5, trouble=3)
    shift.plays((4, 6, 2))
    assert [one.number for one in shift.closings] == [1, 2, 3]
    assert [one.totals.rounds for one in shift.closings] == [4, 6, 2]
    assert [one.perpetual.rounds for one in shift.closings] == [4, 10, 12]
    for before, after in zip(shift.closings, shift.closings[1:], strict=False):
        assert less(after.perpetual, before.perpetual) == after.totals
    staked: Amounts = ()
    for one in shift.closings:
        staked = added(staked, one.totals.staked)
    assert staked == shift.closings[-1].perpetual.staked and (staked or book in staked)
    late = Counter(kind for kind, _, _ in shift.rows)["LateWager"]
    assert shift.state.days.total.late == late


def test_653a_12e2_a_divided_share_counts_once_also_where_its_backer_was_paid_at_his_own_turn() -> None:
    """It stood among what his seat was settled for and among the prizes of the round, and was counted twice."""
    one, two = (award(n, "five_card_dealer", Cents(500), Cents(2_666_731), "100%", "", "653a.12(e)") for n in (1, 2))
    prize = Prize("royal flush", "100%", "653a.12(e)", (two,), "five_card", 100, status=PrizeStatus.PAID)
    box = Position((("ante", 1500),), final=(one,), settled=True)
    backed = (("five_card_dealer", 500),)
    round_ = Round(1, (Seat(backed, position=box), Seat(backed, prize=prize)), shares=(one,))
    total = counted(TableState(round=round_), e.RoundCleared(1, (), True)).total
    assert (total.paid, total.staked) == ((("five_card_dealer", 5_333_462),), (("five_card_dealer", 1_000),))


def test_only_the_floor_closes_a_gaming_day() -> None:
    table = Table().opens()
    assert closes_day(table, MONDAY, DEALER) is None
    assert "floorperson" in table.notice


def test_a_gaming_day_is_closed_once_and_one_that_was_missed_comes_first() -> None:
    table = Table().opens()
    first = closes_day(table, MONDAY)
    assert first and (first.day, first.number, first.by) == (MONDAY, 1, DIAZ)
    assert table.final == "DayClosed", "what the floor signed is not undone"
    assert closes_day(table, MONDAY) is None and f"Gaming day {MONDAY} is closed already." in table.notice
    late = closes_day(table, WEDNESDAY)
    assert late and late.day == TUESDAY, "the clock says Wednesday, Tuesday was not closed yet"


def test_a_clock_that_once_ran_ahead_leaves_no_day_that_cannot_be_closed() -> None:
    """It was set back since: the floor signs what the key says, and the number says which day it is."""
    table = Table().opens()
    table.now += YEARS_MS
    closes_day(table, "2099-05-04")
    assert closes_day(table, MONDAY) is None and "set the clock" in table.notice, "one of the two is wrong: which one?"
    table.now -= YEARS_MS
    again = closes_day(table, MONDAY)
    assert again and (again.day, again.number) == (MONDAY, 2)
    assert closes_day(table, MONDAY) is None, "once, as every day"
    later = closes_day(table, WEDNESDAY)
    assert later and (later.day, later.number) == (TUESDAY, 3)


def test_a_clock_behind_closes_no_day_and_no_date_comes_twice() -> None:
    """A machine without a battery says 2020 until a time server is heard: the closing waits, with its cure."""
    table = Table().opens()
    for day in (MONDAY, TUESDAY):
        assert closes_day(table, day)
    assert closes_day(table, "2020-01-01") is None
    assert table.notice == (
        f"The clock says 2020-01-01, but {TUESDAY} is closed already. Have a technician set the clock, then close the day."
    )
    later = closes_day(table, WEDNESDAY)
    assert later and (later.day, later.number) == (WEDNESDAY, 3)


def test_the_table_key_asks_for_the_closing_of_a_day_that_is_over() -> None:
    table = Table().opens()

    def border(day: str) -> Tone | None:
        shown = screen(table.house, table.state, Live(day=day), frame_of(SEVEN_INCH))
        return next(one.border for one in shown.widgets if one.id == "table")

    assert border(MONDAY) is None, "nobody has ever closed a day here"
    closes_day(table, MONDAY)
    assert border(MONDAY) is None and border(TUESDAY) is None, "Tuesday is being played"
    assert border(WEDNESDAY) is Tone.CAUTION, "Tuesday is over"
    closes_day(table, WEDNESDAY)
    assert border(WEDNESDAY) is None


def test_the_key_and_what_is_signed_say_which_day_is_closed() -> None:
    """A day that was missed is closed first: who signs has to see that it is not today's."""
    table = Table().opens()
    closes_day(table, MONDAY)

    def said() -> list[str]:
        shown = screen(table.house, table.state, Live(day=WEDNESDAY), frame_of(SEVEN_INCH))
        return [line.text for widget in shown.widgets for line in widget.lines]

    for word in ("problem table", "problem close-day"):
        table.hears(Pressed(word, "", table.clock, WEDNESDAY))
        assert f"Close the gaming day {TUESDAY}" in said(), word


def test_an_undone_press_counts_nothing_and_a_power_cut_forgets_nothing() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    table.seats(2).place()
    dealer.presses("no-more-bets", "count 0", "seat 2", "settle taken-back")
    counted = table.state.days.total
    assert counted.differences == 1
    table.restarts()
    assert table.state.days.total == counted


def test_a_chip_that_comes_late_is_counted() -> None:
    table = Table().opens()
    Dealer(table).presses("no-more-bets")
    table.seats(4).place()
    closed = closes_day_of_the_next_round(table)
    assert closed.totals.late == 1 and closed.totals.rounds == 1 and not closed.totals.staked


def closes_day_of_the_next_round(table: Table) -> e.DayClosed:
    """The round is cleared, and its day is closed."""
    table.seats(4).lift()
    Dealer(table).presses("clear")
    closed = closes_day(table, MONDAY)
    assert closed is not None, table.notice
    return closed


def test_a_round_with_wagers_and_what_is_owed_are_carried_over() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    table.link(True)
    table.seats(2).place()
    round_ = table.state.round.number
    closed = closes_day(table, MONDAY)
    assert closed and closed.round == round_ and closed.totals.rounds == 0
    assert table.lit == (2,), "the wager stands"
    dealer.presses("no-more-bets", "count 1", "clear")
    following = closes_day(table, TUESDAY)
    assert following and following.totals.rounds == 1 and dict(following.totals.staked) == {"progressive": 100}
    assert following.seq >= 1 and following.held <= following.seq


def test_a_claim_that_waits_is_carried_over_by_name() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    table.seats(2).place()
    dealer.presses("no-more-bets", "count 1")
    dealer.claims(2, "royal flush")
    closed = closes_day(table, MONDAY)
    assert closed and len(closed.claims) == 1 and closed.claims[0].startswith(table.state.program.table)
    assert not closed.totals.awards
