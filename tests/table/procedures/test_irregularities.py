"""What goes wrong, by kind and phase, in the four books: sections .13, the wrong stubs of .8 to .10, and who left (.7).

Antes are $15 with as much beside them; side wagers $25, or $5.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware.rules.message import as_is
from firmware.table import dealing, deciding, irregularity
from firmware.table import events as e
from firmware.table.interlock import method, obstacles
from firmware.table.procedures import AUTOMATED, COUNTS, HAND, NO_SHUFFLER, RESHUFFLES, SHOE, SHUFFLES, Equipment
from firmware.table.settling import question
from tests.table.procedures.walks import (
    BOOKS,
    HOLDEM,
    at_ask,
    at_deal,
    at_settle,
    betting,
    decides,
    leaves,
    lines_of,
    tells,
)
from tests.table.table import DEALER, DIAZ, OKAFOR, TECHNICIAN, Dealer, Table, lit_seats
from ui.words import ENGLISH

SIDES = {
    "pa-653a": ("trips", "bad_beat_bonus", "six_card_bonus"),
    "md-36.05.16": ("trips", "six_card_bonus"),
    "pa-677a": ("pocket_bonus", "trips_plus"),
    "pa-671a": ("super:dealer", "super:1"),
}
"""Of seat 2, $25 each."""
LIT = {"pa-653a": (1, 2), "md-36.05.16": (1, 2)}
SECTION = {"pa-653a": "653a.13", "md-36.05.16": "36.05.16.13", "pa-677a": "677a.13", "pa-671a": "671a.13"}
FACE_UP = {book: f"{cite}B" if book.startswith("md") else f"{cite}(a)" for book, cite in SECTION.items()}
ONE_UP = {book: f"{cite}A" if book.startswith("md") else f"{cite}(a)" for book, cite in SECTION.items()}
WRONG_NUMBER = {book: f"{cite}E" if book.startswith("md") else f"{cite}(c)" for book, cite in SECTION.items()}
SHOE_FAULT = {book: f"{cite}I" if book.startswith("md") else f"{cite}(f)" for book, cite in SECTION.items()}
OUT_OF_ORDER = {book: f"{cite}J" if book.startswith("md") else f"{cite}(g)" for book, cite in SECTION.items()}

Walk = Callable[..., tuple[Table, Dealer]]


def wagers(book: str, level: int = 1, equipment: Equipment = Equipment()) -> dict[str, object]:  # noqa: B008 (frozen)
    """Seats 1 and 2 with a lit lamp where there is one; all side wagers at seat 2."""
    sides = {2: dict.fromkeys(SIDES[book], 25_00)} if level else {}
    return {"lit": LIT.get(book, ()), "sides": sides, "level": level, "equipment": equipment}


def to_deal(book: str, **how: object) -> tuple[Table, Dealer]:
    """The cards are about to be dealt."""
    return at_deal(book, 1, 2, 3, **{**wagers(book), **how})


def to_ask(book: str, **how: object) -> tuple[Table, Dealer]:
    """The first cards lie; seat 1 has put his Play, Raise or Bet down."""
    table, dealer = at_ask(book, 1, 2, 3, **{**wagers(book), **how})
    if book == "pa-671a":
        dealer.presses("seat 1", "choose bet", "seat 2", "choose buy", "seat 3", "choose fold", "seat 3")
    else:
        dealer.presses("seat 1")
    return table, dealer


def to_supers(book: str, **how: object) -> tuple[Table, Dealer]:
    """Lunar Poker: all decisions are locked in."""
    table, dealer = to_ask(book, **how)
    dealer.presses("next")
    assert table.phase == "supers"
    return table, dealer


def to_draw(book: str, **how: object) -> tuple[Table, Dealer]:
    """Lunar Poker: the Supers are collected, seat 2 waits for his card."""
    table, dealer = to_supers(book, **how)
    dealer.presses("supers-settled")
    assert table.phase == "draw"
    return table, dealer


def to_reveal(book: str, **how: object) -> tuple[Table, Dealer]:
    """Everybody has decided: seat 1 plays, seat 3 has folded."""
    if book == "pa-671a":
        table, dealer = to_draw(book, **how)
        dealer.presses("bets")
    else:
        table, dealer = to_ask(book, **how)
        dealer.presses("next", "next")
        decides(table, dealer, 3, "fold")
        dealer.presses("next")
    assert table.phase == "reveal"
    return table, dealer


def to_settle(book: str, **how: object) -> tuple[Table, Dealer]:
    """The dealer's hand lies open, no seat is settled."""
    table, dealer = to_reveal(book, **how)
    dealer.presses(*(["dealer-row none"] if book == "pa-671a" else []), "dealer yes")
    assert table.phase == "settle"
    return table, dealer


