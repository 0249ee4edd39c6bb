"""The evaluator, against arithmetic (known frequencies of every class) and against two evaluators of other people."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, pairwise
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.cards import DECK, RANKS, CardError, parse_card
from firmware.rules.hands import (
    CLASSES,
    HandName,
    best_hand,
    class_of,
    few_cards,
    five_card_hand,
    name_of,
    strength,
)

# How many hands of five, six and seven cards make each class at best, out of all of them.
FREQUENCIES = {
    5: (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4),
    6: (6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188),
    7: (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324),
}

LADDER = [
    "7h 5c 4d 3s 2h", "Ah Kc Qd Js 9h", "2h 2c 5d 4s 3h", "Ah Ac Kd Qs Jh", "3h 3c 2d 2s 4h", "Ah Ac Kd Ks Qh",
    "2h 2c 2d 4s 3h", "Ah Ac Ad Ks Qh", "Ah 2c 3d 4s 5h", "2h 3c 4d 5s 6h", "Th Jc Qd Ks Ah", "2h 3h 4h 5h 7h",
    "Ah Kh Qh Jh 9h", "2h 2c 2d 3s 3h", "Ah Ac Ad Ks Kh", "2h 2c 2d 2s 3h", "Ah Ac Ad As Kh", "Ah 2h 3h 4h 5h",
    "9h Th Jh Qh Kh", "Th Jh Qh Kh Ah",
]  # fmt: skip


@pytest.mark.parametrize("count", [5, 6, 7])
def test_the_frequencies_are_complete(count: int) -> None:
    assert sum(FREQUENCIES[count]) == comb(52, count)


def test_653a_6_b_every_rank_beats_the_one_below() -> None:
    """Highest and lowest of every rank as 653a.6(b) names them, in rising order."""
    strengths = [strength(hand.split()) for hand in LADDER]
    assert strengths == sorted(set(strengths))


def test_653a_6_c_equal_ranks_tie_whatever_the_suits() -> None:
    assert strength(["Ah", "Kc", "Qd", "Js", "9h"]) == strength(["As", "Kd", "Qc", "Jh", "9d"])
    assert strength(["Ah", "Kh", "Qh", "Jh", "9h"]) == strength(["Ad", "Kd", "Qd", "Jd", "9d"])


@pytest.mark.slow
def test_all_2598960_hands_of_five() -> None:
    counted = Counter(class_of(strength(hand)) for hand in combinations(DECK, 5))
    assert tuple(counted[class_] for class_ in range(10)) == FREQUENCIES[5]


@pytest.mark.parametrize("count", [6, 7])
@pytest.mark.slow
def test_all_hands_of_six_and_seven_by_class(count: int) -> None:
    """All 20,358,520 and 133,784,560 of them, each suit pattern counted once with its weight."""
    assert tuple(by_class(count)) == FREQUENCIES[count]


def by_class(count: int) -> list[int]:
    """How many hands of so many cards fall into each class: with a flush by suited ranks, without one by ranks alone."""
    found = [0] * 10
    for suited in range(5, count + 1):
        others = comb(39, count - suited)
        for ranks in combinations(RANKS, suited):
            fill = [card for card in DECK if card[1] == "c"][: count - suited]
            class_ = class_of(strength([rank + "s" for rank in ranks] + fill))
            found[class_] += 4 * others
    for held, ways in multisets(count):
        found[class_of(strength(offsuit(held)))] += ways
    return found


def multisets(count: int) -> Iterable[tuple[tuple[int, ...], int]]:
    """How often each rank is held, and in how many ways suits can be chosen so that no suit has five."""
    for held in held_ranks(count, 13):
        yield held, suit_ways(tuple(sorted(number for number in held if number)))


def held_ranks(count: int, ranks: int) -> Iterable[tuple[int, ...]]:
    if ranks == 0:
        if count == 0:
            yield ()
        return
    for held in range(min(4, count) + 1):
        for rest in held_ranks(count - held, ranks - 1):
            yield (held, *rest)


@lru_cache(maxsize=64)
def suit_ways(held: tuple[int, ...]) -> int:
    """Suit choices without five of a suit, by counting how many cards of each suit are held so far."""
    states: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0): 1})
    for number in held:
        after: Counter[tuple[int, ...]] = Counter()
        for state, ways in states.items():
            for suits in combinations(range(4), number):
                after[tuple(count + (suit in suits) for suit, count in enumerate(state))] += ways
        states = after
    return sum(ways for state, ways in states.items() if max(state) < 5)


def offsuit(held: tuple[int, ...]) -> list[str]:
    """Cards of these ranks with no five of a suit: suits dealt round and round."""
    cards: list[str] = []
    for rank, number in zip(RANKS, held, strict=True):
        cards += [rank + "cdhs"[(len(cards) + one) % 4] for one in range(number)]
    return cards


def test_phevaluator_agrees_on_who_wins() -> None:
    phevaluator = pytest.importorskip("phevaluator")
    chance = random.Random(653)
    for count in (5, 6, 7):
        hands = [chance.sample(DECK, count) for _ in range(2000)]
        theirs = [phevaluator.evaluate_cards(*hand) for hand in hands]
        ours = [strength(hand) for hand in hands]
        # Theirs falls as hands get better: the two orders are each other's mirror, ties included.
        pairs = sorted(zip(ours, theirs, strict=True))
        for (worse, high), (better, low) in pairwise(pairs):
            assert (worse < better) == (high > low)


def test_pokerkit_agrees_on_the_five_cards() -> None:
    pokerkit = pytest.importorskip("pokerkit")
    chance = random.Random(677)
    for _ in range(300):
        cards = chance.sample(DECK, 7)
        theirs = pokerkit.StandardHighHand.from_game("".join(cards[:2]), "".join(cards[2:]))
        ours = best_hand(cards)
        assert pokerkit.StandardHighHand("".join(ours.cards)) == theirs
        assert set(ours.cards) <= set(cards)


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True), st.randoms())
@pytest.mark.slow
def test_the_order_of_the_cards_does_not_matter(cards: list[str], chance: random.Random) -> None:
    """Bounds: any five to seven different cards, any order of them."""
    shuffled = chance.sample(cards, len(cards))
    assert strength(shuffled) == strength(cards)


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True))
def test_best_hand_is_five_of_the_cards_that_are_as_strong(cards: list[str]) -> None:
    """Bounds: any five to seven different cards."""
    best = best_hand(cards)
    assert len(best.cards) == 5
    assert set(best.cards) <= set(cards)
    assert strength(best.cards) == best.strength == max(strength(five) for five in combinations(cards, 5))
    assert best.name == name_of(best.strength)


@given(st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True))
def test_more_cards_never_make_a_hand_worse(cards: list[str]) -> None:
    """Bounds: any seven different cards, against the first five and six of them."""
    assert strength(cards[:5]) <= strength(cards[:6]) <= strength(cards)


SHOWN = [
    ("7c 7d Ah Kh Qh 2c 9d", "pair", "7c 7d Ah Kh Qh"),
    ("Ah Kh Qh Jh Th 2c 9d", "royal flush", "Ah Kh Qh Jh Th"),
    ("Th 9h Ah Qh Kh Jh 8h", "royal flush", "Ah Kh Qh Jh Th"),
    ("Ah 2h 3h 4h 5h 9c 9d", "straight flush", "5h 4h 3h 2h Ah"),
    ("Ah 2c 3d 4h 5h 9c 9d", "straight", "5h 4h 3d 2c Ah"),
    ("9h 2c 9d 2h 2s Kc Kd", "full house", "2c 2h 2s Kc Kd"),
    ("9h 9c 9d 2h 2s 2c Kd", "full house", "9h 9c 9d 2h 2s"),
    ("Kh Kc 9d 9h 2s 2c Ad", "two pair", "Kh Kc 9d 9h Ad"),
    ("4h 4c 4d 4s 2s 2c Ad", "four of a kind", "4h 4c 4d 4s Ad"),
    ("2h 4h 6h 8h Th Qh Ks", "flush", "Qh Th 8h 6h 4h"),
    ("2h 4d 6h 8s Th Qh Ks", "high card", "Ks Qh Th 8s 6h"),
]


@pytest.mark.parametrize(("cards", "name", "five"), SHOWN)
def test_the_five_cards_come_in_the_order_in_which_they_decide(cards: str, name: str, five: str) -> None:
    best = best_hand(cards.split())
    assert (best.name, " ".join(best.cards)) == (name, five)


def test_fewer_than_five_cards_make_pairs_and_nothing_longer() -> None:
    assert few_cards(("Ah", "As")).name is HandName.PAIR
    assert few_cards(("2h", "Ah", "2s")).cards == ("2h", "2s", "Ah")
    assert few_cards(("2h", "3h", "4h", "5h")).name is HandName.HIGH_CARD
    assert few_cards(("2h", "2c", "2d", "2s")).name is HandName.FOUR_OF_A_KIND


def test_few_cards_compare_as_well() -> None:
    assert few_cards(("Ah", "As")).strength > few_cards(("Kh", "Ks")).strength > few_cards(("Ah", "Ks")).strength


def test_five_card_hand_takes_five_different_cards_and_nothing_else() -> None:
    assert five_card_hand(["Ah", "Kh", "Qh", "Jh", "Th"]) is HandName.ROYAL_FLUSH
    for wrong in (["Ah"] * 5, ["Ah", "Kh", "Qh", "Jh"], ["Ah", "Kh", "Qh", "Jh", "Th", "9h"]):
        with pytest.raises(ValueError, match="five different cards"):
            five_card_hand(wrong)
    with pytest.raises(CardError):
        five_card_hand(["Ah", "Kh", "Qh", "Jh", "10h"])


@pytest.mark.parametrize("wrong", ["", "A", "ah", "1h", "Th ", "10h", "Ax", "hA", 7, None, ["Ah"], b"Ah"])
def test_a_card_is_a_rank_and_a_suit(wrong: object) -> None:
    with pytest.raises(CardError, match="a card is a rank of 23456789TJQKA and a suit of cdhs"):
        parse_card(wrong)


def test_the_same_card_is_the_same_object() -> None:
    assert all(parse_card("".join(list(card))) is parse_card(card) for card in DECK)
    assert len(set(DECK)) == 52
    assert len(CLASSES) == 10
