"""Two banks of one name at one broker, real processes: a clone, or a backup started beside the original."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from firmware.simulation.processes import Part, free_port


def ended(parts: list[Part], within_s: float) -> list[Part]:
    """Those that end by themselves within so long; until one has."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline and all(part.running for part in parts):
        time.sleep(0.05)
    return [part for part in parts if not part.running]


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
            bank.restart()
        stopped = ended(banks, 20)
        assert stopped
        assert all("another bank is at work under the name 'felt'" in bank.last_words() for bank in stopped)
    finally:
        codes = [bank.stop() for bank in banks]
        broker.stop()
    assert 3 in codes
