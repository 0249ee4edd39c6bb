"""Refusals at the edge of a process: counted, and told at a bounded rate, so that garbage cannot fill a journal."""

from __future__ import annotations

from dataclasses import dataclass

COMPLAIN_NS = 10_000_000_000


@dataclass(frozen=True, slots=True)
class Grievance:
    """So many refusals at one place, and the last of them."""

    place: str
    text: str
    count: int


class Grievances:
    """Refusals at each place, counted and rate-limited: told at once the first time, then every ten seconds."""

    def __init__(self) -> None:
        self._waiting: dict[str, Grievance] = {}
        self._told_ns: dict[str, int] = {}

    def hear(self, place: str, text: str) -> None:
        """One more."""
        before = self._waiting.get(place)
        self._waiting[place] = Grievance(place, text, before.count + 1 if before else 1)

    def due(self, now_ns: int) -> list[Grievance]:
        """Those to be told now."""
        told = [c for p, c in self._waiting.items() if now_ns - self._told_ns.get(p, -COMPLAIN_NS) >= COMPLAIN_NS]
        for complaint in told:
            del self._waiting[complaint.place]
            self._told_ns[complaint.place] = now_ns
        return told
