"""What systemd does for a unit, for the processes of a simulated bank: starts it again, and ends it when it hangs.

WatchdogSec and RestartSec are read from the very units that a casino installs, so a watchdog time that a program cannot
keep is seen here too.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.proof.simulation.processes import READY_S, Part

UNITS = Path(__file__).parents[2] / "systemd"
EAR_S = 0.1
"""So soon it is noticed that a process has ended."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a unit is kept: seconds before it is started again, and how long it may be silent (0: as long as it likes)."""

    restart_s: float
    watchdog_s: float


SYSTEMD = Keeping(0.1, 0.0)
"""What systemd takes where a unit says nothing (systemd.service(5)): Debian's mosquitto.service says nothing."""


def keeping(unit: Path) -> Keeping:
    """As the unit's file says it, in whole seconds. Raises AssertionError for one that would not be started again."""
    said = dict(line.split("=", 1) for line in unit.read_text(encoding="utf-8").splitlines() if "=" in line)
    assert said["Restart"] == "always", f"{unit}: Restart={said['Restart']}; a killed program stays away"
    return Keeping(float(said["RestartSec"]), float(said["WatchdogSec"]))


class Supervisor:
    """Keeps one process. `failed`: told of a start that did not succeed."""

    def __init__(self, part: Part, kept: Keeping, failed: Callable[[str], None]) -> None:
        self._part, self._kept, self._failed = part, kept, failed
        self._over = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        if kept.watchdog_s:
            part.environment = {**part.environment, "WATCHDOG_USEC": str(int(kept.watchdog_s * 1_000_000))}

    @property
    def ready(self) -> bool:
        """It is there, and has said so."""
        return self._ready.is_set() and self._part.running

    def keep(self) -> None:
        """Begin with a process that somebody started, and waited for."""
        self._ready.set()
        self._watch()

    def start(self) -> None:
        """Start it; returns at once."""
        self._part.start()
        self._watch()

    def wait_ready(self) -> None:
        """Until it has said that it is ready. Raises AssertionError with its last words."""
        assert self._ready.wait(READY_S), f"{self._part.name} is not ready; it said:\n{self._part.last_words()}"

    def send(self, number: signal.Signals) -> None:
        """A signal to the process, which is kept all the same."""
        os.kill(self._part.pid, number)

    def leave(self) -> None:
        """Keep it no more; whether it runs is left as it is."""
        self._over.set()

    def end(self, number: signal.Signals) -> None:
        """Keep it no more, and end it by this signal."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._ready.clear()
        if number == signal.SIGKILL:
            self._part.kill()
        else:
            self._part.stop()

    def _watch(self) -> None:
        self._over.clear()
        self._thread = threading.Thread(target=self._run, name=f"keeps-{self._part.name}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        heard = time.monotonic()
        while not self._over.is_set():
            said = self._part.hear(EAR_S)
            if b"READY=1" in said:
                self._ready.set()
            if said or not self._ready.is_set():  # a start has a time of its own
                heard = time.monotonic()
            if not self._part.running:
                self._again()
                heard = time.monotonic()
            elif self._kept.watchdog_s and time.monotonic() - heard > self._kept.watchdog_s:
                self._abort()
                heard = time.monotonic()

    def _abort(self) -> None:
        """As systemd does it: a process that was stopped has to be woken to die."""
        with contextlib.suppress(ProcessLookupError):
            self.send(signal.SIGABRT)
            self.send(signal.SIGCONT)

    def _again(self) -> None:
        self._ready.clear()
        self._part.kill()  # it is dead: what is left of it is put away
        if self._over.wait(self._kept.restart_s):
            return
        try:
            self._part.start()
        except OSError as error:
            self._failed(f"{self._part.name} could not be started again: {error}")
            self._over.set()
