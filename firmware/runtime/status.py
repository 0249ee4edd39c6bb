"""How a table stands, said when it changes, and again on a new connection (docs/mqtt.md, `status`)."""

from __future__ import annotations

from collections import Counter

from firmware.runtime.clock import utc_now
from firmware.runtime.link import Carrier
from firmware.runtime.words import OLD, STRANGER, UNSEALED
from firmware.table.state import TableState
from firmware.table.wire import faults, floor_wanted
from firmware.wire.from_table import FloorReason, FloorWanted, RefusedWords, Status, Versions
from firmware.wire.payload import write
from firmware.wire.structs import replace

EVERY_NS = 1_000_000_000
"""At most so often; what changed meanwhile is said then."""


class StatusReport:
    """The last status that was said, and whether there is another one."""

    def __init__(self, link: Carrier, topic: str, table: str, *, machine: bool) -> None:
        """`machine`: a technician has to mend something of the computer."""
        self._link, self._topic, self._table, self._machine = link, topic, table, machine
        self.program = ""
        """The version of the program, once it has begun."""
        self.refused = Counter[str]()
        """Words that came, by why they were not believed (`firmware.runtime.words.Refused`)."""
        self._wanted: tuple[FloorReason, str] | None = None
        """Why the floor is wanted, and since when."""
        self._said: Status | None = None
        self._due_ns = 0

    def forget(self) -> None:
        """A new connection: say it again."""
        self._said, self._due_ns = None, 0

    def act(self, state: TableState, now_ns: int) -> None:
        """Say how the table stands, where that is not what was said."""
        if now_ns < self._due_ns or not self._link.connected:
            return
        status = self._status(state)
        if self._said is None or replace(status, at=self._said.at) != self._said:
            self._said, self._due_ns = status, now_ns + EVERY_NS
            self._link.publish(self._topic, write(status), retain=True)

    def _status(self, state: TableState) -> Status:
        now, program = utc_now(), state.program
        wanted = floor_wanted(state)
        if wanted is None or self._wanted is None or self._wanted[0] is not wanted:
            self._wanted = (wanted, now) if wanted else None
        return Status(
            table=self._table,
            journal=program.journal,
            at=now,
            phase=state.phase.value,
            round=state.round.number,
            dealer="",
            floor=FloorWanted(*self._wanted) if self._wanted else None,
            faults=faults(state, machine=self._machine),
            versions=Versions(self.program, program.submission, Status.VERSION),
            live=program.live,
            refused=RefusedWords(self.refused[UNSEALED], self.refused[STRANGER], self.refused[OLD]),
        )
