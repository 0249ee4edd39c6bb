"""The contacts of a cabinet, which bounce as real ones do: sensors, the lockout switch, buttons."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from functools import partial

from hal.cabinet.schedule import Schedule
from hal.cabinet.wire import Place

BOUNCE_MS = 5.0
MS = 1_000_000


class Contacts:
    """Raw levels, in the middle of a bounce too, and when each last changed.

    places: each contact with its level at the start. edge: told of every change. settled: told when a later edge came.
    chance: of the bounce; None: contacts do not bounce.
    """

    def __init__(
        self,
        places: Iterable[tuple[Place, bool]],
        coming: Schedule,
        edge: Callable[[Place, bool, int], None],
        settled: Callable[[], None],
        chance: random.Random | None,
    ) -> None:
        self.levels = dict(places)
        self.changed_ns = dict.fromkeys(self.levels, 0)
        self.moving = 0
        """How many movements of contacts are still to come, those of a finger that is on its way too."""
        self._coming = coming
        self._edge = edge
        self._settled = settled
        self._chance = chance
        self._bouncing = dict.fromkeys(self.levels, 0)
        """A number for each contact that rises with every new movement: what an older one still had to do is void."""

    def move(self, place: Place, on: bool) -> None:
        """A contact goes to a new level, as a real one does: some edges within 5 ms, then it is steady."""
        if self._chance is not None and on != self.levels[place]:
            pairs = self._chance.randint(0, 3)
            self.chatter(place, on, sorted(self._chance.uniform(0.2, BOUNCE_MS) for _ in range(2 * pairs)))
        else:
            self.chatter(place, on, [])

    def chatter(self, place: Place, on: bool, after_ms: list[float]) -> None:
        """Go to the level now, and to the other one at each of the instants. Their number is even."""
        self._bouncing[place] += 1
        number, began_ns = self._bouncing[place], time.monotonic_ns()
        for step, ms in enumerate(after_ms):
            level = on != (step % 2 == 0)
            self.moving += 1
            self._coming.later(began_ns + int(ms * MS), partial(self._flip_later, place, level, number))
        self._flip(place, on, number)

    def _flip_later(self, place: Place, on: bool, number: int) -> None:
        self.moving -= 1
        self._flip(place, on, number)
        self._settled()

    def _flip(self, place: Place, on: bool, number: int) -> None:
        if number != self._bouncing[place] or self.levels[place] == on:
            return
        now_ns = time.monotonic_ns()
        self.levels[place], self.changed_ns[place] = on, now_ns
        self._edge(place, on, now_ns)
