"""Bet sensors, lamps, the lockout switch and wagering buttons on the pins of a Raspberry Pi: the one door to gpiozero.

Wiring, chosen so that a cut wire, a dead Pi and a program that is not running all mean "locked" and "dark":
  - A seat's sensor and the lockout switch close to ground; the pull-up makes an open line high. Sensor low: a chip
    covers it. Lockout low (normally closed contact): bets may be open; high (switch turned, or wire cut): locked.
  - A wagering button closes to ground while it is pressed: a cut wire is a button that nobody presses.
  - A lamp is driven active high through a transistor with a pull-down. The lock line too: high means bets are open.

No debounce is asked of gpiozero: its mock ignores bounce time and its real pins lose edges (gpiozero#550, #697, #1039).
Edges come from the pin's own `when_changed`, the only callback that carries a time stamp.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hal.buttons import DEBOUNCE_NS, ButtonWatch
from hal.ports import LOCKOUT, NEXT_KEY, UNLIT, Button, DeviceFound, DeviceLost, Edge, Lamp, Level, Put

DEVICE = "gpio"
BLINK_S = {Lamp.LATE: 0.5, Lamp.FAULT: 0.125}
"""Half a period: late blinks slowly, fault fast."""
NO_PINS: Mapping[Button, int] = MappingProxyType({})

_Place = int | Button
"""What a pin belongs to: a line (a seat, the lockout), or a button."""


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
    """`hal.ports.SensorsAndLamps` on pins.

    seat_pins, lamp_pins: GPIO number by seat (1 to n); lockout_pin, lock_output_pin: GPIO numbers, None at a table that
    has no switch and no lock line.
    buttons, button_lamps: GPIO number of each wagering button and of the lamp in it, if there is one.
    button_debounce_ns: how long a press must hold.
    pin_factory: a gpiozero factory; None takes lgpio, and fails where there is none (no falling from one to the next).
    """

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
    ) -> None:
        self._put = put
        self._button_lamps = dict(button_lamps)
        self._lamps = tuple(lamp_pins)
        self._input_pins: dict[_Place, int] = dict(_lockout(lockout_pin))
        self._input_pins |= dict([*seat_pins.items(), *buttons.items()])
        self._output_pins: dict[_Place, int] = dict(_lockout(lock_output_pin))
        self._output_pins |= dict([*lamp_pins.items(), *self._button_lamps.items()])
        used = [*self._input_pins.values(), *self._output_pins.values()]
        if twice := {pin for pin in used if used.count(pin) > 1}:
            raise PinFault(
                f"GPIO{min(twice)} is used twice; give each sensor, button and lamp its own pin in table.toml"
            )
        self._factory = pin_factory
        self._inputs: dict[_Place, _Input] = {}
        self._outputs: dict[_Place, Any] = {}
        self._gate = threading.RLock()
        """Held while the first levels are put, so that no edge comes before them, and while a lamp is written."""
        self._lost: set[str] = set()
        """What failed and did not work again since: reading, writing."""
        self._shown: dict[int, Lamp] = {}
        self._buttons_shown = UNLIT
        self._locked = True
        self._buttons = ButtonWatch(put, button_debounce_ns, self._pressed, self._gate)
        self._blinking = threading.Condition(self._gate)
        self._blink_began_s = 0.0
        self._closed = False
        self._blinker = threading.Thread(target=self._blink, name="lamps", daemon=True)

    def start(self) -> None:
        """Take the pins, dark and locked; put DeviceFound and all levels. Raises PinFault if a pin cannot be had."""
        with self._gate:
            factory = self._factory if self._factory is not None else _lgpio()
            for place, number in self._output_pins.items():
                self._outputs[place] = self._claim(factory, number, place, output=True)
            for place, number in self._input_pins.items():
                pin = self._claim(factory, number, place, output=False)
                self._inputs[place] = _Input(place, pin, self._edge)
            self._put(DeviceFound(DEVICE))
            self.read()
            self.show(self._shown, locked=self._locked, buttons=self._buttons_shown)
            self._blinker.start()

    def read(self) -> None:
        """Put the level of every line now, or DeviceLost if one cannot be read (all of them then count as unknown)."""
        with self._gate:
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

    def show(self, lamps: Mapping[int, Lamp], *, locked: bool, buttons: Mapping[Button, bool] = UNLIT) -> None:
        """Make the lamps and the lock line so; the pins are written also when nothing is new."""
        with self._gate:
            shown = {seat: lamps.get(seat, Lamp.DARK) for seat in self._lamps}
            began_blinking = any(lamp in BLINK_S and self._shown.get(seat) != lamp for seat, lamp in shown.items())
            self._shown, self._locked, self._buttons_shown = shown, locked, dict(buttons)
            if not self._outputs:
                return  # told before the start, or after the end
            levels: dict[_Place, bool] = {
                LOCKOUT: not locked,
                **{seat: lamp is Lamp.LIT for seat, lamp in shown.items() if lamp not in BLINK_S},
                **{button: buttons.get(button, False) for button in self._button_lamps},
            }
            written = [self._write(place, high) for place, high in levels.items() if place in self._outputs]
            if all(written) and self._works("writing"):
                self.read()
            if began_blinking:
                self._blink_began_s = time.monotonic()
                self._blinking.notify()

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
                    self._lose("writing", f"{pin!r} cannot be given back", error)
            self._inputs, self._outputs = {}, {}
        if self._blinker.is_alive():
            self._blinker.join()

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

    def _blink(self) -> None:
        """Late and fault lamps follow the time since the last of them began; without any, this thread sleeps."""
        with self._gate:
            while not self._closed:
                blinking = {line: BLINK_S[lamp] for line, lamp in self._shown.items() if lamp in BLINK_S}
                passed_s = time.monotonic() - self._blink_began_s
                for line, half_s in blinking.items():
                    self._write(line, int(passed_s / half_s) % 2 == 0)
                next_s = min((half_s - passed_s % half_s for half_s in blinking.values()), default=None)
                self._blinking.wait(next_s)

    def _write(self, place: _Place, high: bool) -> bool:
        """True where the pin took it."""
        try:
            self._outputs[place].state = high
        except Exception as error:  # see _read()
            self._lose("writing", f"{_name(place)}'s output GPIO{self._output_pins[place]} cannot be written", error)
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
        """Told once, until everything works again."""
        told = bool(self._lost)
        self._lost.add(what)
        if not told:
            self._put(
                DeviceLost(DEVICE, f"{place}: {error}; check the GPIO chip and its driver, then restart the table")
            )

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


def _lockout(pin: int | None) -> list[tuple[_Place, int]]:
    return [] if pin is None else [(LOCKOUT, pin)]


def _name(place: _Place) -> str:
    if place == NEXT_KEY:
        return "the NEXT key"
    if isinstance(place, tuple):
        return f"seat {place[0]}'s {place[1]} button"
    return "the lockout" if place == LOCKOUT else f"seat {place}"


def _lgpio() -> Any:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # needs lgpio, which only a device has

        return LGPIOFactory()
    except Exception as error:  # see GpioTable._read(); without hardware a table runs on `felt cabinet`
        raise PinFault(f"no GPIO here: {error}; install felt[device] on a Raspberry Pi, or use a cabinet") from error
