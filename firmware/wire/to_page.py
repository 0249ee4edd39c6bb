"""What the sign's page is pushed, beside its age (`ui.sign.server`). Money is whole cents, times are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from firmware.wire.records import Record
from firmware.wire.shapes import Several
from firmware.wire.values import METERS_MAX, WINS_MAX, ClaimName, Count, Hex32, MeterName, Reason, TableName, Title


@dataclass(frozen=True, slots=True)
class Stale(Record):
    """After how long without a heartbeat the meters stop, the page says so, and no amount is shown."""

    still_ms: Count
    updating_ms: Count
    ask_ms: Count


@dataclass(frozen=True, slots=True)
class MeterShown(Record):
    """A jackpot and its amount."""

    name: MeterName
    cents: Count


@dataclass(frozen=True, slots=True)
class WinShown(Record):
    """A win that is celebrated, for `left_ms` more."""

    claim: ClaimName
    meter: MeterName
    table: TableName
    hand: Reason
    cents: Count
    left_ms: Count


@dataclass(frozen=True, slots=True)
class PageWaits(Record):
    """No board was heard of yet."""

    waiting: Literal[True]
    silence_ms: Count
    stale: Stale


@dataclass(frozen=True, slots=True)
class PageShows(Record):
    """The board as people see it: `tables` is how many are linked, `pending` the meters with a win being verified."""

    waiting: Literal[False]
    silence_ms: Count
    stale: Stale
    epoch: Hex32
    version: Count
    title: Title
    tables: Count
    meters: Annotated[tuple[MeterShown, ...], Several(1, METERS_MAX)]
    pending: Annotated[tuple[MeterName, ...], Several(0, METERS_MAX)]
    won: Annotated[tuple[WinShown, ...], Several(0, WINS_MAX)]
