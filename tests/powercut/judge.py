"""Whether a table's and a bank's files, as a power cut left them, keep what was promised until then.

What was promised was seen from outside (`watch.py`); which row of which record each promise stands in is found in the
records as they were at the end of the night. Then a state of the disks is judged by Felt's own readers: `felt journal
verify`, `felt bank verify`, `felt reconcile`, and the start of each program.
"""

from __future__ import annotations

import shutil
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.bank import events as b
from firmware.bank.ledger import LedgerBroken
from firmware.runtime import bank, seals
from firmware.runtime.anchor import AnchorFile
from firmware.runtime.files import open_any, verify
from firmware.runtime.journal import JournalDamaged, SnapshotTaken
from firmware.runtime.reconcile import reconcile
from firmware.runtime.seals import SealBroken
from firmware.runtime.spine import Spine
from firmware.runtime.sqlite import StoreError, step_back
from firmware.runtime.table_journal import UP, open_journal
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.state import TableState
from tests.powercut.night import JOURNAL, LEDGER, SEEN, SIDES, TRUTH
from tests.powercut.watch import Seen

WAGER, PRIZE, MESSAGE, ACKNOWLEDGED, RECORD = "wager", "prize", "message", "acknowledged", "record"
"""What is promised: by a lit lamp, by a screen that says PAID, by a message, by the bank's answer, by an anchor."""
Entries = list[tuple[int, object, str]]
"""Of a record: (time, event, hash) of each row."""


class Unseen(Exception):
    """Something that was seen from outside stands in no row: the night itself is wrong."""


@dataclass(frozen=True, slots=True)
class Promise:
    """From that time on, row `row` of a side's record must survive; `what` it is a promise of."""

    at_ns: int
    side: str
    row: int
    what: str


@dataclass
class Verdict:
    """What is wrong with one state of the disks, in words; and the promises that were lost, by what they were.

    half: records with half a step that SQLite takes back at a start.
    """

    wrong: list[str] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    half: int = 0

    @property
    def right(self) -> bool:
        """Nothing is wrong."""
        return not self.wrong and not self.lost


class Judge:
    """Knows one night: what was seen, and the records as they were at its end."""

    def __init__(self, night: Path, *, was_cut: bool = False) -> None:
        """`night`: its folder. `was_cut`: the power went in it, and lamps were lit again. Raises Unseen."""
        self._was_cut = was_cut
        self.seen = Seen.load(night / SEEN)
        truth = night / TRUTH
        self._records: dict[str, Entries] = {"table": [], "bank": []}
        with closing(open_any(truth / "table" / JOURNAL)) as journal:
            self._records["table"] = [(one.mono_ns, one.event, one.hash) for one in journal.entries()]
        with closing(bank.open_journal(truth / "bank" / LEDGER, read_only=True)) as ledger:
            self._records["bank"] = [(one.mono_ns, one.event, one.hash) for one in ledger.entries()]
        self.promises = sorted(self._resolved(), key=lambda one: one.at_ns)
        self._times = [one.at_ns for one in self.promises]

    def count(self, what: str) -> int:
        """So many of them were seen in the night."""
        return sum(one.what == what for one in self.promises)

    @property
    def table_events(self) -> list[object]:
        """Of the table's record as it was at the end of the night."""
        return [event for _, event, _ in self._records["table"]]

    @property
    def bank_events(self) -> list[object]:
        """Of the bank's."""
        return [event for _, event, _ in self._records["bank"]]

    def _resolved(self) -> Iterator[Promise]:
        table = self._records["table"]
        lit: set[int] = set()
        for one in self.seen.lit:
            row = _last(table, one.at_ns, partial(_lights, seat=one.seat))
            if row in lit and not self._was_cut:
                raise Unseen(f"the lamp of seat {one.seat} was lit twice for row {row}")
            lit.add(row)
            yield Promise(one.at_ns, "table", row, WAGER)
        paid = _paid_rows(table)
        for said in self.seen.paid:
            if (said.round, said.seat) not in paid:
                raise Unseen(f"round {said.round}, seat {said.seat}: the screen said PAID, and no row does")
            yield Promise(said.at_ns, "table", paid[said.round, said.seat], PRIZE)
        owed = {event.seq: row for row, (_, event, _) in enumerate(table, 1) if isinstance(event, e.MessageOwed)}
        for sent in self.seen.sent:
            yield Promise(sent.at_ns, "table", owed[sent.seq], MESSAGE)
        held = {
            found.seq: row
            for row, (_, event, _) in enumerate(self._records["bank"], 1)
            if not isinstance(event, SnapshotTaken) and (found := b.position_of(event)) is not None  # type: ignore[arg-type]
        }
        for answer in self.seen.held:
            yield Promise(answer.at_ns, "bank", held[answer.seq], ACKNOWLEDGED)
        for anchor in self.seen.said:
            if self._records[anchor.side][anchor.rows - 1][2] != anchor.head:
                raise Unseen(f"the {anchor.side} said another hash of row {anchor.rows} than stands there")
            yield Promise(anchor.at_ns, anchor.side, anchor.rows, RECORD)

    # Judging ------------------------------------------------------------------------------------------------------------

    def judge(self, folder: Path, at_ns: int) -> Verdict:
        """What a power cut at that time left in `folder`, a folder for each side. The files are written to."""
        verdict = Verdict()
        hashes: dict[str, list[str]] = {}
        for side, name in SIDES.items():
            try:
                verdict.half += _stepped_back(folder / side / name, side)
                hashes[side] = self._read(folder / side / name, side, verdict)
            except (JournalDamaged, LedgerBroken, SealBroken, StoreError) as error:
                verdict.wrong.append(str(error))
            self._keep_promises(side, len(hashes.get(side, ())), at_ns, verdict)
        if not verdict.wrong:
            self._agree(folder, verdict)
        if not verdict.wrong:
            _start(folder, verdict)
        return verdict

    def _read(self, path: Path, side: str, verdict: Verdict) -> list[str]:
        """The hashes of a record's rows, verified, which are rows of the record as it was at the end of the night."""
        if side == "table":
            verify(path)
            with closing(open_any(path)) as journal:
                entries: Entries = [(one.mono_ns, one.event, one.hash) for one in journal.entries()]
        else:
            bank.verify(path)
            with closing(bank.open_journal(path, read_only=True)) as ledger:
                entries = [(one.mono_ns, one.event, one.hash) for one in ledger.entries()]
        hashes, truth = [one[2] for one in entries], [one[2] for one in self._records[side]]
        if hashes != truth[: len(hashes)]:
            verdict.wrong.append(f"the {side}'s record has rows that were never written")
        verdict.wrong += paid_twice([one[1] for one in entries])
        return hashes

    def _keep_promises(self, side: str, rows: int, at_ns: int, verdict: Verdict) -> None:
        for one in self.promises[: bisect_right(self._times, at_ns)]:
            if one.side == side and one.row > rows:
                verdict.lost[one.what] += 1

    def _agree(self, folder: Path, verdict: Verdict) -> None:
        found = reconcile(folder / "bank" / LEDGER, [folder / "table" / JOURNAL])
        verdict.wrong += [one.text for one in found if one.wrong]


