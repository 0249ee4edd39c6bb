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

from firmware.bank.inputs import (
    Body,
    ClaimMade,
    FiveCardWagers,
    MessageArrived,
    MeterWager,
    Reversal,
    Verdict,
    Wagers,
)
from firmware.bank.ledger import Account
from firmware.bank.state import BankState, Priced
from firmware.rules.hands import HandName
from firmware.rules.meter_wagers import FIVE_CARD
from firmware.rules.money import Micros, cut_to_cents, dollars
from firmware.rules.strict import Keys, Refusal, amount, cards, fields, flag, shown, text, under, whole

PAYLOAD_MAX = 64 * 1024
SEATS_MAX = 6
"""653a.2(a), Maryland .02A: no table has more."""
NUMBER_MAX = 2**53 - 1
"""The highest whole number that every JSON library reads exactly."""
PEOPLE_MAX = 4
TEXT_MAX = 200
HANDS = tuple(hand.value for hand in HandName)

TABLE = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
JOURNAL = re.compile(r"[0-9a-f]{32}")
HASH = re.compile(r"[0-9a-f]{64}")
BADGE = re.compile(r"[A-Za-z0-9-]{1,32}")
PAYTABLE = re.compile(r"[A-Za-z][A-Za-z ]{0,15}")

MESSAGE_KEYS = Keys("v", "table", "journal", "seq", "prev", "kind", "body")
WAGERS_KEYS = Keys("round", "seats", "wager", "paytable", optional=("five_card",))
FIVE_CARD_KEYS = Keys("own", "dealer", "wager")
REVERSAL_KEYS = Keys("round", "reason")
CLAIM_KEYS = Keys("claim", "round", "seat", "hand", "cards", "floor", optional=("wager", "backers"))
VERDICT_KEYS = Keys("claim", "paid", "by", "reason")


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
    except Refusal as wrong:
        raise WireError(f"{topic_table}/up {wrong.at or ''}".rstrip(), wrong.text) from None
    if canonical(document) != payload:
        raise WireError(f"{topic_table}/up", "is not canonical; sort the keys, no white space, ASCII only")
    return message


def read_object(payload: bytes) -> dict[str, Any]:
    """One JSON object of the wire: of bounded size, UTF-8, no key twice, no float. Raises Refusal."""
    if len(payload) > PAYLOAD_MAX:
        raise Refusal(None, f"holds {len(payload)} bytes; a message has at most {PAYLOAD_MAX}")
    try:
        document = json.loads(
            payload.decode("utf-8"), object_pairs_hook=_without_doubles, parse_float=_no_float, parse_constant=_no_float
        )
    except Refusal:
        raise
    except UnicodeDecodeError as wrong:
        raise Refusal(None, f"is not UTF-8 at byte {wrong.start}; send canonical JSON") from None
    except RecursionError:
        raise Refusal(None, "is nested too deeply; a message has an object and its body") from None
    except json.JSONDecodeError as wrong:
        raise Refusal(None, f"is not JSON ({wrong}); send one JSON object") from None
    except ValueError:  # more digits than Python reads
        raise Refusal(None, "holds a number of thousands of digits; numbers are below 2**53") from None
    if not isinstance(document, dict):
        raise Refusal(None, f"is {shown(document)}; send one JSON object")
    return document


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise Refusal(under("", double), "stands there twice; once is right")
    return document


def _no_float(digits: str) -> NoReturn:
    raise Refusal(None, f"holds the number {shown(digits)}; numbers are whole, money is a string")


def _message(topic_table: str, document: Mapping[str, Any], hash: str, at: str) -> MessageArrived:
    given = fields(document, "", MESSAGE_KEYS)
    whole(given["v"], "", "v", 1, 1)
    table = _word(given["table"], "table", TABLE, 'a name like "uth-04"')
    if table != topic_table:
        raise Refusal("table", f"is {shown(table)}, the topic says {shown(topic_table)}; a table uses its own name")
    kind = text(given["kind"], "", "kind", BODIES)
    return MessageArrived(
        at=at,
        table=table,
        journal=_word(given["journal"], "journal", JOURNAL, "32 hex digits"),
        seq=whole(given["seq"], "", "seq", 1, NUMBER_MAX),
        prev=_word(given["prev"], "prev", HASH, "64 hex digits"),
        hash=hash,
        body=BODIES[kind](table, given["body"]),
    )


def _wagers(table: str, body: object) -> Wagers:
    given = fields(body, "body", WAGERS_KEYS)
    five_card = _five_card(given["five_card"]) if "five_card" in given else None
    return Wagers(
        round=_round(given["round"]),
        seats=_seats(given["seats"], "body.seats", least=0 if five_card else 1),
        wager=amount(given["wager"], "body", "wager"),
        paytable=_word(given["paytable"], "body.paytable", PAYTABLE, "the name of a paytable"),
        five_card=five_card,
    )


