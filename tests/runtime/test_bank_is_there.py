"""The way to the bank is up while its heart beats now, and while it holds what it is told."""

from __future__ import annotations

import json
from types import SimpleNamespace

from firmware.config import LinkConfig
from firmware.rules.message import say
from firmware.runtime.link import Arrived, Link, LinkSignal
from firmware.runtime.outgoing import UNHELD_NS
from firmware.table import events as e
from tests.runtime.world import EPOCH, MS, TableWorld

UNHELD_MS = UNHELD_NS // MS


def beats_for(table: TableWorld, ms: int) -> None:
    """The bank's heart beats on, and nothing else is heard of it."""
    for _ in range(ms // 1_000):
        table.beats()
        table.turns(1_000)


def test_a_bank_that_beats_and_holds_nothing_is_no_bank(table: TableWorld) -> None:
    table.counted(3)
    beats_for(table, UNHELD_MS - 1_000)
    assert table.state.neighbours.link_up
    beats_for(table, 2_000)
    assert not table.state.neighbours.link_up
    assert table.state.neighbours.link_why == say("link.bank-takes-nothing")
    beats_for(table, 60_000)
    assert not table.state.neighbours.link_up, "and it stays so, however it beats"
    table.bank_says()
    beats_for(table, 1_000)
    assert table.state.neighbours.link_up


def test_a_bank_that_holds_every_message_in_time_stays_up(table: TableWorld) -> None:
    table.counted(3)
    for _ in range(5):
        beats_for(table, UNHELD_MS - 2_000)
        table.bank_says()
    assert [change.up for change in table.events(e.LinkChanged)][1:] == [True], "not heard of, then up"


def test_the_time_in_which_no_bank_was_there_does_not_count(table: TableWorld) -> None:
    table.counted(3)
    beats_for(table, 8_000)
    table.link.drops()
    table.turns(60_000)
    table.link.connects()
    beats_for(table, UNHELD_MS - 1_000)
    assert table.state.neighbours.link_up, "it has had nine seconds, not a minute"
    beats_for(table, 2_000)
    assert not table.state.neighbours.link_up


def test_a_new_connection_does_not_make_a_bank_of_it(table: TableWorld) -> None:
    table.counted(3)
    beats_for(table, UNHELD_MS + 1_000)
    assert not table.state.neighbours.link_up
    table.link.drops()
    table.turns(1_000)
    table.link.connects()
    beats_for(table, 3_000)
    assert not table.state.neighbours.link_up, "what it did not take before it has not taken yet"
    table.bank_says()
    beats_for(table, 1_000)
    assert table.state.neighbours.link_up


# A heart that beat once -------------------------------------------------------------------------------------------------


def retained(table: TableWorld, *, alive: bool) -> None:
    beat = {"v": 1, "bank": "felt", "epoch": EPOCH, "alive": alive, "at": "2020-01-01T00:00:00.000Z", "board": 1}
    table.link.deliver("felt/felt/alive", json.dumps(beat).encode(), retained=True)
    table.turns(100)


def test_a_heartbeat_that_the_broker_kept_says_nothing_about_now(table: TableWorld) -> None:
    table.link.connects()
    retained(table, alive=True)
    assert not table.state.neighbours.link_up
    table.beats()
    table.turns(100)
    assert table.state.neighbours.link_up


def test_a_farewell_that_the_broker_kept_is_believed(table: TableWorld) -> None:
    table.link.connects()
    retained(table, alive=False)
    assert not table.state.neighbours.link_up and table.state.neighbours.link_why == say("link.bank-stopped")


def test_a_kept_heartbeat_does_not_end_a_heart_that_is_heard(table: TableWorld) -> None:
    table.opens()
    retained(table, alive=True)
    assert table.state.neighbours.link_up


def test_the_link_tells_what_the_broker_had_kept() -> None:
    heard: list[LinkSignal] = []
    link = Link(LinkConfig(), "felt-test", [], heard.append)
    for kept in (True, False):
        link._on_message(None, None, SimpleNamespace(topic="t", payload=b"{}", retain=kept))  # type: ignore[arg-type]
    assert [signal.retained for signal in heard if isinstance(signal, Arrived)] == [True, False]
