"""What a tired dealer sees on the screens, and must not see: one test for each thing that once misled somebody."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Iterable, Iterator

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.rules.hands import HandName
from firmware.rules.message import say
from firmware.rules.meter_wagers import meter_payment
from firmware.rules.money import Cents
from firmware.rules.paytable import Fixed
from firmware.table.house import House, Person
from firmware.table.inputs import LinkSeen, PinRefused, ShufflerSeen
from firmware.table.interlock import stub_due
from firmware.table.irregularity import ROUTINE, Group, ProblemKind, problems
from firmware.table.state import Phase, TableState
from firmware.table.wire import MeterHeard
from firmware.wire.structs import replace
from tests.table.table import DIAZ, OKAFOR, cards_of
from tests.ui.test_screens import (
    SHARE,
    TABLE,
    Acts,
    a_lit_seat,
    cards_come,
    entered,
    locked_and_counted,
    longest,
    lunar_poker,
    owing,
    six_rounds,
    with_parts,
)
from tests.ui.walk import HOUSES, LIVE, NAMES, Walk
from ui.dealer import theme
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.panels import PANELS, SEVEN_INCH
from ui.dealer.pieces import Live
from ui.dealer.screens import screen
from ui.dealer.seats import lamp_tile
from ui.dealer.widgets import Screen, Shape, Tone, Widget
from ui.words import money


def done(acts: Acts) -> None:
    """Everything that the acts do is done."""
    for _ in acts:
        pass


def asked(book: str, *players: int) -> Walk:
    """Cards are dealt to these seats, and the first questions are asked."""
    table = Walk(HOUSES[f"{book} 1"], 0)
    done(cards_come(table))
    done(table.presses(*(f"box {seat}" for seat in players)))
    done(locked_and_counted(table))
    done(table.presses("dealt"))
    return table


def widget(shown: Screen, name: str) -> Widget:
    return next(one for one in shown.widgets if one.id == name)


def is_well(shown: Screen, neighbor: str) -> bool:
    """A neighbor of the table stands in the status bar only where something is wrong with it."""
    return neighbor not in {one.id for one in shown.widgets}


def said(one: Widget | Iterable[Widget]) -> str:
    """The words of a widget, or of several."""
    widgets = [one] if isinstance(one, Widget) else list(one)
    return " ".join(line.text for each in widgets for line in each.lines)


# Decisions: 653a.11(b), (d), (f) ----------------------------------------------------------------------------------


def test_the_next_key_says_what_it_writes_down_before_it_is_final() -> None:
    table = asked("pa-653a", 1, 2, 3)
    assert "3 CHECK" in said(widget(table.shown(), "primary"))
    done(table.presses("seat 2"))
    assert "1 PLAY · 2 CHECK" in said(widget(table.shown(), "primary"))
    done(table.presses("next", "next", "seat 1"))
    assert "2 PLAY · 1 FOLD" in said(widget(table.shown(), "primary"))


def test_a_seat_whose_answer_was_changed_in_this_street_says_so() -> None:
    """653a.11(b): four antes became three, or a fold came and went."""
    table = asked("pa-653a", 1, 2)
    done(table.presses("seat 1"))
    assert "changed" not in said(table.shown().widgets)
    done(table.presses("seat 1"))
    assert "changed" in said(widget(table.shown(), "seat-1"))
    assert "changed" not in said(widget(table.shown(), "seat-2"))
    done(table.presses("undo"))
    assert "changed" not in said(table.shown().widgets)
    done(table.presses("next", "next", "seat 2", "seat 2"))
    shown = widget(table.shown(), "seat-2")
    assert "1×" in said(shown) and "changed" in said(shown)


def test_677a_11b_a_raise_of_any_amount_between_is_asked_too() -> None:
    """677a.11(b): "up to three times"; at its last street, and in 653a.11(b), amounts are named."""
    assert "Raise 1× or 2× or 3×, or check? Any amount between too.  (677a.11(b))" in said(
        asked("pa-677a", 1, 2).shown().widgets
    )
    for book, question in (("pa-653a", "Play 3× or 4×, or check?"), ("pa-677a", "Raise 1×, or fold?")):
        table = asked(book, 1, 2)
        done(table.presses(*2 * ("next",) * (book == "pa-677a")))
        shown = said(table.shown().widgets)
        assert question in shown and "between" not in shown


def test_where_nobody_plays_yet_no_number_says_so() -> None:
    table = Walk(HOUSES["pa-653a 1"], 0)
    done(cards_come(table))
    assert "no hands yet" in said(widget(table.shown(), "primary"))


def test_the_mark_of_a_changed_answer_goes_with_its_street() -> None:
    table = asked("pa-653a", 1, 2)
    done(table.presses("seat 1", "seat 1", "next"))
    assert "changed" not in said(table.shown().widgets)


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-677a"])
def test_three_streets_have_three_titles_and_say_what_is_dealt_next(book: str) -> None:
    table = asked(book, 1)
    titles, keys = [], []
    for _ in range(3):
        shown = table.shown()
        titles.append(said(widget(shown, "title")))
        keys.append(widget(shown, "primary").lines[0].text)
        done(table.presses("next"))
    assert titles == ["Before the flop  ●○○", "The flop  ●●○", "Turn and river  ●●●"]
    assert keys[:2] == ["DEAL THE FLOP", "DEAL TURN AND RIVER"]


def test_11c_and_11e_where_nobody_is_left_to_ask_both_burns_are_named() -> None:
    """653a.11(c), (e): a card is burned before the flop, and another before turn and river."""
    table = asked("pa-653a", 1, 2)
    done(table.presses("seat 1", "seat 2"))
    work = said(widget(table.shown(), "work"))
    assert work.endswith(
        "Nobody is left to ask. Burn one, then deal the flop face up (653a.11(c)). "
        "Burn one, then deal turn and river face up (653a.11(e))."
    )
    done(table.presses("next"))
    assert "First the board with its burn cards" in said(widget(table.shown(), "prompt"))
    table = asked("pa-653a", 1)
    done(table.presses("next", "seat 1"))
    work = said(widget(table.shown(), "work"))
    assert work.count("Burn one") == 1 and work.endswith("Burn one, then deal turn and river face up (653a.11(e)).")


# Without a bank: 653a.7(e) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pa-653a 0", "pa-653a 1", "five card 0"])
def test_a_silent_bank_leaves_what_was_heard_last_and_words_for_the_players(name: str) -> None:
    """Players are sent to the dealer; he has an answer, also where ACCOUNTS and WAGERS stand beside it."""
    table = Walk(HOUSES[name], 0)
    done(cards_come(table))
    a_lit_seat(table, 2)
    table.hears(LinkSeen(False, say("link.bank-silent")))
    shown = with_live(table, meters=(MeterHeard("main", "main", "10000.00"),), meters_at="21:09")
    words = said(widget(shown, "work"))
    for part in (
        "PROGRESSIVE OFF",
        "Deal on: only progressive bets close",
        "Tell the players: no progressive",
        "Bets that are lit stay",
        "21:09",
        "$10,000.00",
    ):
        assert part in words, part
    assert "A lit lamp is a recognized wager" not in said(shown.widgets)
    unheard = with_live(table, meters=(), meters_at="")
    assert "Last heard" not in said(unheard.widgets)


# The deal: 653a.3(b)(4), .8(f), .9(b) ---------------------------------------------------------------------------------


def dealing(house: House, *lit: int) -> Walk:
    table = Walk(house, 0)
    done(cards_come(table))
    done(locked_and_counted(table, *lit))
    return table


def test_with_two_decks_one_sentence_says_which_is_dealt_and_where_the_other_one_is() -> None:
    table = dealing(HOUSES["two decks"])
    words = said(widget(table.shown(), "work"))
    assert "Deal BLUE. RED is in the shuffler" in words
    assert "READY" not in words and "52/52" not in words, "what the machine reports is of the other deck"


def test_a_machine_that_is_in_the_way_is_named_first() -> None:
    table = dealing(HOUSES["two decks"])
    table.hears(ShufflerSeen(True, "felt-1", "fault", None, "red", "door", 1))
    assert said(widget(table.shown(), "work")).startswith("Shuffler alarm: door")


def test_a_won_lit_seat_is_asked_for_only_where_a_lamp_is_lit() -> None:
    assert "lit seat" not in said(widget(dealing(HOUSES["pa-653a 0"]).shown(), "work"))
    assert "lit seat" in said(widget(dealing(HOUSES["pa-653a 0"], 2).shown(), "work"))


def test_the_count_that_is_due_this_round_stands_first_and_largest() -> None:
    """653a.8(f): what differs from the last round must not drown in what does not."""
    house = HOUSES["pa-653a by hand"]
    due = next(state for state, _ in six_rounds(house) if state.phase is Phase.DEAL and stub_due(house, state))
    shown = widget(screen(house, due, LIVE, frame_of(SEVEN_INCH)), "work")
    assert "Count the cards this round" in shown.lines[0].text
    assert (shown.lines[0].size, shown.lines[0].tone) == ("strong", Tone.CAUTION)


# Calling the floor ----------------------------------------------------------------------------------------------------


def test_the_floor_key_does_not_claim_that_somebody_heard_it() -> None:
    """The call stands in the journal; no page shows it to anybody yet."""
    table = asked("pa-653a", 1)
    done(table.presses("floor"))
    shown = widget(table.shown(), "floor")
    assert said(shown) == "FLOOR NOTED" and shown.border is Tone.FLOOR


# Who signs: 653a.11(k)(3), (4) ----------------------------------------------------------------------------------------

WRONG_PIN = say("badge.wrong-pin", count=1, badge=DIAZ, seconds=1)
DEALER = "4001"


def validating(house: House = HOUSES["pa-653a 0"]) -> Walk:
    """A royal at seat 2 lies on the table, and a floorperson is wanted."""
    table = Walk(house, 1)
    done(cards_come(table))
    done(locked_and_counted(table, 2))
    done(table.presses("seat 2", "hand royal flush", *entered(cards_of("royal flush")), "show"))
    return table


def asking() -> Walk:
    """The same royal; Diaz validated it, and the bank is asked for its share."""
    table = validating()
    done(table.presses("approve", by=DIAZ))
    return table


def claimed(house: House = HOUSES["pa-653a 0"]) -> Walk:
    """The same royal; Diaz validated it and the bank has frozen its share: a second person closes the claim."""
    table = validating(house)
    done(table.presses("approve", by=DIAZ))
    table.bank_prices()
    return table


def with_live(table: Walk, **live: object) -> Screen:
    shown: Live = replace(LIVE, **live)  # type: ignore[arg-type]
    return screen(table.house, table.state, shown, frame_of(SEVEN_INCH))


def pad(shown: Screen) -> set[bool]:
    """Whether the keys of the digits can be pressed; empty where there are none."""
    return {one.enabled for one in shown.widgets if one.press.startswith("pin ")}


def test_who_may_not_close_the_claim_is_told_at_the_badge_and_types_nothing() -> None:
    table = claimed()
    shown = with_live(table, badge=DIAZ, name=NAMES[DIAZ])
    assert said(widget(shown, "badge")).endswith("R. Diaz has signed: another person, please.")
    assert not pad(shown)
    shown = with_live(table, badge=OKAFOR, name=NAMES[OKAFOR])
    assert "M. Okafor" in said(widget(shown, "badge")) and pad(shown) == {True}


@pytest.mark.parametrize("stands", ["validate", "price", "hold"])
def test_who_signs_for_a_prize_sees_every_seat_and_which_lamps_are_lit(stands: str) -> None:
    """Who signs sees whose bonus follows, and whose turn comes next."""
    table = {"validate": validating, "price": asking, "hold": claimed}[stands]()
    assert table.state.phase == stands
    lit = {number for number, seat in table.state.numbered() if seat.wager}
    marks = [widget(with_live(table), f"mark-{number}") for number in range(1, 7)]
    assert {int(said(one)) for one in marks if one.shape is Shape.DISC} == lit and lit
    assert [int(said(one)) for one in marks if one.border is Tone.NEXT] == [table.state.round.turn]


def test_a_late_chip_of_which_no_time_is_known_is_still_said_to_be_there_or_not() -> None:
    table = asked("pa-653a", 1, 2)
    seats = list(table.state.round.seats)
    seats[1] = replace(seats[1], late=(("progressive", None),))
    late = replace(table.state, round=replace(table.state.round, seats=tuple(seats)))
    tile = lamp_tile(frame_of(SEVEN_INCH), table.house, late, 2, late.seat(2))
    assert [line.said for line in tile.lines[-2:]] == [say("seat.late"), say("seat.returned")]


def test_who_is_no_floorperson_is_told_at_the_badge() -> None:
    house = HOUSES["pa-653a 0"]
    people = {**house.people, DEALER: Person(DEALER, "A. Lee", "dealer")}
    table = claimed(replace(house, people=people))
    shown = with_live(table, badge=DEALER, name="A. Lee")
    assert said(widget(shown, "badge")).endswith("A. Lee cannot sign here: a floorperson, please.")
    assert not pad(shown)


def test_a_refusal_does_not_stand_beside_another_person() -> None:
    table = claimed()
    table.press("claim-paid", by=DIAZ)
    assert "validated this hand: a second person" in said(with_live(table, badge=DIAZ, by=DIAZ, name="R. Diaz").widgets)
    for live in ({"badge": OKAFOR, "by": OKAFOR}, {"badge": OKAFOR}, {"badge": OKAFOR, "wait_s": 2}, {}):
        assert "validated this hand: a second person" not in said(with_live(table, **live).widgets), live


def test_a_right_pin_clears_what_was_said_of_the_wrong_one() -> None:
    table = validating()
    table.hears(PinRefused(DIAZ, WRONG_PIN))
    assert "Wrong PIN" in said(with_live(table, badge=DIAZ, wait_s=1).widgets)
    right = said(with_live(table, badge=DIAZ, by=DIAZ, name="R. Diaz").widgets)
    assert "Wrong PIN" not in right and "R. Diaz signed in" in right
    assert "Wrong PIN" not in said(with_live(table, badge=OKAFOR, wait_s=1).widgets)


def test_digits_are_taken_while_the_wait_after_a_wrong_pin_runs() -> None:
    table = validating()
    table.hears(PinRefused(DIAZ, WRONG_PIN))
    shown = with_live(table, badge=DIAZ, wait_s=1, typed=4)
    assert pad(shown) == {True} and not widget(shown, "pin-OK").enabled
    assert widget(with_live(table, badge=DIAZ, typed=4), "pin-OK").enabled


# What is paid: 653a.12(d), 36.05.16.12D, 671a.12 ----------------------------------------------------------------------

WITH_FIXED_PRIZES = [
    (name, str(hand))
    for name in ("pa-653a 0", "md-36.05.16 0", "paytable B", "paytable C", "paytable D")
    for hand, prize in HOUSES[name].submission.offers["progressive"].prizes.items()
    if isinstance(prize, Fixed)
]


def in_chips(words: str) -> int:
    """Cents of `1 × $25 + 3 × $5`."""
    return sum(100 * int(many) * int(chip.replace(",", "")) for many, chip in re.findall(r"(\d+) × \$([\d,]+)", words))


@pytest.mark.parametrize(("name", "hand"), WITH_FIXED_PRIZES)
def test_what_pay_says_is_what_the_law_pays_and_returns(name: str, hand: str) -> None:
    """At "to 1" the stake goes back out of the rack (36.05.16.12D(1)); at "for 1" it stays there (653a.12(d)(1))."""
    house = HOUSES[name]
    table = dealing(house, 2)
    done(table.presses("seat 2", f"hand {hand}"))
    done(table.presses("approve", by=DIAZ))
    words = said(widget(table.shown(), "work"))
    prize = house.submission.offers["progressive"].prizes[HandName(hand)]
    assert isinstance(prize, Fixed)
    over = prize.amount + prize.returned
    assert money(over) in words and "from the rack" in words and in_chips(words) == over
    assert ("of it is the wager, which went into the rack" in words) is bool(prize.returned)
    assert ("The wager stays in the rack" in words) is not bool(prize.returned)
    done(table.presses("paid"))
    assert over == sum(one.payout + one.returned for one in table.state.seat(2).prizes[0].payments)


def test_pay_says_that_a_limit_cut_the_prize() -> None:
    table = dealing(HOUSES["pa-653a 0"], 2)
    done(table.presses("seat 2", "hand flush"))
    done(table.presses("approve", by=DIAZ))
    prize = table.state.seat(2).prize
    assert prize is not None
    table.house = replace(
        table.house, submission=dataclasses.replace(table.house.submission, payout_limit=Cents(2_000))
    )
    assert "cut: payout limit" not in said(widget(table.shown(), "work"))
    cut = replace(prize, payments=(prize.payment._replace(limited=True),))
    table.state = table.state.with_seat(2, replace(table.state.seat(2), prize=cut))
    assert "Progressive cut: payout limit $20." in said(widget(table.shown(), "work"))


# PROBLEM and TABLE: 653a.13, .3(c), .5(f) -----------------------------------------------------------------------------


def listed(shown: Screen) -> list[str]:
    """The kinds that can be told on this screen."""
    return [one.press.removeprefix("problem ") for one in shown.widgets if one.id.startswith("problem-")]


def test_the_tables_own_work_stands_under_table_and_what_went_wrong_under_problem() -> None:
    table = Walk(HOUSES["pa-653a by hand"], 0)
    done(cards_come(table, ("shuffled-and-cut",)))
    done(table.presses("problem table"))
    assert listed(table.shown()) == ["sensors", "idle", "close", "change-decks", "close-day"]
    done(table.presses("back", "problem"))
    shown = table.shown()
    assert not ROUTINE.intersection(listed(shown)) and "remove-1" in listed(shown)
    done(table.presses("problem table", "problem sensors", "back"))


def test_problem_is_grouped_by_what_it_happened_to() -> None:
    table = asked("pa-653a", 1, 2)
    done(table.presses("problem"))
    shown = table.shown()
    headings = [said(one) for one in shown.widgets if one.id.startswith("group-")]
    assert sorted(headings) == ["CARDS", "MACHINE", "PEOPLE"], "each once, however many columns it takes"
    found = {one.key: one.group for one in problems(table.house, table.state)}
    assert found["left"] is Group.PEOPLE and found["shuffler-jam"] is Group.MACHINE
    assert found["wrong-number"] is Group.CARDS
    least = min(one.h for one in shown.widgets if one.id.startswith("problem-"))
    assert least >= 11.4, "a finger finds it without looking twice"


@pytest.mark.parametrize("name", ["pa-653a 0", "pa-653a 1", "md-36.05.16 1", "pa-671a 1", "pa-677a 1"])
def test_only_what_voids_the_round_is_red_and_says_so(name: str) -> None:
    table = Walk(HOUSES[name], 0)
    done(cards_come(table))
    done(table.presses(*(() if name.endswith("0") else ("box 1",))))
    done(locked_and_counted(table))
    done(table.presses("problem"))
    voids = {f"problem-{one.key}" for one in problems(table.house, table.state) if one.voids}
    red = {one.id for one in table.shown().widgets if one.border is Tone.STOP}
    words = {one.id for one in table.shown().widgets if one.lines and one.lines[-1].text == "VOID"}
    assert red == words == voids and voids


def test_what_is_routine_is_little() -> None:
    kinds = {str(kind) for kind in ProblemKind if kind in ROUTINE}
    at_a_new_table = {"live", "live-second"}
    assert kinds == {"sensors", "idle", "close", "change-decks", "close-day"} | at_a_new_table


# The status bar --------------------------------------------------------------------------------------------------------


def test_one_neighbor_that_fails_colors_nothing_but_itself() -> None:
    table = Walk(HOUSES["pa-653a 0"], 0)
    done(cards_come(table))
    table.hears(LinkSeen(False, say("link.bank-silent")))
    shown = table.shown()
    link, clock = widget(shown, "link"), widget(shown, "neighbors")
    assert (said(link), link.shape, link.shape_tone) == ("NO LINK", Shape.TRIANGLE, Tone.CAUTION)
    assert is_well(shown, "machine")
    assert clock.lines[0].tone is Tone.MUTED and "11:59 PM" in said(clock)


@pytest.mark.parametrize("panel", ["800x480", "1280x800"])
def test_5b_no_tick_stands_beside_a_deck_of_51(panel: str) -> None:
    """653a.5(b): also while its cards are dealt, and nothing is asked of the machine."""
    table = Walk(HOUSES["pa-653a 0"], 0)
    done(cards_come(table))
    table.hears(ShufflerSeen(True, "felt-1", "ready", 51, "blue", "", 0))
    for press in ("no-more-bets", ""):
        shown = screen(table.house, table.state, LIVE, frame_of(PANELS[panel]))
        machine = widget(shown, "machine")
        assert (said(machine), machine.shape, machine.shape_tone) == ("SHUF 51", Shape.TRIANGLE, Tone.CAUTION), press
        rail = [line.tone for one in shown.widgets for line in one.lines if line.text == "51/52"]
        assert rail == ([Tone.CAUTION] if panel == "1280x800" else [])
        done(table.presses(*filter(None, [press])))


@pytest.mark.parametrize(("unit", "mode"), [("felt-2", "ready"), ("felt-1", "sort")])
def test_no_tick_stands_beside_another_unit_or_a_machine_that_sorts(unit: str, mode: str) -> None:
    table = Walk(HOUSES["pa-653a 0"], 0)
    done(cards_come(table))
    done(table.presses("no-more-bets", "clear"))
    table.hears(ShufflerSeen(True, unit, mode, 52, "blue", "", 0))
    machine = widget(table.shown(), "machine")
    assert (machine.shape, machine.shape_tone) == (Shape.TRIANGLE, Tone.CAUTION)
    assert said(machine) == "SEE SHUF", "52 is right, and would not say why"


def test_a_machine_that_shuffles_or_has_the_other_deck_is_well() -> None:
    table = Walk(HOUSES["two decks"], 0)
    done(cards_come(table))
    for mode, count, deck in (("shuffling", None, "red"), ("ready", 52, "red"), ("dispensing", 20, "blue")):
        table.hears(ShufflerSeen(True, "felt-1", mode, count, deck, "", 0))
        there = [one for one in table.shown().widgets if one.id == "machine"]
        assert [(said(one), one.shape) for one in there] == ([("shuffling", Shape.NONE)] if count is None else []), mode


def test_a_machine_that_fails_while_bets_are_open_is_named_in_words() -> None:
    table = Walk(HOUSES["pa-653a 0"], 0)
    done(cards_come(table))
    table.hears(ShufflerSeen(True, "felt-1", "fault", None, "blue", "jam", 1))
    shown = table.shown()
    assert shown.name == "open" and "Shuffler alarm: jam" in said(widget(shown, "notice"))
    assert said(widget(shown, "machine")) == "ALARM"
    table.hears(ShufflerSeen(False, "felt-1", "ready", None, "blue", "", 1))
    assert said(widget(table.shown(), "machine")) == "NO SHUF"


# A settlement -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("taps", "fill"), [((), "next"), (("seat 1",), "done")])
def test_a_collected_loss_is_not_green_as_a_win_is(taps: tuple[str, ...], fill: str) -> None:
    table = asked("pa-653a", 1)
    done(table.presses("seat 1", "next", "dealer yes", *taps))
    if taps:
        done(table.presses("answer none"))
    shown = widget(table.shown(), "primary")
    assert (shown.press, shown.fill) == ("settled", fill), said(shown)


def test_what_is_paid_and_what_is_taken_at_a_seat_stand_in_rows_of_their_own() -> None:
    """671a.11(c)(1), (e): also where a wager on the dealer's hand was settled before."""
    house = HOUSES["pa-671a 1"]
    found = {
        tuple(line.text for line in one.lines)
        for state, _ in lunar_poker(house)
        for one in screen(house, state, LIVE, frame_of(SEVEN_INCH)).widgets
        if state.phase in (Phase.SUPERS, Phase.SETTLE) and one.id.startswith("seat-")
    }
    assert ("3", "WIN", "pay $3,000", "DEALER: ✓ $1,500") in found, found
    assert not [line for lines in found for line in lines if "take" in line and "pay" in line]


