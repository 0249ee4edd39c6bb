"""The edge of a link: what goes out is sealed; what comes in is taken where its speaker is shown to be who it says.

Everything is checked in the thread in which it arrives, before it comes into the process's inbox: a word that nobody vouches
for reaches no law. It is counted, as a complaint (docs/mqtt.md).
"""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from firmware.runtime.link import Arrived, Carrier, NoLink
from firmware.runtime.signed_notes import PrivateKey, is_sealed
from firmware.wire.payload import Opened, WireError, opened, sealed
from firmware.wire.provenance import HEARD_MAX, Echo, Said, digits_of
from firmware.wire.topics import BankTopics
from hal.ports import Complaint

FAREWELL = "farewell"
"""The kind of a word that says of its speaker that it is gone: the broker may say it late, and out of order."""
ASKED_NS = 1_000_000_000
"""A table asks a bank whose run it does not know at most so often to be answered."""
SPEAKER = "said.key"
"""The place of a word where it is wrong, if another one sealed it than should."""
SILENT_NS = 6_000_000_000
"""A listener takes another run in place of one that has been silent for so long."""

Put = Callable[[object], None]
UNSEALED, STRANGER, OLD = "unsealed", "stranger", "old"


@dataclass(frozen=True, slots=True)
class Refused(Complaint):
    """A word that was not believed. `kind`: why, `UNSEALED`, `STRANGER` or `OLD`; an old one may be a broker's second
    delivery.
    """

    kind: str


def refused(topic: str, error: WireError) -> Refused:
    """The complaint about a word that nobody vouches for."""
    return Refused(topic, str(error), STRANGER if error.place == SPEAKER else UNSEALED)


class Voice:
    """The speaker in one run of a program: its key, and how many words it has said.

    `key`: reads it, before the first word: if the record is wrong too, its start says that first.
    """

    def __init__(self, key: Callable[[], PrivateKey]) -> None:
        self._load, self._numbers = key, itertools.count(1)
        self.run = secrets.token_hex(16)
        self.number = 0
        """The number of the last word."""

    @cached_property
    def _key(self) -> PrivateKey:
        return self._load()

    @property
    def digits(self) -> str:
        """The digits of its key."""
        return self._key.public.digits

    def says(self, payload: bytes, heard: tuple[Echo, ...] = ()) -> bytes:
        """The next word, sealed. `heard`: what it says back."""
        self.number = next(self._numbers)
        return sealed(payload, Said(self._key.public.raw.hex(), self.run, self.number, heard), self._key.seal)


class Heard:
    """The last runs of the other side that were heard, and how far each, of any speaker."""

    def __init__(self) -> None:
        self._of: Mapping[str, int] = {}

    def hear(self, said: Said) -> None:
        """One more word."""
        others = {run: number for run, number in self._of.items() if run != said.run}
        newest = dict(list(others.items())[-(HEARD_MAX - 1) :])
        self._of = {**newest, said.run: max(said.number, self._of.get(said.run, 0))}

    @property
    def echoes(self) -> tuple[Echo, ...]:
        """To be said back."""
        return tuple(Echo(run, number) for run, number in self._of.items())


class Hearing:
    """The standing of one speaker: its run, how far each kind of its words has come, and the words said to it by then."""

    def __init__(self) -> None:
        self.run = ""
        self._last: dict[str, int] = {}
        self._mark = 0
        """The last word of our own when the last one of this run was heard."""

    def is_news(self, said: Said, kind: str, own: Voice) -> bool:
        """Whether it is later than all that was heard of its kind; then it is remembered.

        Another run is the later one where it says back what was said after the last word of the known one had come.
        """
        if said.run != self.run and said.echoes(own.run) <= self._mark:
            return False
        return self._goes_on(said, kind, own.number)

    def is_next(self, said: Said, kind: str, *, may_change: bool) -> bool:
        """The same for who only listens, and is never answered; `may_change`: another run may take the place of this one."""
        return (said.run == self.run or may_change) and self._goes_on(said, kind, 0)

    def _goes_on(self, said: Said, kind: str, mark: int) -> bool:
        if said.run != self.run:
            self.run, self._last = said.run, {}
        if said.number <= self._last.get(kind, 0):
            return False
        self._last[kind], self._mark = said.number, mark
        return True


@dataclass(frozen=True, slots=True)
class AnotherRun:
    """A bank is there that has not answered this table yet, or has just done so: what the table says of itself is due."""


