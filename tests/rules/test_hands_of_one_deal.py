"""What hands can lie beside each other in one deal: never is refused what cards can make (653a.12(d)(2), .11(h)(1))."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import combinations, combinations_with_replacement, permutations, product

import pytest

from firmware.rules.cards import DECK
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANKED, HandName, best_hand, five_card_hand

HOLDEM = ("pa-653a", "md-36.05.16", "pa-677a")
DEALS = 6_000
SEATS = 5
Made = Mapping[tuple[str, str], tuple[tuple[str, ...], ...]]
STRAIGHTS = (HandName.ROYAL_FLUSH, HandName.STRAIGHT_FLUSH, HandName.STRAIGHT)
OF_THREE_RANKS = (*STRAIGHTS, HandName.FLUSH, HandName.HIGH_CARD)
OF_A_PAIR = (HandName.FOUR_OF_A_KIND, HandName.FULL_HOUSE)


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


def flops() -> Iterator[tuple[str, ...]]:
    """Each flop once, but for what its suits are called."""
    suits = sorted({card[1] for card in DECK})
    renamed = [dict(zip(suits, order, strict=True)) for order in permutations(suits)]
    for flop in combinations(DECK, 3):
        called = tuple(sorted(flop))
        if called == min(tuple(sorted(card[0] + names[card[1]] for card in flop)) for names in renamed):
            yield flop


@pytest.fixture(scope="module")
def made() -> Made:
    """Two names -> a flop and two times two cards that make them together, of all flops and all cards beside each."""
    found: dict[tuple[str, str], tuple[tuple[str, ...], ...]] = {}
    every = tuple(flops())
    assert len(every) == 1755, "as many flops as differ in more than the names of suits"
    for flop in every:
        twos: dict[str, list[tuple[str, ...]]] = {}
        for two in combinations([card for card in DECK if card not in flop], 2):
            twos.setdefault(five_card_hand((*two, *flop)), []).append(two)
        for one, other in set(combinations_with_replacement(sorted(twos), 2)) - set(found):
            both = (each for each in product(twos[one], twos[other]) if not set(each[0]) & set(each[1]))
            if two_and_two := next(both, None):
                found[one, other] = (flop, *two_and_two)
    return found


@pytest.mark.parametrize("book", HOLDEM)
def test_653a_12d2_two_hands_of_one_flop_are_refused_exactly_where_no_deal_makes_them(book: str, made: Made) -> None:
    game = game_of(book)
    assert {name for pair in made for name in pair} == game.names
    said = {pair: game.share_the_flop(*pair) for pair in combinations_with_replacement(sorted(game.names), 2)}
    assert {pair for pair, can in said.items() if can} == set(made)
    assert all(game.share_the_flop(other, one) == can for (one, other), can in said.items())


def test_653a_12d2_what_no_flop_makes_is_what_the_rows_say(made: Made) -> None:
    pairs = {frozenset(pair) for pair in combinations_with_replacement(RANKED, 2) if HandName.ACE_KING not in pair}
    assert pairs - {frozenset(pair) for pair in made} == {
        *(frozenset(pair) for pair in product(OF_THREE_RANKS, OF_A_PAIR)),
        frozenset({HandName.ROYAL_FLUSH}),
        frozenset({HandName.FOUR_OF_A_KIND}),
    }


def test_653a_12d2_every_two_hands_of_a_full_table_are_accepted() -> None:
    game, seen = game_of("pa-653a"), set()
    for _, (board, *twos) in zip(range(DEALS * 3), deals(1), strict=False):
        seen |= set(combinations(sorted(five_card_hand((*two, *board[:3])) for two in twos), 2))
    assert len(seen) > 30, "rare hands meet each other in these deals"
    assert [pair for pair in seen if not game.share_the_flop(*pair)] == []


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
    assert game.share_the_flop(HandName.FLUSH, HandName.FULL_HOUSE)
