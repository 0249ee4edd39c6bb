"""Three ways of dealing: from a manual shoe (.8), from the hand (.9), from an automated shoe (.10), stub counts."""

from __future__ import annotations

import pytest

from firmware.rules.message import say
from firmware.table import events as e
from firmware.table.dealing import Step, last_cards, next_cards, steps, stub_cards
from firmware.table.inputs import ButtonPushed
from firmware.table.interlock import method, obstacles, stub_due
from firmware.table.irregularity import problems
from firmware.table.phases import TRANSITIONS, way_of
from firmware.table.procedures import (
    AUTOMATED,
    COUNTS,
    HAND,
    METHODS,
    NO_SHUFFLER,
    RESHUFFLES,
    SHOE,
    SHUFFLES,
    Equipment,
)
from firmware.table.projections import locked
from firmware.table.state import Phase, RoundWork
from tests.table.procedures.walks import BOOKS, HOLDEM, Stakes, at_ask, at_deal, betting, buys_in, locks, refuses, tells
from tests.table.table import DEALER, DIAZ, Dealer, Table
from ui.words import ENGLISH

every_book = pytest.mark.parametrize("book", BOOKS)
every_method = pytest.mark.parametrize("how", METHODS)
SIX: Stakes = {2: {"trips": 500, "six_card_bonus": 500}}


def goes_out_of_order(table: Table, dealer: Dealer) -> None:
    """The shuffler is covered, and its cards are taken out."""
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(mode="empty", count=0)


def says(table: Table) -> list[tuple[str, str]]:
    """The lines of the deal, each with its paragraph."""
    return [(ENGLISH(step.words), step.cite) for step in steps(table.house, table.state)]


# Which way: .8(a), .9(a), .10(a) ------------------------------------------------------------------------------------


@every_book
@every_method
def test_8_9_10_a_table_is_set_to_a_way_of_dealing(book: str, how: str) -> None:
    """With a device in each way, without one from a manual shoe; the way changes between rounds only."""
    table, dealer = betting(book, 2, equipment=Equipment(how, COUNTS))
    assert method(table.house, table.state) == how
    assert "cover" in {one.key for one in problems(table.house, table.state)}
    locks(table, dealer)
    assert "cover" not in {one.key for one in problems(table.house, table.state)}
    dealer.presses("dealt")
    assert method(table.house, table.state) == how

    by_hand, _ = betting(book, 2, equipment=Equipment(SHOE, NO_SHUFFLER))
    assert method(by_hand.house, by_hand.state) == SHOE


@every_book
def test_9_the_hand_needs_an_automated_shuffler(book: str) -> None:
    """.9(a)(1): when the shuffler is covered as out of order the cards go into a shoe, until it works again."""
    table, dealer = betting(book, equipment=Equipment(HAND, COUNTS))
    assert method(table.house, table.state) == HAND
    goes_out_of_order(table, dealer)
    assert method(table.house, table.state) == SHOE
    dealer.presses("shuffled-and-cut", "box 2")
    locks(table, dealer)
    chapter = book.partition("-")[2]
    assert says(table)[-1][1].startswith(f"{chapter}.08" if book == "md-36.05.16" else f"{chapter}.8")


# No more bets: .8(b), .9(a)(3), .10(a)(2) ---------------------------------------------------------------------------


@every_book
@every_method
def test_8_9_10_no_more_bets_before_the_first_card(book: str, how: str) -> None:
    """From open bets the only way to a card is the lock; with a chip on the felt, over the count."""
    table, dealer = betting(book, 2, equipment=Equipment(how, COUNTS))
    if table.house.offers_progressive:
        table.seats(2).place()
    for word in ("dealt", "next", "winners", "dealer yes", "clear", "count 0"):
        assert refuses(table, word).endswith("is not available now.")
    dealer.presses("no-more-bets")
    if table.house.offers_progressive:
        assert table.phase == "count" and refuses(table, "dealt") == "DEALT is not available now."
        dealer.presses("count 1")
    assert table.phase == "deal"
    kinds = [type(event) for event in table.happened]
    assert kinds.index(e.BetsOpened) < kinds.index(e.BetsClosed) < kinds.index(e.CountAgreed)


