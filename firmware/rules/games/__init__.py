"""The games: a folder each, with its book (`book.toml`), its readings (`readings.toml`) and its law (`game.py`).

`books`, `load_book`: the books of the folders here and of those that were added. `registry` knows the law to each.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from firmware.rules.book import Book, read_book
from firmware.rules.playable import refuse_unplayable
from firmware.rules.strict import Refusal

SHIPPED = ("ultimate", "maryland", "lunar", "heads_up")
"""The folders beside this file, in the order in which books are listed."""

_NAME = re.compile(r'^book = "([^"\n]+)"$', re.MULTILINE)


def name_of_book(folder: Path) -> str:
    """The name of a folder's book, without reading the whole of it. Raises ValueError where it has none."""
    name = _NAME.search((folder / "book.toml").read_text(encoding="utf-8"))
    if name is None:
        raise ValueError(f'{folder.name}/book.toml: a line book = "NAME" is missing')
    return name[1]


@lru_cache(maxsize=1)
def _folders() -> dict[str, Path]:
    """Folder by name of its book."""
    here = Path(__file__).parent
    return {name_of_book(folder): folder for folder in map(here.joinpath, SHIPPED)}


def books() -> tuple[str, ...]:
    """The names of all books."""
    return tuple(_folders())


def folders() -> tuple[Path, ...]:
    """The folders of all games."""
    return tuple(_folders().values())


def folder_of(name: str) -> Path:
    """The folder of a book. Raises Refusal for a name that is none."""
    folder = _folders().get(name)
    if folder is None:
        raise Refusal("book", f"{ascii(name)[:40]} is not a book; right would be {' or '.join(books())}")
    return folder


@lru_cache(maxsize=64)
def load_book(name: str) -> Book:
    """The book of this name. Raises Refusal for a name that is none, and for a game that the table cannot play yet."""
    file = folder_of(name).joinpath("book.toml")
    book = read_book(tomllib.loads(file.read_text(encoding="utf-8")))
    refuse_unplayable(book)
    return book


def add(folder: Path) -> str:
    """Put another game's folder beside those that are shipped; gives the name of its book. ValueError: it is taken."""
    name = name_of_book(folder)
    if _folders().get(name, folder) != folder:
        raise ValueError(f"{name}: another game has this name")
    _folders()[name] = folder
    return name


def remove(name: str) -> Path | None:
    """Take an added folder away again; gives it, None where there was none of this name."""
    folder = _folders().pop(name, None)
    load_book.cache_clear()
    return folder
