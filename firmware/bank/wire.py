"""The bank's end of the wire (`docs/mqtt.md`): a table's payload becomes an input, the state becomes messages. Pure.

The hash of a message is taken here, over the bytes as they came, and they have to be the canonical ones: so nobody can
send one content under two hashes.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from firmware.bank.inputs import MessageArrived, TableBeat
from firmware.bank.ledger import Account
from firmware.bank.state import BankState, Priced
from firmware.rules.money import Micros, cut_to_cents
from firmware.rules.strict import shown
from firmware.wire.anchors import Anchor
from firmware.wire.from_bank import AlarmHeld, Board, ClaimHeld, ClaimRefused, ClaimStatus, Down, Meter, Pending, Won
from firmware.wire.from_table import Owed, Presence, Status
from firmware.wire.payload import WireError, bare, canonical, hash_of, read, read_canonical
from firmware.wire.records import document
from firmware.wire.structs import replace
from firmware.wire.values import PENDING_MAX

NOT_NAMED: Mapping[str, str] = MappingProxyType({})


def decode_up(topic_table: str, payload: bytes, at: str, *, fresh: bool = True) -> MessageArrived:
    """One owed message that came under `felt/BANK/table/{topic_table}/up` at the time `at`. Raises WireError.

    One that is not `fresh` was sent before another that was heard: how far the table's journal had come then is no news.
    """
    try:
        owed = _owed(topic_table, payload)
    except WireError as wrong:
        raise WireError(f"{topic_table}/up {wrong.place}".rstrip(), wrong.text) from None
    rows, head = (owed.anchor.rows, owed.anchor.head) if owed.anchor and fresh else (0, "")
    hashed = hash_of(bare(payload))
    return MessageArrived(at, owed.table, owed.journal, owed.seq, owed.prev, hashed, owed.body, rows=rows, head=head)


def decode_presence(topic_table: str, payload: bytes, at: str) -> TableBeat | None:
    """A table's word under `felt/BANK/table/{topic_table}/alive`; None if it says farewell. Raises WireError."""
    try:
        said = read(payload, Presence)
        if said.table != topic_table:
            text = f"is {shown(said.table)}, the topic says {shown(topic_table)}; a table uses its own name"
            raise WireError("table", text)
    except WireError as wrong:
        raise WireError(f"{topic_table}/alive {wrong.place}".rstrip(), wrong.text) from None
    if not said.alive or said.anchor is None:
        return None
    beat = TableBeat(at, said.table, said.journal, said.anchor.rows, said.anchor.head, said.found, offer=said.offer)
    if said.ledger is None:
        return beat
    return replace(beat, epoch=said.ledger.epoch, ledger_rows=said.ledger.rows, ledger_head=said.ledger.head)


def decode_status(topic_table: str, payload: bytes) -> Status:
    """How a table stands, as it says under `felt/BANK/table/{topic_table}/status`. Raises WireError."""
    try:
        said = read(payload, Status)
        if said.table != topic_table:
            text = f"is {shown(said.table)}, the topic says {shown(topic_table)}; a table uses its own name"
            raise WireError("table", text)
    except WireError as wrong:
        raise WireError(f"{topic_table}/status {wrong.place}".rstrip(), wrong.text) from None
    return said


def _owed(topic_table: str, payload: bytes) -> Owed:
    owed = read_canonical(payload, Owed)
    if owed.table != topic_table:
        text = f"is {shown(owed.table)}, the topic says {shown(topic_table)}; a table uses its own name"
        raise WireError("table", text)
    return owed


def down(state: BankState, table: str, ledger: Anchor | None = None, seen: Anchor | None = None) -> Down:
    """The bank's record of that table, and its claims (topic `down`).

    `ledger`: how far the ledger has come. `seen`: more of the table's journal than the state has seen, if there is more.
    """
    return _down(state, table, tuple(_held(priced) for priced in state.book(table).said), ledger, seen)


