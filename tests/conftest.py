"""What tests of several rooms share: the games that live in the tests only; and the register of procedures, which is
judged by what the tests of a run have shown."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from firmware.rules.games.game import Game
from firmware.rules.games.registry import register as register_game
from firmware.rules.games.registry import withdraw
from tests import register

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def riverboat() -> Iterator[Game]:
    """A fifth game, registered for this test."""
    yield register_game(GAMES / "riverboat")
    withdraw("riverboat")


@pytest.fixture
def levee() -> Iterator[Game]:
    """A game of another kind, with hands of three cards, registered for this test."""
    yield register_game(GAMES / "levee")
    withdraw("levee")


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """A command makes its process private; a test that calls one in this process leaves the next test as it was."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


# The register of procedures -------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    register.seen.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    item.user_properties.append((register.SHOWN, "\n".join(sorted(register.seen))))


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of xdist sends its reports to the process that judges
        config.pluginmanager.register(register.Judge(config), "register")