def _five_card(value: object) -> FiveCardWagers:
    at = "body.five_card"
    given = fields(value, at, FIVE_CARD_KEYS)
    own, dealer = (_seats(given[hand], f"{at}.{hand}", least=0) for hand in ("own", "dealer"))
    if not own and not dealer:
        raise Refusal(at, "names no seat; leave it out where nobody made the wager")
    return FiveCardWagers(own, dealer, amount(given["wager"], at, "wager"))


def _seats(value: object, at: str, *, least: int) -> tuple[int, ...]:
    seats = [whole(seat, at, str(place), 1, SEATS_MAX) for place, seat in enumerate(_list(value, at, least, SEATS_MAX))]
    if seats != sorted(set(seats)):
        raise Refusal(at, "are not ascending; name every seat once, the lowest first")
    return tuple(seats)


def _reversal(table: str, body: object) -> Reversal:
    given = fields(body, "body", REVERSAL_KEYS)
    return Reversal(round=_round(given["round"]), reason=_line(given["reason"], "body.reason", least=1))


def _claim(table: str, body: object) -> ClaimMade:
    given = fields(body, "body", CLAIM_KEYS)
    round = _round(given["round"])
    seat = whole(given["seat"], "body", "seat", 1, SEATS_MAX)
    wager = _claimed_wager(given)
    return ClaimMade(
        claim=_claim_name(given["claim"], f"{table}:{round}:{seat}"),
        round=round,
        seat=seat,
        hand=HandName(text(given["hand"], "body", "hand", HANDS)),
        cards=_cards(given["cards"]),
        floor=_word(given["floor"], "body.floor", BADGE, "a badge number"),
        wager=wager,
        backers=_backers(given, wager),
    )


def _claimed_wager(given: Mapping[str, object]) -> MeterWager:
    """One content has one form: a claim of the progressive wager says nothing of it."""
    if "wager" not in given:
        return MeterWager.PROGRESSIVE
    return MeterWager(text(given["wager"], "body", "wager", FIVE_CARD))


def _backers(given: Mapping[str, object], wager: MeterWager) -> int:
    if "backers" not in given:
        return 1
    if wager is not MeterWager.DEALERS_HAND:
        raise Refusal("body.backers", f"is only for a {MeterWager.DEALERS_HAND} claim; leave it out")
    return whole(given["backers"], "body", "backers", 1, SEATS_MAX)


def _cards(value: object) -> tuple[str, ...]:
    five = cards(value, "body", "cards", 5, 5)
    if len(set(five)) != len(five):
        raise Refusal("body.cards", "hold a card twice; five different cards are wanted")
    return five


def _verdict(table: str, body: object) -> Verdict:
    given = fields(body, "body", VERDICT_KEYS)
    return Verdict(
        claim=_claim_name(given["claim"], f"{table}:ROUND:SEAT"),
        paid=flag(given["paid"], "body", "paid"),
        by=tuple(
            _word(badge, f"body.by.{place}", BADGE, "a badge number")
            for place, badge in enumerate(_list(given["by"], "body.by", 1, PEOPLE_MAX))
        ),
        reason=_line(given["reason"], "body.reason", least=0),
    )


BODIES: Mapping[str, Callable[[str, object], Body]] = {
    Wagers.KIND: _wagers,
    Reversal.KIND: _reversal,
    ClaimMade.KIND: _claim,
    Verdict.KIND: _verdict,
}


# Values that only the wire knows ----------------------------------------------------------------------------------


def _round(value: object) -> int:
    return whole(value, "body", "round", 1, NUMBER_MAX)


def _list(value: object, at: str, least: int, most: int) -> list[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise Refusal(at, f"is {shown(value)}; right would be a list of {least} to {most}")
    return value


def _claim_name(value: object, wanted: str) -> str:
    """Table, round, seat, and a number of the table's own: a seat whose claim was rejected may claim under another."""
    pattern = re.escape(wanted).replace("ROUND", "[1-9][0-9]{0,15}").replace("SEAT", f"[1-{SEATS_MAX}]")
    return _word(value, "body.claim", re.compile(rf"{pattern}:[1-9][0-9]{{0,15}}"), f"{wanted}:NUMBER")


def _word(value: object, at: str, pattern: re.Pattern[str], wanted: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Refusal(at, f"is {shown(value)}; right would be {wanted}")
    return value


def _line(value: object, at: str, *, least: int) -> str:
    """Free text, one printable line: a lone surrogate, say, could not be written to the journal."""
    if not isinstance(value, str) or not least <= len(value) <= TEXT_MAX or not value.isprintable():
        raise Refusal(at, f"is {shown(value)}; wanted are {least} to {TEXT_MAX} printable characters")
    return value


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
    """The board (topic `meters`): amounts are cut down to the cent, so it never shows more than a meter holds.

    A reserve is not shown.
    """
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
            if meter.account is Account.METERS
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
