"""How quickly a table answers, measured here and now over its real processes: `scripts/bench latency` runs this.

A whole simulated bank is started on this machine's disk; a seeded pair of hands places chips, turns the lockout and
taps. Every time is a stamp of CLOCK_MONOTONIC that one of the processes took: the cabinet of contacts, lamps, lock line
and fingers, the table's journal of its events, the screen of its frames, this program of what the sign sent it.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import math
import os
import platform
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.config import load_table
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import Person, number_at, shown
from firmware.proof.simulation.processes import SimulatedBank, mosquitto_path
from firmware.runtime.day_files import Journal
from firmware.runtime.sqlite import Database, Row, content_of
from firmware.runtime.table_journal import VOCABULARY
from firmware.table.procedures import DECK
from hal.cabinet.wire import WORLD_SOCKET
from hal.cabinet.world import World
from hal.ports import Lamp

MS = 1_000_000
SEATS = range(1, 7)
PANELS_A_ROUND = 2
"""How often a round opens and leaves the panel PROBLEM, so that taps are many and rounds few."""
TABLE = ("table", "screen", "cabinet")
FRAME_MS, IDLE_PERCENT = 16.0, 3.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A frame that the screen has drawn."""

    screen: str
    key: str
    at_ns: int


@dataclass(slots=True)
class Taken:
    """The milliseconds of every sample."""

    lamp: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)
    tap: list[float] = field(default_factory=list)
    lock: list[float] = field(default_factory=list)
    count: list[float] = field(default_factory=list)
    sign: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tap:
    """A finger left a key of this screen."""

    key: str
    released_ns: int


class Fingers(World):
    """A world that remembers when each touch ended."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.released: list[int] = []

    def touch(self, x_mm: float, y_mm: float, held_ms: int = 80) -> int:
        released_ns = super().touch(x_mm, y_mm, held_ms)
        self.released.append(released_ns)
        return released_ns


class Hands(Person):
    """A person whose every tap is timed."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.world.close()
        self.world = self.fingers = Fingers(home / WORLD_SOCKET)
        self.tapped: list[Tap] = []
        self.repeated = 0

    def tap(self, place: str, *screens: str) -> None:
        """Press a key until one of these screens is there, and remember it."""
        before, taps = self.look(), len(self.fingers.released)
        self.key(place, until=shown(*screens))
        self.repeated += len(self.fingers.released) - taps - 1
        self.tapped.append(Tap(before.key, self.fingers.released[-1]))


class Browser:
    """A browser before the sign: when it was told what."""

    def __init__(self, port: int) -> None:
        self.told: list[tuple[int, str]] = []
        """Time and meters, each time these changed."""
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._connection.request("GET", "/events")
        self._answer = self._connection.getresponse()
        threading.Thread(target=self._watch, name="browser", daemon=True).start()

    def _watch(self) -> None:
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):  # the sign is stopped at the end
            while line := self._answer.readline():
                at_ns = time.monotonic_ns()
                if not line.startswith(b"data: "):
                    continue
                board = json.loads(line[6:])["board"]
                meters = json.dumps(board.get("meters"))
                if not self.told or self.told[-1][1] != meters:
                    self.told.append((at_ns, meters))

    def first_after(self, at_ns: int) -> int:
        """When the meters next changed."""
        return next(told_ns for told_ns, _meters in self.told if told_ns > at_ns)


def _one_table(database: Database) -> None:
    database.execute(
        "CREATE TABLE event (row INTEGER PRIMARY KEY, boot TEXT, mono_ns INTEGER, utc TEXT, kind TEXT,"
        " version INTEGER, body TEXT, hash TEXT)"
    )


class Floor:
    """The least that the disk asks: rows as long as the journal's, in SQLite, and nothing else."""

    def __init__(self, path: Path, like: Row) -> None:
        self._like = like[1:]
        path.write_bytes(content_of(_one_table))
        self._database = Database(path)
        self._row = 0

    def insert(self) -> float:
        """Milliseconds of one durable transaction of one row."""
        self._row += 1
        began_ns = time.perf_counter_ns()
        self._database.execute("BEGIN IMMEDIATE")
        self._database.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (self._row, *self._like))
        self._database.execute("COMMIT")
        return (time.perf_counter_ns() - began_ns) / MS


