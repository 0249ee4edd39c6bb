"""Winners of the progressive wager, seat by seat: 653a.11(k) and .12(d).

A fixed prize is validated by a floorperson and paid from the rack. A share of a meter needs the five cards, is frozen by
the bank at that seat's turn, and is paid or rejected by a second person; never from the rack. Envy bonuses follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.hands import HandName, five_card_hand
from firmware.rules.paytable import Fixed, Share
from firmware.table import events as e
from firmware.table.card_entry import HAND_CARDS
from firmware.table.evolve import next_turn
from firmware.table.inputs import ClaimAnswer
from firmware.table.outbox import owe
from firmware.table.people import is_floor
from firmware.table.state import House, Prize, TableState

FLOP_CARDS = 3
DEALERS_HAND = "five_card_dealer"


def pick(state: TableState, number: int, word: str) -> Iterator[e.Event]:
    """A lit seat is said to have won."""
    seat = state.seat(number)
    if state.void_cite:
        yield e.PressRefused(word, "The round is void: every progressive wager goes back.")
    elif not seat.wager and not seat.five_card:
        yield e.PressRefused(word, f"Seat {number} has no progressive wager.")
    elif progressive_paid(state, number) and not seat.five_card:
        yield e.PressRefused(word, f"Seat {number} is paid.")
    elif seat.mark == "left":
        yield e.PressRefused(word, f"The player of seat {number} has left.")
    elif state.in_turn and not seat.box.settled and number != next_turn(state):
        yield e.PressRefused(word, f"One seat at a time: seat {next_turn(state)} is first.")
    else:
        yield e.WinnerPicked(0 if state.turn == number else number)


def progressive_paid(state: TableState, number: int) -> bool:
    """The progressive wager of this seat has been paid its prize."""
    return any(prize.wager == "progressive" and prize.status == "paid" for prize in state.seat(number).prizes)


def name_hand(house: House, state: TableState, hand: str, word: str) -> Iterator[e.Event]:
    """The dealer says which hand the picked seat holds (his two cards and the flop, 653a.12(d)(2))."""
    if not state.turn:
        yield e.PressRefused(word, "Tap the seat that won first.")
    elif state.void_cite:
        yield e.PressRefused(word, "The round is void: every progressive wager goes back.")
    elif state.seat(state.turn).mark == "left":
        yield e.PressRefused(word, f"The player of seat {state.turn} has left.")
    elif not state.seat(state.turn).wager or progressive_paid(state, state.turn):
        yield e.PressRefused(word, f"Seat {state.turn} has no progressive wager that waits.")
    elif hand not in house.progressive.prizes:
        yield e.PressRefused(word, f"{hand} has no prize on paytable {house.progressive.paytable}.")
    elif why_not := contradiction(state, state.turn, "progressive", HandName(hand)):
        yield e.PressRefused(word, why_not)
    else:
        yield _prize(house, state.turn, HandName(hand))


def contradiction(state: TableState, number: int, wager: str, hand: HandName) -> str:
    """Why this wager of a seat cannot win on `hand`: what is known of its five cards; "" where nothing is against it."""
    cards = _known_five(state, number, wager)
    if cards and five_card_hand(cards) != hand:
        return f"{' '.join(cards)} make {five_card_hand(cards)}, not {hand}."
    told = next((prize.hand for prize in _on_the_same_cards(state, number, wager) if prize.hand != hand), "")
    return f"The same five cards were told as {told}: correct that first." if told else ""


def _known_five(state: TableState, number: int, wager: str) -> tuple[str, ...]:
    """Two cards and the flop, where they were entered for the game against the dealer or for another prize; else ()."""
    two = state.game.dealer if wager == DEALERS_HAND else state.seat(number).box.cards
    flop = state.game.board[:FLOP_CARDS]
    if two and flop:
        return (*two, *flop)
    entered = (prize.cards for prize in _on_the_same_cards(state, number, wager))
    return next((cards for cards in entered if len(cards) == HAND_CARDS), ())


def _on_the_same_cards(state: TableState, number: int, wager: str) -> Iterator[Prize]:
    """Other prizes on this hand: the seat's own, or the dealer's. A rejected one is no evidence."""
    for other, seat in state.numbered():
        for prize in seat.prizes:
            if prize.status != "rejected" and (other, prize.wager) != (number, wager):
                own = other == number and DEALERS_HAND not in (wager, prize.wager)
                if own or wager == prize.wager == DEALERS_HAND:
                    yield prize


def _prize(house: House, seat: int, hand: HandName) -> e.PrizeNamed | e.ShareNamed:
    return _named(seat, hand, house.progressive.prizes[hand], "progressive", 1)


def _named(seat: int, hand: HandName, prize: Fixed | Share, wager: str, backers: int) -> e.PrizeNamed | e.ShareNamed:
    if isinstance(prize, Fixed):
        return e.PrizeNamed(seat, str(hand), prize.odds, prize.amount, prize.cite, wager)
    return e.ShareNamed(seat, str(hand), prize.odds, prize.meter, prize.percent, prize.cite, wager, backers)


def take_back(state: TableState) -> Iterator[e.Event]:
    """The dealer named the wrong seat or hand."""
    yield e.PrizeTakenBack(state.turn, by="")


# Cards ---------------------------------------------------------------------------------------------------------------


def _in_hand(state: TableState) -> Prize:
    prize = state.seat(state.turn).prize
    assert prize is not None, "a phase of settling a prize without a prize"
    return prize


def show_hand(house: House, state: TableState, word: str) -> Iterator[e.Event]:
    """Five cards are entered: what they make decides, whatever was said before."""
    prize = _in_hand(state)
    if len(prize.cards) != HAND_CARDS:
        yield e.PressRefused(word, f"{len(prize.cards)} of {HAND_CARDS} cards are entered.")
        return
    clash = _clash(state, prize.cards)
    hand = five_card_hand(prize.cards)
    offer = house.submission.five_card_hand
    prizes = house.progressive.prizes if prize.wager == "progressive" or offer is None else offer.prizes
    known = _known_five(state, state.turn, prize.wager)
    if clash:
        yield e.PressRefused(word, clash)
    elif known and set(known) != set(prize.cards):
        yield e.PressRefused(word, f"This hand was entered as {' '.join(known)}: check the cards, or CANCEL.")
    elif why_not := contradiction(state, state.turn, prize.wager, hand):
        yield e.PressRefused(word, why_not)
    elif hand not in prizes:
        yield e.PressRefused(word, f"These cards make {hand}: no progressive prize. Check them, or CANCEL.")
    elif hand == prize.hand:
        yield e.HandShown(state.turn, prize.cards)
    else:
        named = _named(state.turn, hand, prizes[hand], prize.wager, prize.backers)
        yield named
        if isinstance(named, e.ShareNamed):
            yield e.HandShown(state.turn, prize.cards)


def _clash(state: TableState, cards: Sequence[str]) -> str:
    """Two hands of a round share the flop and nothing else; "" where that holds. A rejected hand is no evidence of it."""
    wager = _in_hand(state).wager
    for number, seat in state.numbered():
        for prize in seat.prizes:
            same_hand = "five_card_dealer" == wager == prize.wager
            same_hand = same_hand or (number == state.turn and "five_card_dealer" not in (wager, prize.wager))
            known = prize.cards if prize.status != "rejected" and not same_hand else ()
            if len(known) == HAND_CARDS and len(set(known) & set(cards)) != FLOP_CARDS:
                return f"Seat {number} holds {' '.join(known)}: the two hands must share the three cards of the flop."
    return ""


# Validation, claim, payment -----------------------------------------------------------------------------------------


def approve(house: House, state: TableState, by: str, word: str) -> Iterator[e.Event]:
    """A floorperson or above validates (653a.11(k)(3)). A share of a meter is claimed from the bank at once."""
    if not is_floor(house, by):
        yield e.PressRefused(word, "A floorperson's badge and PIN first (653a.11(k)(3)).")
        return
    prize = _in_hand(state)
    if not prize.meter:
        yield e.PrizeValidated(state.turn, by)
        return
    # A seat whose claim was rejected may be claimed again under another id, so the message's number belongs to it.
    claim = f"{state.table}:{state.round}:{state.turn}:{state.seq + 1}"
    yield e.ClaimMade(state.turn, claim, by)
    body = {
        "claim": claim,
        "round": state.round,
        "seat": state.turn,
        "hand": prize.hand,
        "cards": list(prize.cards),
        "floor": by,
    }
    if prize.wager != "progressive":
        body |= {"wager": prize.wager}
    if prize.wager == DEALERS_HAND:  # only what the dealer's hand wins is divided
        body |= {"backers": prize.backers}
    yield owe(state, "claim", body)


def not_a_winner(house: House, state: TableState, by: str, word: str) -> Iterator[e.Event]:
    """A floorperson finds that the hand does not win."""
    if is_floor(house, by):
        yield e.PrizeTakenBack(state.turn, by)
    else:
        yield e.PressRefused(word, "A floorperson's badge and PIN first.")


def pay_fixed(state: TableState) -> Iterator[e.Event]:
    """The dealer paid from the rack; a Five Card Hand prize goes to the seat's account (653a.11(l)(3))."""
    prize = _in_hand(state)
    assert prize.amount is not None, "a fixed prize has an amount"
    if prize.wager != "progressive":
        yield e.AccountCredited(state.turn, prize.wager, prize.odds, prize.amount, prize.cite)
    yield e.PrizePaid(state.turn, prize.amount)


