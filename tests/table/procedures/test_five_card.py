"""The Five Card Hand bonus at a table: 653a.2(d), .7(d)(4), .8(b), .11(l), .12(e), against the bank itself.

The wager is $1, on the own hand or the dealer's; its accounts are simulated. The card and the position come with the lock.
"""

from __future__ import annotations

from functools import reduce

import pytest

from firmware.rules.hands import HandName, hand_name
from firmware.rules.message import Message
from firmware.rules.meter_wagers import magic_card_payment, meter_payment
from firmware.rules.money import meter_dollars
from firmware.table import events as e
from firmware.table.evolve import evolve
from firmware.table.inputs import ButtonPushed, Chance
from firmware.table.state import Correction, StakeBack, TableState
from firmware.wire.reports import AccountMove
from tests.table import with_bank
from tests.table.procedures.openings import refused
from tests.table.procedures.walks import betting, buys_in, leaves, locks
from tests.table.table import DEALER, DIAZ, OKAFOR, TECHNICIAN, VOCABULARY, Dealer, Table
from ui.words import ENGLISH

MS = 1_000_000
DOLLAR = 100
ROYAL = ("Jh", "Th", "Ah", "Kh", "Qh")
UNDRAWN = Chance("Kd", 3, magic=False, luck=False)
DRAWN = Chance("Kd", 3, magic=True, luck=True)


class Bank(with_bank.Bank):
    """The meter of the bonus, as the product's bank has it."""

    def stands(self) -> tuple[str, str]:
        """The meter and its reserve, in dollars."""
        return meter_dollars(self.bank.meter("five_card")), meter_dollars(self.bank.meter("five_card_reserve"))


def pushes(table: Table, seat: int, hand: str, after_ms: int = 0) -> None:
    """A button, `after_ms` from now."""
    table.hears(ButtonPushed(seat, hand, (table.now + after_ms) * MS))


def wagering(
    own: tuple[int, ...] = (), dealers: tuple[int, ...] = (), level: int = 0, lit: tuple[int, ...] = ()
) -> Dealer:
    """Bets are open; these seats bought in for $20 and made their wagers."""
    seats = sorted({*own, *dealers, *lit})
    table, dealer = betting("pa-653a", *seats, level=level, lit=lit, five_card=True)
    for seat in sorted({*own, *dealers}):
        buys_in(dealer, seat, 500, 500, 500, 500)
    for seat in own:
        pushes(table, seat, "own")
    for seat in dealers:
        pushes(table, seat, "dealer")
    return dealer


def dealt(own: tuple[int, ...] = (), dealers: tuple[int, ...] = (), chance: Chance = UNDRAWN, level: int = 0) -> Dealer:
    """Bets are closed, the wagers are owed to the bank."""
    dealer = wagering(own, dealers, level)
    dealer.table.chance = chance
    locks(dealer.table, dealer)
    return dealer


def accounts(table: Table) -> list[int]:
    """Dollars and cents of every seat, as cents."""
    return list(table.state.felt.accounts)


def claims(dealer: Dealer, seat: int, wager: str, cards: tuple[str, ...] = ROYAL, hand: str = "royal flush") -> None:
    dealer.presses(f"seat {seat}", f"five {wager} {hand}")
    dealer.enters(cards)
    dealer.presses("show")
    dealer.presses("approve", by=DIAZ)


# Wagers, accounts and the lock: .7(d)(4), .8(b) -------------------------------------------------------------------


def test_7_d_4_each_seat_has_two_buttons_of_its_own() -> None:
    dealer = wagering(own=(1, 3), dealers=(3, 4))
    table = dealer.table
    assert [seat.five_card for seat in table.state.round.seats] == [
        ("own",),
        (),
        ("own", "dealer"),
        ("dealer",),
        (),
        (),
    ]
    assert accounts(table) == [1900, 0, 1800, 1900, 0, 0]
    pushes(table, 3, "own")
    assert table.last(e.WagerReturned).why == "taken back" and accounts(table)[2] == 1900
    pushes(table, 3, "own")
    assert table.state.seat(3).five_card == ("own", "dealer") and accounts(table)[2] == 1800


def test_7_d_4_without_credit_no_wager_and_no_account_below_zero() -> None:
    table, dealer = betting(level=0, five_card=True)
    pushes(table, 1, "own")
    buys_in(dealer, 1, 100)
    pushes(table, 1, "dealer")
    pushes(table, 1, "own")
    assert table.state.seat(1).five_card == ("dealer",) and accounts(table)[0] == 0
    assert "buy in" in ENGLISH(table.last(e.ButtonIgnored).why) and table.notice.startswith("Seat 1")


@pytest.mark.parametrize(("seat", "hand"), [(7, "own"), (60, "dealer"), (1, "both"), (1, "")])
def test_7_d_4_a_button_that_this_table_does_not_have_is_nothing(seat: int, hand: str) -> None:
    table, _ = betting(level=0, five_card=True)
    assert table.hears(ButtonPushed(seat, hand, 1)) == ()


