"""Projections of the state alone: lamps, the lock line, whether a progressive wager is recognized."""

from __future__ import annotations

from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payment import Payment, Source
from firmware.table.state import HANDS, Phase, Position, PrizeStatus, Seat, Sensor, TableState


def lamps(state: TableState) -> dict[int, str]:
    """The lamp at every spot: dark, lit, late or fault. A wager stays lit to the end of its round."""
    return {spot: _lamp(state, state.seat(number), wager, sensor) for spot, number, wager, sensor in state.spots()}


def _lamp(state: TableState, seat: Seat, wager: str, sensor: Sensor) -> str:
    if seat.staked(wager):
        return "lit"
    if wager in dict(seat.late) and sensor.covered:
        return "late"
    if state.phase is Phase.OPEN and sensor.before_lock and not sensor.dead and recognizes(state):
        return "fault"
    return "dark"


def button_lamps(state: TableState) -> dict[tuple[int, str], bool]:
    """The lamps of the wagering buttons, (seat, hand): lit for the wagers that stand."""
    return {(number, hand): hand in seat.five_card for number, seat in state.numbered() for hand in HANDS}


def is_closed(state: TableState) -> bool:
    """Shut for good, not for a change of decks: no cards, nothing staked, no credit in an account."""
    return state.phase is Phase.SHUT and not (state.decks.here or state.players or any(state.felt.accounts))


def locked(state: TableState) -> bool:
    """The lock line: no progressive wager may be placed."""
    return state.phase is not Phase.OPEN or not recognizes(state)


def recognizes(state: TableState) -> bool:
    """True if a progressive wager placed now is recognized: the bank can be told and no alarm stands.

    If it is not, the base game goes on (653a.7(d)(3): the wager is an option): rounds without it, no lamp is lit, the
    lock line says locked; a lamp that was lit before stands.
    """
    return state.program.progressive and state.neighbors.link_up and not trouble(state)


def trouble(state: TableState) -> Message:
    """The fault of a progressive's own equipment, or of its bank, that stands in its way; nothing if there is none."""
    if state.felt.out_of_order:
        return say("off.out-of-order")
    if state.neighbors.bank_alarm:
        return say("off.bank-alarm", text=state.neighbors.bank_alarm_text)
    if not state.felt.up:
        return say("off.sensors", why=state.felt.why)
    return NOTHING


OF_RECORDS = frozenset({"behind", "fork", "ahead", "hash", "journal"})
"""Alarms that the table's record and the bank's are not of one history: one was put back, or is another one."""


def why_unpaid(state: TableState) -> Message:
    """Why no prize of a wager with a meter is paid now; nothing where it is.

    A journal that was put back shows a prize as not paid that was. Only the bank can say so, which saw more of it; so every
    prize waits after a start until it was heard, and while an alarm says that the records differ.
    """
    them = state.neighbors
    if not (state.program.progressive and state.program.live):
        return NOTHING
    if them.bank_alarm in OF_RECORDS:
        return say("unpaid.records-differ", text=them.bank_alarm_text)
    return NOTHING if them.heard or len(them.unheard_by) > 1 else say("unpaid.bank-not-heard")


def may_pay_unheard(state: TableState) -> bool:
    """Two people may sign for it: nothing but the bank's silence stands in the way."""
    return bool(why_unpaid(state)) and state.neighbors.bank_alarm not in OF_RECORDS


_BANK_REMEDIES = {"amount": say("bank.remedy-amount"), "rules": say("bank.remedy-rules")}
"""By the kind of an alarm, where there is more to say than of all of them."""


def remedy(state: TableState) -> Message:
    """The cure of that trouble; nothing if there is none."""
    if state.felt.out_of_order:
        return say("off.out-of-order-remedy")
    if state.neighbors.bank_alarm:
        return _BANK_REMEDIES.get(state.neighbors.bank_alarm, say("bank.remedy"))
    return NOTHING if state.felt.up else say("remedy.technician")


def heeds_switch(state: TableState) -> bool:
    """The lockout switch counts: it is there and heard, and a floorperson has not put it out of order.

    Else bets are opened by the table and locked on the screen, and no progressive wager is recognized meanwhile.
    """
    return state.program.progressive and state.felt.up and not state.felt.out_of_order


