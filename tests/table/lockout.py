"""Raw edges of a felt, an oracle that knows the definition and nothing else, and the real way from edges to wagers.

The oracle keeps every edge, uncoalesced and in true order. The way is the product's: `Inbox`, `Lines`, `decide`.
All times are milliseconds here; the way gets them in nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from firmware.rules.message import NOTHING
from firmware.runtime.lines import Lines
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.inputs import LinkSeen, NoMoreBets, SensorSettled, SensorsSeen, ShufflerSeen, Started, SwitchSettled
from firmware.table.projections import heeds_switch, lamps
from firmware.table.state import DeckWork, Phase, TableState
from hal.debounce import Inbox
from hal.ports import Edge, Level
from tests.table.table import born, house_of

MS = 1_000_000
D, W = 20, 10
SEATS = 4
STEADY = 2_000
"""The history begins when the table has been watching for two seconds, so that the start's own rule is over."""
END = STEADY + 5_000


@dataclass(frozen=True)
class Edges:
    """What one line really did: (level, ms), alternating, the level before the first edge being the opposite."""

    edges: tuple[tuple[bool, int], ...]
    before: bool = False

    def last(self, at: int) -> tuple[bool, int] | None:
        """The last edge at or before an instant."""
        past = [edge for edge in self.edges if edge[1] <= at]
        return past[-1] if past else None

    def level(self, at: int) -> bool:
        last = self.last(at)
        return last[0] if last else self.before

    def held(self, at: int) -> int:
        """For how long the level had held, all history where it never moved."""
        last = self.last(at)
        return at - (last[1] if last else -10 * STEADY)

    def settled(self) -> list[tuple[bool, int]]:
        """Every change that lasted D, as (level, last edge)."""
        changes, level = [], self.before
        for number, (on, at) in enumerate(self.edges):
            ends = self.edges[number + 1][1] if number + 1 < len(self.edges) else at + D
            if ends - at >= D and on != level:
                level = on
                changes.append((on, at))
        return changes

    def first_settled_off(self) -> int | None:
        """The first edge of the first burst that ends off and stays off for D: the lock."""
        start: int | None = None
        for number, (on, at) in enumerate(self.edges):
            start = at if start is None else start
            ends = self.edges[number + 1][1] if number + 1 < len(self.edges) else at + D
            if ends - at >= D:
                if not on:
                    return start
                start = None
        return None