# Elections: 671a.11(b) --------------------------------------------------------------------------------------------------


def test_lock_in_does_not_shine_while_cards_are_dealt_and_says_what_it_writes_down() -> None:
    """671a.11(c): it comes after everybody has decided; "1 FOLD" of a wrong tap is seen before it is final."""
    table = Walk(HOUSES["pa-671a 1"], 0)
    done(cards_come(table))
    done(table.presses("box 1", "box 2", "box 4", "no-more-bets"))
    locks = widget(table.shown(), "primary")
    assert (said(locks), locks.press, locks.fill) == ("LOCK IN all asked: 3 BET 2×", "next", "key")
    done(table.presses("seat 2"))
    locks = widget(table.shown(), "primary")
    assert (said(locks), locks.press, locks.fill) == ("LOCK IN 3 BET 2×", "next", "next")
    done(table.presses("choose fold", "seat 4", "choose buy"))
    assert said(widget(table.shown(), "primary")) == "LOCK IN 1 BET 2× · 1 OPTION · 1 FOLD"


def test_eight_elections_stand_in_two_rows_and_fold_at_the_end() -> None:
    table = asked("pa-671a", 1, 2)
    done(table.presses("seat 1"))
    keys = [one for one in table.shown().widgets if one.press.startswith("choose ")]
    assert len({one.y for one in keys}) == 2 and keys[-1].press == "choose fold"
    assert min(one.w for one in keys) > 30 and min(one.h for one in keys) > 9.5


