"""The tables of `scripts/bench bank`: a bank books every word of theirs, or its figures would be those of refusals."""

from __future__ import annotations

import random
from typing import Any

from bench_bank import BANK, MS, Table, UnderWay

from firmware.bank.decide import decide
from firmware.bank.events import ClaimPaid, WagersHeld
from firmware.bank.inputs import AdoptionSigned, Started
from firmware.bank.state import BankState, evolve
from firmware.bank.wire import decode_up, down
from firmware.runtime.link import NoLink
from firmware.wire.offers import wagers_offered
from firmware.wire.records import document
from firmware.wire.topics import TableTopics
from tests.bank.casino import AT, EPOCH, rules

NAME, JOURNAL = "uth-01", "a" * 32
MESSAGES = 200


def test_a_bank_books_all_that_a_simulated_table_says_and_each_is_acknowledged_once() -> None:
    law, state, chance = rules(), BankState(), random.Random(1)
    [offered] = wagers_offered(law.offers)
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
        hashed = table.say(offered, chance)
        table.under_way.append(UnderWay(table.seq, hashed, number * MS))
        take(decode_up(NAME, table.anchored(hashed), AT))
        acknowledged += table.hear(document(down(state, NAME)), (number + 1) * MS)
    assert state.book(NAME).alarms == ()
    assert acknowledged == [1.0] * MESSAGES
    assert sum(isinstance(event, WagersHeld) for event in happened) > MESSAGES // 2
    assert sum(isinstance(event, ClaimPaid) for event in happened) > 1
