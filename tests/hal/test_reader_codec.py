"""The wire of a reader of chips: what is said is heard, whatever else is on the line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.frames import Frames, Refused, framed
from hal.reader.codec import CHIPS_MAX, Ask, FeltTags, Lies, Tag, frame_of, parsed

TAGS = st.builds(Tag, id=st.binary(min_size=8, max_size=8).map(bytes.hex), cents=st.integers(0, 2**32 - 1))
SAID = st.builds(
    Lies,
    seat=st.integers(0, 255),
    asked=st.integers(0, 255),
    tags=st.lists(TAGS, max_size=CHIPS_MAX, unique_by=lambda tag: tag.id).map(tuple),
)
DOLLAR = Tag("e004010000000001", 100)


@given(said=st.lists(SAID, min_size=1, max_size=4), cuts=st.lists(st.integers(1, 40)))
def test_what_is_said_is_heard_however_the_line_cuts_it(said: list[Lies], cuts: list[int]) -> None:
    codec, line, heard = FeltTags(), b"".join(map(frame_of, said)), list[object]()
    for cut in [*cuts, len(line)]:
        heard += codec.feed(line[:cut])
        line = line[cut:]
    heard += codec.feed(line)
    assert heard == said


@given(noise=st.binary(max_size=300), said=SAID)
def test_after_any_noise_the_second_frame_at_the_latest_is_heard(noise: bytes, said: Lies) -> None:
    codec = FeltTags()
    list(codec.feed(noise))
    assert said in list(codec.feed(frame_of(said) * 2))


@given(said=SAID, at=st.integers(0, 500), flip=st.integers(1, 255))
def test_a_byte_that_was_changed_on_the_wire_makes_no_other_chip(said: Lies, at: int, flip: int) -> None:
    frame = bytearray(frame_of(said))
    frame[at % len(frame)] ^= flip
    heard = [one for one in FeltTags().feed(bytes(frame) + b"\0") if isinstance(one, Lies)]
    assert heard in ([], [said])


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        (b"\x11\x02\x03\x00\x00", "speaks version 2, this table version 1"),
        (b"\x12\x01\x03\x00\x00", "type 0x12 with 5 bytes is not in version 1"),
        (b"\x11\x01\x03\x00", "type 0x11 with 4 bytes"),
        (b"\x11\x01\x03\x00\x01", "seat 3: 1 chips in 0 bytes"),
        (b"\x11\x01\x03\x00\x09" + b"\x01" * 108, "seat 3: 9 chips"),
        (b"\x11\x01\x03\x00\x02" + (bytes.fromhex(DOLLAR.id) + b"\0\0\0\x64") * 2, "seat 3: one chip twice"),
        (b"\x91\x01\x05", "a question came"),
        (b"\x91", "too short"),
    ],
)
def test_a_frame_that_is_no_message_is_refused_and_says_why(plain: bytes, says: str) -> None:
    (refused,) = FeltTags().feed(framed(plain))
    assert isinstance(refused, Refused) and says in refused.text


def test_a_question_is_what_a_reader_hears() -> None:
    assert list(parsed(Frames(), FeltTags().encode(Ask(7)))) == [Ask(7)]


def test_the_examples_of_the_document_are_the_codecs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reader.md").read_text(encoding="utf-8")
    shown = [bytes.fromhex(found) for found in re.findall(r"^    ((?:[0-9a-f]{2} )+) ", text, re.M)]
    said = [one for frame in shown for one in parsed(Frames(), frame)]
    assert said == [
        Lies(3, 7, (Tag("e004010000000011", 100),)),
        Lies(4, 7, ()),
        Lies(5, 7, (Tag("e004010000000012", 500), Tag("e0040100000000ff", 0))),
        Ask(7),
    ]


def test_noise_without_end_fills_no_memory_and_is_told_once() -> None:
    codec = FeltTags()
    heard = [one for _ in range(1_000) for one in codec.feed(b"\x55" * 100)]
    assert heard == []
    (refused,) = codec.feed(b"\0")
    assert isinstance(refused, Refused) and "without a delimiter" in refused.text
