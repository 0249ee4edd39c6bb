"""Content that is pushed to the sign's page, beside its age (`ui.sign.server`). Money is whole cents, times milliseconds."""

from __future__ import annotations

from typing import Annotated, Literal

from firmware.rules.paytable import WHOLE
from firmware.wire.records import Record
from firmware.wire.shapes import Several, Whole, Word
from firmware.wire.values import (
    ENTRIES_MAX,
    METER_WAGERS_MAX,
    METERS_MAX,
    WINS_MAX,
    ClaimName,
    Count,
    DisplayName,
    Hex32,
    MeterName,
    Reason,
    TableName,
    Title,
    WagerName,
)

ROWS_MAX = 20


class Stale(Record, frozen=True):
    """After how long without a heartbeat the meters stop, the page says so, and no meter is shown."""

    still_ms: Count
    updating_ms: Count
    paused_ms: Count


class MeterShown(Record, frozen=True):
    """A jackpot, the name that people read, and its amount. A new number in `steps` means that the amount steps."""

    name: MeterName
    display_name: DisplayName
    cents: Count
    steps: Count


class PendingShown(Record, frozen=True):
    """A win that is being verified, and the amount that was frozen for it."""

    meter: MeterName
    cents: Count


class WinShown(Record, frozen=True):
    """A win that is celebrated, for `left_ms` more."""

    claim: ClaimName
    meter: MeterName
    table: TableName
    hand: Reason
    cents: Count
    left_ms: Count


class WinToday(Record, frozen=True):
    """A win of this gaming day: when it was paid, in local time."""

    claim: ClaimName
    meter: MeterName
    cents: Count
    clock: Annotated[str, Word("[0-2][0-9]:[0-5][0-9]", "a time of day")]


class RowPaid(Record, frozen=True):
    """A prize of a wager: `percent` of a meter, or 0, "" and a sum of `cents`."""

    hand: Reason
    percent: Annotated[int, Whole(0, WHOLE)]
    meter: Annotated[str, Word("(?!.{33})([a-z0-9]([ _-]?[a-z0-9])*)?", 'the name of a meter or ""')]
    cents: Count


class WagerPays(Record, frozen=True):
    """A wager that the tables offer: what it costs, what it pays, highest first, and what envy of a hand brings."""

    name: WagerName
    cents: Count
    rows: Annotated[tuple[RowPaid, ...], Several(1, ROWS_MAX)]
    envy: Annotated[tuple[RowPaid, ...], Several(0, ROWS_MAX)]


class PageWaits(Record, frozen=True):
    """No board was heard of yet."""

    waiting: Literal[True]
    silence_ms: Count
    stale: Stale


class PageShows(Record, frozen=True):
    """The board as people see it: `tables` is how many are linked, `today` the wins of this gaming day, newest first,
    `pays` the wagers that its bank offers, () where their book is not known here.
    """

    waiting: Literal[False]
    silence_ms: Count
    stale: Stale
    epoch: Hex32
    version: Count
    title: Title
    tables: Count
    meters: Annotated[tuple[MeterShown, ...], Several(1, METERS_MAX)]
    pending: Annotated[tuple[PendingShown, ...], Several(0, ENTRIES_MAX)]
    won: Annotated[tuple[WinShown, ...], Several(0, WINS_MAX)]
    today: Annotated[tuple[WinToday, ...], Several(0, WINS_MAX)]
    pays: Annotated[tuple[WagerPays, ...], Several(0, METER_WAGERS_MAX)]
