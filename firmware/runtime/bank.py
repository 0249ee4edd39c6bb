"""The bank's process: the same spine as the table's. A message is acknowledged when it is committed with its effect.

Beside the journal stand two tables of the same file, written in the same transaction: `ledger`, every entry, and `meter`,
what each meter holds. `verify` derives the second from the first and both from the journal.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import time as time_of_day
from functools import cache, partial
from pathlib import Path

import msgspec

from firmware.bank import events as e
from firmware.bank.decide import (
    AHEAD,
    BankRules,
    decide,
    held_verdict,
    may_be_refused,
    owner_of,
    why_not_closed,
    why_not_reopened,
)
from firmware.bank.inputs import (
    AdoptionSigned,
    DaySigned,
    Input,
    MessageArrived,
    MessageRefused,
    ReopeningSigned,
    Started,
    TablesNamed,
    VerdictSigned,
)
from firmware.bank.ledger import Account, Accounts, Entry, LedgerBroken
from firmware.bank.ledger import verify as derive
from firmware.bank.reported import Reported, reported
from firmware.bank.state import HELD_LEAST, BankState, TableBook, evolve
from firmware.bank.wire import Downs, board, decode_presence, decode_status, decode_up, larger_below
from firmware.config import BankConfig, ConfigError, display_names, gaming_day
from firmware.rules.approvals import APPROVALS, Act, approvals
from firmware.rules.money import Micros, cents, in_full
from firmware.rules.submission import Submission
from firmware.runtime import garbage, lost_files, seals
from firmware.runtime.adoption import (
    ADOPT,
    UNLOCK,
    AdoptionAsked,
    Answer,
    ClosingAsked,
    HeldAsked,
    HeldShown,
    ReopeningAsked,
    VerdictAsked,
)
from firmware.runtime.anchor import AnchorFile, JournalLost, signs
from firmware.runtime.anchored_journal import AnchoredJournal, take_back
from firmware.runtime.clock import utc_now
from firmware.runtime.day_files import Journal
from firmware.runtime.disk import MB, free_bytes, is_short, is_spent
from firmware.runtime.epochs import EpochsFile
from firmware.runtime.grievances import Grievances
from firmware.runtime.journal import FileGone, JournalDamaged, OwnRow, Vocabulary, make
from firmware.runtime.link import Arrived, Carrier, Connected
from firmware.runtime.progress import shown
from firmware.runtime.signed_notes import PublicKey
from firmware.runtime.snapshots import Keeping, checked, program_of
from firmware.runtime.spine import Spine, applied
from firmware.runtime.sqlite import Database, StoreError
from firmware.runtime.stopping import stop_all
from firmware.runtime.table_anchors import TableAnchors
from firmware.runtime.tries import Tries
from firmware.wire.anchors import Anchor
from firmware.wire.from_bank import Heartbeat
from firmware.wire.from_table import Status
from firmware.wire.offers import Offer, differences
from firmware.wire.payload import PAYLOAD_MAX, WireError, read, write
from firmware.wire.structs import replace
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox
from hal.ports import Complaint
from hal.watchdog import Watchdog
from hal.workers import revived

log = logging.getLogger("felt.bank")

S = 1_000_000_000
BEAT_NS = 2 * S
REPEAT_NS = 60 * S
"""How often board and `down` are said again though nothing changed: any other word in their place at the broker goes."""
WEIGHED_NS = S
"""How often the room on the disk is looked at."""
FILE_AGAIN_NS = 10 * S
"""How long after a file could not be closed, because somebody read it, that is tried again."""
RIVAL_NS = 5 * BEAT_NS
"""So long after the last heart of a rival a bank that stood back comes back."""
SNAPSHOT_AFTER, SNAPSHOT_EVERY = 2_000, 5_000
"""Rows: two tenths of a second of replay; what is written is 27 kilobytes a table, so a large bank writes it less often."""
NEAR_MAX = PAYLOAD_MAX * 9 // 10
"""Bytes of a payload above which the log says so."""
SMALL = 100
"""Tables."""


def messages_of(table: str, journal: str) -> str:
    """The key of the messages of one journal of a table in the bank's journal."""
    return f"{table} {journal}"


def _message(event: e.Event) -> tuple[str, int] | None:
    position = e.position_of(event)
    return (messages_of(position.table, position.journal), position.seq) if position else None


SEALED = frozenset(kind.__name__ for kind in (e.BankStarted, e.TableAdopted, e.KeyAccepted, FileGone))
SEALED_AFTER_NS = 60 * S
"""A bank has no rounds that end: its ledger is sealed once a minute, while anything is written."""
VOCABULARY: Vocabulary[e.Event] = Vocabulary("bank", e.EVENTS, e.UPGRADES, _message, SEALED, SEALED_AFTER_NS)

SCHEMA = (
    "CREATE TABLE ledger (row INTEGER PRIMARY KEY, account TEXT NOT NULL, meter TEXT NOT NULL,"
    " table_id TEXT NOT NULL, round INTEGER NOT NULL, micros INTEGER NOT NULL)",
    "CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'a ledger is never edited'); END",
    "CREATE TRIGGER ledger_remains BEFORE DELETE ON ledger"
    " BEGIN SELECT RAISE(ABORT, 'a ledger is never shortened'); END",
    "CREATE TABLE meter (name TEXT PRIMARY KEY, micros INTEGER NOT NULL) WITHOUT ROWID",
)


@cache
def keeping() -> Keeping[BankState, e.Event]:
    """How a bank's state is kept by this program."""
    program = program_of("firmware.rules", "firmware.wire", "firmware.bank", "firmware.runtime.bank")
    read = partial(msgspec.json.decode, type=BankState)
    return Keeping(program, BankState(), evolve, _text, read, _is_small, SNAPSHOT_EVERY, SNAPSHOT_AFTER)


def _is_small(state: BankState) -> bool:
    return len(state.tables) <= SMALL


def _text(state: BankState) -> str:
    return msgspec.json.encode(state).decode()


