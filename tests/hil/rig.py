"""What a scenario knows of a rig: a table with everything that belongs to it, and hands that can break each part of it.

A scenario speaks to people (`person`, `dealer`) and does what a technician's hands do (`unplug`, `power_cut`, `kill`).
The people reach the table through two sockets only, the world's and the observers', so they are the same everywhere.
Every moment is seconds of this process's `time.monotonic()`; a rig whose devices have another clock converts it.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from firmware.config import DEFAULT_BOOK
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import Person
from hal.ports import LOCKOUT
from tests.hil.promises import MARGIN, SLOW_MARGIN, Promise

MACHINE = "machine"
"""Whose watchdog is the hardware's: what it watches is the kernel."""
FAIL_CARD = (
    "mount -o remount,errors=remount-ro / &&"
    ' echo 1 > "/sys/fs/ext4/$(basename "$(findmnt -no SOURCE /)")/trigger_fs_error"'
)
"""As an error of the card does it. A remount that the kernel was told to make leaves flushes that succeed and do nothing."""
GLANCE_S = 0.005
"""Between two looks at the lines, where a rig has nothing better than looking again."""


Held = tuple[float, float]
"""A time that cannot be measured exactly: ms at least, and at most."""


def glance() -> None:
    """Let a moment pass before looking again at what nobody tells: a level, a program."""
    threading.Event().wait(GLANCE_S)


class Unit(StrEnum):
    """A program that systemd runs."""

    TABLE = "table"
    SCREEN = "screen"
    BANK = "bank"
    BROKER = "broker"
    SIGN = "sign"


class Device(StrEnum):
    """What has a plug."""

    CHIP = "chip"
    """The GPIO chip: sensors, lockout, lamps and lock line at once."""
    SERIAL = "serial"
    """The shuffler's cable."""
    TOUCH = "touch"
    BADGE = "badge"
    NETWORK = "network"
    """The table's cable to the bank: nobody says goodbye, words just do not arrive."""
    BROKER = "broker"
    """The broker's port is closed; whoever is connected is hung up on."""


class Capability(StrEnum):
    """What a scenario can need and a rig may lack. A scenario is skipped for one of these, and for nothing else."""

    KILL = "kill a unit"
    HANG = "hang a unit, under a watchdog"
    STOP = "stop and start a unit"
    POWER_CUT = "cut the power and boot"
    LOST_WRITES = "lose what was not flushed to the disk"
    CHIP = "take the GPIO chip away"
    SERIAL = "pull the shuffler's cable"
    TOUCH = "pull the touch panel's cable"
    BADGE = "pull the badge reader's cable"
    NETWORK = "pull the network cable"
    BROKER = "close the broker's port"
    CLOCK = "step the machine's clock"
    DISK = "fill the disk"
    LOAD = "keep every core busy"
    SCREENSHOT = "photograph the display"
    PANIC = "make the kernel panic, under a hardware watchdog"
    BOOKS = "set a table of another book up"
    LOG = "read what a unit wrote down"
    BOOT_PARTS = "say what a boot was made of"
    READ_ONLY = "make the disk read-only"
    MEMORY = "take all memory"
    NO_TIME = "boot without knowing the time"
    DOCTOR = "let felt doctor look at real wires"
    PLANT = "have a fault planted in it"
    COPPER = "show what a real pin does"
    """Levels after a program died, bounce, cable length, real times."""


UNPLUGGING: Mapping[Device, Capability] = {device: Capability[device.name] for device in Device}
"""What a rig needs to unplug each device."""


class Fault(StrEnum):
    """What somebody may have done wrong who installed or changed a table."""

    BADGE = "the badge reader's badges are not read"
    LAMP = "the lamp of seat 3 is wired the other way round"
    LOCKOUT = "the lockout is wired normally open"
    WINDOW = "the window for edges that are told late is too short"


