"""The touch panel: a pure decoder of evdev events into touches, and a thin reader.

The panel is read here and not by SDL because the kernel's time stamps, an exclusive grab and our own calibration are
wanted.
"""

from __future__ import annotations

import errno
import fcntl
import struct
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from hal.input_device import (
    EV_ABS,
    EV_KEY,
    EV_SYN,
    SYN_DROPPED,
    SYN_MT_REPORT,
    SYN_REPORT,
    InputDevice,
    InputReader,
    evdev_module,
    kept_if_good,
    stamp_with_monotonic,
)
from hal.ports import Complaint, DeviceFound, DeviceLost

DEVICE = "touch panel"

# linux/input-event-codes.h
ABS_X, ABS_Y = 0x00, 0x01
ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID = 0x2F, 0x35, 0x36, 0x39
BTN_TOUCH = 0x14A
INPUT_PROP_DIRECT = 0x01

# linux/input.h: _IOR('E', 0x40 + axis, struct input_absinfo), _IOC(_IOC_READ, 'E', 0x0a, size)
EVIOCGABS, ABSINFO = 0x80184540, struct.Struct("6i")
EVIOCGMTSLOTS = 0x8000450A
SLOTS_MOST = 32
"""No panel knows more contacts; the kernel fills as many as there are."""

PHANTOM_NS = 30_000_000
"""A phantom's contact is shorter than this (those seen have length zero)."""
PHANTOM_MM = 1.0
PHANTOM_TAPS = 4
PHANTOM_DRIFT = 0.02
"""Taps at one point are a phantom's if their pauses agree within 2 %; no hand keeps such time over seconds."""
PHANTOM_PAUSE_NS = 1_000_000_000

Matrix = tuple[float, float, float, float, float, float]
"""(a, b, c, d, e, f): x_mm = a*x + b*y + c, y_mm = d*x + e*y + f, from the panel's own units."""


@dataclass(frozen=True, slots=True)
class Touch:
    """The place of a finger: millimeters from the upper left corner, `down` or just lifted, ns of CLOCK_MONOTONIC.

    A touch that must not count (events were lost) is lifted at (-1, -1), which is on no key.
    """

    x_mm: float
    y_mm: float
    down: bool
    at_ns: int


@dataclass(slots=True)
class _Slot:
    """One contact of a multi-touch panel, in its own units."""

    down: bool = False
    x: int = 0
    y: int = 0


@dataclass(slots=True)
class _Contact:
    """One contact of a frame of protocol A. `number`: as the panel numbers it, None where it does not."""

    number: int | None = None
    x: int | None = None
    y: int | None = None

    @property
    def is_there(self) -> bool:
        """The report says where it is; an empty one says that nothing touches."""
        return self.x is not None or self.y is not None

    def squared_to(self, slot: _Slot) -> int:
        """How far it is from where a contact was."""
        return ((self.x or 0) - slot.x) ** 2 + ((self.y or 0) - slot.y) ** 2


@dataclass(frozen=True, slots=True)
class _Tap:
    x_mm: float
    y_mm: float
    at_ns: int


@dataclass(frozen=True, slots=True)
class Axes:
    """The last places of a panel's contacts, in its own units, and the slot that it named last.

    The kernel tells an axis when it changes. A finger that comes down where the last one was, before this program opened
    the panel or while events were lost, is told without that axis.
    """

    slot: int = 0
    slots: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    single: tuple[int, int] = (0, 0)


def axes_now(descriptor: int) -> Axes:
    """The axes of a panel as the kernel has them; those that it does not have, or tells nobody, are 0."""
    x, y, slot = (_axis(descriptor, code) for code in (ABS_X, ABS_Y, ABS_MT_SLOT))
    columns, rows = _in_slots(descriptor, ABS_MT_POSITION_X), _in_slots(descriptor, ABS_MT_POSITION_Y)
    return Axes(slot, dict(enumerate(zip(columns, rows, strict=True))), (x, y))


def _axis(descriptor: int, code: int) -> int:
    told = bytearray(ABSINFO.size)
    return int(ABSINFO.unpack(told)[0]) if _asked(descriptor, EVIOCGABS + code, told) else 0


