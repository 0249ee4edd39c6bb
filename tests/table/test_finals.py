"""The table of what is final: its paragraphs."""

from __future__ import annotations

from firmware.rules.games import books, load_book
from firmware.table import finals


def test_every_paragraph_of_what_is_final_is_in_some_book() -> None:
    """A row names its paragraph by its concern; a book that says nothing of it has none."""
    known = {concern.partition(":")[0] for name in books() for concern in load_book(name).procedure.cites}
    named = {row.concern for _, row in finals.FINAL.values()} | {finals.row_of(name).concern for name in BARRIERS}
    assert named - {""} <= known


BARRIERS = ("locked in", "drawn", "shown", "looked", "community card")
