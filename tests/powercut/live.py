"""The power really goes: programs and disk end in the midst of a round, and the disk forgets. The kernel mounts what is
left, the programs start again, and the dealer goes on to the end of the round.

The explorer (`campaign.py`) is the test; this shows that what it judges right is played on with.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from firmware.bank import events as b
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.plan import Round
from firmware.runtime import bank
from firmware.runtime.files import verify
from firmware.runtime.reconcile import reconcile
from firmware.table import events as e
from tests.powercut.crash import WAYS
from tests.powercut.judge import WAGER, Judge, paid_twice
from tests.powercut.night import JOURNAL, LEDGER, SIDES, TRUTH, Night, rounds
from tests.powercut.watch import Onlooker

SOONEST_S, LATEST_S = 0.2, 5.0
"""When the power goes, after the round began."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """One cut: whose power, what became of how many unflushed sectors, how long until all was ready again."""

    side: str
    way: str
    sectors: int
    seconds: float


@dataclass
class Lived:
    """What so many cycles came to; `wrong`: what must not be."""

    cycles: list[Cycle] = field(default_factory=list)
    wagers: int = 0
    """Seen by their lamps, and there at the end."""
    paid: int = 0
    wrong: list[str] = field(default_factory=list)


def live(folder: Path, seed: int, cycles: int) -> Lived:
    """So many rounds with one cut each, table and bank in turn. Raises NoDisk, DidNotStart, Stuck, Unseen."""
    night, chance, lived = Night(folder, seed), random.Random(f"live {seed}"), Lived()
    try:
        night.start()
        dealt = rounds(seed, cycles, night.game)
        with night.watched(), closing(Onlooker(night.disks["table"].mount, night.seen)) as person:
            dealer = Dealer(person, game=night.game, seed=seed)
            dealer.open()
            for number, round in enumerate(dealt, start=1):
                with ThreadPoolExecutor(
                    1
                ) as hands:  # nbdkit ends with the thread that started it: the cuts are made here
                    played = hands.submit(dealer.play, number, round)
                    lived.cycles.append(_cut(night, list(SIDES)[number % 2], chance))
                    played.result()
        night.put_aside()
    finally:
        night.stop()
    _prove(folder, dealt, dealer.shown_as, lived)
    return lived


def _cut(night: Night, side: str, chance: random.Random) -> Cycle:
    """The power of one side goes once, some time into a round, and comes back."""
    threading.Event().wait(chance.uniform(SOONEST_S, LATEST_S))
    way, began = chance.choice(list(WAYS)), time.monotonic()
    sectors = night.cut(side, way, chance)
    return Cycle(side, way, sectors, time.monotonic() - began)


def _prove(folder: Path, dealt: Sequence[Round], shown_as: Sequence[int], lived: Lived) -> None:
    """The records of both, and everything that was seen, against what was played."""
    journal, ledger = folder / TRUTH / "table" / JOURNAL, folder / TRUTH / "bank" / LEDGER
    verify(journal)
    bank.verify(ledger)
    lived.wrong += [one.text for one in reconcile(ledger, [journal]) if one.wrong or "owes" in one.text]
    judge = Judge(folder, was_cut=True)
    lived.wagers = len({one.row for one in judge.promises if one.what == WAGER})
    lived.paid, wrong = ended_as_dealt(judge.table_events, judge.bank_events, dealt, shown_as)
    lived.wrong += wrong


def ended_as_dealt(
    table: Sequence[object], bank: Sequence[object], dealt: Sequence[Round], shown_as: Sequence[int]
) -> tuple[int, list[str]]:
    """How many prizes were ended by the events of table and bank; and what is otherwise than it was dealt and shown."""
    wrong = paid_twice(table)
    wrong += [f"alarm: {one.text}" for one in bank if isinstance(one, b.AlarmRaised) and one.kind != "new"]
    ended, counted, number = Counter[tuple[int, int]](), Counter[int](), 0
    for event in table:
        match event:
            case e.BetsOpened(round=number):
                pass
            case e.PrizePaid(seat=seat) | e.ClaimPaid(seat=seat) | e.ClaimRejected(seat=seat):
                ended[number, seat] += 1
            case e.CountAgreed(seats=seats):
                counted[number] = len(seats)
    wanted = {(number, one.seat): 1 for number, round in zip(shown_as, dealt, strict=True) for one in round.winners}
    if dict(ended) != wanted:
        wrong.append(f"prizes by round and seat: {dict(ended)}, the dealer paid {wanted}")
    for number, round in zip(shown_as, dealt, strict=True):
        if counted[number] != (placed := len(round.chips) - (round.difference == "missing")):
            wrong.append(f"round {number}: {counted[number]} wagers were counted, {placed} were placed")
    return ended.total(), wrong