def test_8_9_10_no_transition_deals_from_open_bets() -> None:
    """The table of transitions itself: OPEN leads to COUNT, never to the deal or beyond."""
    assert set(TRANSITIONS[Phase.OPEN].values()).isdisjoint({Phase.DEAL, Phase.ASK, Phase.SETTLE})
    leads = {phase for phase, ways in TRANSITIONS.items() if Phase.DEAL in ways.values()}
    assert leads == {Phase.COUNT, Phase.DIFFERENCE}


@every_method
def test_8_9_10_no_more_bets_locks_every_electronic_wager(how: str) -> None:
    """653a.8(b): chips and buttons alike; a chip after it is late, a push after it is nothing."""
    table, dealer = betting("pa-653a", 2, lit=(2,), five_card=True, equipment=Equipment(how, COUNTS))
    buys_in(dealer, 2, 500)
    table.hears(ButtonPushed(2, "own", table.now * 1_000_000))
    dealer.presses("no-more-bets")
    assert locked(table.state) and table.state.wagers == (2,) and table.state.seat(2).five_card
    table.seats(5).place()
    assert table.lamps.split()[4] == "late" and table.state.wagers == (2,)
    table.hears(ButtonPushed(2, "dealer", table.now * 1_000_000))
    assert ENGLISH(table.last(e.ButtonIgnored).why) == "no more bets" and table.state.felt.accounts[1] == 400


def test_8_9_10_a_push_after_the_lock_that_came_before_it_goes_back() -> None:
    """653a.7(c): the lock's time stamp decides, not who was heard first."""
    table, dealer = betting("pa-653a", 2, five_card=True)
    buys_in(dealer, 2, 500)
    table.hears(ButtonPushed(2, "own", (table.now + 5_000) * 1_000_000))
    dealer.presses("no-more-bets")
    assert table.last(e.WagerReturned).why == "after the lock"
    assert not table.state.seat(2).five_card and table.state.felt.accounts[1] == 500


# Who is dealt what, in which order: .8(d), .9(b), .10(b) ------------------------------------------------------------

ONE_BY_ONE = {
    "pa-653a": "One card at a time, face down: seats 2 and 5, then the dealer; 2 each",
    "md-36.05.16": "One card at a time, face down: seats 2 and 5, then the dealer, under a cover card; 2 each",
    "pa-671a": "One card at a time, face down: seats 2 and 5, then the dealer; the dealer's last card face up; 5 each",
    "pa-677a": "One card at a time, face down: seats 2 and 5, then the dealer; 2 each",
}
ORDER = {
    SHOE: {"pa-653a": "653a.8(d)", "md-36.05.16": "36.05.16.08D(2)", "pa-671a": "671a.8(c)", "pa-677a": "677a.8(c)"},
    HAND: {"pa-653a": "653a.9(b)", "md-36.05.16": "36.05.16.09B(2)", "pa-671a": "671a.9(b)", "pa-677a": "677a.9(b)"},
}
AWAY = {
    SHOE: {"pa-653a": "653a.8(e)", "md-36.05.16": "36.05.16.08D(4)", "pa-677a": "677a.8(d)"},
    HAND: {"pa-653a": "653a.9(c)", "md-36.05.16": "36.05.16.09B(4)", "pa-677a": "677a.9(c)"},
    AUTOMATED: {"pa-653a": "653a.10(c)", "pa-677a": "677a.10(c)"},
}


def deals_one_by_one(book: str, how: str) -> None:
    """From the dealer's left, one card at a time, to who plays and to the dealer; the community cards by streets."""
    table, dealer = at_deal(book, 5, 2, equipment=Equipment(how, COUNTS))
    assert says(table) == [(ONE_BY_ONE[book], ORDER[how][book])]
    (step,) = steps(table.house, table.state)
    assert step.cards == 3 * table.house.procedure.hole_cards
    dealer.presses("dealt")
    dealt = []
    while book != "pa-671a" and (now := next_cards(table.house, table.state)):
        dealt.append(ENGLISH(now.words).partition(" face up")[0].rpartition("eal ")[2])
        dealer.presses("next")
    assert dealt == ([] if book == "pa-671a" else ["the flop", "turn and river"])


@every_book
def test_8_the_manual_shoe_deals_in_the_books_order(book: str) -> None:
    """653a.8(d), 36.05.16.08D, 671a.8(c), 677a.8(c)."""
    deals_one_by_one(book, SHOE)


