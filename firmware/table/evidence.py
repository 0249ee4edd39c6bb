"""The prizes of known cards: those that nobody has named yet, and the seat whose turn it is to have one.

A known card outranks a tap (653a.11(k)(1), (l)(1)): a hand that the cards make is named by them and not forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from firmware.rules.flop import FLOP_CARDS
from firmware.rules.hands import HandName, five_card_hand, hand_name
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import MAGIC_CARD, envy_payments, envy_receivers, prize_of
from firmware.rules.payment import Payment
from firmware.rules.paytable import Share
from firmware.rules.seat import DEALER
from firmware.rules.wager import FIVE_CARD
from firmware.table import pricing
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.known import DEALERS_HAND, holder, is_paid_share, known_of, named, same_hand, speaks
from firmware.table.projections import positions_of_one, prizes_paid
from firmware.table.state import HAND_CARDS, HANDS, Prize, PrizeStatus, TableState

CLAIMED = (PrizeStatus.CLAIMED, PrizeStatus.PENDING, PrizeStatus.PAID)
MAGIC, ENVY = "magic", "envy"


class Winner(NamedTuple):
    """A prize that a seat wins by known facts, and that nobody has named. `hand`: "magic" for a Magic Card."""

    seat: int
    wager: str
    hand: str

    @property
    def press(self) -> str:
        """The key that names it."""
        if self.wager == ENVY:
            return f"envy {self.seat} {self.hand}"
        if self.wager in FIVE_CARD:
            return f"five {HANDS[FIVE_CARD.index(self.wager)]} {self.hand}"
        return f"hand {self.hand}"


# Cards that are known ------------------------------------------------------------------------------------------------


def known_five(state: TableState, number: int, wager: str) -> tuple[str, ...]:
    """Two cards and the flop, where they were entered for the game against the dealer or for another prize; else ()."""
    two = state.round.dealer if wager == DEALERS_HAND else state.seat(number).position.cards
    flop = state.round.board[:FLOP_CARDS]
    if two and flop:
        return (*two, *flop)
    entered = (prize.cards for prize in _on_the_same_cards(state, number, wager))
    return next((cards for cards in entered if len(cards) == HAND_CARDS), ())


def lies_twice(state: TableState, cards: Sequence[str]) -> str:
    """The first of the cards of the seat in turn that is known to lie elsewhere, "" for none."""
    known = {*state.round.board, *state.round.dealer, *state.round.six_card}
    for number, seat in state.numbered():
        known |= {*seat.position.cards, *seat.position.first} if number != state.round.turn else set()
    return next((card for card in cards if card in known), "")


def _hands_told(state: TableState, number: int, wager: str) -> Iterator[str]:
    """Other hands that were named, or credited at once, on these cards."""
    return (hand for there, hand in named(state) if same_hand((number, wager), there))


def stands_for_good(state: TableState, number: int) -> bool:
    """A share of this seat was paid, or its hand brought envy bonuses, and no floorperson has signed that it differs."""
    seat = state.seat(number)
    paid = any(is_paid_share(prize) for prize in seat.prizes)
    return not seat.share_is_no_evidence and (paid or number in state.round.envied_by)


def _on_the_same_cards(state: TableState, number: int, wager: str) -> Iterator[Prize]:
    """Other prizes on this hand: the seat's own, or the dealer's."""
    for other in range(1, len(state.round.seats) + 1) if wager == DEALERS_HAND else (number,):
        seat = state.seat(other)
        for prize in seat.prizes:
            if speaks(seat, prize) and same_hand((number, wager), (other, prize.wager)):
                yield prize


# Prizes of the flop ---------------------------------------------------------------------------------------------------


@kept
def sure_winners(house: House, state: TableState) -> tuple[int, ...]:
    """The lit seats that win with any two cards, and that have no named prize; from the last down.

    If the known facts leave no other flop than three of one rank, every hand has three of a kind (653a.11(k), .12(d)(2)).
    """
    if state.round.void_cite or not _anything_is_known(state):
        return ()
    sure = _sure_hand(house, state)
    winning = {wager for wager in state.program.sensed if prize_of(house.submission, wager, sure)}
    seats = range(len(state.round.seats), 0, -1)
    return tuple(n for n in seats if winning.intersection(undecided(state, n)) and not state.seat(n).left)


def unnamed(house: House, state: TableState) -> Message:
    """The seats that win by the flop alone, and have to be named before the round is cleared; nothing if there is none."""
    if seats := sure_winners(house, state):
        return say("winner.sure", seats=seats, n=len(seats), least=hand_name(_sure_hand(house, state)))
    return NOTHING


def _sure_hand(house: House, state: TableState) -> HandName:
    """The lowest possible hand: no hand is lower than the flop alone."""
    return house.worlds.least(known_of(house, state))


# Prizes of the cards -------------------------------------------------------------------------------------------------


@kept
def waiting(house: House, state: TableState) -> tuple[Winner, ...]:
    """Prizes that known cards win, or a hand that was named for another wager on it, and that nobody has named.

    From the last seat down, in the order of a seat's turn.
    """
    return tuple(_waiting(house, state)) if _anything_is_known(state) and not state.round.void_cite else ()


def _anything_is_known(state: TableState) -> bool:
    """Something is known of the flop or of somebody's five cards."""
    named = state.round.credits or state.round.envied_by or any(seat.prizes for seat in state.round.seats)
    return bool(state.round.board or named)


