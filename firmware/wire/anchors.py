"""How two records hold each other: each side says how far its own has come, and how far it saw the other's come."""

from __future__ import annotations

from firmware.wire.records import Record
from firmware.wire.values import Hash, Hex32, Number


class Anchor(Record, frozen=True):
    """A record as it is, or was seen: its number of rows, and the hash of the last one (docs/journal.md)."""

    rows: Number
    head: Hash


class LedgerSeen(Record, frozen=True):
    """The highest that a table saw of its bank's ledger, in that epoch."""

    epoch: Hex32
    rows: Number
    head: Hash
