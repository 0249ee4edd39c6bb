"""Makes `bank-before-five-card.ledger`: a bank's file by a program that knew the progressive wager only.

    .venv/bin/python -m tests.golden.make_bank_before_five_card FILE

The file in the repository was made by the last program whose MetersSeeded, WagersHeld and ClaimPriced were version 1,
and is never made again; this says how it came about.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware.bank.decide import decide
from firmware.bank.events import Event
from firmware.bank.inputs import Input, Started
from firmware.bank.state import BankState, evolve
from firmware.bank.wire import decode_up
from firmware.runtime.bank import open_journal, post
from firmware.runtime.spine import Spine
from tests.bank.casino import AT, EPOCH, Table, rules

BOOT = "00000000-0000-4000-8000-000000000000"


def shift_of_then() -> list[tuple[Table, bytes]]:
    """A royal flush that still waits for its verdict, a straight flush that was paid, a void round at another table."""
    table, other = Table(), Table("uth-02", "b" * 32)
    return [
        (table, table.wagers(1, 1, 3, 5)),
        (table, table.claim(1, 5, "royal flush")),
        (table, table.claim(1, 3, "straight flush", number=2)),
        (table, table.verdict(1, 3, paid=True, number=2)),
        (other, other.wagers(7, 2)),
        (other, other.wagers(8, 2, 6)),
        (other, other.void(8)),
    ]


def main(path: Path) -> None:
    """Write the file; it must not exist yet."""
    journal = open_journal(path)
    journal._boot = BOOT
    bank: Spine[BankState, Input, Event] = Spine(
        journal, BankState(), lambda state, given: decide(rules("A"), state, given), evolve, post
    )
    bank.take([Started(AT, EPOCH, restored=False)])
    for table, payload in shift_of_then():
        bank.take([decode_up(table.name, payload, AT)])
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
