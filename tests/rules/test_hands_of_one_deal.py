"""What hands can lie beside each other in one deal: never is refused what cards can make (653a.12(d)(2), .11(h)(1))."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product

import pytest

from firmware.rules.cards import DECK
from firmware.rules.flop import ANY_FLOP, IN_SEVEN, LEAST, Flop, flop_of, flops, least
from firmware.rules.games.heads_up.game import pocket_row
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANKED, HandName, best_hand, five_card_hand, name_of, strength
from firmware.rules.six_cards import one_box_makes

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


def every_flop() -> Iterator[tuple[str, ...]]:
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
    every = tuple(every_flop())
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


@pytest.mark.slow
@pytest.mark.parametrize("book", HOLDEM)
def test_653a_12d2_two_hands_of_one_flop_are_refused_exactly_where_no_deal_makes_them(book: str, made: Made) -> None:
    game = game_of(book)
    assert {name for pair in made for name in pair} == game.names
    said = {pair: game.flops(pair) for pair in combinations_with_replacement(sorted(game.names), 2)}
    assert {pair for pair, can in said.items() if can} == set(made)
    assert all(flop_of(made[pair][0]) in game.flops(pair) for pair in made)
    assert all(game.flops((other, one)) == can for (one, other), can in said.items())


@pytest.mark.slow
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
    assert [pair for pair in seen if not game.flops(pair)] == []


PRIZES = RANKED[RANKED.index(HandName.THREE_OF_A_KIND) :]
RICH = tuple(
    tuple(flop.split())
    for flop in ("Ac Ad Ah", "Ac Ad Kh", "9h Th Jh", "Th Jh Qh", "2h 7h Kh", "9h Tc Js", "Th Jh Qc", "2h 7h Kc")
)
"""Of each kind those with which most hands can be made."""
MOST = {
    Flop.ALIKE: ["full house"] * 6 + ["four of a kind"],
    Flop.PAIRED: ["full house"] * 2 + ["three of a kind"],
    Flop.SUITED: ["straight flush"] * 2 + ["flush"] * 3 + ["straight", "straight"],
    Flop.MIXED: ["three of a kind"] * 3 + ["straight"] * 4,
}
"""As many hands as one flop makes at a full table, with the dealer's."""
ONE_MORE = {
    Flop.ALIKE: ["four of a kind", "four of a kind"],
    Flop.PAIRED: ["full house", "full house", "three of a kind", "three of a kind"],
    Flop.SUITED: ["flush"] * 6,
    Flop.MIXED: ["three of a kind"] * 4,
}


