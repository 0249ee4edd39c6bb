"""Touches out of recorded events, and a reader that survives its panel."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path
from queue import Queue
from types import SimpleNamespace

import pytest

from hal.ports import Complaint, DeviceFound, DeviceLost
from hal.touch import Axes, Matrix, Touch, TouchDecoder, TouchPanel, axes_now, panel, upright
from tests.hal.piped import PipedDevice

SYN, KEY, ABS = 0, 1, 3
X, Y, BUTTON = 0x00, 0x01, 0x14A
SLOT, MX, MY, ID = 0x2F, 0x35, 0x36, 0x39
HALF: Matrix = (0.5, 0.0, 0.0, 0.0, 0.5, 0.0)
"""Two units to a millimeter."""

Event = tuple[int, int, int]


def fed(decoder: TouchDecoder, frames: Iterable[tuple[int, list[Event]]]) -> list[object]:
    """Frames of events, each with its time in milliseconds."""
    said: list[object] = []
    for ms, events in frames:
        for kind, code, value in [*events, (SYN, 0, 0)]:
            said += decoder.feed(kind, code, value, ms // 1000, ms % 1000 * 1000)
    return said


def at(x_mm: float, y_mm: float, down: bool, ms: int) -> Touch:
    return Touch(x_mm, y_mm, down, ms * 1_000_000)


# recorded from a 7-inch panel (edt-ft5x06): the kernel tells the first contact twice, in its slot and as a pointer
FT5X06 = [
    (100, [(ABS, ID, 7), (ABS, MX, 400), (ABS, MY, 240), (KEY, BUTTON, 1), (ABS, X, 400), (ABS, Y, 240)]),
    (110, [(ABS, MX, 402), (ABS, X, 402)]),
    (180, [(ABS, ID, -1), (KEY, BUTTON, 0)]),
]


def test_a_tap_on_a_multi_touch_panel_is_told_once() -> None:
    assert fed(TouchDecoder(HALF), FT5X06) == [
        at(200, 120, True, 100),
        at(201, 120, True, 110),
        at(201, 120, False, 180),
    ]


def test_a_tap_on_a_single_touch_panel() -> None:
    frames = [
        (100, [(ABS, X, 10), (ABS, Y, 20), (KEY, BUTTON, 1)]),
        (150, [(ABS, X, 12)]),
        (200, [(KEY, BUTTON, 0)]),
    ]
    assert fed(TouchDecoder(HALF), frames) == [at(5, 10, True, 100), at(6, 10, True, 150), at(6, 10, False, 200)]


def test_a_second_finger_is_ignored_until_it_is_lifted() -> None:
    frames = [
        (100, [(ABS, SLOT, 0), (ABS, ID, 1), (ABS, MX, 10), (ABS, MY, 10)]),
        (110, [(ABS, SLOT, 1), (ABS, ID, 2), (ABS, MX, 90), (ABS, MY, 90)]),
        (120, [(ABS, MX, 92)]),
        (130, [(ABS, SLOT, 0), (ABS, ID, -1)]),
        (140, [(ABS, SLOT, 1), (ABS, MX, 94)]),
        (150, [(ABS, ID, -1)]),
        (160, [(ABS, ID, 3), (ABS, MX, 50), (ABS, MY, 50)]),
    ]
    assert fed(TouchDecoder(HALF), frames) == [at(5, 5, True, 100), at(5, 5, False, 130), at(25, 25, True, 160)]


def test_of_two_fingers_that_land_together_the_first_slot_counts() -> None:
    frames = [
        (
            100,
            [(ABS, SLOT, 0), (ABS, ID, 1), (ABS, MX, 10), (ABS, MY, 10), (ABS, SLOT, 1), (ABS, ID, 2), (ABS, MX, 90)],
        ),
        (200, [(ABS, SLOT, 0), (ABS, ID, -1), (ABS, SLOT, 1), (ABS, ID, -1)]),
    ]
    assert fed(TouchDecoder(HALF), frames) == [at(5, 5, True, 100), at(5, 5, False, 200)]


def test_when_the_kernel_lost_events_the_touch_is_canceled_and_the_next_works() -> None:
    decoder = TouchDecoder(HALF)
    frames = [
        FT5X06[0],
        (120, [(SYN, 3, 0), (ABS, MX, 700)]),
        (130, [(ABS, MX, 710)]),
        (140, [(ABS, ID, -1)]),
        (200, [(ABS, ID, 8), (ABS, MX, 20), (ABS, MY, 20)]),
    ]
    assert fed(decoder, frames) == [at(200, 120, True, 100), at(-1, -1, False, 120), at(10, 10, True, 200)]


def test_a_finger_where_the_last_one_was_before_the_program_came_is_there() -> None:
    """The kernel does not repeat an axis. Seen on the virtual machine: every tap after a boot was taken to be at (0, 0)."""
    decoder = TouchDecoder(HALF, lambda: Axes(1, {0: (10, 10), 1: (400, 240)}, (400, 240)))
    frames = [
        (100, [(ABS, ID, 7), (KEY, BUTTON, 1)]),
        (180, [(ABS, ID, -1), (KEY, BUTTON, 0)]),
        (200, [(ABS, SLOT, 0), (ABS, ID, 8), (ABS, MY, 30), (KEY, BUTTON, 1)]),
    ]
    assert fed(decoder, frames) == [at(200, 120, True, 100), at(200, 120, False, 180), at(5, 15, True, 200)]


def test_a_single_touch_panels_finger_where_the_last_one_was_is_there() -> None:
    assert fed(TouchDecoder(HALF, lambda: Axes(single=(10, 20))), [(100, [(KEY, BUTTON, 1)])]) == [at(5, 10, True, 100)]


def test_when_the_kernel_lost_events_it_is_asked_where_the_contacts_are() -> None:
    asked = iter([Axes(), Axes(0, {0: (700, 240)})])
    frames = [
        FT5X06[0],
        (120, [(SYN, 3, 0), (ABS, MX, 700), (ABS, ID, -1)]),
        (200, [(ABS, ID, 8), (ABS, MY, 20)]),
    ]
    told = fed(TouchDecoder(HALF, lambda: next(asked)), frames)
    assert told == [at(200, 120, True, 100), at(-1, -1, False, 120), at(350, 10, True, 200)]


def test_the_kernel_is_asked_for_every_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """As evdev.c answers: an axis by its struct, slots behind the code that was asked for, in as many bytes as are given."""
    of_slots = {MX: [400, 10], MY: [240, 20]}

    def ioctl(descriptor: int, what: int, told: bytearray) -> int:
        assert descriptor == 7
        if what >> 16 & 0x3FFF == 24:
            told[:4] = {0x40 + X: 400, 0x40 + Y: 240, 0x40 + SLOT: 1}[what & 0xFF].to_bytes(4, "little")
        else:
            assert (what & 0xFFFF, what >> 16 & 0x3FFF, what >> 30) == (0x450A, len(told), 2)
            for place, value in enumerate(of_slots[int.from_bytes(told[:4], "little")], start=1):
                told[4 * place : 4 * place + 4] = value.to_bytes(4, "little")
        return 0

    monkeypatch.setattr("hal.touch.fcntl.ioctl", ioctl)
    now = axes_now(7)
    assert (now.slot, now.single, now.slots[0], now.slots[1]) == (1, (400, 240), (400, 240), (10, 20))


def test_a_device_that_tells_nothing_of_its_axes_begins_at_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def ioctl(*_asked: object) -> int:
        raise OSError(25, "Inappropriate ioctl for device")

    monkeypatch.setattr("hal.touch.fcntl.ioctl", ioctl)
    assert axes_now(7) == Axes()


@pytest.mark.parametrize(
    ("matrix", "x_mm", "y_mm"),
    [
        pytest.param(upright(799, 479, 154.0, 86.0), 77.0, 43.0, id="upright 7-inch panel"),
        pytest.param((0.0, -0.1, 100.0, 0.2, 0.0, 5.0), 76.0, 85.0, id="turned by a quarter and shifted"),
    ],
)
def test_calibration(matrix: Matrix, x_mm: float, y_mm: float) -> None:
    (touch, *_) = fed(TouchDecoder(matrix), FT5X06[:1])
    assert isinstance(touch, Touch)
    assert (touch.x_mm, touch.y_mm) == pytest.approx((x_mm, y_mm))


class TestPhantoms:
    """raspberrypi/linux#7638: a tap of length zero at 95.00/2.40 % of the panel every 12.864 s, for ever."""

    @staticmethod
    def phantom(number: int) -> list[tuple[int, list[Event]]]:
        ms = 64_288 + 12_864 * number
        return [(ms, [(ABS, ID, number), (ABS, MX, 1140), (ABS, MY, 46)]), (ms, [(ABS, ID, -1)])]

    def masked(self) -> TouchDecoder:
        decoder = TouchDecoder(HALF)
        said = [message for number in range(4) for message in fed(decoder, self.phantom(number))]
        assert said[-1] == Complaint(
            "touch panel", "taps itself at 570 mm, 23 mm every 12.86 s; that point is masked: change the panel"
        )
        assert decoder.masked == [(570.0, 23.0)]
        return decoder

    def test_it_is_masked_and_reported_once(self) -> None:
        decoder = self.masked()
        assert [message for number in range(4, 60) for message in fed(decoder, self.phantom(number))] == []

    def test_a_finger_at_that_point_still_works(self) -> None:
        decoder = self.masked()
        frames = [
            (900_000, [(ABS, ID, 70), (ABS, MX, 1141), (ABS, MY, 46)]),
            (900_010, [(ABS, MX, 1142)]),
            (900_090, [(ABS, ID, -1)]),
        ]
        assert fed(decoder, frames) == [at(570.5, 23, True, 900_000), at(571, 23, False, 900_090)]

    def test_a_finger_elsewhere_is_not_touched_by_it(self) -> None:
        decoder = self.masked()
        assert fed(decoder, FT5X06) != []

    @pytest.mark.parametrize(
        "times_ms",
        [
            pytest.param([0, 300, 600, 900, 1200], id="a fast finger"),
            pytest.param([0, 5_000, 10_400, 15_100, 20_900], id="a slow finger that keeps no time"),
        ],
    )
    def test_short_taps_of_a_hand_are_never_masked(self, times_ms: list[int]) -> None:
        decoder = TouchDecoder(HALF)
        for ms in times_ms:
            said = fed(decoder, [(ms, [(ABS, ID, 1), (ABS, MX, 10), (ABS, MY, 10)]), (ms + 20, [(ABS, ID, -1)])])
            assert len(said) == 2
        assert decoder.masked == []


