"""Open a journal without being told whose it is."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from firmware.runtime import bank, table, table_keeping
from firmware.runtime.journal import Journal, about
from firmware.runtime.seals import NOBODY, SealBroken, SealCheck, Trusted, newest_seal
from firmware.runtime.snapshots import Keeping, checked
from firmware.runtime.sqlite import StoreError


def open_any(path: Path) -> Journal[Any]:
    """The journal of a table or a bank, for reading. Raises StoreError."""
    of = about(path).get("of", "nothing")
    vocabularies = {vocabulary.name: vocabulary for vocabulary in (table.VOCABULARY, bank.VOCABULARY)}
    if of not in vocabularies:
        raise StoreError(f"{path}: a journal of {of!r}; this program reads those of a table or a bank")
    return Journal(path, vocabularies[of], read_only=True)


def verify(path: Path, trusted: Trusted = NOBODY) -> tuple[int, str, str]:
    """(rows, head hash, what the seals say) of a journal in which all is right: chain, index, snapshots, seals.

    Raises JournalDamaged, StoreError.
    """
    with closing(open_any(path)) as journal:
        keeping: Keeping[Any, Any] = (
            table_keeping.keeping() if journal.vocabulary is table.VOCABULARY else bank.keeping()
        )
        check = SealCheck(journal, trusted)
        for entry in checked(journal, keeping):
            check.see(entry)
        return journal.rows, journal.head, check.report()


def newest_checkpoint(path: Path) -> str:
    """The text of a journal's last seal, as it stands. Raises StoreError."""
    with closing(open_any(path)) as journal:
        newest = newest_seal(journal)
        if newest is None:
            raise SealBroken(path, "there is no seal")
        return newest[2]
