"""Every single call that writes, made to fail in turn, in a process of its own: `python -m tests.faults.campaign --help`.

The calls of each stage are counted first. Then each of them fails once with EIO, and where it takes room once and for ever
with ENOSPC, a write by half; and the process dies at it. What is left is judged by another process in which nothing fails.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.faults import play

COUNT, EIO, ENOSPC, FULL, HALF, DIES = range(6)
MODES = {EIO: "EIO", ENOSPC: "ENOSPC", FULL: "ENOSPC for ever", HALF: "half a write", DIES: "the process dies"}
ROOM, WRITES = "wWr", "wW"
"""Kinds of calls (faults.c): those that take room, and those that write bytes; `W`: of a file that has no name yet."""
HERE = Path(__file__).resolve().parent
MEMORY = Path("/dev/shm")
PATIENCE_S = 60.0
STAGES = ("new", *play.STAGES)


def library(folder: Path) -> Path | None:
    """The compiled faults.c; None without a compiler."""
    cc = shutil.which("cc")
    if cc is None:
        return None
    built = folder / "faults.so"
    subprocess.run([cc, "-shared", "-fPIC", "-O2", "-o", str(built), str(HERE / "faults.c"), "-ldl"], check=True)
    return built


class Faults:
    """The library that this process was started with (LD_PRELOAD)."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(os.environ["LD_PRELOAD"])
        self._library.faults_arm.argtypes = (ctypes.c_char_p, ctypes.c_int, ctypes.c_long)
        self._library.faults_kinds.restype = ctypes.c_char_p

    def arm(self, below: Path | None, mode: int, call: int = 0) -> None:
        """That call below this folder fails in this way; None: none does."""
        self._library.faults_arm(str(below).encode() if below else b"", mode, call)

    @property
    def kinds(self) -> str:
        """Of each call since `arm`, in order."""
        found: bytes = self._library.faults_kinds()
        return found.decode()


