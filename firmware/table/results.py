"""The turn of a seat in the settlement, and results by exception (sections .11).

`turn_of` gives each seat's next step and its payments: its answers, its wagers against the dealer, those of a meter
and their consequences. The book has the order of the wagers in a turn.

By exception (level 1) a player who is not tapped lost, and a tapped one had nothing special. A given answer stands; a
missing one is the least that can be, if the law knows such an answer, and is asked for if it does not. A wager on
the Six Card box is always asked: its cards are revealed for it, after the hand was compared (653a.11(m)). The law
says of every answer whether it may be, and what it pays. Results of all seats are told together; money moves seat by seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from firmware.rules.known import Known, Said
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.payment import Payment
from firmware.rules.seat import Choice
from firmware.rules.told import NONE_OF_THESE
from firmware.rules.wager import SettledBy
from firmware.table import conflicts, pricing
from firmware.table import events as e
from firmware.table.evidence import undecided
from firmware.table.house import House
from firmware.table.kept import kept
from firmware.table.known import known_at
from firmware.table.projections import is_again, next_turn, to_settle
from firmware.table.state import Called, Phase, TableState

WINS, TIES, LOSES = "higher", "equal", "lower"
TAPS = (WINS, TIES, LOSES)
"""The results of a seat's taps, one after the other; a seat that is not tapped lost."""


class TurnStep(StrEnum):
    """The next step at a seat, which is settled completely before the next one (653a.11(h)(2))."""

    ANSWERS = "answers"
    """A question that only the dealer can answer."""
    OWN = "own"
    """Its wagers against the dealer (653a.11(h) to (j))."""
    METERS = "meters"
    """The prizes of its wagers of a meter, as long as these are open, and what follows them (653a.11(k) to (m))."""
    OVER = "over"
    """Nothing: its turn is over, or has no place in this round."""


class SeatTurn(NamedTuple):
    """A seat in its turn.

    `called`: the answers and, by exception, the least that can be for the missing ones. `lines`: all that is still to
    be collected and paid, as far as it was answered; `now`: the lines of this step. `asked`: the question that
    only the dealer can answer; `later`: one that this step leaves open. `why_not`: why nothing is settled now. `begun`:
    some of it was settled.
    """

    step: TurnStep
    called: Called = ()
    lines: tuple[Payment, ...] = ()
    now: tuple[Payment, ...] = ()
    asked: str = ""
    later: str = ""
    why_not: Message = NOTHING
    begun: bool = False

    @property
    def pays(self) -> bool:
        """The player is paid something."""
        return any(line.payout for line in self.lines)


def by_exception(state: TableState) -> bool:
    """Seats are compared with the dealer's hand, and a dealer tells their results."""
    return state.program.level == 1 and state.phase is Phase.SETTLE and state.in_turn and not state.round.void_cite


@kept
def turn_of(house: House, state: TableState, number: int) -> SeatTurn:
    """The turn of a seat as it stands now."""
    return _turn(house, state, number, ())


@kept
def would_pay(house: House, state: TableState, number: int, about: str, answer: str) -> tuple[Payment, ...]:
    """The payments of a seat if this answer is given; () if more has to be asked then, or the law does not take it."""
    return _turn(house, state, number, ((about, answer),)).lines


def _turn(house: House, state: TableState, number: int, more: Called) -> SeatTurn:
    position = state.seat(number).position
    if position.settled or not (position.plays and number and state.in_turn):
        return SeatTurn(TurnStep.OVER)
    begun, lines = bool(position.final), pricing.answered(state, number)
    said, asked = known_at(house, state, number)[1], ""
    if not lines:
        said, asked = _told(house, state, number, more, by_exception(state), is_again(state.seat(number)))
    called = said.answers
    later = asked if by_exception(state) and asked in house.game.after_meters else ""
    unanswered = SeatTurn(
        TurnStep.ANSWERS, called, asked=asked, why_not=say("settle.answer-first", seat=number), begun=begun
    )
    if asked != later:
        return unanswered
    if not lines:
        lines = pricing.due_lines(house, state, number, said)
    why_not = conflicts.of_seat(house, state, number) if by_exception(state) else NOTHING
    own = tuple([line for line in lines if line.wager not in house.game.after_meters])
    apart = bool(own and undecided(state, number))
    if later and not apart:
        return unanswered
    lines = own if later else lines
    step = TurnStep.OWN if own else TurnStep.METERS
    return SeatTurn(step, called, lines, own if apart else lines, later=later, why_not=why_not, begun=begun)


