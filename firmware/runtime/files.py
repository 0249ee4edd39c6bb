"""Open a journal without being told whose it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware.runtime import bank, table
from firmware.runtime.journal import Journal
from firmware.runtime.sqlite import Database, StoreError


def open_any(path: Path) -> Journal[Any]:
    """The journal of a table or a bank, for reading. Raises StoreError."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such file; name a journal, for example run/table.journal")
    database = Database(path, read_only=True)
    try:
        found = database.execute("SELECT value FROM about WHERE key = 'of'")
    finally:
        database.close()
    vocabularies = {vocabulary.name: vocabulary for vocabulary in (table.VOCABULARY, bank.VOCABULARY)}
    of = found[0][0] if found else None
    if of not in vocabularies:
        raise StoreError(f"{path}: a journal of {of!r}; this program reads those of a table or a bank")
    return Journal(path, vocabularies[str(of)], read_only=True)
