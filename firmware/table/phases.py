"""The table's life as a table one can read: in this phase, after that event, it stands there.

What the table cannot say (who may, when, why) is in `decide`; what else an event changes is in `evolve`. An event that
is not listed for a phase leaves the phase as it is. `felt table states` prints and draws this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.table import events as e
from firmware.table.state import Phase

_VOID: Mapping[type[e.Event], Phase] = {e.RoundVoided: Phase.VOID}

TRANSITIONS: Mapping[Phase, Mapping[type[e.Event], Phase]] = {
    # Opening and closing the table: sections .3 to .5
    Phase.SHUT: {e.DecksReceived: Phase.INSPECT, e.PreinspectedReceived: Phase.CUT},
    Phase.INSPECT: {e.DecksInspected: Phase.VERIFY, e.DecksRefused: Phase.SHUT},
    Phase.VERIFY: {e.DecksVerified: Phase.SPREAD, e.DecksRefused: Phase.SHUT},
    Phase.SPREAD: {e.FirstPlayerLooked: Phase.WASH, e.ClosingBegun: Phase.EMPTY},
    Phase.WASH: {e.CardsStacked: Phase.SHUFFLE, e.ClosingBegun: Phase.EMPTY},
    Phase.SHUFFLE: {
        e.DeckShuffled: Phase.CUT,
        e.DeckDelivered: Phase.CLOSED,
        e.TableIdled: Phase.IDLE,
        e.ClosingBegun: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
    },
    Phase.CUT: {
        e.DeckCut: Phase.CLOSED,
        e.CutNotNeeded: Phase.CLOSED,
        e.DecksRefused: Phase.SHUT,
        e.ClosingBegun: Phase.EMPTY,
    },
    Phase.IDLE: {e.FirstPlayerLooked: Phase.WASH, e.ClosingBegun: Phase.EMPTY},
    Phase.EMPTY: {e.TableShut: Phase.SHUT},
    # Between two rounds, bets, lock and count: sections .7 and .8(b)
    Phase.CLOSED: {
        e.BetsOpened: Phase.OPEN,
        e.ShuffleWanted: Phase.SHUFFLE,
        e.TableIdled: Phase.IDLE,
        e.ClosingBegun: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
        e.TableShut: Phase.SHUT,  # a new journal: no cards have come yet
    },
    Phase.OPEN: {
        e.BetsClosed: Phase.COUNT,
        e.ShuffleWanted: Phase.SHUFFLE,
        e.TableIdled: Phase.IDLE,
        e.ClosingBegun: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
    },
    Phase.COUNT: {
        e.BetsReopened: Phase.OPEN,
        e.CountEntered: Phase.DIFFERENCE,
        e.CountAgreed: Phase.DEAL,
        **_VOID,
    },
    Phase.DIFFERENCE: {e.CountTakenBack: Phase.COUNT, e.CountAgreed: Phase.DEAL, **_VOID},
    # Cards, decisions, the dealer's hand: sections .8 to .11
    Phase.DEAL: {
        e.BetsReopened: Phase.OPEN,
        e.Dealt: Phase.ASK,
        e.SettlingBegun: Phase.SETTLE,
        e.RoundCleared: Phase.CLOSED,
        **_VOID,
    },
    Phase.ASK: {e.AskingDone: Phase.REVEAL, e.LockedIn: Phase.SUPERS, **_VOID},
    Phase.SUPERS: {e.SupersSettled: Phase.DRAW, **_VOID},
    Phase.DRAW: {e.DrawsDone: Phase.REVEAL, e.SettlementCorrected: Phase.SUPERS, **_VOID},
    Phase.REVEAL: {
        e.DealerShown: Phase.SETTLE,
        e.EntryBegun: Phase.HAND,
        e.StreetReopened: Phase.ASK,
        e.SettlementCorrected: Phase.SUPERS,
        **_VOID,
    },
    Phase.HAND: {
        e.CardsEntered: Phase.SETTLE,
        e.EntryLeft: Phase.SETTLE,
        e.RevealEntryLeft: Phase.REVEAL,
        **_VOID,
    },
    # Settlement, winners, jackpots: sections .11 and .12
    Phase.SETTLE: {
        e.PrizeNamed: Phase.VALIDATE,
        e.ShareNamed: Phase.CARDS,
        e.EnvyOwed: Phase.ENVY,  # in one transaction with the ClaimPaid that causes it
        e.EntryBegun: Phase.HAND,
        e.RoundCleared: Phase.CLOSED,
        **_VOID,
    },
    Phase.CARDS: {
        e.HandShown: Phase.VALIDATE,
        e.PrizeNamed: Phase.VALIDATE,
        e.PrizeTakenBack: Phase.SETTLE,
        **_VOID,
    },
    Phase.VALIDATE: {
        e.PrizeValidated: Phase.PAY,
        e.ClaimMade: Phase.PRICE,
        e.PrizeTakenBack: Phase.SETTLE,
        **_VOID,
    },
    Phase.PRICE: {e.ClaimPriced: Phase.HOLD, e.ClaimRejected: Phase.SETTLE},
    Phase.HOLD: {e.ClaimPriced: Phase.HOLD, e.ClaimPaid: Phase.SETTLE, e.ClaimRejected: Phase.SETTLE},
    Phase.PAY: {e.PrizePaid: Phase.SETTLE, **_VOID},
    Phase.ENVY: {e.EnvyPaid: Phase.SETTLE},
    # Irregularities: section .13
    Phase.VOID: {e.SettlingBegun: Phase.SETTLE, e.RoundCleared: Phase.CLOSED},
}


SEEN: set[tuple[Phase, str]] = set()


def knows(phase: Phase, event: e.Event) -> bool:
    SEEN.add((phase, type(event).__name__))
    return isinstance(event, e.Fact) or True


def after(phase: Phase, event: e.Event) -> Phase:
    """The phase that `event` leads to from `phase`."""
    return TRANSITIONS[phase].get(type(event), phase)


def arrows() -> Iterator[tuple[Phase, str, Phase]]:
    """Every transition: from, the event's name, to."""
    for phase, ways in TRANSITIONS.items():
        for event, target in ways.items():
            yield phase, event.__name__, target


def dead_ends() -> tuple[Phase, ...]:
    """Phases from which no chain of events leads back to open bets; none, if the table is sound."""
    reaches = {Phase.OPEN}
    while more := {source for source, _, target in arrows() if target in reaches} - reaches:
        reaches |= more
    return tuple(phase for phase in Phase if phase not in reaches)


def unreached() -> tuple[Phase, ...]:
    """Phases that nothing leads to from a shut table; none, if the table is sound."""
    reached = {Phase.SHUT}
    while more := {target for source, _, target in arrows() if source in reached} - reached:
        reached |= more
    return tuple(phase for phase in Phase if phase not in reached)
