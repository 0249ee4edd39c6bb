"""`felt journal`: reads a journal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands import REFUSED
from firmware.commands.options import Commands, add_trusted

if TYPE_CHECKING:
    from firmware.runtime.seals import Trusted


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt journal` and its second words."""
    journal = commands.add_parser("journal", help="read a journal: show, verify, export")
    second = journal.add_subparsers(dest="journal_command", metavar="COMMAND", required=True)
    for name, what in (
        ("show", "print every event, one line each"),
        ("verify", "check the chain of hashes and the seals; names the first bad row or seal"),
        ("checkpoint", "print the newest seal: rows, head and signature, for accounting to keep"),
        ("export", "write JSON Lines with hashes to standard output"),
    ):
        each = second.add_parser(name, help=what)
        each.add_argument("file", type=Path, help="a table's or a bank's journal, for example run/table.journal")
        if name == "verify":
            add_trusted(each)
        each.set_defaults(run=_read)


def _read(options: argparse.Namespace) -> int:
    from firmware.runtime.before_live import BeforeLive
    from firmware.runtime.exports import lines
    from firmware.runtime.files import in_folder, newest_checkpoint, open_any
    from firmware.runtime.seals import trusted

    if options.journal_command == "verify":
        return _verify(options.file, trusted(options.key, options.checkpoint))
    if options.journal_command == "checkpoint":
        print(newest_checkpoint(options.file), end="")
        return 0
    journal = open_any(in_folder(options.file))
    try:
        if options.journal_command == "export":
            for line in lines(journal):
                print(line.decode("utf-8"))
            return 0
        is_test = BeforeLive()
        for entry in journal.own_entries():
            mark = "test  " if is_test.of(entry.event) else ""
            print(f"{entry.row:>6}  {entry.utc}  {mark}{entry.kind:<18} {entry.body}")
    finally:
        journal.close()
    return 0


def _verify(path: Path, keys: Trusted) -> int:
    from firmware.runtime import exports
    from firmware.runtime.files import verify

    if exports.is_export(path):
        print(exports.verify(path, keys.keys))
        return 0
    found = verify(path, keys)
    files = f" in {found.files} files" if found.files > 1 else ""
    if found.missing:
        print(f"{path}: rows {found.first} to {found.rows}{files}, unbroken; head {found.head}")
        print(found.sealed)
        print(f"{path.parent / found.missing}: this file is missing; rows 1 to {found.first - 1} were not looked at")
        return REFUSED
    print(f"{path}: {found.rows} rows{files}, unbroken{' but for what is gone' * bool(found.gone)}; head {found.head}")
    print(found.sealed)
    for gone in found.gone:
        print(gone)
    return 0