def test_7_d_4_a_wager_that_the_bank_cannot_be_told_of_is_not_taken_but_goes_back() -> None:
    dealer = wagering(own=(2,))
    table = dealer.table
    table.link(False)
    pushes(table, 2, "dealer")
    assert table.state.seat(2).five_card == ("own",) and "No link" in ENGLISH(table.last(e.ButtonIgnored).why)
    pushes(table, 2, "own")
    assert table.state.seat(2).five_card == () and accounts(table)[1] == 2000


def test_7_d_4_wagers_made_before_the_link_was_lost_are_the_banks_business() -> None:
    """Nothing to count then, and still the contributions are owed."""
    dealer = wagering(own=(2,), dealers=(5,))
    table = dealer.table
    table.link(False)
    dealer.presses("no-more-bets")
    assert table.phase == "deal"
    assert table.owed[-1].made == {"five_card_player": [2], "five_card_dealer": [5]}


def test_7_d_4_who_makes_this_wager_has_made_the_ante_and_blind() -> None:
    table, dealer = betting(level=1, five_card=True)
    buys_in(dealer, 4, 500)
    pushes(table, 4, "dealer")
    locks(table, dealer)
    assert table.phase == "difference", "no ante was entered there"
    dealer.presses("seat 4", "box 4")
    assert table.state.players == (4,) and dict(table.state.seat(4).position.stakes) == {"ante": 1500, "blind": 1500}


def test_8b_no_more_bets_locks_the_buttons_with_the_progressive() -> None:
    dealer = wagering(own=(1, 2), dealers=(1,), lit=(2,))
    table = dealer.table
    dealer.presses("no-more-bets")
    for seat, hand in ((1, "own"), (1, "dealer"), (3, "own")):
        pushes(table, seat, hand)
        assert ENGLISH(table.last(e.ButtonIgnored).why) == "no more bets"
    dealer.presses("count 1")
    assert table.owed[-1].made == {"progressive": [2], "five_card_player": [1, 2], "five_card_dealer": [1]}
    assert {one["wager"] for one in table.owed[-1].body["made"]} == {"1.00"}


def test_8b_a_push_after_the_locks_time_stamp_counts_neither_way() -> None:
    """The lock is decided some milliseconds after its time stamp: what was pushed in between came too late."""
    dealer = wagering(own=(1,), dealers=(2,))
    table = dealer.table
    table.lines.lock(table.now * MS, "screen")
    pushes(table, 1, "own", after_ms=1)  # would take it back
    pushes(table, 2, "own", after_ms=1)  # would place one more
    assert table.phase == "open" and table.state.seat(1).five_card == ()
    table.waits(40)
    assert [seat.five_card for seat in table.state.round.seats[:2]] == [("own",), ("dealer",)]
    assert table.last(e.WagerReturned).why == "after the lock"
    assert accounts(table)[:2] == [1900, 1900]
    dealer.presses("count 0")
    assert table.owed[-1].made == {"five_card_player": [1], "five_card_dealer": [2]}


def test_8b_a_push_at_the_very_time_stamp_stands() -> None:
    dealer = wagering(own=(1,))
    table = dealer.table
    table.lines.lock(table.now * MS, "screen")
    pushes(table, 1, "own")
    pushes(table, 1, "dealer")
    table.waits(40)
    assert table.state.seat(1).five_card == ("dealer",)


def test_8b_what_was_taken_back_too_late_and_cashed_out_is_not_put_down_again() -> None:
    table, dealer = betting(level=0, five_card=True)
    buys_in(dealer, 1, 100)
    pushes(table, 1, "own")
    table.lines.lock(table.now * MS, "screen")
    pushes(table, 1, "own", after_ms=1)
    dealer.presses("account 1", "cash-out")
    table.waits(40)
    assert table.state.seat(1).five_card == () and accounts(table)[0] == 0


def test_8b_a_lock_that_was_a_mistake_gives_the_buttons_free() -> None:
    """What was late may be pushed again; what was drawn is drawn anew."""
    dealer = wagering(own=(1,))
    table = dealer.table
    table.chance = DRAWN
    table.lines.lock(table.now * MS, "screen")
    pushes(table, 2, "own", after_ms=1)
    table.waits(40)
    assert table.state.round.magic_card == "Kd"
    dealer.presses("reopen")
    assert (table.state.round.magic_card, table.state.round.lucky) == ("", None)
    pushes(table, 1, "own")
    dealer.presses("no-more-bets")
    assert table.state.round.magic_card == "" and table.state.seat(1).five_card == table.state.seat(2).five_card == ()
    assert accounts(table)[0] == 2000


@pytest.mark.parametrize("lift", ["own", "dealer"])
def test_8b_on_a_new_clock_what_was_pushed_before_the_power_cut_still_stands(lift: str) -> None:
    """The machine's clock begins at zero when it starts: the push of before is not after the lock."""
    dealer = wagering(own=(1,), dealers=(1,))
    table = dealer.table
    pushes(table, 1, lift)
    table.loses_power()
    table.now = 5_000
    table.comes_back()
    dealer.presses("no-more-bets")
    assert table.state.seat(1).five_card == ({"own": "dealer", "dealer": "own"}[lift],)
    assert accounts(table)[0] == 1900


