"""Poker hands of five, six and seven cards: what they are called, which is higher, which five cards make them.

A hand's strength is one whole number: the class, then the ranks of the five cards in the order in which they decide,
four bits each. Two hands compare as poker is compared everywhere (653a.6(b), (c), 677a.6, 671a.6, Maryland .06).

Cards are added up: every rank has a number such that the sum of up to seven of them names the ranks without doubt
(additive keys), and every suit counts in four bits that start at three, so that five of one suit set the highest.
The table from sums to strengths fills as hands are seen; one round never waits for hands nobody holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, NewType

from firmware.rules.cards import DECK, RANKS, SUITS, parse_card
from firmware.rules.message import Message, say

Strength = NewType("Strength", int)
"""Higher beats lower, equal ties; comparable between hands of five, six and seven cards."""


class HandName(StrEnum):
    """The names of hands in a settlement and on a paytable: the classes from low to high, then other names."""

    HIGH_CARD = "high card"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    THREE_OF_A_KIND = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    FOUR_OF_A_KIND = "four of a kind"
    STRAIGHT_FLUSH = "straight flush"
    ROYAL_FLUSH = "royal flush"
    ACE_KING = "ace-king"
    FIVE_PICTURE_CARDS = "five picture cards"
    ACE_KING_QUEEN = "ace-king-queen"
    SAME_COLORED_FIVE = "same colored five"
    SIX_CARD_ROYAL_FLUSH = "six-card royal flush"


def hand_name(hand: str) -> Message:
    """The words of the catalog for a hand, or for a row of a paytable that is one."""
    return say(f"hand.{hand.lower().replace(',', '').replace(' ', '-')}")


CLASSES: tuple[HandName, ...] = tuple(HandName)[:10]
"""Low to high: a strength's class is an index here."""

RANKED: tuple[str, ...] = (HandName.HIGH_CARD, HandName.ACE_KING, *CLASSES[1:])
"""The names of a hand against a dealer, low to high."""
RANK_OF: dict[str, int] = {name: place for place, name in enumerate(RANKED)}
"""The place of each of these names."""

HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = (
    range(10)
)
_CLASS = 20  # the class stands above five ranks of four bits
_ACE = 12
_SETS = 1 << 13
"""The number of ranks."""

_RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
_SUM_BITS = 23
_SUM = (1 << _SUM_BITS) - 1
_START = 0x3333 << _SUM_BITS
_FIVE_OF_A_SUIT = 0x8888 << _SUM_BITS

_KEY = {card: _RANK_KEYS[RANKS.index(card[0])] + (1 << (_SUM_BITS + 4 * SUITS.index(card[1]))) for card in DECK}
_KEY_OF = _KEY.__getitem__
_RANK = {card: RANKS.index(card[0]) for card in DECK}
_BY_SUM: dict[int, dict[int, Strength]] = {5: {}, 6: {}, 7: {}}
_BY_FLUSH: dict[int, Strength] = {}


class Hand(NamedTuple):
    """The best five of some cards, in the order in which they decide: the pair first, then the kickers."""

    name: HandName
    strength: Strength
    cards: tuple[str, ...]


def strength(cards: Sequence[str]) -> Strength:
    """The best five of five, six or seven different cards; the parser has seen to it that they differ."""
    key = sum(map(_KEY_OF, cards), _START)
    if key & _FIVE_OF_A_SUIT:
        return _flush(cards, key)
    seen = _BY_SUM[len(cards)]
    try:
        return seen[key & _SUM]
    except KeyError:
        found = seen[key & _SUM] = _by_ranks([_RANK[card] for card in cards])
        return found


def _flush(cards: Sequence[str], key: int) -> Strength:
    """Five or more of a suit. With seven cards that leaves no room for four of a kind or a full house."""
    suit = _flush_suit(key)
    mask = 0
    for card in cards:
        if card[1] == suit:
            mask |= 1 << _RANK[card]
    try:
        return _BY_FLUSH[mask]
    except KeyError:
        found = _BY_FLUSH[mask] = _by_suited(mask)
        return found


