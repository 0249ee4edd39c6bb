"""The bank knows the people: a verdict by nobody, by one person, or too soon is held until two people have looked."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bank import wire
from firmware.bank.decide import held_verdict
from firmware.bank.events import (
    ClaimPaid,
    ClaimRejected,
    Complained,
    MessageNotHonored,
    RepetitionHeld,
    VerdictHeld,
    position_of,
)
from firmware.bank.inputs import TableBeat, VerdictSigned
from firmware.bank.ledger import Account, verify
from firmware.bank.state import ALARMS_MAX, ROUNDS_MAX
from firmware.wire.structs import replace
from tests.bank.casino import AT, Bank, Table, rules

DOLLAR = 1_000_000
CLAIM = "uth-01:1:3:1"


@pytest.fixture
def table() -> Table:
    return Table()


def claimed(table: Table, least_seconds: int = 0, **claim: Any) -> Bank:
    """A royal flush is claimed; the bank has frozen 10,000.21."""
    bank = Bank(replace(rules("A"), least_seconds=least_seconds))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush", **claim))
    assert bank.amounts(table) == [("pending", "10000.21")]
    return bank


def signs(bank: Bank, *by: str, accepted: bool = True, claim: str = CLAIM) -> Any:
    """What is held is looked at first: its message is what they sign."""
    held = held_verdict(bank.state, claim)
    seq, hash = (held.position.seq, held.position.hash) if held else (1, "0" * 64)
    return bank.told(VerdictSigned(AT, claim, accepted, by, seq, hash))


def assert_held(bank: Bank, table: Table, why: str) -> None:
    """Nothing is booked, the meter stays as frozen, the message is acknowledged, and an alarm says who and why."""
    assert isinstance(bank.events[-1], VerdictHeld)
    said = wire.down(bank.state, table.name)
    assert said.alarm is not None and said.alarm.kind == "verdict"
    assert said.alarm.text.startswith(f"Table uth-01, claim {CLAIM}: ") and why in said.alarm.text
    assert (said.seq, said.hash) == (len(table.said), table.head)
    assert [claim.status for claim in said.claims] == ["held"]
    assert bank.account(Account.PENDING) == 10_000_210_000 and bank.account(Account.AWARDS) == 0
    assert bank.meter() == 10_000 * DOLLAR
    assert [claim.claim for claim in wire.board(bank.state, AT).pending] == [CLAIM] and not bank.state.won


@pytest.mark.parametrize(
    ("by", "why"),
    [
        pytest.param(("2001", "nobody"), "paid $10,000.21 of main, but badge nobody is nobody", id="a stranger"),
        pytest.param(("nobody", "noone"), "badge nobody is nobody of bank.toml", id="two strangers"),
        pytest.param(("2001", "1001"), "badge 1001 is a dealer", id="a dealer"),
        pytest.param(("2001", "2001"), "badge 2001 alone signed, who validated it", id="who validated it"),
        pytest.param(("3001",), "badge 3001 alone signed", id="one person"),
    ],
)
@pytest.mark.parametrize("paid", [True, False])
def test_a_verdict_by_anybody_else_than_two_known_people_is_held(
    table: Table, by: tuple[str, ...], why: str, *, paid: bool
) -> None:
    """Who could write one topic won a jackpot by the word of nobody and noone: $10,002.31 of awards."""
    bank = claimed(table)
    bank.hears(table, table.verdict(1, 3, paid=paid, by=by))
    assert_held(bank, table, why if paid else why.replace("paid $10,000.21 of main, but", "rejected, but"))


def test_a_claim_that_nobody_of_the_bank_validated_is_not_closed_by_two_who_are_known(table: Table) -> None:
    bank = claimed(table, floor="9999")
    bank.hears(table, table.verdict(1, 3, paid=True))
    assert_held(bank, table, "badge 9999 is nobody of bank.toml")


@pytest.mark.parametrize(
    ("at", "why"),
    [
        pytest.param(1_000_059, "badge 3001 signed 59 s after the claim, least_seconds is 60", id="too soon"),
        pytest.param(999_000, "badge 3001 signed -1000 s after the claim", id="before the claim"),
        pytest.param(0, "badge 3001 signed at no time that is told", id="without a time"),
    ],
)
def test_a_verdict_sooner_than_least_seconds_after_the_claim_is_held(table: Table, at: int, why: str) -> None:
    bank = claimed(table, 60, at=1_000_000)
    bank.hears(table, table.verdict(1, 3, paid=True, price={"at": at} if at else {}))
    assert_held(bank, table, why)


NOW = 1_795_270_025
"""Seconds of UTC; the bank's clock says the same to a minute."""
DAY, YEARS = 24 * 3600, 73 * 365 * 24 * 3600


