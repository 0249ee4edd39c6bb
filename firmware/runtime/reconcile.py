"""A bank's ledger and its tables' journals held against each other, row by row: `felt reconcile`.

Each was verified by itself first. What one side says of the other is looked up there: every message that the ledger
holds, every row of a journal that the bank saw, every row of the ledger that a table saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from firmware.bank import events as b
from firmware.bank.ledger import Account, Entry
from firmware.bank.reported import Reported, in_words
from firmware.bank.state import BankState
from firmware.rules.payment import Payment, Source
from firmware.runtime import bank
from firmware.runtime.files import open_any
from firmware.runtime.journal import Entry as Row
from firmware.runtime.journal import FileGone, Journal, OwnRow, SnapshotTaken
from firmware.runtime.sqlite import StoreError
from firmware.runtime.table import VOCABULARY
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.outbox import REPORTS
from firmware.table.reports import totals
from firmware.table.state import Amounts
from firmware.table.tally import added
from firmware.wire.from_table import Owed
from firmware.wire.payload import read
from firmware.wire.reports import DayEnded, PaidAs, Report


@dataclass
class OfTable:
    """What a ledger has of one journal of a table: messages by number, rows of that journal by row, each with its hash."""

    messages: dict[int, str] = field(default_factory=dict)
    rows: dict[int, str] = field(default_factory=dict)
    fed: dict[int, Amounts] = field(default_factory=dict)
    """By message: micro-dollars that it put on each meter, less what it took back."""
    gone: int = 0
    """Of the messages up to this number the ledger's rows may be gone."""
    reports: dict[int, Report] = field(default_factory=dict)
    """By message: what moves no meter, as the ledger has it."""


@dataclass
class Ledger:
    """A bank's file: its epoch, the hashes of its rows from row 1 on, and what it has of each table and journal."""

    epoch: str = ""
    hashes: list[str] = field(default_factory=list)
    gone: list[FileGone] = field(default_factory=list)
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
    gone: list[FileGone] = field(default_factory=list)
    epoch: str = ""
    """Of the ledger that it goes by."""
    lost: int = 0
    """Of the messages up to this number the journal's rows may be gone."""
    reports: dict[int, Report] = field(default_factory=dict)
    """By message: what it told that moves no meter."""
    paid: dict[PaidAs, int] = field(default_factory=lambda: dict.fromkeys(PaidAs, 0))
    """Cents that its events have paid beside shares of meters, less what was corrected."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of what was found; `wrong`: the two sides contradict each other."""

    text: str
    wrong: bool = False


def reconcile(ledger: Path, journals: Sequence[Path]) -> Iterator[Finding]:
    """All that was found, journal by journal. Raises JournalDamaged, LedgerBroken or StoreError for a file by itself."""
    bank.verify(ledger)
    kept = read_ledger(ledger)
    yield from (Finding(f"{ledger}: {gone}; what stood there is not compared") for gone in kept.gone)
    known = set()
    for path in journals:
        table = read_table(path)
        yield from (Finding(f"{path}: {gone}; what stood there is not compared") for gone in table.gone)
        known.add((table.name, table.journal))
        yield from _of(kept, table)
    for name, journal in sorted(kept.tables.keys() - known):
        yield Finding(f"{name}: the ledger has messages of journal {journal[:8]}, which was not given")


def read_ledger(path: Path) -> Ledger:
    """What a ledger says of itself and of every table. Raises JournalDamaged, StoreError."""
    ledger = Ledger()
    with closing(bank.open_journal(path, read_only=True)) as journal:
        for entry in _rows(journal, ledger):
            match entry.event:
                case SnapshotTaken() if entry.row - 1 == _last(ledger.gone):
                    _begins_with(ledger, bank.keeping().of_another(journal, entry.row, journal.text_at(entry.row)))
                case b.BankStarted(epoch=epoch):
                    ledger.epoch = epoch
                case b.TableAnchored(table=name, journal=of, rows=rows, head=head):
                    ledger.tables.setdefault((name, of), OfTable()).rows[rows] = head
                case event if not isinstance(event, OwnRow) and (position := b.position_of(event)) is not None:
                    seen = ledger.tables.setdefault((position.table, position.journal), OfTable())
                    seen.messages[position.seq] = position.hash
                    seen.fed[position.seq] = _fed(b.entries_of(event))
                    if isinstance(event, b.ReportHeld):
                        seen.reports[position.seq] = event.said
                    if position.rows:
                        seen.rows[position.rows] = position.head
    return ledger


