"""What a boot is made of: from the kernel to a table that is ready, by the clock that systemd keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping

QUESTION = (
    "systemctl show -p UserspaceTimestampMonotonic;"
    " systemctl show -p Id,ExecMainStartTimestampMonotonic,ActiveEnterTimestampMonotonic"
    " mosquitto felt-bank felt-sign felt-table felt-screen"
)
US = 1e6


def parts(said: str) -> Mapping[str, float]:
    """Seconds by part, from what the question was answered: the kernel, systemd before each program, each program."""
    found: dict[str, float] = {}
    told = re.search(r"^UserspaceTimestampMonotonic=(\d+)$", said, re.MULTILINE)
    systemd_s = int(told[1]) / US if told else 0.0
    found["kernel and initrd"] = systemd_s
    for block in said.split("\n\n"):
        unit = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        began, ready = (int(unit.get(f"{name}TimestampMonotonic", 0)) / US for name in ("ExecMainStart", "ActiveEnter"))
        if unit.get("Id") and ready:
            name = unit["Id"].removesuffix(".service")
            found[f"systemd, until {name} begins"] = began - systemd_s
            found[f"{name}, until it is ready"] = ready - began
    return found
