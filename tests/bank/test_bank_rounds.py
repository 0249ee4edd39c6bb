"""Rounds as the bank sees them: contributions, claims, verdicts, void rounds. In micro-dollars 21 cents are 210,000."""

from __future__ import annotations

import msgspec
import pytest

from firmware.bank.decide import RulesChanged
from firmware.bank.events import ClaimPriced, MessageNotHonored, RepetitionHeld
from firmware.bank.inputs import Started, VerdictSigned
from firmware.bank.ledger import Account, verify
from firmware.bank.state import ENDED_CLAIMS_MAX, REJECTED_MAX, ROUNDS_MAX, BankState
from firmware.wire.from_bank import ClaimStatus
from firmware.wire.payload import hash_of
from firmware.wire.structs import replace
from tests.bank.casino import AT, CARDS, EPOCH, Bank, Table, maryland, rules

DOLLAR = 1_000_000


PROGRESSIVE = {"wager": "progressive", "backers": 1}


@pytest.fixture
def bank() -> Bank:
    return Bank(rules("A"))


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.mark.parametrize(
    ("paytable", "wager", "seeds", "rise_of_one_wager"),
    [
        ("A", "1.00", {"main": 10_000 * DOLLAR}, {"main": 210_000}),
        ("A", "5.00", {"main": 50_000 * DOLLAR}, {"main": 1_050_000}),
        ("B", "1.00", {"mega": 10_000 * DOLLAR, "major": 1_000 * DOLLAR}, {"mega": 110_000, "major": 100_000}),
        ("B", "5.00", {"mega": 50_000 * DOLLAR, "major": 5_000 * DOLLAR}, {"mega": 550_000, "major": 500_000}),
        (
            "C",
            "1.00",
            {"mega": 10_000 * DOLLAR, "major": 1_000 * DOLLAR, "minor": 250 * DOLLAR},
            {"mega": 90_000, "major": 70_000, "minor": 30_000},
        ),
        (
            "D",
            "5.00",
            {"mega": 50_000 * DOLLAR, "major": 5_000 * DOLLAR, "minor": 1_250 * DOLLAR},
            {"mega": 500_000, "major": 400_000, "minor": 150_000},
        ),
    ],
)
def test_653a_12_d_3_seeds_and_incrementation_rates(
    paytable: str, wager: str, seeds: dict[str, int], rise_of_one_wager: dict[str, int]
) -> None:
    bank, table = Bank(rules(paytable, wager)), Table(wager=wager, paytable=paytable)
    assert {meter.name: bank.meter(meter.name) for meter in bank.state.seeds} == seeds
    bank.hears(table, table.wagers(1, 1, 3, 6))
    for name, rise in rise_of_one_wager.items():
        assert bank.meter(name) == seeds[name] + 3 * rise
    assert bank.account(Account.CONTRIBUTIONS) == 3 * sum(rise_of_one_wager.values())


def test_653a_12_d_4_the_first_royal_flush_empties_the_meter_and_the_second_finds_the_reseed(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, 3, 5))
    bank.hears(table, table.claim(1, 5, "royal flush"))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert bank.amounts(table) == [("pending", "10000.42"), ("pending", "10000.00")]
    assert bank.meter() == 10_000 * DOLLAR
    assert bank.account(Account.PENDING) == 20_000_420_000
    assert bank.account(Account.SEEDS) == 30_000 * DOLLAR


def test_653a_12_d_4_the_second_straight_flush_takes_ten_percent_of_what_is_left(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1, 3, 5))
    bank.hears(table, table.claim(1, 5, "straight flush"))
    bank.hears(table, table.claim(1, 3, "straight flush"))
    assert bank.amounts(table) == [("pending", "1000.06"), ("pending", "900.05")]  # of 10,000.63 and of 9,000.57
    assert bank.meter() == 8_100_520_000
    assert bank.account(Account.SEEDS) == 10_000 * DOLLAR


def test_the_fraction_of_a_cent_that_was_cut_stays_on_the_meter() -> None:
    bank, table = Bank(maryland(rate="25.8901")), Table(paytable="only")
    bank.hears(table, table.wagers(1, 2))
    bank.hears(table, table.claim(1, 2, "royal flush"))
    assert bank.amounts(table) == [("pending", "10000.25")]
    assert bank.meter() == 10_000_008_901


