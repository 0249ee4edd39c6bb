"""What is known of five cards that a wager with a meter wins on: entered cards, what was named, what was answered.

A known card outranks a tap (653a.11(k)(1), (l)(1)): a hand that the cards make is named by them and not forgotten, and
one that they do not make is refused. Whether two answers may be true of the same cards is asked of the law.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from firmware.rules.flop import FLOP_CARDS, IN_SEVEN, OF_THREE_RANKS, Flop, flop_of, least
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
from firmware.rules.payline import can_be_beside, can_be_dealt, flops
from firmware.rules.payment import Payment
from firmware.rules.paytable import Share
from firmware.rules.seat import DEALER
from firmware.rules.wager import SettledBy
from firmware.table import pricing
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.named import DEALERS_HAND, hands_held, holder, is_paid_share, named, same_hand, speaks
from firmware.table.projections import positions_of_one, prizes_paid
from firmware.table.state import HAND_CARDS, HANDS, Position, Prize, PrizeStatus, Seat, TableState

CLAIMED = (PrizeStatus.CLAIMED, PrizeStatus.PENDING, PrizeStatus.PAID)
MAGIC, ENVY = "magic", "envy"


class Known(NamedTuple):
    """What a seat wins by what the table knows, and nobody has named. `hand`: of a Magic Card "magic"."""

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
    of_dealer = wager == DEALERS_HAND
    left = pricing.dealers_hands_left(house, state) if of_dealer else pricing.hands_left(house, state, number)
    why_not = NOTHING if of_dealer else _not_by_the_board(house, state, number, hand)
    return why_not or _not_among(hand, left) or _beside_others(house, state, number, wager, hand)


def _not_by_the_board(house: House, state: TableState, number: int, hand: HandName) -> Message:
    """Why no two cards of the deck are this hand with the known flop, and what was answered of the seat; nothing where
    some are, or the board is not known (653a.12(d)(2)).
    """
    made = pricing.with_the_flop(house, state, number)
    if not made or hand in made:
        return NOTHING
    return say("hand.not-by-the-board", hand=hand_name(hand), cards=" ".join(state.round.board))


def _beside_others(house: House, state: TableState, number: int, wager: str, hand: HandName) -> Message:
    """Why no seat holds `hand` beside the dealer's hand, or those that others hold with this flop; nothing where it can."""
    if why_not := _beside_the_dealer(house, state, hand):
        return why_not
    others = {who: held for who, held in hands_held(state).items() if who != holder(number, wager)}
    for other, held in others.values():
        if not flops(house.submission, (hand, held)):
            return say("hand.not-by-this-flop", hand=hand_name(hand), held=hand_name(HandName(held)), seat=other)
    hands = (hand, *(held for _, held in others.values()))
    left = _flops(house, state, hands)
    if not left and state.round.board and flops(house.submission, hands):
        return say("hand.not-by-the-board", hand=hand_name(hand), cards=" ".join(state.round.board[:FLOP_CARDS]))
    if not left:
        return say("hand.no-flop-for-all", hand=hand_name(hand), seats=_seats(others))
    seats = (pricing.hands_left(house, state, one) for one in state.players)
    answered = (pricing.dealers_hands_left(house, state), *seats)
    below = next((why for hands in answered if (why := _below(hands, least(left)))), NOTHING)
    return say("hand.not-with-the-answers", hand=hand_name(hand), least=hand_name(least(left))) if below else NOTHING


def _seats(held: Mapping[int, tuple[int, str]]) -> tuple[int, ...]:
    return tuple(sorted({number for number, _ in held.values()}))


def told_in_vain(house: House, state: TableState) -> Message:
    """Which seat was settled, or which prizes named, by what cannot be beside the dealer's hand, which was told again since,
    or beside cards that were entered since; nothing where all can.
    """
    for number in state.players:
        if pricing.settled_in_vain(house, state, number):
            return say("seat.settled-in-vain", seat=number)
    for who, (number, hand) in hands_held(state).items():
        if _denied_since(house, state, who, HandName(hand)):
            return say("hand.named-in-vain", seat=number, hand=hand_name(HandName(hand)))
    if state.round.qualifies is not False or state.round.void_cite:
        return NOTHING
    held = hands_held(state)
    for who, (number, hand) in held.items():
        of_dealer = who == DEALER and _not_among(HandName(hand), pricing.dealers_hands_left(house, state))
        if of_dealer or _beside_the_dealer(house, state, HandName(hand)):
            return say("hand.not-beside-the-dealer", seat=number, hand=hand_name(HandName(hand)))
    if held and not flops(house.submission, (hand for _, hand in held.values())) & OF_THREE_RANKS:
        return say("hand.none-beside-the-dealer", seats=_seats(held))
    return NOTHING


