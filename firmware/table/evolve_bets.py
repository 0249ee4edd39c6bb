"""Bets, the lock and the count, as they are written down: sections .2(c), .7 and .8(b) of the books."""

from __future__ import annotations

from typing import assert_never

from firmware.rules.wager import PROGRESSIVE
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


def _round(state: TableState, **changes: object) -> TableState:
    return replace(state, round=replace(state.round, **changes))  # type: ignore[arg-type]


def _seat(state: TableState, number: int, **changes: object) -> TableState:
    return state.with_seat(number, replace(state.seat(number), **changes))  # type: ignore[arg-type]


def _wagered(state: TableState, number: int, amount: int) -> TableState:
    return state.with_seat(number, state.seat(number).with_wager(PROGRESSIVE, amount))


def _sensor(state: TableState, number: int, **changes: object) -> TableState:
    return state.with_sensor(number, replace(state.sensor(number), **changes))  # type: ignore[arg-type]


def _untold(
    state: TableState,
    late: tuple[tuple[int, int, int | None, bool], ...] = (),
    differences: tuple[tuple[int, int, DifferenceOutcome], ...] = (),
) -> TableState:
    """The bank is still to be told of it, where there is one, and it is no test."""
    if not (state.program.progressive and state.program.live):
        return state
    known = state.neighbours.untold
    untold = Untold((*known.late, *late), (*known.differences, *differences))
    return replace(state, neighbours=replace(state.neighbours, untold=untold))


def evolve_bets(state: TableState, event: e.BetsEvent) -> TableState:
    """The table after something happened to bets, the lock or the count."""
    match event:
        case e.WagerPlaced():
            covered = _sensor(state, event.seat, covered=True, ignored=False, chips=event.chips)
            return _wagered(covered, event.seat, event.amount)
        case e.WagerTakenBack():
            return _wagered(_sensor(state, event.seat, covered=False, chips=()), event.seat, 0)
        case e.ChipSeen():
            if event.why:
                return _sensor(state, event.seat, covered=True, ignored=True, chips=event.chips)
            return _sensor(state, event.seat, covered=True, before_lock=event.before_lock, chips=event.chips)
        case e.ChipLifted():
            return _sensor(state, event.seat, covered=False, before_lock=False, ignored=False, chips=())
        case e.LateWager():
            if event.covered:
                state = _sensor(state, event.seat, covered=True, chips=event.chips)
            state = _untold(state, late=((state.round.number, event.seat, event.ms, event.was_lit),))
            return _seat(state, event.seat, late=True, late_ms=event.ms)
        case e.BetsOpened():
            return _opened(state, event)
        case e.BetsClosed():
            return _closed(state, event)
        case e.BetsReopened():
            return _reopened(replace(state, history=replace(state.history, counted=0)))
        case e.SwitchTurned():
            return replace(state, felt=replace(state.felt, switch_locked=event.locked))
        case e.SensorMarked():
            return _sensor(state, event.seat, dead=event.dead)
        case e.ProgressiveMarked():
            return replace(state, felt=replace(state.felt, out_of_order=not event.works))
        case e.WagerMarked():
            return _wagered(state, event.seat, event.amount)
        case e.CountEntered():
            return _round(state, chips=event.chips or 0, question=0)
        case e.DifferenceSettled():
            state = _untold(state, differences=((state.round.number, event.seat, event.outcome),))
            return _difference(state, event)
        case e.PlayerMarked():
            for number in event.seats:
                state = _seat(state, number, player=event.mark)
            return state
        case e.CountAgreed():
            return replace(state, history=replace(state.history, counted=state.round.number))
        case _:
            assert_never(event)


def _opened(state: TableState, event: e.BetsOpened) -> TableState:
    """A new round: of the last one only the stakes stay."""
    seats = tuple(Seat(position=Position(seat.position.stakes), player=seat.player) for seat in state.round.seats)
    sensors = tuple(
        Sensor(covered=sensor.covered, before_lock=number in event.stuck, dead=sensor.dead, chips=sensor.chips)
        for number, sensor in enumerate(state.felt.sensors, start=1)
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
    seats = tuple(
        seat if number in event.accepted else seat.with_wager(PROGRESSIVE, 0) for number, seat in state.numbered()
    )
    machine_made = state.decks.cards and len(state.decks.here) == 1  # what it shuffled before was for this round
    work = MachineWork.NOTHING if machine_made else state.decks.work
    lock = Lock(event.at_ns, state.program.boot, event.source)
    return replace(
        state,
        felt=replace(state.felt, sensors=_before_lock(state)),
        decks=replace(state.decks, played=state.deck.number if state.deck else 0, work=work),
        round=replace(state.round, seats=seats, lock=lock, chips=0, question=0),
    )


def _before_lock(state: TableState) -> tuple[Sensor, ...]:
    return tuple(
        one if one.before_lock == one.covered else replace(one, before_lock=one.covered) for one in state.felt.sensors
    )


def _reopened(state: TableState) -> TableState:
    def as_open(seat: Seat) -> Seat:
        return replace(seat, late=False, late_ms=None, same_player=False, position=Position(seat.position.stakes))

    sensors = tuple(
        replace(sensor, before_lock=sensor.before_lock and not seat.wager and not seat.late)
        for sensor, seat in zip(state.felt.sensors, state.round.seats, strict=True)
    )
    state = replace(state, felt=replace(state.felt, sensors=sensors))
    seats = tuple(as_open(seat) for seat in state.round.seats)
    return _round(state, seats=seats, magic_card="", lucky=None, positions_open=False, sent_wagers=False)


def _difference(state: TableState, event: e.DifferenceSettled) -> TableState:
    seat = state.seat(event.seat)
    wagered = event.amount or (seat.staked(PROGRESSIVE) if event.outcome is DifferenceOutcome.RETURNED else 0)
    chips = state.round.chips - (event.outcome in (DifferenceOutcome.RETURNED, DifferenceOutcome.NO_ANTE))
    return _round(_wagered(state, event.seat, wagered), chips=chips, question=0)
