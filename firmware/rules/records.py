"""Records: frozen dataclasses that are made, and made again with other values, several times as quick.

A shift at a table makes records, replaces its state and draws its screens a hundred thousand times.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def record(kind: type[Kind]) -> type[Kind]:
    """A frozen dataclass without slots, made in a third of the time: a table's start makes two hundred kinds.

    What is frozen is written with a call for each field; here all go into its dict, and at once: of a dict that was filled
    key by key CPython 3.11 reads a field three times as slowly. A dataclass compiles six methods of its own for each kind;
    here only the one that differs is compiled, the others are the same for all kinds.
    """
    return _made(kind, kw_only=False)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def named_record(kind: type[Kind]) -> type[Kind]:
    """The same, whose fields are given by their names only: what other records are made of."""
    return _made(kind, kw_only=True)


def _made(kind: type[Kind], *, kw_only: bool) -> type[Kind]:
    made = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(kind)
    fields = dataclasses.fields(made)  # type: ignore[arg-type]
    written = ", ".join(f"{field.name!r}: {field.name}" for field in fields)
    source = f"def __init__(self, {', '.join(_parameters(fields))}):\n    self.__dict__.update({{{written}}})"
    space = {"defaults": {field.name: field.default for field in fields}}
    exec(source, space)
    made.__init__ = space["__init__"]  # type: ignore[assignment]
    made.__hash__ = _hash_of([field.name for field in fields])  # type: ignore[assignment]
    for name, method in _METHODS.items():
        setattr(made, name, method)
    return made


def _is_equal(self: object, other: object) -> bool:
    return self.__dict__ == other.__dict__ if other.__class__ is self.__class__ else NotImplemented


def _hash_of(names: Sequence[str]) -> Callable[[Any], int]:
    """The hash of a kind with these fields; in their order, whatever order they were written in."""
    if not names:
        return lambda _self: 0
    values_of = itemgetter(*names)
    return lambda self: hash(values_of(self.__dict__))


def _written(self: object) -> str:
    values = self.__dict__
    named = (f"{field.name}={values[field.name]!r}" for field in dataclasses.fields(self))  # type: ignore[arg-type]
    return f"{type(self).__qualname__}({', '.join(named)})"


def _not_set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = {
    "__eq__": _is_equal,
    "__repr__": _written,
    "__setattr__": _not_set,
    "__delattr__": _not_deleted,
}
"""What every kind of record has in common."""


def _parameters(fields: tuple[dataclasses.Field[Any], ...]) -> Iterator[str]:
    for named in (False, True):
        if named and any(field.kw_only for field in fields):
            yield "*"
        for field in fields:
            if field.kw_only is named:
                needed = field.default is dataclasses.MISSING
                yield field.name if needed else f"{field.name}=defaults[{field.name!r}]"


if TYPE_CHECKING:
    from dataclasses import replace as replace
else:
    _new, _set = object.__new__, object.__setattr__

    def replace(record, /, **changes):
        """The same record with other values in some fields. Raises TypeError for a field that it does not have.

        A record without slots has its fields in its dict, and that is copied; none here has a `__post_init__`.
        """
        try:
            values = record.__dict__
        except AttributeError:
            return dataclasses.replace(record, **changes)
        changed = values | changes
        if len(changed) != len(values):
            raise TypeError(f"{type(record).__name__} has no {', '.join(changes.keys() - values.keys())}")
        other = _new(type(record))
        _set(other, "__dict__", changed)
        return other
