"""A panel that feels no finger says so, on every kind of screen, and takes no key away: a mouse still works."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from firmware.runtime.screen import ScreenService, no_table
from hal.ports import DeviceFound, DeviceLost
from hal.watchdog import Watchdog
from tests.ui.test_screens import longest
from tests.ui.walk import HOUSES
from ui.dealer.display import Display
from ui.dealer.frame import frame_of
from ui.dealer.no_touch import without_touch
from ui.dealer.panels import PANELS, SEVEN_INCH
from ui.dealer.screens import screen
from ui.dealer.widgets import Screen


@pytest.mark.parametrize("panel", PANELS)
def test_it_is_told_in_the_status_bar_and_every_key_stays(panel: str) -> None:
    frame, glass = frame_of(PANELS[panel]), Display(PANELS[panel], "test")
    for state, live in list(longest())[:40]:
        shown = screen(HOUSES["pa-653a 0"], state, live, frame)
        told = without_touch(shown, frame)
        assert told.widgets[-1].lines[0].text == "The panel feels no finger. Check its cable, or use a mouse."
        assert glass.overflows(told) == []
        assert [widget for widget in told.widgets if widget.press] == [
            widget for widget in shown.widgets if widget.press
        ]
        assert told.key == shown.key


class Glass:
    """A display that keeps what was drawn."""

    has_input = False

    def __init__(self) -> None:
        self.drawn: list[Screen] = []

    def draw(self, shown: Screen, *_: object) -> bool:
        self.drawn.append(shown)
        return True


def test_it_stands_there_until_the_panel_is_found_again(tmp_path: object, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    glass = Glass()
    service = ScreenService(tmp_path / "table.sock", glass, SEVEN_INCH, Watchdog({}))  # type: ignore[operator, arg-type]
    seen = []
    for signal in (DeviceFound("touch panel"), DeviceLost("touch panel", "unplugged"), DeviceFound("touch panel")):
        service.put(signal)
        service._turn()
        seen.append(any(widget.id == "no-touch" for widget in glass.drawn[-1].widgets))
    assert seen == [False, True, False]
    assert glass.drawn[-1] == no_table(SEVEN_INCH)
    assert [record.getMessage() for record in caplog.records] == [
        "touch panel found",
        "touch panel lost: unplugged",
        "touch panel found",
    ]
