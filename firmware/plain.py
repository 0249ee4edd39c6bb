"""Files that people write for Felt: opened without waiting, read to a bound, and as TOML no deeper than a person writes.

Every file of a configuration, a submission, a round or a script is opened here. A FIFO would wait for a writer forever, a
device may never end, and a thousand dotted keys in one line take minutes to read.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, BinaryIO

_DOTS_MOST = 64
_MANY_DOTS = re.compile(rb"^[ \t]*(?!#)[^\n.]*(?:\.[^\n.]*){%d}" % (_DOTS_MOST + 1), re.MULTILINE)


class NotPlain(OSError):
    """Is a device or a pipe. `strerror` says so."""

    def __init__(self) -> None:
        super().__init__(None, "is a device or a pipe, not a file")


def opened(path: Path) -> BinaryIO:
    """A plain file, for reading. Raises OSError, such as NotPlain; ValueError for a path with a NUL."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  (the caller closes it)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise NotPlain
    return file


def content(path: Path, most: int) -> bytes:
    """The content of a plain file, up to one byte more than `most`. Raises as `opened`."""
    with opened(path) as file:
        return file.read(most + 1)


def toml(given: bytes) -> dict[str, Any]:
    """The object of a TOML file. Raises ValueError (UnicodeDecodeError is one), RecursionError where it is too deep."""
    if _MANY_DOTS.search(given):
        raise RecursionError(f"a line with more than {_DOTS_MOST} dots")
    return tomllib.loads(given.decode("utf-8"))


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
