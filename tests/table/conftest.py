"""What the tests of the table share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.table.table import forget


@pytest.fixture
def monkeypatch(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """As ever; and no table remembers a step of the program as it was before, or as it was for this test."""
    forget()
    yield monkeypatch
    forget()
