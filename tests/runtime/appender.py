"""A program that appends to a journal and says so after each row, until somebody kills it."""

from __future__ import annotations

import sys
from pathlib import Path

from firmware.runtime.day_files import Journal
from firmware.runtime.table_journal import VOCABULARY
from firmware.table import events as e


def main(path: Path) -> None:
    """Append for ever; a line of standard output is a promise that the row is on disk."""
    journal = Journal(path, VOCABULARY)
    journal.verify()
    while True:
        journal.append([e.CountEntered("progressive", journal.rows, journal.rows), e.CountAgreed((1, 2, 3))])
        print(journal.rows, journal.head, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
