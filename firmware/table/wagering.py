"""Wagers, the lockout, and the count: sections .2(c), .7(d)(3) and .8(b) of the books.

The definition of a wager at the lock is `stands`: the sensor's raw level was "covered" and had held for the debounce time
up to the lock's time stamp. All that is unsettled or later is journaled with its signed milliseconds and shown as late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce

from firmware.rules.approvals import Act
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.meter_wagers import fed_by
from firmware.rules.money import Cents
from firmware.table import deciding, five_card, live, opening
from firmware.table import events as e
from firmware.table.evolve import ahead
from firmware.table.house import House, Table
from firmware.table.inputs import NoMoreBets, SeatReading, SensorSettled, SwitchSettled
from firmware.table.interlock import obstacles
from firmware.table.outbox import taken_back
from firmware.table.people import signed
from firmware.table.press import Press
from firmware.table.projections import heeds_switch, recognizes, why_off
from firmware.table.state import (
    UNFINISHED,
    Amounts,
    Panel,
    PanelKind,
    Phase,
    Reopening,
    Seat,
    StakeBack,
    TableState,
)
from firmware.table.tally import added
from firmware.wire.from_table import MadeWager, Reversal, Wagers
from firmware.wire.reports import DifferenceOutcome


def open_bets(house: House, state: TableState) -> Iterator[e.Event]:
    """Open the next round as soon as nothing is unsettled and nothing stands in the way; or have the cards shuffled."""
    if state.phase is not Phase.CLOSED or obstacles(house, state):
        return
    if wanted := tuple(opening.cards_wanted(house, state)):
        yield from wanted
        return
    sensors = tuple(enumerate(state.felt.sensors, start=1))
    yield e.BetsOpened(state.round.number + 1, tuple(n for n, one in sensors if one.covered and one.before_lock))
    for number, sensor in sensors:
        if sensor.covered and not sensor.before_lock and not sensor.dead:
            yield _covering(house, state, number, since_ns=0, chips=sensor.chips)


def _covering(house: House, state: TableState, number: int, since_ns: int, chips: tuple[int, ...]) -> e.Event:
    if not recognizes(state):
        return e.ChipSeen(number, False, why_off(state), chips)
    amount = house.progressive.wagered(chips)
    if amount is None:
        return e.ChipSeen(number, False, not_the_wager(house, number, chips), chips)
    return e.WagerPlaced(number, since_ns, amount, chips)


def sensor_settled(house: House, state: TableState, given: SensorSettled) -> Iterator[e.Event]:
    """A chip came or went, or other chips lie there. A fact: it is written down in every phase."""
    seat, sensor = state.seat(given.seat), state.sensor(given.seat)
    if given.covered == sensor.covered and _may_be(given.chips, sensor.chips):
        return
    takes_back = state.phase is Phase.OPEN and seat.wager and not sensor.dead
    if takes_back:
        yield e.WagerTakenBack(given.seat, given.since_ns)
    elif not given.covered:
        yield e.ChipLifted(given.seat)
    if given.covered:
        yield _covered(house, state, given)


def _covered(house: House, state: TableState, given: SensorSettled) -> e.Event:
    seat, sensor = state.seat(given.seat), state.sensor(given.seat)
    if state.phase is Phase.OPEN and not (sensor.dead or sensor.before_lock):
        return _covering(house, state, given.seat, given.since_ns, given.chips)
    was_locked = state.phase in UNFINISHED  # else no bets were closed that it could be late for
    if sensor.dead or not was_locked or (sensor.covered and not _has_more(given.chips, sensor.chips)):
        return e.ChipSeen(given.seat, sensor.before_lock, NOTHING, given.chips)
    if seat.late:
        same_clock = state.program.boot == state.round.lock.boot
        before_lock = same_clock and given.since_ns < state.round.lock.at_ns
        return e.ChipSeen(given.seat, before_lock, NOTHING, given.chips)
    ms = _ms_after_lock(state, given.since_ns)
    return e.LateWager(given.seat, ms, was_lit=seat.wager, covered=True, chips=given.chips)


def _may_be(chips: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """These chips may be those of before: none came or went, and one that cannot be told now may be the one it was.

    So a reader that loses the worth of a chip which lies still darkens no lamp: only what is known to be another chip does.
    """
    return len(chips) == len(before) and not Counter(chip for chip in chips if chip) - Counter(before)


def _has_more(chips: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """A chip came to those of before, or for one of them."""
    others = Counter(chip for chip in chips if chip) - Counter(before)
    return len(chips) > len(before) or others.total() > before.count(0)


def not_the_wager(house: House, number: int, chips: tuple[int, ...]) -> Message:
    """What lies at a seat, and what is wanted there."""
    lies = tuple(say("chip.of", amount=chip) if chip else say("chip.unread") for chip in chips)
    wanted = reduce(_or, [say("chip.of", amount=amount) for amount in house.progressive.amounts])
    return say("chip.not-the-wager", seat=number, lies=lies, wanted=wanted)


def _or(first: Message, rest: Message) -> Message:
    return say("list.or", first=first, rest=rest)


def wrong_chips(house: House, state: TableState) -> Iterator[Message]:
    """Seats at which bets are open and something else than the wager lies, as long as the wager is recognized."""
    if state.phase is not Phase.OPEN or not recognizes(state):
        return
    for number, sensor in enumerate(state.felt.sensors, start=1):
        if sensor.ignored and not sensor.before_lock and house.progressive.wagered(sensor.chips) is None:
            yield not_the_wager(house, number, sensor.chips)


def _ms_after_lock(state: TableState, at_ns: int) -> int | None:
    """Signed milliseconds after the lock, rounded away from it; None where the lock was on another boot's clock."""
    if state.program.boot != state.round.lock.boot:
        return None
    return _away_from_zero(at_ns - state.round.lock.at_ns)


