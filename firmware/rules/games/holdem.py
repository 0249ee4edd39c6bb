"""The law that the Hold'em games share beside their streets: a board, and the hands that one deal can hold together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

from firmware.rules.cards import DECK
from firmware.rules.flop import FLOP_CARDS, IN_SEVEN, NOT_OF_FIVE_RANKS, OF_THREE_RANKS, Flop, flops
from firmware.rules.games.game import ANY_HAND, ANY_TIE, Tie
from firmware.rules.games.streets import Streets
from firmware.rules.hands import HandName, best_hand, five_card_hand, name_of, strength
from firmware.rules.paytable import Paytable
from firmware.rules.procedure import FIVE
from firmware.rules.six_cards import one_box_makes
from firmware.rules.submission import Submission
from firmware.rules.told import RESULT_OF, Made
from firmware.rules.wager import SettledBy

SIX_CARD_ROYAL_OF_DIAMONDS = "six-card royal flush, diamonds"

_ROYAL = frozenset({HandName.ROYAL_FLUSH})
_OF_ONE_SUIT = _ROYAL | {HandName.STRAIGHT_FLUSH}
_ON_A_PAIR = frozenset({HandName.FULL_HOUSE, HandName.THREE_OF_A_KIND, HandName.TWO_PAIR, HandName.PAIR})
_ON_ONE_SUIT = ANY_HAND - NOT_OF_FIVE_RANKS - {HandName.ACE_KING}
ON_THE_BOARD: Mapping[str, Tie] = {
    HandName.FLUSH: Tie(_OF_ONE_SUIT | {HandName.FLUSH}, _ON_ONE_SUIT, leaves_less=False),
    HandName.FOUR_OF_A_KIND: Tie(frozenset({HandName.FOUR_OF_A_KIND}), _ON_A_PAIR),
    HandName.STRAIGHT_FLUSH: Tie(_OF_ONE_SUIT, _ON_ONE_SUIT - _ROYAL, leaves_less=False),
    HandName.ROYAL_FLUSH: Tie(_ROYAL, _ON_ONE_SUIT - _ROYAL, leaves_less=False),
}
"""Equal hands of this name lie on the board: of four of a kind the four, of the others all five cards.

