"""Badges out of keys, and the one device that may type them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from hal.badge import DEVICE, BadgeDecoder, BadgeReader, reader
from hal.ports import Badge, Complaint, DeviceFound, DeviceLost
from tests.hal.piped import InputEvent, PipedDevice
from tests.hal.typing_badges import ENTER, KEY, Frame, key, typed

MS = 1_000_000
ENDED = tuple(key(ENTER))
SEMICOLON, TAB = 39, 15


def fed(decoder: BadgeDecoder, frames: Iterable[Frame], ms: int = 0, pause_ms: int = 5) -> list[object]:
    said: list[object] = []
    for number, frame in enumerate(frames):
        now = ms + number * pause_ms
        for kind, code, value in (*frame, (0, 0, 0)):
            said += decoder.feed(kind, code, value, now // 1000, now % 1000 * 1000)
    return said


@pytest.mark.parametrize("text", ["2001", "A7f", "0", "ZYXWVUTSRQPONMLKJIHGFEDCBA987654", "qwertyuiopasdfghjklzxcvbnm"])
def test_letters_digits_and_enter_are_a_badge(text: str) -> None:
    frames = [*typed(text), *ENDED]
    assert fed(BadgeDecoder(), frames) == [Badge(text, (len(frames) - 2) * 5 * MS)]


def test_a_reader_may_type_on_the_keypad() -> None:
    frames = [frame for code in (80, 82, 82, 79, 96) for frame in key(code)]
    assert [badge.number for badge in fed(BadgeDecoder(), frames) if isinstance(badge, Badge)] == ["2001"]


def test_a_key_that_is_held_types_once_and_enter_alone_is_no_badge() -> None:
    decoder = BadgeDecoder()
    held: list[Frame] = [((KEY, 3, 1),), *[((KEY, 3, 2),)] * 40, ((KEY, 3, 0),)]
    assert [badge.number for badge in fed(decoder, [*held, *ENDED]) if isinstance(badge, Badge)] == ["2"]
    assert fed(decoder, [*ENDED, *ENDED]) == []


def refused(why: str) -> Complaint:
    remedy = "set the reader to type letters and digits, then Enter, on a US keyboard"
    return Complaint("badge reader", f"a badge was not read: {why}; {remedy}")


@pytest.mark.parametrize(
    ("second_ms", "said"),
    [
        pytest.param(1_010, [Badge("2001", 1_030 * MS)], id="a second apart: one badge"),
        pytest.param(1_011, [refused("it broke off after 2 keys"), Badge("01", 1_031 * MS)], id="more: two"),
    ],
)
def test_keys_more_than_a_second_apart_are_not_of_one_badge(second_ms: int, said: list[object]) -> None:
    decoder = BadgeDecoder()
    assert fed(decoder, typed("20")) == []
    assert fed(decoder, [*typed("01"), *ENDED], ms=second_ms) == said


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        pytest.param([*typed("20"), *key(SEMICOLON), *typed("01")], "key 39 is no letter or digit", id="a sign in it"),
        pytest.param([*key(TAB), *typed("2001")], "key 15 is no letter or digit", id="a key before it"),
        pytest.param([((KEY, 42, 1),), *typed("1")], "key 2 is no letter or digit", id="a digit with Shift is a sign"),
        pytest.param([*typed("2" * 33)], "it is longer than 32 keys", id="too long"),
        pytest.param([*typed("2" * 5000)], "it is longer than 32 keys", id="without end"),
        pytest.param([*typed("20"), ((0, 3, 0),), *typed("01")], "the kernel lost some of its keys", id="keys lost"),
    ],
)
def test_what_is_no_badge_is_refused_whole_and_the_next_one_is_read(frames: list[Frame], why: str) -> None:
    decoder = BadgeDecoder()
    assert fed(decoder, [*frames, *ENDED]) == [refused(why)]
    assert fed(decoder, [((KEY, 42, 0),), *typed("3001"), *ENDED], ms=60_000)[-1] == Badge("3001", 60_045 * MS)


def test_a_number_that_never_ends_takes_no_memory_and_is_complained_of_once() -> None:
    decoder = BadgeDecoder()
    assert fed(decoder, typed("7" * 5_000)) == []
    assert len(decoder._typed) == 32
    assert fed(decoder, [*typed("2001"), *ENDED], ms=60_000) == [
        refused("it is longer than 32 keys"),
        Badge("2001", 60_040 * MS),
    ]


class Evdev:
    """The library as far as the reader uses it."""

    def __init__(self, keys: dict[str, list[int]]) -> None:
        self.keys = keys
        self.opened: list[str] = []
        self.devices: list[PipedDevice] = []

    def list_devices(self) -> list[str]:
        raise AssertionError("a badge reader is never looked for among all keyboards")

    def InputDevice(self, path: str) -> PipedDevice:
        self.opened.append(path)
        if path not in self.keys:
            raise FileNotFoundError(2, "No such file or directory", path)
        device = PipedDevice()
        device.capabilities = lambda: {KEY: self.keys[path]}  # type: ignore[attr-defined]
        self.devices.append(device)
        return device


BY_ID = Path("/dev/input/by-id/usb-ACME_Badge-event-kbd")


def test_only_the_device_that_is_named_is_opened_and_it_stamps_with_our_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    stamped: list[int] = []
    monkeypatch.setattr("hal.badge.stamp_with_monotonic", stamped.append)
    evdev = Evdev({str(BY_ID): [2, 3, ENTER], "/dev/input/event0": [2, 3, ENTER]})
    device = reader(BY_ID, evdev)()
    assert evdev.opened == [str(BY_ID)] and stamped == [device.fileno()]
    with pytest.raises(OSError, match="No such file"):
        reader(Path("/dev/input/by-id/usb-OTHER-event-kbd"), evdev)()
    assert len(evdev.opened) == 2


def test_a_device_without_enter_is_no_badge_reader_and_is_given_back() -> None:
    mouse = Path("/dev/input/by-id/usb-ACME_Mouse-event-mouse")
    evdev = Evdev({str(mouse): [0x110]})
    with pytest.raises(OSError, match=f"{mouse} has no Enter key: it is no badge reader"):
        reader(mouse, evdev)()
    assert evdev.devices[0].closed


@pytest.mark.parametrize("fault", [OSError(25, "Inappropriate ioctl for device"), RuntimeError("library")])
def test_a_try_that_fails_leaves_no_descriptor_open(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise fault

    monkeypatch.setattr("hal.badge.stamp_with_monotonic", refuse)
    evdev = Evdev({str(BY_ID): [ENTER]})
    with pytest.raises(type(fault)):
        reader(BY_ID, evdev)()
    assert evdev.devices[0].closed


class Waking(PipedDevice):
    """A descriptor that wakes its reader and then has nothing to read."""

    wakes = 3

    def read(self) -> Iterator[InputEvent]:
        self.wakes -= 1
        if self.wakes >= 0:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return super().read()


def test_a_wake_with_nothing_to_read_is_no_loss_and_a_busy_reader_is_no_cable() -> None:
    said: Queue[object] = Queue()
    device = Waking()
    good = BadgeReader(said.put, lambda: device)  # type: ignore[arg-type, return-value]  # a pipe in evdev's place
    good.start()
    device.say(10, (KEY, 2, 1), (KEY, ENTER, 1))
    assert [said.get(timeout=10) for _ in range(2)] == [DeviceFound(DEVICE), Badge("1", 10_000_000)]
    good.close()

    def busy() -> PipedDevice:
        raise OSError(16, "Device or resource busy")

    taken = BadgeReader(said.put, busy)  # type: ignore[arg-type]
    taken.start()
    text = "[Errno 16] Device or resource busy; another program has it: end that program"
    assert said.get(timeout=10) == DeviceLost(DEVICE, text)
    taken.close()
