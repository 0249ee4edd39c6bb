"""From the deal to the winners, and the end of a round: what has to be settled first (653a.11(n))."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.message import NOTHING, say
from firmware.table import conflicts
from firmware.table import events as e
from firmware.table.deciding import counted_after, stub_first
from firmware.table.evidence import unnamed, waiting
from firmware.table.five_card import lucky
from firmware.table.house import House, Table
from firmware.table.interlock import method, stub_due
from firmware.table.jackpot import lost, picked
from firmware.table.opening import card_left, order_words, undelivered
from firmware.table.press import Press
from firmware.table.settling import unsettled
from firmware.table.state import Phase, TableState


def winners(table: Table, press: Press) -> Iterator[e.Event]:
    """The wagers that a void round still settles are next."""
    if not table.state.in_turn:
        yield press.refused(say("void.nothing-settled"))
    elif _stub_before_winners(*table):
        yield stub_first(table, press)
    else:
        yield e.SettlingBegun()


def first_winner(table: Table, press: Press) -> Iterator[e.Event]:
    """A lit seat is said to have won, before any other."""
    house, state = table
    if why_not := unsettled(state) or order_words(house, state) or undelivered(house, state):
        yield press.refused(why_not)
        return
    if _stub_before_winners(*table):
        yield stub_first(table, press)
        return
    seat = picked(table, press)
    if isinstance(seat, e.WinnerPicked):
        yield e.SettlingBegun()
    yield seat


def clear(table: Table, press: Press) -> Iterator[e.Event]:
    """Every hand is settled; the cards go so that each hand can be rebuilt (653a.11(n))."""
    house, state = table
    ordered = NOTHING
    if state.phase is Phase.DEAL:
        dealt = not state.program.level or bool(state.players)  # where nobody plays there are no cards to wait for
        waits = undelivered(house, state) if dealt and not state.round.void_cite else NOTHING
        ordered = order_words(house, state) or waits
    if why_not := unsettled(state) or ordered:
        yield press.refused(why_not)
    elif known := waiting(house, state):
        yield press.refused(say("winner.known", seat=known[0].seat, hand=known[0].hand))
    elif why_not := conflicts.among_settled(house, state) or unnamed(house, state):
        yield press.refused(why_not)
    elif _stub_waits(house, state):
        yield stub_first(table, press)
    else:
        yield from lucky(house, state)
        settled = () if state.round.void_cite else lost(house, state)
        yield e.RoundCleared(state.round.number, settled, card_left(house, state))


def _stub_waits(house: House, state: TableState) -> bool:
    """The count belongs to the end of the round, as it does to that of every void one, and is due."""
    return stub_due(house, state) and (bool(state.round.void_cite) or counted_after(house, state))


def _stub_before_winners(house: House, state: TableState) -> bool:
    """The count follows the community cards and may void everything: nothing is paid before it (653a.8(e) to (h))."""
    in_the_round = house.procedure.stub_at[method(house, state)] != "after"
    dealt = state.phase is Phase.VOID or (state.phase is Phase.DEAL and not state.program.level)
    return dealt and in_the_round and stub_due(house, state)
