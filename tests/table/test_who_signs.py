"""Who signs at a table, and at its bank, is the table of approvals: a house with another row has another signature."""

from __future__ import annotations

import pytest

from firmware.bank.events import ClaimPaid, VerdictHeld
from firmware.rules.approvals import APPROVALS, MANAGER, Act, Needs
from firmware.table import events as e
from firmware.table.house import House
from firmware.wire.structs import replace
from tests.bank.casino import Bank
from tests.bank.casino import Table as AtABank
from tests.bank.casino import rules as of_a_bank
from tests.table.table import DIAZ, OKAFOR, Dealer, Table, house_of


def with_managers(act: Act) -> House:
    """A house in which no floorperson signs for this."""
    needs = Needs((MANAGER,), APPROVALS[act].people)
    return replace(house_of("A", "1.00"), approvals={**APPROVALS, act: needs})


def test_law_and_glass_ask_for_whom_the_row_names() -> None:
    table = Table(house=with_managers(Act.PROGRESSIVE)).opens()
    dealer = Dealer(table)
    dealer.presses("problem", "problem progressive-off")
    dealer.sees_no("apply", by=DIAZ)
    table.press("apply", by=DIAZ)
    assert not table.state.felt.out_of_order and table.notice == "A manager's badge and PIN first."
    dealer.presses("apply", by=OKAFOR)
    assert table.last(e.ProgressiveMarked).by == OKAFOR


def test_a_prize_and_its_claim_are_two_rows() -> None:
    table = Table(house=with_managers(Act.CLAIM)).opens()
    dealer = Dealer(table)
    dealer.deals(3)
    dealer.claims(3, "royal flush", floor=OKAFOR)
    table.bank.listens()
    dealer.sees_no("claim-paid", by=DIAZ)
    table.press("claim-paid", by=DIAZ)
    assert not [event for event in table.happened if isinstance(event, e.ClaimPaid)]


@pytest.mark.parametrize(("by", "booked"), [(("2001", "3001"), ClaimPaid), (("3001", "2001"), VerdictHeld)])
def test_the_bank_asks_for_whom_the_row_names(by: tuple[str, str], booked: type) -> None:
    """The last one closes the claim, the others have validated it."""
    needs = Needs((MANAGER,), APPROVALS[Act.CLAIM].people)
    bank, table = Bank(replace(of_a_bank(), approvals={**APPROVALS, Act.CLAIM: needs})), AtABank()
    bank.hears(table, table.wagers(1, 3))
    bank.hears(table, table.claim(1, 3, "royal flush"))
    assert isinstance(bank.hears(table, table.verdict(1, 3, paid=True, by=by))[0], booked)
