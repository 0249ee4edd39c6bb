"""A table whose messages the product's own bank answers."""

from __future__ import annotations

from typing import Any

from firmware.bank import wire as bank_wire
from firmware.bank.decide import BankRules
from firmware.table.inputs import BankSaid
from firmware.table.wire import decode_down
from firmware.wire.payload import write
from firmware.wire.structs import replace
from tests.bank import casino
from tests.table import table as felt


class Bank(felt.Bank):
    """The product's bank answers; the honest one holds the same messages and sees that they are right."""

    def __init__(self, table: felt.Table) -> None:
        super().__init__(table)
        rules = BankRules(casino.TITLE, ("uth-04",), table.house.submission.offers, casino.PEOPLE)
        self.bank = casino.Bank(rules)

    def _hold(self, text: str) -> None:
        super()._hold(text)
        self.bank.told(bank_wire.decode_up("uth-04", text.encode(), casino.AT))

    def said(self, **changes: Any) -> BankSaid:
        down = bank_wire.down(self.bank.state, "uth-04")
        assert down.alarm is None, down.alarm
        return replace(decode_down(write(down), "uth-04"), **changes)
