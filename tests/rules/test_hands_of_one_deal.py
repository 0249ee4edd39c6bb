"""What hands can lie beside each other in one deal: never is refused what cards can make (653a.11(h)(1))."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firmware.rules.cards import DECK
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName, best_hand

HOLDEM = ("pa-653a", "md-36.05.16", "pa-677a")
DEALS = 6_000
LEAST, SEATS = 17, 5


def deals(seed: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """(board, dealer's two, each seat's two) of deals from a part of a deck, so that rare hands meet each other often."""
    chance = random.Random(seed)
    suits, ranks = sorted({card[1] for card in DECK}), "23456789TJQKA"
    while True:
        low = chance.randrange(0, 9)
        near = ranks[low : low + chance.randrange(5, 14)]
        there = chance.sample(suits, chance.choice((1, 2, 3, 4, 4)))
        part = [card for card in DECK if card[0] in near and card[1] in there]
        if len(part) >= 7:
            seats = min(SEATS, (len(part) - 5) // 2)
            cards = chance.sample(part, 5 + 2 * seats)
            yield tuple(cards[:5]), *(tuple(cards[at : at + 2]) for at in range(5, len(cards), 2))


@pytest.mark.parametrize("book", HOLDEM)
def test_653a_11h1_677a_11h_no_hand_that_is_dealt_beside_a_dealer_below_a_pair_is_refused(book: str) -> None:
    game, beside = game_of(book), set()
    for _, (board, dealer, *twos) in zip(range(DEALS), deals(2), strict=False):
        if not game.qualifies(best_hand((*dealer, *board)).name):
            beside |= {best_hand((*two, *board)).name for two in twos}
    assert len(beside) >= 5 and beside <= game.beside_the_dealer(qualifies=False)
    assert game.names - game.beside_the_dealer(qualifies=False) == {HandName.FULL_HOUSE, HandName.FOUR_OF_A_KIND}
    assert game.beside_the_dealer(qualifies=True) == game.names


def test_lunar_poker_has_no_board_and_nothing_is_refused_there() -> None:
    game = game_of("pa-671a")
    assert game.beside_the_dealer(qualifies=False) == game.beside_the_dealer(qualifies=True) == game.names