def last_row(journal: Path) -> Row:
    """The youngest row of the table's journal."""
    database = Database(journal, read_only=True)
    try:
        return database.execute("SELECT * FROM event ORDER BY row DESC LIMIT 1")[0]
    finally:
        database.close()


# The samples ---------------------------------------------------------------------------------------------------------


class Bench:
    """One simulated bank and the hands at its table."""

    def __init__(self, bank: SimulatedBank, trace: Path, seed: int) -> None:
        self._bank, self._trace = bank, trace
        self._chance = random.Random(seed)
        self._hands = Hands(bank.home)
        self._dealer = Dealer(self._hands)
        self._world = self._hands.world
        self._browser = Browser(bank.sign_port)
        self._taken = Taken()
        self._chips: set[int] = set()
        self._switched: list[int] = []
        """When the lockout was turned."""
        self._first_row = 0
        """The rows of the rounds in the journal."""
        seats = load_table(None).seats
        self._certain_ns = (seats.debounce_ms + seats.window_ms) * MS

    def close(self) -> None:
        """Leave."""
        self._hands.close()

    def open(self) -> None:
        """The table opens for gaming: decks come and are cut; after a round the dealer clears what keeps bets closed."""
        self._dealer.open()

    def lamps(self, samples: int) -> None:
        """Chips placed and taken, each followed by a bare insert on the same disk."""
        self._hands.screen("open")
        for seat in (*SEATS, *SEATS):
            self._move_chip(seat)
        floor = Floor(self._bank.home / "floor.sqlite", last_row(self._bank.home / "table.journal"))
        for _ in range(samples):
            time.sleep(self._chance.uniform(0.02, 0.06))  # the table is at rest again, and no timer of it is met
            self._taken.lamp.append(self._move_chip(self._chance.choice(SEATS)))
            time.sleep(self._chance.uniform(0.02, 0.06))
            self._taken.floor.append(floor.insert())
        for seat in sorted(self._chips):
            self._move_chip(seat)

    def _move_chip(self, seat: int) -> float:
        """Place or take a chip; milliseconds from the contact's settling for certain to the command of its lamp."""
        if seat in self._chips:
            self._chips.remove(seat)
            self._world.take(seat)
            self._world.wait(lamps={seat: Lamp.DARK})
        else:
            self._chips.add(seat)
            self._world.place(seat)
            self._world.wait(lamps={seat: Lamp.LIT})
        seen = self._world.state()
        return (seen.lamp_ns[seat] - seen.contact_ns[seat] - self._certain_ns) / MS

    def rounds(self, count: int) -> None:
        """Rounds without winners, locked by the switch and by the screen in turn."""
        self._first_row = self._rows() + 1
        for number in range(count):
            by_switch = number % 2 == 0
            for seat in self._chance.sample(SEATS, self._chance.randint(1, len(SEATS))):
                self._move_chip(seat)
            if by_switch:
                self._switched.append(self._turn_lockout())
            else:
                self._hands.key("primary", until=shown("count"))
            self._play_on()
            if by_switch:
                self._world.lockout(False)
            self.open()

    def _turn_lockout(self) -> int:
        """Turn the switch; the time just before its first edge."""
        before_ns = time.monotonic_ns()
        self._world.lockout(True)
        self._world.wait(locked=True)
        self._taken.lock.append(since(before_ns, self._world.state().locked_ns))
        self._hands.screen("count")
        return before_ns

    def _play_on(self) -> None:
        """Count, look at a problem that is none, swap decks, clear."""
        chips = len(self._chips)
        for seat in sorted(self._chips):
            self._world.take(seat)
        self._chips.clear()
        self._hands.tap(f"count-{chips}", "deal")
        self._hands.see(lambda seen: number_at(seen, "machine", "count") == DECK, "a whole deck in the shuffler")
        self._world.swap_deck()
        for _ in range(PANELS_A_ROUND):
            self._hands.tap("problem", "irregularity")
            self._hands.tap("back", "deal")
        self._hands.tap("primary", "open", "closed", "shuffler")

    def _rows(self) -> int:
        return int(str(last_row(self._bank.home / "table.journal")[0]))

    def _owed(self) -> Iterator[int]:
        """When each round's wagers became owed to the bank: the moment before they were written."""
        journal = Journal(self._bank.home / "table.journal", VOCABULARY, read_only=True)
        try:
            for entry in journal.entries():
                if entry.row >= self._first_row and entry.kind == "MessageOwed":
                    message: dict[str, Any] = json.loads(json.loads(entry.body)["text"])
                    if message["kind"] == "wagers":
                        yield entry.mono_ns
        finally:
            journal.close()

    def _frames(self) -> Iterator[Drawn]:
        for line in self._trace.read_text(encoding="utf-8").splitlines():
            frame = json.loads(line)
            yield Drawn(frame["screen"], frame["key"], frame["drawn_ns"])

    def idle(self, seconds: float) -> dict[str, float]:
        """Percent of a core of each process while bets are open and nothing happens; a browser watches the sign."""
        for seat in SEATS[:3]:
            self._move_chip(seat)
        self._hands.close()
        time.sleep(2)
        running = {process.name: process.pid for process in self._bank.processes}
        before = {name: processor_s(pid) for name, pid in running.items()}
        began = time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        return {name: 100 * (processor_s(pid) - before[name]) / took for name, pid in running.items()}

    def taken(self) -> Taken:
        """Every sample, once screen and sign have long shown all there was."""
        taken, drawn = self._taken, list(self._frames())
        taken.tap = [since(tap.released_ns, next_screen(drawn, tap)) for tap in self._hands.tapped]
        taken.count = [since(at_ns, first_shown(drawn, "count", at_ns)) for at_ns in self._switched]
        taken.sign = [since(at_ns, self._browser.first_after(at_ns)) for at_ns in self._owed()]
        return taken

    @property
    def repeated(self) -> int:
        """Taps that had to be made again."""
        return self._hands.repeated


