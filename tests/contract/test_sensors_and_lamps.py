"""The contract of `hal.ports.Whole`, the same for a simulated cabinet and for the pins of a Pi.

A rig is what a person at the table can do and see; the port under test is what the firmware holds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hal.cabinet.cabinet import Cabinet
from hal.cabinet.ends import SimulatedTable
from hal.cabinet.wire import DEVICE_SOCKET, WORLD_SOCKET
from hal.cabinet.world import World
from hal.gpio import GpioTable
from hal.ports import LOCKOUT, DeviceFound, Edge, Lamp, Level, Whole
from tests.contract.signals import DEADLINE_S, Signals
from tests.hal.told import tell

SEATS = (1, 2, 3)
DARK = dict.fromkeys(SEATS, Lamp.DARK)


class Rig(Protocol):
    """Hands and eyes at one table."""

    port: Whole
    heard: Signals

    def place(self, seat: int) -> None: ...
    def take(self, seat: int) -> None: ...
    def turn_lockout(self, locked: bool) -> None: ...
    def cut_wire(self) -> None: ...
    def sees(self, lamps: Mapping[int, Lamp], *, locked: bool) -> None: ...
    def close(self) -> None: ...


class CabinetRig:
    """A cabinet behind real sockets."""

    def __init__(self, home: Path) -> None:
        self.cabinet = Cabinet(home, seats=len(SEATS), seed=1)
        self.cabinet.start()
        self.world = World(home / WORLD_SOCKET)
        self.heard = Signals()
        self.port: Whole = SimulatedTable(self.heard.put, home / DEVICE_SOCKET)

    def place(self, seat: int) -> None:
        self.world.place(seat)
        self._lies_still(seat)

    def take(self, seat: int) -> None:
        self.world.take(seat)
        self._lies_still(seat)

    def turn_lockout(self, locked: bool) -> None:
        self.world.lockout(locked)
        self._lies_still(LOCKOUT)

    def cut_wire(self) -> None:
        self.world.cut_wire()
        self._lies_still(LOCKOUT)

    def _lies_still(self, line: int) -> None:
        """The contact has bounced, and its last edge has arrived."""
        self.world.wait(steady=True)
        if at_ns := self.world.state().contact_ns[line]:
            self.heard.has(lambda signal: isinstance(signal, Edge) and (signal.line, signal.at_ns) == (line, at_ns))

    def sees(self, lamps: Mapping[int, Lamp], *, locked: bool) -> None:
        self.world.wait(lamps=lamps, locked=locked, within_s=DEADLINE_S)

    def close(self) -> None:
        self.world.close()
        self.cabinet.close()


SEAT_PINS = {1: 5, 2: 6, 3: 13}
LAMP_PINS = {1: 17, 2: 27, 3: 22}
LOCKOUT_PIN, LOCK_PIN = 26, 16


class WatchedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin whose changes can be waited for."""

    def __init__(self, factory: object, info: object) -> None:
        self.changed = threading.Condition()
        super().__init__(factory, info)

    def _change_state(self, value: bool) -> bool:
        with self.changed:
            self.changed.notify_all()
            return bool(super()._change_state(value))


