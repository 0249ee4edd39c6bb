"""One dealer's hand and one board: what real cards make is asked and paid, whoever is told first (653a.11(h), 677a.11(h)).

Each round is a state of the table that is told the truth of real cards, seat after seat in any order, question after
question in any order. The law's own settlement from the cards says what must be paid.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import pytest

from firmware.rules.cards import DECK
from firmware.rules.games.holdem import ON_THE_BOARD
from firmware.rules.hands import HandName, best_hand, five_card_hand
from firmware.rules.payline import dealer_of_cards, pay_lines, row_of_cards, told_of_cards
from firmware.rules.payment import Payment
from firmware.rules.told import Told
from firmware.table import conflicts, pricing, results
from firmware.table import events as e
from firmware.table.evolve import ahead
from firmware.table.house import House
from firmware.table.known import known_at
from firmware.table.state import TableState
from tests.rules.test_hands_of_one_deal import deals
from tests.table.procedures.walks import betting
from tests.table.table import Dealer, Table

BOOKS = (
    ("pa-677a", ("pocket_bonus", "trips_plus")),
    ("pa-677a", ()),
    ("pa-653a", ("trips", "bad_beat_bonus")),
    ("pa-653a", ()),
    ("md-36.05.16", ()),
)
FEW = [pytest.param(*one, marks=() if one == BOOKS[3] else pytest.mark.slow) for one in BOOKS]
Sides = tuple[str, ...]
SEATS = (1, 2, 3, 4, 5)
ROUNDS = 250
Deal = Mapping[int, tuple[str, ...]]
"""Seat -> its cards; 0: the dealer's; -1: the board."""


@lru_cache
def revealed(book: str, sides: Sides, level: int) -> Table:
    """A round up to the dealer's hand: every seat but the last plays, with all that can be settled by its cards."""
    table, _ = betting(book, *SEATS, sides=dict.fromkeys(SEATS, dict.fromkeys(sides, 500)), level=level)
    dealer = Dealer(table)
    dealer.presses("no-more-bets", *(f"seat {seat}" for seat in SEATS[:-1]))
    while table.phase == "ask":
        dealer.presses("next")
    assert table.phase == "reveal"
    return table


def rare_deals(seed: int) -> Iterator[Deal]:
    """With boards that are much of a hand by themselves, as often as others."""
    chance = random.Random(seed)
    for cards in deals(seed):
        board, dealer, *twos = cards
        if chance.random() < 0.5:
            board = chance.choice(BOARDS)
            rest = [card for card in DECK if card not in board]
            dealer, *twos = zip(*[iter(chance.sample(rest, 2 * len(SEATS) + 2))] * 2, strict=True)
        if len(twos) == len(SEATS):
            yield {-1: tuple(board), 0: dealer, **dict(zip(SEATS, twos, strict=True))}


BOARDS = tuple(
    tuple(board.split())
    for board in (
        "As Ks Qs Js Ts",
        "Ks Qs Js Ts 9s",
        "9s 8s 7s 6s 2d",
        "Ks Qs Js Ts 2d",
        "4s 4c 4d 4h 8s",
        "4s 4c 4d 9h 9s",
        "4s 4c 4d 9h Ks",
        "As Qs 9s 5s 3s",
        "As Qs 9s 5s 3d",
        "9s 8c 7d 6h 5s",
        "9s 8c 7d 6h 2s",
        "As Ac Kd Kh Qs",
        "Ah Kd 9s 5c 2h",
    )
)


def shown(house: House, state: TableState, deal: Deal) -> TableState:
    """The dealer's hand was announced at level 1, and entered with the board at level 2."""
    hand, qualifies = dealer_of_cards(house.submission, deal[-1], deal[0])
    if house.level < 2:
        return ahead(state, e.DealerShown("", qualifies))
    return ahead(ahead(state, e.CardsEntered(0, (), deal[-1], deal[0], ())), e.DealerShown(hand, qualifies))


def truly(house: House, state: TableState, seat: int, deal: Deal, own: tuple[str, ...]) -> Told:
    """What is true of a seat with these cards."""
    rules_seat = dataclasses.replace(pricing.rules_seat(house, seat, state.seat(seat).position), cards=own)
    return told_of_cards(house.submission, rules_seat, deal[-1], deal[0], ())


def owed(house: House, state: TableState, seat: int, said: Told) -> tuple[Payment, ...]:
    """By the law, from what the cards say of the dealer's hand and of this one."""
    return pay_lines(house.submission, pricing.rules_seat(house, seat, state.seat(seat).position), said)


