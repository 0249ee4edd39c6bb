"""From edges to facts: what of the sensors and the lockout switch a table's law is told, and when.

One time line, CLOCK_MONOTONIC. Lines report unordered, each by at most a small window late. So nothing counts before the
window has passed after it settled: no lamp lights after "no more bets", or for a contact that had moved again. The lock
is decided when debounce time and window have passed after its time stamp; what settles meanwhile waits for it.

A busy machine may report an edge later than the window. So at the moment of decision every line is read, and where a level
contradicts what is known of its line, its edge is still on its way: the decision waits for one more window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from firmware.table.inputs import NoMoreBets, SensorSettled, SpotReading, SwitchSettled
from firmware.table.state import Sensor
from hal.debounce import Burst, Debouncer, LineHistory, Settled
from hal.ports import LOCKOUT, Chips, Edge, Level, On

Fact = SensorSettled | SwitchSettled | NoMoreBets

CHATTER_NS = 1_000_000_000
"""A lockout contact that bounces for so long is a loose wire, and reads as locked like a cut one."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is seen and not yet decided."""

    at_ns: int
    source: str
    told_ns: int = 0
    """The screen's time, if it was not believed."""


class _Look:
    """All lines read once more, for the decision of a lock: what has not answered yet, and until when it is waited for."""

    def __init__(self, lines: Iterable[int], at_ns: int, window_ns: int) -> None:
        self._unread = set(lines)
        self._at_ns, self._window_ns = at_ns, window_ns
        self.until_ns = at_ns + window_ns
        self._doubt = False

    def hear(self, level: Level, known: On) -> None:
        """The level of a line, and what was known of it."""
        if level.at_ns < self._at_ns or level.line not in self._unread:
            return
        self._unread.discard(level.line)
        if level.on != known:
            self._doubt = True
            self.until_ns = level.at_ns + self._window_ns

    def is_over(self, now_ns: int) -> bool:
        """Every line says what was known of it; or the wait is over."""
        return now_ns >= self.until_ns or not (self._unread or self._doubt)


