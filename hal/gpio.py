"""Bet sensors, lamps and the lockout switch on the pins of a Raspberry Pi: the one door to gpiozero.

Wiring, chosen so that a cut wire, a dead Pi and a program that is not running all mean "locked" and "dark":
  - A seat's sensor and the lockout switch close to ground; the pull-up makes an open line high. Sensor low: a chip
    covers it. Lockout low (normally closed contact): bets may be open; high (switch turned, or wire cut): locked.
  - A lamp is driven active high through a transistor with a pull-down. The lock line too: high means bets are open.

No debounce is asked of gpiozero: its mock ignores bounce time and its real pins lose edges (gpiozero#550, #697, #1039).
Edges come from the pin's own `when_changed`, the only callback that carries a time stamp.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from hal.ports import LOCKOUT, DeviceFound, DeviceLost, Edge, Lamp, Level, Put

DEVICE = "gpio"
BLINK_S = {Lamp.LATE: 0.5, Lamp.FAULT: 0.125}
"""Half a period: late blinks slowly, fault fast."""


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

    seat_pins, lamp_pins: GPIO number by seat (1 to n); lockout_pin, lock_output_pin: GPIO numbers.
    pin_factory: a gpiozero factory; None takes lgpio, and fails where there is none (no falling from one to the next).
    """

    def __init__(
        self,
        put: Put,
        seat_pins: Mapping[int, int],
        lamp_pins: Mapping[int, int],
        lockout_pin: int,
        lock_output_pin: int,
        pin_factory: Any = None,
    ) -> None:
        self._put = put
        self._input_pins = {LOCKOUT: lockout_pin, **seat_pins}
        self._output_pins = {LOCKOUT: lock_output_pin, **lamp_pins}
        used = [*self._input_pins.values(), *self._output_pins.values()]
        if twice := {pin for pin in used if used.count(pin) > 1}:
            raise PinFault(f"GPIO{min(twice)} is used twice; give each sensor and lamp its own pin in table.toml")
        self._factory = pin_factory
        self._inputs: dict[int, _Input] = {}
        self._outputs: dict[int, Any] = {}
        self._gate = threading.RLock()
        """Held while the first levels are put, so that no edge comes before them, and while a lamp is written."""
        self._lost: set[str] = set()
        """What failed and did not work again since: reading, writing."""
        self._shown: dict[int, Lamp] = {}
        self._locked = True
        self._blinking = threading.Condition(self._gate)
        self._blink_began_s = 0.0
        self._closed = False
        self._blinker = threading.Thread(target=self._blink, name="lamps", daemon=True)

    def start(self) -> None:
        """Take the pins, dark and locked; put DeviceFound and all levels. Raises PinFault if a pin cannot be had."""
        with self._gate:
            factory = self._factory if self._factory is not None else _lgpio()
            for line, number in self._output_pins.items():
                self._outputs[line] = self._claim(factory, number, line, output=True)
            for line, number in self._input_pins.items():
                pin = self._claim(factory, number, line, output=False)
                self._inputs[line] = _Input(line, pin, self._edge)
            self._put(DeviceFound(DEVICE))
            self.read()
            self.show(self._shown, locked=self._locked)
            self._blinker.start()

    def read(self) -> None:
        """Put the level of every line now, or DeviceLost if one cannot be read (all of them then count as unknown)."""
        with self._gate:
            levels: list[Level] = []
            for line, watched in self._inputs.items():
                try:
                    levels.append(Level(line, watched.on, time.monotonic_ns()))
                except Exception as error:  # each backend raises its own kind: lgpio.error is a bare Exception
                    self._lose("reading", f"{_name(line)} cannot be read on GPIO{self._input_pins[line]}", error)
                    return
            self._works("reading")
            for level in levels:
                self._put(level)

    def show(self, lamps: Mapping[int, Lamp], *, locked: bool) -> None:
        """Make the lamps and the lock line so; the pins are written also when nothing is new."""
        with self._gate:
            shown = {line: lamps.get(line, Lamp.DARK) for line in self._output_pins if line != LOCKOUT}
            began_blinking = any(lamp in BLINK_S and self._shown.get(line) != lamp for line, lamp in shown.items())
            self._shown, self._locked = shown, locked
            if not self._outputs:
                return  # told before the start, or after the end
            levels = {
                LOCKOUT: not locked,
                **{line: lamp is Lamp.LIT for line, lamp in shown.items() if lamp not in BLINK_S},
            }
            written = [self._write(line, high) for line, high in levels.items()]
            if all(written) and self._works("writing"):
                self.read()
            if began_blinking:
                self._blink_began_s = time.monotonic()
                self._blinking.notify()

    def close(self) -> None:
        """Lamps dark, lock line locked, pins given back."""
        with self._gate:
            self._closed = True
            self._blinking.notify()
            for line in self._outputs:
                self._write(line, False)
            for pin in [*(watched.pin for watched in self._inputs.values()), *self._outputs.values()]:
                try:
                    pin.close()
                except Exception as error:  # see read(); a chip that is gone cannot be given back
                    self._lose("writing", f"{pin!r} cannot be given back", error)
            self._inputs, self._outputs = {}, {}
        if self._blinker.is_alive():
            self._blinker.join()

    def _edge(self, line: int, high: bool, ticks_s: float) -> None:
        """Called on the backend's thread: only put."""
        at_ns = monotonic_ns(ticks_s)
        with self._gate:
            if not self._closed:
                self._put(Edge(line, not high, at_ns))

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

    def _write(self, line: int, high: bool) -> bool:
        """True where the pin took it."""
        try:
            self._outputs[line].state = high
        except Exception as error:  # see read()
            self._lose("writing", f"{_name(line)}'s output GPIO{self._output_pins[line]} cannot be written", error)
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

    def _claim(self, factory: Any, number: int, line: int, *, output: bool) -> Any:
        try:
            pin = factory.pin(number)
            if output:
                pin.output_with_state(False)
            else:
                pin.input_with_pull("up")
        except Exception as error:  # see read(); here it is configuration, and the message must name the place
            kind = "output" if output else "sensor"
            raise PinFault(f"GPIO{number}, {_name(line)}'s {kind}: {error}; correct its pin in table.toml") from error
        return pin


class _Input:
    """One watched pin. gpiozero refers to a callback only weakly, so somebody must keep the object it belongs to."""

    def __init__(self, line: int, pin: Any, edge: Any) -> None:
        self.pin = pin
        self._line = line
        self._edge = edge
        pin.when_changed = self._changed

    @property
    def on(self) -> bool:
        """Low is on: a chip covers the sensor, or the lockout contact is closed."""
        return not self.pin.state

    def _changed(self, ticks_s: float, high: int) -> None:
        self._edge(self._line, bool(high), ticks_s)


def _name(line: int) -> str:
    return "the lockout" if line == LOCKOUT else f"seat {line}"


def _lgpio() -> Any:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # needs lgpio, which only a device has

        return LGPIOFactory()
    except Exception as error:  # see GpioTable.read(); without hardware a table runs on `felt cabinet`
        raise PinFault(f"no GPIO here: {error}; install felt[device] on a Raspberry Pi, or use a cabinet") from error
