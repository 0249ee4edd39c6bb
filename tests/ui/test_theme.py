"""Can it be read? Contrast and sizes are computed from the palette, for every pair that the screen can show."""

from __future__ import annotations

import pytest

from firmware.wire.structs import replace
from ui.colors import Color, contrast
from ui.dealer import theme
from ui.dealer.panels import PANELS, SEVEN_INCH
from ui.dealer.widgets import Shape, Tone

FILLS = [*theme.DARK.surfaces, *Tone]
PALETTE = pytest.mark.parametrize("palette", theme.PALETTES.values(), ids=theme.PALETTES)


@PALETTE
@pytest.mark.parametrize("fill", FILLS)
def test_every_text_stands_out_from_every_fill(fill: str, palette: theme.Palette) -> None:
    for tone in Tone:
        # A key that cannot be pressed now is exempt from the rule, yet it stays legible.
        least = 4.4 if tone is Tone.OFF and fill == "dim" else 4.5
        assert contrast(palette.text(tone, fill), palette.surface(fill)) >= least, tone


@PALETTE
@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("shape", [shape for shape in Shape if shape])
def test_every_shape_stands_out_from_every_fill(shape: Shape, fill: str, palette: theme.Palette) -> None:
    for tone in Tone:
        assert contrast(palette.shape(shape, tone, fill), palette.surface(fill)) >= 3, tone


@PALETTE
def test_borders_stand_out_from_the_background(palette: theme.Palette) -> None:
    for tone in Tone:
        assert contrast(palette.ink[tone], palette.ground) >= 3, tone


def test_contrast_of_the_two_ends() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((9, 9, 9), (9, 9, 9)) == 1
    assert contrast((0x77, 0x77, 0x77), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_only_money_is_yellow() -> None:
    def yellow(color: Color) -> bool:
        red, green, blue = color
        return red > 200 and green > 200 and blue < 150

    assert [tone for tone, color in theme.DARK.ink.items() if yellow(color)] == [Tone.MONEY]
    assert not any(yellow(color) for color in (*theme.DARK.surfaces.values(), *theme.DARK.suits.values()))


def test_four_suits_have_four_colors() -> None:
    assert len(set(theme.DARK.suits.values())) == 4


def test_nothing_is_smaller_than_a_dealer_can_read() -> None:
    assert min(theme.type_px(size, SEVEN_INCH) for size in theme.TYPE) >= 16


def test_type_keeps_its_millimeters_on_a_denser_panel() -> None:
    dense = replace(SEVEN_INCH, width_px=1600, height_px=960)
    assert theme.type_px("body", dense) == 2 * theme.type_px("body", SEVEN_INCH)


def test_unknown_words_are_named() -> None:
    with pytest.raises(ValueError, match=r"no type size 'huge'.*body"):
        theme.type_px("huge", SEVEN_INCH)
    with pytest.raises(ValueError, match=r"no fill 'pink'.*tile"):
        theme.DARK.surface("pink")


def test_the_seven_inch_panel_in_millimeters() -> None:
    panel = PANELS["800x480"]
    assert (panel.x_px(154.1), panel.y_px(85.9), panel.x_px(10), panel.y_px(10)) == (800, 480, 52, 56)


@pytest.mark.parametrize("weight", sorted({step.weight for step in theme.TYPE.values()}))
def test_the_font_is_installed(weight: str) -> None:
    assert theme.font_file(weight).name == f"Roboto-{weight}.ttf"


def test_a_weight_that_is_not_there_says_what_to_install() -> None:
    with pytest.raises(FileNotFoundError, match="install the package font-roboto"):
        theme.font_file("Gothic")
