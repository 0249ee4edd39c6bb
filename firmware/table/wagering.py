"""Wagers, the lockout, and the count: sections .2(c), .7(d)(3) and .8(b) of the books.

The definition of a wager at the lock is `stands`: the sensor's raw level was "covered" and had held for the debounce time
up to the lock's time stamp. All that is unsettled or later is journaled with its signed milliseconds and shown as late.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from firmware.rules.money import dollars
from firmware.table import deciding, five_card, opening
from firmware.table import events as e
from firmware.table.evolve import evolve
from firmware.table.inputs import NoMoreBets, SeatReading, SensorSettled, SwitchSettled
from firmware.table.interlock import obstacles
from firmware.table.outbox import owe
from firmware.table.records import replace
from firmware.table.state import House, Phase, Seat, TableState, recognises, why_off


def open_bets(house: House, state: TableState) -> Iterator[e.Event]:
    """Open the next round as soon as nothing is unsettled and nothing stands in the way; or have the cards shuffled."""
    if state.phase is not Phase.CLOSED or obstacles(house, state):
        return
    if wanted := tuple(opening.cards_wanted(house, state)):
        yield from wanted
        return
    yield e.BetsOpened(state.round + 1, tuple(n for n, seat in state.numbered() if seat.covered and seat.before_lock))
    for number, seat in state.numbered():
        if seat.covered and not seat.before_lock and not seat.dead:
            yield _covering(state, number, since_ns=0)


def _covering(state: TableState, number: int, since_ns: int) -> e.Event:
    if recognises(state):
        return e.WagerPlaced(number, since_ns)
    return e.ChipNotRecognised(number, why_off(state))


def sensor_settled(state: TableState, given: SensorSettled) -> Iterator[e.Event]:
    """A chip came or went. A fact: it is written down in every phase."""
    seat = state.seat(given.seat)
    if given.covered == seat.covered:
        return
    if not given.covered:
        takes_back = state.phase is Phase.OPEN and seat.wager and not seat.dead
        yield e.WagerTakenBack(given.seat, given.since_ns) if takes_back else e.ChipLifted(given.seat)
    elif state.phase is Phase.CLOSED or seat.dead:
        yield e.ChipSeen(given.seat, before_lock=False)
    elif state.phase is Phase.OPEN:
        yield _covering(state, given.seat, given.since_ns)
    elif seat.late:
        same_clock = state.boot == state.lock_boot
        yield e.ChipSeen(given.seat, before_lock=same_clock and given.since_ns < state.lock_at_ns)
    else:
        yield e.LateWager(given.seat, _ms_after_lock(state, given.since_ns), was_lit=seat.wager, covered=True)


def _ms_after_lock(state: TableState, at_ns: int) -> int | None:
    """Signed milliseconds after the lock, rounded away from it; None where the lock was on another boot's clock."""
    if state.boot != state.lock_boot:
        return None
    return _away_from_zero(at_ns - state.lock_at_ns)


