"""Two progressive wagers at a table, each with its own sensor and meter: `tests/games/levee` and nothing else says so."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.rules.money import meter_dollars
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.rules.submission import parse_submission
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.procedures import Equipment
from tests.table.table import DEBOUNCE_MS, DIAZ, MS, OKAFOR, PEOPLE, Dealer, Table
from tests.table.test_another_kind import as_line, paid
from tests.table.with_bank import Bank

pytestmark = pytest.mark.usefixtures("levee")

FILED = {
    "book": "levee",
    "table_minimum": "10.00",
    "pair_plus": {"paytable": "A"},
    "progressive": {"paytable": "A", "wager": "1.00"},
    "high_water": {"paytable": "A", "wager": "5.00"},
}
SEATS = 5
HANDS = {2: ("2h", "3h", "Ah"), 3: ("8c", "9d", "Ts"), 5: ("Kd", "7d", "4d")}
"""A straight flush, a straight, a flush."""
PROGRESSIVE, HIGH_WATER = (2, 3), (2, 5)
"""The seats that make each wager."""


def high(seat: int) -> int:
    """The second sensor of a seat: those of the first wager come first."""
    return SEATS + seat


def a_table(level: int = 0) -> tuple[Table, Dealer]:
    rules = parse_submission(FILED)
    house = House(rules, rules.book.procedure, Equipment(), level, DEBOUNCE_MS * MS, PEOPLE)
    table = Table(house=house, seats=SEATS).opens()
    table.bank = Bank(table)
    return table, Dealer(table)


def placed(level: int = 0) -> tuple[Table, Dealer]:
    """Chips on the sensors of both wagers, acknowledged."""
    table, dealer = a_table(level)
    if level:
        dealer.presses(*(f"box {seat}" for seat in HANDS))
    table.seats(*PROGRESSIVE, *map(high, HIGH_WATER)).place()
    return table, dealer


def counted(level: int = 0) -> tuple[Table, Dealer]:
    """Up to the deal, with the wagers at the bank."""
    table, dealer = placed(level)
    dealer.presses("no-more-bets", "count 2", "count 2")
    table.bank.listens()
    return table, dealer


def stand(table: Table) -> tuple[str, str]:
    """Both meters at the product's bank."""
    assert isinstance(table.bank, Bank)
    held = table.bank.bank
    assert held.replayed() == held.state, "and another bank reads the same from its rows"
    return meter_dollars(held.meter("main")), meter_dollars(held.meter("crest"))


def test_a_chip_lights_its_own_lamp_and_is_the_wager_of_its_own_sensor() -> None:
    table, _ = placed()
    assert table.lit == (2, 3, high(2), high(5))
    assert [dict(table.state.seat(seat).meters) for seat in (2, 3, 5)] == [
        {"progressive": 100, "high_water": 500},
        {"progressive": 100},
        {"high_water": 500},
    ]
    assert "$1 + $5" in table.words()
    table.seats(high(2)).lift()
    assert table.lit == (2, 3, high(5)) and table.last(e.WagerReturned).wager == "high_water"


def test_each_wager_is_counted_by_itself_and_both_reach_the_bank_in_one_message() -> None:
    table, dealer = placed()
    dealer.presses("no-more-bets")
    assert "Progressive: how many chips?" in table.words()
    dealer.presses("count 2")
    assert "High Water: how many chips?" in table.words() and not table.owed
    dealer.presses("count 1")
    assert "High Water: 2 lamps, 1 chip. Tap the seat that differs." in table.words()
    dealer.presses("seat 5", "settle taken-back")
    assert table.phase == "deal" and table.lit == (2, 3, high(2))
    assert table.owed[-1].made == {"progressive": [2, 3], "high_water": [2]}
    table.bank.listens()
    assert stand(table) == ("1000.42", "10000.75")
    settled = table.last(e.DifferenceSettled)
    assert (settled.seat, settled.wager, str(settled.outcome)) == (5, "high_water", "no chip")


