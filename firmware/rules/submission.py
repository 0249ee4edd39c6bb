"""The rules submission: what a casino files with its regulator, read strictly.

A wager without a section is not offered.
`parse_submission` takes the object of a TOML file or of a round file and either gives a `Submission` that the book
allows or a `Refusal` that names the place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from firmware.rules.book import Book, Limit, meter_offer
from firmware.rules.games import books, load_book
from firmware.rules.money import Cents, cents, dollars
from firmware.rules.paytable import ONLY, Meter, MeterOffer, Paytable, fixed, read_rate
from firmware.rules.procedure import FIVE
from firmware.rules.strict import Keys, Refusal, amount, fields, flag, parsed, text, under, whole
from firmware.rules.wager import Placed

_NO_KEYS = Keys()
_PAYTABLE = Keys("paytable")
_PROGRESSIVE = Keys("paytable", "wager")
_AS_SUBMITTED = Keys("wager", "seed", "rate")
_DRAWN_BONUSES = ("magic_card", "lucky_bonus")
_FIVE_CARD_HAND = Keys("wager", optional=_DRAWN_BONUSES)


@dataclass(frozen=True, slots=True)
class Submission:
    """The offer of one table. `paytables`: the chosen one of every wager with a choice, and those without.

    `offers`: the wagers with a meter by name, as they stand in a seat's turn; two of one section share their offer.
    `present`: the sections whose presence alone is the offer.
    `filed`: the object it was read from, as canonical JSON; `submission_hash` is taken of that.
    """

    book: Book
    table_minimum: Cents
    payout_limit: Cents | None
    adjacent_boxes: int
    paytables: Mapping[str, Paytable]
    offers: Mapping[str, MeterOffer]
    present: frozenset[str]
    filed: str

    @property
    def submission_hash(self) -> str:
        """SHA-256, in hex, of the submission's canonical JSON; the order of keys in the file does not matter."""
        return hashlib.sha256(self.filed.encode("ascii")).hexdigest()

    @property
    def meters(self) -> Mapping[str, Meter]:
        """Every meter of the table by name, in the order of its wagers."""
        return {name: meter for offer in self.offers.values() for name, meter in offer.meters.items()}

    @property
    def on_sensor(self) -> tuple[str, ...]:
        """The wagers that a chip on a sensor makes. Without one a table has no sensors, no lamps and no bank."""
        return tuple(name for name in self.offers if self.book.wagers[name].placed is Placed.SENSOR)

    @property
    def by_account(self) -> tuple[str, ...]:
        """The wagers that a button makes, from a player's account."""
        return tuple(name for name in self.offers if self.book.wagers[name].placed is Placed.ACCOUNT)

    @property
    def envied(self) -> str:
        """The wager that envy follows from, "" for none."""
        return next((name for name in self.offers if self.book.wagers[name].envied), "")

    @property
    def levels(self) -> tuple[int, ...]:
        """The assist levels that its table may have: 0 is about meters alone, and at 2 hands of five cards are entered."""
        about_meters = (0,) if self.on_sensor else ()
        return (*about_meters, 1, 2) if self.book.procedure.hand_cards == FIVE else (*about_meters, 1)

    @property
    def expires(self) -> date | None:
        """The last day of the first of its texts to lapse; None: nothing here is temporary."""
        days = [self.book.expires, *(table.expires for table in self.paytables.values())]
        return min((day for day in days if day is not None), default=None)

    def refuse_if_lapsed(self, today: date) -> None:
        """A table does not open on a text that has lapsed or is not yet in force. Raises Refusal."""
        if self.expires is not None and today > self.expires:
            raise Refusal("book", f"{self.book.name} lapsed after {self.expires}; file one under a text in force")
        starts = max([self.book.effective, *(table.effective for table in self.paytables.values())])
        if today < starts:
            raise Refusal(
                "book",
                f"{self.book.name} takes effect on {starts}; the clock says {today}; set the clock if that is wrong",
            )


