"""What is paid is what was frozen: a verdict says it, and a bank that had priced otherwise books it and raises an alarm."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bank import wire
from firmware.bank.decide import held_verdict
from firmware.bank.events import ClaimPaid, ClaimPaidOtherwise, DebtStands, RepetitionHeld
from firmware.bank.inputs import AdoptionSigned, Started, VerdictSigned
from firmware.bank.ledger import Account, verify
from firmware.proof.rehearse.bank import Bank as Rehearsed
from firmware.wire.payload import hash_of
from tests.bank.casino import AT, EPOCH, Bank, Table, maryland, rules

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
    assert "paid $10,049.35 of main" in paid.text and "the bank had $10,000.21" in paid.text
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
    assert after.alarm(table) == "verdict", "three times its price: two people look"
    held = held_verdict(after.state, "uth-01:1:3:1")
    assert held is not None
    after.told(VerdictSigned(AT, "uth-01:1:3:1", True, ("2001", "3001"), held.position.seq, held.position.hash))
    assert after.amounts(table) == [("paid", "40.50")]
    assert (after.meter(), after.account(Account.ADVANCES)) == (0, -20 * DOLLAR)
    assert verify(after.ledger) == after.state.accounts
    after.hears_all(other)
    assert after.meter() == before.meter() == 10 * DOLLAR
    assert after.account(Account.ADVANCES) == 0
    assert verify(after.ledger) == after.state.accounts


@pytest.mark.parametrize("amount", ["10500.22", "19999.99", "99999999.99"])
def test_an_epoch_of_before_a_restore_empties_no_meter_by_itself(table: Table, other: Table, amount: str) -> None:
    """$99,999,999.99 by the name of the ledger before: the meter was emptied, and the next royal flush priced $0.00."""
    bank = restored()
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": amount, "epoch": EPOCH}))
    assert bank.alarm(table) == "verdict"
    assert "this ledger's price is $10,000.21, and a restore explains no such difference" in str(bank.events[-1])
    bank.hears(other, other.wagers(1, 1))
    bank.hears(other, other.claim(1, 1, "royal flush"))
    assert bank.amounts(other) == [("pending", "10000.21")]
    held = held_verdict(bank.state, "uth-01:1:3:1")
    assert held is not None
    bank.told(VerdictSigned(AT, "uth-01:1:3:1", False, ("2001", "3001"), held.position.seq, held.position.hash))
    assert bank.account(Account.AWARDS) == 0 and bank.account(Account.ADVANCES) == 0, "refused, it was no winner"
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_what_a_restore_explains_by_itself_is_a_twentieth_of_the_seed(table: Table) -> None:
    bank = restored()
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "10500.21", "epoch": EPOCH}))
    assert bank.alarm(table) == "amount" and bank.meter() == 9_500 * DOLLAR


def test_less_by_a_ledger_that_a_second_restore_forgot_is_no_debt_of_the_cages(table: Table) -> None:
    """Two restores from one backup: the second ledger did not know the first one's name, and $1.26 were owed to a winner."""
    bank = restored()
    bank.hears(table, table.wagers(1, 1, 2, 3, 4, 5, 6))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "10000.00", "epoch": "d" * 32}))
    assert bank.alarm(table) == "verdict" and bank.account(Account.OWED) == 0
    assert "ledger dddddddd is none that a restore announced" in str(bank.events[-1])
    held = held_verdict(bank.state, "uth-01:1:3:1")
    assert held is not None
    bank.told(VerdictSigned(AT, "uth-01:1:3:1", True, ("2001", "3001"), held.position.seq, held.position.hash))
    assert bank.amounts(table) == [("paid", "10000.00")] and bank.account(Account.OWED) == 0
    assert bank.meter() == 10_001_260_000, "what was not paid is the meter's"
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_a_second_restore_that_is_told_the_first_ones_name_explains_its_prices(table: Table) -> None:
    """The same, and the file beside the ledger has kept the name: nobody has to look, and nobody is owed."""
    bank = Bank(rules("A"))
    bank.told(Started(AT, EPOCH_AFTER, restored=True, forgotten=("d" * 32,)))
    assert bank.state.before == (EPOCH, "d" * 32)
    bank.hears(table, table.wagers(1, 1, 2, 3, 4, 5, 6))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "10000.00", "epoch": "d" * 32}))
    assert bank.alarm(table) == "amount" and bank.account(Account.OWED) == 0
    assert bank.meter() == 10_001_260_000 and bank.replayed() == bank.state


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


