"""What a machine without any of Felt's packages can be told by scripts/."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"


@pytest.mark.parametrize("name", ["bench", "drawings", "hil", "lock", "screens", "test", "words"])
def test_a_script_says_what_it_does_before_anything_is_installed(name: str) -> None:
    bare = [sys.executable, "-I", "-S", str(SCRIPTS / name), "--help"]
    told = subprocess.run(bare, capture_output=True, text=True, timeout=30)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"scripts/{name}" in told.stdout