def test_a_super_beside_an_instant_payout_is_called_both() -> None:
    """671a.11(c)(3): most of the money is the instant payout's."""
    table = asked("pa-671a", 1, 3)
    done(table.presses("seat 1", "choose instant", "seat 1", "next", "seat 1", "row royal flush"))
    assert "INSTANT" in said(widget(table.shown(), "seat-1"))


# A share of a meter: 653a.11(k)(3) --------------------------------------------------------------------------------------


def test_the_floor_sees_about_how_much_before_it_is_frozen() -> None:
    table = validating()
    heard = MeterHeard("five_card", "Five Card", "50000.00"), MeterHeard("main", "Jackpot", "10000.60")
    shown = with_live(table, meters=heard)
    assert said(widget(shown, "facts")).endswith("$10,000.60 the whole JACKPOT, frozen when approved")
    assert "$" not in said(widget(with_live(table, meters=()), "facts"))


def test_no_card_looks_like_a_key_and_who_rejects_hits_a_large_one() -> None:
    shown = with_live(validating(), badge=DIAZ, by=DIAZ, name="R. Diaz")
    assert {one.fill for one in shown.widgets if one.id.startswith("card-")} == {"card"}
    assert widget(shown, "not-a-winner").h >= 12


# Legible at 60 cm, in true millimeters ------------------------------------------------------------------------------------