def test_the_reader_grabs_its_panel_and_finds_it_again_after_it_was_unplugged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hal.input_device.RETRY_S", 0.001)
    put: Queue[object] = Queue()
    panels = [PipedDevice(), PipedDevice()]
    coming = iter(panels)

    def open_device() -> tuple[PipedDevice, Matrix]:
        try:
            return next(coming), HALF
        except StopIteration:
            raise OSError(19, "no touch panel at /dev/input") from None

    reader = TouchPanel(put.put, open_device)  # type: ignore[arg-type]  # a pipe in evdev's place
    reader.start()
    for one in panels:
        assert put.get(timeout=10) == DeviceFound("touch panel")
        for ms, events in FT5X06:
            one.say(ms, *events)
        assert [put.get(timeout=10) for _ in range(3)] == fed(TouchDecoder(HALF), FT5X06)
        assert one.grabbed
        one.unplug()
        assert put.get(timeout=10) == DeviceLost(
            "touch panel", "[Errno 19] No such device; check its cable, or use the mouse"
        )
    reader.close()
    assert put.empty(), "a panel that stays away is told once"


AXES = {3: [(MX, SimpleNamespace(max=799)), (MY, SimpleNamespace(max=479))]}


class Evdev:
    """The library as far as a panel needs it: two panels and a keyboard."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.closed: list[str] = []

    def list_devices(self) -> list[str]:
        return ["/dev/input/event0", "/dev/input/event1", "/dev/input/event2"]

    def InputDevice(self, path: str) -> SimpleNamespace:
        self.opened.append(path)
        keyboard = path.endswith("0")
        return SimpleNamespace(
            path=path,
            capabilities=lambda: {} if keyboard else AXES,
            input_props=lambda: [] if keyboard else [1],
            fileno=lambda: 7,
            close=lambda: self.closed.append(path),
        )


@pytest.mark.parametrize(
    ("path", "opened"),
    [
        pytest.param(None, ["/dev/input/event0", "/dev/input/event1"], id="the first that is touched directly"),
        pytest.param(Path("/dev/input/by-path/panel"), ["/dev/input/by-path/panel"], id="the one that is named"),
    ],
)
def test_which_panel_is_read(path: Path | None, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    evdev, stamped = Evdev(), list[int]()
    monkeypatch.setattr("hal.touch.evdev_module", lambda: evdev)
    monkeypatch.setattr("hal.touch.stamp_with_monotonic", stamped.append)
    device, matrix = panel(154.0, 86.0, path)()
    assert evdev.opened == opened and device.path == opened[-1]  # type: ignore[attr-defined]
    assert evdev.closed == opened[:-1] and stamped == [7]
    assert matrix == upright(799, 479, 154.0, 86.0)


def test_a_named_device_that_is_no_panel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hal.touch.evdev_module", Evdev)
    with pytest.raises(OSError, match="no touch panel at /dev/input/by-path/event0"):
        panel(154.0, 86.0, Path("/dev/input/by-path/event0"))()


def test_a_panel_of_protocol_a_reports_every_contact_in_every_frame_and_none_that_left() -> None:
    """No slot and no number says which contact is which; one that a frame leaves out was lifted."""
    first, palm = [(ABS, MX, 20), (ABS, MY, 40), (SYN, 2, 0)], [(ABS, MX, 300), (ABS, MY, 300), (SYN, 2, 0)]
    frames: list[tuple[int, list[Event]]] = [
        (100, [*first, (KEY, BUTTON, 1)]),
        (120, [*palm, (ABS, MX, 24), (ABS, MY, 40), (SYN, 2, 0)]),
        (140, palm),
        (160, [(SYN, 2, 0), (KEY, BUTTON, 0)]),
        (200, [(ABS, MX, 60), (ABS, MY, 60), (SYN, 2, 0), (KEY, BUTTON, 1)]),
        (240, [(KEY, BUTTON, 0)]),
    ]
    told = [at(10, 20, True, 100), at(12, 20, True, 120), at(12, 20, False, 140)]
    assert fed(TouchDecoder(HALF), frames) == [*told, at(30, 30, True, 200), at(30, 30, False, 240)]


def test_protocol_a_goes_by_the_panels_numbers_where_it_has_them() -> None:
    def contact(number: int, x: int) -> list[Event]:
        return [(ABS, ID, number), (ABS, MX, x), (ABS, MY, 40), (SYN, 2, 0)]

    frames = [(100, contact(7, 20)), (120, contact(8, 20)), (140, contact(8, 22)), (160, [(SYN, 2, 0)])]
    # finger 8 came while finger 7 lay there as far as the panel says: it is another one, that landed as 7 left
    assert fed(TouchDecoder(HALF), frames) == [at(10, 20, True, 100), at(10, 20, False, 120)]


class OneNode:
    """What evdev opens at a path: a device that fails where `fails` says, and counts who is left open."""

    left_open = 0

    def __init__(self, path: str, fails: str, error: OSError) -> None:
        self.path, self._fails, self._error = path, fails, error
        self._say("open")
        OneNode.left_open += 1

    def _say(self, what: str) -> None:
        if self.path.endswith("event0") and what == self._fails:
            raise self._error

    def capabilities(self) -> dict[int, list[tuple[int, SimpleNamespace]]]:
        self._say("capabilities")
        return AXES

    def input_props(self) -> list[int]:
        self._say("input_props")
        return [1]

    def fileno(self) -> int:
        self._say("fileno")
        return 7

    def close(self) -> None:
        OneNode.left_open -= 1


@pytest.mark.parametrize("fails", ["open", "capabilities", "input_props", "fileno"])
@pytest.mark.parametrize("number", [errno.ENODEV, errno.EBUSY, errno.EACCES])
def test_a_node_that_cannot_be_read_hides_no_panel_behind_it(
    fails: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """python-evdev#191: a node stays in /dev/input for a device that is gone."""
    error = OSError(number, "no")
    evdev = SimpleNamespace(
        list_devices=lambda: ["/dev/input/event0", "/dev/input/event1"],
        InputDevice=lambda path: OneNode(path, fails, error),
    )
    monkeypatch.setattr("hal.touch.evdev_module", lambda: evdev)
    monkeypatch.setattr("hal.touch.stamp_with_monotonic", lambda _: None)
    monkeypatch.setattr(OneNode, "left_open", 0)
    device, _ = panel(154.1, 85.9)()
    assert isinstance(device, OneNode) and device.path == "/dev/input/event1" and OneNode.left_open == 1
    with pytest.raises(OSError, match="no touch panel at /dev/input/event0: /dev/input/event0: no"):
        panel(154.1, 85.9, Path("/dev/input/event0"))()
    assert OneNode.left_open == 1, "a try that fails leaves nothing open"
