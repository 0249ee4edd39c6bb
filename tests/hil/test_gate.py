"""The gate of the virtual machine: it fails for a scenario that fails, and for nothing that this computer lacks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.hil.accelerator import LENT, emulation
from tests.hil.gate import GATE, LATE, MACHINE, gate, within
from tests.hil.image import SKIP
from tests.hil.rig import glance

NOT_PLAYED = "THE GATE OF THE VIRTUAL MACHINE WAS NOT PLAYED"


class Runs:
    """Says how each command ended."""

    def __init__(self, machine: int | str = 0, scenarios: int | str = 0) -> None:
        self._ended = {MACHINE: machine, GATE: scenarios}
        self.run: list[Sequence[str]] = []

    def __call__(self, command: Sequence[str], _seconds: float) -> int | str:
        self.run.append(command)
        return self._ended[tuple(command)]


@pytest.mark.parametrize(("ended", "code"), [(0, 0), (1, 1)])
def test_the_scenarios_decide(ended: int, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    runs = Runs(scenarios=ended)
    assert gate(LENT, runs) == code
    assert runs.run == [MACHINE, GATE]
    assert NOT_PLAYED not in capsys.readouterr().out


def test_a_machine_whose_units_do_not_start_fails() -> None:
    assert gate(LENT, Runs(machine=1)) == 1


@pytest.mark.parametrize(
    ("runs", "why"),
    [
        (Runs(machine=SKIP), "no virtual machine can be had here"),
        (Runs(machine=LATE), "tests.hil.vm had not ended after 5 minutes"),
        (Runs(scenarios=LATE), "had not ended after 10 minutes"),
    ],
    ids=["no machine", "a slow image", "slow scenarios"],
)
def test_what_this_computer_lacks_is_said_loudly_and_fails_nothing(
    runs: Runs, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(LENT, runs) == 0
    said = capsys.readouterr().out
    assert NOT_PLAYED in said and why in said


def test_on_an_emulated_processor_nothing_is_begun(capsys: pytest.CaptureFixture[str]) -> None:
    runs = Runs()
    assert gate(emulation("/dev/kvm cannot be opened: No such file or directory"), runs) == 0
    assert not runs.run and "/dev/kvm cannot be opened" in capsys.readouterr().out


@pytest.mark.slow
def test_who_is_late_is_ended_with_all_that_he_began(tmp_path: Path) -> None:
    """A machine that outlived its gate would keep a core busy for ever."""
    told = tmp_path / "pid"
    script = f"sleep 600 & echo $! > {told}; wait"
    assert within(("/bin/sh", "-c", script), 2.0) == LATE
    while _runs(int(told.read_text())):  # the kernel takes a moment; the test's own time limit ends this
        glance()


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_a_command_that_ends_says_how() -> None:
    assert within((sys.executable, "-c", "raise SystemExit(3)"), 30.0) == 3