SIXTEEN_MINUTES_MM = 600 * math.tan(math.radians(16 / 60))
NEEDED = ("seat-", "work", "primary", "notice", "meter-", "draws")
"""What a dealer reads in a round in which nothing goes wrong; not the status bar, nor seats at which nobody plays."""


def a_common_round(name: str) -> Iterator[TableState]:
    """Three players, two lit lamps; streets on which one of them raises and one folds."""
    table = Walk(HOUSES[name], 1)
    done(cards_come(table))
    level, game = table.house.level, table.house.game
    acts = [table.presses("box 1", "box 2", "box 3")] if level else []
    acts.append(locked_and_counted(table, *((2, 3) if table.state.program.progressive else ())))
    acts += [table.presses("dealt")] if level else []
    if level and game.has_pass("streets"):
        acts.append(table.presses("seat 1", "next", "next", "seat 2"))
    for act in acts:
        yield from (state for state, _ in act)


@pytest.mark.parametrize("name", ["pa-653a 0", "pa-653a 1", "pa-677a 1", "pa-671a 1"])
def test_what_a_common_round_needs_is_sixteen_minutes_of_arc_high(name: str) -> None:
    """The first panel is 154.1 x 85.9 mm: its pixels are lower than they are wide."""
    glass = Display(SEVEN_INCH, "test")
    live = replace(LIVE, meters=(MeterHeard("main", "main", "10012.34"),))
    for state in a_common_round(name):
        shown = screen(HOUSES[name], state, live, frame_of(SEVEN_INCH))
        idle = {f"seat-{number}" for number, seat in state.numbered() if not (seat.position.plays or seat.wager)}
        for one, placing in glass.placings(shown):
            if not one.id.startswith(NEEDED) or one.id in idle:
                continue
            for text in placing.texts:
                high_mm = SEVEN_INCH.y_mm(text.px * theme.CAP_HEIGHT)
                assert high_mm >= SIXTEEN_MINUTES_MM, (shown.name, one.id, text.line.text, text.px)


