"""Input devices of the kernel, read in a thread: a panel, a badge reader. The one door to evdev.

A device is grabbed, so that nobody else sees what it says, and its events are stamped with CLOCK_MONOTONIC. One that is
not there, or went, is looked for every second. evdev is an extra of the device, so it is imported only by the function
that opens one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from hal.ports import DeviceFound, DeviceLost
from hal.workers import Worker

RETRY_S = 1.0
IN_USE = "another program has it: end that program"
"""The cure of a device that is busy; its cable is not."""

# linux/input-event-codes.h
EV_SYN, EV_KEY, EV_ABS = 0x00, 0x01, 0x03
SYN_REPORT, SYN_MT_REPORT, SYN_DROPPED = 0, 2, 3
EVIOCSCLOCKID = 0x400445A0
"""linux/input.h: _IOW('E', 0xa0, int), which clock stamps the events."""

Said = TypeVar("Said")


class InputEvent(Protocol):
    """One event as evdev gives it."""

    type: int
    code: int
    value: int
    sec: int
    usec: int


class InputDevice(Protocol):
    """The part of an evdev device that the reader needs."""

    def fileno(self) -> int: ...
    def capabilities(self) -> dict[int, Any]: ...
    def read(self) -> Iterable[InputEvent]: ...
    def grab(self) -> None: ...
    def close(self) -> None: ...


class Decoder(Protocol[Said]):
    """The decoder of one device's events, from its opening to its loss."""

    def feed(self, kind: int, code: int, value: int, sec: int, usec: int) -> list[Said]: ...


class InputReader(Generic[Said]):
    """Reads one device in a thread: puts what its decoder says, DeviceLost and DeviceFound.

    name: of the device, in both. open_device: gives it with a new decoder, or raises OSError. remedy: what a person does
    about a lost one.
    """

    def __init__(
        self,
        name: str,
        put: Callable[[Said | DeviceLost | DeviceFound], None],
        open_device: Callable[[], tuple[InputDevice, Decoder[Said]]],
        remedy: str,
    ) -> None:
        self._name, self._remedy = name, remedy
        self._put = put
        self._open_device = open_device
        self._lost_told = False
        self._stopped = threading.Event()
        self._wake_read, self._wake_write = os.pipe()
        self._worker = Worker(name, self._run)

    def start(self) -> None:
        """Begin to read; a device that is not there is looked for every second."""
        self._worker.start()

    def close(self) -> None:
        """Give the device back; a second time nothing happens."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        os.write(self._wake_write, b"!")
        self._worker.end()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._read()
            except OSError as error:
                if not self._lost_told:
                    self._lost_told = True
                    remedy = IN_USE if error.errno == errno.EBUSY else self._remedy
                    self._put(DeviceLost(self._name, f"{error}; {remedy}"))
                self._stopped.wait(RETRY_S)

    def _read(self) -> None:
        device, decoder = self._open_device()
        with contextlib.closing(device):
            device.grab()
            self._lost_told = False
            self._put(DeviceFound(self._name))
            while not self._stopped.is_set():
                readable, _, _ = select.select([device.fileno(), self._wake_read], [], [])
                if device.fileno() in readable:
                    with contextlib.suppress(BlockingIOError):  # it was readable, and had nothing to read: no loss
                        for event in device.read():
                            for said in decoder.feed(event.type, event.code, event.value, event.sec, event.usec):
                                self._put(said)


@dataclass(frozen=True, slots=True)
class Looked:
    """A device that was opened for a moment. `fault`: why it could not be; `busy`: another program has grabbed it."""

    name: str = ""
    fault: str = ""
    busy: bool = False


def look(open_device: Callable[[], InputDevice]) -> Looked:
    """Open a device, grab it and give it back."""
    try:
        device = open_device()
    except OSError as error:
        return Looked(fault=str(error))
    with contextlib.closing(device):
        name = str(getattr(device, "name", ""))
        try:
            device.grab()
        except OSError as error:
            return Looked(name, str(error), error.errno == errno.EBUSY)
    return Looked(name)


@contextlib.contextmanager
def kept_if_good(device: InputDevice) -> Iterator[None]:
    """Close a device that was just opened where looking at it fails: each try of a bad one would leave it open."""
    with contextlib.ExitStack() as opened:
        opened.callback(device.close)
        yield
        opened.pop_all()


def stamp_with_monotonic(descriptor: int) -> None:
    """Have the kernel stamp a device's events with CLOCK_MONOTONIC instead of the wall clock. Raises OSError."""
    fcntl.ioctl(descriptor, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))


def evdev_module() -> Any:
    """The library evdev. Raises OSError where it is not installed."""
    try:
        import evdev
    except ImportError as error:
        raise OSError(errno.ENOENT, "evdev is not installed: pip install 'felt[device]'") from error
    return evdev
