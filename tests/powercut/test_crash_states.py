"""What may lie on a disk after a cut is neither more nor less than its log allows: on logs that are written here by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.powercut.crash import LIAR_HOLDS_NS, PAGE, RECORD, SECTOR, WAYS, Cutter, Record, read_log

SIZE = 8 * PAGE


def sector(letter: str) -> bytes:
    return letter.encode() * SECTOR


def write(at_ns: int, first: int, letters: str, kind: str = "W") -> Record:
    return Record(kind, at_ns, first * SECTOR, b"".join(map(sector, letters)))


def flush(at_ns: int, kind: str = "F") -> Record:
    return Record(kind, at_ns, 0, b"")


def found(log: list[Record], at_ns: int, way: str, tmp_path: Path, seed: int = 0) -> str:
    """The first eight sectors as letters, after a cut at that time."""
    cutter = Cutter(log, SIZE)
    cutter.go_to(at_ns)
    cutter.cut(way, random.Random(seed)).write(tmp_path / "image")
    content = (tmp_path / "image").read_bytes()
    assert len(content) == SIZE
    places = [content[place : place + SECTOR] for place in range(0, 8 * SECTOR, SECTOR)]
    assert all(len(set(one)) == 1 for one in places), "a sector is whole, old or new"
    return "".join(chr(one[0]) if one[0] else "." for one in places)


def every(log: list[Record], at_ns: int, way: str, tmp_path: Path) -> set[str]:
    return {found(log, at_ns, way, tmp_path, seed) for seed in range(200)}


LOG = [write(1, 0, "aaaa"), flush(2), write(3, 0, "bb"), write(4, 1, "cc")]


@pytest.mark.parametrize("way", WAYS)
def test_what_was_flushed_is_there_whatever_becomes_of_the_rest(way: str, tmp_path: Path) -> None:
    assert every(LOG, 2, way, tmp_path) == {"aaaa...."}
    assert all(one[3] == "a" for one in every(LOG, 9, way, tmp_path))


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_there_that_was_written_after_the_cut(way: str, tmp_path: Path) -> None:
    assert every(LOG, 0, way, tmp_path) == {"........"}
    assert not any("c" in one for one in every(LOG, 3, way, tmp_path))


WANTED: Mapping[str, set[str]] = {
    "none": {"aaaa...."},
    "all": {"bcca...."},
    "dropped": {first + second + third + "a...." for first in "ab" for second in "abc" for third in "ac"},
    "reordered": {first + second + third + "a...." for first in "ab" for second in "abc" for third in "ac"},
    "torn": {"aaaa....", "baaa....", "abaa....", "bbaa....", "bcaa....", "bbca....", "bcca...."},
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_reaches_every_state_that_it_allows_and_no_other(way: str, tmp_path: Path) -> None:
    assert every(LOG, 9, way, tmp_path) == WANTED[way]


@pytest.mark.parametrize("way", WAYS)
def test_a_write_with_fua_is_durable_and_no_older_one_comes_over_it(way: str, tmp_path: Path) -> None:
    log = [write(1, 0, "ab"), write(2, 1, "U", "U")]
    assert all(one[1] == "U" for one in every(log, 2, way, tmp_path))


def test_a_disk_that_ignores_flushes_forgets_what_it_had_not_yet_put_away(tmp_path: Path) -> None:
    late = LIAR_HOLDS_NS + 2
    log = [write(1, 0, "a"), write(late - 1, 1, "b"), flush(late, "L")]
    assert found(log, late, "none", tmp_path) == "a......."
    assert found([*log[:2], flush(late)], late, "none", tmp_path) == "ab......"


def test_a_log_is_read_as_far_as_its_last_whole_record(tmp_path: Path) -> None:
    path = tmp_path / "log"
    lines = [RECORD.pack(one.kind.encode(), one.at_ns, one.offset, len(one.content)) + one.content for one in LOG]
    path.write_bytes(b"".join(lines) + lines[-1][:-1])
    assert read_log(path) == LOG
