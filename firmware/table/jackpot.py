"""Winners of the wagers with a meter, seat by seat: 653a.11(k), (l) and .12(d), (e).

A fixed prize is validated by a floorperson and paid from the rack, of a Five Card Hand wager to the seat's account. A
share of a meter needs the five cards, is frozen by the bank at that seat's turn, and is paid or rejected by a second
person; never from the rack. Envy bonuses follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.approvals import Act
from firmware.rules.flop import FLOP_CARDS
from firmware.rules.hands import HandName, hand_name
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import claim_payments, lost_payments, meter_payment, prize_of
from firmware.rules.money import Cents
from firmware.rules.payment import Payment, Source
from firmware.rules.paytable import Share
from firmware.table import conflicts, live, pricing
from firmware.table import events as e
from firmware.table.evidence import (
    envy_owed,
    known_five,
    lies_twice,
    out_of_turn,
    why_no_envy,
)
from firmware.table.house import House, Table
from firmware.table.inputs import ClaimAnswer
from firmware.table.known import DEALERS_HAND, known_at, speaks
from firmware.table.outbox import owe
from firmware.table.people import signed
from firmware.table.press import Press
from firmware.table.projections import next_turn, prizes_paid, why_unpaid
from firmware.table.state import Price, Prize, PrizeStatus, TableState
from firmware.wire.from_table import ClaimMade, Verdict


def pick(table: Table, press: Press) -> Iterator[e.Event]:
    """A lit seat is said to have won."""
    yield picked(table, press)


def picked(table: Table, press: Press) -> e.WinnerPicked | e.PressRefused:
    """The seat as a winner; tapped again, as none."""
    state = table.state
    if why_not := why_not_picked(*table, press.number):
        return press.refused(why_not)
    return e.WinnerPicked(0 if press.number == state.round.turn else press.number)


def why_not_picked(house: House, state: TableState, number: int) -> Message:
    """Why this seat cannot be picked as a winner now, or let go of; nothing where it can."""
    seat = state.seat(number)
    awaits_turn = state.in_turn and not seat.position.settled
    if number == state.round.turn and not awaits_turn:  # a picked seat is let go of, in any state since
        return NOTHING
    if awaits_turn and number == next_turn(state) != state.round.turn:  # back to the turn that somebody interrupted
        return NOTHING
    if state.round.void_cite:
        return say("void.progressive-back")
    no_envy = why_no_envy(house, state, number)
    if not seat.wager and not seat.five_card and no_envy:
        return no_envy
    if seat.wager and not (unpaid(state, number) or seat.five_card):
        return say("winner.paid", seat=number)
    if seat.left:
        return say("winner.left", seat=number)
    return say("settle.one-at-a-time", seat=next_turn(state)) if awaits_turn else NOTHING


def unpaid(state: TableState, number: int) -> tuple[str, ...]:
    """The wagers that a sensor of this seat saw, and that have not been paid a prize, in the order of its turn."""
    seat = state.seat(number)
    paid = {prize.wager for prize in seat.prizes if prize.status == PrizeStatus.PAID}
    return tuple(wager for wager in seat.placed if wager in state.program.sensed and wager not in paid)


def name_hand(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer says which hand the picked seat holds: its two cards and the flop (653a.12(d)(2)).

    It is the prize of the first of its wagers that wins on this hand, and has not been paid.
    """
    house, state = table
    hand, waits = press.rest, unpaid(state, state.round.turn) if state.round.turn else ()
    wager = next((one for one in waits if hand in house.submission.offers[one].prizes), "")
    if not state.round.turn:
        yield press.refused(say("winner.seat-first"))
    elif state.round.void_cite:
        yield press.refused(say("void.progressive-back"))
    elif state.seat(state.round.turn).left:
        yield press.refused(say("winner.left", seat=state.round.turn))
    elif not waits:
        yield press.refused(say("winner.none-waits", seat=state.round.turn))
    elif not wager:
        paytable = house.submission.offers[waits[0]].paytable
        yield press.refused(say("hand.no-prize-on", hand=hand, paytable=paytable))
    elif (why_not := conflicts.of_prize(house, state, state.round.turn, wager, hand, brief=press.tried)) or (
        why_not := share_waits(house, state, wager, HandName(hand))
    ):
        yield press.refused(why_not)
    else:
        known = known_five(state, state.round.turn, wager)
        yield from named(house, state.round.turn, HandName(hand), wager, (state.round.turn,), known)


