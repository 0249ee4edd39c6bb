"""A seat's turn in the order of its paragraphs, and what was told too early: sections .11(k) to (m) and .13."""

from __future__ import annotations

import pytest

from firmware.table import events as e
from firmware.table import results
from firmware.table.inputs import ButtonPushed
from firmware.table.procedures import NO_SHUFFLER, SHOE, Equipment
from tests.table.procedures.walks import BOOKS, at_ask, at_deal, at_reveal, betting, buys_in, refuses, tells
from tests.table.table import DIAZ, MS, Dealer, Table

# 653a.11(k), (l), (m): progressive, Five Card Hand, Six Card -------------------------------------------------------------


def told(table: Table) -> list[tuple[int, str]]:
    """(seat, wager) of what was collected and paid at the seats' turns, in order."""
    lines: list[tuple[int, str]] = []
    for event in table.happened:
        if isinstance(event, e.SeatSettled):
            lines += [(event.seat, line.wager) for line in event.lines]
        if isinstance(event, e.PrizePaid):
            lines.append((event.seat, event.payment.wager))
    return lines


SIX = {3: {"trips": 500, "six_card_bonus": 500}}


@pytest.mark.parametrize("level", [1, 2])
def test_11_k_m_six_card_is_settled_after_the_progressive(level: int) -> None:
    table, dealer = at_reveal("pa-653a", 1, 3, lit=(3,), sides=SIX, level=level)
    table.bank.listens()
    if level == 2:
        dealer.presses("cards")
        dealer.enters(["Ah", "Kh", "Qh", "2c", "7d", "3s", "4d", "5s", "6s", "8d", "9d"])
        dealer.presses("enter", "cards")
        dealer.enters(["Jd", "2h"])
        dealer.presses("enter")
    else:
        dealer.presses("dealer yes", "answer lower", "answer flush", "answer none")
    assert "SIX CARD" not in table.words().upper() and "TRIPS" in table.words().upper()
    dealer.presses("settled")
    assert table.state.round.turn == 3 and not table.state.seat(3).position.settled
    assert "SIX CARD" in table.words().upper()
    table.restarts()
    if level == 1:
        dealer.presses("hand flush")
        dealer.presses("approve", by=DIAZ)
        dealer.presses("paid")
    dealer.presses("settled")
    assert table.state.round.turn == 1
    order = [wager for seat, wager in told(table) if seat == 3]
    first = ["ante", "blind", "play", "trips"]
    assert order == [*first, *(["progressive"] if level == 1 else []), "six_card_bonus"]


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_11_h_m_the_steps_of_a_turn_follow_the_order_of_the_book(book: str) -> None:
    """653a.11(h) to (m): Six Card after the progressive; 36.05.16.11I, J: before it."""
    table, dealer = at_reveal(book, 3, lit=(3,), sides=SIX, level=2)

    def stands() -> tuple[str, list[str]]:
        turn = results.turn_of(table.house, table.state, 3)
        return turn.step, [line.wager for line in turn.now]

    assert stands() == ("over", []), "before the dealer's hand is shown no turn has come"
    dealer.presses("cards")
    dealer.enters(["Ah", "Kh", "Qh", "2c", "7d", "8d", "9d", "3s", "4d", "5s", "6s"])
    dealer.presses("enter")
    assert stands() == ("answers", [])
    dealer.presses("cards")
    dealer.enters(["Jd", "2h"])
    dealer.presses("enter")
    own = ["ante", "blind", "play", "trips"]
    if book == "pa-653a":
        assert stands() == ("own", own)
        dealer.presses("settled")
        assert stands() == ("meters", ["six_card_bonus"])
    else:
        assert stands() == ("own", [*own, "six_card_bonus"])
    dealer.presses("settled")
    assert stands() == ("over", [])


def with_a_flush(book: str, sides: dict[int, dict[str, int]]) -> tuple[Table, Dealer]:
    """Level 2: seat 3 is lit and its two cards make a flush of the flop; its cards are entered."""
    table, dealer = at_reveal(book, 1, 3, lit=(3,), sides=sides, level=2)
    dealer.presses("cards")
    six = ["3c", "4d", "5s", "6s"] if "six_card_bonus" in sides.get(3, {}) else []
    dealer.enters(["Ah", "Kh", "Qh", "2c", "7d", "8d", "9d", *six])
    dealer.presses("enter", "cards")
    dealer.enters(["Jh", "2h"])
    dealer.presses("enter")
    return table, dealer


