"""Opening the table for gaming: sections .4 of the four books, in a dealer's words."""

from __future__ import annotations

import pytest

from firmware.table import events as e
from firmware.table.phases import way_of
from firmware.table.procedures import COUNTS, HAND, RESHUFFLES, Equipment
from firmware.table.state import DeckWork
from tests.table.procedures.openings import (
    ONE_BY_HAND,
    ONE_DECK,
    TWO_DECKS,
    next_deck_is_in,
    numbers,
    plays,
    refused,
    shut,
    washes,
)
from tests.table.procedures.walks import BOOKS, tells
from tests.table.table import DEALER, DIAZ, OKAFOR, TECHNICIAN

VERIFY = {"pa-653a": "653a.4(a)", "md-36.05.16": "36.05.16.04A", "pa-671a": "671a.4(a)", "pa-677a": "677a.4(a)"}
STEPS = ("looked", "stacked", "shuffled", "cut", "no-more-bets", "dealt", "clear", "fetch", "seat 1", "box 1")
"""What a dealer in a hurry would press while the cards still lie in view."""

every_book = pytest.mark.parametrize("book", BOOKS)
by_hand_or_machine = pytest.mark.parametrize("equipment", [ONE_BY_HAND, ONE_DECK], ids=["by hand", "machine"])


@every_book
def test_4_dealer_inspects_floorperson_verifies(book: str) -> None:
    table, dealer = shut(book)
    refused(table, "inspected", "verify", "looked", by=DIAZ)
    dealer.presses("received")
    assert table.phase == "inspect" and [deck.color for deck in table.state.decks.here] == ["blue"]
    refused(table, "verify", "looked", by=DIAZ)
    dealer.presses("inspected")
    for badge in ("", DEALER, TECHNICIAN, "9999"):
        assert refused(table, "verify", by=badge) == f"A floorperson's badge and PIN first ({VERIFY[book]})."
    dealer.presses("verify", by=OKAFOR)
    assert table.phase == "spread" and table.last(e.DecksDone) == e.DecksDone(DeckWork.VERIFIED, by=OKAFOR)


@every_book
@pytest.mark.parametrize("found_by", ["dealer", "floorperson"])
def test_4_a_deck_with_a_defect_goes_away(book: str, found_by: str) -> None:
    table, dealer = shut(book)
    dealer.presses("received", *(("inspected",) if found_by == "floorperson" else ()), "defect")
    assert table.phase == "shut" and table.state.decks.here == ()
    dealer.presses("received")
    assert numbers(table) == [2], "the next one is another deck"


@every_book
def test_4_cards_are_spread_for_the_first_player(book: str) -> None:
    table, dealer = shut(book)
    dealer.presses("received", "inspected")
    dealer.presses("verify", by=DIAZ)
    refused(table, "stacked", "shuffled", "cut", "shuffled-and-cut", "fetch", "received", "preinspected", by=DIAZ)
    table.now += 3 * 3_600_000
    table.ticks()
    table.restarts()
    assert table.phase == "spread", "until a player comes, and through a power cut"
    dealer.presses("looked")
    assert table.phase == "wash"


@every_book
@by_hand_or_machine
def test_4_wash_stack_shuffle(book: str, equipment: Equipment) -> None:
    """Every step is taken, in order, and goes back; no press leads around one."""
    table, dealer = shut(book, equipment)
    machine = equipment.machine
    ways = [
        ("inspect", "received", ""),
        ("verify", "inspected", ""),
        ("spread", "verify", DIAZ),
        ("wash", "looked", ""),
        ("shuffle", "stacked", ""),
    ]
    for phase, word, by in ways:
        before = table.phase
        refused(table, *(one for one in STEPS if one != word))
        dealer.presses(word, by=by)
        assert table.phase == phase
        assert phase != "wash" or "Turn the cards face down, wash and stack them" in table.words()
        if phase != "inspect":  # the deck's number is used up when its reception is taken back
            dealer.presses("undo")
            assert table.phase == before
            dealer.presses(word, by=by)
    refused(table, "cut", "looked", "stacked")
    dealer.presses("shuffled")
    if not machine:
        assert table.phase == "cut"
        dealer.presses("undo", "undo", "stacked", "shuffled", "cut")
    assert table.phase == "open" and table.state.decks.opening == ()
    stack = [way_of(event) for event in table.happened]
    wanted = (e.DecksReceived, DeckWork.INSPECTED, DeckWork.VERIFIED, DeckWork.LOOKED, DeckWork.STACKED)
    places = [stack.index(way) for way in (*wanted, e.DeckDelivered if machine else DeckWork.SHUFFLED, e.BetsOpened)]
    assert places == sorted(places)


@every_book
def test_4_a_wrong_reception_is_taken_back(book: str) -> None:
    for words in (("received",), ("preinspected",)):
        table, dealer = shut(book)
        dealer.presses(*words, "undo")
        assert table.phase == "shut" and table.state.decks.here == () and table.state.history.deck_number == 1
        refused(table, "undo")


