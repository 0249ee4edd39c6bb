"""The part that both checks share: hearing every word by the strict reader, and waiting for one while the heart beats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from firmware.proof.conformance.sheet import Sheet
from firmware.wire.anchors import Anchor
from firmware.wire.payload import WireError, read
from firmware.wire.records import Record

S = 1_000_000_000
STEP_NS = S // 2
PATIENCE_S = 6
"""For an answer: three times what a table waits before it sends again, and three beats of a bank's heart."""

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Heard:
    """One message, when it came, and whether the broker had kept it."""

    topic: str
    payload: bytes
    at_ns: int
    retained: bool


class Talk(Protocol):
    """A connection to the broker at which the other side is."""

    def now_ns(self) -> int:
        """A clock that never goes back."""
        ...

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Publish."""
        ...

    def next(self, within_ns: int) -> Heard | None:
        """The next message, None where none came within that time."""
        ...

    def kept(self, topics: Sequence[str]) -> Mapping[str, bytes]:
        """The words that the broker retains under these topics."""
        ...


class Player:
    """The other side, played. A subclass says what it beats, hears and asks."""

    def __init__(self, talk: Talk, sheet: Sheet, tell: Callable[[str], None]) -> None:
        """`tell`: for the person at the other side, who has to do something."""
        self.talk, self.sheet, self.tell = talk, sheet, tell

    def beat(self) -> None:
        """Say what is said by itself, where it is due."""

    def hear(self, heard: Heard) -> None:
        """Take one message in."""
        raise NotImplementedError

    def until(self, seen: Callable[[], bool], seconds: int = PATIENCE_S) -> bool:
        """Hear what comes until that is seen; False where it was not within so many seconds."""
        deadline = self.talk.now_ns() + seconds * S
        while not seen():
            if (left := deadline - self.talk.now_ns()) <= 0:
                return False
            self.beat()
            if (heard := self.talk.next(min(left, STEP_NS))) is not None:
                self.hear(heard)
        return True

    def listen(self, seconds: int) -> None:
        """Hear what comes for so long."""
        self.until(lambda: False, seconds)

    def read(self, heard: Heard, kind: type[R], named: Callable[[R], str], wanted: str) -> R | None:
        """The message by the strict reader (W-01), of the name that its topic has (W-02); None where it is broken."""
        try:
            said = read(heard.payload, kind)
        except WireError as wrong:
            self.sheet.holds("W-01", False, f"{heard.topic}: {wrong}")
            return None
        self.sheet.holds("W-01", True, "")
        name = named(said)
        return said if self.sheet.holds("W-02", name == wanted, f"{heard.topic}: names {name!r}") else None

    def is_kept(self, wanted: Sequence[str], unwanted: Sequence[str] = ()) -> None:
        """W-03: what the broker keeps of the other side's words, and what it must not."""
        kept = self.talk.kept([*wanted, *unwanted])
        for topic in wanted:
            self.sheet.holds("W-03", topic in kept, f"{topic}: the broker keeps nothing; say it retained")
        for topic in unwanted:
            self.sheet.holds("W-03", topic not in kept, f"{topic}: the broker keeps a message; say it without retain")


def anchor_of(record: str, rows: int) -> Anchor:
    """A record that is made up: the same row has the same hash whenever it is said."""
    return Anchor(rows, hashlib.sha256(f"{record} {rows}".encode()).hexdigest())
