"""THINK, WRITE: the middle of every loop that holds money. ACT belongs to the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from firmware.runtime.day_files import Journal
from firmware.runtime.journal import Snapshot
from firmware.runtime.snapshots import Keeping
from firmware.runtime.sqlite import Database

S = TypeVar("S")
I = TypeVar("I")  # noqa: E741
E = TypeVar("E")

TOLD_EVERY = 1_000
"""Rows of a replay."""


def applied(evolve: Callable[[S, E], S], state: S, events: Iterable[E]) -> Iterator[tuple[E, S]]:
    """Each event with the state after it."""
    for event in events:
        state = evolve(state, event)
        yield event, state


class Spine(Generic[S, I, E]):
    """A state that only ever changes through events that are on disk."""

    def __init__(
        self,
        journal: Journal[E],
        keeping: Keeping[S, E],
        decide: Callable[[S, I], Iterable[tuple[E, S]]],
        also: Callable[[Database, Sequence[E], S], None] | None = None,
        starting: Callable[[], None] = lambda: None,
        replayed: Callable[[int, E], None] = lambda kept, event: None,
    ) -> None:
        """Replays the journal from its last snapshot on, which verifies its chain from there on.

        `decide` gives each event with the state after it. `also` writes more in each transaction (the bank's tables).
        `starting` is called again and again in a replay: one of all rows takes minutes after months. `replayed` hears each
        event of it, and the row of the snapshot before.
        """
        self.journal = journal
        self._keeping, self._decide, self._also = keeping, decide, also
        self.kept, self.state = keeping.restore(journal)
        """The row of the last snapshot, 0 for none; and the state as it is on disk."""
        for number, event in enumerate(journal.replay(self.kept)):
            self.state = keeping.evolve(self.state, event)
            replayed(self.kept, event)
            if number % TOLD_EVERY == 0:
                starting()

    def take(self, given: Iterable[I]) -> list[E]:
        """Decide on each input in turn, write all that follows in one transaction, and only then let it be true."""
        turn = _Turn(self._keeping, self.state, self.journal.rows, self.kept)
        for one in given:
            for event, after in self._decide(turn.state, one):
                turn.add(event, after)
        return self._write(turn)

    def rehearse(self, given: Iterable[I]) -> S:
        """The state that `take` would make of it; nothing is written, and nothing has happened."""
        state = self.state
        happened: list[E] = []
        for one in given:
            for event, after in self._decide(state, one):
                state = after
                happened.append(event)
        self.journal.rehearse(happened)
        return state

    def record(self, events: Sequence[E]) -> list[E]:
        """Write events that nobody decided: the first of a new journal."""
        turn = _Turn(self._keeping, self.state, self.journal.rows, self.kept)
        for event in events:
            turn.add(event, self._keeping.evolve(turn.state, event))
        return self._write(turn)

    def begin_file(self, day: str, days: int, also: Callable[[Database], None] | None = None) -> str:
        """Go on in a new file, which begins with the state as it is; why not yet, "" where it does: `Journal.begin_file`."""
        if not (why := self.journal.begin_file(day, days, self._keeping.of(self.state), also)):
            self.kept = self.journal.rows
        return why

    def _write(self, turn: _Turn[S, E]) -> list[E]:
        if turn.happened:
            also = self._also
            self.journal.append(
                turn.rows, None if also is None else lambda database: also(database, turn.happened, turn.state)
            )
            self.state, self.kept = turn.state, turn.kept
        return turn.happened


class _Turn(Generic[S, E]):
    """The rows of one transaction, and the state after it; a snapshot stands after the event that made it due."""

    def __init__(self, keeping: Keeping[S, E], state: S, written: int, kept: int) -> None:
        self._keeping, self._written = keeping, written
        self.state, self.kept = state, kept
        self.happened: list[E] = []
        self.rows: list[E | Snapshot] = []

    def add(self, event: E, after: S) -> None:
        """It happens next; the state after it."""
        self.state = after
        self.happened.append(event)
        self.rows.append(event)
        row = self._written + len(self.rows) + 1
        if self._keeping.due(row - self.kept, self.state):
            self.rows.append(self._keeping.of(self.state))
            self.kept = row
