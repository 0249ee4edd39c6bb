"""How a badge reader types: a key down and up for each letter, with Shift for a capital, then Enter."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hal.piped import PipedDevice

KEY = 1
SHIFT, ENTER = 42, 28
ROWS = ((2, "1234567890"), (16, "qwertyuiop"), (30, "asdfghjkl"), (44, "zxcvbnm"))
CODES = {letter: first + place for first, row in ROWS for place, letter in enumerate(row)}
Frame = tuple[tuple[int, int, int], ...]


def key(code: int) -> Iterator[Frame]:
    """A key goes down and up."""
    yield ((KEY, code, 1),)
    yield ((KEY, code, 0),)


def typed(text: str) -> Iterator[Frame]:
    """The frames of a text, without Enter. KeyError for what is no letter or digit."""
    for letter in text:
        if letter.isupper():
            yield ((KEY, SHIFT, 1),)
        yield from key(CODES[letter.lower()])
        if letter.isupper():
            yield ((KEY, SHIFT, 0),)


def reads(device: PipedDevice, text: str, ms: int, pause_ms: int = 5) -> int:
    """The reader says a badge and Enter, one frame every `pause_ms` from `ms` on; when it had said all."""
    for frame in (*typed(text), *key(ENTER)):
        device.say(ms, *frame)
        ms += pause_ms
    return ms - 2 * pause_ms
