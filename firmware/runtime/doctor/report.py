"""The report: a text with the journal's signature below it (`runtime.signed_notes`), made once and read by anybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.runtime import signed_notes
from firmware.runtime.doctor.findings import Finding, Verdict
from firmware.runtime.doctor.readings import ProgramReading
from firmware.runtime.seals import unsigned
from firmware.runtime.signed_notes import PrivateKey, PublicKey

TITLE = "felt doctor 1"
FILE = "doctor.report"
"""The last one lies beside the journal; the table shows it under SERVICE."""


@dataclass(frozen=True, slots=True)
class Head:
    """The subject of the report, and its time: `2026-11-21T14:07:05.123Z`."""

    table: str
    utc: str
    program: ProgramReading


def text_of(head: Head, findings: Sequence[Finding]) -> str:
    """The signed text; it ends with a newline."""
    program = head.program
    counts = ", ".join(f"{sum(one.verdict is verdict for one in findings)} {verdict}" for verdict in Verdict)
    lines = [
        TITLE,
        f"table {head.table}",
        f"at {head.utc}",
        f"program felt {program.version} sha256 {program.program_hash}",
        f"configuration sha256 {program.configuration_hash}",
        f"rules and paytables {program.rules_hash}",
        *(f"library {library}" for library in program.libraries),
        counts,
        *(one.line for one in findings),
    ]
    return "\n".join(lines) + "\n"


def signed(text: str, key: PrivateKey | None) -> str:
    """The text with its signature; as it is where there is no key, which a finding says."""
    return text if key is None else key.sign(text)


def verified(written: str, keys: Sequence[PublicKey]) -> tuple[str, str]:
    """(its text, why it is not to be believed): the second is "" where one of these keys has signed it."""
    try:
        note = signed_notes.note(written)
    except ValueError as error:
        return written, f"is not signed: {error}"
    if not note.text.startswith(f"{TITLE}\n"):
        return note.text, "is no report of felt doctor"
    return note.text, unsigned(note, keys)
