"""When a touch is a press. Pure: contacts in millimeters and the screen come in, at most one `Tap` comes out.

A cuff, a chip rolling over the glass, a phantom of the touch controller and a finger that lands just as the screen
changes must all do nothing; a deliberate press must always count. So:

* A key acts on release, inside the same key. Sliding off it cancels for good, sliding back does not revive it.
* One contact counts. A second one that comes while the first is down is ignored, unless the first has been there for
  longer than any press may take: a thing lying on the glass, or a release that was lost, does not make the glass deaf.
* A touch that began before `screen.key` last changed, or within the guard time after it, does nothing.
* A key is deaf to a second press for 300 ms, or a finger that trembles turns a seat's answer twice. The keys of digits,
  chips and cards are not: they are meant to be pressed in quick succession.
* A contact that comes back in less than 50 ms where it left is the same touch that goes on: a panel reports one resting
  finger in pieces (raspberrypi/linux#4749). A press that was made stays made once, and a hold goes on.
* A finger must rest at least 30 ms (ghost touches are shorter) and at most 3 s (a chip lying on the glass is longer).
* A key to be held acts on release too, once it was held for its time: a hand can still slide away at the last moment,
  and a thing left lying on the glass never approves anything.
"""

from __future__ import annotations

import math
from enum import StrEnum

from msgspec import Struct

from firmware.wire.structs import replace
from ui.dealer.widgets import Screen, Widget

MS = 1_000_000
GUARD_MS = 350
AGAIN_MS = 300
"""How long a key is deaf after it was pressed itself."""
QUICK = frozenset({"pin", "pin-back", "chips", "no-chips", "rank", "suit", "slot", "emptied"})
"""The first words of the keys that are not."""
REJOIN_MS, REJOIN_MM = 50, 5.0
"""A contact that comes so soon, so near to where the last one left, is the same touch; no finger taps twice so fast."""
SHORTEST_MS = 30
LONGEST_MS = 3_000
MOUSE = -1
"""The `finger` of a mouse: it has no ghosts, so its click may be as short as it likes."""


class Touch(StrEnum):
    """The deed of a finger."""

    DOWN = "down"
    MOVE = "move"
    UP = "up"


class Contact(Struct, frozen=True):
    """One finger (or the mouse) went down, moved or went up: where in millimeters, when in ns of CLOCK_MONOTONIC."""

    touch: Touch
    finger: int
    x_mm: float
    y_mm: float
    at_ns: int


class Tap(Struct, frozen=True):
    """A key was pressed: its word, on which screen (it tells a late one), for how long, where, and until when."""

    press: str
    screen_key: str
    held_ms: int
    x_mm: float
    y_mm: float
    at_ns: int


class Pressed(Struct, frozen=True):
    """The key under the finger now, shown as pressed. `progress` of a key to be held: 0 to 1, full means let go."""

    widget: str
    progress: float


class _Press(Struct, frozen=True):
    """The contact that counts. `key` is None when it can no longer do anything: it only waits to leave."""

    finger: int
    key: Widget | None
    since_ns: int

    def stale(self, now_ns: int) -> bool:
        return now_ns - self.since_ns > (_longest_ms(self.key) if self.key else LONGEST_MS) * MS


