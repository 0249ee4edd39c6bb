"""The restore drill of tests/bank/test_restore_drill.py on a real broker: the bank's program, its ledger on disk, mosquitto.

The two tables are the drill's own, each with a connection of its own; they hear `down` and send again what it lacks. After
the restore both send at once, so that the broker and the bank make the order.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any, cast

import pytest
from msgspec.structs import replace

from firmware.bank import events as b
from firmware.bank.decide import BankRules
from firmware.bank.inputs import VerdictSigned
from firmware.bank.ledger import Account, Entry
from firmware.bank.state import BankState, evolve
from firmware.config import LinkConfig, load_bank
from firmware.proof.conformance.player import anchor_of
from firmware.proof.simulation.processes import Part, SimulatedBank
from firmware.rules.money import Micros, dollars
from firmware.runtime.adoption import Answer, VerdictAsked
from firmware.runtime.bank import BankService, last_words, make_ledger, open_journal, verify
from firmware.runtime.link import Arrived, Connected, Link, LinkSignal, Will
from firmware.runtime.outgoing import presence
from firmware.runtime.seals import own_key
from firmware.runtime.signed_notes import BYTES, PrivateKey
from firmware.runtime.words import AnotherRun, BankLink, TableLink, Voice
from firmware.wire.from_bank import Down
from firmware.wire.payload import read
from firmware.wire.topics import BankTopics, TableTopics
from hal.debounce import Inbox
from hal.watchdog import Watchdog
from tests.bank.casino import Table, rules
from tests.bank.test_restore_drill import Drill, held, played

SEEDS = int(os.environ.get("FELT_RESTORES", "5"))
PATIENCE_S, AGAIN_S = 30.0, 2.0
"""How long an answer is waited for; after how long a table says again what was not answered."""


class Wire:
    """A table's connection: it says what the table says, and hears what the bank holds of it."""

    def __init__(self, table: Table, broker: LinkConfig) -> None:
        self.table, self.topics = table, TableTopics.of(broker.bank, table.name)
        self._inbox = Inbox(0)
        key = PrivateKey(f"felt/table/{table.name}", secrets.token_bytes(BYTES))
        table.journal = key.public.digits
        self.link = TableLink(Voice(lambda: key), self._inbox.put, lambda: "")
        self.link.over(
            Link(broker, f"drill-{table.name}", [(self.topics.down, 1), (self.topics.bank, 1)], self.link.arrived)
        )
        self.link.start()
        self._waits_for(lambda signal: isinstance(signal, Connected))

    def says(self, payloads: list[bytes]) -> None:
        for payload in payloads:
            self.link.publish(self.topics.up, payload)

    def is_held(self, epoch: str, seq: int, payloads: list[bytes]) -> None:
        """Until the bank of this epoch says that it holds message `seq`; what is not answered is said again."""
        self._waits_for(lambda signal: self._holds(signal, epoch) >= seq, again=payloads)

    def _holds(self, signal: LinkSignal, epoch: str) -> int:
        """What the bank holds by this word, -1 where it is none of this epoch; its prices are told the table."""
        if not isinstance(signal, Arrived) or signal.topic != self.topics.down:
            return -1
        said = read(signal.payload, Down)
        if said.epoch != epoch:
            return -1
        for claim in said.claims:
            price = {"amount": dollars(claim.amount), "meter": claim.meter, "version": claim.version}
            self.table.prices.setdefault(claim.claim, {"epoch": said.epoch, **price})
        return said.seq

    def _waits_for(self, wanted: Any, again: list[bytes] | None = None) -> None:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            signals = self._inbox.take(AGAIN_S)
            if any(isinstance(signal, AnotherRun) for signal in signals):
                there = presence(
                    self.table.name, self.table.journal, alive=True, anchor=anchor_of(self.table.journal, 1)
                )
                self.link.publish(self.topics.alive, there, qos=0)
            answers = [wanted(signal) for signal in signals]  # each is heard, whichever was waited for
            if any(answers):
                return
            if not signals:
                self.says(again or [])
        raise AssertionError(f"{self.table.name}: no answer within {PATIENCE_S} s")


class Ready(Watchdog):
    """Says in this very process that the bank has begun."""

    def __init__(self, begun: Event) -> None:
        super().__init__({})
        self._begun = begun

    def ready(self, status: str = "") -> None:
        self._begun.set()


