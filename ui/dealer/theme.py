"""How the dealer's screen looks, as values: colors by tone, type by size, fonts by weight. Draws nothing.

A casino table is dim, so the screen is dark and gray; a color means something (`widgets.Tone`) and never stands alone.
Every text color has a contrast of at least 4.5 on each of its grounds, every shape and every edge of a key 3 (WCAG 1.4.3,
1.4.11), keys and heroes also where 20 % of the light is a reflection; the tests compute it from this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from msgspec import Struct

from ui.colors import Color, rgb
from ui.dealer.panels import DESIGN_PX_PER_MM, Panel
from ui.dealer.widgets import Shape, Tone

CARD = "card"
FACE = rgb("#F6F2EA")
"""The face of a card is paper in any light."""
ON_FACE: Mapping[Shape, Color] = {
    Shape.SPADE: rgb("#0D1115"),
    Shape.HEART: rgb("#C9182B"),
    Shape.DIAMOND: rgb("#1B5CC8"),
    Shape.CLUB: rgb("#10683B"),
}
"""The four-color deck on it."""


class Palette(Struct, frozen=True):
    """The colors of one light: of a dim room, or of a bright one.

    `ink`: text and shapes on the plain fills. `bright`: text on the fill of a tone. `off_raised`: `Tone.OFF` on a tile or a
    key, where its own gray would be too faint. `surfaces`: the plain fills, those of the simulated cabinet among them; a key
    that cannot be pressed now (dim) is the ground itself. `key_edge`: the edge of every key with a plain fill; a widget
    without an edge is no key. `suits`: the four-color deck on a plain fill.
    """

    ground: Color
    ink: Mapping[Tone, Color]
    off_raised: Color
    bright: Color
    surfaces: Mapping[str, Color]
    key_edge: Color
    suits: Mapping[Shape, Color]

    def surface(self, fill: str) -> Color:
        """The color that fills a widget: a plain one by its name, or a tone's own color."""
        if fill in self.surfaces:
            return self.surfaces[fill]
        if fill == CARD:
            return FACE
        try:
            return self.ink[Tone(fill)]
        except ValueError:
            known = ", ".join(self.surfaces)
            raise ValueError(f"no fill {fill!r}: use one of {known}, {CARD}, hatch, or a tone") from None

    def text(self, tone: Tone, fill: str = "") -> Color:
        """The color of text or of a shape with this tone on that fill; on a tone's own fill it is the same for all."""
        if fill == CARD:
            return ON_FACE[Shape.SPADE]
        if fill not in self.surfaces:
            return self.bright
        if tone is Tone.OFF and fill not in ("", "dim"):
            return self.off_raised
        return self.ink[tone]

    def shape(self, shape: Shape, tone: Tone, fill: str = "") -> Color:
        """The color of a shape; a suit without a tone of its own has its color of the four-color deck."""
        if shape in self.suits and tone is Tone.PLAIN:
            return ON_FACE[shape] if fill == CARD else self.suits[shape] if fill in self.surfaces else self.bright
        return self.text(tone, fill)


