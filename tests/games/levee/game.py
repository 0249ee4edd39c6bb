"""Levee Three: a game of the tests. Three cards each, a straight is above a flush, and three of a kind above both."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.cards import RANKS
from firmware.rules.games.streets import Streets, at_even_money
from firmware.rules.hands import Hand, HandName, Strength
from firmware.rules.payment import Payment, lose, push
from firmware.rules.seat import Seat
from firmware.rules.submission import Submission
from firmware.rules.told import Told

THREE = 3
RANKED = (
    HandName.HIGH_CARD,
    HandName.PAIR,
    HandName.FLUSH,
    HandName.STRAIGHT,
    HandName.THREE_OF_A_KIND,
    HandName.STRAIGHT_FLUSH,
)
"""Low to high: fewer of a deck's hands of three cards are straights than flushes."""
LOWEST_RUN = (12, 1, 0)
"""Ace, three, two: the ace stands below the two."""


class Levee(Streets):
    """Entry and Play against a dealer who plays with a pair or better; Pair Plus and Progressive on the own cards."""

    names = frozenset(RANKED)

    def against_the_dealer(self, rules: Submission, seat: Seat, told: Told) -> Iterator[Payment]:
        """LV.11(c), (e)."""
        number, cites, play = seat.number, rules.book.cites, seat.decided("play")
        if play is None or not seat.plays:
            yield from self.lost_by_fold(rules, seat)
            return
        entry = seat.wagers["entry"]
        if not told.qualifies:
            yield at_even_money(rules, seat, "entry", entry)
            yield push(number, "play", play, cites["no_pair"])
            return
        for wager, stake in (("entry", entry), ("play", play)):
            if told.compared > 0:
                yield at_even_money(rules, seat, wager, stake)
            else:
                yield (lose if told.compared else push)(number, wager, stake, cites[told.result])

    def asks(self, rules: Submission, seat: Seat, result: str, qualifies: bool) -> dict[str, tuple[str, ...]]:
        """Nothing is compared with a dealer who does not play (LV.11(e)(1))."""
        asked = super().asks(rules, seat, result, qualifies)
        return asked if qualifies else {about: rows for about, rows in asked.items() if about != "result"}

    def hand_of(self, cards: tuple[str, ...]) -> Hand:
        """Of exactly three cards."""
        held = [RANKS.index(card[0]) for card in cards]
        decisive = sorted(held, key=lambda rank: (held.count(rank), rank), reverse=True)
        name, ranks = _named(tuple(decisive), suited=len({card[1] for card in cards}) == 1)
        order = [rank % len(RANKS) for rank in ranks]
        in_order = sorted(cards, key=lambda card: order.index(RANKS.index(card[0])))
        strength = RANKED.index(name)
        for rank in ranks:
            strength = 16 * strength + rank + 1
        return Hand(name, Strength(strength), tuple(in_order))

    def row_of(self, rules: Submission, wager: str, cards: tuple[str, ...]) -> str:
        """Pair Plus is on the own three cards."""
        name = self.name_of(cards) if len(cards) == THREE else ""
        return name if name in rules.paytables[wager].rows else ""


def _named(ranks: tuple[int, ...], *, suited: bool) -> tuple[HandName, tuple[int, ...]]:
    """The name of three ranks in the order in which they decide, and that order where it is another one."""
    if len(set(ranks)) < THREE:
        return (HandName.THREE_OF_A_KIND if len(set(ranks)) == 1 else HandName.PAIR), ranks
    low = ranks == LOWEST_RUN
    if low or ranks[0] - ranks[2] == 2:
        return (HandName.STRAIGHT_FLUSH if suited else HandName.STRAIGHT), (1, 0, -1) if low else ranks
    return (HandName.FLUSH if suited else HandName.HIGH_CARD), ranks


GAME = Levee
