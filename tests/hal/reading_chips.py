"""A reader of chips that is not there: it speaks the bytes of `hal.reader.codec` over a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import tty
from pathlib import Path

from hal.frames import Frames
from hal.reader.codec import Ask, Lies, Tag, frame_of, parsed

DOLLAR = 1_00
BEAT_S, LOOK_S = 0.2, 0.02


def chip(number: int, dollars: int) -> Tag:
    """The chip of that number; 0 dollars: of another house, or a tag that is broken."""
    return Tag(f"e0040100{number:08x}", dollars * DOLLAR)


class MockReader:
    """What lies at each seat, and hands that put it there. path: where its serial line is found."""

    def __init__(self, path: Path, seats: int = 6) -> None:
        self.path = path
        self.tags: dict[int, tuple[Tag, ...]] = dict.fromkeys(range(1, seats + 1), ())
        self.silent: set[int] = set()
        """Seats whose antenna says nothing."""
        self.asked = 0
        self.beats = True
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._master = self._slave = -1
        self.plug()
        self._beat = threading.Thread(target=self._beating, daemon=True)
        self._beat.start()

    def plug(self) -> None:
        """Its cable is there."""
        with self._lock:
            self._master, self._slave = os.openpty()
            for end in (self._master, self._slave):
                tty.setraw(end)
            os.set_blocking(self._master, False)
            self.path.unlink(missing_ok=True)
            self.path.symlink_to(os.ttyname(self._slave))
        self._hear = threading.Thread(target=self._hearing, args=(self._master,), daemon=True)
        self._hear.start()

    def unplug(self) -> None:
        """Pull its cable."""
        with self._lock:
            ends = (self._slave, self._master)
            self.path.unlink(missing_ok=True)
            self._master = self._slave = -1
        self._hear.join()
        for end in ends:
            os.close(end)

    def close(self) -> None:
        """It is taken away."""
        self._over.set()
        self._beat.join()
        if self._master >= 0:
            self.unplug()

    def lies(self, seat: int, *tags: Tag) -> None:
        """These chips lie at the seat now, and no other; told at once."""
        with self._lock:
            self.tags[seat] = tags
            self._tell(seat)

    def says(self, said: bytes) -> None:
        """Bytes on the line."""
        with self._lock, contextlib.suppress(OSError):
            os.write(self._master, said)

    def _tell(self, *seats: int) -> None:
        for seat in seats:
            if seat not in self.silent:
                self.says(frame_of(Lies(seat, self.asked, self.tags[seat])))

    def _beating(self) -> None:
        while not self._over.wait(BEAT_S):
            if self.beats:
                with self._lock:
                    self._tell(*self.tags)

    def _hearing(self, master: int) -> None:
        """Never in a read when the cable is pulled: that would hold the line open."""
        frames = Frames()
        while select.select([master], [], [], LOOK_S) and self._master == master:
            with self._lock, contextlib.suppress(BlockingIOError):
                for said in parsed(frames, os.read(master, 1024) if self._master == master else b""):
                    if isinstance(said, Ask):
                        self.asked = said.number
                        self._tell(*self.tags)
