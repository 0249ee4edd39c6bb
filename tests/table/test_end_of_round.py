"""Void rounds, clearing, and taking a clear back: 653a.13, 653a.8(h), 653a.11(n)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.rules.games import load_book
from firmware.rules.message import as_is
from firmware.table import events as e
from firmware.table.inputs import Pressed
from firmware.table.interlock import obstacles
from firmware.table.irregularity import problems
from firmware.table.procedures import AUTOMATED, RESHUFFLES, SHOE, Equipment
from firmware.table.projections import locked
from firmware.table.state import Phase
from tests.table.procedures.walks import tells
from tests.table.table import DEALER, DIAZ, OKAFOR, TECHNICIAN, Dealer, Table, cards_of, house_of, lit_seats
from ui.words import ENGLISH

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


# Void ------------------------------------------------------------------------------------------------------------------


MAY_BE_VOID = [at_count, at_difference, at_deal, at_winners, at_cards, at_validate, at_pay, after_a_rejection]
MAY_NOT = [at_price, at_hold, at_envy, after_a_payment]


@pytest.mark.parametrize("play", MAY_BE_VOID)
def test_653a_13_a_round_is_void_in_each_phase_and_every_wager_goes_back(play: Play) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    play(table, dealer)
    sent = [message.kind for message in table.owed]
    tells(dealer, "wrong-number", by=DIAZ)
    void = table.last(e.RoundVoided)
    assert table.phase == "void" and lit_seats(void.returned) == (2, 3) and void.by == DIAZ
    assert (void.round, void.cite, void.kind) == (1, "653a.13(c)", "incorrect_number_of_cards")
    assert {(one.result, one.returned, one.cite) for one in void.returned} == {
        ("void", one.stake, void.cite) for one in void.returned
    }
    assert "RETURN" in table.words()
    assert [message.kind for message in table.owed] == ([*sent, "reversal"] if sent else [])
    if sent:
        assert table.owed[-1].body == {"round": 1, "reason": "653a.13(c)"}
    table.seats(2, 3).lift()
    dealer.presses("clear")
    assert table.phase == "open" and table.state.round.number == 2 and table.lit == ()
    table.bank.listens()


@pytest.mark.parametrize("play", MAY_NOT)
def test_653a_13_a_round_whose_prize_was_claimed_or_paid_cannot_be_void(play: Play) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    play(table, dealer)
    phase = table.phase
    assert not [found for found in problems(table.house, table.state) if found.voids], "none of them is offered"
    for found in HAPPENS:
        if found[3] == "fouled_deck":
            continue
        table.hears(Pressed(f"problem {found[0]}", DIAZ))
        paid, pending = "the floor corrects seat 3 first (PROBLEM)", "reject its claim first"
        at_hold = f"{pending} (hold NOT A WINNER)"
        ways = tuple(f"{way}, then the round can be void." for way in (paid, pending, at_hold))
        by_two = "where two people can sign that the round is void."
        assert table.notice.startswith("Seat 3's prize is ") and table.notice.endswith((*ways, by_two))
        table.hears(Pressed("apply", DIAZ))
        assert table.notice == "Choose what happened first."
    tells(dealer, "fouled", by=DIAZ)
    assert table.last(e.DeckRemoved).why == as_is("653a.9(f)"), "no hand is dealt from it again"
    table.hears(Pressed("problem fouled", DIAZ))
    assert table.notice.startswith("Seat 3's prize is "), "and what was paid stands until the floor corrects it"
    assert table.phase == phase and e.RoundVoided not in map(type, table.happened)


def after_envy(table: Table, dealer: Dealer) -> None:
    """For a hand without a progressive wager (653a.11(k)(5)): it has no prize of its own that would stand in the way."""
    at_deal(table, dealer)
    dealer.presses("seat 5", "envy 5 royal flush", "envy-paid", by=DIAZ)


def after_a_share(table: Table, dealer: Dealer) -> None:
    at_envy(table, dealer)
    dealer.presses("envy-paid", by=DIAZ)


@pytest.mark.parametrize("play", [after_envy, after_a_share])
def test_653a_13_what_nobody_corrects_is_void_by_two_people(play: Play) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    play(table, dealer)
    dealer.presses("problem", "problem wrong-number")
    for nobody in ("", DEALER, TECHNICIAN):
        table.press("apply", nobody)
        assert isinstance(table.happened[-1], e.PressRefused) and not table.state.desk.panel.signed
    dealer.presses("apply", by=DIAZ)
    assert table.state.desk.panel.signed == DIAZ and table.phase == "settle"
    dealer.sees_no("apply")
    for nobody in ("", DEALER, TECHNICIAN):
        table.press("apply", nobody)
        assert isinstance(table.happened[-1], e.PressRefused)
    table.press("apply", DIAZ)
    assert table.notice == f"Badge {DIAZ} signed first: another person has to sign too."
    assert e.RoundVoided not in map(type, table.happened)
    dealer.presses("apply", by=OKAFOR)
    void = table.last(e.RoundVoided)
    assert (void.signed, void.by, void.cite) == ((DIAZ, OKAFOR), OKAFOR, "653a.13(c)")
    assert table.phase == "void" and table.panel == "" and not table.state.round.envied
    table.bank.listens()
    assert table.state.neighbors.bank_alarm == ""


def test_653a_13_envy_is_taken_back_before_the_bank_is_told_of_the_void_round() -> None:
    """It reverses no round in which something is paid; without a share all that was wagered goes back."""
    table = Table().opens()
    dealer = Dealer(table)
    after_envy(table, dealer)
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("apply", by=OKAFOR)
    void = table.last(e.RoundVoided)
    assert [(one.seat, one.for_seat, one.payout) for one in void.envy] == [(3, 5, 100_000), (2, 5, 100_000)]
    assert lit_seats(void.returned) == (2, 3) and table.state.round.taken_back == ((2, 100_000), (3, 100_000))
    assert [message.kind for message in table.told] == ["wagers", "payment", "payment", "reversal"]
    back = table.told[2].body
    assert back["corrected"] == "653a.13(c)" and back["lines"] == table.told[1].body["lines"]
    assert table.state.days.total.paid == () and table.state.days.total.contributions == ()
    table.bank.listens()
    assert table.bank.reversed == {1}


def test_653a_13_a_share_stays_with_the_wager_that_won_it_and_the_contributions_of_its_round() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    after_a_share(table, dealer)
    (award,) = (prize.amount for prize in table.state.seat(3).prizes)
    fed = table.state.days.total.contributions
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("apply", by=OKAFOR)
    void = table.last(e.RoundVoided)
    assert lit_seats(void.returned) == (2,) and [one.seat for one in void.envy] == [2]
    kinds = [message.kind for message in table.told]
    assert kinds == ["wagers", "claim", "verdict", "payment", "payment"], "and no reversal"
    total = table.state.days.total
    assert fed and total.contributions == fed and dict(total.awards) == {"main": award} and total.paid == ()
    dealer.presses("clear")
    total = table.state.days.total
    assert dict(total.paid) == {"progressive": award} and dict(total.staked)["progressive"] == 200
    assert dict(total.returned)["progressive"] == 100, "the wager that won it stays"
    table.bank.listens()
    assert table.state.neighbors.bank_alarm == "" and table.bank.reversed == set()


def test_653a_13_a_first_signature_is_gone_with_its_panel() -> None:
    """Neither BACK and UNDO nor another problem's panel brings it back: who signed had signed for that alone."""
    table = Table().opens()
    dealer = Dealer(table)
    after_a_share(table, dealer)
    seats, told = table.state.round.seats, len(table.told)
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("undo")
    assert table.state.desk.panel.what == "wrong-number" and not table.state.desk.panel.signed
    dealer.presses("apply", by=DIAZ)
    dealer.presses("back")
    dealer.sees_no("undo")
    assert (table.state.round.seats, len(table.told)) == (seats, told) and table.phase == "settle"
    tells(dealer, "misdealt", by=OKAFOR)
    table.restarts()
    assert table.state.desk.panel.signed == OKAFOR, "a power cut takes no signature"
    table.hears(Pressed("problem wrong-number"))
    assert not table.state.desk.panel.signed
    dealer.sees_no("undo")


