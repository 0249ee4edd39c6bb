"""The chain of a journal's files, one for each gaming day: the last of them is written to, the earlier ones are looked up.

A file goes on with the rows and hashes of the one before, which it names. A missing file stops a reader that needs it,
until two people sign that it is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec

from firmware.runtime import whole
from firmware.runtime.journal import (
    NO_HASH,
    SNAPSHOT,
    Entry,
    FileGone,
    JournalDamaged,
    JournalFile,
    OwnRow,
    Snapshot,
    SnapshotTaken,
    Vocabulary,
    hash_of_state,
    make_tables,
    put_seals,
    read_about,
    row_hash,
)
from firmware.runtime.sqlite import Database, StoreError, by_itself, content_of

E = TypeVar("E")


class Journal(JournalFile[E]):
    """One journal. Read it through (`replay`, `verify`) before the first `append`, which continues the chain.

    It may have several files, one for each gaming day: this is the last of them, and what is asked of earlier rows is looked
    up in the `earlier` ones, whose rows and chain this one goes on with. Raises StoreError where a file cannot be used.
    """

    def __init__(self, path: Path, vocabulary: Vocabulary[E], *, read_only: bool = False) -> None:
        """Open a file that is there: `make` makes one."""
        super().__init__(path, vocabulary, read_only=read_only)
        self.newer: Journal[E] | None = None
        """The file that this one was found from."""
        self.signing: tuple[FileGone, ...] = ()
        """The signatures under way, which are no rows yet."""

    @cached_property
    def gaps(self) -> tuple[FileGone, ...]:
        """The files that are gone before this one, up to the next that is there, newest first.

        Raises StoreError for one that is missing, and nobody signed that it is gone.
        """
        found = self._signed_gaps()
        if name := self.unsigned:
            rows = found[-1].after if found else self.first - 1
            raise StoreError(
                f"{self._beside(name)}: this file is missing; it has the rows of this journal up to {rows}. Put it "
                f"beside {self.path.name} again; if it is lost for good, two people sign so (docs/operations.md)"
            )
        return found

    @property
    def unsigned(self) -> str:
        """The name of the file before this one that is missing, and nobody signed that it is gone; "" for none."""
        found = self._signed_gaps()
        name = found[-1].before if found else self.about.get("before", "")
        return "" if not name or self._beside(name).exists() else name

    @property
    def known_before(self) -> tuple[int, str]:
        """The row before this file and before the gaps that are signed, as it is known, and its hash."""
        found = self._signed_gaps()
        return (found[-1].after, found[-1].known) if found else (self.first - 1, self.about.get("head", NO_HASH))

    def _signed_gaps(self) -> tuple[FileGone, ...]:
        found: list[FileGone] = []
        name = self.about.get("before", "")
        while name and not self._beside(name).exists() and (gone := self.signed_for(name)) is not None:
            found.append(gone)
            name = gone.before
        return tuple(found)

    def _beside(self, name: str) -> Path:
        return self.path.parent / Path(name).name

    def signed_for(self, name: str) -> FileGone | None:
        """The people who signed that this earlier file is gone; None if nobody did. Raises JournalDamaged."""
        file: Journal[E] | None = self
        while file is not None:
            for gone in (*file._own_gone(), *file.signing):
                if gone.file == name:
                    return gone
            file = file.newer
        return None

    @cached_property
    def earlier(self) -> Journal[E] | None:
        """The next file before this one, None where no earlier one is there. Raises StoreError where it is missing."""
        name = self.gaps[-1].before if self.gaps else self.about.get("before", "")
        if not name:
            return None
        found = Journal(self._beside(name), self.vocabulary, read_only=True)
        if found.id != self.id:
            found.close()
            raise StoreError(
                f"{found.path}: is of journal {found.id[:8]}, {self.path.name} of {self.id[:8]}: another folder's"
            )
        found.newer = self
        if self.gaps and found.hash_at(self.gaps[-1].after) != self.gaps[-1].known:
            found.close()
            raise StoreError(f"{found.path}: does not end with the row that is known of it: {self.gaps[-1]}")
        return found

    @property
    def parts(self) -> list[Journal[E] | FileGone]:
        """Oldest first: the files that are there, and in its place what of each is known that is gone. Raises StoreError."""
        found: list[Journal[E] | FileGone] = []
        file: Journal[E] | None = self
        while file is not None:
            found[:0] = [*reversed(file.gaps), file]
            file = file.earlier
        return found

    @property
    def there(self) -> list[Journal[E]]:
        """The files that are there, oldest first. Raises StoreError for one that is missing."""
        return [part for part in self.parts if isinstance(part, Journal)]

    def files(self, row: int = 1) -> list[Journal[E]]:
        """The files from the one with row `row` on, oldest first; the last is this one. Raises StoreError."""
        found = [self]
        while row < found[0].first:
            found[0]._refuse_gone(0)
            if (earlier := found[0].earlier) is None:
                break
            found.insert(0, earlier)
        return found

    def _refuse_gone(self, row: int) -> None:
        """Raises StoreError where rows after that one, before this file, are gone."""
        for gone in self.gaps:
            if row < gone.rows:
                raise StoreError(f"{self.path}: {gone}")

    # Reading ----------------------------------------------------------------------------------------------------------

    def entries(self, after: int = 0) -> Iterator[Entry[E]]:
        """Every row after row `after` in order, its hash checked and its event decoded; those of earlier files first.

        Raises JournalDamaged at the first bad one, StoreError where a file is missing.
        """
        expected = after + 1
        before = self.hash_at(after)
        for file in self.files(expected):
            if file.first > expected:
                raise JournalDamaged(file.path, expected, f"the rows from here to {file.first - 1} are missing")
            for entry in file.own_entries(expected, before):
                yield entry
                expected, before = expected + 1, entry.hash
        self.rows, self.head = expected - 1, before

    def replay(self, after: int = 0) -> Iterator[E]:
        """Every event after row `after`, in order; the journal's own rows, which change nothing, are left out."""
        for entry in self.entries(after):
            if not isinstance(entry.event, OwnRow):
                yield entry.event

    def hash_at(self, row: int) -> str:
        """As of one file, of a row before this file too. Raises StoreError for a row that is gone."""
        if 0 < row < self.first - 1:
            if self.gaps and row > self.gaps[-1].after:
                self._refuse_gone(row)
            if self.earlier is not None:
                return self.earlier.hash_at(row)
        return super().hash_at(row)

    def snapshots(self) -> Iterator[tuple[int, str | None]]:
        """(row, text of the state) of every snapshot whose text is kept, newest first; None for a damaged text.

        Those before rows that are gone are left out. Raises JournalDamaged where the row itself is damaged.
        """
        yield from self.own_snapshots()
        if not self.gaps and self.earlier is not None:
            yield from self.earlier.snapshots()

    def base(self) -> tuple[int, str] | None:
        """(row, text of the state) that the rows after the last gap begin with; None where no row is gone.

        Raises JournalDamaged for a text that is not the one that was written.
        """
        file: Journal[E] | None = self
        while file is not None and not file.gaps:
            file = file.earlier
        return (file.first, file.text_at(file.first)) if file is not None else None

    def text_at(self, row: int) -> str:
        """The text of the state at the row that a day's file begins with. Raises JournalDamaged."""
        file = self
        while row < file.first and file.earlier is not None:
            file = file.earlier
        text = file._state_at(row)
        if text is None or hash_of_state(text) != file.snapshot_at(row).state:
            raise JournalDamaged(file.path, row, "the text of this snapshot was changed after it was written")
        return text

    def snapshot_at(self, row: int) -> SnapshotTaken:
        """As of one file, of a row before this file too."""
        if row < self.first and self.earlier is not None:
            return self.earlier.snapshot_at(row)
        return super().snapshot_at(row)

    def last_snapshot(self, program: str) -> int:
        """The last row that this program says holds a snapshot of its own, 0 for none. Looks at all rows."""
        found = self.own_last_snapshot(program)
        return found if found or self.earlier is None else self.earlier.last_snapshot(program)

    def messages(self, of: str, first: int, most: int) -> list[E]:
        """The events that hold the messages of `of` from number `first` on, without a gap, at most so many.

        Each row's hash is checked. Those that are older than this file come from the earlier ones. Raises JournalDamaged.
        """
        ((oldest,),) = self._ask(0, "SELECT min(seq) FROM message WHERE of = ? AND seq >= ?", (of, first))
        older: list[E] = []
        if oldest != first and self.earlier is not None:
            older = self.earlier.messages(of, first, most)
        if oldest != first and self.gaps and len(older) < most and oldest != first + len(older):
            self._refuse_message(of, first + len(older))
        return [*older, *self.own_messages(of, first + len(older), most - len(older))] if len(older) < most else older

    def _refuse_message(self, of: str, seq: int) -> None:
        """Raises StoreError where a message may stand in rows that are gone before this file."""
        ((newest,),) = self._ask(0, "SELECT max(seq) FROM message WHERE of = ?", (of,))
        if not isinstance(newest, int) or newest >= seq:
            self._refuse_gone(0)

    def checked(self) -> Iterator[Entry[E]]:
        """Every row that is there, as `entries`; file by file with its index of messages and its texts.

        The rows before and after a file that is gone are compared with the signed ones.
        """
        for one in self._walked(Journal.own_checked):
            if isinstance(one, Entry):
                yield one

    def all_there(self) -> Iterator[Entry[E] | FileGone]:
        """Every row that is there, as `entries`, and in its place what is known of each file that is gone."""
        yield from self._walked(Journal.own_entries)

    def _walked(self, read: Callable[[Journal[E], int, str], Iterator[Entry[E]]]) -> Iterator[Entry[E] | FileGone]:
        expected, before = 1, NO_HASH
        for part in self.parts:
            if isinstance(part, FileGone):
                if (part.after, part.known) != (expected - 1, before):
                    raise JournalDamaged(self.path, expected, f"what was signed is not what is there: {part}")
                yield part
                expected, before = part.rows + 1, part.head
                continue
            if part.first > expected:
                raise JournalDamaged(part.path, expected, f"the rows from here to {part.first - 1} are missing")
            for entry in read(part, expected, before):
                yield entry
                expected, before = expected + 1, entry.hash
        self.rows, self.head = expected - 1, before

    def verify(self) -> tuple[int, str]:
        """(rows, head hash) of an unbroken chain, its index and its snapshots' texts. Raises JournalDamaged."""
        for _ in self.checked():
            pass
        return self.rows, self.head

    # The next day -----------------------------------------------------------------------------------------------------

    def begin_file(
        self, day: str, days: int, snapshot: Snapshot, also: Callable[[Database], None] | None = None
    ) -> str:
        """Go on in a new file: what was written stays beside it under a name with the number and date of the day that was
        closed last, and is never written to again.

        The new file's first row holds the state as `snapshot`, which the rows before have made, and the name of the old
        file; `also` writes more into it. Gives why it is not done yet, "" where it is: then nothing has changed, and it may
        be tried again. Raises StoreError where nobody may go on with what is there.
        """
        self.seal()
        self.database.look_at_pages(all_of_them=True)
        try:
            row, name = self.rows + 1, self._name_of(day, days)
            taken = SnapshotTaken(snapshot.program, hash_of_state(snapshot.state), name)
            fields = self._first_row(row, msgspec.json.encode(taken).decode())
            seals = self.sealer.seal_of(fields) if self.sealer else []
            about = {
                **{key: self.about[key] for key in ("format", "of", "id")},
                "after": str(self.rows),
                "head": self.head,
                "before": name,
                "days": str(days),
            }

            def fill(database: Database) -> None:
                make_tables(database, about)
                database.insert_all("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [fields])
                database.insert_all("INSERT INTO snapshot VALUES (?, ?)", [(row, snapshot.state)])
                put_seals(database, seals)
                if also is not None:
                    also(database)

            heir = whole.beside(self.path, content_of(fill))
        except StoreError as error:
            return str(error)
        if why := self._handed_over(heir, self.path.with_name(name)):
            whole.discard(heir)
            return why
        if self.sealer:
            self.sealer.written()
        self._forget_earlier()
        self.about = about
        self.rows, self.head = row, str(fields[-1])
        return ""

    def _first_row(self, row: int, body: str) -> tuple[str | int, ...]:
        """A row of the same moment as the one before it: a new file that is made once more begins with the very same row."""
        found = self.database.execute("SELECT boot, mono_ns, utc FROM event WHERE row = ?", (self.rows,))
        boot, mono_ns, utc = msgspec.convert(found[0], tuple[str, int, str])
        fields = (row, boot, mono_ns, utc, SNAPSHOT, SnapshotTaken.VERSION, body)
        return *fields, row_hash(*fields, self.head)

    def _handed_over(self, heir: Path, kept: Path) -> str:
        """Why `heir` has not the place of this file, "" where it has. Raises StoreError where neither is sure."""
        why = ""
        try:
            if self.database.fold():
                self._hold_folded()
                whole.succeed(self.path, heir, kept)
            else:
                why = "somebody reads it"
        except (StoreError, OSError) as error:
            why = str(error)
        self.database.reopen()
        if why and (read_about(self.database) != self.about or self.hash_at(self.rows) != self.head):
            raise StoreError(f"{self.path}: {why}; what a start would find there is not what was written last")
        return why

    def _hold_folded(self) -> None:
        """The last rows stand in the file by itself. Raises StoreError."""
        with closing(by_itself(self.path)) as file:
            found = file.execute("SELECT row, hash FROM event ORDER BY row DESC LIMIT 1")
            if found != [(self.rows, self.head)]:
                raise StoreError(f"{self.path}: row {self.rows} does not stand in the file itself")

    def _name_of(self, day: str, days: int) -> str:
        """The name of this file once that day is put aside; if another file has the name, a number follows.

        A ledger that was restored closes a day again that it had closed after the backup: that file is evidence.
        """
        name = f"{self.path.name}.{days:05}.{day}"
        if Path(name).name != name:
            raise StoreError(f"{self.path}: {day!r} is no date; the next day that is closed puts the rows aside")
        names = (name if number == 1 else f"{name}.{number}" for number in count(1))
        paths = ((name, self.path.with_name(name)) for name in names)
        return next(name for name, path in paths if not path.exists() or path.samefile(self.path))

    def close(self) -> None:
        """Close this file and the earlier ones that were opened."""
        try:
            super().close()
        finally:
            self._forget_earlier()

    def _forget_earlier(self) -> None:
        self.__dict__.pop("gaps", None)
        earlier = self.__dict__.pop("earlier", None)
        if earlier is not None:
            earlier.close()
