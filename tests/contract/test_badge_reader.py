"""The contract of a badge reader, the same for the cabinet's and for a keyboard of the kernel."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from hal.badge import BadgeReader
from hal.cabinet.cabinet import Cabinet
from hal.cabinet.ends import SimulatedTable
from hal.cabinet.wire import DEVICE_SOCKET, WORLD_SOCKET
from hal.cabinet.world import World, WorldFault
from hal.ports import Badge, DeviceFound, DeviceLost
from hal.ports import BadgeReader as Port
from tests.contract.signals import Signals
from tests.hal.piped import PipedDevice
from tests.hal.typing_badges import reads

MS = 1_000_000


class Rig(Protocol):
    """A person who holds a badge to the reader, and a technician with its cable in his hand."""

    port: Port
    heard: Signals
    device: str

    def show(self, number: str) -> None: ...
    def unplug(self) -> None: ...
    def plug_in(self) -> None: ...
    def close(self) -> None: ...


class CabinetRig:
    """The reader of a cabinet, behind real sockets; its cable is the cabinet itself."""

    device = "cabinet"

    def __init__(self, home: Path) -> None:
        self.home = home
        self.heard = Signals()
        self.port: Port = SimulatedTable(self.heard.put, home / DEVICE_SOCKET)
        self.plug_in()

    def show(self, number: str) -> None:
        with contextlib.suppress(WorldFault):  # the reader itself refuses what is no badge
            self.world.badge(number)

    def unplug(self) -> None:
        self.world.close()
        self.cabinet.close()

    def plug_in(self) -> None:
        self.cabinet = Cabinet(self.home, seats=1)
        self.cabinet.start()
        self.world = World(self.home / WORLD_SOCKET)

    def close(self) -> None:
        self.unplug()


class EvdevRig:
    """Real bytes of the kernel's input events, through a pipe."""

    device = "badge reader"

    def __init__(self) -> None:
        self.heard = Signals()
        self.port: Port = BadgeReader(self.heard.put, self._open)  # type: ignore[arg-type]  # a pipe in evdev's place
        self.piped: PipedDevice | None = PipedDevice()
        self.opened: PipedDevice | None = None
        self.plugged = True

    def _open(self) -> PipedDevice:
        device, self.piped = self.piped, None
        if device is None:
            raise OSError(2, "No such file or directory")
        self.opened = device
        return device

    def show(self, number: str) -> None:
        assert self.opened is not None and self.opened.grabbed, "another program could read the badge"
        reads(self.opened, number, time.monotonic_ns() // MS, pause_ms=0)

    def unplug(self) -> None:
        assert self.opened is not None
        self.opened.unplug()

    def plug_in(self) -> None:
        self.piped = PipedDevice()

    def close(self) -> None:
        pass


@pytest.fixture(params=["cabinet", "evdev"])
def rig(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    monkeypatch.setattr("hal.input_device.RETRY_S", 0.001)
    rig: Rig = CabinetRig(tmp_path) if request.param == "cabinet" else EvdevRig()
    rig.port.start()
    rig.heard.wait_for(DeviceFound(rig.device))
    yield rig
    rig.port.close()
    rig.close()


def badge(rig: Rig) -> Badge:
    return rig.heard.wait_for_kind(Badge)


def test_a_badge_that_is_shown_is_put_with_the_time_it_was_read(rig: Rig) -> None:
    before_ns = time.monotonic_ns() // MS * MS
    rig.show("2001")
    read = badge(rig)
    assert read.number == "2001" and before_ns <= read.at_ns <= time.monotonic_ns()


def test_badges_come_in_the_order_in_which_they_were_shown(rig: Rig) -> None:
    shown = ["2001", "3001", "A7f", "2001"]
    for number in shown:
        rig.show(number)
    assert [badge(rig).number for _ in shown] == shown


def test_what_is_no_badge_is_never_put_and_the_next_badge_is_read(rig: Rig) -> None:
    rig.show("2" * 33)
    rig.show("3001")
    assert badge(rig).number == "3001"
    assert [signal.number for signal in rig.heard.everything if isinstance(signal, Badge)] == ["3001"]


def test_a_reader_that_is_unplugged_is_lost_once_and_found_again_by_itself(rig: Rig) -> None:
    rig.show("2001")
    assert badge(rig).number == "2001"
    rig.unplug()
    lost = rig.heard.wait_for_kind(DeviceLost)
    assert lost.device == rig.device and lost.text
    rig.plug_in()
    rig.heard.wait_for(DeviceFound(rig.device))
    rig.show("3001")
    assert badge(rig).number == "3001"
    assert sum(isinstance(signal, DeviceLost) for signal in rig.heard.everything) == 1


def test_after_the_end_nothing_is_put(rig: Rig) -> None:
    rig.port.close()
    put = len(rig.heard.everything)
    with contextlib.suppress(OSError):
        rig.show("2001")
    assert len(rig.heard.everything) == put
