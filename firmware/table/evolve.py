"""The book-keeping: what each event changes. Pure, total, and without any rule, so that replay needs no rulebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch

from firmware.table import events as e
from firmware.table.phases import after
from firmware.table.state import Owed, Phase, Prize, Seat, Shuffler, TableState

OUTBOX_MAX = 20_000
"""Messages kept for a bank that was restored from a backup: more than a week at sixty rounds an hour."""

_QUIET = (e.PressRefused, e.PinFailed, e.Complained, e.ShufflerChanged, e.LinkChanged, e.BankHolds, e.MessageOwed)
"""Events that leave the last notice standing."""


def evolve(state: TableState, event: e.Event) -> TableState:
    """The table after `event`."""
    phase = after(state.phase, event)
    if not isinstance(event, _QUIET) and state.notice:
        state = replace(state, notice="")
    state = _change(event, state)
    if phase is not state.phase:
        state = replace(state, phase=phase, panel="")
    return state


def _each(state: TableState, change: Callable[[Seat], Seat]) -> TableState:
    return replace(state, seats=tuple(change(seat) for seat in state.seats))


def _prize(state: TableState, number: int, **changes: object) -> TableState:
    seat = state.seat(number)
    assert seat.prize is not None, f"seat {number} has no prize"
    return state.with_seat(number, replace(seat, prize=replace(seat.prize, **changes)))  # type: ignore[arg-type]


@singledispatch
def _change(event: e.Event, state: TableState) -> TableState:
    raise AssertionError(f"evolve does not know {type(event).__name__}")


@_change.register
def _(event: e.TableOpened, state: TableState) -> TableState:
    return replace(state, table=event.table, journal=event.journal, seats=(Seat(),) * event.seats)


@_change.register
def _(event: e.Started, state: TableState) -> TableState:
    return replace(
        state,
        boot=event.boot,
        switch_locked=True,
        shuffler=replace(state.shuffler, connected=False),
        link_up=False,
        link_why="just started",
        sensors_up=False,
        sensors_why="just started",
    )


@_change.register
def _(event: e.BetsOpened, state: TableState) -> TableState:
    seats = tuple(
        Seat(covered=seat.covered, before_lock=number in event.stuck, dead=seat.dead)
        for number, seat in state.numbered()
    )
    return replace(
        state,
        round=event.round,
        seats=seats,
        sent_wagers=False,
        void_cite="",
        turn=0,
        envy=(),
        question=0,
        complaint="",
    )


@_change.register
def _(event: e.WagerPlaced, state: TableState) -> TableState:
    seat = replace(state.seat(event.seat), covered=True, wager=True)
    return replace(state.with_seat(event.seat, seat), before_clear=())


@_change.register
def _(event: e.WagerTakenBack, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), covered=False, wager=False))


@_change.register
def _(event: e.ChipNotRecognised, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), covered=True, ignored=True))


@_change.register
def _(event: e.ChipSeen, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), covered=True, before_lock=event.before_lock))


@_change.register
def _(event: e.ChipLifted, state: TableState) -> TableState:
    seat = replace(state.seat(event.seat), covered=False, before_lock=False, ignored=False)
    return state.with_seat(event.seat, seat)


@_change.register
def _(event: e.LateWager, state: TableState) -> TableState:
    seat = state.seat(event.seat)
    covered = seat.covered or event.covered
    seat = replace(seat, covered=covered, late=True, late_ms=event.ms, was_lit=event.was_lit)
    return state.with_seat(event.seat, seat)


@_change.register
def _(event: e.BetsClosed, state: TableState) -> TableState:
    seats = tuple(
        replace(seat, wager=number in event.accepted, before_lock=seat.covered) for number, seat in state.numbered()
    )
    return replace(
        state,
        seats=seats,
        lock_at_ns=event.at_ns,
        lock_boot=state.boot,
        lock_source=event.source,
        chips=0,
        question=0,
        before_clear=(),
    )


@_change.register
def _(event: e.BetsReopened, state: TableState) -> TableState:
    def as_open(seat: Seat) -> Seat:
        stuck = seat.before_lock and not seat.wager and not seat.late
        return replace(seat, before_lock=stuck, late=False, late_ms=None, was_lit=False)

    return _each(state, as_open)


@_change.register
def _(event: e.SensorMarked, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), dead=event.dead))


@_change.register
def _(event: e.WagerMarked, state: TableState) -> TableState:
    seat = replace(state.seat(event.seat), wager=event.placed)
    return replace(state.with_seat(event.seat, seat), before_clear=())


@_change.register
def _(event: e.SwitchTurned, state: TableState) -> TableState:
    return replace(state, switch_locked=event.locked)


@_change.register
def _(event: e.CountEntered, state: TableState) -> TableState:
    return replace(state, chips=event.chips, question=0)


@_change.register
def _(event: e.CountTakenBack, state: TableState) -> TableState:
    return replace(state, chips=0, question=0)


@_change.register
def _(event: e.SeatInQuestion, state: TableState) -> TableState:
    return replace(state, question=event.seat)


@_change.register
def _(event: e.DifferenceSettled, state: TableState) -> TableState:
    seat = state.seat(event.seat)
    seat = replace(seat, wager=event.outcome == "by hand" or (event.outcome == "returned" and seat.wager))
    chips = state.chips - (event.outcome == "returned")
    return replace(state.with_seat(event.seat, seat), chips=chips, question=0)


@_change.register
def _(event: e.CountAgreed, state: TableState) -> TableState:
    return state


@_change.register
def _(event: e.SettlingBegun, state: TableState) -> TableState:
    return replace(state, turn=0)


@_change.register
def _(event: e.WinnerPicked, state: TableState) -> TableState:
    return replace(state, turn=event.seat)


@_change.register
def _(event: e.PrizeNamed, state: TableState) -> TableState:
    cards = state.seat(event.seat).prize
    prize = Prize(event.hand, event.odds, event.cite, amount=event.amount, cards=cards.cards if cards else ())
    return replace(state.with_seat(event.seat, replace(state.seat(event.seat), prize=prize)), turn=event.seat)


@_change.register
def _(event: e.ShareNamed, state: TableState) -> TableState:
    old = state.seat(event.seat).prize
    cards = old.cards if old else ()
    prize = Prize(event.hand, event.odds, event.cite, meter=event.meter, percent=event.percent, cards=cards)
    return replace(state.with_seat(event.seat, replace(state.seat(event.seat), prize=prize)), turn=event.seat)


@_change.register
def _(event: e.CardTapped, state: TableState) -> TableState:
    return _prize(state, state.turn, cards=event.cards, rank=event.rank, slot=event.slot)


@_change.register
def _(event: e.HandShown, state: TableState) -> TableState:
    return _prize(state, event.seat, cards=event.cards, rank="")


@_change.register
def _(event: e.PrizeTakenBack, state: TableState) -> TableState:
    return replace(state.with_seat(event.seat, replace(state.seat(event.seat), prize=None)), turn=0)


@_change.register
def _(event: e.PrizeValidated, state: TableState) -> TableState:
    return _prize(state, event.seat, status="validated", by=(event.by,))


@_change.register
def _(event: e.PrizePaid, state: TableState) -> TableState:
    return replace(_prize(state, event.seat, status="paid"), turn=0)


@_change.register
def _(event: e.ClaimMade, state: TableState) -> TableState:
    return _prize(state, event.seat, status="claimed", claim=event.claim, by=(event.by,))


@_change.register
def _(event: e.ClaimPriced, state: TableState) -> TableState:
    return _prize(state, event.seat, status="pending", amount=event.amount)


@_change.register
def _(event: e.ClaimPaid, state: TableState) -> TableState:
    return replace(_prize(state, event.seat, status="paid", by=event.by), turn=0)


@_change.register
def _(event: e.ClaimRejected, state: TableState) -> TableState:
    return replace(_prize(state, event.seat, status="rejected", by=event.by), turn=0)


@_change.register
def _(event: e.EnvyOwed, state: TableState) -> TableState:
    state = _each(state, lambda seat: replace(seat, mark="" if seat.mark == "same player" else seat.mark))
    return replace(state, turn=event.holder, envy=event.payments)


@_change.register
def _(event: e.EnvyMarked, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), mark=event.mark))


@_change.register
def _(event: e.EnvyPaid, state: TableState) -> TableState:
    return replace(state, turn=0, envy=())


@_change.register
def _(event: e.RoundVoided, state: TableState) -> TableState:
    return replace(state, void_cite=event.cite, turn=0)


@_change.register
def _(event: e.RoundCleared, state: TableState) -> TableState:
    before = state.seats if state.phase is not Phase.VOID else ()
    seats = tuple(
        Seat(covered=seat.covered, before_lock=seat.before_lock, ignored=seat.ignored, dead=seat.dead)
        for seat in state.seats
    )
    return replace(state, seats=seats, before_clear=before, turn=0, envy=())


@_change.register
def _(event: e.ClearTakenBack, state: TableState) -> TableState:
    def as_before(number: int, seat: Seat) -> Seat:
        kept = state.before_clear[number - 1]
        return replace(kept, covered=seat.covered, before_lock=seat.before_lock, ignored=seat.ignored, dead=seat.dead)

    seats = tuple(as_before(number, seat) for number, seat in state.numbered())
    sent = any(seat.wager for seat in state.before_clear)
    return replace(state, round=event.round, seats=seats, before_clear=(), turn=0, sent_wagers=sent)


@_change.register
def _(event: e.PanelTurned, state: TableState) -> TableState:
    return replace(state, panel=event.panel)


@_change.register
def _(event: e.FloorCalled, state: TableState) -> TableState:
    return replace(state, floor_called=event.on)


@_change.register
def _(event: e.PressRefused, state: TableState) -> TableState:
    return replace(state, notice=event.why)


@_change.register
def _(event: e.PinFailed, state: TableState) -> TableState:
    return replace(state, notice=event.why)


@_change.register
def _(event: e.Complained, state: TableState) -> TableState:
    return replace(state, complaint=f"{event.place}: {event.text}", complaints=state.complaints + event.count)


@_change.register
def _(event: e.ShufflerChanged, state: TableState) -> TableState:
    # A unit that was switched off counts its alarms anew; what was acknowledged then says nothing about now.
    same_count = event.unit == state.shuffler.unit and event.alarm >= state.shuffler.alarm
    known = state.shuffler.acknowledged if same_count else 0
    shuffler = Shuffler(
        event.connected, event.unit, event.mode, event.count, event.deck, event.fault, event.alarm, acknowledged=known
    )
    return replace(state, shuffler=shuffler)


@_change.register
def _(event: e.AlarmAcknowledged, state: TableState) -> TableState:
    return replace(state, shuffler=replace(state.shuffler, acknowledged=event.alarm))


@_change.register
def _(event: e.LinkChanged, state: TableState) -> TableState:
    return replace(state, link_up=event.up, link_why=event.why)


@_change.register
def _(event: e.SensorsChanged, state: TableState) -> TableState:
    return replace(state, sensors_up=event.up, sensors_why=event.why)


@_change.register
def _(event: e.MessageOwed, state: TableState) -> TableState:
    outbox = (*state.outbox, Owed(event.seq, event.hash, event.text))[-OUTBOX_MAX:]
    return replace(state, outbox=outbox, sent_wagers=True)


@_change.register
def _(event: e.BankHolds, state: TableState) -> TableState:
    return replace(state, bank_epoch=event.epoch, bank_seq=event.seq)


@_change.register
def _(event: e.BankAlarm, state: TableState) -> TableState:
    return replace(state, bank_alarm=event.kind, bank_alarm_text=event.text)
