"""The mirror's process: it reads the words of a bank and its tables, and says their values again, flat and in numbers.

It says nothing under `felt/`: all that it publishes lies under `felt-view/`, or under Home Assistant's prefix where it is
asked to. A table and a bank do not know that it is there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import time as time_of_day

from firmware.runtime import home_assistant
from firmware.runtime.follower import Follower
from firmware.runtime.link import Arrived, Carrier, Connected, Will
from firmware.runtime.metrics import Metrics
from firmware.runtime.view import View
from firmware.runtime.words import Listener
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox
from hal.ports import Complaint
from hal.watchdog import Watchdog

REFRESH_S = 1.0
"""So often it looks whether somebody has grown silent."""
TABLES_MOST = 1000
"""So many tables are followed; a board lists no more either."""


def root(bank: str) -> str:
    """The topic above all values of a bank."""
    return f"felt-view/{bank}"


def farewell(bank: str) -> Will:
    """The broker's word when the mirror is gone."""
    return Will(f"{root(bank)}/mirror", b"0")


def asked(bank: str) -> list[tuple[str, int]]:
    """The topics that it reads."""
    topics = BankTopics(bank)
    return [(topic, 1) for topic in (topics.meters, topics.alive, topics.presence, topics.status)]


class Ear:
    """The edge of the link: a word goes on if its seal is right and it is later than those before it of its speaker.

    `bank_key`: the digits of the bank's key, "" for the first that is heard. A table's key is the first that is heard.
    """

    def __init__(self, bank: str, put: Callable[[object], None], bank_key: Callable[[], str]) -> None:
        self._topics, self._put = BankTopics(bank), put
        self._bank = Listener(put, bank_key)
        self._tables: dict[str, Listener] = {}

    def arrived(self, signal: object) -> None:
        """The link's words."""
        name = self._topics.speaker(signal.topic) if isinstance(signal, Arrived) else ""
        if name and name not in self._tables:
            if len(self._tables) >= TABLES_MOST:
                self._put(Complaint("tables", f"{name} is one more than {TABLES_MOST}"))
                return
            self._tables[name] = Listener(self._put, lambda: "", silent_ns=0)
        (self._tables[name] if name else self._bank).arrived(signal)


class MirrorService(Follower[Metrics]):
    """One running mirror. Built by `firmware.commands.mirror`.

    `prefix`: Home Assistant's, "" for nothing said to it. `version`: of this program.
    """

    log = logging.getLogger("felt.mirror")
    page = "/metrics"
    refresh_s = REFRESH_S

    def __init__(
        self,
        bank: str,
        gaming_day: time_of_day,
        inbox: Inbox,
        link: Carrier,
        metrics: Metrics,
        watchdog: Watchdog,
        *,
        prefix: str = "",
        version: str = "",
    ) -> None:
        super().__init__(inbox, link, metrics, watchdog)
        self._bank, self._prefix, self._version = bank, prefix, version
        self._view = View(bank, gaming_day, time.monotonic())
        self._said: dict[str, bytes] = {}
        """Topic -> the last word there, on this connection."""

    def _take(self, signal: object) -> None:
        if isinstance(signal, Connected):
            self._said.clear()
        super()._take(signal)

    def _hear(self, message: Arrived) -> None:
        self._view.hear(message.topic, message.payload, time.monotonic(), retained=message.retained)

    def _leave(self) -> None:
        self._tell(farewell(self._bank).topic, farewell(self._bank).payload)

    def _show(self) -> None:
        readings = self._view.readings(time.monotonic())
        self._server.show(readings)
        if not self._link.connected:
            return
        above = root(self._bank)
        words = {f"{above}/{reading.path}": reading.text.encode() for reading in readings}
        words[farewell(self._bank).topic] = b"1"
        if self._prefix:
            known = home_assistant.device(self._bank, above, farewell(self._bank).topic, self._version, readings)
            words[home_assistant.topic(self._prefix, self._bank)] = known
        for gone in self._said.keys() - words.keys():
            self._tell(gone, b"")  # the broker forgets it
            del self._said[gone]
        for topic, word in words.items():
            if self._said.get(topic) != word:
                self._tell(topic, word)
                self._said[topic] = word

    def _tell(self, topic: str, word: bytes) -> None:
        self._link.publish(topic, word, retain=True)
