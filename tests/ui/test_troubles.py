"""What stands on the glass when something is wrong: what happened, in amounts that people read, and what to do."""

from __future__ import annotations

import re

import pytest

from tests.sample import some
from tests.ui.test_pseudo import LONGER, display
from tests.ui.troubles import PICTURES
from ui.dealer.panels import PANELS
from ui.dealer.widgets import Tone
from ui.words import ENGLISH, Words

BARE = re.compile(r"(?<![$\d.,])\d+\.\d\d(?![\d.])")
"""An amount of money that does not say so."""


def texts(name: str) -> list[str]:
    return [line.text for widget in PICTURES[name]().shown().widgets for line in widget.lines]


@pytest.mark.parametrize("name", PICTURES)
def test_an_amount_on_the_glass_has_its_dollar_sign(name: str) -> None:
    assert not [text for text in texts(name) if BARE.search(text)]


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        (
            "amount",
            ("the table paid $10,003.78 of main, the bank had $10,000.21", "Pay nothing more and take nothing back"),
        ),
        ("rules", ("progressive at $1.00 (paytable B), the bank", "a technician: table and bank need the same rules")),
        ("owed-first", ("it pays nothing", "call the cage", "a second person signs here under PROBLEM")),
    ],
)
def test_the_glass_says_what_happened_and_what_to_do(name: str, sentences: tuple[str, ...]) -> None:
    said = "\n".join(texts(name))
    assert [sentence for sentence in sentences if sentence not in said] == [], said


def test_the_floor_sees_which_amount_each_key_signs() -> None:
    shown = {widget.id: widget for widget in PICTURES["was-now"]().shown().widgets}
    said = {name: [line.text for line in widget.lines] for name, widget in shown.items()}
    assert said["primary"][:2] == ["PAID BY THE CAGE", "seat 3: $10,000.21"]
    assert said["accept-price"][0] == "ACCEPT $10,123.66" and said["claim-rejected"][0] == "NOT A WINNER"
    accept, rejected = shown["accept-price"], shown["claim-rejected"]
    assert accept.border is Tone.MONEY and rejected.border is None and accept.x > rejected.x + rejected.w


OFF = [name for name, play in PICTURES.items() if "PROGRESSIVE OFF" in " ".join(texts(name))]


@pytest.mark.parametrize("name", OFF)
def test_the_first_line_of_a_progressive_that_is_off_is_for_the_dealer(name: str) -> None:
    """What only a technician reads (a hash, a ledger, a chip's name) stands last but for the amount heard, and smaller."""
    lines = next(widget for widget in PICTURES[name]().shown().widgets if widget.id == "work").lines
    assert lines[0].text.startswith("PROGRESSIVE OFF. ") and lines[1].text.startswith("Deal on"), lines
    assert re.search("Call the (floor|technician)|The floor says|Floor: ", lines[0].text), lines[0].text
    assert [line.size for line in lines if line.size == "small"] == ["small"]


def test_a_gaming_day_that_is_over_is_asked_for_in_words() -> None:
    assert "DAY OVER" in texts("day-over") and "TABLE" not in texts("day-over")


@pytest.mark.parametrize("panel", some(PANELS, keep=["800x480"]))
@pytest.mark.parametrize("words", [ENGLISH, LONGER], ids=["English", "a longer language"])
def test_what_is_wrong_fits_on_every_panel(panel: str, words: Words) -> None:
    glass = display(PANELS[panel])
    squeezed = {
        f"{name}/{widget}"
        for name, play in PICTURES.items()
        for widget in glass.overflows(play().shown(PANELS[panel], words))
    }
    assert squeezed == set()
