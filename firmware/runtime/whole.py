"""Files that are whole before they count: written beside, on the disk, read back, and only then named by one rename.

A failure before the rename leaves the old file whole. There is no other way to make a file of Felt: a day's
journal, a new one, a key, the epochs of a ledger.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from firmware.runtime.sqlite import StoreError, sync_folder

REMEDY = "May this user write it? Is the disk full? Does something else lie in the way?"


def beside(path: Path, content: bytes) -> Path:
    """A file beside `path` that has this content: on the disk, as it was read back from there. Raises StoreError."""
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)  # the power went, or a write failed
        file = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            _write(file, content)
        finally:
            os.close(file)
    except OSError as error:
        discard(new)
        raise StoreError(f"{new}: {error.strerror}. {REMEDY}") from error
    return new


def discard(new: Path) -> None:
    """The file that `beside` made is not wanted; if it cannot go now, the next one of its name takes it away."""
    with contextlib.suppress(OSError):
        new.unlink()


def _write(file: int, content: bytes) -> None:
    """Raises OSError, also where the disk gives back something else."""
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)  # from the disk, and not from what the kernel remembers
    os.lseek(file, 0, os.SEEK_SET)
    found = bytearray()
    while chunk := os.read(file, 1 << 20):
        found += chunk
    if found != content:
        raise OSError(errno.EIO, "what was written is not what is read back")


def put(path: Path, content: bytes) -> None:
    """This content under that name, whole or not at all, in place of what had the name. Raises StoreError."""
    new = beside(path, content)
    try:
        new.rename(path)
        sync_folder(path.parent)
    except OSError as error:
        discard(new)
        raise StoreError(f"{path}: {error.strerror}. {REMEDY}") from error


def put_new(path: Path, content: bytes) -> None:
    """The same where nothing has the name yet. Raises StoreError."""
    new = beside(path, content)
    try:
        os.link(new, path)
        new.unlink()
        sync_folder(path.parent)
    except OSError as error:
        discard(new)
        raise StoreError(f"{path}: {error.strerror}. {REMEDY}") from error


def succeed(path: Path, heir: Path, kept: Path) -> None:
    """`heir`, which `beside` made, takes the name of `path`, whose file goes on under the name `kept`. Raises OSError.

    Nothing has both files open. At every moment there is one whole file of the name.
    """
    for other in path.parent.glob(f"{path.name}.*"):
        if other.samefile(path):
            other.unlink()  # the power went, or a rename failed, after the link
    os.link(path, kept)
    sync_folder(path.parent)
    try:
        heir.rename(path)
    except OSError:
        with contextlib.suppress(OSError):
            kept.unlink()
        raise
    sync_folder(path.parent)
