"""The panels a dealer's screen runs on: their pixels, and the true millimeters of the part that shows."""

from __future__ import annotations

from msgspec import Struct

DESIGN_PX_PER_MM = 5.2
"""The pixel density at which the type scale of `theme` is given."""


class Panel(Struct, frozen=True):
    """One kind of panel: its pixels and its active area (mm). Pixels need not be square."""

    name: str
    width_px: int
    height_px: int
    width_mm: float
    height_mm: float
    type_scale: float = 1.0
    """How much larger than the type scale its text is: a larger panel has room for it, a narrow one is read from nearer."""

    @property
    def px_per_mm(self) -> float:
        """Pixels of a millimeter across, by which type is sized."""
        return self.width_px / self.width_mm

    def x_px(self, mm: float) -> int:
        """The pixel at which a millimeter across begins."""
        return round(mm * self.width_px / self.width_mm)

    def y_px(self, mm: float) -> int:
        """The pixel at which a millimeter down begins."""
        return round(mm * self.height_px / self.height_mm)

    def x_mm(self, px: float) -> float:
        """Millimeters from the left edge."""
        return px * self.width_mm / self.width_px

    def y_mm(self, px: float) -> float:
        """Millimeters from the upper edge."""
        return px * self.height_mm / self.height_px


SEVEN_INCH = Panel("7 inch, 800x480", 800, 480, 154.1, 85.9)
"""The Raspberry Pi's first 7 inch display, and other 800x480 panels of that size. Its pixels are not square."""

TEN_INCH = Panel("10.1 inch, 1280x800", 1280, 800, 216.96, 135.6, 1.1)
"""The common 10.1 inch 16:10 panel (HDMI or LVDS)."""

PORTRAIT = Panel("7 inch portrait, 720x1280", 720, 1280, 86.94, 154.56, 0.9)
"""The Raspberry Pi Touch Display 2, 7 inch, as it is built: upright."""

PANELS: dict[str, Panel] = {"800x480": SEVEN_INCH, "1280x800": TEN_INCH, "720x1280": PORTRAIT}
"""By the name in the configuration. A new panel is a new line here."""