@pytest.mark.parametrize(
    ("hand", "meter", "amount", "left"),
    [
        ("royal flush", "mega", "10000.09", 10_000 * DOLLAR),
        ("straight flush", "major", "1000.07", 1_000 * DOLLAR),
        ("four of a kind", "minor", "250.03", 250 * DOLLAR),
    ],
)
def test_653a_12_d_1_paytable_c_has_a_jackpot_for_each_of_three_hands(
    hand: str, meter: str, amount: str, left: int
) -> None:
    bank, table = Bank(rules("C")), Table(paytable="C")
    bank.hears(table, table.wagers(1, 4))
    bank.hears(table, table.claim(1, 4, hand))
    assert bank.amounts(table) == [("pending", amount)]
    assert bank.meter(meter) == left
    assert bank.state.book(table.name).claims[0].claim.cite.startswith("653a.12(d)")


def test_other_tables_play_on_while_a_claim_is_pending(bank: Bank, table: Table) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(other, other.wagers(1, 1, 2))
    assert bank.meter() == 10_000_420_000
    assert bank.amounts(table) == [("pending", "10000.21")]


# Verdicts -----------------------------------------------------------------------------------------------------------


def test_a_paid_claim_goes_from_pending_to_awards(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    assert bank.amounts(table) == [("paid", "10000.21")]
    assert bank.account(Account.PENDING) == 0
    assert bank.account(Account.AWARDS) == 10_000_210_000
    assert bank.meter() == 10_000 * DOLLAR


def test_a_rejected_claim_puts_back_the_amount_less_the_reseed_it_caused(bank: Bank, table: Table) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(other, other.wagers(1, 1))
    bank.hears(table, table.verdict(1, 3, paid=False))
    assert bank.amounts(table) == [("rejected", "10000.21")]
    assert bank.meter() == 10_000_420_000
    assert bank.account(Account.SEEDS) == 10_000 * DOLLAR
    assert bank.account(Account.PENDING) == bank.account(Account.AWARDS) == 0


def test_a_seat_whose_claim_was_rejected_may_claim_again_and_no_other_may(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.claim(1, 3, "straight flush", number=2))
    assert bank.alarm(table) == "claim"
    bank.adopts(table, "3001", "4001")
    bank.hears(table, table.verdict(1, 3, paid=False))
    bank.hears(table, table.claim(1, 3, "straight flush", number=3))
    assert bank.alarm(table) is None
    assert bank.amounts(table) == [("rejected", "10000.21"), ("pending", "1000.02")]


def test_no_meter_falls_below_zero_when_others_have_won_the_reseed_of_a_rejected_claim(
    bank: Bank, table: Table
) -> None:
    """Straight flushes bring the meter far under its seed, a royal flush resets it, as many again, then a rejection."""
    for round in range(1, 24):
        bank.hears(table, table.wagers(round, 1))
        bank.hears(table, table.claim(round, 1, "straight flush"))
        bank.hears(table, table.verdict(round, 1, paid=True))
    bank.hears(table, table.wagers(24, 1))
    bank.hears(table, table.claim(24, 1, "royal flush"))
    assert bank.claims[-1].claim.amount < 100_000  # the meter stood under 1,000 dollars
    for round in range(25, 48):
        bank.hears(table, table.wagers(round, 1))
        bank.hears(table, table.claim(round, 1, "straight flush"))
    bank.hears(table, table.wagers(48, 1))
    bank.hears(table, table.verdict(24, 1, paid=False))
    never, honest = Bank(rules("A")), Table()
    for round in range(1, 49):
        never.hears(honest, honest.wagers(round, 1))
        if round not in (24, 48):
            never.hears(honest, honest.claim(round, 1, "straight flush"))
        if round < 24:
            never.hears(honest, honest.verdict(round, 1, paid=True))
    assert bank.meter() == never.meter() == 80_710_000, "as if it had never been made"
    assert 10_000 * DOLLAR < bank.account(Account.SEEDS) < 20_000 * DOLLAR
    assert verify(bank.ledger) == bank.state.accounts
    assert bank.alarm(table) is None


def test_one_person_cannot_pay_or_reject_a_meter(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    for paid in (True, False):
        bank.hears(table, table.verdict(1, 3, paid=paid, by=("2001", "2001")))
        assert bank.alarm(table) == "verdict"
        assert bank.amounts(table) == [("held", "10000.21")] and bank.account(Account.PENDING) == 10_000_210_000


def test_a_verdict_counts_once_and_never_turns(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    before = bank.state.accounts
    assert isinstance(bank.hears(table, table.verdict(1, 3, paid=True))[0], RepetitionHeld)
    assert bank.alarm(table) is None
    assert isinstance(bank.hears(table, table.verdict(1, 3, paid=False))[0], MessageNotHonored)
    assert bank.alarm(table) == "claim"
    assert bank.state.accounts == before


# Void rounds --------------------------------------------------------------------------------------------------------


def test_653a_13_a_void_round_gives_its_contributions_back(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1, 2))
    bank.hears(table, table.wagers(2, 1))
    bank.hears(table, table.void(2))
    assert bank.meter() == 10_000_420_000
    assert bank.account(Account.REVERSALS) == 210_000
    assert bank.account(Account.TRANSFERS) == 0


def test_653a_7_c_wagers_of_a_round_whose_bets_were_opened_again_are_taken_once_more(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1, 2))
    for seats in ((1, 2, 3), (4,)):
        bank.hears(table, table.void(1))
        bank.hears(table, table.wagers(1, *seats))
    assert bank.alarm(table) is None
    assert bank.meter() == 10_000_210_000
    assert bank.account(Account.REVERSALS) == 5 * 210_000
    assert bank.account(Account.TRANSFERS) == 0
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert bank.alarm(table) == "claim", "seat 3 has no wager any more"


def test_653a_7_c_a_round_that_was_opened_again_is_claimed_void_and_over_like_any_other(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, 1))
    bank.hears(table, table.void(1))
    bank.hears(table, table.wagers(1, 1, 2))
    bank.hears(table, table.void(1))
    assert bank.alarm(table) is None
    assert bank.meter() == 10_000 * DOLLAR
    bank.hears(table, table.wagers(2, 1))
    bank.hears(table, table.wagers(1, 1))
    assert bank.alarm(table) == "round", "another round was played since"


