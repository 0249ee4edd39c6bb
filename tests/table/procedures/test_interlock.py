"""The shuffler's interlock: sections .3(b), .5(b), .10 and .13(e) to (g); bets do not open, and the screen says why.

Every obstacle has a reason and a remedy in words, and goes when what it names is in order, not before.
"""

from __future__ import annotations

from typing import Any

import pytest

from firmware.table import events as e
from firmware.table.interlock import method, obstacles
from firmware.table.irregularity import problems
from firmware.table.phases import way_of
from firmware.table.procedures import AUTOMATED, COUNTS, HAND, SHOE, SHUFFLES, Equipment
from firmware.table.state import DeckWork
from tests.table.procedures.openings import ONE_BY_HAND, TWO_DECKS, is_void, opened, plays, refused, shut
from tests.table.procedures.walks import BOOKS, locks, tells
from tests.table.table import DEALER, DIAZ, OKAFOR, Dealer, Table
from ui.words import ENGLISH

OUT_OF_ORDER = {
    "pa-653a": "653a.13(g)",
    "md-36.05.16": "36.05.16.13J",
    "pa-671a": "671a.13(g)",
    "pa-677a": "677a.13(g)",
}
COUNT = {"pa-653a": "653a.5(b)", "md-36.05.16": "36.05.16.05E", "pa-671a": "671a.5(b)", "pa-677a": "677a.5(b)"}
ONE_DECK_OF = {"pa-653a": "653a.3(a)", "md-36.05.16": "36.05.16.03A", "pa-671a": "671a.3(a)", "pa-677a": "677a.3(a)"}
TWO_OF = {
    "pa-653a": "653a.3(b)(3)",
    "md-36.05.16": "36.05.16.03B(4)",
    "pa-671a": "671a.3(b)(3)",
    "pa-677a": "677a.3(b)(3)",
}
READY: dict[str, Any] = {"connected": True, "mode": "ready", "fault": "", "count": 52, "deck": "blue", "unit": "S-1"}

every_book = pytest.mark.parametrize("book", BOOKS)


def stands_in_the_way(table: Table) -> list[tuple[str, str]]:
    """Reasons and remedies."""
    return [(ENGLISH(one.what), ENGLISH(one.remedy)) for one in obstacles(table.house, table.state)]


def offered(table: Table) -> list[str]:
    return [problem.key for problem in problems(table.house, table.state)]


def after_a_round(
    book: str,
    equipment: Equipment = Equipment(),  # noqa: B008
    level: int = 1,
    **says: Any,
) -> tuple[Table, Dealer]:
    """A round was played, and then the shuffler says this."""
    table, dealer = opened(book, equipment, level)
    table.shuffles(**says)
    plays(dealer)
    return table, dealer


OBSTACLES: list[tuple[dict[str, Any], str, str]] = [
    ({"connected": False}, "Shuffler not connected", "Check its power and cable."),
    ({"mode": "sort"}, "Shuffler is in sort mode", "Set it to shuffle."),
    ({"mode": "service"}, "Shuffler is in service mode", "Set it to shuffle."),
    ({"mode": "selftest", "count": None}, "Shuffler is in selftest mode", "Set it to shuffle."),
    ({"mode": "off", "count": None}, "Shuffler is in off mode", "Set it to shuffle."),
    ({"mode": "empty", "count": 0}, "The shuffler is empty", "Put the blue deck in."),
    ({"mode": "fault", "fault": "jam"}, "Shuffler fault: jam", "Clear it at the unit; it must reshuffle."),
    ({"mode": "fault", "fault": "cycle"}, "Shuffler fault: cycle", "Clear it at the unit; it must reshuffle."),
    ({"count": 51}, "Shuffler counts 51, not 52", "PROBLEM, Remove a deck ({count})."),
    ({"count": 53}, "Shuffler counts 53, not 52", "PROBLEM, Remove a deck ({count})."),
    ({"count": None}, "Shuffler counts ?, not 52", "PROBLEM, Remove a deck ({count})."),
    ({"deck": "red"}, "The shuffler has the red deck", "The blue deck is next ({deck})."),
    ({"unit": "S-2"}, "Shuffler S-2, not S-1", "PROBLEM, New shuffler; or put the right one back."),
]


