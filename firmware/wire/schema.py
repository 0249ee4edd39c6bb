"""JSON Schemas (draft 2020-12) of all that travels, generated from the types: there is no second copy to keep true.

A schema says less than the reader: not the canonical form, not that no key comes twice, not the rules between keys,
which it repeats under `$comment`. The schema takes everything that the reader takes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from firmware.wire.from_bank import Board, Down, Heartbeat
from firmware.wire.from_table import Owed, Presence, Status
from firmware.wire.records import Record, record_schema
from firmware.wire.shapes import Definitions, Schema
from firmware.wire.to_page import PageShows, PageWaits

DRAFT = "https://json-schema.org/draft/2020-12/schema"

MESSAGES: Mapping[str, type[Record]] = {
    "table-up": Owed,
    "table-alive": Presence,
    "table-status": Status,
    "table-down": Down,
    "bank-meters": Board,
    "bank-alive": Heartbeat,
    "page-shows": PageShows,
    "page-waits": PageWaits,
}
"""Every message by its name: the last levels of its topic, or what the sign's page is pushed."""


def schema(name: str) -> Schema:
    """The schema of one message."""
    definitions: Definitions = {}
    said = record_schema(MESSAGES[name], definitions)
    head = {"$schema": DRAFT, "$id": f"urn:felt:wire:{name}"}
    return {**head, **said, **({"$defs": definitions} if definitions else {})}


def text(name: str) -> str:
    """The schema of one message as a file."""
    return json.dumps(schema(name), indent=2) + "\n"


def text_of_all() -> str:
    """All schemas as one JSON object, by the names of their messages."""
    return json.dumps({name: schema(name) for name in MESSAGES}, indent=2) + "\n"


def files() -> dict[str, str]:
    """Every schema by the name of its file."""
    return {f"{name}.schema.json": text(name) for name in MESSAGES}
