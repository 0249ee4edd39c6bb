"""What is written is read back equal, and what is read the schema takes: reader, writer and schema are one declaration."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.rules.money import MoneyError, cents
from firmware.wire.from_table import Owed
from firmware.wire.payload import (
    PAYLOAD_MAX,
    WireError,
    canonical,
    object_in,
    read,
    read_canonical,
    read_document,
    write,
)
from firmware.wire.schema import MESSAGES, schema
from firmware.wire.shapes import Dollars
from tests.wire.records_at_random import JSON, records
from tests.wire.validator import is_valid

AT_RANDOM = st.sampled_from(sorted(MESSAGES)).flatmap(lambda name: st.tuples(st.just(name), records(MESSAGES[name])))
LOOSE = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
SCHEMAS = {name: schema(name) for name in MESSAGES}


@LOOSE
@given(AT_RANDOM)
def test_what_is_written_is_read_back_equal(said: tuple[str, Any]) -> None:
    name, message = said
    payload = write(message)
    assert read(payload, MESSAGES[name]) == message
    assert payload.isascii() and payload == canonical(object_in(payload))


@pytest.mark.slow
@LOOSE
@given(AT_RANDOM)
def test_what_is_written_is_what_its_schema_says(said: tuple[str, Any]) -> None:
    name, message = said
    assert is_valid(json.loads(write(message)), SCHEMAS[name])


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4))
def test_both_writers_give_the_same_bytes(given: dict[str, Any]) -> None:
    """What is hashed has one form, whichever of the two wrote it."""
    assert canonical(given) == json.dumps(given, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


@pytest.mark.parametrize("code", [*range(256), 0x2028, 0xFFFF, 0x10FFFF])
def test_every_letter_is_written_alike(code: int) -> None:
    given = {chr(code): [chr(code), {"a": chr(code) * 2}]}
    assert canonical(given) == json.dumps(given, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "payload",
    [
        b'{"a":1,"a":1}',
        b'{"seq":1.0}',
        b'{"seq":1e3}',
        b'{"seq":-0}',
        b'{"seq":123456789012345678901234567890}',
        b'{"table":"\\ud800"}',
        b'{"table":"\xff"}',
        b'{ "a":1}',
        b'{"a":NaN}',
        b"[" * 100_000,
        b"[]",
        b"",
    ],
)
def test_what_is_wrong_with_a_message_that_is_hashed_the_strict_reader_says(payload: bytes) -> None:
    def refusal(read_one: Any) -> str:
        with pytest.raises(WireError) as wrong:
            read_one()
        return str(wrong.value)

    strict = refusal(lambda: read(payload, Owed))
    assert refusal(lambda: read_canonical(payload, Owed)) == strict


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records(Owed))
def test_a_message_in_its_canonical_form_is_read_as_ever(said: Owed) -> None:
    payload = write(said)
    assert read_canonical(payload, Owed) == read(payload, Owed) == said
    with pytest.raises(WireError, match="is not canonical"):
        read_canonical(json.dumps(json.loads(payload)).encode(), Owed)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every object or list inside, with each of its keys or numbers."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [one for key in keys for one in places(value[key])]


@pytest.mark.slow
@LOOSE
@given(AT_RANDOM, st.data(), JSON)
def test_any_value_anywhere_is_answered_and_what_is_read_the_schema_takes(
    said: tuple[str, Any], data: st.DataObject, value: Any
) -> None:
    name, message = said
    changed = json.loads(write(message))
    inside, key = data.draw(st.sampled_from(places(changed)))
    inside[key] = value
    try:
        heard = read_document(changed, MESSAGES[name])
    except WireError as refused:
        assert refused.text
    else:
        assert is_valid(changed, SCHEMAS[name])
        assert read(write(heard), MESSAGES[name]) == heard


MAY_BE_LEFT_OUT = {
    *("five_card", "wager", "backers", "term", "anchor", "seen", "before", "ledger", "found", "at", "gone"),
    *("corrected", "odds", "source", "floor", "for_seat", "limited", "refused", "more_pending"),
    *("said", "seal", "offer", "by", "short"),
}
"""Of some messages."""


@pytest.mark.slow
@LOOSE
@given(AT_RANDOM, st.data())
def test_a_stranger_and_a_gap_are_refused_by_reader_and_schema_alike(
    said: tuple[str, Any], data: st.DataObject
) -> None:
    name, message = said
    good = json.loads(write(message))
    objects = [inside for inside, key in places(good) if isinstance(inside, dict)]
    number = data.draw(st.integers(0, len(objects) - 1))
    for change in ("stranger", "gap"):
        changed = copy.deepcopy(good)
        inside = [one for one, key in places(changed) if isinstance(one, dict)][number]
        if change == "stranger":
            inside["unheard-of"] = 1
        else:
            key = data.draw(st.sampled_from(sorted(inside)))
            if key in MAY_BE_LEFT_OUT:
                continue
            del inside[key]
        with pytest.raises(WireError):
            read_document(changed, MESSAGES[name])
        assert not is_valid(changed, SCHEMAS[name])


@given(st.from_regex(r"-?[0-9]{0,3}[.,]?[0-9]{0,3}", fullmatch=True) | st.text(max_size=6))
def test_the_schema_of_money_is_the_money_of_the_law(text: str) -> None:
    try:
        cents(text)
        right = True
    except MoneyError:
        right = False
    assert is_valid(text, Dollars().schema({})) is (right and not text.endswith("\n"))


@pytest.mark.parametrize("name", MESSAGES)
def test_every_message_and_every_part_says_what_it_is(name: str) -> None:
    said = SCHEMAS[name]
    assert said["$id"] == f"urn:felt:wire:{name}"
    for each in (said, *said.get("$defs", {}).values()):
        assert each["description"] and not each["description"].startswith(f"{each['title']}("), "a docstring of its own"
        assert each["additionalProperties"] is False


@pytest.mark.parametrize("name", MESSAGES)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_answered(name: str, payload: bytes) -> None:
    with pytest.raises(WireError):
        read(payload, MESSAGES[name])


def test_a_payload_of_the_largest_size_is_read() -> None:
    head = b'{"a":"'
    assert object_in(head + b"x" * (PAYLOAD_MAX - len(head) - 2) + b'"}')
    with pytest.raises(WireError, match="a message has at most 65536"):
        object_in(head + b"x" * (PAYLOAD_MAX - len(head) - 1) + b'"}')
