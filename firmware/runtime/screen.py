"""The screen's process: draws what the table says, sends taps. It holds nothing, so it may be killed at any time."""

from __future__ import annotations

import json
import logging
import queue
import time
from collections.abc import Callable
from pathlib import Path

from firmware.rules.message import say
from firmware.runtime import garbage
from firmware.runtime.glass import FingerDown, Frame, TapArrived
from firmware.runtime.glass_client import GlassClient, TableGone
from firmware.runtime.stopping import stop_all
from hal.cabinet.world import World, WorldFault, WorldState
from hal.ports import Complaint, DeviceFound, DeviceLost
from hal.touch import Touch as PanelTouch
from hal.watchdog import Watchdog
from hal.workers import revived
from ui.dealer.cabinet_view import HEIGHT_MM, CabinetState, cabinet_screen, press_of_letter
from ui.dealer.display import Closed, Display, Typed
from ui.dealer.frame import frame_of
from ui.dealer.gesture import GUARD_MS, Contact, Gesture, Tap, Touch
from ui.dealer.no_touch import without_touch
from ui.dealer.panels import Panel
from ui.dealer.widgets import Line, Screen, Shape, Tone, Widget
from ui.words import ENGLISH, Words

log = logging.getLogger("felt.screen")

FRAME_S = 1 / 60
CABINET_S = 0.2
IDLE_S = 1.0
PANEL_FINGER = 0


def no_table(panel: Panel, words: Words = ENGLISH) -> Screen:
    """The screen's own words while no table speaks to it."""
    frame = frame_of(panel)
    area = frame.page.foot(frame.page.h / 6)[0].top(frame.page.h / 6)[1]
    lines = (
        Line(words(say("no-table.silent")), "key", Tone.STOP, "center"),
        Line(words(say("no-table.locked")), "body", Tone.PLAIN, "center"),
        Line(words(say("no-table.restarts")), "body", Tone.MUTED, "center"),
    )
    tile = Widget("no-table", area.x, area.y, area.w, area.h, lines, fill="tile", border=Tone.STOP)
    return Screen("no-table", "no-table", (tile,))


FACES = ("deal", "reveal", "settle", "void", "empty", "shuffle")
"""Kinds of screen that ask for different things by turns; which one, their primary key says."""


def kind_of(shown: Screen) -> str:
    """The name of a picture: that of its screen, and of its face if there are several (`settle-clear`)."""
    if shown.name not in FACES:
        return shown.name
    press = next((widget.press for widget in shown.widgets if widget.id == "primary"), "").partition(" ")[0]
    return f"{shown.name}-{press or 'asked'}"


class Pictures:
    """Writes one picture of every kind of screen: the fullest of its kind."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._fullest: dict[str, int] = {}

    def take(self, shown: Screen, save: Callable[[Path], None]) -> None:
        """Keep this one if more is to be seen on it than on the last of its kind."""
        marks = sum(widget.shape not in (Shape.NONE, Shape.RING) for widget in shown.widgets)
        words = sum(len(line.text) for widget in shown.widgets for line in widget.lines)
        fullness = 1000 * marks + words
        kind = kind_of(shown)
        if fullness > self._fullest.get(kind, 0):
            self._fullest[kind] = fullness
            save(self._folder / f"dealer-{kind}.png")


class Trace:
    """For a test bench: one line of JSON for every frame that was drawn, with its time (ns of CLOCK_MONOTONIC)."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)

    def drawn(self, shown: Screen) -> None:
        """This is on the glass now."""
        line = {"screen": shown.name, "key": shown.key, "drawn_ns": time.monotonic_ns()}
        self._file.write(json.dumps(line) + "\n")


