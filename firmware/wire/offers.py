"""The wagers and meters that a table and its bank play, said with every `alive` and compared before a lamp is lit
(docs/mqtt.md)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Annotated, TypeVar

from msgspec import Struct

from firmware.rules.money import Micros, cut_to_cents, dollars, meter_dollars
from firmware.rules.paytable import MeterOffer
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission
from firmware.wire.records import Record
from firmware.wire.shapes import Several, named_twice
from firmware.wire.values import (
    METER_WAGERS_MAX,
    METERS_MAX,
    Amount,
    Count,
    MeterName,
    PaytableName,
    Reason,
    Wager,
    WagerName,
)


class MeterOffered(Record, frozen=True):
    """A meter: what it starts with, in cents, and what each wager puts there, in whole micro-dollars."""

    name: MeterName
    seed: Amount
    feeds: Count


class WagerOffered(Record, frozen=True):
    """A wager with a meter: its name, its posted price in cents, its paytable."""

    name: WagerName
    wager: Wager
    paytable: PaytableName


class Offer(Record, frozen=True):
    """The program's version, the book, the wagers with a meter and the meters, each in the order of a seat's turn."""

    program: Reason
    book: Reason
    wagers: Annotated[tuple[WagerOffered, ...], Several(1, METER_WAGERS_MAX)]
    meters: Annotated[tuple[MeterOffered, ...], Several(1, METERS_MAX)]

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """No wager and no meter stands twice."""
        wagers, meters = ([one.name for one in listed] for listed in (self.wagers, self.meters))
        return named_twice("wagers", wagers) or named_twice("meters", meters)


def offer_of(submission: Submission, program: str) -> Offer | None:
    """The offer of this submission for its meters. None if no sensor makes such a wager: then there is no bank."""
    if not submission.on_sensor:
        return None
    return Offer(
        program=program,
        book=submission.book.name,
        wagers=wagers_offered(submission.offers),
        meters=tuple(
            MeterOffered(one.name, cut_to_cents(one.seed), one.contribution) for one in submission.meters.values()
        ),
    )


def wagers_offered(offers: Mapping[str, MeterOffer]) -> tuple[WagerOffered, ...]:
    """The wagers with a meter of a submission, as table and bank say them."""
    return tuple(WagerOffered(name, offer.wager, offer.paytable) for name, offer in offers.items())


class Difference(Struct, frozen=True):
    """A difference between two offers ("program", "book", "wagers", "wager", "paytable", "meters", "seed", "rate").

    `ours` and `theirs` are as people read them; `of`: the wager or the meter that it is about, "" for none.
    """

    what: str
    ours: str
    theirs: str
    of: str = ""

    @property
    def named(self) -> str:
        """In what they differ, for a log."""
        return f"{self.what} of {self.of}" if self.of else self.what


def differences(ours: Offer, theirs: Offer) -> Iterator[Difference]:
    """All in which two offers differ, the book first: the rest follows from it."""
    pairs = (
        Difference("book", ours.book, theirs.book),
        Difference("wagers", *(_names(offer.wagers) for offer in (ours, theirs))),
        *_of_each(ours.wagers, theirs.wagers, {"wager": _price, "paytable": lambda offered: offered.paytable}),
        Difference("meters", *(_names(offer.meters) for offer in (ours, theirs))),
        Difference("program", ours.program, theirs.program),
        *_of_each(ours.meters, theirs.meters, {"seed": lambda meter: dollars(meter.seed), "rate": _rate}),
    )
    yield from (pair for pair in pairs if pair.ours != pair.theirs)


T = TypeVar("T", MeterOffered, WagerOffered)


def _of_each(ours: Iterable[T], theirs: Iterable[T], read: Mapping[str, Callable[[T], str]]) -> Iterator[Difference]:
    """Wagers, or meters, that both offers have under one name, compared as people read them."""
    known = {one.name: one for one in theirs}
    for mine in ours:
        if other := known.get(mine.name):
            yield from (Difference(what, said(mine), said(other), mine.name) for what, said in read.items())


def _names(offered: Iterable[MeterOffered | WagerOffered]) -> str:
    return ", ".join(one.name.replace("_", " ") for one in offered)


def _price(offered: WagerOffered) -> str:
    return dollars(offered.wager)


def _rate(meter: MeterOffered) -> str:
    return meter_dollars(Micros(meter.feeds))
