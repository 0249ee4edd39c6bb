"""The end of a gaming day at a table: one signed event with its totals. An open round is carried into the next day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from firmware.rules.message import say
from firmware.table import events as e
from firmware.table.press import Press
from firmware.table.state import NO_PANEL, UNFINISHED, Phase, PrizeStatus, TableState
from firmware.table.tally import less


def close(state: TableState, press: Press) -> Iterator[e.Event]:
    """A floorperson closes the gaming day; a day is closed once.

    A date before the last one is of a clock that is behind. It is taken only where the clock has been set back since: then
    the last one was of a clock that ran ahead, and no table may be left that never closes a day again.
    """
    day = day_of(state, press.day)
    if day and day in state.days.recent:
        yield press.refused(say("day.closed", day=day))
        return
    if day and day < state.days.last and press.at >= state.days.at:
        yield press.refused(say("day.clock-behind", day=day, last=state.days.last))
        return
    total = state.days.total
    yield e.DayClosed(
        day,
        state.days.closed + 1,
        less(total, state.days.before),
        total,
        state.round.number if state.phase in UNFINISHED | {Phase.OPEN} else 0,
        open_claims(state),
        state.neighbors.bank_seq,
        state.seq,
        by=press.by,
    )
    yield e.PanelTurned(NO_PANEL)


def day_of(state: TableState, today: str) -> str:
    """The day that is closed now: `today` by the house's clock, or the day before if that one was not closed yet.

    The last day of a casino ends some time after its clock says that a new one has begun. If days are closed at all,
    a missed one is closed first; "" stands for a house without a clock.
    """
    if not state.days.last or not today:
        return today
    before = (date.fromisoformat(today) - timedelta(days=1)).isoformat()
    return before if state.days.last < before and before not in state.days.recent else today


def is_due(state: TableState, today: str) -> bool:
    """The day before `today` is over and was not closed, at a table whose days are closed."""
    return bool(state.days.last) and day_of(state, today) < today


def open_claims(state: TableState) -> tuple[str, ...]:
    """The claims of this round that nobody has given a verdict on."""
    waiting = (PrizeStatus.CLAIMED, PrizeStatus.PENDING)
    return tuple(prize.claim for seat in state.round.seats for prize in seat.prizes if prize.status in waiting)
