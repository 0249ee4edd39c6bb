"""A wager apart from its paytable: its needs, the effect of a fold, and how it is settled."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class SettledBy(StrEnum):
    """How a wager is decided."""

    COMPARISON = "comparison"
    """The player's hand against the dealer's."""
    HAND = "hand"
    """By the name of the player's hand."""
    BEATEN = "beaten"
    """By the name of the lower of the two hands."""
    POCKET = "pocket"
    """The player's own cards alone."""
    SIX = "six"
    """The player's own cards with the Six Card box."""
    DECLARED = "declared"
    """The first cards of a hand, which its player has to declare."""
    METER = "meter"
    """By the name of the own, or the dealer's, cards with the flop; a meter belongs to it."""
    FEE = "fee"
    """Nothing: it is always collected."""


class Placed(StrEnum):
    """By what a wager with a meter is made. `BOX`: every other wager, by chips in its box."""

    BOX = ""
    SENSOR = "sensor"
    """A chip on the seat's sensor; the rack pays."""
    ACCOUNT = "account"
    """A button of the seat, which takes it from the player's account; the account is paid."""


PROGRESSIVE = "progressive"
FIVE_CARD = ("five_card_player", "five_card_dealer")
"""The wagers that buttons make from an account: on the own hand, and on the dealer's."""
PICKED = frozenset({SettledBy.POCKET, SettledBy.SIX, SettledBy.DECLARED})
"""The dealer looks at other cards than the best hand's, and picks the row."""


class Wager(NamedTuple):
    """One kind of wager of a game.

    `required`: no position without it. `companion`: it goes with every ante, and is "equal" to it or "at least" that;
    `cite`: the paragraph that says so. `section`: the part of a submission that offers it. `needs`: another wager that
    has to be there, and `needs_cite`. `placed`: by what a wager with a meter is made; it costs what its section says.
    `envied`: hands of the book's envy table bring those who made it a bonus. `bonuses`: (what is drawn for those who made
    it, what that is called among the payments). `backs`: it is on the hands of others, an
    amount for each. `on_dealer`: it is on the dealer's cards. `deciding`: a decision makes it, not the first stakes.
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
    placed: Placed = Placed.BOX
    envied: bool = False
    bonuses: tuple[tuple[str, str], ...] = ()
    backs: bool = False
    on_dealer: bool = False
    deciding: bool = False
    forfeited_by_fold: bool = False

    @property
    def of_meter(self) -> bool:
        """A meter belongs to it."""
        return self.settled_by is SettledBy.METER

    def bonus(self, drawn: str) -> str:
        """The name among the payments of something that is drawn for those who made the wager. KeyError: it never is."""
        return dict(self.bonuses)[drawn]

    @property
    def pays(self) -> tuple[str, ...]:
        """The names of payments for it: its own prizes, its bonuses, envy."""
        return (self.name, *(name for _, name in self.bonuses), *(["envy"] if self.envied else ()))

    @property
    def picked(self) -> bool:
        """Other cards than the best hand's decide it: its row is picked."""
        return self.settled_by in PICKED


def read_wagers(file: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Wager]:
    """The wagers of a game from the tables of its file, in their order. TypeError: an unknown attribute."""
    wagers = {name: Wager(**{"name": name, "section": name, **said, **_chosen(said)}) for name, said in file.items()}
    return MappingProxyType(wagers)


def _chosen(said: Mapping[str, Any]) -> dict[str, Any]:
    return {"settled_by": SettledBy(said["settled_by"]), "placed": Placed(said.get("placed", ""))} | {
        "bonuses": tuple(said.get("bonuses", {}).items())
    }
