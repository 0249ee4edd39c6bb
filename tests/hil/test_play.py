"""A dealer at a rig: rounds of every book, chips and lamps, the lock law, badge and PIN."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from firmware.config import DEFAULT_BOOK
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import shown
from firmware.proof.simulation.plan import Round, Winner, plan
from firmware.rules.games import books
from firmware.runtime.day_files import Journal
from firmware.runtime.table_journal import VOCABULARY
from firmware.table import events as e
from hal.ports import LOCKOUT
from tests.hil.acts import Measure, bets, is_locked, lamps_are, lit, opens, right, seen
from tests.hil.promises import Promise
from tests.hil.rig import Capability, Held, Rig

pytestmark = [pytest.mark.rig, pytest.mark.slow, pytest.mark.timeout(1800)]

SEED = 11
DEBOUNCE_MS = 20.0
"""As the tables of the rigs are configured."""
HANDS_APART_S = (0.006, 0.006, 0.024, 0.096)
"""Between two moves of a round, one round after the other: near the edge, and so far apart that a late rig can judge."""
LAW_ROUNDS, MOST_ROUNDS = len(HANDS_APART_S), 3 * len(HANDS_APART_S)
JUDGED_A_ROUND = 3
"""So many of a round's readings have to be clear of the rig's own lateness, in the mean."""


@pytest.mark.gate
@pytest.mark.parametrize(
    "book",
    [pytest.param(book, marks=[] if book == DEFAULT_BOOK else pytest.mark.needs(Capability.BOOKS)) for book in books()],
)
def test_a_night_of_each_book(rig: Rig, book: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    dealer = rig.dealer(book)
    rounds = plan(SEED, request.config.getoption("rounds", 2), dealer.game)
    for number, script in enumerate(rounds, start=1):
        dealer.play(number, script)
    right(rig, tmp_path, rounds)


def test_every_chip_lights_its_lamp_and_no_other(rig: Rig, measure: Measure) -> None:
    dealer = rig.dealer(rig.book)
    opens(dealer)
    for seat in range(1, dealer.game.seats + 1):
        began = time.monotonic()
        dealer.world.place(seat)
        seen(rig, measure, began, promised={Promise.LAMP: lamps_are(seat)})
        began = time.monotonic()
        dealer.world.take(seat)
        seen(rig, measure, began, promised={Promise.LIFTED: lamps_are()})


def test_the_switch_locks_and_a_late_chip_is_no_wager(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 1, 4)
    began = time.monotonic()
    dealer.world.lockout(True)
    seen(rig, measure, began, promised={Promise.LOCKED: is_locked})
    rig.person.screen("count")
    dealer.world.place(2)
    dealer.person.lamp(2, "late")
    assert rig.lines().lamps[1] and rig.lines().lamps[4]
    dealer.world.take(2)
    dealer.person.lamp(2, "dark")
    dealer.world.lockout(False)
    rig.person.screen("count")
    assert is_locked(rig.lines()), "turned back, bets stay locked until the round is cleared"
    script = Round((1, 4))
    dealer.sit(1, script)
    dealer.finish()
    right(rig, tmp_path, [script])


def test_a_cut_wire_of_the_switch_locks(rig: Rig, measure: Measure) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 3)
    began = time.monotonic()
    dealer.world.cut_wire()
    seen(rig, measure, began, promised={Promise.LOCKED: is_locked})
    dealer.person.screen("count")
    dealer.world.mend_wire()
    dealer.sit(1, Round((3,)))
    dealer.finish()


def test_a_chip_after_a_loose_contact_lights_its_lamp(rig: Rig) -> None:
    dealer = rig.dealer(rig.book)
    dealer.open()
    dealer.world.bounce(5, 40, 400)  # each level for 10 ms: shorter than the debounce time
    dealer.world.wait(steady=True)
    bets(dealer, 5)
    lit(rig, 5)


@pytest.mark.gate
@pytest.mark.parametrize(
    "busy", [False, pytest.param(True, marks=pytest.mark.needs(Capability.LOAD))], ids=["idle", "every core busy"]
)
def test_six_chips_around_the_lockouts_edge_count_as_the_law_has_it(rig: Rig, busy: bool, tmp_path: Path) -> None:
    """653a.7(c): whose level had held for the debounce time when the switch's first edge came has a wager, and no other."""
    dealer = rig.dealer(rig.book)
    opens(dealer)
    judged = played = 0
    with rig.load() if busy else contextlib.nullcontext():
        while played < LAW_ROUNDS or (judged < JUDGED_A_ROUND * LAW_ROUNDS and played < MOST_ROUNDS):
            judged += race(rig, dealer, played)
            dealer.open()
            played += 1
    readings = played * dealer.game.seats
    print(f" [{readings - judged} of {readings} readings cannot be judged here]", end="")
    assert judged >= JUDGED_A_ROUND * LAW_ROUNDS, f"this rig is too late to judge: {judged} of {readings} readings"
    lates = {(late.seat, late.ms) for late in _events(rig, tmp_path) if isinstance(late, e.LateWager)}
    assert lates, "chips that came after the edge are written with their milliseconds"