@pytest.mark.parametrize("sides", [{}, {3: {"trips": 500, "six_card_bonus": 500}}], ids=["no six card", "six card"])
@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_11_k_m_known_cards_win_after_the_seats_own_wagers_and_no_key_is_empty(
    book: str, sides: dict[int, dict[str, int]]
) -> None:
    """653a.11(i) to (m), 36.05.16.11I, J: own wagers, the prize, what follows it; the press that ends the seat is the last
    one that moves something.
    """
    table, dealer = with_a_flush(book, sides)
    assert "hand flush" not in table.pressable(), "dark until its turn comes"
    assert refuses(table, "hand flush") == "Settle seat 3's other wagers first; its prize is named then."
    dealer.presses("settled", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    if sides and book == "pa-653a":  # the Six Card Bonus follows the progressive
        assert table.state.round.turn == 3 and "SEAT 3 PAID" in table.words()
        dealer.presses("settled")
    assert table.state.seat(3).position.settled and table.state.round.turn == 1
    assert not [one for one in table.happened if isinstance(one, e.SeatSettled) and not (one.lines or one.complete)]
    table.restarts()
    assert table.state.round.turn == 1


def test_11_h_k_no_tap_tells_a_result_after_its_wagers_were_settled() -> None:
    """Level 1, by entered cards: its prize waits, and it was told EQUAL after it had been paid as HIGHER; then its prize
    could not be named, nor its turn ended.
    """
    table, dealer = at_reveal("pa-653a", 1, 3, lit=(3,))
    dealer.presses("dealer yes", "cards")
    dealer.enters(["Ah", "Kh", "Qh", "9h", "2h", "7d", "8d", "Jd", "2c"])
    dealer.presses("enter", "settled")
    before = table.state.seat(3).position
    assert before.final and not before.settled
    assert refuses(table, "seat 3") == "Seat 3 is being settled already."
    assert table.state.seat(3).position == before
    dealer.presses("hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    assert table.state.seat(3).position.settled


@pytest.mark.parametrize("ends", ["not-a-winner", "taken back"])
def test_11_k_a_known_hand_that_is_no_winner_ends_the_seat_too(ends: str) -> None:
    table, dealer = with_a_flush("pa-653a", {})
    dealer.presses("settled", "hand flush")
    dealer.presses("cancel")
    assert table.state.round.turn == 3, "taken back: it still waits"
    dealer.presses("hand flush")
    if ends == "not-a-winner":
        dealer.presses("not-a-winner", by=DIAZ)
        assert table.state.round.turn == 1 and table.state.seat(3).position.settled
    else:
        dealer.presses("undo")
        assert table.state.round.turn == 3 and not table.state.seat(3).position.settled


def test_11_k_m_who_made_no_wager_with_a_meter_is_settled_by_one_key() -> None:
    table, dealer = at_reveal("pa-653a", 3, sides=SIX)
    dealer.presses("dealer yes", "answer lower", "answer none", "answer none", "settled")
    assert table.state.seat(3).position.settled
    assert [wager for _, wager in told(table)][-1] == "six_card_bonus"


def test_11_k_m_a_prize_that_was_paid_before_needs_no_second_key() -> None:
    table, dealer = at_reveal("pa-653a", 3, lit=(3,), sides=SIX)
    dealer.presses("dealer yes", "answer lower", "answer flush", "answer none", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "settled")
    assert table.state.seat(3).position.settled
    assert [wager for _, wager in told(table)] == ["ante", "blind", "play", "trips", "progressive", "six_card_bonus"]


def test_11_l_m_six_card_is_settled_after_five_card_hand() -> None:
    table, dealer = betting("pa-653a", 3, five_card=True, sides=SIX)
    buys_in(dealer, 3, 500)
    table.hears(ButtonPushed(3, "own", table.now * MS))
    dealer.presses("no-more-bets", "count 0", "dealt", "next", "next", "next")
    dealer.presses("dealer yes", "answer lower", "answer flush", "answer none", "settled")
    assert not table.state.seat(3).position.settled
    dealer.presses("five own flush", "settled")
    assert table.state.seat(3).position.settled
    order = [type(one).__name__ for one in table.happened if isinstance(one, e.SeatSettled | e.AccountCredited)]
    assert order == ["SeatSettled", "AccountCredited", "SeatSettled"]


def test_11_k_m_maryland_settles_six_card_before_the_progressive() -> None:
    table, dealer = at_reveal("md-36.05.16", 3, lit=(3,), sides=SIX)
    dealer.presses("dealer yes", "answer lower", "answer none", "answer none", "settled")
    assert table.state.seat(3).position.settled


def test_11_k_m_the_floor_has_both_parts_settled_again() -> None:
    table, dealer = at_reveal("pa-653a", 1, 3, lit=(3,), sides=SIX)
    dealer.presses("dealer yes", "answer higher", "answer none", "answer none", "settled")
    assert "is being settled already" in refuses_left(table, dealer, 3)
    dealer.presses("problem", "problem correct", "correct 3")
    dealer.presses("correct 3 wrong-result", by=DIAZ)
    assert table.state.round.turn == 3 and not table.state.seat(3).position.final
    dealer.presses("answer lower", "answer none", "answer none", "settled", "settled")
    assert table.state.round.turn == 1


def refuses_left(table: Table, dealer: Dealer, seat: int) -> str:
    dealer.presses("problem", "problem left")
    why = refuses(table, f"left {seat}", DIAZ)
    dealer.presses("back")
    return why


# .13, level 0: one early tap on a lit seat ---------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
@pytest.mark.parametrize("problem", ["dealer-exposed", "one-face-up", "recut"])
def test_13_at_level_0_an_early_tap_on_a_lit_seat_closes_no_way_back(book: str, problem: str) -> None:
    table, dealer = at_deal(book, level=0, lit=(2, 4), equipment=Equipment(SHOE, NO_SHUFFLER))
    dealer.presses("seat 4")
    assert table.phase == "settle"
    table.restarts()
    dealer.presses("undo")
    assert table.phase == "deal"
    tells(dealer, problem, by="" if problem == "one-face-up" else DIAZ)
    assert table.phase == ("void" if problem == "dealer-exposed" else "deal")
    assert (table.state.decks.recut == DIAZ) == (problem == "recut")


# .13: a round that is void after a correction ----------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_13_a_void_after_a_correction_takes_back_what_was_paid(book: str) -> None:
    """The correction undid the settlement; the chips are out until the round is void, or the seat is settled again."""
    table, dealer = at_ask(book, 1, 2)
    while table.phase != "reveal":
        dealer.presses("supers-settled" if table.phase == "supers" else "next")
    dealer.presses("dealer no")
    answered(table, dealer, "higher")
    paid = sum(line.payout for line in table.state.seat(2).position.final)
    assert paid and table.state.round.turn == 1
    dealer.presses("problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-result", by=DIAZ)
    table.restarts()
    dealer.presses("problem", "problem wrong-number")
    assert f"seat 2 ${paid / 100:,.0f}" in table.words()
    dealer.presses("apply", by=DIAZ)
    assert table.state.round.taken_back == ((2, paid),)


@pytest.mark.parametrize("book", BOOKS)
def test_13_what_was_settled_again_is_not_taken_back_twice(book: str) -> None:
    table, dealer = at_ask(book, 1, 2)
    while table.phase != "reveal":
        dealer.presses("supers-settled" if table.phase == "supers" else "next")
    dealer.presses("dealer no")
    for result in ("higher", "equal"):
        answered(table, dealer, result)
        dealer.presses("problem", "problem correct", "correct 2")
        dealer.presses("correct 2 wrong-result", by=DIAZ)
    tells(dealer, "wrong-number", by=DIAZ)
    assert sum(paid for _, paid in table.state.round.taken_back) == sum(
        line.payout for line in table.last(e.SettlementCorrected).lines
    )


def answered(table: Table, dealer: Dealer, result: str) -> None:
    """The seat in turn compared so, by the lowest of the answers to what else is asked; and paid."""
    seat = table.state.round.turn
    if table.offers(f"answer {result}"):  # where Lunar Poker's dealer does not qualify, no hands are compared
        dealer.presses(f"answer {result}")
    while word := next((one for one in reversed(list(table.pressable())) if one.startswith("answer ")), ""):
        dealer.presses(word)
    if table.state.round.turn == seat:
        dealer.presses("settled")


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_13_a_prize_that_was_corrected_is_taken_back_by_a_void(book: str) -> None:
    table, dealer = at_deal(book, level=0, lit=(2,))
    dealer.presses("seat 2", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-amount", by=DIAZ)
    payment = table.last(e.SettlementCorrected).lines[0]
    tells(dealer, "wrong-number", by=DIAZ)
    assert table.state.round.taken_back == ((2, payment.payout + payment.returned),)


# 671a.11(b), (c): decisions that are locked in -------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2])
def test_11c_once_a_hand_was_told_the_floor_opens_the_elections_again(level: int) -> None:
    """Seat 1 was tapped INSTANT by mistake; seat 2 has shown its hand, so UNDO is dark: a floorperson signs."""
    table, dealer = at_ask("pa-671a", 1, 2, level=level)
    dealer.presses("seat 1", "choose instant", "next", "seat 2")
    if level == 2:
        shows(dealer, "Kd Jd 9d 5d 2d")
        dealer.presses("seat 1")
        dealer.presses("cards")
        dealer.enters(["2c", "3d", "4h", "5s", "9c"])
        dealer.sees_no("enter")
        assert "671a.11(b)" in refuses(table, "enter")
        dealer.presses("cancel")
    else:
        dealer.presses("row flush")
    refuses(table, "supers-settled")
    copy = Table.again(table)
    while copy.undo_is_lit:
        Dealer(copy).presses("undo")
    assert copy.phase == "supers" and copy.final == "locked in"
    dealer.presses("problem", "problem ask-again")
    table.press("apply")
    assert table.phase == "supers", "a floorperson signs"
    dealer.presses("apply", by=DIAZ)
    assert table.phase == "ask" and table.last(e.StreetReopened).by == DIAZ
    table.restarts()
    dealer.presses("seat 1", "choose bet", "next")
    assert table.state.seat(2).position.super_row == "flush", "what was verified stands"
    dealer.presses("supers-settled")
    assert table.phase == "reveal" and table.state.seat(1).position.choice == "play"
    dealer.presses("problem")
    dealer.sees_no("problem ask-again")


def shows(dealer: Dealer, cards: str) -> None:
    dealer.presses("cards")
    dealer.enters(cards.split())
    dealer.presses("enter")
