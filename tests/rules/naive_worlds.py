"""Every deal of a few cards, and what is true in each: written from the texts of the law, slowly and plainly.

Nothing here knows how `firmware` evaluates a hand or what it asks. A deal is cards; what is true of it is what a dealer
would see. 653a.6, .11, .12; 671a.6, .11, .12; 677a.6, .11, .12; COMAR 36.05.16.06, .11, .12; and, of Lunar Poker, the
readings 6, 7 and 13.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

RANKS = "23456789TJQKA"
SUITS = "cdhs"
WHOLE = tuple(rank + suit for rank in RANKS for suit in SUITS)
ORDER = (
    "high card",
    "ace-king",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
"""653a.6(b), 671a.6(b), 677a.6(b), lowest first; an ace-king is one of Lunar Poker only."""
WHEEL = [12, 3, 2, 1, 0]
Cards = tuple[str, ...]
Strength = tuple[int, tuple[int, ...]]
"""(place in ORDER, ranks by what makes the hand and then by the other cards)."""


def five(cards: Sequence[str], ace_king: bool) -> Strength:
    """Five cards as a poker hand."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    by_number = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -rank))
    numbers = [ranks.count(rank) for rank in by_number]
    one_suit = len({card[1] for card in cards}) == 1
    in_a_row = len(set(ranks)) == 5 and (ranks[0] - ranks[4] == 4 or ranks == WHEEL)
    high = (3,) if ranks == WHEEL else (ranks[0],)
    if in_a_row and one_suit:
        return ORDER.index("royal flush" if high == (12,) else "straight flush"), high
    if numbers == [4, 1]:
        name = "four of a kind"
    elif numbers == [3, 2]:
        name = "full house"
    elif one_suit:
        name = "flush"
    elif in_a_row:
        return ORDER.index("straight"), high
    elif numbers[0] == 3:
        name = "three of a kind"
    elif numbers[:2] == [2, 2]:
        name = "two pair"
    elif numbers[0] == 2:
        name = "pair"
    else:
        name = "ace-king" if ace_king and ranks[:2] == [12, 11] else "high card"
    return ORDER.index(name), tuple(by_number)


@lru_cache(maxsize=1 << 18)
def best(cards: frozenset[str], ace_king: bool = False) -> Strength:
    """The highest of all fives of these cards."""
    return max(five(each, ace_king) for each in combinations(sorted(cards), 5))


def name_of(strength: Strength) -> str:
    return ORDER[strength[0]]


def six_card_row(cards: Cards) -> str:
    """653a.6(d), .12(f), COMAR 36.05.16.06, .12: the six-card royal flush is king to 9 with the ace, of one suit."""
    if len({card[1] for card in cards}) == 1 and {card[0] for card in cards} == set("9TJQKA"):
        return "six-card royal flush, diamonds" if cards[0][1] == "d" else "six-card royal flush"
    return name_of(best(frozenset(cards)))


def pocket_row(two: Cards) -> str:
    """677a.12(d)."""
    high, low = sorted((card[0] for card in two), key=RANKS.index, reverse=True)
    if high == low:
        return "pair of aces" if high == "A" else "pair of 2s to kings"
    if high == "A" and low in "KQJ":
        return f"ace and king, queen or jack, {'same suit' if two[0][1] == two[1][1] else 'different suits'}"
    return ""


def super_row(cards: Cards) -> str:
    """671a.6(d), by the order of 671a.12(b); reading 6: no straight flush is a flush or a straight there."""
    name = name_of(five(cards, ace_king=False))
    ranks = {card[0] for card in cards}
    if name == "four of a kind":
        return name
    if ranks <= set("KQJ"):
        return "five picture cards"
    if name in ("full house", "flush", "straight", "three of a kind"):
        return name
    if ranks >= set("AKQ"):
        return "ace-king-queen"
    if len({card[1] in "dh" for card in cards}) == 1:
        return "same colored five"
    return ""


