"""By order of the regulator two people at the bank open a claim again that was rejected: it is owed as it stood."""

from __future__ import annotations

import pytest

from firmware.bank import wire
from firmware.bank.events import ClaimPaid, ClaimReopened, Complained
from firmware.bank.inputs import ReopeningSigned
from firmware.bank.ledger import Account, verify
from firmware.bank.state import ENDED_CLAIMS_MAX, REJECTED_MAX
from tests.bank.casino import AT, Bank, Table, rules

DOLLAR = 1_000_000
CLAIM, ORDER, BOTH = "uth-01:1:3:1", "order 2026-17 of November 20", ("2001", "3001")


@pytest.fixture
def table() -> Table:
    return Table()


def rejected(table: Table, hand: str = "royal flush") -> Bank:
    """A share is claimed and found to be no winner: the meter stands at 10,000.21 again."""
    bank = Bank(rules("A"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, hand))
    bank.hears(table, table.verdict(1, 3, paid=False))
    assert bank.meter() == 10_000_210_000 and bank.account(Account.SEEDS) == 10_000 * DOLLAR
    return bank


def opens_again(bank: Bank, *by: str, claim: str = CLAIM, reason: str = ORDER) -> object:
    (event,) = bank.told(ReopeningSigned(AT, claim, by or BOTH, reason))
    verify(bank.ledger)
    assert bank.state.accounts == bank.replayed().accounts
    return event


def test_its_share_comes_off_the_meter_as_it_stood_and_two_people_pay_it_at_the_table(table: Table) -> None:
    bank = rejected(table)
    event = opens_again(bank)
    assert isinstance(event, ClaimReopened) and (event.by, event.reason, event.amount) == (BOTH, ORDER, 1_000_021)
    assert bank.meter() == 10_000 * DOLLAR and bank.account(Account.SEEDS) == 20_000 * DOLLAR
    assert bank.account(Account.OWED) == 10_000_210_000 and bank.account(Account.TRANSFERS) == 0
    (said,) = wire.down(bank.state, table.name).claims
    assert (said.status, said.amount, said.owed) == ("paid", 1_000_021, 1_000_021)
    alarm = wire.down(bank.state, table.name).alarm
    assert alarm is not None and alarm.kind == "owed" and alarm.text.endswith(f"$10,000.21 more: opened again, {ORDER}")
    bank.restarts()
    table.told(bank.state)
    bank.hears(table, table.verdict(1, 3, paid=True))
    assert isinstance(bank.events[-1], ClaimPaid) and bank.alarm(table) is None
    assert bank.account(Account.OWED) == 0 and bank.account(Account.AWARDS) == 10_000_210_000
    verify(bank.ledger)


def test_a_tenth_comes_off_the_meter_and_nothing_starts_again(table: Table) -> None:
    bank = rejected(table, "straight flush")
    opens_again(bank)
    assert bank.account(Account.OWED) == 1_000_020_000 and bank.meter() == 9_000_190_000
    assert bank.account(Account.SEEDS) == 10_000 * DOLLAR


def test_where_the_whole_meter_was_won_since_the_house_pays(table: Table) -> None:
    """The next winner got his share with it; nothing is taken off what players have put there after that."""
    bank, other = rejected(table), Table("uth-02")
    bank.hears(other, other.wagers(1, 2))
    bank.hears(other, other.claim(1, 2, "royal flush"))
    bank.hears(other, other.verdict(1, 2, paid=True))
    before = bank.meter()
    opens_again(bank)
    assert bank.meter() == before and bank.account(Account.TRANSFERS) == -10_000_210_000
    assert bank.account(Account.OWED) == 10_000_210_000


def test_a_claim_that_is_pending_meanwhile_keeps_its_price_and_the_meters_story(table: Table) -> None:
    """Found to be no winner afterwards, the meter stands as if it had never been made."""
    bank, other = rejected(table, "straight flush"), Table("uth-02")
    bank.hears(other, other.wagers(1, 2))
    bank.hears(other, other.claim(1, 2, "straight flush"))
    (before,) = bank.amounts(other)
    opens_again(bank)
    assert bank.amounts(other) == [before]
    bank.hears(other, other.verdict(1, 2, paid=False))
    verify(bank.ledger)
    assert bank.meter() == 10_000_420_000 - 1_000_020_000


@pytest.mark.parametrize(
    ("by", "claim", "reason", "why"),
    [
        pytest.param(("2001", "2001"), CLAIM, ORDER, "needs two different people", id="one person"),
        pytest.param(BOTH, CLAIM, "", "a reason of 1 to 100 characters", id="no reason"),
        pytest.param(BOTH, CLAIM, "x" * 101, "a reason of 1 to 100 characters", id="a long one"),
        pytest.param(BOTH, "uth-01:1:3:9", ORDER, f"none of the last {REJECTED_MAX}", id="no such claim"),
        pytest.param(BOTH, "nobody", ORDER, f"none of the last {REJECTED_MAX}", id="no claim"),
    ],
)
def test_anything_else_is_a_complaint(table: Table, by: tuple[str, ...], claim: str, reason: str, why: str) -> None:
    bank = rejected(table)
    event = opens_again(bank, *by, claim=claim, reason=reason)
    assert isinstance(event, Complained) and why in event.text and bank.meter() == 10_000_210_000


def test_only_once_and_not_what_was_claimed_again_or_went_back(table: Table) -> None:
    bank = rejected(table)
    opens_again(bank)
    again = opens_again(bank)
    assert isinstance(again, Complained) and "is paid; only a rejected one" in again.text
    bank = rejected(other := Table())
    bank.hears(other, other.claim(1, 3, "straight flush", number=2))
    assert "claimed again since" in str(opens_again(bank))
    bank = rejected(third := Table())
    bank.hears(third, third.void(1))
    assert "its round was void then" in str(opens_again(bank))


def test_it_is_remembered_for_as_many_rejected_ones_as_are_promised(table: Table) -> None:
    bank = rejected(table)
    for number in range(2, ENDED_CLAIMS_MAX + 5):
        bank.hears(table, table.claim(1, 3, "royal flush", number=number))
        bank.hears(table, table.verdict(1, 3, paid=False, number=number))
    assert len(bank.amounts(table)) == ENDED_CLAIMS_MAX, "so many are said to the table"
    assert isinstance(opens_again(bank), ClaimReopened)
