"""The emulated machine itself, told the time: heartbeats, shuffles, alarms, and noise on its line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hal.ports import ShufflerStatus
from hal.shuffler.codec import Acknowledge, Decoder, Encoder, Query, Refused
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


@given(st.binary(max_size=200))
def test_noise_on_its_line_is_counted_and_the_next_question_is_answered(noise: bytes) -> None:
    unit = Unit("unit-1")
    oracle = list(Decoder(Query, Acknowledge).feed(noise + b"\0"))
    unit.hear(noise + b"\0", 0)
    assert unit.refused == sum(isinstance(message, Refused) for message in oracle)
    assert told(unit.hear(Encoder().encode(Query()), 0))[-1] == unit.status
