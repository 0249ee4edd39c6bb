"""What a device has put so far, and waiting for what it will: no test of a device sleeps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Kind = TypeVar("Kind")
DEADLINE_S = 10.0


class Signals:
    """Collects what is put from any thread. Waiting goes on from the last signal that was waited for."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._signals: list[object] = []
        self._seen = 0

    def put(self, signal: object) -> None:
        with self._changed:
            self._signals.append(signal)
            self._changed.notify_all()

    @property
    def everything(self) -> list[object]:
        with self._changed:
            return list(self._signals)

    def mark(self) -> None:
        """What was put so far is not waited for any more."""
        with self._changed:
            self._seen = len(self._signals)

    def has(self, matches: Callable[[object], bool]) -> None:
        """Wait until something that matches was put, before or after what was waited for so far."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(map(matches, self._signals)), DEADLINE_S), self._signals

    def wait_for(self, signal: object) -> None:
        self.wait_until(lambda candidate: candidate == signal, str(signal))

    def wait_for_kind(self, kind: type[Kind]) -> Kind:
        found = self.wait_until(lambda candidate: isinstance(candidate, kind), kind.__name__)
        assert isinstance(found, kind)
        return found

    def wait_until(self, matches: Callable[[object], bool], what: str) -> object:
        with self._changed:
            if not self._changed.wait_for(lambda: self._find(matches) is not None, DEADLINE_S):
                raise AssertionError(f"within {DEADLINE_S} s nobody put {what}, but {self._signals[self._seen :]}")
            number = self._find(matches)
            assert number is not None
            self._seen = number + 1
            return self._signals[number]

    def _find(self, matches: Callable[[object], bool]) -> int | None:
        return next((n for n in range(self._seen, len(self._signals)) if matches(self._signals[n])), None)
