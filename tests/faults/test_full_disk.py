"""Disks that are really full, at moments and levels drawn by a seed. `scripts/bench faults --full-disk` has all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.full_disk import DISKS

ROOT = Path(__file__).resolve().parents[2]
LEVELS, SEED = 36, 25

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def campaign(*options: str) -> tuple[int, str]:
    """Its exit and what it says. Skipped, with the reason, where a disk cannot be had."""
    command = [sys.executable, "-m", "tests.faults.full_disk", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if missing := [line for line in ended.stdout.splitlines() if line.startswith("SKIPPED")]:
        pytest.skip("; ".join(missing))
    return ended.returncode, ended.stdout + ended.stderr[-2_000:]


@pytest.mark.parametrize("disk", DISKS)
def test_no_full_disk_leaves_a_malformed_file_a_refused_start_or_a_lost_row(disk: str) -> None:
    code, said = campaign("--disk", disk, "--levels", str(LEVELS), "--seed", str(SEED))
    assert code == 0, said
    assert f"{disk}: {LEVELS} levels" in said and "0 malformed, 0 refused, 0 lost, 0 traceback, 0 hang" in said


def test_a_program_that_swallows_what_fails_is_found_on_a_full_disk() -> None:
    code, said = campaign("--disk", "tmpfs", "--levels", str(LEVELS), "--seed", str(SEED), "--planted")
    assert code == 1 and "WRONG tmpfs" in said, said


def test_sqlites_index_on_a_full_disk_is_an_error_and_no_signal() -> None:
    """On blocks below a page a write to memory that has no block ends a program by SIGBUS: also one that only reads."""
    code, said = campaign("--opens")
    assert code == 0 and "no room: " in said and "opened: " in said, said


def test_a_program_that_reserves_no_index_dies_of_the_signal() -> None:
    code, said = campaign("--opens", "--planted")
    assert code == 1 and "signal 7: " in said, said
