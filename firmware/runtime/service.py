"""SERVICE of a table that is not open: the levels of the wires, and a technician's trials. Nothing of it is an event.

It belongs to the runtime: a lamp that is lit for a test is no wager, a badge that is read is no signature. The person who
opens it signs as for the floor, which the log keeps. It ends by its key, or with the first step that opens the table.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware.config import ConfigError, read_plain
from firmware.runtime.doctor.report import FILE, TITLE, verified
from firmware.runtime.signed_notes import PublicKey
from firmware.wire.structs import replace
from hal.ports import DeviceLost, Edge, Lamp, Level
from ui.dealer.service import CROSSES, Service

log = logging.getLogger("felt.table")

DOCTOR_LINES, LETTERS = 3, 60
"""The size of a report: its head, the number of findings that are not right, the letters of each."""


class ServiceDesk:
    """The person in SERVICE, if any, and the view there. `seats`: those with a sensor and a lamp."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._levels: dict[int, bool] = {}
        self._seen: Service | None = None

    @property
    def is_on(self) -> bool:
        """Somebody is there, or signs to be."""
        return self._seen is not None

    @property
    def place(self) -> str:
        """The key of its screen; "" while nobody is there."""
        return self._seen.place if self._seen else ""

    @property
    def lamps(self) -> Mapping[int, Lamp] | None:
        """The lamps as SERVICE shows them; None: as the table does."""
        if self._seen is None or not self._seen.opened:
            return None
        return dict.fromkeys(self._seen.lit, Lamp.LIT)

    def hear(self, signal: object) -> bool:
        """A line's level or the loss of the lines, for the screen: True where it changed what is shown."""
        before = dict(self._levels)
        match signal:
            case Edge(line, on) | Level(line, on):
                self._levels[line] = bool(on)
            case DeviceLost("gpio" | "cabinet" | "chip reader"):
                self._levels.clear()
        return self.is_on and before != self._levels

    def begin(self) -> None:
        """Somebody asks for SERVICE and signs next."""
        self._seen = Service(seats=self._seats)

    def end(self) -> None:
        """The lamps are the table's own again."""
        self._seen = None

    def reads(self, badge: str) -> bool:
        """A badge was shown: True where it was only tried out."""
        if self._seen is None or not self._seen.opened:
            return False
        self._seen = replace(self._seen, badge=badge)
        return True

    def press(self, verb: str, rest: str, by: str, doctor: Callable[[], tuple[str, ...]]) -> None:
        """A key of SERVICE. `by`: a floorperson's badge that signed here, or ""; `doctor`: reads the last report."""
        seen, number = self._seen, int(rest) if rest.isdecimal() else 0
        if verb == "service-leave":
            self.end()
        elif seen is not None and not seen.opened and verb == "service-open" and by:
            log.info("service: opened by badge %s", by)
            self._seen = replace(seen, opened=True, doctor=doctor())
        elif seen is not None and seen.opened and verb == "service-lamp":
            self._seen = replace(seen, lit=self._lit(seen.lit, number))
        elif seen is not None and seen.opened and verb == "service-touch":
            touched = seen.touched | {number} if 0 < number <= CROSSES else frozenset()
            self._seen = replace(seen, touching=True, touched=touched)
        elif seen is not None and seen.opened and verb == "service-lines":
            self._seen = replace(seen, touching=False)

    def _lit(self, lit: frozenset[int], seat: int) -> frozenset[int]:
        every = frozenset(range(1, self._seats + 1))
        if not seat:
            return frozenset() if lit == every else every
        return (lit ^ {seat}) & every

    def shown(self, shuffler: str) -> Service | None:
        """For the screen, as it is now; None where nobody is there."""
        return self._seen and replace(self._seen, levels=dict(self._levels), shuffler=shuffler)


def last_report(home: Path, key: PublicKey) -> tuple[str, ...]:
    """The doctor's last report: when, how many faults, and the first of them; () if it never came."""
    try:
        written = read_plain(home / FILE).decode()
    except (ConfigError, UnicodeDecodeError):
        return ()
    text, why = verified(written, [key])
    if why:
        return (f"FAIL {FILE} {why}"[:LETTERS],)
    lines = text.splitlines()
    when = next((line[3:19].replace("T", " ") for line in lines if line.startswith("at ")), "")
    counts = next((line for line in lines if "PASS, " in line), "")
    bad = [line for line in lines if line.startswith(("FAIL ", "CANNOT TELL "))]
    short = (line if len(line) <= LETTERS else f"{line[: LETTERS - 1]}…" for line in bad[:DOCTOR_LINES])
    return (f"{TITLE.rpartition(' ')[0]} {when}: {counts}", *short)
