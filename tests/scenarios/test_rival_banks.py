"""Two banks of one name at one broker, real processes: a clone, or a backup started beside the original."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

from firmware.simulation.processes import Part, free_port, make_ledger


def ended(parts: list[Part], within_s: float) -> list[Part]:
    """Those that have ended by themselves as soon as one has; none after so long."""
    watched = {os.pidfd_open(part.pid): part for part in parts}
    over, _, _ = select.select(list(watched), [], [], within_s)
    for opened in watched:
        os.close(opened)
    return [watched[one] for one in over]


def test_two_banks_of_one_name_find_each_other_and_stop(tmp_path: Path) -> None:
    """Before, both held the whole history, each won the same royal, and no alarm was raised anywhere."""
    port = free_port()

    def part(name: str, *arguments: str) -> Part:
        return Part(name, [sys.executable, "-m", "firmware", *arguments], tmp_path / name)

    broker = part("broker", "broker", "--port", str(port))
    banks = [
        part(name, "bank", "--home", str(tmp_path / name), "--broker", f"mqtt://127.0.0.1:{port}")
        for name in ("first", "second")
    ]
    try:
        broker.restart()
        for bank in banks:
            make_ledger(bank.home)
            bank.restart()
        stopped = ended(banks, 20)
        assert stopped
        assert all("another bank is at work under the name 'felt'" in bank.last_words() for bank in stopped)
    finally:
        codes = [bank.stop() for bank in banks]
        broker.stop()
    assert 3 in codes
