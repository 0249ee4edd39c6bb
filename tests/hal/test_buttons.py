"""A button pressed by a person, whatever its contact does: once a press, at the edge that began it (653a.7(d)(4))."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.buttons import ButtonWatch, Presses
from hal.debounce import Inbox
from hal.ports import Badge, ButtonPressed, Complaint, Signal

D = 20
OWN, DEALER = (3, "own"), (3, "dealer")


def pressed(*edges: tuple[bool, int], until: int) -> list[ButtonPressed]:
    """The presses of one contact that was open at 0, read whenever the rule asks for it."""
    presses, found, waiting, level = Presses(D), [], list(edges), False
    presses.read(OWN, False, 0)
    for now in range(until + 1):
        while waiting and waiting[0][1] == now:
            level, at = waiting.pop(0)
            found.append(presses.edge(OWN, level, at))
        found += [presses.read(button, level, now) for button in presses.due(now)]
    return [press for press in found if press]


def test_a_press_counts_once_it_has_held_and_is_its_edges() -> None:
    assert pressed((True, 100), until=119) == []
    assert pressed((True, 100), until=120) == [ButtonPressed(3, "own", 100)]


def test_held_for_long_it_is_one_press() -> None:
    assert pressed((True, 100), (False, 5000), until=6000) == [ButtonPressed(3, "own", 100)]


def test_a_spike_is_none() -> None:
    assert pressed((True, 100), (False, 119), until=300) == []


def test_bounce_going_down_and_coming_up_is_one_press_that_begins_with_the_edge_that_held() -> None:
    down = [(True, 100), (False, 102), (True, 103), (False, 104), (True, 106)]
    up = [(False, 200), (True, 202), (False, 203)]
    assert pressed(*down, *up, until=500) == [ButtonPressed(3, "own", 106)]


def test_a_contact_that_flickers_while_it_is_held_is_no_second_press() -> None:
    assert pressed((True, 100), (False, 150), (True, 160), (False, 400), until=500) == [ButtonPressed(3, "own", 100)]


def test_two_presses_are_two() -> None:
    twice = [(True, 100), (False, 150), (True, 200), (False, 250)]
    assert [press.at_ns for press in pressed(*twice, until=500)] == [100, 200]


def test_a_button_that_is_down_when_the_watching_begins_was_not_pressed() -> None:
    presses = Presses(D)
    assert presses.read(OWN, True, 0) is None
    assert presses.read(OWN, True, 1000) is None
    assert presses.next_deadline is None
    assert presses.edge(OWN, False, 2000) is None
    assert presses.edge(OWN, True, 3000) is None
    assert presses.read(OWN, True, 3000 + D) == ButtonPressed(3, "own", 3000)


def test_a_device_that_was_lost_forgets_the_press_under_way() -> None:
    presses = Presses(D)
    presses.read(OWN, False, 0)
    presses.edge(OWN, True, 100)
    presses.forget()
    assert presses.next_deadline is None
    assert presses.read(OWN, True, 200) is None
    assert presses.read(OWN, True, 300) is None


class TestWhereAnEdgeIsLostOrLate:
    def down(self) -> Presses:
        presses = Presses(D)
        presses.read(OWN, False, 0)
        presses.edge(OWN, True, 100)
        return presses

    def test_a_spike_whose_end_was_lost_is_no_press(self) -> None:
        presses = self.down()
        assert presses.read(OWN, False, 120) is None
        assert presses.next_deadline == 140
        assert presses.read(OWN, False, 140) is None
        assert presses.next_deadline is None or presses.read(OWN, False, presses.next_deadline) is None
        assert presses.edge(OWN, True, 200) is None
        assert presses.read(OWN, True, 220) == ButtonPressed(3, "own", 200), "the next press counts"

    def test_a_short_press_whose_end_comes_late_counts_if_it_had_held(self) -> None:
        presses = self.down()
        assert presses.read(OWN, False, 125) is None, "is its edge on the way, or lost?"
        assert presses.edge(OWN, False, 123) == ButtonPressed(3, "own", 100)

    def test_and_does_not_if_it_had_not(self) -> None:
        presses = self.down()
        assert presses.read(OWN, False, 125) is None
        assert presses.edge(OWN, False, 113) is None

    def test_the_same_level_again_was_a_movement_and_is_not_older_than_that(self) -> None:
        presses = self.down()
        assert presses.edge(OWN, True, 150) is None
        assert presses.read(OWN, True, 165) is None
        assert presses.read(OWN, True, 170) == ButtonPressed(3, "own", 150)

    def test_a_press_whose_edge_was_lost_begins_where_it_was_read(self) -> None:
        presses = Presses(D)
        presses.read(OWN, False, 0)
        assert presses.read(OWN, True, 100) is None
        assert presses.read(OWN, True, 110) is None
        assert presses.read(OWN, True, 120) == ButtonPressed(3, "own", 100)


@settings(max_examples=200)
@given(st.lists(st.integers(1, 60), max_size=40))
def test_it_agrees_with_the_definition(gaps: list[int]) -> None:
    """A press is an on-edge with D of quiet after it, the first since D of an open contact."""
    edges, at, expected, armed = [], 0, [], True
    for number, gap in enumerate(gaps):
        at += gap
        edges.append((number % 2 == 0, at))
    for (on, began), (_, ends) in zip(edges, [*edges[1:], (False, at + 1000)], strict=False):
        if ends - began >= D:
            if on and armed:
                expected.append(began)
            armed = not on
    assert [press.at_ns for press in pressed(*edges, until=at + 100)] == expected


def test_a_contact_that_chatters_for_ever_makes_no_press_and_takes_no_room() -> None:
    presses = Presses(D)
    presses.read(OWN, False, 0)
    assert not any(presses.edge(OWN, number % 2 == 0, number * (D - 1)) for number in range(10_000))
    assert presses.due(10_000 * D) == [], "it ended open"


class TestTheWatch:
    MS = 1_000_000

    @pytest.mark.parametrize("hand", ["own", "dealer"])
    def test_it_puts_a_press_without_any_further_edge(self, hand: str) -> None:
        put: list[Signal] = []
        came = threading.Event()

        def take(signal: Signal) -> None:
            put.append(signal)
            came.set()

        watch = ButtonWatch(take, self.MS, lambda button: True)
        watch.read((2, hand), False)
        began_ns = time.monotonic_ns()
        watch.edge((2, hand), True, began_ns)
        assert came.wait(10)
        watch.close()
        assert put == [ButtonPressed(2, hand, began_ns)]

    def test_one_that_cannot_be_read_is_not_pressed(self) -> None:
        put: list[Signal] = []
        asked = threading.Event()
        watch = ButtonWatch(put.append, self.MS, lambda button: asked.set())
        watch.edge(OWN, True, 7)
        assert asked.wait(10)
        watch.close()
        assert put == []

    def test_without_a_button_there_is_no_thread_and_after_the_end_nothing_is_put(self) -> None:
        put: list[object] = []
        watch = ButtonWatch(put.append, 0, lambda button: True)
        assert not watch._worker.is_started
        watch.close()
        watch.edge(OWN, True, 0)
        watch.edge(OWN, False, 100)
        assert put == []


def test_a_bad_button_cannot_fill_the_inbox_nor_keep_others_out() -> None:
    inbox = Inbox(D)
    for at_ns in range(5_000):
        inbox.put(ButtonPressed(*OWN, at_ns))
    inbox.put(ButtonPressed(*DEALER, 1))
    inbox.put(Badge("2001", 2))
    taken = inbox.take(0)
    assert taken[: Inbox.button_max] == [ButtonPressed(*OWN, at_ns) for at_ns in range(Inbox.button_max)]
    assert taken[Inbox.button_max :] == [
        ButtonPressed(*DEALER, 1),
        Badge("2001", 2),
        Complaint(
            "inbox",
            "4968 presses refused while the table was busy, the last: seat 3's own button; check its contact",
        ),
    ]
    inbox.put(ButtonPressed(*OWN, 6_000))
    assert inbox.take(0) == [ButtonPressed(*OWN, 6_000)], "the next turn begins anew"
