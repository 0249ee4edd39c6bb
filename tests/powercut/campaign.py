"""Crash states of a night by the hundred: at some moment one side's power goes, and what lies on the disks is judged.

A state costs e2fsck, which replays ext4's journal as a boot does, and debugfs, which reads the files out; all else
happens in one process. The other side goes on, or, every fourth time, its power goes too.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.powercut.crash import WAYS, Cutter, read_log
from tests.powercut.disk import PATH, SIZE
from tests.powercut.judge import ACKNOWLEDGED, MESSAGE, PRIZE, RECORD, WAGER, Judge, Verdict
from tests.powercut.night import SIDES, STRONG, Night

MS = 1_000_000
HAND_OVER_NS = 200 * MS
"""For so long a record is put aside at the most, on a busy machine."""
MEMORY = Path("/dev/shm")
ANY, BOTH = "any", "both"
KINDS: Mapping[str, str] = {
    WAGER: "wagers by their lit lamps",
    PRIZE: "prizes by the screen",
    MESSAGE: "messages to the bank",
    ACKNOWLEDGED: "answers of the bank",
    RECORD: "anchors that one side told the other",
}
NAMED = 5
"""So many of the things that are wrong are said in words."""
MENDED = 1
"""e2fsck's exit codes up to this: the file system is whole, or was mended by its journal and its counts."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The power of `side` goes at that time, its unflushed sectors as `way` has them; of the other side as `other` has."""

    at_ns: int
    side: str
    way: str
    other: str


@dataclass
class Found:
    """What a campaign met."""

    states: Counter[str] = field(default_factory=Counter)
    """By whose power went, and by what became of the sectors."""
    sectors: int = 0
    """Unflushed sectors in all."""
    demanded: int = 0
    """Promises that had to be kept, over all states."""
    wrong: list[tuple[Cut, Verdict]] = field(default_factory=list)
    half: int = 0
    """Records in which SQLite had to take half a step back."""
    seconds: float = 0.0
    busy_s: float = 0.0
    """Of processor time, with that of e2fsck and debugfs."""

    def lost(self, what: str) -> tuple[int, int]:
        """In how many states promises of this kind (`ANY`: of any) were lost, and how many of them in the worst."""
        each = (verdict.lost.total() if what == ANY else verdict.lost[what] for _, verdict in self.wrong)
        some = [number for number in each if number]
        return len(some), max(some, default=0)

    def report(self, judge: Judge) -> str:
        """All of it, in lines."""
        states = self.states["table"] + self.states["bank"]
        ways = ", ".join(f"{way} {self.states[way]}" for way in WAYS)
        lines = [
            f"{states} crash states: the table's power {self.states['table']}, the bank's {self.states['bank']} "
            f"(and both {self.states[BOTH]}); unflushed sectors: {ways}; {self.sectors} of them in all",
            "seen in the night: " + ", ".join(f"{judge.count(what)} {name}" for what, name in KINDS.items()),
            f"promises that had to be kept, over all states: {self.demanded}",
            f"states in which anything was wrong: {len(self.wrong)}",
        ]
        for what, name in KINDS.items():
            in_states, worst = self.lost(what)
            lines.append(f"  lost {name}: in {in_states} states, {worst} in the worst")
        broken = [verdict.wrong[0] for _, verdict in self.wrong if verdict.wrong]
        lines.append(f"  a record or a file system that is wrong: {len(broken)} states")
        lines += [f"    {one}" for one in list(dict.fromkeys(broken))[:NAMED]]
        lines.append(f"records in which SQLite took back half a step of a day that was being put aside: {self.half}")
        rates = f"{states / self.seconds:.1f} states/s, {states / self.busy_s:.1f} in a second of one processor"
        lines.append(f"{rates}; {self.seconds / 60:.1f} minutes")
        return "\n".join(lines)


