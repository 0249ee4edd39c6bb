"""Messages owed to the bank: numbered without a gap, each carrying the hash of the one before (docs/mqtt.md)."""

from __future__ import annotations

from typing import get_args

from firmware.table.events import MessageOwed
from firmware.table.state import Amounts, TableState
from firmware.wire.from_table import Body, Owed
from firmware.wire.payload import NO_HASH, hash_of, write
from firmware.wire.reports import Report

REPORTS = frozenset(kind.KIND for kind in get_args(Report))
"""Kinds of messages that change no meter."""


def owe(state: TableState, body: Body, fed: Amounts = ()) -> MessageOwed:
    """The next message to the bank, in its canonical text; what it puts on meters, or takes back."""
    assert state.program.live, "a test owes the bank nothing"
    prev = state.neighbors.outbox[-1].hash if state.neighbors.outbox else NO_HASH
    payload = write(Owed(state.program.table, state.program.journal, state.seq + 1, prev, body))
    return MessageOwed(state.seq + 1, hash_of(payload), payload.decode(), fed, body.KIND)


def taken_back(state: TableState) -> Amounts:
    """The amounts that a reversal of this round takes off the meters: all that its wagers put there."""
    return tuple((meter, -micros) for meter, micros in state.round.fed)
