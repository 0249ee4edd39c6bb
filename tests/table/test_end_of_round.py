"""Void rounds, clearing, and taking a clear back: 653a.13, 653a.8(h), 653a.11(n)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.rules.paytable import load_book
from firmware.table import events as e
from firmware.table.inputs import Pressed
from tests.table.table import DEALER, DIAZ, OKAFOR, TECHNICIAN, Dealer, Table, cards_of

Play = Callable[[Table, Dealer], None]


def at_count(table: Table, dealer: Dealer) -> None:
    table.seats(2, 3).place()
    dealer.presses("no-more-bets")


def at_difference(table: Table, dealer: Dealer) -> None:
    at_count(table, dealer)
    dealer.presses("count 1")


def at_deal(table: Table, dealer: Dealer) -> None:
    dealer.deals(2, 3)


def at_winners(table: Table, dealer: Dealer) -> None:
    at_deal(table, dealer)
    dealer.presses("seat 3")


def at_cards(table: Table, dealer: Dealer) -> None:
    at_winners(table, dealer)
    dealer.presses("hand royal flush", "rank A")


def at_validate(table: Table, dealer: Dealer) -> None:
    at_winners(table, dealer)
    dealer.presses("hand flush")


def at_pay(table: Table, dealer: Dealer) -> None:
    at_validate(table, dealer)
    dealer.presses("approve", by=DIAZ)


def at_price(table: Table, dealer: Dealer) -> None:
    at_deal(table, dealer)
    dealer.claims(3, "royal flush")


def at_hold(table: Table, dealer: Dealer) -> None:
    at_price(table, dealer)
    table.bank.listens()


def at_envy(table: Table, dealer: Dealer) -> None:
    at_hold(table, dealer)
    dealer.presses("claim-paid", by=OKAFOR)


def after_a_payment(table: Table, dealer: Dealer) -> None:
    at_pay(table, dealer)
    dealer.presses("paid")


def after_a_rejection(table: Table, dealer: Dealer) -> None:
    at_hold(table, dealer)
    dealer.presses("claim-rejected", by=OKAFOR)


def voids(dealer: Dealer, cite: str = "653a.13(c)", by: str = DIAZ) -> None:
    if dealer.table.phase in ("cards", "validate"):
        dealer.presses("cancel")
    dealer.presses("problem", f"void {cite}")
    dealer.presses("apply", by=by)


# Void ------------------------------------------------------------------------------------------------------------------


MAY_BE_VOID = [at_count, at_difference, at_deal, at_winners, at_cards, at_validate, at_pay, after_a_rejection]
MAY_NOT = [at_price, at_hold, at_envy, after_a_payment]


@pytest.mark.parametrize("play", MAY_BE_VOID)
def test_653a_13_a_round_is_void_in_each_phase_and_every_wager_goes_back(play: Play) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    play(table, dealer)
    sent = [message.kind for message in table.owed]
    voids(dealer)
    assert table.phase == "void" and table.last(e.RoundVoided) == e.RoundVoided(1, "653a.13(c)", DIAZ, (2, 3))
    assert "RETURN" in table.words()
    assert [message.kind for message in table.owed] == ([*sent, "reversal"] if sent else [])
    if sent:
        assert table.owed[-1].body == {"round": 1, "reason": "653a.13(c)"}
    table.seats(2, 3).lift()
    dealer.presses("clear")
    assert table.phase == "open" and table.state.round == 2 and table.lit == ()
    table.bank.listens()


@pytest.mark.parametrize("play", MAY_NOT)
def test_653a_13_a_round_whose_prize_was_claimed_or_paid_cannot_be_void(play: Play) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    play(table, dealer)
    phase = table.phase
    for word in ("problem", "problem wrong-number", "apply"):
        table.hears(Pressed(word, DIAZ))
        assert table.notice
    assert table.phase == phase and e.RoundVoided not in map(type, table.happened)


@pytest.mark.parametrize("cite", load_book("pa-653a").voids.values())
def test_653a_13_what_happened_is_named_by_its_paragraph(cite: str) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    voids(dealer, cite, by=OKAFOR)
    assert cite in table.words() and table.owed[-1].body["reason"] == cite


@pytest.mark.parametrize("badge", ["", DEALER, TECHNICIAN, "9999"])
def test_653a_13_only_a_floorperson_or_above_orders_it(badge: str) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    dealer.presses("problem", "problem face-up")
    dealer.sees_no("apply")
    table.hears(Pressed("apply", badge))
    assert table.phase == "deal" and table.notice == "A floorperson's badge and PIN first."


@pytest.mark.parametrize("word", ["void", "void ", "void 653a.13(b)", "void 653a.13", "void <b>", "void void"])
def test_653a_13_nothing_else_makes_a_round_void(word: str) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    dealer.presses("problem")
    table.hears(Pressed(word, DIAZ))
    dealer.sees_no("apply", by=DIAZ)
    table.hears(Pressed("apply", DIAZ))
    assert table.phase == "deal" and table.state.panel == "void" and table.notice == "Choose what happened first."


def test_653a_13_the_dealer_thinks_better_of_it() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    dealer.presses("problem", "problem face-up", "back", "clear")
    assert table.phase == "open"


def test_653a_13_a_void_round_is_void_once() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    voids(dealer)
    dealer.presses("problem")
    assert table.notice == "This round is void already."
    table.hears(Pressed("apply", DIAZ))
    assert [message.kind for message in table.owed] == ["wagers", "reversal"]


def test_653a_13_a_void_round_without_wagers_owes_nothing() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals()
    voids(dealer)
    dealer.presses("clear")
    assert table.owed == [] and table.phase == "open"


# Clear, and taking it back ----------------------------------------------------------------------------------------------


def test_653a_11n_clear_ends_the_round_and_opens_the_next() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear")
    assert table.phase == "open" and table.state.round == 2 and table.lit == ()


def test_a_clear_is_taken_back_while_no_wager_of_the_next_round_lies_there() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear", "undo")
    assert table.phase == "settle" and table.state.round == 1 and table.lit == (1, 4)
    dealer.names(4, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    assert table.state.round == 2 and [message.kind for message in table.owed] == ["wagers"]


def test_a_round_taken_back_may_be_void_and_is_reversed_once() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear", "undo")
    voids(dealer)
    dealer.presses("clear")
    dealer.sees_no("undo")
    table.bank.listens()
    assert [message.kind for message in table.owed] == ["wagers", "reversal"] and table.state.round == 2


def test_a_clear_is_not_taken_back_once_a_chip_was_acknowledged() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    dealer.presses("clear")
    table.seats(2).place()
    table.seats(2).lift()
    dealer.sees_no("undo")
    table.hears(Pressed("undo"))
    assert table.notice == "Nothing can be taken back here." and table.state.round == 2


def test_a_clear_is_not_taken_back_after_a_wager_by_hand() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    dealer.presses("clear", "problem", "sensor 5", "back", "seat 5")
    dealer.sees_no("undo")


def test_a_clear_is_taken_back_while_an_obstacle_keeps_bets_closed() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    table.shuffles(mode="sort")
    dealer.presses("clear")
    assert table.phase == "closed" and table.state.round == 1
    dealer.presses("undo")
    assert table.phase == "settle" and table.lit == (1,)


def test_a_paid_prize_stays_paid_when_the_clear_is_taken_back() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    after_a_payment(table, dealer)
    dealer.presses("clear", "undo")
    dealer.sees_no("seat 3")
    dealer.presses("problem")
    assert table.notice == "Seat 3's prize is paid: the round cannot be void. Call the floor."


# Every phase survives a power cut ---------------------------------------------------------------------------------------


def at_open(table: Table, dealer: Dealer) -> None:
    table.seats(2, 3).place()


def at_void(table: Table, dealer: Dealer) -> None:
    at_deal(table, dealer)
    voids(dealer)


def at_closed(table: Table, dealer: Dealer) -> None:
    at_deal(table, dealer)
    table.shuffles(mode="sort")
    dealer.presses("clear")


EVERY_PHASE = [at_closed, at_open, *MAY_BE_VOID, *MAY_NOT, at_void]


def test_every_phase_is_among_them() -> None:
    seen = set()
    for play in EVERY_PHASE:
        table = Table().opens()
        play(table, Dealer(table))
        seen.add(table.phase)
    assert seen == {
        "closed", "open", "count", "difference", "deal", "winners", "cards", "validate", "price", "hold", "pay",
        "envy", "void",
    }  # fmt: skip


@pytest.mark.parametrize("play", EVERY_PHASE)
def test_a_power_cut_leads_back_to_the_same_round_and_the_same_messages(play: Play) -> None:
    table = Table().opens()
    play(table, Dealer(table))
    before = (table.phase, table.state.round, table.lit, table.state.turn, table.state.outbox, table.state.seats)
    table.loses_power()
    after = (table.phase, table.state.round, table.lit, table.state.turn, table.state.outbox, table.state.seats)
    assert after == before and table.state == table.replayed()
    assert table.state.locked and table.state.switch_locked, "until the neighbours are heard of, nothing is open"
    table.waits(3_000)
    table.comes_back()
    assert (table.phase, table.state.round, table.lit, table.state.outbox) == (before[0], *before[1:3], before[4])


def test_after_a_power_cut_the_open_round_goes_on_to_its_end() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_open(table, dealer)
    table.restarts()
    dealer.presses("no-more-bets", "count 2")
    table.restarts()
    table.seats(2, 3).lift()
    dealer.names(3, "royal flush")
    dealer.enters(cards_of("royal flush")[:3])
    table.restarts()
    dealer.enters(cards_of("royal flush")[3:])
    dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    table.restarts()
    table.bank.listens()
    table.restarts()
    dealer.presses("claim-paid", by=OKAFOR)
    table.restarts()
    dealer.presses("envy-paid", "clear")
    table.bank.listens()
    assert table.phase == "open" and [message.kind for message in table.owed] == ["wagers", "claim", "verdict"]


def test_a_table_that_starts_with_the_switch_locked_goes_by_what_was_lit() -> None:
    table = Table().opens()
    table.seats(2).place()
    table.loses_power()
    table.switch_on = False
    table.seats(5).place()
    table.waits(500)
    table.comes_back()
    assert table.phase == "count" and table.lit == (2,)
    assert table.last(e.BetsClosed).source == "start"
    assert table.last(e.LateWager) == e.LateWager(5, None, was_lit=False, covered=False)


def test_chips_that_moved_while_the_power_was_off_are_seen_afterwards() -> None:
    table = Table().opens()
    table.seats(2, 3).place()
    table.loses_power()
    table.seats(2).lift()
    table.seats(5).place()
    table.waits(500)
    table.restored()
    table.waits(500)
    assert table.lit == (2, 3, 5), "no uncovering counts before a second of calm"
    table.waits(700)
    assert table.lit == (3, 5)


def test_after_a_restart_of_the_machine_a_late_chips_milliseconds_are_unknown() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    table.restarts()
    table.seats(6).place()
    assert table.last(e.LateWager).ms is None and "late" in table.words()
