"""What tests of several rooms share: the game that lives in the tests only; and the register of procedures, which is
judged by what the tests of a run have shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from firmware.rules.games.game import Game
from firmware.rules.games.registry import register as register_game
from firmware.rules.games.registry import withdraw
from tests import register

RIVERBOAT = Path(__file__).parent / "games" / "riverboat"
SHOWN = "shown"
"""The property of a report that carries what its test has shown, also from a worker to the process that collects."""


@pytest.fixture
def riverboat() -> Iterator[Game]:
    """A fifth game, registered for this test."""
    yield register_game(RIVERBOAT)
    withdraw("riverboat")


# The register of procedures -------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    register.seen.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    yield
    item.user_properties.append((SHOWN, sorted(register.seen)))


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of xdist sends its reports to the process that judges
        config.pluginmanager.register(Judge(config), "register")


class Judge:
    """Collects what passed tests have shown, and fails a run that leaves a claim of the document unproved."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.shown: dict[str, set[str]] = defaultdict(set)
        self.unproved: list[register.Claim] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.shown[report.nodeid.partition("[")[0]].update(*(dict(report.user_properties).get(SHOWN, ()),))

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """A run that failed or left tests of a file out says nothing of them."""
        if exitstatus == pytest.ExitCode.OK and not chosen(self.config):
            ran = [Path(self.config.rootpath, argument) for argument in self.config.args]
            judged = [claim for claim in register.claims(register.rows()) if is_under(claim.file, ran)]
            self.unproved = register.unproved(judged, self.shown)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED if self.unproved else exitstatus

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.unproved:
            terminalreporter.section("docs/procedures.md claims what its tests do not show", red=True)
        for claim in self.unproved:
            terminalreporter.line(f"{claim.paragraph}: {claim.test} ran on no table of its book, or no case is of it")


def chosen(config: pytest.Config) -> bool:
    """Single tests were asked for, or some left out (those marked slow are cited nowhere)."""
    options = config.option
    some = options.keyword or options.deselect or options.collectonly or options.markexpr not in ("", "not slow")
    again = config.getoption("lf", False) or config.getoption("stepwise", False)
    return bool(some or again or any("::" in argument for argument in config.args))


def is_under(file: str, folders: list[Path]) -> bool:
    path = register.TESTS.parent / file
    return any(path == folder or folder in path.parents for folder in folders)