def read_table(path: Path) -> Table:
    """What a table's journal says of itself and of its bank. Raises JournalDamaged, StoreError."""
    table = Table(path)
    with closing(open_any(path)) as journal:
        if journal.vocabulary is not VOCABULARY:
            raise StoreError(f"{path}: this is no table's journal; name the ledger first, then the journals")
        for entry in _rows(journal, table):
            match entry.event:
                case SnapshotTaken() if entry.row - 1 == _last(table.gone):
                    state = keeping().of_another(journal, entry.row, journal.text_at(entry.row))
                    table.name, table.journal, table.lost = state.program.table, state.program.journal, state.seq
                    table.epoch = state.neighbours.ledger.epoch
                case e.TableOpened(table=name, journal=of):
                    table.name, table.journal = name, of
                case e.MessageOwed(seq=seq, hash=digest, kind=kind, text=text):
                    table.messages[seq] = digest
                    if kind in REPORTS:
                        table.reports[seq] = cast("Report", read(text.encode(), Owed).body)
                case e.BankHolds() as held:
                    table.held.append(held)
                    table.epoch = held.epoch
                case e.DayClosed() as day:
                    table.days.append(day)
                case event if not isinstance(event, OwnRow):
                    for what, payment, sign in _paid(event):
                        table.paid[what] += sign * (payment.payout + payment.returned)
    return table


def _rows(journal: Journal[Any], into: Ledger | Table) -> Iterator[Row[Any]]:
    """Every row that is there; its hash, or "" for one that is gone, is kept in its place, and so is what is gone."""
    for one in journal.all_there():
        if isinstance(one, FileGone):
            into.gone.append(one)
            into.hashes += [""] * (one.rows - one.after)
        else:
            into.hashes.append(one.hash)
            yield one


def _last(gone: Sequence[FileGone]) -> int:
    """The last row that is gone, -1 for none."""
    return gone[-1].rows if gone else -1


def _begins_with(ledger: Ledger, state: BankState) -> None:
    """What the ledger held before the first row that is there after a gap."""
    ledger.epoch = state.epoch
    for name, book in state.tables.items():
        for journal, of in book.journals.items():
            ledger.tables.setdefault((name, journal), OfTable()).gone = of.held.seq


def _paid(event: e.Event) -> Iterator[tuple[PaidAs, Payment, int]]:
    """What an event has paid (1), or taken back (-1), that is no share of a meter; a credit is one, whoever verified it."""
    match event:
        case e.PrizePaid(payment=payment) if payment.source is not Source.ACCOUNT:
            yield PaidAs.PRIZE, payment, 1
        case e.EnvyPaid(payments=payments):
            yield from ((PaidAs.ENVY, payment, 1) for payment in payments)
        case e.AccountCredited(payment=payment):
            yield PaidAs.CREDIT, payment, 1
        case e.AccountCorrected(payment=payment):
            yield PaidAs.CREDIT, payment, -1
        case e.SettlementCorrected(wager=wager, lines=lines) if wager:
            what = PaidAs.ENVY if wager == "envy" else PaidAs.PRIZE
            yield from ((what, payment, -1) for payment in lines if payment.source is not Source.ACCOUNT)
        case _:
            pass


