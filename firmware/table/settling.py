"""Winners of the progressive wager, seat by seat: 653a.11(k) and .12(d).

A fixed prize is validated by a floorperson and paid from the rack. A share of a meter needs the five cards, is frozen by
the bank at that seat's turn, and is paid or rejected by a second person; never from the rack. Envy bonuses follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware.rules.hands import HandName, five_card_hand
from firmware.rules.paytable import Book, Fixed
from firmware.table import events as e
from firmware.table.inputs import ClaimAnswer
from firmware.table.outbox import owe
from firmware.table.state import House, Prize, TableState

RANKS = "AKQJT98765432"
SUITS = "shdc"
HAND_CARDS = 5
FLOP_CARDS = 3


def pick(state: TableState, number: int, word: str) -> Iterator[e.Event]:
    """A lit seat is said to have won."""
    seat = state.seat(number)
    if not seat.wager:
        yield e.PressRefused(word, f"Seat {number} has no progressive wager.")
    elif seat.prize is not None and seat.prize.status == "paid":
        yield e.PressRefused(word, f"Seat {number} is paid.")
    elif seat.mark == "left":
        yield e.PressRefused(word, f"The player of seat {number} has left.")
    else:
        yield e.WinnerPicked(0 if state.turn == number else number)


def name_hand(house: House, state: TableState, hand: str, word: str) -> Iterator[e.Event]:
    """The dealer says which hand the picked seat holds (his two cards and the flop, 653a.12(d)(2))."""
    if not state.turn:
        yield e.PressRefused(word, "Tap the seat that won first.")
    elif hand not in house.progressive.prizes:
        yield e.PressRefused(word, f"{hand} has no prize on paytable {house.progressive.paytable}.")
    else:
        yield _prize(house, state.turn, HandName(hand))


def _prize(house: House, seat: int, hand: HandName) -> e.PrizeNamed | e.ShareNamed:
    prize = house.progressive.prizes[hand]
    if isinstance(prize, Fixed):
        return e.PrizeNamed(seat, str(hand), prize.odds, prize.amount, prize.cite)
    return e.ShareNamed(seat, str(hand), prize.odds, prize.meter, prize.percent, prize.cite)


def take_back(state: TableState) -> Iterator[e.Event]:
    """The dealer named the wrong seat or hand."""
    yield e.PrizeTakenBack(state.turn, by="")


# Cards --------------------------------------------------------------------------------------------------------------


def tap_rank(state: TableState, rank: str, word: str) -> Iterator[e.Event]:
    """A rank, whose suit follows."""
    prize = _in_hand(state)
    if rank not in RANKS or len(rank) != 1:
        yield e.PressRefused(word, f"{rank!r} is no rank.")
    elif prize.slot >= HAND_CARDS:
        yield e.PressRefused(word, "Five cards are entered: tap the one to replace.")
    else:
        yield e.CardTapped(prize.cards, rank, prize.slot)


def tap_suit(state: TableState, suit: str, word: str) -> Iterator[e.Event]:
    """The suit of the rank before it: one card is entered, the next empty place is next."""
    prize = _in_hand(state)
    card = prize.rank + suit
    if suit not in SUITS or len(suit) != 1:
        yield e.PressRefused(word, f"{suit!r} is no suit.")
    elif not prize.rank:
        yield e.PressRefused(word, "Tap the rank first, then the suit.")
    elif card in _others(prize):
        yield e.PressRefused(word, f"{card} is entered already.")
    else:
        cards = (*prize.cards[: prize.slot], card, *prize.cards[prize.slot + 1 :])
        yield e.CardTapped(cards, "", len(cards))


def tap_slot(state: TableState, slot: int) -> Iterator[e.Event]:
    """Replace the card of this place."""
    prize = _in_hand(state)
    if slot <= len(prize.cards):
        yield e.CardTapped(prize.cards, "", slot)


def tap_back(state: TableState) -> Iterator[e.Event]:
    """Take back one tap: the rank, or the last card."""
    prize = _in_hand(state)
    if prize.rank:
        yield e.CardTapped(prize.cards, "", prize.slot)
    elif prize.cards:
        yield e.CardTapped(prize.cards[:-1], "", len(prize.cards) - 1)


def _others(prize: Prize) -> tuple[str, ...]:
    return tuple(card for place, card in enumerate(prize.cards) if place != prize.slot)


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
    if clash:
        yield e.PressRefused(word, clash)
    elif hand not in house.progressive.prizes:
        yield e.PressRefused(word, f"These cards make {hand}: no progressive prize. Check them, or CANCEL.")
    elif hand == prize.hand:
        yield e.HandShown(state.turn, prize.cards)
    else:
        named = _prize(house, state.turn, hand)
        yield named
        if isinstance(named, e.ShareNamed):
            yield e.HandShown(state.turn, prize.cards)


def _clash(state: TableState, cards: Sequence[str]) -> str:
    """Two hands of a round share the flop and nothing else; "" where that holds. A rejected hand is no evidence of it."""
    for number, seat in state.numbered():
        counts = seat.prize is not None and seat.prize.status != "rejected" and number != state.turn
        known = seat.prize.cards if seat.prize and counts else ()
        if len(known) == HAND_CARDS and len(set(known) & set(cards)) != FLOP_CARDS:
            return f"Seat {number} holds {' '.join(known)}: the two hands must share the three cards of the flop."
    return ""


# Validation, claim, payment -----------------------------------------------------------------------------------------


def approve(house: House, state: TableState, by: str, word: str) -> Iterator[e.Event]:
    """A floorperson or above validates (653a.11(k)(3)). A share of a meter is claimed from the bank at once."""
    if not _is_floor(house, by):
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
    yield owe(state, "claim", body)


def not_a_winner(house: House, state: TableState, by: str, word: str) -> Iterator[e.Event]:
    """A floorperson finds that the hand does not win."""
    if _is_floor(house, by):
        yield e.PrizeTakenBack(state.turn, by)
    else:
        yield e.PressRefused(word, "A floorperson's badge and PIN first.")


def pay_fixed(state: TableState) -> Iterator[e.Event]:
    """The dealer paid from the rack."""
    amount = _in_hand(state).amount
    assert amount is not None, "a fixed prize has an amount"
    yield e.PrizePaid(state.turn, amount)


def priced(state: TableState, answer: ClaimAnswer) -> Iterator[e.Event]:
    """The bank froze the amount."""
    yield e.ClaimPriced(state.turn, answer.claim, answer.amount)


def end_claim(house: House, state: TableState, by: str, *, paid: bool, word: str) -> Iterator[e.Event]:
    """A second, different person saw the documents: paid, or not a winner."""
    prize = _in_hand(state)
    if not _is_floor(house, by):
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
    if paid:
        yield from _envy(house, state, HandName(prize.hand))


def _is_floor(house: House, badge: str) -> bool:
    return badge in house.people and house.people[badge].is_floor


# Envy ---------------------------------------------------------------------------------------------------------------


def _envy(house: House, state: TableState, hand: HandName) -> Iterator[e.Event]:
    """Every other player's lit seat receives the bonus of its own wager, from the last seat down (653a.11(k)(5))."""
    if hand not in house.progressive.envy:
        return
    amount = house.progressive.envy[hand]
    receivers = [n for n in reversed(state.wagers) if n != state.turn and state.seat(n).mark != "left"]
    if receivers:
        yield e.EnvyOwed(state.turn, tuple((number, amount) for number in receivers))


