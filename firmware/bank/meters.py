"""The law of the meters: what goes on and off them, and what happened to them since the oldest claim that is pending.

There is one arithmetic. The law books by it what tables say (`decide`). A claim that is found to be no winner had taken a
share that a later true winner should have found there: then what happened since is booked again by it without that claim,
which gives what every later claim would have frozen and what would stand on the meters now. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from firmware.bank.events import Claim
from firmware.bank.ledger import Account, Accounts, Entry, booked
from firmware.rules.money import Cents, Micros, cut_to_cents, to_micros
from firmware.rules.paytable import RESERVE, Share
from firmware.wire.structs import replace

Amounts = Mapping[str, Micros]
"""Micro-dollars by meter, or reserve."""


def account_of(meter: str) -> Account:
    """The account on which a meter stands: `RESERVE` for a reserve."""
    return Account.RESERVE if meter.endswith(RESERVE) else Account.METERS


class Meters(Struct, frozen=True):
    """The ledger's sums. `taken`: by meter, or reserve, its version after the last share off it that was not rejected."""

    accounts: Accounts = field(default_factory=Accounts)
    taken: Mapping[str, int] = {}

    def posted(self, entries: Iterable[Entry], taken: Iterable[str] = (), version: int = 0) -> Meters:
        """The same after these entries, with which a share of the meters `taken` went at this version of the ledger."""
        return Meters(self.accounts.post(entries), {**self.taken, **dict.fromkeys(taken, version)})

    def moved(self, meter: str, micros: int) -> dict[Account, int]:
        """So much more on a meter, or less: what was advanced on it is paid back first, and what it lacks is advanced."""
        stands, earned = self.accounts.stands(meter), self.accounts.earned(meter)
        after = earned + micros
        more = max(0, after) - stands
        return {account_of(meter): more, Account.ADVANCES: micros - more}

    def given_back(self, meter: str, contribution: Micros, version: int) -> dict[Account, int]:
        """The amount that a round put on a meter by this version goes off it; the house pays a part that was won since."""
        off = 0 if self.taken.get(meter, 0) > version else min(contribution, self.accounts.stands(meter))
        return {Account.REVERSALS: contribution, **self.moved(meter, -off), Account.TRANSFERS: off - contribution}

    def priced(self, claim: Claim) -> Claim:
        """The claim at the meter as it stands at its seat's turn (653a.12(d)(4)), in whole cents; what is cut stays on it.

        The whole of a progressive meter resets it to its seed and that fraction of a cent, the whole of the Five Card
        Hand's to its reserve and that fraction (653a.12(e)(4)); a part of it just lowers it. The share of the dealer's hand
        is divided equally among those who backed it; a rest that cannot be divided in whole cents stays (653a.12(e)(2)).
        """
        share = Share(claim.meter, claim.percent, "", claim.cite)
        amount = share.frozen(self.accounts.stands(claim.meter), claim.backers)
        reseed = self.accounts.stands(claim.reserve) if claim.reserve else claim.reseed
        after = self.accounts.earned(claim.meter) - to_micros(amount) + reseed
        return replace(claim, amount=amount, reseed=reseed, now=cut_to_cents(Micros(max(0, after))))

    def frozen(self, claim: Claim) -> tuple[Entry, ...]:
        """The amounts that a claim takes, and with which its meter starts again."""
        micros = to_micros(claim.amount)
        freeze = {**self.moved(claim.meter, -micros), Account.PENDING: micros}
        taken = booked(claim.meter, claim.table, claim.round, freeze)
        return (*taken, *self.posted(taken).reseeded(claim, claim.reseed))

    def reseeded(self, claim: Claim, reseed: Micros) -> tuple[Entry, ...]:
        """So much onto the claim's meter, from the house or from the reserve."""
        put = self.moved(claim.meter, reseed)
        if not claim.reserve:
            return booked(claim.meter, claim.table, claim.round, {Account.SEEDS: reseed, **put})
        gone = {Account.RESERVE: -reseed, Account.TRANSFERS: reseed}
        return (
            *booked(claim.meter, claim.table, claim.round, {**put, Account.TRANSFERS: -reseed}),
            *booked(claim.reserve, claim.table, claim.round, gone),
        )


