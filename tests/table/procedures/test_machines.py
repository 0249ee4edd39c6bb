"""What a machine says, and what has to follow: sections .3(b), .5(a), (b), .8(e) to (h) and .13(e), (f), H, I of the books.

A deck that a machine counted wrong never comes back; a shuffle has to be seen; a jam in a round has its consequence.
"""

from __future__ import annotations

from typing import Any

import pytest

from firmware.table import events as e
from firmware.table.interlock import obstacles, stub_due
from firmware.table.irregularity import problems
from firmware.table.procedures import AUTOMATED, COUNTS, HAND, NO_SHUFFLER, RESHUFFLES, SHOE, SHUFFLES, Equipment
from tests.sample import some
from tests.table.procedures.openings import ONE_BY_HAND, TWO_DECKS, next_deck_is_in, opened, plays, refused, washes
from tests.table.procedures.walks import BOOKS, at_ask, at_deal, at_reveal, betting, locks, tells
from tests.table.table import DIAZ, Dealer, Table
from ui.words import ENGLISH

every_book = pytest.mark.parametrize("book", BOOKS)
MARYLAND = "md-36.05.16"
COUNT = {"pa-653a": "653a.5(b)", MARYLAND: "36.05.16.05E", "pa-671a": "671a.5(b)", "pa-677a": "677a.5(b)"}
SHOE_JAM = {"pa-653a": "653a.13(f)", MARYLAND: "36.05.16.13I", "pa-671a": "671a.13(f)", "pa-677a": "677a.13(f)"}


def reasons(table: Table) -> list[str]:
    """What keeps bets closed."""
    return [ENGLISH(one.what) for one in obstacles(table.house, table.state)]


def offered(table: Table) -> list[str]:
    return [problem.key for problem in problems(table.house, table.state)]


def by_word(table: Table) -> None:
    """From here on the machine says only what the test has it say."""
    table.works_by_itself = False


# .5(b): a deck that was counted wrong ---------------------------------------------------------------------------------


@every_book
@pytest.mark.parametrize("count", [51, 53])
def test_5b_a_deck_counted_wrong_does_not_come_back_when_it_is_counted_right(book: str, count: int) -> None:
    """(a) The same cards are shuffled again, and the machine says 52: it revealed a wrong number, and the deck goes."""
    table, dealer = opened(book)
    plays(dealer)
    table.shuffles(mode="shuffling", count=None)
    table.shuffles(mode="ready", count=count)
    by_word(table)
    revealed = table.last(e.DeckMiscounted)
    assert (revealed.number, revealed.cards) == (1, count)
    table.says(mode="shuffling", count=None)
    table.says(mode="ready", count=52)
    locks(table, dealer)
    dealer.presses("clear")
    assert table.phase == "closed" and reasons(table) == [f"Shuffler counts {count}, not 52"]
    table.restarts()
    assert table.phase == "closed", "a power cut makes no deck whole"
    tells(dealer, "remove-1", by=DIAZ)
    removed = table.last(e.DeckRemoved)
    assert (removed.number, ENGLISH(removed.why)) == (1, COUNT[book]) and not table.state.decks.miscounted


@every_book
def test_5b_a_deck_counted_wrong_does_not_come_back_by_hand(book: str) -> None:
    """(b) The machine is covered and emptied, the cards would be shuffled by hand: the deck has to go all the same."""
    table, dealer = opened(book)
    plays(dealer)
    table.shuffles(mode="shuffling", count=None)
    table.shuffles(mode="fault", fault="count", count=51, alarm=1)
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(mode="empty", fault="", count=0)
    assert table.phase == "shuffle"
    assert "counts 51, not 52" in refused(table, "shuffled", "shuffled-and-cut")
    tells(dealer, "remove-1", by=DIAZ)
    assert table.phase == "shut"
    washes(dealer)
    dealer.presses("shuffled-and-cut")
    assert table.phase == "open" and [deck.number for deck in table.state.decks.here] == [2]


