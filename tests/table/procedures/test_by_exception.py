"""Level 1 by exception: whoever is not tapped lost, one tap wins, another ties; the money goes in the law's order."""

from __future__ import annotations

import random
import re

import pytest

from firmware.proof.simulation.hands import Cards
from firmware.proof.simulation.shifts.settling import settle_seat
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table import events as e
from firmware.table import results, settling
from firmware.table.decide import decide
from firmware.table.inputs import NextPushed
from firmware.table.state import Phase
from firmware.wire.structs import replace
from tests.table.press_costs import NAMED
from tests.table.procedures.walks import (
    BOOKS,
    HOLDEM,
    at_ask,
    at_deal,
    at_settle,
    betting,
    decides,
    lines_of,
    refuses,
)
from tests.table.table import DIAZ, Dealer, Table


def all_bet(*seats: int, dealer_has: str = "yes") -> tuple[Table, Dealer]:
    """Lunar: everybody bet without an option; the dealer's hand was shown."""
    table, dealer = at_deal("pa-671a", *seats)
    dealer.presses("next", "supers-settled", f"dealer {dealer_has}")
    return table, dealer


def order_of(table: Table) -> list[int]:
    """The seats in the order in which they were settled."""
    return [event.seat for event in table.happened if isinstance(event, e.SeatSettled)]


def primary(table: Table) -> str:
    """The word that the primary key sends."""
    return next(widget.press for widget in table.screen().widgets if widget.id == "primary" and widget.enabled)


@pytest.mark.parametrize("book", HOLDEM)
def test_11h_whoever_is_not_tapped_lost_one_tap_wins_another_ties(book: str) -> None:
    """653a.11(h), 677a.11(h): told together, then settled from the last seat down."""
    table, dealer = at_settle(book, 1, 2, 3, 4, 5, 6)
    dealer.presses("seat 2", "seat 5", "seat 3", "seat 3")
    tiles = [widget.lines[1].text for widget in table.screen().widgets if widget.id.startswith("seat-")]
    assert tiles == ["–", "WIN", "PUSH", "–", "WIN", "–"]
    dealer.presses("settled")
    assert order_of(table) == [6, 5]
    dealer.presses("settled")
    assert order_of(table) == [6, 5, 4, 3, 2]
    dealer.presses("settled", "clear")
    assert order_of(table) == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("book", HOLDEM)
def test_11h_what_was_not_told_is_nothing_special(book: str) -> None:
    """A plain win: even money, and the wager beside the ante is a push (653a.12(b), 677a.12(b))."""
    table, dealer = at_settle(book, 1, 2)
    dealer.presses("seat 2", "settled")
    [companion] = table.house.game.required - {table.house.game.base}
    assert lines_of(table, 2)["ante"] == ("win", 1500, 1500)
    assert lines_of(table, 2)[companion] == ("push", 1500, 0)


@pytest.mark.parametrize("book", HOLDEM)
def test_11h_a_special_hand_is_told_with_one_tap_more(book: str) -> None:
    table, dealer = at_settle(book, 1, 2, 3)
    dealer.presses("seat 1", "answer flush", "seat 2", "settled", "settled")
    [companion] = table.house.game.required - {table.house.game.base}
    assert lines_of(table, 1)[companion] == ("win", 1500, 2250)  # 3 to 2
    assert lines_of(table, 2)[companion] == ("push", 1500, 0)


def test_11h_a_third_tap_says_that_the_seat_lost() -> None:
    table, dealer = at_settle("pa-653a", 1, 2)
    dealer.presses("seat 2", "seat 2", "seat 2", "settled")
    assert order_of(table) == [2, 1] and lines_of(table, 2)["play"][0] == "lose"


def test_11h_a_result_may_be_changed_until_its_seat_is_settled() -> None:
    table, dealer = at_settle("pa-653a", 1, 2)
    dealer.presses("seat 2", "seat 1", "settled", "seat 1", "settled")
    assert lines_of(table, 1)["play"] == ("push", 1500, 0)


def test_11h_a_tap_that_returns_to_a_seat_loses_nothing_that_was_told_of_it() -> None:
    """Maryland, shift 603, round 28: the tap that came back for the envy of a beaten straight flush made it win."""
    table, dealer = at_settle("pa-653a", 1, 2)
    dealer.presses("seat 2", "answer flush", "seat 1", "seat 2")
    assert table.state.round.turn == 2
    assert dict(table.state.seat(2).position.called) == {"result": "higher", "hand": "flush"}
    dealer.presses("seat 1", "seat 1")
    assert results.result_of(table.state, 1) == "equal", "the first tap returned to it, the second one told"


