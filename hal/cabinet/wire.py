"""The wires of a cabinet: lines of JSON over two Unix sockets in its home.

cabinet-device.sock   edges and levels to the table, lamps and lock line from it, touches to the process that draws the panel
cabinet-world.sock    what hands do: place a chip, turn the lockout, cut its wire
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hal.ports import Button

DEVICE = "cabinet"
DEVICE_SOCKET, WORLD_SOCKET, SHUFFLER_LINK = "cabinet-device.sock", "cabinet-world.sock", "shuffler"
LINE_MAX = 16_384
"""Bytes of one JSON line at most, both ways."""
Place = int | Button
"""The owner of a contact: a line (a seat, the lockout), or a wagering button."""


class Refusal(Exception):
    """A bad command: the text names the place and the remedy."""


def line_of(said: Mapping[str, Any]) -> bytes:
    """One line, ready to be sent."""
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def said_of(button: Button) -> str:
    """A button in JSON, where a name must be a text: "3 left"."""
    return f"{button[0]} {button[1]}"


def button_of(said: str) -> Button:
    """The button that `said_of` named."""
    seat, _, name = said.partition(" ")
    return int(seat), name


def reading(kind: str, place: Place, on: bool, at_ns: int) -> dict[str, Any]:
    """A contact on the wire: an edge or a level of a line, or the same of a button."""
    if isinstance(place, int):
        return {kind: [place, on, at_ns]}
    return {f"button_{kind}": [*place, on, at_ns]}


def parsed(line: bytes) -> dict[str, Any]:
    """The object that a line says; raises Refusal."""
    try:
        said = json.loads(line)
    except ValueError as error:
        raise Refusal(f"not a line of JSON: {error}; send one object in UTF-8 and a line feed") from error
    if not isinstance(said, dict):
        raise Refusal(f'{line[:40].decode(errors="replace")!r} is not a JSON object; send one such as {{"do":"state"}}')
    return said


AWAITED: Mapping[str, type] = {
    "lamps": dict,
    "buttons": dict,
    "locked": bool,
    "table": bool,
    "panels": int,
    "steady": bool,
}
"""Conditions that a person may wait for."""
_LIMITS: Mapping[str, tuple[int, int]] = {
    "edges": (2, 100_000),
    "ms": (1, 60_000),
    "held_ms": (0, 60_000),
    "within_ms": (0, 600_000),
    "cards": (0, 254),
}


def checked(place: str, takes: Mapping[str, type], told: Mapping[str, Any]) -> dict[str, Any]:
    """The values as sent, each of the right type and within its limits. Raises Refusal. An awaited key may be left out."""
    if unknown := sorted(set(told) - set(takes)):
        raise Refusal(f"{place}: {unknown[0]!r} is not understood; it takes {', '.join(takes) or 'nothing more'}")
    if takes is not AWAITED and (missing := sorted(set(takes) - set(told))):
        raise Refusal(f"{place}: {missing[0]!r} is missing; it takes {', '.join(takes)}")
    for name, value in told.items():
        kind = takes[name]
        right = isinstance(value, bool) if kind is bool else isinstance(value, kind) and not isinstance(value, bool)
        if kind is float:
            right = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10_000
        if not right:
            raise Refusal(f"{place}: {name} must be a {kind.__name__}, not {json.dumps(value)}")
        low, high = _LIMITS.get(name, (None, None))
        if low is not None and high is not None and not low <= value <= high:
            raise Refusal(f"{place}: {name} must be {low} to {high}, not {value}")
    return {name: told[name] for name in takes if name in told}
