"""Closing a table, and what a journal must not forget of its decks, in a dealer's words."""

from __future__ import annotations

from random import Random

import pytest

from firmware.table import events as e
from firmware.table.opening import expected
from firmware.table.procedures import COUNTS, HAND, NO_SHUFFLER, RESHUFFLES, SHOE, Equipment
from tests.table.procedures.openings import (
    HOUR,
    ONE_BY_HAND,
    ONE_DECK,
    TWO_DECKS,
    next_deck_is_in,
    numbers,
    opened,
    plays,
    refused,
    shut,
    washes,
)
from tests.table.procedures.walks import BOOKS, tells
from tests.table.table import DEALER, DIAZ, TECHNICIAN, Dealer, Table
from ui.words import ENGLISH

every_book = pytest.mark.parametrize("book", BOOKS)
every_equipment = pytest.mark.parametrize(
    "equipment", [ONE_BY_HAND, ONE_DECK, TWO_DECKS], ids=["by hand", "one deck", "two decks"]
)


# Empty and count ------------------------------------------------------------------------------------------------------


@every_book
@every_equipment
def test_a_table_closes_with_an_empty_and_count(book: str, equipment: Equipment) -> None:
    """Machine, shoe and rack are emptied; 52 cards for each deck, and the table is shut."""
    table, dealer = opened(book, equipment)
    tells(dealer, "close")
    assert table.phase == "empty"
    whole = 52 * len(equipment.colors)
    assert expected(table.state) == whole
    refused(table, "received", "preinspected", "no-more-bets", "fetch", "shuffled", by=DIAZ)
    table.restarts()
    assert table.phase == "empty"
    table.shuffles(mode="empty", count=52, deck="")
    dealer.presses(f"emptied {whole}")
    assert table.phase == "shut" and table.state.decks.here == ()
    ended = table.last(e.TableShut)
    assert (ended.cards, ended.by, ENGLISH(ended.reason)) == (whole, "", "")
    assert e.DeckRemoved not in map(type, table.happened)


@every_book
def test_a_wrong_number_of_cards_needs_a_floorperson(book: str) -> None:
    """It stands in the journal with its reason, and every deck counts as removed for cause; a recount may find them."""
    table, dealer = opened(book, TWO_DECKS)
    tells(dealer, "close")
    dealer.presses("emptied 103")
    assert table.phase == "empty" and table.state.decks.emptied == 103
    for badge in ("", DEALER, TECHNICIAN):
        assert refused(table, "shut-short", by=badge) == "A floorperson's badge and PIN first."
    dealer.presses("emptied 104")
    assert table.phase == "shut" and not table.last(e.TableShut).reason
    dealer.presses("preinspected", "cut")
    tells(dealer, "close")
    dealer.presses("emptied 103")
    table.restarts()
    dealer.presses("shut-short", by=DIAZ)
    ended = table.last(e.TableShut)
    assert (ended.cards, ended.by, ENGLISH(ended.reason)) == (103, DIAZ, "103 cards, not 104")
    removed = [(event.number, ENGLISH(event.why)) for event in table.happened if isinstance(event, e.DeckRemoved)]
    assert removed == [(3, "103 cards, not 104"), (4, "103 cards, not 104")]


@every_book
def test_nobody_signs_for_a_count_that_was_not_made(book: str) -> None:
    table, dealer = opened(book)
    tells(dealer, "close")
    assert refused(table, "shut-short", by=DIAZ) == "Count the cards first."
    dealer.presses("undo")
    assert table.phase == "open" and table.state.decks.here


@every_book
@every_equipment
def test_a_closing_is_taken_back(book: str, equipment: Equipment) -> None:
    table, dealer = opened(book, equipment)
    before = table.state.decks
    tells(dealer, "close")
    dealer.presses("undo", "undo")
    assert table.phase == "open" and table.state.decks == before and not table.panel
    assert len(table.state.decks.here) == len(equipment.colors)


@every_book
@pytest.mark.parametrize("before", ["spread", "wash", "shuffle", "cut", "idle", "closed"])
def test_a_table_is_closed_from_everywhere_between_two_rounds(book: str, before: str) -> None:
    table, dealer = shut(book, ONE_DECK if before == "closed" else ONE_BY_HAND)
    if before == "closed":
        dealer.presses("preinspected", "cut")
        table.shuffles(mode="sort")
        plays(dealer)
    elif before == "idle":
        dealer.presses("preinspected", "cut")
        tells(dealer, "idle")
    else:
        washes(dealer)
        dealer.presses(*{"spread": ("undo", "undo"), "wash": ("undo",), "shuffle": (), "cut": ("shuffled",)}[before])
    assert table.phase == before
    tells(dealer, "close")
    dealer.presses("emptied 52")
    assert table.phase == "shut"


def test_a_table_with_wagers_or_credit_on_it_does_not_close() -> None:
    table, dealer = opened("pa-653a")
    table.seats(5).place()
    dealer.presses("problem table")
    assert "play this round first" in refused(table, "problem close")
    table.seats(5).lift()
    dealer.presses("problem close")
    assert table.phase == "empty"