@every_book
@pytest.mark.parametrize(("says", "what", "remedy"), OBSTACLES)
def test_bets_do_not_open_and_the_screen_says_why_and_what_to_do(
    book: str, says: dict[str, Any], what: str, remedy: str
) -> None:
    table, _ = after_a_round(book, **says)
    wanted = remedy.format(count=COUNT[book], deck=ONE_DECK_OF[book])
    assert table.phase == "closed" and stands_in_the_way(table) == [(what, wanted)]
    shown = " ".join(table.words().split())
    assert what in shown and all(word in shown for word in wanted.split())
    refused(table, "no-more-bets", "dealt", "clear", "cut", "shuffled")
    table.restarts()
    assert table.phase == "closed", "a power cut does not open bets"
    table.shuffles(**READY)
    counted_wrong = isinstance(says.get("count"), int) and says.get("mode") != "empty"
    assert table.phase == ("closed" if counted_wrong else "open"), "a deck that was counted wrong does not come back"


@every_book
def test_an_alarm_that_nobody_has_acknowledged_keeps_bets_closed(book: str) -> None:
    """Its fault may be gone; the dealer has to have seen it."""
    table, dealer = after_a_round(book, mode="fault", fault="jam", alarm=1)
    assert stands_in_the_way(table) == [
        ("Shuffler alarm: jam", "Clear the fault, then press SEEN."),
        ("Shuffler fault: jam", "Clear it at the unit; it must reshuffle."),
    ]
    table.shuffles(mode="ready", fault="")
    assert table.phase == "closed" and stands_in_the_way(table) == [
        ("Shuffler alarm: see the unit", "Clear the fault, then press SEEN.")
    ]
    dealer.presses("acknowledge")
    assert table.phase == "open" and table.last(e.AlarmAcknowledged).alarm == 1


@every_book
@pytest.mark.parametrize("mode", ["idle", "loading", "shuffling", "dispensing"])
def test_a_shuffler_at_work_lets_bets_open(book: str, mode: str) -> None:
    table, _ = after_a_round(book, mode=mode, count=None)
    assert table.phase == "open"


@every_book
def test_3b3_the_same_color_twice_is_not_the_deck_that_is_due(book: str) -> None:
    table, dealer = after_a_round(book, TWO_DECKS, 0, deck="blue")
    what, remedy = stands_in_the_way(table)[0]
    assert (what, remedy) == ("Put the played cards into the shuffler", f"Take the red deck ({TWO_OF[book]}).")
    table.shuffles(deck="red")
    assert table.phase == "open"
    plays(dealer)
    assert table.phase == "closed" and "Take the blue deck" in stands_in_the_way(table)[0][1]


@every_book
def test_a_unit_that_does_not_count_is_not_asked_for_52(book: str) -> None:
    """Its dealer counts the stub; it never says how many, in the round or covered."""
    table, dealer = after_a_round(book, Equipment(HAND, SHUFFLES), count=None)
    assert table.phase == "open"
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(mode="fault", fault="motor")
    dealer.presses("shuffled-and-cut")
    assert table.phase == "open"


@every_book
def test_another_unit_is_accepted_by_a_floorperson(book: str) -> None:
    table, dealer = after_a_round(book, unit="S-9")
    assert table.phase == "closed" and "new-unit" in offered(table)
    tells(dealer, "new-unit")
    for badge in ("", DEALER):
        assert "floorperson's badge" in refused(table, "apply", by=badge)
    dealer.presses("apply", by=DIAZ)
    accepted = table.last(e.UnitAccepted)
    assert (accepted.unit, accepted.by) == ("S-9", DIAZ) and table.phase == "open"
    table.restarts()
    assert table.state.decks.unit == "S-9" and table.phase == "open" and "new-unit" not in offered(table)
    table.shuffles(unit="S-1")
    plays(dealer)
    assert stands_in_the_way(table)[0][0] == "Shuffler S-1, not S-9", "the old one does not come back unseen"


