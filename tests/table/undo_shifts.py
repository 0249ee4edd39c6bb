"""Whole shifts whose every press is undone on the side: `scripts/bench undo` plays them.

After every accepted press the table is forked, facts arrive at the fork, and UNDO is pressed there as long as it is lit;
`tests.table.undoing` judges. The shift itself goes on untouched.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from firmware.proof.simulation.hands import DECK
from firmware.proof.simulation.shifts.shift import Shift
from firmware.rules.message import NOTHING, as_is
from firmware.table import events as e
from firmware.table.decide import decide
from firmware.table.house import House
from firmware.table.inputs import (
    BankSaid,
    ButtonPushed,
    Chance,
    ClaimAnswer,
    Complaints,
    DiskSeen,
    Input,
    LinkSeen,
    NoMoreBets,
    PinRefused,
    Pressed,
    SensorSettled,
    SensorsSeen,
    ShufflerSeen,
    SpotReading,
    Started,
    SwitchSettled,
    Ticked,
)
from firmware.table.state import NO_HASH, TableState, Trail
from firmware.wire.structs import replace
from tests.table.undoing import Judge

TROUBLE = 3.0
"""How much more goes wrong in these shifts than in life."""
FACTS_MOST, PRESSES_MOST = 4, 5
"""Facts after a press, and presses that are undone in a row."""
FORKED_ON = 0.1
"""Share of the presses after which a fork goes on with the shift, to be undone several steps in a row."""


def judge(book: str, seed: int, rounds: int, *, level: int) -> Counter[str]:
    """One shift of so many rounds; what was pressed, lit, undone and final. Raises where UNDO is not as if never pressed."""
    shift = JudgedShift(book, seed, level)
    shift.play(rounds)
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
        if isinstance(given, Pressed) and self.state.taps > before.taps:
            self.judged["presses"] += 1
            self.judged["lit after the press"] += bool(self.state.trail.steps)
            if given.word != "undo":
                self._fork(before, given)
        return events

    def _fork(self, before: TableState, given: Pressed) -> None:
        fork = Fork(self.house, before, self.facts, self.now_s, self.now_ns)
        fork.take(given)
        if self.facts.random() < FORKED_ON:
            self.forks.append((fork, self.facts.randrange(1, PRESSES_MOST)))
            return
        for _ in range(self.facts.randint(0, FACTS_MOST)):
            fork.fact()
        self.judged += fork.undo_all()

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
                self.judged += fork.undo_all()
        self.forks = living


class Fork:
    """A table that is pressed, meets facts of its own, and is undone under the judge's eyes."""

    def __init__(self, house: House, state: TableState, chance: random.Random, now_s: int, now_ns: int) -> None:
        self.house, self.state, self.chance = house, replace(state, trail=Trail()), chance
        self.now_s, self.now_ns = now_s, now_ns
        self.judge = Judge(house)
        self.story: list[Input] = []

    def take(self, given: Input) -> None:
        """A press or a fact."""
        self.story.append(given)
        before, turn = self.state, decide(self.house, self.state, given)
        self.state = turn.state
        try:
            self.judge.hears(given, before, turn.events, self.state)
        except AssertionError as error:
            error.add_note(f"since the fork: {self.story}")
            raise

    def fact(self) -> None:
        """Something happens by itself."""
        self.now_ns += self.chance.randrange(1, 10_000_000_000)
        self.now_s += self.chance.choice((1, 1, 60, 3_600, 9 * 3_600))
        self.take(self.chance.choice(FACTS)(self))

    def undo_all(self) -> Counter[str]:
        """UNDO until it is dark; what was judged since the fork."""
        row = len(self.judge.twins)
        while self.judge.twins:
            self.take(Pressed("undo", "", self.now_s))
        self.judge.tally["several in a row"] += row > 1
        return self.judge.tally


# Facts ----------------------------------------------------------------------------------------------------------------


def _chip(fork: Fork) -> Input:
    seat = fork.chance.randint(1, len(fork.state.round.seats))
    return SensorSettled(seat, not fork.state.sensor(seat).covered, fork.now_ns - 20_000_000)


def _lock(fork: Fork) -> Input:
    readings = tuple(
        SpotReading(seat, sensor.covered, fork.chance.choice((None, 1_000_000, 1_000_000_000)))
        for seat, sensor in enumerate(fork.state.felt.sensors, start=1)
        if fork.house.offers_progressive
    )
    chance = Chance(fork.chance.choice(DECK), fork.chance.randint(0, fork.house.seats), True, True)
    return NoMoreBets(fork.now_ns, "switch", readings, chance)


def _button(fork: Fork) -> Input:
    seat = fork.chance.randint(1, len(fork.state.round.seats))
    return ButtonPushed(seat, fork.chance.choice(("own", "dealer")), fork.now_ns)


def _shuffler(fork: Fork) -> Input:
    chance, known = fork.chance, fork.state.neighbors.shuffler
    mode = chance.choice(("ready", "ready", "shuffling", "empty", "fault", "sort", "off"))
    fault = "jam" if mode == "fault" else ""
    deck = chance.choice((known.deck, known.deck, *fork.house.equipment.colors))
    unit = chance.choice(("S-1", "S-1", "S-1", "S-2"))
    alarm = known.alarm + chance.choice((0, 0, 0, 1))
    return ShufflerSeen(chance.random() < 0.9, unit, mode, chance.choice((None, 52, 52, 51)), deck, fault, alarm)


def _bank(fork: Fork) -> Input:
    state, chance = fork.state, fork.chance
    if chance.random() < 0.3:
        journal, seq = state.program.journal, state.neighbors.bank_seq
        return BankSaid("e" * 32, journal, seq, "", (), "books", "They differ.", about=(journal, 0, NO_HASH))
    held = state.neighbors.outbox[-1] if state.neighbors.outbox else None
    prize = state.seat(state.round.turn).prize if state.round.turn else None
    claims: tuple[ClaimAnswer, ...] = ()
    if prize is not None and prize.claim:
        amount = chance.choice((1_234_500, 99_900))
        claims = (ClaimAnswer(prize.claim, "pending", amount, prize.meter, 3),)
    return BankSaid(
        "e" * 32, state.program.journal, held.seq if held else 0, held.hash if held else "", claims if held else ()
    )


def _start(fork: Fork) -> Input:
    boot = fork.chance.choice((fork.state.program.boot, "boot-other"))
    return Started(boot, "program", "submission")


FACTS: tuple[Callable[[Fork], Input], ...] = (
    *(_chip, _chip, _chip, _lock, _button, _button, _shuffler, _shuffler, _bank, _start),
    lambda fork: SwitchSettled(not fork.state.felt.switch_locked),
    lambda fork: LinkSeen(False, as_is("no answer")) if fork.state.neighbors.link_up else LinkSeen(True, NOTHING),
    lambda fork: SensorsSeen(False, as_is("cable")) if fork.state.felt.up else SensorsSeen(True, NOTHING),
    lambda fork: DiskSeen(not fork.state.neighbors.disk_short),
    *2 * (lambda fork: Ticked(fork.now_s),),
    lambda _fork: PinRefused("9999", as_is("unknown badge")),
    lambda _fork: Complaints("shuffler", "a line that says nothing", 1),
)
"""What may happen between a tap and its UNDO; what is likelier stands here twice."""
