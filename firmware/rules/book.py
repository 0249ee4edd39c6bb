"""A rulebook as it is read from its game's folder: the numbers, each with the paragraph it stands in, the wagers and what
they depend on, and the procedures. Nothing is compared or paid here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

from firmware.rules.hands import RANK_OF, HandName
from firmware.rules.money import Cents, Micros, cents, to_micros
from firmware.rules.paytable import (
    ONLY,
    RATE_UNITS,
    RESERVE,
    Fixed,
    Meter,
    MeterOffer,
    Paytable,
    prizes,
    read_paytable,
    read_rate,
)
from firmware.rules.procedure import Procedure, read_procedure
from firmware.rules.wager import Wager, read_wagers

AS_SUBMITTED = "as submitted"
AS_WRITTEN = ("title", "jurisdiction", "section", "text", "effective", "seats", "cites", "voids", "order", "passes")
"""Keys that a book holds as they stand in its file."""


class MeterTerms(NamedTuple):
    """The book's terms of a meter. None: the casino's submission says it, with a seed of `seed_least` or more.

    `reserve`: the meter whose amount it starts again with, instead of its seed; "" for none.
    """

    name: str
    seed_for_one: int | None
    rate: int | None
    seed_least: Cents
    cite: str
    seed_cite: str
    reserve: str


class Limit(NamedTuple):
    """The payout limit a casino may set: at least `least`, at least `times_minimum` times the table minimum.

    `covers`: the wagers it covers, in the order in which what is over comes off them (reading 11). `per_player`: one
    limit for all boxes of a player, not one for each (677a.12(f)).
    """

    least: Cents
    times_minimum: int
    covers: tuple[str, ...]
    cite: str
    per_player: bool = False


class Qualify(NamedTuple):
    """The lowest hand with which the dealer qualifies."""

    least: str

    def by(self, hand: str) -> bool:
        """A hand of this name qualifies."""
        return RANK_OF[hand] >= RANK_OF[self.least]


class Section(NamedTuple):
    """One section of a submission. `kind`: what keys it has; `required`: there is no such table without it."""

    kind: str
    required: bool = False


class Sample(NamedTuple):
    """The game as the simulation offers it. `rules`, `shift`: submissions, of a table to look at and of the shifts.

    `plain`: of a table and a bank without a configuration; {} where no game is played without one. `rehearsal`: of the
    table that a rehearsal of this book is played on (docs/rehearse.md); {}: as `rules`. `meters`: what people read of
    the meters, in the order of their rank.
    """

    table: str
    title: str
    level: int
    rules: Mapping[str, Any]
    shift: Mapping[str, Any]
    plain: Mapping[str, Any] = MappingProxyType({})
    rehearsal: Mapping[str, Any] = MappingProxyType({})
    meters: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Book:
    """One rulebook: its numbers, its wagers, its procedures.

    `inscriptions`: words that have to stand on the layout or on a sign at the table. `order`: the wagers as they stand in a
    seat's turn. `passes`: the stages of a round, as the game names them. `general`: keys of a submission beside its
    `sections`. `qualify`: None where every dealer's hand plays.

    `cites`: the paragraph for every outcome that is not a prize; `voids`: for every irregularity that voids a round;
    `still_settled`: the wagers that are still settled then.
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
    wagers: Mapping[str, Wager]
    order: tuple[str, ...]
    passes: tuple[str, ...]
    qualify: Qualify | None
    general: tuple[str, ...]
    sections: Mapping[str, Section]
    procedure: Procedure
    sample: Sample

    def envied(self, section: str) -> bool:
        """Envy follows from the wager of this section."""
        return any(wager.envied for wager in self.wagers.values() if wager.section == section)

    def paytable(self, wager: str, name: str = ONLY) -> Paytable:
        """A paytable by its letter. KeyError if the book has none of that name."""
        return self.paytables[wager][name]


def frozen(content: Any) -> Any:
    """The content of a TOML file, read-only: tables that nobody can write to, and tuples."""
    if isinstance(content, dict):
        return MappingProxyType({key: frozen(value) for key, value in content.items()})
    return tuple(content) if isinstance(content, list) else content