class Gesture:
    """The touches on one screen. Tell it every screen shown and every contact felt."""

    def __init__(self, guard_ms: int = GUARD_MS, again_ms: int = AGAIN_MS) -> None:
        self._guard_ns = guard_ms * MS
        self._again_ns = again_ms * MS
        self._screen = Screen("", "")
        self._deaf_until_ns = 0
        self._press: _Press | None = None
        self._left: tuple[_Press, Contact] | None = None
        """The touch that ended last, with no key where it pressed one, and where it left."""
        self._last, self._last_ns = "", 0

    def show(self, screen: Screen, now_ns: int) -> None:
        """This screen is on the glass from now on."""
        if screen.key != self._screen.key:
            self._deaf_until_ns = now_ns + self._guard_ns
            self._cancel()
        self._screen = screen

    def feel(self, contact: Contact) -> Tap | None:
        """A contact: the press that it completes, if any."""
        if contact.touch is Touch.DOWN:
            self._begin(contact)
            return None
        if self._press is None or contact.finger != self._press.finger:
            return None
        if self._key_under(contact) is None:
            self._cancel()
        if contact.touch is Touch.MOVE:
            return None
        press, self._press = self._press, None
        tap = self._complete(press, contact)
        self._left = (replace(press, key=None) if tap else press), contact
        return tap

    def begins_hold(self, contact: Contact) -> bool:
        """This contact, just felt, is a finger that came down on a key to be held."""
        press = self._press
        if contact.touch is not Touch.DOWN or press is None or press.key is None or not press.key.hold_ms:
            return False
        return (press.finger, press.since_ns) == (contact.finger, contact.at_ns)

    def pressed(self, now_ns: int) -> Pressed | None:
        """The widget to show as pressed, and the progress of a hold."""
        if self._press is None or self._press.key is None:
            return None
        key = self._press.key
        held_ms = (now_ns - self._press.since_ns) / MS
        if self._press.stale(now_ns):
            return None
        return Pressed(key.id, min(1.0, max(0.0, held_ms / key.hold_ms)) if key.hold_ms else 0.0)

    def _begin(self, contact: Contact) -> None:
        if self._press is not None and self._press.finger != contact.finger and not self._press.stale(contact.at_ns):
            return
        if self._rejoins(contact):
            return
        deaf = contact.at_ns < self._deaf_until_ns
        key = None if deaf else self._screen.key_at(contact.x_mm, contact.y_mm)
        if key is not None and self._just_pressed(key, contact.at_ns):
            key = None
        self._press = _Press(contact.finger, key, contact.at_ns)

    def _rejoins(self, contact: Contact) -> bool:
        """This contact is the last one that goes on: the panel had lost it for a moment. A mouse loses none."""
        if self._press is not None or self._left is None or contact.finger == MOUSE:
            return False
        press, left = self._left
        near = math.hypot(contact.x_mm - left.x_mm, contact.y_mm - left.y_mm) <= REJOIN_MM
        if not near or contact.at_ns - left.at_ns >= REJOIN_MS * MS:
            return False
        self._press = replace(press, finger=contact.finger)
        return True

    def _just_pressed(self, key: Widget, now_ns: int) -> bool:
        """This very key was pressed a moment ago, and is none that is pressed in quick succession."""
        again = key.id == self._last and now_ns - self._last_ns < self._again_ns
        return again and key.press.partition(" ")[0] not in QUICK

    def _key_under(self, contact: Contact) -> Widget | None:
        """The key pressed, if it is still the one under the contact and still says and asks the same."""
        assert self._press is not None
        begun, here = self._press.key, self._screen.key_at(contact.x_mm, contact.y_mm)
        if begun is None or here is None:
            return None
        same = (begun.id, begun.press, begun.hold_ms) == (here.id, here.press, here.hold_ms)
        return here if same else None

    def _cancel(self) -> None:
        if self._press is not None:
            self._press = replace(self._press, key=None)
        if self._left is not None:
            self._left = replace(self._left[0], key=None), self._left[1]

    def _complete(self, press: _Press, contact: Contact) -> Tap | None:
        if press.key is None:
            return None
        held_ms = (contact.at_ns - press.since_ns) // MS
        shortest_ms = 0 if contact.finger == MOUSE else SHORTEST_MS
        if not max(shortest_ms, press.key.hold_ms) <= held_ms <= _longest_ms(press.key):
            return None
        self._last, self._last_ns = press.key.id, contact.at_ns
        return Tap(press.key.press, self._screen.key, held_ms, contact.x_mm, contact.y_mm, contact.at_ns)


def _longest_ms(key: Widget) -> int:
    return key.hold_ms + LONGEST_MS
