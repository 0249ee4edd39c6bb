"""A file of a journal: append-only, hash-chained events of a table or a bank in SQLite (`day_files` chains several).

A row's hash covers its number, clocks, kind, version, body and the hash of the row before, so one changed byte breaks the
chain from there on. All events that wait are appended in one durable transaction. Rows are never changed (triggers see
to it); what a kind once meant stays readable through the upgrades its module keeps.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from firmware.runtime import whole, write_ahead
from firmware.runtime.clock import SteadyClock, mark_of
from firmware.runtime.sqlite import Database, Row, StoreError, Value, content_of, step_back

E = TypeVar("E")

FORMAT = 1
SNAPSHOT = "SnapshotTaken"
GONE = "FileGone"
"""The kinds of the journal's own rows."""
SNAPSHOTS_MAX = 3
"""The number of texts of states that are kept. An older snapshot keeps its row, with the hash of its text."""
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
    """The topic and number of the message that an event holds; None for none. `Journal.messages` finds it again."""
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
    """The row that is appended for a state: its text, and the program that alone can read the text."""

    program: str
    state: str


class OwnRow(msgspec.Struct, frozen=True):
    """A journal's rows about itself: no events of a table or a bank, so they change no state."""

    VERSION: ClassVar[int] = 1


class SnapshotTaken(OwnRow, frozen=True):
    """The rows before it have made a state whose text has this hash."""

    program: str
    state: str
    after: str
    """In the first row of a further file: the name of the file that has the rows before it; "" in any other."""


class FileGone(OwnRow, frozen=True):
    """The file of an earlier day is not there any more, and two people signed so (`firmware.runtime.lost_files`).

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
    """A journal's own description: `format`, `of` and `id`; empty if the database is. Raises StoreError."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such file; name a journal, for example run/table.journal")
    database = Database(path, read_only=True)
    try:
        return read_about(database)
    finally:
        database.close()


def read_about(database: Database) -> dict[str, str]:
    """An open file's own description. Raises StoreError for one of somebody else."""
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not tables >= {"about", "event"}:
        raise StoreError(f"{database.path}: this is no journal of Felt; name one, for example run/table.journal")
    rows = database.execute("SELECT key, value FROM about") if tables else []
    return {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}


class Sealer(Protocol):
    """The signer of a journal's rows (`firmware.runtime.seals`)."""

    def seals_of(self, rows: Sequence[Sequence[Value]]) -> list[Seal]:
        """The seals that these new rows make due."""

    def seal_of(self, row: Sequence[Value]) -> list[Seal]:
        """One of this row, due or not, where it has none."""

    def written(self) -> None:
        """The last order is on disk."""


def make_tables(database: Database, about: Mapping[str, str]) -> None:
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
        make_tables(database, about)
        if also is not None:
            also(database)

    path.parent.mkdir(parents=True, exist_ok=True)
    whole.put_new(path, content_of(fill))


def put_seals(database: Database, seals: Sequence[Seal]) -> None:
    """Seals stand beside the rows, written with them."""
    database.insert_all("INSERT INTO seal VALUES (?, ?, ?)", seals)


def _is_whole(log: Path) -> bool:
    try:
        return write_ahead.is_whole(log)
    except OSError as error:
        raise StoreError(f"{log}: {error.strerror}. May this user read it?") from error


