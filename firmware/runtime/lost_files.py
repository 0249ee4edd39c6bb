"""The file of an earlier gaming day that is lost: what is still known of it, before two people sign that it is gone.

Two rows are known: the last one before it that is there, and the one that the next file goes on from. Once it is signed
(`journal.FileGone`, a row of the journal itself), a start and `felt journal verify` go by the state that the next file
begins with; everything that is there is looked at as ever, and the gap is named each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from firmware.runtime.day_files import Journal
from firmware.runtime.journal import NO_HASH, FileGone, about
from firmware.runtime.sqlite import StoreError

E = TypeVar("E")

LOST = "lost"
OF_A_DAY = re.compile(r"(?P<of>.+)\.(?P<number>\d{5})\.\d{4}-\d\d-\d\d(?:\.\d+)?")
"""The name of an earlier file."""


def sign(journal: Journal[Any], people: tuple[str, ...], why: str = LOST) -> tuple[FileGone, ...]:
    """Everything that is missing, as rows to be appended; from here on the journal goes by them. Raises StoreError.

    Nothing where every file is there.
    """
    while (gone := _missing(journal, people, why)) is not None:
        journal.signing = (*journal.signing, gone)
    return journal.signing


def _missing(journal: Journal[Any], people: tuple[str, ...], why: str) -> FileGone | None:
    """The newest file that is missing, and nobody signed for; None where there is none."""
    file: Journal[Any] | None = journal
    while file is not None:
        if name := file.unsigned:
            rows, head = file.known_before
            return FileGone(name, rows, head, *_before(journal, name, rows), why, people, "")
        file = file.earlier
    return None


def _before(journal: Journal[Any], name: str, rows: int) -> tuple[str, int, str]:
    """The newest file before this one that is there, its last row and the hash of that; ("", 0, zeros) for none."""
    found = ((after, known, path) for path, after, known in _ends(journal, name) if after < rows)
    after, known, path = max(found, key=lambda one: one[0], default=(0, NO_HASH, None))
    return (path.name if path else "", after, known)


def _ends(journal: Journal[Any], name: str) -> Iterator[tuple[Path, int, str]]:
    """Each earlier day's file of this journal that is there, with its last row and the hash of that."""
    of_name = OF_A_DAY.fullmatch(name)
    for path in sorted(journal.path.parent.iterdir()):
        found = OF_A_DAY.fullmatch(path.name)
        if of_name and found and found["of"] == of_name["of"] and found["number"] < of_name["number"]:
            try:
                if about(path).get("id") != journal.id:
                    continue
            except StoreError:  # something else lies there under such a name
                continue
            with closing(Journal(path, journal.vocabulary, read_only=True)) as file:
                [(after, known)] = file.database.execute("SELECT row, hash FROM event ORDER BY row DESC LIMIT 1")
            assert isinstance(after, int)
            yield path, after, str(known)