@pytest.mark.parametrize("apart", [0, 200, 3600, -3600, 8 * DAY, -30 * DAY, YEARS, -NOW + 61], ids=str)
def test_how_far_the_clocks_of_table_and_bank_are_apart_holds_no_verdict(table: Table, apart: int) -> None:
    """One of the two jumped, or stands in 1970: how long people had is the table's own monotonic clock's to say."""
    bank = claimed(table, 60, at=NOW + apart - 60)
    (paid,) = bank.hears(table, table.verdict(1, 3, paid=True, price={"at": NOW + apart}))
    assert isinstance(paid, ClaimPaid) and bank.alarm(table) is None


@pytest.mark.parametrize(("made", "at"), [(1, 2**53 - 1), (NOW, NOW + 2 * YEARS), (1, NOW)], ids=["both", "at", "made"])
def test_a_time_that_cannot_be_is_held(table: Table, made: int, at: int) -> None:
    """Claim and verdict came together, signed in 1970 and in the year 285428751, and were booked: least_seconds is 60."""
    bank = claimed(table, 60, at=made)
    bank.hears(table, table.verdict(1, 3, paid=True, price={"at": at}))
    assert_held(bank, table, "s after the claim: a time is invented")


def test_a_claim_that_waited_for_weeks_is_booked(table: Table) -> None:
    """A table stood switched off with its claim on the glass."""
    bank = claimed(table, 60, at=NOW)
    (paid,) = bank.hears(table, table.verdict(1, 3, paid=True, price={"at": NOW + 40 * DAY}))
    assert isinstance(paid, ClaimPaid) and bank.alarm(table) is None


def test_the_times_are_the_tables_own_however_late_both_messages_arrive(table: Table) -> None:
    """After an outage claim and verdict come in one moment: what counts is how long people had at the table."""
    bank = claimed(table, 60, at=1_000_000)
    (paid,) = bank.hears(table, table.verdict(1, 3, paid=True, price={"at": 1_000_060}))
    assert isinstance(paid, ClaimPaid) and bank.alarm(table) is None


# What becomes of it ---------------------------------------------------------------------------------------------------


@pytest.fixture
def held(table: Table) -> Bank:
    bank = claimed(table)
    bank.hears(table, table.verdict(1, 3, paid=True, by=("2001", "nobody")))
    return bank


def test_two_people_accept_a_held_verdict_and_it_is_booked_as_it_was_said(held: Bank, table: Table) -> None:
    (paid,) = signs(held, "3001", "4001")
    assert isinstance(paid, ClaimPaid) and (paid.by, paid.accepted) == (("2001", "nobody"), ("3001", "4001"))
    assert position_of(paid) is None, "its message was held before, and is not held twice"
    assert held.amounts(table) == [("paid", "10000.21")] and held.alarm(table) is None
    assert held.account(Account.AWARDS) == 10_000_210_000 and held.account(Account.PENDING) == 0
    assert verify(held.ledger) == held.state.accounts == held.replayed().accounts
    assert [type(event) for event in held.hears(table, table.wagers(2, 1))] != [Complained], "the table plays on"


def test_two_people_refuse_a_held_payment_and_the_claim_is_no_winner(held: Bank, table: Table) -> None:
    (rejected,) = signs(held, "3001", "4001", accepted=False)
    assert isinstance(rejected, ClaimRejected) and "badge nobody" in rejected.reason
    assert held.amounts(table) == [("rejected", "10000.21")] and held.alarm(table) is None
    assert held.meter() == 10_000_210_000 and held.account(Account.AWARDS) == 0
    assert verify(held.ledger) == held.state.accounts == held.replayed().accounts


def test_a_verdict_that_rejects_is_accepted_or_stays_held(table: Table) -> None:
    bank = claimed(table)
    bank.hears(table, table.verdict(1, 3, paid=False, by=("2001", "nobody")))
    (complained,) = signs(bank, "3001", "4001", accepted=False)
    assert isinstance(complained, Complained) and bank.alarm(table) == "verdict"
    (rejected,) = signs(bank, "3001", "4001")
    assert isinstance(rejected, ClaimRejected) and bank.meter() == 10_000_210_000


@pytest.mark.parametrize("by", [("3001",), ("3001", "3001"), ()])
def test_one_person_ends_no_held_verdict(held: Bank, table: Table, by: tuple[str, ...]) -> None:
    (complained,) = signs(held, *by)
    assert isinstance(complained, Complained) and "two different people" in complained.text
    assert_held_still(held, table)


