"""Pins of a chip that can be pulled out."""

from __future__ import annotations

from gpiozero.pins.mock import MockPin


class FragilePin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that raises an error of lgpio's own kind on every access: itself `broken`, or its factory `gone`."""

    broken = False

    def _get_state(self) -> bool:
        self._try()
        return bool(super()._get_state())

    def _set_state(self, value: bool) -> None:
        self._try()
        super()._set_state(value)

    def _try(self) -> None:
        if self.broken or getattr(self.factory, "gone", False):
            raise Exception("bad lineinfo IOCTL")  # lgpio.error is a bare Exception
