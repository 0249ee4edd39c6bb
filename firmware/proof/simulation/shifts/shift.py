"""Whole shifts at one table, seeded: eight hours of rounds with irregularities, mistakes, corrections and power cuts.

`Shift` is everybody at the table but the firmware: players with chips, a dealer with real cards, a floorperson and a
manager, a shuffler, a bank. It presses keys and moves chips; what the table says is compared with the settlement of
the whole round by `firmware.rules` from the cards as they lay. With `checks` every step is proved: replay equals live, a
refused press changes nothing, signatures are right, no chip is lost.
"""

from __future__ import annotations

import random
from collections import Counter

from firmware.proof.simulation.books import levels
from firmware.proof.simulation.hands import CARDS, DECK, Cards, lay
from firmware.proof.simulation.plan import FIVE_CARDS
from firmware.proof.simulation.shifts.bets import count_chips, no_more_bets, place_chips, players_come
from firmware.proof.simulation.shifts.decisions import play_hands
from firmware.proof.simulation.shifts.floor import between_rounds, close_table, next_deck, open_table
from firmware.proof.simulation.shifts.houses import EQUIPMENT, house_of
from firmware.proof.simulation.shifts.irregular import (
    count_stub,
    maybe_fouled,
    maybe_void,
    maybe_void_again,
    maybe_void_by_two,
)
from firmware.proof.simulation.shifts.law import compare
from firmware.proof.simulation.shifts.prizes import winners
from firmware.proof.simulation.shifts.settling import settle_after_void
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table.dealing import six_card_wagered
from firmware.table.state import Phase

SHIFT_ROUNDS = 240
"""Eight hours of rounds, thirty an hour."""
SELDOM = 0.12
"""Share of the rounds in which somebody holds a hand of a paytable's first rows."""
FOLLOWS = 0.3
"""Share of the rounds at level 2 in which the dealer overlooks every prize that the table does not ask for."""
FAMILIES = (
    ("royal flush", "straight flush"),
    ("royal flush", "three of a kind"),
    ("straight flush", "flush"),
    ("four of a kind",),
    ("full house",),
)
"""Hands that can be held on one flop."""


class Shift(ProvedTable):
    """One table, one seed. `play` plays rounds; `tally` counts what happened.

    level: assist level; None: by the seed. checks: prove every step. trouble: how much more of it than in life.
    """

    def __init__(self, book: str, seed: int, *, level: int | None = None, checks: bool = True, trouble: float = 1.0):
        self.seed, chance = seed, random.Random(f"{book} {seed}")
        chosen = chance.choice(levels(book))
        house = house_of(book, chosen if level is None else level, chance.choice(EQUIPMENT))
        who = f"{book}, seed {seed}, level {house.level}, "
        super().__init__(house, chance, checks=checks, trouble=trouble, who=who)

    def play(self, rounds: int) -> None:
        """Open the table, play, close it. Raises Wrong; what goes wrong names the book, the seed and the round."""
        try:
            open_table(self)
            for _ in range(rounds):
                between_rounds(self)
                play_round(self)
            between_rounds(self, calm=True)
            close_table(self)
            if self.checks:
                self.account.closes()
                self.tally += self.account.tally
        except Exception as error:
            where = f"level {self.house.level}, {self.house.equipment}, round {self.state.round.number}"
            error.add_note(f"book {self.house.game.name}, seed {self.seed}, {where}")
            raise


def play_round(shift: ProvedTable) -> None:
    """From open bets to open bets (or to the obstacle that keeps them closed)."""
    shift.expect(Phase.OPEN, "a round begins")
    shift.tally["rounds"] += 1
    shift.follows = shift.house.level == 2 and shift.whims.random() < FOLLOWS
    players_come(shift)
    lit = place_chips(shift)
    no_more_bets(shift)
    if shift.state.phase is Phase.COUNT:
        count_chips(shift, lit)
    cards = _deal_cards(shift)
    voided = maybe_void(shift)
    if not voided:
        if shift.house.level:
            voided = play_hands(shift, cards)
        else:
            count_stub(shift)  # it may void everything: no prize before it
            winners(shift, cards)
    if not voided:
        count_stub(shift)
    _clear(shift, voided, cards)


def _deal_cards(shift: ProvedTable) -> Cards:
    """A whole deck; once in a while somebody holds what a night seldom brings."""
    seats = shift.state.players or tuple(range(1, shift.house.seats + 1))
    known, flop = _seldom(shift, seats) if seats and shift.chance.random() < SELDOM else ({}, ())
    out = {*flop, *(card for hand in known.values() for card in hand)}
    deck = [card for card in shift.chance.sample(DECK, 52) if card not in out]
    six = six_card_wagered(shift.house, shift.state)
    cards = lay(shift.house.procedure, deck, seats, known, flop, six=six)
    shift.account.deals(cards)
    return cards


def _seldom(shift: ProvedTable, seats: tuple[int, ...]) -> tuple[dict[int, tuple[str, ...]], tuple[str, ...]]:
    """(cards of one's own, 0 for the dealer's; flop) of one or two hands that share nothing else."""
    holders = shift.chance.sample((0, *seats), shift.chance.choice((1, 1, 2)))
    if not shift.house.game.has_board:
        fives = shift.chance.sample(tuple(FIVE_CARDS.values()), len(holders))
        return dict(zip(holders, fives, strict=True)), ()
    family = shift.chance.choice(FAMILIES)
    hands = shift.chance.sample(family, len(family))
    return {holder: CARDS[hand][3:] for holder, hand in zip(holders, hands, strict=False)}, CARDS[hands[0]][:3]


def _clear(shift: ProvedTable, voided: bool, cards: Cards) -> None:
    if voided:
        maybe_void_again(shift)
    if voided and shift.state.in_turn:
        settle_after_void(shift, cards)
    elif shift.checks and not voided and shift.house.level and compare(shift.house, shift.state, cards):
        shift.tally["rounds compared"] += 1
    if not voided and shift.state.phase is Phase.SETTLE:
        winners(shift, cards)
    maybe_fouled(shift)
    maybe_void_by_two(shift)
    if voided or shift.state.round.void_cite:
        count_stub(shift)
    next_deck(shift)
    shift.press("clear", again=0.02)  # bets open with it, and nothing of this round is left
    shift.hear_bank()
    if shift.checks and shift.bank:
        shift.account.publishes(shift.bank.ledger)


def play(book: str, seed: int, rounds: int, *, checks: bool = True, level: int | None = None) -> Counter[str]:
    """One shift of so many rounds; what happened. Raises Wrong, naming book and seed."""
    shift = Shift(book, seed, checks=checks, level=level)
    shift.play(rounds)
    return shift.tally
