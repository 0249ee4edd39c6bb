"""Bets, the lock and the count, as they are written down: sections .2(c), .7 and .8(b) of the books."""

from __future__ import annotations

from typing import assert_never

from firmware.table import events as e
from firmware.table.state import (
    Lock,
    MachineWork,
    Position,
    Prepared,
    Round,
    Seat,
    Sensor,
    TableState,
    Untold,
)
from firmware.wire.reports import DifferenceOutcome
from firmware.wire.structs import replace

OfASensor = e.WagerPlaced | e.WagerReturned | e.ChipSeen | e.ChipLifted | e.LateWager | e.SensorMarked
"""Events that say something of one sensor."""


def _round(state: TableState, **changes: object) -> TableState:
    return replace(state, round=replace(state.round, **changes))  # type: ignore[arg-type]


def _seat(state: TableState, number: int, **changes: object) -> TableState:
    return state.with_seat(number, replace(state.seat(number), **changes))  # type: ignore[arg-type]


def _sensor(state: TableState, event: OfASensor, **changes: object) -> TableState:
    changed = replace(state.sensor(event.seat, event.wager), **changes)  # type: ignore[arg-type]
    return state.with_sensor(state.spot(event.seat, event.wager), changed)


def _untold(
    state: TableState,
    late: tuple[tuple[int, int, str, int | None, bool], ...] = (),
    differences: tuple[tuple[int, int, str, DifferenceOutcome], ...] = (),
) -> TableState:
    """The bank is still to be told of it, where there is one, and it is no test."""
    if not (state.program.progressive and state.program.live):
        return state
    known = state.neighbors.untold
    untold = Untold((*known.late, *late), (*known.differences, *differences))
    return replace(state, neighbors=replace(state.neighbors, untold=untold))


def evolve_bets(state: TableState, event: e.BetsEvent) -> TableState:
    """The table after something happened to bets, the lock or the count."""
    match event:
        case e.WagerPlaced():
            return _placed(state, event)
        case e.WagerReturned():
            return _returned(state, event)
        case e.ChipSeen():
            if event.why:
                return _sensor(state, event, covered=True, ignored=True, chips=event.chips)
            return _sensor(state, event, covered=True, before_lock=event.before_lock, chips=event.chips)
        case e.ChipLifted():
            return _sensor(state, event, covered=False, before_lock=False, ignored=False, chips=())
        case e.LateWager():
            if event.covered:
                state = _sensor(state, event, covered=True, chips=event.chips)
            state = _untold(state, late=((state.round.number, event.seat, event.wager, event.ms, event.was_lit),))
            return _seat(state, event.seat, late=(*state.seat(event.seat).late, (event.wager, event.ms)))
        case e.BetsOpened():
            return _opened(state, event)
        case e.BetsClosed():
            return _closed(state, event)
        case e.BetsReopened():
            return _reopened(replace(state, history=replace(state.history, counted=0)))
        case e.SwitchTurned():
            return replace(state, felt=replace(state.felt, switch_locked=event.locked))
        case e.SensorMarked():
            return _sensor(state, event, dead=event.dead)
        case e.ProgressiveMarked():
            return replace(state, felt=replace(state.felt, out_of_order=not event.works))
        case e.WagerMarked():
            return state.with_wager(event.seat, event.wager, event.amount)
        case e.CountEntered():
            return _round(state, counting=event.wager, chips=event.chips or 0, question=0)
        case e.DifferenceSettled():
            settled = (state.round.number, event.seat, event.wager, event.outcome)
            state = _untold(state, differences=(settled,))
            return _difference(state, event)
        case e.PlayerMarked():
            for number in event.seats:
                state = _seat(state, number, player=event.mark)
            return state
        case e.CountAgreed():
            return replace(state, history=replace(state.history, counted=state.round.number))
        case _:
            assert_never(event)


def _placed(state: TableState, event: e.WagerPlaced) -> TableState:
    if event.wager in state.program.sensed:
        state = _sensor(state, event, covered=True, ignored=False, chips=event.chips)
    else:
        state = _pushed(in_account(state, event.seat, -event.amount), event, placed=True)
    return state.with_wager(event.seat, event.wager, event.amount)