def _waiting(house: House, state: TableState) -> Iterator[Winner]:
    for number in range(len(state.round.seats), 0, -1):
        seat = state.seat(number)
        if seat.left:
            continue
        for wager in seat.placed:
            hand = _made(state, number, wager)
            if hand and prize_of(house.submission, wager, hand) and not _over(house, state, number, wager, hand):
                yield Winner(number, wager, hand)
            if wager in MAGIC_CARD and _magic_wins(state, number, wager) and not _is_credited(state, number, wager):
                yield Winner(number, wager, MAGIC)
        if envied := _envied(house, state, number):
            yield Winner(number, ENVY, envied)


def _made(state: TableState, number: int, wager: str) -> HandName | None:
    """The name of a wager's five cards: by known cards, or as they were named for another wager on this hand."""
    if five := known_five(state, number, wager):
        return five_card_hand(five)
    told = next(_hands_told(state, number, wager), "")
    return HandName(told) if told else None


def undecided(state: TableState, number: int) -> tuple[str, ...]:
    """The wagers with a meter of a seat that no prize, credit or verdict has ended yet."""
    seat = state.seat(number)
    ended = {prize.wager for prize in seat.prizes if prize.status in (PrizeStatus.PAID, PrizeStatus.REJECTED)}
    ended |= {one.wager for one in prizes_paid(state) if one.seat == number}
    ended |= set(seat.not_winners)
    return () if state.round.void_cite else tuple(wager for wager in seat.placed if wager not in ended)


def _over(house: House, state: TableState, number: int, wager: str, hand: HandName) -> bool:
    """Paid, credited, rejected, found to be no winner, or a share that was claimed, and ended, for all (reading 4)."""
    seat = state.seat(number)
    named = any(prize.wager == wager for prize in seat.prizes)
    credited = any((one.seat, one.wager) == (number, wager) for one in state.round.credited)
    divided = (
        wager == DEALERS_HAND
        and isinstance(prize_of(house.submission, wager, hand), Share)
        and any(
            one.wager == wager and one.status in (*CLAIMED, PrizeStatus.REJECTED)
            for other in state.round.seats
            for one in other.prizes
        )
    )
    return named or credited or divided or wager in seat.not_winners


# The Magic Card ------------------------------------------------------------------------------------------------------


def magic_is_elsewhere(state: TableState, number: int, wager: str) -> bool:
    """The Magic Card is known not to lie among the five cards of this wager (653a.1, .12(e)(3))."""
    card, board = state.round.magic_card, state.round.board
    if five := _five_of(state, number, wager):
        return card not in five
    if card in (*board[FLOP_CARDS:], *state.round.six_card):
        return True
    hands = (_five_of(state, other, theirs) for other, seat in state.numbered() for theirs in seat.placed)
    off_the_flop = any(five and card not in five for five in (board[:FLOP_CARDS], *hands))
    return off_the_flop and bool(_magic_holders(state) - {holder(number, wager)})


def _magic_wins(state: TableState, number: int, wager: str) -> bool:
    """The Magic Card is known to lie among the five cards of this wager. In two hands it is a card of the flop."""
    card = state.round.magic_card
    if not card:
        return False
    if five := _five_of(state, number, wager):
        return card in five
    return card in state.round.board[:FLOP_CARDS] or len(_magic_holders(state) - {holder(number, wager)}) > 1


def _magic_holders(state: TableState) -> frozenset[int]:
    """The holders, seats or the dealer, whose five cards have the Magic Card, by known cards or because it was named."""
    card = state.round.magic_card
    found = {
        holder(number, wager)
        for number, seat in state.numbered()
        for wager in seat.placed
        if card in _five_of(state, number, wager)
    }
    found |= {number for number, seat in state.numbered() if card in seat.position.cards}
    found |= {DEALER} if card in state.round.dealer else set()
    drawn_on = {drawn: wager for wager, drawn in MAGIC_CARD.items()}
    return frozenset(
        found | {holder(one.seat, drawn_on[one.wager]) for one in state.round.credited if one.wager in drawn_on}
    )


def _five_of(state: TableState, number: int, wager: str) -> tuple[str, ...]:
    """The five cards of a wager, also where they were entered for its own prize; () where they are not known."""
    seat = state.seat(number)
    own = (prize.cards for prize in seat.prizes if prize.wager == wager and speaks(seat, prize))
    entered = next((cards for cards in own if len(cards) == HAND_CARDS), ())
    return known_five(state, number, wager) or entered


def _is_credited(state: TableState, number: int, wager: str) -> bool:
    """The Magic Card bonus of this wager."""
    return any((one.seat, one.wager) == (number, MAGIC_CARD[wager]) for one in state.round.credited)


# Envy ----------------------------------------------------------------------------------------------------------------


