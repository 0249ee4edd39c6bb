"""Disks that are really full, in a process of its own: `python -m tests.faults.full_disk --help`.

A disk of its own (tmpfs; ext4 with blocks of 4096 and of 1024 bytes, on a loop device) has the files of a table and a bank.
At a moment that is drawn by a seed, before a start, between two promises, or before a file is written whole, something else
fills it but for so many bytes, which are drawn too: from none to a little more than what the rest of the stage takes. The
programs end and start again on it; then there is room, and what is left is judged. `--opens`: a file is opened with every
amount of room about what SQLite's index takes, which it maps into memory.

Nobody sees the disk run short: what keeps bets closed before that is not asked (`tests/runtime/test_disk.py` asks it).
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware.runtime import bank, sqlite, table, whole
from firmware.runtime.disk import ENOUGH_BYTES
from firmware.runtime.table_journal import make_journal
from tests.faults import play
from tests.faults.campaign import MEMORY, STAGES, apart, judged, played, tell, warmed

DISKS = {"tmpfs": 0, "ext4": 4096, "ext4-1k": 1024}
"""Kinds, and the bytes of a block, 0: the kernel's."""
LEVELS = 300
"""Of each disk."""
SIZE_MB = {"tmpfs": 8, "ext4": 16, "ext4-1k": 16}
MORE_BYTES = 64 * 1024
"""So much more room than a stage takes is drawn too: there nothing fails."""


@dataclass(frozen=True, slots=True)
class Case:
    """Before this moment of a stage, 0 its beginning, all but so many bytes are taken."""

    stage: str
    moment: int
    free: int