def assert_held_still(bank: Bank, table: Table) -> None:
    assert [claim.status for claim in wire.down(bank.state, table.name).claims] == ["held"]


def test_what_is_not_held_is_not_ended(held: Bank, table: Table) -> None:
    signs(held, "3001", "4001")
    for claim in (CLAIM, "uth-01:9:3:1", "uth-77:1:1:1", "nothing"):
        (complained,) = signs(held, "3001", "4001", claim=claim)
        assert isinstance(complained, Complained) and "is not held" in complained.text
    assert held.account(Account.AWARDS) == 10_000_210_000


def test_adopting_the_table_ends_the_alarm_and_books_nothing(held: Bank, table: Table) -> None:
    """It is held by name until somebody says what it was."""
    held.adopts(table, "3001", "4001")
    assert held.alarm(table) is None
    assert_held_still(held, table)
    signs(held, "3001", "4001")
    assert held.amounts(table) == [("paid", "10000.21")]


def test_no_flood_of_other_alarms_hides_a_verdict_that_is_held(table: Table) -> None:
    """After sixteen void rounds that never were the seventeenth alarm was none, and the verdict was held in silence."""
    bank = claimed(table)
    for round in range(100, 140):
        bank.hears(table, table.void(round))
    assert bank.alarm(table) == "void"
    bank.hears(table, table.verdict(1, 3, paid=True, by=("2001", "nobody")))
    assert_held(bank, table, "badge nobody")
    assert len(bank.state.book(table.name).alarms) <= 2 * ALARMS_MAX + 1, "and they fill no journal"
    signs(bank, "3001", "4001")
    assert bank.alarm(table) == "void", "it stands until somebody looks"
    assert bank.replayed() == bank.state


def test_no_flood_of_other_alarms_hides_a_journal_that_was_put_back(table: Table) -> None:
    bank = claimed(table)
    for round in range(100, 140):
        bank.hears(table, table.void(round))
    bank.told(TableBeat(AT, table.name, table.journal, 7, "a" * 64))
    bank.told(TableBeat(AT, table.name, table.journal, 6, "b" * 64))
    assert [alarm.kind for alarm in bank.state.book(table.name).alarms].count("behind") == 1


def test_a_restart_keeps_it(held: Bank, table: Table) -> None:
    held.restarts()
    assert held.alarm(table) == "verdict"
    assert_held_still(held, table)
    assert isinstance(signs(held, "3001", "4001")[0], ClaimPaid)


def test_a_doubled_message_changes_nothing(held: Bank, table: Table) -> None:
    before = held.state
    assert held.hears(table, table.said[-1]) == () and held.state == before
    signs(held, "3001", "4001")
    before = held.state
    assert held.hears(table, table.said[-1]) == () and held.state == before


def test_the_same_verdict_under_a_new_number_is_held_once(held: Bank, table: Table) -> None:
    (again,) = held.hears(table, table.verdict(1, 3, paid=True, by=("2001", "nobody")))
    assert isinstance(again, RepetitionHeld)
    assert len(held.state.book(table.name).alarms) == 1


@pytest.mark.parametrize("by", [("2001", "nobody"), ("9999", "3001")])
def test_a_second_verdict_takes_the_place_of_none_that_people_are_looking_at(
    held: Bank, table: Table, by: tuple[str, ...]
) -> None:
    """$10,000.21 was held, then another one of the same claim said $500,000.00: who accepted the first booked the second."""
    (again,) = held.hears(table, table.verdict(1, 3, paid=True, by=by, price={"amount": "500000.00"}))
    assert isinstance(again, MessageNotHonored) and again.kind == "claim"
    assert "paid $500,000.00 of main, but message 3 on it is held already" in again.text
    assert "paid $10,000.21 of main, but badge nobody" in wire.down(held.state, table.name).alarm.text  # type: ignore[union-attr]
    (paid,) = signs(held, "3001", "4001")
    assert isinstance(paid, ClaimPaid) and held.account(Account.AWARDS) == 10_000_210_000
    assert verify(held.ledger) == held.state.accounts == held.replayed().accounts


def test_people_end_only_the_message_that_they_were_shown(held: Bank, table: Table) -> None:
    position = held.events[-1].position  # type: ignore[union-attr]
    for seq, hash in ((position.seq + 1, position.hash), (position.seq, "0" * 64)):
        (complained,) = held.told(VerdictSigned(AT, CLAIM, True, ("3001", "4001"), seq, hash))
        assert isinstance(complained, Complained) and "not the one that is held; look again" in complained.text
    assert_held_still(held, table)


