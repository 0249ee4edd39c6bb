"""Prizes to the letter: 653a.11(h), (k), (l) and .12(d), 36.05.16.11J and .12D, in a dealer's words.

What a winner gets is the law's payment, in the law's turn, by the cards that are known, from where the law says.
"""

from __future__ import annotations

import pytest

from firmware.rules.meter_wagers import meter_payment
from firmware.rules.money import Cents
from firmware.rules.paytable import Fixed
from firmware.rules.submission import parse_submission
from firmware.table import events as e
from firmware.table import evidence
from firmware.table.house import House
from firmware.wire.structs import replace
from tests.table.procedures.openings import refused
from tests.table.procedures.walks import at_reveal, betting, locks, refuses
from tests.table.table import DEALER, DIAZ, OKAFOR, RULES, VOCABULARY, Dealer, Table, house_of

ROYAL, STRAIGHT_FLUSH = ("Ah", "Kh", "Th", "Jh", "Qh"), ("9h", "8h", "Th", "Jh", "Qh")
"""On the flop Th Jh Qh."""


def lit(book: str, *seats: int, level: int = 0, house: House | None = None) -> tuple[Table, Dealer]:
    """These seats have a progressive wager; the cards are dealt, and at level 0 nobody has asked for winners."""
    table, dealer = betting(book, lit=seats, level=level, house=house)
    locks(table, dealer)
    table.bank.listens()
    return table, dealer


def wins_share(dealer: Dealer, seat: int, hand: str, cards: tuple[str, ...], *, paid: bool = True) -> None:
    """A share of the meter, from the tap on its seat to the cage."""
    table = dealer.table
    if table.state.round.turn != seat:
        dealer.presses(f"seat {seat}")
    dealer.presses(f"hand {hand}")
    if not evidence.known_five(table.state, seat, "progressive"):
        dealer.enters(cards)
        dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    table.bank.listens()
    if paid:
        dealer.presses("claim-paid", by=OKAFOR)
        if table.phase == "envy":
            dealer.presses("envy-paid", by=DIAZ)


def claimed(table: Table) -> list[tuple[int, int]]:
    """(seat, cents) of the shares that were paid, in their order."""
    return [
        (one.seat, one.payout) for event in table.happened if isinstance(event, e.ClaimPaid) for one in event.payments
    ]


# 36.05.16.12D(1): "40 to 1" ------------------------------------------------------------------------------------------


def five_dollars(level: int) -> House:
    """Maryland's table with a progressive wager of $5."""
    rules = {"book": "md-36.05.16", "table_minimum": "15.00", **RULES["md-36.05.16"]}
    rules["progressive"] = {"wager": "5.00", "seed": "10000.00", "rate": "21"}
    return replace(house_of(book="md-36.05.16", level=level), submission=parse_submission(rules))


@pytest.mark.parametrize("level", [0, 1, 2])
def test_36_05_16_12d1_a_fixed_prize_to_1_returns_the_racked_wager_with_it(level: int) -> None:
    """ "For a Flush the payout is 40 to 1": $5.00 returned, $200.00 paid, $205.00 in chips."""
    house = five_dollars(level)
    if level:
        table, dealer = at_reveal("md-36.05.16", 3, lit=(3,), level=level, house=house)
        if level == 1:
            dealer.presses("dealer yes", "answer higher", "answer flush")
        else:
            dealer.presses("cards")
            dealer.enters(("Ah", "Kh", "Qh", "2c", "3d", "Ts", "9s"))
            dealer.presses("enter", "cards")
            dealer.enters(("7h", "2h"))
            dealer.presses("enter", "settled")
            assert "SEAT 3: FLUSH" in table.words(), "the cards name it once the wagers before it are settled"
    else:
        table, dealer = lit("md-36.05.16", 3, house=house)
        dealer.presses("seat 3")
    dealer.presses("hand flush")
    dealer.presses("approve", by=DIAZ)
    assert (
        "PAY $205.00" in table.words() and "from the rack" in table.words() and "$5 of it is the wager" in table.words()
    )
    dealer.presses("paid")
    paid = next(one for row in table.journal[-3:] if isinstance(one := VOCABULARY.decode(*row), e.PrizePaid))
    assert (paid.payment.result, paid.payment.returned, paid.payment.payout) == ("win", 500, 20_000)
    dealer.presses("problem", "problem correct")
    assert "$205" in table.words(), "what comes back from the player"
    dealer.presses("correct 3")
    assert "Progressive win $205" in table.words()


