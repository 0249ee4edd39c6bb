"""Docstrings and catalogs are plain American English: a ratchet, which goes down to zero room by room."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OPENS = re.compile(r"(?:^|(?<=[.!?:]\s))(?:What|Who|Whoever|Whatever|Whose|Of|Where|Which)\b(?![^.!?]*\?)")
"""A sentence that opens with a free relative clause, or with its condition; a real question is none."""
PERSON = re.compile(r"\b(?:he|his|him|himself)\b")
RIDDLES = re.compile(
    r"\b(?:whoever|whatever|of which|anew|nevertheless|in vain|strangers?|grievances?|for ever|told beside)\b",
    re.IGNORECASE,
)
BRITISH = re.compile(r"\b(?:colours?|neighbours?|centred?|grey|recognised?|millimetres?|behaviour)\b", re.IGNORECASE)
RULES = (OPENS, PERSON, RIDDLES, BRITISH)

LEFT: Mapping[str, tuple[int, int, int, int]] = {
    "firmware/__init__.py": (0, 0, 0, 0),
    "firmware/__main__.py": (0, 0, 0, 0),
    "firmware/bank": (0, 0, 0, 0),
    "firmware/commands": (0, 0, 0, 0),
    "firmware/config.py": (0, 0, 0, 0),
    "firmware/plain.py": (0, 0, 0, 0),
    "firmware/proof": (0, 0, 0, 0),
    "firmware/rules": (0, 0, 0, 0),
    "firmware/runtime": (0, 0, 1, 0),
    "firmware/settle.py": (0, 0, 0, 0),
    "firmware/table": (0, 0, 0, 0),
    "firmware/wire": (0, 0, 0, 0),
    "hal": (0, 0, 0, 0),
    "scripts": (0, 0, 0, 0),
    "tests": (455, 45, 139, 0),
    "ui/__init__.py": (0, 0, 0, 0),
    "ui/dealer": (0, 0, 0, 0),
    "ui/sign": (0, 0, 1, 0),
    "ui/words.py": (0, 0, 0, 0),
    "ui/words": (7, 0, 0, 0),
}
"""Room -> how many sentences each rule still finds. A number only goes down, in the commit that mends the sentences."""


def docstrings(folder: Path) -> Iterator[str]:
    """Every docstring below a folder, those of attributes included; of a folder of modules alone, its own."""
    for path in sorted(folder.rglob("*.py") if folder.is_dir() else [folder]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield re.sub(r"`[^`]*`", "x", " ".join(node.value.value.split()))


def messages(folder: Path) -> Iterator[str]:
    """Every English text of the catalogs below a folder."""
    for path in sorted(folder.rglob("*.po")):
        yield from re.findall(r'^msgstr(?:\[\d\])? "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)


def found(texts: Iterator[str]) -> tuple[int, int, int, int]:
    """How many times each rule finds something."""
    opens = person = riddles = british = 0
    for text in texts:
        opens += len(OPENS.findall(text))
        person += len(PERSON.findall(text))
        riddles += len(RIDDLES.findall(text))
        british += len(BRITISH.findall(text))
    return opens, person, riddles, british


def texts_of(room: str) -> Iterator[str]:
    """The catalogs of a room that ends with `words`, else its docstrings."""
    return messages(ROOT / room) if room.endswith("words") else docstrings(ROOT / room)


@pytest.mark.parametrize("room", LEFT)
def test_a_room_has_no_more_sentences_that_are_read_twice_than_before_and_says_when_it_has_fewer(room: str) -> None:
    assert found(texts_of(room)) == LEFT[room]


def test_every_room_is_in_the_table() -> None:
    modules = [path.relative_to(ROOT) for top in ("firmware", "hal", "ui") for path in (ROOT / top).rglob("*.py")]
    within = [*map(Path, LEFT)]
    assert not [path for path in modules if not any(room in (path, *path.parents) for room in within)]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("What is told of a seat. Of a seat that is settled, nothing.", (2, 0, 0, 0)),
        ("Who wins? Where the dealer ties, the bet is returned.", (1, 0, 0, 0)),
        ("The dealer shows his cards, whoever asks for them anew.", (0, 1, 2, 0)),
        ("The neighbour's colour.", (0, 0, 0, 2)),
        ("The table sends each message until the bank confirms it.", (0, 0, 0, 0)),
    ],
)
def test_a_planted_sentence_is_found(text: str, counts: tuple[int, ...]) -> None:
    assert found(iter([text])) == counts