PHASES: dict[str, tuple[Walk, ...]] = {
    **dict.fromkeys(HOLDEM, (to_deal, to_ask, to_reveal, to_settle)),
    "pa-671a": (to_deal, to_ask, to_supers, to_draw, to_reveal, to_settle),
}
EVERYWHERE = [pytest.param(book, walk, id=f"{book}-{walk.__name__}") for book in BOOKS for walk in PHASES[book]]


def offered(table: Table) -> set[str]:
    """What can be told now."""
    return {problem.key for problem in irregularity.problems(table.house, table.state)}


def cannot_be_told(table: Table, key: str) -> None:
    table.press(f"problem {key}")
    assert isinstance(table.happened[-1], e.PressRefused) and table.notice


def down(table: Table, seat: int) -> int:
    """Every chip that the seat has put down, in cents: wagers, a Play, Raise or Bet, an options fee."""
    position = table.state.seat(seat).position
    fee = position.base if position.decision.option else 0
    return sum(cents for _, cents in position.stakes) + position.played + fee


def is_all_returned(table: Table, before: dict[int, int], cite: str) -> None:
    """The lines of the void round are the chips that lay there, all of them returned."""
    for seat, cents in before.items():
        lines = table.state.seat(seat).position.lines
        assert sum(line.stake for line in lines) == cents
        assert all(
            (line.result, line.returned, line.payout, line.cite) == ("void", line.stake, 0, cite) for line in lines
        )
        assert table.state.seat(seat).position.settled


def chips(table: Table) -> dict[int, int]:
    return {seat: down(table, seat) for seat in table.state.players}


# (a): cards face up -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_13_one_card_face_up_goes_to_the_discard_rack(book: str) -> None:
    """The round goes on; the stub has one card less, at Lunar Poker the draws. It can be taken back."""
    table, dealer = to_ask(book)
    before = dealing.stub_cards(table.house, table.state) or deciding.cards_left(table.house, table.state)
    dealer.presses("problem", "problem one-face-up")
    assert table.last(e.IrregularityNoted) == e.IrregularityNoted("one-face-up", ONE_UP[book])
    assert table.phase == "ask" and e.RoundVoided not in map(type, table.happened)
    after = dealing.stub_cards(table.house, table.state) or deciding.cards_left(table.house, table.state)
    assert after == before - 1
    cannot_be_told(table, "one-face-up")
    dealer.presses("problem", "problem no-face-up")
    assert table.state.round.left_out == 0


@pytest.mark.parametrize(("book", "walk"), EVERYWHERE)
def test_13_a_card_is_found_face_up_only_while_cards_are_dealt(book: str, walk: Walk) -> None:
    table, _ = walk(book)
    deals = {"deal", "ask", "draw"}
    assert ("one-face-up" in offered(table)) == (table.phase in deals)
    assert ("drawn-in-error" in offered(table)) == (table.phase in deals)


@pytest.mark.parametrize("book", HOLDEM)
def test_13_community_cards_that_are_dealt_before_the_reveal_can_lie_face_up_too(book: str) -> None:
    """Everybody wagered before the flop: five cards are still to come when the questions are over."""
    table, dealer = at_ask(book, 1)
    decides(table, dealer, 1, "play", table.house.procedure.streets[0].times[0])
    dealer.presses("next")
    assert table.phase == "reveal" and table.state.round.street == 0
    assert {"one-face-up", "drawn-in-error"} <= offered(table)
    assert ("shuffler-jam" in offered(table)) == (book != "md-36.05.16")
    before = dealing.stub_cards(table.house, table.state)
    dealer.presses("problem", "problem one-face-up")
    assert before is not None and dealing.stub_cards(table.house, table.state) == before - 1


@pytest.mark.parametrize("book", BOOKS)
def test_13_more_than_one_card_face_up_is_void(book: str) -> None:
    table, dealer = to_deal(book)
    before = chips(table)
    assert not offered(table) & {"face-up-later"}
    tells(dealer, "face-up", by=DIAZ)
    lit = LIT.get(book, ())
    void = table.last(e.RoundVoided)
    assert (void.cite, lit_seats(void.returned), void.kind, void.by) == (FACE_UP[book], lit, "cards_face_up", DIAZ)
    is_all_returned(table, before, FACE_UP[book])
    assert [message.kind for message in table.owed] == (["wagers", "reversal"] if lit else [])
    assert [deck.number for deck in table.state.decks.here] == [1]
    dealer.presses("clear")
    assert table.phase == "open" and table.state.round.number == 2


