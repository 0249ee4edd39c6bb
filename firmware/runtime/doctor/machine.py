"""The very machine that `felt doctor` runs on: its devices, opened for a moment and given back."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import queue
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from importlib import metadata
from pathlib import Path

from firmware.config import TableConfig, glass_socket, people_at
from firmware.rules.submission import Submission
from firmware.runtime.doctor import kernel, papers
from firmware.runtime.doctor import readings as r
from firmware.runtime.doctor.checks import Subject
from firmware.runtime.journal import about
from firmware.runtime.link import visit
from firmware.runtime.outgoing import presence
from firmware.runtime.readers import exposed
from firmware.runtime.seals import load_key
from firmware.runtime.sqlite import Database, Row, StoreError
from firmware.runtime.words import Voice
from firmware.table.state import HANDS
from firmware.wire.topics import TableTopics
from hal import badge, chips, touch
from hal.chip_reader import ChipReader
from hal.gpio import PinFault, TriedPins
from hal.input_device import InputDevice, look
from hal.ports import Badge, DeviceLost, Level, ShufflerStatus
from hal.reader.protocols import CONTACTS
from hal.serial import SerialShuffler
from ui.dealer.panels import PANELS

ANSWER_S = 5.0
"""So long a shuffler may take to say something."""
BADGE_S = 30.0
PACKAGES = ("felt", "msgspec", "gpiozero", "lgpio", "pyserial", "evdev", "paho-mqtt", "pygame-ce", "cryptography")
Ask = Callable[[str], str]
"""Puts a question to the person at the terminal; what is typed until Enter."""


def wires_of(config: TableConfig, submission: Submission) -> tuple[r.Wire, ...]:
    """The lines of a table, outputs first, so that all is dark and locked before anything is looked at."""
    seats, wires = config.seats, list[r.Wire]()
    if submission.on_sensor:
        wires += [r.Wire("lock line", seats.lock_pin, r.LOCK_LINE), *_each(seats.lamp_pins, "", r.LAMP)]
        bonus = bool(submission.by_account)
        lamps = (seats.own_button_lamp_pins, seats.dealer_button_lamp_pins)
        buttons = (seats.own_button_pins, seats.dealer_button_pins)
        for kind, of_both in ((r.LAMP, lamps), (r.BUTTON, buttons)) if bonus else ():
            for hand, pins in zip(HANDS, of_both, strict=True):
                wires += _each(pins, f" {hand}", kind)
        contacts = seats.sensor_pins if config.sensors.kind == CONTACTS else ()
        wires += [r.Wire("lockout", seats.lockout_pin, r.SWITCH), *_each(contacts, "", r.SENSOR)]
    if seats.next_pin >= 0:
        wires.append(r.Wire("NEXT key", seats.next_pin, r.BUTTON))
    return tuple(wires)


def _each(pins: tuple[int, ...], hand: str, kind: str) -> list[r.Wire]:
    return [r.Wire(f"seat {seat}{hand}", pin, kind) for seat, pin in enumerate(pins, start=1)]


class ThisMachine:
    """`readings.Machine` for the table of `subject`.

    ask: the person at the terminal; None: nobody. stands: how the lockout switch is said to stand, "open", "locked" or "".
    """

    def __init__(
        self, subject: Subject, home: Path, configured: Path | None, ask: Ask | None, stands: str = ""
    ) -> None:
        self._subject, self._home, self._configured = subject, home, configured
        self._ask, self._stands = ask, stands
        self._config = subject.config

    def holder(self) -> str:
        """The program that answers at the table's socket, or writes its journal."""
        glass = glass_socket(self._config, self._home)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
            try:
                asked.connect(str(glass))
            except OSError:
                return ""
        return f"felt table runs and answers at {glass}"

    # Devices

    def pins(self) -> r.PinsReading:
        """Outputs first, each low; then every input; then lamp by lamp, with a person's eyes where there is one."""
        wires, keeps = wires_of(self._config, self._subject.submission), chips.keeps_levels()
        if not wires:
            return r.PinsReading()
        try:
            tried = TriedPins(self._config.seats.gpio_chips)
        except (chips.NoChip, PinFault) as error:
            return r.PinsReading(str(error))
        try:
            return r.PinsReading("", tuple(self._looked_at(tried, wires)), str(keeps or ""))
        finally:
            tried.close()

    def _looked_at(self, tried: TriedPins, wires: tuple[r.Wire, ...]) -> Iterator[r.PinReading]:
        outputs = [wire for wire in wires if wire.kind in r.OUTPUTS]
        low = {wire: tried.drive(wire.pin, False) for wire in outputs}
        glowing = self._lit("All lamps are driven dark. Which ones glow?")
        for wire in wires:
            if wire not in low:
                heard = tried.listen(wire.pin)
                yield r.PinReading(wire, heard.fault, heard.pull, heard.high)
                continue
            is_lamp = wire.kind == r.LAMP
            up = tried.drive(wire.pin, True) if is_lamp else low[wire]
            seen = self._lit(f"Now the lamp of {wire.name} alone. Which ones are lit?") if is_lamp else None
            down = tried.drive(wire.pin, False)
            yield r.PinReading(
                wire,
                low[wire].fault or up.fault or down.fault,
                when_high=up.high if is_lamp else None,
                when_low=down.high,
                seen=seen,
                glowed=None if glowing is None else wire.token in glowing,
            )

    def _lit(self, question: str) -> tuple[str, ...] | None:
        if self._ask is None:
            return None
        return tuple(
            self._ask(f"{question} Seats with spaces between them, Enter for none: ").replace(",", " ").split()
        )

    def lockout(self) -> r.LockoutReading:
        """The contact, in the position that was said or in both that a person turns it to."""
        try:
            tried = TriedPins(self._config.seats.gpio_chips)
        except (chips.NoChip, PinFault) as error:
            return r.LockoutReading(fault=str(error))
        try:
            first = tried.listen(self._config.seats.lockout_pin)
            if first.fault:
                return r.LockoutReading(fault=first.fault)
            return r.LockoutReading(self._closed(tried, "open"), self._closed(tried, "locked"))
        finally:
            tried.close()

    def _closed(self, tried: TriedPins, position: str) -> bool | None:
        """Whether the contact is closed in that position; None where nobody turned it there."""
        if self._ask is not None and not self._stands:
            self._ask(f"Turn the lockout to {position.upper()}, then press Enter: ")
        elif self._stands != position:
            return None
        level = tried.listen(self._config.seats.lockout_pin).high
        return None if level is None else not level

    def shuffler(self) -> r.ShufflerReading:
        """Ask the unit, and wait for its first whole word."""
        heard: queue.Queue[object] = queue.Queue()
        line = self._config.shuffler
        unit = SerialShuffler(heard.put, Path(line.port), line.baud, protocol=line.protocol)
        unit.start()
        until = time.monotonic() + ANSWER_S
        try:
            while (left_s := until - time.monotonic()) > 0:
                said = _next(heard, left_s)
                if isinstance(said, DeviceLost):
                    return r.ShufflerReading(said.text.partition(";")[0])
                if isinstance(said, ShufflerStatus) and said.connected:
                    return r.ShufflerReading(status=said)
        finally:
            unit.close()
        return r.ShufflerReading()

    def chips(self) -> r.ChipsReading:
        """Hear the reader of every seat, once."""
        heard: queue.Queue[object] = queue.Queue()
        line, seats = self._config.sensors, self._config.seats.count
        reader = ChipReader(heard.put, Path(line.port), seats, line.kind, line.baud)
        reader.start()
        until, lies = time.monotonic() + ANSWER_S, dict[int, bool]()
        try:
            while len(lies) < seats and (left_s := until - time.monotonic()) > 0:
                said = _next(heard, left_s)
                if isinstance(said, DeviceLost):
                    return r.ChipsReading(said.text.partition(";")[0])
                if isinstance(said, Level):
                    lies[said.line] = bool(said.on)
        finally:
            reader.close()
        if len(lies) < seats:
            return r.ChipsReading(f"nobody answers at {line.port}")
        return r.ChipsReading(lies=tuple(sorted(seat for seat, on in lies.items() if on)))

    def touch(self) -> r.InputReading:
        """The panel that table.toml names, or the first."""
        panel = PANELS[self._config.screen.panel]
        path = Path(self._config.screen.touch) if self._config.screen.touch else None
        most: list[tuple[int, int]] = []

        def opened() -> InputDevice:
            device, matrix = touch.panel(panel.width_mm, panel.height_mm, path)()
            most.append(touch.most_of(matrix, panel.width_mm, panel.height_mm))
            return device

        seen = look(opened)
        return r.InputReading(seen.fault, seen.busy, seen.name or "the panel", most[0] if most else (0, 0))

    def badge(self) -> r.InputReading:
        """The reader that table.toml names, and a badge where somebody holds one to it."""
        open_device = badge.reader(Path(self._config.badge.device))
        seen = look(open_device)
        name = seen.name or "the reader"
        if seen.fault or self._ask is None:
            return r.InputReading(seen.fault, seen.busy, name)
        heard: queue.Queue[object] = queue.Queue()
        reader = badge.BadgeReader(heard.put, open_device)
        self._ask("Press Enter, then hold a badge to the reader within 30 seconds: ")
        reader.start()
        until = time.monotonic() + BADGE_S
        try:
            while (left_s := until - time.monotonic()) > 0:
                said = _next(heard, left_s)
                if isinstance(said, Badge):
                    return r.InputReading(name=name, badge=said.number)
        finally:
            reader.close()
        return r.InputReading(name=name, badge="")

    # The rest

    def screen(self) -> r.ScreenReading:
        """By the kernel's files."""
        return kernel.screen()

    def disk(self) -> r.DiskReading:
        """The place of the journal."""
        return kernel.disk(self._home)

    def power(self) -> r.PowerReading:
        """By the kernel's files."""
        return kernel.power()

    def clock(self) -> r.ClockReading:
        """Beside the journal's newest row."""
        return kernel.clock(_last_row_s(self._home / "table.journal"))

    def live(self) -> bool | None:
        """By the rows of the journal."""
        return _is_live(self._home / "table.journal")

    def refused_words(self) -> int:
        """By the complaints in the journal."""
        return refused_words(self._home / "table.journal")

    def broker(self) -> r.BrokerReading:
        """Visit it as the table itself, and leave there what the table's last will would have."""
        config, link = self._config, self._config.link
        topics = TableTopics.of(link.bank, config.id)
        try:
            journal = about(self._home / "table.journal").get("id", "")
        except StoreError as error:
            return r.BrokerReading(r.NO_JOURNAL, str(error))
        last_words = presence(config.id, journal, alive=False)
        with suppress(StoreError):  # `papers` says what is wrong with the key
            last_words = Voice(lambda: load_key(self._home / "table-seal.key")).says(last_words)
        seen = visit(link, f"felt-table-{config.id}", topics.alive, last_words, topics.bank)
        return r.BrokerReading(seen.failed, seen.why, seen.may_write, seen.heard)

    def papers(self) -> r.PapersReading:
        """The files that table.toml names, and the key of the seals."""
        said = exposed(people_at(self._config, self._configured))
        return replace(papers.papers(self._config.link, self._home / "table-seal.key"), exposed="".join(said))

    def program(self) -> r.ProgramReading:
        """The installed program, by its hashes."""
        configured = self._configured.read_bytes() if self._configured else b""
        return r.ProgramReading(
            metadata.version("felt"),
            _hash_of_program(),
            hashlib.sha256(configured).hexdigest(),
            self._subject.submission.submission_hash,
            changed(_record(), ROOT),
            tuple(f"{name} {found}" for name in PACKAGES[1:] if (found := _version(name))),
        )