@every_book
@pytest.mark.parametrize("level", [0, 1])
def test_5b_counted_wrong_while_wagers_lie_no_card_is_dealt_and_the_round_is_void(book: str, level: int) -> None:
    """Bets are open, the deck was ready; the machine counts it again: what the book has for the round decides."""
    table, dealer = opened(book, level=level)
    plays(dealer)
    if level:
        dealer.presses("box 1")
    by_word(table)
    table.says(mode="ready", count=51)
    assert table.last(e.DeckMiscounted).number == 1 and table.phase == "open"
    table.says(mode="shuffling", count=None)
    table.says(mode="ready", count=52)
    locks(table, dealer)
    for word in ("dealt",) if level else ("clear", "seat 1"):
        assert f"counts 51, not 52. PROBLEM voids the round ({COUNT[book]})" in refused(table, word)
    tells(dealer, "wrong-number" if book == "pa-671a" else "not-52", by=DIAZ)
    dealer.presses("clear")
    assert table.phase == "closed" and (not table.state.decks.here) == (book != "pa-671a")


@every_book
def test_5b_of_two_decks_the_one_that_was_counted_goes_after_the_round(book: str) -> None:
    """Red is dealt while the machine counts blue: the round is played, then blue is removed and replaced."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    plays(dealer)
    table.shuffles(mode="ready", deck="red")
    assert table.phase == "open" and table.state.deck and table.state.deck.color == "red"
    by_word(table)
    table.says(mode="shuffling", deck="blue", count=None)
    table.says(mode="ready", count=53)
    assert table.last(e.DeckMiscounted).number == 1
    locks(table, dealer)
    dealer.presses("clear")
    assert table.phase == "closed" and reasons(table) == ["Shuffler counts 53, not 52"]
    tells(dealer, "remove-1", by=DIAZ)
    dealer.presses("fetch", "preinspected", "cut")
    assert [deck.number for deck in table.state.decks.here] == [2, 3]


def test_5b_what_a_machine_counts_that_does_not_count_is_no_count() -> None:
    table, _ = opened("pa-653a", Equipment(HAND, SHUFFLES))
    table.shuffles(count=17)
    assert e.DeckMiscounted not in map(type, table.happened)


def test_5b_cards_that_stuck_in_a_jam_are_no_count_of_a_deck() -> None:
    table, _ = opened("pa-653a")
    table.shuffles(mode="fault", fault="jam", count=31)
    assert e.DeckMiscounted not in map(type, table.happened)


def test_5b_the_next_deck_is_not_blamed_for_cards_left_in_the_machine() -> None:
    """The wrong deck has gone from the table and its cards lie in the machine still: the new one is not that deck."""
    table, dealer = opened("pa-653a")
    plays(dealer)
    by_word(table)
    table.says(mode="shuffling", count=None)
    table.says(mode="ready", count=51)
    tells(dealer, "remove-1", by=DIAZ)
    washes(dealer)
    table.restarts()
    assert [deck.number for deck in table.state.decks.here] == [2] and not table.state.decks.miscounted
    assert "Put the blue deck in." in refused(table, "shuffled")


# .5(a), .13(e): a shuffle has to be seen ------------------------------------------------------------------------------


@every_book
@pytest.mark.parametrize("shuffler", [COUNTS, SHUFFLES])
def test_5a_a_machine_that_never_left_ready_has_not_shuffled(book: str, shuffler: str) -> None:
    """After each round: `ready` alone is yesterday's word. Empty, loading or shuffling before it are a sign."""
    table, dealer = opened(book, Equipment(HAND, shuffler))
    by_word(table)
    plays(dealer)
    assert table.phase == "closed" and reasons(table) == ["The shuffler has not shuffled this deck"]
    assert "Put the blue deck in." in table.words()
    table.restarts()
    assert table.phase == "closed"
    for mode in ("dispensing", "idle", "sort"):
        table.says(mode=mode)
        table.says(mode="ready")
    assert e.DeckDelivered not in map(type, table.happened) and not table.state.decks.cards
    table.says(mode="shuffling")
    table.says(mode="ready")
    assert table.phase == "open" and table.state.decks.cards == "machine"


@every_book
def test_5a_one_shuffle_is_good_for_one_round(book: str) -> None:
    table, dealer = opened(book)
    by_word(table)
    for _ in range(3):
        plays(dealer)
        assert table.phase == "closed"
        table.says(mode="empty", count=0)
        table.says(mode="loading", count=None)
        assert table.phase == "open"
        table.says(mode="ready", count=52)
        assert table.state.decks.cards == "machine"


