"""The words of a dealer about a seat, without cards."""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import NamedTuple

RESULTS: Mapping[str, int] = MappingProxyType({"higher": 1, "equal": 0, "lower": -1})
"""The player's hand against the dealer's, as a dealer says it."""

RESULT_OF: Mapping[int, str] = MappingProxyType({compared: word for word, compared in RESULTS.items()})

NONE_OF_THESE = ""
"""Among the choices of an answer: the hand is on no row, or below all of them."""


class Made(NamedTuple):
    """The values of a seat's cards: the result (None if the dealer's cards are unknown), the hand's name ("" of too few),
    (wager, row) of each wager that is on its own cards, and what it is called with the flop alone, on which the wagers of
    a meter win ("" where none is offered).
    """

    result: str | None
    hand: str
    rows: tuple[tuple[str, str], ...]
    flopped: str = ""

    def agrees(self, question: str, choice: str, choices: Container[str]) -> bool:
        """This is the true answer, among these choices, or one that these cards do not say."""
        said = {**dict(self.rows), "result": self.result, "hand": self.hand or None}.get(question)
        return said is None or choice == (said if said in choices else NONE_OF_THESE)


NOTHING_SAID: Mapping[str, str] = MappingProxyType({})


class Told(NamedTuple):
    """The words of a dealer about one seat, without cards.

    `qualifies`: the dealer's hand does (a pair or better; Lunar Poker: ace-king or better). `result`: a key of `RESULTS`,
    "" of a hand that was not compared. `hand`, `dealer_hand`: what they are called, "" unknown or below all that pays.
    `side`: the row on which a wager with cards of its own wins: `six_card_bonus`, `pocket_bonus`, Lunar Poker's `super`,
    `super:dealer`, `super:4` and `instant`; a wager that is not here loses. `second`: the row of Lunar Poker's second
    combination. `undeclared`: the Supers on other players' hands that were not declared (671a.11(c)(1)). `dealer_row`: the
    row that the dealer's hand wins a declared wager on, for every backer: "" none, None if nobody said it.
    """

    qualifies: bool
    result: str = ""
    hand: str = ""
    dealer_hand: str = ""
    side: Mapping[str, str] = NOTHING_SAID
    second: str = ""
    undeclared: frozenset[str] = frozenset()
    dealer_row: str | None = None

    @property
    def compared(self) -> int:
        """Above, below or at zero as the player's hand is against the dealer's, or was not compared with it."""
        return RESULTS.get(self.result, 0)

    @property
    def beaten(self) -> str:
        """The name of the lower of the two hands, "" if they are equal."""
        return {"higher": self.dealer_hand, "lower": self.hand}.get(self.result, "")

    def answer(self, question: str) -> str:
        """The answer to one of the questions of `Worlds.questions`; "" is none of the choices."""
        if question == "qualifies":
            return "yes" if self.qualifies else "no"
        said = {"result": self.result, "hand": self.hand, "dealer_hand": self.dealer_hand, "second": self.second}
        return said[question] if question in said else self.side.get(question, "")