def why_off(state: TableState) -> Message:
    """Why progressive wagers are not recognized; nothing where they are."""
    if not state.program.progressive:
        return say("off.none")
    if found := trouble(state):
        return found
    if not state.neighbors.link_up:
        return say("off.link", why=state.neighbors.link_why)
    return NOTHING


def to_settle(state: TableState) -> tuple[int, ...]:
    """The seats that are still to be settled against the dealer, from the last one down (653a.11(h))."""
    waiting = [number for number, seat in state.numbered() if seat.position.plays and not seat.position.settled]
    return tuple(reversed(waiting))


def next_turn(state: TableState) -> int:
    """The seat that is settled next against the dealer; 0 when none is left."""
    return next(iter(to_settle(state)), 0)


def next_draw(state: TableState) -> int:
    """The next player to draw, from seat 1 up (671a.11(d)); 0 when none is left."""
    return min((number for number, seat in state.numbered() if seat.position.waits_for_cards), default=0)


def positions_of_one(state: TableState, number: int) -> tuple[int, ...]:
    """The adjacent positions of the person at this one (653a.7(e)); most have one."""
    mark = state.seat(number).player
    first = last = number
    while mark and first > 1 and state.seat(first - 1).player == mark:
        first -= 1
    while mark and last < len(state.round.seats) and state.seat(last + 1).player == mark:
        last += 1
    return tuple(range(first, last + 1))


def comes_back(state: TableState) -> tuple[tuple[int, int], ...]:
    """(seat, cents) that players were paid and that a void round takes back, of a wager that was racked its stake too: by a
    first pass, by what a correction undid, as envy bonuses. A share that the cage paid does not come back.
    """
    envy = envy_paid(state)
    paid = (
        (
            number,
            sum(line.payout for line in seat.position.lines)
            + still_out(seat.position)
            + sum(one.payout for one in envy if one.seat == number),
        )
        for number, seat in state.numbered()
    )
    return tuple(one for one in paid if one[1])


def still_out(position: Position) -> int:
    """Cents that a correction undid: the chips lie there until the seat is settled again (653a.11(h)(2)). A payment of the
    cage at this turn stays with the player.
    """
    return sum(line.paid_over for line in position.undone if line.source is not Source.CAGE)


def envy_paid(state: TableState) -> tuple[Payment, ...]:
    """The envy bonuses of this round that players have."""
    return tuple(one for envied in state.round.envied for one in envied.paid)


def shares_paid(state: TableState) -> tuple[Payment, ...]:
    """Shares of meters that were won and paid in this round, not from the rack: nothing that follows takes one back. A
    divided share counts with every backer's part, whose own turn may still come.
    """
    prizes = (prize for _, seat in state.numbered() for prize in seat.prizes)
    won = (one for prize in prizes if prize.meter and prize.status == PrizeStatus.PAID for one in prize.payments)
    return (*won, *state.round.shares)


def chips_back(state: TableState) -> tuple[int, ...]:
    """The seats that get a chip of a sensor back in a void round: all but those that have won a share with it."""
    won = {(one.seat, one.wager) for one in shares_paid(state)}
    lit = [(number, wager) for wager in state.program.sensed for number in state.made(wager)]
    return tuple(sorted({number for number, wager in lit if (number, wager) not in won}))


def is_again(seat: Seat) -> bool:
    """The settlement of this seat was undone: money is still out, or a floorperson has something settled again.

    Nobody is taken to have lost there by silence (653a.11(h)(2)). After the dealer's hand was entered again, a seat that
    had been paid nothing loses by silence as at first.
    """
    return bool(still_out(seat.position) or (seat.corrected and seat.position.undone))


def prizes_paid(state: TableState) -> tuple[Payment, ...]:
    """The payments of wagers with a meter in this round, and the credits to accounts; a divided share counts for every
    backer, whose own turn may still come.
    """
    prizes = (prize for seat in state.round.seats for prize in seat.prizes if prize.status == PrizeStatus.PAID)
    return (*state.round.credited, *(one for prize in prizes for one in prize.payments), *state.round.shares)