@every_book
def test_5a_cards_that_go_in_before_the_table_is_cleared_count(book: str) -> None:
    table, dealer = opened(book)
    by_word(table)
    locks(table, dealer)
    table.says(mode="shuffling", count=None)
    table.says(mode="ready", count=52)
    dealer.presses("clear")
    assert table.phase == "open" and table.state.decks.cards == "machine"


@every_book
def test_5a_a_stale_ready_delivers_no_deck_to_open_bets(book: str) -> None:
    """Bets opened while the machine was at work; it goes back to ready without a shuffle: no card is dealt."""
    table, dealer = opened(book)
    plays(dealer)
    dealer.presses("box 1")
    by_word(table)
    locks(table, dealer)
    dealer.presses("dealt", "undo")
    tells(dealer, "shuffle", by=DIAZ)
    table.says(mode="ready")
    assert "has not shuffled this deck" in refused(table, "recut")
    assert "Shuffle the cards again first" in refused(table, "dealt")


@pytest.mark.parametrize("book", ["pa-653a", "pa-671a", "pa-677a"])
def test_13e_after_a_jam_the_machine_has_to_shuffle_again(book: str) -> None:
    """Fault gone, SEEN pressed: ready alone opens no bets, and delivers no deck where they are open."""
    table, dealer = opened(book)
    plays(dealer)
    by_word(table)
    table.says(mode="empty", count=0)
    table.says(mode="shuffling", count=None)
    table.says(mode="fault", fault="jam", alarm=1)
    locks(table, dealer)
    dealer.presses("clear")
    table.says(mode="ready", fault="", count=52)
    dealer.presses("acknowledge")
    assert table.phase == "closed" and reasons(table) == ["The shuffler has not shuffled this deck"]
    table.says(mode="shuffling", count=None)
    assert table.phase == "open"
    table.says(mode="fault", fault="cycle", alarm=2)
    table.says(mode="ready", fault="", count=52)
    dealer.presses("box 1")
    locks(table, dealer)
    dealer.presses("acknowledge")
    assert "has not shuffled this deck" in refused(table, "dealt")
    table.says(mode="shuffling", count=None)
    table.says(mode="ready", count=52)
    dealer.presses("dealt")


AT_THE_DECK: dict[str, dict[str, Any]] = {
    "begins": {"mode": "shuffling", "count": None},
    "loads": {"mode": "loading", "count": None},
    "sorts": {"mode": "sort", "count": None},
    "tests itself": {"mode": "selftest", "count": None},
    "is taken out of service": {"mode": "service"},
    "its door opens": {"mode": "fault", "fault": "door"},
    "its lid opens": {"mode": "fault", "fault": "lid"},
    "counts again": {"mode": "ready", "count": None},
}


@every_book
@pytest.mark.parametrize("what", some(AT_THE_DECK, keep=["begins", "its door opens"]))
@pytest.mark.parametrize("counted", [False, True], ids=["open", "locked"])
def test_5a_what_the_machine_does_with_the_deck_after_bets_opened_is_believed(
    book: str, what: str, counted: bool
) -> None:
    """It holds this round's deck, ready: whatever it does with it, those cards are not shuffled any more."""
    table, dealer = opened(book)
    plays(dealer)
    dealer.presses("box 1")
    by_word(table)
    assert table.state.decks.cards == "machine"
    if counted:
        locks(table, dealer)
    table.says(**AT_THE_DECK[what])
    assert not table.state.decks.cards
    table.says(mode="ready", count=52, fault="")
    if not counted:
        locks(table, dealer)
    if what not in ("begins", "loads"):
        assert "has not shuffled this deck" in refused(table, "dealt")
        table.says(mode="shuffling", count=None)
        table.says(mode="ready", count=52)
    assert table.state.decks.cards == "machine"
    dealer.presses("dealt")


