"""The rig of copper: a Raspberry Pi whose pins, serial port and USB gadget are people and cables for another one.

**Never run on copper.** Its wires' self-test and its hands run on mock pins in the tests, its commands against a shell that
writes them down. docs/hil.md says how it is wired and set up, and what its table must never be: one in service.

A simulated cabinet on this computer is the people's world. `PinHands` is what a table is to that cabinet: contacts become
levels of pins, badges keys, touches fingers; what the table's pins show becomes lamps and a lock line.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from firmware.config import DEFAULT_BOOK, glass_socket, load_table
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.person import FLOOR, MANAGER, Person
from firmware.runtime.adoption import Question, Signature, ask
from firmware.runtime.files import open_any
from hal.cabinet.cabinet import Cabinet
from hal.cabinet.ends import CabinetPanel, SimulatedTable
from hal.cabinet.wire import DEVICE_SOCKET, SHUFFLER_LINK
from hal.ports import Badge, Edge, Lamp, Level
from hal.touch import Touch
from tests.hil import boot
from tests.hil.rig import FAIL_CARD, Broken, Capability, Copies, Device, Lines, Rig, Unit, glance
from tests.hil.wires import Hands, Setup, factory_of, load, wire_faults
from ui.dealer.panels import PANELS

FILE = Path("rig.toml")
SAFE = "/etc/felt/this-is-a-rig"
"""A file on the table's computer: without it no journal is taken away there."""
FELT, PYTHON = "/opt/felt/.venv/bin/felt", "/opt/felt/.venv/bin/python"
PROBE = "/tmp/felt-hil-probe.py"
BACKUP = (
    "import sqlite3, sys\n"
    "with sqlite3.connect(sys.argv[1]) as source, sqlite3.connect(sys.argv[2]) as copy:\n"
    "    source.backup(copy)\n"
)
UNITS: Mapping[Unit, str] = {
    Unit.TABLE: "felt-table",
    Unit.SCREEN: "felt-screen",
    Unit.BANK: "felt-bank",
    Unit.BROKER: "mosquitto",
    Unit.SIGN: "felt-sign",
}
AT_THE_TABLE = (Unit.TABLE, Unit.SCREEN)
READY_S = 60.0
SPAN = 32_767
"""The gadget's axes go from 0 to this."""
TAP_AGAIN_S = 2.5
FULL = "/var/lib/felt/hil.full"
SYSRQ = "echo 1 > /proc/sys/kernel/sysrq;"

Run = Callable[..., bytes]
"""`run(host, line, given=b"")` runs a line of shell there with this standard input; what it said. Raises Broken."""


