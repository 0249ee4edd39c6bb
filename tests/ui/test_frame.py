"""The regions of every panel: on the glass, apart, in one order."""

from __future__ import annotations

import itertools

import pytest

from firmware.config import ScreenConfig
from firmware.wire.structs import replace
from ui.dealer.frame import KEY_MM, Area, frame_of
from ui.dealer.panels import PANELS, SEVEN_INCH, TEN_INCH, Panel

EVERY_PANEL = pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)


def apart(a: Area, b: Area) -> float:
    return max(b.x - a.right, a.x - b.right, b.y - a.bottom, a.y - b.bottom)


def test_the_panel_of_a_table_that_names_none_is_the_first() -> None:
    assert ScreenConfig().panel == next(iter(PANELS))


@EVERY_PANEL
def test_regions_lie_on_the_panel_and_apart(panel: Panel) -> None:
    frame = frame_of(panel)
    rail = [frame.rail] if frame.rail else []
    for regions in (
        [frame.status, frame.page, frame.bar, *rail],
        [frame.status, frame.seats, frame.work, frame.bar, *rail],
        [frame.status, frame.short_seats, frame.low, frame.bar, *rail],
        [frame.facts, frame.pad, frame.bar],
        [frame.facts_above_hand, frame.hand, frame.pad_beside_cards, frame.bar],
    ):
        for region in regions:
            assert region.x >= 0 and region.y >= 0 and region.w > 0 and region.h > 0
            assert region.right <= panel.width_mm and region.bottom <= panel.height_mm
        assert all(apart(a, b) > 0.3 for a, b in itertools.combinations(regions, 2))


@EVERY_PANEL
def test_a_left_hand_has_the_next_step_on_the_left_and_every_seat_where_it_was(panel: Panel) -> None:
    right, left = frame_of(panel), frame_of(panel, left=True)
    for one in ("floor", "problem", "undo", "back", "next", "next_beside_back"):
        here, there = getattr(right, one), getattr(left, one)
        assert (here.y, here.w, here.h) == pytest.approx((there.y, there.w, there.h))
        assert there.x - right.bar.x == pytest.approx(right.bar.right - here.right)
    assert [left.seat(number, 6) for number in range(1, 7)] == [right.seat(number, 6) for number in range(1, 7)]


@EVERY_PANEL
@pytest.mark.parametrize("left", [False, True])
def test_the_bar_has_a_place_for_each_of_its_keys(panel: Panel, left: bool) -> None:
    frame = frame_of(panel, left=left)
    places = [frame.floor, frame.problem, frame.undo, frame.back, frame.next_beside_back]
    assert all(apart(a, b) > 0.9 for a, b in itertools.combinations(places, 2))
    assert all(min(place.w, place.h) >= KEY_MM for place in places)
    edge = (frame.next.x, frame.bar.x) if left else (frame.next.right, frame.bar.right)
    assert edge[0] == pytest.approx(edge[1]) and frame.next.bottom == pytest.approx(frame.bar.bottom)


@EVERY_PANEL
@pytest.mark.parametrize("short", [False, True])
def test_seats_read_from_the_left(panel: Panel, short: bool) -> None:
    frame = frame_of(panel)
    seats = [frame.seat(number, 6, short=short) for number in range(1, 7)]
    assert seats == sorted(seats, key=lambda seat: (seat.y, seat.x))
    assert all(apart(a, b) > 0.3 for a, b in itertools.combinations(seats, 2))


def test_only_a_wide_panel_has_a_rail() -> None:
    assert [frame_of(panel).rail is not None for panel in PANELS.values()] == [False, True, False]
    assert frame_of(replace(TEN_INCH, width_mm=200.0)).rail is None


def test_a_panel_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match=r"five inch: 108\.0 x 65\.0 mm, at least 86\.0 x 85\.0 mm are needed"):
        frame_of(replace(SEVEN_INCH, name="five inch", width_mm=108.0, height_mm=65.0))


def test_an_area_is_cut_without_loss() -> None:
    area = Area(1, 2, 30, 20)
    for first, second in (area.top(5), area.foot(5)):
        assert first.h + second.h + 1.2 == pytest.approx(20) and second.bottom == pytest.approx(22)
    for first, second in (area.left(5), area.side(5)):
        assert first.w + second.w + 1.2 == pytest.approx(30) and second.right == pytest.approx(31)
    cells = area.grid(3, 2)
    assert len(cells) == 6 and cells[0].x == 1 and cells[-1].right == pytest.approx(31)
