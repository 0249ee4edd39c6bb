"""The knowledge of the sign over the bank. Pure: the bank's payloads come in, the document that the page shows comes out.

The sign says nothing of its own: it holds the last board that the bank published (`docs/mqtt.md`, `meters`) and how
long ago the bank was last heard (`alive`). A payload that is not exactly what the wire says is refused with a
`WireError`, which names the place, and changes nothing. Times `now` are seconds of a monotonic clock, and a win is
celebrated by it; the only time of day is the bank's own, and it decides the gaming day of a win.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from firmware.wire.from_bank import Board, Heartbeat
from firmware.wire.payload import WireError, read
from firmware.wire.to_page import MeterShown, PageShows, PageWaits, PendingShown, Stale, WagerPays, WinShown, WinToday
from ui.sign.paying import paying

STILL_S, UPDATING_S, PAUSED_S = 10.0, 20.0, 30.0
"""Without a heartbeat for so long: the meters stop climbing; an "updating" mark; no meters, "Progressive paused"."""

CELEBRATED_S = 60.0
"""A win stays on the sign for so long (MD 36.05.03.24: the table, the amount won, the meter's new amount together)."""

WINS_KNOWN = 100
"""Wins that the sign remembers to have shown, so that an old board does not celebrate one again."""


class SignBoard:
    """The last board and the last heartbeat, and how old they are.

    A board with a higher version is shown when it comes. A board that the bank's next heartbeat does not name is dropped: it
    names the version of the bank's own board, so no single message, however high its version, hides the boards after it.

    `gaming_day`: when one begins in local time. `zone`: of the sign; None: the machine's.
    """

    def __init__(self, now: float, gaming_day: time, zone: tzinfo | None = None) -> None:
        self._gaming_day, self._zone = gaming_day, zone
        self._board: Board | None = None
        self._vouched: Board | None = None
        """The last one that a heartbeat named; it is shown again where another one took its place."""
        self._aside: Board | None = None
        """The last one that was refused because of its version, in case the next heartbeat names it."""
        self._named: tuple[str, int] | None = None
        """Epoch and version that the last heartbeat named."""
        self._heard = now
        self._silent = False
        """The broker said that the bank is gone; no need to wait for the silence."""
        self._bank_time: tuple[datetime, float] | None = None
        self._celebrates: dict[str, float] = {}
        """The wins that were heard of, and until when each is celebrated, by this sign's own clock."""
        self._pays: tuple[WagerPays, ...] = ()
        self._kept: datetime | None = None
        """When the broker was given the board that it kept for us, until a heartbeat tells how long ago that was."""

    def meters(self, payload: bytes, now: float, *, retained: bool = False) -> None:
        """The bank published its board. Raises `WireError` and keeps the last one if it is not a board.

        retained: the broker had kept it for later subscribers.
        """
        board = read(payload, Board)
        held = self._board
        if held and held.epoch == board.epoch and _key(board) != self._named:
            for name, said, shown in (("term", board.term, held.term), ("version", board.version, held.version)):
                if said < shown:
                    self._aside = board
                    raise WireError(name, f"{said} is older than {shown}, which is shown")
        self._board = board
        if _key(board) == self._named:
            self._vouched = board
        self._note_wins(board, now)
        self._kept = _moment(board.at) if retained else None
        self._tell_time(board.at, now, only_forward=retained)

    def alive(self, payload: bytes, now: float, *, retained: bool = False) -> None:
        """The bank's heartbeat, or its last will. Raises `WireError` if it is neither.

        retained: the broker had kept it, so it says nothing about the board that the bank has now.
        """
        beat = read(payload, Heartbeat)
        self._silent = not beat.alive
        if not beat.alive:
            return
        self._heard = now
        self._tell_time(beat.at, now, only_forward=retained)
        if not retained:
            self._named = beat.epoch, beat.board
            if beat.offer is not None:
                self._pays = paying(beat.offer)
            self._vouch(now)
            self._age_kept(_moment(beat.at))

    def _vouch(self, now: float) -> None:
        """Show the board that the heartbeat named. A board that the bank does not know is no longer shown."""
        for one in (self._board, self._aside, self._vouched):
            if one and _key(one) == self._named:
                self._board = self._vouched = one
                self._note_wins(one, now)
                return
        assert self._named is not None
        epoch, version = self._named
        if self._board and (self._board.epoch != epoch or self._board.version > version):
            self._board = None

    def _note_wins(self, board: Board, now: float) -> None:
        """A win is celebrated from its arrival on, less its age on the first board that tells of it."""
        for won in board.won:
            age_s = max(0.0, (_moment(board.at) - _moment(won.at)).total_seconds())
            self._celebrates.setdefault(won.claim, now + CELEBRATED_S - age_s)
        self._celebrates = dict(list(self._celebrates.items())[-WINS_KNOWN:])

    def _age_kept(self, bank_now: datetime) -> None:
        """The board was kept by the broker: its wins are as much older as the bank's time has gone on since."""
        if self._kept is not None:
            late_s = max(0.0, (bank_now - self._kept).total_seconds())
            self._celebrates = {claim: until - late_s for claim, until in self._celebrates.items()}
            self._kept = None

    def silence_s(self, now: float) -> float:
        """Seconds since the bank was last heard; at least `PAUSED_S` once it, or the broker for it, said farewell."""
        return max(now - self._heard, PAUSED_S if self._silent else 0.0)

    def freshness(self, now: float) -> str:
        """live, still (not climbing), updating (says so), paused (no meters), waiting (no board)."""
        if self._board is None:
            return "waiting"
        silence = self.silence_s(now)
        if silence < STILL_S:
            return "live"
        return "still" if silence < UPDATING_S else "updating" if silence < PAUSED_S else "paused"

    def page(self, now: float) -> PageShows | PageWaits:
        """All that the page needs. It adds the time since it received this, so a cut connection grows stale too."""
        silence_ms = _ms(self.silence_s(now))
        stale = Stale(_ms(STILL_S), _ms(UPDATING_S), _ms(PAUSED_S))
        board = self._board
        if board is None:
            return PageWaits(True, silence_ms, stale)
        return PageShows(
            waiting=False,
            silence_ms=silence_ms,
            stale=stale,
            epoch=board.epoch,
            version=board.version,
            title=board.title,
            tables=len(board.tables),
            meters=tuple(
                MeterShown(meter.name, meter.display_name, meter.amount, meter.steps) for meter in board.meters
            ),
            pending=tuple(PendingShown(claim.meter, claim.amount) for claim in board.pending),
            won=self._celebrated(board, now),
            today=self._today(board, now),
            pays=self._pays,
        )

    def _celebrated(self, board: Board, now: float) -> tuple[WinShown, ...]:
        """The wins of the last minute, newest first, and for how much longer they are shown."""
        shown = []
        for won in board.won:
            left_s = self._celebrates.get(won.claim, now) - now
            if left_s > 0:
                shown.append(WinShown(won.claim, won.meter, won.table, won.hand, won.amount, _ms(left_s)))
        return tuple(shown)

    def _today(self, board: Board, now: float) -> tuple[WinToday, ...]:
        """The wins of this gaming day: a win at half past one belongs to the evening before."""
        today = self._day_of(self._bank_now(now))
        return tuple(
            WinToday(won.claim, won.meter, won.amount, self._local(_moment(won.at)).strftime("%H:%M"))
            for won in board.won
            if self._day_of(_moment(won.at)) == today
        )

    def _day_of(self, moment: datetime) -> date:
        begins = timedelta(hours=self._gaming_day.hour, minutes=self._gaming_day.minute)
        return (self._local(moment).replace(tzinfo=None) - begins).date()

    def _local(self, moment: datetime) -> datetime:
        return moment.astimezone(self._zone)

    def _tell_time(self, told: str, now: float, *, only_forward: bool) -> None:
        """The last word counts, so that a wrong clock is wrong until the next one; what was kept may only be later."""
        at = _moment(told)
        if not only_forward or self._bank_time is None or at >= self._bank_now(now):
            self._bank_time = (at, now)

    def _bank_now(self, now: float) -> datetime:
        """The time of day at the bank, as far as its messages tell."""
        assert self._bank_time is not None
        at, since = self._bank_time
        return datetime.fromtimestamp(at.timestamp() + max(0.0, now - since), UTC)


def _key(board: Board) -> tuple[str, int]:
    return board.epoch, board.version


def _moment(told: str) -> datetime:
    return datetime.fromisoformat(told)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