def test_7_accounts_are_filled_and_emptied_between_rounds_only() -> None:
    dealer = wagering(own=(1,))
    table = dealer.table
    refused(table, "chips 500")
    dealer.presses("account 1", "cash-out")
    assert table.last(e.AccountMoved) == e.AccountMoved(1, AccountMove.CASH_OUT, 1900)
    refused(table, "cash-out")
    dealer.presses("back")
    locks(table, dealer)
    refused(table, "account 1", "cash-out", "chips 500")
    assert accounts(table) == [0] * 6


# The draw: .1, .12(e)(3) ------------------------------------------------------------------------------------------


def test_12_e_3_the_draw_is_in_the_journal_before_anybody_sees_it() -> None:
    """In one transaction with the lock; a power cut right after it finds the same card and position."""
    dealer = wagering(own=(1,))
    table = dealer.table
    table.chance = DRAWN
    dealer.presses("no-more-bets")
    kinds = [type(event) for event in table.happened]
    assert kinds.index(e.BonusDrawn) == kinds.index(e.BetsClosed) + 1
    assert (table.state.round.magic_card, table.state.round.lucky) == ("Kd", 3)
    dealer.presses("count 0")
    assert "Magic Card: K of diamonds. Lucky: seat 3." in table.words()
    table.chance = Chance("2c", 0, magic=True, luck=True)
    table.restarts()
    assert (table.state.round.magic_card, table.state.round.lucky) == ("Kd", 3)


def test_7c_once_a_draw_was_shown_nobody_opens_bets_again_for_another_one() -> None:
    dealer = wagering(own=(1,), level=1)
    table = dealer.table
    table.chance = DRAWN
    dealer.presses("no-more-bets", "count 0")
    dealer.sees_no("reopen")
    table.press("reopen too-early", DIAZ)
    assert table.phase == "deal" and table.notice == "Magic Card and Lucky Bonus are drawn.", "nobody draws once more"


@pytest.mark.parametrize(("magic", "luck"), [(True, False), (False, True), (False, False)])
def test_12_e_3_a_round_in_which_nothing_is_drawn(magic: bool, luck: bool) -> None:
    """One in N: the machine's generator says whether it is this one, for each of the two."""
    dealer = dealt(own=(1,), chance=Chance("Kd", 3, magic=magic, luck=luck))
    game = dealer.table.state.round
    assert (game.magic_card, game.lucky) == ("Kd" if magic else "", 3 if luck else None)
    assert (e.BonusDrawn in map(type, dealer.table.happened)) == (magic or luck)


def test_12_e_3_without_a_wager_nothing_is_drawn() -> None:
    dealer = dealt(chance=DRAWN)
    assert e.BonusDrawn not in map(type, dealer.table.happened)
    table, dealer = betting("pa-653a", level=0, lit=(1,))
    table.chance = DRAWN
    locks(table, dealer)
    assert e.BonusDrawn not in map(type, table.happened)


def test_11_l_a_magic_card_is_credited_20_for_1_once_for_each_hand() -> None:
    dealer = dealt(own=(1,), dealers=(1, 2), chance=DRAWN)
    table = dealer.table
    dealer.presses("seat 1", "five own magic", "five dealer magic")
    refused(table, "five own magic", "five dealer magic")
    dealer.presses("seat 1", "seat 2", "five dealer magic")
    refused(table, "five own magic")
    assert accounts(table)[:2] == [1800 + 2 * 2000, 1900 + 2000]
    assert table.last(e.AccountCredited) == e.AccountCredited(
        2, magic_card_payment(table.house.submission, 2, "five_card_dealer"), ""
    )


def test_11_l_no_magic_card_without_a_draw() -> None:
    dealer = dealt(own=(1,))
    dealer.presses("seat 1")
    refused(dealer.table, "five own magic")
    assert accounts(dealer.table)[0] == 1900


@pytest.mark.parametrize(
    ("lucky", "credited"),
    [
        (1, {(1, "lucky_player")}),
        (2, set()),
        (3, {(3, "lucky_player")}),
        (0, {(2, "lucky_dealer"), (3, "lucky_dealer")}),
        (6, set()),
    ],
)
def test_11_l_a_lucky_bonus_goes_to_who_backed_the_hand_of_the_position(
    lucky: int, credited: set[tuple[int, str]]
) -> None:
    """5 for 1, before the round is cleared; a position where nobody backed his own hand wins nothing."""
    dealer = dealt(own=(1, 3), dealers=(2, 3), chance=Chance("2c", lucky, magic=False, luck=True))
    dealer.presses("clear")
    given = [event for event in dealer.table.happened if isinstance(event, e.AccountCredited)]
    assert {(event.seat, event.payment.wager) for event in given} == credited and len(given) == len(credited)
    assert all((event.payment.payout, event.payment.odds) == (500, "5 for 1") for event in given)
    assert all(event.payment.source == "account" for event in given)


