"""One round as it lay on the table: seats with their cards, wagers and decisions, and what went wrong. Never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from firmware.rules.money import NO_MONEY, Cents, Micros
from firmware.rules.submission import Submission

DEALER = 0
"""The dealer where a seat could stand: backed by a Super wager, drawn for a Lucky Bonus."""

COUNT_UNKNOWN = 0


class Choice(StrEnum):
    """The choice of a player. PLAY makes a wager that stays in competition with the dealer; OPTION pays a fee for cards.

    NONE: not asked yet.
    """

    NONE = ""
    CHECK = "check"
    PLAY = "play"
    FOLD = "fold"
    INSTANT = "instant"
    OPTION = "option"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a player. `amount`, in cents, and `wager`, what it is called, go with a decision that stakes.

    `street`: where it was made, None in a game without streets.
    """

    choice: Choice
    street: str | None = None
    amount: Cents = NO_MONEY
    wager: str = ""


def multiple(ante: Cents, times: int) -> Cents:
    """The stake of a decision of so many times the ante."""
    return Cents(ante * times)


FOLDS = (Decision(Choice.FOLD),)
LEAVES = (Decision(Choice.ABANDONED),)


@dataclass(frozen=True, slots=True)
class Option:
    """Lunar Poker, for an options fee: a sixth card (nothing discarded), or two to five cards exchanged."""

    discarded: tuple[str, ...]
    drawn: tuple[str, ...]
    unseen: int = 0
    """How many cards were exchanged, where nobody names them."""

    @property
    def exchanged(self) -> int:
        """How many cards were exchanged, 0 where one was bought."""
        return self.unseen or len(self.discarded)


@dataclass(frozen=True)
class Seat:
    """One betting position. `decisions` in the order in which they were made, () of a player who has made none.

    `super_on`: Super wagers on other hands, by seat number or DEALER.
    """

    number: int
    cards: tuple[str, ...]
    wagers: Mapping[str, Cents]
    decisions: tuple[Decision, ...] = ()
    player: str | None = None
    super_on: Mapping[int, Cents] = field(default_factory=dict)
    option: Option | None = None
    declared: bool = True

    @property
    def choice(self) -> Choice | None:
        """The last decision; None of a player who has made none."""
        return self.decisions[-1].choice if self.decisions else None

    @property
    def abandoned(self) -> bool:
        """The player left: every wager of the seat loses (653a.7(b))."""
        return bool(self.decisions) and self.decisions[-1].choice is Choice.ABANDONED

    @property
    def plays(self) -> bool:
        """The last decision made a wager against the dealer."""
        return bool(self.decisions) and self.decisions[-1].choice is Choice.PLAY

    def decided(self, wager: str) -> Cents | None:
        """The stake of the decisions on a wager, in cents; None if none of them made it."""
        if len(self.decisions) == 1:
            [only] = self.decisions
            return only.amount if only.wager == wager else None
        made = [decision.amount for decision in self.decisions if decision.wager == wager]
        return Cents(sum(made)) if made else None


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity. `after_initial_deal` goes with cards_face_up, `deck` with stub_count.

    `misdealt`: the count found all 52 cards, and they were misdealt; the round is void, and the deck stays.
    """

    kind: str
    after_initial_deal: bool = False
    deck: int = COUNT_UNKNOWN
    misdealt: bool = False


class Voiding(NamedTuple):
    """The cause of a void round: its paragraph, and the wagers that it still settles from the cards (reading 12)."""

    cite: str
    still: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Round:
    """`seats` in rising order. `lucky`: a seat number, DEALER, or None. `meters` contain this round's contributions.

    `voids`: what voids it, in the order in which it was found; () of a round that stands.
    """

    submission: Submission
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    six_card: tuple[str, ...]
    magic_card: str | None
    lucky: int | None
    meters: Mapping[str, Micros]
    voids: tuple[Voiding, ...]
    seats: Mapping[int, Seat]

    @property
    def void(self) -> bool:
        """All hands are void."""
        return bool(self.voids)

    def returned_by(self, wager: str) -> str:
        """The first paragraph by which a void round returns a wager; "" for one that is still settled."""
        return next((one.cite for one in self.voids if wager not in one.still), "")