def open_journal(path: Path, *, read_only: bool = False) -> Journal[e.Event]:
    """The bank's file. A bank makes none by itself: `make_ledger` does. Raises JournalDamaged, JournalLost, StoreError."""
    if not read_only:
        take_back(path, VOCABULARY)
    if not read_only and (not path.exists() or not path.stat().st_size):
        raise JournalLost(
            f"{path}: the ledger is missing or empty. Put it back; where it is lost, put the last backup there and start "
            "once with `felt bank --restored` (docs/install.md). A bank that never had one: `felt bank new` makes it, once"
        )
    return Journal(path, VOCABULARY, read_only=read_only)


def begin_ledger(path: Path, bank: str) -> None:
    """The file of a new ledger, without a row, and the key that seals it, where they are not there yet.

    Raises JournalLost where there was a ledger, StoreError.
    """
    if not path.exists():
        if found := signs(path):
            raise JournalLost(
                f"{path}: the ledger is gone, {found[0].name} says that there was one. Put it back, or the last backup, and "
                "start once with `felt bank --restored`; or name another home"
            )
        make(path, VOCABULARY.name, lambda database: _first_rows(database, BankState()))
    with closing(Journal(path, VOCABULARY)) as ledger:
        seals.own_key(ledger, f"felt/bank/{bank}")


def make_ledger(path: Path, bank: str, rules: BankRules, epoch: str) -> PublicKey:
    """The ledger of a bank that never had one, its meters seeded, under this epoch. Gives the public key of its seals.

    One whose making the power cut is made to the end. Raises JournalLost where there is one, or was, StoreError.
    """
    if path.exists() and AnchorFile(path).read() is not None:
        raise JournalLost(f"{path}: is there; a bank has one ledger: start the bank, or name another home")
    begin_ledger(path, bank)
    with closing(open_journal(path)) as ledger:
        spine = held_against(ledger, lambda state, given: decide(rules, state, given))
        key = seals.take_up(ledger)
        if spine.state.term > 1:
            raise JournalLost(f"{path}: a bank has started on this ledger, and it has one: start the bank")
        if not spine.state.epoch:
            spine.take([Started(spine.journal.clock.utc_now(), epoch, restored=False)])
        EpochsFile(path).keep(spine.state)
        AnchoredJournal(ledger).leave()
        return key


def post(database: Database, happened: Sequence[e.Event], state: BankState) -> None:
    """The entries of these events, and what the meters hold after them."""
    entries = [entry for event in happened for entry in e.entries_of(event)]
    if not entries:
        return
    database.insert_all(
        "INSERT INTO ledger (account, meter, table_id, round, micros) VALUES (?, ?, ?, ?, ?)",
        [(str(entry.account), entry.meter, entry.table, entry.round, entry.micros) for entry in entries],
    )
    database.insert_all(
        "INSERT INTO meter VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET micros = excluded.micros",
        [(meter, state.meter(meter)) for meter in sorted({entry.meter for entry in entries})],
    )


def ledger_entries(journal: Journal[e.Event], last: int = -1) -> Iterator[Entry]:
    """The ledger as it stands in its files, in order; the last so many entries of it, -1 for all."""
    if last < 0:
        for file in journal.there:
            yield from _posted(file.database, -1)
        return
    own = (
        journal.database.execute("SELECT max(row) FROM ledger")[0][0] or 0
    )  # from 1 in each file; a count reads it all
    assert isinstance(own, int)
    if last > own and journal.earlier is not None:
        yield from ledger_entries(journal.earlier, last - own)
    yield from _posted(journal.database, last)


def _posted(database: Database, last: int) -> Iterator[Entry]:
    """The entries of one file."""
    newest = "SELECT * FROM ledger ORDER BY row DESC LIMIT ?"
    rows = database.rows(
        f"SELECT account, meter, table_id, round, micros FROM ({newest}) ORDER BY row"
        if last >= 0
        else "SELECT account, meter, table_id, round, micros FROM ledger ORDER BY row",
        (last,) if last >= 0 else (),
    )
    for number, row in enumerate(rows, start=1):
        try:
            account, meter, table, round, micros = msgspec.convert(row, tuple[str, str, str, int, int])
            yield Entry(Account(account), meter, table, round, Micros(micros))
        except ValueError as error:  # msgspec's errors are ValueErrors
            raise LedgerBroken(number, f"a field is not what was written: {error}") from error


def _first_rows(database: Database, state: BankState) -> None:
    """The bank's tables in a new file: no entry yet, and what the meters hold."""
    for statement in SCHEMA:
        database.execute(statement)
    held = [(meter, state.meter(meter)) for meter in sorted(state.accounts.balances)]
    database.insert_all("INSERT INTO meter VALUES (?, ?)", held)


BankSpine = Spine[BankState, Input, e.Event]
Decide = Callable[[BankState, Input], Sequence[e.Event]]
REMEDY = "nothing was written. Keep the file, `felt bank verify` names the row; go on with a backup (docs/install.md)"


def held_against(journal: Journal[e.Event], decide: Decide, starting: Callable[[], None] = lambda: None) -> BankSpine:
    """The state that the rows say, with what they say of the tables beside them: they are read once. Raises as `hold`."""
    since: list[Entry] = []

    def replayed(kept: int, event: e.Event) -> None:
        if kept:
            since.extend(e.entries_of(event))

    def decided(state: BankState, given: Input) -> Iterator[tuple[e.Event, BankState]]:
        return applied(evolve, state, decide(state, given))

    spine: BankSpine = Spine(journal, keeping(), decided, post, starting, replayed)
    hold(journal, spine.kept, spine.state.accounts, since)
    return spine


def hold(journal: Journal[e.Event], kept: int, accounts: Accounts, since: Sequence[Entry]) -> None:
    """The two tables beside the journal say what its rows say, before anything is written over them. Raises LedgerBroken.

    kept: the row of the snapshot that the bank started from. The entries of `ledger` since it are compared; without a
    snapshot the sums of all. `verify` compares all of it, entry by entry, and names the first that differs.
    """
    database = journal.database
    stored = {str(name): micros for name, micros in database.execute("SELECT name, micros FROM meter")}
    for name in sorted({*accounts.balances, *stored}):
        if accounts.stands(name) != stored.get(name):
            said = f"meter {name} is stored as {stored.get(name)!r}, the rows say {accounts.stands(name)}"
            raise LedgerBroken(0, f"{said}; {REMEDY}")
    if kept:
        _hold_since(journal, kept, since)
    else:
        _hold_sums(journal, accounts)