class PinRig:
    """Mock pins, wired as hal.gpio describes: contacts to ground, lamps and lock line active high."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=WatchedPin)
        self.heard = Signals()
        self.port: Whole = GpioTable(self.heard.put, SEAT_PINS, LAMP_PINS, LOCKOUT_PIN, LOCK_PIN, self.factory)
        self.switch_closed, self.wire_whole = True, True

    def place(self, seat: int) -> None:
        self.factory.pin(SEAT_PINS[seat]).drive_low()

    def take(self, seat: int) -> None:
        self.factory.pin(SEAT_PINS[seat]).drive_high()

    def turn_lockout(self, locked: bool) -> None:
        self.switch_closed = not locked
        self._wire()

    def cut_wire(self) -> None:
        self.wire_whole = False
        self._wire()

    def _wire(self) -> None:
        pin = self.factory.pin(LOCKOUT_PIN)
        if self.switch_closed and self.wire_whole:
            pin.drive_low()
        else:
            pin.drive_high()  # the pull-up

    def sees(self, lamps: Mapping[int, Lamp], *, locked: bool) -> None:
        steady = {Lamp.DARK: False, Lamp.LIT: True}
        assert self.factory.pin(LOCK_PIN).state is (not locked)
        for seat, lamp in lamps.items():
            pin = self.factory.pin(LAMP_PINS[seat])
            if lamp in steady:
                assert pin.state is steady[lamp], f"seat {seat} is not {lamp}"
            else:
                with pin.changed:
                    pin.clear_states()
                    assert pin.changed.wait_for(lambda pin=pin: len(pin.states) > 3, DEADLINE_S), (
                        f"seat {seat} is steady"
                    )

    def close(self) -> None:
        self.factory.reset()


@pytest.fixture(params=["cabinet", "pins"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig: Rig = CabinetRig(tmp_path) if request.param == "cabinet" else PinRig()
    yield rig
    rig.port.close()
    rig.close()


def started(rig: Rig) -> Rig:
    rig.port.start()
    rig.heard.wait_until(lambda signal: isinstance(signal, Level) and signal.line == SEATS[-1], "the last level")
    if isinstance(rig, PinRig):
        rig.turn_lockout(False)  # a mock pin knows no wire until one is driven
    rig.heard.mark()
    return rig


def edge(rig: Rig, line: int, on: bool) -> Edge:
    found = rig.heard.wait_until(
        lambda signal: isinstance(signal, Edge) and (signal.line, signal.on) == (line, on),
        f"edge of line {line} to {on}",
    )
    assert isinstance(found, Edge)
    return found


def levels(rig: Rig) -> dict[int, Level]:
    """Ask for the levels of all lines and wait for them."""
    rig.heard.mark()
    rig.port.read()
    found: dict[int, Level] = {}
    while set(found) != {LOCKOUT, *SEATS}:
        level = rig.heard.wait_for_kind(Level)
        found[level.line] = level
    return found


def test_it_is_found_and_tells_the_level_of_every_line_before_any_edge(rig: Rig) -> None:
    rig.port.start()
    rig.heard.wait_for(DeviceFound("cabinet" if isinstance(rig, CabinetRig) else "gpio"))
    first = [rig.heard.wait_for_kind(Level) for _ in range(1 + len(SEATS))]
    assert {level.line for level in first} == {LOCKOUT, *SEATS}
    assert not any(level.on for level in first if level.line != LOCKOUT)
    assert isinstance(rig.heard.everything[0], DeviceFound)
    assert all(isinstance(signal, Level) for signal in rig.heard.everything[1 : 2 + len(SEATS)])


def test_a_chip_placed_and_taken_is_an_edge_each_with_the_time_it_happened(rig: Rig) -> None:
    started(rig)
    for act, on in ((rig.place, True), (rig.take, False)):
        before_ns = time.monotonic_ns()
        act(2)
        at_ns = edge(rig, 2, on).at_ns
        assert before_ns <= at_ns <= time.monotonic_ns()
        rig.heard.mark()


def test_lines_do_not_disturb_each_other(rig: Rig) -> None:
    started(rig)
    rig.place(1)
    edge(rig, 1, True)
    rig.place(3)
    edge(rig, 3, True)
    rig.take(1)
    edge(rig, 1, False)
    assert {signal.line for signal in rig.heard.everything if isinstance(signal, Edge)} <= {LOCKOUT, 1, 3}


def test_the_lockout_switch_closed_means_bets_may_be_open(rig: Rig) -> None:
    started(rig)
    rig.turn_lockout(True)
    edge(rig, LOCKOUT, False)
    rig.heard.mark()
    rig.turn_lockout(False)
    edge(rig, LOCKOUT, True)


def test_a_cut_wire_reads_as_locked_wherever_the_switch_stands(rig: Rig) -> None:
    started(rig)
    rig.cut_wire()
    edge(rig, LOCKOUT, False)
    rig.turn_lockout(True)
    rig.turn_lockout(False)
    assert levels(rig)[LOCKOUT].on is False


def test_a_level_read_tells_the_truth_of_every_line_now(rig: Rig) -> None:
    started(rig)
    rig.place(1)
    edge(rig, 1, True)
    before_ns = time.monotonic_ns()
    read = levels(rig)
    assert {line: level.on for line, level in read.items()} == {LOCKOUT: True, 1: True, 2: False, 3: False}
    assert all(before_ns <= level.at_ns <= time.monotonic_ns() for level in read.values())


def test_all_is_dark_and_locked_until_told_otherwise(rig: Rig) -> None:
    started(rig)
    rig.sees(DARK, locked=True)


@pytest.mark.parametrize("lamp", list(Lamp))
def test_a_lamp_shows_its_state_and_no_other_lamp_does(rig: Rig, lamp: Lamp) -> None:
    started(rig)
    shown = {**DARK, 2: lamp}
    tell(rig.port, shown, locked=False)
    rig.sees(shown, locked=False)


def test_told_the_same_again_nothing_changes(rig: Rig) -> None:
    started(rig)
    shown = {1: Lamp.LIT, 2: Lamp.LATE, 3: Lamp.DARK}
    for _ in range(20):
        tell(rig.port, shown, locked=False)
    rig.sees(shown, locked=False)


def test_what_is_told_before_the_start_is_shown_at_the_start(rig: Rig) -> None:
    shown = {1: Lamp.LIT, 2: Lamp.DARK, 3: Lamp.DARK}
    tell(rig.port, shown, locked=False)
    started(rig)
    rig.sees(shown, locked=False)


def test_closed_it_leaves_lamps_dark_and_the_lock_closed(rig: Rig) -> None:
    started(rig)
    tell(rig.port, {**DARK, 1: Lamp.LIT, 2: Lamp.FAULT}, locked=False)
    rig.sees({1: Lamp.LIT}, locked=False)
    rig.port.close()
    if isinstance(rig, CabinetRig):
        rig.sees(DARK, locked=True)
    else:
        assert isinstance(rig, PinRig)
        for number in (*LAMP_PINS.values(), LOCK_PIN):
            assert not (rig.factory.pin(number).function == "output" and rig.factory.pin(number).state)