def _away_from_zero(ns: int) -> int:
    """Signed milliseconds: a nanosecond before the lock is a millisecond before it."""
    return -(-ns // 1_000_000) if ns > 0 else ns // 1_000_000


def switch_settled(state: TableState, given: SwitchSettled) -> Iterator[e.Event]:
    """The switch's level; locking while bets are open comes as `NoMoreBets` as well, with its time stamp."""
    if given.locked != state.felt.switch_locked:
        yield e.SwitchTurned(given.locked)


def stands(reading: SeatReading, seat: Seat, debounce_ns: int) -> bool:
    """The definition: is there a wager at the lock?

    A sensor that was not watched long enough (the program has just started and finds the switch locked) is judged by
    what is on disk: a lit lamp was a promise, and no uncovering counts until the sensors have been steady.
    """
    if reading.held_ns is None:
        return seat.wager
    return reading.covered and reading.held_ns >= debounce_ns


def no_more_bets(house: House, state: TableState, given: NoMoreBets) -> Iterator[e.Event]:
    """The lock: which wagers are the round's, and which chips are late."""
    if state.phase is not Phase.OPEN:
        return
    accepted: list[int] = []
    late: list[e.LateWager] = []
    for reading in given.readings:
        seat, sensor = state.seat(reading.seat), state.sensor(reading.seat)
        if sensor.dead:
            accepted += [reading.seat] if seat.wager else []
        elif sensor.before_lock or sensor.ignored or not (seat.wager or recognizes(state)):
            continue
        elif seat.wager and stands(reading, seat, house.debounce_ns):
            accepted.append(reading.seat)
        elif reading.covered or seat.wager:
            ms = None if reading.held_ns is None else _away_from_zero(-reading.held_ns)
            late.append(e.LateWager(reading.seat, ms, was_lit=seat.wager, covered=False, chips=sensor.chips))
    evidence = tuple((r.seat, r.covered, -1 if r.held_ns is None else r.held_ns // 1_000_000) for r in given.readings)
    closed = (
        e.BetsClosed(given.at_ns, given.source, tuple(accepted), evidence, given.told_ns),
        *late,
        *five_card.locked(house, state, given),
    )
    after = reduce(ahead, closed, state)
    yield from closed
    nothing = not recognizes(state) or _nothing_lies_there(after, given)
    if not (accepted or late or without_ante(house, after)) and nothing:
        yield from _agree(house, after)


def _nothing_lies_there(state: TableState, given: NoMoreBets) -> bool:
    """Nothing to count: no lamp is lit, a button's neither, no sensor is covered, and none is dead and would see nothing."""
    covered = any(reading.covered for reading in given.readings)
    lit = any(seat.wager or seat.five_card for seat in state.round.seats)
    return not (covered or lit) and not any(sensor.covered or sensor.dead for sensor in state.felt.sensors)


def without_ante(house: House, state: TableState) -> tuple[int, ...]:
    """Seats with a wager that may only follow an Ante, where none was entered (653a.7(d)(3), (4)). Level 0 knows none."""
    wagered = ((number, seat) for number, seat in state.numbered() if seat.wager or seat.five_card)
    return tuple(number for number, seat in wagered if house.level and not seat.position.plays)


REOPENINGS = tuple(Reopening)
"""Reasons that a floorperson gives."""


def reopen(table: Table, press: Press) -> Iterator[e.Event]:
    """The lock was a mistake; the switch has to agree. From the agreed count on a floorperson says why: "too-early"."""
    house, state = table
    if why_not := _stay_closed(house, state):
        yield press.refused(why_not)
    elif not state.was_counted:
        yield from _reopened(house, state)
    elif not press.rest:
        yield e.PanelTurned(Panel(PanelKind.REOPEN))
    elif press.rest not in REOPENINGS:
        yield press.refused(say("correct.choose-reason"))
    else:
        opened = _reopened(house, state, press.rest, press.by)
        yield from signed(house, press, Act.BETS, house.procedure.cite("after no more bets"), opened)


def _stay_closed(house: House, state: TableState) -> Message:
    """Why bets stay closed; nothing where they may be opened again. No card may be out (653a.7(c))."""
    if state.was_dealt or (state.was_counted and not state.program.level):  # there nobody says when cards are out
        return say("lock.cards-out")
    if state.was_counted and drawn(state):  # another draw would be after people have seen this one
        return say("lock.drawn")
    if state.felt.switch_locked and heeds_switch(state):
        return say("switch.turn-first")
    return next((obstacle.both for obstacle in obstacles(house, state)), NOTHING)


def drawn(state: TableState) -> bool:
    """The Magic Card or the Lucky Bonus of this round is drawn."""
    return bool(state.round.magic_card) or state.round.lucky is not None


def _reopened(house: House, state: TableState, reason: str = "", by: str = "") -> Iterator[e.Event]:
    if state.round.sent_wagers:  # they go back, and the next count that agrees tells the bank those that stand then
        reversal = Reversal(state.round.number, house.procedure.cite("after no more bets"))
        yield from live.told(house, state, reversal, taken_back(state))
    yield e.BetsReopened(reason, by=by)
    for number, seat in state.numbered():
        sensor = state.sensor(number)
        if sensor.dead:
            continue
        if seat.wager and not sensor.covered:
            yield e.WagerTakenBack(number, since_ns=0)
        elif sensor.covered and seat.late and not seat.wager:
            yield _covering(house, state, number, since_ns=0, chips=sensor.chips)


def mark_sensor(table: Table, press: Press) -> Iterator[e.Event]:
    """Mark a sensor as dead, or as working: then the chip that lies on it is acknowledged like any other."""
    (house, state), number = table, press.number
    dead = state.sensor(number).dead
    if state.phase is Phase.OPEN and state.seat(number).wager:
        yield press.refused(say("sensor.has-wager", seat=number))
        return
    yield e.SensorMarked(number, not dead)
    sensor = state.sensor(number)
    if dead and state.phase is Phase.OPEN and sensor.covered and not sensor.before_lock:
        yield _covering(house, state, number, since_ns=0, chips=sensor.chips)


def bet_by_hand(table: Table, press: Press) -> Iterator[e.Event]:
    """While bets are open a tap on a seat whose sensor is dead enters its wager."""
    (house, state), number = table, press.number
    wager, off = state.seat(number).wager, why_off(state)
    if not state.sensor(number).dead:
        yield press.refused(say("sensor.works", seat=number))
    elif off and not wager:
        yield press.refused(off)
    else:
        yield e.WagerMarked(number, 0 if wager else house.progressive.wager)


# The count --------------------------------------------------------------------------------------------------------

SETTLEMENTS: Mapping[str, tuple[DifferenceOutcome, Message]] = {
    "taken-back": (DifferenceOutcome.NO_CHIP, say("difference.taken-back")),
    "no-chip": (DifferenceOutcome.NO_CHIP, say("difference.no-chip")),
    "returned": (DifferenceOutcome.RETURNED, say("difference.returned")),
    "second-chip": (DifferenceOutcome.RETURNED, say("difference.second-chip")),
    "by-hand": (DifferenceOutcome.BY_HAND, say("difference.by-hand")),
    "no-ante": (DifferenceOutcome.NO_ANTE, say("difference.no-ante")),
}
"""What a dealer may say of one seat of a difference: key -> (outcome, reason)."""


def settlements(state: TableState, number: int) -> tuple[str, ...]:
    """The keys of `SETTLEMENTS` that make sense for this seat; where no chip lies, none goes back."""
    offered = _settlements(state, number)
    return tuple(one for one in offered if state.round.chips or SETTLEMENTS[one][0] is not DifferenceOutcome.RETURNED)


def _settlements(state: TableState, number: int) -> tuple[str, ...]:
    seat, differ = state.seat(number), state.round.chips != len(state.wagers)
    if seat.wager:
        there = ("taken-back", "no-chip", "second-chip") if differ else ()
        return there if seat.position.plays else (*there, "no-ante")
    if seat.five_card and not seat.position.plays and state.program.level:
        return ("no-ante",)
    if not differ:
        return ()
    return ("returned", "by-hand") if state.sensor(number).dead else ("returned",)


def ante_lies(table: Table, press: Press) -> Iterator[e.Event]:
    """In a difference: the Ante lies there, and was not entered. It is taken for the table minimum."""
    house, state = table
    if press.number not in without_ante(house, state):
        yield press.refused(say("difference.tap-first"))
        return
    placed = e.StakesPlaced(press.number, deciding.default_stakes(house))
    yield placed
    yield from _agree_if_settled(house, ahead(state, placed))


def count(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer counted the chips in front of the rack (653a.8(b))."""
    house, state = table
    entered = e.CountEntered(press.number, len(state.wagers))
    yield entered
    yield from _agree_if_settled(house, ahead(state, entered))


def recount(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer counts again."""
    yield e.CountEntered(None, len(table.state.wagers))


def question(table: Table, press: Press) -> Iterator[e.Event]:
    """The seat where count and lamps differ; tapped again, none."""
    yield e.SeatChosen(0 if table.state.round.question == press.number else press.number)


def settle_difference(table: Table, press: Press) -> Iterator[e.Event]:
    """One seat of the difference is explained; when chips and lamps agree, the round goes on."""
    house, state = table
    number = state.round.question
    if not number or press.rest not in settlements(state, number):
        yield press.refused(say("difference.tap-first"))
        return
    outcome, reason = SETTLEMENTS[press.rest]
    by_hand = outcome is DifferenceOutcome.BY_HAND
    if by_hand and not house.may_sign(press.by, Act.WAGER):
        yield press.refused(say("people.floor-first"), Act.WAGER)
        return
    if outcome is DifferenceOutcome.NO_ANTE and (state.round.chips < len(state.wagers) or not state.seat(number).wager):
        outcome = DifferenceOutcome.NO_CHIP  # it was returned before the count, or none lay there
    amount, by = (house.progressive.wager, press.by) if by_hand else (0, "")
    settled: list[e.Event] = [e.DifferenceSettled(number, outcome, reason, amount, by=by)]
    if press.rest == "no-ante":  # nor may this one lie there without it (653a.7(d)(4))
        settled += five_card.returned(house, state, number, StakeBack.NO_ANTE)
    yield from settled
    yield from _agree_if_settled(house, reduce(ahead, settled, state))


def _agree_if_settled(house: House, state: TableState) -> Iterator[e.Event]:
    if len(state.wagers) == state.round.chips and not without_ante(house, state):
        yield from _agree(house, state)


def _agree(house: House, state: TableState) -> Iterator[e.Event]:
    """The chips go into the rack, and the round's wagers to the bank, as one message (653a.12(d)(3))."""
    yield e.CountAgreed(state.wagers)
    if made := tuple(_made(house, state, wager) for wager in house.submission.offers if state.made(wager)):
        message = Wagers(state.round.number, made)
        yield from live.told(house, state, message, _fed(house, message))


def _made(house: House, state: TableState, wager: str) -> MadeWager:
    offer, seats = house.submission.offers[wager], state.made(wager)
    amounts = tuple(Cents(state.seat(number).staked(wager)) for number in seats)
    return MadeWager(wager, seats, amounts, offer.wager, offer.paytable)


def _fed(house: House, message: Wagers) -> Amounts:
    """By meter: what these wagers put on it (653a.12(d)(3), (e)(4))."""
    each = ((len(made.seats), meter) for made in message.made for meter in fed_by(made.name, house.submission))
    return added((), ((meter.name, meter.contribution * seats) for seats, meter in each))
