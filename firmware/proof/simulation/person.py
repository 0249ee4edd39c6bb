"""A person at a simulated table: sees the screen and lamps, does what hands do. Nothing else reaches the table from here.

A screen is known by the ids of what it says, and a key by its place or by the word that it sends: never by its English,
which may be put better at any time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware.rules.message import Argument, Message
from firmware.runtime.glass import Observation, Text
from firmware.runtime.glass_client import GlassClient, TableGone
from hal.cabinet.wire import WORLD_SOCKET
from hal.cabinet.world import World, WorldFault

REACTION_S = 0.03
"""Added to the touch guard: a person is never faster than the screen."""
TAP_AGAIN_S = 1.5
"""A tap that changed nothing for so long is made again: it met a dark screen, or one that was not listening yet."""
CORNER = ("neighbors", "link", "machine", "badge")
"""Places where clocks and neighbors speak: a change there is no effect of a tap."""
PATIENCE_S = 45.0
FLOOR = ("2001", "4826")
MANAGER = ("3001", "7391")
"""Badge and PIN of two people."""


class Stuck(Exception):
    """The table did not show what the person waited for."""


class Person:
    """One pair of eyes and hands."""

    def __init__(self, home: Path, patience_s: float = PATIENCE_S) -> None:
        self.world = World(home / WORLD_SOCKET)
        self.taps = 0
        self.tap_again_s = TAP_AGAIN_S
        self.drawn_s = 0.0
        """How long a slow machine needs until what its table says is on the glass: who touches before meets the guard."""
        self._patience_s = patience_s
        self._seen: Observation | None = None
        self._key_since = self._seen_since = 0.0
        self._changed = threading.Condition()
        self._glass: GlassClient[Observation] = GlassClient(home / "table.sock", "observe", Observation, self._look)
        self._glass.start()

    def close(self) -> None:
        """Leave the table."""
        self._glass.close()
        self.world.close()

    def _look(self, seen: Observation | TableGone) -> None:
        with self._changed:
            before = self._seen
            self._seen = seen if isinstance(seen, Observation) else None
            self._seen_since = time.monotonic()
            if self._seen is None or before is None or before.key != self._seen.key:
                self._key_since = self._seen_since
            self._changed.notify_all()

    def see(self, what: Callable[[Observation], bool], waiting_for: str, within_s: float | None = None) -> Observation:
        """Look until the table shows it. Raises Stuck with what it showed instead."""
        deadline = time.monotonic() + (within_s or self._patience_s)
        with self._changed:
            while self._seen is None or not what(self._seen):
                if not self._changed.wait(max(0.0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                    raise Stuck(f"waited for {waiting_for}; the table shows {words(self._seen)}")
            return self._seen

    def look(self) -> Observation:
        """The table's screen now."""
        return self.see(lambda _seen: True, "the table")

    def screen(self, *names: str) -> Observation:
        """Look until one of these kinds of screen is there."""
        return self.see(lambda seen: seen.screen in names, f"screen {' or '.join(names)}")

    def lamp(self, seat: int, *states: str) -> str:
        """Look until the lamp of a seat shows one of these; which."""
        name = str(seat)
        return self.see(lambda seen: seen.lamps.get(name) in states, f"lamp {seat} {' or '.join(states)}").lamps[name]

    def tile(self, seat: int, until: Callable[[Observation], bool] | None = None) -> Observation:
        """Press the tile of a seat."""
        return self.key(place_of(seat), until)

    def key(self, place: str, until: Callable[[Observation], bool] | None = None) -> Observation:
        """Press the key in this place until the screen shows `until` (or anything else than before)."""
        before: Observation | None = None
        deadline = time.monotonic() + self._patience_s

        def done(seen: Observation) -> bool:
            if until is not None:
                return until(seen)
            return before is not None and (seen.key, body(seen)) != (before.key, body(before))

        while True:
            seen = self.see(lambda seen: done(seen) or key_at(seen, place) is not None, f"key {place} to press")
            if done(seen):
                return seen
            self._react(seen)
            seen = self.look()
            key = key_at(seen, place)
            if key is None:
                continue
            before = seen
            held_ms = key.hold_ms + 250 if key.hold_ms else 80  # a hand lets go a moment after the bar is full
            try:
                self.world.touch(key.x + key.w / 2, key.y + key.h / 2, held_ms)
            except WorldFault:  # the screen is dark
                self.world.wait(panels=1, within_s=self._patience_s)
                continue
            self.taps += 1
            try:
                return self.see(done, f"an effect of key {place}", self.tap_again_s)
            except Stuck:
                if time.monotonic() >= deadline:
                    raise

    def step(self, place: str) -> Observation:
        """Press the key in this place until the screen is another one, or asks something else."""
        before = self.see(lambda seen: key_at(seen, place) is not None, f"key {place}")
        return self.key(place, until=lambda seen: seen.key != before.key)

    def show_badge(self, number: str) -> None:
        """Hold a badge to the reader; while nothing answers there, wait until something does."""
        while True:
            try:
                self.world.badge(number)
                return
            except WorldFault:  # the reader is dark
                self.world.wait(table=True, within_s=self._patience_s)

    def _react(self, seen: Observation) -> None:
        """Nobody touches what has just changed at once; the glass may not show it yet, and would not listen either."""
        ready = max(self._key_since + self.drawn_s + seen.guard_ms / 1000, self._seen_since) + REACTION_S
        pause = ready - time.monotonic()
        if pause > 0:
            threading.Event().wait(pause)


