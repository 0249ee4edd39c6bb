"""Where the lines and the shape of a widget stand inside it. Pure: told how wide a text is, it answers in pixels.

Rules, so that a screen can be written without trying:

* Lines are stacked, and centred vertically; only lines that fill less than half of a widget that is no key, and of which
  none is centred, begin at its top.
* A right-aligned line directly after a left-aligned one shares its row, if both fit: a label and its amount.
* With a shape, a tall widget stacks: a left-aligned first line is the heading (the seat's number, upper left), then the
  shape, then the other lines. A wide one has the shape in front of its lines, but a suit after a rank ("K" ♠);
  not if a right-aligned line follows the heading: they share its row, and the shape stands below them.
* Nothing ever leaves the widget: what does not fit is set smaller, whole. `Placing.squeezed` says so; tests forbid it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ui.dealer import theme
from ui.dealer.panels import Panel
from ui.dealer.widgets import Line, Shape, Widget

Measure = Callable[[str, int, str], int]
"""(text, pixels of the em, weight) → its width in pixels."""

PADDING_MM = 2.0
KEY_PADDING_MM = 0.5
TOP_PADDING_MM = 1.2
LIP_MM = 0.6
"""The lower edge of a key, which makes it look like one."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text, its em in pixels and its weight; `x` is its left edge, `middle` the middle of its capitals."""

    line: Line
    px: int
    weight: str
    x: int
    middle: int
    width: int


@dataclass(frozen=True, slots=True)
class Placing:
    """All that a widget shows, in pixels of the window."""

    box: Box
    texts: tuple[PlacedText, ...]
    shape: Box | None
    squeezed: bool
    """Something had to be set smaller than the type scale says."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of a stack: a line, or a label and its amount; `height` and widths in pixels."""

    lines: tuple[PlacedText, ...]
    height: int


