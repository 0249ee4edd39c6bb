"""What a table and its bank do while a write fails: first starts, rounds, the closing of days; and what is judged after.

Both play in this process, on real files. A program whose write failed ends, and is started again, as systemd does it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from firmware.bank.ledger import LedgerBroken
from firmware.runtime import bank, table, whole
from firmware.runtime.anchor import JournalLost
from firmware.runtime.bank import BankService, make_ledger
from firmware.runtime.clock import SteadyClock
from firmware.runtime.day_files import Journal
from firmware.runtime.files import open_any, verify
from firmware.runtime.journal import JournalDamaged
from firmware.runtime.reconcile import reconcile
from firmware.runtime.sqlite import StoreError
from firmware.runtime.table import TableService
from firmware.runtime.table_journal import make_journal
from firmware.runtime.table_signatures import go_live
from tests.bank.casino import rules
from tests.runtime.test_day_files import closes_day, closes_ledger
from tests.runtime.test_two_records import House
from tests.runtime.world import BankWorld, Clock, S, TableWorld

ENDS = (StoreError, JournalDamaged, LedgerBroken, OSError)
"""What ends a program in one line; anything else is a traceback."""
EPOCH, BY = "e" * 32, ("2001", "3001")
JOURNAL, LEDGER = "table.journal", "bank.ledger"
DAYS = ("2027-01-11", "2027-01-12", "2027-01-13")
FINDINGS = ("malformed", "refused", "lost", "traceback", "hang", "contradiction")
"""What may be wrong, the first word of each finding."""
OPEN: list[Journal[object]] = []
"""What a program closes when it ends, however it ends."""
Says = Callable[[str, int, str], None]
"""A promise: "table" or "bank", the number of a row that everybody was shown the effect of, and its hash."""


class Stopped(Exception):
    """The programs cannot start while this fault lasts."""


def installed(says: Says) -> Clock:
    """One clock, the first gaming day, snapshots every few rows; and `says` is told of every row before it is acted on."""
    clock = Clock()
    clock.install(pytest.MonkeyPatch())
    for module in (table, bank):
        kept = replace(module.keeping(), every=16, calm_after=8)
        put(module, keeping=lambda kept=kept: kept)
    put(SteadyClock, gaming_day=lambda _, begins: DAYS[0])
    opens = Journal.__init__

    def opened(self: Journal[object], *given: object, **named: object) -> None:
        opens(self, *given, **named)  # type: ignore[arg-type]
        OPEN.append(self)

    put(Journal, __init__=opened)
    for service, side in ((TableService, "table"), (BankService, "bank")):
        _tells(service, side, says)
    return clock


def plant() -> None:
    """The mistake that once was made, as SQLite makes it while it closes a file: what fails is not told. And no start goes
    back to what is whole.
    """

    def swallows(file: int, content: bytes) -> None:
        with suppress(OSError):
            os.write(file, content)

    put(whole, _write=swallows)
    put(table, take_back=lambda *_: None)
    put(bank, take_back=lambda *_: None)


def put(module: ModuleType | type, **names: object) -> None:
    for name, value in names.items():
        setattr(module, name, value)


def _tells(service: type[TableService] | type[BankService], side: str, says: Says) -> None:
    acts = service._act

    def told(self: TableService | BankService, *given: object) -> None:
        journal = self._spine.journal
        says(side, journal.rows, journal.head)
        acts(self, *given)  # type: ignore[arg-type]

    service._act = told  # type: ignore[method-assign,assignment]


# The stages -----------------------------------------------------------------------------------------------------------


def makes(folder: Path) -> None:
    """`felt table new`, `felt table live`, `felt bank new`, each until it is done: people type it again."""
    for side in ("table", "bank"):
        (folder / side).mkdir(exist_ok=True)
    with suppress(JournalLost):  # it is made
        make_journal(folder / "table" / JOURNAL, "uth-04", 6)
    with suppress(JournalLost):  # it is live
        go_live(folder / "table" / JOURNAL, BY, 1_800_000_000)
    with suppress(JournalLost):
        make_ledger(folder / "bank" / LEDGER, "felt", rules(tables=("uth-04",)), EPOCH)


def starts(folder: Path, clock: Clock) -> House:
    """Both programs, which hear each other."""
    house = House(TableWorld(folder / "table", clock), BankWorld(folder / "bank", clock))
    house.table.link.connects()
    house.talk()
    return house


def _round(house: House) -> None:
    table = house.table
    table.opens()
    table.places(1, 3)
    table.locks()
    table.presses("count-2")
    house.goes_on()


def _clears(house: House) -> None:
    house.table.presses_for("clear")
    for seat in (1, 3):
        house.table.sensors.moves(seat, False)
    house.table.turns(50)
    house.goes_on()


def _closes(house: House) -> None:
    """Both sides close a gaming day, and go on in new files."""
    put(SteadyClock, gaming_day=lambda _, begins: DAYS[house.table.state.days.closed])
    closes_day(house.table)
    closes_ledger(house, DAYS[house.bank.service.state.days.closed])
    _later(house)


def _later(house: House) -> None:
    """So much that what could not be put aside is tried again."""
    house.table.clock.now_ns += 11 * S
    house.talk()


def _ends(house: House) -> None:
    for world in (house.table, house.bank):
        world.journal.close()


STAGES: dict[str, Sequence[Callable[[House], None]]] = {
    "rounds": (_round, _clears, _round, _clears, _ends),
    "closing": (_closes, _round, _clears, _closes, _ends),
}
"""What is played of each stage, on the files that the stage before has left."""


def plays(folder: Path, clock: Clock, stage: str) -> None:
    """One stage. After a program has ended and was started again, the rest of what it writes by itself. Raises Stopped."""
    if stage == "new":
        try:
            makes(folder)
        except ENDS as error:
            raise Stopped(str(error)) from error
        return
    house = _started(folder, clock)
    for step in STAGES[stage]:
        try:
            step(house)
        except ENDS:
            _all_end()
            house = _started(folder, clock)
            break
    with suppress(*ENDS):
        _later(house)
        house.table.link.drops()
        house.talk()
        _ends(house)


def _started(folder: Path, clock: Clock) -> House:
    """As systemd does it: again and again, here three times. Raises Stopped."""
    for _ in range(3):
        try:
            return starts(folder, clock)
        except ENDS as error:
            _all_end()
            why = str(error)
    raise Stopped(why)


def _all_end() -> None:
    while OPEN:
        with suppress(*ENDS):
            OPEN.pop().close()


# The judge ------------------------------------------------------------------------------------------------------------


def wrong(folder: Path, clock: Clock, promised: dict[str, tuple[int, str]]) -> list[str]:
    """What is wrong with the files, now that nothing fails any more: with no deed of a person both programs start, have
    every row that was promised, close what is not closed yet, and start again.
    """
    try:
        makes(folder)
        for _ in range(2):
            house = starts(folder, clock)
            _later(house)
            for side, journal in (("table", house.table.journal), ("bank", house.bank.journal)):
                row, head = promised.get(side, (0, ""))
                if row and journal.hash_at(row) != head:
                    return [f"lost: row {row} of the {side}, which has {journal.rows} rows"]
                if (closed := _closed(journal, house)) > journal.days:
                    return [f"refused: day {closed} of the {side} is not put aside"]
            _ends(house)
        return _read_again(folder)
    except (*ENDS, sqlite3.Error) as error:
        return [f"{'malformed' if 'malformed' in str(error) else 'refused'}: {error}"]


def _closed(journal: Journal[object], house: House) -> int:
    return (house.table.state if journal is house.table.journal else house.bank.service.state).days.closed


def _read_again(folder: Path) -> list[str]:
    journal, ledger = folder / "table" / JOURNAL, folder / "bank" / LEDGER
    verify(journal)
    bank.verify(ledger)
    with closing(open_any(journal)) as file:
        file.database.look_at_pages(all_of_them=True)
    return [f"contradiction: {one.text}" for one in reconcile(ledger, [journal]) if one.wrong]