class Sealed:
    """A link whose every word is sealed by this voice. `put`: where what was taken goes."""

    def __init__(self, voice: Voice, put: Put) -> None:
        self.voice, self._put = voice, put
        self._link: Carrier = NoLink()

    def over(self, link: Carrier) -> None:
        """It goes over this one, whose signals come to `arrived`."""
        self._link = link

    @property
    def connected(self) -> bool:
        """As the link says."""
        return self._link.connected

    @property
    def contested(self) -> bool:
        """As the link says."""
        return self._link.contested

    def start(self) -> None:
        """Connect in the background."""
        self._link.start()

    def close(self) -> None:
        """Say goodbye."""
        self._link.close()

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Seal and send now if there is a connection."""
        if self._link.connected:
            self._link.publish(topic, self.sealed(topic, payload), qos=qos, retain=retain)

    def sealed(self, topic: str, payload: bytes) -> bytes:
        """The next word as it travels; what it says back depends on where it goes."""
        return self.voice.says(payload, self._echoes(topic))

    def _echoes(self, topic: str) -> tuple[Echo, ...]:
        raise NotImplementedError

    def arrived(self, signal: object) -> None:
        """The link's words. A word goes on if its speaker is shown; else it is a complaint."""
        if not isinstance(signal, Arrived):
            self._put(signal)
            return
        try:
            self._take(opened_word(signal.payload), signal)
        except WireError as error:
            self._put(refused(signal.topic, error))

    def _take(self, word: Opened, signal: Arrived) -> None:
        raise NotImplementedError


def opened_word(payload: bytes) -> Opened:
    """A word whose seal is right: of that key, whose ever it is. Raises WireError."""
    word = opened(payload)
    if not is_sealed(word.sealed, word.seal, word.said.key):
        raise WireError("seal", f"is not of key {digits_of(word.said.key)}, which the word names")
    return word


def _kind(word: Opened, signal: Arrived) -> str:
    return FAREWELL if word.content.get("alive") is False else signal.topic


class TableLink(Sealed):
    """A table's. `wanted`: the digits of its bank's key, "" before it has met one."""

    def __init__(self, voice: Voice, put: Put, wanted: Callable[[], str]) -> None:
        super().__init__(voice, put)
        self._bank = Trusted(wanted)
        self._heard, self._hearing = Heard(), Hearing()
        self._waiting: dict[str, tuple[Opened, Arrived]] = {}
        """By kind the last word of a run that has not answered this table yet."""
        self._asked_ns = -ASKED_NS

    def _echoes(self, topic: str) -> tuple[Echo, ...]:
        return self._heard.echoes

    def _take(self, word: Opened, signal: Arrived) -> None:
        digits = self._bank.shown(word.said, signal.at_ns)
        self._heard.hear(word.said)
        if not self._is_taken(word, replace(signal, by=digits)) and not signal.retained:
            self._put(Refused(signal.topic, "is no later than what was heard", OLD))

    def _is_taken(self, word: Opened, signal: Arrived) -> bool:
        """Whether it counts, now or once its run has answered; else it is old."""
        kind, known = _kind(word, signal), self._hearing.run
        if kind == FAREWELL and not known:
            self._put(signal)
        elif self._hearing.is_news(word.said, kind, self.voice):
            if self._hearing.run != known:
                self._waited()
            self._put(signal)
        elif word.said.run != known and kind != FAREWELL:
            self._waiting[kind] = word, signal
            self._ask()
        else:
            return False
        return True

    def _waited(self) -> None:
        """A run has answered: what it said before counts now, and it hears at once how the table stands."""
        waiting, self._waiting = self._waiting, {}
        for word, signal in waiting.values():
            self._is_taken(word, signal)
        self._put(AnotherRun())

    def _ask(self) -> None:
        now_ns = time.monotonic_ns()
        if now_ns - self._asked_ns >= ASKED_NS:
            self._asked_ns = now_ns
            self._put(AnotherRun())


class Trusted:
    """By which key a bank is known. `wanted`: its digits, "" where no bank was met and none is named."""

    def __init__(self, wanted: Callable[[], str]) -> None:
        self._wanted = wanted
        self._offered: dict[str, int] = {}
        """When the keys that speak while none is known were heard last; at most two are kept."""
        self._first, self._first_ns, self._stays = "", 0, False
        """The key that was heard first and since when; it has been heard alone for so long that it stays."""

    def shown(self, said: Said, at_ns: int) -> str:
        """The digits of the bank's key, if this word is sealed by it. Raises WireError.

        While none is known, the first that is heard is taken, and stays while it is heard. If another one speaks before it
        has been heard alone for SILENT_NS, neither is taken, until one of them is silent for as long, or people name one.
        """
        digits, wanted = digits_of(said.key), self._wanted()
        if not wanted:
            return self._only(digits, at_ns)
        if digits != wanted:
            raise WireError(SPEAKER, f"is {digits}, and not the bank's, {wanted}")
        return digits

    def _only(self, digits: str, at_ns: int) -> str:
        self._offered = {key: heard for key, heard in self._offered.items() if at_ns - heard <= SILENT_NS}
        if self._first not in self._offered and len(self._offered) <= 1:
            self._first = next(iter(self._offered), digits)
            self._first_ns, self._stays = at_ns, False
        if digits in self._offered or len(self._offered) < 2:
            self._offered[digits] = at_ns
        if len(self._offered) == 1:
            self._stays = at_ns - self._first_ns > SILENT_NS
        if digits == self._first and (self._stays or len(self._offered) == 1):
            return digits
        if self._stays:
            raise WireError(SPEAKER, f"is {digits}, and not the bank's that was heard first, {self._first}")
        raise WireError(SPEAKER, f"two banks speak, {' and '.join(sorted(self._offered))}: name one (link.bank_key)")


