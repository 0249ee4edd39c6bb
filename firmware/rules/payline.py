"""The law for a table that knows results but not cards: the payments of a seat after the dealer's words about it.

Every wager of the seat is paid by the same functions that settle a round from its cards; `worlds` knows what is asked for
that. Wagers on a meter are in `meter_wagers`. If somebody enters the cards after all, they say what the dealer would have
said (`told_of_cards`). A void round, a fold, and a seat that was left are here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANKED, Hand
from firmware.rules.payment import Payment, void
from firmware.rules.seat import Seat
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, Told

HANDS = ("hand", "dealer_hand")
"""The questions that are answered by the name of a hand."""

# Payments of the dealer ----------------------------------------------------------------------------------------------


def pay_lines(submission: Submission, seat: Seat, told: Told, boxes: Iterable[Payment] = ()) -> tuple[Payment, ...]:
    """A payment for every wager of a decided seat but those of meters, in the order of its book.

    The seat's cards are not looked at. A seat that was left loses the stakes of its decisions too. `boxes`: what
    the other boxes of the same player were paid before in this round (677a.12(f)). Raises Refusal, naming the answer,
    if one is missing.
    """
    game = game_of(submission.book.name)
    _refuse_no_answer(game, submission, seat, told)
    return tuple(game.pay(submission, seat, told, boxes))


def void_payments(
    submission: Submission, seat: Seat, kind: str, still: Iterable[str] = (), cite: str = ""
) -> tuple[Payment, ...]:
    """Every stake of a seat that goes back in a void round, also of a folded or left hand (reading 12).

    `kind`: the irregularity, a key of the book's `voids`. `still`: the wagers that are still settled, and not here.
    `cite`: the paragraph for this way of dealing, "" for the one of the kind.
    """
    settled, paragraph = frozenset(still), cite or submission.book.voids[kind]
    stakes = game_of(submission.book.name).stakes(seat)
    return tuple(void(seat.number, wager, stake, paragraph) for wager, stake in stakes if wager not in settled)


# The word of the cards -----------------------------------------------------------------------------------------------


def rows(submission: Submission, wager: str) -> tuple[str, ...]:
    """The rows of the wager's paytable, highest first. Raises KeyError where the submission has none of that name."""
    name = wager.partition(":")[0]
    said = submission.book.wagers.get(name)
    table = submission.paytables[name if said is None or name in submission.paytables else said.section]
    return (*table.shares, *table.rows)


def told_of_cards(
    submission: Submission, seat: Seat, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Told:
    """The words of a dealer who looks at the cards of a seat: every possible answer but the declared ones.

    Lunar Poker's Supers were, on the first five cards; `seat.cards` are the cards that lie there in the end, and
    `seat.option` says only that its fee was paid. Fewer cards, as a void round can leave them, say less: an unknown answer
    is "".
    """
    game = game_of(submission.book.name)
    own, dealers = _best_of(game, seat.cards, board), _best_of(game, dealer, board)
    return game.told(submission, seat, seat.cards, own, dealers, six_card)


@lru_cache(maxsize=64)
def _best_of(game: Game, own: tuple[str, ...], board: tuple[str, ...]) -> Hand | None:
    """Wanted of one dealer's hand for every seat."""
    return game.best_of(own, board)


def dealer_of_cards(submission: Submission, board: tuple[str, ...], dealer: tuple[str, ...]) -> tuple[str, bool]:
    """The name of the dealer's best hand, and whether it qualifies by the book.

    ("", False) if the dealer has no cards, or fewer than five lie there with the board.
    """
    game = game_of(submission.book.name)
    best = _best_of(game, dealer, board)
    return (best.name, game.qualifies(best.name)) if best else ("", False)


def row_of_cards(submission: Submission, wager: str, cards: tuple[str, ...]) -> str:
    """The row on which a wager with cards of its own wins ("super:dealer" and "super:4" too); "" for none."""
    row = game_of(submission.book.name).row_of(submission, wager, cards)
    return row if row and row in rows(submission, wager) else ""


def least_row(submission: Submission, hand: str) -> str:
    """The row on which a declared wager wins with any first cards of this name; "" for none."""
    return game_of(submission.book.name).least_row(hand)


# Impossible hands ----------------------------------------------------------------------------------------------------


def _refuse_no_answer(game: Game, rules: Submission, seat: Seat, told: Told) -> None:
    """Whether two answers may be true together is asked of `worlds`."""
    if not seat.decisions:
        raise Refusal("decision", f"is missing; seat {seat.number} has not decided yet")
    asked = {} if seat.abandoned else game.asks(rules, seat, told.result, told.qualifies)
    for answer in HANDS:
        name = told.answer(answer)
        if name and name not in RANKED:
            raise Refusal(answer, f"is {name}; right would be {_listed(reversed(RANKED))}")
    for answer, choices in asked.items():
        given = told.answer(answer)
        below_these = answer in HANDS and NONE_OF_THESE in choices
        if answer != "qualifies" and given not in choices and not below_these:
            raise Refusal(answer, f"is {given or 'missing'}; right would be {_listed(choices)}")
    for wager in told.side:
        if wager not in asked and not _is_picked(game, seat, wager):
            raise Refusal(f"side.{wager}", "is no wager of this seat whose row is picked; leave it out")


def _is_picked(game: Game, seat: Seat, wager: str) -> bool:
    """A wager of the seat that is won by other cards than the best hand's: the dealer picks its row."""
    name = wager.partition(":")[0]
    lies = wager in (stake for stake, _ in game.stakes(seat))
    return lies and name in game.wagers and game.wagers[name].picked


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choice or "nothing" for choice in choices)
