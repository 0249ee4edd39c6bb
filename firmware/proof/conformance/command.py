"""`felt conformance table|bank --url URL`: plays the other side at a broker, and prints a line for each rule."""

from __future__ import annotations

import argparse
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from firmware.config import ConfigError, LinkConfig
from firmware.proof.conformance.of_bank import AsTable, BankCheck
from firmware.proof.conformance.of_table import AsBank, TableCheck
from firmware.proof.conformance.player import Heard, S, Talk
from firmware.proof.conformance.sheet import OF_BANK, OF_TABLE, Sheet
from firmware.rules.money import Cents, MoneyError, cents
from firmware.runtime.link import Arrived, Connected, Link
from firmware.runtime.signed_notes import BYTES, PrivateKey
from firmware.runtime.words import BankLink, Put, Sealed, TableLink, Unknown, Voice
from firmware.wire.offers import WagerOffered
from firmware.wire.payload import WireError, canonical, object_in
from firmware.wire.topics import BankTopics, TableTopics
from hal.debounce import Inbox

CONNECT_S, KEPT_S = 10, 2
FAILED, UNHEARD, SKIPPED = 1, 2, 3
"""Exit codes: a rule is broken; there is no broker; none is broken, and some could not be looked at."""


class NoBroker(Exception):
    """Nothing could be checked: the broker did not take us."""


class TableAndStranger(TableLink):
    """A table, and another machine under its name: a journal that is named after another key (B-09)."""

    def __init__(self, voice: Voice, stranger: Voice, put: Put) -> None:
        super().__init__(voice, put, lambda: "")
        self._stranger = stranger

    def sealed(self, topic: str, payload: bytes) -> bytes:
        """The next word of whose journal it names."""
        by = self._stranger if object_in(payload).get("journal") == self._stranger.digits else self.voice
        return by.says(payload, self._echoes(topic))