def _flush_suit(key: int) -> str:
    return SUITS[((key & _FIVE_OF_A_SUIT) >> _SUM_BITS).bit_length() // 4 - 1]


def _by_suited(held: int) -> Strength:
    run = _straight(held)
    if not run:
        return _strength(FLUSH, _highest(held, 5))
    return _strength(ROYAL_FLUSH if run[0] == _ACE else STRAIGHT_FLUSH, run)


def _by_ranks(ranks: Iterable[int]) -> Strength:
    """653a.6(b)(3) to (9) in their order, the flush aside; any number of cards from one to seven.

    A set of ranks is a number with a bit for each: those held at least once, twice, three times, four times.
    """
    once = twice = thrice = four = 0
    for rank in ranks:
        bit = 1 << rank
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    if four:
        [first] = _highest(four, 1)
        return _strength(FOUR_OF_A_KIND, (first,) * 4 + _highest(once & ~four, 1))
    if thrice:
        [first] = _highest(thrice, 1)
        if pair := _highest(twice & ~(1 << first), 1):
            return _strength(FULL_HOUSE, (first,) * 3 + pair * 2)
    if run := _straight(once):
        return _strength(STRAIGHT, run)
    if thrice:
        return _strength(THREE_OF_A_KIND, (first,) * 3 + _highest(once & ~thrice, 2))
    pairs = _highest(twice, 2)
    if len(pairs) == 2:
        first, second = pairs
        return _strength(TWO_PAIR, (first, first, second, second, *_highest(once & ~(1 << first | 1 << second), 1)))
    if pairs:
        return _strength(PAIR, pairs * 2 + _highest(once & ~twice, 3))
    return _strength(HIGH_CARD, _highest(once, 5))


@lru_cache(maxsize=_SETS)
def _highest(held: int, count: int) -> tuple[int, ...]:
    """The highest so many of a set of ranks, highest first; fewer if it holds fewer."""
    found: list[int] = []
    while held and len(found) < count:
        rank = held.bit_length() - 1
        found.append(rank)
        held ^= 1 << rank
    return tuple(found)


@lru_cache(maxsize=_SETS)
def _straight(held: int) -> tuple[int, ...]:
    """The highest five ranks in a row, highest first, or nothing; the ace also stands below the two (653a.6(a))."""
    row = held << 1 | held >> _ACE
    run = row & row << 1 & row << 2 & row << 3 & row << 4
    high = run.bit_length() - 2
    return tuple([rank % 13 for rank in range(high, high - 5, -1)]) if run else ()


def _strength(class_: int, ranks: tuple[int, ...]) -> Strength:
    first, second, third, fourth, fifth = ranks if len(ranks) == 5 else (*ranks, 0, 0, 0, 0, 0)[:5]
    return Strength(class_ << _CLASS | first << 16 | second << 12 | third << 8 | fourth << 4 | fifth)


def class_of(strength: Strength) -> int:
    """The class as an index into `CLASSES`, higher is better."""
    return strength >> _CLASS


def name_of(strength: Strength) -> HandName:
    """The name of a hand of this strength."""
    return CLASSES[strength >> _CLASS]


def best_hand(cards: Sequence[str]) -> Hand:
    """The best five of five, six or seven different cards: name, strength and the five in their order."""
    found = strength(cards)
    return Hand(CLASSES[found >> _CLASS], found, _five(cards, found))


def _five(cards: Sequence[str], found: Strength) -> tuple[str, ...]:
    """The five cards of a strength; if two would do, the one that was dealt first."""
    if found >> _CLASS in (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH):
        key = _START
        for card in cards:
            key += _KEY[card]
        suit = _flush_suit(key)
        return tuple([RANKS[found >> shift & 15] + suit for shift in (16, 12, 8, 4, 0)])
    left: dict[str, list[str]] = {}
    for card in reversed(cards):
        left.setdefault(card[0], []).append(card)
    return tuple([left[RANKS[found >> shift & 15]].pop() for shift in (16, 12, 8, 4, 0)])


def few_cards(cards: Sequence[str]) -> Hand:
    """Fewer than five cards, as a void round can leave them: pairs and their like, no straight, no flush."""
    ranks = [_RANK[card] for card in cards]
    found = _by_ranks(ranks)
    decisive = sorted(cards, key=lambda card: (ranks.count(_RANK[card]), _RANK[card]), reverse=True)
    return Hand(CLASSES[found >> _CLASS], found, tuple(decisive))


def five_card_hand(cards: Sequence[str]) -> HandName:
    """The name of exactly five different cards. Raises ValueError for anything else."""
    return _five_card_hand(tuple(cards))


@lru_cache(maxsize=256)
def _five_card_hand(cards: tuple[str, ...]) -> HandName:
    """Wanted of the same cards at every press of a round."""
    if len(cards) != 5 or len({parse_card(card) for card in cards}) != 5:
        raise ValueError(f"{' '.join(cards)}: five different cards are wanted")
    return name_of(strength(cards))
