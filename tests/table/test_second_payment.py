"""The second payment of a claim that is owed more: two people, exactly the rest or the player gone, and no bets closed."""

from __future__ import annotations

import pytest

from firmware.rules.money import Cents
from firmware.table import events as e
from firmware.table.inputs import BankSaid, ClaimAnswer
from firmware.wire.structs import replace
from tests.table.table import DIAZ, OKAFOR, TECHNICIAN, Dealer, Table

CLAIM = "uth-04:1:3:2"
PAID, OWED = Cents(1_000_063), Cents(62_895)
IN_ALL = Cents(PAID + OWED)


def word(table: Table, *, gone: bool = False, paid: bool = False) -> BankSaid:
    """What the bank says of this table once the earlier claim was rejected."""
    owed = Cents(0) if paid else OWED
    return table.bank.said(claims=(ClaimAnswer(CLAIM, "paid", IN_ALL, "main", 9, owed, gone),))


@pytest.fixture
def table() -> Table:
    """Bets are open; a royal flush was paid in round 1, and the bank owes its winner more."""
    table = royal_paid()
    table.hears(word(table))
    return table


def royal_paid() -> Table:
    """Bets are open; a royal flush was paid in round 1."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(2, 3, 5)
    table.bank.listens()
    dealer.claims(3, "royal flush")
    table.bank.listens()
    dealer.presses("claim-paid", by=OKAFOR)
    table.bank.listens()
    dealer.presses("envy-paid", "clear", by=DIAZ)
    table.bank.listens()
    return table


def opens(table: Table, key: str, *, by: str) -> None:
    """One of the keys under PROBLEM, signed."""
    dealer = Dealer(table)
    dealer.presses(*(() if table.panel else ("problem",)), f"problem {key}")
    dealer.presses("apply", by=by)


def owed_verdict(table: Table) -> dict[str, object]:
    return table.owed[-1].body


def test_the_table_says_what_is_owed_and_bets_stay_open(table: Table) -> None:
    assert table.phase == "open" and not table.state.neighbors.bank_alarm
    assert "Seat 3 of round 1 is still owed $628.95" in table.words()
    table.seats(5).place()
    assert table.lit == (5,)
    Dealer(table).presses("no-more-bets", "count 1")
    assert "is still owed" not in table.words(), "not beside another player's money"
    table.hears(word(table))
    assert table.phase == "deal"


def test_the_banks_alarm_about_it_closes_nothing(table: Table) -> None:
    table.hears(replace(word(table), alarm="owed", alarm_text=f"{CLAIM} is owed $628.95 more"))
    assert not table.state.neighbors.bank_alarm
    table.hears(replace(word(table), alarm="rules", alarm_text="another wager"))
    assert table.state.neighbors.bank_alarm == "rules"


def test_two_people_pay_exactly_what_is_owed(table: Table) -> None:
    opens(table, "owed", by=DIAZ)
    opens(table, "owed-paid", by=OKAFOR)
    paid = table.last(e.DebtEnded)
    assert (paid.claim, paid.owed, paid.signed) == (CLAIM, OWED, (DIAZ, OKAFOR))
    said = {
        "claim": CLAIM,
        "paid": True,
        "amount": "10629.58",
        "meter": "main",
        "epoch": table.bank.epoch,
        "version": 9,
    }
    assert owed_verdict(table) == {**said, "by": [DIAZ, OKAFOR], "reason": "", "at": table.clock}
    assert not table.state.neighbors.debts and not table.panel and table.phase == "open"


def test_the_rest_is_an_award_of_the_day_in_which_it_was_paid(table: Table) -> None:
    opens(table, "owed", by=DIAZ)
    assert table.state.days.total.awards == (("main", PAID),)
    opens(table, "owed-paid", by=OKAFOR)
    assert table.state.days.total.awards == (("main", IN_ALL),)


def test_who_has_gone_stays_owed_and_is_paid_when_he_comes_back(table: Table) -> None:
    opens(table, "owed", by=DIAZ)
    opens(table, "owed-gone", by=OKAFOR)
    ended = table.last(e.DebtEnded)
    assert ended.signed == (DIAZ, OKAFOR) and not ended.paid
    said = owed_verdict(table)
    assert (said["paid"], said["amount"], said["gone"]) == (True, "10000.63", True)
    assert "is still owed" not in table.words(), "nobody waits for it"
    opens(table, "owed", by=OKAFOR)
    Dealer(table).sees_no("problem owed-gone")
    opens(table, "owed-paid", by=DIAZ)
    assert owed_verdict(table)["amount"] == "10629.58" and not table.state.neighbors.debts


@pytest.mark.parametrize("key", ["owed-paid", "owed-gone"])
def test_who_signed_first_does_not_end_it(table: Table, key: str) -> None:
    before = len(table.owed)
    opens(table, "owed", by=DIAZ)
    dealer = Dealer(table)
    dealer.presses(f"problem {key}")
    dealer.sees_no("apply", by=DIAZ)
    table.press("apply", DIAZ)
    assert table.notice == "Badge 2001 signed first: a second person ends it."
    assert table.state.neighbors.debts[0].by == DIAZ and len(table.owed) == before


@pytest.mark.parametrize("badge", ["", TECHNICIAN, "9999"])
def test_nobody_below_a_floorperson_signs_for_it(table: Table, badge: str) -> None:
    Dealer(table).presses("problem", "problem owed")
    table.press("apply", badge)
    assert "floorperson" in table.notice and not table.state.neighbors.debts[0].by


def test_it_is_not_ended_before_somebody_signed_and_never_in_a_round(table: Table) -> None:
    for key in ("owed-paid", "owed-gone"):
        table.press(f"problem {key}")
        assert not table.panel and table.notice
    Dealer(table).presses("no-more-bets")
    table.press("problem owed")
    assert table.notice and not table.panel.startswith("problem owed")


def test_a_restart_keeps_the_debt_and_the_first_signature(table: Table) -> None:
    opens(table, "owed", by=DIAZ)
    table.restarts()
    assert table.state.neighbors.debts[0].by == DIAZ
    table.hears(word(table))
    assert table.state.neighbors.debts[0].by == DIAZ, "the bank's word again changes nothing"
    opens(table, "owed-paid", by=OKAFOR)
    table.restarts()
    assert not table.state.neighbors.debts and table.owed[-1].kind == "verdict"


def test_an_older_word_of_the_bank_brings_no_paid_debt_back(table: Table) -> None:
    """Doubled, kept by the broker, or of a ledger that was restored: until it holds the verdict it is of before."""
    older = word(table)
    opens(table, "owed", by=DIAZ)
    opens(table, "owed-paid", by=OKAFOR)
    for said in (older, older, replace(older, retained=True)):
        table.hears(said)
        assert not table.state.neighbors.debts


def test_another_amount_needs_both_signatures_anew(table: Table) -> None:
    opens(table, "owed", by=DIAZ)
    more = replace(word(table).claims[0], amount=IN_ALL + 100, owed=OWED + 100, version=12)
    table.hears(replace(word(table), claims=(more,)))
    (debt,) = table.state.neighbors.debts
    assert (debt.owed, debt.by) == (OWED + 100, "")


def test_what_was_signed_is_not_undone(table: Table) -> None:
    opens(table, "owed", by=DIAZ)
    assert table.final == "OneSigned"
    opens(table, "owed-paid", by=OKAFOR)
    assert table.final == "MessageOwed"


def test_a_round_that_is_void_before_its_bets_were_locked_reverses_nothing_because_of_it(table: Table) -> None:
    """The message of a payment is none about this round's wagers."""
    opens(table, "owed", by=DIAZ)
    opens(table, "owed-paid", by=OKAFOR)
    assert not table.state.round.sent_wagers


