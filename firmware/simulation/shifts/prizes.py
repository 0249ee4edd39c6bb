"""Progressive and Five Card prizes of a shift: named, validated, paid or claimed."""

from __future__ import annotations

from typing import Any

from firmware.rules.hands import HandName
from firmware.rules.meter_wagers import PROGRESSIVE, price_of, prize_of
from firmware.rules.paytable import Share
from firmware.simulation.hands import Cards, made_by
from firmware.simulation.shifts.houses import CHIEF, FLOOR
from firmware.simulation.shifts.law import Wrong
from firmware.simulation.shifts.proved import ProvedTable
from firmware.table.five_card import MAGIC, WAGERS, is_credited
from firmware.table.inputs import BankSaid, ClaimAnswer
from firmware.table.state import Phase, PrizeStatus


def winners(shift: ProvedTable, cards: Cards) -> None:
    """Every winning wager that was not named yet, from the last seat down: at level 0 all, then those of folded hands."""
    for seat in sorted(shift.state.wagers, reverse=True):
        if shift.state.seat(seat).left or _tried(shift, seat, PROGRESSIVE):
            continue
        hand = made_by(cards.hands[seat], cards.board)
        if hand in shift.house.progressive.prizes:
            shift.press(f"seat {seat}")
            _name_hand(shift, seat, hand, cards)
    if shift.house.submission.five_card_hand is not None:
        for seat in range(len(shift.state.round.seats), 0, -1):
            if shift.state.seat(seat).five_card and not shift.state.seat(seat).left:
                _five_card(shift, seat, cards, pick=True)


def _tried(shift: ProvedTable, seat: int, wager: str) -> bool:
    """This wager was paid, credited or rejected."""
    over = (PrizeStatus.PAID, PrizeStatus.REJECTED)
    done = any(prize.wager == wager and prize.status in over for prize in shift.state.seat(seat).prizes)
    return done or is_credited(shift.state, seat, wager)


def _name_hand(shift: ProvedTable, seat: int, hand: str, cards: Cards) -> None:
    """A winning progressive wager: validated, paid or claimed."""
    shift.tally[f"progressive {hand}"] += 1
    shift.press(f"hand {hand}")
    if shift.sometimes(0.1):
        shift.press("cancel")
        if shift.state.round.turn != seat:
            shift.press(f"seat {seat}")
        shift.press(f"hand {hand}")
    _validated(shift, (*cards.hands[seat], *cards.board[:3]))


def _validated(shift: ProvedTable, five: tuple[str, ...]) -> None:
    if shift.state.phase is Phase.CARDS:
        for card in five:
            shift.press(f"rank {card[0]}")
            shift.press(f"suit {card[1]}")
        shift.press("show")
    shift.press("approve", FLOOR)
    if shift.state.phase is Phase.PAY:
        shift.press("paid")
        return
    _bank_prices(shift)
    if shift.sometimes(0.2):
        shift.tally["claim rejected"] += 1
        shift.press("claim-rejected", CHIEF)
    else:
        shift.tally["claim paid"] += 1
        shift.press("claim-paid", CHIEF)
        if shift.state.phase is Phase.ENVY:
            shift.press("envy-paid")


def _bank_prices(shift: ProvedTable) -> None:
    """The bank holds all that is owed, and freezes the share."""
    prize = shift.state.seat(shift.state.round.turn).prize
    if prize is None:
        raise Wrong("a claim without a prize")
    rules, share = shift.house.submission, prize_of(shift.house.submission, prize.wager, HandName(prize.hand))
    if not isinstance(share, Share):
        raise Wrong("a claim of what is no share")
    backers = len(prize.backers)
    frozen = price_of(rules, prize.wager, share, shift.meters, backers) * backers
    shift.claims[prize.claim] = ClaimAnswer(prize.claim, "pending", prize.meter, prize.odds, frozen, prize.cite)
    last = shift.state.neighbours.outbox[-1]
    shift.take(BankSaid("e" * 32, shift.state.program.journal, last.seq, last.hash, (shift.claims[prize.claim],)))
    shift.expect(Phase.HOLD, "a priced claim is not on hold")


def _five_card(shift: ProvedTable, seat: int, cards: Cards, *, pick: bool) -> None:
    """Own hand and dealer's hand with the flop."""
    offer = shift.house.submission.five_card_hand
    if offer is None:
        return
    for hand in shift.state.seat(seat).five_card:
        five = (*(cards.hands[seat] if hand == "own" else cards.dealer), *cards.board[:3])
        made = made_by(five)
        prize = offer.prizes.get(made)
        if prize is not None and not _tried(shift, seat, WAGERS[hand]) and not _shared_already(shift, prize):
            shift.tally[f"five card {made}"] += 1
            if pick and shift.state.round.turn != seat:
                shift.press(f"seat {seat}")
            shift.press(f"five {hand} {made}")
            if shift.state.phase is not Phase.SETTLE:
                _validated(shift, five)
        if shift.state.round.magic_card in five and not _tried(shift, seat, MAGIC[hand]):
            shift.tally["magic card"] += 1
            if pick and shift.state.round.turn != seat:
                shift.press(f"seat {seat}")
            shift.press(f"five {hand} magic")
    if pick and shift.state.round.turn:
        shift.press(f"seat {shift.state.round.turn}")


def _shared_already(shift: ProvedTable, prize: Any) -> bool:
    return isinstance(prize, Share) and any(
        one.wager == "five_card_dealer" and one.meter for seat in shift.state.round.seats for one in seat.prizes
    )


def prizes_of(shift: ProvedTable, number: int, cards: Cards) -> None:
    """Progressive and Five Card wagers, in the seat's own turn."""
    if shift.state.round.void_cite or shift.state.seat(number).left:
        return
    if shift.state.seat(number).wager and not any(p.status == "paid" for p in shift.state.seat(number).prizes):
        hand = made_by(cards.hands[number], cards.board)
        if hand in shift.house.progressive.prizes:
            _name_hand(shift, number, hand, cards)
    credited = {one.wager for one in shift.state.round.credited if one.seat == number}
    if shift.state.seat(number).five_card and not credited:
        _five_card(shift, number, cards, pick=False)
