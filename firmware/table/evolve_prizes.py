"""Prizes, claims, envy bonuses and wagering accounts, as they are written down: 653a.11(k), (l) and .12(d), (e)."""

from __future__ import annotations

from typing import assert_never

from firmware.rules.message import say
from firmware.table import events as e
from firmware.table.evolve_bets import in_account
from firmware.table.evolve_game import settled_again
from firmware.table.projections import next_turn
from firmware.table.state import (
    SHARES_KEPT,
    Credit,
    Envied,
    EnvyHand,
    Phase,
    Prize,
    PrizeStatus,
    SharePaid,
    TableState,
)
from firmware.wire.reports import AccountMove
from firmware.wire.structs import replace


def _round(state: TableState, **changes: object) -> TableState:
    return replace(state, round=replace(state.round, **changes))  # type: ignore[arg-type]


def _prize(state: TableState, number: int, **changes: object) -> TableState:
    seat = state.seat(number)
    assert seat.prize is not None, f"seat {number} has no prize"
    return state.with_seat(number, replace(seat, prize=replace(seat.prize, **changes)))  # type: ignore[arg-type]


def _back_to_turn(state: TableState) -> TableState:
    """A prize is over: at levels 1 and 2 the same seat is still being settled, or the next one is."""
    return _round(state, turn=next_turn(state) if state.in_turn else 0)


def evolve_prizes(state: TableState, event: e.PrizesEvent) -> TableState:
    """The table after something happened to a prize."""
    match event:
        case e.SettlingBegun():
            return _back_to_turn(state)
        case e.WinnerPicked():
            return _round(state, turn=event.seat) if event.seat else _back_to_turn(state)
        case e.PrizeNamed():
            paid = event.payment
            prize = Prize(event.hand, paid.odds or "", paid.cite, (paid,), wager=paid.wager)
            return _named(state, event.seat, prize)
        case e.ShareNamed():
            return _share_named(state, event)
        case e.CardTapped():
            return _card_tapped(state, event)
        case e.HandShown():
            return _prize(state, event.seat, cards=event.cards, rank="")
        case e.PrizeTakenBack():
            seat = state.seat(event.seat)
            earlier = seat.earlier
            found = (seat.prize.wager,) if event.by and seat.prize else ()
            seat = replace(
                seat,
                prize=earlier[-1] if earlier else None,
                earlier=earlier[:-1],
                not_winners=(*seat.not_winners, *found),
            )
            return _back_to_turn(state.with_seat(event.seat, seat))
        case e.PrizeElsewhere():
            return _prize(state, event.seat, payments=(event.payment,))
        case e.PrizeValidated():
            return _prize(state, event.seat, status=PrizeStatus.VALIDATED, by=(event.by,))
        case e.PrizePaid():
            seat = state.seat(event.seat)
            state = state.with_seat(event.seat, replace(seat, position=settled_again(seat.position, (event.payment,))))
            return _back_to_turn(_prize(state, event.seat, status=PrizeStatus.PAID, payments=(event.payment,)))
        case e.ClaimMade() | e.ClaimPriced() | e.ClaimPaid() | e.ClaimRejected():
            return _claim(state, event)
        case e.PriceOffered():
            return _prize(state, event.seat, offered=event.price)
        case e.PriceAccepted():
            signed = {"payments": event.payments, "by": (event.by,)}
            return _prize(state, event.seat, price=event.price, offered=None, **signed)
        case e.EnvyOwed() | e.EnvyMarked() | e.EnvyPaid():
            return _envy(state, event)
        case _:
            assert_never(event)


def _share_named(state: TableState, event: e.ShareNamed) -> TableState:
    prize = Prize(
        event.hand,
        event.odds,
        event.cite,
        meter=event.meter,
        percent=event.percent,
        wager=event.wager,
        backers=event.backers,
        hand_cards=event.hand_cards,
    )
    return _named(state, event.seat, prize)


