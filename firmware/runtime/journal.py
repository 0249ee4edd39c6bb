"""The journal: append-only, hash-chained events of a table or a bank in one SQLite file.

A row's hash covers its number, clocks, kind, version, body and the hash of the row before, so one changed byte breaks the
chain from there on. All events that wait are appended in one durable transaction. Rows are never changed (triggers see
to it); what a kind once meant stays readable through the upgrades its module keeps.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from firmware.runtime import whole
from firmware.runtime.clock import SteadyClock, mark_of
from firmware.runtime.sqlite import Database, Row, StoreError, Value, by_itself, content_of, step_back

E = TypeVar("E")

FORMAT = 1
SNAPSHOT = "SnapshotTaken"
GONE = "FileGone"
"""The kinds of the journal's own rows."""
SNAPSHOTS_MAX = 3
"""So many texts of states are kept. Of an older snapshot the row remains, with the hash of its text."""
NO_HASH = "0" * 64

SCHEMA = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE event (row INTEGER PRIMARY KEY, boot TEXT NOT NULL, mono_ns INTEGER NOT NULL,"
    " utc TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL)",
    "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'a journal is never edited'); END",
    "CREATE TRIGGER event_remains BEFORE DELETE ON event"
    " BEGIN SELECT RAISE(ABORT, 'a journal is never shortened'); END",
    # INSERT OR REPLACE would take a row away without asking the trigger above.
    "CREATE TRIGGER event_follows BEFORE INSERT ON event WHEN NEW.row <= (SELECT max(row) FROM event)"
    " BEGIN SELECT RAISE(ABORT, 'a journal is only continued'); END",
    "CREATE TRIGGER about_remains BEFORE DELETE ON about"
    " BEGIN SELECT RAISE(ABORT, 'a journal is never shortened'); END",
    "CREATE TRIGGER about_stays BEFORE UPDATE ON about BEGIN SELECT RAISE(ABORT, 'a journal is never edited'); END",
    "CREATE TABLE message (of TEXT NOT NULL, seq INTEGER NOT NULL, row INTEGER NOT NULL,"
    " PRIMARY KEY (of, seq)) WITHOUT ROWID",
    "CREATE TRIGGER message_stays BEFORE UPDATE ON message BEGIN SELECT RAISE(ABORT, 'a journal is never edited'); END",
    "CREATE TRIGGER message_remains BEFORE DELETE ON message"
    " BEGIN SELECT RAISE(ABORT, 'a journal is never shortened'); END",
    "CREATE TABLE snapshot (row INTEGER PRIMARY KEY, state TEXT NOT NULL)",
    "CREATE TABLE seal (number INTEGER PRIMARY KEY, row INTEGER NOT NULL, note TEXT NOT NULL)",
    "CREATE TRIGGER seal_stays BEFORE UPDATE ON seal BEGIN SELECT RAISE(ABORT, 'a journal is never edited'); END",
    "CREATE TRIGGER seal_remains BEFORE DELETE ON seal BEGIN SELECT RAISE(ABORT, 'a journal is never shortened'); END",
    "CREATE TRIGGER seal_follows BEFORE INSERT ON seal WHEN NEW.number <= (SELECT max(number) FROM seal)"
    " BEGIN SELECT RAISE(ABORT, 'a journal is only continued'); END",
)


_Fields = tuple[int, str, int, str, str, int, str, str]
Seal = tuple[int, int, str]
"""The number of a seal, from 1; the row that it was made of; its text."""
COLUMNS = "event.row, event.boot, event.mono_ns, event.utc, event.kind, event.version, event.body, event.hash"


class JournalDamaged(Exception):
    """The chain is broken, or a row cannot be read: the row is named, and the text says what to do."""

    def __init__(self, path: Path, row: int, why: str) -> None:
        self.path, self.row, self.why = path, row, why
        super().__init__(
            f"{path}: row {row}: {why}. Do not delete the file: it is evidence. Call the technician: "
            f"keep it, and go on with a restored copy or a new journal that two people adopt (docs/install.md)."
        )