def _denied_since(house: House, state: TableState, who: int, hand: HandName) -> bool:
    """Cards that were entered since are not the hand that was named of a seat, or of the dealer, or leave it none."""
    if five := known_five(state, who, DEALERS_HAND if who == DEALER else PROGRESSIVE):
        return five_card_hand(five) != hand
    return who != DEALER and bool(_not_by_the_board(house, state, who, hand))


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
    """Why what was answered of a seat cannot be: a better hand of its five cards, or of the dealer's, was named, the hands
    that were named leave a flop that makes more, or the deck has no such cards beside others'; nothing where it can.
    """
    if denied := denied_by_cards(house, state, number):
        return denied
    if not _anything_is_known(state):  # nobody holds anything, and any flop may lie there
        return _not_in_the_deck(house, state, number)
    left = pricing.hands_left(house, state, number)
    held = hands_held(state)
    if number in held:
        hand = HandName(held[number][1])
        if why_not := _not_by_the_board(house, state, number, hand) or _not_among(hand, left):
            return why_not
    if DEALER in held and state.round.qualifies:
        of_dealer = pricing.dealers_hands_left(house, state)
        if why_not := _not_among(HandName(held[DEALER][1]), of_dealer):
            return why_not
    return _below(left, _sure_hand(house, state)) or _not_in_the_deck(house, state, number)


def denied_by_cards(house: House, state: TableState, number: int) -> Message:
    """Why what was answered of a seat cannot be beside cards that were entered since; nothing where it can."""
    if not pricing.denied_by_cards(house, state, number):
        return NOTHING
    if board := state.round.board:
        return say("seat.not-by-the-board", seat=number, cards=" ".join(board))
    return say("seat.not-with-a-bought-card", seat=number, cards=" ".join(state.seat(number).position.first))


def _not_in_the_deck(house: House, state: TableState, number: int) -> Message:
    """Why a seat's own cards are not on a row that was told of them: those of others would be the same cards."""
    game, round_ = house.game, state.round
    for wager in (*game.settled_by(SettledBy.POCKET), *game.settled_by(SettledBy.SIX)):
        told = [(n, dict(seat.position.called)) for n, seat in state.numbered() if not seat.position.cards]
        rows = {n: called[wager] for n, called in told if wager in called}
        if number not in rows:
            continue
        lying = [card for seat in round_.seats for card in seat.position.cards]
        lying += [*round_.board, *round_.dealer, *round_.six_card]
        if not can_be_dealt(house.submission, wager, rows.values(), lying):
            row = rows[number]
            return say("row.not-in-the-deck", row=hand_name(row)) if row else say("row.one-of-them", seat=number)
    return NOTHING


def declared_in_vain(house: House, state: TableState, row: str) -> Message:
    """Why a row that was told of a declared hand, or of the dealer's, is not beside those of the others: one deck."""
    return NOTHING if _deck_has_the_rows(house, state) else say("row.not-in-the-deck", row=hand_name(row))


def entered_in_vain(house: House, state: TableState, cards: Sequence[str]) -> Message:
    """Why cards that were just entered, of a seat or the dealer, are not beside rows that were told of others: one deck."""
    if not house.game.declared or _deck_has_the_rows(house, state):
        return NOTHING
    return say("entry.not-in-the-deck", cards=" ".join(cards))


def _deck_has_the_rows(house: House, state: TableState) -> bool:
    """For every declared row whose cards nobody entered the deck has some, beside all known first five (671a.3(a))."""
    seats = [seat.position for _, seat in state.numbered()]
    lying = [*state.round.dealer, *(card for position in seats for card in _first_five(position))]
    rows = [position.verified or position.super_row for position in seats if not _first_five(position)]
    rows += [] if state.round.dealer else [state.round.dealer_row or ""]
    return can_be_dealt(house.submission, house.game.declared, filter(None, rows), lying)


def _first_five(position: Position) -> tuple[str, ...]:
    """The cards that were dealt first, where they are known: entered for a declared hand, or unchanged to the end."""
    return position.first or (() if position.option else position.cards)


def _below(left: frozenset[str], made: HandName) -> Message:
    """The flop is a part of everybody's hand: whatever it makes alone is the least that anybody has."""
    below = max(map(RANKED.index, left)) < RANKED.index(made)
    return say("hand.flop-makes-more", least=hand_name(made)) if below else NOTHING


def _not_among(hand: HandName, left: frozenset[str]) -> Message:
    """Why five cards are not `hand` where the best of these and two more is called one of `left`; nothing where they can."""
    best = HandName(max(left, key=RANKED.index))
    if RANKED.index(hand) > RANKED.index(best):
        return say("hand.best-is-below", hand=hand_name(hand), best=hand_name(best))
    return NOTHING if left & IN_SEVEN[hand] else say("hand.not-of-these-seven", hand=hand_name(hand))


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
    """What else was named, or credited at once, on this hand."""
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


# What the flop can be ------------------------------------------------------------------------------------------------


@kept
def sure_winners(house: House, state: TableState) -> tuple[int, ...]:
    """The lit seats that win whatever their two cards are, and of which nobody has named a prize; from the last down.

    Where what is known leaves no other flop than three of one rank, every hand has three of a kind (653a.11(k), .12(d)(2)).
    """
    if state.round.void_cite or not _anything_is_known(state):
        return ()
    if prize_of(house.submission, PROGRESSIVE, _sure_hand(house, state)) is None:
        return ()
    seats = range(len(state.round.seats), 0, -1)
    return tuple(n for n in seats if PROGRESSIVE in undecided(state, n) and not state.seat(n).left)


