"""A table that has no bet sensor, no lamp and no lockout switch."""

from __future__ import annotations

from collections.abc import Mapping

from hal.ports import Button, DeviceFound, Lamp, Put

DEVICE = "no sensors"


class NoSensors:
    """`hal.ports.Whole` of a table that has none of it: found at once, nothing to read, nothing to light.

    For real hardware. In the simulated world `hal.cabinet.ends.SimulatedTable` serves such a table too, for its badges.
    """

    name = DEVICE

    def __init__(self, put: Put) -> None:
        self._put = put

    def start(self) -> None:
        """Put `DeviceFound`: what a table does not have is never missing."""
        self._put(DeviceFound(DEVICE))

    def read(self) -> None:
        """There is no line whose level could be put."""

    def light(self, lamps: Mapping[int, Lamp]) -> None:
        """There is no lamp."""

    def lock(self, locked: bool) -> None:
        """There is no lock line."""

    def light_buttons(self, lit: Mapping[Button, bool]) -> None:
        """There is no button."""

    def close(self) -> None:
        """There is nothing to give back."""