def _envied(house: House, state: TableState, number: int) -> str:
    """The qualifying hand that a seat without a progressive wager holds by its cards, "" for none (reading 5)."""
    offer = house.submission.offers.get(house.submission.envied)
    wager = house.submission.envied
    if offer is None or state.seat(number).staked(wager) or number in state.round.envied_by:
        return ""
    five = known_five(state, number, "")
    hand = five_card_hand(five) if five else None
    return str(hand) if hand and hand in offer.envy and envy_owed(house, state, number, hand) else ""


def envy_owed(house: House, state: TableState, holder: int, hand: HandName) -> tuple[Payment, ...]:
    """To every other player's lit seat the bonus of its own wager, from the last seat down (653a.11(k)(5))."""
    if not house.submission.envied:
        return ()
    return tuple(envy_payments(house.submission, holder, hand, _receivers(house, state, holder)))


def _receivers(house: House, state: TableState, holder: int) -> tuple[int, ...]:
    """The seats that get an envy bonus for a qualifying hand of this seat: not for the own hand, at any box
    (653a.11(k)(5)).
    """
    wagered = [pricing.meter_seat(house, state, number) for number in range(len(state.round.seats), 0, -1)]
    return tuple(envy_receivers(house.submission, wagered, pricing.meter_seat(house, state, holder)))


def _only_own_boxes(house: House, state: TableState, number: int) -> bool:
    """Only this seat's own player, at another box, made the wager that envy follows from."""
    lit = state.made(house.submission.envied)
    return bool(lit) and set(lit) <= set(positions_of_one(state, number))


def why_no_envy(house: House, state: TableState, number: int) -> Message:
    """Why the hand of this seat brings no envy bonuses but by a prize of its own; nothing where it may (reading 5)."""
    seat = state.seat(number)
    if state.round.void_cite:
        return say("void.progressive-back")
    if seat.staked(house.submission.envied):
        return say("envy.by-its-prize", seat=number)
    plays = not state.program.level or seat.position.plays
    offered = house.envy
    if plays and offered and _only_own_boxes(house, state, number):
        return say("envy.own-box", seat=number)
    if not (plays and offered and _receivers(house, state, number)):
        return say("winner.no-wager", seat=number)
    if number in state.round.envied_by:
        return say("envy.told", seat=number)
    return say("winner.left", seat=number) if seat.left else NOTHING


# The order of turns --------------------------------------------------------------------------------------------------


def out_of_turn(house: House, state: TableState, number: int, wager: str, share: Share) -> Message:
    """Why a share is not claimed now: another seat's turn was, or comes, before (653a.11(h), .12(d)(4)); or nothing."""
    turn = _turn(state, number, wager)
    for known in waiting(house, state):
        if _share_of(house, known) == share.meter and _turn(state, known.seat, known.wager) < turn:
            return say("winner.turn-before", seat=known.seat, hand=hand_name(known.hand))
    if state.seat(number).share_may_be_late:
        return NOTHING
    later = (seat for seat, prize in _claimed(state, share.meter) if _turn(state, seat, prize.wager) > turn)
    return next((say("winner.turn-passed", seat=number, later=seat) for seat in later), NOTHING)


def _share_of(house: House, known: Winner) -> str:
    """The meter whose share a known hand wins, "" for none."""
    if known.wager == ENVY or known.hand == MAGIC:
        return ""
    prize = prize_of(house.submission, known.wager, HandName(known.hand))
    return prize.meter if isinstance(prize, Share) else ""


def turn_passed(state: TableState, number: int) -> bool:
    """A share was claimed in a later turn, and a wager of this seat waits; nobody has signed yet that it may."""
    seat = state.seat(number)
    paid = [prize.wager for prize in seat.prizes if prize.status in CLAIMED]
    open_wagers = [wager for wager in seat.placed if wager not in paid]
    if seat.left or seat.share_may_be_late or not open_wagers or state.round.void_cite:
        return False
    first = _turn(state, number, open_wagers[0])
    return any(_turn(state, other, prize.wager) > first for other, prize in _claimed(state))


def before_it(state: TableState) -> tuple[int, ...]:
    """The seats before the share in hand in the order of turns that are unknown: no share is there."""
    number = state.round.turn
    prize = state.seat(number).prize
    if prize is None or not prize.meter:
        return ()
    above = range(len(state.round.seats), number, -1)
    return tuple(n for n in above if _unlooked(state, n, prize.wager))


def _unlooked(state: TableState, number: int, wager: str) -> bool:
    seat = state.seat(number)
    done = bool(seat.position.final) or any(prize.wager == wager for prize in seat.prizes)
    return wager in seat.placed and wager != DEALERS_HAND and not (seat.left or done)


def _claimed(state: TableState, meter: str = "") -> Iterator[tuple[int, Prize]]:
    """The shares that were claimed and not rejected, with their seats."""
    for number, seat in state.numbered():
        for prize in seat.prizes:
            if prize.meter and prize.status in CLAIMED and meter in ("", prize.meter):
                yield number, prize


def _turn(state: TableState, number: int, wager: str) -> tuple[int, int]:
    """From the last seat down, and of a seat in the order of its wagers."""
    return -number, state.program.wagers.index(wager)
