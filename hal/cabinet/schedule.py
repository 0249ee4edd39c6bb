"""The schedule of a cabinet's world: acts by their time, done in order by the one thread that asks."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable


class Schedule:
    """A heap of acts for one thread. Times are ns of CLOCK_MONOTONIC."""

    def __init__(self) -> None:
        self._acts: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0

    @property
    def pause_s(self) -> float | None:
        """Seconds until the next act is due; None: nothing is to come."""
        return max(0, self._acts[0][0] - time.monotonic_ns()) / 1e9 if self._acts else None

    def later(self, at_ns: int, act: Callable[[], None]) -> None:
        """Do this then; acts of one instant are done in the order in which they were asked for."""
        self._order += 1
        heapq.heappush(self._acts, (at_ns, self._order, act))

    def let_come(self) -> None:
        """Do all that is due."""
        while self._acts and self._acts[0][0] <= time.monotonic_ns():
            heapq.heappop(self._acts)[2]()
