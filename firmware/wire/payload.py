"""Bytes in, messages out, and back: the one strict reader and the one writer of the wire.

The reader is total: to any bytes it answers with a message or with a `WireError` that names the place and the
remedy. The writer gives the canonical form, which is also the one that is hashed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from firmware.rules.strict import Refusal, shown, under
from firmware.wire.provenance import Said
from firmware.wire.records import Record, document, read_record

PAYLOAD_MAX = 64 * 1024
"""Bytes of a message at most."""
OF_ONE_SENDING = ("anchor", "said", "seal")
"""Keys of an owed message that are new in each sending."""
NO_HASH = "0" * 64
"""The hash before the first message."""

R = TypeVar("R", bound=Record)


class WireError(ValueError):
    """A payload that is refused. `place`: a dotted path in it; `text`: what is wrong and what would be right."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__(f"{place}: {text}" if place else text)
        self.place = place
        self.text = text


def read(payload: bytes, kind: type[R]) -> R:
    """One message of that kind. Raises WireError."""
    return read_document(object_in(payload), kind)


def read_document(given: object, kind: type[R], at: str = "") -> R:
    """One message of that kind, or the part of one that stands `at` a place, from decoded JSON. Raises WireError."""
    try:
        return read_record(kind, given, at)
    except Refusal as wrong:
        raise WireError(wrong.at or "", wrong.text) from None


def read_canonical(payload: bytes, kind: type[R]) -> R:
    """One message of that kind that came in its canonical form, as what is hashed does. Raises WireError.

    A payload that is written again as the very same bytes has no key twice. The strict reader names every fault.
    """
    try:
        given = _read_soon(payload) if len(payload) <= PAYLOAD_MAX else None
        if isinstance(given, dict) and canonical(given) == payload:
            return read_record(kind, given, "")
    except (ValueError, RecursionError):  # msgspec's errors and a Refusal are ValueErrors
        pass
    given = object_in(payload)
    message = read_document(given, kind)
    if canonical(given) != payload:
        raise WireError("", "is not canonical; sort the keys, no white space, ASCII only")
    return message


_read_soon = msgspec.json.Decoder().decode


class Opened(Struct, frozen=True):
    """A word whose speaker is not shown yet: who it says that it is, its seal, and the bytes that the seal is of."""

    content: Mapping[str, Any]
    said: Said
    seal: str
    sealed: bytes


def opened(payload: bytes) -> Opened:
    """A word that was sealed, before anything else of it is read. Raises WireError."""
    try:
        given = _read_soon(payload) if len(payload) <= PAYLOAD_MAX else None
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        given = object_in(payload)
    seal = given.pop("seal", "")
    if "said" not in given or not isinstance(seal, str) or not seal:
        raise WireError("seal", "is missing; every word is sealed by who says it")
    said = read_document(given["said"], Said, "said")
    try:
        return Opened(given, said, seal, canonical(given))
    except (ValueError, RecursionError):
        raise WireError("", "cannot be written again in the form that is sealed") from None


def sealed(payload: bytes, said: Said, seal: Callable[[bytes], str]) -> bytes:
    """A word in its canonical form, with who says it and the seal of that."""
    given = _read_soon(payload)
    given["said"] = document(said)
    given["seal"] = seal(canonical(given))
    return canonical(given)


def bare(payload: bytes) -> bytes:
    """The part of an owed message that is hashed, from its canonical form: without what changes from sending to sending."""
    given = _read_soon(payload)
    return canonical({key: value for key, value in given.items() if key not in OF_ONE_SENDING})


def object_in(payload: bytes) -> dict[str, Any]:
    """One JSON object: of bounded size, UTF-8, no key twice, no float. Raises WireError."""
    try:
        return _object_in(payload)
    except Refusal as wrong:
        raise WireError(wrong.at or "", wrong.text) from None


def _object_in(payload: bytes) -> dict[str, Any]:
    if len(payload) > PAYLOAD_MAX:
        raise Refusal(None, f"holds {len(payload)} bytes; a message has at most {PAYLOAD_MAX}")
    try:
        given = _decoder.decode(payload.decode("utf-8"))
    except Refusal:
        raise
    except UnicodeDecodeError as wrong:
        raise Refusal(None, f"is not UTF-8 at byte {wrong.start}; send canonical JSON") from None
    except RecursionError:
        raise Refusal(None, "is nested too deeply; a message has an object and its body") from None
    except json.JSONDecodeError as wrong:
        raise Refusal(None, f"is not JSON ({wrong}); send one JSON object") from None
    except ValueError:  # more digits than Python reads
        raise Refusal(None, "holds a number of thousands of digits; numbers are below 2**53") from None
    if not isinstance(given, dict):
        raise Refusal(None, f"is {shown(given)}; send one JSON object")
    return given


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    given = dict(pairs)
    if len(given) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise Refusal(under("", double), "stands there twice; once is right")
    return given


def _no_float(digits: str) -> NoReturn:
    raise Refusal(None, f"holds the number {shown(digits)}; numbers are whole, money is a string")


_decoder = json.JSONDecoder(object_pairs_hook=_without_doubles, parse_float=_no_float, parse_constant=_no_float)
_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def write(message: Record) -> bytes:
    """A message in its canonical form."""
    return canonical(document(message))


def canonical(given: Mapping[str, Any]) -> bytes:
    """The one form in which an object goes over the wire and is hashed: keys sorted, no white space, ASCII only.

    Plain ASCII is written by msgspec, in an eighth of the time; it escapes no other letter, and DEL (a test compares them).
    """
    try:
        written = _written_soon(given)
    except (TypeError, ValueError, OverflowError):
        return _written(given)
    return written if written.isascii() and b"\x7f" not in written else _written(given)


_written_soon = msgspec.json.Encoder(order="sorted").encode


def _written(given: Mapping[str, Any]) -> bytes:
    return _encoder.encode(given).encode()


def hash_of(payload: bytes) -> str:
    """The hash of a message, 64 hex digits, from its canonical bytes."""
    return hashlib.sha256(payload).hexdigest()
