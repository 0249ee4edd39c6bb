"""What is known of five cards that a wager with a meter wins on: entered cards, what was named, what was answered.

A known card outranks a tap (653a.11(k)(1), (l)(1)): a hand that the cards make is named by them and not forgotten, and
one that they do not make is refused. Whether two answers may be true of the same cards is asked of the law.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware.rules.hands import RANKED, HandName, five_card_hand, hand_name
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import (
    FIVE_CARD,
    MAGIC_CARD,
    PROGRESSIVE,
    envy_payments,
    envy_receivers,
    prize_of,
)
from firmware.rules.payline import can_be_beside, can_share_the_flop
from firmware.rules.payment import Payment
from firmware.rules.paytable import Share
from firmware.table import pricing
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.projections import positions_of_one
from firmware.table.state import HAND_CARDS, HANDS, Prize, PrizeStatus, Seat, TableState

FLOP_CARDS = 3
DEALERS_HAND = FIVE_CARD[1]
WITH_METER = (PROGRESSIVE, *FIVE_CARD)
"""The wagers of a seat as they stand in its turn (653a.11(k), (l), reading 4)."""
CLAIMED = (PrizeStatus.CLAIMED, PrizeStatus.PENDING, PrizeStatus.PAID)
MAGIC, ENVY = "magic", "envy"


class Known(NamedTuple):
    """What a seat wins by cards that the table knows, and nobody has named. `hand`: of a Magic Card "magic"."""

    seat: int
    wager: str
    hand: str

    @property
    def press(self) -> str:
        """The key that names it."""
        if self.wager == ENVY:
            return f"envy {self.seat} {self.hand}"
        if self.wager == PROGRESSIVE:
            return f"hand {self.hand}"
        return f"five {HANDS[FIVE_CARD.index(self.wager)]} {self.hand}"


# What may be true together -------------------------------------------------------------------------------------------


def contradiction(house: House, state: TableState, number: int, wager: str, hand: HandName) -> Message:
    """Why this wager of a seat cannot win on `hand`: what is known of its five cards; nothing where it can."""
    cards = known_five(state, number, wager)
    if cards and five_card_hand(cards) != hand:
        return say(
            "hand.cards-make", cards=" ".join(cards), made=hand_name(five_card_hand(cards)), hand=hand_name(hand)
        )
    told = next((other for other in _hands_told(state, number, wager) if other != hand), "")
    if told:
        return say("hand.called-otherwise", hand=hand_name(told))
    best = pricing.dealers_best(house, state) if wager == DEALERS_HAND else pricing.best(house, state, number)
    return _above(hand, best) or _beside_others(house, state, number, wager, hand)


def _beside_others(house: House, state: TableState, number: int, wager: str, hand: HandName) -> Message:
    """Why no seat holds `hand` beside the dealer's hand, or those that others hold with this flop; nothing where it can."""
    if why_not := _beside_the_dealer(house, state, hand):
        return why_not
    for other, held in _hands_of_others(state, number, wager):
        if not can_share_the_flop(house.submission, hand, held):
            return say("hand.not-by-this-flop", hand=hand_name(hand), held=hand_name(HandName(held)), seat=other)
    return NOTHING


def told_in_vain(house: House, state: TableState) -> Message:
    """Which hand that a prize names cannot be beside the dealer's, which was told again since; nothing where all can."""
    for (number, _), hand in _told(state):
        if _beside_the_dealer(house, state, HandName(hand)):
            return say("hand.not-beside-the-dealer", seat=number, hand=hand_name(HandName(hand)))
    return NOTHING


def _beside_the_dealer(house: House, state: TableState, hand: HandName) -> Message:
    """Why no seat holds `hand` beside the dealer's hand; nothing where one can."""
    round_ = state.round
    if (
        round_.qualifies is False
        and not round_.void_cite
        and not can_be_beside(house.submission, hand, qualifies=False)
    ):
        return say("hand.board-of-five-ranks", hand=hand_name(hand))
    return NOTHING


def answers_contradict(house: House, state: TableState, number: int) -> Message:
    """Why what was answered of a seat cannot be: a better hand of its five cards was named; nothing where it can."""
    named = [HandName(hand) for hand in _hands_told(state, number, "")]
    return next((why for hand in named if (why := _above(hand, pricing.best(house, state, number)))), NOTHING)


def _above(hand: HandName, best: HandName) -> Message:
    """The best of seven cards is never below five of them."""
    above = RANKED.index(hand) > RANKED.index(best)
    return say("hand.best-is-below", hand=hand_name(hand), best=hand_name(best)) if above else NOTHING


def known_five(state: TableState, number: int, wager: str) -> tuple[str, ...]:
    """Two cards and the flop, where they were entered for the game against the dealer or for another prize; else ()."""
    two = state.round.dealer if wager == DEALERS_HAND else state.seat(number).position.cards
    flop = state.round.board[:FLOP_CARDS]
    if two and flop:
        return (*two, *flop)
    entered = (prize.cards for prize in _on_the_same_cards(state, number, wager))
    return next((cards for cards in entered if len(cards) == HAND_CARDS), ())


