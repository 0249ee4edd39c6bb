"""The rig `vm`: a whole table and its bank in a virtual machine, with a real kernel, its devices, and systemd's own units.

People are on this computer and use the simulated world: a cabinet that outlives every power cut, whose wires lead into the
machine (`tests.hil.far`). Where QEMU emulates the processor, everything takes several times as long as on a Raspberry Pi:
what counts is order and outcome. So that a new table does not cost a boot, the state of a machine that stands ready is
kept in its disk and loaded again.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from firmware.config import DEFAULT_BOOK, glass_socket, load_table
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.person import FLOOR, MANAGER, PATIENCE_S, TAP_AGAIN_S, Person
from firmware.proof.simulation.processes import Part
from firmware.rules.games import books
from firmware.runtime.adoption import Question, Signature, ask
from firmware.runtime.files import open_any
from hal.cabinet.wire import SHUFFLER_LINK
from tests.hil import boot, image, provision
from tests.hil.accelerator import accelerator
from tests.hil.far import CONTROL_S, Control, FarHands, Joined, ShufflerCable, wiring
from tests.hil.machine import Machine
from tests.hil.rig import FAIL_CARD, MACHINE, Broken, Capability, Copies, Device, Fault, Held, Lines, Rig, Unit
from ui.dealer.panels import PANELS

UNITS: Mapping[Unit, str] = {
    Unit.TABLE: "felt-table",
    Unit.SCREEN: "felt-screen",
    Unit.BANK: "felt-bank",
    Unit.BROKER: "mosquitto",
    Unit.SIGN: "felt-sign",
}
BOOT_S = 600.0
"""The longest that a machine may take from power to a table that is ready."""
READY_S = 400.0
SLOW_AT_MOST = 25.0
"""A processor that is so many times slower than a Raspberry Pi is waited for: watchdogs bite, the bank's words come late."""
CALM_S = 60.0
"""Until it is measured again."""
ENOUGH_S = 240.0
"""So long after the machine's making began no further table is kept: a scenario sets it up, in half a minute."""
LOOK_S = 0.5
HANDS_S = 0.05
"""Between two looks whether the hands answer: that costs the machine nothing."""
DRAWN_S = 0.12
"""What a Raspberry Pi is taken to need until its glass shows what the table says: it draws the key that was let go first."""
REBOOT = "sudo reboot"
STATES = "states-{processor}.qcow2"
"""Beside the image: a disk with the states of tables that stand ready; one kind of processor cannot load another's."""
DEVICES: Mapping[Device, str] = {Device.CHIP: "chip", Device.TOUCH: "touch", Device.BADGE: "badge"}
LOOP = "import time; began = time.monotonic(); sum(i * i % 7 for i in range(10**6)); print(time.monotonic() - began)"
PI_LOOP_S = 0.4
"""What a Raspberry Pi 4 is taken to need for `LOOP`: an estimate, no such board was measured."""
EATS = "eaten = []; [eaten.append(bytes([1]) * (1 << 28)) for _ in iter(int, 1)]"
"""All memory, and quickly: who takes it slowly has the kernel throw away programs page by page, for minutes."""
LONG_AGO = "2021-01-01T00:00:00"
INSTALLED = "$(echo /opt/felt/.venv/lib/python3.*/site-packages)"
UNREAD = "s/return .Badge(badge, at_ns). if badge else ../return []/"
FILLER = "/var/lib/felt/.filler"
FELT, AT = "sudo -u felt /opt/felt/.venv/bin/felt", "--config /etc/felt/table.toml"
LEDGER = (
    "[ ! -e /etc/felt/bank.toml ] || sudo -u felt-bank /opt/felt/.venv/bin/felt bank new --config /etc/felt/bank.toml"
)
LIVE = f"printf '%s\\n' {' '.join((*FLOOR, *MANAGER))} | {FELT} table live {AT}"
"""Two people say that the table is no test any more."""
CABLE = """
table inet felt_hil {
    chain out { type filter hook output priority 0; meta skuid felt tcp dport 8883 ct mark set 1; ct mark 1 drop; }
    chain in { type filter hook input priority 0; ct mark 1 drop; }
}
"""
"""The table's connection to the broker, and no other one, carries nothing any more."""


