"""`felt sign`: the overhead sign."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands, add_address, add_config, add_link, broker_of, served


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt sign`."""
    sign = commands.add_parser("sign", help="the overhead sign: a web page that follows the meters")
    add_config(sign, "bank.toml")
    add_link(sign)
    add_address(sign, "the page", 8653)
    sign.add_argument("--theme", default="", metavar="THEME", help="a folder with a theme.toml, or harbor")
    sign.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    import secrets
    import time

    from firmware import config as c
    from firmware.runtime.link import Link
    from firmware.runtime.sign import SignService
    from firmware.runtime.stopping import until_signalled
    from firmware.runtime.theme import theme
    from firmware.runtime.words import Listener
    from firmware.wire.topics import BankTopics
    from hal.debounce import Inbox
    from hal.watchdog import Watchdog
    from ui.sign.server import SignServer

    config = c.load_bank(options.config)
    topics = BankTopics(config.id)
    inbox = Inbox(0)
    edge = Listener(inbox.put, lambda: config.link.bank_key)
    heard = [(topics.meters, 1), (topics.alive, 1)]
    link = Link(broker_of(config.link, options), f"felt-sign-{secrets.token_hex(4)}", heard, edge.arrived)
    look = theme(options.theme)
    server = served(options, lambda host, port: SignServer(host, port, time.monotonic, theme=look))
    service = SignService(config.id, c.gaming_day(config), inbox, link, server, Watchdog())
    until_signalled(service.stop)
    service.run()
    return 0
