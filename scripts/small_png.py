"""A PNG of at most 256 colors, made from another one: a screen has few, and a document carries many screens."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from pathlib import Path

import pygame

COLORS = 256
SHADE = 24
"""So much of red, green or blue is one shade."""


def save_small(source: Path, target: Path) -> None:
    """`source`, a PNG, as one with a palette at `target`: its most frequent colors, the nearest of them for the rest."""
    glass = pygame.image.load(source)
    width, height = glass.get_size()
    raw = pygame.image.tobytes(glass, "RGB")
    dots = [raw[start : start + 3] for start in range(0, len(raw), 3)]
    found = Counter(dots)
    palette = _palette(found)
    index = {color: _nearest(color, palette) for color in found}
    rows = (bytes(index[dot] for dot in dots[row * width : (row + 1) * width]) for row in range(height))
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 9)  # 0: no filter
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits a dot, by palette
    parts = ((b"IHDR", header), (b"PLTE", b"".join(palette)), (b"IDAT", packed), (b"IEND", b""))
    target.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts))


def _palette(found: Counter[bytes]) -> list[bytes]:
    """The most frequent color of every shade, the most frequent shades first: not ten grays in place of the only green."""
    by_number = sorted(sorted(found), key=found.__getitem__, reverse=True)
    if len(by_number) <= COLORS:
        return by_number
    shades: Counter[bytes] = Counter()
    for color, dots in found.items():
        shades[_shade(color)] += dots
    first: dict[bytes, bytes] = {}
    for color in by_number:
        first.setdefault(_shade(color), color)
    return [first[shade] for shade, _ in sorted(shades.items(), key=lambda one: (-one[1], one[0]))[:COLORS]]


def _shade(color: bytes) -> bytes:
    return bytes(part // SHADE for part in color)


def _nearest(color: bytes, palette: list[bytes]) -> int:
    def distance(number: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(color, palette[number], strict=True))

    return min(range(len(palette)), key=distance)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
