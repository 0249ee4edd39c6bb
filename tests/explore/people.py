"""The people of the explored casino: whole acts at one table's screen, each a row of presses that the law takes or refuses.

Nobody presses UNDO here, and nobody stops in the middle of an act: what a single press does is the walks' business
(`tests/table/test_never.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from random import Random
from typing import NamedTuple

from firmware.rules.message import NOTHING
from firmware.table import decide as law
from firmware.table import events as e
from firmware.table import evolve as bookkeeping
from firmware.table.house import House
from firmware.table.inputs import (
    Input,
    LinkSeen,
    NoMoreBets,
    Pressed,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    SpotReading,
    Started,
)
from firmware.table.state import Phase, TableState
from tests.table.table import DIAZ, NOON, OKAFOR, Table, cards_of, house_of

SEAT = 1
PRIZE, LATE, DIFFERENCE, DAY, ACCOUNT = "prize", "late", "difference", "day", "account"
"""Acts that make messages which move no meter: a fixed prize, also taken back; a late chip; a count that differs; a day;
money into a wagering account, and out of it."""
FIXED = "flush"
FIRST_DAY = 11
"""Of January 2027: the first day that is closed."""
ROYAL, STRAIGHT_FLUSH = "royal flush", "straight flush"
MS = 1_000_000
READY = ShufflerSeen(True, "S-1", "ready", 52, "blue", "", 0)
SHUFFLES = ShufflerSeen(True, "S-1", "shuffling", None, "blue", "", 0)
NEIGHBORS = (LinkSeen(True, NOTHING), SensorsSeen(True, NOTHING), READY)
"""What a table hears first after its program has started: everything is there."""


class Done(NamedTuple):
    """What inputs have led to: the table, and every event in order."""

    state: TableState
    events: tuple[e.Event, ...]


def opened(name: str, journal: str, *, accounts: bool) -> tuple[House, Done]:
    """A table with one seat and open bets, walked there once by its keys; its events, told under this name.

    `accounts`: it offers the Five Card Hand, whose wagers come from a wagering account.
    """
    walked = Table(seats=1, house=house_of(five_card=accounts)).opens()
    first, *rest = walked.recorded
    assert isinstance(first, e.TableOpened)
    events = (e.TableOpened(name, journal, first.seats), *rest)
    return walked.house, Done(reduce(bookkeeping.evolve, events, TableState()), events)


def hear(house: House, state: TableState, *inputs: Input) -> Done:
    """One input after the other."""
    happened: list[e.Event] = []
    for given in inputs:
        turn = law.decide(house, state, given)
        happened += turn.events
        state = turn.state
    return Done(state, tuple(happened))


def started() -> tuple[Input, ...]:
    """The program starts again on its journal, the machine did not; it finds every neighbor there."""
    return (Started("boot-1", "program", "submission"), *NEIGHBORS)


def acts(
    house: House, state: TableState, hands: tuple[str, ...], reports: tuple[str, ...] = (), chance: Random | None = None
) -> Iterator[tuple[str, Done]]:
    """Every whole act that the law lets these people do now, in words. Wins are of `hands`; `reports`: see `PRIZE`.

    They are tried one by one, in an order by `chance`, where that is given.
    """
    every = {
        **_acts(state, hands),
        **{words: inputs for what in reports for words, inputs in _reports(state)[what].items()},
    }
    order = list(every.items())
    if chance is not None:
        chance.shuffle(order)
    for words, inputs in order:
        done = Done(state, ())
        for given in inputs:
            step = hear(house, done.state, given)
            done = Done(step.state, (*done.events, *step.events))
            if any(isinstance(one, e.PressRefused) for one in step.events):
                break
        else:
            if _is_told(done.events):
                yield words, done


def _is_told(events: tuple[e.Event, ...]) -> bool:
    """The act came to its end: the bank is owed a message about it, or a floorperson signed."""
    return any(isinstance(one, e.MessageOwed | e.PriceAccepted) for one in events)


def _acts(state: TableState, hands: tuple[str, ...]) -> Mapping[str, tuple[Input, ...]]:
    if state.phase is Phase.HOLD:
        prize = state.seat(SEAT).prize
        second = DIAZ if prize and OKAFOR in prize.by else OKAFOR
        return {
            "pays the claim": _presses("claim-paid", by=second),
            "finds that the claim is no winner": _presses("claim-rejected", by=second),
            "signs for the bank's other amount": _presses("accept-price", by=OKAFOR),
        }
    return {
        "has a round's wager counted": _bets(state),
        "has the round declared void": (*_presses("problem", "problem wrong-number"), *_presses("apply", by=DIAZ)),
        **{f"claims a {hand}": _claims(hand) for hand in hands},
    }


def _reports(state: TableState) -> Mapping[str, Mapping[str, tuple[Input, ...]]]:
    """Acts of which the bank is told, and which move no meter; a late chip and a difference with the lock after them."""
    today = f"2027-01-{FIRST_DAY + state.days.closed:02}"
    again = (SHUFFLES, READY, *_presses("clear"))
    uncounted = (*_lights(), *_presses("count 0", f"seat {SEAT}", "settle no-chip"), *_lifts())
    return {
        PRIZE: {
            f"pays the fixed prize of a {FIXED}": (
                *_presses(f"seat {SEAT}", f"hand {FIXED}"),
                *_presses("approve", by=DIAZ),
                *_presses("paid"),
            ),
            "has the prize taken back": (
                *_presses("problem", "problem correct", f"correct {SEAT}"),
                *_presses(f"correct {SEAT} wrong-result", by=OKAFOR),
            ),
        },
        LATE: {
            "has a chip come too late, and the next round's wager counted": (
                *_cleared(state),
                NoMoreBets(2_000 * MS, "screen", (SpotReading(SEAT, False, 1_000 * MS),)),
                SensorSettled(SEAT, True, 2_500 * MS),
                *_lifts(),
                *again,
                *_counts(),
            )
        },
        DIFFERENCE: {
            "has a lamp counted as no chip, and the next round's wager counted": (
                *_cleared(state),
                *uncounted,
                *again,
                *_counts(),
            )
        },
        DAY: {
            "closes the gaming day": (
                *_cleared(state),
                *_presses("problem table", "problem close-day"),
                Pressed("apply", DIAZ, NOON, today),
            )
        },
        ACCOUNT: {
            "has chips put into the account": _presses(f"account {SEAT}", "chips 500", "back"),
            "cashes the account out": _presses(f"account {SEAT}", "cash-out", "back"),
        },
    }


def _presses(*words: str, by: str = "") -> tuple[Input, ...]:
    return tuple(Pressed(word, by, NOON) for word in words)


def _bets(state: TableState) -> tuple[Input, ...]:
    """A chip on the sensor, the lock, the count; before that the round that is over is cleared, and the cards shuffled."""
    return (*_cleared(state), *_counts())


def _cleared(state: TableState) -> tuple[Input, ...]:
    return () if state.phase is Phase.OPEN else (SHUFFLES, READY, *_presses("clear"))


def _lights() -> tuple[Input, ...]:
    """A chip on the sensor, and the lock."""
    since = 1_000 * MS
    return (SensorSettled(SEAT, True, since), NoMoreBets(2_000 * MS, "screen", (SpotReading(SEAT, True, since),)))


def _lifts() -> tuple[Input, ...]:
    return (SensorSettled(SEAT, False, 3_000 * MS),)


def _counts() -> tuple[Input, ...]:
    return (*_lights(), *_presses("count 1"), *_lifts())


def _claims(hand: str) -> tuple[Input, ...]:
    cards = [word for card in cards_of(hand) for word in (f"rank {card[0]}", f"suit {card[1]}")]
    return (*_presses(f"seat {SEAT}", f"hand {hand}", *cards, "show"), *_presses("approve", by=DIAZ))
