"""What the bank says to a table, decoded strictly (docs/mqtt.md): `down`, `alive`, and the amounts of the board."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from firmware.rules.money import MoneyError, cents
from firmware.runtime.link import PAYLOAD_MAX
from firmware.table.inputs import BankSaid, ClaimAnswer

T = TypeVar("T")


class PayloadError(ValueError):
    """A payload that is refused: what is wrong with it."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A JSON object of the wire."""


class _Claim(_Strict, frozen=True):
    claim: str
    status: str
    meter: str
    share: str
    amount: str
    cite: str


class _Alarm(_Strict, frozen=True):
    kind: str
    seq: int
    text: str


class _Down(_Strict, frozen=True):
    v: int
    epoch: str
    table: str
    journal: str
    seq: int
    hash: str
    claims: tuple[_Claim, ...]
    alarm: _Alarm | None


class Alive(_Strict, frozen=True):
    """The heartbeat of the bank."""

    v: int
    bank: str
    epoch: str
    alive: bool
    at: str
    board: int


class _Meter(_Strict, frozen=True):
    name: str
    amount: str
    seed: str


class _Board(msgspec.Struct, frozen=True):
    """The part of the board that a table shows; the sign reads all of it."""

    v: int
    meters: tuple[_Meter, ...]


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise PayloadError(f"the key {key[:40]!r} stands there twice")
    return dict(pairs)


def decode(payload: bytes, kind: type[T]) -> T:
    """One JSON object of that kind. Raises PayloadError."""
    if len(payload) > PAYLOAD_MAX:
        raise PayloadError(f"more than {PAYLOAD_MAX} bytes")
    try:
        given = json.loads(payload, object_pairs_hook=_without_doubles)
        return msgspec.convert(given, kind)
    except UnicodeDecodeError as error:
        raise PayloadError("not UTF-8") from error
    except msgspec.ValidationError as error:
        raise PayloadError(str(error)) from error
    except RecursionError as error:
        raise PayloadError("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise PayloadError(f"not JSON: {error.msg}") from error


def decode_down(payload: bytes, table: str) -> BankSaid:
    """What the bank holds of this table. Raises PayloadError."""
    down = decode(payload, _Down)
    if down.v != 1 or down.table != table:
        raise PayloadError(f"version {down.v} for table {down.table[:40]!r}, not version 1 for {table!r}")
    try:
        claims = tuple(
            ClaimAnswer(claim.claim, claim.status, claim.meter, claim.share, cents(claim.amount), claim.cite)
            for claim in down.claims
        )
    except MoneyError as error:
        raise PayloadError(f"claims: amount {error}") from error
    kind, text = (down.alarm.kind, down.alarm.text) if down.alarm else ("", "")
    return BankSaid(down.epoch, down.journal, down.seq, down.hash, claims, kind, text)


def decode_meters(payload: bytes) -> tuple[tuple[str, str], ...]:
    """(name, dollars) of every meter on the board. Raises PayloadError."""
    board = decode(payload, _Board)
    try:
        for meter in board.meters:
            cents(meter.amount)
    except MoneyError as error:
        raise PayloadError(f"meters: amount {error}") from error
    return tuple((meter.name, meter.amount) for meter in board.meters)