def test_11h_a_tap_that_returns_from_a_picked_seat_does_not_say_that_somebody_wins() -> None:
    """653a.11(k): seat 3 is settled, its wager of the meter is open; who comes back from it has told nothing of seat 2."""
    table, dealer = at_settle("pa-653a", 1, 2, 3, lit=(3,))
    dealer.presses("settled", "seat 3")
    assert table.state.seat(3).position.settled and "NAME THE HAND" in table.words().upper()
    dealer.presses("seat 2")
    assert table.state.round.turn == 2 and not table.state.seat(2).position.called
    dealer.presses("seat 2")
    assert results.result_of(table.state, 2) == "higher", "the second tap tells, as ever"


def test_11h_nor_does_one_that_returns_from_a_hand_that_folded() -> None:
    """Seat 1 folded and its turn has not come; it was only looked at."""
    table, dealer = at_ask("pa-653a", 1, 2, 3, sides={1: {"trips": 500}})
    decides(table, dealer, 1, "check")
    dealer.presses("next", "next")
    decides(table, dealer, 1, "fold")
    dealer.presses("next", "dealer yes", "seat 1", "seat 3")
    assert table.state.round.turn == 3 and not table.state.seat(3).position.called
    dealer.presses("seat 3", "seat 2")
    assert [results.result_of(table.state, seat) for seat in (3, 2)] == ["higher", "higher"]


@pytest.mark.parametrize("level", [1, 2])
def test_11h_the_primary_key_leads_back_from_a_picked_seat(level: int) -> None:
    """To the turn that was interrupted, or, where none is left, to the end of the round."""
    table, dealer = at_settle("pa-653a", 1, 2, 3, lit=(3,), level=level)
    dealer.presses(*(["answer lower", "settled"] if level > 1 else ["settled"]), "seat 3")
    assert primary(table) == "look" and "SEAT 2" in table.words()
    dealer.presses("look")
    assert table.state.round.turn == 2 and not table.state.seat(2).position.called
    for seat in (2, 1):
        dealer.presses(*(["answer lower", "settled"] if level > 1 else ["settled"] if seat == 2 else []))
    dealer.presses("seat 3")
    assert primary(table) == "seat 3"
    dealer.presses("seat 3", "clear")


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("result", "asked", "done"), [("lower", "TAKE", "TAKEN"), ("higher", "PAY", "PAID")])
def test_11h_a_settled_seat_that_is_picked_says_what_was_done_and_asks_for_it_no_more(
    level: int, result: str, asked: str, done: str
) -> None:
    """653a.11(h)(2): its wagers were collected or paid; only its meter wager is open."""
    table, dealer = at_settle("pa-653a", 1, 3, lit=(3,), level=level)
    dealer.presses(f"answer {result}")
    if settling.question(table.house, table.state)[0]:
        dealer.presses("answer none")
    assert f"{asked} $" in money_words(table)
    dealer.presses("settled", "seat 3")
    assert table.state.seat(3).position.settled and "meter wagers are open" in table.words()
    assert f"{done} $" in money_words(table)
    assert not re.search(r"\b(take|pay) \$", money_words(table), re.IGNORECASE)


def money_words(table: Table) -> str:
    """What stands about the chips of the seat in turn."""
    shown = [widget for widget in table.screen().widgets if widget.id.startswith(("lines", "total"))]
    return " ".join(str(line.text) for widget in shown for line in widget.lines)


@pytest.mark.parametrize("way", ["left", "not-a-winner"])
def test_7b_11k3_what_the_floor_cannot_take_back_by_a_tap_is_not_done_by_one(way: str) -> None:
    """A player's wagers are lost, a hand does not win: keys to be held, as all that is signed."""
    table, dealer = at_settle("pa-653a", 1, 2, lit=(2,))
    dealer.presses(*(["problem", "problem left"] if way == "left" else ["hand flush"]))
    words = [word for word in table.pressable(DIAZ) if word.startswith(way)]
    assert words and all(table.pressable(DIAZ)[word].hold_ms for word in words)


def test_11h2_what_lost_is_taken_back_by_undo_and_what_was_paid_is_not() -> None:
    table, dealer = at_settle("pa-653a", 1, 2)
    dealer.presses("settled", "undo")
    assert not table.state.seat(2).position.settled and table.undo_is_lit
    dealer.presses("seat 2", "undo")
    assert not table.state.seat(2).position.called
    dealer.presses("seat 2", "settled")
    assert table.final == "SeatSettled"


def test_11k_a_lit_seat_is_not_passed_over_before_somebody_looked() -> None:
    """653a.11(k): its two cards and the flop may win though it lost. The seats before it are settled with its prize, and so
    are its own wagers against the dealer, which come first (653a.11(h), (i)).
    """
    table, dealer = at_settle("pa-653a", 1, 2, 3, lit=(2,))
    assert results.stop(table.house, table.state) == 2
    assert not table.offers("settled"), "seat 3 lost; seat 2 is lit"
    dealer.presses("seat 1", "look", "hand flush")
    assert order_of(table) == [3, 2]
    assert table.last(e.PrizeNamed).seat == 2


