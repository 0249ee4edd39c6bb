"""The sign's process: a read-only MQTT subscriber that hands each board to the page's server."""

from __future__ import annotations

import logging
import time
from datetime import time as time_of_day

from firmware.runtime.follower import Follower
from firmware.runtime.link import Arrived, Carrier
from firmware.wire.records import document
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox
from hal.watchdog import Watchdog
from ui.sign.board import SignBoard
from ui.sign.server import SignServer

REFRESH_S = 5.0
"""How often the page is told its age though nothing came: it grows stale by itself as well."""

UNDRAWN_S = 30.0
"""A page draws every ten seconds; one that has not for so long is seen by nobody."""


class SignService(Follower[SignServer]):
    """One running sign. Built by `firmware.commands.sign`."""

    log = logging.getLogger("felt.sign")
    page = "/"
    refresh_s = REFRESH_S

    def __init__(
        self, bank: str, gaming_day: time_of_day, inbox: Inbox, link: Carrier, server: SignServer, watchdog: Watchdog
    ) -> None:
        super().__init__(inbox, link, server, watchdog)
        self._topics = BankTopics(bank)
        self._board = SignBoard(time.monotonic(), gaming_day)
        self._freshness = ""
        self._is_seen = False

    def _hear(self, message: Arrived) -> None:
        take = {self._topics.meters: self._board.meters, self._topics.alive: self._board.alive}.get(message.topic)
        if take is not None:
            take(message.payload, time.monotonic(), retained=message.retained)

    def _show(self) -> None:
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
            self.log.warning("no browser has drawn the sign for %d s; look at its screen", UNDRAWN_S)
        self._is_seen = False
        return ", not drawn on any screen"
