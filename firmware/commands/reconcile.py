"""`felt reconcile`: holds a bank's ledger and its tables' journals against each other."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import REFUSED
from firmware.commands.options import Commands


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt reconcile`."""
    both = commands.add_parser("reconcile", help="hold a bank's ledger and its tables' journals against each other")
    both.add_argument("ledger", type=Path, help="the bank's ledger")
    both.add_argument("journals", type=Path, nargs="+", metavar="journal", help="a table's journal")
    both.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware.runtime.reconcile import reconcile

    wrong = False
    for finding in reconcile(options.ledger, options.journals):
        wrong = wrong or finding.wrong
        print(f"WRONG {finding.text}" if finding.wrong else finding.text)
    print("the two sides contradict each other" if wrong else "both sides agree")
    return REFUSED if wrong else 0
