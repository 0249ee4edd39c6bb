"""The contract of the wagering buttons, the same for a simulated cabinet and for the pins of a Pi (653a.2(d))."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
from gpiozero.pins.mock import MockFactory

from hal.cabinet.cabinet import Cabinet
from hal.cabinet.ends import SimulatedTable
from hal.cabinet.wire import DEVICE_SOCKET, WORLD_SOCKET
from hal.cabinet.world import World
from hal.gpio import GpioTable
from hal.no_sensors import NoSensors
from hal.ports import LOCKOUT, NEXT_KEY, Badge, Button, ButtonPressed, DeviceFound, Edge, Lamp, Level, Whole
from tests.contract.signals import DEADLINE_S, Signals
from tests.hal.told import tell

MS = 1_000_000
DEBOUNCE_MS = 120
"""Long enough that a busy machine cannot make a press of a spike."""
SEATS = (1, 2)
HANDS = ("own", "dealer")
BUTTONS = [(seat, hand) for seat in SEATS for hand in HANDS]
LAMPS = {1: Lamp.LIT, 2: Lamp.DARK}


class Rig(Protocol):
    port: Whole
    heard: Signals

    def finger(self, button: Button, ms: int) -> None: ...
    def sees(self, buttons: Mapping[Button, bool], lamps: Mapping[int, Lamp]) -> None: ...
    def close(self) -> None: ...


class CabinetRig:
    def __init__(self, home: Path) -> None:
        self.cabinet = Cabinet(home, seats=len(SEATS), seed=3, buttons=HANDS)
        self.cabinet.start()
        self.world = World(home / WORLD_SOCKET)
        self.heard = Signals()
        self.port: Whole = SimulatedTable(self.heard.put, home / DEVICE_SOCKET, DEBOUNCE_MS * MS)

    def finger(self, button: Button, ms: int) -> None:
        self.world.button(*button, held_ms=ms)
        self.world.wait(steady=True)

    def sees(self, buttons: Mapping[Button, bool], lamps: Mapping[int, Lamp]) -> None:
        self.world.wait(buttons=buttons, lamps=lamps, within_s=DEADLINE_S)

    def close(self) -> None:
        self.world.close()
        self.cabinet.close()


BUTTON_PINS = {(1, "own"): 7, (2, "own"): 8, (1, "dealer"): 9, (2, "dealer"): 10}
BUTTON_LAMPS = {(1, "own"): 11, (2, "own"): 12, (1, "dealer"): 14, (2, "dealer"): 15}
LAMP_PINS = {1: 17, 2: 27}


class PinRig:
    def __init__(self) -> None:
        self.factory = MockFactory()
        self.heard = Signals()
        self.port: Whole = GpioTable(
            self.heard.put, {1: 5, 2: 6}, LAMP_PINS, 26, 16, self.factory,
            buttons=BUTTON_PINS, button_lamps=BUTTON_LAMPS,
            button_debounce_ns=DEBOUNCE_MS * MS,
        )  # fmt: skip

    def finger(self, button: Button, ms: int) -> None:
        pin, pause = self.factory.pin(BUTTON_PINS[button]), threading.Event()
        bounces = 3 if ms > DEBOUNCE_MS else 0
        for _ in range(bounces):
            pin.drive_low()
            pin.drive_high()
        pin.drive_low()
        if bounces:
            pause.wait(ms / 1000)
            self.port.read()  # the loop's own poll of the levels makes no second press
        pin.drive_high()
        for _ in range(bounces):
            pin.drive_low()
            pin.drive_high()
        pause.wait(1.2 * DEBOUNCE_MS / 1000)

    def sees(self, buttons: Mapping[Button, bool], lamps: Mapping[int, Lamp]) -> None:
        assert {button: self.factory.pin(pin).state for button, pin in BUTTON_LAMPS.items()} == buttons
        assert {seat: self.factory.pin(pin).state for seat, pin in LAMP_PINS.items()} == {
            seat: lamp is Lamp.LIT for seat, lamp in lamps.items()
        }

    def close(self) -> None:
        self.factory.reset()


@pytest.fixture(params=["cabinet", "pins"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig: Rig = CabinetRig(tmp_path) if request.param == "cabinet" else PinRig()
    rig.port.start()
    rig.heard.wait_until(lambda signal: isinstance(signal, Level) and signal.line == SEATS[-1], "the last level")
    yield rig
    rig.port.close()
    rig.close()


def presses(rig: Rig) -> list[Button]:
    return [(one.seat, one.name) for one in rig.heard.everything if isinstance(one, ButtonPressed)]


@pytest.mark.parametrize("button", [(1, "own"), (2, "dealer")])
def test_a_press_is_put_once_with_the_time_it_began(rig: Rig, button: Button) -> None:
    before_ns = time.monotonic_ns()
    rig.finger(button, 2 * DEBOUNCE_MS)
    press = rig.heard.wait_for_kind(ButtonPressed)
    assert (press.seat, press.name) == button
    assert before_ns <= press.at_ns <= time.monotonic_ns() - DEBOUNCE_MS * MS
    assert presses(rig) == [button]
    assert not any(isinstance(signal, Edge) for signal in rig.heard.everything), "a button is no line"


def test_presses_of_both_hands_and_a_second_one(rig: Rig) -> None:
    said = [(1, "dealer"), (1, "own"), (1, "own")]
    for button in said:
        rig.finger(button, 2 * DEBOUNCE_MS)
        rig.heard.wait_for_kind(ButtonPressed)
    assert presses(rig) == said


def test_a_spike_is_no_press(rig: Rig) -> None:
    rig.finger((1, "own"), 1)
    rig.finger((2, "own"), 2 * DEBOUNCE_MS)
    rig.heard.wait_for_kind(ButtonPressed)
    assert presses(rig) == [(2, "own")]


def test_the_lamp_in_a_button_acknowledges_the_wager_and_others_stay_dark(rig: Rig) -> None:
    tell(rig.port, LAMPS, locked=False, buttons={(2, "own"): True, (1, "own"): False})
    rig.sees({button: button == (2, "own") for button in BUTTONS}, LAMPS)
    tell(rig.port, LAMPS, locked=False)
    rig.sees(dict.fromkeys(BUTTONS, False), LAMPS)


def test_closed_it_leaves_the_buttons_dark_and_puts_no_press(rig: Rig) -> None:
    tell(rig.port, LAMPS, locked=False, buttons=dict.fromkeys(BUTTONS, True))
    rig.sees(dict.fromkeys(BUTTONS, True), LAMPS)
    rig.port.close()
    if isinstance(rig, CabinetRig):
        rig.sees(dict.fromkeys(BUTTONS, False), {1: Lamp.DARK})
    else:
        assert isinstance(rig, PinRig)
        assert not any(rig.factory.pin(pin).state for pin in BUTTON_LAMPS.values() if pin not in BUTTON_PINS.values())
    rig.finger((1, "own"), 2 * DEBOUNCE_MS)
    assert presses(rig) == []


def test_what_is_told_before_the_start_is_shown_at_the_start(tmp_path: Path) -> None:
    for rig in (CabinetRig(tmp_path), PinRig()):
        tell(rig.port, LAMPS, locked=False, buttons={(1, "dealer"): True})
        rig.port.start()
        rig.sees({button: button == (1, "dealer") for button in BUTTONS}, LAMPS)
        rig.port.close()
        rig.close()


class TestATableWithoutSensors:
    """Lunar Poker and Heads-Up Hold 'Em have no progressive: nothing to sense, to light or to lock (671a.2, 677a.2)."""

    def test_on_hardware_it_is_found_at_once_and_reads_nothing(self) -> None:
        heard = Signals()
        table: Whole = NoSensors(heard.put)
        table.start()
        table.read()
        tell(table, {1: Lamp.LIT}, locked=False, buttons={(1, "own"): True})
        table.close()
        assert heard.everything == [DeviceFound("no sensors")]

    def test_in_a_cabinet_it_is_found_and_its_badges_are_read(self, tmp_path: Path) -> None:
        cabinet = Cabinet(tmp_path, seats=5, sensors=False)
        cabinet.start()
        world, heard = World(tmp_path / WORLD_SOCKET), Signals()
        table = SimulatedTable(heard.put, tmp_path / DEVICE_SOCKET)
        tell(table, {}, locked=True)
        table.start()
        world.wait(table=True, locked=True, steady=True)
        table.read()
        world.badge("2001")
        assert heard.wait_for_kind(Badge).number == "2001"
        assert [type(signal) for signal in heard.everything] == [DeviceFound, Badge]
        table.close()
        world.close()
        cabinet.close()

    def test_the_next_key_is_heard_debounced_on_hardware_too(self) -> None:
        """A table without a progressive has a NEXT key and no other line: no switch, no lock line, no lamp."""
        factory, heard = MockFactory(), Signals()
        table = GpioTable(
            heard.put, {}, {}, None, None, factory, buttons={NEXT_KEY: 12}, button_debounce_ns=DEBOUNCE_MS * MS
        )
        table.start()
        tell(table, {}, locked=True)
        pin = factory.pin(12)
        for _ in range(3):
            pin.drive_low()
            pin.drive_high()
        pin.drive_low()
        press = heard.wait_for_kind(ButtonPressed)
        assert (press.seat, press.name) == NEXT_KEY
        pin.drive_high()
        table.close()
        assert [type(signal) for signal in heard.everything] == [DeviceFound, ButtonPressed]
        factory.reset()

    def test_the_next_key_is_heard_in_a_cabinet(self, tmp_path: Path) -> None:
        cabinet = Cabinet(tmp_path, seats=5, sensors=False)
        cabinet.start()
        world, heard = World(tmp_path / WORLD_SOCKET), Signals()
        table = SimulatedTable(heard.put, tmp_path / DEVICE_SOCKET, DEBOUNCE_MS * MS)
        table.start()
        heard.wait_for_kind(DeviceFound)
        world.next_key(held_ms=2 * DEBOUNCE_MS)
        press = heard.wait_for_kind(ButtonPressed)
        assert (press.seat, press.name) == NEXT_KEY
        table.close()
        world.close()
        cabinet.close()

    def test_with_buttons_alone_it_has_a_lockout(self, tmp_path: Path) -> None:
        """653a.2(d): "a mechanism, such as a lockout button" for the Five Card Hand bonus, progressive or not."""
        cabinet = Cabinet(tmp_path, seats=6, sensors=False, buttons=HANDS, bounce=False)
        cabinet.start()
        world, heard = World(tmp_path / WORLD_SOCKET), Signals()
        table = SimulatedTable(heard.put, tmp_path / DEVICE_SOCKET)
        table.start()
        assert heard.wait_for_kind(Level).line == LOCKOUT
        world.lockout(True)
        assert not heard.wait_for_kind(Edge).on
        table.close()
        world.close()
        cabinet.close()
