"""Whole shifts at one table, by seed: `scripts/bench shifts` runs this, says what happened, and how many rounds a second.

Every book in turn, and from seed to seed every assist level of it, on all processors; with `--plain` without the checks. A
shift that goes wrong is named at once by its book, seed and level, and the exit is 1. With `--minutes` no shift begins after
that. With `--against CHECKOUT` the speed is compared with another version's instead.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

from firmware.proof.simulation.books import levels as levels_of
from firmware.proof.simulation.shifts.shift import SHIFT_ROUNDS, play
from firmware.rules.games import books

ROUNDS = 10 * SHIFT_ROUNDS


class Wanted(NamedTuple):
    """One shift."""

    book: str
    seed: int
    level: int


class Seen(NamedTuple):
    """A shift that was played: `wrong` in words, "" where it ran to its end. `seconds`: of processor time."""

    tally: Counter[str]
    seconds: float
    wrong: str


@dataclass
class OfBook:
    """All shifts of a book. `rounds`, `seconds`: by level, of those that ran to their end."""

    tally: Counter[str] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    seconds: dict[int, float] = field(default_factory=dict)
    seeds: list[int] = field(default_factory=list)
    wrong: int = 0

    def add(self, wanted: Wanted, seen: Seen) -> None:
        """One more shift."""
        self.seeds.append(wanted.seed)
        if seen.wrong:
            self.wrong += 1
            return
        self.tally += seen.tally
        self.rounds[wanted.level] += seen.tally["rounds"]
        self.seconds[wanted.level] = self.seconds.get(wanted.level, 0.0) + seen.seconds


def main() -> int:
    """Play, count, report."""
    options = _options()
    chosen = [options.book] if options.book else list(books())
    if options.against:
        levels = [0, 1, 2] if options.level is None else [options.level]
        rounds = options.rounds or SHIFT_ROUNDS
        alternate(options.against.resolve(), rounds=rounds, seed=options.seed, books=chosen, levels=levels)
        return 0
    found = {book: OfBook() for book in chosen}
    for wanted, seen in _played(_plan(chosen, options), options):
        found[wanted.book].add(wanted, seen)
        if seen.wrong:
            where = f"{wanted.book}, seed {wanted.seed}, level {wanted.level}"
            print(f"WRONG {where}: {seen.wrong}", file=sys.stderr, flush=True)
    for book, of_book in found.items():
        _report(book, of_book, plain=options.plain)
    return 1 if any(of_book.wrong for of_book in found.values()) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench shifts", description=__doc__)
    about = (
        f"rounds of each book, in shifts of {SHIFT_ROUNDS} (default {ROUNDS}); with --against of each book and level"
    )
    parser.add_argument("--rounds", type=int, help=f"{about} (default {SHIFT_ROUNDS})")
    parser.add_argument("--seed", type=int, default=1, help="the first shift's seed (default 1)")
    parser.add_argument("--book", choices=books(), help="only this book")
    parser.add_argument("--level", type=int, choices=(0, 1, 2), help="only this assist level (default: all, in turn)")
    parser.add_argument("--plain", action="store_true", help="without the checks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a processor)")
    parser.add_argument("--minutes", type=float, help="no shift begins after so long")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="here and there in turn: which is quicker")
    return parser.parse_args()


def _plan(chosen: list[str], options: argparse.Namespace) -> Iterator[Wanted]:
    """Book after book with each seed, so that a run which is ended early has played all of them alike."""
    began, shifts = time.monotonic(), -(-(options.rounds or ROUNDS) // SHIFT_ROUNDS)
    for seed in range(options.seed, options.seed + shifts):
        if options.minutes and time.monotonic() - began > 60 * options.minutes:
            return
        for book in chosen:
            levels = [one for one in levels_of(book) if options.level in (None, one)]
            if levels:
                yield Wanted(book, seed, levels[seed % len(levels)])


def _played(plan: Iterator[Wanted], options: argparse.Namespace) -> Iterator[tuple[Wanted, Seen]]:
    with ProcessPoolExecutor(options.jobs) as pool:
        running: dict[Future[Seen], Wanted] = {}
        for wanted in plan:
            running[pool.submit(_shift, wanted, not options.plain)] = wanted
            while len(running) > options.jobs:
                yield from _ended(running)
        while running:
            yield from _ended(running)


def _ended(running: dict[Future[Seen], Wanted]) -> Iterator[tuple[Wanted, Seen]]:
    """Those that end next."""
    for one in wait(running, return_when=FIRST_COMPLETED).done:
        yield running.pop(one), one.result()


def _shift(wanted: Wanted, checks: bool) -> Seen:
    """One shift; what went wrong, in words, where it did."""
    began = time.process_time()
    try:
        tally, wrong = play(wanted.book, wanted.seed, SHIFT_ROUNDS, checks=checks, level=wanted.level), ""
    except Exception as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        tally, wrong = Counter[str](), f"{type(error).__name__}: {error} ({notes})"
    return Seen(tally, time.process_time() - began, wrong)


def _report(book: str, found: OfBook, *, plain: bool) -> None:
    if not found.seeds:
        return
    checks = "plain" if plain else f"with all checks, {found.tally['rounds in the account']} in the auditor's account"
    print(
        f"{book}: {found.tally['rounds']} rounds, seeds {min(found.seeds)} to {max(found.seeds)}, {checks}: "
        f"{len(found.seeds)} shifts, {found.wrong} of them wrong"
    )
    for level, rounds in sorted(found.rounds.items()):
        print(f"  level {level}: {rounds} rounds, {rounds / found.seconds[level]:.0f} a second of processor time")
    for what, times in sorted(found.tally.items()):
        print(f"  {times:8} {what}")


# Here and in another checkout, in turn -----------------------------------------------------------------------------------

TURNS = 5
CHILD = """
import sys, time
try:
    from firmware.proof.simulation.shifts.shift import play
except ImportError:  # where the simulation was before it stood with the proof
    from firmware.simulation.shifts.shift import play
book, level, seed, rounds = sys.argv[1], *map(int, sys.argv[2:])
play(book, seed, 12, checks=False, level=level)
began = time.process_time()
played = play(book, seed, rounds, checks=False, level=level)["rounds"]
print(played / (time.process_time() - began))
"""


def alternate(other: Path, *, rounds: int, seed: int, books: list[str], levels: list[int]) -> None:
    """Print rounds a second of every book and level, here and there, and the median ratio of each level."""
    here = Path(__file__).resolve().parent.parent
    for level in levels:
        ratios = []
        for book in books:
            if level not in levels_of(book):
                continue
            rates: dict[Path, list[float]] = {here: [], other: []}
            for _ in range(TURNS):
                for checkout, seen in rates.items():
                    seen.append(_rate(checkout, book, level, seed, rounds))
            ours, theirs = median(rates[here]), median(rates[other])
            ratios.append(ours / theirs)
            print(
                f"level {level}, {book}: {ours:.0f} rounds a second here, {theirs:.0f} there: {ratios[-1]:.2f}",
                flush=True,
            )
        if ratios:
            print(f"level {level}: {median(ratios):.2f} times as fast as {other}")


def _rate(checkout: Path, book: str, level: int, seed: int, rounds: int) -> float:
    """Rounds a second of processor time of one shift, in a process of its own."""
    command = [sys.executable, "-c", CHILD, book, str(level), str(seed), str(rounds)]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