def by_ssh(host: str, line: str, given: bytes = b"") -> bytes:
    """Run a line there. Raises Broken with what it said."""
    command = ["ssh", "-o", "BatchMode=yes", host, line]
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=READY_S)
    except subprocess.TimeoutExpired as late:
        raise Broken(f"rig pi: {line!r} on {host} does not end") from late
    if done.returncode:
        raise Broken(f"rig pi: {line!r} on {host} failed: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


class PinHands:
    """Between a cabinet and the rig's pins and gadget. home: the cabinet's. size: of the table's panel, in mm."""

    def __init__(self, home: Path, hands: Hands, setup: Setup, size: tuple[float, float]) -> None:
        self._hands, self._setup, self._size = hands, setup, size
        self._over = threading.Event()
        self._table = SimulatedTable(self._hear, home / DEVICE_SOCKET)
        self._panel = CabinetPanel(self._hear, home / DEVICE_SOCKET)
        self._meter = threading.Thread(target=self._watch, name="meter", daemon=True)

    def start(self) -> None:
        """Take the cabinet's wires in hand."""
        self._table.start()
        self._panel.start()
        self._meter.start()

    def close(self) -> None:
        """Let go of them."""
        self._over.set()
        self._meter.join()
        self._panel.close()
        self._table.close()

    def lines(self) -> Lines:
        """What the meter reads."""
        return Lines(self._hands.lamps(), self._hands.lock(), time.monotonic())

    def _watch(self) -> None:
        while not self._over.is_set():
            lines = self.lines()
            lamps = {seat: Lamp.LIT if lit else Lamp.DARK for seat, lit in lines.lamps.items()}
            self._table.light(lamps)
            self._table.lock(not lines.open)
            glance()

    def _hear(self, said: object) -> None:
        match said:
            case Edge(line, on) | Level(line, on):
                self._hands.contact(line, closed=bool(on))
            case Badge(number):
                self._type(number)
            case Touch(x_mm, y_mm, down):
                self._touch(x_mm, y_mm, down=down)

    def _type(self, number: str) -> None:
        """Key by key, then Enter, each one released again (USB HID usage tables, page 7)."""
        with self._setup.badge.open("wb", buffering=0) as keyboard:
            for usage in (*(_usage(character) for character in number), ENTER):
                keyboard.write(bytes((0, 0, usage, 0, 0, 0, 0, 0)))
                keyboard.write(bytes(8))

    def _touch(self, x_mm: float, y_mm: float, *, down: bool) -> None:
        """One contact: tip switch, x and y."""
        x, y = (round(at / all_of * SPAN) for at, all_of in zip((x_mm, y_mm), self._size, strict=True))
        report = bytes((1 if down else 0,)) + x.to_bytes(2, "little") + y.to_bytes(2, "little")
        with self._setup.touch.open("wb", buffering=0) as gadget:
            gadget.write(report)


ENTER = 0x28


def _usage(character: str) -> int:
    """The key of a letter or digit."""
    if character.isalpha():
        return 0x04 + ord(character.lower()) - ord("a")
    return 0x27 if character == "0" else 0x1E + int(character) - 1


class Joined:
    """A Unix socket here that leads to one on another computer, which belongs to a user there."""

    def __init__(self, here: Path, host: str, user: str, there: str) -> None:
        here.unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(here))
        self._listening.listen()
        self._command = ["ssh", "-o", "BatchMode=yes", host, f"sudo -u {user} socat - UNIX-CONNECT:{there}"]
        self._carriers: list[subprocess.Popen[bytes]] = []
        threading.Thread(target=self._accept, name="joined", daemon=True).start()

    def close(self) -> None:
        """Hang up."""
        self._listening.close()
        for carrier in self._carriers:
            carrier.kill()
            carrier.wait()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:  # hung up
                return
            with near:
                self._carriers.append(subprocess.Popen(self._command, stdin=near.fileno(), stdout=near.fileno()))


class Serial:
    """The shuffler's emulator at the rig's serial port; its cable may be pulled at the emulator's end, and put back."""

    def __init__(self, link: Path, port: Path) -> None:
        carry = f"socat OPEN:{link},rawer OPEN:{port},rawer,b115200"
        self._carrier = subprocess.Popen(
            ["sh", "-c", f"while :; do {carry} 2>/dev/null; sleep 0.2; done"], start_new_session=True
        )

    def close(self) -> None:
        """Take it away."""
        os.killpg(self._carrier.pid, signal.SIGKILL)
        self._carrier.wait()


class FarProbe:
    """`tests/hil/probe.py` at the table's own pins, by ssh."""

    def __init__(self, run: Run, host: str) -> None:
        run(host, f"cat > {PROBE}", Path(__file__).with_name("probe.py").read_bytes())
        line = f"sudo -u felt env LG_WD=/tmp {PYTHON} {PROBE} /etc/felt/table.toml"
        self._process = subprocess.Popen(
            ["ssh", "-o", "BatchMode=yes", host, line], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def close(self) -> None:
        """It lets go of the pins."""
        self._process.communicate(timeout=READY_S)

    def show(self, lamps: Collection[int], *, is_open: bool) -> None:
        """Light these lamps and no other; drive the lock line."""
        self._ask({"show": list(lamps), "open": is_open})

    def levels(self) -> Mapping[int, bool]:
        """Each line: whether its contact is closed."""
        return {int(line): closed for line, closed in self._ask({"levels": True}).items()}

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, bool]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise Broken(
                "rig pi: the probe at the table's pins has ended; is felt-table stopped, and felt in group gpio?"
            )
        said: dict[str, bool] = json.loads(answer)
        return said


