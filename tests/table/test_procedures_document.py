"""docs/procedures.md is complete: every paragraph of the four texts has its row, and every row its test or its reason."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from types import SimpleNamespace

import pytest

from tests import register
from tests.register import DOCUMENT, TESTS, Claim, Row

LISTS = sorted((TESTS / "table" / "paragraphs").glob("*.txt"))
HANDS = re.compile(r"dealer's hands alone: \S")
SECTIONS = ("3", "4", "5", "7", "8", "9", "10", "11", "13")
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
NUMBER = re.compile(r"(?P<chapter>\d{3}a|36\.05\.16)\.0?(?P<section>\d+)(?P<letter>[A-Z]?)(?P<levels>(?:\(\w+\))*)")


def listed() -> list[str]:
    """All numbers of the four lists, book after book, in the order of the texts."""
    return [number for file in LISTS for number in file.read_text(encoding="utf-8").splitlines()]


ROWS = register.rows()
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
    file, _, function = register.path_of(name).partition("::")
    return function in functions(TESTS.parent / file)


@cache
def functions(path: Path) -> frozenset[str]:
    """The functions that stand in a file, none where there is no file; many rows name one file, which is read once."""
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_paragraph_is_claimed_through_a_table_of_its_book() -> None:
    """A case of the law may stand beside it; and brackets name only books of the row that need another test."""
    known = {claim.paragraph for claim in register.claims(ROWS) if claim.test != register.path_of(register.LAW)}
    assert [number for row in ROWS if row.tests for number in row.paragraphs if number not in known] == []
    for row in ROWS:
        here = {register.chapter(paragraph) for paragraph in row.paragraphs}
        assert all(set(only) < here for only in row.tests.values() if only), row


@pytest.mark.parametrize(
    ("paragraph", "test", "shown", "proved"),
    [
        ("36.05.16.11J", "test_prizes.py::test_11j", ["table md-36.05.16"], True),
        ("36.05.16.11J", "test_prizes.py::test_11j", ["table pa-653a"], False),
        ("36.05.16.11J", "test_prizes.py::test_11j", [], False),
        ("653a.11(j)", register.LAW, ["law 653a.11(j)(1)"], True),
        ("653a.11(j)(1)", register.LAW, ["law 653a.11(j)"], True),
        ("653a.11(j)(1)", register.LAW, ["law 653a.1", "law 653a.11(j)(2)", "table pa-653a"], False),
    ],
)
def test_a_claim_holds_by_a_table_of_its_book_or_a_case_of_its_paragraph(
    paragraph: str, test: str, shown: list[str], proved: bool
) -> None:
    claim = Claim(paragraph, register.path_of(test))
    assert register.unproved([claim], {claim.test: shown}) == ([] if proved else [claim])
    assert register.unproved([claim], {}) == [claim], "a test that never ran shows nothing"


def test_a_test_in_brackets_stands_for_these_books_alone() -> None:
    row = Row(["653a.7(b)", "671a.7(b)"], "", {"test_wagers.py::test_7": (), "test_lunar_round.py::test_7b": ("671a",)})
    assert [(claim.paragraph, claim.test.rpartition("::")[2]) for claim in register.claims([row])] == [
        ("653a.7(b)", "test_7"),
        ("671a.7(b)", "test_7"),
        ("671a.7(b)", "test_7b"),
    ]


def test_a_run_that_leaves_a_claim_unproved_fails() -> None:
    """One book of four ran; single tests, or a run that failed, are not judged."""
    options = dict.fromkeys(("keyword", "deselect", "ignore", "ignore_glob", "collectonly", "markexpr"), "")
    test = "tests/table/procedures/test_decks.py::test_3_decks_alternate_every_round"
    report = SimpleNamespace(
        when="call", passed=True, nodeid=f"{test}[pa-653a]", user_properties=[(register.SHOWN, "table pa-653a")]
    )

    def judged(argument: str, exitstatus: int = 0) -> tuple[int, list[str]]:
        config = SimpleNamespace(
            option=SimpleNamespace(**options),
            args=[argument],
            invocation_params=SimpleNamespace(dir=TESTS.parent),
            getoption=lambda *_: False,
        )
        judge, session = register.Judge(config), SimpleNamespace(exitstatus=exitstatus)  # type: ignore[arg-type]
        judge.pytest_runtest_logreport(report)  # type: ignore[arg-type]
        judge.pytest_sessionfinish(session, exitstatus)  # type: ignore[arg-type]
        return session.exitstatus, [claim.paragraph for claim in judge.unproved if claim.test == test]

    alternate = ["36.05.16.03B(4)", "671a.3(b)(3)", "677a.3(b)(3)"]
    assert judged("tests") == judged("tests/table/procedures/test_decks.py") == (1, alternate)
    assert judged("tests/bank") == judged(test) == (0, [])
    assert judged("tests", exitstatus=1) == (1, [])


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
