"""The wire of a reader of chips, pure: bytes in, messages out, both directions. docs/reader.md describes it byte by byte."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from hal.frames import Frames, Malformed, Refused, framed

VERSION = 1
CHIPS_MAX = 8
"""Chips of one seat in a frame. A reader that finds more names eight of them."""
_LIES, _ASK = 0x11, 0x91
_HEAD, _TAG = struct.Struct(">BBBBB"), struct.Struct(">8sI")


@dataclass(frozen=True, slots=True)
class Tag:
    """One chip: the number that no other chip has, and its worth in cents, 0 where the reader cannot tell it."""

    id: str
    """Sixteen hexadecimal digits."""
    cents: int


@dataclass(frozen=True, slots=True)
class Lies:
    """Reader to table: all that lies at one seat. `asked`: the number of the last question that it had heard, 0 for none."""

    seat: int
    asked: int
    tags: tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Table to reader: tell what lies at every seat now. `number`: 1 to 255, another one each time."""

    number: int


Message = Lies | Ask


class Codec(Protocol):
    """The bytes of one kind of reader, at the table's end of the line. Pure; one for each line."""

    def encode(self, message: Ask) -> bytes:
        """The bytes that ask; empty for a reader that tells by itself."""

    def feed(self, received: bytes) -> Iterator[Lies | Refused]:
        """The messages that these bytes complete: all chips at a seat, or why the bytes were refused."""

    def forget(self) -> None:
        """Drop half a message."""


class FeltTags:
    """Felt's own protocol."""

    def __init__(self) -> None:
        self._frames = Frames()

    def encode(self, message: Ask) -> bytes:
        """The frame of a question."""
        return frame_of(message)

    def feed(self, received: bytes) -> Iterator[Lies | Refused]:
        """The messages that these bytes complete."""
        for message in parsed(self._frames, received):
            yield Refused("a question came, which a table only asks") if isinstance(message, Ask) else message

    def forget(self) -> None:
        """Drop half a frame."""
        self._frames.forget()


def frame_of(message: Message) -> bytes:
    """The frame of one message, of either end."""
    if isinstance(message, Ask):
        return framed(bytes([_ASK, VERSION, message.number]))
    head = _HEAD.pack(_LIES, VERSION, message.seat, message.asked, len(message.tags))
    return framed(head + b"".join(_TAG.pack(bytes.fromhex(tag.id), tag.cents) for tag in message.tags))


def parsed(frames: Frames, received: bytes) -> Iterator[Message | Refused]:
    """The messages of either end that these bytes complete."""
    for plain in frames.feed(received):
        if isinstance(plain, Refused):
            yield plain
            continue
        try:
            yield _message(plain)
        except Malformed as refusal:
            yield Refused(str(refusal))


def _message(plain: bytes) -> Message:
    kind, version = plain[0], plain[1]
    if version != VERSION:
        raise Malformed(f"the reader speaks version {version}, this table version {VERSION}: update one of them")
    if kind == _ASK and len(plain) == 3:
        return Ask(plain[2])
    if kind != _LIES or len(plain) < _HEAD.size:
        raise Malformed(f"type 0x{kind:02x} with {len(plain)} bytes is not in version {VERSION} of the protocol")
    _, _, seat, asked, count = _HEAD.unpack_from(plain)
    body = plain[_HEAD.size :]
    if count > CHIPS_MAX or len(body) != count * _TAG.size:
        raise Malformed(f"seat {seat}: {count} chips in {len(body)} bytes")
    tags = tuple(Tag(number.hex(), cents) for number, cents in _TAG.iter_unpack(body))
    if len({tag.id for tag in tags}) < count:
        raise Malformed(f"seat {seat}: one chip twice")
    return Lies(seat, asked, tags)
