"""The outcome of each round: its payments as they stand after corrections, its taps, the cause of a void one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware.rules.payment import Payment, Result
from firmware.rules.wager import FIVE_CARD, PROGRESSIVE
from firmware.table import events as e
from firmware.table.state import TableState

OF_METERS = (PROGRESSIVE, *FIVE_CARD)
BEGINS = (e.WagerPlaced, e.ChipSeen, e.BetsClosed)
"""The next chip, or the lock: what is asked is of this round from then on."""


class Account:
    """Follows the events of one table. A press that was taken back never was."""

    def __init__(self) -> None:
        self._events: dict[int, list[e.Event]] = {}
        self._taps: dict[int, int] = {}
        self._presses: list[int] = []
        self._undone: set[int] = set()
        self.round = 0
        """This round: the one that runs, or until the next chip or lock the one that was cleared last."""

    def note(self, before: TableState, event: e.Event) -> None:
        """One event, and the table that it happened to."""
        number = event.round if isinstance(event, e.BetsOpened) else before.round.number
        if isinstance(event, e.Undone):
            if self._presses:
                self._undone.add(self._presses.pop())
        elif event.tap and self._presses[-1:] != [event.tap]:
            self._presses.append(event.tap)
        if isinstance(event, BEGINS) or not self.round:
            self.round = number
        self._events.setdefault(number, []).append(event)

    def tapped(self, number: int) -> None:
        """One more press in a round."""
        self._taps[number] = self._taps.get(number, 0) + 1

    @property
    def taps(self) -> int:
        """Presses of this round."""
        return self._taps.get(self.round, 0)

    @property
    def void_cites(self) -> tuple[str, ...]:
        """The paragraphs that void this round, in the order in which they were found; () for none."""
        return tuple(event.cite for event in self._standing() if isinstance(event, e.RoundVoided))

    @property
    def payments(self) -> tuple[Payment, ...]:
        """The settlements of this round, in the order of their keys."""
        made: list[Payment] = []
        shares: list[Payment] = []
        for event in self._standing():
            made = list(_after(made, event))
            if isinstance(event, e.ClaimPaid):
                shares += (*event.payments, *event.later)
            elif isinstance(
                event, e.RoundVoided
            ):  # what the cage has paid stays, also where a turn was corrected since
                made = [*shares, *made]
        return tuple(made)

    def _standing(self) -> Iterator[e.Event]:
        return (event for event in self._events.get(self.round, ()) if event.tap not in self._undone)


def _after(made: list[Payment], event: e.Event) -> Iterable[Payment]:
    match event:
        case e.LinesSettled() | e.SeatSettled():
            return (*made, *event.lines)
        case e.PrizePaid() | e.AccountCredited():
            return made if event.payment in made else (*made, event.payment)
        case e.ClaimPaid() | e.EnvyPaid():
            return (*made, *event.payments)
        case e.RoundVoided():  # once more: what follows says again what goes back, but for what meters gave back
            return event.returned or [one for one in made if one.result is Result.VOID and one.wager in OF_METERS]
        case e.RoundCleared():
            return (*made, *event.lost)
        case e.SettlementCorrected() | e.LimitReopened():
            return _without(made, event.lines)
        case e.AccountCorrected():
            return _without(made, (event.payment,))
        case e.PassReopened():
            gone = {number for number, _ in event.stands}
            stands = (line for _, lines in event.stands for line in lines)
            return (*(one for one in made if one.seat not in gone), *stands)
        case e.StreetReopened():  # before a seat is settled: only folds were collected
            return ()
    return made


def _without(made: list[Payment], undone: Iterable[Payment]) -> list[Payment]:
    kept = list(made)
    for one in undone:
        if one in kept:
            kept.reverse()
            kept.remove(one)
            kept.reverse()
    return kept
