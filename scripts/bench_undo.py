"""UNDO against a twin that never got the tap: `scripts/bench undo` plays shifts of all books and levels, and judges.

After every accepted press the table is forked and facts arrive at the fork (chips, switch, shuffler, link, bank, clock,
buttons, restarts); one fork in ten goes on with the shift, for up to four presses more. Then UNDO is pressed while it
is lit. The fork must then equal a table that got the same facts and none of these presses. The exit is 1 where it does
not, or where a lit UNDO was refused; the seed, the inputs and the fields that differ are printed.

Before there was one UNDO (aebe75f) it was lit after 42.1 % of 12,158 accepted presses of the same shifts, seeds 1 to 4.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count

from firmware.proof.simulation.books import levels
from firmware.rules.games import books
from tests.table.undo_shifts import judge

ROUNDS = 12
"""Rounds of a shift, from a table that is opened to one that is closed."""

Played = Counter[str] | str


def main() -> int:
    """Play, judge, count, report."""
    parser = argparse.ArgumentParser(prog="scripts/bench undo", description=__doc__)
    parser.add_argument("--undos", type=int, default=10_000, help="at least so many UNDOs (default 10000)")
    parser.add_argument("--seeds", help="A-B: exactly these seeds of every book and level, however many UNDOs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a processor)")
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    first, last = _seeds(options.seeds)
    with ProcessPoolExecutor(options.jobs) as pool:
        for seed in count(first):
            for found in pool.map(_shift, *zip(*_shifts(seed), strict=True)):
                if isinstance(found, str):
                    wrong.append(found)
                else:
                    tally += found
            if wrong or (seed >= last if last else tally["undone"] >= options.undos):
                break
    _report(tally, f"seeds {first} to {seed}", len(wrong))
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


def _seeds(given: str | None) -> tuple[int, int]:
    """The first seed and the last, 0 where UNDOs are counted instead."""
    first, _, last = (given or "1-0").partition("-")
    return int(first), int(last or first)


def _shifts(seed: int) -> Iterator[tuple[str, int, int]]:
    """Every book at every assist level that it has: (book, seed, level)."""
    for book in books():
        for level in levels(book):
            yield book, seed, level


def _shift(book: str, seed: int, level: int) -> Played:
    """One shift; what went wrong, in words, where it did."""
    try:
        return judge(book, seed, ROUNDS, level=level)
    except Exception as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {error} ({notes})"


def _report(tally: Counter[str], seeds: str, wrong: int) -> None:
    accepted, lit = tally["presses"], tally["lit after the press"]
    print(f"all books and levels, {seeds}: {accepted} accepted presses, {tally['facts']} facts on forks")
    print(f"UNDO lit after {lit} of them, {100 * lit / max(1, accepted):.1f} %")
    print(
        f"undone {tally['undone']}, several in a row {tally['several in a row']} times, and {tally['tried']} tried aside"
    )
    print("each as if never pressed, none refused while lit" if not wrong else "WRONG: see below")
    print("final, so that UNDO was dark:")
    for what, times in sorted(tally.items()):
        if what.startswith("final: "):
            print(f"  {times:8} {what.removeprefix('final: ')}")


if __name__ == "__main__":
    sys.exit(main())
