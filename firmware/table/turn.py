"""A turn: one input, and all that follows from it, event by event."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.rules.message import NOTHING, Message
from firmware.table import events as e
from firmware.table import phases
from firmware.table.evolve import evolve
from firmware.table.state import TableState
from firmware.wire.structs import replace


class Turn:
    """The consequences of one input. An event is stamped when it is said, applied once, and kept with the table after it.

    `before`: the table that got the input. `tap`: the number of an accepted press, 0 for a fact. `at`: when it was pressed,
    seconds of UTC. `state`: the table after all that was said. A look-ahead is another turn, of a table that is kept.
    """

    __slots__ = ("at", "before", "rows", "state", "tap")

    def __init__(self, before: TableState, tap: int = 0, at: int = 0) -> None:
        self.before, self.tap, self.at = before, tap, at
        self.state = before
        self.rows: list[tuple[e.Event, TableState]] = []
        """Each event, and the table after it."""

    @property
    def events(self) -> tuple[e.Event, ...]:
        """All that was said."""
        return tuple([event for event, _ in self.rows])

    @property
    def refusal(self) -> Message:
        """Why the press changed nothing but what the screen says; nothing where it was accepted."""
        first = self.rows[0][0] if self.rows else None
        return first.why if isinstance(first, e.PressRefused) else NOTHING

    def say(self, events: Iterable[e.Event]) -> None:
        """These happen next. AssertionError for one that the phase does not know: no program has ever written that."""
        for event in events:
            stamped = self._stamped(event) if self.tap else event
            self.state = evolve(self.state, stamped)
            self.rows.append((stamped, self.state))

    def press(self, events: Iterable[e.Event]) -> e.Event | None:
        """The same for the events of a key, up to one that is unknown on the way: that one, None where all are known."""
        for event in events:
            if not phases.knows(self.state.phase, event):
                return event
            if isinstance(event, e.PressRefused):
                self.tap = 0
            self.say((event,))
        return None

    def _stamped(self, event: e.Event) -> e.Event:
        """With the number of its press, the time of day, and the mark of the player whose position it is about."""
        if isinstance(event, e.Told):
            return replace(event, tap=self.tap, at=self.at, player=self._player(event))
        return replace(event, tap=self.tap)

    def _player(self, event: e.Told) -> str:
        number = getattr(event, "seat", 0)
        before = self.before
        return before.seat(number).player if 0 < number <= len(before.round.seats) else ""
