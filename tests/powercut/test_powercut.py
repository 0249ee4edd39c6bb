"""The power is cut while a table and its bank play on logged disks: nothing that was promised is lost.

What was promised is what somebody saw from outside: a lit lamp, a screen that says PAID, a message, the bank's answer to it.
`scripts/bench powercut` does the same for as many states as are wanted; docs/hil.md says what was tried and found.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.powercut import campaign, disk
from tests.powercut.judge import PRIZE, WAGER
from tests.powercut.live import live
from tests.powercut.night import WEAK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.powercut,
    pytest.mark.skipif(bool(disk.cannot()), reason=f"no logged disk here: {disk.cannot()}"),
]
ROUNDS, STATES, CYCLES = 8, 200, 4
CONTROL_ROUNDS, CONTROL_STATES = 2, 20


@pytest.fixture
def folder() -> Iterator[Path]:
    """Unix sockets have short names."""
    with TemporaryDirectory(prefix="cut-") as name:
        yield Path(name)


def test_two_hundred_power_cuts_of_a_table_and_a_bank_lose_and_double_nothing(folder: Path) -> None:
    night, found = campaign.played(folder, 1, ROUNDS, STATES)
    print(found.report(night))
    assert not found.wrong, found.report(night)
    assert (found.states["table"], found.states["bank"]) == (STATES // 2, STATES // 2)
    assert night.count(WAGER) >= ROUNDS and night.count(PRIZE) >= 2, "wagers and prizes were seen"
    assert found.sectors > STATES, "there was something to lose"


def test_a_table_that_does_not_sync_its_wagers_is_found(folder: Path) -> None:
    _, found = campaign.played(folder, 2, CONTROL_ROUNDS, CONTROL_STATES, program=WEAK)
    assert found.lost(WAGER)[0] > CONTROL_STATES // 4


def test_a_disk_that_ignores_flushes_is_found(folder: Path) -> None:
    _, found = campaign.played(folder, 3, CONTROL_ROUNDS, CONTROL_STATES, lies=1)
    assert found.wrong and found.lost(campaign.ANY)[0] > CONTROL_STATES // 4


def test_a_disk_that_ignores_every_third_flush_is_found(folder: Path) -> None:
    """Planted by somebody who did not write the explorer: a card that mostly keeps its word."""
    _, found = campaign.played(folder, 5, 3 * CONTROL_ROUNDS, 10 * CONTROL_STATES, lies=3)
    assert found.wrong and found.lost(campaign.ANY)[0], found


def test_rounds_go_on_to_their_end_where_the_power_really_went(folder: Path) -> None:
    lived = live(folder, 4, CYCLES)
    assert not lived.wrong
    assert len(lived.cycles) == CYCLES and lived.wagers and lived.paid