def _hold_since(journal: Journal[e.Event], kept: int, wanted: Sequence[Entry]) -> None:
    found = list(ledger_entries(journal, last=len(wanted)))
    if found != wanted:
        raise LedgerBroken(0, f"its last {len(wanted)} entries are not what the rows since row {kept} say; {REMEDY}")


def _hold_sums(journal: Journal[e.Event], accounts: Accounts) -> None:
    """SQLite sums up to 63 bits only: of the upper and the lower half of each amount, which are put together here."""
    halves = "SELECT account, meter, sum(micros >> 32), sum(micros & 4294967295) FROM ledger"
    of_whole = "WHERE typeof(micros) = 'integer' GROUP BY account, meter"
    found: dict[tuple[str, str], int] = {}
    for file in journal.files():
        for account, meter, upper, lower in file.database.execute(f"{halves} {of_whole}"):
            assert isinstance(upper, int) and isinstance(lower, int)
            name = (str(account), str(meter))
            found[name] = found.get(name, 0) + (upper << 32) + lower
    wanted = {(str(account), meter): sum_ for meter, of in accounts.balances.items() for account, sum_ in of.items()}
    for account, meter in sorted({*wanted, *found}):
        there, right = found.get((account, meter), 0), wanted.get((account, meter), 0)
        if right != there:
            raise LedgerBroken(0, f"its {account} {meter} come to {there!r}, the rows say {right}; {REMEDY}")


def verify(path: Path) -> Accounts:
    """The sums of a ledger without a fault, signed by anybody. Raises what `examined` does."""
    return examined(path, seals.NOBODY)[0]


def examined(path: Path, trusted: seals.Trusted) -> tuple[Accounts, str]:
    """Derive every meter from the ledger alone, compare with the stored meters and with the journal's own entries.

    Gives the sums, and what is to be said of the seals and of files that are gone.

    Raises JournalDamaged, LedgerBroken or StoreError at the first
    difference.
    """
    journal = open_journal(path, read_only=True)
    try:
        posted, check = ledger_entries(journal), seals.SealCheck(journal, trusted)
        row = 0
        for entry in shown(checked(journal, keeping()), "row", journal.rows):
            check.see(entry)
            for wanted in () if isinstance(entry.event, OwnRow) else e.entries_of(entry.event):
                row += 1
                if next(posted, None) != wanted:
                    raise LedgerBroken(row, f"is not what row {entry.row} of the journal says")
        if next(posted, None) is not None:
            raise LedgerBroken(row + 1, "no event of the journal knows of it")
        accounts = _derived(journal)
        stored = {str(name): micros for name, micros in journal.database.execute("SELECT name, micros FROM meter")}
        for name in sorted({*accounts.balances, *stored}):
            if accounts.stands(name) != stored.get(name):
                raise LedgerBroken(0, f"meter {name} is stored as {stored.get(name)!r}, the ledger says otherwise")
        lost = (str(part) for part in journal.parts if isinstance(part, FileGone))
        return accounts, "\n".join((check.report(), *lost))
    finally:
        journal.close()


def _derived(journal: Journal[e.Event]) -> Accounts:
    """The sums of all entries; where rows are gone, of those since, on what stood then."""
    row, state = keeping().first(journal)
    since = (entry for file in journal.files(row + 1) for entry in _posted(file.database, -1))
    return state.accounts.post(since) if row else derive(since)


def reported_at(path: Path) -> dict[str, Reported]:
    """The reports of tables, which move no meter, added up by table from the rows that are there.

    Raises JournalDamaged, StoreError; not for rows that two people signed as gone.
    """
    with closing(open_journal(path, read_only=True)) as journal:
        rows = (one for one in journal.all_there() if not isinstance(one, FileGone))
        return reported(row.event for row in rows if not isinstance(row.event, OwnRow))


def _in_parts(given: Sequence[Input]) -> Iterator[Sequence[Input]]:
    """Batches that are taken in one transaction each: a hash that leaves the state is on disk then."""
    yield from (given[first : first + HELD_LEAST] for first in range(0, len(given), HELD_LEAST))


def ledger_at(path: Path) -> Path:
    """The ledger of a bank that has begun. Raises ConfigError: who names the wrong bank must not get a new one."""
    if not path.is_file():
        raise ConfigError(
            f"{path}: there is no ledger; name the bank with --config (felt bank --config FILE adopt ...)"
        )
    return path


def rules_of(config: BankConfig, submission: Submission, path: Path | None) -> BankRules:
    """The bank's law from bank.toml (`path`); the submission has a progressive wager.

    Raises ConfigError if it names too few people who may close a claim, adopt a table and end an alarm.
    """
    assert submission.on_sensor, "a bank keeps the meters of a progressive wager"
    people = {person.badge: person.role for person in config.people}
    needs = APPROVALS[Act.CLAIM]
    if (signers := sum(role in needs.roles for role in people.values())) < needs.people:
        raise ConfigError(
            f"{path or 'bank.toml'}: people: {signers} may sign as floorperson or manager; name at least {needs.people}, "
            "with all who close claims at the tables: the bank books no verdict of anybody else"
        )
    signed = (config.least_seconds, approvals(cents(config.envy_from)))
    return BankRules(config.title, config.tables, submission.offers, people, *signed, signed_first=True)


@contextmanager
def at_rest(path: Path, rules: BankRules) -> Iterator[tuple[BankSpine, AnchoredJournal]]:
    """The ledger of a bank that is stopped, for what people sign meanwhile: its last row is sealed at the end.

    Raises StoreError where the bank runs, or its key or seals are not right, LedgerBroken where `hold` does.
    """
    with closing(open_journal(ledger_at(path))) as ledger:
        spine, kept = held_against(ledger, lambda state, given: decide(rules, state, given)), AnchoredJournal(ledger)
        kept.hold()
        seals.take_up(ledger)
        yield spine, kept
        kept.leave()


