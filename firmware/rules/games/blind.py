"""Hold'em against a dealer with an Ante, a Blind and one deciding wager: 653a.11(h), Maryland .11H.

The numbers are the book's; what is compared with what is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.book import Book
from firmware.rules.games.holdem import Holdem, at_even_money
from firmware.rules.payment import Payment, lose, push, win
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
        second, deciding = self.second, self.play
        ante, blind, play = seat.wagers["ante"], seat.wagers[second], seat.decided(deciding)
        number, cites = seat.number, rules.book.cites
        if play is None or not seat.plays:
            yield from self.lost_by_fold(rules, seat)
            return
        # (h)(1): with less than a pair the dealer returns the ante, whoever wins (reading 10); the rest follows (h)(2).
        if not told.qualifies:
            yield push(number, "ante", ante, cites["no_pair"])
        if told.compared < 0:  # (h)(2)(i)
            if told.qualifies:
                yield lose(number, "ante", ante, cites["lower"])
            yield lose(number, second, blind, cites["lower"])
            yield lose(number, deciding, play, cites["lower"])
        elif told.compared > 0:  # (h)(2)(ii)
            if told.qualifies:
                yield at_even_money(rules, seat, "ante", ante)
            yield self.winning_blind(rules, seat, told.hand)
            yield at_even_money(rules, seat, deciding, play)
        else:  # (h)(2)(iii)
            if told.qualifies:
                yield push(number, "ante", ante, cites["equal"])
            yield push(number, second, blind, cites["equal"])
            yield push(number, deciding, play, cites["equal"])

    def winning_blind(self, rules: Submission, seat: Seat, hand: str) -> Payment:
        """Paid by its paytable; returned if the winning hand is below it (653a.11(h)(2)(ii), Maryland .11H(3)(c))."""
        second = self.second
        table, stake = rules.paytables[second], seat.wagers[second]
        prize = table.rows.get(hand)
        if prize is None:
            return push(seat.number, second, stake, rules.book.cites["higher"])
        return win(seat.number, second, stake, prize, table.cite)
