"""The order of the deal for each way of dealing: sections .8 to .10 and the burns of .11.

`steps` are the lines of the dealer's screen; nothing else depends on it but the number of cards that a stub must have.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from firmware.rules.message import Message, say
from firmware.rules.procedure import Street
from firmware.rules.wager import SettledBy
from firmware.table.house import House
from firmware.table.interlock import machine_used, method, stub_due
from firmware.table.procedures import AUTOMATED, DECK, RESHUFFLES
from firmware.table.state import TableState


class Step(Struct, frozen=True):
    """One thing the dealer's hands do, with its paragraph; `cards`: how many leave the deck."""

    words: Message
    cite: str
    cards: int = 0


def steps(house: House, state: TableState) -> tuple[Step, ...]:
    """The first deal, in order."""
    return tuple(_steps(house, state))


def _steps(house: House, state: TableState) -> Iterator[Step]:
    how = method(house, state)
    procedure = house.procedure
    yield from _rack(house, state)
    six, board, players = (tuple(make(house, state, how)) for make in (_six_card, _board_first, _hands))
    if how in procedure.six_card_first or how != AUTOMATED:
        yield from (*six, *board, *players)
    else:  # 653a.10(c): the Six Card box comes from the hand, after the stacks
        yield from (*board, *players)
        if procedure.has("rest"):
            yield Step(say("deal.rest-of-shoe"), procedure.cite("rest"))
        yield from six


def _rack(house: House, state: TableState) -> Iterator[Step]:
    """Two decks: the last round's cards have gone into the machine before this one's need the rack (653a.3(b)(4))."""
    deals = state.deck.color if state.deck else ""
    for deck in state.decks.here if machine_used(house, state) else ():
        if deck is not state.deck:
            yield Step(say("deal.other-deck", color=deck.color, deals=deals), house.procedure.cite("one in the rack"))


def six_card_dealt(house: House, state: TableState) -> bool:
    """Cards go to the Six Card box: a player made that wager, or (level 0, or where the book always deals it) it is
    offered.
    """
    if not any(wager in house.submission.paytables for wager in house.game.settled_by(SettledBy.SIX)):
        return False
    always = method(house, state) in house.procedure.six_card_always
    return always or six_card_wagered(house, state) or not state.program.level


def six_card_wagered(house: House, state: TableState) -> bool:
    """A player made a wager on the own cards with the Six Card box."""
    wagers = house.game.settled_by(SettledBy.SIX)
    return any(wager in wagers for seat in state.round.seats for wager, _ in seat.position.stakes)


def _six_card(house: House, state: TableState, how: str) -> Iterator[Step]:
    if six_card_dealt(house, state):
        always = how in house.procedure.six_card_always
        known, box = state.program.level or always, house.procedure.box_cards
        words = say("deal.six-card", n=box) if known else say("deal.six-card-if", n=box)
        yield Step(words, house.procedure.cite("six card", how), box)


def board_first(house: House, state: TableState) -> bool:
    """The community cards are on the table before the players' cards (653a.10(g), 36.05.16.10B(2))."""
    how = method(house, state)
    if how in house.procedure.board_first:
        return True
    reshuffles = machine_used(house, state) and house.equipment.shuffler == RESHUFFLES
    return how == AUTOMATED and reshuffles and house.equipment.board_first and house.procedure.has("board first")


def _board_first(house: House, state: TableState, how: str) -> Iterator[Step]:
    if board_first(house, state):
        board = house.procedure.board_cards
        yield Step(say("deal.board-first", n=board), house.procedure.cite("board first"), board)


def _hands(house: House, state: TableState, how: str) -> Iterator[Step]:
    procedure = house.procedure
    seats = state.players if state.program.level else ()
    count = procedure.hole_cards
    whom = say("deal.seats", seats=seats, n=len(seats)) if seats else say("deal.to-seat", last=len(state.round.seats))
    cards = count * len(seats) + procedure.dealer_cards if seats else 0
    last = "nobody" if not procedure.dealer_cards else "up" if procedure.last_card_up else ""
    last = last or ("covered" if how in procedure.cover_card else "down")
    cite = procedure.cite("order", how)
    if how != AUTOMATED:
        yield Step(say(f"deal.one-by-one-{last}", whom=whom, count=count), cite, cards)
    elif how in procedure.dealer_first:
        yield Step(say("deal.stacks-dealer-first", whom=whom, count=count), cite, cards)
    else:
        yield Step(say(f"deal.stacks-{last}", whom=whom, count=count), cite, cards)
    if procedure.stub_at[how] == "deal":
        words = say("deal.rest-counted") if stub_due(house, state) else say("deal.rest-unseen")
        yield Step(words, procedure.cite("rest", how))


def burns(house: House, state: TableState) -> bool:
    """A card is burned before the flop and before turn and river: only where the book burns, and from a stub."""
    return method(house, state) in house.procedure.burns and not board_first(house, state)


def next_cards(house: House, state: TableState) -> Step | None:
    """The deal after the questions of this street are answered; None if there is none."""
    return _after(house, state, house.procedure.streets[min(state.round.street, len(house.procedure.streets) - 1)])


def last_cards(house: House, state: TableState) -> tuple[Step, ...]:
    """Before the dealer's hand is turned up: the community cards that nobody was asked about any more, then the stub."""
    return (*rest_of_board(house, state), *_stub(house, state))


def rest_of_board(house: House, state: TableState) -> tuple[Step, ...]:
    """All community cards that do not lie yet, each with its burn: from this street on nobody need be asked."""
    streets = house.procedure.streets[state.round.street :]
    return tuple(step for street in streets if (step := _after(house, state, street)))


def _stub(house: House, state: TableState) -> Iterator[Step]:
    """Into the discard rack, at least every fifth round after a count; some machines have none left by then."""
    how = method(house, state)
    if not house.procedure.has(f"stub away:{how}"):
        return
    if stub_due(house, state):
        yield Step(_count_stub(house, state), house.procedure.cite("stub", how))
    else:
        yield Step(say("stub.unseen"), house.procedure.cite("stub away", how))


def _count_stub(house: House, state: TableState) -> Message:
    right = stub_cards(house, state)
    return say("stub.count") if right is None else say("stub.count-right", n=right)


def _after(house: House, state: TableState, street: Street) -> Step | None:
    if not street.then:
        return None
    name = house.game.dealt(street)
    cite = house.procedure.cite(f"burn {street.deals}")
    if board_first(house, state):
        return Step(say("deal.turn-up", cards=name), cite)
    if burns(house, state):
        return Step(say("deal.burn-and-deal", cards=name), cite, street.then + 1)
    return Step(say("deal.no-burn", cards=name), cite, street.then)


def stub_cards(house: House, state: TableState) -> int | None:
    """How many cards a right stub has when all community cards lie; None at level 0, where nobody told who plays."""
    if not state.program.level or not house.game.has_board:
        return None
    dealt = sum(step.cards for step in steps(house, state))
    board = 0 if board_first(house, state) else house.procedure.board_cards
    burned = sum(bool(street.then) for street in house.procedure.streets) if burns(house, state) else 0
    return DECK - dealt - board - burned - state.round.left_out
