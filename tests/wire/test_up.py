"""What a table owes its bank, read: what is refused, where, with which remedy; and that nothing gets through half."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bank.inputs import MessageArrived
from firmware.bank.wire import decode_up
from firmware.rules.hands import HandName
from firmware.rules.money import cents
from firmware.wire.from_table import Body, ClaimMade, MadeWager, Reversal, Verdict, Wagers
from firmware.wire.payload import WireError
from firmware.wire.structs import replace
from tests.bank.casino import AT, CARDS, EPOCH, Table, encode
from tests.wire.records_at_random import JSON

MADE = {"name": "progressive", "seats": [1, 3], "amounts": ["1.00", "1.00"], "wager": "1.00", "paytable": "A"}
WAGERS = {"round": 12, "made": [MADE]}
REVERSAL = {"round": 12, "reason": "653a.13(c)"}
CLAIM = {
    "claim": "uth-01:12:3:18",
    "round": 12,
    "seat": 3,
    "hand": "royal flush",
    "cards": CARDS["royal flush"],
    "floor": "2001",
    "wager": "progressive",
    "backers": 1,
}
ON_DEALER = {"name": "five_card_dealer", "seats": [4], "amounts": ["0.50"], "wager": "0.50", "paytable": "only"}
BOTH, ONLY_FIVE_CARD = {"round": 12, "made": [MADE, ON_DEALER]}, {"round": 12, "made": [ON_DEALER]}
OF_OWN_HAND = CLAIM | {"wager": "five_card_player"}
OF_DEALERS_HAND = CLAIM | {"wager": "five_card_dealer", "backers": 2}
PRICE = {"amount": "10012.34", "meter": "main", "epoch": EPOCH, "version": 311}
VERDICT = {"claim": "uth-01:12:3:18", "paid": True, **PRICE, "by": ["2001", "3001"], "reason": ""}
DOLLAR = cents("1.00")
ROYAL = ClaimMade("uth-01:12:3:18", 12, 3, HandName.ROYAL_FLUSH, tuple(CARDS["royal flush"]), "2001", "progressive", 1)
PROGRESSIVE = MadeWager("progressive", (1, 3), (DOLLAR, DOLLAR), DOLLAR, "A")
FIVE_CARD = MadeWager("five_card_dealer", (4,), (cents("0.50"),), cents("0.50"), "only")
BODIES = {"wagers": WAGERS, "reversal": REVERSAL, "claim": CLAIM, "verdict": VERDICT}


def decode(payload: bytes) -> MessageArrived:
    return decode_up("uth-01", payload, AT)


def refusal(payload: bytes) -> str:
    with pytest.raises(WireError) as refused:
        decode(payload)
    return str(refused.value)


@pytest.mark.parametrize(
    ("kind", "body", "read"),
    [
        ("wagers", WAGERS, Wagers(12, (PROGRESSIVE,))),
        ("wagers", BOTH, Wagers(12, (PROGRESSIVE, FIVE_CARD))),
        ("wagers", ONLY_FIVE_CARD, Wagers(12, (FIVE_CARD,))),
        ("reversal", REVERSAL, Reversal(12, "653a.13(c)")),
        ("claim", CLAIM, ROYAL),
        ("claim", OF_OWN_HAND, replace(ROYAL, wager="five_card_player")),
        ("claim", OF_DEALERS_HAND, replace(ROYAL, wager="five_card_dealer", backers=2)),
        (
            "verdict",
            VERDICT,
            Verdict("uth-01:12:3:18", True, cents("10012.34"), "main", EPOCH, 311, ("2001", "3001"), ""),
        ),
    ],
)
def test_every_kind_of_the_documentation_is_read(kind: str, body: dict[str, Any], read: Body) -> None:
    payload = Table().says(kind, body)
    digest = hashlib.sha256(payload).hexdigest()
    assert decode(payload) == MessageArrived(AT, "uth-01", "a" * 32, 1, "0" * 64, digest, read)


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b"", "uth-01/up: is not JSON"),
        (b"\xff\xfe", "uth-01/up: is not UTF-8 at byte 0"),
        (b"{", "uth-01/up: is not JSON"),
        (b"[]", "uth-01/up: is a list of 0; send one JSON object"),
        (b"17", "uth-01/up: is a int; send one JSON object"),
        (b"null", "uth-01/up: is None; send one JSON object"),
        (b"{}{}", "uth-01/up: is not JSON"),
        (b"{}", "uth-01/up v: is missing"),
        (b'{"v":1,"v":1}', "uth-01/up v: stands there twice"),
        (b'{"v":1.0}', "holds the number '1.0'; numbers are whole"),
        (b'{"v":NaN}', "holds the number 'NaN'; numbers are whole"),
        (b'{"v":-Infinity}', "holds the number '-Infinity'"),
        (b'{"v":' + b"9" * 5000 + b"}", "uth-01/up: holds a number of thousands of digits"),
        (b"[" * 60_000, "uth-01/up: is nested too deeply"),
        (b" " * (64 * 1024 + 1), "uth-01/up: holds 65537 bytes; a message has at most 65536"),
    ],
)
def test_what_is_no_message_at_all_is_refused_by_name(payload: bytes, says: str) -> None:
    assert says in refusal(payload)


@pytest.mark.parametrize(
    ("kind", "place", "value", "says"),
    [
        ("wagers", "v", 2, "v: is 2"),
        ("wagers", "v", True, "v: is True"),
        ("wagers", "table", "uth-02", "table: is 'uth-02', the topic says 'uth-01'"),
        ("wagers", "table", "uth/01", "table: is 'uth/01'"),
        ("wagers", "journal", "A" * 32, "journal: is"),
        ("wagers", "journal", "a" * 31, "journal: is"),
        ("wagers", "seq", 0, "seq: is 0"),
        ("wagers", "seq", "1", "seq: is '1'"),
        ("wagers", "seq", 2**53, "seq: is a int; right would be a whole number from 1 to 9007199254740991"),
        ("wagers", "seq", True, "seq: is True"),
        ("wagers", "prev", "", "prev: is ''"),
        ("wagers", "kind", "jackpot", "kind: is 'jackpot'; right would be wagers or reversal or claim or verdict"),
        ("wagers", "kind", None, "kind: is None"),
        ("wagers", "body", [], "body: is a list of 0"),
        ("wagers", "color", "red", "color: is not a key here"),
        ("wagers", "body.color", "red", "body.color: is not a key here"),
        ("wagers", "body.round", 0, "body.round: is 0"),
        ("wagers", "body.round", -1, "body.round: is -1"),
        ("wagers", "body.made", [], "body.made: is a list of 0; right would be a list of 1 to 8"),
        ("wagers", "body.made", {"1": 1}, "body.made: is an object; right would be a list of 1 to 8"),
        ("wagers", "body.made", [MADE, MADE], "body.made.1.name: is 'progressive', which stands there twice"),
        (
            "wagers",
            "body.made",
            [None],
            "body.made.0: is None; an object with name, seats, amounts, wager, paytable is",
        ),
        ("wagers", "body.made", [MADE | {"name": "Five Card"}], "body.made.0.name: is 'Five Card'"),
        ("wagers", "body.made", [MADE | {"name": "x" * 33}], "body.made.0.name: is"),
        ("wagers", "body.made", [MADE | {"lucky": 3}], "body.made.0.lucky: is not a key here"),
        (
            "wagers",
            "body.made",
            [MADE | {"amounts": ["1.00"]}],
            "0.amounts: is a list of 1; right would be a list of 2",
        ),
        ("wagers", "body.made", [MADE | {"amounts": ["1.00", "0.00"]}], "body.made.0.amounts.1: is 0.00"),
        ("wagers", "body.made", [MADE | {"seats": []}], "body.made.0.seats: is a list of 0"),
        ("wagers", "body.made", [MADE | {"seats": 2}], "body.made.0.seats: is a int; right would be a list"),
        ("wagers", "body.made", [MADE | {"seats": [3, 1]}], "body.made.0.seats: are not ascending"),
        ("wagers", "body.made", [MADE | {"seats": [1, 1]}], "body.made.0.seats: are not ascending"),
        ("wagers", "body.made", [MADE | {"seats": [0]}], "body.made.0.seats.0: is 0"),
        ("wagers", "body.made", [MADE | {"seats": [7]}], "body.made.0.seats.0: is 7"),
        ("wagers", "body.made", [MADE | {"seats": [1, 2, 3, 4, 5, 6, 6]}], "body.made.0.seats: is a list of 7"),
        ("wagers", "body.made", [MADE | {"wager": 1}], "body.made.0.wager: is a int"),
        ("wagers", "body.made", [MADE | {"wager": "-1.00"}], "body.made.0.wager: is '-1.00'"),
        ("wagers", "body.made", [MADE | {"wager": "0.00"}], "0.wager: is 0.00; an amount above 0.00 is wanted"),
        ("wagers", "body.made", [MADE | {"paytable": ""}], "body.made.0.paytable: is ''"),
        ("reversal", "body.reason", "", "body.reason: is ''"),
        ("reversal", "body.reason", "x" * 201, "body.reason: is"),
        ("reversal", "body.reason", "two\nlines", "body.reason: is 'two\\nlines'"),
        ("reversal", "body.reason", "\ud800", "body.reason: is '\\ud800'"),
        (
            "claim",
            "body.claim",
            "uth-02:12:3:18",
            "body.claim: is 'uth-02:12:3:18'; right would be uth-01:12:3:NUMBER",
        ),
        ("claim", "body.claim", "uth-01:12:4:18", "body.claim: is"),
        ("claim", "body.seat", 7, "body.seat: is 7"),
        ("claim", "body.hand", "royal", "body.hand: is 'royal'"),
        ("claim", "body.cards", ["Ah"] * 5, "body.cards: hold a card twice"),
        ("claim", "body.cards", ["Ah", "Kh"], "body.cards: holds 2 cards; 3 to 5 cards are wanted"),
        ("claim", "body.cards", ["Ah", "Kh", "Qh", "Jh", "1h"], "body.cards.4: is '1h'"),
        ("claim", "body.floor", "2001; drop", "body.floor: is"),
        ("claim", "body.wager", "", "body.wager: is ''; right would be the name of a wager"),
        ("claim", "body.wager", None, "body.wager: is None; right would be the name of a wager"),
        ("claim of the dealer", "body.backers", 0, "body.backers: is 0; right would be a whole number from 1 to 6"),
        ("claim of the dealer", "body.backers", True, "body.backers: is True"),
        ("verdict", "body.claim", "uth-02:12:3:18", "body.claim: is"),
        ("verdict", "body.paid", 1, "body.paid: is a int; right would be true or false"),
        ("verdict", "body.amount", 10012.34, "10012.34"),
        ("verdict", "body.amount", "-1.00", "body.amount: is"),
        ("verdict", "body.meter", "", "body.meter: is"),
        ("verdict", "body.epoch", "", "body.epoch: is"),
        ("verdict", "body.version", -1, "body.version: is -1"),
        ("verdict", "body.by", [], "body.by: is a list of 0"),
        ("verdict", "body.by", ["2001", 3001], "body.by.1: is a int; right would be a badge number"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(kind: str, place: str, value: object, says: str) -> None:
    body = OF_DEALERS_HAND if kind == "claim of the dealer" else BODIES[kind]
    document = Table().document(kind.split()[0], dict(body))
    *outer, key = place.split(".")
    (document["body"] if outer else document)[key] = value
    assert says in refusal(encode(document))


@pytest.mark.parametrize("kind", BODIES)
def test_every_key_is_wanted(kind: str) -> None:
    document = Table().document(kind, BODIES[kind])
    for key in document:
        assert f"{key}: is missing" in refusal(encode({k: v for k, v in document.items() if k != key}))
    for key in BODIES[kind]:
        body = {k: v for k, v in BODIES[kind].items() if k != key}
        assert f"body.{key}: is missing" in refusal(encode({**document, "body": body}))


@pytest.mark.parametrize("separators", [(", ", ": "), (",", ": ")])
def test_one_content_has_one_form_and_one_hash(separators: tuple[str, str]) -> None:
    document = Table().document("wagers", WAGERS)
    assert "is not canonical" in refusal(json.dumps(document, sort_keys=True, separators=separators).encode())
    assert "is not canonical" in refusal(json.dumps(document, sort_keys=False, separators=(",", ":")).encode())
    assert "is not canonical" in refusal(encode(document).replace(b"wagers", b"\\u0077agers"))
    assert "is not canonical" in refusal(encode(document) + b"\n")


@given(st.binary(max_size=300))
def test_any_bytes_are_answered(payload: bytes) -> None:
    with pytest.raises(WireError):
        decode(payload)


@given(st.sampled_from(sorted(BODIES)), st.data())
def test_a_damaged_message_is_refused_or_is_the_message_that_its_hash_says(kind: str, data: st.DataObject) -> None:
    payload = bytearray(encode(Table().document(kind, BODIES[kind])))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(payload) - 1))
        payload[place] = data.draw(st.integers(0, 255))
    try:
        message = decode(bytes(payload))
    except WireError as refused:
        assert refused.place.startswith("uth-01/up")
    else:
        assert message.hash == hashlib.sha256(payload).hexdigest()


@pytest.mark.slow
@given(st.sampled_from(sorted(BODIES)), st.data(), JSON)
def test_any_value_anywhere_is_answered(kind: str, data: st.DataObject, value: Any) -> None:
    document = Table().document(kind, dict(BODIES[kind]))
    inside = data.draw(st.sampled_from([document, document["body"]]))
    inside[data.draw(st.sampled_from(sorted(inside)))] = value
    try:
        decode(encode(document))
    except WireError as refused:
        assert refused.text
