"""The documents are true where a machine can tell: links, names of files, commands, plain words."""

from __future__ import annotations

import importlib.util
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from firmware.__main__ import main
from firmware.config import SIMULATED_PEOPLE
from tests.ui.troubles import PICTURES

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
OF_EACH = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
TABLE_ROOM, LAW_TESTS = ROOT / "firmware" / "table", ROOT / "tests" / "rules"
LOOKED_IN = (ROOT, ROOT / "firmware", TABLE_ROOM, ROOT / "docs", ROOT / "tests", LAW_TESTS)
"""Where a file that a document names may lie: a room's name alone says which room."""
OF_A_KIND = ("table.toml", "theme.toml", "people.toml", "bank.toml", "book.toml", "readings.toml", "game.py", "UNIT.py")
"""Files that a casino, a game or a driver has of its own: no path says which."""


def anchors(document: Path) -> set[str]:
    """The names that a renderer gives to the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@OF_EACH
def test_every_link_and_every_anchor_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", document.read_text(encoding="utf-8"))
    missing = [
        (target, anchor)
        for target, anchor in links
        if not target.startswith(("http://", "https://"))
        and not ((there := document.parent / target if target else document).exists() and leads(there, anchor))
    ]
    assert not missing


def leads(document: Path, anchor: str) -> bool:
    return not anchor or document.suffix != ".md" or anchor in anchors(document)


def test_every_alarm_has_its_cure() -> None:
    """Those of the wire's document, and those that a table raises by itself."""
    wire = (ROOT / "docs" / "mqtt.md").read_text(encoding="utf-8")
    table = (TABLE_ROOM / "neighbors.py").read_text(encoding="utf-8")
    listed = wire.split("| alarm |", 1)[1].split("\n\n", 1)[0]
    alarms = {*re.findall(r"^\| `([a-z]+)`", listed, re.MULTILINE), *re.findall(r'return "([a-z]+)", ', table)}
    cures = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert alarms == set(re.findall(r"^### `([a-z]+)`", cures, re.MULTILINE))


CURES = ROOT / "docs" / "operations.md"
DRAWN = CURES.parent / "pictures" / "operations"


def pictures_of(text: str) -> dict[str, str]:
    """Name of a picture of something wrong -> what the document says is on it."""
    return {name: words for words, name in re.findall(r"!\[([^]]*)\]\(pictures/operations/([\w-]+)\.png\)", text)}


def test_everything_wrong_that_is_seen_at_a_table_has_its_picture() -> None:
    """`scripts/screens --operations` draws them; where an alarm stands on the glass, its section shows it first."""
    text = CURES.read_text(encoding="utf-8")
    drawn = {path.stem for path in DRAWN.iterdir()}
    assert set(pictures_of(text)) == drawn == set(PICTURES)
    for alarm, section in re.findall(r"^### `([a-z]+)`\n(.*?)(?=^##|\Z)", text, re.M | re.S):
        assert next(iter(pictures_of(section))) == alarm, f"{alarm} has no picture"
    assert sum(path.stat().st_size for path in DRAWN.iterdir()) < 1_000_000


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_something_wrong_says_what_the_document_says(name: str) -> None:
    shown = PICTURES[name]().shown()
    said = [line.text for widget in shown.widgets for line in widget.lines]
    words = pictures_of(CURES.read_text(encoding="utf-8"))[name]
    assert any(words in text for text in said), said


def files_named(document: Path) -> list[str]:
    return re.findall(r"`([\w/-]+\.(?:py|toml|md))`", document.read_text(encoding="utf-8"))


@OF_EACH
def test_every_file_that_is_named_exists(document: Path) -> None:
    missing = [
        path
        for path in files_named(document)
        if Path(path).name not in OF_A_KIND and not any((folder / path).exists() for folder in LOOKED_IN)
    ]
    assert not missing


def test_files_are_named_in_most_documents() -> None:
    """So that the pattern above cannot quietly find nothing."""
    assert sum(bool(files_named(document)) for document in DOCUMENTS) > len(DOCUMENTS) / 2


def test_every_name_of_a_module_of_the_law_exists() -> None:
    """`module.name` and `module.Class.name`; a module goes by its path below firmware/rules."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    spans = re.findall(r"`([a-z_]\w*(?:\.\w+)+)", text)
    names = {span for span in spans if is_of_the_law(span) and not span.endswith((".py", ".toml", ".md"))}
    assert len(names) > 4 and not [name for name in sorted(names) if not resolves(name)]


def is_of_the_law(name: str) -> bool:
    return importlib.util.find_spec(f"firmware.rules.{name.partition('.')[0]}") is not None


def resolves(name: str) -> bool:
    """A module of the law, or what stands in one."""
    try:
        pkgutil.resolve_name(f"firmware.rules.{name}")
    except (ImportError, AttributeError):
        return False
    return True


def test_a_name_that_is_gone_is_seen() -> None:
    assert resolves("five_card.returns") and resolves("submission.Submission.refuse_if_lapsed")
    assert not resolves("five_card.five_card_prize") and not resolves("games.gone")


def test_the_newest_release_is_the_version_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    with pytest.raises(SystemExit):
        main(["--version"])
    assert newest and newest[1] == project["version"]
    assert re.fullmatch(rf"felt {re.escape(newest[1])}(, commit [0-9a-f]{{8}})?\n", capsys.readouterr().out)


def commands_in(text: str) -> Iterator[str]:
    """`felt table`, `felt journal show, verify`: every command of such a list, without its arguments."""
    word = r"[a-z]+(?![\w-])"
    for first, second, rest in re.findall(rf"`felt ({word})(?: ({word}))?((?:, {word})*)", text):
        yield first
        more = rest.split(", ")[1:]
        yield from [f"{first} {each}" for each in (second, *more)] if second else more


COMMANDS = {command for document in DOCUMENTS for command in commands_in(document.read_text(encoding="utf-8"))}


def test_commands_are_read_with_their_second_word_and_from_lists() -> None:
    text = (
        "`felt pin`, `felt bank adopt uth-04`, `felt journal show, verify FILE`, `felt table, sign`, `felt settle --x`"
    )
    read = ["pin", "bank", "bank adopt", "journal", "journal show", "journal verify", "table", "sign", "settle"]
    assert list(commands_in(text)) == read
    assert {"bank adopt", "table check", "journal export", "wire schema"} <= COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_that_is_named_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*command.split(), "--help"])
    assert stopped.value.code == 0 and capsys.readouterr().out.startswith(f"usage: felt {command}")


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
