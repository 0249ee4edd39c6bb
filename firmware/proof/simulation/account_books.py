"""The books of an auditor at a table (`account`): money by its owner, and the events of the round that is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, NamedTuple, TypeVar

from firmware.proof.simulation.hands import Cards
from firmware.rules.money import Micros

Written = TypeVar("Written", bound=dict[Any, Any])


class Choice(NamedTuple):
    """A player's decision: "play", "fold", "instant", "option" or "left"; where, and its stake."""

    kind: str
    at: str = ""
    amount: int = 0


class Moved(NamedTuple):
    """Chips that crossed the table at a seat, in cents. `why`: seat, pass, draw, prize, claim or envy."""

    why: str
    seat: int
    wager: str
    take: int
    pay: int
    source: str = "rack"


@dataclass
class Books:
    """One state of everything. `copy` before a press, so that UNDO finds it again."""

    players: Counter[int] = field(default_factory=Counter)
    """By seat: what a player has more than when the shift began, below zero less."""
    rack: int = 0
    drop: int = 0
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Payments of the cage, and of attendants."""
    credits: Counter[int] = field(default_factory=Counter)
    """By seat: the account."""
    meters: dict[str, Micros] = field(default_factory=dict)
    boxes: dict[int, dict[str, int]] = field(default_factory=dict)
    """The players and their stakes, round after round."""
    joined: frozenset[int] = frozenset()
    """Boxes whose player holds the one before it too."""
    round: int = 0
    compared: int = 0

    # The decks
    here: dict[int, str] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    came: frozenset[int] = frozenset()
    highest: int = 0
    dealt: int = 0
    covered: bool = False
    """The shuffler is covered: the table plays with one deck (653a.3(a))."""
    stays: bool = False
    """It was when the last round ended: the same deck again."""

    uncounted: int = 0
    """Rounds since a stub was counted."""

    # This round
    counted: bool = False
    """The stub was."""
    dealing: int = 0
    """The deck from which cards were dealt."""
    cards: Cards | None = None
    drawn: tuple[str, int | None] = ("", None)
    lit: frozenset[int] = frozenset()
    pushed: frozenset[tuple[int, str]] = frozenset()
    choices: dict[int, Choice] = field(default_factory=dict)
    fees: dict[int, int] = field(default_factory=dict)
    left: frozenset[int] = frozenset()
    envy_named: tuple[int, tuple[int, int]] | None = None
    """Seat, and what its tile took and paid when an envy was named there after its own wagers: with that key, or later."""
    void: tuple[Mapping[str, Any], ...] = ()
    """The causes that voided it, in the order of their signatures."""
    problem: str = ""
    moves: tuple[Moved, ...] = ()
    attended: frozenset[int] = frozenset()
    """Seats whose fixed prize an attendant brings."""
    named: str = ""
    """The wager whose prize is being claimed."""
    rejected: frozenset[tuple[int, str]] = frozenset()
    corrected: bool = False
    returned: dict[int, tuple[int, int]] = field(default_factory=dict)
    earlier: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The same before the round was void once more: the screen names only what is new then."""
    taken_back: dict[int, int] = field(default_factory=dict)
    of_left: dict[int, int] = field(default_factory=dict)
    """Losses of players who left a void round, on wagers that are still settled."""
    paid_before: Counter[int] = field(default_factory=Counter)
    still_out: Counter[int] = field(default_factory=Counter)
    """By seat, cents that a correction undid and nothing was settled for since."""

    def copy(self) -> Books:
        """The same, to be written on; the cards lie as they lie."""
        other = copy(self)
        for name in _WRITTEN:
            setattr(other, name, _copied(getattr(self, name)))
        return other

    def next_round(self) -> None:
        """Nothing of the round that was cleared is left."""
        fresh = Books()
        for name in _OF_A_ROUND:
            setattr(self, name, getattr(fresh, name))


def _copied(written: Written) -> Written:
    """The same again; `copy` would count the entries of a Counter again."""
    other = type(written)()
    dict.update(other, written)
    return other


_WRITTEN = tuple(one.name for one in fields(Books) if one.name != "cards" and one.default_factory is not MISSING)
"""Books that are continued; all others are replaced."""
_OF_A_ROUND = (
    *("counted", "dealing", "cards", "drawn", "lit", "pushed", "choices", "fees", "left", "void", "problem", "moves"),
    *(
        "envy_named",
        "attended",
        "rejected",
        "corrected",
        "returned",
        "earlier",
        "taken_back",
        "of_left",
        "paid_before",
        "still_out",
    ),
)
