"""What is done to the decks, as it is written down: sections .3 to .5 of the books."""

from __future__ import annotations

from typing import assert_never

from firmware.rules.message import NOTHING
from firmware.table import events as e
from firmware.table.records import replace
from firmware.table.state import Deck, Position, Prepared, TableState


def _decks(state: TableState, **changes: object) -> TableState:
    return replace(state, decks=replace(state.decks, **changes))  # type: ignore[arg-type]


def evolve_decks(state: TableState, event: e.DecksEvent) -> TableState:
    """The table after something was done to its decks."""
    decks = state.decks
    match event:
        case e.DecksReceived():
            return _received(state, event.decks, event.at, Prepared.NOT)
        case e.PreinspectedReceived():
            return _received(state, event.decks, event.at, Prepared.PRESHUFFLED)
        case e.DecksRefused():
            here = tuple(deck for deck in decks.here if deck.number not in decks.opening)
            return _decks(state, here=here, opening=(), in_play=0, cards=Prepared.NOT)
        case e.DecksInspected() | e.DecksVerified() | e.FirstPlayerLooked():
            return _decks(state, face_up=False)
        case e.CardsStacked() | e.ShuffleWanted():
            return _decks(state, cards=Prepared.NOT)
        case e.DeckShuffled():
            return _decks(state, cards=Prepared.SHUFFLED)
        case e.DeckDelivered():
            return _decks(state, cards=Prepared.MACHINE, recut="", reshuffle=False)
        case e.DeckCut():
            return _decks(state, cards=Prepared.CUT, recut="", reshuffle=False)
        case e.CutNotNeeded():
            return _decks(state, cards=Prepared.MACHINE)
        case e.RecutOrdered():
            return _decks(state, recut=event.by, reshuffle=event.shuffle)
        case e.DecksWanted():
            here, opening = ((), ()) if event.all else (decks.here, decks.opening)
            return _decks(state, here=here, opening=opening, due=NOTHING, in_play=0, cards=Prepared.NOT)
        case e.DeckDue():
            return _decks(state, due=event.why)
        case e.DeckRemoved():
            here = tuple(deck for deck in decks.here if deck.number != event.number)
            opening = tuple(number for number in decks.opening if number != event.number)
            return _decks(state, here=here, opening=opening, in_play=0, cards=Prepared.NOT)
        case e.TableIdled():
            return _decks(state, face_up=False, cards=Prepared.NOT)
        case e.FacesTurned():
            return _decks(state, face_up=event.up)
        case e.ClosingBegun():
            return _decks(state, emptied=0, counted=False, cards=Prepared.NOT)
        case e.CardsEmptied():
            return _decks(state, emptied=event.cards, counted=True)
        case e.TableShut():
            return _shut(state)
        case e.DeviceCovered():
            return _decks(state, covered=True, covered_for=event.fault)
        case e.DeviceUncovered():
            return _decks(state, covered=False, covered_for="")
        case e.UnitAccepted():
            return _decks(state, unit=event.unit)
        case e.StubCounted():
            return replace(state, round=replace(state.round, stub_counted=True))
        case _:
            assert_never(event)


def _received(state: TableState, came: tuple[tuple[int, str], ...], at: int, cards: Prepared) -> TableState:
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
        cards=cards,
        since_count=decks.since_count if decks.here else 0,
    )


def _shut(state: TableState) -> TableState:
    seats = tuple(replace(seat, position=Position()) for seat in state.round.seats)
    state = replace(state, round=replace(state.round, seats=seats))
    return _decks(state, here=(), opening=(), in_play=0, due=NOTHING, cards=Prepared.NOT)
