"""The table's end of the wire (docs/mqtt.md): what its bank says becomes an input, and the meters that it shows. Pure."""

from __future__ import annotations

from typing import NamedTuple

from firmware.rules.money import dollars
from firmware.rules.strict import shown
from firmware.table.inputs import Anchors, BankSaid, ClaimAnswer
from firmware.table.records import replace
from firmware.wire.from_bank import Board, Down, Heartbeat
from firmware.wire.payload import WireError, read


def decode_down(payload: bytes, table: str, *, retained: bool = False) -> BankSaid:
    """What the bank holds of this table; `retained`: as the broker had kept it. Raises WireError."""
    down = read(payload, Down)
    if down.table != table:
        raise WireError("table", f"is {shown(down.table)}; this topic is for table {shown(table)}")
    claims = tuple(
        ClaimAnswer(claim.claim, claim.status, claim.amount, claim.meter, claim.version, claim.owed, claim.gone)
        for claim in down.claims
    )
    said = BankSaid(down.epoch, down.journal, down.seq, down.hash, claims, anchors=_anchors(down), retained=retained)
    if down.alarm is None:
        return said
    about = (down.alarm.journal, down.alarm.seq, down.alarm.hash)
    return replace(said, alarm=down.alarm.kind, alarm_text=down.alarm.text, about=about)


def _anchors(down: Down) -> Anchors:
    rows, head = (down.anchor.rows, down.anchor.head) if down.anchor else (0, "")
    seen_rows, seen_head = (down.seen.rows, down.seen.head) if down.seen else (0, "")
    return Anchors(down.term, rows, head, down.before, seen_rows, seen_head)


def decode_alive(payload: bytes, bank: str) -> Heartbeat:
    """The heartbeat of this table's own bank. Raises WireError."""
    beat = read(payload, Heartbeat)
    if beat.bank != bank:
        raise WireError("bank", f"is {shown(beat.bank)}; this table's is {shown(bank)}")
    return beat


class MeterHeard(NamedTuple):
    """A meter as the bank's board says it: what the book calls it, what people read, and the dollars on it."""

    name: str
    display_name: str
    amount: str


def decode_meters(payload: bytes) -> tuple[MeterHeard, ...]:
    """Every meter on the board, highest rank first. Raises WireError."""
    return meters_of(read(payload, Board))


def meters_of(board: Board) -> tuple[MeterHeard, ...]:
    """Every meter on a board, highest rank first."""
    return tuple(MeterHeard(meter.name, meter.display_name, dollars(meter.amount)) for meter in board.meters)