def unnamed(house: House, state: TableState) -> Message:
    """Which seats win by the flop alone, and have to be named before the round is cleared; nothing where none does."""
    if seats := sure_winners(house, state):
        return say("winner.sure", seats=seats, n=len(seats), least=hand_name(_sure_hand(house, state)))
    return NOTHING


def _sure_hand(house: House, state: TableState) -> HandName:
    """What every hand has at the least: no hand is lower than what the flop makes alone."""
    return least(_flops(house, state, tuple(hand for _, hand in hands_held(state).values())))


def _flops(house: House, state: TableState, hands: tuple[str, ...]) -> frozenset[Flop]:
    """What the flop can be beside these hands: by the board where it was entered, and by a dealer below a pair."""
    left, board = flops(house.submission, hands), state.round.board[:FLOP_CARDS]
    if board:
        left &= {flop_of(board)}
    return left & OF_THREE_RANKS if state.round.qualifies is False and not state.round.void_cite else left


# What the cards win --------------------------------------------------------------------------------------------------


@kept
def waiting(house: House, state: TableState) -> tuple[Known, ...]:
    """What is won by known cards, or by a hand that was named for another wager on it, and nobody has named.

    From the last seat down, in the order of a seat's turn.
    """
    return tuple(_waiting(house, state)) if _anything_is_known(state) and not state.round.void_cite else ()


def _anything_is_known(state: TableState) -> bool:
    """Of the flop or of somebody's five cards."""
    named = state.round.credits or state.round.envied_by or any(seat.prizes for seat in state.round.seats)
    return bool(state.round.board or named)


def _waiting(house: House, state: TableState) -> Iterator[Known]:
    for number in range(len(state.round.seats), 0, -1):
        seat = state.seat(number)
        if seat.left:
            continue
        for wager in placed(seat):
            hand = _made(state, number, wager)
            if hand and prize_of(house.submission, wager, hand) and not _over(house, state, number, wager, hand):
                yield Known(number, wager, hand)
            if wager in MAGIC_CARD and _magic_wins(state, number, wager) and not _is_credited(state, number, wager):
                yield Known(number, wager, MAGIC)
        if envied := _envied(house, state, number):
            yield Known(number, ENVY, envied)


def _made(state: TableState, number: int, wager: str) -> HandName | None:
    """What the five cards of a wager are: by cards that are known, or as they were named for another wager on this hand."""
    if five := known_five(state, number, wager):
        return five_card_hand(five)
    told = next(_hands_told(state, number, wager), "")
    return HandName(told) if told else None


def placed(seat: Seat) -> tuple[str, ...]:
    """The wagers with a meter of a seat, in the order of its turn."""
    there = (seat.wager, seat.own, seat.dealers)
    return tuple(wager for wager, made in zip(pricing.WITH_METER, there, strict=True) if made)


def undecided(state: TableState, number: int) -> tuple[str, ...]:
    """The wagers with a meter of a seat that no prize, credit or verdict has ended yet."""
    seat = state.seat(number)
    ended = {prize.wager for prize in seat.prizes if prize.status in (PrizeStatus.PAID, PrizeStatus.REJECTED)}
    ended |= {one.wager for one in prizes_paid(state) if one.seat == number}
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


# The Magic Card ------------------------------------------------------------------------------------------------------


def magic_is_elsewhere(state: TableState, number: int, wager: str) -> bool:
    """The Magic Card is known not to lie among the five cards of this wager (653a.1, .12(e)(3))."""
    card, board = state.round.magic_card, state.round.board
    if five := _five_of(state, number, wager):
        return card not in five
    if card in (*board[FLOP_CARDS:], *state.round.six_card):
        return True
    hands = (_five_of(state, other, theirs) for other, seat in state.numbered() for theirs in placed(seat))
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
    """Whose five cards, a seat's or the dealer's, have the Magic Card among them, by cards or because it was named."""
    card = state.round.magic_card
    found = {
        holder(number, wager)
        for number, seat in state.numbered()
        for wager in placed(seat)
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
    offer = house.submission.progressive
    if offer is None or state.seat(number).wager or number in state.round.envied_by:
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
    if number in state.round.envied_by:
        return say("envy.told", seat=number)
    return say("winner.left", seat=number) if seat.left else NOTHING


# Whose turn it is ----------------------------------------------------------------------------------------------------


def out_of_turn(house: House, state: TableState, number: int, wager: str, share: Share) -> Message:
    """Why a share is not claimed now: another seat's turn was, or comes, before (653a.11(h), .12(d)(4)); or nothing."""
    turn = _turn(number, wager)
    for known in waiting(house, state):
        if _share_of(house, known) == share.meter and _turn(known.seat, known.wager) < turn:
            return say("winner.turn-before", seat=known.seat, hand=hand_name(known.hand))
    if state.seat(number).share_may_be_late:
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
    if seat.left or seat.share_may_be_late or not open_wagers or state.round.void_cite:
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
    return -number, pricing.WITH_METER.index(wager)