@pytest.mark.parametrize("price", [{"epoch": "d" * 32}, {"version": 1}, {"epoch": "d" * 32, "version": 2**53 - 1}])
@pytest.mark.parametrize("amount", ["9999.00", "99999999.99"])
def test_a_price_that_no_known_ledger_ever_said_takes_nothing_off_the_meter(
    table: Table, other: Table, price: dict[str, Any], amount: str
) -> None:
    """$9,999.00 said to be paid for a share of $1,000.02 left 1.42 on the meter, and the next royal flush won nothing."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "straight flush"))
    before = bank.meter()
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": amount, **price}))
    assert bank.alarm(table) == "amount" and bank.amounts(table) == [("paid", amount)]
    cents = int(amount.replace(".", ""))
    assert bank.account(Account.AWARDS) == cents * 10_000
    assert bank.account(Account.TRANSFERS) == -(cents - 100_002) * 10_000, "the house's, by name"
    assert bank.meter() == before and bank.account(Account.ADVANCES) == 0
    bank.hears(other, other.wagers(1, 1))
    bank.hears(other, other.claim(1, 1, "royal flush"))
    assert bank.amounts(other) == [("pending", "9000.40")]
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_a_wrong_claim_that_is_rejected_leaves_no_account_below_zero_where_the_house_had_paid_more(
    table: Table, other: Table
) -> None:
    bank = two_royal_flushes(table, other)
    bank.hears(other, other.verdict(499, 4, paid=True, price={"amount": "1000000.00", "version": 1}))
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.account(Account.OWED) == 0 and bank.meter() == 10_628_950_000
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


# Less than the price stays owed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("price", [{}, {"version": 1}, {"epoch": "d" * 32}])
@pytest.mark.parametrize("amount", ["0.00", "4000.00"])
def test_what_was_paid_less_than_this_ledger_had_frozen_stays_owed_and_is_no_meters(
    table: Table, price: dict[str, Any], amount: str
) -> None:
    """Of $0.00, then $10,000.21, the meter kept all, and the house paid it a second time."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": amount, **price}))
    less = int(amount.replace(".", "")) * 10_000
    assert bank.alarm(table) == "amount" and bank.meter() == 10_000 * DOLLAR
    assert (bank.account(Account.AWARDS), bank.account(Account.OWED)) == (less, 10_000_210_000 - less)
    (held,) = wire.down(bank.state, table.name).claims
    assert (held.amount, held.owed * 10_000) == (1_000_021, 10_000_210_000 - less)
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts
    (paid,) = bank.hears(table, table.verdict(1, 3, paid=True))
    assert isinstance(paid, ClaimPaid) and bank.account(Account.OWED) == 0
    assert bank.account(Account.AWARDS) == 10_000_210_000 and bank.meter() == 10_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == 0 and verify(bank.ledger) == bank.state.accounts


def test_what_was_paid_less_is_raised_like_any_other_when_an_earlier_claim_was_no_winner(
    table: Table, other: Table
) -> None:
    bank = two_royal_flushes(table, other)
    bank.hears(other, other.verdict(499, 4, paid=True, price={"amount": "0.00"}))
    assert bank.account(Account.OWED) == 10_000 * DOLLAR
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.account(Account.OWED) == 10_628_950_000 and bank.meter() == 10_000 * DOLLAR
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_what_was_paid_from_another_meter_is_booked_and_told() -> None:
    bank, table = Bank(rules("B")), Table(paytable="B")
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True, price={"meter": "major"}))
    assert bank.alarm(table) == "amount"
    assert bank.amounts(table) == [("paid", "10000.11")]