def test_a_chip_after_the_lock_is_late_on_its_own_sensor_alone() -> None:
    table, dealer = placed()
    dealer.presses("no-more-bets")
    table.seats(high(3)).place()
    late = table.last(e.LateWager)
    assert (late.seat, late.wager, late.was_lit) == (3, "high_water", False)
    assert table.lit == (2, 3, high(2), high(5))


def test_a_sensor_that_failed_is_marked_and_its_wager_entered_by_hand() -> None:
    table, dealer = a_table()
    dealer.presses("problem", "problem table", "problem sensors", f"sensor {high(4)}", "back")
    dealer.presses("seat 4")
    assert dict(table.state.seat(4).meters) == {"high_water": 500}
    dealer.presses("seat 4")
    assert table.state.seat(4).meters == ()


def test_undo_takes_back_a_count_until_both_agree() -> None:
    table, dealer = placed()
    dealer.presses("no-more-bets", "count 2")
    dealer.presses("undo")
    assert "Progressive: how many chips?" in table.words()
    dealer.presses("count 2", "count 1", "undo")
    assert "High Water: how many chips?" in table.words() and not table.owed
    dealer.presses("count 2")
    assert table.phase == "deal"
    dealer.sees_no("undo")


def test_a_void_round_gives_both_back_to_the_players_and_takes_both_off_the_meters() -> None:
    table, dealer = counted(level=1)
    assert stand(table) == ("1000.42", "10001.50")
    dealer.presses("dealt", "problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    table.bank.listens()
    assert stand(table) == ("1000.00", "10000.00")
    assert "$1 + $5" in table.words(), "the chips that seat 2 gets back"


def pays(dealer: Dealer, seat: int, hand: str) -> None:
    """One prize of a seat, from its hand to its chips; a share with its cards and two people."""
    table = dealer.table
    if table.state.round.turn != seat:
        dealer.presses(f"seat {seat}")
    dealer.presses(f"hand {hand}")
    if table.phase == "cards":
        dealer.enters(HANDS[seat])
        dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    if table.phase == "price":
        table.bank.listens()
        dealer.presses("claim-paid", by=OKAFOR)
    else:
        dealer.presses("paid")
    if table.phase == "envy":
        dealer.presses("envy-paid")


def file() -> dict[str, Any]:
    """The same round for `felt settle`; everybody folds, for these wagers are won by the cards alone."""

    def seat(number: int) -> dict[str, Any]:
        wagers = {"entry": "10.00"}
        wagers |= {"progressive": "1.00"} if number in PROGRESSIVE else {}
        wagers |= {"high_water": "5.00"} if number in HIGH_WATER else {}
        return {"cards": [*HANDS[number]], "wagers": wagers, "decision": "fold"}

    meters = {"main": "1000.42", "crest": "10001.50"}
    cards = {"dealer": ["Qs", "6c", "2d"]}
    return {"rules": FILED, "cards": cards, "seats": {str(number): seat(number) for number in HANDS}, "meters": meters}


def test_every_prize_of_both_is_what_the_law_settles_and_the_bank_has_the_same_meters() -> None:
    """Seat 5 has a flush, which wins on the second wager only; seat 2 wins the whole of both meters."""
    table, dealer = counted()
    pays(dealer, 5, "flush")
    pays(dealer, 3, "straight")
    pays(dealer, 2, "straight flush")
    assert [one.wager for one in table.state.seat(2).prizes] == ["progressive"]
    pays(dealer, 2, "straight flush")
    dealer.presses("clear")
    table.bank.listens()
    outcome = settle(parse_round(file()))
    of_meters = [one for one in outcome.payments if one.wager != "entry"]
    assert sorted(line for line in paid(table) if line[1] != "entry") == sorted(map(as_line, of_meters))
    assert stand(table) == (meter_dollars(outcome.meters["main"]), meter_dollars(outcome.meters["crest"]))
    assert table.replayed() == table.state


def test_a_prize_that_is_named_is_taken_back_and_the_other_wager_is_named() -> None:
    table, dealer = counted()
    dealer.presses("seat 3", "hand straight", "undo", "hand straight", "cancel")
    assert table.state.seat(3).prize is None
    dealer.presses("seat 5", "hand flush")
    assert table.last(e.PrizeNamed).payment.wager == "high_water"