# A void round: 653a.13(d), 677a.13 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16"])
def test_without_told_wagers_a_void_round_keeps_trips_on_the_felt_in_its_first_sentence_and_on_the_key(
    book: str,
) -> None:
    table = Walk(HOUSES[f"{book} 0"], 0)
    done(cards_come(table))
    a_lit_seat(table, 2)
    done(table.presses("no-more-bets", "count 1", "problem", "problem dealer-exposed"))
    signed = said(widget(table.shown(DIAZ), "facts"))
    assert "Every wager but Trips goes back." in signed and "Every wager goes back" not in signed
    done(table.presses("apply", by=DIAZ))
    shown = table.shown()
    assert widget(shown, "work").lines[1].text.startswith("Return every wager but Trips.")
    assert "Trips settled" in said(widget(shown, "primary")) and "ALL RETURNED" not in said(shown.widgets)


# Who signs, and for what -----------------------------------------------------------------------------------------------


def test_a_badge_whose_name_nobody_told_is_called_by_its_number() -> None:
    state = replace(TABLE, phase=Phase.VALIDATE)
    stranger = replace(LIVE, badge="4711", by="4711")
    shown = screen(HOUSES["pa-653a 0"], state, stranger, frame_of(SEVEN_INCH))
    assert "Badge 4711 signed in" in said(widget(shown, "badge"))
    named = screen(HOUSES["pa-653a 0"], state, replace(stranger, badge=OKAFOR, by=OKAFOR), frame_of(SEVEN_INCH))
    assert "M. Okafor signed in" in said(widget(named, "badge"))