def cuts(judge: Judge, logs: Mapping[str, list[int]], states: int, chance: random.Random) -> list[Cut]:
    """So many, half of each side, in the order of time.

    The moment, each a quarter: after a promise within five milliseconds; after any write of that disk; after one while its
    record of a closed day is put aside; any.
    """
    began, ended = judge.seen.began_ns, judge.seen.ended_ns
    found = []
    for number in range(states):
        side = list(SIDES)[number % len(SIDES)]
        promised = [one.at_ns for one in judge.promises if one.side == side and one.at_ns >= began]
        written = [at_ns for at_ns in logs[side] if began <= at_ns <= ended]
        over_ns = judge.seen.handed_over_ns[side]
        handed_over = [at_ns for at_ns in written if over_ns - HAND_OVER_NS <= at_ns <= over_ns + HAND_OVER_NS // 2]
        kind = chance.randrange(4)
        if kind == 0:
            at_ns = chance.choice(promised) + chance.randrange(5 * MS)
        elif kind < 3:
            at_ns = chance.choice(written if kind == 1 else handed_over)
        else:
            at_ns = chance.randrange(began, ended)
        way, further = chance.choice(list(WAYS)), chance.choice(list(WAYS))
        found.append(Cut(at_ns, side, way, further if chance.randrange(4) == 0 else "all"))
    return sorted(found, key=lambda cut: cut.at_ns)


def played(
    folder: Path, seed: int, rounds: int, states: int, *, lies: int = 0, program: str = STRONG
) -> tuple[Judge, Found]:
    """A night of so many rounds in `folder`, and so many states of it judged. `lies`, `program`: of the controls.

    Raises NoDisk, DidNotStart, Stuck, Unseen.
    """
    night = Night(folder, seed, lies=lies, program=program)
    try:
        night.start()
        night.play(rounds)
    finally:
        night.stop()
    return explore(folder, states, seed)


def explore(night: Path, states: int, seed: int) -> tuple[Judge, Found]:
    """Judge so many states of a night. Raises Unseen."""
    judge, chance, found = Judge(night), random.Random(f"cuts {seed}"), Found()
    records = {side: read_log(night / f"{side}.log") for side in SIDES}
    cutters = {side: Cutter(records[side], SIZE) for side in SIDES}
    times = {side: [one.at_ns for one in records[side]] for side in SIDES}
    began, busy = time.monotonic(), _busy_s()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        folder = Path(name)
        for cut in cuts(judge, times, states, chance):
            verdict = Verdict()
            for side, way in _ways(cut):
                cutters[side].go_to(cut.at_ns)
                found.sectors += cutters[side].outstanding if side == cut.side else 0
                cutters[side].cut(way, chance).write(folder / f"{side}.image")
                verdict.wrong += read_out(folder / f"{side}.image", folder / side)
            judged = judge.judge(folder, cut.at_ns)
            verdict.wrong += judged.wrong
            verdict.lost = judged.lost
            found.half += judged.half
            found.states[cut.side] += 1
            found.states[cut.way] += 1
            found.states[BOTH] += cut.other != "all"
            found.demanded += sum(one.at_ns <= cut.at_ns for one in judge.promises)
            if not verdict.right:
                found.wrong.append((cut, verdict))
    found.seconds, found.busy_s = time.monotonic() - began, _busy_s() - busy
    return judge, found


def _busy_s() -> float:
    return sum(os.times()[:4])


def _ways(cut: Cut) -> Iterator[tuple[str, str]]:
    for side in SIDES:
        yield side, cut.way if side == cut.side else cut.other


def read_out(image: Path, folder: Path) -> list[str]:
    """The files of a disk, after its file system was checked; what was wrong with that."""
    checked = subprocess.run(["e2fsck", "-fy", str(image)], env={"PATH": PATH}, capture_output=True, text=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump / {folder}", str(image)], env={"PATH": PATH}, capture_output=True)
    if checked.returncode > MENDED:
        return [f"e2fsck {image.name}: exit {checked.returncode}: {checked.stdout[-300:]}"]
    return []
