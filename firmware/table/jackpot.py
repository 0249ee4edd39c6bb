"""Winners of the progressive wager, seat by seat: 653a.11(k) and .12(d).

A fixed prize is validated by a floorperson and paid from the rack. A share of a meter needs the five cards, is frozen by
the bank at that seat's turn, and is paid or rejected by a second person; never from the rack. Envy bonuses follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.hands import HandName, five_card_hand
from firmware.rules.paytable import Fixed, Share
from firmware.table import events as e
from firmware.table.house import House, Table
from firmware.table.inputs import ClaimAnswer
from firmware.table.outbox import owe
from firmware.table.people import floor_only, is_floor
from firmware.table.press import Press
from firmware.table.projections import next_turn
from firmware.table.state import HAND_CARDS, Prize, PrizeStatus, TableState
from firmware.wire.from_table import ClaimMade, MeterWager, Verdict

FLOP_CARDS = 3
DEALERS_HAND = "five_card_dealer"


def pick(table: Table, press: Press) -> Iterator[e.Event]:
    """A lit seat is said to have won."""
    yield picked(table.state, press)


def picked(state: TableState, press: Press) -> e.WinnerPicked | e.PressRefused:
    """The seat as a winner; tapped again, as none."""
    number = press.number
    seat = state.seat(number)
    if state.round.void_cite:
        return press.refused("The round is void: every progressive wager goes back.")
    if not seat.wager and not seat.five_card:
        return press.refused(f"Seat {number} has no progressive wager.")
    if progressive_paid(state, number) and not seat.five_card:
        return press.refused(f"Seat {number} is paid.")
    if seat.left:
        return press.refused(f"The player of seat {number} has left.")
    if state.in_turn and not seat.position.settled and number != next_turn(state):
        return press.refused(f"One seat at a time: seat {next_turn(state)} is first.")
    return e.WinnerPicked(0 if state.round.turn == number else number)


def progressive_paid(state: TableState, number: int) -> bool:
    """The progressive wager of this seat has been paid its prize."""
    return any(prize.wager == "progressive" and prize.status == PrizeStatus.PAID for prize in state.seat(number).prizes)


def name_hand(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer says which hand the picked seat holds (his two cards and the flop, 653a.12(d)(2))."""
    house, state = table
    hand = press.rest
    if not state.round.turn:
        yield press.refused("Tap the seat that won first.")
    elif state.round.void_cite:
        yield press.refused("The round is void: every progressive wager goes back.")
    elif state.seat(state.round.turn).left:
        yield press.refused(f"The player of seat {state.round.turn} has left.")
    elif not state.seat(state.round.turn).wager or progressive_paid(state, state.round.turn):
        yield press.refused(f"Seat {state.round.turn} has no progressive wager that waits.")
    elif hand not in house.progressive.prizes:
        yield press.refused(f"{hand} has no prize on paytable {house.progressive.paytable}.")
    elif why_not := contradiction(state, state.round.turn, "progressive", HandName(hand)):
        yield press.refused(why_not)
    else:
        yield _prize(house, state.round.turn, HandName(hand))


def contradiction(state: TableState, number: int, wager: str, hand: HandName) -> str:
    """Why this wager of a seat cannot win on `hand`: what is known of its five cards; "" where nothing is against it."""
    cards = _known_five(state, number, wager)
    if cards and five_card_hand(cards) != hand:
        return f"{' '.join(cards)} make {five_card_hand(cards)}, not {hand}."
    told = next((prize.hand for prize in _on_the_same_cards(state, number, wager) if prize.hand != hand), "")
    return f"The same five cards were told as {told}: correct that first." if told else ""


def _known_five(state: TableState, number: int, wager: str) -> tuple[str, ...]:
    """Two cards and the flop, where they were entered for the game against the dealer or for another prize; else ()."""
    two = state.round.dealer if wager == DEALERS_HAND else state.seat(number).position.cards
    flop = state.round.board[:FLOP_CARDS]
    if two and flop:
        return (*two, *flop)
    entered = (prize.cards for prize in _on_the_same_cards(state, number, wager))
    return next((cards for cards in entered if len(cards) == HAND_CARDS), ())


