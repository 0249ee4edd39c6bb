"""A key of the dealer's glass is lit if and only if the law takes its press from the person who is here.

Over seeded shifts every key of every screen is pressed on a copy of the state: without a badge, as the dealer does, and with
each badge of the house whose PIN is right. Walks in which any lit key is pressed show the screens that no shift needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from firmware.proof.simulation.books import levels
from firmware.proof.simulation.shifts.shift import Shift
from firmware.proof.simulation.shifts.table_under_proof import FRAME, unsaid
from firmware.rules.games import books
from firmware.table import events as e
from firmware.table.decide import ANY_TIME, KEYS, decide
from firmware.table.house import House
from firmware.table.inputs import Input, Pressed
from firmware.table.offers import offers
from firmware.table.state import NO_PANEL, TableState
from firmware.wire.structs import replace
from tests.table.table import NOON
from tests.ui.walk import HOUSES, Walk
from ui.dealer.pieces import Live
from ui.dealer.screens import screen_name, widgets

OF_THE_LAW = frozenset([*ANY_TIME, *(verb for keys in KEYS.values() for verb in keys)])
"""PIN pad, lock and SERVICE answer their keys themselves."""

FAST = [(book, level, 5, 6) for book in books() for level in levels(book)]
SLOW = [(book, level, 100, 40) for book in books() for level in levels(book)]


class Looking:
    """Keys that were looked at. `wrong`: (screen, press, why a lit one is refused, or "" of a dark one that is taken).

    `seen`: how many were lit, and how many dark.
    """

    def __init__(self) -> None:
        self.wrong: set[tuple[str, str, str]] = set()
        self.seen: Counter[bool] = Counter()

    def at(self, house: House, state: TableState, live: Live) -> None:
        """Every key of the screen that the person who is here sees."""
        for widget in widgets(house, unsaid(state), live, FRAME):
            if widget.press.partition(" ")[0] in OF_THE_LAW:
                self.seen[widget.enabled] += 1
                turn = decide(house, state, Pressed(widget.press, live.by, live.at, live.day))
                why = turn.refusal.id
                if widget.enabled == bool(why) or not turn.rows:
                    self.wrong.add((screen_name(state), widget.press, why))


class Pressing(Shift):
    """A shift in which everybody looks at each new screen."""

    def __init__(self, book: str, seed: int, level: int) -> None:
        self.looking = Looking()
        super().__init__(book, seed, level=level, checks=False, trouble=1.5)

    def take(self, given: Input) -> tuple[e.Event, ...]:
        events = super().take(given)
        if isinstance(given, Pressed):
            for by in ("", *self.house.people):
                self.looking.at(self.house, self.state, replace(self._live(), by=by, at=self.now_s))
        return events


def looked(book: str, level: int, seed: int, rounds: int) -> Looking:
    """The shift, over."""
    shift = Pressing(book, seed, level)
    shift.play(rounds)
    assert shift.looking.seen[True] > 20 * rounds and shift.looking.seen[False] > 5 * rounds, "hardly a key was tried"
    return shift.looking


@pytest.mark.parametrize(("book", "level", "seed", "rounds"), FAST)
def test_a_key_is_lit_if_and_only_if_it_is_not_refused(book: str, level: int, seed: int, rounds: int) -> None:
    assert not looked(book, level, seed, rounds).wrong


@pytest.mark.slow
@pytest.mark.parametrize(("book", "level", "seed", "rounds"), SLOW)
def test_a_key_is_lit_if_and_only_if_it_is_not_refused_in_long_shifts(
    book: str, level: int, seed: int, rounds: int
) -> None:
    assert not looked(book, level, seed, rounds).wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
def test_a_key_is_lit_if_and_only_if_it_is_not_refused_whatever_is_pressed(name: str) -> None:
    looking = Looking()
    for state, live in Walk(HOUSES[name], 11).goes(1_000):
        looking.at(HOUSES[name], state, replace(live, at=NOON))
    assert not looking.wrong and looking.seen[False] > 300


# What the law offers, and where its key lies ------------------------------------------------------------------------------

ON_A_PAGE = frozenset(
    ("problem", "stakes", "account", "sensor", "left", "correct", "reopen", "same-player", "uncredit", "raise")
)
"""Verbs whose keys lie on a page of their own, a press or two away."""

NOT_SHOWN: Mapping[tuple[str, str], str] = {
    ("", "acknowledge"): "only where the alarm keeps the table from its next step",
    ("", "slot"): "the place that is next anyway",
    ("", "emptied"): "counts that are far from the right one are reached in steps",
    ("deal", "seat"): "the chip that came late goes back first; of who left no answer is taken",
    ("difference", "box"): "of the seat that was tapped alone",
    ("difference", "seat"): "a wager by hand is signed first; its page has a key back to all seats",
    ("settle", "answer"): "no room for every answer beside the one that is asked",
    ("settle", "cards"): "all is answered of the seat: SETTLED is next",
    ("settle", "envy"): "of the seat that was picked",
    ("winners", "envy"): "of the seat that was picked",
    ("settle", "look"): "the primary key is SETTLED",
    ("settle", "settled"): "the primary key looks at the seat in turn first",
    ("settle", "clear"): "a seat is picked, and let go of first",
    ("winners", "clear"): "a seat is picked, and let go of first",
    ("supers", "cards"): "the rows are told; cards are entered where they are known",
    ("shuffler", "fetch"): "the alarm is seen first",
}
"""(screen, or "" for all, verb) -> why what the law would take has no key there."""


class Comparing(Shift):
    """A shift that looks for offers without a key, where no page is open."""

    def __init__(self, book: str, seed: int, level: int) -> None:
        self.missing: set[tuple[str, str]] = set()
        super().__init__(book, seed, level=level, checks=False, trouble=1.5)

    def take(self, given: Input) -> tuple[e.Event, ...]:
        events = super().take(given)
        if isinstance(given, Pressed):
            self.missing |= without_a_key(self.house, self.state, self._live())
        return events


def without_a_key(house: House, state: TableState, live: Live) -> set[tuple[str, str]]:
    """(screen, verb) of what the law offers, no page holds, and this screen does not show."""
    if state.desk.panel != NO_PANEL:
        return set()
    screen, shown = screen_name(state), {widget.press for widget in widgets(house, unsaid(state), live, FRAME)}
    offered = {one.press for one in offers(house, unsaid(state), live.by, live.denominations)} - shown
    verbs = {press.partition(" ")[0] for press in offered} - ON_A_PAGE
    return {(screen, verb) for verb in verbs if ("", verb) not in NOT_SHOWN}


@pytest.mark.parametrize(("book", "level", "seed", "rounds"), FAST)
def test_what_the_law_offers_has_a_key_or_a_reason_for_none(book: str, level: int, seed: int, rounds: int) -> None:
    shift = Comparing(book, seed, level)
    shift.play(rounds)
    assert shift.missing <= NOT_SHOWN.keys()


@pytest.mark.slow
def test_what_the_law_offers_has_a_key_or_a_reason_for_none_whatever_is_pressed() -> None:
    missing = {
        one
        for house in HOUSES.values()
        for state, live in Walk(house, 7).goes(400)
        for one in without_a_key(house, state, live)
    }
    assert missing <= NOT_SHOWN.keys()
