"""The inputs of the bank. Facts come decoded and strict (`firmware.wire`); time and identity come as data.

Every `at` is UTC as `2026-11-21T14:07:05.123Z`; the bank only records it, order is the order of the journal.
"""

from __future__ import annotations

from msgspec import Struct

from firmware.wire.from_table import Body
from firmware.wire.offers import Offer


class MessageArrived(Struct, frozen=True):
    """One owed message of a table (`docs/mqtt.md`, `up`). `hash` is that of its canonical bytes.

    `known`: the hash of the message that the ledger holds under this number, where the state no longer keeps it.
    `rows`, `head`: the table's journal when it was sent; 0 and "" where it does not say.
    """

    at: str
    table: str
    journal: str
    seq: int
    prev: str
    hash: str
    body: Body
    known: str = ""
    rows: int = 0
    head: str = ""


class TableBeat(Struct, frozen=True):
    """A table is there (`docs/mqtt.md`, `alive`): how far its journal has come, and what it saw of this ledger.

    `found`: what the table found wrong with its own journal, "" for nothing. `ours`: the hash of row `ledger_rows` of this
    ledger, "" where there is no such row. `offer`: what it plays; the table itself compares it with the bank's.
    """

    at: str
    table: str
    journal: str
    rows: int
    head: str
    found: str = ""
    epoch: str = ""
    ledger_rows: int = 0
    ledger_head: str = ""
    ours: str = ""
    offer: Offer | None = None


class MessageRefused(Struct, frozen=True):
    """A payload that is not a message (`WireError`); `count` of them where the shell has put several together."""

    at: str
    place: str
    text: str
    count: int = 1


class AdoptionSigned(Struct, frozen=True):
    """Two people, known by badge and PIN, have looked at a table's alarms and say that this journal is its own.

    `key`: the digits of the table's new key, "" where it has no new one.
    """

    at: str
    table: str
    journal: str
    by: tuple[str, ...]
    key: str = ""


class VerdictSigned(Struct, frozen=True):
    """Two people, known by badge and PIN, have looked at a verdict that is held: it is accepted, or the claim no winner.

    `seq`, `hash`: of the message that they looked at; no other one is booked by their signatures.
    """

    at: str
    claim: str
    accepted: bool
    by: tuple[str, ...]
    seq: int
    hash: str


class ReopeningSigned(Struct, frozen=True):
    """By order of the regulator two people, known by badge and PIN, open a claim again that was rejected. `reason`: it."""

    at: str
    claim: str
    by: tuple[str, ...]
    reason: str


class Started(Struct, frozen=True):
    """The bank's program started on this journal. `epoch` is a fresh name for a ledger that is new or `restored`.

    `forgotten`: epochs that were announced since the backup was taken that is put back. `heard`: the highest term of another
    bank of this ledger that was heard, where this one comes back after it; 0 for none.
    """

    at: str
    epoch: str
    restored: bool
    forgotten: tuple[str, ...] = ()
    heard: int = 0


class TablesNamed(Struct, frozen=True):
    """The configuration names these tables now, while the bank runs."""

    at: str
    tables: tuple[str, ...]


class DaySigned(Struct, frozen=True):
    """Two people, known by badge and PIN, close this gaming day. `today`: the gaming day of the ledger's clock."""

    at: str
    day: str
    by: tuple[str, ...]
    today: str


Input = (
    MessageArrived
    | TableBeat
    | MessageRefused
    | AdoptionSigned
    | VerdictSigned
    | ReopeningSigned
    | DaySigned
    | Started
    | TablesNamed
)
