"""A lit key of the dealer's glass is never refused by everybody who may press it.

Over seeded shifts every lit key of every screen is pressed on a copy of the state: without a badge, as the dealer does, and
with each badge of the house, for a key that somebody signs is lit while his PIN is right.
"""

from __future__ import annotations

import pytest

from firmware.proof.simulation.books import levels
from firmware.proof.simulation.shifts.shift import Shift
from firmware.proof.simulation.shifts.table_under_proof import FRAME, unsaid
from firmware.rules.games import books
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.inputs import Input, Pressed
from ui.dealer.screens import widgets

NOT_OF_THE_LAW = frozenset({"pin", "pin-back", "pin-enter", "pin-close", "no-more-bets"})
"""The PIN pad answers these itself; the table's process holds the lock first."""

Kind = tuple[str, str]
"""The verb of a key, and the id of the sentence that refuses it."""

FAST = [(book, level, 5, 6) for book in books() for level in levels(book)]
SLOW = [(book, level, 100 + seed, 40) for book in books() for level in levels(book) for seed in range(4)]


class Pressing(Shift):
    """A shift that presses every lit key of each new screen, and takes back what came of it."""

    lit = 0

    def __init__(self, book: str, seed: int, level: int) -> None:
        self.refused: dict[Kind, str] = {}
        super().__init__(book, seed, level=level, checks=False, trouble=1.5)

    def take(self, given: Input) -> tuple[e.Event, ...]:
        events = super().take(given)
        if isinstance(given, Pressed):
            self._press_all()
        return events

    def _press_all(self) -> None:
        for widget in widgets(self.house, unsaid(self.state), self._live(), FRAME):
            word = widget.press
            verb = word.partition(" ")[0]
            if word and widget.enabled and verb not in NOT_OF_THE_LAW:
                self.lit += 1
                refusals = [self._refusal(word, by) for by in ("", *self.house.people)]
                if all(refusals):
                    why = next((one for one in refusals if one != "people.floor-first"), refusals[0])
                    self.refused.setdefault((verb, why), f"{word} at {self.state.phase}")

    def _refusal(self, word: str, by: str) -> str:
        events = decide(self.house, self.state, Pressed(word, by, self.now_s))
        return next((one.why.id for one in events if isinstance(one, e.PressRefused)), "")


def pressed(book: str, level: int, seed: int, rounds: int) -> Pressing:
    """The shift, over."""
    shift = Pressing(book, seed, level)
    shift.play(rounds)
    assert shift.lit > 20 * rounds, "hardly a key was tried"
    return shift


@pytest.mark.parametrize(("book", "level", "seed", "rounds"), FAST)
def test_no_lit_key_is_refused(book: str, level: int, seed: int, rounds: int) -> None:
    assert not pressed(book, level, seed, rounds).refused


@pytest.mark.slow
@pytest.mark.parametrize(("book", "level", "seed", "rounds"), SLOW)
def test_no_lit_key_is_refused_in_long_shifts(book: str, level: int, seed: int, rounds: int) -> None:
    assert not pressed(book, level, seed, rounds).refused
