"""How long a table and a bank take to start, however long they have run: `scripts/bench start` runs this.

Journals are written by the program itself: simulated shifts at a table, and a bank of fifty tables that hears a round of
three wagers from each in turn. Then `felt table` and `felt bank` are started on them, in turn, and stopped when they
say READY. Medians from exec to READY, their differences and ratios to the smallest journal, and the memory at READY are
printed; last the same journal without its snapshots, as a start was before there were any.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware import config as c
from firmware.bank.decide import decide
from firmware.bank.inputs import AdoptionSigned, Started
from firmware.bank.state import HELD_LEAST, evolve
from firmware.bank.wire import decode_up
from firmware.proof.simulation.books import people
from firmware.proof.simulation.shifts.floor import between_rounds, close_table, open_table
from firmware.proof.simulation.shifts.shift import play_round
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.runtime import bank as bank_runtime
from firmware.runtime import seals
from firmware.runtime.anchor import AnchorFile
from firmware.runtime.anchored_journal import AnchoredJournal
from firmware.runtime.clock import utc_now
from firmware.runtime.day_files import Journal
from firmware.runtime.epochs import EpochsFile
from firmware.runtime.house import house_of
from firmware.runtime.journal import make
from firmware.runtime.signed_notes import PrivateKey
from firmware.runtime.spine import Spine, applied
from firmware.runtime.table_journal import VOCABULARY
from firmware.runtime.table_keeping import keeping
from firmware.table import events as e
from firmware.table.state import TableState
from firmware.wire.from_table import MadeWager, Owed, Wagers
from firmware.wire.offers import wagers_offered
from firmware.wire.payload import NO_HASH, hash_of, write

NOBODY = "mqtt://127.0.0.1:9"
"""A broker that is not there: a start does not wait for one."""
BATCH = 500
TABLES = 50
AIM_S = 0.3


def main() -> int:
    """Write, start, report."""
    parser = argparse.ArgumentParser(prog="scripts/bench start", description=__doc__)
    parser.add_argument(
        "--rows", default="1,100000", help="rows of the journals (default 1,100000; the aim is 2000000)"
    )
    parser.add_argument("--times", type=int, default=10, help="starts of each (default 10)")
    parser.add_argument("--bare", type=int, default=3, help="starts of the largest without its snapshots (default 3)")
    parser.add_argument("--seed", type=int, default=1, help="of the shifts")
    kept = "the journals stay in this folder; one that is there already is not written again"
    parser.add_argument("--keep", type=Path, metavar="DIR", help=kept)
    options = parser.parse_args()
    sizes = sorted(int(rows) for rows in options.rows.split(","))
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="felt-")))
        for name, written in (("table", write_table), ("bank", write_bank)):
            started = [Started_(folder / f"{name}-{rows}", name) for rows in sizes]
            for rows, one in zip(sizes, started, strict=True):
                if one.file.exists():
                    continue
                one.home.mkdir(parents=True, exist_ok=True)
                since = time.monotonic()
                written(one.home, rows, options.seed)
                print(f"{name}: {one.rows} rows written in {time.monotonic() - since:.0f} s", flush=True)
            bare = [without_snapshots(started[-1])] if options.bare else []
            for turn in range(options.times):
                for one in (*started, *(bare if turn < options.bare else ())):
                    one.start()
            report(name, [*started, *bare])
    return 0


# Writing --------------------------------------------------------------------------------------------------------------


class Written(ProvedTable):
    """A table that plays until its journal has so many rows."""

    def __init__(self, home: Path, seed: int) -> None:
        config = c.load_table(None)
        house = house_of(config, c.submission(config, None))
        make(home / "table.journal", VOCABULARY.name)
        self.journal = Journal(home / "table.journal", VOCABULARY)
        seals.own_key(self.journal, f"felt/table/{config.id}")
        seals.take_up(self.journal)
        self.name = config.id
        self.spine: Spine[object, object, e.Event] = Spine(self.journal, keeping(), lambda state, given: ())  # type: ignore[arg-type]
        self.waiting: list[e.Event] = []
        super().__init__(house, random.Random(seed), checks=False, trouble=1.0)

    def _write(self, events: Sequence[e.Event], after: TableState) -> None:
        super()._write(events, after)
        for event in events:
            opened = isinstance(event, e.TableOpened)
            self.waiting.append(e.TableOpened(self.name, self.journal.id, self.house.seats) if opened else event)
        if len(self.waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """The waiting events are on disk."""
        self.spine.record(self.waiting)
        self.waiting = []

    def play(self, rows: int) -> int:
        """Open, play, close; how many rows there are."""
        if rows > 1:
            open_table(self)
            while self.journal.rows < rows:
                between_rounds(self)
                play_round(self)
            between_rounds(self, calm=True)
            close_table(self)
        self.flush()
        AnchorFile(self.journal.path).write(self.journal, running=False)
        self.journal.close()
        return self.journal.rows


def write_table(home: Path, rows: int, seed: int) -> int:
    """A table's journal of at least so many rows, of a closed table."""
    return Written(home, seed).play(rows)