def priced(state: TableState, answer: ClaimAnswer) -> Iterator[e.Event]:
    """The bank froze the amount."""
    yield e.ClaimPriced(state.turn, answer.claim, answer.amount)


def end_claim(house: House, state: TableState, by: str, *, paid: bool, word: str) -> Iterator[e.Event]:
    """A second, different person saw the documents: paid, or not a winner."""
    prize = _in_hand(state)
    if not is_floor(house, by):
        yield e.PressRefused(word, "A second person's badge and PIN first.")
        return
    if by in prize.by:
        yield e.PressRefused(word, f"Badge {by} validated this hand: a different person must end it.")
        return
    both = (*prize.by, by)
    amount = prize.amount
    assert amount is not None, "a claim on hold has its price"
    if paid:
        yield e.ClaimPaid(state.turn, prize.claim, amount, both)
    else:
        yield e.ClaimRejected(state.turn, prize.claim, both)
    reason = "" if paid else "not a winner"
    yield owe(state, "verdict", {"claim": prize.claim, "paid": paid, "by": list(both), "reason": reason})
    if paid and prize.wager == "progressive":
        yield from _envy(house, state, HandName(prize.hand))


# Envy ---------------------------------------------------------------------------------------------------------------


def _envy(house: House, state: TableState, hand: HandName) -> Iterator[e.Event]:
    """Every other player's lit seat receives the bonus of its own wager, from the last seat down (653a.11(k)(5))."""
    if hand not in house.progressive.envy:
        return
    amount = house.progressive.envy[hand]
    receivers = [n for n in reversed(state.wagers) if n != state.turn and state.seat(n).mark != "left"]
    if receivers:
        yield e.EnvyOwed(state.turn, tuple((number, amount) for number in receivers))


def marks(house: House, state: TableState, number: int) -> tuple[str, ...]:
    """What a receiver can be: paid, the holder's other box (as many adjacent ones as are filed, 653a.7(e)), gone."""
    boxes = house.submission.adjacent_boxes
    return ("", "same player", "left") if abs(number - state.turn) < boxes else ("", "left")


def mark_envy(house: House, state: TableState, number: int, word: str) -> Iterator[e.Event]:
    """Each tap turns a receiver: is paid, is the holder's other box, has left."""
    if number not in dict(state.envy):
        yield e.PressRefused(word, f"Seat {number} receives no envy bonus.")
        return
    mark = state.seat(number).mark
    possible = marks(house, state, number)
    yield e.EnvyMarked(number, possible[(possible.index(mark) + 1) % len(possible)])


def envy_due(state: TableState) -> tuple[tuple[int, int], ...]:
    """(seat, cents) of the receivers that are left after the marks, in the order of payment."""
    return tuple((number, cents) for number, cents in state.envy if not state.seat(number).mark)


def pay_envy(state: TableState) -> Iterator[e.Event]:
    """The dealer paid the envy bonuses from the rack."""
    yield e.EnvyPaid(state.turn, envy_due(state))
