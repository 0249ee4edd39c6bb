"""Refusals at the edge of a process: counted, and told at a bounded rate, so that garbage cannot fill a journal."""

from __future__ import annotations

from dataclasses import dataclass

COMPLAIN_NS = 10_000_000_000
PLACES_MAX = 32
"""A sender may name a new place in every message; so many are told apart, all others are one more place."""
ELSEWHERE = "other places"
PLACE_MAX, TEXT_MAX = 80, 200


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
        """One more. Place and text come from outside: what no file or font can hold is replaced, the rest cut."""
        place, text = _shown(place, PLACE_MAX), _shown(text, TEXT_MAX)
        known = self._waiting.keys() | self._told_ns.keys()
        if place not in known and len(known - {ELSEWHERE}) >= PLACES_MAX:
            place, text = ELSEWHERE, _shown(f"{place}: {text}", TEXT_MAX)
        before = self._waiting.get(place)
        self._waiting[place] = Grievance(place, text, before.count + 1 if before else 1)

    def due(self, now_ns: int) -> list[Grievance]:
        """Those to be told now."""
        self._told_ns = {place: at_ns for place, at_ns in self._told_ns.items() if now_ns - at_ns < COMPLAIN_NS}
        told = [complaint for place, complaint in self._waiting.items() if place not in self._told_ns]
        for complaint in told:
            del self._waiting[complaint.place]
            self._told_ns[complaint.place] = now_ns
        return told


def _shown(text: str, most: int) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:most])
