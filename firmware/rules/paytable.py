"""The numbers of the four books: paytables, seeds, rates, envy, limits. They live in `books/*.toml`, each with the
paragraph it stands in and the day that took effect; this module reads them and knows what a prize is worth.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from firmware.rules.hands import HandName
from firmware.rules.money import Cents, Micros, cents, to_micros
from firmware.rules.strict import Refusal

K = TypeVar("K")
V = TypeVar("V")

BOOKS: tuple[str, ...] = ("pa-653a", "md-36.05.16", "pa-671a", "pa-677a")

ONLY = "only"
"""The name of a paytable where the book has one and leaves no choice."""

AS_SUBMITTED = "as submitted"

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
        """What is paid on top of what is returned; a fraction of a cent is cut."""
        return Cents(stake * self.win // self.on)


@dataclass(frozen=True, slots=True)
class Flat:
    """So many dollars, whatever was wagered; the stake is returned (Maryland's Super Royal, reading 14)."""

    text: str
    dollars: Cents

    def payout(self, stake: Cents) -> Cents:
        """The same for every stake."""
        return self.dollars

    @property
    def stake_returned(self) -> bool:
        """A prize in dollars is paid beside the stake."""
        return True


@dataclass(frozen=True, slots=True)
class OfMeter:
    """A percentage of what stands on a meter."""

    text: str
    percent: int
    meter: str


Prize = Odds | Flat


@dataclass(frozen=True, slots=True)
class Paytable:
    """One paytable of one wager, highest row first: `shares` of a meter, and below them `rows` at odds.

    `below`: what happens to a winning hand that has no row, "push" or "lose".
    """

    wager: str
    name: str
    title: str
    shares: Mapping[str, OfMeter]
    rows: Mapping[str, Prize]
    below: str
    cite: str
    effective: date
    expires: date | None


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """What the book says of a meter. None: the casino's submission says it (Maryland)."""

    name: str
    seed_for_one: int | None
    rate: int | None
    seed_least: Cents
    cite: str


@dataclass(frozen=True, slots=True)
class Limit:
    """The payout limit a casino may set: at least `least`, at least `times_minimum` times the table minimum.

    `covers`: the wagers it covers, in the order in which what is over comes off them (reading 11).
    """

    least: Cents
    times_minimum: int
    covers: tuple[str, ...]
    cite: str


@dataclass(frozen=True, slots=True)
class Book:
    """One rulebook's numbers. `inscriptions`: what has to be said on the layout or on a sign at the table.

    `cites`: the paragraph for every outcome that is not a prize; `voids`: for every irregularity that voids a round;
    `still_settled`: the wagers that are then settled nevertheless.
    """

    name: str
    title: str
    jurisdiction: str
    section: str
    text: str
    effective: date
    expires: date | None
    seats: int
    paytables: Mapping[str, Mapping[str, Paytable]]
    meters: Mapping[str, Mapping[str, Mapping[str, MeterTerms]]]
    envy: Mapping[Cents, Mapping[HandName, Cents]]
    envy_cite: str
    limit: Limit | None
    inscriptions: tuple[str, ...]
    inscriptions_cite: str
    cites: Mapping[str, str]
    voids: Mapping[str, str]
    still_settled: Mapping[str, frozenset[str]]

    def paytable(self, wager: str, name: str = ONLY) -> Paytable:
        """A paytable by its letter. KeyError if the book has none of that name."""
        return self.paytables[wager][name]


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
class Share:
    """A prize that is `percent` of a meter; the stake stays collected."""

    meter: str
    percent: int
    odds: str
    cite: str

    @property
    def floor(self) -> bool:
        """A share of a meter is always verified by a floorperson or above (653a.11(k)(2), (l)(2))."""
        return True


@dataclass(frozen=True, slots=True)
class Meter:
    """One meter. `seed`: micro-dollars to start and start again with; `contribution`: micro-dollars of each wager."""

    name: str
    seed: Micros
    contribution: Micros
    cite: str


@dataclass(frozen=True, slots=True)
class Progressive:
    """The progressive wager of a table: what it costs, what it pays, what feeds its meters, what envy brings."""

    wager: Cents
    paytable: str
    prizes: Mapping[HandName, Fixed | Share]
    meters: Mapping[str, Meter]
    envy: Mapping[HandName, Cents]
    envy_cite: str


@lru_cache(maxsize=len(BOOKS))
def load_book(name: str) -> Book:
    """One of `BOOKS`. Raises Refusal for any other name."""
    if name not in BOOKS:
        raise Refusal("book", f"{ascii(name)[:40]} is not a book; right would be {' or '.join(BOOKS)}")
    path = Path(__file__).with_name("books") / f"{name}.toml"
    return read_book(tomllib.loads(path.read_text(encoding="utf-8")))


def read_book(file: Mapping[str, Any]) -> Book:
    """A book from the content of its file. The books ship with the program and a test reads every number of them."""
    envy = file.get("envy", {})
    return Book(
        name=file["book"],
        title=file["title"],
        jurisdiction=file["jurisdiction"],
        section=file["section"],
        text=file["text"],
        effective=file["effective"],
        expires=file.get("expires"),
        seats=file["seats"],
        paytables=_frozen({wager: _paytables(wager, table) for wager, table in file["paytable"].items()}),
        meters=_frozen({wager: _meters(table) for wager, table in file.get("meters", {}).items()}),
        envy=_frozen({cents(wager): _envy(rows) for wager, rows in envy.items() if "." in wager}),
        envy_cite=envy.get("cite", ""),
        limit=_limit(file["limit"]) if "limit" in file else None,
        inscriptions=tuple(file["inscriptions"]["lines"]),
        inscriptions_cite=file["inscriptions"]["cite"],
        cites=_frozen(file["cites"]),
        voids=_frozen(file["voids"]),
        still_settled=_frozen({kind: frozenset(wagers) for kind, wagers in file.get("still_settled", {}).items()}),
    )


def _paytables(wager: str, file: Mapping[str, Any]) -> Mapping[str, Paytable]:
    return _frozen(
        {
            name: Paytable(
                wager=wager,
                name=name,
                title=file["title"],
                shares=_frozen({hand: read_share(text) for hand, text in rows.items() if "%" in text}),
                rows=_frozen({hand: read_prize(text) for hand, text in rows.items() if "%" not in text}),
                below=file.get("below", "lose"),
                cite=file["cite"],
                effective=file["effective"],
                expires=file.get("expires"),
            )
            for name, rows in file.items()
            if isinstance(rows, dict)
        }
    )


def _meters(file: Mapping[str, Any]) -> Mapping[str, Mapping[str, MeterTerms]]:
    return _frozen(
        {
            name: _frozen({meter: _meter_terms(meter, terms, file["cite"]) for meter, terms in meters.items()})
            for name, meters in file.items()
            if isinstance(meters, dict)
        }
    )


def _meter_terms(name: str, terms: Mapping[str, str], cite: str) -> MeterTerms:
    filed = terms["seed"] == AS_SUBMITTED
    return MeterTerms(
        name=name,
        seed_for_one=None if filed else int(terms["seed"].removesuffix(" for 1")),
        rate=None if filed else read_rate(terms["rate"]),
        seed_least=cents(terms.get("seed_least", "0.00")),
        cite=cite,
    )


def _envy(rows: Mapping[str, str]) -> Mapping[HandName, Cents]:
    return _frozen({HandName(hand): cents(bonus) for hand, bonus in rows.items()})


def _limit(file: Mapping[str, Any]) -> Limit:
    return Limit(cents(file["least"]), file["times_minimum"], tuple(file["covers"]), file["cite"])


def _frozen(content: dict[K, V]) -> Mapping[K, V]:
    return MappingProxyType(content)


def read_prize(text: str) -> Prize:
    """A prize as the books write it: `"3 to 2"`, `"300 for 1"`, `"$100000"`."""
    if text.startswith("$"):
        dollars = int(text[1:])
        return Flat(f"${dollars:,}", Cents(dollars * 100))
    win, kind, on = text.split()
    return Odds(text, int(win), int(on), stake_returned=kind == "to")


def read_share(text: str) -> OfMeter:
    """A share of a meter as the books write it: `"10% of main"`."""
    percent, meter = text.split("% of ")
    return OfMeter(text, int(percent), meter)


def read_rate(text: str) -> int:
    """A percentage with up to four decimals, `"21"` or `"0.0001"`, in millionths of the wager. Raises ValueError."""
    match = _RATE.fullmatch(text)
    rate = int(match[1]) * 10_000 + int((match[2] or "").ljust(4, "0")) if match else 0
    if not 0 < rate <= RATE_UNITS:
        raise ValueError(
            f'is {ascii(text)[:32]}; right would be a percentage above 0, at most 100, up to four decimals, like "21"'
        )
    return rate


def progressive(
    book: Book, paytable: str, wager: Cents, *, seed: Cents | None = None, rate: str | None = None
) -> Progressive:
    """The progressive wager of a book at one price.

    `paytable`: a letter in Pennsylvania, `ONLY` in Maryland, where `seed` (dollars, not times the wager) and `rate` (a
    percentage) are the casino's and have to be given. Raises KeyError for a paytable the book does not have.
    """
    table = book.paytable("progressive", paytable)
    return Progressive(
        wager=wager,
        paytable=paytable,
        prizes=prizes(table, wager),
        meters=meters(book, "progressive", paytable, wager, seed=seed, rate=rate),
        envy=book.envy[wager],
        envy_cite=book.envy_cite,
    )


def prizes(table: Paytable, wager: Cents, floor_from: int = 0) -> Mapping[HandName, Fixed | Share]:
    """What the hands of a paytable bring at one price of the wager, highest first.

    `floor_from`: the odds from which on a floorperson verifies a prize; 0: every one.
    """
    return _frozen(
        {HandName(hand): Share(of.meter, of.percent, of.text, table.cite) for hand, of in table.shares.items()}
        | {HandName(hand): fixed(prize, wager, table.cite, floor_from) for hand, prize in table.rows.items()}
    )


def fixed(prize: Prize, wager: Cents, cite: str, floor_from: int) -> Fixed:
    """One prize at odds, at one price of the wager."""
    paid = prize.payout(wager)
    return Fixed(prize.text, paid, wager if prize.stake_returned else Cents(0), cite, paid >= floor_from * wager)


def meters(
    book: Book, section: str, paytable: str, wager: Cents, *, seed: Cents | None = None, rate: str | None = None
) -> Mapping[str, Meter]:
    """The meters of a wager at one price, with their seeds and contributions in micro-dollars (reading 16)."""
    return _frozen(
        {
            name: Meter(name, _seed(terms, wager, seed), _contribution(terms, wager, rate), terms.cite)
            for name, terms in book.meters[section][paytable].items()
        }
    )


def _seed(terms: MeterTerms, wager: Cents, filed: Cents | None) -> Micros:
    if terms.seed_for_one is not None:
        return to_micros(Cents(terms.seed_for_one * wager))
    if filed is None:
        raise ValueError(f"{terms.cite}: the casino files the seed; give it")
    return to_micros(filed)


def _contribution(terms: MeterTerms, wager: Cents, filed: str | None) -> Micros:
    rate = terms.rate
    if rate is None:
        if filed is None:
            raise ValueError(f"{terms.cite}: the casino files the rate; give it")
        rate = read_rate(filed)
    return Micros(to_micros(wager) * rate // RATE_UNITS)
