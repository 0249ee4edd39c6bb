"""`felt lines safe`: lamps dark and lock line low while no table runs, in any state of its files.

systemd runs it before the table starts and after it has ended, however that was: a kernel may leave outputs as the dead
program had them, and then lit lamps and "bets are open" would stand with nobody behind them. So a table.toml that cannot
be used is read as far as it goes, and a missing key has a table's default.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import firmware.plain as plain
from firmware.config import CONFIG_BYTES_MAX, PIN_LAST, SeatsConfig

LAMPS = ("lamp_pins", "own_button_lamp_pins", "dealer_button_lamp_pins")
KEYS = ("hardware", "lock_pin", "gpio_chips", *LAMPS)
_KEY = re.compile(rf"^[ \t]*({'|'.join(KEYS)})[ \t]*=[ \t]*(\[[^\]]*\]|[^\n#]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outputs:
    """The pins to be driven low, the lock line first, and the labels of their chip."""

    pins: tuple[int, ...]
    chip_labels: tuple[str, ...]


def outputs_of(path: Path) -> Outputs:
    """The outputs that a table.toml names; none where the table has no wires."""
    seats = _seats(path)
    usual = SeatsConfig()
    pins = [seats.get("lock_pin", usual.lock_pin)]
    for key in LAMPS:
        named = seats.get(key)
        pins += named if isinstance(named, list) else getattr(usual, key)
    right = [pin for pin in dict.fromkeys(map(_pin, pins)) if pin is not None]
    chips = seats.get("gpio_chips")
    labels = tuple(map(str, chips)) if isinstance(chips, list) and chips else usual.gpio_chips
    return Outputs(tuple(right) if seats.get("hardware", "gpio") == "gpio" else (), labels)


def _pin(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= PIN_LAST else None


def _seats(path: Path) -> Mapping[str, Any]:
    """`[seats]` as far as it can be read; empty where nothing can be."""
    try:
        content = plain.content(path, CONFIG_BYTES_MAX)
    except (OSError, ValueError):
        return {}
    text = content.decode("utf-8", "replace")
    try:
        given = plain.toml(text.encode())
    except (ValueError, RecursionError):
        return dict(_by_the_line(text))
    seats, rules = given.get("seats", {}), given.get("rules")
    if isinstance(rules, dict) and "progressive" not in rules:
        return {"hardware": ""}  # such a table has no lamp and no lock line
    return {"hardware": "cabinet"} | seats if isinstance(seats, dict) else {}


def _by_the_line(text: str) -> dict[str, Any]:
    """The keys of a file that is no TOML as a whole: each that can be read by itself."""
    found: dict[str, Any] = {}
    for key, value in _KEY.findall(text):
        try:
            found |= tomllib.loads(f"{key} = {value}")
        except ValueError:
            continue
    return found
