"""A small validator of JSON Schema, draft 2020-12: the keywords that Felt's schemas use. Another one is an error here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]
Check = Callable[[Any, Any, Schema, Schema], bool]

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return type(one) is type(other) and one == other


def of(kind: type, check: Callable[[Any, Any], bool]) -> Check:
    """A keyword that only values of one type are held to."""
    return lambda wanted, value, _schema, _root: not isinstance(value, kind) or check(wanted, value)


def properties(wanted: Any, value: Any, _schema: Schema, root: Schema) -> bool:
    return not isinstance(value, dict) or all(
        is_valid(value[key], each, root) for key, each in wanted.items() if key in value
    )


def no_others(wanted: Any, value: Any, schema: Schema, _root: Schema) -> bool:
    assert wanted is False
    return not isinstance(value, dict) or value.keys() <= schema["properties"].keys()


def reference(wanted: str, value: Any, _schema: Schema, root: Schema) -> bool:
    start, name = wanted.rsplit("/", 1)
    assert start == "#/$defs"
    return is_valid(value, root["$defs"][name], root)


KEYWORDS: dict[str, Check] = {
    "type": lambda wanted, value, _schema, _root: TYPES[wanted](value),
    "const": lambda wanted, value, _schema, _root: same(value, wanted),
    "enum": lambda wanted, value, _schema, _root: any(same(value, one) for one in wanted),
    "pattern": of(str, lambda wanted, value: re.search(wanted, value) is not None),
    "minLength": of(str, lambda wanted, value: len(value) >= wanted),
    "maxLength": of(str, lambda wanted, value: len(value) <= wanted),
    "minimum": of(int, lambda wanted, value: value >= wanted),
    "maximum": of(int, lambda wanted, value: value <= wanted),
    "minItems": of(list, lambda wanted, value: len(value) >= wanted),
    "maxItems": of(list, lambda wanted, value: len(value) <= wanted),
    "uniqueItems": of(
        list, lambda wanted, value: not wanted or not any(same(a, b) for i, a in enumerate(value) for b in value[:i])
    ),
    "items": lambda wanted, value, _schema, root: (
        not isinstance(value, list) or all(is_valid(one, wanted, root) for one in value)
    ),
    "required": of(dict, lambda wanted, value: all(key in value for key in wanted)),
    "properties": properties,
    "additionalProperties": no_others,
    "anyOf": lambda wanted, value, _schema, root: any(is_valid(value, each, root) for each in wanted),
    "oneOf": lambda wanted, value, _schema, root: sum(is_valid(value, each, root) for each in wanted) == 1,
    "not": lambda wanted, value, _schema, root: not is_valid(value, wanted, root),
    "$ref": reference,
}
NOTES = {"$schema", "$id", "$defs", "$comment", "title", "description"}


def is_valid(value: Any, schema: Schema, root: Schema | None = None) -> bool:
    """The value is what the schema says; `root` holds the definitions. An unknown keyword raises KeyError."""
    root = schema if root is None else root
    return all(
        KEYWORDS[keyword](wanted, value, schema, root) for keyword, wanted in schema.items() if keyword not in NOTES
    )
