"""What the dealer sees and touches, on SDL's dummy driver: the same picture, in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from firmware.wire.structs import replace
from ui.colors import blend
from ui.dealer import display, shapes, theme
from ui.dealer.cabinet_view import HEIGHT_MM, CabinetState, cabinet_screen
from ui.dealer.display import Closed, Display, Typed
from ui.dealer.gesture import MOUSE, Contact, Pressed, Touch
from ui.dealer.layout import LIP_MM, Placing, place
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.widgets import Line, Screen, Shape, Tone, Widget

TILE = Widget(
    "seat-1", 1, 9, 24, 33, (Line("1", "small"), Line("$15", "key", Tone.MONEY, "center")), Shape.DISC, slotted=True
)
KEY = Widget("lock", 100, 70, 50, 20, (Line("NO MORE BETS", "key", align="center"),), fill="next", press="lock")
HELD = Widget("void", 50, 70, 45, 20, (Line("VOID", "key"), Line("hold", "small")), fill="key", press="v", hold_ms=1500)
SCREEN = Screen("open", "open:1", (replace(TILE, fill="tile"), HELD, KEY))
CABINET = cabinet_screen(CabinetState(chips=frozenset({2})), SEVEN_INCH)


@pytest.fixture
def glass() -> Iterator[Display]:
    shown = Display(SEVEN_INCH, "Felt", SEVEN_INCH.y_px(HEIGHT_MM))
    yield shown
    shown.close()


def surface() -> pygame.Surface:
    shown = pygame.display.get_surface()
    assert shown is not None
    return shown


def picture() -> bytes:
    return pygame.image.tobytes(surface(), "RGB")


def colors(widget: Widget) -> set[tuple[int, ...]]:
    """Every color to be seen within a widget."""
    shown, panel = surface(), SEVEN_INCH
    columns = range(panel.x_px(widget.x), panel.x_px(widget.x + widget.w))
    rows = range(panel.y_px(widget.y), panel.y_px(widget.y + widget.h))
    return {tuple(shown.get_at((x, y)))[:3] for x in columns for y in rows}


def test_it_draws_only_when_something_changed(glass: Display) -> None:
    glass.draw(Screen("blank", "blank"))
    assert glass.draw(SCREEN) is True
    assert glass.draw(SCREEN) is False
    assert glass.draw(SCREEN, Pressed("lock", 0.0)) is True
    assert glass.draw(SCREEN, Pressed("lock", 0.0)) is False
    assert glass.draw(SCREEN, None, CABINET) is True
    assert glass.draw(SCREEN, None, CABINET) is False


LOOKS = st.sampled_from(
    [
        (SCREEN, None, None),
        (SCREEN, Pressed("lock", 0.0), None),
        (SCREEN, Pressed("void", 0.4), CABINET),
        (SCREEN, Pressed("void", 1.0), CABINET),
        (replace(SCREEN, widgets=(replace(TILE, shape=Shape.RING), HELD, replace(KEY, enabled=False))), None, CABINET),
        (replace(SCREEN, widgets=(replace(TILE, x=60.0), HELD, KEY)), None, None),
        (replace(SCREEN, widgets=(KEY, TILE)), None, CABINET),
    ]
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(LOOKS, min_size=1, max_size=5))
def test_drawing_what_changed_ends_in_the_same_picture_as_drawing_all(
    glass: Display, looks: list[tuple[Screen, Pressed | None, Screen | None]]
) -> None:
    for screen, pressed, below in looks:
        glass.draw(screen, pressed, below)
    step_by_step = picture()
    glass.draw(Screen("blank", "blank"))
    screen, pressed, below = looks[-1]
    glass.draw(screen, pressed, below)
    assert picture() == step_by_step


def inside(placing: Placing) -> bool:
    box = placing.box
    texts = all(
        text.x >= box.x
        and text.x + text.width <= box.x + box.w
        and text.middle - text.px * theme.CAP_HEIGHT / 2 >= box.y
        and text.middle + text.px * theme.CAP_HEIGHT / 2 <= box.y + box.h
        for text in placing.texts
    )
    shape = placing.shape
    return texts and (
        shape is None
        or (
            box.x <= shape.x
            and shape.x + shape.w <= box.x + box.w
            and box.y <= shape.y
            and shape.y + shape.h <= box.y + box.h
        )
    )


LINES = st.lists(
    st.builds(
        Line,
        st.sampled_from(
            ["", "5", "BET", "$9,999,999.99", "NO MORE BETS", "K♠ Q♥ ►", "Chips in front of the rack: how many?"]
        ),
        st.sampled_from(list(theme.TYPE)),
        st.sampled_from(list(Tone)),
        st.sampled_from(["left", "center", "right"]),
    ),
    max_size=4,
)


LONG = Line("Chips in front of the rack: how many?", "small", Tone.PLAIN, "left")
CARDS, NOTHING = Line("K♠ Q♥ ►", "small", Tone.PLAIN, "left"), Line("", "small", Tone.PLAIN, "left")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@example(lines=[NOTHING, NOTHING, CARDS, LONG], w=10.0, h=8.0, shape=Shape.NONE, key=False)
@example(lines=[NOTHING, CARDS, LONG, LONG], w=10.0, h=8.0, shape=Shape.NONE, key=False)
@given(
    lines=LINES,
    w=st.floats(8, 150),
    h=st.floats(8, 80),
    shape=st.sampled_from(list(Shape)),
    key=st.booleans(),
)
def test_nothing_ever_leaves_its_widget(
    glass: Display, lines: list[Line], w: float, h: float, shape: Shape, key: bool
) -> None:
    widget = Widget("any", 2, 3, w, h, tuple(lines), shape, press="any" if key else "")
    placing = place(widget, SEVEN_INCH, glass._measure)
    assert inside(placing)
    words = [word for line in lines for word in line.text.split()]
    assert [word for text in placing.texts for word in text.line.text.split()] == words
    glass.draw(Screen("any", "any", (widget,)))


def test_a_word_too_long_is_reported_by_its_widget(glass: Display) -> None:
    long = replace(KEY, id="long", lines=(Line("ProgressiveJackpot" * 4, "money"),))
    assert glass.overflows(Screen("open", "open", (KEY, long))) == ["long"]


def sizes(glass: Display, *widgets: Widget) -> list[int]:
    return [text.px for _, placing in glass.placings(Screen("any", "any", widgets)) for text in placing.texts]


def test_a_text_is_broken_where_its_widget_ends_and_only_then_set_smaller(glass: Display) -> None:
    line = Line("Chips spread in front of the rack: how many?", "strong")
    (one,) = placed(glass, Widget("prompt", 0, 0, 150, 8, (line,))).texts
    two = placed(glass, Widget("prompt", 0, 0, 60, 20, (line,))).texts
    small = placed(glass, Widget("prompt", 0, 0, 60, 8, (line,))).texts
    assert [text.px for text in two] == [one.px, one.px]
    assert " ".join(text.line.text for text in two) == line.text
    assert len(small) == 2 and small[0].px < one.px


def test_what_a_chip_is_worth_stays_beside_how_many(glass: Display) -> None:
    """It was: 3 × $100 + 2 × / $5."""
    line = Line("Pay 3 × $100 + 2 × $5 + 1 × 50¢ now", "body")
    for width in range(20, 80):
        said = [text.line.text for text in placed(glass, Widget("work", 0, 0, width, 60, (line,))).texts]
        assert " ".join(said) == line.text
        assert not [one for one in said if one.startswith("×") or one.endswith("×") or one[:1] in "$"], said


def test_the_keys_of_a_group_have_type_of_one_size(glass: Display) -> None:
    short = replace(KEY, id="short", w=19, group="answers", lines=(Line("WINS", "key", align="center"),))
    long = replace(short, id="long", x=20, lines=(Line("STRAIGHT", "key", align="center"),))
    assert len(set(sizes(glass, short, long))) == 1
    assert sizes(glass, short) > sizes(glass, short, long)[:1]


def test_the_longest_money_fits_a_third_of_the_panel(glass: Display) -> None:
    meter = Widget("main", 1, 44, 50, 12, (Line("$9,999,999.99", "money", Tone.MONEY, "right"),))
    assert glass.overflows(Screen("open", "open", (meter,))) == []


def placed(glass: Display, widget: Widget) -> Placing:
    return place(widget, SEVEN_INCH, glass._measure)


def test_a_key_has_its_word_in_the_middle(glass: Display) -> None:
    (word,) = placed(glass, KEY).texts
    box, lip = placed(glass, KEY).box, SEVEN_INCH.y_px(LIP_MM)
    assert abs(word.x + word.width / 2 - (box.x + box.w / 2)) <= 1
    assert abs(word.middle - (box.y + (box.h - lip) / 2)) <= 1


def test_a_label_and_its_amount_share_a_row(glass: Display) -> None:
    label, amount = Line("MAIN", "small"), Line("$48,213.75", "money", align="right")
    first, second = placed(glass, Widget("main", 0, 0, 60, 30, (label, amount))).texts
    assert first.middle == second.middle and first.x < second.x
    first, second = placed(glass, Widget("main", 0, 0, 35, 30, (label, amount))).texts
    assert first.middle < second.middle, "not enough width for both"


def test_a_seats_word_and_lamp_stand_in_one_place_with_and_without_an_amount(glass: Display) -> None:
    alone, more = placed(glass, TILE), placed(glass, replace(TILE, lines=(*TILE.lines, Line("+ $25", align="center"))))
    number, word = alone.texts
    assert alone.shape == more.shape and alone.shape is not None and word.middle == more.texts[1].middle
    box = alone.box
    assert number.x < box.x + box.w / 2 < alone.shape.x and number.middle < alone.shape.y + alone.shape.h < word.middle


def test_a_card_has_its_suit_after_its_rank_and_a_key_its_mark_before_its_word(glass: Display) -> None:
    card = placed(glass, Widget("slot", 0, 0, 22, 14, (Line("K", "money", align="center"),), Shape.SPADE))
    spade = placed(glass, Widget("spade", 0, 0, 36, 14, (Line("SPADE", "key", align="center"),), Shape.SPADE))
    assert card.shape is not None and spade.shape is not None
    assert card.shape.x > card.texts[0].x and spade.shape.x < spade.texts[0].x


def test_the_key_under_the_finger_looks_different_and_a_dim_one_too(glass: Display) -> None:
    looks = []
    for widget, pressed in ((KEY, None), (KEY, Pressed("lock", 0.0)), (replace(KEY, enabled=False), None)):
        glass.draw(Screen("open", "open", (widget,)), pressed)
        looks.append(picture())
    assert len(set(looks)) == 3


def test_a_key_to_be_held_fills_and_then_says_let_go(glass: Display) -> None:
    bright = blend(theme.DARK.surface("key"), (255, 255, 255), 0.28)
    filled = []
    for progress in (0.0, 0.5, 1.0):
        glass.draw(SCREEN, Pressed("void", progress))
        y = SEVEN_INCH.y_px(HELD.y + 4)
        columns = range(SEVEN_INCH.x_px(HELD.x), SEVEN_INCH.x_px(HELD.x + HELD.w))
        filled.append(sum(tuple(surface().get_at((x, y)))[:3] == bright for x in columns) / len(columns))
    assert filled[0] == 0 and 0.4 < filled[1] < 0.55 and filled[2] > 0.9
    full = picture()
    glass.draw(Screen("blank", "blank"))
    glass.draw(
        replace(
            SCREEN, widgets=(SCREEN.widgets[0], replace(HELD, lines=(HELD.lines[0], Line("LET GO", "small"))), KEY)
        ),
        Pressed("void", 1.0),
    )
    assert picture() == full


def test_shapes_are_told_apart_without_their_colors(glass: Display) -> None:
    marks = [shape for shape in Shape if shape]
    pictures = []
    for shape in marks:
        glass.draw(Screen("mark", "mark", (Widget("mark", 0, 0, 20, 20, shape=shape, shape_tone=Tone.MUTED),)))
        pictures.append(picture())
    assert len(set(pictures)) == len(marks)


def test_the_suits_are_drawn_in_four_colors(glass: Display) -> None:
    for suit, color in theme.DARK.suits.items():
        widget = Widget("suit", 0, 0, 20, 20, shape=suit)
        glass.draw(Screen("suit", "suit", (widget,)))
        assert color in colors(widget), suit


@pytest.mark.parametrize(
    "text", ["× – · … ► $ ’ − ½ ¢ é", "A♠ K♥ Q♦ J♣ ✓ ● ○ ◄ ▲", "Ultimate Texas Hold 'Em 0123456789"]
)
def test_every_character_is_drawn(glass: Display, text: str) -> None:
    assert glass.undrawable(text) == ""


def test_a_character_that_nobody_can_draw_is_named(glass: Display) -> None:
    assert glass.undrawable("OK ☃ 3") == "☃"


def test_every_glyph_has_an_outline_within_its_square() -> None:
    for shape in [*shapes.GLYPHS.values(), *(shape for shape in Shape if shape)]:
        points = [point for outline, _ in shapes.layers(shape) for point in outline]
        assert all(-0.001 <= x <= 1.001 and -0.001 <= y <= 1.001 for x, y in points), shape


def test_a_border_alone_leaves_what_lies_under_it(glass: Display) -> None:
    """A frame without a fill around two seats, to say that they are one player's."""
    under = replace(TILE, lines=(), shape=Shape.NONE, fill="tile", slotted=False)
    frame = Widget("frame", TILE.x, TILE.y, TILE.w, TILE.h, border=Tone.NEXT)
    glass.draw(Screen("open", "open", (under, frame)))
    assert {theme.DARK.ink[Tone.NEXT], theme.DARK.surface("tile")} <= colors(frame)


