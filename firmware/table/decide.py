"""The law of a table: an input comes, events follow. Pure; a press may be refused, a fact never.

Read it top-down: facts first, then the keys of each phase. The module of its concern has the deed of a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from firmware.rules.message import say
from firmware.table import (
    card_entry,
    deciding,
    ending,
    five_card,
    irregularity,
    jackpot,
    neighbors,
    opening,
    phases,
    reports,
    settling,
    wagering,
)
from firmware.table import events as e
from firmware.table.evolve import without
from firmware.table.finals import ROWS, final
from firmware.table.house import House, Table
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
    ClockSet,
    Complaints,
    DiskSeen,
    Heard,
    Input,
    LinkSeen,
    NextPushed,
    NoMoreBets,
    Observed,
    PinAccepted,
    PinRefused,
    Pressed,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    Started,
    SwitchSettled,
    Ticked,
)
from firmware.table.press import Events, Key, Press, parse
from firmware.table.state import BEFORE_CARDS, NO_PANEL, Phase, TableState
from firmware.table.turn import Turn


def decide(house: House, state: TableState, given: Input) -> Turn:
    """All that follows from one input, bets opening by themselves included. The same input twice changes nothing twice."""
    if isinstance(given, NextPushed):
        pressed = _of_next_key(Table(house, state), given)
        return Turn(state) if pressed is None else decide(house, state, pressed)
    turn = _concluded(house, state, given)
    if not isinstance(given, Pressed) and (final := _made_final(house, state, given, turn.events)):
        events = turn.events
        turn = Turn(state)
        turn.say((final, *events))
    reports.owe(turn)
    return turn


def _concluded(house: House, state: TableState, given: Heard) -> Turn:
    """The events that follow from the input, and the table's own next step."""
    if isinstance(given, Pressed):
        turn = _pressed(house, state, given)
    else:
        turn = Turn(state)
        turn.say(_answer(house, state, given))
    if turn.rows and not turn.refusal:
        turn.say(_by_itself(house, turn, given))
        settled = next((one.seat for one in reversed(turn.events) if isinstance(one, _SETTLES)), 0)
        if settled and turn.state.phase is Phase.SETTLE:
            turn.say(settling.limit_goes_on(house, turn.state, settled))
    return turn


_SETTLES = (e.SeatSettled, e.LinesSettled)


def _by_itself(house: House, turn: Turn, given: Heard) -> Iterable[e.Event]:
    """The next step of the round that needs nobody's press: another seat's turn, open bets, a deck that was delivered."""
    state, events = turn.state, turn.events
    undone = isinstance(events[0], e.Undone)
    if state.phase is Phase.SETTLE and not undone and isinstance(given, Pressed):
        return settling.goes_on(house, state) if any(isinstance(one, _ENDS_A_PRIZE) for one in events) else ()
    if state.phase is Phase.CLOSED:
        return wagering.open_bets(house, state)
    if state.phase in BEFORE_CARDS and (undone or any(map(_may_deliver, events))):
        return opening.delivered(house, state)
    return ()


_DELIVERS = (e.OfDecks, e.ShufflerChanged, e.AlarmAcknowledged, e.BetsOpened)


_ENDS_A_PRIZE = (
    e.PrizePaid,
    e.PrizeTakenBack,
    e.AccountCredited,
    e.ClaimPaid,
    e.ClaimRejected,
    e.EnvyPaid,
)


def _may_deliver(event: e.Event) -> bool:
    """After all others the machine has a deck ready only where it had one before, and that has been said."""
    return isinstance(event, _DELIVERS)


