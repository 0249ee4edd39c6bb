"""What a table and its bank play for the meters, said with every `alive`: compared before a lamp is lit (docs/mqtt.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from firmware.rules.money import NO_MONEY, Micros, cut_to_cents, dollars, meter_dollars
from firmware.rules.submission import Submission
from firmware.rules.wager import FIVE_CARD, PROGRESSIVE
from firmware.wire.records import Record
from firmware.wire.shapes import Several
from firmware.wire.values import METERS_MAX, Amount, Count, MeterName, PaytableName, Reason, Wager


class MeterOffered(Record, frozen=True):
    """A meter: what it starts with, in cents, and what each wager puts there, in whole micro-dollars."""

    name: MeterName
    seed: Amount
    feeds: Count


class Offer(Record, frozen=True):
    """The program's version, the book, the progressive wager in cents, its paytable, its meters.

    `five_card`: cents of the Five Card Hand wager, 0 where it is not offered.
    """

    program: Reason
    book: Reason
    wager: Wager
    paytable: PaytableName
    five_card: Amount
    meters: Annotated[tuple[MeterOffered, ...], Several(1, METERS_MAX)]


def offer_of(submission: Submission, program: str) -> Offer | None:
    """What this submission offers for its meters; None where it has no progressive wager, and so no bank."""
    if not submission.on_sensor:
        return None
    progressive, five_card = submission.offers[PROGRESSIVE], submission.offers.get(FIVE_CARD[0])
    return Offer(
        program=program,
        book=submission.book.name,
        wager=progressive.wager,
        paytable=progressive.paytable,
        five_card=five_card.wager if five_card else NO_MONEY,
        meters=tuple(
            MeterOffered(one.name, cut_to_cents(one.seed), one.contribution) for one in submission.meters.values()
        ),
    )


class Difference(Struct, frozen=True):
    """What two offers do not agree in ("program", "book", "wager", "paytable", "five-card", "meters", "seed", "rate").

    `ours` and `theirs` are as people read them; `meter`: of which one, "" for none.
    """

    what: str
    ours: str
    theirs: str
    meter: str = ""

    @property
    def named(self) -> str:
        """In what they differ, for a log."""
        return f"{self.what} of {self.meter}" if self.meter else self.what


def differences(ours: Offer, theirs: Offer) -> Iterator[Difference]:
    """All in which two offers differ, the book first: the rest follows from it."""
    pairs = (
        ("book", ours.book, theirs.book),
        ("wager", dollars(ours.wager), dollars(theirs.wager)),
        ("paytable", ours.paytable, theirs.paytable),
        ("five-card", dollars(ours.five_card), dollars(theirs.five_card)),
        ("meters", *(", ".join(one.name for one in offer.meters) for offer in (ours, theirs))),
        ("program", ours.program, theirs.program),
    )
    yield from (Difference(*pair) for pair in pairs if pair[1] != pair[2])
    known = {meter.name: meter for meter in theirs.meters}
    for mine in ours.meters:
        if (other := known.get(mine.name)) is None:
            continue
        if mine.seed != other.seed:
            yield Difference("seed", dollars(mine.seed), dollars(other.seed), mine.name)
        if mine.feeds != other.feeds:
            feeds = meter_dollars(Micros(mine.feeds)), meter_dollars(Micros(other.feeds))
            yield Difference("rate", *feeds, mine.name)
