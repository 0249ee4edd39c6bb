"""The simulated world: a cabinet of sensors, lamps, wires and a shuffler that runs as a process of its own.

`Cabinet` is that process. It outlives a killed table, as chips do. It listens on two Unix sockets in its home:

    cabinet-device.sock   what the wires carry: edges and levels to the table, lamps and lock line from it, touches to
                          whoever draws the panel. `SimulatedTable` and `CabinetPanel` are the ends that connect to it.
    cabinet-world.sock    what hands do: place a chip, turn the lockout, cut its wire. `World` is the end for a person.

A table without a progressive has no sensors, lamps and lockout, but is connected all the same: its badges come this way.

Both speak lines of JSON. The shuffler's pseudo-terminal is kept as the symbolic link `home/shuffler`.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import random
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from hal.buttons import DEBOUNCE_NS, ButtonWatch
from hal.ports import (
    HANDS,
    LOCKOUT,
    UNLIT,
    Badge,
    Button,
    Complaint,
    DeviceFound,
    DeviceLost,
    Edge,
    Lamp,
    Level,
    Put,
    ShufflerStatus,
)
from hal.shuffler.emulator import Emulator
from hal.touch import Touch

DEVICE = "cabinet"
DEVICE_SOCKET, WORLD_SOCKET, SHUFFLER_LINK = "cabinet-device.sock", "cabinet-world.sock", "shuffler"
LINE_MAX = 16_384
"""Bytes of one JSON line at most, both ways."""
UNSENT_MAX = 1 << 20
"""Bytes that wait for a slow reader at most; then it is cut off and may come back."""
BOUNCE_MS = 5.0
RETRY_S = 0.25
ANSWER_S = 10.0
"""How long a person waits for the cabinet itself."""
SEATS_MAX = 6
"""Betting positions of the widest table (653a.2(a), 677a.2(a); Lunar Poker has five, 671a.2(a))."""
_MS = 1_000_000

_Place = int | Button
"""What a contact belongs to: a line (a seat, the lockout), or a wagering button."""


class CabinetFault(Exception):
    """The cabinet cannot stand where it was told to; the text says why and what to do."""


class WorldFault(Exception):
    """The world refused what a person tried; the text is the cabinet's own."""


class _Refusal(Exception):
    """A bad command: the text names the place and the remedy."""


# The cabinet: one thread, one select, a heap of what is still to come.


@dataclass(eq=False, slots=True)
class _Peer:
    """One connection. `role`: world, or on the device socket "" until it said hello, then table or panel."""

    socket: socket.socket
    role: str
    received: bytearray = field(default_factory=bytearray)
    unsent: bytearray = field(default_factory=bytearray)


@dataclass(eq=False, slots=True)
class _Wait:
    """A person who looks at the table until it shows what they wait for."""

    peer: _Peer
    what: Mapping[str, Any]
    within_ms: int
    over: bool = False


