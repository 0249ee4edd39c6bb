"""The dealer's screens: `screen(house, state, live, frame)` is pure, and everything on the glass comes from it.

Screens are composed of messages; here, and nowhere else, they are put into words.

Seat 1 is the player farthest to the dealer's left and stands on the left. Ask and deal go left to right, settling goes
right to left. One primary key, lower right, named by its effect. A problem changes the work area and never hides seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from firmware.rules.message import NOTHING
from firmware.table.house import House
from firmware.table.inputs import Pressed
from firmware.table.irregularity import fouled, must_be_void
from firmware.table.live import of_a_test
from firmware.table.offers import offer
from firmware.table.projections import recognizes
from firmware.table.state import Panel, PanelKind, Phase, TableState
from firmware.wire.structs import replace
from ui.dealer import (
    betting_screens,
    game_screens,
    jackpot_screens,
    opening_screens,
    problem_screens,
    result_screens,
    service_screens,
    settle_screens,
)
from ui.dealer.frame import Frame, frame_of
from ui.dealer.pieces import WARNING_H, Body, Live, Title, alarming, judged, status
from ui.dealer.rail import rail
from ui.dealer.widgets import Screen, Tone, Widget
from ui.words import ENGLISH, Words

BODIES: Mapping[str, Body] = {
    **opening_screens.BODIES,
    **betting_screens.BODIES,
    **game_screens.BODIES,
    **settle_screens.BODIES,
    **result_screens.BODIES,
    **jackpot_screens.BODIES,
    **problem_screens.BODIES,
    **service_screens.BODIES,
}
"""Every kind of screen; `screen_name` says which is shown when, and SERVICE is shown while somebody is in it."""

TITLES: Mapping[str, Title] = {
    **opening_screens.TITLES,
    **betting_screens.TITLES,
    **game_screens.TITLES,
    **settle_screens.TITLES,
    **jackpot_screens.TITLES,
    **problem_screens.TITLES,
    **service_screens.TITLES,
}


def screen(house: House, state: TableState, live: Live, frame: Frame, words: Words = ENGLISH) -> Screen:
    """The one screen that this state and moment show, in the regions of a panel and in a language."""
    return spoken(composed(house, state, live, frame), words)


def composed(house: House, state: TableState, live: Live, frame: Frame) -> Screen:
    """That screen in messages that nobody has put into words."""
    key = live.service.place if live.service else screen_key(state)
    return Screen(_name(state, live), key, widgets(house, state, live, frame))


def spoken(screen: Screen, words: Words = ENGLISH) -> Screen:
    """A composed screen in a language."""
    return replace(screen, widgets=tuple(_spoken(widget, words) for widget in screen.widgets))


def widgets(house: House, state: TableState, live: Live, frame: Frame) -> tuple[Widget, ...]:
    """All of a screen, in messages that nobody has put into words. A refusal is gone with its cause."""
    desk = state.desk
    if desk.notice and desk.pressed and offer(house, state, Pressed(desk.pressed, desk.refused)).lit:
        state = replace(state, desk=desk.unsaid)
    if not state.program.live:
        live = replace(live, meters=of_a_test(house, state, live.meters), meters_at="")
    name = _name(state, live)
    title = _TITLED[name](house, state) if name in _TITLED else TITLES[name]
    open_panel = live.service or state.desk.panel.kind is not PanelKind.NONE
    warning = NOTHING if open_panel else fouled(state)
    if warning:
        frame = frame_of(frame.panel, WARNING_H, left=frame.left)
    body: Iterable[Widget] = judged(house, state, live, tuple(BODIES[name](house, state, live, frame)))
    if warning:
        body = (replace(one, fill=Tone.CAUTION) if one.press in _FOR_GOOD else one for one in body)
    top = status(house, state, live, frame, title, warning)
    return (*top, *body, *rail(house, state, live, frame))


_TITLED: Mapping[str, Callable[[House, TableState], Title]] = {
    "ask": game_screens.ask_title,
    "closed": betting_screens.closed_title,
    "settle": result_screens.title,
}
"""Titles that say what is asked now."""
_FOR_GOOD = frozenset({"clear", "claim-paid"})
"""A void round takes back nothing of these presses."""


def _name(state: TableState, live: Live) -> str:
    return "service" if live.service else screen_name(state)


def _spoken(widget: Widget, words: Words) -> Widget:
    if all(isinstance(line.said, str) for line in widget.lines):
        return widget
    return replace(widget, lines=tuple(replace(line, said=words(line.said)) for line in widget.lines))


def screen_name(state: TableState) -> str:
    """The kind of screen that a state shows."""
    panel = state.desk.panel
    if panel.kind is PanelKind.PROBLEM:
        return "correct" if panel.what == "correct" else "sign" if panel.what else "irregularity"
    if panel.kind is not PanelKind.NONE:
        return str(panel.kind)
    if must_be_void(state):
        return "device-failed"
    waits = state.phase in (Phase.CLOSED, Phase.SHUFFLE) or (state.phase is Phase.DEAL and not state.decks.cards)
    if waits and alarming(state) and not state.decks.covered:
        return "shuffler"
    if state.phase is Phase.OPEN and state.program.progressive and not recognizes(state):
        return "link-down"
    if state.phase is Phase.SETTLE:
        return "settle" if state.program.level else "winners"
    return str(state.phase)


def screen_key(state: TableState) -> str:
    """Changes when a touch meant for the last screen must not count on this one."""
    panel, decks = state.desk.panel, state.decks
    about = (panel.kind, panel.seat, panel.what, panel.signed)
    parts = [screen_name(state), state.round.number, *about, bool(decks.recut), bool(decks.covered), *_step(state)]
    return ":".join(map(str, parts))


def _step(state: TableState) -> tuple[object, ...]:
    """The part of the phase that moves its keys. A tap on a seat and then on a key about it belong together."""
    if state.desk.panel == Panel(PanelKind.PROBLEM):  # the list grows with what is at the table
        return state.neighbors.shuffler.unit, len(state.decks.here)
    game = state.round
    match state.phase:
        case Phase.EMPTY:
            return (state.decks.emptied,)
        case Phase.DEAL:
            return (game.stub_counted,)
        case Phase.ASK:
            return (game.street,)
        case Phase.REVEAL:
            return game.stub_counted, game.dealer_row is not None
        case Phase.SETTLE if state.program.level:
            box = state.seat(state.round.turn).position if state.round.turn else None
            return state.round.turn, len(box.called) if box else 0, bool(box and box.due), bool(game.stub_counted)
        case Phase.SETTLE:
            return game.stub_counted, state.seat(state.round.turn).five_card if state.round.turn else ()
        case Phase.HOLD:  # a signature is for this amount
            prize = state.seat(state.round.turn).prize
            return (
                state.round.turn,
                prize.amount if prize else 0,
                prize.offered.amount if prize and prize.offered else 0,
            )
        case Phase.SUPERS:
            return (bool(state.round.turn),)
    return (state.round.turn,)
