"""docs/procedures.md is complete: every paragraph of the four texts has its row, and every row its test or its reason."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

import pytest

TESTS = Path(__file__).resolve().parent.parent
DOCUMENT = TESTS.parent / "docs" / "procedures.md"
LISTS = sorted((TESTS / "table" / "paragraphs").glob("*.txt"))
HANDS = re.compile(r"dealer's hands alone: \S")
CODE = re.compile(r"`([^`]+)`")
SECTIONS = ("3", "4", "5", "7", "8", "9", "10", "11", "13")
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
NUMBER = re.compile(r"(?P<chapter>\d{3}a|36\.05\.16)\.0?(?P<section>\d+)(?P<letter>[A-Z]?)(?P<levels>(?:\(\w+\))*)")


class Row(NamedTuple):
    """One row of one of the tables: which paragraphs, how the table knows them, which tests show it."""

    paragraphs: list[str]
    how: str
    tests: list[str]


def rows() -> list[Row]:
    """The rows that name a paragraph or stand in a table with a column of tests."""
    found = []
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| `") else []
        if len(cells) == 4:
            found.append(Row(CODE.findall(cells[0]), cells[2], CODE.findall(cells[3])))
    return found


def listed() -> list[str]:
    """All numbers of the four lists, book after book, in the order of the texts."""
    return [number for file in LISTS for number in file.read_text(encoding="utf-8").splitlines()]


ROWS = rows()
LISTED = listed()


def test_there_are_four_lists_and_the_document_states_their_lengths() -> None:
    stated = dict(
        re.findall(r"^\| .+ \(`(\S+\.txt)`\) \| (\d+) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert len(LISTS) == 4
    assert stated == {file.name: str(len(file.read_text(encoding="utf-8").splitlines())) for file in LISTS}


def test_every_paragraph_has_a_row() -> None:
    named = {number for row in ROWS for number in row.paragraphs}
    assert [number for number in LISTED if number not in named] == []


def test_every_row_names_listed_paragraphs_only() -> None:
    assert [row for row in ROWS if not row.paragraphs or not set(row.paragraphs) <= set(LISTED)] == []


def test_no_paragraph_has_two_rows() -> None:
    named = [number for row in ROWS for number in row.paragraphs]
    assert sorted({number for number in named if named.count(number) > 1}) == []


def test_every_row_names_tests_or_says_why_it_is_the_dealers_hands_alone() -> None:
    """One of the two, never both: what has a test is not beyond the table's knowledge."""
    assert [row for row in ROWS if bool(row.tests) == bool(HANDS.match(row.how))] == []


def test_every_row_names_a_test_that_exists() -> None:
    missing = {name for row in ROWS for name in row.tests if not exists(name)}
    assert sorted(missing) == []


def exists(name: str) -> bool:
    """`test_decks.py::test_3_…` stands among the procedures; with a directory it is one of tests/."""
    file, _, function = name.partition("::")
    return function in functions(TESTS / file if "/" in file else TESTS / "table" / "procedures" / file)


@cache
def functions(path: Path) -> frozenset[str]:
    """The functions that stand in a file, none where there is no file; many rows name one file, which is read once."""
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


# The lists themselves -------------------------------------------------------------------------------------------------


def place(number: str) -> tuple[str, ...]:
    """`653a.11(f)(2)(i)` -> 11, f, 2, i; Maryland's `36.05.16.11F(2)` -> 11, F, 2. The second F of .07 stands for itself."""
    found = NUMBER.fullmatch(number.removesuffix(" (second)"))
    assert found, number
    letter = ("second " if number.endswith("(second)") else "") + found["letter"]
    levels = re.findall(r"\((\w+)\)", found["levels"])
    return (found["section"], *([letter] if letter else []), *levels)


def in_sequence(marks: list[str]) -> bool:
    """Siblings count on without a gap: 1 2 3, a b c, A B C, i ii iii."""
    starts = {"1": [str(number) for number in range(1, 27)], "i": ROMAN, "a": ascii_lowercase, "A": ascii_uppercase}
    return marks[0] in starts and marks == list(starts[marks[0]][: len(marks)])


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.stem)
def test_a_list_skips_no_level_and_no_number(file: Path) -> None:
    children: dict[tuple[str, ...], list[str]] = {}
    seen: set[tuple[str, ...]] = set()
    for number in file.read_text(encoding="utf-8").splitlines():
        at = place(number)
        if at[1].startswith("second"):
            continue
        assert len(at) == 2 or at[:-1] in seen, f"{number} stands before the paragraph it belongs to"
        seen.add(at)
        children.setdefault(at[:-1], []).append(at[-1])
    assert tuple(parent[0] for parent in children if len(parent) == 1) == SECTIONS
    assert [parent for parent, marks in children.items() if not in_sequence(marks)] == []