class Cabinet:
    """The simulated world of one table.

    home: folder of the sockets and of the shuffler's link, made if it is not there. seats: 1 to 6.
    seed: of the contact bounce. bounce: whether contacts bounce at all. shuffle_ms: how long the shuffler needs.
    sensors: False for a game without a progressive: no sensor, no lamp. buttons: two wagering buttons a seat. Without
    both there is no lockout switch either. counts, shoe: which kind of shuffler (`hal.shuffler.emulator.Unit`).
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
        sensors: bool = True,
        buttons: bool = False,
        counts: bool = True,
        shoe: bool = False,
    ) -> None:
        if not 1 <= seats <= SEATS_MAX:
            raise CabinetFault(f"{seats} seats; a table has 1 to {SEATS_MAX} of them")
        self._home = home
        self._seats = range(1, seats + 1)
        self._random = random.Random(seed)
        self._bounces = bounce
        self._sensed = self._seats if sensors else range(0)
        """The seats that have a sensor and a lamp."""
        self._has_lockout = sensors or buttons
        self._shoe = shoe
        self._chips = dict.fromkeys(self._sensed, False)
        self._lockout_locked = False
        self._wire_cut = False
        self._down = {(seat, hand): False for seat in self._seats for hand in HANDS} if buttons else {}
        """The buttons: whether a finger holds each, when it may press next, and whether its lamp is lit."""
        self._rested_ns = dict.fromkeys(self._down, 0)
        self._buttons_lit = dict.fromkeys(self._down, False)
        lockout = [(LOCKOUT, True)] if self._has_lockout else []
        self._contacts: dict[_Place, bool] = dict([*lockout, *self._chips.items(), *self._down.items()])
        """The raw level of each contact at this instant, in the middle of a bounce too."""
        self._contact_ns = dict.fromkeys(self._contacts, 0)
        self._bouncing = dict.fromkeys(self._contacts, 0)
        """A number for each contact that rises with every new movement: what an older one still had to do is void."""
        self._moving = 0
        """How many movements of contacts are still to come."""
        self._lamps = dict.fromkeys(self._sensed, Lamp.DARK)
        self._lamp_ns = dict.fromkeys(self._sensed, 0)
        self._locked = True
        self._locked_ns = 0
        self._told_ns = 0
        self._coming: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        self._peers: dict[int, _Peer] = {}
        self._listening: dict[int, socket.socket] = {}
        self._waits: list[_Wait] = []
        self._shuffler = Emulator(home / SHUFFLER_LINK, shuffle_ms=shuffle_ms, counts=counts, shoe=shoe)
        self._wake_read, self._wake_write = socket.socketpair()
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
        with contextlib.suppress(OSError):  # it is down already
            self._wake_write.send(b"!")
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    # the loop

    def _stop_with(self, stop: threading.Event) -> None:
        """An event does not wake a select, so a thread waits for it."""
        stop.wait()
        self.close()

    def _open(self) -> None:
        self._home.mkdir(parents=True, exist_ok=True)
        for name in (DEVICE_SOCKET, WORLD_SOCKET):
            listening = _listen(self._home / name)
            self._listening[listening.fileno()] = listening
        self._shuffler.start()

    def _take_down(self) -> None:
        self._shuffler.close()
        for peer in list(self._peers.values()):
            self._drop(peer)
        for listening in self._listening.values():
            Path(listening.getsockname()).unlink(missing_ok=True)
            listening.close()
        self._wake_read.close()
        self._wake_write.close()

    def _turn(self) -> None:
        readers = [*self._listening, *self._peers, self._wake_read.fileno()]
        writers = [number for number, peer in self._peers.items() if peer.unsent]
        readable, writable, _ = select.select(readers, writers, [], self._pause_s())
        self._let_come()
        for number in writable:
            if (peer := self._peers.get(number)) is not None:
                self._send(peer)
        for number in readable:
            if number in self._listening:
                self._accept(self._listening[number])
            elif (peer := self._peers.get(number)) is not None:
                self._receive(peer)

    def _pause_s(self) -> float | None:
        return max(0, self._coming[0][0] - time.monotonic_ns()) / 1e9 if self._coming else None

    def _let_come(self) -> None:
        while self._coming and self._coming[0][0] <= time.monotonic_ns():
            heapq.heappop(self._coming)[2]()

    def _later(self, at_ns: int, act: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._coming, (at_ns, self._order, act))

    # connections

    def _accept(self, listening: socket.socket) -> None:
        connection, _ = listening.accept()
        connection.setblocking(False)
        role = "world" if listening.getsockname().endswith(WORLD_SOCKET) else ""
        self._peers[connection.fileno()] = _Peer(connection, role)

    def _receive(self, peer: _Peer) -> None:
        try:
            chunk = peer.socket.recv(65_536)
        except BlockingIOError:
            return
        except ConnectionError:
            chunk = b""
        if not chunk:
            self._drop(peer)
            return
        peer.received += chunk
        while (end := peer.received.find(b"\n")) >= 0:
            line = bytes(peer.received[:end])
            del peer.received[: end + 1]
            self._hear(peer, line)
        if len(peer.received) > LINE_MAX:
            self._tell(peer, {"error": f"a line of more than {LINE_MAX} bytes; end each command with a line feed"})
            self._drop(peer)

    def _hear(self, peer: _Peer, line: bytes) -> None:
        try:
            said = _object(line)
            if peer.role == "world":
                self._hear_world(peer, said)
            elif peer.role == "table":
                self._hear_table(said)
            else:
                self._hear_hello(peer, said)
        except _Refusal as refusal:
            self._tell(peer, {"error": str(refusal)})

    def _tell(self, peer: _Peer, said: Mapping[str, Any]) -> None:
        if peer.socket.fileno() < 0:
            return
        peer.unsent += json.dumps(said, separators=(",", ":")).encode() + b"\n"
        self._send(peer)

    def _send(self, peer: _Peer) -> None:
        try:
            sent = peer.socket.send(peer.unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._drop(peer)
            return
        del peer.unsent[:sent]
        if len(peer.unsent) > UNSENT_MAX:
            self._drop(peer)

    def _drop(self, peer: _Peer) -> None:
        if self._peers.pop(peer.socket.fileno(), None) is None:
            return
        peer.socket.close()
        if peer.role == "table":
            # The drivers are fed by the table: without it the wiring leaves lamps dark and the lock closed.
            self._show(dict.fromkeys(self._sensed, Lamp.DARK), UNLIT, time.monotonic_ns(), locked=True)
        self._look()

    def _with_role(self, role: str) -> list[_Peer]:
        return [peer for peer in self._peers.values() if peer.role == role]

    # the device socket

    def _hear_hello(self, peer: _Peer, said: Mapping[str, Any]) -> None:
        role = said.get("hello")
        if role not in ("table", "panel") or len(said) != 1 or peer.role:
            raise _Refusal(f'{DEVICE_SOCKET}: {said} is not understood; begin with {{"hello":"table"}} or "panel"')
        if role == "table" and self._with_role("table"):
            self._tell(peer, {"error": "another table is connected to this cabinet; stop it first"})
            self._drop(peer)
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
            case {"lamps": dict(lamps), "locked": bool(locked), "at_ns": int(at_ns), **others} if not (
                set(others) - {"buttons"}
            ):
                buttons = self._buttons_of(others.get("buttons", {}))
                self._show(self._lamps_of(lamps), buttons, at_ns, locked=locked)
            case _:
                raise _Refusal(f"{DEVICE_SOCKET}: {said} is not understood; tell lamps, locked and at_ns, or read")

    def _lamps_of(self, lamps: Mapping[str, Any]) -> dict[int, Lamp]:
        wanted = dict.fromkeys(self._sensed, Lamp.DARK)
        for seat, lamp in lamps.items():
            if not seat.isdecimal() or int(seat) not in self._sensed:
                known = f"is not one of 1 to {len(self._sensed)}" if self._sensed else "has no lamp at this table"
                raise _Refusal(f"lamps: seat {seat!r} {known}")
            if lamp not in set(Lamp):
                raise _Refusal(f"lamps: seat {seat} cannot be {lamp!r}; use one of {', '.join(Lamp)}")
            wanted[int(seat)] = Lamp(lamp)
        return wanted

    def _buttons_of(self, buttons: object) -> dict[Button, bool]:
        """Their lamps, as they were told or are waited for; those that are not named are not in it."""
        if not isinstance(buttons, dict):
            raise _Refusal(f'buttons: {json.dumps(buttons)} is not understood; tell {{"3 own":true}}')
        wanted = {}
        for name, lit in buttons.items():
            seat, _, hand = name.partition(" ")
            button = (int(seat) if seat.isdecimal() else 0, hand)
            if button not in self._down:
                known = f'"1 own" to "{len(self._seats)} dealer"' if self._down else "there are none at this table"
                raise _Refusal(f"buttons: {name!r} is not one of them: {known}")
            if not isinstance(lit, bool):
                raise _Refusal(f"buttons: {name!r} must be a bool, not {json.dumps(lit)}")
            wanted[button] = lit
        return wanted

    def _show(self, lamps: Mapping[int, Lamp], buttons: Mapping[Button, bool], at_ns: int, *, locked: bool) -> None:
        self._told_ns = at_ns
        for seat, lamp in lamps.items():
            if self._lamps[seat] != lamp:
                self._lamps[seat], self._lamp_ns[seat] = lamp, self._told_ns
        self._buttons_lit = {button: buttons.get(button, False) for button in self._down}
        if self._locked != locked:
            self._locked, self._locked_ns = locked, self._told_ns
        self._look()

    def _tell_levels(self) -> None:
        now_ns = time.monotonic_ns()
        for table in self._with_role("table"):
            for place, on in self._contacts.items():
                self._tell(table, _read_as("level", place, on, now_ns))

    # contacts

    def _move(self, place: _Place, on: bool) -> None:
        """A contact goes to a new level, as a real one does: some edges within 5 ms, then it is steady."""
        if self._bounces and on != self._contacts[place]:
            pairs = self._random.randint(0, 3)
            self._chatter(place, on, sorted(self._random.uniform(0.2, BOUNCE_MS) for _ in range(2 * pairs)))
        else:
            self._chatter(place, on, [])

    def _chatter(self, place: _Place, on: bool, after_ms: list[float]) -> None:
        """Go to the level now, and at each of the instants, of which there is an even number, to the other one."""
        self._bouncing[place] += 1
        number, began_ns = self._bouncing[place], time.monotonic_ns()
        for step, ms in enumerate(after_ms):
            level = on != (step % 2 == 0)
            self._moving += 1
            self._later(began_ns + int(ms * _MS), partial(self._flip_later, place, level, number))
        self._flip(place, on, number)

    def _flip_later(self, place: _Place, on: bool, number: int) -> None:
        self._moving -= 1
        self._flip(place, on, number)
        self._look()

    def _flip(self, place: _Place, on: bool, number: int) -> None:
        if number != self._bouncing[place] or self._contacts[place] == on:
            return
        now_ns = time.monotonic_ns()
        self._contacts[place], self._contact_ns[place] = on, now_ns
        for table in self._with_role("table"):
            self._tell(table, _read_as("edge", place, on, now_ns))

    def _move_lockout(self) -> None:
        self._move(LOCKOUT, not self._lockout_locked and not self._wire_cut)

    # the world socket

    def _hear_world(self, peer: _Peer, said: Mapping[str, Any]) -> None:
        asked = dict(said)
        name = asked.pop("do", None)
        act = _COMMANDS.get(name) if isinstance(name, str) else None
        if act is None:
            raise _Refusal(f"{WORLD_SOCKET}: {name!r} is not a command; use one of {', '.join(_COMMANDS)}")
        asked.update(_checked(name, act.takes, asked))
        if act.needs and not getattr(self, act.needs):
            raise _Refusal(f"{name}: {_WITHOUT[act.needs]}")
        if (seat := asked.get("seat")) is not None and seat not in self._seats:
            raise _Refusal(f"{name}: seat must be one of 1 to {len(self._seats)}, not {seat}")
        act.do(self, peer, **asked)

    def _done(self, peer: _Peer) -> None:
        self._tell(peer, {"ok": True, "at_ns": time.monotonic_ns()})

    def _place(self, peer: _Peer, seat: int) -> None:
        if self._chips[seat]:
            raise _Refusal(f"place: a chip lies at seat {seat} already; take it first")
        self._chips[seat] = True
        self._move(seat, True)
        self._done(peer)

    def _take(self, peer: _Peer, seat: int) -> None:
        if not self._chips[seat]:
            raise _Refusal(f"take: no chip lies at seat {seat}; place one first")
        self._chips[seat] = False
        self._move(seat, False)
        self._done(peer)

    def _bounce(self, peer: _Peer, seat: int, edges: int, ms: int) -> None:
        """A loose contact: it chatters so often within this time and ends where the chip says."""
        flips = [ms * (step + 1) / edges for step in range(edges - edges % 2)]
        self._chatter(seat, self._chips[seat], flips)
        self._done(peer)

    def _press(self, peer: _Peer, seat: int, hand: str, held_ms: int) -> None:
        """A finger on a button: down now, or once the last press is over and the button has rested; up by itself."""
        button = seat, hand
        if button not in self._down:
            raise _Refusal(f"button: hand must be one of {', '.join(HANDS)}, not {hand!r}")
        begins_ns = max(time.monotonic_ns(), self._rested_ns[button])
        self._rested_ns[button] = begins_ns + 2 * held_ms * _MS

        def down() -> None:
            self._moving -= 1
            self._finger_on(button, on=True)
            self._later(time.monotonic_ns() + held_ms * _MS, up)
            self._done(peer)

        def up() -> None:
            self._moving -= 1
            self._finger_on(button, on=False)
            self._look()

        self._moving += 2
        self._later(begins_ns, down)
        self._let_come()

    def _finger_on(self, button: Button, *, on: bool) -> None:
        self._down[button] = on
        self._move(button, on)

    def _turn_lockout(self, peer: _Peer, locked: bool) -> None:
        self._lockout_locked = locked
        self._move_lockout()
        self._done(peer)

    def _cut_wire(self, peer: _Peer) -> None:
        self._wire_cut = True
        self._move_lockout()
        self._done(peer)

    def _mend_wire(self, peer: _Peer) -> None:
        self._wire_cut = False
        self._move_lockout()
        self._done(peer)

    def _badge(self, peer: _Peer, number: str) -> None:
        tables = self._with_role("table")
        if not tables:
            raise _Refusal("badge: no table is connected to the reader; start `felt table`")
        for table in tables:
            self._tell(table, {"badge": [number, time.monotonic_ns()]})
        self._done(peer)

    def _touch(self, peer: _Peer, x_mm: float, y_mm: float, held_ms: int) -> None:
        """A finger goes down now and up later; the answer comes when it is up."""
        if not self._with_role("panel"):
            raise _Refusal("touch: no screen is connected to the panel; start `felt screen`")

        def lift() -> None:
            self._finger(x_mm, y_mm, down=False)
            self._done(peer)

        self._finger(x_mm, y_mm, down=True)
        self._later(time.monotonic_ns() + held_ms * _MS, lift)

    def _finger(self, x_mm: float, y_mm: float, *, down: bool) -> None:
        for panel in self._with_role("panel"):
            self._tell(panel, {"touch": [x_mm, y_mm, down, time.monotonic_ns()]})

    def _shuffle(self, act: Callable[[Emulator], None], peer: _Peer) -> None:
        try:
            act(self._shuffler)
        except ValueError as error:
            raise _Refusal(f"shuffler: {error}") from error
        self._done(peer)

    def _state(self, peer: _Peer) -> None:
        status = self._shuffler.status
        self._tell(
            peer,
            {
                "seats": len(self._seats),
                "sensors": bool(self._sensed),
                "lockout": self._has_lockout,
                "buttons": {_said(button): lit for button, lit in self._buttons_lit.items()},
                "buttons_down": {_said(button): down for button, down in self._down.items()},
                "chips": self._chips,
                "contact_ns": {line: at_ns for line, at_ns in self._contact_ns.items() if isinstance(line, int)},
                "lamps": self._lamps,
                "lamp_ns": self._lamp_ns,
                "locked": self._locked,
                "locked_ns": self._locked_ns,
                "told_ns": self._told_ns,
                "lockout_locked": self._lockout_locked,
                "wire_cut": self._wire_cut,
                "table": bool(self._with_role("table")),
                "panels": len(self._with_role("panel")),
                "plugged": self._shuffler.plugged,
                "shoe": self._shoe,
                "shuffler": {name: getattr(status, name) for name in ShufflerStatus.__slots__},
            },
        )

    # waiting for what the table shows

    def _await(self, peer: _Peer, what: Mapping[str, Any], within_ms: int) -> None:
        _checked("await: what", _AWAITED, what)
        if "lamps" in what:
            self._lamps_of(what["lamps"])
        self._buttons_of(what.get("buttons", {}))
        wait = _Wait(peer, what, within_ms)
        self._waits.append(wait)
        self._later(time.monotonic_ns() + within_ms * _MS, lambda: self._give_up(wait))
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
            f"button {_said(button)} is {_LIT[self._buttons_lit[button]]}, not {_LIT[lit]}"
            for button, lit in self._buttons_of(what.get("buttons", {})).items()
            if self._buttons_lit[button] != lit
        ]
        shown = {
            "locked": self._locked,
            "table": bool(self._with_role("table")),
            "panels": len(self._with_role("panel")),
            "steady": self._moving == 0,
        }
        differences += [
            f"{name} is {shown[name]}, not {what[name]}" for name in shown if what.get(name, shown[name]) != shown[name]
        ]
        return differences


@dataclass(frozen=True, slots=True)
class _Command:
    """What a command does, the type of each thing it must be told, and what the table must have for it."""

    do: Callable[..., None]
    takes: Mapping[str, type]
    needs: str = ""


def _to_shuffler(act: Callable[..., None], **takes: type) -> _Command:
    def do(cabinet: Cabinet, peer: _Peer, **told: Any) -> None:
        cabinet._shuffle(lambda emulator: act(emulator, *told.values()), peer)

    return _Command(do, takes)


_COMMANDS: Mapping[str, _Command] = {
    "place": _Command(Cabinet._place, {"seat": int}, "_sensed"),
    "take": _Command(Cabinet._take, {"seat": int}, "_sensed"),
    "bounce": _Command(Cabinet._bounce, {"seat": int, "edges": int, "ms": int}, "_sensed"),
    "button": _Command(Cabinet._press, {"seat": int, "hand": str, "held_ms": int}, "_down"),
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
    "_down": "this table has no wagering buttons",
    "_has_lockout": "this table has no lockout switch",
}
_LIT = ("dark", "lit")
_AWAITED: Mapping[str, type] = {
    "lamps": dict,
    "buttons": dict,
    "locked": bool,
    "table": bool,
    "panels": int,
    "steady": bool,
}
_LIMITS: Mapping[str, tuple[int, int]] = {
    "edges": (2, 100_000),
    "ms": (1, 60_000),
    "held_ms": (0, 60_000),
    "within_ms": (0, 600_000),
    "cards": (0, 254),
}


def _said(button: Button) -> str:
    """A button in JSON, where a name must be a text: "3 own"."""
    return f"{button[0]} {button[1]}"


def _button(said: str) -> Button:
    seat, _, hand = said.partition(" ")
    return int(seat), hand


def _read_as(kind: str, place: _Place, on: bool, at_ns: int) -> dict[str, Any]:
    """What the wire carries of a contact: an edge or a level of a line, or the same of a button."""
    if isinstance(place, int):
        return {kind: [place, on, at_ns]}
    return {f"button_{kind}": [*place, on, at_ns]}


def _checked(place: str, takes: Mapping[str, type], told: Mapping[str, Any]) -> dict[str, Any]:
    """What was told, each of the right type and within its limits; raises _Refusal. What is awaited may be left out."""
    if unknown := sorted(set(told) - set(takes)):
        raise _Refusal(f"{place}: {unknown[0]!r} is not understood; it takes {', '.join(takes) or 'nothing more'}")
    if takes is not _AWAITED and (missing := sorted(set(takes) - set(told))):
        raise _Refusal(f"{place}: {missing[0]!r} is missing; it takes {', '.join(takes)}")
    for name, value in told.items():
        kind = takes[name]
        right = isinstance(value, bool) if kind is bool else isinstance(value, kind) and not isinstance(value, bool)
        if kind is float:
            right = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10_000
        if not right:
            raise _Refusal(f"{place}: {name} must be a {kind.__name__}, not {json.dumps(value)}")
        low, high = _LIMITS.get(name, (None, None))
        if low is not None and high is not None and not low <= value <= high:
            raise _Refusal(f"{place}: {name} must be {low} to {high}, not {value}")
    return {name: told[name] for name in takes if name in told}


def _object(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError as error:
        raise _Refusal(f"not a line of JSON: {error}; send one object in UTF-8 and a line feed") from error
    if not isinstance(said, dict):
        raise _Refusal(
            f'{line[:40].decode(errors="replace")!r} is not a JSON object; send one such as {{"do":"state"}}'
        )
    return said


def _listen(path: Path) -> socket.socket:
    """A listening Unix socket for this user alone. What a killed cabinet left behind is taken away."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
            if path.exists() and knock.connect_ex(str(path)) == 0:
                raise CabinetFault(f"{path}: a cabinet lives here already; stop it, or choose another home")
        path.unlink(missing_ok=True)
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(16)
    except OSError as error:
        listening.close()
        raise CabinetFault(
            f"{path}: {error}; choose a home with a short path (under 90 bytes) on a local disk"
        ) from error
    except CabinetFault:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