def adopt(
    path: Path, rules: BankRules, table: str, journal: str, by: tuple[str, ...], command: str = ADOPT, key: str = ""
) -> str:
    """Two people have looked: this journal is the table's own from here on, and its alarms are over. The bank is stopped.

    `journal` "": the one that the table has; `key`: the digits of its new key, "" for none; `command`: see `adoptable`.
    Gives the journal adopted; raises StoreError where the bank runs, ConfigError where there is no such table, or no journal
    that can be meant.
    """
    with at_rest(path, rules) as (spine, _):
        chosen = adoptable(spine.state, rules.tables, table, journal, command)
        spine.take([AdoptionSigned(spine.journal.clock.utc_now(), table, chosen, by, key)])
        return chosen


def held_at(path: Path, rules: BankRules, claim: str, *, accepted: bool) -> HeldShown:
    """The text about a held verdict that people see before they sign. The bank is stopped. Raises as `end_verdict`."""
    with at_rest(path, rules) as (spine, _):
        return held_shown(signable(spine.state, claim, accepted=accepted))


def end_verdict(
    path: Path, rules: BankRules, claim: str, by: tuple[str, ...], seen: HeldShown, *, accepted: bool
) -> None:
    """Two people accept or refuse the verdict that they have `seen`. The bank is stopped. Raises StoreError, ConfigError."""
    with at_rest(path, rules) as (spine, _):
        signable(spine.state, claim, accepted=accepted)
        happened = spine.take([VerdictSigned(spine.journal.clock.utc_now(), claim, accepted, by, seen.seq, seen.hash)])
        if text := not_ended(happened):
            raise ConfigError(text)


def reopenable_at(path: Path, rules: BankRules, claim: str) -> HeldShown:
    """The text about a rejected claim that people see before they sign. The bank is stopped. Raises as `reopen`."""
    with at_rest(path, rules) as (spine, _):
        return reopenable(spine.state, claim)


def reopenable(state: BankState, claim: str) -> HeldShown:
    """The claim that people open again: its meter, its amount, when it was rejected. Raises ConfigError if they cannot."""
    if why := why_not_reopened(state, claim):
        raise ConfigError(f"claim {claim!r} {why}")
    priced = state.book(claim.partition(":")[0]).claim(claim)
    assert priced is not None, "it was found above"
    text = (
        f"Claim {claim}: {in_full(priced.due)} of {priced.claim.meter}, rejected {priced.ended}; it is owed from now on"
    )
    return HeldShown(0, "", text)


def reopen(path: Path, rules: BankRules, claim: str, by: tuple[str, ...], reason: str) -> None:
    """Two people open a rejected claim again. The bank is stopped. Raises StoreError, ConfigError."""
    with at_rest(path, rules) as (spine, _):
        if text := not_ended(spine.take([ReopeningSigned(utc_now(), claim, by, reason)])):
            raise ConfigError(text)


def not_ended(happened: Sequence[e.Event]) -> str:
    """Why what two people signed for was not done, "" where it was."""
    return next((f"{event.place}: {event.text}" for event in happened if isinstance(event, e.Complained)), "")


def held_shown(held: e.VerdictHeld) -> HeldShown:
    """The words that people look at: the message, the payment that it tells, who signed it, and why it is held."""
    position, by = held.position, " and ".join(held.verdict.by)
    said = f"message {position.seq}, hash {position.hash[:16]}, signed by {by}: " if by else ""
    return HeldShown(position.seq, position.hash, f"{said}{held.text}")


def signable(state: BankState, claim: str, *, accepted: bool) -> e.VerdictHeld:
    """The verdict that is held on a claim, and may be accepted, or refused. Raises ConfigError."""
    known = [one for book in state.tables.values() for one in book.claims]
    verdict = held_verdict(state, claim)
    if verdict is None:
        names = ", ".join(one.claim.claim for one in known if held_verdict(state, one.claim.claim)) or "none"
        raise ConfigError(f"claim {claim!r}: no verdict on it is held; those that are: {names}")
    if not accepted and not any(one.claim.claim == claim and may_be_refused(one, verdict) for one in known):
        raise ConfigError(f"claim {claim!r}: only a first payment can be refused; accept the verdict, or leave it held")
    return verdict


def _raised(events: Iterable[e.Event]) -> Iterator[str]:
    """The tables of claims that are to be paid more: they are told at once."""
    for event in events:
        if isinstance(event, e.ClaimReopened):
            yield event.table
        if isinstance(event, e.ClaimRejected):
            yield from (one.table for one in event.raised)


def accept_key(path: Path, bank: str, by: tuple[str, ...]) -> PublicKey:
    """The key is lost, or somebody has seen it: two people take a new one. The bank is stopped. Gives the new public key.

    The acceptance is a row of the ledger, and says what was wrong with the seals before. The old key file is kept under
    another name. Raises ConfigError, JournalDamaged, StoreError.
    """
    with closing(open_journal(ledger_at(path))) as ledger:
        ledger.verify()
        kept = AnchoredJournal(ledger)
        why = "; ".join(filter(None, (kept.anchor.objection(ledger), seals.objection(ledger, ()))))
        key = seals.new_key(ledger, f"felt/bank/{bank}")
        ledger.sealer = seals.Sealer(ledger, key)
        ledger.append([e.KeyAccepted(ledger.clock.utc_now(), key.public.text, why, by)])
        kept.leave()
        return key.public


def accept_days(path: Path, by: tuple[str, ...]) -> tuple[FileGone, ...]:
    """Files of earlier days are lost: two people sign so, and the bank goes on without them. The bank is stopped.

    Each is a row of the ledger. Raises ConfigError where none is missing, JournalDamaged, LedgerBroken, StoreError.
    """
    with closing(open_journal(ledger_at(path))) as ledger:
        found = lost_files.sign(ledger, by)
        if not found:
            raise ConfigError(f"{path}: no file of an earlier day is missing; start the bank")
        held_against(ledger, lambda _, __: ())
        kept = AnchoredJournal(ledger)
        kept.hold()
        seals.take_up(ledger)
        ledger.append(found)
        kept.leave()
        return found


def close_day(path: Path, rules: BankRules, begins: time_of_day, day: str, by: tuple[str, ...]) -> None:
    """Two people close a gaming day of a ledger whose bank is stopped. Raises StoreError where it runs, ConfigError."""
    with at_rest(path, rules) as (spine, kept):
        clock = spine.journal.clock
        today = clock.gaming_day(begins)
        if why := why_not_closed(rules, spine.state, day, by, today):
            raise ConfigError(why)
        spine.take([DaySigned(clock.utc_now(), day, by, today)])
        put_aside(spine, kept)


