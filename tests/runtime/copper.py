"""A table on pins and a badge reader, as `felt table` builds them for `hardware = "gpio"`: no cabinet anywhere.

gpiozero's mock factory stands where the chip would be, a pipe of input events where the kernel's device would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.commands.devices import badges, hardware
from firmware.rules.submission import Submission
from hal import badge, gpio
from hal.chips import NoChip
from hal.ports import LOCKOUT, Badge, DeviceFound, DeviceLost, Hardware
from tests.hal.fragile import FragilePin
from tests.hal.piped import PipedDevice
from tests.hal.typing_badges import ENTER, KEY, reads
from tests.runtime.world import MS, Clock, TableWorld

READER = "/dev/input/by-id/usb-ACME_Badge-event-kbd"
WRITTEN = f"""
[seats]
hardware = "gpio"
[badge]
device = "{READER}"
"""


class Library:
    """evdev, where one reader is plugged in, or none."""

    def __init__(self) -> None:
        self.plugged: PipedDevice | None = PipedDevice()
        self.device: PipedDevice | None = None

    def InputDevice(self, path: str) -> PipedDevice:
        device, self.plugged = self.plugged, None
        if path != READER or device is None:
            raise FileNotFoundError(2, "No such file or directory", path)
        device.capabilities = lambda: {KEY: [ENTER]}  # type: ignore[attr-defined]
        self.device = device
        return device


class CopperTable(TableWorld):
    """One table with wires, in the words of a person who stands there."""

    chip_is_there = True

    def __init__(self, folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
        class Chip(MockFactory):  # type: ignore[misc]  # gpiozero has no types
            """Edges are stamped with the test's clock, as the kernel stamps them with ours."""

            gone = False

            def ticks(self) -> float:
                return clock.now_ns / 1e9

        self.chip, self.evdev = Chip(pin_class=FragilePin), Library()
        here = SimpleNamespace(
            monotonic_ns=lambda: clock.now_ns, monotonic=lambda: clock.now_ns / 1e9, time_ns=lambda: 10**18
        )
        monkeypatch.setattr(gpio, "time", here)
        # The mock pins read their own: a machine that has just started would be behind the test's clock.
        monkeypatch.setattr("gpiozero.pins.mock.monotonic", here.monotonic)
        monkeypatch.setattr(gpio, "_lgpio", self._lgpio)
        monkeypatch.setattr(gpio, "RETRY_S", 0.001)
        monkeypatch.setattr(badge, "evdev_module", lambda: self.evdev)
        monkeypatch.setattr(badge, "stamp_with_monotonic", lambda _descriptor: None)
        monkeypatch.setattr("hal.input_device.RETRY_S", 0.001)
        super().__init__(folder, clock, WRITTEN)

    def _lgpio(self, labels: Sequence[str]) -> MockFactory:
        if not self.chip_is_there:
            raise NoChip(f"no GPIO chip {' or '.join(labels)}: /dev has no gpiochip")
        return self.chip

    def wires(self, submission: Submission) -> None:
        """Pins and reader as the program itself makes them; hands that move the contacts."""
        if self.badges is not None:
            self.ends()  # the program that ran before is gone
            self.evdev.plugged = PipedDevice()
        self.wired = hardware(self.config, submission, self.folder, self.inbox)
        port: Any = self.wired.lamps
        port.moves = self.moves
        self.sensors, self.badges = port, badges(self.config, self.inbox)

    @property
    def hardware(self) -> Hardware:
        return self.wired

    def moves(self, line: int, on: bool) -> None:
        """A contact closes to ground, or opens."""
        seats = self.config.seats
        pin = self.chip.pin(seats.lockout_pin if line == LOCKOUT else seats.sensor_pins[line - 1])
        (pin.drive_low if on else pin.drive_high)()

    def lamp(self, seat: int) -> bool:
        return bool(self.chip.pin(self.config.seats.lamp_pins[seat - 1]).state)

    @property
    def lock_line(self) -> bool:
        """High: bets are open."""
        return bool(self.chip.pin(self.config.seats.lock_pin).state)

    def shows_badge(self, number: str) -> None:
        """Hold a badge to the reader, which types it."""
        assert self.evdev.device is not None
        reads(self.evdev.device, number, self.clock.now_ns // MS, pause_ms=0)
        self.hears(Badge)

    def unplugs_reader(self) -> None:
        assert self.evdev.device is not None
        self.evdev.device.unplug()
        self.hears(DeviceLost, badge.DEVICE)

    def plugs_reader(self) -> None:
        self.evdev.plugged = PipedDevice()
        self.hears(DeviceFound, badge.DEVICE)

    def ends(self) -> None:
        """The program ends: pins dark, threads ended."""
        for device in self.hardware.devices:
            device.close()
        if self.badges is not None:
            self.badges.close()