class Step(Struct, frozen=True):
    """One of three: an amount was `moved` onto the meters, or off them; contributions of a `void` round went back, after a
    share of its meters had been taken; or a share was frozen (`claim`).

    `version`: the ledger's after a void round's wagers, after a claim was priced (which names it), or after an amount
    moved as a share of the meters `taken`. `fixed`: the claim is not priced again when another one is left out: it was
    paid by another price, and the difference moved.
    """

    moved: Amounts = {}
    void: Amounts = {}
    claim: Claim | None = None
    version: int = 0
    taken: tuple[str, ...] = ()
    fixed: bool = False

    @property
    def only_moved(self) -> bool:
        """It can be one step with the next one like it."""
        return not (self.void or self.claim or self.taken)


class Told(Struct, frozen=True):
    """The meters after some steps, and by the version of each claim among these, but those fixed, what is frozen for it."""

    meters: Meters
    frozen: Mapping[int, Cents] = {}

    def followed_by(self, step: Step) -> Told:
        """The same after one more step, as the law books it."""
        meters = self.meters
        if step.claim:
            claim, frozen = meters.priced(step.claim), self.frozen
            if step.fixed:
                claim = replace(claim, amount=step.claim.amount)
            else:
                frozen = {**frozen, step.version: claim.amount}
            return Told(meters.posted(meters.frozen(claim), claim.takes, step.version), frozen)
        amounts = [(meter, meters.moved(meter, micros)) for meter, micros in step.moved.items()]
        amounts += [(meter, meters.given_back(meter, micros, step.version)) for meter, micros in step.void.items()]
        entries = [entry for meter, amount in amounts for entry in booked(meter, "", 0, amount)]
        return Told(meters.posted(entries, step.taken, step.version), self.frozen)


class Story(Struct, frozen=True):
    """The meters before the oldest claim that is pending, and what happened to them since; no step while none is.

    It has a step for each claim, each payment by another price, each claim that was opened again, each round that was void
    after a share of its meters, and one for all else between two of these: so a claim that waits for days costs no more with
    every round.
    """

    base: Meters = field(default_factory=Meters)
    steps: tuple[Step, ...] = ()

    @property
    def claims(self) -> frozenset[int]:
        """The versions that name its claims."""
        return frozenset(step.version for step in self.steps if step.claim)

    def told(self) -> Told:
        """From its beginning: what the ledger has, but for what a wrong claim had let others take."""
        told = Told(self.base)
        for step in self.steps:
            told = told.followed_by(step)
        return told

    def followed_by(self, step: Step) -> Story:
        """The same, and one more step, or more of the last one."""
        if not self.steps or not (self.steps[-1].only_moved and step.only_moved):
            return replace(self, steps=(*self.steps, step))
        moved = dict(self.steps[-1].moved)
        for meter, micros in step.moved.items():
            moved[meter] = Micros(moved.get(meter, 0) + micros)
        return replace(self, steps=(*self.steps[:-1], Step(moved)))

    def without(self, version: int) -> Story:
        """The same without the claim of this name."""
        return replace(self, steps=tuple(step for step in self.steps if not (step.claim and step.version == version)))

    def fixed(self, version: int) -> Story:
        """The same, with this claim fixed at the amount that it has taken by now, even when another claim is left out."""
        amount = self.told().frozen.get(version)
        steps = (
            replace(step, claim=replace(step.claim, amount=amount), fixed=True)
            if step.claim and step.version == version and amount is not None
            else step
            for step in self.steps
        )
        return replace(self, steps=tuple(steps))

    def since(self, pending: frozenset[int]) -> Story:
        """The same from the first claim on that is still pending; nothing where none is."""
        told = Told(self.base)
        for at, step in enumerate(self.steps):
            if step.claim and step.version in pending:
                return Story(told.meters, self.steps[at:])
            told = told.followed_by(step)
        return Story()