def test_11f_a_winners_hand_at_lunar_poker_is_never_guessed() -> None:
    """671a.12(d): every winning hand has its odds; the screen goes back to the seat that was left open."""
    table, dealer = all_bet(1, 2, 3)
    dealer.presses("seat 3", "seat 1", "answer pair")
    assert "answer first" in refuses(table, "settled")
    dealer.presses("look", "answer two pair", "settled")
    assert lines_of(table, 3)["bet"] == ("win", 3000, 6000)
    dealer.presses("settled")
    assert lines_of(table, 1)["bet"] == ("win", 3000, 3000)


def test_11f1_everybody_one_to_one_when_the_dealer_is_not_eligible() -> None:
    """671a.11(f)(1), .12(c): the antes are paid whoever wins; a straight or better is told."""
    table, dealer = all_bet(1, 2, 3, 4, 5, dealer_has="no")
    assert "EVERYBODY 1 to 1" in table.words()
    dealer.presses("settled", "clear")
    assert order_of(table) == [5, 4, 3, 2, 1]
    table, dealer = all_bet(1, 2, 3, 4, 5, dealer_has="no")
    dealer.presses("seat 3", "answer straight", "settled")
    assert order_of(table) == [5, 4]
    dealer.presses("settled", "settled")
    assert lines_of(table, 3)["ante"] == ("win", 1500, 6000) and lines_of(table, 2)["ante"] == ("win", 1500, 1500)


@pytest.mark.parametrize("declared", [5, 3, 1])
def test_12c_a_declared_flush_at_four_to_one_takes_nobody_with_it(declared: int) -> None:
    """671a.12(c): its odds are known without a question; nobody else's straight is settled with it, untold, at 1 to 1.

    `scripts/bench shifts --book pa-671a --level 1 --seed 200038`, round 22: EVERYBODY 4 to 1, and a straight had $15.
    """
    table, dealer = at_deal("pa-671a", 1, 2, 3, 4, 5)
    dealer.presses("next", f"seat {declared}", "row flush", "supers-settled", "dealer no")
    order = [5, 4, 3, 2, 1]
    while declared not in order_of(table):
        assert "EVERYBODY 4 to 1" not in table.words()
        before = order_of(table)
        dealer.presses("settled")
        went = order_of(table)[len(before) :]
        assert declared not in went or went == [declared]
    assert lines_of(table, declared)["ante"] == ("win", 1500, 6000)
    if declared > 1:  # whoever comes after it can still be told
        dealer.presses("seat 1", "answer straight")
        while 1 not in order_of(table):
            dealer.presses("settled")
        assert lines_of(table, 1)["ante"] == ("win", 1500, 6000)
    assert order_of(table) == order
    assert all(lines_of(table, seat)["ante"] == ("win", 1500, 1500) for seat in range(2, 6) if seat != declared)


def test_12c_simulated_people_who_go_seat_by_seat_tell_a_straight_before_everybody_is_paid() -> None:
    """671a.12(c): nothing is asked of declared three of a kind; the key that settles it says EVERYBODY 1 to 1."""
    table, dealer = at_deal("pa-671a", 1, 2, 3)
    dealer.presses("next", "seat 3", "row three of a kind", "supers-settled", "dealer no")
    assert "EVERYBODY 1 to 1" in table.words() and results.in_one_go(table.house, table.state) == (3, 2, 1)
    hands = {3: "9c 9d 9h Ks 2s", 2: "Kc Ts 9s Jc Qh", 1: "7h 6h Qd Ad 6s"}
    dealt = {seat: tuple(hand.split()) for seat, hand in hands.items()}
    shift = ProvedTable(table.house, random.Random(1), checks=False, trouble=0)
    shift.state = table.state
    while settling.in_question(shift.state):
        settle_seat(shift, Cards(dealt, dealt, ("3s", "Kh", "2c", "8d", "4s"), (), (), []))
    antes = {n: line.payout for n in dealt for line in shift.state.seat(n).position.final if line.wager == "ante"}
    assert antes == {3: 1500, 2: 6000, 1: 1500}


def test_11h_a_bad_beat_is_told_beside_win_and_tie() -> None:
    """677a.11(h)(2)(iii)(B), .12(c): the third tap; then its hand, which is never taken for granted."""
    table, dealer = at_settle("pa-677a", 1, 2)
    dealer.presses("seat 2", "seat 2", "seat 2")
    assert "BAD BEAT" in table.words()
    assert "answer first" in refuses(table, "settled")
    dealer.presses("answer straight", "settled")
    assert lines_of(table, 2)["odds"] == ("win", 1500, 6000) and lines_of(table, 2)["raise"][0] == "lose"
    table, dealer = at_settle("pa-677a", 2)
    dealer.presses("seat 2", "seat 2", "seat 2", "seat 2", "settled")
    assert lines_of(table, 2)["odds"] == ("lose", 0, 0)


