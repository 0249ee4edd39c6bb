"""What outsiders are given is what the program says: docs/asyncapi.yaml and docs/schemas come from the types, and hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from firmware.__main__ import main
from firmware.table import events as e
from firmware.wire import asyncapi
from firmware.wire.schema import MESSAGES
from tests.runtime.test_hostile_bank import claiming
from tests.runtime.test_two_records import House
from tests.runtime.world import BankWorld, Clock, TableWorld

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = yaml.safe_load((DOCS / "asyncapi.yaml").read_text(encoding="utf-8"))


def below(folder: Path) -> dict[str, str]:
    paths = [folder / "asyncapi.yaml", *sorted((folder / "schemas").iterdir())]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def test_what_is_checked_in_is_what_the_command_writes(tmp_path: Path) -> None:
    """Where this fails, run `felt wire export`."""
    assert main(["wire", "export", "--out", str(tmp_path)]) == 0
    assert below(DOCS) == below(tmp_path)


def test_the_yaml_is_the_document() -> None:
    assert asyncapi.asyncapi() == DOCUMENT


def test_every_reference_of_the_document_leads_somewhere() -> None:
    def references(value: Any) -> list[str]:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        own = [value["$ref"]] if isinstance(value, dict) and "$ref" in value else []
        return own + [one for each in inside for one in references(each)]

    found = references(DOCUMENT)
    assert len(found) > 10
    for reference in found:
        if reference.startswith("./"):
            assert (DOCS / reference).is_file(), reference
            continue
        place = DOCUMENT
        for name in reference.removeprefix("#/").split("/"):
            place = place[name]


def test_every_message_of_the_wire_has_its_channel() -> None:
    said = {channel.message for channel in asyncapi.CHANNELS}
    assert said == {name for name in MESSAGES if not name.startswith("page-")}


def message_of(topic: str) -> str:
    """The message that the document says travels under a topic."""
    for channel in DOCUMENT["channels"].values():
        wanted = channel["address"].replace("{bank}", "felt").replace("{table}", "uth-04")
        if wanted == topic:
            (name,) = channel["messages"]
            return str(name)
    raise AssertionError(f"{topic} is no channel")


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    """All that table and bank say in a round whose royal flush is claimed and paid."""
    clock = Clock()
    clock.install(monkeypatch)
    for name in ("table", "bank"):
        (tmp_path / name).mkdir()
    house = House(TableWorld(tmp_path / "table", clock), BankWorld(tmp_path / "bank", clock))
    claiming(house.table)
    house.goes_on()
    assert house.table.state.phase == "hold", house.table.text
    house.table.identifies("3001")
    house.table.presses("primary", held_ms=1_500)
    house.goes_on(12)
    assert house.table.events(e.ClaimPaid)
    return house.table.link.published + house.bank.link.published


def test_all_that_is_said_in_a_round_is_what_the_schemas_say(said: list[tuple[str, bytes]]) -> None:
    validators = {
        name: Draft202012Validator(json.loads((DOCS / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")))
        for name in MESSAGES
    }
    heard = [(message_of(topic), json.loads(payload)) for topic, payload in said]
    assert {name for name, _ in heard} == {channel.message for channel in asyncapi.CHANNELS}
    assert {said["kind"] for name, said in heard if name == "table-up"} >= {"wagers", "claim", "verdict"}
    for name, message in heard:
        validators[name].validate(message)


def test_a_schema_finds_what_is_wrong(said: list[tuple[str, bytes]]) -> None:
    schema = json.loads((DOCS / "schemas" / "table-up.schema.json").read_text(encoding="utf-8"))
    first = next(json.loads(payload) for topic, payload in said if topic.endswith("/up"))
    wrong = [first | {"seq": 0}, first | {"kind": "claim"}, first | {"extra": 1}, first | {"table": "a/b"}]
    assert not any(Draft202012Validator(schema).is_valid(one) for one in wrong)
