"""The most that one player can win in one round at the minimum, of the wagers that a payout limit covers.

653a.12(h), 677a.12(f) and Maryland .12F want a limit of at least that. The game's own law says what a hand brings;
a search finds the hands that can lie in one player's boxes in one round, with a dealer whose hand is lower and qualifies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from firmware.rules.cards import DECK, RANKS
from firmware.rules.games.registry import game_of
from firmware.rules.hands import (
    CLASSES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    HandName,
    Strength,
    class_of,
    name_of,
    strength,
)
from firmware.rules.money import NO_MONEY, Cents
from firmware.rules.seat import Choice, Decision, Seat
from firmware.rules.submission import Submission
from firmware.rules.told import Told

RUN = 5
BOARD = 5
HELD = 2
SUIT = "h"
"""All suits are equal in rank, so the royal flush is looked for in one of them."""
ROYAL = tuple(rank + SUIT for rank in "TJQKA")

RUNS = tuple(frozenset(rank + SUIT for rank in ("A" + RANKS)[low : low + RUN]) for low in range(len(RANKS) + 2 - RUN))
"""The cards of every straight flush in that suit, the lowest first, the royal one last."""

Pair = tuple[str, ...]


class Most(NamedTuple):
    """So much, with these hands, the best first."""

    amount: Cents
    hands: tuple[str, ...]


def most(submission: Submission, boxes: int) -> Most:
    """The most that a player with so many boxes can win in one round when everything covered is wagered at the minimum.

    A wager without a minimum of its own is counted at the table's. Nothing where the book knows no limit.
    """
    if submission.book.limit is None:
        return Most(NO_MONEY, ())
    worth = tuple(_worth(submission, hand) for hand in CLASSES)
    qualify = submission.book.qualify
    least = CLASSES.index(HandName(qualify.least)) if qualify else 0
    if not _led_by_a_royal(worth, boxes):  # no book has such a paytable; a sum that is never too low
        return Most(Cents(boxes * max(worth)), (HandName.ROYAL_FLUSH,))
    return held_together(worth, boxes, least)


def warning(submission: Submission, boxes: int) -> str:
    """One sentence for a casino that files a limit below the most at the minimum; else ""."""
    limit, terms = submission.payout_limit, submission.book.limit
    if limit is None or terms is None or limit >= _at_the_most(submission, boxes):
        return ""
    amount, hands = most(submission, boxes)
    if limit >= amount:
        return ""
    hold = "with one box" if boxes == 1 else f"with {boxes} boxes"
    each = (
        "" if terms.per_player or boxes == 1 else " (it is one limit for each hand, so nothing is cut at the minimum)"
    )
    return (
        f"payout_limit: ${_in_thousands(limit)}; at the table minimum one player {hold} can win ${_in_thousands(amount)} "
        f"on {_listed(terms.covers)}, by {_listed([_a(hand) for hand in hands])}{each}; {terms.cite} wants a limit of at "
        "least that much: file a higher one, or ask the regulator"
    )


def _at_the_most(submission: Submission, boxes: int) -> int:
    """A sum that is never too low, without a search."""
    royal, next_best = _worth(submission, CLASSES[ROYAL_FLUSH]), _worth(submission, CLASSES[STRAIGHT_FLUSH])
    return max(royal + (boxes - 1) * next_best, boxes * next_best)


def _worth(submission: Submission, hand: str) -> Cents:
    """The payout of a winning hand of this name on the covered wagers, as the game's law pays it without a limit."""
    rules = replace(submission, payout_limit=None)
    game, covers = game_of(rules.book.name), rules.book.limit.covers if rules.book.limit else ()
    stakes = game.default_stakes(rules) | {
        name: rules.table_minimum for name in covers if not game.wagers[name].deciding and name in rules.paytables
    }
    street = max(game.procedure.streets, key=lambda each: max(each.times))
    decision = Decision(Choice.PLAY, street.name, street.most(stakes[game.base]), street.wager)
    paid = game.pay(rules, Seat(1, (), stakes, (decision,)), Told(qualifies=True, result="higher", hand=hand), ())
    return Cents(sum(payment.payout for payment in paid if payment.wager in covers))


# Hands that can lie there in one round ----------------------------------------------------------------------------------


def held_together(worth: Sequence[int], boxes: int, least: int = 0, deck: Sequence[str] = DECK) -> Most:
    """The best hands of so many boxes in one round, by what a winning hand of each class brings, and their sum.

    `least`: the class that the dealer's lower hand has to have. `deck`: where `SUIT` alone has a royal flush. Raises
    ValueError where what is worth most need not hold a royal flush.
    """
    if not _led_by_a_royal(worth, boxes):
        raise ValueError(f"{worth}: a royal flush that is worth more than {boxes} straight flushes is wanted")
    if boxes == 1:
        return Most(Cents(worth[ROYAL_FLUSH]), (CLASSES[ROYAL_FLUSH],))
    best = Most(NO_MONEY, ())
    for hoped, board, royal in sorted(_royal_boards(worth, boxes, deck), reverse=True):
        if hoped <= best.amount:
            break
        best = max(best, _on(board, royal, worth, boxes, least, deck, best.amount), key=lambda found: found.amount)
    return best


