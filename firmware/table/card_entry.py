"""Cards are tapped in, two taps a card: the five of a share of a meter, or all that a hand needs at assist level 2."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.message import say
from firmware.table import events as e
from firmware.table.house import Table
from firmware.table.press import Press
from firmware.table.state import HAND_CARDS, Entry, Phase, TableState

RANKS = "AKQJT98765432"
SUITS = "shdc"


def entry_of(state: TableState) -> Entry:
    """The cards that are being entered: of a prize, or of the hand whose turn it is."""
    if state.phase is Phase.HAND:
        return state.round.entry
    prize = state.seat(state.round.turn).prize
    assert prize is not None, "a phase of settling a prize without a prize"
    return Entry(("seat",) * HAND_CARDS, prize.cards, prize.rank, prize.slot)


def tap_rank(table: Table, press: Press) -> Iterator[e.Event]:
    """A rank; its suit comes next."""
    entry, rank = entry_of(table.state), press.rest
    if rank not in RANKS or len(rank) != 1:
        yield press.refused(say("entry.no-rank", given=rank))
    elif entry.slot >= len(entry.want):
        yield press.refused(say("entry.all"))
    else:
        yield e.CardTapped(entry.cards, rank, entry.slot)


def tap_suit(table: Table, press: Press) -> Iterator[e.Event]:
    """The suit of the rank before it: one card is entered, the next empty place is next."""
    entry, suit = entry_of(table.state), press.rest
    card = entry.rank + suit
    if suit not in SUITS or len(suit) != 1:
        yield press.refused(say("entry.no-suit", given=suit))
    elif not entry.rank:
        yield press.refused(say("entry.rank-first"))
    elif card in _others(entry):
        yield press.refused(say("entry.twice", card=card))
    else:
        cards = (*entry.cards[: entry.slot], card, *entry.cards[entry.slot + 1 :])
        yield e.CardTapped(cards, "", len(cards))


def tap_slot(table: Table, press: Press) -> Iterator[e.Event]:
    """Replace the card of this place."""
    entry = entry_of(table.state)
    slot = press.number - 1
    if slot <= len(entry.cards):
        yield e.CardTapped(entry.cards, "", slot)


def _others(entry: Entry) -> tuple[str, ...]:
    return tuple(card for place, card in enumerate(entry.cards) if place != entry.slot)
