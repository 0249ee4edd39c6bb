"""The badge reader: a keyboard to the kernel that types a badge's letters and digits, then Enter.

Only the device that table.toml names is read, and it is grabbed: no other keyboard signs anything, and what the reader
types reaches nobody else. The keys are those of a US keyboard, as readers are delivered.
"""

from __future__ import annotations

import errno
import string
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hal.input_device import (
    EV_KEY,
    EV_SYN,
    SYN_DROPPED,
    InputDevice,
    InputReader,
    evdev_module,
    kept_if_good,
    stamp_with_monotonic,
)
from hal.ports import BADGE_LONGEST, Badge, Complaint, DeviceFound, DeviceLost

DEVICE = "badge reader"
PAUSE_NS = 1_000_000_000
"""Keys further apart are not of one badge: a reader types a badge in a fraction of this, a hand does not."""

# linux/input-event-codes.h
ENTER, KEYPAD_ENTER = 28, 96
SHIFTS = frozenset({42, 54})
PRESSED, REPEATED = 1, 2


def _row(first: int, letters: str) -> dict[int, str]:
    return dict(enumerate(letters, start=first))


LETTERS: Mapping[int, str] = {
    **_row(2, "1234567890"),
    **_row(16, "qwertyuiop"),
    **_row(30, "asdfghjkl"),
    **_row(44, "zxcvbnm"),
    **_row(71, "789"),
    **_row(75, "456"),
    **_row(79, "1230"),
}
"""Key -> what it types; the digits of the keypad as well."""


class BadgeDecoder:
    """Turn events (type, code, value, seconds, microseconds) into badges. All else is refused whole, with a complaint."""

    def __init__(self) -> None:
        self._typed = ""
        self._wrong = ""
        """Why what is being typed is no badge; nothing more of it is kept until Enter or a pause."""
        self._last_ns: int | None = None
        self._shifts: set[int] = set()

    def feed(self, kind: int, code: int, value: int, sec: int, usec: int) -> list[Badge | Complaint]:
        """Take one event; Enter gives the badge before it."""
        if kind == EV_SYN and code == SYN_DROPPED:
            self._wrong = "the kernel lost some of its keys"
            self._shifts.clear()
        if kind != EV_KEY or value == REPEATED:
            return []
        if code in SHIFTS:
            (self._shifts.add if value == PRESSED else self._shifts.discard)(code)
            return []
        return self._pressed(code, (sec * 1_000_000 + usec) * 1000) if value == PRESSED else []

    def _pressed(self, code: int, at_ns: int) -> list[Badge | Complaint]:
        said: list[Badge | Complaint] = []
        if self._last_ns is not None and at_ns - self._last_ns > PAUSE_NS and (self._typed or self._wrong):
            said = self._refused(self._wrong or f"it broke off after {len(self._typed)} keys")
        self._last_ns = at_ns
        if code in (ENTER, KEYPAD_ENTER):
            return [*said, *self._ended(at_ns)]
        letter = LETTERS.get(code, "")
        if self._shifts:
            letter = letter.upper() if letter in string.ascii_lowercase else ""
        if not letter:
            self._wrong = self._wrong or f"key {code} is no letter or digit"
        elif len(self._typed) == BADGE_LONGEST:
            self._wrong = self._wrong or f"it is longer than {BADGE_LONGEST} keys"
        else:
            self._typed += letter
        return said

    def _ended(self, at_ns: int) -> list[Badge | Complaint]:
        if self._wrong:
            return self._refused(self._wrong)
        badge, self._typed = self._typed, ""
        return [Badge(badge, at_ns)] if badge else []

    def _refused(self, why: str) -> list[Badge | Complaint]:
        self._typed, self._wrong = "", ""
        said = f"{why}; set the reader to type letters and digits, then Enter, on a US keyboard"
        return [Complaint(DEVICE, f"a badge was not read: {said}")]


class BadgeReader(InputReader[Badge | Complaint]):
    """`hal.ports.BadgeReader` on a device of the kernel.

    open_device: gives it, or raises OSError; `reader` makes one for evdev.
    """

    def __init__(
        self,
        put: Callable[[Badge | Complaint | DeviceLost | DeviceFound], None],
        open_device: Callable[[], InputDevice],
    ) -> None:
        def opened() -> tuple[InputDevice, BadgeDecoder]:
            return open_device(), BadgeDecoder()

        super().__init__(DEVICE, put, opened, "check its cable, and [badge] device in table.toml")


def reader(path: Path, evdev: Any = None) -> Callable[[], InputDevice]:
    """An `open_device` for `BadgeReader`: the device at `path`, such as /dev/input/by-id/…-event-kbd, and no other.

    evdev: the library, or what stands in its place; None imports it when the device is opened.
    """

    def open_device() -> InputDevice:
        library = evdev if evdev is not None else evdev_module()
        device: InputDevice = library.InputDevice(str(path))
        with kept_if_good(device):
            if ENTER not in device.capabilities().get(EV_KEY, []):
                raise OSError(errno.ENODEV, f"{path} has no Enter key: it is no badge reader")
            stamp_with_monotonic(device.fileno())
        return device

    return open_device
