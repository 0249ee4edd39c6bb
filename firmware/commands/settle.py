"""`felt settle`: one round, or a batch of rounds, by the law alone."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt settle`."""
    settle = commands.add_parser("settle", help="settle one round from a file, or a batch of rounds")
    given = settle.add_mutually_exclusive_group(required=True)
    given.add_argument("round", nargs="?", help="a round file in JSON; - reads standard input")
    given.add_argument("--batch", metavar="FILE", help="JSON Lines, one round a line; - reads standard input")
    settle.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware.settle import run_settle

    return run_settle(options)
