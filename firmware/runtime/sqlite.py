"""The one door to sqlite3: durable, append-only files.

WAL with synchronous=FULL, so a committed row survives a power cut.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

BUSY_MS = 5_000
"""For so long one waits for somebody who reads the file."""

Value = str | int | bytes | None
Row = tuple[Value, ...]


class StoreError(Exception):
    """A file cannot be used: which one, why, what to do."""


class Database:
    """One SQLite file, used by one thread. Who writes is alone: a second program for the same file is refused."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._alone: int | None = None
        try:
            if read_only:
                self._connection = sqlite3.connect(_read_only_uri(path), uri=True, isolation_level=None)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._alone = self._lock_out_others()
                self._connection = _connected(path)
            self._connection.execute("PRAGMA schema_version").fetchone()
        except (sqlite3.Error, OSError) as error:
            raise self._fault(error) from error

    def _lock_out_others(self) -> int:
        """A lock that ends with the process, however it ends. Not on the file itself: closing it would free SQLite's."""
        lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise StoreError(f"{self.path}: another program writes to it; stop that one first") from None
        return lock

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
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
            self._connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        except sqlite3.Error as error:
            raise self._fault(error) from error

    def hand_over(self, heir: Path, kept: Path) -> bool:
        """`heir`, a whole file that nobody has open, takes this one's name and place; this one stays beside it as `kept`.

        False, and nothing has changed, while somebody reads this one. At every moment there is one whole file of this
        name: its log goes into it first, then it gets its second name, then `heir` takes the first one. Raises StoreError.
        """
        try:
            self._connection.execute("PRAGMA busy_timeout=0")
            (mode,) = self._connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError:
            mode = "busy"
        try:
            if mode == "delete":
                self._connection.close()
                _succeed(self.path, heir, kept)
        except OSError as error:
            raise self._fault(error) from error
        finally:
            if mode == "delete":
                self._connection = _connected(self.path)
            self._connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        return bool(mode == "delete")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
        if self._alone is not None:
            os.close(self._alone)
            self._alone = None

    def _fault(self, error: sqlite3.Error | OSError) -> StoreError:
        return StoreError(f"{self.path}: {error}. {_remedy(error)}")


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def _succeed(path: Path, heir: Path, kept: Path) -> None:
    if kept.exists() and kept.samefile(path):
        kept.unlink()  # the power went before the next step
    os.link(path, kept)
    sync_folder(path.parent)
    heir.rename(path)
    sync_folder(path.parent)


def step_back(path: Path) -> None:
    """Where the power went in the midst of a change without a write-ahead log, SQLite takes the half step back: for writers.

    Nothing of Felt is written. Raises StoreError.
    """
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
    """What to do; the order is that of sqlite3's classes, the general one last."""
    if "readonly" in str(error):
        return (
            "Is a file -journal beside it? Then the power went while its day was put aside: the next start of table or bank "
            "ends that; who looks before opens a copy of both files once for writing (docs/journal.md)"
        )
    if isinstance(error, sqlite3.IntegrityError):
        return "Does a second program write this file? Stop all but one"
    if isinstance(error, sqlite3.OperationalError | OSError):
        return "May this user read and write it? Is the disk full, or the file in use by another program?"
    return "Is it a file of Felt? Then keep it: it is evidence; call the technician, start with a restored copy"


def _read_only_uri(path: Path) -> str:
    """SQLite puts a file beside one in WAL mode even to read it; where it cannot, on a disc say, nobody writes either."""
    absolute = path.absolute()
    log = absolute.with_name(f"{absolute.name}-wal")
    whole = not log.exists() or not log.stat().st_size
    nobody_writes = whole and not os.access(absolute.parent, os.W_OK, effective_ids=True)
    return f"{absolute.as_uri()}?{'immutable=1' if nobody_writes else 'mode=ro'}"