def put_aside(spine: Spine[BankState, Input, e.Event], kept: AnchoredJournal) -> None:
    """The ledger goes on in a new file; where it cannot yet, that is logged. Raises StoreError.

    The day is closed all the same, and a running bank tries again.
    """
    days, state = spine.state.days, spine.state
    begin = partial(spine.begin_file, days.last, days.closed, lambda database: _first_rows(database, state))
    if why := kept.begin_file(begin):
        log.error("day %d is not put aside yet, and that is tried again: %s", days.closed, why)


def adoptable(state: BankState, tables: Sequence[str], table: str, journal: str, command: str) -> str:
    """The journal that is adopted for a table; "" means its own. Raises ConfigError, which says what to type: `command`.

    An alarm about another journal may be a replaced card, or another machine: people say which, and no default does.
    """
    if table not in tables:
        raise ConfigError(f"table {table!r} is not in bank.toml; tables: {', '.join(tables)}")
    book = state.book(table)
    if not journal and not book.journal:
        spoke = " or ".join(dict.fromkeys(alarm.journal for alarm in book.alarms)) or "JOURNAL"
        raise ConfigError(
            f"table {table!r} was never adopted; `felt table new` said the 32 digits of its journal: "
            f"{command} {table} {spoke}"
        )
    if not journal and book.alarm is not None and book.alarm.journal != book.journal:
        raise ConfigError(
            f"table {table!r}: {book.alarm.text}; if its card was replaced: {command} {table} {book.alarm.journal}; "
            f"if another machine spoke, to end the alarm: {command} {table} {book.journal}"
        )
    chosen = journal or book.journal
    if not re.fullmatch("[0-9a-f]{32}", chosen):
        raise ConfigError(
            f"journal {chosen!r} of table {table!r}; name its 32 hex digits, from its journal's first row"
        )
    if owner := owner_of(state, table, chosen):
        raise ConfigError(
            f"journal {chosen} belongs to table {owner!r}, and to one table alone; `felt journal show` on the machine of "
            f"{table!r} has its own"
        )
    return chosen


def last_words(bank: str) -> bytes:
    """The broker's word under `alive` when the bank is gone."""
    return write(Heartbeat(bank, "", False, utc_now(), 0))


@dataclass(frozen=True, slots=True)
class TablesAsked:
    """bank.toml was written again: read the tables that it names."""


