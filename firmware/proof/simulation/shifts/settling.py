"""The seats of a shift's round, one by one: answers, cards, money, and mistakes that are taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from firmware.proof.simulation.hands import Cards, truth
from firmware.proof.simulation.shifts.houses import FLOOR
from firmware.proof.simulation.shifts.irregular import count_stub, maybe_void_again, tell
from firmware.proof.simulation.shifts.prizes import prizes_of, turn_to
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.rules.hands import RANKED, HandName
from firmware.table import events as e
from firmware.table import pricing, results, settling
from firmware.table.inputs import Pressed
from firmware.table.projections import next_turn, to_settle
from firmware.table.state import Phase


def enter(shift: ProvedTable, places: Mapping[str, tuple[str, ...]]) -> None:
    """Cards for the places that the table asks for; sometimes one is wrong first."""
    left = {place: list(cards) for place, cards in places.items()}
    there = shift.state.round.entry.cards
    for place, known in zip_longest(shift.state.round.entry.want, there):
        card = left[place].pop(0)
        if known:
            continue
        shift.press(f"rank {card[0]}")
        shift.press(f"suit {card[1]}", again=0.01)
    shift.press("enter")


def settle_seat(shift: ProvedTable, cards: Cards) -> None:
    """One seat, completely."""
    number = shift.state.round.turn
    by_cards = shift.house.level == 2 or shift.chance.random() < 0.03
    if by_cards and settling.question(shift.house, shift.state)[0]:
        shift.press("cards")
        enter(shift, {"seat": cards.hands[number], "board": cards.board, "dealer": cards.dealer, "six": cards.six})
    else:
        _answer(shift, number, cards)
    if shift.state.seat(number).position.settled:
        if shift.state.trail.steps and shift.sometimes(0.05):
            shift.tally["collected, taken back"] += 1
            shift.press("undo")
        return
    for above in range(len(shift.state.round.seats), number, -1):  # whose box is settled, and not its meter wagers
        prizes_of(shift, above, cards)
    if shift.state.round.turn != number:
        shift.press(f"seat {shift.state.round.turn}")
    own_first = settling.own_first(shift.house, shift.state)
    if not own_first:
        prizes_of(shift, number, cards)
    if not shift.state.seat(number).position.settled:
        _collect_and_pay(shift, number, cards)
    if own_first and not (_is_settled_again(shift) or shift.state.seat(number).position.settled):
        prizes_of(shift, number, cards)


def _is_settled_again(shift: ProvedTable) -> bool:
    """The floor corrected the seat in question: from its cards on, or, where nobody entered any, from its result on."""
    house, state = shift.house, shift.state
    return settling.own_first(house, state) or bool(settling.question(house, state)[0])


def _collect_and_pay(shift: ProvedTable, number: int, cards: Cards) -> None:
    _tell_who_goes_along(shift, number, cards)
    if _others_go_along(shift, number):
        settle_by_exception(shift, cards)  # nothing is asked here: this seat's key is theirs too
        return
    shift.press("settled")
    if shift.state.seat(number).position.settled and shift.sometimes(0.01):
        shift.tally["corrected by the floor"] += 1
        tell(shift, "correct")
        shift.press(f"correct {number}")
        shift.press(f"correct {number} wrong-amount", FLOOR)


def _others_go_along(shift: ProvedTable, number: int) -> bool:
    """The key that settles this seat goes to the next lit one, or takes all that is left: others are told before it."""
    if not results.by_exception(shift.state):
        return False
    there = results.stop(shift.house, shift.state)
    if there == 0:
        return any(results.taps(shift.house, shift.state, other) for other in to_settle(shift.state) if other != number)
    return there != number and results.wants_a_look(shift.state, there)


def _tell_who_goes_along(shift: ProvedTable, number: int, cards: Cards) -> None:
    """Before the key EVERYBODY, each hand that is paid more is entered (671a.12(c))."""
    for other in results.all_alike(shift.house, shift.state) if results.by_exception(shift.state) else ():
        if other != number:
            _tell(shift, other, cards)


def settle_by_exception(shift: ProvedTable, cards: Cards) -> None:
    """Results of all seats are told in any order, by taps; then the money goes seat by seat."""
    shift.tally["settled by exception"] += 1
    waiting = list(to_settle(shift.state))
    shift.chance.shuffle(waiting)
    for number in waiting:
        if not _tell(shift, number, cards):  # told seat by seat: this hand is owed what its result does not say
            turn_to(shift, next_turn(shift.state))
            return
    _pay_in_order(shift, cards)


def _tell(shift: ProvedTable, number: int, cards: Cards) -> bool:
    """One seat's result and what is special about it; False where its cards say more than a tap can."""
    given = _truth_of(shift, number, cards)
    offered = results.taps(shift.house, shift.state, number)
    beaten = given["result"] == results.LOSES and given["hand"] in BEATEN_WELL
    wanted = given["result"] if given["result"] != results.LOSES or beaten else ""
    wanted = wanted if wanted in offered else ""
    compared = pricing.is_compared(shift.house, shift.state, number)
    if compared and not offered and pricing.told(shift.house, shift.state, number).result != given["result"]:
        return False
    chosen = shift.state.round.turn == number and results.result_of(shift.state, number) == wanted
    again = not wanted and results.turn_of(shift.house, shift.state, number).asked == "result"  # it is settled again
    if not chosen and (wanted or again or not compared or _special(shift, number, given)):
        for _ in range(len(offered) + 2):  # the first tap may only return to the seat
            shift.press(f"seat {number}")
            if results.result_of(shift.state, number) == wanted:
                break
    if again:
        shift.press(f"answer {given['result']}")
    while shift.state.round.turn == number and (more := _special(shift, number, given)):
        shift.press(f"answer {more}")
        if shift.state.seat(number).position.settled:
            break
    return True