def _of(ledger: Ledger, table: Table) -> Iterator[Finding]:
    what = f"{table.name} ({table.path})"
    kept = ledger.tables.get((table.name, table.journal), OfTable())
    if not kept.messages and not kept.gone and any(held.seq for held in table.held):
        yield Finding(f"{what}: the ledger has nothing of journal {table.journal[:8]}", wrong=True)
    for seq, digest in kept.messages.items():
        if table.messages.get(seq, digest if seq <= table.lost else "") != digest:
            has = "has another one" if seq in table.messages else "never owed it"
            yield Finding(f"{what}: the ledger holds message {seq}, this journal {has}", wrong=True)
    for row, head in kept.rows.items():
        if wrong := _differs(table.hashes, row, head):
            yield Finding(f"{what}: the bank saw row {row} of this journal, which {wrong}", wrong=True)
    yield from _days(what, kept, table)
    yield from _reports(what, kept, table)
    of_now = [held for held in table.held if held.epoch == ledger.epoch and held.rows]
    for held in of_now:
        if wrong := _differs(ledger.hashes, held.rows, held.head):
            yield Finding(f"{what}: the table saw row {held.rows} of the ledger, which {wrong}", wrong=True)
    if table.epoch and table.epoch != ledger.epoch:
        other = f"the table goes by ledger {table.epoch[:8]}, this one is {ledger.epoch[:8]}"
        yield Finding(f"{what}: {other}", wrong=True)
    owed = sorted(seq for seq in table.messages.keys() - kept.messages.keys() if seq > kept.gone)
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
        if any(number not in kept.fed for number in range(seq + 1, min(kept.gone, day.seq) + 1)):
            yield Finding(f"{what}: day {day.number}, {day.day}: not compared, rows of the ledger are gone")
            sums, seq = day.perpetual.contributions, day.seq
            continue
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


def _reports(what: str, kept: OfTable, table: Table) -> Iterator[Finding]:
    """What moves no meter: each row of the ledger against the table's message, and their sums against its other rows.

    Where rows of either side are gone, messages are compared one by one and nothing is added up.
    """
    told, days = Reported(), {day.number: day for day in table.days}
    gap = bool(table.gone or kept.gone)
    for seq, said in sorted(kept.reports.items()):
        if seq in table.messages and table.reports.get(seq) != said:
            yield Finding(f"{what}: the ledger's row of message {seq} says otherwise than the message", wrong=True)
            return
        told = told.followed_by(said)
        if isinstance(said, DayEnded) and not gap and (wrong := _wrong_day(told, said, days.get(said.number))):
            yield Finding(f"{what}: day {said.number}, {said.day}: {wrong}", wrong=True)
            return
    ours = {seq for seq in table.reports if seq > kept.gone}
    if ours - kept.messages.keys():
        return  # some are still owed
    if refused := ours - kept.reports.keys():
        yield Finding(f"{what}: the ledger holds {len(refused)} reports without effect, from message {min(refused)} on")
    elif told.paid != table.paid and not gap:
        yield Finding(
            f"{what}: its rows have paid {in_words(table.paid)}, the ledger {in_words(told.paid)}", wrong=True
        )
    if kept.reports:
        sums = "not added up, rows are gone" if gap else f"{in_words(told.paid)}, days {told.days}"
        yield Finding(f"{what}: {len(kept.reports)} reports compared: {sums}")


def _wrong_day(told: Reported, said: DayEnded, closed: e.DayClosed | None) -> str:
    """What of a day differs between its message, what was told until then, and the table's own row; "" for nothing."""
    counts = ("late", "differences", "bought", "cashed")
    if off := [name for name in counts if getattr(told, name) != getattr(said.perpetual, name)]:
        return f"its totals and what was told until then differ in {', '.join(off)}"
    if closed is None or (totals(closed.totals), totals(closed.perpetual)) != (said.totals, said.perpetual):
        return "the table's own row has other totals than its message"
    return ""


def _differs(hashes: Sequence[str], row: int, head: str) -> str:
    """What is wrong with that row of a file, "" for nothing."""
    if row > len(hashes):
        return f"ends at row {len(hashes)}: it was put back, or rows were cut off"
    return "" if hashes[row - 1] in (head, "") else "has another one there: it was made again"
