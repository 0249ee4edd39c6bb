"""The files of earlier gaming days that may go, and why the others may not; off unless a number of days is configured.

A file goes only if its day is closed, over for that long, settled, verified here and now with the whole journal, and
exported: another folder has the very same bytes, which `felt journal verify` reads as ever. Two people sign; the deletion
is a row of the journal with the file's last seal (`journal.FileGone`), written before anything is deleted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import partial, reduce
from pathlib import Path
from typing import Any, TypeVar

from firmware.bank.state import BankState
from firmware.runtime import bank, seals, table_journal, table_keeping
from firmware.runtime.anchor import AnchorFile
from firmware.runtime.day_files import Journal
from firmware.runtime.files import open_any, verify
from firmware.runtime.journal import NO_HASH, FileGone, about
from firmware.runtime.lost_files import OF_A_DAY
from firmware.runtime.seals import Trusted, newest_seal
from firmware.runtime.snapshots import Keeping
from firmware.runtime.sqlite import StoreError, sync_folder
from firmware.table.state import TableState
from firmware.wire.from_bank import ClaimStatus

S = TypeVar("S")
Unsettled = Callable[[Journal[Any]], str]
"""The part of a file's day that is not settled yet, "" for none."""
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Terms:
    """The fewest days that a closed day stays, 0: for good; the folder of the exports; today."""

    keep_days: int
    exports: Path | None
    today: date


@dataclass(frozen=True, slots=True)
class DayFile:
    """One earlier day's file. `stays`: why it may not go, "" where it may. `digest`: SHA-256 of one that was exported."""

    journal: Journal[Any]
    stays: str
    digest: str = ""

    def __str__(self) -> str:
        """In one line, for people."""
        return f"{self.journal.path.name}: {f'stays: {self.stays}' if self.stays else 'may go'}"


def day_files(journal: Journal[Any], terms: Terms, unsettled: Unsettled) -> list[DayFile]:
    """Every earlier day's file, oldest first. The journal was verified. Raises StoreError for a file that is missing."""
    found: list[DayFile] = []
    for file in journal.there[:-1]:
        stays, digest = _stays(file, terms), ""
        if not stays and found and found[-1].stays:
            stays = "an earlier day stays, and no gap is made before it"
        stays = stays or unsettled(file)
        if not stays:
            stays, digest = _exported(file, terms.exports)
        found.append(DayFile(file, stays, digest))
    return found


def _stays(file: Journal[Any], terms: Terms) -> str:
    if not terms.keep_days:
        return "every day is kept for ever (keep_days is 0)"
    named = OF_A_DAY.fullmatch(file.path.name)
    assert named, "it was put aside under the name of its day"
    [day] = re.findall(r"\d{4}-\d\d-\d\d", named[0].removeprefix(named["of"]))
    age = (terms.today - date.fromisoformat(day)).days
    return "" if age > terms.keep_days else f"its day was {age} days ago, {terms.keep_days} are kept"


def _exported(file: Journal[Any], exports: Path | None) -> tuple[str, str]:
    """Why the export is none, or the SHA-256 of both."""
    copy = exports / file.path.name if exports else None
    if copy is None or not copy.is_file():
        return f"not exported: copy it to {copy or 'a folder, and name that with --exports'}", ""
    if copy.samefile(file.path):
        return f"{copy} is this very file", ""
    digest = _digest(file.path)
    return ("", digest) if _digest(copy) == digest else (f"the export {copy} differs from it", "")


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def listed(path: Path, terms: Terms, trusted: Trusted) -> list[DayFile]:
    """Every earlier day's file of a journal in which all is right. Raises JournalDamaged, SealBroken, StoreError."""
    _verified(path, trusted)
    with closing(open_any(path)) as journal:
        return day_files(journal, terms, _unsettled(journal))


def removed(path: Path, terms: Terms, trusted: Trusted, people: tuple[str, ...]) -> list[FileGone]:
    """Remove what may go of a table or a bank that is stopped. Gives the rows. Raises as `listed`, and JournalLost."""
    assert terms.exports is not None, "what is not exported does not go"
    _verified(path, trusted)
    is_table = about(path)["of"] == table_journal.VOCABULARY.name
    with closing(table_journal.open_journal(path) if is_table else bank.open_journal(path)) as journal:
        unsettled = _unsettled(journal)
        anchor = AnchorFile(path)
        anchor.hold(journal)
        seals.take_up(journal)
        rows = _remove(journal, day_files(journal, terms, unsettled), people, terms.exports)
        anchor.write(journal, running=False)
        return rows


