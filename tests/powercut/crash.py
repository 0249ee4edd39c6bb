"""What may lie on a disk after its power was cut: made from the log of its writes and flushes (`disk_plugin.py`).

Whatever was written before the last flush that was done is there. Of what was written later any 512-byte sector may be
there or not, in any of its versions: a disk's cache keeps no order. A sector is whole, old or new.
"""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SECTOR = 512
PAGE = 8 * SECTOR
RECORD = struct.Struct("<cqQI")
LIAR_HOLDS_NS = 2_000_000_000
"""For so long a disk that ignores flushes keeps what it was given in its cache."""

Sectors = Mapping[int, bytes]
Pending = Sequence[Sequence[tuple[int, bytes]]]
"""Writes in their order, each as (sector, bytes)."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a log: W, U, F or L, nanoseconds of the host's CLOCK_MONOTONIC, place in bytes, bytes."""

    kind: str
    at_ns: int
    offset: int
    content: bytes

    @property
    def sectors(self) -> list[tuple[int, bytes]]:
        """The write as (sector, bytes)."""
        first, content = self.offset // SECTOR, self.content
        return [(first + n // SECTOR, content[n : n + SECTOR]) for n in range(0, len(content), SECTOR)]


def read_log(path: Path) -> list[Record]:
    """All records of a log. One that the end of the disk's program cut short was not done."""
    content, records, place = path.read_bytes(), [], 0
    while place + RECORD.size <= len(content):
        kind, at_ns, offset, length = RECORD.unpack_from(content, place)
        place += RECORD.size + length
        if place <= len(content):
            records.append(Record(kind.decode(), at_ns, offset, content[place - length : place]))
    return records


# What the cache did with the sectors that were not flushed --------------------------------------------------------------


def _none(_pending: Pending, _chance: random.Random) -> Sectors:
    return {}


def _all(pending: Pending, _chance: random.Random) -> Sectors:
    return {sector: content for write in pending for sector, content in write}


def _dropped(pending: Pending, chance: random.Random) -> Sectors:
    """Each by itself is there or not."""
    share = chance.choice((0.2, 0.5, 0.8))
    return {sector: content for write in pending for sector, content in write if chance.random() < share}


def _reordered(pending: Pending, chance: random.Random) -> Sectors:
    """Of each sector any of its versions, also an older one than the last, or none of them."""
    versions: dict[int, list[bytes]] = {}
    for write in pending:
        for sector, content in write:
            versions.setdefault(sector, []).append(content)
    chosen = ((sector, chance.choice([None, *found])) for sector, found in versions.items())
    return {sector: content for sector, content in chosen if content is not None}


def _torn(pending: Pending, chance: random.Random) -> Sectors:
    """Up to some write all is there, and of that one its first or its last sectors."""
    if not pending:
        return {}
    last = chance.randrange(len(pending))
    torn, cut = pending[last], chance.randint(0, len(pending[last]))
    part = torn[:cut] if chance.random() < 0.5 else torn[cut:]
    return _all([*pending[:last], part], chance)


WAYS: Mapping[str, Callable[[Pending, random.Random], Sectors]] = {
    "none": _none,
    "all": _all,
    "dropped": _dropped,
    "reordered": _reordered,
    "torn": _torn,
}
"""By name, what became of the sectors that were not flushed."""


@dataclass(frozen=True, slots=True)
class Image:
    """What lies on a disk: pages of 4 KiB by number, sectors by number over them; all else is zero."""

    size: int
    pages: Mapping[int, bytes | bytearray]
    over: Sectors

    def write(self, path: Path) -> None:
        """As a sparse file."""
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.truncate(file, self.size)
            for place, run in _runs(self.pages):
                os.pwrite(file, run, place * PAGE)
            for sector, content in self.over.items():
                os.pwrite(file, content, sector * SECTOR)
        finally:
            os.close(file)


def _runs(pages: Mapping[int, bytes | bytearray]) -> Iterator[tuple[int, bytes]]:
    """Pages that follow each other, together."""
    first, run = -1, bytearray()
    for number in sorted(pages):
        if run and number != first + len(run) // PAGE:
            yield first, bytes(run)
            run = bytearray()
        if not run:
            first = number
        run += pages[number]
    if run:
        yield first, bytes(run)


class Cutter:
    """Goes along a log and says what may lie on the disk if the power were cut now."""

    def __init__(self, log: Sequence[Record], size: int) -> None:
        """`size`: of the disk, in bytes."""
        self._log, self._size = log, size
        self._next = 0
        self._durable: dict[int, bytearray] = {}
        self._pending: list[tuple[int, Sequence[tuple[int, bytes]]]] = []

    def go_to(self, at_ns: int) -> None:
        """Until that time, which is not before the last one."""
        while self._next < len(self._log) and self._log[self._next].at_ns <= at_ns:
            self._take(self._log[self._next])
            self._next += 1

    def _take(self, record: Record) -> None:
        if record.kind == "F":
            self._settle(len(self._pending))
        elif record.kind == "L":
            held = record.at_ns - LIAR_HOLDS_NS
            self._settle(sum(at_ns < held for at_ns, _ in self._pending))
        else:
            sectors = record.sectors
            if record.kind == "U":
                now = {sector for sector, _ in sectors}
                self._pending = [(at_ns, [one for one in old if one[0] not in now]) for at_ns, old in self._pending]
                self._put(sectors)
            else:
                self._pending.append((record.at_ns, sectors))

    def _settle(self, writes: int) -> None:
        for _, sectors in self._pending[:writes]:
            self._put(sectors)
        del self._pending[:writes]

    def _put(self, sectors: Sequence[tuple[int, bytes]]) -> None:
        for sector, content in sectors:
            page = self._durable.setdefault(sector * SECTOR // PAGE, bytearray(PAGE))
            place = sector * SECTOR % PAGE
            page[place : place + SECTOR] = content

    @property
    def outstanding(self) -> int:
        """Sectors that were written and not flushed."""
        return sum(len(sectors) for _, sectors in self._pending)

    def cut(self, way: str, chance: random.Random) -> Image:
        """What lies there, the unflushed sectors as `way` has them (`WAYS`)."""
        return Image(self._size, self._durable, WAYS[way]([sectors for _, sectors in self._pending], chance))
