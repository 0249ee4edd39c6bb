"""The bank of a rehearsal: the casino's own law and ledger, in the same process, told over the same wire."""

from __future__ import annotations

from collections.abc import Mapping

from firmware.bank.decide import BankRules, decide
from firmware.bank.inputs import Input, Started
from firmware.bank.ledger import Account, booked
from firmware.bank.meters import account_of
from firmware.bank.state import BankState, evolve
from firmware.bank.wire import decode_up, down
from firmware.rules.money import Cents, Micros, cut_to_cents, dollars
from firmware.rules.submission import Submission
from firmware.table.inputs import BankSaid
from firmware.table.wire import MeterHeard, decode_down, heard
from firmware.wire.payload import write
from firmware.wire.structs import replace


def rules_of(title: str, tables: tuple[str, ...], submission: Submission, people: Mapping[str, str]) -> BankRules:
    """The rules of a bank for this submission, which has a progressive wager; `people`: badge -> role."""
    assert submission.on_sensor, "a bank keeps the meters of a progressive wager"
    return BankRules(title, tables, submission.offers, people)


class Bank:
    """One bank. `epoch` names its ledger; every time is given."""

    def __init__(self, rules: BankRules, epoch: str, at: str) -> None:
        self.rules = rules
        self.state = BankState()
        self._take(Started(at, epoch, restored=False))

    def hear(self, table: str, text: str, at: str) -> None:
        """One message that a table owed."""
        self._take(decode_up(table, text.encode(), at))

    def says(self, table: str, *, wire: bool = True) -> BankSaid:
        """Its record of a table, over the wire and back; without the `wire` as it is."""
        said = down(self.state, table)
        return decode_down(write(said), table) if wire else heard(said)

    def _take(self, given: Input) -> None:
        for event in decide(self.rules, self.state, given):
            self.state = evolve(self.state, event)

    # Meters ----------------------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Every meter and reserve."""
        return tuple(one.name for one in self.state.seeds)

    def put(self, meter: str, amount: Micros) -> None:
        """So much stands on a meter before the first step: the house has put it there."""
        more = amount - self.state.meter(meter)
        entries = booked(meter, "", 0, {Account.SEEDS: more, account_of(meter): more})
        self.state = replace(self.state, meters=self.state.meters.posted(entries), version=self.state.version + 1)

    def stands(self, meter: str) -> Cents:
        """The amount on a meter, cut to the cent."""
        return cut_to_cents(self.state.meter(meter))

    def pending(self, meter: str) -> Cents:
        """The claims of a meter that are neither paid nor rejected, in cents."""
        return Cents(sum(one.due for one in self.state.pending if one.claim.meter == meter))

    @property
    def board(self) -> tuple[MeterHeard, ...]:
        """Every meter that signs and tables show."""
        shown = (one.name for one in self.state.seeds if one.account is Account.METERS)
        return tuple(MeterHeard(name, name.replace("_", " "), dollars(self.stands(name))) for name in shown)

    @property
    def ledger(self) -> Mapping[str, Micros]:
        """Every meter and reserve, to the micro-dollar."""
        return {name: self.state.meter(name) for name in self.names}

    @property
    def meters(self) -> Mapping[str, str]:
        """Every meter and reserve in dollars."""
        return {name: dollars(self.stands(name)) for name in self.names}

    @property
    def pendings(self) -> Mapping[str, str]:
        """The pending amounts in dollars, by meter."""
        return {name: dollars(amount) for name in self.names if (amount := self.pending(name))}