def _on_the_same_cards(state: TableState, number: int, wager: str) -> Iterator[Prize]:
    """Other prizes on this hand: the seat's own, or the dealer's. A rejected one is no evidence."""
    for other, seat in state.numbered():
        for prize in seat.prizes:
            if prize.status != PrizeStatus.REJECTED and (other, prize.wager) != (number, wager):
                own = other == number and DEALERS_HAND not in (wager, prize.wager)
                if own or wager == prize.wager == DEALERS_HAND:
                    yield prize


def _prize(house: House, seat: int, hand: HandName) -> e.PrizeNamed | e.ShareNamed:
    return _named(seat, hand, house.progressive.prizes[hand], "progressive", 1)


def _named(seat: int, hand: HandName, prize: Fixed | Share, wager: str, backers: int) -> e.PrizeNamed | e.ShareNamed:
    if isinstance(prize, Fixed):
        return e.PrizeNamed(seat, str(hand), prize.odds, prize.amount, prize.cite, wager)
    return e.ShareNamed(seat, str(hand), prize.odds, prize.meter, prize.percent, prize.cite, wager, backers)


def cancel(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer named the wrong seat or hand."""
    yield e.PrizeTakenBack(table.state.round.turn)


# Cards ---------------------------------------------------------------------------------------------------------------


def _in_hand(state: TableState) -> Prize:
    prize = state.seat(state.round.turn).prize
    assert prize is not None, "a phase of settling a prize without a prize"
    return prize


def show_hand(table: Table, press: Press) -> Iterator[e.Event]:
    """Five cards are entered: what they make decides, whatever was said before."""
    house, state = table
    prize = _in_hand(state)
    if len(prize.cards) != HAND_CARDS:
        yield press.refused(f"{len(prize.cards)} of {HAND_CARDS} cards are entered.")
        return
    clash = _clash(state, prize.cards)
    hand = five_card_hand(prize.cards)
    offer = house.submission.five_card_hand
    prizes = house.progressive.prizes if prize.wager == "progressive" or offer is None else offer.prizes
    known = _known_five(state, state.round.turn, prize.wager)
    if clash:
        yield press.refused(clash)
    elif known and set(known) != set(prize.cards):
        yield press.refused(f"This hand was entered as {' '.join(known)}: check the cards, or CANCEL.")
    elif why_not := contradiction(state, state.round.turn, prize.wager, hand):
        yield press.refused(why_not)
    elif hand not in prizes:
        yield press.refused(f"These cards make {hand}: no progressive prize. Check them, or CANCEL.")
    elif hand == prize.hand:
        yield e.HandShown(state.round.turn, prize.cards)
    else:
        named = _named(state.round.turn, hand, prizes[hand], prize.wager, prize.backers)
        yield named
        if isinstance(named, e.ShareNamed):
            yield e.HandShown(state.round.turn, prize.cards)


def _clash(state: TableState, cards: Sequence[str]) -> str:
    """Two hands of a round share the flop and nothing else; "" where that holds. A rejected hand is no evidence of it."""
    wager = _in_hand(state).wager
    for number, seat in state.numbered():
        for prize in seat.prizes:
            same_hand = "five_card_dealer" == wager == prize.wager
            same_hand = same_hand or (number == state.round.turn and "five_card_dealer" not in (wager, prize.wager))
            known = prize.cards if prize.status != PrizeStatus.REJECTED and not same_hand else ()
            if len(known) == HAND_CARDS and len(set(known) & set(cards)) != FLOP_CARDS:
                return f"Seat {number} holds {' '.join(known)}: the two hands must share the three cards of the flop."
    return ""


# Validation, claim, payment -----------------------------------------------------------------------------------------


def approve(table: Table, press: Press) -> Iterator[e.Event]:
    """A floorperson or above validates (653a.11(k)(3)). A share of a meter is claimed from the bank at once."""
    yield from floor_only(table.house, press, table.house.procedure.cite("validate"), _approved(table.state, press.by))


def _approved(state: TableState, by: str) -> Iterator[e.Event]:
    prize, seat = _in_hand(state), state.round.turn
    if not prize.meter:
        yield e.PrizeValidated(seat, by=by)
        return
    # A seat whose claim was rejected may be claimed again under another id, so the message's number belongs to it.
    claim = f"{state.program.table}:{state.round.number}:{seat}:{state.seq + 1}"
    yield e.ClaimMade(seat, claim, state.seq + 1, by=by)
    wager, hand = MeterWager(prize.wager), HandName(prize.hand)
    backers = prize.backers if wager is MeterWager.DEALERS_HAND else 1  # only what the dealer's hand wins is divided
    yield owe(state, ClaimMade(claim, state.round.number, seat, hand, prize.cards, by, wager, backers))


def not_a_winner(table: Table, press: Press) -> Iterator[e.Event]:
    """A floorperson finds that the hand does not win."""
    found = iter((e.PrizeTakenBack(table.state.round.turn, by=press.by),))
    yield from floor_only(table.house, press, "", found)


def pay_fixed(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer paid from the rack; a Five Card Hand prize goes to the seat's account (653a.11(l)(3))."""
    seat, prize = table.state.round.turn, _in_hand(table.state)
    assert prize.amount is not None, "a fixed prize has an amount"
    if prize.wager != "progressive":
        yield e.AccountCredited(seat, prize.wager, prize.odds, prize.amount, prize.cite)
    yield e.PrizePaid(seat, prize.amount)


def priced(state: TableState, answer: ClaimAnswer) -> Iterator[e.Event]:
    """The bank froze the amount."""
    yield e.ClaimPriced(state.round.turn, answer.claim, answer.amount)


def claim_paid(table: Table, press: Press) -> Iterator[e.Event]:
    """A second, different person saw the documents: paid."""
    yield from _end_claim(table, press, paid=True)


def claim_rejected(table: Table, press: Press) -> Iterator[e.Event]:
    """A second, different person found that it is not a winner."""
    yield from _end_claim(table, press, paid=False)


def _end_claim(table: Table, press: Press, *, paid: bool) -> Iterator[e.Event]:
    house, state = table
    prize, by = _in_hand(state), press.by
    if not is_floor(house, by):
        yield press.refused("A second person's badge and PIN first.")
        return
    if by in prize.by:
        yield press.refused(f"Badge {by} validated this hand: a different person must end it.")
        return
    signed = (*prize.by, by)
    amount = prize.amount
    assert amount is not None, "a claim on hold has its price"
    if paid:
        yield e.ClaimPaid(state.round.turn, prize.claim, amount, signed, by=by)
    else:
        yield e.ClaimRejected(state.round.turn, prize.claim, signed, by=by)
    reason = "" if paid else "not a winner"
    yield owe(state, Verdict(prize.claim, paid, signed, reason))
    if paid and prize.wager == "progressive":
        yield from _envy(house, state, HandName(prize.hand))


# Envy ---------------------------------------------------------------------------------------------------------------


def _envy(house: House, state: TableState, hand: HandName) -> Iterator[e.Event]:
    """Every other player's lit seat receives the bonus of its own wager, from the last seat down (653a.11(k)(5))."""
    if hand not in house.progressive.envy:
        return
    amount = house.progressive.envy[hand]
    receivers = [n for n in reversed(state.wagers) if n != state.round.turn and not state.seat(n).left]
    if receivers:
        yield e.EnvyOwed(state.round.turn, tuple((number, amount) for number in receivers))


def adjacent(house: House, state: TableState, number: int) -> bool:
    """A receiver may be the holder's other position: as many adjacent ones as are filed are one player's (653a.7(e))."""
    return abs(number - state.round.turn) < house.submission.adjacent_boxes


def mark_envy(table: Table, press: Press) -> Iterator[e.Event]:
    """Each tap turns a receiver: is paid, is the holder's other position, has left."""
    house, state = table
    number = press.number
    if number not in dict(state.round.envy):
        yield press.refused(f"Seat {number} receives no envy bonus.")
        return
    seat = state.seat(number)
    if seat.left:
        yield e.SeatAbandoned(number, left=False)
    elif not seat.same_player and adjacent(house, state, number):
        yield e.EnvyMarked(number, same_player=True)
    else:
        if seat.same_player:
            yield e.EnvyMarked(number, same_player=False)
        yield e.SeatAbandoned(number, left=True)


def envy_due(state: TableState) -> tuple[tuple[int, int], ...]:
    """(seat, cents) of the receivers that are left after the marks, in the order of payment."""
    receivers = ((number, cents, state.seat(number)) for number, cents in state.round.envy)
    return tuple((number, cents) for number, cents, seat in receivers if not (seat.left or seat.same_player))


def pay_envy(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer paid the envy bonuses from the rack."""
    yield e.EnvyPaid(table.state.round.turn, envy_due(table.state))
