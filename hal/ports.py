"""The hardware of a table as small protocols. It knows no poker.

The device (`hal.gpio`, `hal.serial`, `hal.badge`, `hal.touch`) and the simulated world (`hal.cabinet`) both obey these,
and the same contract tests run on both. A device *says* one of the `Signal`s below through the one
function `put` that it was opened with; device threads only put. A device is *told* a state, never an effect: it
may be told the same again at any time.

Every time stamp is nanoseconds of CLOCK_MONOTONIC, one time line for all processes of the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

LOCKOUT = 0
"""The line number of the lockout switch; seats are lines 1 to n."""

Button = tuple[int, str]
"""One wagering button: its seat, and the name that the wiring gives it."""
UNLIT: Mapping[Button, bool] = MappingProxyType({})
"""No button's lamp is lit."""


Chips = tuple[int, ...]
"""The worth in cents of each chip that lies on a sensor, smallest first; 0: of one that the sensor cannot tell."""
On = bool | Chips
"""The word of a line: off or on, or the chips on a sensor that knows chips. An empty sensor says False."""


class Lamp(StrEnum):
    """The four states of a seat's lamp; a test adds the words, a lamp shows them as dark, steady, slow and fast blink."""

    DARK = "dark"
    LIT = "lit"
    LATE = "late"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Edge:
    """A line changed. `on`: a chip covers the sensor, or the lockout line is closed (bets may be open).

    A cut wire therefore reads `on=False` on the lockout line: locked. Other chips than before are an edge too.
    """

    line: int
    on: On
    at_ns: int


@dataclass(frozen=True, slots=True)
class Level:
    """A line read now, its edge not seen: at the start, after a reconnect, by the periodic level poll."""

    line: int
    on: On
    at_ns: int


BADGE_LONGEST = 32
"""Letters and digits of a badge."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge was shown to the reader: 1 to 32 letters and digits, and when the reader had said the last of them."""

    number: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A wagering button was pressed, and has been held for the debounce time. Once a press, however long it is held.

    `name`: of the button at its seat. `at_ns`: the edge that began the press, after which the contact did not open
    again; bounce before it is no press yet, as with a chip. A button that is down when the watching begins says nothing
    until it was up.
    """

    seat: int
    name: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class ShufflerStatus:
    """All that a shuffler tells, whole; `None` where the unit does not know. It cannot express the face of a card."""

    connected: bool
    unit: str
    mode: str
    """off, selftest, idle, loading, shuffling, ready, dispensing, empty, sort, service, fault"""
    count: int | None
    """Cards inside; in mode empty, the cards that came out. None also from a unit that does not count at all."""
    deck: str
    """Back color of the deck that the count speaks of: blue, red, or empty."""
    fault: str
    """Empty, or jam, door, lid, count, color, cycle, motor, card."""
    alarm: int
    """Number of the last alarm, 0 for none yet; an alarm stays until this number is acknowledged."""
    acknowledged: int


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something on the wire that was refused: where, what was wrong. Counted by the receiver, which rate-limits."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device cannot be reached: what it is and what to do about it. Its last levels are no longer the truth."""

    device: str
    text: str


@dataclass(frozen=True, slots=True)
class DeviceFound:
    """The device named is there (again); levels follow."""

    device: str


@dataclass(frozen=True, slots=True)
class DeviceDead:
    """A device that was lost will not come back to this program: only one that starts again can open it."""

    device: str
    text: str


Signal = Edge | Level | ButtonPressed | Badge | ShufflerStatus | Complaint | DeviceLost | DeviceFound | DeviceDead
Put = Callable[[Signal], None]


NEXT_KEY: Button = (0, "next")
"""The NEXT key beside the rack: a momentary contact like a wagering button, at no seat."""


class Device(Protocol):
    """A device: opened once and closed once, with any number of ports. `name`: the one in its DeviceFound and DeviceLost."""

    @property
    def name(self) -> str: ...

    def start(self) -> None:
        """Begin to put: `DeviceFound` once it is there, then what its ports say."""

    def close(self) -> None:
        """Lamps dark, lock line locked, threads ended."""


class Sensors(Protocol):
    """Lines that are read: bet sensors, the lockout switch, or all of them.

    After `DeviceFound` comes the `Level` of every line, then an `Edge` for every change.
    """

    def read(self) -> None:
        """Put the `Level` of every line now, or soon: the level is the truth, edges only wake."""


class Lamps(Protocol):
    """The lamps at the seats."""

    def light(self, lamps: Mapping[int, Lamp]) -> None:
        """Make them so; a seat that is not named is dark. Never blocks; what cannot be told now is told later."""


class LockLine(Protocol):
    """The output that tells the wiring whether bets are open."""

    def lock(self, locked: bool) -> None:
        """Make it so, on the same terms as a lamp."""


class Buttons(Protocol):
    """Wagering buttons and the NEXT key, which put nothing but `ButtonPressed`, and the lamps in them."""

    def light_buttons(self, lit: Mapping[Button, bool]) -> None:
        """Make their lamps so, on the same terms; a button that is not named is dark."""


class Whole(Device, Sensors, Lamps, LockLine, Buttons, Protocol):
    """One device that has all four ports: the pins, the cabinet."""


@dataclass(frozen=True, slots=True)
class Hardware:
    """The wiring of a table by port, and the devices behind the ports, each once."""

    devices: tuple[Device, ...]
    sensors: tuple[Sensors, ...]
    lamps: Lamps
    lock_line: LockLine
    buttons: Buttons

    @classmethod
    def of(cls, whole: Whole) -> Hardware:
        """All four ports on one device."""
        return cls((whole,), (whole,), whole, whole, whole)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the devices."""
        return tuple(device.name for device in self.devices)

    def start(self) -> None:
        """Start every device."""
        for device in self.devices:
            device.start()

    def read(self) -> None:
        """Have the level of every line put."""
        for one in self.sensors:
            one.read()


class Shuffler(Protocol):
    """The card shuffler beside the table."""

    def start(self) -> None:
        """Begin to put a `ShufflerStatus` for every change, and a `Complaint` for every refused frame."""

    def acknowledge(self, alarm: int) -> None:
        """Tell the unit that this alarm was seen by a person. A state: repeated until the unit's status says so."""

    def close(self) -> None:
        """End the thread and close the port."""


class BadgeReader(Protocol):
    """The badge reader beside the table. In the simulated world it is the cabinet's connection."""

    def start(self) -> None:
        """Begin to put a `Badge` for each that is shown, a `Complaint` for what is none, and whether the reader is there."""

    def close(self) -> None:
        """End the thread and give the device back."""
