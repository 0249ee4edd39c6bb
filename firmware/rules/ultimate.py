"""Ultimate Texas Hold 'Em: 58 Pa. Code Chapter 653a and COMAR 36.05.16, paragraph by paragraph.

One seat is settled completely before the next, from the last seat down (653a.11(h) to (m), Maryland .11H to J). The
numbers are the book's; what is compared with what, and in which order, is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.hands import PAIR, Hand, HandName, best_hand, class_of, name_of, strength
from firmware.rules.holdem import (
    abandoned,
    at_even_money,
    from_the_last_seat_down,
    on_its_paytable,
    raised,
    settle_void,
)
from firmware.rules.money import Cents
from firmware.rules.payment import (
    Outcome,
    Payment,
    Source,
    StandingMeters,
    award,
    bonus,
    limited,
    lose,
    push,
    win,
    win_fixed,
)
from firmware.rules.paytable import Book, Fixed, Paytable, Share
from firmware.rules.round import DEALER, Irregularity, Round, Seat
from firmware.rules.submission import Submission

MARYLAND = "md-36.05.16"

PA_ORDER = (
    "ante",
    "blind",
    "play",
    "trips",
    "bad_beat_bonus",
    "progressive",
    "five_card_player",
    "five_card_dealer",
    "six_card_bonus",
)
MD_ORDER = ("ante", "blind", "play", "trips", "six_card_bonus", "progressive")

FLOP = 3
WHOLE = 100
RESERVE = "five_card_reserve"
FIVE_CARD = ("five_card_player", "five_card_dealer")
DRAWN = {
    ("magic_card", "five_card_player"): "magic_card_player",
    ("magic_card", "five_card_dealer"): "magic_card_dealer",
    ("lucky_bonus", "five_card_player"): "lucky_player",
    ("lucky_bonus", "five_card_dealer"): "lucky_dealer",
}
SIX_CARD_ROYAL_OF_DIAMONDS = "six-card royal flush, diamonds"


def order_of(book: Book) -> tuple[str, ...]:
    """The wagers as they stand in a seat's turn, the Play among them."""
    return MD_ORDER if book.name == MARYLAND else PA_ORDER


def settle_ultimate(round_: Round) -> Outcome:
    """Settle a round of 653a or of Maryland's 36.05.16."""
    if round_.void and round_.irregularity:
        return _settle_void(round_, round_.irregularity)
    return _Table(round_).settle()


def _settle_void(round_: Round, irregularity: Irregularity) -> Outcome:
    """Trips are settled nevertheless when the text says so (653a.13(a), (d), Maryland .13C, G)."""
    rules = round_.submission

    def settle_trips(seat: Seat, wager: str, hand: Hand) -> Payment:
        return within_the_limit(rules, [on_its_paytable(rules, seat, wager, hand.name)])[0]

    return settle_void(round_, irregularity, order_of(rules.book), settle_trips)


def within_the_limit(rules: Submission, payments: list[Payment]) -> list[Payment]:
    """One seat's payments, those the limit covers brought down to it (653a.12(h), Maryland .12F, reading 11)."""
    limit, left = rules.book.limit, rules.payout_limit
    return limited(payments, limit.covers, left) if limit and left else payments


# One wager after the other, from a comparison and the names of the hands. How they are known, from the cards or from what
# a dealer says, is not asked here. `compared`: above, below or at zero as the player's hand is against the dealer's.


def limited_wagers(rules: Submission, seat: Seat, compared: int, hand: str, qualifies: bool) -> list[Payment]:
    """Ante, Blind, Play and Trips, within the casino's payout limit if it has one: 653a.11(h), (i), Maryland .11H, I.

    `qualifies`: the dealer has a pair or better. Trips are paid whoever wins, and also of a folded hand
    (653a.11(f)(2)(i), (i), reading 2).
    """
    lines = list(_against_the_dealer(rules, seat, compared, hand, qualifies))
    if "trips" in seat.wagers:
        lines.append(on_its_paytable(rules, seat, "trips", hand))
    return within_the_limit(rules, lines)


