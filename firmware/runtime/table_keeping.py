"""How a table's state is written into a snapshot, and read again: all of it, with the trail that UNDO goes back along.

The tables of the trail differ from the present one in few of their parts, so each part that is the same is written once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import msgspec

from firmware.runtime.snapshots import Keeping, program_of
from firmware.table import events as e
from firmware.table.evolve import evolve
from firmware.table.state import (
    NO_TRAIL,
    Days,
    Decks,
    Desk,
    Felt,
    History,
    Neighbors,
    Phase,
    Program,
    Round,
    Step,
    TableState,
    Trail,
)
from firmware.wire.structs import replace

EVERY, CALM_AFTER = 2_000, 1_500
"""A tenth of a second of replay; written with a hundred kilobytes."""

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class _Parts:
    """Every part that is found in one of the tables, once."""

    program: tuple[Program, ...]
    decks: tuple[Decks, ...]
    round: tuple[Round, ...]
    felt: tuple[Felt, ...]
    neighbors: tuple[Neighbors, ...]
    desk: tuple[Desk, ...]
    history: tuple[History, ...]
    days: tuple[Days, ...]


NAMES = tuple(_Parts.__annotations__)


@dataclass(frozen=True, slots=True)
class _Picture:
    """`tables`: (phase, taps, place of each part) of the table before each step, and last of the table itself.

    `steps`: (facts, silent) of each step; `facts`: (kind, body).
    """

    parts: _Parts
    tables: tuple[tuple[Phase, int, tuple[int, ...]], ...]
    steps: tuple[tuple[int, bool], ...]
    facts: tuple[tuple[str, msgspec.Raw], ...]
    final: str


class _Shelf:
    """Texts of one kind of part, each once, by their places."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self._known: dict[int, int] = {}

    def place(self, part: object) -> int:
        """The place of this part. A part that was seen before needs not be written to be found."""
        if id(part) not in self._known:
            self._known[id(part)] = self._places.setdefault(msgspec.json.encode(part), len(self._places))
        return self._known[id(part)]

    @property
    def parts(self) -> list[msgspec.Raw]:
        """Every part, in the order of its place."""
        return [msgspec.Raw(text) for text in self._places]


def write(state: TableState) -> str:
    """The text of a state."""
    shelves = {name: _Shelf() for name in NAMES}
    trail = state.trail
    tables = [
        (table.phase, table.taps, [shelves[name].place(getattr(table, name)) for name in NAMES])
        for table in (*(step.before for step in trail.steps), state)
    ]
    document = {
        "parts": {name: shelf.parts for name, shelf in shelves.items()},
        "tables": tables,
        "steps": [(step.facts, step.silent) for step in trail.steps],
        "facts": [(type(fact).__name__, fact) for fact in trail.facts],
        "final": trail.final,
    }
    return msgspec.json.encode(document).decode()


def read(text: str) -> TableState:
    """The state of a text. Raises ValueError for one that `write` did not write."""
    picture = msgspec.json.decode(text, type=_Picture)
    tables = [_table(picture.parts, *table) for table in picture.tables]
    if len(tables) != len(picture.steps) + 1:
        raise ValueError(f"{len(tables)} tables and {len(picture.steps)} steps")
    facts = tuple(_fact(kind, body) for kind, body in picture.facts)
    steps = tuple(Step(table, *step) for table, step in zip(tables, picture.steps, strict=False))
    trail = Trail(steps, facts, picture.final)
    return tables[-1] if trail == NO_TRAIL else replace(tables[-1], trail=trail)


def _table(parts: _Parts, phase: Phase, taps: int, places: tuple[int, ...]) -> TableState:
    found: dict[str, Any] = {}
    for name, place in zip(NAMES, places, strict=True):
        found[name] = _at(getattr(parts, name), place)
    return TableState(phase=phase, taps=taps, **found)


def _at(parts: tuple[P, ...], place: int) -> P:
    if not 0 <= place < len(parts):
        raise ValueError(f"part {place} of {len(parts)}")
    return parts[place]


def _fact(kind: str, body: msgspec.Raw) -> e.Event:
    if kind not in e.EVENTS:
        raise ValueError(f"kind {kind!r} is unknown")
    return msgspec.json.decode(body, type=e.EVENTS[kind])


def calm(state: TableState) -> bool:
    """Nothing is there to take back, and no chip waits for its lamp."""
    return not state.trail.steps and state.phase is not Phase.OPEN


@cache
def keeping() -> Keeping[TableState, e.Event]:
    """How a table's state is kept by this program."""
    program = program_of("firmware.rules", "firmware.wire", "firmware.table", "firmware.runtime.table_keeping")
    return Keeping(program, TableState(), evolve, write, read, calm, EVERY, CALM_AFTER)
