"""The figures of this version: `scripts/bench figures` measures them and writes docs/measurements.md.

Each figure is what its own command printed, with small options: some ten minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "measurements.md"


class Figure(NamedTuple):
    """A section of the page: the options of the measurement, and the meaning and aim of its numbers."""

    title: str
    command: str
    meaning: str


FIGURES = (
    Figure(
        "A press at the table",
        "turn --shifts 1",
        "Milliseconds to decide, apply and put the next screen into words. Aim at level 1: p99 at most 5, worst at most 15.",
    ),
    Figure(
        "Drawing a screen",
        "screens",
        "Milliseconds of processor time to draw a screen of 800x480. Aim: 16 for a whole redraw.",
    ),
    Figure(
        "From a contact to the lamp, from a tap to the frame",
        "latency --samples 60 --rounds 17 --idle 5",
        "Milliseconds over the real processes. Aims: lamp within the disk's floor + 0.3, frame p99 under 16.",
    ),
    Figure(
        "A start after months",
        "start --rows 1,20000 --times 5 --bare 1",
        "From exec to ready, and the memory at that moment. Aim: at most 0.3 s more than with one row.",
    ),
    Figure(
        "A bank and its tables",
        "bank --tables 50,500 --seconds 30",
        "Milliseconds until a bank acknowledges a message. Aim at 500 tables: p99 under 20.",
    ),
    Figure(
        "Shifts with every check",
        "shifts --rounds 240 --seed 20261126",
        "Whole rounds with wrong taps, irregularities and power cuts; an auditor compares each payment.",
    ),
    Figure(
        "UNDO",
        "undo --undos 1000",
        "Each UNDO is compared with a twin table that never got the press.",
    ),
    Figure(
        "The presses of a dealer",
        "presses --rounds 40",
        "Seconds are a keystroke-level estimate. Nobody was timed.",
    ),
)


def main() -> int:
    """Measure all, or those whose commands are named; the page is written only where all were measured."""
    options = argparse.ArgumentParser(prog="scripts/bench figures", description=__doc__)
    options.add_argument("only", nargs="*", help="measurements (turn, bank, …): print these, and write no page")
    only = options.parse_args().only
    sections = [section(one) for one in FIGURES if not only or one.command.split()[0] in only]
    if only:
        print("\n".join(sections))
    else:
        PAGE.write_text("\n".join([head(), *sections]), encoding="utf-8")
    return 0


def head() -> str:
    """The machine, the program and the day."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    return (
        f"# Measurements\n\n`scripts/bench figures` made this page on {datetime.now(UTC):%d %B %Y}, of commit {commit}.\n"
        f"Machine: {machine}, load averages {load}. Another machine has other figures: compare ratios.\n"
    )


def section(figure: Figure) -> str:
    """Run the measurement, and what it printed. Raises CalledProcessError where it fails."""
    name, *options = shlex.split(figure.command)
    print(f"scripts/bench {figure.command}", file=sys.stderr)
    ran = subprocess.run(
        [sys.executable, "-m", f"scripts.bench_{name}", *options], cwd=ROOT, capture_output=True, text=True, check=True
    )
    printed = "\n".join(f"    {line}".rstrip() for line in ran.stdout.strip().splitlines())
    return f"## {figure.title}\n\n{figure.meaning} `scripts/bench {figure.command}`\n\n{printed}\n"


if __name__ == "__main__":
    sys.exit(main())
