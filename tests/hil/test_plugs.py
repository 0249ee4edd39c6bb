"""A cable is pulled and put back: what the screen says, what stands, and that a round is played afterwards."""

from __future__ import annotations

import time
from pathlib import Path

import pygame
import pytest

from firmware.proof.simulation.game_betting import LIFT
from firmware.proof.simulation.person import ready, saying, shown
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
    playable,
    right,
    seen,
)
from tests.hil.promises import Promise
from tests.hil.rig import Capability, Device, Rig, glance
from ui.dealer import theme
from ui.dealer.frame import frame_of
from ui.dealer.no_touch import status_areas
from ui.dealer.panels import PANELS
from ui.dealer.widgets import Tone

pytestmark = [pytest.mark.rig, pytest.mark.slow, pytest.mark.timeout(1800)]

SCRIPT = Round((1, 3))
TITLE_MM, DISPLAY_S = 55.0, 60.0


@pytest.mark.gate
@pytest.mark.needs(Capability.SERIAL)
def test_the_shufflers_cable(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    pulled = rig.unplug(Device.SERIAL)
    _says(rig, "status.shuffler-gone", pulled, measure, Promise.SERIAL_TOLD)
    assert lamps_are(*SCRIPT.chips)(rig.lines()), "a lit wager is none of the shuffler's business"
    back = rig.replug(Device.SERIAL)
    _says(rig, "", back, measure, Promise.SERIAL_BACK)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


def _says(rig: Rig, said: str, since: float, measure: Measure, promise: Promise) -> None:
    """The corner of the machine says so, "" for nothing: measured from `since`."""
    rig.person.see(saying(said, "machine") if said else ready("machine"), said or "ready", rig.most_s(promise))
    measure(promise, time.monotonic() - since)


@pytest.mark.needs(Capability.NETWORK)
def test_the_cable_to_the_bank(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    pulled = rig.unplug(Device.NETWORK)
    seen(rig, measure, pulled, promised={Promise.NETWORK_LOCKED: is_locked})
    link_is(rig, NO_LINK)
    assert lamps_are(*SCRIPT.chips)(rig.lines()), "what was lit stands"
    ends(dealer, SCRIPT)
    rig.person.screen("link-down")
    back = rig.replug(Device.NETWORK)
    playable(rig, measure, back, Promise.NETWORK_PLAYABLE)
    link_is(rig, LINK)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.needs(Capability.BROKER)
def test_the_broker_is_gone_and_comes_back(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    gone = rig.unplug(Device.BROKER)
    seen(rig, measure, gone, promised={Promise.BROKER_LOCKED: is_locked})
    dealer.world.place(6)
    rig.person.see(saying(LIFT, "seat-6"), "no bet at seat 6")
    assert lamps_are(*SCRIPT.chips)(rig.lines())
    dealer.world.take(6)
    back = rig.replug(Device.BROKER)
    playable(rig, measure, back, Promise.BROKER_PLAYABLE)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


@pytest.mark.needs(Capability.TOUCH, Capability.SCREENSHOT)
def test_the_touch_panels_cable(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    """The screen's own process says so where BETS OPEN stands otherwise, so nobody but the display shows it."""
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    rig.until(lambda _: _says_bets_open(rig, tmp_path), "BETS OPEN on the display", DISPLAY_S)
    pulled = rig.unplug(Device.TOUCH)
    _display(rig, tmp_path, pulled, measure, Promise.DEVICE_TOLD, bets_open=False)
    assert lamps_are(*SCRIPT.chips)(rig.lines()), "the table goes on"
    back = rig.replug(Device.TOUCH)
    _display(rig, tmp_path, back, measure, Promise.DEVICE_BACK, bets_open=True)
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])


def _says_bets_open(rig: Rig, folder: Path) -> bool:
    """Beside the table's key the display has words in the color of what is done; a display is behind the table's words."""
    picture = pygame.image.load(rig.screenshot(folder / "display.png"))
    panel = PANELS["800x480"]
    _, told = status_areas(frame_of(panel))
    area, _ = told.left(TITLE_MM, 0.0)  # what is behind it has the time of day
    scale = picture.get_width() / panel.width_mm
    corner = picture.subsurface([round(edge * scale) for edge in (area.x, area.y, area.w, area.h)])
    return pygame.mask.from_threshold(corner, theme.DARK.text(Tone.DONE), (1, 1, 1, 255)).count() > 0


def _display(rig: Rig, folder: Path, since: float, measure: Measure, promise: Promise, *, bets_open: bool) -> None:
    """Look at the display until it says so, or does not say so any more: measured from `since`."""
    while _says_bets_open(rig, folder) is not bets_open:
        assert time.monotonic() - since < rig.most_s(promise), f"{promise.text}: the display is as in {folder}"
        glance()
    measure(promise, time.monotonic() - since)


@pytest.mark.needs(Capability.BADGE)
def test_the_badge_readers_cable(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    person = rig.person
    dealer.open()
    person.key("problem", until=shown("irregularity"))
    person.key("problem-recut", until=shown("sign"))
    lost = saying("badge.no-reader")
    pulled = rig.unplug(Device.BADGE)
    person.see(lost, "the reader to be missed", rig.most_s(Promise.DEVICE_TOLD))
    measure(Promise.DEVICE_TOLD, time.monotonic() - pulled)
    back = rig.replug(Device.BADGE)
    person.see(lambda now: not lost(now), "the reader back", rig.most_s(Promise.DEVICE_BACK))
    measure(Promise.DEVICE_BACK, time.monotonic() - back)
    person.key("back", until=shown("open"))
    script = Round((2, 4), winners=(Winner(4, "flush"),))
    dealer.play(1, script)
    right(rig, tmp_path, [script])


@pytest.mark.needs(Capability.CHIP)
def test_the_gpio_chip(rig: Rig, measure: Measure, tmp_path: Path) -> None:
    dealer = rig.dealer(rig.book)
    bets(dealer, *SCRIPT.chips)
    pulled = rig.unplug(Device.CHIP)
    seen(rig, measure, pulled, promised={Promise.CHIP_DARK: is_dark, Promise.CHIP_LOCKED: is_locked})
    rig.person.see(saying("off.sensors"), "the reason on the glass", rig.most_s(Promise.CHIP_PLAYABLE))
    back = rig.replug(Device.CHIP)
    playable(rig, measure, back, Promise.CHIP_PLAYABLE)
    rig.until(lamps_are(*SCRIPT.chips), "the same lamps lit", rig.most_s(Promise.CHIP_PLAYABLE))
    ends(dealer, SCRIPT)
    right(rig, tmp_path, [SCRIPT])
