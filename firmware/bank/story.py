"""What happened to the meters since the oldest claim that is pending, so that it can be told without one that was wrong.

A claim that is found to be no winner had taken a share that a later true winner should have found there. So the meters'
story is told again without it: what every later claim would have frozen, what would stand on the meters now. Pure; told
again it gives what the ledger holds (`tests/bank/test_bank_never.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from firmware.bank.events import Claim
from firmware.rules.money import Cents, Micros, to_micros
from firmware.rules.paytable import Share

Amounts = Mapping[str, Micros]
"""Micro-dollars by meter, or reserve: what stands there, less what was advanced on it (`Account.ADVANCES`)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One of three: meters were `fed`, the contributions of a `void` round went back, or a share was frozen (`claim`).

    `version`: of a void round the ledger's after its wagers, of a claim the ledger's after it was priced, which names it.
    `won`: the meters of which a share had been paid since that round's wagers. `before`: what stood on all meters before
    a claim, empty once an earlier claim was taken out of the story. `frozen`: of a claim that was paid by another ledger's
    price, what this one had frozen for it; the difference is a step of its own.
    """

    fed: Amounts = field(default_factory=dict)
    void: Amounts = field(default_factory=dict)
    won: tuple[str, ...] = ()
    claim: Claim | None = None
    version: int = 0
    before: Amounts = field(default_factory=dict)
    frozen: Cents | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """What stood on all meters and reserves, and what happened to them since; empty while no claim is pending."""

    base: Amounts = field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    @property
    def claims(self) -> frozenset[int]:
        """The versions that name its claims."""
        return frozenset(step.version for step in self.steps if step.claim)

    def fed(self, amounts: Amounts) -> Story:
        """The same, and so much more on each meter; what is fed between two claims is one step."""
        last = self.steps[-1]
        if last.claim or last.void:
            return replace(self, steps=(*self.steps, Step(fed=amounts)))
        names = {**last.fed, **amounts}
        summed = {name: Micros(last.fed.get(name, 0) + amounts.get(name, 0)) for name in names}
        return replace(self, steps=(*self.steps[:-1], Step(fed=summed)))

    def followed_by(self, step: Step) -> Story:
        """The same, and one more step."""
        return replace(self, steps=(*self.steps, step))

    def fixed(self, version: int, frozen: Cents) -> Story:
        """The same, and this claim has taken what was frozen for it, whatever is told without another one."""
        place = self._place(version)
        step = replace(self.steps[place], frozen=frozen)
        return replace(self, steps=(*self.steps[:place], step, *self.steps[place + 1 :]))

    def without(self, version: int) -> Story:
        """The same without the claim of this name: what stood before the later ones is not known any more."""
        place = self._place(version)
        later = tuple(replace(step, before={}) for step in self.steps[place + 1 :])
        return replace(self, steps=(*self.steps[:place], *later))

    def _place(self, version: int) -> int:
        return next(at for at, step in enumerate(self.steps) if step.claim and step.version == version)

    def since(self, pending: frozenset[int]) -> Story:
        """The same from the first claim on that is still pending; nothing where none is."""
        for at, step in enumerate(self.steps):
            if step.claim and step.version in pending:
                return self._from(at) if step.before else self
        return Story()

    def _from(self, place: int) -> Story:
        """The claims before were paid: a void round remembers which meters they won from since its wagers."""
        paid = [(step.version, step.claim) for step in self.steps[:place] if step.claim]
        steps = tuple(
            replace(step, won=(*step.won, *_won(paid, step.version))) if step.void else step
            for step in self.steps[place:]
        )
        return Story(self.steps[place].before, steps)


def _won(claims: Iterable[tuple[int, Claim]], since: int) -> Iterator[str]:
    """The meters and reserves of which a share was taken after that version of the ledger."""
    for version, claim in claims:
        if version > since:
            yield from (name for name in (claim.meter, claim.reserve) if name)


@dataclass
class Retold:
    """What stands at the story's end, what it entered under `transfers`, and cents by the version of each claim."""

    meters: dict[str, Micros]
    transfers: dict[str, Micros] = field(default_factory=dict)
    amounts: dict[int, Cents] = field(default_factory=dict)

    def _put(self, meter: str, micros: int) -> None:
        self.meters[meter] = Micros(self.meters.get(meter, 0) + micros)

    def _transfer(self, meter: str, micros: int) -> None:
        self.transfers[meter] = Micros(self.transfers.get(meter, 0) + micros)

    def freeze(self, step: Step, claim: Claim, share: Share) -> None:
        """The bank's own pricing: a share in whole cents, and what the meter starts again with."""
        there = Micros(max(0, self.meters[claim.meter]))
        frozen = Cents(share.part(there, claim.backers) * claim.backers)
        amount = frozen if step.frozen is None else step.frozen
        self.amounts[step.version] = amount
        reseed = self.meters[claim.reserve] if claim.reserve else claim.reseed
        self._put(claim.meter, reseed - to_micros(amount))
        if claim.reserve:
            self._put(claim.reserve, -reseed)
            self._transfer(claim.meter, -reseed)
            self._transfer(claim.reserve, reseed)

    def feed(self, step: Step) -> None:
        """What wagers put on the meters, or a payment by another ledger's price took off them."""
        for meter, micros in step.fed.items():
            self._put(meter, micros)

    def give_back(self, step: Step, claims: list[tuple[int, Claim]]) -> None:
        """The contributions of a void round, but of a meter that was won since."""
        won = {*step.won, *_won(claims, step.version)}
        for meter, contribution in step.void.items():
            off = 0 if meter in won else min(contribution, max(0, self.meters[meter]))
            self._put(meter, -off)
            self._transfer(meter, off - contribution)


def retold(story: Story, share_of: Callable[[Claim], Share], without: int = 0) -> Retold:
    """The story from its beginning, without the claim that was priced at the version `without`."""
    told, claims = Retold(dict(story.base)), list[tuple[int, Claim]]()
    for step in story.steps:
        if step.claim is None:
            told.feed(step)
            told.give_back(step, claims)
        elif step.version != without:
            told.freeze(step, step.claim, share_of(step.claim))
            claims.append((step.version, step.claim))
    return told