@every_book
def test_5a_what_the_machine_does_with_the_other_deck_or_empty_says_nothing_of_this_one(book: str) -> None:
    two, dealer = opened(book, TWO_DECKS, level=0)
    plays(dealer)
    next_deck_is_in(two)
    by_word(two)
    color = two.state.deck.color if two.state.deck else ""
    two.says(mode="ready", deck=color)
    two.says(mode="shuffling", count=None, deck="red" if color == "blue" else "blue")
    assert two.state.decks.cards == "machine"
    one, dealer = opened(book)
    plays(dealer)
    dealer.presses("box 1")
    by_word(one)
    locks(one, dealer)
    one.says(mode="empty", count=0)
    one.says(mode="fault", fault="door", alarm=1)
    assert one.state.decks.cards == "machine", "the deck is in the dealer's hand"


@every_book
def test_4c_washed_cards_are_shuffled_by_the_machine_before_its_word_counts(book: str) -> None:
    table, dealer = opened(book)
    tells(dealer, "idle")
    by_word(table)
    dealer.presses("looked", "stacked")
    assert "has not shuffled this deck" in refused(table, "shuffled")
    table.says(mode="loading", count=None)
    assert "still at work" in refused(table, "shuffled")
    table.says(mode="ready", count=52)
    dealer.presses("shuffled")
    assert table.phase == "open"


def test_another_shuffler_has_shuffled_nothing_that_this_table_saw() -> None:
    table, dealer = opened("pa-653a")
    by_word(table)
    table.says(unit="S-2", mode="shuffling", count=None)
    locks(table, dealer)
    dealer.presses("clear")
    table.says(mode="ready", count=52)
    tells(dealer, "new-unit", by=DIAZ)
    assert table.phase == "closed" and reasons(table) == ["The shuffler has not shuffled this deck"]


# .3(b)(3): two decks, every other round of play -----------------------------------------------------------------------


@every_book
def test_3b3_a_round_in_which_no_card_left_the_deck_swaps_none(book: str) -> None:
    """Locked, nobody plays, cleared: the red deck rests in the machine, the blue one is next, and bets are open."""
    table, dealer = opened(book, TWO_DECKS)
    for _ in range(3):
        plays(dealer)
        assert table.phase == "open" and table.state.deck and table.state.deck.color == "blue"
        assert table.last(e.RoundCleared).dealt is False


@every_book
def test_3b3_a_void_round_swaps_only_where_cards_were_dealt(book: str) -> None:
    """Void before the first card, blue stays; once a card was out, red is next."""
    table, dealer = betting(book, 1, 2, equipment=TWO_DECKS)
    tells(dealer, "shuffle", by=DIAZ)
    locks(table, dealer)
    tells(dealer, "wrong-number", by=DIAZ)
    table.press("clear")
    assert table.last(e.RoundVoided).dealt is False
    assert table.state.deck and table.state.deck.color == "blue"
    table.shuffles(mode="ready", deck="blue")
    assert table.phase == "open"
    locks(table, dealer)
    dealer.presses("dealt")
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("clear")
    assert table.last(e.RoundCleared).dealt and table.state.deck and table.state.deck.color == "red"


# .13(f), Maryland H and I: the device fails in a round ----------------------------------------------------------------

SHOE_OF_ITS_OWN = Equipment(AUTOMATED, RESHUFFLES)
JAM = {"mode": "fault", "fault": "jam", "count": None, "alarm": 1}


def nothing_else_is_left(table: Table, cite: str, *words: str) -> None:
    for word in words:
        assert refused(table, word) == f"The machine failed. PROBLEM: return all wagers ({cite})."
    assert table.screen().name == "device-failed"


@every_book
@pytest.mark.parametrize("walk", [at_deal, at_ask])
def test_13f_a_shoe_that_jams_in_a_round_leaves_nothing_but_a_void_round(book: str, walk) -> None:  # type: ignore[no-untyped-def]
    """Known to the table: no card more, also when the shoe says that it works again; a floorperson signs the void."""
    table, dealer = walk(book, 1, 2, equipment=SHOE_OF_ITS_OWN)
    by_word(table)
    table.says(**JAM)
    failed = table.last(e.DeviceFailed)
    assert (failed.fault, failed.cite) == ("jam", SHOE_JAM[book])
    nothing_else_is_left(table, SHOE_JAM[book], *(("dealt",) if walk is at_deal else ("next", "seat 1")))
    table.says(mode="ready", fault="", count=52)
    table.restarts()
    nothing_else_is_left(table, SHOE_JAM[book], *(("dealt", "clear") if walk is at_deal else ("next",)))
    dealer.presses("problem shoe-fault")
    dealer.presses("apply", by=DIAZ)
    voided = table.last(e.RoundVoided)
    assert (voided.cite, voided.kind) == (SHOE_JAM[book], "dealing_shoe_fault")
    dealer.presses("clear", "acknowledge")
    assert reasons(table) == ["The shuffler has not shuffled this deck"], "its cards and those dealt are reshuffled"


