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
from firmware.table.inputs import NoMoreBets, SensorSettled, SpotReading, SwitchSettled
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
    sensors = tuple(state.spots())
    stuck = tuple(spot for spot, *_, sensor in sensors if sensor.covered and sensor.before_lock)
    yield e.BetsOpened(state.round.number + 1, stuck)
    for *_, number, wager, sensor in sensors:
        if sensor.covered and not sensor.before_lock and not sensor.dead:
            yield _covering(house, state, number, wager, sensor.chips)


def _covering(
    house: House, state: TableState, number: int, wager: str, chips: tuple[int, ...], since_ns: int = 0
) -> e.Event:
    if not recognizes(state):
        return e.ChipSeen(number, wager, False, why_off(state), chips)
    amount = house.submission.offers[wager].wagered(chips)
    if amount is None:
        return e.ChipSeen(number, wager, False, not_the_wager(house, number, wager, chips), chips)
    return e.WagerPlaced(number, wager, since_ns, amount, chips)


def sensor_settled(house: House, state: TableState, given: SensorSettled) -> Iterator[e.Event]:
    """A chip came or went, or other chips lie there. A fact: it is written down in every phase."""
    number, wager = state.at(given.spot)
    sensor, amount = state.sensor(number, wager), state.seat(number).staked(wager)
    if given.covered == sensor.covered and _may_be(given.chips, sensor.chips):
        return
    takes_back = state.phase is Phase.OPEN and amount and not sensor.dead
    if takes_back:
        yield e.WagerReturned(number, wager, given.since_ns, amount, StakeBack.TAKEN_BACK)
    elif not given.covered:
        yield e.ChipLifted(number, wager)
    if given.covered:
        yield _covered(house, state, given)


def _covered(house: House, state: TableState, given: SensorSettled) -> e.Event:
    number, wager = state.at(given.spot)
    seat, sensor = state.seat(number), state.sensor(number, wager)
    if state.phase is Phase.OPEN and not (sensor.dead or sensor.before_lock):
        return _covering(house, state, number, wager, given.chips, given.since_ns)
    was_locked = state.phase in UNFINISHED  # else no bets were closed that it could be late for
    if sensor.dead or not was_locked or (sensor.covered and not _has_more(given.chips, sensor.chips)):
        return e.ChipSeen(number, wager, sensor.before_lock, NOTHING, given.chips)
    if wager in dict(seat.late):
        same_clock = state.program.boot == state.round.lock.boot
        before_lock = same_clock and given.since_ns < state.round.lock.at_ns
        return e.ChipSeen(number, wager, before_lock, NOTHING, given.chips)
    ms = _ms_after_lock(state, given.since_ns)
    return e.LateWager(number, wager, ms, was_lit=bool(seat.staked(wager)), covered=True, chips=given.chips)


