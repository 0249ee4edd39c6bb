"""The limits of the table: what a book may not ask of it yet, each in one sentence, said when the book is read.

A book can describe more games than the table can play. One that it cannot play is refused before a submission is read or a
table is started, and not in the middle of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.book import Book
from firmware.rules.procedure import FIVE
from firmware.rules.strict import Refusal
from firmware.rules.wager import FIVE_CARD, Placed, SettledBy, Wager

PASSES = ("streets", "elections", "supers", "draw", "reveal", "settle")
"""The stages of a round that the table knows."""
OF_FIVE_CARDS = (SettledBy.HAND, SettledBy.BEATEN, SettledBy.SIX, SettledBy.DECLARED)
"""Wagers that ask a dealer what five cards are called, as one from an account does: other hands rank otherwise."""
SEEN_MOST = 7
"""The most cards that make a hand, the player's own and the board's together."""


def refuse_unplayable(book: Book) -> None:
    """Raises Refusal with the first thing in a book that the table cannot play yet."""
    for at, why_not in (*_of_wagers(book), *_of_a_round(book), *_of_hands(book)):
        raise Refusal(f"{book.name}.{at}", why_not)


def _of_wagers(book: Book) -> Iterator[tuple[str, str]]:
    placed = [wager for wager in book.wagers.values() if not wager.deciding]
    bases = [wager.name for wager in placed if wager.required and not wager.companion]
    companions = [wager.name for wager in placed if wager.companion]
    if len(bases) != 1:
        yield (
            "wager",
            f"{_named(bases)} at every position; the table plays games with one such wager, beside its companion",
        )
    of_meters = [wager for wager in book.wagers.values() if wager.of_meter]
    by_button = [wager.name for wager in of_meters if wager.placed is Placed.ACCOUNT]
    if unknown := [name for name in by_button if name not in FIVE_CARD]:
        yield "wager", f"{_named(unknown)} from an account; the table has buttons for {', '.join(FIVE_CARD)}"
    if unplaced := [wager.name for wager in of_meters if wager.placed is Placed.BOX]:
        ways = " or ".join(one for one in Placed if one)
        yield "wager", f"{_named(unplaced)} with a meter and no way to make it; right would be placed by {ways}"
    if len(envied := [wager.name for wager in of_meters if wager.envied]) > 1:
        yield "wager", f"{_named(envied)} with envy; the table pays it for one wager"
    if len(companions) > 1:
        yield "wager", f"{_named(companions)} as companions; the table plays games with one companion, or none"


def _of_a_round(book: Book) -> Iterator[tuple[str, str]]:
    unknown = [name for name in book.passes if name not in PASSES]
    streets = book.procedure.streets
    if unknown:
        yield "passes", f"{_named(unknown)} as stages of a round; the table knows {', '.join(PASSES)}"
    if not streets or not {"streets", "elections"}.intersection(book.passes):
        yield "passes", "nobody decides anything; the table plays games in which players wager once more, or fold"
    if "streets" in book.passes and [street.last for street in streets] != [False] * (len(streets) - 1) + [True]:
        yield "procedure.street", "the last street, and no other, is one on which a player wagers or folds"
    if "settle" not in book.passes:
        yield "passes", "no hand is settled; the table settles every hand, seat by seat"


def _of_hands(book: Book) -> Iterator[tuple[str, str]]:
    procedure, cards = book.procedure, book.procedure.hand_cards
    seen = procedure.hole_cards + procedure.board_cards
    if not cards <= seen <= SEEN_MOST:
        yield "procedure", f"hands of {cards} cards from {seen}; the table makes them from {cards} to {SEEN_MOST}"
    compared = [wager.name for wager in book.wagers.values() if wager.settled_by is SettledBy.COMPARISON]
    if compared and not (procedure.dealer_cards and "reveal" in book.passes):
        yield "wager", f"{_named(compared)} against a dealer whose hand is never shown; the table compares shown hands"
    named = [wager.name for wager in book.wagers.values() if cards != FIVE and _is_of_five_cards(wager)]
    if named:
        yield (
            "wager",
            f"{_named(named)} on the name of a hand of {cards} cards; the table names hands of {FIVE} cards only",
        )


def _is_of_five_cards(wager: Wager) -> bool:
    return wager.settled_by in OF_FIVE_CARDS or wager.placed is Placed.ACCOUNT


def _named(found: Sequence[str]) -> str:
    return ", ".join(found) if found else "nothing"
