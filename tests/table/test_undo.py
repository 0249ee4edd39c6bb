"""One UNDO: it takes back exactly the last press that is not final, at every book and level, whatever happened since.
The judge is a twin that never got the press (`tests.table.undoing`).
"""

from __future__ import annotations

import os
from random import Random

import pytest

from firmware.rules.games import books, load_book
from firmware.table import events as e
from firmware.table.evolve import STEPS_MAX
from firmware.table.finals import NOTHING, ROWS
from firmware.table.house import House
from firmware.table.inputs import Input
from firmware.wire.structs import replace
from tests.sample import some
from tests.table.crowd import Crowd
from tests.table.procedures.walks import at_ask, at_reveal
from tests.table.table import Dealer, Table, house_of
from tests.table.test_never import ACTS as BY_CROWD
from tests.table.test_ways import ACTS as BY_HANDS
from tests.table.test_ways import EQUIPMENT, HOUSES, Hands
from tests.table.undoing import Judge, alike
from ui.words import ENGLISH

EVERY_HOUSE = {
    **{
        f"{book} level 0 by {equipment.method}, {equipment.shuffler}": house_of(book=book, level=0, equipment=equipment)
        for book in ("pa-653a", "md-36.05.16")
        for equipment in EQUIPMENT
    },
    **HOUSES,
}
"""Every book and level; Lunar Poker and Heads-Up have no progressive, their lowest level is 1."""
UNDONE = 0.15
"""How often somebody thinks better of it."""


class Judged(Table):
    """A table whose UNDO is judged after every input."""

    def __init__(self, house: House) -> None:
        self.judge = Judge(house)
        super().__init__(house=house)

    def hears(self, given: Input) -> tuple[e.Event, ...]:
        before, events = self.state, super().hears(given)
        self.judge.hears(given, before, events, self.state)
        return events


def walk(house: House, inputs: int, seed: str) -> Judged:
    """So many acts at one table, and every now and then somebody thinks better of it."""
    chance = Random(seed)
    table = Judged(house)
    table.shuffler = replace(table.shuffler, deck=house.equipment.colors[0])
    table.opens()
    crowd = Crowd(table, chance.choice)
    hands = Hands(table, chance.choice)
    for _ in range(inputs):
        if chance.random() < UNDONE:
            crowd.thinks_better_of_it()
        elif house.level:
            chance.choices(list(BY_HANDS), list(BY_HANDS.values()))[0](hands)
        else:
            chance.choices(list(BY_CROWD), list(BY_CROWD.values()))[0](crowd)
    assert table.replayed() == table.state
    return table


ACTS = int(os.environ.get("FELT_UNDO_ACTS", "40"))


@pytest.mark.parametrize("name", some(EVERY_HOUSE, keep=list(EVERY_HOUSE)[::8]))
def test_undo_leads_to_the_table_without_the_last_press(name: str) -> None:
    table = walk(EVERY_HOUSE[name], ACTS, f"{name} 7")
    assert table.judge.tally["accepted"] and table.judge.tally["undone"]


@pytest.mark.slow
def test_undo_is_lit_after_most_presses() -> None:
    tables = [walk(house, ACTS, f"{name} 8") for name, house in list(EVERY_HOUSE.items())[::6]]
    lit, presses = (sum(table.judge.tally[what] for table in tables) for what in ("lit", "accepted"))
    assert lit > 0.6 * presses, f"lit after {lit} of {presses} presses"


# What is final ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROWS)
def test_every_row_says_why_and_what_to_do_instead(name: str) -> None:
    """A row names its paragraph by its concern; a book that says nothing of it has none."""
    why, instead = ENGLISH(ROWS[name].why), ENGLISH(ROWS[name].instead)
    assert why.endswith(".") and instead.endswith(".") and why != instead
    known = {concern.partition(":")[0] for book in books() for concern in load_book(book).procedure.cites}
    assert ROWS[name].concern in known | {""}
    assert (ROWS[name] is NOTHING) == (name in ("", "long ago"))


def offered(table: Table) -> set[str]:
    """The kinds of problem on the list behind PROBLEM."""
    table.press("problem")
    words = {word.partition(" ")[2] for word in table.pressable() if word.startswith("problem ")}
    table.press("back")
    return words


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-677a"])
def test_after_a_community_card_the_floor_asks_again_as_the_row_says(book: str) -> None:
    table, dealer = at_ask(book, 1, 2)
    dealer.presses("next", "seat 1", "undo")
    assert table.final == "community card" and "ask-again" in offered(table)


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-677a"])
def test_once_the_dealer_is_shown_the_decisions_are_the_floors_to_put_right(book: str) -> None:
    table, dealer = at_reveal(book, 1, 2)
    dealer.presses("dealer yes", "undo")
    assert table.phase == "reveal" and table.final == "shown" and "ask-again" in offered(table)


def test_671a_11c_once_locked_in_the_floor_corrects_after_the_pass() -> None:
    table, dealer = at_ask("pa-671a", 1, 2)
    dealer.presses("next", "seat 1", "row flush", "undo", "undo")
    assert table.phase == "supers" and table.final == "locked in"
    dealer.presses("seat 1", "row flush", "supers-settled")
    assert table.phase == "reveal" and "correct" in offered(table)


def test_every_press_is_one_step_back_panels_and_cards_too() -> None:
    table, dealer = Table().opens(), None
    dealer = Dealer(table)
    dealer.deals(2, 3)
    states = []
    for word in ("problem", "problem face-up", "back", "seat 3", "hand royal flush", "rank A", "suit h", "cancel"):
        states.append(alike(table.state))
        dealer.presses(word)
    for state in reversed(states):
        dealer.presses("undo")
        assert alike(table.state) == state
    dealer.sees_no("undo")
    assert table.final == "MessageOwed", "the wagers are with the bank"


def test_what_happened_by_itself_stays() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(2, 3)
    dealer.presses("seat 3")
    table.seats(5).place()
    table.link(False)
    table.shuffles(mode="dispensing")
    dealer.presses("undo")
    assert table.phase == "deal" and table.state.seat(5).late and not table.state.neighbors.link_up
    assert table.state.neighbors.shuffler.mode == "dispensing"


def test_undo_survives_a_power_cut() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    dealer.deals(2, 3)
    dealer.presses("seat 3", "hand flush")
    table.restarts()
    dealer.presses("undo", "undo")
    assert table.phase == "deal" and table.state.round.turn == 0


def test_nobody_goes_back_further_than_the_trail() -> None:
    table = Table().opens()
    dealer = Dealer(table)
    for _ in range(STEPS_MAX):
        dealer.presses("problem", "back")
    back = 0
    while table.undo_is_lit:
        dealer.presses("undo")
        back += 1
    assert back == STEPS_MAX and not table.panel
