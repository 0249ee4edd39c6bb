"""Messages owed to the bank: numbered without a gap, each carrying the hash of the one before (docs/mqtt.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from firmware.table.events import MessageOwed
from firmware.table.state import NO_HASH, TableState


def owe(state: TableState, kind: str, body: Mapping[str, Any]) -> MessageOwed:
    """The next message to the bank, in its canonical text (sorted keys, no white space, ASCII)."""
    message = {
        "v": 1,
        "table": state.program.table,
        "journal": state.program.journal,
        "seq": state.seq + 1,
        "prev": state.neighbours.outbox[-1].hash if state.neighbours.outbox else NO_HASH,
        "kind": kind,
        "body": body,
    }
    text = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return MessageOwed(state.seq + 1, hashlib.sha256(text.encode()).hexdigest(), text)