BEATEN_WELL = frozenset(RANKED[RANKED.index(HandName.STRAIGHT) :])
"""Hands that are paid though they lost, where a wager says so (677a.12(c))."""


def _special(shift: ProvedTable, number: int, given: Mapping[str, str]) -> str:
    """The next answer that is not nothing special, "" where there is none."""
    beside = results.beside(shift.house, shift.state, number)
    turn = results.turn_of(shift.house, shift.state, number)
    for about, choices in beside.items():
        choice = given.get(about, "")
        if about == turn.later and shift.sometimes(0.5):
            continue  # it is asked once more, after the prize of a meter (653a.11(m))
        if about != "result" and choice and choice in choices:
            return f"{about} = {choice}"
        if about != "result" and about == turn.asked:
            return f"{about} = none"
    last = list(beside)[-1:]
    return (
        "none" if last and last not in (["result"], [turn.later]) and "" in beside[last[0]] and len(beside) == 1 else ""
    )


def _pay_in_order(shift: ProvedTable, cards: Cards) -> None:
    """The primary key goes on to the next seat that is paid or lit, whose prize is named there."""
    while to_settle(shift.state):
        there = results.stop(shift.house, shift.state)
        if there and there != shift.state.round.turn and results.wants_a_look(shift.state, there):
            shift.press("look")
        for above in range(len(shift.state.round.seats), (there or 1) - 1, -1):
            prizes_of(shift, above, cards)
            position = shift.state.seat(above).position
            if above != there and position.final and not position.settled:  # its own wagers went before its prize
                _answer_asked(shift, cards)
                shift.press("settled")
        if results.stop(shift.house, shift.state) != there or not to_settle(shift.state):
            continue  # it is another seat's turn now that prizes are named: its own have to be named first
        if there and shift.state.round.turn != there and results.wants_a_look(shift.state, there):
            shift.press("look")
        _answer_asked(shift, cards)
        shift.press("settled")
        if shift.state.trail.steps and shift.sometimes(0.05):
            shift.tally["collected, taken back"] += 1
            shift.press("undo")


def _answer_asked(shift: ProvedTable, cards: Cards) -> None:
    """The question to the seat in turn once its hand was compared: its Six Card wager."""
    number = shift.state.round.turn
    asked = results.turn_of(shift.house, shift.state, number).asked if number else ""
    if asked and asked in shift.house.game.after_meters:
        shift.press(f"answer {asked} = {_truth_of(shift, number, cards).get(asked) or 'none'}")


def _answer(shift: ProvedTable, number: int, cards: Cards) -> None:
    """The dealer's view, entered question by question; sometimes wrong, and taken back."""
    given = _truth_of(shift, number, cards)
    while (asked := settling.question(shift.house, shift.state))[0] and shift.state.round.turn == number:
        question, choices = asked
        choice = given.get(question, "")
        if shift.sometimes(0.02) and question == "hand":
            events = shift.take(Pressed(f"answer {shift.chance.choice(choices) or 'none'}", "", shift.now_s))
            if not any(isinstance(event, e.PressRefused) for event in events):  # an answer that cannot be
                shift.tally["wrong answers, undone"] += 1
                shift.press("undo")
            continue
        shift.press(f"answer {choice if choice in choices and choice else 'none'}")
        if shift.state.seat(number).position.settled:
            return


def _truth_of(shift: ProvedTable, number: int, cards: Cards) -> dict[str, str]:
    box = shift.state.seat(number).position
    seat = replace(
        (pricing.folded if shift.state.round.void_cite else pricing.rules_seat)(shift.house, number, box),
        cards=cards.hands[number],
    )
    return truth(shift.house.submission, seat, cards, void=bool(shift.state.round.void_cite))


def settle_after_void(shift: ProvedTable, cards: Cards) -> None:
    """Trips, Pocket Bonus and the like are settled although the round is void."""
    shift.tally["settled in a void round"] += 1
    while settling.unsettled(shift.state):
        if shift.state.phase is Phase.VOID:
            count_stub(shift)
            shift.press("winners")
        maybe_void_again(shift)
        if shift.state.phase is not Phase.VOID:
            settle_seat(shift, cards)
