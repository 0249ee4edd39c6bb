"""The simulated cabinet: what one can click and type, and what it says."""

from __future__ import annotations

import os
from itertools import combinations

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pytest

from firmware.wire.structs import replace
from ui.dealer.cabinet_view import HEIGHT_MM, CabinetState, cabinet_screen, press_of_letter
from ui.dealer.display import Display
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.widgets import Screen, Shape, Widget

BUSY = CabinetState(
    chips=frozenset({1, 3}), lamps={1: "lit", 3: "late", 6: "fault"}, switch_locked=True, wire_cut=True, jammed=True,
    door_open=True, plugged=False, lock_line=False, shuffler="dispensing 52 blue",
)  # fmt: skip
BUTTONS = {(seat, hand): (seat, hand) == (2, "dealer") for seat in range(1, 7) for hand in ("own", "dealer")}
FIVE_CARD = replace(
    BUSY, buttons=BUTTONS, buttons_down=frozenset({(2, "own")}), shoe=True, sorting=True, in_service=True
)
LUNAR = CabinetState(seats=5, sensors=False, lockout=False, shuffler="ready 52 blue")
STATES = [CabinetState(), BUSY, FIVE_CARD, LUNAR, replace(FIVE_CARD, sensors=False), replace(FIVE_CARD, seats=1)]


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
    world = ["next", "lockout", "wire", "jam", "door", "unplug", "swap", "badge 2001", "badge 3001"]
    world += ["load", "card", "sort", "service", "empty"]
    assert sorted(presses) == sorted([*seats, *world])


@pytest.mark.parametrize("state", STATES)
def test_keys_neither_overlap_nor_leave_the_picture(state: CabinetState) -> None:
    keys = [widget for widget in view(state).widgets if widget.press]
    assert all(k.x >= 0 and k.x + k.w <= SEVEN_INCH.width_mm and k.y >= 0 and k.y + k.h <= HEIGHT_MM for k in keys)
    for a, b in combinations(keys, 2):
        assert a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y, (a.id, b.id)


@pytest.mark.parametrize("state", STATES)
def test_no_text_is_too_long(state: CabinetState) -> None:
    display = Display(SEVEN_INCH, "Felt", SEVEN_INCH.y_px(HEIGHT_MM))
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
        *[("s", "swap"), ("e", "load"), ("c", "card"), ("o", "sort"), ("v", "service"), ("y", "empty"), ("n", "")],
        *[("f", "badge 2001"), ("g", "badge 3001"), ("k", "next")],
    ],
)
def test_typing(letter: str, press: str) -> None:
    assert press_of_letter(letter, BUSY) == press


def test_what_is_out_of_the_ordinary_is_marked_and_said() -> None:
    for name, word in (("lockout", "locked"), ("wire", "cut"), ("jam", "jammed"), ("door", "open"), ("unplug", "out")):
        marked = widget(BUSY, f"cabinet-{name}")
        assert marked.border is not None and marked.lines[1].text.startswith(word)
        assert widget(CabinetState(), f"cabinet-{name}").border is None


def test_it_says_whether_bets_are_open() -> None:
    assert "bets open" in words(view(BUSY)) and "bets locked" in words(view(CabinetState()))


def test_a_table_of_five_seats() -> None:
    assert [w.press for w in view(CabinetState(seats=5)).widgets if w.press.startswith("place")][-1] == "place 5"


def test_every_seat_has_a_button_for_its_own_and_one_for_the_dealers_hand_653a_2_d() -> None:
    presses = [w.press for w in view(FIVE_CARD).widgets if w.press.startswith("button")]
    assert presses == [f"button {seat} {hand}" for seat in range(1, 7) for hand in ("own", "dealer")]
    assert not any(w.press.startswith("button") for w in view(BUSY).widgets), "only where the table has them"
    lit, dark = widget(FIVE_CARD, "cabinet-button-2-dealer"), widget(FIVE_CARD, "cabinet-button-2-own")
    assert (lit.fill, dark.fill) == ("money", "key")
    assert dark.border is not None and lit.border is None, "a finger is on the one that is dark still"


def test_a_table_without_a_progressive_shows_its_seats_and_the_shuffler_and_nothing_to_wager_with() -> None:
    shown = view(LUNAR)
    assert [w.id for w in shown.widgets if w.id.startswith("cabinet-seat")] == [
        f"cabinet-seat-{n}" for n in range(1, 6)
    ]
    presses = {w.press for w in shown.widgets if w.press}
    assert {"jam", "swap", "empty", "badge 2001", "next"} <= presses
    assert not {"place 1", "lockout", "wire"} & presses
    assert not any(w.id.startswith("cabinet-lamp") for w in shown.widgets)
    assert "bets" not in words(shown)
    assert [press_of_letter(letter, LUNAR) for letter in "1lj"] == ["", "", "jam"]


def test_a_dealing_shoe_can_be_dealt_from() -> None:
    assert press_of_letter("n", FIVE_CARD) == "deal"


def test_every_key_of_the_machine_says_what_it_does_now() -> None:
    """Newcomers read "Its wire whole" as a report; a key is a verb."""
    for state, verbs in (
        (
            CabinetState(),
            {"wire": "Cut wire", "jam": "Jam", "door": "Open door", "unplug": "Unplug", "swap": "Swap deck"},
        ),
        (
            CabinetState(wire_cut=True, jammed=True, door_open=True, plugged=False),
            {"wire": "Mend wire", "jam": "Clear jam", "door": "Shut door", "unplug": "Plug in", "swap": "Swap deck"},
        ),
    ):
        assert {name: widget(state, f"cabinet-{name}").lines[0].text for name in verbs} == verbs
