"""The simulated cabinet: what one can click and type, and what it says."""

from __future__ import annotations

import os
from itertools import combinations

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pytest

from ui.dealer.cabinet_view import HEIGHT_MM, CabinetState, cabinet_screen, press_of_letter
from ui.dealer.display import Display
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.widgets import Screen, Shape, Widget

BUSY = CabinetState(
    chips=frozenset({1, 3}), lamps={1: "lit", 3: "late", 6: "fault"}, switch_locked=True, wire_cut=True, jammed=True,
    door_open=True, plugged=False, lock_line=False, shuffler="dispensing 52 blue",
)  # fmt: skip
STATES = [CabinetState(), BUSY]


def view(state: CabinetState) -> Screen:
    return cabinet_screen(state, SEVEN_INCH)


def widget(state: CabinetState, name: str) -> Widget:
    return next(widget for widget in view(state).widgets if widget.id == name)


def words(screen: Screen) -> str:
    return " ".join(line.text for widget in screen.widgets for line in widget.lines)


def test_it_says_that_it_is_simulated() -> None:
    assert "SIMULATED CABINET" in words(view(BUSY))


def test_every_press_is_there_once() -> None:
    presses = [widget.press for widget in view(BUSY).widgets if widget.press]
    seats = ["take 1", "place 2", "take 3", "place 4", "place 5", "place 6"]
    world = ["lockout", "wire", "jam", "door", "unplug", "swap", "badge 2001", "badge 3001"]
    assert sorted(presses) == sorted([*seats, *world])


@pytest.mark.parametrize("state", STATES)
def test_keys_neither_overlap_nor_leave_the_picture(state: CabinetState) -> None:
    keys = [widget for widget in view(state).widgets if widget.press]
    assert all(k.x >= 0 and k.x + k.w <= SEVEN_INCH.width_mm and k.y >= 0 and k.y + k.h <= HEIGHT_MM for k in keys)
    for a, b in combinations(keys, 2):
        assert a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y, (a.id, b.id)


@pytest.mark.parametrize("state", STATES)
def test_no_text_is_too_long(state: CabinetState) -> None:
    display = Display(SEVEN_INCH, "Felt", SEVEN_INCH.px(HEIGHT_MM))
    assert display.overflows(view(state)) == []
    assert display.undrawable(words(view(state))) == ""


@pytest.mark.parametrize(
    ("lamp", "shape"), [("dark", Shape.RING), ("lit", Shape.DISC), ("late", Shape.TRIANGLE), ("fault", Shape.ALERT)]
)
def test_each_lamp_has_its_shape(lamp: str, shape: Shape) -> None:
    assert widget(CabinetState(lamps={4: lamp}), "cabinet-lamp-4").shape is shape


def test_a_chip_is_seen_on_its_sensor() -> None:
    assert widget(BUSY, "cabinet-seat-3").shape is Shape.CHIP
    assert widget(BUSY, "cabinet-seat-2").shape is Shape.RING


@pytest.mark.parametrize(
    ("letter", "press"),
    [
        *[("2", "place 2"), ("3", "take 3"), ("7", ""), ("0", ""), ("²", ""), ("12", ""), ("x", ""), ("", "")],
        *[("l", "lockout"), ("L", "lockout"), ("w", "wire"), ("j", "jam"), ("d", "door"), ("u", "unplug")],
        ("s", "swap"),
        *[("f", "badge 2001"), ("g", "badge 3001")],
    ],
)
def test_typing(letter: str, press: str) -> None:
    assert press_of_letter(letter, BUSY) == press


def test_what_is_out_of_the_ordinary_is_marked_and_said() -> None:
    for name, word in (("lockout", "locked"), ("wire", "cut"), ("jam", "jammed"), ("door", "open"), ("unplug", "out")):
        marked = widget(BUSY, f"cabinet-{name}")
        assert marked.border is not None and word in [line.text for line in marked.lines]
        assert widget(CabinetState(), f"cabinet-{name}").border is None


def test_it_says_whether_bets_are_open() -> None:
    assert "bets open" in words(view(BUSY)) and "bets locked" in words(view(CabinetState()))


def test_a_table_of_five_seats() -> None:
    assert [w.press for w in view(CabinetState(seats=5)).widgets if w.press.startswith("place")][-1] == "place 5"
