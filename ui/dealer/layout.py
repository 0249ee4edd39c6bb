"""The places of the lines and the shape of a widget inside it. Pure: given the width of a text, it answers in pixels.

Rules, so that a screen can be written without trying:

* A line too wide is broken between words, as measured. If the widget is too low for its lines, or a word too wide, all
  its lines are set in the next smaller step of the type scale, and so on; the widgets of a group in the same step.
* Lines are stacked, and centered vertically; only lines that fill less than half of a widget that is no key, without
  a centered one among them, begin at its top.
* A right-aligned line directly after a left-aligned one shares its row, if both fit: a label and its amount.
* With a shape, a tall widget stacks: a left-aligned first line is the heading (the seat's number, upper left), then the
  shape, then the other lines. A wide one has the shape in front of its lines, but a suit after a rank ("K" ♠);
  not if a right-aligned line follows the heading: they share its row, and the shape stands below them.
* A seat's tile has slots: its number upper left, its lamp upper right, its word and its amount below each other.
* Words that do not fit in the smallest step are given more room first: they stand closer to the edges, and a shape is
  no higher than they are, or stands in the row of the heading.
* Nothing ever leaves the widget: a text that does not fit even so is set smaller still, whole. `Placing.squeezed`
says so; tests
  forbid it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from firmware.wire.structs import replace
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
LAMP_MM = 4.6
"""Diameter of the lamp in the corner of a seat's tile."""
TRACK_MM = 0.8
"""The bar above the lip of a key to be held, and as much again below it."""


class Box(Struct, frozen=True):
    """A rectangle in pixels."""

    x: int
    y: int
    w: int
    h: int


class PlacedText(Struct, frozen=True):
    """A text, its em in pixels and its weight; `x` is its left edge, `middle` the middle of its capitals."""

    line: Line
    px: int
    weight: str
    x: int
    middle: int
    width: int


class Placing(Struct, frozen=True):
    """All that a widget shows, in pixels of the window."""

    box: Box
    texts: tuple[PlacedText, ...]
    shape: Box | None
    squeezed: bool
    """Something had to be set smaller than the type scale goes."""
    steps: int = 0
    """So many steps of the type scale its lines were set smaller."""


class _Row(Struct, frozen=True):
    """One row of a stack: a line, or a label and its amount; `height` and widths in pixels."""

    lines: tuple[PlacedText, ...]
    height: int


class _Setting(Struct, frozen=True):
    """How the lines of a widget are set: on which panel, measured by whom, how many steps smaller at least."""

    panel: Panel
    measure: Measure
    steps: int
    close: bool = False
    """Nothing fits otherwise: closer to the edges, and a shape takes no more room than it must."""


def place(widget: Widget, panel: Panel, measure: Measure, origin_y_px: int = 0, steps: int = 0) -> Placing:
    """Lay out one widget, its lines at least so many steps smaller than they ask for."""
    placing = _placed(widget, panel, _Setting(panel, measure, steps), origin_y_px)
    if not placing.squeezed:
        return placing
    if widget.slotted and len(widget.lines) > 1:  # a word that has no slot left stands beside its number
        number, word, *below = widget.lines
        widget = replace(widget, lines=(number, replace(word, align="right"), *below))
    closer = _placed(widget, panel, _Setting(panel, measure, steps, close=True), origin_y_px)
    return placing if closer.squeezed else closer


