"""Events that cannot be undone: one table, each row with its reason and the way out.

`FINAL`: after such an event nothing before it, and not the press itself, is taken back by UNDO. A `Barrier`: the press
itself may still be undone, but nothing that was told before cards, or a hand, were seen. UNDO is lit after every
accepted press that no row covers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from firmware.rules.message import Message, say
from firmware.table import events as e
from firmware.table.outbox import REPORTS
from firmware.table.state import DeckWork, Phase, RoundWork, TableState


class Final(Struct, frozen=True):
    """Why something is final, and what to do instead. `concern`: its paragraph's name in a book, where one has it."""

    why: Message
    instead: Message
    concern: str = ""


def _always(_state: TableState, _event: e.Event) -> bool:
    return True


def _paid_out(_state: TableState, event: e.Event) -> bool:
    """Some of it went to the player: a payout, or a stake that was returned."""
    assert isinstance(event, e.SeatSettled | e.LinesSettled)
    return any(line.payout or line.returned for line in event.lines)


def _signed(_state: TableState, event: e.Event) -> bool:
    assert isinstance(event, e.Told)
    return bool(event.by)


def _of_meters(_state: TableState, event: e.Event) -> bool:
    """A report is as final as its subject."""
    assert isinstance(event, e.MessageOwed)
    return event.kind not in REPORTS


def _by_a_press(_state: TableState, event: e.Event) -> bool:
    return bool(event.tap)


def _drops_a_signature(state: TableState, _event: e.Event) -> bool:
    """A first signature on a panel that is left does not count for the next panel."""
    return bool(state.desk.panel.signed)


def _all_go(_state: TableState, event: e.Event) -> bool:
    return isinstance(event, e.DecksWanted) and event.all


def _face_up(_state: TableState, event: e.Event) -> bool:
    return isinstance(event, e.FacesTurned) and event.up


_FLOOR = Final(say("final.signed"), say("final.floor-again"))
_MONEY = Final(say("final.money"), say("final.correct"), "settle")
_ACCOUNT = Final(say("final.account"), say("final.account-again"), "account")
_MESSAGE = Final(say("final.message"), say("final.void"))
_DECK = Final(say("final.deck-left"), say("final.new-deck"), "machine count")
_SEEN = Final(say("final.faces-seen"), say("final.wash"), "idle")
_LIT = Final(say("final.lit"), say("final.lift"), "lamps")

FINAL: Mapping[type[e.Event], tuple[Callable[[TableState, e.Event], bool], Final]] = {
    e.BetsClosed: (_always, Final(say("final.locked"), say("final.reopen"), "no more bets")),
    e.BetsReopened: (_always, Final(say("final.reopened"), say("final.lock-again"), "no more bets")),
    e.WagerPlaced: (_by_a_press, _LIT),
    e.WagerReturned: (_by_a_press, _LIT),
    e.MessageOwed: (_of_meters, _MESSAGE),
    e.MetersMoved: (_always, Final(say("final.test"), say("final.void"))),
    e.ClaimMade: (_always, _FLOOR),
    e.ClaimPaid: (_always, _FLOOR),
    e.SeatSettled: (_paid_out, _MONEY),
    e.LinesSettled: (_paid_out, _MONEY),
    e.PrizePaid: (_always, _MONEY),
    e.EnvyPaid: (_always, Final(say("final.money"), say("final.envy-again"), "envy")),
    e.AccountMoved: (_always, _ACCOUNT),
    e.AccountCredited: (_always, _ACCOUNT),
    e.AccountCorrected: (_always, _FLOOR),
    e.PrizeValidated: (_always, Final(say("final.signed"), say("final.correct"), "validate")),
    e.PrizeElsewhere: (_always, _FLOOR),
    e.PrizeTakenBack: (_signed, _FLOOR),
    e.PriceAccepted: (_always, _FLOOR),
    e.ClaimRejected: (_always, _FLOOR),
    e.OneSigned: (_always, _FLOOR),
    e.DebtEnded: (_always, _FLOOR),
    e.SettlementCorrected: (_always, _FLOOR),
    e.PassReopened: (_always, _FLOOR),
    e.RevealReopened: (_always, _FLOOR),
    e.IrregularityNoted: (_signed, _FLOOR),
    e.SeatAbandoned: (_signed, _FLOOR),
    e.StreetReopened: (_always, _FLOOR),
    e.ElectionReopened: (_always, _FLOOR),
    e.RoundVoided: (_always, Final(say("final.void-round"), say("final.clear"), "void")),
    e.RecutOrdered: (_always, Final(say("final.signed"), say("final.recut"), "recut")),
    e.ShuffleWanted: (_signed, _FLOOR),
    e.DeckDelivered: (_signed, _FLOOR),
    e.DeviceMarked: (_always, _FLOOR),
    e.UnitAccepted: (_always, _FLOOR),
    e.ProgressiveMarked: (_always, _FLOOR),
    e.DayClosed: (_always, Final(say("final.signed"), say("final.next-day"))),
    e.BadgeUnlocked: (_always, _FLOOR),
    e.PanelTurned: (_drops_a_signature, _FLOOR),
    e.LiveSigned: (_always, Final(say("final.signed"), say("final.live-instead"))),
    e.TableLive: (_always, Final(say("final.live"), say("final.new-table"))),
    e.DeckRemoved: (_always, _DECK),
    e.DecksWanted: (_all_go, _DECK),
    e.TableShut: (_always, _DECK),
    e.FacesTurned: (_face_up, _SEEN),
}
"""Kind of event -> when it is final, and the row."""


