"""Lunar Poker: 58 Pa. Code Chapter 671a, paragraph by paragraph.

A round is settled in four passes (671a.11(c) to (f)): Supers on the players' hands with instant payouts and folds, seat
1 upward; options fees and later folds, seat 1 upward; Supers on the dealer, seat 1 upward; ante and bet, from the last
seat down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from firmware.rules.cards import RED_SUITS
from firmware.rules.hands import (
    CLASSES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    STRAIGHT,
    THREE_OF_A_KIND,
    Hand,
    HandName,
    best_hand,
    class_of,
    name_of,
    strength,
)
from firmware.rules.money import Cents
from firmware.rules.payment import Outcome, Payment, Source, bonus, lose, push, void, win
from firmware.rules.round import DEALER, Choice, Round, Seat

PICTURES = frozenset("KQJ")

MADE_OF = {
    HandName.ACE_KING: 2,
    HandName.PAIR: 2,
    HandName.TWO_PAIR: 4,
    HandName.THREE_OF_A_KIND: 3,
    HandName.FOUR_OF_A_KIND: 4,
    HandName.STRAIGHT: 5,
    HandName.FLUSH: 5,
    HandName.FULL_HOUSE: 5,
    HandName.STRAIGHT_FLUSH: 5,
    HandName.ROYAL_FLUSH: 5,
}
"""How many of the five cards, from the first, make the combination; the others are kickers (reading 7)."""


def settle_lunar(round_: Round) -> Outcome:
    """Settle a round of 671a; a void one returns every wager, the options fee included (671a.13, reading 12)."""
    if round_.void and round_.irregularity:
        cite = round_.submission.book.voids[round_.irregularity.kind]
        wagers = wagers_in_order(list(round_.seats.values()))
        return Outcome(None, False, {}, [void(seat.number, wager, stake, cite) for seat, wager, stake, _ in wagers], {})
    return _Table(round_).settle()


def lunar_hand(cards: tuple[str, ...]) -> Hand:
    """The best five, with ace-king below the pair (671a.6(b)(10)); its strength is right as it is."""
    best = best_hand(cards)
    if best.name is HandName.HIGH_CARD and best.cards[0][0] + best.cards[1][0] == "AK":
        return best._replace(name=HandName.ACE_KING)
    return best


def super_hand(cards: tuple[str, ...]) -> HandName | None:
    """The highest row of the Super list among the first five cards, in its own order (671a.6(d), reading 6)."""
    ranks = {card[0] for card in cards}
    class_ = class_of(strength(cards))
    if class_ == FOUR_OF_A_KIND:
        return HandName.FOUR_OF_A_KIND
    if ranks <= PICTURES:
        return HandName.FIVE_PICTURE_CARDS
    if class_ in (FULL_HOUSE, FLUSH, STRAIGHT, THREE_OF_A_KIND):
        return CLASSES[class_]
    if ranks >= {"A", "K", "Q"}:
        return HandName.ACE_KING_QUEEN
    if len({card[1] in RED_SUITS for card in cards}) == 1:
        return HandName.SAME_COLORED_FIVE
    return None


def second_combinations(cards: tuple[str, ...]) -> set[HandName]:
    """The combinations of five or six cards with a card outside the winning one (671a.11(f)(2)(ii), reading 7)."""
    best = lunar_hand(cards)
    winning = set(best.cards[: MADE_OF[best.name]])
    made = {
        made_by(chosen)
        for size in (2, 3, 4, 5)
        for chosen in combinations(cards, size)
        if not winning.issuperset(chosen)
    }
    return {name for name in made if name is not None}


def made_by(cards: tuple[str, ...]) -> HandName | None:
    """What two to five cards make, all of them needed for it; None if one would be a kicker, or they make nothing."""
    ranks = sorted(card[0] for card in cards)
    if len(cards) == 5:
        made = name_of(strength(cards))
        return made if MADE_OF.get(made) == 5 else None
    if ranks == ["A", "K"]:
        return HandName.ACE_KING
    alike = {ranks.count(rank) for rank in ranks}
    if alike == {len(cards)}:
        return {2: HandName.PAIR, 3: HandName.THREE_OF_A_KIND, 4: HandName.FOUR_OF_A_KIND}[len(cards)]
    return HandName.TWO_PAIR if alike == {2} else None


def after_the_option(seat: Seat) -> tuple[str, ...]:
    """The five cards, six if one was bought, with the exchanged ones in place of the discarded (671a.11(d)(1))."""
    if seat.option is None:
        return seat.cards
    kept = tuple([card for card in seat.cards if card not in seat.option.discarded])
    return kept + seat.option.drawn


def wagers_in_order(seats: list[Seat]) -> Iterator[tuple[Seat, str, Cents, int]]:
    """Every wager as its turn comes: whose, what, its stake, and the hand it is on (a seat number or DEALER)."""
    for owner in seats:  # (c): each hand's Super, the owner's first, then its instant payout or its fold
        yield owner, "super", owner.wagers["super"], owner.number
        for backer in seats:
            if owner.number in _super_on(backer):
                yield backer, f"super:{owner.number}", _super_on(backer)[owner.number], owner.number
        if owner.option is None and not _in_competition(owner):
            yield owner, "ante", owner.wagers["ante"], owner.number
    for seat in seats:  # (d): options fees, and folds after the option
        if seat.option:
            yield seat, "options_fee", seat.wagers["ante"], seat.number
            if not _in_competition(seat):
                yield seat, "ante", seat.wagers["ante"], seat.number
    for seat in seats:  # (e): Supers on the dealer's hand
        if DEALER in _super_on(seat):
            yield seat, "super:dealer", _super_on(seat)[DEALER], DEALER
    for seat in reversed(seats):  # (f): those who stayed, from the dealer's right
        if _in_competition(seat):
            yield seat, "ante", seat.wagers["ante"], DEALER
            if seat.decision:
                yield seat, "bet", seat.decision.wager, DEALER


def _super_on(seat: Seat) -> Mapping[int, Cents]:
    return seat.super_on or {}


def _in_competition(seat: Seat) -> bool:
    """With a bet against the dealer's hand; in a void round also a player who had not decided yet."""
    return seat.decision is None or seat.decision.choice is Choice.PLAY


