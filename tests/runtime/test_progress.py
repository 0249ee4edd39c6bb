"""A command that works longer than two seconds shows one line on a terminal, and nothing but plain lines in a file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import count

import pytest

from firmware.runtime.progress import CLEAR, line_of, shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def clock(step: float) -> Iterator[float]:
    return (step * tick for tick in count())


def written(out: io.StringIO, items: int, seconds_each: float) -> str:
    ticks = clock(seconds_each)
    assert [*shown(range(items), "row", items, out, lambda: next(ticks))] == [*range(items)]
    return out.getvalue()


def test_a_short_command_shows_nothing() -> None:
    assert written(Terminal(), 10, 0.1) == "" == written(io.StringIO(), 10, 0.1)


def test_a_terminal_has_one_line_which_is_gone_at_the_end() -> None:
    text = written(Terminal(), 5, 1.0)
    lines = text.split(CLEAR)
    assert "\n" not in text and lines[0] == lines[-1] == ""
    assert lines[1:-1] == [
        "row 2 of 5, 1.0 a second, 0:03 left",
        "row 3 of 5, 1.0 a second, 0:02 left",
        "row 4 of 5, 1.0 a second, 0:01 left",
        "row 5 of 5, 1.0 a second, 0:00 left",
    ]


def test_a_file_has_whole_lines_every_half_minute() -> None:
    assert written(io.StringIO(), 7, 10.0).splitlines() == [
        "row 3 of 7, 0.1 a second, 0:40 left",
        "row 6 of 7, 0.1 a second, 0:10 left",
    ]


@pytest.mark.parametrize(
    ("count", "total", "seconds", "line"),
    [
        (12_000, 90_000, 3.0, "row 12,000 of 90,000, 4,000 a second, 0:20 left"),
        (50, 0, 4.0, "row 50, 12 a second"),
        (9, 8, 3.0, "row 9 of 8, 3.0 a second, 0:00 left"),
    ],
)
def test_the_line(count: int, total: int, seconds: float, line: str) -> None:
    assert line_of("row", count, total, seconds) == line