def test_more_than_anybody_pays_is_held_with_its_amount(table: Table) -> None:
    """Twelve of them summed up to more than a ledger's file can hold."""
    bank = claimed(table)
    bank.hears(table, table.verdict(1, 3, paid=True, price={"amount": "999999999999.99", "version": 1}))
    assert_held(bank, table, "paid $999,999,999,999.99 of main, but nobody pays more than $100,000,000.00")
    (rejected,) = signs(bank, "3001", "4001", accepted=False)
    assert isinstance(rejected, ClaimRejected) and bank.meter() == 10_000_210_000


def test_a_verdict_of_two_known_people_after_it_is_booked(held: Bank, table: Table) -> None:
    (paid,) = held.hears(table, table.verdict(1, 3, paid=True))
    assert isinstance(paid, ClaimPaid) and held.amounts(table) == [("paid", "10000.21")]
    assert held.alarm(table) is None
    assert isinstance(signs(held, "3001", "4001")[0], Complained), "nothing is held any more"


def raised_after_it_was_paid(table: Table) -> Bank:
    """Seat 3 was paid, and the claim before his was found to be no winner since: he is owed more."""
    bank, other = Bank(rules("A")), Table("uth-02", "b" * 32)
    bank.hears(table, table.wagers(1, 3))
    bank.hears(other, other.wagers(1, 1))
    bank.hears(other, other.claim(1, 1, "royal flush"))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.hears(table, table.verdict(1, 3, paid=True))
    bank.hears(other, other.verdict(1, 1, paid=False))
    return bank


def test_a_second_payment_by_nobody_is_held_and_the_debt_stays_owed(table: Table) -> None:
    bank = raised_after_it_was_paid(table)
    owed = bank.account(Account.OWED)
    assert owed > 0 and bank.alarm(table) == "owed"
    due = wire.down(bank.state, table.name).claims[0]
    price = {"amount": f"{due.amount // 100}.{due.amount % 100:02d}", "version": due.version}
    bank.hears(table, table.verdict(1, 3, paid=True, by=("2001", "nobody"), price=price))
    assert isinstance(bank.events[-1], VerdictHeld) and bank.account(Account.OWED) == owed
    assert wire.down(bank.state, table.name).claims[0].status == "held"
    (refused,) = signs(bank, "3001", "4001", accepted=False)
    assert isinstance(refused, Complained) and bank.account(Account.OWED) == owed
    signs(bank, "3001", "4001")
    assert bank.account(Account.OWED) == 0 and verify(bank.ledger) == bank.state.accounts


def left_behind(table: Table) -> tuple[Bank, Table]:
    """The card of the table is lost while its royal flush waits; two people have adopted the new one."""
    bank, new = claimed(table), Table(table.name, "c" * 32)
    bank.adopts(new, "3001", "4001")
    bank.hears(new, new.wagers(1, 3))
    return bank, new


@pytest.mark.parametrize("accepted", [True, False])
def test_two_people_end_a_claim_of_a_journal_that_its_table_does_not_write_any_more(
    table: Table, accepted: bool
) -> None:
    """Nobody at the table can: forty of them closed it for ever, and the first rounds of the new card had no claim."""
    bank, new = left_behind(table)
    held = held_verdict(bank.state, CLAIM)
    assert held is not None and held.text == (
        f"Table uth-01, claim {CLAIM}: $10,000.21 of main wait to be paid, "
        "and the table does not write journal aaaaaaaa any more"
    )
    fed = bank.meter() - 10_000 * DOLLAR
    (complained,) = signs(bank, "3001", "3001", accepted=accepted)
    assert isinstance(complained, Complained)
    (ended,) = signs(bank, "3001", "4001", accepted=accepted)
    assert isinstance(ended, ClaimPaid if accepted else ClaimRejected)
    assert ended.by == ended.accepted == ("3001", "4001") and ended.reason == held.text
    assert bank.account(Account.PENDING) == 0 and verify(bank.ledger) == bank.state.accounts
    assert bank.account(Account.AWARDS) == (10_000_210_000 if accepted else 0)
    assert bank.meter() - fed == (10_000 if accepted else 10_000.21) * DOLLAR
    assert bank.replayed() == bank.state and wire.down(bank.state, new.name).seq == 1
    assert held_verdict(bank.state, CLAIM) is None and isinstance(signs(bank, "3001", "4001")[0], Complained)


def test_a_claim_of_the_journal_that_its_table_writes_is_ended_there_alone(table: Table) -> None:
    bank = claimed(table)
    assert held_verdict(bank.state, CLAIM) is None
    assert isinstance(signs(bank, "3001", "4001")[0], Complained) and bank.account(Account.AWARDS) == 0


