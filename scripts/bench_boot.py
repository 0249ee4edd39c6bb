"""The parts of a start: `scripts/bench boot` runs this.

Seconds of processor, medians: each process's imports, the table of an empty journal and the screen from exec to READY, the
first frame with its fonts, and four processes that start at once, as after a power cut. On a machine that is shared the
clock says little, so it is printed beside. `--against CHECKOUT` measures another tree turn by turn with this one.
"""

from __future__ import annotations

import argparse
import atexit
import os
import resource
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOBODY = "mqtt://127.0.0.1:9"
"""A broker that is not there: a start does not wait for one."""
IMPORTS = {
    "table": "firmware.config firmware.runtime.house firmware.runtime.table firmware.runtime.glass firmware.runtime.link "
    "hal.gpio hal.badge hal.serial hal.watchdog",
    "screen": "firmware.config firmware.runtime.screen hal.touch hal.watchdog ui.dealer.display",
    "bank": "firmware.config firmware.runtime.adoption firmware.runtime.bank firmware.runtime.link hal.watchdog",
    "sign": "firmware.config firmware.runtime.sign firmware.runtime.link ui.sign.server hal.watchdog",
}
"""Process -> what it has imported when it begins."""
FRAME = """
from firmware.runtime.screen import no_table
from ui.dealer.display import Display
from ui.dealer.panels import SEVEN_INCH
Display(SEVEN_INCH, "").draw(no_table(SEVEN_INCH))
"""
TOGETHER = ("bank", "sign", "table", "screen")


def main() -> int:
    """Measure, print."""
    parser = argparse.ArgumentParser(prog="scripts/bench boot", description=__doc__)
    parser.add_argument("--times", type=int, default=7, help="of each part (default 7)")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another tree of Felt, measured by turns")
    options = parser.parse_args()
    trees = [*([options.against.resolve()] if options.against else []), ROOT]
    parts = _parts()
    for tree in trees:
        atexit.register(shutil.rmtree, _home(tree))
    seen: dict[tuple[str, Path], list[tuple[float, float]]] = {}
    for _ in range(options.times):
        for name, part in parts.items():
            for tree in trees:
                seen.setdefault((name, tree), []).append(_measured(partial(part, tree)))
    names = ["before", "now"] if options.against else ["now"]
    print(
        f"{'seconds of processor (of the clock), medians of ' + str(options.times):<52}",
        *(f"{one:>16}" for one in names),
    )
    for name in parts:
        print(f"{name:<52}", *(f"{_medians(seen[name, tree]):>16}" for tree in trees))
    return 0


def _parts() -> dict[str, Callable[[Path], None]]:
    parts: dict[str, Callable[[Path], None]] = {
        f"imports of the {name}": partial(_python, source=f"import {', '.join(names.split())}")
        for name, names in IMPORTS.items()
    }
    parts["the screen's imports and first frame, with fonts"] = partial(_python, source=FRAME)
    for name in ("table", "screen"):
        parts[f"{name}: exec to READY"] = partial(_ready, names=(name,))
    parts[f"{', '.join(TOGETHER)} at once: to the last READY"] = partial(_ready, names=TOGETHER)
    return parts


def _medians(taken: list[tuple[float, float]]) -> str:
    processor, clock = (statistics.median(column) for column in zip(*taken, strict=True))
    return f"{processor:.2f} ({clock:.2f})"


def _measured(part: Callable[[], None]) -> tuple[float, float]:
    """Seconds of processor that the part's processes had, and of the clock."""
    before, since = _of_children(), time.perf_counter()
    part()
    return _of_children() - before, time.perf_counter() - since


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment(tree: Path, **more: str) -> dict[str, str]:
    return {"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin", "SDL_VIDEODRIVER": "dummy", **more}


def _python(tree: Path, source: str) -> None:
    subprocess.run([sys.executable, "-c", source], env=_environment(tree), cwd=tree, check=True)


def _ready(tree: Path, names: tuple[str, ...]) -> None:
    """Start these processes at once; each is stopped when all have said READY."""
    with ExitStack() as stack:
        home = _home(tree)
        listening = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        address = f"@felt-boot-{os.getpid()}-{time.monotonic_ns()}"
        listening.bind("\0" + address[1:])
        log = stack.enter_context((home / "log").open("wb"))
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "firmware", name, "--home", str(home), *_given(name)],
                env=_environment(tree, NOTIFY_SOCKET=address),
                cwd=tree,
                stderr=log,
            )
            for name in names
        ]
        try:
            _await_ready(listening, len(names))
        finally:
            for process in started:
                process.send_signal(signal.SIGKILL)
                process.wait(60)


@cache
def _home(tree: Path) -> Path:
    """The folder of a table that never played, by that tree's own program."""
    home = Path(tempfile.mkdtemp(prefix="felt-"))
    new = [sys.executable, "-m", "firmware", "table", "new", "--home", str(home)]
    subprocess.run(new, env=_environment(tree), cwd=tree, check=True, stdout=subprocess.DEVNULL)
    return home


def _given(name: str) -> list[str]:
    if name == "screen":
        return ["--touch", "none"]
    return ["--broker", NOBODY, *(["--port", "0"] if name == "sign" else [])]


def _await_ready(listening: socket.socket, count: int) -> None:
    """Wait for so many READYs."""
    heard = 0
    while heard < count:
        if not select.select([listening], [], [], 120)[0]:
            raise SystemExit("a process did not say READY within two minutes")
        heard += listening.recv(1000).startswith(b"READY=1")


if __name__ == "__main__":
    sys.exit(main())
