"""The shuffler's wire, pure: bytes in, messages out, both directions. docs/shuffler.md describes it byte by byte.

It has no field that could express the face of a card, on purpose: nothing that leaves a shuffler may tell one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from hal.frames import Frames, Malformed, Refused, framed
from hal.ports import ShufflerStatus

VERSION = 1
MODES = (
    "off", "selftest", "idle", "loading", "shuffling", "ready", "dispensing", "empty", "sort", "service", "fault",
)  # fmt: skip
FAULTS = ("", "jam", "door", "lid", "count", "color", "cycle", "motor", "card")
DECKS = ("", "blue", "red")

_STATUS, _QUERY, _ACKNOWLEDGE = 0x01, 0x81, 0x82
_COUNT_UNKNOWN = 0xFF
_STATUS_BODY = struct.Struct(">BBBBBHH")
_UNIT_MAX = 24
FRAME_MAX = 64
"""Bytes between two delimiters at most; longer is noise."""


@dataclass(frozen=True, slots=True)
class Query:
    """Table to unit: tell the status now."""


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Table to unit: a person has seen the alarm of this number, and all before it."""

    alarm: int


Message = ShufflerStatus | Query | Acknowledge


class Encoder:
    """Messages to bytes, each with the next sequence number: 0 once after the start, then 1 to 255 round and round."""

    def __init__(self) -> None:
        self._sequence = 0

    def encode(self, message: Message) -> bytes:
        """The frame of one message, a delimiter before and after it. Raises ValueError for what the wire cannot say."""
        plain = bytes([_type_of(message), self._sequence]) + _body(message)
        self._sequence = self._sequence % 255 + 1
        return framed(plain)


class Decoder:
    """Bytes to messages. After any noise the next valid frame works.

    `expects`: the kinds of message that this end listens to; a unit tells, a table asks.
    """

    def __init__(self, *expects: type[Message]) -> None:
        self._expects = expects
        self._frames = Frames(FRAME_MAX)
        self._sequence: int | None = None
        self._told_loss = False

    def forget(self) -> None:
        """Begin again with any sequence number: after a reconnection, or when the other end was silent for too long."""
        self._frames.forget()
        self._sequence = None

    def feed(self, received: bytes) -> Iterator[Message | Refused]:
        """The messages that these bytes complete. Every run of bytes that is refused gives one `Refused`."""
        for plain in self._frames.feed(received):
            if isinstance(plain, Refused):
                yield self._refused(plain.text)
            else:
                yield from self._taken(plain)

    def _taken(self, plain: bytes) -> Iterator[Message | Refused]:
        try:
            sequence, message = _parsed(plain)
            if not isinstance(message, self._expects):
                raise Malformed(f"a {type(message).__name__} came, which this end only sends: check the wiring")
            lost = self._lost_before(sequence)
        except Malformed as refusal:
            yield self._refused(str(refusal))
            return
        if lost and not self._told_loss:
            yield Refused(f"{lost} frames before number {sequence} are missing")
        self._told_loss = False
        self._sequence = sequence
        yield message

    def _lost_before(self, sequence: int) -> int:
        """How many frames are missing before this one; raises Malformed if it came already or too late."""
        if self._sequence is None or sequence == 0:
            return 0  # an end that was switched on again must be heard; to hear a first frame twice does no harm
        if sequence == self._sequence:
            raise Malformed(f"frame number {sequence} came twice")
        ahead = (sequence - self._sequence) % 255 if self._sequence else sequence
        if ahead > 127:
            raise Malformed(f"frame number {sequence} came after number {self._sequence}: too late")
        return ahead - 1

    def _refused(self, text: str) -> Refused:
        self._told_loss = True
        return Refused(text)


