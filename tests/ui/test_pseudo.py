"""Every kind of screen in a language that nobody speaks: what stands outside its brackets is in no catalog, or is data.

Every procedure key by key and the longest things that can be said (`test_screens.states`), and walks at random.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.rules.message import Argument, Message
from tests.ui.test_screens import states
from tests.ui.walk import HOUSES, Walk
from ui.dealer import theme
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS, SEVEN_INCH, Panel
from ui.dealer.screens import screen
from ui.dealer.widgets import Screen
from ui.words import CLOSE, ENGLISH, OPEN, PSEUDO, Pseudo, Words, languages

STEPS = 250
IN_BRACKETS = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
DATA = re.compile(
    r"\d{3}a\.\d+(\([a-z0-9]+\))*|36\.05\.16\.\d+[A-Z]?(\([A-Za-z0-9]+\))*"  # paragraphs
    r"|\b\d+ (for|to) 1\b|\b\d+% of (mega|major|minor|main)\b"  # odds, as the paytable has them
    r"|\b([AKQJT]|UTH-04|R\. Diaz|M\. Okafor|Bartholomew Featherstone|MAIN|MEGA|MAJOR|MINOR)\b"  # cards, names, meters
)
"""What is the same in every language."""


def outside(text: str) -> str:
    """What of a text is in no catalog."""
    while (fewer := IN_BRACKETS.sub("", text)) != text:
        text = fewer
    return DATA.sub("", text)


PROCEDURES = ("played", "longest", "void by two")
"""Among these is every kind of screen (`test_screens.test_every_kind_of_screen_is_among_the_cases`)."""


def shown(name: str, panel: Panel = SEVEN_INCH, words: Words = PSEUDO) -> Iterable[Screen]:
    """Different screens of a walk through a house, of every procedure or of the longest words, in another language."""
    walk = () if name in PROCEDURES else ((HOUSES[name], *one) for one in Walk(HOUSES[name], 1).goes(STEPS))
    found: dict[tuple[object, ...], Screen] = {}
    for house, state, live in states(name) if name in PROCEDURES else walk:
        one = screen(house, state, live, frame_of(panel), words)
        found[one.name, one.widgets] = one
    return found.values()


def display(panel: Panel) -> Display:
    return Display(panel, "Felt")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PROCEDURES, *(house for house in HOUSES if "paytable" not in house)])
def test_every_text_is_in_a_catalog(name: str) -> None:
    found = {
        f"{one.name}/{widget.id}: {line.text}"
        for one in shown(name)
        for widget in one.widgets
        for line in widget.lines
        if any(map(str.isalpha, outside(line.text)))
    }
    assert not found, "\n".join(sorted(found))


def test_a_text_outside_is_seen() -> None:
    assert outside("⟦Sëat ⟦Ante⟧⟧ left") == " left" and outside("⟦Seat 4⟧ 12") == " 12"


SHORT = ("row.", "election.", "key.magic")
"""Abbreviations for keys: another language has its own, as short as these."""


class Longer(Pseudo):
    """The same language without the brackets, which no language has; what is short on purpose stays short."""

    def __call__(self, message: Message | str) -> str:
        """The text of a message."""
        return super().__call__(message).replace(OPEN, "").replace(CLOSE, "")

    def template(self, id_: str, number: Argument | None = None) -> str:
        """Of an abbreviation the English."""
        return ENGLISH.template(id_, number) if id_.startswith(SHORT) else super().template(id_, number)


LONGER = Longer("en")


LEAST = 2 / 3
"""A language that is a third longer than English may be set so small: a part of the smallest step of the type scale."""


@pytest.mark.slow
@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("name", [*PROCEDURES, "pa-653a 1", "pa-671a automated", "five card 2", "md-36.05.16 by hand"])
@pytest.mark.parametrize("words", [LONGER, *map(Words, sorted({*languages()} - {"en"}))], ids=["a third longer", "es"])
def test_another_language_fits(name: str, panel: str, words: Words) -> None:
    """On every panel every text has room, at most a third smaller than the type scale goes."""
    glass = display(PANELS[panel])
    least = LEAST * theme.type_px("small", PANELS[panel])
    squeezed = {
        f"{one.name}/{widget.id}"
        for one in shown(name, PANELS[panel], words)
        for widget, placing in glass.placings(one)
        if any(text.px < int(least) for text in placing.texts)
    }
    assert squeezed == set()
