"""The signatures at a stopped table: it goes on with its record as it is, it is live, a test's meter holds an amount.

Each is a row of the journal, and the anchor is written behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path

from firmware.rules.money import Cents
from firmware.runtime import lost_files, seals
from firmware.runtime.anchor import AnchorFile, JournalLost
from firmware.runtime.day_files import Journal
from firmware.runtime.journal import FileGone
from firmware.runtime.signed_notes import PublicKey
from firmware.runtime.table_journal import open_journal
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.projections import OF_RECORDS, is_closed
from firmware.table.state import UNFINISHED, TableState


def accept_journal(path: Path, by: tuple[str, ...]) -> str:
    """Two people have looked: the table goes on with the journal that is there. Gives what was wrong with it.

    The acceptance is a row of it. Raises JournalLost where nothing is wrong, or nothing is there to go on with.
    """
    journal, anchor = open_journal(path), AnchorFile(path)
    try:
        journal.verify()
        key = seals.own_key(journal)
        why = anchor.objection(journal) or seals.objection(journal, [key.public])
        if not why:
            alarm = _replayed(journal).neighbors.bank_alarm
            if alarm in OF_RECORDS:
                raise JournalLost(
                    f"{path}: this journal is whole, and its alarm `{alarm}` is ended at the bank: start the table, then "
                    "`felt bank adopt`, which says where only a new journal helps (docs/operations.md)"
                )
            raise JournalLost(f"{path}: nothing is wrong with this journal; start the table")
        if not journal.rows:
            raise JournalLost(
                f"{path}: no row is left to go on with; move the whole folder away as evidence and make a new journal: "
                "`felt table new`"
            )
        journal.sealer = seals.Sealer(journal, key)
        journal.append([e.RecordAccepted("journal", why, by)])
        anchor.write(journal, running=False)
        return why
    finally:
        journal.close()


def accept_bank(path: Path, by: tuple[str, ...]) -> str:
    """Two people have looked: the table goes by the ledger that it hears of next. Gives the epoch it went by, "" for none.

    The acceptance is a row of the journal. Raises JournalLost, JournalDamaged, StoreError.
    """
    journal, anchor = open_journal(path), AnchorFile(path)
    try:
        state = _replayed(journal)
        anchor.hold(journal)
        seals.take_up(journal)
        known = state.neighbors.ledger.epoch
        journal.append([e.RecordAccepted("bank", f"instead of {known}", by)])
        anchor.write(journal, running=False)
        return known
    finally:
        journal.close()


def accept_key(path: Path, by: tuple[str, ...]) -> tuple[str, PublicKey]:
    """The key is lost, or somebody else may have seen it: two people take a new one. Gives the journal's id and the
    new public key, which two people at the bank adopt.

    The acceptance is a row of the journal, and says what else is wrong with the seals. The old key file is kept under
    another name. Raises JournalLost, JournalDamaged, StoreError.
    """
    journal, anchor = open_journal(path), AnchorFile(path)
    try:
        table = _replayed(journal).program.table
        anchor.hold(journal)
        why = seals.objection(journal, ())
        key = seals.new_key(journal, f"felt/table/{table}")
        journal.sealer = seals.Sealer(journal, key)
        journal.append([e.RecordAccepted("key", f"{key.public.text}{why and '; '}{why}", by)])
        anchor.write(journal, running=False)
        return journal.id, key.public
    finally:
        journal.close()


def accept_days(path: Path, by: tuple[str, ...]) -> tuple[FileGone, ...]:
    """Files of earlier days are lost: two people sign so, and the table goes on without them.

    Each is a row of the journal. Raises JournalLost where none is missing, JournalDamaged, StoreError.
    """
    journal, anchor = open_journal(path), AnchorFile(path)
    try:
        found = lost_files.sign(journal, by)
        if not found:
            raise JournalLost(f"{path}: no file of an earlier day is missing; start the table")
        _replayed(journal)
        anchor.hold(journal)
        seals.take_up(journal)
        journal.append(found)
        anchor.write(journal, running=False)
        return found
    finally:
        journal.close()


def go_live(path: Path, by: tuple[str, str], at: int) -> None:
    """Two people say LIVE at a stopped table that is closed: from here on its money counts. `at`: seconds of UTC.

    It is a row of the journal. Raises JournalLost where that may not be said, JournalDamaged, StoreError.
    """
    with _at_rest(path) as (journal, state):
        if state.program.live:
            raise JournalLost(f"{path}: this table is live already, and stays so")
        if not is_closed(state):
            raise JournalLost(
                f"{path}: the table is not closed: start it, clear the round, cash out the accounts, close it, stop it"
            )
        journal.append([e.TableLive(by, at=at, by=by[1])])


def force_meter(path: Path, meter: str, amount: Cents, by: str) -> None:
    """A technician says what stands on a meter of a test, at the stopped table. A row of the journal.

    Raises JournalLost for a live table and during a round, JournalDamaged, StoreError.
    """
    with _at_rest(path) as (journal, state):
        if state.program.live:
            raise JournalLost(f"{path}: this table is live: only its bank says what stands on a meter")
        if state.phase in UNFINISHED:
            raise JournalLost(f"{path}: a round is being played: start the table, clear the round, stop it")
        journal.append([e.MeterForced(meter, amount, by)])


@contextmanager
def _at_rest(path: Path) -> Iterator[tuple[Journal[e.Event], TableState]]:
    """The journal of a table that is stopped and its state, for what people sign there; what they add is anchored.

    Raises JournalLost, JournalDamaged, StoreError.
    """
    journal, anchor = open_journal(path), AnchorFile(path)
    try:
        state = _replayed(journal)
        anchor.hold(journal)
        seals.take_up(journal)
        yield journal, state
        anchor.write(journal, running=False)
    finally:
        journal.close()


def _replayed(journal: Journal[e.Event]) -> TableState:
    """The state that all rows make which are there, as far back as none is gone."""
    row, state = keeping().first(journal)
    return reduce(keeping().evolve, journal.replay(row), state)
