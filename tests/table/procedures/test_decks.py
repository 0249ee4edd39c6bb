"""Cards and decks: sections .3 of the four books, in a dealer's words."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from firmware.config import ConfigError, load_table
from firmware.table import events as e
from firmware.table.dealing import steps
from firmware.table.inputs import ButtonPushed, ClockSet, Ticked
from firmware.table.interlock import hours, obstacles
from firmware.table.procedures import AUTOMATED, COUNTS, HAND, NO_SHUFFLER, SHOE, Equipment
from firmware.table.state import Phase
from tests.table.procedures.openings import (
    HOUR,
    ONE_BY_HAND,
    TWO_DECKS,
    is_void,
    next_deck_is_in,
    opened,
    paragraph,
    plays,
    refused,
    shut,
    washes,
)
from tests.table.procedures.walks import BOOKS, betting, buys_in, locks, tells
from tests.table.table import DIAZ, MS, Table
from ui.words import ENGLISH

RULES = {
    "pa-653a": 'blind = { paytable = "A" }\ntrips = { paytable = "A" }\n',
    "md-36.05.16": 'blind = { paytable = "A" }\ntrips = { paytable = "A" }\n',
    "pa-671a": 'instant = { paytable = "A" }\n',
    "pa-677a": "",
}

every_book = pytest.mark.parametrize("book", BOOKS)
para = partial(paragraph, 3)


# (a), (b): one deck or two --------------------------------------------------------------------------------------------


@every_book
def test_3_two_decks_need_a_shuffler(tmp_path: Path, book: str) -> None:
    """What table.toml may name; and the tables that open so, with one deck by hand and with two by a machine."""

    def starts(shuffler: str, colors: str) -> str:
        file = tmp_path / "table.toml"
        file.write_text(
            f'[dealing]\nmethod = "shoe"\nshuffler = "{shuffler}"\ncolors = {colors}\nassist = 1\n'
            f'[seats]\ncount = 5\n[rules]\nbook = "{book}"\ntable_minimum = "15.00"\n{RULES[book]}'
        )
        try:
            load_table(file)
        except ConfigError as refusal:
            return str(refusal)
        return ""

    assert f"two decks need an automated shuffler ({para(book, '(b)', 'B')})" in starts("none", '["blue", "red"]')
    assert starts("none", '["blue"]') == "" and starts("counts", '["blue", "red"]') == ""
    assert starts("shuffles", '["red"]') == "", "one deck with a shuffler"
    assert "name one or two different ones" in starts("counts", '["blue", "blue"]')
    for equipment, colors in ((ONE_BY_HAND, ["blue"]), (TWO_DECKS, ["blue", "red"])):
        table, _ = opened(book, equipment)
        assert [deck.color for deck in table.state.decks.here] == colors


@every_book
def test_3_inspect_names_the_cover_cards(book: str) -> None:
    table, dealer = shut(book)
    dealer.presses("received")
    wanted = "1 cover card." if book == "pa-671a" else "2 cover cards."
    assert table.phase == "inspect" and wanted in table.words()


@every_book
def test_3_two_decks_differ_in_color(book: str) -> None:
    """Each deck comes in its own color; a shuffler that has another than the deck due keeps bets closed."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    assert [deck.color for deck in table.state.decks.here] == ["blue", "red"]
    table.shuffles(deck="blue")
    plays(dealer)
    assert table.phase == "closed"
    found = obstacles(table.house, table.state)
    assert [ENGLISH(one.what) for one in found] == ["Put the played cards into the shuffler"]
    assert ENGLISH(found[0].remedy) == f"Take the red deck ({para(book, '(b)(3)', 'B(4)')})."
    table.shuffles(deck="red")
    assert table.phase == "open"
    tells(dealer, "remove-1", by=DIAZ)
    dealer.presses("received")
    assert [deck.color for deck in table.state.decks.here] == ["red", "blue"], (
        "what is missing comes, never a second red one"
    )