@every_book
def test_the_unit_that_is_accepted_is_the_one_that_was_shown(book: str) -> None:
    table, dealer = after_a_round(book, unit="S-2")
    tells(dealer, "new-unit")
    table.shuffles(unit="S-666")
    assert "Choose what happened first" in refused(table, "apply", by=DIAZ)
    assert table.state.decks.unit == "S-1" and table.phase == "closed"
    dealer.presses("back")
    tells(dealer, "new-unit", by=DIAZ)
    assert table.state.decks.unit == "S-666" and table.phase == "open"


# The deal waits for the machine ---------------------------------------------------------------------------------------


def waits_for_the_machine(book: str, level: int = 1, equipment: Equipment = Equipment()) -> tuple[Table, Dealer]:  # noqa: B008
    """A round is over, the machine still shuffles: bets are open, seat 1 plays, and they are locked."""
    table, dealer = opened(book, equipment, level)
    table.shuffles(mode="shuffling", count=None)
    plays(dealer)
    if level:
        dealer.presses("box 1")
    locks(table, dealer)
    assert table.phase == "deal" and table.state.round.number == 2
    return table, dealer


NOT_DELIVERED: list[tuple[dict[str, Any], str]] = [
    ({"mode": "shuffling", "count": None}, "The shuffler is not ready (shuffling)"),
    ({"mode": "fault", "fault": "door", "count": None}, "Shuffler fault: door. Clear it at the unit"),
    ({"alarm": 1}, "Shuffler alarm: see the unit"),
    ({"deck": "red"}, "The shuffler has the red deck"),
    ({"unit": "S-2"}, "Shuffler S-2, not S-1"),
    ({"connected": False}, "Shuffler not connected"),
]


@every_book
@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(("says", "why"), NOT_DELIVERED)
def test_5b_no_card_is_dealt_before_the_machine_has_the_deck_ready_and_whole(
    book: str, level: int, says: dict[str, Any], why: str
) -> None:
    table, dealer = waits_for_the_machine(book, level)
    table.shuffles(**{**READY, **says})
    for word in ("dealt",) if level else ("clear", "seat 1"):
        assert why in refused(table, word)
    table.restarts()
    assert why in refused(table, "dealt" if level else "clear"), "the power makes no deck whole"
    table.shuffles(**READY)
    if says.get("alarm"):
        dealer.presses("acknowledge")
    table.shuffles(mode="empty", count=0)  # the dealer has the deck in his hand
    dealer.presses("dealt" if level else "clear")
    assert table.phase == ("ask" if level else "closed")


@every_book
def test_5b_a_count_that_stays_wrong_voids_the_round(book: str) -> None:
    """The deck that the machine counted goes; the round was never dealt."""
    table, dealer = waits_for_the_machine(book)
    table.shuffles(mode="ready", count=51)
    refused(table, "dealt", "problem remove-1")
    lunar = book == "pa-671a"  # its books know no void for a count: no card can be dealt, the number is wrong
    assert ("not-52" in offered(table)) != lunar
    table.shuffles(count=52)
    refused(table, "dealt", "recut")
    tells(dealer, "wrong-number" if lunar else "not-52", by=DIAZ)
    dealer.presses("clear")
    assert table.phase == "closed" and bool(table.state.decks.here) == lunar
    if lunar:
        tells(dealer, "remove-1", by=DIAZ)
        assert not table.state.decks.here