def _named(state: TableState, number: int, prize: Prize) -> TableState:
    """A prize of this seat: the same one under another name keeps its cards, one that is over stays on record with them.

    A prize that two people rejected says nothing about the hand that is named next: its cards are entered again.
    """
    seat = state.seat(number)
    old = seat.prize
    if old is not None and old.status in (PrizeStatus.PAID, PrizeStatus.REJECTED):
        seat = replace(seat, earlier=(*seat.earlier, old), prize=prize)
    else:
        seat = replace(seat, prize=replace(prize, cards=old.cards if old else ()))
    return _round(state.with_seat(number, seat), turn=number)


def _card_tapped(state: TableState, event: e.CardTapped) -> TableState:
    if state.phase is Phase.HAND:
        entry = replace(state.round.entry, cards=event.cards, rank=event.rank, slot=event.slot)
        return _round(state, entry=entry)
    return _prize(state, state.round.turn, cards=event.cards, rank=event.rank, slot=event.slot)


def _claim(state: TableState, event: e.ClaimMade | e.ClaimPriced | e.ClaimPaid | e.ClaimRejected) -> TableState:
    match event:
        case e.ClaimMade():
            made = {"claim": event.claim, "claim_seq": event.seq, "by": (event.by,)}
            return _prize(state, event.seat, status=PrizeStatus.CLAIMED, **made)
        case e.ClaimPriced():
            return _prize(state, event.seat, status=PrizeStatus.PENDING, payments=event.payments, price=event.price)
        case e.ClaimPaid():
            paid = {"payments": event.payments, "by": event.signed}
            state = _round(_remembered(state, event, paid=True), shares=(*state.round.shares, *event.later))
            return _back_to_turn(_prize(state, event.seat, status=PrizeStatus.PAID, **paid))
        case e.ClaimRejected():
            if event.by:  # the regulator may order that it is opened again
                state = _remembered(state, event, paid=False)
            return _back_to_turn(_prize(state, event.seat, status=PrizeStatus.REJECTED, by=event.signed))
        case _:
            assert_never(event)


def _remembered(state: TableState, event: e.ClaimPaid | e.ClaimRejected, *, paid: bool) -> TableState:
    """The bank may owe more for this claim, rounds later; not for a claim of a test, which it never heard."""
    if not state.program.live:
        return state
    prize = state.seat(event.seat).prize
    assert prize is not None and prize.price is not None, f"claim {event.claim} is ended without a price"
    share = SharePaid(event.claim, prize.wager, prize.hand, prize.price.amount if paid else 0)
    shares = (*state.neighbors.shares, share)[-SHARES_KEPT:]
    return replace(state, neighbors=replace(state.neighbors, shares=shares))


def _envy(state: TableState, event: e.EnvyOwed | e.EnvyMarked | e.EnvyPaid) -> TableState:
    match event:
        case e.EnvyOwed():
            seats = tuple(replace(seat, same_player=False) for seat in state.round.seats)
            hands = (*state.round.envy_hands, EnvyHand(event.holder, event.hand))
            return _round(state, seats=seats, turn=event.holder, envy=event.payments, envy_hands=hands)
        case e.EnvyMarked():
            return state.with_seat(event.seat, replace(state.seat(event.seat), same_player=event.same_player))
        case e.EnvyPaid():
            envied = Envied(event.holder, event.payments, state.round.envy)
            return _back_to_turn(_round(state, envied=(*state.round.envied, envied), envy=()))
        case _:
            assert_never(event)


# Wagering accounts ----------------------------------------------------------------------------------------------------


def evolve_accounts(state: TableState, event: e.AccountsEvent) -> TableState:
    """The table after something happened to a wagering account, or to a wager made from it."""
    match event:
        case e.AccountMoved():
            return in_account(state, event.seat, event.amount if event.move is AccountMove.BUY_IN else -event.amount)
        case e.ButtonIgnored():
            return replace(state, desk=replace(state.desk, notice=say("seat.why", seat=event.seat, why=event.why)))
        case e.BonusDrawn():
            return _round(state, magic_card=event.magic_card, lucky=event.lucky)
        case e.AccountCredited():
            stand = (*state.round.credits, Credit(event.payment, event.hand))
            return in_account(_round(state, credits=stand), event.seat, event.payment.payout)
        case e.AccountCorrected():
            kept = tuple(one for one in state.round.credits if one.payment != event.payment)
            return in_account(_round(state, credits=kept), event.seat, -event.payment.payout)
        case _:
            assert_never(event)
