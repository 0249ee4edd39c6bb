"""The houses that shifts are played in: every book with all that it offers, equipment, and who signs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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

FLOOR, CHIEF = "2001", "3001"
PEOPLE = {FLOOR: Person(FLOOR, "R. Diaz", "floorperson"), CHIEF: Person(CHIEF, "M. Okafor", "manager")}

RULES: Mapping[str, dict[str, Any]] = {
    "pa-653a": {
        "blind": {"paytable": "A"},
        "trips": {"paytable": "B"},
        "progressive": {"paytable": "C", "wager": "1.00"},
        "five_card_hand": {"wager": "1.00", "magic_card": True, "lucky_bonus": True},
        "six_card_bonus": {"paytable": "E"},
        "bad_beat_bonus": {"paytable": "A"},
    },
    "md-36.05.16": {
        "blind": {"paytable": "B"},
        "trips": {"paytable": "A"},
        "progressive": {"wager": "5.00", "seed": "10000.00", "rate": "21"},
        "six_card_bonus": {"paytable": "A"},
    },
    "pa-671a": {"instant": {"paytable": "A"}, "super_on_others": {}},
    "pa-677a": {"pocket_bonus": {"paytable": "A"}, "trips_plus": {"paytable": "B"}},
}
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
    submission = parse_submission({"book": book, "table_minimum": "15.00", **RULES[book]})
    return House(submission, submission.book.procedure, equipment, level, 20_000_000, PEOPLE, Drawing(2, 2))
