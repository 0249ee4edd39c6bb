"""Cards are tapped in, two taps a card: the five of a share of a meter, or all that a hand needs at assist level 2."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.table import events as e
from firmware.table.state import Entry, Phase, TableState

RANKS = "AKQJT98765432"
SUITS = "shdc"
HAND_CARDS = 5


def entry_of(state: TableState) -> Entry:
    """The cards that are being entered: of a prize, or of the hand whose turn it is."""
    if state.phase is Phase.HAND:
        return state.game.entry
    prize = state.seat(state.turn).prize
    assert prize is not None, "a phase of settling a prize without a prize"
    return Entry(("seat",) * HAND_CARDS, prize.cards, prize.rank, prize.slot)


def tap_rank(state: TableState, rank: str, word: str) -> Iterator[e.Event]:
    """A rank; its suit comes next."""
    entry = entry_of(state)
    if rank not in RANKS or len(rank) != 1:
        yield e.PressRefused(word, f"{rank!r} is no rank.")
    elif entry.slot >= len(entry.want):
        yield e.PressRefused(word, "All cards are entered: tap the one to replace.")
    else:
        yield e.CardTapped(entry.cards, rank, entry.slot)


def tap_suit(state: TableState, suit: str, word: str) -> Iterator[e.Event]:
    """The suit of the rank before it: one card is entered, the next empty place is next."""
    entry = entry_of(state)
    card = entry.rank + suit
    if suit not in SUITS or len(suit) != 1:
        yield e.PressRefused(word, f"{suit!r} is no suit.")
    elif not entry.rank:
        yield e.PressRefused(word, "Tap the rank first, then the suit.")
    elif card in _others(entry):
        yield e.PressRefused(word, f"{card} is entered already.")
    else:
        cards = (*entry.cards[: entry.slot], card, *entry.cards[entry.slot + 1 :])
        yield e.CardTapped(cards, "", len(cards))


def tap_slot(state: TableState, slot: int) -> Iterator[e.Event]:
    """Replace the card of this place."""
    entry = entry_of(state)
    if slot <= len(entry.cards):
        yield e.CardTapped(entry.cards, "", slot)


def tap_back(state: TableState) -> Iterator[e.Event]:
    """Take back one tap: the rank, or the last card."""
    entry = entry_of(state)
    if entry.rank:
        yield e.CardTapped(entry.cards, "", entry.slot)
    elif entry.cards:
        yield e.CardTapped(entry.cards[:-1], "", len(entry.cards) - 1)


def _others(entry: Entry) -> tuple[str, ...]:
    return tuple(card for place, card in enumerate(entry.cards) if place != entry.slot)