def test_a_second_verdict_with_another_amount_is_an_alarm_more_is_booked_and_less_takes_nothing_back(
    table: Table,
) -> None:
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    before = bank.state.accounts
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "10000.20"}))
    assert bank.alarm(table) == "amount" and bank.state.accounts == before
    bank.adopts(table, "3001", "4001")
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "10000.22"}))
    assert bank.alarm(table) == "amount"
    assert bank.account(Account.AWARDS) == 10_000_220_000 and bank.meter() == 10_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == -10_000
    assert verify(bank.ledger) == bank.state.accounts


# A wrong claim takes nothing from the next true winner ---------------------------------------------------------------


def two_royal_flushes(table: Table, other: Table) -> Bank:
    """The meter holds 10,628.95; a wrong claim takes it, and a true one at the other table finds the reseed."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 1))
    for round in range(1, 500):
        bank.hears(other, other.wagers(round, 1, 2, 3, 4, 5, 6))
    bank.hears(table, table.claim(1, 1, "royal flush"))
    bank.hears(other, other.claim(499, 4, "royal flush"))
    assert bank.amounts(table) == [("pending", "10628.95")]
    assert bank.amounts(other) == [("pending", "10000.00")]
    return bank


@pytest.fixture
def bank(table: Table, other: Table) -> Bank:
    return two_royal_flushes(table, other)


def test_when_a_wrong_claim_is_rejected_the_later_one_has_the_price_that_was_its_own(
    bank: Bank, table: Table, other: Table
) -> None:
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.amounts(other) == [("pending", "10628.95")]
    assert bank.meter() == 10_000 * DOLLAR and bank.account(Account.SEEDS) == 20_000 * DOLLAR
    assert bank.account(Account.PENDING) == 10_628_950_000 and bank.account(Account.OWED) == 0
    assert bank.alarm(table) is bank.alarm(other) is None, "the price is a higher one, nobody was paid too little"
    assert wire.board(bank.state, AT).pending[0].amount == 1_062_895
    (held,) = wire.down(bank.state, "uth-02").claims
    assert (held.amount, held.owed, held.version) == (1_062_895, 0, bank.state.version)
    other.prices.clear()
    other.told(bank.state)
    bank.hears(other, other.verdict(499, 4, paid=True))
    assert bank.amounts(other) == [("paid", "10628.95")] and bank.alarm(other) is None
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_the_board_says_enough_for_a_price_that_is_raised_above_all_that_the_meter_held(
    table: Table, other: Table
) -> None:
    """Between the wrong claim and the true one more wagers came: no table refuses what the winner would have got."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 1))
    bank.hears(table, table.claim(1, 1, "royal flush"))
    bank.hears(other, other.wagers(1, 1, 2, 3, 4, 5, 6))
    bank.hears(other, other.claim(1, 4, "royal flush"))
    assert bank.amounts(other) == [("pending", "10001.26")]
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.amounts(other) == [("pending", "10001.47")]
    assert wire.board(bank.state, AT).meters[0].most == 1_000_147


