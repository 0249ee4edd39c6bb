"""The documentation says what the program does: every reading, every paytable, word for word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.rules.games import books, load_book
from firmware.rules.poster import Reading, posted_book, readings, table_readings

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOCUMENT = (DOCS / "rules.md").read_text(encoding="utf-8")
PROCEDURES = (DOCS / "procedures.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("book", books())
def test_the_paytables_are_documented_as_they_are_posted(book: str) -> None:
    assert posted_book(load_book(book)) in DOCUMENT


def as_documented(reading: Reading) -> str:
    return (
        f"**{reading.number}. {reading.title}.** *The text:* {reading.says} *Felt:* {reading.text} *Why:* {reading.reason} "
        f"*Read otherwise:* {reading.other} *Ask the regulator:* {reading.ask} ("
    )


@pytest.mark.parametrize(("of", "document"), [(readings, DOCUMENT), (table_readings, PROCEDURES)])
@pytest.mark.parametrize("book", books())
def test_every_reading_is_documented_with_its_other_reading_and_its_paragraph(
    book: str, of: Callable[[str], list[Reading]], document: str
) -> None:
    for reading in of(book):
        [said] = [line for line in document.splitlines() if line.startswith(as_documented(reading))]
        assert reading.cite in said


@pytest.mark.parametrize(("of", "document"), [(readings, DOCUMENT), (table_readings, PROCEDURES)])
def test_no_reading_is_documented_that_no_book_has(of: Callable[[str], list[Reading]], document: str) -> None:
    """Nor one in words that it had before."""
    known = {as_documented(reading) for book in books() for reading in of(book)}
    for line in document.splitlines():
        if "*Read otherwise:*" in line:
            assert any(line.startswith(each) for each in known), line[:80]


@pytest.mark.parametrize("book", books())
def test_a_reading_speaks_of_its_own_book_alone(book: str) -> None:
    """A casino agrees to what concerns its table; another game, chapter or state is not its concern."""
    own = load_book(book)
    others = [load_book(name) for name in books()]
    foreign = {name for each in others for name in (each.title, each.jurisdiction, each.name.rpartition("-")[2])}
    foreign -= {own.title, own.jurisdiction, own.name.rpartition("-")[2]}
    for reading in (*readings(book), *table_readings(book)):
        said = f"{reading.title} {reading.says} {reading.text} {reading.reason} {reading.other} {reading.ask}"
        assert not [name for name in foreign if name in said], reading.number