def _hands_told(state: TableState, number: int, wager: str) -> Iterator[str]:
    """What else was named, or credited at once, on this hand."""
    return (hand for there, hand in _told(state) if _same_hand((number, wager), there))


def _hands_of_others(state: TableState, number: int, wager: str) -> Iterator[tuple[int, str]]:
    """(seat, hand) of what was named, or credited, on two other cards with this flop."""
    me = (number, wager)
    return ((there[0], hand) for there, hand in _told(state) if there != me and not _same_hand(me, there))


def _told(state: TableState) -> Iterator[tuple[tuple[int, str], str]]:
    """((seat, wager or "" for a hand that brings envy), hand) of everything that says what somebody's five cards are."""
    for number, seat in state.numbered():
        yield from (((number, prize.wager), prize.hand) for prize in seat.prizes if speaks(seat, prize))
    for credit in state.round.credits:
        if credit.hand:
            yield (credit.payment.seat, credit.payment.wager), credit.hand
    for number, hand in envy_hands(state).items():
        if hand and not state.seat(number).late_turn:
            yield (number, ""), hand


def speaks(seat: Seat, prize: Prize) -> bool:
    """It says what the cards are: it was not rejected, nor is it a paid share of which a floorperson signed otherwise.

    Nothing takes a paid share back, and it keeps nobody for ever from what his own cards win.
    """
    return prize.status != PrizeStatus.REJECTED and not (seat.late_turn and is_paid_share(prize))


def is_paid_share(prize: Prize) -> bool:
    """The bank paid it: no correction undoes it."""
    return bool(prize.meter) and prize.status == PrizeStatus.PAID


def stands_for_good(state: TableState, number: int) -> bool:
    """A share of this seat was paid, or its hand brought envy bonuses, and no floorperson has signed that it differs."""
    seat = state.seat(number)
    paid = any(is_paid_share(prize) for prize in seat.prizes)
    return not seat.late_turn and (paid or number in state.round.envy_for)


def envy_hands(state: TableState) -> dict[int, str]:
    """Holder -> the hand that brought envy bonuses."""
    return dict(zip(state.round.envy_for, state.round.envy_hands, strict=False))


def _on_the_same_cards(state: TableState, number: int, wager: str) -> Iterator[Prize]:
    """Other prizes on this hand: the seat's own, or the dealer's."""
    for other in range(1, len(state.round.seats) + 1) if wager == DEALERS_HAND else (number,):
        seat = state.seat(other)
        for prize in seat.prizes:
            if speaks(seat, prize) and _same_hand((number, wager), (other, prize.wager)):
                yield prize


def _same_hand(one: tuple[int, str], other: tuple[int, str]) -> bool:
    """(seat, wager) of two different wagers that win on the same cards: a seat's own, or the dealer's."""
    own = one[0] == other[0] and DEALERS_HAND not in (one[1], other[1])
    return one != other and (own or one[1] == other[1] == DEALERS_HAND)


# What the cards win --------------------------------------------------------------------------------------------------


@kept
def waiting(house: House, state: TableState) -> tuple[Known, ...]:
    """What known cards win and nobody has named, from the last seat down, in the order of a seat's turn."""
    known = state.round.board or any(seat.prizes for seat in state.round.seats)  # where no card is, none wins
    return tuple(_waiting(house, state)) if known and not state.round.void_cite else ()


def _waiting(house: House, state: TableState) -> Iterator[Known]:
    for number in range(len(state.round.seats), 0, -1):
        seat = state.seat(number)
        if seat.left:
            continue
        for wager in placed(seat):
            five = known_five(state, number, wager)
            hand = five_card_hand(five) if five else None
            if hand and prize_of(house.submission, wager, hand) and not _over(house, state, number, wager, hand):
                yield Known(number, wager, hand)
            if wager in MAGIC_CARD and state.round.magic_card in five and _magic_waits(state, number, wager):
                yield Known(number, wager, MAGIC)
        if envied := _envied(house, state, number):
            yield Known(number, ENVY, envied)


def placed(seat: Seat) -> tuple[str, ...]:
    """The wagers with a meter of a seat, in the order of its turn."""
    there = (seat.wager, seat.own, seat.dealers)
    return tuple(wager for wager, made in zip(WITH_METER, there, strict=True) if made)


def undecided(state: TableState, number: int) -> tuple[str, ...]:
    """The wagers with a meter of a seat that no prize, credit or verdict has ended yet."""
    seat = state.seat(number)
    ended = {prize.wager for prize in seat.prizes if prize.status in (PrizeStatus.PAID, PrizeStatus.REJECTED)}
    ended |= {one.wager for one in (*state.round.credited, *state.round.shares) if one.seat == number}
    ended |= set(seat.not_winners)
    return () if state.round.void_cite else tuple(wager for wager in placed(seat) if wager not in ended)


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


def _magic_waits(state: TableState, number: int, wager: str) -> bool:
    credited = any((one.seat, one.wager) == (number, MAGIC_CARD[wager]) for one in state.round.credited)
    return bool(state.round.magic_card) and not credited


