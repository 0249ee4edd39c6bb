"""Ultimate Texas Hold 'Em: 58 Pa. Code Chapter 653a and COMAR 36.05.16, paragraph by paragraph.

One seat is settled completely before the next, from the last seat down (653a.11(h) to (m), Maryland .11H to J). The
numbers are the book's; what is compared with what, and in which order, is here.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.hands import PAIR, THREE_OF_A_KIND, Hand, HandName, best_hand, class_of, name_of, strength
from firmware.rules.holdem import from_the_last_seat_down, on_its_paytable, raised, settle_void
from firmware.rules.money import Cents
from firmware.rules.payment import (
    Outcome,
    Payment,
    Result,
    Source,
    StandingMeters,
    award,
    bonus,
    limited,
    lose,
    push,
    win,
)
from firmware.rules.paytable import Odds, OfMeter, Paytable, Share
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

FLOOR_FROM = 500
"""A floorperson verifies a Five Card Hand payout at odds of 500 for 1 (653a.11(l)(2))."""


def settle_ultimate(round_: Round) -> Outcome:
    """Settle a round of 653a or of Maryland's 36.05.16."""
    if round_.void and round_.irregularity:
        return _settle_void(round_, round_.irregularity)
    return _Table(round_).settle()


def _settle_void(round_: Round, irregularity: Irregularity) -> Outcome:
    """Trips are settled nevertheless when the text says so (653a.13(a), (d), Maryland .13C, G)."""
    rules = round_.submission

    def settle_trips(seat: Seat, wager: str, hand: Hand) -> Payment:
        trips = on_its_paytable(seat, wager, rules.paytables["trips"], hand.name, rules.book.cites["trips"])
        return within_the_limit(rules, [trips])[0]

    order = MD_ORDER if rules.book.name == MARYLAND else PA_ORDER
    return settle_void(round_, irregularity, order, settle_trips)


def within_the_limit(rules: Submission, payments: list[Payment]) -> list[Payment]:
    """One seat's payments, those the limit covers brought down to it (653a.12(h), Maryland .12F, reading 11)."""
    limit, left = rules.book.limit, rules.payout_limit
    return limited(payments, limit.covers, left) if limit and left else payments


