"""The pictures of docs/screens.md: how a screen was, at the left, and how it is now: `scripts/screens --before-after`.

What was is kept from the picture that is there; what is now is drawn. A picture is written only where it changed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pygame
from small_png import save_small

from firmware.config import DEFAULT_BOOK
from tests.ui.test_screens import cards_come
from tests.ui.walk import HOUSES, Walk
from ui.dealer.display import Display
from ui.dealer.panels import SEVEN_INCH

FOLDER = Path("docs/pictures/before-after")
HALF, GAP = (640, 384), 10
"""What each half measures, and what is between them, in pixels."""
NOW = {
    "accounts": "pa-653a-l0/accounts", "alarm": "pa-653a-l0/shuffler", "cut": "pa-653a-l0/cut",
    "deal": "pa-653a-l0/deal-clear", "deal-key": "pa-653a-l1/deal-next", "dealers-hand": "pa-653a-l1/reveal-asked",
    "elections": "pa-671a-l1/ask", "envy": "pa-653a-l0/envy", "fans": "pa-653a-l0/spread", "hold": "pa-653a-l0/hold",
    "left": "pa-653a-l1/left", "off": "pa-653a-l0/link-down", "open": "pa-653a-l0/open", "pay": "md-36.05.16-l0/pay",
    "problem": "pa-653a-l1/irregularity", "settle": "pa-677a-l1/settle-settled", "street": "pa-653a-l1/ask",
    "supers": "pa-671a-l1/supers", "validate": "pa-653a-l0/validate", "wagers": "pa-653a-l1/stakes",
    "wash": "pa-653a-l0/wash",
}  # fmt: skip
"""Picture -> which of the drawn screens it shows; `settle-hand` shows a round that is none of them."""
ALIKE = 12.0
"""Mean square of what differs between two halves of one screen: both have few colors."""


def redraw(drawn: Path, folder: Path) -> int:
    """Every picture whose screen looks otherwise by now, from the screens that were drawn; how many those were."""
    written = 0
    shown = {name: drawn / kind.replace("/", "/dealer-") for name, kind in NOW.items()}
    for name, screen in {**shown, "settle-hand": _hand_named(drawn)}.items():
        there = _colored(pygame.image.load(folder / f"{name}.png"))
        now = pygame.transform.smoothscale(_colored(pygame.image.load(screen.with_suffix(".png"))), HALF)
        place = pygame.Rect((HALF[0] + GAP, 0), HALF)
        if _differ(there.subsurface(place), now) < ALIKE:
            continue
        there.blit(now, place)
        with tempfile.TemporaryDirectory() as made:
            pygame.image.save(there, whole := Path(made, "whole.png"))
            save_small(whole, folder / f"{name}.png")
        written += 1
    return written


def _hand_named(drawn: Path) -> Path:
    """Seat 4 was tapped as the winner, with Trips beside its three wagers; seats 1 and 2 lost."""
    table = Walk(HOUSES[f"{DEFAULT_BOOK} 1"], 0)
    trips = ("stakes", "stakes 4", "stakes 4 trips", "chips 500", "back")
    pressed = ("box 1", "box 2", "box 4", *trips, "no-more-bets", *3 * ("next",), "dealer yes", "seat 4")
    for _ in (*cards_come(table), *table.presses(*pressed)):
        pass
    glass, picture = Display(SEVEN_INCH, "Felt"), drawn / "settle-hand.png"
    glass.draw(table.shown())
    glass.save_png(picture)
    glass.close()
    return picture


def _colored(picture: pygame.Surface) -> pygame.Surface:
    """The same with three bytes a dot: a palette can be neither scaled nor mixed."""
    plain = pygame.Surface(picture.get_size(), 0, 24)
    plain.blit(picture, (0, 0))
    return plain


def _differ(one: pygame.Surface, other: pygame.Surface) -> float:
    dots = [pygame.image.tobytes(half, "RGB") for half in (one, other)]
    squares = sum((a - b) ** 2 for a, b in zip(dots[0], dots[1], strict=True))
    return squares / len(dots[0])
