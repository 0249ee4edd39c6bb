"""The panels a dealer's screen runs on. Widgets are laid out in millimetres; a panel says how many pixels that is."""

from __future__ import annotations

from dataclasses import dataclass

DESIGN_PX_PER_MM = 5.2
"""The pixel density at which the type scale of `theme` is given."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One kind of panel: its pixels, and how many of them make a millimetre."""

    name: str
    width_px: int
    height_px: int
    px_per_mm: float

    @property
    def width_mm(self) -> float:
        """Of the part that shows."""
        return self.width_px / self.px_per_mm

    @property
    def height_mm(self) -> float:
        """Of the part that shows."""
        return self.height_px / self.px_per_mm

    def px(self, mm: float) -> int:
        """The pixel at which a millimetre begins."""
        return round(mm * self.px_per_mm)


SEVEN_INCH = Panel("7 inch, 800x480", 800, 480, 5.2)
"""The Raspberry Pi's first 7 inch display, and every other 800x480 panel of that size."""

PANELS: dict[str, Panel] = {"800x480": SEVEN_INCH}
"""By the name in the configuration. A new panel is a new line here."""
