"""THINK, WRITE: the middle of every loop that holds money. ACT belongs to whoever calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from firmware.runtime.journal import Journal
from firmware.runtime.sqlite import Database

S = TypeVar("S")
I = TypeVar("I")  # noqa: E741
E = TypeVar("E")


class Spine(Generic[S, I, E]):
    """A state that only ever changes through events that are on disk."""

    def __init__(
        self,
        journal: Journal[E],
        initial: S,
        decide: Callable[[S, I], Sequence[E]],
        evolve: Callable[[S, E], S],
        also: Callable[[Database, Sequence[E], S], None] | None = None,
    ) -> None:
        """Replays the journal, which verifies its chain. `also` writes more in each transaction (the bank's tables)."""
        self.journal = journal
        self._decide, self._evolve, self._also = decide, evolve, also
        self.state = initial
        for event in journal.replay():
            self.state = evolve(self.state, event)

    def take(self, given: Iterable[I]) -> list[E]:
        """Decide on each input in turn, write all that follows in one transaction, and only then let it be true."""
        state = self.state
        happened: list[E] = []
        for one in given:
            events = self._decide(state, one)
            for event in events:
                state = self._evolve(state, event)
            happened.extend(events)
        return self._write(happened, state)

    def record(self, events: Sequence[E]) -> list[E]:
        """Write events that nobody decided: the first of a new journal."""
        state = self.state
        for event in events:
            state = self._evolve(state, event)
        return self._write(list(events), state)

    def _write(self, happened: list[E], state: S) -> list[E]:
        if happened:
            also = self._also
            self.journal.append(happened, None if also is None else lambda database: also(database, happened, state))
            self.state = state
        return happened
