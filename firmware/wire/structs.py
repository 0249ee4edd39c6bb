"""A record with other values in some of its fields: msgspec's `replace`, whose fields mypy checks as those of a dataclass.

CONTRIBUTING.md says which kind of record to use where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:
    from msgspec.structs import replace as replace