def two_by_name(flop: Sequence[str]) -> Mapping[str, list[tuple[str, ...]]]:
    """What a flop makes -> the two cards with which it does."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for two in combinations([card for card in DECK if card not in flop], 2):
        found.setdefault(five_card_hand((*two, *flop)), []).append(two)
    return found


def deck_has(twos: Mapping[str, list[tuple[str, ...]]], hands: Sequence[str]) -> bool:
    """Two cards for each of these hands, no card twice."""
    in_order = sorted(hands, key=lambda hand: (len(twos.get(hand, ())), hand))

    def deal(place: int, gone: frozenset[str]) -> bool:
        if place == len(in_order):
            return True
        there = twos.get(in_order[place], [])
        return any(deal(place + 1, gone | set(two)) for two in there if gone.isdisjoint(two))

    return deal(0, frozenset())


@pytest.mark.parametrize("kind", Flop)
def test_653a_12d2_as_many_hands_as_a_flop_makes_are_accepted_and_none_more(kind: Flop) -> None:
    of_kind = [two_by_name(flop) for flop in RICH if flop_of(flop) is kind]
    assert kind in flops(MOST[kind]) and any(deck_has(twos, MOST[kind]) for twos in of_kind)
    assert kind not in flops(ONE_MORE[kind])
    few = [hands for number in (1, 2, 3, 4) for hands in combinations_with_replacement(PRIZES, number)]
    for hands in few:
        if kind in flops(hands):
            assert any(deck_has(twos, hands) for twos in of_kind), hands


@pytest.mark.slow
def test_653a_12d2_no_three_hands_are_refused_that_a_flop_makes() -> None:
    three = list(combinations_with_replacement(PRIZES, 3))
    never = {kind: [hands for hands in three if kind not in flops(hands)] for kind in Flop}
    for flop in [*every_flop()][::11]:
        twos = two_by_name(flop)
        assert [hands for hands in never[flop_of(flop)] if deck_has(twos, hands)] == [], flop


def test_653a_12d2_the_flop_of_a_full_table_is_one_that_its_hands_leave() -> None:
    left = set()
    for _, (board, *twos) in zip(range(DEALS * 3), deals(3), strict=False):
        named = tuple(name for two in twos if (name := five_card_hand((*two, *board[:3]))) in PRIZES)
        assert flop_of(board[:3]) in flops(named)
        left.add(flops(named))
    assert frozenset({Flop.ALIKE}) in left, "hands that only three of one rank make are among these deals"


@pytest.mark.parametrize("flop", RICH)
def test_653a_11k_whatever_two_cards_are_beside_a_flop_they_make_no_less_than_it(flop: tuple[str, ...]) -> None:
    made = {RANKED.index(name) for name in two_by_name(flop)}
    assert min(made) == RANKED.index(LEAST[flop_of(flop)]) == RANKED.index(least([flop_of(flop)]))


def test_653a_11k_the_least_of_several_flops_is_that_of_the_lowest() -> None:
    assert least([Flop.ALIKE]) == HandName.THREE_OF_A_KIND
    assert least([Flop.ALIKE, Flop.PAIRED]) == HandName.PAIR
    assert least(ANY_FLOP) == least([]) == HandName.HIGH_CARD


@pytest.mark.slow
def test_653a_6b_of_five_cards_and_two_more_come_these_hands_and_no_others() -> None:
    """All fives of seven ranks, but for what suits are called, with every two cards more of these ranks.

    Seven cards have no more ranks; 8 to ace hold straights, the royal ones, and five ranks that make none. All seven of
    them hold a straight: seven cards that make nothing want other ranks.
    """
    part = [card for card in DECK if card[0] in "89TJQKA"]
    suits = sorted({card[1] for card in DECK})
    renamed = [dict(zip(suits, order, strict=True)) for order in permutations(suits)]
    found: dict[str, set[str]] = {}
    for five in combinations(part, 5):
        called = tuple(sorted(five))
        if called == min(tuple(sorted(card[0] + names[card[1]] for card in five)) for names in renamed):
            left = [card for card in part if card not in five]
            seen = found.setdefault(five_card_hand(five), set())
            seen |= {name_of(strength((*five, *two))) for two in combinations(left, 2)}
    nothing = ("2c", "4d", "6h", "8s", "Tc", "Qd", "Ah")
    found[five_card_hand(nothing[:5])].add(best_hand(nothing).name)
    assert found == {five: set(sevens) for five, sevens in IN_SEVEN.items()}


def test_653a_6b_the_best_of_seven_is_one_that_the_flop_and_two_cards_leave() -> None:
    seen = set()
    for _, (board, *twos) in zip(range(DEALS), deals(6), strict=False):
        for two in twos:
            five, best = five_card_hand((*two, *board[:3])), best_hand((*two, *board)).name
            assert best in IN_SEVEN[five], (two, board)
            seen.add((five, best))
    assert len(seen) > 30, "rare hands are among these deals"


@pytest.mark.parametrize("book", HOLDEM)
def test_653a_11h1_677a_11h_no_hand_that_is_dealt_beside_a_dealer_below_a_pair_is_refused(book: str) -> None:
    game, beside = game_of(book), set()
    for _, (board, dealer, *twos) in zip(range(DEALS), deals(2), strict=False):
        if not game.qualifies(best_hand((*dealer, *board)).name):
            beside |= {best_hand((*two, *board)).name for two in twos}
    assert len(beside) >= 5 and beside <= game.beside_the_dealer(qualifies=False)
    assert game.names - game.beside_the_dealer(qualifies=False) == {HandName.FULL_HOUSE, HandName.FOUR_OF_A_KIND}
    assert game.beside_the_dealer(qualifies=True) == game.names


def test_677a_12d_pockets_that_are_dealt_are_accepted_and_five_aces_are_not() -> None:
    game, aces, one = game_of("pa-677a"), "pair of aces", "ace and king, queen or jack, same suit"
    for _, (board, dealer, *twos) in zip(range(DEALS), deals(4), strict=False):
        rows = [row for two in twos if (row := pocket_row(two))]
        assert game.can_be_dealt("pocket_bonus", rows, (*board, *dealer))
    assert game.can_be_dealt("pocket_bonus", [aces, one, one], ())
    assert game.can_be_dealt("pocket_bonus", ["pair of 2s to kings"] * 6, ())
    assert not game.can_be_dealt("pocket_bonus", [aces, aces, one], ())
    assert not game.can_be_dealt("pocket_bonus", [aces, one], ("Ac", "Ad"))


@pytest.mark.slow
def test_653a_12f_one_box_of_four_cards_makes_one_royal_flush() -> None:
    game, royals = game_of("pa-653a"), 0
    for _, (cards, *twos) in zip(range(DEALS * 3), deals(5), strict=False):
        made = [best_hand((*two, *cards[:4])).name for two in twos]
        royals += HandName.ROYAL_FLUSH in made
        assert game.can_be_dealt("six_card_bonus", made, ())
    assert royals > 10, "there are royal flushes among these deals"
    assert not game.can_be_dealt("six_card_bonus", ["royal flush", "six-card royal flush"], ())
    assert game.can_be_dealt("six_card_bonus", ["royal flush", "four of a kind", "three of a kind"], ())


BOXES = (
    "Ac Ad Ah As",
    "Ac Ad Ah Kc",
    "Ac Ad Kc Kh",
    "Ac Ad Kd Qd",
    "Ac Ad Kc Qh",
    "Tc Jc Qc Kc",
    "9h Th Jc Qc",
    "2c 7d 9h Ks",
)
"""Four, three, two and two, two, and none alike; suited and not."""


def test_653a_6d_of_one_box_no_rows_are_refused_that_it_makes() -> None:
    below, makes = "none of these", {}
    for box in map(str.split, BOXES):
        twos: dict[str, list[tuple[str, ...]]] = {}
        for two in combinations([card for card in DECK if card not in box], 2):
            name = best_hand((*two, *box)).name
            twos.setdefault(name if name in PRIZES else below, []).append(two)
        makes[" ".join(box)] = twos
    of_three = list(combinations_with_replacement((*PRIZES, below), 3))
    dealt = {rows for rows in of_three if any(deck_has(twos, rows) for twos in makes.values())}
    assert len(dealt) > 80
    assert [rows for rows in dealt if not one_box_makes(rows)] == []


def test_653a_6d_rows_that_no_one_box_makes_are_refused() -> None:
    fours = ["four of a kind"] * 3
    assert one_box_makes(fours * 2)
    for other in ("flush", "full house", "three of a kind", "royal flush", ""):
        assert not one_box_makes([*fours, other])
    assert one_box_makes([*fours[1:], "full house"][1:]) and not one_box_makes([*fours[1:], "three of a kind"])
    assert not one_box_makes([*fours[1:], "full house"])
    assert not one_box_makes(["royal flush", "six-card royal flush, diamonds"])


def test_lunar_poker_has_no_board_and_nothing_is_refused_there() -> None:
    game = game_of("pa-671a")
    assert game.beside_the_dealer(qualifies=False) == game.beside_the_dealer(qualifies=True) == game.names
    assert game.flops((HandName.FLUSH, HandName.FULL_HOUSE)) == ANY_FLOP