class CabinetWindow:
    """The simulated cabinet below the screen: what the mouse and the keyboard do there is done in the world."""

    def __init__(self, world: World, panel: Panel) -> None:
        self._world, self._panel = world, panel
        self._state = CabinetState()
        self._looked = 0.0

    def look(self, now: float) -> Screen:
        """The cabinet as it is, looked at a few times a second."""
        if now - self._looked >= CABINET_S:
            self._looked = now
            self._state = cabinet_state(self._world.state())
        return cabinet_screen(self._state, self._panel)

    def letter(self, letter: str) -> None:
        """A shortcut."""
        word = press_of_letter(letter, self._state)
        if word:
            self.do(word)

    def do(self, word: str) -> None:
        """Do what a key of the cabinet says."""
        world, state = self._world, self._state
        verb, _, rest = word.partition(" ")
        acts: dict[str, Callable[[], object]] = {
            "place": lambda: world.place(int(rest)),
            "take": lambda: world.take(int(rest)),
            "next": world.next_key,
            "lockout": lambda: world.lockout(not state.switch_locked),
            "wire": lambda: world.mend_wire() if state.wire_cut else world.cut_wire(),
            "jam": lambda: world.clear_jam() if state.jammed else world.jam(),
            "door": lambda: world.door(not state.door_open),
            "unplug": lambda: world.unplug() if state.plugged else world.replug(),
            "button": lambda: world.button(int(rest.split()[0]), rest.split()[1]),
            "swap": world.swap_deck,
            "load": lambda: world.load(state.deck),
            "card": world.take_card,
            "deal": lambda: world.deal(2),
            "sort": lambda: world.sort(not state.sorting),
            "service": lambda: world.service(not state.in_service),
            "empty": world.empty,
            "badge": lambda: world.badge(rest),
        }
        try:
            acts[verb]()
        except WorldFault as error:
            log.warning("the cabinet refused %r: %s", word, error)
        self._looked = 0.0


def cabinet_state(world: WorldState) -> CabinetState:
    """The world as the picture of the cabinet wants it."""
    unit = world.shuffler
    count = "" if unit.count is None else f" {unit.count}"
    return CabinetState(
        seats=world.seats,
        sensors=world.sensors,
        lockout=world.lockout,
        buttons=world.buttons,
        buttons_down=frozenset(button for button, down in world.buttons_down.items() if down),
        chips=frozenset(seat for seat, lies in world.chips.items() if lies),
        lamps={seat: str(lamp) for seat, lamp in world.lamps.items()},
        switch_locked=world.lockout_locked,
        wire_cut=world.wire_cut,
        lock_line=world.locked,
        jammed=unit.fault == "jam",
        door_open=unit.fault == "door",
        plugged=world.plugged,
        sorting=unit.mode == "sort",
        in_service=unit.mode == "service",
        shoe=world.shoe,
        deck=unit.deck,
        shuffler=f"{unit.fault or unit.mode}{count} {unit.deck}".strip() if world.plugged else "unplugged",
    )