def _none(_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Vocabulary(Generic[E]):
    """The kinds of events of one journal, and the steps that turn older bodies into newer ones."""

    name: str
    """"table" or "bank": what the file is a journal of."""
    kinds: Mapping[str, type[E]]
    upgrades: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]]
    message: Callable[[E], tuple[str, int] | None] = _none
    """Of what, and the number, of the message that an event holds; None for none. Found again by `Journal.messages`."""
    sealed: frozenset[str] = frozenset()
    """The kinds whose rows are each sealed at once."""
    sealed_after_ns: int = 0
    """A row that comes so long after the last seal is sealed too; 0: however long."""

    def encode(self, event: E) -> tuple[str, int, str]:
        """(kind, version, body) of an event."""
        version: int = event.VERSION  # type: ignore[attr-defined]
        return type(event).__name__, version, msgspec.json.encode(event).decode()

    def decode(self, kind: str, version: int, body: str) -> E:
        """The event of a row; an older version is brought up step by step. Raises ValueError."""
        if kind not in self.kinds:
            raise ValueError(f"kind {kind!r} is unknown to this program: a newer one wrote it")
        event = self.kinds[kind]
        current: int = event.VERSION  # type: ignore[attr-defined]
        if version == current:
            return msgspec.json.decode(body, type=event)
        if version > current:
            raise ValueError(f"{kind} {version} is newer than this program, which knows {kind} {current}")
        fields = msgspec.json.decode(body, type=dict[str, Any])
        for older in range(version, current):
            if (kind, older) not in self.upgrades:
                raise ValueError(f"{kind} {older} was never written by any program")
            fields = self.upgrades[kind, older](fields)
        return msgspec.convert(fields, type=event)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is appended for a state: the text of it, and the program that alone can read the text."""

    program: str
    state: str


class OwnRow:
    """What a journal writes of itself: no event of a table or a bank, so it changes no state."""

    __slots__ = ()
    VERSION: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class SnapshotTaken(OwnRow):
    """The rows before it have made a state whose text has this hash."""

    program: str
    state: str
    after: str
    """In the first row of a further file: the name of the file that has the rows before it; "" in any other."""


@dataclass(frozen=True, slots=True)
class FileGone(OwnRow):
    """The file of an earlier day is not there any more, and two people signed so (`firmware.runtime.gone`).

    `rows` and `head`: its last row and the hash of that, which the next file goes on from. `before`: the file before it that
    is there, "" for none; `after` and `known`: the last row of that one, and its hash. Rows `after` + 1 to `rows` are gone.
    """

    file: str
    rows: int
    head: str
    before: str
    after: int
    known: str
    why: str
    people: tuple[str, ...]
    seal: str
    """The text of its last seal, "" where it was not there to be read."""

    def __str__(self) -> str:
        """In one line, for people."""
        known = (
            f"the last row known before them is {self.after}, {self.known}; they ended with {self.rows}, {self.head}"
        )
        people = " and ".join(self.people)
        return f"{self.file}: rows {self.after + 1} to {self.rows} are gone ({self.why}, signed by badges {people}); {known}"


OWN_ROWS: Mapping[str, type[SnapshotTaken | FileGone]] = {SNAPSHOT: SnapshotTaken, GONE: FileGone}


def hash_of_state(text: str) -> str:
    """SHA-256 of a state's text."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry(Generic[E]):
    """One row of a journal: order is (row, boot, mono_ns); `utc` stands beside it for people."""

    row: int
    boot: str
    mono_ns: int
    utc: str
    kind: str
    version: int
    body: str
    hash: str
    event: E | OwnRow


def row_hash(row: int, boot: str, mono_ns: int, utc: str, kind: str, version: int, body: str, before: str) -> str:
    """The hash of one row, over its fields as one JSON list and the hash of the row before."""
    fields = msgspec.json.encode((row, boot, mono_ns, utc, kind, version, body, before))
    return hashlib.sha256(fields).hexdigest()


def boot_id() -> str:
    """This boot of the machine: CLOCK_MONOTONIC is comparable within it only."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def about(path: Path) -> dict[str, str]:
    """What a journal says of itself: `format`, `of` and `id`; empty where the database is. Raises StoreError."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such file; name a journal, for example run/table.journal")
    database = Database(path, read_only=True)
    try:
        return _read_about(database)
    finally:
        database.close()


def _read_about(database: Database) -> dict[str, str]:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not tables >= {"about", "event"}:
        raise StoreError(f"{database.path}: this is no journal of Felt; name one, for example run/table.journal")
    rows = database.execute("SELECT key, value FROM about") if tables else []
    return {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}


class Sealer(Protocol):
    """Who signs what a journal writes (`firmware.runtime.seals`)."""

    def seals_of(self, rows: Sequence[Sequence[Value]]) -> list[Seal]:
        """The seals that these new rows make due."""

    def seal_of(self, row: Sequence[Value]) -> list[Seal]:
        """One of this row, due or not, where it has none."""

    def written(self) -> None:
        """What was asked for last is on disk."""