def share_waits(house: House, state: TableState, wager: str, hand: HandName) -> Message:
    """Why a share of the picked seat is not claimed now: its turn is over, or another's is before; nothing otherwise."""
    prize = prize_of(house.submission, wager, hand)
    return out_of_turn(house, state, state.round.turn, wager, prize) if isinstance(prize, Share) else NOTHING


def named(
    house: House, seat: int, hand: HandName, wager: str, backers: tuple[int, ...], known: tuple[str, ...]
) -> Iterator[e.Event]:
    """The prize of a wager on this hand: what will be paid, or a share that the bank prices. It has one.

    A share is claimed with its five cards; `known` ones, if any, are not asked for again.
    """
    prize = prize_of(house.submission, wager, hand)
    if not isinstance(prize, Share):
        yield e.PrizeNamed(seat, str(hand), fixed(house, seat, wager, hand))
        return
    cards = house.procedure.hand_cards
    yield e.ShareNamed(seat, str(hand), prize.odds, prize.meter, prize.percent, prize.cite, wager, backers, cards)
    if known:
        yield e.HandShown(seat, known)


def fixed(house: House, seat: int, wager: str, hand: HandName) -> Payment:
    """The law's payment for a hand with a fixed prize."""
    return meter_payment(house.submission, seat, wager, hand)


