"""Signed notes: a text with an Ed25519 signature below it, as https://c2sp.org/signed-note has them.

Keys are written as Go's `note` package writes them: a public one as `NAME+ID+BASE64`, a private one as
`PRIVATE+KEY+NAME+ID+BASE64`, where ID is 8 hex digits.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from firmware.wire.provenance import digits_of

ED25519 = b"\x01"
"""The type of a key, before its 32 bytes."""
BYTES = 32
SIGNATURES_MAX = 16
_NAME = re.compile(r"[!-*,-~]+")
_SIGNATURE = re.compile("— ([!-*,-~]+) ([A-Za-z0-9+/]+={0,2})")


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A verifier needs this: the key's name, and its 32 bytes (RFC 8032)."""

    name: str
    raw: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that name the key in a signature."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.raw).digest()[:4]

    @property
    def text(self) -> str:
        """`NAME+ID+BASE64`"""
        return f"{self.called}+{_written(self.raw)}"

    @property
    def called(self) -> str:
        """`NAME+ID`: enough to tell it from another."""
        return f"{self.name}+{self.id.hex()}"

    @property
    def digits(self) -> str:
        """32 hex digits that no other key has (`firmware.wire.provenance`)."""
        return digits_of(self.raw.hex())


class PrivateKey:
    """A signer has this. `seed`: 32 bytes that nobody else knows."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a key: printable ASCII without spaces and +")
        self._key, self._seed = Ed25519PrivateKey.from_private_bytes(seed), seed
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw())

    @property
    def text(self) -> str:
        """`PRIVATE+KEY+NAME+ID+BASE64`"""
        return f"PRIVATE+KEY+{self.public.called}+{_written(self._seed)}"

    def seal(self, content: bytes) -> str:
        """The signature alone, 128 hex digits."""
        return self._key.sign(content).hex()

    def sign(self, text: str) -> str:
        """The note: a text, which ends with a newline, and the signature below it."""
        signature = base64.b64encode(self.public.id + self._key.sign(text.encode())).decode()
        return f"{text}\n— {self.public.name} {signature}\n"


@dataclass(frozen=True, slots=True)
class Signature:
    """One line below a note: the name and the id of a key, and what it made of the text."""

    name: str
    id: bytes
    value: bytes

    @property
    def called(self) -> str:
        """`NAME+ID` of the key."""
        return f"{self.name}+{self.id.hex()}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text and its signatures, none of them checked yet."""

    text: str
    signatures: tuple[Signature, ...]

    def signed_by(self, key: PublicKey) -> bool | None:
        """Whether this key has signed it; None where it does not claim so."""
        ours = [one.value for one in self.signatures if (one.name, one.id) == (key.name, key.id)]
        return all(_is_of(value, key, self.text) for value in ours) if ours else None


def public_key(text: str) -> PublicKey:
    """The key that `NAME+ID+BASE64` says. Raises ValueError."""
    name, given, written = _split(text.strip())
    return _sure(PublicKey(name, _read(written)), given)


def private_key(text: str) -> PrivateKey:
    """The key that `PRIVATE+KEY+NAME+ID+BASE64` says. Raises ValueError."""
    before, _, rest = text.strip().partition("PRIVATE+KEY+")
    if before or not rest:
        raise ValueError("it does not begin with PRIVATE+KEY+")
    name, given, written = _split(rest)
    key = PrivateKey(name, _read(written))
    _sure(key.public, given)
    return key


def note(text: str) -> Note:
    """The note that was written as this text. Raises ValueError."""
    body, blank, below = text.rpartition("\n\n")
    lines = below.removesuffix("\n").split("\n")
    if not blank or not below.endswith("\n") or len(lines) > SIGNATURES_MAX:
        raise ValueError("no text with a blank line and signatures below it")
    found = [_SIGNATURE.fullmatch(line) for line in lines]
    signatures = []
    for one in found:
        value = _decoded(one[2]) if one else b""
        if one is None or len(value) <= 4:
            raise ValueError("a line below the text is no signature")
        signatures.append(Signature(one[1], value[:4], value[4:]))
    return Note(f"{body}\n", tuple(signatures))


def _split(text: str) -> tuple[str, str, str]:
    parts = text.split("+", 2)
    if len(parts) != 3 or not _NAME.fullmatch(parts[0]):
        raise ValueError("it is not written as NAME+ID+BASE64")
    return parts[0], parts[1], parts[2]


def _sure(key: PublicKey, given: str) -> PublicKey:
    if given != key.id.hex():
        raise ValueError(f"its id is {key.id.hex()}, and {given!r} stands there: it was copied with a mistake")
    return key


def _written(raw: bytes) -> str:
    return base64.b64encode(ED25519 + raw).decode()


def _read(written: str) -> bytes:
    raw = _decoded(written)
    if raw[:1] != ED25519 or len(raw) != 1 + BYTES:
        raise ValueError("it is no Ed25519 key of 32 bytes")
    return raw[1:]


def _decoded(written: str) -> bytes:
    try:
        return base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"its base64 cannot be read: {error}") from error


def is_sealed(content: bytes, seal: str, key: str) -> bool:
    """Whether the key of these 64 hex digits has made this signature of the content."""
    try:
        _checker(key).verify(bytes.fromhex(seal), content)
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=1024)
def _checker(key: str) -> Ed25519PublicKey:
    """A bank hears hundreds of tables, again and again."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))


def _is_of(signature: bytes, key: PublicKey, text: str) -> bool:
    return is_sealed(text.encode(), signature.hex(), key.raw.hex())