STILL = [
    ("pa-653a", "face-up-later", {"trips"}),
    ("md-36.05.16", "face-up-later", {"trips"}),
    ("pa-677a", "face-up-later", {"pocket_bonus"}),
    ("pa-653a", "dealer-exposed", {"trips"}),
    ("md-36.05.16", "dealer-exposed", {"trips"}),
    ("pa-677a", "dealer-exposed", {"pocket_bonus", "trips_plus"}),
]


def voids_and_settles(book: str, key: str, still: set[str]) -> None:
    """What the book still settles is asked of the cards, and paid; everything else goes back."""
    table, dealer = to_ask(book)
    before = chips(table)
    tells(dealer, key, by=DIAZ)
    assert set(table.state.round.settled_anyway) == still
    assert (
        table.state.seat(1).position.settled
        and table.state.seat(3).position.settled
        and not table.state.seat(2).position.settled
    )
    table.press("clear")
    assert "not settled" in table.notice
    dealer.presses("winners")
    assert table.phase == "settle" and table.state.round.turn == 2
    while asks := question(table.house, table.state)[0]:
        dealer.presses("answer full house" if asks == "hand" else f"answer {question(table.house, table.state)[1][0]}")
    dealer.presses("settled")
    lines = lines_of(table, 2)
    assert {wager for wager, line in lines.items() if line[0] == "win"} == still
    assert all(line[0] == "void" for wager, line in lines.items() if wager not in still)
    box = table.state.seat(2).position
    assert sum(line.stake for line in (*box.lines, *box.final)) == before[2]
    dealer.presses("clear")
    assert table.phase == "open"


@pytest.mark.parametrize(("book", "key", "still"), STILL[:3])
def test_13_after_the_initial_deal_the_book_still_settles_what_it_names(book: str, key: str, still: set[str]) -> None:
    voids_and_settles(book, key, still)


def test_13_after_the_initial_deal_lunar_poker_settles_nothing() -> None:
    table, dealer = to_ask("pa-671a")
    before = chips(table)
    assert "face-up-later" not in offered(table)
    tells(dealer, "face-up", by=DIAZ)
    is_all_returned(table, before, "671a.13(a)")
    table.press("winners")
    assert isinstance(table.happened[-1], e.PressRefused) and table.phase == "void"


@pytest.mark.parametrize(("book", "key", "still"), STILL)
def test_13_a_void_round_is_settled_from_its_cards_at_level_2(book: str, key: str, still: set[str]) -> None:
    table, dealer = to_ask(book, level=2)
    tells(dealer, key, by=DIAZ)
    dealer.presses("winners", "cards")
    board = ["7c", "7d", "7h", "2s", "3d"]
    dealer.enters(["As", "Ad", *board][: len(table.state.round.entry.want)])
    dealer.presses("enter", "settled")
    assert {wager for wager, line in lines_of(table, 2).items() if line[0] == "win"} == still
    dealer.presses("clear")


@pytest.mark.parametrize("book", HOLDEM)
def test_13_who_made_none_of_those_wagers_is_not_asked(book: str) -> None:
    table, dealer = at_ask(book, 1, 2)
    tells(dealer, "dealer-exposed", by=DIAZ)
    assert table.state.round.settled_anyway == ()
    dealer.presses("clear")
    assert table.phase == "open"


def test_13_a_void_round_pays_no_progressive_prize() -> None:
    table, dealer = to_ask("pa-653a")
    tells(dealer, "dealer-exposed", by=DIAZ)
    dealer.presses("winners")
    for word in ("seat 1", "seat 2", "hand royal flush"):
        table.press(word)
        assert isinstance(table.happened[-1], e.PressRefused)


# (b), (c), (d) ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_13_a_card_drawn_in_error_is_used_as_the_next(book: str) -> None:
    table, dealer = to_ask(book)
    state = table.state
    dealer.presses("problem", "problem drawn-in-error")
    assert (table.state.round.number, table.state.round.seats, table.phase) == (
        state.round.number,
        state.round.seats,
        "ask",
    )


@pytest.mark.parametrize(("book", "walk"), EVERYWHERE)
def test_13_a_wrong_number_of_cards_is_void(book: str, walk: Walk) -> None:
    table, dealer = walk(book)
    before = chips(table)
    tells(dealer, "wrong-number", by=OKAFOR)
    assert table.last(e.RoundVoided).kind == "incorrect_number_of_cards" and table.last(e.RoundVoided).by == OKAFOR
    is_all_returned(table, before, WRONG_NUMBER[book])
    dealer.presses("clear")
    assert table.phase == "open" and table.state.round.number == 2


