"""The law of a table's rounds: an input comes, events follow. Pure; a press may be refused, a fact never.

Read it top-down: facts first, then the keys of each phase. What a key does is in the module of its concern.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce

from firmware.table import events as e
from firmware.table import neighbours, settling, wagering
from firmware.table.evolve import evolve
from firmware.table.inputs import (
    BankSaid,
    Complaints,
    Input,
    LinkSeen,
    NoMoreBets,
    PinRefused,
    Pressed,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    Started,
    SwitchSettled,
)
from firmware.table.state import House, Phase, TableState, why_off

Events = Iterator[e.Event]


def decide(house: House, state: TableState, given: Input) -> tuple[e.Event, ...]:
    """All that follows from one input, bets opening by themselves included. The same input twice changes nothing twice."""
    events = tuple(_answer(house, state, given))
    after = reduce(evolve, events, state)
    return (*events, *wagering.open_bets(after))


def _answer(house: House, state: TableState, given: Input) -> Events:
    match given:
        case Started():
            yield e.Started(given.boot, given.program, given.submission)
        case SensorSettled():
            yield from wagering.sensor_settled(state, given)
        case SwitchSettled():
            yield from wagering.switch_settled(state, given)
        case NoMoreBets():
            yield from wagering.no_more_bets(house, state, given)
        case ShufflerSeen():
            yield from neighbours.shuffler_seen(state, given)
        case LinkSeen():
            yield from neighbours.link_seen(state, given)
        case SensorsSeen():
            yield from neighbours.sensors_seen(state, given)
        case BankSaid():
            yield from neighbours.bank_said(state, given)
        case PinRefused():
            yield e.PinFailed(given.badge, given.why)
        case Complaints():
            yield e.Complained(given.place, given.text, given.count)
        case Pressed():
            yield from _pressed(house, state, given)


# Keys ---------------------------------------------------------------------------------------------------------------

Key = Callable[[House, TableState, Pressed, str], Events]
"""What a key does: the house, the table, the press, and the rest of its word ("3" of "count 3")."""


def _pressed(house: House, state: TableState, given: Pressed) -> Events:
    verb, _, rest = given.word.partition(" ")
    key = ANY_TIME.get(verb) or KEYS[state.phase].get(verb)
    if key is None:
        yield e.PressRefused(given.word, f"{verb.upper()} means nothing now.")
    elif verb in NUMBERED and not _is_number(rest, NUMBERED[verb], _highest(verb, state)):
        yield e.PressRefused(given.word, f"{verb.capitalize()} {rest!r} does not exist at this table.")
    else:
        yield from key(house, state, given, rest)


NUMBERED = {"count": 0, "seat": 1, "sensor": 1, "slot": 1}
"""Keys whose word ends in a number, and the lowest that there is."""


def _highest(verb: str, state: TableState) -> int:
    return settling.HAND_CARDS if verb == "slot" else len(state.seats)


def _is_number(text: str, lowest: int, highest: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 3 and lowest <= int(text) <= highest


def _floor(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.FloorCalled(not state.floor_called)


def _problem(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    """Before the lock a problem is a sensor's; after it, the round's."""
    if state.phase in (Phase.OPEN, Phase.CLOSED):
        yield e.PanelTurned("sensors")
    elif state.phase is Phase.VOID:
        yield e.PressRefused(given.word, "This round is void already.")
    elif why_not := settling.may_void(state):
        yield e.PressRefused(given.word, why_not)
    else:
        yield e.PanelTurned("void")


def _back(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.PanelTurned("")


def _acknowledge(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from neighbours.acknowledge(state, given.word)


def _sensor(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """Mark a sensor as dead, or as working."""
    number = int(rest)
    seat = state.seat(number)
    if state.phase is Phase.OPEN and seat.wager:
        yield e.PressRefused(given.word, f"Seat {number} has a wager: take it back or lock first.")
        return
    yield e.SensorMarked(number, not seat.dead)
    if seat.dead:
        yield from wagering.sensor_works(state, number)


def _bet_by_hand(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """While bets are open a tap on a seat whose sensor is dead enters its wager."""
    number = int(rest)
    seat = state.seat(number)
    off = why_off(state)
    if not seat.dead:
        yield e.PressRefused(given.word, f"Seat {number}'s sensor works: the chip makes the wager.")
    elif off and not seat.wager:
        yield e.PressRefused(given.word, off)
    else:
        yield e.WagerMarked(number, not seat.wager)


def _take_back_clear(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if state.before_clear:
        yield e.ClearTakenBack(state.round - 1 if state.phase is Phase.OPEN else state.round)
    else:
        yield e.PressRefused(given.word, "Nothing can be taken back here.")


def _count(house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield from wagering.count(house, state, int(rest))


def _reopen(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from wagering.reopen(state, given.word)


def _question(_house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield e.SeatInQuestion(0 if state.question == int(rest) else int(rest))


def _settle(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from wagering.settle_difference(house, state, rest, given.word)


def _recount(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.CountTakenBack()


def _clear(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from settling.clear(state)


def _winners(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.SettlingBegun()


def _first_winner(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    picked = tuple(settling.pick(state, int(rest), given.word))
    if isinstance(picked[0], e.WinnerPicked):
        yield e.SettlingBegun()
    yield from picked


def _pick(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.pick(state, int(rest), given.word)


def _unpick(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if state.turn:
        yield e.WinnerPicked(0)
    else:
        yield e.PressRefused(given.word, "Nothing can be taken back here: the wagers are with the bank.")


def _hand(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.name_hand(house, state, rest, given.word)


def _rank(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.tap_rank(state, rest, given.word)


def _suit(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.tap_suit(state, rest, given.word)


def _slot(_house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield from settling.tap_slot(state, int(rest) - 1)


def _card_back(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from settling.tap_back(state)


def _show(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.show_hand(house, state, given.word)


def _cancel(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from settling.take_back(state)


def _approve(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.approve(house, state, given.by, given.word)


def _not_a_winner(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.not_a_winner(house, state, given.by, given.word)


def _paid(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from settling.pay_fixed(state)


def _claim_paid(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.end_claim(house, state, given.by, paid=True, word=given.word)


def _claim_rejected(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.end_claim(house, state, given.by, paid=False, word=given.word)


def _mark(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.mark_envy(state, int(rest), given.word)


def _envy_paid(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from settling.pay_envy(state)


def _choose_void(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.choose_void(house, state, rest, given.word)


def _apply_void(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.void(house, state, given.by, given.word)


ANY_TIME: Mapping[str, Key] = {
    "floor": _floor,
    "problem": _problem,
    "back": _back,
    "acknowledge": _acknowledge,
}

_MAY_BE_VOID: Mapping[str, Key] = {"void": _choose_void, "apply-void": _apply_void}

KEYS: Mapping[Phase, Mapping[str, Key]] = {
    Phase.CLOSED: {"sensor": _sensor, "undo": _take_back_clear},
    Phase.OPEN: {"sensor": _sensor, "seat": _bet_by_hand, "undo": _take_back_clear},
    Phase.COUNT: {"count": _count, "reopen": _reopen, **_MAY_BE_VOID},
    Phase.DIFFERENCE: {"seat": _question, "settle": _settle, "undo": _recount, **_MAY_BE_VOID},
    Phase.DEAL: {"seat": _first_winner, "winners": _winners, "clear": _clear, **_MAY_BE_VOID},
    Phase.WINNERS: {"seat": _pick, "hand": _hand, "clear": _clear, "undo": _unpick, **_MAY_BE_VOID},
    Phase.CARDS: {
        "rank": _rank,
        "suit": _suit,
        "slot": _slot,
        "card-back": _card_back,
        "show": _show,
        "cancel": _cancel,
        "undo": _card_back,
        **_MAY_BE_VOID,
    },
    Phase.VALIDATE: {
        "approve": _approve,
        "not-a-winner": _not_a_winner,
        "cancel": _cancel,
        "undo": _cancel,
        **_MAY_BE_VOID,
    },
    Phase.PRICE: {},
    Phase.HOLD: {"claim-paid": _claim_paid, "claim-rejected": _claim_rejected},
    Phase.PAY: {"paid": _paid, **_MAY_BE_VOID},
    Phase.ENVY: {"seat": _mark, "envy-paid": _envy_paid},
    Phase.VOID: {"clear": _clear},
}
"""The keys of each phase. "No more bets" is none of them: it is a time stamp on the lock's time line (`NoMoreBets`)."""
