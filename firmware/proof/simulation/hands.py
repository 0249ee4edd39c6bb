"""The values of the cards of a simulated round, and the true answers about them.

All simulated people know their game from here, and this module knows it from `firmware.rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from firmware.rules.games.game import Game
from firmware.rules.games.registry import game_of
from firmware.rules.hands import HandName, five_card_hand
from firmware.rules.money import Cents
from firmware.rules.payline import dealer_of_cards, row_of_cards, rows, told_of_cards
from firmware.rules.procedure import Procedure
from firmware.rules.seat import Choice, Decision, Seat
from firmware.rules.submission import Submission
from firmware.rules.wager import FIVE_CARD, PROGRESSIVE

DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
HANDS = ("flush", "straight", "three of a kind", "full house", "four of a kind", "straight flush", "royal flush")
"""Hands that win a progressive wager."""
CARDS: Mapping[str, tuple[str, ...]] = {
    "royal flush": ("Qh", "Jh", "Th", "Ah", "Kh"),
    "straight flush": ("Qh", "Jh", "Th", "9h", "8h"),
    "flush": ("Qh", "Jh", "Th", "4h", "2h"),
    "straight": ("Qh", "Jh", "Th", "9c", "8d"),
    "three of a kind": ("Qh", "Jh", "Th", "Qd", "Qs"),
    "four of a kind": ("9c", "9d", "2s", "9h", "9s"),
    "full house": ("9c", "9d", "2s", "9h", "2d"),
}
"""Flop first, so that two hands of one round share it."""


@dataclass(slots=True)
class Cards:
    """The cards on the table. `first`: the players' cards as they were dealt; `hands`: after draws, if there are some."""

    first: dict[int, tuple[str, ...]]
    hands: dict[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    board: tuple[str, ...]
    six: tuple[str, ...]
    rest: list[str]
    options: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Seat -> what it bought or exchanged, as a round's file says it."""
    declared: dict[int, bool] = field(default_factory=dict)
    """Seat -> whether a Super was declared."""

    def draw(self, seat: int, exchanged: int) -> list[str]:
        """New cards for so many of a seat's first ones; 0: one more is bought."""
        drawn = [self.rest.pop(0) for _ in range(exchanged or 1)]
        self.hands[seat] = (*self.hands[seat][exchanged:], *drawn)
        return drawn


def lay(
    procedure: Procedure,
    deck: list[str],
    seats: Iterable[int],
    known: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    flop: tuple[str, ...] = (),
    *,
    six: bool,
) -> Cards:
    """The cards of a round off the top of `deck`: players, dealer, board and, with `six`, its bonus.

    known: cards of their own that lie already, 0 for the dealer's.
    """

    def take(number: int) -> tuple[str, ...]:
        taken = tuple(deck[:number])
        del deck[:number]
        return taken

    hands = {seat: known.get(seat) or take(procedure.hole_cards) for seat in seats}
    dealer = known.get(0) or take(procedure.dealer_cards)
    board = (*flop, *take(procedure.board_cards - len(flop)))
    return Cards(dict(hands), hands, dealer, board, take(4) if six else (), deck)


@lru_cache(maxsize=256)
def made_by(own: tuple[str, ...], board: tuple[str, ...] = ()) -> HandName:
    """The value of a hand, with the flop if there is one."""
    return five_card_hand(own + board[:3])


def won(
    submission: Submission, cards: Cards, seat: int, wagers: Iterable[str], magic: str
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The prizes of a seat's wagers with a meter by the cards: (wager, hand or "magic", five cards).

    wagers: "hand", "five own", "five dealer". magic: the Magic Card, "" for none.
    """
    for wager in wagers:
        offer = submission.offers.get({"hand": PROGRESSIVE, "five dealer": FIVE_CARD[1]}.get(wager, FIVE_CARD[0]))
        five = (*(cards.dealer if wager == "five dealer" else cards.hands[seat]), *cards.board[:3])
        if offer is not None and (made := made_by(five)) in offer.prizes:
            yield wager, made, five
        if wager != "hand" and magic in five:
            yield wager, "magic", five


def instant_row(submission: Submission, hand: tuple[str, ...]) -> str:
    """The row of the Instant paytable that five cards win on, "" for none."""
    made = made_by(hand)
    return made if made in rows(submission, "instant") else ""


def declared_row(submission: Submission, hand: tuple[str, ...]) -> str:
    """The row that five cards win on where their player declares them, "" for none."""
    return row_of_cards(submission, game_of(submission.book.name).declared, hand)


def qualifies(submission: Submission, cards: Cards) -> bool:
    """The dealer's hand is good enough to play."""
    return dealer_of_cards(submission, cards.board, cards.dealer)[1]


def truth(submission: Submission, seat: Seat, cards: Cards, *, void: bool) -> dict[str, str]:
    """Question -> true answer about one seat, as `firmware.rules.worlds` names them."""
    said = told_of_cards(submission, seat, cards.board, () if void else cards.dealer, cards.six)
    return {
        **said.side,
        "result": said.result,
        "hand": said.hand,
        "dealer_hand": said.dealer_hand,
        "second": said.second,
    }


def seat_of(game: Game, number: int, sides: Iterable[str], decision: str, cards: Cards) -> Seat:
    """A seat of a script, as the rules want it. decision: play, fold or instant."""
    choice = {"play": Choice.PLAY, "instant": Choice.INSTANT}.get(decision, Choice.FOLD)
    last = game.procedure.streets[-1]
    play = {"play": Decision(Choice.PLAY, last.name, Cents(100), last.wager)}
    return Seat(
        number=number,
        cards=cards.hands[number],
        wagers={wager: Cents(100) for wager in (game.base, *sides) if ":" not in wager},
        decisions=(play.get(decision, Decision(choice)),),
    )
