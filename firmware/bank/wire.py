"""The bank's side of the wire (`docs/mqtt.md`): bytes of a table in, documents for tables and signs out. Pure.

The decoder is total: whatever arrives, it answers with a message or with a `WireError` that names the place and the
remedy. The hash of a message is taken here, over the bytes as they came, and they have to be the canonical ones: so
nobody can send one content under two hashes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from firmware.bank.inputs import Body, ClaimMade, MessageArrived, Reversal, Verdict, Wagers
from firmware.bank.state import BankState, Priced
from firmware.rules.cards import CardError, parse_card
from firmware.rules.hands import HandName
from firmware.rules.money import Cents, Micros, MoneyError, cents, cut_to_cents, dollars

PAYLOAD_MAX = 64 * 1024
SEATS_MAX = 6
"""653a.2(a), Maryland .02A: no table has more."""
NUMBER_MAX = 2**53 - 1
"""The highest whole number that every JSON library reads exactly."""
PEOPLE_MAX = 4
TEXT_MAX = 200
SHOWN_MAX = 40
HANDS = tuple(hand.value for hand in HandName)

TABLE = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
JOURNAL = re.compile(r"[0-9a-f]{32}")
HASH = re.compile(r"[0-9a-f]{64}")
BADGE = re.compile(r"[A-Za-z0-9-]{1,32}")
PAYTABLE = re.compile(r"[A-Za-z][A-Za-z ]{0,15}")


class WireError(ValueError):
    """A payload that is refused. `place`: topic and dotted path; `text`: what is wrong and what would be right."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__(f"{place}: {text}")
        self.place = place
        self.text = text


def canonical(document: Mapping[str, Any]) -> bytes:
    """The one form in which a document goes over the wire and is hashed: keys sorted, no white space, ASCII only."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def hash_of(payload: bytes) -> str:
    """The hash of a message, 64 hex digits, from its canonical bytes."""
    return hashlib.sha256(payload).hexdigest()


# From a table -------------------------------------------------------------------------------------------------------


def decode_up(topic_table: str, payload: bytes, at: str) -> MessageArrived:
    """One owed message that came under `felt/BANK/table/{topic_table}/up` at the time `at`. Raises WireError."""
    try:
        document = read_object(payload)
        message = _message(topic_table, document, hash_of(payload), at)
    except Unreadable as wrong:
        raise WireError(f"{topic_table}/up {wrong.place}".rstrip(), wrong.text) from None
    if canonical(document) != payload:
        raise WireError(f"{topic_table}/up", "is not canonical; sort the keys, no white space, ASCII only")
    return message


class Unreadable(ValueError):
    """Something wrong at a place inside the payload, "" for the whole of it."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__(f"{place} {text}".lstrip())
        self.place = place
        self.text = text


def read_object(payload: bytes) -> dict[str, Any]:
    """One JSON object of the wire: of bounded size, UTF-8, no key twice, no float. Raises Unreadable."""
    if len(payload) > PAYLOAD_MAX:
        raise Unreadable("", f"holds {len(payload)} bytes; a message has at most {PAYLOAD_MAX}")
    try:
        document = json.loads(
            payload.decode("utf-8"), object_pairs_hook=_without_doubles, parse_float=_no_float, parse_constant=_no_float
        )
    except Unreadable:
        raise
    except UnicodeDecodeError as wrong:
        raise Unreadable("", f"is not UTF-8 at byte {wrong.start}; send canonical JSON") from None
    except RecursionError:
        raise Unreadable("", "is nested too deeply; a message has an object and its body") from None
    except json.JSONDecodeError as wrong:
        raise Unreadable("", f"is not JSON ({wrong}); send one JSON object") from None
    except ValueError:  # more digits than Python reads
        raise Unreadable("", "holds a number of thousands of digits; numbers are below 2**53") from None
    if not isinstance(document, dict):
        raise Unreadable("", f"is {_shown(document)}; send one JSON object")
    return document


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise Unreadable(_shown(double), "stands there twice; once is right")
    return document


def _no_float(text: str) -> NoReturn:
    raise Unreadable("", f"holds the number {_shown(text)}; numbers are whole, money is a string")


