"""Every message of the wire at random, made from its type: what a program could say."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from hypothesis import strategies as st

from firmware.rules.cards import DECK
from firmware.rules.money import NO_MONEY
from firmware.rules.payment import Result, Source
from firmware.wire import shapes
from firmware.wire.from_bank import Board, Down
from firmware.wire.from_table import ClaimMade, MadeWager, Owed, Verdict, Wagers
from firmware.wire.offers import Offer
from firmware.wire.records import OneOfKinds, Part, Record, plan
from firmware.wire.reports import Counted, LateChip, PaidAs, PaymentLine, Payments
from firmware.wire.shapes import Shape
from firmware.wire.structs import replace
from firmware.wire.values import SEATS_MAX

LINE = st.characters(codec="ascii", exclude_categories=["C"]) | st.sampled_from("’éß漢🂡")
ENTRIES = 4
"""Of a list that may hold a thousand."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
"""Any value that JSON can say."""


def values(shape: Shape) -> st.SearchStrategy[Any]:
    match shape:
        case shapes.Whole(least, most):
            return st.integers(least, most)
        case shapes.Line(least, most):
            return st.text(LINE, min_size=least, max_size=most)
        case shapes.Flag():
            return st.booleans()
        case shapes.Dollars(above_zero):
            return st.integers(int(above_zero), 99_999_999_999_999)
        case shapes.Moment():
            moments = st.datetimes(datetime(shapes.YEAR_MIN, 1, 1), datetime(shapes.YEAR_MAX, 12, 31))
            return moments.map(lambda at: at.isoformat(timespec="milliseconds") + "Z")
        case shapes.Day():
            return st.dates(date(1970, 1, 1), date(shapes.YEAR_MAX, 12, 31)).map(str)
        case shapes.Word(pattern, _):
            return st.from_regex(pattern, fullmatch=True)
        case shapes.Hand(cards):
            return st.permutations(DECK).map(lambda deck: tuple(deck[:cards]))
        case shapes.Enumerated(kind, _):
            return st.sampled_from(list(kind))
        case shapes.Constant(value):
            return st.just(value)
        case shapes.OrNull(of):
            return st.none() | values(of)
        case _:
            return parts(shape)


def parts(shape: Shape) -> st.SearchStrategy[Any]:
    """Shapes with others inside."""
    match shape:
        case shapes.Items(of, several):
            most = min(several.most, max(several.least, ENTRIES))
            entries = st.lists(values(of), min_size=several.least, max_size=most, unique=several.ascending)
            return entries.map(lambda read: tuple(sorted(read) if several.ascending else read))
        case Part(kind):
            return records(kind)
        case OneOfKinds(kinds):
            return st.one_of([records(kind) for kind in kinds])
        case _:
            raise AssertionError(f"no values for {shape}")


def records(kind: type[Record]) -> st.SearchStrategy[Any]:
    """What such a record may say, rules between its keys included."""
    fields = {}
    for field in plan(kind).fields:
        default = plan(kind).defaults.get(field.name, ...)
        fields[field.name] = st.none() | values(field.shape) if default is None else values(field.shape)
    built = st.builds(kind, **fields)
    return built.map(_sensible) if kind in SENSIBLE else built


def _named_once(listed: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple({one.name: one for one in listed}.values())


def _sensible(record: Any) -> Any:
    match record:
        case MadeWager():
            return replace(record, amounts=(record.wager,) * len(record.seats))
        case Wagers():
            return replace(record, made=_named_once(record.made))
        case Offer():
            return replace(record, wagers=_named_once(record.wagers), meters=_named_once(record.meters))
        case Counted() if not record.late and not record.differences:
            return replace(record, late=(LateChip(1, 1, "progressive", None, lit=False),))
        case PaymentLine():
            return _payable(record)
        case Payments():
            lines = {line.this: line for line in record.lines if line.what is record.lines[0].what}
            return replace(record, what=record.lines[0].what, lines=tuple(lines.values()))
        case Owed(table=table, body=ClaimMade() as body):
            number = body.claim.rpartition(":")[2]
            return replace(record, body=replace(body, claim=f"{table}:{body.round}:{body.seat}:{number}"))
        case Owed(table=table, body=Verdict() as body):
            return replace(record, body=replace(body, claim=f"{table}:{body.claim.partition(':')[2]}"))
        case Down(table=table):
            claims = (replace(one, claim=f"{table}:{one.claim.partition(':')[2]}") for one in record.claims)
            refused = (
                replace(one, claim=f"{table}:{one.claim.partition(':')[2]}", by=("2001", "3001"))
                for one in record.refused
            )
            return replace(record, claims=tuple(claims), refused=tuple(refused))
        case Board():
            meters = tuple({meter.name: meter for meter in record.meters}.values())
            name = meters[0].name
            pending = tuple(replace(claim, meter=name) for claim in record.pending)
            return replace(
                record, meters=meters, pending=pending, won=tuple(replace(w, meter=name) for w in record.won)
            )
        case _:
            return record


def _payable(line: PaymentLine) -> PaymentLine:
    wins, envy = line.result is Result.WIN, line.wager == PaidAs.ENVY
    return replace(
        line,
        returned=NO_MONEY if line.result is Result.LOSE else min(line.returned, line.stake),
        payout=line.payout if wins else NO_MONEY,
        source=Source.RACK if line.source in (None, Source.CAGE) else line.source,
        for_seat=line.seat % SEATS_MAX + 1 if envy else None,
    )


SENSIBLE = {ClaimMade, Counted, Down, MadeWager, Offer, Owed, Board, PaymentLine, Payments, Wagers}
