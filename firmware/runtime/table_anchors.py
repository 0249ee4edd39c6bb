"""The heartbeats of tables between their messages: the highest row of each journal, and when it is written.

Every heartbeat of a table is remembered; it becomes a row of the ledger once a minute, and at once if it contradicts
an earlier one.
"""

from __future__ import annotations

from firmware.bank.inputs import TableBeat
from firmware.bank.state import TableBook
from firmware.wire.anchors import Anchor

S = 1_000_000_000
WRITTEN_NS = 60 * S


class TableAnchors:
    """By table: the highest that was heard of the journal that is its own."""

    def __init__(self) -> None:
        self._beats: dict[str, TableBeat] = {}
        self._written_ns: dict[str, int] = {}

    def highest(self, table: str, book: TableBook) -> Anchor | None:
        """The heard row, if it is above the ledger's; else None."""
        beat = self._beats.get(table)
        if beat is None or beat.journal != book.journal or beat.rows <= book.seen.rows:
            return None
        return Anchor(beat.rows, beat.head)

    def forget(self, table: str) -> None:
        """Two people have looked: what the table says next is what is so."""
        self._beats.pop(table, None)

    def hear(self, beat: TableBeat, book: TableBook, now_ns: int) -> list[TableBeat]:
        """The inputs of the bank's law for this heartbeat, in order; nothing if it only goes on."""
        table, known = beat.table, self._beats.get(beat.table)
        if known is not None and (known.journal != beat.journal or known.rows <= book.seen.rows):
            known = None
        if known is not None and _contradicts(beat, known):
            return [known, beat]
        if beat.found or beat.ours != beat.ledger_head or beat.rows <= book.seen.rows or beat.journal != book.journal:
            return [beat]
        self._beats[table] = beat
        if now_ns - self._written_ns.get(table, now_ns - WRITTEN_NS) < WRITTEN_NS:
            return []
        self._written_ns[table] = now_ns
        return [beat]


def _contradicts(beat: TableBeat, known: TableBeat) -> bool:
    """A journal only grows, and a row stays what it was."""
    return beat.rows < known.rows or (beat.rows == known.rows and beat.head != known.head)