DARK = Palette(
    ground=rgb("#0D1115"),
    ink={
        Tone.PLAIN: rgb("#F2F5F7"),
        Tone.MUTED: rgb("#B8C4CE"),
        Tone.NEXT: rgb("#5AB8F0"),
        Tone.DONE: rgb("#33D69A"),
        Tone.CAUTION: rgb("#F0A830"),
        Tone.STOP: rgb("#FF8A6B"),
        Tone.FLOOR: rgb("#C9A0FF"),
        Tone.MONEY: rgb("#FFD84D"),
        Tone.OFF: rgb("#7A8794"),
    },
    off_raised=rgb("#AEB8C2"),
    bright=rgb("#0D1115"),
    surfaces={
        "": rgb("#0D1115"),
        "dim": rgb("#0D1115"),
        "tile": rgb("#1A2128"),
        "key": rgb("#33404D"),
        "felt": rgb("#17352C"),
        "rail": rgb("#231C18"),
    },
    key_edge=rgb("#8FA1B3"),
    suits={
        Shape.SPADE: rgb("#F2F5F7"),
        Shape.HEART: rgb("#FF6B78"),
        Shape.DIAMOND: rgb("#6CB6FF"),
        Shape.CLUB: rgb("#4FCF97"),
    },
)
"""A casino table is dim."""
LIGHT = Palette(
    ground=rgb("#E6E1D6"),
    ink={
        Tone.PLAIN: rgb("#14181C"),
        Tone.MUTED: rgb("#434C55"),
        Tone.NEXT: rgb("#0A548F"),
        Tone.DONE: rgb("#07623C"),
        Tone.CAUTION: rgb("#7A4600"),
        Tone.STOP: rgb("#A3211A"),
        Tone.FLOOR: rgb("#5E3394"),
        Tone.MONEY: rgb("#6B4E00"),
        Tone.OFF: rgb("#59636D"),
    },
    off_raised=rgb("#4A535C"),
    bright=rgb("#FFFFFF"),
    surfaces={
        "": rgb("#E6E1D6"),
        "dim": rgb("#E6E1D6"),
        "tile": rgb("#F4F1EA"),
        "key": rgb("#FFFFFF"),
        "felt": rgb("#CFE0D6"),
        "rail": rgb("#E0D5C6"),
    },
    key_edge=rgb("#4A5661"),
    suits={
        Shape.SPADE: rgb("#14181C"),
        Shape.HEART: rgb("#B3152A"),
        Shape.DIAMOND: rgb("#1B5CC8"),
        Shape.CLUB: rgb("#10683B"),
    },
)
"""A bright pit, or daylight."""
PALETTES: Mapping[str, Palette] = {"dark": DARK, "light": LIGHT}
"""By the name in the configuration."""


class Type(Struct, frozen=True):
    """One step of the type scale: pixels of the em at 5.2 px/mm, and a weight of Roboto."""

    px: int
    weight: str


TYPE: dict[str, Type] = {
    "small": Type(18, "Regular"),
    "label": Type(18, "Bold"),
    "body": Type(22, "Regular"),
    "strong": Type(22, "Bold"),
    "key": Type(26, "Bold"),
    "money": Type(34, "Bold"),
    "hero": Type(62, "Black"),
    "jackpot": Type(84, "Black"),
}
"""Six sizes. On a 7 inch panel at 60 cm a capital of the smallest is 14 arc minutes high, of body type 17, of a hero 48."""

CAP_HEIGHT = 0.711
"""Height of Roboto's capitals and digits, in ems."""
LEADING = 1.24
"""From one line to the next, in ems."""


def type_px(size: str, panel: Panel) -> int:
    """Pixels of the em of a step of the type scale on a panel. An unknown step is an error naming the known ones."""
    try:
        step = TYPE[size]
    except KeyError:
        raise ValueError(f"no type size {size!r}: use one of {', '.join(TYPE)}") from None
    return round(step.px * panel.px_per_mm * panel.type_scale / DESIGN_PX_PER_MM)


SMALLER: dict[str, str] = {
    "jackpot": "hero",
    "hero": "money",
    "money": "key",
    "key": "strong",
    "strong": "label",
    "body": "small",
}
"""The next smaller step; `small` and `label` have none."""
HEROES, HELD = ("hero", "jackpot"), 2
"""A hero is set smaller last: so many steps after the words beside it."""
STEPS = 7
"""So many times a text can be set smaller, at most."""


def lowered(size: str, steps: int) -> str:
    """A step of the type scale so many steps smaller, down to `small`."""
    for _ in range(steps - HELD if size in HEROES else steps):
        size = SMALLER.get(size, size)
    return size


def font_file(weight: str) -> Path:
    """The file of a weight of Roboto (Apache-2.0, from the package `font-roboto`): its digits are all equally wide."""
    path = Path(str(resources.files("font_roboto") / "files" / f"Roboto-{weight}.ttf"))
    if not path.is_file():
        raise FileNotFoundError(f"no font {path}: install the package font-roboto 0.0.1 again")
    return path
