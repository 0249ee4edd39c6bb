"""The way to the bank is up while its heart beats now, and while it holds what it is told."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.bank.events import Complained
from firmware.config import LinkConfig
from firmware.rules.message import say
from firmware.runtime.link import Arrived, Link, LinkSignal
from firmware.runtime.outgoing import UNHELD_NS
from firmware.table import events as e
from firmware.table.state import Neighbor
from tests.bank import casino
from tests.runtime.world import EPOCH, MS, BankWorld, Clock, TableWorld

UNHELD_MS = UNHELD_NS // MS


def beats_for(table: TableWorld, ms: int) -> None:
    """The bank's heart beats on, and nothing else is heard of it."""
    for _ in range(ms // 1_000):
        table.beats()
        table.turns(1_000)


def test_a_bank_that_beats_and_holds_nothing_is_no_bank(table: TableWorld) -> None:
    table.counted(3)
    beats_for(table, UNHELD_MS - 1_000)
    assert table.state.neighbors.link_up
    beats_for(table, 2_000)
    assert not table.state.neighbors.link_up
    assert table.state.neighbors.link_why == say("link.bank-takes-nothing")
    beats_for(table, 60_000)
    assert not table.state.neighbors.link_up, "and it stays so, however it beats"
    table.bank_says()
    beats_for(table, 1_000)
    assert table.state.neighbors.link_up


def test_a_bank_that_holds_every_message_in_time_stays_up(table: TableWorld) -> None:
    table.counted(3)
    for _ in range(5):
        beats_for(table, UNHELD_MS - 2_000)
        table.bank_says()
    assert [one.up for one in table.events(e.NeighborChanged) if one.what is Neighbor.LINK][1:] == [True], (
        "not heard of, then up"
    )


def test_the_time_in_which_no_bank_was_there_does_not_count(table: TableWorld) -> None:
    table.counted(3)
    beats_for(table, 8_000)
    table.link.drops()
    table.turns(60_000)
    table.link.connects()
    beats_for(table, UNHELD_MS - 1_000)
    assert table.state.neighbors.link_up, "it has had nine seconds, not a minute"
    beats_for(table, 2_000)
    assert not table.state.neighbors.link_up


def test_a_new_connection_does_not_make_a_bank_of_it(table: TableWorld) -> None:
    table.counted(3)
    beats_for(table, UNHELD_MS + 1_000)
    assert not table.state.neighbors.link_up
    table.link.drops()
    table.turns(1_000)
    table.link.connects()
    beats_for(table, 3_000)
    assert not table.state.neighbors.link_up, "what it did not take before it has not taken yet"
    table.bank_says()
    beats_for(table, 1_000)
    assert table.state.neighbors.link_up


# A heart that beat once -------------------------------------------------------------------------------------------------


def retained(table: TableWorld, *, alive: bool) -> None:
    beat = {"v": 1, "bank": "felt", "epoch": EPOCH, "alive": alive, "at": "2020-01-01T00:00:00.000Z", "board": 1}
    table.link.deliver("felt/felt/alive", json.dumps(beat).encode(), retained=True)
    table.turns(100)


def test_a_heartbeat_that_the_broker_kept_says_nothing_about_now(table: TableWorld) -> None:
    table.link.connects()
    retained(table, alive=True)
    assert not table.state.neighbors.link_up
    table.beats()
    table.turns(100)
    assert table.state.neighbors.link_up


def test_a_farewell_that_the_broker_kept_is_believed(table: TableWorld) -> None:
    table.link.connects()
    retained(table, alive=False)
    assert not table.state.neighbors.link_up and table.state.neighbors.link_why == say("link.bank-stopped")


def test_a_kept_heartbeat_does_not_end_a_heart_that_is_heard(table: TableWorld) -> None:
    table.opens()
    retained(table, alive=True)
    assert table.state.neighbors.link_up


def test_the_link_tells_what_the_broker_had_kept() -> None:
    heard: list[LinkSignal] = []
    link = Link(LinkConfig(), "felt-test", [("t", 1)], heard.append)
    for kept in (True, False):
        link._on_message(None, None, SimpleNamespace(topic="t", payload=b"{}", retain=kept))  # type: ignore[arg-type]
    assert [signal.retained for signal in heard if isinstance(signal, Arrived)] == [True, False]


# What is heard first ----------------------------------------------------------------------------------------------------


def said_of(bank: BankWorld, *payloads: bytes) -> list[str]:
    """The topics that one turn of the bank publishes on hearing these, in order, without its heart."""
    before = len(bank.link.published)
    bank.hears(*payloads)
    return [topic.rpartition("/")[2] for topic, _ in bank.link.published[before:] if not topic.endswith("alive")]


def test_an_answer_does_not_wait_until_all_tables_have_the_board(tmp_path: Path, clock: Clock) -> None:
    bank, table = BankWorld(tmp_path, clock), casino.Table("uth-04")
    assert said_of(bank, table.wagers(1, 1, 2)) == ["down", "meters"]


def test_a_table_hears_the_board_before_a_price_that_it_holds_against_it(tmp_path: Path, clock: Clock) -> None:
    bank, table = BankWorld(tmp_path, clock), casino.Table("uth-04")
    bank.hears(table.wagers(1, 1, 2))
    assert said_of(bank, table.claim(1, 2, "royal flush")) == ["meters", "down"]
    assert bank.down["claims"][0]["status"] == "pending"


def test_a_payload_near_the_limit_is_a_complaint(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker drops what is too large, and tells nobody."""
    bank, table = BankWorld(tmp_path, clock), casino.Table("uth-04")
    bank.hears(table.wagers(1, 1))
    assert not bank.events(Complained)
    monkeypatch.setattr("firmware.runtime.bank.NEAR_MAX", 100)
    bank.hears(table.wagers(2, 1))
    bank.turns(ms=11_000)
    places = {one.place for one in bank.events(Complained)}
    assert places == {"felt/felt/table/uth-04/down", "felt/felt/meters"}