class PiRig(Rig):
    """A table's Raspberry Pi and its bank, wired to this computer as `rig.toml` in its folder says."""

    name = "pi"
    capabilities = frozenset(
        {
            Capability.KILL,
            Capability.HANG,
            Capability.STOP,
            Capability.POWER_CUT,
            Capability.LOST_WRITES,
            Capability.SERIAL,
            Capability.BROKER,
            Capability.CLOCK,
            Capability.DISK,
            Capability.LOAD,
            Capability.LOG,
            Capability.BOOT_PARTS,
            Capability.PANIC,
            Capability.READ_ONLY,
            Capability.MEMORY,
            Capability.COPPER,
        }
    )

    def __init__(self, file: Path = FILE, run: Run = by_ssh, factory: Any = None) -> None:
        """`run`, `factory`: for tests; a shell on other computers, and a gpiozero factory."""
        try:
            self._setup = load(file)
        except (OSError, ValueError) as error:
            raise Broken(f"rig pi: {error}; write it as docs/hil.md says") from error
        self._run, self._factory = run, factory
        self._folder = Path(tempfile.mkdtemp(prefix="pi-"))
        self._hands: Hands | None = None
        self._person: Person | None = None
        self._ends: list[Any] = []
        """What a table needs here, to be closed in this order."""
        self._tables = 0

    # a table

    @property
    def person(self) -> Person:
        """Eyes and hands at the table that is set up now."""
        assert self._person is not None, "no table is set up"
        return self._person

    @property
    def book(self) -> str:
        """The only one: of the table as it is installed."""
        return DEFAULT_BOOK

    @property
    def hands(self) -> Hands:
        """The rig's pins."""
        assert self._hands is not None, "the rig was not started"
        return self._hands

    def start(self) -> None:
        """Take the pins, and see that the other computers are those of a rig. Raises Broken."""
        for host in (self._setup.table, self._setup.bank):
            self._run(host, f"test -e {SAFE}")
        self._hands = Hands(self._factory or factory_of(self._setup.pins), self._setup.wires)

    def stop(self) -> None:
        """Nobody is at the table any more."""
        self._leave()
        shutil.rmtree(self._folder, ignore_errors=True)

    def self_test(self) -> None:
        """The wires, while no table runs. Raises Broken, naming each."""
        self._systemctl("stop", Unit.TABLE)
        with closing(FarProbe(self._run, self._setup.table)) as probe:
            faults = wire_faults(self.hands, probe, self._setup.wires)
        if faults:
            raise Broken(f"rig pi: {'; '.join(faults)}")

    def table(self, book: str = DEFAULT_BOOK) -> None:
        """New journal, new ledger, adopted; what a scenario left full, stopped or unplugged is put right."""
        self._leave()
        self.free_disk()
        self._tables += 1
        home = self._folder / str(self._tables)
        home.mkdir()
        self._renew()
        (home / "table.toml").write_bytes(self._run(self._setup.table, "sudo cat /etc/felt/table.toml"))
        config = load_table(home / "table.toml")
        cabinet = Cabinet(home, bounce=False)
        cabinet.start()
        size = PANELS[config.screen.panel]
        hands = PinHands(home, self.hands, self._setup, (size.width_mm, size.height_mm))
        hands.start()
        there = str(glass_socket(config, Path(config.home)))
        glass = Joined(home / "table.sock", self._setup.table, "felt", there)
        wire = Serial(home / SHUFFLER_LINK, self._setup.serial)
        self._ends = [glass, hands, wire, cabinet]
        self._adopt(home, config.id)
        self._person = Person(home)
        self._person.tap_again_s = TAP_AGAIN_S

    def _renew(self) -> None:
        """Every unit anew, on new files."""
        for unit in UNITS:
            self._systemctl("stop", unit)
        safe = f"test -e {SAFE} &&"
        self._run(self._setup.table, f"{safe} sudo find /var/lib/felt -mindepth 1 -delete")
        self._run(self._setup.bank, f"{safe} sudo find /var/lib/felt-bank -mindepth 1 -delete")
        self._run(self._setup.table, f"sudo -u felt {FELT} table new --config /etc/felt/table.toml")
        self._run(self._setup.bank, f"sudo -u felt-bank {FELT} bank new --config /etc/felt/bank.toml")
        said = f"printf '%s\\n' {' '.join((*FLOOR, *MANAGER))}"
        self._run(self._setup.table, f"{said} | sudo -u felt {FELT} table live --config /etc/felt/table.toml")
        for unit in (Unit.BROKER, Unit.BANK, Unit.SIGN, Unit.TABLE, Unit.SCREEN):
            self._systemctl("start", unit)

    def _adopt(self, home: Path, table: str) -> None:
        """Two people take the new table at its bank."""
        journal = self._copied(self._setup.table, "felt", "/var/lib/felt/table.journal", home)
        with (
            closing(open_any(journal)) as own,
            closing(Joined(home / "bank.sock", self._setup.bank, "felt-bank", "/var/lib/felt-bank/bank.sock")),
        ):
            answer = ask(home / "bank.sock", Question(table, own.id, (Signature(*FLOOR), Signature(*MANAGER))))
        if answer is None or answer.refused:
            raise Broken(f"rig pi: {table} was not adopted: {answer.refused if answer else 'no bank listens'}")

    def _leave(self) -> None:
        if self._person is not None:
            self._person.close()
            self._person = None
        for end in self._ends:
            end.close()
        self._ends = []

    def dealer(self, book: str) -> Dealer:
        """The scripted dealer, at a table of the installed book."""
        if book != self.book:
            raise NotImplementedError(Capability.BOOKS)
        (config,) = self._folder.glob(f"{self._tables}/table.toml")
        return Dealer(self.person, game=Game.of(config))

    # units

    def _host(self, unit: Unit) -> str:
        return self._setup.table if unit in AT_THE_TABLE else self._setup.bank

    def _systemctl(self, verb: str, unit: Unit) -> float:
        """When it was told to; what an answer takes is counted in."""
        at = time.monotonic()
        self._run(self._host(unit), f"sudo systemctl {verb} {UNITS[unit]}")
        return at

    def kill(self, unit: Unit) -> float:
        """SIGKILL."""
        return self._systemctl("kill -s KILL", unit)

    def hang(self, unit: Unit) -> float:
        """SIGSTOP."""
        return self._systemctl("kill -s STOP", unit)

    def stop_unit(self, unit: Unit) -> float:
        """As a technician does it."""
        return self._systemctl("stop", unit)

    def start_unit(self, unit: Unit) -> float:
        """As a technician does it."""
        return self._systemctl("start", unit)

    def runs(self, unit: Unit) -> bool:
        """systemd says that it is active: it has said READY."""
        try:
            self._systemctl("is-active --quiet", unit)
        except Broken:
            return False
        return True

    def power_cut(self) -> float:
        """The relay in the supply of the table's computer opens."""
        at = time.monotonic()
        self.hands.power(on=False)
        return at

    def boot(self) -> float:
        """It closes."""
        at = time.monotonic()
        self.hands.power(on=True)
        return at

    def panic(self) -> float:
        """Nobody answers any more: the shell that asks for it must not wait."""
        at = time.monotonic()
        self._run(self._setup.table, f"sudo systemd-run -q sh -c '{SYSRQ} echo c > /proc/sysrq-trigger'")
        return at

    def log(self, unit: Unit) -> str:
        """Since that computer was switched on."""
        return self._run(self._host(unit), f"sudo journalctl -b --no-pager -o cat -u {UNITS[unit]}").decode()

    def boot_parts(self) -> str:
        """Of the table's computer."""
        return self._run(self._setup.table, boot.QUESTION).decode()

    # plugs, and the machine

    def unplug(self, device: Device) -> float:
        """The shuffler falls silent, or the broker is stopped; other cables are pulled by hand."""
        at = time.monotonic()
        if device == Device.BROKER:
            return self.stop_unit(Unit.BROKER)
        assert device == Device.SERIAL, f"rig pi has no {device} to unplug"
        self.person.world.unplug()
        return at

    def replug(self, device: Device) -> float:
        """It speaks again."""
        at = time.monotonic()
        if device == Device.BROKER:
            return self.start_unit(Unit.BROKER)
        assert device == Device.SERIAL, f"rig pi has no {device} to put back"
        self.person.world.replug()
        return at

    def clock(self, step_s: float) -> None:
        """Nobody sets it right meanwhile."""
        self._run(
            self._setup.table,
            f"sudo timedatectl set-ntp false && sudo date -s @$(( $(date +%s) + {round(step_s)} ))",
        )

    def fill_disk(self) -> None:
        """Every free block, those kept for root too."""
        self._run(self._setup.table, f"sudo dd if=/dev/zero of={FULL} bs=1M conv=fsync || true")

    def free_disk(self) -> None:
        """Give them back."""
        self._run(self._setup.table, f"sudo rm -f {FULL}")

    def write_protect(self) -> None:
        """On the table's own card."""
        self._run(self._setup.table, "sudo sh", FAIL_CARD.encode())

    @contextlib.contextmanager
    def hunger(self) -> Iterator[None]:
        """The kernel ends it first, again and again."""
        options = "-p Restart=always -p RestartSec=1 -p OOMScoreAdjust=1000 -p StartLimitIntervalSec=0"
        self._run(self._setup.table, f"sudo systemd-run -q --unit=hil-hunger {options} tail /dev/zero")
        try:
            yield
        finally:
            self._run(self._setup.table, "sudo systemctl stop hil-hunger")

    @contextlib.contextmanager
    def load(self) -> Iterator[None]:
        """A busy loop a core, and one more."""
        loop = "sudo systemd-run -q --unit=hil-load-$i sh -c 'while :; do :; done'"
        self._run(self._setup.table, f"for i in $(seq $(( $(nproc) + 1 ))); do {loop}; done")
        try:
            yield
        finally:
            self._run(self._setup.table, "sudo systemctl stop 'hil-load-*'")

    # eyes

    def lines(self) -> Lines:
        """What the meter reads at the pins."""
        return Lines(self.hands.lamps(), self.hands.lock(), time.monotonic())

    def screenshot(self, to: Path) -> Path:
        """Not here: a person looks at it."""
        raise NotImplementedError(Capability.SCREENSHOT)

    def journal(self, folder: Path) -> Copies:
        """By SQLite's own backup on the other computers."""
        return Copies(
            self._copied(self._setup.table, "felt", "/var/lib/felt/table.journal", folder),
            self._copied(self._setup.bank, "felt-bank", "/var/lib/felt-bank/bank.ledger", folder),
        )

    def _copied(self, host: str, user: str, there: str, folder: Path) -> Path:
        copy = f"/tmp/hil-{Path(there).name}"
        self._run(host, f"sudo rm -f {copy}; sudo -u {user} {PYTHON} - {there} {copy}", BACKUP.encode())
        here = folder / Path(there).name
        here.write_bytes(self._run(host, f"sudo cat {copy}"))
        return here
