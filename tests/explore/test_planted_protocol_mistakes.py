"""Twelve mistakes of the protocol are planted in the program, and the explorer finds each and tells the way there.

None of them needs more than two faults: a start, a lost word, a restore, a word that comes late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from firmware.bank import decide as bank_law
from firmware.bank.events import RepetitionHeld
from firmware.bank.inputs import MessageArrived
from firmware.bank.state import BankState
from firmware.runtime.ledger_watch import LedgerWatch
from firmware.table import events as e
from firmware.table import neighbors
from firmware.wire.reports import PaidAs
from firmware.wire.structs import replace
from tests.explore import sides
from tests.explore.people import PRIZE, ROYAL
from tests.explore.scopes import HELD, RESTORED
from tests.explore.search import Explorer, Scope

Plant = Callable[[pytest.MonkeyPatch], None]
LITTLE = Scope(acts=(2, 1), faults=1)


def acknowledged_before_it_is_committed(patch: pytest.MonkeyPatch) -> None:
    """What the bank answers is not on its disk yet: a row is written with the next one."""
    right = sides._take

    def wrong(rules: Any, side: Any, given: Any) -> Any:
        after, events = right(rules, side, given)
        if isinstance(given, MessageArrived) and after is not side:
            after = replace(after, rows=side.rows)
        return after, events

    patch.setattr(sides, "_take", wrong)


def twice_after_a_start(patch: pytest.MonkeyPatch) -> None:
    """A bank that was started again takes the last message that it holds for the next one."""
    right = bank_law._receive

    def wrong(rules: Any, state: BankState, message: Any) -> Any:
        held = state.book(message.table).current.held
        if state.term > 1 and held.seq and (message.seq, message.hash) == (held.seq, held.hash):
            return (bank_law._honor(rules, state, message),)
        return right(rules, state, message)

    patch.setattr(bank_law, "_receive", wrong)


def void_round_of_another_epoch(patch: pytest.MonkeyPatch) -> None:
    """A bank that was restored takes a round that is void for one of the ledger that was lost."""
    right = bank_law._reverse

    def wrong(state: BankState, message: Any, body: Any) -> Any:
        if state.before:
            return RepetitionHeld(message.at, bank_law._position(message), str(body.round))
        return right(state, message, body)

    patch.setattr(bank_law, "_reverse", wrong)


def term_ignored(patch: pytest.MonkeyPatch) -> None:
    """A table goes by whatever bank spoke last, also by one that is over."""
    patch.setattr(LedgerWatch, "is_older", lambda *_: False)


def sent_is_held(patch: pytest.MonkeyPatch) -> None:
    """A table that hears its bank takes everything that it has sent for held."""
    right = neighbors.bank_said

    def wrong(house: Any, state: Any, given: Any) -> Iterator[Any]:
        for event in right(house, state, given):
            yield replace(event, seq=state.seq) if isinstance(event, e.BankHolds) else event

    patch.setattr(neighbors, "bank_said", wrong)


def booked_as_priced_here(patch: pytest.MonkeyPatch) -> None:
    """A bank books what its own ledger has for a claim, whatever was paid."""
    right = bank_law._pay

    def wrong(state: BankState, message: Any, body: Any, priced: Any, **how: Any) -> Any:
        return right(state, message, replace(body, amount=priced.due), priced, **how)

    patch.setattr(bank_law, "_pay", wrong)


def later_winner_not_raised(patch: pytest.MonkeyPatch) -> None:
    """A wrong claim that is rejected leaves the next winner with what he had."""
    right = bank_law._untold

    def wrong(state: BankState, priced: Any) -> Any:
        raised, entries = right(state, priced)
        return (), () if raised else entries

    patch.setattr(bank_law, "_untold", wrong)


def prize_lost_after_a_start(patch: pytest.MonkeyPatch) -> None:
    """A bank that was started again takes a fixed prize for one that it holds."""
    right = bank_law._pay_reported

    def wrong(rules: Any, state: BankState, message: Any, body: Any) -> Any:
        if state.term > 1 and body.what is PaidAs.PRIZE:
            return RepetitionHeld(message.at, bank_law._position(message), str(body.round))
        return right(rules, state, message, body)

    patch.setattr(bank_law, "_pay_reported", wrong)


def taken_back_is_paid(patch: pytest.MonkeyPatch) -> None:
    """A fixed prize that is taken back is booked as one that is paid."""
    right = bank_law._pay_reported

    def wrong(rules: Any, state: BankState, message: Any, body: Any) -> Any:
        held = right(rules, state, message, body)
        return replace(held, said=replace(body, corrected="")) if body.corrected else held

    patch.setattr(bank_law, "_pay_reported", wrong)


def whatever_was_paid_before_a_restore(patch: pytest.MonkeyPatch) -> None:
    """A bank that was restored books what the lost ledger's price was by itself, however far above its own."""
    right = bank_law._objection_to_amount

    def wrong(state: BankState, priced: Any, body: Any) -> str:
        return right(state, priced, body) if body.amount <= priced.due else ""

    patch.setattr(bank_law, "_objection_to_amount", wrong)


