"""What happens to the machine itself: its power, its disk, its clock, its cores."""

from __future__ import annotations

import re
import time
from pathlib import Path
from threading import Event

import pytest

from firmware.proof.simulation import game_betting
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import ready, shown
from firmware.proof.simulation.plan import Round, Winner
from tests.hil.acts import (
    LINK,
    NO_LINK,
    Measure,
    bets,
    ends,
    is_dark,
    is_locked,
    lamps_are,
    link_is,
    lit,
    playable,
    right,
    seen,
)
from tests.hil.boot import parts
from tests.hil.conftest import PART
from tests.hil.promises import Promise
from tests.hil.rig import Capability, Rig, Unit

pytestmark = [pytest.mark.rig, pytest.mark.slow, pytest.mark.timeout(1800)]

CUT_AT = ("open", "count", "deal", "validate")
DAY_S = 86_400.0
YEAR_S = 365 * DAY_S
TO_THE_SWITCH_S = 1.0
"""A hand's way: on a busy machine a chip still bounces at the wires when its lamp is lit, and such a chip may be late."""


def goes_on(rig: Rig, measure: Measure, since: float, promise: Promise, dealer: Dealer, script: Round) -> None:
    """The machine is back: what was lit is lit, and the round is played to its end."""
    playable(rig, measure, since, promise)
    rig.until(lamps_are(*script.chips), "every lamp that was lit", rig.most_s(promise))
    ends(dealer, script)


