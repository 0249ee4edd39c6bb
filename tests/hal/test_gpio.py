"""What the pins' own port adds to the contract of tests/contract: clocks, broken lines, blinking, wrong pins."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from hal import gpio
from hal.chips import NoChip
from hal.gpio import GpioTable, PinFault, monotonic_ns
from hal.ports import DeviceDead, DeviceFound, DeviceLost, Edge, Lamp, Level
from tests.contract.signals import Signals
from tests.hal.fragile import FragilePin
from tests.hal.told import tell

DARK = {1: Lamp.DARK, 2: Lamp.DARK}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=FragilePin)
    yield factory
    factory.reset()


@pytest.fixture
def put() -> list[object]:
    return []


@pytest.fixture
def table(factory: MockFactory, put: list[object]) -> Iterator[GpioTable]:
    table = GpioTable(put.append, {1: 5, 2: 6}, {1: 17, 2: 27}, 26, 16, factory)
    table.start()
    put.clear()
    yield table
    table.close()


@pytest.mark.parametrize(
    ("clock", "says"),
    [(time.monotonic, "Linux 5.7 and later"), (time.time, "before Linux 5.7")],
)
def test_an_edge_is_stamped_on_our_time_line_whichever_clock_the_kernel_used(clock, says: str) -> None:  # type: ignore[no-untyped-def]
    before_ns = time.monotonic_ns()
    stamped_ns = monotonic_ns(clock() - 0.25)
    # two clocks are not read at one instant: a loaded machine put 25 us between them
    assert before_ns - 255_000_000 < stamped_ns <= time.monotonic_ns() - 245_000_000, says


def test_an_edge_is_never_in_the_future() -> None:
    assert monotonic_ns(time.monotonic() + 5) <= time.monotonic_ns()


@pytest.mark.usefixtures("table")
def test_every_edge_is_put_debouncing_is_not_gpiozeros_business(factory: MockFactory, put: list[object]) -> None:
    pin = factory.pin(6)
    for _ in range(5):
        pin.drive_low()
        pin.drive_high()
    assert [(signal.line, signal.on) for signal in put if isinstance(signal, Edge)] == [(2, True), (2, False)] * 5


def test_sensors_are_pulled_up_so_that_a_cut_wire_is_uncovered_and_locked(
    table: GpioTable, factory: MockFactory
) -> None:
    assert all(factory.pin(number).pull == "up" for number in (5, 6, 26))
    assert all(factory.pin(number).function == "output" for number in (17, 27, 16))


def test_a_line_that_cannot_be_read_is_lost_once_and_found_again(
    table: GpioTable, factory: MockFactory, put: list[object]
) -> None:
    factory.pin(6).broken = True
    for _ in range(3):
        table.read()
    (lost,) = put
    assert isinstance(lost, DeviceLost)
    assert lost.text.startswith("seat 2 cannot be read on GPIO6: bad lineinfo IOCTL; check")
    factory.pin(6).broken = False
    table.read()
    assert put[1] == DeviceFound("gpio")
    assert [signal.line for signal in put[2:] if isinstance(signal, Level)] == [0, 1, 2]


def test_a_lamp_that_cannot_be_written_is_lost_and_the_others_still_show(
    table: GpioTable, factory: MockFactory, put: list[object]
) -> None:
    factory.pin(17).broken = True
    tell(table, {1: Lamp.LIT, 2: Lamp.LIT}, locked=False)
    tell(table, {1: Lamp.LIT, 2: Lamp.LIT}, locked=False)
    assert factory.pin(27).state
    assert factory.pin(16).state
    (lost,) = put
    assert isinstance(lost, DeviceLost)
    assert "seat 1's output GPIO17 cannot be written" in lost.text
    table.read()
    assert not any(isinstance(signal, DeviceFound) for signal in put), "reading works, writing still does not"
    factory.pin(17).broken = False
    put.clear()
    tell(table, {1: Lamp.LIT, 2: Lamp.LIT}, locked=False)
    assert factory.pin(17).state
    assert put[0] == DeviceFound("gpio")
    assert [signal.line for signal in put[1:] if isinstance(signal, Level)] == [0, 1, 2], "levels follow"


def test_a_chip_that_stays_away_is_dead_and_that_is_told_once(
    table: GpioTable, factory: MockFactory, put: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (5, 6, 26, 17, 27, 16):
        factory.pin(number).broken = True
    table.read()
    assert [type(signal) for signal in put] == [DeviceLost], "it may be back at once"
    monkeypatch.setattr(gpio, "DEAD_NS", 0)
    for _ in range(3):
        table.read()
        tell(table, DARK, locked=True)
    assert [type(signal) for signal in put] == [DeviceLost, DeviceDead]
    assert isinstance(put[1], DeviceDead) and "bad lineinfo IOCTL; check the GPIO chip" in put[1].text


def test_without_the_chip_it_waits_and_takes_it_when_it_is_there(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, heard = threading.Event(), Signals()

    def lgpio(labels: object) -> MockFactory:
        if not here.is_set():
            raise NoChip(f"no GPIO chip {labels}")
        return factory

    monkeypatch.setattr(gpio, "RETRY_S", 0.001)
    monkeypatch.setattr(gpio, "_lgpio", lgpio)
    table = GpioTable(heard.put, {1: 5, 2: 6}, {1: 17, 2: 27}, 26, 16, chip_labels=["sim"])
    table.start()
    heard.wait_for(DeviceLost("gpio", "no GPIO chip ('sim',)"))
    table.read()
    tell(table, {1: Lamp.LIT, 2: Lamp.DARK}, locked=False)
    assert len(heard.everything) == 1, "told once, and no level of a line that nobody has"
    here.set()
    heard.wait_for(DeviceFound("gpio"))
    assert [heard.wait_for_kind(Level).line for _ in range(3)] == [0, 1, 2]
    factory.pin(6).drive_low()
    heard.wait_until(lambda signal: isinstance(signal, Edge) and signal.line == 2, "the edge of a chip laid then")
    assert factory.pin(17).state and factory.pin(16).state, "as it was told meanwhile"
    table.close()


def test_a_chip_that_comes_without_a_free_pin_ends_the_program(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, heard = [0], Signals()

    def lgpio(_labels: object) -> MockFactory:
        tried[0] += 1
        if tried[0] == 1:
            raise NoChip("no GPIO chip")
        return factory

    monkeypatch.setattr(gpio, "RETRY_S", 0.001)
    monkeypatch.setattr(gpio, "_lgpio", lgpio)
    table = GpioTable(heard.put, {1: 99}, {}, 26, 16)
    table.start()
    assert "GPIO99, seat 1's sensor" in heard.wait_for_kind(DeviceDead).text
    table.close()


def test_told_the_same_again_a_blinking_lamp_goes_on_and_does_not_begin_again(
    table: GpioTable, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(gpio.BLINK_S, Lamp.FAULT, 0.02)
    until = time.monotonic() + 10
    pin = factory.pin(17)
    while sum(not state.state for state in pin.states) < 4:
        tell(table, {1: Lamp.FAULT, 2: Lamp.DARK}, locked=True)
        assert time.monotonic() < until, "a lamp that begins again with every telling never goes dark"


def test_a_lamp_that_stops_blinking_is_steady(
    table: GpioTable, factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(gpio.BLINK_S, Lamp.LATE, 0.001)
    pin = factory.pin(17)
    tell(table, {1: Lamp.LATE, 2: Lamp.DARK}, locked=True)
    until = time.monotonic() + 10
    while len(pin.states) < 6:
        assert time.monotonic() < until
        threading.Event().wait(0.0003)  # a loop that never rests can wake the lamps' thread at every other change only
    tell(table, {1: Lamp.LIT, 2: Lamp.DARK}, locked=True)
    pin.clear_states()
    threading.Event().wait(0.02)  # twenty half-periods in which nothing may happen
    assert [state.state for state in pin.states] == [True]


def test_without_a_blinking_lamp_the_lamps_thread_sleeps(table: GpioTable, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float | None] = []
    woken = threading.Event()
    wait = table._blinking.wait

    def watched(timeout: float | None = None) -> bool:
        waits.append(timeout)
        if timeout is not None:
            woken.set()
        return wait(timeout)

    monkeypatch.setattr(table._blinking, "wait", watched)
    tell(table, {**DARK, 1: Lamp.FAULT}, locked=True)
    assert woken.wait(10)
    tell(table, DARK, locked=True)
    until = time.monotonic() + 10
    while waits[-1] is not None:
        assert time.monotonic() < until
    assert all(timeout is None or timeout <= gpio.BLINK_S[Lamp.FAULT] for timeout in waits)


def test_after_the_end_nothing_is_put_and_nothing_fails(factory: MockFactory, put: list[object]) -> None:
    table = GpioTable(put.append, {1: 5}, {1: 17}, 26, 16, factory)
    table.start()
    table.close()
    put.clear()
    tell(table, {1: Lamp.LIT}, locked=False)
    table.read()
    factory.pin(5).drive_low()
    assert put == []


@pytest.mark.parametrize(
    ("seats", "lamps", "says"),
    [
        ({1: 5, 2: 5}, {}, "GPIO5 is used twice"),
        ({1: 5}, {1: 16}, "GPIO16 is used twice"),
        ({1: 99}, {}, "GPIO99, seat 1's sensor"),
        ({}, {3: 99}, "GPIO99, seat 3's output"),
    ],
)
def test_a_wrong_pin_is_named(
    factory: MockFactory, put: list[object], seats: dict[int, int], lamps: dict[int, int], says: str
) -> None:
    with pytest.raises(PinFault, match=says) as fault:
        GpioTable(put.append, seats, lamps, 26, 16, factory).start()
    assert "table.toml" in str(fault.value)


def test_without_gpio_it_says_so_and_takes_no_other_backend(put: list[object]) -> None:
    with pytest.raises(PinFault, match=r"no GPIO here: .*; install felt\[device\]"):
        GpioTable(put.append, {1: 5}, {}, 26, 16).start()


# A dynamic lock line --------------------------------------------------------------------------------------------------


@pytest.fixture
def waving(factory: MockFactory, put: list[object], monkeypatch: pytest.MonkeyPatch) -> Iterator[GpioTable]:
    monkeypatch.setattr(gpio, "ALIVE_S", 0.1)
    table = GpioTable(put.append, {1: 5}, {1: 17}, 26, 16, factory, lock_wave_hz=100)
    table.start()
    yield table
    table.close()


def edges_beyond(factory: MockFactory, count: int, table: GpioTable | None = None) -> None:
    """Wait until the lock line has had so many changes; the loop turns meanwhile where there is one."""
    until, pin = time.monotonic() + 10, factory.pin(16)
    while len(pin.states) <= count:
        if table is not None:
            tell(table, {1: Lamp.DARK}, locked=False)
        assert time.monotonic() < until, pin.states
        threading.Event().wait(0.002)


def is_still(factory: MockFactory) -> bool:
    """For thirty half-periods nothing happens on the lock line."""
    changes = len(factory.pin(16).states)
    threading.Event().wait(0.15)
    return len(factory.pin(16).states) == changes


def test_while_the_loop_turns_an_open_lock_line_is_a_square_wave(waving: GpioTable, factory: MockFactory) -> None:
    edges_beyond(factory, 20, waving)
    levels = [state.state for state in factory.pin(16).states][1:]
    assert levels[:20] == [True, False] * 10


def test_a_loop_that_hangs_leaves_the_line_low_and_still(waving: GpioTable, factory: MockFactory) -> None:
    edges_beyond(factory, 4, waving)
    until = time.monotonic() + 10
    while not is_still(factory):
        assert time.monotonic() < until, "nobody says that bets are open, and the wave goes on"
    assert not factory.pin(16).state
    edges_beyond(factory, len(factory.pin(16).states) + 4, waving)  # the loop turns again, and so does the wave


def test_locked_is_low_at_once_and_still(waving: GpioTable, factory: MockFactory) -> None:
    edges_beyond(factory, 4, waving)
    tell(waving, {1: Lamp.DARK}, locked=True)
    assert not factory.pin(16).state
    tell(waving, {1: Lamp.DARK}, locked=True)
    assert is_still(factory)


def test_told_open_again_and_again_no_level_ever_stands(waving: GpioTable, factory: MockFactory) -> None:
    """A loop that turns quickly must not hold the line where it is by writing to it."""
    until, pin = time.monotonic() + 20, factory.pin(16)
    while len(pin.states) <= 4 and time.monotonic() < until:
        tell(waving, {1: Lamp.LIT}, locked=False)
    assert [state.state for state in pin.states][1:5] == [True, False] * 2


@pytest.mark.parametrize("late_s", [0.0, 0.013, 0.02, 0.04, 0.09])
def test_however_late_the_thread_wakes_each_wake_is_an_edge(late_s: float) -> None:
    wave, now_s = gpio._Wave(20), 1000.0
    assert wave.tell(now_s, locked=False)
    levels = []
    for _ in range(10):
        levels.append(wave.next_level(now_s))
        assert wave.next_level(now_s) is None, "one edge a wake"
        now_s = wave.due_s + late_s
        wave.tell(now_s, locked=False)
    assert levels == [True, False] * 5


def test_after_the_last_word_the_wave_goes_on_for_its_time_and_no_longer() -> None:
    wave = gpio._Wave(20)
    wave.tell(1000.0, locked=False)
    assert wave.next_level(1000.0 + gpio.ALIVE_S - 0.01) is True
    assert wave.next_level(1000.0 + gpio.ALIVE_S + 0.03) is False and not wave.is_up
    assert wave.next_level(1010.0) is None
    assert wave.tell(1010.0, locked=False), "it begins again"


def test_without_a_wave_open_is_a_level(table: GpioTable, factory: MockFactory) -> None:
    tell(table, DARK, locked=False)
    assert factory.pin(16).state