def apart(work: Callable[[int], object]) -> tuple[list[Any], int]:
    """What `work`, in a process of its own, wrote as lines of JSON to its pipe; and how the process ended: -9 for a hang."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reading)
            work(writing)
            code = 0
        except Exception as error:  # a traceback would be one too many for a casino
            tell(writing, traceback=repr(error))
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        ended = _killed_late(child)
        lines = [json.loads(line) for line in pipe.read().splitlines()]
    return lines, os.waitstatus_to_exitcode(ended)


def _killed_late(child: int) -> int:
    """Its status; it is killed where it hangs."""
    watching = os.pidfd_open(child)
    try:
        import select

        if not select.select([watching], [], [], PATIENCE_S)[0]:
            os.kill(child, 9)
        return os.waitpid(child, 0)[1]
    finally:
        os.close(watching)


def tell(pipe: int, **what: object) -> None:
    """One line of what `apart` gives."""
    os.write(pipe, json.dumps(what).encode() + b"\n")


def played(
    files: Path, stage: str, pipe: int, begins: Callable[[], None], goes_on: Callable[[], None] = lambda: None
) -> None:
    """Play a stage, from `begins` on; `goes_on` at every promise. The pipe is told what was promised."""
    last: dict[str, int] = {}

    def says(side: str, row: int, head: str) -> None:
        if last.get(side) != row:
            last[side] = row
            tell(pipe, side=side, row=row, head=head)
            goes_on()

    clock = play.installed(says)
    begins()
    try:
        play.plays(files, clock, stage)
    except play.Stopped as error:
        tell(pipe, stopped=str(error)[:300])


def judged(files: Path, lines: Sequence[dict[str, Any]], code: int) -> list[str]:
    """What is wrong with these files, after a stage of which `apart` gave this; and how that ended."""
    promised = {line["side"]: (line["row"], line["head"]) for line in lines if "side" in line}
    bad = [f"traceback: {line['traceback']}" for line in lines if "traceback" in line]
    if code == -9:
        bad.append("hang: it had to be killed")
    elif code < 0:
        bad.append(f"traceback: it died of signal {-code}")

    def work(pipe: int) -> None:
        clock = play.installed(lambda *_: None)
        clock.now_ns += 3_600 * 1_000_000_000
        tell(pipe, wrong=play.wrong(files, clock, promised))

    lines, code = apart(work)
    found = [one for line in lines for one in line.get("wrong", [f"refused: {line.get('traceback')}"])]
    return bad + (found or ([f"refused: the judge ended with {code}"] if code else []))


def warmed(room: Path) -> None:
    """Play every stage once in this process, which has all that is read then."""
    warm = room / "warm"
    warm.mkdir()
    clock = play.installed(lambda *_: None)
    for stage in STAGES:
        play.plays(warm, clock, stage)
    play.wrong(warm, clock, {})
    gc.freeze()


class Campaign:
    """Stages in a folder, each from the files that the one before has left."""

    def __init__(self, room: Path) -> None:
        self.room, self.faults = room, Faults()
        self.before: dict[str, Path] = {}
        self.kinds: dict[str, str] = {}

    def prepare(self) -> None:
        """Play every stage once, whole, and count its calls."""
        warmed(self.room)
        files = self.room / "0"
        files.mkdir()
        for stage in STAGES:
            self.before[stage] = self.room / f"before-{stage}"
            shutil.copytree(files, self.before[stage])
            lines, code = apart(lambda pipe, stage=stage: self._play(files, stage, COUNT, 0, pipe))  # type: ignore[misc]
            found = [line["kinds"] for line in lines if "kinds" in line]
            bad = [line for line in lines if "traceback" in line or "stopped" in line]
            if code or bad or not found:
                raise SystemExit(f"stage {stage} does not end without a fault: {bad or lines[-1:]}")
            self.kinds[stage] = found[0]
        if bad := judged(files, (), 0):
            raise SystemExit(f"the files of no fault at all are wrong: {bad}")

    def _play(self, files: Path, stage: str, mode: int, call: int, pipe: int) -> None:
        try:
            played(files, stage, pipe, lambda: self.faults.arm(files, mode, call))
        finally:
            kinds = self.faults.kinds
            self.faults.arm(None, COUNT)
        if mode == COUNT:
            tell(pipe, kinds=kinds)

    def cases(self) -> Iterator[tuple[str, int, int]]:
        """Stage, way and number of each call that is to fail."""
        for stage, kinds in self.kinds.items():
            for call, kind in enumerate(kinds, start=1):
                modes = (
                    [EIO] + [DIES] * (kind not in WRITES) + [ENOSPC, FULL] * (kind in ROOM) + [HALF] * (kind in WRITES)
                )
                yield from ((stage, mode, call) for mode in modes)

    def run(self, case: tuple[str, int, int]) -> list[str]:
        """What is wrong after this one fault."""
        stage, mode, call = case
        files = self.room / "now"
        shutil.copytree(self.before[stage], files)
        try:
            lines, code = apart(lambda pipe: self._play(files, stage, mode, call, pipe))
            return judged(files, lines, code)
        finally:
            shutil.rmtree(files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the whole, or a sample by seed; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(prog="scripts/bench faults", description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="so many faults, drawn by the seed (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--stage", choices=STAGES, help="of this stage alone")
    parser.add_argument("--kinds", default="wWrns", help="calls of these kinds alone (faults.c)")
    parser.add_argument(
        "--planted", action="store_true", help="with a program that swallows what fails: it is to be found"
    )
    options = parser.parse_args(arguments)
    room = Path(tempfile.mkdtemp(prefix="felt-faults-", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        if "LD_PRELOAD" not in os.environ:
            return _again(room, arguments if arguments is not None else sys.argv[1:])
        return _report(Campaign(room), options)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _again(room: Path, arguments: Sequence[str]) -> int:
    """The same with the library."""
    built = library(room)
    if built is None:
        print("scripts/bench faults: no C compiler (cc); install one (Debian's package gcc)", file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "tests.faults.campaign", *arguments]
    return subprocess.run(command, env={**os.environ, "LD_PRELOAD": str(built)}, check=False).returncode


def _report(campaign: Campaign, options: argparse.Namespace) -> int:
    since = time.monotonic()
    if options.planted:
        play.plant()
    campaign.prepare()
    cases = [
        (stage, mode, call)
        for stage, mode, call in campaign.cases()
        if options.stage in (None, stage) and campaign.kinds[stage][call - 1] in options.kinds
    ]
    whole = len(cases)
    if options.sample:
        cases = random.Random(options.seed).sample(cases, min(options.sample, whole))
    found: Counter[str] = Counter()
    for case in cases:
        for text in campaign.run(case):
            found[text.partition(":")[0]] += 1
            stage, mode, call = case
            kind = campaign.kinds[stage][call - 1]
            print(f"WRONG {stage}, call {call} ({kind}), {MODES[mode]}: {text}", flush=True)
    calls = ", ".join(f"{stage} {len(kinds)}" for stage, kinds in campaign.kinds.items())
    spent = sum(os.times()[:4])
    took = f"{time.monotonic() - since:.0f} s, {spent:.0f} s of a processor"
    print(f"calls: {calls}; {len(cases)} of {whole} faults in {took}")
    print(", ".join(f"{found[what]} {what}" for what in play.FINDINGS))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
