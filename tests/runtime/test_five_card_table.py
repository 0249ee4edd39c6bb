"""The Five Card Hand at a table's process: buttons are wires, their lamps are the wagers that stand, the draw is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.rules.cards import DECK
from firmware.table import events as e
from tests.runtime.test_config import FIVE_CARD
from tests.runtime.world import MS, Clock, TableWorld


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> TableWorld:
    """A table whose Magic Card and Lucky Bonus are drawn in every round."""
    table = TableWorld(tmp_path, clock, "[bonus]\nmagic_card_one_in = 1\nlucky_one_in = 1\n" + FIVE_CARD)
    table.opens()
    return table


def buys_in(table: TableWorld, seat: int) -> None:
    """A hundred dollars of credit, by the screen's keys."""
    table.presses("accounts")
    table.presses_for(f"account {seat}")
    table.presses_for("chips 10000")
    table.presses_for("back")


def lit(table: TableWorld) -> set[tuple[int, str]]:
    return {button for button, on in table.sensors.buttons.items() if on}


def test_653a_7_d_4_a_push_wagers_and_lights_its_lamp_and_another_one_takes_it_back(table: TableWorld) -> None:
    buys_in(table, 3)
    table.sensors.pushes(3, "own")
    table.sensors.pushes(3, "dealer")
    table.turns()
    assert lit(table) == {(3, "own"), (3, "dealer")}
    assert len(table.sensors.buttons) == 12, "each lamp is told, the dark ones too"
    table.sensors.pushes(3, "own")
    table.turns()
    assert lit(table) == {(3, "dealer")}


def test_a_push_without_credit_is_written_down_and_lights_nothing(table: TableWorld) -> None:
    table.sensors.pushes(2, "own")
    table.turns()
    assert lit(table) == set()
    assert [(one.seat, one.hand) for one in table.events(e.ButtonIgnored)] == [(2, "own")]


def test_a_push_of_a_seat_that_is_not_there_changes_nothing(table: TableWorld) -> None:
    before = table.state
    table.sensors.pushes(7, "own")
    table.turns()
    assert table.state == before


def test_653a_12_e_3_the_draw_is_written_with_the_lock(table: TableWorld) -> None:
    buys_in(table, 3)
    table.sensors.pushes(3, "own")
    table.turns()
    table.locks()
    (drawn,) = table.events(e.BonusDrawn)
    assert drawn.magic_card in DECK and 0 <= drawn.lucky <= 6
    assert table.state.round.magic_card == drawn.magic_card


def test_a_push_after_the_lock_goes_back(table: TableWorld) -> None:
    """The touch is 5 ms before the push; the push is told first."""
    buys_in(table, 3)
    table.taps(table.key_for("no-more-bets").id)
    table.clock.now_ns += 5 * MS
    table.sensors.pushes(3, "own")
    table.turns(20)
    table.turns(40)
    assert [one.why for one in table.events(e.WagerReturned)] == ["after the lock"]
    assert lit(table) == set() and table.events(e.BonusDrawn) == []
    assert table.state.felt.accounts[2] == 10_000