class _Table:
    """A round while it is settled: the dealer's hand and the hands after the options."""

    def __init__(self, round_: Round) -> None:
        self.rules = round_.submission
        self.cites = self.rules.book.cites
        self.paytables = self.rules.paytables
        self.seats = round_.seats
        self.dealers_cards = round_.dealer
        self.dealer = lunar_hand(round_.dealer)
        self.qualifies = self.dealer.name is not HandName.HIGH_CARD
        self.hands = {number: lunar_hand(after_the_option(seat)) for number, seat in round_.seats.items()}

    def settle(self) -> Outcome:
        payments: list[Payment] = []
        for seat, wager, stake, on in wagers_in_order(list(self.seats.values())):
            if wager == "options_fee":
                payments.append(lose(seat.number, wager, stake, self.cites["options_fee"]))
            elif seat.abandoned:
                payments.append(lose(seat.number, wager, stake, self.cites["abandoned"]))
            elif wager == "ante":
                payments.append(self.ante(seat, stake))
            elif wager == "bet":
                payments += self.bet(seat, stake)
            else:
                payments.append(self.super(seat.number, wager, stake, on))
        return Outcome(self.dealer, self.qualifies, self.hands, payments, {})

    def super(self, number: int, wager: str, stake: Cents, on: int) -> Payment:
        """On the first five cards of a hand; a player declares a winning one, the dealer need not (671a.11(c), (e))."""
        table = self.paytables["super"]
        lost = self.cites["dealer_super_lost" if on == DEALER else "super_lost"]
        row = super_hand(self.dealers_cards if on == DEALER else self.seats[on].cards)
        if row is None:
            return lose(number, wager, stake, lost)
        prize = table.rows[row]
        if on != DEALER and not self.seats[on].declared:
            return lose(number, wager, stake, lost)._replace(undeclared=prize.payout(stake))
        return win(number, wager, stake, prize, table.cite)

    def ante(self, seat: Seat, stake: Cents) -> Payment:
        hand, number, cites = self.hands[seat.number], seat.number, self.cites
        choice = seat.decision.choice if seat.decision else Choice.PLAY
        if choice is Choice.FOLD:
            return lose(number, "ante", stake, cites["fold_after_option" if seat.option else "fold"])
        if choice is Choice.INSTANT:
            instant = self.paytables["instant"]
            return win(number, "ante", stake, instant.rows[hand.name], instant.cite)
        if not self.qualifies:  # (f)(1), whatever the player holds (reading 8)
            table = self.paytables["ante"]
            row = "straight or better" if class_of(hand.strength) >= STRAIGHT else "any other hand"
            return win(number, "ante", stake, table.rows[row], table.cite)
        if hand.strength < self.dealer.strength:
            return lose(number, "ante", stake, cites["lower"])
        return push(number, "ante", stake, cites["higher" if hand.strength > self.dealer.strength else "equal"])

    def bet(self, seat: Seat, stake: Cents) -> Iterator[Payment]:
        hand, number = self.hands[seat.number], seat.number
        if not self.qualifies:
            yield push(number, "bet", stake, self.cites["not_qualified"])
        elif hand.strength < self.dealer.strength:
            yield lose(number, "bet", stake, self.cites["lower"])
        elif hand.strength == self.dealer.strength:
            yield push(number, "bet", stake, self.cites["equal"])
        else:
            table = self.paytables["bet"]
            yield win(number, "bet", stake, table.rows[hand.name], table.cite)
            yield from self.second(seat, stake)

    def second(self, seat: Seat, stake: Cents) -> Iterator[Payment]:
        """Paid on the size of the bet, even if it would not beat the dealer (671a.11(f)(2)(ii))."""
        rows = self.paytables["bet"].rows
        made = second_combinations(after_the_option(seat))
        if made:
            best = max((rows[name] for name in made), key=lambda prize: prize.payout(stake))
            cite = self.cites["higher"]
            yield bonus(seat.number, "bet:second", best.payout(stake), best.text, cite, Source.RACK)
