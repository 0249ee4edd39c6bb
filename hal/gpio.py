"""Bet sensors, lamps, the lockout switch and wagering buttons on the pins of a Raspberry Pi: the one door to gpiozero.

Wiring, chosen so that a cut wire, a dead Pi and a program that is not running all mean "locked" and "dark":
  - A seat's sensor and the lockout switch close to ground; the pull-up makes an open line high. Sensor low: a chip
    covers it. Lockout low (normally closed contact): bets may be open; high (switch turned, or wire cut): locked.
  - A wagering button closes to ground while it is pressed: a cut wire is a button that nobody presses.
  - A lamp is driven active high through a transistor with a pull-down. The lock line too: high means bets are open.
    A dynamic lock line says so by a square wave, and either level that stands still means locked.

No debounce is asked of gpiozero: its mock ignores bounce time and its real pins lose edges (gpiozero#550, #697, #1039).
Edges come from the pin's own `when_changed`, the only callback that carries a time stamp.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from hal import chips
from hal.buttons import DEBOUNCE_NS, ButtonWatch
from hal.chips import HEADERS, NoChip, await_rights
from hal.ports import LOCKOUT, NEXT_KEY, UNLIT, Button, DeviceDead, DeviceFound, DeviceLost, Edge, Lamp, Level, Put
from hal.workers import Worker

DEVICE = "gpio"
BLINK_S = {Lamp.LATE: 0.5, Lamp.FAULT: 0.125}
"""Half a period: late blinks slowly, fault fast."""
RETRY_S = 1.0
"""How often a chip that is not there is looked for."""
DEAD_NS = 400_000_000
"""Pins that fail for so long are of a chip that is gone: an open chip never comes back, its successor is another device."""
LIBRARIES = ("gpiozero", "lgpio")
"""A thread of theirs is started once in a process: where it has ended, only a new process has one again."""
ALIVE_S = 2.0
"""Seconds that a dynamic lock line goes on waving after its last order. The table repeats the order every second."""
LAMPS, LOCK_LINE, BUTTONS = "lamps", "lock line", "buttons"
"""The ports that are written."""
NO_PINS: Mapping[Button, int] = MappingProxyType({})

_Place = int | Button
"""The owner of a pin: a line (a seat, the lockout), or a button."""


class PinFault(Exception):
    """A pin of table.toml cannot be had; the text says which and what to do."""


def monotonic_ns(ticks_s: float) -> int:
    """The time stamp of an edge on CLOCK_MONOTONIC, in nanoseconds, never later than now.

    ticks_s: what gpiozero hands to `when_changed`, seconds of a clock it does not name. With lgpio it is the kernel's
    stamp: CLOCK_REALTIME before Linux 5.7 and CLOCK_MONOTONIC since (lgpio's manual: "a kernel dependent origin");
    other factories use time.monotonic(). The two lie decades apart and an edge is young, so the nearer clock is it.
    """
    now_ns, ticks_ns = time.monotonic_ns(), round(ticks_s * 1e9)
    ahead_ns = time.time_ns() - now_ns
    if abs(ticks_ns - ahead_ns - now_ns) < abs(ticks_ns - now_ns):
        ticks_ns -= ahead_ns
    return min(ticks_ns, now_ns)


class GpioTable:
    """`hal.ports.Whole` on pins, or so much of it as has pins.

    seat_pins, lamp_pins: GPIO number by seat (1 to n); lockout_pin, lock_output_pin: GPIO numbers, None at a table that
    has no switch and no lock line.
    buttons, button_lamps: GPIO number of each wagering button and of the lamp in it, if there is one.
    button_debounce_ns: how long a press must hold.
    pin_factory: a gpiozero factory; None takes lgpio, and fails where there is none (no falling from one to the next).
    chip_labels: the header's chip, for lgpio.
    lock_wave_hz: the lock line says "open" by a wave of this frequency, and not by a level; 0: by the level.
    """

    name = DEVICE

    def __init__(
        self,
        put: Put,
        seat_pins: Mapping[int, int],
        lamp_pins: Mapping[int, int],
        lockout_pin: int | None,
        lock_output_pin: int | None,
        pin_factory: Any = None,
        *,
        buttons: Mapping[Button, int] = NO_PINS,
        button_lamps: Mapping[Button, int] = NO_PINS,
        button_debounce_ns: int = DEBOUNCE_NS,
        chip_labels: Sequence[str] = HEADERS,
        lock_wave_hz: int = 0,
    ) -> None:
        self._put = put
        self._wave = _Wave(lock_wave_hz)
        self._button_lamps = dict(button_lamps)
        self._lamps = tuple(lamp_pins)
        self._input_pins = _pins(lockout_pin, seat_pins, buttons)
        self._output_pins = _pins(lock_output_pin, lamp_pins, self._button_lamps)
        used = [*self._input_pins.values(), *self._output_pins.values()]
        if twice := {pin for pin in used if used.count(pin) > 1}:
            raise PinFault(
                f"GPIO{min(twice)} is used twice; give each sensor, button and lamp its own pin in table.toml"
            )
        self._factory, self._chip_labels = pin_factory, tuple(chip_labels)
        self._inputs: dict[_Place, _Input] = {}
        self._outputs: dict[_Place, Any] = {}
        self._gate = threading.RLock()
        """Held while the first levels are put, so that no edge comes before them, and while a lamp is written."""
        self._lost: set[str] = set()
        """Parts that failed and have not worked since: reading, or a port that is written."""
        self._lost_ns = 0
        """When the first of them did."""
        self._dead = False
        self._missed = False
        """There was no chip at the start."""
        self._shown: dict[int, Lamp] = {}
        self._buttons_shown = UNLIT
        self._locked = True
        self._buttons = ButtonWatch(put, button_debounce_ns, self._pressed, self._gate)
        self._blinking = threading.Condition(self._gate)
        self._blink_began_s = 0.0
        self._closed = False
        self._blinker = Worker("lamps", self._run)
        self._theirs: list[threading.Thread] = []
        """The threads of the libraries that hear the pins."""

    def start(self) -> None:
        """Take the pins, dark and locked; put DeviceFound and all levels. Raises PinFault if a pin cannot be had.

        Without the chip `DeviceLost` is put, and it is taken as soon as it is there.
        """
        with self._gate:
            self._take()
            self._blinker.start()

    def _take(self) -> None:
        """Take the pins if their chip is there; a chip that is not is told once."""
        try:
            factory = self._factory if self._factory is not None else _lgpio(self._chip_labels)
        except NoChip as error:
            if not self._missed:
                self._put(DeviceLost(DEVICE, str(error)))
            self._missed = True
            return
        for place, number in self._output_pins.items():
            self._outputs[place] = self._claim(factory, number, place, output=True)
        for place, number in self._input_pins.items():
            pin = self._claim(factory, number, place, output=False)
            self._inputs[place] = _Input(place, pin, self._edge)
        self._theirs = [one for one in threading.enumerate() if type(one).__module__.partition(".")[0] in LIBRARIES]
        self._put(DeviceFound(DEVICE))
        self.read()
        self.lock(self._locked)
        self.light(self._shown)
        self.light_buttons(self._buttons_shown)

    def read(self) -> None:
        """Put the level of every line now, or DeviceLost if one cannot be read (all of them then count as unknown).

        DeviceDead follows if that stays so.
        """
        with self._gate:
            if not self._inputs:
                return  # not started, without a chip, or ended
            if dead := next((one.name for one in self._theirs if not one.is_alive()), ""):
                self._die(f"the library's thread {dead!r} has ended: no edge is heard any more")
            levels: list[Level] = []
            contacts: list[tuple[Button, bool]] = []
            for place in self._inputs:
                on = self._read(place)
                if on is None:
                    self._buttons.forget()
                    return
                if isinstance(place, int):
                    levels.append(Level(place, on, time.monotonic_ns()))
                else:
                    contacts.append((place, on))
            self._works("reading")
            for level in levels:
                self._put(level)
            for button, on in contacts:
                self._buttons.read(button, on)

    def light(self, lamps: Mapping[int, Lamp]) -> None:
        """Make the lamps so; the pins are written also when nothing is new, here and below."""
        with self._gate:
            shown = {seat: lamps.get(seat, Lamp.DARK) for seat in self._lamps}
            began = any(lamp in BLINK_S and self._shown.get(seat) != lamp for seat, lamp in shown.items())
            self._shown = shown
            self._set(LAMPS, {seat: lamp is Lamp.LIT for seat, lamp in shown.items() if lamp not in BLINK_S})
            if began and self._outputs:
                self._blink_began_s = time.monotonic()
                self._blinking.notify()

    def lock(self, locked: bool) -> None:
        """Make the lock line so."""
        with self._gate:
            began = self._wave.tell(time.monotonic(), locked=locked)
            self._locked = locked
            self._set(LOCK_LINE, {} if self._wave.half_s and not locked else {LOCKOUT: not locked})
            if began and self._outputs:
                self._blinking.notify()

    def light_buttons(self, lit: Mapping[Button, bool]) -> None:
        """Make the lamps of the buttons so."""
        with self._gate:
            self._buttons_shown = dict(lit)
            self._set(BUTTONS, {button: lit.get(button, False) for button in self._button_lamps})

    def _set(self, port: str, levels: Mapping[int, bool] | Mapping[Button, bool]) -> None:
        """Write the pins of a port; before the start and after the end there are none."""
        written = [self._write(place, high) for place, high in levels.items() if place in self._outputs]
        if self._outputs and all(written) and self._works(port):
            self.read()

    def close(self) -> None:
        """Lamps dark, lock line locked, pins given back."""
        self._buttons.close()
        with self._gate:
            self._closed = True
            self._blinking.notify()
            for place in self._outputs:
                self._write(place, False)
            for pin in [*(watched.pin for watched in self._inputs.values()), *self._outputs.values()]:
                try:
                    pin.close()
                except Exception as error:  # see _read(); a chip that is gone cannot be given back
                    self._lose("closing", f"{pin!r} cannot be given back", error)
            self._inputs, self._outputs = {}, {}
        self._blinker.end()

    def _edge(self, place: _Place, high: bool, ticks_s: float) -> None:
        """Called on the backend's thread: only put."""
        at_ns = monotonic_ns(ticks_s)
        with self._gate:
            if self._closed:
                return
            if isinstance(place, int):
                self._put(Edge(place, not high, at_ns))
            else:
                self._buttons.edge(place, not high, at_ns)

    def _pressed(self, button: Button) -> bool | None:
        return self._read(button) if button in self._inputs else None

    def _read(self, place: _Place) -> bool | None:
        """The level of a pin; None where it cannot be had, which is told."""
        try:
            return self._inputs[place].on
        except Exception as error:  # each backend raises its own kind: lgpio.error is a bare Exception
            self._lose("reading", f"{_name(place)} cannot be read on GPIO{self._input_pins[place]}", error)
            return None

    def _run(self) -> None:
        """Look for a chip that was not there, then blink."""
        with self._gate:
            while not self._closed and not self._inputs:
                self._blinking.wait(RETRY_S)
                if not self._closed:
                    self._take_late()
        self._blink()

    def _take_late(self) -> None:
        try:
            self._take()
        except PinFault as error:  # as at the start: another program has the pin, or table.toml names a wrong one
            self._die(str(error))
            self._closed = True

    def _blink(self) -> None:
        """Late and fault lamps follow the time since the last of them began; without any, this thread sleeps.

        So does the wave of a dynamic lock line, for as long as it is told that bets are open.
        """
        with self._gate:
            while not self._closed:
                blinking = {line: BLINK_S[lamp] for line, lamp in self._shown.items() if lamp in BLINK_S}
                passed_s = time.monotonic() - self._blink_began_s
                for line, half_s in blinking.items():
                    self._write(line, int(passed_s / half_s) % 2 == 0)
                pauses_s = [half_s - passed_s % half_s for half_s in blinking.values()]
                pauses_s += self._waved(time.monotonic())
                self._blinking.wait(min(pauses_s, default=None))

    def _waved(self, now_s: float) -> list[float]:
        """Give the lock line its next edge when that is due; how long until the next one, where there is one."""
        if LOCKOUT not in self._outputs or not self._wave.half_s:
            return []
        high = self._wave.next_level(now_s)
        if high is not None:
            self._write(LOCKOUT, high)
        return [max(0.0, self._wave.due_s - now_s)] if self._wave.is_up else []

    def _write(self, place: _Place, high: bool) -> bool:
        """True where the pin took it."""
        try:
            self._outputs[place].state = high
        except Exception as error:  # see _read()
            port = BUTTONS if isinstance(place, tuple) else LOCK_LINE if place == LOCKOUT else LAMPS
            self._lose(port, f"{_name(place)}'s output GPIO{self._output_pins[place]} cannot be written", error)
            return False
        return True

    def _works(self, what: str) -> bool:
        """It may have failed before; once nothing fails any more the device counts as found: True then."""
        if what not in self._lost:
            return False
        self._lost.discard(what)
        if self._lost:
            return False
        self._put(DeviceFound(DEVICE))
        return True

    def _lose(self, what: str, place: str, error: Exception) -> None:
        """Told once, until everything works again; if that does not happen soon, the chip is gone for good."""
        text, now_ns = f"{place}: {error}; check the GPIO chip and its driver", time.monotonic_ns()
        if not self._lost:
            self._lost_ns = now_ns
            self._put(DeviceLost(DEVICE, text))
        elif now_ns - self._lost_ns >= DEAD_NS:
            self._die(text)
        self._lost.add(what)

    def _die(self, text: str) -> None:
        if not self._dead and not self._closed:
            self._dead = True
            self._put(DeviceDead(DEVICE, text))

    def _claim(self, factory: Any, number: int, place: _Place, *, output: bool) -> Any:
        try:
            pin = factory.pin(number)
            if output:
                pin.output_with_state(False)
            else:
                pin.input_with_pull("up")
        except Exception as error:  # see _read(); here it is configuration, and the message must name the place
            kind = "output" if output else "sensor" if isinstance(place, int) else "contact"
            raise PinFault(f"GPIO{number}, {_name(place)}'s {kind}: {error}; correct its pin in table.toml") from error
        return pin


class _Wave:
    """When a dynamic lock line has its edges. Pure but for being told the time; half_s: half a period, 0 for no wave.

    Every wake gives an edge, however late it comes, so that a busy machine makes the wave slower and never still.
    """

    def __init__(self, hertz: int) -> None:
        self.half_s = 0.5 / hertz if hertz else 0.0
        self.is_up = False
        """It is told to wave, and was not forgotten since."""
        self.due_s = 0.0
        self._told_s = 0.0
        self._high = False

    def tell(self, now_s: float, *, locked: bool) -> bool:
        """Set what the line says from now on. True if the wave begins."""
        began = bool(self.half_s) and not locked and not self.is_up
        self._told_s, self.is_up = now_s, bool(self.half_s) and not locked
        if began or locked:
            self._high, self.due_s = False, now_s
        return began

    def next_level(self, now_s: float) -> bool | None:
        """The level to write now; None if the next edge is still to come, or there is no wave.

        Low once if nobody has ordered the wave for ALIVE_S: the table hangs.
        """
        if not self.is_up or now_s < self.due_s:
            return None
        if now_s - self._told_s >= ALIVE_S:
            self.is_up = self._high = False
            return False
        self._high, self.due_s = not self._high, now_s + self.half_s
        return self._high


class _Input:
    """One watched pin. gpiozero refers to a callback only weakly, so somebody must keep the object it belongs to."""

    def __init__(self, place: _Place, pin: Any, edge: Any) -> None:
        self.pin = pin
        self._place = place
        self._edge = edge
        pin.when_changed = self._changed

    @property
    def on(self) -> bool:
        """Low is on: a chip covers the sensor, the lockout contact is closed, or the button is down."""
        return not self.pin.state

    def _changed(self, ticks_s: float, high: int) -> None:
        self._edge(self._place, bool(high), ticks_s)


def _pins(lockout: int | None, seats: Mapping[int, int], buttons: Mapping[Button, int]) -> dict[_Place, int]:
    pins: dict[_Place, int] = {} if lockout is None else {LOCKOUT: lockout}
    pins.update(seats.items())
    pins.update(buttons.items())
    return pins


def _name(place: _Place) -> str:
    if place == NEXT_KEY:
        return "the NEXT key"
    if isinstance(place, tuple):
        return f"seat {place[0]}'s {place[1]} button"
    return "the lockout" if place == LOCKOUT else f"seat {place}"


def make_safe(pins: Iterable[int], labels: Sequence[str] = HEADERS) -> list[str]:
    """Drive these outputs low, in their order, and leave them so; what could not be done, one sentence a pin.

    For the time in which no table runs: no claim outlives this process, so what is low stays low or, as an input, is
    pulled down. A pin that a running table holds is not taken from it. At boot it waits until it may open the chip.
    Raises NoChip, PinFault.
    """
    await_rights()
    factory = _lgpio(labels)
    failed = []
    for number in pins:
        try:
            factory.pin(number).output_with_state(False)
        except Exception as error:  # see GpioTable._read()
            failed.append(f"GPIO{number}: {error}")
    return failed


@dataclass(frozen=True, slots=True)
class Tried:
    """The readings of one pin while it was held. `fault`: why it could not be, and then nothing else is known."""

    fault: str = ""
    pull: str = ""
    high: bool | None = None


class TriedPins:
    """Pins taken one by one to look at them, while no table runs. All are given back by `close`, outputs low.

    Raises NoChip, PinFault.
    """

    def __init__(self, labels: Sequence[str] = HEADERS, pin_factory: Any = None) -> None:
        self._factory = pin_factory if pin_factory is not None else _lgpio(labels)
        self._pins: dict[int, Any] = {}
        self._driven: set[int] = set()

    def listen(self, number: int) -> Tried:
        """Take an input with its pull-up, or look at it again: the bias that the kernel says it has, and the level."""
        try:
            pin = self._pins.get(number)
            if pin is None:
                pin = self._pins[number] = self._factory.pin(number)
                pin.input_with_pull("up")
            return Tried(pull=str(pin.pull), high=bool(pin.state))
        except Exception as error:  # see GpioTable._read()
            return Tried(fault=str(error))

    def drive(self, number: int, high: bool) -> Tried:
        """Take an output, or drive it again, and read back what is on the wire."""
        try:
            pin = self._pins.get(number)
            if pin is None:
                pin = self._pins[number] = self._factory.pin(number)
                pin.output_with_state(False)
                self._driven.add(number)
            pin.state = high
            return Tried(high=bool(pin.state))
        except Exception as error:  # see GpioTable._read()
            return Tried(fault=str(error))

    def close(self) -> None:
        """Dark and locked, and given back."""
        for number in self._driven:
            self.drive(number, False)
        self._factory.close()


def _lgpio(labels: Sequence[str]) -> Any:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # needs lgpio, which only a device has
    except Exception as error:  # see GpioTable._read(); without hardware a table runs on `felt cabinet`
        raise PinFault(f"no GPIO here: {error}; install felt[device] on a Raspberry Pi, or use a cabinet") from error
    number = chips.find(labels)
    try:
        return LGPIOFactory(chip=number)
    except Exception as error:
        raise NoChip(f"{chips.DEV}/gpiochip{number}: {error}") from error
