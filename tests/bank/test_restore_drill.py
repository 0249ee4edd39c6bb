"""The restore drill on the pure core: two tables, a backup, a crash, and all that is sent again in any order.

Claims are paid before and after the backup, and some are open when the ledger is lost. What a table has shown as a price it
pays. The oracle is a sum: what the house put on a meter and what wagers put there, less what was paid from it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from firmware.bank import wire
from firmware.bank.inputs import Started, VerdictSigned
from firmware.bank.ledger import Account, verify
from firmware.bank.state import Priced
from firmware.rules.money import dollars
from firmware.wire.from_bank import ClaimHeld, ClaimStatus
from tests.bank.casino import AT, Bank, Table, rules

PERCENT = {"A": {"main": 21}, "B": {"mega": 11, "major": 10}, "D": {"mega": 10, "major": 8, "minor": 3}}
SEED = {"main": 10_000, "mega": 10_000, "major": 1_000, "minor": 250}
SHARES = {
    "A": {"royal flush": ("main", 100), "straight flush": ("main", 10)},
    "B": {"royal flush": ("mega", 100), "straight flush": ("major", 100)},
    "D": {"royal flush": ("mega", 100), "straight flush": ("major", 100), "four of a kind": ("minor", 100)},
}
MICROS = 1_000_000
CENT = 10_000
ROUNDS = 30


@dataclass
class Drill:
    """Two honest tables, and the bank that they speak with."""

    seed: int
    rejects: bool
    """Some claims are found to be no winners."""
    chance: Random = field(init=False)
    paid: dict[str, int] = field(default_factory=dict)
    """Cents by claim, as the cage paid them."""
    rejected: set[str] = field(default_factory=set)
    open: list[tuple[Table, int, int, str, str]] = field(default_factory=list)
    fed: Counter[str] = field(default_factory=Counter)
    shares: dict[str, tuple[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.paytable = self.chance.choice(sorted(SHARES))
        self.bank = Bank(rules(self.paytable))
        self.tables = [Table(f"uth-0{n}", f"{n}" * 32, paytable=self.paytable) for n in (1, 2)]
        self.rounds: Counter[str] = Counter()

    def plays(self, steps: int, *, heard: bool) -> None:
        """Rounds, claims and verdicts; not `heard`: the bank is gone, and all stays owed."""
        for _ in range(steps):
            table = self.chance.choice(self.tables)
            self.acts(table)
            if heard:
                self.hears(table)

    def hears(self, table: Table, most: int = 10_000) -> None:
        """The next messages of the table that the bank does not hold, at most so many."""
        held = wire.down(self.bank.state, table.name).seq
        for payload in table.said[held : held + most]:
            self.bank.hears(table, payload)
            self.people_look(table)
        for claim in wire.down(self.bank.state, table.name).claims:
            if claim.owed and self.paid[claim.claim] < claim.amount and held == len(table.said):
                self.pays_the_rest(table, claim)

    def people_look(self, table: Table) -> None:
        """What a restore does not explain by itself two people accept as it was said: it was paid."""
        for priced in self.bank.state.book(table.name).claims:
            if priced.held is not None:
                position = priced.held.position
                by = ("2001", "3001")
                self.bank.told(VerdictSigned(AT, priced.claim.claim, True, by, position.seq, position.hash))

    def pays_the_rest(self, table: Table, claim: ClaimHeld) -> None:
        """A second payment, once nothing that the table has said is on its way."""
        round, seat, number = (int(part) for part in claim.claim.split(":")[1:])
        price = {"amount": dollars(claim.amount), "version": claim.version, "epoch": self.bank.state.epoch}
        table.verdict(round, seat, paid=True, number=number, price=price)
        self.paid[claim.claim] = claim.amount

    def acts(self, table: Table) -> None:
        mine = [claim for claim in self.open if claim[0] is table]
        if mine and self.chance.random() < 0.7:
            self.ends(*mine[0])
            return
        self.rounds[table.name] += self.chance.randint(1, 2)
        round, seats = self.rounds[table.name], sorted(self.chance.sample(range(1, 7), self.chance.randint(1, 6)))
        table.wagers(round, *seats)
        for meter, percent in PERCENT[self.paytable].items():
            self.fed[meter] += percent * CENT * len(seats)
        if self.chance.random() < 0.4:
            hand, number = self.chance.choice(sorted(SHARES[self.paytable])), len(table.said) + 1
            table.claim(round, seats[-1], hand, number)
            self.open.append((table, round, seats[-1], hand, f"{table.name}:{round}:{seats[-1]}:{number}"))

    def ends(self, table: Table, round: int, seat: int, hand: str, name: str) -> None:
        """With the price that it was shown; one that was not heard yet waits."""
        if name not in table.prices:
            return
        self.open.remove((table, round, seat, hand, name))
        pays = not self.rejects or self.chance.random() < 0.8
        table.verdict(round, seat, paid=pays, number=int(name.rsplit(":", 1)[1]))
        if pays:
            self.paid[name] = int(table.prices[name]["amount"].replace(".", ""))
            self.shares[name] = SHARES[self.paytable][hand]
        else:
            self.rejected.add(name)

    def crash(self, backup: Bank) -> None:
        """The ledger is lost and put back from the backup; the tables send again what it lacks, in any order."""
        self.bank = backup
        self.bank.told(Started(AT, "f" * 32, restored=True))

    def sends_again(self) -> None:
        while any(wire.down(self.bank.state, table.name).seq < len(table.said) for table in self.tables):
            self.hears(self.chance.choice(self.tables), self.chance.randint(1, 8))

    def drained(self) -> None:
        """Every claim that is open gets its price and its end."""
        while self.open or self.bank.account(Account.OWED):
            self.sends_again()
            for claim in list(self.open):
                self.ends(*claim)
            for table in self.tables:
                self.hears(table)
        self.sends_again()


def played(day: Drill) -> Drill:
    """A whole day: a backup, more rounds, some that no bank hears, the crash, all that is sent again, more rounds."""
    day.plays(day.chance.randint(0, 2 * ROUNDS), heard=True)
    backup = day.bank.copied()
    day.plays(day.chance.randint(1, 2 * ROUNDS), heard=True)
    day.plays(day.chance.randint(0, 4), heard=False)
    day.crash(backup)
    day.sends_again()
    day.plays(day.chance.randint(0, ROUNDS), heard=True)
    day.drained()
    return day


def booked(day: Drill) -> dict[str, Priced]:
    return {priced.claim.claim: priced for table in day.tables for priced in day.bank.state.book(table.name).claims}


def checked(seed: int, *, rejects: bool = False) -> int:
    return held(played(Drill(seed, rejects)))


def held(day: Drill) -> int:
    """Every award and every meter equals what was paid; how many claims this ledger had priced otherwise."""
    seed, bank, claims = day.seed, day.bank, booked(day)
    remembered = {name: amount for name, amount in day.paid.items() if name in claims}
    assert {name: claims[name].paid for name in remembered} == remembered, f"seed {seed}"
    assert all(claims[name].status is ClaimStatus.REJECTED for name in day.rejected & set(claims)), f"seed {seed}"
    assert bank.account(Account.AWARDS) == sum(day.paid.values()) * CENT, f"seed {seed}"
    for meter, fed in day.fed.items():
        whole = sum(1 for name in day.paid if day.shares[name] == (meter, 100))
        paid = sum(amount for name, amount in day.paid.items() if day.shares[name][0] == meter)
        stands = SEED[meter] * MICROS * (1 + whole) + fed - paid * CENT
        # Where a claim was rejected, what the later ones should have found depends on the order in which they are heard.
        # Whoever got more by it keeps it, and the house puts that in: a meter is never less than what is left of it.
        exact = bank.meter(meter) == stands
        assert exact or (day.rejected and bank.meter(meter) > stands), f"seed {seed}: {meter}"
    for account in (Account.PENDING, Account.OWED, Account.ADVANCES, Account.TRANSFERS):
        assert bank.account(account) == 0, f"seed {seed}: {account}"
    assert verify(bank.ledger) == bank.state.accounts, f"seed {seed}"
    assert bank.replayed() == bank.state, f"seed {seed}"
    otherwise = sum(row[0] == "ClaimPaidOtherwise" for row in bank.rows)
    told = [alarm.kind for table in day.tables for alarm in bank.state.book(table.name).alarms]
    assert otherwise == 0 or "amount" in told, f"seed {seed}: nobody is told"
    return otherwise


def test_after_a_restore_every_award_and_meter_equals_what_was_paid() -> None:
    assert sum(checked(seed) for seed in range(6)) > 3, "some of them were priced otherwise, else this shows nothing"


def test_after_a_restore_with_wrong_claims_every_award_equals_what_was_paid_and_no_meter_is_short() -> None:
    assert sum(checked(seed, rejects=True) for seed in range(6)) > 3


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_hundred_restores_and_every_award_and_meter_equals_what_was_paid() -> None:
    assert sum(checked(seed) for seed in range(200)) > 100


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_hundred_restores_with_wrong_claims_and_every_award_equals_what_was_paid() -> None:
    assert sum(checked(seed, rejects=True) for seed in range(200)) > 100
