"""The law of a table: an input comes, events follow. Pure; a press may be refused, a fact never.

Read it top-down: facts first, then the keys of each phase. What a key does is in the module of its concern.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce

from firmware.table import (
    card_entry,
    deciding,
    five_card,
    irregularity,
    jackpot,
    neighbours,
    opening,
    phases,
    settling,
    wagering,
)
from firmware.table import events as e
from firmware.table.evolve import evolve
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
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
    Ticked,
)
from firmware.table.interlock import stub_due
from firmware.table.people import floor_only
from firmware.table.pricing import offered
from firmware.table.state import House, Phase, TableState, why_off

Events = Iterator[e.Event]


def decide(house: House, state: TableState, given: Input) -> tuple[e.Event, ...]:
    """All that follows from one input, bets opening by themselves included. The same input twice changes nothing twice."""
    events = tuple(_answer(house, state, given))
    phase = reduce(phases.after, events, state.phase)
    if phase is Phase.CLOSED:
        return (*events, *wagering.open_bets(house, reduce(evolve, events, state)))
    if phase in opening.BEFORE_DEAL and events and not isinstance(events[0], e.PressRefused):
        return (*events, *opening.delivered(house, reduce(evolve, events, state)))
    return events


def _answer(house: House, state: TableState, given: Input) -> Events:
    match given:
        case Started():
            yield e.Started(
                given.boot,
                given.program,
                given.submission,
                house.procedure.book,
                house.level,
                house.offers_progressive,
                house.equipment.text,
            )
        case SensorSettled():
            yield from wagering.sensor_settled(state, given)
        case SwitchSettled():
            yield from wagering.switch_settled(state, given)
        case NoMoreBets():
            yield from wagering.no_more_bets(house, state, given)
        case ButtonPushed():
            yield from five_card.pushed(house, state, given)
        case Ticked():
            yield from opening.ticked(house, state, given)
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


NUMBERED = {
    **dict.fromkeys(("seat", "sensor", "slot", "box", "left", "account", "chips", "raise"), 1),
    **dict.fromkeys(("count", "emptied"), 0),
}
"""Keys whose word ends in a number, and the lowest that there is."""
CARDS_MOST, CENTS_MOST = 999, 99_999_999


def _highest(verb: str, state: TableState) -> int:
    most = {"emptied": CARDS_MOST, "chips": CENTS_MOST}
    if verb == "slot":
        return len(state.game.entry.want) if state.phase is Phase.HAND else card_entry.HAND_CARDS
    return most.get(verb, len(state.seats))


def _is_number(text: str, lowest: int, highest: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(highest)) and lowest <= int(text) <= highest


def _floor(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.FloorCalled(not state.floor_called)


def _problem(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """What can be told in this phase; with a key's name, what happened."""
    if rest:
        yield from irregularity.choose(house, state, rest, given.word)
    elif irregularity.problems(house, state):
        yield e.PanelTurned("problem")
    else:
        yield e.PressRefused(given.word, irregularity.why_not(state) or "Nothing can be told here: call the floor.")


