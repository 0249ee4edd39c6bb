"""Open a journal without being told whose it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware.runtime import bank, table
from firmware.runtime.journal import Journal, about
from firmware.runtime.sqlite import StoreError


def open_any(path: Path) -> Journal[Any]:
    """The journal of a table or a bank, for reading. Raises StoreError."""
    of = about(path).get("of", "nothing")
    vocabularies = {vocabulary.name: vocabulary for vocabulary in (table.VOCABULARY, bank.VOCABULARY)}
    if of not in vocabularies:
        raise StoreError(f"{path}: a journal of {of!r}; this program reads those of a table or a bank")
    return Journal(path, vocabularies[of], read_only=True)