def test_apply_says_what_becomes_of_money_that_is_owed() -> None:
    faces = {
        state.desk.panel.what.split()[0]: said(widget(shown, "primary"))
        for state, live in owing()
        if (shown := screen(HOUSES["pa-653a 0"], state, live, frame_of(SEVEN_INCH))).name == "sign"
    }
    assert faces == {
        "owed": "APPLY you take on $9,999,999.99 hold 1.5 s",
        "owed-paid": "APPLY the cage paid $9,999,999.99 hold 1.5 s",
        "owed-gone": "APPLY $9,999,999.99 stays owed hold 1.5 s",
    }


@pytest.mark.parametrize("name", ["pa-653a 0", "paytable B", "paytable D"])
def test_what_the_fullest_screen_of_pay_shows_is_what_the_law_pays(name: str) -> None:
    """The pictures that dealers learn from are drawn of it."""
    house = HOUSES[name]
    for state, live in longest(house):
        shown = screen(house, state, live, frame_of(SEVEN_INCH))
        prize = state.seat(6).prize
        if shown.name == "pay" and prize is not None and not state.desk.notice:
            law = meter_payment(house.submission, 6, "progressive", HandName(prize.hand))
            words = said(widget(shown, "work"))
            assert money(law.paid_over) in words and in_chips(words) == law.paid_over


# A refusal ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "asks"),
    [(Phase.COUNT, "how many?"), (Phase.DIFFERENCE, "what happened?"), (Phase.SETTLE, "which hand?")],
)
def test_a_refusal_stands_below_the_question_and_does_not_hide_it(phase: Phase, asks: str) -> None:
    state = with_parts(replace(TABLE, phase=phase), desk={"notice": say("people.second-differs", badge="2001")})
    first, second = widget(screen(HOUSES["pa-653a 0"], state, LIVE, frame_of(SEVEN_INCH)), "prompt").lines
    assert asks in first.text
    assert "Badge 2001" in second.text and second.tone is Tone.CAUTION


# A dealer who had only the pictures: what a key takes for granted, its face says ---------------------------------------


def settling_of(book: str, *players: int, wins: tuple[int, ...] = ()) -> Walk:
    """Everybody raised and the dealer qualifies; these seats were tapped as winners."""
    table = asked(book, *players)
    done(table.presses(*(f"seat {seat}" for seat in players), "next", "dealer yes"))
    done(table.presses(*(f"seat {seat}" for seat in wins)))
    return table


@pytest.mark.parametrize("book", ["pa-653a", "md-36.05.16", "pa-677a"])
def test_11h_while_a_better_hand_may_be_named_the_sum_is_so_far_and_its_key_does_not_shine(book: str) -> None:
    """677a.12(b): a royal on the Odds is asked, and one press would have paid the least that it can be."""
    table = settling_of(book, 1, wins=(1,))
    shown = table.shown()
    paid = widget(shown, "primary")
    assert said(paid).startswith("SEAT 1 PAID no hand named") and (paid.press, paid.fill) == ("settled", "key")
    assert said(widget(shown, "total")).startswith("PAY $") and "so far" in said(widget(shown, "total"))
    done(table.presses("answer none"))
    shown = table.shown()
    paid = widget(shown, "primary")
    assert "no hand named" not in said(paid) and (paid.press, paid.fill) == ("settled", "done")
    assert "so far" not in said(shown.widgets)


