"""The scripted dealer plays a whole showcase of every book at every level; nobody who is simulated reads English."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.proof.simulation import books, screen_reader
from firmware.proof.simulation.dealer import Dealer
from firmware.proof.simulation.game import Game
from firmware.proof.simulation.plan import SHOWCASE, plan
from firmware.rules import games
from tests.proof.simulation.inside import Inside
from tests.sample import some
from ui.words import ENGLISH

ROOT = Path(__file__).parents[3]
TABLES = [(book, level) for book in games.books() for level in books.levels(book)]
FAST = [("pa-653a", 0), ("pa-653a", 2), ("pa-671a", 1), ("pa-677a", 2)]


@pytest.mark.parametrize("table", some(TABLES, keep=FAST), ids=lambda table: f"{table[0]}-{table[1]}")
def test_a_showcase_is_played_to_its_end(table: tuple[str, int], tmp_path: Path) -> None:
    """Every kind of round, at a table that says nothing in words."""
    book, level = table
    books.write(tmp_path, book, level)
    _plays_showcase(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_showcase_with_the_five_card_hand_is_played_to_its_end(level: int, tmp_path: Path) -> None:
    books.write(tmp_path, "pa-653a", level, five_card=True)
    _plays_showcase(tmp_path)


def _plays_showcase(home: Path) -> None:
    game, person = Game.of(home / "table.toml"), Inside(home)
    dealer = Dealer(person, game=game, seed=7)
    for number, script in enumerate(plan(7, SHOWCASE, game), start=1):
        dealer.play(number, script)
    dealer.close()
    assert person.table.state.round.number >= SHOWCASE


# Who is simulated reads no English ------------------------------------------------------------------------------------

AUDITORS = {
    "account.py": "an auditor is there to read what the glass says, as a player would",
    "account_books.py": "the auditor's",
    "account_law.py": "the auditor's",
    "screen_reader.py": "how the auditor reads the glass",
    "shifts": "their people press the keys of the state; the auditor reads",
    "month.py": "hears what a bank is owed and what it complains of; nobody looks at a screen",
    "__main__.py": "the command",
}
"""What of the simulation is no person at a screen, and why."""


def _people() -> list[Path]:
    simulation = ROOT / "firmware" / "proof" / "simulation"
    found = [path for path in simulation.rglob("*.py") if path.relative_to(simulation).parts[0] not in AUDITORS]
    for folder in ("hil", "powercut", "scenarios"):
        found += sorted((ROOT / "tests" / folder).glob("*.py"))
    return [*found, ROOT / "scripts" / "bench_latency.py", ROOT / "scripts" / "draw_sign.py"]


PEOPLE = _people()


def _trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in PEOPLE:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


WORDS = ("ui.words", screen_reader.__name__)


def test_nobody_who_is_simulated_imports_the_catalog() -> None:
    found = {path.name for path, tree in _trees() if any(name.startswith(WORDS) for name in _imported(tree))}
    assert not found


SEES = {"Text", "Observation"}


def test_nobody_who_is_simulated_looks_at_the_words_of_a_widget() -> None:
    """`Text.text` is for whoever reads why a person is stuck; everybody else goes by `Text.said`."""
    found = []
    for path, tree in _trees():
        if not any(
            name.startswith(("firmware.runtime.glass", "firmware.proof.simulation.person")) for name in _imported(tree)
        ):
            continue
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}  # a palette's color of a tone
        reads = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "text"]
        spoken = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name == "words"
            for part in ast.walk(node)
        }
        found += [
            f"{path.name}:{node.lineno}" for node in reads if id(node) not in spoken | called and not _promised(node)
        ]
    assert not found


def _promised(node: ast.Attribute) -> bool:
    """The text of a promise, a line of a script or a message that was owed is no widget's."""
    return isinstance(node.value, ast.Name) and node.value.id in ("promise", "self", "line", "owed")


def test_every_message_that_a_simulated_person_waits_for_is_in_the_catalog() -> None:
    """So whoever takes a message away, or calls it otherwise, is told here, and no person waits for ever."""
    known = {one for domain, folder in _catalogs() for one in _ids(domain, folder)}
    concerns = {one.partition(".")[0] for one in known if "." in one}
    asked = {
        node.value: f"{path.name}:{node.lineno}"
        for path, tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if ID.fullmatch(node.value) and node.value.partition(".")[0] in concerns and not FILE.search(node.value)
    }
    assert len(asked) > 40
    assert not {one: where for one, where in asked.items() if one not in known}


ID = re.compile(r"[a-z-]+\.[a-z0-9-]+")
FILE = re.compile(r"^felt\.|\.(sock|qcow2|ext4|journal|ledger|toml|log|img|key|crt|pub|raw|txt|json|service|md)$")
"""A file, or the name of a log, which looks alike."""


def _catalogs() -> Iterator[tuple[str, Path]]:
    yield "felt", ROOT / "ui" / "words"
    yield from (("game", folder / "words") for folder in games.folders())


def _ids(domain: str, folder: Path) -> Iterator[str]:
    file = folder / "en" / "LC_MESSAGES" / f"{domain}.mo"
    if file.exists():
        with file.open("rb") as opened:
            for one in gettext.GNUTranslations(opened)._catalog:  # type: ignore[attr-defined]
                yield one if isinstance(one, str) else one[0]


def test_a_table_without_words_says_nothing(tmp_path: Path) -> None:
    """What the showcases are played at: were there words, a person who reads them would not be found."""
    books.write(tmp_path, "pa-653a")
    shown = Inside(tmp_path).look()
    assert any(widget.said for widget in shown.widgets)
    told = {ENGLISH(one) for widget in shown.widgets for one in widget.said if not isinstance(one, str)}
    assert not told & {widget.text for widget in shown.widgets}
