"""Maryland's progressive wager from its own text: 36.05.16.07F(3), .08C, .09A(3), .10A(2)(b), .11J and .12D."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from firmware.table import events as e
from firmware.table.procedures import COUNTS, METHODS, Equipment
from firmware.table.projections import locked
from tests.table.procedures.walks import at_reveal, betting, locks, refuses
from tests.table.table import DEALER, DEBOUNCE_MS, DIAZ, OKAFOR, TECHNICIAN, WINDOW_MS, Dealer, Table, shared

MARYLAND = "md-36.05.16"
ROYAL, STRAIGHT_FLUSH = ("Ah", "Kh", "Th", "Jh", "Qh"), ("9h", "8h", "Th", "Jh", "Qh")
"""Both on the flop Th Jh Qh."""


def dealt(*lit: int) -> tuple[Table, Dealer]:
    """Level 0: these seats have a progressive wager of $1 that the bank holds; the cards are on the table."""
    table, dealer = betting(MARYLAND, lit=lit, level=0)
    locks(table, dealer)
    table.bank.listens()
    return table, dealer


@pytest.mark.parametrize("how", METHODS)
def test_07f3_08c_09a3_10a2_chips_are_lit_locked_counted_and_racked(how: str) -> None:
    """A chip on the device and its lamp; no more bets, the lock, the count against the lamps; and then the first card."""
    table, dealer = betting(MARYLAND, 2, 3, equipment=Equipment(how, COUNTS))
    table.seats(2, 3).place(ms=DEBOUNCE_MS + WINDOW_MS - 1)
    assert table.lit == ()
    table.waits(1)
    assert table.lit == (2, 3) and "2 lit" in table.words()
    refuses(table, "dealt")
    dealer.presses("no-more-bets")
    assert locked(table.state)
    table.seats(5).place()
    assert table.lamps == "dark lit lit dark late dark" and table.state.wagers == (2, 3)
    table.seats(5).lift()
    refuses(table, "dealt")
    dealer.presses("count 1")
    assert "2 lamps, 1 chip. Tap the seat that differs." in table.words() and table.owed == []
    refuses(table, "dealt")
    dealer.presses("recount", "count 2")
    assert table.phase == "deal" and table.lit == (2, 3)
    assert [(message.kind, message.made) for message in table.owed] == [("wagers", {"progressive": [2, 3]})]
    assert table.owed[-1].body["made"][0]["wager"] == "1.00"


OF_ONE_FLOP = (
    {6: ("four of a kind", 300), 5: ("full house", 50)},
    {4: ("flush", 40), 3: ("straight", 30), 2: ("three of a kind", 9)},
)


@pytest.mark.parametrize("odds", OF_ONE_FLOP)
def test_11j2_each_fixed_prize_is_verified_validated_and_paid_to_1(odds: Mapping[int, tuple[str, int]]) -> None:
    """(a) a winning hand, (b) of a lit seat, (c) validated by the floor, (d) paid at the odds of .12D(1): "to 1"."""
    table, dealer = dealt(*odds)
    dealer.presses("seat 1")
    dealer.sees_no("hand flush")
    refuses(table, "hand flush")
    dealer.presses("seat 1")
    for seat, (hand, to_1) in odds.items():
        dealer.presses(f"seat {seat}")
        dealer.sees_no("hand two pair")
        refuses(table, "hand two pair")
        dealer.presses(f"hand {hand}")
        for badge in ("", DEALER, TECHNICIAN):
            refuses(table, "approve", badge)
        dealer.presses("approve", by=DIAZ)
        assert f"PAY ${to_1 + 1}.00" in table.words() and "from the rack" in table.words()
        dealer.presses("paid")
        paid = table.last(e.PrizePaid).payment
        assert (paid.seat, paid.result, paid.stake, paid.returned, paid.payout) == (seat, "win", 100, 100, to_1 * 100)
        assert (paid.odds, paid.source) == (f"{to_1} to 1", "rack")
    dealer.presses("clear")


def test_11j2_shares_of_the_meter_and_an_envy_bonus_for_each() -> None:
    """(d)(i) and (ii): never from the rack, and the cards stay; (e): each other wager's bonus, once for every such hand.

    Three wagers of $1 at a rate of 21 percent upon $10,000: a tenth of $10,000.63, and then what is left of it.
    """
    table, dealer = dealt(1, 2, 5)
    for seat, hand, cards, share, receivers, bonus in (
        (5, "straight flush", STRAIGHT_FLUSH, 100_006, (2, 1), 30_000),
        (2, "royal flush", ROYAL, 900_057, (5, 1), 100_000),
    ):
        dealer.presses(f"seat {seat}", f"hand {hand}")
        dealer.enters(cards)
        dealer.presses("show")
        refuses(table, "approve", DEALER)
        dealer.presses("approve", by=DIAZ)
        table.bank.listens()
        assert "NOT FROM THE RACK. LEAVE CARDS ON THE TABLE." in table.words()
        refuses(table, "clear")
        refuses(table, "claim-paid", DIAZ)
        dealer.presses("claim-paid", by=OKAFOR)
        paid = table.last(e.ClaimPaid)
        assert (shared(paid.payments), paid.payments[0].source) == (((seat, share),), "cage")
        assert table.phase == "envy" and f"Pay seats {receivers[0]} and {receivers[1]}" in table.words()
        for other in {1, 2, 3, 4, 5, 6} - set(receivers):
            assert refuses(table, f"seat {other}") == f"Seat {other} receives no envy bonus."
        dealer.presses("envy-paid", by=DIAZ)
        assert shared(table.last(e.EnvyPaid).payments) == tuple((one, bonus) for one in receivers)
    dealer.presses("clear")


def test_07f4_a_super_royal_is_six_cards() -> None:
    """.07F(4)(a): paytable A, the four of the box and the player's two: $100,000 in hearts (.12E(1)(b)), whoever won."""
    table, dealer = at_reveal(MARYLAND, 3, sides={3: {"trips": 500, "six_card_bonus": 500}}, level=2)
    dealer.presses("cards")
    dealer.enters(["7c", "7d", "2s", "3c", "4d", "7h", "7s", "Ah", "Kh", "Qh", "Jh"])
    dealer.presses("enter", "cards")
    dealer.enters(("Th", "9h"))
    dealer.presses("enter", "settled")
    results = {line.wager: (line.result, line.payout) for line in table.state.seat(3).position.final}
    assert results["six_card_bonus"] == ("win", 10_000_000) and results["ante"] == results["trips"] == ("lose", 0)


def test_11j1_a_hand_that_lost_to_the_dealer_wins_the_progressive() -> None:
    """After Ante, Blind and Play, Trips and Six Card: "irrespective of whether the player's hand outranks the dealer's"."""
    sides = {3: {"trips": 500, "six_card_bonus": 500}}
    table, dealer = at_reveal(MARYLAND, 3, lit=(3,), sides=sides, level=2)
    dealer.presses("cards")
    dealer.enters(["Th", "Jh", "2h", "3c", "4d", "Kh", "Qh", "5c", "5d", "7s", "8s"])
    dealer.presses("enter", "cards")
    dealer.enters(("9h", "3h"))
    dealer.presses("enter", "settled")
    refuses(table, "settled")
    refuses(table, "clear")
    dealer.presses("hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    assert [(line.wager, line.result) for line in table.state.seat(3).position.final] == [
        ("ante", "lose"),
        ("blind", "lose"),
        ("play", "lose"),
        ("trips", "win"),
        ("six_card_bonus", "lose"),
    ]
    assert table.last(e.PrizePaid).payment.payout == 4_000
    dealer.presses("clear")