class BankOnBroker:
    """The bank's program in a thread of its own, with what the drill asks of a bank."""

    def __init__(self, folder: Path, broker: LinkConfig, bank_rules: BankRules, tables: list[Table]) -> None:
        self.folder, self.broker, self.rules = folder, broker, bank_rules
        self.wires = {table.name: Wire(table, broker) for table in tables}
        self.starts(restored=False)

    @property
    def ledger_file(self) -> Path:
        return self.folder / "bank.ledger"

    def starts(self, *, restored: bool) -> None:
        """Until every table has heard what it holds."""
        ready = Event()
        self._inbox = Inbox(0)
        self._thread = Thread(target=self._runs, args=(restored, ready))
        self._thread.start()
        assert ready.wait(PATIENCE_S), "the bank does not start"
        for wire in self.wires.values():
            wire.is_held(self.state.epoch, 0, [])

    def _runs(self, restored: bool, ready: Event) -> None:
        """The program, as `felt bank` runs it: all of it in this thread."""
        self.folder.mkdir(exist_ok=True)
        inbox, topics = self._inbox, BankTopics(self.broker.bank)
        heard = [(topics.up, 1), (topics.presence, 0), (topics.alive, 0)]
        if not self.ledger_file.exists():
            make_ledger(self.ledger_file, self.broker.bank, self.rules, secrets.token_hex(16))
        journal = open_journal(self.ledger_file)
        edge = BankLink(Voice(lambda: own_key(journal)), inbox.put, topics, lambda table: self.service.adopted(table))
        edge.over(
            Link(
                self.broker,
                "drill-bank",
                heard,
                edge.arrived,
                lambda: Will(topics.alive, edge.sealed(topics.alive, last_words(self.broker.bank))),
                lasting=False,
            )
        )
        self.service = BankService(
            replace(load_bank(None), id=self.broker.bank), self.rules, journal, inbox, edge, Ready(ready)
        )
        try:
            self.service.run(restored=restored)
        finally:
            journal.close()

    def ends(self) -> None:
        self.service.stop()
        self._thread.join()

    def hears(self, table: Table, payload: bytes) -> None:
        self.hears_all_of({table.name: [payload]})

    def hears_all_of(self, said: dict[str, list[bytes]]) -> None:
        """All tables speak at once; until the bank holds the last message of each."""
        wanted = {name: self.state.book(name).current.held.seq + len(payloads) for name, payloads in said.items()}
        for name, payloads in said.items():
            self.wires[name].says(payloads)
        for name, payloads in said.items():
            self.wires[name].is_held(self.state.epoch, wanted[name], payloads)

    def told(self, signed: VerdictSigned) -> None:
        """Two people have looked at a verdict that is held; until the bank has booked what they signed."""
        answers: Queue[Answer] = Queue()
        first, second = signed.by
        looked = (signed.claim, signed.accepted, (first, second), signed.seq, signed.hash)
        self._inbox.put(VerdictAsked(*looked, answers.put))
        assert not (refused := answers.get(timeout=PATIENCE_S).refused), refused

    def copied(self) -> Path:
        """A backup of its folder."""
        backup = self.folder.with_name("backup")
        shutil.copytree(self.folder, backup, ignore=shutil.ignore_patterns("*.lock", "*-shm"))
        return backup

    # What the drill asks at the end --------------------------------------------------------------------------------------

    @property
    def state(self) -> BankState:
        return self.service.state

    def account(self, account: Account) -> int:
        return self.state.accounts.total(account)

    def meter(self, name: str = "main") -> Micros:
        return self.state.meter(name)

    @property
    def events(self) -> list[b.Event]:
        """Of its file."""
        journal = open_journal(self.ledger_file, read_only=True)
        try:
            return list(journal.replay())
        finally:
            journal.close()

    @property
    def rows(self) -> list[tuple[str, bytes]]:
        return [(type(event).__name__, b"") for event in self.events]

    @property
    def ledger(self) -> list[Entry]:
        return [entry for event in self.events for entry in b.entries_of(event)]

    def replayed(self) -> BankState:
        """What its rows alone say; its two tables beside them say the same."""
        assert verify(self.ledger_file) == self.state.accounts
        return reduce(evolve, self.events, BankState())


class DrillOnBroker(Drill):
    """The drill, with a bank behind a broker."""

    def on(self, folder: Path, broker: LinkConfig) -> DrillOnBroker:
        bank_rules = rules(self.paytable, tables=tuple(table.name for table in self.tables))
        self.bank = cast(Any, BankOnBroker(folder, broker, bank_rules, self.tables))
        return self

    @property
    def real(self) -> BankOnBroker:
        return cast(BankOnBroker, self.bank)

    def crash(self, backup: Any) -> None:
        """The bank's folder is lost and put back from the backup."""
        self.real.ends()
        shutil.rmtree(self.real.folder)
        shutil.copytree(backup, self.real.folder)
        self.real.starts(restored=True)

    def sends_again(self) -> None:
        """Both tables at once, in parts."""
        while lacking := {table.name: part for table in self.tables if (part := self._part(table))}:
            self.real.hears_all_of(lacking)
        super().sends_again()

    def _part(self, table: Table) -> list[bytes]:
        held = self.real.state.book(table.name).current.held.seq
        return table.said[held : held + self.chance.randint(1, 8)]


@pytest.fixture
def broker(tmp_path: Path, needs_mosquitto: None) -> Iterator[LinkConfig]:
    bank = SimulatedBank(tmp_path / "broker", mosquitto=True)
    part: Part = bank.broker
    part.start()
    part.wait_ready()
    yield LinkConfig(broker=f"mqtt://127.0.0.1:{bank.broker_port}")
    part.stop()


@pytest.mark.slow
@pytest.mark.mosquitto
@pytest.mark.timeout(300)
def test_after_a_restore_on_mosquitto_every_award_and_meter_equals_what_was_paid(
    tmp_path: Path, broker: LinkConfig
) -> None:
    otherwise = [restored(seed, tmp_path / str(seed), broker) for seed in range(SEEDS)]
    assert any(otherwise), "some claims were priced in another order, else this shows nothing"


def restored(seed: int, folder: Path, broker: LinkConfig) -> int:
    """One drill; how many claims the ledger that was put back had priced otherwise than they were paid."""
    folder.mkdir()
    day = DrillOnBroker(seed, rejects=seed % 2 == 1).on(folder / "bank", replace(broker, bank=f"drill-{seed}"))
    try:
        return held(played(day))
    finally:
        day.real.ends()
        for wire in day.real.wires.values():
            wire.link.close()