def _envied(house: House, state: TableState, number: int) -> str:
    """The qualifying hand that a seat without a progressive wager holds by its cards, "" for none (reading 5)."""
    offer = house.submission.progressive
    if offer is None or state.seat(number).wager or number in state.round.envy_for:
        return ""
    five = known_five(state, number, "")
    hand = five_card_hand(five) if five else None
    return str(hand) if hand and hand in offer.envy and envy_owed(house, state, number, hand) else ""


def envy_owed(house: House, state: TableState, holder: int, hand: HandName) -> tuple[Payment, ...]:
    """To every other player's lit seat the bonus of its own wager, from the last seat down (653a.11(k)(5))."""
    if house.submission.progressive is None:
        return ()
    return tuple(envy_payments(house.submission, holder, hand, _receivers(house, state, holder)))


def _receivers(house: House, state: TableState, holder: int) -> tuple[int, ...]:
    """Whom a qualifying hand of this seat brings an envy bonus: "not ... for his own hand", at any box (653a.11(k)(5))."""
    wagered = [pricing.meter_seat(house, state, number) for number in range(len(state.round.seats), 0, -1)]
    return tuple(envy_receivers(wagered, pricing.meter_seat(house, state, holder)))


def _only_own_boxes(state: TableState, number: int) -> bool:
    """Who made a progressive wager in this round is this seat's own player, at another box."""
    lit = [other for other, seat in state.numbered() if seat.wager]
    return bool(lit) and set(lit) <= set(positions_of_one(state, number))


def why_no_envy(house: House, state: TableState, number: int) -> Message:
    """Why the hand of this seat brings no envy bonuses but by a prize of its own; nothing where it may (reading 5)."""
    seat = state.seat(number)
    if state.round.void_cite:
        return say("void.progressive-back")
    if seat.wager:
        return say("envy.by-its-prize", seat=number)
    plays = not state.program.level or seat.position.plays
    offered = house.offers_progressive and house.progressive.envy
    if plays and offered and _only_own_boxes(state, number):
        return say("envy.own-box", seat=number)
    if not (plays and offered and _receivers(house, state, number)):
        return say("winner.no-wager", seat=number)
    if number in state.round.envy_for:
        return say("envy.told", seat=number)
    return say("winner.left", seat=number) if seat.left else NOTHING


# Whose turn it is ----------------------------------------------------------------------------------------------------


def out_of_turn(house: House, state: TableState, number: int, wager: str, share: Share) -> Message:
    """Why a share is not claimed now: another seat's turn was, or comes, before (653a.11(h), .12(d)(4)); or nothing."""
    turn = _turn(number, wager)
    for known in waiting(house, state):
        if _share_of(house, known) == share.meter and _turn(known.seat, known.wager) < turn:
            return say("winner.turn-before", seat=known.seat, hand=hand_name(known.hand))
    if state.seat(number).late_turn:
        return NOTHING
    later = (seat for seat, prize in _claimed(state, share.meter) if _turn(seat, prize.wager) > turn)
    return next((say("winner.turn-passed", seat=number, later=seat) for seat in later), NOTHING)


def _share_of(house: House, known: Known) -> str:
    """The meter of which a known hand wins a share, "" for none."""
    if known.wager == ENVY or known.hand == MAGIC:
        return ""
    prize = prize_of(house.submission, known.wager, HandName(known.hand))
    return prize.meter if isinstance(prize, Share) else ""


def turn_passed(state: TableState, number: int) -> bool:
    """A share was claimed in a later turn, and a wager of this seat waits; nobody has signed yet that it may."""
    seat = state.seat(number)
    paid = [prize.wager for prize in seat.prizes if prize.status in CLAIMED]
    open_wagers = [wager for wager in placed(seat) if wager not in paid]
    if seat.left or seat.late_turn or not open_wagers or state.round.void_cite:
        return False
    first = _turn(number, open_wagers[0])
    return any(_turn(other, prize.wager) > first for other, prize in _claimed(state))


def before_it(state: TableState) -> tuple[int, ...]:
    """The seats whose turn is before that of the share in hand, and of which nothing is known: no share is there."""
    number = state.round.turn
    prize = state.seat(number).prize
    if prize is None or not prize.meter:
        return ()
    above = range(len(state.round.seats), number, -1)
    return tuple(n for n in above if _unlooked(state, n, prize.wager))


def _unlooked(state: TableState, number: int, wager: str) -> bool:
    seat = state.seat(number)
    done = bool(seat.position.final) or any(prize.wager == wager for prize in seat.prizes)
    return wager in placed(seat) and wager != DEALERS_HAND and not (seat.left or done)


def _claimed(state: TableState, meter: str = "") -> Iterator[tuple[int, Prize]]:
    """The shares that were claimed and not rejected, with their seats."""
    for number, seat in state.numbered():
        for prize in seat.prizes:
            if prize.meter and prize.status in CLAIMED and meter in ("", prize.meter):
                yield number, prize


def _turn(number: int, wager: str) -> tuple[int, int]:
    """From the last seat down, and of a seat in the order of its wagers."""
    return -number, WITH_METER.index(wager)
