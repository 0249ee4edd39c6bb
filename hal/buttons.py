"""Presses of momentary buttons, out of what their bouncing contacts say: one signal a press, however it bounces.

`Presses` is the rule, pure, told the time; `ButtonWatch` is the thread that asks it when a contact may have settled.
Pins and cabinet use them (`hal.ports.Buttons`). D is the debounce time.

A press counts once its contact has been closed for D since its last edge, and is that edge's: the same definition as a
wager's (`hal.debounce`). The next press needs D of an open contact before it, so a contact that flickers while the
button is held, or bounces when it comes up, makes none.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from hal.ports import Button, ButtonPressed, Put
from hal.workers import Worker

DEBOUNCE_NS = 20_000_000
"""D where nobody says otherwise."""


@dataclass(slots=True)
class _Contact:
    """One button: its level, since when, the level that has settled, and since when a reading contradicts it (an edge
    was lost, or is still on its way)."""

    on: bool
    since_ns: int
    settled: bool
    contradicted_ns: int | None = None


class Presses:
    """All wagering buttons of a table: feed it edges and readings, each gives the press that it completes.

    A button needs a few words of memory, even if its contact chatters.
    """

    def __init__(self, debounce_ns: int) -> None:
        self._debounce_ns = debounce_ns
        self._contacts: dict[Button, _Contact] = {}

    @property
    def next_deadline(self) -> int | None:
        """When a button must be read again; None: only an edge can change anything."""
        return min((ns for contact in self._contacts.values() if (ns := self._due(contact)) is not None), default=None)

    def due(self, now_ns: int) -> list[Button]:
        """The buttons whose level must be read now."""
        return [
            button
            for button, contact in self._contacts.items()
            if (due_ns := self._due(contact)) is not None and due_ns <= now_ns
        ]

    def edge(self, button: Button, on: bool, at_ns: int) -> ButtonPressed | None:
        """A contact closed or opened. A level that it had already is an edge too: the one between was lost."""
        contact = self._contacts.setdefault(button, _Contact(not on, at_ns, not on))
        at_ns = max(at_ns, contact.since_ns)
        press = self._settle(button, contact, at_ns) if on != contact.on else None
        contact.on, contact.since_ns, contact.contradicted_ns = on, at_ns, None
        return press

    def read(self, button: Button, on: bool, now_ns: int) -> ButtonPressed | None:
        """A contact was read. The first reading is where the watching begins: what is down then was not pressed.

        A reading that contradicts the edges counts when it has stood for D and its edge did not come.
        """
        contact = self._contacts.setdefault(button, _Contact(on, now_ns, on))
        if on == contact.on:
            contact.contradicted_ns = None
        elif contact.contradicted_ns is None:
            contact.contradicted_ns = now_ns
            return None
        elif now_ns - contact.contradicted_ns < self._debounce_ns:
            return None
        else:
            contact.on, contact.since_ns, contact.contradicted_ns = on, contact.contradicted_ns, None
        return self._settle(button, contact, now_ns)

    def forget(self) -> None:
        """The device is lost: the watching begins again with the next reading."""
        self._contacts.clear()

    def _due(self, contact: _Contact) -> int | None:
        if contact.contradicted_ns is not None:
            return contact.contradicted_ns + self._debounce_ns
        return contact.since_ns + self._debounce_ns if contact.on != contact.settled else None

    def _settle(self, button: Button, contact: _Contact, now_ns: int) -> ButtonPressed | None:
        """Take the contact's level for settled if it has held until now; a button that went down was pressed."""
        if contact.on == contact.settled or now_ns - contact.since_ns < self._debounce_ns:
            return None
        contact.settled = contact.on
        return ButtonPressed(*button, contact.since_ns) if contact.on else None


class ButtonWatch:
    """Puts a `ButtonPressed` for each press. Its thread exists once there is a button, and sleeps while none moves.

    level: whether a button's contact is closed now; None where it cannot be read, which forgets what was under way.
    gate: the lock of the port, where `level` needs it. Everything is put with it held.
    """

    def __init__(
        self,
        put: Put,
        debounce_ns: int,
        level: Callable[[Button], bool | None],
        gate: threading.RLock | None = None,
    ) -> None:
        self._put = put
        self._level = level
        self._presses = Presses(debounce_ns)
        self._moved = threading.Condition(gate)
        self._closed = False
        self._worker = Worker("buttons", self._run)

    def edge(self, button: Button, on: bool, at_ns: int) -> None:
        """A contact moved, at its kernel's time."""
        with self._moved:
            self._tell(self._presses.edge(button, on, at_ns))

    def read(self, button: Button, on: bool) -> None:
        """A contact was read just now."""
        with self._moved:
            self._tell(self._presses.read(button, on, time.monotonic_ns()))

    def forget(self) -> None:
        """The device is lost; what is down when it comes back was not pressed."""
        with self._moved:
            self._presses.forget()

    def close(self) -> None:
        """Nothing is put any more. Not to be called with the gate held."""
        with self._moved:
            self._closed = True
            self._moved.notify()
        self._worker.end()

    def _tell(self, press: ButtonPressed | None) -> None:
        if self._closed:
            return
        if press is not None:
            self._put(press)
        if not self._worker.is_started:
            self._worker.start()
        self._moved.notify()

    def _run(self) -> None:
        with self._moved:
            while not self._closed:
                for button in self._presses.due(time.monotonic_ns()):
                    self._look(button)
                deadline_ns = self._presses.next_deadline
                pause_s = None if deadline_ns is None else max(0, deadline_ns - time.monotonic_ns()) / 1e9
                self._moved.wait(pause_s)

    def _look(self, button: Button) -> None:
        on = self._level(button)
        if on is None:
            self._presses.forget()
        elif (press := self._presses.read(button, on, time.monotonic_ns())) is not None:
            self._put(press)
