"""`dataclasses.replace`, twice as quick: a shift at a table replaces its state a hundred thousand times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """The same record with other values in some fields. Raises KeyError for a field that it does not have."""
        kind = type(record)
        values_of, places = _fields_of(kind)
        values = list(values_of(record))
        for name, value in changes.items():
            values[places[name]] = value
        return kind(*values)


@cache
def _fields_of(kind: type[Any]) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]:
    """How to read all values of a record of two fields or more at once, and the place of each."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}