def test_a_void_round_whose_meter_was_won_since_is_a_named_adjustment(bank: Bank, table: Table) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, 1, 2))
    bank.hears(other, other.wagers(1, 5))
    bank.hears(other, other.claim(1, 5, "royal flush"))
    bank.hears(table, table.void(1))
    assert bank.meter() == 10_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == -420_000
    assert bank.account(Account.REVERSALS) == 420_000


def test_only_the_part_of_the_meter_that_was_won_is_adjusted() -> None:
    bank, table, other = Bank(rules("B")), Table(paytable="B"), Table("uth-02", "b" * 32, paytable="B")
    bank.hears(table, table.wagers(1, 1))
    bank.hears(other, other.wagers(1, 5))
    bank.hears(other, other.claim(1, 5, "straight flush"))
    bank.hears(table, table.void(1))
    assert bank.meter("mega") == 10_000_110_000
    assert bank.meter("major") == 1_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == -100_000


def test_a_win_since_the_round_counts_also_when_an_older_one_is_paid_after_it(bank: Bank, table: Table) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(other, other.wagers(1, 4, 5))
    bank.hears(other, other.claim(1, 5, "royal flush"))
    bank.hears(table, table.wagers(1, 1))
    bank.hears(other, other.claim(1, 4, "royal flush"))
    bank.hears(other, other.verdict(1, 4, paid=True))
    bank.hears(other, other.verdict(1, 5, paid=True))
    bank.hears(table, table.void(1))
    assert bank.meter() == 10_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == -210_000


def test_a_win_before_the_round_or_one_that_was_rejected_adjusts_nothing(bank: Bank, table: Table) -> None:
    other = Table("uth-02", "b" * 32)
    bank.hears(other, other.wagers(1, 4, 5))
    bank.hears(other, other.claim(1, 5, "royal flush"))
    bank.hears(other, other.verdict(1, 5, paid=True))
    bank.hears(table, table.wagers(1, 1))
    bank.hears(other, other.claim(1, 4, "royal flush"))
    bank.hears(other, other.verdict(1, 4, paid=False))
    bank.hears(table, table.void(1))
    assert bank.meter() == 10_000 * DOLLAR
    assert bank.account(Account.TRANSFERS) == 0


