"""The names under which table, bank and sign speak (docs/mqtt.md). Every level is made of a-z, 0-9 and - only."""

from __future__ import annotations

import re

from msgspec import Struct


class TableTopics(Struct, frozen=True):
    """The topics of one table: all but `meters` and `bank`, which are its bank's, are its own."""

    up: str
    down: str
    alive: str
    status: str
    meters: str
    bank: str

    @staticmethod
    def of(bank: str, table: str) -> TableTopics:
        """By the names of the bank and the table."""
        shared = BankTopics(bank)
        own = f"{shared.root}/table/{table}"
        return TableTopics(
            f"{own}/up", shared.down(table), f"{own}/alive", f"{own}/status", shared.meters, shared.alive
        )


class BankTopics:
    """The topics of a bank: `up`, `presence` (their `alive`) and `status` are every table's at once.

    Under `rival` a bank that has stood back for another one of its name says that it is still there.
    """

    def __init__(self, bank: str) -> None:
        self.root = f"felt/{bank}"
        self.up = f"{self.root}/table/+/up"
        self.presence = f"{self.root}/table/+/alive"
        self.status = f"{self.root}/table/+/status"
        self.meters = f"{self.root}/meters"
        self.alive = f"{self.root}/alive"
        self.rival = f"{self.root}/rival"
        self._any = re.compile(re.escape(self.root) + "/table/([^/]*)/(?:up|alive|status)")
        self._up = re.compile(re.escape(self.root) + "/table/([^/]*)/up")
        self._status = re.compile(re.escape(self.root) + "/table/([^/]*)/status")
        self._presence = re.compile(re.escape(self.root) + "/table/([^/]*)/alive")

    def down(self, table: str) -> str:
        """The topic where a table hears what the bank holds of it."""
        return f"{self.root}/table/{table}/down"

    def speaker(self, topic: str) -> str:
        """The table that says anything under this topic, "" for another topic."""
        match = self._any.fullmatch(topic)
        return match[1] if match else ""

    def table(self, topic: str) -> str:
        """The table that says something under this topic, "" for another topic."""
        match = self._up.fullmatch(topic)
        return match[1] if match else ""

    def present(self, topic: str) -> str:
        """The table that says under this topic that it is there, "" for another topic."""
        match = self._presence.fullmatch(topic)
        return match[1] if match else ""

    def stands(self, topic: str) -> str:
        """The table that says under this topic how it stands, "" for another topic."""
        match = self._status.fullmatch(topic)
        return match[1] if match else ""
