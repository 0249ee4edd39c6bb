"""A broker in memory between a check and one program, and programs that are deliberately wrong: ours, with a bent wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from firmware.proof.conformance.player import Heard, Talk
from firmware.wire.payload import hash_of
from tests.runtime.world import MS, Clock, MemoryLink

Message = dict[str, Any]


class Bend:
    """What is wrong with a program: what it says and hears passes here. This one is right."""

    def says(self, topic: str, said: Message) -> Message | None:
        """What is said under `up`, `down`, `meters` or an `alive` instead; None: nothing."""
        return said

    def also(self, topic: str) -> Sequence[tuple[str, Message]]:
        """What is said after that, by topic."""
        return ()

    def hears(self, topic: str, payload: bytes) -> bytes | None:
        """What is heard instead; None: nothing."""
        return payload

    def writes(self, topic: str, payload: bytes) -> bytes:
        """The bytes of what is said instead."""
        return payload

    def keeps(self, kept: Mapping[str, bytes]) -> Mapping[str, bytes]:
        """What stays at the broker instead."""
        return kept


@dataclass
class AtWorld(Talk):
    """A connection to one program in memory, whose time is the world's."""

    link: MemoryLink
    clock: Clock
    turns: Callable[[int], None]
    bend: Bend
    waiting: list[Heard] = field(default_factory=list)
    true_hash: dict[str, str] = field(default_factory=dict)
    """Of a message that was bent, what the program itself takes for its hash."""

    def now_ns(self) -> int:
        return self.clock.now_ns

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        heard = self.bend.hears(topic.rsplit("/", 1)[1], payload)
        if heard is None:
            return
        for bent, true in self.true_hash.items():
            heard = heard.replace(bent.encode(), true.encode())
        self.link.deliver(topic, heard)

    def next(self, within_ns: int) -> Heard | None:
        if not self.waiting:
            self._collect(0)
        if not self.waiting:
            self._collect(max(1, within_ns // MS))
        return self.waiting.pop(0) if self.waiting else None

    def _collect(self, ms: int) -> None:
        self.turns(ms)
        for topic, payload in self.link.carries():
            level = topic.rsplit("/", 1)[1]
            said = self.bend.says(level, json.loads(payload))
            if said is not None:
                bent = self.bend.writes(level, encoded(said))
                self._remember(payload, said)
                self.waiting.append(Heard(topic, bent, self.clock.now_ns, False))
            for other, more in self.bend.also(level):
                self.waiting.append(Heard(other, encoded(more), self.clock.now_ns, False))

    def _remember(self, payload: bytes, said: Message) -> None:
        bent, true = (hash_of(encoded(without_anchor(one))) for one in (said, json.loads(payload)))
        if bent != true:
            self.true_hash[bent] = true

    def kept(self, topics: Sequence[str]) -> Mapping[str, bytes]:
        kept = self.bend.keeps(self.link.kept)
        return {topic: kept[topic] for topic in topics if topic in kept}


def encoded(said: Message) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def without_anchor(said: Message) -> Message:
    return {key: value for key, value in said.items() if key != "anchor"}


def cents_more(amount: str, more: int) -> str:
    dollars, cents = amount.split(".")
    total = int(dollars) * 100 + int(cents) + more
    return f"{total // 100}.{total % 100:02}"
