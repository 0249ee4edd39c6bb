"""A person's hands and eyes at a cabinet: `World` does what hands do and sees what a person sees."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hal.cabinet.wire import button_of, line_of, parsed, said_of
from hal.ports import Button, Lamp, ShufflerStatus

ANSWER_S = 10.0
"""How long a person waits for the cabinet itself."""


class WorldFault(Exception):
    """The world refused what a person tried; the text is the cabinet's own."""


@dataclass(frozen=True, slots=True)
class WorldState:
    """The table as a person sees it, and the time stamps that a test bench measures with (ns of CLOCK_MONOTONIC).

    seats, sensors and lockout (whether the table has them), buttons (whether each button's lamp is lit; none: it has no
    buttons), buttons_down (whether a finger holds each), chips, contact_ns (last raw edge of each line), lamps, lamp_ns
    (last change of each lamp), locked, locked_ns (last change), told_ns (last lamp command), lockout_locked, wire_cut,
    table (connected), panels, plugged, shoe (the shuffler deals from inside), shuffler.
    """

    seats: int
    sensors: bool
    lockout: bool
    buttons: Mapping[Button, bool]
    buttons_down: Mapping[Button, bool]
    chips: Mapping[int, bool]
    contact_ns: Mapping[int, int]
    lamps: Mapping[int, Lamp]
    lamp_ns: Mapping[int, int]
    locked: bool
    locked_ns: int
    told_ns: int
    lockout_locked: bool
    wire_cut: bool
    table: bool
    panels: int
    plugged: bool
    shoe: bool
    shuffler: ShufflerStatus


