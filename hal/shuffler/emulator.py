"""A shuffler that is not there: it speaks the bytes of `codec` over a pseudo-terminal and does what it is told.

`Unit` is the machine itself, pure, told the time. `Emulator` plugs it into a pseudo-terminal; a person's hands are its
methods (swap the deck, jam it, open its door, pull its cable).
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
import time
import tty
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hal.ports import ShufflerStatus
from hal.shuffler.codec import Acknowledge, Decoder, Encoder, Query, Refused

HEARTBEAT_NS = 1_000_000_000
_FAULT_ORDER = ("door", "jam", "count")
"""Which fault a unit shows when it has several: the one a person must see to first."""


class Unit:
    """One machine with two decks of different back colours, one of them always inside or just dealt from.

    shuffle_ms: how long a shuffle takes. The unit is born ready, with 52 blue cards.
    """

    def __init__(self, name: str = "felt-emulator-1", shuffle_ms: int = 1500) -> None:
        self.refused = 0
        """Frames that this unit refused since it was switched on."""
        self._shuffle_ns = shuffle_ms * 1_000_000
        self._decoder = Decoder(Query, Acknowledge)
        self._encoder = Encoder()
        self._status = ShufflerStatus(True, name, "ready", 52, "blue", "", 0, 0)
        self._faults: set[str] = set()
        self._sorting = False
        self._shuffled_ns: int | None = None
        self._heartbeat_ns = 0

    @property
    def status(self) -> ShufflerStatus:
        """What it tells now."""
        return self._status

    @property
    def deadline_ns(self) -> int:
        """When it wants `tick` at the latest."""
        return self._heartbeat_ns if self._shuffled_ns is None else min(self._heartbeat_ns, self._shuffled_ns)

    def tick(self, now_ns: int) -> bytes:
        """What it says by itself at this time: a finished shuffle at once, a heartbeat every second."""
        if self._shuffled_ns is not None and now_ns >= self._shuffled_ns:
            self._shuffled_ns = None
            self._status = replace(self._status, count=52)
            return self._tell(now_ns)
        return self._tell(now_ns) if now_ns >= self._heartbeat_ns else b""

    def hear(self, received: bytes, now_ns: int) -> bytes:
        """What it answers to these bytes."""
        answers = b""
        for message in self._decoder.feed(received):
            match message:
                case Refused():
                    self.refused += 1
                case Acknowledge(alarm):
                    if alarm <= self._status.alarm:
                        self._status = replace(self._status, acknowledged=max(alarm, self._status.acknowledged))
                    answers += self._tell(now_ns)
                case _:
                    answers += self._tell(now_ns)
        return answers

    def swap_deck(self, now_ns: int) -> bytes:
        """The shuffled deck goes to the table, the other one comes in and is shuffled."""
        other = "red" if self._status.deck == "blue" else "blue"
        self._status = replace(self._status, deck=other)
        return self._shuffle(now_ns)

    def jam(self, now_ns: int) -> bytes:
        """A card sticks."""
        return self._fail("jam", now_ns)

    def clear_jam(self, now_ns: int) -> bytes:
        """The card is taken out and the deck shuffled again."""
        self._faults.discard("jam")
        return self._shuffle(now_ns)

    def door(self, is_open: bool, now_ns: int) -> bytes:
        """Its door is opened or closed."""
        if is_open:
            return self._fail("door", now_ns)
        self._faults.discard("door")
        return self._tell(now_ns)

    def sort(self, on: bool, now_ns: int) -> bytes:
        """It is switched to sort mode (cards in the maker's order: never to be dealt from) or back, which shuffles."""
        self._sorting = on
        return self._tell(now_ns) if on else self._shuffle(now_ns)

    def set_count(self, count: int, now_ns: int) -> bytes:
        """It has counted so many cards; any other number than 52 is an alarm."""
        self._status = replace(self._status, count=count)
        self._shuffled_ns = None
        if count != 52:
            return self._fail("count", now_ns)
        self._faults.discard("count")
        return self._tell(now_ns)

    def _shuffle(self, now_ns: int) -> bytes:
        self._faults.discard("count")
        self._status = replace(self._status, count=None)
        self._shuffled_ns = now_ns + self._shuffle_ns
        return self._tell(now_ns)

    def _fail(self, fault: str, now_ns: int) -> bytes:
        if fault not in self._faults:
            self._faults.add(fault)
            self._status = replace(self._status, alarm=self._status.alarm + 1)
        return self._tell(now_ns)

    def _tell(self, now_ns: int) -> bytes:
        self._status = replace(self._status, mode=self._mode(), fault=self._fault())
        self._heartbeat_ns = now_ns + HEARTBEAT_NS
        return self._encoder.encode(self._status)

    def _mode(self) -> str:
        if self._faults:
            return "fault"
        if self._sorting:
            return "sort"
        return "ready" if self._shuffled_ns is None else "shuffling"

    def _fault(self) -> str:
        return next((fault for fault in _FAULT_ORDER if fault in self._faults), "")


class Emulator:
    """A `Unit` on a pseudo-terminal whose path is kept as the symbolic link `link`, as udev would keep one."""

    def __init__(self, link: Path, name: str = "felt-emulator-1", shuffle_ms: int = 1500) -> None:
        self._link = link
        self._unit = Unit(name, shuffle_ms)
        self._lock = threading.Lock()
        self._master: int | None = None
        self._slave: int | None = None
        self._stopped = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name="shuffler-emulator", daemon=True)

    def start(self) -> None:
        """Plug it in and switch it on."""
        self.replug()
        self._thread.start()

    def close(self) -> None:
        """Switch it off, pull its cable, take the link away."""
        self.unplug()
        self._stopped = True
        self._wake()
        if self._thread.is_alive():
            self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    @property
    def status(self) -> ShufflerStatus:
        """What the unit tells now, whether or not anyone hears it."""
        with self._lock:
            return self._unit.status

    @property
    def plugged(self) -> bool:
        """Is its cable in?"""
        return self._master is not None

    def swap_deck(self) -> None:
        """The shuffled deck goes to the table, the other one comes in and is shuffled."""
        self._do(self._unit.swap_deck)

    def jam(self) -> None:
        """A card sticks."""
        self._do(self._unit.jam)

    def clear_jam(self) -> None:
        """The card is taken out and the deck shuffled again."""
        self._do(self._unit.clear_jam)

    def door(self, is_open: bool) -> None:
        """Its door is opened or closed."""
        self._do(lambda now_ns: self._unit.door(is_open, now_ns))

    def sort(self, on: bool) -> None:
        """It is switched to sort mode or back."""
        self._do(lambda now_ns: self._unit.sort(on, now_ns))

    def set_count(self, count: int) -> None:
        """It has counted so many cards."""
        self._do(lambda now_ns: self._unit.set_count(count, now_ns))

    def say(self, raw: bytes) -> None:
        """Put bytes on the line that the unit did not make: noise, for tests."""
        with self._lock:
            self._write(raw)

    def unplug(self) -> None:
        """Pull the cable: whoever reads the line gets an error. The unit itself goes on."""
        with self._lock:
            if self._master is None or self._slave is None:
                return
            self._link.unlink(missing_ok=True)
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = None
        self._wake()

    def replug(self) -> None:
        """Put the cable back: a new pseudo-terminal under the same link."""
        with self._lock:
            if self._master is not None:
                return
            # The slave stays open here as well: without a reader Linux would report a hang-up on the master for ever.
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            fresh = self._link.with_name(f".{self._link.name}.new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._slave))
            fresh.replace(self._link)
        self._wake()

    def _do(self, act: Callable[[int], bytes]) -> None:
        with self._lock:
            self._write(act(time.monotonic_ns()))
        self._wake()

    def _write(self, frame: bytes) -> None:
        if self._master is None or not frame:
            return
        # A line that nobody reads is full after some hundred heartbeats; as on a real one, what is said then is lost.
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, frame)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"!")

    def _run(self) -> None:
        while not self._stopped:
            with self._lock:
                now_ns = time.monotonic_ns()
                self._write(self._unit.tick(now_ns))
                watched = [self._wake_read] + ([] if self._master is None else [self._master])
                pause_s = max(0, self._unit.deadline_ns - now_ns) / 1e9
            try:
                ready, _, _ = select.select(watched, [], [], pause_s)
            except OSError as error:
                if error.errno != errno.EBADF:
                    raise
                continue  # the cable was pulled meanwhile
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            with self._lock:
                if self._master in ready and self._master is not None:
                    with contextlib.suppress(BlockingIOError):
                        self._write(self._unit.hear(os.read(self._master, 4096), time.monotonic_ns()))
