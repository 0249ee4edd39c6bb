"""A month at three tables and their bank, by seed: gaming days with closings, power cuts, lost and repeated messages.

Tables and bank keep their books as they do in a casino: journals and a ledger on disk, a file for each day. At the end
everything is read from the files again: nothing is lost, doubled or forgotten, and the days' totals are the ledger's to the
micro-dollar.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from firmware.bank import events as b
from firmware.bank.decide import decide
from firmware.bank.inputs import DaySigned, Started
from firmware.bank.ledger import Account
from firmware.bank.reported import Reported
from firmware.bank.state import BankState
from firmware.bank.wire import decode_up, down
from firmware.proof.rehearse.bank import rules_of
from firmware.proof.simulation.shifts.floor import between_rounds, open_table
from firmware.proof.simulation.shifts.houses import CHIEF, FLOOR
from firmware.proof.simulation.shifts.law import Wrong
from firmware.proof.simulation.shifts.shift import Shift, play_round
from firmware.proof.simulation.shifts.table_under_proof import AT, EPOCH
from firmware.rules.games import books, load_book
from firmware.rules.meter_wagers import fed_by
from firmware.rules.money import Cents, to_micros
from firmware.rules.submission import Submission
from firmware.runtime import bank as banks
from firmware.runtime import seals
from firmware.runtime.anchored_journal import AnchoredJournal
from firmware.runtime.files import verify
from firmware.runtime.reconcile import reconcile
from firmware.runtime.spine import Spine
from firmware.runtime.table_journal import UP, make_journal, open_journal
from firmware.runtime.table_keeping import keeping
from firmware.runtime.table_signatures import go_live
from firmware.table import events as e
from firmware.table.house import House
from firmware.table.inputs import BankSaid, Pressed
from firmware.table.inputs import Input as TableInput
from firmware.table.state import Amounts, Phase, TableState, Tally
from firmware.table.tally import added, less
from firmware.table.wire import decode_down
from firmware.wire.payload import write

TABLES = ("table-1", "table-2", "table-3")
BOOK = next(book for book in books() if "progressive" in load_book(book).sample.shift)
FIRST_DAY = date(2027, 1, 1)
CUT, SILENT, LOST, TWICE = 0.01, 0.2, 0.1, 0.1
"""How often: a power cut after a step, a day without a link, a message that is lost, one that comes twice."""
BATCH = 100


class MonthBank:
    """The bank, its ledger in a folder."""

    def __init__(self, folder: Path, house: House) -> None:
        self.path = folder / "bank.ledger"
        people = {person.badge: person.role for person in house.people.values()}
        self.rules = rules_of("a month", TABLES, house.submission, people)
        banks.begin_ledger(self.path, "month")
        self.starts()

    def starts(self) -> None:
        """The program starts on what stands in its file."""
        self.journal = banks.open_journal(self.path)
        self.spine = banks.held_against(self.journal, lambda state, given: decide(self.rules, state, given))
        seals.take_up(self.journal)
        self.kept = AnchoredJournal(self.journal)
        self.spine.take([Started(AT, EPOCH, restored=False)])

    @property
    def state(self) -> BankState:
        """As it is on disk."""
        return self.spine.state

    def hears(self, table: str, text: str) -> None:
        """One message of a table."""
        self.spine.take([decode_up(table, text.encode(), AT)])

    def says(self, table: str) -> BankSaid:
        """Its record of a table, over the wire and back."""
        return decode_down(write(down(self.state, table)), table)

    def closes(self, day: str) -> None:
        """Two people close the gaming day. Raises Wrong."""
        happened = self.spine.take([DaySigned(AT, day, (FLOOR, CHIEF), day)])
        if not any(isinstance(event, b.DayClosed) for event in happened):
            raise Wrong(f"day {day} of the ledger is not closed: {happened}")
        banks.put_aside(self.spine, self.kept)

    def restarts(self) -> None:
        """The power goes and comes. Raises Wrong where anything is forgotten."""
        before = self.state
        self.journal.close()
        self.starts()
        if self.state.accounts != before.accounts or self.state.tables != before.tables:
            raise Wrong("the bank started with another ledger than it had")


class MonthTable(Shift):
    """One table with its journal in a folder, at a bank that other tables feed too.

    silent: it does not reach its bank, but for a claim, for which people wait.
    """

    def __init__(self, name: str, seed: int, folder: Path, level: int) -> None:
        self.name, self.path = name, folder / name / "table.journal"
        self.spine: Spine[TableState, TableInput, e.Event] | None = None
        self.silent = False
        self.faults = random.Random(f"faults {name} {seed}")
        self.met: Counter[str] = Counter()
        self.books: MonthBank | None = None
        super().__init__(BOOK, seed, level=level, checks=False)

    def _write(self, events: Sequence[e.Event], after: TableState) -> None:
        if self.spine is None:  # what a shift begins with is in the journal that two people make live
            self.path.parent.mkdir(parents=True)
            make_journal(self.path, self.name, self.house.seats)
            go_live(self.path, (FLOOR, CHIEF), self.now_s)
            self._opens()
            return
        for event in self._open.record(events):
            self._follow(event)
        self.state = self._open.state

    @property
    def _open(self) -> Spine[TableState, TableInput, e.Event]:
        assert self.spine is not None, "the journal is not open"
        return self.spine

    def _opens(self) -> None:
        self.journal = open_journal(self.path)
        self.spine = Spine(self.journal, keeping(), lambda state, given: ())
        seals.take_up(self.journal)
        self.state = self._open.state

    def power_cut(self) -> None:
        """After any step: what stands in the files is the table. Raises Wrong."""
        if self.faults.random() < CUT:
            self.met["power cuts"] += 1
            before = self.state
            self.journal.close()
            self._opens()
            if self.state != before:
                raise Wrong(f"{self.name}: another table after a power cut")
            self._boot()

    def hear_bank(self) -> None:
        """Debts go to the bank, in part not, in part twice, again and again; it says its record."""
        if self.books is None or (self.silent and self.state.phase is not Phase.PRICE):
            return
        while (held := self.held) < self.state.seq:
            for owed in self.journal.messages(UP, held + 1, BATCH):
                assert isinstance(owed, e.MessageOwed)
                times = 0 if self.faults.random() < LOST else 1 + (self.faults.random() < TWICE)
                self.met["messages lost"] += times == 0
                self.met["messages twice"] += times == 2
                for _ in range(times):
                    self.books.hears(self.name, owed.text)
            if self.faults.random() < CUT:
                self.met["bank restarts"] += 1
                self.books.restarts()
        self.take(self.books.says(self.name))

    @property
    def held(self) -> int:
        """The last message that the bank holds."""
        assert self.books is not None, "a table of a bank"
        return self.books.state.book(self.name).current.held.seq

    def closes_day(self, day: str) -> None:
        """The floor signs, and the day's file is put aside; in between the power may go. Raises Wrong."""
        self.press("problem close-day")
        self.take(Pressed("apply", CHIEF, self.now_s, day))
        if self.state.days.last != day:
            raise Wrong(f"{self.name}: day {day} is not closed: {self.state.desk.notice}")
        self.power_cut()
        if self._open.begin_file(day, self.state.days.closed):
            raise Wrong(f"{self.name}: somebody reads the journal")
        self.power_cut()


