"""The grammar of the dealer's screens: one hero, few sizes and words, a lamp in one place, edges where a finger may press.

Sizes are minutes of arc at 60 cm on the 7 inch panel; reflected light is a fifth of the panel's white (WCAG's formula).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.table.state import Phase, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from tests.sample import some
from tests.table.table import DIAZ
from tests.ui.test_at_the_table import a_common_round, asked, claimed, done, settling_of, validating, widget
from tests.ui.test_screens import shown
from tests.ui.walk import HOUSES, LIVE
from ui.colors import Color, blend, contrast
from ui.dealer import theme
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS, SEVEN_INCH
from ui.dealer.screens import screen
from ui.dealer.theme import TYPE, type_px
from ui.dealer.widgets import Screen, Shape, Tone, Widget

PANEL = pytest.mark.parametrize("panel", some(PANELS, keep=["800x480"]))
JACKPOT = (MeterHeard("main", "Jackpot", "10000.42"),)
SCREENS = ("played", "void by two")


def minutes(px: int) -> float:
    """Minutes of arc of a capital of this type at 60 cm, upright pixels of the first panel."""
    return math.degrees(math.atan(SEVEN_INCH.y_mm(px * theme.CAP_HEIGHT) / 600)) * 60


def lit(color: Color) -> Color:
    """A color with a fifth of white reflected over it."""
    return blend(color, (255, 255, 255), 0.2)


def tiles(one: Screen) -> list[Widget]:
    return [widget for widget in one.widgets if widget.id.startswith("seat-") and widget.slotted]


def test_there_are_six_sizes_from_thirteen_to_sixty_minutes_of_arc() -> None:
    sizes = sorted({step.px for step in TYPE.values()})
    assert len(sizes) == 6 and minutes(sizes[0]) > 13 and minutes(sizes[-1]) > 60


PALETTE = pytest.mark.parametrize("palette", theme.PALETTES.values(), ids=theme.PALETTES)


@PALETTE
def test_every_key_has_an_edge_that_stands_out_from_the_ground_and_from_the_key_also_in_glare(
    palette: theme.Palette,
) -> None:
    edge, ground, key = palette.key_edge, palette.ground, palette.surface("key")
    assert contrast(edge, ground) >= 3 and contrast(edge, key) >= 3
    assert contrast(lit(edge), lit(ground)) >= 3


@PALETTE
@pytest.mark.parametrize("tone", [Tone.NEXT, Tone.DONE, Tone.FLOOR, Tone.STOP])
def test_a_bright_key_and_its_words_stand_out_in_glare(tone: Tone, palette: theme.Palette) -> None:
    assert contrast(lit(palette.ink[tone]), lit(palette.ground)) >= 3
    assert contrast(lit(palette.text(Tone.PLAIN, tone)), lit(palette.surface(tone))) >= 3


@PALETTE
@pytest.mark.parametrize("tone", [Tone.MONEY, Tone.PLAIN])
def test_a_hero_stands_out_in_glare(tone: Tone, palette: theme.Palette) -> None:
    for fill in ("", "tile", "key"):
        assert contrast(lit(palette.text(tone, fill)), lit(palette.surface(fill))) >= 3


@PANEL
@pytest.mark.parametrize("name", SCREENS)
def test_the_lamp_stands_in_the_upper_right_corner_of_every_tile_and_is_a_lamp(name: str, panel: str) -> None:
    glass = Display(PANELS[panel], "test")
    lamps = {Shape.DISC, Shape.RING, Shape.TRIANGLE, Shape.ALERT, Shape.DASH, Shape.NONE}
    corners = set()
    for one in shown(name, frame_of(PANELS[panel])):
        for tile, placing in glass.placings(one):
            if not tile.slotted:
                continue
            assert tile.shape in lamps, (one.name, tile)
            if placing.shape:
                box = placing.box
                corners.add(
                    (box.x + box.w - placing.shape.x - placing.shape.w, placing.shape.y - box.y, placing.shape.w)
                )
    assert len(corners) <= 2, corners  # a low tile above a key may have less room


@PANEL
@pytest.mark.parametrize("name", SCREENS)
def test_the_words_of_a_row_of_seats_have_one_size(name: str, panel: str) -> None:
    """A word or an amount is never smaller than the one beside it."""
    glass = Display(PANELS[panel], "test")
    for one in shown(name, frame_of(PANELS[panel])):
        sizes = {
            placing.texts[1].px
            for tile, placing in glass.placings(one)
            if tile.slotted and len(placing.texts) > 1 and tile.lines[1].size == "key"
        }
        assert len(sizes) <= 1, (one.name, sizes)


@pytest.mark.parametrize("name", SCREENS)
def test_a_tick_means_finished_and_nothing_else(name: str) -> None:
    settled = {"PAID", "LOST", "PUSH", "LIMIT", "returned", "FOLD", ""}
    for one in shown(name):
        assert not [each for each in one.widgets if each.shape is Shape.TICK and each.slotted]
        for tile in tiles(one):
            if "✓" in tile.lines[0].text:
                assert tile.lines[1].text in settled, tile


@PANEL
@pytest.mark.parametrize("name", SCREENS)
def test_no_key_has_more_than_a_verb_and_what_comes_next(name: str, panel: str) -> None:
    """A key to be held says that in a line of its own."""
    for one in shown(name, frame_of(PANELS[panel])):
        for key in one.widgets:
            lines = len(key.lines) - bool(key.hold_ms)
            assert not key.press or lines <= 2 or key.slotted, (one.name, key.id, key.lines)


def words_of(one: Screen) -> int:
    return sum(len(line.text.split()) for widget in one.widgets for line in widget.lines)


@pytest.mark.parametrize("name", ["pa-653a 0", "pa-653a 1", "pa-677a 1", "pa-671a 1"])
def test_the_screens_of_bets_and_of_the_count_have_at_most_45_words(name: str) -> None:
    for state in a_common_round(name):
        if state.phase in (Phase.OPEN, Phase.COUNT):
            one = screen(HOUSES[name], state, replace(LIVE, meters=JACKPOT), frame_of(SEVEN_INCH))
            assert words_of(one) <= 45, (one.name, words_of(one))


def paying() -> Iterator[tuple[str, str]]:
    """A screen where money is paid or counted, and the widget whose largest words are its hero."""
    yield from (("count", "count-2"), ("open", "meter-main"), ("win", "total"), ("pay", "work"))
    yield from (("validate", "facts"), ("hold", "facts"))


def shown_of(which: str) -> tuple[Screen, Display]:
    live = replace(LIVE, meters=JACKPOT)
    if which in ("count", "open"):
        states: list[TableState] = list(a_common_round("pa-653a 0"))
        house, state = HOUSES["pa-653a 0"], next(one for one in states if one.phase == which)
    elif which == "win":
        table = settling_of("pa-653a", 1, 2, wins=(2,))
        done(table.presses("answer none"))
        house, state = table.house, table.state
    elif which == "pay":
        table = validating()
        done(table.presses("cancel", "seat 2", "hand flush"))
        done(table.presses("approve", by=DIAZ))
        house, state = table.house, table.state
    else:
        table = validating() if which == "validate" else claimed()
        if which == "hold":
            live = replace(live, meters=())
        house, state = table.house, table.state
    return screen(house, state, live, frame_of(SEVEN_INCH)), Display(SEVEN_INCH, "test")


@pytest.mark.parametrize(("which", "where"), paying())
def test_where_money_is_paid_or_counted_its_amount_is_the_hero(which: str, where: str) -> None:
    one, glass = shown_of(which)
    placings = {each.id: placing for each, placing in glass.placings(one)}
    largest = max(text.px for text in placings[where].texts)
    assert minutes(largest) >= (25 if which == "hold" else 44), (which, minutes(largest))
    rest = [
        text.px
        for each, placing in placings.items()
        if each != where and not each.startswith("count-")
        for text in placing.texts
    ]
    assert largest > max(rest)


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-677a"])
def test_11h_a_seat_that_nobody_compared_is_a_dash_and_the_three_results_are_large_keys(book: str) -> None:
    """653a.11(h), 677a.11(h): no seat is said to have lost before a hand was compared."""
    table = settling_of(book, 1, 2)
    one = table.shown()
    assert [tile.lines[1].text for tile in tiles(one) if len(tile.lines) > 1] == ["–", "–"]
    keys = [each for each in one.widgets if each.press.startswith("answer ")]
    assert {"answer higher", "answer equal"} <= {each.press for each in keys}
    assert min(each.w for each in keys) >= 20 and min(each.h for each in keys) >= 14
    assert "win, push or lose?" in widget(one, "title").lines[0].text


def test_11h_a_plain_win_shows_its_lines_its_sum_its_chips_and_each_hand_with_what_it_would_pay() -> None:
    """653a.12(b): the Blind of a flush is paid 3 to 2, of a straight 1 to 1, of no hand at all it is a push."""
    table = settling_of("pa-653a", 1, 2, wins=(2,))
    one = table.shown()
    total = [line.text for line in widget(one, "total").lines]
    stake = table.state.seat(2).position.base
    assert total[0].startswith("PAY $") and "so far" in total[-1] and "×" in total[-1]
    amounts = {
        each.press: each.lines[1].text
        for each in one.widgets
        if each.press.startswith("answer ") and len(each.lines) > 1
    }
    pays = int(total[0].removeprefix("PAY $"))
    assert amounts["answer none"] == f"${pays}"
    assert amounts["answer straight"] == f"${pays + stake // 100}"
    half = stake * 3 // 2
    assert amounts["answer flush"] == (f"${pays + half // 100}" if half % 100 == 0 else f"${pays + half // 100}.50")
    done(table.presses("answer flush"))
    assert f"PAY {amounts['answer flush']}" in [line.text for line in widget(table.shown(), "total").lines]


def test_the_next_deck_of_every_round_is_an_order_and_no_alarm() -> None:
    table = asked("pa-653a", 1)
    while table.state.phase is not Phase.CLOSED:
        keys = [each for each in table.shown().widgets if each.id == "primary" and each.press and each.enabled]
        done(table.presses(keys[0].press if keys else "dealer yes"))
    one = table.shown()
    assert widget(one, "title").lines[0].text == "Next deck" and widget(one, "title").lines[0].tone is Tone.NEXT
    assert widget(one, "work").lines[0].size == "money"
    assert Tone.CAUTION not in {line.tone for each in one.widgets for line in each.lines}


def test_the_pad_stands_there_only_between_badge_and_pin() -> None:
    table = validating()
    for badge, by, there in (("", "", False), (DIAZ, "", True), (DIAZ, DIAZ, False)):
        one = screen(table.house, table.state, replace(LIVE, badge=badge, by=by), frame_of(SEVEN_INCH))
        assert any(each.press.startswith("pin ") for each in one.widgets) is there, (badge, by)


def test_type_grows_and_shrinks_with_the_panel() -> None:
    assert type_px("hero", PANELS["1280x800"]) > type_px("hero", SEVEN_INCH)
