"""The options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from firmware.config import LinkConfig

PORT_MOST = 65535
Server = TypeVar("Server")

Commands = argparse._SubParsersAction  # argparse has no public name for what add_subparsers gives


def port(text: str) -> int:
    """The number of a port, 0 for any."""
    if not text.isascii() or not text.isdecimal() or len(text) > 5 or int(text) > PORT_MOST:
        raise argparse.ArgumentTypeError(f"{text!r}; a port is 0 to {PORT_MOST}")
    return int(text)


def host(text: str) -> str:
    """An address or a name that a machine can have."""
    try:
        text.encode("idna")
    except UnicodeError as error:
        raise argparse.ArgumentTypeError(f"{text!a} is no address of a machine; 0.0.0.0 means all of them") from error
    return text


def add_address(parser: argparse.ArgumentParser, what: str, number: int) -> None:
    """The address at which a process serves `what` over HTTP."""
    parser.add_argument("--host", type=host, default="127.0.0.1", help=f"address of {what} (default 127.0.0.1)")
    parser.add_argument("--port", type=port, default=number, help=f"port of {what} (default {number}, 0: any)")


def served(options: argparse.Namespace, make: Callable[[str, int], Server]) -> Server:
    """The server at the address that `add_address` was given. Raises ConfigError where the port cannot be had."""
    from firmware.config import ConfigError

    try:
        return make(options.host, options.port)
    except OSError as error:
        said = f"--port: {options.host}:{options.port}: {error.strerror}; choose another"
        raise ConfigError(said) from error


def add_config(parser: argparse.ArgumentParser, name: str) -> None:
    """The option that says where a process finds its configuration, journal and sockets."""
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"a {name}; without one, the simulation's defaults")
    parser.add_argument("--home", type=Path, metavar="DIR", help="folder of journal and sockets instead of the file's")


def add_again(parser: argparse.ArgumentParser, file: str, folder: str) -> None:
    """Both options after a second word too, where they may stand as well."""
    for name, kind, what in (("--config", "FILE", file), ("--home", "DIR", folder)):
        parser.add_argument(name, type=Path, metavar=kind, default=argparse.SUPPRESS, help=what)


def add_trusted(parser: argparse.ArgumentParser) -> None:
    """The options for a key and a checkpoint that were kept elsewhere."""
    key = "the public key that signed the seals (or the file that has it); again where there was more than one"
    parser.add_argument("--key", action="append", default=[], metavar="PUBLIC", help=key)
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="a checkpoint that was kept: is it in there?")


def add_link(parser: argparse.ArgumentParser) -> None:
    """The broker, where it is not the configured one."""
    parser.add_argument("--broker", metavar="URL", help="mqtt://HOST:PORT or mqtts://HOST:PORT instead of the file's")


def broker_of(config: LinkConfig, options: argparse.Namespace) -> LinkConfig:
    """The link as it is configured, over the broker that `add_link` was given."""
    import msgspec

    return msgspec.structs.replace(config, broker=options.broker) if options.broker else config