@pytest.mark.parametrize("book", [book for book in BOOKS if not book.startswith("md")])
def test_5b_where_it_cannot_the_floor_has_the_cards_shuffled_and_cut_by_hand(book: str) -> None:
    table, dealer = waits_for_the_machine(book)
    table.shuffles(mode="fault", fault="motor")
    refused(table, "dealt")
    tells(dealer, "shuffle", by=DIAZ)
    dealer.presses("recut", "dealt")
    assert table.last(e.DeckCut) and table.phase == "ask"


@every_book
def test_5b_another_unit_that_brings_the_deck_is_accepted_before_the_deal(book: str) -> None:
    table, dealer = waits_for_the_machine(book)
    table.shuffles(**{**READY, "unit": "S-2"})
    tells(dealer, "new-unit", by=DIAZ)
    dealer.presses("dealt")
    assert table.state.decks.unit == "S-2"


@every_book
def test_3b_a_jam_of_two_decks_concerns_the_one_that_is_shuffled(book: str) -> None:
    """The deck due was ready when bets opened; what the machine says afterward is about the other one."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    plays(dealer)
    table.shuffles(mode="ready", deck="red")
    table.shuffles(mode="fault", fault="jam", count=None, deck="blue", alarm=1)
    locks(table, dealer)
    assert not table.state.round.device_failed
    dealer.presses("clear")
    assert table.phase == "closed"


@every_book
def test_where_nobody_plays_nobody_waits_for_cards(book: str) -> None:
    table, dealer = opened(book)
    table.shuffles(mode="shuffling", count=None)
    plays(dealer)
    plays(dealer)
    assert table.phase == "open" and table.state.round.number == 3
    dealer.presses("undo")
    assert table.state.round.number == 2, "and its clearing is taken back"


# .13(g): covered, and the change of method ----------------------------------------------------------------------------


@every_book
@pytest.mark.parametrize("how", [SHOE, HAND, AUTOMATED])
def test_13g_covered_the_table_deals_from_a_shoe_and_uncovered_as_before(book: str, how: str) -> None:
    """No other way before a floorperson has had it covered; then by hand, cut, from a manual shoe; and back."""
    table, dealer = after_a_round(book, Equipment(how, COUNTS), mode="fault", fault="motor")
    assert table.phase == "closed" and method(table.house, table.state) == how
    refused(table, "shuffled", "shuffled-and-cut", "cut")
    tells(dealer, "cover")
    assert refused(table, "apply", by=DEALER) == f"A floorperson's badge and PIN first ({OUT_OF_ORDER[book]})."
    dealer.presses("apply", by=DIAZ)
    covered = table.last(e.DeviceMarked)
    assert (covered.covered, covered.fault, covered.by) == (True, "motor", DIAZ) and method(
        table.house, table.state
    ) == SHOE
    table.shuffles(mode="empty", count=0)
    assert table.phase == "shuffle"
    dealer.presses("shuffled", "cut")
    assert table.phase == "open"
    table.restarts()
    assert table.state.decks.covered_for == "motor", "covered through a power cut"
    table.shuffles(mode="ready", fault="", count=52)
    tells(dealer, "uncover")
    assert OUT_OF_ORDER[book] in refused(table, "apply", by="")
    dealer.presses("apply", by=OKAFOR)
    assert (
        table.last(e.DeviceMarked) == e.DeviceMarked(False, "", by=OKAFOR) and method(table.house, table.state) == how
    )
    plays(dealer)
    assert table.phase == "open" and DeckWork.SHUFFLED not in map(way_of, table.happened[-4:])


LEFT_INSIDE = [
    ({"mode": "service", "count": 52}, "52 cards are in the covered shuffler"),
    ({"mode": "fault", "fault": "jam", "count": 31}, "31 cards are in the covered shuffler"),
    ({"mode": "ready", "fault": "", "count": 52}, "52 cards are in the covered shuffler"),
    ({"mode": "off", "count": 7}, "7 cards are in the covered shuffler"),
    ({"mode": "fault", "fault": "jam", "count": None}, "Card count in the covered shuffler is unknown"),
]


@every_book
@pytest.mark.parametrize(("says", "what"), LEFT_INSIDE)
def test_13g_cards_left_in_a_covered_device_keep_bets_closed(book: str, says: dict[str, Any], what: str) -> None:
    table, dealer = after_a_round(book, mode="fault", fault="jam", count=None)
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(**says)
    found = stands_in_the_way(table)
    assert table.phase == "closed" and [reason for reason, _ in found] == [what] and "out" in found[0][1]
    table.shuffles(mode="empty", fault="", count=0)
    assert table.phase == "shuffle", "with the others: by hand, and cut"
    dealer.presses("shuffled-and-cut")
    assert table.phase == "open"


@every_book
def test_13g_a_device_that_is_switched_off_or_unplugged_has_been_emptied_by_hand(book: str) -> None:
    for says in ({"mode": "off", "count": None}, {"connected": False}):
        table, dealer = after_a_round(book, mode="fault", fault="jam", count=None)
        tells(dealer, "cover", by=DIAZ)
        assert table.phase == "closed"
        table.shuffles(**{"fault": "", **says})
        assert table.phase == "shuffle"
        dealer.presses("shuffled-and-cut")
        assert table.phase == "open"


@pytest.mark.parametrize("book", [book for book in BOOKS if not book.startswith("md")])
def test_13g_covered_while_wagers_lie_the_deck_is_shuffled_by_hand_before_the_first_card(book: str) -> None:
    """The machine jammed over open bets: wagers stay, no card is dealt from cards that nobody shuffled."""
    table, dealer = opened(book, Equipment(HAND, COUNTS))
    plays(dealer)
    dealer.presses("box 1")
    lit = table.house.offers_progressive
    if lit:
        table.seats(1).place()
    table.shuffles(mode="fault", fault="jam", count=None)
    tells(dealer, "cover", by=DIAZ)
    if not lit:
        assert table.phase == "shuffle", "no wager that the table sees"
        table.shuffles(mode="empty", count=0)
        dealer.presses("shuffled-and-cut")
        assert table.phase == "open" and table.state.players == (1,)
        return
    assert table.phase == "open" and table.lit == (1,) and table.state.decks.reshuffle
    assert "Card count in the covered shuffler is unknown" in refused(table, "recut")
    table.shuffles(mode="empty", fault="", count=0)
    dealer.presses("no-more-bets", "count 1")
    assert "Shuffle the cards again first" in refused(table, "dealt")
    dealer.presses("recut", "dealt")
    assert table.phase == "ask" and table.last(e.DeckCut)


@every_book
def test_13e_a_jam_in_the_round_is_not_forgotten_after_it(book: str) -> None:
    table, dealer = opened(book)
    table.shuffles(mode="fault", fault="jam", count=None, alarm=1)
    is_void(dealer)
    assert table.phase == "closed" and stands_in_the_way(table)[0][0] == "Shuffler alarm: jam"


@every_book
def test_a_table_without_a_machine_has_none_to_cover(book: str) -> None:
    table, dealer = opened(book, ONE_BY_HAND)
    plays(dealer)
    assert not {"cover", "uncover", "new-unit"} & set(offered(table))
    table.shuffles(mode="fault", fault="jam", alarm=3)
    assert obstacles(table.house, table.state) == (), "a unit that nobody put there says nothing to this table"


def test_preshuffled_cards_of_an_automated_shoe_have_to_be_in_it() -> None:
    """Dealt from the device itself: what it holds is asked in the first round too."""
    table, dealer = shut("pa-653a", Equipment(AUTOMATED, COUNTS))
    table.turns_switch(locked=False)
    table.shuffles(mode="empty", count=0)
    dealer.presses("preinspected", "cut")
    assert table.phase == "closed" and stands_in_the_way(table) == [("The shuffler is empty", "Put the blue deck in.")]
    table.shuffles(mode="ready", count=52)
    assert table.phase == "open"
