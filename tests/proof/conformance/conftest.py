"""The worlds of the programs that are checked."""

from __future__ import annotations

from tests.runtime.conftest import bank, clock

__all__ = ["bank", "clock"]
