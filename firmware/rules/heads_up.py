"""World Poker Tour Heads-Up Hold 'Em: 58 Pa. Code Chapter 677a, paragraph by paragraph.

One seat is settled completely before the next, from the last seat down (677a.11(g) to (i)).
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.hands import PAIR, STRAIGHT, Hand, best_hand, class_of, name_of
from firmware.rules.holdem import from_the_last_seat_down, on_its_paytable, raised, settle_void
from firmware.rules.money import Cents
from firmware.rules.payment import Outcome, Payment, limited, lose, push, win
from firmware.rules.round import Irregularity, Round, Seat

ORDER = ("ante", "raise", "odds", "pocket_bonus", "trips_plus")


def settle_heads_up(round_: Round) -> Outcome:
    """Settle a round of 677a."""
    if round_.void and round_.irregularity:
        return _settle_void(round_, round_.irregularity)
    return _Table(round_).settle()


def _settle_void(round_: Round, irregularity: Irregularity) -> Outcome:
    """Pocket Bonus and Trips Plus are settled nevertheless when the text says so (677a.13(a), (d))."""
    rules = round_.submission

    def settle_side(seat: Seat, wager: str, hand: Hand) -> Payment:
        row = pocket_row(seat.cards) if wager == "pocket_bonus" else hand.name
        return on_its_paytable(seat, wager, rules.paytables[wager], row, rules.book.cites[wager])

    return settle_void(round_, irregularity, ORDER, settle_side)


def pocket_row(cards: tuple[str, ...]) -> str:
    """The Pocket Bonus row of the two cards, or no row's name (677a.11(i)(1))."""
    ranks = {card[0] for card in cards}
    if len(ranks) == 1:
        return "pair of aces" if ranks == {"A"} else "pair of 2s to kings"
    if "A" in ranks and not ranks.isdisjoint("KQJ"):
        same = "same suit" if cards[0][1] == cards[1][1] else "different suits"
        return f"ace and king, queen or jack, {same}"
    return "nothing"


class _Table:
    """A round while it is settled. `left`: what is left of the payout limit, by player (677a.12(f), reading 11)."""

    def __init__(self, round_: Round) -> None:
        self.rules = round_.submission
        self.cites = self.rules.book.cites
        self.paytables = self.rules.paytables
        self.seats = from_the_last_seat_down(round_)
        self.dealer = best_hand(round_.dealer + round_.board)
        self.hands = {number: best_hand(seat.cards + round_.board) for number, seat in round_.seats.items()}
        self.left: dict[str | int, Cents] = {}

    def settle(self) -> Outcome:
        payments: list[Payment] = []
        for seat in self.seats:
            payments += self.turn(seat)
        return Outcome(self.dealer, class_of(self.dealer.strength) >= PAIR, self.hands, payments, {})

    def turn(self, seat: Seat) -> Iterator[Payment]:
        """One seat's wagers, in the order of the paragraphs."""
        if seat.abandoned:
            for wager in ORDER:
                if wager in seat.wagers:
                    yield lose(seat.number, wager, seat.wagers[wager], self.cites["abandoned"])
            return
        yield from self.within_the_limit(seat, list(self.against_the_dealer(seat)))
        for wager in ("pocket_bonus", "trips_plus"):  # (i)
            if wager in seat.wagers:
                row = pocket_row(seat.cards) if wager == "pocket_bonus" else self.hands[seat.number].name
                yield on_its_paytable(seat, wager, self.paytables[wager], row, self.cites[wager])

    def against_the_dealer(self, seat: Seat) -> Iterator[Payment]:
        ante, odds, stake = seat.wagers["ante"], seat.wagers["odds"], raised(seat)
        number, cites = seat.number, self.cites
        if stake is None:  # (f)
            yield lose(number, "ante", ante, cites["fold"])
            yield lose(number, "odds", odds, cites["fold"])
            return
        player, dealer = self.hands[number].strength, self.dealer.strength
        # (h)(1): without a pair for the dealer the ante is returned, whoever wins (reading 9).
        qualifies = class_of(dealer) >= PAIR
        if not qualifies:
            yield push(number, "ante", ante, cites["no_pair"])
        if player > dealer:  # (h)(1)(i), (2)(i)
            if qualifies:
                yield self.even(number, "ante", ante)
            yield self.even(number, "raise", stake)
            yield self.winning_odds(seat)
        elif player == dealer:  # (h)(1)(ii), (2)(ii)
            if qualifies:
                yield push(number, "ante", ante, cites["equal"])
            paragraph = cites["equal" if qualifies else "no_pair_equal"]
            yield push(number, "raise", stake, paragraph)
            yield push(number, "odds", odds, paragraph)
        else:  # (h)(1)(iii), (2)(iii)
            if qualifies:
                yield lose(number, "ante", ante, cites["lower"])
            paragraph = cites["lower" if qualifies else "no_pair_lower"]
            yield lose(number, "raise", stake, paragraph)
            yield self.losing_odds(seat, paragraph)

    def even(self, number: int, wager: str, stake: Cents) -> Payment:
        """A winning Ante or Raise (677a.12(a))."""
        table = self.paytables[wager]
        return win(number, wager, stake, table.rows["winning hand"], table.cite)

    def winning_odds(self, seat: Seat) -> Payment:
        """Paid by its paytable, returned below a straight (677a.12(b))."""
        table, stake = self.paytables["odds"], seat.wagers["odds"]
        prize = table.rows.get(self.hands[seat.number].name)
        if prize is None:
            return push(seat.number, "odds", stake, table.cite)
        return win(seat.number, "odds", stake, prize, table.cite)

    def losing_odds(self, seat: Seat, paragraph: str) -> Payment:
        """A straight or better that loses is a bad beat: the odds wager is paid for it (677a.11(h)(2)(iii)(B))."""
        table, stake = self.paytables["bad_beat"], seat.wagers["odds"]
        player = self.hands[seat.number].strength
        if class_of(player) < STRAIGHT:
            return lose(seat.number, "odds", stake, paragraph)
        return win(seat.number, "odds", stake, table.rows[name_of(player)], table.cite)

    def within_the_limit(self, seat: Seat, payments: list[Payment]) -> list[Payment]:
        """It covers Ante, Raise and winning Odds over all boxes of a player, and no bad beat (677a.12(f))."""
        limit, most = self.rules.book.limit, self.rules.payout_limit
        if limit is None or most is None or self.hands[seat.number].strength < self.dealer.strength:
            return payments
        player = seat.number if seat.player is None else seat.player
        left = self.left.get(player, most)
        paid = limited(payments, limit.covers, left)
        self.left[player] = Cents(left - sum(payment.payout for payment in paid))
        return paid
