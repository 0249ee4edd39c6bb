"""What is paid is what was frozen: a verdict says it, and a bank that had priced otherwise books it and raises an alarm."""

from __future__ import annotations

import pytest

from firmware.bank.events import ClaimPaid, ClaimPaidOtherwise
from firmware.bank.inputs import Started
from firmware.bank.ledger import Account, verify
from tests.bank.casino import AT, Bank, Table, maryland, rules

DOLLAR = 1_000_000
EPOCH_AFTER = "f" * 32


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def other() -> Table:
    return Table("uth-02", "b" * 32)


def restored() -> Bank:
    """A bank whose ledger is the first day's, put back from a backup that was made before anything was played."""
    bank = Bank(rules("A"))
    bank.told(Started(AT, EPOCH_AFTER, restored=True))
    return bank


def paid_before_the_crash(table: Table, other: Table) -> None:
    """The other table's wagers feed the meter, then a royal flush at this one is paid."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    for round in range(1, 40):
        bank.hears(other, other.wagers(round, 1, 2, 3, 4, 5, 6))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert isinstance(bank.hears(table, table.verdict(1, 3, paid=True))[0], ClaimPaid)
    assert bank.amounts(table) == [("paid", "10049.35")] and bank.meter() == 10_000 * DOLLAR


def test_a_restored_bank_that_hears_the_tables_in_another_order_books_what_was_paid(table: Table, other: Table) -> None:
    """Paid by the cage $10,049.35; the restored ledger said $10,000.21, paid, and nobody was told."""
    paid_before_the_crash(table, other)
    bank = restored()
    bank.hears_all(table)
    (paid,) = (event for event in bank.events if isinstance(event, ClaimPaidOtherwise))
    assert bank.alarm(table) == "amount" and bank.alarm(other) is None
    assert "paid 10049.35 of main" in paid.text and "this ledger has 10000.21" in paid.text
    assert bank.amounts(table) == [("paid", "10049.35")]
    assert bank.account(Account.AWARDS) == 10_049_350_000 and bank.account(Account.PENDING) == 0
    bank.hears_all(other)
    assert bank.meter() == 10_000 * DOLLAR, "the meter is what it was before the crash"
    assert bank.account(Account.TRANSFERS) == bank.account(Account.ADVANCES) == 0
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_a_share_that_the_meter_does_not_hold_yet_is_advanced_and_its_wagers_fill_that_first() -> None:
    offer = maryland(rate="50", seed="10.00")
    table, other = Table(paytable="only"), Table("uth-02", "b" * 32, paytable="only")
    before, after = Bank(offer), Bank(offer)
    after.told(Started(AT, EPOCH_AFTER, restored=True))
    before.hears(table, table.wagers(1, 3))
    for round in range(1, 11):
        before.hears(other, other.wagers(round, 1, 2, 3, 4, 5, 6))
    before.hears(table, table.claim(1, 3, "royal flush"))
    before.hears(table, table.verdict(1, 3, paid=True))
    assert before.amounts(table) == [("paid", "40.50")]
    after.hears_all(table)
    assert after.amounts(table) == [("paid", "40.50")]
    assert (after.meter(), after.account(Account.ADVANCES)) == (0, -20 * DOLLAR)
    assert verify(after.ledger) == after.state.accounts
    after.hears_all(other)
    assert after.meter() == before.meter() == 10 * DOLLAR
    assert after.account(Account.ADVANCES) == 0
    assert verify(after.ledger) == after.state.accounts


def test_less_paid_than_this_ledger_has_goes_back_on_the_meter(table: Table, other: Table) -> None:
    paid_before_the_crash(table, other)
    bank = restored()
    bank.hears_all(other)
    late = Table("uth-03", "c" * 32)
    bank.hears(late, late.wagers(1, 6))
    bank.hears_all(table)
    assert bank.alarm(table) == "amount"
    assert bank.amounts(table) == [("paid", "10049.35")]
    assert bank.meter() == 10_000 * DOLLAR + 210_000, "the third table's wager came after the win"


def test_more_than_this_very_ledger_had_frozen_is_no_meters_money(table: Table) -> None:
    """A table that paid a price which the bank never gave: the meter is the players', the difference the house's."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "1000000.00"}))
    assert bank.alarm(table) == "amount"
    assert bank.account(Account.AWARDS) == 1_000_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == -989_999_790_000
    assert bank.meter() == 10_000 * DOLLAR
    assert verify(bank.ledger) == bank.state.accounts


def test_what_was_paid_from_another_meter_is_booked_and_told() -> None:
    bank, table = Bank(rules("B")), Table(paytable="B")
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"meter": "major"}))
    assert bank.alarm(table) == "amount"
    assert bank.amounts(table) == [("paid", "10000.11")]


def test_a_second_verdict_with_another_amount_is_an_alarm_and_pays_nothing(table: Table) -> None:
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    before = bank.state.accounts
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "10000.22"}))
    assert bank.alarm(table) == "amount"
    assert bank.state.accounts == before
