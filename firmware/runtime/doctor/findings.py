"""The findings of checks: one sentence each, and the cure of a fault."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Nothing else: what cannot be told is no pass."""

    PASS = "PASS"
    FAIL = "FAIL"
    CANNOT_TELL = "CANNOT TELL"


@dataclass(frozen=True, slots=True)
class Finding:
    """`what`: the part of the machine, in a technician's words. `remedy`: "" only where nothing is to be done."""

    verdict: Verdict
    what: str
    text: str
    remedy: str = ""

    @property
    def line(self) -> str:
        """As it stands in a report; what to do is a line of its own."""
        said = " ".join(
            f"{self.verdict} {self.what}: {self.text}".split()
        )  # a driver's words may have new lines in them
        return f"{said}\n    do: {self.remedy}" if self.remedy else said


def right(what: str, text: str) -> Finding:
    """It is as it must be."""
    return Finding(Verdict.PASS, what, text)


def notice(what: str, text: str, remedy: str) -> Finding:
    """It is in order, and something is still to be done."""
    return Finding(Verdict.PASS, what, text, remedy)


def wrong(what: str, text: str, remedy: str) -> Finding:
    """It is not."""
    return Finding(Verdict.FAIL, what, text, remedy)


def unknown(what: str, text: str, remedy: str) -> Finding:
    """Nobody can say from here."""
    return Finding(Verdict.CANNOT_TELL, what, text, remedy)
