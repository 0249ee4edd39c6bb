"""`felt pin`: a PIN becomes the two lines of its owner."""

from __future__ import annotations

import argparse

from firmware.commands.options import Commands
from firmware.commands.signatures import typed_pin


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt pin`."""
    pin = commands.add_parser("pin", help="read a PIN and print the two lines of it for the section of its owner")
    pin.add_argument(
        "--role",
        default="floorperson",
        choices=("dealer", "floorperson", "manager", "technician"),
        help="of its owner: who may close a claim needs six digits at least (default floorperson)",
    )
    pin.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.pins import digits_least, hash_pin

    pin, least = typed_pin("PIN: "), digits_least(options.role)
    if not (pin.isascii() and pin.isdecimal() and least <= len(pin) <= c.PIN_MAX):
        raise c.ConfigError(f"a {options.role}'s PIN is {least} to {c.PIN_MAX} digits")
    if typed_pin("The same again: ") != pin:
        raise c.ConfigError("the two PINs differ; begin again")
    print(f'pin_hash = "{hash_pin(pin)}"')
    print(f"pin_digits = {len(pin)}")
    return 0
