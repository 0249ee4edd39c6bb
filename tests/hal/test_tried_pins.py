"""Pins taken for a look (`felt doctor`), and devices of the kernel's input opened for one."""

from __future__ import annotations

import errno

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hal.gpio import Tried, TriedPins
from hal.input_device import Looked, look
from hal.touch import most_of, upright
from tests.hal.piped import PipedDevice


class Wired(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin with something soldered to it."""

    stuck: bool | None = None
    taken = False

    def _get_state(self) -> bool:
        return bool(super()._get_state()) if self.stuck is None else self.stuck

    def input_with_pull(self, pull: str) -> None:
        if self.taken:
            raise Exception("GPIO busy")  # lgpio.error is a bare Exception
        super().input_with_pull(pull)


@pytest.fixture
def chip() -> MockFactory:
    return MockFactory(pin_class=Wired)


def test_an_input_tells_its_bias_and_its_level(chip: MockFactory) -> None:
    pins = TriedPins(pin_factory=chip)
    assert pins.listen(5) == Tried(pull="up", high=True)
    chip.pin(5).drive_low()
    assert pins.listen(5) == Tried(pull="up", high=False), "looked at again, not taken again"


def test_an_output_is_read_back_from_the_wire(chip: MockFactory) -> None:
    pins = TriedPins(pin_factory=chip)
    assert (pins.drive(17, True).high, pins.drive(17, False).high) == (True, False)
    chip.pin(27).stuck = True
    assert (pins.drive(27, True).high, pins.drive(27, False).high) == (True, True)


def test_a_line_that_another_program_has_is_a_finding_and_no_crash(chip: MockFactory) -> None:
    chip.pin(6).taken = True
    assert TriedPins(pin_factory=chip).listen(6) == Tried(fault="GPIO busy")


def test_at_the_end_every_output_is_low(chip: MockFactory) -> None:
    pins, lamp = TriedPins(pin_factory=chip), chip.pin(17)
    pins.drive(17, True)
    levels: list[bool] = []
    lamp.close = lambda: levels.append(bool(lamp.state))
    pins.close()
    assert levels == [False]


class Device(PipedDevice):
    name = "FT5406"

    def __init__(self, refuses: int = 0) -> None:
        super().__init__()
        self.refuses = refuses

    def grab(self) -> None:
        if self.refuses:
            raise OSError(self.refuses, "Device or resource busy")
        super().grab()


def test_a_device_is_grabbed_for_a_look_and_given_back() -> None:
    device = Device()
    assert look(lambda: device) == Looked("FT5406")  # type: ignore[arg-type,return-value]  # a pipe in evdev's place
    assert device.grabbed and device.closed


def test_a_device_that_another_program_has_grabbed_is_busy() -> None:
    device = Device(errno.EBUSY)
    seen = look(lambda: device)  # type: ignore[arg-type,return-value]  # a pipe in evdev's place
    assert (seen.name, seen.busy, device.closed) == ("FT5406", True, True)


def test_a_device_that_is_not_there_is_a_fault() -> None:
    def nothing() -> Device:
        raise OSError(errno.ENODEV, "no touch panel at /dev/input")

    assert "no touch panel" in look(nothing).fault  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [(799, 479), (4095, 4095), (0, 0)])
def test_the_range_of_a_panel_is_what_it_named(most: tuple[int, int]) -> None:
    assert most_of(upright(*most, 154.1, 85.9), 154.1, 85.9) == most