class World:
    """Hands and eyes at a cabinet, for tests and the scripted dealer. socket_path: the cabinet's world socket.

    Every method returns when the cabinet has done it, and gives the time it was done (ns of CLOCK_MONOTONIC). Raises
    WorldFault with the cabinet's words if it refuses, or if there is no cabinet.
    """

    def __init__(self, socket_path: Path) -> None:
        self._path = socket_path
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._socket.connect(str(socket_path))
        except OSError as error:
            self._socket.close()
            raise WorldFault(f"{socket_path}: {error.strerror}; start `felt cabinet` with the same home") from error
        self._answers = self._socket.makefile("rb")

    def close(self) -> None:
        """Walk away."""
        self._answers.close()
        self._socket.close()

    def place(self, seat: int) -> int:
        """Put a chip on a seat's sensor."""
        return self._do("place", seat=seat)

    def take(self, seat: int) -> int:
        """Take the chip from a seat's sensor."""
        return self._do("take", seat=seat)

    def bounce(self, seat: int, edges: int, ms: int) -> int:
        """A loose contact: so many edges within so many milliseconds, then back to what the chip says."""
        return self._do("bounce", seat=seat, edges=edges, ms=ms)

    def button(self, seat: int, name: str, held_ms: int = 80) -> int:
        """Press a wagering button and hold it; returns when it is down, it comes up by itself.

        A second press of the same button waits until it was up for as long as it was held.
        """
        return self._do("button", seat=seat, name=name, held_ms=held_ms)

    def next_key(self, held_ms: int = 80) -> int:
        """Press the NEXT key beside the rack; returns when it is down, it comes up by itself."""
        return self._do("next", held_ms=held_ms)

    def lockout(self, locked: bool) -> int:
        """Turn the lockout switch."""
        return self._do("lockout", locked=locked)

    def cut_wire(self) -> int:
        """Cut the wire of the lockout switch."""
        return self._do("cut_wire")

    def mend_wire(self) -> int:
        """Mend it."""
        return self._do("mend_wire")

    def badge(self, number: str) -> int:
        """Hold a badge to the reader."""
        return self._do("badge", number=number)

    def touch(self, x_mm: float, y_mm: float, held_ms: int = 80) -> int:
        """Touch the panel and hold; returns when the finger is up again."""
        return self._do("touch", x_mm=x_mm, y_mm=y_mm, held_ms=held_ms)

    def jam(self) -> int:
        """A card sticks in the shuffler, while it shuffles, deals, or stands ready."""
        return self._do("jam")

    def clear_jam(self) -> int:
        """Take the card out; it shuffles again."""
        return self._do("clear_jam")

    def door(self, is_open: bool) -> int:
        """Open or close the shuffler's door."""
        return self._do("door", open=is_open)

    def sort(self, on: bool) -> int:
        """Switch the shuffler to sort mode or back."""
        return self._do("sort", on=on)

    def count(self, cards: int) -> int:
        """The shuffler has counted so many cards."""
        return self._do("count", cards=cards)

    def swap_deck(self) -> int:
        """Take the shuffled deck out and put the other one in."""
        return self._do("swap_deck")

    def load(self, deck: str) -> int:
        """Put a whole deck with blue or red backs into the shuffler (empty: it cannot tell); it is shuffled."""
        return self._do("load", deck=deck)

    def take_card(self) -> int:
        """Take a card out of the shuffler, unseen: its next count shows it."""
        return self._do("take_card")

    def deal(self, cards: int) -> int:
        """Take so many cards from the dealing shoe."""
        return self._do("deal", cards=cards)

    def empty(self) -> int:
        """Have the shuffler give out and count all its cards."""
        return self._do("empty")

    def service(self, on: bool) -> int:
        """Take the shuffler out of service, cards inside and all, or back into it."""
        return self._do("service", on=on)

    def fail(self, fault: str) -> int:
        """The shuffler finds a fault by itself: motor, card, cycle or color."""
        return self._do("fail", fault=fault)

    def unplug(self) -> int:
        """Pull the shuffler's cable."""
        return self._do("unplug")

    def replug(self) -> int:
        """Put it back."""
        return self._do("replug")

    def wait(
        self,
        *,
        lamps: Mapping[int, Lamp] | None = None,
        locked: bool | None = None,
        table: bool | None = None,
        panels: int | None = None,
        steady: bool | None = None,
        buttons: Mapping[Button, bool] | None = None,
        within_s: float = 5.0,
    ) -> int:
        """Look until the table shows all of this; gives the time. Raises WorldFault with what it showed instead.

        steady: no contact bounces any more, and no finger is on a button. buttons: whether their lamps are lit.
        """
        what: dict[str, Any] = {"locked": locked, "table": table, "panels": panels, "steady": steady}
        if lamps is not None:
            what["lamps"] = {str(seat): lamp for seat, lamp in lamps.items()}
        if buttons is not None:
            what["buttons"] = {said_of(button): lit for button, lit in buttons.items()}
        seen = {name: value for name, value in what.items() if value is not None}
        return self._do("await", what=seen, within_ms=round(within_s * 1000))

    def state(self) -> WorldState:
        """Everything there is to see."""
        said = self._ask({"do": "state"})
        for name in ("chips", "contact_ns", "lamp_ns"):
            said[name] = {int(line): value for line, value in said[name].items()}
        for name in ("buttons", "buttons_down"):
            said[name] = {button_of(one): value for one, value in said[name].items()}
        said["lamps"] = {int(seat): Lamp(lamp) for seat, lamp in said["lamps"].items()}
        said["shuffler"] = ShufflerStatus(**said["shuffler"])
        return WorldState(**said)

    def _do(self, name: str, /, **told: object) -> int:
        return int(self._ask({"do": name, **told})["at_ns"])

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            try:
                self._socket.settimeout(ANSWER_S + asked.get("within_ms", 2 * asked.get("held_ms", 0)) / 1000)
                self._socket.sendall(line_of(asked))
                answer = self._answers.readline()
            except OSError as error:
                raise WorldFault(f"{self._path}: {error}; start `felt cabinet` again") from error
        if not answer:
            raise WorldFault(f"{self._path}: the cabinet is gone; start `felt cabinet` again")
        said = parsed(answer)
        if "error" in said:
            raise WorldFault(said["error"])
        return said