class _Table:
    """A round while it is settled: the dealer's hand, every seat's, and the meters as they stand at each turn."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.rules = round_.submission
        self.book = self.rules.book
        self.cites = self.book.cites
        self.paytables = self.rules.paytables
        self.seats = from_the_last_seat_down(round_)
        self.dealer = best_hand(round_.dealer + round_.board)
        self.hands = {number: best_hand(seat.cards + round_.board) for number, seat in round_.seats.items()}
        self.meters = StandingMeters(round_.meters)
        self.flopped: dict[tuple[str, ...], HandName] = {}
        self.dealers_share: Cents | None = None

    def settle(self) -> Outcome:
        payments: list[Payment] = []
        for seat in self.seats:
            payments += self.turn(seat)
        qualifies = class_of(self.dealer.strength) >= PAIR
        return Outcome(self.dealer, qualifies, self.hands, payments, self.meters.standing)

    def turn(self, seat: Seat) -> Iterator[Payment]:
        """One seat's wagers, in the order of the paragraphs."""
        if seat.abandoned:
            yield from self.abandoned(seat)
            return
        maryland = self.book.name == MARYLAND
        yield from self.limited_wagers(seat)
        if maryland:
            yield from self.six_card(seat)
        else:
            yield from self.bad_beat(seat)
        yield from self.progressive(seat)
        yield from self.envy(seat)
        if not maryland:
            yield from self.five_card(seat)
            yield from self.six_card(seat)

    def abandoned(self, seat: Seat) -> Iterator[Payment]:
        """653a.7(b): a player who leaves may be treated as having lost every wager."""
        for wager in MD_ORDER if self.book.name == MARYLAND else PA_ORDER:
            if wager in seat.wagers:
                yield lose(seat.number, wager, seat.wagers[wager], self.cites["abandoned"])

    # Ante, Blind, Play and Trips: 653a.11(h), (i), Maryland .11H, I

    def limited_wagers(self, seat: Seat) -> list[Payment]:
        """Ante, Blind, Play and Trips, within the casino's payout limit if it has one (653a.12(h), Maryland .12F)."""
        return within_the_limit(self.rules, [*self.against_the_dealer(seat), *self.trips(seat)])

    def against_the_dealer(self, seat: Seat) -> Iterator[Payment]:
        ante, blind, play = seat.wagers["ante"], seat.wagers["blind"], raised(seat)
        number, cites = seat.number, self.cites
        if play is None:
            yield lose(number, "ante", ante, cites["fold"])
            yield lose(number, "blind", blind, cites["fold"])
            return
        player, dealer = self.hands[number].strength, self.dealer.strength
        # (h)(1): with less than a pair the dealer returns the ante, whoever wins (reading 10); the rest follows (h)(2).
        returned = class_of(dealer) < PAIR
        if returned:
            yield push(number, "ante", ante, cites["no_pair"])
        if player < dealer:  # (h)(2)(i)
            if not returned:
                yield lose(number, "ante", ante, cites["lower"])
            yield lose(number, "blind", blind, cites["lower"])
            yield lose(number, "play", play, cites["lower"])
        elif player > dealer:  # (h)(2)(ii)
            if not returned:
                yield self.even(number, "ante", ante)
            yield self.winning_blind(seat)
            yield self.even(number, "play", play)
        else:  # (h)(2)(iii)
            if not returned:
                yield push(number, "ante", ante, cites["equal"])
            yield push(number, "blind", blind, cites["equal"])
            yield push(number, "play", play, cites["equal"])

    def even(self, number: int, wager: str, stake: Cents) -> Payment:
        """A winning Ante or Play (653a.12(a), Maryland .12A)."""
        table = self.paytables[wager]
        return win(number, wager, stake, table.rows["winning hand"], table.cite)

    def winning_blind(self, seat: Seat) -> Payment:
        """Paid by its paytable; returned if the winning hand is below it (653a.11(h)(2)(ii), Maryland .11H(3)(c))."""
        table, stake = self.paytables["blind"], seat.wagers["blind"]
        prize = table.rows.get(self.hands[seat.number].name)
        if prize is None:
            return push(seat.number, "blind", stake, self.cites["higher"])
        return win(seat.number, "blind", stake, prize, table.cite)

    def trips(self, seat: Seat) -> Iterator[Payment]:
        """Whoever wins, and also of a folded hand (653a.11(f)(2)(i), (i), reading 2)."""
        if "trips" in seat.wagers:
            hand = self.hands[seat.number].name
            yield on_its_paytable(seat, "trips", self.paytables["trips"], hand, self.cites["trips"])

    def bad_beat(self, seat: Seat) -> Iterator[Payment]:
        """653a.11(j): three of a kind or better, the player's or the dealer's, that lost; forfeited by a fold."""
        if "bad_beat_bonus" not in seat.wagers:
            return
        table, stake = self.paytables["bad_beat_bonus"], seat.wagers["bad_beat_bonus"]
        if raised(seat) is None:
            yield lose(seat.number, "bad_beat_bonus", stake, self.cites["fold"])
            return
        player, dealer = self.hands[seat.number].strength, self.dealer.strength
        beaten = min(player, dealer)
        if player != dealer and class_of(beaten) >= THREE_OF_A_KIND:
            yield win(seat.number, "bad_beat_bonus", stake, table.rows[name_of(beaten)], table.cite)
        else:
            yield lose(seat.number, "bad_beat_bonus", stake, self.cites["bad_beat_bonus"])

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
            yield Payment(
                number,
                "progressive",
                Result.WIN,
                stake,
                prize.returned,
                prize.amount,
                prize.cite,
                prize.odds,
                Source.RACK,
                floor=True,
            )

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
        for wager in backed:
            yield self.five_card_hand(seat, wager)
        for wager in backed:
            if self.round.magic_card in (*self.five_card_hole(seat, wager), *self.round.board[:FLOP]):
                yield self.drawn_bonus(seat, wager, "magic_card")
        for wager in backed:
            if self.round.lucky == (seat.number if wager == "five_card_player" else DEALER):
                yield self.drawn_bonus(seat, wager, "lucky_bonus")

    def five_card_hole(self, seat: Seat, wager: str) -> tuple[str, ...]:
        return seat.cards if wager == "five_card_player" else self.round.dealer

    def five_card_hand(self, seat: Seat, wager: str) -> Payment:
        table, stake = self.paytables["five_card_hand"], seat.wagers[wager]
        hand = self.with_the_flop(self.five_card_hole(seat, wager))
        if share := table.shares.get(hand):
            payout = self.five_card_award(share, 1) if wager == "five_card_player" else self.share_of_the_dealers(share)
            return award(seat.number, wager, stake, payout, share.text, share.meter, table.cite)
        if prize := table.rows.get(hand):
            floor = isinstance(prize, Odds) and prize.win >= FLOOR_FROM
            return win(seat.number, wager, stake, prize, table.cite, Source.ACCOUNT, floor)
        return lose(seat.number, wager, stake, self.cites["five_card_hand"])

    def five_card_award(self, prize: OfMeter, shares: int) -> Cents:
        """A meter that is won whole starts again with what was in reserve, and the reserve with nothing (reading 3)."""
        reset = self.meters.take_all(RESERVE) if prize.percent == WHOLE else None
        return self.meters.award(prize.meter, prize.percent, shares, reset)

    def share_of_the_dealers(self, prize: OfMeter) -> Cents:
        """Fixed, and taken off the meter, at the turn of the first seat that backed the dealer (reading 4)."""
        if self.dealers_share is None:
            backers = [seat for seat in self.seats if "five_card_dealer" in seat.wagers and not seat.abandoned]
            self.dealers_share = self.five_card_award(prize, len(backers))
        return self.dealers_share

    def drawn_bonus(self, seat: Seat, wager: str, drawn: str) -> Payment:
        """Magic Card or Lucky Bonus, to the game account, on top of whatever the wager itself did (653a.12(e)(3))."""
        table = self.paytables[drawn]
        prize = table.rows["match"]
        name = DRAWN[drawn, wager]
        return bonus(seat.number, name, prize.payout(seat.wagers[wager]), prize.text, table.cite, Source.ACCOUNT)

    # Six Card bonus: 653a.11(m), .12(f), Maryland .12E

    def six_card(self, seat: Seat) -> Iterator[Payment]:
        if "six_card_bonus" in seat.wagers:
            table = self.paytables["six_card_bonus"]
            row = six_card_row(table, seat.cards + self.round.six_card)
            yield on_its_paytable(seat, "six_card_bonus", table, row, self.cites["six_card_bonus"])


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