class Lines:
    """The sensors and the lockout of one table. Feed it signals, ask it for facts."""

    def __init__(self, seats: int, debounce_ns: int, window_ns: int) -> None:
        self._seats = range(1, seats + 1)
        self._debounce_ns, self._window_ns = debounce_ns, window_ns
        self._debouncer = Debouncer(debounce_ns, [LOCKOUT, *self._seats])
        self._waiting: list[Settled] = []
        self._lock: Lock | None = None
        self._lockout = LineHistory(debounce_ns)
        self._judged_ns: int | None = None
        """The end of the last burst of the lockout line that was judged."""
        self._loose_ns: int | None = None
        """The start of a burst that did not end in time and reads as locked until it has settled."""
        self._switch_on: bool | None = None
        """The lockout line as it settled last; None: not yet since the start."""
        self._off_since = Lock(0, "start")
        """When the switch that stands locked was turned: the first edge of its burst."""
        self._told_on: bool | None = None
        self._look: _Look | None = None

    def start(self, now_ns: int, sensors: Sequence[Sensor]) -> None:
        """Watch from now on; `sensors`: what the table believes to lie on each, from seat 1 on."""
        believed = {seat: one.covered and (one.chips or True) for seat, one in enumerate(sensors, start=1)}
        self._debouncer.start(now_ns, believed)
        self._waiting = []
        self._lockout = LineHistory(self._debounce_ns)
        self._judged_ns, self._loose_ns = None, None
        self._switch_on, self._told_on = None, None
        self._look = None

    def feed(self, signal: Edge | Level) -> None:
        """A line changed or was read. Raises ValueError for a line that this table does not have."""
        if self._look is not None and isinstance(signal, Level) and signal.line in (LOCKOUT, *self._seats):
            self._look.hear(signal, self._debouncer.latest(signal.line))
        self._debouncer.feed(signal)
        if signal.line == LOCKOUT:
            hear = self._lockout.edge if isinstance(signal, Edge) else self._lockout.level
            hear(bool(signal.on), signal.at_ns)

    def lock(self, at_ns: int, source: str, told_ns: int = 0) -> None:
        """No more bets, at this time stamp. The earliest lock counts."""
        if self._lock is None or at_ns < self._lock.at_ns:
            self._lock = Lock(at_ns, source, told_ns)

    @property
    def locking(self) -> bool:
        """A lock is seen and not yet decided."""
        return self._lock is not None

    def facts(
        self,
        now_ns: int,
        *,
        betting: bool,
        heeds_switch: bool = True,
        read: Callable[[], None] | None = None,
    ) -> list[Fact]:
        """The facts that are certain by now, in order. `betting`: bets are open at the table.

        heeds_switch: the lockout switch locks them; else only the screen does. read: has the level of every line fed, now
        or soon; None if no report can be late.
        """
        self._watch_switch(now_ns, betting=betting and heeds_switch)
        maybe_ns = self._maybe_locked_ns(heeds_switch) if betting else None
        settled = self._debouncer.settled(now_ns - self._window_ns)
        self._waiting += [change for change in settled if change.line != LOCKOUT]
        if not betting:
            self._lock = self._look = None
        facts = self._tell(maybe_ns) if betting else []
        if self._lock is not None and now_ns >= self._due_ns(self._lock) and self._looked(now_ns, read):
            facts.append(self._decide(self._lock))
            self._lock, self._look, betting = None, None, False
        if self._lock is None:
            facts += self._tell_switch()
        if not betting:
            facts += self._tell(None)
        return facts

    def coming(self) -> list[SensorSettled]:
        """The chips that settle next if nothing else comes. A guess: only `facts` says what has settled."""
        return [
            SensorSettled(line, bool(on), since_ns, _chips(on))
            for line, on, since_ns in self._debouncer.unsettled()
            if line != LOCKOUT
        ]

    def next_deadline(self) -> int | None:
        """When `facts` can have something new though nothing is fed."""
        settles_ns = self._debouncer.next_deadline()
        deadlines = [] if settles_ns is None else [settles_ns + self._window_ns]
        deadlines += [self._judge_ns(burst) for burst in self._unjudged()]
        if self._lock is not None:
            looked_ns = self._look.until_ns if self._look is not None else 0
            deadlines.append(max(self._due_ns(self._lock), looked_ns))
        return min(deadlines, default=None)

    # The lockout switch -----------------------------------------------------------------------------------------------

    def _watch_switch(self, now_ns: int, *, betting: bool) -> None:
        """Every burst of the switch that has settled; while bets are open a locked one's first edge is the lock."""
        for burst in self._unjudged():
            if now_ns < self._judge_ns(burst):
                break
            if now_ns < self._settles_ns(burst):
                self._loose_ns = burst.start_ns
                self._turn_switch(False, burst.start_ns, betting=betting)
                break
            self._judged_ns = burst.end_ns
            self._turn_switch(bool(burst.on), burst.start_ns, betting=betting)
        if betting and self._switch_on is False:
            self.lock(self._off_since.at_ns, self._off_since.source)

    def _turn_switch(self, on: bool, since_ns: int, *, betting: bool) -> None:
        if not on and self._switch_on is not False:
            self._off_since = Lock(since_ns, "start" if self._switch_on is None else "switch")
            if betting:  # it may be on again by now: a lockout may be a button
                self.lock(self._off_since.at_ns, self._off_since.source)
        self._switch_on = on

    def _unjudged(self) -> Iterator[Burst]:
        """The bursts of the lockout line whose level is not known to have settled, oldest first; at the start also the
        level that was read, unless an edge soon after it says that it had not settled."""
        bursts = self._lockout.bursts
        first = self._lockout.first_level
        if first is not None and (not bursts or bursts[0].start_ns - first.end_ns >= self._debounce_ns):
            bursts.insert(0, first)
        for burst in bursts:
            if self._judged_ns is None or burst.end_ns > self._judged_ns:
                yield burst

    def _settles_ns(self, burst: Burst) -> int:
        """When a burst has settled: no edge of it can be on its way any more."""
        return burst.end_ns + self._debounce_ns + self._window_ns

    def _judge_ns(self, burst: Burst) -> int:
        """When the switch's level is told: settled, or moving for so long that it is taken for locked."""
        if burst.start_ns == self._loose_ns:
            return self._settles_ns(burst)
        return min(self._settles_ns(burst), burst.start_ns + CHATTER_NS)

    def _tell_switch(self) -> list[Fact]:
        if self._switch_on is None or self._switch_on == self._told_on:
            return []
        self._told_on = self._switch_on
        return [SwitchSettled(locked=not self._switch_on)]

    # The lock -----------------------------------------------------------------------------------------------------------

    def _maybe_locked_ns(self, heeds_switch: bool) -> int | None:
        """From when on the table may turn out to have been locked; None: nothing says so."""
        starts = [burst.start_ns for burst in self._unjudged()] if heeds_switch else []
        if self._lock is not None:
            starts.append(self._lock.at_ns)
        return min(starts, default=None)

    def _tell(self, until_ns: int | None) -> list[Fact]:
        """The changes that have settled by then; None: all. The rest waits for the lock."""
        told = [change for change in self._waiting if until_ns is None or change.at_ns <= until_ns]
        self._waiting = [change for change in self._waiting if change not in told]
        return [SensorSettled(one.line, bool(one.on), one.since_ns, _chips(one.on)) for one in told]

    def _due_ns(self, lock: Lock) -> int:
        """When every line has reported, and the switch cannot have been turned before this lock."""
        turning = [self._judge_ns(burst) for burst in self._unjudged() if burst.start_ns < lock.at_ns]
        return max([lock.at_ns + self._debounce_ns + self._window_ns, *turning])

    def _looked(self, now_ns: int, read: Callable[[], None] | None) -> bool:
        """True where nothing that a line says now contradicts what is known, or was waited for long enough."""
        if read is None:
            return True
        if self._look is None:
            self._look = _Look((LOCKOUT, *self._seats), now_ns, self._window_ns)
            read()
        return self._look.is_over(now_ns)

    def _decide(self, lock: Lock) -> NoMoreBets:
        readings = tuple(self._reading(seat, lock.at_ns) for seat in self._seats)
        return NoMoreBets(lock.at_ns, lock.source, readings, told_ns=lock.told_ns)

    def _reading(self, seat: int, at_ns: int) -> SpotReading:
        reading = self._debouncer.at(seat, at_ns)
        return SpotReading(seat, bool(reading.on), reading.held_ns)


def _chips(on: On) -> Chips:
    """Those that lie there, where the line tells."""
    return on if isinstance(on, tuple) else ()
