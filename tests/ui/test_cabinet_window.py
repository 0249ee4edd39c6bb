"""What the mouse does on the picture of the cabinet is done in the world, and is seen on the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from firmware.runtime.screen import CabinetWindow
from hal.cabinet.cabinet import Cabinet
from hal.cabinet.wire import WORLD_SOCKET
from hal.cabinet.world import World
from hal.ports import NEXT_KEY
from ui.dealer.panels import SEVEN_INCH
from ui.dealer.widgets import Widget


class Person:
    """Somebody at a laptop: looks at the picture, and clicks what is on it."""

    def __init__(self, home: Path, *, sensors: bool = True, buttons: Sequence[str] = (), shoe: bool = False) -> None:
        self.cabinet = Cabinet(home, seats=5, shuffle_ms=60_000, sensors=sensors, buttons=buttons, shoe=shoe)
        self.cabinet.start()
        self.world = World(home / WORLD_SOCKET)
        self.window = CabinetWindow(self.world, SEVEN_INCH)
        self.now = 1.0

    def sees(self) -> dict[str, Widget]:
        self.now += 1
        return {widget.id: widget for widget in self.window.look(self.now).widgets}

    def clicks(self, name: str) -> None:
        self.window.do(self.sees()[name].press)

    def close(self) -> None:
        self.world.close()
        self.cabinet.close()


@pytest.fixture
def five_card(tmp_path: Path) -> Iterator[Person]:
    person = Person(tmp_path, buttons=("own", "dealer"), shoe=True)
    yield person
    person.close()


def test_a_click_presses_a_button_and_a_frame_shows_the_finger(five_card: Person) -> None:
    five_card.clicks("cabinet-button-4-dealer")
    assert five_card.sees()["cabinet-button-4-dealer"].border is not None
    five_card.world.wait(steady=True)
    assert five_card.sees()["cabinet-button-4-dealer"].border is None


def test_the_next_key_is_at_every_table_and_its_finger_comes_up_again(tmp_path: Path) -> None:
    person = Person(tmp_path, sensors=False)
    person.clicks("cabinet-next")
    assert person.world.state().buttons_down == {NEXT_KEY: True}
    person.world.wait(steady=True)
    assert person.world.state().buttons_down == {NEXT_KEY: False}
    person.close()


@pytest.mark.parametrize(
    ("click", "mode"),
    [("sort", "sort"), ("service", "service"), ("empty", "empty"), ("load", "shuffling"), ("deal", "dispensing")],
)
def test_the_keys_of_the_shuffler(five_card: Person, click: str, mode: str) -> None:
    assert five_card.world.state().shuffler.mode == "ready"
    five_card.clicks(f"cabinet-{click}")
    unit = five_card.world.state().shuffler
    assert (unit.mode, unit.deck) == (mode, "blue")


def test_a_card_taken_is_missing_when_the_shuffler_is_emptied(five_card: Person) -> None:
    five_card.clicks("cabinet-card")
    five_card.clicks("cabinet-empty")
    assert five_card.sees()["cabinet-says"].lines[0].text.endswith("shuffler empty 51 blue")


def test_without_a_progressive_there_are_seats_and_nothing_to_click_on_them(tmp_path: Path) -> None:
    person = Person(tmp_path, sensors=False)
    seen = person.sees()
    assert [name for name in seen if name.startswith("cabinet-seat")] == [
        f"cabinet-seat-{seat}" for seat in range(1, 6)
    ]
    assert not any(widget.press for name, widget in seen.items() if name.startswith("cabinet-seat"))
    assert "cabinet-lockout" not in seen
    person.close()