def write_bank(home: Path, rows: int, seed: int) -> int:
    """A bank's ledger of at least so many rows."""
    del seed  # nothing is drawn
    tables = [f"t-{number}" for number in range(1, TABLES + 1)]
    write_config(home, tables)
    config = c.load_bank(home / "bank.toml")
    submission = c.submission(config, home / "bank.toml")
    rules = bank_runtime.rules_of(config, submission, home / "bank.toml")
    bank_runtime.begin_ledger(home / "bank.ledger", config.id)
    with closing(bank_runtime.open_journal(home / "bank.ledger")) as journal:
        spine: Spine[object, object, object] = Spine(
            journal,  # type: ignore[arg-type]
            bank_runtime.keeping(),  # type: ignore[arg-type]
            lambda state, given: applied(evolve, state, decide(rules, state, given)),  # type: ignore[arg-type]
            bank_runtime.post,  # type: ignore[arg-type]
        )
        seals.take_up(journal)
        spine.take([Started(utc_now(), "e" * 32, False)])
        by = tuple(person.badge for person in config.people)
        spine.take(AdoptionSigned(utc_now(), table, journal_of(number), by) for number, table in enumerate(tables))
        [offered, *_] = wagers_offered(submission.offers)
        says = rounds(tables, lambda round: Wagers(round, (MadeWager.at(offered, 1, 3, 5),)))
        while journal.rows < rows:
            spine.take(
                decode_up(table, payload, utc_now()) for table, payload in (next(says) for _ in range(HELD_LEAST))
            )
        EpochsFile(journal.path).keep(spine.state)  # type: ignore[arg-type]
        AnchoredJournal(journal).leave()
        return journal.rows


def write_config(home: Path, tables: list[str]) -> None:
    """The bank.toml of a bank with these tables."""
    written = f'id = "felt"\nhome = "{home}"\ntables = {tables!r}\n'.replace("'", '"')
    (home / "bank.toml").write_text(written + people())


def journal_of(number: int) -> str:
    """The journal of a table, by its place: it is named after its key."""
    return key_of(number).public.digits


def key_of(number: int) -> PrivateKey:
    """The key with which a table of this bench seals its words, by its place."""
    return PrivateKey("felt/bench", hashlib.sha256(str(number).encode()).digest())


def rounds(tables: list[str], body: Callable[[int], Wagers]) -> Iterator[tuple[str, bytes]]:
    """(table, message) of one round after the other, at each table in turn."""
    before = dict.fromkeys(tables, NO_HASH)
    for round in range(1, 2**31):
        for number, table in enumerate(tables):
            payload = write(Owed(table, journal_of(number), round, before[table], body(round)))
            before[table] = hash_of(payload)
            yield table, payload


# Starting -------------------------------------------------------------------------------------------------------------


