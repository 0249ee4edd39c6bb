"""One picture of every kind of screen on a panel, the fullest of its kind: `scripts/screens` runs this."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware.config import DEFAULT_BOOK
from firmware.runtime.screen import Pictures
from tests.ui.test_screens import longest, played
from tests.ui.walk import HOUSES
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS
from ui.dealer.screens import screen


def main() -> int:
    """Draw what the options ask for."""
    options = argparse.ArgumentParser(prog="scripts/screens")
    options.add_argument("--panel", choices=list(PANELS), help="one panel; without it, all of them")
    options.add_argument("--out", type=Path, default=Path("run/screens"), help="where the pictures go")
    chosen = options.parse_args()
    for name in [chosen.panel] if chosen.panel else PANELS:
        folder = chosen.out / name
        draw(name, folder)
        print(f"{folder}: {len(list(folder.glob('*/*.png')))} pictures")
    return 0


def draw(panel: str, folder: Path) -> None:
    """Every kind of screen on one panel, from every procedure that is played and from the longest things to be said."""
    display, frame = Display(PANELS[panel], "Felt"), frame_of(PANELS[panel])
    by_level: dict[str, Pictures] = {}
    for house, state, live in (*played(), *((HOUSES[f"{DEFAULT_BOOK} 0"], *one) for one in longest())):
        kind = f"{house.procedure.book}-l{state.program.level}"
        pictures = by_level.setdefault(kind, Pictures(folder / kind))
        shown = screen(house, state, live, frame)
        display.draw(shown)
        pictures.take(shown, display.save_png)
    display.close()


if __name__ == "__main__":
    sys.exit(main())
