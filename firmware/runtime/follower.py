"""The loop of a process that only hears a bank and shows what it heard: a sign, a mirror."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from firmware.runtime.grievances import Grievances
from firmware.runtime.link import Arrived, Carrier
from firmware.runtime.stopping import stop_all
from firmware.wire.payload import WireError
from hal.debounce import Inbox
from hal.ports import Complaint
from hal.watchdog import Watchdog
from hal.workers import revived
from ui.web import WebServer

Server = TypeVar("Server", bound=WebServer)


class Follower(ABC, Generic[Server]):
    """One running process. A word that is refused is logged at a bounded rate, and changes nothing.

    `page`: the address that systemd is told, below the server's own. `refresh_s`: so often it shows what there is though
    nothing came.
    """

    log: logging.Logger
    page: str
    refresh_s: float

    def __init__(self, inbox: Inbox, link: Carrier, server: Server, watchdog: Watchdog) -> None:
        self._inbox, self._link, self._server, self._watchdog = inbox, link, server, watchdog
        self._grievances = Grievances()
        self._running = True

    def stop(self) -> None:
        """End the loop after this turn."""
        self._running = False
        self._inbox.put(None)

    def run(self) -> None:
        """Turn until stopped."""
        self._link.start()
        self._show()
        host, port = self._server.address
        address = f"http://{host}:{port}{self.page}"
        self.log.info("serving %s", address)
        self._watchdog.ready(address)
        try:
            while self._running:
                self.turn(self._inbox.take(self.refresh_s))
        finally:
            stop_all(self._leave, self._link.close, self._server.close)

    def turn(self, signals: list[object]) -> None:
        """One turn: take in what came, show what there is."""
        for signal in signals:
            if isinstance(signal, Complaint):
                self._grievances.hear(signal.place, signal.text)
            else:
                self._take(signal)
        for ended in revived(time.monotonic_ns()):
            self._grievances.hear(ended.place, ended.text)
        for grievance in self._grievances.due(time.monotonic_ns()):
            self.log.warning("refused %d at %s: %s", grievance.count, grievance.place, grievance.text)
        self._show()
        self._watchdog.pet()

    def _take(self, signal: object) -> None:
        if not isinstance(signal, Arrived):
            return
        try:
            self._hear(signal)
        except WireError as error:
            self._grievances.hear(signal.topic, str(error))

    @abstractmethod
    def _hear(self, message: Arrived) -> None:
        """A word came. Raises WireError, and changes nothing, if it is not one of its topic."""

    @abstractmethod
    def _show(self) -> None:
        """Show what was heard."""

    def _leave(self) -> None:
        """The last word, before the link is closed."""
