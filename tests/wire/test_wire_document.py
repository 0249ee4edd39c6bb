"""docs/mqtt.md is true: every message that it shows is one, its table of topics is the program's, and schemas come out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from firmware.__main__ import main
from firmware.proof.conformance.sheet import OF_BANK, OF_TABLE
from firmware.wire.from_bank import AlarmHeld
from firmware.wire.from_table import Body
from firmware.wire.payload import NO_HASH, read_document
from firmware.wire.records import document
from firmware.wire.schema import DRAFT, MESSAGES, schema
from firmware.wire.topics import BankTopics, TableTopics
from tests.wire.validator import is_valid

PAGE = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text(encoding="utf-8")


def shown(text: str) -> list[dict[str, Any]]:
    """The JSON objects of the indented blocks of a text, one block may hold one."""
    blocks = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    return [json.loads(block) for block in blocks]


def section(title: str) -> str:
    return next(part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if part.startswith(title))


EXAMPLES: list[tuple[str, dict[str, Any]]] = [
    *[("table-up", each) for each in shown(section("`up`"))],
    *[("table-down", each) for each in shown(section("`down`"))],
    *[("bank-meters", each) for each in shown(section("`meters`"))],
    *[("table-status", each) for each in shown(section("`status`"))],
    *[("bank-alive" if "bank" in each else "table-alive", each) for each in shown(section("`alive`"))],
]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_every_message_of_the_page_is_one(name: str, example: dict[str, Any]) -> None:
    assert is_valid(example, schema(name))
    assert document(read_document(example, MESSAGES[name])) == example


def test_every_message_of_the_wire_stands_on_the_page() -> None:
    assert {name for name, _ in EXAMPLES} == {name for name in MESSAGES if not name.startswith("page-")}


def bodies() -> list[tuple[str, dict[str, Any]]]:
    """Kind and body of every row of the table of kinds, with what may be added to it."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section("`up`"), re.MULTILINE)
    found = []
    for kind, text in rows:
        body, *also = re.findall(r"`([^`]*)`", text)
        found.append((kind, json.loads(body)))
        more = [json.loads("{" + each + "}") for each in also if each.startswith('"')]
        found += [(kind, json.loads(body) | each) for each in more]
    return found


@pytest.mark.parametrize(("kind", "body"), bodies())
def test_every_kind_of_the_table_of_kinds_is_read(kind: str, body: dict[str, Any]) -> None:
    message = {"v": 1, "table": "uth-04", "journal": "a" * 32, "seq": 1, "prev": NO_HASH, "kind": kind, "body": body}
    assert is_valid(message, schema("table-up"))
    assert document(read_document(message, MESSAGES["table-up"])) == message


def test_the_table_of_kinds_is_whole() -> None:
    kinds = [kind for kind, _ in bodies()]
    assert set(kinds) == {body.KIND for body in get_args(Body)}
    assert (kinds.count("wagers"), kinds.count("claim")) == (1, 1)


def test_the_alarm_of_the_page_is_one() -> None:
    (text,) = re.findall(r"`null` or `([^`]*)`", PAGE)
    assert read_document(json.loads(text), AlarmHeld).kind == "hash"


def test_the_topics_of_the_page_are_the_programs() -> None:
    listed = {
        name.replace("BANK", "felt").replace("TABLE", "uth-04")
        for name in re.findall(r"^\| `(felt/[^`]*)`", PAGE, re.M)
    }
    table, bank = TableTopics.of("felt", "uth-04"), BankTopics("felt")
    assert listed == {table.up, table.down, table.alive, table.status, table.meters, table.bank, bank.rival}
    assert (bank.meters, bank.alive, bank.down("uth-04")) == (table.meters, table.bank, table.down)
    assert bank.up == table.up.replace("uth-04", "+")
    assert bank.presence == table.alive.replace("uth-04", "+") and bank.present(table.alive) == "uth-04"
    assert bank.status == table.status.replace("uth-04", "+") and bank.stands(table.status) == "uth-04"
    assert bank.table(table.up) == "uth-04"
    assert (
        not bank.table(table.down) and not bank.table("felt/felt/table/a/b/up") and not bank.table("felt/x/table/a/up")
    )


def test_the_command_prints_all_schemas_and_writes_one_file_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wire", "schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert main(["wire", "schema", "--out", str(tmp_path / "schemas")]) == 0
    written = {file.name: json.loads(file.read_text()) for file in (tmp_path / "schemas").iterdir()}
    assert written == {f"{name}.schema.json": one for name, one in printed.items()}
    assert {one["$schema"] for one in printed.values()} == {DRAFT}
    assert capsys.readouterr().out == ""


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["wire", "schema", "--out", str(tmp_path / "file")]) == 2
    assert "name a folder that this user can write" in capsys.readouterr().err


# The rules by id ------------------------------------------------------------------------------------------------------

RULES: dict[str, tuple[str, str]] = {
    name: (sentence, checked)
    for name, sentence, checked in re.findall(
        r"^\| ([WTBS]-\d\d) \| (.*) \| (.*) \|$", section("What must be"), re.MULTILINE
    )
}
"""Id -> its sentence, and whether it is checked from outside."""


def test_every_must_has_an_id_and_every_id_is_one_sentence_that_says_must() -> None:
    rows = re.findall(r"^\| [A-Z]-.*$", PAGE, re.MULTILINE)
    assert len(rows) == len(RULES) > 50, "no id stands there twice"
    assert PAGE.count("MUST") == sum(sentence.count("MUST") for sentence, _ in RULES.values())
    assert all("MUST" in sentence and re.fullmatch(r"[^.]*\.", sentence) for sentence, _ in RULES.values())


def test_an_id_is_checked_by_the_conformance_player_or_says_why_not() -> None:
    assert {name for name, (_, checked) in RULES.items() if checked == "yes"} == {*OF_TABLE, *OF_BANK}
    assert all(checked == "yes" or checked.startswith("no: ") for _, checked in RULES.values())