def _next(heard: queue.Queue[object], left_s: float) -> object:
    try:
        return heard.get(timeout=left_s)
    except queue.Empty:
        return None


def _last_row_s(journal: Path) -> int:
    """When its newest row was written; 0 where there is none, or it cannot be read."""
    rows = _found(journal, "SELECT utc FROM event ORDER BY row DESC LIMIT 1")
    try:
        return int(datetime.fromisoformat(str(rows[0][0])).timestamp()) if rows else 0
    except ValueError:
        return 0


def _is_live(journal: Path) -> bool | None:
    """A file that begins with a later day is of a live table; None where there is no journal."""
    first = _found(journal, "SELECT kind FROM event ORDER BY row LIMIT 1")
    if not first:
        return None
    return first[0][0] != "TableOpened" or bool(_found(journal, "SELECT row FROM event WHERE kind = 'TableLive'"))


def refused_words(journal: Path) -> int:
    """So many complaints stand in its last file at a place that is a topic."""
    rows = _found(journal, "SELECT body FROM event WHERE kind = 'Complained'")
    said = [json.loads(str(row[0])) for row in rows]
    return sum(one["count"] for one in said if one["place"].startswith("felt/"))


def _found(journal: Path, question: str) -> list[Row]:
    """The content of the file; "" if it is not there, or cannot be read."""
    if not journal.exists():
        return []
    try:
        database = Database(journal, read_only=True)
    except StoreError:
        return []
    try:
        return database.execute(question)
    except StoreError:
        return []
    finally:
        database.close()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


