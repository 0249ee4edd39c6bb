"""The Five Card Hand wager at the bank (653a.7(d)(4), 653a.12(e)): its meter, its reserve, the dealer's hand divided."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.__main__ import main
from firmware.bank import wire
from firmware.bank.decide import RulesChanged, decide
from firmware.bank.events import Event, RepetitionHeld
from firmware.bank.inputs import Input, Started
from firmware.bank.ledger import Account, verify
from firmware.bank.state import BankState, evolve
from firmware.rules.money import cents, meter_dollars
from firmware.rules.round import parse_round
from firmware.rules.settlement import settle
from firmware.runtime.bank import begin_ledger, keeping, open_journal, post
from firmware.runtime.seals import take_up
from firmware.runtime.spine import Spine, applied
from firmware.wire.records import document
from tests.bank.casino import AT, EPOCH, Bank, Table, rules

DOLLAR = 1_000_000
METER, RESERVE = "five_card", "five_card_reserve"


@pytest.fixture
def bank() -> Bank:
    return Bank(rules("A", five_card="1.00"))


@pytest.fixture
def table() -> Table:
    return Table()


def stands(bank: Bank) -> tuple[str, str]:
    """The meter and its reserve, in dollars."""
    return meter_dollars(bank.state.meter(METER)), meter_dollars(bank.state.meter(RESERVE))


def sound(bank: Bank, table: Table, alarm: str | None = None) -> None:
    assert verify(bank.ledger) == bank.state.accounts
    assert bank.replayed() == bank.state
    assert bank.alarm(table) == alarm


# Seeds and contributions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wager", "seed", "meter", "reserve"), [
    ("1.00", "10000.00", "10000.52", "0.32"),
    ("5.00", "50000.00", "50002.60", "1.60"),
    ("0.25", "2500.00", "2500.13", "0.08"),
])  # fmt: skip
def test_653a_12_e_4_every_wager_on_either_hand_puts_13_percent_on_the_meter_and_8_in_reserve(
    wager: str, seed: str, meter: str, reserve: str
) -> None:
    bank, table = Bank(rules("A", five_card=wager)), Table(five_card=wager)
    assert stands(bank) == (seed, "0.00")
    bank.hears(table, table.wagers(1, 1, 2, own=[2, 5], dealer=[2, 6]))
    assert stands(bank) == (meter, reserve)
    assert bank.meter() == 10_000_420_000
    assert bank.account(Account.RESERVE) == bank.meter(RESERVE)
    sound(bank, table)


def test_653a_7_d_4_a_round_may_have_five_card_wagers_only(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, own=[4]))
    assert stands(bank) == ("10000.13", "0.08")
    assert bank.meter() == 10_000 * DOLLAR
    sound(bank, table)


def test_a_round_without_five_card_wagers_leaves_meter_and_reserve_alone(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1, 2, 3))
    assert stands(bank) == ("10000.00", "0.00")
    sound(bank, table)


# The own hand ---------------------------------------------------------------------------------------------------------


def test_653a_12_e_1_a_royal_flush_takes_the_meter_and_leaves_the_reserve_on_it_and_nothing_in_reserve(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, own=[2, 5]))
    bank.hears(table, table.own_hand(1, 5, "royal flush"))
    assert bank.amounts(table) == [("pending", "10000.26")]
    assert stands(bank) == ("0.16", "0.00")
    assert bank.claims[0].claim.now == 16
    assert bank.account(Account.SEEDS) == 20_000 * DOLLAR  # what both meters started with: the house puts in no more
    bank.hears(table, table.own_hand(1, 2, "royal flush"))
    assert bank.amounts(table)[1] == ("pending", "0.16")
    assert stands(bank) == ("0.00", "0.00")
    sound(bank, table)


def test_653a_12_e_1_a_straight_flush_takes_ten_percent_and_the_reserve_stays(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, own=[2, 5]))
    bank.hears(table, table.own_hand(1, 5, "straight flush"))
    bank.hears(table, table.own_hand(1, 2, "straight flush"))
    assert bank.amounts(table) == [("pending", "1000.02"), ("pending", "900.02")]  # of 10,000.26 and of 9,000.24
    assert stands(bank) == ("8100.22", "0.16")
    sound(bank, table)


def test_what_is_cut_from_the_meter_stays_on_it_beside_the_reserve() -> None:
    bank, table = Bank(rules("A", five_card="0.25")), Table(five_card="0.25")
    bank.hears(table, table.wagers(1, own=[2]))
    bank.hears(table, table.own_hand(1, 2, "royal flush"))
    assert bank.amounts(table) == [("pending", "2500.03")]  # of 2,500.0325, with 0.02 in reserve
    assert stands(bank) == ("0.0225", "0.00")
    sound(bank, table)


def test_a_seat_wins_the_progressive_the_own_hand_and_the_dealers_in_one_round(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 5, own=[5], dealer=[5]))
    bank.hears(table, table.claim(1, 5, "royal flush"))
    bank.hears(table, table.own_hand(1, 5, "royal flush"))
    bank.hears(table, table.dealers_hand(1, 5, "royal flush", backers=1))
    assert bank.amounts(table) == [("pending", "10000.21"), ("pending", "10000.26"), ("pending", "0.16")]
    claims = document(wire.down(bank.state, table.name))["claims"]
    assert [(claim["meter"], claim["cite"]) for claim in claims] == [
        ("main", "653a.12(d)"),
        (METER, "653a.12(e)"),
        (METER, "653a.12(e)"),
    ]
    for number in (1, 2, 3):
        bank.hears(table, table.verdict(1, 5, paid=True, number=number))
    assert bank.account(Account.PENDING) == 0
    assert bank.account(Account.AWARDS) == 20_000_630_000
    sound(bank, table)


# The dealer's hand ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "backers", "amount", "meter", "reserve"),
    [
        ("straight flush", 1, "1000.03", "9000.36", "0.24"),  # ten percent are 1,000.039
        ("straight flush", 2, "1000.02", "9000.37", "0.24"),  # 500.01 each, 0.01 cannot be shared
        ("straight flush", 3, "1000.02", "9000.37", "0.24"),  # 333.34 each
        ("royal flush", 2, "10000.38", "0.25", "0.00"),  # 5,000.19 each, 0.01 stays beside what was in reserve
        ("royal flush", 3, "10000.38", "0.25", "0.00"),
    ],
)
def test_653a_12_e_2_what_the_dealers_hand_wins_is_divided_equally_in_whole_cents(
    bank: Bank, table: Table, hand: str, backers: int, amount: str, meter: str, reserve: str
) -> None:
    bank.hears(table, table.wagers(1, dealer=[1, 2, 6]))
    bank.hears(table, table.dealers_hand(1, 6, hand, backers))
    assert bank.amounts(table) == [("pending", amount)]
    assert cents(amount) % backers == 0
    assert stands(bank) == (meter, reserve)
    sound(bank, table)


def test_653a_12_e_2_a_seat_that_left_takes_no_share_and_there_are_not_more_shares_than_wagers(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, own=[3, 4], dealer=[1, 2]))
    bank.hears(table, table.dealers_hand(1, 2, "royal flush", backers=3))
    text = document(wire.down(bank.state, table.name))["alarm"]["text"]
    assert text == "uth-01:1:2:3: 3 shares are wanted, the bank holds 2 wagers on that hand"
    assert stands(bank) == ("10000.52", "0.32")
    bank.adopts(table, "3001", "4001")
    bank.hears(table, table.dealers_hand(1, 2, "royal flush", backers=1, number=4))
    assert bank.amounts(table) == [("pending", "10000.52")]
    sound(bank, table)


def test_the_dealers_hand_is_claimed_once_a_round_whoever_has_the_first_turn(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, dealer=[1, 6]))
    bank.hears(table, table.dealers_hand(1, 6, "royal flush", backers=2))
    bank.hears(table, table.dealers_hand(1, 1, "royal flush", backers=2))
    alarm = document(wire.down(bank.state, table.name))["alarm"]
    assert (alarm["kind"], alarm["text"]) == (
        "claim",
        "uth-01:1:1:3: the dealer's hand has claimed already in round 1",
    )
    bank.adopts(table, "3001", "4001")
    bank.hears(table, table.verdict(1, 6, paid=False, number=3))
    bank.hears(table, table.dealers_hand(1, 1, "straight flush", backers=2, number=4))
    assert bank.amounts(table) == [("rejected", "10000.26"), ("pending", "1000.02")]
    sound(bank, table)


def test_the_same_claim_for_another_number_of_backers_is_another_claim(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, dealer=[1, 6]))
    bank.hears(table, table.dealers_hand(1, 6, "royal flush", backers=2))
    assert [type(event) for event in bank.hears(table, table.said[-1])] == []
    again = bank.hears(table, table.dealers_hand(1, 6, "royal flush", backers=2))
    assert [type(event) for event in again] == [RepetitionHeld]
    bank.hears(table, table.dealers_hand(1, 6, "royal flush", backers=1))
    assert bank.alarm(table) == "claim"
    assert len(bank.claims) == 1


ROYAL = {"board": ["Ah", "Kh", "Qh", "2c", "9d"], "dealer": ["Jh", "Th"]}
STRAIGHT_FLUSH = {"board": ["9c", "8c", "7c", "2h", "2d"], "dealer": ["6c", "5c"]}


@pytest.mark.parametrize(("cards", "hand"), [(ROYAL, "royal flush"), (STRAIGHT_FLUSH, "straight flush")])
@pytest.mark.parametrize("backers", [1, 2, 3])
def test_the_bank_divides_as_a_settlement_does(cards: dict[str, Any], hand: str, backers: int) -> None:
    """The same round, once through `felt settle` and once through the wire (readings 3 and 4)."""
    bank, table = Bank(rules("A", five_card="1.00")), Table()
    seats = list(range(1, backers + 1))
    bank.hears(table, table.wagers(1, own=[1], dealer=seats))
    contributed = {name: meter_dollars(bank.state.meter(name)) for name in (METER, RESERVE)}
    hole = [["3s", "4d"], ["3d", "4s"], ["3h", "4h"]]
    wagers = {"ante": "15.00", "blind": "15.00", "five_card_dealer": "1.00"}
    rules_of_table = {
        "book": "pa-653a",
        "table_minimum": "15.00",
        "blind": {"paytable": "A"},
        "trips": {"paytable": "A"},
        "five_card_hand": {"wager": "1.00"},
    }
    settled = settle(
        parse_round(
            {
                "rules": rules_of_table,
                "cards": cards,
                "meters": contributed,
                "irregularity": None,
                "seats": {
                    str(seat): {
                        "cards": hole[seat - 1],
                        "wagers": wagers | ({"five_card_player": "1.00"} if seat == 1 else {}),
                        "decision": "fold",
                    }
                    for seat in seats
                },
            }
        )
    )
    bank.hears(table, table.dealers_hand(1, backers, hand, backers))
    shares = [payment.payout for payment in settled.payments if payment.wager == "five_card_dealer"]
    assert shares == [bank.claims[0].claim.amount // backers] * backers
    assert {name: bank.state.meter(name) for name in settled.meters} == settled.meters


# Verdicts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["royal flush", "straight flush"])
def test_a_rejected_claim_leaves_meter_and_reserve_as_they_were(bank: Bank, table: Table, hand: str) -> None:
    bank.hears(table, table.wagers(1, own=[2], dealer=[2, 4]))
    before = bank.state.accounts
    bank.hears(table, table.dealers_hand(1, 4, hand, backers=2))
    bank.hears(table, table.verdict(1, 4, paid=False, number=3))
    for account in Account:
        assert bank.account(account) == before.total(account)
    assert stands(bank) == ("10000.39", "0.24")
    sound(bank, table)


def test_rejected_royal_flushes_leave_meter_reserve_and_the_true_winner_as_if_they_had_never_been_made(
    bank: Bank, table: Table
) -> None:
    """A royal flush, and before it is rejected two others, at another table: the second of those is a true one."""
    other = Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, own=[3]))
    bank.hears(table, table.own_hand(1, 3, "royal flush"))
    assert stands(bank) == ("0.08", "0.00")
    bank.hears(table, table.wagers(2, own=[3]))
    bank.hears(other, other.wagers(1, own=[1, 2]))
    bank.hears(other, other.own_hand(1, 2, "royal flush"))  # 0.08 + 3 x 0.13; 0.24 come from the reserve
    bank.hears(other, other.own_hand(1, 1, "royal flush"))  # those 0.24
    assert bank.amounts(other) == [("pending", "0.47"), ("pending", "0.24")]
    bank.hears(other, other.verdict(1, 2, paid=False, number=2))
    assert bank.amounts(other) == [("pending", "0.47"), ("rejected", "0.47")]
    assert stands(bank) == ("0.24", "0.00")
    other.prices.clear()
    other.told(bank.state)
    bank.hears(other, other.verdict(1, 1, paid=True, number=2))
    bank.hears(table, table.verdict(1, 3, paid=False, number=2))
    assert stands(bank) == ("0.32", "0.00"), "what four wagers put in reserve"
    assert bank.account(Account.AWARDS) == 470_000
    assert bank.account(Account.OWED) == 10_000_050_000, "10,000 and 4 x 0.13, less 0.47"
    bank.adopts(other, "3001", "4001")
    sound(bank, other, "owed")


# Void rounds ----------------------------------------------------------------------------------------------------------


def test_653a_13_a_void_round_takes_both_kinds_off_their_meters_and_out_of_the_reserve(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, 1, own=[1], dealer=[2]))
    bank.hears(table, table.wagers(2, 1, 2, own=[1], dealer=[2, 3]))
    bank.hears(table, table.void(2))
    assert stands(bank) == ("10000.26", "0.16")
    assert bank.meter() == 10_000_210_000
    assert bank.account(Account.REVERSALS) == 2 * 210_000 + 3 * 210_000
    assert bank.account(Account.TRANSFERS) == 0
    sound(bank, table)


@pytest.mark.parametrize("paid", [True, False], ids=["paid by then", "still pending"])
def test_a_void_round_whose_reserve_went_with_a_royal_flush_is_a_named_adjustment(
    bank: Bank, table: Table, paid: bool
) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, own=[1]))
    bank.hears(other, other.wagers(1, own=[2]))
    bank.hears(other, other.own_hand(1, 2, "royal flush"))
    bank.hears(other, other.wagers(2, own=[2]))
    if paid:
        bank.hears(other, other.verdict(1, 2, paid=True, number=2))
    bank.hears(table, table.void(1))
    assert stands(bank) == ("0.29", "0.08")  # the reserve of two wagers and one more wager: nothing of round 1 is left
    assert bank.state.accounts.balance(Account.TRANSFERS, RESERVE) == 160_000 - 80_000
    assert bank.account(Account.TRANSFERS) == -210_000
    sound(bank, table)


def test_a_void_round_after_a_straight_flush_takes_its_reserve_back(bank: Bank, table: Table) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, own=[1]))
    bank.hears(other, other.wagers(1, own=[2]))
    bank.hears(other, other.own_hand(1, 2, "straight flush"))
    bank.hears(table, table.void(1))
    assert stands(bank) == ("9000.24", "0.08")
    assert bank.account(Account.TRANSFERS) == -130_000
    sound(bank, table)


# What contradicts the submission --------------------------------------------------------------------------------------


def test_five_card_wagers_that_the_bank_does_not_offer_or_at_another_price_contribute_nothing(bank: Bank) -> None:
    for ours, said in [
        (Bank(rules("A")), "this table plays five card player at $5.00 (paytable only), the bank no such wager"),
        (
            bank,
            "this table plays five card player at $5.00 (paytable only), the bank five card player at $1.00 (paytable only)",
        ),
    ]:
        table = Table(five_card="5.00")
        ours.hears(table, table.wagers(1, 1, 2, own=[1]))
        assert document(wire.down(ours.state, table.name))["alarm"] == {
            "kind": "rules",
            "journal": table.journal,
            "hash": ours.state.book(table.name).current.held.hash,
            "seq": 1,
            "text": f"Round 1: {said}",
        }
        assert ours.account(Account.CONTRIBUTIONS) == 0
        ours.adopts(table, "3001", "4001")
        ours.hears(table, table.wagers(2, 1))
        assert ours.alarm(table) is None


def test_a_five_card_claim_needs_its_own_wager_and_a_hand_that_takes_a_share(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1, own=[2], dealer=[3]))

    def alarm_of(payload: bytes) -> str:
        bank.hears(table, payload)
        alarm: str = document(wire.down(bank.state, table.name))["alarm"]["text"]
        bank.adopts(table, "3001", "4001")
        return alarm.removeprefix("uth-01:1:")

    no_wager = "the bank holds no"
    assert (
        alarm_of(table.own_hand(1, 1, "royal flush")) == f"1:2: {no_wager} five card player wager of seat 1 in round 1"
    )
    assert (
        alarm_of(table.own_hand(1, 3, "royal flush")) == f"3:2: {no_wager} five card player wager of seat 3 in round 1"
    )
    assert (
        alarm_of(table.dealers_hand(1, 2, "royal flush", backers=1))
        == f"2:3: {no_wager} five card dealer wager of seat 2 in round 1"
    )
    assert alarm_of(table.claim(1, 2, "royal flush")) == "2:1: the bank holds no progressive wager of seat 2 in round 1"
    fixed = "four of a kind takes no share of a meter on the bank's paytable"  # 500 for 1
    assert alarm_of(table.own_hand(1, 2, "four of a kind")) == f"2:2: {fixed}"
    assert bank.claims == []
    bank.hears(table, table.own_hand(1, 2, "royal flush"))
    sound(bank, table)


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        (
            "",
            "1.00",
            "progressive at $1.00 (paytable A), with its seeds; the submission says progressive at $1.00 (pay",
        ),
        ("1.00", "", "five card dealer at $1.00 (paytable only), with its seeds; the submission says progressive at"),
        ("1.00", "5.00", "five card dealer at $5.00 (paytable only); put the submission back"),
    ],
)
def test_a_ledger_of_another_five_card_wager_is_not_started(was: str, now: str, says: str) -> None:
    bank = Bank(rules("A", five_card=was))
    bank.rules = rules("A", five_card=now)
    with pytest.raises(RulesChanged) as refused:
        bank.told(Started(AT, EPOCH, restored=False))
    assert says in str(refused.value)


# The board ------------------------------------------------------------------------------------------------------------


def test_the_board_shows_the_meter_after_the_progressive_ones_and_never_the_reserve() -> None:
    bank, table = Bank(rules("B", five_card="1.00")), Table(paytable="B")
    bank.hears(table, table.wagers(1, 4, own=[4], dealer=[4, 5]))
    bank.hears(table, table.dealers_hand(1, 5, "straight flush", backers=2))
    board = document(wire.board(bank.state, AT))
    assert [{key: meter[key] for key in ("name", "amount", "seed")} for meter in board["meters"]] == [
        {"name": "mega", "amount": "10000.11", "seed": "10000.00"},
        {"name": "major", "amount": "1000.10", "seed": "1000.00"},
        {"name": METER, "amount": "9000.37", "seed": "10000.00"},
    ]
    assert [(pending["claim"], pending["meter"]) for pending in board["pending"]] == [("uth-01:1:5:3", METER)]
    bank.hears(table, table.verdict(1, 5, paid=True, number=3))
    (won,) = document(wire.board(bank.state, AT))["won"]
    assert (won["meter"], won["seat"], won["amount"], won["now"]) == (METER, 5, "1000.02", "9000.37")
    assert RESERVE not in str(document(wire.board(bank.state, AT)))


# The file -------------------------------------------------------------------------------------------------------------


def test_felt_bank_verify_derives_meter_and_reserve_and_finds_a_changed_reserve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bank.ledger"
    begin_ledger(path, "felt")
    journal = open_journal(path)
    of_today = rules("A", five_card="1.00")
    spine: Spine[BankState, Input, Event] = Spine(
        journal, keeping(), lambda state, given: applied(evolve, state, decide(of_today, state, given)), post
    )
    table = Table()
    table.wagers(1, 1, own=[1], dealer=[1, 2])
    table.dealers_hand(1, 2, "royal flush", backers=2)
    table.wagers(2, own=[4])
    take_up(journal)
    spine.take([Started(AT, EPOCH, restored=False)])
    spine.take(wire.decode_up(table.name, payload, AT) for payload in table.said)
    journal.close()
    assert main(["bank", "verify", str(path)]) == 0
    said = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["meter", "five_card", "0.38"] in said  # 0.01 that could not be shared, 0.24 of the reserve, 0.13
    assert ["meter", "five_card_reserve", "0.08"] in said
    assert ["reserve", "0.08"] in said
    assert ["transfers", "0.00"] in said
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE meter SET micros = micros - 1 WHERE name = 'five_card_reserve'")
    assert main(["bank", "verify", str(path)]) == 2
    assert "meter five_card_reserve is stored as 79999" in capsys.readouterr().err
