"""Whole simulated banks as fixtures: real processes, real sockets, a real broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.proof.simulation.person import Person
from firmware.proof.simulation.processes import SimulatedBank, mosquitto_path

StartBank = Callable[..., tuple[SimulatedBank, Person]]


@pytest.fixture
def start_bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartBank]:
    """Starts a bank and seats a person at its table; everything is stopped afterward."""
    banks: list[SimulatedBank] = []
    people: list[Person] = []

    def start(
        *, mosquitto: bool = False, seed: int = 0, prepare: Callable[[SimulatedBank], None] = lambda _: None
    ) -> tuple[SimulatedBank, Person]:
        home = _short_folder(tmp_path_factory)
        bank = SimulatedBank(home, mosquitto=mosquitto, seed=seed)
        banks.append(bank)
        prepare(bank)
        bank.start()
        person = Person(home)
        people.append(person)
        return bank, person

    yield start
    for person in people:
        person.close()
    for bank in banks:
        bank.stop()


def _short_folder(factory: pytest.TempPathFactory) -> Path:
    """Unix sockets have short names."""
    folder = factory.mktemp("b")
    assert len(str(folder)) < 80, f"{folder} is too long for a Unix socket"
    return folder


@pytest.fixture
def needs_mosquitto() -> None:
    if mosquitto_path() is None:
        pytest.skip("mosquitto is not installed: sudo apt-get install mosquitto")