class BankService:
    """One running bank. Built by `firmware.commands.bank`.

    tables: reads bank.toml again, for the tables that it names. offer: its play, for tables to compare.
    """

    def __init__(
        self,
        config: BankConfig,
        rules: BankRules,
        journal: Journal[e.Event],
        inbox: Inbox,
        link: Carrier,
        watchdog: Watchdog,
        tables: Callable[[], tuple[str, ...]] | None = None,
        offer: Offer | None = None,
    ) -> None:
        self._rules = rules
        self._tables = tables or (lambda: rules.tables)
        self._config, self._inbox, self._link, self._watchdog = config, inbox, link, watchdog
        self._offer, self._differ = offer, dict[str, str]()
        """The play of this bank; by table, the differences of its own offer, as they were logged last."""
        self._ended: dict[str, str] = {}
        """By table, the journal that lacks a held message by the table's last word: no next one of it can be held."""
        self._names = display_names(config)
        self._larger_below: tuple[tuple[str, str], ...] = ()
        self._topics = BankTopics(config.id)
        self._grievances = Grievances()
        self._anchors = TableAnchors()
        self._downs = Downs()
        self.standing: dict[str, Status] = {}
        """How each table stands, as it said last; no money, and so not in the ledger."""
        self._rival_term = 0
        """The highest that a rival of this ledger has said."""
        self._rival_ns: int | None = None
        """When another bank of this name was heard last, for which this one stands back."""
        self._spine = held_against(
            journal,
            lambda state, given: self._heard(decide(self._rules, state, self._compared(state, given)), given),
            watchdog.starting,
        )
        self._key, self._kept = seals.take_up(journal), AnchoredJournal(journal)
        self._kept_ns = time.monotonic_ns()
        self._beat_ns = -BEAT_NS
        self._repeat_ns, self._repeats = time.monotonic_ns(), 0
        """When this minute of repeating began, and how many tables were told in it."""
        self._file_due_ns = 0
        """When a new file is begun at the earliest."""
        self._published = -1
        self._short, self._spent, self._weighed_ns = False, False, -WEIGHED_NS
        """The disk has no room for the wagers of more rounds; nor for what is heard; and when that was looked at."""
        self._tries = Tries(journal.path, UNLOCK)
        self._running = True

    @property
    def state(self) -> BankState:
        """The bank as it is on disk."""
        return self._spine.state

    def adopted(self, table: str) -> TableBook | None:
        """The record of a table of this bank, None of any other one."""
        return self.state.book(table) if table in self._rules.tables else None

    @property
    def _at(self) -> str:
        """The time by the ledger's clock."""
        return self._spine.journal.clock.utc_now()

    def stop(self) -> None:
        """End the loop after this turn."""
        self._running = False
        self._inbox.put(None)

    def begin(self, epoch: str, *, restored: bool) -> None:
        """Start on the ledger, under this new epoch where it was `restored`: only then it may be another one than was here
        before. Raises RulesChanged, JournalLost, StoreError.
        """
        epochs = EpochsFile(self._spine.journal.path)
        self._kept.hold(announced=restored)
        if not restored:
            epochs.hold(self.state)
        self._spine.take([Started(self._at, epoch, restored, epochs.forgotten(self.state))])
        epochs.keep(self.state)
        self._kept.keep()
        self._spine.journal.leaving = self._kept.leave

    def run(self, *, restored: bool) -> None:
        """Start, and turn until stopped. Raises RulesChanged where the ledger is of another submission."""
        self.begin(secrets.token_hex(16), restored=restored)
        log.info("ledger %s: version %d, epoch %s", self._spine.journal.path, self.state.version, self.state.epoch)
        log.info("its seals are checked with the public key %s", self._key.text)
        log.info("tables and signs know this bank by link.bank_key = %s", self._key.digits)
        self._link.start()
        self._watchdog.ready(f"version {self.state.version}")
        try:
            with garbage.kept_out():
                while self._running:
                    self.turn(self._wait())
        finally:
            stop_all(self._say_goodbye, self._link.close)

    def _say_goodbye(self) -> None:
        self._link.publish(self._topics.alive, self._presence(alive=False), retain=True)

    def turn(self, signals: Iterable[object]) -> None:
        """One turn of the loop: take all that waits in one transaction, then acknowledge."""
        self._weigh(time.monotonic_ns())
        heard: set[str] = set()
        given: list[Input] = []
        committed: list[tuple[AdoptionAsked, str]] = []
        verdicts: list[HeldAsked | VerdictAsked | ReopeningAsked] = []
        closings: list[ClosingAsked] = []
        for signal in signals:
            match signal:
                case Arrived(topic=topic) if topic in (self._topics.alive, self._topics.rival):
                    self._hear_rival(signal)
                case Arrived() if self._rival_ns is None:
                    given += self._arrived(signal, heard)
                case Connected():
                    heard.update(self._rules.tables)
                    self._published = -1
                    self._beat_ns = -BEAT_NS
                case Complaint():
                    self._grievances.hear(signal.place, signal.text)
                case TablesAsked():
                    given += self._named_anew(heard)
                case ClosingAsked():
                    closings.append(signal)
                case AdoptionAsked():
                    if journal := self._adoptable(signal):
                        given.append(AdoptionSigned(self._at, signal.table, journal, signal.by, signal.key))
                        committed.append((signal, journal))
                        heard.add(signal.table)
                case HeldAsked() | VerdictAsked() | ReopeningAsked():
                    verdicts.append(signal)
        for some in _in_parts(given):
            heard.update(_raised(self._take(some)))
        for one in verdicts:
            if isinstance(one, ReopeningAsked):
                self._reopen(one, heard)
            else:
                self._end_verdict(one, heard)
        self._close_days(closings)
        for asked, journal in committed:
            asked.answer(Answer(journal=journal))
        for ended in revived(time.monotonic_ns()):
            log.warning("%s: %s", ended.place, ended.text)
            self._grievances.hear(ended.place, ended.text)
        due, at = () if self._spent else self._grievances.due(time.monotonic_ns()), self._at
        self._take(MessageRefused(at, c.place, c.text, c.count) for c in due)
        self._keep_rows(time.monotonic_ns())
        self._end_rival(heard, time.monotonic_ns())
        self._act(heard, time.monotonic_ns())
        self._watchdog.pet()

    def _weigh(self, now_ns: int) -> None:
        """Look once a second at wrong PINs at the commands, and at the room on the disk.

        If room is short, every heartbeat says so, and tables recognize no more wagers; their debts are booked in reserved
        room. If that is spent too, nothing is booked: they say it again, until there is room.
        """
        if now_ns - self._weighed_ns < WEIGHED_NS:
            return
        self._weighed_ns, before = now_ns, (self._short, self._spent)
        self._tell_tries()
        free = free_bytes(self._spine.journal.path.parent)
        self._short, self._spent = is_short(free, was_short=self._short), is_spent(free, was_spent=self._spent)
        if (self._short, self._spent) == before:
            return
        self._beat_ns = -BEAT_NS
        text = f"{free // MB} MB are free where the ledger is: "
        if self._spent:
            text += "nothing that tables say is booked; make room, and it is by itself"
        elif self._short:
            text += "tables recognize no progressive wager; make room, and they do by themselves"
        else:
            text += "that is enough"
        log.log(logging.ERROR if self._short else logging.INFO, "%s", text)
        if self._short:
            self._grievances.hear("disk", text)

    def _tell_tries(self) -> None:
        """Wrong PINs at the commands, from the third on, and badges that are locked: in the log, and a row each."""
        try:
            news = self._tries.news()
        except StoreError as error:
            news = [("", str(error))]
        for badge, text in news:
            log.warning("%s", text)
            self._grievances.hear(f"PINs of {badge}" if badge else "PINs", text)

    def _take(self, given: Iterable[Input]) -> list[e.Event]:
        """The events of these inputs; they are on disk where a start looks for them, and may be answered."""
        happened = self._spine.take(given)
        self._kept.keep_log()
        return happened

    def _keep_rows(self, now_ns: int) -> None:
        """Once a minute all rows go into the file itself, and the anchor says how many there are."""
        if now_ns - self._kept_ns >= SEALED_AFTER_NS and self._spine.journal.rows > self._kept.logged:
            self._kept_ns = now_ns
            self._kept.keep()

    def _close_days(self, asked: Sequence[ClosingAsked]) -> None:
        """Two people closed a gaming day; the ledger goes on in a new file, as soon as nobody reads the old one."""
        for one in asked:
            today = self._spine.journal.clock.gaming_day(gaming_day(self._config))
            why = why_not_closed(self._rules, self.state, one.day, one.by, today)
            self._take([DaySigned(self._at, one.day, one.by, today)])
            one.answer(Answer(refused=why) if why else Answer(journal=one.day))
        journal, days, now_ns = self._spine.journal, self.state.days, time.monotonic_ns()
        if days.closed <= journal.days or now_ns < self._file_due_ns:
            return
        self._file_due_ns = now_ns + FILE_AGAIN_NS
        put_aside(self._spine, self._kept)

    def _compared(self, state: BankState, given: Input) -> Input:
        """With the hash of what the ledger holds under that number, where it is older than the state keeps."""
        if not isinstance(given, MessageArrived):
            return given
        journal = state.book(given.table).journals.get(given.journal)
        if journal is None or given.seq >= journal.held.first_kept:
            return given
        try:
            found = self._spine.journal.messages(messages_of(given.table, given.journal), given.seq, 1)
        except (JournalDamaged, StoreError) as error:
            log.error("%s", error)
            return given
        return replace(given, known="".join(position.hash for one in found if (position := e.position_of(one))))

    def _heard(self, events: Sequence[e.Event], given: Input) -> Sequence[e.Event]:
        """The law's complaints are counted with the rest: a table may send beyond a gap again and again."""
        if isinstance(given, MessageRefused):
            return events
        for event in events:
            if isinstance(event, e.Complained):
                self._grievances.hear(event.place, event.text)
            elif isinstance(event, e.TableAdopted):
                self._anchors.forget(event.table)
        return [event for event in events if not isinstance(event, e.Complained)]

    def reread(self) -> None:
        """Look at bank.toml again: a table that is new there is heard from then on. Safe from a signal's handler."""
        self._inbox.put(TablesAsked())

    def _named_anew(self, heard: set[str]) -> list[TablesNamed]:
        """A table may be added while the bank runs; one that is gone needs a restart."""
        try:
            tables = self._tables()
        except ConfigError as error:
            self._grievances.hear("bank.toml", str(error))
            return []
        if gone := sorted(set(self._rules.tables) - set(tables)):
            self._grievances.hear(
                "bank.toml", f"{', '.join(gone)} is not named any more; start the bank again for that"
            )
            return []
        if tables == self._rules.tables:
            return []
        heard.update(set(tables) - set(self._rules.tables))
        self._rules, self._published = replace(self._rules, tables=tables), -1
        return [TablesNamed(self._at, tables)]

    def _adoptable(self, asked: AdoptionAsked) -> str:
        """The journal that two people adopt; "" where they are told why none is."""
        try:
            journal = adoptable(self.state, self._rules.tables, asked.table, asked.journal, asked.command)
            if self._ended.get(asked.table) == journal:
                raise ConfigError(
                    f"table {asked.table!r}: its copy of journal {journal} lacks message "
                    f"{self.state.book(asked.table).current.held.seq}, which this bank holds, and no message can follow it. "
                    "Put the newest copy back; where there is none the table needs a new journal: move the old one away, "
                    "`felt table new`, `felt table live`, start the table (docs/operations.md, `ahead`). Then: "
                    f"{asked.command} {asked.table} DIGITS, the new one's"
                )
            return journal
        except ConfigError as error:
            asked.answer(Answer(refused=str(error)))
            return ""

    def _end_verdict(self, asked: HeldAsked | VerdictAsked, heard: set[str]) -> None:
        """A verdict that is held is shown, or ended by two people who were shown that very one; else they hear why not."""
        try:
            if isinstance(asked, HeldAsked) and asked.again:
                asked.answer(Answer(held=reopenable(self.state, asked.claim)))
                return
            held = signable(self.state, asked.claim, accepted=asked.accepted)
        except ConfigError as error:
            asked.answer(Answer(refused=str(error)))
            return
        if isinstance(asked, HeldAsked):
            asked.answer(Answer(held=held_shown(held)))
            return
        if (asked.seq, asked.hash) != (held.position.seq, held.position.hash):
            asked.answer(
                Answer(refused=f"claim {asked.claim!r}: another verdict is held than you were shown; look again")
            )
            return
        signed = VerdictSigned(self._at, asked.claim, asked.accepted, asked.by, asked.seq, asked.hash)
        heard.update((held.position.table, *_raised(self._take([signed]))))
        asked.answer(Answer(journal=held.position.journal))

    def _reopen(self, asked: ReopeningAsked, heard: set[str]) -> None:
        """A rejected claim is owed again, by the signatures of two people; else they hear why not."""
        happened = self._take([ReopeningSigned(utc_now(), asked.claim, asked.by, asked.reason)])
        heard.update(_raised(happened))
        asked.answer(
            Answer(refused=not_ended(happened), journal=self.state.book(asked.claim.partition(":")[0]).journal)
        )

    def _hear_rival(self, message: Arrived) -> None:
        """Another bank with this one's key is there now (`firmware.runtime.words`): one of the two stands back.

        One that started on this ledger before does so, or this one; where neither is the later one, both do, until people
        have stopped the wrong one.
        """
        try:
            beat = read(message.payload, Heartbeat)
        except WireError as error:
            self._grievances.hear(message.topic, str(error))
            return
        epoch, term = self.state.epoch, self.state.term
        if not beat.alive:
            return
        if beat.epoch == epoch and beat.term < term:
            self._grievances.hear(message.topic, f"a bank of term {beat.term} is still there; this one is {term}")
            return
        text = (
            f"another bank is at work under the name {self._config.id!r}: its ledger has epoch {beat.epoch[:8]}, term "
            f"{beat.term}; this one's has {epoch[:8]}, term {term}. This one stands back. Find the other one, decide which "
            "ledger is the house's, and stop the wrong one: the other comes back by itself"
        )
        if self._rival_ns is None:
            log.error("%s", text)
            self._link.publish(self._topics.alive, self._presence(alive=False), retain=True)
        self._grievances.hear(message.topic, text)
        self._rival_ns = message.at_ns
        if beat.epoch == epoch:
            self._rival_term = max(self._rival_term, beat.term)

    def _end_rival(self, heard: set[str], now_ns: int) -> None:
        """A rival that is silent for long enough is none: this bank says again what it holds.

        Tables have heard a rival of this ledger: they take no bank for theirs whose term is lower, so this one's is higher.
        """
        if self._rival_ns is None or now_ns - self._rival_ns < RIVAL_NS or self._spent:
            return
        if self._rival_term >= self.state.term:
            self._take([Started(self._at, self.state.epoch, restored=False, heard=self._rival_term)])
        self._rival_term = 0
        log.warning("no other bank of this name is heard any more: this one is back")
        self._rival_ns, self._published, self._beat_ns = None, -1, -BEAT_NS
        heard.update(self._rules.tables)

    def _arrived(self, message: Arrived, heard: set[str]) -> list[Input]:
        if table := self._topics.present(message.topic):
            return self._beat_of(table, message, heard)
        if table := self._topics.stands(message.topic):
            self._hear_status(table, message)
            return []
        table = self._topics.table(message.topic)
        try:
            arrived = decode_up(table, message.payload, self._at, fresh=message.fresh)
        except WireError as error:
            self._grievances.hear(error.place, error.text)
            return []
        if table not in self._rules.tables:
            self._grievances.hear(f"{table}/up", f"{table} is not a table of this bank; see tables in bank.toml")
            return []
        heard.add(table)
        return [] if self._spent else [arrived]

    def _hear_status(self, table: str, message: Arrived) -> None:
        """The status of a table. The log tells the operator which table wants the floor, and its faults."""
        try:
            said = decode_status(table, message.payload)
        except WireError as error:
            self._grievances.hear(error.place, error.text)
            return
        if table not in self._rules.tables or not message.fresh:
            return
        before, self.standing[table] = self.standing.get(table), said
        if said.floor and (before is None or before.floor != said.floor):
            log.info("%s: the floor is wanted (%s) since %s", table, said.floor.reason, said.floor.since)
        if said.live != (before.live if before else True):
            log.info("%s: %s", table, "is live" if said.live else "is not live: what is played there is a test")
        if before and (said.refused.unsealed, said.refused.stranger) != (
            before.refused.unsealed,
            before.refused.stranger,
        ):
            unsealed, stranger = said.refused.unsealed, said.refused.stranger
            log.warning(
                "%s: refused since its start: words without a seal %d, of unknown keys %d", table, unsealed, stranger
            )
        if said.faults != (before.faults if before else ()):
            log.info("%s: faults: %s", table, ", ".join(said.faults) or "none")

    def _beat_of(self, table: str, message: Arrived, heard: set[str]) -> list[Input]:
        """A table is there. A word that the broker had kept says nothing about now."""
        try:
            beat = decode_presence(table, message.payload, self._at)
        except WireError as error:
            self._grievances.hear(error.place, error.text)
            return []
        if beat is None or message.retained or table not in self._rules.tables:
            return []
        heard.add(table)
        if not message.fresh:
            return []
        self._compare_offer(table, beat.offer)
        self._ended[table] = beat.journal if beat.found == AHEAD else ""
        if self._spent:
            return []
        of_now = beat.epoch == self.state.epoch
        ours = self._own_hash(beat.ledger_rows, beat.ledger_head) if of_now else beat.ledger_head
        return list(self._anchors.hear(replace(beat, ours=ours), self.state.book(table), time.monotonic_ns()))

    def _compare_offer(self, table: str, theirs: Offer | None) -> None:
        """A table that plays otherwise closes its progressive by itself; the log tells the operator why."""
        differ = ""
        if self._offer is not None and theirs is not None:
            found = differences(self._offer, theirs)
            differ = "; ".join(f"{one.named}: the table has {one.theirs}, the bank {one.ours}" for one in found)
        if differ != self._differ.get(table, ""):
            self._differ[table] = differ
            log.warning("%s: %s", table, differ or "plays what the bank plays again")

    def _own_hash(self, row: int, seen: str) -> str:
        """The hash of that row of this ledger; as it was `seen`, with a complaint, where its file is missing."""
        try:
            return self._spine.journal.hash_at(row)
        except StoreError as error:
            self._grievances.hear("ledger", f"row {row} is not compared: {error}")
            return seen

    def _act(self, heard: set[str], now_ns: int) -> None:
        """Say what is held to everyone who spoke; publish the board when it changed; let the heart beat.

        The board goes to every table and sign, so an answer does not wait for it; but a table holds an open price against
        the board, and hears that first.
        """
        if self._rival_ns is not None:
            self._beat(self._topics.rival, now_ns)
            return
        told = sorted({*heard, *self._repeated(now_ns)})
        priced = {table for table in told if self.state.book(table).has_open_price}
        self._say_held(table for table in told if table not in priced)
        if self._link.connected and self.state.version != self._published:
            self._published = self.state.version
            self._publish_board()
        self._say_held(table for table in told if table in priced)
        self._beat(self._topics.alive, now_ns)

    def _beat(self, topic: str, now_ns: int) -> None:
        """Once in two seconds: tables and signs hear it, or, while this bank stands back, the other one alone."""
        if now_ns - self._beat_ns >= BEAT_NS:
            self._beat_ns = now_ns
            self._link.publish(topic, self._presence(alive=True), qos=0, retain=topic == self._topics.alive)

    def _say_held(self, tables: Iterable[str]) -> None:
        """To each what the bank holds of it."""
        for table in tables:
            seen = self._anchors.highest(table, self.state.book(table))
            self._publish(self._topics.down(table), self._downs.payload(self.state, table, self._anchor, seen))

    def _publish(self, topic: str, payload: bytes) -> None:
        """Brokers drop what is too large, and tell nobody: so it is told before."""
        if len(payload) > NEAR_MAX:
            self._grievances.hear(topic, f"{len(payload)} bytes are said; a broker takes {PAYLOAD_MAX} and drops more")
        self._link.publish(topic, payload, retain=True)

    @property
    def _anchor(self) -> Anchor:
        """How far this ledger has come."""
        journal = self._spine.journal
        return Anchor(journal.rows, journal.head)

    def _presence(self, *, alive: bool) -> bytes:
        """This bank's `alive` payload."""
        state = self.state
        beat = Heartbeat(self._config.id, state.epoch, alive, self._at, state.version, state.term, self._anchor)
        return write(replace(beat, offer=self._offer, short=self._short))

    def _repeated(self, now_ns: int) -> Sequence[str]:
        """The tables that are told again now: one after the other within a minute, so that no answer waits for a crowd."""
        tables = self._rules.tables
        due = min(len(tables), (now_ns - self._repeat_ns) * len(tables) // REPEAT_NS)
        again, self._repeats = tables[self._repeats : due], due
        if now_ns - self._repeat_ns >= REPEAT_NS:
            self._repeat_ns, self._repeats, self._published = now_ns, 0, -1
        return again

    def _publish_board(self) -> None:
        """A tier that holds more than the one above it is said once: its figures are smaller on the sign."""
        published = board(self.state, self._at, self._names)
        self._publish(self._topics.meters, write(published))
        found = larger_below(published)
        for higher, lower in found:
            if (higher, lower) not in self._larger_below:
                log.warning("[[meters]]: %s holds more than %s, which ranks above it", lower, higher)
        self._larger_below = found

    def _wait(self) -> list[object]:
        """Until something comes, or the next heartbeat is due."""
        if signals := self._inbox.take(0):
            return signals
        garbage.sweep()
        return self._inbox.take(max(0.0, (self._beat_ns + BEAT_NS - time.monotonic_ns()) / S))