@dataclass(frozen=True)
class Story:
    """One locking of one table: what really happened, and what was reported when.

    `taps`: (time stamp, arrival) of NO MORE BETS; `delays`: of each line's edges, in order; `asks`: when else the loop
    looks; `nap`: from when until when it waits for a slow disk. A seat that is covered `before` is stuck.
    """

    switch: Edges
    seats: tuple[Edges, ...]
    taps: tuple[tuple[int, int], ...]
    delays: tuple[tuple[int, ...], ...]
    asks: tuple[int, ...]
    nap: tuple[int, int] = (0, 0)
    shuffle: int = 0

    @property
    def lock(self) -> int | None:
        """The earliest of the taps and the switch's settling burst."""
        off = self.switch.first_settled_off()
        return min([at for at, _ in self.taps] + ([off] if off is not None else []), default=None)

    def stuck(self, seat: int, at: int) -> bool:
        """Covered since before the last lock, and not once seen uncovered since."""
        edges = self.seats[seat - 1]
        return edges.before and not any(not on and since + D <= at for on, since in edges.settled())

    def accepted(self, at: int) -> tuple[int, ...]:
        """The definition, word by word."""
        return tuple(
            seat
            for seat, edges in enumerate(self.seats, start=1)
            if edges.level(at) and edges.held(at) >= D and not self.stuck(seat, at)
        )

    def lit(self, seat: int, at: int) -> bool:
        """A wager was acknowledged by then, and not taken back."""
        past = [on for on, since in self.seats[seat - 1].settled() if since + D <= at]
        return bool(past) and past[-1]

    def lit_before(self, seat: int, lock: int) -> int:
        """How often a chip became a wager up to the lock."""
        return sum(on for on, since in self.seats[seat - 1].settled() if since + D <= lock)

    def late(self, seat: int, lock: int, decided: int) -> list[int]:
        """The milliseconds of a chip that came too late or had not settled; each seat is told once a round."""
        edges = self.seats[seat - 1]
        if not self.stuck(seat, lock) and seat not in self.accepted(lock):
            moved = self._moves_on(seat, lock, decided)
            if moved is None and (edges.level(lock) or self.lit(seat, lock)):
                return [-edges.held(lock)]
            if moved is not None and (moved or self.lit(seat, lock)):
                return [0]
        return [since - lock for on, since in edges.settled() if on and since > lock][:1]

    def _moves_on(self, seat: int, lock: int, decided: int) -> bool | None:
        """None: the contact keeps still at the lock. Else it moves through it, and ends on or off as far as is known
        when the lock is decided: a contact that moves has no level of its own."""
        line = self.seats[seat - 1]
        known = [edge.at_ns // MS for arrived, edge in self.arrivals() if edge.line == seat and arrived <= decided]
        last = line.last(lock)
        end: bool | None = None
        at = last[1] if last else -END
        for on, then in line.edges:
            if lock < then and then in known and then - at < D:
                end, at = on, then
        return end

    def arrivals(self) -> list[tuple[int, Edge]]:
        """(arrival, report): late by at most the window, in order within a line, between the lines as they come."""
        reports: list[tuple[int, int, Edge]] = []
        for line, edges in enumerate((self.switch, *self.seats)):
            arrived = 0
            for (on, at), delay in zip(edges.edges, self.delays[line], strict=True):
                arrived = max(arrived, at + delay)
                reports.append((arrived, (line * 7 + self.shuffle) % 11, Edge(line, on, at * MS)))
        return [(arrived, edge) for arrived, _, edge in sorted(reports, key=lambda report: report[:2])]


@dataclass(frozen=True)
class Tap:
    """NO MORE BETS was pressed at that time."""

    at: int


@dataclass
class Way:
    """The product's way: every report through the inbox, every fact through the law, and what lit when."""

    story: Story
    state: TableState = field(default_factory=TableState)
    happened: list[tuple[int, e.Event]] = field(default_factory=list)
    lit: list[tuple[int, int]] = field(default_factory=list)
    """(ms, seat): a lamp went on."""
    decided: int | None = None

    def __post_init__(self) -> None:
        self.house = house_of("A", "1.00")
        self.inbox = Inbox(D * MS)
        self.lines = Lines(SEATS, D * MS, W * MS)
        self._open()

    def _open(self) -> None:
        stuck = [seat for seat, edges in enumerate(self.story.seats, start=1) if edges.before]
        first: tuple[e.Event, ...] = (
            *born(SEATS),
            e.DecksReceived(((1, "blue"),)),
            e.DecksDone(DeckWork.PREINSPECTED),
            e.DeckCut(""),
        )
        for event in first:
            self.state = evolve(self.state, event)
        self._law(0, Started("b", "p", "s"))
        for seat in stuck:
            self.state = evolve(self.state, e.ChipSeen(seat, "progressive", True, NOTHING, ()))
        self.lines.start(0, self.state.felt.sensors)
        for line, edges in enumerate((self.story.switch, *self.story.seats)):
            self.lines.feed(Level(line, edges.before, 0))
        self._law(0, LinkSeen(True, NOTHING))
        self._law(0, SensorsSeen(True, NOTHING))
        self._law(0, ShufflerSeen(True, "u", "ready", 52, "blue", "", 0))
        self._turn(STEADY)
        assert self.state.phase is Phase.OPEN

    def run(self) -> None:
        """Let it happen: reports and taps as they arrive, the loop awake then, when asked, and at its own deadlines."""
        arrivals, taps = self.story.arrivals(), self.story.taps
        wakes = {*(at for at, _ in arrivals), *(at for _, at in taps), *self.story.asks, self.story.nap[1], END}
        now = STEADY
        for wake in sorted(at for at in wakes if at >= STEADY):
            now = self._deadlines(now, wake)
            for _, edge in (report for report in arrivals if report[0] == wake):
                self.inbox.put(edge)
            for at, _ in (tap for tap in taps if tap[1] == wake):
                self.inbox.put(Tap(at))
            if not self._asleep(wake):
                self._turn(wake)
                now = wake

    def _asleep(self, at: int) -> bool:
        return self.story.nap[0] <= at < self.story.nap[1]

    def _deadlines(self, now: int, until: int) -> int:
        """The loop wakes by itself, too; never twice for nothing."""
        idle = 0
        while (deadline := self.lines.next_deadline()) is not None and deadline < until * MS:
            before, now = now, max(now, -(-deadline // MS))
            if now >= until or self._asleep(now):
                return before
            idle = idle + 1 if now == before else 0
            assert idle < 3, f"the loop spins at {now} ms: {deadline} is over"
            self._turn(now)
        return now

    def _turn(self, now: int) -> None:
        for signal in self.inbox.take(0):
            if isinstance(signal, Edge):
                self.lines.feed(signal)
            elif isinstance(signal, Tap) and self.state.phase is Phase.OPEN:
                self.lines.lock(signal.at * MS, "screen")
        betting, heeds = self.state.phase is Phase.OPEN, heeds_switch(self.state)
        for fact in self.lines.facts(now * MS, betting=betting, heeds_switch=heeds):
            self._law(now, fact)

    def _law(
        self,
        now: int,
        given: SensorSettled | SwitchSettled | NoMoreBets | Started | LinkSeen | SensorsSeen | ShufflerSeen,
    ) -> None:
        before = lamps(self.state)
        turn = decide(self.house, self.state, given)
        self.state = turn.state
        for event in turn.events:
            self.happened.append((now, event))
            if isinstance(event, e.BetsClosed):
                self.decided = now
        after = lamps(self.state)
        self.lit += [(now, seat) for seat in after if after[seat] == "lit" and before[seat] != "lit"]

    def said(self, kind: type[e.Event]) -> Iterator[tuple[int, e.Event]]:
        return (told for told in self.happened if isinstance(told[1], kind))