@pytest.mark.gate
@pytest.mark.needs(Capability.POWER_CUT)
def test_the_power_is_cut_while_bets_are_open(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    script = Round((2, 4, 6))
    bets(dealer, *script.chips)
    rig.power_cut()
    rig.until(lambda lines: is_dark(lines) and is_locked(lines), "dark and locked", rig.most_s(Promise.KILLED_DARK))
    goes_on(rig, measure, rig.boot(), Promise.BOOT_PLAYABLE, dealer, script)
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.POWER_CUT)
def test_the_power_is_cut_while_a_prize_is_validated(rig: Rig, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    script = Round((1, 5), winners=(Winner(5, "flush"),))
    bets(dealer, *script.chips)
    dealer.sit(1, script)
    dealer.plays_until("validate")
    rig.power_cut()
    rig.boot()
    rig.person.see(shown("validate"), "the prize still to be validated", rig.most_s(Promise.BOOT_PLAYABLE))
    assert is_locked(rig.lines())
    dealer.finish()
    right(rig, tmp_path, [script])


@pytest.mark.timeout(7200)
@pytest.mark.needs(Capability.POWER_CUT)
def test_the_power_is_cut_in_round_after_round_and_each_is_played_to_its_end(
    rig: Rig, measure: Measure, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Cut in turn while bets are open, counted, dealt, and while a prize is validated."""
    dealer, rounds = rig.dealer(rig.book), list[Round]()
    for number in range(1, request.config.getoption("cuts", 4) + 1):
        screen = CUT_AT[(number - 1) % len(CUT_AT)]
        seats = (1 + number % 3, 4 + number % 3)
        script = Round(seats, winners=(Winner(seats[1], "flush"),) if screen == "validate" else ())
        bets(dealer, *seats)
        dealer.sit(number, script)
        if screen != "open":
            dealer.plays_until(screen)
        rig.power_cut()
        rig.until(lambda lines: is_dark(lines) and is_locked(lines), "dark", rig.most_s(Promise.KILLED_DARK))
        back = rig.boot()
        rig.until(lamps_are(*seats), "every lamp that was lit", rig.most_s(Promise.BOOT_PLAYABLE))
        rig.person.see(shown(screen), f"{screen} as before", rig.most_s(Promise.BOOT_PLAYABLE))
        rig.person.see(ready("machine"), "the shuffler heard")
        measure(Promise.BOOT_PLAYABLE, time.monotonic() - back)
        if screen == "open":
            rig.until(lambda lines: lines.open, "the lock line high", rig.most_s(Promise.LOCKED))
            game_betting.lock(dealer)
        rig.until(is_locked, "the lock line low", rig.most_s(Promise.LOCKED))
        dealer.finish()
        rounds.append(script)
    right(rig, tmp_path, rounds)


@pytest.mark.needs(Capability.POWER_CUT, Capability.LOG, Capability.BOOT_PARTS)
def test_after_a_boot_every_output_was_driven_low_before_the_table_began(
    rig: Rig, measure: Measure, request: pytest.FixtureRequest
) -> None:
    """systemd may come to the table before udev has given the chip to its group. Says what the boot was made of."""
    dealer = rig.dealer(rig.book)
    bets(dealer, 1)
    rig.power_cut()
    back = rig.boot()
    playable(rig, measure, back, Promise.BOOT_PLAYABLE)
    found = {"power to bets that can be open": time.monotonic() - back, **parts(rig.boot_parts())}
    request.node.user_properties.extend((PART, part) for part in found.items())
    said = rig.log(Unit.TABLE)
    driven = re.search(r"low: (\d+) of (\d+) outputs", said)
    assert driven and driven[1] == driven[2] and "Permission denied" not in said, said


@pytest.mark.needs(Capability.POWER_CUT, Capability.NO_TIME)
def test_a_boot_without_the_time_keeps_what_was_lit_and_closes_the_progressive_until_the_time_is_told(
    rig: Rig, measure: Measure, tmp_path: Path
) -> None:
    """Certificates are not valid yet: nobody hears the bank, and the base game goes on.

    The age of decks is not known then, nor when the time is told (653a.3(c)): the dealer brings others both times.
    """
    dealer, script = rig.dealer(rig.book), Round((2, 5))
    bets(dealer, *script.chips)
    dealer.sit(1, script)
    game_betting.lock(dealer)
    rig.power_cut()
    back = rig.boot_without_time()
    lit = rig.until(lamps_are(*script.chips), "every lamp that was lit", rig.most_s(Promise.BOOT_LIT))
    measure(Promise.BOOT_LIT, lit - back)
    link_is(rig, NO_LINK)
    assert is_locked(rig.lines())
    dealer.finish()
    told = rig.tell_time()
    link_is(rig, LINK)
    measure(Promise.TIME_LINK, time.monotonic() - told)
    dealer.open()
    rig.until(lambda lines: lines.open, "bets open", rig.most_s(Promise.LOCKED))
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.PANIC)
def test_a_kernel_that_panics_is_reset_and_the_round_goes_on(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer, script = rig.dealer(rig.book), Round((2, 4, 6))
    bets(dealer, *script.chips)
    died = rig.panic()
    seen(rig, measure, died, promised={Promise.PANIC_DARK: is_dark, Promise.PANIC_LOCKED: is_locked})
    goes_on(rig, measure, died, Promise.PANIC_PLAYABLE, dealer, script)
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.READ_ONLY, Capability.POWER_CUT)
def test_the_disk_becomes_read_only(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer, script = rig.dealer(rig.book), Round((2,))
    bets(dealer, *script.chips)
    rig.write_protect()
    began = time.monotonic()
    dealer.world.place(5)
    seen(rig, measure, began, promised={Promise.READ_ONLY_DARK: is_dark, Promise.READ_ONLY_LOCKED: is_locked})
    dealer.world.take(5)
    rig.power_cut()
    goes_on(rig, measure, rig.boot(), Promise.BOOT_PLAYABLE, dealer, script)
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.MEMORY)
def test_a_foreign_program_that_takes_all_memory_takes_no_wager(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer, script = rig.dealer(rig.book), Round((1, 4))
    bets(dealer, *script.chips)
    with rig.hunger():
        assert lamps_are(*script.chips)(rig.lines()), "the kernel ends the one who took it, not the table"
        began = time.monotonic()
        dealer.world.lockout(True)
        seen(rig, measure, began, promised={Promise.LOCKED: is_locked})
        dealer.world.lockout(False)
        dealer.sit(1, script)
        dealer.finish()
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.DISK)
def test_the_disk_is_full(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    script = Round((2,))
    bets(dealer, *script.chips)
    rig.fill_disk()
    began = time.monotonic()
    dealer.world.place(5)
    seen(rig, measure, began, promised={Promise.FULL_DARK: is_dark, Promise.FULL_LOCKED: is_locked})
    dealer.world.take(5)
    freed = time.monotonic()
    rig.free_disk()
    playable(rig, measure, freed, Promise.FREED_PLAYABLE)
    ends(dealer, script)
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.CLOCK)
@pytest.mark.parametrize(
    "step_s", [2 * DAY_S, -3_600.0, -3 * YEAR_S, 3 * YEAR_S], ids=["+2 days", "-1 hour", "-3 years", "+3 years"]
)
def test_the_clock_is_stepped_while_bets_are_open(rig: Rig, step_s: float, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 1, 2)
    rig.clock(step_s)
    try:
        dealer.world.place(3)
        rig.until(lamps_are(1, 2, 3), "a chip that is laid now lights", rig.most_s(Promise.LAMP))
        assert rig.lines().open
        dealer.on_felt.add(3)
        ends(dealer, Round((1, 2, 3)))
    finally:
        rig.clock(-step_s)
    right(rig, tmp_path, [Round((1, 2, 3))])


@pytest.mark.needs(Capability.LOAD)
def test_a_round_is_played_while_every_core_is_busy(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    script = Round((1, 2, 6))
    with rig.load():
        bets(dealer, *script.chips)
        dealer.world.wait(steady=True)
        Event().wait(TO_THE_SWITCH_S)
        lit(rig, *script.chips)
        began = time.monotonic()
        dealer.world.lockout(True)
        seen(rig, measure, began, promised={Promise.LOCKED: is_locked})
        dealer.world.lockout(False)
        dealer.sit(1, script)
        dealer.finish()
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.SCREENSHOT)
def test_the_display_shows_what_the_program_drew(rig: Rig, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, 2)
    picture = rig.screenshot(tmp_path / "display.png")
    assert len(set(picture.read_bytes())) > 64, "a black display compresses to almost nothing"