def _away_from_zero(ns: int) -> int:
    """Signed milliseconds: a nanosecond before the lock is a millisecond before it."""
    return -(-ns // 1_000_000) if ns > 0 else ns // 1_000_000


def switch_settled(state: TableState, given: SwitchSettled) -> Iterator[e.Event]:
    """The switch's level; locking while bets are open comes as `NoMoreBets` as well, with its time stamp."""
    if given.locked != state.switch_locked:
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
        seat = state.seat(reading.seat)
        if seat.dead:
            accepted += [reading.seat] if seat.wager else []
        elif seat.before_lock or seat.ignored or not (seat.wager or recognises(state)):
            continue
        elif seat.wager and stands(reading, seat, house.debounce_ns):
            accepted.append(reading.seat)
        elif reading.covered or seat.wager:
            ms = None if reading.held_ns is None else _away_from_zero(-reading.held_ns)
            late.append(e.LateWager(reading.seat, ms, was_lit=seat.wager, covered=False))
    evidence = tuple((r.seat, r.covered, -1 if r.held_ns is None else r.held_ns // 1_000_000) for r in given.readings)
    closed = (
        e.BetsClosed(given.at_ns, given.source, tuple(accepted), evidence),
        *late,
        *five_card.locked(house, state, given),
    )
    after = reduce(evolve, closed, state)
    yield from closed
    yield from _lit_seats_play(house, after)
    if not accepted and not late and not recognises(state):
        yield from _agree(house, after)  # progressive bets were off, none is on the felt: there is nothing to count


def _lit_seats_play(house: House, state: TableState) -> Iterator[e.Event]:
    """Who made the progressive or the Five Card Hand wager made the ante before it (653a.7(d)(3), (4))."""
    for number, seat in state.numbered():
        if house.level and (seat.wager or seat.five_card) and not seat.box.plays:
            yield e.BoxPlaced(number, deciding.default_stakes(house))


def reopen(house: House, state: TableState, word: str) -> Iterator[e.Event]:
    """The lock was a mistake; nothing was counted yet. The switch has to agree, and nothing else may stand in the way."""
    if state.switch_locked and state.progressive:
        yield e.PressRefused(word, "Turn the lockout switch to open first.")
        return
    if state.phase is Phase.DEAL and state.sent_wagers:
        yield e.PressRefused(word, "The wagers are with the bank.")
        return
    if state.phase is Phase.DEAL and (state.game.was_dealt or not state.level):
        yield e.PressRefused(word, "Cards may be out: bets stay closed until the round is cleared.")
        return
    for obstacle in obstacles(house, state):
        yield e.PressRefused(word, f"{obstacle.what}. {obstacle.remedy}")
        return
    yield e.BetsReopened()
    for number, seat in state.numbered():
        if seat.dead:
            continue
        if seat.wager and not seat.covered:
            yield e.WagerTakenBack(number, since_ns=0)
        elif seat.covered and seat.late and not seat.wager:
            yield _covering(state, number, since_ns=0)


def sensor_works(state: TableState, number: int) -> Iterator[e.Event]:
    """A sensor marked as dead works again: the chip that lies on it is acknowledged like any other."""
    seat = state.seat(number)
    if state.phase is Phase.OPEN and seat.covered and not seat.before_lock:
        yield _covering(state, number, since_ns=0)


# The count --------------------------------------------------------------------------------------------------------

SETTLEMENTS = {
    "taken-back": ("no chip", "the player took it back"),
    "no-chip": ("no chip", "no chip was there: sensor error"),
    "returned": ("returned", "chip without a lamp, returned"),
    "second-chip": ("returned", "second chip on one sensor, returned"),
    "by-hand": ("by hand", "the sensor is dead"),
}
"""What a dealer may say of one seat of a difference: key -> (outcome, reason)."""


def settlements(seat: Seat) -> tuple[str, ...]:
    """The keys of `SETTLEMENTS` that make sense for this seat."""
    if seat.wager:
        return ("taken-back", "no-chip", "second-chip")
    return ("returned", "by-hand") if seat.dead else ("returned",)


def count(house: House, state: TableState, chips: int) -> Iterator[e.Event]:
    """The dealer counted the chips in front of the rack (653a.8(b))."""
    yield e.CountEntered(chips, len(state.wagers))
    if chips == len(state.wagers):
        yield from _agree(house, state)


def settle_difference(house: House, state: TableState, key: str, word: str) -> Iterator[e.Event]:
    """One seat of the difference is explained; when chips and lamps agree, the round goes on."""
    seat = state.seat(state.question) if state.question else None
    if seat is None or key not in settlements(seat):
        yield e.PressRefused(word, "Tap the seat that differs first.")
        return
    outcome, reason = SETTLEMENTS[key]
    if outcome == "returned" and state.chips == 0:
        yield e.PressRefused(word, "No chip is left to return: take the count back with UNDO.")
        return
    settled = e.DifferenceSettled(state.question, outcome, reason)
    yield settled
    wager = outcome == "by hand" or (outcome == "returned" and seat.wager)
    after = state.with_seat(state.question, replace(seat, wager=wager))
    if seat.box.by_lamp and not wager and not seat.five_card:  # nothing says any more that somebody plays there
        yield e.BoxPlaced(state.question, ())
    elif house.level and wager and not seat.box.plays:
        yield e.BoxPlaced(state.question, deciding.default_stakes(house))
    if len(after.wagers) == state.chips - (outcome == "returned"):
        yield from _agree(house, after)


def _agree(house: House, state: TableState) -> Iterator[e.Event]:
    """The chips go into the rack, and the round's wagers to the bank, as one message (653a.12(d)(3))."""
    yield e.CountAgreed(state.wagers)
    bonus = five_card.wagers_body(house, state)
    if state.wagers or bonus:
        wager, paytable = dollars(house.progressive.wager), house.progressive.paytable
        body = {"round": state.round, "seats": list(state.wagers), "wager": wager, "paytable": paytable, **bonus}
        yield owe(state, "wagers", body)
