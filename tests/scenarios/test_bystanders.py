"""Bystanders of the money loop fail, over real processes; each time the table is in play again by itself."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import threading
from pathlib import Path

import pytest

from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.person import words
from firmware.proof.simulation.plan import Round
from firmware.proof.simulation.processes import Part, SimulatedBank, SimulatedTable
from tests.crowd import crowd
from tests.scenarios.conftest import StartBank
from tests.scenarios.test_whole_bank import assert_nothing_lost_or_doubled

SYSTEMD = Path(__file__).parent.parent.parent / "systemd"
LOOKS = 400
"""Each a tenth of a second after the other."""
slow_at_mosquitto = [pytest.mark.slow, pytest.mark.mosquitto, pytest.mark.timeout(600)]
pytestmark = [*slow_at_mosquitto, pytest.mark.usefixtures("needs_mosquitto")]
CROWD = 1_200


def said(part: Part, pattern: str) -> int:
    """How often its log says so."""
    return len(re.findall(pattern, part.log.read_text(encoding="utf-8", errors="replace")))


def until_said(part: Part, pattern: str, times: int = 1) -> None:
    """Look again and again: a log of another process gives no event."""
    look = threading.Event()
    for _ in range(LOOKS):
        if said(part, pattern) >= times:
            return
        look.wait(0.1)
    pytest.fail(f"{part.name} never said {pattern!r} {times} times; its last words:\n{part.last_words()}")


def plays(dealer: Dealer, rounds: list[Round], round: Round) -> None:
    """A round whose wagers are lit, so that the bank is heard."""
    dealer.open()
    dealer.person.screen("open")
    rounds.append(round)
    dealer.play(len(rounds), round)


# Threads that die -----------------------------------------------------------------------------------------------------


def mortal(bank: SimulatedBank) -> None:
    """The programs with a killer in them."""
    for part in (bank.table, bank.bank, bank.sign, bank.screen):
        python, _, module, *arguments = part.command
        assert module == "firmware"
        part.command = [python, "-m", "tests.scenarios.mortal", *arguments]


WORKERS = {"table": ("link", "cabinet-table"), "bank": ("link",), "sign": ("link", "sign")}
"""The threads that wake by themselves, or by what the test does, and so die at once."""


def test_every_thread_dies_again_and_again(start_bank: StartBank) -> None:
    bank, person = start_bank(mosquitto=True, prepare=mortal)
    dealer, rounds = Dealer(person), list[Round]()
    plays(dealer, rounds, Round((1, 3, 5)))
    parts = {part.name: part for part in (bank.table, bank.bank, bank.sign, bank.screen)}
    pids = {name: part.pid for name, part in parts.items()}
    for time in range(1, 4):
        for pid in pids.values():
            os.kill(pid, signal.SIGUSR1)
        person.world.place(6)  # the cabinet's words wake who reads them
        person.world.take(6)
        for part, workers in WORKERS.items():
            for worker in workers:
                until_said(parts[part], f"thread {worker}: it ended.*started again", time)
        plays(dealer, rounds, Round((2, 4)))
    assert {name: part.pid for name, part in parts.items() if part.running} == pids
    bank.stop()
    assert_nothing_lost_or_doubled(bank, rounds, dealer.shown_as)


# systemd's socket -----------------------------------------------------------------------------------------------------


def test_systemd_does_not_listen_any_more(start_bank: StartBank) -> None:
    """Its manager crashed, is frozen or is being exchanged: its socket refuses."""

    def watched(bank: SimulatedBank) -> None:
        bank.table.environment, bank.bank.environment = {"WATCHDOG_USEC": "3000000"}, {"WATCHDOG_USEC": "6000000"}

    bank, person = start_bank(mosquitto=True, prepare=watched)
    dealer, rounds = Dealer(person), list[Round]()
    for part in (bank.table, bank.bank):
        assert part._notify is not None
        part._notify.close()
    for part in (bank.table, bank.bank):
        until_said(part, "systemd does not hear this service")
    plays(dealer, rounds, Round((1, 3, 5)))
    for part in (bank.table, bank.bank):
        address = part.home / f"{part.name}.notify"
        address.unlink()
        part._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        part._notify.bind(str(address))
        assert part.running and b"WATCHDOG=1" in part.hear(20)
    plays(dealer, rounds, Round((2, 4)))
    bank.stop()
    assert_nothing_lost_or_doubled(bank, rounds, dealer.shown_as)


# A crowd at the broker ------------------------------------------------------------------------------------------------


def as_shipped(bank: SimulatedBank) -> None:
    """The broker with the limits of its unit and of its configuration."""
    unit = (SYSTEMD / "felt-mosquitto.conf").read_text(encoding="utf-8")
    files = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.M)[0]
    callers = re.findall(r"^max_connections.*$", (SYSTEMD / "mosquitto.conf").read_text(encoding="utf-8"), re.M)[0]
    with (bank.home / "mosquitto.conf").open("a", encoding="utf-8") as configuration:
        configuration.write(f"{callers}\n")
    bank.broker.command = ["prlimit", f"--nofile={files}:{files}", *bank.broker.command]


def test_twelve_hundred_callers_say_nothing(start_bank: StartBank) -> None:
    """More than the 1,024 files that a service has by default: every table that reconnected stayed out."""
    bank, person = start_bank(mosquitto=True, prepare=as_shipped)
    dealer, rounds = Dealer(person), list[Round]()
    with crowd(bank.broker_port, CROWD):
        for part in (bank.table, bank.bank, bank.table):
            part.kill()
            part.restart()
            plays(dealer, rounds, Round((1, 3, 5)))
    plays(dealer, rounds, Round((2, 4)))
    bank.stop()
    assert_nothing_lost_or_doubled(bank, rounds, dealer.shown_as)


# A card that was copied -----------------------------------------------------------------------------------------------


def test_two_machines_run_one_table_and_both_say_so(
    start_bank: StartBank, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bank, person = start_bank(mosquitto=True)
    dealer, rounds = Dealer(person), list[Round]()
    plays(dealer, rounds, Round((1, 3, 5)))
    home = tmp_path_factory.mktemp("c")
    bank.table.stop()
    for file in bank.home.glob("table*"):
        if file.suffix not in (".sock", ".log", ".notify"):
            shutil.copy(file, home)
    bank.table.restart()
    person.screen("open")
    url = f"mqtt://127.0.0.1:{bank.broker_port}"
    copied = SimulatedTable(home, None, url, seed=1, headless=True, pictures=None)
    try:
        copied.cabinet.restart()
        copied.table.restart()
        for part in (bank.table, copied.table):
            until_said(part, "another machine uses the name felt-table-")
        person.see(lambda seen: "another machine uses the name" in words(seen), "why there is no link")
    finally:
        copied.table.stop()
        copied.cabinet.stop()
    until_said(bank.table, "linked to", said(bank.table, "linked to") + 1)