def test_test_mode_is_hatched(glass: Display) -> None:
    band = Widget("test", 0, 0, 150, 4, fill="hatch")
    glass.draw(Screen("test", "test", (band,)))
    assert {theme.DARK.ink[Tone.CAUTION], theme.DARK.ground} <= colors(band)


def test_a_picture_is_saved(glass: Display, tmp_path: Path) -> None:
    glass.draw(SCREEN)
    glass.save_png(tmp_path / "dealer.png")
    assert pygame.image.load(tmp_path / "dealer.png").get_size() == (800, 480 + SEVEN_INCH.y_px(HEIGHT_MM))


def felt(glass: Display, *events: pygame.Event) -> list[object]:
    pygame.event.clear()
    for event in events:
        pygame.event.post(event)
    return list(glass.poll())


def test_mouse_and_finger_become_contacts_in_millimeters(glass: Display) -> None:
    down, move, up, finger = felt(
        glass,
        pygame.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(520, 260), touch=False),
        pygame.Event(pygame.MOUSEMOTION, buttons=(1, 0, 0), pos=(526, 260), rel=(6, 0), touch=False),
        pygame.Event(pygame.MOUSEBUTTONUP, button=1, pos=(526, 260), touch=False),
        pygame.Event(pygame.FINGERDOWN, touch_id=1, finger_id=7, x=0.5, y=0.5, dx=0, dy=0),
    )
    assert isinstance(down, Contact) and isinstance(move, Contact) and isinstance(up, Contact)
    assert isinstance(finger, Contact)
    assert (down.touch, down.finger, round(down.x_mm, 1), round(down.y_mm, 1)) == (Touch.DOWN, MOUSE, 100.2, 46.5)
    assert (move.touch, up.touch, round(up.x_mm, 1)) == (Touch.MOVE, Touch.UP, 101.3)
    assert (finger.touch, finger.finger, round(finger.x_mm, 1)) == (Touch.DOWN, 7, 77.0)