@pytest.mark.parametrize("play", [at_cards, at_validate, at_pay])
def test_653a_13_a_share_was_paid_and_another_prize_is_half_done(play: Play) -> None:
    """It comes to its end first: what two people sign for is no more than what they see."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(2, 3, 4)
    dealer.claims(4, "straight flush")
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("envy-paid", by=DIAZ)
    dealer.presses("problem", "problem correct", "correct 4")
    dealer.presses("correct 4 wrong-result", by=DIAZ)
    dealer.presses("seat 3", *(("hand royal flush", "rank A") if play is at_cards else ("hand flush",)))
    if play is at_pay:
        dealer.presses("approve", by=DIAZ)
    assert not [found for found in problems(table.house, table.state) if found.voids]
    table.hears(Pressed("problem wrong-number", DIAZ))
    assert "go on to the settlement" in table.notice


BY_SHOE, BY_MACHINE = Equipment(SHOE), Equipment(AUTOMATED, RESHUFFLES)
HAPPENS = [
    ("face-up", Equipment(), "653a.13(a)", "cards_face_up"),
    ("face-up-later", Equipment(), "653a.13(a)", "cards_face_up"),
    ("wrong-number", Equipment(), "653a.13(c)", "incorrect_number_of_cards"),
    ("dealer-exposed", Equipment(), "653a.13(d)", "dealer_card_exposed"),
    ("shoe-fault", BY_MACHINE, "653a.13(f)", "dealing_shoe_fault"),
    ("misdealt", BY_SHOE, "653a.8(h)", "stub_count"),
    ("misdealt", Equipment(), "653a.9(f)", "stub_count"),
    ("misdealt", BY_MACHINE, "653a.10(f)", "stub_count"),
    ("not-52", BY_SHOE, "653a.8(h)", "stub_count"),
    ("not-52", Equipment(), "653a.9(f)", "stub_count"),
    ("not-52", BY_MACHINE, "653a.10(f)", "stub_count"),
    ("fouled", BY_SHOE, "653a.8(h)", "fouled_deck"),
    ("fouled", Equipment(), "653a.9(f)", "fouled_deck"),
    ("fouled", BY_MACHINE, "653a.10(f)", "fouled_deck"),
]
"""What can make a round void, on which table, by which paragraph, and the book's name of it."""