@every_book
def test_9_the_hand_deals_in_the_books_order(book: str) -> None:
    """653a.9(b), 36.05.16.09B, 671a.9(b), 677a.9(b)."""
    deals_one_by_one(book, HAND)


STACKS = {
    "pa-653a": [
        ("A stack of 2 to seats 2 and 5, then to the dealer, under a cover card", "653a.10(b)"),
        ("The rest out of the shoe, into the hand", "653a.10(c)"),
    ],
    "md-36.05.16": [
        ("4 cards face down to the Six Card box", "36.05.16.10B(1)"),
        ("5 community cards face down, spread in the middle", "36.05.16.10B(2)"),
        ("A stack of 2 to the dealer, then to seats 2 and 5", "36.05.16.10B(3)"),
        ("The rest out of the machine; the stub unseen into the discard rack", "36.05.16.10B(4)"),
    ],
    "pa-671a": [("A stack of 5 to seats 2 and 5, then to the dealer; the dealer's last card face up", "671a.10(b)")],
    "pa-677a": [
        ("A stack of 2 to seats 2 and 5, then to the dealer", "677a.10(b)"),
        ("The rest out of the shoe, into the hand", "677a.10(c)"),
    ],
}


@every_book
def test_10_the_automated_shoe_deals_in_the_books_order(book: str) -> None:
    """Stacks: in Pennsylvania the dealer is last, in Maryland he comes before the players, and the board before him."""
    table, _ = at_deal(book, 2, 5, equipment=Equipment(AUTOMATED, COUNTS))
    assert says(table) == STACKS[book]


def test_10_a_seat_that_does_not_play_is_dealt_nothing() -> None:
    """653a.8(d): to each player who placed the required wagers."""
    table, _ = at_deal("pa-653a", 3, 6, lit=(6,))
    assert "seats 3 and 6, then the dealer" in says(table)[0][0]


def test_10f_in_maryland_the_community_cards_come_before_any_hand_from_every_device() -> None:
    """36.05.16.10B(2), F: dispensed before the two cards to each player and to the dealer, and revealed as .11 says."""
    for device in (Equipment(AUTOMATED, COUNTS), Equipment(AUTOMATED, RESHUFFLES, board_first=True)):
        table, dealer = at_deal("md-36.05.16", 2, equipment=device)
        lines = [line for line, _ in says(table)]
        (board,) = [place for place, line in enumerate(lines) if "5 community cards face down" in line]
        (hands,) = [place for place, line in enumerate(lines) if "to the dealer" in line]
        assert board < hands
        dealer.presses("dealt")
        turned_up = []
        while now := next_cards(table.house, table.state):
            turned_up.append((ENGLISH(now.words), now.cards))
            dealer.presses("next")
        assert turned_up == [("Turn up the flop", 0), ("Turn up turn and river", 0)]


@pytest.mark.parametrize("book", ["pa-653a", "pa-677a"])
def test_10_a_reshuffling_shoe_may_dispense_the_community_cards_first(book: str) -> None:
    """653a.10(g), 677a.10(g): the community stack is the first line then, and no line for a shoe that does not reshuffle."""
    chapter = book.partition("-")[2]
    table, _ = at_deal(book, 2, equipment=Equipment(AUTOMATED, RESHUFFLES, board_first=True))
    assert says(table)[0] == ("5 community cards face down, spread in the middle", f"{chapter}.10(g)")
    plain, _ = at_deal(book, 2, equipment=Equipment(AUTOMATED, RESHUFFLES))
    assert "community" not in says(plain)[0][0]
    counts, _ = at_deal(book, 2, equipment=Equipment(AUTOMATED, COUNTS, board_first=True))
    assert "community" not in says(counts)[0][0]


def test_10_lunar_poker_has_no_community_cards() -> None:
    """671a.10 ends with (b)."""
    table, _ = at_deal("pa-671a", 2, equipment=Equipment(AUTOMATED, RESHUFFLES, board_first=True))
    assert says(table) == [("A stack of 5 to seat 2, then to the dealer; the dealer's last card face up", "671a.10(b)")]


