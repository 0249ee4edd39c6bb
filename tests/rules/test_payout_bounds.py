"""The most that one player can win at the minimum; no payout limit may be less (653a.12(h), 677a.12(f), Maryland .12F)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from firmware.rules.hands import CLASSES, PAIR, class_of, strength
from firmware.rules.payout_bounds import held_together, most, warning
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.submission import Submission, parse_submission

BLIND = {"blind": {"paytable": "A"}, "trips": {"paytable": "A"}}
HEADS_UP: dict[str, Any] = {"book": "pa-677a", "table_minimum": "95.00", "payout_limit": "50000.00"}
ULTIMATE: dict[str, Any] = HEADS_UP | {"book": "pa-653a"} | BLIND
MARYLAND: dict[str, Any] = HEADS_UP | {"book": "md-36.05.16"} | BLIND

ODDS = (4, 4, 4, 4, 5, 5, 7, 14, 54, 504)
"""What a hand brings on Ante, Raise and Odds, in units of the minimum, a flush below what it is worth."""
EQUAL = (0, 0, 0, 1, 1, 10, 10, 130, 130, 2000)


def filed(rules: dict[str, Any], **more: Any) -> Submission:
    return parse_submission(rules | more)


def apart(cards: Sequence[str], boxes: int) -> Iterator[tuple[tuple[str, str], ...]]:
    """Two cards for every box, all of them different, in no order."""
    if not boxes:
        yield ()
        return
    for place in range(len(cards) - 1):
        first, *rest = cards[place:]
        for second in rest:
            for others in apart([card for card in rest if card != second], boxes - 1):
                yield ((first, second), *others)


def by_force(worth: Sequence[int], boxes: int, deck: Sequence[str]) -> int:
    """Every board, every two cards for every box, and every dealer."""
    best = 0
    for board in combinations(deck, 5):
        left = [card for card in deck if card not in board]
        made = {held: strength((*held, *board)) for held in combinations(left, 2)}
        worths = {held: worth[class_of(hand)] for held, hand in made.items()}
        for taken in apart(left, boxes):
            won = sum(worths[held] for held in taken)
            if won <= best:
                continue
            used, lowest = {card for held in taken for card in held}, min(made[held] for held in taken)
            if any(used.isdisjoint(two) and class_of(hand) >= PAIR and hand < lowest for two, hand in made.items()):
                best = won
    return best


@pytest.mark.parametrize(
    ("deck", "boxes", "worth"),
    [
        ("8h 9h Th Jh Qh Kh Ah Tc Jc Td Jd 2s", 2, ODDS),
        ("7h 8h 9h Th Jh Qh Kh Ah Ac Ad 9c", 2, EQUAL),
        ("Th Jh Qh Kh Ah Tc Td Ts Jc Jd Js", 2, ODDS),
        ("9h Th Jh Qh Kh Ah Kc Kd Ks Ac Ad", 2, EQUAL),
        ("8h 9h Th Jh Qh Kh Ah Tc Ts Td Jc Js Jd", 3, ODDS),
    ],
)
@pytest.mark.slow
def test_the_search_finds_what_trying_everything_finds(deck: str, boxes: int, worth: Sequence[int]) -> None:
    for count in range(1, boxes + 1):
        found = held_together(worth, count, PAIR, deck.split())
        assert found.amount == by_force(worth, count, deck.split())
        assert len(found.hands) == count
        assert found.amount == sum(worth[CLASSES.index(hand)] for hand in found.hands)


@pytest.mark.parametrize("worth", [(4,) * 9 + (7,), tuple(range(10, 0, -1))])
def test_the_search_is_for_paytables_that_a_royal_flush_leads(worth: Sequence[int]) -> None:
    with pytest.raises(ValueError, match="royal flush"):
        held_together(worth, 2)


@pytest.mark.parametrize(
    ("rules", "boxes", "times"),
    [
        (HEADS_UP, 1, 504),
        (HEADS_UP, 2, 558),
        (HEADS_UP, 3, 572),
        (ULTIMATE, 1, 505),
        (ULTIMATE, 2, 560),
        (MARYLAND, 1, 555),
    ],
)
def test_12f_the_most_at_the_minimum_in_times_the_minimum(rules: dict[str, Any], boxes: int, times: int) -> None:
    """Maryland's limit covers Trips (.12F(2)), so the 505 of Pennsylvania is not its number."""
    assert most(filed(rules), boxes).amount == times * 9500


def test_671a_knows_no_limit() -> None:
    rules = filed({"book": "pa-671a", "table_minimum": "95.00", "instant": {"paytable": "A"}})
    assert most(rules, 1) == (0, ())
    assert warning(rules, 1) == ""


def test_12f_two_boxes_at_the_minimum_are_owed_what_the_warning_says() -> None:
    """The round of the warning, settled by the law without a limit and with it."""
    wagers = {"ante": "95.00", "odds": "95.00"}
    raised = {"at": "preflop", "wager": "285.00"}
    seats = {
        str(number): {"cards": held.split(), "wagers": wagers, "decision": raised, "player": "A"}
        for number, held in ((1, "Ah Kh"), (2, "9h 8h"))
    }
    cards = {"board": ["Th", "Jh", "Qh", "2c", "2d"], "dealer": ["7c", "7d"]}

    def paid(**more: str) -> int:
        rules = {"book": "pa-677a", "table_minimum": "95.00", "adjacent_boxes": 2, **more}
        return sum(
            line.payout for line in settle(parse_round({"rules": rules, "cards": cards, "seats": seats})).payments
        )

    two = filed(HEADS_UP, adjacent_boxes=2)
    assert paid() == most(two, 2).amount == 5_301_000
    assert paid(payout_limit="50000.00") == 5_000_000
    said = warning(two, 2)
    assert "one player with 2 boxes can win $53,010.00 on odds, raise and ante" in said
    assert "by a royal flush and a straight flush; 677a.12(f) wants a limit of at least that much" in said


@pytest.mark.parametrize(
    ("rules", "boxes", "says"),
    [
        (
            ULTIMATE,
            2,
            "can win $53,200.00 on blind, play and ante, by a royal flush and a straight flush (it is one limit",
        ),
        (MARYLAND, 1, "one player with one box can win $52,725.00 on trips, blind, play and ante, by a royal flush;"),
    ],
)
def test_12_a_limit_below_the_most_is_warned_of(rules: dict[str, Any], boxes: int, says: str) -> None:
    assert says in warning(filed(rules), boxes)


def test_12_a_limit_that_is_enough_is_not_warned_of() -> None:
    assert warning(filed(HEADS_UP), 1) == ""
    assert warning(filed(HEADS_UP, payout_limit="53010.00"), 2) == ""
    assert warning(filed(HEADS_UP, payout_limit="53009.99"), 2) != ""
    assert warning(filed(HEADS_UP, payout_limit="54340.00"), 3) == "", "572 times, and no second straight flush"
    assert warning(filed({key: HEADS_UP[key] for key in ("book", "table_minimum")}), 6) == ""
    assert warning(filed(HEADS_UP, table_minimum="15.00"), 6) == "", "without a search"


@pytest.mark.usefixtures("riverboat")
def test_a_game_whose_paytable_no_royal_flush_leads_is_never_said_too_little() -> None:
    rules = parse_submission({"book": "riverboat", "table_minimum": "10.00", "lucky_river": {"paytable": "B"}})
    assert most(rules, 2).amount >= most(rules, 1).amount > 0
