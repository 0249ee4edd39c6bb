"""The simulated table of each book: its table.toml, and the bank.toml of its bank where it has one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.config import SIMULATED_PEOPLE

BANK = "felt"


@dataclass(frozen=True, slots=True)
class SimulatedBook:
    """One game as this simulation offers it. `rules`: TOML of the submission; `level`: assist level unless one is named."""

    table: str
    title: str
    rules: str
    level: int
    progressive: bool


BOOKS: Mapping[str, SimulatedBook] = {
    "pa-653a": SimulatedBook(
        "uth-04",
        "Ultimate Texas Hold 'Em Progressive",
        """
table_minimum = "15.00"
blind = { paytable = "A" }
trips = { paytable = "A" }
progressive = { paytable = "A", wager = "1.00" }
five_card_hand = { wager = "5.00", magic_card = true, lucky_bonus = true }
six_card_bonus = { paytable = "A" }
bad_beat_bonus = { paytable = "A" }
""",
        level=0,
        progressive=True,
    ),
    "md-36.05.16": SimulatedBook(
        "uth-11",
        "Ultimate Texas Hold 'Em Progressive",
        """
table_minimum = "15.00"
blind = { paytable = "A" }
trips = { paytable = "A" }
progressive = { wager = "1.00", seed = "10000.00", rate = "21" }
six_card_bonus = { paytable = "A" }
""",
        level=0,
        progressive=True,
    ),
    "pa-671a": SimulatedBook(
        "lunar-01",
        "Lunar Poker",
        """
table_minimum = "5.00"
instant = { paytable = "A" }
super_on_others = {}
""",
        level=1,
        progressive=False,
    ),
    "pa-677a": SimulatedBook(
        "heads-up-01",
        "World Poker Tour Heads-Up Hold 'Em",
        """
table_minimum = "10.00"
pocket_bonus = { paytable = "A" }
trips_plus = { paytable = "A" }
""",
        level=1,
        progressive=False,
    ),
}
"""By the name of the book."""


def write(folder: Path, book: str, level: int | None = None, guard_ms: int | None = None) -> SimulatedBook:
    """Write table.toml, and bank.toml where there is a bank, into `folder`.

    level: assist level; None: the book's own. guard_ms: of the screen's touch guard; None: the usual one.
    """
    game = BOOKS[book]
    folder.mkdir(parents=True, exist_ok=True)
    rules = f'[rules]\nbook = "{book}"{game.rules}'
    assist = game.level if level is None else level
    guard = "" if guard_ms is None else f"\n[screen]\nguard_ms = {guard_ms}\n"
    table = f'id = "{game.table}"\nhome = "."\n\n{rules}\n[dealing]\nassist = {assist}\n{guard}{_people()}'
    (folder / "table.toml").write_text(table, encoding="utf-8")
    if game.progressive:
        bank = f'id = "{BANK}"\nhome = "."\ntitle = "{game.title}"\ntables = ["{game.table}"]\n\n{rules}{_people()}'
        (folder / "bank.toml").write_text(bank, encoding="utf-8")
    return game


def _people() -> str:
    """Two people of a casino that does not exist, with their published PINs."""
    return "".join(
        f"\n[[people]]\nbadge = {_text(one.badge)}\nname = {_text(one.name)}\nrole = {_text(one.role)}\n"
        f"pin_hash = {_text(one.pin_hash)}\n"
        for one in SIMULATED_PEOPLE
    )


def _text(value: str) -> str:
    """A TOML string; of plain letters and signs JSON writes the same."""
    return json.dumps(value)


def levels(book: str) -> Sequence[int]:
    """The assist levels that a table of this book may have."""
    return (0, 1, 2) if BOOKS[book].progressive else (1, 2)
