"""What `felt doctor` reads of a machine: mock pins, a kernel's files in a folder, real certificates, a pseudo-terminal."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from gpiozero.pins.mock import MockFactory
from msgspec.structs import replace

from firmware.commands.devices import shuffler
from firmware.config import LinkConfig
from firmware.runtime.doctor import kernel
from firmware.runtime.doctor import readings as r
from firmware.runtime.doctor.checks import Subject, examine
from firmware.runtime.doctor.findings import Verdict
from firmware.runtime.doctor.machine import ThisMachine, changed, wires_of
from firmware.runtime.doctor.papers import papers
from firmware.runtime.seals import make_key
from hal import gpio
from hal.chips import NoChip
from hal.debounce import Inbox
from hal.ports import ShufflerStatus
from hal.shuffler.protocols import FELT, SHUFFLERS
from tests.contract.test_another_shuffler import LineCodec
from tests.hal.reading_chips import MockReader
from tests.hal.reading_chips import chip as a_chip
from tests.hal.test_tried_pins import Wired
from tests.runtime.planted_machine import subject

# Pins -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    chip = MockFactory(pin_class=Wired)
    monkeypatch.setattr(gpio, "_lgpio", lambda _labels: chip)
    return chip


class Technician:
    """Somebody at the terminal who looks at the lamps and turns the switch: what he sees is what the wiring does."""

    def __init__(self, chip: MockFactory, of: Subject, wiring: str = "right") -> None:
        self.chip, self.seats, self.wiring = chip, of.config.seats, wiring
        self.asked: list[str] = []

    def __call__(self, question: str) -> str:
        self.asked.append(question)
        if "Turn the lockout" in question:
            closed = ("OPEN" in question) is (self.wiring != "normally open")
            pin = self.chip.pin(self.seats.lockout_pin)
            (pin.drive_low if closed else pin.drive_high)()
            return ""
        lit = {seat for seat, pin in enumerate(self.seats.lamp_pins, start=1) if self.chip.pin(pin).state}
        if self.wiring == "lamp 2 inverted":
            lit ^= {2}
        return " ".join(map(str, sorted(lit)))


def at(of: Subject, home: Path, ask: Technician | None = None, stands: str = "") -> ThisMachine:
    return ThisMachine(of, home, None, ask, stands)


def test_the_lines_of_a_table_are_all_that_its_file_names() -> None:
    of = subject("table-five-card-hand.toml")
    wires, seats = wires_of(of.config, of.submission), of.config.seats
    named = [*seats.sensor_pins, *seats.lamp_pins, seats.lockout_pin, seats.lock_pin, *seats.own_button_pins]
    named += [*seats.dealer_button_pins, *seats.own_button_lamp_pins, *seats.dealer_button_lamp_pins]
    named += [seats.next_pin] if seats.next_pin >= 0 else []
    assert sorted(wire.pin for wire in wires) == sorted(named)
    assert len({(wire.name, wire.kind) for wire in wires}) == len(wires)


def test_every_line_is_looked_at_and_all_is_dark_afterwards(chip: MockFactory, tmp_path: Path) -> None:
    of = subject()
    highs: list[bool] = []
    for number in (*of.config.seats.lamp_pins, of.config.seats.lock_pin):
        pin = chip.pin(number)
        pin.close = lambda pin=pin: highs.append(bool(pin.state))
    reading = at(of, tmp_path, Technician(chip, of)).pins()
    assert len(reading.pins) == 14 and not reading.fault
    assert all(pin.pull == "up" and pin.level for pin in reading.pins if pin.wire.kind not in r.OUTPUTS)
    lamps = [pin for pin in reading.pins if pin.wire.kind == r.LAMP]
    assert all((pin.when_high, pin.when_low, pin.seen) == (True, False, (pin.wire.token,)) for pin in lamps)
    assert highs == [False] * 7


def test_the_lock_line_is_never_driven_high(chip: MockFactory, tmp_path: Path) -> None:
    of = subject()
    at(of, tmp_path, Technician(chip, of)).pins()
    assert not any(state.state for state in chip.pin(of.config.seats.lock_pin).states)


def test_an_inverted_lamp_is_seen_by_who_looks(chip: MockFactory, tmp_path: Path) -> None:
    of = subject()
    reading = at(of, tmp_path, Technician(chip, of, "lamp 2 inverted")).pins()
    (second,) = [pin for pin in reading.pins if (pin.wire.name, pin.wire.kind) == ("seat 2", r.LAMP)]
    assert second.glowed and second.seen == ()


def test_without_a_chip_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def away(_labels: Sequence[str]) -> MockFactory:
        raise NoChip("no GPIO chip pinctrl-rp1")

    monkeypatch.setattr(gpio, "_lgpio", away)
    machine = at(subject(), tmp_path)
    assert "pinctrl-rp1" in machine.pins().fault and "pinctrl-rp1" in machine.lockout().fault


@pytest.mark.parametrize(
    ("wiring", "seen"), [("right", r.LockoutReading(True, False)), ("normally open", r.LockoutReading(False, True))]
)
def test_the_switch_is_turned_to_both_positions(
    chip: MockFactory, tmp_path: Path, wiring: str, seen: r.LockoutReading
) -> None:
    of = subject()
    assert at(of, tmp_path, Technician(chip, of, wiring)).lockout() == seen


@pytest.mark.parametrize(("stands", "seen"), [("open", (False, None)), ("locked", (None, False)), ("", (None, None))])
def test_without_a_terminal_the_switch_stands_as_it_was_said(
    chip: MockFactory, tmp_path: Path, stands: str, seen: tuple[bool | None, bool | None]
) -> None:
    reading = at(subject(), tmp_path, None, stands).lockout()
    assert (reading.at_open, reading.at_locked) == seen, "the line is open: nothing is wired to it"


@pytest.mark.parametrize("elsewhere", [False, True], ids=["in the home", "where the screen's user comes to it"])
def test_a_running_table_is_found_by_its_socket(tmp_path: Path, elsewhere: bool) -> None:
    glass = tmp_path / ("glass.sock" if elsewhere else "table.sock")
    of = subject()
    screen = replace(of.config.screen, socket=str(glass) if elsewhere else "")
    machine = at(Subject(replace(of.config, screen=screen), of.submission), tmp_path)
    assert machine.holder() == ""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as table:
        table.bind(str(glass))
        table.listen()
        assert "felt table runs" in machine.holder()
    assert machine.holder() == "", "a socket that a dead table left says nothing"


# A kernel's files -----------------------------------------------------------------------------------------------------


class Kernel:
    """Folders as /sys and /proc are."""

    def __init__(self, folder: Path) -> None:
        self.sys, self.proc = folder / "sys", folder / "proc"

    def says(self, path: str, text: str) -> None:
        file = self.sys.parent / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="ascii")


@pytest.fixture
def booted(tmp_path: Path) -> Kernel:
    return Kernel(tmp_path / "kernel")


def mounted(booted: Kernel, home: Path, kind: str, source: str, options: str = "rw") -> r.DiskReading:
    root = f"21 1 179:2 / / {options},relatime shared:1 - ext4 /dev/root rw"
    booted.says("proc/self/mountinfo", f"{root}\n30 21 0:9 / {home} {options},noatime - {kind} {source} {options}")
    return kernel.disk(home, booted.sys, booted.proc)


def test_the_mount_of_the_journal_is_the_nearest_above_it(booted: Kernel, tmp_path: Path) -> None:
    assert mounted(booted, tmp_path, "tmpfs", "tmpfs").kind == "tmpfs"
    assert mounted(booted, tmp_path / "elsewhere", "tmpfs", "tmpfs").kind == "tmpfs"
    booted.says("proc/self/mountinfo", "21 1 179:2 / / rw shared:1 - ext4 /dev/mmcblk0p2 rw")
    assert kernel.disk(tmp_path, booted.sys, booted.proc).kind == "ext4"


@pytest.mark.parametrize("options", ["ro", "rw"])
def test_a_disk_that_went_read_only_is_seen(booted: Kernel, tmp_path: Path, options: str) -> None:
    assert mounted(booted, tmp_path, "ext4", "/dev/mmcblk0p2", options).read_only is (options == "ro")


def test_the_wear_of_an_emmc_is_that_of_the_whole_disk(booted: Kernel, tmp_path: Path) -> None:
    booted.says("sys/block/mmcblk0/mmcblk0p2/partition", "2")
    booted.says("sys/block/mmcblk0/device/life_time", "0x01 0x0b")
    booted.says("sys/block/mmcblk0/device/pre_eol_info", "0x02")
    seen = mounted(booted, tmp_path, "ext4", "/dev/mmcblk0p2")
    assert (seen.device, seen.wear, seen.end_of_life) == ("mmcblk0", (1, 11), 2)


def test_a_disk_without_figures_has_none(booted: Kernel, tmp_path: Path) -> None:
    booted.says("sys/block/mmcblk0/mmcblk0p2/partition", "2")
    seen = mounted(booted, tmp_path, "ext4", "/dev/mmcblk0p2")
    assert (seen.device, seen.wear, seen.end_of_life) == ("mmcblk0", (), 0)


def test_a_folder_in_which_nothing_can_be_written_is_seen(booted: Kernel, tmp_path: Path) -> None:
    assert mounted(booted, tmp_path, "ext4", "/dev/mmcblk0p2").fault == ""
    assert mounted(booted, tmp_path / "nowhere", "ext4", "/dev/mmcblk0p2").fault == "No such file or directory"


def test_a_pis_voltage_and_heat(booted: Kernel) -> None:
    booted.says("sys/class/hwmon/hwmon0/name", "cpu_thermal")
    booted.says("sys/class/hwmon/hwmon1/name", "rpi_volt")
    booted.says("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1")
    booted.says("sys/devices/platform/soc/soc:firmware/get_throttled", "50005")
    booted.says("sys/class/thermal/thermal_zone0/temp", "81234")
    assert kernel.power(booted.sys) == r.PowerReading(True, 0x50005, 81.234)


def test_a_machine_that_tells_neither_says_so(booted: Kernel) -> None:
    booted.says("sys/class/hwmon/hwmon0/name", "coretemp")
    assert kernel.power(booted.sys) == r.PowerReading(None, None, None)


def test_a_battery_clock_is_seen(booted: Kernel) -> None:
    assert not kernel.clock(0, booted.sys).has_rtc
    booted.says("sys/class/rtc/rtc0/name", "rtc-rpi")
    assert kernel.clock(0, booted.sys).has_rtc


def test_the_kernel_is_asked_whether_somebody_sets_the_clock(booted: Kernel) -> None:
    assert kernel.clock(0, booted.sys).synchronized in (True, False, None)


def test_a_panel_is_told_by_its_connector_and_its_first_size(booted: Kernel) -> None:
    booted.says("sys/class/drm/card1-DSI-1/status", "connected")
    booted.says("sys/class/drm/card1-DSI-1/modes", "800x480\n640x480")
    booted.says("sys/class/drm/card1-HDMI-A-1/status", "disconnected")
    seen = kernel.screen(booted.sys).connectors
    assert seen == (r.Connector("DSI-1", True, "800x480"), r.Connector("HDMI-A-1", False))


# Papers ---------------------------------------------------------------------------------------------------------------


class Authority:
    """Issues certificates into a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.key = folder, ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.file = self.issue(name, days=3650)

    def issue(self, name: str, days: int) -> Path:
        key = self.key if not hasattr(self, "file") else ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        subject_ = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        made = x509.CertificateBuilder(self.name, subject_, key.public_key(), x509.random_serial_number())
        made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=days))
        path = self.folder / f"{name.replace(' ', '-')}.crt"
        path.write_bytes(made.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        written = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.with_suffix(".key").write_bytes(written)
        path.with_suffix(".key").chmod(0o600)
        return path


@pytest.fixture
def link(tmp_path: Path) -> LinkConfig:
    authority = Authority(tmp_path, "Felt authority")
    table = authority.issue("uth-04", days=9)
    make_key(tmp_path / "table-seal.key", "felt/table/uth-04")
    return LinkConfig(ca_file=str(authority.file), certificate=str(table), key=str(table.with_suffix(".key")))


def test_certificate_and_key_are_read_as_they_stand(link: LinkConfig, tmp_path: Path) -> None:
    seen = papers(link, tmp_path / "table-seal.key")
    assert seen.authority and seen.own and seen.key and seen.seal
    assert (seen.own.name, seen.own.issued, seen.own.fault) == ("uth-04", True, "")
    assert seen.own.to_s - seen.own.from_s == 10 * 86_400
    assert (seen.key.fits, seen.key.readers, seen.key.fault, seen.seal.fault) == (True, "", "", "")


@pytest.mark.parametrize(("mode", "readers"), [(0o600, ""), (0o640, ""), (0o644, "everybody")])
def test_a_key_is_for_its_reader_and_his_own_group(link: LinkConfig, tmp_path: Path, mode: int, readers: str) -> None:
    Path(link.key).chmod(mode)
    seen = papers(link, tmp_path / "table-seal.key").key
    assert seen and seen.readers == readers


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file to another group")
def test_another_group_that_may_read_a_key_is_named(link: LinkConfig, tmp_path: Path) -> None:
    os.chown(link.key, -1, 65533)
    Path(link.key).chmod(0o640)
    seen = papers(link, tmp_path / "table-seal.key").key
    assert seen and seen.readers.startswith("group ")


def test_a_certificate_of_another_authority_or_of_another_key_is_seen(link: LinkConfig, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    theirs = Authority(tmp_path / "theirs", "Somebody").issue("uth-04", days=800)
    strange = LinkConfig(ca_file=link.ca_file, certificate=str(theirs), key=link.key)
    seen = papers(strange, tmp_path / "table-seal.key")
    assert seen.own and seen.key and (seen.own.issued, seen.key.fits) == (False, False)


def test_what_is_no_certificate_is_a_fault(link: LinkConfig, tmp_path: Path) -> None:
    Path(link.certificate).write_text("-----BEGIN CERTIFICATE-----\n", encoding="ascii")
    Path(link.key).unlink()
    (tmp_path / "table-seal.key").chmod(0o644)
    seen = papers(link, tmp_path / "table-seal.key")
    assert seen.own and seen.key and seen.seal
    assert "cannot be read" in seen.own.fault and "cannot be read" in seen.key.fault and "chmod 600" in seen.seal.fault


# The program ----------------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_as_it_was_installed_is_named(tmp_path: Path) -> None:
    law = tmp_path / "firmware" / "settle.py"
    law.parent.mkdir()
    law.write_bytes(b"paid = 1\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(law.read_bytes()).digest()).rstrip(b"=").decode()
    record = f"firmware/settle.py,sha256={digest},9\nfelt-0.1.0.dist-info/RECORD,,\n"
    assert changed(record, tmp_path) == ()
    law.write_bytes(b"paid = 2\n")
    assert changed(record, tmp_path) == ("firmware/settle.py",)
    law.unlink()
    assert changed(record, tmp_path) == ("firmware/settle.py",), "one that is gone is not as it was installed"
    assert changed("", tmp_path) is None, "what runs is not what was installed"


# The shuffler ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def line(tmp_path: Path) -> Iterator[tuple[int, str]]:
    ours, theirs = os.openpty()
    yield ours, os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def wired(port: str, protocol: str = FELT) -> Subject:
    import msgspec

    of = subject()
    line = msgspec.structs.replace(of.config.shuffler, port=port, protocol=protocol)
    return Subject(msgspec.structs.replace(of.config, shuffler=line), of.submission)


def test_a_line_that_is_not_there_is_told_from_a_unit_that_says_nothing(
    line: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.runtime.doctor.machine.ANSWER_S", 0.2)
    assert "No such file" in at(wired(str(tmp_path / "nothing")), tmp_path).shuffler().fault
    assert at(wired(line[1]), tmp_path).shuffler() == r.ShufflerReading()


def test_a_reader_of_chips_is_heard_of_every_seat_or_it_is_said_of_which_not(
    line: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import msgspec

    def wired_to(port: str) -> Subject:
        of = subject()
        sensors = msgspec.structs.replace(of.config.sensors, kind="felt", port=port)
        return Subject(msgspec.structs.replace(of.config, sensors=sensors), of.submission)

    assert "No such file" in at(wired_to(str(tmp_path / "nothing")), tmp_path).chips().fault
    reader = MockReader(tmp_path / "reader")
    try:
        assert at(wired_to(str(reader.path)), tmp_path).chips() == r.ChipsReading()
        reader.lies(4, a_chip(1, 5))
        assert at(wired_to(str(reader.path)), tmp_path).chips() == r.ChipsReading(lies=(4,))
        reader.silent = {2}
        assert "nothing is heard of seat 2" in at(wired_to(str(reader.path)), tmp_path).chips().fault
    finally:
        reader.close()
    monkeypatch.setattr("firmware.runtime.doctor.machine.ANSWER_S", 0.2)
    assert at(wired_to(line[1]), tmp_path).chips() == r.ChipsReading(f"nobody answers at {line[1]}")


def test_table_and_doctor_speak_the_protocol_that_is_configured(
    line: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SHUFFLERS, "lines", LineCodec)
    of, said = wired(line[1], "lines"), ShufflerStatus(True, "line-unit", "ready", 52, "blue", "", 0, 0)

    def answer() -> None:
        assert os.read(line[0], 2) == b"?\n"
        os.write(line[0], b"READY 52 BLUE\n")

    unit = Thread(target=answer)
    unit.start()
    assert at(of, tmp_path).shuffler() == r.ShufflerReading(status=said)
    unit.join()
    inbox, heard = Inbox(0), list[object]()
    its_own = shuffler(of.config, tmp_path, inbox)
    its_own.start()
    try:
        answer()
        while said not in heard:
            new = inbox.take(10.0)
            assert new, "nobody answers"
            heard += new
    finally:
        its_own.close()


# All of it ------------------------------------------------------------------------------------------------------------


def test_a_machine_with_nothing_plugged_in_is_examined_to_the_end(
    chip: MockFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is missing is a finding: no device that is away keeps the doctor from the others."""
    monkeypatch.setattr("firmware.runtime.doctor.machine.ANSWER_S", 0.2)
    found = {one.what: one.verdict for one in examine(subject(), at(subject(), tmp_path))}
    expected = {"shuffler", "touch panel", "badge reader", "broker", "certificate table.crt", "key table-seal.key"}
    assert {what for what, verdict in found.items() if verdict is Verdict.FAIL} >= expected
    assert found["pins"] is Verdict.PASS and found["lockout"] is Verdict.CANNOT_TELL