def test_a_true_winner_who_was_paid_before_is_owed_the_rest_by_name_until_it_is_paid(
    bank: Bank, table: Table, other: Table
) -> None:
    """He was paid $10,000.00 instead of $10,628.95, and nobody was told."""
    bank.hears(other, other.verdict(499, 4, paid=True))
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.alarm(other) == "owed" and bank.alarm(table) is None
    assert "uth-02:499:4:1 is owed $628.95 more" in wire.down(bank.state, "uth-02").alarm.text  # type: ignore[union-attr]
    assert bank.account(Account.OWED) == 628_950_000 and bank.account(Account.AWARDS) == 10_000 * DOLLAR
    owed = [entry for entry in bank.ledger if entry.account is Account.OWED]
    assert [(entry.table, entry.round, entry.meter) for entry in owed] == [("uth-02", 499, "main")]
    assert bank.meter() == 10_000 * DOLLAR and bank.account(Account.SEEDS) == 20_000 * DOLLAR
    bank.adopts(other, "3001", "4001")
    (held,) = wire.down(bank.state, "uth-02").claims
    assert (held.status, held.amount, held.owed) == ("paid", 1_062_895, 62_895), "the alarm is over, the debt is not"
    bank.hears(other, other.verdict(499, 4, paid=True, by=("2001",), price={"amount": "10628.95"}))
    assert bank.account(Account.OWED) == 628_950_000, "one person cannot pay it"
    bank.hears(other, other.verdict(499, 4, paid=True, price={"amount": "10628.95"}))
    assert bank.account(Account.OWED) == 0 and bank.account(Account.AWARDS) == 10_628_950_000
    assert [won.amount for won in wire.board(bank.state, AT).won] == [1_062_895]
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_a_table_that_paid_before_it_heard_of_the_raise_is_owed_the_rest_and_paid_nothing_wrong(
    bank: Bank, table: Table, other: Table
) -> None:
    bank.hears(table, table.verdict(1, 1, paid=False))
    bank.hears(other, other.verdict(499, 4, paid=True))
    assert bank.account(Account.OWED) == 628_950_000 and bank.account(Account.AWARDS) == 10_000 * DOLLAR
    assert bank.alarm(other) == "owed"
    assert verify(bank.ledger) == bank.state.accounts


def test_of_two_wrong_claims_the_true_winner_gets_what_both_had_taken(bank: Bank, table: Table, other: Table) -> None:
    third = Table("uth-03", "c" * 32)
    bank.hears(third, third.wagers(1, 2))
    bank.hears(third, third.claim(1, 2, "royal flush"))
    assert bank.amounts(third) == [("pending", "10000.21")]
    bank.hears(other, other.verdict(499, 4, paid=False))
    assert bank.amounts(third) == [("pending", "10000.21")], "it had found the reseed of the first one"
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.amounts(third) == [("pending", "10629.16")]
    assert bank.meter() == 10_000 * DOLLAR
    assert verify(bank.ledger) == bank.state.accounts


def test_a_rehearsal_expects_of_a_pending_claim_what_it_was_raised_to(table: Table, other: Table) -> None:
    stage = Rehearsed(rules("A"), EPOCH, AT)
    for said in (table.wagers(1, 1), table.claim(1, 1, "royal flush")):
        stage.hear(table.name, said.decode(), AT)
    for said in (other.wagers(1, 1), other.claim(1, 1, "royal flush")):
        stage.hear(other.name, said.decode(), AT)
    assert stage.pending("main") == 1_000_021 + 1_000_021
    stage.hear(table.name, table.verdict(1, 1, paid=False).decode(), AT)
    assert stage.pending("main") == 1_000_042


# What is owed is paid once, or stays by name -------------------------------------------------------------------------


@pytest.fixture
def owing(bank: Bank, table: Table, other: Table) -> Bank:
    """The true winner was paid $10,000.00 and is owed $628.95 more."""
    bank.hears(other, other.verdict(499, 4, paid=True))
    bank.hears(table, table.verdict(1, 1, paid=False))
    other.prices.clear()
    other.told(bank.state)
    return bank


def test_the_second_payment_counts_once_and_ends_the_alarm(owing: Bank, other: Table) -> None:
    (paid,) = owing.hears(other, other.verdict(499, 4, paid=True))
    assert isinstance(paid, ClaimPaid) and owing.account(Account.OWED) == 0
    assert owing.account(Account.AWARDS) == 10_628_950_000 and owing.alarm(other) is None
    before = owing.state
    assert owing.hears(other, other.said[-1]) == () and owing.state == before
    (again,) = owing.hears(other, other.verdict(499, 4, paid=True))
    assert isinstance(again, RepetitionHeld) and owing.state.accounts == before.accounts
    assert verify(owing.ledger) == owing.state.accounts == owing.replayed().accounts


def gone(other: Table) -> bytes:
    return other.verdict(499, 4, paid=True, price={"amount": "10000.00", "gone": True})