ROOT = Path(__file__).resolve().parents[3]
OF_FELT = ("firmware", "hal", "ui")


def _hash_of_program() -> str:
    """Over the name and the bytes of every file of Felt's packages that Python or the screens read."""
    total = hashlib.sha256()
    for folder in OF_FELT:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                total.update(f"{file.relative_to(ROOT)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def changed(record: str, site: Path) -> tuple[str, ...] | None:
    """Files that are not as they were installed, or gone, by the RECORD of the installed package (PEP 376, with sha256).

    None where the packages in `site` are not what it names: they are a checkout.
    """
    rows = [row for row in csv.reader(record.splitlines()) if len(row) == 3 and row[1].startswith("sha256=")]
    rows = [row for row in rows if row[0].partition("/")[0] in OF_FELT]
    if not rows or not (site / "firmware").is_dir():
        return None
    return tuple(path for path, digest, _ in rows if not _is_as_installed(site / path, digest))


def _is_as_installed(file: Path, digest: str) -> bool:
    try:
        found = hashlib.sha256(file.read_bytes()).digest()
    except OSError:
        return False
    return digest == f"sha256={base64.urlsafe_b64encode(found).rstrip(b'=').decode()}"


def _record() -> str:
    """The RECORD of the package that runs; "" where what runs is not what was installed."""
    installed = metadata.distribution("felt")
    is_running = Path(str(installed.locate_file("firmware"))).resolve() == ROOT / "firmware"
    return (installed.read_text("RECORD") or "") if is_running else ""
