"""`felt mirror`: the values of a bank for other programs."""

from __future__ import annotations

import argparse
import re

from firmware.commands.options import Commands, add_address, add_config, add_link, broker_of, served

_PREFIX = re.compile(r"(?!felt(-view)?(/|$))[A-Za-z0-9_-]{1,32}(/[A-Za-z0-9_-]{1,32}){0,3}")


def prefix(text: str) -> str:
    """The first levels of Home Assistant's topics: never those under which Felt itself speaks."""
    if not _PREFIX.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!a} is no prefix of topics; Home Assistant's own is homeassistant")
    return text


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt mirror`."""
    mirror = commands.add_parser("mirror", help="meters and tables for other programs: flat topics and /metrics")
    add_config(mirror, "bank.toml")
    add_link(mirror)
    add_address(mirror, "/metrics", 8654)
    mirror.add_argument(
        "--home-assistant",
        type=prefix,
        metavar="PREFIX",
        help="tell Home Assistant of the values, under its prefix (homeassistant)",
    )
    mirror.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    import secrets

    from firmware import config as c
    from firmware.commands.version import version
    from firmware.runtime.link import Link
    from firmware.runtime.metrics import Metrics
    from firmware.runtime.mirror import Ear, MirrorService, asked, farewell
    from firmware.runtime.stopping import until_signalled
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog

    config = c.load_bank(options.config)
    inbox = Inbox(0)
    ear = Ear(config.id, inbox.put, lambda: config.link.bank_key)
    name = f"felt-mirror-{secrets.token_hex(4)}"
    link = Link(
        broker_of(config.link, options), name, asked(config.id), ear.arrived, lambda: farewell(config.id), lasting=False
    )
    service = MirrorService(
        config.id,
        c.gaming_day(config),
        inbox,
        link,
        served(options, lambda host, port: Metrics(host, port, config.id)),
        Watchdog(),
        prefix=options.home_assistant or "",
        version=version(),
    )
    until_signalled(service.stop)
    service.run()
    return 0
