"""The gate of the virtual machine, as scripts/test runs it: the scenarios that every change must pass, where they can be.

Where no processor can be lent to a machine, or none can be made here, or it takes longer than the whole may, nothing fails:
what was not shown is said loudly. A scenario that fails does fail.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence

from tests.hil.accelerator import DEVICE, QEMU, Accelerator, accelerator
from tests.hil.image import ROOT, SKIP

IMAGE_S, GATE_S = 300.0, 600.0
"""For making the machine, and for the scenarios."""
LATE = "late"
MACHINE = (sys.executable, "-m", "tests.hil.vm")
PACKAGES = (*MACHINE, "--packages")
GATE = (
    *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/hil", "-m", "rig"),
    *("--rig", "vm", "--rounds", "1"),
)
Run = Callable[[Sequence[str], float], int | str]
"""A command, and its seconds: the exit code, or `LATE`."""


def main() -> int:
    """The exit code of the scenarios; 0 where they could not be played, which is said."""
    if not shutil.which(QEMU) and os.access(DEVICE, os.R_OK | os.W_OK) and (code := within(PACKAGES, IMAGE_S)):
        return _not_shown(f"QEMU is not installed, and could not be ({code})")
    return gate(accelerator(), within)


def gate(processor: Accelerator, run: Run) -> int:
    """Make the machine and play, each in its time."""
    if processor.emulated:
        return _not_shown(
            f"{processor.why.rstrip('.')}. On an emulated processor it takes too long; scripts/hil --rig vm plays there"
        )
    for command, seconds in ((MACHINE, IMAGE_S), (GATE, GATE_S)):
        ended = run(command, seconds)
        if ended == LATE:
            return _not_shown(f"{' '.join(command[1:])} had not ended after {seconds / 60:.0f} minutes")
        if command is MACHINE and ended == SKIP:
            return _not_shown("no virtual machine can be had here; the reason stands above")
        if ended:
            return int(ended)
    return 0


def _not_shown(why: str) -> int:
    line = "=" * 100
    print(f"{line}\nTHE GATE OF THE VIRTUAL MACHINE WAS NOT PLAYED: {why}.\n{line}", flush=True)
    return 0


def within(command: Sequence[str], seconds: float) -> int | str:
    """Run a command; where it is late it is ended, with every machine that it has started."""
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return LATE
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
