"""The addition of the screen's own process to the table's words. It draws and knows no law, so it imports none."""

from __future__ import annotations

from firmware.rules.message import say
from firmware.wire.structs import replace
from ui.dealer.frame import Area, Frame
from ui.dealer.widgets import Line, Screen, Tone, Widget
from ui.words import ENGLISH, Words


def status_areas(frame: Frame) -> tuple[Area, Area]:
    """The status bar: the table's key at its right end, and what stands beside it."""
    rest, name = frame.status.side(20.0 if frame.upright else frame.for_words(22.0), 0.5)
    return name, rest


def without_touch(shown: Screen, frame: Frame, words: Words = ENGLISH) -> Screen:
    """The same screen, with a notice beside the table's key that the panel feels no finger."""
    _, area = status_areas(frame)
    above = [
        one for one in shown.widgets if not (one.x + one.w <= area.right + 0.01 and one.y + one.h <= area.bottom + 0.01)
    ]
    said = Line(words(say("screen.no-touch")), "small", Tone.STOP)
    told = Widget("no-touch", area.x, area.y, area.w, area.h, (said,), fill="tile", border=Tone.STOP)
    return replace(shown, widgets=(*above, told))
