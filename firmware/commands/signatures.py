"""People sign at a terminal: a badge and a PIN each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.config import PersonConfig
    from firmware.rules.approvals import Act
    from firmware.runtime.adoption import Signature
    from firmware.runtime.tries import Tries


def signed_by_two(people: Sequence[PersonConfig], path: Path, act: Act) -> tuple[Signature, Signature]:
    """Two different people who sign for this, each with the right PIN, at this ledger or journal. Raises ConfigError."""
    from firmware.config import ConfigError
    from firmware.runtime.adoption import unsigned

    signed: list[Signature] = []
    for who in ("First person", "Second person"):
        one, first = _typed(who), signed[0].badge if signed else ""
        if why := unsigned(people, act, one, first, tries_at(path), print):
            raise ConfigError(why)
        signed.append(one)
    return signed[0], signed[1]


def signed_by_one(people: Sequence[PersonConfig], path: Path, act: Act, meant: str) -> Signature:
    """Somebody who signs for this, with the right PIN. Raises ConfigError."""
    from firmware.config import ConfigError
    from firmware.rules.approvals import APPROVALS

    signed = _typed(meant.capitalize())
    person = next((one for one in people if one.badge == signed.badge and one.role in APPROVALS[act].roles), None)
    why, told = tries_at(path).refusal(person, signed.pin) if person else (f"badge {signed.badge!r} is none", "")
    if told:
        print(told)
    if why:
        raise ConfigError(f"not signed: {why}; it takes a {meant}")
    return signed


def _typed(who: str) -> Signature:
    """A badge and a PIN, which is not seen. Raises ConfigError."""
    from firmware.runtime.adoption import Signature

    return Signature(as_text(lambda: input(f"{who}, badge: ")).strip(), typed_pin("PIN: "))


def typed_pin(prompt: str) -> str:
    """A line that is typed and not shown. Raises ConfigError."""
    from getpass import getpass

    return as_text(lambda: getpass(prompt))


def as_text(ask: Callable[[], str]) -> str:
    """The typed line; a terminal may send any bytes. Raises ConfigError."""
    from firmware.config import ConfigError

    try:
        typed = ask()
        typed.encode()
    except UnicodeError as error:
        raise ConfigError("a byte that was typed is not UTF-8; begin again") from error
    return typed


def tries_at(path: Path) -> Tries:
    """The wrong PINs at the commands for this ledger or journal."""
    from firmware.runtime.adoption import LEDGER, UNLOCK
    from firmware.runtime.tries import Tries

    return Tries(path, UNLOCK if path.name == LEDGER else "felt table unlock")