def test_another_price_of_a_claim_that_was_left_behind_is_looked_at_again(table: Table) -> None:
    """An earlier claim is found to be no winner between the look and the signatures."""
    bank, other = Bank(rules("A")), Table("uth-02", "b" * 32)
    bank.hears(other, other.wagers(1, 1))
    bank.hears(other, other.claim(1, 1, "royal flush"))
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    bank.adopts(Table(table.name, "c" * 32), "3001", "4001")
    seen = held_verdict(bank.state, CLAIM)
    assert seen is not None
    bank.hears(other, other.verdict(1, 1, paid=False))
    (complained,) = bank.told(VerdictSigned(AT, CLAIM, True, ("3001", "4001"), seen.position.seq, seen.position.hash))
    assert isinstance(complained, Complained) and "look again" in complained.text
    signs(bank, "3001", "4001")
    assert bank.account(Account.AWARDS) == 10_000_420_000 and bank.account(Account.OWED) == 0


def test_what_a_journal_that_is_gone_is_owed_is_paid_at_the_cage_and_booked(table: Table) -> None:
    bank = raised_after_it_was_paid(table)
    assert bank.account(Account.OWED) > 0
    bank.adopts(Table(table.name, "c" * 32), "3001", "4001")
    (refused,) = signs(bank, "3001", "4001", accepted=False)
    assert isinstance(refused, Complained), "it was a winner: only its player can be gone"
    (paid,) = signs(bank, "3001", "4001")
    assert isinstance(paid, ClaimPaid) and bank.account(Account.OWED) == 0 and bank.alarm(table) is None
    assert verify(bank.ledger) == bank.state.accounts and bank.replayed() == bank.state


def rejection_held(table: Table) -> Bank:
    """The table says "no winner"; a badge is nobody of the bank's, so two people have to look."""
    bank = claimed(table)
    bank.hears(table, table.verdict(1, 3, paid=False, by=("2001", "nobody")))
    return bank


def prize(round: int, seat: int) -> dict[str, Any]:
    law = {"result": "win", "stake": "1.00", "returned": "0.00", "cite": "653a.12(d)(1)", "source": "rack"}
    line = {"seat": seat, "wager": "progressive", "payout": "300.00", "odds": "300 for 1", **law}
    return {"round": round, "what": "prize", "lines": [line]}


@pytest.mark.parametrize(
    ("then", "why"),
    [
        pytest.param(("payment",), "its wager was paid a fixed prize then", id="a fixed prize"),
        pytest.param(("void",), "its round was void then", id="a void round"),
        pytest.param(("void", "wagers"), "its round was void then", id="a void round whose bets were opened again"),
        pytest.param(("void", "wagers", "payment"), "its round was void then", id="and a prize in it"),
        pytest.param(("later",), "its round is too long ago to be compared", id="many rounds"),
    ],
)
def test_653a_11_k_after_a_rejection_that_is_held_a_wager_wins_no_second_prize(
    table: Table, then: tuple[str, ...], why: str
) -> None:
    """$300.00 and $10,000.21 were booked for one dollar, and a jackpot on a round that was void."""
    bank = rejection_held(table)
    for what in then:
        if what == "payment":
            bank.hears(table, table.says("payment", prize(1, 3)))
        elif what == "void":
            bank.hears(table, table.void(1))
        elif what == "wagers":
            bank.hears(table, table.wagers(1, 3))
        else:
            for round in range(2, ROUNDS_MAX + 2):
                bank.hears(table, table.wagers(round, 1))
    assert bank.alarm(table) == "verdict", "what the table did after its own verdict is booked"
    (event,) = bank.hears(table, table.verdict(1, 3, paid=True))
    assert isinstance(event, MessageNotHonored) and event.kind == "claim"
    assert event.text == f"{CLAIM} is paid $10,000.21 of main, but it was rejected before and {why}"
    assert bank.account(Account.AWARDS) == 0 and not bank.state.won
    signs(bank, "3001", "4001")
    assert bank.amounts(table) == [("rejected", "10000.21")], "two people end it"
    assert verify(bank.ledger) == bank.state.accounts and bank.replayed() == bank.state


def test_a_right_verdict_takes_the_place_of_a_rejection_that_is_held(table: Table) -> None:
    """Where nothing became of the wager since."""
    bank = rejection_held(table)
    bank.hears(table, table.verdict(1, 3, paid=True))
    assert bank.amounts(table) == [("paid", "10000.21")] and bank.alarm(table) is None
