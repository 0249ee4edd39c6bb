"""Open a journal without being told whose it is."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.runtime import bank, table_journal, table_keeping
from firmware.runtime.clock import SteadyClock
from firmware.runtime.day_files import Journal
from firmware.runtime.journal import FileGone, about
from firmware.runtime.progress import shown
from firmware.runtime.seals import NOBODY, SealBroken, SealCheck, Trusted, newest_seal
from firmware.runtime.snapshots import Keeping, checked
from firmware.runtime.sqlite import StoreError


def open_any(path: Path) -> Journal[Any]:
    """The journal of a table or a bank, for reading. Raises StoreError."""
    of = about(path).get("of", "nothing")
    vocabularies = {vocabulary.name: vocabulary for vocabulary in (table_journal.VOCABULARY, bank.VOCABULARY)}
    if of not in vocabularies:
        raise StoreError(f"{path}: a journal of {of!r}; this program reads those of a table or a bank")
    return Journal(path, vocabularies[of], read_only=True)


def clock_of(path: Path) -> SteadyClock:
    """The time by a journal that is there. Raises StoreError."""
    with closing(open_any(path)) as journal:
        return journal.clock


NAMES = ("table.journal", "bank.ledger")


def in_folder(path: Path) -> Path:
    """The journal of a folder, where one is named; its earlier files are found by it."""
    return next((path / name for name in NAMES if (path / name).exists()), path) if path.is_dir() else path


@dataclass(frozen=True, slots=True)
class Verified:
    """A journal that was found right: rows `first` to `rows` in so many files, and the hash of the last.

    `missing`: the file with the rows before, if it is not beside this one; "" if all was looked at. `sealed`: the words of
    the seals. `gone`: the files that two people signed as gone.
    """

    first: int
    rows: int
    files: int
    head: str
    missing: str = ""
    sealed: str = ""
    gone: tuple[FileGone, ...] = ()


def verify(path: Path, trusted: Trusted = NOBODY) -> Verified:
    """A journal in which all is right: chain, index, snapshots, seals, through all of its files.

    Raises JournalDamaged, SealBroken, StoreError.

    If an earlier file is not there, the rest is verified by itself, as far back as it goes.
    """
    with closing(open_any(in_folder(path))) as journal:
        there, missing = _there(journal)
        check = SealCheck(journal, trusted, there)
        if missing:
            expected, before = 0, ""
            for file in there:
                for entry in file.own_checked(expected, before):
                    check.see(entry)
                    expected, before = entry.row + 1, entry.hash
            return Verified(there[0].first, journal.rows, len(there), journal.head, missing, check.report())
        keeping: Keeping[Any, Any] = (
            table_keeping.keeping() if journal.vocabulary is table_journal.VOCABULARY else bank.keeping()
        )
        for entry in shown(checked(journal, keeping), "row", journal.rows):
            check.see(entry)
        gone = tuple(part for part in journal.parts if isinstance(part, FileGone))
        return Verified(there[0].first, journal.rows, len(there), journal.head, sealed=check.report(), gone=gone)


def newest_checkpoint(path: Path) -> str:
    """The text of a journal's last seal, as it stands. Raises StoreError."""
    with closing(open_any(in_folder(path))) as journal:
        newest = newest_seal(journal)
        if newest is None:
            raise SealBroken(path, "there is no seal")
        return newest[2]


def _there(journal: Journal[Any]) -> tuple[list[Journal[Any]], str]:
    """The files that are there, oldest first, and the name of one that is missing before them, and nobody signed for."""
    found, file = [journal], journal
    while True:
        if name := file.unsigned:
            return found, name
        if file.earlier is None:
            return found, ""
        file = file.earlier
        found.insert(0, file)