def answered(state: TableState, seat: int, about: str, choice: str) -> TableState:
    called = (*state.seat(seat).position.called, (about, choice))
    return ahead(state, e.HandCalled(seat, called, ()))


def told_truly(house: House, state: TableState, seat: int, deal: Deal, chance: random.Random) -> TableState:
    """Every question of a seat, answered by its cards in any order in which answers are taken."""
    said = truly(house, state, seat, deal, deal[seat])
    while asked := results.beside(house, state, seat):
        about = chance.choice(list(asked))
        choices = asked[about]
        true = said.answer(about)
        assert true in choices or "" in choices, (deal, seat, about, true, choices)
        state = answered(state, seat, about, true if true in choices else "")
        assert not conflicts.of_seat(house, state, seat), (deal, seat)
    return state


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("book", "sides"), FEW)
@pytest.mark.slow
def test_653a_11h_677a_11h_the_truth_of_real_cards_is_taken_and_paid_whoever_is_told_first(
    book: str, sides: Sides, level: int
) -> None:
    table, chance = revealed(book, sides, level), random.Random(level)
    house, dealt, untold = table.house, Counter[str](), 0
    for _, deal in zip(range(ROUNDS), rare_deals(level), strict=False):
        state = shown(house, table.state, deal)
        dealt[dealer_of_cards(house.submission, deal[-1], deal[0])[0]] += 1
        for seat in chance.sample(SEATS, len(SEATS)):
            said = truly(house, state, seat, deal, deal[seat])
            come = results.turn_of(house, state, seat)
            if level == 1 and come.lines == owed(house, state, seat, said) and chance.random() < 0.5:
                untold += 1  # nobody tells what goes without saying
                continue
            state = told_truly(house, state, seat, deal, chance)
            assert pricing.due_lines(house, state, seat) == owed(house, state, seat, said), (deal, seat)
    assert len(dealt) >= 9 and (untold or level == 2)


@pytest.mark.parametrize(("book", "sides"), FEW)
def test_653a_11i_677a_11h_of_a_known_board_only_what_two_cards_make_is_paid(book: str, sides: Sides) -> None:
    table = revealed(book, sides, 2)
    house, seat = table.house, 2
    for place, board in enumerate(BOARDS):
        rest = [card for card in DECK if card not in board]
        dealer, lying = random.Random(place).sample(list(combinations(rest, 2)), 2)
        if set(dealer) & set(lying):
            continue
        deal = {-1: board, 0: dealer}
        state = shown(house, table.state, deal)
        state = ahead(state, e.CardsEntered(1, lying, board, dealer, ()))
        left = [card for card in rest if card not in (*dealer, *lying)]
        made = {owed(house, state, seat, truly(house, state, seat, deal, own)) for own in combinations(left, 2)}
        assert set(every_end(house, state, seat)) == made, board


@pytest.mark.slow
def test_653a_12d2_of_a_known_board_only_the_prizes_that_two_cards_make_are_left() -> None:
    table, chance = revealed("pa-653a", ("trips",), 2), random.Random(12)
    house, seat = table.house, 2
    for board in BOARDS:
        rest = chance.sample([card for card in DECK if card not in board], len(DECK) - len(board))
        deal = {-1: board, 0: tuple(rest[:2]), seat: tuple(rest[2:4])}
        state = shown(house, table.state, deal)
        twos = list(combinations(sorted(rest[2:], key=DECK.index), 2))
        assert may_win(house, state, seat) == {five_card_hand((*two, *board[:3])) for two in twos}, board
        state = told_truly(house, state, seat, deal, chance)
        due = pricing.due_lines(house, state, seat)
        alike = [two for two in twos if owed(house, state, seat, truly(house, state, seat, deal, two)) == due]
        assert may_win(house, state, seat) == {five_card_hand((*two, *board[:3])) for two in alike}, board
        assert may_hold(house, state, seat, deal[seat])
        assert all(may_hold(house, state, seat, two) == (two in alike) for two in twos), board


def may_win(house: House, state: TableState, seat: int) -> set[str]:
    """The hands that a progressive wager of the seat may be said to win on."""
    return {
        hand for hand in house.game.names if not conflicts.of_prize(house, state, seat, "progressive", hand, brief=True)
    }


def may_hold(house: House, state: TableState, seat: int, two: tuple[str, ...]) -> bool:
    """These two cards make what was said of the seat."""
    known, said = known_at(house, state, seat)
    return bool(house.worlds.names(known, said.holding(*two)))


def every_end(house: House, state: TableState, seat: int) -> Iterator[tuple[Payment, ...]]:
    """What is paid after every row of answers that is taken."""
    asked = pricing.questions(house, state, seat)
    if not asked:
        yield pricing.due_lines(house, state, seat)
        return
    about, choices = next(iter(asked.items()))
    for choice in choices:
        yield from every_end(house, answered(state, seat, about, choice), seat)


