"""Each process imports what it needs: at a start, imports are most of the time until bets can open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_screens_process_loads_no_law_of_a_table() -> None:
    """It draws what the table says; the law is two fifths of what it would import."""
    asked = "import sys, firmware.config, firmware.runtime.screen, hal.touch; print(*sorted(sys.modules), sep='\\n')"
    told = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(told.stdout.splitlines())
    assert "ui.dealer.display" in loaded
    assert not loaded & {"firmware.table.events", "firmware.table.state", "firmware.table.decide", "ui.dealer.pieces"}
