"""Pictures of the sign before, while and after wins, in a headless Chromium: `scripts/screens --sign` runs this."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC
from datetime import time as time_of_day
from pathlib import Path
from threading import Event

from firmware.config import DEFAULT_BOOK, SAMPLE
from firmware.proof.simulation.pictures import SignPictures
from firmware.rules.money import cents
from firmware.runtime.theme import shipped, theme
from firmware.wire.from_bank import Board, Heartbeat, Meter, Pending, Won
from firmware.wire.offers import MeterOffered, Offer, WagerOffered
from firmware.wire.payload import write
from firmware.wire.records import document
from ui.sign.board import SignBoard
from ui.sign.server import SignServer

SIZES = ((1920, 1080), (3840, 2160), (1080, 1920))
SETTLE_MS, AGAIN_S = 9_000, 1.0
"""Pictures that stand in documents are taken on busy machines too."""
EPOCH = "e" * 32
PAID, LATER = "2026-11-21T21:07:05.123Z", "2026-11-21T22:15:00.000Z"
SEED = cents("10000.00")
OFFERS = tuple(
    Offer(
        "0.2.0", DEFAULT_BOOK, (WagerOffered("progressive", cents("1.00"), letter),), (MeterOffered("main", SEED, 0),)
    )
    for letter in "AC"
)
"""A bank with one meter, and one with three."""
STALE_S = 60.0
"""Without a heartbeat for longer than a sign believes a silent bank."""


def meter(amount: str, name: str = "main", display_name: str = "Jackpot") -> Meter:
    """A meter that stands at so many dollars."""
    return Meter(name, display_name, cents(amount), SEED, 1, cents(amount))


def claim(amount: str, meter: str = "main", seat: int = 3) -> Pending:
    """A win that is being verified."""
    return Pending(f"{SAMPLE.table}:12:{seat}:18", meter, SAMPLE.table, cents(amount), PAID)


def won(amount: str, meter: str = "main") -> Won:
    """A win that was paid."""
    return Won(f"{SAMPLE.table}:12:3:18", meter, SAMPLE.table, 3, "royal flush", cents(amount), SEED, PAID)


def board(meters: tuple[Meter, ...], pending: tuple[Pending, ...] = (), paid: tuple[Won, ...] = ()) -> Board:
    """The board that the bank published."""
    return Board(EPOCH, 1, PAID, SAMPLE.title, (SAMPLE.table,), meters, pending, paid)


FIVE_CARD = ("five_card", "Five Card")
THREE = (meter("126418.20", "mega", "Mega"), meter("10012.34", "major", "Major"), meter("1204.75", "minor", "Minor"))


AFTER_TWO = (
    meter("113776.38", "mega", "Mega"),
    meter("10000.00", "major", "Major"),
    meter("1204.75", "minor", "Minor"),
)
"""Ten percent of the first and the whole of the second were won."""


def moments() -> Iterator[tuple[str, Board, str, float]]:
    """Name, board, the bank's time of day, and seconds without a heartbeat."""
    yield "before", board((meter("9001.41"),)), PAID, 0
    yield "pending", board((meter("10000.00"),), (claim("9001.41"),)), PAID, 0
    yield "won", board((meter("10000.21"),), paid=(won("9001.41"),)), PAID, 0
    yield "after", board((meter("10003.57"),), paid=(won("9001.41"),)), LATER, 0
    both = (claim("9001.41", seat=5), claim("1000.00", seat=2))
    yield "two-pending", board((meter("9000.00"),), both), PAID, 0
    two = (meter("50312.75", *FIVE_CARD), meter("10000.21"))
    yield "two-meters-pending", board(two, (claim("9001.41"), claim("5031.27", "five_card"))), PAID, 0
    yield "three", board(THREE), PAID, 0
    yield "three-pending", board(AFTER_TWO, (claim("12641.82", "mega"), claim("10012.34", "major"))), PAID, 0
    yield "paused", board((meter("10003.57"),), paid=(won("9001.41"),)), LATER, STALE_S


def draw(folder: Path) -> None:
    """Every moment in every size, the shipped themes in folders of their own."""
    for look in ("", *shipped()):
        draw_in(folder / look, look)


def draw_in(folder: Path, look: str, sizes: Sequence[tuple[int, int]] = SIZES, only: str = "") -> None:
    """Every moment, or `only` this one, in every size in one theme."""
    with closing(SignServer("127.0.0.1", 0, time.monotonic, theme=theme(look))) as server:
        for name, told, now, silence in moments():
            if only not in ("", name):
                continue
            sign = SignBoard(0.0, time_of_day(6), UTC)
            sign.meters(write(told), 0.0, retained=True)
            sign.alive(write(Heartbeat("felt", EPOCH, True, now, 1, offer=OFFERS[len(told.meters) == 3])), 0.0)
            for size in sizes:
                made = folder / f"{size[0]}x{size[1]}"
                made.mkdir(parents=True, exist_ok=True)
                pictures = SignPictures(f"http://127.0.0.1:{server.address[1]}/", made, size, SETTLE_MS)
                if not pictures.possible:
                    sys.exit("scripts/screens: no Chromium on this machine; the sign is not drawn")
                with _said_again(server, document(sign.page(silence))):
                    pictures.take(name)


@contextmanager
def _said_again(server: SignServer, page: dict[str, object]) -> Iterator[None]:
    """A page that hears nothing for long says so, and a busy machine is slow to draw it."""
    over = Event()

    def says() -> None:
        server.publish(page)
        while not over.wait(AGAIN_S):
            server.publish(page)

    with ThreadPoolExecutor(1) as voice:
        told = voice.submit(says)
        try:
            yield
        finally:
            over.set()
            told.result()