@pytest.mark.slow
def test_671a_11d1_of_five_known_cards_and_a_bought_one_only_what_one_card_makes_is_paid() -> None:
    table, _ = betting("pa-671a", 1, 2, level=2)
    Dealer(table).presses("no-more-bets", "dealt", "seat 1", "choose buy", "next", "supers-settled", "bets")
    assert table.phase == "reveal"
    house, chance, ends = table.house, random.Random(671), Counter[int]()
    for _ in range(120):
        part = chance.sample(DECK, 52 if chance.random() < 0.3 else 24)
        first, dealer = tuple(part[:5]), tuple(part[5:10])
        row = row_of_cards(house.submission, "super", first)
        if row_of_cards(house.submission, "instant", first):
            continue
        state = ahead(ahead(table.state, e.FirstCardsEntered(1, first)), e.SuperCalled(1, row, False))
        state = ahead(state, e.CardsEntered(0, (), (), dealer, ()))
        state = ahead(state, e.DealerShown(*dealer_of_cards(house.submission, (), dealer)))
        made = set()
        for card in set(DECK) - {*first, *dealer}:
            said = truly(house, state, 1, {-1: (), 0: dealer}, (*first, card))._replace(
                side={"super": row} if row else {}
            )
            made.add(tuple(line for line in owed(house, state, 1, said) if line.wager not in ("super", "options_fee")))
        assert set(every_end(house, state, 1)) == made, (first, dealer)
        ends[len(made)] += 1
    assert set(ends) >= {1, 2, 3}, ends


def test_677a_11h2ii_equal_hands_that_lie_on_the_board_leave_nobody_less() -> None:
    ties, royals = Counter[str](), 0
    for _, deal in zip(range(6_000), rare_deals(9), strict=False):
        hands = {who: best_hand((*deal[who], *deal[-1])) for who in (0, *SEATS)}
        tied = any(hands[seat].strength == hands[0].strength for seat in SEATS)
        if tied and hands[0].name in ON_THE_BOARD:
            ties[hands[0].name] += 1
            tie = ON_THE_BOARD[hands[0].name]
            assert {hand.name for hand in hands.values()} <= tie.names, deal
            assert tie.leaves_less or all(hand.strength >= hands[0].strength for hand in hands.values()), deal
            assert {best_hand((*deal[who], *deal[-1][:3])).name for who in hands} <= tie.prizes, deal
        won = [n for n in SEATS if hands[n].name == HandName.ROYAL_FLUSH and hands[n].strength > hands[0].strength]
        royals += len(won)
        assert len(won) < 2 and not (won and sum(hand.name == HandName.ROYAL_FLUSH for hand in hands.values()) > 1)
    assert set(ties) == set(ON_THE_BOARD) and min(ties.values()) > 10 and royals > 10


@pytest.mark.parametrize(
    ("tie", "boards"),
    [
        ("flush", ("5h 6h 7h Jh Kh", "Th Jh Qh 2h 4h")),
        ("four of a kind", ("7h 7d 7c 7s 9h",)),
        ("straight flush", ("5h 6h 7h 8h 9h", "9h Th Jh Qh Kh")),
        ("royal flush", ("Th Jh Qh Kh Ah",)),
    ],
)
def test_653a_11k_12d2_what_two_cards_and_a_flop_can_be_beside_a_tie_on_the_board(
    tie: str, boards: Sequence[str]
) -> None:
    made = set()
    for board in map(str.split, boards):
        for own in combinations(set(DECK).difference(board), 2):
            made |= {five_card_hand((*own, *flop)) for flop in combinations(board, 3)}
    assert made == ON_THE_BOARD[tie].prizes


def test_677a_11h_answers_that_cards_entered_later_deny_are_not_paid() -> None:
    table = revealed("pa-677a", ("pocket_bonus", "trips_plus"), 1)
    house, state = table.house, ahead(table.state, e.DealerShown("", qualifies=True))
    for about, choice in (("result", "higher"), ("hand", HandName.ROYAL_FLUSH), ("pocket_bonus", "")):
        state = answered(state, 2, about, choice)
    assert not results.turn_of(house, state, 2).why_not
    known = e.CardsEntered(1, ("9c", "9d"), ("2s", "7c", "Jd", "Qh", "5s"), ("Kh", "Kd"), ())
    why_not = results.turn_of(house, ahead(state, known), 2).why_not
    assert why_not and why_not.id == "fact.not-with"
