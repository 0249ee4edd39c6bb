"""The dealer's screens: `screen(house, state, live, frame)` is pure, and everything on the glass comes from it.

Seat 1 is the player farthest to the dealer's left and stands on the left. Ask and deal go left to right, settling goes
right to left. One primary key, lower right, named by its effect. A problem changes the work area and never hides seats.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware.table.state import House, Phase, TableState, recognises
from ui.dealer import (
    betting_screens,
    game_screens,
    jackpot_screens,
    opening_screens,
    problem_screens,
    settle_screens,
)
from ui.dealer.frame import Frame
from ui.dealer.pieces import HAND_KEYS, Body, Live, alarming, money, recipe, status
from ui.dealer.rail import rail
from ui.dealer.widgets import Screen, Tone

__all__ = [
    "BODIES",
    "HAND_KEYS",
    "TITLES",
    "Live",
    "money",
    "recipe",
    "screen",
    "screen_key",
    "screen_name",
]

BODIES: Mapping[str, Body] = {
    **opening_screens.BODIES,
    **betting_screens.BODIES,
    **game_screens.BODIES,
    **settle_screens.BODIES,
    **jackpot_screens.BODIES,
    **problem_screens.BODIES,
}
"""Every kind of screen; `screen_name` says which is shown when."""

TITLES: Mapping[str, tuple[str, Tone]] = {
    **opening_screens.TITLES,
    **betting_screens.TITLES,
    **game_screens.TITLES,
    **settle_screens.TITLES,
    **jackpot_screens.TITLES,
    **problem_screens.TITLES,
}


def screen(house: House, state: TableState, live: Live, frame: Frame) -> Screen:
    """The one screen that this state and moment show, in the regions of a panel."""
    name = screen_name(state)
    body = BODIES[name](house, state, live, frame)
    top = status(house, state, live, frame, TITLES[name])
    return Screen(name, screen_key(state), (*top, *body, *rail(house, state, live, frame)))


PANELS = frozenset({"sensors", "left", "stakes", "accounts", "raise"})
"""Panels whose first word is their screen; "problem" has three of them."""


def screen_name(state: TableState) -> str:
    """Which kind of screen a state shows."""
    panel, _, rest = state.panel.partition(" ")
    if panel == "problem":
        return "correct" if rest.startswith("correct") else "sign" if rest else "irregularity"
    if panel in PANELS:
        return panel
    waits = state.phase in (Phase.CLOSED, Phase.SHUFFLE) or (state.phase is Phase.DEAL and not state.cards)
    if waits and alarming(state) and not state.covered:
        return "shuffler"
    if state.phase is Phase.OPEN and state.progressive and not recognises(state):
        return "link-down"
    if state.phase is Phase.SETTLE:
        return "settle" if state.level else "winners"
    return str(state.phase)


def screen_key(state: TableState) -> str:
    """Changes when a touch meant for the last screen must not count on this one."""
    parts = [screen_name(state), state.round, state.panel, bool(state.recut), bool(state.covered), *_step(state)]
    return ":".join(map(str, parts))


def _step(state: TableState) -> tuple[object, ...]:
    """What of the phase moves its keys. Where a dealer taps a seat and then a key about it, the two belong together."""
    if state.panel == "problem":  # the list grows with what is at the table
        return state.shuffler.unit, len(state.decks)
    game = state.game
    match state.phase:
        case Phase.EMPTY:
            return (state.emptied,)
        case Phase.DEAL:
            return (game.stub_counted,)
        case Phase.ASK:
            return (game.street,)
        case Phase.REVEAL:
            return game.stub_counted, game.dealer_row is not None
        case Phase.SETTLE if state.level:
            box = state.seat(state.turn).box if state.turn else None
            return state.turn, len(box.told) if box else 0, bool(box and box.due), bool(game.stub_counted)
        case Phase.SETTLE:
            return game.stub_counted, state.seat(state.turn).five_card if state.turn else ()
        case Phase.HOLD:  # whoever signs, signs for this amount
            prize = state.seat(state.turn).prize
            return state.turn, prize.amount if prize else 0
        case Phase.SUPERS:
            return (bool(state.turn) and state.seat(state.turn).box.choice == "instant",)
    return (state.turn,)
