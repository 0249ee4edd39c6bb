"""The second payment of a claim that was paid too little, because an earlier one of its meter was no winner.

The bank owes it by name (docs/mqtt.md). Between two rounds a floorperson signs, and a second person ends it: paid, exactly
as owed and never from the rack, or the player has gone, and the debt stays until it is paid. It closes no bets.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.approvals import Act
from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import prize_of
from firmware.rules.money import NO_MONEY, Cents
from firmware.rules.paytable import Share
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.inputs import BankSaid, ClaimAnswer
from firmware.table.outbox import owe
from firmware.table.press import Press
from firmware.table.state import NO_PANEL, STRANGER, Debt, Panel, PanelKind, Price, SharePaid, TableState
from firmware.wire.from_table import Verdict
from firmware.wire.structs import replace

OWED = "owed"
"""The bank's alarm that a claim is owed more: no reason to close anything, the claims of its word say what is owed."""
GONE = "the player has gone"


def heard(state: TableState, given: BankSaid) -> Iterator[e.Event]:
    """The bank's debts, once it holds all that it was sent: an older word may be of before a payment."""
    if given.retained or given.seq != state.seq:
        return
    owed = tuple(
        Debt(one.claim, Price(one.amount, one.meter, given.epoch, one.version), one.owed, one.gone)
        for one, _ in _owed(state, given)
    )
    if owed != tuple(replace(debt, by="") for debt in state.neighbors.debts):
        yield e.DebtsHeard(owed)
    known = {debt.claim for debt in owed}
    if unknown := [one.claim for one in _said(given) if one.claim not in known]:
        text = f"owes more for {', '.join(unknown)}, which this table's journal has not priced"
        if text != state.desk.stranger:
            yield e.Complained(STRANGER, text, 1)


def too_much(house: House, state: TableState, given: BankSaid) -> Message:
    """A debt that, with what was paid, is above its share of what its meter ever held by the board; else NOTHING."""
    if given.most is None:
        return NOTHING
    most = dict(given.most)
    for one, known in _owed(state, given):
        share = prize_of(house.submission, known.wager, HandName(known.hand))
        limit = share.most(Cents(most.get(share.meter, 0))) if isinstance(share, Share) else NO_MONEY
        if (said := max(one.amount, known.paid + one.owed)) > limit:
            return say("bank.price-above", amount=Cents(said), most=limit)
    return NOTHING


def _owed(state: TableState, given: BankSaid) -> Iterator[tuple[ClaimAnswer, SharePaid]]:
    """Debts for claims that this journal has paid. Nobody here can say of another claim that it was won."""
    paid = {one.claim: one for one in state.neighbors.shares}
    return ((one, paid[one.claim]) for one in _said(given) if one.claim in paid)


def _said(given: BankSaid) -> Iterator[ClaimAnswer]:
    """The claims that are owed more by the bank's word, of any table."""
    return (one for one in given.claims if one.status == "paid" and one.owed)


def open_debt(state: TableState) -> Debt | None:
    """The one that is worked on: the oldest whose player is there, else the oldest; None where nothing is owed."""
    known = state.neighbors.debts
    signed = (debt for debt in known if debt.by)
    return next(signed, None) or min(known, key=lambda debt: debt.gone, default=None)


def waiting(state: TableState) -> Debt | None:
    """A debt whose player was not found gone: it is told between rounds; None for none."""
    return next((debt for debt in state.neighbors.debts if not debt.gone), None)


def signed(state: TableState, press: Press) -> Iterator[e.Event]:
    """The first of two people; the list then offers the second one both ends."""
    debt = open_debt(state)
    assert debt is not None, "a payment of what nobody is owed"
    yield e.OneSigned(Act.OWED, debt.claim, by=press.by)
    yield e.PanelTurned(Panel(PanelKind.PROBLEM))


def ended(state: TableState, press: Press, *, paid: bool) -> Iterator[e.Event]:
    """A second, different person ends it: paid, or the player has gone. The bank is told with a verdict."""
    debt = open_debt(state)
    assert debt is not None and debt.by, "a payment that nobody signed for"
    if press.by == debt.by:
        yield press.refused(say("problem.owed-second", badge=press.by), Act.OWED)
        return
    both, price = (debt.by, press.by), debt.price
    yield e.DebtEnded(debt.claim, debt.owed, both, paid, by=press.by)
    amount = Cents(price.amount if paid else price.amount - debt.owed)
    said = (amount, price.meter, price.epoch, price.version)
    yield owe(state, Verdict(debt.claim, True, *said, both, "" if paid else GONE, press.at, not paid))
    yield e.PanelTurned(NO_PANEL)