def whatever_is_above_the_price_waits(patch: pytest.MonkeyPatch) -> None:
    """A bank waits for people with a cent above its own price, which a restore explains."""
    patch.setattr(bank_law, "EXPLAINED_PERCENT", 0)


def accepted_and_not_booked(patch: pytest.MonkeyPatch) -> None:
    """Two people accept a verdict, and it stays held."""
    patch.setattr(bank_law, "_sign", lambda _rules, _state, given: (bank_law._complaint(given.at, "", ""),))


class Planted(NamedTuple):
    """Where a mistake is looked for, what is found, and how many steps away."""

    scope: Scope
    wrong: str
    steps: int


OVER = Scope(acts=(1, 1), lost=0, doubled=0, table_starts=0, restores=0)
"""A bank is started again, and its last word before that comes after its first one since."""

RESTORE = Scope(acts=(3, 1), hands=((ROYAL,), ()), doubled=0, reordered=0, lost=0, table_starts=0, bank_starts=0)
NO_FAULT = Scope(acts=(3, 2), faults=0)
PRIZES = Scope(acts=(3, 0), hands=((), ()), faults=1, reports=((PRIZE,), ()))

KEPT_BACK = "people have to look at {}, and the bank waits for them with {}"
WINNER = ["uth-01:1:1:2"]
CENTS = Scope(acts=(3, 3), faults=2, begun=(*RESTORED[:-2], "uth-02 claims a royal flush", RESTORED[-1]))
"""Both win the whole meter: the prices differ by what a wager puts on it."""

MISTAKES: dict[Plant, Planted] = {
    booked_as_priced_here: Planted(RESTORE, "awards are 10000420000 micro-dollars, and should be 10000210000", 20),
    later_winner_not_raised: Planted(NO_FAULT, "seeds are 30000000000 micro-dollars, and should be 20000000000", 12),
    acknowledged_before_it_is_committed: Planted(LITTLE, "the bank is another one after a start than before", 3),
    twice_after_a_start: Planted(LITTLE, "came twice and counted", 5),
    void_round_of_another_epoch: Planted(LITTLE, "the meters hold {'main': 10000210000}, and should {'main': 100", 8),
    term_ignored: Planted(OVER, "goes by term 1 of a bank that it heard as term 2", 8),
    prize_lost_after_a_start: Planted(PRIZES, "paid=True, cents=4000, totals=()))], and the ledger has []", 5),
    taken_back_is_paid: Planted(PRIZES, "and the ledger has", 8),
    whatever_was_paid_before_a_restore: Planted(HELD, KEPT_BACK.format(WINNER, []), 22),
    whatever_is_above_the_price_waits: Planted(CENTS, KEPT_BACK.format([], WINNER), 22),
    accepted_and_not_booked: Planted(HELD, KEPT_BACK.format([], WINNER), 22),
    sent_is_held: Planted(LITTLE, "the bank holds 0 of them: no alarm, and nobody sends any more", 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("plant", MISTAKES, ids=lambda plant: plant.__name__)
def test_a_planted_mistake_is_found_and_the_shortest_way_there_is_told(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    planted = MISTAKES[plant]
    seen = Explorer(planted.scope).explore()
    assert seen.violations, f"not found: {seen}"
    violation = seen.violations[0]
    assert planted.wrong in violation.wrong, str(violation)
    assert len(violation.path) <= planted.steps and all(violation.path), str(violation)


@pytest.mark.slow
def test_a_planted_mistake_is_found_by_random_steps_too(monkeypatch: pytest.MonkeyPatch) -> None:
    twice_after_a_start(monkeypatch)
    seen = Explorer(Scope(acts=(2, 1))).walk(20_000, seed=1)
    assert seen.violations and "came twice and counted" in seen.violations[0].wrong, str(seen)
