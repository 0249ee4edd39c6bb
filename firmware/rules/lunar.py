"""Lunar Poker: 58 Pa. Code Chapter 671a, paragraph by paragraph.

A round is settled in four passes (671a.11(c) to (f)): Supers on the players' hands with instant payouts and folds, seat
1 upward; options fees and later folds, seat 1 upward; Supers on the dealer, seat 1 upward; ante and bet, from the last
seat down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Protocol

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
from firmware.rules.submission import Submission

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

STRAIGHT_OR_BETTER = frozenset(CLASSES[STRAIGHT:])
"""A hand that is paid the higher odds on the ante (671a.12(c))."""


def settle_lunar(round_: Round) -> Outcome:
    """Settle a round of 671a; a void one returns every wager, the options fee included (671a.13, reading 12)."""
    if round_.void and round_.irregularity:
        cite = round_.submission.book.voids[round_.irregularity.kind]
        wagers = wagers_in_order(round_.seats)
        return Outcome(None, False, {}, [void(seat.number, wager, stake, cite) for seat, wager, stake, _ in wagers], {})
    cards = _Cards(round_)
    payments = list(pay_in_order(round_.submission, round_.seats, cards))
    return Outcome(cards.dealer, cards.qualifies, cards.hands, payments, {})


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


def wagers_in_order(at_table: Mapping[int, Seat]) -> Iterator[tuple[Seat, str, Cents, int]]:
    """Every wager as its turn comes: whose, what, its stake, and the hand it is on (a seat number or DEALER).

    `at_table`: the seats to be paid, in rising order; a hand that they back may be another seat's.
    """
    seats = list(at_table.values())
    for hand in sorted({*at_table, *[hand for seat in seats for hand in super_on(seat) if hand != DEALER]}):
        owner = at_table.get(hand)  # (c): each hand's Super, the owner's first, then its instant payout or its fold
        if owner:
            yield owner, "super", owner.wagers["super"], hand
        for backer in seats:
            if hand in super_on(backer):
                yield backer, f"super:{hand}", super_on(backer)[hand], hand
        if owner and owner.option is None and not in_competition(owner):
            yield owner, "ante", owner.wagers["ante"], hand
    for seat in seats:  # (d): options fees, and folds after the option
        if seat.option:
            yield seat, "options_fee", seat.wagers["ante"], seat.number
            if not in_competition(seat):
                yield seat, "ante", seat.wagers["ante"], seat.number
    for seat in seats:  # (e): Supers on the dealer's hand
        if DEALER in super_on(seat):
            yield seat, "super:dealer", super_on(seat)[DEALER], DEALER
    for seat in reversed(seats):  # (f): those who stayed, from the dealer's right
        if in_competition(seat):
            yield seat, "ante", seat.wagers["ante"], DEALER
            if seat.decision:
                yield seat, "bet", seat.decision.wager, DEALER


def super_on(seat: Seat) -> Mapping[int, Cents]:
    """The Supers of a seat on other hands, by seat number or DEALER."""
    return seat.super_on or {}


def in_competition(seat: Seat) -> bool:
    """With a bet against the dealer's hand; in a void round also a player who had not decided yet."""
    return seat.decision is None or seat.decision.choice is Choice.PLAY


class Shown(Protocol):
    """What the table shows of the hands: in cards, or in what the dealer says of them. Asked for what matters only."""

    @property
    def qualifies(self) -> bool:
        """The dealer has an ace-king or better."""

    def compared(self, seat: Seat) -> int:
        """Above, below or at zero as the player's final hand is against the dealer's."""

    def hand(self, seat: Seat) -> str:
        """What the player's final hand is called."""

    def second(self, seat: Seat) -> str:
        """The best-paid second combination as a row of the bet's paytable, or "" (reading 7)."""

    def super(self, seat: Seat, wager: str, on: int) -> str:
        """The row of the Super list on which this Super of the seat wins, or ""."""

    def declared(self, seat: Seat, wager: str, on: int) -> bool:
        """A player declared the hand this Super is on; the dealer need not (671a.11(c), (e))."""