@pytest.mark.parametrize("book", BOOKS)
def test_13_a_round_of_which_a_seat_is_settled_is_not_void_any_more(book: str) -> None:
    table, dealer = to_settle(book)
    while table.state.round.turn and not any(seat.position.final for seat in table.state.round.seats):
        asks, choices = question(table.house, table.state)
        dealer.presses(f"answer {choices[0] or 'none'}" if asks else "settled")
    for key in ("wrong-number", "face-up", "face-up-later", "misdealt", "shuffler-fault"):
        cannot_be_told(table, key)


@pytest.mark.parametrize(("book", "key", "still"), STILL[3:])
def test_13_a_dealers_card_exposed_before_all_decisions(book: str, key: str, still: set[str]) -> None:
    voids_and_settles(book, key, still)


def test_13d_lunar_poker_returns_everything() -> None:
    for walk in (to_deal, to_ask, to_supers, to_draw):
        table, dealer = walk("pa-671a")
        before = chips(table)
        tells(dealer, "dealer-exposed", by=DIAZ)
        is_all_returned(table, before, "671a.13(d)")


@pytest.mark.parametrize(("book", "walk"), EVERYWHERE)
def test_13_a_dealers_card_seen_after_the_last_decision_is_none(book: str, walk: Walk) -> None:
    table, _ = walk(book)
    assert ("dealer-exposed" in offered(table)) == (table.phase not in ("reveal", "settle"))
    if table.phase in ("reveal", "settle"):
        cannot_be_told(table, "dealer-exposed")


# (e), (f), (g): devices ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["pa-653a", "pa-671a", "pa-677a"])
def test_13_a_shuffler_that_jams(book: str) -> None:
    """Pennsylvania: the cards are reshuffled; the round is played to its end, bets open when the device is in order."""
    table, dealer = to_ask(book)
    table.shuffles(mode="fault", count=None, fault="jam", alarm=1)
    assert table.phase == "ask" and "shuffler-fault" not in offered(table)
    dealer.presses("problem", "problem shuffler-jam")
    assert table.last(e.IrregularityNoted).cite == f"{SECTION[book]}(e)"
    assert e.RoundVoided not in map(type, table.happened)
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("clear")
    assert table.phase == "closed"
    assert ENGLISH(obstacles(table.house, table.state)[0].what) == "Shuffler alarm: jam"
    table.shuffles(mode="ready", count=52, fault="")
    assert table.phase == "closed"
    dealer.presses("acknowledge")
    assert table.phase == "open"


@pytest.mark.parametrize("walk", PHASES["md-36.05.16"])
def test_13h_maryland_returns_the_wagers_when_the_shuffler_jams(walk: Walk) -> None:
    table, dealer = walk("md-36.05.16")
    before = chips(table)
    table.shuffles(mode="fault", count=None, fault="jam", alarm=1)
    tells(dealer, "shuffler-fault", by=DIAZ)
    is_all_returned(table, before, "36.05.16.13H")
    assert table.owed[-1].body == {"round": 1, "reason": "36.05.16.13H"}
    dealer.presses("clear")
    assert table.phase == "closed"


def test_13h_without_a_shuffler_none_can_jam() -> None:
    table, _ = to_ask("md-36.05.16", equipment=Equipment(SHOE, NO_SHUFFLER))
    cannot_be_told(table, "shuffler-fault")
    table, _ = to_ask("pa-653a", equipment=Equipment(SHOE, NO_SHUFFLER))
    cannot_be_told(table, "shuffler-jam")


@pytest.mark.parametrize("book", BOOKS)
def test_13_a_shoe_that_jams_is_void(book: str) -> None:
    """Only an automated shoe, and only in a round."""
    shoe = Equipment(AUTOMATED, RESHUFFLES)
    table, dealer = betting(book, 1, 2, 3, **wagers(book, equipment=shoe))  # type: ignore[arg-type]
    cannot_be_told(table, "shoe-fault")
    for walk in PHASES[book]:
        table, dealer = walk(book, equipment=shoe)
        before = chips(table)
        tells(dealer, "shoe-fault", by=DIAZ)
        is_all_returned(table, before, SHOE_FAULT[book])
        table, dealer = walk(book, equipment=Equipment(HAND))
        cannot_be_told(table, "shoe-fault")


