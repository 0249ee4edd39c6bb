"""The outlines of every shape on the dealer's screen, as polygons in a unit square. Pure geometry, no pixels.

A shape is a list of layers painted in order, each either solid (True) or cut out of what lies below it (False). Shapes
are drawn, not taken from a font: no font that a Pi can be trusted to have contains them all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, pi, sin

from ui.dealer.widgets import Shape

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Layer = tuple[Polygon, bool]

GLYPHS: dict[str, Shape | str] = {
    "♠": Shape.SPADE,
    "♥": Shape.HEART,
    "♦": Shape.DIAMOND,
    "♣": Shape.CLUB,
    "✓": Shape.TICK,
    "●": Shape.DISC,
    "○": Shape.RING,
    "►": "right",
    "◄": "left",
    "▲": "up",
}
"""Characters that Roboto lacks and a line of text may hold all the same: each is drawn as this shape."""


@cache
def layers(shape: Shape | str) -> tuple[Layer, ...]:
    """The layers of a shape, or of an arrow (right, left, up)."""
    return _OUTLINES[shape]()


def _circle(x: float, y: float, radius: float) -> Polygon:
    turn = [2 * pi * n / 72 for n in range(72)]
    return tuple((x + radius * cos(a), y + radius * sin(a)) for a in turn)


def _box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _rounded(left: float, top: float, right: float, bottom: float, radius: float) -> Polygon:
    corners = (
        (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 1),
        (left + radius, top + radius, 2),
        (right - radius, top + radius, 3),
    )
    return tuple(
        (x + radius * cos(a), y + radius * sin(a))
        for x, y, quarter in corners
        for a in [pi / 2 * (quarter + n / 12) for n in range(13)]
    )


def _disc() -> tuple[Layer, ...]:
    return (_circle(0.5, 0.5, 0.5), True), (_circle(0.5, 0.5, 0.43), False), (_circle(0.5, 0.5, 0.36), True)


def _ring() -> tuple[Layer, ...]:
    return (_circle(0.5, 0.5, 0.46), True), (_circle(0.5, 0.5, 0.37), False)


def _chip() -> tuple[Layer, ...]:
    notches = tuple((_wedge(n / 6 * 2 * pi, 0.17, 0.38, 0.47), False) for n in range(6))
    rim = ((_circle(0.5, 0.5, 0.33), False), (_circle(0.5, 0.5, 0.29), True))
    return ((_circle(0.5, 0.5, 0.5), True), *notches, *rim)


def _wedge(angle: float, half: float, inner: float, outer: float) -> Polygon:
    return tuple((0.5 + r * cos(a), 0.5 + r * sin(a)) for a, r in _sector(angle, half, inner, outer))


def _sector(angle: float, half: float, inner: float, outer: float) -> list[Point]:
    return [(angle - half, inner), (angle - half, outer), (angle + half, outer), (angle + half, inner)]


def _exclamation(top: float, bottom: float) -> tuple[Layer, ...]:
    tall = bottom - top
    stroke = ((0.435, top), (0.565, top), (0.545, top + tall * 0.66), (0.455, top + tall * 0.66))
    return (stroke, False), (_circle(0.5, bottom - tall * 0.11, 0.07), False)


def _triangle() -> tuple[Layer, ...]:
    solid = ((0.5, 0.05), (0.545, 0.075), (0.985, 0.85), (0.985, 0.9), (0.945, 0.94), (0.055, 0.94), (0.015, 0.9))
    return ((*solid, (0.015, 0.85), (0.455, 0.075)), True), *_exclamation(0.34, 0.85)


def _alert() -> tuple[Layer, ...]:
    return (_rounded(0.06, 0.06, 0.94, 0.94, 0.14), True), *_exclamation(0.21, 0.8)


def _tick() -> tuple[Layer, ...]:
    return (((((0.06, 0.53), (0.17, 0.42), (0.38, 0.63), (0.83, 0.16), (0.94, 0.27), (0.38, 0.85))), True),)


def _key() -> tuple[Layer, ...]:
    bow = ((_circle(0.27, 0.5, 0.25), True), (_circle(0.25, 0.5, 0.11), False))
    shaft = ((_box(0.48, 0.435, 0.98, 0.565), True),)
    teeth = ((_box(0.87, 0.5, 0.98, 0.76), True), (_box(0.7, 0.5, 0.8, 0.7), True))
    return bow + shaft + teeth


def _dash() -> tuple[Layer, ...]:
    return ((_rounded(0.2, 0.44, 0.8, 0.56, 0.055), True),)


def _heart_curve(left: float, top: float, right: float, bottom: float, *, up: bool = False) -> Polygon:
    """The heart x = 16 sin³t, y = 13 cos t − 5 cos 2t − 2 cos 3t − cos 4t, in a box; point upward for a spade."""
    turn = [2 * pi * n / 96 for n in range(96)]
    curve = [(16 * sin(t) ** 3, 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) for t in turn]
    high, low = max(y for _, y in curve), min(y for _, y in curve)
    across = [(left + (x / 32 + 0.5) * (right - left), (high - y) / (high - low)) for x, y in curve]
    return tuple((x, (bottom - share * (bottom - top)) if up else top + share * (bottom - top)) for x, share in across)


def _stem(top: float) -> Polygon:
    left = [(0.5 - 0.035 - 0.2 * (n / 10) ** 2.4, top + (0.96 - top) * n / 10) for n in range(11)]
    return (*left, *((1 - x, y) for x, y in reversed(left)))


def _heart() -> tuple[Layer, ...]:
    return ((_heart_curve(0.04, 0.07, 0.96, 0.95), True),)


def _spade() -> tuple[Layer, ...]:
    return (_heart_curve(0.06, 0.03, 0.94, 0.8, up=True), True), (_stem(0.55), True)


def _diamond() -> tuple[Layer, ...]:
    quarter = [(0.5 + 0.4 * (n / 16) ** 1.12, 0.02 + 0.48 * (1 - (1 - n / 16) ** 1.12)) for n in range(17)]
    right = quarter + [(x, 1 - y) for x, y in reversed(quarter)]
    return ((((*right, *((1 - x, y) for x, y in reversed(right)))), True),)


def _club() -> tuple[Layer, ...]:
    leaves = ((0.5, 0.245), (0.255, 0.56), (0.745, 0.56))
    heart = ((0.5, 0.3), (0.68, 0.62), (0.32, 0.62))
    return *((_circle(x, y, 0.225), True) for x, y in leaves), (heart, True), (_stem(0.5), True)


def _back() -> tuple[Layer, ...]:
    head = ((0.04, 0.62), (0.4, 0.34), (0.4, 0.9))
    return (head, True), (_box(0.38, 0.55, 0.94, 0.69), True), (_box(0.8, 0.14, 0.94, 0.6), True)


# The work of hands with a deck, for the screens a trainee learns from

CARD_W, CARD_H = 0.22, 0.31
"""A card, upright."""
EDGE = 0.016
"""The gap around a card that keeps it apart from the one below it."""


def _card(x: float, y: float, turned: float = 0.0, size: float = 1.0) -> tuple[Layer, ...]:
    """A card with its middle at a point, turned (radians), on top of what lies there."""
    w, h = CARD_W * size / 2, CARD_H * size / 2

    def corners(edge: float) -> Polygon:
        outline = _rounded(-w - edge, -h - edge, w + edge, h + edge, 0.03)
        return tuple((x + a * cos(turned) - b * sin(turned), y + a * sin(turned) + b * cos(turned)) for a, b in outline)

    return (corners(EDGE), False), (corners(0.0), True)


def _fans() -> tuple[Layer, ...]:
    rows = [0.12 + 0.253 * row for row in range(4)]
    return tuple(layer for y in rows for n in range(13) for layer in _card(0.09 + 0.068 * n, y, size=0.66))


def _wash() -> tuple[Layer, ...]:
    lie = (
        (0.22, 0.3, -0.5), (0.5, 0.22, 1.2), (0.78, 0.28, 0.4), (0.3, 0.55, 1.0), (0.72, 0.5, -0.9), (0.5, 0.42, 0.15),
        (0.24, 0.76, 0.3), (0.77, 0.74, 1.3), (0.52, 0.7, -0.35), (0.62, 0.78, 0.8), (0.4, 0.77, 1.4),
    )  # fmt: skip
    return tuple(layer for x, y, turned in lie for layer in _card(x, y, turned))


def _packet(left: float, right: float, bottom: float, cards: int) -> tuple[Layer, ...]:
    """Cards on top of each other, seen from the side."""
    each, thick = 0.05, 0.03
    return tuple((_box(left, bottom - each * n - thick, right, bottom - each * n), True) for n in range(cards))


def _cut() -> tuple[Layer, ...]:
    head = (((0.76, 0.72), (1.0, 0.72), (0.88, 0.9)), True)
    shaft = ((_box(0.845, 0.2, 0.915, 0.74), True), (_box(0.74, 0.2, 0.915, 0.27), True))
    return (*_packet(0.02, 0.66, 0.95, 9), *_packet(0.02, 0.66, 0.38, 6), head, *shaft)


def _decks() -> tuple[Layer, ...]:
    def deck(left: float) -> tuple[Layer, ...]:
        outer = _rounded(left, 0.2, left + 0.42, 0.8, 0.05)
        line = _rounded(left + 0.05, 0.25, left + 0.37, 0.75, 0.03)
        back = _rounded(left + 0.08, 0.28, left + 0.34, 0.72, 0.02)
        return (outer, True), (line, False), (back, True)

    return (*deck(0.04), *deck(0.54))


def _machine() -> tuple[Layer, ...]:
    """A box with a slot in its top, a deck above it, an arrow down."""
    arrow = ((_box(0.46, 0.04, 0.54, 0.2), True), (((0.36, 0.18), (0.64, 0.18), (0.5, 0.32)), True))
    deck = _packet(0.3, 0.7, 0.5, 3)
    body = (_rounded(0.06, 0.6, 0.94, 0.96, 0.06), True), (_box(0.26, 0.66, 0.74, 0.72), False)
    return (*arrow, *deck, *body, (_circle(0.84, 0.86, 0.035), False))


_OUTLINES: dict[Shape | str, Callable[[], tuple[Layer, ...]]] = {
    Shape.DISC: _disc,
    Shape.RING: _ring,
    Shape.TRIANGLE: _triangle,
    Shape.ALERT: _alert,
    Shape.TICK: _tick,
    Shape.KEY: _key,
    Shape.DASH: _dash,
    Shape.SPADE: _spade,
    Shape.HEART: _heart,
    Shape.DIAMOND: _diamond,
    Shape.CLUB: _club,
    Shape.CHIP: _chip,
    Shape.DECKS: _decks,
    Shape.BACK: _back,
    Shape.FANS: _fans,
    Shape.WASH: _wash,
    Shape.CUT: _cut,
    Shape.MACHINE: _machine,
    "right": lambda: ((((0.2, 0.1), (0.9, 0.5), (0.2, 0.9)), True),),
    "left": lambda: ((((0.8, 0.1), (0.1, 0.5), (0.8, 0.9)), True),),
    "up": lambda: ((((0.5, 0.12), (0.95, 0.88), (0.05, 0.88)), True),),
}
