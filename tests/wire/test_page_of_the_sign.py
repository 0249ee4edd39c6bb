"""What the sign's page gets is what its schema says, and the page's script asks for nothing else."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC
from datetime import time as time_of_day
from importlib import resources
from typing import Any
from urllib.request import urlopen

import pytest

from firmware.rules.money import cents
from firmware.wire.from_bank import Board, Heartbeat, Meter, Pending, Won
from firmware.wire.payload import write
from firmware.wire.records import document, plan
from firmware.wire.schema import schema
from firmware.wire.to_page import MeterShown, PageShows, PageWaits, PendingShown, Stale, WinShown, WinToday
from tests.wire.validator import is_valid
from ui.sign.board import SignBoard
from ui.sign.server import SignServer

AT = "2026-11-21T14:07:05.123Z"
EPOCH = "e" * 32
SCRIPT = (resources.files("ui.sign") / "page" / "sign.mjs").read_text(encoding="utf-8")


def board() -> bytes:
    """One meter being verified, another just won."""
    meters = (
        Meter("main", "Jackpot", cents("10000.42"), cents("10000.00"), 3, cents("10000.42")),
        Meter("five_card", "Five Card", cents("13000.00"), cents("10000.00"), 1, cents("13000.00")),
    )
    pending = (Pending("uth-04:12:3:18", "main", "uth-04", cents("9001.41"), AT),)
    won = (Won("uth-05:9:1:7", "five_card", "uth-05", 1, "royal flush", cents("12000.00"), cents("10000.00"), AT),)
    return write(Board(EPOCH, 7, AT, "Progressive", ("uth-04", "uth-05"), meters, pending, won))


def told() -> SignBoard:
    sign = SignBoard(0.0, time_of_day(6), UTC)
    sign.alive(write(Heartbeat("felt", EPOCH, True, AT, 7)), 0.0)
    sign.meters(board(), 0.0)
    return sign


def arrives(page: PageShows | PageWaits) -> Any:
    """What the browser reads off the event stream."""
    server = SignServer("127.0.0.1", 0, time.monotonic)
    try:
        server.publish(document(page))
        with urlopen(f"http://127.0.0.1:{server.address[1]}/events", timeout=10) as stream:
            line = next(line for line in stream if line.startswith(b"data: "))
    finally:
        server.close()
    return json.loads(line.removeprefix(b"data: "))


def test_a_board_arrives_at_the_page_as_its_schema_says() -> None:
    news = arrives(told().page(3.0))
    assert news.keys() == {"age_ms", "board"}
    assert is_valid(news["board"], schema("page-shows"))
    assert news["board"]["pending"] == [{"meter": "main", "cents": 900_141}]
    assert news["board"]["won"][0]["cents"] == news["board"]["today"][0]["cents"] == 1_200_000


def test_a_sign_that_waits_says_so_as_its_schema_says() -> None:
    news = arrives(SignBoard(0.0, time_of_day(6)).page(3.0))
    assert is_valid(news["board"], schema("page-waits"))
    assert not is_valid(news["board"], schema("page-shows"))


def keys(*kinds: Any) -> set[str]:
    return {field.name for kind in kinds for field in plan(kind).fields}


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (r"\b(?:news|board)\.(\w+)", keys(PageShows) | {"at"}),  # `at` is the page's own, when the board arrived
        (r"\b(?:win|first)\.(\w+)", keys(WinShown, WinToday)),
        (r"\{ (\w+), (\w+)(?:, (\w+))?(?:, (\w+))? \}(?: of |, tier)", keys(MeterShown)),
        (r"\bclaim\.(\w+)", keys(PendingShown)),
        (r"map\(\(\{ (\w+), (\w+)(?:, (\w+))? \}", keys(PendingShown, WinToday)),
        (r"\b(\w+_ms)\b", keys(PageShows, Stale, WinShown) | {"age_ms"}),
    ],
    ids=["board", "win", "meter", "claim", "listed", "milliseconds"],
)
def test_the_script_asks_only_for_what_the_schema_names(asked: str, known: set[str]) -> None:
    found = {name for names in re.findall(asked, SCRIPT) for name in ([names] if isinstance(names, str) else names)}
    assert found - {""}, "the script asks for something"
    assert found - {""} <= known
