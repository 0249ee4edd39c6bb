"""653a.2(c), 653a.8(b): after "no more bets" nothing is recognized. The lock for any order of edges, bounces and reports.

Random stories of one lock run through the product's way, and the definition in ARCHITECTURE.md is read off the raw
edges by an oracle that knows nothing of bursts, coalescing, windows or facts (see `lockout`).
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.table import events as e
from firmware.table.state import Phase
from tests.table.lockout import SEATS, STEADY, D, Edges, Story, W, Way

PAUSES = st.one_of(st.integers(1, 6), st.integers(D - 2, D + 2), st.integers(1, 120))
DELAYS = st.integers(0, W)


@st.composite
def edges(draw: st.DrawFn, before: bool, edges_max: int) -> Edges:
    """One line's true history: it moves and bounces around the lock, and keeps still in the end."""
    at, level, moves = STEADY + 60 + draw(st.integers(0, 100)), before, []
    for _ in range(draw(st.integers(0, edges_max))):
        level = not level
        moves.append((level, at))
        at += draw(PAUSES)
    return Edges(tuple(moves), before)


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """A lock by switch, by screen, or both; each report late by at most the window."""
    switch = draw(edges(True, 7))
    seats = tuple(draw(edges(draw(st.sampled_from((False, False, True))), 7)) for _ in range(SEATS))
    taps = st.tuples(st.integers(STEADY + 60, STEADY + 400), DELAYS).map(lambda tap: (tap[0], tap[0] + tap[1]))
    chosen = draw(st.lists(taps, max_size=2))
    if switch.first_settled_off() is None and not chosen:
        chosen = [draw(taps)]
    delays = tuple(tuple(draw(DELAYS) for _ in line.edges) for line in (switch, *seats))
    asks = tuple(draw(st.lists(st.integers(STEADY, STEADY + 600), max_size=4)))
    naps = st.integers(STEADY + 50, STEADY + 300)
    fell_asleep = draw(st.one_of(st.just(0), naps))
    nap = (fell_asleep, fell_asleep + draw(st.integers(1, 150)))
    return Story(switch, seats, tuple(chosen), delays, asks, nap, draw(st.integers(0, 10)))


def tell(story: Story) -> None:
    """Run a story and hold it against the definition."""
    way = Way(story)
    way.run()
    lock = story.lock
    assert lock is not None
    closed = [event for _, event in way.said(e.BetsClosed) if isinstance(event, e.BetsClosed)]
    assert [event.at_ns // 1_000_000 for event in closed] == [lock], "one lock, at the earliest of switch and screen"
    assert closed[0].accepted == story.accepted(lock)
    assert way.state.wagers == story.accepted(lock)
    assert way.state.phase in (Phase.COUNT, Phase.DEAL)
    for seat in range(1, SEATS + 1):
        late = [event for _, event in way.said(e.LateWager) if isinstance(event, e.LateWager) and event.seat == seat]
        assert [event.ms for event in late] == story.late(seat, lock, way.decided or 0), f"late at seat {seat}"
        lit = [at for at, lamp in way.lit if lamp == seat]
        assert len(lit) == story.lit_before(seat, lock), (
            f"seat {seat}'s lamp lit at {lit}, for another chip than a wager"
        )


FAST = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
EXAMPLES = int(os.environ.get("FELT_LOCKOUT_EXAMPLES", "50000"))
"""Of the slow proof."""


@st.composite
def slow_screens(draw: st.DrawFn) -> Story:
    """The switch stands open; the tap arrives long after its time stamp, and lamps have been lit and left since."""
    seats = tuple(draw(edges(False, 5)) for _ in range(SEATS))
    at = draw(st.integers(STEADY + 60, STEADY + 400))
    delays = ((), *(tuple(draw(DELAYS) for _ in line.edges) for line in seats))
    return Story(Edges((), before=True), seats, ((at, at + draw(st.integers(W, 2_000))),), delays, ())


@FAST
@given(slow_screens())
def test_a_tap_that_comes_late_locks_at_its_time_all_the_same(story: Story) -> None:
    tell_of_a_late_tap(story)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@settings(FAST, max_examples=EXAMPLES // 5)
@given(slow_screens())
def test_a_tap_that_comes_late_locks_at_its_time_ten_thousand_times(story: Story) -> None:
    tell_of_a_late_tap(story)


def tell_of_a_late_tap(story: Story) -> None:
    """Run a story of one tap and hold it against the definition, but for what was told before the tap came."""
    way = Way(story)
    way.run()
    lock = story.lock
    assert lock is not None
    (closed,) = [event for _, event in way.said(e.BetsClosed) if isinstance(event, e.BetsClosed)]
    ((_, arrived),) = story.taps
    told = max(lock, arrived - W - 1)  # what had settled by then was told before the lock was decided
    gone = [seat for seat in story.accepted(lock) if not story.lit(seat, told)]
    assert closed.at_ns // 1_000_000 == lock
    assert closed.accepted == tuple(seat for seat in story.accepted(lock) if seat not in gone)
    late = {event.seat for _, event in way.said(e.LateWager) if isinstance(event, e.LateWager)}
    assert set(gone) <= late, "what was taken before the tap came is shown, and the count decides"


@FAST
@given(stories())
@pytest.mark.slow
def test_the_accepted_wagers_are_those_of_the_definition(story: Story) -> None:
    tell(story)


@pytest.mark.slow
@pytest.mark.timeout(2400)
@settings(FAST, max_examples=EXAMPLES)
@given(stories())
def test_the_accepted_wagers_are_those_of_the_definition_fifty_thousand_times(story: Story) -> None:
    tell(story)
