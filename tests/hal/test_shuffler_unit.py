"""The emulated machine itself, told the time: heartbeats, shuffles, alarms, and noise on its line."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.frames import Refused
from hal.ports import ShufflerStatus
from hal.shuffler.codec import Acknowledge, Decoder, Encoder, Query
from hal.shuffler.emulator import HEARTBEAT_NS, Unit

MS = 1_000_000


def told(said: bytes) -> list[object]:
    return list(Decoder(ShufflerStatus).feed(said))


def test_it_tells_its_status_every_second_and_not_more_often() -> None:
    unit = Unit("unit-1")
    assert told(unit.tick(0)) == [unit.status]
    assert unit.deadline_ns == HEARTBEAT_NS
    assert unit.tick(HEARTBEAT_NS - 1) == b""
    assert told(unit.tick(HEARTBEAT_NS)) == [unit.status]


def test_a_swapped_deck_is_ready_when_its_time_has_passed() -> None:
    unit = Unit("unit-1", shuffle_ms=300)
    unit.tick(0)
    unit.swap_deck(10)
    assert (unit.status.mode, unit.status.deck, unit.status.count) == ("shuffling", "red", None)
    assert unit.deadline_ns == 10 + 300 * MS
    assert unit.tick(9 + 300 * MS) == b""
    (ready,) = told(unit.tick(10 + 300 * MS))
    assert ready == ShufflerStatus(True, "unit-1", "ready", 52, "red", "", 0, 0)


def test_of_several_faults_the_one_to_see_to_first_is_shown_and_each_is_an_alarm_once() -> None:
    unit = Unit("unit-1")
    for act in (unit.jam, unit.jam):
        act(0)
    assert (unit.status.fault, unit.status.alarm) == ("jam", 1)
    unit.door(True, 0)
    assert (unit.status.fault, unit.status.alarm) == ("door", 2)
    unit.door(False, 0)
    assert (unit.status.mode, unit.status.fault, unit.status.alarm) == ("fault", "jam", 2)


def test_an_alarm_that_never_was_cannot_be_acknowledged() -> None:
    unit = Unit("unit-1")
    unit.jam(0)
    unit.hear(Encoder().encode(Acknowledge(7)), 0)
    assert unit.status.acknowledged == 0
    unit.hear(Encoder().encode(Acknowledge(1)), 0)
    assert unit.status.acknowledged == 1


def says(unit: Unit) -> tuple[str, int | None, str, str]:
    return unit.status.mode, unit.status.count, unit.status.deck, unit.status.fault


def shuffled(unit: Unit) -> tuple[str, int | None, str, str]:
    """What it says long after."""
    unit.tick(120_000 * MS)
    return says(unit)


def test_a_card_that_is_missing_shows_at_the_next_count_and_a_whole_deck_puts_it_right_653a_5_b() -> None:
    unit = Unit()
    unit.take_card(0)
    assert says(unit) == ("ready", 52, "blue", "")
    unit.clear_jam(0)
    assert shuffled(unit) == ("fault", 51, "blue", "count")
    assert unit.status.alarm == 1
    unit.load("blue", 0)
    assert shuffled(unit) == ("ready", 52, "blue", "")


def test_the_same_color_twice_is_no_fault_to_a_unit_that_sees_one_deck_at_a_time_653a_3_b() -> None:
    unit = Unit()
    unit.load("blue", 0)
    assert shuffled(unit) == ("ready", 52, "blue", "")
    unit.load("", 0)
    assert shuffled(unit) == ("ready", 52, "", "")
    with pytest.raises(ValueError, match="blue and red"):
        unit.load("green", 0)


def test_backs_of_both_colors_in_one_deck_are_a_fault_until_another_deck_is_loaded() -> None:
    unit = Unit()
    unit.fail("color", 0)
    assert says(unit) == ("fault", 52, "blue", "color")
    unit.clear_jam(0)
    assert shuffled(unit)[0] == "fault"
    unit.swap_deck(0)
    assert shuffled(unit) == ("ready", 52, "red", "")


@pytest.mark.parametrize("fault", ["motor", "card", "cycle"])
def test_what_a_unit_finds_ends_the_shuffle_and_is_cleared_as_a_jam_is_653a_13_e(fault: str) -> None:
    unit = Unit()
    unit.swap_deck(0)
    unit.fail(fault, 0)
    assert shuffled(unit) == ("fault", None, "red", fault)
    unit.clear_jam(0)
    assert shuffled(unit) == ("ready", 52, "red", "")
    with pytest.raises(ValueError, match="one of motor, card"):
        unit.fail("jam", 0)


def test_a_jam_ends_the_shuffle_and_nothing_was_counted() -> None:
    unit = Unit()
    unit.swap_deck(0)
    unit.jam(5)
    unit.tick(60_000 * MS)
    assert says(unit) == ("fault", None, "red", "jam")
    unit.clear_jam(60_000 * MS)
    assert shuffled(unit) == ("ready", 52, "red", "")


def test_a_shoe_deals_from_inside_and_counts_down() -> None:
    shoe = Unit(shoe=True)
    shoe.deal(2, 0)
    shoe.deal(50 - 5, 0)
    assert says(shoe) == ("dispensing", 5, "blue", "")
    with pytest.raises(ValueError, match="5 cards are inside, not 6"):
        shoe.deal(6, 0)
    shoe.deal(5, 0)
    assert says(shoe) == ("empty", 0, "blue", "")
    with pytest.raises(ValueError, match="in mode empty"):
        shoe.deal(1, 0)
    shoe.load("blue", 0)
    assert shuffled(shoe) == ("ready", 52, "blue", "")
    with pytest.raises(ValueError, match="no dealing shoe"):
        Unit().deal(1, 0)


def test_a_shoe_that_jams_while_it_deals_is_reshuffled_with_the_cards_already_dealt_671a_13_f() -> None:
    shoe = Unit(shoe=True)
    shoe.deal(12, 0)
    shoe.jam(0)
    assert says(shoe) == ("fault", 40, "blue", "jam")
    with pytest.raises(ValueError, match="in mode fault"):
        shoe.deal(1, 0)
    shoe.clear_jam(0)
    assert shuffled(shoe) == ("ready", 52, "blue", "")


def test_emptied_it_tells_how_many_cards_came_out() -> None:
    unit = Unit()
    unit.take_card(0)
    unit.empty(0)
    assert says(unit) == ("empty", 51, "blue", "")
    unit.empty(0)
    assert says(unit) == ("empty", 0, "blue", ""), "nothing was left"
    with pytest.raises(ValueError, match="no card inside"):
        unit.take_card(0)
    unit.clear_jam(0)
    assert shuffled(unit)[0] == "empty", "there is nothing to shuffle"
    unit.load("red", 0)
    assert shuffled(unit) == ("ready", 52, "red", "")


def test_out_of_service_it_tells_the_cards_left_inside_and_can_be_emptied() -> None:
    unit = Unit()
    unit.jam(0)
    unit.service(True, 0)
    assert says(unit) == ("service", 52, "blue", "jam")
    unit.load("red", 0)
    unit.tick(60_000 * MS)
    assert says(unit)[:2] == ("service", None), "nothing is shuffled there"
    unit.empty(0)
    assert says(unit) == ("empty", 52, "red", "")
    unit.service(True, 0)
    assert says(unit) == ("service", 0, "red", "")
    unit.service(False, 0)
    assert says(unit) == ("empty", 0, "red", "")


def test_taken_out_of_service_while_it_shuffles_and_back_it_shuffles_anew() -> None:
    unit = Unit()
    unit.swap_deck(0)
    unit.service(True, 1)
    unit.tick(60_000 * MS)
    assert says(unit) == ("service", None, "red", "")
    unit.service(False, 60_000 * MS)
    assert says(unit)[0] == "shuffling"
    assert shuffled(unit) == ("ready", 52, "red", "")


def test_a_unit_that_only_shuffles_never_tells_a_count() -> None:
    unit = Unit(counts=False)
    assert says(unit) == ("ready", None, "blue", "")
    unit.take_card(0)
    unit.swap_deck(0)
    assert shuffled(unit) == ("ready", None, "red", "")
    unit.empty(0)
    assert says(unit) == ("empty", None, "red", "")
    with pytest.raises(ValueError, match="does not count"):
        unit.set_count(52, 0)


HANDS_AT_IT = st.sampled_from(
    ["swap_deck", "jam", "clear_jam", "empty", "take_card", "load blue", "deal 7", "door 1", "door", "sort 1", "sort",
     "service 1", "service", "fail cycle", "fail color", "set_count 51", "wait"]
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(HANDS_AT_IT, max_size=25), st.booleans(), st.booleans())
def test_whatever_hands_do_it_never_says_ready_without_a_whole_deck_it_counted(
    acts: list[str], counts: bool, shoe: bool
) -> None:
    unit, now = Unit(counts=counts, shoe=shoe), 0
    for act in acts:
        now += MS
        name, _, word = act.partition(" ")
        if name == "wait":
            now = max(now, unit.deadline_ns)
            unit.tick(now)
            continue
        told_it = {"door": (bool(word),), "sort": (bool(word),), "service": (bool(word),)}
        numbers = (int(word),) if word.isdecimal() else (word,)
        with contextlib.suppress(ValueError):
            getattr(unit, name)(*told_it.get(name, numbers if word else ()), now)
        (status,) = told(unit.hear(Encoder().encode(Query()), now))
        assert status == unit.status, "the wire can say it"
        if unit.status.mode == "ready":
            assert unit.status.count == (52 if counts else None)
        if not counts:
            assert unit.status.count is None


@given(st.binary(max_size=200))
def test_noise_on_its_line_is_counted_and_the_next_question_is_answered(noise: bytes) -> None:
    unit = Unit("unit-1")
    oracle = list(Decoder(Query, Acknowledge).feed(noise + b"\0"))
    unit.hear(noise + b"\0", 0)
    assert unit.refused == sum(isinstance(message, Refused) for message in oracle)
    assert told(unit.hear(Encoder().encode(Query()), 0))[-1] == unit.status