@every_book
@by_hand_or_machine
@pytest.mark.parametrize("words", [("looked",), ("looked", "stacked"), ("looked", "stacked", "shuffled")])
def test_4_a_closing_that_was_a_wrong_tap_opens_no_bets_on_unwashed_cards(
    book: str, equipment: Equipment, words: tuple[str, ...]
) -> None:
    """Decks that were not bet on yet lie where they lay when "close" is taken back."""
    table, dealer = shut(book, equipment)
    dealer.presses("received", "inspected")
    dealer.presses("verify", by=DIAZ)
    dealer.presses(*(words[:2] if equipment.machine else words))
    before = table.phase
    tells(dealer, "close")
    assert table.phase == "empty"
    dealer.presses("undo", "undo")
    assert table.phase == before and not table.panel
    for phase, word in (("wash", "stacked"), ("shuffle", "shuffled"), ("cut", "cut")):
        if table.phase == phase:
            dealer.presses(word)
    assert table.phase == "open"
    ways = [way_of(event) for event in table.happened]
    last = max(place for place, way in enumerate(ways) if way is DeckWork.STACKED)
    assert e.BetsOpened not in ways[:last]


@every_book
def test_4_nobody_comes_while_new_decks_are_shuffled(book: str) -> None:
    """Idle during the opening, and taken back: the shuffle is still to be done before bets open."""
    table, dealer = shut(book)
    washes(dealer)
    tells(dealer, "idle")
    dealer.presses("undo", "undo")
    assert table.phase == "shuffle"
    dealer.presses("shuffled")
    assert table.phase == "open"


@every_book
def test_4_two_decks_go_through_it_side_by_side(book: str) -> None:
    """Both are inspected, verified, spread and washed before a bet; the second is not dealt before its own shuffle."""
    table, dealer = shut(book, TWO_DECKS)
    dealer.presses("received")
    assert [deck.color for deck in table.state.decks.here] == ["blue", "red"]
    dealer.presses("inspected")
    dealer.presses("verify", by=DIAZ)
    dealer.presses("looked", "stacked")
    table.shuffles(mode="shuffling", count=None)
    assert refused(table, "shuffled") == "The shuffler is still at work."
    table.shuffles(mode="ready", count=52, deck="red")
    assert "The blue deck is next" in refused(table, "shuffled")
    table.shuffles(deck="blue")
    dealer.presses("shuffled")
    assert table.phase == "open"
    table.shuffles(mode="fault", fault="card", deck="red", count=None)
    plays(dealer)
    assert table.phase == "closed", "the red deck has not been shuffled"
    table.shuffles(mode="ready", fault="", count=52)
    assert table.phase == "open"


@every_book
def test_4_one_deck_that_is_replaced_goes_through_it_alone(book: str) -> None:
    table, dealer = shut(book, TWO_DECKS)
    dealer.presses("preinspected", "cut")
    tells(dealer, "remove-2", by=DIAZ)
    assert table.phase == "shut" and numbers(table) == [1]
    dealer.presses("received")
    assert table.phase == "inspect" and table.state.decks.opening == (3,)
    dealer.presses("defect")
    assert numbers(table) == [1], "the deck that stayed is not sent away"
    dealer.presses("preinspected", "cut")
    assert table.phase == "open" and numbers(table) == [1, 4]


@every_book
@by_hand_or_machine
def test_4_preinspected_decks_skip_the_opening(book: str, equipment: Equipment) -> None:
    """No inspection, no spread, no wash, no first shuffle: the cut; and what the machine holds is not asked yet."""
    table, dealer = shut(book, equipment)
    if equipment.machine:
        table.shuffles(mode="empty", count=0, deck="")
    dealer.presses("preinspected")
    assert table.phase == "cut"
    refused(table, "inspected", "looked", "shuffled", "no-more-bets")
    dealer.presses("cut")
    assert table.phase == "open"
    done = [way_of(event) for event in table.happened if isinstance(event, e.DecksDone | e.DeckDelivered)]
    assert done == [DeckWork.PREINSPECTED]
    plays(dealer)
    assert table.phase == ("closed" if equipment.machine else "shuffle"), "the next round needs a shuffle"
    if equipment.machine:
        next_deck_is_in(table)
        assert table.phase == "open"


@every_book
def test_4_preinspected_decks_of_a_device_that_reshuffles_are_not_cut(book: str) -> None:
    table, dealer = shut(book, Equipment(HAND, RESHUFFLES))
    dealer.presses("preinspected")
    assert table.phase == "open" and table.last(e.DeckCut).waived in ("36.05.16.05I", f"{book[3:]}.5(g)")
    counts, dealer = shut(book, Equipment(HAND, COUNTS))
    dealer.presses("preinspected")
    assert counts.phase == "cut"


def test_a_table_opens_with_every_deck_here() -> None:
    table, dealer = shut("pa-653a")
    dealer.presses("preinspected", "cut")
    assert refused(table, "fetch", "received", "preinspected") == "PREINSPECTED is not available now."
    tells(dealer, "idle")
    dealer.presses("undo")
    assert table.phase == "open"
