"""671a.11(c), (d)(1), (f)(2)(ii): what can be beside a declared hand is what all deals of a deck make, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest

from firmware.rules.cards import DECK, RANKS, SUITS
from firmware.rules.games.lunar.game import lunar_hand, made_by, second_combinations, super_hand
from firmware.rules.games.lunar.possible import FIVE, NOT_WITH_THREE_KEPT, SIX, Beside, beside
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName

BET_ROWS = (
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "ace-king",
)
"""671a.12(d), the best paid first."""


def held(cards: tuple[str, ...]) -> tuple[str, str]:
    """(hand, the best-paid second combination)."""
    hand = lunar_hand(cards).name
    made = set() if hand is HandName.HIGH_CARD else second_combinations(cards)
    return hand, next((row for row in BET_ROWS if row in made), "")


def of_ranks(number: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Cards of every choice of ranks in which no five are of one suit: in four suits, and as far as there are cards in two
    of one color (then the last card of a rank that has three is black).
    """
    for ranks in combinations_with_replacement(RANKS, number):
        if max(map(ranks.count, ranks)) <= len(SUITS):
            yield tuple(rank + SUITS[place % 4] for place, rank in enumerate(ranks)), ranks


def first_rows(ranks: tuple[str, ...], cards: tuple[str, ...]) -> Iterator[str]:
    """The rows of first cards of these ranks, whatever their suits, but not all of one: `cards` are of four suits."""
    yield super_hand(cards) or ""
    if max(map(ranks.count, ranks)) <= 2:  # two red cards of each rank: five can be of one color
        yield super_hand(tuple(rank + "hd"[place % 2] for place, rank in enumerate(ranks))) or ""


def suited(number: int) -> Iterator[tuple[str, ...]]:
    """Every hand with five hearts or more; the other suits are all alike, but for their color."""
    hearts = [rank + "h" for rank in RANKS]
    yield from combinations(hearts, number)
    for flush in combinations(hearts, 5) if number > 5 else ():
        yield from ((*flush, rank + suit) for rank in RANKS for suit in "ds")


def found(number: int) -> set[tuple[str, str, str]]:
    """(row of the first five, hand, second combination) of every deal of so many cards."""
    out: set[tuple[str, str, str]] = set()
    for cards, ranks in of_ranks(number):
        hand = held(cards)
        for place in range(number) if number > 5 else (5,):
            five, its = cards[:place] + cards[place + 1 :], ranks[:place] + ranks[place + 1 :]
            out |= {(row, *hand) for row in first_rows(its, five)}
    for cards in suited(number):
        hand = held(cards)
        for place in range(number) if number > 5 else (5,):
            out.add((super_hand(cards[:place] + cards[place + 1 :]) or "", *hand))
    return out


def listed(data: Mapping[str, Beside]) -> set[tuple[str, str, str]]:
    return {(row, hand, second) for row, hands in data.items() for hand in hands for second in hands[hand]}


def undeclared(of_rows: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
    """Who declared nothing may hold what is on any row."""
    return of_rows | {("", hand, second) for _, hand, second in of_rows}


def test_11f2ii_five_cards_hold_what_all_hands_of_five_hold() -> None:
    assert listed(FIVE) == undeclared(found(5))


@pytest.mark.slow
def test_11f2ii_six_cards_hold_what_all_hands_of_six_hold() -> None:
    """Whichever of them was bought (671a.11(d)(1)(i))."""
    assert listed(SIX) == undeclared(found(6))


def test_11f2ii_the_examples_of_the_text_and_of_the_reading_can_be() -> None:
    """AAK98: "also be paid out for the ace-king"; 344567 in two suits: two straights; AAKKQQ: two pair twice."""
    assert "ace-king" in FIVE[""]["pair"]
    assert "straight" in SIX["straight"]["straight"]
    assert "two pair" in SIX["ace-king-queen"]["two pair"]
    assert made_by(("As", "Kd")) == "ace-king"


@cache
def names(kept: tuple[str, ...], out: frozenset[str]) -> frozenset[str]:
    """What three kept cards and two drawn ones make; those that were discarded are not drawn."""
    deck = [card for card in DECK if card not in kept and card not in out]
    return frozenset(lunar_hand((*kept, *drawn)).name for drawn in combinations(deck, 2))


ONE_OF_EACH_ROW = {
    "four of a kind": ("As", "Ah", "Ad", "Ac", "Ks"),
    "full house": ("Ks", "Kh", "Kd", "2s", "2h"),
    "flush": ("As", "Ks", "Qs", "Js", "9s"),
    "straight": ("As", "Ks", "Qs", "Js", "Th"),
}


@pytest.mark.parametrize("row", NOT_WITH_THREE_KEPT)
def test_11d1ii_of_two_exchanged_cards_no_hand_comes_that_is_left_out(row: str) -> None:
    """The one hand of each row that could come nearest; its other ranks differ in nothing that counts here."""
    five = ONE_OF_EACH_ROW[row]
    assert super_hand(five) == row
    for kept in combinations(five, 3):
        made = names(kept, frozenset(five) - {*kept})
        assert made <= {*beside(row, bought=False, exchanged=2)}


def test_11d1ii_of_three_exchanged_cards_any_hand_may_come() -> None:
    assert {*beside("four of a kind", bought=False, exchanged=3)} == {*FIVE[""]}


@pytest.mark.parametrize("lowest", ["2", "T", "J"])
def test_3a_rows_of_hands_that_are_dealt_from_one_deck_are_accepted(lowest: str) -> None:
    """Of whole decks and of decks of high cards, where they are scarce: five hands, or as many as there are cards for."""
    deck = [card for card in DECK if RANKS.index(card[0]) >= RANKS.index(lowest)]
    chance, game = random.Random(671), game_of("pa-671a")
    for _ in range(2000):
        chance.shuffle(deck)
        hands = [tuple(deck[start : start + 5]) for start in range(0, min(30, len(deck) - 4), 5)]
        rows = [row(hand) for hand in hands]
        assert game.can_be_dealt("super", rows, ())
        assert game.can_be_dealt("super", rows[1:], hands[0])


def row(hand: tuple[str, ...]) -> str:
    """What is told of first cards: the instant payout of a royal flush, or the row of the Super."""
    name = lunar_hand(hand).name
    return name if name is HandName.ROYAL_FLUSH else super_hand(hand) or ""


def test_3a_five_hands_with_an_ace_are_refused() -> None:
    game = game_of("pa-671a")
    assert not game.can_be_dealt("super", ["ace-king-queen"] * 5, ())
    assert not game.can_be_dealt("super", ["ace-king-queen"] * 3 + ["royal flush"], ("As",))