def test_11h_the_key_names_every_seat_that_it_collects_on_the_way() -> None:
    """653a.11(h)(2): one press takes from seats of which nobody told anything."""
    table = settling_of("pa-653a", 1, 2, 3)
    assert said(widget(table.shown(), "primary")) == "TAKE 3, 2, 1"
    done(table.presses("seat 1", "seat 2", "seat 2"))
    assert said(widget(table.shown(), "primary")) == "SEAT 1 PAID no hand named · TAKE 3 · PUSH 2"


def test_12f_a_winner_whom_the_limit_leaves_nothing_is_not_collected() -> None:
    """677a.12(f): two positions of one player, and the first one was paid all that the limit allows; the stake goes back."""
    house = HOUSES["pa-677a 1"]
    table = Walk(
        replace(house, submission=dataclasses.replace(house.submission, payout_limit=Cents(1_500), adjacent_boxes=2)),
        0,
    )
    done(cards_come(table))
    done(table.presses("box 1", "box 2", "stakes", "stakes 2", "same-player 2", "back"))
    done(locked_and_counted(table))
    done(table.presses("dealt", "seat 1", "seat 2", "next", "dealer yes", "seat 1", "seat 2", "answer none", "settled"))
    done(table.presses("answer none"))
    shown = table.shown()
    assert said(widget(shown, "primary")).startswith("RETURN 1 (limit)"), said(widget(shown, "primary"))
    assert "WIN" in said(widget(shown, "seat-1")) and "LIMIT: $0" in said(widget(shown, "seat-1"))


@pytest.mark.parametrize("name", ["pa-653a 0", "pa-653a 1"])
def test_11k_clear_says_which_lit_seats_it_takes_as_lost(name: str) -> None:
    table = Walk(HOUSES[name], 0)
    done(cards_come(table))
    done(table.presses(*(["box 2", "box 3"] if table.house.level else [])))
    done(locked_and_counted(table, 2, 3))
    if table.house.level:
        done(table.presses("dealt", "seat 2", "seat 3", "next", "dealer yes", "settled", "settled"))
    assert "lit, no prize: 2, 3" in said(widget(table.shown(), "primary"))
    assert widget(table.shown(), "primary").press == "clear"


def test_11h_a_corrected_seat_says_what_comes_back_before_it_is_paid() -> None:
    """653a.11(h): $15 on $30 was paid for a tie, or nothing taken: both ways are said, before the seat is settled again."""
    table = settling_of("pa-653a", 1, 2, wins=(2,))
    done(table.presses("answer none", "settled", "problem", "problem correct", "correct 2"))
    done(table.presses("correct 2 wrong-result", by=DIAZ))
    done(table.presses("seat 2", "answer flush"))
    words = said(widget(table.shown(), "total"))
    assert words.startswith("First take back the $75 paid before. PAY $97.50 "), words  # the Blind: 3 to 2 of $15


def test_11h_so_does_a_seat_that_was_collected() -> None:
    table = settling_of("pa-653a", 1, 2)
    done(table.presses("seat 1", "settled", "problem", "problem correct", "correct 2"))
    done(table.presses("correct 2 wrong-result", by=DIAZ))
    done(table.presses("seat 2", "answer none"))
    words = said(widget(table.shown(), "total"))
    assert words.startswith("First return the $90 taken before. PAY $75 "), words


def test_11h_loses_and_bad_beat_never_lie_in_one_place() -> None:
    """677a.11(h)(2)(iii): a finger that says of one seat that it lost says nothing of the next one's Odds."""
    found: dict[str, set[float]] = {}
    for book in ("pa-677a", "pa-653a"):
        table = settling_of(book, 1, 2)
        for seat in (1, 2):
            done(table.presses(*([f"seat {seat}"] if table.state.round.turn != seat else [])))
            done(table.presses(*(["undo"] if table.state.seat(seat).position.called else [])))
            for one in table.shown().widgets:
                if one.press == "answer lower":
                    found.setdefault(said(one), set()).add(one.x)
    assert found and not set.intersection(*found.values(), set()) and "BAD BEAT" in found
    assert max(found.get("LOSE", {0.0})) < min(found["BAD BEAT"])


def backed_dealer() -> Walk:
    """Lunar: seat 3 has a Super on the dealer's hand, which is about to be turned up."""
    table = Walk(HOUSES["pa-671a 1"], 0)
    done(cards_come(table))
    done(table.presses("box 1", "box 3", "stakes", "stakes 3", "stakes 3 super:dealer", "chips 2500", "back"))
    done(table.presses("no-more-bets", "dealt", "next"))
    return table


def test_11e_which_row_the_dealer_has_is_never_a_default() -> None:
    """671a.11(e): NO SUPER was the large key."""
    table = backed_dealer()
    done(table.presses("supers-settled"))
    shown = table.shown()
    assert shown.name == "reveal" and not widget(shown, "primary").enabled
    assert said(widget(shown, "primary")) == "WHICH HAND? answer above"
    assert [one.id for one in shown.widgets if one.press == "dealer-row none" and one.enabled] == ["none"]


def test_11c_the_key_of_the_first_pass_names_whom_it_pays_and_collects() -> None:
    """671a.11(c): whoever did not declare loses the Super, with this press."""
    table = Walk(HOUSES["pa-671a 1"], 0)
    done(cards_come(table))
    done(table.presses("box 1", "box 2", "box 3", "no-more-bets", "dealt", "next", "seat 2", "row flush"))
    assert said(widget(table.shown(), "primary")) == "EVERY SUPER SETTLED pay 2 · collect 1, 3"


def test_7b_a_key_of_who_left_says_what_it_does() -> None:
    table = asked("pa-653a", 1, 2)
    done(table.presses("problem", "problem left"))
    shown = table.shown(DIAZ)
    assert said(widget(shown, "left-1")) == "SEAT 1 LEFT hold 1.5 s"
    table.press("left 1", DIAZ)
    assert said(widget(table.shown(DIAZ), "left-1")) == "SEAT 1 BACK hold 1.5 s"