def test_11_l_a_round_whose_lucky_bonus_is_credited_is_cleared_for_good() -> None:
    """The player can cash it out at once: UNDO leads not back before it."""
    dealer = dealt(own=(3,), chance=DRAWN)
    table = dealer.table
    dealer.presses("clear")
    assert accounts(table)[2] == 1900 + 500
    refused(table, "undo")
    assert table.final == "AccountCredited" and table.phase == "open"


def test_7b_who_has_left_wins_no_lucky_bonus_and_no_prize() -> None:
    dealer = dealt(own=(3,), chance=DRAWN)
    table = dealer.table
    leaves(dealer, 3)
    refused(table, "seat 3")
    dealer.presses("clear")
    assert accounts(table)[2] == 1900


def test_7b_whose_account_was_credited_has_not_left_until_the_credit_is_taken_back() -> None:
    dealer = dealt(own=(3,))
    table = dealer.table
    dealer.presses("seat 3", "five own flush", "problem", "problem left")
    refused(table, "left 3")
    dealer.sees_no("left 3")
    assert table.notice == "Seat 3 was paid in this round already."
    dealer.presses("back", "problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    leaves(dealer, 3)
    assert table.state.seat(3).left


def test_7b_who_had_a_share_of_the_dealers_hand_has_not_left() -> None:
    """The claim was made at seat 2; the cage paid seat 1 too."""
    dealer = dealt(own=(4,), dealers=(1, 2))
    table = dealer.table
    bank = Bank(table)
    claims(dealer, 2, "dealer")
    bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("problem", "problem left")
    refused(table, "left 1", "left 2")
    dealer.sees_no("left 1", "left 2")
    dealer.presses("left 4", by=DIAZ)


# Prizes: .11(l), .12(e)(1) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "odds"), [("flush", 50), ("full house", 100)])
def test_11_l_3_fixed_prizes_are_credited_at_once_and_nothing_comes_from_the_rack(hand: str, odds: int) -> None:
    dealer = dealt(own=(1,), dealers=(1,))
    table = dealer.table
    dealer.presses("seat 1", f"five own {hand}", f"five dealer {hand}")
    assert accounts(table)[0] == 1800 + 2 * odds * DOLLAR
    assert table.phase == "settle" and e.PrizePaid not in map(type, table.happened)
    refused(table, f"five own {hand}", "five own flush", "five own royal flush")


@pytest.mark.parametrize("hand", ["straight", "pair", "high card", "five picture cards", ""])
def test_12_e_1_less_than_a_flush_has_no_prize(hand: str) -> None:
    dealer = dealt(own=(1,))
    dealer.presses("seat 1")
    refused(dealer.table, f"five own {hand}", "five dealer flush", "five flush")


def test_11_l_2_a_floorperson_verifies_500_for_1() -> None:
    dealer = dealt(own=(2,))
    table = dealer.table
    dealer.presses("seat 2", "five own four of a kind")
    assert table.phase == "validate" and accounts(table)[1] == 1900
    for by in ("", DEALER, TECHNICIAN):
        refused(table, "approve", by=by)
    table.restarts()
    dealer.presses("approve", by=DIAZ)
    assert table.phase == "pay" and accounts(table)[1] == 1900
    dealer.presses("paid")
    assert accounts(table)[1] == 1900 + 500 * DOLLAR and table.phase == "settle"


def test_11_l_2_not_a_winner_leaves_the_account_alone() -> None:
    dealer = dealt(own=(2,))
    dealer.presses("seat 2", "five own four of a kind")
    dealer.presses("not-a-winner", by=DIAZ)
    assert accounts(dealer.table)[1] == 1900 and dealer.table.state.seat(2).prizes == ()


# A share of the meter: .11(l)(2), (3), .12(e)(2), (4) -------------------------------------------------------------


def test_12_e_4_the_bank_takes_the_tables_messages_as_they_are() -> None:
    """13 % of every wager on the meter, 8 % in reserve; a void round takes both off again."""
    dealer = dealt(own=(1, 2), dealers=(1,))
    bank = Bank(dealer.table)
    bank.listens()
    assert bank.stands() == ("10000.39", "0.24")
    dealer.presses("problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    bank.listens()
    assert bank.stands() == ("10000.00", "0.00") and not dealer.table.state.owed


def test_12_e_1_a_royal_flush_of_the_own_hand_takes_the_meter_and_the_reserve_follows() -> None:
    dealer = dealt(own=(2,))
    table = dealer.table
    bank = Bank(table)
    claims(dealer, 2, "own")
    claim = table.owed[-1].body
    assert claim["wager"] == "five_card_player" and claim["backers"] == 1 and claim["cards"] == list(ROYAL)
    assert table.phase == "price"
    bank.listens()
    assert table.phase == "hold" and table.state.seat(2).prize.amount == 10000_13  # type: ignore[union-attr]
    refused(table, "claim-paid", by=DIAZ)
    refused(table, "clear")
    dealer.presses("claim-paid", by=OKAFOR)
    bank.listens()
    assert accounts(table)[1] == 1900, "a share may not be paid to the account"
    assert bank.stands() == ("0.08", "0.00")
    dealer.presses("clear")
    assert table.phase == "open"


@pytest.mark.parametrize(
    ("hand", "cards", "amount"),
    [("royal flush", ROYAL, 10000_39), ("straight flush", ("9c", "8c", "7c", "6c", "5c"), 1000_02)],
)
def test_12_e_2_the_share_of_the_dealers_hand_is_divided_among_all_who_backed_it(
    hand: str, cards: tuple[str, ...], amount: int
) -> None:
    """Claimed once, at the first of them: whole cents for each of three, the rest stays on the meter (reading 4)."""
    dealer = dealt(dealers=(1, 3, 6))
    table = dealer.table
    bank = Bank(table)
    claims(dealer, 6, "dealer", cards, hand)
    assert (table.owed[-1].body["wager"], table.owed[-1].body["backers"]) == ("five_card_dealer", 3)
    bank.listens()
    assert table.state.seat(6).prize.amount == amount // 3 * 3  # type: ignore[union-attr]
    dealer.presses("claim-paid", by=OKAFOR)
    paid = table.last(e.ClaimPaid).payments
    assert [(one.seat, one.wager, one.payout, one.source) for one in paid] == [
        (seat, "five_card_dealer", amount // 3, "cage") for seat in (6, 3, 1)
    ]
    bank.listens()
    dealer.presses("seat 3")
    refused(table, f"five dealer {hand}")
    assert "claimed once" in table.notice
    dealer.presses("seat 3", "clear")
    assert table.phase == "open"


def test_12_e_2_who_left_has_no_share_and_who_folded_has() -> None:
    dealer = dealt(dealers=(1, 3, 6))
    table = dealer.table
    bank = Bank(table)
    leaves(dealer, 3)
    claims(dealer, 6, "dealer")
    assert table.owed[-1].body["backers"] == 2
    bank.listens()
    assert table.state.seat(6).prize.amount == 10000_39 // 2 * 2  # type: ignore[union-attr]


def test_12_e_2_both_hands_of_one_seat_are_claimed_one_after_the_other() -> None:
    """At one seat the own hand comes first; the next one gets what then stands there."""
    dealer = dealt(own=(2,), dealers=(2, 4))
    table = dealer.table
    bank = Bank(table)
    claims(dealer, 2, "own")
    bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("seat 2", "five dealer flush")
    bank.listens()
    assert accounts(table)[1] == 1800 + 50 * DOLLAR
    refused(table, "five own royal flush", "five dealer royal flush")


def test_11_l_3_a_rejected_share_goes_back_on_the_meter_and_may_be_claimed_again() -> None:
    dealer = dealt(dealers=(1, 2))
    table = dealer.table
    bank = Bank(table)
    claims(dealer, 2, "dealer")
    bank.listens()
    dealer.presses("claim-rejected", by=OKAFOR)
    bank.listens()
    assert bank.stands() == ("10000.26", "0.16")
    dealer.presses("seat 1")
    refused(table, "five dealer royal flush")
    assert "Seat 2 backed the dealer and comes first" in table.notice
    dealer.presses("seat 1")
    claims(dealer, 2, "dealer")
    bank.listens()
    assert table.phase == "hold"
    dealer.presses("claim-paid", by=OKAFOR)
    bank.listens()


def test_11_l_the_hand_that_the_cards_make_decides() -> None:
    """Named a royal flush, it is a flush: 50 for 1, and no claim."""
    dealer = dealt(own=(1,))
    table = dealer.table
    dealer.presses("seat 1", "five own royal flush")
    dealer.enters(("2h", "Th", "Ah", "Kh", "Qh"))
    dealer.presses("show")
    assert table.phase == "validate" and table.last(e.PrizeNamed).hand == "flush"
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    assert accounts(table)[0] == 1900 + 50 * DOLLAR
    assert [message.kind for message in table.owed] == ["wagers"]


# The same five cards ----------------------------------------------------------------------------------------------


def at_seat_3_of_level_2() -> Dealer:
    """The flop is 2h 2d 9c; the dealer holds 4c 5d, seat 3 two nines: a full house. Board, dealer and seat are entered."""
    dealer = wagering(own=(3,), dealers=(3,), level=2, lit=(3,))
    dealer.table.chance = UNDRAWN
    locks(dealer.table, dealer)
    dealer.presses("dealt", "next", "next", "next", "cards")
    dealer.enters(("2h", "2d", "9c", "Ks", "7s", "4c", "5d"))
    dealer.presses("enter", "cards")
    dealer.enters(("9h", "9s"))
    dealer.presses("enter")
    return dealer


def test_12_d_2_and_e_cards_that_the_table_knows_bind_every_prize_on_them() -> None:
    """Found by a hostile tester: a flush was validated on cards that make less."""
    dealer = at_seat_3_of_level_2()
    table = dealer.table
    dealer.presses("settled")
    refused(table, "hand flush")
    assert "Seat 3's flush is not possible with the board 2h 2d 9c Ks 7s" in table.notice
    refused(table, "five own royal flush", "five own flush", "five dealer flush", "five dealer royal flush")
    assert "The dealer's royal flush is not possible with the board" in table.notice
    dealer.presses("hand full house")
    assert table.phase == "validate"
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "five own full house")
    assert table.last(e.AccountCredited).payment.wager == "five_card_player"


def test_12_e_all_prizes_on_the_dealers_hand_are_on_the_same_hand() -> None:
    dealer = dealt(dealers=(1, 2))
    table = dealer.table
    dealer.presses("seat 2", "five dealer four of a kind")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "seat 1")
    refused(table, "five dealer royal flush", "five dealer flush")
    assert "The dealer's flush is not possible with the dealer's four of a kind." in table.notice
    fact = dict(table.state.desk.notice.args)["fact"]
    assert isinstance(fact, Message) and dict(fact.args)["what"] == hand_name("flush"), "in any language"
    dealer.presses("five dealer four of a kind")
    assert table.phase == "validate"


def test_12_d_2_a_progressive_hand_is_the_five_card_hand_of_the_seat() -> None:
    dealer = wagering(own=(2,), lit=(2,))
    table = dealer.table
    locks(table, dealer)
    dealer.presses("seat 2", "hand full house")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "seat 2")
    refused(table, "five own royal flush")
    assert "Seat 2's royal flush is not possible with seat 2's full house." in table.notice
    dealer.presses("five own full house")
    assert accounts(table)[1] > 1900


