"""A shuffler that is not there: it speaks the bytes of `codec` over a pseudo-terminal and does what it is told.

`Unit` is the machine itself, pure, told the time. `Emulator` plugs it into a pseudo-terminal; a person's hands are its
methods (swap the deck, jam it, open its door, empty it, deal from it, pull its cable).

Three kinds of machine: the usual one shuffles and counts one deck while the other is dealt; one that does not count;
and a dealing shoe, which deals the deck that it has shuffled.
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

from hal.frames import Refused
from hal.ports import ShufflerStatus
from hal.shuffler.codec import DECKS, Acknowledge, Decoder, Encoder, Query

HEARTBEAT_NS = 1_000_000_000
FULL_DECK = 52
_FAULT_ORDER = ("door", "jam", "motor", "card", "cycle", "color", "count")
"""The fault that a unit shows when it has several: a person must see to it first."""
_FOUND = ("motor", "card", "cycle", "color")
"""Faults that a unit finds by itself, without a hand that made them."""


class Unit:
    """One machine with one deck inside; of the two decks at a table the other one is being dealt.

    shuffle_ms: how long a shuffle takes. counts: whether it counts the cards after each shuffle; one that does not
    tells None, always. shoe: whether cards are dealt from inside. The unit is born ready, with 52 blue cards.
    """

    def __init__(
        self, name: str = "felt-emulator-1", shuffle_ms: int = 1500, *, counts: bool = True, shoe: bool = False
    ) -> None:
        self.refused = 0
        """Frames that this unit refused since it was switched on."""
        self._shuffle_ns = shuffle_ms * 1_000_000
        self._counts = counts
        self._shoe = shoe
        self._decoder = Decoder(Query, Acknowledge)
        self._encoder = Encoder()
        self._inside = FULL_DECK
        """The number of cards inside, even if the unit does not know them."""
        self._dealt = 0
        self._status = ShufflerStatus(True, name, "ready", self._counted(), "blue", "", 0, 0)
        self._faults: set[str] = set()
        self._sorting = False
        self._in_service = False
        self._emptied = False
        """All cards came out, and the count is theirs."""
        self._shuffled_ns: int | None = None
        self._heartbeat_ns = 0

    @property
    def status(self) -> ShufflerStatus:
        """The message that it sends now."""
        return self._status

    @property
    def deadline_ns(self) -> int:
        """When it wants `tick` at the latest."""
        return self._heartbeat_ns if self._shuffled_ns is None else min(self._heartbeat_ns, self._shuffled_ns)

    def tick(self, now_ns: int) -> bytes:
        """The messages that it sends by itself at this time: a finished shuffle at once, a heartbeat every second."""
        if self._shuffled_ns is not None and now_ns >= self._shuffled_ns:
            return self._finish(self._inside, now_ns)
        return self._tell(now_ns) if now_ns >= self._heartbeat_ns else b""

    def hear(self, received: bytes, now_ns: int) -> bytes:
        """The answer to these bytes."""
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
        """The shuffled deck goes to the table, the one of the other color comes in and is shuffled."""
        return self.load("red" if self._status.deck == "blue" else "blue", now_ns)

    def load(self, deck: str, now_ns: int) -> bytes:
        """A whole deck with these backs comes in instead of what was inside, and is shuffled.

        deck: blue or red, or empty for one whose color the unit cannot tell. It sees one deck at a time, so the same
        color twice is no fault to it: the table must notice. Raises ValueError for any other color.
        """
        if deck not in DECKS:
            raise ValueError(f"a deck of {deck!r} backs; a unit can tell blue and red, or nothing")
        self._status = replace(self._status, deck=deck)
        self._faults.discard("color")
        self._inside, self._dealt = FULL_DECK, 0
        return self._shuffle(now_ns)

    def take_card(self, now_ns: int) -> bytes:
        """Somebody takes one card out, unseen: the next count shows it. Raises ValueError if it is empty."""
        if not self._inside:
            raise ValueError("there is no card inside; load a deck first")
        self._inside -= 1
        return self._tell(now_ns)

    def deal(self, cards: int, now_ns: int) -> bytes:
        """A shoe deals so many cards. Raises ValueError if it is none, is not ready, or has not so many inside."""
        if not self._shoe:
            raise ValueError("this unit is no dealing shoe; use swap_deck")
        if self._status.mode not in ("ready", "dispensing"):
            raise ValueError(f"the shoe is in mode {self._status.mode}; wait until it is ready")
        if cards > self._inside:
            raise ValueError(f"{self._inside} cards are inside, not {cards}; load the deck again")
        self._inside -= cards
        self._dealt += cards
        self._status = replace(self._status, count=self._counted())
        return self._tell(now_ns)

    def empty(self, now_ns: int) -> bytes:
        """All cards come out and are counted, as when a table closes; the unit tells how many came."""
        self._faults &= {"door", "motor"}
        self._status = replace(self._status, count=self._counted())
        self._inside = self._dealt = 0
        self._emptied = True
        self._shuffled_ns = None
        return self._tell(now_ns)

    def service(self, on: bool, now_ns: int) -> bytes:
        """It is taken out of service, the cards inside stay where they are; or back into service, which shuffles."""
        if not on:
            self._in_service = False
            return self._shuffle(now_ns)
        self._in_service = True
        self._shuffled_ns = None
        if not self._inside:
            self._emptied = False
            self._status = replace(self._status, count=self._counted())
        return self._tell(now_ns)

    def jam(self, now_ns: int) -> bytes:
        """A card sticks. A shuffle that was going on ends here, and so does dealing."""
        self._shuffled_ns = None
        return self._fail("jam", now_ns)

    def fail(self, fault: str, now_ns: int) -> bytes:
        """It finds something wrong by itself: motor, card (unreadable or foreign), cycle (a shuffle that did not end)
        or color (backs of both colors in one deck). Raises ValueError for anything else.
        """
        if fault not in _FOUND:
            raise ValueError(f"fault {fault!r}; it is one of {', '.join(_FOUND)}")
        self._shuffled_ns = None
        return self._fail(fault, now_ns)

    def clear_jam(self, now_ns: int) -> bytes:
        """The stuck card is taken out, dealt cards come back, and the deck is shuffled again.

        A wrong color stays until another deck is loaded.
        """
        self._faults &= {"door", "color"}
        self._inside, self._dealt = self._inside + self._dealt, 0
        return self._shuffle(now_ns)

    def door(self, is_open: bool, now_ns: int) -> bytes:
        """Its door is opened, which ends a shuffle; or closed, and it shuffles again, but not what it has begun to deal."""
        if is_open:
            self._shuffled_ns = None
            return self._fail("door", now_ns)
        was_open = "door" in self._faults
        self._faults.discard("door")
        again = was_open and not self._faults and not self._dealt
        return self._shuffle(now_ns) if again else self._tell(now_ns)

    def sort(self, on: bool, now_ns: int) -> bytes:
        """It is switched to sort mode (cards in the maker's order: never to be dealt from) or back, which shuffles."""
        self._sorting = on
        return self._tell(now_ns) if on else self._shuffle(now_ns)

    def set_count(self, count: int, now_ns: int) -> bytes:
        """It has counted so many cards, which are inside then; any other number than 52 is an alarm.

        Raises ValueError for a unit that does not count.
        """
        if not self._counts:
            raise ValueError("this unit does not count; the dealer does")
        return self._finish(count, now_ns)

    def _shuffle(self, now_ns: int) -> bytes:
        if self._inside:
            self._faults.discard("count")
            self._emptied = False
            self._status = replace(self._status, count=None)
            self._shuffled_ns = None if self._in_service else now_ns + self._shuffle_ns
        return self._tell(now_ns)

    def _finish(self, cards: int, now_ns: int) -> bytes:
        """The shuffle is over and so many cards were in it."""
        self._shuffled_ns = None
        self._inside, self._dealt, self._emptied = cards, 0, False
        self._status = replace(self._status, count=self._counted())
        if self._counts and cards != FULL_DECK:
            return self._fail("count", now_ns)
        self._faults.discard("count")
        return self._tell(now_ns)

    def _counted(self) -> int | None:
        return self._inside if self._counts else None

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
        if self._emptied:
            return "empty"
        if self._in_service:
            return "service"
        if self._faults:
            return "fault"
        if self._sorting:
            return "sort"
        if self._shuffled_ns is not None:
            return "shuffling"
        if not self._inside:
            return "empty"
        return "dispensing" if self._dealt else "ready"

    def _fault(self) -> str:
        return next((fault for fault in _FAULT_ORDER if fault in self._faults), "")


class Emulator:
    """A `Unit` on a pseudo-terminal whose path is kept as the symbolic link `link`, as udev would keep one."""

    def __init__(
        self,
        link: Path,
        name: str = "felt-emulator-1",
        shuffle_ms: int = 1500,
        *,
        counts: bool = True,
        shoe: bool = False,
    ) -> None:
        self._link = link
        self._unit = Unit(name, shuffle_ms, counts=counts, shoe=shoe)
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
        """The unit's message of this moment, even if nobody hears it."""
        with self._lock:
            return self._unit.status

    @property
    def plugged(self) -> bool:
        """Is its cable in?"""
        return self._master is not None

    def swap_deck(self) -> None:
        """The shuffled deck goes to the table, the other one comes in and is shuffled."""
        self._do(self._unit.swap_deck)

    def load(self, deck: str) -> None:
        """A whole deck with blue or red backs (empty: the unit cannot tell) comes in and is shuffled."""
        self._do(lambda now_ns: self._unit.load(deck, now_ns))

    def take_card(self) -> None:
        """A card is taken out, unseen; the next count shows it."""
        self._do(self._unit.take_card)

    def deal(self, cards: int) -> None:
        """A shoe deals so many cards."""
        self._do(lambda now_ns: self._unit.deal(cards, now_ns))

    def empty(self) -> None:
        """All cards come out and are counted."""
        self._do(self._unit.empty)

    def service(self, on: bool) -> None:
        """It is taken out of service, cards inside and all, or back."""
        self._do(lambda now_ns: self._unit.service(on, now_ns))

    def fail(self, fault: str) -> None:
        """It finds a fault by itself: motor, card, cycle or color."""
        self._do(lambda now_ns: self._unit.fail(fault, now_ns))

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
        """Pull the cable: a reader of the line gets an error. The unit itself goes on."""
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
            # The slave stays open here as well: without a reader Linux would report a hang-up on the master without end.
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