def _answer(house: House, state: TableState, given: Observed) -> Iterable[e.Event]:
    match given:
        case SensorSettled():
            return wagering.sensor_settled(house, state, given)
        case ButtonPushed():
            return five_card.pushed(house, state, given)
        case NoMoreBets():
            return wagering.no_more_bets(house, state, given)
        case Ticked():
            return opening.ticked(house, state, given)
        case ClockSet():
            return opening.clock_set(house, state, given)
        case ShufflerSeen():
            return neighbors.shuffler_seen(house, state, given)
        case SwitchSettled():
            return wagering.switch_settled(state, given)
        case LinkSeen():
            return neighbors.link_seen(state, given)
        case SensorsSeen():
            return neighbors.sensors_seen(state, given)
        case DiskSeen():
            return neighbors.disk_seen(state, given)
        case BankSaid():
            return neighbors.bank_said(house, state, given)
        case PinRefused():
            return (e.PinTried(given.badge, False, given.why, given.failures, given.at),)
        case PinAccepted():
            return (e.PinTried(given.badge, True, given.why, 0),)
        case Complaints():
            return (e.Complained(given.place, given.text, given.count),)
        case Started():
            return (_started(house, given),)
        case _:
            assert_never(given)


def _started(house: House, given: Started) -> e.Started:
    return e.Started(
        given.boot,
        given.program,
        given.submission,
        house.game.name,
        house.level,
        tuple(house.submission.offers),
        house.submission.on_sensor,
        house.equipment.text,
        given.at,
    )


def _of_next_key(table: Table, given: NextPushed) -> Pressed | None:
    """The press of the NEXT key: the primary key while the cards are dealt and on the streets, and nothing after that.

    It never counts, tells the dealer's hand, settles, pays, signs or clears, an open panel has its own next step, and a key
    that is dark on the glass does nothing.
    """
    house, state = table
    goes_on = state.phase is Phase.ASK or (state.phase is Phase.DEAL and deciding.asks_next(house, state))
    pressed = Pressed("next" if house.game.asks_players else "dealt", "", given.at)
    is_lit = goes_on and state.desk.panel == NO_PANEL and refusal(house, state, pressed) is None
    return pressed if is_lit else None


# A press --------------------------------------------------------------------------------------------------------------


def _pressed(house: House, state: TableState, given: Pressed) -> Turn:
    """The turn of a press. An event that no phase on the way knows refuses it, and a complaint says which."""
    turn = Turn(state, state.taps + 1, given.at)
    if unknown := turn.press(_keyed(Table(house, state), given)):
        phase = turn.state.phase
        turn = Turn(state)
        turn.say(_unknown(given, unknown, phase))
    return turn


def _unknown(given: Pressed, event: e.Event, phase: Phase) -> Events:
    yield e.PressRefused(
        given.word, say("press.unknown-here", key=given.word.partition(" ")[0].upper()), given.by, None
    )
    yield e.Complained("law", f"{phases.name_of(phases.way_of(event))} while {phase}", 1)


def _keyed(table: Table, given: Pressed, *, tried: bool = False) -> Iterable[e.Event]:
    """The events of a press by its key; `tried`: nobody has pressed it."""
    state = table.state
    verb = given.word.partition(" ")[0]
    key = ANY_TIME.get(verb) or KEYS[state.phase].get(verb)
    if key is None:
        return (e.PressRefused(given.word, say("press.not-now", key=verb.upper()), given.by, None),)
    if verb not in ANY_TIME and (why_not := irregularity.must_be_void(state)):
        return (e.PressRefused(given.word, why_not, given.by, None),)
    press = parse(state, given, tried=tried)
    if press is None:
        rest = given.word.partition(" ")[2]
        return (e.PressRefused(given.word, say("press.no-such", what=verb, which=rest), given.by, None),)
    return key(table, press)


def refusal(house: House, state: TableState, given: Pressed, *, tried: bool = False) -> e.PressRefused | None:
    """The refusal of a press, which nobody has made yet; None where it would be accepted. `tried`: whether it is refused
    is all that is asked, and its reason may be short.
    """
    first = next(iter(_keyed(Table(house, state), given, tried=tried)), None)
    return first if isinstance(first, e.PressRefused) else None


def _undo(table: Table, press: Press) -> Events:
    """The last press that is not final."""
    trail = table.state.trail
    if trail.steps:
        yield e.Undone()
    else:
        row = ROWS[trail.final]
        yield press.refused(say("final.refused", why=row.why, instead=row.instead))


