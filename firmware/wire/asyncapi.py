"""The MQTT traffic as an AsyncAPI 3.0 document: the topics, their speakers, and each message by its schema.

It is written as YAML with the parts that this document needs: objects, lists, texts, whole numbers, true and false.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from firmware.wire.schema import MESSAGES
from firmware.wire.topics import BankTopics, TableTopics
from firmware.wire.values import BankName, TableName

Document = dict[str, Any]

HEAD = """\
# Made from the types of firmware/wire by `felt wire export`; a test holds it equal. What no schema can say: docs/mqtt.md
"""
SCHEMAS = "schemas"
"""The folder of the schemas, beside this document."""
SCHEMA_FORMAT = "application/schema+json;version=draft-2020-12"
_PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")


class Channel(Struct, frozen=True):
    """One topic: what is said there, by whom to whom, and how MQTT carries it. `will`: the broker may say it too."""

    name: str
    topic: str
    message: str
    what: str
    by_bank: bool
    qos: int
    retain: bool
    will: bool = False


_TOPICS = TableTopics.of("{bank}", "{table}")
_RIVAL = BankTopics("{bank}").rival
CHANNELS: Sequence[Channel] = (
    Channel("up", _TOPICS.up, "table-up", "A table says one message that it owes its bank.", False, 1, False),
    Channel("down", _TOPICS.down, "table-down", "The bank says what it holds of that table.", True, 1, True),
    Channel("tableAlive", _TOPICS.alive, "table-alive", "A table says that it is there.", False, 0, True, will=True),
    Channel("status", _TOPICS.status, "table-status", "A table says how it stands.", False, 1, True),
    Channel("meters", _TOPICS.meters, "bank-meters", "The bank says its board.", True, 1, True),
    Channel("bankAlive", _TOPICS.bank, "bank-alive", "The bank says that it is there.", True, 0, True, will=True),
    Channel("bankRival", _RIVAL, "bank-alive", "A bank that stood back says that it is there.", True, 0, False),
)
"""Every topic, as docs/mqtt.md lists them."""


def asyncapi() -> Document:
    """The document. Its operations are the bank's: a table does the opposite of each."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Felt: table, bank and sign",
            "version": str(MESSAGES["table-up"].VERSION),
            "description": "Operations are the bank's; a table receives what the bank sends, and sends what it receives. "
            "A sign receives meters and bankAlive. Every rule has an id in docs/mqtt.md.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "broker": {
                "host": "localhost:1883",
                "protocol": "mqtt",
                "protocolVersion": "3.1.1",
                "description": "The casino's broker; mqtts with certificates wherever it leaves one machine.",
            }
        },
        "channels": {channel.name: _channel(channel) for channel in CHANNELS},
        "operations": {channel.name: _operation(channel) for channel in CHANNELS},
        "components": {"messages": {channel.message: _message(channel.message) for channel in CHANNELS}},
    }


def text() -> str:
    """The document as a file of YAML."""
    return HEAD + "\n".join(yaml_lines(asyncapi())) + "\n"


def _channel(channel: Channel) -> Document:
    names = {"bank": _names(BankName), "table": _names(TableName)}
    used = {name: said for name, said in names.items() if f"{{{name}}}" in channel.topic}
    messages = {channel.message: {"$ref": f"#/components/messages/{channel.message}"}}
    return {"address": channel.topic, "description": channel.what, "messages": messages, "parameters": used}


def _names(kind: Any) -> Document:
    return {"description": kind.__metadata__[0].wanted}


def _operation(channel: Channel) -> Document:
    will = " The last will under the same topic: QoS 1, retained." if channel.will else ""
    return {
        "action": "send" if channel.by_bank else "receive",
        "channel": {"$ref": f"#/channels/{channel.name}"},
        "messages": [{"$ref": f"#/channels/{channel.name}/messages/{channel.message}"}],
        "summary": channel.what + will,
        "bindings": {"mqtt": {"qos": channel.qos, "retain": channel.retain, "bindingVersion": "0.2.0"}},
    }


def _message(name: str) -> Document:
    schema = {"$ref": f"./{SCHEMAS}/{name}.schema.json"}
    return {
        "name": name,
        "title": MESSAGES[name].__name__,
        "contentType": "application/json",
        "payload": {"schemaFormat": SCHEMA_FORMAT, "schema": schema},
    }


# YAML ---------------------------------------------------------------------------------------------------------------


def yaml_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """An object in block style, one line after the other; texts are quoted as JSON quotes them."""
    for key, value in document.items():
        name = key if _PLAIN.fullmatch(key) else json.dumps(key)
        if isinstance(value, Mapping) and value:
            yield f"{name}:"
            yield from (f"  {line}" for line in yaml_lines(value))
        elif isinstance(value, list) and value:
            yield f"{name}:"
            yield from (f"  {line}" for each in value for line in _yaml_entry(each))
        else:
            yield f"{name}: {json.dumps(value)}"


def _yaml_entry(each: Any) -> Iterator[str]:
    if not isinstance(each, Mapping):
        yield f"- {json.dumps(each)}"
        return
    for number, line in enumerate(yaml_lines(each)):
        yield f"{'- ' if number == 0 else '  '}{line}"
