"""`hardware = "gpio"`, from the contact to the signed prize: pins and a badge reader, and no cabinet."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.__main__ import is_expected
from firmware.commands.devices import faults
from firmware.config import submission
from firmware.runtime.pins import PinChecked
from firmware.runtime.table import DeviceDied
from firmware.table import events as e
from firmware.table.state import Neighbor
from hal import chips, gpio
from hal.gpio import PinFault
from hal.ports import Complaint, DeviceFound
from tests.runtime.copper import CopperTable
from tests.runtime.world import Clock


@pytest.fixture
def copper(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[CopperTable]:
    table = CopperTable(tmp_path, clock, monkeypatch)
    yield table
    table.ends()


def test_653a_11_k_3_a_prize_is_validated_by_a_badge_that_a_reader_typed(copper: CopperTable) -> None:
    copper.opens()
    assert copper.lock_line, "bets are open"
    copper.places(3)
    assert [seat for seat in range(1, 7) if copper.lamp(seat)] == [3]
    copper.locks()
    assert not copper.lock_line
    copper.presses("count-1")
    copper.presses("seat-3")
    copper.presses("hand-flush")
    assert copper.state.phase == "validate" and "SHOW BADGE" in copper.text
    copper.identifies("2001")
    assert "R. Diaz signed in" in copper.text
    copper.presses("primary", held_ms=1_500)
    assert copper.state.phase == "pay" and "PAY $40.00" in copper.text
    assert [(event.seat, event.by) for event in copper.events(e.PrizeValidated)] == [(3, "2001")]


def test_a_badge_reader_that_is_unplugged_is_on_the_glass_until_it_is_back_and_bets_go_on(copper: CopperTable) -> None:
    copper.opens()
    copper.unplugs_reader()
    assert "Badges cannot be read. Check the reader's cable." in copper.text
    assert copper.state.phase == "open" and copper.lock_line and "PROGRESSIVE OFF" not in copper.text
    copper.places(3)
    copper.locks()
    copper.presses("count-1")
    copper.presses("seat-3")
    copper.presses("hand-flush")
    assert "Badges cannot be read" in copper.text and "SHOW BADGE" not in copper.text
    copper.plugs_reader()
    assert "Badges cannot be read" not in copper.text and "SHOW BADGE" in copper.text
    copper.identifies("2001")
    copper.presses("primary", held_ms=1_500)
    assert copper.state.phase == "pay"


def test_a_complaint_of_a_busy_machine_hides_no_answer_that_is_waited_for(copper: CopperTable) -> None:
    copper.opens()
    copper.places(3)
    copper.locks()
    for key in ("count-1", "seat-3", "hand-flush"):
        copper.presses(key)
    copper.shows_badge("2001")
    copper.types("4826")
    copper.presses("pin-OK")
    for other in (Complaint("contacts", "machine too busy: contacts told up to 11 ms late"), DeviceFound(gpio.DEVICE)):
        copper.inbox.put(other)
    assert copper.hears(PinChecked).right
    assert "R. Diaz signed in" in copper.text


def test_lost_and_found_stand_in_the_log_once_each(copper: CopperTable, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    copper.opens()
    copper.unplugs_reader()
    copper.turns(5_000)
    copper.plugs_reader()
    said = [record.getMessage() for record in caplog.records if "badge reader" in record.getMessage()]
    assert said == [
        "badge reader lost: [Errno 19] No such device; check its cable, and [badge] device in table.toml",
        "badge reader found",
    ]


def test_a_kernel_that_keeps_lamps_lit_is_on_the_glass_and_in_the_log(
    copper: CopperTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    parameter = tmp_path / "pinctrl_bcm2835" / "parameters" / "persist_gpio_outputs"
    parameter.parent.mkdir(parents=True)
    parameter.write_text("Y\n", encoding="ascii")
    monkeypatch.setattr(chips.keeps_levels, "__defaults__", (tmp_path,))
    rules = submission(copper.config, copper.file)
    copper.faults = faults(copper.config, rules)
    assert f"{parameter} is Y" in caplog.text and "dtparam=strict_gpiod" in caplog.text
    copper.starts()
    copper.opens()
    assert "If this program dies, lamps stay lit." in copper.text and copper.lock_line
    parameter.write_text("N\n", encoding="ascii")
    assert faults(copper.config, rules) == ()


def test_without_its_chip_the_table_starts_says_why_and_takes_the_chip_when_it_comes(copper: CopperTable) -> None:
    copper.chip_is_there = False
    copper.starts()
    assert "no GPIO chip pinctrl-bcm2711 or pinctrl-rp1 or pinctrl-bcm2835: /dev has no gpiochip" in copper.text
    assert not copper.state.felt.up
    copper.brings_cards()
    copper.link.connects()
    copper.beats()
    copper.turns(1_000)
    assert "no GPIO chip pinctrl-bcm2711" in copper.text and copper.state.phase != "shut"
    copper.chip_is_there = True
    copper.hears(DeviceFound, gpio.DEVICE)
    assert copper.state.felt.up
    copper.turns(1_000)
    copper.presses("primary")  # the switch says locked, and so ended the round without progressive wagers
    copper.opens()
    copper.places(2)
    assert copper.lock_line and copper.lamp(2)


class RealTime(Clock):
    """The clock that everybody has."""

    @property
    def now_ns(self) -> int:
        return time.monotonic_ns()

    @now_ns.setter
    def now_ns(self, _ns: int) -> None:
        pass


def test_a_chip_that_is_lost_ends_the_program_so_that_systemd_starts_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copper = CopperTable(tmp_path, RealTime(), monkeypatch)
    copper.ends()
    copper.journal.log_was_there = True  # it is open: this program wrote to it before it runs
    copper.wires(submission(copper.config, copper.file))
    copper.service._hardware, copper.service._badges = copper.hardware, copper.badges
    lost_ns: list[int] = []

    def lose() -> None:
        lost_ns.append(time.monotonic_ns())
        copper.chip.gone = True

    monkeypatch.setattr(copper.service._watchdog, "ready", lambda _status="": lose())
    with pytest.raises(DeviceDied, match=r"gpio: .*bad lineinfo IOCTL; .*; the table starts again"):
        copper.service.run("test", "0" * 64)
    with capsys.disabled():
        print(f" [lost chip to end: {(time.monotonic_ns() - lost_ns[0]) / 1e9:.2f} s]", end="")
    assert not copper.state.felt.up and is_expected(DeviceDied("")), "written down, and no trace"
    assert [one.up for one in copper.events(e.NeighborChanged) if one.what is Neighbor.SENSORS][-1] is False


def test_a_start_that_fails_at_the_pins_writes_nothing(copper: CopperTable, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, started = copper.journal.rows, len(copper.events(e.Started))
    monkeypatch.setattr("hal.gpio.GpioTable._claim", lambda *_, **__: (_ for _ in ()).throw(PinFault("GPIO busy")))
    for _ in range(3):
        with pytest.raises(PinFault):
            copper.starts()
    assert copper.journal.rows == rows
    monkeypatch.undo()
    assert len(copper.events(e.Started)) == started == 1
