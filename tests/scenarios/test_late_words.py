"""A broker that delays and doubles: every word of both sides comes once more, fifteen seconds late, and all play on."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from firmware.bank import events as b
from firmware.config import LinkConfig
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.plan import Round
from firmware.runtime.bank import open_journal
from firmware.runtime.link import Arrived, Connected, Link
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox
from tests.scenarios.conftest import StartBank

LATE_S = 15.0


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_bank_whose_words_come_late_and_twice_plays_on_by_itself(start_bank: StartBank) -> None:
    """One table's own heartbeat, fifteen seconds late, closed its progressive until two people had adopted it."""
    house, person = start_bank()
    inbox = Inbox(0)
    broker = LinkConfig(broker=f"mqtt://127.0.0.1:{house.broker_port}")
    cable = Link(broker, "late-cable", [("felt/#", 0)], inbox.put)
    cable.start()
    try:
        said = heard_until(inbox, lambda signals: any(isinstance(one, Connected) for one in signals))
        dealer = Dealer(person)
        dealer.play(1, Round((1, 3)))
        until = time.monotonic() + LATE_S
        said += heard_until(inbox, lambda _: time.monotonic() >= until)
        words = [one for one in said if isinstance(one, Arrived)]
        for _ in range(2):
            for one in words:
                cable.publish(one.topic, one.payload, qos=0)
        dealer.play(2, Round((2, 3)))
    finally:
        cable.close()
    house.stop()
    path = next(house.home.rglob("bank.ledger"))
    ledger = open_journal(path, read_only=True)
    happened = list(ledger.replay())
    ledger.close()
    bank = BankTopics("felt")
    assert {bank.present(one.topic) for one in words} >= {"uth-04"} and any(one.topic == bank.alive for one in words)
    assert [one.kind for one in happened if isinstance(one, b.AlarmRaised)] in ([], ["new"])
    assert len([one for one in happened if isinstance(one, b.WagersHeld)]) == 2


def heard_until(inbox: Inbox, enough: Callable[[list[object]], bool]) -> list[object]:
    """All that came, until it is enough."""
    heard: list[object] = []
    while not enough(heard):
        heard += inbox.take(1.0)
    return heard
