"""The kernel's files about a machine: disk, voltage, heat, clock, panels. They are read here and never judged."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import tempfile
import time
from pathlib import Path

from firmware.runtime.clock import is_set
from firmware.runtime.disk import free_bytes
from firmware.runtime.doctor.readings import ClockReading, Connector, DiskReading, PowerReading, ScreenReading

SYS, PROC = Path("/sys"), Path("/proc")
LIBRARIES = ("GL", "GLESv2", "EGL", "gbm")
"""Without the first SDL reports success and the screen stays black."""


def _word(path: Path) -> str:
    """The content of a small file of the kernel, "" if there is none."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _number(text: str, base: int = 10) -> int | None:
    try:
        return int(text, base)
    except ValueError:
        return None


# Disk -----------------------------------------------------------------------------------------------------------------


def disk(folder: Path, system: Path = SYS, processes: Path = PROC) -> DiskReading:
    """The disk under a folder. One file is written there, flushed and removed."""
    kind, source, options = _mount(folder.resolve(), _word(processes / "self" / "mountinfo"))
    device = _whole_disk(source, system)
    told = system / "block" / device / "device"
    wear = [_number(tenths, 16) for tenths in _word(told / "life_time").split()] if device else []
    return DiskReading(
        str(folder),
        kind,
        device,
        free_bytes(folder),
        "ro" in options.split(","),
        _written(folder),
        tuple(tenths for tenths in wear if tenths),
        (_number(_word(told / "pre_eol_info"), 16) or 0) if device else 0,
    )


def _mount(folder: Path, mountinfo: str) -> tuple[str, str, str]:
    """(file system, source, options) of the mount that a folder lies in; the last of several on one place counts."""
    best: tuple[int, str, str, str] = (-1, "", "", "")
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        fields, (kind, source, super_options) = before.split(), (*after.split(), "", "", "")[:3]
        if len(fields) < 6:
            continue
        point = Path(fields[4].replace("\\040", " "))
        if folder.is_relative_to(point) and len(point.parts) >= best[0]:
            best = len(point.parts), kind, source, f"{fields[5]},{super_options}"
    return best[1:]


def _whole_disk(source: str, system: Path) -> str:
    """`mmcblk0` of /dev/mmcblk0p2; "" where the source is no partition of a disk."""
    name = Path(source).name
    if (system / "block" / name).exists():
        return name
    found = list((system / "block").glob(f"*/{name}/partition")) if name else []
    return found[0].parent.parent.name if found else ""


def _written(folder: Path) -> str:
    """Why a file could not be written and flushed there, "" where it could."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"felt doctor\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return ""


# Voltage, heat, clock -------------------------------------------------------------------------------------------------


def power(system: Path = SYS) -> PowerReading:
    """The alarm of a Raspberry Pi's voltage monitor, its firmware's word where the kernel shows it, and the hottest zone."""
    low: bool | None = None
    for chip in sorted((system / "class" / "hwmon").glob("hwmon*")):
        alarm = _word(chip / "in0_lcrit_alarm")
        if _word(chip / "name") == "rpi_volt" and alarm:
            low = alarm == "1"
    words = sorted(system.glob("devices/platform/soc*/*firmware/get_throttled"))
    zones = [_number(_word(zone)) for zone in (system / "class" / "thermal").glob("thermal_zone*/temp")]
    hot = max((zone for zone in zones if zone is not None), default=None)
    return PowerReading(low, _number(_word(words[0]), 16) if words else None, None if hot is None else hot / 1000)


def clock(last_row_s: int, system: Path = SYS) -> ClockReading:
    """The time of day, whether somebody sets it, and whether a battery keeps it."""
    return ClockReading(int(time.time()), is_set(), any((system / "class" / "rtc").glob("rtc*")), last_row_s)


# Panels ---------------------------------------------------------------------------------------------------------------


def screen(system: Path = SYS) -> ScreenReading:
    """Every connector of every graphics card, and the libraries that SDL needs to draw."""
    found = sorted((system / "class" / "drm").glob("card*-*"))
    connectors = tuple(
        Connector(
            one.name.partition("-")[2], _word(one / "status") == "connected", _word(one / "modes").partition("\n")[0]
        )
        for one in found
    )
    return ScreenReading(connectors, tuple(f"lib{name}" for name in LIBRARIES if not ctypes.util.find_library(name)))