@dataclass(frozen=True, slots=True)
class Lines:
    """Levels as a meter at the wires reads them, whatever a program believes. `at`: when they were read."""

    lamps: Mapping[int, bool]
    """By seat; a blinking lamp is whatever it is at that moment."""
    open: bool
    """The lock line is high: it tells the wiring that bets are open. Low, and cut, means locked."""
    at: float

    @property
    def dark(self) -> bool:
        """No lamp is lit."""
        return not any(self.lamps.values())


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies for verification, made while nothing writes or by SQLite's own backup. `ledger`: None without a bank."""

    journal: Path
    ledger: Path | None


class Broken(Exception):
    """The rig itself is not what it should be: the text says which part, and what to look at."""


class Rig(ABC):
    """One table and its bank. Made once for a run; `start` and `stop` are called once.

    A method whose capability is not in `capabilities` is not called. What breaks the rig raises Broken.
    """

    name: str
    """sim, vm or pi."""
    capabilities: frozenset[Capability]
    slowness: float = 1.0
    """So many times slower than a Raspberry Pi 4 people's patience and the promised times are taken; 1: not at all."""
    told: str = ""
    """What whoever reads the report has to know of this rig, in a line."""
    blur_ms: float = 3.0
    """So near the edge of the law the hands' own clock and the kernel's may differ (measured: at most 3.0)."""
    later_s: Mapping[str, float] = {}
    """Seconds by which a watchdog bites later here than a casino's does: by unit, and of the hardware (`MACHINE`)."""

    @property
    @abstractmethod
    def person(self) -> Person:
        """Eyes and hands at the table that is set up now; another one after each `table`."""

    @property
    @abstractmethod
    def book(self) -> str:
        """Of the table that is set up now."""

    def expected_s(self, promise: Promise) -> float:
        """A promise in this rig's time: as much longer as the rig is slower, and as its watchdog bites later."""
        return promise.seconds * self.slowness + self._later_s(promise)

    def most_s(self, promise: Promise) -> float:
        """What a scenario allows: ten times the promise, or three times what that is on this rig; then the watchdog."""
        return promise.seconds * max(MARGIN, SLOW_MARGIN * self.slowness) + self._later_s(promise)

    def _later_s(self, promise: Promise) -> float:
        return self.later_s.get(promise.watched, 0.0)

    @abstractmethod
    def start(self) -> None:
        """Bring the rig up. No table is set up yet. Raises Broken."""

    @abstractmethod
    def stop(self) -> None:
        """End everything that the rig began; after a failed start, too."""

    @abstractmethod
    def table(self, book: str = DEFAULT_BOOK) -> None:
        """Set up a new table of this book: new journal, new ledger, adopted, every unit ready, no card brought yet.

        What a scenario left unplugged, stopped, full or wrong before is put right first.
        """

    @abstractmethod
    def dealer(self, book: str) -> Dealer:
        """The scripted dealer at the table that is set up, if it is of this book; otherwise at a new one."""

    @abstractmethod
    def kill(self, unit: Unit) -> float:
        """SIGKILL, as the kernel does it when memory is out; when. systemd (or its stand-in) starts it again."""

    @abstractmethod
    def hang(self, unit: Unit) -> float:
        """SIGSTOP: it is there and does nothing; when. Whatever watches it ends it."""

    @abstractmethod
    def stop_unit(self, unit: Unit) -> float:
        """`systemctl stop`; when it was told to. Returns when it ended."""

    @abstractmethod
    def start_unit(self, unit: Unit) -> float:
        """`systemctl start`; when it was told to. Returns when it is ready."""

    @abstractmethod
    def runs(self, unit: Unit) -> bool:
        """True while it is there and ready."""

    @abstractmethod
    def power_cut(self) -> float:
        """The table's machine is off at once, and the bank's too where it is the same one; when. Chips stay."""

    @abstractmethod
    def boot(self) -> float:
        """Power comes back; when. Returns at once; people see when the table is there."""

    def boot_without_time(self) -> float:
        """The same, and its clock is years behind, and no time server answers; when."""
        raise NotImplementedError(Capability.NO_TIME)

    def tell_time(self) -> float:
        """A time server answers; when."""
        raise NotImplementedError(Capability.NO_TIME)

    def panic(self) -> float:
        """The kernel dies where it stands, and nothing lets go of any line; when."""
        raise NotImplementedError(Capability.PANIC)

    @abstractmethod
    def unplug(self, device: Device) -> float:
        """Pull its cable; when."""

    @abstractmethod
    def replug(self, device: Device) -> float:
        """Put it back where it was; when."""

    @abstractmethod
    def clock(self, step_s: float) -> None:
        """Step the wall clock of the table's machine by so many seconds."""

    @abstractmethod
    def fill_disk(self) -> None:
        """Take every free block of the disk that the journals are on."""

    @abstractmethod
    def free_disk(self) -> None:
        """Give them back."""

    def write_protect(self) -> None:
        """The kernel sees an error of the card: until the next boot nothing can be written to it."""
        raise NotImplementedError(Capability.READ_ONLY)

    @contextmanager
    def hunger(self) -> Iterator[None]:
        """A foreign program takes all memory, again each time the kernel has killed it, while this lasts."""
        raise NotImplementedError(Capability.MEMORY)
        yield

    def log(self, unit: Unit) -> str:
        """What it wrote down since the machine was switched on."""
        raise NotImplementedError(Capability.LOG)

    def boot_parts(self) -> str:
        """What systemd says of its start and its units' (`tests.hil.boot.QUESTION`)."""
        raise NotImplementedError(Capability.BOOT_PARTS)

    def doctor(self) -> str:
        """What `felt doctor` says of the table, asked as install.md has it, with people who answer its questions."""
        raise NotImplementedError(Capability.DOCTOR)

    def plant(self, fault: Fault) -> None:
        """Make the table that is set up wrong in this way; the next one is right again.

        Without `Capability.DOCTOR` only what the table itself can name: `Fault.WINDOW`.
        """
        raise NotImplementedError(Capability.PLANT)

    @contextmanager
    @abstractmethod
    def load(self) -> Iterator[None]:
        """A busy loop on every core, and one more, while this lasts."""

    @abstractmethod
    def lines(self) -> Lines:
        """The levels of lamps and lock line now, read from outside the program."""

    def held_ms(self, locked_ns: int) -> Mapping[int, Held]:
        """How long the level of each sensor had held when the switch's first edge came; negative: it came later.

        locked_ns: the switch's first edge, as the cabinet tells it. A rig whose wires lead elsewhere knows better when
        they moved there.
        """
        moved_ns = self.person.world.state().contact_ns
        held = {place: (locked_ns - at_ns) / 1e6 for place, at_ns in moved_ns.items() if place != LOCKOUT}
        return {place: (ms, ms) for place, ms in held.items()}

    @abstractmethod
    def screenshot(self, to: Path) -> Path:
        """A picture (PNG) of what the display shows, not of what the program drew."""

    @abstractmethod
    def journal(self, folder: Path) -> Copies:
        """Copy journal and ledger, with their seals' public keys, into `folder`."""

    def until(self, what: Callable[[Lines], bool], waiting_for: str, within_s: float) -> float:
        """Look at the lines until this is so; when. Raises AssertionError with what they were instead."""
        deadline = time.monotonic() + within_s
        while not what(seen := self.lines()):
            assert time.monotonic() < deadline, f"waited {within_s:.1f} s for {waiting_for}; the lines are {seen}"
            glance()
        return seen.at

    def self_test(self) -> None:
        """Parts of its own, such as adapters or a hands' daemon. Raises Broken, naming the part.

        What any table has is tested after this: each lamp, each sensor, lock line, serial, badge, touch
        (`tests.hil.self_test`).
        """
        return