def _against_the_dealer(rules: Submission, seat: Seat, compared: int, hand: str, qualifies: bool) -> Iterator[Payment]:
    ante, blind, play = seat.wagers["ante"], seat.wagers["blind"], raised(seat)
    number, cites = seat.number, rules.book.cites
    if play is None:
        yield lose(number, "ante", ante, cites["fold"])
        yield lose(number, "blind", blind, cites["fold"])
        return
    # (h)(1): with less than a pair the dealer returns the ante, whoever wins (reading 10); the rest follows (h)(2).
    if not qualifies:
        yield push(number, "ante", ante, cites["no_pair"])
    if compared < 0:  # (h)(2)(i)
        if qualifies:
            yield lose(number, "ante", ante, cites["lower"])
        yield lose(number, "blind", blind, cites["lower"])
        yield lose(number, "play", play, cites["lower"])
    elif compared > 0:  # (h)(2)(ii)
        if qualifies:
            yield at_even_money(rules, seat, "ante", ante)
        yield _winning_blind(rules, seat, hand)
        yield at_even_money(rules, seat, "play", play)
    else:  # (h)(2)(iii)
        if qualifies:
            yield push(number, "ante", ante, cites["equal"])
        yield push(number, "blind", blind, cites["equal"])
        yield push(number, "play", play, cites["equal"])


def _winning_blind(rules: Submission, seat: Seat, hand: str) -> Payment:
    """Paid by its paytable; returned if the winning hand is below it (653a.11(h)(2)(ii), Maryland .11H(3)(c))."""
    table, stake = rules.paytables["blind"], seat.wagers["blind"]
    prize = table.rows.get(hand)
    if prize is None:
        return push(seat.number, "blind", stake, rules.book.cites["higher"])
    return win(seat.number, "blind", stake, prize, table.cite)


def bad_beat(rules: Submission, seat: Seat, beaten: str) -> Payment:
    """653a.11(j): three of a kind or better, the player's or the dealer's, that lost; forfeited by a fold.

    `beaten`: what the lower of the two hands is called, "" where they are equal.
    """
    if raised(seat) is None:
        return lose(seat.number, "bad_beat_bonus", seat.wagers["bad_beat_bonus"], rules.book.cites["fold"])
    return on_its_paytable(rules, seat, "bad_beat_bonus", beaten)


