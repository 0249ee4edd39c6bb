"""An input device of the kernel, made of a pipe of struct input_event: what a test says is what a reader reads."""

from __future__ import annotations

import os
import struct
from collections import namedtuple
from collections.abc import Iterator

InputEvent = namedtuple("InputEvent", "sec usec type code value")
FORMAT = "llHHi"
"""struct input_event"""
SYN = (0, 0, 0)


class PipedDevice:
    """A device as evdev gives it; a closed writing end is one that was unplugged."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self.grabbed = False
        self.closed = False

    def fileno(self) -> int:
        return self.reading

    def read(self) -> Iterator[InputEvent]:
        chunk = os.read(self.reading, 64 * struct.calcsize(FORMAT))
        if not chunk:
            raise OSError(19, "No such device")
        return (InputEvent(*fields) for fields in struct.iter_unpack(FORMAT, chunk))

    def grab(self) -> None:
        self.grabbed = True

    def close(self) -> None:
        self.closed = True
        os.close(self.reading)

    def say(self, ms: int, *events: tuple[int, int, int]) -> None:
        """One frame: these events (type, code, value) and the mark that ends them, stamped with milliseconds."""
        for kind, code, value in (*events, SYN):
            os.write(self.writing, struct.pack(FORMAT, ms // 1000, ms % 1000 * 1000, kind, code, value))

    def unplug(self) -> None:
        os.close(self.writing)