def parse_submission(filed: object, at: str = "") -> Submission:
    """A submission from the object of its file. `at`: the place of that object, `rules` in a round file.

    Raises Refusal, naming the place, for everything that the contract or the book does not allow.
    """
    if not isinstance(filed, Mapping):
        filed = fields(filed, at, Keys("book", "table_minimum"))
    if "book" not in filed:
        raise Refusal(under(at, "book"), f"is missing; right would be {' or '.join(books())}")
    book = load_book(text(filed["book"], at, "book", books()))
    sections = book.sections
    required = [name for name, section in sections.items() if section.required]
    fields(filed, at, Keys("book", "table_minimum", *required, optional=[*book.general, *sections]))
    minimum = amount(filed["table_minimum"], at, "table_minimum")
    chosen = {
        wager: book.paytable(wager)
        for wager, tables in book.paytables.items()
        if ONLY in tables and wager not in sections and wager not in _DRAWN_BONUSES
    }
    offer = _Offer(book, chosen)
    for key, section in sections.items():
        if key in filed:
            _READ[section.kind](offer, key, filed[key], under(at, key))
    return Submission(
        book=book,
        table_minimum=minimum,
        payout_limit=_payout_limit(filed, at, book.limit, minimum) if book.limit and "payout_limit" in filed else None,
        adjacent_boxes=whole(filed.get("adjacent_boxes", 1), at, "adjacent_boxes", 1, book.seats),
        paytables=offer.paytables,
        offers=offer.by_wager(),
        present=frozenset(offer.present),
        filed=json.dumps(filed, sort_keys=True, separators=(",", ":"), ensure_ascii=True),
    )


@dataclass(slots=True)
class _Offer:
    """The sections that were read so far."""

    book: Book
    paytables: dict[str, Paytable]
    offers: dict[str, MeterOffer] = field(default_factory=dict)
    """By section."""
    present: set[str] = field(default_factory=set)

    def choose(self, wager: str, letter: object, at: str) -> Paytable:
        tables = self.book.paytables[wager]
        table = tables[text(letter, at, "paytable", list(tables))]
        self.paytables[wager] = table
        return table

    def by_wager(self) -> Mapping[str, MeterOffer]:
        sections = {name: self.book.wagers[name].section for name in self.book.order}
        return {name: self.offers[section] for name, section in sections.items() if section in self.offers}


def _payout_limit(filed: Mapping[str, object], at: str, terms: Limit, minimum: Cents) -> Cents:
    limit = amount(filed["payout_limit"], at, "payout_limit")
    least = Cents(max(terms.least, terms.times_minimum * minimum))
    if limit < least:
        raise Refusal(
            under(at, "payout_limit"),
            f"is {dollars(limit)}; at least {dollars(least)} is wanted, which is {dollars(terms.least)} or "
            f"{terms.times_minimum} times the table minimum ({terms.cite})",
        )
    return limit


def _paytable_only(offer: _Offer, wager: str, section: object, at: str) -> None:
    offer.choose(wager, fields(section, at, _PAYTABLE)["paytable"], at)


def _progressive(offer: _Offer, key: str, section: object, at: str) -> None:
    given = fields(section, at, _PROGRESSIVE)
    table = offer.choose(key, given["paytable"], at)
    offer.offers[key] = meter_offer(offer.book, key, table.name, _price(offer, key, given["wager"], at))


def _progressive_as_submitted(offer: _Offer, key: str, section: object, at: str) -> None:
    given = fields(section, at, _AS_SUBMITTED)
    table = offer.choose(key, ONLY, at)
    wager = _price(offer, key, given["wager"], at)
    seed = amount(given["seed"], at, "seed")
    [terms] = offer.book.meters[key][ONLY].values()
    if seed < terms.seed_least:
        wanted = f"at least {dollars(terms.seed_least)} is wanted ({terms.seed_cite})"
        raise Refusal(under(at, "seed"), f"is {dollars(seed)}; {wanted}")
    rate = parsed(read_rate, given["rate"], at, "rate")
    offer.offers[key] = meter_offer(offer.book, key, table.name, wager, seed=seed, rate=rate)


def _price(offer: _Offer, key: str, given: object, at: str) -> Cents:
    """The envy table knows two prices, so a wager that envy follows from has two (653a.12(d)(5), 36.05.16.12D(5))."""
    if not offer.book.envied(key):
        return amount(given, at, "wager")
    return cents(text(given, at, "wager", [dollars(wager) for wager in offer.book.envy]))


def _five_card_hand(offer: _Offer, key: str, section: object, at: str) -> None:
    given = fields(section, at, _FIVE_CARD_HAND)
    wager = amount(given["wager"], at, "wager")
    offered = [bonus for bonus in _DRAWN_BONUSES if flag(given.get(bonus, False), at, bonus)]
    table = offer.choose(key, ONLY, at)
    drawn = {bonus: offer.choose(bonus, ONLY, at) for bonus in offered}
    brings = {bonus: fixed(drawn[bonus], "match", wager) for bonus in offered}
    offer.offers[key] = meter_offer(offer.book, key, table.name, wager, drawn=brings)


def _present(offer: _Offer, key: str, section: object, at: str) -> None:
    fields(section, at, _NO_KEYS)
    offer.present.add(key)


_READ: Mapping[str, Callable[[_Offer, str, object, str], None]] = {
    "paytable": _paytable_only,
    "progressive": _progressive,
    "progressive as submitted": _progressive_as_submitted,
    "five card hand": _five_card_hand,
    "present": _present,
}
"""By the kind of a section."""
