"""The game as people at a simulated table know it: its rules, its assist level, and the cards as they lie.

The cards come from a seeded deck; a planned winner holds the winning hand. `hands` has a dealer's words about a hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.config import load_table, submission
from firmware.proof.simulation.hands import CARDS, DECK, HANDS, Cards, lay, made_by
from firmware.rules.games.game import Game as Law
from firmware.rules.games.registry import game_of
from firmware.rules.procedure import Procedure
from firmware.rules.submission import Submission


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
    def law(self) -> Law:
        """The game as its book has it."""
        return game_of(self.submission.book.name)

    @property
    def elects(self) -> bool:
        """Players elect once and may draw; there are no streets."""
        return self.law.has_pass("elections")

    @property
    def progressive(self) -> bool:
        """There are chips on sensors."""
        return bool(self.submission.on_sensor)

    @property
    def five_card(self) -> bool:
        """There are wagering buttons and accounts."""
        return bool(self.submission.by_account)


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
        if not game.law.has_board or not any(made_by(hand, cards.board) in HANDS for hand in others):
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
    return lay(game.procedure, deck, seats, known, flop if game.law.has_board else (), six=game.law.has_six_card_box)