def _in_slots(descriptor: int, code: int) -> tuple[int, ...]:
    """An axis of a contact in every slot."""
    values = struct.Struct(f"{1 + SLOTS_MOST}i")
    told = bytearray(values.pack(code, *[0] * SLOTS_MOST))
    return values.unpack(told)[1:] if _asked(descriptor, EVIOCGMTSLOTS | len(told) << 16, told) else ()


def _asked(descriptor: int, what: int, told: bytearray) -> bool:
    """The kernel has answered into `told`; False where it does not know this of a device."""
    try:
        fcntl.ioctl(descriptor, what, told)
    except OSError:
        return False
    return True


class TouchDecoder:
    """Events (type, code, value, seconds, microseconds) to touches of one finger.

    A panel speaks one of three ways (Documentation/input/multi-touch-protocol.rst): one pointer; contacts in slots, where
    it reports changes only (protocol B); or in every frame each contact that is there, and none that left (protocol A).

    Only a finger that goes down on an empty panel counts; contacts beside it are ignored until they are lifted.

    axes: where the contacts were last, as the kernel has it; asked at the start and after events were lost.
    """

    def __init__(self, matrix: Matrix, axes: Callable[[], Axes] = Axes) -> None:
        self._matrix = matrix
        self._axes = axes
        self._slots: dict[int, _Slot] = {}
        self._slot = 0
        self._multi = False
        self._all_each_frame = False
        """Protocol A: a contact that a frame does not report has left."""
        self._contact = _Contact()
        self._contacts: list[_Contact] = []
        self._single = _Slot()
        self._begin_at(axes())
        self._finger: int | None = None
        self._ignored: set[int] = set()
        self._dropped = False
        self._told: Touch | None = None
        self._withheld: Touch | None = None
        self._taps: deque[_Tap] = deque(maxlen=32)
        self._began: Touch | None = None
        self.masked: list[tuple[float, float]] = []
        """Points in millimeters where the panel taps itself: contacts shorter than 30 ms there are left out."""

    def _begin_at(self, axes: Axes) -> None:
        """Nothing touches the panel as far as is known; the next contact begins where the last one was."""
        self._slot = axes.slot
        self._slots = {number: _Slot(False, *at) for number, at in axes.slots.items()}
        self._single = _Slot(False, *axes.single)

    def feed(self, kind: int, code: int, value: int, sec: int, usec: int) -> list[Touch | Complaint]:
        """Take one event; a SYN_REPORT gives what the frame before it meant."""
        if kind == EV_SYN and code == SYN_REPORT:
            at_ns = (sec * 1_000_000 + usec) * 1000
            if self._dropped:
                self._dropped = False
                return self._cancel(at_ns)
            return self._frame(at_ns)
        if kind == EV_SYN and code == SYN_DROPPED:
            self._dropped = True
            self._contact, self._contacts = _Contact(), []
        elif not self._dropped:
            self._note(kind, code, value)
        return []

    def _note(self, kind: int, code: int, value: int) -> None:
        if kind == EV_SYN and code == SYN_MT_REPORT:
            self._all_each_frame = True
            self._contacts += [self._contact] if self._contact.is_there else []
            self._contact = _Contact()
        elif kind == EV_ABS and code == ABS_MT_SLOT:
            self._multi, self._slot = True, value
        elif kind == EV_ABS and code in (ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y):
            self._multi = True
            slot = _Slot() if self._all_each_frame else self._slots.setdefault(self._slot, _Slot())
            if code == ABS_MT_TRACKING_ID:
                slot.down, self._contact.number = value >= 0, value
            elif code == ABS_MT_POSITION_X:
                slot.x = self._contact.x = value
            else:
                slot.y = self._contact.y = value
        elif kind == EV_ABS and code == ABS_X:
            self._single.x = value
        elif kind == EV_ABS and code == ABS_Y:
            self._single.y = value
        elif kind == EV_KEY and code == BTN_TOUCH:
            self._single.down = value != 0

    def _frame(self, at_ns: int) -> list[Touch | Complaint]:
        """One finger's story out of all contacts. A multi-touch panel tells its first twice; the slots count."""
        if self._all_each_frame:
            self._place_contacts()
        slots = self._slots if self._multi else {0: self._single}
        down = {number for number, slot in slots.items() if slot.down}
        said: list[Touch | Complaint] = []
        if self._finger is not None and self._finger not in down:
            said += self._pass(self._touch(slots[self._finger], False, at_ns))
            self._finger = None
            self._ignored |= down
        self._ignored &= down
        if self._finger is None and down and not self._ignored:
            self._finger = min(down)
        if self._finger is not None:
            self._ignored |= down - {self._finger}
            said += self._pass(self._touch(slots[self._finger], True, at_ns))
        return said

    def _place_contacts(self) -> None:
        """Protocol A: every contact of this frame into the slot that it had, the nearest where the panel numbers none."""
        contacts, self._contacts, self._contact = self._contacts, [], _Contact()
        before = {number: slot for number, slot in self._slots.items() if slot.down}
        self._slots = {number: replace(slot, down=False) for number, slot in before.items()}
        unnumbered = [contact for contact in contacts if contact.number is None]
        pairs = [
            (contact.squared_to(slot), number, contact) for contact in unnumbered for number, slot in before.items()
        ]
        taken: set[int] = set()
        for _, number, contact in sorted(pairs, key=lambda pair: pair[0]):
            if contact.number is None and number not in taken:
                contact.number = number
                taken.add(number)
        for contact in contacts:
            number = (
                next(one for one in count() if one not in self._slots) if contact.number is None else contact.number
            )
            self._slots[number] = _Slot(True, contact.x or 0, contact.y or 0)

    def _touch(self, slot: _Slot, down: bool, at_ns: int) -> Touch:
        a, b, c, d, e, f = self._matrix
        return Touch(a * slot.x + b * slot.y + c, d * slot.x + e * slot.y + f, down, at_ns)

    def _cancel(self, at_ns: int) -> list[Touch | Complaint]:
        """The kernel lost events: nothing is known of the contacts but that those held now must not count."""
        told, self._withheld, self._began = self._told, None, None
        self._begin_at(self._axes())
        self._finger, self._ignored, self._told = None, set(), None
        return [Touch(-1.0, -1.0, False, at_ns)] if told is not None and told.down else []

    # phantoms: raspberrypi/linux#7638, a tap of length zero at one fixed point every 12.864 s

    def _pass(self, touch: Touch) -> list[Touch | Complaint]:
        """Let a touch through, unless it is where the panel taps itself: there a contact must last to count."""
        if touch.down and self._began is None:
            self._began = touch
            if self._is_masked(touch):
                self._withheld = touch
                return []
        if self._withheld is not None:
            if touch.at_ns - self._withheld.at_ns < PHANTOM_NS:
                if not touch.down:
                    self._withheld = self._began = None
                return []
            late, self._withheld = self._withheld, None
            return [*self._change(late), *self._change(touch)]
        return self._change(touch)

    def _change(self, touch: Touch) -> list[Touch | Complaint]:
        said: list[Touch | Complaint] = []
        same = self._told is not None and (self._told.x_mm, self._told.y_mm, self._told.down) == (
            touch.x_mm,
            touch.y_mm,
            touch.down,
        )
        if not same:
            said.append(touch)
        self._told = touch
        if not touch.down:
            began, self._began = self._began, None
            if began is not None and touch.at_ns - began.at_ns < PHANTOM_NS:
                said += self._tapped(_Tap(began.x_mm, began.y_mm, began.at_ns))
        return said

    def _tapped(self, tap: _Tap) -> list[Touch | Complaint]:
        """Remember a very short tap; when the last few at its point keep time, mask the point and say so."""
        self._taps.append(tap)
        here = [other.at_ns for other in self._taps if _near(other.x_mm, other.y_mm, tap.x_mm, tap.y_mm)][
            -PHANTOM_TAPS:
        ]
        pauses = [later - earlier for earlier, later in pairwise(here)]
        if len(here) < PHANTOM_TAPS or min(pauses) < PHANTOM_PAUSE_NS:
            return []
        if max(pauses) - min(pauses) > PHANTOM_DRIFT * max(pauses):
            return []
        self.masked.append((tap.x_mm, tap.y_mm))
        where, pause_s = f"{tap.x_mm:.0f} mm, {tap.y_mm:.0f} mm", sum(pauses) / len(pauses) / 1e9
        return [
            Complaint(DEVICE, f"taps itself at {where} every {pause_s:.2f} s; that point is masked: change the panel")
        ]

    def _is_masked(self, touch: Touch) -> bool:
        return any(_near(x_mm, y_mm, touch.x_mm, touch.y_mm) for x_mm, y_mm in self.masked)


