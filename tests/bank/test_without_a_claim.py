"""The meters without a claim that was wrong, held against an oracle that keeps the whole history and books by hand.

`test_bank_never` plays tables over a bad network; here every message arrives, and what is dense are claims of one meter that
overlap, and their verdicts in every order: paid, paid by another price, no winner; rounds that are void; and starts.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from firmware.bank.ledger import Account, verify
from firmware.rules.money import Cents, dollars
from tests.bank.casino import Bank, Table, rules
from tests.bank.test_bank_never import DEALER, FIVE_CARD_SHARES, OWN, PROGRESSIVE, SHARES, Oracle
from tests.sample import some

STEPS = 60


class Night:
    """Three tables, their bank and the oracle; `chance` chooses what happens next."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.paytable, five_card = self.chance.choice("AABD"), self.chance.choice((0, 1, 3))
        self.bank = Bank(rules(self.paytable, five_card=f"{five_card}.00" if five_card else ""))
        self.oracle = Oracle(self.paytable, 1, five_card)
        self.tables = [Table(f"uth-0{n}", f"{n}" * 32, "1.00", self.paytable, f"{five_card}.00") for n in (1, 2, 3)]
        self.rounds: dict[str, list[dict[str, list[int]]]] = {table.name: [] for table in self.tables}
        self.void: set[str] = set()
        self.claims: dict[str, tuple[Table, int, int]] = {}
        self.standing: set[tuple[str, int, str, int]] = set()
        self.open: list[str] = []

    def goes_on(self) -> None:
        table = self.chance.choice(self.tables)
        wanted = self.chance.choices((self.round, self.claim, self.verdict, self.voided), (3, 4, 4, 1))
        wanted[0](table)
        if self.chance.random() < 0.1:
            self.bank.restarts()

    def round(self, table: Table) -> None:
        def backed() -> list[int]:
            return sorted(self.chance.sample(range(1, 7), self.chance.randint(1, 6)))

        wagers = {PROGRESSIVE: backed(), OWN: backed(), DEALER: backed()}
        if not self.oracle.five_card:
            wagers |= {OWN: [], DEALER: []}
        self.rounds[table.name].append(wagers)
        number, electronic = len(self.rounds[table.name]), len(wagers[OWN]) + len(wagers[DEALER])
        payload = table.wagers(number, *wagers[PROGRESSIVE], own=wagers[OWN], dealer=wagers[DEALER])
        self.bank.hears(table, payload)
        self.oracle.wagers(f"{table.name}:{number}", len(wagers[PROGRESSIVE]), electronic)

    def claim(self, table: Table) -> None:
        number = len(self.rounds[table.name])
        if not number or f"{table.name}:{number}" in self.void:
            return
        wagers = self.rounds[table.name][-1]
        wager = self.chance.choice([name for name in wagers if wagers[name]])
        seat, backers = self.chance.choice(wagers[wager]), 1
        this = (table.name, number, wager, 0 if wager == DEALER else seat)
        if this in self.standing:
            return
        hand = self.chance.choice(sorted(SHARES[self.paytable] if wager == PROGRESSIVE else FIVE_CARD_SHARES))
        said: dict[str, Any] = {} if wager == PROGRESSIVE else {"wager": wager}
        if wager == DEALER:
            backers = self.chance.randint(1, len(wagers[DEALER]))
            said |= {"backers": backers}
        self.standing.add(this)
        name = f"{table.name}:{number}:{seat}:{len(table.said) + 1}"
        self.bank.hears(table, table.claim(number, seat, hand, len(table.said) + 1, **said))
        self.oracle.claim(name, hand, wager, backers)
        self.claims[name] = (table, number, seat)
        self.open.append(name)

    def verdict(self, _: Table) -> None:
        if not self.open:
            return
        name = self.open.pop(self.chance.randrange(len(self.open)))
        table, round, seat = self.claims[name]
        paid, cents = self.chance.random() < 0.5, self.oracle.claims[name]["due"]
        cents = max(0, cents + self.chance.choice((0, 0, -1, 1, 20_000)))
        price = {"amount": dollars(Cents(cents))} if paid else {"amount": table.prices[name]["amount"]}
        number = int(name.split(":")[3])
        self.bank.hears(table, table.verdict(round, seat, paid=paid, number=number, price=price))
        self.oracle.verdict(name, paid, cents)

    def voided(self, table: Table) -> None:
        """One of the last rounds in which no claim was made."""
        claimed = {f"{by.name}:{round}" for by, round, _ in self.claims.values()}
        names = [f"{table.name}:{number}" for number in range(1, len(self.rounds[table.name]) + 1)]
        if free := [name for name in names[-4:] if name not in claimed | self.void]:
            name = self.chance.choice(free)
            self.void.add(name)
            self.bank.hears(table, table.void(int(name.split(":")[1])))
            self.oracle.void(name)

    def is_right(self) -> None:
        of, state = self.oracle, self.bank.state
        assert {name: self.bank.meter(name) for name in of.meters} == of.meters
        kept = (of.seeds, of.pending, of.owed, of.awards, of.transfers)
        assert tuple(map(self.bank.account, KEPT)) == kept
        priced = {one.claim.claim: one for table in self.tables for one in state.book(table.name).claims}
        for name, claim in of.claims.items():
            if claim["status"] != "rejected" and name in priced:
                assert (priced[name].due, priced[name].paid) == (claim["due"], claim["paid"])
        assert bool(state.story.steps) == bool(self.open)
        if self.open:
            told = state.story.told().meters.accounts
            assert {name: told.earned(name) for name in of.meters} == of.meters, "told again, it is the ledger"


KEPT = (Account.SEEDS, Account.PENDING, Account.OWED, Account.AWARDS, Account.TRANSFERS)


@pytest.mark.parametrize("seed", some(range(150), range(30)))
def test_the_meters_and_every_later_claim_stand_as_if_a_wrong_claim_had_never_been_made(seed: int) -> None:
    night = Night(seed)
    for _ in range(STEPS):
        night.goes_on()
        night.is_right()
    assert verify(night.bank.ledger) == night.bank.state.accounts
    assert night.bank.replayed() == night.bank.state
