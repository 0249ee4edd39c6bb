"""The sign's process: a read-only MQTT subscriber that hands each board to the page's server."""

from __future__ import annotations

import logging
import time
from datetime import time as time_of_day

from firmware.runtime.grievances import Grievances
from firmware.runtime.link import Arrived, Link
from firmware.runtime.stopping import stop_all
from firmware.wire.payload import WireError
from firmware.wire.records import document
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox
from hal.ports import Complaint
from hal.watchdog import Watchdog
from hal.workers import revived
from ui.sign.board import SignBoard
from ui.sign.server import SignServer

log = logging.getLogger("felt.sign")

REFRESH_S = 5.0
"""How often the page is told its age though nothing came: it grows stale by itself as well."""

UNDRAWN_S = 30.0
"""A page draws every ten seconds; one that has not for so long is seen by nobody."""


class SignService:
    """One running sign. Built by `firmware.commands.sign`."""

    def __init__(
        self, bank: str, gaming_day: time_of_day, inbox: Inbox, link: Link, server: SignServer, watchdog: Watchdog
    ) -> None:
        self._topics = BankTopics(bank)
        self._inbox, self._link, self._server, self._watchdog = inbox, link, server, watchdog
        self._board = SignBoard(time.monotonic(), gaming_day)
        self._grievances = Grievances()
        self._freshness = ""
        self._is_seen = False
        self._running = True

    def stop(self) -> None:
        """End the loop after this turn."""
        self._running = False
        self._inbox.put(None)

    def run(self) -> None:
        """Turn until stopped."""
        self._link.start()
        self._publish()
        host, port = self._server.address
        log.info("the sign is on http://%s:%d/", host, port)
        self._watchdog.ready(f"http://{host}:{port}/")
        try:
            while self._running:
                self.turn(self._inbox.take(REFRESH_S))
        finally:
            stop_all(self._link.close, self._server.close)

    def turn(self, signals: list[object]) -> None:
        """One turn: take in what came, push what there is."""
        for signal in signals:
            if isinstance(signal, Arrived):
                self._arrived(signal)
            elif isinstance(signal, Complaint):
                self._grievances.hear(signal.place, signal.text)
        for ended in revived(time.monotonic_ns()):
            self._grievances.hear(ended.place, ended.text)
        for grievance in self._grievances.due(time.monotonic_ns()):
            log.warning("refused %d at %s: %s", grievance.count, grievance.place, grievance.text)
        self._publish()
        self._watchdog.pet()

    def _arrived(self, message: Arrived) -> None:
        take = {self._topics.meters: self._board.meters, self._topics.alive: self._board.alive}.get(message.topic)
        if take is None:
            return
        try:
            take(message.payload, time.monotonic(), retained=message.retained)
        except WireError as error:
            self._grievances.hear(message.topic, str(error))

    def _publish(self) -> None:
        now = time.monotonic()
        self._server.publish(document(self._board.page(now)))
        freshness = self._board.freshness(now) + self._seen()
        if freshness != self._freshness:  # for a person who asks systemctl why the sign shows this
            self._freshness = freshness
            self._watchdog.status(freshness)

    def _seen(self) -> str:
        """The end of the status: whether a screen draws the sign. The log says once that none does any more."""
        undrawn_s = self._server.undrawn_s
        if undrawn_s is not None and undrawn_s < UNDRAWN_S:
            self._is_seen = True
            return ", drawn on a screen"
        if self._is_seen:
            log.warning("no browser has drawn the sign for %d s; look at its screen", UNDRAWN_S)
        self._is_seen = False
        return ", not drawn on any screen"