@every_book
def test_3_one_deck_plays_the_other_is_in_the_shuffler(book: str) -> None:
    """The deck due comes out of the machine; the one that was played is not dealt twice, nor before it is whole."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    for due, resting in (("red", "blue"), ("blue", "red")):
        table.shuffles(mode="ready", deck=resting)
        plays(dealer)
        assert table.phase == "closed", f"{resting} was just played and is in the machine: both decks are in one place"
        table.shuffles(mode="fault", fault="jam", count=None, deck=due)
        assert table.phase == "closed"
        table.shuffles(mode="ready", fault="", count=52)
        assert table.phase == "open" and table.state.deck and table.state.deck.color == due


@every_book
def test_3_decks_alternate_every_round(book: str) -> None:
    table, dealer = opened(book, TWO_DECKS, level=0)
    dealt = []
    for number in range(6):
        assert table.phase == "open" and table.state.deck
        dealt.append(table.state.deck.color)
        is_void(dealer) if number == 2 else plays(dealer)
        next_deck_is_in(table)
    assert dealt == ["blue", "red"] * 3


@every_book
@pytest.mark.parametrize(
    ("rounds", "removed", "next_color"), [(1, "red", "red"), (1, "blue", "red"), (2, "red", "blue")]
)
def test_3_they_alternate_also_when_one_of_them_is_replaced(
    book: str, rounds: int, removed: str, next_color: str
) -> None:
    """Whichever goes, the color that was not dealt last is next."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    for _ in range(rounds - 1):
        plays(dealer)
        next_deck_is_in(table)
    resting = next(deck.color for deck in table.state.decks.here if deck is not table.state.deck)
    table.shuffles(mode="sort", deck=resting)
    plays(dealer)
    number = next(deck.number for deck in table.state.decks.here if deck.color == removed)
    tells(dealer, f"remove-{number}", by=DIAZ)
    dealer.presses("fetch", "preinspected", "cut")
    assert table.state.deck and table.state.deck.color == next_color