@pytest.mark.parametrize("paid", [True, False], ids=["paid", "pending"])
def test_a_round_in_which_a_share_was_claimed_is_never_void_and_its_seat_never_claims_again(
    bank: Bank, table: Table, paid: bool
) -> None:
    """A claim, a reversal, the same wagers, another claim: one royal flush took $20,000.84."""
    bank.hears(table, table.wagers(12, 1, 3))
    bank.hears(table, table.claim(12, 3, "royal flush"))
    if paid:
        bank.hears(table, table.verdict(12, 3, paid=True))
    before = bank.state.accounts
    (event,) = bank.hears(table, table.void(12))
    assert isinstance(event, MessageNotHonored) and event.kind == "void"
    assert event.text == "Round 12 is void after seat 3 claimed a share for its progressive wager"
    bank.hears(table, table.wagers(12, 1, 3))
    bank.hears(table, table.claim(12, 3, "royal flush", number=2))
    kinds = [alarm.kind for alarm in bank.state.book(table.name).alarms]
    assert kinds == ["void", "round", "claim"]
    assert bank.state.accounts == before and len(bank.claims) == 1


def test_653a_13_a_round_is_void_after_its_claim_was_rejected_also_where_two_people_have_to_look_at_that(
    bank: Bank, table: Table
) -> None:
    """The table is right: it was no winner. That the bank holds the word is one alarm, a second one would be wrong."""
    for by in (("2001", "3001"), ("2001", "nobody")):
        bank, table = Bank(rules("A")), Table()
        bank.hears(table, table.wagers(1, 3))
        bank.hears(table, table.claim(1, 3, "royal flush"))
        bank.hears(table, table.verdict(1, 3, paid=False, by=by))
        said = len(table.said), hash_of(table.said[-1])
        bank.hears(table, table.void(1))
        bank.told(VerdictSigned(AT, "uth-01:1:3:1", True, ("2001", "3001"), *said))
        assert bank.alarm(table) is None
        assert bank.meter() == 10_000 * DOLLAR and bank.account(Account.PENDING) == 0


def test_a_claim_that_waits_for_two_people_is_not_made_again_after_its_round_was_opened_again(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=False, by=("2001", "nobody")))
    bank.hears(table, table.void(1))
    bank.hears(table, table.wagers(1, 3))
    (event,) = bank.hears(table, table.claim(1, 3, "royal flush", number=2))
    assert isinstance(event, MessageNotHonored) and "has claimed already" in event.text


# What contradicts the submission or the ledger ------------------------------------------------------------------------


def test_653a_12d_a_wager_of_another_amount_than_the_posted_price_contributes_nothing_and_closes(bank: Bank) -> None:
    table = Table("uth-01")
    made = table.made("progressive", [1, 3], "1.00", "A") | {"amounts": ["1.00", "5.00"]}
    body = {"round": 1, "made": [made]}
    event = next(one for one in bank.hears(table, table.says("wagers", body)) if isinstance(one, MessageNotHonored))
    assert "seat 3 wagered $5.00, the bank takes $1.00" in event.text
    assert bank.alarm(table) == "rules" and bank.account(Account.CONTRIBUTIONS) == 0


def test_a_table_that_plays_another_wager_or_paytable_contributes_nothing_and_closes(bank: Bank) -> None:
    for name, wager, paytable in [("uth-01", "5.00", "A"), ("uth-02", "1.00", "B")]:
        table = Table(name, wager=wager, paytable=paytable)
        bank.hears(table, table.wagers(1, 1))
        assert bank.alarm(table) == "rules"
        assert bank.account(Account.CONTRIBUTIONS) == 0
        assert bank.state.book(name).current.held.seq == 1


def test_the_same_round_under_another_number_is_an_alarm_and_no_second_contribution(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 1))
    bank.hears(table, table.wagers(1, 1))
    assert bank.alarm(table) == "round"
    assert bank.meter() == 10_000_210_000
    bank.adopts(table, "3001", "4001")
    bank.hears(table, table.wagers(2, 1))
    assert bank.alarm(table) is None
    assert bank.meter() == 10_000_420_000


def test_a_reversal_of_an_unknown_round_or_a_second_one_is_an_alarm(bank: Bank, table: Table) -> None:
    bank.hears(table, table.void(1))
    assert bank.alarm(table) == "void"
    bank.adopts(table, "3001", "4001")
    bank.hears(table, table.wagers(2, 1))
    bank.hears(table, table.void(2))
    assert bank.alarm(table) is None
    bank.hears(table, table.void(2))
    assert bank.alarm(table) == "void"
    assert bank.account(Account.REVERSALS) == 210_000


