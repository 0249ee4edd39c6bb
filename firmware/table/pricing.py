"""From a betting position to the law and back: its wagers and decision as `firmware.rules` wants them, its lines.

Nothing is decided here: `firmware.rules.payline` asks the questions and pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from firmware.rules.money import Cents
from firmware.rules.payline import answers, pay_lines
from firmware.rules.payment import Payment, lose, void
from firmware.rules.round import check_stakes
from firmware.rules.seat import DEALER, Choice, Decision, Option
from firmware.rules.seat import Seat as RulesSeat
from firmware.rules.strict import Refusal
from firmware.rules.told import Told
from firmware.table.house import House
from firmware.table.state import Choice as TableChoice
from firmware.table.state import Position, TableState

CHOICES: Mapping[str, Choice] = {
    "check": Choice.FOLD,  # nobody is settled on a check
    "play": Choice.PLAY,
    "fold": Choice.FOLD,
    "abandoned": Choice.ABANDONED,
    "instant": Choice.INSTANT,
}
SUPER_ON = "super:"
BET_TIMES = 2
"""Lunar Poker's bet is twice the ante (671a.11(b)(2))."""


def rules_seat(house: House, number: int, position: Position, decision: Decision | None = None) -> RulesSeat:
    """The seat as the law knows it, without cards. Its meter wagers are not among the stakes."""
    wagers = {wager: Cents(stake) for wager, stake in position.stakes if not wager.startswith(SUPER_ON)}
    backed = {
        DEALER if wager == "super:dealer" else int(wager.removeprefix(SUPER_ON)): Cents(stake)
        for wager, stake in position.stakes
        if wager.startswith(SUPER_ON)
    }
    return RulesSeat(
        number=number,
        cards=(),
        wagers=wagers,
        decisions=(decision or _decision(house, position),),
        super_on=backed or None,
        option=Option((), ()) if position.option else None,
        declared=bool(position.super_row) or "super" not in wagers,
    )


def _decision(house: House, position: Position) -> Decision:
    choice = CHOICES[position.choice or "fold"]
    if choice is not Choice.PLAY:
        return Decision(choice)
    return Decision(choice, position.street or None, Cents(position.played), house.procedure.play.lower())


FOLDED = Decision(Choice.FOLD)


def questions(house: House, state: TableState, number: int) -> Mapping[str, tuple[str, ...]]:
    """What the dealer is still to be asked of a seat, each with its choices; the dealer's own hand is known by now."""
    position = state.seat(number).position
    given = dict(position.called)
    asked = _asked(house, state, number, given.get("result", ""))
    return {question: choices for question, choices in asked.items() if question not in given}


def _asked(house: House, state: TableState, number: int, result: str) -> dict[str, tuple[str, ...]]:
    position = state.seat(number).position
    seat = rules_seat(house, number, position, FOLDED if state.round.void_cite else None)
    known = {"qualifies", "super", "super:dealer"} | {f"{SUPER_ON}{n}" for n in range(1, house.seats + 1)}
    if state.round.dealer_hand:
        known.add("dealer_hand")
    asked = answers(house.submission, seat, result, bool(state.round.qualifies))
    asked = {question: choices for question, choices in asked.items() if question not in known}
    if not state.round.void_cite:
        return asked
    return {question: choices for question, choices in asked.items() if _still_asks(state, question)}


def _still_asks(state: TableState, question: str) -> bool:
    """In a void round only what is still settled is asked: Trips and Trips Plus by the hand, others by their row."""
    return question in state.round.settled_anyway or (
        question == "hand" and bool({"trips", "trips_plus"} & set(state.round.settled_anyway))
    )


def told(state: TableState, number: int) -> Told:
    """All answers about a seat in the law's form."""
    position = state.seat(number).position
    given = dict(position.called)
    side = {
        wager: row for wager, row in given.items() if wager not in ("result", "hand", "dealer_hand", "second") and row
    }
    for wager, _ in position.stakes:
        row = _super_row(state, number, wager)
        if row:
            side[wager] = row
    return Told(
        qualifies=bool(state.round.qualifies),
        result=given.get("result", ""),
        hand=given.get("hand", ""),
        dealer_hand=given.get("dealer_hand", state.round.dealer_hand),
        side=side,
        second=given.get("second", ""),
    )