def _verified(path: Path, trusted: Trusted) -> None:
    if path.name.endswith(".ledger"):
        bank.examined(path, trusted)
    elif missing := verify(path, trusted).missing:
        raise StoreError(f"{path.with_name(missing)}: this file is missing; nothing is removed before it is signed for")


def _unsettled(journal: Journal[Any]) -> Unsettled:
    """The word of a table's or bank's state about a file; the journal is read through for it."""
    if journal.vocabulary is table_journal.VOCABULARY:
        return _of_table(_state(journal, table_keeping.keeping()))
    of_bank: BankState = _state(journal, bank.keeping())
    claims = [one for book in of_bank.tables.values() for one in book.claims]
    pending = ClaimStatus.PENDING
    open_ = [one.claim.claim for one in claims if one.status is pending or one.owed or one.held is not None]
    return partial(_names_claim, open_)


def _state(journal: Journal[Any], keeping: Keeping[S, Any]) -> S:
    row, state = keeping.restore(journal)
    return reduce(keeping.evolve, journal.replay(row), state)


def _of_table(state: TableState) -> Unsettled:
    """Every message of the journal is with the bank, which has no alarm, and no claim that is named in the file is open.

    A verdict may be in a later file than its claim: so none may be on its way. One that the bank holds until two people
    have looked is an alarm at the table; an adoption ends that, and the claim stays open.
    """
    prizes = [seat.prize.claim for seat in state.round.seats if seat.prize is not None and seat.prize.claim]
    claims = [*(debt.claim for debt in state.neighbors.debts), *state.neighbors.held, *prizes]

    def of_file(file: Journal[Any]) -> str:
        if alarm := state.neighbors.bank_alarm:
            return f"the bank's alarm {alarm} stands, and a claim may be held: two people look at the bank first"
        if state.seq > state.neighbors.bank_seq:
            return f"the bank does not hold message {state.neighbors.bank_seq + 1} yet"
        return _names_claim(claims, file)

    return of_file


def _names_claim(claims: Sequence[str], file: Journal[Any]) -> str:
    """The first of these claims that a row of this file names, as a reason to keep it; "" for none."""
    for entry in file.own_entries() if claims else ():
        for claim in claims:
            if f'"{claim}"' in entry.body:
                return f"claim {claim} is not settled yet"
    return ""


def _remove(journal: Journal[Any], days: Sequence[DayFile], people: tuple[str, ...], exports: Path) -> list[FileGone]:
    """Write down what goes, durably, and then delete it, oldest first. `journal` is open to be written.

    Gives the rows. A file that a power cut left, though it is written down as gone, is read as ever, and may go again.
    """
    going = [day for day in days if not day.stays]
    rows = list(_rows(going, people, exports))
    if not rows:
        return []
    journal.append(rows)
    for day in going:
        day.journal.path.unlink()
        sync_folder(day.journal.path.parent)
    return rows


def _rows(going: Sequence[DayFile], people: tuple[str, ...], exports: Path) -> Iterator[FileGone]:
    """One for each; the one before the first that goes is gone already, or never was."""
    for day in going:
        file = day.journal
        before, after, known = _before(file)
        [(rows, head)] = file.database.execute("SELECT row, hash FROM event ORDER BY row DESC LIMIT 1")
        assert isinstance(rows, int)
        seal = newest_seal(file)
        why = f"removed, exported to {exports.resolve() / file.path.name}, SHA-256 {day.digest}"
        yield FileGone(file.path.name, rows, str(head), before, after, known, why, people, seal[2] if seal else "")


def _before(file: Journal[Any]) -> tuple[str, int, str]:
    """Each row's word about the file before it: its name, last row and hash; ("", 0, zeros) for the first of all."""
    name = file.about.get("before", "")
    return (name, file.first - 1, file.about["head"]) if name else ("", 0, NO_HASH)
