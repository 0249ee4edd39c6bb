"""The reports of tables, which move no meter, added up from the rows that hold them (docs/mqtt.md, `payment` to `day`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec import Struct, field

from firmware.bank.events import Event, ReportHeld
from firmware.rules.money import Cents, dollars
from firmware.wire.reports import AccountMove, AccountMoved, Counted, DayEnded, PaidAs, Payments, Report
from firmware.wire.structs import replace


class Reported(Struct, frozen=True):
    """The sums of one table: cents `paid` (payout and returned stake), by their kind; accounts, counts and days."""

    paid: Mapping[PaidAs, int] = field(default_factory=lambda: dict.fromkeys(PaidAs, 0))
    bought: int = 0
    cashed: int = 0
    late: int = 0
    differences: int = 0
    days: int = 0

    def followed_by(self, said: Report) -> Reported:
        """With one message more; what is taken back is subtracted."""
        match said:
            case Payments():
                cents = sum(line.payout + line.returned for line in said.lines) * (-1 if said.corrected else 1)
                return replace(self, paid={**self.paid, said.what: self.paid[said.what] + cents})
            case AccountMoved(move=AccountMove.BUY_IN):
                return replace(self, bought=self.bought + said.amount)
            case AccountMoved():
                return replace(self, cashed=self.cashed + said.amount)
            case Counted():
                late, differences = len(said.late), len(said.differences)
                return replace(self, late=self.late + late, differences=self.differences + differences)
            case DayEnded():
                return replace(self, days=self.days + 1)
            case _:
                assert_never(said)


def reported(events: Iterable[Event]) -> dict[str, Reported]:
    """The sums of a ledger's rows, by table."""
    sums: dict[str, Reported] = {}
    for event in events:
        if isinstance(event, ReportHeld):
            table = event.position.table
            sums[table] = sums.get(table, Reported()).followed_by(event.said)
    return sums


def in_words(paid: Mapping[PaidAs, int]) -> str:
    """The payments in dollars: "prize 340.00, envy 0.00, credit 25.00"."""
    return ", ".join(f"{what} {'-' if cents < 0 else ''}{dollars(Cents(abs(cents)))}" for what, cents in paid.items())
