"""Shuffle and cut: sections .5 of the four books, in a dealer's words."""

from __future__ import annotations

from functools import partial

import pytest

from firmware.table import events as e
from firmware.table.interlock import obstacles
from firmware.table.irregularity import problems
from firmware.table.opening import cut_words, idle_words
from firmware.table.phases import way_of
from firmware.table.procedures import AUTOMATED, COUNTS, HAND, NO_SHUFFLER, RESHUFFLES, SHOE, SHUFFLES, Equipment
from firmware.table.state import DeckWork
from tests.table.procedures.openings import (
    ONE_BY_HAND,
    TWO_DECKS,
    is_void,
    numbers,
    opened,
    paragraph,
    plays,
    refused,
    shut,
    washes,
)
from tests.table.procedures.walks import BOOKS, locks, tells
from tests.table.table import DEALER, DIAZ, OKAFOR, Table, house_of
from ui.words import ENGLISH

every_book = pytest.mark.parametrize("book", BOOKS)
para = partial(paragraph, 5)


def offers(table: Table, key: str) -> bool:
    """PROBLEM lists it now."""
    return key in [problem.key for problem in problems(table.house, table.state)]


# Shuffle: (a) ---------------------------------------------------------------------------------------------------------


@every_book
def test_5_every_round_has_a_shuffled_deck(book: str) -> None:
    """After each round, settled or void; a preshuffled deck is excused once."""
    table, dealer = opened(book, ONE_BY_HAND)
    assert DeckWork.SHUFFLED not in map(way_of, table.happened)
    for number in range(4):
        is_void(dealer) if number % 2 else plays(dealer)
        assert table.phase == "shuffle"
        refused(table, "cut", "no-more-bets", "looked", "dealt")
        dealer.presses("shuffled", "cut") if number < 2 else dealer.presses("shuffled-and-cut")
        assert table.phase == "open" and table.state.round.number == number + 2
    shuffled = [way for way in map(way_of, table.happened) if way in (DeckWork.SHUFFLED, e.DeckCut)]
    assert len(shuffled) == 1 + 4 * 2


@every_book
def test_5_a_machine_shuffles_between_rounds_without_a_tap(book: str) -> None:
    table, dealer = opened(book)
    plays(dealer)
    assert table.phase == "open" and table.state.round.number == 2
    table.shuffles(mode="fault", fault="cycle", count=None)
    plays(dealer)
    assert table.phase == "closed", "a cycle that did not end is no shuffle"
    table.shuffles(mode="ready", fault="", count=52)
    assert table.phase == "open"


@every_book
def test_5_a_floorperson_orders_a_shuffle(book: str) -> None:
    """Between rounds back to SHUFFLE; before the first card wagers stay, and no card is dealt until it is done."""
    table, dealer = opened(book, ONE_BY_HAND)
    plays(dealer)
    tells(dealer, "shuffle", by=DIAZ)
    assert table.phase == "shuffle" and table.last(e.ShuffleWanted).by == DIAZ
    dealer.presses("shuffled-and-cut", "box 2")
    for phase in ("open", "deal"):
        if phase == "deal":
            locks(table, dealer)
        assert table.phase == phase
        tells(dealer, "shuffle")
        for badge in ("", DEALER):
            assert "floorperson's badge" in refused(table, "apply", by=badge)
        dealer.presses("apply", by=OKAFOR)
        ordered = table.last(e.RecutOrdered)
        assert (ordered.by, ordered.shuffle) == (OKAFOR, True) and table.state.players == (2,)
        if phase == "deal":
            assert refused(table, "dealt") == f"Shuffle the cards again first ({para(book, '(a)', 'A')})."
        dealer.presses("recut")
        assert not table.state.decks.recut and not table.state.decks.reshuffle and table.phase == phase
    dealer.presses("dealt")
    assert not offers(table, "shuffle")
    refused(table, "problem shuffle", by=DIAZ)


@every_book
def test_5_the_machine_does_the_shuffle_that_was_ordered(book: str) -> None:
    """Only its own word that it is done counts; the deck it shuffled needs no cut afterward."""
    table, dealer = opened(book)
    plays(dealer)
    dealer.presses("box 1")
    table.works_by_itself = False
    tells(dealer, "shuffle", by=DIAZ)
    assert "has not shuffled this deck" in refused(table, "recut"), "what it did before the order is no answer to it"
    table.says(mode="shuffling", count=None)
    assert refused(table, "recut") == "The shuffler is still at work."
    table.says(mode="ready", count=52)
    dealer.presses("recut")
    assert table.last(e.DeckDelivered) and not table.state.decks.recut and table.state.decks.cards == "machine"
    assert not offers(table, "recut"), "no cut was made that could be made again"
    tells(dealer, "shuffle", by=DIAZ)
    table.says(mode="fault", fault="door", count=None, alarm=1)
    dealer.presses("recut")
    assert table.state.decks.cards == "cut", "manually or by the device: by hand, and cut, where it is in trouble"


