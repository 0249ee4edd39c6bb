"""The tables of `scripts/bench bank`: a bank books every word of theirs, or its figures would be those of refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from bench_bank import BANK, MS, Table, UnderWay, Wire

from firmware.bank.decide import decide
from firmware.bank.events import ClaimPaid, WagersHeld
from firmware.bank.inputs import AdoptionSigned, Started
from firmware.bank.state import BankState, evolve
from firmware.bank.wire import decode_up, down
from firmware.runtime.link import NoLink
from firmware.wire.payload import object_in
from firmware.wire.records import document
from firmware.wire.topics import TableTopics
from tests.bank.casino import AT, EPOCH, rules

NAME, JOURNAL = "uth-01", "a" * 32
MESSAGES = 200


def test_a_bank_books_all_that_a_simulated_table_says_and_each_is_acknowledged_once() -> None:
    law, state, chance = rules(), BankState(), random.Random(1)
    wire = Wire(is_todays=True, offer=law.offers["progressive"])
    table = Table(NAME, JOURNAL, NoLink(), TableTopics.of(BANK, NAME))
    happened: list[object] = []

    def take(given: Any) -> None:
        nonlocal state
        for event in decide(law, state, given):
            state = evolve(state, event)
            happened.append(event)

    take(Started(AT, EPOCH, False))
    take(AdoptionSigned(AT, NAME, JOURNAL, ("2001", "3001")))
    acknowledged: list[float] = []
    for number in range(MESSAGES):
        hashed = table.say(wire, chance)
        table.under_way.append(UnderWay(table.seq, hashed, number * MS))
        take(decode_up(NAME, wire.sent(hashed, table), AT))
        acknowledged += table.hear(document(down(state, NAME)), (number + 1) * MS)
    assert state.book(NAME).alarms == ()
    assert acknowledged == [1.0] * MESSAGES
    assert sum(isinstance(event, WagersHeld) for event in happened) > MESSAGES // 2
    assert sum(isinstance(event, ClaimPaid) for event in happened) > 1


@pytest.mark.parametrize("is_todays", [True, False])
def test_only_the_wire_of_today_says_what_was_paid_and_how_far_the_journal_is(is_todays: bool) -> None:
    wire = Wire(is_todays, rules().offers["progressive"])
    table = Table(NAME, JOURNAL, NoLink(), TableTopics.of(BANK, NAME), round=1, claim=f"{NAME}:1:3:1", epoch=EPOCH)
    table.priced = {"amount": "1000.00", "meter": "progressive", "version": 7}
    said = object_in(wire.sent(table.say(wire, random.Random(1)), table))
    assert said["kind"] == "verdict"
    assert ("amount" in said["body"], "anchor" in said) == (is_todays, is_todays)