def body(seen: Observation) -> list[Text]:
    """The screen's words, without clocks and neighbors in its upper right corner."""
    return [widget for widget in seen.widgets if widget.id not in CORNER]


def shown(*names: str) -> Callable[[Observation], bool]:
    """The screen is one of these."""
    return lambda seen: seen.screen in names


def not_shown(*names: str) -> Callable[[Observation], bool]:
    """The screen is none of these."""
    return lambda seen: seen.screen not in names


def place_of(seat: int) -> str:
    """The place of a seat's tile."""
    return f"seat-{seat}"


def lines_at(seen: Observation, place: str) -> tuple[Message | str, ...]:
    """The lines of this place; nothing if it is empty."""
    return next((widget.said for widget in seen.widgets if widget.id == place), ())


def said_at(seen: Observation, place: str) -> Iterator[Message]:
    """Every message in this place, those that others are made of too; "": on the whole screen."""
    for widget in seen.widgets:
        if place in ("", widget.id):
            for line in widget.said:
                yield from _within(line)


def _within(said: Argument) -> Iterator[Message]:
    if isinstance(said, Message):
        yield said
        for _, value in said.args:
            yield from _within(value)
    elif isinstance(said, tuple):
        for one in said:
            yield from _within(one)


def says(seen: Observation, id_: str, place: str = "") -> bool:
    """A message of this id stands in this place, or anywhere."""
    return any(one.id == id_ for one in said_at(seen, place))


def saying(id_: str, place: str = "") -> Callable[[Observation], bool]:
    """A message of this id stands there."""
    return lambda seen: says(seen, id_, place)


def ready(neighbor: str) -> Callable[[Observation], bool]:
    """The corner of the screen says nothing of this neighbor beside the title: it is just ready."""

    def is_ready(seen: Observation) -> bool:
        shown = {one.id for one in seen.widgets}
        return "title" in shown and neighbor not in shown

    return is_ready


def field_at(seen: Observation, place: str, name: str, id_: str = "") -> Argument | None:
    """The value of that field in the first message in this place that has it; `id_`: in that message alone."""
    for one in said_at(seen, place):
        if id_ in ("", one.id) and name in (fields := dict(one.args)):
            return fields[name]
    return None


def number_at(seen: Observation, place: str, name: str, id_: str = "") -> int:
    """The number in that field; 0 for none."""
    found = field_at(seen, place, name, id_)
    return found if isinstance(found, int) else 0


def changed(seen: Observation, place: str) -> Callable[[Observation], bool]:
    """This place says something else than it did."""
    before = lines_at(seen, place)
    return lambda now: lines_at(now, place) != before


def tile_says(seen: Observation, seat: int, message: Message) -> bool:
    """A seat's tile says just this, among other things."""
    return message in said_at(seen, place_of(seat))


def press_at(seen: Observation, place: str) -> str:
    """The word that the key in this place sends, if it can be pressed now; "" for none."""
    found = key_at(seen, place)
    return found.press if found is not None else ""


def key_at(seen: Observation, place: str) -> Text | None:
    """The key in this place, if it can be pressed now."""
    return next((one for one in seen.widgets if one.id == place and one.press and one.enabled), None)


def words(seen: Observation | None) -> str:
    """A screen's words in one line, for a reader who asks why a person is stuck."""
    if seen is None:
        return "nothing: the table is not there"
    said = " | ".join(widget.text.replace("\n", " / ") for widget in seen.widgets if widget.text)
    return f"{seen.screen}: {said}; lamps {seen.lamps}"
