"""The houses that shifts are played in: every book with all that it offers, equipment, and who signs."""

from __future__ import annotations

from firmware.config import SIMULATED_PEOPLE
from firmware.rules.games import load_book
from firmware.rules.submission import parse_submission
from firmware.table.house import Drawing, House, Person
from firmware.table.procedures import (
    AUTOMATED,
    COUNTS,
    HAND,
    NO_SHUFFLER,
    RESHUFFLES,
    SHOE,
    SHUFFLES,
    Equipment,
)

PEOPLE = {one.badge: Person(one.badge, one.name, one.role) for one in SIMULATED_PEOPLE}
FLOOR, CHIEF = PEOPLE

EQUIPMENT = (
    Equipment(HAND, COUNTS, ("blue", "red")),
    Equipment(HAND, SHUFFLES, ("blue",)),
    Equipment(SHOE, NO_SHUFFLER, ("blue",)),
    Equipment(SHOE, COUNTS, ("blue", "red")),
    Equipment(AUTOMATED, RESHUFFLES, ("blue",)),
    Equipment(AUTOMATED, SHUFFLES, ("blue", "red")),
)


def house_of(book: str, level: int, equipment: Equipment) -> House:
    """A house of this book that offers everything."""
    submission = parse_submission({"book": book, **load_book(book).sample.shift})
    return House(submission, submission.book.procedure, equipment, level, 20_000_000, PEOPLE, Drawing(2, 2))
