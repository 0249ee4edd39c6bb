"""The shuffler's wire: what is said is heard, whatever else is on the line; docs/shuffler.md tells the truth."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.frames import Refused, checksum, stuff, unstuff
from hal.ports import ShufflerStatus
from hal.shuffler.codec import (
    DECKS,
    FAULTS,
    FRAME_MAX,
    MODES,
    Acknowledge,
    Decoder,
    Encoder,
    Message,
    Query,
)

READY = ShufflerStatus(True, "felt-emulator-1", "ready", 52, "blue", "", 0, 0)

STATUSES = st.builds(
    ShufflerStatus,
    connected=st.just(True),
    unit=st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=24),
    mode=st.sampled_from(MODES),
    count=st.none() | st.integers(0, 254),
    deck=st.sampled_from(DECKS),
    fault=st.sampled_from(FAULTS),
    alarm=st.integers(0, 65535),
    acknowledged=st.integers(0, 65535),
)
MESSAGES = st.one_of(STATUSES, st.just(Query()), st.builds(Acknowledge, st.integers(0, 65535)))


def both_ways() -> Decoder:
    return Decoder(ShufflerStatus, Query, Acknowledge)


def heard(decoder: Decoder, *received: bytes) -> list[Message]:
    return [message for chunk in received for message in decoder.feed(chunk) if not isinstance(message, Refused)]


def refused(decoder: Decoder, *received: bytes) -> list[str]:
    return [message.text for chunk in received for message in decoder.feed(chunk) if isinstance(message, Refused)]


@given(st.binary(max_size=250))
def test_stuffed_bytes_hold_no_zero_and_come_back(plain: bytes) -> None:
    assert b"\0" not in stuff(plain)
    assert unstuff(stuff(plain)) == plain


@given(st.lists(MESSAGES, max_size=20), st.integers(1, 70))
def test_what_is_said_is_heard_however_the_line_cuts_it(messages: list[Message], piece: int) -> None:
    encoder = Encoder()
    line = b"".join(encoder.encode(message) for message in messages)
    pieces = [line[at : at + piece] for at in range(0, len(line), piece)]
    decoder = both_ways()
    assert [message for part in pieces for message in decoder.feed(part)] == messages


def test_a_count_of_frames_runs_round_for_ever() -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    for _ in range(1000):
        assert list(decoder.feed(encoder.encode(READY))) == [READY]


@given(STATUSES, st.binary(min_size=1, max_size=300), STATUSES)
def test_after_garbage_the_next_valid_frame_works(
    before: ShufflerStatus, garbage: bytes, after: ShufflerStatus
) -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    assert heard(decoder, encoder.encode(before)) == [before]
    said = [*decoder.feed(garbage), *decoder.feed(encoder.encode(after))]
    assert said[-1] == after
    runs = [run for run in garbage.split(b"\0") if run]
    assert len(said) == len(runs) + 1
    assert all(isinstance(message, Refused) for message in said[:-1])


@given(STATUSES, st.data())
def test_one_changed_byte_is_refused_once(status: ShufflerStatus, data: st.DataObject) -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    frame = bytearray(encoder.encode(status))
    at = data.draw(st.integers(1, len(frame) - 2))
    frame[at] = data.draw(st.integers(1, 255).filter(lambda byte: byte != frame[at]))
    said = [*decoder.feed(bytes(frame)), *decoder.feed(encoder.encode(READY))]
    assert len(said) == 2
    assert isinstance(said[0], Refused)
    assert said[1] == READY


@given(STATUSES, st.data())
def test_a_truncated_frame_spoils_only_itself(status: ShufflerStatus, data: st.DataObject) -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    frame = encoder.encode(status)
    said = list(decoder.feed(frame[: data.draw(st.integers(2, len(frame) - 2))] + encoder.encode(READY)))
    assert len(said) == 2
    assert isinstance(said[0], Refused)
    assert said[1] == READY


def test_a_checksum_that_ends_in_a_zero_does_not_let_a_cut_frame_pass() -> None:
    """Of a thousand checksums some end in a zero, which COBS puts into a run of its own."""
    zeros = 0
    for alarm in range(1024):
        frame = Encoder().encode(ShufflerStatus(True, "unit", "ready", 52, "blue", "", alarm, 0))
        zeros += frame[-2] == 1
        decoder = Decoder(ShufflerStatus)
        assert len(refused(decoder, frame[:-2] + b"\0")) == 1
    assert zeros > 0


@given(st.lists(st.integers(2, 19), unique=True, min_size=1))
def test_repeated_and_late_frames_are_refused_and_the_newest_status_stands(disturbed: list[int]) -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    frames = [encoder.encode(ShufflerStatus(True, "u", "ready", n, "", "", 0, 0)) for n in range(21)]
    newest, count = -1, 0
    for number in [number for n in range(20) for number in ([n, n, n - 1] if n in disturbed else [n])] + [20]:
        for message in decoder.feed(frames[number]):
            if isinstance(message, Refused):
                count += 1
            else:
                assert isinstance(message, ShufflerStatus)
                assert message.count is not None and message.count > newest
                newest = message.count
    assert newest == 20
    assert count == 2 * len(disturbed)


def test_reordered_frames_are_told_apart() -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    first, second, third, fourth, fifth = (encoder.encode(READY) for _ in range(5))
    assert refused(decoder, first, second) == []
    assert refused(decoder, fourth) == ["1 frames before number 3 are missing"]
    assert refused(decoder, third) == ["frame number 2 came after number 3: too late"]
    assert refused(decoder, fourth) == ["frame number 3 came twice"]
    assert list(decoder.feed(fifth)) == [READY]


def test_a_unit_that_was_switched_on_again_is_heard_at_once() -> None:
    decoder = Decoder(ShufflerStatus)
    encoder = Encoder()
    for _ in range(200):
        heard(decoder, encoder.encode(READY))
    for _ in range(2):  # and again, before it said anything else
        assert list(decoder.feed(Encoder().encode(READY))) == [READY]


def test_after_a_reconnection_any_number_is_taken() -> None:
    encoder, decoder = Encoder(), Decoder(ShufflerStatus)
    frames = [encoder.encode(READY) for _ in range(200)]
    heard(decoder, frames[190])
    decoder.forget()
    assert list(decoder.feed(frames[100])) == [READY]


def frame(kind: int, sequence: int, body: bytes) -> bytes:
    plain = bytes([kind, sequence]) + body
    return b"\0" + stuff(plain + checksum(plain)) + b"\0"


@pytest.mark.parametrize(
    ("received", "says"),
    [
        pytest.param(frame(0x01, 1, b"\x02\x05\x34\x01\x00\x00\x00\x00\x00u"), "speaks version 2", id="version"),
        pytest.param(frame(0x01, 1, b"\x01\x0b\x34\x01\x00\x00\x00\x00\x00u"), "mode 11", id="mode"),
        pytest.param(frame(0x01, 1, b"\x01\x05\x34\x03\x00\x00\x00\x00\x00u"), "deck 3", id="deck"),
        pytest.param(frame(0x01, 1, b"\x01\x05\x34\x01\x09\x00\x00\x00\x00u"), "fault 9", id="fault"),
        pytest.param(frame(0x01, 1, b"\x01\x05\x34\x01\x00\x00\x00\x00\x00"), "too short", id="no identity"),
        pytest.param(frame(0x01, 1, b"\x01\x05\x34\x01\x00\x00\x00\x00\x00\x07"), "printable", id="bell as identity"),
        pytest.param(
            frame(0x01, 1, b"\x01\x05\x34\x01\x00\x00\x00\x00\x00" + b"u" * 25), "1 to 24", id="long identity"
        ),
        pytest.param(frame(0x82, 1, b"\x01"), "0x82 with 1 bytes", id="half an alarm number"),
        pytest.param(frame(0x82, 1, b"\x00\x01"), "Acknowledge came, which this end only sends", id="own words"),
        pytest.param(frame(0x7F, 1, b""), "0x7f with 0 bytes", id="unknown type"),
        pytest.param(b"\0" + stuff(b"\x01") + b"\0", "1 bytes is too short", id="tiny"),
        pytest.param(b"\0\x09ab\0", "cut short", id="cut"),
        pytest.param(b"\0" + b"\x55" * (FRAME_MAX + 1) + b"\0", "check baud rate", id="noise"),
    ],
)
def test_what_is_refused_says_why_and_the_next_frame_works(received: bytes, says: str) -> None:
    decoder = Decoder(ShufflerStatus)
    (text,) = refused(decoder, received)
    assert says in text
    assert list(decoder.feed(Encoder().encode(READY))) == [READY]


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (ShufflerStatus(True, "", "ready", 52, "", "", 0, 0), "unit ''"),
        (ShufflerStatus(True, "ü" * 25, "ready", 52, "", "", 0, 0), "1 to 24"),
        (ShufflerStatus(True, "u", "ready", 255, "", "", 0, 0), "count 255"),
    ],
)
def test_what_the_wire_cannot_say_is_not_said(status: ShufflerStatus, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Encoder().encode(status)


def test_the_wire_cannot_express_the_face_of_a_card() -> None:
    """What leaves a shuffler: an identity, a mode, a number of cards, a back color, a fault and alarm numbers."""
    assert [field.name for field in fields(ShufflerStatus)] == [
        "connected", "unit", "mode", "count", "deck", "fault", "alarm", "acknowledged",
    ]  # fmt: skip
    assert set(DECKS) == {"", "blue", "red"}


DOCUMENT = (Path(__file__).parents[2] / "docs" / "shuffler.md").read_text()


@pytest.mark.parametrize(
    ("words", "message", "before"),
    [
        ("STATUS, ready with 52 blue cards", READY, 0),
        (
            "STATUS, door open, alarm 3 not acknowledged",
            ShufflerStatus(True, "unit-7", "fault", None, "red", "door", 3, 2),
            1,
        ),
        ("QUERY", Query(), 0),
        ("ACKNOWLEDGE of alarm 3", Acknowledge(3), 1),
    ],
)
def test_the_examples_of_the_document_are_true(words: str, message: Message, before: int) -> None:
    encoder = Encoder()
    for _ in range(before):
        encoder.encode(Query())
    line = next(line for line in DOCUMENT.splitlines() if words in line and line.startswith("    "))
    shown = bytes.fromhex("".join(re.findall(r"\b[0-9a-f]{2}\b", line.split("  ")[2])))
    assert shown == encoder.encode(message)
    assert heard(both_ways(), shown) == [message]