def test_other_buttons_and_a_mouse_that_only_passes_are_nothing(glass: Display) -> None:
    assert not felt(
        glass,
        pygame.Event(pygame.MOUSEBUTTONDOWN, button=3, pos=(5, 5), touch=False),
        pygame.Event(pygame.MOUSEMOTION, buttons=(0, 0, 0), pos=(5, 5), rel=(1, 1), touch=False),
        pygame.Event(pygame.KEYDOWN, key=pygame.K_LSHIFT, mod=0, unicode="", scancode=0),
    )


def test_keyboard_and_window(glass: Display) -> None:
    typed = pygame.Event(pygame.KEYDOWN, key=pygame.K_3, mod=0, unicode="3", scancode=0)
    assert felt(glass, typed, pygame.Event(pygame.QUIT)) == [Typed("3"), Closed()]


def test_an_uncovered_window_is_drawn_again(glass: Display) -> None:
    glass.draw(SCREEN)
    felt(glass, pygame.Event(pygame.WINDOWEXPOSED))
    assert glass.draw(SCREEN) is True


def test_a_shift_of_clocks_does_not_fill_the_memory(glass: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    """By bytes, not by pieces: a drawn key is a thousand times the size of a letter."""
    monkeypatch.setattr(display, "KEPT", 20)
    glass.draw(SCREEN)
    most = glass._kept_bytes + 50_000
    monkeypatch.setattr(display, "KEPT_BYTES", most)
    for minute in range(60):
        clock = Widget("clock", 100, 0, 30, 9, (Line(f"14:{minute:02d}", "small", align="right"),))
        glass.draw(replace(SCREEN, widgets=(*SCREEN.widgets, clock)))
        kept = sum(one.get_pitch() * one.get_height() for one in glass._kept.values())
        assert glass._kept_bytes == kept <= most
    assert len(glass._placings) <= 20
    step_by_step = picture()
    glass.draw(Screen("blank", "blank"))
    glass.draw(replace(SCREEN, widgets=(*SCREEN.widgets, clock)))
    assert picture() == step_by_step


def test_a_screen_of_another_panel_is_a_table_entry_away() -> None:
    """The same widgets on a panel twice as dense: twice the pixels, the same millimeters, nothing squeezed."""
    dense = replace(SEVEN_INCH, width_px=1600, height_px=960)
    shown = Display(dense, "Felt")
    shown.draw(SCREEN)
    assert shown.overflows(SCREEN) == [] and surface().get_size() == (1600, 960)
    shown.close()


def test_nobody_touches_the_dummy_driver(glass: Display) -> None:
    assert glass.has_input is False