def _super_row(state: TableState, number: int, wager: str) -> str:
    """The row that a Super wager wins on: its own hand's, or the one that it backs."""
    if wager == "super":
        return state.seat(number).position.super_row
    if wager == "super:dealer":
        return state.round.dealer_row or ""
    if wager.startswith(SUPER_ON):
        return state.seat(int(wager.removeprefix(SUPER_ON))).position.super_row
    return ""


def lines(house: House, state: TableState, number: int, wanted: Callable[[str], bool]) -> tuple[Payment, ...]:
    """What becomes of the wagers that are wanted of a seat whose questions are answered. Raises Refusal."""
    position = state.seat(number).position
    seat = rules_seat(house, number, position, FOLDED if state.round.void_cite else None)
    boxes: Iterable[Payment] = ()
    paid = pay_lines(house.submission, seat, told(state, number), boxes)
    made = (*paid, *_left_behind(house, number, position))
    return tuple(line for line in made if wanted(line.wager))


def early_lines(house: House, state: TableState, number: int, wanted: Callable[[str], bool]) -> tuple[Payment, ...]:
    """What is settled before a seat's turn, and so without comparing hands: folds, Supers, options fees."""
    position = state.seat(number).position
    decided = None if position.choice in ("abandoned", "instant") else FOLDED
    paid = pay_lines(house.submission, rules_seat(house, number, position, decided), _without_result(state, number))
    made = (*paid, *_left_behind(house, number, position))
    return tuple(line for line in made if wanted(line.wager))


def _left_behind(house: House, number: int, position: Position) -> Iterator[Payment]:
    """What a player had put up by his decisions before he left is lost like his wagers (653a.7(b))."""
    if position.left:
        cite = house.procedure.cite("abandoned")
        for wager, stake in _decided_stakes(house, position):
            yield lose(number, wager, Cents(stake), cite)


def _decided_stakes(house: House, position: Position) -> Iterator[tuple[str, int]]:
    """The deciding wager, and an options fee (collected when the cards are drawn)."""
    decision = position.decision
    if decision.choice == TableChoice.PLAY and position.played:
        yield house.procedure.play.lower(), position.played
    if decision.option and not position.drawn:
        yield "options_fee", position.ante


def _without_result(state: TableState, number: int) -> Told:
    given = told(state, number)
    return Told(qualifies=given.qualifies, side=given.side)


def void_lines(house: House, state: TableState, number: int, cite: str, still: Iterable[str]) -> tuple[Payment, ...]:
    """Every stake of a void round that goes back (reading 12)."""
    position = state.seat(number).position
    stakes = [*position.stakes, *_decided_stakes(house, position)]
    if position.drawn:
        stakes.append(("options_fee", position.ante))
    return tuple(void(number, wager, Cents(stake), cite) for wager, stake in stakes if wager not in still)


# Stakes -------------------------------------------------------------------------------------------------------------


def offered(house: House, number: int) -> tuple[str, ...]:
    """The wagers that a dealer can enter for a seat: the ante (its companion follows it) and all side wagers."""
    rules = house.submission
    sides = ("trips", "bad_beat_bonus", "six_card_bonus", "pocket_bonus", "trips_plus")
    wagers = ["ante", *(wager for wager in sides if wager in rules.paytables)]
    if house.procedure.second == "super":
        wagers.append("super")
        if rules.super_on_others:
            others = [f"{SUPER_ON}{other}" for other in range(1, house.seats + 1) if other != number]
            wagers += ["super:dealer", *others]
    return tuple(wagers)


def refusal(house: House, positions: Mapping[int, tuple[tuple[str, int], ...]]) -> str:
    """Why these stakes may not lie on the table, in the law's words; "" where they may."""
    placed = {number: {wager: Cents(stake) for wager, stake in stakes} for number, stakes in positions.items()}
    try:
        check_stakes(house.submission, placed)
    except Refusal as found:
        return str(found)
    return ""