class VmRig(Rig):
    """`tests.hil.rig.Rig` on a virtual machine.

    data_disks: "table" or "bank" -> a disk of QEMU that their files shall be on; such a machine is booted for every
    table, since its state cannot be kept.
    """

    name = "vm"
    capabilities = frozenset(Capability) - {Capability.LOST_WRITES, Capability.COPPER}
    slowness = 8.0
    """Until it is measured."""
    blur_ms = 6.0
    later_s: Mapping[str, float] = {name: provision.later_s(name) for name in (*provision.UNITS, MACHINE)}

    def __init__(self, data_disks: Mapping[str, str] | None = None, say: Callable[[str], None] = print) -> None:
        self._say = say
        self._data_disks = dict(data_disks or {})
        self._folder = Path(tempfile.mkdtemp(prefix="felt-vm-"))
        self._panel = PANELS["800x480"]
        self._book = DEFAULT_BOOK
        self._kept: set[str] = set()
        """Books whose table stands ready in a state that is kept."""
        self._loaded = False
        """A state was loaded: QEMU needs most of a minute to keep another in that disk. Both share its clusters (qcow2), and
        each that is written is flushed."""
        self._ends: list[Part | FarHands | Joined | ShufflerCable] = []
        self._table_ends: list[Part | FarHands | Joined | ShufflerCable] = []
        self._cached: frozenset[str] = frozenset()
        self._is_new = False
        """The machine has just booted for the first time: its table was never played at."""
        self._processor, self._took_s = "", list[float]()
        """What it is, and how long it took for `LOOP` at each table."""
        self._resets = 0
        self._pause = threading.Event()
        self._number = 0
        self._person: Person | None = None
        self._hands: FarHands | None = None

    # the machine

    def start(self) -> None:
        """Build what is not in the cache, boot, and wait until every unit is ready. Raises Broken."""
        try:
            built = image.build(self._say)
        except image.Cannot as reason:
            raise Broken(f"no virtual machine can be had here: {reason}") from reason
        self.machine = Machine(self._folder, built, self._panel, self._heard, self._data_disks)
        self.control = Control(self.machine)
        self._states = states_of(built)
        self._say_processor()
        if self._states.exists() and not self._data_disks:
            self._kept = self.machine.take_disk(self._states)
        else:
            self.machine.new_disk()
        self._cached = frozenset(self._kept)
        if not self._kept:
            self.machine.power_on()
            with self._told("boot, until every unit is ready"):
                self._set_up_hands(DEFAULT_BOOK)
                self._await_units()
            if not self._data_disks:
                self._finish_installation()
            self._is_new = True

    def _finish_installation(self) -> None:
        """Those of the document's lines that only a running machine can do, as they stand; the last one boots it anew."""
        for line in filter(provision.is_for_a_running_machine, provision.commands()):
            with self._told(f"in the machine: {line}"):
                if line.endswith(REBOOT):
                    self._boot_anew(provision.in_checkout(line))
                else:
                    self._run(provision.in_checkout(line))
                self._await_units()

    def _boot_anew(self, line: str) -> None:
        before = self._resets
        with contextlib.suppress(OSError, Broken):  # nobody answers any more
            self._run(line)
        self._await("the machine to boot anew", lambda: self._resets > before, BOOT_S)

    def _say_processor(self) -> None:
        """Loudly: a figure of an emulated machine is no figure of a table."""
        chosen = accelerator()
        self._processor = f"THE PROCESSOR IS {'EMULATED (TCG)' if chosen.emulated else 'LENT (KVM)'}: {chosen.why}"
        self.told = self._processor
        self._say(self.told)

    def stop(self) -> None:
        """Everything off; the states of tables that were set up stay in the cache, for the next run."""
        try:
            self._leave()
        finally:
            self._switch_off()

    def _switch_off(self) -> None:
        machine = getattr(self, "machine", None)
        if machine is None:
            return
        if self._kept > self._cached and machine.on:
            machine.quit()
            shutil.move(machine.disk, self._states)
        machine.power_off()
        shutil.rmtree(self._folder)

    def _heard(self, event: str) -> None:
        """QEMU says that the machine starts anew: what it showed before is no longer so."""
        self._resets += event == "RESET"
        if event == "RESET" and self._hands is not None:
            for end in self._table_ends:
                if isinstance(end, FarHands | Joined):
                    end.drop()

    # a table

    @property
    def person(self) -> Person:
        assert self._person is not None, "no table is set up"
        return self._person

    @property
    def book(self) -> str:
        return self._book

    def table(self, book: str = DEFAULT_BOOK) -> None:
        """A new table, at which the processor has time."""
        self._set_up(book)
        while self.slowness > SLOW_AT_MOST:
            self._say(f"waiting for a processor: it is {self.slowness:.0f} times slower than a Raspberry Pi")
            self._pause.wait(CALM_S)
            self._set_up(book)

    def _set_up(self, book: str) -> None:
        """The state that was kept, or a new journal and ledger in a machine that runs."""
        self._leave()
        if book in self._kept:
            with self._told(f"table of {book}, from its kept state"):
                cabinet = self._lay_out(book)
                self.machine.power_off()  # a state that is loaded into a machine with a past was seen to take a minute
                self.machine.power_on(paused=True)
                self._monitor(f"loadvm {book}")
                self._loaded = True
                self._monitor("cont")
                self._join(cabinet)
                self._await_hands()
                self._run(f"date -u -s @{time.time():.3f}")
                self._cable().start()
                self._await_units()
        else:
            if not self.machine.on:
                self.machine.power_on()
            with self._told(f"table of {book}, new"):
                self._set_up_hands(book)
                self._await_hands()
                if self._is_new and book == DEFAULT_BOOK:
                    self._run(
                        f"systemctl stop felt-table felt-screen; {LIVE}; systemctl start --no-block felt-table felt-screen"
                    )
                else:
                    self._put_right()
                    self._new_table(book)
                self._is_new = False
                self._await_units()
                self._adopt()
                self._keep(book)
        self._await("the shuffler at the table", self._hears_shuffler, READY_S)
        self._calibrate()
        self._person = Person(self._home, PATIENCE_S * self.slowness)
        self._person.tap_again_s = TAP_AGAIN_S * self.slowness
        self._person.drawn_s = DRAWN_S * self.slowness

    def dealer(self, book: str) -> Dealer:
        if self._person is None or self._book != book:
            self.table(book)
        return Dealer(self.person, game=Game.of(self._home / "table.toml"))

    def _calibrate(self) -> None:
        """How slow its processor is now, with whatever else this computer has to do: measured for every table, and said."""
        took_s = float(self.control.run(f"python3 -c '{LOOP}'", BOOT_S))
        self._took_s.append(took_s)
        self.slowness = max(1.0, took_s / PI_LOOP_S)
        self._say(f"its processor: {took_s:.1f} s for what a Raspberry Pi 4 is taken to do in {PI_LOOP_S} s")
        slowly = f"it took {min(self._took_s):.1f} to {max(self._took_s):.1f} s"
        self.told = f"{self._processor}; {slowly} for what a Raspberry Pi 4 is taken to do in {PI_LOOP_S} s"

    @property
    def _home(self) -> Path:
        """Of the people at the table that is set up now, and of the cabinet."""
        return self._folder / str(self._number)

    def _set_up_hands(self, book: str) -> None:
        """The world of a new table, and what leads from there into the machine."""
        self._join(self._lay_out(book))

    def _lay_out(self, book: str) -> Part:
        """The world of a new table: nothing lies on it, its switch is open, its shuffler is ready; its cabinet starts."""
        self._number, self._book = self._number + 1, book
        self._home.mkdir()
        for name, text in provision.configuration(book).items():
            (self._home / name).write_text(text, encoding="utf-8")
        at_home = ("--config", str(self._home / "table.toml"), "--home", str(self._home))
        cabinet = Part("cabinet", [sys.executable, "-m", "firmware", "--log", "INFO", "cabinet", *at_home], self._home)
        self._table_ends = [cabinet]
        cabinet.start()
        return cabinet

    def _join(self, cabinet: Part) -> None:
        """Its wires lead into the machine, as soon as the cabinet is there."""
        config = load_table(self._home / "table.toml")
        cabinet.wait_ready()
        sensors = Game.of(self._home / "table.toml").progressive
        hands = FarHands(self.machine, self._home, wiring(config, sensors=sensors), self._panel)
        shuffler = ShufflerCable(self.machine, self._home / SHUFFLER_LINK)
        glass = Joined(self.machine, self._home / "table.sock", str(glass_socket(config, Path(config.home))))
        self._hands, self._table_ends = hands, [glass, shuffler, hands, cabinet]
        hands.start()
        if self._book not in self._kept:
            shuffler.start()

    def _leave(self) -> None:
        """Whoever was at the table goes, and takes the cabinet along."""
        if self._person is not None:
            self._person.close()
            self._person = None
        for end in self._table_ends:
            end.kill() if isinstance(end, Part) else end.close()
        self._table_ends, self._hands = [], None

    def _put_right(self) -> None:
        """What a scenario has left behind."""
        self.free_disk()
        self._run("nft flush ruleset")
        self._run(f"date -u -s @{time.time():.3f}")
        for device in DEVICES:
            self.replug(device)

    def _new_table(self, book: str) -> None:
        """New journal, new ledger, another table.toml; every unit starts anew, those without a journal while it is made."""
        units = " ".join(name for unit, name in UNITS.items() if unit is not Unit.BROKER)
        others = " ".join(name for unit, name in UNITS.items() if unit not in (Unit.BROKER, Unit.TABLE))
        self._run(
            f"systemctl stop {units}; find /var/lib/felt /var/lib/felt-bank -mindepth 1 -delete; rm -f /etc/felt/bank.toml"
        )
        for name, text in provision.configuration(book).items():
            self.control.put(f"/etc/felt/{name}", text.encode())
        self._run(
            f"systemd-tmpfiles --create felt.conf; {LEDGER}; systemctl start mosquitto; systemctl start --no-block {others};"
            f" {FELT} table new {AT} && {LIVE}; systemctl start --no-block {UNITS[Unit.TABLE]}"
        )

    def _adopt(self) -> None:
        """Two people take the new table at its bank, as soon as that has heard of it."""
        if not (self._home / "bank.toml").exists():
            return
        here = self._home / "bank.sock"
        joined = Joined(self.machine, here, "/var/lib/felt-bank/bank.sock")
        try:
            with contextlib.closing(open_any(self._copy("felt", "table.journal", "table-seal.pub", self._home))) as own:
                asked = Question(provision.TABLE, own.id, (Signature(*FLOOR), Signature(*MANAGER)))
            deadline = time.monotonic() + READY_S
            said = "it does not answer"
            while time.monotonic() < deadline:
                with contextlib.suppress(OSError, ValueError):
                    answer = ask(here, asked)
                    if answer is not None and not answer.refused:
                        return
                    said = answer.refused if answer is not None else said
                self._pause.wait(LOOK_S)
            raise Broken(f"the bank did not adopt the table: {said}")
        finally:
            joined.close()

    # kept states

    def _keep(self, book: str) -> None:
        """The shuffler's plug is out meanwhile: QEMU cannot keep its state."""
        if self._data_disks or self._loaded:
            return
        self._cable().close()
        gone = f"! test -e {provision.SHUFFLER} && udevadm settle"
        self._await("the shuffler's plug to be missed", lambda: self._succeeds(gone), READY_S)
        self._monitor(f"savevm {book}")
        self._kept.add(book)
        again = ShufflerCable(self.machine, self._home / SHUFFLER_LINK)
        self._table_ends = [again if isinstance(end, ShufflerCable) else end for end in self._table_ends]
        again.start()

    def _monitor(self, line: str) -> None:
        said = self.machine.say("human-monitor-command", **{"command-line": line})
        if said.strip():
            raise Broken(f"QEMU refused {line}: {said.strip()}")

    # waiting

    def _cable(self) -> ShufflerCable:
        return next(end for end in self._table_ends if isinstance(end, ShufflerCable))

    def _hears_shuffler(self) -> bool:
        """The table's program has the serial line open."""
        pid = f"$(systemctl show -P MainPID {UNITS[Unit.TABLE]})"
        return self._succeeds(f"ls -l /proc/{pid}/fd | grep -q ttyUSB")

    def _succeeds(self, line: str) -> bool:
        """A line of shell ends well; not while the machine does not answer."""
        with contextlib.suppress(OSError, Broken):
            return bool(self.control.ask("run", line=line, within_s=60)["code"] == 0)
        return False

    def _await_hands(self) -> None:
        self._await("the hands in the machine", lambda: self._hands is not None and self._hands.there, BOOT_S, HANDS_S)

    def _await_units(self) -> None:
        self._await_hands()
        wanted = [unit for unit in UNITS if (self._home / "bank.toml").exists() or unit in (Unit.TABLE, Unit.SCREEN)]
        names = " ".join(UNITS[unit] for unit in wanted)
        ready = f"test $(systemctl is-active {names} | grep -cx active) = {len(wanted)}"
        self._await("every unit to be ready", lambda: self._succeeds(ready), BOOT_S)

    def _await(self, what: str, done: Callable[[], bool], within_s: float, look_s: float = LOOK_S) -> None:
        """What the machine waits for a processor of this computer is not counted."""
        deadline = self.machine.now_s + within_s
        while not done():
            if self.machine.now_s > deadline or not self.machine.on:
                raise Broken(f"waited {within_s:.0f} s for {what}; the machine's last words: {self._last_words()}")
            self._pause.wait(look_s)

    def _last_words(self) -> str:
        with contextlib.suppress(OSError, Broken):
            units = " ".join(f"-u {name}" for name in UNITS.values())
            return self.control.run(f"systemctl --failed --no-legend; journalctl -n 30 --no-pager -o cat {units}", 60)
        return self.machine.console.read_text(errors="replace")[-1500:]

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self._say(f"{what}: {time.monotonic() - began:.0f} s")

    # faults

    def kill(self, unit: Unit) -> float:
        return self._signal(unit, signal.SIGKILL)

    def hang(self, unit: Unit) -> float:
        return self._signal(unit, signal.SIGSTOP)

    def _signal(self, unit: Unit, number: signal.Signals) -> float:
        told = self.control.ask("signal", unit=UNITS[unit], number=int(number))
        return (int(told["signalled_ns"]) + self._ahead_ns) / 1e9

    @property
    def _ahead_ns(self) -> int:
        assert self._hands is not None
        return self._hands.ahead_ns

    def stop_unit(self, unit: Unit) -> float:
        began = time.monotonic()
        self._run(f"systemctl stop {UNITS[unit]}")
        return began

    def start_unit(self, unit: Unit) -> float:
        began = time.monotonic()
        self._run(f"systemctl start {UNITS[unit]}")
        return began

    def runs(self, unit: Unit) -> bool:
        return self._succeeds(f"systemctl is-active {UNITS[unit]}")

    def power_cut(self) -> float:
        when = self.machine.power_off()
        self._heard("RESET")
        return when

    def boot(self) -> float:
        return self.machine.power_on()

    def boot_without_time(self) -> float:
        return self.machine.power_on(clock=LONG_AGO)

    def tell_time(self) -> float:
        began = time.monotonic()
        self._run(f"date -u -s @{time.time():.3f}")
        return began

    def panic(self) -> float:
        """The kernel dies where it stands; its hardware watchdog starts it anew."""
        began = time.monotonic()
        threading.Thread(target=self._crash, name="panic", daemon=True).start()
        return began

    def _crash(self) -> None:
        with contextlib.suppress(OSError, Broken):  # nobody will answer
            self.control.ask(
                "run", 5.0, line="echo 1 > /proc/sys/kernel/sysrq; echo c > /proc/sysrq-trigger", within_s=5
            )

    def unplug(self, device: Device) -> float:
        return self._plug(device, there=False)

    def replug(self, device: Device) -> float:
        return self._plug(device, there=True)

    def _plug(self, device: Device, *, there: bool) -> float:
        began = time.monotonic()
        if device in DEVICES:
            assert self._hands is not None
            self._hands.plug(DEVICES[device], there)
        elif device is Device.SERIAL:
            (self.person.world.replug if there else self.person.world.unplug)()
            cable = self._cable()
            self._await("the shuffler's plug", lambda: cable.plugged == there, READY_S)
        elif device is Device.BROKER:
            (self.start_unit if there else self.stop_unit)(Unit.BROKER)
        elif there:
            self._run("nft flush ruleset")
        else:
            self.control.put("/run/felt-hil.nft", CABLE.encode())
            self._run("nft -f /run/felt-hil.nft")
        return began

    def clock(self, step_s: float) -> None:
        self._run(f"date -u -s @$(( $(date +%s) + {round(step_s)} ))")

    def fill_disk(self) -> None:
        self._run(
            f"fallocate -l $(df --output=avail -B1 /var/lib/felt | tail -n1) {FILLER} || true;"
            f" dd if=/dev/zero of={FILLER}.rest bs=4k 2> /dev/null || true; sync"
        )

    def free_disk(self) -> None:
        self._run(f"rm -f {FILLER} {FILLER}.rest; sync")

    def write_protect(self) -> None:
        self._run(FAIL_CARD)

    @contextmanager
    def hunger(self) -> Iterator[None]:
        options = "-p Restart=always -p RestartSec=3 -p OOMScoreAdjust=1000 -p StartLimitIntervalSec=0"
        self._run(f"systemd-run -q --unit=felt-hil-hunger {options} /usr/bin/python3 -c '{EATS}'")
        try:
            self._await("the kernel to kill who takes all", self._starved, READY_S)
            yield
        finally:
            self._run("systemctl stop felt-hil-hunger")

    def _starved(self) -> bool:
        return self._succeeds("test $(systemctl show -P NRestarts felt-hil-hunger) -ge 1")

    def boot_parts(self) -> str:
        return self._run(boot.QUESTION)

    def doctor(self) -> str:
        self._run("systemctl stop felt-table felt-screen")
        known = (
            "mount --bind /run/cpuinfo /proc/cpuinfo"  # as the unit's drop-in has it: gpiozero asks which board this is
        )
        asks = f"unshare -m sh -c '{known} && {provision.doctor()} --questions yes'"
        said = self.control.talk(asks, self._answer, CONTROL_S * self.slowness)
        self.person.world.lockout(False)
        self._run("systemctl start --no-block felt-table felt-screen")
        self._await_units()
        return said

    def _answer(self, question: str) -> str:
        """What a person at the table does and sees."""
        world = self.person.world
        if "lockout" in question:
            world.lockout("LOCKED" in question)
        self._pause.wait(LOOK_S)  # wires take their time, and so do people
        if "badge" in question:
            world.badge(FLOOR[0])
        lit = [str(seat) for seat, lit in self.lines().lamps.items() if lit]
        return " ".join(lit) if "lamp" in question else ""

    def plant(self, fault: Fault) -> None:
        config = load_table(self._home / "table.toml")
        assert self._hands is not None
        if fault is Fault.LAMP:
            self._hands.invert(config.seats.lamp_pins[2])
            self._hands.drop()  # it comes back at once, and is told every level
        elif fault is Fault.LOCKOUT:
            self._hands.invert(config.seats.lockout_pin)
            self._hands.drop()
        elif fault is Fault.BADGE:
            self._run(f"sed -i '{UNREAD}' {INSTALLED}/hal/badge.py && systemctl restart felt-table")
        else:
            self._run(r"sed -i 's/^\[seats\]$/&\nwindow_ms = 1/' /etc/felt/table.toml && systemctl restart felt-table")
        self._await_units()

    def log(self, unit: Unit) -> str:
        return self._run(f"journalctl -b --no-pager -o cat -u {UNITS[unit]}")

    @contextmanager
    def load(self) -> Iterator[None]:
        names = [f"felt-hil-load-{number}" for number in range(3)]
        loop = "/bin/sh -c 'while :; do :; done'"
        self._run("; ".join(f"systemd-run -q --unit={name} {loop}" for name in names))
        try:
            yield
        finally:
            self._run(f"systemctl stop {' '.join(names)}")

    def journal(self, folder: Path) -> Copies:
        linked = (self._home / "bank.toml").exists()
        journal = self._copy("felt", "table.journal", "table-seal.pub", folder)
        return Copies(journal, self._copy("felt-bank", "bank.ledger", "bank-seal.pub", folder) if linked else None)

    def _copy(self, owner: str, name: str, key: str, folder: Path) -> Path:
        """A database of the machine, as its owner copies it by SQLite's own backup, and the public key of its seals."""
        copies = f"install -d -m 700 -o {owner} /run/{owner}-copies && rm -f /run/{owner}-copies/{name}"
        backup = f"runuser -u {owner} -- sqlite3 /var/lib/{owner}/{name} '.backup /run/{owner}-copies/{name}'"
        self._run(f"{copies} && {backup}")
        (folder / key).write_bytes(self.control.get(f"/var/lib/{owner}/{key}"))
        (folder / name).write_bytes(self.control.get(f"/run/{owner}-copies/{name}"))
        return folder / name

    # looking

    def lines(self) -> Lines:
        if self._hands is None:
            raise Broken("no table is set up: there is nothing to measure at")
        return self._hands.lines()

    def held_ms(self, locked_ns: int) -> Mapping[int, Held]:
        """By the machine's clock at its wires: on the way there a contact is late by as much as the network likes."""
        assert self._hands is not None
        return self._hands.held_ms(locked_ns, READY_S)

    def screenshot(self, to: Path) -> Path:
        return self.machine.screenshot(to.resolve())

    def self_test(self) -> None:
        """Chip and panel are there. A machine whose states are kept is off until a table is wanted of it."""
        if not self.machine.on:
            return
        self._await_hands()
        self._run("test -e /dev/gpiochip0 && test -e /dev/uinput")

    def _run(self, line: str) -> str:
        return self.control.run(line)


def states_of(built: image.Image) -> Path:
    """The disk with the states that this computer's machines can load."""
    return built.disk.with_name(STATES.format(processor=accelerator().name))


def main() -> int:
    """Make the image, boot it, and keep the state of a table of each book for which there is time; the exit code."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="tests.hil.vm", description=main.__doc__)
    parser.add_argument("--packages", action="store_true", help="only install what this computer needs for it")
    options = parser.parse_args()
    try:
        if options.packages:
            image.prepare_host()
            return 0
        built = image.build()
    except image.Cannot as reason:
        print(f"NO VIRTUAL MACHINE HERE: {reason}", file=sys.stderr)
        return image.SKIP
    print(built.disk.with_name(image.LINES).read_text(encoding="utf-8").rstrip())
    if states_of(built).exists():
        print("tables that stand ready: in the cache")
        return 0
    rig = VmRig()
    try:
        rig.start()
        rig.table(DEFAULT_BOOK)
        for book in books():
            if book != DEFAULT_BOOK and time.monotonic() - began < ENOUGH_S:
                rig.table(book)
    finally:
        rig.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
