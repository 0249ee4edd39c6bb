"""Power cuts (`tests/powercut`): `scripts/bench powercut` plays nights on logged disks and judges crash states of them.

A table and a bank play as real processes, each on a disk that logs every write and flush; then states are made of what
may lie on the disks after a cut, and each is checked. The exit is 1 where anything that was promised is lost, or where a
control finds nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.powercut.campaign import ANY, Found, played
from tests.powercut.disk import cannot
from tests.powercut.live import live
from tests.powercut.night import WEAK

STATES_A_NIGHT, ROUNDS = 250, 12
CONTROLS: dict[str, dict[str, Any]] = {"": {}, "normal": {"program": WEAK}, "lying": {"lies": 1}}
CANNOT = 77


def main() -> int:
    """Play, judge, and print what was met."""
    parser = argparse.ArgumentParser(prog="scripts/bench powercut", description=__doc__)
    parser.add_argument("--states", type=int, default=200, help="crash states, half of them the table's (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the nights and of the cuts (default 1)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds a night (default {ROUNDS})")
    parser.add_argument(
        "--control",
        choices=[name for name in CONTROLS if name],
        default="",
        help="play what must fail: synchronous=NORMAL, or a disk that ignores flushes",
    )
    parser.add_argument("--live", type=int, default=0, metavar="N", help="instead: so many cuts of rounds that go on")
    options = parser.parse_args()
    if why := cannot():
        print(f"scripts/bench powercut: {why}", file=sys.stderr)
        return CANNOT
    began = time.monotonic()
    code = _live(options.seed, options.live) if options.live else _states(options)
    print(f"{(time.monotonic() - began) / 60:.1f} minutes in all")
    return code


def _states(options: argparse.Namespace) -> int:
    nights = -(-options.states // STATES_A_NIGHT)
    wrong = 0
    for number in range(nights):
        states = options.states // nights + (number < options.states % nights)
        with TemporaryDirectory(prefix="cut-") as folder:
            seed = options.seed + number
            judge, found = played(Path(folder), seed, options.rounds, states, **CONTROLS[options.control])
        print(f"night {number + 1} of {nights}, seed {seed}, {options.rounds} rounds{_of(options.control)}")
        print(found.report(judge), flush=True)
        wrong += _lost(found) if options.control else len(found.wrong)
    return int(not wrong if options.control else bool(wrong))


def _of(control: str) -> str:
    return f", control {control}: it must lose" if control else ""


def _lost(found: Found) -> int:
    return found.lost(ANY)[0]


def _live(seed: int, cycles: int) -> int:
    with TemporaryDirectory(prefix="cut-") as folder:
        lived = live(Path(folder), seed, cycles)
    for number, one in enumerate(lived.cycles, start=1):
        forgot = f"{one.sectors} unflushed sectors ({one.way})"
        print(f"cut {number}: the {one.side}'s power, {forgot}, back in {one.seconds:.1f} s")
    ended = f"{lived.wagers} wagers seen lit, {lived.paid} prizes ended, once each"
    print(f"{len(lived.cycles)} rounds to their end; {ended}")
    for text in lived.wrong:
        print(f"WRONG {text}")
    return int(bool(lived.wrong))


if __name__ == "__main__":
    sys.exit(main())