class Adopted(Protocol):
    """The key that two people adopted for a table (`firmware.bank.state`)."""

    @property
    def journal(self) -> str:
        """Its journal, "" for none."""
        ...

    @property
    def key(self) -> str:
        """The digits of its key, where it is not the one that the journal is named after."""
        ...


@dataclass(frozen=True, slots=True)
class Unknown:
    """A table that nobody adopted yet."""

    journal: str = ""
    key: str = ""


class BankLink(Sealed):
    """A bank's. `adopted`: what is known of a table, None of one that is not this bank's."""

    def __init__(
        self, voice: Voice, put: Put, topics: BankTopics, adopted: Callable[[str], Adopted | None] = lambda _: None
    ) -> None:
        super().__init__(voice, put)
        self._topics, self.adopted = topics, adopted
        self._tables: dict[str, Heard] = {}
        """The speaker under a table's name, by the topic of its answers."""
        self._hearings: dict[str, tuple[str, Hearing]] = {}
        """By table: its journal, and what counts of it."""
        self._banks, self._rival = Heard(), Hearing()

    def _echoes(self, topic: str) -> tuple[Echo, ...]:
        if topic in (self._topics.alive, self._topics.rival):
            return self._banks.echoes
        heard = self._tables.get(topic)
        return heard.echoes if heard else ()

    def _take(self, word: Opened, signal: Arrived) -> None:
        if signal.topic in (self._topics.alive, self._topics.rival):
            self._take_of_a_bank(word, signal)
            return
        table = self._topics.speaker(signal.topic)
        adopted = self.adopted(table)
        if adopted is None:
            self._put(signal)  # it is complained of there
            return
        digits, journal = digits_of(word.said.key), word.content.get("journal")
        own = journal == adopted.journal
        wanted = adopted.key if own and adopted.key else journal
        if digits != wanted:
            raise WireError(SPEAKER, f"is {digits}; journal {journal} is sealed by another one, {wanted}")
        self._tables.setdefault(self._topics.down(table), Heard()).hear(word.said)
        self._put(replace(signal, by=digits, fresh=self._is_fresh(table, adopted, word, signal, own=own)))

    def _is_fresh(self, table: str, adopted: Adopted, word: Opened, signal: Arrived, *, own: bool) -> bool:
        """Later than all that was heard of its kind; of a journal that nobody adopted, later than this bank's start."""
        if not own:
            return word.said.echoes(self.voice.run) > 0
        journal, hearing = self._hearings.get(table, ("", Hearing()))
        if journal != adopted.journal:
            hearing = Hearing()
        self._hearings[table] = adopted.journal, hearing
        return hearing.is_news(word.said, _kind(word, signal), self.voice)

    def _take_of_a_bank(self, word: Opened, signal: Arrived) -> None:
        """Another one with this bank's key is there now if it says back what this one said; else it may be of long ago."""
        if (digits := digits_of(word.said.key)) != self.voice.digits:
            raise WireError(SPEAKER, f"is {digits}: a bank speaks under this name without its key, {self.voice.digits}")
        if word.said.run == self.voice.run:
            return
        self._banks.hear(word.said)
        if self._rival.is_news(word.said, signal.topic, self.voice):
            self._put(replace(signal, by=digits))


class Listener:
    """The edge of who only listens to one speaker, and is answered by nobody: a sign, a mirror.

    `silent_ns`: another run takes the place of one that has been silent for longer.
    """

    def __init__(self, put: Put, wanted: Callable[[], str], silent_ns: int = SILENT_NS) -> None:
        self._put, self._bank, self._hearing, self._silent_ns = put, Trusted(wanted), Hearing(), silent_ns
        self._start: tuple[object, object] = ("", 0)
        self._at_ns = 0

    def arrived(self, signal: object) -> None:
        """The link's words. A word goes on if it is the speaker's, and later than those before it."""
        if not isinstance(signal, Arrived):
            self._put(signal)
            return
        try:
            word = opened_word(signal.payload)
            self._bank.shown(word.said, signal.at_ns)
        except WireError as error:
            self._put(refused(signal.topic, error))
            return
        silent = not self._hearing.run or signal.at_ns - self._at_ns > self._silent_ns
        if self._hearing.is_next(word.said, _kind(word, signal), may_change=silent or self._is_later(word)):
            self._at_ns, self._start = signal.at_ns, _start(word)
            self._put(signal)

    def _is_later(self, word: Opened) -> bool:
        """It is of a later start on the same ledger."""
        (epoch, term), (known, before) = _start(word), self._start
        return epoch == known and isinstance(term, int) and isinstance(before, int) and term > before


def _start(word: Opened) -> tuple[object, object]:
    """Epoch and term of a bank's word, as it says them."""
    return word.content.get("epoch"), word.content.get("term")
