"""The values of a bank that other programs may read: flat, one number or word each, of the board that the sign shows.

Nothing here knows MQTT or Prometheus: `firmware.runtime.mirror` says the values, `firmware.runtime.metrics` serves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time as time_of_day
from enum import Enum
from typing import NamedTuple

from firmware.rules.money import Cents, dollars
from firmware.wire.from_table import Presence, Status
from firmware.wire.payload import WireError, read
from firmware.wire.to_page import PageShows
from firmware.wire.topics import BankTopics
from ui.sign.board import PAUSED_S, SignBoard


class Kind(Enum):
    """The way to read a value: dollars with cents, a whole number, 1 or 0, or a word."""

    MONEY = "money"
    NUMBER = "number"
    YES_NO = "yes or no"
    WORD = "word"


class Measure(NamedTuple):
    """A thing that is measured; `name` is Prometheus's, without `felt_`. `of`: "meter", "table", or "" for the bank."""

    name: str
    kind: Kind
    means: str
    of: str = ""


METER = Measure("meter_dollars", Kind.MONEY, "Dollars that the meter shows", "meter")
BANK = Measure("bank", Kind.YES_NO, "1 while the bank is heard and its meters count")
PENDING = Measure("pending", Kind.NUMBER, "Claims that are being verified")
TABLES = Measure("tables", Kind.NUMBER, "Tables that are linked to the bank")
LAST_WIN = Measure("last_win_dollars", Kind.MONEY, "Dollars of the last win of this gaming day, 0 before the first")
LINK = Measure("table_link", Kind.YES_NO, "1 while the table is heard", "table")
LIVE = Measure("table_live", Kind.YES_NO, "1 after two people have said LIVE", "table")
PHASE = Measure("table_phase", Kind.WORD, "The phase of the table's round", "table")
ROUND = Measure("table_round", Kind.NUMBER, "The number of the table's round", "table")
FLOOR = Measure("table_floor", Kind.YES_NO, "1 while the table wants the floor", "table")
FAULTS = Measure("table_faults", Kind.NUMBER, "Faults that the table has", "table")


class Reading(NamedTuple):
    """One value.

    `path`: its topic below `felt-view/BANK/`. `text`: the number, or the word, as it is said. `title`: for people.
    `label`: the meter or the table that it is about, "" for the bank.
    """

    path: str
    text: str
    title: str
    measure: Measure
    label: str = ""


@dataclass(slots=True)
class _Table:
    status: Status | None = None
    heard: float | None = None
    """When it last said that it is there; None where it, or the broker for it, said that it is gone."""


class View:
    """All that was heard of a bank and its tables. Times `now` are seconds of a monotonic clock."""

    def __init__(self, bank: str, gaming_day: time_of_day, now: float) -> None:
        self._topics = BankTopics(bank)
        self._board = SignBoard(now, gaming_day)
        self._tables: dict[str, _Table] = {}

    def hear(self, topic: str, payload: bytes, now: float, *, retained: bool) -> None:
        """A word came. Raises WireError, and changes nothing, if it is not one of this topic."""
        if topic == self._topics.meters:
            self._board.meters(payload, now, retained=retained)
        elif topic == self._topics.alive:
            self._board.alive(payload, now, retained=retained)
        elif name := self._topics.stands(topic):
            status = read(payload, Status)
            self._table(name, status.table).status = status
        elif name := self._topics.present(topic):
            presence = read(payload, Presence)
            table = self._table(name, presence.table)
            if not (retained and presence.alive):  # what a broker kept says nothing about now
                table.heard = now if presence.alive else None

    def _table(self, name: str, said: str) -> _Table:
        if name != said:
            raise WireError("table", f"is {said}, under the topic of {name}")
        return self._tables.setdefault(name, _Table())

    def readings(self, now: float) -> tuple[Reading, ...]:
        """All values, in a fixed order."""
        is_heard = self._board.freshness(now) not in ("waiting", "paused")
        found = [Reading("bank", _yes(is_heard), "Bank", BANK)]
        page = self._board.page(now)
        if isinstance(page, PageShows):
            found += _of_board(page)
        for name, table in sorted(self._tables.items()):
            found += _of_table(name, table, now)
        return tuple(found)


def _of_board(page: PageShows) -> list[Reading]:
    found = [
        Reading(f"meter/{level(meter.name)}", dollars(meter.cents), meter.display_name, METER, meter.name)
        for meter in page.meters
    ]
    found.append(Reading("pending", str(len(page.pending)), "Claims being verified", PENDING))
    found.append(Reading("tables", str(page.tables), "Tables linked", TABLES))
    last = page.today[0].cents if page.today else Cents(0)
    found.append(Reading("last-win", dollars(last), "Last win today", LAST_WIN))
    return found


def _of_table(name: str, table: _Table, now: float) -> list[Reading]:
    is_linked = table.heard is not None and now - table.heard < PAUSED_S

    def one(last: str, text: str, title: str, measure: Measure) -> Reading:
        return Reading(f"table/{name}/{last}", text, f"{name} {title}", measure, name)

    found = [one("link", _yes(is_linked), "link", LINK)]
    if status := table.status:
        found += [
            one("live", _yes(status.live), "live", LIVE),
            one("phase", status.phase, "phase", PHASE),
            one("round", str(status.round), "round", ROUND),
            one("floor", _yes(status.floor is not None), "wants the floor", FLOOR),
            one("faults", str(len(status.faults)), "faults", FAULTS),
        ]
    return found


def level(name: str) -> str:
    """A meter's name as a level of a topic."""
    return name.replace(" ", "-").replace("_", "-")


def _yes(is_so: bool) -> str:
    return "1" if is_so else "0"