def _told(
    house: House, state: TableState, number: int, more: Called, takes_least: bool, again: bool
) -> tuple[Said, str]:
    """The words about a seat and `more`, with the least that can be if the law takes it; the question that only the dealer
    can answer, "" for none. At a seat that is settled again nobody is taken to have lost.
    """
    known, said = known_at(house, state, number)
    for about, answer in more:
        said = said.saying(about, answer)
    lost = said.result == LOSES
    while open_ := house.worlds.open(known, said):
        about, choices = next(iter(open_.items()))
        takes = takes_least and not (again and about == "result")
        least = _least(house, known, said, about, choices, lost) if takes else None
        if least is None:
            return said, about
        said = said.saying(about, least)
    return said, ""


def _least(house: House, known: Known, said: Said, about: str, choices: tuple[str, ...], lost: bool) -> str | None:
    """The answer that silence means; None if only the dealer can say it. `lost`: the dealer said so."""
    if about == "result":
        return LOSES if LOSES in choices else None
    if about in house.game.settled_by(SettledBy.SIX):
        return None
    if about == "hand" and lost and house.worlds.may_be_beaten_well(known, said):
        return None
    return NONE_OF_THESE if NONE_OF_THESE in choices else None


@kept
def beside(house: House, state: TableState, number: int) -> dict[str, tuple[str, ...]]:
    """The questions about a seat that may be answered, with their choices: the next one, and those behind questions
    that need no answer.
    """
    found: dict[str, tuple[str, ...]] = {}
    known, said = known_at(house, state, number)
    for about, choices in house.worlds.open(known, said).items():
        found[about] = choices
        if _least(house, known, said, about, choices, said.result == LOSES) is None:
            break
    return found


def beaten_well(house: House, state: TableState, number: int) -> bool:
    """A bad beat was told: the hand lost, and which it was decides a payment (677a.12(c))."""
    return result_of(state, number) == LOSES and may_be_beaten_well(house, state, number)


@kept
def may_be_beaten_well(house: House, state: TableState, number: int) -> bool:
    """A wager of this seat is paid for a good hand that lost, and a hand that loses to this dealer's can be one."""
    return house.worlds.may_be_beaten_well(*known_at(house, state, number))


def result_of(state: TableState, number: int) -> str:
    """The comparison that was told of a seat, "" where none was."""
    return dict(state.seat(number).position.called).get("result", "")


# The order of the money -----------------------------------------------------------------------------------------------


def stop(house: House, state: TableState) -> int:
    """The next seat that wants the dealer's hands or eyes: it is paid, it is lit, something is asked, its turn has begun, or
    it is settled again; 0 for none.

    A seat before it in the order gets nothing, and is settled on the way.
    """
    return next((number for number in to_settle(state) if _holds_up(house, state, number)), 0)


def _holds_up(house: House, state: TableState, number: int) -> bool:
    one = turn_of(house, state, number)
    again = is_again(state.seat(number))
    return one.pays or bool(one.why_not) or one.begun or again or wants_a_look(state, number)


def wants_a_look(state: TableState, number: int) -> bool:
    """A lit seat is not passed over before somebody looked at its two cards and the flop."""
    seat = state.seat(number)
    return (seat.wager or bool(seat.five_card)) and not state.round.void_cite