@pytest.mark.parametrize("book", BOOKS)
def test_13_a_broken_device_is_covered_before_another_way(book: str) -> None:
    """No other way of shuffling or dealing before a floorperson says "covered", and the cards are out of it."""
    table, dealer = to_deal(book)
    tells(dealer, "wrong-number", by=DIAZ)
    table.shuffles(mode="fault", count=31, fault="motor", alarm=1)
    dealer.presses("clear")
    assert table.phase == "closed" and method(table.house, table.state) == HAND
    for word in ("shuffled", "shuffled-and-cut", "cut"):
        table.press(word)
        assert isinstance(table.happened[-1], e.PressRefused)
    dealer.presses("problem", "problem cover")
    for by in ("", DEALER, TECHNICIAN):
        table.press("apply", by)
        assert OUT_OF_ORDER[book] in table.notice and not table.state.decks.covered
    dealer.presses("apply", by=DIAZ)
    assert table.last(e.DeviceMarked) == e.DeviceMarked(True, "motor", by=DIAZ)
    assert table.phase == "closed" and method(table.house, table.state) == SHOE
    assert [ENGLISH(found.what) for found in obstacles(table.house, table.state)] == [
        "31 cards are in the covered shuffler"
    ]
    table.shuffles(mode="empty", count=0)
    assert table.phase == "shuffle"
    dealer.presses("shuffled", "cut")
    assert table.phase == "open"
    table.restarts()
    assert table.state.decks.covered_for == "motor" and method(table.house, table.state) == SHOE


@pytest.mark.parametrize("book", BOOKS)
def test_13_a_device_is_uncovered_by_a_floorperson(book: str) -> None:
    table, dealer = betting(book, level=1)
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(mode="empty", count=0)
    table.press("problem uncover")
    table.press("apply", DEALER)
    assert isinstance(table.happened[-1], e.PressRefused) and table.state.decks.covered
    dealer.presses("apply", by=DIAZ)
    assert not table.state.decks.covered and method(table.house, table.state) == HAND


# The stub: .8, .9, .10, and 671a.11(h) ------------------------------------------------------------------------------------

WAYS = [
    Equipment(SHOE, NO_SHUFFLER),
    Equipment(HAND, SHUFFLES),
    Equipment(HAND, COUNTS),
    Equipment(AUTOMATED, RESHUFFLES),
]
STUB_CITES = {
    "pa-653a": {SHOE: "653a.8(h)", HAND: "653a.9(f)", AUTOMATED: "653a.10(f)"},
    "md-36.05.16": {SHOE: "36.05.16.08G", HAND: "36.05.16.09E", AUTOMATED: "36.05.16.10E"},
    "pa-677a": {SHOE: "677a.8(g)", HAND: "677a.9(f)", AUTOMATED: "677a.10(f)"},
}


def test_11h_a_wrong_count_takes_the_deck_that_was_dealt_and_no_other() -> None:
    table, dealer = to_deal("pa-671a", equipment=Equipment(HAND, COUNTS, ("blue", "red")))
    tells(dealer, "not-52", by=DIAZ)
    assert [deck.color for deck in table.state.decks.here] == ["red"] and "not-52" not in offered(table)
    cannot_be_told(table, "not-52")
    dealer.presses("dealt", "next", "supers-settled", "dealer-row none")
    assert table.phase == "reveal" and "not-52" not in offered(table)


@pytest.mark.parametrize("key", ["misdealt", "not-52"])
@pytest.mark.parametrize("equipment", WAYS, ids=lambda one: f"{one.method}-{one.shuffler}")
@pytest.mark.parametrize("book", HOLDEM)
def test_8_9_10_a_wrong_stub_is_void_and_only_one_that_is_not_52_leaves(
    book: str, equipment: Equipment, key: str
) -> None:
    table, dealer = to_reveal(book, equipment=equipment)
    before = chips(table)
    tells(dealer, key, by=DIAZ)
    cite = STUB_CITES[book][equipment.method]
    assert table.last(e.RoundVoided).kind == "stub_count"
    is_all_returned(table, before, cite)
    removed = [event for event in table.happened if isinstance(event, e.DeckRemoved)]
    assert removed == ([e.DeckRemoved(1, as_is(cite), by=DIAZ)] if key == "not-52" else [])
    dealer.presses("clear")
    wanted = "closed" if key == "not-52" else "open" if equipment.machine else "shuffle"
    assert table.phase == wanted


@pytest.mark.parametrize("walk", PHASES["pa-671a"])
def test_671a_11h_a_wrong_count_voids_nothing(walk: Walk) -> None:
    table, _ = walk("pa-671a")
    cannot_be_told(table, "misdealt")
    assert "misdealt" not in offered(table)


# What all of them have in common ----------------------------------------------------------------------------------------

KINDS = [
    pytest.param(book, key, id=f"{book}-{key}")
    for book in LIT
    for key in ("face-up-later", "wrong-number", "dealer-exposed", "shoe-fault", "misdealt", "not-52")
] + [pytest.param("md-36.05.16", "shuffler-fault", id="md-36.05.16-shuffler-fault")]


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(("book", "key"), KINDS)
def test_a_void_round_sends_its_contributions_back(book: str, key: str, level: int) -> None:
    """Once for a round, whatever the kind; and the bank takes it."""
    shoe = Equipment(AUTOMATED, RESHUFFLES)
    walk = to_ask if level else to_deal
    table, dealer = walk(book, **wagers(book, level, shoe))
    tells(dealer, key, by=DIAZ)
    assert [message.kind for message in table.owed] == ["wagers", "reversal"]
    assert table.owed[-1].body == {"round": 1, "reason": table.last(e.RoundVoided).cite}
    table.bank.listens()
    assert table.bank.reversed == {1} and not table.state.owed