def _down(
    state: BankState, table: str, claims: tuple[ClaimHeld, ...], ledger: Anchor | None, seen: Anchor | None
) -> Down:
    book = state.book(table)
    alarm = book.alarm
    return Down(
        epoch=state.epoch,
        table=table,
        journal=book.journal,
        seq=book.current.held.seq,
        hash=book.current.held.hash,
        claims=claims,
        alarm=AlarmHeld(alarm.kind, alarm.journal, alarm.seq, alarm.hash, alarm.text) if alarm else None,
        term=state.term,
        anchor=ledger,
        seen=seen or (Anchor(book.seen.rows, book.seen.head) if book.seen.rows else None),
        before=state.before,
        refused=tuple(ClaimRefused(one.claim, one.by) for one in book.refused if one.by),
    )


class Downs:
    """Payloads of `down`. Each has up to a hundred claims, and few messages change any of them."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[tuple[Priced, ...], list[dict[str, Any]]]] = {}
        """By table: its claims when they were said last, and as what."""

    def payload(self, state: BankState, table: str, ledger: Anchor | None = None, seen: Anchor | None = None) -> bytes:
        """The bytes of `down`, as `write` gives them."""
        claims, said = self._said.get(table, ((), []))
        book = state.book(table)
        if book.claims is not claims:
            said = [document(_held(priced)) for priced in book.said]
            self._said[table] = book.claims, said
        return canonical({**document(_down(state, table, (), ledger, seen)), "claims": said})


def board(state: BankState, at: str, named: Mapping[str, str] = NOT_NAMED) -> Board:
    """The board (topic `meters`): amounts are cut down to the cent, so it never shows more than a meter holds.

    A reserve is not shown. `named`: display names in the order of rank; meters that are not in it follow, in the order
    of the submission, with their own names.
    """
    standing = [meter for meter in state.seeds if meter.account is Account.METERS]
    order = {name: rank for rank, name in enumerate(named)}
    pending = state.pending
    shown_meters = sorted(standing, key=lambda meter: order.get(meter.name, len(order)))
    return Board(
        epoch=state.epoch,
        version=state.version,
        at=at,
        title=state.title,
        tables=tuple(state.configured),
        meters=tuple(
            Meter(
                name=one.name,
                display_name=named.get(one.name) or one.name.replace("_", " "),
                amount=cut_to_cents(state.meter(one.name)),
                seed=cut_to_cents(one.seed),
                steps=state.steps.get(one.name, 0),
                most=cut_to_cents(state.highest.get(one.name, Micros(0))),
            )
            for one in shown_meters
        ),
        pending=tuple(_pending(priced) for priced in pending[:PENDING_MAX]),
        won=tuple(_won(priced) for priced in state.won),
        term=state.term,
        more_pending=max(0, len(pending) - PENDING_MAX),
    )


def _held(priced: Priced) -> ClaimHeld:
    claim = priced.claim
    share = f"{claim.percent}%"
    at = priced.priced_at
    status = ClaimStatus.HELD if priced.held else priced.status
    return ClaimHeld(claim.claim, status, claim.meter, share, priced.due, priced.owed, at, claim.cite, priced.gone)


def _pending(priced: Priced) -> Pending:
    claim = priced.claim
    return Pending(claim.claim, claim.meter, claim.table, priced.due, claim.at)


def _won(priced: Priced) -> Won:
    claim = priced.claim
    return Won(
        claim=claim.claim,
        meter=claim.meter,
        table=claim.table,
        seat=claim.seat,
        hand=claim.hand,
        amount=priced.paid,
        now=claim.now,
        at=priced.ended,
    )


def larger_below(board: Board) -> tuple[tuple[str, str], ...]:
    """(higher, lower) display names of neighboring tiers where the lower one holds more: the sign sets it smaller."""
    return tuple(
        (higher.display_name, lower.display_name)
        for higher, lower in pairwise(board.meters)
        if lower.amount > higher.amount
    )
