"""Calls that write, drawn by a seed, fail: nothing is malformed, refused or lost. `scripts/bench faults` has all of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE, SEED = 240, 25

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler: no call can be made to fail"),
]


def campaign(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.faults.campaign", *options]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )


@pytest.mark.timeout(1_200)
def test_no_write_that_fails_leaves_a_malformed_file_a_refused_start_or_a_lost_row() -> None:
    found = campaign("--sample", str(SAMPLE), "--seed", str(SEED))
    assert found.returncode == 0, found.stdout + found.stderr[-2_000:]
    assert f"{SAMPLE} of" in found.stdout and "0 malformed, 0 refused, 0 lost" in found.stdout


@pytest.mark.timeout(600)
def test_a_program_that_swallows_what_fails_is_found() -> None:
    found = campaign("--stage", "closing", "--kinds", "W", "--planted", "--sample", "24", "--seed", str(SEED))
    assert found.returncode == 1 and "WRONG closing" in found.stdout, found.stdout + found.stderr[-2_000:]
