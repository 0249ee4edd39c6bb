"""The self-test of a rig's wires, on mock pins: those of the rig are connected to those of a table, rightly and wrongly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from firmware.config import SeatsConfig
from tests.hil.probe import PinsProbe
from tests.hil.wires import Hands, Setup, Wires, load, wire_faults

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "rig.toml"
SEATS = SeatsConfig()
Connect = Callable[..., list[str]]


class Copper(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin with a wire to another one: whoever drives is heard at the other end, and a pull where nobody does."""

    other: Copper | None = None
    inverts = False

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._tell()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._tell()

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        self._tell()
        return changed

    def _tell(self) -> None:
        """The level of the wire, at the end that listens."""
        if self.other is None or self.other.function != "input":
            return
        if self.function == "output":
            self.other.hears(bool(self.state) != self.inverts)
        else:
            self.other.hears(self.other.pull == "up")

    def hears(self, high: bool) -> None:
        if bool(self._state) != high:
            self.drive_high() if high else self.drive_low()


@pytest.fixture
def setup() -> Setup:
    return load(EXAMPLE)


@pytest.fixture
def tested(setup: Setup) -> Iterator[Connect]:
    """Connect pins of the rig (by number) to pins of the table; what the self-test says of it."""
    rig, table = MockFactory(pin_class=Copper), MockFactory(pin_class=Copper)
    probes = []

    def connect(cables: Mapping[int, int], inverted: int | None = None) -> list[str]:
        for here, there in cables.items():
            one, other = rig.pin(here), table.pin(there)
            one.other, other.other = other, one
            other.inverts = here == inverted
        hands = Hands(rig, setup.wires)
        probe = PinsProbe(SEATS, table)
        probes.append(probe)
        return wire_faults(hands, probe, setup.wires)

    yield connect
    for probe in probes:
        probe.close()
    rig.reset()
    table.reset()


def straight(wires: Wires) -> dict[int, int]:
    """Each pin to the one of its number, as docs/hil.md has it."""
    return {pin: pin for pin in (*wires.sensors.values(), *wires.lamps.values(), wires.lockout, wires.lock)}


def test_the_example_is_wired_to_the_pins_of_a_table(setup: Setup) -> None:
    assert tuple(setup.wires.sensors.values()) == SEATS.sensor_pins
    assert tuple(setup.wires.lamps.values()) == SEATS.lamp_pins
    assert (setup.wires.lockout, setup.wires.lock) == (SEATS.lockout_pin, SEATS.lock_pin)


def test_right_wires_have_no_fault(tested: Connect, setup: Setup) -> None:
    assert tested(straight(setup.wires)) == []


@pytest.mark.slow
def test_swapped_sensors_are_named(tested: Connect, setup: Setup) -> None:
    assert tested({**straight(setup.wires), 6: 13, 13: 6}) == [
        "sensor 2 (GPIO6 of the rig): the table hears seat 3; its wire is swapped",
        "sensor 3 (GPIO13 of the rig): the table hears seat 2; its wire is swapped",
    ]


@pytest.mark.slow
def test_swapped_lamps_are_named(tested: Connect, setup: Setup) -> None:
    assert tested({**straight(setup.wires), 4: 24, 24: 4}) == [
        "lamp 1 (GPIO4 of the rig): the meter sees seat 6; its wire is swapped",
        "lamp 6 (GPIO24 of the rig): the meter sees seat 1; its wire is swapped",
    ]


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        (19, ["sensor 4 (GPIO19 of the rig): the table hears nothing; its wire is cut"]),
        pytest.param(
            22, ["lamp 4 (GPIO22 of the rig): the meter sees nothing; its wire is cut"], marks=pytest.mark.slow
        ),
        pytest.param(
            16,
            ["lockout: the table does not hear that its contact is closed; wire cut, or wired the other way"],
            marks=pytest.mark.slow,
        ),
        pytest.param(20, ["lock line: the meter does not see it high; wire cut or inverted"], marks=pytest.mark.slow),
    ],
    ids=["sensor", "lamp", "lockout", "lock line"],
)
def test_a_cut_wire_is_named(tested: Connect, setup: Setup, cut: int, said: list[str]) -> None:
    assert tested({here: there for here, there in straight(setup.wires).items() if here != cut}) == said


def test_an_inverted_lamp_is_named(tested: Connect, setup: Setup) -> None:
    assert tested(straight(setup.wires), inverted=27) == [
        "lamp 3: lit though the table drives it low; its wire is shorted to 3.3 V or inverted"
    ]


def test_a_file_that_misses_something_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(EXAMPLE.read_text(encoding="utf-8").replace("lockout = 16\n", ""), encoding="utf-8")
    with pytest.raises(ValueError, match="'lockout' is missing"):
        load(file)