def read_book(file: Mapping[str, Any]) -> Book:
    """A book from the content of its file. The books ship with the program and a test reads every number of them.

    Raises KeyError, TypeError or ValueError for what is missing, unknown or impossible in it.
    """
    said = frozen(file)
    envy = said.get("envy", {})
    wagers = read_wagers(said["wager"])
    return Book(
        **{key: said[key] for key in AS_WRITTEN},
        name=said["book"],
        expires=said.get("expires"),
        paytables=frozen({wager: _paytables(wager, table) for wager, table in said["paytable"].items()}),
        meters=frozen({wager: _meters(table) for wager, table in said.get("meters", {}).items()}),
        envy=frozen({cents(wager): _envy(rows) for wager, rows in envy.items() if "." in wager}),
        envy_cite=envy.get("cite", ""),
        limit=Limit(**{**said["limit"], "least": cents(said["limit"]["least"])}) if "limit" in said else None,
        inscriptions=said["inscriptions"]["lines"],
        inscriptions_cite=said["inscriptions"]["cite"],
        still_settled=frozen({kind: frozenset(still) for kind, still in said.get("still_settled", {}).items()}),
        wagers=wagers,
        qualify=Qualify(**said["qualify"]) if "qualify" in said else None,
        general=said["submission"]["general"],
        sections=frozen({name: Section(**terms) for name, terms in said["submission"]["sections"].items()}),
        procedure=read_procedure(said["procedure"]),
        sample=Sample(**file["sample"]),
    )


def _paytables(wager: str, file: Mapping[str, Any]) -> Mapping[str, Paytable]:
    said = {"below": "lose", "expires": None} | {key: text for key, text in file.items() if not _is_table(text)}
    return {name: read_paytable(wager, name, rows, said) for name, rows in file.items() if _is_table(rows)}


def _is_table(content: object) -> bool:
    return isinstance(content, Mapping)


def _meters(file: Mapping[str, Any]) -> Mapping[str, Mapping[str, MeterTerms]]:
    return {
        name: {meter: _meter_terms(meter, terms, file["cite"]) for meter, terms in meters.items()}
        for name, meters in file.items()
        if _is_table(meters)
    }


def _meter_terms(name: str, terms: Mapping[str, str], cite: str) -> MeterTerms:
    if "reserve" in terms and not terms["reserve"].endswith(RESERVE):
        raise ValueError(f"meter {name}: reserve {terms['reserve']}; right would be a name that ends with {RESERVE}")
    filed = terms["seed"] == AS_SUBMITTED
    return MeterTerms(
        name=name,
        seed_for_one=None if filed else int(terms["seed"].removesuffix(" for 1")),
        rate=None if filed else read_rate(terms["rate"]),
        seed_least=cents(terms.get("seed_least", "0.00")),
        cite=cite,
        seed_cite=terms.get("seed_cite", cite),
        reserve=terms.get("reserve", ""),
    )


def _envy(rows: Mapping[str, str]) -> Mapping[HandName, Cents]:
    return {HandName(hand): cents(bonus) for hand, bonus in rows.items()}


def meter_offer(
    book: Book,
    section: str,
    paytable: str,
    wager: Cents,
    *,
    seed: Cents | None = None,
    rate: int | None = None,
    drawn: Mapping[str, Fixed] = MappingProxyType({}),
) -> MeterOffer:
    """The wager with a meter that a section of the book offers, at one price.

    `paytable`: a letter, or `ONLY`. `seed` (dollars, not times the wager) and `rate` (in millionths of the wager) have to be
    given where they are the casino's, as in Maryland. Raises KeyError for a paytable the book does not have.
    """
    envied = book.envied(section)
    return MeterOffer(
        book=book.name,
        wager=wager,
        paytable=paytable,
        prizes=prizes(book.paytable(section, paytable), wager),
        meters=meters(book, section, paytable, wager, seed=seed, rate=rate),
        envy=book.envy[wager] if envied else MappingProxyType({}),
        envy_cite=book.envy_cite if envied else "",
        drawn=drawn,
    )


def meters(
    book: Book, section: str, paytable: str, wager: Cents, *, seed: Cents | None = None, rate: int | None = None
) -> Mapping[str, Meter]:
    """The meters of a wager at one price, with their seeds and contributions in micro-dollars (reading 16)."""
    return {
        name: Meter(name, _seed(terms, wager, seed), _contribution(terms, wager, rate), terms.cite, terms.reserve)
        for name, terms in book.meters[section][paytable].items()
    }


def _seed(terms: MeterTerms, wager: Cents, filed: Cents | None) -> Micros:
    if terms.seed_for_one is not None:
        return to_micros(Cents(terms.seed_for_one * wager))
    if filed is None:
        raise ValueError(f"{terms.cite}: the casino files the seed; give it")
    return to_micros(filed)


def _contribution(terms: MeterTerms, wager: Cents, filed: int | None) -> Micros:
    rate = filed if terms.rate is None else terms.rate
    if rate is None:
        raise ValueError(f"{terms.cite}: the casino files the rate; give it")
    return Micros(to_micros(wager) * rate // RATE_UNITS)