# The ends that connect to the device socket.


class _Wire:
    """A connection to the cabinet's device socket that comes back by itself.

    One thread reads. Whoever tells something writes at once on its own thread, one small write that never blocks.
    """

    def __init__(self, put: Callable[[Any], None], path: Path, role: str) -> None:
        self._put = put
        self._path = path
        self._role = role
        self._dialled: socket.socket | None = None
        self._socket: socket.socket | None = None
        """The same, once the cabinet has said hello."""
        self._lock = threading.Lock()
        self._lost_told = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"cabinet-{role}", daemon=True)

    def start(self) -> None:
        """Connect, and put what comes."""
        self._thread.start()

    def close(self) -> None:
        """Hang up. The cabinet's drivers fall back to dark and locked."""
        self._stopped.set()
        with self._lock:
            if self._dialled is not None:
                with contextlib.suppress(OSError):  # not connected yet, or not any more
                    self._dialled.shutdown(socket.SHUT_RDWR)
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            why = self._stay_connected()
            self._forget()
            if self._stopped.is_set():
                return
            if not self._lost_told:
                self._lost_told = True
                self._put(DeviceLost(DEVICE, f"{self._path}: {why}; start `felt cabinet` with the same home"))
            self._stopped.wait(RETRY_S)

    def _stay_connected(self) -> str:
        """Connect and read until the connection ends; says why it did."""
        wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        with self._lock:
            self._dialled = wire
        try:
            wire.connect(str(self._path))
            wire.sendall(_line({"hello": self._role}))
            received = b""
            while chunk := wire.recv(65_536):
                *lines, received = (received + chunk).split(b"\n")
                for line in lines:
                    refusal = self._hear(wire, line)
                    if refusal:
                        return refusal
                if len(received) > LINE_MAX:
                    return f"a line of more than {LINE_MAX} bytes"
            return "the cabinet hung up"
        except OSError as error:
            return error.strerror or str(error)
        finally:
            with self._lock:
                self._socket = self._dialled = None
                wire.close()

    def _hear(self, wire: socket.socket, line: bytes) -> str:
        """Take one line; a refusal of this connection is given back."""
        try:
            said = _object(line)
        except _Refusal as refusal:
            self._put(Complaint(DEVICE, str(refusal)))
            return ""
        match said:
            case {"hello": str()}:
                self._connected(wire)
            case {"error": str(text)} if self._socket is None:
                return text
            case {"error": str(text)}:
                self._put(Complaint(DEVICE, text))
            case _ if (signal := self._signal(said)) is not None:
                self._put(signal)
            case _ if self._feels(said):
                pass
            case _:
                self._put(Complaint(DEVICE, f"{line[:80]!r} is not understood; update table or cabinet"))
        return ""

    def _connected(self, wire: socket.socket) -> None:
        self._lost_told = False
        self._put(DeviceFound(DEVICE))
        with self._lock:
            self._socket = wire
            if not self._stopped.is_set():
                self._repeat()

    def _repeat(self) -> None:
        """Called with the lock held when the connection is there: tell what must be known."""

    def _signal(self, said: Mapping[str, Any]) -> object | None:
        raise NotImplementedError

    def _feels(self, said: Mapping[str, Any]) -> bool:
        """True for what is no signal yet and was taken in."""
        return False

    def _forget(self) -> None:
        """The connection ended: what was under way over it is void."""

    def _write(self, line: bytes) -> None:
        """One small write, with the lock held. A cabinet that cannot take it whole at once is not there: begin anew."""
        if self._socket is None:
            return
        try:
            sent = self._socket.send(line, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except OSError:
            sent = 0
        if sent != len(line):
            with contextlib.suppress(OSError):  # it is down already
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket = None


class SimulatedTable(_Wire):
    """`hal.ports.SensorsAndLamps` on a cabinet, whether or not it has sensors and buttons.

    socket_path: the cabinet's device socket. button_debounce_ns: how long a press of a wagering button must hold.
    """

    def __init__(self, put: Put, socket_path: Path, button_debounce_ns: int = DEBOUNCE_NS) -> None:
        super().__init__(put, socket_path, "table")
        self._shown: dict[str, Any] = {}
        self._levels: dict[Button, bool] = {}
        self._buttons = ButtonWatch(put, button_debounce_ns, self._levels.get)

    def close(self) -> None:
        """Hang up. The cabinet's drivers fall back to dark and locked."""
        super().close()
        self._buttons.close()

    def read(self) -> None:
        """Have the level of every line put soon."""
        with self._lock:
            self._write(b'{"read":true}\n')

    def show(self, lamps: Mapping[int, Lamp], *, locked: bool, buttons: Mapping[Button, bool] = UNLIT) -> None:
        """Make the lamps and the lock line so. What this connection was told already is not sent again."""
        wanted: dict[str, Any] = {"lamps": {str(seat): str(lamp) for seat, lamp in lamps.items()}, "locked": locked}
        if buttons:
            wanted["buttons"] = {_said(button): lit for button, lit in buttons.items()}
        with self._lock:
            if wanted != self._shown or self._socket is None:
                self._shown = wanted
                self._command()

    def _repeat(self) -> None:
        if self._shown:
            self._command()

    def _command(self) -> None:
        """With the time at which it was given: real lamps are a wire, these are another process that wakes later."""
        self._write(_line({**self._shown, "at_ns": time.monotonic_ns()}))

    def _signal(self, said: Mapping[str, Any]) -> object | None:
        match said:
            case {"edge": [int(line), bool(on), int(at_ns)]}:
                return Edge(line, on, at_ns)
            case {"level": [int(line), bool(on), int(at_ns)]}:
                return Level(line, on, at_ns)
            case {"badge": [str(number), int(at_ns)]}:
                return Badge(number, at_ns)
        return None

    def _feels(self, said: Mapping[str, Any]) -> bool:
        match said:
            case {"button_edge": [int(seat), str(hand), bool(on), int(at_ns)]}:
                self._levels[seat, hand] = on
                self._buttons.edge((seat, hand), on, at_ns)
            case {"button_level": [int(seat), str(hand), bool(on), int()]}:
                self._levels[seat, hand] = on
                self._buttons.read((seat, hand), on)
            case _:
                return False
        return True

    def _forget(self) -> None:
        self._levels.clear()
        self._buttons.forget()


class CabinetPanel(_Wire):
    """The touch panel of a cabinet: puts `hal.touch.Touch`, DeviceLost and DeviceFound."""

    def __init__(self, put: Callable[[Touch | DeviceLost | DeviceFound | Complaint], None], socket_path: Path) -> None:
        super().__init__(put, socket_path, "panel")

    def _signal(self, said: Mapping[str, Any]) -> object | None:
        match said:
            case {"touch": [int() | float() as x_mm, int() | float() as y_mm, bool(down), int(at_ns)]}:
                return Touch(float(x_mm), float(y_mm), down, at_ns)
        return None


def _line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


# The world's end: a person's hands and eyes.


@dataclass(frozen=True, slots=True)
class WorldState:
    """What a person sees on the table, and the time stamps that a test bench measures with (ns of CLOCK_MONOTONIC).

    seats, sensors and lockout (whether the table has them), buttons (whether each button's lamp is lit; none: it has no
    buttons), buttons_down (whether a finger holds each), chips, contact_ns (last raw edge of each line), lamps, lamp_ns
    (last change of each lamp), locked, locked_ns (last change), told_ns (last lamp command), lockout_locked, wire_cut,
    table (connected), panels, plugged, shoe (the shuffler deals from inside), shuffler.
    """

    seats: int
    sensors: bool
    lockout: bool
    buttons: Mapping[Button, bool]
    buttons_down: Mapping[Button, bool]
    chips: Mapping[int, bool]
    contact_ns: Mapping[int, int]
    lamps: Mapping[int, Lamp]
    lamp_ns: Mapping[int, int]
    locked: bool
    locked_ns: int
    told_ns: int
    lockout_locked: bool
    wire_cut: bool
    table: bool
    panels: int
    plugged: bool
    shoe: bool
    shuffler: ShufflerStatus


class World:
    """Hands and eyes at a cabinet, for tests and the scripted dealer. socket_path: the cabinet's world socket.

    Every method returns when the cabinet has done it, and gives the time it was done (ns of CLOCK_MONOTONIC). Raises
    WorldFault with the cabinet's words if it refuses, or if there is no cabinet.
    """

    def __init__(self, socket_path: Path) -> None:
        self._path = socket_path
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._socket.connect(str(socket_path))
        except OSError as error:
            self._socket.close()
            raise WorldFault(f"{socket_path}: {error.strerror}; start `felt cabinet` with the same home") from error
        self._answers = self._socket.makefile("rb")

    def close(self) -> None:
        """Walk away."""
        self._answers.close()
        self._socket.close()

    def place(self, seat: int) -> int:
        """Put a chip on a seat's sensor."""
        return self._do("place", seat=seat)

    def take(self, seat: int) -> int:
        """Take the chip from a seat's sensor."""
        return self._do("take", seat=seat)

    def bounce(self, seat: int, edges: int, ms: int) -> int:
        """A loose contact: so many edges within so many milliseconds, then back to what the chip says."""
        return self._do("bounce", seat=seat, edges=edges, ms=ms)

    def button(self, seat: int, hand: str, held_ms: int = 80) -> int:
        """Press a wagering button ("own" or "dealer") and hold it; returns when it is down, it comes up by itself.

        A second press of the same button waits until it was up for as long as it was held.
        """
        return self._do("button", seat=seat, hand=hand, held_ms=held_ms)

    def lockout(self, locked: bool) -> int:
        """Turn the lockout switch."""
        return self._do("lockout", locked=locked)

    def cut_wire(self) -> int:
        """Cut the wire of the lockout switch."""
        return self._do("cut_wire")

    def mend_wire(self) -> int:
        """Mend it."""
        return self._do("mend_wire")

    def badge(self, number: str) -> int:
        """Hold a badge to the reader."""
        return self._do("badge", number=number)

    def touch(self, x_mm: float, y_mm: float, held_ms: int = 80) -> int:
        """Touch the panel and hold; returns when the finger is up again."""
        return self._do("touch", x_mm=x_mm, y_mm=y_mm, held_ms=held_ms)

    def jam(self) -> int:
        """A card sticks in the shuffler, while it shuffles, deals, or stands ready."""
        return self._do("jam")

    def clear_jam(self) -> int:
        """Take the card out; it shuffles again."""
        return self._do("clear_jam")

    def door(self, is_open: bool) -> int:
        """Open or close the shuffler's door."""
        return self._do("door", open=is_open)

    def sort(self, on: bool) -> int:
        """Switch the shuffler to sort mode or back."""
        return self._do("sort", on=on)

    def count(self, cards: int) -> int:
        """The shuffler has counted so many cards."""
        return self._do("count", cards=cards)

    def swap_deck(self) -> int:
        """Take the shuffled deck out and put the other one in."""
        return self._do("swap_deck")

    def load(self, deck: str) -> int:
        """Put a whole deck with blue or red backs into the shuffler (empty: it cannot tell); it is shuffled."""
        return self._do("load", deck=deck)

    def take_card(self) -> int:
        """Take a card out of the shuffler, unseen: its next count shows it."""
        return self._do("take_card")

    def deal(self, cards: int) -> int:
        """Take so many cards from the dealing shoe."""
        return self._do("deal", cards=cards)

    def empty(self) -> int:
        """Have the shuffler give out and count all its cards."""
        return self._do("empty")

    def service(self, on: bool) -> int:
        """Take the shuffler out of service, cards inside and all, or back into it."""
        return self._do("service", on=on)

    def fail(self, fault: str) -> int:
        """The shuffler finds a fault by itself: motor, card, cycle or colour."""
        return self._do("fail", fault=fault)

    def unplug(self) -> int:
        """Pull the shuffler's cable."""
        return self._do("unplug")

    def replug(self) -> int:
        """Put it back."""
        return self._do("replug")

    def wait(
        self,
        *,
        lamps: Mapping[int, Lamp] | None = None,
        locked: bool | None = None,
        table: bool | None = None,
        panels: int | None = None,
        steady: bool | None = None,
        buttons: Mapping[Button, bool] | None = None,
        within_s: float = 5.0,
    ) -> int:
        """Look until the table shows all of this; gives the time. Raises WorldFault with what it showed instead.

        steady: no contact bounces any more, and no finger is on a button. buttons: whether their lamps are lit.
        """
        what: dict[str, Any] = {"locked": locked, "table": table, "panels": panels, "steady": steady}
        if lamps is not None:
            what["lamps"] = {str(seat): lamp for seat, lamp in lamps.items()}
        if buttons is not None:
            what["buttons"] = {_said(button): lit for button, lit in buttons.items()}
        seen = {name: value for name, value in what.items() if value is not None}
        return self._do("await", what=seen, within_ms=round(within_s * 1000))

    def state(self) -> WorldState:
        """Everything there is to see."""
        said = self._ask({"do": "state"})
        for name in ("chips", "contact_ns", "lamp_ns"):
            said[name] = {int(line): value for line, value in said[name].items()}
        for name in ("buttons", "buttons_down"):
            said[name] = {_button(one): value for one, value in said[name].items()}
        said["lamps"] = {int(seat): Lamp(lamp) for seat, lamp in said["lamps"].items()}
        said["shuffler"] = ShufflerStatus(**said["shuffler"])
        return WorldState(**said)

    def _do(self, name: str, **told: object) -> int:
        return int(self._ask({"do": name, **told})["at_ns"])

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            try:
                self._socket.settimeout(ANSWER_S + asked.get("within_ms", 2 * asked.get("held_ms", 0)) / 1000)
                self._socket.sendall(_line(asked))
                answer = self._answers.readline()
            except OSError as error:
                raise WorldFault(f"{self._path}: {error}; start `felt cabinet` again") from error
        if not answer:
            raise WorldFault(f"{self._path}: the cabinet is gone; start `felt cabinet` again")
        said = _object(answer)
        if "error" in said:
            raise WorldFault(said["error"])
        return said
