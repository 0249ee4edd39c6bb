"""The flop as a part of hands of two cards and it, and the hands that one flop makes in one round (653a.12(d)(2)).

A flop is a part of everybody's hand. So the names of several hands may leave only one kind of flop, and that may be one
with which every hand wins a prize.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache

from firmware.rules.hands import RANK_OF, RANKED, HandName

FLOP_CARDS = 3


class Flop(Enum):
    """The relation of a flop to a hand of two cards and it."""

    ALIKE = "three of one rank"
    PAIRED = "two of one rank"
    SUITED = "three ranks of one suit"
    MIXED = "three ranks, not of one suit"


ANY_FLOP = frozenset(Flop)
OF_THREE_RANKS = frozenset({Flop.SUITED, Flop.MIXED})

_NOT_ALIKE = ANY_FLOP - {Flop.ALIKE}
_WITH: Mapping[str, frozenset[Flop]] = {
    HandName.ROYAL_FLUSH: frozenset({Flop.SUITED}),
    HandName.STRAIGHT_FLUSH: frozenset({Flop.SUITED}),
    HandName.FOUR_OF_A_KIND: frozenset({Flop.ALIKE, Flop.PAIRED}),
    HandName.FULL_HOUSE: frozenset({Flop.ALIKE, Flop.PAIRED}),
    HandName.FLUSH: frozenset({Flop.SUITED}),
    HandName.STRAIGHT: OF_THREE_RANKS,
    HandName.THREE_OF_A_KIND: ANY_FLOP,
    HandName.TWO_PAIR: _NOT_ALIKE,
    HandName.PAIR: _NOT_ALIKE,
    HandName.HIGH_CARD: OF_THREE_RANKS,
}
"""Name of a hand of two cards and the flop -> the flops it can be made with."""

LEAST: Mapping[Flop, HandName] = {
    Flop.ALIKE: HandName.THREE_OF_A_KIND,
    Flop.PAIRED: HandName.PAIR,
    Flop.SUITED: HandName.HIGH_CARD,
    Flop.MIXED: HandName.HIGH_CARD,
}
"""The lowest hand that two more cards can make with it, and so any five or seven cards that it is among."""

_NOT_BELOW = {name: frozenset(RANKED[RANKED.index(name) :]) - {HandName.ACE_KING} for name in _WITH}
NOT_OF_FIVE_RANKS = frozenset({HandName.FULL_HOUSE, HandName.FOUR_OF_A_KIND})
"""Hands that two cards never make with five of different ranks: they make two pair or three of one rank at the most."""
IN_SEVEN: Mapping[str, frozenset[str]] = {
    HandName.FOUR_OF_A_KIND: frozenset({HandName.FOUR_OF_A_KIND}),
    HandName.FULL_HOUSE: NOT_OF_FIVE_RANKS,
    HandName.TWO_PAIR: _NOT_BELOW[HandName.TWO_PAIR] - {HandName.THREE_OF_A_KIND},
    HandName.THREE_OF_A_KIND: _NOT_BELOW[HandName.THREE_OF_A_KIND],
    HandName.PAIR: _NOT_BELOW[HandName.PAIR],
    **{name: _NOT_BELOW[name] - NOT_OF_FIVE_RANKS for name in _WITH if _WITH[name] <= OF_THREE_RANKS},
}
"""Name of a hand of five cards -> the names that the best five of these and two more can have.

Two more cards make no full house of five ranks, and no five ranks of a full house (653a.6(b), .12(d)(2)).
"""

FLUSHES_MOST = 5
"""Ten cards of a suit are left beside a flop of three."""
STRAIGHT_FLUSHES_MOST = 2
"""With one flop; a third one would need a card of the other two."""
THREES_MOST = 3
"""With a flop of three ranks: a pair in the hand of each rank."""


def flop_of(cards: Sequence[str]) -> Flop:
    """The kind of three cards."""
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    if len(ranks) < FLOP_CARDS:
        return Flop.ALIKE if len(ranks) == 1 else Flop.PAIRED
    return Flop.SUITED if len(suits) == 1 else Flop.MIXED


def flops(hands: Iterable[str]) -> frozenset[Flop]:
    """The flops with which hands of these names, each of two other cards and it, can all be dealt in one round.

    Exact for what wins a prize, of at most seven hands; what is below three of a kind is not counted against the deck.
    """
    return _flops(tuple(sorted(hands)))


@lru_cache(maxsize=1024)
def _flops(hands: tuple[str, ...]) -> frozenset[Flop]:
    """Wanted at every answer of the same few prizes."""
    told = Counter(hands)
    return frozenset(flop for flop in Flop if all(flop in _WITH[hand] for hand in told) and _are_there(flop, told))


def _are_there(flop: Flop, told: Counter[str]) -> bool:
    """The deck has the cards for all of them, beside a flop that can make each."""
    fours, houses, threes = (
        told[HandName.FOUR_OF_A_KIND],
        told[HandName.FULL_HOUSE],
        told[HandName.THREE_OF_A_KIND],
    )
    if flop is Flop.ALIKE:
        return fours <= 1
    if flop is Flop.PAIRED:  # two are left of the one rank, three of the other: one full house can do without the first
        return houses <= 2 and 2 * fours + threes + max(houses - 1, 0) <= 2
    royals, runs = told[HandName.ROYAL_FLUSH], told[HandName.STRAIGHT_FLUSH]
    return (
        threes <= THREES_MOST
        and royals <= 1
        and royals + runs <= STRAIGHT_FLUSHES_MOST
        and royals + runs + told[HandName.FLUSH] <= FLUSHES_MOST
    )


def least(left: Iterable[Flop]) -> HandName:
    """The lowest hand that anybody has, whichever of these flops it is; high card for none of them."""
    return min((LEAST[flop] for flop in left), key=RANK_OF.__getitem__, default=HandName.HIGH_CARD)
