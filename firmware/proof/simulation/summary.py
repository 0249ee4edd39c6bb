"""The summary of a finished run, read from the journals alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from firmware.bank import events as bank_events
from firmware.bank.ledger import Account, Accounts, LedgerBroken
from firmware.rules.money import Micros, dollars, meter_dollars
from firmware.runtime import bank
from firmware.runtime.day_files import Journal
from firmware.runtime.journal import JournalDamaged
from firmware.runtime.table_journal import VOCABULARY
from firmware.table import events as table_events
from firmware.table.phases import Way, way_of
from firmware.table.state import DeckWork, RoundWork

COUNTED: Mapping[Way, str] = {
    DeckWork.INSPECTED: "decks inspected",
    DeckWork.PREINSPECTED: "decks preinspected",
    table_events.RecutOrdered: "cuts ordered",
    table_events.DeviceMarked: "devices covered or back",
    RoundWork.STUB_COUNTED: "stubs counted",
    table_events.RoundVoided: "rounds void",
    table_events.SeatSettled: "seats settled",
    table_events.SettlementCorrected: "settlements corrected",
    table_events.CardsEntered: "hands entered",
    table_events.Undone: "presses undone",
    table_events.TableShut: "times shut",
}
"""How often that happened at the table."""


def summarise(journals: Sequence[Path], ledger: Path, rounds: int) -> Mapping[str, Any]:
    """The summary of tables by their journals, and of their bank by its ledger; `rounds`: how many were played in all.

    Without a ledger (tables without a progressive wager) the summary says nothing of one.
    """
    wagers = late = 0
    dealt: Counter[str] = Counter(dict.fromkeys(COUNTED.values(), 0))
    journal_ok = True
    for journal in journals:
        try:
            for event in _table_events(journal):
                wagers += len(event.seats) if isinstance(event, table_events.CountAgreed) else 0
                late += isinstance(event, table_events.LateWager)
                if (name := COUNTED.get(way_of(event))) is not None:
                    dealt[name] += 1
        except JournalDamaged:
            journal_ok = False
    of_the_bank = _of_the_bank(ledger) if ledger.exists() else {}
    counts = {"rounds": rounds, "wagers": wagers, "late": late, **dealt}
    return {**counts, **of_the_bank, "journal_ok": journal_ok}


def is_right(summary: Mapping[str, Any]) -> bool:
    """Journal, and ledger where there is one, hold what they should."""
    return bool(summary["journal_ok"]) and bool(summary.get("ledger_ok", True))


def _of_the_bank(ledger: Path) -> dict[str, Any]:
    accounts, ledger_ok = _accounts(ledger)
    return {
        "meters": {name: meter_dollars(accounts.stands(name)) for name in accounts.balances},
        "ledger": {str(account): _signed(accounts.total(account)) for account in Account if account != Account.METERS},
        "awards": _awards(ledger),
        "ledger_ok": ledger_ok,
    }


def _table_events(path: Path) -> list[table_events.Event]:
    with closing(Journal(path, VOCABULARY, read_only=True)) as journal:
        return list(journal.replay())


def _accounts(path: Path) -> tuple[Accounts, bool]:
    try:
        return bank.verify(path), True
    except (JournalDamaged, LedgerBroken):
        return Accounts(), False


def _signed(amount: Micros) -> str:
    text = meter_dollars(Micros(abs(amount)))
    return f"-{text}" if amount < 0 else text


def _awards(path: Path) -> list[dict[str, Any]]:
    """Every claim in the order in which it was priced, with what became of it."""
    awards: dict[str, dict[str, Any]] = {}
    with closing(bank.open_journal(path, read_only=True)) as journal:
        for event in journal.replay():
            match event:
                case bank_events.ClaimPriced():
                    claim = event.claim
                    awards[claim.claim] = {
                        "meter": claim.meter,
                        "amount": dollars(claim.amount),
                        "table": claim.table,
                        "round": claim.round,
                        "seat": claim.seat,
                        "status": "pending",
                    }
                case bank_events.ClaimPaid() | bank_events.ClaimPaidOtherwise():
                    awards[event.claim] |= {"status": "paid", "amount": dollars(event.amount)}
                case bank_events.ClaimRejected():
                    awards[event.claim]["status"] = "rejected"
    return list(awards.values())
