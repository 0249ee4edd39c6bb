"""The table's life as a table one can read: in this phase, after that event, it stands there.

Conditions (who may, when, why) are in `decide`; the other changes of an event are in `evolve`. An event that people
enter is known in the phases of `TRANSITIONS` and `STAYS`, and nowhere else; a fact is known in every phase and leaves it
as it is, unless `TRANSITIONS` has it. `felt table states` prints and draws this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware.rules.approvals import Act
from firmware.table import events as e
from firmware.table.state import BEFORE_CARDS, BETWEEN, DAY_CLOSES, PAYS, UNFINISHED, DeckWork, Phase, RoundWork

Way = type[e.Event] | DeckWork | RoundWork | Act
"""The way from a phase to another one: a kind of event, work that was done, or an act that was signed."""

_VOID: Mapping[Way, Phase] = {e.RoundVoided: Phase.VOID}

TRANSITIONS: Mapping[Phase, Mapping[Way, Phase]] = {
    # Opening and closing the table: sections .3 to .5
    Phase.SHUT: {e.DecksReceived: Phase.INSPECT},
    Phase.INSPECT: {
        DeckWork.INSPECTED: Phase.VERIFY,
        DeckWork.PREINSPECTED: Phase.CUT,
        DeckWork.REFUSED: Phase.SHUT,
    },
    Phase.VERIFY: {DeckWork.VERIFIED: Phase.SPREAD, DeckWork.REFUSED: Phase.SHUT},
    Phase.SPREAD: {DeckWork.LOOKED: Phase.WASH, DeckWork.CLOSING: Phase.EMPTY, e.DecksWanted: Phase.SHUT},
    Phase.WASH: {DeckWork.STACKED: Phase.SHUFFLE, DeckWork.CLOSING: Phase.EMPTY, e.DecksWanted: Phase.SHUT},
    Phase.SHUFFLE: {
        DeckWork.SHUFFLED: Phase.CUT,
        e.DeckDelivered: Phase.CLOSED,
        DeckWork.IDLE: Phase.IDLE,
        DeckWork.CLOSING: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
    },
    Phase.CUT: {
        e.DeckCut: Phase.CLOSED,
        DeckWork.CLOSING: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
    },
    Phase.IDLE: {DeckWork.LOOKED: Phase.WASH, DeckWork.CLOSING: Phase.EMPTY, e.DecksWanted: Phase.SHUT},
    Phase.EMPTY: {e.TableShut: Phase.SHUT},
    # Between two rounds, bets, lock and count: sections .7 and .8(b)
    Phase.CLOSED: {
        e.BetsOpened: Phase.OPEN,
        e.ShuffleWanted: Phase.SHUFFLE,
        DeckWork.IDLE: Phase.IDLE,
        DeckWork.CLOSING: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
        e.TableShut: Phase.SHUT,  # a new journal: no cards have come yet
    },
    Phase.OPEN: {
        e.BetsClosed: Phase.COUNT,
        e.ShuffleWanted: Phase.SHUFFLE,
        DeckWork.IDLE: Phase.IDLE,
        DeckWork.CLOSING: Phase.EMPTY,
        e.DecksWanted: Phase.SHUT,
        **_VOID,  # where a shuffler that fails has the wagers returned (36.05.16.13H)
    },
    Phase.COUNT: {
        e.BetsReopened: Phase.OPEN,
        e.CountEntered: Phase.DIFFERENCE,
        e.CountAgreed: Phase.DEAL,
        **_VOID,
    },
    Phase.DIFFERENCE: {e.CountEntered: Phase.COUNT, e.CountAgreed: Phase.DEAL, **_VOID},
    # Cards, decisions, the dealer's hand: sections .8 to .11
    Phase.DEAL: {
        e.BetsReopened: Phase.OPEN,
        RoundWork.DEALT: Phase.ASK,
        e.SettlingBegun: Phase.SETTLE,
        e.RoundCleared: Phase.CLOSED,
        **_VOID,
    },
    Phase.ASK: {RoundWork.ASKED: Phase.REVEAL, RoundWork.LOCKED_IN: Phase.SUPERS, **_VOID},
    Phase.SUPERS: {
        RoundWork.SUPERS_SETTLED: Phase.DRAW,
        e.EntryBegun: Phase.HAND,
        e.StreetReopened: Phase.ASK,
        e.ElectionReopened: Phase.ASK,
        **_VOID,
    },
    Phase.DRAW: {RoundWork.DRAWN: Phase.REVEAL, e.PassReopened: Phase.SUPERS, **_VOID},
    Phase.REVEAL: {
        e.DealerShown: Phase.SETTLE,
        e.EntryBegun: Phase.HAND,
        e.StreetReopened: Phase.ASK,
        e.PassReopened: Phase.SUPERS,
        **_VOID,
    },
    Phase.HAND: {
        e.CardsEntered: Phase.SETTLE,
        RoundWork.NO_CARDS: Phase.SETTLE,
        RoundWork.NO_CARDS_OF_DEALER: Phase.REVEAL,
        RoundWork.NO_DECLARED_CARDS: Phase.SUPERS,
        e.FirstCardsEntered: Phase.SUPERS,
        **_VOID,
    },
    # Settlement, winners, jackpots: sections .11 and .12
    Phase.SETTLE: {
        e.PrizeNamed: Phase.VALIDATE,
        e.ShareNamed: Phase.CARDS,
        e.PassReopened: Phase.SUPERS,
        e.RevealReopened: Phase.REVEAL,
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
    Phase.HOLD: {e.ClaimPaid: Phase.SETTLE, e.ClaimRejected: Phase.SETTLE},
    Phase.PAY: {e.PrizePaid: Phase.SETTLE, e.PrizeTakenBack: Phase.SETTLE, **_VOID},
    Phase.ENVY: {e.EnvyPaid: Phase.SETTLE},
    # Irregularities: section .13
    Phase.VOID: {e.SettlingBegun: Phase.SETTLE, e.RoundCleared: Phase.CLOSED},
}


_ANYWHERE = frozenset(Phase)

STAYS: Mapping[Way, frozenset[Phase]] = {
    # Decks
    e.DeckCut: BEFORE_CARDS,
    e.DeckDelivered: BEFORE_CARDS,
    e.RecutOrdered: BEFORE_CARDS,
    e.ShuffleWanted: frozenset({Phase.SHUFFLE}),
    e.DeckDue: _ANYWHERE - {Phase.SHUT, Phase.EMPTY},
    e.DeckRemoved: UNFINISHED | BETWEEN | {Phase.EMPTY, Phase.SPREAD, Phase.WASH, Phase.CUT, Phase.IDLE},
    e.FacesTurned: frozenset({Phase.IDLE}),
    e.CardsEmptied: frozenset({Phase.EMPTY}),
    e.DeviceMarked: BETWEEN,
    e.UnitAccepted: BETWEEN | {Phase.DEAL},
    RoundWork.STUB_COUNTED: frozenset({Phase.DEAL, Phase.REVEAL, Phase.SETTLE, Phase.VOID}),
    # Bets and the count
    e.SensorMarked: frozenset({Phase.CLOSED, Phase.OPEN}),
    e.ProgressiveMarked: BETWEEN,
    e.WagerMarked: frozenset({Phase.OPEN}),
    e.DifferenceSettled: frozenset({Phase.DIFFERENCE}),
    # The game against the dealer
    e.StakesPlaced: BEFORE_CARDS,
    e.PlayerMarked: frozenset({Phase.OPEN, Phase.DEAL}),
    e.Decided: frozenset({Phase.ASK}),
    e.RaiseSized: frozenset({Phase.ASK}),
    e.SeatChosen: frozenset({Phase.DIFFERENCE, Phase.ASK, Phase.SUPERS, Phase.SETTLE}),
    e.SeatAbandoned: frozenset(
        {Phase.DEAL, Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.REVEAL, Phase.SETTLE, Phase.ENVY}
    ),
    e.StreetClosed: frozenset({Phase.ASK}),
    e.StreetReopened: frozenset({Phase.ASK}),
    e.LinesSettled: frozenset({Phase.ASK, Phase.SUPERS, Phase.DRAW, Phase.REVEAL, Phase.SETTLE, Phase.VOID}),
    e.SuperCalled: frozenset({Phase.SUPERS, Phase.REVEAL, Phase.SETTLE}),  # the dealer's cards say it
    e.HandCalled: frozenset({Phase.SUPERS, Phase.SETTLE}),
    e.DrawTaken: frozenset({Phase.DRAW}),
    e.DealerShown: frozenset({Phase.SETTLE}),  # the cards of board and dealer, entered in one transaction
    e.SeatSettled: frozenset({Phase.SETTLE}),
    e.SettlementCorrected: frozenset({Phase.SETTLE}),
    e.LimitReopened: frozenset({Phase.SETTLE}),  # in one transaction with what settles the other position
    e.IrregularityNoted: UNFINISHED | {Phase.OPEN},
    e.RoundVoided: frozenset({Phase.VOID}),  # by another paragraph, which returns what the first one had left
    # Accounts and prizes
    e.AccountMoved: frozenset({Phase.CLOSED, Phase.OPEN}),
    e.AccountCredited: frozenset({Phase.DEAL, Phase.SETTLE, Phase.PAY}),
    e.AccountCorrected: frozenset({Phase.SETTLE}),
    e.PrizeElsewhere: frozenset({Phase.PAY}),
    e.WinnerPicked: frozenset({Phase.SETTLE}),
    e.ShareNamed: frozenset({Phase.CARDS}),
    e.CardTapped: frozenset({Phase.HAND, Phase.CARDS}),
    e.PriceAccepted: frozenset({Phase.HOLD}),
    e.EnvyMarked: frozenset({Phase.ENVY}),
    Act.UNHEARD: PAYS,
    # The gaming day, the desk and the bank
    e.DayClosed: DAY_CLOSES,
    e.LiveSigned: frozenset({Phase.SHUT}),
    e.TableLive: frozenset({Phase.SHUT}),
    e.PanelTurned: _ANYWHERE,
    e.FloorCalled: _ANYWHERE,
    e.BadgeUnlocked: _ANYWHERE,
    e.AlarmAcknowledged: _ANYWHERE,
    e.MessageOwed: frozenset({Phase.COUNT, Phase.DEAL, Phase.VOID, Phase.PRICE, Phase.SETTLE, Phase.ENVY})
    | BETWEEN
    | DAY_CLOSES,
    e.MetersMoved: frozenset({Phase.DEAL, Phase.VOID, Phase.SETTLE}),
    Act.OWED: BETWEEN,
    e.DebtEnded: BETWEEN,
}
"""Events of people that leave the phase as it is, with the phases that know them. An event in neither table is unknown."""


def way_of(event: e.Event) -> Way:
    """By what an event stands in the tables."""
    if isinstance(event, e.DecksDone | e.RoundDone):
        return event.work
    return event.act if isinstance(event, e.OneSigned) else type(event)


def name_of(way: Way) -> str:
    """As people read it."""
    return way.__name__ if isinstance(way, type) else way.value


def knows(phase: Phase, event: e.Event) -> bool:
    """The event makes sense in this phase; a fact does in every one, and so do refusals and UNDO."""
    return way_of(event) in _KNOWN[phase]


def _known_in(phase: Phase) -> frozenset[Way]:
    by_itself = {kind for kind in e.EVENTS.values() if kind is e.Undone or not issubclass(kind, e.Told)}
    return frozenset({*by_itself, *TRANSITIONS[phase], *(kind for kind, phases in STAYS.items() if phase in phases)})


_KNOWN: Mapping[Phase, frozenset[Way]] = {phase: _known_in(phase) for phase in Phase}


def after(phase: Phase, event: e.Event) -> Phase:
    """The phase that `event` leads to from `phase`."""
    return TRANSITIONS[phase].get(way_of(event), phase)


def arrows() -> Iterator[tuple[Phase, str, Phase]]:
    """Every transition: from, what leads there, to."""
    for phase, ways in TRANSITIONS.items():
        for way, target in ways.items():
            yield phase, name_of(way), target


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
