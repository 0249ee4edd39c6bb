"""How a table stands: said when it changes, at most once a second; the broker keeps it, and the bank outside its ledger."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware.bank import events as b
from tests.runtime.world import BankWorld, TableWorld

STATUS = "felt/felt/table/uth-04/status"


def said(table: TableWorld) -> dict[str, Any]:
    """The last word, a second later."""
    table.turns(1_000)
    last: dict[str, Any] = table.link.last(STATUS)
    return last


def test_phase_and_round_are_said_as_they_are_and_stay_at_the_broker(table: TableWorld) -> None:
    table.counted(3)
    now = said(table)
    assert (now["phase"], now["round"], now["dealer"], now["floor"]) == ("deal", 1, "", None)
    assert now["journal"] == table.state.program.journal
    assert now["versions"] == {"program": "test", "rules": table.state.program.submission, "wire": 1}
    assert json.loads(table.link.kept[STATUS]) == now


def test_the_floor_is_wanted_since_the_call_and_for_a_prize_since_it_waits(table: TableWorld) -> None:
    table.counted(3)
    assert said(table)["floor"] is None
    table.presses("seat-3")
    table.presses("hand-flush")
    prize = said(table)["floor"]
    assert prize["reason"] == "prize"
    table.beats()
    assert said(table)["floor"] == prize, "since then, not since now"
    table.presses("floor")
    called = said(table)["floor"]
    assert called["reason"] == "called" and called["since"] >= prize["since"]


def test_what_is_wrong_is_named(table: TableWorld) -> None:
    table.counted(3)
    assert said(table)["faults"] == []
    table.turns(7_000)
    assert "link" in said(table)["faults"], "no heart for six seconds"
    table.beats()
    table.bank_says(alarm=table.alarm("hash", 1, "Message 1 was another one before"))
    assert "bank-alarm" in said(table)["faults"]


def test_a_table_that_changes_all_the_time_says_one_status_a_second(table: TableWorld) -> None:
    table.opens()
    before = len(table.link.all(STATUS))
    for _ in range(20):
        table.presses("floor")
        table.turns(100)
    assert 1 <= len(table.link.all(STATUS)) - before <= 3
    before = len(table.link.all(STATUS))
    table.turns(1_000)
    for _ in range(20):
        table.beats()
        table.turns(1_000)
    assert len(table.link.all(STATUS)) - before <= 1, "nothing changes, nothing is said"


def test_a_new_connection_is_told_again(table: TableWorld) -> None:
    table.opens()
    before = len(table.link.all(STATUS))
    table.link.drops()
    table.turns()
    table.link.connects()
    table.turns()
    assert len(table.link.all(STATUS)) == before + 1


def test_the_bank_keeps_the_last_word_and_writes_nothing(table: TableWorld, bank: BankWorld) -> None:
    table.counted(3)
    rows = bank.journal.rows
    bank.link.deliver(STATUS, json.dumps(said(table)).encode())
    bank.turns()
    assert bank.service.standing["uth-04"].phase == "deal"
    assert bank.journal.rows == rows


@pytest.mark.parametrize("wrong", [b"{", b"", b'{"v": 1}'], ids=["half", "nothing", "too little"])
def test_a_status_that_cannot_be_read_is_complained_of(wrong: bytes, table: TableWorld, bank: BankWorld) -> None:
    bank.link.deliver(STATUS, wrong)
    bank.turns()
    (complained,) = bank.events(b.Complained)
    assert complained.place.startswith("uth-04/status")
    assert not bank.service.standing


def test_a_status_in_the_name_of_another_table_is_complained_of(table: TableWorld, bank: BankWorld) -> None:
    table.opens()
    bank.link.deliver(STATUS, json.dumps(said(table) | {"table": "uth-05"}).encode())
    bank.turns()
    (complained,) = bank.events(b.Complained)
    assert "the topic says 'uth-04'" in complained.text and not bank.service.standing
