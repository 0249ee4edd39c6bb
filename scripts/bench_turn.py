"""A press at the table: `scripts/bench turn` prints its cost in milliseconds for each book and level.

A turn is everything that the table's process does for an accepted press: decide, apply, and lay out the next screen in
words. Presses are those of seeded shifts (`firmware.proof.simulation.shifts`). Collections of garbage are counted apart, as
the program keeps them out of its turns (`firmware.runtime.garbage`).
"""

from __future__ import annotations

import argparse
import statistics
import time

from firmware.proof.simulation.books import levels
from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.games import books
from firmware.runtime.garbage import kept_out, sweep
from firmware.table import events as e
from firmware.table.inputs import Input, Pressed

SHIFT_ROUNDS = 60


class TimedShift(Shift):
    """A shift that notes the nanoseconds of each accepted press, and of each collection between two presses."""

    def __init__(self, book: str, seed: int, *, level: int) -> None:
        self.turns_ns: list[tuple[int, str]] = []
        self.collections_ns: list[int] = []
        super().__init__(book, seed, level=level, checks=False)

    def take(self, given: Input) -> tuple[e.Event, ...]:
        """One input; an accepted press is timed with the screen that follows it."""
        began_ns = time.perf_counter_ns()
        events = super().take(given)
        if not isinstance(given, Pressed):
            return events
        self.glass()
        took_ns = time.perf_counter_ns() - began_ns
        if not any(isinstance(event, e.PressRefused) for event in events):
            self.turns_ns.append((took_ns, given.word))
        began_ns = time.perf_counter_ns()
        if sweep():
            self.collections_ns.append(time.perf_counter_ns() - began_ns)
        return events


def main() -> int:
    """Play, and print a line for each book and level."""
    parser = argparse.ArgumentParser(prog="scripts/bench turn", description=__doc__)
    parser.add_argument("--shifts", type=int, default=4, help=f"shifts of {SHIFT_ROUNDS} rounds each (default 4)")
    options = parser.parse_args()
    print(f"{'book':12} level presses   p50 ms   p99 ms worst ms  at        collections: number, worst ms")
    with kept_out():
        for book in books():
            for level in levels(book):
                print(_line(book, level, options.shifts), flush=True)
    return 0


def _line(book: str, level: int, shifts: int) -> str:
    turns: list[tuple[int, str]] = []
    collections: list[int] = []
    for seed in range(1, shifts + 1):
        shift = TimedShift(book, seed, level=level)
        shift.play(SHIFT_ROUNDS)
        turns += shift.turns_ns
        collections += shift.collections_ns
    taken = [ns / 1e6 for ns, _ in turns]
    p99, (worst, word) = statistics.quantiles(taken, n=100)[98], max(turns)
    figures = f"{statistics.median(taken):8.2f} {p99:8.2f} {worst / 1e6:8.2f}"
    apart = f"{len(collections)}, {max(collections, default=0) / 1e6:.2f}"
    return f"{book:12} {level:5} {len(turns):7} {figures}  {word.split()[0]:14} {apart}"


if __name__ == "__main__":
    raise SystemExit(main())
