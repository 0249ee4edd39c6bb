"""Each thread of a table, a bank and a sign is killed; the loop starts it again, and what it hears is heard as before."""

from __future__ import annotations

import contextlib
import errno
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.runtime.adoption import SOCKET, AdoptionDesk, Question, ask
from firmware.runtime.glass import Frame, Glass
from firmware.runtime.glass_client import GlassClient
from hal import gpio, workers
from hal.badge import BadgeReader
from hal.buttons import ButtonWatch
from hal.cabinet.cabinet import Cabinet
from hal.cabinet.ends import SimulatedTable
from hal.cabinet.wire import DEVICE_SOCKET, WORLD_SOCKET
from hal.cabinet.world import World
from hal.gpio import GpioTable
from hal.ports import Badge, ButtonPressed, Complaint, DeviceDead, DeviceFound, Lamp, ShufflerStatus
from hal.serial import SerialShuffler
from hal.shuffler.emulator import Emulator
from hal.workers import AGAIN_NS, Worker, revived
from tests.contract.signals import DEADLINE_S, Signals
from tests.hal.piped import PipedDevice
from tests.hal.typing_badges import KEY, SHIFT, reads
from tests.killer import Killed, kill
from ui.dealer.widgets import Screen
from ui.sign.server import SignServer

MS = 1_000_000


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of other tests are theirs."""
    monkeypatch.setattr(workers, "_WORKERS", {})


@pytest.fixture
def heard() -> Signals:
    return Signals()


def dies(name: str, wake: Callable[[], object]) -> None:
    """The worker's thread ends at its next step, the loop finds that out, and it runs again.

    Killed while it takes a lock it would keep it, which no mistake does: one that waits for a lock makes a mistake instead.
    """
    (worker,) = [one for one in workers._WORKERS if one._name == name]
    thread = thread_of(worker)
    if name not in MISTAKES:
        kill(thread)
    wake()
    thread.join(DEADLINE_S)
    assert not thread.is_alive()
    told = [one for one in revived(time.monotonic_ns() + AGAIN_NS) if one.place == f"thread {name}"]
    assert told == [Complaint(f"thread {name}", "it ended: Killed: ; it is started again")]
    assert thread_of(worker).is_alive()


MISTAKES = ("lamps", "buttons")


def mistakes(then: Callable[[], object]) -> Callable[..., object]:
    """A step of a thread that goes wrong once."""
    made: list[bool] = []

    def step(*_: object) -> object:
        if not made:
            made.append(True)
            raise Killed
        return then()

    return step


def thread_of(worker: Worker) -> threading.Thread:
    assert worker._thread is not None
    return worker._thread


def test_that_of_a_badge_reader(heard: Signals) -> None:
    devices: list[PipedDevice] = []

    def plugged_in() -> PipedDevice:
        devices.append(PipedDevice())
        return devices[-1]

    reader = BadgeReader(heard.put, plugged_in)  # type: ignore[arg-type]  # a pipe in evdev's place
    reader.start()
    heard.wait_for(DeviceFound("badge reader"))

    def types() -> None:
        with contextlib.suppress(BrokenPipeError):  # it may have died and let the device go already
            devices[0].say(time.monotonic_ns() // MS, (KEY, SHIFT, 1))

    dies("badge reader", types)
    heard.wait_for(DeviceFound("badge reader"))
    assert devices[0].closed, "no descriptor is left open"
    reads(devices[1], "2001", time.monotonic_ns() // MS, pause_ms=0)
    assert heard.wait_for_kind(Badge).number == "2001"
    reader.close()


def test_that_of_the_shuffler(heard: Signals, tmp_path: Path) -> None:
    unit = Emulator(tmp_path / "shuffler", shuffle_ms=20)
    unit.start()
    shuffler = SerialShuffler(heard.put, tmp_path / "shuffler")
    shuffler.start()
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 0, 0))
    dies("shuffler", unit.swap_deck)
    heard.wait_for(DeviceFound("shuffler"))
    heard.wait_for(ShufflerStatus(True, "felt-emulator-1", "ready", 52, "red", "", 0, 0))
    shuffler.close()
    unit.close()


def test_that_of_the_cabinet(heard: Signals, tmp_path: Path) -> None:
    cabinet = Cabinet(tmp_path, seats=1)
    cabinet.start()
    world = World(tmp_path / WORLD_SOCKET)
    table = SimulatedTable(heard.put, tmp_path / DEVICE_SOCKET)
    table.start()
    heard.wait_for(DeviceFound("cabinet"))
    world.badge("1001")
    heard.wait_for_kind(Badge)  # all that is said first was heard
    dies("cabinet-table", lambda: world.badge("3001"))
    heard.wait_for(DeviceFound("cabinet"))
    world.badge("2001")
    assert heard.wait_for_kind(Badge).number in ("2001", "3001")
    table.close()
    world.close()
    cabinet.close()


@pytest.fixture
def pins(heard: Signals) -> Iterator[tuple[GpioTable, MockFactory]]:
    factory = MockFactory()
    table = GpioTable(heard.put, {1: 5}, {1: 17}, 26, 16, factory)
    table.start()
    yield table, factory
    table.close()
    factory.reset()


def test_that_of_the_lamps(pins: tuple[GpioTable, MockFactory], monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = pins
    blinked = threading.Semaphore(0)

    def blinks() -> list[float]:
        blinked.release()
        return []

    monkeypatch.setattr(table, "_waved", mistakes(blinks))
    dies("lamps", lambda: table.light({1: Lamp.FAULT}))
    for _ in range(3):
        assert blinked.acquire(timeout=DEADLINE_S), "the lamp blinks on"


def test_that_of_the_pins_library_ends_the_table_so_that_it_starts_again(
    pins: tuple[GpioTable, MockFactory], heard: Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio has one thread in a process, which hears all edges; it is started with the module and never again."""
    ended = threading.Event()
    callback_thread = type("_callback_thread", (threading.Thread,), {"__module__": "lgpio"})
    theirs = callback_thread(target=ended.wait, name="callbacks", daemon=True)
    theirs.start()
    factory = MockFactory()
    table = GpioTable(heard.put, {1: 5}, {1: 17}, 26, 16, factory)
    table.start()
    heard.mark()
    table.read()
    assert not [one for one in heard.everything if isinstance(one, DeviceDead)]
    ended.set()
    theirs.join()
    table.read()
    dead = heard.wait_for_kind(DeviceDead)
    assert dead == DeviceDead(gpio.DEVICE, "the library's thread 'callbacks' has ended: no edge is heard any more")
    table.close()
    factory.reset()


