"""Frames of Felt's own serial protocols, pure: stuffed bytes between two zeros, a checksum at the end of each."""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from dataclasses import dataclass

FRAME_MAX = 128
"""Bytes between two delimiters at most; longer is noise."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Bytes that were not taken for a message, and why."""

    text: str


class Malformed(Exception):
    """A frame that cannot be a message; the text says why."""


def framed(plain: bytes) -> bytes:
    """These bytes as a frame, a delimiter before and after it."""
    return b"\0" + stuff(plain + checksum(plain)) + b"\0"


class Frames:
    """The bytes of a line, cut into frames. After any noise the next valid frame is found."""

    def __init__(self, most: int = FRAME_MAX) -> None:
        self._most = most
        self._frame = bytearray()
        self._noise = False

    def forget(self) -> None:
        """Drop half a frame."""
        self._frame.clear()
        self._noise = False

    def feed(self, received: bytes) -> Iterator[bytes | Refused]:
        """The plain bytes of each frame that these complete, two at the least. A run that is refused gives one `Refused`."""
        for byte in received:
            if byte:
                self._frame.append(byte)
                if len(self._frame) > self._most:
                    self._frame.clear()
                    self._noise = True  # told once, when the delimiter comes
            elif self._noise:
                self.forget()
                yield Refused(f"more than {self._most} bytes without a delimiter: check baud rate and cable")
            elif self._frame:
                frame = bytes(self._frame)
                self._frame.clear()
                yield _plain(frame)


def _plain(frame: bytes) -> bytes | Refused:
    try:
        plain = unstuff(frame)
    except ValueError as error:
        return Refused(str(error))
    if len(plain) < 4:
        return Refused(f"a frame of {len(plain)} bytes is too short")
    if checksum(plain[:-2]) != plain[-2:]:
        return Refused("the checksum is wrong: bytes were changed on the wire")
    return plain[:-2]


def checksum(plain: bytes) -> bytes:
    """CRC-16/GENIBUS: polynomial 1021, initial value FFFF, inverted at the end.

    Without the inversion a frame whose checksum ends in a zero byte would still be valid when that byte is cut off.
    """
    return (binascii.crc_hqx(plain, 0xFFFF) ^ 0xFFFF).to_bytes(2, "big")


def stuff(plain: bytes) -> bytes:
    """Consistent overhead byte stuffing (Cheshire and Baker 1999): the same without a zero, for up to 253 bytes."""
    stuffed = bytearray()
    for run in plain.split(b"\0"):
        stuffed.append(len(run) + 1)
        stuffed += run
    return bytes(stuffed)


def unstuff(stuffed: bytes) -> bytes:
    """The inverse of `stuff`; raises ValueError where the bytes were not made by it."""
    runs, at = [], 0
    while at < len(stuffed):
        length = stuffed[at]
        run = stuffed[at + 1 : at + length]
        if len(run) != length - 1:
            raise ValueError("the frame was cut short")
        runs.append(run)
        at += length
    return b"\0".join(runs)
