"""Makes `table-betsclosed-1.journal`: a round as a program wrote it that knew BetsClosed 1, without the sensors' readings.

    .venv/bin/python -m tests.golden.make_table_betsclosed_1 FILE

The file in the repository is never made again; this says how it came about.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from firmware.runtime.journal import Journal, Vocabulary
from firmware.table import events as e

BOOT = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class BetsClosed:
    """The event as it was."""

    VERSION: ClassVar[int] = 1
    at_ns: int
    source: str
    accepted: tuple[int, ...]


def round_of_then(journal_id: str) -> list[Any]:
    """Two wagers, one taken back too late for the lock, the count still to come."""
    return [
        e.TableOpened("uth-04", journal_id, 6),
        e.Started(BOOT, "0.0.9", "f" * 64),
        e.SensorsChanged(True, ""),
        e.LinkChanged(True, ""),
        e.ShufflerChanged(True, "unit-1", "ready", 52, "blue", "", 0),
        e.SwitchTurned(False),
        e.BetsOpened(1, ()),
        e.WagerPlaced(3, 1_000_000_000),
        e.WagerPlaced(5, 1_500_000_000),
        BetsClosed(2_000_000_000, "switch", (3, 5)),
        e.SwitchTurned(True),
        e.LateWager(1, 340, was_lit=False, covered=True),
    ]


def main(path: Path) -> None:
    """Write the file; it must not exist yet."""
    kinds: dict[str, Any] = {**e.EVENTS, "BetsClosed": BetsClosed}
    journal: Journal[Any] = Journal(path, Vocabulary("table", kinds, {}))
    journal._boot = BOOT
    for event in round_of_then(journal.id):
        journal.append([event])
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
