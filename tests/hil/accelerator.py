"""Whether this computer's processor can be lent to a virtual machine (KVM), or QEMU has to emulate one (TCG).

That `/dev/kvm` opens says little: a kernel may offer it and interpret every instruction of a guest, which is slower than
QEMU's own emulation, or refuse what QEMU asks for. So a machine of one sector is run that counts to a number and switches
itself off: on a processor that is lent it is done before anybody looks.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

QEMU = "qemu-system-x86_64"
DEVICE = Path("/dev/kvm")
WITHIN_S = 10.0
"""Firmware and count together take about a second; an interpreted one was at work for minutes."""
COUNT = 200_000_000
DONE = 33
"""The exit code of QEMU when the machine has counted to its end: twice what it writes to its port of exit, and one."""
SIZE = 512


@dataclass(frozen=True, slots=True)
class Accelerator:
    """What a machine's processor is. `why`: in a sentence, for the report."""

    name: str
    """kvm or tcg."""
    options: Sequence[str]
    why: str

    @property
    def emulated(self) -> bool:
        return self.name == "tcg"


def emulation(why: str) -> Accelerator:
    """QEMU's own. `-cpu max` was seen to crash what draws the screen."""
    return Accelerator("tcg", ("-accel", "tcg,thread=multi", "-cpu", "Nehalem"), why)


LENT = Accelerator("kvm", ("-accel", "kvm", "-cpu", "host"), "KVM: a machine that counts was done in time")
Try = Callable[[Accelerator], str]
"""What keeps such a machine from counting to its end; empty where nothing does."""


@cache
def accelerator() -> Accelerator:
    """The best there is here; found out once."""
    return choose(DEVICE, counts)


def choose(device: Path, tried: Try) -> Accelerator:
    """KVM where its device opens and a machine runs on it; emulation otherwise, with the reason."""
    try:
        os.close(os.open(device, os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        return emulation(f"{device} cannot be opened: {error.strerror}")
    fault = tried(LENT)
    return emulation(f"{device} opens, but {fault}") if fault else LENT


def counts(processor: Accelerator, within_s: float = WITHIN_S) -> str:
    """Let a machine of one sector count; why it did not come to its end."""
    if not shutil.which(QEMU):
        return f"there is no {QEMU}"
    with tempfile.TemporaryDirectory() as folder:
        disk = Path(folder) / "count"
        disk.write_bytes(sector())
        command = [QEMU, *processor.options, "-M", "pc", "-m", "32", "-nodefaults", "-display", "none", "-no-reboot"]
        command += ["-drive", f"file={disk},format=raw", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x01"]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=within_s)
        except subprocess.TimeoutExpired:
            return f"a machine that counts was not done after {within_s:.0f} s: every instruction is interpreted"
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return "" if done.returncode == DONE else f"QEMU ends with {done.returncode}: {said[-1] if said else 'no word'}"


def sector() -> bytes:
    """A boot sector, in 16-bit code: count down, write 16 to the port of exit, stand still."""
    load = b"\x66\xb9" + COUNT.to_bytes(4, "little")  # mov ecx, COUNT
    count = b"\x66\x49\x75\xfc"  # dec ecx; jnz to it
    leave = b"\xb0" + bytes([(DONE - 1) // 2]) + b"\xe6\xf4"  # mov al, 16; out 0xf4, al
    code = b"\xfa" + load + count + leave + b"\xf4\xeb\xfd"  # cli; ...; hlt; jmp to it
    return code.ljust(SIZE - 2, b"\0") + b"\x55\xaa"
