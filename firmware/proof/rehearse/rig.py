"""The clock of a rehearsal: it moves all tables and their banks, and knows when everything has settled."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

from firmware.bank.decide import BankRules
from firmware.proof.rehearse.bank import Bank, rules_of
from firmware.proof.rehearse.table import NOON, S, Table
from firmware.proof.rehearse.tables import Seating
from firmware.table.inputs import TOLD_EVERY_S
from firmware.wire.payload import WireError

ON_ITS_WAY_NS = 25_000_000
"""How long a message is on its way, each way."""
TICK_NS = TOLD_EVERY_S * S
"""How often a table's law is told the time of day."""
BOOT_NS = 3 * S
"""How long a table is away when it loses its power."""
SETTLES_NS = 15 * S
"""Longer than anything that a step waits for."""


class Rig:
    """Tables and banks on one clock. `now_ns` is nought at 2030-01-01 12:00 UTC."""

    def __init__(self, seatings: Iterable[Seating], given: BankRules | None, seed: int) -> None:
        self.now_ns = -BOOT_NS
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._number = 0
        self._sent: dict[str, int] = {}
        self._ticked_ns = self.now_ns
        found = tuple(seatings)
        self.banks = _banks(found, given, seed, self.utc)
        self.tables: Mapping[str, Table] = {one.name: Table(one, self.banks.get(one.name), seed) for one in found}
        for table in self.tables.values():
            self._start(table)
        self.advance(0)

    @property
    def utc(self) -> str:
        """Now, as the bank writes it."""
        at = datetime.fromtimestamp(NOON, UTC).timestamp() + self.now_ns // 1_000_000 / 1000
        return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    # The clock --------------------------------------------------------------------------------------------------------

    def advance(self, until_ns: int) -> None:
        """Time passes for all; every due event happens at its time, the first table first."""
        self._turn()
        while (due := self._due_ns()) is not None and due <= until_ns:
            self._move(due)
            while self._queue and self._queue[0][0] <= self.now_ns:
                heapq.heappop(self._queue)[2]()
            if self.now_ns - self._ticked_ns >= TICK_NS:
                self._ticked_ns = self.now_ns
                for table in self.tables.values():
                    table.tick()
            self._turn()
        self._move(max(until_ns, self.now_ns))
        self._turn()

    def settle(self) -> None:
        """Until contacts have settled, the bank has answered and a PIN is checked."""
        latest = self.now_ns + SETTLES_NS
        self._turn()
        while True:
            due = [at for table in self.tables.values() if (at := table.next_deadline()) is not None]
            due += [at for at, _, _ in self._queue]
            if due and min(due) <= latest:
                self.advance(min(due))
            elif not self._signs_in():
                return

    def _signs_in(self) -> bool:
        """Somebody has typed a PIN after the wait; something may follow from it."""
        for table in self.tables.values():
            before, wait_ns = table.state, table.sign_in()
            if wait_ns:
                self.advance(self.now_ns + wait_ns)
                return True
            if table.state is not before:
                return True
        return False

    def _due_ns(self) -> int | None:
        due = [at for table in self.tables.values() if (at := table.next_deadline()) is not None]
        due += [self._queue[0][0]] if self._queue else []
        return min([*due, self._ticked_ns + TICK_NS])

    def _move(self, now_ns: int) -> None:
        self.now_ns = now_ns
        for table in self.tables.values():
            table.now_ns = now_ns

    def _turn(self) -> None:
        for table in self.tables.values():
            table.turn()
            self._send(table)

    def _later(self, after_ns: int, then: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._queue, (self.now_ns + after_ns, self._number, then))

    # Table and bank ---------------------------------------------------------------------------------------------------

    def _send(self, table: Table) -> None:
        """A table's debts are on their way, once; and again when the link comes back."""
        if table.bank is None or not table.link:
            return
        for owed in table.state.owed:
            if owed.seq > self._sent.get(table.name, 0):
                self._sent[table.name] = owed.seq
                self._later(ON_ITS_WAY_NS, lambda text=owed.text: self._arrive(table, text))  # type: ignore[misc]

    def _arrive(self, table: Table, text: str) -> None:
        if table.bank is None or not table.link:
            return
        before = table.bank.state
        try:
            table.bank.hear(table.name, text, self.utc)
        except WireError as wrong:
            raise AssertionError(f"a table's own message is refused: {wrong}") from wrong
        after = table.bank.state
        for other in self.tables.values():  # whose claims it concerns too: a wrong one was rejected
            if other is table or (other.bank is table.bank and after.book(other.name) is not before.book(other.name)):
                self._later(ON_ITS_WAY_NS, other.hear_bank)

    def connect(self, table: Table, there: bool) -> None:
        """The way to the bank is lost, or there again: then all that is owed is sent."""
        table.plug_link(there)
        self._sent.pop(table.name, None)
        if there and table.bank is not None:
            self._later(ON_ITS_WAY_NS, table.hear_bank)

    def power(self, table: Table) -> None:
        """A table loses its power and comes back from its journal."""
        table.lose_power()
        self.advance(self.now_ns + BOOT_NS)
        self._start(table)
        self.advance(self.now_ns + BOOT_NS)

    def _start(self, table: Table) -> None:
        table.now_ns = self.now_ns
        table.tick()
        table.find_devices()
        self.connect(table, table.link)


def _banks(seatings: tuple[Seating, ...], given: BankRules | None, seed: int, at: str) -> dict[str, Bank]:
    """Table -> its bank: the one that is given, or one for all tables that offer the same progressive wager."""
    offering = [one for one in seatings if one.submission.on_sensor]
    if given is not None:
        bank = Bank(given, _epoch(seed, given.tables), at)
        return {one.name: bank for one in offering}
    banks: dict[str, Bank] = {}
    for one in offering:
        if one.name not in banks:
            same = [other for other in offering if _offer(other) == _offer(one)]
            names = tuple(other.name for other in same)
            people = {person.badge: person.role for other in same for person in other.config.people}
            rules = rules_of(one.submission.book.title, names, one.submission, people)
            bank = Bank(rules, _epoch(seed, names), at)
            banks |= dict.fromkeys(names, bank)
    return banks


def _offer(one: Seating) -> object:
    return one.submission.book.name, one.submission.offers


def _epoch(seed: int, names: tuple[str, ...]) -> str:
    return hashlib.sha256(f"{seed} bank {' '.join(names)}".encode()).hexdigest()[:32]