@pytest.mark.parametrize("words", [("no-more-bets",), ("no-more-bets", "count 1")])
@pytest.mark.parametrize("book", LIT)
def test_a_round_whose_wagers_never_went_to_the_bank_takes_nothing_back(book: str, words: tuple[str, ...]) -> None:
    table, dealer = betting(book, 1, 2, 3, **wagers(book))  # type: ignore[arg-type]
    dealer.presses(*words)
    tells(dealer, "wrong-number", by=DIAZ)
    assert table.owed == [] and lit_seats(table.last(e.RoundVoided).returned) == (1, 2)


@pytest.mark.parametrize("by", ["", DEALER, TECHNICIAN, "9999"])
@pytest.mark.parametrize("book", BOOKS)
def test_13_a_round_is_void_only_by_a_floorpersons_word(book: str, by: str) -> None:
    table, dealer = to_ask(book, equipment=Equipment(AUTOMATED, RESHUFFLES))
    for problem in irregularity.problems(table.house, table.state):
        if problem.voids:
            dealer.presses("problem", f"problem {problem.key}")
            table.press("apply", by)
            assert isinstance(table.happened[-1], e.PressRefused) and "floorperson" in table.notice.lower()
            assert table.phase == "ask"
            dealer.presses("back")
    table.press("apply", DIAZ)
    assert isinstance(table.happened[-1], e.PressRefused) and table.phase == "ask", "nothing is chosen"


@pytest.mark.parametrize("book", LIT)
def test_13_at_level_0_the_dealer_says_whether_the_first_deal_was_over(book: str) -> None:
    """The table knows only the lamps: both are asked, and all progressive wagers go back."""
    for key in ("face-up", "face-up-later", "dealer-exposed", "wrong-number"):
        table, dealer = to_deal(book, **wagers(book, level=0))
        tells(dealer, key, by=DIAZ)
        still = ("trips",) if key in ("face-up-later", "dealer-exposed") else ()
        assert lit_seats(table.last(e.RoundVoided).returned) == (1, 2) and table.state.round.settled_anyway == still
        assert ("TRIPS" in table.words().upper()) == bool(still), "what nobody wagered at level 0 is said to be settled"
        dealer.presses("clear")
        assert table.phase == "open"


@pytest.mark.parametrize(("book", "walk"), EVERYWHERE)
def test_13_every_chip_that_lay_there_goes_back_also_of_who_had_left(book: str, walk: Walk) -> None:
    """Reading 12: whatever was folded or abandoned; a Play, Raise, Bet or options fee too."""
    table, dealer = walk(book)
    before = chips(table)
    for seat in (1, 2):
        leaves(dealer, seat)
    tells(dealer, "wrong-number", by=DIAZ)
    is_all_returned(table, before, WRONG_NUMBER[book])
    assert lit_seats(table.last(e.RoundVoided).returned) == LIT.get(book, ())


@pytest.mark.parametrize("book", HOLDEM)
def test_13_who_had_left_has_lost_what_a_void_round_still_settles(book: str) -> None:
    table, dealer = to_ask(book)
    before = chips(table)[2]
    leaves(dealer, 2)
    tells(dealer, "dealer-exposed", by=DIAZ)
    lines = lines_of(table, 2)
    assert (
        {wager for wager, line in lines.items() if line[0] == "lose"} == set(table.state.round.settled_anyway) != set()
    )
    assert (
        sum(line.stake for line in table.state.seat(2).position.lines) == before
        and table.state.seat(2).position.settled
    )
    dealer.presses("clear")
    assert table.phase == "open"


@pytest.mark.parametrize(("book", "walk"), EVERYWHERE)
def test_7_who_has_left_and_is_back_before_his_turn_has_lost_nothing(book: str, walk: Walk) -> None:
    table, dealer = walk(book)
    boxes = [seat.position for seat in table.state.round.seats]
    for seat in (1, 2):
        if boxes[seat - 1].waits_for_cards:  # test_who_plays: he was the last to draw, and the draws are over
            continue
        leaves(dealer, seat)
        leaves(dealer, seat)
    assert [seat.position for seat in table.state.round.seats] == boxes
    assert not any(seat.left for seat in table.state.round.seats)


