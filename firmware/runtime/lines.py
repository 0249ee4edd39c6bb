"""From edges to facts: what of the sensors and the lockout switch a table's law is told, and when.

One time line, CLOCK_MONOTONIC. Lines report unordered, so the lock is decided only when debounce time and a small window
have passed after its time stamp; what settles meanwhile waits, so that no lamp lights after "no more bets".
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware.table.inputs import NoMoreBets, SeatReading, SensorSettled, SwitchSettled
from hal.debounce import Debouncer
from hal.ports import LOCKOUT, Edge, Level

Fact = SensorSettled | SwitchSettled | NoMoreBets


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is seen and not yet decided."""

    at_ns: int
    source: str


class Lines:
    """The sensors and the lockout of one table. Feed it signals, ask it for facts."""

    def __init__(self, seats: int, debounce_ns: int, window_ns: int) -> None:
        self._seats = range(1, seats + 1)
        self._debounce_ns, self._window_ns = debounce_ns, window_ns
        self._debouncer = Debouncer(debounce_ns, [LOCKOUT, *self._seats])
        self._waiting: list[SensorSettled] = []
        self._lock: Lock | None = None
        self._heard = False
        self._first_off_ns: int | None = None
        self._switch_on: bool | None = None
        """The lockout line as it settled last; None: not yet since the start."""
        self._told_on: bool | None = None

    def start(self, now_ns: int, covered: frozenset[int]) -> None:
        """Watch from now on; `covered` are the seats that the table believes to be covered."""
        believed = {seat: seat in covered for seat in self._seats}
        self._debouncer.start(now_ns, believed)
        self._waiting, self._heard, self._first_off_ns = [], False, None
        self._switch_on, self._told_on = None, None

    def feed(self, signal: Edge | Level) -> None:
        """A line changed or was read. Raises ValueError for a line that this table does not have."""
        self._debouncer.feed(signal)
        if signal.line == LOCKOUT:
            self._heard = True
            if not signal.on and self._first_off_ns is None:
                self._first_off_ns = signal.at_ns

    def lock(self, at_ns: int, source: str) -> None:
        """No more bets, at this time stamp. The earliest lock counts."""
        if self._lock is None or at_ns < self._lock.at_ns:
            self._lock = Lock(at_ns, source)

    @property
    def locking(self) -> bool:
        """A lock is seen and not yet decided."""
        return self._lock is not None

    def facts(self, now_ns: int, *, betting: bool) -> list[Fact]:
        """What has become certain by now, in order. `betting`: bets are open at the table."""
        for change in self._debouncer.settled(now_ns):
            if change.line != LOCKOUT:
                self._waiting.append(SensorSettled(change.line, change.on, change.since_ns))
        self._watch_switch(now_ns, betting=betting)
        facts: list[Fact] = []
        if not betting:
            self._lock = None
        if self._lock is not None:
            facts += self._decide(self._lock, now_ns)
        if self._lock is None:
            facts += self._tell_switch()
            if not self._in_doubt(now_ns, betting=betting):
                facts += self._waiting
                self._waiting = []
        return facts

    def next_deadline(self) -> int | None:
        """When `facts` can have something new though nothing is fed."""
        deadlines = [self._debouncer.next_deadline()]
        if self._lock is not None:
            deadlines.append(self._due_ns(self._lock))
        elif self._heard and (self._waiting or self._switch_on is None):
            deadlines.append(self._settles_ns())
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def _due_ns(self, lock: Lock) -> int:
        return max(lock.at_ns + self._debounce_ns + self._window_ns, self._settles_ns())

    def _settles_ns(self) -> int:
        """When the lockout line settles if it moves no more."""
        return (self._debouncer.moved_ns(LOCKOUT) or 0) + self._debounce_ns

    def _watch_switch(self, now_ns: int, *, betting: bool) -> None:
        """The lockout switch, once it has settled; while bets are open its first off-edge is the lock's time stamp."""
        if not self._heard or now_ns < self._settles_ns():
            return
        on = self._debouncer.at(LOCKOUT, now_ns).on
        if betting and not on and self._switch_on is not False:
            source = "start" if self._switch_on is None else "switch"
            self.lock(self._first_off_ns or now_ns, source)
        if on:
            self._first_off_ns = None
        self._switch_on = on

    def _tell_switch(self) -> list[Fact]:
        if self._switch_on is None or self._switch_on == self._told_on:
            return []
        self._told_on = self._switch_on
        return [SwitchSettled(locked=not self._switch_on)]

    def _in_doubt(self, now_ns: int, *, betting: bool) -> bool:
        """The switch may just have been turned: what settles now waits until that is known."""
        return betting and self._heard and (now_ns < self._settles_ns() or self._switch_on is False)

    def _decide(self, lock: Lock, now_ns: int) -> list[Fact]:
        """What settled before the lock is told at once; the lock itself, and the rest, when every line has reported."""
        early = [change for change in self._waiting if change.since_ns + self._debounce_ns <= lock.at_ns]
        self._waiting = [change for change in self._waiting if change not in early]
        if now_ns < self._due_ns(lock):
            return list(early)
        self._lock = None
        readings = tuple(self._reading(seat, lock.at_ns) for seat in self._seats)
        return [*early, NoMoreBets(lock.at_ns, lock.source, readings)]

    def _reading(self, seat: int, at_ns: int) -> SeatReading:
        reading = self._debouncer.at(seat, at_ns)
        return SeatReading(seat, reading.on, reading.held_ns)