def test_5_at_level_0_no_winner_is_named_before_the_ordered_shuffle() -> None:
    table = Table(house=house_of(equipment=ONE_BY_HAND)).opens()
    table.press("problem")
    table.press("problem shuffle")
    table.press("apply", DIAZ)
    table.seats(3).place()
    table.lines.lock(table.now * 1_000_000, "screen")
    table.waits(40)
    table.press("count 1")
    for word in ("clear", "seat 3"):
        assert refused(table, word) == "Shuffle the cards again first (653a.5(a))."
    table.press("recut")
    table.press("seat 3")
    assert table.phase == "settle"


# The machine's count: (b) ---------------------------------------------------------------------------------------------


@every_book
@pytest.mark.parametrize("count", [51, 53])
def test_5_a_device_that_does_not_count_52_loses_the_deck(book: str, count: int) -> None:
    """Bets stay closed; a floorperson has the deck removed, and its number never comes back."""
    table, dealer = opened(book)
    table.shuffles(count=count)
    plays(dealer)
    cite = para(book, "(b)", "E")
    found = obstacles(table.house, table.state)
    assert [(ENGLISH(one.what), ENGLISH(one.remedy)) for one in found] == [
        (f"Shuffler counts {count}, not 52", f"PROBLEM, Remove a deck ({cite}).")
    ]
    tells(dealer, "remove-1")
    assert cite in refused(table, "apply", by=DEALER)
    dealer.presses("apply", by=DIAZ)
    removed = table.last(e.DeckRemoved)
    assert (removed.number, ENGLISH(removed.why), removed.by) == (1, cite, DIAZ)
    table.shuffles(mode="empty", count=0)
    dealer.presses("fetch")
    washes(dealer)
    assert numbers(table) == [2]
    assert "Put the blue deck in." in refused(table, "shuffled")
    table.shuffles(mode="ready", count=52)
    dealer.presses("shuffled")
    assert table.phase == "open"
    refused(table, "problem remove-1", by=DIAZ)


@every_book
@pytest.mark.parametrize("count", [51, 53])
def test_5_a_wrong_count_while_bets_are_open_takes_the_deck_before_a_wager_lies(book: str, count: int) -> None:
    table, dealer = opened(book)
    plays(dealer)
    table.shuffles(mode="fault", fault="count", count=count, alarm=1)
    tells(dealer, "remove-1", by=DIAZ)
    assert table.phase == "shut" and table.state.decks.here == ()


def test_5_a_lit_wager_is_played_or_void_before_a_deck_is_taken() -> None:
    table, dealer = opened("pa-653a")
    table.seats(4).place()
    tells(dealer, "remove-1")
    dealer.sees_no("apply", by=DIAZ)
    assert "play this round first" in refused(table, "apply", by=DIAZ) and numbers(table) == [1]


# Cut: (c), (d), (e) ---------------------------------------------------------------------------------------------------


@every_book
@pytest.mark.parametrize(
    ("how", "shuffler"),
    [(SHOE, NO_SHUFFLER), *((how, does) for how in (SHOE, HAND, AUTOMATED) for does in (SHUFFLES, COUNTS))],
)
def test_5_cut_what_no_device_has_shuffled(book: str, how: str, shuffler: str) -> None:
    table, dealer = shut(book, Equipment(how, shuffler))
    washes(dealer)
    dealer.presses("shuffled")
    if shuffler == NO_SHUFFLER:
        assert table.phase == "cut"
        dealer.presses("cut")
    assert table.phase == "open" and (e.DeckCut("") in table.happened) == (shuffler == NO_SHUFFLER)
    tells(dealer, "change-decks")
    dealer.presses("preinspected")
    assert table.phase == "cut", "preshuffled: cut, whatever shuffles here"


@every_book
def test_5_the_cut_is_at_least_ten_cards(book: str) -> None:
    """CUT says ten, what goes to the bottom and where the stack goes then; there is no way around it."""
    table, dealer = shut(book, ONE_BY_HAND)
    dealer.presses("preinspected")
    words = ENGLISH(cut_words(table.house, table.state))
    assert "at least 10 cards from the top" in words and "go to the bottom" in words and words.endswith("the shoe")
    by_hand, _ = shut(book, Equipment(HAND, COUNTS))
    assert ENGLISH(cut_words(by_hand.house, by_hand.state)).endswith("the hand")
    assert "at least 10 cards" in " ".join(table.words().split())
    refused(table, "no-more-bets", "dealt", "shuffled", "shuffled-and-cut", "looked", "fetch", by=DIAZ)
    table.restarts()
    assert table.phase == "cut"


@every_book
def test_5_the_floor_orders_a_recut_before_the_first_card(book: str) -> None:
    """While bets are open, at the count and before the deal; not by the dealer, and not once a card is dealt."""
    table, dealer = opened(book, ONE_BY_HAND)
    dealer.presses("box 1")
    cite = para(book, "(e)", "G")
    for phase in ("open", "deal"):
        if phase == "deal":
            locks(table, dealer)
        tells(dealer, "recut")
        assert refused(table, "apply", by=DEALER) == f"A floorperson's badge and PIN first ({cite})."
        dealer.presses("apply", by=DIAZ)
        assert table.state.decks.recut == DIAZ and not offers(table, "recut") and table.phase == phase
        table.restarts()
        if phase == "deal":
            assert refused(table, "dealt") == f"Cut the cards again first ({cite})."
        dealer.presses("recut")
        assert table.last(e.DeckCut) and not table.state.decks.recut
        assert "Nobody ordered" in refused(table, "recut")
    assert table.state.players == (1,), "the wagers stay"
    dealer.presses("dealt")
    assert not offers(table, "recut")
    refused(table, "problem recut", "recut", by=DIAZ)