def test_a_player_who_has_gone_stays_owed_by_name_until_he_is_paid(owing: Bank, other: Table) -> None:
    (stands,) = owing.hears(other, gone(other))
    assert isinstance(stands, DebtStands) and stands.by == ("2001", "3001")
    assert owing.account(Account.OWED) == 628_950_000 and owing.alarm(other) is None
    (held,) = wire.down(owing.state, other.name).claims
    assert held.gone and held.owed == 62_895
    owing.restarts()
    assert wire.down(owing.state, other.name).claims == (held,)
    (again,) = owing.hears(other, gone(other))
    assert isinstance(again, RepetitionHeld)
    (first,) = owing.hears(other, other.verdict(499, 4, paid=True, price={"amount": "10000.00"}))
    assert isinstance(first, RepetitionHeld) and wire.down(owing.state, other.name).claims == (held,)
    owing.hears(other, other.verdict(499, 4, paid=True))
    assert owing.account(Account.OWED) == 0 and not wire.down(owing.state, other.name).claims[0].gone
    assert verify(owing.ledger) == owing.state.accounts == owing.replayed().accounts


@pytest.mark.parametrize("journal", ["b" * 32, "d" * 32])
def test_who_adopts_a_table_for_another_reason_does_not_end_what_is_owed(
    owing: Bank, other: Table, journal: str
) -> None:
    """Two people looked at a void round, and with it the debt was gone from the table's alarms."""
    owing.hears(other, other.void(77))
    assert owing.alarm(other) == "void"
    owing.told(AdoptionSigned(AT, other.name, journal, ("3001", "4001")))
    said = wire.down(owing.state, other.name)
    assert said.alarm is not None and (said.alarm.kind, said.alarm.journal) == ("owed", journal)
    assert "uth-02:499:4:1 is owed $628.95 more" in said.alarm.text
    assert len(owing.state.book(other.name).alarms) == 1 and owing.replayed() == owing.state


def test_a_debt_that_grows_has_one_alarm_with_all_of_it(table: Table, other: Table) -> None:
    bank, third = two_royal_flushes(table, other), Table("uth-03", "c" * 32)
    bank.hears(third, third.wagers(1, 2))
    bank.hears(third, third.claim(1, 2, "royal flush"))
    bank.hears(third, third.verdict(1, 2, paid=True, price={"amount": "0.00"}))
    bank.adopts(third, "3001", "4001")
    bank.hears(other, other.verdict(499, 4, paid=False))
    bank.hears(table, table.verdict(1, 1, paid=False))
    (alarm,) = bank.state.book(third.name).alarms
    assert alarm.kind == "owed" and "uth-03:1:2:1 is owed $10,629.16 more" in alarm.text
    bank.hears(third, third.verdict(1, 2, paid=True, price={"amount": "10629.16"}))
    assert bank.alarm(third) is None and bank.account(Account.OWED) == 0


def test_nobody_is_gone_of_whom_nothing_is_owed(owing: Bank, other: Table) -> None:
    owing.hears(other, other.verdict(499, 4, paid=True))
    before = owing.state.accounts
    (repeated,) = owing.hears(other, gone(other))
    assert isinstance(repeated, RepetitionHeld) and owing.state.accounts == before and owing.alarm(other) is None


def test_that_he_has_gone_is_held_too_where_nobody_known_says_so(owing: Bank, other: Table) -> None:
    owing.hears(
        other, other.verdict(499, 4, paid=True, by=("2001", "nobody"), price={"amount": "10000.00", "gone": True})
    )
    assert owing.alarm(other) == "verdict", "before what is owed: the other closes no bets"
    (stands,) = owing.told(
        VerdictSigned(AT, "uth-02:499:4:1", True, ("3001", "4001"), len(other.said), hash_of(other.said[-1]))
    )
    assert isinstance(stands, DebtStands) and owing.alarm(other) is None
    assert wire.down(owing.state, other.name).claims[0].gone


def test_another_alarm_comes_before_what_is_owed(owing: Bank, other: Table) -> None:
    assert owing.alarm(other) == "owed"
    owing.hears(other, other.void(77))
    assert owing.alarm(other) == "void"


