"""A thread that ends by itself is started again and told of, whatever ended it."""

from __future__ import annotations

import ast
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal import workers
from hal.ports import Complaint
from hal.workers import AGAIN_NS, Worker, errand, revived

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of other tests are theirs."""
    monkeypatch.setattr(workers, "_WORKERS", {})


def later() -> int:
    """When a worker that has ended may be started again."""
    return time.monotonic_ns() + AGAIN_NS


class Mortal:
    """Ends at its first run by what is given, and stays at its second."""

    def __init__(self, first: BaseException | None) -> None:
        self.first: list[BaseException | None] = [first]
        self.stays, self.stop, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.worker = Worker("mortal", self.run)

    def run(self) -> None:
        if self.first:
            self.ended.set()
            if error := self.first.pop():
                raise error
            return
        self.stays.set()
        self.stop.wait(10)


@pytest.fixture(params=[ValueError("a bad byte"), MemoryError(), SystemExit(), None], ids=repr)
def mortal(request: pytest.FixtureRequest) -> Iterator[Mortal]:
    one = Mortal(request.param)
    yield one
    one.stop.set()
    one.worker.end()


def dies(mortal: Mortal) -> None:
    assert mortal.ended.wait(10)
    thread = mortal.worker._thread
    assert thread is not None
    thread.join(10)


def test_a_worker_that_ended_by_itself_is_told_of_and_runs_again(mortal: Mortal) -> None:
    mortal.worker.start()
    dies(mortal)
    (said,) = revived(later())
    assert said.place == "thread mortal" and said.text.endswith("it is started again")
    assert mortal.stays.wait(10)
    assert revived(later()) == []


def test_it_says_why_it_ended() -> None:
    mortal = Mortal(ValueError("a bad byte"))
    mortal.worker.start()
    dies(mortal)
    assert revived(later()) == [Complaint("thread mortal", "it ended: ValueError: a bad byte; it is started again")]
    mortal.stop.set()
    mortal.worker.end()


def test_a_worker_that_ends_again_and_again_is_started_once_a_second() -> None:
    worker = Worker("never", lambda: None)
    worker.start()
    assert worker._thread is not None
    worker._thread.join(10)
    assert revived(time.monotonic_ns()) == []
    assert len(revived(later())) == 1
    worker.end()


def test_a_worker_that_was_ended_stays_so(mortal: Mortal) -> None:
    mortal.worker.start()
    dies(mortal)
    mortal.worker.end()
    assert revived(later()) == [] and not mortal.worker.is_started


def test_a_machine_without_a_thread_to_give_has_one_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    ran = threading.Event()
    worker = Worker("late", lambda: None)
    with monkeypatch.context() as poor:
        poor.setattr(threading.Thread, "start", none)
        worker.start()
        assert not errand("errand", ran.set)
    assert not ran.is_set()
    assert len(revived(later())) == 1
    assert errand("errand", ran.set) and ran.wait(10)
    worker.end()


SIMULATED = ("hal/cabinet/cabinet.py", "hal/shuffler/emulator.py", "hal/workers.py")
"""What stands for hardware, and is not installed at a table; and the door."""


def test_nobody_else_makes_a_thread() -> None:
    """A thread that nobody watches would end in silence."""
    made = {
        str(file.relative_to(ROOT))
        for room in ("firmware", "hal", "ui")
        for file in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Thread", "loop_start", "Timer"))
    }
    assert made == set(SIMULATED)
