"""The counts of a table, by gaming day and since its journal was made: a fold over its events, kept in its state.

So UNDO takes back what a press counted, facts stay counted, and replay and snapshots know it as they know all else. Money
follows the law's settlement: a round's lines are counted when it is cleared, after every correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from firmware.rules.payment import Payment
from firmware.table import events as e
from firmware.table.projections import prizes_paid
from firmware.table.state import RECENT_DAYS, Amounts, Days, TableState, Tally
from firmware.wire.reports import AccountMove
from firmware.wire.structs import replace

_NUMBERS = ("rounds", "voids", "late", "differences", "bought", "cashed")
_BY_NAME = ("staked", "returned", "paid", "awards", "contributions")


def added(amounts: Amounts, more: Iterable[tuple[str, int]]) -> Amounts:
    """Amounts by name with these on top."""
    sums = dict(amounts)
    for name, amount in more:
        sums[name] = sums.get(name, 0) + amount
    return tuple(sorted((name, amount) for name, amount in sums.items() if amount))


def less(total: Tally, before: Tally) -> Tally:
    """The counts since: `total` less `before`."""
    changes: dict[str, Any] = {name: getattr(total, name) - getattr(before, name) for name in _NUMBERS}
    for name in _BY_NAME:
        changes[name] = added(getattr(total, name), ((key, -amount) for key, amount in getattr(before, name)))
    return Tally(**changes)


def counted(state: TableState, event: e.Event) -> Days:
    """The table's days after `event`, which happened to `state`. Its kind is one of `COUNTED`."""
    days = state.days
    if isinstance(event, e.DayClosed):
        recent = (*days.recent, event.day)[-RECENT_DAYS:]
        return Days(event.number, recent, event.at, event.perpetual, event.perpetual)
    return replace(days, total=COUNTED[type(event)](days.total, state, event))


def _settled(tally: Tally, payments: Iterable[Payment]) -> Tally:
    lines = tuple(payments)
    return replace(
        tally,
        staked=added(tally.staked, ((line.wager, line.stake) for line in lines)),
        returned=added(tally.returned, ((line.wager, line.returned) for line in lines)),
        paid=added(tally.paid, ((line.wager, line.payout) for line in lines)),
    )


def _lines(state: TableState, event: e.RoundCleared) -> Iterator[Payment]:
    """All that was settled in a round. A prize that went to an account stands in two places, and so does a share of the
    dealer's jackpot that its backer was paid at the own turn.
    """
    settled = [line for seat in state.round.seats for line in (*seat.position.lines, *seat.position.final)]
    yield from settled
    yield from event.lost
    yield from (one for one in dict.fromkeys(prizes_paid(state)) if one not in settled)


def _cleared(tally: Tally, state: TableState, event: Any) -> Tally:
    tally = _settled(tally, _lines(state, event))
    return replace(tally, rounds=tally.rounds + 1, voids=tally.voids + bool(state.round.void_cite))


def _voided(tally: Tally, state: TableState, event: Any) -> Tally:
    """Wagers with a meter, and envy bonuses that are taken back; wagers of the game are lines of their seats."""
    return _taken_back(_settled(tally, event.returned), event.envy)


def _envy(tally: Tally, state: TableState, event: Any) -> Tally:
    return replace(tally, paid=added(tally.paid, ((one.wager, one.payout) for one in event.payments)))


def _taken_back(tally: Tally, payments: Iterable[Payment]) -> Tally:
    return replace(tally, paid=added(tally.paid, ((one.wager, -one.payout) for one in payments)))


def _corrected(tally: Tally, state: TableState, event: Any) -> Tally:
    """Envy bonuses are paid again; a seat, or a prize, is counted when its round is cleared."""
    return _taken_back(tally, event.lines) if event.wager == "envy" else tally


def _award(tally: Tally, state: TableState, event: Any) -> Tally:
    prize = state.seat(event.seat).prize
    assert prize is not None and prize.price is not None, f"claim {event.claim} is paid without a price"
    return replace(tally, awards=added(tally.awards, [(prize.price.meter, prize.price.amount)]))


def _rest_paid(tally: Tally, state: TableState, event: Any) -> Tally:
    """A second payment of a claim: of the meter that it was priced by."""
    if not event.paid:
        return tally
    debt = next(one for one in state.neighbors.debts if one.claim == event.claim)
    return replace(tally, awards=added(tally.awards, [(debt.price.meter, event.owed)]))


def _moved(tally: Tally, state: TableState, event: Any) -> Tally:
    if event.move is AccountMove.BUY_IN:
        return replace(tally, bought=tally.bought + event.amount)
    return replace(tally, cashed=tally.cashed + event.amount)


def _one_more(name: str) -> Callable[[Tally, TableState, Any], Tally]:
    return lambda tally, state, event: replace(tally, **{name: getattr(tally, name) + 1})


COUNTED: Mapping[type[e.Event], Callable[[Tally, TableState, Any], Tally]] = {
    e.RoundCleared: _cleared,
    e.RoundVoided: _voided,
    e.EnvyPaid: _envy,
    e.SettlementCorrected: _corrected,
    e.ClaimPaid: _award,
    e.DebtEnded: _rest_paid,
    e.LateWager: _one_more("late"),
    e.DifferenceSettled: _one_more("differences"),
    e.AccountMoved: _moved,
    e.MessageOwed: lambda tally, state, event: replace(tally, contributions=added(tally.contributions, event.fed)),
    e.DayClosed: lambda tally, state, event: event.perpetual,
}
"""Kind of event -> the tally after it."""