class Disk:
    """One mounted disk, and what fills it."""

    def __init__(self, at: Path) -> None:
        self.at, self._ballast = at, at / "ballast"

    @property
    def free(self) -> int:
        """Bytes that may still be written."""
        found = os.statvfs(self.at)
        return found.f_bavail * found.f_frsize

    def fill(self, free: int) -> None:
        """Something else takes all but so many bytes; where less is there already, nothing."""
        block = os.statvfs(self.at).f_frsize
        file = os.open(self._ballast, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            size = os.fstat(file).st_size
            while (more := (self.free - free) // block * block) > 0:
                while more:
                    try:
                        os.posix_fallocate(file, size, more)
                    except OSError:  # the file system's own blocks were in the way
                        more = more // 2 // block * block
                    else:
                        size += more
                        break
                else:
                    return
        finally:
            os.close(file)

    def empty(self) -> None:
        """There is room again."""
        self._ballast.unlink(missing_ok=True)


class NoDisk(Exception):
    """A disk cannot be had here, and why."""


@contextmanager
def mounted(kind: str, room: Path) -> Iterator[Disk]:
    """A disk of this kind. Raises NoDisk."""
    at, image = room / kind, room / f"{kind}.img"
    at.mkdir()
    if kind == "tmpfs":
        _runs("mount", "-t", "tmpfs", "-o", f"size={SIZE_MB[kind]}m", "felt", str(at))
    else:
        with image.open("wb") as file:
            file.truncate(SIZE_MB[kind] << 20)
        _runs("mke2fs", "-q", "-t", "ext4", "-m", "0", "-b", str(DISKS[kind]), str(image))
        _runs("mount", "-o", "loop", str(image), str(at))
    try:
        yield Disk(at)
    finally:
        _runs("umount", str(at))


def _runs(*command: str) -> None:
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    try:
        ended = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise NoDisk(f"{command[0]} is not installed") from error
    if ended.returncode:
        raise NoDisk(f"{command[0]}: {ended.stderr.strip() or ended.returncode}")


class Campaign:
    """The stages on one disk, each from the files that the one before has left."""

    def __init__(self, disk: Disk, before: Path) -> None:
        self.disk, self.files = disk, disk.at / "now"
        self.before = {stage: before / stage for stage in STAGES}
        self.used: dict[str, list[int]] = {}
        """By stage, how much of the disk was taken at each of its moments."""

    def prepare(self) -> None:
        """Play every stage once, whole, and see what it takes."""
        self.files.mkdir()
        for stage in STAGES:
            shutil.copytree(self.files, self.before[stage])
            lines, code = apart(lambda pipe, stage=stage: self._play(Case(stage, -1, 0), pipe))  # type: ignore[misc]
            bad = [line for line in lines if "traceback" in line or "stopped" in line]
            if code or bad:
                raise SystemExit(f"stage {stage} does not end on an empty disk: {bad or lines[-1:]}")
            self.used[stage] = [line["used"] for line in lines if "used" in line]
        if bad := judged(self.files, (), 0):
            raise SystemExit(f"the files of a disk with room are wrong: {bad}")
        shutil.rmtree(self.files)

    def cases(self, levels: int, chance: random.Random) -> Iterator[Case]:
        """The same number of each stage. Of each, one in four is full from its beginning."""
        for number in range(levels):
            stage = STAGES[number % len(STAGES)]
            used = self.used[stage]
            moment = 0 if number % 4 == 0 else chance.randrange(len(used))
            takes = max(used[moment:]) - used[moment] + MORE_BYTES + (0 if moment else sqlite.INDEX_BYTES)
            yield Case(stage, moment, chance.choice((0, chance.randrange(takes), chance.randrange(takes))))

    def _play(self, case: Case, pipe: int) -> None:
        """A stage; before the moment of the case the disk is full. Where that is none, the pipe is told what is used."""
        moments, writes = 0, whole._write
        least = self.disk.free

        def comes() -> None:
            nonlocal moments
            if case.moment < 0:
                tell(pipe, used=least - self.disk.free)
            elif moments == case.moment:
                self.disk.fill(case.free)
            moments += 1

        def written(file: int, content: bytes) -> None:
            comes()
            writes(file, content)

        def begins() -> None:
            play.put(whole, _write=written)
            comes()

        played(self.files, case.stage, pipe, begins, comes)
        comes()

    def run(self, case: Case) -> tuple[list[str], bool]:
        """What is wrong after this one, and whether it was too little room for anything to go on."""
        shutil.copytree(self.before[case.stage], self.files)
        try:
            lines, code = apart(lambda pipe: self._play(case, pipe))
            self.disk.empty()
            return judged(self.files, lines, code), any("stopped" in line for line in lines)
        finally:
            self.disk.empty()
            shutil.rmtree(self.files)


def opened(disk: Disk) -> Counter[str]:
    """How it ends to open a file and write to it, or to read it, with less and less room."""
    path, found = disk.at / "table.journal", Counter[str]()
    make_journal(path, "uth-04", 6)
    for read_only in (True, False):
        for free in (*range(0, MORE_BYTES, 1024), *range(MORE_BYTES, sqlite.INDEX_BYTES + MORE_BYTES, 16 * 1024)):
            for beside in ("-shm", "-wal"):
                path.with_name(path.name + beside).unlink(missing_ok=True)
            disk.fill(free)
            lines, code = apart(lambda pipe, read_only=read_only: _opens(path, read_only, pipe))  # type: ignore[misc]
            disk.empty()
            found[
                f"signal {-code}" if code < 0 else next((line["ends"] for line in lines if "ends" in line), "traceback")
            ] += 1
    return found


def _opens(path: Path, read_only: bool, pipe: int) -> None:
    try:
        with closing(sqlite.Database(path, read_only=read_only)) as file:
            if not read_only:
                file.execute("CREATE TABLE one (more BLOB)")
                file.execute("INSERT INTO one VALUES (zeroblob(200000))")
            file.look_at_pages(all_of_them=True)
        tell(pipe, ends="opened")
    except sqlite.StoreError as error:
        tell(pipe, ends="no room" if "No space" in str(error) or "full" in str(error) else str(error))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the whole, or less, by seed; 1 where anything is wrong, 2 where a disk cannot be had."""
    parser = argparse.ArgumentParser(prog="scripts/bench faults --full-disk", description=__doc__)
    parser.add_argument("--levels", type=int, default=LEVELS, help=f"of each disk (default {LEVELS})")
    parser.add_argument("--seed", type=int, default=1, help="of moments and bytes")
    parser.add_argument("--disk", choices=DISKS, help="this one alone")
    parser.add_argument(
        "--planted",
        action="store_true",
        help="with a program that swallows what fails, or reserves no index: it is to be found",
    )
    parser.add_argument("--opens", action="store_true", help="only open a file, with less and less room")
    options = parser.parse_args(arguments)
    if "FELT_FULL_DISK" not in os.environ:
        return _apart_from_all(arguments if arguments is not None else sys.argv[1:])
    room = Path(tempfile.mkdtemp(prefix="felt-full-", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        for module in (table, bank):
            play.put(module, free_bytes=lambda folder: ENOUGH_BYTES)
        if options.planted:
            play.plant()
            play.put(sqlite, _room_for_index=lambda path: None, _reserve_index=lambda path: None)
        if options.opens:
            return _opens_files(room)
        warmed(room)
        return max(_runs_on(kind, room, options) for kind in DISKS if options.disk in (None, kind))
    except NoDisk as error:
        print(f"SKIPPED: {error}", flush=True)
        return 2
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _opens_files(room: Path) -> int:
    with mounted("ext4-1k", room) as disk:
        found = opened(disk)
    print(", ".join(f"{how}: {count}" for how, count in sorted(found.items())))
    return 1 if set(found) - {"opened", "no room"} else 0


def _apart_from_all(arguments: Sequence[str]) -> int:
    """The same where nobody else sees its mounts, and they go with it."""
    alone = ["unshare", "--mount", "--propagation", "private"]
    if os.geteuid():
        alone[1:1] = ["--map-root-user"]
    try:
        _runs(*alone, "true")
    except NoDisk as error:
        print(f"SKIPPED: no mounts of its own: {error}", flush=True)
        return 2
    command = [*alone, sys.executable, "-m", "tests.faults.full_disk", *arguments]
    return subprocess.run(command, env={**os.environ, "FELT_FULL_DISK": "1"}, check=False).returncode


def _runs_on(kind: str, room: Path, options: argparse.Namespace) -> int:
    since = time.monotonic()
    before = room / f"{kind}-before"
    before.mkdir()
    with mounted(kind, room) as disk:
        campaign = Campaign(disk, before)
        campaign.prepare()
        found: Counter[str] = Counter()
        stopped = 0
        cases = list(campaign.cases(options.levels, random.Random(options.seed)))
        for case in cases:
            bad, ended = campaign.run(case)
            stopped += ended
            for text in bad:
                found[text.partition(":")[0]] += 1
                print(f"WRONG {kind}, {case}: {text}", flush=True)
    takes = ", ".join(f"{stage} {len(used)} moments, {max(used) >> 10} KiB" for stage, used in campaign.used.items())
    print(f"{kind}: {len(cases)} levels ({takes}), {stopped} waited for room, in {time.monotonic() - since:.0f} s")
    print(f"{kind}: " + ", ".join(f"{found[what]} {what}" for what in play.FINDINGS), flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
