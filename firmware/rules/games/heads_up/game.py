"""World Poker Tour Heads-Up Hold 'Em: 58 Pa. Code Chapter 677a, paragraph by paragraph.

One seat is settled completely before the next, from the last seat down (677a.11(g) to (i)).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from firmware.rules.cards import SUITS
from firmware.rules.games.holdem import Holdem
from firmware.rules.games.streets import at_even_money, on_its_paytable
from firmware.rules.hands import RANKED, HandName
from firmware.rules.money import Cents
from firmware.rules.payment import Payment, lose, push
from firmware.rules.paytable import Paytable
from firmware.rules.seat import Seat
from firmware.rules.submission import Submission
from firmware.rules.told import Told
from firmware.rules.wager import SettledBy

BAD_BEAT = "bad_beat"
"""The paytable of an Odds wager on a hand that lost (677a.12(c))."""

ACES = "pair of aces"
PAIR_OR_BETTER = frozenset(RANKED[RANKED.index(HandName.PAIR) :])


class HeadsUp(Holdem):
    """Odds beside the Ante: paid when they win, and when a straight or better loses."""

    def against_the_dealer(self, rules: Submission, seat: Seat, told: Told) -> Iterator[Payment]:
        """Ante, Raise and Odds (677a.11(f), (h))."""
        odds, stake = seat.wagers["odds"], seat.decided("raise")
        number, cites = seat.number, rules.book.cites
        if stake is None or not seat.plays:  # (f)
            yield from self.lost_by_fold(rules, seat)
            return
        yield self.ante(rules, seat, told)
        if told.compared > 0:  # (h)(1)(i), (2)(i); the Odds are returned below a straight (677a.12(b))
            yield at_even_money(rules, seat, "raise", stake)
            yield on_its_paytable(
                rules, seat, "odds", told.hand, push(number, "odds", odds, rules.paytables["odds"].cite)
            )
            return
        paragraph = cites[told.result if told.qualifies else f"no_pair_{told.result}"]
        if told.compared == 0:  # (h)(1)(ii), (2)(ii)
            yield push(number, "raise", stake, paragraph)
            yield push(number, "odds", odds, paragraph)
        else:  # (h)(1)(iii), (2)(iii); (B): a straight or better that loses is a bad beat, and the Odds are paid for it
            yield lose(number, "raise", stake, paragraph)
            lost = lose(number, "odds", odds, paragraph)
            yield on_its_paytable(rules, seat, "odds", told.hand, lost, BAD_BEAT)

    def within_the_limit(self, rules: Submission, payments: list[Payment], already: Cents) -> list[Payment]:
        """It covers Ante, Raise and winning Odds over all boxes of a player, and no bad beat (677a.12(f), reading 11)."""
        if any(_is_bad_beat(rules, payment) for payment in payments):
            return payments
        return super().within_the_limit(rules, payments, already)

    def counted(self, rules: Submission, payments: Iterable[Payment]) -> Cents:
        """A bad beat uses nothing of the limit (677a.12(f))."""
        return super().counted(rules, [payment for payment in payments if not _is_bad_beat(rules, payment)])

    def paid_by_the_hand(self, rules: Submission, seat: Seat, result: str) -> Iterator[Paytable]:
        """A losing hand's name decides the Odds too."""
        yield from super().paid_by_the_hand(rules, seat, result)
        if result == "lower":
            yield rules.paytables[BAD_BEAT]

    def hands_on_rows(self, rows: Mapping[str, str], option: int | None) -> frozenset[str]:
        """A pocket pair is a pair at the least (677a.11(i)(1))."""
        return PAIR_OR_BETTER if rows.get("pocket_bonus", "").startswith("pair") else self.names

    def can_be_dealt(self, wager: str, rows: Iterable[str], known: Iterable[str]) -> bool:
        """A deck has four aces for all pockets that hold one or two of them."""
        if self.wagers[wager].settled_by is not SettledBy.POCKET:
            return super().can_be_dealt(wager, rows, known)
        held = sum(2 if row == ACES else row.startswith("ace ") for row in rows)
        return held + sum(card[0] == "A" for card in known) <= len(SUITS)

    def row_of(self, rules: Submission, wager: str, cards: tuple[str, ...]) -> str:
        """The Pocket Bonus is on the two cards alone (677a.11(i)(1))."""
        if self.wagers[wager].settled_by is SettledBy.POCKET and len(cards) == self.hole_cards:
            return pocket_row(cards)
        return super().row_of(rules, wager, cards)


GAME = HeadsUp


def pocket_row(cards: tuple[str, ...]) -> str:
    """The Pocket Bonus row of the two cards, or "" (677a.11(i)(1))."""
    ranks = {card[0] for card in cards}
    if len(ranks) == 1:
        return ACES if ranks == {"A"} else "pair of 2s to kings"
    if "A" in ranks and not ranks.isdisjoint("KQJ"):
        same = "same suit" if cards[0][1] == cards[1][1] else "different suits"
        return f"ace and king, queen or jack, {same}"
    return ""


def _is_bad_beat(rules: Submission, payment: Payment) -> bool:
    """Paid under 677a.12(c), where the limit is on (a) and (b)."""
    return payment.cite == rules.paytables[BAD_BEAT].cite
