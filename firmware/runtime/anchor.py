"""How far a table's journal had come, in a small file beside it: `table.journal.anchor` (docs/journal.md).

It is written when a journal is made, at every start, at the end of every round and when the program ends. A start holds
the journal against it: one that ends before the anchored row, or has another row there, was put back or rewritten; one
whose write-ahead log is gone, though the program never ended in order, has lost its rows. A person who can change both
files can make them agree; the bank guards against that (docs/mqtt.md).

The file has two slots, written in turn and in place: a write that the power cut leaves the other one, and a full disk
has room for it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from firmware.plain import content as plain_content
from firmware.runtime.sqlite import StoreError, sync_folder

if TYPE_CHECKING:
    from firmware.runtime.day_files import Journal

SLOT = 512
"""Bytes: what a disk writes at once."""
CHECK = 16
"""Hex digits of the SHA-256 behind a slot's text."""
OTHERWISE = {
    "table": "let two people accept what is there: `felt table accept journal`",
    "bank": "announce what is there, a backup that was put back say: start once with `felt bank --restored`",
}
"""By what a journal is of: how people go on with one that is not what it was."""
LEFT_BEHIND = ("", ".anchor", ".epochs", ".lock", "-wal", "-shm")
"""The files beside a journal that was made, after its name."""


class JournalLost(StoreError):
    """A journal is not what it was: which file, what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A journal as it was: its number of rows, and the hash of the last one. `count` rises with every write.

    `running`: the program was at work; its write-ahead log stays beside the journal, and is never empty, until it ends in
    order.
    """

    count: int
    journal: str
    rows: int
    head: str
    running: bool


def signs(path: Path) -> tuple[Path, ...]:
    """The sign that there is, or was, a journal of this name."""
    beside = (path.with_name(path.name + ending) for ending in LEFT_BEHIND)
    older = sorted(path.parent.glob(f"{path.name}.[0-9]*"))
    return (*(one for one in beside if one.exists()), *older)


class AnchorFile:
    """The anchor of one journal, by the journal's path."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(f"{journal.name}.anchor")
        self._last: Anchor | None = None

    def read(self) -> Anchor | None:
        """The newest anchor that is whole; None where there is none. Raises StoreError."""
        try:
            content = plain_content(self.path, 2 * SLOT)
        except FileNotFoundError:
            content = b""
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}. May this user read it?") from error
        self._last = max(_slots(content), key=lambda anchor: anchor.count, default=None)
        return self._last

    def write(self, journal: Journal[Any], *, running: bool) -> None:
        """Durably: the journal has come so far. Raises StoreError."""
        last = self._last or self.read()
        anchor = Anchor(last.count + 1 if last else 1, journal.id, journal.rows, journal.head, running)
        if last is not None and replace(anchor, count=last.count) == last:
            journal.log_stays = running
            return
        journal.log_stays = running or journal.log_stays
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.pwrite(file, _slot(anchor), anchor.count % 2 * SLOT)
                os.fsync(file)
            finally:
                os.close(file)
            if last is None:
                sync_folder(self.path.parent)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}. May this user write it? Is the disk full?") from error
        self._last, journal.log_stays = anchor, running

    def objection(self, journal: Journal[Any]) -> str:
        """Why a journal that was replayed is not the one that was anchored, or has lost rows; "" where it is whole."""
        return _objection(self.read(), journal)

    def hold(self, journal: Journal[Any]) -> None:
        """Raises JournalLost where there is an objection to a journal, which was replayed."""
        of = journal.vocabulary.name
        if not journal.rows and self.read() is None:
            raise JournalLost(f"{journal.path}: this journal was never made to the end; `felt {of} new` does it")
        if why := self.objection(journal):
            raise JournalLost(
                f"{journal.path}: {why}. Do not delete anything: it is evidence. Put the whole folder back as it was, or "
                f"{OTHERWISE[of]}"
            )


def _objection(said: Anchor | None, journal: Journal[Any]) -> str:
    """The fault of a journal, "" for none."""
    if said is None:
        return "the file .anchor beside it is missing or cannot be read, so nobody knows whether rows are missing"
    if said.journal != journal.id:
        return f"the file .anchor beside it is of journal {said.journal[:8]}, this is {journal.id[:8]}"
    if journal.rows < said.rows:
        return f"it ends at row {journal.rows}, but row {said.rows} was written: an older copy, or rows were cut off"
    if journal.hash_at(said.rows) != said.head:
        return f"row {said.rows} is not the one that was written: the journal was rewritten"
    if said.running and not journal.log_was_there:
        return (
            f"the file -wal beside it is gone, empty or damaged, and with it what was written after row {journal.rows}"
        )
    return ""


def _slot(anchor: Anchor) -> bytes:
    text = msgspec.json.encode(anchor)
    return (text + b" " + _check(text)).ljust(SLOT - 1) + b"\n"


def _slots(content: bytes) -> Iterator[Anchor]:
    """Every slot that is whole."""
    for start in (0, SLOT):
        text, _, check = content[start : start + SLOT].strip(b" \n\0").rpartition(b" ")
        if text and _check(text) == check:
            yield msgspec.json.decode(text, type=Anchor)


def _check(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:CHECK].encode()
