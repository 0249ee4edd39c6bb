"""The documents are true where a machine can tell: links, names of files, taps of a round, commands, plain words."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from firmware.config import SIMULATED_PEOPLE
from tests.table.procedures import test_taps as taps

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
OF_EACH = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
LOOKED_IN = (ROOT, ROOT / "firmware", ROOT / "firmware" / "table", ROOT / "docs", ROOT / "tests")
"""Where a file that a document names may lie: a room's name alone says which room."""

ROUNDS: dict[str, Callable[[], taps.Counting]] = {
    "653a level 0, nobody wins": taps.nobody_wins,
    "Maryland level 0, nobody wins": taps.nobody_wins_in_maryland,
    "653a level 0 without a shuffling machine, nobody wins (shuffle and cut are one key)": taps.no_machine_shuffles,
    "653a level 0, a late chip was counted with the others": taps.a_chip_came_late,
    "653a level 0, the round is void": taps.the_round_is_void,
    "653a level 0, a flush wins the progressive": taps.a_flush_wins,
    "Lunar Poker level 1, three players bet and lose": taps.everybody_bets_at_lunar_poker,
    "653a level 1, three players lose": taps.everybody_loses,
    "653a level 1, three players, one folds": taps.one_player_folds,
    "677a level 1, three players, two lose, one ties": taps.heads_up,
}
"""The rows of the README, and the round that is counted for each."""


@OF_EACH
def test_every_link_leads_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    missing = [
        target
        for target in targets
        if not target.startswith(("http://", "https://")) and not (document.parent / target).exists()
    ]
    assert not missing


@pytest.mark.parametrize(
    "name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/adding-a-shuffler-driver.md", "docs/adding-a-panel.md"]
)
def test_every_file_that_is_named_exists(name: str) -> None:
    spoken = re.findall(r"`([\w/-]+\.(?:py|toml|md))`", (ROOT / name).read_text(encoding="utf-8"))
    own = ("table.toml", "bank.toml", "book.toml", "readings.toml", "game.py", "UNIT.py")
    missing = [
        path
        for path in spoken
        if Path(path).name not in own and not any((folder / path).exists() for folder in LOOKED_IN)
    ]
    assert spoken and not missing


def test_the_readme_counts_taps_as_the_tests_do() -> None:
    counted = {play: (str(number), str(signatures or "")) for play, number, signatures in taps.ROUNDS}
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d*) ?\|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert {row: (number, signed) for row, number, signed in rows} == {
        row: counted[play] for row, play in ROUNDS.items()
    }


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`felt ([a-z]+)", (ROOT / "README.md").read_text("utf-8")))))
def test_every_command_of_the_readme_exists(command: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "firmware", command, "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.returncode == 0 and answer.stdout.startswith("usage: felt"), answer.stderr


def test_the_pins_of_the_readme_are_those_of_the_simulated_people() -> None:
    stated = re.findall(r"PIN (\d+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(stated) == len(SIMULATED_PEOPLE)
    for person, pin in zip(SIMULATED_PEOPLE, stated, strict=True):
        assert PasswordHasher().verify(person.pin_hash, pin)


CALQUES = re.compile(r"\b(anew|nevertheless|so many|for ever|in vain|colour|recognised|millimetres?)\b", re.IGNORECASE)


@OF_EACH
def test_documents_are_written_in_plain_american_english(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    found = [match[0] for match in CALQUES.finditer(re.sub(r"`[^`]*`", "", text))]
    assert not found
