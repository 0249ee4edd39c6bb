"""A bank's ledger and its tables' journals held against each other, row by row: `felt reconcile`.

Each was verified by itself first. The words of one side about the other are looked up there: every message that the ledger
holds, every row of a journal that the bank saw, every row of the ledger that a table saw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any, cast

from firmware.bank import events as b
from firmware.bank.ledger import Account, Entry
from firmware.bank.reported import Reported, in_words
from firmware.bank.state import BankState
from firmware.rules.money import Cents, dollars, to_micros
from firmware.rules.payment import Source
from firmware.runtime import bank
from firmware.runtime.before_live import BeforeLive
from firmware.runtime.day_files import Journal
from firmware.runtime.files import open_any
from firmware.runtime.journal import Entry as Row
from firmware.runtime.journal import FileGone, OwnRow, SnapshotTaken
from firmware.runtime.progress import shown
from firmware.runtime.sqlite import StoreError
from firmware.runtime.table_journal import VOCABULARY
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.outbox import REPORTS
from firmware.table.reports import totals
from firmware.table.state import Amounts
from firmware.table.tally import added
from firmware.wire.from_bank import ClaimStatus
from firmware.wire.from_table import Body, Owed, Verdict
from firmware.wire.payload import read
from firmware.wire.reports import DayEnded, PaidAs, PaymentLine, Payments, Report


@dataclass(frozen=True, slots=True)
class Booked:
    """One thing that was paid, as a row books it and a message tells it: a line, or (`line` None) a claim's share.

    `back`: it was taken back. `claim`: of a share.
    """

    what: str
    line: PaymentLine | None = None
    back: bool = False
    claim: str = ""

    def __str__(self) -> str:
        if self.line is None:
            return f"the share of claim {self.claim}"
        cents = dollars(Cents(self.line.payout + self.line.returned))
        return f"{self.what} {cents} at seat {self.line.seat} ({self.line.wager}){', taken back' if self.back else ''}"


SHARE = "share"
"""The kind of `Booked` for a share of a meter, which a verdict tells and no payment."""


@dataclass
class OfTable:
    """A ledger's record of one journal of a table: messages by number, rows of that journal by row, each with its hash."""

    messages: dict[int, str] = field(default_factory=dict)
    rows: dict[int, str] = field(default_factory=dict)
    fed: dict[int, Amounts] = field(default_factory=dict)
    """By message: micro-dollars that it put on each meter, less what it took back."""
    gone: int = 0
    """The ledger's rows of messages up to this number may be gone."""
    reports: dict[int, Report] = field(default_factory=dict)
    """By message: what moves no meter, as the ledger has it."""
    awards: dict[int, Amounts] = field(default_factory=dict)
    """By message: micro-dollars of each meter that were booked as paid."""
    unbooked: dict[int, str] = field(default_factory=dict)
    """Verdicts by message that the ledger itself says it has not booked: the fate of each."""
    pending: dict[str, Cents] = field(default_factory=dict)
    """Claims without a verdict: what is frozen for each."""


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
    """The epoch of the ledger that it goes by."""
    lost: int = 0
    """The journal's rows of messages up to this number may be gone."""
    reports: dict[int, Report] = field(default_factory=dict)
    """By message: what it told that moves no meter."""
    awards: dict[int, tuple[str, int]] = field(default_factory=dict)
    """By message: the meter and the cents that a verdict says were paid of it, less what was paid of that claim before."""
    untold: dict[Booked, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Payments, or their returns, that no message has told yet: the rows."""
    unpaid: list[tuple[int, Booked]] = field(default_factory=list)
    """Payments that its messages tell and no row before them made: each with the message."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Claims that a row has ended as no winner, without a verdict: the row of each."""


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
    """A ledger's words about itself and every table. Raises JournalDamaged, StoreError."""
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
                    _waits(seen, event)
                    _of_verdict(seen, event, position.seq)
                case b.ClaimPaid() | b.ClaimPaidOtherwise() | b.ClaimRejected() | b.DebtStands() as looked_at:
                    held = looked_at.position  # a verdict that was held, and that two people have ended since
                    seen = ledger.tables.setdefault((held.table, held.journal), OfTable())
                    seen.unbooked.pop(held.seq, None)
                    _of_verdict(seen, looked_at, held.seq)
                    _waits(seen, looked_at)
    return ledger


def _waits(seen: OfTable, event: b.Event) -> None:
    """The claims without a verdict."""
    match event:
        case b.ClaimPriced(claim=claim):
            seen.pending[claim.claim] = claim.amount
        case b.ClaimPaid(claim=name) | b.ClaimPaidOtherwise(claim=name) | b.ClaimRejected(claim=name):
            seen.pending.pop(name, None)
        case _:
            pass


def _of_verdict(seen: OfTable, event: b.Event, seq: int) -> None:
    """The ledger's answer to a verdict, if it is one."""
    match event:
        case b.ClaimPaid(entries=entries) | b.ClaimPaidOtherwise(entries=entries):
            seen.awards[seq] = added((), ((one.meter, one.micros) for one in entries if one.account is Account.AWARDS))
        case b.VerdictHeld():
            seen.unbooked[seq] = "is held until two people have looked"
        case b.ClaimRejected(accepted=(_, *_)):
            seen.unbooked[seq] = "was refused by two people"
        case b.MessageNotHonored():
            seen.unbooked[seq] = "is held without effect"
        case _:
            pass


def read_table(path: Path) -> Table:
    """A table's journal's words about itself and its bank. Raises JournalDamaged, StoreError."""
    table, paid, tells, before = Table(path), dict[str, int](), True, BeforeLive()
    with closing(open_any(path)) as journal:
        if journal.vocabulary is not VOCABULARY:
            raise StoreError(f"{path}: this is no table's journal; name the ledger first, then the journals")
        for entry in _rows(journal, table):
            is_test = before.of(entry.event)
            match entry.event:
                case SnapshotTaken() if entry.row - 1 == _last(table.gone):
                    state = keeping().of_another(journal, entry.row, journal.text_at(entry.row))
                    table.name, table.journal, table.lost = state.program.table, state.program.journal, state.seq
                    table.epoch = state.neighbors.ledger.epoch
                    tells = state.program.progressive
                case e.TableOpened(table=name, journal=of):
                    table.name, table.journal = name, of
                case e.Started(sensed=sensed):
                    tells = bool(sensed)
                case e.MessageOwed(seq=seq, hash=digest, kind=kind, text=text):
                    table.messages[seq] = digest
                    if kind in REPORTS or kind == Verdict.KIND:
                        _tells(table, seq, read(text.encode(), Owed).body, paid)
                case e.BankHolds() as held:
                    table.held.append(held)
                    table.epoch = held.epoch
                case e.DayClosed() as day:
                    table.days.append(day)
                case e.ClaimRejected(claim=claim, by="") if not is_test:  # a second person's own is told by a verdict
                    table.dropped[claim] = entry.row
                case event if tells and not is_test and not isinstance(event, OwnRow):
                    for booked in _booked(event):
                        table.untold[booked].append(entry.row)
    return table


def _tells(table: Table, seq: int, body: Body, paid: dict[str, int]) -> None:
    """A message against what the rows before it have paid. `paid`: by claim, cents that verdicts have told until now."""
    if isinstance(body, Verdict):
        if not body.paid or body.gone:
            return
        table.awards[seq] = (body.meter, body.amount - paid.get(body.claim, 0))
        paid[body.claim] = body.amount
        told = [Booked(SHARE, claim=body.claim)]
    else:
        table.reports[seq] = cast("Report", body)
        lines = [(body, line) for line in body.lines] if isinstance(body, Payments) else []
        told = [Booked(of.what, line, bool(of.corrected)) for of, line in lines]
    for one in told:
        if table.untold.get(one):
            table.untold[one].pop(0)
        else:
            table.unpaid.append((seq, one))


def _rows(journal: Journal[Any], into: Ledger | Table) -> Iterator[Row[Any]]:
    """Every row that is there; its hash, or "" for one that is gone, is kept in its place, and so is what is gone."""
    for one in shown(journal.all_there(), "row", journal.rows):
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
    """The ledger's record before the first row that is there after a gap."""
    ledger.epoch = state.epoch
    for name, book in state.tables.items():
        for journal, of in book.journals.items():
            kept = ledger.tables.setdefault((name, journal), OfTable())
            kept.gone = of.held.seq
            open = (one for one in book.claims if one.journal == journal and one.status is ClaimStatus.PENDING)
            kept.pending = {one.claim.claim: one.due for one in open}


def _booked(event: e.Event) -> Iterator[Booked]:
    """The payments of an event, or their returns; a credit is one, verified by anybody."""
    match event:
        case e.PrizePaid(payment=payment) if payment.source is not Source.ACCOUNT:
            yield Booked(PaidAs.PRIZE, PaymentLine.of(payment))
        case e.EnvyPaid(payments=payments):
            yield from (Booked(PaidAs.ENVY, PaymentLine.of(payment)) for payment in payments)
        case e.RoundVoided(envy=payments):
            yield from (Booked(PaidAs.ENVY, PaymentLine.of(payment), back=True) for payment in payments)
        case e.AccountCredited(payment=payment):
            yield Booked(PaidAs.CREDIT, PaymentLine.of(payment))
        case e.AccountCorrected(payment=payment):
            yield Booked(PaidAs.CREDIT, PaymentLine.of(payment), back=True)
        case e.SettlementCorrected(wager=wager, lines=lines) if wager:
            what = PaidAs.ENVY if wager == "envy" else PaidAs.PRIZE
            yield from (
                Booked(what, PaymentLine.of(payment), back=True)
                for payment in lines
                if payment.source is not Source.ACCOUNT
            )
        case e.ClaimPaid(claim=claim) | e.DebtEnded(claim=claim, paid=True):
            yield Booked(SHARE, claim=claim)
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
    for claim in kept.pending.keys() & table.dropped.keys():
        ended = f"row {table.dropped[claim]} of this journal ended it as no winner and no verdict says so"
        frozen = dollars(kept.pending[claim])
        yield Finding(f"{what}: claim {claim} of {frozen} is pending in the ledger, {ended}", wrong=True)
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
    """Each closed day's contributions and awards against what the ledger made of the messages up to it, in micro-dollars."""
    sums: Amounts = ()
    awards: Amounts = ()
    seq = compared = 0
    for day in table.days:
        if any(number not in kept.fed for number in range(seq + 1, min(kept.gone, day.seq) + 1)):
            yield Finding(f"{what}: day {day.number}, {day.day}: not compared, rows of the ledger are gone")
            sums, awards, seq = day.perpetual.contributions, _micros(day.perpetual.awards), day.seq
            continue
        if any(number not in kept.fed for number in range(seq + 1, day.seq + 1)):
            yield Finding(f"{what}: day {day.number}, {day.day}: the ledger does not hold all of its messages yet")
            break
        for number in range(seq + 1, day.seq + 1):
            sums = added(sums, kept.fed[number])
            awards = added(awards, _awarded(kept, table, number))
        seq, compared = day.seq, compared + 1
        compare = {
            "contributions": (sums, day.perpetual.contributions),
            "awards": (awards, _micros(day.perpetual.awards)),
        }
        if off := {name: differ for name, (ours, said) in compare.items() if (differ := _less(ours, said))}:
            for name, differ in off.items():
                said = ", ".join(f"{meter} by {micros} micro-dollars" for meter, micros in differ)
                place = f"{what}: day {day.number}, {day.day}"
                yield Finding(f"{place}: its {name} differ from the ledger's, {said}", wrong=True)
            break
    if compared:
        yield Finding(f"{what}: contributions and awards of {compared} gaming days compared")
    for number, became in sorted(kept.unbooked.items()):
        if award := table.awards.get(number):
            meter, cents = award
            yield Finding(
                f"{what}: message {number} says {dollars(Cents(cents))} of {meter} paid; its verdict {became}"
            )


def _less(ours: Amounts, said: Amounts) -> Amounts:
    return added(ours, ((meter, -micros) for meter, micros in said))


def _micros(cents: Amounts) -> Amounts:
    return tuple((meter, to_micros(Cents(amount))) for meter, amount in cents)


def _awarded(kept: OfTable, table: Table, seq: int) -> Amounts:
    """A message's part of a day's awards: the booked amount, by the meter that the table paid it from.

    An amount that the ledger itself says it has not booked is taken as the table told it: it is named by itself.
    """
    told = table.awards.get(seq)
    if seq in kept.unbooked:
        return _micros((told,)) if told else ()
    booked = kept.awards.get(seq, ())
    return ((told[0], sum(micros for _, micros in booked)),) if told and booked else booked


def _reports(what: str, kept: OfTable, table: Table) -> Iterator[Finding]:
    """Reports that move no meter: the table's rows against its messages, those against the ledger's rows.

    So nothing that is owed, held without effect or gone keeps the rest from being compared. A day's totals are compared
    with all messages until then if no rows of either side are gone.
    """
    for booked, rows in table.untold.items():
        for row in rows:
            yield Finding(f"{what}: row {row} books {booked}, and no message tells of it", wrong=True)
    for seq, told_only in table.unpaid:
        yield Finding(f"{what}: message {seq} tells of {told_only}, and no row before it books that", wrong=True)
    told, days = Reported(), {day.number: day for day in table.days}
    gap = bool(table.gone or kept.gone)
    refused = {
        seq: table.reports[seq] for seq in sorted(table.reports.keys() & kept.messages.keys() - kept.reports.keys())
    }
    for seq, said in sorted((kept.reports | refused).items()):
        if seq in kept.reports and seq in table.messages and table.reports.get(seq) != said:
            yield Finding(f"{what}: the ledger's row of message {seq} says otherwise than the message", wrong=True)
            return
        told = told.followed_by(said)
        if isinstance(said, DayEnded) and not gap and (wrong := _wrong_day(told, said, days.get(said.number))):
            yield Finding(f"{what}: day {said.number}, {said.day}: {wrong}", wrong=True)
            return
    if refused:
        sums = in_words(_sum(refused.values()).paid)
        yield Finding(
            f"{what}: the ledger holds {len(refused)} reports without effect, from message {min(refused)} on: {sums}"
        )
    if owed := [said for seq, said in table.reports.items() if seq > kept.gone and seq not in kept.messages]:
        yield Finding(f"{what}: of reports it owes {len(owed)}: {in_words(_sum(owed).paid)}")
    if kept.reports:
        held = _sum(kept.reports.values())
        sums = "not added up, rows are gone" if gap else f"{in_words(held.paid)}, days {held.days}"
        yield Finding(f"{what}: {len(kept.reports)} reports compared: {sums}")


def _sum(said: Iterable[Report]) -> Reported:
    return reduce(Reported.followed_by, said, Reported())


def _wrong_day(told: Reported, said: DayEnded, closed: e.DayClosed | None) -> str:
    """The difference between a day's message, the messages until then, and the table's own row; "" for none."""
    counts = ("late", "differences", "bought", "cashed")
    if off := [name for name in counts if getattr(told, name) != getattr(said.perpetual, name)]:
        return f"its totals and what was told until then differ in {', '.join(off)}"
    if closed is None or (totals(closed.totals), totals(closed.perpetual)) != (said.totals, said.perpetual):
        return "the table's own row has other totals than its message"
    return ""


def _differs(hashes: Sequence[str], row: int, head: str) -> str:
    """The fault of that row of a file, "" for none."""
    if row > len(hashes):
        return f"ends at row {len(hashes)}: it was put back, or rows were cut off"
    return "" if hashes[row - 1] in (head, "") else "has another one there: it was made again"