@pytest.mark.parametrize("book", ["pa-653a", MARYLAND, "pa-677a"])
def test_13f_also_when_every_decision_is_made(book: str) -> None:
    table, _ = at_reveal(book, 1, 2, equipment=SHOE_OF_ITS_OWN)
    table.says(**JAM)
    nothing_else_is_left(table, SHOE_JAM[book], "dealer yes")


def test_13f_what_was_paid_stays_paid_and_the_floor_decides() -> None:
    """A seat that is settled stands in the way of a void round: the others are settled too."""
    table, dealer = at_reveal("pa-653a", 1, 2, equipment=SHOE_OF_ITS_OWN)
    dealer.presses("dealer no", "answer higher", "answer none", "settled")
    table.says(**JAM)
    assert table.screen().name == "settle"
    dealer.presses("answer higher", "answer none", "settled")


@every_book
def test_13f_a_shoe_that_jammed_before_the_lock_deals_nothing_until_it_has_reshuffled(book: str) -> None:
    """Not during a round of play: nothing is void, but what was ready is not ready any more."""
    if book == MARYLAND:
        pytest.skip("13H returns the wagers there")
    table, dealer = betting(book, 1, 2, equipment=SHOE_OF_ITS_OWN)
    by_word(table)
    table.says(**JAM)
    locks(table, dealer)
    refused(table, "dealt")
    table.says(mode="ready", fault="", count=52)
    dealer.presses("acknowledge")
    assert "has not shuffled this deck" in refused(table, "dealt")
    table.says(mode="shuffling", count=None)
    table.says(mode="ready", count=52)
    dealer.presses("dealt")


@pytest.mark.parametrize("fault", ["jam", "cycle", "motor", "card"])
@pytest.mark.parametrize("walk", [at_deal, at_ask, at_reveal])
def test_13h_maryland_returns_all_wagers_when_the_shuffler_is_known_to_have_stopped(walk, fault: str) -> None:  # type: ignore[no-untyped-def]
    table, dealer = walk(MARYLAND, 1, 2, lit=(1,))
    table.says(**{**JAM, "fault": fault})
    nothing_else_is_left(
        table, "36.05.16.13H", "clear" if walk is at_deal else "stub-right" if walk is at_reveal else "next"
    )
    dealer.presses("problem shuffler-fault")
    dealer.presses("apply", by=DIAZ)
    assert table.last(e.RoundVoided).cite == "36.05.16.13H"


@pytest.mark.parametrize("level", [0, 1])
def test_13h_maryland_returns_the_wagers_also_while_bets_are_open(level: int) -> None:
    """Lit chips lie: PROBLEM has the key, nothing is collected; a chip that still lies is no wager of the next round."""
    table, dealer = betting(MARYLAND, 1, lit=(1, 3), level=level)
    assert "shuffler-fault" in offered(table)
    table.says(**JAM)
    nothing_else_is_left(table, "36.05.16.13H", "sensor 2")
    dealer.presses("problem shuffler-fault")
    dealer.presses("apply", by=DIAZ)
    voided = table.last(e.RoundVoided)
    assert voided.cite == "36.05.16.13H" and {one.seat for one in voided.returned} == {1, 3} and not voided.dealt
    assert not table.owed, "the bank never heard of these wagers"
    table.seats(1).lift()
    dealer.presses("clear")
    table.shuffles(mode="ready", fault="", count=52)
    dealer.presses("acknowledge")
    assert table.phase == "open" and table.lit == (), "seat 3 took its chip not back yet"
    table.seats(3).lift()
    table.seats(3).place()
    assert table.lit == (3,)


def test_13h_maryland_without_a_wager_a_jam_returns_none() -> None:
    table, _ = betting(MARYLAND, level=0)
    table.says(**JAM)
    assert table.phase == "open" and not table.state.round.device_failed


