"""A choice of many cases for the fast suite; the others are slow proofs, and CI runs both."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def some(cases: Iterable[Any], keep: Collection[Any]) -> list[Any]:
    """The cases of a test: those of `keep` in every run, the rest marked slow. Raises ValueError for one that is no case."""
    found = list(cases)
    if unknown := [one for one in keep if one not in found]:
        raise ValueError(f"no cases: {unknown}")
    return [one if one in keep else pytest.param(one, marks=pytest.mark.slow) for one in found]
