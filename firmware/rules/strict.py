"""Reading what others wrote: every value has a place, and what is wrong there is said once, with the remedy.

A place is a dotted path, `seats.3.wagers.blind` or `cards.board.3`, as the person who wrote the file would find it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from firmware.rules.cards import CardError, parse_card
from firmware.rules.money import Cents, Micros, MoneyError, cents, micros

SHOWN_MAX = 40
"""So much of a wrong value is repeated in a refusal; a whole deck or a megabyte is not."""


class Refusal(ValueError):
    """A submission or a round that the book does not allow. `at`: the place, or None where there is none."""

    def __init__(self, at: str | None, text: str) -> None:
        super().__init__(f"{at}: {text}" if at else text)
        self.at = at
        self.text = text


def shown(value: object) -> str:
    """The value as one short line of ASCII, fit for an error message."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    line = ascii(value[: SHOWN_MAX + 1] if isinstance(value, str) else value)
    return line if len(line) <= SHOWN_MAX else f"{line[:SHOWN_MAX]}…".encode("ascii", "replace").decode()


def under(at: str, key: object) -> str:
    """The place of `key` inside the place `at` (the empty place is the whole file)."""
    name = str(key)
    if not (name.isascii() and name.isprintable() and len(name) <= SHOWN_MAX):
        name = shown(name)
    return f"{at}.{name}" if at else name


def fields(value: object, at: str, required: Collection[str], optional: Collection[str] = ()) -> Mapping[str, object]:
    """The object at a place, with all its required keys and no unknown one. Raises Refusal."""
    if not isinstance(value, Mapping):
        raise Refusal(at or None, f"is {shown(value)}; an object with {_names([*required, *optional])} is wanted")
    for key in value:
        if key not in required and key not in optional:
            known = _names([*required, *optional])
            raise Refusal(under(at, key), f"is not a key here; {f'allowed are {known}' if known else 'none is'}")
    for key in required:
        if key not in value:
            raise Refusal(under(at, key), "is missing; add it")
    return value


def _names(keys: Collection[str]) -> str:
    return ", ".join(keys)


def text(value: object, at: str, allowed: Collection[str]) -> str:
    """A string out of a short list. Raises Refusal."""
    if type(value) is not str or value not in allowed:
        raise Refusal(at, f"is {shown(value)}; right would be {' or '.join(allowed)}")
    return value


def flag(value: object, at: str) -> bool:
    """True or false. Raises Refusal."""
    if type(value) is not bool:
        raise Refusal(at, f"is {shown(value)}; right would be true or false")
    return value


def whole(value: object, at: str, least: int, most: int) -> int:
    """A whole number between two bounds. Raises Refusal."""
    if type(value) is not int or not least <= value <= most:
        raise Refusal(at, f"is {shown(value)}; right would be a whole number from {least} to {most}")
    return value


def amount(value: object, at: str) -> Cents:
    """Money in cents, above zero. Raises Refusal."""
    try:
        read = cents(value)
    except MoneyError as wrong:
        raise Refusal(at, str(wrong)) from None
    if not read:
        raise Refusal(at, "is 0.00; an amount above 0.00 is wanted, or leave it out")
    return read


def meter_amount(value: object, at: str) -> Micros:
    """What stands on a meter, in micro-dollars. Raises Refusal."""
    try:
        return micros(value)
    except MoneyError as wrong:
        raise Refusal(at, str(wrong)) from None


def card(value: object, at: str) -> str:
    """One card. Raises Refusal."""
    try:
        return parse_card(value)
    except CardError as wrong:
        raise Refusal(at, str(wrong)) from None


def card_list(value: object, at: str, least: int, most: int) -> tuple[str, ...]:
    """Between `least` and `most` cards. Raises Refusal."""
    wanted = f"{most} cards" if least == most else f"{least} to {most} cards"
    if not isinstance(value, list | tuple):
        raise Refusal(at, f"is {shown(value)}; a list of {wanted} is wanted")
    if not least <= len(value) <= most:
        raise Refusal(at, f"holds {len(value)} cards; {wanted} are wanted")
    return tuple([card(one, f"{at}.{place}") for place, one in enumerate(value)])
