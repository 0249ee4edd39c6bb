"""Reports to the bank that move no meter (docs/mqtt.md): prizes, envy bonuses, accounts, late chips, differences, days.

Nothing is decided here. A payment is told in the transaction that books it, so that neither can be without the other; it
waits in the outbox like a wager, and stops nothing. Late chips and differences are told with the next lock, or message
of another kind: until then UNDO may take a difference back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware.rules.money import Cents
from firmware.rules.payment import Payment, Source
from firmware.table import events as e
from firmware.table.evolve import ahead
from firmware.table.outbox import owe as owe_next
from firmware.table.state import Amounts, TableState, Tally, Untold
from firmware.table.turn import Turn
from firmware.wire.reports import (
    COUNTS_MAX,
    AccountMoved,
    CentsOf,
    Counted,
    DayEnded,
    Difference,
    LateChip,
    MicrosOf,
    PaidAs,
    PaymentLine,
    Payments,
    Report,
    Totals,
)

_TOLD = (
    e.PrizePaid,
    e.EnvyPaid,
    e.AccountCredited,
    e.AccountCorrected,
    e.SettlementCorrected,
    e.AccountMoved,
    e.DayClosed,
)
"""Events with a message of their own to the bank."""
_COUNTED_WITH = (e.BetsClosed, e.MessageOwed)
"""With what waiting counts are told too."""


def owe(turn: Turn) -> None:
    """The messages that follow from what was said in a turn of a live table with a bank."""
    state, events = turn.before, turn.events
    if not (state.program.progressive and state.program.live):
        return
    told = [body for event in events if isinstance(event, _TOLD) for body in _bodies(state, event, turn.at)]
    counts = any(isinstance(event, _COUNTED_WITH) for event in events)
    if told or counts:
        for body in (*_counted(turn.state.neighbors.untold), *told):
            turn.say((owe_next(turn.state, body),))


def envy_back(state: TableState, void: e.RoundVoided, at: int) -> tuple[e.MessageOwed, ...]:
    """The envy bonuses that a void round takes back. They are told before its reversal, and so with it: the bank reverses
    no round in which something is paid.
    """
    if not (state.program.progressive and state.program.live):
        return ()
    holders = dict.fromkeys(one.for_seat for one in void.envy)
    of_one = ([one for one in void.envy if one.for_seat == holder] for holder in holders)
    bodies = [body for lines in of_one for body in _paid(void.round, PaidAs.ENVY, lines, void.cite, at, void.by)]
    return tuple(_owed(state, bodies))


def _owed(state: TableState, bodies: Iterable[Report]) -> Iterator[e.MessageOwed]:
    for body in bodies:
        message = owe_next(state, body)
        yield message
        state = ahead(state, message)


def _bodies(state: TableState, event: e.Event, at: int) -> Iterator[Report]:
    round_ = state.round.number
    match event:
        case e.PrizePaid(payment=payment, by=by):
            yield from _paid(round_, PaidAs.PRIZE, _not_credited((payment,)), "", at, by)
        case e.EnvyPaid(payments=payments, by=by):
            yield from _paid(round_, PaidAs.ENVY, payments, "", at, by)
        case e.AccountCredited(payment=payment, by=by):
            yield from _paid(round_, PaidAs.CREDIT, (payment,), "", at, by)
        case e.AccountCorrected(payment=payment, reason=reason, by=by):
            yield from _paid(round_, PaidAs.CREDIT, (payment,), reason.value, at, by)
        case e.SettlementCorrected(wager="envy", lines=lines, reason=reason, by=by):
            yield from _paid(round_, PaidAs.ENVY, lines, reason.value, at, by)
        case e.SettlementCorrected(wager=wager, lines=lines, reason=reason, by=by) if wager:
            yield from _paid(round_, PaidAs.PRIZE, _not_credited(lines), reason.value, at, by)
        case e.AccountMoved(seat=seat, move=move, amount=amount):
            yield AccountMoved(seat, move, Cents(amount), at)
        case e.DayClosed():
            both = (totals(event.totals), totals(event.perpetual))
            yield DayEnded(event.day, event.number, event.by, *both, event.round, event.claims, at)
        case _:
            pass


def _paid(
    round_: int, what: PaidAs, payments: Iterable[Payment], corrected: str, at: int, by: str
) -> Iterator[Payments]:
    lines = tuple(PaymentLine.of(payment) for payment in payments)
    if lines:
        yield Payments(round_, what, lines, corrected, at, by)


def _not_credited(payments: Iterable[Payment]) -> tuple[Payment, ...]:
    """A payment to an account is reported as its credit."""
    return tuple(payment for payment in payments if payment.source is not Source.ACCOUNT)


def _counted(untold: Untold) -> Iterator[Counted]:
    while untold.late or untold.differences:
        late = tuple(LateChip(*one) for one in untold.late[:COUNTS_MAX])
        differences = untold.differences[:COUNTS_MAX]
        yield Counted(late, tuple(Difference(*one) for one in differences))
        untold = untold.told


def totals(tally: Tally) -> Totals:
    """A day's totals as the wire has them."""
    return Totals(
        tally.rounds,
        tally.voids,
        tally.late,
        tally.differences,
        Cents(tally.bought),
        Cents(tally.cashed),
        _cents(tally.staked),
        _cents(tally.returned),
        _cents(tally.paid),
        _cents(tally.awards),
        tuple(MicrosOf(name, micros) for name, micros in tally.contributions),
    )


def _cents(amounts: Amounts) -> tuple[CentsOf, ...]:
    return tuple(CentsOf(name, cents) for name, cents in amounts)
