"""A reader of chips on its serial line: what lies at each seat, and what each chip is worth (RFID, optical).

The bytes are the business of a codec of `hal.reader.protocols`. Its thread only puts. A frame counts from when it has come.
"""

from __future__ import annotations

import time
from pathlib import Path

from hal.frames import Refused
from hal.ports import Complaint, Edge, Level, On, Put
from hal.reader.codec import Ask, Lies
from hal.reader.protocols import SENSORS
from hal.serial import BAUD, SerialLine

DEVICE = "chip reader"
SILENCE_NS = 2_000_000_000
"""A reader tells of every seat twice a second; of one that is not heard for so long nothing is known."""


class ChipReader(SerialLine):
    """`hal.ports.Sensors` on a reader at the serial device `path`, for the seats 1 to `seats`.

    kind: what the reader speaks, a name of `SENSORS`. It is found once it was heard of every seat, and lost when one of
    them, or the line, falls silent.
    """

    remedy = "check the cable and power of the chip reader, and [sensors] port in table.toml"

    def __init__(self, put: Put, path: Path, seats: int, kind: str, baud: int = BAUD) -> None:
        super().__init__(put, DEVICE, path, baud)
        self._codec = SENSORS[kind]()
        self._seats = range(1, seats + 1)
        self._asked = 0
        self._owes_question = False
        self._heard_ns: dict[int, int] = {}
        self._lies: dict[int, On] = {}
        """The chips at each seat that was heard since the line was opened."""
        self._seat_of: dict[str, int] = {}
        """The seat of each chip. A chip that is heard at two seats belongs to the seat where it was heard first."""

    def read(self) -> None:
        """Ask for every seat; the levels come with the answers to this question."""
        self._asked = self._asked % 255 + 1
        self._owes_question = True
        self._interrupt()

    def _opened(self) -> None:
        self._codec.forget()
        self.is_found = False
        self._forget()
        self.read()

    def _forget(self) -> None:
        """Nothing is known of any seat."""
        self._heard_ns = dict.fromkeys(self._seats, time.monotonic_ns())
        self._lies, self._seat_of = {}, {}

    def _turn(self, received: bytes) -> None:
        for message in self._codec.feed(received):
            if isinstance(message, Refused):
                self._put(Complaint(DEVICE, message.text))
            elif message.seat not in self._seats:
                self._put(Complaint(DEVICE, f"seat {message.seat}: this table has {len(self._seats)} seats"))
            else:
                self._hear(message)
        now_ns = time.monotonic_ns()
        silent = [seat for seat, heard_ns in self._heard_ns.items() if now_ns - heard_ns >= SILENCE_NS]
        if silent:
            self._lose(f"nothing is heard of seat {silent[0]}")
            self._forget()
        if self._owes_question:
            self._owes_question = False
            self._write(self._codec.encode(Ask(self._asked)))

    def _hear(self, said: Lies) -> None:
        seat, now_ns = said.seat, time.monotonic_ns()
        known, on = self._lies.get(seat), self._on(said)
        self._heard_ns[seat], self._lies[seat] = now_ns, on
        if not self.is_found:
            if len(self._lies) == len(self._seats):
                self._find()
                for each, lies in self._lies.items():
                    self._put(Level(each, lies, now_ns))
            return
        if on != known:
            self._put(Edge(seat, on, now_ns))
        if said.asked == self._asked:
            self._put(Level(seat, on, now_ns))

    def _on(self, said: Lies) -> On:
        """The word of a seat's line: the worth of each chip, 0 for one that lies at another seat too."""
        here = {tag.id for tag in said.tags}
        for gone in [tag for tag, seat in self._seat_of.items() if seat == said.seat and tag not in here]:
            del self._seat_of[gone]
        worths = [tag.cents if self._seat_of.setdefault(tag.id, said.seat) == said.seat else 0 for tag in said.tags]
        return tuple(sorted(worths)) or False
