"""Common walks of the tests of decks, opening, shuffle and closing, in a dealer's words."""

from __future__ import annotations

from firmware.table import events as e
from firmware.table.procedures import COUNTS, HAND, NO_SHUFFLER, SHOE, Equipment
from tests.table.procedures.walks import locks, tells
from tests.table.table import DIAZ, Dealer, Table, house_of

ONE_BY_HAND = Equipment(SHOE, NO_SHUFFLER)
"""No machine: shuffled and cut by hand, dealt from a manual shoe."""
ONE_DECK = Equipment(HAND, COUNTS)
TWO_DECKS = Equipment(HAND, COUNTS, ("blue", "red"))
HOUR = 3_600_000


def shut(book: str, equipment: Equipment = ONE_DECK, level: int = 1) -> tuple[Table, Dealer]:
    """A table closed for gaming; everything beside it is healthy."""
    table = Table(house=house_of(book=book, level=level, equipment=equipment))
    table.restored()
    table.waits(1_100)
    assert table.phase == "shut"
    return table, Dealer(table)


def opened(book: str, equipment: Equipment = ONE_DECK, level: int = 1) -> tuple[Table, Dealer]:
    """Preinspected decks came and were cut; bets are open."""
    table = Table(house=house_of(book=book, level=level, equipment=equipment)).opens()
    return table, Dealer(table)


def washes(dealer: Dealer) -> None:
    """Decks come; inspected, verified, spread, looked at, washed and stacked (.4(a) to (c))."""
    dealer.presses("received", "inspected")
    dealer.presses("verify", by=DIAZ)
    dealer.presses("looked", "stacked")


def plays(dealer: Dealer) -> None:
    """A round in which nobody has wagered, from open bets to the cleared table."""
    locks(dealer.table, dealer)
    dealer.presses("clear")


def is_void(dealer: Dealer) -> None:
    """A round with a wrong number of cards, from open bets to the cleared table."""
    locks(dealer.table, dealer)
    tells(dealer, "wrong-number", by=DIAZ)
    dealer.presses("clear")


def next_deck_is_in(table: Table) -> None:
    """The machine has shuffled the deck that is next."""
    deck = table.state.deck
    assert deck is not None
    table.shuffles(mode="ready", count=52, deck=deck.color)


def refused(table: Table, *words: str, by: str = "") -> str:
    """Each of these presses is refused and changes nothing; the reason of the last one."""
    for word in words:
        table.press(word, by)
        assert isinstance(table.happened[-1], e.PressRefused), f"{word} led to {table.happened[-1]}"
        assert table.notice, word
    return table.notice


def numbers(table: Table) -> list[int]:
    """The numbers of the decks at the table."""
    return [deck.number for deck in table.state.decks.here]


def paragraph(section: int, book: str, pennsylvania: str, maryland: str) -> str:
    """A paragraph of this section in this book: (3, "pa-653a", "(b)", "B") is 653a.3(b)."""
    if book == "md-36.05.16":
        return f"36.05.16.{section:02}{maryland}"
    return f"{book.removeprefix('pa-')}.{section}{pennsylvania}"