@pytest.mark.parametrize("book", BOOKS)
def test_7_who_has_left_loses_every_chip_also_his_play(book: str) -> None:
    table, dealer = to_ask(book)
    before = chips(table)
    for seat in (1, 2):
        leaves(dealer, seat)
    if book == "pa-671a":
        dealer.presses("next", "supers-settled", "dealer-row flush", "dealer yes")
    else:
        dealer.presses("next", "next", "next", "dealer no")
    for seat in (1, 2):
        lines = table.state.seat(seat).position.lines
        assert sum(line.stake for line in lines) == before[seat]
        assert all((line.result, line.returned, line.payout) == ("lose", 0, 0) for line in lines)
    assert table.state.round.turn == (0 if book == "pa-671a" else 3), "seat 3 has folded, or plays"


@pytest.mark.parametrize(("book", "walk"), EVERYWHERE)
def test_13_a_power_cut_before_and_after_a_void_changes_nothing(book: str, walk: Walk) -> None:
    table, dealer = walk(book)
    dealer.presses("problem", "problem wrong-number")
    table.restarts()
    dealer.presses("problem", "problem wrong-number")
    dealer.presses("apply", by=DIAZ)
    seats = table.state.round.seats
    table.restarts()
    assert table.phase == "void" and table.state.round.seats == seats
    dealer.presses("clear")
    assert table.phase == "open"


def test_13_what_a_void_round_settles_is_taken_back_and_corrected_like_any_other() -> None:
    table, dealer = at_ask("pa-653a", 1, 2, sides={1: {"trips": 500}, 2: {"trips": 500}})
    tells(dealer, "dealer-exposed", by=DIAZ)
    dealer.presses("winners", "answer none", "settled")
    assert table.state.round.turn == 1
    dealer.presses("undo", "undo", "answer flush", "undo", "answer straight", "settled")
    assert lines_of(table, 2)["trips"] == ("win", 500, 4 * 500)
    dealer.presses("problem", "problem correct", "correct 2")
    dealer.presses("correct 2 wrong-result", by=DIAZ)
    assert table.state.round.turn == 2
    dealer.presses("answer flush", "settled", "answer none", "settled", "clear")
    assert table.phase == "open"


@pytest.mark.parametrize("seats", [(1,), (1, 2)])
def test_11h_what_was_answered_wrong_of_the_seat_in_turn_is_the_floors_to_put_right(seats: tuple[int, ...]) -> None:
    """Found by the walks at random: nothing that fits was left to answer, and UNDO was dark after a press that is final."""
    table, dealer = at_settle("pa-653a", *seats, sides={seat: {"trips": 500} for seat in seats})
    turn = table.state.round.turn
    dealer.presses("answer lower")
    table.loses_power()
    table.comes_back()
    dealer.presses("problem", "problem correct", f"correct {turn}")
    before = table.state.seat(turn)
    table.press(f"correct {turn} wrong-result")
    assert table.state.seat(turn) == before, "a dealer alone corrects nothing"
    dealer.presses(f"correct {turn} wrong-result", by=DIAZ)
    corrected = table.last(e.SettlementCorrected)
    assert (corrected.seat, corrected.lines, corrected.by) == (turn, (), DIAZ)
    assert (table.state.round.turn, table.panel, lines_of(table, turn)) == (turn, "", {})
    dealer.presses("answer higher", "answer straight", "settled")
    paid = lines_of(table, turn)
    assert paid["trips"] == ("win", 500, 4 * 500) and paid["ante"][0] == "win", (
        "as if it had been answered right at once"
    )


def test_11h_before_anything_is_answered_there_is_nothing_to_correct() -> None:
    table, dealer = at_settle("pa-653a", 1)
    dealer.presses("problem")
    assert not table.offers("problem correct")
    table.press("correct 1 wrong-result", by=DIAZ)
    assert table.notice == "Nothing of seat 1 can be corrected."


def test_12_a_seat_picked_as_a_winner_is_let_go_of_by_its_tile() -> None:
    """Found by the walks at random: with the seats settled in their turn its tile could not be tapped again."""
    table, dealer = at_settle("pa-653a", 1, 2, folds=(2,), lit=(1, 2))
    dealer.presses("answer lower", "settled", "seat 2")
    assert table.state.round.turn == 2
    dealer.presses("seat 2", "clear")
    assert table.phase != "settle"


def test_13_a_round_in_settlement_that_is_void_asks_nothing_of_before() -> None:
    table, dealer = at_settle("pa-653a", 1, 2, sides={2: {"trips": 500}})
    dealer.presses("answer higher")
    tells(dealer, "face-up-later", by=DIAZ)
    dealer.presses("winners")
    assert question(table.house, table.state)[0] == "hand"
    dealer.presses("answer none", "settled", "clear")
    assert table.phase == "open" and lines_of(table, 2) == {}


