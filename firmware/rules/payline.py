"""The law for a table that knows results but not cards: what a dealer says of a seat, and what its wagers then bring.

The dealer compares the hands and says "higher"; the code knows which other questions that answer leaves (`answers`), and
pays every wager of the seat (`pay_lines`) by the same functions that settle a round from its cards. Wagers on a meter are
in `meter_wagers`. Where somebody enters the cards after all, they say what the dealer would have said (`told_of_cards`).
What is lost or returned without a comparison is here too: `void_payments`, a fold, and a seat that was left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import RANKED, HandName
from firmware.rules.payment import Payment, void
from firmware.rules.seat import Seat
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, Told
from firmware.rules.wager import SettledBy

HANDS = ("hand", "dealer_hand")
"""The questions that are answered by the name of a hand."""

_TOP = len(RANKED) - 1


# What the dealer pays ------------------------------------------------------------------------------------------------


def pay_lines(submission: Submission, seat: Seat, told: Told, boxes: Iterable[Payment] = ()) -> tuple[Payment, ...]:
    """A payment for every wager of a decided seat but those of meters, in the order of its book.

    The seat's cards are not looked at. Of a seat that was left, what its decisions had staked is lost too. `boxes`: what
    the other boxes of the same player were paid before in this round (677a.12(f)). Raises Refusal, naming the answer,
    where one is missing or two contradict each other.
    """
    game = game_of(submission.book.name)
    _refuse_what_cannot_be(game, submission, seat, told)
    return tuple(game.pay(submission, seat, told, boxes))


def void_payments(
    submission: Submission, seat: Seat, kind: str, still: Iterable[str] = (), cite: str = ""
) -> tuple[Payment, ...]:
    """Every stake of a seat that goes back in a void round, whatever was folded or left (reading 12).

    `kind`: what voids it, a key of the book's `voids`. `still`: the wagers that are settled nevertheless, and not here.
    `cite`: the paragraph for this way of dealing, "" for the one of the kind.
    """
    settled, paragraph = frozenset(still), cite or submission.book.voids[kind]
    stakes = game_of(submission.book.name).stakes(seat)
    return tuple(void(seat.number, wager, stake, paragraph) for wager, stake in stakes if wager not in settled)


# What the dealer is asked --------------------------------------------------------------------------------------------


def answers(
    submission: Submission, seat: Seat, result: str = "", qualifies: bool = True
) -> Mapping[str, tuple[str, ...]]:
    """Every answer a seat needs with its choices, highest first: `qualifies` (of the dealer, once a round), `result`,
    `hand`, `dealer_hand`, `second`, and wagers of `Told.side`. Where `NONE_OF_THESE` is no choice, one of them it is.

    `result`, `qualifies`: what was answered already; with a result "" only what is needed whatever it will be.
    """
    if seat.abandoned:
        return {}
    return game_of(submission.book.name).asks(submission, seat, result, qualifies)


def still_answers(submission: Submission, seat: Seat, still: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The answers that a void round still needs of a seat, told like a fold: only what settles the wagers `still`."""
    game, left = game_of(submission.book.name), frozenset(still)
    by_hand = not left.isdisjoint(game.settled_by(SettledBy.HAND))
    asked = answers(submission, seat)
    return {answer: choices for answer, choices in asked.items() if answer in left or (answer == "hand" and by_hand)}


def rows(submission: Submission, wager: str) -> tuple[str, ...]:
    """The rows of the wager's paytable, highest first. Raises KeyError where the submission has none of that name."""
    name = wager.partition(":")[0]
    said = submission.book.wagers.get(name)
    table = submission.paytables[name if said is None or name in submission.paytables else said.section]
    return (*table.shares, *table.rows)


