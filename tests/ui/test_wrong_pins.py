"""What the glass says of wrong PINs: to the floor, to the owner, to who unlocks a badge; and that it fits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.rules.message import say
from firmware.table.inputs import PinAccepted, PinRefused
from firmware.wire.structs import replace
from tests.sample import some
from tests.table.table import DIAZ, OKAFOR
from tests.ui.test_at_the_table import validating
from tests.ui.test_pseudo import LONGER, display
from tests.ui.troubles import LIVE
from tests.ui.walk import Walk
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS, SEVEN_INCH, Panel
from ui.dealer.pieces import Live
from ui.dealer.screens import screen
from ui.dealer.widgets import Screen
from ui.words import ENGLISH, Words

NOBODY, OWNER = LIVE, replace(LIVE, badge=DIAZ, name="R. Diaz")
MANAGER = replace(LIVE, badge=OKAFOR, by=OKAFOR, name="M. Okafor")


def failed(times: int) -> Walk:
    table = validating()
    for count in range(1, times + 1):
        why = say("badge.wrong-pin", count=count, badge=DIAZ, seconds=60)
        table.hears(PinRefused(DIAZ, why, count, 1_790_000_000 + 60 * count))
    return table


def right_at_last() -> tuple[Walk, Live]:
    table = failed(9)
    why = say("badge.had-failed", count=99, first="Nov 21, 14:07", last="Nov 21, 23:59")
    table.hears(PinAccepted(DIAZ, why))
    return table, replace(OWNER, by=DIAZ)


def not_checked() -> tuple[Walk, Live]:
    table = validating()
    table.hears(PinRefused(DIAZ, say("badge.not-checked", why="Memory allocation error")))
    return table, OWNER


def pressed(word: str, live: Live) -> tuple[Walk, Live]:
    table = failed(10)
    table.press(word)
    return table, live


CASES: dict[str, tuple[Callable[[], tuple[Walk, Live]], str]] = {
    "the floor is told": (lambda: (failed(3), NOBODY), "WRONG PINS"),
    "a locked badge": (lambda: (failed(10), OWNER), "Badge 2001 is locked: 10 wrong PINs."),
    "the next right one": (right_at_last, "99 wrong PINs before this: Nov 21, 14:07 to Nov 21, 23:59"),
    "no memory": (not_checked, "PIN not checked: Memory allocation error. Not counted as wrong."),
    "the list": (lambda: pressed("problem", NOBODY), "Unlock badge 2001: 10 wrong PINs"),
    "who unlocks it": (lambda: pressed(f"problem unlock-{DIAZ}", MANAGER), "Ask the owner first"),
}


def shown(made: tuple[Walk, Live], panel: Panel = SEVEN_INCH, words: Words = ENGLISH) -> Screen:
    table, live = made
    return screen(table.house, table.state, live, frame_of(panel), words)


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_wrong_pins(name: str) -> None:
    made, sentence = CASES[name]
    said = " ".join(line.text for widget in shown(made()).widgets for line in widget.lines)
    assert sentence in said


@pytest.mark.parametrize("panel", some(PANELS, keep=["800x480"]))
@pytest.mark.parametrize("words", [ENGLISH, LONGER], ids=["English", "a longer language"])
def test_it_fits_on_every_panel(panel: str, words: Words) -> None:
    glass = display(PANELS[panel])
    squeezed = {name: glass.overflows(shown(made(), PANELS[panel], words)) for name, (made, _) in CASES.items()}
    assert not any(squeezed.values()), squeezed
