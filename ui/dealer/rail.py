"""The rail at the right of a wide panel: what a dealer otherwise sees only between rounds. Nothing in it is a key."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.message import say
from firmware.table.house import House
from firmware.table.interlock import machine_used
from firmware.table.procedures import DECK
from firmware.table.projections import recognizes
from firmware.table.state import TableState
from ui.dealer.frame import Frame
from ui.dealer.pieces import Live, alarming, grouped, is_unfit, label, meter_name
from ui.dealer.widgets import Line, Tone, Widget


def rail(house: House, state: TableState, live: Live, frame: Frame) -> Iterator[Widget]:
    """Meters, shuffler and decks; nothing on a panel without a rail."""
    if frame.rail is None:
        return
    told = {"meters": _meters(state, live)} if state.program.progressive else {}
    told["shuffler"] = _shuffler(house, state)
    told["decks"] = _decks(state)
    for (name, lines), area in zip(told.items(), frame.rail.rows(len(told)), strict=True):
        yield label(f"rail-{name}", area, *lines, fill="tile")


def _meters(state: TableState, live: Live) -> Iterator[Line]:
    yield Line(say("rail.meters"), "label", Tone.MUTED)
    if not recognizes(state):
        yield Line(say("status.progressive-off"), "label", Tone.CAUTION)
    for heard in live.meters:
        yield Line(meter_name(heard), "small", Tone.MUTED)
        yield Line(grouped(heard.amount), "label", Tone.MONEY, "right")


def _shuffler(house: House, state: TableState) -> Iterator[Line]:
    yield Line(say("rail.shuffler"), "label", Tone.MUTED)
    if not machine_used(house, state):
        yield Line(say("rail.by-hand"), "small", Tone.MUTED)
        return
    unit = state.neighbors.shuffler
    if not unit.connected:
        yield Line(say("rail.not-connected"), "body", Tone.CAUTION)
        return
    yield Line(unit.mode.upper(), "body", Tone.CAUTION if alarming(state) else Tone.PLAIN)
    tone = Tone.CAUTION if is_unfit(house, state) else Tone.PLAIN
    yield Line("" if unit.count is None else f"{unit.count}/{DECK}", "body", tone, "right")
    if unit.deck:
        yield Line(say("rail.deck", color=unit.deck), "small", Tone.MUTED)


def _decks(state: TableState) -> Iterator[Line]:
    yield Line(say("rail.decks"), "label", Tone.MUTED)
    for deck in state.decks.here:
        playing = state.deck is not None and deck.number == state.deck.number
        yield Line(say("deck.numbered", color=deck.color, number=deck.number), "body" if playing else "small")
        yield Line(say("rail.in-play") if playing else "", "small", Tone.MUTED, "right")
    if not state.decks.here:
        yield Line(say("deck.none-here"), "small", Tone.MUTED)
