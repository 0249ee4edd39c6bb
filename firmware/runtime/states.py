"""The table's life for people: what `felt table states` prints and draws of `firmware.table.phases`."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.table.decide import ANY_TIME, KEYS
from firmware.table.phases import TRANSITIONS, arrows, dead_ends, name_of, unreached
from firmware.table.state import Phase

NO_MORE_BETS = "no-more-bets"
"""A key of OPEN that is a time stamp on the lock's time line, and so none of `KEYS`."""


def text() -> Iterator[str]:
    """Every phase: the keys of its screen, and which event leads where; then whether it holds together."""
    yield f"keys at any time: {', '.join(ANY_TIME)}"
    for phase in Phase:
        keys = [*KEYS[phase], *([NO_MORE_BETS] if phase is Phase.OPEN else [])]
        yield ""
        yield phase.upper()
        yield f"  keys: {', '.join(keys) or 'none of its own'}"
        yield from (f"  {names} -> {target.upper()}" for target, names in _ways(phase).items())
    yield ""
    yield from _checks()


def _ways(phase: Phase) -> dict[Phase, str]:
    """The targets of a phase, and the events that lead there."""
    ways: dict[Phase, list[str]] = {}
    for way, target in TRANSITIONS[phase].items():
        ways.setdefault(target, []).append(name_of(way))
    return {target: ", ".join(names) for target, names in ways.items()}


def _checks() -> Iterator[str]:
    number = len(list(arrows()))
    yield f"{len(Phase)} phases, {number} transitions"
    yield f"dead ends: {_named(dead_ends())}"
    yield f"never reached: {_named(unreached())}"


def _named(phases: tuple[Phase, ...]) -> str:
    return ", ".join(phase.upper() for phase in phases) or "none"


def is_sound() -> bool:
    """From every phase a chain of events leads back to open bets, and to every phase one from a shut table."""
    return not dead_ends() and not unreached()


def dot() -> Iterator[str]:
    """The same as a graph for Graphviz: `felt table states --dot | dot -Tsvg`."""
    yield "digraph table {"
    yield "  rankdir=LR; node [shape=box, style=rounded];"
    yield from (f'  "{phase.upper()}";' for phase in Phase)
    for phase in Phase:
        for target, names in _ways(phase).items():
            label = names.replace(", ", "\\n")
            yield f'  "{phase.upper()}" -> "{target.upper()}" [label="{label}"];'
    yield "}"
