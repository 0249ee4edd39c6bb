"""The wires between a rig's hands and a table's pins: closed as a chip closes a sensor, read as a meter reads a lamp.

They are tested without Felt's law: a probe at the table (`tests/hil/probe.py`) drives its lamps and tells what its sensors
hear. So a wire that is swapped, cut, shorted or inverted is named before anybody plays.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hal.ports import LOCKOUT
from tests.hil.rig import glance

SETTLED_S = 1.0
"""So long a level has to come through a wire, a relay and a probe at the other end of a network."""


@dataclass(frozen=True, slots=True)
class Wires:
    """GPIO numbers of the rig by seat: `sensors` and `lamps`; of the lockout and the lock line; of the relay in the
    table's supply, None where nobody can cut it."""

    sensors: Mapping[int, int]
    lamps: Mapping[int, int]
    lockout: int
    lock: int
    power: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """`rig.toml`: wires, the computers that are reached by ssh, the devices where the rig plays keyboard and so on."""

    wires: Wires
    pins: str
    """lgpio: this computer's; pigpio:HOST: those of another one, where pigpiod runs."""
    table: str
    """Where ssh goes: USER@HOST, who may `sudo` without a password."""
    bank: str
    serial: Path
    badge: Path
    touch: Path


def load(file: Path) -> Setup:
    """Read `rig.toml`. Raises ValueError that names what is missing."""
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    try:
        pins = given["pins"]
        wires = Wires(
            dict(enumerate(pins["sensors"], start=1)),
            dict(enumerate(pins["lamps"], start=1)),
            pins["lockout"],
            pins["lock"],
            pins.get("power"),
        )
        paths = {name: Path(given["devices"][name]) for name in ("serial", "badge", "touch")}
        return Setup(wires, pins["of"], given["computers"]["table"], given["computers"]["bank"], **paths)
    except KeyError as missing:
        raise ValueError(f"{file}: {missing} is missing; docs/examples/rig.toml has everything") from missing


def factory_of(pins: str) -> Any:
    """The gpiozero factory that `rig.toml` names."""
    kind, _, host = pins.partition(":")
    if kind == "pigpio":
        from gpiozero.pins.pigpio import PiGPIOFactory  # the rig's own library, of no table

        return PiGPIOFactory(host=host)
    from gpiozero.pins.lgpio import LGPIOFactory  # needs lgpio, which only a device has

    return LGPIOFactory()


class Hands:
    """The rig's pins. A contact is closed by a pin that pulls low through 1 kOhm, and open when the pin only listens."""

    def __init__(self, factory: Any, wires: Wires) -> None:
        self._contacts = {seat: factory.pin(pin) for seat, pin in {LOCKOUT: wires.lockout, **wires.sensors}.items()}
        self._lamps = {seat: factory.pin(pin) for seat, pin in wires.lamps.items()}
        self._lock = factory.pin(wires.lock)
        self._power = None if wires.power is None else factory.pin(wires.power)
        for pin in (*self._lamps.values(), self._lock):
            pin.input_with_pull("down")
        for seat in self._contacts:
            self.contact(seat, closed=seat == LOCKOUT)
        if self._power is not None:
            self._power.output_with_state(False)

    def contact(self, line: int, *, closed: bool) -> None:
        """A seat's sensor, closed by a chip; the lockout's, closed while bets may be open."""
        if closed:
            self._contacts[line].output_with_state(False)
        else:
            self._contacts[line].input_with_pull("floating")

    def lamps(self) -> dict[int, bool]:
        """The level of each seat's lamp."""
        return {seat: bool(pin.state) for seat, pin in self._lamps.items()}

    def lock(self) -> bool:
        """The level of the lock line: high says that bets are open."""
        return bool(self._lock.state)

    def power(self, *, on: bool) -> None:
        """The relay in the supply of the table's computer; at rest it is closed."""
        assert self._power is not None, "rig.toml names no relay"
        self._power.state = not on


class Probe(Protocol):
    """Somebody at the table's pins, while no table runs."""

    def show(self, lamps: Collection[int], *, is_open: bool) -> None:
        """Light these seats' lamps and no other; drive the lock line."""

    def levels(self) -> Mapping[int, bool]:
        """Each line, by seat, and the lockout: whether its contact is closed."""


def wire_faults(hands: Hands, probe: Probe, wires: Wires) -> list[str]:
    """One sentence for each wire that is not as it should be."""
    probe.show((), is_open=False)
    faults = [*_resting(hands, probe)]
    for seat in () if faults else wires.sensors:
        hands.contact(seat, closed=True)
        heard = _settled(lambda: _closed(probe), {seat})
        hands.contact(seat, closed=False)
        faults += _named(f"sensor {seat} (GPIO{wires.sensors[seat]} of the rig)", seat, heard, "the table hears")
    for seat in () if faults else wires.lamps:
        probe.show((seat,), is_open=False)
        lit = _settled(lambda: _lit(hands), {seat})
        faults += _named(f"lamp {seat} (GPIO{wires.lamps[seat]} of the rig)", seat, lit, "the meter sees")
    return faults or [*_locks(hands, probe)]


def _resting(hands: Hands, probe: Probe) -> list[str]:
    """Nothing lies there and no lamp is lit."""
    faults = [
        f"sensor {seat}: closed though nothing lies there; its wire is shorted to ground or inverted"
        for seat in sorted(_settled(lambda: _closed(probe), set()))
    ]
    return faults + [
        f"lamp {seat}: lit though the table drives it low; its wire is shorted to 3.3 V or inverted"
        for seat in sorted(_settled(lambda: _lit(hands), set()))
    ]


def _locks(hands: Hands, probe: Probe) -> list[str]:
    """The switch, and the lock line."""

    def heard(closed: bool) -> bool:
        hands.contact(LOCKOUT, closed=closed)
        return _becomes(lambda: probe.levels()[LOCKOUT] == closed)

    def seen(is_open: bool) -> bool:
        probe.show((), is_open=is_open)
        return _becomes(lambda: hands.lock() == is_open)

    return [
        *(
            f"lockout: the table does not hear that its contact is {said}; wire cut, or wired the other way"
            for closed, said in ((False, "open"), (True, "closed"))
            if not heard(closed)
        ),
        *(
            f"lock line: the meter does not see it {said}; wire cut or inverted"
            for is_open, said in ((True, "high"), (False, "low"))
            if not seen(is_open)
        ),
    ]


def _named(wire: str, wanted: int, seen: set[int], who: str) -> list[str]:
    if seen == {wanted}:
        return []
    if not seen:
        return [f"{wire}: {who} nothing; its wire is cut"]
    others = " and ".join(map(str, sorted(seen)))
    return [f"{wire}: {who} seat {others}; its wire is {'shorted to another' if len(seen) > 1 else 'swapped'}"]


def _closed(probe: Probe) -> set[int]:
    return {line for line, closed in probe.levels().items() if closed and line != LOCKOUT}


def _lit(hands: Hands) -> set[int]:
    return {seat for seat, lit in hands.lamps().items() if lit}


def _settled(look: Callable[[], set[int]], wanted: set[int]) -> set[int]:
    """What is seen once it is as wanted, or when time is over."""
    _becomes(lambda: look() == wanted)
    return look()


def _becomes(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SETTLED_S
    while not is_so():
        if time.monotonic() > deadline:
            return False
        glance()
    return True
