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
        [self.play] = self.deciding

    def against_the_dealer(self, rules: Submission, seat: Seat, told: Told) -> Iterator[Payment]:
        """Ante, Blind and Play, in whatever names the book gives them (653a.11(h), Maryland .11H)."""
        number, cites = seat.number, rules.book.cites
        companion, play = self.companion.name, seat.decided(self.play)
        if play is None or not seat.plays:
            yield from self.lost_by_fold(rules, seat)
            return
        stake = seat.wagers[companion]
        yield self.ante(rules, seat, told)
        if told.compared > 0:  # (h)(2)(ii): the Blind is returned if the winning hand is below its paytable
            yield on_its_paytable(rules, seat, companion, told.hand, push(number, companion, stake, cites["higher"]))
            yield at_even_money(rules, seat, self.play, play)
        else:  # (h)(2)(i), (iii)
            settled = lose if told.compared else push
            yield settled(number, companion, stake, cites[told.result])
            yield settled(number, self.play, play, cites[told.result])
