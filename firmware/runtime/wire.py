"""What the bank says to a table, decoded strictly (docs/mqtt.md): `down`, `alive`, and the amounts of the board."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec

from firmware.bank.wire import read_object
from firmware.rules.money import MoneyError, cents
from firmware.rules.strict import Refusal
from firmware.table.inputs import BankSaid, ClaimAnswer

T = TypeVar("T")


class PayloadError(ValueError):
    """A payload that is refused: what is wrong with it."""


Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Hex32 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
Hex32OrNone = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{32})?\Z")]
Hex64 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Word = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]([ _-]?[a-z0-9])*\Z", max_length=32)]
ClaimName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,32}(:[0-9]{1,16}){3}\Z")]
Percent = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,3}%\Z")]
Shown = Annotated[str, msgspec.Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*\Z", max_length=200)]
"""One line for people: no control characters, which a font cannot draw, and no lone surrogates, which no file can hold."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A JSON object of the wire."""


class _Claim(_Strict, frozen=True):
    claim: ClaimName
    status: Literal["pending", "paid", "rejected"]
    meter: Word
    share: Percent
    amount: str
    cite: Shown


class _Alarm(_Strict, frozen=True):
    kind: Word
    seq: Count
    text: Shown


class _Down(_Strict, frozen=True):
    v: Literal[1]
    epoch: Hex32
    table: Word
    journal: Hex32OrNone
    seq: Count
    hash: Hex64
    claims: tuple[_Claim, ...]
    alarm: _Alarm | None


class Alive(_Strict, frozen=True):
    """The heartbeat of the bank."""

    v: Literal[1]
    bank: Word
    epoch: Hex32OrNone
    alive: bool
    at: Shown
    board: Count


class _Meter(_Strict, frozen=True):
    name: Word
    amount: str
    seed: str


class _Board(msgspec.Struct, frozen=True):
    """The part of the board that a table shows; the sign reads all of it."""

    v: Literal[1]
    meters: tuple[_Meter, ...]


def decode(payload: bytes, kind: type[T]) -> T:
    """One JSON object of that kind. Raises PayloadError."""
    try:
        return msgspec.convert(read_object(payload), kind)
    except UnicodeEncodeError as error:
        raise PayloadError("holds half of a surrogate pair") from error
    except (Refusal, msgspec.ValidationError) as error:
        raise PayloadError(str(error)) from error


def decode_down(payload: bytes, table: str) -> BankSaid:
    """What the bank holds of this table. Raises PayloadError."""
    down = decode(payload, _Down)
    if down.table != table:
        raise PayloadError(f"is for table {down.table!r}, not for {table!r}")
    try:
        claims = tuple(
            ClaimAnswer(claim.claim, claim.status, claim.meter, claim.share, cents(claim.amount), claim.cite)
            for claim in down.claims
        )
    except MoneyError as error:
        raise PayloadError(f"claims: amount {error}") from error
    kind, text = (down.alarm.kind, down.alarm.text) if down.alarm else ("", "")
    return BankSaid(down.epoch, down.journal, down.seq, down.hash, claims, kind, text)


def decode_alive(payload: bytes, bank: str) -> Alive:
    """The heartbeat of this table's own bank. Raises PayloadError."""
    beat = decode(payload, Alive)
    if beat.bank != bank:
        raise PayloadError(f"is of bank {beat.bank!r}, not of {bank!r}")
    return beat


def decode_meters(payload: bytes) -> tuple[tuple[str, str], ...]:
    """(name, dollars) of every meter on the board. Raises PayloadError."""
    board = decode(payload, _Board)
    try:
        for meter in board.meters:
            cents(meter.amount)
    except MoneyError as error:
        raise PayloadError(f"meters: amount {error}") from error
    return tuple((meter.name, meter.amount) for meter in board.meters)
