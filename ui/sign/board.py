"""What the overhead sign knows. Pure: the bank's payloads come in, the document that the page shows comes out.

The sign says nothing of its own: it holds the last board that the bank published (`docs/mqtt.md`, `meters`) and how
long ago the bank was last heard (`alive`). A payload that is not exactly what the wire says is refused with a
`BoardError`, which names the place, and changes nothing. Times `now` are seconds of a monotonic clock; the only time of
day is the bank's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from firmware.rules.money import MoneyError, cents

STILL_S, UPDATING_S, ASK_S = 10.0, 20.0, 30.0
"""Without a heartbeat for so long: the meters stop climbing; an "updating" mark; no amounts, "ask the dealer"."""

CELEBRATED_S = 60.0
"""A win stays on the sign for so long (MD 36.05.03.24: the table, the amount won, the meter's new amount together)."""

MOST_METERS = 6
LAST_YEAR = 9999
MOST_TEXT = 120
Document = dict[str, Any]
"""JSON for the page; money is whole cents, times are milliseconds."""


class BoardError(ValueError):
    """A payload that the sign refuses: where, what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Meter:
    """A jackpot: what it holds and what it falls back to, in cents."""

    name: str
    cents: int
    seed_cents: int


@dataclass(frozen=True, slots=True)
class Pending:
    """A claim that is being verified. The sign tells that it is, not whose it is."""

    claim: str
    meter: str
    table: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Won:
    """A win that was paid: the amount won and the meter's amount after it, in cents."""

    claim: str
    meter: str
    table: str
    seat: int
    hand: str
    cents: int
    now_cents: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Board:
    """One board of the bank, as it was published."""

    epoch: str
    version: int
    at: datetime
    title: str
    tables: tuple[str, ...]
    meters: tuple[Meter, ...]
    pending: tuple[Pending, ...]
    won: tuple[Won, ...]


class SignBoard:
    """The last board and the last heartbeat, and how old they are."""

    def __init__(self, now: float) -> None:
        self._board: Board | None = None
        self._heard = now
        self._silent = False
        """The broker said that the bank is gone; no need to wait for the silence."""
        self._bank_time: tuple[datetime, float] | None = None

    def meters(self, payload: object, now: float) -> None:
        """The bank published its board. Raises `BoardError` and keeps the last one if it is not a board."""
        board = read_board(payload)
        held = self._board
        if held and held.epoch == board.epoch and board.version < held.version:
            raise BoardError(f"meters: version {board.version} is older than {held.version}, which is shown")
        self._board = board
        self._tell_time(board.at, now)

    def alive(self, payload: object, now: float) -> None:
        """The bank's heartbeat, or its last will. Raises `BoardError` if it is neither."""
        fields = _fields(payload, "alive", {"v", "bank", "epoch", "alive", "at", "board"})
        _version(fields, "alive")
        for name in ("bank", "epoch"):
            _text(fields, name, "alive")
        _whole(fields, "board", "alive", 0)
        at = _moment(fields, "at", "alive")
        if not isinstance(fields["alive"], bool):
            raise BoardError(f"alive.alive: {fields['alive']!r} is neither true nor false")
        self._silent = not fields["alive"]
        if not self._silent:
            self._heard = now
            self._tell_time(at, now)

    def silence_s(self, now: float) -> float:
        """Seconds since the bank was last heard; at least `STILL_S` once the broker said that it is gone."""
        return max(now - self._heard, STILL_S if self._silent else 0.0)

    def freshness(self, now: float) -> str:
        """live, still (not climbing), updating (says so), ask (no amounts, "ask the dealer"), waiting (no board)."""
        if self._board is None:
            return "waiting"
        silence = self.silence_s(now)
        if silence < STILL_S:
            return "live"
        return "still" if silence < UPDATING_S else "updating" if silence < ASK_S else "ask"

    def document(self, now: float) -> Document:
        """All that the page needs. It adds the time since it received this, so a cut connection grows stale too."""
        stale = {"still_ms": _ms(STILL_S), "updating_ms": _ms(UPDATING_S), "ask_ms": _ms(ASK_S)}
        board = self._board
        if board is None:
            return {"waiting": True, "silence_ms": _ms(self.silence_s(now)), "stale": stale}
        return {
            "waiting": False,
            "silence_ms": _ms(self.silence_s(now)),
            "stale": stale,
            "epoch": board.epoch,
            "version": board.version,
            "title": board.title,
            "tables": len(board.tables),
            "meters": [{"name": meter.name, "cents": meter.cents} for meter in board.meters],
            "pending": sorted({pending.meter for pending in board.pending}),
            "won": self._celebrated(board, now),
        }

    def _celebrated(self, board: Board, now: float) -> list[Document]:
        """The wins of the last minute, newest first, and for how much longer they are shown."""
        shown = []
        for won in board.won:
            left_s = min(CELEBRATED_S, CELEBRATED_S - (self._bank_now(now) - won.at).total_seconds())
            if left_s > 0:
                win = {"claim": won.claim, "meter": won.meter, "table": won.table, "hand": won.hand, "cents": won.cents}
                shown.append({**win, "left_ms": _ms(left_s)})
        return shown

    def _tell_time(self, at: datetime, now: float) -> None:
        if self._bank_time is None or at >= self._bank_now(now):
            self._bank_time = (at, now)

    def _bank_now(self, now: float) -> datetime:
        """The time of day at the bank, as far as its messages tell."""
        assert self._bank_time is not None
        at, since = self._bank_time
        return datetime.fromtimestamp(at.timestamp() + max(0.0, now - since), UTC)


def read_board(payload: object) -> Board:
    """The board of a decoded `meters` payload, or a `BoardError` that names the field."""
    names = {"v", "epoch", "version", "at", "title", "tables", "meters", "pending", "won"}
    fields = _fields(payload, "meters", names)
    _version(fields, "meters")
    meters = tuple(_meter(entry, place) for place, entry in _entries(fields, "meters", MOST_METERS))
    if not meters:
        raise BoardError("meters.meters: there is none")
    known = [meter.name for meter in meters]
    if len(set(known)) < len(known):
        raise BoardError(f"meters.meters: a name comes twice in {', '.join(known)}")
    return Board(
        epoch=_text(fields, "epoch", "meters"),
        version=_whole(fields, "version", "meters", 0),
        at=_moment(fields, "at", "meters"),
        title=_text(fields, "title", "meters"),
        tables=tuple(_plain(entry, place) for place, entry in _entries(fields, "tables", 1000)),
        meters=meters,
        pending=tuple(_pending(entry, place, known) for place, entry in _entries(fields, "pending", 1000)),
        won=tuple(_won(entry, place, known) for place, entry in _entries(fields, "won", 5)),
    )


def _meter(entry: object, place: str) -> Meter:
    fields = _fields(entry, place, {"name", "amount", "seed"})
    return Meter(_text(fields, "name", place), _cents(fields, "amount", place), _cents(fields, "seed", place))


def _pending(entry: object, place: str, known: list[str]) -> Pending:
    fields = _fields(entry, place, {"claim", "meter", "table", "at"})
    return Pending(
        _text(fields, "claim", place),
        _known(fields, place, known),
        _text(fields, "table", place),
        _moment(fields, "at", place),
    )


def _won(entry: object, place: str, known: list[str]) -> Won:
    fields = _fields(entry, place, {"claim", "meter", "table", "seat", "hand", "amount", "now", "at"})
    return Won(
        _text(fields, "claim", place),
        _known(fields, place, known),
        _text(fields, "table", place),
        _whole(fields, "seat", place, 1),
        _text(fields, "hand", place),
        _cents(fields, "amount", place),
        _cents(fields, "now", place),
        _moment(fields, "at", place),
    )


def _fields(payload: object, place: str, names: set[str]) -> Mapping[str, object]:
    if not isinstance(payload, Mapping):
        raise BoardError(f"{place}: not an object")
    if missing := sorted(names - payload.keys()):
        raise BoardError(f"{place}: {', '.join(missing)} missing")
    if unknown := sorted(str(name) for name in payload.keys() - names):
        raise BoardError(f"{place}: unknown {', '.join(unknown)[:MOST_TEXT]}")
    return payload


def _entries(fields: Mapping[str, object], name: str, most: int) -> list[tuple[str, object]]:
    entries = fields[name]
    if not isinstance(entries, list):
        raise BoardError(f"meters.{name}: not a list")
    if len(entries) > most:
        raise BoardError(f"meters.{name}: {len(entries)} entries, at most {most} are shown")
    return [(f"meters.{name}[{number}]", entry) for number, entry in enumerate(entries)]


def _version(fields: Mapping[str, object], place: str) -> None:
    if fields["v"] != 1 or isinstance(fields["v"], bool):
        raise BoardError(f"{place}.v: {fields['v']!r}, this sign understands 1")


def _plain(value: object, place: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MOST_TEXT or not value.isprintable():
        raise BoardError(f"{place}: {str(value)[:40]!r} is not a text of 1 to {MOST_TEXT} printable characters")
    return value


def _text(fields: Mapping[str, object], name: str, place: str) -> str:
    return _plain(fields[name], f"{place}.{name}")


def _known(fields: Mapping[str, object], place: str, known: list[str]) -> str:
    name = _text(fields, "meter", place)
    if name not in known:
        raise BoardError(f"{place}.meter: {name!r} is not on this board")
    return name


def _whole(fields: Mapping[str, object], name: str, place: str, least: int) -> int:
    value = fields[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BoardError(f"{place}.{name}: {str(value)[:40]!r} is not a whole number from {least} up")
    return value


def _cents(fields: Mapping[str, object], name: str, place: str) -> int:
    try:
        return cents(fields[name])
    except MoneyError as error:
        raise BoardError(f"{place}.{name} {error}") from None


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)", re.ASCII)


def _moment(fields: Mapping[str, object], name: str, place: str) -> datetime:
    value = fields[name]
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            pass  # a 31st of June: refused below like any other text
        else:
            if at.year < LAST_YEAR:  # the sign counts on from it, and there is no year 10000
                return at
    raise BoardError(f'{place}.{name}: {str(value)[:40]!r} is not a time like "2026-11-21T14:07:05.123Z"')


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
