"""The origin of a word: the speaker's key, its run, a number that only rises, and the words it has heard before.

A *run* is one start of a program, named by 32 digits that are drawn. Numbers rise within a run. A word of another run shows
that it is the later one by what its speaker has heard: it names a word of the hearer that was said after the last word of
the earlier run had come. So a word that a broker delays or doubles is no news, and a journal that was put back is still
found, however its own record stands.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from firmware.wire.records import Record
from firmware.wire.shapes import Several, Word
from firmware.wire.values import Hash, Hex32, Number

HEARD_MAX = 4
"""Runs of the other side that are said back at most: who was there, and who says so."""
Seal = Annotated[str, Word("([0-9a-f]{128})?", '128 hex digits or ""')]
"""An Ed25519 signature (RFC 8032) of the word without this key, in its canonical form."""


class Echo(Record, frozen=True):
    """The highest number that was heard of a run of the other side."""

    run: Hex32
    number: Number


class Said(Record, frozen=True):
    """By which key a word is sealed (32 bytes, RFC 8032), in which run, as which word of it, and what was heard before."""

    key: Hash
    run: Hex32
    number: Number
    heard: Annotated[tuple[Echo, ...], Several(0, HEARD_MAX)]

    def echoes(self, run: str) -> int:
        """The number that is said back of that run, 0 for none."""
        return max((one.number for one in self.heard if one.run == run), default=0)


def digits_of(key: str) -> str:
    """A key's name where people compare it, 32 hex digits. A table's journal is named after its first key so.

    `key`: 64 hex digits. Nobody finds a second key with the digits of a given one: that takes 2**128 tries.
    """
    return hashlib.sha256(b"felt key\n" + bytes.fromhex(key)).hexdigest()[:32]