def test_a_claim_needs_a_wager_that_the_bank_holds_a_hand_that_takes_a_share_and_cards_that_make_it(
    bank: Bank, table: Table
) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.wagers(2, 3))
    bank.hears(table, table.void(2))

    def alarm_of(payload: bytes) -> str | None:
        bank.hears(table, payload)
        alarm = bank.alarm(table)
        bank.adopts(table, "3001", "4001")
        return alarm

    assert alarm_of(table.claim(1, 4, "royal flush")) == "claim"  # seat 4 has no wager
    assert alarm_of(table.claim(9, 3, "royal flush")) == "claim"  # no such round
    assert alarm_of(table.claim(2, 3, "royal flush")) == "claim"  # void
    assert alarm_of(table.claim(1, 3, "four of a kind")) == "rules"  # 300 for 1 on paytable A, not a share
    body = {"claim": "uth-01:1:3:1", "round": 1, "seat": 3, "hand": "royal flush", "floor": "2001"} | PROGRESSIVE
    assert alarm_of(table.says("claim", {**body, "cards": CARDS["royal flush"], "backers": 2})) == "claim", (
        "on its own hand"
    )
    assert alarm_of(table.says("claim", {**body, "cards": ["9c", "8c", "7c", "6c", "5c"]})) == "claim"
    assert (
        alarm_of(table.says("claim", {**body, "cards": ["Ah", "Kh", "Qh"]})) == "claim"
    )  # a hand of this book has five
    assert alarm_of(table.verdict(1, 3, paid=True)) == "claim"  # nothing was claimed
    assert bank.claims == []
    assert alarm_of(table.claim(1, 3, "royal flush")) is None


def test_the_same_claim_twice_has_the_same_answer(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert [type(event) for event in bank.hears(table, table.claim(1, 3, "royal flush"))] == [RepetitionHeld]
    assert bank.amounts(table) == [("pending", "10000.21")]
    assert len([event for event in bank.events if isinstance(event, ClaimPriced)]) == 1
    assert bank.alarm(table) is None


# A long life ----------------------------------------------------------------------------------------------------------


def test_memory_is_bounded_and_a_forgotten_round_is_never_paid_twice(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    for round in range(2, ROUNDS_MAX + 2):
        bank.hears(table, table.wagers(round, 3))
        if round % 3 == 0:
            bank.hears(table, table.claim(round, 3, "straight flush"))
            bank.hears(table, table.verdict(round, 3, paid=round % 6 == 0))
    book = bank.state.book(table.name)
    assert len(book.current.rounds) == ROUNDS_MAX
    rejected = [claim for claim in book.claims if claim.status is ClaimStatus.REJECTED]
    assert len(rejected) <= REJECTED_MAX, "these can be opened again"
    assert len(set(book.claims[-ENDED_CLAIMS_MAX:]) | set(rejected)) == len(book.claims)
    assert bank.alarm(table) is None
    before = bank.state.accounts
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert bank.alarm(table) == "claim"
    assert bank.state.accounts == before


def test_a_start_changes_no_money_and_keeps_the_epoch_unless_the_ledger_was_restored(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3))
    before = bank.state
    bank.restarts()
    assert bank.state == replace(before, term=before.term + 1)
    assert (bank.state.epoch, bank.state.before) == (EPOCH, ())
    bank.told(Started(AT, "f" * 32, restored=True))
    assert (bank.state.epoch, bank.state.before) == ("f" * 32, (EPOCH,))
    assert (bank.state.accounts, bank.state.version) == (before.accounts, before.version)


@pytest.mark.parametrize(("paytable", "wager"), [("B", "1.00"), ("A", "5.00")])
def test_a_ledger_of_another_submission_is_not_started(bank: Bank, paytable: str, wager: str) -> None:
    bank.rules = rules(paytable, wager)
    with pytest.raises(RulesChanged, match="start a new ledger in another folder"):
        bank.told(Started(AT, EPOCH, restored=False))


def test_a_snapshot_of_the_state_is_the_state(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(1, 3, 5))
    bank.hears(table, table.claim(1, 5, "royal flush"))
    bank.hears(table, table.verdict(1, 5, paid=True))
    bank.hears(table, table.claim(1, 3, "straight flush"))
    bank.hears(table, table.void(9))
    snapshot = msgspec.json.encode(bank.state)
    assert msgspec.json.decode(snapshot, type=BankState) == bank.state
