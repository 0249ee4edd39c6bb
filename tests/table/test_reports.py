"""What a table tells its bank that moves no meter (`firmware/table/reports`): with what it tells of, once, in order."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.table import events as e
from firmware.table.inputs import Pressed
from tests.table.procedures.test_five_card import dealt as dealt_five
from tests.table.table import DIAZ, OKAFOR, Dealer, Message, Table
from tests.table.test_winners import at_envy, dealt

PRIZE = {
    "seat": 5,
    "wager": "progressive",
    "result": "win",
    "stake": "1.00",
    "returned": "0.00",
    "payout": "50.00",
    "cite": "653a.12(d)(1)",
    "odds": "50 for 1",
    "source": "rack",
    "floor": True,
}


def told(table: Table, kind: str) -> list[dict[str, Any]]:
    """The bodies of its messages of that kind, without the time of day."""
    return [_timeless(one) for one in table.told if one.kind == kind]


def _timeless(message: Message) -> dict[str, Any]:
    assert message.kind == "count" or message.body["at"] > 1_700_000_000
    return {key: value for key, value in message.body.items() if key != "at"}


def paid_flush() -> tuple[Table, Dealer]:
    table, dealer = dealt(2, 5)
    dealer.names(5, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    return table, dealer


def test_a_fixed_prize_is_told_as_the_law_paid_it_in_the_transaction_that_books_it() -> None:
    table, _ = paid_flush()
    (payment,) = told(table, "payment")
    assert payment["round"] == 1 and payment["what"] == "prize" and "corrected" not in payment
    (line,) = payment["lines"]
    due = table.last(e.PrizePaid).payment
    assert line.keys() == PRIZE.keys() and line["payout"] == f"{due.payout // 100}.00" and line["cite"] == due.cite
    kinds = [type(event) for event in table.happened]
    assert kinds[-2:] == [e.PrizePaid, e.MessageOwed]
    assert table.final == "PrizePaid", "what to do instead of UNDO is what it was"


def test_a_corrected_prize_is_taken_back_by_the_same_lines_with_the_reason() -> None:
    table, dealer = paid_flush()
    dealer.presses("problem", "problem correct", "correct 5")
    dealer.presses("correct 5 wrong-seat", by=OKAFOR)
    paid, back = told(table, "payment")
    assert back == {**paid, "corrected": "wrong-seat", "by": "3001"}
    table.bank.listens()
    assert not table.bank.paid


def test_envy_bonuses_are_told_and_taken_back_when_they_went_to_a_wrong_seat() -> None:
    table, dealer = at_envy(1, 3, 4)
    dealer.presses("envy-paid", by=DIAZ)
    (payment,) = told(table, "payment")
    assert payment["what"] == "envy" and payment["by"] == "2001"
    assert [(one["seat"], one["for_seat"], one["wager"]) for one in payment["lines"]] == [
        (4, 3, "envy"),
        (1, 3, "envy"),
    ]
    dealer.presses("problem", "problem envy")
    dealer.presses("apply", by=DIAZ)
    assert told(table, "payment")[1] == {**payment, "corrected": "wrong-seat"}
    dealer.presses("envy-paid", by=DIAZ)
    assert told(table, "payment")[2] == payment
    table.bank.listens()
    assert len(table.bank.paid) == 2


def test_accounts_are_told_and_a_credit_once() -> None:
    dealer = dealt_five(own=(2,))
    table = dealer.table
    assert told(table, "account") == [{"seat": 2, "move": "buy-in", "amount": "5.00"}] * 4
    dealer.presses("seat 2", "five own flush")
    (credit,) = told(table, "payment")
    assert credit["what"] == "credit" and credit["lines"][0]["source"] == "account"
    dealer.presses("problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    assert told(table, "payment")[1] == {**credit, "corrected": "wrong-credit", "by": "2001"}
    table.bank.listens()
    assert not table.bank.paid
    dealer.presses("back", "seat 2", "clear")
    dealer.presses("account 1", "account 2", "cash-out")
    assert told(table, "account")[-1] == {"seat": 2, "move": "cash-out", "amount": "19.00"}


def test_late_chips_and_differences_are_told_with_the_next_message_that_is_final() -> None:
    """Until then UNDO may take a difference back, and tells nobody."""
    table = Table().opens()
    dealer = Dealer(table)
    table.seats(1, 2).place()
    dealer.presses("no-more-bets")
    table.seats(6).place()
    dealer.presses("count 1", "seat 2", "settle no-chip")
    (count,) = told(table, "count")
    assert count["differences"] == [{"round": 1, "seat": 2, "wager": "progressive", "outcome": "no chip"}]
    assert [(one["round"], one["seat"], one["lit"]) for one in count["late"]] == [(1, 6, False)]
    assert count["late"][0]["ms"] > 0 and not table.state.neighbors.untold.late
    assert [one.kind for one in table.told] == ["wagers", "count"]


def test_a_late_chip_of_the_deal_is_told_with_the_next_lock_and_undo_goes_on() -> None:
    table, dealer = dealt(2)
    table.seats(5).place()
    assert not told(table, "count")
    dealer.presses("seat 2", "undo", "clear")
    table.seats(5).lift()
    dealer.presses("no-more-bets")
    (count,) = told(table, "count")
    assert [(one["round"], one["seat"]) for one in count["late"]] == [(1, 5)]


def test_a_closed_day_is_told_with_its_totals_after_what_they_count() -> None:
    table, dealer = dealt(2)
    table.seats(5).place()
    dealer.presses("clear", "problem table", "problem close-day")
    table.hears(Pressed("apply", DIAZ, table.clock, "2027-01-11"))
    count, day = table.told[-2:]
    assert (count.kind, day.kind) == ("count", "day")
    closed = table.last(e.DayClosed)
    assert (day.body["day"], day.body["number"], day.body["by"]) == ("2027-01-11", 1, DIAZ)
    totals = day.body["totals"]
    assert totals == day.body["perpetual"] and (totals["rounds"], totals["late"]) == (1, 1)
    fed = [{"name": name, "micros": micros} for name, micros in closed.totals.contributions]
    assert totals["contributions"] == fed and fed


@pytest.mark.parametrize("up", [False, True])
def test_a_table_without_a_link_plays_on_and_keeps_what_it_owes(up: bool) -> None:
    table, dealer = dealt(2, 5)
    table.link(up)
    dealer.names(5, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    assert table.state.round.number == 2 and table.phase == "open"
    assert [one.kind for one in table.told][-1] == "payment"