class AtBroker(Talk):
    """A connection to a broker."""

    def __init__(self, url: str, topics: Sequence[str], edge: Callable[[Put], Sealed]) -> None:
        """`edge`: where the words of the side that is played are sealed. Raises ConfigError for a URL that is none."""
        self._config = LinkConfig(broker=url)
        self._inbox, self._waiting = Inbox(0), list[Heard]()
        self._link = edge(self._inbox.put)
        self._carrier = self._connection(topics, self._link.arrived)
        self._link.over(self._carrier)

    def _connection(self, topics: Sequence[str], put: Put) -> Link:
        name = f"felt-conformance-{secrets.token_hex(4)}"
        return Link(self._config, name, [(topic, 1) for topic in topics], put)

    def open(self) -> None:
        """Raises NoBroker."""
        self._link.start()
        deadline = time.monotonic() + CONNECT_S
        while time.monotonic() < deadline:
            signals = self._inbox.take(deadline - time.monotonic())
            self._waiting += _heard(signals)
            if any(isinstance(signal, Connected) for signal in signals):
                return
        raise NoBroker(f"{self._config.broker}: no broker within {CONNECT_S} seconds")

    def close(self) -> None:
        """Say goodbye."""
        self._link.close()

    def now_ns(self) -> int:
        """CLOCK_MONOTONIC."""
        return time.monotonic_ns()

    def say(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        """Publish: sealed, in the form that it has; what is no object as it is."""
        try:
            right = canonical(object_in(payload)) == payload
        except WireError:
            self._carrier.publish(topic, payload, qos=qos, retain=retain)
            return
        if right:
            self._link.publish(topic, payload, qos=qos, retain=retain)
            return
        said = object_in(self._link.sealed(topic, payload))
        also = canonical({key: said[key] for key in ("said", "seal")})
        self._carrier.publish(topic, payload.rstrip()[:-1] + b"," + also[1:] + b"\n", qos=qos, retain=retain)

    def next(self, within_ns: int) -> Heard | None:
        """The next message, None where none came within that time."""
        if not self._waiting:
            self._waiting += _heard(self._inbox.take(within_ns / S))
        return self._waiting.pop(0) if self._waiting else None

    def kept(self, topics: Sequence[str]) -> Mapping[str, bytes]:
        """By a second connection: the broker says its retained words to every new listener."""
        inbox, kept = Inbox(0), dict[str, bytes]()
        second = self._connection(topics, inbox.put)
        second.start()
        deadline = time.monotonic() + KEPT_S
        while (left := deadline - time.monotonic()) > 0:
            kept |= {heard.topic: heard.payload for heard in _heard(inbox.take(left)) if heard.retained}
        second.close()
        return kept


def _heard(signals: Sequence[object]) -> list[Heard]:
    arrived = [signal for signal in signals if isinstance(signal, Arrived)]
    return [Heard(one.topic, one.payload, one.at_ns, one.retained) for one in arrived]


def check_bank(talk: Talk, own: AsTable, tell: Callable[[str], None]) -> Sheet:
    """The behavior of a bank at this broker."""
    sheet = Sheet(OF_BANK)
    BankCheck(talk, sheet, tell, own).run()
    return sheet


def check_table(talk: Talk, own: AsBank, tell: Callable[[str], None]) -> Sheet:
    """The behavior of a table at this broker."""
    sheet = Sheet(OF_TABLE)
    check = TableCheck(talk, sheet, tell, own)
    try:
        check.run()
    finally:
        check.stop()
    return sheet


def run(options: argparse.Namespace, tell: Callable[[str], None] | None = None) -> int:
    """The exit code: 0 where every rule is kept, 1 where one is broken, 2 without a broker, 3 where some were skipped.

    Raises ConfigError.
    """
    topics = TableTopics.of(options.bank, options.table)
    of_bank = options.side == "bank"
    heard = [topics.down, topics.meters, topics.bank] if of_bank else [topics.up, topics.alive, topics.status]
    own, stranger = _voice(), _voice()
    talk, tell = AtBroker(options.url, heard, _edge(options, own, stranger)), tell or _say
    try:
        talk.open()
        sheet = (
            check_bank(talk, _as_table(options, own.digits, stranger.digits), tell)
            if of_bank
            else check_table(talk, _as_bank(options), tell)
        )
    except NoBroker as error:
        print(f"felt conformance: {error}")
        return UNHEARD
    finally:
        talk.close()
    return told(sheet)


def told(sheet: Sheet) -> int:
    """Print a line for each rule and one for all of them; the exit code."""
    lines = tuple(sheet.lines())
    for line in lines:
        print(line)
    found = Counter(line.split(" ")[1].rstrip(":") for line in lines)
    print(f"{len(lines)} rules: {found['pass']} pass, {found['FAIL']} FAIL, {found['skipped']} skipped, not checked")
    if skipped := sheet.skipped:
        print(f"not checked: {', '.join(skipped)}")
    if sheet.broken:
        return FAILED
    return SKIPPED if skipped else 0


def _say(asked: str) -> None:
    print(f"please {asked}", flush=True)


def _voice() -> Voice:
    key = PrivateKey("felt/conformance", secrets.token_bytes(BYTES))
    return Voice(lambda: key)


def _edge(options: argparse.Namespace, own: Voice, stranger: Voice) -> Callable[[Put], Sealed]:
    """The edge of the side that is played: of a table, whose journal is named after its key, or of a bank."""
    if options.side == "bank":
        return lambda put: TableAndStranger(own, stranger, put)
    return lambda put: BankLink(own, put, BankTopics(options.bank), lambda _: Unknown())


def _as_table(options: argparse.Namespace, journal: str, stranger: str) -> AsTable:
    first, second = options.people
    wager = WagerOffered(options.wager_name, _wager(options.wager), options.paytable)
    return AsTable(options.bank, options.table, journal, stranger, wager, (first, second), options.wait)


def _wager(said: str) -> Cents:
    try:
        return cents(said)
    except MoneyError as wrong:
        raise ConfigError(f"--wager: {wrong}") from wrong


def _as_bank(options: argparse.Namespace) -> AsBank:
    epoch, restored = secrets.token_hex(16), secrets.token_hex(16)
    return AsBank(
        options.bank, options.table, options.meter, epoch, restored, options.claim, options.wait, options.reports
    )
