"""The simulated world: a cabinet of sensors, lamps, wires and a shuffler that runs as a process of its own.

`Cabinet` is that process. It outlives a killed table, as chips do. It listens on two Unix sockets in its home
(`hal.cabinet.wire`): the device socket, to which `hal.cabinet.ends` connect, and the world socket, for `hal.cabinet.world`.
A table without sensors, lamps and lockout is connected all the same: its badges come this way.

One thread, one select, a heap of what is still to come. The shuffler's pseudo-terminal is kept as the symbolic link
`home/shuffler`.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hal.cabinet.contacts import MS, Contacts
from hal.cabinet.peers import CabinetFault, Peer, Peers
from hal.cabinet.schedule import Schedule
from hal.cabinet.wire import (
    AWAITED,
    DEVICE,
    DEVICE_SOCKET,
    SHUFFLER_LINK,
    WORLD_SOCKET,
    Place,
    Refusal,
    checked,
    parsed,
    reading,
    said_of,
)
from hal.ports import BADGE_LONGEST, LOCKOUT, NEXT_KEY, Button, Lamp, ShufflerStatus
from hal.shuffler.emulator import Emulator

SEATS_MAX = 6
"""A cabinet has room for so many seats."""


@dataclass(eq=False, slots=True)
class _Wait:
    """A person who looks at the table until it shows what they wait for."""

    peer: Peer
    what: Mapping[str, Any]
    within_ms: int
    over: bool = False


class Cabinet:
    """The simulated world of one table.

    home: folder of the sockets and of the shuffler's link, made if it is not there. seats: 1 to 6.
    seed: of the contact bounce. bounce: whether contacts bounce at all. shuffle_ms: how long the shuffler needs.
    sensors: how many a seat has, each with its lamp; 0: none. buttons: the names of the wagering buttons of each seat.
    Without both there is no lockout switch either. counts, shoe: which kind of shuffler (`hal.shuffler.emulator.Unit`).
    Raises CabinetFault if there cannot be so many seats, and at `start` if another cabinet lives there or the path is
    too long for a Unix socket.
    """

    def __init__(
        self,
        home: Path,
        seats: int = 6,
        seed: int = 0,
        bounce: bool = True,
        shuffle_ms: int = 1500,
        *,
        sensors: int = 1,
        buttons: Sequence[str] = (),
        counts: bool = True,
        shoe: bool = False,
    ) -> None:
        if not 1 <= seats <= SEATS_MAX:
            raise CabinetFault(f"{seats} seats; a table has 1 to {SEATS_MAX} of them")
        self._home = home
        self._seats = range(1, seats + 1)
        self._sensed = range(1, seats * sensors + 1)
        """The places that have a sensor and a lamp: every seat's first one, then every seat's second one."""
        self._has_lockout = bool(sensors or buttons)
        self._shoe = shoe
        self._chips = dict.fromkeys(self._sensed, False)
        self._lockout_locked = False
        self._wire_cut = False
        self._button_names = tuple(buttons)
        self._buttons_lit = {(seat, name): False for seat in self._seats for name in buttons}
        self._down = dict.fromkeys([*self._buttons_lit, NEXT_KEY], False)
        """The buttons and the NEXT key: whether a finger holds each, and when it may press next."""
        self._rested_ns = dict.fromkeys(self._down, 0)
        lockout = [(LOCKOUT, True)] if self._has_lockout else []
        self._coming = Schedule()
        self._peers = Peers(self._hear, self._left)
        self._contacts = Contacts(
            [*lockout, *self._chips.items(), *self._down.items()],
            self._coming,
            self._edge,
            self._look,
            random.Random(seed) if bounce else None,
        )
        self._lamps = dict.fromkeys(self._sensed, Lamp.DARK)
        self._lamp_ns = dict.fromkeys(self._sensed, 0)
        self._locked = True
        self._locked_ns = 0
        self._told_ns = 0
        self._waits: list[_Wait] = []
        self._shuffler = Emulator(home / SHUFFLER_LINK, shuffle_ms=shuffle_ms, counts=counts, shoe=shoe)
        self._stopped = False
        self._thread: threading.Thread | None = None

    def run(self, stop: threading.Event | None = None, on_ready: Callable[[], None] | None = None) -> None:
        """Stand until `stop` is set or `close` is called, from any thread or a signal handler."""
        try:
            self._open()
            if stop is not None:
                threading.Thread(target=self._stop_with, args=(stop,), name="cabinet-stop", daemon=True).start()
            if on_ready is not None:
                on_ready()
            while not self._stopped:
                self._turn()
        finally:
            self._take_down()

    def start(self) -> None:
        """Stand in a thread of this process; returns when both sockets listen."""
        ready = threading.Event()
        failed: list[BaseException] = []

        def stand() -> None:
            try:
                self.run(on_ready=ready.set)
            except CabinetFault as fault:
                failed.append(fault)
                ready.set()

        self._thread = threading.Thread(target=stand, name="cabinet", daemon=True)
        self._thread.start()
        ready.wait()
        if failed:
            raise failed[0]

    def close(self) -> None:
        """Take the cabinet down. May be called from a signal handler."""
        self._stopped = True
        self._peers.wake()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    # the loop

    def _stop_with(self, stop: threading.Event) -> None:
        """An event does not wake a select, so a thread waits for it."""
        stop.wait()
        self.close()

    def _open(self) -> None:
        self._home.mkdir(parents=True, exist_ok=True)
        self._peers.listen(self._home / DEVICE_SOCKET, "")
        self._peers.listen(self._home / WORLD_SOCKET, "world")
        self._shuffler.start()

    def _take_down(self) -> None:
        self._shuffler.close()
        self._peers.close()

    def _turn(self) -> None:
        readable, writable = self._peers.wait(self._coming.pause_s)
        self._coming.let_come()
        self._peers.serve(readable, writable)

    # connections

    def _hear(self, peer: Peer, line: bytes) -> None:
        try:
            said = parsed(line)
            if peer.role == "world":
                self._hear_world(peer, said)
            elif peer.role == "table":
                self._hear_table(said)
            else:
                self._hear_hello(peer, said)
        except Refusal as refusal:
            self._tell(peer, {"error": str(refusal)})

    def _tell(self, peer: Peer, said: Mapping[str, Any]) -> None:
        self._peers.tell(peer, said)

    def _left(self, peer: Peer) -> None:
        if peer.role == "table":
            # The drivers are fed by the table: without it the wiring leaves lamps dark and the lock closed.
            self._show({"lamps": {}, "buttons": {}, "locked": True}, time.monotonic_ns())
        self._look()

    # the device socket

    def _hear_hello(self, peer: Peer, said: Mapping[str, Any]) -> None:
        role = said.get("hello")
        if role not in ("table", "panel") or len(said) != 1 or peer.role:
            raise Refusal(f'{DEVICE_SOCKET}: {said} is not understood; begin with {{"hello":"table"}} or "panel"')
        if role == "table" and self._peers.with_role("table"):
            self._tell(peer, {"error": "another table is connected to this cabinet; stop it first"})
            self._peers.drop(peer)
            return
        peer.role = role
        self._tell(peer, {"hello": DEVICE})
        if role == "table":
            self._tell_levels()
        self._look()

    def _hear_table(self, said: Mapping[str, Any]) -> None:
        match said:
            case {"read": True, **others} if not others:
                self._tell_levels()
            case {"at_ns": int(at_ns), **told} if told and not set(told) - set(_TOLD):
                for name, kind in _TOLD.items():
                    if not isinstance(told.get(name, kind()), kind):
                        raise Refusal(f"{name}: {json.dumps(told[name])} is not understood; tell a {kind.__name__}")
                self._show(told, at_ns)
            case _:
                raise Refusal(f"{DEVICE_SOCKET}: {said} is not understood; tell at_ns with {', '.join(_TOLD)}, or read")

    def _lamps_of(self, lamps: Mapping[str, Any]) -> dict[int, Lamp]:
        wanted = dict.fromkeys(self._sensed, Lamp.DARK)
        for seat, lamp in lamps.items():
            if not seat.isdecimal() or int(seat) not in self._sensed:
                known = f"is not one of 1 to {len(self._sensed)}" if self._sensed else "has no lamp at this table"
                raise Refusal(f"lamps: seat {seat!r} {known}")
            if lamp not in set(Lamp):
                raise Refusal(f"lamps: seat {seat} cannot be {lamp!r}; use one of {', '.join(Lamp)}")
            wanted[int(seat)] = Lamp(lamp)
        return wanted

    def _buttons_of(self, buttons: object) -> dict[Button, bool]:
        """Their lamps, as they were told or are waited for; those that are not named are not in it."""
        if not isinstance(buttons, dict):
            raise Refusal(f'buttons: {json.dumps(buttons)} is not understood; tell {{"3 left":true}}')
        wanted = {}
        for name, lit in buttons.items():
            seat, _, which = name.partition(" ")
            button = (int(seat) if seat.isdecimal() else 0, which)
            if button not in self._buttons_lit:
                raise Refusal(f"buttons: {name!r} is not one of them: {self._known_buttons()}")
            if not isinstance(lit, bool):
                raise Refusal(f"buttons: {name!r} must be a bool, not {json.dumps(lit)}")
            wanted[button] = lit
        return wanted

    def _known_buttons(self) -> str:
        names = [said_of(button) for button in self._buttons_lit]
        return f'"{names[0]}" to "{names[-1]}"' if names else "there are none at this table"

    def _show(self, told: Mapping[str, Any], at_ns: int) -> None:
        """Lamps, lamps of the buttons, the lock line: each of them that was told. One that is wrong changes nothing."""
        lamps = self._lamps_of(told["lamps"]) if "lamps" in told else self._lamps
        buttons = self._buttons_of(told["buttons"]) if "buttons" in told else self._buttons_lit
        locked = told.get("locked", self._locked)
        self._told_ns = at_ns
        for seat, lamp in lamps.items():
            if self._lamps[seat] != lamp:
                self._lamps[seat], self._lamp_ns[seat] = lamp, at_ns
        self._buttons_lit = {button: buttons.get(button, False) for button in self._buttons_lit}
        if self._locked != locked:
            self._locked, self._locked_ns = locked, at_ns
        self._look()

    def _tell_levels(self) -> None:
        now_ns = time.monotonic_ns()
        for table in self._peers.with_role("table"):
            for place, on in self._contacts.levels.items():
                self._tell(table, reading("level", place, on, now_ns))

    # contacts

    def _edge(self, place: Place, on: bool, at_ns: int) -> None:
        for table in self._peers.with_role("table"):
            self._tell(table, reading("edge", place, on, at_ns))

    def _move_lockout(self) -> None:
        self._contacts.move(LOCKOUT, not self._lockout_locked and not self._wire_cut)

    # the world socket

    def _hear_world(self, peer: Peer, said: Mapping[str, Any]) -> None:
        asked = dict(said)
        name = asked.pop("do", None)
        act = _COMMANDS.get(name) if isinstance(name, str) else None
        if act is None:
            raise Refusal(f"{WORLD_SOCKET}: {name!r} is not a command; use one of {', '.join(_COMMANDS)}")
        asked.update(checked(name, act.takes, asked))
        if act.needs and not getattr(self, act.needs):
            raise Refusal(f"{name}: {_WITHOUT[act.needs]}")
        places = self._sensed if act.needs == "_sensed" else self._seats
        if (seat := asked.get("seat")) is not None and seat not in places:
            raise Refusal(f"{name}: seat must be one of 1 to {len(places)}, not {seat}")
        act.do(self, peer, **asked)

    def _done(self, peer: Peer) -> None:
        self._tell(peer, {"ok": True, "at_ns": time.monotonic_ns()})

    def _place(self, peer: Peer, seat: int) -> None:
        if self._chips[seat]:
            raise Refusal(f"place: a chip lies at seat {seat} already; take it first")
        self._chips[seat] = True
        self._contacts.move(seat, True)
        self._done(peer)

    def _take(self, peer: Peer, seat: int) -> None:
        if not self._chips[seat]:
            raise Refusal(f"take: no chip lies at seat {seat}; place one first")
        self._chips[seat] = False
        self._contacts.move(seat, False)
        self._done(peer)

    def _bounce(self, peer: Peer, seat: int, edges: int, ms: int) -> None:
        """A loose contact: it chatters so often within this time and ends where the chip says."""
        flips = [ms * (step + 1) / edges for step in range(edges - edges % 2)]
        self._contacts.chatter(seat, self._chips[seat], flips)
        self._done(peer)

    def _press(self, peer: Peer, seat: int, name: str, held_ms: int) -> None:
        """A finger on a button: down now, or once the last press is over and the button has rested; up by itself."""
        button = seat, name
        if button not in self._down or button == NEXT_KEY:
            raise Refusal(f"button: name must be one of {', '.join(self._button_names)}, not {name!r}")
        self._hold_down(peer, button, held_ms)

    def _press_next(self, peer: Peer, held_ms: int) -> None:
        """A finger on the NEXT key beside the rack."""
        self._hold_down(peer, NEXT_KEY, held_ms)

    def _hold_down(self, peer: Peer, button: Button, held_ms: int) -> None:
        begins_ns = max(time.monotonic_ns(), self._rested_ns[button])
        self._rested_ns[button] = begins_ns + 2 * held_ms * MS

        def down() -> None:
            self._contacts.moving -= 1
            self._finger_on(button, on=True)
            self._coming.later(time.monotonic_ns() + held_ms * MS, up)
            self._done(peer)

        def up() -> None:
            self._contacts.moving -= 1
            self._finger_on(button, on=False)
            self._look()

        self._contacts.moving += 2
        self._coming.later(begins_ns, down)
        self._coming.let_come()

    def _finger_on(self, button: Button, *, on: bool) -> None:
        self._down[button] = on
        self._contacts.move(button, on)

    def _turn_lockout(self, peer: Peer, locked: bool) -> None:
        self._lockout_locked = locked
        self._move_lockout()
        self._done(peer)

    def _cut_wire(self, peer: Peer) -> None:
        self._wire_cut = True
        self._move_lockout()
        self._done(peer)

    def _mend_wire(self, peer: Peer) -> None:
        self._wire_cut = False
        self._move_lockout()
        self._done(peer)

    def _badge(self, peer: Peer, number: str) -> None:
        tables = self._peers.with_role("table")
        if not tables:
            raise Refusal("badge: no table is connected to the reader; start `felt table`")
        if not (number.isascii() and number.isalnum() and len(number) <= BADGE_LONGEST):
            raise Refusal(f"badge: {number[:40]!r}; a badge is 1 to {BADGE_LONGEST} letters and digits")
        for table in tables:
            self._tell(table, {"badge": [number, time.monotonic_ns()]})
        self._done(peer)

    def _touch(self, peer: Peer, x_mm: float, y_mm: float, held_ms: int) -> None:
        """A finger goes down now and up later; the answer comes when it is up."""
        if not self._peers.with_role("panel"):
            raise Refusal("touch: no screen is connected to the panel; start `felt screen`")

        def lift() -> None:
            self._finger(x_mm, y_mm, down=False)
            self._done(peer)

        self._finger(x_mm, y_mm, down=True)
        self._coming.later(time.monotonic_ns() + held_ms * MS, lift)

    def _finger(self, x_mm: float, y_mm: float, *, down: bool) -> None:
        for panel in self._peers.with_role("panel"):
            self._tell(panel, {"touch": [x_mm, y_mm, down, time.monotonic_ns()]})

    def _shuffle(self, act: Callable[[Emulator], None], peer: Peer) -> None:
        try:
            act(self._shuffler)
        except ValueError as error:
            raise Refusal(f"shuffler: {error}") from error
        self._done(peer)

    def _state(self, peer: Peer) -> None:
        status = self._shuffler.status
        self._tell(
            peer,
            {
                "seats": len(self._seats),
                "sensors": bool(self._sensed),
                "lockout": self._has_lockout,
                "buttons": {said_of(button): lit for button, lit in self._buttons_lit.items()},
                "buttons_down": {said_of(button): down for button, down in self._down.items()},
                "chips": self._chips,
                "contact_ns": {
                    line: at_ns for line, at_ns in self._contacts.changed_ns.items() if isinstance(line, int)
                },
                "lamps": self._lamps,
                "lamp_ns": self._lamp_ns,
                "locked": self._locked,
                "locked_ns": self._locked_ns,
                "told_ns": self._told_ns,
                "lockout_locked": self._lockout_locked,
                "wire_cut": self._wire_cut,
                "table": bool(self._peers.with_role("table")),
                "panels": len(self._peers.with_role("panel")),
                "plugged": self._shuffler.plugged,
                "shoe": self._shoe,
                "shuffler": {name: getattr(status, name) for name in ShufflerStatus.__slots__},
            },
        )

    # waiting for what the table shows

    def _await(self, peer: Peer, what: Mapping[str, Any], within_ms: int) -> None:
        checked("await: what", AWAITED, what)
        if "lamps" in what:
            self._lamps_of(what["lamps"])
        self._buttons_of(what.get("buttons", {}))
        wait = _Wait(peer, what, within_ms)
        self._waits.append(wait)
        self._coming.later(time.monotonic_ns() + within_ms * MS, lambda: self._give_up(wait))
        self._look()

    def _look(self) -> None:
        """Answer everybody whose wait is over."""
        for wait in [wait for wait in self._waits if not self._differences(wait.what)]:
            self._waits.remove(wait)
            wait.over = True
            self._done(wait.peer)

    def _give_up(self, wait: _Wait) -> None:
        if not wait.over:
            self._waits.remove(wait)
            shown = "; ".join(self._differences(wait.what))
            self._tell(wait.peer, {"error": f"await: after {wait.within_ms} ms {shown}"})

    def _differences(self, what: Mapping[str, Any]) -> list[str]:
        differences = [
            f"lamp {seat} is {self._lamps[int(seat)]}, not {lamp}"
            for seat, lamp in what.get("lamps", {}).items()
            if self._lamps[int(seat)] != lamp
        ]
        differences += [
            f"button {said_of(button)} is {_LIT[self._buttons_lit[button]]}, not {_LIT[lit]}"
            for button, lit in self._buttons_of(what.get("buttons", {})).items()
            if self._buttons_lit[button] != lit
        ]
        shown = {
            "locked": self._locked,
            "table": bool(self._peers.with_role("table")),
            "panels": len(self._peers.with_role("panel")),
            "steady": self._contacts.moving == 0,
        }
        differences += [
            f"{name} is {shown[name]}, not {what[name]}" for name in shown if what.get(name, shown[name]) != shown[name]
        ]
        return differences


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: its function, the type of each argument, and the part that the table must have for it."""

    do: Callable[..., None]
    takes: Mapping[str, type]
    needs: str = ""


