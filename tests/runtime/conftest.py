"""A table and a bank in memory, each on a journal in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runtime.world import BankWorld, Clock, TableWorld


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The one clock of both processes."""
    clock = Clock()
    clock.install(monkeypatch)
    return clock


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> TableWorld:
    return TableWorld(tmp_path, clock)


@pytest.fixture
def bank(tmp_path: Path, clock: Clock) -> BankWorld:
    return BankWorld(tmp_path, clock)
