"""All that a table tells its hardware at once, as its loop does."""

from __future__ import annotations

from collections.abc import Mapping

from hal.ports import UNLIT, Button, Lamp, Whole


def tell(whole: Whole, lamps: Mapping[int, Lamp], *, locked: bool, buttons: Mapping[Button, bool] = UNLIT) -> None:
    """Lock line, lamps, and the lamps of the buttons."""
    whole.lock(locked)
    whole.light(lamps)
    whole.light_buttons(buttons)