class Codec(Protocol):
    """The bytes of one kind of unit, both directions, at the table's end of the line. Pure; one for each line."""

    def encode(self, message: Query | Acknowledge) -> bytes:
        """The bytes that ask or tell this; empty for what the unit has no bytes for."""

    def feed(self, received: bytes) -> Iterator[Message | Refused]:
        """The messages that these bytes complete: a whole `ShufflerStatus` each time, or why the bytes were refused."""

    def forget(self) -> None:
        """Start over: after a reconnection, or when the unit was silent for too long."""


class NeutralCodec:
    """Felt's own protocol."""

    def __init__(self) -> None:
        self._encoder, self._decoder = Encoder(), Decoder(ShufflerStatus)

    def encode(self, message: Query | Acknowledge) -> bytes:
        """The frame of one message."""
        return self._encoder.encode(message)

    def feed(self, received: bytes) -> Iterator[Message | Refused]:
        """The messages that these bytes complete."""
        return self._decoder.feed(received)

    def forget(self) -> None:
        """Take any sequence number next."""
        self._decoder.forget()


def _type_of(message: Message) -> int:
    match message:
        case ShufflerStatus():
            return _STATUS
        case Query():
            return _QUERY
        case Acknowledge():
            return _ACKNOWLEDGE


def _body(message: Message) -> bytes:
    match message:
        case ShufflerStatus():
            return _status_body(message)
        case Query():
            return b""
        case Acknowledge(alarm):
            return alarm.to_bytes(2, "big")


def _status_body(status: ShufflerStatus) -> bytes:
    unit = status.unit.encode("ascii", "replace")
    if not 1 <= len(unit) <= _UNIT_MAX or not _printable(unit):
        raise ValueError(f"unit {status.unit!r}: a unit's identity has 1 to {_UNIT_MAX} printable ASCII characters")
    if status.count is not None and not 0 <= status.count < _COUNT_UNKNOWN:
        raise ValueError(f"count {status.count}: a shuffler counts 0 to {_COUNT_UNKNOWN - 1} cards, or None")
    return (
        _STATUS_BODY.pack(
            VERSION,
            MODES.index(status.mode),
            _COUNT_UNKNOWN if status.count is None else status.count,
            DECKS.index(status.deck),
            FAULTS.index(status.fault),
            status.alarm,
            status.acknowledged,
        )
        + unit
    )


def _parsed(plain: bytes) -> tuple[int, Message]:
    """Sequence number and message of one frame; raises Malformed."""
    kind, sequence, body = plain[0], plain[1], plain[2:]
    if kind == _STATUS:
        return sequence, _parsed_status(body)
    if kind == _QUERY and not body:
        return sequence, Query()
    if kind == _ACKNOWLEDGE and len(body) == 2:
        return sequence, Acknowledge(int.from_bytes(body, "big"))
    raise Malformed(f"type 0x{kind:02x} with {len(body)} bytes is not in version {VERSION} of the protocol")


def _parsed_status(body: bytes) -> ShufflerStatus:
    if len(body) <= _STATUS_BODY.size:
        raise Malformed(f"a status of {len(body)} bytes is too short")
    version, mode, count, deck, fault, alarm, acknowledged = _STATUS_BODY.unpack_from(body)
    unit = body[_STATUS_BODY.size :]
    if version != VERSION:
        raise Malformed(f"the unit speaks version {version}, this table version {VERSION}: update one of them")
    if mode >= len(MODES) or deck >= len(DECKS) or fault >= len(FAULTS):
        raise Malformed(f"mode {mode}, deck {deck}, fault {fault}: not in version {VERSION} of the protocol")
    if len(unit) > _UNIT_MAX or not _printable(unit):
        raise Malformed("the unit's identity is not printable ASCII of 1 to 24 characters")
    return ShufflerStatus(
        connected=True,
        unit=unit.decode("ascii"),
        mode=MODES[mode],
        count=None if count == _COUNT_UNKNOWN else count,
        deck=DECKS[deck],
        fault=FAULTS[fault],
        alarm=alarm,
        acknowledged=acknowledged,
    )


def _printable(text: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in text)
