"""Draws screens and feels fingers: the only door to pygame (SDL).

A window holds the dealer's screen and, in the simulation, the cabinet below it. On SDL's dummy driver the same picture
is drawn into memory. Only what changed is drawn again; what was drawn once is kept (glyphs, corners, boxes), so a whole
new screen costs a few blits for each widget.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path

# SDL would make a second, mouse press of every finger; it has to be told before it is loaded.
os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "0")
os.environ.setdefault("SDL_MOUSE_TOUCH_EVENTS", "0")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from msgspec import Struct

from firmware.rules.message import say
from firmware.wire.structs import replace
from ui.colors import Color, blend
from ui.dealer import shapes, theme
from ui.dealer.gesture import MOUSE, Contact, Pressed, Touch
from ui.dealer.layout import LIP_MM, TRACK_MM, Box, PlacedText, Placing, is_key, place
from ui.dealer.panels import Panel
from ui.dealer.theme import Palette
from ui.dealer.widgets import Screen, Shape, Tone, Widget
from ui.words import ENGLISH, Words

FINER = 8
"""Shapes are painted this many times larger and scaled down, which smooths their edges. A power of two: at others SDL's
arithmetic loses two steps of color."""
KEPT = 1500
"""So many layouts of widgets are kept; then the store starts again, or a shift's clock would fill it."""
KEPT_BYTES = 16 * 1024 * 1024
"""The number of drawn texts, shapes and boxes that are kept; beyond it the least recently shown ones go."""
RADIUS_MM = 1.35
LET_GO = say("key.let-go")


class DisplayFault(Exception):
    """SDL finds no display; the text says what it said and what to do."""


class Typed(Struct, frozen=True):
    """A letter or digit was typed on a keyboard: shortcuts of the simulated cabinet."""

    letter: str


class Closed(Struct, frozen=True):
    """The window was asked to close."""


Felt = Contact | Typed | Closed


class _Shown(Struct, frozen=True):
    """One widget as it is on the glass: drawn again when any of this changes."""

    widget: Widget
    progress: float | None
    """None: not under a finger. A hold key fills with it."""
    origin_y_px: int
    steps: int
    """So many steps smaller its group is set."""