@dataclass
class Started_:
    """A journal, and its starts: seconds to READY, seconds of processor until then, megabytes of memory then."""

    home: Path
    name: str
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    @property
    def file(self) -> Path:
        """The journal."""
        return self.home / ("table.journal" if self.name == "table" else "bank.ledger")

    @property
    def rows(self) -> int:
        """How many there are now."""
        with closing(sqlite3.connect(self.file)) as file:
            return int(file.execute("SELECT max(row) FROM event").fetchone()[0])

    @property
    def tail(self) -> int:
        """Rows after the last snapshot, which the last start has replayed, or nearly."""
        with closing(sqlite3.connect(self.file)) as file:
            return int(
                file.execute("SELECT max(row) - coalesce((SELECT max(row) FROM snapshot), 0) FROM event").fetchone()[0]
            )

    def start(self) -> None:
        """Start, wait for READY, stop."""
        config = ["--config", str(self.home / "bank.toml")] if self.name == "bank" else []
        command = [sys.executable, "-m", "firmware", self.name, *config, "--home", str(self.home), "--broker", NOBODY]
        address = f"@felt-bench-{self.home.name}-{time.monotonic_ns()}"
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
            listening.bind("\0" + address[1:])
            listening.settimeout(1)
            with (self.home / "log").open("wb") as log:
                since = time.perf_counter()
                process = subprocess.Popen(command, env=environment(address), stderr=log)
                try:
                    self._await_ready(listening, process)
                    self.seconds.append(time.perf_counter() - since)
                    self.processor.append(processor_s(process.pid))
                    self.megabytes.append(resident(process.pid))
                finally:
                    process.send_signal(signal.SIGTERM)
                    process.wait(60)

    def _await_ready(self, listening: socket.socket, process: subprocess.Popen[bytes]) -> None:
        """However long it takes; a process that ends instead ends this one, with its last words."""
        while True:
            with suppress(TimeoutError):
                if listening.recv(1000).startswith(b"READY=1"):
                    return
            if process.poll() is not None:
                raise SystemExit(f"{self.home}: {(self.home / 'log').read_text(encoding='utf-8')[-2000:]}")


def environment(address: str) -> dict[str, str]:
    """The environment of a process that says READY there."""
    return {"NOTIFY_SOCKET": address, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), "PATH": "/usr/bin:/bin"}


def resident(pid: int) -> float:
    """Megabytes of a process in memory now."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def processor_s(pid: int) -> float:
    """Seconds of processor that a process has had, in hundredths; says more than the clock on a machine that is shared."""
    times = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def without_snapshots(one: Started_) -> Started_:
    """A copy of the journal whose snapshots cannot be read: each start is put back to that."""
    other = Bare(one.home.with_name(f"{one.home.name}-bare"), one.name)
    sockets = shutil.ignore_patterns("*.sock")  # of starts on a journal that was kept: no file to be copied
    shutil.copytree(one.home, other.home, dirs_exist_ok=True, ignore=sockets)
    return other


class Bare(Started_):
    """A journal that loses its snapshots before each start."""

    def start(self) -> None:
        """From row 1."""
        with closing(sqlite3.connect(self.file)) as file, file:
            file.execute("DELETE FROM snapshot")
        super().start()


def report(name: str, started: list[Started_]) -> None:
    """Medians, beside those of the smallest journal."""
    floor = statistics.median(started[0].seconds)
    heads = f"{'median s':>9} {'least':>7} {'most':>7} {'above':>8} {'ratio':>6} {'CPU s':>7} {'RSS MB':>7} {'tail':>5}"
    print(f"{'':>7} {'rows':>9} {'megabytes':>10} {'n':>3} {heads}")
    for one in started:
        median, size = statistics.median(one.seconds), one.file.stat().st_size / 1e6
        spread = f"{median:>9.3f} {min(one.seconds):>7.3f} {max(one.seconds):>7.3f}"
        means = f"{statistics.median(one.processor):>7.2f} {statistics.median(one.megabytes):>7.1f} {one.tail:>5}"
        print(
            f"{name:>7} {one.rows:>9} {size:>10.1f} {len(one.seconds):>3} {spread} {median - floor:>+8.3f} "
            f"{median / floor:>6.2f} {means}{'  no snapshots' if isinstance(one, Bare) else ''}"
        )
    above = max(statistics.median(one.seconds) for one in started if not isinstance(one, Bare)) - floor
    print(f"{name}: {above:+.3f} s above the smallest; aim: at most {AIM_S}\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
