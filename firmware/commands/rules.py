"""`felt rules`: what a book says, and whether a submission may be filed."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt rules` and its second words."""
    rules = commands.add_parser("rules", help="check a rules submission, show a book's paytables, explain its readings")
    second = rules.add_subparsers(dest="rules_command", required=True)
    check = second.add_parser("check", help="check a rules submission")
    check.add_argument("file", help="a submission in TOML")
    show = second.add_parser("show", help="paytables as one would post them at the table")
    show.add_argument("book", help="a book, or the TOML file of a submission")
    explain = second.add_parser("explain", help="how Felt reads a book where it is silent, with paragraph and reason")
    explain.add_argument("book", help="a book")
    rules.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware import settle

    run = {"check": settle.run_check, "show": settle.run_show, "explain": settle.run_explain}
    return run[options.rules_command](options)
