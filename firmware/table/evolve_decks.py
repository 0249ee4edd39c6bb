"""Work on the decks as it is written down: sections .3 to .5 of the books."""

from __future__ import annotations

from typing import assert_never

from firmware.rules.message import NOTHING
from firmware.table import events as e
from firmware.table.state import BEFORE_CARDS, Deck, DeckWork, MachineWork, Phase, Position, Prepared, TableState
from firmware.wire.structs import replace

BEGINS_A_SHUFFLE = frozenset({"empty", "loading", "shuffling"})
"""Modes in which no shuffled deck lies in the machine: what it has ready next was shuffled since."""
_TELLS_NOTHING = frozenset({"off", "selftest", "sort", "service", "fault"})


def _decks(state: TableState, **changes: object) -> TableState:
    return replace(state, decks=replace(state.decks, **changes))  # type: ignore[arg-type]


def evolve_decks(state: TableState, event: e.DecksEvent) -> TableState:
    """The table after something was done to its decks."""
    decks = state.decks
    match event:
        case e.DecksReceived():
            return _received(state, event.decks, event.at)
        case e.DecksDone():
            return _done(state, event.work)
        case e.ShuffleWanted():
            return _decks(state, cards=Prepared.NOT, work=_shuffle_wanted(state) if event.by else decks.work)
        case e.DeckDelivered():
            return _decks(state, cards=Prepared.MACHINE, recut="", reshuffle=False, work=MachineWork.NOTHING)
        case e.DeckCut():
            if event.waived:
                return _decks(state, cards=Prepared.MACHINE)
            return _decks(state, cards=Prepared.CUT, recut="", reshuffle=False)
        case e.RecutOrdered():
            work = _shuffle_wanted(state) if event.shuffle else decks.work
            return _decks(state, recut=event.by, reshuffle=event.shuffle, work=work)
        case e.DecksWanted():
            here, opening = ((), ()) if event.all else (decks.here, decks.opening)
            wrong = () if event.all else decks.miscounted
            went = event.why if event.all else NOTHING
            state = _decks(state, here=here, opening=opening, due=NOTHING, went=went, miscounted=wrong)
            return _decks(state, in_play=0, cards=Prepared.NOT)
        case e.DeckDue():
            return _decks(state, due=event.why)
        case e.DeckRemoved():
            here = tuple(deck for deck in decks.here if deck.number != event.number)
            opening = tuple(number for number in decks.opening if number != event.number)
            wrong = tuple(one for one in decks.miscounted if one[0] != event.number)
            return _decks(state, here=here, opening=opening, in_play=0, cards=Prepared.NOT, miscounted=wrong)
        case e.FacesTurned():
            return _decks(state, face_up=event.up)
        case e.CardsEmptied():
            return _decks(state, emptied=event.cards, counted=True)
        case e.TableShut():
            return _shut(state)
        case e.DeviceMarked():
            return _decks(state, covered=event.covered, covered_for=event.fault)
        case e.UnitAccepted():
            return _decks(state, unit=event.unit, work=_shuffle_wanted(state))
        case e.DeckMiscounted():
            return _miscounted(state, event)
        case _:
            assert_never(event)


def _done(state: TableState, work: DeckWork) -> TableState:
    decks = state.decks
    match work:
        case DeckWork.INSPECTED | DeckWork.VERIFIED | DeckWork.LOOKED:
            return _decks(state, face_up=False)
        case DeckWork.PREINSPECTED:
            return _decks(state, cards=Prepared.PRESHUFFLED)
        case DeckWork.REFUSED:
            here = tuple(deck for deck in decks.here if deck.number not in decks.opening)
            return _decks(state, here=here, opening=(), in_play=0, cards=Prepared.NOT)
        case DeckWork.STACKED:
            return _decks(state, cards=Prepared.NOT, work=_shuffle_wanted(state))
        case DeckWork.SHUFFLED:
            return _decks(state, cards=Prepared.SHUFFLED)
        case DeckWork.IDLE:
            return _decks(state, face_up=False, cards=Prepared.NOT)
        case DeckWork.CLOSING:
            return _decks(state, emptied=0, counted=False, cards=Prepared.NOT)
        case _:
            assert_never(work)


