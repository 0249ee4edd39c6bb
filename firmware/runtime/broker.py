"""The embedded MQTT broker of a laptop: amqtt, the one door to it. A casino runs mosquitto (`systemd/mosquitto.conf`)."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from firmware.config import ConfigError


def run_broker(host: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT. Raises ConfigError where the port cannot be had, or where there is no amqtt."""
    asyncio.run(_serve(host, port, ready))


async def _serve(host: str, port: int, ready: Callable[[], None]) -> None:
    try:  # only the extra "broker" installs it
        from amqtt.broker import Broker
        from amqtt.errors import BrokerError
    except ModuleNotFoundError as error:
        remedy = "a casino runs mosquitto (systemd/mosquitto.conf), a laptop installs felt[broker] (scripts/run does)"
        raise ConfigError(f"no embedded broker here: {error}; {remedy}") from error
    broker = Broker(
        {
            "listeners": {"default": {"type": "tcp", "bind": f"{host}:{port}"}},
            "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
        }
    )
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    try:
        await broker.start()
    except (BrokerError, OSError) as error:
        raise ConfigError(f"broker: {host}:{port}: {error}; is another broker running there?") from error
    ready()
    await stopped.wait()
    await broker.shutdown()