def place(widget: Widget, panel: Panel, measure: Measure, origin_y_px: int = 0) -> Placing:
    """Lay out one widget."""
    box = _box(widget, panel, origin_y_px)
    centred = all(line.align == "centre" for line in widget.lines)
    pad = min(panel.px(KEY_PADDING_MM if is_key(widget) and centred else PADDING_MM), box.w // 10)
    lip = panel.px(LIP_MM) if is_key(widget) else 0
    room = Box(box.x + pad, box.y + 1, max(1, box.w - 2 * pad), max(1, box.h - lip - 2))
    texts = [_sized(line, panel, measure) for line in widget.lines]
    if widget.shape is Shape.NONE:
        return _stacked(widget, box, room, texts, measure, panel)
    wide = (_is_card(widget) and box.h < box.w) or 4 * box.h < 3 * box.w
    if widget.lines and wide and not _has_heading_pair(widget):
        return _beside(widget, box, room, texts, measure)
    return _below_shape(widget, box, room, texts, measure, panel)


def is_key(widget: Widget) -> bool:
    """A key to be pressed, or one that stands in its place but has nothing to do now."""
    return bool(widget.press) or (not widget.enabled and widget.fill not in ("", "tile"))


def _has_heading_pair(widget: Widget) -> bool:
    """A seat's number and its word in one row above the shape."""
    return [line.align for line in widget.lines[:2]] == ["left", "right"]


def _is_card(widget: Widget) -> bool:
    return widget.shape in theme.SUITS and bool(widget.lines) and len(widget.lines[0].text) <= 2


def _box(widget: Widget, panel: Panel, origin_y_px: int) -> Box:
    left, top = panel.px(widget.x), panel.px(widget.y)
    return Box(left, origin_y_px + top, panel.px(widget.x + widget.w) - left, panel.px(widget.y + widget.h) - top)


def _sized(line: Line, panel: Panel, measure: Measure) -> PlacedText:
    px, weight = theme.type_px(line.size, panel), theme.TYPE[line.size].weight
    return PlacedText(line, px, weight, 0, 0, measure(line.text, px, weight))


def _stacked(
    widget: Widget, box: Box, room: Box, texts: Sequence[PlacedText], measure: Measure, panel: Panel
) -> Placing:
    rows, squeezed = _rows(texts, room, measure)
    tall = sum(row.height for row in rows)
    centred = is_key(widget) or len(rows) == 1 or any(text.line.align == "centre" for text in texts)
    centred = centred or 2 * tall > room.h
    free = max(0, room.h - tall)
    top = room.y + (free // 2 if centred else min(panel.px(TOP_PADDING_MM), free))
    return Placing(box, _drop(rows, room, top), None, squeezed)


def _beside(widget: Widget, box: Box, room: Box, texts: Sequence[PlacedText], measure: Measure) -> Placing:
    """Shape and lines side by side; a suit comes after the rank."""
    wanted = max(text.px for text in texts) * (1.0 if len(texts) == 1 else 1.8)
    side = max(1, min(round(room.h * 0.7), round(wanted), room.w // 3))
    gap = max(4, side // 3)
    left = Box(room.x, room.y, room.w - side - gap, room.h)
    rows, squeezed = _rows(texts, left, measure)
    wide = max(text.width for row in rows for text in row.lines)
    after = _is_card(widget)
    group = side + gap + wide
    aligned = {"left": room.x, "centre": room.x + (room.w - group) // 2, "right": room.x + room.w - group}
    start = aligned[texts[0].line.align]
    tall = sum(row.height for row in rows)
    words_x = start if after else start + side + gap
    spread = left.w if any(text.line.align == "right" for text in texts) and texts[0].line.align == "left" else wide
    words = Box(words_x, room.y, spread, room.h)
    shape = Box(start + wide + gap if after else start, room.y + (room.h - side) // 2, side, side)
    return Placing(box, _drop(rows, words, room.y + (room.h - tall) // 2), shape, squeezed)


def _below_shape(
    widget: Widget, box: Box, room: Box, texts: Sequence[PlacedText], measure: Measure, panel: Panel
) -> Placing:
    """Heading, shape, other lines, from above. The lines leave at least a quarter of the height to the shape."""
    rows, squeezed = _rows(texts, replace(room, h=room.h * 3 // 4), measure)
    has_heading = bool(texts) and texts[0].line.align == "left"
    heading, words = (rows[:1], rows[1:]) if has_heading else ([], rows)
    head = sum(row.height for row in heading)
    free = max(1, room.h - head - sum(row.height for row in words))
    side = max(1, min(round(box.w * 0.52), round(free * (0.7 if texts else 0.8)), panel.px(13)))
    gap = min(round(side * 0.2), free - side) if words else 0
    top = room.y + head + max(0, free - side - gap) // 2
    shape = Box(box.x + (box.w - side) // 2, top, side, side)
    placed = _drop(heading, room, room.y + panel.px(0.4)) + _drop(words, room, top + side + gap)
    return Placing(box, placed, shape, squeezed)


def _rows(texts: Sequence[PlacedText], room: Box, measure: Measure) -> tuple[list[_Row], bool]:
    """The rows of a stack, each made small enough for the room, and whether any had to be."""
    rows = [_Row(lines, _leading(lines)) for lines in _pairs(texts, room.w)]
    tall = sum(row.height for row in rows)
    share = min(1.0, room.h / tall) if tall else 1.0
    fitted = [_Row(tuple(_fitted(text, room.w, share, measure) for text in row.lines), 0) for row in rows]
    squeezed = [text.px for row in fitted for text in row.lines] != [text.px for row in rows for text in row.lines]
    return [replace(row, height=_leading(row.lines)) for row in fitted], squeezed


def _pairs(texts: Sequence[PlacedText], width: int) -> list[tuple[PlacedText, ...]]:
    rows: list[tuple[PlacedText, ...]] = []
    for text in texts:
        before = rows[-1] if rows else ()
        joins = len(before) == 1 and before[0].line.align == "left" and text.line.align == "right"
        if joins and before[0].width + text.width + text.px // 2 <= width:
            rows[-1] = (*before, text)
        else:
            rows.append((text,))
    return rows


def _leading(texts: Sequence[PlacedText]) -> int:
    return max(round(text.px * theme.LEADING) for text in texts)


def _fitted(text: PlacedText, width: int, share: float, measure: Measure) -> PlacedText:
    px = int(text.px * share)
    while px > 1 and measure(text.line.text, px, text.weight) > width:
        px -= 1
    return replace(text, px=max(1, px), width=measure(text.line.text, max(1, px), text.weight))


def _drop(rows: Sequence[_Row], room: Box, top: int) -> tuple[PlacedText, ...]:
    """Stand the rows under each other from `top`, each line aligned in the room."""
    placed = []
    for row in rows:
        for text in row.lines:
            free = room.w - text.width
            shift = {"left": 0, "centre": free // 2, "right": free}[text.line.align]
            placed.append(replace(text, x=room.x + shift, middle=top + row.height // 2))
        top += row.height
    return tuple(placed)
