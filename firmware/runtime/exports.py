"""A journal's file as JSON Lines that anybody can check: what it is, its rows and seals, and how they end.

The first line says whose rows follow and the hash before them; each `body` is the very text that its hash covers; the last
line says how many there were, so an export that broke off is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from firmware.runtime.day_files import Journal
from firmware.runtime.journal import NO_HASH, row_hash
from firmware.runtime.seals import READ_SEALS, SealBroken, wrong
from firmware.runtime.signed_notes import PublicKey
from firmware.runtime.sqlite import StoreError

FIRST_BYTE = b"{"
AGAIN = "export the journal again"


class _About(msgspec.Struct, forbid_unknown_fields=True):
    of: str
    id: str
    first: int
    before: str


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    row: int
    boot: str
    mono_ns: int
    utc: str
    kind: str
    version: int
    body: str
    hash: str


class _Seal(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    row: int
    note: str


class _End(msgspec.Struct, forbid_unknown_fields=True):
    rows: int
    head: str


class _Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    about: _About | None = None
    event: _Row | None = None
    seal: _Seal | None = None
    end: _End | None = None


def lines(journal: Journal[Any]) -> Iterator[bytes]:
    """The lines of one file of a journal. Raises JournalDamaged, StoreError."""
    before = journal.about.get("head", NO_HASH)
    yield _text(_Line(about=_About(journal.vocabulary.name, journal.id, journal.first, before)))
    row, head = journal.first - 1, before
    for entry in journal.own_entries():
        row, head = entry.row, entry.hash
        fields = (entry.row, entry.boot, entry.mono_ns, entry.utc, entry.kind, entry.version, entry.body, entry.hash)
        yield _text(_Line(event=_Row(*fields)))
    for number, sealed, note in journal.database.execute(READ_SEALS):
        yield _text(_Line(seal=msgspec.convert({"number": number, "row": sealed, "note": note}, _Seal)))
    yield _text(_Line(end=_End(row, head)))


def _text(line: _Line) -> bytes:
    return msgspec.json.encode(line)


def is_export(path: Path) -> bool:
    """The file begins as an export does; a journal begins as a database."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == FIRST_BYTE


def verify(path: Path, keys: Sequence[PublicKey] = ()) -> str:
    """The content of an export, in a line for people, if its rows, seals and end are right.

    Raises StoreError, SealBroken. Without keys no signature is checked.
    """
    about: _About | None = None
    row, head, hashes, seals = 0, "", dict[int, str](), 0
    with path.open("rb") as file:
        for text in file:
            line = _read(path, row, text)
            if about is None:
                if (about := line.about) is None:
                    raise StoreError(f"{path}: the first line does not say whose rows follow; {AGAIN}")
                row, head = about.first - 1, about.before
            elif line.event is not None:
                row, head = _next(path, row, head, line.event)
                hashes[row] = head
            elif line.seal is not None:
                seals += 1
                seal = (line.seal.number, line.seal.row, line.seal.note)
                if why := wrong(seal, about.id, hashes.get(line.seal.row, ""), keys):
                    raise SealBroken(path, why)
            elif line.end == _End(row, head):
                return f"{path}: rows {about.first} to {row} of {about.of} {about.id}, {seals} seals; head {head}"
            else:
                break
    raise StoreError(f"{path}: breaks off after row {row}: it has no end that fits; {AGAIN}")


def _read(path: Path, row: int, text: bytes) -> _Line:
    try:
        return msgspec.json.decode(text, type=_Line)
    except msgspec.DecodeError as error:
        raise StoreError(f"{path}: row {row + 1}: this line is not what was exported: {error}; {AGAIN}") from error


def _next(path: Path, row: int, head: str, event: _Row) -> tuple[int, str]:
    fields = (event.row, event.boot, event.mono_ns, event.utc, event.kind, event.version, event.body)
    if event.row != row + 1:
        raise StoreError(f"{path}: row {row + 1}: row {event.row} stands in its place; {AGAIN}")
    if row_hash(*fields, head) != event.hash:
        raise StoreError(
            f"{path}: row {event.row}: its hash does not fit: it, or a row before it, was changed; {AGAIN}"
        )
    return event.row, event.hash
