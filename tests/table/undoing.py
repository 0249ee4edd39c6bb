"""The judge of UNDO, for tests and `scripts/bench undo`: a twin, a table that got the same facts and never the press.

After UNDO both are the same, but for what is never forgotten (`History`), the trail itself and the last refusal. Where
UNDO is dark, the table of finals says why.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from firmware.rules.message import NOTHING as UNSAID
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.evolve import STEPS_MAX
from firmware.table.finals import LONG_AGO, NOTHING, ROWS
from firmware.table.house import House
from firmware.table.inputs import Input, Pressed
from firmware.table.state import History, TableState, Trail
from firmware.wire.structs import replace


class Judge:
    """Hears what a table does, and tries after every input what UNDO would give; the table itself goes on.

    `twins`: for every press that may still be undone, oldest first, the table that got every fact since, and neither
    that press nor one after it. The table's trail is empty when the judge comes. `tally` counts what was judged.
    """

    def __init__(self, house: House) -> None:
        self.house = house
        self.twins: list[TableState] = []
        self.tally: Counter[str] = Counter()

    def hears(self, given: Input, before: TableState, events: tuple[e.Event, ...], state: TableState) -> None:
        """One input, and the table before and after it. AssertionError where UNDO is not as if never pressed."""
        accepted = bool(events) and not isinstance(events[0], e.PressRefused)
        if not isinstance(given, Pressed):
            self.tally["facts"] += 1
            self._forgets(state.trail)
            self.twins = [self._on(twin, given) for twin in self.twins]
        elif given.word == "undo":
            assert accepted == bool(before.trail.steps), "UNDO is refused while it is dark, and never while it is lit"
            self.tally["undone"] += accepted
            self.twins = self.twins[: len(state.trail.steps)]
        elif accepted:
            self.tally["accepted"] += 1
            self.tally["lit"] += bool(state.trail.steps)
            self.twins.append(before)
            self._forgets(state.trail)
        self._leads_back(state)

    def _forgets(self, trail: Trail) -> None:
        """Some presses have become final: a row of the table of finals says why."""
        gone = len(self.twins) - len(trail.steps)
        if gone > 0:
            long_ago = len(trail.steps) == STEPS_MAX or trail.final == LONG_AGO
            assert long_ago or ROWS[trail.final] is not NOTHING, f"final, and no row says why: {trail.final}"
            self.tally[f"final: {trail.final}"] += gone
            del self.twins[:gone]

    def _on(self, table: TableState, given: Input) -> TableState:
        """That table after the input; it has no presses of its own to take back."""
        return decide(self.house, replace(table, trail=Trail()), given).state

    def _leads_back(self, state: TableState) -> None:
        """What UNDO would give now."""
        assert len(self.twins) == len(state.trail.steps)
        turn = decide(self.house, state, Pressed("undo"))
        events = turn.events
        if self.twins:
            assert events and isinstance(events[0], e.Undone), f"UNDO was lit and refused: {events}"
            self.tally["tried"] += 1
            different = differences(turn.state, self.twins[-1])
            assert not different, f"not as if never pressed: {different}"
        else:
            row = ROWS[state.trail.final]
            said = dict(events[0].why.args) if isinstance(events[0], e.PressRefused) else {}
            assert (said.get("why"), said.get("instead")) == (row.why, row.instead), f"UNDO is dark and says {events}"


def alike(state: TableState) -> TableState:
    """A table without what UNDO leaves as it is: history, trail, and the last refusal."""
    return replace(state, history=History(), trail=Trail(), taps=0, desk=replace(state.desk.unsaid, notice=UNSAID))


def differences(state: TableState, twin: TableState) -> dict[str, tuple[Any, Any]]:
    """What differs between a table after UNDO and its twin, by field: (here, there)."""
    ours, theirs = alike(state), alike(twin)
    found: dict[str, tuple[Any, Any]] = {}
    for part in ours.__struct_fields__:
        one, other = getattr(ours, part), getattr(theirs, part)
        if one == other:
            continue
        for field in getattr(one, "__struct_fields__", ()):
            values = getattr(one, field), getattr(other, field)
            if values[0] != values[1]:
                found[f"{part}.{field}"] = values
        if not found:
            found[part] = (one, other)
    return found