def test_what_the_bank_says_is_paid_is_not_shown(table: Table) -> None:
    table.hears(word(table, paid=True))
    assert not table.state.neighbors.debts and "still owed" not in table.words()


MOST = (("main", IN_ALL),)


def forged(table: Table, claim: str, amount: int, owed: int) -> BankSaid:
    """A word of whoever can write on the bank's topic."""
    answer = ClaimAnswer(claim, "paid", Cents(amount), "main", 9, Cents(owed), False)
    return replace(table.bank.said(claims=(answer,)), most=MOST)


def test_more_is_owed_for_no_claim_that_this_table_never_paid(table: Table) -> None:
    """Two badges under a debt that nobody here has won would pay whoever wrote the message."""
    table.hears(forged(table, "uth-04:7:5:9", IN_ALL, OWED))
    assert not table.state.neighbors.debts and "still owed" not in table.words()
    complaint = table.last(e.Complained)
    assert complaint.text == "owes more for uth-04:7:5:9, which this table's journal has not priced"
    table.hears(forged(table, "uth-04:7:5:9", IN_ALL, OWED))
    assert sum(isinstance(one, e.Complained) for one in table.happened) == 1, "said once, however often it is repeated"


@pytest.mark.parametrize(
    "amount, owed",
    [(99_999_999_999, OWED), (IN_ALL, 99_999_999_999), (IN_ALL + 1, OWED + 1), (PAID, OWED + 1)],
)
def test_a_debt_above_what_its_meter_ever_held_is_an_alarm_and_nobody_signs_for_it(
    table: Table, amount: int, owed: int
) -> None:
    table.hears(replace(word(table, paid=True), most=MOST))
    table.hears(forged(table, CLAIM, amount, owed))
    assert table.state.neighbors.bank_alarm == "price" and not table.state.neighbors.debts
    table.hears(replace(word(table), most=MOST))
    assert not table.state.neighbors.bank_alarm and table.state.neighbors.debts[0].owed == OWED


def test_what_was_paid_once_is_not_owed_again(table: Table) -> None:
    """The same word once more, after two people have paid it: with it the claim would be above its meter."""
    opens(table, "owed", by=DIAZ)
    opens(table, "owed-paid", by=OKAFOR)
    last = table.state.neighbors.outbox[-1]
    table.hears(replace(forged(table, CLAIM, IN_ALL, OWED), seq=last.seq, hash=last.hash))
    assert table.state.neighbors.bank_alarm == "price" and not table.state.neighbors.debts


# A rejected claim that is opened again ----------------------------------------------------------------------------------


def test_a_rejected_claim_that_is_opened_again_is_paid_by_two_people_like_what_is_owed() -> None:
    """By order of the regulator the bank owes it as it stood; another table's, or one that was never priced, it does not."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(2, 3, 5)
    table.bank.listens()
    dealer.claims(3, "royal flush")
    table.bank.listens()
    dealer.presses("claim-rejected", by=OKAFOR)
    dealer.presses("clear")
    table.bank.listens()
    table.restarts()
    table.bank.listens()
    assert table.state.days.total.awards == ()
    table.hears(table.bank.said(claims=(ClaimAnswer(CLAIM, "paid", PAID, "main", 9, PAID, False),)))
    assert "Seat 3 of round 1 is still owed $10,000.63" in table.words()
    opens(table, "owed", by=DIAZ)
    opens(table, "owed-paid", by=OKAFOR)
    assert table.last(e.DebtEnded).owed == PAID and owed_verdict(table)["amount"] == "10000.63"
    assert table.state.days.total.awards == (("main", PAID),) and not table.state.neighbors.debts
