"""Money: whole cents for chips, whole micro-dollars for meters. Never a fraction of either, never a float.

`Cents` and `Micros` are different types to mypy: neither can be handed over for the other, and their sum is a bare
`int` that fits nowhere until somebody says what it is. The two conversions below are the only doors between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NewType

Cents = NewType("Cents", int)
"""Hundredths of a dollar."""

Micros = NewType("Micros", int)
"""Millionths of a dollar: 21 % of a one-dollar wager is 210000."""

NO_MONEY = Cents(0)

MICROS_PER_CENT = 10_000

_CENTS = re.compile(r"(0|[1-9][0-9]{0,11})\.([0-9]{2})")
_MICROS = re.compile(r"(0|[1-9][0-9]{0,11})\.([0-9]{2,6})")


class MoneyError(ValueError):
    """Not money as the contract writes it; the text says what would be right."""


def cents(text: object) -> Cents:
    """Dollars as people write them, `"15.00"`, in cents. Raises MoneyError."""
    if type(text) is not str:
        raise MoneyError(f'is {_kind(text)}; money is a string of dollars with two decimals, like "15.00"')
    return _cents(text)


@lru_cache(maxsize=4096)
def _cents(text: str) -> Cents:
    match = _CENTS.fullmatch(text)
    if not match:
        raise MoneyError(
            f'is {_short(text)}; right would be dollars with two decimals (at most 12 digits before), like "15.00"'
        )
    return Cents(int(match[1]) * 100 + int(match[2]))


def micros(text: object) -> Micros:
    """The amount on a meter, two to six decimals, `"123.456789"`, in micro-dollars. Raises MoneyError."""
    if type(text) is not str:
        raise MoneyError(f'is {_kind(text)}; a meter is a string of dollars with two to six decimals, like "10012.34"')
    match = _MICROS.fullmatch(text)
    if not match:
        raise MoneyError(
            f'is {_short(text)}; right would be dollars with two to six decimals (12 digits before at most), "10012.34"'
        )
    return Micros(int(match[1]) * 1_000_000 + int(match[2].ljust(6, "0")))


def in_chips(amount: int, chips: Sequence[int]) -> tuple[tuple[tuple[int, int], ...], int]:
    """The fewest chips that make an amount as (how many, cents of each), largest first; and the cents that no chip makes."""
    parts = []
    for chip in chips:
        number, amount = divmod(amount, chip)
        parts += [(number, chip)] if number else []
    return tuple(parts), amount


@lru_cache(maxsize=4096)
def dollars(amount: Cents) -> str:
    """Cents as dollars: `"15.00"`."""
    return f"{amount // 100}.{amount % 100:02d}"


def in_full(amount: Cents) -> str:
    """Cents as people read an amount: `"$10,003.78"`."""
    return f"${amount // 100:,}.{amount % 100:02d}"


def meter_dollars(amount: Micros) -> str:
    """A meter as dollars, two to six decimals: `"10012.34"`, `"10000.008901"`."""
    whole, fraction = divmod(amount, 1_000_000)
    digits = f"{fraction:06d}"
    return f"{whole}.{digits[:2]}{digits[2:].rstrip('0')}"


def cut_to_cents(amount: Micros) -> Cents:
    """The whole cents in an amount; what is cut is the payer's to keep track of."""
    return Cents(amount // MICROS_PER_CENT)


def to_micros(amount: Cents) -> Micros:
    """Cents in micro-dollars, exactly."""
    return Micros(amount * MICROS_PER_CENT)


def _kind(value: object) -> str:
    return "missing" if value is None else f"a {type(value).__name__}"


def _short(text: str) -> str:
    return ascii(text if len(text) <= 32 else text[:32] + "...")
