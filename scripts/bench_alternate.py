"""Shifts here and in another checkout, in turn: which is quicker, and by how much (`scripts/bench shifts --against DIR`).

Each checkout plays the same shifts in a process of its own, one after the other, again and again; what counts is the
processor time of the plain shift, without checks, and the median of its rates.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from firmware.simulation.shifts.houses import RULES

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
            if not level and "progressive" not in RULES[book]:
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
        print(f"level {level}: {median(ratios):.2f} times as fast as {other}")


def _rate(checkout: Path, book: str, level: int, seed: int, rounds: int) -> float:
    """Rounds a second of processor time of one shift, in a process of its own."""
    command = [sys.executable, "-c", CHILD, book, str(level), str(seed), str(rounds)]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)