SIX_STANDS = {
    ("pa-653a", SHOE): (0, "653a.8(d)"),
    ("pa-653a", HAND): (0, "653a.9(b)"),
    ("pa-653a", AUTOMATED): (2, "653a.10(c)"),
    ("md-36.05.16", SHOE): (0, "36.05.16.07F(4)"),
    ("md-36.05.16", HAND): (0, "36.05.16.07F(4)"),
    ("md-36.05.16", AUTOMATED): (0, "36.05.16.10B(1)"),
}


@pytest.mark.parametrize(("book", "how"), SIX_STANDS)
def test_8_9_10_the_six_card_stack_lies_where_the_book_puts_it(book: str, how: str) -> None:
    """First, or from the stub after the dealer's stack; only if wagered, but Maryland's device always deals it."""
    words = "4 cards face down to the Six Card box"
    table, _ = at_deal(book, 2, 5, sides=SIX, equipment=Equipment(how, COUNTS))
    place, cite = SIX_STANDS[book, how]
    assert says(table)[place] == (words, cite)
    without, _ = at_deal(book, 2, 5, equipment=Equipment(how, COUNTS))
    always = (book, how) == ("md-36.05.16", AUTOMATED)
    assert (words in [line for line, _ in says(without)]) is always
    unknown, _ = at_deal(book, level=0, equipment=Equipment(how, COUNTS))  # nobody told the table who wagered it
    assert says(unknown)[place][0] == (words if always else f"{words} if anybody wagered it")


@pytest.mark.parametrize("book", HOLDEM)
@every_method
def test_8_9_10_the_stub_goes_into_the_discard_rack(book: str, how: str) -> None:
    """After the river, unseen; from Maryland's device before the first question."""
    table, dealer = at_ask(book, 2, equipment=Equipment(how, COUNTS))
    dealer.presses("next", "next", "next")
    assert table.phase == "reveal"
    if book == "md-36.05.16" and how == AUTOMATED:
        assert last_cards(table.house, table.state) == ()
    else:
        assert last_cards(table.house, table.state) == (Step(say("stub.unseen"), AWAY[how][book]),)


@pytest.mark.parametrize("book", HOLDEM)
def test_8_9_10_the_board_is_dealt_though_nobody_is_asked_any_more(book: str) -> None:
    """653a.8(e): all players raised before the flop; flop, turn and river still come before the dealer's hand."""
    table, dealer = at_ask(book, 2)
    dealer.presses("seat 2", "next")
    assert table.phase == "reveal"
    words = [ENGLISH(step.words) for step in last_cards(table.house, table.state)]
    assert [line.partition(" face up")[0] for line in words] == [
        "Burn one, then deal the flop",
        "Burn one, then deal turn and river",
        "The stub into the discard rack, unseen",
    ]


# The device: .10(a)(1) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says_so", "what"),
    [
        ({"mode": "empty", "count": 0}, "The shuffler is empty"),
        ({"mode": "sort"}, "Shuffler is in sort mode"),
        ({"mode": "fault", "fault": "jam"}, "Shuffler fault: jam"),
        ({"deck": "red"}, "The shuffler has the red deck"),
        ({"count": 51}, "Shuffler counts 51, not 52"),
        ({"connected": False}, "Shuffler not connected"),
    ],
)
@every_book
def test_10_the_deck_is_in_the_device_before_bets_open(book: str, says_so: dict[str, object], what: str) -> None:
    """The device says so itself; else bets stay closed, with the reason and what to do, until it is right again."""
    table, dealer = at_deal(book, equipment=Equipment(AUTOMATED, COUNTS))
    table.shuffles(**says_so)
    if "fault" in says_so:  # it jams in a round: .13(f)
        tells(dealer, "shoe-fault", by=DIAZ)
    dealer.presses("clear")
    assert table.phase == "closed"
    found = obstacles(table.house, table.state)[0]
    assert ENGLISH(found.what) == what and found.remedy
    table.shuffles(mode="ready", count=52, deck="blue", fault="", connected=True)
    assert table.phase == ("closed" if says_so.get("count") == 51 else "open"), "counted wrong it does not come back"


# The count of the stub: .8(f) to (h), .9(d) to (f), .10(d) to (f) ---------------------------------------------------

UNCOUNTED = {SHOE: NO_SHUFFLER, HAND: SHUFFLES, AUTOMATED: SHUFFLES}
"""A machine that does not count, or none."""


