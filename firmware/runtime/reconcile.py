"""A bank's ledger and its tables' journals held against each other, row by row: `felt reconcile`.

Each was verified by itself first. What one side says of the other is looked up there: every message that the ledger
holds, every row of a journal that the bank saw, every row of the ledger that a table saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from firmware.bank import events as b
from firmware.bank.ledger import Account, Entry
from firmware.runtime import bank
from firmware.runtime.files import open_any
from firmware.runtime.journal import SnapshotTaken
from firmware.runtime.sqlite import StoreError
from firmware.runtime.table import VOCABULARY
from firmware.table import events as e
from firmware.table.state import Amounts
from firmware.table.tally import added


@dataclass
class OfTable:
    """What a ledger has of one journal of a table: messages by number, rows of that journal by row, each with its hash."""

    messages: dict[int, str] = field(default_factory=dict)
    rows: dict[int, str] = field(default_factory=dict)
    fed: dict[int, Amounts] = field(default_factory=dict)
    """By message: micro-dollars that it put on each meter, less what it took back."""


@dataclass
class Ledger:
    """A bank's file: its epoch, the hashes of its rows from row 1 on, and what it has of each table and journal."""

    epoch: str = ""
    hashes: list[str] = field(default_factory=list)
    tables: dict[tuple[str, str], OfTable] = field(default_factory=dict)


@dataclass
class Table:
    """A table's file: whose it is, the hashes of its rows, what it owed, and what it saw of its bank's ledger."""

    path: Path
    name: str = ""
    journal: str = ""
    hashes: list[str] = field(default_factory=list)
    messages: dict[int, str] = field(default_factory=dict)
    held: list[e.BankHolds] = field(default_factory=list)
    days: list[e.DayClosed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of what was found; `wrong`: the two sides contradict each other."""

    text: str
    wrong: bool = False


def reconcile(ledger: Path, journals: Sequence[Path]) -> Iterator[Finding]:
    """All that was found, journal by journal. Raises JournalDamaged, LedgerBroken or StoreError for a file by itself."""
    bank.verify(ledger)
    kept = read_ledger(ledger)
    known = set()
    for path in journals:
        table = read_table(path)
        known.add((table.name, table.journal))
        yield from _of(kept, table)
    for name, journal in sorted(kept.tables.keys() - known):
        yield Finding(f"{name}: the ledger has messages of journal {journal[:8]}, which was not given")


def read_ledger(path: Path) -> Ledger:
    """What a ledger says of itself and of every table. Raises JournalDamaged, StoreError."""
    ledger = Ledger()
    with closing(bank.open_journal(path, read_only=True)) as journal:
        for entry in journal.entries():
            ledger.hashes.append(entry.hash)
            match entry.event:
                case b.BankStarted(epoch=epoch):
                    ledger.epoch = epoch
                case b.TableAnchored(table=name, journal=of, rows=rows, head=head):
                    ledger.tables.setdefault((name, of), OfTable()).rows[rows] = head
                case event if not isinstance(event, SnapshotTaken) and (position := b.position_of(event)) is not None:
                    seen = ledger.tables.setdefault((position.table, position.journal), OfTable())
                    seen.messages[position.seq] = position.hash
                    seen.fed[position.seq] = _fed(b.entries_of(event))
                    if position.rows:
                        seen.rows[position.rows] = position.head
    return ledger


def read_table(path: Path) -> Table:
    """What a table's journal says of itself and of its bank. Raises JournalDamaged, StoreError."""
    table = Table(path)
    with closing(open_any(path)) as journal:
        if journal.vocabulary is not VOCABULARY:
            raise StoreError(f"{path}: this is no table's journal; name the ledger first, then the journals")
        for entry in journal.entries():
            table.hashes.append(entry.hash)
            match entry.event:
                case e.TableOpened(table=name, journal=of):
                    table.name, table.journal = name, of
                case e.MessageOwed(seq=seq, hash=digest):
                    table.messages[seq] = digest
                case e.BankHolds() as held:
                    table.held.append(held)
                case e.DayClosed() as day:
                    table.days.append(day)
    return table


def _of(ledger: Ledger, table: Table) -> Iterator[Finding]:
    what = f"{table.name} ({table.path})"
    kept = ledger.tables.get((table.name, table.journal), OfTable())
    if not kept.messages and any(held.seq for held in table.held):
        yield Finding(f"{what}: the ledger has nothing of journal {table.journal[:8]}", wrong=True)
    for seq, digest in kept.messages.items():
        if table.messages.get(seq) != digest:
            has = "has another one" if seq in table.messages else "never owed it"
            yield Finding(f"{what}: the ledger holds message {seq}, this journal {has}", wrong=True)
    for row, head in kept.rows.items():
        if wrong := _differs(table.hashes, row, head):
            yield Finding(f"{what}: the bank saw row {row} of this journal, which {wrong}", wrong=True)
    yield from _days(what, kept, table)
    of_now = [held for held in table.held if held.epoch == ledger.epoch and held.rows]
    for held in of_now:
        if wrong := _differs(ledger.hashes, held.rows, held.head):
            yield Finding(f"{what}: the table saw row {held.rows} of the ledger, which {wrong}", wrong=True)
    if table.held and table.held[-1].epoch != ledger.epoch:
        other = f"the table goes by ledger {table.held[-1].epoch[:8]}, this one is {ledger.epoch[:8]}"
        yield Finding(f"{what}: {other}", wrong=True)
    owed = sorted(table.messages.keys() - kept.messages.keys())
    owes = f", owes {len(owed)} from {owed[0]} on" if owed else ""
    compared = f"{len(kept.messages)} messages, {len(kept.rows)} rows of it, {len(of_now)} of the ledger"
    yield Finding(f"{what}: {compared} compared{owes}")


def _fed(entries: Sequence[Entry]) -> Amounts:
    """By meter: contributions less reversals."""
    signs = {Account.CONTRIBUTIONS: 1, Account.REVERSALS: -1}
    return added((), ((one.meter, signs[one.account] * one.micros) for one in entries if one.account in signs))


def _days(what: str, kept: OfTable, table: Table) -> Iterator[Finding]:
    """Each closed day's contributions against what the ledger made of the messages up to it, to the micro-dollar."""
    sums: Amounts = ()
    seq = compared = 0
    for day in table.days:
        if any(number not in kept.fed for number in range(seq + 1, day.seq + 1)):
            yield Finding(f"{what}: day {day.number}, {day.day}: the ledger does not hold all of its messages yet")
            break
        for number in range(seq + 1, day.seq + 1):
            sums = added(sums, kept.fed[number])
        seq, compared = day.seq, compared + 1
        if sums != day.perpetual.contributions:
            differ = added(sums, ((meter, -micros) for meter, micros in day.perpetual.contributions))
            said = ", ".join(f"{meter} by {micros} micro-dollars" for meter, micros in differ)
            yield Finding(
                f"{what}: day {day.number}, {day.day}: its contributions differ from the ledger's, {said}", wrong=True
            )
            break
    if compared:
        yield Finding(f"{what}: contributions of {compared} gaming days compared")


def _differs(hashes: Sequence[str], row: int, head: str) -> str:
    """What is wrong with that row of a file, "" for nothing."""
    if row > len(hashes):
        return f"ends at row {len(hashes)}: it was put back, or rows were cut off"
    return "" if hashes[row - 1] == head else "has another one there: it was made again"