def _received(state: TableState, came: tuple[tuple[int, str], ...], at: int) -> TableState:
    """A deck that stayed keeps its hours and its rounds since a count; of two decks the one not played last is next."""
    decks = state.decks
    here = (*decks.here, *(Deck(number, color, at) for number, color in came))
    numbers = tuple(number for number, _ in came)
    state = replace(state, history=replace(state.history, deck_number=max(numbers)))
    return _decks(
        state,
        here=here,
        opening=numbers,
        in_play=next((place for place, deck in enumerate(here) if deck.number != decks.played), 0),
        cards=Prepared.NOT,
        went=NOTHING,
        since_count=decks.since_count if decks.here else 0,
    )


def _miscounted(state: TableState, event: e.DeckMiscounted) -> TableState:
    """Before the first card the deck is not ready any more; at level 0 nobody says in DEAL whether cards are out."""
    decks = state.decks
    current = decks.current is not None and decks.current.number == event.number
    may_be_out = state.phase is Phase.DEAL and not state.program.level
    unready = current and state.phase in BEFORE_CARDS and not (may_be_out and decks.cards)
    cards = Prepared.NOT if unready else decks.cards
    return _decks(state, miscounted=(*decks.miscounted, (event.number, event.cards)), cards=cards)


def _shuffle_wanted(state: TableState) -> MachineWork:
    """A shuffle is wanted from here on; one that is going on is one."""
    return MachineWork.BEGUN if state.neighbors.shuffler.mode in BEGINS_A_SHUFFLE else MachineWork.NOTHING


def machine_work(state: TableState, event: e.ShufflerChanged) -> MachineWork:
    """The machine's sign after this status. A lost line and another unit show nothing; nor does a machine that stopped."""
    work = state.decks.work
    if not event.connected:
        return work
    strange = bool(state.decks.unit) and event.unit != state.decks.unit
    if strange or event.fault or event.mode in _TELLS_NOTHING:
        return MachineWork.NOTHING
    if event.mode in BEGINS_A_SHUFFLE:
        return MachineWork.BEGUN
    if event.mode != "ready":
        return MachineWork.NOTHING if work is MachineWork.DONE else work
    same_deck = event.deck == state.neighbors.shuffler.deck
    ready = work is MachineWork.BEGUN or (work is MachineWork.DONE and same_deck)
    return MachineWork.DONE if ready else MachineWork.NOTHING


_AT_IT = frozenset({"loading", "shuffling", "sort", "selftest", "service"})
_OPENED = frozenset({"door", "lid"})


def unshuffles(state: TableState, event: e.ShufflerChanged) -> bool:
    """After bets opened the machine is at the deck that it had ready for this round, and holds: it begins, sorts, is opened,
    or counts again. Nobody knows the order of those cards any more, or somebody does: they are shuffled again (.5(a)).

    With two decks it has to say that it is that one. At level 0 nobody says in DEAL whether its cards are out.
    """
    decks, known = state.decks, state.neighbors.shuffler
    may_be_out = state.was_dealt or (state.phase is Phase.DEAL and not state.program.level)
    held = decks.cards == Prepared.MACHINE and known.mode == "ready" and known.unit == decks.unit
    if not held or may_be_out or state.phase not in BEFORE_CARDS or not event.connected or event.unit != decks.unit:
        return False
    ours = len(decks.here) == 1 or (decks.current is not None and event.deck == decks.current.color)
    counted = event.mode == "ready" and event.count != known.count
    return ours and (event.mode in _AT_IT or event.fault in _OPENED or counted)


def _shut(state: TableState) -> TableState:
    seats = tuple(replace(seat, position=Position()) for seat in state.round.seats)
    state = replace(state, round=replace(state.round, seats=seats))
    return _decks(state, here=(), opening=(), in_play=0, due=NOTHING, cards=Prepared.NOT, miscounted=())
