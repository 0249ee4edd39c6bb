"""The ledger: entries of micro-dollars, and everything the bank knows of money derived from them alone.

Every effect of the bank is a tuple of entries that balances for each meter it touches, so that always, in total and for
every meter by itself, to the micro-dollar:

    seeds + contributions - reversals = meters + reserve + overflow + pending + owed + awards + advances + transfers

The left side says where money came from, the right side where it is. `verify` proves it from the entries, with no help
from the journal or the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct

from firmware.rules.money import Micros


class Account(StrEnum):
    """The accounts: the first three say where money came from, the others where it is."""

    SEEDS = "seeds"
    """House money that a meter started with or was reset to."""
    CONTRIBUTIONS = "contributions"
    REVERSALS = "reversals"
    """Contributions of void rounds; counted upward, subtracted in the equation."""
    METERS = "meters"
    RESERVE = "reserve"
    """The amount on a reserve, a meter nobody wins from: a meter that is won whole starts again with it."""
    OVERFLOW = "overflow"
    PENDING = "pending"
    """Claimed and frozen, neither paid nor rejected."""
    OWED = "owed"
    """The rest that a paid claim is still owed, by name: an earlier one of its meter was found to be no winner, or the
    claim was paid less than its price."""
    AWARDS = "awards"
    ADVANCES = "advances"
    """A payment from a meter before the ledger, restored from a backup, has heard its wagers again: below zero, until they
    are heard."""
    TRANSFERS = "transfers"
    """Named adjustments: what the house gave back in a void round after its meter had been won (below zero), what went
    from a reserve (above zero there) to its meter (as much below zero), and what a table paid for a claim beyond the
    price that this ledger had given it, unless an announced restore explains that (below zero)."""


SIGN_OF_SOURCE: Mapping[Account, int] = {Account.SEEDS: 1, Account.CONTRIBUTIONS: 1, Account.REVERSALS: -1}
NEVER_NEGATIVE = frozenset(Account) - {Account.ADVANCES, Account.TRANSFERS}


class Entry(Struct, frozen=True):
    """One line of the ledger. `table` is empty and `round` 0 for the first seed of a meter."""

    account: Account
    meter: str
    table: str
    round: int
    micros: Micros


def booked(meter: str, table: str, round: int, amounts: Mapping[Account, int]) -> tuple[Entry, ...]:
    """An entry for each account of a meter on which something is booked."""
    return tuple(Entry(account, meter, table, round, Micros(micros)) for account, micros in amounts.items() if micros)


class Accounts(Struct, frozen=True):
    """Sums of entries, by meter and account."""

    balances: Mapping[str, Mapping[Account, Micros]] = {}

    def post(self, entries: Iterable[Entry]) -> Accounts:
        """The sums with these entries added."""
        balances = dict(self.balances)
        for entry in entries:
            of_meter = dict(balances.get(entry.meter, {}))
            of_meter[entry.account] = Micros(of_meter.get(entry.account, 0) + entry.micros)
            balances[entry.meter] = of_meter
        return Accounts(balances)

    def balance(self, account: Account, meter: str) -> Micros:
        """One account of one meter."""
        return self.balances.get(meter, {}).get(account, Micros(0))

    def stands(self, meter: str) -> Micros:
        """The amount on a meter, or on a reserve."""
        return Micros(self.balance(Account.METERS, meter) + self.balance(Account.RESERVE, meter))

    def earned(self, meter: str) -> Micros:
        """Its amount less the advances on it: below zero while those are more."""
        return Micros(self.stands(meter) + self.balance(Account.ADVANCES, meter))

    def total(self, account: Account) -> Micros:
        """One account of all meters."""
        return Micros(sum(self.balance(account, meter) for meter in self.balances))

    def imbalance(self, meter: str) -> Micros:
        """The left side of the equation less its right side, for one meter; zero in a sound ledger."""
        of_meter = self.balances.get(meter, {})
        return Micros(sum(SIGN_OF_SOURCE.get(account, -1) * micros for account, micros in of_meter.items()))


class LedgerBroken(ValueError):
    """The entries contradict themselves. `row` counts from 1; 0 where no single row is to blame."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(f"ledger row {row}: {text}" if row else f"ledger: {text}")
        self.row = row
        self.text = text


def verify(entries: Iterable[Entry]) -> Accounts:
    """Derive every account from the entries alone, in the order of the ledger.

    Raises `LedgerBroken` where a meter, a pending amount or any account but `advances` and `transfers` falls below zero,
    and where the equation does not hold for a meter at the end.
    """
    accounts = Accounts()
    for row, entry in enumerate(entries, start=1):
        accounts = accounts.post((entry,))
        stands = accounts.balance(entry.account, entry.meter)
        if stands < 0 and entry.account in NEVER_NEGATIVE:
            raise LedgerBroken(row, f"{entry.account} of {entry.meter} falls to {stands} micro-dollars")
    for meter in accounts.balances:
        if off := accounts.imbalance(meter):
            raise LedgerBroken(0, f"the two sides of {meter} differ by {off} micro-dollars; restore a backup")
    return accounts