def _near(x_mm: float, y_mm: float, other_x_mm: float, other_y_mm: float) -> bool:
    return abs(x_mm - other_x_mm) <= PHANTOM_MM and abs(y_mm - other_y_mm) <= PHANTOM_MM


def upright(max_x: int, max_y: int, width_mm: float, height_mm: float) -> Matrix:
    """The matrix of a panel that is neither turned nor mirrored, from the largest value of each axis."""
    return (width_mm / (max_x + 1), 0.0, 0.0, 0.0, height_mm / (max_y + 1), 0.0)


OpenDevice = Callable[[], tuple[InputDevice, Matrix]]


class TouchPanel(InputReader[Touch | Complaint]):
    """Reads a touch panel in a thread: puts Touch, a Complaint about phantoms, DeviceLost and DeviceFound.

    open_device: gives the device and its calibration, or raises OSError; `panel` makes one for evdev.
    """

    def __init__(
        self,
        put: Callable[[Touch | Complaint | DeviceLost | DeviceFound], None],
        open_device: OpenDevice,
    ) -> None:
        def opened() -> tuple[InputDevice, TouchDecoder]:
            device, matrix = open_device()
            return device, TouchDecoder(matrix, lambda: axes_now(device.fileno()))

        super().__init__(DEVICE, put, opened, "check its cable, or use the mouse")