# 653a.11(h), .12(d)(4): the turn ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_12d4_a_share_is_not_claimed_after_a_later_turn_took_from_the_meter(book: str) -> None:
    """Seat 2 was named before seat 5: without a floorperson seat 5 gets nothing of what then stands there."""
    table, dealer = lit(book, 2, 5)
    wins_share(dealer, 2, "royal flush", ROYAL)
    dealer.presses("seat 5")
    refused(table, "hand straight flush")
    assert table.notice == "Seat 5 had its turn before seat 2: PROBLEM, Correction, then its share."
    dealer.presses("seat 5", "problem", "problem correct", "correct 5")
    refused(table, "correct 5 wrong-result", by=DEALER)
    dealer.presses("correct 5 wrong-result", by=DIAZ)
    signed = table.last(e.SettlementCorrected)
    assert (signed.seat, signed.wager, signed.lines, signed.by) == (5, "progressive", (), DIAZ)
    wins_share(dealer, 5, "straight flush", STRAIGHT_FLUSH)
    assert [seat for seat, _ in claimed(table)] == [2, 5]


def test_12d4_in_the_laws_turn_nobody_signs_for_it() -> None:
    """Seat 5 is first: a tenth of the meter, and seat 2 the rest of it."""
    table, dealer = lit("pa-653a", 2, 5)
    wins_share(dealer, 5, "straight flush", STRAIGHT_FLUSH)
    wins_share(dealer, 2, "royal flush", ROYAL)
    assert claimed(table) == [(5, 100_004), (2, 900_038)]


def test_12d4_a_rejected_claim_is_no_turn_that_passed() -> None:
    table, dealer = lit("pa-653a", 2, 5)
    wins_share(dealer, 2, "royal flush", ROYAL, paid=False)
    dealer.presses("claim-rejected", by=OKAFOR)
    table.bank.listens()
    dealer.presses("seat 5", "hand straight flush")
    assert table.phase == "cards"


def test_12d4_who_validates_a_share_sees_whose_turn_is_before() -> None:
    table, dealer = lit("pa-653a", 2, 4, 5)
    dealer.presses("seat 4", "hand royal flush")
    dealer.enters(ROYAL)
    dealer.presses("show")
    assert "Look at seat 5 first: no jackpot hand there?" in table.words()


def test_11h_a_seat_that_was_closed_before_its_share_was_named_needs_a_floorperson() -> None:
    """Level 1: a folded lit seat is passed over, the next one takes the meter; the forgotten share is signed for."""
    table, dealer = at_reveal("pa-653a", 2, 5, lit=(2, 5), folds=(5,))
    table.bank.listens()
    dealer.presses("dealer yes", "answer higher", "answer royal flush")
    wins_share(dealer, 2, "royal flush", ROYAL)
    dealer.presses("settled", "seat 5")
    refused(table, "hand straight flush")
    assert "had its turn before" in table.notice
    dealer.presses("seat 5", "problem", "problem correct", "correct 5")
    dealer.presses("correct 5 wrong-result", by=DIAZ)
    dealer.presses("seat 5", "hand straight flush")
    assert table.phase == "cards"


# 653a.11(k)(5): envy without a wager of the holder --------------------------------------------------------------------


@pytest.mark.parametrize(("book", "cents"), [("pa-653a", 30_000), ("md-36.05.16", 30_000)])
def test_11k5_a_qualifying_hand_without_a_progressive_wager_brings_envy(book: str, cents: int) -> None:
    """ "when another player … is the holder of an Envy Bonus Qualifying Hand": it asks for no wager of the holder."""
    table, dealer = lit(book, 1, 3)
    dealer.presses("seat 5", "envy 5 straight flush")
    assert table.phase == "envy" and "Pay seats 3 and 1, in this order" in table.words()
    dealer.presses("envy-paid", by=DIAZ)
    paid = table.last(e.EnvyPaid)
    assert [(one.seat, one.for_seat, one.payout, one.result) for one in paid.payments] == [
        (3, 5, cents, "win"),
        (1, 5, cents, "win"),
    ]
    refused(table, "envy 5 straight flush", "seat 5")
    assert table.notice == "The envy bonuses for seat 5 were paid."
    refused(table, "envy 3 straight flush")
    assert table.notice == "Seat 3 has a progressive wager: name its prize."
    refused(table, "envy 4 flush")
    dealer.presses("problem", "problem envy")
    dealer.presses("apply", by=DIAZ)
    dealer.presses("envy-paid", "clear", by=DIAZ)


def test_11k5_an_envy_hand_that_was_a_wrong_tap_is_taken_back() -> None:
    table, dealer = lit("pa-653a", 1, 3)
    dealer.presses("seat 5", "envy 5 straight flush", "undo")
    assert table.phase == "settle" and not table.state.round.envy
    dealer.presses("undo")