_SAME_ANYWHERE = (
    e.ShufflerChanged,
    e.NeighborChanged,
    e.SwitchTurned,
    e.BankHolds,
    e.BankAlarm,
    e.DebtsHeard,
    e.VerdictsHeld,
    e.Complained,
    e.PinTried,
)
"""Events that mean the same after any presses."""
_MEANT_ELSE_UNSAID = (Ticked, NoMoreBets, ShufflerSeen)
"""Inputs that may mean nothing here, and much to a table without some presses: no event says so."""


def _made_final(house: House, state: TableState, given: Observed, events: tuple[e.Event, ...]) -> e.StepsFinal | None:
    """A fact that would have meant something else without some presses makes these final."""
    steps = state.trail.steps
    if not steps:
        return None
    if not isinstance(given, _MEANT_ELSE_UNSAID) and all(isinstance(event, _SAME_ANYWHERE) for event in events):
        return None
    if any(final(state, event) for event in events):
        return None
    silent = True
    for left, step in enumerate(reversed(steps)):
        silent = silent and step.silent
        if silent:
            continue
        twin = without(state, step)
        if _as_known(twin.phase, events) != _concluded(house, twin, given).events:
            return e.StepsFinal(left)
    return None


def _as_known(phase: Phase, events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """The events that a table in this phase knows, one after the other."""
    known = []
    for event in events:
        if phases.knows(phase, event):
            known.append(event)
            phase = phases.after(phase, event)
    return tuple(known)


# Keys -----------------------------------------------------------------------------------------------------------------


def _floor(table: Table, press: Press) -> Events:
    yield e.FloorCalled(not table.state.desk.floor_called)


def _back(table: Table, press: Press) -> Events:
    if table.state.desk.panel == NO_PANEL:
        yield press.refused(say("press.not-now", key=press.verb.upper()))
    else:
        yield e.PanelTurned(NO_PANEL)


def _chips(table: Table, press: Press) -> Events:
    """Chips onto the raise, the wager, or into the account, that is being edited."""
    if deciding.raising(table.state):
        yield from deciding.size_raise(table, press)
    elif deciding.editing(*table)[0]:
        yield from deciding.add_chips(table, press)
    else:
        yield from five_card.buy_in(table, press)


def _no_chips(table: Table, press: Press) -> Events:
    if deciding.raising(table.state):
        yield from deciding.size_raise(table, press)
    elif deciding.editing(*table)[0]:
        yield from deciding.no_chips(table, press)
    else:
        yield press.refused(say("wagers.tap-first"))


def _answer_or_winner(table: Table, press: Press) -> Events:
    """A tap on a seat while the cards are dealt: its first answer; where nobody is asked, it won."""
    state = table.state
    asks = state.program.level and state.players
    yield from (deciding.first_answer(deciding.answer_of) if asks else ending.first_winner)(table, press)


ANY_TIME: Mapping[str, Key] = {
    "undo": _undo,
    "floor": _floor,
    "problem": irregularity.tell,
    "apply": irregularity.apply,
    "back": _back,
    "acknowledge": neighbors.acknowledge,
}

_LEFT: Mapping[str, Key] = {"left": deciding.abandon}
_ENTRY: Mapping[str, Key] = {"rank": card_entry.tap_rank, "suit": card_entry.tap_suit, "slot": card_entry.tap_slot}
_WAGERS: Mapping[str, Key] = {
    "box": deciding.toggle_position,
    "stakes": deciding.turn_to_stakes,
    "same-player": deciding.same_player,
    "chips": _chips,
    "no-chips": _no_chips,
}
_BETWEEN: Mapping[str, Key] = {
    "sensor": wagering.mark_sensor,
    "account": five_card.turn_to_account,
    "chips": _chips,
    "cash-out": five_card.cash_out,
}

KEYS: Mapping[Phase, Mapping[str, Key]] = {
    Phase.SHUT: {"received": opening.received, "preinspected": opening.preinspected},
    Phase.INSPECT: {"inspected": opening.inspected, "defect": opening.defect},
    Phase.VERIFY: {"verify": opening.verify, "defect": opening.defect},
    Phase.SPREAD: {"looked": opening.looked},
    Phase.WASH: {"stacked": opening.stacked},
    Phase.SHUFFLE: {"shuffled": opening.shuffled, "shuffled-and-cut": opening.shuffled_and_cut},
    Phase.CUT: {"cut": opening.cut},
    Phase.IDLE: {"looked": opening.looked, "face-up": opening.face_up},
    Phase.EMPTY: {"emptied": opening.emptied, "shut-short": opening.shut_short},
    Phase.CLOSED: {"fetch": opening.fetch, **_BETWEEN},
    Phase.OPEN: {"seat": wagering.bet_by_hand, "recut": opening.recut, **_BETWEEN, **_WAGERS},
    Phase.COUNT: {"count": wagering.count, "reopen": wagering.reopen, "recut": opening.recut},
    Phase.DIFFERENCE: {
        "seat": wagering.question,
        "settle": wagering.settle_difference,
        "box": wagering.ante_lies,
        "recount": wagering.recount,
    },
    Phase.DEAL: {
        "dealt": deciding.dealt,
        "recut": opening.recut,
        "reopen": wagering.reopen,
        "next": deciding.first_answer(deciding.next_cards),
        "seat": _answer_or_winner,
        "stub-right": deciding.stub_right,
        "clear": ending.clear,
        **_WAGERS,
        **_LEFT,
    },
    Phase.ASK: {
        "seat": deciding.answer_of,
        "choose": deciding.choose,
        "raise": deciding.turn_to_raise,
        "chips": _chips,
        "no-chips": _no_chips,
        "next": deciding.next_cards,
        **_LEFT,
    },
    Phase.SUPERS: {
        "seat": deciding.choose_seat,
        "row": deciding.call_super,
        "cards": settling.begin_entry,
        "supers-settled": deciding.settle_supers,
        **_LEFT,
    },
    Phase.DRAW: {"bets": deciding.draw_bets, "folds": deciding.draw_folds, "correct": settling.correct, **_LEFT},
    Phase.REVEAL: {
        "dealer": settling.call_dealer,
        "dealer-row": settling.call_dealer_row,
        "correct": settling.correct,
        "cards": settling.begin_entry,
        "stub-right": deciding.stub_right,
        **_LEFT,
    },
    Phase.HAND: {**_ENTRY, "enter": settling.enter, "cancel": settling.leave_entry},
    Phase.SETTLE: {
        "seat": settling.tell_seat,
        "look": settling.look,
        "hand": settling.at_its_turn(jackpot.name_hand),
        "five": settling.at_its_turn(five_card.name),
        "envy": settling.at_its_turn(jackpot.tell_envy),
        "uncredit": five_card.take_credit_back,
        "answer": settling.answer,
        "settled": settling.settle_seat,
        "cards": settling.begin_entry,
        "correct": settling.correct,
        "stub-right": deciding.stub_right,
        "clear": ending.clear,
        **_LEFT,
    },
    Phase.CARDS: {
        **_ENTRY,
        "royal": card_entry.royal,
        "highest": card_entry.highest,
        "show": jackpot.show_hand,
        "cancel": jackpot.cancel,
    },
    Phase.VALIDATE: {
        "approve": jackpot.approve,
        "not-a-winner": jackpot.not_a_winner,
        "cancel": jackpot.cancel,
    },
    Phase.PRICE: {},
    Phase.HOLD: {
        "claim-paid": jackpot.claim_paid,
        "claim-rejected": jackpot.claim_rejected,
        "accept-price": jackpot.accept_price,
    },
    Phase.PAY: {"paid": jackpot.pay_fixed},
    Phase.ENVY: {"seat": jackpot.mark_envy, "envy-paid": jackpot.pay_envy, **_LEFT},
    Phase.VOID: {"winners": ending.winners, "stub-right": deciding.stub_right, "clear": ending.clear},
}
"""The keys of each phase. "No more bets" is none of them: it is a time stamp on the lock's time line (`NoMoreBets`)."""
