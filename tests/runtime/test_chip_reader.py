"""A table whose sensors are a reader of chips, from the tag to the bank's meter: pins for all else, and no cabinet.

The reader speaks over a pseudo-terminal, the bank over a wire that loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.bank import events as b
from firmware.table import events as e
from hal import chip_reader
from hal.chip_reader import DEVICE
from hal.ports import LOCKOUT, Complaint, DeviceFound, DeviceLost, Edge
from hal.reader.codec import Tag
from tests.hal.reading_chips import MockReader, chip
from tests.runtime import copper as coppers
from tests.runtime.copper import CopperTable
from tests.runtime.test_config import RULES
from tests.runtime.world import BankWorld, Clock

ONE, OTHER, TWO, FIVE, UNKNOWN = chip(1, 1), chip(2, 1), chip(3, 2), chip(4, 5), chip(9, 0)
SEED, FED = 10_000_000_000, 210_000
"""Micro-dollars of the meter, and what a $1 wager puts there (653a.12(d)(3), paytable A)."""
FIVE_DOLLARS = RULES.replace("1.00", "5.00")


class ReadingTable(CopperTable):
    """One table whose chips are read, in the words of a person who stands there."""

    reader: MockReader

    def lies(self, seat: int, *tags: Tag, ms: int = 30) -> None:
        """These chips lie there, and the reader has told it; then they lie still for so long."""
        self.reader.lies(seat, *tags)
        self.hears(Edge)
        self.turns(ms)

    def locks(self) -> None:
        """No more bets, and the reader has answered the question what lies there, or was waited for."""
        self.sensors.moves(LOCKOUT, False)
        self.turns(60)
        self.turns(20)

    @property
    def lit(self) -> list[int]:
        return [seat for seat in range(1, 7) if self.lamp(seat)]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[MockReader]:
    reader = MockReader(tmp_path / "reader")
    yield reader
    reader.close()


def a_table(
    folder: Path, clock: Clock, reader: MockReader, monkeypatch: pytest.MonkeyPatch, rules: str = ""
) -> ReadingTable:
    sensors = f'[sensors]\nkind = "felt"\nport = "{reader.path}"\n'
    monkeypatch.setattr(coppers, "WRITTEN", coppers.WRITTEN + sensors + rules)
    monkeypatch.setattr(chip_reader, "time", SimpleNamespace(monotonic_ns=lambda: clock.now_ns))
    monkeypatch.setattr(chip_reader, "SILENCE_NS", 10**18)  # the clock is turned by hand, and the reader's is not
    monkeypatch.setattr("hal.serial.RETRY_S", 0.01)
    table = ReadingTable(folder, clock, monkeypatch)
    table.reader = reader
    if not table.state.felt.up:
        table.hears(DeviceFound, DEVICE)
    table.opens()
    return table


@pytest.fixture
def table(tmp_path: Path, clock: Clock, reader: MockReader, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReadingTable]:
    table = a_table(tmp_path, clock, reader, monkeypatch)
    yield table
    table.ends()


class Wire:
    """Between a table and its bank."""

    def __init__(self, table: ReadingTable, bank: BankWorld) -> None:
        self.table, self.bank = table, bank

    def talk(self) -> None:
        """Until nobody has anything to say."""
        for _ in range(20):
            self.table.turns()
            self.bank.turns()
            said, heard = self.table.link.carries(), self.bank.link.carries()
            for topic, payload in said:
                self.bank.link.deliver(topic, payload)
            for topic, payload in heard:
                self.table.link.deliver(topic, payload)
            if not said and not heard:
                return
        raise AssertionError("they talk without end")


def test_653a_7d3_rounds_of_chips_that_are_read_placed_locked_undone_settled_and_void(
    table: ReadingTable, tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "bank").mkdir()
    bank = BankWorld(tmp_path / "bank", clock)
    wire = Wire(table, bank)
    wire.talk()
    table.lies(2, TWO)
    table.lies(3, ONE)
    table.lies(5, FIVE)
    assert table.lit == [3] and "Seat 2: $2 chip on the sensor, not a bet. A bet is one $1 chip." in table.text
    table.lies(2)
    assert "Seat 5: $5 chip on the sensor" in table.text
    table.lies(5, OTHER)
    assert table.lit == [3, 5] and "not a bet" not in table.text
    placed = [(one.seat, one.amount, one.chips) for one in table.events(e.WagerPlaced)]
    assert placed == [(3, 100, (100,)), (5, 100, (100,))]
    table.locks()
    assert not table.lock_line and table.lit == [3, 5]
    table.presses("count-1")
    table.presses_for("undo")
    assert table.state.phase == "count" and not table.state.neighbors.outbox, "nothing was told"
    table.presses("count-2")
    wire.talk()
    assert bank.meter() == SEED + 2 * FED and not table.state.owed
    table.lies(3)
    table.lies(5)
    table.presses("seat-3")
    table.presses("hand-flush")
    table.identifies("2001")
    table.presses("primary", held_ms=1_500)
    assert "PAY $40.00" in table.text
    table.presses("primary")
    table.presses_for("clear")
    wire.talk()
    (paid,) = bank.events(b.PaymentsHeld)
    assert [(one.seat, one.stake, one.payout) for one in paid.said.lines] == [(3, 100, 4_000)]
    table.sensors.moves(LOCKOUT, True)
    for _ in range(5):
        table.turns(1_000)
        wire.talk()
    table.lies(4, ONE)
    assert table.lit == [4]
    table.locks()
    table.presses("count-1")
    wire.talk()
    assert bank.meter() == SEED + 3 * FED
    table.lies(4)
    table.presses_for("problem")
    table.presses_for("problem wrong-number")
    table.identifies("2001")
    table.presses_for("apply")
    wire.talk()
    assert bank.meter() == SEED + 2 * FED, "the void round's wager went back, and no other"
    assert not bank.events(b.AlarmRaised) and [one.made[0].seats for one in bank.events(b.WagersHeld)] == [(3, 5), (4,)]


def test_at_a_five_dollar_table_it_is_the_five_dollar_chip_and_no_five_of_one(
    tmp_path: Path, clock: Clock, reader: MockReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = a_table(tmp_path, clock, reader, monkeypatch, FIVE_DOLLARS)
    table.lies(1, FIVE)
    table.lies(2, ONE)
    table.lies(3, TWO)
    table.lies(4, *(chip(20 + number, 1) for number in range(5)))
    assert table.lit == [1] and "Seat 2: $1 chip on the sensor, not a bet. A bet is one $5 chip." in table.text
    assert [one.amount for one in table.events(e.WagerPlaced)] == [500]
    table.ends()


def test_a_lost_reader_leaves_lit_lamps_lit_closes_the_progressive_and_is_taken_up_again(table: ReadingTable) -> None:
    table.lies(3, ONE)
    placed = len(table.events(e.WagerPlaced))
    table.reader.unplug()
    table.hears(DeviceLost, DEVICE)
    assert table.lit == [3] and not table.lock_line, "what was lit stands, and nothing new is taken"
    assert "check the cable and power of the chip reader" in table.text
    table.reader.plug()
    table.hears(DeviceFound, DEVICE)
    table.turns(1_100)
    assert table.lock_line and table.lit == [3] and len(table.events(e.WagerPlaced)) == placed
    table.lies(4, OTHER)
    assert table.lit == [3, 4]


def test_a_chip_that_was_lifted_while_the_reader_was_lost_is_no_wager_once_the_sensors_were_steady(
    table: ReadingTable,
) -> None:
    table.lies(3, ONE)
    table.reader.unplug()
    table.hears(DeviceLost, DEVICE)
    table.reader.tags[3] = ()
    table.reader.plug()
    table.hears(DeviceFound, DEVICE)
    table.turns(500)
    assert table.lit == [3], "a lit lamp is a promise"
    table.turns(600)
    assert table.lit == []


def test_a_bad_frame_darkens_no_lamp_and_is_written_down(table: ReadingTable) -> None:
    table.lies(3, ONE)
    table.reader.says(b"\0\x11\x01garbage\0")
    table.hears(Complaint)
    table.turns(1_000)
    assert table.lit == [3] and [one.place for one in table.events(e.Complained)] == [DEVICE]
    table.lies(3)
    assert table.lit == [], "the next good frame counts"


def test_an_unknown_tag_lights_nothing_and_a_lit_chip_whose_tag_is_not_read_any_more_stays_lit(
    table: ReadingTable,
) -> None:
    table.lies(2, UNKNOWN)
    assert table.lit == [] and "Seat 2: a chip that cannot be read on the sensor, not a bet." in table.text
    table.lies(3, ONE)
    table.lies(3, UNKNOWN)
    assert table.lit == [3]


def test_a_tag_that_flickers_keeps_its_lamp_and_at_the_lock_is_late_and_was_lit(table: ReadingTable) -> None:
    table.lies(3, ONE)
    for _ in range(5):
        table.lies(3, ms=8)
        table.lies(3, ONE, ms=8)
    assert table.lit == [3] and not table.events(e.WagerReturned)
    table.locks()
    (late,) = table.events(e.LateWager)
    assert (late.seat, late.was_lit) == (3, True) and table.state.phase == "count"


def test_one_chip_between_two_antennas_is_one_wager(table: ReadingTable) -> None:
    table.lies(3, ONE)
    table.lies(4, ONE)
    assert table.lit == [3]
    table.lies(4)
    assert table.lit == [3]


def test_after_a_power_cut_the_reader_is_heard_before_bets_go_on_and_the_wager_stands(table: ReadingTable) -> None:
    table.lies(3, ONE)
    placed = len(table.events(e.WagerPlaced))
    table.reader.silent = {6}
    table.starts()
    assert not table.state.felt.up, "the pins are there, and the reader has not told of every seat"
    assert table.lit == [3]
    table.reader.silent = set()
    table.hears(DeviceFound, DEVICE)
    table.link.connects()
    table.beats()
    table.turns(1_100)
    assert table.state.felt.up and table.lit == [3] and len(table.events(e.WagerPlaced)) == placed