def _make(database: Database, about: Mapping[str, str]) -> None:
    """The tables of a journal, and what it says of itself where it says nothing yet."""
    for statement in SCHEMA:
        database.execute(statement)
    for key, value in about.items():
        database.execute("INSERT INTO about VALUES (?, ?)", (key, value))


def make(path: Path, of: str, also: Callable[[Database], None] | None = None, new_id: str = "") -> None:
    """A new journal without a row, "table" or "bank" by `of`; `also` writes more into it. Whole or not at all, and only
    where nothing has its name. `new_id`: 32 hex digits; "": they are drawn. Raises StoreError.
    """
    about = {"format": str(FORMAT), "of": of, "id": new_id or secrets.token_hex(16)}

    def fill(database: Database) -> None:
        _make(database, about)
        if also is not None:
            also(database)

    path.parent.mkdir(parents=True, exist_ok=True)
    whole.put_new(path, content_of(fill))


def _put_seals(database: Database, seals: Sequence[Seal]) -> None:
    database.insert_all("INSERT INTO seal VALUES (?, ?, ?)", seals)


class Journal(Generic[E]):
    """One journal. Read it through (`replay`, `verify`) before the first `append`, which continues the chain.

    It may have several files, one for each gaming day: this is the last of them, and what is asked of earlier rows is looked
    up in the `earlier` ones, whose rows and chain this one goes on with. Raises StoreError where a file cannot be used.
    """

    def __init__(self, path: Path, vocabulary: Vocabulary[E], *, read_only: bool = False) -> None:
        """Of a file that is there: `make` makes one."""
        self.path = path
        self.vocabulary = vocabulary
        log = path.with_name(f"{path.name}-wal")
        self.log_was_there = log.exists() and log.stat().st_size > 0
        """A write-ahead log stood beside the file: the program that wrote last did not end in order."""
        self.log_stays = self.log_was_there
        """The anchor says that there is one, or may: it is not taken away when the file is closed."""
        if not read_only:
            step_back(path)
        self._refuse_strangers(about(path))
        self.database = Database(path, read_only=read_only)
        self._boot = boot_id()
        self.leaving: Callable[[], None] | None = None
        """What is still to be said when the program ends in order."""
        self.sealer: Sealer | None = None
        self.newer: Journal[E] | None = None
        """The file that this one was found from."""
        self.signing: tuple[FileGone, ...] = ()
        """What is being signed, and is no row yet."""
        self.rows, self.head = 0, NO_HASH
        try:
            self.about = _read_about(self.database)
        except StoreError:
            self.database.close(log_stays=self.log_stays)
            raise

    def _refuse_strangers(self, found: Mapping[str, str]) -> None:
        """Nothing is written into a file of somebody else."""
        if (found.get("of"), found.get("format")) != (self.vocabulary.name, str(FORMAT)) or "id" not in found:
            raise StoreError(
                f"{self.path}: this is a journal of {found.get('of')!r}, format {found.get('format')}; "
                f"expected {self.vocabulary.name!r}, format {FORMAT}. Name another file or folder"
            )

    @cached_property
    def clock(self) -> SteadyClock:
        """What time it is, going on from the last row that is there when it is asked first."""
        try:
            rows = self.database.execute("SELECT boot, mono_ns, utc FROM event ORDER BY row DESC LIMIT 1")
            last = mark_of(*msgspec.convert(rows[0], tuple[str, int, str])) if rows else None
        except (StoreError, ValueError):  # whoever reads the rows says what is wrong with them
            last = None
        return SteadyClock(self._boot, last)

    @property
    def id(self) -> str:
        """32 hex digits, given or drawn when the file was made."""
        return self.about["id"]

    # Files ----------------------------------------------------------------------------------------------------------

    @property
    def first(self) -> int:
        """The number of this file's first row; 1 in a journal's first file."""
        return int(self.about.get("after", "0")) + 1

    @property
    def days(self) -> int:
        """How many gaming days were closed when this file began."""
        return int(self.about.get("days", "0"))

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
        """Who signed that this earlier file is gone; None where nobody did. Raises JournalDamaged."""
        file: Journal[E] | None = self
        while file is not None:
            for gone in (*file._own_gone(), *file.signing):
                if gone.file == name:
                    return gone
            file = file.newer
        return None

    def _own_gone(self) -> Iterator[FileGone]:
        for row in self._ask(0, f"SELECT {COLUMNS} FROM event WHERE kind = ? ORDER BY row", (GONE,)):
            number = row[0] if isinstance(row[0], int) else 0
            event = self._entry(row, number, self.hash_at(number - 1)).event
            assert isinstance(event, FileGone), "it is of that kind"
            yield event

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
                _make(database, about)
                database.insert_all("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [fields])
                database.insert_all("INSERT INTO snapshot VALUES (?, ?)", [(row, snapshot.state)])
                _put_seals(database, seals)
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
        """Of the same moment as the row before it: a new file that is made once more begins with the very same row."""
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
        if why and (_read_about(self.database) != self.about or self.hash_at(self.rows) != self.head):
            raise StoreError(f"{self.path}: {why}; what a start would find there is not what was written last")
        return why

    def _hold_folded(self) -> None:
        """What was written last stands in the file by itself. Raises StoreError."""
        with closing(by_itself(self.path)) as file:
            found = file.execute("SELECT row, hash FROM event ORDER BY row DESC LIMIT 1")
            if found != [(self.rows, self.head)]:
                raise StoreError(f"{self.path}: row {self.rows} does not stand in the file itself")

    def _name_of(self, day: str, days: int) -> str:
        """What this file is called once that day is put aside; where another file has the name, a number follows.

        A ledger that was restored closes a day again that it had closed after the backup: that file is evidence.
        """
        name = f"{self.path.name}.{days:05}.{day}"
        if Path(name).name != name:
            raise StoreError(f"{self.path}: {day!r} is no date; the next day that is closed puts the rows aside")
        names = (name if number == 1 else f"{name}.{number}" for number in count(1))
        paths = ((name, self.path.with_name(name)) for name in names)
        return next(name for name, path in paths if not path.exists() or path.samefile(self.path))

    def _forget_earlier(self) -> None:
        self.__dict__.pop("gaps", None)
        earlier = self.__dict__.pop("earlier", None)
        if earlier is not None:
            earlier.close()

    # Reading --------------------------------------------------------------------------------------------------------

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

    def own_entries(self, expected: int = 0, before: str = "") -> Iterator[Entry[E]]:
        """The rows of this file from row `expected` on, which follows one with the hash `before`; 0: all of them."""
        if not expected:
            expected, before = self.first, self.about.get("head", NO_HASH)
        later, values = ("WHERE row >= ?", (expected,)) if expected > self.first else ("", ())
        rows = self.database.rows(f"SELECT {COLUMNS} FROM event {later} ORDER BY row", values)
        while (row := self._next(rows, expected)) is not None:
            entry = self._entry(row, expected, before)
            yield entry
            expected, before = expected + 1, entry.hash

    def _next(self, rows: Iterator[Row], expected: int) -> Row | None:
        try:
            return next(rows, None)
        except StoreError as error:
            raise JournalDamaged(self.path, expected, f"the file is damaged here: {error}") from error

    def _entry(self, row: Row, expected: int, before: str) -> Entry[E]:
        try:
            number, boot, mono_ns, utc, kind, version, body, given = msgspec.convert(row, _Fields)
        except msgspec.ValidationError as error:
            raise JournalDamaged(self.path, expected, f"a field is not what was written: {error}") from error
        if number != expected:
            raise JournalDamaged(self.path, expected, f"the row is missing, row {number} follows")
        if row_hash(number, boot, mono_ns, utc, kind, version, body, before) != given:
            raise JournalDamaged(self.path, expected, "the row was changed after it was written (its hash differs)")
        try:
            event = self._decode(kind, version, body)
        except (ValueError, KeyError) as error:  # msgspec's errors are ValueErrors
            raise JournalDamaged(self.path, expected, f"cannot be read: {error}") from error
        return Entry(number, boot, mono_ns, utc, kind, version, body, given, event)

    def _decode(self, kind: str, version: int, body: str) -> E | OwnRow:
        if kind in OWN_ROWS and version == OwnRow.VERSION:
            return msgspec.json.decode(body, type=OWN_ROWS[kind])
        return self.vocabulary.decode(kind, version, body)

    def _ask(self, row: int, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """What the database says, where row `row` is looked for."""
        try:
            return self.database.execute(statement, values)
        except StoreError as error:
            raise JournalDamaged(self.path, row, f"the file is damaged here: {error}") from error

    def replay(self, after: int = 0) -> Iterator[E]:
        """Every event after row `after`, in order; the journal's own rows, which change nothing, are left out."""
        for entry in self.entries(after):
            if not isinstance(entry.event, OwnRow):
                yield entry.event

    def append(self, events: Sequence[E | Snapshot | FileGone], also: Callable[[Database], None] | None = None) -> None:
        """Write all events, and what `also` writes, in one durable transaction: when this returns it has happened.

        A snapshot among them is of the state that the events before it have made.
        """
        row, head = self.rows, self.head
        rows: list[tuple[str | int, ...]] = []
        messages: list[tuple[str | int, ...]] = []
        states: list[tuple[str | int, ...]] = []
        for event in events:
            row += 1
            rows.append(self._row(row, *self._encode(event), head))
            head = str(rows[-1][-1])
            if isinstance(event, Snapshot):
                states.append((row, event.state))
            elif not isinstance(event, FileGone) and (message := self.vocabulary.message(event)) is not None:
                messages.append((*message, row))
        seals = self.sealer.seals_of(rows) if self.sealer else []
        with self.database.transaction():
            self.database.insert_all("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            if messages:
                self.database.insert_all("INSERT INTO message VALUES (?, ?, ?)", messages)
            if states:
                self._keep(states)
            if seals:
                _put_seals(self.database, seals)
            if also is not None:
                also(self.database)
        self.rows, self.head = row, head
        if self.sealer:
            self.sealer.written()

    def rehearse(self, events: Sequence[E]) -> None:
        """All of `append` that writes nothing, so that the processor has it at hand: the rows are made and forgotten."""
        head = self.head
        for row, event in enumerate(events, start=self.rows + 1):
            head = str(self._row(row, *self._encode(event), head)[-1])
        self.database.rehearse("SELECT max(row) FROM event")

    def seal(self) -> None:
        """Seal the last row too, durably: of a program that ends in order no row stays without."""
        last = self.database.execute(f"SELECT {COLUMNS} FROM event WHERE row = ?", (self.rows,))
        if self.sealer and last and (seals := self.sealer.seal_of(last[0])):
            with self.database.transaction():
                _put_seals(self.database, seals)
            self.sealer.written()

    def _row(self, row: int, kind: str, version: int, body: str, before: str) -> tuple[str | int, ...]:
        """The fields of a row that is written now, its hash last."""
        utc, mono_ns = self.clock.row()
        digest = row_hash(row, self._boot, mono_ns, utc, kind, version, body, before)
        return row, self._boot, mono_ns, utc, kind, version, body, digest

    def hash_at(self, row: int) -> str:
        """The hash of that row, NO_HASH for row 0, "" where there is no such row."""
        if not row:
            return NO_HASH
        if row < self.first - 1:
            if self.gaps and row > self.gaps[-1].after:
                self._refuse_gone(row)
            if self.earlier is not None:
                return self.earlier.hash_at(row)
        if row == self.first - 1:
            return self.about["head"]
        found = self._ask(row, "SELECT hash FROM event WHERE row = ?", (row,))
        return str(found[0][0]) if found else ""

    def _encode(self, event: E | Snapshot | FileGone) -> tuple[str, int, str]:
        if isinstance(event, FileGone):
            return GONE, event.VERSION, msgspec.json.encode(event).decode()
        if isinstance(event, Snapshot):
            taken = SnapshotTaken(event.program, hash_of_state(event.state), "")
            return SNAPSHOT, taken.VERSION, msgspec.json.encode(taken).decode()
        return self.vocabulary.encode(event)

    def _keep(self, states: Sequence[tuple[str | int, ...]]) -> None:
        """The texts of snapshots, within the transaction that writes their rows; the oldest texts make room.

        What a day's file begins with stays: should the files before it be lost, it is all that is known of them.
        """
        self.database.insert_all("INSERT INTO snapshot VALUES (?, ?)", states)
        kept = "SELECT row FROM snapshot ORDER BY row DESC LIMIT ?"
        self.database.execute(
            f"DELETE FROM snapshot WHERE row <> ? AND row NOT IN ({kept})", (self.first, SNAPSHOTS_MAX)
        )

    def snapshots(self) -> Iterator[tuple[int, str | None]]:
        """(row, text of the state) of every snapshot whose text is kept, newest first; None for a damaged text.

        Those before rows that are gone are left out. Raises JournalDamaged where the row itself is damaged.
        """
        for (row,) in self._ask(1, "SELECT row FROM snapshot ORDER BY row DESC"):
            assert isinstance(row, int)
            text = self._state_at(row)
            yield row, text if text is not None and hash_of_state(text) == self.snapshot_at(row).state else None
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

    def _state_at(self, row: int) -> str | None:
        try:
            found = self.database.execute("SELECT state FROM snapshot WHERE row = ?", (row,))
        except StoreError:  # the file is damaged there
            return None
        return found[0][0] if found and isinstance(found[0][0], str) else None

    def snapshot_at(self, row: int) -> SnapshotTaken:
        """The snapshot of this row, its hash checked. Raises JournalDamaged where there is none."""
        if row < self.first and self.earlier is not None:
            return self.earlier.snapshot_at(row)
        found = self._ask(row, f"SELECT {COLUMNS} FROM event WHERE row = ?", (row,))
        entry = self._entry(found[0], row, self.hash_at(row - 1)) if found else None
        if entry is None or not isinstance(entry.event, SnapshotTaken):
            raise JournalDamaged(self.path, row, "a snapshot is said to be of it, and the row knows of none")
        return entry.event

    def last_snapshot(self, program: str) -> int:
        """The last row that this program says holds a snapshot of its own, 0 for none. Looks at all rows."""
        rows = self.database.rows("SELECT body, row FROM event WHERE kind = ? ORDER BY row DESC", (SNAPSHOT,))
        found = next((row for body, row in rows if isinstance(row, int) and program in str(body)), 0)
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
        return [*older, *self._own_messages(of, first + len(older), most - len(older))] if len(older) < most else older

    def _refuse_message(self, of: str, seq: int) -> None:
        """Raises StoreError where a message may stand in rows that are gone before this file."""
        ((newest,),) = self._ask(0, "SELECT max(seq) FROM message WHERE of = ?", (of,))
        if not isinstance(newest, int) or newest >= seq:
            self._refuse_gone(0)

    def _own_messages(self, of: str, first: int, most: int) -> list[E]:
        found = self._ask(
            0,
            f"SELECT before.hash, {COLUMNS} FROM message JOIN event ON event.row = message.row"
            " LEFT JOIN event AS before ON before.row = message.row - 1"
            " WHERE of = ? AND seq >= ? ORDER BY seq LIMIT ?",
            (of, first, most),
        )
        events: list[E] = []
        for seq, (before, *row) in enumerate(found, start=first):
            number = row[0] if isinstance(row[0], int) else 0
            entry = self._entry(tuple(row), number, str(before or self.hash_at(number - 1)))
            event = entry.event
            if isinstance(event, OwnRow) or self.vocabulary.message(event) != (of, seq):
                raise JournalDamaged(self.path, number, f"is not message {seq}, which the index says it is")
            events.append(event)
        return events

    def checked(self) -> Iterator[Entry[E]]:
        """Every row that is there, as `entries`; file by file with its index of messages and its texts.

        Of files that are gone the row before and the row after are held against what was signed.
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

    def own_checked(self, expected: int = 0, before: str = "") -> Iterator[Entry[E]]:
        """The rows of this file alone, as `own_entries`, with its index and its texts."""
        for (row,) in self._ask(self.first, "SELECT row FROM snapshot"):
            assert isinstance(row, int)
            text = self._state_at(row)
            if text is None or hash_of_state(text) != self.snapshot_at(row).state:
                raise JournalDamaged(self.path, row, "the text of this snapshot was changed after it was written")
        indexed = 0
        for entry in self.own_entries(expected, before):
            event = entry.event
            if not isinstance(event, OwnRow) and (message := self.vocabulary.message(event)) is not None:
                indexed += 1
                found = self._ask(entry.row, "SELECT row FROM message WHERE of = ? AND seq = ?", message)
                if found != [(entry.row,)]:
                    raise JournalDamaged(self.path, entry.row, f"the index does not find message {message[1]} here")
            self.rows, self.head = entry.row, entry.hash
            yield entry
        if self._ask(self.rows, "SELECT count(*) FROM message") != [(indexed,)]:
            raise JournalDamaged(self.path, self.rows, "the index names messages that no row holds")

    def verify(self) -> tuple[int, str]:
        """(rows, head hash) of an unbroken chain, its index and its snapshots' texts. Raises JournalDamaged."""
        for _ in self.checked():
            pass
        return self.rows, self.head

    def close(self) -> None:
        """Close the file."""
        leaving, self.leaving = self.leaving, None
        try:
            if leaving is not None:
                leaving()
        finally:
            self._forget_earlier()
            self.database.close(log_stays=self.log_stays)