The four cards leave the flop three of their rank, or two and another one; five cards of one suit leave it three ranks. A
prize needs two cards that nobody sees on the board, and of a royal flush the board has four or five.
"""


class Holdem(Streets):
    """A game with community cards: the best five of everybody's own cards and the board."""

    names = ANY_HAND - {HandName.ACE_KING}
    on_the_board = frozenset({HandName.ROYAL_FLUSH})  # a second one is of the same suit, and so the same five cards

    def name_of(self, cards: tuple[str, ...]) -> HandName:
        """The name of five to seven cards, without looking for the five."""
        return name_of(strength(cards))

    def prize_hand(self, own: tuple[str, ...], board: tuple[str, ...]) -> str:
        """Two cards and the flop (653a.12(d)(2))."""
        return five_card_hand((*own, *board[:FLOP_CARDS])) if own and board else ""

    # Possible hands --------------------------------------------------------------------------------------------------

    def beside_the_dealer(self, qualifies: bool) -> frozenset[str]:
        """A dealer below a pair leaves a board of five ranks: with two cards more nobody has a full house or four of a
        kind, with any decision.
        """
        return self.names - NOT_OF_FIVE_RANKS if self._below_a_pair and not qualifies else self.names

    @property
    def _below_a_pair(self) -> bool:
        """A dealer's hand that does not qualify is none; other books want more of it."""
        return self.dealers_hands[False] <= {HandName.HIGH_CARD}

    def beside_a_tie(self, hand: str) -> Tie:
        """Two equal hands that are a flush, four of a kind, a straight or royal flush have all that decides on the board, so
        that nobody has less, and nobody loses except with four of a kind.

        Four of one rank are four cards: both hands hold them, and no card lies before two people. A flush takes three cards
        of the board at the least, so that two flushes with five board cards are of one suit; equal, they are the same five
        cards. Other names can be equal by cards that both hold (two kings beside one on the board), and leave anything.
        """
        return ON_THE_BOARD.get(hand, ANY_TIE)

    def can_be_dealt(self, wager: str, rows: Iterable[str], known: Iterable[str]) -> bool:
        """The Six Card hands have the four cards of one box in them."""
        return self.wagers[wager].settled_by is not SettledBy.SIX or one_box_makes(rows)

    def hands_with_prize(self, hand: str) -> frozenset[str]:
        """The best five of these and two cards more."""
        return IN_SEVEN[hand]

    def flops(self, hands: Iterable[str], *, qualifies: bool = True) -> frozenset[Flop]:
        """Every hand has the flop in it, the dealer's too: below a pair it has three ranks."""
        return flops(hands) if qualifies or not self._below_a_pair else flops(hands) & OF_THREE_RANKS

    def made_beside(
        self, rules: Submission, board: tuple[str, ...], dealer: tuple[str, ...], six_card: tuple[str, ...]
    ) -> Mapping[tuple[str, ...], Made]:
        """The two cards of 990 to 1,081 hands; who counts them keeps them as long as the board lies there."""
        against = strength(dealer + board) if dealer else None
        lying = {*board, *dealer, *six_card}
        boxes = {SettledBy.POCKET: (), **({SettledBy.SIX: six_card} if six_card else {})}
        on_own = [(wager, box) for kind, box in boxes.items() for wager in self.settled_by(kind)]
        on_own = [(wager, box) for wager, box in on_own if wager in rules.paytables]
        flop = board[:FLOP_CARDS] if rules.offers else ()
        pocket = any(self.wagers[wager].settled_by is SettledBy.POCKET for wager, _ in on_own)
        of_flushes = _suits_of_flushes(board) | _suits_of_flushes(six_card)
        made: dict[tuple[str, ...], Made] = {}
        for alike in _alike([card for card in DECK if card not in lying], of_flushes, suited=pocket):
            own = alike[0]
            mine = strength(own + board)
            result = None if against is None else RESULT_OF[(mine > against) - (mine < against)]
            rows = tuple([(wager, self.row_of(rules, wager, own + box)) for wager, box in on_own])
            flopped = name_of(strength(own + flop)) if flop else ""
            made.update(dict.fromkeys(alike, Made(result, name_of(mine), rows, flopped)))
        return made

    def row_of(self, rules: Submission, wager: str, cards: tuple[str, ...]) -> str:
        """The row of the own cards with the Six Card box. A game with a bonus on other cards says what those make."""
        if self.wagers[wager].settled_by is SettledBy.SIX and len(cards) == self.hole_cards + self.procedure.box_cards:
            return six_card_row(rules.paytables[wager], cards)
        return ""


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


def _alike(cards: list[str], of_flushes: frozenset[str], *, suited: bool) -> Iterator[list[tuple[str, ...]]]:
    """Every two of these cards, those together that make the same: of the same ranks, unless a card is of a suit that a
    flush can be made of, or the two are `suited` and that decides.

    In the order of the deck, the cards and the two of each.
    """
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(card if card[1] in of_flushes else card[0], []).append(card)
    for one in groups.values():
        if len(one) > 1:
            yield [*combinations(one, 2)]
    for one, other in combinations(groups.values(), 2):
        pairs: list[tuple[str, ...]] = [*product(one, other)]
        if one[0][0] == other[0][0]:
            yield [(*sorted(pair),) for pair in pairs]
        elif suited:
            of_two_suits = [pair for pair in pairs if pair[0][1] != pair[1][1]]
            of_one_suit = [pair for pair in pairs if pair[0][1] == pair[1][1]]
            yield from (same for same in (of_two_suits, of_one_suit) if same)
        else:
            yield pairs


def _suits_of_flushes(cards: tuple[str, ...]) -> frozenset[str]:
    """The suits in which two more cards can make a flush with these."""
    suits = [card[1] for card in cards]
    return frozenset(suit for suit in suits if suits.count(suit) >= FIVE - 2)