def test_13d_what_a_void_round_returns_does_not_look_like_what_is_paid() -> None:
    table = asked("pa-653a", 1, 2)
    done(table.presses("problem", "problem wrong-number"))
    done(table.presses("apply", by=DIAZ))
    tile = widget(table.shown(), "seat-1")
    assert said(tile).startswith("1 RETURN")
    assert Tone.MONEY not in {tile.shape_tone, *(line.tone for line in tile.lines)}


def test_12d_whoever_validated_finds_the_keys_of_the_claim_dark_and_why() -> None:
    """653a.11(k)(3), (4): a second person closes it."""
    table = claimed()
    for badge, lit in ((DIAZ, False), (OKAFOR, True)):
        shown = with_live(table, badge=badge, by=badge, name=NAMES[badge])
        assert {widget(shown, name).enabled for name in ("primary", "claim-rejected")} == {lit}
        assert ("has signed: another person" in said(widget(shown, "badge"))) is not lit


def test_what_stands_still_says_whom_to_call_and_what_goes_on_meanwhile() -> None:
    """Link down, bets closed, and a price that does not come."""
    table = Walk(HOUSES["pa-653a 0"], 0)
    done(cards_come(table))
    table.hears(LinkSeen(False, say("link.bank-silent")))
    words = said(widget(table.shown(), "work"))
    assert "Call the floor for a technician." in words and "Deal on" in words
    table = Walk(HOUSES["pa-653a 0"], 0)
    done(cards_come(table))
    done(table.presses("no-more-bets", "clear"))
    table.hears(ShufflerSeen(True, "felt-1", "sort", 52, "blue", "", 0))
    assert "No bets and no deal until then. Cannot fix it? Call the floor." in said(widget(table.shown(), "work"))
    table = asking()
    table.hears(LinkSeen(False, say("link.bank-silent")))
    words = said(widget(table.shown(), "facts"))
    assert "Call the floor for a technician. The claim is safe; the other seats wait." in words


def test_13f_the_text_of_a_failed_device_names_the_key_beside_it() -> None:
    table = asked("pa-677a", 1)
    house = HOUSES["pa-677a automated"]
    table = Walk(house, 0)
    done(cards_come(table))
    done(table.presses("box 1", "no-more-bets", "dealt"))
    table.hears(ShufflerSeen(True, "felt-1", "fault", None, "blue", "jam", 1))
    shown = table.shown()
    assert shown.name == "device-failed"
    first = widget(shown, "primary").lines[0].text
    assert first in said(widget(shown, "work")) and "Call the floor" in said(widget(shown, "work"))


def test_13d_what_is_settled_nevertheless_stands_on_its_key_in_capitals() -> None:
    table = Walk(HOUSES["pa-653a 1"], 0)
    done(cards_come(table))
    done(table.presses("box 1", "stakes", "stakes 1", "stakes 1 trips", "chips 500", "back"))
    done(locked_and_counted(table))
    done(table.presses("dealt", "problem", "problem dealer-exposed"))
    done(table.presses("apply", by=DIAZ))
    assert widget(table.shown(), "primary").lines[0].text == "SETTLE TRIPS"


def test_12e_the_cages_share_is_not_among_what_the_rack_paid() -> None:
    """653a.12(e)(2): a share stands in the seat's settlement, and no chip of it left the rack."""
    table = settling_of("pa-653a", 1, 2, wins=(2,))
    done(table.presses("answer none", "settled"))
    box = table.state.seat(2).position
    rack = sum(line.paid_over for line in box.final)
    with_share = replace(box, final=(*box.final, SHARE._replace(seat=2, wager="five_card_dealer")))
    table.state = table.state.with_seat(2, replace(table.state.seat(2), position=with_share))
    done(table.presses("problem", "problem correct"))
    assert said(widget(table.shown(DIAZ), "correct-2")) == f"SEAT 2 paid {money(rack).removesuffix('.00')}"
    done(table.presses("correct 2", by=DIAZ))
    facts = [line.text for line in widget(table.shown(DIAZ), "facts").lines]
    assert "cage" not in facts[1] and facts[2].startswith("By the cage, not from the rack: ")


def test_11k_what_a_correction_took_from_a_seat_for_good_is_said_until_the_round_is_over() -> None:
    """653a.11(k): the prize was another seat's; its chips come back though nothing of this seat is settled again."""
    table = dealing(HOUSES["pa-653a 0"], 2, 3)
    done(table.presses("seat 2", "hand flush"))
    done(table.presses("approve", by=DIAZ))
    done(table.presses("paid", "problem", "problem correct", "correct 2"))
    done(table.presses("correct 2 wrong-seat", by=DIAZ))
    shown = table.shown()
    assert shown.name == "winners" and "Take back what was paid: seat 2 $" in said(widget(shown, "prompt"))


def test_11c_a_first_pass_that_is_corrected_says_what_comes_back() -> None:
    """671a.11(c): seat 2's Super was paid; the pass is called and paid again."""
    table = Walk(HOUSES["pa-671a 1"], 0)
    done(cards_come(table))
    done(
        table.presses("box 1", "box 2", "no-more-bets", "dealt", "seat 1", "choose buy", "next", "seat 2", "row flush")
    )
    assert "Take back" not in said(widget(table.shown(), "work"))
    done(table.presses("supers-settled", "problem", "problem correct", "correct 2"))
    done(table.presses("correct 2 wrong-result", by=DIAZ))
    shown = table.shown()
    words = said(widget(shown, "work"))
    assert (
        shown.name == "supers" and words == "Take back what was paid: seat 2 $900. Return what was taken: seat 1 $15."
    )
