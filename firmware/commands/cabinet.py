"""`felt cabinet`: the simulated world of a table."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands, add_config


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt cabinet`."""
    cabinet = commands.add_parser("cabinet", help="the simulated world: chips, lockout, lamps, shuffler")
    add_config(cabinet, "table.toml")
    cabinet.add_argument("--seed", type=int, default=0, help="of the contacts' bounce")
    cabinet.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    import threading

    from firmware import config as c
    from firmware.runtime.stopping import until_signalled
    from firmware.table.procedures import AUTOMATED, COUNTS, RESHUFFLES
    from firmware.table.state import HANDS
    from hal.cabinet.cabinet import Cabinet
    from hal.watchdog import Watchdog

    config = c.load_table(options.config)
    home = options.home or c.home(config, options.config)
    submission = c.submission(config, options.config)
    stop = threading.Event()
    cabinet = Cabinet(
        home,
        config.seats.count,
        options.seed,
        sensors=len(submission.on_sensor),
        buttons=HANDS if submission.by_account else (),
        counts=config.dealing.shuffler in (COUNTS, RESHUFFLES),
        shoe=config.dealing.method == AUTOMATED,
    )
    until_signalled(stop.set)
    cabinet.run(stop, Watchdog().ready)
    return 0
