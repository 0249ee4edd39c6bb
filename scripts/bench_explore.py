"""Everything that may become of a small casino: `scripts/bench explore` runs the real law of two tables and their bank
through every order of acts, messages and faults within stated bounds, and prints what it saw.

The bounds of a scope are in the first line of what is printed of it. The exit is 1 where something is found that should
never be (tests/explore/never.py); the shortest way there is printed step by step. `--scope small` takes three minutes on
one core and is what CI runs; `--scope full` a few minutes more. `--together A,B` takes all kinds of faults together, A
and B acts, each table apart (tests/explore/apart.py). `--random STEPS` takes so many random steps through the bounds that
are too many to visit each: all kinds of faults together, four acts at each table, two kinds of claims. A walk ends where it
finds something, so that then fewer steps are done than asked; both numbers are printed.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from tests.explore.apart import WHAT, Joined, Seen
from tests.explore.scopes import FULL, LARGE, SMALL
from tests.explore.search import Explorer, Found, Scope

PART = 50_000
"""Random steps of one seed; then a casino begins that remembers nothing."""


def main() -> int:
    """Explore, report."""
    parser = argparse.ArgumentParser(prog="scripts/bench explore", description=__doc__)
    parser.add_argument("--scope", choices=("small", "full"), default="small", help="which bounds (default small)")
    parser.add_argument("--random", type=int, metavar="STEPS", help="so many random steps in larger bounds instead")
    parser.add_argument("--together", type=_acts, metavar="A,B", help="all faults together, so many acts at each table")
    parser.add_argument("--seed", type=int, default=1, help="the first seed of random steps (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        if options.random:
            parts = [min(PART, options.random - first) for first in range(0, options.random, PART)]
            seeds = range(options.seed, options.seed + len(parts))
            return _report_walks(dict(zip(seeds, pool.map(_walk, parts, seeds), strict=True)), options.random)
        if options.together:
            return max([_report_apart(seen) for seen in pool.map(_apart, repeat(options.together), WHAT)])
        scopes = SMALL if options.scope == "small" else FULL
        return max([_report(found) for found in pool.map(_explore, scopes)])


def _acts(text: str) -> tuple[int, int]:
    first, second = text.split(",")
    return int(first), int(second)


def _apart(acts: tuple[int, int], what: str) -> Seen:
    return Joined(Scope(acts), what).explore()


def _report_apart(seen: Seen) -> int:
    print(seen, flush=True)
    for wrong in seen.wrong:
        print(f"NEVER: {wrong}", file=sys.stderr, flush=True)
    return 1 if seen.wrong else 0


def _explore(scope: Scope) -> Found:
    return Explorer(scope).explore()


def _walk(steps: int, seed: int) -> Found:
    return Explorer(LARGE).walk(steps, seed)


def _report(found: Found) -> int:
    print(found, flush=True)
    for violation in found.violations:
        print(violation, file=sys.stderr, flush=True)
    return 1 if found.violations else 0


def _report_walks(by_seed: dict[int, Found], asked: int) -> int:
    walks = list(by_seed.values())
    steps = sum(walk.transitions for walk in walks)
    wrong = [(seed, violation) for seed, walk in by_seed.items() for violation in walk.violations]
    print(f"{LARGE}: by random steps, {len(walks)} seeds ({min(by_seed)} on)")
    print(
        f"{steps} of {asked} steps, at most {max(walk.depth for walk in walks)} from the beginning, "
        f"{sum(walk.rests for walk in walks)} casinos at rest, {sum(walk.seconds for walk in walks):.0f} s of processor "
        f"time; violations: {len(wrong)}"
    )
    for seed, violation in wrong:
        print(f"seed {seed}, whose walk ends here: {violation}", file=sys.stderr, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
