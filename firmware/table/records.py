"""`dataclasses.replace`, five times as quick: a shift at a table replaces its state a hundred thousand times."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """The same record with other values in some fields. Raises TypeError for a field that it does not have.

        A record without slots has its fields in its dict, and that is copied; none here has a `__post_init__`.
        """
        if (values := getattr(record, "__dict__", None)) is None:
            return dataclasses.replace(record, **changes)
        changed = values | changes
        if len(changed) != len(values):
            raise TypeError(f"{type(record).__name__} has no {', '.join(changes.keys() - values.keys())}")
        other = object.__new__(type(record))
        object.__setattr__(other, "__dict__", changed)
        return other
