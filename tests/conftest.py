"""What tests of several rooms share: the game that lives in the tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.rules.games.game import Game
from firmware.rules.games.registry import register, withdraw

RIVERBOAT = Path(__file__).parent / "games" / "riverboat"


@pytest.fixture
def riverboat() -> Iterator[Game]:
    """A fifth game, registered for this test."""
    yield register(RIVERBOAT)
    withdraw("riverboat")
