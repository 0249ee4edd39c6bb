"""World Poker Tour Heads-Up Hold 'Em: 58 Pa. Code Chapter 677a, paragraph by paragraph.

One seat is settled completely before the next, from the last seat down (677a.11(g) to (i)).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware.rules.hands import PAIR, Hand, best_hand, class_of
from firmware.rules.holdem import (
    abandoned,
    at_even_money,
    from_the_last_seat_down,
    on_its_paytable,
    raised,
    settle_void,
)
from firmware.rules.money import NO_MONEY, Cents
from firmware.rules.payment import Outcome, Payment, limited, lose, push, win
from firmware.rules.round import Irregularity, Round, Seat
from firmware.rules.submission import Submission

ORDER = ("ante", "raise", "odds", "pocket_bonus", "trips_plus")
SIDE = ("pocket_bonus", "trips_plus")


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
        return on_its_paytable(rules, seat, wager, row)

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


# One wager after the other, from a comparison and the name of the hand. How both are known, from the cards or from what
# a dealer says, is not asked here. `compared`: above, below or at zero as the player's hand is against the dealer's.


def against_the_dealer(rules: Submission, seat: Seat, compared: int, hand: str, qualifies: bool) -> Iterator[Payment]:
    """Ante, Raise and Odds (677a.11(f), (h)). `qualifies`: the dealer has a pair or better."""
    ante, odds, stake = seat.wagers["ante"], seat.wagers["odds"], raised(seat)
    number, cites = seat.number, rules.book.cites
    if stake is None:  # (f)
        yield lose(number, "ante", ante, cites["fold"])
        yield lose(number, "odds", odds, cites["fold"])
        return
    # (h)(1): without a pair for the dealer the ante is returned, whoever wins (reading 9).
    if not qualifies:
        yield push(number, "ante", ante, cites["no_pair"])
    if compared > 0:  # (h)(1)(i), (2)(i)
        if qualifies:
            yield at_even_money(rules, seat, "ante", ante)
        yield at_even_money(rules, seat, "raise", stake)
        yield _winning_odds(rules, seat, hand)
    elif compared == 0:  # (h)(1)(ii), (2)(ii)
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
        yield _losing_odds(rules, seat, hand, paragraph)


def _winning_odds(rules: Submission, seat: Seat, hand: str) -> Payment:
    """Paid by its paytable, returned below a straight (677a.12(b))."""
    table, stake = rules.paytables["odds"], seat.wagers["odds"]
    prize = table.rows.get(hand)
    if prize is None:
        return push(seat.number, "odds", stake, table.cite)
    return win(seat.number, "odds", stake, prize, table.cite)


def _losing_odds(rules: Submission, seat: Seat, hand: str, paragraph: str) -> Payment:
    """A straight or better that loses is a bad beat: the odds wager is paid for it (677a.11(h)(2)(iii)(B))."""
    table, stake = rules.paytables["bad_beat"], seat.wagers["odds"]
    prize = table.rows.get(hand)
    if prize is None:
        return lose(seat.number, "odds", stake, paragraph)
    return win(seat.number, "odds", stake, prize, table.cite)


def within_the_limit(rules: Submission, payments: list[Payment], already: Cents) -> list[Payment]:
    """It covers Ante, Raise and winning Odds over all boxes of a player, and no bad beat (677a.12(f), reading 11).

    `already`: what the same player's other boxes have been paid under it in this round.
    """
    limit, most = rules.book.limit, rules.payout_limit
    if limit is None or most is None or _is_bad_beat(rules, payments[-1]):
        return payments
    return limited(payments, limit.covers, Cents(most - already))


def paid_under_the_limit(rules: Submission, payments: Iterable[Payment]) -> Cents:
    """What these payments use up of a player's payout limit; a bad beat uses none of it (677a.12(f))."""
    covers = rules.book.limit.covers if rules.book.limit else ()
    counted = [each for each in payments if each.wager in covers and not _is_bad_beat(rules, each)]
    return Cents(sum(payment.payout for payment in counted))


def _is_bad_beat(rules: Submission, payment: Payment) -> bool:
    """Paid under 677a.12(c), where the limit is on (a) and (b)."""
    return payment.cite == rules.paytables["bad_beat"].cite


class _Table:
    """A round while it is settled from its cards. `paid`: what the payout limit has let through so far, by player."""

    def __init__(self, round_: Round) -> None:
        self.rules = round_.submission
        self.seats = from_the_last_seat_down(round_)
        self.dealer = best_hand(round_.dealer + round_.board)
        self.qualifies = class_of(self.dealer.strength) >= PAIR
        self.hands = {number: best_hand(seat.cards + round_.board) for number, seat in round_.seats.items()}
        self.paid: dict[str | int, Cents] = {}

    def settle(self) -> Outcome:
        payments: list[Payment] = []
        for seat in self.seats:
            payments += self.turn(seat)
        return Outcome(self.dealer, self.qualifies, self.hands, payments, {})

    def turn(self, seat: Seat) -> Iterator[Payment]:
        """One seat's wagers, in the order of the paragraphs."""
        if seat.abandoned:
            yield from abandoned(self.rules, seat, ORDER)
            return
        hand = self.hands[seat.number]
        yield from self.limited_wagers(seat, hand)
        for wager in SIDE:  # (i)
            if wager in seat.wagers:
                row = pocket_row(seat.cards) if wager == "pocket_bonus" else hand.name
                yield on_its_paytable(self.rules, seat, wager, row)

    def limited_wagers(self, seat: Seat, hand: Hand) -> list[Payment]:
        """Against the dealer, within what is left of the player's limit."""
        compared = hand.strength - self.dealer.strength
        player = seat.number if seat.player is None else seat.player
        already = self.paid.get(player, NO_MONEY)
        lines = list(against_the_dealer(self.rules, seat, compared, hand.name, self.qualifies))
        paid = within_the_limit(self.rules, lines, already)
        self.paid[player] = Cents(already + paid_under_the_limit(self.rules, paid))
        return paid