def _stepped_back(path: Path, side: str) -> bool:
    """Where the power went in the midst of a change without a write-ahead log, a start has to take that back by itself."""
    if not path.with_name(f"{path.name}-journal").exists():
        return False
    with TemporaryDirectory(dir=path.parent) as folder:
        for file in path.parent.glob(f"{path.name}*"):
            shutil.copy(file, folder)
        starts = open_journal if side == "table" else bank.open_journal
        with closing(starts(Path(folder) / path.name)):
            pass
    step_back(path)
    return True


def _start(folder: Path, verdict: Verdict) -> None:
    """Both programs take up their records, as a start does; what the bank does not hold, the table still has to send."""
    try:
        with closing(open_journal(folder / "table" / JOURNAL)) as journal:
            table: Spine[TableState, object, e.Event] = Spine(journal, keeping(), lambda state, given: ())
            AnchorFile(journal.path).hold(journal)
            seals.take_up(journal)
            with closing(bank.open_journal(folder / "bank" / LEDGER)) as ledger:
                of_bank = bank.held_against(ledger, lambda state, given: ())
                seals.take_up(ledger)
            held = of_bank.state.book(table.state.program.table).current.held.seq
            known, owed = table.state.neighbors.bank_seq, table.state.seq
            if known > held:
                verdict.wrong.append(f"the table goes by message {known}, the bank holds {held}")
            if len(journal.messages(UP, held + 1, owed)) != max(0, owed - held):
                verdict.wrong.append(
                    f"the bank holds message {held} of {owed}, and the table has not all of the others"
                )
    except (JournalDamaged, LedgerBroken, SealBroken, StoreError) as error:
        verdict.wrong.append(str(error))


def _last(entries: Entries, at_ns: int, is_it: Callable[[object], bool]) -> int:
    """The last row until that time that is it, since bets were opened. Raises Unseen."""
    found = 0
    for row, (mono_ns, event, _) in enumerate(entries, 1):
        if mono_ns > at_ns:
            break
        if isinstance(event, e.BetsOpened):
            found = 0
        elif is_it(event):
            found = row
    if not found:
        raise Unseen("a lamp was lit, and no row of the journal is of it")
    return found


def _lights(event: object, seat: int) -> bool:
    match event:
        case e.WagerPlaced(seat=at, amount=amount) | e.WagerMarked(seat=at, amount=amount) if amount:
            return at == seat
        case _:
            return False


def _paid_rows(entries: Entries) -> dict[tuple[int, int], int]:
    """By round and seat, the row that its first prize was paid with."""
    found: dict[tuple[int, int], int] = {}
    number = 0
    for row, (_, event, _) in enumerate(entries, 1):
        match event:
            case e.BetsOpened(round=number):
                pass
            case e.PrizePaid(seat=seat) | e.ClaimPaid(seat=seat):
                found.setdefault((number, seat), row)
    return found


def paid_twice(events: Sequence[object]) -> list[str]:
    """Prizes and claims that were paid more than once."""
    paid: Counter[str] = Counter()
    number = 0
    for event in events:
        match event:
            case e.BetsOpened(round=number):
                pass
            case e.PrizePaid(seat=seat, payment=payment):
                paid[f"round {number}, seat {seat}: {payment.wager} for {payment.for_seat or seat}"] += 1
            case e.EnvyPaid(holder=holder):
                paid[f"round {number}: envy for seat {holder}"] += 1
            case e.ClaimPaid(claim=claim) | b.ClaimPaid(claim=claim) | b.ClaimPaidOtherwise(claim=claim):
                paid[f"claim {claim}"] += 1
    return [f"{what} was paid {times} times" for what, times in paid.items() if times > 1]