def test_12_e_what_was_credited_at_once_is_a_word_about_the_same_five_cards() -> None:
    """Found by a reader of the code: only prizes that were validated were held against one another."""
    dealer = dealt(dealers=(1, 2))
    table = dealer.table
    dealer.presses("seat 2", "five dealer flush", "seat 2", "seat 1")
    refused(table, "five dealer full house", "five dealer four of a kind")
    assert "The dealer's four of a kind is not possible with the dealer's flush." in table.notice
    dealer.presses("five dealer flush")
    assert accounts(table)[:2] == [1900 + 5000, 1900 + 5000]


def test_12_d_2_a_credited_own_hand_is_the_progressive_hand_of_the_seat() -> None:
    """Where a floorperson has the progressive wager settled again."""
    dealer = wagering(own=(2,), lit=(2,))
    table = dealer.table
    locks(table, dealer)
    dealer.presses("seat 2", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "seat 2", "five own flush", "problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-amount", by=DIAZ)
    dealer.presses(*(["seat 2"] if table.state.round.turn != 2 else []))
    refused(table, "hand straight flush")
    assert "Seat 2's straight flush is not possible with seat 2's flush." in table.notice
    dealer.presses("problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    dealer.presses("back", "hand straight flush")
    assert table.phase == "cards"


def test_11l_the_progressive_wager_of_the_same_hand_comes_first() -> None:
    """653a.11(k), (l): a flush wins both; the dealer's hand and the Magic Card say nothing of the seat's own cards."""
    dealer = wagering(own=(3,), dealers=(3,), lit=(3,))
    table = dealer.table
    table.chance = DRAWN
    locks(table, dealer)
    dealer.presses("seat 3")
    dealer.sees_no("five own flush")
    refused(table, "five own flush")
    assert table.notice == "Seat 3's progressive wager comes first: name its hand."
    assert table.offers("five dealer flush") and table.offers("five own magic")
    dealer.presses("hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "seat 3", "five own flush")
    assert table.last(e.AccountCredited).payment.wager == "five_card_player"


def test_12_d_2_a_share_is_shown_with_the_cards_that_were_entered_for_this_hand() -> None:
    """Nobody enters them again: other cards that make a royal flush are not the seat's."""
    dealer = wagering(own=(2,), lit=(2,))
    table = dealer.table
    bank = Bank(table)
    locks(table, dealer)
    dealer.presses("seat 2", "hand royal flush")
    dealer.enters(ROYAL)
    dealer.presses("show")
    dealer.presses("approve", by=DIAZ)
    bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("seat 2", "five own royal flush")
    assert table.phase == "validate"
    assert set(table.last(e.HandShown).cards) == {"Jh", "Th", "Ah", "Kh", "Qh"}


def test_11_k_4_a_fixed_prize_behind_a_later_share_is_corrected() -> None:
    """Seat 2's flush was verified and paid; then a share on the dealer's was paid."""
    dealer = wagering(dealers=(2,), lit=(2,))
    table = dealer.table
    bank = Bank(table)
    locks(table, dealer)
    dealer.presses("seat 2", "hand flush")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid")
    paid = table.last(e.PrizePaid).payment
    claims(dealer, 2, "dealer", cards=("Jh", "Th", "Ah", "Kh", "Qh"))
    bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    dealer.presses("problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-amount", by=DIAZ)
    corrected = table.last(e.SettlementCorrected)
    assert (corrected.wager, corrected.lines) == ("progressive", (paid,))
    assert [prize.wager for prize in table.state.seat(2).prizes] == ["five_card_dealer"]


# Mistakes, voids, power cuts --------------------------------------------------------------------------------------


def test_a_wrong_credit_is_taken_back_by_a_floorperson() -> None:
    dealer = dealt(own=(1,), dealers=(2,))
    table = dealer.table
    dealer.presses("seat 1", "five own flush", "seat 1", "seat 2", "five dealer flush")
    for by in ("", DEALER, TECHNICIAN):
        refused(table, "uncredit", by=by)
    dealer.presses("problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    assert table.last(e.AccountCorrected) == e.AccountCorrected(
        2,
        meter_payment(table.house.submission, 2, "five_card_dealer", HandName.FLUSH),
        Correction.WRONG_CREDIT,
        by=DIAZ,
    )
    dealer.presses("uncredit", by=DIAZ)
    refused(table, "uncredit", by=DIAZ)
    assert accounts(table)[:2] == [1900, 1900]
    dealer.presses("back", "seat 2", "seat 1", "five own full house")
    assert accounts(table)[0] == 1900 + 10000


def test_a_wrong_credit_after_a_rejected_claim_is_taken_back() -> None:
    """Found by a reader of the code: the rejected claim of the same wager hid the credit from the floorperson."""
    dealer = dealt(own=(1,))
    table = dealer.table
    bank = Bank(table)
    claims(dealer, 1, "own")
    bank.listens()
    dealer.presses("claim-rejected", by=OKAFOR)
    dealer.presses("seat 1", "five own flush", "problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    assert accounts(table)[0] == 1900 and table.state.round.credited == ()


def test_a_verified_prize_that_was_wrong_leaves_the_account_and_may_be_named_again() -> None:
    dealer = dealt(own=(1,))
    table = dealer.table
    dealer.presses("seat 1", "five own four of a kind")
    dealer.presses("approve", by=DIAZ)
    dealer.presses("paid", "problem", "problem correct", "correct 1")
    refused(table, "correct 1 wrong-result")
    dealer.presses("correct 1 wrong-result", by=OKAFOR)
    assert accounts(table)[0] == 1900 and table.state.seat(1).prizes == ()
    dealer.presses("seat 1", "five own flush")
    assert accounts(table)[0] == 1900 + 5000


def test_a_round_cleared_by_mistake_is_not_taken_back_when_its_credit_was_cashed_out() -> None:
    dealer = dealt(own=(1,))
    table = dealer.table
    dealer.presses("seat 1", "five own flush", "seat 1", "clear", "account 1", "cash-out", "back", "undo")
    refused(table, "undo")
    assert table.final == "AccountMoved" and accounts(table)[0] == 0 and table.state.round.number == 2


@pytest.mark.parametrize("level", [0, 1])
def test_13_a_void_round_gives_every_wager_back_to_its_account(level: int) -> None:
    dealer = dealt(own=(1, 3), dealers=(1,), chance=DRAWN, level=level)
    table = dealer.table
    dealer.presses("problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    given = [event for event in table.happened if isinstance(event, e.WagerReturned)]
    assert [(event.seat, event.wager, event.why) for event in given] == [
        (1, "five_card_player", StakeBack.VOID),
        (1, "five_card_dealer", StakeBack.VOID),
        (3, "five_card_player", StakeBack.VOID),
    ]
    assert accounts(table)[:3] == [2000, 0, 2000]
    assert [message.kind for message in table.owed] == ["wagers", "reversal"]
    dealer.presses("clear")
    assert accounts(table)[:3] == [2000, 0, 2000], "no lucky bonus in a void round"


def test_13_a_round_with_a_credit_is_void_only_when_the_credit_is_taken_back() -> None:
    dealer = dealt(own=(1,))
    table = dealer.table
    dealer.presses("seat 1", "five own flush")
    refused(table, "problem wrong-number")
    assert "credited" in table.notice
    dealer.presses("problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    dealer.presses("back", "problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    assert accounts(table)[0] == 2000


def test_13_before_the_bank_was_told_a_void_round_owes_it_nothing() -> None:
    dealer = wagering(own=(1,))
    dealer.presses("no-more-bets", "problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    assert dealer.table.owed == [] and accounts(dealer.table)[0] == 2000


def test_a_power_cut_after_any_step_loses_no_cent_and_no_draw() -> None:
    """Step by step beside a table that never lost its power; every account is at all times what the journal says."""

    def plays(*, cuts: bool) -> list[tuple[object, ...]]:
        table, dealer = betting("pa-653a", level=0, lit=(2,), five_card=True)
        table.chance = DRAWN
        steps: list[tuple[object, ...]] = []

        def step(*words: str, by: str = "") -> None:
            for word in words:
                dealer.presses(word, by=by)
                if cuts:
                    table.restarts()
                game = table.state.round
                steps.append((word, table.phase, table.state.felt.accounts, game.magic_card, game.lucky, game.credited))

        step("account 1", "account 2", "chips 500", "account 3", "chips 500", "back")
        for seat, hand in ((2, "own"), (3, "own"), (3, "dealer")):
            pushes(table, seat, hand)
        step("no-more-bets", "count 1")
        table.seats(2).lift()
        step("seat 2", "five own magic", "seat 2", "seat 3", "five dealer full house", "five own four of a kind")
        step("approve", by=DIAZ)
        step("paid", "clear", "account 1", "account 3", "cash-out")
        return steps

    steps = plays(cuts=False)
    assert plays(cuts=True) == steps
    assert steps[-1][2] == (0, 500 - 100 + 2000, 0, 0, 0, 0)


def test_no_account_is_ever_negative_and_every_cent_has_its_event() -> None:
    """Replayed event by event: buy-in, wager, return, credit, correction and cash-out are all that moves an account."""
    dealer = dealt(own=(1, 3), dealers=(1,), chance=DRAWN)
    table = dealer.table
    dealer.presses("seat 1", "five own flush", "five dealer magic", "seat 1", "seat 3", "five own flush")
    dealer.presses("problem", "problem correct")
    dealer.presses("uncredit", by=DIAZ)
    dealer.presses("back", "seat 3", "clear", "account 1", "cash-out", "back")
    plus = (e.WagerReturned, e.AccountCredited)
    minus = (e.WagerPlaced, e.AccountCorrected)
    balance = [0] * len(table.state.round.seats)
    state = TableState()
    for event in (VOCABULARY.decode(*row) for row in table.journal):
        state = reduce(evolve, (event,), state)
        on_sensor = isinstance(event, e.WagerPlaced | e.WagerReturned) and event.wager == "progressive"
        if isinstance(event, (*plus, *minus, e.AccountMoved)) and not on_sensor:
            by_law = isinstance(event, e.AccountCredited | e.AccountCorrected)
            amount = event.payment.payout if by_law else event.amount  # type: ignore[union-attr]
            gives = isinstance(event, plus) or getattr(event, "move", None) is AccountMove.BUY_IN
            balance[event.seat - 1] += amount if gives else -amount
        assert not state.felt.accounts or (list(state.felt.accounts) == balance and min(balance) >= 0)
    assert balance == [0, 0, 1900 + 500, 0, 0, 0]


@pytest.mark.parametrize("level", [1, 2])
def test_12e2_each_backer_of_the_dealers_hand_is_paid_at_his_own_turn(level: int) -> None:
    """653a.11(l), .12(e)(2), reading 4: fixed at the first backer's turn, each share paid at its own seat's."""
    dealer = dealt(dealers=(2, 4, 5), level=level)
    table = dealer.table
    bank = Bank(table)
    dealer.presses("dealt", "next", "next", "next")
    if level == 2:
        dealer.presses("cards")
        dealer.enters(["Ah", "Kh", "Qh", "2c", "3d", "Jh", "Th"])
        dealer.presses("enter")
    else:
        dealer.presses("dealer yes")
    for seat, others in ((5, ("7c", "8d")), (4, ("7d", "8s")), (2, ("7h", "8c"))):
        assert table.state.round.turn == seat
        loses(dealer, others, level)
        if seat == 5:
            if level == 2:  # its own wagers come first, where the cards are known
                dealer.presses("settled")
            dealer.presses("five dealer royal flush")
            if table.phase == "cards":
                dealer.enters(("Jh", "Th", "Ah", "Kh", "Qh"))
                dealer.presses("show")
            dealer.presses("approve", by=DIAZ)
            bank.listens()
            dealer.presses("claim-paid", by=OKAFOR)
            paid = table.last(e.ClaimPaid)
            assert [one.seat for one in paid.payments] == [5] and [one.seat for one in paid.later] == [4, 2]
        else:
            assert "paid by the cage" in table.words()
        table.restarts()
        if table.state.round.turn == seat:
            dealer.presses("settled")
    shares = [
        line for one in table.happened if isinstance(one, e.SeatSettled) for line in one.lines if line.source == "cage"
    ]
    assert [(one.seat, one.wager, one.payout) for one in shares] == [
        (seat, "five_card_dealer", paid.payments[0].payout) for seat in (4, 2)
    ]
    dealer.presses("clear")
    assert "five_card_dealer" not in {line.wager for line in table.last(e.RoundCleared).lost}


def loses(dealer: Dealer, cards: tuple[str, str], level: int) -> None:
    """The hand in turn is lower than the dealer's; nobody is asked, once a royal flush of the dealer's was named."""
    if level == 2:
        dealer.presses("cards")
        dealer.enters(cards)
        dealer.presses("enter")
    elif "answer lower" in dealer.table.pressable():
        dealer.presses("answer lower")
    else:
        assert dealer.table.state.seat(5).prizes
