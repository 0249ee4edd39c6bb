"""What a table owes its bank is found without walking what it owed before, and however old it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from firmware.rules.money import Cents
from firmware.runtime.files import open_any
from firmware.runtime.journal import JournalDamaged
from firmware.runtime.outgoing import BATCH_MAX, IN_FLIGHT_MAX, Outgoing
from firmware.table import events as e
from firmware.table.evolve import OUTBOX_MAX, evolve
from firmware.table.outbox import owe
from firmware.table.state import Neighbors, Owed, Phase, Program, TableState
from firmware.wire.anchors import Anchor
from firmware.wire.from_table import MadeWager, Wagers
from firmware.wire.offers import WagerOffered
from firmware.wire.payload import NO_HASH
from firmware.wire.structs import replace
from tests.runtime.world import BankWorld, Clock, TableWorld

S = 1_000_000_000
OFFERED = WagerOffered("progressive", Cents(100), "A")


def owing(state: TableState, number: int) -> Iterator[e.MessageOwed]:
    """So many rounds with one wager each, as a table says them that plays for weeks without a bank."""
    for round in range(state.seq + 1, number + 1):
        message = owe(state, Wagers(round, (MadeWager.at(OFFERED, 1 + round % 6),)))
        state = evolve(state, message)
        yield message


def owes(table: TableWorld, number: int) -> None:
    """The table has that many messages that no bank holds: the first of a round that was played, then theirs."""
    table.counted(2)
    table.service._spine.record(list(owing(table.state, number)))
    table.starts()


def talk(table: TableWorld, bank: BankWorld, turns: int) -> None:
    """What one says reaches the other; the table is never silent for long, so that it counts as one that is heard."""
    heard = spoken = 0
    for _ in range(turns):
        for topic, payload in table.link.published[spoken:]:
            bank.link.deliver(topic, payload)
        spoken = len(table.link.published)
        bank.turns(100)
        for topic, payload in bank.link.published[heard:]:
            table.link.deliver(topic, payload)
        heard = len(bank.link.published)
        table.turns()
        if not table.state.owed and table.state.neighbors.bank_seq == table.state.seq:
            return


@pytest.mark.timeout(400)
@pytest.mark.parametrize("number", [1_000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_a_table_heals_with_a_bank_that_has_none_of_all_that_it_ever_owed(
    tmp_path: Path, clock: Clock, number: int
) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "bank").mkdir()
    table, bank = TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock)
    owes(table, number)
    table.link.connects()
    talk(table, bank, turns=1_000)
    assert bank.down["seq"] == table.state.seq == table.state.neighbors.bank_seq == number
    assert not table.state.neighbors.bank_alarm and not table.events(e.BankAlarm)
    assert bank.meter() == 10_000_000_000 + number * 210_000, "each of them is counted, and once"


@dataclass
class Wire:
    """A link that counts."""

    connected: bool = True
    sent: int = 0

    def publish(self, topic: str, payload: bytes) -> None:
        self.sent += 1


class Counted(Owed, frozen=True):
    """A message that counts how often it is looked at."""

    looks: ClassVar[int] = 0

    def __getattribute__(self, name: str) -> object:
        if name in ("seq", "hash", "text"):
            Counted.looks += 1
        return super().__getattribute__(name)


def looked_at(kept: int, held: int, turns: int = 3) -> int:
    """How often messages are looked at in some turns of a table that keeps so many, of which the bank holds some."""
    outbox = tuple(Counted(seq, f"{seq:064x}", "{}") for seq in range(1, kept + 1))
    state = TableState(neighbors=Neighbors(outbox=outbox, bank_seq=held))
    outgoing = Outgoing(Wire(), "up", lambda first, most: [])  # type: ignore[arg-type]
    Counted.looks = 0
    for turn in range(turns):
        outgoing.is_stuck(state, turn * S // 10, heard=True)
        outgoing.act(state, turn * S // 10, Anchor(0, NO_HASH))
    return Counted.looks


def test_a_turn_costs_the_same_however_many_messages_are_kept() -> None:
    assert looked_at(kept=256, held=256) == looked_at(kept=2, held=2)
    assert looked_at(kept=256, held=255) == looked_at(kept=2, held=1)
    assert looked_at(kept=20_000, held=20_000) == looked_at(kept=2, held=2) > 0


def test_a_turn_in_which_nothing_is_due_reads_nothing_from_the_journal(table: TableWorld) -> None:
    owes(table, OUTBOX_MAX + BATCH_MAX)
    table.link.connects()
    table.turns()
    for _ in range(20):
        table.turns()
    statements: list[str] = []
    table.journal.database._connection.set_trace_callback(statements.append)
    table.turns()
    assert not statements, "all that may be under way is under way"


def test_only_so_many_messages_are_under_way_as_a_broker_keeps(table: TableWorld) -> None:
    owes(table, 3 * IN_FLIGHT_MAX)
    table.link.connects()
    for _ in range(20):
        table.turns()
    sent = [message["seq"] for message in table.link.all(f"{table.topic}/up")]
    assert sent == list(range(1, IN_FLIGHT_MAX + 1))


def test_a_bank_that_goes_on_booking_is_not_sent_the_rest_again_until_it_stops() -> None:
    """What is booked slowly was sent again every two seconds by every table, and filled the way to the bank."""
    outbox = tuple(Owed(seq, f"{seq:064x}", "{}") for seq in range(1, 41))
    state = TableState(neighbors=Neighbors(outbox=outbox))
    wire = Wire()
    outgoing = Outgoing(wire, "up", lambda first, most: [])  # type: ignore[arg-type]

    def sent(at: float, held: int) -> int:
        before = wire.sent
        outgoing.act(replace(state, neighbors=replace(state.neighbors, bank_seq=held)), int(at * S), Anchor(0, NO_HASH))
        return wire.sent - before

    assert sent(10, held=0) == 40
    assert [sent(10 + second, held=second) for second in range(1, 31)] == [0] * 30
    assert [sent(at, held=30) for at in (40.5, 41.9, 42.0, 42.1)] == [0, 0, 10, 0]
    assert sent(44.2, held=5) == 35, "a bank that was restored holds less: that is no progress"


def test_the_state_keeps_no_more_messages_after_a_month_than_after_a_day(table: TableWorld) -> None:
    owes(table, 3_000)
    assert len(table.state.neighbors.outbox) == OUTBOX_MAX
    assert table.state.neighbors.message(3_000 - OUTBOX_MAX) is None
    assert table.state.neighbors.message(2_999) == table.state.neighbors.outbox[-2]


# What is older than the state -----------------------------------------------------------------------------------------


def test_a_bank_from_an_old_backup_that_holds_another_message_is_an_alarm(table: TableWorld) -> None:
    owes(table, 1_000)
    messages = table.journal.messages("up", 5, 1)
    table.bank_says(seq=5, hash=messages[0].hash)
    assert not table.state.neighbors.bank_alarm and table.state.neighbors.bank_seq == 5
    table.bank_says(seq=6, hash="1" * 64)
    assert table.state.neighbors.bank_alarm == "hash"


def test_a_bank_compares_a_message_of_long_ago_with_its_ledger(tmp_path: Path, clock: Clock) -> None:
    bank = BankWorld(tmp_path, clock)
    state = TableState(Phase.DEAL, Program("uth-04", "a" * 32, live=True))
    said = [message.text.encode() for message in owing(state, 600)]
    bank.hears(*said, *said)
    assert (bank.down["seq"], bank.down["alarm"]) == (600, None)
    bank.hears(said[0], said[299])
    assert not bank.down["alarm"]
    bank.hears(said[0].replace(b'"seats":[2]', b'"seats":[3]'))
    assert bank.down["alarm"]["text"] == "Message 1 was another one before"


# The index ------------------------------------------------------------------------------------------------------------


def changed(path: Path, statement: str) -> None:
    """By somebody who knows SQL."""
    with sqlite3.connect(path) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DELETE FROM message WHERE seq = 3", "the index does not find message 3 here"),
        ("UPDATE message SET row = row + 1 WHERE seq = 3", "the index does not find message 3 here"),
        ("INSERT INTO message VALUES ('up', 9999, 3)", "the index names messages that no row holds"),
    ],
)
def test_an_index_that_was_changed_is_found_by_verify(table: TableWorld, statement: str, why: str) -> None:
    owes(table, 10)
    table.journal.close()
    changed(table.journal.path, statement)
    with pytest.raises(JournalDamaged, match=why):
        open_any(table.journal.path).verify()


def test_a_message_of_long_ago_that_was_changed_is_not_sent_and_is_complained_of(table: TableWorld) -> None:
    owes(table, 1_000)
    table.journal.close()
    changed(table.journal.path, "UPDATE event SET body = replace(body, '1.00', '9.00') WHERE kind = 'MessageOwed'")
    table.journal.database.__init__(table.journal.path)  # type: ignore[misc]
    table.link.connects()
    table.turns()
    assert not table.link.all(f"{table.topic}/up")
    table.turns()
    said = table.state.desk.complaint
    assert said.startswith("journal: row ") and "was changed after it was written" in said
