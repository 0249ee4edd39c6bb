"""UNDO in whole shifts, judged by a twin: a table that got the same facts and never the tap.

`judge` plays one shift. After every accepted press the table is forked; facts arrive at the fork and at its twin; then
UNDO is pressed as long as it is lit. Both must then be equal but for what is never forgotten (history), the trail
itself and the last notice. Where UNDO is dark, the table of finals has to say why.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from firmware.rules.message import NOTHING, as_is, say
from firmware.simulation.hands import DECK
from firmware.simulation.shifts.law import Wrong
from firmware.simulation.shifts.shift import Shift
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.evolve import evolve
from firmware.table.finals import row_of
from firmware.table.house import House
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
    Chance,
    ClaimAnswer,
    Complaints,
    Input,
    LinkSeen,
    NoMoreBets,
    PinRefused,
    Pressed,
    SeatReading,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    Started,
    SwitchSettled,
    Ticked,
)
from firmware.table.state import History, TableState, Trail

TROUBLE = 3.0
"""How much more goes wrong in these shifts than in life."""
FACTS_MOST, PRESSES_MOST = 4, 5
"""Facts after a press, and presses that are undone in a row."""
FORKED_ON = 0.1
"""Share of the presses after which a fork goes on with the shift, to be undone several steps in a row."""


def judge(book: str, seed: int, rounds: int, *, level: int) -> Counter[str]:
    """One shift of so many rounds; what was pressed, lit, undone and final. Raises Wrong where UNDO is not as never."""
    shift = JudgedShift(book, seed, level)
    try:
        shift.play(rounds)
    except Exception as error:
        error.add_note(f"book {book}, seed {seed}, level {level}, {shift.house.equipment}")
        raise
    return shift.judged


class JudgedShift(Shift):
    """A shift whose every accepted press is undone on the side. `judged` counts; the shift itself goes on untouched."""

    def __init__(self, book: str, seed: int, level: int) -> None:
        self.judged: Counter[str] = Counter()
        self.forks: list[tuple[Fork, int]] = []
        self.facts = random.Random(f"undo {book} {seed} {level}")
        super().__init__(book, seed, level=level, checks=False, trouble=TROUBLE)

    def take(self, given: Input) -> tuple[e.Event, ...]:
        """One input, as ever; then what UNDO would make of it."""
        before = self.state
        events = super().take(given)
        self._go_on(given)
        if isinstance(given, Pressed) and self.state.history.taps > before.history.taps:
            self.judged["accepted"] += 1
            self.judged["lit after the press"] += bool(self.state.trail.steps)
            if given.word != "undo":
                self._fork(before, given)
        return events

    def _fork(self, before: TableState, given: Pressed) -> None:
        fork = Fork(self.house, before, self.facts, self.judged, self.now_s, self.now_ns)
        fork.take(given)
        if self.facts.random() < FORKED_ON:
            self.forks.append((fork, self.facts.randrange(1, PRESSES_MOST)))
            return
        for _ in range(self.facts.randint(0, FACTS_MOST)):
            fork.fact()
        fork.undo_all()

    def _go_on(self, given: Input) -> None:
        """The forks that live on get what the shift gets, and facts of their own."""
        living = []
        for fork, presses in self.forks:
            fork.take(given)
            if self.facts.random() < 0.4:
                fork.fact()
            left = presses - isinstance(given, Pressed)
            if left:
                living.append((fork, left))
            else:
                fork.undo_all()
        self.forks = living


class Fork:
    """A table that was pressed, and for every press that UNDO may take back a twin that never got it."""

    def __init__(
        self, house: House, state: TableState, chance: random.Random, tally: Counter[str], now_s: int, now_ns: int
    ) -> None:
        self.house, self.state, self.chance, self.tally = house, state, chance, tally
        self.now_s, self.now_ns = now_s, now_ns
        self.twins: list[TableState] = []
        self.story: list[Input] = []

    def take(self, given: Input) -> None:
        """A press reaches this table only, a fact its twins too."""
        if isinstance(given, Pressed) and given.word == "undo":
            self.undo()
            return
        self.story.append(given)
        before, events = self.state, decide(self.house, self.state, given)
        self.state = reduce(evolve, events, self.state)
        if not isinstance(given, Pressed):
            self.tally["facts"] += 1
            self.twins = [reduce(evolve, decide(self.house, twin, given), twin) for twin in self.twins]
        elif self.state.history.taps > before.history.taps:
            self.twins.append(before)
        self._finals()

    def fact(self) -> None:
        """Something happens by itself."""
        self.now_ns += self.chance.randrange(1, 10_000_000_000)
        self.now_s += self.chance.choice((1, 1, 60, 3_600, 9 * 3_600))
        self.take(self.chance.choice(FACTS)(self))

    def undo_all(self) -> None:
        """UNDO until it is dark, or all presses since the fork are taken back."""
        row = 0
        while self.twins:
            self.undo()
            row += 1
        if row > 1:
            self.tally["several in a row"] += 1

    def undo(self) -> None:
        """UNDO where it takes back a press of this fork; the judge compares."""
        if not self.twins:
            return
        events = decide(self.house, self.state, Pressed("undo", "", self.now_s))
        if not events or not isinstance(events[0], e.Undone):
            raise Wrong(f"UNDO was lit and refused: {events}; {self.story}")
        self.story.append(Pressed("undo"))
        self.state = reduce(evolve, events, self.state)
        self.tally["undone"] += 1
        if different := differences(self.state, self.twins.pop()):
            raise Wrong(f"not as never pressed: {different}; {self.story}")
        self.tally["equal"] += 1
        self._finals()

    def _finals(self) -> None:
        """Of presses that are final no twin is asked; where UNDO is dark it is refused, and the table says why."""
        gone = len(self.twins) - len(self.state.trail.steps)
        if gone <= 0:
            return
        del self.twins[:gone]
        self.tally[f"final: {self.state.trail.final}"] += gone
        if self.state.trail.steps:
            return
        events = decide(self.house, self.state, Pressed("undo", "", self.now_s))
        row = row_of(self.state.trail.final)
        said = events[0].why if isinstance(events[0], e.PressRefused) else NOTHING
        if not self.state.trail.final or said != say("final.refused", why=row.why, instead=row.instead):
            raise Wrong(f"UNDO is dark and says {events}; {self.story}")


def differences(state: TableState, twin: TableState) -> dict[str, tuple[Any, Any]]:
    """What differs between a table after UNDO and its twin, by field: (here, there)."""
    ours, theirs = _compared(state), _compared(twin)
    found: dict[str, tuple[Any, Any]] = {}
    for part in fields(ours):
        one, other = getattr(ours, part.name), getattr(theirs, part.name)
        if one == other:
            continue
        for field in fields(one) if hasattr(one, "__dataclass_fields__") else ():
            values = getattr(one, field.name), getattr(other, field.name)
            if values[0] != values[1]:
                found[f"{part.name}.{field.name}"] = values
        if not found:
            found[part.name] = (one, other)
    return found


def _compared(state: TableState) -> TableState:
    """Without what no UNDO takes back, and without the trail that it goes back along."""
    return replace(state, history=History(), trail=Trail(), desk=replace(state.desk, notice=NOTHING))


# Facts ----------------------------------------------------------------------------------------------------------------


def _chip(fork: Fork) -> Input:
    seat = fork.chance.randint(1, len(fork.state.round.seats))
    return SensorSettled(seat, not fork.state.sensor(seat).covered, fork.now_ns - 20_000_000)


def _switch(fork: Fork) -> Input:
    return SwitchSettled(not fork.state.felt.switch_locked)


def _lock(fork: Fork) -> Input:
    readings = tuple(
        SeatReading(seat, sensor.covered, fork.chance.choice((None, 1_000_000, 1_000_000_000)))
        for seat, sensor in enumerate(fork.state.felt.sensors, start=1)
        if fork.house.offers_progressive
    )
    chance = Chance(fork.chance.choice(DECK), fork.chance.randint(0, fork.house.seats), True, True)
    return NoMoreBets(fork.now_ns, "switch", readings, chance)


def _button(fork: Fork) -> Input:
    seat = fork.chance.randint(1, len(fork.state.round.seats))
    return ButtonPushed(seat, fork.chance.choice(("own", "dealer")), fork.now_ns)


def _shuffler(fork: Fork) -> Input:
    chance, known = fork.chance, fork.state.neighbours.shuffler
    mode = chance.choice(("ready", "ready", "shuffling", "empty", "fault", "sort", "off"))
    fault = "jam" if mode == "fault" else ""
    deck = chance.choice((known.deck, known.deck, *fork.house.equipment.colors))
    unit = chance.choice(("S-1", "S-1", "S-1", "S-2"))
    alarm = known.alarm + chance.choice((0, 0, 0, 1))
    return ShufflerSeen(chance.random() < 0.9, unit, mode, chance.choice((None, 52, 52, 51)), deck, fault, alarm)


def _link(fork: Fork) -> Input:
    return LinkSeen(False, as_is("no answer")) if fork.state.neighbours.link_up else LinkSeen(True, NOTHING)


def _wires(fork: Fork) -> Input:
    return SensorsSeen(False, as_is("cable")) if fork.state.felt.up else SensorsSeen(True, NOTHING)


def _clock(fork: Fork) -> Input:
    return Ticked(fork.now_s)


def _bank(fork: Fork) -> Input:
    state, chance = fork.state, fork.chance
    if chance.random() < 0.3:
        return BankSaid("e" * 32, state.program.journal, state.neighbours.bank_seq, "", (), "books", "They differ.")
    held = state.neighbours.outbox[-1] if state.neighbours.outbox else None
    prize = state.seat(state.round.turn).prize if state.round.turn else None
    claims: tuple[ClaimAnswer, ...] = ()
    if prize is not None and prize.claim:
        amount = chance.choice((1_234_500, 99_900))
        claims = (ClaimAnswer(prize.claim, "pending", prize.meter, prize.odds, amount, prize.cite),)
    return BankSaid(
        "e" * 32, state.program.journal, held.seq if held else 0, held.hash if held else "", claims if held else ()
    )


def _pin(fork: Fork) -> Input:
    return PinRefused("9999", as_is("unknown badge"))


def _noise(fork: Fork) -> Input:
    return Complaints("shuffler", "a line that says nothing", 1)


def _start(fork: Fork) -> Input:
    boot = fork.chance.choice((fork.state.program.boot, "boot-other"))
    return Started(boot, "program", "submission")


FACTS: tuple[Callable[[Fork], Input], ...] = (
    _chip,
    _chip,
    _chip,
    _switch,
    _lock,
    _button,
    _button,
    _shuffler,
    _shuffler,
    _link,
    _wires,
    _clock,
    _clock,
    _bank,
    _pin,
    _noise,
    _start,
)
"""What may happen between a tap and its UNDO; what is likelier stands here twice."""
