"""The kernel's GPIO chip that has the header's pins, found by its label, and whether it releases the lines it drove.

Chips have numbers in the order in which they came: the header's is 0 or 4 on one kernel, 1 after it was lost and found.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

HEADERS = ("pinctrl-bcm2711", "pinctrl-rp1", "pinctrl-bcm2835")
"""The labels of the header's chip on a Raspberry Pi 4, 5 and 3."""
GPIO_GET_CHIPINFO = 0x8044B401
"""linux/gpio.h: _IOR(0xB4, 1, struct gpiochip_info): name and label, 32 bytes each, and the number of lines."""
INFO_SIZE, LABEL = 68, slice(32, 64)
DEV, MODULES = Path("/dev"), Path("/sys/module")
OPEN = os.R_OK | os.W_OK
RIGHTS_S, LOOK_S = 10.0, 0.05
"""So long udev may take to give a chip to its group, and how often that is looked at."""


class NoChip(Exception):
    """The chip is not there, or may not be opened; it may come. The text says what was looked for and what was found."""


def label_of(path: Path) -> str:
    """The driver's name for a chip. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        info = fcntl.ioctl(descriptor, GPIO_GET_CHIPINFO, bytes(INFO_SIZE))
    finally:
        os.close(descriptor)
    return info[LABEL].split(b"\0")[0].decode("utf-8", "replace")


def find(labels: Sequence[str], folder: Path = DEV, label: Callable[[Path], str] = label_of) -> int:
    """The number of the first chip with one of these labels. Raises NoChip."""
    seen: list[str] = []
    chips = ((path.name.removeprefix("gpiochip"), path) for path in folder.glob("gpiochip*"))
    for number, path in sorted((int(number), path) for number, path in chips if number.isdecimal()):
        try:
            called = label(path)
        except OSError as error:
            called = error.strerror or str(error)
        if called in labels:
            return number
        seen.append(f"{path} is {called}")
    there = ", ".join(seen) or f"{folder} has no gpiochip"
    raise NoChip(f"no GPIO chip {' or '.join(labels)}: {there}")


def await_rights(
    folder: Path = DEV, within_s: float = RIGHTS_S, may: Callable[[Path], bool] = lambda chip: os.access(chip, OPEN)
) -> bool:
    """Wait until every chip that is there may be opened; False if one may still not be. Without a chip nobody waits.

    At boot the kernel has made the chips before udev has given them to their group. No unit can be ordered after that:
    the chip's number is not known, and a table has to start without a chip.
    """
    deadline = time.monotonic() + within_s
    while not all(may(chip) for chip in folder.glob("gpiochip*")):
        if time.monotonic() >= deadline:
            return False
        threading.Event().wait(LOOK_S)
    return True


def keeps_levels(modules: Path = MODULES) -> Path | None:
    """The kernel's parameter that leaves an output as it was when its program died; None where it lets go.

    Raspberry Pi's kernel has it, on unless config.txt says `dtparam=strict_gpiod`.
    """
    for parameter in sorted(modules.glob("pinctrl_*/parameters/persist_gpio_outputs")):
        try:
            if parameter.read_text(encoding="ascii").strip() == "Y":
                return parameter
        except OSError:  # root may read it, or nobody: what cannot be known is not complained of
            continue
    return None
