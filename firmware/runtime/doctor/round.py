"""One round of the doctor: look at everything, say it, and sign it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.config import ConfigError, TableConfig, read_plain
from firmware.rules.submission import Submission
from firmware.runtime.clock import utc_now
from firmware.runtime.doctor.checks import Subject, examine, is_well
from firmware.runtime.doctor.readings import Machine
from firmware.runtime.doctor.report import FILE, Head, signed, text_of, verified
from firmware.runtime.seals import KeyRefused, load_key, trusted
from firmware.runtime.signed_notes import PrivateKey


class Round:
    """The doctor at one table. `home`: the folder of its journal and of the key that signs."""

    def __init__(self, config: TableConfig, submission: Submission, home: Path) -> None:
        self.subject = Subject(config, submission)
        self._home = home

    def make(self, machine: Machine, report: Path | None, tell: Callable[[str], None]) -> bool:
        """Tell every finding, and keep the report beside the journal and where it is wanted. Raises ConfigError.

        True where nothing failed.
        """
        findings = examine(self.subject, machine)
        text = text_of(Head(self.subject.config.id, utc_now(), machine.program()), findings)
        tell(text.rstrip("\n"))
        written = signed(text, self._key())
        for path in filter(None, (self._home / FILE if self._home.is_dir() else None, report)):
            try:
                path.write_text(written, encoding="utf-8")
            except OSError as error:
                if path == report:
                    raise ConfigError(
                        f"--report: {path}: {error.strerror}; name a file that this user can write"
                    ) from error
                tell(f"{path}: not kept: {error.strerror}")
        if written == text:
            tell("not signed: this user has no key of the journal's seals; run it as user felt")
        return is_well(findings)

    def _key(self) -> PrivateKey | None:
        try:
            return load_key(self._home / "table-seal.key")
        except KeyRefused:
            return None


def verify(report: Path, keys: Sequence[str], tell: Callable[[str], None]) -> bool:
    """Whether one of these keys has signed this report. Raises ConfigError, StoreError."""
    if not keys:
        raise ConfigError("--verify: no key; give the public key of the journal's seals with --key")
    try:
        written = read_plain(report).decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{report}: {error}; give the file as felt doctor wrote it") from error
    text, why = verified(written, trusted(keys, None).keys)
    tell(f"{report}: {why}" if why else f"{report}: signed, and as it was written\n\n{text.rstrip()}")
    return not why
