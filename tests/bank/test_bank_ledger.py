"""The ledger speaks for itself: every account from the entries alone, and any changed entry is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bank.ledger import Account, Accounts, Entry, LedgerBroken, verify
from firmware.rules.money import Micros
from firmware.wire.structs import replace
from tests.bank.casino import Bank, Table, rules


def entry(account: Account, micros: int, meter: str = "main") -> Entry:
    return Entry(account, meter, "uth-01", 1, Micros(micros))


def played() -> list[Entry]:
    bank, table, other = Bank(rules("D")), Table(paytable="D"), Table("uth-02", "b" * 32, paytable="D")
    bank.hears(other, other.wagers(1, 1, 2, 3))
    bank.hears(table, table.wagers(1, 1, 2, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.claim(1, 2, "four of a kind"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    bank.hears(table, table.verdict(1, 2, paid=False))
    bank.hears(other, other.void(1))
    return bank.ledger


LEDGER = played()


def test_every_account_is_derived_from_the_entries_alone() -> None:
    accounts = verify(LEDGER)
    left = accounts.total(Account.SEEDS) + accounts.total(Account.CONTRIBUTIONS) - accounts.total(Account.REVERSALS)
    right = sum(
        accounts.total(account)
        for account in (
            Account.METERS,
            Account.RESERVE,
            Account.OVERFLOW,
            Account.PENDING,
            Account.AWARDS,
            Account.OWED,
            Account.ADVANCES,
            Account.TRANSFERS,
        )
    )
    assert left == right == 21_250_630_000
    assert accounts.balance(Account.AWARDS, "mega") == 10_000_600_000
    assert accounts.balance(Account.TRANSFERS, "mega") == -300_000
    assert accounts.balance(Account.METERS, "minor") == 250_090_000


def test_an_empty_ledger_is_sound() -> None:
    assert verify([]) == Accounts()


@given(st.integers(0, len(LEDGER) - 1), st.integers(-2_000, 2_000).filter(bool))
def test_one_micro_dollar_changed_in_any_entry_is_found(row: int, by: int) -> None:
    changed = replace(LEDGER[row], micros=Micros(LEDGER[row].micros + by))
    with pytest.raises(LedgerBroken):
        verify([*LEDGER[:row], changed, *LEDGER[row + 1 :]])


@given(st.integers(0, len(LEDGER) - 1))
def test_any_entry_that_is_missing_or_doubled_is_found(row: int) -> None:
    for ledger in ([*LEDGER[:row], *LEDGER[row + 1 :]], [*LEDGER[: row + 1], *LEDGER[row:]]):
        with pytest.raises(LedgerBroken):
            verify(ledger)


def test_money_moved_between_two_meters_is_found_though_the_totals_agree() -> None:
    ledger = [
        entry(Account.SEEDS, 100, "mega"),
        entry(Account.METERS, 90, "mega"),
        entry(Account.SEEDS, 100, "major"),
        entry(Account.METERS, 110, "major"),
    ]
    with pytest.raises(LedgerBroken, match="the two sides of mega differ by 10 micro-dollars"):
        verify(ledger)


@pytest.mark.parametrize("account", [Account.METERS, Account.PENDING, Account.AWARDS, Account.RESERVE])
def test_an_account_that_falls_below_zero_is_named_with_its_row(account: Account) -> None:
    ledger = [
        entry(Account.SEEDS, 100),
        entry(Account.METERS, 100),
        entry(account, -101),
        entry(Account.TRANSFERS, 101),
    ]
    with pytest.raises(LedgerBroken, match=rf"ledger row 3: {account} of main falls to -") as broken:
        verify(ledger)
    assert broken.value.row == 3