@kept
def in_one_go(house: House, state: TableState) -> tuple[int, ...]:
    """The seats that one press settles: as far as the next stop, or to the end. A seat that was answered alone goes alone.

    If the dealer's hand is not eligible, the law asks no result, and every seat without an answer is paid the same odds
    (671a.11(f)(1)): these go together. A seat whose declared hand is paid other odds (671a.12(c)) is not among them.
    """
    reached: list[int] = []
    alike: tuple[str, ...] = ()
    waiting = to_settle(state)
    if waiting and (state.seat(waiting[0]).position.due or turn_of(house, state, waiting[0]).begun):
        return waiting[:1]
    for number in waiting:
        if _holds_up(house, state, number):
            same = _untold_odds(house, state, number)
            if alike and same != alike:
                break
            if not same:
                return (*reached, number)
            alike = same
        reached.append(number)
    return tuple(reached)


def _untold_odds(house: House, state: TableState, number: int) -> tuple[str, ...]:
    """The payments of a seat without an answer that needs none; () if it is another one, or loses."""
    position = state.seat(number).position
    told = bool(position.called) or wants_a_look(state, number)
    if position.choice is not Choice.PLAY or told or pricing.is_compared(house, state, number):
        return ()
    return tuple(line.odds or "" for line in turn_of(house, state, number).lines if line.payout)


def all_alike(house: House, state: TableState) -> tuple[int, ...]:
    """The seats of one press that are paid the same with any winner; () if there is only one."""
    found = tuple(number for number in in_one_go(house, state) if _untold_odds(house, state, number))
    return found if len(found) > 1 else ()


def came_to(house: House, state: TableState, number: int) -> str:
    """The result of a seat that is still to be settled; where no hands are compared, whether it is paid."""
    one = turn_of(house, state, number)
    told = dict(one.called).get("result", "")
    result = told or pricing.told(house, state, number).result  # one that alone is possible
    paid = one.pays or any(line.payout for line in state.seat(number).position.final)
    return result or (WINS if paid else LOSES)


def aside(house: House, state: TableState) -> bool:
    """The dealer is at a seat out of turn without a possible result: one that is settled, or folded.

    A prize brings the dealer there, and coming back from it does not say that somebody wins.
    """
    number = state.round.turn
    if number in (0, next_turn(state)):
        return False
    return number not in to_settle(state) or not taps(house, state, number)


# The meaning of a tap ---------------------------------------------------------------------------------------------------


def taps(house: House, state: TableState, number: int) -> tuple[str, ...]:
    """The results that taps on this seat tell, one after the other; () where no hands are compared, its cards were entered,
    or money has moved.
    """
    position = state.seat(number).position
    if position.final or position.cards:
        return ()
    known, said = known_at(house, state, number)
    fresh = said.answering(tuple([one for one in said.answers if one[0] not in pricing.COMPARED]))
    offered = house.worlds.open(known, fresh).get("result", ())
    beaten = may_be_beaten_well(house, state, number)
    return tuple(one for one in TAPS if one in offered and (one != LOSES or beaten))


def tap(house: House, state: TableState, number: int) -> Iterator[e.Event]:
    """The seat is chosen, and its result turns: wins, ties, a bad beat where one is paid, and lost again.

    A seat with an answer is looked at first: no answer is lost by a tap that only returns to it. Nor does
    a tap that returns from a seat that was picked out of turn tell anything.
    """
    position = state.seat(number).position
    if state.round.turn != number:
        yield e.SeatChosen(number)
        if position.called or aside(house, state):
            return
    offered = ("", *taps(house, state, number))
    if len(offered) == 1:
        return
    given = result_of(state, number)
    following = offered[(offered.index(given) + 1) % len(offered)] if given in offered else offered[1]
    yield e.HandCalled(number, _still_told(house, state, number, following), ())


def _still_told(house: House, state: TableState, number: int, result: str) -> Called:
    """The answers about a seat beside another result, "" for none: hands and rows that can still be true.

    A hand keeps its name against any other hand; one that can have no such result was named by mistake.
    """
    known, said = known_at(house, state, number)
    told = said.answering((("result", result),) if result else ())
    for about, answer in said.answers:
        of_a_wager = about not in pricing.COMPARED
        named = about != "result" and answer != NONE_OF_THESE
        if of_a_wager or (named and house.worlds.possible(known.at(number, told.saying(about, answer)))):
            told = told.saying(about, answer)
    return told.answers
