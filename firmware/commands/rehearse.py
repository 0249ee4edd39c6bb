"""`felt rehearse`: plays a table by a script."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands.options import Commands

SEED = 1
ALL_BOOKS = ""


class _Named(argparse.Action):
    """`--table` and `--book` in the order in which they stand: so tables are named."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, *_: object
    ) -> None:
        named = [*(getattr(namespace, "tables", None) or []), (self.dest, value)]
        namespace.tables = named


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt rehearse`."""
    parser = commands.add_parser("rehearse", help="play a table by a script, without hardware, and check what is seen")
    parser.add_argument("--table", action=_Named, metavar="TABLE.toml", help="a table; may be given more than once")
    parser.add_argument("--book", action=_Named, metavar="BOOK", help="the usual table of a book; more than once")
    parser.add_argument("--level", type=int, metavar="N", help="assist level of the tables of --book (default: lowest)")
    parser.add_argument(
        "--bank", type=Path, metavar="BANK.toml", help="the bank of the tables (default: one that fits)"
    )
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"of what is drawn by lot (default {SEED})")
    parser.add_argument("--transcript", type=Path, metavar="OUT.jsonl", help="write one line a step there")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="write a picture of every changed screen there")
    parser.add_argument("--show", action="store_true", help="print the table that --book stands for, and stop")
    parser.add_argument(
        "--words",
        nargs="?",
        const=ALL_BOOKS,
        metavar="BOOK",
        help="print every key, phase, problem, row, alarm and device word with its meaning, and stop",
    )
    parser.add_argument("script", nargs="?", metavar="SCRIPT", help="the script; - reads standard input")
    parser.set_defaults(run=_run, tables=[])


def _run(options: argparse.Namespace) -> int:
    from firmware.proof.rehearse.command import run

    return run(options)