@every_book
def test_3_without_its_machine_a_table_plays_with_one_deck(book: str) -> None:
    """Two decks need an automated shuffler; while it is covered one deck rests, and afterward they alternate again."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    tells(dealer, "cover", by=DIAZ)
    table.shuffles(mode="empty", count=0, deck="")
    for _ in range(3):
        dealer.presses("shuffled-and-cut")
        assert table.phase == "open" and table.state.deck and table.state.deck.color == "blue"
        plays(dealer)
    dealer.presses("shuffled-and-cut")
    tells(dealer, "uncover", by=DIAZ)
    plays(dealer)
    assert table.state.deck is not None and table.state.deck.color == "red"
    next_deck_is_in(table)
    assert table.phase == "open"


@every_book
def test_3_the_discard_rack_holds_one_deck(book: str) -> None:
    """Before its cards need the rack, DEAL says that the other deck has left it."""
    table, dealer = opened(book, TWO_DECKS, level=0)
    for other in ("red", "blue"):
        locks(table, dealer)
        first = steps(table.house, table.state)[0]
        dealt = "BLUE" if other == "red" else "RED"
        assert ENGLISH(first.words) == (
            f"Deal {dealt}. {other.upper()} is in the shuffler, none of it in the discard rack"
        )
        assert first.cite == para(book, "(b)(4)", "B(5)") and first.cards == 0
        dealer.presses("clear")
        next_deck_is_in(table)
    alone, dealer = opened(book)
    dealer.presses("box 1", "no-more-bets")
    assert not [
        step for step in steps(alone.house, alone.state) if "discard rack" in ENGLISH(step.words) and not step.cite
    ]
    assert "shuffler" not in ENGLISH(steps(alone.house, alone.state)[0].words)


# (c): hours -----------------------------------------------------------------------------------------------------------

WAYS = {
    "hand": (Equipment(HAND, COUNTS), 4, ("(c)(1)", "C(1)")),
    "manual shoe": (Equipment(SHOE, NO_SHUFFLER), 8, ("(c)(2)", "C(2)")),
    "automated shoe": (Equipment(AUTOMATED, COUNTS), 8, ("(c)(2)", "C(2)")),
}


@every_book
@pytest.mark.parametrize("way", WAYS)
def test_3_a_deck_past_its_hours_keeps_bets_closed(book: str, way: str) -> None:
    """A minute earlier bets still open; at the hour the running round ends first; a restart loses no time."""
    equipment, limit, cites = WAYS[way]
    table, dealer = opened(book, equipment)
    shuffle = ("shuffled-and-cut",) if not equipment.machine else ()
    came = table.state.decks.here[0].since
    table.now += HOUR
    table.restarts()
    table.now = (came - 1_800_000_000) * 1000 + limit * HOUR - 60_000
    table.ticks()
    plays(dealer)
    dealer.presses(*shuffle)
    assert table.phase == "open" and not table.state.decks.due
    locks(table, dealer)
    table.now += 60_000
    table.ticks()
    assert table.phase == "deal", "this round is played to its end"
    dealer.presses("clear")
    assert table.phase == "closed"
    assert ENGLISH(table.state.decks.due) == f"The decks have been in use for {limit} hours ({para(book, *cites)})"
    refused(table, "preinspected", "cut", "looked")
    dealer.presses("fetch")
    assert table.phase == "shut" and not len(table.state.decks.here)
    dealer.presses("preinspected", "cut")
    table.ticks()
    assert table.phase == "open" and [deck.number for deck in table.state.decks.here] == [2]


@every_book
def test_3_a_covered_machine_changes_the_hours_with_the_way_of_dealing(book: str) -> None:
    table, dealer = opened(book)
    assert hours(table.house, table.state) == 4
    tells(dealer, "cover", by=DIAZ)
    assert hours(table.house, table.state) == 8, "without its machine a table deals from a manual shoe"
    table.now += 5 * HOUR
    table.ticks()
    assert not table.state.decks.due
    tells(dealer, "uncover", by=DIAZ)
    table.ticks()
    assert para(book, "(c)(1)", "C(1)") in ENGLISH(table.state.decks.due)


@pytest.mark.parametrize("behind_s", [119, 900, 3600, 57 * 365 * 24 * 3600], ids=str)
@pytest.mark.parametrize("level", [0, 1])
def test_653a_3c_a_clock_that_stands_before_the_decks_came_says_nothing_of_them(level: int, behind_s: int) -> None:
    """After a power cut it stands where it was saved, or in 1970, until a time server is heard: decks and lamps stay."""
    table, _ = opened("pa-653a", level=level)
    table.seats(2).place()
    table.now -= behind_s * 1000
    table.ticks()
    assert table.phase == "open" and table.state.wagers == (2,) and not table.state.decks.due
    table.now += behind_s * 1000 + 5_000
    table.ticks()
    assert table.phase == "open" and table.state.wagers == (2,) and len(table.state.decks.here) == 1


def cut_for(table: Table, hours: int) -> None:
    """The power goes for so long by the wall clock, which no time server bears out."""
    table.now += hours * HOUR
    table.restarts()
    table.hears(Ticked(table.clock, sure=False))


@pytest.mark.parametrize("level", [0, 1])
def test_653a_3c_how_long_the_power_was_off_by_a_clock_that_nobody_bears_out_takes_no_wager_back(level: int) -> None:
    """Eight days too far at the start of the machine: the lamp stays lit, the round is played, the decks are due after it;
    and they are not once the clock is right: bets open by themselves."""
    table, dealer = opened("pa-653a", level=level)
    if level:
        dealer.presses("box 2")
    table.seats(2).place()
    cut_for(table, 8 * 24)
    assert table.phase == "open" and table.state.wagers == (2,) and table.state.decks.due
    dealer.presses("no-more-bets", "count 1")
    table.hears(ClockSet(-8 * 24 * 3600, table.clock - 8 * 24 * 3600))
    assert not table.state.decks.due and table.phase == "deal"


def test_653a_3c_decks_that_are_due_by_a_wrong_clock_only_keep_bets_closed_until_it_is_right() -> None:
    table, dealer = opened("pa-653a", level=0)
    cut_for(table, 8 * 24)
    dealer.presses("no-more-bets", "clear")
    assert table.phase == "closed" and len(table.state.decks.here) == 1
    table.hears(ClockSet(-8 * 24 * 3600, table.clock - 8 * 24 * 3600))
    assert table.phase == "open" and not table.state.decks.due


def test_653a_3c_a_time_server_bears_out_that_the_power_was_off_for_hours() -> None:
    table, _ = opened("pa-653a", level=0)
    cut_for(table, 8 * 24)
    table.hears(Ticked(table.clock, sure=True))
    assert table.phase == "shut" and "4 hours" in ENGLISH(table.last(e.DecksWanted).why)


def test_653a_3c_decks_that_came_by_a_wrong_clock_are_as_old_as_before_when_it_is_right() -> None:
    """A machine began where its clock was saved; decks came; ten hours later by the clock, and a minute by the monotonic
    one, a time server is heard. They have three hours and 59 minutes left."""
    table, _ = opened("pa-653a", level=0)
    by = 10 * 3600
    table.now += 60_000
    table.hears(ClockSet(by, table.clock + by))
    table.hears(Ticked(table.clock + by))
    assert table.phase == "open"
    table.now += 4 * HOUR - 120_000
    table.hears(Ticked(table.clock + by))
    assert table.phase == "open"
    table.now += 60_000
    table.hears(Ticked(table.clock + by))
    assert table.phase == "shut" and "4 hours" in ENGLISH(table.last(e.DecksWanted).why)


def test_653a_3c_a_clock_that_is_right_again_says_how_old_the_decks_are() -> None:
    """Four hours are four hours, with a wager that a wrong clock left lit."""
    table, _ = opened("pa-653a")
    table.seats(2).place()
    table.now -= HOUR
    table.ticks()
    assert table.state.wagers == (2,)
    table.now += 2 * HOUR
    table.ticks()
    assert table.state.wagers == (2,) and not table.state.decks.due
    table.now += 4 * HOUR
    table.ticks()
    assert table.phase == "shut" and "4 hours" in ENGLISH(table.last(e.DecksWanted).why)


@every_book
@pytest.mark.parametrize("level", [0, 1])
def test_3_decks_that_fall_due_before_anything_is_staked_are_changed_before_the_round(book: str, level: int) -> None:
    """Positions that are only taken over from the last round stake nothing; they are there again with the new decks."""
    table, dealer = opened(book, level=level)
    if level:
        dealer.presses("box 2")
    table.now += 4 * HOUR
    table.ticks()
    assert (
        table.phase == "shut" and table.state.decks.here == () and "4 hours" in ENGLISH(table.last(e.DecksWanted).why)
    )
    dealer.presses("preinspected", "cut")
    table.ticks()
    assert table.phase == "open" and table.state.round.number == 2 and not table.state.decks.due
    assert table.state.players == ((2,) if level else ())


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
@pytest.mark.parametrize("level", [0, 1])
def test_3c_no_round_is_dealt_with_old_decks_because_a_chip_lies_there(book: str, level: int) -> None:
    """The wagers go back with their lamps, other decks come, and a chip that still lies there is one of the new round."""
    table, dealer = opened(book, level=level)
    table.seats(2, 3).place()
    table.now += 4 * HOUR
    table.ticks()
    assert table.phase == "shut" and table.lit == () and not any(seat.wager for seat in table.state.round.seats)
    assert "4 hours" in ENGLISH(table.state.decks.went) and "All wagers go back" in ENGLISH(table.state.decks.went)
    table.seats(2).lift()
    table.seats(4).place()
    dealer.presses("preinspected", "cut")
    assert table.phase == "open" and table.state.round.number == 2 and not table.state.decks.went
    assert table.lit == (3, 4) and not any(seat.late for seat in table.state.round.seats)


def test_3c_a_five_card_wager_goes_back_to_its_account_when_the_decks_are_due() -> None:
    table, dealer = betting("pa-653a", 1, five_card=True)
    buys_in(dealer, 1, 500)
    credit = table.state.felt.accounts[0]
    table.hears(ButtonPushed(1, "own", table.now * MS))
    assert table.state.felt.accounts[0] < credit
    table.now += 4 * HOUR
    table.ticks()
    assert table.phase == "shut" and table.state.felt.accounts[0] == credit
    assert table.last(e.WagerReturned).why == "decks are changed"


@pytest.mark.parametrize("key", ["change-decks", "idle"])
def test_3_credit_is_cashed_out_before_the_table_stops_for_other_decks_or_a_spread(key: str) -> None:
    table, dealer = betting("pa-653a", 1, five_card=True)
    buys_in(dealer, 4, 10_000)
    dealer.presses("problem")
    assert refused(table, f"problem {key}") == "Cash out the wagering account of seat 4 first."
    dealer.presses("back", "account 1", "account 4", "cash-out", "back")
    tells(dealer, key)
    assert table.phase in ("shut", "idle")


@every_book
def test_5f_faces_that_somebody_saw_are_washed(book: str) -> None:
    """Spread by mistake: back to open bets as they were, until a player has seen the faces."""
    table, dealer = opened(book, ONE_BY_HAND)
    tells(dealer, "idle")
    dealer.presses("face-up")
    dealer.sees_no("undo")
    assert table.final == "FacesTurned"
    dealer.presses("face-up", "undo")
    assert table.state.decks.face_up, "turned down again is a press like any other"
    refused(table, "undo")
    dealer.presses("looked", "undo")
    refused(table, "undo")
    assert table.phase == "idle" and table.final == "looked", "looked at is seen"
    dealer.presses("looked", "stacked", "shuffled-and-cut")
    assert table.phase == "open"
    tells(dealer, "idle")
    dealer.presses("undo", "undo")
    assert table.phase == "open" and table.state.decks.cards == "cut"


def test_a_count_of_the_stub_is_not_told_before_the_deal() -> None:
    table, dealer = opened("pa-653a", ONE_BY_HAND)
    for _ in range(4):
        plays(dealer)
        dealer.presses("shuffled-and-cut")
    dealer.presses("box 1")
    locks(table, dealer)
    assert refused(table, "stub-right") == "Deal the cards first."
    dealer.presses("dealt", "next", "next", "next", "stub-right", "dealer yes")


def test_a_seat_of_five_thousand_digits_does_not_exist() -> None:
    table, _ = opened("pa-653a")
    assert refused(table, f"stakes {'9' * 5000} trips", "stakes 7 trips", "stakes x", "stakes 1 odds")


def test_3_of_two_decks_the_older_one_counts_and_both_are_changed() -> None:
    table, dealer = opened("pa-653a", TWO_DECKS, level=0)
    table.now += 3 * HOUR
    table.shuffles(mode="sort")
    plays(dealer)
    tells(dealer, "remove-2", by=DIAZ)
    dealer.presses("fetch", "preinspected", "cut")
    table.now += HOUR
    table.ticks()
    assert "4 hours" in ENGLISH(table.state.decks.due)
    table.shuffles(mode="ready", deck="blue")
    dealer.presses("fetch")
    assert table.phase == "shut" and table.state.decks.here == ()


def test_3_the_house_changes_its_decks_before_they_are_due() -> None:
    table, dealer = opened("pa-653a")
    table.seats(2).place()
    dealer.presses("problem table")
    assert "play this round first" in refused(table, "problem change-decks")
    table.seats(2).lift()
    dealer.presses("problem change-decks")
    assert table.phase == "shut" and table.last(e.DecksWanted).all


# Timers and counters in the journal -----------------------------------------------------------------------------------


@every_book
def test_hours_and_counters_survive_a_restart(book: str) -> None:
    """A power cut after every step: hours, rounds since the last count and numbers stay what they were."""
    table, dealer = shut(book, ONE_BY_HAND)

    def known() -> tuple[object, ...]:
        state = table.state
        return (
            state.decks.here,
            state.history.deck_number,
            state.decks.since_count,
            state.decks.due,
            state.decks.cards,
            state.decks.in_play,
        )

    def cut() -> None:
        before, phase = known(), table.state.phase
        table.restarts()
        assert known() == before and table.state.phase is phase

    cut()
    for word, by in (("received", ""), ("inspected", ""), ("verify", DIAZ), ("looked", ""), ("stacked", "")):
        dealer.presses(word, by=by)
        cut()
    for since_count in (1, 2, 3):
        dealer.presses("shuffled")
        cut()
        dealer.presses("cut")
        cut()
        plays(dealer)
        assert table.state.decks.since_count == since_count and table.phase == "shuffle"
        cut()
    tells(dealer, "remove-1", by=DIAZ)
    cut()
    dealer.presses("received")
    assert table.state.phase is Phase.INSPECT
    cut()
    assert [deck.number for deck in table.state.decks.here] == [2]
    table.now += 8 * HOUR
    table.ticks()
    cut()
    assert "8 hours" in ENGLISH(table.state.decks.due)


def test_a_deck_that_stays_keeps_its_rounds_since_a_count() -> None:
    """Only when every card is new does the count of five rounds begin anew."""
    table, dealer = opened("pa-653a", Equipment(HAND, "shuffles", ("blue", "red")))
    for _ in range(2):
        plays(dealer)
        next_deck_is_in(table)
    table.shuffles(mode="sort")
    plays(dealer)
    tells(dealer, "remove-2", by=DIAZ)
    dealer.presses("fetch", "preinspected")
    assert table.state.decks.since_count == 3
    dealer.presses("undo")
    assert table.phase == "shut" and [deck.number for deck in table.state.decks.here] == [1], "only what came goes back"
    dealer.presses("preinspected", "cut")
    assert [deck.number for deck in table.state.decks.here] == [1, 4]
    tells(dealer, "change-decks")
    dealer.presses("preinspected")
    assert table.state.decks.since_count == 0


def test_3_a_deck_that_goes_while_it_is_shuffled_is_replaced_at_once() -> None:
    table, dealer = shut("pa-653a", ONE_BY_HAND)
    washes(dealer)
    tells(dealer, "remove-1", by=DIAZ)
    assert table.phase == "shut" and table.state.decks.here == ()
    refused(table, "shuffled", "cut", "undo")
