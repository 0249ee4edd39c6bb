"""How the dealer's screen looks, as values: colors by tone, type by size, fonts by weight. Draws nothing.

A casino table is dim, so the screen is dark and gray; a color means something (`widgets.Tone`) and never stands alone.
Every text color has a contrast of at least 4.5 on each of its grounds, every shape and every edge of a key 3 (WCAG 1.4.3,
1.4.11), keys and heroes also where 20 % of the light is a reflection; the tests compute it from this file.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from msgspec import Struct

from ui.dealer.panels import DESIGN_PX_PER_MM, Panel
from ui.dealer.widgets import Shape, Tone

Color = tuple[int, int, int]


def rgb(code: str) -> Color:
    """The color of `#RRGGBB`."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


BACKGROUND = rgb("#0D1115")
KEY_EDGE = rgb("#8FA1B3")
"""The edge of every dark key. A widget without an edge is no key."""
DARK_INK = rgb("#0D1115")

INK: dict[Tone, Color] = {
    Tone.PLAIN: rgb("#F2F5F7"),
    Tone.MUTED: rgb("#B8C4CE"),
    Tone.NEXT: rgb("#5AB8F0"),
    Tone.DONE: rgb("#33D69A"),
    Tone.CAUTION: rgb("#F0A830"),
    Tone.STOP: rgb("#FF8A6B"),
    Tone.FLOOR: rgb("#C9A0FF"),
    Tone.MONEY: rgb("#FFD84D"),
    Tone.OFF: rgb("#7A8794"),
}
"""Text and shapes, on the background."""

OFF_RAISED = rgb("#AEB8C2")
"""`Tone.OFF` on a tile or a key, where its own gray would be too faint to read."""

SURFACES: dict[str, Color] = {
    "": BACKGROUND,
    "dim": BACKGROUND,
    "tile": rgb("#1A2128"),
    "key": rgb("#33404D"),
    "felt": rgb("#17352C"),
    "rail": rgb("#231C18"),
}
"""The dark fills: a tile, a key, a key that cannot be pressed now (dim, the ground itself), and the simulated cabinet's felt
and rail.
"""

CARD = "card"
FACE = rgb("#F6F2EA")
"""The fill of a card's face, which is paper."""
ON_FACE: dict[Shape, Color] = {
    Shape.SPADE: DARK_INK,
    Shape.HEART: rgb("#C9182B"),
    Shape.DIAMOND: rgb("#1B5CC8"),
    Shape.CLUB: rgb("#10683B"),
}
"""The four-color deck on paper."""
SUITS: dict[Shape, Color] = {
    Shape.SPADE: INK[Tone.PLAIN],
    Shape.HEART: rgb("#FF6B78"),
    Shape.DIAMOND: rgb("#6CB6FF"),
    Shape.CLUB: rgb("#4FCF97"),
}
"""The four-color deck; the suit's shape is always drawn with it."""


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


def surface(fill: str) -> Color:
    """The color that fills a widget: a dark surface by its name, or a tone's own color."""
    if fill in SURFACES:
        return SURFACES[fill]
    if fill == CARD:
        return FACE
    try:
        return INK[Tone(fill)]
    except ValueError:
        raise ValueError(f"no fill {fill!r}: use one of {', '.join(SURFACES)}, {CARD}, hatch, or a tone") from None


def ink(tone: Tone, fill: str = "") -> Color:
    """The color of text or of a shape with this tone on that fill: dark on a bright fill, with any tone."""
    if fill not in SURFACES:
        return DARK_INK
    if tone is Tone.OFF and fill not in ("", "dim"):
        return OFF_RAISED
    return INK[tone]


def shape_ink(shape: Shape, tone: Tone, fill: str = "") -> Color:
    """The color of a shape; a suit without a tone of its own has its color of the four-color deck."""
    if shape in SUITS and tone is Tone.PLAIN:
        return ON_FACE[shape] if fill == CARD else SUITS[shape] if fill in SURFACES else DARK_INK
    return ink(tone, fill)


def blend(a: Color, b: Color, share: float) -> Color:
    """`share` of the way from color `a` to color `b`."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def contrast(a: Color, b: Color) -> float:
    """Contrast of two colors, 1 to 21 (WCAG 2.2, relative luminance)."""
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (_linear(channel / 255) for channel in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def font_file(weight: str) -> Path:
    """The file of a weight of Roboto (Apache-2.0, from the package `font-roboto`): its digits are all equally wide."""
    path = Path(str(resources.files("font_roboto") / "files" / f"Roboto-{weight}.ttf"))
    if not path.is_file():
        raise FileNotFoundError(f"no font {path}: install the package font-roboto 0.0.1 again")
    return path