def combination(cards: Cards) -> str:
    """What these cards are when each of them is needed for it; "" where they are no combination of 671a.12(d)."""
    numbers = sorted((sum(card[0] == rank for card in cards) for rank in {card[0] for card in cards}), reverse=True)
    if len(cards) == 5:
        name = name_of(five(cards, ace_king=False))
        return name if name in ("royal flush", "straight flush", "full house", "flush", "straight") else ""
    if {card[0] for card in cards} == set("AK") and len(cards) == 2:
        return "ace-king"
    alike = {(4,): "four of a kind", (2, 2): "two pair", (3,): "three of a kind", (2,): "pair"}
    return alike.get(tuple(numbers), "")


@lru_cache(maxsize=1 << 16)
def second_row(cards: frozenset[str]) -> str:
    """671a.11(f)(2)(ii), reading 7: the best other combination with a card outside the cards that make the hand."""
    found = [
        (ORDER.index(name), part)
        for size in (2, 3, 4, 5)
        for part in combinations(sorted(cards), size)
        if (name := combination(part))
    ]
    won, high = best(cards, ace_king=True)
    if ORDER[won] == "high card":
        return ""
    made = [set(part) for place, part in found if place == won]
    winning = max(made, key=lambda part: by_what_makes_it(part, high))
    return ORDER[max([place for place, part in found if not set(part) <= winning], default=0)].replace("high card", "")


def by_what_makes_it(part: set[str], high: tuple[int, ...]) -> tuple[int, ...]:
    """The combination that the hand itself has comes first."""
    ranks = sorted((RANKS.index(card[0]) for card in part), reverse=True)
    return (
        tuple(-high.index(rank) if rank in high else -99 for rank in ranks)
        if len(part) < 5
        else five(list(part), False)[1]
    )


# Deals ---------------------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """All cards of one round. `first`: the first five of each seat of Lunar Poker, before an option."""

    board: Cards
    dealer: Cards
    box: Cards
    seats: Mapping[int, Cards]
    first: Mapping[int, Cards]


class Game(NamedTuple):
    """As much as a deal needs. `options`: of Lunar Poker, seat -> None, 0 for a bought card, or how many were exchanged."""

    lunar: bool
    box: bool
    options: Mapping[int, int | None]

    @property
    def needed(self) -> int:
        """How many cards one round takes."""
        if self.lunar:
            return 5 + sum(5 + (1 if option == 0 else option or 0) for option in self.options.values())
        return 7 + 4 * self.box + 2 * len(self.options)


Lying = Mapping[str | int, Cards]
"""Cards that are known: "board", "dealer", "box", a seat."""


def places(game: Game, lying: Lying) -> list[tuple[str | int, int]]:
    """Where cards are still to be dealt, and how many."""
    own = 5 if game.lunar else 2
    all_: list[tuple[str | int, int]] = [("dealer", own), *((seat, own) for seat in game.options)]
    if not game.lunar:
        all_ = [("board", 5), *all_, *([("box", 4)] if game.box else [])]
    if game.lunar:
        all_ += [(f"drawn {seat}", option or 1) for seat, option in game.options.items() if option is not None]
    return [(place, count) for place, count in all_ if place not in lying]


def every_deal(game: Game, deck: Sequence[str], lying: Lying, limit: int, chance: random.Random) -> list[Deal]:
    """Every completion of the cards that lie open; so many random ones where there are more.

    Of a board the first three cards are the flop.
    """
    left = [card for card in deck if not any(card in cards for cards in lying.values())]
    open_, size, ways = places(game, lying), len(left), 1
    for _, count in open_:
        ways *= comb(size, count)
        size -= count
    ways *= prod(comb(5, option) for option in game.options.values() if option)
    ways *= 1 if game.lunar or "board" in lying else 10
    if ways <= limit:
        any_flop = "board" not in lying
        return [deal for lies in _dealt(open_, left, dict(lying)) for deal in _ends(game, lies, any_flop)]
    return [_random_deal(game, open_, left, lying, chance) for _ in range(limit)]


