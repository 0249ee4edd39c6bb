"""Paytables, their prizes, and what a wager of one price wins and feeds. The numbers are the books' (`book`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

from firmware.rules.hands import HandName
from firmware.rules.money import Cents, Micros, cut_to_cents

ONLY = "only"
"""The name of a paytable where the book has one and leaves no choice."""
RESERVE = "_reserve"
"""The end of a reserve's name, and of no other meter's: another meter starts again with it, instead of its seed."""

WHOLE = 100
"""Percent."""

RATE_UNITS = 1_000_000
"""A rate is kept in millionths of the wager: 21 % is 210000, and four decimals of a percent are exact."""

_RATE = re.compile(r"(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class Odds:
    """`"3 to 2"` or `"300 for 1"`: `win` for every `on` wagered. At odds "for" the stake stays with the house."""

    text: str
    win: int
    on: int
    stake_returned: bool

    def payout(self, stake: Cents) -> Cents:
        """The payment on top of the returned stake; a fraction of a cent is cut."""
        return Cents(stake * self.win // self.on)


@dataclass(frozen=True, slots=True)
class Flat:
    """A fixed sum in dollars for any wager; the stake is returned (Maryland's Super Royal, reading 14)."""

    text: str
    dollars: Cents

    def payout(self, stake: Cents) -> Cents:
        """The same for every stake."""
        return self.dollars

    @property
    def stake_returned(self) -> bool:
        """A prize in dollars is paid beside the stake."""
        return True


Prize = Odds | Flat


@dataclass(frozen=True, slots=True)
class Share:
    """A prize that is `percent` of a meter; the stake stays collected."""

    meter: str
    percent: int
    odds: str
    cite: str

    def part(self, stands: Micros, shares: int = 1) -> Cents:
        """One of `shares` equal parts of a meter that stands so, cut to whole cents; the rest stays on it."""
        return Cents(cut_to_cents(Micros(stands * self.percent // WHOLE)) // shares)

    def frozen(self, stands: Micros, shares: int) -> Cents:
        """The sum of `shares` equal parts of a meter that stands so."""
        return Cents(self.part(stands, shares) * shares)

    def most(self, stands: Cents) -> Cents:
        """The highest sum of all parts of a meter that never stood higher."""
        return Cents(stands * self.percent // WHOLE)

    @property
    def whole(self) -> bool:
        """It takes all that is on the meter, which then starts again."""
        return self.percent == WHOLE

    @property
    def floor(self) -> bool:
        """A share of a meter is always verified by a floorperson or above (653a.11(k)(2), (l)(2))."""
        return True


@dataclass(frozen=True, slots=True)
class Paytable:
    """One paytable of one wager, highest row first: `shares` of a meter, and below them `rows` at odds.

    `below`: what happens to a winning hand that has no row, "push" or "lose". `floor_from`: the odds from which on a
    floorperson or above verifies a prize that has one price; 0: every one.
    """

    wager: str
    name: str
    title: str
    shares: Mapping[str, Share]
    rows: Mapping[str, Prize]
    below: str
    cite: str
    effective: date
    expires: date | None
    floor_from: int = 0


@dataclass(frozen=True, slots=True)
class Fixed:
    """A prize at odds of a wager that has one price. `amount`: what is paid for it, `returned`: the stake, at odds "to".

    `floor`: a floorperson or above has to verify it: every progressive prize (653a.11(k)(2)), but not every one of the
    Five Card Hand bonus (653a.11(l)(2)).
    """

    odds: str
    amount: Cents
    returned: Cents
    cite: str
    floor: bool = True


@dataclass(frozen=True, slots=True)
class Meter:
    """One meter. `seed`: micro-dollars to start and start again with; `contribution`: micro-dollars of each wager.

    `reserve`: the meter whose amount it starts again with instead, "" for none.
    """

    name: str
    seed: Micros
    contribution: Micros
    cite: str
    reserve: str = ""


@dataclass(frozen=True, slots=True)
class MeterOffer:
    """A wager with a meter as a table offers it: what it costs, what it pays, which meters it feeds, what envy brings.

    `book`: whose game says what the cards of a hand make. `envy`: {} where none follows from it. `drawn`: what a bonus that
    is drawn brings beside it (Magic Card, Lucky Bonus), each where it is offered.
    """

    book: str
    wager: Cents
    paytable: str
    prizes: Mapping[HandName, Fixed | Share]
    meters: Mapping[str, Meter]
    envy: Mapping[HandName, Cents]
    envy_cite: str
    drawn: Mapping[str, Fixed]

    @property
    def amounts(self) -> tuple[Cents, ...]:
        """The amounts that a player may wager: the price of the rules submission, which the books post as one."""
        return (self.wager,)

    def wagered(self, chips: Sequence[int]) -> Cents | None:
        """The amount that chips on the wagering device wager, in cents; None: those chips are no such wager.

        One value chip of an amount that may be wagered (653a.7(d)(3)), since chips are counted against wagers
        (653a.8(b)). `chips`: the worth of each; () where a sensor tells none, which is the wager if there is but one.
        """
        if not chips:
            return self.amounts[0] if len(self.amounts) == 1 else None
        return next((amount for amount in self.amounts if tuple(chips) == (amount,)), None)


def read_prize(text: str) -> Prize:
    """A prize as the books write it: `"3 to 2"`, `"300 for 1"`, `"$100000"`."""
    if text.startswith("$"):
        dollars = int(text[1:])
        return Flat(f"${dollars:,}", Cents(dollars * 100))
    win, kind, on = text.split()
    return Odds(text, int(win), int(on), stake_returned=kind == "to")


def read_paytable(wager: str, name: str, rows: Mapping[str, str], said: Mapping[str, Any]) -> Paytable:
    """A paytable as the books write it, a share of a meter as `"10% of main"`. `said`: what holds for all of a wager."""
    shares = {hand: text.split("% of ") for hand, text in rows.items() if "%" in text}
    return Paytable(
        wager=wager,
        name=name,
        shares={hand: Share(meter, int(part), rows[hand], said["cite"]) for hand, (part, meter) in shares.items()},
        rows={hand: read_prize(text) for hand, text in rows.items() if hand not in shares},
        **said,
    )


def read_rate(text: object) -> int:
    """A percentage with up to four decimals, `"21"` or `"0.0001"`, in millionths of the wager. Raises ValueError."""
    if type(text) is not str:
        raise ValueError('is not a string; the rate is a percentage like "21"')
    match = _RATE.fullmatch(text)
    rate = int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0")) if match else 0
    if not 0 < rate <= RATE_UNITS:
        raise ValueError(
            f'is {ascii(text)[:32]}; right would be a percentage above 0, at most 100, up to four decimals, like "21"'
        )
    return rate


def prizes(table: Paytable, wager: Cents) -> Mapping[HandName, Fixed | Share]:
    """The prizes of a paytable at one price of the wager, highest first."""
    return MappingProxyType(
        {HandName(hand): share for hand, share in table.shares.items()}
        | {HandName(hand): fixed(table, hand, wager) for hand in table.rows}
    )


def fixed(table: Paytable, row: str, wager: Cents) -> Fixed:
    """One prize at odds, at one price of the wager."""
    prize = table.rows[row]
    paid, returned = prize.payout(wager), wager if prize.stake_returned else Cents(0)
    return Fixed(prize.text, paid, returned, table.cite, paid >= table.floor_from * wager)
