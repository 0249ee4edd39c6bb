"""Rounds through a whole bank of real processes, seen and done as a person sees and does."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.request import urlopen

import pytest

from firmware.bank.ledger import Account
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game_settling import enter
from firmware.proof.simulation.hands import CARDS
from firmware.proof.simulation.person import (
    FLOOR,
    MANAGER,
    Person,
    body,
    key_at,
    lines_at,
    not_shown,
    ready,
    shown,
)
from firmware.proof.simulation.plan import Round, Winner, plan
from firmware.proof.simulation.processes import Part, SimulatedBank
from firmware.proof.simulation.summary import summarise
from firmware.rules.money import Micros
from firmware.runtime import bank as bank_runtime
from firmware.runtime.glass import Observation
from tests.scenarios.conftest import StartBank

CONTRIBUTION = Micros(210_000)
"""21 % of $1.00 on paytable A (653a.12(d)(3))."""


def recognized(round: Round) -> int:
    """How many wagers a planned round amounts to."""
    return len(round.chips) - (round.difference == "missing")


def assert_nothing_lost_or_doubled(bank: SimulatedBank, rounds: Sequence[Round], shown_as: Sequence[int]) -> None:
    """The books agree with what was played, to the micro-dollar. `shown_as`: each round's number on the screen."""
    summary = summarise([bank.home / "table.journal"], bank.home / "bank.ledger", len(rounds))
    accounts = bank_runtime.verify(bank.home / "bank.ledger")
    wagers = sum(recognized(round) for round in rounds)
    void = sum(recognized(round) for round in rounds if round.void)
    assert summary["wagers"] == wagers
    assert accounts.total(Account.CONTRIBUTIONS) == wagers * CONTRIBUTION
    assert accounts.total(Account.REVERSALS) == void * CONTRIBUTION
    assert summary["late"] == sum(bool(round.late) for round in rounds)
    played = [
        (number, winner.seat, "paid" if winner.paid else "rejected")
        for number, round in zip(shown_as, rounds, strict=True)
        for winner in sorted(round.winners, key=lambda winner: -winner.seat)
        if winner.hand in ("royal flush", "straight flush")
    ]
    assert [(award["round"], award["seat"], award["status"]) for award in summary["awards"]] == played
    assert summary["ledger_ok"] and summary["journal_ok"]
    assert accounts.total(Account.PENDING) == 0


@pytest.mark.slow
def test_on_the_embedded_broker_a_handful_of_rounds_reaches_the_sign(start_bank: StartBank) -> None:
    bank, person = start_bank()
    rounds = [
        Round((1, 3, 5)),
        Round((2, 4), late=6, winners=(Winner(4, "flush"),)),
        Round((1, 2, 6), by_switch=True, winners=(Winner(6, "royal flush"), Winner(2, "straight flush"))),
        Round((3, 4), void="wrong-number"),
        Round((1, 2), difference="missing"),
    ]
    dealer = Dealer(person)
    for number, round in enumerate(rounds, start=1):
        dealer.play(number, round)
    # 10 % of $10,000 was paid, and the meter goes on from there.
    person.see(lambda seen: str(lines_at(seen, "meter-main")[-1]).startswith("$9,"), "the meter")
    bank.stop()
    assert_nothing_lost_or_doubled(bank, rounds, dealer.shown_as)


def told_by(sign: str) -> Iterator[dict[str, Any]]:
    """What the sign's page is pushed."""
    with urlopen(f"{sign}events", timeout=20) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))["board"]


@pytest.mark.slow
@pytest.mark.mosquitto
@pytest.mark.usefixtures("needs_mosquitto")
def test_a_bank_that_dies_pauses_the_sign_at_once(start_bank: StartBank) -> None:
    """The broker says its last will, and the sign does not wait for a silence of half a minute."""
    bank, _ = start_bank(mosquitto=True)
    boards = told_by(bank.sign_address)
    live = next(board for board in boards if not board["waiting"] and board["silence_ms"] < 5_000)
    bank.bank.kill()
    died = time.monotonic()
    next(board for board in boards if board["silence_ms"] >= live["stale"]["paused_ms"])
    assert time.monotonic() - died < 5
    bank.bank.restart()
    next(board for board in boards if board["silence_ms"] < 5_000)


def test_a_normal_round_costs_the_dealer_three_taps_and_two_with_the_switch(start_bank: StartBank) -> None:
    _, person = start_bank()
    dealer = Dealer(person)
    dealer.open()
    for by_switch, taps in ((False, 3), (True, 2)):
        before = person.taps
        dealer.play(1, Round((1, 2, 3), by_switch=by_switch))
        assert person.taps - before == taps


