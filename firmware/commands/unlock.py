"""`felt table unlock` and `felt bank unlock`: a badge that had ten wrong PINs at these commands."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands
from firmware.commands.signatures import signed_by_one, tries_at


def add_to(commands: Commands[argparse.ArgumentParser], journal: str) -> argparse.ArgumentParser:
    """The second word `unlock`, of this journal."""
    unlock = commands.add_parser("unlock", help="a manager unlocks a badge that had ten wrong PINs at these commands")
    unlock.add_argument("badge", help="its number")
    unlock.set_defaults(run=_run, journal=journal)
    return unlock


def _run(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.rules.approvals import MANAGER, Act

    config = c.load_table(options.config) if options.journal == "table.journal" else c.load_bank(options.config)
    path = (options.home or c.home(config, options.config)) / options.journal
    by = signed_by_one(config.people, path, Act.UNLOCK, MANAGER).badge
    count = tries_at(path).unlock(options.badge, by)
    print(
        f"badge {options.badge}: unlocked after {count} wrong PINs by badge {by}. Ask its owner whether they were his"
    )
    return 0
