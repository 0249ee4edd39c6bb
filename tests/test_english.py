"""Docstrings, comments, error sentences, catalogs and documents are plain American English: a ratchet, down to zero."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path
from tokenize import COMMENT

import pytest

ROOT = Path(__file__).resolve().parent.parent
OPENS = re.compile(r"(?:^|(?<=[.!?:]\s))(?:What|Who|Whoever|Whatever|Whose|Of|Where|Which)\b(?![^.!?]*\?)")
"""A sentence that opens with a free relative clause, or with its condition; a real question is none."""
PERSON = re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE)
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
    "firmware/runtime": (0, 0, 0, 0),
    "firmware/settle.py": (0, 0, 0, 0),
    "firmware/table": (0, 0, 0, 0),
    "firmware/wire": (0, 0, 0, 0),
    "hal": (0, 0, 0, 0),
    "scripts": (0, 0, 0, 0),
    "tests": (455, 48, 139, 0),
    "ui/__init__.py": (0, 0, 0, 0),
    "ui/colors.py": (0, 0, 0, 0),
    "ui/dealer": (0, 0, 0, 0),
    "ui/sign": (0, 0, 0, 0),
    "ui/web.py": (0, 0, 0, 0),
    "ui/words.py": (0, 0, 0, 0),
    "catalogs of firmware": (0, 0, 0, 0),
    "catalogs of ui": (0, 0, 0, 0),
    "comments of firmware": (0, 0, 0, 0),
    "comments of hal": (0, 0, 0, 0),
    "comments of scripts": (0, 0, 0, 0),
    "comments of tests": (47, 10, 6, 0),
    "comments of ui": (0, 0, 0, 0),
    "errors of firmware": (0, 0, 0, 0),
    "errors of hal": (0, 0, 0, 0),
    "documents of .": (0, 0, 0, 0),
    "documents of docs": (40, 28, 21, 0),
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
    """Every English text of the catalogs below a folder, on one line or on several."""
    for path in sorted(folder.rglob("en/LC_MESSAGES/*.po")):
        text = re.sub(r'"\n"', "", path.read_text(encoding="utf-8"))
        yield from re.findall(r'^msgstr(?:\[\d\])? "(.+)"$', text, re.MULTILINE)


def comments(folder: Path) -> Iterator[str]:
    """Every comment below a folder, lines that follow each other as one."""
    for path in sorted(folder.rglob("*.py")):
        with path.open("rb") as opened:
            read = [
                (token.start[0], token.string) for token in tokenize.tokenize(opened.readline) if token.type == COMMENT
            ]
        said = ""
        for place, (row, text) in enumerate(read):
            said += f" {text.lstrip('# -')}"
            if place + 1 == len(read) or read[place + 1][0] != row + 1:
                yield re.sub(r"`[^`]*`", "x", said.strip())
                said = ""


def errors(folder: Path) -> Iterator[str]:
    """Every text that is raised or logged below a folder."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) or (
                isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log.")
            ):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


def documents(folder: Path) -> Iterator[str]:
    """Every paragraph, row and item of the documents of a folder, without code."""
    for path in sorted(folder.glob("*.md")):
        text = re.sub(
            r"```.*?```|^ {4}.*$|`[^`]*`", "x", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        yield from (" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=[-|*\d#])|\|", text))


def found(texts: Iterator[str]) -> tuple[int, int, int, int]:
    """How many times each rule finds something."""
    opens = person = riddles = british = 0
    for text in texts:
        opens += len(OPENS.findall(text))
        person += len(PERSON.findall(text))
        riddles += len(RIDDLES.findall(text))
        british += len(BRITISH.findall(text))
    return opens, person, riddles, british


KINDS = {"comments": comments, "errors": errors, "catalogs": messages, "documents": documents}


def texts_of(room: str) -> Iterator[str]:
    """The texts of a kind in a folder (`comments of hal`); of a folder alone its docstrings."""
    kind, _, folder = room.rpartition(" of ")
    return KINDS.get(kind, docstrings)(ROOT / folder)


@pytest.mark.parametrize("room", LEFT)
def test_a_room_has_no_more_sentences_that_are_read_twice_than_before_and_says_when_it_has_fewer(room: str) -> None:
    assert found(texts_of(room)) == LEFT[room]


def test_every_room_is_in_the_table() -> None:
    modules = [path.relative_to(ROOT) for top in ("firmware", "hal", "ui") for path in (ROOT / top).rglob("*.py")]
    within = [Path(room) for room in LEFT if " of " not in room]
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


def test_identifiers_are_american() -> None:
    """Names of classes, functions, fields and variables, word by word."""
    words = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
    for top in ("firmware", "hal", "ui", "scripts", "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = getattr(node, "name", None) or getattr(node, "id", None) or getattr(node, "attr", None)
                british = BRITISH.search(" ".join(words.findall(name))) if isinstance(name, str) else None
                assert not british, f"{path}:{getattr(node, 'lineno', 0)}: {name}"
