"""Cards are tapped in, two taps a card: those of a share of a meter, or all that a hand needs at assist level 2.

A hand that was named a royal flush is told by its suit alone, a straight flush by its highest card: the law of the deck
says the other four.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.hands import HandName
from firmware.rules.message import NOTHING, Message, say
from firmware.table import events as e
from firmware.table.house import Table
from firmware.table.press import Press
from firmware.table.state import Entry, Phase, Prize, TableState

RANKS = "AKQJT98765432"
SUITS = "shdc"
RUN = RANKS + "A"
"""From the highest straight down; under the two lies the ace again."""


def entry_of(state: TableState) -> Entry:
    """The cards that are being entered: of a prize, or of the hand whose turn it is."""
    if state.phase is Phase.HAND:
        return state.round.entry
    prize = _prize(state)
    count = prize.hand_cards
    return Entry(("seat",) * count, prize.cards, prize.rank, prize.slot)


def _prize(state: TableState) -> Prize:
    prize = state.seat(state.round.turn).prize
    assert prize is not None, "a phase of settling a prize without a prize"
    return prize


def tap_rank(table: Table, press: Press) -> Iterator[e.Event]:
    """A rank; its suit comes next."""
    entry, rank = entry_of(table.state), press.rest
    if why_not := no_rank(entry, rank):
        yield press.refused(why_not)
    else:
        yield e.CardTapped(entry.cards, rank, entry.slot)


def no_rank(entry: Entry, rank: str) -> Message:
    """Why this rank is not tapped now; nothing where it may be."""
    if rank not in RANKS or len(rank) != 1:
        return say("entry.no-rank", given=rank)
    return say("entry.all") if entry.slot >= len(entry.want) else NOTHING


def tap_suit(table: Table, press: Press) -> Iterator[e.Event]:
    """The suit of the rank before it: one card is entered, the next empty place is next."""
    entry, suit = entry_of(table.state), press.rest
    if why_not := no_suit(entry, suit):
        yield press.refused(why_not)
    else:
        cards = (*entry.cards[: entry.slot], entry.rank + suit, *entry.cards[entry.slot + 1 :])
        yield e.CardTapped(cards, "", len(cards))


def no_suit(entry: Entry, suit: str) -> Message:
    """Why this suit is not tapped now; nothing where it may be."""
    if suit not in SUITS or len(suit) != 1:
        return say("entry.no-suit", given=suit)
    if not entry.rank:
        return say("entry.rank-first")
    card = entry.rank + suit
    return say("entry.twice", card=card) if card in _others(entry) else NOTHING


def tap_slot(table: Table, press: Press) -> Iterator[e.Event]:
    """Replace the card of this place."""
    entry = entry_of(table.state)
    slot = press.number - 1
    if slot <= len(entry.cards):
        yield e.CardTapped(entry.cards, "", slot)


def _others(entry: Entry) -> tuple[str, ...]:
    return tuple(card for place, card in enumerate(entry.cards) if place != entry.slot)


# A prize by one card --------------------------------------------------------------------------------------------------


def by_suit(prize: Prize) -> bool:
    """A royal flush before its first card is entered: its suit says all cards."""
    return prize.hand == HandName.ROYAL_FLUSH and not prize.cards and not prize.rank


def by_high_card(prize: Prize) -> str:
    """The one card that was entered of a straight flush, where it can be the highest, else ""."""
    alone = prize.hand == HandName.STRAIGHT_FLUSH and len(prize.cards) == 1 and not prize.rank
    return (
        prize.cards[0]
        if alone and prize.cards[0][0] != "A" and len(_down_from(prize.cards[0], prize.hand_cards)) == prize.hand_cards
        else ""
    )


def _down_from(high: str, count: int) -> tuple[str, ...]:
    """So many cards of a straight flush from its highest one down; fewer where none begins there."""
    first = RUN.index(high[0])
    return tuple(rank + high[1] for rank in RUN[first : first + count])


def fewest_keys(hand: str, cards: Sequence[str]) -> tuple[str, ...]:
    """The keys that enter these cards of a prize that was named `hand`, two taps a card where one does not say it."""
    high = next((card for card in cards if set(_down_from(card, len(cards))) == set(cards)), "")
    if high[:1] == "A" and hand == HandName.ROYAL_FLUSH:
        return (f"royal {high[1]}",)
    if high[:1] not in ("", "A") and hand == HandName.STRAIGHT_FLUSH:
        return (f"rank {high[0]}", f"suit {high[1]}", "highest")
    return tuple(key for card in cards for key in (f"rank {card[0]}", f"suit {card[1]}"))


def royal(table: Table, press: Press) -> Iterator[e.Event]:
    """The suit of a royal flush."""
    prize = _prize(table.state)
    if press.rest not in SUITS or len(press.rest) != 1:
        yield press.refused(say("entry.no-suit", given=press.rest))
    elif not by_suit(prize):
        yield press.refused(say("entry.each-card"))
    else:
        yield e.CardTapped(_down_from("A" + press.rest, prize.hand_cards), "", prize.hand_cards)


def highest(table: Table, press: Press) -> Iterator[e.Event]:
    """The card that was entered is the highest of a straight flush."""
    prize = _prize(table.state)
    if high := by_high_card(prize):
        yield e.CardTapped(_down_from(high, prize.hand_cards), "", prize.hand_cards)
    else:
        yield press.refused(say("entry.each-card"))