def shuffles_by_hand(table: Table, dealer: Dealer) -> None:
    """Where no machine shuffles the dealer does, before bets open."""
    if table.phase == "shuffle":
        dealer.presses("shuffled-and-cut")
    assert table.phase == "open"


def plays_a_round(table: Table, dealer: Dealer, *, void: bool = False) -> None:
    """Nobody asks for anything: everybody plays once the ante and loses, or the round is void before it begins."""
    shuffles_by_hand(table, dealer)
    locks(table, dealer)
    if void:
        tells(dealer, "wrong-number", by=DIAZ)
        dealer.presses("clear")
        return
    dealer.presses("dealt", "next", "next", "next", "dealer yes")
    while table.state.round.turn:
        dealer.presses("answer lower", *(["answer none"] if table.house.game.name == "pa-677a" else []), "settled")
    dealer.presses("clear")


@pytest.mark.parametrize("book", HOLDEM)
@every_method
def test_8_9_10_the_stub_is_counted_every_five_rounds(book: str, how: str) -> None:
    """Four rounds without, one of them void; in the fifth the dealer's hand waits for it; a restart forgets nothing."""
    table, dealer = betting(book, 2, equipment=Equipment(how, UNCOUNTED[how]))
    for number in range(1, 5):
        assert not stub_due(table.house, table.state)
        plays_a_round(table, dealer, void=number == 3)
        if number == 2:
            table.restarts()
    shuffles_by_hand(table, dealer)
    locks(table, dealer)
    cite = table.house.procedure.cite("stub", how)
    at_once = book == "md-36.05.16" and how == AUTOMATED  # 10B(4): it goes away before the first question
    waiting = ("dealt",) if at_once else ("dealer yes", "cards")
    asking = ("dealt", "next", "next", "next")
    dealer.presses(*(() if at_once else asking))
    for word in waiting:
        assert refuses(table, word) == f"Count the stub first: five rounds have gone ({cite})."
    dealer.presses("stub-right", *(asking if at_once else ()), "dealer yes")
    assert refuses(table, "stub-right") == "No count is due."
    while table.state.round.turn:
        dealer.presses("answer lower", *(["answer none"] if book == "pa-677a" else []), "settled")
    dealer.presses("clear")
    assert table.state.decks.since_count == 0  # and the counter begins anew
    shuffles_by_hand(table, dealer)
    assert not stub_due(table.house, table.state)


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_8_9_10_at_level_0_the_round_ends_with_the_count(book: str) -> None:
    """The table does not hear of the river there: the fifth round is not cleared before the stub was counted."""
    table, dealer = betting(book, level=0, equipment=Equipment(SHOE, NO_SHUFFLER))
    for _ in range(4):
        shuffles_by_hand(table, dealer)
        locks(table, dealer)
        assert refuses(table, "stub-right") == "No count is due."
        dealer.presses("clear")
    shuffles_by_hand(table, dealer)
    locks(table, dealer)
    assert refuses(table, "clear").startswith("Count the stub first")
    dealer.presses("stub-right", "clear")


@pytest.mark.parametrize("book", HOLDEM)
@every_method
def test_8_9_10_a_device_that_counts_spares_it(book: str, how: str) -> None:
    """Never while the device counts; from the round on in which it is covered as out of order."""
    table, dealer = betting(book, 2, equipment=Equipment(how, COUNTS))
    for _ in range(6):
        plays_a_round(table, dealer)
        assert RoundWork.STUB_COUNTED not in map(way_of, table.happened)
    goes_out_of_order(table, dealer)
    shuffles_by_hand(table, dealer)
    assert stub_due(table.house, table.state)


STUBS = {
    # 52 less two for each of two seats and the dealer, five community cards, two burns
    ("pa-653a", SHOE): 39,
    ("pa-653a", HAND): 39,
    ("pa-653a", AUTOMATED): 39,
    ("md-36.05.16", SHOE): 41,  # no burns
    ("md-36.05.16", HAND): 39,
    ("md-36.05.16", AUTOMATED): 37,  # no burns, but always the Six Card stack
    ("pa-677a", SHOE): 39,
    ("pa-677a", HAND): 39,
    ("pa-677a", AUTOMATED): 39,
}


