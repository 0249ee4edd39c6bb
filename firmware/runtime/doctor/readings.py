"""The readings of a machine: plain facts, judged by `checks`. A test plants a fault by another fact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hal.ports import ShufflerStatus

SENSOR, SWITCH, BUTTON, LAMP, LOCK_LINE = "sensor", "switch", "button", "lamp", "lock line"
OUTPUTS = (LAMP, LOCK_LINE)


@dataclass(frozen=True, slots=True)
class Wire:
    """One line of table.toml: what a person calls it, its GPIO number, and which kind of line it is."""

    name: str
    pin: int
    kind: str

    @property
    def token(self) -> str:
        """The answer of a person to the question which lamp is lit: `3`, `3own`."""
        return self.name.removeprefix("seat ").replace(" ", "")


@dataclass(frozen=True, slots=True)
class PinReading:
    """The behavior of one line while it was taken. None: not asked, or unknown."""

    wire: Wire
    fault: str = ""
    """Why it could not be taken, in the words of the driver; all else is then unknown."""
    pull: str = ""
    """The bias of an input by the kernel: up, down, floating."""
    level: bool | None = None
    """An input is high. Every contact closes to ground, so high is open."""
    when_high: bool | None = None
    """The level of an output that was read back while it was driven high."""
    when_low: bool | None = None
    seen: tuple[str, ...] | None = None
    """The tokens of all lamps that a person saw lit while this lamp alone was driven high."""
    glowed: bool | None = None
    """Whether a person saw it lit while all were driven low."""


@dataclass(frozen=True, slots=True)
class PinsReading:
    """All lines. `fault`: why none could be looked at.

    `keeps`: the kernel's parameter that keeps a dead program's levels.
    """

    fault: str = ""
    pins: tuple[PinReading, ...] = ()
    keeps: str = ""


@dataclass(frozen=True, slots=True)
class LockoutReading:
    """The switch's contact, closed to ground or not, in the two positions that a person turned it to; None: not asked."""

    at_open: bool | None = None
    at_locked: bool | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class ShufflerReading:
    """`fault`: why its line could not be opened. `status`: the last word of the unit; None: it said nothing."""

    fault: str = ""
    status: ShufflerStatus | None = None


@dataclass(frozen=True, slots=True)
class ChipsReading:
    """The word of a reader of chips. `fault`: why it cannot be heard; `lies`: the seats with a chip."""

    fault: str = ""
    lies: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class InputReading:
    """A device of the kernel's input.

    `most`: the largest value of each axis, of a panel. `badge`: what was shown to a reader.
    """

    fault: str = ""
    busy: bool = False
    """Another program has grabbed it."""
    name: str = ""
    most: tuple[int, int] = (0, 0)
    badge: str | None = None
    """None: nobody was asked to show one."""


@dataclass(frozen=True, slots=True)
class Connector:
    """A socket for a panel: connected or not, and the size that it prefers, `800x480`; "" where it names none."""

    name: str
    connected: bool
    size: str = ""


@dataclass(frozen=True, slots=True)
class ScreenReading:
    """`missing`: libraries without which SDL shows nothing."""

    connectors: tuple[Connector, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiskReading:
    """The disk of the journal.

    `wear`: the kernel's figures of an eMMC, 1 to 10 tenths used, 11 beyond; () where none are told.
    `fault`: why a file could not be written and flushed there.
    """

    folder: str
    kind: str = ""
    device: str = ""
    free: int = 0
    read_only: bool = False
    fault: str = ""
    wear: tuple[int, ...] = ()
    end_of_life: int = 0
    """The spare blocks of an eMMC by its own word: 1 normal, 2 most are used, 3 nearly all; 0: nothing."""


@dataclass(frozen=True, slots=True)
class PowerReading:
    """None: this machine does not tell. `throttled`: the firmware's bits of a Raspberry Pi."""

    low_voltage: bool | None = None
    throttled: int | None = None
    celsius: float | None = None


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Seconds since 1970. `last_row_s`: when the journal's newest row was written; 0: there is none."""

    now_s: int
    synchronized: bool | None = None
    has_rtc: bool = False
    last_row_s: int = 0


REACH, TLS, TAKEN, NO_JOURNAL = "reach", "tls", "taken", "journal"


@dataclass(frozen=True, slots=True)
class BrokerReading:
    """How far a visit came. `failed`: at which step, "" for none. None: it could not be tried."""

    failed: str = ""
    why: str = ""
    may_write: bool | None = None
    hears_bank: bool | None = None


@dataclass(frozen=True, slots=True)
class CertificateReading:
    """One file of [link]. Times are seconds since 1970. `issued`: whether ca_file's authority signed it."""

    path: str
    fault: str = ""
    name: str = ""
    from_s: int = 0
    to_s: int = 0
    issued: bool | None = None


@dataclass(frozen=True, slots=True)
class KeyReading:
    """A private key's file.

    `readers`: who may read it besides its reader; "" for nobody. `fits`: it is the certificate's.
    """

    path: str
    fault: str = ""
    readers: str = ""
    fits: bool | None = None


@dataclass(frozen=True, slots=True)
class PapersReading:
    """Certificates and keys that table.toml names, and the key of the journal's seals.

    `exposed`: what is wrong with who may read the PIN hashes, "" for nothing.
    """

    authority: CertificateReading | None = None
    own: CertificateReading | None = None
    key: KeyReading | None = None
    seal: KeyReading | None = None
    exposed: str = ""


@dataclass(frozen=True, slots=True)
class ProgramReading:
    """The installed program. `changed`: files that differ from the package; None: it was not installed as a package."""

    version: str
    program_hash: str
    configuration_hash: str
    rules_hash: str
    changed: tuple[str, ...] | None = None
    libraries: tuple[str, ...] = ()


class Machine(Protocol):
    """A table's machine, as far as a program can look at it. Nothing is raised: what cannot be read is a reading too."""

    def holder(self) -> str:
        """The program that has the table's devices now; "" for none."""

    def pins(self) -> PinsReading:
        """Take every line, look at it, drive the outputs, and leave all dark and locked."""

    def lockout(self) -> LockoutReading:
        """The switch, where a person turns it."""

    def shuffler(self) -> ShufflerReading:
        """Open its line and ask it."""

    def chips(self) -> ChipsReading:
        """Open the line of the reader of chips, and hear it of every seat."""

    def touch(self) -> InputReading:
        """Open and grab the panel."""

    def badge(self) -> InputReading:
        """Open and grab the reader."""

    def screen(self) -> ScreenReading:
        """The panels by the kernel's word."""

    def disk(self) -> DiskReading:
        """The place of the journal."""

    def power(self) -> PowerReading:
        """Voltage and heat."""

    def clock(self) -> ClockReading:
        """The time, and its source."""

    def live(self) -> bool | None:
        """Whether two people have said LIVE; None: there is no journal that can be read."""

    def refused_words(self) -> int:
        """Words of the link that the journal's last file says were refused; 0 too where it cannot be read."""

    def broker(self) -> BrokerReading:
        """Visit it under the table's own name."""

    def papers(self) -> PapersReading:
        """Certificates and keys."""

    def program(self) -> ProgramReading:
        """The installed program."""
