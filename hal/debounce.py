"""A bouncing contact made exact: readings of the past, settled changes, and the one inbox of a process.

Pure but for `Inbox`, which is a lock around the same rule. Knows lines, levels and nanoseconds of CLOCK_MONOTONIC.

The definition that everything here serves (D is the debounce time, L the time stamp of a lock):

    a wager stands at L  iff  the last edge e <= L of its line is an on-edge and L - e >= D

Every report of an edge is an edge of the line at its time, also one that repeats the level before it: the edge between
was lost, and the contact did move. Lines report unordered between each other, in order within one.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hal.ports import (
    LOCKOUT,
    Button,
    ButtonPressed,
    Complaint,
    DeviceFound,
    DeviceLost,
    Edge,
    Level,
    On,
    ShufflerStatus,
)

LATE = "contacts"
"""The place of a complaint that contacts were heard late: nothing was refused."""
STEADY_NS = 1_000_000_000
"""After a start no uncovering counts until every line has been steady for this long (design: Trust)."""


@dataclass(frozen=True, slots=True)
class Burst:
    """A run of edges of one line, each closer than D to the one before: first edge, last edge, level after the last.

    Nothing is lost for the definition. Take any instant t and the last edge e <= t:
      - e is the last edge of its burst. `end_ns` and `on` are that edge, so t - e and the level are exact.
      - e is an earlier edge of its burst. Then the next edge e' has t < e' and e' - e < D, hence t - e < D: not
        settled at either level. It is enough to know that start_ns <= t < end_ns.
      - there is no such e before the first burst: the level is the one before its first edge, as without coalescing.
    And a settled change needs D of quiet after an edge, which only the last edge of a burst has.
    """

    start_ns: int
    end_ns: int
    on: On


@dataclass(frozen=True, slots=True)
class Reading:
    """The level of a line at an instant and for how long it had held, in nanoseconds.

    `held_ns` is None where the level has held since before we watched. Within a burst it is 0, and `on` is where the
    burst ended: a contact that moves has no level of its own.
    """

    on: On
    held_ns: int | None


def _merge(bursts: list[Burst], on: On, at_ns: int, debounce_ns: int) -> None:
    """Add one more edge. One that claims to be older than the last happened together with it, as far as we can know."""
    if bursts and at_ns - bursts[-1].end_ns < debounce_ns:
        last = bursts.pop()
        bursts.append(Burst(last.start_ns, max(at_ns, last.end_ns), on))
    else:
        bursts.append(Burst(at_ns, at_ns, on))


class LineHistory:
    """The history of one line, as far back as `limit` bursts. For older ones it remembers the level, not the age."""

    def __init__(self, debounce_ns: int, limit: int = 32) -> None:
        self._debounce_ns = debounce_ns
        self._limit = limit
        self._bursts: list[Burst] = []
        self._before: On | None = None
        """The level before the first burst kept; None: never seen."""
        self._first_seen_ns: int | None = None
        """When `_before` was read as a level; None where an edge implied it or a forgotten burst left it."""
        self._read: list[tuple[On, int]] = []
        """Levels read since the last edge that no edge explains yet, each contradicting the one before it: edges that
        were lost, or are still on their way."""
        self.forgotten_ns: int | None = None
        """The end of the youngest burst that was forgotten."""

    def edge(self, on: On, at_ns: int) -> None:
        """The line changed to `on`, or says so."""
        while self._read and self._read[0][1] < at_ns:
            self._append(*self._read.pop(0))  # edges come in order: what explains it will not come any more
        if not self._bursts and self._before is None:
            self._before = not on
        elif not self._bursts and self._first_seen_ns is not None and at_ns <= self._first_seen_ns:
            self._read.insert(0, (self._before or False, self._first_seen_ns))
            self._before, self._first_seen_ns = not on, None
        self._append(on, at_ns)
        while self._read and self._read[0][0] == on:
            self._read.pop(0)  # explained: the level had overtaken its edge, which knows its own time

    def level(self, on: On, at_ns: int) -> None:
        """The line was read. A contradiction is an edge at this time, until an earlier edge explains it."""
        last_ns = self.last_ns
        if self._before is None:
            self._before, self._first_seen_ns = on, at_ns
        elif last_ns is not None and at_ns < last_ns:
            return  # an edge or a newer level overtook this one
        elif on != self.latest:
            self._read.append((on, at_ns))
            if len(self._read) > self._limit:
                self._append(*self._read.pop(0))

    def at(self, t_ns: int) -> Reading:
        """The reading at an instant. A line never heard of reads `Reading(False, None)`: no wager, and locked."""
        before = self._before or False
        for burst in reversed(self.bursts):
            if t_ns >= burst.end_ns:
                return Reading(burst.on, t_ns - burst.end_ns)
            if t_ns >= burst.start_ns:
                return Reading(burst.on, 0)
        return Reading(before, None)

    @property
    def latest(self) -> On:
        """The newest level that is known; off where none is."""
        return self._read[-1][0] if self._read else self._last_on()

    @property
    def bursts(self) -> list[Burst]:
        """The bursts kept, oldest first, lost edges included."""
        bursts = list(self._bursts)
        for on, at_ns in self._read:
            _merge(bursts, on, at_ns, self._debounce_ns)
        return bursts

    @property
    def last_ns(self) -> int | None:
        """When the line last moved or, if it never did, was first read; None: never heard of."""
        if self._read:
            return self._read[-1][1]
        return self._bursts[-1].end_ns if self._bursts else self._first_seen_ns

    @property
    def first_level(self) -> Burst | None:
        """The level read at the start, as if it had come then; None once it is forgotten or an edge came before it."""
        if self._first_seen_ns is None or self._before is None:
            return None
        return Burst(self._first_seen_ns, self._first_seen_ns, self._before)

    @property
    def watched_since_ns(self) -> int | None:
        """Since when the level before the first burst kept is known to have held; None: it was never read."""
        return self._first_seen_ns if self._first_seen_ns is not None else self.forgotten_ns

    def _last_on(self) -> On:
        return self._bursts[-1].on if self._bursts else self._before or False

    def _append(self, on: On, at_ns: int) -> None:
        _merge(self._bursts, on, at_ns, self._debounce_ns)
        while len(self._bursts) > self._limit:
            oldest = self._bursts.pop(0)
            self._before, self._first_seen_ns, self.forgotten_ns = oldest.on, None, oldest.end_ns


@dataclass(frozen=True, slots=True)
class Settled:
    """A line's level has held for the debounce time: `since_ns` is its last edge, `at_ns` when it counted.

    at_ns = since_ns + D, but for an uncovering that waited for the lines to be steady after a start.
    """

    line: int
    on: On
    since_ns: int
    at_ns: int


class Debouncer:
    """All lines of a table: feed it what comes, ask what has settled. Time is an argument."""

    def __init__(self, debounce_ns: int, lines: Iterable[int]) -> None:
        self._debounce_ns = debounce_ns
        self._lines = tuple(lines)
        self._steady_ns: int | None = 0
        self._reset({})

    def start(self, now_ns: int, believed: Mapping[int, On]) -> None:
        """Watch from now on: the past is unknown, `believed` is the level of each line before (absent: off).

        Call it when the program starts and whenever the device was lost and found. Until all lines have been steady for
        a second no seat's uncovering counts; a covering counts at once, and so does the lockout, whose off is a lock.
        """
        self._reset(believed)
        self._started_ns = now_ns
        self._steady_ns = None

    def feed(self, signal: Edge | Level) -> None:
        """Take one signal; raises ValueError for a line that this table does not have."""
        history = self._history.get(signal.line)
        if history is None:
            raise ValueError(f"{signal}: this table has the lines {self._lines}; check the seats in table.toml")
        if isinstance(signal, Edge):
            history.edge(signal.on, signal.at_ns)
        else:
            history.level(signal.on, signal.at_ns)

    def latest(self, line: int) -> On:
        """The newest level of a line that is known; off where none is."""
        return self._history[line].latest

    def at(self, line: int, t_ns: int) -> Reading:
        """The reading of a line at an instant: what the lock is decided by.

        Once the lines have been steady, a line that had not moved by then is known for as long as it was watched.
        """
        history = self._history[line]
        reading, since_ns = history.at(t_ns), history.watched_since_ns
        if reading.held_ns is not None or since_ns is None or self._steady_ns is None:
            return reading
        return Reading(reading.on, t_ns - since_ns) if t_ns >= max(since_ns, self._steady_ns) else reading

    def settled(self, now_ns: int) -> tuple[Settled, ...]:
        """The changes that have settled by now and were not told yet, in the order in which they counted.

        An edge that is still on its way (lines report within the window W) can undo one; that is then told as well. A
        caller that needs certainty, as the lock does, asks `at` for an instant that lies D + W back.
        """
        self._look_for_steadiness(now_ns)
        changes: list[Settled] = []
        for line in self._lines:
            for burst, counts_ns in self._pending(line):
                if counts_ns is None or counts_ns > now_ns:
                    break
                self._done_ns[line] = burst.end_ns
                if burst.on != self._told[line]:
                    self._told[line] = burst.on
                    changes.append(Settled(line, burst.on, burst.end_ns, counts_ns))
        return tuple(sorted(changes, key=lambda change: (change.at_ns, change.line)))

    def unsettled(self) -> list[tuple[int, On, int]]:
        """(line, level, last edge) of what has not settled yet and differs from what was told of its line."""
        return [
            (line, burst.on, burst.end_ns)
            for line in self._lines
            for burst, _counts_ns in self._pending(line)
            if burst.on != self._told[line]
        ]

    def next_deadline(self) -> int | None:
        """When `settled` can have something new if nothing else comes; None: only a signal can change anything."""
        deadlines: list[int] = []
        for line in self._lines:
            for burst, counts_ns in self._pending(line):
                if burst.on != self._told[line]:
                    deadlines.append(self._quiet_since() + STEADY_NS if counts_ns is None else counts_ns)
                    break
        return min(deadlines, default=None)

    def _reset(self, believed: Mapping[int, On]) -> None:
        self._history = {line: LineHistory(self._debounce_ns) for line in self._lines}
        self._told: dict[int, On] = {line: believed.get(line, False) for line in self._lines}
        self._done_ns: dict[int, int | None] = dict.fromkeys(self._lines)
        self._started_ns = 0

    def _pending(self, line: int) -> Iterator[tuple[Burst, int | None]]:
        """The bursts of a line not yet dealt with, and when each counts (None: not before the lines are steady).

        A masked uncovering that was covered again before the lines were steady never counts, and is left out.
        """
        history, done_ns = self._history[line], self._done_ns[line]
        if history.last_ns is None or (done_ns is not None and history.last_ns <= done_ns):
            return
        bursts = history.bursts
        if (first := history.first_level) is not None:
            bursts.insert(0, first)
        for number, burst in enumerate(bursts):
            if done_ns is not None and burst.end_ns <= done_ns:
                continue
            ends_ns = bursts[number + 1].start_ns if number + 1 < len(bursts) else None
            counts_ns: int | None = burst.end_ns + self._debounce_ns
            if not burst.on and line != LOCKOUT and self._masked(burst):
                counts_ns = self._steady_ns
                if ends_ns is not None and (counts_ns is None or ends_ns < counts_ns):
                    continue
            elif ends_ns is not None and counts_ns is not None and ends_ns < counts_ns:
                continue  # the first level read, and an edge soon after it: it had not settled
            yield burst, counts_ns

    def _masked(self, burst: Burst) -> bool:
        return self._steady_ns is None or burst.end_ns + self._debounce_ns < self._steady_ns

    def _look_for_steadiness(self, now_ns: int) -> None:
        """Find the first full second in which no line moved, also when nobody asked meanwhile."""
        if self._steady_ns is not None:
            return
        forgotten = (history.forgotten_ns for history in self._history.values())
        quiet_ns = max([self._started_ns, *(ns for ns in forgotten if ns is not None)])
        for burst in sorted(self._all_bursts(), key=lambda burst: burst.start_ns):
            if burst.start_ns - quiet_ns >= STEADY_NS:
                break
            quiet_ns = max(quiet_ns, burst.end_ns)
        if quiet_ns + STEADY_NS <= now_ns:
            self._steady_ns = quiet_ns + STEADY_NS

    def _quiet_since(self) -> int:
        return max([self._started_ns, *(burst.end_ns for burst in self._all_bursts())])

    def _all_bursts(self) -> Iterator[Burst]:
        for history in self._history.values():
            yield from history.bursts


class Inbox:
    """The one inbox of a process: device threads put, the loop alone takes.

    window_ns: how late an edge may be put after its stamp; one that is later is kept and complained of. 0: not measured.

    Memory is bounded even if devices misbehave, and nothing that `LineHistory` needs is lost:
      - Edges of a line: the middle of three edges that lie within D is dropped, which leaves first and last edge of a
        burst and every gap in it below D. A contact that never stops chattering adds at most two edges per D.
      - Levels of a line: of a run that agrees, the first and the last are kept.
      - ShufflerStatus: the latest. DeviceLost and DeviceFound: the latest of a device.
      - ButtonPressed: the first `button_max` of a button between two takes, which are all that a person can press; what
        is beyond comes from a bad contact, is refused and complained of. It cannot keep out other buttons or badges.
      - Complaints: the first `complaints_max` between two takes; the others are counted in one more Complaint.
      - Everything else (badges, and what the runtime puts: taps, messages) in order, at most `capacity`; what does not
        fit is refused, counted and complained of.
    """

    complaints_max = 32
    line_max = 1024
    """Edges and levels of one line between two takes: some seconds of chatter while the loop stands still."""
    button_max = 32
    """Presses of one button between two takes."""

    def __init__(self, debounce_ns: int, capacity: int = 4096, *, window_ns: int = 0) -> None:
        self._debounce_ns = debounce_ns
        self._window_ns = window_ns
        self._late = 0
        """Edges that came later than the window since the last take, and how late the latest was."""
        self._latest_ns = 0
        self._capacity = capacity
        # Re-entrant: a signal's handler puts too, and may interrupt its own thread inside `take`.
        self._changed = threading.Condition(threading.RLock())
        self._number = 0
        self._waiting: dict[int, object] = {}
        """Waiting signals by their number of arrival. A dict keeps the order and lets the middle of a burst go."""
        self._by_line: dict[int, deque[int]] = {}
        self._latest: dict[object, int] = {}
        self._presses: dict[Button, int] = {}
        self._complaints = 0
        self._others = 0
        self._beyond: dict[str, int] = {}
        self._last_beyond = ""

    def put(self, signal: object) -> None:
        """Take in one signal from any thread. Never blocks for longer than the lock."""
        with self._changed:
            if isinstance(signal, Edge | Level):
                if self._window_ns and isinstance(signal, Edge):
                    self._measure(time.monotonic_ns() - signal.at_ns)
                self._put_line(signal)
            elif isinstance(signal, ShufflerStatus):
                self._put_latest(ShufflerStatus, signal)
            elif isinstance(signal, DeviceLost | DeviceFound):
                self._put_latest(signal.device, signal)
            elif isinstance(signal, ButtonPressed):
                self._put_press(signal)
            elif isinstance(signal, Complaint):
                self._complaints += 1
                if self._complaints <= self.complaints_max:
                    self._add(signal)
                else:
                    self._refuse("more complaints", f"{signal.place}: {signal.text}")
            else:
                self._others += 1
                if self._others <= self._capacity:
                    self._add(signal)
                else:
                    self._refuse("signals that did not fit", type(signal).__name__)
            self._changed.notify()

    def take(self, timeout_s: float | None) -> list[object]:
        """Everything that waits, in order; blocks until something is there. Empty after `timeout_s` (None: never)."""
        with self._changed:
            if not self._waiting and timeout_s != 0:
                self._changed.wait_for(lambda: bool(self._waiting), timeout_s)
            taken = list(self._waiting.values())
            taken.extend(
                Complaint("inbox", f"{count} {what} while the table was busy, the last: {self._last_beyond}")
                for what, count in self._beyond.items()
            )
            if self._late:
                taken.append(Complaint(LATE, self._lateness()))
            self._late = self._latest_ns = 0
            self._waiting, self._by_line, self._latest, self._presses, self._beyond = {}, {}, {}, {}, {}
            self._complaints = self._others = 0
            return taken

    def _add(self, signal: object) -> int:
        self._number += 1
        self._waiting[self._number] = signal
        return self._number

    def _measure(self, late_ns: int) -> None:
        if late_ns > self._window_ns:
            self._late += 1
            self._latest_ns = max(self._latest_ns, late_ns)

    def _lateness(self) -> str:
        late_ms, window_ms = self._latest_ns // 1_000_000, self._window_ns // 1_000_000
        return f"machine too busy: contacts told up to {late_ms} ms late, {self._late} times (window_ms is {window_ms})"

    def _put_latest(self, key: object, signal: object) -> None:
        if (earlier := self._latest.get(key)) is not None:
            del self._waiting[earlier]
        self._latest[key] = self._add(signal)

    def _put_line(self, signal: Edge | Level) -> None:
        numbers = self._by_line.setdefault(signal.line, deque())
        if len(numbers) >= 2 and self._between(self._waiting[numbers[-2]], self._waiting[numbers[-1]], signal):
            del self._waiting[numbers.pop()]
        numbers.append(self._add(signal))
        if len(numbers) > self.line_max:
            del self._waiting[numbers.popleft()]
            self._refuse("edges forgotten", f"line {signal.line}; check its contact")

    def _put_press(self, press: ButtonPressed) -> None:
        button = press.seat, press.name
        self._presses[button] = self._presses.get(button, 0) + 1
        if self._presses[button] <= self.button_max:
            self._add(press)
        else:
            self._refuse("presses refused", f"seat {press.seat}'s {press.name} button; check its contact")

    def _between(self, first: object, middle: object, last: object) -> bool:
        """True where the middle one of three successive signals of a line can go and nothing is lost."""
        if isinstance(first, Edge) and isinstance(middle, Edge) and isinstance(last, Edge):
            return first.at_ns <= middle.at_ns <= last.at_ns and last.at_ns - first.at_ns < self._debounce_ns
        if isinstance(first, Level) and isinstance(middle, Level) and isinstance(last, Level):
            return first.on == middle.on == last.on
        return False

    def _refuse(self, what: str, last: str) -> None:
        self._beyond[what] = self._beyond.get(what, 0) + 1
        self._last_beyond = last