def test_13h_a_clear_is_not_taken_back_into_a_round_that_the_jam_would_have_voided() -> None:
    """The new round has no wager to return; the one before would have. `scripts/bench undo`, seed 3 of Maryland, level 0."""
    table, dealer = at_deal(MARYLAND, level=0)
    dealer.presses("clear")
    assert "undo" in table.pressable()
    table.says(**JAM)
    dealer.sees_no("undo")
    assert table.final == "meant else" and table.state.round.number == 2


def test_13h_wagers_that_were_locked_after_the_jam_go_back_as_well() -> None:
    table, dealer = betting(MARYLAND, lit=(2,), level=0)
    table.says(**JAM)
    table.turns_switch(locked=True)
    assert table.phase == "count"
    nothing_else_is_left(table, "36.05.16.13H", "count 1")
    dealer.presses("problem shuffler-fault")
    dealer.presses("apply", by=DIAZ)
    assert table.phase == "void"


# .8(e) to (h), 671a.11(h): the count of the stub ----------------------------------------------------------------------


def four_rounds(table: Table, dealer: Dealer) -> None:
    """Four rounds without a count; the fifth is open."""
    for _ in range(4):
        if table.phase == "shuffle":
            dealer.presses("shuffled-and-cut")
        plays(dealer)
    if table.phase == "shuffle":
        dealer.presses("shuffled-and-cut")
    assert table.phase == "open"


@pytest.mark.parametrize("book", ["pa-653a", MARYLAND])
def test_8_9_10_at_level_0_no_prize_is_named_before_the_count(book: str) -> None:
    """The count follows the community cards and may void everything: first it, then winners."""
    table, dealer = betting(book, level=0, equipment=ONE_BY_HAND)
    four_rounds(table, dealer)
    table.seats(3).place()
    locks(table, dealer)
    assert refused(table, "seat 3").startswith("Count the stub first: five rounds have gone")
    assert {"misdealt", "not-52"} <= set(offered(table))
    dealer.presses("stub-right", "seat 3")
    assert table.phase == "settle"


def void_in_the_fifth(book: str) -> tuple[Table, Dealer]:
    """Four rounds without a count; the fifth is void after the deal."""
    table, dealer = betting(book, equipment=ONE_BY_HAND)
    four_rounds(table, dealer)
    dealer.presses("box 1")
    locks(table, dealer)
    dealer.presses("dealt")
    tells(dealer, "wrong-number", by=DIAZ)
    return table, dealer


@every_book
def test_8_9_10_11h_a_void_fifth_round_is_counted_too(book: str) -> None:
    """ "At least once every 5 rounds of play": what voids the fifth does not put its count off."""
    table, dealer = void_in_the_fifth(book)
    assert stub_due(table.house, table.state)
    assert refused(table, "clear").startswith("Count the stub first")
    dealer.presses("stub-right", "clear")
    assert table.state.decks.since_count == 0


@every_book
def test_8_9_10_11h_a_void_fifth_round_that_is_counted_wrong_loses_the_deck(book: str) -> None:
    table, dealer = void_in_the_fifth(book)
    tells(dealer, "not-52", by=DIAZ)
    assert table.last(e.DeckRemoved).number == 1
    dealer.presses("clear")
    assert reasons(table) == ["A deck is missing"]


@pytest.mark.parametrize("book", ["pa-653a", MARYLAND, "pa-677a"])
def test_8_9_10_misdealt_cards_of_which_52_remain_were_counted(book: str) -> None:
    table, dealer = betting(book, equipment=Equipment(SHOE, NO_SHUFFLER))
    four_rounds(table, dealer)
    dealer.presses("box 1")
    locks(table, dealer)
    dealer.presses("dealt")
    tells(dealer, "misdealt", by=DIAZ)
    dealer.presses("clear")
    assert table.state.decks.since_count == 0


@every_book
def test_8_9_10_11h_where_no_card_was_dealt_none_is_counted(book: str) -> None:
    table, dealer = betting(book, equipment=ONE_BY_HAND)
    four_rounds(table, dealer)
    dealer.presses("box 1")
    tells(dealer, "recut", by=DIAZ)
    locks(table, dealer)
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("clear")
    assert stub_due(table.house, table.state), "the next round is counted"
