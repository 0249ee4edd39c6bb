"""The first minutes of somebody who cloned Felt: what `scripts/run` shows, and what it says where it can show nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from firmware.proof.simulation import books

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_over_ssh_one_line_says_that_there_is_no_display() -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare.pop("SDL_VIDEODRIVER", None)
    bare["PYTHONPATH"] = str(ROOT)
    ran = subprocess.run(
        [sys.executable, "-m", "firmware.proof.simulation"],
        env=bare,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1 and ran.stdout == ""
    assert ran.stderr == "scripts/run: no display: use --headless, or ssh -X\n"


def test_the_first_table_has_no_five_card_hand_until_it_is_asked_for(tmp_path: Path) -> None:
    for five_card in (False, True):
        home = tmp_path / str(five_card)
        books.write(home, "pa-653a", five_card=five_card)
        for name in ("table.toml", "bank.toml"):
            rules = tomllib.loads((home / name).read_text(encoding="utf-8"))["rules"]
            assert ("five_card_hand" in rules) is five_card and "progressive" in rules
