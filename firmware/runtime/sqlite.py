"""The one door to sqlite3: durable, append-only files.

WAL with synchronous=FULL, so a committed row survives a power cut.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path

BUSY_MS = 5_000
"""For so long one waits for somebody who reads the file."""
INDEX_BYTES = 256 * 1024
"""Bytes of the file -shm, which SQLite maps into memory: for a log of 128 MB. On a full disk a write to a page of it without
a block is no error but a signal (SIGBUS) that ends the program: on a file system of blocks below 4 KiB."""
IN_WAL_MODE = b"\x02\x02"
"""The versions in the header of a file in WAL mode (https://sqlite.org/fileformat2.html, 1.3.3), from byte 18 on."""
SHARED = (0x40000002, 510)
"""The place of the bytes that SQLite locks to read, and their number."""
LOOKED_AT_BYTES = 64_000_000
"""Up to this size all pages of a file are read at a start: it takes a tenth of a second."""
DAMAGED = "Is it a file of Felt? Then keep it: it is evidence; call the technician, start with a restored copy"

Value = str | int | bytes | None
Row = tuple[Value, ...]


class StoreError(Exception):
    """A file cannot be used: which one, why, what to do."""


class Database:
    """One SQLite file that is there, used by one thread. A writer is alone: a second program is refused."""

    def __init__(self, path: Path, *, read_only: bool = False, opened: sqlite3.Connection | None = None) -> None:
        """`opened`: what is used instead of a connection to the file itself."""
        self.path = path
        self._alone: int | None = None
        if opened is None:
            refuse_pipes(path)
        try:
            if opened is not None:
                self._connection = opened
            elif read_only:
                self._connection = _looking(path)
            else:
                self._alone = lock_out_others(path)
                self._connection = _connected(path)
            self._connection.execute("PRAGMA schema_version").fetchone()
        except (sqlite3.Error, OSError) as error:
            self._unlock()
            raise self._fault(error) from error

    def execute(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run one statement; all rows that it gives."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def rows(self, statement: str, values: Sequence[Value] = ()) -> Iterator[Row]:
        """Rows one by one, for files larger than memory."""
        try:
            for row in self._connection.execute(statement, values):  # noqa: UP028 - `yield from` closes a closed cursor
                yield row
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def insert_all(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run one statement for each row."""
        try:
            self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise self._fault(error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and on disk when the block has ended."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # what failed first is told
                self._connection.rollback()
            raise

    def rehearse(self, question: str) -> None:
        """Begin a transaction, ask, and end it: nothing of it is written anywhere."""
        self.execute("BEGIN IMMEDIATE")
        try:
            self.execute(question)
        finally:
            self._connection.rollback()

    def checkpoint(self) -> None:
        """Put the write-ahead log into the file itself; where somebody reads, as much of it as can be.

        The log is written from its beginning again and keeps its size: one that is empty was emptied by somebody else.
        """
        try:
            _checkpointed(self._connection)
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def fold(self) -> bool:
        """All of the log goes into the file itself, which is closed and needs nothing beside it, until `reopen`.

        False, and the file is to be opened again, while somebody reads it. Raises StoreError.
        """
        try:
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("PRAGMA journal_mode=DELETE").fetchall()
            self._connection.close()
            for ending in ("-wal", "-journal"):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
            sync_folder(self.path.parent)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            raise self._fault(error) from error
        except (sqlite3.Error, OSError) as error:
            raise self._fault(error) from error
        return True

    def reopen(self) -> None:
        """Close the file, where it is open, and open what has its name now. Raises StoreError."""
        try:
            self._connection.close()
            self._connection = _connected(self.path)
        except (sqlite3.Error, OSError) as error:
            raise self._fault(error) from error

    def look_at_pages(self, *, all_of_them: bool) -> None:
        """Every page of every table can be read; not `all_of_them`: of the rows themselves, which are read one by one and
        may take a second for a million, only in a file of a day's size. Raises StoreError.
        """
        is_large = self.path.stat().st_size > LOOKED_AT_BYTES and not all_of_them
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> ?"
        for (name,) in self.execute(tables, ("event" if is_large else "",)):
            found = self.execute(f"PRAGMA quick_check({name!s})")
            if found != [("ok",)]:
                first = str(found[0][0]).splitlines()[-1]
                raise StoreError(f"{self.path}: its table {name!s} is damaged: {first}. {DAMAGED}")

    def close(self, *, log_stays: bool = False) -> None:
        """Close the file. The last one to close it takes its log away, unless that has to stay."""
        with _reading(self.path) if log_stays else nullcontext():
            self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._alone is not None:
            os.close(self._alone)
            self._alone = None

    def _fault(self, error: sqlite3.Error | OSError) -> StoreError:
        return StoreError(f"{self.path}: {error}. {_remedy(error)}")


def refuse_pipes(path: Path) -> None:
    """A pipe in the place of a file, or of one beside it, would be waited for without end. Raises StoreError."""
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        file = path.with_name(f"{path.name}{ending}")
        with suppress(OSError):  # what cannot be looked at is told by who opens it
            if not stat.S_ISREG(file.stat().st_mode):
                raise StoreError(f"{file}: is no plain file; put back the file that was there")


def lock_out_others(path: Path) -> int:
    """A lock that ends with the process, however it ends, or when it is closed. Raises StoreError, OSError.

    Not on the file itself: closing it would free SQLite's.
    """
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise StoreError(f"{path}: another program writes to it; stop that one first") from None
    return lock


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """As somebody who reads the file, by SQLite's own lock (https://sqlite.org/lockingv3.html): nobody closes it last."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # it has no name any more
        yield
        return
    try:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, *SHARED, 0))
        yield
    finally:
        os.close(file)


def _connected(path: Path) -> sqlite3.Connection:
    """Open for writing. The log that a program left goes into the file at once, and is written again from its beginning: a
    part that a failing disk did not take, though it could be read again, is behind no row that is written from here on.
    """
    sync_folder(path.parent)
    _room_for_index(path)
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
            raise sqlite3.OperationalError("it has no write-ahead log")
        connection.execute("PRAGMA synchronous=FULL")
        _checkpointed(connection)
        _reserve_index(path)
    except BaseException:
        with _reading(path):
            connection.close()
        raise
    return connection


def _looking(path: Path) -> sqlite3.Connection:
    """Open for reading; the index is written all the same if that is allowed. Raises OSError, sqlite3.Error."""
    uri = _read_only_uri(path)
    writes = "immutable" not in uri and os.access(path.parent, os.W_OK, effective_ids=True)
    indexed = writes and not _indexes(path) and _is_logged(path)
    if indexed:
        _room_for_index(path)
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        if indexed:
            connection.execute("PRAGMA schema_version").fetchone()
            _reserve_index(path)
    except BaseException:
        connection.close()
        raise
    return connection


def _is_logged(path: Path) -> bool:
    """In WAL mode: who opens it first makes its index. Not for a file that SQLite has open here (`lock_out_others`)."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(20)[18:] == IN_WAL_MODE
    return False


def _room_for_index(path: Path) -> None:
    """The disk has the blocks of the file -shm, or room for them. Raises OSError."""
    with suppress(FileNotFoundError):
        if path.with_name(f"{path.name}-shm").stat().st_blocks * 512 >= INDEX_BYTES:
            return
    room = os.statvfs(path.parent)
    if room.f_bavail * room.f_frsize < INDEX_BYTES:
        raise OSError(errno.ENOSPC, "No space left on device")


def _reserve_index(path: Path) -> None:
    """All blocks of the file -shm, by SQLite's own descriptor: to close another one would free its locks. Raises OSError."""
    for index in _indexes(path):
        if fcntl.fcntl(index, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR:
            os.posix_fallocate(index, 0, INDEX_BYTES)


def _indexes(path: Path) -> list[int]:
    """SQLite's own descriptors of the file -shm, in this process."""
    found, index = [], f"{path.resolve()}-shm"
    for opened in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            if str(opened.readlink()) == index:
                found.append(int(opened.name))
    return found


def _checkpointed(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA busy_timeout=0")
    connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")


def content_of(fill: Callable[[Database], None]) -> bytes:
    """The bytes of a new file, in WAL mode and with no log beside it, that has what `fill` writes. Nothing is on disk."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        database = Database(Path(":memory:"), opened=memory)
        with database.transaction():
            fill(database)
        content = bytearray(memory.serialize())
    content[18:20] = IN_WAL_MODE
    return bytes(content)


def by_itself(path: Path) -> Database:
    """A file that nobody writes, read by its own bytes alone. Raises StoreError."""
    refuse_pipes(path)
    uri = f"{path.absolute().as_uri()}?immutable=1"
    return Database(path, opened=sqlite3.connect(uri, uri=True, isolation_level=None))


def step_back(path: Path) -> None:
    """After a power cut in the midst of a change without a write-ahead log, SQLite takes the half step back, for writers.

    Nothing of Felt is written. Raises StoreError.
    """
    refuse_pipes(path)
    note = path.with_name(f"{path.name}-journal")
    if not note.exists() or not note.stat().st_size:
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}. {_remedy(error)}") from error


def sync_folder(folder: Path) -> None:
    """The names of its files are on the disk too."""
    opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _remedy(error: sqlite3.Error | OSError) -> str:
    """The cures; the order is that of sqlite3's classes, the general one last."""
    if "readonly" in str(error):
        return (
            "Is a file -journal beside it? Then the power went while its day was put aside: the next start of table or bank "
            "ends that; who looks before opens a copy of both files once for writing (docs/journal.md)"
        )
    if isinstance(error, sqlite3.IntegrityError):
        return "Does a second program write this file? Stop all but one"
    if isinstance(error, sqlite3.OperationalError | OSError):
        return "May this user read and write it? Is the disk full, or the file in use by another program?"
    return DAMAGED


def _read_only_uri(path: Path) -> str:
    """SQLite puts a file beside one in WAL mode even to read it; where it cannot, on a disc say, nobody writes either."""
    absolute = path.absolute()
    log = absolute.with_name(f"{absolute.name}-wal")
    whole = not log.exists() or not log.stat().st_size
    nobody_writes = whole and not os.access(absolute.parent, os.W_OK, effective_ids=True)
    return f"{absolute.as_uri()}?{'immutable=1' if nobody_writes else 'mode=ro'}"
