"""Lunar Poker: 58 Pa. Code Chapter 671a, paragraph by paragraph.

A round is settled in four passes (671a.11(c) to (f)): Supers on the players' hands with instant payouts and folds, seat
1 upward; options fees and later folds, seat 1 upward; Supers on the dealer, seat 1 upward; ante and bet, from the last
seat down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from firmware.rules.book import Book
from firmware.rules.cards import RANKS, RED_SUITS, SUITS, parse_card
from firmware.rules.games.game import ANY_HAND, Game
from firmware.rules.games.lunar.possible import Beside, beside
from firmware.rules.hands import (
    CLASSES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    RANKED,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    Hand,
    HandName,
    best_hand,
    class_of,
    name_of,
    strength,
)
from firmware.rules.message import say
from firmware.rules.money import Cents, dollars
from firmware.rules.payment import Outcome, Payment, Source, bonus, lose, push, void, win
from firmware.rules.procedure import Street
from firmware.rules.seat import DEALER, FOLDS, LEAVES, Choice, Decision, Option, Round, Seat
from firmware.rules.strict import Keys, Refusal, amount, cards, fields, flag, parsed, text, under
from firmware.rules.submission import Submission
from firmware.rules.told import NONE_OF_THESE, RESULTS, Told

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

ON_ROW: dict[str, frozenset[str]] = {
    HandName.FOUR_OF_A_KIND: frozenset({HandName.FOUR_OF_A_KIND}),
    HandName.FIVE_PICTURE_CARDS: frozenset({HandName.TWO_PAIR, HandName.THREE_OF_A_KIND, HandName.FULL_HOUSE}),
    HandName.FULL_HOUSE: frozenset({HandName.FULL_HOUSE}),
    HandName.FLUSH: frozenset({HandName.FLUSH}),
    HandName.STRAIGHT: frozenset({HandName.STRAIGHT}),
    HandName.THREE_OF_A_KIND: frozenset({HandName.THREE_OF_A_KIND}),
    HandName.ACE_KING_QUEEN: frozenset({HandName.ACE_KING, HandName.PAIR, HandName.TWO_PAIR, HandName.ROYAL_FLUSH}),
    HandName.SAME_COLORED_FIVE: frozenset(
        {HandName.HIGH_CARD, HandName.ACE_KING, HandName.PAIR, HandName.TWO_PAIR, HandName.STRAIGHT_FLUSH}
    ),
}
"""Row of the Super list -> the names of five cards whose highest row it is (`super_hand`)."""

ON_NO_ROW = frozenset({HandName.HIGH_CARD, HandName.ACE_KING, HandName.PAIR, HandName.TWO_PAIR})
"""The names of five cards that are on none of the rows."""

NEVER_EQUAL = frozenset({HandName.THREE_OF_A_KIND, HandName.FULL_HOUSE, HandName.FOUR_OF_A_KIND})
"""Two hands of one deck, and without a card in common, that have three of one rank have them of different ranks."""

HOLDS: dict[str, str] = {HandName.ROYAL_FLUSH: "AKQJT", HandName.ACE_KING_QUEEN: "AKQ"}
"""The ranks that first cards on this row surely hold, one of each; a royal flush is told by its instant payout."""

HAND_CARDS = 5
SUPER_ON = "super:"
"""Before the seat number, or "dealer", of the hand that a Super is on."""

_CHOICES = {"bet": Choice.PLAY, "fold": Choice.FOLD, "instant": Choice.INSTANT, "abandoned": Choice.ABANDONED}
_OPTION = Keys(optional=["buy", "exchange"])
_EXCHANGE = Keys("discard", "draw")


class Lunar(Game):
    """Five cards each, one decision or an option and then one, Supers that are declared, instant payouts."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        [self._bet] = book.procedure.streets

    # Reading ---------------------------------------------------------------------------------------------------------

    def keys_of_a_seat(self) -> tuple[str, ...]:
        """An option and a declaration beside cards and decision."""
        return (*super().keys_of_a_seat(), "option", "declared")

    def read_seat(self, seat: Seat, given: Mapping[str, object], rules: Submission) -> Seat:
        """A bet, a fold, an instant payout or an abandoned seat, held against the cards; against none in a void round."""
        at = f"seats.{seat.number}"
        exchanges = self.procedure.exchanges
        option = _option(given["option"], seat.cards, f"{at}.option", exchanges) if "option" in given else None
        decision = given.get("decision")
        return replace(
            seat,
            decisions=_decisions(decision, at, seat, option, self._bet) if "decision" in given else (),
            super_on=self._super_on(given["wagers"], seat.number, f"{at}.wagers.super_on", rules),
            option=option,
            declared=flag(given.get("declared", True), at, "declared"),
        )

    def _super_on(self, wagers: object, own: int, at: str, rules: Submission) -> Mapping[int, Cents]:
        if not isinstance(wagers, Mapping) or "super_on" not in wagers:
            return {}
        hands = self._hands(own)
        given = self._on_others(wagers["super_on"], own, at, rules)
        backed = {hands[key]: amount(stake, at, key) for key, stake in given.items()}
        self._are_enough(backed, at, rules)
        return backed

    def _hands(self, own: int) -> dict[str, int]:
        """The hands that a seat may back, as they are written: the dealer's, and every other seat's."""
        return {"dealer": DEALER} | {str(seat): seat for seat in range(1, self.book.seats + 1) if seat != own}

    def _on_others(self, given: object, own: int, at: str, rules: Submission) -> Mapping[str, object]:
        section = self.wagers["super_on"].section
        if section not in rules.present:
            raise Refusal(at, f"is not offered by these rules; leave it out, or file a section [{section}]")
        return fields(given, at, Keys(optional=self._hands(own)))

    def _are_enough(self, backed: Mapping[int, Cents], at: str, rules: Submission) -> None:
        for hand, stake in backed.items():
            if stake < rules.table_minimum:
                cite = self.wagers["super_on"].cite
                least = f"the table minimum, {dollars(rules.table_minimum)}, holds for it ({cite})"
                raise Refusal(under(at, hand or "dealer"), f"is {dollars(stake)}; {least}")

    def seat_with(self, number: int, stakes: Mapping[str, Cents]) -> Seat:
        """Stakes like "super:dealer" and "super:4" are on those hands."""
        on = {wager.removeprefix(SUPER_ON): stake for wager, stake in stakes.items() if wager.startswith(SUPER_ON)}
        own = {wager: stake for wager, stake in stakes.items() if not wager.startswith(SUPER_ON)}
        return Seat(number, (), own, super_on={DEALER if hand == "dealer" else int(hand): on[hand] for hand in on})

    def check_backed(self, seat: Seat, at: str, rules: Submission) -> None:
        """They are offered, not on the own hand, and at least the table minimum."""
        if seat.super_on:
            at = f"{at}.super_on"
            self._on_others({str(on or "dealer"): stake for on, stake in seat.super_on.items()}, seat.number, at, rules)
            self._are_enough(seat.super_on, at, rules)

    def check_seats(self, seats: Mapping[int, Seat]) -> None:
        """A Super is on a hand that was dealt. Raises Refusal."""
        for number, seat in seats.items():
            for hand in seat.super_on:
                if hand != DEALER and hand not in seats:
                    raise Refusal(
                        f"seats.{number}.wagers.super_on.{hand}",
                        "is an empty seat; back a hand that was dealt",
                        say("stakes.nobody", seat=hand),
                    )

    def backable(self, rules: Submission, seat: int) -> tuple[str, ...]:
        """Supers on the dealer's and on every other seat's hand."""
        offered = self.wagers["super_on"].section in rules.present
        return tuple(f"{SUPER_ON}{hand}" for hand in self._hands(seat)) if offered else ()

    def legal_elections(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Only the instant payout for a hand that is owed it, and no other hand has it (671a.11(b)(2))."""
        if not cards:
            return tuple(self.elections)
        owed = is_owed_the_instant_payout(cards)
        return tuple(name for name, election in self.elections.items() if (election.choice == "instant") == owed)

    # The law ---------------------------------------------------------------------------------------------------------

    def settle(self, round_: Round) -> Outcome:
        """A void round returns every wager, the options fee included (671a.13, reading 12)."""
        if round_.void:
            wagers = wagers_in_order(round_.seats)
            payments = [
                void(turn.seat.number, turn.wager, turn.stake, round_.returned_by(turn.wager)) for turn in wagers
            ]
            return Outcome(None, False, {}, payments, {})
        dealer, hands = self.hands(round_)
        told = {
            seat.number: self.told_of_round(round_, seat, hands[seat.number], dealer) for seat in round_.seats.values()
        }
        payments = list(pay_in_order(round_.submission, round_.seats, told))
        return Outcome(dealer, dealer is not None and self.qualifies(dealer.name), hands, payments, {})

    def pay(self, rules: Submission, seat: Seat, told: Told, boxes: Iterable[Payment]) -> Iterable[Payment]:
        """In the order of the passes, as far as this seat is concerned."""
        yield from pay_in_order(rules, {seat.number: seat}, {seat.number: told})
        for decision in seat.decisions if seat.abandoned else ():  # what was staked before leaving is lost too
            if decision.amount:  # a fee is a payment and no wager (671a.1), and is collected in any case
                cite = rules.book.cites["options_fee" if decision.wager in self.fees else "abandoned"]
                yield lose(seat.number, decision.wager, decision.amount, cite)

    def asks(self, rules: Submission, seat: Seat, result: str, qualifies: bool) -> dict[str, tuple[str, ...]]:
        """Supers and the instant payout by their rows; then what the ante, or the bet and its second, are paid by."""
        backed = sorted({seat.number, *seat.super_on}, key=lambda hand: (hand == DEALER, hand))
        picked = ["super" if hand == seat.number else f"{SUPER_ON}{hand or 'dealer'}" for hand in backed]
        supers = (*rules.paytables["super"].rows, NONE_OF_THESE)
        asked = {wager: supers for wager in picked if wager != "super" or seat.declared}
        if seat.choice is Choice.INSTANT:
            asked["instant"] = tuple(rules.paytables["instant"].rows)
        elif seat.plays:
            asked["qualifies"] = ("yes", "no")
            if not qualifies:  # 671a.12(c): the ante is paid by the player's hand alone
                better = [name for name in reversed(RANKED) if name in STRAIGHT_OR_BETTER]
                return asked | {"hand": (*better, NONE_OF_THESE)}
            asked["result"] = tuple(RESULTS)
            if result == "higher":
                bet = tuple(rules.paytables["bet"].rows)
                asked |= {"hand": bet, "second": (*bet, NONE_OF_THESE)}
        return asked

    def stakes(self, seat: Seat) -> Iterator[tuple[str, Cents]]:
        """In the order of the passes; then what was staked before the player folded or left."""
        given = set()
        for _, wager, stake, _ in wagers_in_order({seat.number: seat}):
            given.add(wager)
            yield wager, stake
        for decision in seat.decisions:
            if decision.amount and decision.wager not in given:
                yield decision.wager, decision.amount

    # Possible hands --------------------------------------------------------------------------------------------------

    def hands_on_rows(self, rows: Mapping[str, str], option: int | None) -> frozenset[str]:
        """A Super's row is of the first five cards, which no option changes into any others (671a.11(c), (d)(1))."""
        return frozenset(_held(rows, option))

    def hands_beside_second(self, rows: Mapping[str, str], option: int | None, second: str) -> frozenset[str]:
        """By the declared row, and what was bought or exchanged (671a.11(f)(2)(ii))."""
        return frozenset([hand for hand, seconds in _held(rows, option).items() if second in seconds])

    def dealers_on_row(self, row: str | None) -> frozenset[str]:
        """Nobody has to declare the dealer's hand: none means none (671a.11(e))."""
        return ON_NO_ROW if row == "" else self.hands_on_row(row or "")

    def hands_on_row(self, row: str) -> frozenset[str]:
        """By the list of 671a.6(d). A player who says none has not declared, and may hold anything."""
        return ON_ROW.get(row, ANY_HAND)

    def least_row(self, hand: str) -> str:
        """The row of a hand that is always on one of 671a.6(d): a royal flush on ace-king-queen, for one (reading 6)."""
        return next((row for row in reversed(ON_ROW) if hand not in ON_NO_ROW and hand in ON_ROW[row]), "")

    def can_be_dealt(self, wager: str, rows: Iterable[str], known: Iterable[str]) -> bool:
        """Four cards of a rank and twelve picture cards are enough for these rows of several hands (671a.3(a), .6(d))."""
        left = Counter({rank: len(SUITS) for rank in RANKS}) - Counter(card[0] for card in known)
        told = Counter(rows)
        wanted = Counter({rank: sum(told[row] for row in HOLDS if rank in HOLDS[row]) for rank in RANKS})
        pictures = sum(wanted[rank] for rank in PICTURES) + HAND_CARDS * told[HandName.FIVE_PICTURE_CARDS]
        return wanted <= left and pictures <= sum(left[rank] for rank in PICTURES)

    def may_equal(self, mine: Set[str], dealers: Set[str]) -> bool:
        """There is one deck and no board: no two of these have the same three or four of a kind (671a.3(a))."""
        return super().may_equal(mine - NEVER_EQUAL, dealers)

    # Values of cards -------------------------------------------------------------------------------------------------

    def hand_of(self, cards: tuple[str, ...]) -> Hand:
        """With ace-king below the pair (671a.6(b)(10))."""
        return lunar_hand(cards)

    def row_of(self, rules: Submission, wager: str, cards: tuple[str, ...]) -> str:
        """For a Super the highest row of its list among the first five cards; for the instant payout its row."""
        if wager == "instant":
            return lunar_hand(cards).name if is_owed_the_instant_payout(cards) else ""
        return super_hand(cards) or "" if wager.partition(":")[0] == "super" and len(cards) == HAND_CARDS else ""

    def second_of(self, rules: Submission, cards: tuple[str, ...]) -> str:
        """The best-paid second combination (671a.11(f)(2)(ii), reading 7)."""
        made = second_combinations(cards) if lunar_hand(cards).name in MADE_OF else frozenset[HandName]()
        return next((row for row in rules.paytables["bet"].rows if row in made), "")

    def told_of_round(self, round_: Round, seat: Seat, own: Hand, dealer: Hand | None) -> Told:
        """With the rows of the seat's Supers from the first five cards; also of those that nobody declared."""
        told = super().told_of_round(round_, seat, own, dealer)
        backed = {f"{SUPER_ON}{on or 'dealer'}": on for on in seat.super_on}
        found = {"super": super_hand(seat.cards)}
        for wager, on in backed.items():
            found[wager] = super_hand(round_.dealer if on == DEALER else round_.seats[on].cards)
        undeclared = {wager for wager, on in backed.items() if on != DEALER and not round_.seats[on].declared}
        won = {wager: row for wager, row in found.items() if row}
        return told._replace(side={**told.side, **won}, undeclared=frozenset(undeclared))

    def final_cards(self, seat: Seat) -> tuple[str, ...]:
        """Five, six if one was bought, with the exchanged ones in place of the discarded (671a.11(d)(1))."""
        if seat.option is None:
            return seat.cards
        kept = tuple([card for card in seat.cards if card not in seat.option.discarded])
        return kept + seat.option.drawn


GAME = Lunar


def is_owed_the_instant_payout(cards: tuple[str, ...]) -> bool:
    """A royal or straight flush among the first five cards (671a.11(b)(2), (c)(3))."""
    return len(cards) == HAND_CARDS and class_of(strength(cards)) >= STRAIGHT_FLUSH


def _decisions(given: object, at: str, seat: Seat, option: Option | None, bet: Street) -> tuple[Decision, ...]:
    choice = _CHOICES[text(given, at, "decision", _CHOICES)]
    owed = is_owed_the_instant_payout(seat.cards)
    if owed and choice not in (Choice.INSTANT, Choice.ABANDONED):
        raise Refusal(
            under(at, "decision"),
            f'is "{given}"; this hand is owed the instant payout, so right is "instant" (671a.11(b)(2))',
        )
    if choice is Choice.INSTANT and seat.cards and not owed:
        raise Refusal(
            under(at, "decision"), 'is "instant"; only a royal or straight flush is owed that (671a.11(c)(3))'
        )
    if owed and option:
        raise Refusal(
            under(at, "option"), "goes with no hand that is owed the instant payout; leave it out (671a.11(c)(3))"
        )
    if choice is Choice.PLAY:
        return (Decision(choice, amount=bet.least(seat.wagers["ante"]), wager=bet.wager),)
    return {Choice.FOLD: FOLDS, Choice.ABANDONED: LEAVES}.get(choice, (Decision(choice),))


def _option(given: object, hand: tuple[str, ...], at: str, exchanges: tuple[int, ...]) -> Option:
    option = fields(given, at, _OPTION)
    if len(option) != 1:
        raise Refusal(at, f'holds {len(option)} options; right would be {{"buy": card}} or {{"exchange": ...}}')
    if "buy" in option:
        return Option(discarded=(), drawn=(parsed(parse_card, option["buy"], at, "buy"),))
    at = f"{at}.exchange"
    exchange = fields(option["exchange"], at, _EXCHANGE)
    discarded = cards(exchange["discard"], at, "discard", min(exchanges), max(exchanges))
    drawn = cards(exchange["draw"], at, "draw", len(discarded), len(discarded))
    for place, thrown in enumerate(discarded):
        if (hand and thrown not in hand) or thrown in discarded[:place]:
            raise Refusal(
                f"{at}.discard.{place}", f"is {thrown}, which the hand does not hold; discard cards of the hand"
            )
    return Option(discarded, drawn)


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


def _held(rows: Mapping[str, str], option: int | None) -> Beside:
    """The names of a declared hand, and the second combinations beside it."""
    row = rows.get("super", "")
    return beside(row if row in ON_ROW else "", bought=option == 0, exchanged=option or 0)


def made_by(cards: tuple[str, ...]) -> HandName | None:
    """The combination of two to five cards, all of them needed; None if one would be a kicker, or they make nothing."""
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


class Turn(NamedTuple):
    """A wager as its turn comes. `on`: the hand it is on, a seat number or DEALER."""

    seat: Seat
    wager: str
    stake: Cents
    on: int


def wagers_in_order(at_table: Mapping[int, Seat]) -> Iterator[Turn]:
    """Every wager as its turn comes.

    `at_table`: the seats to be paid, in rising order; a hand that they back may be another seat's.
    """
    seats = list(at_table.values())
    for hand in sorted({*at_table, *[hand for seat in seats for hand in seat.super_on if hand != DEALER]}):
        owner = at_table.get(hand)  # (c): each hand's Super, the owner's first, then its instant payout or its fold
        if owner:
            yield Turn(owner, "super", owner.wagers["super"], hand)
        for backer in seats:
            if hand in backer.super_on:
                yield Turn(backer, f"{SUPER_ON}{hand}", backer.super_on[hand], hand)
        if owner and owner.option is None and not in_competition(owner):
            yield Turn(owner, "ante", owner.wagers["ante"], hand)
    for seat in seats:  # (d): options fees, and folds after the option
        if seat.option:
            yield Turn(seat, "options_fee", seat.wagers["ante"], seat.number)
            if not in_competition(seat):
                yield Turn(seat, "ante", seat.wagers["ante"], seat.number)
    for seat in seats:  # (e): Supers on the dealer's hand
        if DEALER in seat.super_on:
            yield Turn(seat, f"{SUPER_ON}dealer", seat.super_on[DEALER], DEALER)
    for seat in reversed(seats):  # (f): those who stayed, from the dealer's right
        if in_competition(seat):
            yield Turn(seat, "ante", seat.wagers["ante"], DEALER)
            bet = seat.decided("bet")
            if bet is not None:
                yield Turn(seat, "bet", bet, DEALER)


def in_competition(seat: Seat) -> bool:
    """With a bet against the dealer's hand; in a void round also a player who had not decided yet."""
    return not seat.decisions or seat.plays


def pay_in_order(rules: Submission, seats: Mapping[int, Seat], said: Mapping[int, Told]) -> Iterator[Payment]:
    """Every wager of these seats as its turn comes, with what is said of each (671a.11(c) to (f))."""
    for seat, wager, stake, on in wagers_in_order(seats):
        told = said[seat.number]
        if wager == "options_fee":
            yield lose(seat.number, wager, stake, rules.book.cites["options_fee"])
        elif seat.abandoned:
            yield lose(seat.number, wager, stake, rules.book.cites["abandoned"])
        elif wager == "ante":
            yield _ante(rules, seat, stake, told)
        elif wager == "bet":
            yield from _bet(rules, seat, stake, told)
        else:
            yield _super(rules, seat, wager, stake, on, told)


def _super(rules: Submission, seat: Seat, wager: str, stake: Cents, on: int, told: Told) -> Payment:
    """On the first five cards of a hand; a player declares a winning one, the dealer need not (671a.11(c), (e))."""
    table = rules.paytables["super"]
    lost = rules.book.cites["dealer_super_lost" if on == DEALER else "super_lost"]
    prize = table.rows.get(told.side.get(wager, ""))
    if prize is None:
        return lose(seat.number, wager, stake, lost)
    if wager in told.undeclared or (on == seat.number and not seat.declared):
        return lose(seat.number, wager, stake, lost)._replace(undeclared=prize.payout(stake))
    return win(seat.number, wager, stake, prize, table.cite)


def _ante(rules: Submission, seat: Seat, stake: Cents, told: Told) -> Payment:
    number, cites = seat.number, rules.book.cites
    if seat.choice is Choice.FOLD:
        return lose(number, "ante", stake, cites["fold_after_option" if seat.option else "fold"])
    if seat.choice is Choice.INSTANT:
        instant = rules.paytables["instant"]
        return win(number, "ante", stake, instant.rows[told.side["instant"]], instant.cite)
    if not told.qualifies:  # (f)(1), with any hand of the player (reading 8)
        table = rules.paytables["ante"]
        row = "straight or better" if told.hand in STRAIGHT_OR_BETTER else "any other hand"
        return win(number, "ante", stake, table.rows[row], table.cite)
    compared = told.compared
    if compared < 0:
        return lose(number, "ante", stake, cites["lower"])
    return push(number, "ante", stake, cites["higher" if compared > 0 else "equal"])


def _bet(rules: Submission, seat: Seat, stake: Cents, told: Told) -> Iterator[Payment]:
    number, cites = seat.number, rules.book.cites
    if not told.qualifies:
        yield push(number, "bet", stake, cites["not_qualified"])
        return
    compared = told.compared
    if compared < 0:
        yield lose(number, "bet", stake, cites["lower"])
    elif compared == 0:
        yield push(number, "bet", stake, cites["equal"])
    else:
        table = rules.paytables["bet"]
        yield win(number, "bet", stake, table.rows[told.hand], table.cite)
        # (f)(2)(ii): paid on the size of the bet, even if it would not beat the dealer.
        second = table.rows.get(told.second)
        if second:
            yield bonus(number, "bet:second", second.payout(stake), second.text, cites["higher"], Source.RACK)
