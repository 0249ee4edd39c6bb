"""`felt table retention` and `felt bank retention`: which files of earlier days may go."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands.options import add_trusted
from firmware.commands.signatures import signed_by_two
from firmware.rules.approvals import Act


def add_options(parser: argparse.ArgumentParser, journal: str) -> None:
    """The files of this journal that may go."""
    parser.add_argument("--exports", type=Path, metavar="FOLDER", help="where copies of the files are, byte for byte")
    parser.add_argument(
        "--remove", action="store_true", help="remove what may go; two people sign, the service is stopped"
    )
    add_trusted(parser)
    parser.set_defaults(run=_run, journal=journal)


def _run(options: argparse.Namespace) -> int:
    from datetime import date

    from firmware import config as c
    from firmware.runtime.files import clock_of
    from firmware.runtime.retention import Terms, listed, removed
    from firmware.runtime.seals import trusted

    config = c.load_table(options.config) if options.journal == "table.journal" else c.load_bank(options.config)
    path = (options.home or c.home(config, options.config)) / options.journal
    terms = Terms(
        config.keep_days, options.exports, date.fromisoformat(clock_of(path).gaming_day(c.gaming_day(config)))
    )
    keys = trusted(options.key, options.checkpoint)
    days = listed(path, terms, keys)
    for day in days:
        print(day)
    if not options.remove or all(day.stays for day in days):
        return 0
    first, second = (one.badge for one in signed_by_two(config.people, path, Act.RECORD))
    for gone in removed(path, terms, keys, (first, second)):
        print(gone)
    return 0
