"""The pictures of docs/operations.md, 800 by 480: `scripts/screens --operations` runs this."""

from __future__ import annotations

import tempfile
from pathlib import Path

from small_png import save_small

from tests.ui.troubles import PICTURES
from ui.dealer.display import Display
from ui.dealer.panels import SEVEN_INCH

FOLDER = Path("docs/pictures/operations")


def draw(folder: Path) -> None:
    """One picture of everything that can be wrong, in place of those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    display = Display(SEVEN_INCH, "Felt")
    with tempfile.TemporaryDirectory() as made:
        drawn = Path(made, "drawn.png")
        for name, play in PICTURES.items():
            display.draw(play().shown())
            display.save_png(drawn)
            save_small(drawn, folder / f"{name}.png")
    display.close()