class _Table:
    """A round while it is settled: the dealer's hand, every seat's, and the meters as they stand at each turn."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.rules = round_.submission
        self.book = self.rules.book
        self.cites = self.book.cites
        self.maryland = self.book.name == MARYLAND
        self.seats = from_the_last_seat_down(round_)
        self.dealer = best_hand(round_.dealer + round_.board)
        self.qualifies = class_of(self.dealer.strength) >= PAIR
        self.hands = {number: best_hand(seat.cards + round_.board) for number, seat in round_.seats.items()}
        self.meters = StandingMeters(round_.meters)
        self.flopped: dict[tuple[str, ...], HandName] = {}
        self.dealers_share: Cents | None = None

    def settle(self) -> Outcome:
        payments: list[Payment] = []
        for seat in self.seats:
            payments += self.turn(seat)
        return Outcome(self.dealer, self.qualifies, self.hands, payments, self.meters.standing)

    def turn(self, seat: Seat) -> Iterator[Payment]:
        """One seat's wagers, in the order of the paragraphs."""
        if seat.abandoned:
            yield from abandoned(self.rules, seat, order_of(self.book))
            return
        hand = self.hands[seat.number]
        compared = hand.strength - self.dealer.strength
        yield from limited_wagers(self.rules, seat, compared, hand.name, self.qualifies)
        if self.maryland:
            yield from self.six_card(seat)
        elif "bad_beat_bonus" in seat.wagers:
            beaten = name_of(min(hand.strength, self.dealer.strength)) if compared else ""
            yield bad_beat(self.rules, seat, beaten)
        yield from self.progressive(seat)
        yield from self.envy(seat)
        if not self.maryland:
            yield from self.five_card(seat)
            yield from self.six_card(seat)

    # Progressive and Envy: 653a.11(k), .12(d), Maryland .11J, .12D

    def progressive(self, seat: Seat) -> Iterator[Payment]:
        """The player's two cards and the flop (653a.12(d)(2), reading 1), folded or not; the meter as it stands."""
        if "progressive" not in seat.wagers or not self.rules.progressive:
            return
        stake, number = seat.wagers["progressive"], seat.number
        prize = self.rules.progressive.prizes.get(self.with_the_flop(seat.cards))
        if prize is None:
            yield lose(number, "progressive", stake, self.cites["progressive"])
        elif isinstance(prize, Share):
            reset = self.rules.progressive.meters[prize.meter].seed if prize.percent == WHOLE else None
            payout = self.meters.award(prize.meter, prize.percent, 1, reset)
            yield award(number, "progressive", stake, payout, prize.odds, prize.meter, prize.cite)
        else:
            yield win_fixed(number, "progressive", stake, prize, Source.RACK)

    def envy(self, holder: Seat) -> Iterator[Payment]:
        """To every other player's seat with a progressive wager, from the last seat down (653a.11(k)(5), reading 5)."""
        progressive = self.rules.progressive
        if not progressive:
            return
        envied = progressive.envy.get(self.with_the_flop(holder.cards))
        if envied is None:
            return
        for seat in self.seats:
            own = seat.number == holder.number or (seat.player is not None and seat.player == holder.player)
            if "progressive" in seat.wagers and not seat.abandoned and not own:
                yield bonus(
                    seat.number, "envy", envied, _flat(envied), progressive.envy_cite, Source.RACK, holder.number
                )

    def with_the_flop(self, cards: tuple[str, ...]) -> HandName:
        """What two cards and the flop are called; asked for several wagers, found once."""
        if cards not in self.flopped:
            self.flopped[cards] = name_of(strength(cards + self.round.board[:FLOP]))
        return self.flopped[cards]

    # Five Card Hand, Magic Card and Lucky Bonus: 653a.11(l), .12(e)

    def five_card(self, seat: Seat) -> Iterator[Payment]:
        """The wagers on the own hand and on the dealer's, then Magic Card and Lucky Bonus in the same order."""
        backed = [wager for wager in FIVE_CARD if wager in seat.wagers]
        offer = self.rules.five_card_hand
        if not backed or not offer:
            return
        for wager in backed:
            yield self.five_card_hand(seat, wager, offer.prizes.get(self.with_the_flop(self.hole(seat, wager))))
        for wager in backed:
            if self.round.magic_card in (*self.hole(seat, wager), *self.round.board[:FLOP]):
                yield self.drawn_bonus(seat, wager, "magic_card", offer.drawn["magic_card"])
        for wager in backed:
            if self.round.lucky == (seat.number if wager == "five_card_player" else DEALER):
                yield self.drawn_bonus(seat, wager, "lucky_bonus", offer.drawn["lucky_bonus"])

    def hole(self, seat: Seat, wager: str) -> tuple[str, ...]:
        """The two cards that a Five Card Hand wager is on."""
        return seat.cards if wager == "five_card_player" else self.round.dealer

    def five_card_hand(self, seat: Seat, wager: str, prize: Fixed | Share | None) -> Payment:
        stake = seat.wagers[wager]
        if prize is None:
            return lose(seat.number, wager, stake, self.cites["five_card_hand"])
        if isinstance(prize, Fixed):
            return win_fixed(seat.number, wager, stake, prize, Source.ACCOUNT)
        payout = self.five_card_award(prize, 1) if wager == "five_card_player" else self.share_of_the_dealers(prize)
        return award(seat.number, wager, stake, payout, prize.odds, prize.meter, prize.cite)

    def five_card_award(self, prize: Share, shares: int) -> Cents:
        """A meter that is won whole starts again with what was in reserve, and the reserve with nothing (reading 3)."""
        reset = self.meters.take_all(RESERVE) if prize.percent == WHOLE else None
        return self.meters.award(prize.meter, prize.percent, shares, reset)

    def share_of_the_dealers(self, prize: Share) -> Cents:
        """Fixed, and taken off the meter, at the turn of the first seat that backed the dealer (reading 4)."""
        if self.dealers_share is None:
            backers = [seat for seat in self.seats if "five_card_dealer" in seat.wagers and not seat.abandoned]
            self.dealers_share = self.five_card_award(prize, len(backers))
        return self.dealers_share

    def drawn_bonus(self, seat: Seat, wager: str, drawn: str, prize: Fixed) -> Payment:
        """Magic Card or Lucky Bonus, to the game account, on top of whatever the wager itself did (653a.12(e)(3))."""
        return bonus(seat.number, DRAWN[drawn, wager], prize.amount, prize.odds, prize.cite, Source.ACCOUNT)

    # Six Card bonus: 653a.11(m), .12(f), Maryland .12E

    def six_card(self, seat: Seat) -> Iterator[Payment]:
        if "six_card_bonus" in seat.wagers:
            row = six_card_row(self.rules.paytables["six_card_bonus"], seat.cards + self.round.six_card)
            yield on_its_paytable(self.rules, seat, "six_card_bonus", row)


def six_card_row(table: Paytable, cards: tuple[str, ...]) -> str:
    """The best row of six cards, once; without a row of its own a six-card royal is a royal flush (reading 15)."""
    hand = name_of(strength(cards))
    if hand is not HandName.ROYAL_FLUSH:
        return hand
    suit = best_hand(cards).cards[0][1]
    royal: list[str] = [HandName.ROYAL_FLUSH]
    if "9" + suit in cards:
        royal.insert(0, HandName.SIX_CARD_ROYAL_FLUSH)
        if suit == "d":
            royal.insert(0, SIX_CARD_ROYAL_OF_DIAMONDS)
    return next(row for row in royal if row in table.rows)


def _flat(amount: Cents) -> str:
    return f"${amount // 100:,}"