def _message(topic_table: str, document: Mapping[str, Any], hash: str, at: str) -> MessageArrived:
    fields = _fields(document, "", ("v", "table", "journal", "seq", "prev", "kind", "body"))
    _whole(fields["v"], "v", 1)
    table = _word(fields["table"], "table", TABLE, 'a name like "uth-04"')
    if table != topic_table:
        raise Unreadable(
            "table", f"is {_shown(table)}, the topic says {_shown(topic_table)}; a table uses its own name"
        )
    kind = fields["kind"]
    if not isinstance(kind, str) or kind not in BODIES:
        raise Unreadable("kind", f"is {_shown(kind)}; right would be {' or '.join(BODIES)}")
    return MessageArrived(
        at=at,
        table=table,
        journal=_word(fields["journal"], "journal", JOURNAL, "32 hex digits"),
        seq=_whole(fields["seq"], "seq", NUMBER_MAX),
        prev=_word(fields["prev"], "prev", HASH, "64 hex digits"),
        hash=hash,
        body=BODIES[kind](table, fields["body"]),
    )


def _wagers(table: str, body: object) -> Wagers:
    fields = _fields(body, "body", ("round", "seats", "wager", "paytable"))
    seats = [
        _whole(seat, f"body.seats.{place}", SEATS_MAX)
        for place, seat in enumerate(_list(fields["seats"], "body.seats", SEATS_MAX))
    ]
    if seats != sorted(set(seats)):
        raise Unreadable("body.seats", "are not ascending; name every seat once, the lowest first")
    return Wagers(
        round=_whole(fields["round"], "body.round", NUMBER_MAX),
        seats=tuple(seats),
        wager=_wager(fields["wager"]),
        paytable=_word(fields["paytable"], "body.paytable", PAYTABLE, "the name of a paytable"),
    )


def _wager(value: object) -> Cents:
    try:
        return cents(value)
    except MoneyError as wrong:
        raise Unreadable("body.wager", str(wrong)) from None


def _reversal(table: str, body: object) -> Reversal:
    fields = _fields(body, "body", ("round", "reason"))
    return Reversal(
        round=_whole(fields["round"], "body.round", NUMBER_MAX), reason=_text(fields["reason"], "body.reason", least=1)
    )


def _claim(table: str, body: object) -> ClaimMade:
    fields = _fields(body, "body", ("claim", "round", "seat", "hand", "cards", "floor"))
    round = _whole(fields["round"], "body.round", NUMBER_MAX)
    seat = _whole(fields["seat"], "body.seat", SEATS_MAX)
    hand = fields["hand"]
    if not isinstance(hand, str) or hand not in HANDS:
        raise Unreadable("body.hand", f"is {_shown(hand)}; right would be {' or '.join(HANDS)}")
    return ClaimMade(
        claim=_claim_name(fields["claim"], f"{table}:{round}:{seat}"),
        round=round,
        seat=seat,
        hand=HandName(hand),
        cards=_cards(fields["cards"]),
        floor=_word(fields["floor"], "body.floor", BADGE, "a badge number"),
    )


def _cards(value: object) -> tuple[str, ...]:
    cards = _list(value, "body.cards", 5)
    if len(cards) != 5:
        raise Unreadable("body.cards", f"holds {len(cards)} cards; five are wanted")
    for place, card in enumerate(cards):
        try:
            parse_card(card)
        except CardError as wrong:
            raise Unreadable(f"body.cards.{place}", str(wrong)) from None
    if len(set(cards)) != len(cards):
        raise Unreadable("body.cards", "hold a card twice; five different cards are wanted")
    return tuple(cards)


def _verdict(table: str, body: object) -> Verdict:
    fields = _fields(body, "body", ("claim", "paid", "by", "reason"))
    if not isinstance(fields["paid"], bool):
        raise Unreadable("body.paid", f"is {_shown(fields['paid'])}; right would be true or false")
    return Verdict(
        claim=_claim_name(fields["claim"], f"{table}:ROUND:SEAT"),
        paid=fields["paid"],
        by=tuple(
            _word(badge, f"body.by.{place}", BADGE, "a badge number")
            for place, badge in enumerate(_list(fields["by"], "body.by", PEOPLE_MAX))
        ),
        reason=_text(fields["reason"], "body.reason", least=0),
    )


BODIES: Mapping[str, Callable[[str, object], Body]] = {
    Wagers.KIND: _wagers,
    Reversal.KIND: _reversal,
    ClaimMade.KIND: _claim,
    Verdict.KIND: _verdict,
}


