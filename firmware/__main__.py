"""The command `felt`: the list of its commands, and what is common to all: exit codes, errors, what is left to others."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Callable, Sequence

from firmware.commands import (
    REFUSED,
    bank,
    broker,
    cabinet,
    conformance,
    doctor,
    journal,
    lines,
    mirror,
    pin,
    reconcile,
    rehearse,
    rules,
    screen,
    settle,
    sign,
    table,
    wire,
)
from firmware.commands.version import Version

PROOF = "firmware.proof"
"""The packages that only a checkout has (pyproject.toml)."""

COMMANDS = (
    table.add_command,
    lines.add_command,
    doctor.add_command,
    screen.add_command,
    cabinet.add_command,
    bank.add_command,
    sign.add_command,
    mirror.add_command,
    broker.add_command,
    journal.add_command,
    reconcile.add_command,
    wire.add_command,
    pin.add_command,
    rehearse.add_command,
    conformance.add_command,
    settle.add_command,
    rules.add_command,
)
"""In the order in which `felt --help` tells them."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""
PRIVATE = 0o077
"""No program leaves group and others these permissions: of journals, ledgers, keys and the folders around them."""
SERVICES = ("table", "bank", "sign", "screen", "mirror")
"""Commands that run for years beside a log that may fail."""
PUBLISHES = ("wire",)
"""Commands that write documents for everybody, and nothing else."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    _print_anywhere()
    parser = parser_of_all()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return REFUSED
    for name, value in vars(options).items():
        if isinstance(value, str) and not _is_text(value):
            print(f"felt {options.command}: {name}: {value!a} is not UTF-8; type it again", file=sys.stderr)
            return REFUSED
    if options.command not in PUBLISHES:
        os.umask(PRIVATE)  # another user who may open a socket is let in where it is made (runtime/glass.py)
    if options.command in SERVICES:
        from firmware.runtime import logs

        logs.never_wait()
    logging.basicConfig(level=options.log, format="%(asctime)s %(name)s %(levelname)s %(message)s", stream=sys.stderr)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except BrokenPipeError:
        return REFUSED
    except KeyboardInterrupt:
        print(f"felt {options.command}: stopped by Ctrl-C", file=sys.stderr)
        return INTERRUPTED
    except EOFError:
        print(f"felt {options.command}: nobody answers; run it in a terminal", file=sys.stderr)
        return REFUSED
    except ModuleNotFoundError as error:
        if error.name != PROOF:
            raise
        print(f"felt {options.command}: is not installed here; run it in a checkout of Felt", file=sys.stderr)
        return REFUSED
    except Exception as error:
        if not is_expected(error):
            raise
        print(f"felt {options.command}: {error}", file=sys.stderr)
        return REFUSED


def _print_anywhere() -> None:
    """A letter that a terminal or a pipe cannot write is written as its number: no command dies of a name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _is_text(given: str) -> bool:
    """No byte of it was other than UTF-8; a path, which is no text here, may have such bytes."""
    try:
        given.encode()
    except UnicodeError:
        return False
    return True


def is_expected(error: Exception) -> bool:
    """An error that says what is wrong and what to do; anything else is a fault of the program and keeps its trace."""
    from firmware.bank.decide import RulesChanged
    from firmware.bank.ledger import LedgerBroken
    from firmware.config import ConfigError
    from firmware.runtime.journal import JournalDamaged
    from firmware.runtime.pins import Unchecked
    from firmware.runtime.sqlite import StoreError
    from firmware.runtime.table import DeviceDied
    from hal.cabinet.peers import CabinetFault
    from hal.cabinet.world import WorldFault
    from hal.chips import NoChip
    from hal.gpio import PinFault
    from ui.dealer.display import DisplayFault

    files = ConfigError | JournalDamaged | StoreError | LedgerBroken | RulesChanged
    expected = files | Unchecked | DeviceDied | PinFault | NoChip | CabinetFault | WorldFault | DisplayFault
    return isinstance(error, expected)


def parser_of_all() -> argparse.ArgumentParser:
    """Every command with its options."""
    parser = argparse.ArgumentParser(
        prog="felt", description="Open firmware for casino poker tables. Start with scripts/run; see README.md."
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and stop")
    parser.add_argument("--log", default="WARNING", choices=("DEBUG", "INFO", "WARNING", "ERROR"), help="log level")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for add_command in COMMANDS:
        add_command(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