def test_653a_13_nothing_that_voids_a_round_is_left_out() -> None:
    assert {kind for *_, kind in HAPPENS} == set(load_book("pa-653a").voids)


@pytest.mark.parametrize("key, equipment, cite, kind", HAPPENS)
def test_653a_13_what_happened_is_named_by_its_paragraph(key: str, equipment: Equipment, cite: str, kind: str) -> None:
    table = Table(house=house_of(equipment=equipment)).opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    tells(dealer, key, by=OKAFOR)
    void = table.last(e.RoundVoided)
    assert (void.round, void.cite, void.kind, void.by) == (1, cite, kind, OKAFOR)
    assert [(one.seat, one.wager, one.result, one.cite) for one in void.returned] == [
        (seat, "progressive", "void", cite) for seat in (2, 3)
    ]
    assert cite in table.words() and table.owed[-1].body["reason"] == cite


def test_653a_13f_without_an_automated_shoe_none_can_jam() -> None:
    table = Table().opens()
    at_deal(table, Dealer(table))
    table.hears(Pressed("problem shoe-fault", DIAZ))
    assert table.notice == "That cannot be told here." and table.panel == ""


@pytest.mark.parametrize("key, leaves", [("misdealt", False), ("not-52", True)])
def test_653a_8h_a_deck_that_was_misdealt_stays_and_one_that_is_not_52_never_comes_back(key: str, leaves: bool) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    tells(dealer, key, by=DIAZ)
    assert [deck.number for deck in table.state.decks.here] == ([] if leaves else [1])
    dealer.presses("clear")
    assert table.phase == ("closed" if leaves else "open")
    if leaves:
        assert [ENGLISH(found.what) for found in obstacles(table.house, table.state)] == ["A deck is missing"]
        dealer.presses("fetch", "preinspected", "cut")
        assert table.phase == "open" and [deck.number for deck in table.state.decks.here] == [2]


@pytest.mark.parametrize("badge", ["", DEALER, TECHNICIAN, "9999"])
def test_653a_13_only_a_floorperson_or_above_orders_it(badge: str) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    dealer.presses("problem", "problem face-up")
    dealer.sees_no("apply")
    table.hears(Pressed("apply", badge))
    assert table.phase == "deal" and table.notice == "A floorperson's badge and PIN first (653a.13(a))."


NOTHING_OF_THE_KIND = [
    "void",
    "problem 653a.13(c)",
    "problem void",
    "problem <b>",
    "problem wrong-number ",
    "problem 1",
]


