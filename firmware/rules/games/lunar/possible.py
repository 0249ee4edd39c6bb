"""The hands that are possible after a declaration on a row of the Super list, and their second combinations.

They come from all hands of five cards, and of six with each as the bought one; `tests/rules/test_lunar_combinations.py`
deals them all, and finds these and no others. A second combination is the best-paid one with a card outside the winning one
(671a.11(f)(2)(ii), reading 7): beside a straight and a sixth card of one of its ranks it is another straight, never a pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from firmware.rules.hands import HandName
from firmware.rules.told import NONE_OF_THESE

NONE = NONE_OF_THESE
HIGH, AK, PAIR, TWO, THREE = (
    HandName.HIGH_CARD,
    HandName.ACE_KING,
    HandName.PAIR,
    HandName.TWO_PAIR,
    HandName.THREE_OF_A_KIND,
)
STRAIGHT, FLUSH, FULL, FOUR = HandName.STRAIGHT, HandName.FLUSH, HandName.FULL_HOUSE, HandName.FOUR_OF_A_KIND
SF, ROYAL = HandName.STRAIGHT_FLUSH, HandName.ROYAL_FLUSH
PICTURES, AKQ, COLOR = HandName.FIVE_PICTURE_CARDS, HandName.ACE_KING_QUEEN, HandName.SAME_COLORED_FIVE

Beside = Mapping[str, frozenset[str]]
"""hand -> the second combinations that it can hold, NONE_OF_THESE for none."""


def _beside(held: Mapping[HandName, tuple[str, ...]]) -> Beside:
    return {hand: frozenset(seconds) for hand, seconds in held.items()}


def _of_any(rows: Mapping[str, Beside]) -> Beside:
    """A player who declared nothing may hold a hand of any row."""
    hands = {*chain.from_iterable(rows.values())}
    return {hand: frozenset().union(*(beside.get(hand, frozenset()) for beside in rows.values())) for hand in hands}


_ON_NO_ROW_OF_FIVE = {HIGH: (NONE,), AK: (NONE,), PAIR: (AK, NONE), TWO: (AK, NONE)}
_OF_FIVE = {
    FOUR: _beside({FOUR: (AK, NONE)}),
    PICTURES: _beside({TWO: (NONE,), THREE: (NONE,), FULL: (NONE,)}),
    FULL: _beside({FULL: (NONE,)}),
    FLUSH: _beside({FLUSH: (NONE,)}),
    STRAIGHT: _beside({STRAIGHT: (NONE,)}),
    THREE: _beside({THREE: (AK, NONE)}),
    AKQ: _beside({AK: (NONE,), PAIR: (AK,), TWO: (AK, NONE), ROYAL: (NONE,)}),
    COLOR: _beside({**_ON_NO_ROW_OF_FIVE, SF: (NONE,)}),
    NONE: _beside(_ON_NO_ROW_OF_FIVE),
}
FIVE: Mapping[str, Beside] = {**_OF_FIVE, NONE: _of_any(_OF_FIVE)}
"""Declared row -> five cards as they were dealt; under NONE what nobody declared. Among them only ace-king can be second."""

_LOW_OF_SIX = {HIGH: (NONE,), AK: (NONE,), PAIR: (AK, NONE), TWO: (TWO, AK, NONE), THREE: (AK, NONE)}
_MADE_BY_THE_SIXTH = {STRAIGHT: (STRAIGHT, AK, NONE), FLUSH: (STRAIGHT, PAIR, AK, NONE), FULL: (AK, NONE)}
_OF_SIX = {
    FOUR: _beside({FOUR: (FULL, AK, NONE)}),
    PICTURES: _beside({TWO: (TWO, AK, NONE), THREE: (AK, NONE), FULL: (FULL, AK, NONE), FOUR: (FULL, NONE)}),
    FULL: _beside({FULL: (FULL, AK, NONE), FOUR: (FULL,)}),
    FLUSH: _beside({FLUSH: (FLUSH, STRAIGHT, PAIR, AK, NONE), SF: (SF, FLUSH), ROYAL: (SF, FLUSH)}),
    STRAIGHT: _beside({STRAIGHT: (STRAIGHT, AK, NONE), FLUSH: (STRAIGHT,), SF: (STRAIGHT,), ROYAL: (STRAIGHT,)}),
    THREE: _beside({THREE: (AK, NONE), FULL: (AK, NONE), FOUR: (AK, NONE)}),
    AKQ: _beside(
        {
            AK: (NONE,),
            PAIR: (AK,),
            TWO: (TWO, AK, NONE),
            THREE: (AK,),
            STRAIGHT: (STRAIGHT, NONE),
            FLUSH: (STRAIGHT, PAIR, AK, NONE),
            FULL: (AK, NONE),
            SF: (STRAIGHT,),
            ROYAL: (SF, FLUSH, STRAIGHT, NONE),
        }
    ),
    COLOR: _beside(
        {**_LOW_OF_SIX, **_MADE_BY_THE_SIXTH, SF: (SF, FLUSH, STRAIGHT, AK, NONE), ROYAL: (SF, STRAIGHT, NONE)}
    ),
    NONE: _beside({**_LOW_OF_SIX, **_MADE_BY_THE_SIXTH, SF: (STRAIGHT, AK, NONE), ROYAL: (STRAIGHT, NONE)}),
}
SIX: Mapping[str, Beside] = {**_OF_SIX, NONE: _of_any(_OF_SIX)}
"""Declared row of the first five -> them and a bought card; no card that is bought makes a hand lower."""

NOT_WITH_THREE_KEPT: Mapping[str, frozenset[str]] = {
    FOUR: frozenset({HIGH, AK, STRAIGHT, FLUSH, FOUR, SF, ROYAL}),
    FULL: frozenset({HIGH, AK, STRAIGHT, FLUSH, SF, ROYAL}),
    FLUSH: frozenset({FULL, FOUR}),
    STRAIGHT: frozenset({FULL, FOUR}),
}
"""Declared row -> the names that no hand has after two cards were exchanged; after more it can have any."""

FEWEST_EXCHANGED = 2


def beside(row: str, *, bought: bool, exchanged: int) -> Beside:
    """The final names of a hand declared on this row, "" for none, and its possible second combinations.

    `bought`: with a sixth card; `exchanged`: how many of the five were replaced.
    """
    if bought:
        return SIX[row]
    if not exchanged:
        return FIVE[row]
    left_out = NOT_WITH_THREE_KEPT.get(row, frozenset()) if exchanged == FEWEST_EXCHANGED else frozenset()
    return {hand: seconds for hand, seconds in FIVE[NONE].items() if hand not in left_out}