def _placed(widget: Widget, panel: Panel, setting: _Setting, origin_y_px: int) -> Placing:
    box = _box(widget, panel, origin_y_px)
    centered = all(line.align == "center" for line in widget.lines)
    narrow = setting.close or (is_key(widget) and centered)
    pad = min(panel.x_px(KEY_PADDING_MM if narrow else PADDING_MM), box.w // 20)
    lip = panel.y_px(LIP_MM + (2 * TRACK_MM if widget.hold_ms else 0.0)) if is_key(widget) else 0
    room = Box(box.x + pad, box.y + 1, max(1, box.w - 2 * pad), max(1, box.h - lip - 2))
    if widget.slotted:
        return _slotted(widget, box, room, setting)
    if widget.shape is Shape.NONE:
        return _stacked(widget, box, room, setting)
    if setting.close and len(widget.lines) > 1 and widget.lines[0].align == "left":
        return _around_shape(widget, box, room, setting)
    wide = (_is_card(widget) and box.h < box.w) or 4 * box.h < 3 * box.w
    if widget.lines and wide and not _has_heading_pair(widget):
        return _beside(widget, box, room, setting)
    return _below_shape(widget, box, room, setting)


def is_key(widget: Widget) -> bool:
    """A key to be pressed, or one that stands in its place but has nothing to do now."""
    return bool(widget.press) or (not widget.enabled and widget.fill not in ("", "tile"))


def _has_heading_pair(widget: Widget) -> bool:
    """A seat's number and its word in one row above the shape."""
    return [line.align for line in widget.lines[:2]] == ["left", "right"]


def _is_card(widget: Widget) -> bool:
    return widget.shape in theme.DARK.suits and bool(widget.lines) and len(widget.lines[0].text) <= 2


def _box(widget: Widget, panel: Panel, origin_y_px: int) -> Box:
    left, top = panel.x_px(widget.x), panel.y_px(widget.y)
    return Box(left, origin_y_px + top, panel.x_px(widget.x + widget.w) - left, panel.y_px(widget.y + widget.h) - top)


def _stacked(widget: Widget, box: Box, room: Box, setting: _Setting) -> Placing:
    rows, squeezed, steps = _rows(widget.lines, room, setting)
    tall = sum(row.height for row in rows)
    centered = is_key(widget) or len(widget.lines) == 1 or any(line.align == "center" for line in widget.lines)
    centered = centered or 2 * tall > room.h
    free = max(0, room.h - tall)
    top = room.y + (free // 2 if centered else min(setting.panel.y_px(TOP_PADDING_MM), free))
    return Placing(box, _drop(rows, room, top), None, squeezed, steps)


def _slotted(widget: Widget, box: Box, room: Box, setting: _Setting) -> Placing:
    """Number and lamp in the upper corners; the word, and the amount below it, where they stand in every tile of the row."""
    rows, squeezed, steps = _rows(widget.lines, room, setting)
    head, words = rows[:1], rows[1:]
    panel = setting.panel
    top = room.y + min(panel.y_px(0.6), max(0, room.h - sum(row.height for row in rows)))
    side = min(panel.x_px(LAMP_MM), room.w // 3, room.h)
    edge = panel.x_px(1.2)
    lamp = Box(box.x + box.w - side - edge, box.y + edge, side, side) if widget.shape is not Shape.NONE else None
    beside = replace(room, w=max(1, room.w - side - edge)) if len(head[0].lines) > 1 and lamp else room
    below = top + head[0].height
    slot = words[0].height if words else 0
    tall = max(sum(row.height for row in words), slot + round(slot * AMOUNT_SHARE))
    start = below + max(0, room.y + room.h - below - tall) // 2
    start = min(start, max(below, room.y + room.h - sum(row.height for row in words)))
    return Placing(box, _drop(head, beside, top) + _drop(words, room, start), lamp, squeezed, steps)


AMOUNT_SHARE = 0.85
"""Height of the amount's slot: a share of the word's above it."""


def _beside(widget: Widget, box: Box, room: Box, setting: _Setting) -> Placing:
    """Shape and lines side by side; a suit comes after the rank."""
    largest = max(_px(line, setting, theme.STEPS if setting.close else 0) for line in widget.lines)
    wanted = largest * (1.0 if len(widget.lines) == 1 else 1.8)
    side = max(1, min(round(room.h * 0.7), round(wanted), room.w // 3))
    gap = max(4, side // 3)
    left = Box(room.x, room.y, room.w - side - gap, room.h)
    rows, squeezed, steps = _rows(widget.lines, left, setting)
    wide = max(text.width for row in rows for text in row.lines)
    after = _is_card(widget)
    group = side + gap + wide
    aligned = {"left": room.x, "center": room.x + (room.w - group) // 2, "right": room.x + room.w - group}
    start = aligned[widget.lines[0].align]
    tall = sum(row.height for row in rows)
    words_x = start if after else start + side + gap
    spread = left.w if any(line.align == "right" for line in widget.lines) and widget.lines[0].align == "left" else wide
    words = Box(words_x, room.y, spread, room.h)
    shape = Box(start + wide + gap if after else start, room.y + (room.h - side) // 2, side, side)
    return Placing(box, _drop(rows, words, room.y + (room.h - tall) // 2), shape, squeezed, steps)


def _below_shape(widget: Widget, box: Box, room: Box, setting: _Setting) -> Placing:
    """Heading, shape, other lines, from above. The lines leave at least a fifth of the height to the shape."""
    rows, squeezed, steps = _rows(widget.lines, replace(room, h=room.h * 4 // 5), setting)
    has_heading = bool(widget.lines) and widget.lines[0].align == "left"
    heading, words = (rows[:1], rows[1:]) if has_heading else ([], rows)
    head = sum(row.height for row in heading)
    free = max(1, room.h - head - sum(row.height for row in words))
    panel = setting.panel
    largest = min(round(box.w * 0.52), panel.x_px(13)) if widget.lines else round(box.w * 0.8)
    side = max(1, min(largest, round(free * (0.7 if widget.lines else 0.8))))
    gap = min(round(side * 0.2), free - side) if words else 0
    top = room.y + head + max(0, free - side - gap) // 2
    shape = Box(box.x + (box.w - side) // 2, top, side, side)
    placed = _drop(heading, room, room.y + panel.y_px(0.4)) + _drop(words, room, top + side + gap)
    return Placing(box, placed, shape, squeezed, steps)


def _around_shape(widget: Widget, box: Box, room: Box, setting: _Setting) -> Placing:
    """The shape stands in the row of the heading, in the middle of what its words leave; other lines below them."""
    rows, squeezed, steps = _rows(widget.lines, room, setting)
    tall = sum(row.height for row in rows)
    top = room.y + min(setting.panel.y_px(0.4), max(0, room.h - tall))
    below = top + rows[0].height
    head = _drop(rows[:1], room, top)
    left, right = head[0].x + head[0].width, head[1].x if len(head) > 1 else room.x + room.w
    side = max(1, min(round(0.7 * rows[0].height), right - left))
    middle = (left + right) // 2 if len(head) > 1 else box.x + box.w // 2
    shape = Box(middle - side // 2, top + (rows[0].height - side) // 2, side, side)
    words = _drop(rows[1:], room, below + max(0, room.y + room.h - top - tall) // 2)
    return Placing(box, head + words, shape, squeezed, steps)


def _rows(lines: Sequence[Line], room: Box, setting: _Setting) -> tuple[list[_Row], bool, int]:
    """The rows of a stack in the largest steps in which they fit the room, whether they fit at all, and the steps."""
    rows: list[_Row] = []
    for steps in range(min(setting.steps, theme.STEPS - 1), theme.STEPS):
        rows = _broken_rows(lines, room.w, setting, steps)
        if _fit(rows, room):
            return rows, False, steps
    tall = sum(row.height for row in rows)
    share = min(1.0, room.h / tall) if tall else 1.0
    return [_squeezed(row, room.w, share, setting.measure) for row in rows], True, theme.STEPS


def _fit(rows: Sequence[_Row], room: Box) -> bool:
    widest = max((text.width for row in rows for text in row.lines), default=0)
    return widest <= room.w and sum(row.height for row in rows) <= room.h


def _broken_rows(lines: Sequence[Line], width: int, setting: _Setting, steps: int) -> list[_Row]:
    rows: list[_Row] = []
    for line in lines:
        parts = _broken(line, width, setting, steps)
        before = rows[-1] if rows else None
        if before is not None and len(parts) == 1 and _joins(before, parts[0], width):
            joined = (*before.lines, parts[0])
            rows[-1] = replace(before, lines=joined, height=_leading(joined))
        else:
            rows += [_Row((part,), _leading((part,))) for part in parts]
    return rows


def _joins(row: _Row, text: PlacedText, width: int) -> bool:
    """A label and its amount share a row."""
    pair = len(row.lines) == 1 and row.lines[0].line.align == "left" and text.line.align == "right"
    return pair and row.lines[0].width + text.width + text.px // 2 <= width


def _broken(line: Line, width: int, setting: _Setting, steps: int) -> list[PlacedText]:
    """A line in as many texts as its width needs, broken between words."""
    size = theme.lowered(line.size, steps)
    px, weight = theme.type_px(size, setting.panel), theme.TYPE[size].weight
    whole = setting.measure(line.text, px, weight)
    if whole <= width or " " not in line.text.strip():
        return [PlacedText(line, px, weight, 0, 0, whole)]
    parts: list[PlacedText] = []
    said = ""
    for word in _unbroken(line.text.split()):
        longer = f"{said} {word}" if said else word
        if said and setting.measure(longer, px, weight) > width:
            parts.append(_part(line, said, px, weight, setting.measure))
            longer = word
        said = longer
    return [*parts, _part(line, said, px, weight, setting.measure)]


TIMES = "×"
"""A sign that keeps both of its neighbors with it: `2 × $5` of chips."""


def _unbroken(words: Sequence[str]) -> Iterator[str]:
    """The parts between which a line is broken."""
    said = ""
    for word in words:
        if said and TIMES not in (word, said.rpartition(" ")[2]):
            yield said
            said = word
        else:
            said = f"{said} {word}" if said else word
    if said:
        yield said


def _part(line: Line, text: str, px: int, weight: str, measure: Measure) -> PlacedText:
    return PlacedText(replace(line, said=text), px, weight, 0, 0, measure(text, px, weight))


def _px(line: Line, setting: _Setting, steps: int) -> int:
    return theme.type_px(theme.lowered(line.size, steps), setting.panel)


def _leading(texts: Sequence[PlacedText]) -> int:
    return max(round(text.px * theme.LEADING) for text in texts)


def _squeezed(row: _Row, width: int, share: float, measure: Measure) -> _Row:
    """A row that is given a share of its height; leadings that are rounded up would together be higher than the room."""
    fitted = tuple(_fitted(text, width, share, measure) for text in row.lines)
    return _Row(fitted, min(_leading(fitted), max(1, int(row.height * share))))


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
            shift = {"left": 0, "center": free // 2, "right": free}[text.line.align]
            placed.append(replace(text, x=room.x + shift, middle=top + row.height // 2))
        top += row.height
    return tuple(placed)
