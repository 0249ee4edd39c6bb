"""After a start no prize is paid before the bank, which has the other record, was heard; nor while the records differ."""

from __future__ import annotations

import pytest

from firmware.table import events as e
from firmware.table.invariants import broken
from firmware.table.projections import OF_RECORDS, why_unpaid
from tests.table.table import DIAZ, OKAFOR, Dealer, Table

KEYS = {"validate": ("approve", DIAZ), "pay": ("paid", ""), "hold": ("claim-paid", OKAFOR), "envy": ("envy-paid", DIAZ)}


def waits_in(phase: str) -> Table:
    """A table at whose next key a prize is paid, or comes nearer to it."""
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(2, 3, 5)
    table.bank.listens()
    if phase in ("validate", "pay"):
        dealer.names(3, "flush")
    else:
        dealer.claims(3, "royal flush")
        table.bank.listens()
    if phase == "pay":
        dealer.presses("approve", by=DIAZ)
    if phase == "envy":
        dealer.presses("claim-paid", by=OKAFOR)
        table.bank.listens()
    assert table.phase == phase
    return table


def signs(table: Table, key: str, *, by: str) -> None:
    """Under PROBLEM."""
    dealer = Dealer(table)
    dealer.presses(*(() if table.panel else ("problem",)), f"problem {key}")
    dealer.presses("apply", by=by)


@pytest.mark.parametrize("phase", KEYS)
def test_after_a_start_the_key_is_dark_until_the_bank_was_heard(phase: str) -> None:
    table, (key, by) = waits_in(phase), KEYS[phase]
    table.loses_power()
    assert key not in table.pressable(by) and "the bank was not heard" in table.words(by=by)
    table.press(key, by)
    assert table.phase == phase and "the bank was not heard" in table.notice
    assert table.replayed() == table.state, "what was heard outlives no start"
    table.link(True)
    Dealer(table).presses(key, by=by)
    assert table.phase != phase and not broken(table.state)


@pytest.mark.parametrize("phase", KEYS)
def test_a_link_that_drops_after_it_was_heard_hinders_no_prize(phase: str) -> None:
    table, (key, by) = waits_in(phase), KEYS[phase]
    table.link(False)
    Dealer(table).presses(key, by=by)
    assert table.phase != phase


@pytest.mark.parametrize("kind", sorted(OF_RECORDS))
@pytest.mark.parametrize("phase", KEYS)
def test_no_prize_is_paid_while_the_records_differ_and_nobody_signs_for_it_here(phase: str, kind: str) -> None:
    table, (key, by) = waits_in(phase), KEYS[phase]
    table.hears(table.bank.said(alarm=kind, alarm_text="it was put back"))
    assert key not in table.pressable(by)
    table.press(key, by)
    assert table.phase == phase and "may have been paid before" in table.notice
    table.press("problem unheard", by)
    assert not table.panel
    table.hears(table.bank.said())
    Dealer(table).presses(key, by=by)
    assert table.phase != phase


@pytest.mark.parametrize("phase", KEYS)
def test_two_different_people_pay_where_the_bank_stays_silent(phase: str) -> None:
    table, (key, by) = waits_in(phase), KEYS[phase]
    table.loses_power()
    signs(table, "unheard", by=DIAZ)
    assert why_unpaid(table.state), "one person alone"
    Dealer(table).presses("problem unheard-second")
    Dealer(table).sees_no("apply", by=DIAZ)
    table.press("apply", DIAZ)
    assert why_unpaid(table.state) and "signed first" in table.notice
    Dealer(table).presses("apply", by=OKAFOR)
    assert [one.by for one in table.happened if isinstance(one, e.OneSigned)] == [DIAZ, OKAFOR]
    Dealer(table).presses(key, by=by)
    assert table.phase != phase and table.replayed() == table.state
    table.loses_power()
    assert not table.state.neighbors.unheard_by, "after another start they have to sign again"


def test_a_test_that_has_no_bank_pays_at_once() -> None:
    table = Table(live=False).opens()
    dealer = Dealer(table)
    dealer.deals(3)
    dealer.names(3, "flush")
    table.loses_power()
    dealer.presses("approve", by=DIAZ)
    assert table.phase == "pay"
