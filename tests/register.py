"""docs/procedures.md as data, and what shows its claims: which book a test played, which paragraph a case of the law is of.

A paragraph is claimed only through a test that ran on a table of its own book. The tables of the tests note their book
(`tests/table/table.py`), the cases of the law their paragraph (`tests/rules/test_law.py`); `tests/conftest.py` collects
both from every worker and judges the document when a run is over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).resolve().parent
DOCUMENT = TESTS.parent / "docs" / "procedures.md"
LAW = "rules/test_law.py::test_law"
"""It ran for a paragraph when one of its cases is of that paragraph, of one above or of one beneath it."""
CODE = re.compile(r"`([^`]+)`")
CITED = re.compile(r"`([^`]+)`(?: \(([^)]+)\))?")
"""A test, and in brackets the chapters for which alone it stands there."""
CHAPTERS = {"653a": "pa-653a", "36.05.16": "md-36.05.16", "671a": "pa-671a", "677a": "pa-677a"}

SHOWN = "shown"
"""The property of a report that carries what its test has shown, also from a worker to the process that judges."""

seen: set[str] = set()
"""What the test that is running has shown so far: `table pa-653a`, `law 671a.11(c)(1)`."""


class Row(NamedTuple):
    """One row of one of the tables: which paragraphs, how the table knows them, which tests show it, of which chapters."""

    paragraphs: list[str]
    how: str
    tests: dict[str, tuple[str, ...]]


class Claim(NamedTuple):
    """A paragraph and a test that is to show it, as pytest names it, without parameters."""

    paragraph: str
    test: str

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]


# What a test shows ----------------------------------------------------------------------------------------------------


def played(book: str) -> None:
    """A press was accepted at a table of this book."""
    seen.add(f"table {book}")


def settled(section: str) -> None:
    """A case of the law is of these: `653a.11(h) to (m)` of the first, `36.05.16.11H, I, J` of three, or whole names."""
    first, *more = section.partition(" to ")[0].split(", ")
    whole = (name if "." in name else f"{first[:-1]}{name}" for name in more if "." in name or name.isalpha())
    seen.update(f"law {name}" for name in (first, *whole))


# What the document claims ---------------------------------------------------------------------------------------------


@cache
def rows() -> tuple[Row, ...]:
    """The rows that name a paragraph or stand in a table with a column of tests."""
    found = []
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| `") else []
        if len(cells) == 4:
            tests = {name: tuple(only.split(", ") if only else ()) for name, only in CITED.findall(cells[3])}
            found.append(Row(CODE.findall(cells[0]), cells[2], tests))
    return tuple(found)


def claims(of: Iterable[Row]) -> Iterator[Claim]:
    """Every paragraph with each test that stands there for its book."""
    for row in of:
        for name, only in row.tests.items():
            for paragraph in row.paragraphs:
                if not only or chapter(paragraph) in only:
                    yield Claim(paragraph, path_of(name))


def chapter(paragraph: str) -> str:
    """`36.05.16.11F(2)` stands in 36.05.16."""
    return next(chapter for chapter in CHAPTERS if paragraph.startswith(f"{chapter}."))


def path_of(name: str) -> str:
    """`test_decks.py::test_3_…` stands among the procedures; with a directory it is one of tests/."""
    return f"tests/{name}" if "/" in name.partition("::")[0] else f"tests/table/procedures/{name}"


# Whether it holds -----------------------------------------------------------------------------------------------------


def unproved(claimed: Iterable[Claim], shown: Mapping[str, Collection[str]]) -> list[Claim]:
    """The claims whose test showed nothing of their paragraph; `shown`: by test, without parameters."""
    return [claim for claim in claimed if not holds(claim, shown.get(claim.test, ()))]


def holds(claim: Claim, shown: Collection[str]) -> bool:
    """A table of the paragraph's book was played; or a case of the law is about the paragraph."""
    if claim.test == path_of(LAW):
        return any(one.startswith("law ") and related(one.removeprefix("law "), claim.paragraph) for one in shown)
    return f"table {CHAPTERS[chapter(claim.paragraph)]}" in shown


def related(one: str, other: str) -> bool:
    """The same paragraph, or one is part of the other: 653a.11(j) and 653a.11(j)(1), not 653a.1 and 653a.11."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and (len(long) == len(short) or long[len(short)] == "(")


# At the end of a run ---------------------------------------------------------------------------------------------------


class Judge:
    """Collects what passed tests have shown, and fails a run that leaves a claim of the document unproved."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.shown: dict[str, set[str]] = defaultdict(set)
        self.unproved: list[Claim] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.shown[report.nodeid.partition("[")[0]].update(
                str(dict(report.user_properties).get(SHOWN, "")).splitlines()
            )

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """A run that failed or left tests of a file out says nothing of them."""
        if exitstatus == pytest.ExitCode.OK and not chosen(self.config):
            ran = [Path(self.config.invocation_params.dir, argument).resolve() for argument in self.config.args]
            judged = [claim for claim in claims(rows()) if is_under(claim.file, ran)]
            self.unproved = unproved(judged, self.shown)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED if self.unproved else exitstatus

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.unproved:
            terminalreporter.section("docs/procedures.md claims what its tests do not show", red=True)
        for claim in self.unproved:
            terminalreporter.line(f"{claim.paragraph}: {claim.test} ran on no table of its book, or no case is of it")


def chosen(config: pytest.Config) -> bool:
    """Single tests were asked for, or some left out (those marked slow are cited nowhere)."""
    options = config.option
    some = options.keyword or options.deselect or options.ignore or options.ignore_glob or options.collectonly
    again = config.getoption("lf", False) or config.getoption("stepwise", False)
    marked = options.markexpr not in ("", "not slow")
    return bool(some or again or marked or any("::" in argument for argument in config.args))


def is_under(file: str, folders: list[Path]) -> bool:
    path = TESTS.parent / file
    return any(path == folder or folder in path.parents for folder in folders)