@pytest.mark.parametrize("word", NOTHING_OF_THE_KIND)
def test_653a_13_nothing_else_makes_a_round_void(word: str) -> None:
    table = Table().opens()
    dealer = Dealer(table)
    at_deal(table, dealer)
    dealer.presses("problem")
    table.hears(Pressed(word, DIAZ))
    dealer.sees_no("apply", by=DIAZ)
    table.hears(Pressed("apply", DIAZ))
    assert table.phase == "deal" and table.panel == "problem" and table.notice == "Choose what happened first."


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
    tells(dealer, "wrong-number", by=DIAZ)
    table.hears(Pressed("problem wrong-number", DIAZ))
    assert table.notice == "This round is void already."
    assert [found.key for found in problems(table.house, table.state)] == ["fouled"], "its deck may leave"
    table.hears(Pressed("apply", DIAZ))
    assert [message.kind for message in table.owed] == ["wagers", "reversal"]


def test_653a_13_a_void_round_without_wagers_owes_nothing() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals()
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("clear")
    assert table.owed == [] and table.phase == "open"


# Clear, and taking it back ----------------------------------------------------------------------------------------------


def test_653a_11n_clear_ends_the_round_and_opens_the_next() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear")
    assert table.phase == "open" and table.state.round.number == 2 and table.lit == ()


