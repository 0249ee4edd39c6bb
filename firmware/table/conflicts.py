"""Facts that cannot all be true: what was said of a seat, or named, beside everything else that is known."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.rules.hands import HandName, hand_name
from firmware.rules.known import PRIZE, Fact, Known, Said, facts, without
from firmware.rules.message import NOTHING, Message, as_is, say
from firmware.rules.seat import DEALER
from firmware.table import pricing
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.known import holder, known_at, known_of, named
from firmware.table.state import TableState


def all_stands(house: House, state: TableState) -> bool:
    """Nothing that is known contradicts anything else, so that no answer that is offered does (`firmware.rules.worlds`)."""
    return house.worlds.possible(known_of(house, state))


def of_seat(house: House, state: TableState, number: int, *, brief: bool = False) -> Message:
    """Why what was said of a seat cannot be; nothing where it can, and any answer that is offered with it."""
    if house.worlds.possible(known_of(house, state)):
        return NOTHING
    known, said = known_at(house, state, number)
    words = said.answers or said.rows
    return _why_not(house, known.at(number, said), known, Fact(number, *words[-1]), brief) if words else NOTHING


def of_prize(house: House, state: TableState, number: int, wager: str, hand: str, *, brief: bool = False) -> Message:
    """Why this wager of a seat cannot win on `hand`; nothing where it can."""
    with_it, known = _with_prize(house, state, number, wager, hand)
    return _why_not(house, with_it, known, Fact(holder(number, wager), PRIZE, hand), brief)


def _with_prize(house: House, state: TableState, number: int, wager: str, hand: str) -> tuple[Known, Known]:
    """The known facts with this prize of a seat, and without it."""
    who, known, said, prizes = _before_prize(house, state, number, wager)
    return known.naming(who, said, (*prizes, hand)), known.naming(who, said, prizes)


@kept
def _before_prize(house: House, state: TableState, number: int, wager: str) -> tuple[int, Known, Said, tuple[str, ...]]:
    """The holder of the cards that this wager wins on, the facts beside and about them, and the other prizes on them."""
    who, here = holder(number, wager), (number, wager)
    prizes = tuple([made for there, made in named(state) if there != here and holder(*there) == who])
    known, said = (known_of(house, state), Said()) if who == DEALER else known_at(house, state, who)
    return who, known, said, prizes


def of_dealers_row(house: House, state: TableState, row: str) -> Message:
    """Why the dealer's hand does not win declared wagers on this row; nothing where it may."""
    known = known_of(house, state)
    return _why_not(house, known.on_row(row), known, Fact(DEALER, "row", row))


def among_settled(house: House, state: TableState) -> Message:
    """Settlements by a word that was told again since, or that entered cards deny; nothing if all stands."""
    if found := house.worlds.conflict(known_of(house, state)):
        return _sentence(house, max(found, key=lambda one: (not one.lies_open, one.seat)), found)
    vain = (number for number in state.players if pricing.settled_in_vain(house, state, number))
    return next((say("seat.settled-in-vain", seat=number) for number in vain), NOTHING)


def _why_not(house: House, with_it: Known, known: Known, new: Fact, brief: bool = False) -> Message:
    """Why a new fact is not true with all that is `known`. A contradiction from before is no fault of this one.

    `brief`: the facts that it cannot be true with are not searched for.
    """
    worlds = house.worlds
    if worlds.possible(with_it):
        return NOTHING
    if brief and worlds.possible(known):
        return say("fact.never", fact=_words(house, new))
    blamed = [one for one in facts(known) if one not in {*facts(worlds.consistent(known))}]
    for one in blamed:
        with_it = without(with_it, one)
    found = worlds.conflict(with_it)
    own = [one for one in found if one == new or (one.seat == new.seat and not one.lies_open)]
    return _sentence(house, new if new in found else (own or found)[-1], found) if found else NOTHING


def _sentence(house: House, fact: Fact, found: Iterable[Fact]) -> Message:
    others = tuple(dict.fromkeys([_words(house, one) for one in found if one != fact]))
    words = _words(house, fact)
    return say("fact.not-with", fact=words, others=others) if others else say("fact.never", fact=words)


def _words(house: House, fact: Fact) -> Message:
    """One fact, as a part of a sentence."""
    return _of_dealer(house, fact) if fact.seat == DEALER else _of_seat(house, fact)


def _of_dealer(house: House, fact: Fact) -> Message:
    answer = fact.answer
    if fact.about == "qualifies":
        least = house.game.book.qualify.least if house.game.book.qualify else ""
        return say("fact.qualifies", least=_row(least)) if answer else say("fact.qualifies-not", least=_row(least))
    if fact.about == "board":
        return say("fact.board", cards=_cards(answer))
    if fact.about == "six":
        return say("fact.six", cards=_cards(answer))
    return say("fact.dealer", what=_row(answer))


def _of_seat(house: House, fact: Fact) -> Message:
    number, answer = fact.seat, fact.answer
    if fact.about == "result":
        return say("fact.result", seat=number, what=RESULTS[str(answer)])
    if fact.about == "dealer_hand":
        return say("fact.dealer", what=_row(answer))
    if fact.lies_open or fact.about in ("hand", "instant", "second", PRIZE):
        return say("fact.seat", seat=number, what=_row(answer))
    return say("fact.wager", seat=number, wager=house.game.called(fact.about), what=_row(answer))


RESULTS = {"higher": say("fact.win"), "equal": say("fact.tie"), "lower": say("fact.loss")}


def _row(answer: str | tuple[str, ...] | bool) -> Message:
    """A row of a paytable, NONE_OF_THESE, or cards."""
    if isinstance(answer, str) and answer in {*HandName}:
        return hand_name(answer)
    return _cards(answer) if answer else say("fact.none")


def _cards(cards: str | tuple[str, ...] | bool) -> Message:
    return as_is(" ".join(cards) if isinstance(cards, tuple) else str(cards))
