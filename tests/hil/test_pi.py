"""The rig of copper as far as it goes without copper: hands on mock pins, commands that are written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hal.cabinet.cabinet import Cabinet
from hal.cabinet.wire import WORLD_SOCKET
from hal.cabinet.world import World
from hal.ports import Lamp
from tests.hil.pi import SAFE, PinHands, PiRig
from tests.hil.rig import Broken, Unit, glance
from tests.hil.wires import Hands, Setup, load

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "rig.toml"
SIZE_MM = (200.0, 100.0)


class Shell:
    """Writes down what it was told to run on other computers; refuses what contains one of the words."""

    def __init__(self, *refused: str) -> None:
        self.lines: list[tuple[str, str]] = []
        self._refused = refused

    def __call__(self, host: str, line: str, given: bytes = b"") -> bytes:
        if any(word in line for word in self._refused):
            raise Broken(f"{line} failed")
        self.lines.append((host, line))
        return b""


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """The example's wires; keyboard and panel are files."""
    file = tmp_path / "rig.toml"
    text = EXAMPLE.read_text(encoding="utf-8").replace("/dev/hidg0", f"{tmp_path}/keys")
    file.write_text(text.replace("/dev/hidg1", f"{tmp_path}/panel"), encoding="utf-8")
    return load(file)


@pytest.fixture
def world(tmp_path: Path, pins: MockFactory, setup: Setup) -> Iterator[World]:
    """A cabinet whose wires the rig's hands have taken."""
    cabinet = Cabinet(tmp_path, bounce=False)
    cabinet.start()
    hands = PinHands(tmp_path, Hands(pins, setup.wires), setup, SIZE_MM)
    hands.start()
    with closing(World(tmp_path / WORLD_SOCKET)) as eyes:
        eyes.wait(table=True, panels=1)
        yield eyes
    hands.close()
    cabinet.close()


def closed(pins: MockFactory, number: int) -> bool:
    """A pin that pulls its wire to ground."""
    pin = pins.pin(number)
    return bool(pin.function == "output" and not pin.state)


def becomes(pins: MockFactory, number: int, *, wanted: bool) -> None:
    while closed(pins, number) != wanted:  # the test's own time limit ends this
        glance()


def test_a_chip_closes_its_sensors_wire_and_opens_it_again(world: World, pins: MockFactory) -> None:
    world.place(2)
    becomes(pins, 6, wanted=True)
    assert not closed(pins, 5) and not closed(pins, 13)
    world.take(2)
    becomes(pins, 6, wanted=False)


def test_the_switch_opens_its_contact_when_it_is_turned_or_cut(world: World, pins: MockFactory) -> None:
    becomes(pins, 16, wanted=True)
    world.lockout(True)
    becomes(pins, 16, wanted=False)
    world.lockout(False)
    becomes(pins, 16, wanted=True)
    world.cut_wire()
    becomes(pins, 16, wanted=False)


def test_what_the_meter_reads_is_what_people_see(world: World, pins: MockFactory) -> None:
    world.wait(lamps={3: Lamp.DARK}, locked=True)
    pins.pin(27).drive_high()
    pins.pin(20).drive_high()
    world.wait(lamps={2: Lamp.DARK, 3: Lamp.LIT}, locked=False)


def test_a_badge_is_typed_key_by_key_and_entered(world: World, tmp_path: Path) -> None:
    (tmp_path / "keys").touch()
    world.badge("20A")
    wanted = b"".join(bytes((0, 0, usage, 0, 0, 0, 0, 0)) + bytes(8) for usage in (0x1F, 0x27, 0x04, 0x28))
    while (tmp_path / "keys").read_bytes() != wanted:
        glance()


def test_a_finger_is_a_report_of_tip_and_place(world: World, tmp_path: Path) -> None:
    (tmp_path / "panel").touch()
    world.touch(100.0, 50.0, held_ms=1)
    lifted = bytes((0,)) + (16384).to_bytes(2, "little") * 2
    while (tmp_path / "panel").read_bytes() != lifted:
        glance()


def test_commands_go_to_the_computer_that_has_the_unit(setup: Setup, pins: MockFactory, tmp_path: Path) -> None:
    shell = Shell()
    rig = PiRig(tmp_path / "rig.toml", shell, pins)
    rig.start()
    shell.lines.clear()
    rig.kill(Unit.TABLE)
    rig.hang(Unit.BANK)
    rig.stop_unit(Unit.BROKER)
    assert rig.log(Unit.TABLE) == ""
    rig.panic()
    rig.write_protect()
    with rig.hunger():
        pass
    sysrq = "echo 1 > /proc/sys/kernel/sysrq;"
    options = "-p Restart=always -p RestartSec=1 -p OOMScoreAdjust=1000 -p StartLimitIntervalSec=0"
    assert shell.lines == [
        (setup.table, "sudo systemctl kill -s KILL felt-table"),
        (setup.bank, "sudo systemctl kill -s STOP felt-bank"),
        (setup.bank, "sudo systemctl stop mosquitto"),
        (setup.table, "sudo journalctl -b --no-pager -o cat -u felt-table"),
        (setup.table, f"sudo systemd-run -q sh -c '{sysrq} echo c > /proc/sysrq-trigger'"),
        (setup.table, "sudo sh"),
        (setup.table, f"sudo systemd-run -q --unit=hil-hunger {options} tail /dev/zero"),
        (setup.table, "sudo systemctl stop hil-hunger"),
    ]
    rig.stop()


def test_the_power_is_cut_by_the_relay(setup: Setup, pins: MockFactory, tmp_path: Path) -> None:
    rig = PiRig(tmp_path / "rig.toml", Shell(), pins)
    rig.start()
    relay = pins.pin(12)
    assert not relay.state, "at rest the table has power"
    rig.power_cut()
    assert relay.state
    rig.boot()
    assert not relay.state
    rig.stop()


@pytest.mark.usefixtures("setup")
def test_nothing_is_done_at_a_table_that_is_no_rig(pins: MockFactory, tmp_path: Path) -> None:
    """Its journals would be taken away."""
    shell = Shell(SAFE)
    rig = PiRig(tmp_path / "rig.toml", shell, pins)
    with pytest.raises(Broken, match=SAFE):
        rig.start()
    assert shell.lines == []
    rig.stop()


def test_without_its_file_the_rig_says_where_it_is_described(tmp_path: Path) -> None:
    with pytest.raises(Broken, match=r"docs/hil\.md"):
        PiRig(tmp_path / "rig.toml")
