"""Hold'em against a dealer with an Ante, a Blind and one deciding wager: 653a.11(h), Maryland .11H.

The numbers are the book's; what is compared with what is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.book import Book
from firmware.rules.games.holdem import Holdem, at_even_money, on_its_paytable
from firmware.rules.payment import Payment, lose, push
from firmware.rules.seat import Seat
from firmware.rules.submission import Submission
from firmware.rules.told import Told


class WithBlind(Holdem):
    """The ante pushes without a qualifying dealer; the companion is paid by its paytable, and pushes below it."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.second = self.companion.name
        [self.play] = self.deciding

    def against_the_dealer(self, rules: Submission, seat: Seat, told: Told) -> Iterator[Payment]:
        """Ante, Blind and Play, in whatever names the book gives them (653a.11(h), Maryland .11H)."""
        number, cites = seat.number, rules.book.cites
        second, blind, play = self.second, seat.wagers[self.second], seat.decided(self.play)
        if play is None or not seat.plays:
            yield from self.lost_by_fold(rules, seat)
            return
        yield self.ante(rules, seat, told)
        if told.compared > 0:  # (h)(2)(ii): the Blind is returned if the winning hand is below its paytable
            yield on_its_paytable(rules, seat, second, told.hand, push(number, second, blind, cites["higher"]))
            yield at_even_money(rules, seat, self.play, play)
        else:  # (h)(2)(i), (iii)
            settled = lose if told.compared else push
            yield settled(number, second, blind, cites[told.result])
            yield settled(number, self.play, play, cites[told.result])
