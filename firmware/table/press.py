"""A key that was pressed, read once: its verb, and the seat, number or words that go with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from firmware.rules.approvals import Act
from firmware.rules.message import Message
from firmware.table import events as e
from firmware.table.house import Table
from firmware.table.inputs import Pressed
from firmware.table.state import HAND_CARDS, Phase, TableState

Events = Iterator[e.Event]


class Argument(Enum):
    """The argument of a verb."""

    NOTHING = "nothing"
    SEAT = "seat"
    SPOT = "sensor"
    SEAT_WORDS = "seat and words"
    WORDS = "words"
    COUNT = "count"
    CARDS = "cards"
    CENTS = "cents"
    SLOT = "slot"


CARDS_MOST, CENTS_MOST = 999, 99_999_999

ARGUMENTS: Mapping[str, Argument] = {
    **dict.fromkeys(("seat", "box", "same-player", "left", "account", "raise"), Argument.SEAT),
    **dict.fromkeys(("stakes", "correct", "envy"), Argument.SEAT_WORDS),
    "sensor": Argument.SPOT,
    "count": Argument.COUNT,
    "emptied": Argument.CARDS,
    "chips": Argument.CENTS,
    "slot": Argument.SLOT,
    **dict.fromkeys(
        (
            "problem",
            "settle",
            "reopen",
            "choose",
            "row",
            "dealer",
            "dealer-row",
            "hand",
            "five",
            "answer",
            "rank",
            "suit",
            "royal",
        ),
        Argument.WORDS,
    ),
}
"""Verb -> what follows it; nothing, where it is not named."""


class Press(NamedTuple):
    """A press with its parts. `number`: a seat, a count, cents or a place in a row of cards, 0 where there is none.

    `rest`: the words after the verb, or after the seat. `by`: the badge whose PIN was right on this very screen, or "".
    `at`: the time of day, seconds of UTC. `day`: the gaming day by the house's clock. `tried`: nobody has pressed it, and
    only whether it is refused is asked, so that a reason may be short.
    """

    word: str
    verb: str
    rest: str = ""
    number: int = 0
    by: str = ""
    at: int = 0
    day: str = ""
    tried: bool = False

    def refused(self, why: Message, act: Act | None = None) -> e.PressRefused:
        """The event of a press that may not be. `act`: somebody else has to sign for it."""
        return e.PressRefused(self.word, why, self.by, act)


Key = Callable[[Table, Press], Events]
"""The deed of a key."""


def parse(state: TableState, given: Pressed, *, tried: bool = False) -> Press | None:
    """The press with its parts; None where what follows the verb does not exist at this table."""

    def press(rest: str = "", number: int = 0) -> Press:
        return Press(given.word, verb, rest, number, given.by, given.at, given.day, tried)

    verb, _, rest = given.word.partition(" ")
    kind = ARGUMENTS.get(verb, Argument.NOTHING)
    if kind is Argument.WORDS:
        return press(rest)
    if kind is Argument.NOTHING:
        return None if rest else press()
    first, _, words = rest.partition(" ")
    if kind is Argument.SEAT_WORDS and not rest:
        return press()
    if words and kind is not Argument.SEAT_WORDS:
        return None
    number = _number(first, *bounds(state, kind))
    return None if number is None else press(words, number)


def bounds(state: TableState, kind: Argument) -> tuple[int, int]:
    """The lowest and the highest number that there is."""
    seats = len(state.round.seats)
    match kind:
        case Argument.COUNT:
            return 0, seats
        case Argument.SPOT:
            return 1, len(state.felt.sensors)
        case Argument.CARDS:
            return 0, CARDS_MOST
        case Argument.CENTS:
            return 1, CENTS_MOST
        case Argument.SLOT:
            return 1, len(state.round.entry.want) if state.phase is Phase.HAND else HAND_CARDS
        case _:
            return 1, seats


def _number(text: str, lowest: int, highest: int) -> int | None:
    there = text.isascii() and text.isdecimal() and len(text) <= len(str(highest)) and lowest <= int(text) <= highest
    return int(text) if there else None
