"""A program dies, hangs, or is stopped: what stands on the felt meanwhile, and how soon play goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.proof.simulation.game_betting import LIFT
from firmware.proof.simulation.person import says, shown
from firmware.proof.simulation.plan import Round
from tests.hil.acts import (
    LINK,
    NO_LINK,
    Measure,
    bets,
    ends,
    is_dark,
    is_locked,
    is_ready,
    lamps_are,
    link_is,
    lit,
    playable,
    right,
    seen,
)
from tests.hil.promises import Promise
from tests.hil.rig import Capability, Rig, Unit

pytestmark = [pytest.mark.rig, pytest.mark.slow, pytest.mark.timeout(1800)]

SCRIPT = Round((2, 5))


@pytest.mark.gate
@pytest.mark.needs(Capability.KILL)
def test_a_killed_table_is_dark_and_locked_and_the_lit_wagers_stand(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    killed = rig.kill(Unit.TABLE)
    seen(rig, measure, killed, promised={Promise.KILLED_DARK: is_dark, Promise.KILLED_LOCKED: is_locked})
    playable(rig, measure, killed, Promise.KILLED_PLAYABLE)
    _wagers_stand(rig)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.gate
@pytest.mark.needs(Capability.HANG)
def test_a_hung_table_is_ended_by_its_watchdog(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    hung = rig.hang(Unit.TABLE)
    seen(rig, measure, hung, promised={Promise.HUNG_DARK: is_dark, Promise.HUNG_LOCKED: is_locked})
    playable(rig, measure, hung, Promise.HUNG_PLAYABLE)
    _wagers_stand(rig)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.needs(Capability.STOP)
def test_a_stopped_table_stays_dark_and_locked_until_it_is_started(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    stopped = rig.stop_unit(Unit.TABLE)
    seen(rig, measure, stopped, promised={Promise.STOPPED_DARK: is_dark, Promise.STOPPED_LOCKED: is_locked})
    dealer.world.lockout(True)
    dealer.world.lockout(False)
    assert is_dark(rig.lines()) and is_locked(rig.lines()) and not rig.runs(Unit.TABLE)
    started = rig.start_unit(Unit.TABLE)
    playable(rig, measure, started, Promise.STARTED_PLAYABLE)
    _wagers_stand(rig)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


def _wagers_stand(rig: Rig) -> None:
    """The lamps that were lit are lit again: outside, and for the program."""
    rig.until(lamps_are(*SCRIPT.chips), "the same lamps lit", rig.most_s(Promise.KILLED_PLAYABLE))
    for seat in SCRIPT.chips:
        rig.person.lamp(seat, "lit")


@pytest.mark.parametrize(
    ("needed", "promise"),
    [(Capability.KILL, Promise.SCREEN_KILLED), (Capability.HANG, Promise.SCREEN_HUNG)],
    ids=["killed", "hung"],
)
def test_a_table_without_its_screen_goes_on(rig: Rig, measure: Measure, needed: Capability, promise: Promise) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 3)
    lost = rig.kill(Unit.SCREEN) if needed == Capability.KILL else rig.hang(Unit.SCREEN)
    dealer.world.place(6)
    rig.until(lamps_are(3, 6), "a chip that is laid meanwhile lights", rig.most_s(Promise.LAMP))
    is_ready(rig, measure, lost, Unit.SCREEN, promise)
    dealer.on_felt.add(6)
    ends(dealer, Round((3, 6)))


@pytest.mark.needs(Capability.STOP)
def test_a_screen_that_is_stopped_takes_no_wager_with_it(rig: Rig, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 1, 2)
    lit(rig, 1, 2)
    rig.stop_unit(Unit.SCREEN)
    assert lamps_are(1, 2)(rig.lines()) and rig.lines().open
    dealer.world.lockout(True)
    rig.until(is_locked, "the switch to lock without a screen", rig.most_s(Promise.LOCKED))
    dealer.world.lockout(False)
    rig.start_unit(Unit.SCREEN)
    dealer.sit(1, Round((1, 2)))
    dealer.finish()
    right(rig, tmp_path, [Round((1, 2))])


@pytest.mark.needs(Capability.KILL)
def test_a_killed_bank_closes_the_progressive_and_what_was_lit_is_counted(
    rig: Rig, measure: Measure, tmp_path: Path
) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    killed = rig.kill(Unit.BANK)
    seen(rig, measure, killed, promised={Promise.BANK_LOCKED: is_locked})
    assert lamps_are(*SCRIPT.chips)(rig.lines()), "what was lit stands"
    playable(rig, measure, killed, Promise.BANK_PLAYABLE)
    ends(dealer, SCRIPT)
    link_is(rig, LINK)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.needs(Capability.STOP)
def test_a_round_without_the_bank_is_owed_and_paid_later(rig: Rig, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    rig.stop_unit(Unit.BANK)
    rig.until(is_locked, "bets locked", rig.most_s(Promise.BANK_LOCKED))
    link_is(rig, NO_LINK)
    ends(dealer, SCRIPT)
    rig.person.screen("link-down")
    rig.start_unit(Unit.BANK)
    rig.person.see(shown("open"), "open bets", rig.most_s(Promise.BANK_PLAYABLE))
    link_is(rig, LINK)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.needs(Capability.HANG)
def test_a_hung_bank_is_silence_and_no_wager_is_recognized(rig: Rig, measure: Measure) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 4)
    hung = rig.hang(Unit.BANK)
    seen(rig, measure, hung, promised={Promise.BANK_HUNG_LOCKED: is_locked})
    dealer.world.place(1)
    rig.person.see(lambda now: says(now, LIFT, "seat-1") or now.lamps["1"] == "late", "no bet at seat 1")
    assert lamps_are(4)(rig.lines())
    dealer.world.take(1)
    rig.person.see(shown("open"), "the bank, started again by its watchdog", rig.most_s(Promise.BANK_HUNG_PLAYABLE))
    ends(dealer, Round((4,)))


@pytest.mark.needs(Capability.KILL)
def test_a_killed_broker_closes_the_progressive_until_it_is_back(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    killed = rig.kill(Unit.BROKER)
    seen(rig, measure, killed, promised={Promise.BROKER_LOCKED: is_locked})
    playable(rig, measure, killed, Promise.BROKER_PLAYABLE)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.needs(Capability.HANG, Capability.STOP)
def test_a_hung_broker_is_silence_until_a_technician_starts_it_again(rig: Rig, measure: Measure) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 4)
    hung = rig.hang(Unit.BROKER)
    seen(rig, measure, hung, promised={Promise.BANK_HUNG_LOCKED: is_locked})
    rig.kill(Unit.BROKER)
    rig.person.see(shown("open"), "open bets", rig.most_s(Promise.BROKER_PLAYABLE))
    ends(dealer, Round((4,)))


@pytest.mark.parametrize(
    ("needed", "promise"),
    [(Capability.KILL, Promise.SIGN_KILLED), (Capability.HANG, Promise.SIGN_HUNG)],
    ids=["killed", "hung"],
)
def test_a_lost_sign_is_nothing_to_the_table(rig: Rig, measure: Measure, needed: Capability, promise: Promise) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 1)
    lit(rig, 1)
    lost = rig.kill(Unit.SIGN) if needed == Capability.KILL else rig.hang(Unit.SIGN)
    assert lamps_are(1)(rig.lines()) and rig.lines().open
    is_ready(rig, measure, lost, Unit.SIGN, promise)
    ends(dealer, Round((1,)))


@pytest.mark.needs(Capability.STOP)
def test_a_stopped_sign_is_nothing_to_the_table(rig: Rig) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 1)
    lit(rig, 1)
    rig.stop_unit(Unit.SIGN)
    assert lamps_are(1)(rig.lines()) and rig.lines().open
    ends(dealer, Round((1,)))
    rig.start_unit(Unit.SIGN)
    assert rig.runs(Unit.SIGN)