@pytest.mark.parametrize(("book", "how"), STUBS)
def test_8_9_10_a_stub_that_makes_52(book: str, how: str) -> None:
    """The number to be counted: less four for Six Card, and less one for a card that was found face up."""
    table, dealer = at_deal(book, 2, 5, equipment=Equipment(how, COUNTS))
    assert stub_cards(table.house, table.state) == STUBS[book, how]
    tells(dealer, "one-face-up")
    assert stub_cards(table.house, table.state) == STUBS[book, how] - 1
    if book != "pa-677a":
        six, _ = at_deal(book, 2, 5, sides=SIX, equipment=Equipment(how, COUNTS))
        assert stub_cards(six.house, six.state) == STUBS[book, how] - (0 if how == AUTOMATED and book[0] == "m" else 4)


@pytest.mark.parametrize("book", HOLDEM)
@every_method
def test_8_9_10_the_line_of_a_count_names_the_number(book: str, how: str) -> None:
    """In the fifth round the stub's line asks for the count, with the number that is right."""
    table, dealer = betting(book, 2, 5, equipment=Equipment(how, UNCOUNTED[how]))
    for _ in range(4):
        plays_a_round(table, dealer)
    shuffles_by_hand(table, dealer)
    locks(table, dealer)
    if book == "md-36.05.16" and how == AUTOMATED:
        assert says(table)[-1][0] == "The rest out of the machine; count the stub face down, then into the discard rack"
        assert refuses(table, "dealt").startswith("Count the stub first")
        dealer.presses("stub-right", "dealt", "next", "next", "next", "dealer yes")  # nothing is left to count later
        return
    dealer.presses("dealt", "next", "next", "next")
    cite = table.house.procedure.cite("stub", how)
    words = say("stub.count-right", n=STUBS[book, how])
    assert last_cards(table.house, table.state) == (Step(words, cite),)


def wrong_stub(book: str, how: str, found: str) -> Table:
    """A lit or a plain round in which the stub is wrong, found before the dealer's hand is shown; the floor signs."""
    lit = () if book == "pa-677a" else (5,)
    table, dealer = at_ask(book, 2, 5, lit=lit, equipment=Equipment(how, UNCOUNTED[how]))
    dealer.presses("next", "next", "next")
    tells(dealer, found)
    assert "floorperson" in refuses(table, "apply", DEALER)
    dealer.presses("apply", by=DIAZ)
    return table


@pytest.mark.parametrize("book", HOLDEM)
@every_method
def test_8_9_10_misdealt_is_void_and_the_deck_stays(book: str, how: str) -> None:
    """52 cards after all: all wagers go back, the contributions too; the same deck is shuffled."""
    table = wrong_stub(book, how, "misdealt")
    everything_went_back(table, book, how)
    deck = table.state.deck
    Dealer(table).presses("clear")
    assert table.state.deck == deck
    assert table.phase == ("shuffle" if how == SHOE else "open")


@pytest.mark.parametrize("book", HOLDEM)
@every_method
def test_8_9_10_not_52_is_void_and_the_deck_leaves(book: str, how: str) -> None:
    """The deck is struck off by its number, which never comes back; another one is opened as .4 has it."""
    table = wrong_stub(book, how, "not-52")
    everything_went_back(table, book, how)
    removed = table.last(e.DeckRemoved)
    dealer = Dealer(table)
    dealer.presses("clear")
    assert table.phase == "closed" and not len(table.state.decks.here)
    assert ENGLISH(obstacles(table.house, table.state)[0].what) == "A deck is missing"
    dealer.presses("fetch", "received")
    assert table.phase == "inspect" and [deck.number for deck in table.state.decks.here] == [removed.number + 1]


def everything_went_back(table: Table, book: str, how: str) -> None:
    """Void by the paragraph of this way of dealing: every stake of every seat, and the contribution."""
    cite = table.house.procedure.cite("stub_count", how)
    assert table.phase == "void" and table.last(e.RoundVoided).cite == cite
    for seat in (2, 5):
        lines = table.state.seat(seat).position.lines
        decided = "raise" if book == "pa-677a" else "play"
        assert {line.wager for line in lines} == {"ante", "odds" if book == "pa-677a" else "blind", decided}
        assert all((line.result, line.returned, line.payout) == ("void", line.stake, 0) for line in lines)
        assert [line.stake for line in lines if line.wager == decided] == [1500]
    reversals = [message for message in table.owed if message.kind == "reversal"]
    assert len(reversals) == (book != "pa-677a")
