"""Whole shifts at one table, by seed: `scripts/bench shifts` runs this, says what happened, and how many rounds a second.

Every book in turn, on all processors; with `--plain` without the checks. A shift that goes wrong is named by its book and
seed, and the exit is 1. With `--against CHECKOUT` the speed is compared with another version's instead.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import median

from firmware.rules.games import books
from firmware.simulation.books import levels as levels_of
from firmware.simulation.shifts.shift import SHIFT_ROUNDS, play


def main() -> int:
    """Play, count, report."""
    parser = argparse.ArgumentParser(prog="scripts/bench shifts", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_400, help="rounds of each book (default 2400: ten shifts)")
    parser.add_argument("--seed", type=int, default=1, help="the first shift's seed (default 1)")
    parser.add_argument("--book", choices=books(), help="only this book")
    parser.add_argument("--level", type=int, choices=(0, 1, 2), help="only this assist level (default: by seed)")
    parser.add_argument("--plain", action="store_true", help="without the checks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a processor)")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="here and there in turn: which is quicker")
    options = parser.parse_args()
    chosen = [options.book] if options.book else list(books())
    if options.against:
        levels = [0, 1, 2] if options.level is None else [options.level]
        alternate(options.against.resolve(), rounds=SHIFT_ROUNDS, seed=options.seed, books=chosen, levels=levels)
        return 0
    wrong = 0
    for book in chosen:
        wrong += _one_book(book, options)
    return 1 if wrong else 0


def _one_book(book: str, options: argparse.Namespace) -> int:
    shifts = -(-options.rounds // SHIFT_ROUNDS)
    seeds = range(options.seed, options.seed + shifts)
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    began = time.perf_counter()
    for seed, found in _played(book, seeds, options):
        if isinstance(found, str):
            wrong.append(f"seed {seed}: {found}")
        else:
            tally += found
    rate = tally["rounds"] / (time.perf_counter() - began) / options.jobs
    checks = "plain" if options.plain else f"with all checks, {tally['rounds in the account']} in the auditor's account"
    print(
        f"{book}: {tally['rounds']} rounds, seeds {seeds.start} to {seeds.stop - 1}, {checks}: "
        f"{rate:.0f} rounds a second a core, {len(wrong)} shifts wrong"
    )
    for what, times in sorted(tally.items()):
        print(f"  {times:8} {what}")
    for text in wrong:
        print(text, file=sys.stderr)
    return len(wrong)


def _played(book: str, seeds: range, options: argparse.Namespace) -> Iterator[tuple[int, Counter[str] | str]]:
    with ProcessPoolExecutor(options.jobs) as pool:
        running = {pool.submit(_shift, book, seed, not options.plain, options.level): seed for seed in seeds}
        for done in as_completed(running):
            yield running[done], done.result()


def _shift(book: str, seed: int, checks: bool, level: int | None) -> Counter[str] | str:
    """One shift; what went wrong, in words, where it did."""
    try:
        return play(book, seed, SHIFT_ROUNDS, checks=checks, level=level)
    except Exception as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {error} ({notes})"


# Here and in another checkout, in turn -----------------------------------------------------------------------------------

TURNS = 5
CHILD = """
import sys, time
try:
    from firmware.simulation.shifts.shift import play
except ImportError:  # where the simulation was before it was a part of the firmware
    from scripts.simulation.shift import play
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