def cancel(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer named the wrong seat or hand."""
    yield e.PrizeTakenBack(table.state.round.turn)


# Cards ---------------------------------------------------------------------------------------------------------------


def _in_hand(state: TableState) -> Prize:
    prize = state.seat(state.round.turn).prize
    assert prize is not None, "a phase of settling a prize without a prize"
    return prize


def show_hand(table: Table, press: Press) -> Iterator[e.Event]:
    """All cards of the hand are entered: they decide, against any earlier word."""
    house, state = table
    prize = _in_hand(state)
    if len(prize.cards) != prize.hand_cards:
        yield press.refused(say("entry.so-many", there=len(prize.cards), n=prize.hand_cards))
        return
    clash = _not_these(house, state, prize.cards) or _clash(house, state, prize.cards)
    hand = house.game.name_of(prize.cards)
    if clash:
        yield press.refused(clash)
    elif why_not := conflicts.of_prize(house, state, state.round.turn, prize.wager, hand):
        yield press.refused(why_not)
    elif prize_of(house.submission, prize.wager, hand) is None:
        yield press.refused(say("entry.no-prize", hand=hand_name(hand)))
    elif why_not := share_waits(house, state, prize.wager, hand):
        yield press.refused(why_not)
    elif hand == prize.hand:
        yield e.HandShown(state.round.turn, prize.cards)
    else:
        yield from named(house, state.round.turn, hand, prize.wager, prize.backers, prize.cards)


def _not_these(house: House, state: TableState, cards: Sequence[str]) -> Message:
    """Why these are not two cards of the seat in turn and the flop, where the board is known; nothing where they may be."""
    flop, number = state.round.board[:FLOP_CARDS], state.round.turn
    if not flop:
        return NOTHING
    own = tuple(card for card in cards if card not in flop)
    if len(own) != house.game.hole_cards:
        return say("entry.not-this-flop", cards=" ".join(flop))
    if twice := lies_twice(state, own):
        return say("entry.elsewhere", card=twice)
    known, said = known_at(house, state, number)
    fits = house.worlds.names(known, said.holding(*own))
    return NOTHING if fits else say("entry.seat-otherwise", seat=number)


def _clash(house: House, state: TableState, cards: Sequence[str]) -> Message:
    """Two hands of a round share the flop and nothing else; nothing where it holds, or the other one no longer `speaks`."""
    wager, shared = _in_hand(state).wager, FLOP_CARDS if house.game.has_board else 0
    for number, seat in state.numbered():
        for prize in seat.prizes:
            same_hand = DEALERS_HAND == wager == prize.wager
            same_hand = same_hand or (number == state.round.turn and DEALERS_HAND not in (wager, prize.wager))
            known = prize.cards if speaks(seat, prize) and not same_hand else ()
            in_both = set(known) & set(cards)
            if len(known) == prize.hand_cards and len(in_both) != shared:
                cards_there = " ".join(known)
                if not shared:
                    return say("entry.elsewhere", card=min(in_both))
                return say("entry.flop-differs", seat=number, cards=cards_there)
    return NOTHING


# Validation, claim, payment -----------------------------------------------------------------------------------------


def approve(table: Table, press: Press) -> Iterator[e.Event]:
    """A floorperson or above validates (653a.11(k)(3)). A share of a meter is claimed from the bank at once."""
    yield from signed(table.house, press, Act.PRIZE, table.house.procedure.cite("validate"), _approved(table, press))


def _approved(table: Table, press: Press) -> Iterator[e.Event]:
    house, state = table
    by = press.by
    prize, seat = _in_hand(state), state.round.turn
    if why_not := why_unpaid(state):
        yield press.refused(why_not)
        return
    if not prize.meter:
        yield e.PrizeValidated(seat, by=by)
        return
    if not state.program.live:
        yield from live.claimed(house, state, prize, press)
        return
    # A seat whose claim was rejected may be claimed again under another id, so the message's number belongs to it.
    claim = f"{state.program.table}:{state.round.number}:{seat}:{state.seq + 1}"
    yield e.ClaimMade(seat, claim, state.seq + 1, by=by)
    won = (HandName(prize.hand), prize.cards, by, prize.wager)
    backers = len(prize.backers)  # only what the dealer's hand wins is divided
    yield owe(state, ClaimMade(claim, state.round.number, seat, *won, backers, press.at))


def not_a_winner(table: Table, press: Press) -> Iterator[e.Event]:
    """A floorperson finds that the hand does not win."""
    found = iter((e.PrizeTakenBack(table.state.round.turn, by=press.by),))
    yield from signed(table.house, press, Act.PRIZE, "", found)


def pay_fixed(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer paid from the rack; a Five Card Hand prize goes to the seat's account (653a.11(l)(3))."""
    seat, payment = table.state.round.turn, _in_hand(table.state).payment
    if why_not := why_unpaid(table.state):
        yield press.refused(why_not)
        return
    if payment.source is Source.ACCOUNT:
        yield e.AccountCredited(seat, payment, "")
    yield e.PrizePaid(seat, payment)


def pay_elsewhere(table: Table, press: Press) -> Iterator[e.Event]:
    """An attendant brings a fixed prize that is not paid from the table inventory (653a.11(k)(4))."""
    house, state = table
    prize = _in_hand(state)
    turn, hand = state.round.turn, HandName(prize.hand)
    payment = meter_payment(house.submission, turn, prize.wager, hand, paid_from=Source.ATTENDANT)
    yield e.PrizeElsewhere(state.round.turn, payment, by=press.by)


def answered(house: House, state: TableState, prize: Prize, answer: ClaimAnswer, epoch: str) -> Iterator[e.Event]:
    """The bank froze the amount, in this epoch of its ledger; another one than was shown is only offered."""
    price, shown = Price(answer.amount, answer.meter, epoch, answer.version), prize.price
    if shown is None:
        yield e.ClaimPriced(state.round.turn, answer.claim, price, _payments(house, prize, price))
        return
    offered = None if answer.amount == shown.amount else price
    if _amount(offered) != _amount(prize.offered):
        yield e.PriceOffered(state.round.turn, answer.claim, offered)


def _amount(price: Price | None) -> int:
    return price.amount if price else 0


def _payments(house: House, prize: Prize, price: Price) -> tuple[Payment, ...]:
    return claim_payments(house.submission, prize.wager, HandName(prize.hand), Cents(price.amount), prize.backers)


def accept_price(table: Table, press: Press) -> Iterator[e.Event]:
    """A floorperson signs for the amount that the bank says now; a second, different person closes the claim."""
    house, state = table
    prize = _in_hand(state)
    if prize.offered is None:
        yield press.refused(say("hold.no-other-amount"))
        return
    payments = _payments(house, prize, prize.offered)
    accepted = e.PriceAccepted(state.round.turn, prize.claim, prize.offered, payments, by=press.by)
    yield from signed(house, press, Act.PRIZE, "", iter((accepted,)))


def claim_paid(table: Table, press: Press) -> Iterator[e.Event]:
    """A second, different person saw the documents: paid."""
    yield from _end_claim(table, press, paid=True)


def claim_rejected(table: Table, press: Press) -> Iterator[e.Event]:
    """A second, different person found that it is not a winner."""
    yield from _end_claim(table, press, paid=False)


def _end_claim(table: Table, press: Press, *, paid: bool) -> Iterator[e.Event]:
    house, state = table
    prize, by = _in_hand(state), press.by
    if not house.may_sign(by, Act.CLAIM):
        yield press.refused(say("people.second-first"), Act.CLAIM)
        return
    if by in prize.by:
        yield press.refused(say("people.second-differs", badge=by), Act.CLAIM)
        return
    if paid and (why_not := why_unpaid(state)):
        yield press.refused(why_not)
        return
    both = (*prize.by, by)
    if paid:
        now = tuple(one for one in prize.payments if one.seat == state.round.turn or not _turn_comes(state, one.seat))
        later = tuple(one for one in prize.payments if one not in now)
        yield e.ClaimPaid(state.round.turn, prize.claim, now, both, later, by=by)
    else:
        yield e.ClaimRejected(state.round.turn, prize.claim, both, by=by)
    reason = "" if paid else "not a winner"
    price = prize.price
    assert price is not None, "a claim on hold without a price"
    amount = Cents(price.amount)
    priced = (amount, price.meter, price.epoch, price.version)
    if state.program.live:
        yield owe(state, Verdict(prize.claim, paid, *priced, both, reason, press.at))
    elif paid:
        yield live.taken(house, state, prize)
    by_envy = paid and prize.wager == house.submission.envied
    if by_envy and (envied := envy_owed(house, state, state.round.turn, HandName(prize.hand))):
        yield e.EnvyOwed(state.round.turn, envied, prize.hand)


def _turn_comes(state: TableState, number: int) -> bool:
    """This seat is still to be settled; at level 0, and of a folded hand, no turn of its own comes."""
    position = state.seat(number).position
    return state.in_turn and position.plays and not position.settled


# Envy ---------------------------------------------------------------------------------------------------------------


def tell_envy(table: Table, press: Press) -> Iterator[e.Event]:
    """ "envy 5 royal flush": a qualifying hand whose holder made no progressive wager (653a.11(k)(5), reading 5)."""
    house, state = table
    number, hand = press.number, press.rest
    if not number:
        yield press.refused(say("winner.seat-first"))
    elif why_not := why_no_envy(house, state, number):
        yield press.refused(why_not)
    elif hand not in house.envy:
        yield press.refused(say("envy.no-such-hand", hand=hand))
    elif why_not := conflicts.of_prize(house, state, number, "", hand, brief=press.tried):
        yield press.refused(why_not)
    else:
        yield e.EnvyOwed(number, envy_owed(house, state, number, HandName(hand)), hand)


def adjacent(house: House, state: TableState, number: int) -> bool:
    """A receiver may be the holder's other position: as many adjacent ones as are filed are one player's (653a.7(e))."""
    return abs(number - state.round.turn) < house.submission.adjacent_boxes


def mark_envy(table: Table, press: Press) -> Iterator[e.Event]:
    """Each tap turns a receiver: is paid, or is the holder's other position. A floorperson says who left."""
    house, state = table
    number = press.number
    if number not in [one.seat for one in state.round.envy]:
        yield press.refused(say("envy.not-owed", seat=number))
    elif not adjacent(house, state, number):
        yield press.refused(say("envy.not-adjacent", seat=number))
    else:
        yield e.EnvyMarked(number, same_player=not state.seat(number).same_player)


def envy_due(state: TableState) -> tuple[Payment, ...]:
    """The bonuses of the receivers that are left after the marks, in the order of payment."""
    receivers = ((one, state.seat(one.seat)) for one in state.round.envy)
    return tuple(one for one, seat in receivers if not (seat.left or seat.same_player))


def envy_is_signed(house: House, state: TableState) -> bool:
    """All envy bonuses of this round come to the amount from which on the house wants a floorperson."""
    due = sum(one.payout for one in envy_due(state))
    paid = sum(one.payout for paid in state.round.envied for one in paid.paid)
    return bool(due) and due + paid >= house.approvals[Act.ENVY].least


def pay_envy(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer paid the envy bonuses from the rack; from an amount of the house on a floorperson signs."""
    house, state = table
    due = envy_due(state)
    if due and (why_not := why_unpaid(state)):
        yield press.refused(why_not)
    elif envy_is_signed(house, state):
        yield from signed(house, press, Act.ENVY, "", iter((e.EnvyPaid(state.round.turn, due, by=press.by),)))
    else:
        yield e.EnvyPaid(state.round.turn, due)


# The end of the round -----------------------------------------------------------------------------------------------


def lost(house: House, state: TableState) -> tuple[Payment, ...]:
    """The wagers with a meter that won nothing, from the last seat down: what a cleared round says of them."""
    found: list[Payment] = []
    paid = prizes_paid(state)
    for number in range(len(state.round.seats), 0, -1):
        won = {one.wager for one in paid if one.seat == number}
        found += lost_payments(house.submission, pricing.meter_seat(house, state, number), won)
    return tuple(found)
