"""The procedure that a book prescribes, beside its numbers: streets, burns, the order of the deal.

Sections .3 to .5 and .7 to .11 of 58 Pa. Code 653a, 671a, 677a and of COMAR 36.05.16. The money is in the paytables; this
is the work of hands. A way of dealing ("shoe", "hand", "automated") is a name that the table knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from firmware.rules.money import Cents
from firmware.rules.strict import Refusal

FIVE = 5
"""So many cards make a hand, where a book does not say otherwise."""


class Street(NamedTuple):
    """One round of questions. `times`: the multiples of the ante offered, the first one by one tap.

    `wager`: the deciding wager that is made on it. `between`: any amount from the least to the most of the multiples may
    be wagered (677a.11(b), (d)). `then`: the community cards that are dealt after it, and `deals` what they are called:
    "flop" has a paragraph "burn flop". On the `last` street a player wagers or folds; on the others who does not wager
    checks.
    """

    name: str
    wager: str
    times: tuple[int, ...]
    cite: str
    then: int = 0
    deals: str = ""
    last: bool = False
    between: bool = False

    @property
    def default(self) -> tuple[str, int]:
        """The choice and the multiple of a player who was not named: a check, or on the last street a wager."""
        return ("play", self.times[0]) if self.last else ("check", 0)

    @property
    def cycle(self) -> tuple[tuple[str, int], ...]:
        """The answers that a seat can give, the default first."""
        wagers = tuple(("play", times) for times in self.times)
        return (*wagers, ("fold", 0)) if self.last else (("check", 0), *wagers)

    def least(self, ante: Cents) -> Cents:
        """The least that may be wagered."""
        return Cents(min(self.times) * ante)

    def most(self, ante: Cents) -> Cents:
        """The most that may be wagered."""
        return Cents(max(self.times) * ante)

    def allows(self, ante: Cents, amount: Cents) -> bool:
        """The amount is one that the book lets this wager be."""
        if self.between:
            return self.least(ante) <= amount <= self.most(ante)
        return any(amount == times * ante for times in self.times)


class Election(NamedTuple):
    """The elections of a player before any card is drawn (671a.11(b)). `draws`: how many cards an option may bring.

    `choice`: "play", "fold", "instant", or "option": a fee of one ante, with the decision after the cards.
    """

    name: str
    choice: str
    cite: str
    draws: tuple[int, ...] = ()

    @property
    def is_option(self) -> bool:
        """It costs the options fee, and cards are drawn for it."""
        return self.choice == "option"

    @property
    def counted(self) -> bool:
        """The player says how many cards."""
        return len(self.draws) > 1

    @property
    def adds(self) -> int:
        """How many cards the hand then has more than was dealt: those bought, and none of those exchanged."""
        return 0 if self.counted else sum(self.draws)


@dataclass(frozen=True, slots=True)
class Procedure:
    """One book's procedures. `cites`: concern -> paragraph; a missing concern is not in that book.

    `hand_cards`: how many cards make a hand. Methods of dealing are named by `burns`, a card before the
    flop, and before turn and river; `cover_card`, the dealer's cards lie under one; `board_first`, the community
    cards come before the players' cards; `six_card_first`, the Six Card box comes before the hands, and
    `six_card_always`, whether or not it was wagered on; `dealer_first`, the dealer's stack comes before the players'.
    `stub_at`: by method, when the stub is counted: in the "deal", before the "reveal", "after" the round.
    `last_card_up`: the dealer's last card lies face up. `idle_spreads_reshuffler`: where nobody plays, the cards are
    spread although a device reshuffles them. `stub_every`: rounds after which the stub is counted, unless the shuffler
    counts. `cut_least`: cards above the cover card at the least. `hours`: a deck's life at the table, by method.
    `box_cards`: how many are dealt to the Six Card box, 0 where there is none.
    """

    hole_cards: int
    board_cards: int
    dealer_cards: int
    box_cards: int
    streets: tuple[Street, ...]
    burns: tuple[str, ...]
    cover_card: tuple[str, ...]
    board_first: tuple[str, ...]
    six_card_first: tuple[str, ...]
    six_card_always: tuple[str, ...]
    dealer_first: tuple[str, ...]
    stub_at: Mapping[str, str]
    last_card_up: bool
    idle_spreads_reshuffler: bool
    elections: Mapping[str, Election]
    cites: Mapping[str, str]
    cover_cards: int
    stub_every: int
    cut_least: int
    hours: Mapping[str, int]
    hand_cards: int = FIVE

    @property
    def play(self) -> str:
        """The wager that is made on the first street."""
        return self.streets[0].wager

    def cite(self, concern: str, method: str = "") -> str:
        """The paragraph of a concern; some stand once for each way of dealing. KeyError: not in this book."""
        return self.cites[f"{concern}:{method}"] if f"{concern}:{method}" in self.cites else self.cites[concern]

    def has(self, concern: str) -> bool:
        """The book has a paragraph about it."""
        return concern in self.cites

    def street(self, name: str) -> Street:
        """A street by its name. Raises Refusal for a name that this game does not have."""
        for street in self.streets:
            if street.name == name:
                return street
        names = " or ".join(one.name for one in self.streets)
        raise Refusal("street", f"is {ascii(name)[:40]}; right would be {names}")

    @property
    def exchanges(self) -> tuple[int, ...]:
        """How many cards may be exchanged for a fee; () where none can be (671a.11(b)(3))."""
        return next((election.draws for election in self.elections.values() if election.counted), ())


def read_procedure(said: Mapping[str, Any]) -> Procedure:
    """The procedures of a book from `[procedure]` of its file. Raises TypeError for what is missing or unknown in it."""
    streets = tuple(Street(**street) for street in said.get("street", ()))
    elections = {name: Election(name, **terms) for name, terms in said.get("elections", {}).items()}
    return Procedure(
        streets=streets,
        elections=MappingProxyType(elections),
        **{key: content for key, content in said.items() if key not in ("street", "elections")},
    )
