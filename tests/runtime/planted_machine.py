"""A machine in perfect order, and hands that spoil one thing of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from firmware import config as c
from firmware.runtime.doctor import readings as r
from firmware.runtime.doctor.checks import Subject
from firmware.runtime.doctor.machine import wires_of
from hal.ports import ShufflerStatus

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
NOW_S = 1_795_370_000
DAY_S = 86_400


def subject(example: str = "table.toml") -> Subject:
    """The table of an example of the documents."""
    config = c.load_table(EXAMPLES / example)
    return Subject(config, c.submission(config, EXAMPLES / example))


def pin_in_order(wire: r.Wire) -> r.PinReading:
    """What a line does that is wired right, with nothing on the table."""
    if wire.kind == r.LAMP:
        return r.PinReading(wire, when_high=True, when_low=False, seen=(wire.token,), glowed=False)
    if wire.kind == r.LOCK_LINE:
        return r.PinReading(wire, when_low=False)
    return r.PinReading(wire, pull="up", level=True)


def pins_in_order(example: str = "table.toml") -> r.PinsReading:
    """All lines of a table."""
    of = subject(example)
    return r.PinsReading("", tuple(map(pin_in_order, wires_of(of.config, of.submission))))


class PlantedMachine:
    """`readings.Machine`: says what was put there. As it is made, nothing is wrong with it."""

    def __init__(self, held: str = "", of_pins: r.PinsReading | None = None) -> None:
        self.held = held
        self.of_pins = pins_in_order() if of_pins is None else of_pins
        self.of_lockout = r.LockoutReading(True, False)
        self.of_chips = r.ChipsReading()
        self.of_shuffler = r.ShufflerReading(status=ShufflerStatus(True, "unit-1", "idle", None, "", "", 0, 0))
        self.of_touch = r.InputReading(name="FT5406", most=(799, 479))
        self.of_badge = r.InputReading(name="Sycreader", badge="2001")
        self.of_screen = r.ScreenReading((r.Connector("DSI-1", True, "800x480"), r.Connector("HDMI-A-1", False)))
        self.of_disk = r.DiskReading("/var/lib/felt", "ext4", "mmcblk0", 4_000_000_000, wear=(1, 1), end_of_life=1)
        self.of_power = r.PowerReading(False, 0, 51.2)
        self.is_live: bool | None = True
        self.of_clock = r.ClockReading(NOW_S, True, True, NOW_S - 600)
        self.of_refused_words = 0
        self.of_broker = r.BrokerReading(may_write=True, hears_bank=True)
        self.of_papers = r.PapersReading(
            r.CertificateReading("/etc/felt/felt-ca.crt", "", "Felt authority", NOW_S - DAY_S, NOW_S + 3000 * DAY_S),
            r.CertificateReading("/etc/felt/table.crt", "", "uth-04", NOW_S - DAY_S, NOW_S + 800 * DAY_S, True),
            r.KeyReading("/etc/felt/table.key", fits=True),
            r.KeyReading("/var/lib/felt/table-seal.key"),
        )
        self.of_program = r.ProgramReading("0.1.0", "ab" * 32, "cd" * 32, "ef" * 32, ())

    def holder(self) -> str:
        return self.held

    def pins(self) -> r.PinsReading:
        return self.of_pins

    def lockout(self) -> r.LockoutReading:
        return self.of_lockout

    def shuffler(self) -> r.ShufflerReading:
        return self.of_shuffler

    def chips(self) -> r.ChipsReading:
        return self.of_chips

    def touch(self) -> r.InputReading:
        return self.of_touch

    def badge(self) -> r.InputReading:
        return self.of_badge

    def screen(self) -> r.ScreenReading:
        return self.of_screen

    def disk(self) -> r.DiskReading:
        return self.of_disk

    def power(self) -> r.PowerReading:
        return self.of_power

    def live(self) -> bool | None:
        return self.is_live

    def clock(self) -> r.ClockReading:
        return self.of_clock

    def refused_words(self) -> int:
        return self.of_refused_words

    def broker(self) -> r.BrokerReading:
        return self.of_broker

    def papers(self) -> r.PapersReading:
        return self.of_papers

    def program(self) -> r.ProgramReading:
        return self.of_program

    def line(self, name: str, kind: str, **changed: object) -> None:
        """One line does something else."""
        pins = tuple(
            replace(pin, **changed) if (pin.wire.name, pin.wire.kind) == (name, kind) else pin  # type: ignore[arg-type]
            for pin in self.of_pins.pins
        )
        assert pins != self.of_pins.pins
        self.of_pins = replace(self.of_pins, pins=pins)
