"""A table without a progressive wager: no sensors, no bank, and nothing that waits for one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.runtime.link import NoLink
from firmware.table import events as e
from firmware.table.state import Neighbor
from tests.runtime.test_config import HEADS_UP, LUNAR, NO_PROGRESSIVE
from tests.runtime.world import Clock, TableWorld

ALONE = {"lunar poker": LUNAR, "heads-up": HEADS_UP, "ultimate": NO_PROGRESSIVE}


@pytest.fixture(params=list(ALONE.values()), ids=list(ALONE))
def table(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> TableWorld:
    return TableWorld(tmp_path, clock, request.param)


def test_bets_open_with_cards_alone_and_stay_open(table: TableWorld) -> None:
    table.brings_cards()
    assert table.state.phase == "open", table.text
    for _ in range(20):
        table.turns(1_000)
    assert table.state.phase == "open"
    assert [one for one in table.events(e.NeighborChanged) if one.what is Neighbor.LINK] == [], (
        "nobody waits for a bank"
    )
    assert "bank" not in table.text.lower()


def test_no_more_bets_on_the_screen_locks(table: TableWorld) -> None:
    table.brings_cards()
    table.presses_for("no-more-bets")
    at_ns = table.clock.now_ns
    table.turns(60)
    (closed,) = table.events(e.BetsClosed)
    assert (closed.at_ns, closed.source, closed.accepted, closed.readings) == (at_ns, "screen", (), ())
    assert table.state.phase == "deal", "there is nothing to count"


def test_no_lamp_and_no_button_is_told_anything(table: TableWorld) -> None:
    table.brings_cards()
    assert table.sensors.lamps == {} and table.sensors.buttons == {}


def test_it_owes_nobody_anything_and_a_restart_finds_it_as_it_was(table: TableWorld) -> None:
    table.brings_cards()
    table.presses_for("no-more-bets")
    table.turns(60)
    assert table.state.neighbors.outbox == ()
    table.starts()
    assert table.state.phase == "deal"


def test_its_link_never_connects() -> None:
    link = NoLink()
    link.start()
    link.publish("felt/felt/table/uth-04/up", b"{}")
    assert not link.connected
    link.close()
