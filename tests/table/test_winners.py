"""Winners of the progressive wager: 653a.11(k), 653a.12(d). Every prize of every paytable, and all that is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from firmware.rules.hands import HandName
from firmware.rules.message import as_is
from firmware.rules.meter_wagers import meter_payment
from firmware.rules.money import cents
from firmware.table import events as e
from firmware.table.card_entry import entry_of
from firmware.table.inputs import ClaimAnswer, PinRefused, Pressed, RefusedAnswer
from tests.table.procedures.walks import leaves
from tests.table.table import DEALER, DIAZ, HANDS, OKAFOR, TECHNICIAN, Dealer, Table, cards_of, shared
from ui.words import money

LAW = tomllib.loads(Path(__file__).with_name("prizes.toml").read_text(encoding="utf-8"))
WAGERS = {"1.00": 0, "5.00": 1}
PAYTABLES = "ABCD"
FIXED = [
    (paytable, wager, hand, prize[place])
    for paytable in PAYTABLES
    for hand, prize in LAW[paytable].items()
    if isinstance(prize, list)
    for wager, place in WAGERS.items()
]
SHARES = [(paytable, hand, prize) for paytable in PAYTABLES for hand, prize in LAW[paytable].items() if "%" in prize]
NOTHING = [(paytable, hand) for paytable in PAYTABLES for hand in HANDS if hand not in LAW[paytable]]


def dealt(*seats: int, paytable: str = "A", wager: str = "1.00") -> tuple[Table, Dealer]:
    """A round with wagers of these seats that the bank holds, the cards on the table."""
    table = Table(paytable, wager).opens()
    dealer = Dealer(table)
    dealer.deals(*seats)
    table.bank.listens()
    return table, dealer


# 653a.12(d)(1): prizes -------------------------------------------------------------------------------------------------


def test_the_tables_below_are_not_empty() -> None:
    assert (len(FIXED), len(SHARES), len(NOTHING)) == (36, 10, 12)


@pytest.mark.parametrize("paytable, wager, hand, prize", FIXED)
def test_653a_12d1_a_fixed_prize_is_validated_paid_from_the_rack_and_the_stake_stays(
    paytable: str, wager: str, hand: str, prize: str
) -> None:
    table, dealer = dealt(2, 5, paytable=paytable, wager=wager)
    dealer.names(5, hand)
    assert table.phase == "validate"
    dealer.presses("approve", by=DIAZ)
    assert table.phase == "pay"
    assert f"PAY {money(cents(prize))}" in table.words() and "wager stays in the rack" in table.words()
    due = meter_payment(table.house.submission, 5, "progressive", HandName(hand))
    assert due.payout == cents(prize) and due.source == "rack" and "from the rack" in table.words()
    dealer.presses("paid")
    assert table.last(e.PrizePaid) == e.PrizePaid(5, due)
    assert table.phase == "settle" and [message.kind for message in table.owed] == ["wagers"]


@pytest.mark.parametrize("paytable, hand, prize", SHARES)
@pytest.mark.parametrize("wager", WAGERS)
def test_653a_12d1_a_share_of_a_meter_is_claimed_held_and_paid_by_the_cage(
    paytable: str, hand: str, prize: str, wager: str
) -> None:
    table, dealer = dealt(1, 2, 5, paytable=paytable, wager=wager)
    percent, meter = prize.split("% of ")
    stands = cents(LAW["meters"][paytable][meter]) * int(wager[0])
    dealer.claims(5, hand)
    assert table.phase == "price" and "Pay nothing yet." in table.words()
    table.bank.listens()
    amount = stands * int(percent) // 100
    assert table.phase == "hold" and money(amount) in table.words()
    hold = table.words()
    assert "NOT FROM THE RACK. LEAVE CARDS ON THE TABLE." in hold
    dealer.presses("claim-paid", by=OKAFOR)
    paid = table.last(e.ClaimPaid)
    assert (paid.seat, shared(paid.payments), paid.signed) == (5, ((5, amount),), (DIAZ, OKAFOR))
    assert paid.payments[0].source == "cage" and "from the cage" in hold
    assert [message.kind for message in table.owed] == ["wagers", "claim", "verdict"]
    table.bank.listens()
    assert [claim.status for claim in table.bank.claims.values()] == ["paid"]


@pytest.mark.parametrize("paytable, hand", NOTHING)
def test_653a_12d1_what_is_not_in_the_paytable_has_no_prize(paytable: str, hand: str) -> None:
    table, dealer = dealt(5, paytable=paytable)
    dealer.presses("seat 5")
    dealer.sees_no(f"hand {hand}")
    table.hears(Pressed(f"hand {hand}"))
    assert table.notice == f"{hand} has no prize on paytable {paytable}."


@pytest.mark.parametrize("hand", ["", "royal", "Royal Flush", "six-card royal flush", "ace-king", "flush ", "\x00"])
def test_653a_12d1_a_hand_that_does_not_exist_has_no_prize(hand: str) -> None:
    table, dealer = dealt(5)
    dealer.presses("seat 5")
    table.hears(Pressed(f"hand {hand}"))
    assert table.phase == "settle" and "has no prize" in table.notice


def test_653a_12d1_the_flush_of_the_issue() -> None:
    """Paytable A, a $5.00 wager: 40 for 1, $200.00, the stake stays collected."""
    table, dealer = dealt(3, paytable="A", wager="5.00")
    dealer.names(3, "flush")
    dealer.presses("approve", by=DIAZ)
    assert "PAY $200.00" in table.words() and "2 × $100" in table.words() and "40 for 1" in table.words()


def test_653a_11k2_only_a_lit_seat_wins() -> None:
    table, dealer = dealt(3)
    dealer.sees_no("seat 3 flush")
    dealer.presses("seat 4")
    dealer.sees_no("hand flush", "hand royal flush")
    table.hears(Pressed("hand flush"))
    assert table.notice == "Seat 4 has no progressive wager that waits."


def test_653a_11k2_without_a_lit_seat_nobody_wins() -> None:
    table, dealer = dealt()
    dealer.sees_no("seat 4")
    table.hears(Pressed("seat 4"))
    assert table.notice == "Seat 4 has no progressive wager."


def test_653a_11k_a_seat_is_paid_once() -> None:
    table, dealer = dealt(3, 4)
    dealer.names(3, "straight")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    dealer.sees_no("seat 3")
    table.hears(Pressed("seat 3"))
    assert table.notice == "Seat 3 is paid."


def test_653a_11k_no_seat_no_hand() -> None:
    table, dealer = dealt(3)
    dealer.presses("seat 3", "seat 3")
    dealer.sees_no("hand flush")
    table.hears(Pressed("hand flush"))
    assert table.notice == "Tap the seat that won first."
    dealer.presses("undo", "undo")
    assert table.phase == "deal", "nobody has asked for the winners yet"


def test_653a_11k_a_seat_is_picked_and_put_back_by_a_second_tap() -> None:
    table, dealer = dealt(3, 4)
    dealer.presses("seat 3", "seat 4", "seat 4", "clear")
    assert table.phase == "open"


# 653a.11(k)(3): validation ----------------------------------------------------------------------------------------------


def test_653a_11k3_nobody_approves_without_a_badge() -> None:
    table, dealer = dealt(3)
    dealer.names(3, "flush")
    dealer.sees_no("approve", "not-a-winner")
    table.hears(Pressed("approve"))
    assert table.phase == "validate" and table.notice == "A floorperson's badge and PIN first (653a.11(k)(3))."


@pytest.mark.parametrize("badge", [DEALER, TECHNICIAN, "9999"])
def test_653a_11k3_only_a_floorperson_or_above_validates(badge: str) -> None:
    table, dealer = dealt(3)
    dealer.names(3, "flush")
    for word in ("approve", "not-a-winner"):
        table.hears(Pressed(word, badge))
        assert table.phase == "validate" and table.notice.startswith("A floorperson's badge and PIN first")


@pytest.mark.parametrize("badge", [DIAZ, OKAFOR])
def test_653a_11k3_a_floorperson_finds_that_it_is_not_a_winner(badge: str) -> None:
    table, dealer = dealt(3)
    dealer.names(3, "flush")
    dealer.presses("not-a-winner", by=badge)
    assert table.phase == "settle" and table.last(e.PrizeTakenBack) == e.PrizeTakenBack(3, by=badge)
    dealer.names(3, "straight")
    assert table.phase == "validate"


def test_653a_11k3_the_dealer_named_the_wrong_hand() -> None:
    table, dealer = dealt(3)
    dealer.names(3, "flush")
    dealer.presses("cancel")
    dealer.names(3, "straight")
    dealer.presses("approve", by=DIAZ)
    assert "PAY $30.00" in table.words()


def test_653a_11k3_a_wrong_pin_is_journaled_and_shown() -> None:
    table, dealer = dealt(3)
    dealer.names(3, "flush")
    table.hears(PinRefused(DIAZ, as_is("Wrong PIN.")))
    assert table.last(e.PinTried).badge == DIAZ and "Wrong PIN." in table.words()
    assert table.phase == "validate"


# The cards of a share --------------------------------------------------------------------------------------------------


def at_cards(hand: str = "royal flush", paytable: str = "A") -> tuple[Table, Dealer]:
    table, dealer = dealt(2, 3, 5, paytable=paytable)
    dealer.names(3, hand)
    assert table.phase == "cards"
    return table, dealer


def test_card_entry_takes_a_rank_then_a_suit() -> None:
    table, dealer = at_cards()
    dealer.sees_no("suit h", "show")
    dealer.presses("rank A", "suit h", "rank K")
    dealer.presses("rank Q", "suit h")
    assert (prize := table.state.seat(3).prize) and prize.cards == ("Ah", "Qh")
    assert "2 OF 5" in table.words()
    table.hears(Pressed("suit s"))
    assert table.notice == "Tap the rank first, then the suit."


@pytest.mark.parametrize("suit", "shdc")
def test_653a_12d2_a_royal_flush_is_told_by_its_suit_alone(suit: str) -> None:
    table, dealer = at_cards("royal flush")
    dealer.presses(f"royal {suit}", "show")
    assert table.phase == "validate" and table.last(e.HandShown).cards == tuple(rank + suit for rank in "AKQJT")


@pytest.mark.parametrize(
    ("high", "five"), [("K", "KQJT9"), ("9", "98765"), ("5", "5432A")], ids=["king", "nine", "five, the ace below"]
)
def test_653a_12d2_a_straight_flush_is_told_by_its_highest_card(high: str, five: str) -> None:
    table, dealer = at_cards("straight flush")
    dealer.sees_no("highest", "royal h")
    dealer.presses(f"rank {high}", "suit h")
    dealer.sees_no("show")
    dealer.presses("highest", "show")
    assert table.phase == "validate" and table.last(e.HandShown).cards == tuple(f"{rank}h" for rank in five)


@pytest.mark.parametrize(
    ("hand", "entered", "word"),
    [
        ("royal flush", ("Ah",), "royal h"),
        ("royal flush", (), "highest"),
        ("royal flush", ("Ah",), "highest"),
        ("straight flush", (), "highest"),
        ("straight flush", ("9h", "8h"), "highest"),
        ("straight flush", ("4h",), "highest"),
        ("straight flush", ("Ah",), "highest"),
        ("straight flush", (), "royal h"),
    ],
)
def test_one_card_never_says_what_it_cannot(hand: str, entered: tuple[str, ...], word: str) -> None:
    """A four is the highest of no straight flush, an ace of none that is not royal; what is entered stays."""
    table, dealer = at_cards(hand)
    dealer.enters(entered)
    dealer.sees_no(word)
    table.hears(Pressed(word))
    assert table.notice == "Enter the five cards one by one."
    assert (prize := table.state.seat(3).prize) and prize.cards == entered


def test_what_one_card_said_is_corrected_card_by_card_and_undone_in_one() -> None:
    table, dealer = at_cards("royal flush")
    dealer.presses("royal h", "slot 1", "rank 9", "suit h", "undo", "undo", "undo")
    assert (prize := table.state.seat(3).prize) and prize.cards == ("Ah", "Kh", "Qh", "Jh", "Th")
    dealer.presses("undo", "royal s", "show", "cancel")
    assert table.phase == "settle"


def test_653a_12d2_two_royals_told_by_their_suits_need_the_same_flop() -> None:
    """Two hands of a round share the flop and nothing else, so two royal flushes cannot be: the second is not even named."""
    table, dealer = at_cards("royal flush")
    dealer.presses("royal h", "show")
    dealer.presses("approve", by=DIAZ)
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    if table.phase == "envy":
        dealer.presses("envy-paid", by=DIAZ)
    dealer.presses("seat 2")
    assert "hand royal flush" not in table.pressable()
    table.press("hand royal flush")
    assert table.phase == "settle" and table.notice == (
        "Seat 2's royal flush is not possible with seat 3's royal flush. Correct one of them first."
    )


def test_card_entry_refuses_the_same_card_twice() -> None:
    table, dealer = at_cards()
    dealer.enters(("Ah", "Kh"))
    dealer.presses("rank A")
    assert "suit h" not in table.pressable("")
    table.hears(Pressed("suit h"))
    assert table.notice == "Ah is entered already. If it is there twice, the deck is fouled: PROBLEM."
    dealer.presses("suit s")
    assert (prize := table.state.seat(3).prize) and prize.cards == ("Ah", "Kh", "As")


def test_card_entry_goes_back_tap_by_tap() -> None:
    table, dealer = at_cards()
    dealer.enters(("Ah", "Kh"))
    dealer.presses("rank A", "undo", "undo", "undo", "undo", "undo")
    assert (prize := table.state.seat(3).prize) and (prize.cards, prize.rank) == ((), "")
    dealer.presses("undo")
    assert table.phase == "settle" and table.state.round.turn == 3, "the hand was not named yet"
    dealer.presses("hand royal flush", "cancel")
    assert table.phase == "settle" and table.state.seat(3).prize is None


def test_card_entry_replaces_a_card_in_its_place() -> None:
    table, dealer = at_cards()
    dealer.enters(("Jh", "Ts", "Ah", "Kh", "Qh"))
    dealer.presses("slot 2", "rank T", "suit h", "show")
    assert table.phase == "validate" and table.last(e.HandShown).cards == cards_of("royal flush")


def test_card_entry_replaces_the_fifth_card_at_a_small_table_too() -> None:
    table = Table(seats=4).opens()
    dealer = Dealer(table)
    dealer.deals(3)
    dealer.names(3, "royal flush")
    dealer.enters(("Jh", "Th", "Ah", "Kh", "Qs"))
    dealer.presses("slot 5", "rank Q", "suit h", "show")
    assert table.phase == "validate"


def test_card_entry_refuses_a_sixth_card() -> None:
    table, dealer = at_cards()
    dealer.enters(cards_of("royal flush"))
    assert "rank 2" not in table.pressable("")
    table.hears(Pressed("rank 2"))
    assert table.notice == "All cards are entered: tap the one to replace."


@pytest.mark.parametrize("word", ["rank 1", "rank AK", "rank", "rank  ", "suit x", "suit sh", "suit", "show", "rank é"])
def test_card_entry_refuses_what_is_no_card(word: str) -> None:
    table, dealer = at_cards()
    dealer.enters(("Ah", "Kh"))
    before = table.state.seat(3).prize
    table.hears(Pressed(word))
    assert table.notice and table.state.seat(3).prize == before


def test_the_cards_decide_whatever_was_said_a_lesser_share() -> None:
    table, dealer = at_cards("royal flush")
    dealer.enters(cards_of("straight flush"))
    dealer.presses("show")
    assert table.phase == "validate" and "STRAIGHT FLUSH" in table.words() and "10% of main" in table.words()
    dealer.presses("approve", by=DIAZ)
    assert table.owed[-1].body["hand"] == "straight flush"
    table.bank.listens()
    assert "$1,000.06" in table.words()


def test_the_cards_decide_whatever_was_said_a_fixed_prize() -> None:
    table, dealer = at_cards("royal flush")
    dealer.enters(cards_of("flush"))
    dealer.presses("show")
    assert table.phase == "validate" and "FLUSH" in table.words()
    dealer.presses("approve", by=DIAZ)
    assert "PAY $40.00" in table.words()


@pytest.mark.parametrize("hand", ["two pair", "pair", "high card"])
def test_the_cards_decide_whatever_was_said_no_prize(hand: str) -> None:
    table, dealer = at_cards("royal flush")
    dealer.enters(cards_of(hand))
    dealer.sees_no("show")
    assert f"These cards make {hand}: no progressive prize." in table.words()
    table.press("show")
    assert table.phase == "cards" and table.notice.startswith(f"These cards make {hand}: no progressive prize.")
    dealer.presses("cancel", "clear")
    assert table.phase == "open"


def test_two_hands_of_a_round_share_the_flop_and_nothing_else() -> None:
    table, dealer = dealt(2, 5, paytable="B")
    dealer.claims(5, "straight flush")  # 9c 8c on 7c 6c 5c
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("envy-paid", by=DIAZ)
    dealer.names(2, "royal flush")
    dealer.enters(cards_of("royal flush"))
    dealer.sees_no("show")
    assert table.phase == "cards" and "must share the three cards of the flop" in table.words()
    dealer.presses("cancel")
    dealer.names(2, "straight flush")
    dealer.enters(("4c", "3c", "7c", "6c", "5c"))
    dealer.presses("show")
    assert table.phase == "validate"


def test_a_rejected_hands_cards_do_not_stand_in_the_way_of_another() -> None:
    """It was rejected because its cards were entered wrong: the flop was another one."""
    table, dealer = dealt(2, 5)
    dealer.claims(5, "royal flush")
    table.bank.listens()
    dealer.presses("claim-rejected", by=OKAFOR)
    dealer.claims(2, "straight flush")
    assert table.phase == "price"


# 653a.12(d)(4): priced when it is the player's turn ---------------------------------------------------------------------


def test_653a_12d4_a_claim_waits_for_the_bank_and_nothing_can_be_pressed() -> None:
    table, dealer = dealt(3)
    dealer.claims(3, "royal flush")
    dealer.sees_no("approve", "cancel", "claim-paid", "clear", "paid")
    assert set(table.pressable()) <= {"floor", "problem", "problem table"}, "a gaming day may end meanwhile"
    dealer.presses("problem")
    offered = {word for word in table.pressable() if word.startswith("problem ") and word != "problem table"}
    assert offered == {"problem fouled"}, "a deck that was found fouled leaves at once; the round cannot be void yet"


def test_653a_12d4_with_the_link_down_the_claim_is_kept_and_priced_when_the_bank_returns() -> None:
    table, dealer = dealt(3)
    table.link(False)
    dealer.claims(3, "royal flush")
    assert "No link to the bank" in table.words()
    table.restarts()
    assert table.phase == "price"
    table.bank.listens()
    assert table.phase == "hold"


def test_653a_12d4_the_second_winner_is_paid_from_what_then_stands_there() -> None:
    table, dealer = dealt(1, 2, 5)
    dealer.claims(5, "straight flush")
    table.bank.listens()
    first = shared(table.last(e.ClaimPriced).payments)
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("envy-paid", by=DIAZ)
    dealer.names(2, "straight flush")
    dealer.enters(("4c", "3c", "7c", "6c", "5c"))
    dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    table.bank.listens()
    assert (first, shared(table.last(e.ClaimPriced).payments)) == (((5, 100_006),), ((2, 90_005),)), (
        "10 % of what was left"
    )


def test_653a_12d4_a_royal_flush_resets_the_meter_before_the_next_seat() -> None:
    table, dealer = dealt(1, 2, 5)
    dealer.claims(5, "royal flush")
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("envy-paid", by=DIAZ)
    dealer.names(2, "straight flush")  # it was none; the cards decide
    dealer.enters(("9h", "3h", "Ah", "Kh", "Qh"))
    dealer.presses("show")
    assert "FLUSH" in table.words()
    assert table.bank.meters["main"] == 10_000_000_000


@pytest.mark.parametrize(
    "answer",
    [
        ClaimAnswer("uth-04:1:5:2", "pending", 5, "main", 3),
        ClaimAnswer("uth-04:1:3:2", "paid", 5, "main", 3),
        ClaimAnswer("uth-04:1:3:2", "rejected", 5, "main", 3),
        ClaimAnswer("uth-09:1:3:2", "pending", 5, "main", 3),
    ],
)
def test_653a_12d4_another_claims_price_is_not_this_ones(answer: ClaimAnswer) -> None:
    table, dealer = dealt(3)
    dealer.claims(3, "royal flush")
    table.hears(table.bank.said(claims=(answer,)))
    assert table.phase == "price"


# 653a.11(k)(4): two people -------------------------------------------------------------------------------------------------


def at_hold() -> tuple[Table, Dealer]:
    table, dealer = dealt(2, 3, 5)
    dealer.claims(3, "royal flush", floor=DIAZ)
    table.bank.listens()
    assert table.phase == "hold"
    return table, dealer


@pytest.mark.parametrize("word", ["claim-paid", "claim-rejected"])
def test_653a_11k4_the_person_who_validated_does_not_end_the_claim(word: str) -> None:
    table, dealer = at_hold()
    dealer.sees_no(word, by=DIAZ)
    table.press(word, DIAZ)
    assert table.phase == "hold" and table.notice == "Badge 2001 validated this hand: a second person closes the claim."


@pytest.mark.parametrize("word", ["claim-paid", "claim-rejected"])
@pytest.mark.parametrize("badge", ["", DEALER, TECHNICIAN, "9999"])
def test_653a_11k4_a_second_floorperson_or_above_ends_the_claim(word: str, badge: str) -> None:
    table, _ = at_hold()
    table.hears(Pressed(word, badge))
    assert table.phase == "hold" and table.notice == "A second person's badge and PIN first."


def test_653a_11k4_after_a_power_cut_it_still_needs_another_person() -> None:
    table, dealer = at_hold()
    table.restarts()
    assert table.phase == "hold" and "R. Diaz validated the hand" in table.words()
    dealer.sees_no("claim-paid", by=DIAZ)
    table.press("claim-paid", DIAZ)
    assert table.phase == "hold"
    dealer.presses("claim-paid", by=OKAFOR)
    assert table.phase == "envy"


def test_653a_11k4_a_rejected_claim_goes_back_to_the_meter_and_brings_no_envy() -> None:
    table, dealer = at_hold()
    dealer.presses("claim-rejected", by=OKAFOR)
    assert table.phase == "settle" and "REJECTED" in table.words()
    verdict = table.owed[-1].body
    price = {"amount": "10000.63", "meter": "main", "epoch": table.bank.epoch, "version": 2}
    signed = {"by": [DIAZ, OKAFOR], "reason": "not a winner", "at": table.clock}
    assert verdict == {"claim": "uth-04:1:3:2", "paid": False, **price, **signed}
    table.bank.listens()
    dealer.presses("clear")
    assert table.phase == "open"


def test_653a_11k4_a_rejected_seat_is_claimed_again_under_another_name() -> None:
    table, dealer = at_hold()
    dealer.presses("claim-rejected", by=OKAFOR)
    table.bank.listens()
    dealer.claims(3, "royal flush", floor=OKAFOR)
    table.bank.listens()
    assert table.phase == "hold" and list(table.bank.claims) == ["uth-04:1:3:2", "uth-04:1:3:4"]
    dealer.presses("claim-paid", by=DIAZ)
    assert table.last(e.ClaimPaid).signed == (OKAFOR, DIAZ)


@pytest.mark.parametrize("by_the_bank", [False, True])
@pytest.mark.parametrize("hand", ["royal flush", "straight flush"])
def test_653a_11k1_the_cards_of_a_rejected_claim_are_nobodys_any_more(hand: str, by_the_bank: bool) -> None:
    """Whoever rejected it, two people here or at the bank: what is named after it is entered from nothing."""
    table, dealer = dealt(2, 3, 5)
    dealer.claims(3, "royal flush")
    if by_the_bank:
        claim = RefusedAnswer("uth-04:1:3:2", (DIAZ, OKAFOR))
        table.bank.listens_in_silence()
        table.hears(table.bank.said(claims=(), refused=(claim,)))
    else:
        table.bank.listens()
        dealer.presses("claim-rejected", by=OKAFOR)
    assert table.phase == "settle"
    dealer.names(3, hand)
    dealer.sees_no("show")
    assert entry_of(table.state).cards == ()
    dealer.presses("cancel")
    dealer.names(3, hand)
    assert entry_of(table.state).cards == ()


# 653a.11(k)(5): envy --------------------------------------------------------------------------------------------------


ENVY = [
    ("royal flush", "1.00", "1000.00"),
    ("royal flush", "5.00", "5000.00"),
    ("straight flush", "1.00", "300.00"),
    ("straight flush", "5.00", "1500.00"),
]


def at_envy(*seats: int, hand: str = "royal flush", wager: str = "1.00", paytable: str = "A") -> tuple[Table, Dealer]:
    table, dealer = dealt(*seats, wager=wager, paytable=paytable)
    dealer.claims(3, hand)
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    return table, dealer


@pytest.mark.parametrize("paytable", PAYTABLES)
@pytest.mark.parametrize("hand, wager, bonus", ENVY)
def test_653a_12d5_every_other_wager_receives_the_bonus_from_the_last_seat_down(
    hand: str, wager: str, bonus: str, paytable: str
) -> None:
    table, dealer = at_envy(1, 3, 4, 6, hand=hand, wager=wager, paytable=paytable)
    assert table.phase == "envy" and f"Pay seats 6, 4 and 1, in this order, {money(cents(bonus))} each" in table.words()
    dealer.presses("envy-paid", by=DIAZ)
    due = cents(bonus)
    paid = table.last(e.EnvyPaid)
    assert paid.holder == 3 and shared(paid.payments) == ((6, due), (4, due), (1, due))
    assert {(one.wager, one.for_seat, one.source) for one in paid.payments} == {("envy", 3, "rack")}
    assert table.phase == "settle"


@pytest.mark.parametrize("hand", [hand for hand in LAW["A"] if hand not in ("royal flush", "straight flush")])
def test_653a_12d5_no_other_hand_brings_envy(hand: str) -> None:
    table, dealer = dealt(1, 3)
    dealer.names(3, hand)
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    assert table.phase == "settle"


def test_653a_12d5_four_of_a_kind_wins_the_minor_and_brings_no_envy() -> None:
    table, _ = at_envy(1, 3, hand="four of a kind", paytable="C")
    assert table.phase == "settle"


def test_653a_12d5_alone_at_the_table_there_is_no_envy() -> None:
    table, _ = at_envy(3)
    assert table.phase == "settle"


def test_reading_5_the_holders_own_other_box_receives_none() -> None:
    table, dealer = at_envy(2, 3, 5)
    dealer.presses("seat 2")
    assert "same player" in table.words() and "Pay seat 5" in table.words()
    dealer.presses("envy-paid", by=DIAZ)
    assert shared(table.last(e.EnvyPaid).payments) == ((5, 100_000),)


def test_reading_5_a_player_who_left_receives_none_and_his_hand_wins_nothing() -> None:
    table, dealer = at_envy(2, 3, 5)
    leaves(dealer, 2)
    assert "player left" in table.words()
    dealer.presses("envy-paid", by=DIAZ)
    assert shared(table.last(e.EnvyPaid).payments) == ((5, 100_000),)
    assert "seat 2" not in table.pressable()
    table.press("seat 2")
    assert table.notice == "The player of seat 2 has left."


def test_reading_5_a_second_tap_pays_him_after_all() -> None:
    table, dealer = at_envy(2, 3, 5)
    dealer.presses("seat 2", "seat 2", "envy-paid", by=DIAZ)
    assert shared(table.last(e.EnvyPaid).payments) == ((5, 100_000), (2, 100_000))


def test_653a_11k5_envy_paid_to_a_wrong_seat_is_paid_again_by_a_floorpersons_word() -> None:
    """The receivers are looked through anew: seat 2 was the holder's other box."""
    table, dealer = at_envy(2, 3, 5)
    dealer.presses("envy-paid", "problem", "problem envy", by=DIAZ)
    table.press("apply")
    assert table.phase == "settle", "a floorperson signs"
    dealer.presses("apply", by=DIAZ)
    corrected = table.last(e.SettlementCorrected)
    assert (corrected.seat, corrected.wager, corrected.by) == (3, "envy", DIAZ)
    assert shared(corrected.lines) == ((5, 100_000), (2, 100_000))
    assert table.phase == "envy" and table.state.seat(3).prize.status == "paid"  # type: ignore[union-attr]
    dealer.presses("seat 2", "envy-paid", by=DIAZ)
    assert shared(table.last(e.EnvyPaid).payments) == ((5, 100_000),)
    dealer.presses("clear")


