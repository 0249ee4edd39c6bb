"""`felt doctor` finds and names each fault that somebody plants in a table's machine; on one in order it finds none."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from firmware import config as c
from firmware.__main__ import main
from firmware.runtime import signed_notes
from firmware.runtime.doctor import readings as r
from firmware.runtime.doctor.checks import examine, is_well
from firmware.runtime.doctor.findings import Finding, Verdict
from firmware.runtime.doctor.report import Head, signed, text_of, verified
from firmware.runtime.doctor.round import Round
from firmware.runtime.seals import checkpoint, make_key
from hal import gpio
from tests.runtime.planted_machine import DAY_S, EXAMPLES, NOW_S, PlantedMachine, subject

Plant = Callable[[PlantedMachine], None]


def found(machine: PlantedMachine, verdict: Verdict, example: str = "table.toml") -> list[Finding]:
    return [one for one in examine(subject(example), machine) if one.verdict is verdict]


def test_a_machine_in_order_has_nothing_wrong_and_nothing_that_cannot_be_told() -> None:
    findings = examine(subject(), PlantedMachine())
    assert [one.line for one in findings if one.verdict is not Verdict.PASS] == []
    named = {one.what for one in findings}
    assert named >= {
        "pins",
        "lamps",
        "lockout",
        "shuffler",
        "touch panel",
        "badge reader",
        "screen",
        "disk",
        "disk wear",
    }
    assert named >= {
        "supply",
        "heat",
        "clock",
        "broker",
        "certificate table.crt",
        "key table.key",
        "program",
        "dead program",
    }


def lamp(**changed: object) -> Plant:
    return lambda machine: machine.line("seat 3", r.LAMP, **changed)


def sensor(**changed: object) -> Plant:
    return lambda machine: machine.line("seat 3", r.SENSOR, **changed)


def of(place: str, **changed: object) -> Plant:
    """Another reading in that place, as it was but for these fields."""
    return lambda machine: setattr(machine, f"of_{place}", replace(getattr(machine, f"of_{place}"), **changed))


def papers(which: str, **changed: object) -> Plant:
    def plant(machine: PlantedMachine) -> None:
        machine.of_papers = replace(machine.of_papers, **{which: replace(getattr(machine.of_papers, which), **changed)})

    return plant


CLOSED, OPEN = True, False
PLANTED: list[tuple[str, Plant, str, str]] = [
    ("dead lamp", lamp(seen=()), "lamp of seat 3", "is dead"),
    ("inverted lamp", lamp(seen=(), glowed=True), "lamp of seat 3", "is inverted"),
    ("lamp without a pull-down", lamp(glowed=True), "lamp of seat 3", "glows while it is driven dark"),
    ("two lamps changed", lamp(seen=("4",)), "lamp of seat 3", "lamp of 4 lit instead"),
    ("two lamps joined", lamp(seen=("3", "4")), "lamp of seat 3", "together with 4"),
    ("lamp pin short to ground", lamp(when_high=False, seen=()), "seat 3", "stays low"),
    ("lamp pin short to 3.3 V", lamp(when_low=True), "seat 3", "stays high"),
    ("lamp driven from outside", lamp(when_high=False, when_low=True), "seat 3", "reads inverted"),
    ("sensor without a pull-up", sensor(pull="floating"), "seat 3", "bias floating"),
    ("sensor pulled down", sensor(pull="down", level=False), "seat 3", "bias down"),
    ("sensor short to ground", sensor(level=False), "seat 3", "a chip lies there, or the line is short to ground"),
    ("another program has a line", sensor(fault="GPIO busy"), "seat 3", "GPIO13 (sensor) cannot be had: GPIO busy"),
    ("no chip", of("pins", fault="no GPIO chip", pins=()), "pins", "no GPIO chip"),
    ("levels kept", of("pins", keeps="/sys/module/pinctrl_rp1/parameters/x"), "dead program", "is Y"),
    ("lockout normally open", of("lockout", at_open=OPEN, at_locked=CLOSED), "lockout", "wired normally open"),
    ("lockout cut", of("lockout", at_open=OPEN, at_locked=OPEN), "lockout", "open though the switch is turned to OPEN"),
    ("lockout short", of("lockout", at_open=CLOSED, at_locked=CLOSED), "lockout", "closed though the switch is"),
    ("lockout looked at once", of("lockout", at_open=OPEN, at_locked=None), "lockout", "open though"),
    ("lockout's line away", of("lockout", fault="GPIO busy"), "lockout", "cannot be read"),
    ("no port", of("shuffler", fault="/dev/x: No such file", status=None), "shuffler", "No such file"),
    ("silent shuffler", of("shuffler", status=None), "shuffler", "nobody answers at /dev/serial/by-id"),
    ("no panel", of("touch", fault="no touch panel at /dev/input"), "touch panel", "no touch panel"),
    ("panel taken", of("touch", busy=True, fault="busy"), "touch panel", "grabbed by another program"),
    ("a mouse for a panel", of("touch", most=(0, 0)), "touch panel", "no range"),
    ("no reader", of("badge", fault="No such device"), "badge reader", "No such device"),
    ("reader taken", of("badge", busy=True, fault="busy"), "badge reader", "grabbed by another program"),
    ("reader silent", of("badge", badge=""), "badge reader", "no badge was read"),
    ("a stranger's badge", of("badge", badge="77"), "badge reader", "badge 77 is nobody's"),
    ("no GL", of("screen", missing=("libGL",)), "screen", "libGL is missing"),
    ("no screen", of("screen", connectors=(r.Connector("DSI-1", False),)), "screen", "no panel is connected"),
    (
        "another size",
        of("screen", connectors=(r.Connector("HDMI-A-1", True, "1280x800"),)),
        "screen",
        "HDMI-A-1 1280x800",
    ),
    ("read-only disk", of("disk", read_only=True, fault="Read-only file system"), "disk", "is read-only"),
    ("folder of root", of("disk", fault="Permission denied"), "disk", "Permission denied"),
    ("full disk", of("disk", free=70_000_000), "disk", "70 MB are free, and bets need 80 MB"),
    ("memory disk", of("disk", kind="tmpfs"), "disk", "forgets what was flushed"),
    ("worn disk", of("disk", wear=(2, 11)), "disk wear", "11 tenths"),
    ("spare blocks gone", of("disk", end_of_life=3), "disk wear", "mmcblk0"),
    ("low voltage", of("power", low_voltage=True), "supply", "too low"),
    ("low voltage since the boot", of("power", throttled=0x5_0000), "supply", "too low"),
    ("hot", of("power", celsius=83.0), "heat", "83 °C"),
    ("slowed down", of("power", throttled=0x4_0000), "heat", "slows down"),
    ("clock behind its journal", of("clock", now_s=NOW_S - DAY_S, last_row_s=NOW_S), "clock", "it is wrong"),
    ("clock nobody sets", of("clock", synchronized=False), "clock", "nobody sets it"),
    ("no broker", of("broker", failed=r.REACH, why="Connection refused"), "broker", "Connection refused"),
    ("another broker", of("broker", failed=r.TLS, why="Hostname mismatch"), "broker", "Hostname mismatch"),
    ("not taken", of("broker", failed=r.TAKEN, why="Not authorized"), "broker", "does not take this table"),
    ("no right to write", of("broker", may_write=False), "broker", "say nothing"),
    ("no bank", of("broker", hears_bank=False), "broker", "no word of bank felt"),
    ("no journal", of("broker", failed=r.NO_JOURNAL, why="no such file"), "broker", "no such file"),
    ("certificate ends", papers("own", to_s=NOW_S + 9 * DAY_S), "certificate table.crt", "9 days more"),
    ("certificate ended", papers("own", to_s=NOW_S - 1), "certificate table.crt", "was valid until"),
    ("certificate of tomorrow", papers("own", from_s=NOW_S + DAY_S), "certificate table.crt", "from 2026-11-23"),
    ("certificate of another", papers("own", name="uth-05"), "certificate table.crt", "is of 'uth-05'"),
    ("foreign authority", papers("own", issued=False), "certificate table.crt", "not issued by"),
    ("authority ends", papers("authority", to_s=NOW_S), "certificate felt-ca.crt", "was valid until"),
    ("no certificate", papers("own", fault="no such file"), "certificate table.crt", "no such file"),
    ("everybody's key", papers("key", readers="everybody"), "key table.key", "read by everybody"),
    ("another key", papers("key", fits=False), "key table.key", "does not belong"),
    ("no seal key", papers("seal", fault="it is missing"), "key table-seal.key", "it is missing"),
    ("another program", of("program", changed=("firmware/settle.py",)), "program", "firmware/settle.py"),
]


@pytest.mark.parametrize(("plant", "what", "says"), [one[1:] for one in PLANTED], ids=[one[0] for one in PLANTED])
def test_a_planted_fault_is_found_and_named_with_a_remedy(plant: Plant, what: str, says: str) -> None:
    machine = PlantedMachine()
    plant(machine)
    failed = found(machine, Verdict.FAIL)
    named = [one for one in failed if what in one.what and says in one.text]
    assert named, failed
    assert all(one.remedy.endswith(".") for one in failed), failed
    assert not is_well(examine(subject(), machine))


def test_a_pin_hash_that_is_weaker_than_what_felt_pin_writes_is_named_with_its_owner() -> None:
    healthy = subject()
    first, *others = healthy.config.people
    weak = msgspec.structs.replace(first, pin_hash=first.pin_hash.replace("m=19456,t=2", "m=8,t=1"))
    config = msgspec.structs.replace(healthy.config, people=[weak, *others])
    failed = [one for one in examine(replace(healthy, config=config), PlantedMachine()) if one.verdict is Verdict.FAIL]
    assert [one.what for one in failed] == ["people"] and failed[0].remedy
    assert f"of {first.name}, badge {first.badge}, is weaker" in failed[0].text


@pytest.mark.parametrize(
    ("reading", "verdict", "says"),
    [
        (r.ChipsReading(), Verdict.PASS, "all 6 seats are heard, and nothing lies there"),
        (r.ChipsReading(lies=(2, 5)), Verdict.FAIL, "a chip lies at seat 2"),
        (r.ChipsReading("nobody answers at /dev/serial/by-id/usb-reader"), Verdict.FAIL, "nobody answers"),
    ],
)
def test_a_reader_of_chips_is_heard_where_there_is_one(reading: r.ChipsReading, verdict: Verdict, says: str) -> None:
    healthy, machine = subject(), PlantedMachine()
    assert "chip reader" not in {one.what for one in examine(healthy, machine)}, "contacts sense them"
    sensors = c.SensorsConfig("felt", "/dev/serial/by-id/usb-reader")
    read = replace(healthy, config=msgspec.structs.replace(healthy.config, sensors=sensors))
    machine.of_chips = reading
    (said,) = [one for one in examine(read, machine) if one.what == "chip reader"]
    assert said.verdict is verdict and says in said.text and (verdict is Verdict.PASS or said.remedy)


UNTOLD: list[tuple[str, Plant, str]] = [
    ("no figure of wear", of("disk", wear=(), end_of_life=0), "disk wear"),
    ("no voltage", of("power", low_voltage=None, throttled=None), "supply"),
    ("no temperature", of("power", celsius=None), "heat"),
    ("no time service's word", of("clock", synchronized=None), "clock"),
    ("no battery", of("clock", has_rtc=False), "battery clock"),
    ("switch not turned", of("lockout", at_open=None, at_locked=None), "lockout"),
    ("switch at OPEN only", of("lockout", at_locked=None), "lockout"),
    ("broker says nothing of rights", of("broker", may_write=None), "broker"),
    ("no graphics card", of("screen", connectors=()), "screen"),
    ("a checkout", of("program", changed=None), "program"),
]


@pytest.mark.parametrize(("plant", "what"), [one[1:] for one in UNTOLD], ids=[one[0] for one in UNTOLD])
def test_what_cannot_be_told_here_is_neither_right_nor_wrong(plant: Plant, what: str) -> None:
    machine = PlantedMachine()
    plant(machine)
    assert found(machine, Verdict.FAIL) == []
    (one,) = found(machine, Verdict.CANNOT_TELL)
    assert one.what == what and one.remedy


def test_a_table_that_is_not_live_passes_and_is_told_what_comes_next() -> None:
    machine = PlantedMachine()
    machine.is_live = False
    (said,) = [one for one in found(machine, Verdict.PASS) if one.what == "live"]
    assert "what is played is a test" in said.text and "two people say LIVE" in said.remedy
    machine.is_live = None
    assert "live" in [one.what for one in found(machine, Verdict.CANNOT_TELL)]


def test_words_that_were_refused_are_counted_and_a_bank_that_is_not_named_is_said() -> None:
    machine = PlantedMachine()
    healthy = subject()
    assert healthy.config.link.bank_key == "" and "bank key" in {one.what for one in found(machine, Verdict.PASS)}
    link = msgspec.structs.replace(healthy.config.link, bank_key="a" * 32)
    named = replace(healthy, config=msgspec.structs.replace(healthy.config, link=link))
    assert not {"bank key", "words"} & {one.what for one in examine(named, machine)}
    machine.of_refused_words = 7
    (words,) = [one for one in examine(named, machine) if one.what == "words"]
    assert words.text.startswith("7 words") and words.remedy


def test_where_nobody_looks_the_lamps_cannot_be_told() -> None:
    machine = PlantedMachine()
    for seat in range(1, 7):
        machine.line(f"seat {seat}", r.LAMP, seen=None, glowed=None)
    assert [one.what for one in found(machine, Verdict.CANNOT_TELL)] == ["lamps"]


def test_a_running_table_keeps_its_devices_and_its_name_at_the_broker() -> None:
    class Held(PlantedMachine):
        def broker(self) -> r.BrokerReading:
            raise AssertionError("a second client of its name would throw the table off")

        def pins(self) -> r.PinsReading:
            raise AssertionError("its pins are not taken from it")

    findings = examine(subject(), Held(held="felt table runs"))
    assert [(one.verdict, one.what) for one in findings[:2]] == [
        (Verdict.FAIL, "running table"),
        (Verdict.CANNOT_TELL, "devices"),
    ]
    assert "systemctl stop felt-table" in findings[0].remedy
    assert {"disk", "clock", "certificate table.crt"} <= {one.what for one in findings}


def test_a_table_without_a_progressive_wager_has_no_lockout_and_no_broker() -> None:
    named = {one.what for one in examine(subject("table-lunar.toml"), PlantedMachine(of_pins=r.PinsReading()))}
    assert not named & {"lockout", "broker", "lamps"}


# The report -----------------------------------------------------------------------------------------------------------


KEY = signed_notes.PrivateKey("felt/table/uth-04", bytes(range(32)))
OTHER = signed_notes.PrivateKey("felt/table/uth-04", bytes(32))


def report(*findings: Finding) -> str:
    return text_of(Head("uth-04", "2026-11-21T14:07:05.123Z", PlantedMachine().of_program), findings)


def test_a_report_is_believed_with_the_key_that_signed_it_and_no_other() -> None:
    text = report(Finding(Verdict.FAIL, "disk", "it is full.", "make room."))
    written = signed(text, KEY)
    assert verified(written, [KEY.public]) == (text, "")
    assert "was signed by key" in verified(written, [OTHER.public])[1]
    assert "wrong signature" in verified(written.replace("FAIL disk", "PASS disk"), [KEY.public])[1]
    assert "is not signed" in verified(signed(text, None), [KEY.public])[1]


def test_no_seal_of_a_journal_passes_for_a_report_and_no_report_for_a_seal() -> None:
    seal = KEY.sign("felt/table/uth-04/00\n7\nAAAA\nseal 1\n")
    assert verified(seal, [KEY.public])[1] == "is no report of felt doctor"
    with pytest.raises(ValueError, match="is no whole number"):
        checkpoint(report())


def test_a_drivers_words_stay_on_their_line() -> None:
    """Nobody writes a finding of his own into the report by a strange name of a device."""
    lines = report(Finding(Verdict.FAIL, "badge reader", "x\n\nPASS lockout: fine", "do it.")).splitlines()
    assert "FAIL badge reader: x PASS lockout: fine" in lines and "PASS lockout: fine" not in lines


def test_the_round_says_everything_signs_it_and_says_whether_all_is_well(tmp_path: Path) -> None:
    key = make_key(tmp_path / "table-seal.key", "felt/table/uth-04")
    said: list[str] = []
    visit, out = Round(subject().config, subject().submission, tmp_path), tmp_path / "out.txt"
    assert visit.make(PlantedMachine(), out, said.append)
    assert verified(out.read_text(encoding="utf-8"), [key.public])[1] == ""
    assert (tmp_path / "doctor.report").read_text(encoding="utf-8") == out.read_text(encoding="utf-8")
    assert "PASS disk" in said[0]
    sick = PlantedMachine()
    sick.of_power = r.PowerReading(True)
    assert not visit.make(sick, None, said.append)


def test_without_the_key_nothing_is_signed_and_that_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    Round(subject().config, subject().submission, tmp_path).make(PlantedMachine(), None, said.append)
    assert said[-1].startswith("not signed")


def test_the_command_says_what_it_can_of_a_machine_without_wires(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", "new", "--home", str(tmp_path)]) == 0
    kept = tmp_path / "kept"
    assert main(["doctor", "--home", str(tmp_path), "--report", str(kept), "--questions", "no"]) == 1, (
        "no broker is there"
    )
    public = str(tmp_path / "table-seal.pub")
    capsys.readouterr()
    assert main(["doctor", "--verify", str(kept), "--key", public]) == 0
    assert "FAIL broker: mqtt://127.0.0.1:18830 is not reached" in capsys.readouterr().out
    kept.write_text(kept.read_text(encoding="utf-8").replace("FAIL broker", "PASS broker"), encoding="utf-8")
    assert main(["doctor", "--verify", str(kept), "--key", public]) == 2
    assert main(["doctor", "--verify", str(kept)]) == 2, "without a key nothing is believed"


def test_where_nobody_answers_that_is_said_and_nothing_is_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr(gpio, "_lgpio", lambda _labels: MockFactory())
    assert main(["doctor", "--config", str(EXAMPLES / "table.toml"), "--questions", "yes"]) == 2
    said = capsys.readouterr()
    assert "nobody answers" in said.err and "PASS" not in said.out
