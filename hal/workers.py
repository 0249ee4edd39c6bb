"""The threads of a process; nobody else makes one, and no library runs one of its own if that can be avoided.

A `Worker` is to run until it is ended. Its thread may end by itself all the same: by a mistake of a library, for want of
memory, threads or files. The loop of the process asks for such workers at every turn (`revived`), starts them again, and
complains: the reader of a device or a socket is deaf for a second, never for good. An `errand` ends by itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from hal.ports import Complaint

log = logging.getLogger("felt.workers")

AGAIN_NS = 1_000_000_000
"""A worker that ends at once, again and again, is started once in so long."""


class Worker:
    """One thread that runs `run` until `end`. `run` may begin again at any time, after any kind of end."""

    def __init__(self, name: str, run: Callable[[], None]) -> None:
        self._name, self._run = name, run
        self._thread: threading.Thread | None = None
        self._began_ns = 0
        self._why = self._traced = ""

    @property
    def is_started(self) -> bool:
        """It was started, and not ended since."""
        return self in _WORKERS

    def start(self) -> None:
        """Run from now on, or as soon as the machine has a thread to give."""
        _WORKERS[self] = None
        self._begin()

    def end(self, within_s: float | None = None) -> None:
        """It is not started again; wait for its thread, which was asked to end before. One that hangs is left behind."""
        _WORKERS.pop(self, None)
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(within_s)

    def revive(self, now_ns: int) -> Complaint | None:
        """Start it again where its thread has ended, and say so; None where it lives or is not due."""
        thread = self._thread
        if (thread is not None and thread.is_alive()) or now_ns - self._began_ns < AGAIN_NS:
            return None
        why, self._why = self._why, ""
        self._begin()
        return Complaint(f"thread {self._name}", f"it ended{why and ': '}{why}; it is started again")

    def _begin(self) -> None:
        self._began_ns = time.monotonic_ns()
        self._thread = _started(self._name, self._work)

    def _work(self) -> None:
        try:
            self._run()
        except BaseException as error:
            self._why = f"{type(error).__name__}: {error}"
            if self._why != self._traced:
                self._traced = self._why
                log.warning("the thread %r ended", self._name, exc_info=True)


_WORKERS: dict[Worker, None] = {}
"""Those of this process that were started and not ended."""


def revived(now_ns: int) -> list[Complaint]:
    """Complaints about workers of this process that ended by themselves. Each runs again."""
    return [ended for worker in list(_WORKERS) if (ended := worker.revive(now_ns))]


def errand(name: str, run: Callable[[], None]) -> bool:
    """A thread that ends by itself, soon or with what it serves. False where the machine has none to give."""
    return _started(name, run) is not None


def _started(name: str, run: Callable[[], None]) -> threading.Thread | None:
    try:
        thread = threading.Thread(target=run, name=name, daemon=True)
        thread.start()
    except (RuntimeError, MemoryError):  # "can't start new thread"
        return None
    return thread