def test_11k5_at_level_1_a_losing_hand_without_a_wager_still_brings_envy() -> None:
    table, dealer = at_reveal("pa-653a", 1, 4, lit=(1,))
    dealer.presses("dealer yes", "answer lower", "settled")
    assert table.state.seat(4).position.settled
    dealer.presses("seat 4", "envy 4 straight flush", "envy-paid", by=DIAZ)
    assert [(one.seat, one.for_seat, one.payout) for one in table.last(e.EnvyPaid).payments] == [(1, 4, 30_000)]


def at_cards(board: str, dealers: str, hands: dict[int, str], *seats_lit: int) -> tuple[Table, Dealer]:
    """Level 2: the board, the dealer's and the last seat's cards are entered."""
    table, dealer = at_reveal("pa-653a", *hands, lit=seats_lit, level=2)
    table.bank.listens()
    dealer.presses("cards")
    dealer.enters((*board.split(), *dealers.split()))
    dealer.presses("enter")
    enters_seat(dealer, hands)
    return table, dealer


def enters_seat(dealer: Dealer, hands: dict[int, str]) -> None:
    dealer.presses("cards")
    dealer.enters(hands[dealer.table.state.round.turn].split())
    dealer.presses("enter")


def test_11k5_level_2_the_cards_ask_for_envy_and_no_round_is_cleared_over_it() -> None:
    """The report's hand: seat 4, unlit, has 9c 8c on 7c 6c 5c; seat 1 is lit."""
    hands = {1: "Ah Ad", 4: "9c 8c"}
    table, dealer = at_cards("7c 6c 5c 2d Ks", "Qs Jd", hands, 1)
    dealer.presses("settled")  # its own wagers come first (653a.11(h) to (k))
    assert "SEAT 4: STRAIGHT FLUSH" in table.words() and "ENVY" in table.words()
    refused(table, "settled")
    assert table.notice == "Seat 4 wins by what is known (straight flush). Name it first."
    refused(table, "envy 4 royal flush")
    dealer.presses("envy 4 straight flush", "envy-paid", by=DIAZ)
    enters_seat(dealer, hands)
    dealer.presses("settled", "clear")


# 653a.11(k)(1): known cards ---------------------------------------------------------------------------------------------


def test_11k_level_2_a_winning_hand_that_the_table_knows_is_not_cleared_unpaid() -> None:
    """The report's hand: 7h Ks Kd on the flop, seat 1 is lit and has 7c 7d."""
    table, dealer = at_cards("7h Ks Kd 2c 3d", "Qs Jd", {1: "7c 7d"}, 1)
    dealer.presses("settled")  # Ante, Blind and Play come before the progressive (653a.11(h) to (k))
    assert "SEAT 1: FULL HOUSE" in table.words()
    dealer.sees_no("settled")
    refused(table, "settled")
    refused(table, "clear")
    dealer.presses("hand full house")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")


def test_11k_level_2_a_prize_that_is_corrected_after_its_turn_is_named_by_the_primary_key_again() -> None:
    """Every seat is settled; the key that picks the seat leads to the one that names the hand, and not to a dead end."""
    table, dealer = at_cards("7h Ks Kd 2c 3d", "Qs Jd", {1: "7c 7d"}, 1)
    dealer.presses("settled", "hand full house")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "problem", "problem correct", "correct 1")
    dealer.presses("correct 1 wrong-amount", by=DIAZ)
    assert table.pressable()["seat 1"].id == "primary"
    dealer.presses("seat 1")
    assert table.pressable()["hand full house"].id == "primary"
    dealer.presses("hand full house")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")


def test_11k_level_2_a_floorperson_may_find_that_the_known_hand_does_not_win() -> None:
    _, dealer = at_cards("7h Ks Kd 2c 3d", "Qs Jd", {1: "7c 7d"}, 1)
    dealer.presses("settled", "hand full house")
    dealer.presses("not-a-winner", by=DIAZ)
    dealer.presses("clear")


def test_12d4_level_2_known_cards_of_an_earlier_turn_come_first() -> None:
    """A seat that is closed by a correction's answers still has its turn: seat 5 holds the straight flush, known."""
    hands = {2: "Ah Kh", 5: "9h 8h"}
    table, dealer = at_cards("Th Jh Qh 2c 3d", "Qs Jd", hands, 2, 5)
    table.press("seat 2")
    dealer.presses("settled")  # seat 5's own wagers: it stays in turn
    refused(table, "settled")
    wins_share(dealer, 5, "straight flush", STRAIGHT_FLUSH)
    enters_seat(dealer, hands)
    dealer.presses("settled")
    wins_share(dealer, 2, "royal flush", ROYAL)
    assert [seat for seat, _ in claimed(table)] == [5, 2]


