"""The header's GPIO chip by its label, and a kernel that leaves outputs as a dead program had them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hal.chips import HEADERS, NoChip, await_rights, find, keeps_levels, label_of


def chips(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).touch()
    return folder


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        pytest.param({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, 0, id="a Pi 4"),
        pytest.param({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, 4, id="a Pi 5"),
        pytest.param({"gpiochip10": "gpio-brcmstb@107d508500", "gpiochip0": "pinctrl-rp1"}, 0, id="its newer kernel"),
        pytest.param({"gpiochip1": "pinctrl-bcm2711"}, 1, id="lost and found again"),
        pytest.param({"gpiochip2": "pinctrl-bcm2835", "gpiochip10": "pinctrl-bcm2835"}, 2, id="the first of two"),
    ],
)
def test_the_chip_of_the_header_is_found_by_its_label(labels: dict[str, str], number: int, tmp_path: Path) -> None:
    assert find(HEADERS, chips(tmp_path, *labels), lambda path: labels[path.name]) == number


def test_a_rig_names_its_own_chip(tmp_path: Path) -> None:
    assert find(["gpio-sim.0-node0"], chips(tmp_path, "gpiochip3"), lambda _path: "gpio-sim.0-node0") == 3


def test_without_it_what_is_there_is_named(tmp_path: Path) -> None:
    def label(path: Path) -> str:
        if path.name == "gpiochip1":
            raise PermissionError(13, "Permission denied")
        return "raspberrypi-exp-gpio"

    chips(tmp_path, "gpiochip0", "gpiochip1", "gpiochip-old", "null")
    there = f"{tmp_path}/gpiochip0 is raspberrypi-exp-gpio, {tmp_path}/gpiochip1 is Permission denied"
    with pytest.raises(NoChip, match=f"^no GPIO chip pinctrl-rp1: {there}$"):
        find(["pinctrl-rp1"], tmp_path, label)
    with pytest.raises(NoChip, match=r"/nowhere has no gpiochip$"):
        find(HEADERS, Path("/nowhere"))


def test_a_chip_that_udev_has_not_given_to_its_group_yet_is_waited_for(tmp_path: Path) -> None:
    asked: list[str] = []

    def may(chip: Path) -> bool:
        asked.append(chip.name)
        return chip.name == "gpiochip0" or asked.count("gpiochip1") > 2

    assert await_rights(tmp_path, may=may) and not asked, "without a chip nobody waits"
    assert await_rights(chips(tmp_path, "gpiochip0", "gpiochip1"), may=may)
    assert asked.count("gpiochip1") == 3


def test_rights_that_never_come_keep_no_table_from_starting(tmp_path: Path) -> None:
    assert not await_rights(chips(tmp_path, "gpiochip0"), within_s=0.1, may=lambda _chip: False)


def test_what_is_no_gpio_chip_has_no_label(tmp_path: Path) -> None:
    chips(tmp_path, "gpiochip0")
    with pytest.raises(OSError, match="ioctl"):
        label_of(tmp_path / "gpiochip0")


@pytest.mark.parametrize(("said", "keeps"), [({"bcm2835": "Y"}, "bcm2835"), ({"bcm2835": "N", "rp1": "Y"}, "rp1")])
def test_a_kernel_that_keeps_outputs_is_noticed(said: dict[str, str], keeps: str, tmp_path: Path) -> None:
    for driver, value in said.items():
        folder = tmp_path / f"pinctrl_{driver}" / "parameters"
        folder.mkdir(parents=True)
        (folder / "persist_gpio_outputs").write_text(f"{value}\n", encoding="ascii")
    assert keeps_levels(tmp_path) == tmp_path / f"pinctrl_{keeps}" / "parameters" / "persist_gpio_outputs"


def test_a_kernel_that_lets_go_or_does_not_know_the_parameter_is_nothing_to_say(tmp_path: Path) -> None:
    assert keeps_levels(tmp_path) is None
    (tmp_path / "pinctrl_rp1" / "parameters").mkdir(parents=True)
    (tmp_path / "pinctrl_rp1" / "parameters" / "persist_gpio_outputs").write_text("N\n", encoding="ascii")
    assert keeps_levels(tmp_path) is None