class Fate(threading.Thread):
    """Kills one process after another at random moments, and starts it again."""

    def __init__(self, victims: Sequence[Part], seed: int) -> None:
        super().__init__(daemon=True)
        self._victims, self._chance = victims, random.Random(seed)
        self._over = threading.Event()
        self.killed: list[str] = []
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self._over.wait(self._chance.uniform(0.4, 2.5)):
                victim = self._chance.choice(self._victims)
                victim.kill()
                victim.restart()
                self.killed.append(victim.name)
        except Exception as error:
            self.failure = error

    def end(self) -> None:
        self._over.set()
        self.join()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.mosquitto
@pytest.mark.usefixtures("needs_mosquitto")
def test_rounds_while_everything_is_killed_lose_and_double_nothing(start_bank: StartBank) -> None:
    seed = 7
    bank, person = start_bank(mosquitto=True, seed=seed)
    rounds = plan(seed, 25)
    fate = Fate((bank.table, bank.screen, bank.broker, bank.bank), seed)
    dealer = Dealer(person)
    fate.start()
    try:
        for number, round in enumerate(rounds, start=1):
            dealer.play(number, round)
    finally:
        fate.end()
    assert fate.failure is None
    assert {"table", "screen", "mosquitto", "bank"} <= set(fate.killed)
    person.see(ready("link"), "the link")
    last = Round((1, 2), winners=(Winner(2, "royal flush"),))  # its price shows that the bank holds all before it
    dealer.play(len(rounds) + 1, last)
    rounds.append(last)
    bank.stop()
    print(f"killed {len(fate.killed)} times: { {name: fate.killed.count(name) for name in set(fate.killed)} }")
    assert_nothing_lost_or_doubled(bank, rounds, dealer.shown_as)


def said(seen: Observation) -> list[object]:
    """What the screen says, but for its corner."""
    return [widget.said for widget in body(seen)]


def whole(seen: Observation) -> bool:
    """The shuffler has counted a whole deck."""
    return ready("machine")(seen)


def cut_power(bank: SimulatedBank, person: Person) -> None:
    """Kill the table and start it again: the same screen with the same words is there."""
    before = person.see(lambda _seen: True, "the table")
    bank.table.kill()
    bank.table.restart()
    person.see(lambda seen: seen.at_ns > before.at_ns and said(seen) == said(before), f"{before.screen} as it was")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_power_cut_on_every_screen_of_a_jackpot_round_resumes_where_it_was(start_bank: StartBank) -> None:
    bank, person = start_bank()
    person.tap_again_s = 15.0  # a busy machine answers late, and UNDO pressed twice takes back two
    dealer, world = Dealer(person), person.world
    cut_power(bank, person)
    dealer.open()
    person.screen("open")
    for seat in (2, 5):
        world.place(seat)
        person.lamp(seat, "lit")
    cut_power(bank, person)
    person.key("primary", until=shown("count"))
    for seat in (2, 5):
        world.take(seat)
    cut_power(bank, person)
    person.key("count-1", until=shown("difference"))
    cut_power(bank, person)
    person.key("back", until=shown("count"))
    person.key("count-2", until=shown("deal"))
    person.see(whole, "a whole deck in the shuffler")
    world.swap_deck()
    person.see(lambda seen: not whole(seen), "the red deck to go in")
    person.see(whole, "it whole")  # it is in and counted
    cut_power(bank, person)
    person.tile(5, until=shown("winners"))
    cut_power(bank, person)
    person.key("hand-royal-flush", until=shown("cards"))
    person.key("rank-A")
    cut_power(bank, person)
    person.key("undo", until=lambda seen: key_at(seen, "suit-h") is None)  # no rank waits for its suit
    enter(dealer, CARDS["royal flush"])
    cut_power(bank, person)
    person.key("primary", until=shown("validate"))
    cut_power(bank, person)
    dealer.signed(FLOOR, "primary", not_shown("validate"))
    person.screen("hold")
    cut_power(bank, person)
    dealer.signed(MANAGER, "primary", shown("envy"))
    cut_power(bank, person)
    dealer.signed(FLOOR, "primary", shown("winners"))  # envy of $500 or more
    cut_power(bank, person)
    person.key("primary", until=shown("open"))
    cut_power(bank, person)
    bank.stop()
    assert_nothing_lost_or_doubled(bank, [Round((2, 5), winners=(Winner(5, "royal flush"),))], [1])