def since(from_ns: int, to_ns: int) -> float:
    """Milliseconds between two stamps."""
    return (to_ns - from_ns) / MS


def next_screen(drawn: Sequence[Drawn], tap: Tap) -> int:
    """When another screen than the one tapped was drawn."""
    return next(frame.at_ns for frame in drawn if frame.at_ns > tap.released_ns and frame.key != tap.key)


def first_shown(drawn: Sequence[Drawn], screen: str, after_ns: int) -> int:
    """When a kind of screen was first drawn after a moment."""
    return next(frame.at_ns for frame in drawn if frame.at_ns > after_ns and frame.screen == screen)


def processor_s(pid: int) -> float:
    """Seconds that all threads of a process have spent on a processor (proc(5): utime + stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Output --------------------------------------------------------------------------------------------------------------


def p99(samples: Sequence[float]) -> float:
    """The value that 99 of 100 samples do not exceed."""
    return sorted(samples)[math.ceil(0.99 * len(samples)) - 1]


def line(name: str, samples: Sequence[float]) -> str:
    """Median and p99 of some milliseconds."""
    return f"  {name:34}{statistics.median(samples):9.3f}{p99(samples):9.3f}{max(samples):9.3f}{len(samples):7}"


def verdict(met: bool) -> str:
    """A word for an aim."""
    return "met" if met else "MISSED"


def report(taken: Taken, repeated: int) -> Iterator[str]:
    """Every measurement but the idle processor."""
    seats = load_table(None).seats
    yield f"  {'milliseconds':34}{'median':>9}{'p99':>9}{'max':>9}{'n':>7}"
    yield line("bare SQLite insert (the floor)", taken.floor)
    yield line("contact settled → lamp command", taken.lamp)
    floor, lamp = statistics.median(taken.floor), statistics.median(taken.lamp)
    aim = max(1.3 * floor, floor + 0.3)
    yield (
        f"    {lamp / floor:.2f} floors, floor + {lamp - floor:.3f} ms; aim: at most {aim:.3f} ms: {verdict(lamp <= aim)}"
    )
    yield (
        f"    settled: last edge + {seats.debounce_ms} ms debounce + {seats.window_ms} ms in which another line may still"
        f" report; from the debounce alone the median is {lamp + seats.window_ms:.3f} ms"
    )
    yield line("tap → new frame", taken.tap)
    yield f"    aim: p99 under {FRAME_MS:g} ms: {verdict(p99(taken.tap) < FRAME_MS)}; taps made again: {repeated}"
    yield line("lockout's first edge → locked", taken.lock)
    yield line("lockout's first edge → count shown", taken.count)
    yield line("wagers owed → on the sign", taken.sign)


def report_idle(percent: dict[str, float], seconds: float) -> Iterator[str]:
    """The idle processor."""
    of_table = sum(percent[name] for name in TABLE)
    yield f"  idle, percent of a core over {seconds:g} s, bets open"
    yield "    " + ", ".join(f"{name} {share:.2f}" for name, share in percent.items())
    met = verdict(of_table < IDLE_PERCENT)
    yield f"    a table ({', '.join(TABLE)}): {of_table:.2f}; aim: under {IDLE_PERCENT:g}: {met}"


def machine(home: Path) -> str:
    """The machine, without its name."""
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores, Linux {platform.release()} {platform.machine()}, Python {platform.python_version()}, "
        f"{file_system(home)}, load {load:.1f}"
    )


def file_system(path: Path) -> str:
    """The kind of file system that a path is on."""
    mounts = [entry.split()[:3] for entry in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    holding = [(Path(point), kind) for _device, point, kind in mounts if path.is_relative_to(point)]
    return max(holding, key=lambda mount: len(mount[0].parts))[1]


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench latency", description="How quickly a simulated table answers, on this machine's disk."
    )
    parser.add_argument("--samples", type=int, default=300, metavar="N", help="chips placed or taken (default 300)")
    parser.add_argument("--rounds", type=int, default=50, metavar="N", help="rounds of six taps (default 50)")
    parser.add_argument("--idle", type=float, default=30.0, metavar="S", help="seconds of rest (default 30)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of chips, pauses and bounces (default 1)")
    parser.add_argument("--mosquitto", action="store_true", help="this machine's mosquitto, not the embedded broker")
    parser.add_argument(
        "--disk", type=Path, default=Path("/var/tmp"), metavar="DIR", help="a folder on the disk (default /var/tmp)"
    )
    options = parser.parse_args()
    if min(options.samples, options.rounds - 1, options.idle) < 1:
        parser.error("--samples and --idle must be at least 1, --rounds at least 2")
    if options.mosquitto and mosquitto_path() is None:
        parser.error("--mosquitto: it is not installed; sudo apt-get install mosquitto")
    home = Path(tempfile.mkdtemp(prefix="felt-bench-", dir=options.disk))
    trace = home / "frames.jsonl"
    bank = SimulatedBank(home, mosquitto=options.mosquitto, seed=options.seed)
    bank.screen.command = [*bank.screen.command, "--trace", str(trace)]
    print(f"{machine(home)}, {bank.broker.name}", flush=True)
    try:
        bank.start()
        with contextlib.closing(Bench(bank, trace, options.seed)) as bench:
            bench.open()
            bench.lamps(options.samples)
            bench.rounds(options.rounds)
            percent = bench.idle(options.idle)
            for text in (*report(bench.taken(), bench.repeated), *report_idle(percent, options.idle)):
                print(text)
    finally:
        bank.stop()
        shutil.rmtree(home)
    print(f"  load at the end {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