def panel(width_mm: float, height_mm: float, path: Path | None = None, matrix: Matrix | None = None) -> OpenDevice:
    """An `open_device` for `TouchPanel`: the panel at `path`, or the first one that touches directly (not a pad).

    matrix: its calibration; None for a panel that is neither turned nor mirrored.
    """

    def open_device() -> tuple[InputDevice, Matrix]:
        evdev, why = evdev_module(), ""
        for candidate in [str(path)] if path is not None else evdev.list_devices():
            try:
                found = _panel_at(evdev.InputDevice(candidate), matrix, width_mm, height_mm)
            except (
                OSError
            ) as error:  # a node without its device, or one that another program holds: a good one may follow
                why = why or f": {candidate}: {error.strerror or error}"
                continue
            if found is not None:
                return found
        raise OSError(errno.ENODEV, f"no touch panel at {path or '/dev/input'}{why}")

    return open_device


def _panel_at(
    device: Any, matrix: Matrix | None, width_mm: float, height_mm: float
) -> tuple[InputDevice, Matrix] | None:
    """The device and its calibration; None, and it is closed, where it is no panel. Raises OSError."""
    with kept_if_good(device):
        axes = dict(device.capabilities().get(EV_ABS, []))
        if INPUT_PROP_DIRECT in device.input_props() and (ABS_MT_POSITION_X in axes or ABS_X in axes):
            stamp_with_monotonic(device.fileno())
            multi = ABS_MT_POSITION_X in axes
            max_x = axes[ABS_MT_POSITION_X if multi else ABS_X].max
            max_y = axes[ABS_MT_POSITION_Y if multi else ABS_Y].max
            return device, matrix or upright(max_x, max_y, width_mm, height_mm)
    device.close()
    return None


def most_of(matrix: Matrix, width_mm: float, height_mm: float) -> tuple[int, int]:
    """The largest value of each axis of a panel that is neither turned nor mirrored, from its `upright` matrix."""
    return round(width_mm / matrix[0]) - 1, round(height_mm / matrix[4]) - 1
