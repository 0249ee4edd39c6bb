"""The three-second rule: what a round costs the dealer in taps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.table.procedures import NO_SHUFFLER, SHOE, Equipment
from tests.table.procedures.walks import betting
from tests.table.table import DIAZ, Dealer, Table


class Counting(Dealer):
    """A dealer whose taps are counted, apart from those of whoever signs with badge and PIN."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.taps = 0
        self.signatures = 0

    def presses(self, *words: str, by: str = "") -> None:
        super().presses(*words, by=by)
        if by:
            self.signatures += len(words)
        else:
            self.taps += len(words)


def opens(
    book: str = "pa-653a", *seats: int, lit: tuple[int, ...] = (), level: int = 0, machine: bool = True
) -> Counting:
    """Bets are open, those who play have played before, and their chips lie there; nothing is counted yet."""
    equipment = Equipment() if machine else Equipment(SHOE, NO_SHUFFLER)
    table, _ = betting(book, *seats, lit=lit, level=level, equipment=equipment)
    return Counting(table)


def lays_a_late_chip(dealer: Counting, seat: int) -> None:
    """A chip that came after the lock."""
    dealer.table.seats(seat).place()


def nobody_wins() -> Counting:
    """Lock, number of chips, clear."""
    dealer = opens(lit=(1, 2, 5))
    dealer.presses("no-more-bets", "count 3", "clear")
    return dealer


def a_flush_wins() -> Counting:
    """The seat, its hand, paid; between them a floorperson validates."""
    dealer = opens(lit=(1, 2, 5))
    dealer.presses("no-more-bets", "count 3", "seat 5", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    return dealer


def a_chip_came_late() -> Counting:
    """It was counted with the others: four chips, three lamps; the seat, and that its chip went back."""
    dealer = opens(lit=(1, 2, 5))
    dealer.presses("no-more-bets")
    lays_a_late_chip(dealer, 4)
    dealer.presses("count 4", "seat 4", "settle returned", "clear")
    return dealer


def nobody_wins_in_maryland() -> Counting:
    """As in Pennsylvania."""
    dealer = opens("md-36.05.16", lit=(1, 2, 5))
    dealer.presses("no-more-bets", "count 3", "clear")
    return dealer


def everybody_bets_at_lunar_poker() -> Counting:
    """Three players: nobody is tapped, all decisions are locked in, the dealer has ace-king, nobody wins."""
    dealer = opens("pa-671a", 1, 2, 5, level=1)
    dealer.presses("no-more-bets", "next", "supers-settled", "dealer yes", "settled", "clear")
    return dealer


def heads_up() -> Counting:
    """Three players check twice and raise once; two lose with less than a straight, one ties."""
    dealer = opens("pa-677a", 1, 2, 5, level=1)
    dealer.presses("no-more-bets", "next", "next", "next", "dealer yes", "seat 1", "seat 1", "settled", "clear")
    return dealer


def everybody_loses() -> Counting:
    """Three players check twice and play once; one key collects from all."""
    dealer = opens("pa-653a", 1, 2, 5, level=1)
    dealer.presses("no-more-bets", "next", "next", "next", "dealer yes", "settled", "clear")
    return dealer


def the_round_is_void() -> Counting:
    """What happened is chosen from a list; a floorperson signs."""
    dealer = opens(lit=(1, 2, 5))
    dealer.presses("no-more-bets", "count 3", "problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    dealer.presses("clear")
    return dealer


def no_machine_shuffles() -> Counting:
    """The round, and one key for shuffle and cut before the next."""
    dealer = opens(lit=(1, 2, 5), machine=False)
    dealer.presses("no-more-bets", "count 3", "clear", "shuffled-and-cut")
    return dealer


def one_player_folds() -> Counting:
    """One tap for the fold, none for its settlement."""
    dealer = opens("pa-653a", 1, 2, 5, level=1)
    dealer.presses("no-more-bets", "next", "next", "seat 2", "next", "dealer yes", "settled", "clear")
    return dealer


ROUNDS: list[tuple[Callable[[], Counting], int, int]] = [
    (nobody_wins, 3, 0),
    (a_flush_wins, 6, 1),
    (a_chip_came_late, 5, 0),
    (nobody_wins_in_maryland, 3, 0),
    (everybody_bets_at_lunar_poker, 6, 0),
    (heads_up, 9, 0),
    (everybody_loses, 7, 0),
    (the_round_is_void, 5, 1),
    (no_machine_shuffles, 4, 0),
    (one_player_folds, 8, 0),
]
"""The round, the dealer's taps, and the signatures (each with badge and PIN) of a floorperson."""


@pytest.mark.parametrize(
    ("plays", "taps", "signatures"), ROUNDS, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_what_a_round_costs_the_dealer(plays: Callable[[], Counting], taps: int, signatures: int) -> None:
    dealer = plays()
    assert (dealer.taps, dealer.signatures) == (taps, signatures)
    assert dealer.table.phase == "open" and dealer.table.state.round.number == 2  # the next round's bets are open
