"""Snapshots: the state after a row of the journal, so that a start replays from there and not from row 1.

A snapshot is a row of the journal and so in its chain: the row holds the hash of the state's text, and the text stands in
a table beside it, written in the same transaction. A text with another hash is never believed, even if the rows before
it agree. It is read only by the very program that wrote it (`Keeping.program`); any other starts from row 1, and `checked`
makes every state again from row 1 on.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from firmware.runtime.day_files import Journal
from firmware.runtime.journal import Entry, JournalDamaged, OwnRow, Snapshot, SnapshotTaken, hash_of_state
from firmware.runtime.sqlite import StoreError

log = logging.getLogger("felt.journal")

S = TypeVar("S")
E = TypeVar("E")

EVERY_MOST = 5_000
"""Rows between two snapshots, at most."""


@dataclass(frozen=True, slots=True)
class Keeping(Generic[S, E]):
    """How the state of one kind of journal is kept: made from nothing, carried on, written and read.

    `read(write(state))` equals the state, and equal states have one text.
    """

    program: str
    """64 hex digits of the code that keeps these books: `program_of`."""
    initial: S
    evolve: Callable[[S, E], S]
    write: Callable[[S], str]
    read: Callable[[str], S]
    calm: Callable[[S], bool]
    """A good moment, for instance because nobody waits, or little has to be written."""
    every: int
    """Rows between two snapshots at most: a start replays fewer."""
    calm_after: int
    """Rows after which the next calm moment is taken."""

    def due(self, rows: int, state: S) -> bool:
        """So many rows after the last snapshot, the next one is to be written."""
        return rows >= self.every or (rows >= self.calm_after and self.calm(state))

    def of(self, state: S) -> Snapshot:
        """The snapshot of this state."""
        return Snapshot(self.program, self.write(state))

    def restore(self, journal: Journal[E]) -> tuple[int, S]:
        """The row to replay from, and the state as of it; (0, initial) if no snapshot can be read, which is said.

        If rows are gone, it is the state that the rows after them begin with, written by any program. Raises JournalDamaged
        for a damaged row of a snapshot, StoreError for a missing file that nobody signed as gone.
        """
        for row, text in journal.snapshots():
            program = journal.snapshot_at(row).program
            if text is None:
                log.error("%s: the snapshot of row %d is damaged; felt journal verify looks at all", journal.path, row)
            elif program != self.program:
                log.warning("%s: the snapshot of row %d is another program's and is passed over", journal.path, row)
            else:
                return row, self.state_of(text)
        return self.first(journal)

    def first(self, journal: Journal[E]) -> tuple[int, S]:
        """The row and the state that everything after the last gap follows from: (0, initial) where no row is gone."""
        base = journal.base()
        if base is None:
            return 0, self.initial
        log.warning("%s: begins with the state of row %d: rows before it are gone", journal.path, base[0])
        return base[0], self.of_another(journal, *base)

    def of_another(self, journal: Journal[E], row: int, text: str) -> S:
        """The state of a text that another program may have written. Raises StoreError where not all of it can be read."""
        try:
            state = self.read(text)
            whole = carries(msgspec.json.decode(self.write(state)), msgspec.json.decode(text))
        except ValueError:
            whole = False
        if not whole:
            raise StoreError(
                f"{journal.path}: rows before row {row} are gone, and this program cannot read the state there, which "
                "another one wrote; start the one that was installed before"
            )
        return state

    def state_of(self, text: str) -> S:
        """The state of a text that this program has written. Raises ValueError for any other text."""
        state = self.read(text)
        if self.write(state) != text:
            raise ValueError("the state that was read has another text")
        return state


def carries(new: object, old: object) -> bool:
    """Whether a document has all that another one has; it may have keys that the other does not know."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key in new and carries(new[key], value) for key, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(carries, new, old))
    return new == old


def program_of(*packages: str) -> str:
    """The hash of all modules that stand directly in these packages, and of a module where one is named.

    A program that keeps its books in another way, and be it in one line, believes no snapshot of this one.
    """
    digest = hashlib.sha256()
    for name in packages:
        module = import_module(name)
        assert module.__file__ is not None
        file = Path(module.__file__)
        for path in sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]:
            digest.update(f"{name} {path.name} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def checked(journal: Journal[E], keeping: Keeping[S, E]) -> Iterator[Entry[E]]:
    """Every row that is there, with all that can be checked: chain, index, and each snapshot against the rows before.

    A snapshot of another program is checked by the hash of its text only. Raises JournalDamaged.
    """
    state, expected = keeping.initial, 1
    last = journal.last_snapshot(keeping.program)
    for entry in journal.checked():
        event = entry.event
        if entry.row != expected:
            state = keeping.of_another(journal, entry.row, journal.text_at(entry.row))
        expected = entry.row + 1
        if isinstance(event, SnapshotTaken):
            if event.program == keeping.program and event.state != hash_of_state(keeping.write(state)):
                raise JournalDamaged(journal.path, entry.row, "the snapshot is not what the rows before it make")
        elif not isinstance(event, OwnRow) and entry.row < last:
            try:
                state = keeping.evolve(state, event)
            except (AssertionError, LookupError, ValueError) as error:
                raise JournalDamaged(
                    journal.path, entry.row, f"does not follow from the rows before: {error}"
                ) from error
        yield entry