# Who plays, put right -----------------------------------------------------------------------------------------------


def test_7d3_a_lamp_without_a_chip_leaves_no_player_behind() -> None:
    """Found by a hostile tester: a sensor's error put seat 3 into the game, and its position stayed when the lamp went."""
    table, dealer = betting("pa-653a", 1, lit=(1, 3))
    dealer.presses("no-more-bets")
    assert table.state.players == (1,), "a lamp is no ante"
    table.seats(1, 3).lift()
    table.restarts()
    dealer.presses("count 1", "seat 3", "settle no-chip")
    assert table.phase == "deal" and table.state.players == (1,) and table.state.wagers == (1,)


def test_7d3_a_player_whose_lamp_was_wrong_still_plays() -> None:
    """He was entered before the lock."""
    table, dealer = betting("pa-653a", 1, 3, lit=(1, 3))
    dealer.presses("no-more-bets")
    table.seats(1, 3).lift()
    dealer.presses("count 1", "seat 3", "settle no-chip")
    assert table.state.players == (1, 3) and table.state.wagers == (1,)


def test_7d3_a_wager_entered_by_hand_after_the_lock_has_its_ante() -> None:
    table, dealer = betting("pa-653a", 1)
    table.press("sensor 5")
    dealer.presses("no-more-bets", "count 1", "seat 5", "settle by-hand", by=DIAZ)
    assert table.phase == "difference" and "Seat 5 is lit and has no ante." in table.words()
    dealer.presses("seat 5", "box 5")
    assert table.phase == "deal" and table.state.players == (1, 5) and table.state.wagers == (5,)


def test_7d3_bets_opened_again_take_along_nobody_whom_only_a_lamp_brought() -> None:
    table, dealer = betting("pa-653a", 1, lit=(3,))
    dealer.presses("no-more-bets")
    table.seats(3).lift()
    dealer.presses("reopen")
    assert table.phase == "open" and table.state.players == (1,)


@pytest.mark.parametrize("book", BOOKS)
def test_7_a_floorperson_has_a_position_put_right_before_the_cards_are_dealt(book: str) -> None:
    """A player who was not entered, one who does not play, a wrong amount; then the signature is used up."""
    table, dealer = at_deal(book, 1, 2)
    for word in ("box 3", "stakes", "stakes 1 ante", "chips 500"):
        table.press(word)
        assert isinstance(table.happened[-1], e.PressRefused), word
    dealer.presses("problem", "problem boxes")
    table.press("apply", by=DEALER)
    assert not table.state.round.positions_open
    dealer.presses("apply", by=DIAZ)
    assert table.last(e.IrregularityNoted).by == DIAZ
    dealer.presses("stakes 3", "no-chips", "stakes 1", "chips 500", "stakes 2", "box 2")
    table.restarts()
    dealer.presses("back")
    assert table.state.players == (1, 3) and table.state.seat(1).position.base == 20_00
    assert table.state.seat(3).position.stakes == deciding.default_stakes(table.house)
    table.press("box 2")
    assert isinstance(table.happened[-1], e.PressRefused) and table.state.players == (1, 3)
    dealer.presses("dealt")


def test_7d3_the_position_of_a_lit_seat_stays() -> None:
    table, dealer = at_deal("pa-653a", 1, lit=(1,))
    dealer.presses("problem", "problem boxes")
    dealer.presses("apply", by=DIAZ)
    dealer.presses("stakes 1")
    table.press("box 1")
    assert table.notice == "Seat 1 is lit: its ante lies before that wager." and table.state.players == (1,)


@pytest.mark.parametrize("level", [1, 2])
def test_13_677a_a_pocket_bonus_is_settled_from_two_cards(level: int) -> None:
    """677a.13(a) deals no community cards, where 653a.13(a) does; nor does (d) for a Pocket Bonus alone."""
    for problem in ("face-up-later", "dealer-exposed"):
        table, dealer = at_ask("pa-677a", 1, 2, level=level, sides={1: {"pocket_bonus": 500}})
        dealer.presses("problem", f"problem {problem}")
        assert "community cards" not in table.words() and "own cards" in table.words()
        dealer.presses("apply", by=DIAZ)
        assert "community cards" not in table.words()
        dealer.presses("winners")
        if level == 2:
            dealer.presses("cards")
            dealer.enters(["As", "Ad"])
            dealer.presses("enter")
        else:
            dealer.presses("answer pair of aces")
        assert [line.payout for line in table.state.seat(1).position.due if line.wager == "pocket_bonus"] == [30 * 500]
        dealer.presses("settled", "clear")