class ScreenService:
    """One running screen. Built by `firmware.commands.screen`; a touch panel is opened with its `put`."""

    def __init__(
        self,
        socket: Path,
        display: Display,
        panel: Panel,
        watchdog: Watchdog,
        pictures: Pictures | None = None,
        cabinet: CabinetWindow | None = None,
        trace: Trace | None = None,
        words: Words = ENGLISH,
    ) -> None:
        self._words = words
        self._display, self._panel, self._watchdog = display, panel, watchdog
        self._pictures, self._cabinet, self._trace = pictures, cabinet, trace
        self._inbox: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._table: GlassClient[Frame] = GlassClient(socket, "screen", Frame, self._inbox.put)
        self._frame = frame_of(panel)
        self._shown = no_table(self._panel, self._words)
        self._guard_ms = GUARD_MS
        self._gesture = Gesture()
        self._cabinet_gesture = Gesture(guard_ms=0, again_ms=0)
        self._touch_lost = False
        self._running = True

    @property
    def put(self) -> Callable[[object], None]:
        """The queue for the touches of a touch panel."""
        return self._inbox.put

    def stop(self) -> None:
        """End the loop after this turn."""
        self._running = False
        self._inbox.put(None)

    def run(self) -> None:
        """Turn until stopped or until the window is closed."""
        self._table.start()
        self._draw(time.monotonic_ns())
        self._watchdog.ready()
        try:
            with garbage.kept_out():
                while self._running:
                    self._turn()
        finally:
            stop_all(self._table.close, self._display.close)

    def _turn(self) -> None:
        if self._inbox.empty():
            garbage.sweep()
        try:
            self._take(self._inbox.get(timeout=self._pause_s()))
            while True:
                self._take(self._inbox.get_nowait())
        except queue.Empty:
            pass
        for ended in revived(time.monotonic_ns()):
            log.warning("%s: %s", ended.place, ended.text)
        if self._display.has_input:
            for felt in self._display.poll():
                self._felt(felt)
        self._draw(time.monotonic_ns())
        self._watchdog.pet()

    def _pause_s(self) -> float:
        """A window must be asked for its events; a finger on a key to be held makes its progress move."""
        if self._display.has_input or self._gesture.pressed(time.monotonic_ns()) is not None:
            return FRAME_S
        return IDLE_S

    def _take(self, signal: object) -> None:
        now_ns = time.monotonic_ns()
        match signal:
            case Frame():
                if signal.guard_ms != self._guard_ms:
                    self._guard_ms, self._gesture = signal.guard_ms, Gesture(guard_ms=signal.guard_ms)
                self._show(signal.screen, now_ns)
            case TableGone():
                self._show(no_table(self._panel, self._words), now_ns)
            case PanelTouch():
                touch = Touch.DOWN if signal.down else Touch.UP
                self._felt(Contact(touch, PANEL_FINGER, signal.x_mm, signal.y_mm, signal.at_ns))
            case DeviceLost(device, text):
                self._touch_lost = True
                log.warning("%s lost: %s", device, text)
            case DeviceFound(device):
                self._touch_lost = False
                log.info("%s found", device)
            case Complaint(place, text):
                log.warning("%s: %s", place, text)

    def _show(self, screen: Screen, now_ns: int) -> None:
        self._shown = screen
        self._gesture.show(screen, now_ns)

    def _felt(self, felt: object) -> None:
        match felt:
            case Contact() if felt.y_mm < self._panel.height_mm:
                self._cabinet_gesture.feel(felt)
                self._press(self._gesture.feel(felt))
                if self._gesture.begins_hold(felt):
                    self._table.finger_down(FingerDown(self._shown.key, felt.x_mm, felt.y_mm))
            case Contact():
                self._gesture.feel(felt)
                below = Contact(felt.touch, felt.finger, felt.x_mm, felt.y_mm - self._panel.height_mm, felt.at_ns)
                tap = self._cabinet_gesture.feel(below)
                if tap is not None and self._cabinet is not None:
                    self._cabinet.do(tap.press)
            case Typed() if self._cabinet is not None:
                self._cabinet.letter(felt.letter)
            case Closed():
                self.stop()

    def _press(self, tap: Tap | None) -> None:
        if tap is not None:
            self._table.tap(TapArrived(tap.screen_key, tap.x_mm, tap.y_mm, tap.held_ms, tap.at_ns))

    def _draw(self, now_ns: int) -> None:
        below = None
        if self._cabinet is not None:
            below = self._cabinet.look(now_ns / 1e9)
            self._cabinet_gesture.show(below, now_ns)
        pressed = self._gesture.pressed(now_ns)
        shown = without_touch(self._shown, self._frame, self._words) if self._touch_lost else self._shown
        if not self._display.draw(shown, pressed, below, self._cabinet_gesture.pressed(now_ns)):
            return
        if self._trace:
            self._trace.drawn(self._shown)
        if self._pictures:
            self._pictures.take(self._shown, self._display.save_png)


def extra_height_px(panel: Panel, *, cabinet: bool) -> int:
    """How much taller the window is with the cabinet below."""
    return panel.y_px(HEIGHT_MM) if cabinet else 0
