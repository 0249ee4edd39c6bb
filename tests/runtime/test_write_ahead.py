"""Which write-ahead logs a power cut can leave, and which only damage (`firmware/runtime/write_ahead.py`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.runtime.write_ahead import FRAME_BYTES, HEADER_BYTES, is_whole

FRAME = FRAME_BYTES + 512


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """It has written one transaction, whose log stands beside the file."""
    with closing(sqlite3.connect(tmp_path / "file", isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size=512")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE said (text TEXT)")
        yield connection


def writes(writer: sqlite3.Connection, tmp_path: Path) -> tuple[bytes, int]:
    """One transaction of several pages: the log then, and at which frame it began."""
    log = tmp_path / "file-wal"
    before = (log.stat().st_size - HEADER_BYTES) // FRAME
    writer.execute("INSERT INTO said VALUES (?)", ("x" * 1500,))
    return log.read_bytes(), before


def left(tmp_path: Path, content: bytes) -> bool:
    """Whether a log of this content is whole."""
    log = tmp_path / "left-wal"
    log.write_bytes(content)
    return is_whole(log)


def damaged(content: bytes, frame: int, at: int = FRAME_BYTES + 9) -> bytes:
    changed = bytearray(content)
    changed[HEADER_BYTES + frame * FRAME + at] ^= 0x40
    return bytes(changed)


def test_the_last_transaction_may_be_torn_and_none_before_it(writer: sqlite3.Connection, tmp_path: Path) -> None:
    writes(writer, tmp_path)
    content, last = writes(writer, tmp_path)
    frames = (len(content) - HEADER_BYTES) // FRAME
    assert frames - last > 2 and last > 3 and left(tmp_path, content)
    for frame in range(last, frames):
        assert left(tmp_path, damaged(content, frame)), "the power went while it was written, in any order"
        assert left(tmp_path, content[: HEADER_BYTES + frame * FRAME + 100])
    for frame in range(last):
        for at in (0, 8, 16, FRAME_BYTES, FRAME - 1):  # number, salt, checksum, page
            if frame < last - 1 or at not in (8, 16):  # what the next transaction goes on from
                assert not left(tmp_path, damaged(content, frame, at)), (frame, at)
    zeroed = content[:HEADER_BYTES] + bytes(FRAME) + content[HEADER_BYTES + FRAME :]
    assert not left(tmp_path, zeroed)


def test_the_header_is_what_was_written(writer: sqlite3.Connection, tmp_path: Path) -> None:
    content, _ = writes(writer, tmp_path)
    assert not left(tmp_path, b"") and not left(tmp_path, content[:31]) and not is_whole(tmp_path / "none")
    assert not left(tmp_path, bytes(HEADER_BYTES) + content[HEADER_BYTES:])
    for at in range(HEADER_BYTES):
        changed = bytearray(content)
        changed[at] ^= 1
        assert not left(tmp_path, bytes(changed)), at


def test_what_a_log_that_was_begun_again_leaves_behind_it_is_no_damage(
    writer: sqlite3.Connection, tmp_path: Path
) -> None:
    for _ in range(4):
        before, _ = writes(writer, tmp_path)
    writer.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
    writer.execute("INSERT INTO said VALUES ('short')")
    again = (tmp_path / "file-wal").read_bytes()
    assert len(again) == len(before) and again[16:24] != before[16:24] and left(tmp_path, again)
    assert left(tmp_path, again[:HEADER_BYTES] + before[HEADER_BYTES:]), "its header alone is on the disk"
    assert left(tmp_path, damaged(again, 0)), "and the first frame was torn"
