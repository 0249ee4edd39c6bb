"""What a wager is, apart from its paytable: what it needs, what a fold does to it, and what it is settled by."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class SettledBy(StrEnum):
    """What decides a wager."""

    COMPARISON = "comparison"
    """The player's hand against the dealer's."""
    HAND = "hand"
    """What the player's hand is called."""
    BEATEN = "beaten"
    """What the lower of the two hands is called."""
    POCKET = "pocket"
    """The player's own cards alone."""
    SIX = "six"
    """The player's own cards with the Six Card box."""
    DECLARED = "declared"
    """The first cards of a hand, which its player has to declare."""
    PROGRESSIVE = "progressive"
    """Own cards and the flop; a meter belongs to it."""
    FIVE_CARD = "five card"
    """Own or the dealer's cards and the flop; a meter belongs to it, and an account pays."""
    FEE = "fee"
    """Nothing: it is always collected."""


OF_METERS = frozenset({SettledBy.PROGRESSIVE, SettledBy.FIVE_CARD})
PICKED = frozenset({SettledBy.POCKET, SettledBy.SIX, SettledBy.DECLARED})
"""The dealer looks at other cards than the best hand's, and picks the row."""


class Wager(NamedTuple):
    """One kind of wager of a game.

    `required`: no position without it. `companion`: it goes with every ante, and is "equal" to it or "at least" that;
    `cite`: the paragraph that says so. `section`: the part of a submission that offers it. `needs`: another wager that
    has to be there, and `needs_cite`. `price`: it costs what that section says. `backs`: it is on the hands of others,
    an amount for each. `on_dealer`: it is on the dealer's cards. `deciding`: a decision makes it, not the first stakes.
    `forfeited_by_fold`: a fold loses it; under all others a folded hand waits.
    """

    name: str
    settled_by: SettledBy
    section: str
    required: bool = False
    companion: str = ""
    cite: str = ""
    needs: str = ""
    needs_cite: str = ""
    price: str = ""
    backs: bool = False
    on_dealer: bool = False
    deciding: bool = False
    forfeited_by_fold: bool = False

    @property
    def of_meter(self) -> bool:
        """A meter belongs to it."""
        return self.settled_by in OF_METERS

    @property
    def picked(self) -> bool:
        """Other cards than the best hand's decide it: its row is picked."""
        return self.settled_by in PICKED


def read_wagers(file: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Wager]:
    """The wagers of a game from the tables of its file, in their order. Raises TypeError for an unknown attribute."""
    wagers = {
        name: Wager(**{"name": name, "section": name, **said, "settled_by": SettledBy(said["settled_by"])})
        for name, said in file.items()
    }
    return MappingProxyType(wagers)
