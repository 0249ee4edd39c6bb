"""The card and the position of the Five Card Hand bonus: each as likely as any other, and drawn in one round of N."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest

from firmware.rules.cards import DECK
from firmware.runtime.chance import draw
from firmware.table.house import Drawing

DRAWS = 52_000
SEATS = 6


def chi_square(counts: Counter[str] | Counter[int] | Counter[bool], of: Iterable[object], draws: int) -> float:
    """How far the counts are from even."""
    wanted: list[int] = [counts.get(one, 0) for one in of]  # type: ignore[call-overload]
    even = draws / len(wanted)
    return sum((count - even) ** 2 / even for count in wanted)


def test_every_card_and_every_position_the_dealers_too_is_as_likely_as_any_other() -> None:
    below = random.Random(653).randrange
    drawn = [draw(Drawing(1, 1), SEATS, below) for _ in range(DRAWS)]
    cards, positions = Counter(one.magic_card for one in drawn), Counter(one.lucky for one in drawn)
    assert set(cards) == set(DECK) and set(positions) == set(range(SEATS + 1))
    assert chi_square(cards, DECK, DRAWS) < 90, "51 degrees of freedom: one time in two thousand by chance"
    assert chi_square(positions, range(SEATS + 1), DRAWS) < 25, "6 degrees of freedom"


def test_each_bonus_has_a_draw_of_its_own_in_one_round_of_n() -> None:
    below = random.Random(12).randrange
    drawn = [draw(Drawing(10, 4), SEATS, below) for _ in range(DRAWS)]
    assert abs(sum(one.magic for one in drawn) - DRAWS // 10) < 350, "five standard deviations"
    assert abs(sum(one.luck for one in drawn) - DRAWS // 4) < 500
    both = sum(one.magic and one.luck for one in drawn)
    assert abs(both - DRAWS // 40) < 180, "one says nothing of the other"


def test_a_card_says_nothing_of_the_position_drawn_with_it() -> None:
    below = random.Random(7).randrange
    drawn = [draw(Drawing(1, 1), SEATS, below) for _ in range(DRAWS)]
    suits = Counter(f"{one.magic_card[1]}{one.lucky}" for one in drawn)
    assert chi_square(suits, [f"{suit}{seat}" for suit in "cdhs" for seat in range(SEATS + 1)], DRAWS) < 70


@pytest.mark.parametrize(
    ("drawing", "magic", "luck"),
    [(Drawing(0, 0), False, False), (Drawing(1, 0), True, False), (Drawing(0, 1), False, True)],
)
def test_never_and_always(drawing: Drawing, magic: bool, luck: bool) -> None:
    drawn = [draw(drawing, SEATS) for _ in range(50)]
    assert {(one.magic, one.luck) for one in drawn} == {(magic, luck)}


def test_the_machines_own_generator_draws_where_no_other_is_named() -> None:
    drawn = [draw(Drawing(2, 2), SEATS) for _ in range(2_000)]
    assert len({one.magic_card for one in drawn}) == len(DECK)
    assert {one.lucky for one in drawn} == set(range(SEATS + 1))
    assert {one.magic for one in drawn} == {one.luck for one in drawn} == {True, False}
