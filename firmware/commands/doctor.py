"""`felt doctor`: looks at a table's whole machine before it opens."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from firmware.commands import REFUSED
from firmware.commands.options import Commands, add_config


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt doctor`."""
    doctor = commands.add_parser(
        "doctor", help="look at a table's whole machine before it opens: what is wrong, what to do"
    )
    add_config(doctor, "table.toml")
    doctor.add_argument("--report", type=Path, metavar="FILE", help="write the signed report there too")
    asks = "whether somebody is there who looks at lamps and turns the switch; auto: in a terminal"
    doctor.add_argument("--questions", choices=("auto", "yes", "no"), default="auto", help=asks)
    doctor.add_argument("--lockout", choices=("open", "locked"), default="", help="how the lockout switch stands now")
    doctor.add_argument("--verify", type=Path, metavar="REPORT", help="only say whether this report is signed by --key")
    key = "the public key of the journal's seals (or the file that has it), for --verify"
    doctor.add_argument("--key", action="append", default=[], metavar="PUBLIC", help=key)
    doctor.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.doctor.machine import ThisMachine
    from firmware.runtime.doctor.round import Round, verify

    if options.verify is not None:
        return 0 if verify(options.verify, options.key, print) else REFUSED
    config = c.load_table(options.config)
    submission = c.submission(config, options.config)
    home = options.home or c.home(config, options.config)
    asked = options.questions == "yes" or (options.questions == "auto" and sys.stdin.isatty())
    os.environ.setdefault("LG_WD", str(home))  # lgpio makes pipes in its working directory
    visit = Round(config, submission, home)
    machine = ThisMachine(visit.subject, home, options.config, _ask if asked else None, options.lockout)
    return 0 if visit.make(machine, options.report, print) else 1


def _ask(question: str) -> str:
    """The line that the person at the terminal types. Raises ConfigError if nobody is there."""
    from firmware.config import ConfigError

    try:
        return input(question)
    except EOFError as error:
        raise ConfigError("--questions: nobody answers; run it in a terminal, or with --questions no") from error
