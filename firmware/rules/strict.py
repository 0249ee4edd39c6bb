"""Reading what others wrote: every value has a place, and what is wrong there is said once, with the remedy.

A place is a dotted path, `seats.3.wagers.blind` or `cards.board.3`, as the person who wrote the file would find it. The
functions take the place of the object and the key inside it apart, so that no path is put together for what is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from firmware.rules.cards import CardError, parse_card
from firmware.rules.message import NOTHING, Message
from firmware.rules.money import Cents, cents

Parsed = TypeVar("Parsed")

SHOWN_MAX = 40
"""So much of a wrong value is repeated in a refusal; a whole deck or a megabyte is not."""


class Refusal(ValueError):
    """A submission or a round that the book does not allow. `at`: the place, or None where there is none. `said`: the same
    for the dealer's glass, where a dealer can come upon it.
    """

    def __init__(self, at: str | None, text: str, said: Message = NOTHING) -> None:
        super().__init__(f"{at}: {text}" if at else text)
        self.at = at
        self.text = text
        self.said = said


class Keys:
    """The keys an object must and may have."""

    __slots__ = ("allowed", "must", "names", "required")

    def __init__(self, *required: str, optional: Collection[str] = ()) -> None:
        self.required, self.must = required, frozenset(required)
        self.allowed = self.must.union(optional)
        self.names = ", ".join(dict.fromkeys([*required, *optional]))


def shown(value: object) -> str:
    """The value as one short line of ASCII, fit for an error message."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return ascii(value) if len(value) <= SHOWN_MAX else f"{value[:SHOWN_MAX]!a} and more"
    return ascii(value) if value is None or isinstance(value, bool) else f"a {type(value).__name__}"


def under(at: str, key: object) -> str:
    """The place of `key` inside the place `at` (the empty place is the whole file)."""
    name = str(key)
    if not (name.isascii() and name.isprintable() and name and len(name) <= SHOWN_MAX):
        name = shown(name)
    return f"{at}.{name}" if at else name


def fields(value: object, at: str, keys: Keys) -> Mapping[str, object]:
    """The object at a place, with all its required keys and no unknown one. Raises Refusal."""
    if type(value) is not dict and not isinstance(value, Mapping):
        wanted = f"is {shown(value)}; an object with {keys.names or 'no keys'} is wanted"
        raise Refusal(at, wanted) if at else Refusal(None, f"this {wanted}")
    if not value.keys() <= keys.allowed:
        stranger = next(key for key in value if key not in keys.allowed)
        raise Refusal(
            under(at, stranger), f"is not a key here; {f'allowed: {keys.names}' if keys.names else 'none is'}"
        )
    if not keys.must <= value.keys():
        missing = next(key for key in keys.required if key not in value)
        raise Refusal(under(at, missing), "is missing; add it")
    return value


def text(value: object, at: str, key: str, allowed: Collection[str]) -> str:
    """A string out of a short list. Raises Refusal."""
    if type(value) is not str or value not in allowed:
        raise Refusal(under(at, key), f"is {shown(value)}; right would be {' or '.join(allowed)}")
    return value


def flag(value: object, at: str, key: str) -> bool:
    """True or false. Raises Refusal."""
    if type(value) is not bool:
        raise Refusal(under(at, key), f"is {shown(value)}; right would be true or false")
    return value


def whole(value: object, at: str, key: str, least: int, most: int) -> int:
    """A whole number between two bounds. Raises Refusal."""
    if type(value) is not int or not least <= value <= most:
        # A number of four thousand digits is an int as well, so only a short one is repeated.
        wrong = str(value) if type(value) is int and abs(value) < 10**9 else shown(value)
        raise Refusal(under(at, key), f"is {wrong}; right would be a whole number from {least} to {most}")
    return value


def parsed(parse: Callable[[object], Parsed], value: object, at: str, key: object) -> Parsed:
    """The result of `parse` for a value; its ValueError becomes a Refusal that names the place."""
    try:
        return parse(value)
    except ValueError as wrong:
        raise Refusal(under(at, key), str(wrong)) from None


def amount(value: object, at: str, key: str) -> Cents:
    """Money in cents, above zero. Raises Refusal."""
    read = parsed(cents, value, at, key)
    if not read:
        raise Refusal(under(at, key), "is 0.00; an amount above 0.00 is wanted, or leave it out")
    return read


def cards(value: object, at: str, key: str, least: int, most: int) -> tuple[str, ...]:
    """Between `least` and `most` cards. Raises Refusal."""
    wanted = f"{most} cards" if least == most else f"{least} to {most} cards"
    if not isinstance(value, list | tuple):
        raise Refusal(under(at, key), f"is {shown(value)}; a list of {wanted} is wanted")
    if not least <= len(value) <= most:
        raise Refusal(under(at, key), f"holds {len(value)} cards; {wanted} are wanted")
    try:
        return tuple([parse_card(one) for one in value])
    except CardError:
        return tuple([parsed(parse_card, one, under(at, key), place) for place, one in enumerate(value)])
