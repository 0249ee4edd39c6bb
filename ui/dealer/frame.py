"""The regions of a panel in millimeters, computed from the panel's true size. Pure.

From above: status, seats, work, bar; on a wide panel a rail at the right. On an upright panel the seats stand in two
rows, because six in one row of 84 mm would leave 13 mm for an amount, and the bar has two rows: three keys, then the
next step. A screen asks the frame for areas and cuts them; it never knows the panel.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from msgspec import Struct

from firmware.wire.structs import replace
from ui.dealer.panels import Panel

MARGIN, GAP = 1.5, 1.2
KEY_MM = 9.0
"""No key is lower or narrower than this."""
KEY_WIDE_MM = 15.4
"""A key whose words stand beside those of others is at least so wide."""
ROW_LEAST_MM = 9.0
"""The least height of one of several rows of keys."""
ROW_MANY, ROW_HIGH_MM = 4, 26.0
"""More keys than this in a row so high stand better in two rows."""
RAIL_MM = 50.0
MAIN_MM = 150.0
"""A panel has a rail where this much stays beside it."""
LEAST_MM = (86.0, 85.0)
"""Width and height under which no screen fits."""


class Area(Struct, frozen=True):
    """A rectangle in millimeters from the upper left corner of the panel."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The edge on the right."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h

    def top(self, h: float, gap: float = GAP) -> tuple[Area, Area]:
        """The upper part of this height, and what is left below it."""
        return Area(self.x, self.y, self.w, h), Area(self.x, self.y + h + gap, self.w, self.h - h - gap)

    def foot(self, h: float, gap: float = GAP) -> tuple[Area, Area]:
        """The rest above, and the lower part of this height."""
        above = self.h - h - gap
        return Area(self.x, self.y, self.w, above), Area(self.x, self.y + above + gap, self.w, h)

    def left(self, w: float, gap: float = GAP) -> tuple[Area, Area]:
        """The left part of this width, and what is left beside it."""
        return Area(self.x, self.y, w, self.h), Area(self.x + w + gap, self.y, self.w - w - gap, self.h)

    def side(self, w: float, gap: float = GAP) -> tuple[Area, Area]:
        """The rest, and the right part of this width."""
        rest = self.w - w - gap
        return Area(self.x, self.y, rest, self.h), Area(self.x + rest + gap, self.y, w, self.h)

    @lru_cache(maxsize=1024)  # noqa: B019
    def columns(self, number: int, gap: float = GAP) -> tuple[Area, ...]:
        """So many equal parts side by side."""
        each = (self.w - (number - 1) * gap) / number
        return tuple(Area(self.x + place * (each + gap), self.y, each, self.h) for place in range(number))

    @lru_cache(maxsize=1024)  # noqa: B019
    def rows(self, number: int, gap: float = GAP) -> tuple[Area, ...]:
        """So many equal parts, one below the other."""
        each = (self.h - (number - 1) * gap) / number
        return tuple(Area(self.x, self.y + place * (each + gap), self.w, each) for place in range(number))

    def grid(self, across: int, down: int, gap: float = GAP) -> tuple[Area, ...]:
        """Equal parts, row by row."""
        return tuple(cell for row in self.rows(down, gap) for cell in row.columns(across, gap))

    def across(self, number: int, most: int) -> int:
        """How many of so many keys stand in a row: at most `most`, in few rows, but none of them narrow and high."""
        fit = max(1, int((self.w + GAP + 0.01) / (KEY_WIDE_MM + GAP)))
        rows = -(-number // min(most, fit))
        while -(-number // rows) > ROW_MANY and self.h / rows > ROW_HIGH_MM:
            rows += 1
        return -(-number // rows)

    def height_of(self, number: int, most: int, share: float) -> float:
        """Height of a region for so many keys at its top: its share of this area, more if they stand in several rows
        (mm).
        """
        rows = -(-number // self.across(number, most))
        return max(share * self.h, rows * ROW_LEAST_MM + (rows - 1) * GAP)


class Frame(Struct, frozen=True, dict=True):
    """The regions of one panel (mm). Derived areas are found once: a program draws on one panel."""

    panel: Panel
    upright: bool
    status: Area
    page: Area
    """Everything between status and bar: where a screen shows no seats."""
    seats: Area
    short_seats: Area
    """Height of seats that leave more room to the work area below them."""
    work: Area
    low: Area
    """The work area below short seats."""
    bar: Area
    rail: Area | None
    prompt_h: float
    """Height of a question above the keys that answer it."""
    badge_h: float
    slot_h: float
    """Height of the places of cards that are entered."""
    left: bool = False
    """For a left hand: the next step stands on the left of the bar, the three keys on its right. Seats never change."""

    def for_words(self, mm: float) -> float:
        """A width or height that words need, given for type of the scale's own size."""
        return mm * self.panel.type_scale

    @cached_property
    def small_h(self) -> float:
        """Height of one line of the smallest type."""
        return SMALL_MM * self.panel.type_scale

    def seat(self, number: int, of: int, *, short: bool = False) -> Area:
        """The place of a seat: seat 1 on the left, on an upright panel above."""
        return _seat_places(self.short_seats if short else self.seats, of, self.upright)[number - 1]

    @cached_property
    def floor(self) -> Area:
        """The place of FLOOR: the same on every screen, as those of PROBLEM and UNDO."""
        return self._of_hand(self._side(0))

    @cached_property
    def problem(self) -> Area:
        """The place of PROBLEM."""
        return self._of_hand(self._side(1))

    @cached_property
    def undo(self) -> Area:
        """The place of UNDO, on every screen, lit or dark."""
        return self._of_hand(self._side(2))

    @cached_property
    def next(self) -> Area:
        """The place of the next step: lower right, for a left hand lower left."""
        return self._of_hand(self._next)

    @cached_property
    def _next(self) -> Area:
        return self.bar.foot(BAR_NEXT_MM)[1] if self.upright else self.bar.left(3 * self._side_w + 2 * GAP)[1]

    @cached_property
    def back(self) -> Area:
        """The place of the way back, where a screen has one: it takes it from the next step."""
        return self._of_hand(self._next.left(self._side_w)[0])

    @cached_property
    def next_beside_back(self) -> Area:
        """The rest of the place of the next step beside the way back."""
        return self._of_hand(self._next.left(self._side_w)[1])

    def _of_hand(self, area: Area) -> Area:
        """A place in the bar, mirrored for a left hand."""
        return Area(self.bar.x + self.bar.right - area.right, area.y, area.w, area.h) if self.left else area

    @cached_property
    def _side_w(self) -> float:
        return (self.bar.w - 2 * GAP) / 3 if self.upright else BAR_SIDE_MM * self.panel.type_scale

    def _side(self, place: int) -> Area:
        row = self.bar.foot(BAR_NEXT_MM)[0] if self.upright else self.bar
        return Area(row.x + place * (self._side_w + GAP), row.y, self._side_w, row.h)

    @cached_property
    def facts(self) -> Area:
        """Beside (upright: above) the pad of who signs: what is signed for."""
        return self.page.foot(PAD_UPRIGHT_MM)[0] if self.upright else self.page.left(self.page.w * 0.596)[0]

    @cached_property
    def pad(self) -> Area:
        """Badge and PIN."""
        if self.upright:
            return self.page.foot(PAD_UPRIGHT_MM)[1]
        column = self.page.left(self.page.w * 0.596 + 1.2)[1]
        return Area(column.x, column.y, column.w, min(column.h, PAD_MOST_MM))

    @cached_property
    def pad_beside_cards(self) -> Area:
        """Badge and PIN of who signs for a hand of cards."""
        return self.pad.left(CARDS_UPRIGHT_MM)[1] if self.upright else self.pad

    @cached_property
    def hand(self) -> Area:
        """The cards of the hand that is signed for: below the facts; upright beside the pad, below each other."""
        return self.pad.left(CARDS_UPRIGHT_MM)[0] if self.upright else self.facts.foot(HAND_MM)[1]

    @cached_property
    def facts_above_hand(self) -> Area:
        """The part of the facts that the cards of the hand leave."""
        return self.facts if self.upright else self.facts.foot(HAND_MM)[0]


@lru_cache(maxsize=64)
def _seat_places(region: Area, of: int, upright: bool) -> tuple[Area, ...]:
    down = 2 if upright and of > 3 else 1
    return region.grid(-(-of // down), down)


BAR_SIDE_MM = 24.0
BAR_NEXT_MM = 18.0
"""Upright, of the row of the next step."""
BAR_KEYS_MM = 13.0
"""Upright, of the row above it."""
PAD_UPRIGHT_MM = 51.6
PAD_MOST_MM = 80.0
BADGE_MM = 13.6
SMALL_MM = 4.9
CARDS_UPRIGHT_MM = 20.0
HAND_MM = 12.6


@lru_cache
def frame_of(panel: Panel, warning_h: float = 0.0, *, left: bool = False) -> Frame:
    """The regions of a panel. `warning_h`: upright, of a warning below the status bar (mm). `left`: for a left hand.

    Raises ValueError for a panel on which the screens do not fit.
    """
    if panel.width_mm < LEAST_MM[0] or panel.height_mm < LEAST_MM[1]:
        raise ValueError(
            f"{panel.name}: {panel.width_mm} x {panel.height_mm} mm, at least {LEAST_MM[0]} x {LEAST_MM[1]} mm are needed"
        )
    made = _upright(panel, warning_h) if panel.height_mm > panel.width_mm else _flat(panel)
    return replace(made, left=left)


def _flat(panel: Panel) -> Frame:
    """Wider than high: one row of seats, one bar, a rail if there is room."""
    roomy = panel.height_mm > 100
    status = Area(MARGIN, 0.5, panel.width_mm - 2 * MARGIN, 12.6 if roomy else 9.0)
    inside = Area(MARGIN, 0.0, panel.width_mm - 2 * MARGIN, panel.height_mm - MARGIN)
    below = inside.top(status.h, 1.0)[1]
    has_rail = below.w - RAIL_MM - GAP >= MAIN_MM
    main, rail = below.side(RAIL_MM) if has_rail else (below, None)
    page, bar = main.foot(22.0 if roomy else 16.6)
    seats, work = page.top(min(0.45 * page.h, 36.0), 1.0)
    short, low = page.top(min(0.3 * page.h, 23.0), 1.0)
    prompt_h, slot_h = (13.0, 18.0) if roomy else (8.4, 11.6)
    badge_h = BADGE_MM * panel.type_scale
    return Frame(panel, False, status, page, seats, short, work, low, bar, rail, prompt_h, badge_h, slot_h)


def _upright(panel: Panel, warning_h: float) -> Frame:
    """Higher than wide: two rows of seats, two rows of keys in the bar, no rail."""
    inside = Area(MARGIN, 0.0, panel.width_mm - 2 * MARGIN, panel.height_mm - MARGIN)
    above, bar = inside.foot(BAR_KEYS_MM + GAP + BAR_NEXT_MM)
    status, below = above.top(13.6, 0.6)
    page = below.top(warning_h, 0.0)[1]
    seats, work = page.top(2 * 26.0 + GAP, 1.0)
    short, low = page.top(2 * 16.6 + GAP, 1.0)
    return Frame(panel, True, status, page, seats, short, work, low, bar, None, 12.0, BADGE_MM * panel.type_scale, 14.0)
