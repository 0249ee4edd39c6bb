"""What people at a simulated table know of their game: its rules, its assist level, and the cards as they lie.

The cards come from a seeded deck; whoever shall win holds what he wins with. What a dealer says of a hand is what
`firmware.rules` says of its cards.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.config import load_table, submission
from firmware.rules.hands import five_card_hand
from firmware.rules.money import Cents
from firmware.rules.payline import dealer_of_cards, row_of_cards, told_of_cards
from firmware.rules.procedure import Procedure
from firmware.rules.seat import FOLDS, Choice, Decision, Seat
from firmware.rules.submission import Submission

LUNAR = "pa-671a"
DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
HANDS = ("flush", "straight", "three of a kind", "full house", "four of a kind", "straight flush", "royal flush")
"""What wins a progressive wager."""
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


@dataclass(frozen=True, slots=True)
class Game:
    """One table's game. `seats`: how many; `level`: how much the table is told."""

    submission: Submission
    procedure: Procedure
    level: int
    seats: int

    @classmethod
    def of(cls, configuration: Path | None) -> Game:
        """The game that a table.toml describes; None: the simulation's own. Raises ConfigError."""
        table = load_table(configuration)
        offered = submission(table, configuration)
        return cls(offered, offered.book.procedure, table.dealing.assist, table.seats.count)

    @property
    def is_lunar(self) -> bool:
        """Five cards each, elections, draws, no community cards."""
        return self.procedure.book == LUNAR

    @property
    def progressive(self) -> bool:
        """There are chips on sensors."""
        return self.submission.progressive is not None

    @property
    def five_card(self) -> bool:
        """There are wagering buttons and accounts."""
        return self.submission.five_card_hand is not None

    def offers(self, wager: str) -> bool:
        """A side wager with a paytable of its own."""
        return wager in self.submission.paytables


@dataclass(slots=True)
class Cards:
    """What lies on the table. `first`: the players' cards as they were dealt; `hands`: after the draws of Lunar Poker."""

    first: dict[int, tuple[str, ...]]
    hands: dict[int, tuple[str, ...]]
    dealer: tuple[str, ...]
    board: tuple[str, ...]
    six: tuple[str, ...]
    rest: list[str]


def deal(
    chance: random.Random,
    game: Game,
    seats: Iterable[int],
    wins: Mapping[int, str],
    given: Mapping[int, tuple[str, ...]],
) -> Cards:
    """A round's cards: `wins` are the hands of seats with the flop, `given` cards of one's own (0: the dealer's).

    Nobody else's two cards make a prize with the flop: what a meter pays is in the script.
    """
    while True:
        cards = _dealt(chance, game, tuple(seats), wins, given)
        others = [hand for seat, hand in {**cards.hands, 0: cards.dealer}.items() if seat not in {*wins, *given}]
        if game.is_lunar or not any(five_card_hand(hand + cards.board[:3]) in HANDS for hand in others):
            return cards


def _dealt(
    chance: random.Random,
    game: Game,
    seats: tuple[int, ...],
    wins: Mapping[int, str],
    given: Mapping[int, tuple[str, ...]],
) -> Cards:
    made = {seat: CARDS[hand] for seat, hand in wins.items()}
    known = {**given, **{seat: cards[3:] for seat, cards in made.items()}}
    flop = next((cards[:3] for cards in made.values()), ())
    out = {*flop, *(card for cards in known.values() for card in cards)}
    deck = [card for card in DECK if card not in out]
    chance.shuffle(deck)

    def take(number: int) -> tuple[str, ...]:
        taken = tuple(deck[:number])
        del deck[:number]
        return taken

    holes = game.procedure.hole_cards
    hands = {seat: known.get(seat) or take(holes) for seat in seats}
    dealer = known.get(0) or take(holes)
    board = () if game.is_lunar else (*flop, *take(5 - len(flop)))
    return Cards(dict(hands), hands, dealer, board, () if game.is_lunar else take(4), deck)


# What a dealer says ---------------------------------------------------------------------------------------------------


def says_of(
    game: Game, number: int, sides: Iterable[str], decision: str, cards: Cards, *, void: bool
) -> dict[str, str]:
    """Question -> truth for one seat, as `firmware.rules.payline.answers` names them. decision: play, fold or instant."""
    choice = {"play": Choice.PLAY, "instant": Choice.INSTANT}.get(decision, Choice.FOLD)
    last = game.procedure.streets[-1]
    play = {"play": Decision(Choice.PLAY, last.name, Cents(100), last.wager)}
    seat = Seat(
        number=number,
        cards=cards.hands[number],
        wagers={wager: Cents(100) for wager in ("ante", *sides) if not wager.startswith("super:")},
        decisions=FOLDS if void else (play.get(decision, Decision(choice)),),
    )
    said = told_of_cards(game.submission, seat, cards.board, () if void else cards.dealer, cards.six)
    return {
        **said.side,
        "result": said.result,
        "hand": said.hand,
        "dealer_hand": said.dealer_hand,
        "second": said.second,
    }


def qualifies(game: Game, cards: Cards) -> bool:
    """The dealer's hand has a pair, at Lunar Poker ace-king, or better."""
    return dealer_of_cards(game.submission, cards.board, cards.dealer)[1]


def super_row(game: Game, hand: tuple[str, ...]) -> str:
    """The row of the Super paytable that five cards win on, "" for none."""
    return row_of_cards(game.submission, "super", hand)


def prize_hand(own: tuple[str, ...], board: tuple[str, ...]) -> str:
    """What two cards and the flop make."""
    return str(five_card_hand(own + board[:3]))
