"""The draws at "no more bets" for the Five Card Hand bonus, by the operating system's cryptographic generator."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from firmware.rules.cards import DECK
from firmware.table.house import Drawing
from firmware.table.inputs import Chance

Below = Callable[[int], int]
"""One of 0 to n - 1, each as likely as any other (`secrets.randbelow` rejects what would favor some)."""


def draw(drawing: Drawing, seats: int, below: Below = secrets.randbelow) -> Chance:
    """A card of 52, a position of 0 (the dealer) to `seats`, and whether this round is one in which each is drawn."""
    return Chance(
        magic_card=DECK[below(len(DECK))],
        lucky=below(seats + 1),
        magic=_this_round(drawing.magic_one_in, below),
        luck=_this_round(drawing.lucky_one_in, below),
    )


def _this_round(one_in: int, below: Below) -> bool:
    return one_in > 0 and below(one_in) == 0