def _led_by_a_royal(worth: Sequence[int], boxes: int) -> bool:
    """A higher hand is worth no less, and a royal flush more than anything that the boxes can hold without one."""
    return list(worth) == sorted(worth) and worth[ROYAL_FLUSH] >= boxes * worth[STRAIGHT_FLUSH]


def _royal_boards(worth: Sequence[int], boxes: int, deck: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...], Pair]]:
    """Every board with the two cards that make it a royal flush, and a sum that the boxes cannot exceed there."""
    others = [card for card in deck if card not in ROYAL]
    for there in combinations(ROYAL, BOARD - HELD):
        royal = (*[card for card in ROYAL if card not in there],)
        for rest in combinations(others, HELD):
            board = there + rest
            yield _hoped(board, royal, worth, boxes), board, (royal[0], royal[1])
    for there in combinations(ROYAL, BOARD - 1):
        [last] = [card for card in ROYAL if card not in there]
        for one, beside in ((one, beside) for one in others for beside in others if one != beside):
            board = (*there, one)
            yield _hoped(board, (last, beside), worth, boxes), board, (last, beside)


def _hoped(board: Sequence[str], royal: Sequence[str], worth: Sequence[int], boxes: int) -> int:
    """A royal flush, all straight flushes and fours that can lie beside each other, and the best that may remain."""
    ranks = [card[0] for card in board]
    paired = {rank for rank in ranks if ranks.count(rank) >= HELD}
    fours = sum(rank not in {card[0] for card in royal} for rank in paired)
    missing = [run.difference(board) for run in RUNS[:-1]]
    runs = _apart([cards for cards in missing if 0 < len(cards) <= HELD and cards.isdisjoint(royal)])
    below = FULL_HOUSE if paired else FLUSH
    hands = ([STRAIGHT_FLUSH] * runs + [FOUR_OF_A_KIND] * fours + [below] * boxes)[: boxes - 1]
    return worth[ROYAL_FLUSH] + sum(worth[hand] for hand in hands)


def _apart(sets: Sequence[frozenset[str]]) -> int:
    """The most of these sets that have no card in common."""
    if not sets:
        return 0
    first, *rest = sets
    return max(_apart(rest), 1 + _apart([each for each in rest if each.isdisjoint(first)]))


def _on(
    board: tuple[str, ...],
    royal: Pair,
    worth: Sequence[int],
    boxes: int,
    least: int,
    deck: Sequence[str],
    beat: int,
) -> Most:
    """The best on one board that is more than `beat`, beside a royal flush; nothing if there is none."""
    left = [card for card in deck if card not in board and card not in royal]
    made = {held: strength((*held, *board)) for held in combinations(left, HELD)}
    common = strength(board)
    hands = sorted((pair for pair, hand in made.items() if hand > common), key=made.__getitem__, reverse=True)
    best = Most(Cents(beat), ())

    def take(start: int, taken: tuple[Pair, ...], won: int) -> None:
        nonlocal best
        missing = boxes - 1 - len(taken)
        used = {card for pair in taken for card in pair}
        if not missing:
            if won > best.amount and _dealer_is_lower(made, used, taken, least):
                names = [CLASSES[ROYAL_FLUSH], *[name_of(made[pair]) for pair in taken]]
                best = Most(Cents(won), tuple(names))
            return
        for place in range(start, len(hands)):
            each = worth[class_of(made[hands[place]])]
            if won + missing * each <= best.amount:
                return
            if used.isdisjoint(hands[place]):
                take(place + 1, (*taken, hands[place]), won + each)

    take(0, (), worth[ROYAL_FLUSH])
    return best if best.hands else Most(Cents(0), ())


def _dealer_is_lower(made: Mapping[Pair, Strength], used: set[str], taken: Sequence[Pair], least: int) -> bool:
    """Two cards are left with which the dealer qualifies and loses to every box."""
    lowest = min(made[pair] for pair in taken)
    return any(used.isdisjoint(pair) and class_of(hand) >= least and hand < lowest for pair, hand in made.items())


def _in_thousands(amount: Cents) -> str:
    return f"{amount // 100:,}.{amount % 100:02d}"


def _a(hand: str) -> str:
    return f"a {hand}" if hand.endswith(("flush", "house", "straight")) else hand


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