MARKS = ("", "same player", "left")


def mark_envy(state: TableState, number: int, word: str) -> Iterator[e.Event]:
    """Each tap turns a receiver: is paid, is the holder's other box, has left."""
    if number not in dict(state.envy):
        yield e.PressRefused(word, f"Seat {number} receives no envy bonus.")
        return
    mark = state.seat(number).mark
    yield e.EnvyMarked(number, MARKS[(MARKS.index(mark) + 1) % len(MARKS)])


def envy_due(state: TableState) -> tuple[tuple[int, int], ...]:
    """(seat, cents) of the receivers that are left after the marks, in the order of payment."""
    return tuple((number, cents) for number, cents in state.envy if not state.seat(number).mark)


def pay_envy(state: TableState) -> Iterator[e.Event]:
    """The dealer paid the envy bonuses from the rack."""
    yield e.EnvyPaid(state.turn, envy_due(state))


# The end of a round -------------------------------------------------------------------------------------------------

IRREGULARITIES = {
    "cards_face_up": "More than one card found face up",
    "incorrect_number_of_cards": "Wrong number of cards dealt",
    "dealer_card_exposed": "A dealer's card exposed before all decisions",
    "dealing_shoe_fault": "Dealing shoe failed during the round",
    "shuffler_fault": "Shuffler failed during the round",
    "stub_count": "Stub count is not 52",
}
"""What may have happened, in a dealer's words, by the names of the books."""


def voids(book: Book) -> dict[str, str]:
    """What voids a round under this book: paragraph -> what happened."""
    return {cite: IRREGULARITIES[kind] for kind, cite in book.voids.items()}


def clear(state: TableState) -> Iterator[e.Event]:
    """Every hand is settled; the cards go so that each hand can be rebuilt (653a.11(n))."""
    yield e.RoundCleared(state.round)


def may_void(state: TableState) -> str:
    """Why this round cannot be void any more; "" where it can. A rejected claim has moved no money."""
    for number, seat in state.numbered():
        if seat.prize and seat.prize.status in ("claimed", "pending", "paid"):
            return f"Seat {number}'s prize is {seat.prize.status}: the round cannot be void. Call the floor."
    return ""


def choose_void(house: House, state: TableState, cite: str, word: str) -> Iterator[e.Event]:
    """What happened, by its paragraph; nothing is void yet."""
    if why_not := may_void(state):
        yield e.PressRefused(word, why_not)
    elif cite not in house.voids:
        yield e.PressRefused(word, "No such irregularity voids a round.")
    else:
        yield e.PanelTurned(f"void {cite}")


def void(house: House, state: TableState, by: str, word: str) -> Iterator[e.Event]:
    """A floorperson orders that the round is void: every wager goes back, and its contribution with it."""
    cite = state.panel.removeprefix("void ")
    why_not = may_void(state)
    if cite not in house.voids:
        yield e.PressRefused(word, "Choose what happened first.")
    elif why_not:
        yield e.PressRefused(word, why_not)
    elif not _is_floor(house, by):
        yield e.PressRefused(word, "A floorperson's badge and PIN first.")
    else:
        yield e.RoundVoided(state.round, cite, by, state.wagers)
        if state.sent_wagers:
            yield owe(state, "reversal", {"round": state.round, "reason": cite})
