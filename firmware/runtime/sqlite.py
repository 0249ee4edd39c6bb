"""The one door to sqlite3: durable, append-only files. WAL with synchronous=FULL, so a committed row survives a power cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

Value = str | int | bytes | None
Row = tuple[Value, ...]


class StoreError(Exception):
    """A file cannot be used: which one, why, what to do."""


class Database:
    """One SQLite file, used by one thread."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        try:
            if read_only:
                self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = sqlite3.connect(path, isolation_level=None)
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute("PRAGMA schema_version").fetchone()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{path}: {error}. Is it a file of Felt, and may this user read and write it?") from error

    def execute(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run one statement; all rows that it gives."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error

    def rows(self, statement: str, values: Sequence[Value] = ()) -> Iterator[Row]:
        """Rows one by one, for files larger than memory."""
        try:
            yield from self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error

    def insert_all(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run one statement for each row."""
        try:
            self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and on disk when the block has ended."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        self.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