class JournalFile(Generic[E]):
    """One file of a journal, and what stands in it alone. A journal of one gaming day has only one.

    Raises StoreError where the file cannot be used.
    """

    def __init__(self, path: Path, vocabulary: Vocabulary[E], *, read_only: bool = False) -> None:
        """Open a file that is there: `make` makes one."""
        self.path = path
        self.vocabulary = vocabulary
        log = path.with_name(f"{path.name}-wal")
        self.log_stays = log.exists() and log.stat().st_size > 0
        """The anchor says that there is one, or may: it is not taken away when the file is closed."""
        self.log_was_there = not read_only and _is_whole(log)
        """A whole write-ahead log stood beside the file: the program that wrote last did not end in order."""
        if not read_only:
            step_back(path)
        self._refuse_strangers(about(path))
        self.database = Database(path, read_only=read_only)
        self._boot = boot_id()
        self.leaving: Callable[[], None] | None = None
        """Write the rest when the program ends in order."""
        self.sealer: Sealer | None = None
        self.rows, self.head = 0, NO_HASH
        try:
            self.about = read_about(self.database)
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
        """The time, going on from the last row that is there at the first question."""
        try:
            rows = self.database.execute("SELECT boot, mono_ns, utc FROM event ORDER BY row DESC LIMIT 1")
            last = mark_of(*msgspec.convert(rows[0], tuple[str, int, str])) if rows else None
        except (StoreError, ValueError):  # a reader of the rows names their faults
            last = None
        return SteadyClock(self._boot, last)

    @property
    def id(self) -> str:
        """32 hex digits, given or drawn when the file was made."""
        return self.about["id"]

    @property
    def first(self) -> int:
        """The number of this file's first row; 1 in a journal's first file."""
        return int(self.about.get("after", "0")) + 1

    @property
    def days(self) -> int:
        """How many gaming days were closed when this file began."""
        return int(self.about.get("days", "0"))

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
        """The database's fault while row `row` is looked for."""
        try:
            return self.database.execute(statement, values)
        except StoreError as error:
            raise JournalDamaged(self.path, row, f"the file is damaged here: {error}") from error

    def hash_at(self, row: int) -> str:
        """The hash of that row, NO_HASH for row 0, "" where there is no such row."""
        if not row:
            return NO_HASH
        if row == self.first - 1:
            return self.about["head"]
        found = self._ask(row, "SELECT hash FROM event WHERE row = ?", (row,))
        return str(found[0][0]) if found else ""

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
                put_seals(self.database, seals)
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
                put_seals(self.database, seals)
            self.sealer.written()

    def _row(self, row: int, kind: str, version: int, body: str, before: str) -> tuple[str | int, ...]:
        """The fields of a row that is written now, its hash last."""
        utc, mono_ns = self.clock.row()
        digest = row_hash(row, self._boot, mono_ns, utc, kind, version, body, before)
        return row, self._boot, mono_ns, utc, kind, version, body, digest

    def _encode(self, event: E | Snapshot | FileGone) -> tuple[str, int, str]:
        if isinstance(event, FileGone):
            return GONE, event.VERSION, msgspec.json.encode(event).decode()
        if isinstance(event, Snapshot):
            taken = SnapshotTaken(event.program, hash_of_state(event.state), "")
            return SNAPSHOT, taken.VERSION, msgspec.json.encode(taken).decode()
        return self.vocabulary.encode(event)

    def _keep(self, states: Sequence[tuple[str | int, ...]]) -> None:
        """The texts of snapshots, within the transaction that writes their rows; the oldest texts make room.

        The first text of a day's file stays: if the files before it are lost, it is all that is known of them.
        """
        self.database.insert_all("INSERT INTO snapshot VALUES (?, ?)", states)
        kept = "SELECT row FROM snapshot ORDER BY row DESC LIMIT ?"
        self.database.execute(
            f"DELETE FROM snapshot WHERE row <> ? AND row NOT IN ({kept})", (self.first, SNAPSHOTS_MAX)
        )

    def own_snapshots(self) -> Iterator[tuple[int, str | None]]:
        """(row, text of the state) of every snapshot of this file whose text is kept, newest first; None for a damaged text.

        Raises JournalDamaged where the row itself is damaged.
        """
        for (row,) in self._ask(1, "SELECT row FROM snapshot ORDER BY row DESC"):
            assert isinstance(row, int)
            text = self._state_at(row)
            yield row, text if text is not None and hash_of_state(text) == self.snapshot_at(row).state else None

    def _state_at(self, row: int) -> str | None:
        try:
            found = self.database.execute("SELECT state FROM snapshot WHERE row = ?", (row,))
        except StoreError:  # the file is damaged there
            return None
        return found[0][0] if found and isinstance(found[0][0], str) else None

    def snapshot_at(self, row: int) -> SnapshotTaken:
        """The snapshot of this row, its hash checked. Raises JournalDamaged where there is none."""
        found = self._ask(row, f"SELECT {COLUMNS} FROM event WHERE row = ?", (row,))
        entry = self._entry(found[0], row, self.hash_at(row - 1)) if found else None
        if entry is None or not isinstance(entry.event, SnapshotTaken):
            raise JournalDamaged(self.path, row, "a snapshot is said to be of it, and the row knows of none")
        return entry.event

    def own_last_snapshot(self, program: str) -> int:
        """The last row of this file that this program says holds a snapshot of its own, 0 for none. Looks at all rows."""
        rows = self.database.rows("SELECT body, row FROM event WHERE kind = ? ORDER BY row DESC", (SNAPSHOT,))
        return next((row for body, row in rows if isinstance(row, int) and program in str(body)), 0)

    def own_messages(self, of: str, first: int, most: int) -> list[E]:
        """The events of this file that hold the messages of `of` from number `first` on, at most so many.

        Each row's hash is checked. Raises JournalDamaged where the index names another row.
        """
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

    def _own_gone(self) -> Iterator[FileGone]:
        for row in self._ask(0, f"SELECT {COLUMNS} FROM event WHERE kind = ? ORDER BY row", (GONE,)):
            number = row[0] if isinstance(row[0], int) else 0
            event = self._entry(row, number, self.hash_at(number - 1)).event
            assert isinstance(event, FileGone), "it is of that kind"
            yield event

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

    def close(self) -> None:
        """Close the file."""
        leaving, self.leaving = self.leaving, None
        try:
            if leaving is not None:
                leaving()
        finally:
            self.database.close(log_stays=self.log_stays)