def _dealt(
    open_: Sequence[tuple[str | int, int]], left: Sequence[str], lying: dict[str | int, Cards]
) -> Iterator[Lying]:
    if not open_:
        yield dict(lying)
        return
    (place, count), *rest = open_
    for cards in combinations(left, count):
        yield from _dealt(rest, [card for card in left if card not in cards], {**lying, place: cards})


def _ends(game: Game, lies: Lying, any_flop: bool) -> Iterator[Deal]:
    """The same cards with every flop, where it is not known, and with every choice of the cards that are exchanged."""
    if not game.lunar and not any_flop:
        yield _deal(game, lies, {})
        return
    if not game.lunar:
        board = lies["board"]
        for flop in combinations(board, 3):
            yield _deal(game, {**lies, "board": (*flop, *(card for card in board if card not in flop))}, {})
        return
    exchanged = [seat for seat, option in game.options.items() if option]
    kept: list[dict[int, Cards]] = [{}]
    for seat in exchanged:
        kept = [{**one, seat: part} for one in kept for part in combinations(lies[seat], 5 - (game.options[seat] or 0))]
    for one in kept:
        yield _deal(game, lies, one)


def _random_deal(
    game: Game, open_: Sequence[tuple[str | int, int]], left: Sequence[str], lying: Lying, chance: random.Random
) -> Deal:
    cards, lies = chance.sample(left, len(left)), dict(lying)
    for place, count in open_:
        lies[place], cards = tuple(cards[:count]), cards[count:]
    kept = {
        seat: tuple(chance.sample(lies[seat], 5 - option))
        for seat, option in game.options.items()
        if game.lunar and option
    }
    return _deal(game, lies, kept)


def _deal(game: Game, lies: Lying, kept: Mapping[int, Cards]) -> Deal:
    seats = {seat: lies[seat] for seat in game.options}
    if not game.lunar:
        return Deal(lies["board"], lies["dealer"], lies.get("box", ()), seats, {})
    final = {
        seat: cards
        if game.options[seat] is None
        else (*(kept[seat] if game.options[seat] else cards), *lies[f"drawn {seat}"])
        for seat, cards in seats.items()
    }
    return Deal((), lies["dealer"], (), final, seats)


# What is true of a deal -----------------------------------------------------------------------------------------------

Truth = dict[tuple[int, str], str]
"""(seat, or 0 for the dealer, what it is about) -> what is true of it."""


def truth(game: Game, deal: Deal) -> Truth:
    """Everything that a dealer could say of this deal."""
    dealer = best(frozenset((*deal.dealer, *deal.board)), game.lunar)
    least = ORDER.index("ace-king" if game.lunar else "pair")  # 653a.11(h)(1), 677a.11(h)(1), 671a.11(f)(1)
    true = {(0, "hand"): name_of(dealer), (0, "qualifies"): "yes" if dealer[0] >= least else "no"}
    if game.lunar:
        true[0, "super"] = super_row(deal.dealer)
    else:
        true[0, "flop"] = name_of(five((*deal.dealer, *deal.board[:3]), ace_king=False))
    for seat, cards in deal.seats.items():
        own = best(frozenset((*cards, *deal.board)), game.lunar)
        true[seat, "hand"] = name_of(own)
        true[seat, "result"] = "higher" if own > dealer else "lower" if own < dealer else "equal"
        if game.lunar:
            true[seat, "super"] = super_row(deal.first[seat])
            true[seat, "first"] = name_of(five(deal.first[seat], ace_king=True))
            true[seat, "second"] = second_row(frozenset(cards))
        else:
            true[seat, "flop"] = name_of(five((*cards, *deal.board[:3]), ace_king=False))
            true[seat, "pocket_bonus"] = pocket_row(cards)
        if deal.box:
            true[seat, "six_card_bonus"] = six_card_row((*cards, *deal.box))
    return true