# 653a.12(c), (d)(2): the best of seven is never below two cards and the flop ----------------------------------------


def test_12d2_a_hand_above_what_was_answered_is_refused() -> None:
    """Trips "none of these": no full house on two cards and the flop."""
    table, dealer = at_reveal("pa-653a", 5, lit=(5,), sides={5: {"trips": 1500}})
    dealer.presses("dealer yes", "answer lower", "answer none")
    refused(table, "hand full house", "hand three of a kind")
    assert "Seat 5's three of a kind is not possible with seat 5's hand below the paytable." in table.notice
    dealer.presses("undo", "answer full house", "hand full house")
    assert table.phase == "validate"


def test_12d2_11i_a_named_hand_above_the_trips_answer_is_refused() -> None:
    """653a.11(i), (k): the Trips Wager is settled before the progressive one, and both by cards that hold the same three."""
    table, dealer = at_reveal("pa-653a", 5, lit=(5,), sides={5: {"trips": 1500}})
    dealer.presses("dealer yes")
    assert "answer first" in refuses(table, "hand full house")
    dealer.presses("answer lower", "answer flush")
    refused(table, "hand full house")
    dealer.presses("undo", "answer full house", "hand full house")
    assert table.phase == "validate"


def test_12d2_who_loses_to_less_than_a_pair_holds_no_flush() -> None:
    table, dealer = at_reveal("pa-653a", 5, lit=(5,))
    dealer.presses("dealer no", "answer lower")
    refused(table, "hand flush")
    assert "Seat 5's flush is not possible with the dealer's hand, below pair and seat 5's loss." in table.notice


# 653a.11(k)(4): not from the table inventory container; before the money moved ----------------------------------------


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_11k4_a_fixed_prize_that_is_not_paid_from_the_rack(book: str) -> None:
    """ "the cards … must remain on the table until the necessary documentation has been completed"."""
    table, dealer = lit(book, 3)
    hand = next(
        hand for hand, prize in table.house.submission.offers["progressive"].prizes.items() if isinstance(prize, Fixed)
    )
    dealer.presses("seat 3", f"hand {hand}")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("problem", "problem elsewhere")
    refused(table, "apply", by=DEALER)
    dealer.presses("apply", by=DIAZ)
    assert "by an attendant" in table.words() and "Leave the cards" in table.words()
    dealer.presses("paid")
    law = meter_payment(table.house.submission, 3, "progressive", hand, paid_from="attendant")  # type: ignore[arg-type]
    assert table.last(e.PrizePaid).payment == law and law.source == "attendant"
    dealer.presses("clear")


def test_11k3_an_error_seen_before_the_payment_is_put_right_by_a_floorperson() -> None:
    table, dealer = lit("pa-653a", 3)
    dealer.presses("seat 3", "hand full house")
    dealer.presses("approve", by=DIAZ)
    dealer.sees_no("undo")
    dealer.presses("problem", "problem not-a-winner")
    refused(table, "apply", by=DEALER)
    dealer.presses("apply", by=DIAZ)
    assert table.phase == "settle" and table.last(e.PrizeTakenBack).by == DIAZ
    dealer.presses("seat 3", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "clear")
    assert [event.payment.payout for event in table.happened if isinstance(event, e.PrizePaid)] == [Cents(4_000)]


# 653a.7(b): who was paid was there -------------------------------------------------------------------------------------


def test_7b_a_receiver_of_envy_who_was_paid_has_not_left() -> None:
    table, dealer = lit("pa-653a", 2, 5)
    dealer.presses("seat 5", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    wins_share(dealer, 2, "royal flush", ROYAL, paid=False)
    dealer.presses("claim-paid", by=OKAFOR)
    assert table.phase == "envy"
    dealer.presses("problem", "problem left")
    refused(table, "left 5", by=DIAZ)
    assert not table.state.seat(5).left
    dealer.presses("back", "envy-paid", by=DIAZ)


def test_7b_the_holders_paid_other_box_is_turned_back_and_never_left() -> None:
    table, dealer = lit("pa-653a", 2, 3)
    dealer.presses("seat 3", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    wins_share(dealer, 2, "royal flush", ROYAL, paid=False)
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("seat 3")
    assert table.state.seat(3).same_player
    dealer.presses("seat 3")
    assert not table.state.seat(3).same_player and not table.state.seat(3).left
