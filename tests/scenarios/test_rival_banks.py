"""Two banks of one name at one broker, real processes: a clone, or a backup started beside the original."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path

import pytest

from firmware.config import LinkConfig
from firmware.proof.simulation.processes import Part, free_port, make_ledger
from firmware.runtime.link import Arrived, Link
from firmware.wire.topics import BankTopics
from hal.debounce import Inbox

TOPICS = BankTopics("felt")


def runs(inbox: Inbox, topic: str, wanted: int, within_s: float = 60) -> set[str]:
    """The runs of the living banks whose heart beats under that topic, as soon as there are so many."""
    found, until = set[str](), time.monotonic() + within_s
    while len(found) < wanted and (left := until - time.monotonic()) > 0:
        for signal in inbox.take(left):
            if isinstance(signal, Arrived) and signal.topic == topic and not signal.retained:
                beat = json.loads(signal.payload)
                found |= {beat["said"]["run"]} if beat["alive"] else set()
    return found


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_two_banks_of_one_ledger_find_each_other_stand_back_and_the_one_that_stays_comes_back(tmp_path: Path) -> None:
    """Before, both held the whole history, each won the same royal, and no alarm was raised anywhere."""
    port = free_port()

    def part(name: str, *arguments: str) -> Part:
        return Part(name, [sys.executable, "-m", "firmware", *arguments], tmp_path / name)

    broker = part("broker", "broker", "--port", str(port))
    banks = [
        part(name, "bank", "--home", str(tmp_path / name), "--broker", f"mqtt://127.0.0.1:{port}")
        for name in ("first", "second")
    ]
    first, second = banks
    inbox = Inbox(0)
    watch = Link(LinkConfig(broker=f"mqtt://127.0.0.1:{port}"), "onlooker", [("felt/felt/#", 0)], inbox.put)
    try:
        broker.restart()
        make_ledger(first.home)
        shutil.copytree(tmp_path / "first", tmp_path / "second", ignore=shutil.ignore_patterns("*.notify", "*.sock"))
        for bank in banks:
            bank.restart()
        watch.start()
        both = runs(inbox, TOPICS.rival, 2)
        assert len(both) == 2, "each beats where the other one alone hears it"
        second.stop()
        inbox.take(0)
        assert len(runs(inbox, TOPICS.alive, 1) & both) == 1
        assert "no other bank of this name is heard any more" in first.last_words()
    finally:
        watch.close()
        for bank in banks:
            bank.stop()
        broker.stop()
