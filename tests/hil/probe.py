"""Somebody at a table's pins while no table runs: lights lamps, drives the lock line, tells what the sensors hear.

`PinsProbe` stands at the pins. On a rig with copper its program runs on the table's own computer, by ssh: one JSON object a
line, `{"show": [2], "open": false}` or `{"levels": true}`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from firmware.config import SeatsConfig, load_table
from hal.gpio import GpioTable
from hal.ports import Lamp, Level


class PinsProbe:
    """At the pins that a table.toml names, through the very module that a table uses."""

    def __init__(self, seats: SeatsConfig, factory: Any = None) -> None:
        """`factory`: a gpiozero factory; None: lgpio. Raises PinFault."""
        self._levels: dict[int, bool] = {}
        self._table = GpioTable(
            self._hear,
            dict(enumerate(seats.sensor_pins, start=1)),
            dict(enumerate(seats.lamp_pins, start=1)),
            seats.lockout_pin,
            seats.lock_pin,
            factory,
            chip_labels=seats.gpio_chips,
        )
        self._table.start()

    def close(self) -> None:
        """Everything low, and the pins given back."""
        self._table.close()

    def show(self, lamps: Collection[int], *, is_open: bool) -> None:
        """Light these seats' lamps and no other; drive the lock line."""
        self._table.lock(not is_open)
        self._table.light(dict.fromkeys(lamps, Lamp.LIT))

    def levels(self) -> Mapping[int, bool]:
        """Each line, by seat, and the lockout: whether its contact is closed."""
        self._table.read()
        return dict(self._levels)

    def _hear(self, signal: object) -> None:
        if isinstance(signal, Level):
            self._levels[signal.line] = bool(signal.on)


def main(config: Path) -> None:
    """Answer each line of standard input by one line."""
    probe = PinsProbe(load_table(config).seats)
    try:
        for line in sys.stdin:
            asked = json.loads(line)
            if "show" in asked:
                probe.show(asked["show"], is_open=asked["open"])
            print(json.dumps({str(place): closed for place, closed in probe.levels().items()}), flush=True)
    finally:
        probe.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