def test_reading_5_a_seat_without_a_wager_and_the_holder_receive_none() -> None:
    table, dealer = at_envy(2, 3)
    dealer.sees_no("seat 3", "seat 4")
    for seat in (3, 4):
        table.hears(Pressed(f"seat {seat}"))
        assert table.notice == f"Seat {seat} receives no envy bonus."


def test_reading_5_a_second_qualifying_hand_brings_a_second_bonus() -> None:
    table, dealer = at_envy(1, 2, 3, hand="straight flush")
    dealer.presses("seat 2", "envy-paid", by=DIAZ)  # seats 2 and 3 are one player
    dealer.names(1, "straight flush")
    dealer.enters(("4c", "3c", "7c", "6c", "5c"))
    dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    assert "Pay seats 3 and 2, in this order, $300.00 each" in table.words(), "to seat 1 they are other players"


def test_reading_5_where_every_other_player_has_left_a_second_hand_brings_no_envy() -> None:
    table, dealer = at_envy(2, 3, 5, hand="straight flush")
    leaves(dealer, 5)
    dealer.presses("envy-paid", by=DIAZ)
    dealer.presses("seat 2", "hand straight flush")
    dealer.enters(("4c", "3c", "7c", "6c", "5c"))
    dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    owed = table.last(e.EnvyOwed)
    assert (owed.holder, shared(owed.payments)) == (2, ((3, 30_000),)), "seat 5 has left"


