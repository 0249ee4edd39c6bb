"""The simulated table of each book: its table.toml, and the bank.toml of its bank where it has one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path

from firmware.config import SIMULATED_PEOPLE
from firmware.rules.book import Sample
from firmware.rules.games import load_book
from firmware.rules.submission import parse_submission

BANK = "felt"


FIVE_CARD = "five_card_hand"
"""The wager of two buttons and an account a seat: few houses have it, and it takes room on every screen."""


def homes(folder: Path, tables: int) -> list[Path]:
    """The folders of so many tables: the first one's is the bank's own, the others' lie in it."""
    return [folder, *(folder / str(number) for number in range(2, tables + 1))]


def names(book: str, tables: int) -> list[str]:
    """The names of so many tables of a book: uth-04, uth-05 and so on."""
    pit, number = load_book(book).sample.table.rsplit("-", 1)
    return [f"{pit}-{int(number) + further:0{len(number)}}" for further in range(tables)]


def write(
    folder: Path,
    book: str,
    level: int | None = None,
    guard_ms: int | None = None,
    *,
    five_card: bool = False,
    tables: int = 1,
) -> Sample:
    """Write the table.toml of each of so many tables, and bank.toml where there is a bank, into `folder`.

    level: assist level; None: the book's own. guard_ms: of the screen's touch guard; None: the usual one. five_card: with
    the Five Card Hand bonus, where the book has it.
    """
    game = load_book(book).sample
    offered = {key: value for key, value in game.rules.items() if five_card or key != FIVE_CARD}
    rules = "".join(["[rules]\n", *(f"{key} = {_value(value)}\n" for key, value in {"book": book, **offered}.items())])
    assist = game.level if level is None else level
    guard = "" if guard_ms is None else f"\n[screen]\nguard_ms = {guard_ms}\n"
    called = names(book, tables)
    for name, home in zip(called, homes(folder, tables), strict=True):
        home.mkdir(parents=True, exist_ok=True)
        table = f'id = "{name}"\nhome = "."\n\n{rules}\n[dealing]\nassist = {assist}\n{guard}{people()}'
        (home / "table.toml").write_text(table, encoding="utf-8")
    if has_bank(book):
        bank = f'id = "{BANK}"\nhome = "."\ntitle = "{game.title}"\ntables = {_value(called)}\n\n{rules}'
        bank += _meters(game) + people()
        (folder / "bank.toml").write_text(bank, encoding="utf-8")
    return game


def _meters(game: Sample) -> str:
    """The names of the meters for people."""
    return "".join(
        f"\n[[meters]]\nname = {_value(name)}\ndisplay_name = {_value(display_name)}\nrank = {rank}\n"
        for rank, (name, display_name) in enumerate(game.meters.items(), start=1)
    )


def people() -> str:
    """Two people of a casino that does not exist, with their published PINs."""
    return "".join(
        f"\n[[people]]\nbadge = {_value(one.badge)}\nname = {_value(one.name)}\nrole = {_value(one.role)}\n"
        f"pin_hash = {_value(one.pin_hash)}\n"
        for one in SIMULATED_PEOPLE
    )


def _value(value: object) -> str:
    """As TOML writes it; of numbers, plain strings and lists of them JSON writes the same."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def has_bank(book: str) -> bool:
    """The table has a progressive wager, and its bank the meters."""
    return "progressive" in load_book(book).sample.rules


def has_five_card(book: str) -> bool:
    """The book has the Five Card Hand bonus."""
    return FIVE_CARD in load_book(book).sample.rules


def levels(book: str) -> Sequence[int]:
    """The assist levels that a table of this book may have."""
    return parse_submission({"book": book, **deepcopy(dict(load_book(book).sample.rules))}).levels
