"""What follows from one state is found once, and never of another one; what follows from what was said, once of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import pytest

from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.seat import DEALER
from firmware.rules.strict import Refusal
from firmware.table import events as e
from firmware.table import pricing, results, said
from firmware.table.house import House
from firmware.table.inputs import Input
from firmware.table.kept import KNOWN_MAX, STATES_MAX, kept, kept_by
from firmware.table.named import hands_held
from firmware.table.state import Phase, Round, TableState
from firmware.wire.structs import replace
from tests.sample import some
from tests.table.table import house_of

HOUSE = house_of()
ASKED: list[tuple[int, TableState]] = []


@kept
def taps_and(house: House, state: TableState, number: int) -> int:
    """Something that follows from a state and a number."""
    ASKED.append((number, state))
    return state.taps + number


def test_one_state_is_asked_once_for_each_seat() -> None:
    ASKED.clear()
    state = TableState(taps=10)
    assert [taps_and(HOUSE, state, number) for number in (1, 2, 1, 2)] == [11, 12, 11, 12]
    assert [number for number, _ in ASKED] == [1, 2]


def test_another_state_or_house_is_asked_for_itself() -> None:
    ASKED.clear()
    state = TableState(taps=20)
    assert taps_and(HOUSE, state, 1) == 21
    assert taps_and(HOUSE, replace(state, taps=30), 1) == 31
    assert taps_and(replace(HOUSE, level=HOUSE.level), state, 1) == 21
    assert len(ASKED) == 3


def test_only_the_last_states_are_kept() -> None:
    ASKED.clear()
    states = [TableState(taps=taps) for taps in range(STATES_MAX + 1)]
    for state in (*states, states[-1], states[0]):
        assert taps_and(HOUSE, state, 0) == state.taps
    assert len(ASKED) == STATES_MAX + 2, "the first one is asked again, the last one is not"


# What states have in common -------------------------------------------------------------------------------------------


def the_round(state: TableState) -> int:
    """All that `rounds_and` reads of a state."""
    return state.round.number


@kept_by(the_round)
def rounds_and(house: House, state: TableState, number: int) -> int:
    """Something that follows from the number of a round, and a number."""
    ASKED.append((number, state))
    return state.round.number + number


def test_states_with_the_same_in_common_are_asked_once() -> None:
    ASKED.clear()
    states = [TableState(taps=taps, round=Round(number=taps // 10)) for taps in range(30)]
    assert [rounds_and(HOUSE, state, 1) for state in states] == [1 + taps // 10 for taps in range(30)]
    assert len(ASKED) == 3
    assert rounds_and(replace(HOUSE, level=HOUSE.level), states[0], 1) == 1
    assert len(ASKED) == 4, "of another house it is asked again"


def test_only_so_much_in_common_is_kept() -> None:
    ASKED.clear()
    states = [TableState(round=Round(number=1000 + number)) for number in range(2 * KNOWN_MAX)]
    for state in (*states, states[0]):
        assert rounds_and(HOUSE, state, 0) == state.round.number
    assert len(ASKED) == 2 * KNOWN_MAX + 1, "the first one is asked again"


# What the law reads ---------------------------------------------------------------------------------------------------

READ: set[str] = set()
"""Fields that were read: "Position.called"."""

SAID = {
    *(f"Position.{name}" for name in ("stakes", "decisions", "left", "drawn", "super_row", "first", "cards", "called")),
    *(f"Round.{name}" for name in ("seats", "qualifies", "dealer_hand", "dealer_row", "void_cite", "settled_anyway")),
    *(f"Round.{name}" for name in ("board", "dealer", "six_card")),
    *("TableState.program", "TableState.round", "Seat.position"),
}
"""What `firmware.table.said` tells states apart by; of the program it is the level."""
LOOKED_AHEAD = {"TableState.phase", "TableState.desk"}
"""What writing an answer down for a look ahead reads beside: which panel and notice are left there, and no answer."""
OF_A_SEAT = (
    pricing._open_answers,
    pricing.cards_left,
    pricing.denied_by_cards,
    pricing.may_be_beaten_well,
    pricing.told,
    pricing.hands_left,
    pricing._paid_alone,
)
OF_ALL = (pricing._results, pricing.dealers_hands_left)
Kind = TypeVar("Kind")


def watched(record: Kind, **changes: object) -> Kind:
    """The same record, which notes every field that is read of it."""
    kind: Any = type(record)
    fields = kind.__struct_fields__

    def read(self: object, name: str) -> Any:
        if name in fields:
            READ.add(f"{kind.__name__}.{name}")
        return object.__getattribute__(self, name)

    watching: Any = type(kind)(kind.__name__, (kind,), {"__getattribute__": read})
    made: Kind = watching(**{name: getattr(record, name) for name in fields} | changes)
    return made


def watched_state(state: TableState) -> TableState:
    """A table of which it is noted what is read of its round, seats and positions."""
    seats = tuple(watched(seat, position=watched(seat.position)) for seat in state.round.seats)
    return watched(state, round=watched(state.round, seats=seats))


class Asking(Shift):
    """A shift, at every step of whose settlements the law is asked all that is kept by what was said."""

    def take(self, given: Input) -> tuple[e.Event, ...]:
        """One input, and the questions."""
        events = super().take(given)
        if self.state.phase is Phase.SETTLE:
            state = watched_state(self.state)
            for number in self.state.players:
                for of_a_seat in OF_A_SEAT:
                    asked_of_the_law(of_a_seat, self.house, state, number)
                before = set(READ)
                for is_out in (False, True):
                    asked_of_the_law(results._told, self.house, state, number, True, is_out)
                READ.difference_update(LOOKED_AHEAD - before)
            for of_all in OF_ALL:
                asked_of_the_law(of_all, self.house, state)
        return events


def asked_of_the_law(find: Callable[..., object], *given: object) -> None:
    """As it stands, with nothing kept of it; what it refuses is no answer."""
    with suppress(Refusal):
        find.__wrapped__(*given)  # type: ignore[attr-defined]


@pytest.mark.parametrize("book", some(["pa-653a", "pa-671a", "pa-677a"], keep=["pa-653a"]))
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.slow
def test_what_is_kept_by_what_was_said_reads_nothing_else(
    book: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of prizes, credits and envy nothing but what `named.hands_held` says of them is read."""

    def of_the_dealer(state: TableState) -> Mapping[int, tuple[int, str]]:
        before, held = set(READ), hands_held(state)
        READ.intersection_update(before)
        return {DEALER: held[DEALER]} if DEALER in held else {}

    for module in (pricing, said):
        monkeypatch.setattr(module, "hands_held", of_the_dealer)
    READ.clear()
    Asking(book, 70001, level=level, checks=False).play(20)
    assert READ & {"Position.called", "Position.stakes"}
    assert not READ - SAID, f"`firmware.table.said` does not say {READ - SAID}"
