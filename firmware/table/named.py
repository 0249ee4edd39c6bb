"""What was named: the hands that prizes, credits and envy say of a seat's two cards, or the dealer's, with the flop."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.rules.meter_wagers import FIVE_CARD
from firmware.rules.seat import DEALER
from firmware.table.state import Prize, PrizeStatus, Seat, TableState

DEALERS_HAND = FIVE_CARD[1]


def hands_held(state: TableState) -> dict[int, tuple[int, str]]:
    """Who holds two cards of his own, a seat or the dealer -> (the seat whose wager it was named for, the hand)."""
    return {holder(number, wager): (number, hand) for (number, wager), hand in named(state)}


def holder(number: int, wager: str) -> int:
    """On whose two cards this wager of a seat wins."""
    return DEALER if wager == DEALERS_HAND else number


def named(state: TableState) -> Iterator[tuple[tuple[int, str], str]]:
    """((seat, wager or "" for a hand that brings envy), hand) of everything that says what somebody's five cards are."""
    for number, seat in state.numbered():
        yield from (((number, prize.wager), prize.hand) for prize in seat.prizes if speaks(seat, prize))
    for credit in state.round.credits:
        if credit.hand:
            yield (credit.payment.seat, credit.payment.wager), credit.hand
    for number, hand in state.round.envied_by.items():
        if not state.seat(number).share_is_no_evidence:
            yield (number, ""), hand


def speaks(seat: Seat, prize: Prize) -> bool:
    """It says what the cards are: it was not rejected, nor is it a paid share of which a floorperson signed otherwise.

    Nothing takes a paid share back, and it keeps nobody for ever from what his own cards win.
    """
    return prize.status != PrizeStatus.REJECTED and not (seat.share_is_no_evidence and is_paid_share(prize))


def is_paid_share(prize: Prize) -> bool:
    """The bank paid it: no correction undoes it."""
    return bool(prize.meter) and prize.status == PrizeStatus.PAID


def same_hand(one: tuple[int, str], other: tuple[int, str]) -> bool:
    """(seat, wager) of two different wagers that win on the same cards: a seat's own, or the dealer's."""
    own = one[0] == other[0] and DEALERS_HAND not in (one[1], other[1])
    return one != other and (own or one[1] == other[1] == DEALERS_HAND)
