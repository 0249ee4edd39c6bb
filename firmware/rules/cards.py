"""Cards: `"Ah"` is the ace of hearts. Outside and inside a card is this string; only `hands` knows a faster form."""

from __future__ import annotations

RANKS = "23456789TJQKA"
"""Low to high; the ace also begins A-2-3-4-5, which is `hands`' concern."""

SUITS = "cdhs"

DECK: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)

RED_SUITS = frozenset("dh")

_CARD = {card: card for card in DECK}


class CardError(ValueError):
    """Not a card; the text says what one looks like."""


def parse_card(text: object) -> str:
    """The card a text names, always the same string object for the same card. Raises CardError."""
    if type(text) is str and text in _CARD:
        return _CARD[text]
    wrong = ascii(text[:12]) if isinstance(text, str) else f"a {type(text).__name__}"
    raise CardError(f'is {wrong}; a card is a rank of {RANKS} and a suit of {SUITS}, like "Ah"')