def _to_shuffler(act: Callable[..., None], **takes: type) -> _Command:
    def do(cabinet: Cabinet, peer: Peer, **told: Any) -> None:
        cabinet._shuffle(lambda emulator: act(emulator, *told.values()), peer)

    return _Command(do, takes)


_COMMANDS: Mapping[str, _Command] = {
    "place": _Command(Cabinet._place, {"seat": int}, "_sensed"),
    "take": _Command(Cabinet._take, {"seat": int}, "_sensed"),
    "bounce": _Command(Cabinet._bounce, {"seat": int, "edges": int, "ms": int}, "_sensed"),
    "button": _Command(Cabinet._press, {"seat": int, "name": str, "held_ms": int}, "_button_names"),
    "next": _Command(Cabinet._press_next, {"held_ms": int}),
    "lockout": _Command(Cabinet._turn_lockout, {"locked": bool}, "_has_lockout"),
    "cut_wire": _Command(Cabinet._cut_wire, {}, "_has_lockout"),
    "mend_wire": _Command(Cabinet._mend_wire, {}, "_has_lockout"),
    "badge": _Command(Cabinet._badge, {"number": str}),
    "touch": _Command(Cabinet._touch, {"x_mm": float, "y_mm": float, "held_ms": int}),
    "jam": _to_shuffler(Emulator.jam),
    "clear_jam": _to_shuffler(Emulator.clear_jam),
    "door": _to_shuffler(Emulator.door, open=bool),
    "sort": _to_shuffler(Emulator.sort, on=bool),
    "count": _to_shuffler(Emulator.set_count, cards=int),
    "swap_deck": _to_shuffler(Emulator.swap_deck),
    "load": _to_shuffler(Emulator.load, deck=str),
    "take_card": _to_shuffler(Emulator.take_card),
    "deal": _to_shuffler(Emulator.deal, cards=int),
    "empty": _to_shuffler(Emulator.empty),
    "service": _to_shuffler(Emulator.service, on=bool),
    "fail": _to_shuffler(Emulator.fail, fault=str),
    "unplug": _to_shuffler(Emulator.unplug),
    "replug": _to_shuffler(Emulator.replug),
    "await": _Command(Cabinet._await, {"what": dict, "within_ms": int}),
    "state": _Command(Cabinet._state, {}),
}
_WITHOUT: Mapping[str, str] = {
    "_sensed": "this table has no sensors",
    "_button_names": "this table has no wagering buttons",
    "_has_lockout": "this table has no lockout switch",
}
_TOLD: Mapping[str, type] = {"lamps": dict, "buttons": dict, "locked": bool}
"""The keys that a table may send, alone or together."""
_LIT = ("dark", "lit")
