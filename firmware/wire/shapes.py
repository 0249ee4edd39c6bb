"""The values of the wire. A shape reads a value strictly, writes it back, and describes itself as JSON Schema.

A shape is written once, beside the field it is of (`firmware.wire.from_table`, `from_bank`), so that reader, writer and
schema cannot disagree. Places and remedies are those of `firmware.rules.strict`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from msgspec import Struct

from firmware.rules.cards import RANKS, SUITS
from firmware.rules.money import Cents, MoneyError, cents, dollars
from firmware.rules.strict import Refusal, amount, cards, flag, shown, text, under, whole

Schema = dict[str, Any]
"""A JSON Schema, draft 2020-12."""
Definitions = dict[str, Schema]
"""`$defs`: the objects inside a message, by their names."""

NUMBER_MAX = 2**53 - 1
"""The highest whole number that every JSON library reads exactly."""
YEAR_MIN, YEAR_MAX = 2, 9998
"""The sign counts on from a time that it is told, in its own zone, and there is no year 0 or 10000."""

_LINE = r"[^\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]*"
"""No control characters, which a font cannot draw or which turn a line around, and no lone surrogates, which no file
can hold. The escapes are read alike by Python and by ECMA 262, whose regular expressions JSON Schema takes."""
_MONEY = r"(0|[1-9][0-9]{0,11})\.[0-9]{2}"
_DATE = r"([0-9]{4}-[0-9]{2}-[0-9]{2})?"
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|\+00:00)"


class Shape(Struct, frozen=True):
    """One kind of value. `at` is the place of the object that holds it, `key` its key or number there."""

    def read(self, value: object, at: str, key: object) -> Any:
        """The value as the program has it. Raises Refusal."""
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        """The value as JSON has it."""
        return value

    def schema(self, definitions: Definitions) -> Schema:
        """Its JSON Schema; the objects inside it go to `definitions`."""
        raise NotImplementedError


def whole_pattern(pattern: str) -> str:
    """A pattern for the whole of a text, as JSON Schema wants it."""
    return f"^(?:{pattern})$"


class Whole(Shape, frozen=True):
    """A whole number between two bounds."""

    least: int
    most: int

    def read(self, value: object, at: str, key: object) -> int:
        return whole(value, at, str(key), self.least, self.most)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class Word(Shape, frozen=True, dict=True):
    """A text of a pattern; `wanted` says in words what would be right."""

    pattern: str
    wanted: str

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def read(self, value: object, at: str, key: object) -> str:
        if isinstance(value, str) and self._pattern.fullmatch(value) and self.is_true(value):
            return value
        raise Refusal(under(at, key), f"is {shown(value)}; right would be {self.wanted}")

    def is_true(self, text: str) -> bool:
        """A rule for a text that no pattern can say."""
        return True

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string", "pattern": whole_pattern(self.pattern), "description": self.wanted}


class Line(Shape, frozen=True):
    """One line for people, of so many printable characters."""

    least: int
    most: int

    def read(self, value: object, at: str, key: object) -> str:
        if not isinstance(value, str) or not self.least <= len(value) <= self.most or not _PRINTABLE.fullmatch(value):
            wanted = f"wanted are {self.least} to {self.most} printable characters"
            raise Refusal(under(at, key), f"is {shown(value)}; {wanted}")
        return value

    def schema(self, definitions: Definitions) -> Schema:
        bounds = {"minLength": self.least, "maxLength": self.most}
        return {"type": "string", **bounds, "pattern": whole_pattern(_LINE)}


_PRINTABLE = re.compile(_LINE)


class Flag(Shape, frozen=True):
    """True or false."""

    def read(self, value: object, at: str, key: object) -> bool:
        return flag(value, at, str(key))

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "boolean"}


class Dollars(Shape, frozen=True):
    """Cents, written as a string of dollars. `above_zero`: 0.00 is no amount here."""

    above_zero: bool = False

    def read(self, value: object, at: str, key: object) -> Cents:
        if self.above_zero:
            return amount(value, at, str(key))
        try:
            return cents(value)
        except MoneyError as wrong:
            raise Refusal(under(at, key), str(wrong)) from None

    def write(self, value: Cents) -> str:
        return dollars(value)

    def schema(self, definitions: Definitions) -> Schema:
        money = {"type": "string", "pattern": whole_pattern(_MONEY), "description": 'dollars, like "15.00"'}
        return {**money, "not": {"const": "0.00"}} if self.above_zero else money


class Moment(Word, frozen=True):
    """A time of day in UTC. It stays text: a recorder wants the text, and a program that counts from it parses."""

    pattern: str = _MOMENT
    wanted: str = 'a time like "2026-11-21T14:07:05.123Z"'

    def is_true(self, text: str) -> bool:
        return is_a_day(text)


class Day(Word, frozen=True):
    """A date of the calendar, as text, or "" for none."""

    pattern: str = _DATE
    wanted: str = 'a date like "2026-11-21", or ""'

    def is_true(self, text: str) -> bool:
        return not text or is_a_day(text)


def is_a_day(moment: str) -> bool:
    """There is such a day and such a minute, and it can be counted on from."""
    try:
        return YEAR_MIN <= datetime.fromisoformat(moment).year <= YEAR_MAX
    except ValueError:  # a 31st of June
        return False


class Hand(Shape, frozen=True):
    """Different cards, as many as make a hand of some game: from `least` to `most`."""

    least: int
    most: int

    def read(self, value: object, at: str, key: object) -> tuple[str, ...]:
        read = cards(value, at, str(key), self.least, self.most)
        if len(set(read)) != len(read):
            raise Refusal(under(at, key), "hold a card twice; different cards are wanted")
        return read

    def write(self, value: tuple[str, ...]) -> list[str]:
        return list(value)

    def schema(self, definitions: Definitions) -> Schema:
        card = {"type": "string", "pattern": whole_pattern(f"[{RANKS}][{SUITS}]")}
        return {"type": "array", "items": card, **_bounds(self.least, self.most), "uniqueItems": True}


class Enumerated(Shape, frozen=True):
    """One of the values of an enumeration; not `silent`, which is said by leaving the key out."""

    kind: type[StrEnum]
    silent: StrEnum | None = None

    @property
    def _allowed(self) -> list[str]:
        return [one.value for one in self.kind if one is not self.silent]

    def read(self, value: object, at: str, key: object) -> StrEnum:
        return self.kind(text(value, at, str(key), self._allowed))

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string", "enum": self._allowed}


class Constant(Shape, frozen=True):
    """Always the same: true, or a short text."""

    value: bool | str

    def read(self, value: object, at: str, key: object) -> bool | str:
        if value is not self.value and (isinstance(self.value, bool) or value != self.value):
            raise Refusal(under(at, key), f"is {shown(value)}; right would be {shown(self.value)}")
        return self.value

    def schema(self, definitions: Definitions) -> Schema:
        return {"const": self.value}


class Several(Struct, frozen=True):
    """The mark of a list: how many, and whether they ascend."""

    least: int
    most: int
    ascending: bool = False


class Items(Shape, frozen=True):
    """A list, every entry of one shape."""

    of: Shape
    several: Several

    def read(self, value: object, at: str, key: object) -> tuple[Any, ...]:
        several = self.several
        if not isinstance(value, list) or not several.least <= len(value) <= several.most:
            raise wrong_length(value, under(at, key), several.least, several.most)
        inside = under(at, key)
        read = tuple(self.of.read(one, inside, place) for place, one in enumerate(value))
        if several.ascending and list(read) != sorted(set(read)):
            raise Refusal(inside, "are not ascending; name every seat once, the lowest first")
        return read

    def write(self, value: tuple[Any, ...]) -> list[Any]:
        return [self.of.write(one) for one in value]

    def schema(self, definitions: Definitions) -> Schema:
        items = {"type": "array", "items": self.of.schema(definitions)}
        return {**items, **_bounds(self.several.least, self.several.most), "uniqueItems": self.several.ascending}


def wrong_length(value: object, place: str, least: int, most: int) -> Refusal:
    """A list that is none, is too short or too long."""
    return Refusal(place, f"is {shown(value)}; right would be a list of {least} to {most}")


def named_twice(place: str, names: Sequence[str]) -> Refusal | None:
    """The first entry of a list at `place` whose name stands there before."""
    for at, name in enumerate(names):
        if name in names[:at]:
            return Refusal(f"{place}.{at}.name", f"is {shown(name)}, which stands there twice; once is right")
    return None


def _bounds(least: int, most: int) -> Schema:
    return {"minItems": least, "maxItems": most}


class OrNull(Shape, frozen=True):
    """Something, or null."""

    of: Shape

    def read(self, value: object, at: str, key: object) -> Any:
        return None if value is None else self.of.read(value, at, key)

    def write(self, value: Any) -> Any:
        return None if value is None else self.of.write(value)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [self.of.schema(definitions), {"type": "null"}]}
