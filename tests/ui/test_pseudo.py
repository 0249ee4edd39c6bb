"""Every screen in a language that nobody speaks: what stands outside its brackets is in no catalog, or is data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.rules.message import AS_IS
from tests.ui.walk import HOUSES, Walk
from ui.dealer import game_screens, jackpot_screens, problem_screens, settle_screens
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.screens import BODIES, screen
from ui.dealer.widgets import Screen
from ui.words import CLOSE, OPEN, PSEUDO

NOT_YET = frozenset({*game_screens.BODIES, *settle_screens.BODIES, *jackpot_screens.BODIES, *problem_screens.BODIES})
"""Screens whose words are still in the code. This becomes empty, and goes."""
CONVERTED = BODIES.keys() - NOT_YET
STEPS = 250
IN_BRACKETS = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
DATA = re.compile(
    r"\d{3}a\.\d+(\([a-z0-9]+\))*|36\.05\.16\.\d+[A-Z]?(\([A-Za-z0-9]+\))*"  # paragraphs
    r"|\b([AKQJT]|UTH-04|R\. Diaz|M\. Okafor|MEGA|MAJOR|MINOR)\b"
)
"""Cards, names, meters."""


def outside(text: str) -> str:
    """What of a text is in no catalog."""
    while (fewer := IN_BRACKETS.sub("", text)) != text:
        text = fewer
    return DATA.sub("", text)


def shown(house: str) -> Iterator[Screen]:
    """Screens of a walk, in the language that nobody speaks; none with a refusal whose law is not converted yet."""
    frame = frame_of(SEVEN_INCH)
    for state, live in Walk(HOUSES[house], 1).goes(STEPS):
        one = screen(HOUSES[house], state, live, frame, PSEUDO)
        if one.name in CONVERTED and state.desk.notice.id != AS_IS:
            yield one


@lru_cache
def display() -> Display:
    return Display(SEVEN_INCH, "Felt")


@pytest.mark.parametrize("house", [house for house in HOUSES if "paytable" not in house])
def test_every_text_is_in_a_catalog(house: str) -> None:
    found = {
        f"{one.name}/{widget.id}: {line.text}"
        for one in shown(house)
        for widget in one.widgets
        for line in widget.lines
        if any(map(str.isalpha, outside(line.text)))
    }
    assert not found, "\n".join(sorted(found))


def test_a_text_outside_is_seen() -> None:
    assert outside("⟦Sëat ⟦Ante⟧⟧ left") == " left" and outside("⟦Seat 4⟧ 12") == " 12"


@pytest.mark.slow
@pytest.mark.parametrize("house", ["pa-653a 1", "pa-671a automated", "five card 2"])
def test_a_longer_language_fits(house: str) -> None:
    """At 800 x 480 every text has room in some step of the type scale."""
    squeezed = {
        f"{one.name}/{widget.id}"
        for one in shown(house)
        for widget, placing in display().placings(one)
        if placing.squeezed
    }
    assert not squeezed, sorted(squeezed)