def _returned(state: TableState, event: e.WagerReturned) -> TableState:
    if event.wager in state.program.sensed:
        state = _sensor(state, event, covered=False, chips=())
    else:
        state = _pushed(in_account(state, event.seat, event.amount), event, placed=False)
    return state.with_wager(event.seat, event.wager, 0)


def _pushed(state: TableState, event: e.WagerPlaced | e.WagerReturned, *, placed: bool) -> TableState:
    return _round(state, pushed=(*state.round.pushed, (event.seat, event.wager, event.at_ns, placed)))


def in_account(state: TableState, number: int, change: int) -> TableState:
    """So many cents more in a seat's wagering account."""
    accounts = list(state.felt.accounts)
    accounts[number - 1] += change
    return replace(state, felt=replace(state.felt, accounts=tuple(accounts)))


def _opened(state: TableState, event: e.BetsOpened) -> TableState:
    """A new round: of the last one only the stakes stay."""
    seats = tuple(Seat(position=Position(seat.position.stakes), player=seat.player) for seat in state.round.seats)
    sensors = tuple(
        Sensor(covered=sensor.covered, before_lock=spot in event.stuck, dead=sensor.dead, chips=sensor.chips)
        for spot, sensor in enumerate(state.felt.sensors, start=1)
    )
    decks = state.decks
    if not decks.cards and decks.work is MachineWork.DONE:
        decks = replace(decks, cards=Prepared.MACHINE, work=MachineWork.NOTHING)
    return replace(
        state,
        round=Round(event.round, seats),
        felt=replace(state.felt, sensors=sensors),
        decks=replace(decks, opening=()),
        desk=replace(state.desk, complaint="", stranger=""),
    )


def _closed(state: TableState, event: e.BetsClosed) -> TableState:
    for spot, number, wager, _ in state.spots():
        if spot not in event.accepted and state.seat(number).staked(wager):
            state = state.with_wager(number, wager, 0)
    machine_made = state.decks.cards and len(state.decks.here) == 1  # what it shuffled before was for this round
    work = MachineWork.NOTHING if machine_made else state.decks.work
    lock = Lock(event.at_ns, state.program.boot, event.source)
    return replace(
        state,
        felt=replace(state.felt, sensors=_before_lock(state)),
        decks=replace(state.decks, played=state.deck.number if state.deck else 0, work=work),
        round=replace(state.round, lock=lock, counting=next(iter(state.program.sensed), ""), chips=0, question=0),
    )


def _before_lock(state: TableState) -> tuple[Sensor, ...]:
    return tuple(
        one if one.before_lock == one.covered else replace(one, before_lock=one.covered) for one in state.felt.sensors
    )


def _reopened(state: TableState) -> TableState:
    def as_open(seat: Seat) -> Seat:
        return replace(seat, late=(), same_player=False, position=Position(seat.position.stakes))

    def unblocked(seat: Seat, wager: str) -> bool:
        return bool(seat.staked(wager)) or wager in dict(seat.late)

    sensors = tuple(
        replace(sensor, before_lock=sensor.before_lock and not unblocked(state.seat(number), wager))
        for _, number, wager, sensor in state.spots()
    )
    state = replace(state, felt=replace(state.felt, sensors=sensors))
    seats = tuple(as_open(seat) for seat in state.round.seats)
    return _round(state, seats=seats, magic_card="", lucky=None, positions_open=False, sent_wagers=False)


def _difference(state: TableState, event: e.DifferenceSettled) -> TableState:
    seat = state.seat(event.seat)
    wagered = event.amount or (seat.staked(event.wager) if event.outcome is DifferenceOutcome.RETURNED else 0)
    chips = state.round.chips - (event.outcome in (DifferenceOutcome.RETURNED, DifferenceOutcome.NO_ANTE))
    return _round(state.with_wager(event.seat, event.wager, wagered), chips=chips, question=0)
