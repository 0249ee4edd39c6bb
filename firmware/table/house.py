"""The decisions of a casino: rules submission, equipment, assist level, people. Constant while a program runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from firmware.rules.approvals import APPROVALS, Act, Needs
from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName
from firmware.rules.money import Cents
from firmware.rules.procedure import Procedure
from firmware.rules.submission import Submission
from firmware.rules.worlds import Worlds
from firmware.table.procedures import Equipment
from firmware.table.state import TableState


class Person(Struct, frozen=True):
    """A person with a badge. `role`: one of `firmware.rules.approvals.ROLES`."""

    badge: str
    name: str
    role: str


class Drawing(Struct, frozen=True):
    """How often Magic Card and Lucky Bonus are drawn: in one round of so many, 0 never (table.toml; no text says it)."""

    magic_one_in: int = 0
    lucky_one_in: int = 0


class House(Struct, frozen=True, eq=False):
    """The decisions of a casino: rules submission, equipment, assist level, people. Constant while a program runs.

    One house is equal to itself alone, so that results may be kept by it.
    """

    submission: Submission
    procedure: Procedure
    equipment: Equipment
    level: int
    debounce_ns: int
    people: Mapping[str, Person]
    drawing: Drawing = Drawing()
    approvals: Mapping[Act, Needs] = APPROVALS

    def may_sign(self, badge: str, act: Act) -> bool:
        """Somebody of the table whose role signs for this."""
        return badge in self.people and self.people[badge].role in self.approvals[act].roles

    @property
    def worlds(self) -> Worlds:
        """The law of hands over all known facts."""
        return _worlds(self)

    @property
    def game(self) -> Game:
        """The game that is played here."""
        return game_of(self.submission.book.name)

    @property
    def offers_progressive(self) -> bool:
        """The submission has a progressive wager; without one a table has no sensors and no bank."""
        return bool(self.submission.on_sensor)

    @property
    def envy(self) -> Mapping[HandName, Cents]:
        """The hands that bring envy bonuses -> cents of one; nothing where no wager is envied."""
        offer = self.submission.offers.get(self.submission.envied)
        return offer.envy if offer else {}

    @property
    def seats(self) -> int:
        """The most seats that the book allows."""
        return self.submission.book.seats


@lru_cache(maxsize=8)
def _worlds(house: House) -> Worlds:
    return Worlds(house.submission)


class Table(NamedTuple):
    """A table as the law sees it: what the casino decided, and where the table stands."""

    house: House
    state: TableState
