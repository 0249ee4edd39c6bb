"""Messages and their parts as frozen Structs whose annotations say what each key may hold.

`Annotated[int, Whole(1, 6)]` names the shape of a field; a tuple, an optional part and a part that is itself a record
follow from the type. A field with a default is a key that may be left out, and that is left out where it holds the
default: one content has one form. From the same types come the reader, the writer and the JSON Schema.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from firmware.rules.strict import Keys, Refusal, text, under, whole
from firmware.rules.strict import fields as fields_of
from firmware.wire.shapes import Constant, Definitions, Enumerated, Flag, Items, OrNull, Schema, Several, Shape


class Record(Struct, frozen=True):
    """A JSON object of the wire."""

    KIND: ClassVar[str] = ""
    """The value of the key `kind` beside an object that may be one of several."""
    VERSION: ClassVar[int] = 0
    """A message that travels by itself carries it under the key `v`; 0: a part of one."""

    def refusal(self, given: Collection[str]) -> Refusal | None:
        """The fault between keys that were `given`, though each is right by itself. Its place is counted from this
        object."""
        return None

    def unsaid(self) -> frozenset[str]:
        """The keys that are left out: those that hold their default."""
        defaults = plan(type(self)).defaults
        return frozenset([name for name, default in defaults.items() if getattr(self, name) == default])


R = TypeVar("R", bound=Record)


class Field(Struct, frozen=True):
    """One key of a record."""

    name: str
    shape: Shape
    required: bool


class Plan(Struct, frozen=True):
    """All keys of a record; `tagged` is the one field that is one of several records, "" for none."""

    fields: tuple[Field, ...]
    defaults: Mapping[str, object]
    keys: Keys
    tagged: str
    readers: tuple[tuple[str, Callable[[object, str, object], Any]], ...]
    writers: tuple[tuple[str, Callable[[Any], Any]], ...]
    """By name; a bank reads and writes thousands of these a second."""


def plan(kind: type[Record]) -> Plan:
    """The keys of a record, from its annotations, which are looked at once."""
    if kind not in _PLANS:
        _PLANS[kind] = _planned(kind)
    return _PLANS[kind]


_PLANS: dict[type[Record], Plan] = {}


def _planned(kind: type[Record]) -> Plan:
    hints = get_type_hints(kind, include_extras=True)
    defaults = {field.name: field.default for field in fields(kind) if not field.required}
    read = tuple(
        Field(name, shape_of(hints[name], defaults.get(name, NODEFAULT)), name not in defaults)
        for name in kind.__struct_fields__
    )
    tagged = next((field.name for field in read if isinstance(field.shape, OneOfKinds)), "")
    required = [field.name for field in read if field.required]
    if tagged:
        required.insert(required.index(tagged), "kind")
    if kind.VERSION:
        required.insert(0, "v")
    readers = tuple((field.name, field.shape.read) for field in read)
    writers = tuple((field.name, field.shape.write) for field in read)
    return Plan(read, defaults, Keys(*required, optional=tuple(defaults)), tagged, readers, writers)


def shape_of(hint: Any, default: object = NODEFAULT) -> Shape:
    """The shape that an annotation names. `default`: of the field, where it has one."""
    if get_origin(hint) is Annotated:
        hint, mark = get_args(hint)
        return Items(shape_of(get_args(hint)[0]), mark) if isinstance(mark, Several) else mark
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _either(get_args(hint), default)
    if origin is Literal:
        return Constant(get_args(hint)[0])
    if hint is bool:
        return Flag()
    if issubclass(hint, StrEnum):
        return Enumerated(hint, default if isinstance(default, StrEnum) else None)
    return Part(hint)


def _either(hints: tuple[Any, ...], default: object) -> Shape:
    kinds = [hint for hint in hints if hint is not type(None)]
    if len(kinds) == len(hints):
        return OneOfKinds(tuple(kinds))
    of = shape_of(kinds[0])
    return of if default is None else OrNull(of)


class Part(Shape, frozen=True):
    """An object inside a message."""

    kind: type[Record]

    def read(self, value: object, at: str, key: object) -> Record:
        """Raises Refusal."""
        return read_record(self.kind, value, under(at, key))

    def write(self, value: Record) -> dict[str, Any]:
        """A JSON object."""
        return document(value)

    def schema(self, definitions: Definitions) -> Schema:
        """A reference to its definition."""
        name = self.kind.__name__
        if name not in definitions:
            definitions[name] = {}  # its place in the order, before those inside it
            definitions[name] = record_schema(self.kind, definitions)
        return {"$ref": f"#/$defs/{name}"}


class OneOfKinds(Shape, frozen=True, dict=True):
    """One of several objects; the key `kind` beside it says which."""

    kinds: tuple[type[Record], ...]

    @cached_property
    def names(self) -> dict[str, type[Record]]:
        """The objects by what stands under `kind`."""
        return {kind.KIND: kind for kind in self.kinds}

    def write(self, value: Record) -> dict[str, Any]:
        """A JSON object."""
        return document(value)

    def schema(self, definitions: Definitions) -> Schema:
        """Any of the objects; `record_schema` ties each to its kind."""
        return {"anyOf": [Part(kind).schema(definitions) for kind in self.kinds]}


def read_record(kind: type[R], value: object, at: str) -> R:
    """The record out of a JSON value at that place. Raises Refusal."""
    known = plan(kind)
    given = fields_of(value, at, known.keys)
    if kind.VERSION:
        whole(given["v"], at, "v", kind.VERSION, kind.VERSION)
    read: dict[str, Any] = {}
    for name, read_one in known.readers:
        if name in given:
            value = given[name]
            read[name] = _read_tagged(known, given, at) if name == known.tagged else read_one(value, at, name)
    record = kind(**read)
    wrong = record.refusal(given.keys())
    if wrong is not None:
        raise Refusal(".".join(filter(None, (at, wrong.at))) or None, wrong.text)
    return record


def _read_tagged(known: Plan, given: Mapping[str, object], at: str) -> Record:
    """The one of several records that `kind` names."""
    shape = next(field.shape for field in known.fields if field.name == known.tagged)
    assert isinstance(shape, OneOfKinds), "it is the tagged field"
    chosen = shape.names[text(given["kind"], at, "kind", list(shape.names))]
    return read_record(chosen, given[known.tagged], under(at, known.tagged))


def document(record: Record) -> dict[str, Any]:
    """The record as a JSON object. It is written as it is: what a program says is typed, what it hears is read."""
    known = plan(type(record))
    unsaid = record.unsaid() if known.defaults else ()
    written = {name: write(getattr(record, name)) for name, write in known.writers if name not in unsaid}
    if known.tagged:
        written["kind"] = getattr(record, known.tagged).KIND
    if record.VERSION:
        written["v"] = record.VERSION
    return written


def record_schema(kind: type[Record], definitions: Definitions) -> Schema:
    """The JSON Schema of a record. Rules between keys, which a schema cannot say, stand under `$comment`."""
    known = plan(kind)
    properties: dict[str, Schema] = {"v": {"const": kind.VERSION}} if kind.VERSION else {}
    schema: Schema = {"title": kind.__name__, "description": _said(kind.__doc__), "type": "object"}
    for field in known.fields:
        if isinstance(field.shape, OneOfKinds):
            properties["kind"] = {"type": "string", "enum": list(field.shape.names)}
            schema["oneOf"] = [
                {"properties": {"kind": {"const": name}, field.name: Part(each).schema(definitions)}}
                for name, each in field.shape.names.items()
            ]
        properties[field.name] = field.shape.schema(definitions)
    if kind.refusal is not Record.refusal:
        schema["$comment"] = _said(kind.refusal.__doc__)
    return {
        **schema,
        "properties": properties,
        "required": list(known.keys.required),
        "additionalProperties": False,
    }


def _said(docstring: str | None) -> str:
    """A docstring as one line."""
    return " ".join((docstring or "").split())
