"""A journal that a program writes to, and the anchor beside it: what is said of the one while the other grows.

The write-ahead log has to be there while the program runs, but for one moment: when a day was put aside, the new file has
none before its first row. Then the anchor says so, and nothing is promised before it says otherwise.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from firmware.runtime import whole
from firmware.runtime.anchor import Anchor, AnchorFile
from firmware.runtime.day_files import Journal
from firmware.runtime.journal import JournalDamaged, Vocabulary
from firmware.runtime.lost_files import OF_A_DAY
from firmware.runtime.sqlite import StoreError, by_itself, lock_out_others, step_back, sync_folder

log = logging.getLogger("felt.journal")


class AnchoredJournal:
    """One journal, which was read through, and its anchor."""

    def __init__(self, journal: Journal[Any]) -> None:
        self.journal, self.anchor = journal, AnchorFile(journal.path)
        self.logged = 0
        """Up to this row nothing stands in the log: a new file was begun, and its own is still to come."""
        self._log_is_empty = False

    def hold(self, *, announced: bool = False) -> None:
        """Raises JournalLost where the journal is not the one that was anchored, but for one that people have `announced`;
        StoreError where a page of it cannot be read.
        """
        if not announced:
            self.anchor.hold(self.journal)
        self.journal.database.look_at_pages(all_of_them=False)

    def keep(self) -> None:
        """All rows go into the file itself, and the anchor says how many there are. Raises StoreError."""
        self.journal.database.checkpoint()
        self.anchor.write(self.journal, running=True)

    def keep_log(self) -> None:
        """The first row of a new file stands in the log, and nothing follows from it yet: from here on it is to be there."""
        if self._log_is_empty and self.journal.rows > self.logged:
            self._log_is_empty = False
            self.anchor.write(self.journal, running=True)

    def begin_file(self, begin: Callable[[], str]) -> str:
        """Go on in a new file by `begin`; why not yet, "" where it is done. Raises StoreError (`Journal.begin_file`)."""
        self.journal.database.checkpoint()
        self.anchor.write(self.journal, running=False)
        self._log_is_empty = True
        why = begin()
        self.logged = self.journal.rows
        return why

    def leave(self) -> None:
        """The program ends in order: its last row is sealed, and no log has to be there. Raises StoreError."""
        try:
            self.journal.seal()
        finally:
            self.anchor.write(self.journal, running=False)


def take_back(path: Path, vocabulary: Vocabulary[Any]) -> None:
    """If a day's new file cannot be read, and the file of the day before has all that was ever promised, that one takes its
    name back; the unreadable file stays as evidence. Raises StoreError.
    """
    said = AnchorFile(path).read()
    if said is None or said.running or not path.exists():
        return
    days = [one for one in path.parent.glob(f"{path.name}.*") if OF_A_DAY.fullmatch(one.name)]
    before = next((one for one in sorted(days, reverse=True) if _ends_as(one, said)), None)
    if before is None or before.samefile(path):
        return
    lock = lock_out_others(path)
    try:
        step_back(path)
        why = _unreadable(path, vocabulary)
        if why:
            _exchange(path, before, why)
    finally:
        os.close(lock)


def _ends_as(day: Path, said: Anchor) -> bool:
    """All that the anchor says stands in this day's file, and every page of it can be read."""
    try:
        with closing(by_itself(day)) as file:
            [(of,)] = file.execute("SELECT value FROM about WHERE key = 'id'")
            ends = file.execute("SELECT row, hash FROM event ORDER BY row DESC LIMIT 1")
            if of != said.journal or ends != [(said.rows, said.head)]:
                return False
            file.look_at_pages(all_of_them=True)
    except (StoreError, ValueError):
        return False
    return True


def _unreadable(path: Path, vocabulary: Vocabulary[Any]) -> str:
    """Why nobody can go on with this file, "" where one can."""
    try:
        with closing(Journal(path, vocabulary, read_only=True)) as journal:
            journal.database.look_at_pages(all_of_them=True)
            for _ in journal.own_entries():
                pass
            return ""
    except (StoreError, JournalDamaged, ValueError) as error:
        return str(error)


def _exchange(path: Path, before: Path, why: str) -> None:
    """Under both names stands the day's file again, as before the new one took its name; the day is put aside once more."""
    try:
        for ending in ("-wal", "-shm", ""):
            found = path.with_name(path.name + ending)
            if found.exists():
                os.link(found, _free(path.with_name(f"{path.name}.unreadable{ending}")))
            if ending and found.exists():
                found.unlink()
        new = path.with_name(f"{path.name}.new")
        whole.discard(new)
        os.link(before, new)
        sync_folder(path.parent)
        new.rename(path)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(
            f"{path}: {why}; and {before.name}, which has all rows, cannot take its place: {error}"
        ) from error
    log.error("%s: %s; nothing was promised on it yet: it goes on from %s, which has all rows", path, why, before.name)


def _free(path: Path) -> Path:
    """This name, or one with a number behind it, that nothing has."""
    number, found = 1, path
    while found.exists():
        number, found = number + 1, path.with_name(f"{path.name}.{number}")
    return found
