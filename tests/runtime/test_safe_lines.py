"""Dark and locked while no table runs: `felt lines safe`, with a table.toml in any state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from firmware.__main__ import main
from firmware.config import SeatsConfig
from hal import gpio
from hal.chips import NoChip

USUAL = SeatsConfig()
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


class Pin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that a dead program left high, or that a running one holds."""

    held = False

    def output_with_state(self, state: bool) -> None:
        if self.held:
            raise Exception("GPIO busy")  # lgpio.error is a bare Exception
        super().output_with_state(state)
        self.factory.order.append(self.info.name)


class Chip(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A chip whose every output is high: a program died with bets open and all lamps lit."""

    def __init__(self) -> None:
        super().__init__(pin_class=Pin)
        self.order: list[str] = []
        self.asked: tuple[str, ...] = ()
        for number in range(28):
            self.pin(number).function = "output"
            self.pin(number).state = True

    def low(self) -> set[int]:
        return {number for number in range(28) if not self.pin(number).state}


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chip]:
    chip = Chip()

    def lgpio(labels: tuple[str, ...]) -> Chip:
        chip.asked = tuple(labels)
        return chip

    monkeypatch.setattr(gpio, "_lgpio", lgpio)
    yield chip
    chip.reset()


def safe(folder: Path, text: str | bytes) -> int:
    file = folder / "table.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return main(["lines", "safe", "--config", str(file)])


def test_the_lock_line_and_every_lamp_go_low_and_the_lock_line_first(chip: Chip) -> None:
    assert main(["lines", "safe", "--config", str(EXAMPLES / "table.toml")]) == 0
    assert chip.low() == {USUAL.lock_pin, *USUAL.lamp_pins}, "and no sensor, switch or foreign pin"
    assert chip.order[0] == f"GPIO{USUAL.lock_pin}"
    assert chip.asked == USUAL.gpio_chips


PINS = "lock_pin = 2\nlamp_pins = [3, 4]\nown_button_lamp_pins = [7]\ndealer_button_lamp_pins = [8]\n"
WIRED = '[seats]\nhardware = "gpio"\ngpio_chips = ["gpio-sim"]\n' + PINS


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(WIRED, id="as it should be"),
        pytest.param(WIRED + "[rules\nbook = 5", id="cut off"),
        pytest.param("id = \n" + WIRED.replace("[seats]", "[seat"), id="damaged above"),
        pytest.param(WIRED + "hom = 3\n[nonsense]\ncount = 'x'", id="unknown keys"),
        pytest.param(WIRED.encode() + b"\xff\xfe", id="not UTF-8"),
        pytest.param(
            WIRED.replace("[3, 4]", "[\n  3,\n  4, # seat 2\n]") + "=", id="broken, a list over several lines"
        ),
        pytest.param(WIRED.replace("[3, 4]", '[3, 4, 99, "5", true]'), id="with pins that are none"),
    ],
)
def test_a_table_toml_that_cannot_be_used_is_read_as_far_as_it_goes(written: str, chip: Chip, tmp_path: Path) -> None:
    assert safe(tmp_path, written) == 0
    assert chip.low() == {2, 3, 4, 7, 8}
    assert chip.asked == ("gpio-sim",)


@pytest.mark.parametrize("written", ["[[", "", "lamp_pins = [1"], ids=["no key at all", "empty", "a key cut off"])
def test_what_cannot_be_read_is_what_a_table_would_take(written: str, chip: Chip, tmp_path: Path) -> None:
    assert safe(tmp_path, written) == 0
    assert chip.low() == (set() if written == "" else {USUAL.lock_pin, *USUAL.lamp_pins})


def test_without_a_file_the_usual_pins_go_low(chip: Chip, tmp_path: Path) -> None:
    assert main(["lines", "safe", "--config", str(tmp_path / "none.toml")]) == 0
    assert chip.low() == {USUAL.lock_pin, *USUAL.lamp_pins}


@pytest.mark.parametrize(
    "written", ['[seats]\nhardware = "cabinet"\n', (EXAMPLES / "table-lunar.toml").read_text(encoding="utf-8")]
)
def test_a_table_without_wires_touches_no_pin(written: str, chip: Chip, tmp_path: Path) -> None:
    assert safe(tmp_path, written) == 0
    assert chip.low() == set()


def test_a_pin_that_a_running_table_holds_is_named_and_the_others_go_low(
    chip: Chip, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chip.pin(3).held = True
    assert safe(tmp_path, WIRED) == 2
    assert chip.low() == {2, 4, 7, 8}
    assert "felt lines safe: GPIO3: GPIO busy" in capsys.readouterr().err


def test_at_boot_it_waits_until_it_may_open_the_chip(
    chip: Chip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd may start a table before udev has given the chip to its group: nothing was driven low then."""
    waited: list[int] = []
    monkeypatch.setattr(gpio, "await_rights", lambda: waited.append(len(chip.order)))
    assert safe(tmp_path, WIRED) == 0
    assert waited == [0] and len(chip.order) == 5


def test_without_the_chip_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(_labels: object) -> None:
        raise NoChip("no GPIO chip gpio-sim: /dev has no gpiochip")

    monkeypatch.setattr(gpio, "_lgpio", gone)
    assert safe(tmp_path, WIRED) == 2
    assert "felt lines: no GPIO chip gpio-sim: /dev has no gpiochip" in capsys.readouterr().err