def _apply(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from irregularity.apply(house, state, given.by, given.word)


def _back(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.PanelTurned("")


def _acknowledge(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from neighbours.acknowledge(state, given.word)


# Opening and closing the table, decks


def _received(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.receive(house, state, given.at, given.word, preinspected=False)


def _preinspected(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.receive(house, state, given.at, given.word, preinspected=True)


def _inspected(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.DecksInspected()


def _defect(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.DecksRefused()


def _verify(house: House, _state: TableState, given: Pressed, _rest: str) -> Events:
    verified = iter((e.DecksVerified(given.by),))
    yield from floor_only(house, given.by, given.word, house.procedure.cite("verify"), verified)


def _looked(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.FirstPlayerLooked()


def _face_up(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.FacesTurned(not state.face_up)


def _stacked(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.CardsStacked()


def _shuffled(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.shuffled(house, state, given.word)


def _shuffled_and_cut(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.shuffled_and_cut(house, state, given.word)


def _cut(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.DeckCut()


def _recut(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.ordered(house, state, given.word)


def _emptied(_house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield from opening.emptied(state, int(rest))


def _shut_short(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from floor_only(house, given.by, given.word, "", opening.shut_short(state, given.by, given.word))


def _fetch(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.fetch_missing(house, state, given.word)


def _step_back(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.step_back(state, given.word)


def _close_table(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from opening.close(state, given.word)


# Bets, lock, count


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


def _box(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """A player takes part in the round, or not."""
    seat = state.seat(int(rest))
    if not house.level:
        yield e.PressRefused(given.word, "At assist level 0 only progressive wagers are entered.")
    elif state.phase is Phase.DEAL and not state.game.boxes_open:
        yield e.PressRefused(given.word, BOXES_SHUT)
    elif state.phase is Phase.DEAL and (seat.wager or seat.five_card):
        yield e.PressRefused(given.word, f"Seat {rest} is lit: its ante lies before that wager.")
    else:
        yield from deciding.toggle_box(house, state, int(rest), given.word)


BOXES_SHUT = "Bets are closed: PROBLEM has a floorperson open the positions again."


def _stakes(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """The panel of a seat's wagers: "stakes", "stakes 3", "stakes 3 trips"."""
    seat, _, wager = rest.partition(" ")
    there = _is_number(seat, 1, len(state.seats))
    known = there and (not wager or wager in offered(house, int(seat)))
    if not house.level or not (known or not rest):
        yield e.PressRefused(given.word, "There is no such wager at this table.")
    elif state.phase is Phase.DEAL and not state.game.boxes_open:
        yield e.PressRefused(given.word, BOXES_SHUT)
    else:
        yield e.PanelTurned(f"stakes {rest}".rstrip())


def _chips(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """Chips onto the wager, or into the account, that is being edited."""
    if deciding.raising(state):
        yield from deciding.size_raise(house, state, int(rest), given.word)
    elif deciding.editing(state)[0]:
        yield from deciding.add_chips(house, state, int(rest), given.word)
    else:
        yield from five_card.buy_in(state, int(rest), given.word)


def _no_chips(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if deciding.raising(state):
        yield from deciding.size_raise(house, state, 0, given.word)
    elif deciding.editing(state)[0]:
        yield from deciding.no_chips(house, state, given.word)
    else:
        yield e.PressRefused(given.word, "Tap a wager first.")


def _raise(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """The amount of a raise, where the book leaves it to the player."""
    yield from deciding.turn_to_raise(house, state, int(rest), given.word)


def _account(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    if house.submission.five_card_hand is None:
        yield e.PressRefused(given.word, "This table has no wagering accounts.")
    else:
        yield e.PanelTurned(f"accounts {rest}")


def _cash_out(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from five_card.cash_out(state, given.word)


def _count(house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield from wagering.count(house, state, int(rest))


def _reopen(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from wagering.reopen(house, state, given.word)


def _question(_house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield e.SeatInQuestion(0 if state.question == int(rest) else int(rest))


def _settle_difference(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from wagering.settle_difference(house, state, rest, given.word)


def _recount(_house: House, _state: TableState, _given: Pressed, _rest: str) -> Events:
    yield e.CountTakenBack()


# Cards and decisions


def _dealt(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from deciding.dealt(house, state, given.word)


def _decision(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """Hold'em: the seat's answer turns. Lunar Poker: the next keys are about this seat."""
    if state.book == deciding.LUNAR:
        yield e.SeatChosen(0 if state.turn == int(rest) else int(rest))
    else:
        yield from deciding.next_choice(house, state, int(rest), given.word)


def _choose(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from deciding.choose(house, state, rest, given.word)


def _next(house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    """All are asked: the next cards, or "all decisions are locked in"."""
    if state.book == deciding.LUNAR:
        yield from deciding.lock_in(house, state)
    else:
        yield from deciding.close_street(house, state)


def _ask_back(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from deciding.ask_again(state)


def _left(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from deciding.abandon(house, state, int(rest), given.word)


def _choose_seat(_house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield e.SeatChosen(0 if state.turn == int(rest) else int(rest))


def _super_row(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from deciding.tell_super(house, state, rest, given.word)


def _supers_settled(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from deciding.settle_supers(house, state, given.word)


def _unlock(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if state.game.supers_settled:
        yield e.PressRefused(given.word, "The Supers were settled: the elections stand. Tell them again, and settle.")
    else:
        yield e.StreetReopened(0)


def _draw_bets(house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from deciding.take_draw(house, state, bets=True)


def _draw_folds(house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from deciding.take_draw(house, state, bets=False)


def _draw_back(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from deciding.draw_back(state, given.word)


def _stub_right(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    """Not before the deal, but where nobody plays, or Maryland's machine puts its stub away then (36.05.16.10B(4))."""
    early = state.phase is Phase.DEAL and state.level and state.players
    if early and not deciding.needs_stub(house, state):
        yield e.PressRefused(given.word, "Deal the cards first.")
    elif stub_due(house, state):
        yield e.StubCounted()
    else:
        yield e.PressRefused(given.word, "No count is due.")


def _dealer(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    if deciding.needs_stub(house, state):
        yield deciding.stub_first(house, state, given.word)
    elif rest in ("yes", "no"):
        yield from settling.show_dealer(house, state, "", qualifies=rest == "yes", word=given.word)
    else:
        yield e.PressRefused(given.word, "Does the dealer's hand qualify, yes or no?")


def _dealer_row(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.tell_dealer_row(house, state, rest, given.word)


def _reveal_back(_house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from deciding.back_from_reveal(state, given.word)


# Settlement


def _clear(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    """Every hand is settled; the cards go so that each hand can be rebuilt (653a.11(n))."""
    ordered = ""
    if state.phase is Phase.DEAL:
        dealt = not state.level or bool(state.players)  # where nobody plays there are no cards to wait for
        waits = opening.undelivered(house, state) if dealt and not state.void_cite else ""
        ordered = opening.order_words(house, state) or waits
    if why_not := settling.unsettled(state) or ordered:
        yield e.PressRefused(given.word, why_not)
    elif not state.void_cite and _stub_waits(house, state):
        yield deciding.stub_first(house, state, given.word)
    else:
        yield from five_card.lucky(house, state)
        yield e.RoundCleared(state.round)


def _stub_waits(house: House, state: TableState) -> bool:
    """At level 0, and at Lunar Poker, the count belongs to the end of the round."""
    return stub_due(house, state) and (not state.level or state.book == deciding.LUNAR)


def _winners(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if why_not := _undealt(house, state):
        yield e.PressRefused(given.word, why_not)
    else:
        yield e.SettlingBegun()


def _undealt(house: House, state: TableState) -> str:
    """Why no seat is settled yet: from assist level 1 up the table knows that nobody was asked; "" where it is time."""
    if state.phase is Phase.VOID and not state.in_turn:
        return "Nothing of this round is settled: return the wagers and clear."
    if state.phase is not Phase.DEAL:
        return ""
    return settling.unsettled(state) or opening.order_words(house, state) or opening.undelivered(house, state)


def _first_winner(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    if why_not := _undealt(house, state):
        yield e.PressRefused(given.word, why_not)
        return
    picked = tuple(jackpot.pick(state, int(rest), given.word))
    if isinstance(picked[0], e.WinnerPicked):
        yield e.SettlingBegun()
    yield from picked


def _pick(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from jackpot.pick(state, int(rest), given.word)


def _answer_seat(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from settling.answer(house, state, rest, given.word)


def _settled(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.settle_seat(house, state, given.word)


def _settle_back(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if state.level:
        yield from settling.back(house, state, given.word)
    elif state.turn:
        yield e.WinnerPicked(0)
    else:
        yield e.PressRefused(given.word, "Nothing can be taken back here: the wagers are with the bank.")


def _correct(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    """ "correct 3 wrong-result"."""
    seat, _, reason = rest.partition(" ")
    if not _is_number(seat, 1, len(state.seats)):
        yield e.PressRefused(given.word, "Tap the seat first.")
    elif not reason:
        yield e.PanelTurned(f"problem correct {seat}")
    else:
        yield from settling.correct(house, state, int(seat), reason, given.by, given.word)


def _hand(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from jackpot.name_hand(house, state, rest, given.word)


def _five(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from five_card.name(house, state, rest, given.word)


def _uncredit(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from five_card.take_credit_back(house, state, given.by, given.word)


def _cards(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    if deciding.needs_stub(house, state) and state.phase is Phase.REVEAL:
        yield deciding.stub_first(house, state, given.word)
    elif not state.level:
        yield e.PressRefused(given.word, "At assist level 0 only the cards of a share are entered.")
    else:
        yield from settling.begin_entry(house, state, given.word)


def _rank(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from card_entry.tap_rank(state, rest, given.word)


def _suit(_house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from card_entry.tap_suit(state, rest, given.word)


def _slot(_house: House, state: TableState, _given: Pressed, rest: str) -> Events:
    yield from card_entry.tap_slot(state, int(rest) - 1)


def _card_back(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from card_entry.tap_back(state)


def _show(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from jackpot.show_hand(house, state, given.word)


def _enter(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from settling.enter(house, state, given.word)


def _leave_entry(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from settling.leave_entry(state)


def _cancel(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from jackpot.take_back(state)


def _approve(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from jackpot.approve(house, state, given.by, given.word)


def _not_a_winner(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from jackpot.not_a_winner(house, state, given.by, given.word)


def _paid(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from jackpot.pay_fixed(state)


def _claim_paid(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from jackpot.end_claim(house, state, given.by, paid=True, word=given.word)


def _claim_rejected(house: House, state: TableState, given: Pressed, _rest: str) -> Events:
    yield from jackpot.end_claim(house, state, given.by, paid=False, word=given.word)


def _mark(house: House, state: TableState, given: Pressed, rest: str) -> Events:
    yield from jackpot.mark_envy(house, state, int(rest), given.word)


def _envy_paid(_house: House, state: TableState, _given: Pressed, _rest: str) -> Events:
    yield from jackpot.pay_envy(state)


ANY_TIME: Mapping[str, Key] = {
    "floor": _floor,
    "problem": _problem,
    "apply": _apply,
    "back": _back,
    "acknowledge": _acknowledge,
}

_LEFT: Mapping[str, Key] = {"left": _left}
_ENTRY: Mapping[str, Key] = {"rank": _rank, "suit": _suit, "slot": _slot, "card-back": _card_back}
_BETWEEN: Mapping[str, Key] = {"undo": _step_back, "account": _account, "chips": _chips, "cash-out": _cash_out}

KEYS: Mapping[Phase, Mapping[str, Key]] = {
    Phase.SHUT: {"received": _received, "preinspected": _preinspected, "undo": _step_back},
    Phase.INSPECT: {"inspected": _inspected, "defect": _defect, "undo": _step_back},
    Phase.VERIFY: {"verify": _verify, "defect": _defect, "undo": _step_back},
    Phase.SPREAD: {"looked": _looked, "undo": _step_back},
    Phase.WASH: {"stacked": _stacked, "undo": _step_back},
    Phase.SHUFFLE: {"shuffled": _shuffled, "shuffled-and-cut": _shuffled_and_cut, "undo": _step_back},
    Phase.CUT: {"cut": _cut, "undo": _step_back},
    Phase.IDLE: {"looked": _looked, "face-up": _face_up, "undo": _step_back},
    Phase.EMPTY: {"emptied": _emptied, "shut-short": _shut_short, "undo": _step_back},
    Phase.CLOSED: {"sensor": _sensor, "fetch": _fetch, "close": _close_table, **_BETWEEN},
    Phase.OPEN: {
        "sensor": _sensor,
        "seat": _bet_by_hand,
        "box": _box,
        "stakes": _stakes,
        "no-chips": _no_chips,
        "recut": _recut,
        **_BETWEEN,
    },
    Phase.COUNT: {"count": _count, "reopen": _reopen, "recut": _recut},
    Phase.DIFFERENCE: {"seat": _question, "settle": _settle_difference, "undo": _recount},
    Phase.DEAL: {
        "dealt": _dealt,
        "recut": _recut,
        "reopen": _reopen,
        "undo": _reopen,
        "seat": _first_winner,
        "winners": _winners,
        "stub-right": _stub_right,
        "clear": _clear,
        "box": _box,
        "stakes": _stakes,
        "chips": _chips,
        "no-chips": _no_chips,
        **_LEFT,
    },
    Phase.ASK: {
        "seat": _decision,
        "choose": _choose,
        "raise": _raise,
        "chips": _chips,
        "no-chips": _no_chips,
        "next": _next,
        "undo": _ask_back,
        **_LEFT,
    },
    Phase.SUPERS: {
        "seat": _choose_seat,
        "row": _super_row,
        "supers-settled": _supers_settled,
        "undo": _unlock,
        **_LEFT,
    },
    Phase.DRAW: {"bets": _draw_bets, "folds": _draw_folds, "correct": _correct, "undo": _draw_back},
    Phase.REVEAL: {
        "dealer": _dealer,
        "dealer-row": _dealer_row,
        "correct": _correct,
        "cards": _cards,
        "stub-right": _stub_right,
        "undo": _reveal_back,
        **_LEFT,
    },
    Phase.HAND: {**_ENTRY, "enter": _enter, "cancel": _leave_entry, "undo": _card_back},
    Phase.SETTLE: {
        "seat": _pick,
        "hand": _hand,
        "five": _five,
        "uncredit": _uncredit,
        "answer": _answer_seat,
        "settled": _settled,
        "cards": _cards,
        "correct": _correct,
        "stub-right": _stub_right,
        "clear": _clear,
        "undo": _settle_back,
        **_LEFT,
    },
    Phase.CARDS: {**_ENTRY, "show": _show, "cancel": _cancel, "undo": _card_back},
    Phase.VALIDATE: {"approve": _approve, "not-a-winner": _not_a_winner, "cancel": _cancel, "undo": _cancel},
    Phase.PRICE: {},
    Phase.HOLD: {"claim-paid": _claim_paid, "claim-rejected": _claim_rejected},
    Phase.PAY: {"paid": _paid},
    Phase.ENVY: {"seat": _mark, "envy-paid": _envy_paid},
    Phase.VOID: {"winners": _winners, "clear": _clear},
}
"""The keys of each phase. "No more bets" is none of them: it is a time stamp on the lock's time line (`NoMoreBets`)."""
