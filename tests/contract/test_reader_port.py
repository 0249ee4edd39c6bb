"""`hal.ports.Sensors` on a reader of chips: the contract of contacts, with worths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.chip_reader import DEVICE, ChipReader
from hal.ports import Complaint, DeviceFound, DeviceLost, Edge, Level, On
from tests.contract.signals import Signals
from tests.hal.reading_chips import MockReader, chip

SEATS = 3
ONE, TWO, FIVE = chip(1, 1), chip(2, 2), chip(5, 5)
UNKNOWN = chip(9, 0)


class Rig:
    """A reader, the chips at it, and what the firmware holds of it."""

    def __init__(self, folder: Path) -> None:
        self.reader = MockReader(folder / "reader", SEATS)
        self.heard = Signals()
        self.port = ChipReader(self.heard.put, self.reader.path, SEATS, "felt")

    def edge(self, seat: int, on: On) -> Edge:
        found = self.heard.wait_until(
            lambda one: isinstance(one, Edge) and (one.line, one.on) == (seat, on), f"edge of seat {seat} to {on}"
        )
        assert isinstance(found, Edge)
        return found

    def levels(self) -> dict[int, On]:
        """Ask for every seat, and wait for the answers."""
        self.heard.mark()
        self.port.read()
        found: dict[int, On] = {}
        while len(found) < SEATS:
            level = self.heard.wait_for_kind(Level)
            found[level.line] = level.on
        return found


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    rig.port.start()
    rig.heard.wait_for(DeviceFound(DEVICE))
    for _ in range(SEATS):
        rig.heard.wait_for_kind(Level)
    yield rig
    rig.port.close()
    rig.reader.close()


def test_it_is_found_once_every_seat_was_heard_and_tells_their_levels_first(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.reader.silent = {2}
    rig.reader.lies(3, ONE)
    rig.port.start()
    rig.heard.wait_for_kind(DeviceLost)
    assert not any(isinstance(one, DeviceFound) for one in rig.heard.everything)
    rig.reader.silent = set()
    rig.heard.wait_for(DeviceFound(DEVICE))
    first = [rig.heard.wait_for_kind(Level) for _ in range(SEATS)]
    assert {one.line: one.on for one in first} == {1: False, 2: False, 3: (100,)}
    assert not any(isinstance(one, Edge) for one in rig.heard.everything)
    rig.port.close()
    rig.reader.close()


@pytest.mark.parametrize(
    ("tags", "on"),
    [
        ((ONE,), (100,)),
        ((TWO,), (200,)),
        ((FIVE,), (500,)),
        ((FIVE, ONE), (100, 500)),
        ((UNKNOWN,), (0,)),
        ((ONE, UNKNOWN), (0, 100)),
    ],
)
def test_what_lies_there_is_an_edge_with_the_worth_of_each_chip(rig: Rig, tags: tuple, on: On) -> None:  # type: ignore[type-arg]
    rig.reader.lies(2, *tags)
    rig.edge(2, on)
    assert rig.levels() == {1: False, 2: on, 3: False}
    rig.reader.lies(2)
    rig.edge(2, False)


def test_a_chip_in_place_of_another_is_an_edge_without_an_empty_sensor_between(rig: Rig) -> None:
    rig.reader.lies(2, ONE)
    rig.edge(2, (100,))
    rig.reader.lies(2, FIVE)
    rig.edge(2, (500,))
    assert [one.on for one in rig.heard.everything if isinstance(one, Edge)] == [(100,), (500,)]


def test_one_chip_that_is_heard_at_two_seats_lies_where_it_was_heard_first(rig: Rig) -> None:
    """Antennas of neighbors overlap: a chip counts once, and the lamp that it lit stays lit."""
    rig.reader.lies(1, ONE)
    rig.edge(1, (100,))
    rig.reader.lies(2, ONE)
    rig.edge(2, (0,))
    assert rig.levels() == {1: (100,), 2: (0,), 3: False}
    rig.reader.lies(1)
    rig.edge(1, False)
    rig.edge(2, (100,))


def test_a_bad_frame_is_complained_of_and_changes_nothing(rig: Rig) -> None:
    rig.reader.lies(1, ONE)
    rig.edge(1, (100,))
    rig.reader.says(b"\0\x11garbage\x33\0")
    complaint = rig.heard.wait_for_kind(Complaint)
    assert (complaint.place == DEVICE and "check" in complaint.text) or "short" in complaint.text
    assert rig.levels() == {1: (100,), 2: False, 3: False}
    rig.reader.lies(1)
    rig.edge(1, False)


def test_a_seat_that_the_table_does_not_have_is_complained_of(rig: Rig) -> None:
    rig.reader.tags[4] = ()
    rig.reader.lies(4, ONE)
    assert "seat 4: this table has 3 seats" in rig.heard.wait_for_kind(Complaint).text


@pytest.mark.parametrize("silent", [{2}, {1, 2, 3}])
def test_a_seat_that_falls_silent_is_a_lost_reader_that_comes_back_with_its_levels(rig: Rig, silent: set[int]) -> None:
    rig.reader.lies(3, FIVE)
    rig.edge(3, (500,))
    rig.reader.silent = silent
    lost = rig.heard.wait_for_kind(DeviceLost)
    assert lost.device == DEVICE and f"nothing is heard of seat {min(silent)}; check the cable" in lost.text
    rig.reader.silent = set()
    rig.heard.wait_for(DeviceFound(DEVICE))
    levels = [rig.heard.wait_for_kind(Level) for _ in range(SEATS)]
    assert {one.line: one.on for one in levels} == {1: False, 2: False, 3: (500,)}


def test_a_cable_that_is_pulled_is_a_lost_reader_told_once_and_found_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hal.serial.RETRY_S", 0.01)
    rig.reader.unplug()
    rig.heard.wait_for_kind(DeviceLost)
    rig.reader.plug()
    rig.heard.wait_for(DeviceFound(DEVICE))
    assert sum(isinstance(one, DeviceLost) for one in rig.heard.everything) == 1


def test_an_answer_to_an_older_question_is_no_level(rig: Rig) -> None:
    rig.levels()
    rig.reader.beats = False
    rig.heard.mark()
    rig.reader.asked -= 1
    rig.reader.lies(1, ONE)
    rig.edge(1, (100,))
    last = rig.heard.everything[-1]
    assert isinstance(last, Edge), "it may tell of a time before the question"