# No gaming activity: (f) ----------------------------------------------------------------------------------------------


@every_book
@pytest.mark.parametrize("equipment", [ONE_BY_HAND, TWO_DECKS], ids=["by hand", "machine"])
def test_5_no_gaming_activity(book: str, equipment: Equipment) -> None:
    """Spread face down, face up on request; the first player looks; then all of wash, shuffle and cut."""
    table, dealer = opened(book, equipment)
    cite = para(book, "(f)", "H")
    dealer.presses("problem table")
    assert next(one.cite for one in problems(table.house, table.state) if one.key == "idle") == cite
    dealer.presses("problem idle")
    assert table.phase == "idle" and not table.state.decks.face_up
    dealer.presses("face-up")
    assert table.state.decks.face_up
    table.restarts()
    assert table.phase == "idle" and table.state.decks.face_up
    dealer.presses("face-up")
    assert not table.state.decks.face_up
    refused(table, "stacked", "shuffled", "no-more-bets", "box 1", "fetch")
    dealer.presses("looked", "undo", "looked")
    assert table.phase == "wash", "the look goes back to the spread cards, not to the opening of new decks"
    dealer.presses("stacked", "undo", "stacked")
    assert table.phase == "shuffle"
    if not equipment.machine:
        dealer.presses("shuffled", "cut")
    else:
        dealer.presses("shuffled")
    assert table.phase == "open" and [*map(type, table.happened)].count(e.DecksReceived) == 1, "no other decks came"
    assert ENGLISH(idle_words(table.house)).startswith("Take the cards out of the dealing shoe") == (book == "pa-671a")


@every_book
def test_5_nobody_is_idle_while_wagers_lie_or_cards_are_dealt(book: str) -> None:
    table, dealer = opened(book)
    if table.house.offers_progressive:
        table.seats(1).place()
        dealer.presses("problem table")
        assert "play this round first" in refused(table, "problem idle")
        table.seats(1).lift()
        dealer.presses("back")
    dealer.presses("box 2")
    locks(table, dealer)
    dealer.presses("dealt")
    assert not offers(table, "idle") and not offers(table, "close")
    refused(table, "problem idle", "problem close")


@every_book
def test_5_a_wrong_tap_on_idle_goes_back_to_bets(book: str) -> None:
    table, dealer = opened(book)
    tells(dealer, "idle")
    dealer.presses("undo", "undo")
    assert table.phase == "open" and not table.panel
    tells(dealer, "idle")
    tells(dealer, "close")
    dealer.presses("undo", "undo")
    assert table.phase == "idle", "the closing is taken back, and the cards still lie there for the first player"


# A device that reshuffles and counts: (g), Maryland I -----------------------------------------------------------------


@every_book
def test_5_a_device_that_reshuffles_and_counts(book: str) -> None:
    """No cut, so none to repeat; no idle spread in Pennsylvania, while Maryland frees of D to F only."""
    maryland = book == "md-36.05.16"
    table, dealer = opened(book, Equipment(AUTOMATED, RESHUFFLES))
    plays(dealer)
    assert table.phase == "open" and all(cut.waived for cut in table.happened if isinstance(cut, e.DeckCut))
    assert not offers(table, "recut") and offers(table, "idle") == maryland
    dealer.presses("problem")
    table.press("problem idle")
    assert table.phase == ("idle" if maryland else "open")
    assert table.last(e.DeckCut).waived == para(book, "(g)", "I")


@every_book
def test_5_a_covered_device_frees_of_nothing(book: str) -> None:
    table, dealer = opened(book, Equipment(AUTOMATED, RESHUFFLES))
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(mode="empty", count=0)
    assert table.phase == "shuffle"
    dealer.presses("shuffled", "cut")
    assert table.phase == "open" and offers(table, "recut") and offers(table, "idle")


# Wrong taps between two rounds ----------------------------------------------------------------------------------------


def test_a_shuffle_that_follows_a_void_round_has_nothing_to_take_back() -> None:
    """The decks were opened long ago: no undo leads back into their opening."""
    table, dealer = opened("pa-653a", ONE_BY_HAND)
    is_void(dealer)
    assert table.phase == "shuffle"
    dealer.presses("shuffled", "undo")
    assert table.phase == "shuffle"
    dealer.presses("undo")
    assert table.phase == "void" and table.final == "RoundVoided", "only the clear is taken back"
    refused(table, "undo")


def test_a_round_that_was_cleared_too_early_comes_back_from_the_shuffle() -> None:
    table, dealer = opened("pa-653a", ONE_BY_HAND)
    plays(dealer)
    dealer.presses("undo")
    assert table.phase == "deal" and table.state.decks.since_count == 0 and table.state.round.number == 1
