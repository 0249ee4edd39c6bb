"""What docs/operations.md shows of a terminal is what the commands ask and answer, word for word."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware.__main__ import main
from firmware.runtime.adoption import SOCKET, AdoptionDesk
from tests.bank import casino
from tests.runtime.test_adoption import PINS, wagers, while_it_runs
from tests.runtime.test_anchor import cut
from tests.runtime.world import BankWorld, Clock, TableWorld

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
OWN, STRANGE = "7c1e9a40d2b85f36e0947ab1c35d8f62", "b1940c7de35a2f68910f4e6ac7d2835b"
LEDGER = "3f9c62a1d07e4b58a6c2914fe05b7d38"


@dataclass
class Terminal:
    """Two people at the machine whose folder is `home`; the configuration is that of the document."""

    home: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def shows(self, *words: str, runs: Callable[[Callable[[], int]], int] = lambda command: command()) -> str:
        """The command and all that then stands on the terminal; a PIN that is typed is not seen.

        `runs`: beside what it is run.
        """
        badges, pins = iter(PINS), iter(PINS.values())
        asked: list[str] = []

        def badge(prompt: str) -> str:
            asked.extend(self.capsys.readouterr().out.splitlines())  # what they are shown before they sign
            typed = next(badges)
            asked.append(f"{prompt}{typed}")
            return typed

        def pin(prompt: str) -> str:
            asked.append(prompt.rstrip())
            return next(pins)

        self.monkeypatch.setattr("builtins.input", badge)
        self.monkeypatch.setattr("getpass.getpass", pin)
        self.capsys.readouterr()
        runs(lambda: main([words[0], "--home", str(self.home), *words[1:]]))
        said = self.capsys.readouterr()
        service = words[0]
        where = f"--config /etc/felt/{service}.toml"
        told = (said.out + said.err).replace(f"--home {self.home}", where)  # it names the bank as it was named
        answer = told.replace(str(self.home), HOMES[service]).splitlines()
        line = f"$ felt {service} {where} {' '.join(words[1:])}"
        if service == "table":
            line = f"$ felt {service} {' '.join(words[1:])} {where}"
        return "\n".join(f"    {one}" for one in (line, *asked, *answer))


HOMES = {"bank": "/var/lib/felt-bank", "table": "/var/lib/felt"}


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(tmp_path, monkeypatch, capsys)


def is_shown(transcript: str) -> None:
    """The document has it, with the numbers of other rows."""
    shown, text = (re.sub(r"\brow \d+", "row 0", one) for one in (transcript, DOCUMENT.read_text(encoding="utf-8")))
    assert f"\n{shown}\n" in text, transcript


def at_a_running_bank(terminal: Terminal, bank: BankWorld, *words: str) -> str:
    """The same, while the bank runs."""
    desk = AdoptionDesk(bank.folder / SOCKET, bank.config.people, bank.inbox.put)
    desk.start()
    shown = terminal.shows("bank", *words, runs=lambda command: while_it_runs(bank, command))
    desk.close()
    return shown


def test_an_alarm_about_the_tables_own_journal_is_ended(terminal: Terminal, bank: BankWorld) -> None:
    table = casino.Table("uth-04", OWN)
    bank.hears(table.wagers(2, 1), table.wagers(1, 1))
    assert bank.down["alarm"]["kind"] == "round"
    is_shown(at_a_running_bank(terminal, bank, "adopt", "uth-04"))
    assert bank.down["alarm"] is None


def test_a_new_table_is_adopted(terminal: Terminal, tmp_path: Path, clock: Clock) -> None:
    bank = BankWorld(tmp_path, clock, signed_first=True)
    bank.hears(wagers(OWN))
    is_shown(at_a_running_bank(terminal, bank, "adopt", "uth-04"))
    is_shown(at_a_running_bank(terminal, bank, "adopt", "uth-04", OWN))
    assert bank.down["alarm"] is None


def test_another_journal_is_named_and_adopted(terminal: Terminal, bank: BankWorld) -> None:
    bank.hears(wagers(OWN), wagers(STRANGE))
    is_shown(at_a_running_bank(terminal, bank, "adopt", "uth-04"))
    is_shown(at_a_running_bank(terminal, bank, "adopt", "uth-04", STRANGE))
    assert bank.down["alarm"] is None


@pytest.mark.parametrize("word", ["accept", "refuse"])
def test_a_held_verdict_is_ended(terminal: Terminal, bank: BankWorld, word: str) -> None:
    table = casino.Table("uth-04", OWN)
    bank.hears(table.wagers(12, 3), table.claim(12, 3, "royal flush"))
    table.told(bank.service.state)
    bank.hears(table.verdict(12, 3, paid=True, by=("2001", "2044")))
    assert bank.down["alarm"]["kind"] == "verdict"
    is_shown(at_a_running_bank(terminal, bank, word, "uth-04:12:3:1"))
    assert bank.down["alarm"] is None


def test_another_ledger_is_accepted(terminal: Terminal, tmp_path: Path, clock: Clock) -> None:
    terminal.monkeypatch.setattr("tests.runtime.world.EPOCH", LEDGER)
    table = TableWorld(tmp_path, clock)
    table.counted(3)
    table.bank_says(epoch=LEDGER)
    table.journal.close()
    is_shown(terminal.shows("table", "accept", "bank"))


def test_an_older_journal_is_accepted(terminal: Terminal, table: TableWorld) -> None:
    table.counted(3)
    table.journal.close()
    cut(table, table.folder / "table.journal")
    is_shown(terminal.shows("table", "accept", "journal"))