def test_that_of_the_buttons(heard: Signals) -> None:
    buttons = ButtonWatch(heard.put, 0, mistakes(lambda: True))  # type: ignore[arg-type]
    buttons.edge((1, "own"), False, time.monotonic_ns())
    dies("buttons", lambda: buttons.edge((1, "own"), True, time.monotonic_ns()))
    assert heard.wait_for_kind(ButtonPressed).name == "own"
    buttons.close()


def called(path: Path) -> Callable[[], socket.socket]:
    def call() -> socket.socket:
        caller = socket.socket(socket.AF_UNIX)
        caller.connect(str(path))
        return caller

    return call


def frame(words: str) -> Frame:
    return Frame(Screen("open", words, ()), 350, 0)


def test_that_of_the_glass_and_that_of_a_screen(tmp_path: Path, heard: Signals) -> None:
    glass = Glass(tmp_path / "g.sock", Signals().put, observable=False)
    glass.start()
    glass.show(frame("before"), None)
    dies("glass", called(tmp_path / "g.sock"))
    screen: GlassClient[Frame] = GlassClient(tmp_path / "g.sock", "screen", Frame, heard.put)
    screen.start()
    heard.wait_for(frame("before"))
    dies("glass-screen", lambda: glass.show(frame("lost"), None))
    heard.wait_for(frame("lost"))
    glass.show(frame("after"), None)
    heard.wait_for(frame("after"))
    screen.close()
    glass.close()


def test_a_glass_without_a_file_for_the_next_screen_has_one_later(
    tmp_path: Path, heard: Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    glass = Glass(tmp_path / "g.sock", Signals().put, observable=False)
    refused = threading.Event()

    def none_left(_: object) -> None:
        refused.set()
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as poor:
        poor.setattr(glass._socket.__class__, "accept", none_left)
        glass.start()
        assert refused.wait(DEADLINE_S)
        thread_of(glass._worker).join(DEADLINE_S)
    told = [one.text for one in revived(time.monotonic_ns() + AGAIN_NS)]
    assert told == ["it ended: OSError: [Errno 24] Too many open files; it is started again"]
    glass.show(frame("here"), None)
    screen: GlassClient[Frame] = GlassClient(tmp_path / "g.sock", "screen", Frame, heard.put)
    screen.start()
    heard.wait_for(frame("here"))
    screen.close()
    glass.close()


def test_that_of_the_banks_desk(tmp_path: Path) -> None:
    desk = AdoptionDesk(tmp_path / SOCKET, (), Signals().put)
    desk.start()
    dies("adoption", called(tmp_path / SOCKET))
    answer = ask(tmp_path / SOCKET, Question("uth-04", "", ()))  # type: ignore[arg-type]  # nobody signed
    assert answer is not None and answer.refused
    desk.close()


def test_that_of_the_sign() -> None:
    sign = SignServer("127.0.0.1", 0, time.monotonic)
    dies("sign", lambda: socket.create_connection(sign.address, timeout=5))
    page = http.client.HTTPConnection(*sign.address, timeout=5)
    page.request("GET", "/healthz")
    assert page.getresponse().status == 200
    page.close()
    sign.close()