def test_11i_a_pocket_bonus_that_nobody_tells_has_lost() -> None:
    """677a.11(i)(1): known since the players looked at their cards; told beside the result, none by default."""
    table, dealer = at_settle("pa-677a", 1, 2, sides={1: {"pocket_bonus": 500}, 2: {"pocket_bonus": 500}})
    dealer.presses("seat 1", "seat 1", "seat 1", "seat 1", "answer pocket_bonus = pair of 2s to kings", "settled")
    assert lines_of(table, 2)["pocket_bonus"] == ("lose", 0, 0)
    assert lines_of(table, 1)["pocket_bonus"] == ("win", 500, 2500)


@pytest.mark.parametrize("book", BOOKS)
def test_11b_the_deal_and_the_first_answer_are_one_press(book: str) -> None:
    """DEALT needs no press of its own; UNDO takes both back."""
    table, dealer = at_deal(book, 1, 2)
    dealer.presses("seat 2")
    assert table.phase == "ask"
    dealer.presses("undo")
    assert table.phase == "deal"
    dealer.presses("next")
    assert table.phase == ("supers" if book == "pa-671a" else "ask")
    assert book == "pa-671a" or table.state.round.street == 1


@pytest.mark.parametrize("level", [0, 1])
def test_8b_without_a_lamp_or_a_chip_nothing_is_counted(level: int) -> None:
    """653a.8(b): no lamp lit, no sensor covered, none marked as dead."""
    table, dealer = betting("pa-653a", 1, 2, level=level)
    dealer.presses("no-more-bets")
    assert table.phase == "deal"


def test_8b_what_may_lie_there_is_counted() -> None:
    table, dealer = betting("pa-653a", 1, 2)
    dealer.presses("problem", "problem table", "problem sensors", "sensor 3", "back", "no-more-bets")
    assert table.phase == "count"


# The NEXT key beside the rack -----------------------------------------------------------------------------------------


def test_11_the_next_key_goes_on_in_the_deal_and_on_the_streets() -> None:
    table, _ = at_deal("pa-653a", 1, 2)
    for street in (1, 2):
        table.hears(NextPushed(table.clock))
        assert (table.phase, table.state.round.street) == ("ask", street)
    table.hears(NextPushed(table.clock))
    assert table.phase == "reveal" and table.undo_is_lit


def test_11_the_next_key_never_counts_settles_pays_signs_or_clears() -> None:
    table, dealer = betting("pa-653a", 1, 2, lit=(2,))

    def does_nothing() -> None:
        count = len(table.happened)
        table.hears(NextPushed(table.clock))
        assert len(table.happened) == count

    does_nothing()
    dealer.presses("no-more-bets")
    does_nothing()
    dealer.presses("count 1")
    dealer.presses("problem")
    does_nothing()
    dealer.presses("back", "next", "next", "next")
    for word in ("dealer yes", "look", "hand flush", "undo", "settled", "settled"):
        does_nothing()
        if table.offers(word):
            dealer.presses(word)
    does_nothing()
    level_0 = Table().opens()
    Dealer(level_0).presses("no-more-bets")
    level_0.hears(NextPushed(level_0.clock))
    assert level_0.phase == "deal", "there its primary key clears"


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.DEAL, Phase.ASK)])
@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-671a", "pa-677a"])
def test_11_the_next_key_is_dead_in_every_phase_but_the_deal_and_the_streets(book: str, phase: Phase) -> None:
    """A count, the reveal, settling, paying, a signature, the clearing: each is pressed where it is read."""
    table, _ = at_deal(book, 1, 2)
    assert decide(table.house, replace(table.state, phase=phase), NextPushed(table.clock)).events == ()


@pytest.mark.parametrize(("book", "then"), [("pa-671a", "reveal supers draw"), ("pa-677a", "ask")])
def test_11_a_table_without_a_progressive_has_the_next_key_too(book: str, then: str) -> None:
    table, _ = at_deal(book, 1, 2)
    table.hears(NextPushed(table.clock))
    assert table.phase in then.split()
    while table.phase == "ask":
        table.hears(NextPushed(table.clock))
    stands = table.state
    table.hears(NextPushed(table.clock))
    assert table.state == stands


# What it costs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
def test_11_what_a_round_may_cost_the_dealer(name: str) -> None:
    """Only keys that the screen shows, the NEXT key beside the rack, and the round is cleared."""
    plays, most = NAMED[name]
    hand = plays()
    assert hand.all <= most and hand.table.phase in ("open", "closed"), hand.all
    assert not hand.next_key or hand.glass <= 12
