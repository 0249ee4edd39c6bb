"""The shuffler beside a rehearsed table, and the hands that swap its decks."""

from __future__ import annotations

from firmware.proof.rehearse.steps import ShufflerSays
from firmware.table.house import House
from firmware.table.inputs import ShufflerSeen
from firmware.table.interlock import machine_used
from firmware.table.procedures import AUTOMATED, DECK
from firmware.table.state import MachineWork, Prepared, TableState
from firmware.wire.structs import replace

UNIT = "S-1"
LOST = {"connected": False, "mode": "off", "count": None, "deck": "", "fault": ""}
"""A table's view of a unit whose cable is out."""


class Machine:
    """A unit. While it works by itself it has the deck that comes next ready, whole; else it says what it was told to."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.by_itself = True
        """It does what a machine that is well does; a script has told it nothing."""
        self._there = True
        self._status = ShufflerSeen(True, UNIT, "ready", DECK if house.equipment.counts else None, "", "", 0)

    def says(self, state: TableState) -> ShufflerSeen | None:
        """Its status; None where there is no machine."""
        if not self._house.equipment.machine:
            return None
        if self.by_itself:
            self._status = self._working(state)
        return self._status if self._there else replace(self._status, **LOST)  # type: ignore[arg-type]

    def tell(self, said: ShufflerSays) -> None:
        """From now on it says this; what is not named stays."""
        self.by_itself = False
        now = self._status
        self._status = replace(
            now,
            mode=now.mode if said.mode is None else said.mode,
            count=None if said.uncounted else now.count if said.count is None else said.count,
            deck=now.deck if said.deck is None else said.deck,
            fault=now.fault if said.fault is None else said.fault,
            alarm=now.alarm + said.alarm,
        )

    def plug(self, there: bool) -> None:
        """Its cable is out, or in again."""
        self._there = there

    def works_by_itself(self) -> None:
        """Every fault is mended."""
        self.by_itself = True

    def _working(self, state: TableState) -> ShufflerSeen:
        counts, deck = self._house.equipment.counts, self._next(state)
        now = replace(self._status, fault="", deck=deck)
        if not machine_used(self._house, state):  # its cards were taken out
            return replace(now, mode="service", count=0 if counts else None, deck="")
        if self._status.mode != "shuffling" and not self._has_shuffled(state, deck):
            return replace(now, mode="shuffling", count=None)
        return replace(now, mode="ready", count=DECK if counts else None)

    def _has_shuffled(self, state: TableState, deck: str) -> bool:
        """After every round, and when a shuffle is ordered, it has to be seen to begin (653a.5(a))."""
        decks = state.decks
        holds = (self._status.mode, self._status.deck) == ("ready", deck)
        in_use = bool(decks.cards) and not decks.reshuffle
        return holds and (in_use or decks.work is MachineWork.DONE)

    def _next(self, state: TableState) -> str:
        """The back color of what lies inside: the next deck, or the other one where that was cut by hand."""
        here, deck = state.decks.here, state.deck
        if deck is None:
            return self._house.equipment.colors[-1]
        if state.decks.cards in (Prepared.CUT, Prepared.PRESHUFFLED) and self._house.equipment.method != AUTOMATED:
            return next((other.color for other in here if other.number != deck.number), deck.color)
        return deck.color