@dataclass(frozen=True, slots=True)
class Seen:
    """A month in figures: its days, its perpetual totals by table, the sums of its ledger, and the trouble that it met.

    `told`: by table, the reports that move no meter, as the ledger has them.
    """

    days: int
    rows: int
    totals: dict[str, Tally]
    contributions: Amounts
    awards: Amounts
    told: Mapping[str, Reported]
    met: Counter[str]


def play(folder: Path, seed: int, days: int, rounds: int) -> Seen:
    """So many gaming days of so many rounds at each table, in files in `folder`. Raises Wrong."""
    tables = [MonthTable(name, seed * 10 + place, folder, place % 3) for place, name in enumerate(TABLES)]
    bank = MonthBank(folder, tables[0].house)
    chance = random.Random(f"month {seed}")
    for table in tables:
        table.books = bank
        open_table(table)
    for number in range(days):
        for table in tables:
            table.silent = chance.random() < SILENT
            table.met["days without a link"] += table.silent
        for _ in range(rounds):
            for table in tables:
                between_rounds(table)
                play_round(table)
        _close(tables, bank, (FIRST_DAY + timedelta(days=number)).isoformat(), last=number == days - 1)
    met = sum((table.met for table in tables), Counter[str]())
    for table in tables:
        table.journal.close()
    bank.journal.close()
    return _proved(folder, tables[0].house.submission, days, met)


def _close(tables: list[MonthTable], bank: MonthBank, day: str, *, last: bool) -> None:
    """Every table's day, then the bank's; a table without a link is heard later, after the last day at once."""
    for table in tables:
        between_rounds(table, calm=True)
        table.closes_day(day)
        if last:
            table.silent = False
            table.hear_bank()
    bank.closes(day)


# The files -------------------------------------------------------------------------------------------------------------


