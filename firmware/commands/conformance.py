"""`felt conformance`: holds another maker's table or bank to the wire's rules."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt conformance`, of a table and of a bank."""
    parser = commands.add_parser(
        "conformance", help="hold another maker's table or bank to the wire's rules, by playing the other side"
    )
    sides = parser.add_subparsers(dest="side", metavar="SIDE", required=True)
    table = sides.add_parser("table", help="plays a bank against a table; somebody plays at that table meanwhile")
    _of_both(table, "how long a person has to play what is asked")
    table.add_argument("--meter", default="main", help="the meter of its book's shares (default main)")
    table.add_argument("--claim", action="store_true", help="ask for a claim and its verdict too")
    table.add_argument("--reports", action="store_true", help="ask for a fixed prize and a closed gaming day too")
    bank = sides.add_parser("bank", help="plays a table against a bank; what it raises stays in that bank's ledger")
    _of_both(bank, "how long people have to adopt the journal, or accept a verdict")
    bank.add_argument(
        "--wager-name", default="progressive", help="a wager of a sensor at that bank (default progressive)"
    )
    bank.add_argument("--wager", default="1.00", help="what it costs by the bank's submission (default 1.00)")
    bank.add_argument("--paytable", default="A", help="its paytable (default A)")
    bank.add_argument(
        "--people", nargs=2, default=("2001", "3001"), metavar="BADGE", help="two floorpersons of the bank"
    )


def _of_both(parser: argparse.ArgumentParser, wait: str) -> None:
    parser.add_argument("--url", required=True, help="the broker, mqtt://HOST:PORT")
    parser.add_argument("--bank", default="felt", metavar="NAME", help="the bank's name (default felt)")
    parser.add_argument("--table", required=True, metavar="NAME", help="the table's name")
    parser.add_argument("--wait", type=int, default=300, metavar="SECONDS", help=f"{wait} (default 300)")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware.proof.conformance.command import run

    return run(options)
