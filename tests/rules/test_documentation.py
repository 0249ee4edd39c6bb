"""The documentation says what the program does: every reading, every paytable, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.rules.games import books, load_book
from firmware.rules.posted import posted_book, readings

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("book", books())
def test_the_paytables_are_documented_as_they_are_posted(book: str) -> None:
    assert posted_book(load_book(book)) in DOCUMENT


@pytest.mark.parametrize("book", books())
def test_every_reading_is_documented_with_its_reason_and_its_paragraph(book: str) -> None:
    for reading in readings(book):
        assert f"**{reading.number}. {reading.title}.** {reading.text} *Why:* {reading.reason}" in DOCUMENT
        assert reading.cite in DOCUMENT


@pytest.mark.parametrize("book", books())
def test_a_reading_speaks_of_its_own_book_alone(book: str) -> None:
    """A casino agrees to what concerns its table; another game, chapter or state is not its concern."""
    own = load_book(book)
    others = [load_book(name) for name in books()]
    foreign = {name for each in others for name in (each.title, each.jurisdiction, each.name.rpartition("-")[2])}
    foreign -= {own.title, own.jurisdiction, own.name.rpartition("-")[2]}
    for reading in readings(book):
        said = f"{reading.title} {reading.text} {reading.reason}"
        assert not [name for name in foreign if name in said], reading.number