def pay_in_order(rules: Submission, seats: Mapping[int, Seat], shown: Shown) -> Iterator[Payment]:
    """Every wager of these seats as its turn comes (671a.11(c) to (f))."""
    for seat, wager, stake, on in wagers_in_order(seats):
        if wager == "options_fee":
            yield lose(seat.number, wager, stake, rules.book.cites["options_fee"])
        elif seat.abandoned:
            yield lose(seat.number, wager, stake, rules.book.cites["abandoned"])
        elif wager == "ante":
            yield _ante(rules, seat, stake, shown)
        elif wager == "bet":
            yield from _bet(rules, seat, stake, shown)
        else:
            yield _super(rules, seat, wager, stake, on, shown)


def _super(rules: Submission, seat: Seat, wager: str, stake: Cents, on: int, shown: Shown) -> Payment:
    """On the first five cards of a hand; a player declares a winning one, the dealer need not (671a.11(c), (e))."""
    table = rules.paytables["super"]
    lost = rules.book.cites["dealer_super_lost" if on == DEALER else "super_lost"]
    prize = table.rows.get(shown.super(seat, wager, on))
    if prize is None:
        return lose(seat.number, wager, stake, lost)
    if not shown.declared(seat, wager, on):
        return lose(seat.number, wager, stake, lost)._replace(undeclared=prize.payout(stake))
    return win(seat.number, wager, stake, prize, table.cite)


def _ante(rules: Submission, seat: Seat, stake: Cents, shown: Shown) -> Payment:
    number, cites = seat.number, rules.book.cites
    choice = seat.decision.choice if seat.decision else Choice.PLAY
    if choice is Choice.FOLD:
        return lose(number, "ante", stake, cites["fold_after_option" if seat.option else "fold"])
    if choice is Choice.INSTANT:
        instant = rules.paytables["instant"]
        return win(number, "ante", stake, instant.rows[shown.hand(seat)], instant.cite)
    if not shown.qualifies:  # (f)(1), whatever the player holds (reading 8)
        table = rules.paytables["ante"]
        row = "straight or better" if shown.hand(seat) in STRAIGHT_OR_BETTER else "any other hand"
        return win(number, "ante", stake, table.rows[row], table.cite)
    compared = shown.compared(seat)
    if compared < 0:
        return lose(number, "ante", stake, cites["lower"])
    return push(number, "ante", stake, cites["higher" if compared > 0 else "equal"])


def _bet(rules: Submission, seat: Seat, stake: Cents, shown: Shown) -> Iterator[Payment]:
    number, cites = seat.number, rules.book.cites
    if not shown.qualifies:
        yield push(number, "bet", stake, cites["not_qualified"])
        return
    compared = shown.compared(seat)
    if compared < 0:
        yield lose(number, "bet", stake, cites["lower"])
    elif compared == 0:
        yield push(number, "bet", stake, cites["equal"])
    else:
        table = rules.paytables["bet"]
        yield win(number, "bet", stake, table.rows[shown.hand(seat)], table.cite)
        # (f)(2)(ii): paid on the size of the bet, even if it would not beat the dealer.
        second = table.rows.get(shown.second(seat))
        if second:
            yield bonus(number, "bet:second", second.payout(stake), second.text, cites["higher"], Source.RACK)


class _Cards:
    """The hands of a round as its cards make them: the dealer's, and the players' after the options."""

    def __init__(self, round_: Round) -> None:
        self.rules = round_.submission
        self.seats = round_.seats
        self.dealers_cards = round_.dealer
        self.dealer = lunar_hand(round_.dealer)
        self.hands = {number: lunar_hand(after_the_option(seat)) for number, seat in round_.seats.items()}

    @property
    def qualifies(self) -> bool:
        return self.dealer.name is not HandName.HIGH_CARD

    def compared(self, seat: Seat) -> int:
        return self.hands[seat.number].strength - self.dealer.strength

    def hand(self, seat: Seat) -> str:
        return self.hands[seat.number].name

    def second(self, seat: Seat) -> str:
        rows = self.rules.paytables["bet"].rows
        made = second_combinations(after_the_option(seat))
        return next((row for row in rows if row in made), "")

    def super(self, seat: Seat, wager: str, on: int) -> str:
        return super_hand(self.dealers_cards if on == DEALER else self.seats[on].cards) or ""

    def declared(self, seat: Seat, wager: str, on: int) -> bool:
        return on == DEALER or self.seats[on].declared