def _proved(folder: Path, submission: Submission, days: int, met: Counter[str]) -> Seen:
    """All that a month has written, read again. Raises Wrong, JournalDamaged, LedgerBroken."""
    ledger = folder / "bank.ledger"
    journals = [folder / name / "table.journal" for name in TABLES]
    found = [verify(path) for path in journals]
    accounts = banks.verify(ledger)
    for one in reconcile(ledger, journals):
        if one.wrong or any(words in one.text for words in ("owes", "not hold", "without effect")):
            raise Wrong(one.text)
    booked, told = _booked(ledger), banks.reported_at(ledger)
    totals = {}
    for name, path in zip(TABLES, journals, strict=True):
        of_day = totals[name] = _table_days(name, path, submission, days)
        said = told[name]  # what it says was paid is held against the table's rows by `reconcile`, above, line by line
        counted = (of_day.bought, of_day.cashed, of_day.late, of_day.differences, days)
        if (said.bought, said.cashed, said.late, said.differences, said.days) != counted:
            raise Wrong(f"{name}: the bank was told {said}, the journal says {counted}")
        _same(f"{name}: contributions", totals[name].contributions, booked[name][0])
        awards: Amounts = added((), ((meter, to_micros(Cents(cents))) for meter, cents in totals[name].awards))
        _same(f"{name}: awards", awards, booked[name][1])
    fed = ((meter, accounts.balance(Account.CONTRIBUTIONS, meter)) for meter in accounts.balances)
    back = ((meter, -accounts.balance(Account.REVERSALS, meter)) for meter in accounts.balances)
    contributions = added(added((), fed), back)
    awards = added((), ((meter, accounts.balance(Account.AWARDS, meter)) for meter in accounts.balances))
    _same("all contributions", _all(totals.values(), "contributions"), contributions)
    return Seen(days, sum(one.rows for one in found), totals, contributions, awards, told, met)


def _all(tallies: Iterable[Tally], name: str) -> Amounts:
    amounts: Amounts = ()
    for tally in tallies:
        amounts = added(amounts, getattr(tally, name))
    return amounts


def _same(what: str, one: Amounts, other: Amounts) -> None:
    if one != other:
        raise Wrong(f"{what}: {one} and {other}")


def _booked(path: Path) -> dict[str, tuple[Amounts, Amounts]]:
    """By table, as the ledger's last closing says it: contributions less reversals, and awards, in micro-dollars."""
    with closing(banks.open_journal(path, read_only=True)) as journal:
        closed = [event for event in journal.replay() if isinstance(event, b.DayClosed)]
    signs = {Account.CONTRIBUTIONS: 1, Account.REVERSALS: -1}
    sums = closed[-1].perpetual
    booked = {}
    for name in TABLES:
        own = [one for one in sums if one.table == name]
        fed = added((), ((one.meter, signs[one.account] * one.micros) for one in own if one.account in signs))
        booked[name] = (fed, added((), ((one.meter, one.micros) for one in own if one.account is Account.AWARDS)))
    return booked


def _table_days(name: str, path: Path, submission: Submission, days: int) -> Tally:
    """The last closing's totals of one table, every day's own held against the rows of that day. Raises Wrong."""
    before, rows = Tally(), _Rows(submission)
    closed: list[e.DayClosed] = []
    with closing(open_journal(path)) as journal:
        for event in journal.replay():
            rows.add(event)
            if isinstance(event, e.DayClosed):
                closed.append(event)
                _same(f"{name}, {event.day}: contributions", event.totals.contributions, rows.fed)
                if event.totals != less(event.perpetual, before) or event.totals.rounds != len(rows.cleared):
                    raise Wrong(f"{name}, {event.day}: the day is not what was added since the last one")
                if event.totals.late != rows.late:
                    raise Wrong(f"{name}, {event.day}: {rows.late} late chips, the day says {event.totals.late}")
                before = event.perpetual
                rows.next_day()
    if [one.number for one in closed] != list(range(1, days + 1)):
        raise Wrong(f"{name}: closed were days {[one.number for one in closed]}")
    return before


class _Rows:
    """A day's own account, from the rows alone: the wagers as the messages to the bank say them, seat by seat."""

    def __init__(self, submission: Submission) -> None:
        self._submission = submission
        self._of_round: dict[int, Amounts] = {}
        self.next_day()

    def next_day(self) -> None:
        """Nothing has happened yet."""
        self.fed: Amounts = ()
        self.cleared: set[int] = set()
        """Rounds, by number: one whose clearing was taken back is cleared again."""
        self.late = 0

    def add(self, event: e.Event) -> None:
        """One row."""
        match event:
            case e.MessageOwed(text=text):
                self._message(json.loads(text))
            case e.LateWager():
                self.late += 1
            case e.RoundCleared(round=number):
                self.cleared.add(number)
            case _:
                pass

    def _message(self, said: dict[str, object]) -> None:
        body = said["body"]
        assert isinstance(body, dict)
        if said["kind"] == "wagers":
            made = [wager["name"] for wager in body["made"] for _ in wager["seats"]]
            fed = added((), _contributions(made, self._submission))
            self._of_round[body["round"]] = fed
            self.fed = added(self.fed, fed)
        elif said["kind"] == "reversal":
            back = self._of_round.pop(body["round"])
            self.fed = added(self.fed, ((meter, -micros) for meter, micros in back))


def _contributions(made: Iterable[str], submission: Submission) -> Iterator[tuple[str, int]]:
    for wager in made:
        for meter in fed_by(wager, submission):
            yield meter.name, meter.contribution
