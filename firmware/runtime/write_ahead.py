"""Whether SQLite can have left a write-ahead log, after a power cut at any moment.

The format: https://sqlite.org/fileformat2.html, 4. SQLite takes the frames up to the first that does not fit, and says
nothing of those behind it. After a power cut that is right for the last transaction alone: the next one begins only when the
one before is on the disk.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO

from firmware.plain import opened

HEADER = struct.Struct(">IIIIII")
"""Magic number, version, size of a page, how often the log was begun again, two salts; their checksum follows."""
FRAME = struct.Struct(">II")
"""The number of the page; the size of the database in pages, in a frame that ends a transaction, else 0."""
HEADER_BYTES, FRAME_BYTES = 32, 24
MAGIC, VERSION = 0x377F0682, 3007000
MASK = 0xFFFFFFFF

Sum = tuple[int, int]


def is_whole(log: Path) -> bool:
    """There is one, its header is what was written, and no frame before the last transaction is damaged. Raises OSError."""
    try:
        with opened(log) as file:
            return _is_whole(file)
    except FileNotFoundError:
        return False


def _is_whole(file: BinaryIO) -> bool:
    header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return False
    magic, version, page, _, *_ = HEADER.unpack_from(header)
    order = ">" if magic & 1 else "<"  # of the words that are summed up; what is stored is big-endian
    known = magic & ~1 == MAGIC and version == VERSION and 512 <= page <= 65536 and not page & (page - 1)
    if not known or _sum(header[:24], (0, 0), order) != struct.unpack_from(">II", header, 24):
        return False
    return not _goes_on_behind_a_break(file, header[16:24], page, order)


def _goes_on_behind_a_break(file: BinaryIO, salts: bytes, page: int, order: str) -> bool:
    """A transaction was begun, and so the one before it was on the disk; yet a frame of that one or earlier is damaged.

    Frames with other salts are of before the log was begun again. One behind the break belongs to a next transaction where
    it goes on from the checksum that ends one.
    """
    size = FRAME_BYTES + page
    frames = (os.fstat(file.fileno()).st_size - HEADER_BYTES) // size
    file.seek(24)
    expected: Sum = struct.unpack(">II", file.read(8))
    fits, ends = True, False
    for _ in range(frames):
        frame = file.read(size)
        if len(frame) < size:
            break
        is_of_this = frame[8:16] == salts
        if fits or (ends and is_of_this):
            found = _sum(frame[FRAME_BYTES:], _sum(frame[:8], expected, order), order)
            is_next = is_of_this and found == struct.unpack_from(">II", frame, 16)
            if is_next and not fits:
                return True
            fits = fits and is_next
        ends = is_of_this and FRAME.unpack_from(frame)[1] != 0
        expected = struct.unpack_from(">II", frame, 16)
    return False


def _sum(content: bytes, before: Sum, order: str) -> Sum:
    """SQLite's checksum, which goes on from the one before."""
    one, two = before
    words = iter(struct.unpack(f"{order}{len(content) // 4}I", content))
    for word in words:
        one = (one + word + two) & MASK
        two = (two + next(words) + one) & MASK
    return one, two
