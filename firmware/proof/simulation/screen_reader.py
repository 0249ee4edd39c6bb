"""Reading the glass: what the dealer's screen tells hands to do, from its words alone.

Nothing here knows how a screen is made or what the table holds. An amount is the text `$1,234.50`, a seat is the text
`seat 3`; a key is known by the word that it sends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from firmware.rules.message import Message
from ui.dealer.widgets import Widget
from ui.words import ENGLISH, Words

MONEY = re.compile(r"\$(\d[\d,]*)(?:\.(\d\d))?")
SEAT = re.compile(r"\bseat (\d+)", re.IGNORECASE)
DECK = re.compile(r"^(.+) \(no\. (\d+)\)$")
IN_PLAY = ENGLISH(Message("rail.in-play"))
_CHIPS = re.compile(r"(\d+) × (?:\$(\d[\d,]*)|(\d+)¢)")
_WITHOUT = re.compile(r"(\$\d[\d,]*(?:\.\d\d)?) left over")
_PAY, _TAKE = (re.compile(rf"\b{word} (\$\d[\d,]*(?:\.\d\d)?)", re.IGNORECASE) for word in ("pay", "take"))


class Remembering(Words):
    """The English, put together once for each message."""

    def __init__(self) -> None:
        super().__init__("en")
        self._said: dict[Message, str] = {}

    def __call__(self, message: Message | str) -> str:
        """The text of a message."""
        if isinstance(message, str):
            return message
        said = self._said.get(message)
        if said is None:
            if len(self._said) > 20_000:
                self._said.clear()
            said = self._said[message] = super().__call__(message)
        return said


@dataclass(frozen=True, slots=True)
class Glass:
    """One screen as people read it. `said`: widget -> its lines; `keys`: the word that a key sends -> its widget; `seats`:
    the word -> whose turn that key settles last, or whose prize it names.
    """

    name: str
    said: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, str]
    seats: Mapping[str, int] = field(default_factory=dict)

    @property
    def primary(self) -> str:
        """The word that the primary key sends, "" where it sends none."""
        return next((word for word, widget in self.keys.items() if widget == "primary"), "")

    @property
    def words(self) -> str:
        """All that it says, in one line."""
        return " | ".join(" / ".join(lines) for lines in self.said.values())

    def text(self, widget: str) -> str:
        """A widget's words in one line."""
        return " ".join(self.said.get(widget, ()))

    def tile(self, seat: int) -> tuple[str, ...]:
        """The words of a seat's tile below its number."""
        return self.said.get(f"seat-{seat}", ("",))[1:]


class Row(NamedTuple):
    """One wager of a seat that is settled: what to take of it and what to pay on top, in cents."""

    wager: str
    take: int
    pay: int


def glass_of(name: str, widgets: Iterable[Widget], words: Words) -> Glass:
    """A screen as it is read."""
    shown = tuple(widgets)
    said = {
        one.id: tuple([said if isinstance(said := line.said, str) else words(said) for line in one.lines])
        for one in shown
    }
    keys = {one.press: one.id for one in shown if one.press}
    return Glass(name, said, keys, {one.press: one.seat for one in shown if one.press and one.seat})


def cents(text: str) -> int:
    """The first amount in a text, 0 for none."""
    return next(amounts(text), 0)


def amounts(text: str) -> Iterator[int]:
    """Every amount in a text."""
    for found in MONEY.finditer(text):
        yield int(found[1].replace(",", "")) * 100 + int(found[2] or 0)


def to_take(text: str) -> int:
    """`take $15`, in cents; 0 where nothing is to be taken."""
    return sum(cents(found[1]) for found in _TAKE.finditer(text))


def to_pay(text: str) -> int:
    """`pay $15`, in cents; 0 where nothing is to be paid."""
    return sum(cents(found[1]) for found in _PAY.finditer(text))


def in_chips(text: str) -> int:
    """The sum of a recipe of chips, `2 × $100 + 1 × $25 + $0.40 left over`, in cents; 0 for none."""
    chips = sum(
        int(found[1]) * (cents(f"${found[2]}") if found[2] else int(found[3])) for found in _CHIPS.finditer(text)
    )
    return chips + sum(cents(found[1]) for found in _WITHOUT.finditer(text))


def seat_in(text: str) -> int:
    """The first seat that a text names, 0 for none."""
    found = SEAT.search(text)
    return int(found[1]) if found else 0


def rows(glass: Glass, names: Mapping[str, str]) -> tuple[Row, ...]:
    """The wagers that a screen settles, in its order. `names`: what a wager is called -> the wager."""
    return tuple(
        Row(_called(left, names), to_take(right), to_pay(right))
        for widget in sorted(one for one in glass.said if one == "lines" or one.startswith("lines-"))
        for left, right in zip(glass.said[widget][::2], glass.said[widget][1::2], strict=True)
    )


def _called(text: str, names: Mapping[str, str]) -> str:
    """The wager that a row is about: the longest name that it begins with."""
    found = [name for name in names if text.lower().startswith(name.lower())]
    return names[max(found, key=len)] if found else text


def named_in(text: str, names: Mapping[str, str]) -> frozenset[str]:
    """Every wager that a text names."""
    return frozenset(wager for name, wager in names.items() if name.lower() in text.lower())


def decks(glass: Glass) -> Mapping[int, str]:
    """Number -> color of the decks at the table."""
    return {int(found[2]): found[1] for line in _rail(glass) if (found := DECK.match(line))}


def deck_in_play(glass: Glass) -> int:
    """The number of the deck that is dealt from, 0 for none."""
    lines = _rail(glass)
    for line, mark in pairwise(lines):
        if mark == IN_PLAY and (found := DECK.match(line)):
            return int(found[2])
    return 0


def _rail(glass: Glass) -> tuple[str, ...]:
    return glass.said.get("rail-decks", ())
