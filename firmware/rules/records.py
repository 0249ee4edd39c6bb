"""Records: frozen dataclasses that are made, and made again with other values, several times as quick.

A shift at a table makes records, replaces its state and draws its screens a hundred thousand times.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def record(kind: type[Kind]) -> type[Kind]:
    """A frozen dataclass without slots. What is frozen is written with a call for each field; here all go into its dict."""
    made = dataclasses.dataclass(frozen=True)(kind)
    fields = dataclasses.fields(made)  # type: ignore[arg-type]
    written = (f"fields[{field.name!r}] = {field.name}" for field in fields)
    source = "\n    ".join(
        (f"def __init__(self, {', '.join(_parameters(fields))}):", "fields = self.__dict__", *written)
    )
    space = {"defaults": {field.name: field.default for field in fields}}
    exec(source, space)
    made.__init__ = space["__init__"]  # type: ignore[assignment]
    return made


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