class Display:
    """A window (or SDL's dummy driver) that shows one screen of the panel, and something below it.

    `extra_height_px`: how much taller than the panel the window is; `draw(below=…)` draws there. Raises DisplayFault
    where SDL finds no display at all.
    """

    def __init__(
        self, panel: Panel, title: str, extra_height_px: int = 0, words: Words = ENGLISH, palette: Palette = theme.DARK
    ) -> None:
        self._panel, self._palette = panel, palette
        self._let_go = words(LET_GO)
        self._size = (panel.width_px, panel.height_px + extra_height_px)
        try:
            pygame.display.init()
            self._glass = pygame.display.set_mode(self._size)
        except pygame.error as error:
            raise DisplayFault(
                f"no display ({error}); start it on a desktop or a panel, or without one: scripts/run --headless"
            ) from error
        pygame.font.init()
        pygame.display.set_caption(title)
        self._dummy = pygame.display.get_driver() == "dummy"
        self._fonts: dict[tuple[int, str], pygame.Font] = {}
        self._kept: dict[Hashable, pygame.Surface] = {}
        """Drawn pictures, the last used at the end."""
        self._kept_bytes = 0
        self._placings: dict[tuple[Widget, int, int], Placing] = {}
        self._shown: tuple[_Shown, ...] | None = None

    @property
    def has_input(self) -> bool:
        """False on the dummy driver: nobody will ever touch it, so there is nothing to poll."""
        return not self._dummy

    def draw(
        self,
        screen: Screen,
        pressed: Pressed | None = None,
        below: Screen | None = None,
        below_pressed: Pressed | None = None,
    ) -> bool:
        """Make the glass show this; True when anything had to be drawn.

        The widgets of `below` have their own millimeters, from the lower edge of the panel.
        """
        wanted = self._shown_of(screen, pressed, 0)
        wanted += self._shown_of(below, below_pressed, self._panel.height_px) if below else ()
        areas = self._changed(wanted)
        for area in areas:
            self._redraw(area, wanted)
        self._shown = wanted
        if areas:
            pygame.display.update(areas)
        return bool(areas)

    def overflows(self, screen: Screen) -> list[str]:
        """The widgets whose text does not fit in the smallest type: a fault of the screen, for its tests."""
        return [shown.widget.id for shown in self._shown_of(screen, None, 0) if self._place(shown).squeezed]

    def placings(self, screen: Screen) -> list[tuple[Widget, Placing]]:
        """Every widget of a screen and where its lines stand, for its tests."""
        return [(shown.widget, self._place(shown)) for shown in self._shown_of(screen, None, 0)]

    def undrawable(self, text: str) -> str:
        """The characters of a text that would show as an empty box."""
        font = self._font(theme.TYPE["body"].px, theme.TYPE["body"].weight)
        nothing = font.metrics("\uffff")
        return "".join(c for c in text if c not in shapes.GLYPHS and font.metrics(c) == nothing)

    def save_png(self, path: Path) -> None:
        """Write what the glass shows now."""
        pygame.image.save(self._glass, path)

    def poll(self) -> list[Felt]:
        """The events of fingers, mouse and keyboard since the last poll, oldest first; it never waits.

        SDL's events carry no time here, so each has the time of the poll: ask at least every 10 ms if fingers count.
        Millimeters below the panel's height belong to the view below.
        """
        now_ns = time.monotonic_ns()
        return [felt for event in pygame.event.get() if (felt := self._felt(event, now_ns))]

    def close(self) -> None:
        """Give the window back."""
        pygame.quit()

    # Touches

    def _felt(self, event: pygame.Event, now_ns: int) -> Felt | None:
        match event.type:
            case pygame.QUIT:
                return Closed()
            case pygame.KEYDOWN:
                return Typed(event.unicode) if event.unicode else None
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP if event.button == 1:
                touch = Touch.DOWN if event.type == pygame.MOUSEBUTTONDOWN else Touch.UP
                return self._contact(touch, MOUSE, event.pos, now_ns)
            case pygame.MOUSEMOTION if event.buttons[0]:
                return self._contact(Touch.MOVE, MOUSE, event.pos, now_ns)
            case pygame.FINGERDOWN | pygame.FINGERMOTION | pygame.FINGERUP:
                touch = _FINGER[event.type]
                width, height = self._size
                return self._contact(touch, event.finger_id, (event.x * width, event.y * height), now_ns)
            case pygame.WINDOWEXPOSED:
                self._shown = None
        return None

    def _contact(self, touch: Touch, finger: int, at_px: tuple[float, float], now_ns: int) -> Contact:
        return Contact(touch, finger, self._panel.x_mm(at_px[0]), self._panel.y_mm(at_px[1]), now_ns)

    # Widgets to draw again

    def _shown_of(self, screen: Screen, pressed: Pressed | None, origin_y_px: int) -> tuple[_Shown, ...]:
        steps: dict[str, int] = {}
        for widget in screen.widgets:
            if widget.group:
                needed = self._place(_Shown(widget, None, 0, 0)).steps
                steps[widget.group] = max(needed, steps.get(widget.group, 0))
        return tuple(
            _Shown(
                widget,
                pressed.progress if pressed is not None and pressed.widget == widget.id else None,
                origin_y_px,
                steps.get(widget.group, 0),
            )
            for widget in screen.widgets
        )

    def _changed(self, wanted: tuple[_Shown, ...]) -> list[pygame.Rect]:
        before = self._shown
        if before is None or [s.widget.id for s in before] != [s.widget.id for s in wanted]:
            return [self._glass.get_rect()]
        pairs = [pair for pair in zip(before, wanted, strict=True) if pair[0] != pair[1]]
        return [self._area(shown) for pair in pairs for shown in pair]

    def _area(self, shown: _Shown) -> pygame.Rect:
        box = self._place(shown).box
        return pygame.Rect(box.x, box.y, box.w, box.h)

    def _redraw(self, area: pygame.Rect, wanted: tuple[_Shown, ...]) -> None:
        self._glass.set_clip(area)
        self._glass.fill(self._palette.ground)
        for shown in wanted:
            if area.colliderect(self._area(shown)):
                self._paint(shown, area)
        self._glass.set_clip(None)

    # One widget

    def _place(self, shown: _Shown) -> Placing:
        if len(self._placings) >= KEPT:
            self._placings.clear()
        name = (shown.widget, shown.origin_y_px, shown.steps)
        kept = self._placings.get(name)
        if kept is None:
            kept = place(shown.widget, self._panel, self._measure, shown.origin_y_px, shown.steps)
            self._placings[name] = kept
        return kept

    def _paint(self, shown: _Shown, area: pygame.Rect) -> None:
        widget = shown.widget
        if shown.progress == 1.0 and widget.hold_ms and widget.lines:
            widget = replace(widget, lines=(*widget.lines[:-1], replace(widget.lines[-1], said=self._let_go)))
        placing = self._place(replace(shown, widget=widget))
        dim = is_key(widget) and not widget.enabled
        fill = "dim" if dim else "" if widget.fill == "hatch" else widget.fill
        sunk = self._body(widget, placing.box, fill, dim, shown.progress, area)
        if placing.shape:
            tone = Tone.OFF if dim else widget.shape_tone
            self._shape(widget.shape, self._palette.shape(widget.shape, tone, fill), placing.shape, sunk)
        for text in placing.texts:
            self._text(text, self._palette.text(Tone.OFF if dim else text.line.tone, fill), fill, sunk)

    def _body(self, widget: Widget, box: Box, fill: str, dim: bool, progress: float | None, area: pygame.Rect) -> int:
        """The rectangle of a widget; how far a finger has pushed its contents down, in pixels."""
        color = self._palette.surface(fill)
        if widget.fill == "hatch":
            self._glass.blit(self._hatch(box), (box.x, box.y))
            return 0
        if dim:
            return 0
        if not widget.press:
            edge = self._palette.ink[widget.border] if widget.border else None
            self._box(box, color if fill else None, edge, 3)
            return 0
        return self._key(widget, box, color, progress, area)

    def _key(self, widget: Widget, box: Box, color: Color, progress: float | None, area: pygame.Rect) -> int:
        """A key has an edge; under a finger it moves down and is bright, one to be held fills from the left."""
        lip = self._panel.y_px(LIP_MM)
        palette = self._palette
        plain = palette.key_edge if widget.fill in palette.surfaces else None
        edge = palette.ink[widget.border] if widget.border else plain
        face = replace(box, h=box.h - lip)
        if progress is None:
            self._box(face, color, edge, 3 if widget.border else 2)
            if widget.hold_ms:
                self._track(face, color, 0.0)
            return 0
        bright = blend(color, (255, 255, 255), 0.28)
        flat = Box(box.x, box.y + lip, box.w, box.h - lip)
        self._box(flat, color if widget.hold_ms else bright, self._palette.ink[Tone.PLAIN], 2)
        if widget.hold_ms:
            self._glass.set_clip(area.clip(pygame.Rect(flat.x, flat.y, round(flat.w * progress), flat.h)))
            self._box(flat, bright, self._palette.ink[Tone.PLAIN], 2)
            self._glass.set_clip(area)
            self._track(flat, color, progress)
        return lip

    def _track(self, box: Box, color: Color, progress: float) -> None:
        """The bar along the lower edge that says "hold", and how far the hold has come."""
        bright = max(color) > 140
        tall = self._panel.y_px(TRACK_MM)
        track = Box(box.x + 3 * tall, box.y + box.h - 2 * tall, box.w - 6 * tall, tall)
        ink = self._palette.ground if bright else self._palette.ink[Tone.PLAIN]
        pygame.draw.rect(self._glass, blend(color, ink, 0.4), (track.x, track.y, track.w, track.h), 0, tall // 2)
        done = (track.x, track.y, round(track.w * progress), track.h)
        if done[2]:
            pygame.draw.rect(self._glass, ink, done, 0, tall // 2)

    # Strokes

    def _box(self, box: Box, fill: Color | None, edge: Color | None, edge_px: int) -> None:
        """A rounded rectangle, smooth at its corners; without a fill only its edge."""
        radius = min(self._panel.x_px(RADIUS_MM), box.h // 2, box.w // 2)
        if fill is None and edge is None:
            return
        name = ("box", box.w, box.h, fill, edge, edge_px)
        self._glass.blit(self._keep(name, lambda: self._box_surface(box, radius, fill, edge, edge_px)), (box.x, box.y))

    def _box_surface(
        self, box: Box, radius: int, fill: Color | None, edge: Color | None, edge_px: int
    ) -> pygame.Surface:
        outer = self._rounded(box.w, box.h, radius, edge or fill or self._palette.ground)
        if edge is None:
            return outer
        inner_w, inner_h = max(1, box.w - 2 * edge_px), max(1, box.h - 2 * edge_px)
        hole = self._rounded(inner_w, inner_h, max(1, radius - edge_px), (0, 0, 0))
        outer.blit(hole, (edge_px, edge_px), special_flags=pygame.BLEND_RGBA_SUB)
        if fill is None:
            return outer
        whole = self._rounded(box.w, box.h, radius, fill)
        whole.blit(outer, (0, 0))
        return whole

    def _rounded(self, width: int, height: int, radius: int, color: Color) -> pygame.Surface:
        surface = pygame.Surface((width, height), pygame.SRCALPHA)
        surface.fill((*color, 255))
        corner = self._corner(radius, color)
        for x, y, flip_x, flip_y in (
            (0, 0, False, False),
            (width - radius, 0, True, False),
            (0, height - radius, False, True),
            (width - radius, height - radius, True, True),
        ):
            surface.fill((*color, 0), (x, y, radius, radius))
            surface.blit(pygame.transform.flip(corner, flip_x, flip_y), (x, y), special_flags=pygame.BLEND_RGBA_MAX)
        return surface

    def _corner(self, radius: int, color: Color) -> pygame.Surface:
        """The upper left quarter of a disc."""

        def paint() -> pygame.Surface:
            large = pygame.Surface((radius * FINER, radius * FINER), pygame.SRCALPHA)
            large.fill((*color, 0))
            pygame.draw.circle(large, (*color, 255), (radius * FINER, radius * FINER), radius * FINER)
            return pygame.transform.smoothscale(large, (radius, radius))

        return self._keep(("corner", radius, color), paint)

    def _hatch(self, box: Box) -> pygame.Surface:
        """Diagonal stripes: this is a test, no bet counts."""

        def paint() -> pygame.Surface:
            surface = pygame.Surface((box.w, box.h))
            surface.fill(self._palette.ground)
            step = self._panel.x_px(3)
            for x in range(-box.h - step, box.w + step, step):
                stripe = ((x, box.h), (x + box.h, 0), (x + box.h + step // 2, 0), (x + step // 2, box.h))
                pygame.draw.polygon(surface, self._palette.ink[Tone.CAUTION], stripe)
            return surface

        return self._keep(("hatch", box.w, box.h), paint)

    def _shape(self, shape: Shape | str, color: Color, box: Box, sunk: int) -> None:
        name = ("shape", shape, color, box.w)
        self._glass.blit(self._keep(name, lambda: _shape_surface(shape, color, box.w)), (box.x, box.y + sunk))

    def _text(self, text: PlacedText, color: Color, fill: str, sunk: int) -> None:
        surface = self._keep(
            ("text", text.line.text, text.px, text.weight, color, fill in self._palette.surfaces),
            lambda: self._text_surface(text, color, fill),
        )
        font = self._font(text.px, text.weight)
        top = text.middle + round(text.px * theme.CAP_HEIGHT / 2) - font.get_ascent()
        self._glass.blit(surface, (text.x, top + sunk))

    def _text_surface(self, text: PlacedText, color: Color, fill: str) -> pygame.Surface:
        font = self._font(text.px, text.weight)
        surface = pygame.Surface((max(1, text.width), font.get_height()), pygame.SRCALPHA)
        x, cap = 0, round(text.px * theme.CAP_HEIGHT)
        for run, glyph in _runs(text.line.text):
            if glyph is None:
                if not font.size(run)[0]:
                    continue  # a space of a pixel's height: SDL_ttf draws nothing that has no width
                drawn = font.render(run, True, color)
                surface.blit(drawn, (x, 0))
                x += drawn.get_width()
            else:
                shape = shapes.GLYPHS[glyph]
                tint = self._palette.shape(shape, text.line.tone, fill) if isinstance(shape, Shape) else color
                surface.blit(
                    _shape_surface(shape, tint, cap), (x + (_glyph_width(text.px) - cap) // 2, font.get_ascent() - cap)
                )
                x += _glyph_width(text.px)
        return surface

    def _measure(self, text: str, px: int, weight: str) -> int:
        font = self._font(px, weight)
        return sum(font.size(run)[0] if glyph is None else _glyph_width(px) for run, glyph in _runs(text))

    def _font(self, px: int, weight: str) -> pygame.Font:
        if (px, weight) not in self._fonts:
            self._fonts[px, weight] = pygame.Font(theme.font_file(weight), px)
        return self._fonts[px, weight]

    def _keep(self, name: Hashable, paint: Callable[[], pygame.Surface]) -> pygame.Surface:
        kept = self._kept.pop(name, None)
        if kept is None:
            kept = paint()
            self._kept_bytes += _bytes_of(kept)
        self._kept[name] = kept
        while self._kept_bytes > KEPT_BYTES and len(self._kept) > 1:
            self._kept_bytes -= _bytes_of(self._kept.pop(next(iter(self._kept))))
        return kept


def _bytes_of(surface: pygame.Surface) -> int:
    return surface.get_pitch() * surface.get_height()


_FINGER = {pygame.FINGERDOWN: Touch.DOWN, pygame.FINGERMOTION: Touch.MOVE, pygame.FINGERUP: Touch.UP}


def _runs(text: str) -> Iterator[tuple[str, str | None]]:
    """The text in pieces: (words of the font, None), or ("", a character that is drawn)."""
    start = 0
    for at, character in enumerate(text):
        if character in shapes.GLYPHS:
            if start < at:
                yield text[start:at], None
            yield "", character
            start = at + 1
    if start < len(text):
        yield text[start:], None


def _glyph_width(px: int) -> int:
    return round(px * theme.CAP_HEIGHT * 1.34)


def _shape_surface(shape: Shape | str, color: Color, side: int) -> pygame.Surface:
    large = pygame.Surface((side * FINER, side * FINER), pygame.SRCALPHA)
    large.fill((*color, 0))
    for outline, solid in shapes.layers(shape):
        points = [(x * side * FINER, y * side * FINER) for x, y in outline]
        pygame.draw.polygon(large, (*color, 255 if solid else 0), points)
    return pygame.transform.smoothscale(large, (side, side))
