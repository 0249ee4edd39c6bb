"""The rows of Six Card that several hands make together, each of two cards and the same four of one box (653a.6(d))."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.rules.hands import HandName

OF_FIVE_RANKS = frozenset({HandName.STRAIGHT, HandName.FLUSH, HandName.STRAIGHT_FLUSH})
"""Royal flushes are too, on whichever row."""
OF_TWO_PAIRS = 4
"""Cards left of two ranks when the box has a pair of each."""


def one_box_makes(rows: Iterable[str]) -> bool:
    """Four cards of a box and as many hands as there are rows can make them in one deal; any other name is below them all.

    Refuses only what no box makes; what it accepts is not counted to the last card of the deck.
    """
    told = [*rows]
    fours, houses, threes = (
        told.count(name) for name in (HandName.FOUR_OF_A_KIND, HandName.FULL_HOUSE, HandName.THREE_OF_A_KIND)
    )
    royals = sum("royal flush" in row for row in told)
    runs = royals + sum(row in OF_FIVE_RANKS for row in told)
    below = len(told) - fours - houses - threes - runs
    four_alike = fours == len(told)
    three_alike = fours <= 1 and not runs and not below
    two_pairs = 2 * fours + houses <= OF_TWO_PAIRS and not runs and not threes
    three_ranks_or_four = fours <= 1 and royals <= 1  # two royal flushes would want the same card beside the box
    return four_alike or three_alike or two_pairs or three_ranks_or_four