def best_possible(submission: Submission, seat: Seat, told: Told, answered: Iterable[str]) -> HandName:
    """The best hand that this player can hold after what was answered of it.

    Two cards and the flop, on which a progressive wager wins, are among his cards and never make more (653a.12(d)(2)).
    `answered`: the questions that `told` has an answer to.
    """
    known = frozenset(answered)
    best = _TOP
    if told.hand:
        best = RANKED.index(told.hand)
    elif "hand" in known:  # none of the choices: below all of them
        asked = answers(submission, seat, told.result, told.qualifies).get("hand", ())
        best = min((RANKED.index(choice) for choice in asked if choice), default=_TOP + 1) - 1
    if told.result in ("lower", "equal"):
        best = min(best, RANKED.index(dealers_best_possible(submission, told)))
    return HandName(RANKED[max(best, 0)])


def dealers_best_possible(submission: Submission, told: Told) -> HandName:
    """The best hand that the dealer can hold: what it is called, or less than what qualifies; any other may be his."""
    if told.dealer_hand:
        return HandName(told.dealer_hand)
    game = game_of(submission.book.name)
    if told.qualifies or game.book.qualify is None:
        return HandName(RANKED[_TOP])
    if game.has_board:  # what is less than a pair has one name there
        return HandName.HIGH_CARD
    return HandName(RANKED[max(RANKED.index(game.book.qualify.least) - 1, 0)])


# What the cards say --------------------------------------------------------------------------------------------------


def told_of_cards(
    submission: Submission, seat: Seat, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
) -> Told:
    """What a dealer who looks at the cards says of a seat; all he could be asked but what was declared before.

    Lunar Poker's Supers were, on the first five cards; `seat.cards` are the cards that lie there in the end, and
    `seat.option` says only that its fee was paid. Fewer cards, as a void round can leave them, say less: what is not
    known is "".
    """
    game = game_of(submission.book.name)
    own, dealers = game.best_of(seat.cards, board), game.best_of(dealer, board)
    return game.told(submission, seat, seat.cards, own, dealers, six_card)


def dealer_of_cards(submission: Submission, board: tuple[str, ...], dealer: tuple[str, ...]) -> tuple[str, bool]:
    """What the dealer's best hand is called, and whether it qualifies by the book.

    ("", False) where the dealer has no cards, or fewer than five lie there with the board.
    """
    game = game_of(submission.book.name)
    best = game.best_of(dealer, board)
    return (best.name, game.qualifies(best.name)) if best else ("", False)


def row_of_cards(submission: Submission, wager: str, cards: tuple[str, ...]) -> str:
    """The row on which a wager with cards of its own wins ("super:dealer" and "super:4" too); "" for none."""
    row = game_of(submission.book.name).row_of(submission, wager, cards)
    return row if row and row in rows(submission, wager) else ""


# What cannot be ------------------------------------------------------------------------------------------------------


def _refuse_what_cannot_be(game: Game, rules: Submission, seat: Seat, told: Told) -> None:
    if not seat.decisions:
        raise Refusal("decision", f"is missing; seat {seat.number} has not decided yet")
    asked = answers(rules, seat, told.result, told.qualifies)
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
    if "result" in asked:
        _refuse_contradictions(game, told)


def _is_picked(game: Game, seat: Seat, wager: str) -> bool:
    """A wager of the seat that is won by other cards than the best hand's: the dealer picks its row."""
    name = wager.partition(":")[0]
    lies = wager in (stake for stake, _ in game.stakes(seat))
    return lies and name in game.wagers and game.wagers[name].picked


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choice or "nothing" for choice in choices)


def _refuse_contradictions(game: Game, told: Told) -> None:
    """A result that the names of the two hands cannot have: a wrong tap, before anything is paid."""
    qualify = game.book.qualify
    least = RANKED.index(qualify.least if qualify else HandName.HIGH_CARD)
    low, high = (least, _TOP) if told.qualifies else (0, least - 1)
    if told.dealer_hand:
        dealer = RANKED.index(told.dealer_hand)
        if not low <= dealer <= high:
            raise Refusal("dealer_hand", f"is {told.dealer_hand}, and that decides whether the dealer qualifies")
        low = high = dealer
    if told.hand:
        player = RANKED.index(told.hand)
        right = {
            "higher": player >= low,
            "equal": low <= player <= high,
            "lower": player <= high and player < _TOP,
        }
        if not right[told.result]:
            raise Refusal("result", f"is {told.result}, which a {told.hand} cannot be against this dealer's hand")
