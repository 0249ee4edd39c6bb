"""The law's payment reaches journal and screen as it is: what is returned, what a limit cut, where it is paid from."""

from __future__ import annotations

import dataclasses

import pytest

from firmware.rules.money import NO_MONEY, Cents
from firmware.rules.payment import Payment, Result, Source
from firmware.rules.paytable import Fixed
from firmware.table import events as e
from firmware.table.house import House
from firmware.wire.structs import replace
from tests.table.procedures.walks import at_settle, betting, locks
from tests.table.table import DIAZ, VOCABULARY, house_of
from ui.dealer.pieces import money

LIMIT = Cents(5_000_000)
DOLLAR = Cents(100)
"""The progressive wager."""


def limited_house() -> House:
    """At most $50,000.00 for one hand (653a.12(f))."""
    house = house_of(level=1)
    return replace(house, submission=dataclasses.replace(house.submission, payout_limit=LIMIT))


def test_12_a_payout_that_the_limit_cut_says_so() -> None:
    """An ante of $500 and a royal flush: the Blind wins 500 to 1, and is paid what the limit leaves."""
    table, dealer = at_settle("pa-653a", 3, sides={3: {"ante": 48_500}}, house=limited_house())
    dealer.presses("answer higher", "answer royal flush")
    due = {line.wager: line for line in table.state.seat(3).position.due}
    assert due["blind"].limited and due["blind"].payout < 500 * due["blind"].stake == 25_000_000
    assert sum(line.payout for line in due.values()) == LIMIT
    assert "Blind cut: payout limit $50,000." in table.words() and "LIMIT" in table.words()
    dealer.presses("settled")
    settled = VOCABULARY.decode(*table.journal[-1])
    assert isinstance(settled, e.SeatSettled) and due["blind"] in settled.lines
    dealer.presses("problem", "problem correct", "correct 3")
    assert f"Blind win {money(due['blind'].payout).removesuffix('.00')} (limit)" in table.words()


def fixed_hands(book: str) -> list[tuple[str, str]]:
    """(book, hand) of each fixed progressive prize."""
    return [
        (book, hand)
        for hand, prize in house_of(book=book).submission.offers["progressive"].prizes.items()
        if isinstance(prize, Fixed)
    ]


@pytest.mark.parametrize(("book", "hand"), [*fixed_hands("md-36.05.16"), *fixed_hands("pa-653a")])
def test_11_a_fixed_prize_is_paid_with_the_wager_that_the_law_returns(book: str, hand: str) -> None:
    """The chip went into the rack after the count: what the law returns is paid out of it with the prize."""
    table, dealer = betting(book, level=0, lit=(2,))
    locks(table, dealer)
    dealer.presses("seat 2", f"hand {hand}")
    dealer.presses("approve", by=DIAZ)
    due = next(prize.payment for prize in table.state.seat(2).prizes)
    assert due.returned == (DOLLAR if book == "md-36.05.16" else 0), "to 1 in Maryland, for 1 in Pennsylvania"
    assert due.source is Source.RACK and "from the rack" in table.words()
    assert f"PAY {money(due.payout + due.returned)}" in table.words()
    assert ("which went into the rack" in table.words()) == bool(due.returned)
    assert ("stays in the rack" in table.words()) == (not due.returned)
    dealer.presses("paid")
    assert table.last(e.PrizePaid).payment == due


@pytest.mark.parametrize(("book", "cite"), [("pa-653a", "653a.11(k)"), ("md-36.05.16", "36.05.16.11J")])
def test_11_a_cleared_round_says_which_progressive_wagers_lost(book: str, cite: str) -> None:
    """At level 0 nobody names a hand that loses: it is known when the round is over."""
    table, dealer = betting(book, level=0, lit=(1, 2, 4))
    locks(table, dealer)
    hand = fixed_hands(book)[0][1]
    dealer.presses("seat 2", f"hand {hand}")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    assert table.last(e.RoundCleared).lost == tuple(
        Payment(seat, "progressive", Result.LOSE, DOLLAR, NO_MONEY, NO_MONEY, cite) for seat in (4, 1)
    )
