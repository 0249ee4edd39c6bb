"""The prizes of the wagers that a bank offers, from the book that its heartbeat names: the sign's strip of prizes."""

from __future__ import annotations

from collections.abc import Mapping

from firmware.rules.book import Book
from firmware.rules.games import load_book
from firmware.rules.hands import HandName
from firmware.rules.money import Cents
from firmware.rules.paytable import Share, prizes
from firmware.rules.strict import Refusal
from firmware.wire.offers import Offer, WagerOffered
from firmware.wire.to_page import RowPaid, WagerPays


def paying(offer: Offer) -> tuple[WagerPays, ...]:
    """Each wager of an offer, with its prizes, highest first. A book that this program does not have is left out."""
    try:
        book = load_book(offer.book)
        return tuple(_pays(book, wager) for wager in offer.wagers)
    except (Refusal, KeyError):
        return ()


def _pays(book: Book, offered: WagerOffered) -> WagerPays:
    section = book.wagers[offered.name].section
    won = prizes(book.paytable(section, offered.paytable), offered.wager)
    rows = tuple(
        RowPaid(hand, prize.percent, prize.meter, Cents(0))
        if isinstance(prize, Share)
        else RowPaid(hand, 0, "", prize.amount)
        for hand, prize in won.items()
    )
    envy: Mapping[HandName, Cents] = book.envy[offered.wager] if book.envied(section) else {}
    return WagerPays(
        offered.name, offered.wager, rows, tuple(RowPaid(hand, 0, "", paid) for hand, paid in envy.items())
    )
