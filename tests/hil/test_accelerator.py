"""What a machine's processor is: lent where a machine runs on it, emulated otherwise, and it says why."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hil import accelerator
from tests.hil.accelerator import LENT, Accelerator, choose, counts, emulation, sector


def test_without_the_device_the_processor_is_emulated_and_it_says_so(tmp_path: Path) -> None:
    def never(_processor: Accelerator) -> str:
        raise AssertionError("nothing is tried on a device that is not there")

    chosen = choose(tmp_path / "kvm", never)
    assert chosen.emulated and "cannot be opened: No such file" in chosen.why


@pytest.mark.parametrize(("fault", "name"), [("", "kvm"), ("every instruction is interpreted", "tcg")])
def test_a_device_that_opens_is_believed_once_a_machine_has_run_on_it(fault: str, name: str, tmp_path: Path) -> None:
    device = tmp_path / "kvm"
    device.touch()
    chosen = choose(device, lambda _processor: fault)
    assert chosen.name == name and fault in chosen.why
    assert tuple(LENT.options[2:]) == ("-cpu", "host") and "host" not in emulation("").options


def test_a_machine_that_does_not_come_to_its_end_is_no_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(*_command: object, **_told: object) -> None:
        raise subprocess.TimeoutExpired("qemu", 10.0)

    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/qemu-system-x86_64")
    monkeypatch.setattr("subprocess.run", hangs)
    assert "was not done after 10 s" in counts(LENT)


def test_qemu_that_refuses_is_no_processor_and_its_last_word_stands_in_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = subprocess.CompletedProcess([], -6, b"", b"first\nfailed to set MSR 0x10a\n")
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/qemu-system-x86_64")
    monkeypatch.setattr("subprocess.run", lambda *_command, **_told: done)
    assert counts(LENT) == "QEMU ends with -6: failed to set MSR 0x10a"


def test_the_machine_that_counts_is_a_boot_sector() -> None:
    assert len(sector()) == 512 and sector().endswith(b"\x55\xaa")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which(accelerator.QEMU), reason="QEMU is not installed")
def test_it_counts_to_its_end_on_an_emulated_processor() -> None:
    assert counts(emulation("for a test"), within_s=60) == ""
