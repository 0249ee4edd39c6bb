"""The cost of drawing the dealer's screen: `scripts/bench screens` plays a shift and times every screen that it shows.

The widgets are made of a state that nothing was asked of before, as a table makes them after a tap; putting them into words
and pixels is another process's work. Medians and the slowest of a hundred, in milliseconds of processor time, by screen.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from statistics import median, quantiles

from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.games import books
from firmware.table import events as e
from firmware.table.inputs import Input
from firmware.wire.structs import replace
from ui.dealer.frame import Frame, frame_of
from ui.dealer.panels import PANELS
from ui.dealer.pieces import Live
from ui.dealer.screens import screen_name, widgets

LEAST = 20
"""Screens that were seen less often are left out."""


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(prog="scripts/bench screens", description=__doc__)
    parser.add_argument("--book", choices=books(), default=next(iter(books())), help=f"default {next(iter(books()))}")
    parser.add_argument("--level", type=int, choices=(0, 1, 2), default=1, help="assist level (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument("--rounds", type=int, default=60, help="default 60")
    parser.add_argument("--panel", choices=PANELS, default="800x480", help="default 800x480")
    given = parser.parse_args()
    shift = Timed(given.book, given.seed, given.level, frame_of(PANELS[given.panel]))
    shift.play(given.rounds)
    for name, seen in sorted(shift.seen.items()):
        if len(seen) >= LEAST:
            slowest = quantiles(seen, n=100)[-1]
            print(f"{name:12} {len(seen):5} drawings: median {median(seen):.2f} ms, p99 {slowest:.2f} ms")
    return 0


class Timed(Shift):
    """A shift that draws the screen after every step. `seen`: screen -> what each of its drawings took (ms)."""

    def __init__(self, book: str, seed: int, level: int, frame: Frame) -> None:
        self.frame, self.seen = frame, defaultdict[str, list[float]](list)
        super().__init__(book, seed, level=level, checks=False)

    def take(self, given: Input) -> tuple[e.Event, ...]:
        """One input, and the screen after it."""
        events = super().take(given)
        state = replace(self.state)  # the people of the shift may have asked the law about the very state
        began = time.process_time_ns()
        tuple(widgets(self.house, state, Live(), self.frame))
        self.seen[screen_name(state)].append((time.process_time_ns() - began) / 1_000_000)
        return events


if __name__ == "__main__":
    sys.exit(main())
