"""A disk in memory for nbdkit, every write, FUA and flush of which stands in a log with the host's time.

Run by `disk.py` as `nbdkit python disk_plugin.py log=FILE size=BYTES [image=FILE] [lies=N] [cut=FILE]`, inside the Python of
the distribution: only its standard library is there.

image  what lies on the disk at first, which the log says too
lies   every Nth flush is answered at once and does nothing, as some SD cards do; the log then has it as a lie
cut    where that file is there it has a number: after so many more writes the power is gone, the file is taken away, and
       nothing is answered any more

The log is a list of records, each a header (`RECORD`) and its bytes:
kind   W a write · U a write that was durable when it was answered (FUA) · F a flush · L a flush that was a lie
at_ns  CLOCK_MONOTONIC of the host when it was done, offset in bytes, length in bytes
"""

from __future__ import annotations

import io
import struct
import threading
import time
from pathlib import Path

import nbdkit  # type: ignore[import-not-found]

API_VERSION = 2
CHUNK = 1 << 16
RECORD = struct.Struct("<cqQI")

_given: dict[str, str] = {}
_disk = bytearray()
_log: list[io.FileIO] = []
_flushes: list[int] = []
_left: list[int] = []
"""Of a cut that was asked for: the writes until then."""


def config(key: str, value: str) -> None:
    """One argument of the command line."""
    _given[key] = value


def config_complete() -> None:
    """All arguments are there."""
    _disk.extend(bytes(int(_given["size"])))
    _log.append(io.FileIO(_given["log"], "a"))
    if "image" in _given:
        _take_over(Path(_given["image"]))


def _take_over(image: Path) -> None:
    """What lies on the disk at first."""
    nothing = bytes(CHUNK)
    with image.open("rb") as file:
        for offset in range(0, len(_disk), CHUNK):
            if (lies := file.read(CHUNK)) != nothing:
                _disk[offset : offset + len(lies)] = lies
                _note(b"U", offset, lies)


def thread_model() -> int:
    """One request at a time: the log is the order in which they were done."""
    return int(nbdkit.THREAD_MODEL_SERIALIZE_ALL_REQUESTS)


def open(readonly: bool) -> int:
    """A client came."""
    return 1


def get_size(handle: int) -> int:
    """Bytes."""
    return len(_disk)


def can_write(handle: int) -> bool:
    """It is no read-only disk."""
    return True


def can_flush(handle: int) -> bool:
    """It has a volatile cache, and so it has to be flushed."""
    return True


def can_fua(handle: int) -> int:
    """A write may ask to be durable by itself."""
    return int(nbdkit.FUA_NATIVE)


def pread(handle: int, buffer: bytearray, offset: int, flags: int) -> None:
    """Read."""
    buffer[:] = _disk[offset : offset + len(buffer)]


def pwrite(handle: int, buffer: bytes, offset: int, flags: int) -> None:
    """Write into the cache; with FUA onto the disk, if it keeps its word."""
    _disk[offset : offset + len(buffer)] = buffer
    durable = flags & nbdkit.FLAG_FUA and _given.get("lies") != "1"
    _note(b"U" if durable else b"W", offset, bytes(buffer))
    if "cut" in _given:
        _may_be_cut(Path(_given["cut"]))


def flush(handle: int, flags: int) -> None:
    """All that was written before is durable, if the disk keeps its word."""
    _flushes.append(time.monotonic_ns())
    _note(b"L" if _lies() else b"F", 0, b"")


def _may_be_cut(wanted: Path) -> None:
    if not _left and wanted.exists():
        _left.append(int(wanted.read_text()))
    if _left:
        _left[0] -= 1
        if _left[0] < 0:
            wanted.unlink()
            threading.Event().wait()


def _lies() -> bool:
    """This flush is one of those that are ignored."""
    return "lies" in _given and not len(_flushes) % int(_given["lies"])


def _note(kind: bytes, offset: int, content: bytes) -> None:
    _log[0].write(RECORD.pack(kind, time.monotonic_ns(), offset, len(content)) + content)