def a_straight_flush_at(bank: Bank, table: Table, round: int, seat: int = 1) -> str:
    """A tenth of the meter is claimed in a round in which that seat alone wagered: what `down` says of it first."""
    bank.hears(table, table.wagers(round, seat))
    bank.hears(table, table.claim(round, seat, "straight flush"))
    return str(table.prices[f"{table.name}:{round}:{seat}:1"]["amount"])


def test_a_claim_that_was_paid_by_the_price_before_a_restore_is_owed_nothing_where_an_earlier_one_was_wrong(
    table: Table, other: Table
) -> None:
    """The restore had explained the difference, and it went back to the meter: a wrong claim owed it to the player again."""
    bank = restored()
    assert a_straight_flush_at(bank, other, 1) == "1000.02"
    assert a_straight_flush_at(bank, table, 1) == "900.04"
    bank.hears(table, table.verdict(1, 1, paid=True, price={"amount": "890.00", "epoch": EPOCH}))
    bank.hears(other, other.verdict(1, 1, paid=False))
    assert bank.amounts(table) == [("paid", "890.00")] and bank.account(Account.OWED) == 0
    assert bank.alarm(table) == "amount"
    assert bank.meter() == (10_000 - 890) * DOLLAR + 2 * 210_000, "what the wrong claim took is there again"
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_a_claim_that_was_paid_twice_by_other_prices_took_once_what_it_took(table: Table, other: Table) -> None:
    """The second payment made a wrong claim leave $10.04 too much on the meter."""
    bank = restored()
    a_straight_flush_at(bank, other, 1)
    a_straight_flush_at(bank, table, 1)
    for amount in ("890.00", "900.00"):
        bank.hears(table, table.verdict(1, 1, paid=True, price={"amount": amount, "epoch": EPOCH}))
    bank.hears(other, other.verdict(1, 1, paid=False))
    assert bank.amounts(table) == [("paid", "900.00")]
    assert bank.meter() == (10_000 - 900) * DOLLAR + 2 * 210_000


def test_what_a_wrong_reseed_gave_to_a_later_claim_is_not_taken_off_the_meter_when_it_was_paid_otherwise(
    table: Table, other: Table
) -> None:
    """The house had put it there. A second wrong claim took it off the meter after all."""
    bank, wrong = Bank(rules("A")), Table("uth-03", "c" * 32)
    assert a_straight_flush_at(bank, other, 1) == "1000.02"
    bank.hears(wrong, wrong.wagers(1, 2))
    bank.hears(wrong, wrong.claim(1, 2, "royal flush"))
    assert a_straight_flush_at(bank, table, 1) == "1000.02", "of the reseed; without the royal flush it were $900.06"
    bank.hears(wrong, wrong.verdict(1, 2, paid=False))
    bank.hears(table, table.verdict(1, 1, paid=True, price={"amount": "1010.00"}))
    bank.hears(other, other.verdict(1, 1, paid=False))
    assert bank.meter() == 10_000 * DOLLAR + 3 * 210_000 - 900_060_000
    assert bank.account(Account.TRANSFERS) == -9_980_000, "what was paid beyond its price"
    assert verify(bank.ledger) == bank.state.accounts == bank.replayed().accounts


def test_a_claim_that_waits_for_days_costs_no_more_with_every_round(table: Table, other: Table) -> None:
    """Rounds that are void among them: what happened since is one step, in the state and in its snapshot."""
    bank = Bank(rules("A"))
    a_straight_flush_at(bank, table, 1)
    for round in range(1, 200):
        bank.hears(other, other.wagers(round, 1, 2, 3))
        if round % 3 == 0:
            bank.hears(other, other.void(round))
    assert len(bank.state.story.steps) == 2
    bank.restarts()
    bank.hears(table, table.verdict(1, 1, paid=False))
    assert bank.meter() == 10_000 * DOLLAR + 210_000 + 133 * 3 * 210_000
    assert bank.state.story.steps == ()