def _may_be(chips: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """These chips may be those of before: none came or went, and one that cannot be told now may be the one it was.

    So a reader that loses the worth of a chip which lies still darkens no lamp: only what is known to be another chip does.
    """
    return len(chips) == len(before) and not Counter(chip for chip in chips if chip) - Counter(before)


def _has_more(chips: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """A chip came to those of before, or for one of them."""
    others = Counter(chip for chip in chips if chip) - Counter(before)
    return len(chips) > len(before) or others.total() > before.count(0)


def not_the_wager(house: House, number: int, wager: str, chips: tuple[int, ...]) -> Message:
    """The chips at a seat, and the chips that are wanted there."""
    lies = tuple(say("chip.of", amount=chip) if chip else say("chip.unread") for chip in chips)
    wanted = reduce(_or, [say("chip.of", amount=amount) for amount in house.submission.offers[wager].amounts])
    return say("chip.not-the-wager", seat=number, lies=lies, wanted=wanted)


def _or(first: Message, rest: Message) -> Message:
    return say("list.or", first=first, rest=rest)


def wrong_chips(house: House, state: TableState) -> Iterator[Message]:
    """Seats at which bets are open and something else than the wager lies, as long as the wager is recognized."""
    if state.phase is not Phase.OPEN or not recognizes(state):
        return
    for _, number, wager, sensor in state.spots():
        known = house.submission.offers[wager].wagered(sensor.chips) is not None
        if sensor.ignored and not sensor.before_lock and not known:
            yield not_the_wager(house, number, wager, sensor.chips)


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


def stands(reading: SpotReading, lit: bool, debounce_ns: int) -> bool:
    """The definition: is there a wager at the lock?

    A sensor that was not watched long enough (the program has just started and finds the switch locked) is judged by
    what is on disk: a lit lamp was a promise, and no uncovering counts until the sensors have been steady.
    """
    if reading.held_ns is None:
        return lit
    return reading.covered and reading.held_ns >= debounce_ns


def no_more_bets(house: House, state: TableState, given: NoMoreBets) -> Iterator[e.Event]:
    """The lock: which wagers are the round's, and which chips are late."""
    if state.phase is not Phase.OPEN:
        return
    accepted: list[int] = []
    late: list[e.LateWager] = []
    for reading in given.readings:
        number, wager = state.at(reading.spot)
        sensor, lit = state.sensor(number, wager), bool(state.seat(number).staked(wager))
        if sensor.dead:
            accepted += [reading.spot] if lit else []
        elif sensor.before_lock or sensor.ignored or not (lit or recognizes(state)):
            continue
        elif lit and stands(reading, lit, house.debounce_ns):
            accepted.append(reading.spot)
        elif reading.covered or lit:
            ms = None if reading.held_ns is None else _away_from_zero(-reading.held_ns)
            late.append(e.LateWager(number, wager, ms, was_lit=lit, covered=False, chips=sensor.chips))
    evidence = tuple((r.spot, r.covered, -1 if r.held_ns is None else r.held_ns // 1_000_000) for r in given.readings)
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
    """Seats with a wager that may only follow an Ante, where none was entered (653a.7(d)(3), (4)). Level 0 knows none.

    Among the wagers of sensors only the one that is counted is looked at.
    """
    counted = state.round.counting
    wagered = ((number, seat) for number, seat in state.numbered() if seat.staked(counted) or seat.five_card)
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
    for _, number, wager, sensor in state.spots():
        seat = state.seat(number)
        amount, late = seat.staked(wager), wager in dict(seat.late)
        if sensor.dead:
            continue
        if amount and not sensor.covered:
            yield e.WagerReturned(number, wager, 0, amount, StakeBack.TAKEN_BACK)
        elif sensor.covered and late and not amount:
            yield _covering(house, state, number, wager, sensor.chips)


def mark_sensor(table: Table, press: Press) -> Iterator[e.Event]:
    """Mark a sensor as dead, or as working: then the chip that lies on it is acknowledged like any other."""
    house, state = table
    number, wager = state.at(press.number)
    sensor = state.sensor(number, wager)
    if state.phase is Phase.OPEN and state.seat(number).staked(wager):
        yield press.refused(say("sensor.has-wager", seat=number))
        return
    yield e.SensorMarked(number, wager, not sensor.dead)
    if sensor.dead and state.phase is Phase.OPEN and sensor.covered and not sensor.before_lock:
        yield _covering(house, state, number, wager, sensor.chips)


def bet_by_hand(table: Table, press: Press) -> Iterator[e.Event]:
    """While bets are open a tap on a seat whose sensor is dead enters its wager; of several it enters one after another,
    and takes them back when all are entered.
    """
    (house, state), number = table, press.number
    seat, off = state.seat(number), why_off(state)
    dead = tuple(wager for wager in state.program.sensed if state.sensor(number, wager).dead)
    missing = next((wager for wager in dead if not seat.staked(wager)), "")
    if not dead:
        yield press.refused(say("sensor.works", seat=number))
    elif off and missing:
        yield press.refused(off)
    elif missing:
        yield e.WagerMarked(number, missing, house.submission.offers[missing].wager)
    else:
        yield from (e.WagerMarked(number, wager, 0) for wager in dead)


# The count --------------------------------------------------------------------------------------------------------

SETTLEMENTS: Mapping[str, tuple[DifferenceOutcome, Message]] = {
    "taken-back": (DifferenceOutcome.NO_CHIP, say("difference.taken-back")),
    "no-chip": (DifferenceOutcome.NO_CHIP, say("difference.no-chip")),
    "returned": (DifferenceOutcome.RETURNED, say("difference.returned")),
    "second-chip": (DifferenceOutcome.RETURNED, say("difference.second-chip")),
    "by-hand": (DifferenceOutcome.BY_HAND, say("difference.by-hand")),
    "no-ante": (DifferenceOutcome.NO_ANTE, NOTHING),
}
"""The answers about one seat of a difference: key -> (outcome, reason); NOTHING: it names the game's first wager."""


def settlements(state: TableState, number: int) -> tuple[str, ...]:
    """The keys of `SETTLEMENTS` that lessen the difference at this seat, and that a wager without an Ante goes back."""
    counted = state.round.counting
    seat, more = state.seat(number), (state.round.chips or 0) - len(state.made(counted))
    staked, plays = seat.staked(counted), seat.position.plays
    no_ante = ("no-ante",) if not plays and (staked or (seat.five_card and state.program.level)) else ()
    if staked and more < 0:
        return ("taken-back", "no-chip", *no_ante)
    if staked and more > 0:
        return ("second-chip", *no_ante)
    if no_ante or more <= 0:
        return no_ante
    return ("returned", "by-hand") if state.sensor(number, counted).dead else ("returned",)


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
    counted = state.round.counting
    entered = e.CountEntered(counted, press.number, len(state.made(counted)))
    yield entered
    yield from _agree_if_settled(house, ahead(state, entered))


def recount(table: Table, press: Press) -> Iterator[e.Event]:
    """The dealer counts again."""
    yield _to_count(table.state, table.state.round.counting)


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
    reason = reason or say("difference.no-ante", base=house.game.called(house.game.base))
    by_hand = outcome is DifferenceOutcome.BY_HAND
    if by_hand and not house.may_sign(press.by, Act.WAGER):
        yield press.refused(say("people.floor-first"), Act.WAGER)
        return
    counted = state.round.counting
    lit = state.made(counted)
    if outcome is DifferenceOutcome.NO_ANTE and (state.round.chips < len(lit) or number not in lit):
        outcome = DifferenceOutcome.NO_CHIP  # it was returned before the count, or none lay there
    amount, by = (house.submission.offers[counted].wager, press.by) if by_hand else (0, "")
    settled: list[e.Event] = [e.DifferenceSettled(number, counted, outcome, reason, amount, by=by)]
    if press.rest == "no-ante":  # nor may this one lie there without it (653a.7(d)(4))
        settled += five_card.returned(house, state, number, StakeBack.NO_ANTE)
    yield from settled
    yield from _agree_if_settled(house, reduce(ahead, settled, state))


def _agree_if_settled(house: House, state: TableState) -> Iterator[e.Event]:
    """One wager of a sensor is counted after the other."""
    counted, sensed = state.round.counting, state.program.sensed
    if len(state.made(counted)) != state.round.chips or without_ante(house, state):
        return
    if counted == sensed[-1]:
        yield from _agree(house, state)
    else:
        yield _to_count(state, sensed[sensed.index(counted) + 1])


def _to_count(state: TableState, wager: str) -> e.CountEntered:
    return e.CountEntered(wager, None, len(state.made(wager)))


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
