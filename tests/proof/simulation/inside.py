"""A person at a table in this process, on a given clock: the same eyes and hands, without a socket or a second to wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from firmware.proof.rehearse.rig import Rig
from firmware.proof.rehearse.steps import ShufflerSays
from firmware.proof.rehearse.table import MS, S, Table
from firmware.proof.rehearse.tables import of_file, seatings
from firmware.proof.simulation.person import Person, Stuck, words
from firmware.rules.message import Message
from firmware.runtime.glass import Frame, Observation, observe
from ui.dealer.screens import spoken
from ui.words import Words

PATIENCE_S = 120.0
"""By the given clock, which nobody waits for."""
GLANCE_NS = 100 * MS


class Silent(Words):
    """A language of no words: whoever plays by it reads none."""

    def __call__(self, message: Message | str) -> str:
        """Only what is data has a text."""
        return message if isinstance(message, str) else ""


SILENT = Silent("en")


class Hands:
    """What hands do at a rehearsed table; its shuffler and whoever swaps its decks work by themselves."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def place(self, seat: int) -> None:
        self._table.move_chip(seat, lies=True)

    def take(self, seat: int) -> None:
        self._table.move_chip(seat, lies=False)

    def button(self, seat: int, hand: str) -> None:
        self._table.push_button(seat, hand)

    def lockout(self, locked: bool) -> None:
        self._table.turn_switch("on" if locked else "off")

    def badge(self, number: str) -> None:
        self._table.pins.show(number)

    def touch(self, x_mm: float, y_mm: float, _held_ms: int) -> None:
        table = self._table
        key = table.composed().key_at(x_mm, y_mm)
        assert key is not None, "nobody touches what is no key"
        verb, _, digit = key.press.partition(" ")
        if verb == "pin":
            table.pins.digit(digit)
        elif verb == "pin-enter":
            table.pins.enter(table.monotonic_ns)
        else:
            table.press(key.press)

    def jam(self) -> None:
        self._table.machine.tell(ShufflerSays(mode="fault", fault="jam", alarm=True, uncounted=True))

    def door(self, is_open: bool) -> None:
        fault = ShufflerSays(mode="fault", fault="door", alarm=True, uncounted=True)
        self._table.machine.tell(fault) if is_open else self.clear_jam()

    def clear_jam(self) -> None:
        self._table.machine.works_by_itself()

    def swap_deck(self) -> None:
        """The machine has done it."""

    def load(self, _deck: str) -> None:
        """The machine has done it."""

    def empty(self) -> None:
        """The machine has done it."""

    def service(self, _on: bool) -> None:
        """The machine has done it."""


class Inside(Person):
    """Eyes and hands at the table of a folder that `books.write` wrote."""

    def __init__(self, home: Path) -> None:
        self.rig = Rig(seatings((of_file(home / "table.toml"),), ()), None, 1)
        (self.table,) = self.rig.tables.values()
        self.world = Hands(self.table)  # type: ignore[assignment]
        self.taps = 0
        self._at: tuple[object, ...] = ()
        self._seen = None
        self.tap_again_s, self._patience_s = PATIENCE_S, PATIENCE_S

    def see(self, what: Callable[[Observation], bool], waiting_for: str, within_s: float | None = None) -> Observation:
        """Time passes until the table shows it."""
        until = self.rig.now_ns + int((within_s or self._patience_s) * S)
        while not what(seen := self._observed()):
            if self.rig.now_ns >= until:
                raise Stuck(f"waited for {waiting_for}; the table shows {words(seen)}")
            self.rig.advance(self.rig.now_ns + GLANCE_NS)
        return seen

    def _observed(self) -> Observation:
        table = self.table
        now = (table.state, table.pins.badge, table.pins.typed, table.by, table.utc_s // 60, table.meters)
        if self._seen is None or any(
            one is not other and one != other for one, other in zip(now, self._at, strict=True)
        ):
            said = table.composed()
            frame = Frame(spoken(said, SILENT), 0, self.rig.now_ns)
            self._at, self._seen = now, observe(frame, said, table.lamps, table.locked)
        return self._seen

    def _react(self, _seen: Observation) -> None:
        """Nothing guards this screen."""