class Barrier(Struct, frozen=True):
    """Words from before cards or a hand were seen are not undone; `keeps`: the tables before a press that still may be."""

    name: str
    row: Final
    keeps: Callable[[TableState], bool]


def _told_on(phases: frozenset[Phase]) -> Callable[[TableState], bool]:
    return lambda before: before.phase in phases


LOCKED_IN = Barrier(
    "locked in",
    Final(say("final.locked-in"), say("final.pass-again"), "locked in"),
    _told_on(frozenset({Phase.SUPERS, Phase.HAND})),
)
DRAWN = Barrier("drawn", Final(say("final.drawn"), say("final.correct"), "draw"), _told_on(frozenset({Phase.DRAW})))
SHOWN = Barrier(
    "shown",
    Final(say("final.dealer-shown"), say("final.shown-again"), "reveal"),
    _told_on(frozenset({Phase.REVEAL, Phase.HAND})),
)
LOOKED = Barrier("looked", _SEEN, _told_on(frozenset({Phase.IDLE})))
COMMUNITY = Final(say("final.community-card"), say("final.ask-again"), "burn flop")


@lru_cache(maxsize=16)
def _community(street: int) -> Barrier:
    """A community card lies: what was told on the streets before it."""
    return Barrier("community card", COMMUNITY, lambda one: one.phase is Phase.ASK and one.round.street >= street)


_SHOWS: Mapping[type[e.Event], Callable[[TableState, Any], Barrier | None]] = {
    e.DealerShown: lambda _before, _event: SHOWN,
    e.SuperCalled: lambda _before, event: LOCKED_IN if event.seat else SHOWN,
    e.HandCalled: lambda before, _event: LOCKED_IN if before.phase is Phase.SUPERS else None,
    e.DrawTaken: lambda _before, _event: DRAWN,
    e.DecksDone: lambda before, event: LOOKED if event.work is DeckWork.LOOKED and before.phase is Phase.IDLE else None,
    e.RoundDone: lambda before, event: (
        _community(before.round.street) if event.work is RoundWork.ASKED and before.round.street else None
    ),
    **dict.fromkeys(
        (e.Decided, e.RaiseSized, e.StreetClosed),
        lambda before, _event: _community(before.round.street) if before.round.street else None,
    ),
}
"""Kind of event -> the barrier that it shows, if any."""


def final(before: TableState, event: e.Event) -> str:
    """The kind of an event after which nothing is undone, "" of any other. `before`: the table it happened to."""
    row = FINAL.get(type(event))
    return type(event).__name__ if row and row[0](before, event) else ""


def barrier(before: TableState, event: e.Event) -> Barrier | None:
    """The sight that this event shows, None for none."""
    shows = _SHOWS.get(type(event))
    return shows(before, event) if shows else None


LONG_AGO, MEANT_ELSE = "long ago", "meant else"
NOTHING = Final(say("final.nothing"), say("final.nothing-instead"))

ROWS: Mapping[str, Final] = {
    "": NOTHING,
    LONG_AGO: NOTHING,
    MEANT_ELSE: Final(say("final.fact"), say("final.correct")),
    "community card": COMMUNITY,
    **{one.name: one.row for one in (LOCKED_IN, DRAWN, SHOWN, LOOKED)},
    **{kind.__name__: row for kind, (_, row) in FINAL.items()},
}
"""`Trail.final` -> its row."""
