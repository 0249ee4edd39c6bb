"""Hold'em against a dealer with an Ante, a Blind and one deciding wager: 653a.11(h), Maryland .11H.

The numbers are the book's; what is compared with what is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.book import Book
from firmware.rules.games.holdem import Holdem
from firmware.rules.games.streets import at_even_money, on_its_paytable
from firmware.rules.payment import Payment, lose, push
from firmware.rules.seat import Seat
from firmware.rules.strict import Refusal
from firmware.rules.submission import Submission
from firmware.rules.told import Told


class WithBlind(Holdem):
    """The ante pushes without a qualifying dealer; the companion is paid by its paytable, and pushes below it."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        if self.companion is None:
            raise Refusal("wager", "has no companion; a game with a Blind has a wager that goes with its ante")
        [self.play], self.blind = self.deciding, self.companion.name

    def against_the_dealer(self, rules: Submission, seat: Seat, told: Told) -> Iterator[Payment]:
        """Ante, Blind and Play, under the names that the book gives them (653a.11(h), Maryland .11H)."""
        number, cites = seat.number, rules.book.cites
        blind, play = self.blind, seat.decided(self.play)
        if play is None or not seat.plays:
            yield from self.lost_by_fold(rules, seat)
            return
        stake = seat.wagers[blind]
        yield self.ante(rules, seat, told)
        if told.compared > 0:  # (h)(2)(ii): the Blind is returned if the winning hand is below its paytable
            yield on_its_paytable(rules, seat, blind, told.hand, push(number, blind, stake, cites["higher"]))
            yield at_even_money(rules, seat, self.play, play)
        else:  # (h)(2)(i), (iii)
            settled = lose if told.compared else push
            yield settled(number, blind, stake, cites[told.result])
            yield settled(number, self.play, play, cites[told.result])
