"""The simulated rig: real processes, kept as systemd keeps them, at a cabinet of simulated sensors, lamps and wires.

What it cannot do is not in its capabilities: it has no GPIO chip to take away, no panel, reader or disk of its own, no
kernel, and no clock that may be stepped. Its power cut kills every process at once and leaves the chips where they lie.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from firmware.config import DEFAULT_BOOK
from firmware.proof.simulation import books
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.person import Person
from firmware.proof.simulation.processes import DidNotStart, Part, SimulatedBank, free_port
from hal.cabinet.wire import WORLD_SOCKET
from hal.cabinet.world import World, WorldFault
from hal.ports import Lamp
from tests.hil.cable import Cable
from tests.hil.rig import Broken, Capability, Copies, Device, Fault, Lines, Rig, Unit
from tests.hil.supervisor import SYSTEMD, UNITS, Supervisor, keeping

GUARD_MS = 40
"""Of the screen's touch guard: nobody touches here what he has not read."""
TAP_AGAIN_S = 2.5
"""A busy machine answers late, and a tap that is made twice answers two questions."""
BUSY = "while True: pass"


class SimRig(Rig):
    """Broker, bank, sign, cabinet, table and screen on this machine, in a folder of their own for each table."""

    name = "sim"
    capabilities = frozenset(
        {
            Capability.KILL,
            Capability.HANG,
            Capability.STOP,
            Capability.POWER_CUT,
            Capability.SERIAL,
            Capability.NETWORK,
            Capability.BROKER,
            Capability.LOAD,
            Capability.BOOKS,
            Capability.LOG,
            Capability.PLANT,
        }
    )

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="hil-"))
        self._tables = 0
        self._bank: SimulatedBank | None = None
        self._kept: dict[Unit, Supervisor] = {}
        self._cable: Cable | None = None
        self._person: Person | None = None
        self._eyes: World | None = None
        self._book = ""
        self._failed = ""

    # a table

    @property
    def person(self) -> Person:
        """Eyes and hands at the table that is set up now."""
        assert self._person is not None, "no table is set up"
        return self._person

    @property
    def book(self) -> str:
        """Of the table that is set up now."""
        return self._book

    def start(self) -> None:
        """Nothing has to be brought up before a table is."""

    def stop(self) -> None:
        """Take the table down, and everything it has written."""
        self._take_down()
        shutil.rmtree(self._folder, ignore_errors=True)

    def table(self, book: str = DEFAULT_BOOK) -> None:
        """A new table of this book in a new folder."""
        self._take_down()
        self._tables += 1
        self._book = book
        home = self._folder / str(self._tables)
        books.write(home, book, guard_ms=GUARD_MS)
        broker_port = free_port()
        self._cable = Cable(broker_port)
        self._bank = SimulatedBank(
            home, configuration=home, seed=self._tables, broker_port=broker_port, cable_port=self._cable.port
        )
        self._kept = self._supervisors(self._bank)
        try:
            self._bank.start()
            self._person, self._eyes = Person(home), World(home / WORLD_SOCKET)
            self._person.tap_again_s = TAP_AGAIN_S
        except (DidNotStart, WorldFault) as error:
            raise Broken(f"rig sim: {error}") from error
        for one in self._kept.values():
            one.keep()

    def _supervisors(self, bank: SimulatedBank) -> dict[Unit, Supervisor]:
        return {
            unit: Supervisor(
                part, SYSTEMD if unit == Unit.BROKER else keeping(UNITS / f"felt-{unit}.service"), self._fail
            )
            for unit, part in _parts(bank).items()
        }

    def _fail(self, why: str) -> None:
        self._failed = why

    def _take_down(self) -> None:
        for one in self._kept.values():
            one.leave()
        for hands in (self._person, self._eyes):
            if hands is not None:
                hands.close()
        self._person = self._eyes = None
        for one in self._kept.values():
            one.end(signal.SIGKILL)
        self._kept = {}
        if self._cable is not None:
            self._cable.close()
        if self._bank is not None:
            self._bank.stop()
            self._bank = None
        if self._failed:
            raise Broken(f"rig sim: {self._failed}")

    @property
    def _home(self) -> Path:
        assert self._bank is not None, "no table is set up"
        return self._bank.home

    def dealer(self, book: str) -> Dealer:
        """The scripted dealer; at a new table where this one is of another book."""
        if self._book != book:
            self.table(book)
        return Dealer(self.person, game=Game.of(self._home / "table.toml"))

    # units

    def kill(self, unit: Unit) -> float:
        """SIGKILL."""
        return self._send(unit, signal.SIGKILL)

    def hang(self, unit: Unit) -> float:
        """SIGSTOP."""
        return self._send(unit, signal.SIGSTOP)

    def _send(self, unit: Unit, number: signal.Signals) -> float:
        at = time.monotonic()
        self._kept[unit].send(number)
        return at

    def stop_unit(self, unit: Unit) -> float:
        """SIGTERM, and it is not started again."""
        at = time.monotonic()
        self._kept[unit].end(signal.SIGTERM)
        return at

    def start_unit(self, unit: Unit) -> float:
        """Start it, and wait until it is ready."""
        at = time.monotonic()
        self._kept[unit].start()
        self._kept[unit].wait_ready()
        return at

    def runs(self, unit: Unit) -> bool:
        """It is there, and has said that it is ready."""
        return self._kept[unit].ready

    def power_cut(self) -> float:
        """Every process is killed, none has time to say goodbye."""
        at = time.monotonic()
        for one in self._kept.values():
            one.leave()
            one.send(signal.SIGKILL)
        for one in self._kept.values():
            one.end(signal.SIGKILL)
        return at

    def boot(self) -> float:
        """Everything is started at once."""
        at = time.monotonic()
        for one in self._kept.values():
            one.start()
        return at

    # plugs

    def unplug(self, device: Device) -> float:
        """The shuffler's cable, the network's, or the broker."""
        return self._plug(device, in_=False)

    def replug(self, device: Device) -> float:
        """Put it back."""
        return self._plug(device, in_=True)

    def _plug(self, device: Device, *, in_: bool) -> float:
        assert self._cable is not None, "no table is set up"
        at = time.monotonic()
        if device == Device.SERIAL:
            self.person.world.replug() if in_ else self.person.world.unplug()
        elif device == Device.NETWORK:
            self._cable.replug() if in_ else self._cable.unplug()
        elif device == Device.BROKER:
            self.start_unit(Unit.BROKER) if in_ else self.stop_unit(Unit.BROKER)
        else:
            raise NotImplementedError(f"rig sim has no {device} to unplug")
        return at

    def clock(self, step_s: float) -> None:
        """Not here: this machine's clock is not the rig's."""
        raise NotImplementedError(Capability.CLOCK)

    def fill_disk(self) -> None:
        """Not here: this machine's disk is not the rig's."""
        raise NotImplementedError(Capability.DISK)

    def free_disk(self) -> None:
        """Not here."""
        raise NotImplementedError(Capability.DISK)

    @contextlib.contextmanager
    def load(self) -> Iterator[None]:
        """One busy program a core, and one more."""
        loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range((os.cpu_count() or 1) + 1)]
        try:
            yield
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()

    def plant(self, fault: Fault) -> None:
        """The window; the others are faults of wires and devices that are none here."""
        if fault is not Fault.WINDOW:
            raise NotImplementedError(Capability.DOCTOR)
        with (self._home / "table.toml").open("a", encoding="utf-8") as configuration:
            configuration.write("\n[seats]\nwindow_ms = 1\n")
        self.stop_unit(Unit.TABLE)
        self.start_unit(Unit.TABLE)

    # eyes

    def log(self, unit: Unit) -> str:
        """Of all its starts at this table."""
        assert self._bank is not None, "no table is set up"
        return _parts(self._bank)[unit].log.read_text(encoding="utf-8", errors="replace")

    def lines(self) -> Lines:
        """What the cabinet's lamps and lock line show; without a table they are dark and low, as the wiring has it."""
        assert self._eyes is not None, "no table is set up"
        seen = self._eyes.state()
        lamps = {seat: lamp != Lamp.DARK for seat, lamp in seen.lamps.items()}
        return Lines(lamps, not seen.locked, time.monotonic())

    def screenshot(self, to: Path) -> Path:
        """Not here: nothing is displayed."""
        raise NotImplementedError(Capability.SCREENSHOT)

    def journal(self, folder: Path) -> Copies:
        """By SQLite's own backup, while the programs write on."""
        assert self._bank is not None, "no table is set up"
        names = ["table.journal", *(["bank.ledger"] if self._bank.is_linked else [])]
        for name in names:
            with (
                contextlib.closing(sqlite3.connect(self._home / name)) as source,
                contextlib.closing(sqlite3.connect(folder / name)) as copy,
            ):
                source.backup(copy)
        for key in self._home.glob("*-seal.pub"):
            shutil.copy(key, folder)
        return Copies(folder / names[0], folder / names[1] if self._bank.is_linked else None)


def _parts(bank: SimulatedBank) -> dict[Unit, Part]:
    """The process of each unit."""
    parts = {Unit.TABLE: bank.table, Unit.SCREEN: bank.screen}
    if bank.is_linked:
        parts |= {Unit.BANK: bank.bank, Unit.BROKER: bank.broker, Unit.SIGN: bank.sign}
    return parts