def test_a_picked_seat_whose_player_leaves_is_let_go_of() -> None:
    """Found by the walks at random: the tile was refused, CLEAR was dark, and UNDO only went through the panel."""
    table, dealer = dealt(2)
    dealer.presses("seat 2")
    leaves(dealer, 2)
    dealer.presses("seat 2")
    assert table.state.round.turn == 0
    dealer.presses("clear")


# Who left: 653a.7(b) ---------------------------------------------------------------------------------------------------


def sees_no_way_to_leave(dealer: Dealer, seat: int, why: str) -> None:
    """The panel has no key for this seat, and the law says the same."""
    dealer.presses("problem", "problem left")
    dealer.sees_no(f"left {seat}", by=DIAZ)
    dealer.table.press(f"left {seat}", DIAZ)
    assert dealer.table.notice == why
    dealer.presses("back")
    assert not dealer.table.state.seat(seat).left


def test_653a_7b_who_was_paid_a_prize_has_not_left() -> None:
    table, dealer = dealt(2, 5)
    dealer.names(5, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    sees_no_way_to_leave(dealer, 5, "Seat 5 was paid in this round already.")
    leaves(dealer, 2)
    assert table.state.seat(2).left, "nobody has paid seat 2"


def test_653a_7b_who_was_paid_by_the_cage_has_not_left_either() -> None:
    table, dealer = at_hold()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("envy-paid", by=DIAZ)
    sees_no_way_to_leave(dealer, table.last(e.ClaimPaid).seat, "Seat 3 was paid in this round already.")


def test_653a_7b_who_won_nothing_in_the_end_may_have_left() -> None:
    """The claim was rejected: no money moved, and the player got up."""
    table, dealer = at_hold()
    dealer.presses("claim-rejected", by=OKAFOR)
    leaves(dealer, 3)
    assert table.state.seat(3).left
    leaves(dealer, 3)
    assert not table.state.seat(3).left, "he was here after all"


def test_653a_7b_a_prize_that_the_floor_took_back_is_no_reason_to_stay() -> None:
    table, dealer = dealt(2, 5)
    dealer.names(5, "flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "problem", "problem correct", "correct 5")
    dealer.presses("correct 5 wrong-seat", by=OKAFOR)
    leaves(dealer, 5)
    assert table.state.seat(5).left
