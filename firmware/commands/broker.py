"""`felt broker`: the embedded MQTT broker of a laptop."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands, host, port


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt broker`."""
    broker = commands.add_parser("broker", help="the embedded MQTT broker of a laptop (mosquitto in a casino)")
    broker.add_argument("--host", type=host, default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    broker.add_argument("--port", type=port, default=18830, help="port to listen on (default 18830)")
    broker.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware.runtime.broker import run_broker
    from hal.watchdog import Watchdog

    run_broker(options.host, options.port, Watchdog().ready)
    return 0