def test_a_clear_is_taken_back_while_no_wager_of_the_next_round_lies_there() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear", "undo")
    assert table.phase == "deal" and table.state.round.number == 1 and table.lit == (1, 4)
    dealer.names(4, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    assert table.state.round.number == 2 and [message.kind for message in table.owed] == ["wagers"]


def test_a_round_taken_back_may_be_void_and_is_reversed_once() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear", "undo")
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.sees_no("undo")
    dealer.presses("clear", "undo")
    assert table.phase == "void", "the void round itself is final"
    dealer.presses("clear")
    table.bank.listens()
    assert [message.kind for message in table.owed] == ["wagers", "reversal"] and table.state.round.number == 2


def test_a_clear_is_taken_back_until_the_floor_has_signed_and_it_is_the_round_that_was_cleared() -> None:
    """Bets had opened for the next one; the bank knows the wagers under the number of theirs."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1, 4)
    dealer.presses("clear", "problem", "problem cover")
    assert table.state.round.number == 2
    dealer.presses("undo", "undo", "undo")
    assert table.phase == "deal" and table.state.round.number == 1 and table.lit == (1, 4)
    other = Dealer(Table.again(table))
    other.table.comes_back()
    other.presses("clear", "problem", "problem cover")
    other.presses("apply", by=DIAZ)
    other.sees_no("undo")
    assert other.table.state.round.number == 2 and other.table.final == "ShuffleWanted"
    dealer.claims(4, "royal flush")
    table.bank.listens()
    assert table.phase == "hold" and table.owed[-1].body["round"] == 1


def test_a_clear_is_not_taken_back_once_a_chip_was_acknowledged() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    dealer.presses("clear")
    table.seats(2).place()
    table.seats(2).lift()
    dealer.sees_no("undo")
    table.hears(Pressed("undo"))
    assert table.final == "meant else" and table.state.round.number == 2


def test_a_clear_is_taken_back_press_by_press_after_a_wager_by_hand() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    presses = ("clear", "problem table", "problem sensors", "sensor 5", "back", "seat 5")
    dealer.presses(*presses)
    assert table.lit == (5,)
    dealer.presses("undo")
    assert table.lit == () and table.state.round.number == 2
    dealer.presses(*["undo"] * (len(presses) - 1))
    assert table.phase == "deal" and table.lit == (1,) and not table.state.sensor(5).dead


def test_a_clear_is_taken_back_while_an_obstacle_keeps_bets_closed() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(1)
    table.shuffles(mode="sort")
    dealer.presses("clear")
    assert table.phase == "closed" and table.state.round.number == 1
    dealer.presses("undo")
    assert table.phase == "deal" and table.lit == (1,) and table.state.neighbors.shuffler.mode == "sort"


def test_a_paid_prize_stays_paid_when_the_clear_is_taken_back() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    after_a_payment(table, dealer)
    dealer.presses("clear", "undo")
    dealer.sees_no("seat 3")
    table.hears(Pressed("problem wrong-number"))
    assert (
        table.notice == "Seat 3's prize is paid: the floor corrects seat 3 first (PROBLEM), then the round can be void."
    )


# Every phase survives a power cut ---------------------------------------------------------------------------------------


def at_open(table: Table, dealer: Dealer) -> None:
    table.seats(2, 3).place()


def at_void(table: Table, dealer: Dealer) -> None:
    at_deal(table, dealer)
    tells(dealer, "wrong-number", by=DIAZ)


def at_closed(table: Table, dealer: Dealer) -> None:
    at_deal(table, dealer)
    table.shuffles(mode="sort")
    dealer.presses("clear")


def at_shut(table: Table, dealer: Dealer) -> None:
    dealer.presses("problem table", "problem close", "emptied 52")


def at_inspect(table: Table, dealer: Dealer) -> None:
    at_shut(table, dealer)
    dealer.presses("received")


def at_verify(table: Table, dealer: Dealer) -> None:
    at_inspect(table, dealer)
    dealer.presses("inspected")


def at_spread(table: Table, dealer: Dealer) -> None:
    at_verify(table, dealer)
    dealer.presses("verify", by=DIAZ)


def at_wash(table: Table, dealer: Dealer) -> None:
    at_spread(table, dealer)
    dealer.presses("looked")


def at_shuffle(table: Table, dealer: Dealer) -> None:
    at_wash(table, dealer)
    dealer.presses("stacked")


def at_cut(table: Table, dealer: Dealer) -> None:
    at_shut(table, dealer)
    dealer.presses("preinspected")


def at_idle(table: Table, dealer: Dealer) -> None:
    dealer.presses("problem table", "problem idle")


def at_empty(table: Table, dealer: Dealer) -> None:
    dealer.presses("problem table", "problem close", "emptied 51")


def at_ask(table: Table, dealer: Dealer) -> None:
    dealer.presses("box 2", "box 3", "no-more-bets")
    if table.phase == "count":
        dealer.presses("count 0")
    dealer.presses("dealt")


def at_reveal(table: Table, dealer: Dealer) -> None:
    at_ask(table, dealer)
    dealer.presses("next", "seat 2", "next", "seat 3", "seat 3", "next")


def at_hand(table: Table, dealer: Dealer) -> None:
    at_reveal(table, dealer)
    dealer.presses("cards")
    dealer.enters(("Ah", "Kh"))


def at_turn(table: Table, dealer: Dealer) -> None:
    at_reveal(table, dealer)
    dealer.presses("dealer yes", "answer higher")


def at_supers(table: Table, dealer: Dealer) -> None:
    at_ask(table, dealer)
    dealer.presses("seat 2", "choose exchange 2", "next", "seat 3")


def at_draw(table: Table, dealer: Dealer) -> None:
    at_supers(table, dealer)
    dealer.presses("supers-settled")


OPENING = [at_shut, at_inspect, at_verify, at_spread, at_wash, at_shuffle, at_cut, at_idle, at_empty]
HOLDEM, LUNAR = [at_ask, at_reveal, at_hand, at_turn], [at_supers, at_draw]
EVERY_PHASE = [at_closed, at_open, *MAY_BE_VOID, *MAY_NOT, at_void, *OPENING, *HOLDEM, *LUNAR]


def played(play: Play) -> tuple[Table, Dealer]:
    """A table on which it happened; what level 0 does not know happens at level 1, the draws at Lunar Poker."""
    level, book = int(play in HOLDEM + LUNAR), "pa-671a" if play in LUNAR else "pa-653a"
    table = Table(house=house_of(book=book, level=level)).opens()
    dealer = Dealer(table)
    play(table, dealer)
    return table, dealer


def test_every_phase_is_among_them() -> None:
    assert {played(play)[0].state.phase for play in EVERY_PHASE} == set(Phase)


def stands(table: Table) -> tuple[object, ...]:
    """Where the table stands, as far as a power cut may not move it."""
    state = table.state
    return table.phase, state.round.number, table.lit, state.round.turn, state.neighbors.outbox, state.round.seats


@pytest.mark.parametrize("play", EVERY_PHASE)
def test_a_power_cut_leads_back_to_the_same_round_and_the_same_messages(play: Play) -> None:
    table, _ = played(play)
    before = stands(table)
    table.loses_power()
    assert stands(table) == before and table.state == table.replayed()
    assert locked(table.state) and table.state.felt.switch_locked, "until the neighbors are heard of, nothing is open"
    table.waits(3_000)
    table.comes_back()
    assert (table.phase, table.state.round.number, table.lit, table.state.neighbors.outbox) == (
        before[0],
        *before[1:3],
        before[4],
    )


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
    dealer.presses("envy-paid", "clear", by=DIAZ)
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
    assert table.last(e.LateWager) == e.LateWager(5, "progressive", None, was_lit=False, covered=False, chips=())


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
