"""What a table tells that moves no meter: prizes, envy, accounts, late chips, differences, days. A row each, held once."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bank.events import AccountHeld, CountHeld, MessageNotHonored, PaymentsHeld, TableDayHeld, entries_of
from firmware.bank.wire import decode_up
from firmware.rules.money import cents, in_full
from firmware.wire.payload import WireError
from tests.bank.casino import Bank, Table, rules

TOTALS: dict[str, Any] = {
    **dict.fromkeys(("rounds", "voids", "late", "differences"), 0),
    "bought": "0.00",
    "cashed": "0.00",
    **{name: [] for name in ("staked", "returned", "paid", "awards", "contributions")},
}


@pytest.fixture
def bank() -> Bank:
    return Bank(rules("A", five_card="1.00"))


@pytest.fixture
def table(bank: Bank) -> Table:
    table = Table()
    bank.hears(table, table.wagers(12, 1, 3, own=(2,), dealer=(4,)))
    return table


def line(seat: int, payout: str, wager: str = "progressive", **more: Any) -> dict[str, Any]:
    law = {"result": "win", "stake": "1.00", "returned": "0.00", "cite": "653a.12(d)(1)", "source": "rack"}
    return {"seat": seat, "wager": wager, "payout": payout, **law, **more}


def paid(*lines: dict[str, Any], what: str = "prize", round: int = 12, **more: Any) -> dict[str, Any]:
    return {"round": round, "what": what, "lines": list(lines), **more}


def day(number: int, date: str) -> dict[str, Any]:
    return {
        "day": date,
        "number": number,
        "by": "2001",
        "totals": TOTALS,
        "perpetual": TOTALS,
        "round": 0,
        "claims": [],
    }


PRIZE = paid(line(3, "300.00", odds="300 for 1", floor=True))
ENVY = paid(line(1, "1000.00", "envy", for_seat=3, stake="0.00"), what="envy", by="2001")
CREDIT = paid(line(4, "25.00", "lucky_dealer", source="account"), what="credit")
BOUGHT = {"seat": 2, "move": "buy-in", "amount": "100.00"}
COUNT = {
    "late": [
        {"round": 12, "seat": 5, "wager": "progressive", "ms": -40, "lit": True},
        {"round": 12, "seat": 6, "wager": "progressive", "ms": None, "lit": False},
    ],
    "differences": [{"round": 12, "seat": 1, "wager": "progressive", "outcome": "no chip"}],
}


@pytest.mark.parametrize(
    ("kind", "body", "event"),
    [
        ("payment", PRIZE, PaymentsHeld),
        ("payment", ENVY, PaymentsHeld),
        ("payment", CREDIT, PaymentsHeld),
        ("account", BOUGHT, AccountHeld),
        ("count", COUNT, CountHeld),
        ("day", day(1, "2027-01-11"), TableDayHeld),
    ],
)
def test_it_is_a_row_of_its_own_that_moves_no_meter_and_is_held_once(
    bank: Bank, table: Table, kind: str, body: dict[str, Any], event: type[Any]
) -> None:
    before = bank.state
    (row,) = bank.hears(table, table.says(kind, body))
    assert isinstance(row, event) and not entries_of(row)
    assert bank.state.accounts == before.accounts and bank.state.version == before.version
    after = bank.state
    assert bank.hears(table, table.said[-1]) == () and bank.state == after, "it came twice"
    bank.restarts()
    assert bank.hears(table, table.said[-1]) == () and bank.alarm(table) is None
    assert bank.state.book(table.name).current.held.seq == 2


def test_a_payment_for_which_there_is_no_wager_is_held_without_effect_and_an_alarm(bank: Bank, table: Table) -> None:
    for wrong in (
        paid(line(2, "300.00")),
        paid(line(3, "300.00"), round=13),
        paid(line(1, "25.00", "lucky_player", source="account"), what="credit"),
        paid(line(3, "300.00", "trips")),
    ):
        (event,) = bank.hears(table, table.says("payment", wrong))
        assert isinstance(event, MessageNotHonored) and event.kind == "payment" and "no wager" in event.text
    assert bank.alarm(table) == "payment"


def test_nothing_is_paid_above_the_highest_amount_of_the_submission(bank: Bank, table: Table) -> None:
    """$999,999,999,999.99 stood in the books as a prize."""
    fixed = {"source": "account"}
    for most, wrong, what in (
        (line(3, "300.00"), "300.01", "prize"),
        (line(1, "1000.00", "envy", for_seat=3, stake="0.00"), "1000.01", "envy"),
        (line(2, "500.00", "five_card_player", **fixed), "500.01", "credit"),
        (line(4, "500.00", "lucky_dealer", **fixed), "999999999999.99", "credit"),
    ):
        (event,) = bank.hears(table, table.says("payment", paid(most | {"payout": wrong}, what=what)))
        assert isinstance(event, MessageNotHonored) and event.kind == "payment"
        assert event.text.endswith(f"the bank's submission pays {in_full(cents(most['payout']))} for it at most")
        assert isinstance(bank.hears(table, table.says("payment", paid(most, what=what, by="2001")))[0], PaymentsHeld)


def test_envy_of_the_houses_amount_that_nobody_signed_is_an_alarm(bank: Bank) -> None:
    """$26,000.00 of a round were booked without a badge and without an alarm."""
    table = Table()
    bank.hears(table, table.wagers(12, 1, 2, 3, 4, 5))

    def envy(seat: int, holder: int, payout: str, **more: Any) -> Any:
        one = line(seat, payout, "envy", for_seat=holder, stake="0.00")
        return bank.hears(table, table.says("payment", paid(one, what="envy", **more)))[0]

    assert isinstance(envy(1, 3, "300.00"), PaymentsHeld)
    assert isinstance(envy(2, 3, "199.99"), PaymentsHeld), "below the amount nobody signs"
    unsigned = envy(4, 3, "0.01")
    assert isinstance(unsigned, MessageNotHonored) and bank.alarm(table) == "payment"
    assert unsigned.text == "Round 12: envy bonuses come to $500.00, and nobody signed"
    for badge in ("1001", "9999"):
        stranger = envy(4, 3, "300.00", by=badge)
        assert isinstance(stranger, MessageNotHonored)
        said = f"badge {badge} signed, who is no floorperson or manager of bank.toml"
        assert stranger.text == f"Round 12: envy bonuses come to $799.99, and {said}"
    assert isinstance(envy(4, 3, "300.00", by="2001"), PaymentsHeld)
    assert isinstance(envy(4, 3, "300.00", corrected="wrong-seat"), PaymentsHeld), "taking back is no payment"


def test_a_prize_is_paid_once_a_round_but_after_a_correction(bank: Bank, table: Table) -> None:
    bank.hears(table, table.says("payment", PRIZE))
    (again,) = bank.hears(table, table.says("payment", paid(line(3, "50.00"))))
    assert isinstance(again, MessageNotHonored) and "a second time" in again.text
    (wrong,) = bank.hears(table, table.says("payment", paid(line(3, "50.00"), corrected="wrong-amount")))
    assert isinstance(wrong, MessageNotHonored) and "was not paid" in wrong.text
    (back,) = bank.hears(table, table.says("payment", PRIZE | {"corrected": "wrong-amount"}))
    assert isinstance(back, PaymentsHeld)
    (right,) = bank.hears(table, table.says("payment", paid(line(3, "50.00"))))
    assert isinstance(right, PaymentsHeld)


TWICE = "body.lines: name a seat's wager twice"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        pytest.param(paid(*[line(3, "300.00")] * 6), TWICE, id="the same line six times"),
        pytest.param(paid(line(3, "300.00"), line(3, "40.00")), TWICE, id="two amounts for one wager"),
        pytest.param(paid(*[line(3, "300.00")] * 6, corrected="wrong-amount"), TWICE, id="taken back six times"),
        pytest.param(paid(line(3, "300.00", returned="1.01")), "body.lines.0.returned: is more than", id="returned"),
        pytest.param(paid(line(3, "300.00", result="lose")), "body.lines.0.payout: stands beside", id="a lost wager"),
        pytest.param(paid(line(3, "0.00", result="lose", returned="1.00")), "body.lines.0.payout", id="lost and back"),
        pytest.param(paid(line(3, "300.00", result="push")), "body.lines.0.payout: stands beside", id="a push"),
        pytest.param(
            paid({key: said for key, said in line(3, "300.00").items() if key != "source"}),
            "body.lines.0.source: is missing",
            id="nobody pays",
        ),
        pytest.param(paid(line(3, "300.00", source="cage")), "body.lines.0.source: is missing or", id="of a meter"),
        pytest.param(
            paid(line(3, "9.00", "envy", for_seat=3), what="envy"), "body.lines.0.for_seat: is", id="own envy"
        ),
        pytest.param(paid(line(3, "9.00", "envy"), what="envy"), "body.lines.0.for_seat: stands", id="envy of nobody"),
        pytest.param(paid(line(3, "9.00", for_seat=1)), "body.lines.0.for_seat: stands", id="no envy for a seat"),
        pytest.param(PRIZE | {"what": "envy"}, "body.what: is envy, and a line", id="a prize as envy"),
        pytest.param(PRIZE | {"what": "credit"}, "body.what: is credit, and a line", id="a prize as credit"),
        pytest.param(ENVY | {"what": "prize"}, "body.what: is prize, and a line", id="envy as a prize"),
        pytest.param(CREDIT | {"what": "prize"}, "body.what: is prize, and a line", id="a credit as a prize"),
    ],
)
def test_a_payment_that_no_table_can_have_made_cannot_be_read(
    bank: Bank, table: Table, wrong: dict[str, Any], why: str
) -> None:
    """One prize of $300 came to $1,800 in the books, and a correction of it to less than nothing."""
    bank.hears(table, table.says("payment", PRIZE | {"lines": [line(1, "40.00")]}))
    before = bank.state
    with pytest.raises(WireError) as refused:
        bank.hears(table, table.says("payment", wrong))
    assert str(refused.value).startswith(f"uth-01/up {why}") and bank.state == before


def test_653a_11_k_a_wager_wins_a_fixed_prize_or_a_share_of_a_meter(bank: Bank, table: Table) -> None:
    """Either one first; an envy bonus and a bonus on the same wager are others."""
    bank.hears(table, table.claim(12, 3, "royal flush"))
    bank.hears(table, table.own_hand(12, 2, "straight flush"))
    for held in (
        paid(line(3, "1000.00", "envy", for_seat=1, stake="0.00"), what="envy", by="2001"),
        paid(line(2, "25.00", "lucky_player", source="account"), what="credit"),
        paid(line(1, "40.00")),
        CREDIT,
    ):
        assert isinstance(bank.hears(table, table.says("payment", held))[0], PaymentsHeld)
    for wrong in (PRIZE, paid(line(2, "50.00", "five_card_player", source="account"), what="credit")):
        (event,) = bank.hears(table, table.says("payment", wrong))
        assert isinstance(event, MessageNotHonored) and event.kind == "payment"
        assert event.text.endswith("and a share of a meter was claimed for that wager")
    (event,) = bank.hears(table, table.claim(12, 1, "royal flush", number=9))
    assert isinstance(event, MessageNotHonored) and event.kind == "claim"
    assert event.text.endswith("a fixed prize was paid for the progressive wager of seat 1 in round 12")


def test_653a_12_e_2_the_dealers_hand_wins_one_prize_whoever_backed_it(bank: Bank, table: Table) -> None:
    bank.hears(table, table.wagers(13, dealer=(1, 4, 6)))
    flush = line(4, "50.00", "five_card_dealer", source="account")
    bank.hears(table, table.says("payment", paid(flush, what="credit", round=13)))
    (event,) = bank.hears(table, table.dealers_hand(13, 6, "royal flush", 3))
    assert isinstance(event, MessageNotHonored) and event.kind == "claim" and "fixed prize" in event.text
    bank.hears(table, table.wagers(14, dealer=(1, 4, 6)))
    bank.hears(table, table.dealers_hand(14, 6, "royal flush", 3))
    (event,) = bank.hears(table, table.says("payment", paid(flush, what="credit", round=14)))
    assert isinstance(event, MessageNotHonored) and event.kind == "payment"


def test_a_fixed_prize_after_a_claim_that_the_table_rejected_raises_no_alarm(bank: Bank, table: Table) -> None:
    bank.hears(table, table.claim(12, 3, "straight flush"))
    bank.hears(table, table.verdict(12, 3, paid=False))
    bank.hears(table, table.says("payment", PRIZE))
    assert bank.alarm(table) is None
    bank.hears(table, table.says("payment", PRIZE | {"corrected": "wrong-result"}))
    bank.hears(table, table.claim(12, 3, "royal flush", number=2))
    assert bank.alarm(table) is None


def test_nothing_is_paid_in_a_void_round(bank: Bank, table: Table) -> None:
    bank.hears(table, table.void(12))
    (event,) = bank.hears(table, table.says("payment", PRIZE))
    assert isinstance(event, MessageNotHonored) and "void" in event.text


def test_a_round_in_which_something_was_paid_is_never_void_and_its_prize_never_paid_again(
    bank: Bank, table: Table
) -> None:
    """A payment, a reversal, the same wagers, the payment: one prize stood in the books with $600."""
    bank.hears(table, table.says("payment", PRIZE))
    before = bank.state.accounts
    (event,) = bank.hears(table, table.void(12))
    assert isinstance(event, MessageNotHonored) and event.kind == "void"
    assert event.text == "Round 12 is void after $300.00 was paid to seat 3 for progressive"
    bank.hears(table, table.wagers(12, 1, 3, own=(2,), dealer=(4,)))
    bank.hears(table, table.says("payment", PRIZE))
    kinds = [alarm.kind for alarm in bank.state.book(table.name).alarms]
    assert kinds == ["void", "round", "payment"] and bank.state.accounts == before


def test_a_round_is_void_after_all_that_was_paid_in_it_was_taken_back(bank: Bank, table: Table) -> None:
    bank.hears(table, table.says("payment", PRIZE))
    bank.hears(table, table.says("payment", PRIZE | {"corrected": "wrong-result"}))
    bank.hears(table, table.void(12))
    assert bank.alarm(table) is None and bank.meter() == 10_000_000_000


def test_days_are_closed_one_after_the_other(bank: Bank, table: Table) -> None:
    bank.hears(table, table.says("day", day(1, "2027-01-11")))
    for wrong in (day(1, "2027-01-12"), day(3, "2027-01-12"), day(2, "2027-01-11")):
        (event,) = bank.hears(table, table.says("day", wrong))
        assert isinstance(event, MessageNotHonored) and event.kind == "day"
    (event,) = bank.hears(table, table.says("day", day(2, "2027-01-13")))
    assert isinstance(event, TableDayHeld)


def test_after_two_people_have_looked_at_a_day_that_did_not_follow_the_next_one_is_taken(
    bank: Bank, table: Table
) -> None:
    """The alarm's cure ends it: the table counts on from its own number, and not each of its days is an alarm again."""
    bank.hears(table, table.says("day", day(3, "2027-01-11")))
    assert bank.alarm(table) == "day"
    bank.adopts(table, "2001", "3001")
    for number, date in ((4, "2027-01-12"), (5, "2027-01-13")):
        (event,) = bank.hears(table, table.says("day", day(number, date)))
        assert isinstance(event, TableDayHeld) and bank.alarm(table) is None
    (event,) = bank.hears(table, table.says("day", day(7, "2027-01-14")))
    assert isinstance(event, MessageNotHonored)


def test_a_clock_that_once_ran_ahead_leaves_no_day_that_cannot_be_closed(bank: Bank, table: Table) -> None:
    bank.hears(table, table.says("day", day(1, "2099-05-04")))
    (event,) = bank.hears(table, table.says("day", day(2, "2027-01-12")))
    assert isinstance(event, TableDayHeld) and bank.alarm(table) is None


def test_a_day_carries_no_claim_of_another_table(bank: Bank, table: Table) -> None:
    (event,) = bank.hears(table, table.says("day", day(1, "2027-01-11") | {"claims": ["uth-99:1:1:1"]}))
    assert isinstance(event, MessageNotHonored) and "another table's" in event.text


@pytest.mark.parametrize("date", ["2026-99-99", "2027-02-29", "0000-01-01", "2027-1-1"])
def test_a_date_that_no_calendar_has_is_refused_as_a_payload(table: Table, date: str) -> None:
    with pytest.raises(WireError, match="day"):
        decode_up(table.name, table.says("day", day(1, date)), "2027-01-11T10:00:00.000Z")