def race(rig: Rig, dealer: Dealer, number: int) -> int:
    """The round after so many: five chips, the switch, a chip; how many readings were judged."""
    person, world, seats = dealer.person, dealer.world, range(1, dealer.game.seats + 1)
    apart_s, locked_ns = HANDS_APART_S[number % LAW_ROUNDS], 0
    began = time.monotonic()
    for step, seat in enumerate((*seats[:-1], LOCKOUT, seats[-1])):
        Event().wait(max(0.0, began + step * apart_s - time.monotonic()))
        if seat == LOCKOUT:
            locked_ns = world.lockout(True)
        else:
            world.place(seat)
    person.see(shown("count", "deal"), "bets locked")
    world.wait(steady=True)
    held_ms = rig.held_ms(locked_ns)
    judged = {seat: wanted for seat in seats if (wanted := judged_as(held_ms[seat], rig.blur_ms))}
    for seat, wanted in judged.items():
        least, most = held_ms[seat]
        assert person.lamp(seat, "lit", "late") == wanted, f"seat {seat} had held for {least:.1f} to {most:.1f} ms"
    wagers = tuple(seat for seat in seats if person.look().lamps[str(seat)] == "lit")
    rig.until(
        lambda lines: is_locked(lines) and all(lines.lamps[seat] for seat in wagers),
        "the lock line low and the wagers' lamps lit",
        rig.most_s(Promise.LOCKED),
    )
    for seat in set(seats) - set(wagers):
        world.take(seat)
        person.lamp(seat, "dark")
    dealer.on_felt |= set(wagers)
    world.lockout(False)
    dealer.sit(number + 1, Round(wagers))
    dealer.finish()
    return len(judged)


def judged_as(held_ms: Held, blur_ms: float) -> str:
    """What the law makes of a level that had held so long: lit, late, or "" where that was not measured well enough."""
    least, most = held_ms
    if least > DEBOUNCE_MS + blur_ms:
        return "lit"
    return "late" if most < DEBOUNCE_MS - blur_ms else ""


def _events(rig: Rig, folder: Path) -> Iterator[e.Event]:
    with closing(Journal(rig.journal(folder).journal, VOCABULARY, read_only=True)) as journal:
        yield from journal.replay()


@pytest.mark.gate
def test_a_winner_is_validated_by_badge_and_pin(rig: Rig, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    rounds = [
        Round((2, 5), winners=(Winner(5, "flush"),)),
        Round((1, 2, 6), by_switch=True, winners=(Winner(6, "royal flush"), Winner(2, "straight flush"))),
    ]
    for number, script in enumerate(rounds, start=1):
        dealer.play(number, script)
    right(rig, tmp_path, rounds)
