"""What was seen from outside while a table played, each with the host's time: lamps, the screen's words, the wire.

Nothing here knows a state, an event or a file of the table or the bank.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from firmware.config import LinkConfig
from firmware.proof.simulation.person import Person, number_at, says
from firmware.runtime.glass import Observation
from firmware.runtime.glass_client import TableGone
from firmware.runtime.link import Arrived, Link, LinkSignal
from firmware.wire.topics import BankTopics, TableTopics
from hal.cabinet.wire import WORLD_SOCKET
from hal.cabinet.world import World, WorldFault
from hal.ports import Lamp

LOOK_S = 0.01


@dataclass(frozen=True, slots=True)
class Lit:
    """The lamp of a seat went from dark to lit at that time."""

    at_ns: int
    seat: int


@dataclass(frozen=True, slots=True)
class Paid:
    """The screen said at that time that a seat's prize is paid."""

    at_ns: int
    round: int
    seat: int


@dataclass(frozen=True, slots=True)
class Sent:
    """The table told its bank that message at that time."""

    at_ns: int
    seq: int


@dataclass(frozen=True, slots=True)
class Held:
    """The bank told its table at that time that it holds its messages up to this one."""

    at_ns: int
    seq: int


@dataclass(frozen=True, slots=True)
class Said:
    """A side ("table" or "bank") told the other at that time that its record has so many rows, the last with this hash."""

    at_ns: int
    side: str
    rows: int
    head: str


@dataclass
class Seen:
    """All that was seen; times in nanoseconds of CLOCK_MONOTONIC. Nothing was cut before `began_ns`."""

    lit: list[Lit] = field(default_factory=list)
    paid: list[Paid] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    handed_over_ns: dict[str, int] = field(default_factory=dict)
    """By side: when its record of a closed day was put aside, and the next file had taken its name."""
    began_ns: int = 0
    ended_ns: int = 0

    def save(self, path: Path) -> None:
        """As JSON."""
        path.write_bytes(msgspec.json.encode(self))

    @staticmethod
    def load(path: Path) -> Seen:
        """What was saved."""
        return msgspec.json.decode(path.read_bytes(), type=Seen)


class Onlooker(Person):
    """A person who also notes when the screen says that somebody's prize is paid."""

    def __init__(self, home: Path, seen: Seen) -> None:
        self._noted: set[tuple[int, int]] = set()
        self._record = seen
        super().__init__(home)

    def _look(self, seen: Observation | TableGone) -> None:
        if isinstance(seen, Observation):
            self._note_paid(seen)
        super()._look(seen)

    def _note_paid(self, seen: Observation) -> None:
        number = number_at(seen, "neighbors", "number")
        if not number:
            return
        for widget in seen.widgets:
            name, _, seat = widget.id.partition("-")
            if name == "seat" and says(seen, "seat.paid", widget.id):
                if (key := (number, int(seat))) not in self._noted:
                    self._record.paid.append(Paid(time.monotonic_ns(), *key))
                self._noted.add(key)


class LampWatch(threading.Thread):
    """Somebody who looks at the lamps all the time."""

    def __init__(self, cabinet: Path, seen: Seen) -> None:
        """`cabinet`: the folder of its sockets."""
        super().__init__(name="lamps", daemon=True)
        self._world, self._seen = World(cabinet / WORLD_SOCKET), seen
        self._over = threading.Event()
        self._was: dict[int, Lamp] = {}

    def run(self) -> None:
        """Until `end`."""
        while not self._over.wait(LOOK_S):
            try:
                state = self._world.state()
            except WorldFault:
                return
            for seat, lamp in state.lamps.items():
                if lamp is Lamp.LIT and self._was.get(seat, Lamp.DARK) is Lamp.DARK:
                    self._seen.lit.append(Lit(state.lamp_ns[seat], seat))
                self._was[seat] = lamp

    def end(self) -> None:
        """Look away."""
        self._over.set()
        self.join()
        self._world.close()


class WireWatch:
    """Somebody who listens to all that table and bank say to each other, at the broker."""

    def __init__(self, broker: str, bank: str, table: str, seen: Seen) -> None:
        self._topics, self._seen = TableTopics.of(bank, table), seen
        heard = (self._topics.up, self._topics.alive, self._topics.down, self._topics.bank)
        assert BankTopics(bank).alive == self._topics.bank
        config = LinkConfig(broker=broker, bank=bank)
        self._link = Link(config, "felt-onlooker", [(topic, 1) for topic in heard], self._hear)
        self._link.start()

    def end(self) -> None:
        """Hear no more."""
        self._link.close()

    def _hear(self, signal: LinkSignal) -> None:
        if not isinstance(signal, Arrived):
            return
        said, at_ns = json.loads(signal.payload), signal.at_ns
        ours = signal.topic in (self._topics.up, self._topics.alive)
        if signal.topic == self._topics.up:
            self._seen.sent.append(Sent(at_ns, said["seq"]))
        elif signal.topic == self._topics.down and said["seq"]:
            self._seen.held.append(Held(at_ns, said["seq"]))
        if anchor := said.get("anchor"):
            self._seen.said.append(Said(at_ns, "table" if ours else "bank", anchor["rows"], anchor["head"]))