def test_cards_that_are_not_there_are_not_expected() -> None:
    """A deck that was removed for cause has been accounted for."""
    table, dealer = opened("pa-653a", TWO_DECKS)
    table.shuffles(mode="sort")
    plays(dealer)
    tells(dealer, "remove-2", by=DIAZ)
    tells(dealer, "close")
    dealer.presses("emptied 52")
    assert table.phase == "shut"


# A new day ------------------------------------------------------------------------------------------------------------


@every_book
def test_a_new_day_begins_with_new_decks_new_hours_and_a_new_count(book: str) -> None:
    table, dealer = opened(book, ONE_BY_HAND)
    for _ in range(3):
        plays(dealer)
        dealer.presses("shuffled-and-cut")
    table.now += 7 * HOUR
    tells(dealer, "close")
    dealer.presses("emptied 52")
    table.now += 3 * HOUR
    table.ticks()
    assert not table.state.decks.due, "no deck is at the table"
    dealer.presses("preinspected", "cut")
    table.ticks()
    assert table.phase == "open" and table.state.decks.since_count == 0 and not table.state.decks.due
    assert numbers(table) == [2] and table.state.decks.here[0].since == table.clock


def test_decks_that_fall_due_while_they_are_counted_make_the_closing_final() -> None:
    """Without the closing they would have been fetched at once: the time of day meant something else."""
    table, dealer = opened("pa-653a")
    tells(dealer, "close")
    table.now += 5 * HOUR
    table.ticks()
    assert not table.state.decks.due
    dealer.sees_no("undo")
    assert table.final == "meant else"
    dealer.presses("emptied 52")
    assert table.phase == "shut" and not table.state.decks.here


# A removed deck never comes back --------------------------------------------------------------------------------------


WORDS = {
    "shut": ["received", "preinspected", "undo"],
    "inspect": ["inspected", "inspected", "defect", "undo"],
    "verify": ["verify", "verify", "defect", "undo"],
    "spread": ["looked", "looked", "problem close", "undo"],
    "wash": ["stacked", "stacked", "problem close", "undo"],
    "shuffle": ["shuffled", "shuffled-and-cut", "problem idle", "problem change-decks", "remove", "undo"],
    "cut": ["cut", "cut", "problem close", "undo"],
    "idle": ["looked", "looked", "problem close", "undo", "face-up"],
    "empty": ["emptied", "emptied 51", "shut-short", "undo"],
    "closed": ["fetch", "undo", "remove", "problem change-decks"],
    "open": ["round", "round", "round", "problem idle", "problem change-decks", "problem close", "remove"],
    "deal": ["clear"],
    "settle": ["clear"],
}
"""What a restless crew presses between two rounds."""
KINDS = (
    Equipment(SHOE, NO_SHUFFLER),
    Equipment(HAND, COUNTS),
    Equipment(HAND, COUNTS, ("blue", "red")),
    Equipment(HAND, RESHUFFLES, ("red", "blue")),
)


def restless(table: Table, dealer: Dealer, chance: Random) -> None:
    """One press of the crew, with hours between and power cuts."""
    if chance.random() < 0.05:
        table.now += chance.randrange(5) * HOUR
        table.ticks()
    if chance.random() < 0.03:
        table.restarts()
    if table.state.deck and table.house.equipment.machine:
        next_deck_is_in(table)
    word = chance.choice(WORDS[table.phase])
    if word == "round" and table.phase == "open":
        plays(dealer)
    elif word == "remove":
        number = chance.choice(numbers(table) or [0])
        table.press(f"problem remove-{number}")
        table.press("apply", DIAZ)
    else:
        table.press(word.replace("emptied", f"emptied {expected(table.state)}") if word == "emptied" else word, DIAZ)


@pytest.mark.parametrize("seed", range(24))
def test_no_deck_number_is_ever_used_twice(seed: int) -> None:
    """Whatever comes and goes, in any order: every deck that comes is another one, and the gone stay gone.

    Only a wrong tap on DEFECT is taken back: those decks never left.
    """
    chance = Random(seed)
    table, dealer = shut(BOOKS[seed % len(BOOKS)], KINDS[seed // len(BOOKS) % len(KINDS)])
    gone: set[int] = set()
    for _ in range(60):
        before = set(numbers(table))
        restless(table, dealer, chance)
        there = set(numbers(table))
        if isinstance(table.happened[-1], e.Undone):
            gone -= there - before
        gone |= before - there
        assert not there & gone, "a deck came back"
        assert len(there) == len(numbers(table)) and max(there, default=0) <= table.state.history.deck_number
        assert len({deck.color for deck in table.state.decks.here}) == len(table.state.decks.here)
    came = [number for event in table.happened if isinstance(event, e.DecksReceived)
            for number, _ in event.decks]  # fmt: skip
    assert came == list(range(1, len(came) + 1)) and came
    assert table.replayed() == table.state
