"""The view of SERVICE: the levels of the wires just now, and the trials. It is of the moment, and in no journal."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

CROSSES = 12
"""Parts of the panel that are touched."""
LOCKOUT = 0
"""The line of the lockout, as `hal.ports` has it."""


class Service(Struct, frozen=True):
    """`place`: which of its screens; `opened`: somebody signed.

    levels: line -> closed; a line that is not there was not heard. lit: seats whose lamp is lit for the test.
    doctor: the last report of `felt doctor`, its head and what was not right.
    """

    opened: bool = False
    touching: bool = False
    seats: int = 0
    levels: Mapping[int, bool] = {}
    lit: frozenset[int] = frozenset()
    touched: frozenset[int] = frozenset()
    shuffler: str = ""
    badge: str = ""
    doctor: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The key of its screen; what is signed is signed for one place."""
        return f"service:{'sign' if not self.opened else 'touch' if self.touching else 'lines'}"