# Values by their place ------------------------------------------------------------------------------------------------


def _fields(value: object, place: str, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable(place, f"is {_shown(value)}; right would be an object with {', '.join(names)}")
    inside = f"{place}." if place else ""
    for name in value:
        if name not in names:
            raise Unreadable(f"{inside}{_shown(name)}", f"is not a key here; allowed are {', '.join(names)}")
    for name in names:
        if name not in value:
            raise Unreadable(f"{inside}{name}", "is missing; add it")
    return value


def _list(value: object, place: str, most: int) -> list[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise Unreadable(place, f"is {_shown(value)}; right would be a list of 1 to {most}")
    return value


def _whole(value: object, place: str, most: int) -> int:
    """A whole number from 1 up; `true` is none."""
    if type(value) is not int or not 1 <= value <= most:
        raise Unreadable(place, f"is {_shown(value)}; right would be a whole number from 1 to {most}")
    return value


def _claim_name(value: object, wanted: str) -> str:
    """Table, round, seat, and a number of the table's own: a seat whose claim was rejected may claim under another."""
    pattern = re.escape(wanted).replace("ROUND", "[1-9][0-9]{0,15}").replace("SEAT", f"[1-{SEATS_MAX}]")
    return _word(value, "body.claim", re.compile(rf"{pattern}:[1-9][0-9]{{0,15}}"), f"{wanted}:NUMBER")


def _word(value: object, place: str, pattern: re.Pattern[str], wanted: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Unreadable(place, f"is {_shown(value)}; right would be {wanted}")
    return value


def _text(value: object, place: str, *, least: int) -> str:
    """Free text, one printable line: a lone surrogate, say, could not be written to the journal."""
    if not isinstance(value, str) or not least <= len(value) <= TEXT_MAX or not value.isprintable():
        raise Unreadable(place, f"is {_shown(value)}; wanted are {least} to {TEXT_MAX} printable characters")
    return value


def _shown(value: object) -> str:
    """A value as it stands in the payload, short and ASCII, whoever wrote it."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    text = json.dumps(value)
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}..."


# To tables and signs ------------------------------------------------------------------------------------------------


def down(state: BankState, table: str) -> dict[str, Any]:
    """What the bank holds of that table, and its claims (topic `down`)."""
    book = state.book(table)
    alarm = book.alarms[0] if book.alarms else None
    return {
        "v": 1,
        "epoch": state.epoch,
        "table": table,
        "journal": book.journal,
        "seq": book.current.held.seq,
        "hash": book.current.held.hash,
        "claims": [_claim_document(priced) for priced in book.claims],
        "alarm": {"kind": alarm.kind, "seq": alarm.seq, "text": alarm.text} if alarm else None,
    }


def board(state: BankState, at: str) -> dict[str, Any]:
    """The board (topic `meters`): amounts are cut down to the cent, so it never shows more than a meter holds."""
    return {
        "v": 1,
        "epoch": state.epoch,
        "version": state.version,
        "at": at,
        "title": state.title,
        "tables": list(state.configured),
        "meters": [
            {"name": meter.name, "amount": _cut(state.meter(meter.name)), "seed": _cut(meter.seed)}
            for meter in state.meters
        ],
        "pending": [
            {
                "claim": priced.claim.claim,
                "meter": priced.claim.meter,
                "table": priced.claim.table,
                "at": priced.claim.at,
            }
            for priced in state.pending
        ],
        "won": [_won_document(priced) for priced in state.won],
    }


def _claim_document(priced: Priced) -> dict[str, Any]:
    claim = priced.claim
    return {
        "claim": claim.claim,
        "status": priced.status.value,
        "meter": claim.meter,
        "share": f"{claim.percent}%",
        "amount": dollars(claim.amount),
        "cite": claim.cite,
    }


def _won_document(priced: Priced) -> dict[str, Any]:
    claim = priced.claim
    return {
        "claim": claim.claim,
        "meter": claim.meter,
        "table": claim.table,
        "seat": claim.seat,
        "hand": claim.hand,
        "amount": dollars(claim.amount),
        "now": dollars(claim.now),
        "at": priced.ended,
    }


def _cut(amount: Micros) -> str:
    return dollars(cut_to_cents(amount))
