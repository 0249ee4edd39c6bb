"""Checks of a submission before a command begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.rules.submission import Submission
    from firmware.runtime.clock import SteadyClock


def in_force(submission: Submission, what: str, clock: SteadyClock | None = None) -> None:
    """A table opens on a text that is in force today, by its journal's clock where it has one."""
    from datetime import UTC, datetime

    from firmware.config import ConfigError
    from firmware.rules.strict import Refusal

    try:
        now = datetime.fromtimestamp(clock.utc_s(), UTC) if clock else datetime.now(UTC)
        submission.refuse_if_lapsed(now.astimezone().date())
    except Refusal as refusal:
        raise ConfigError(f"{what}: rules: {refusal}") from refusal


def has_meters(submission: Submission, what: str) -> None:
    """A bank keeps the meters of a progressive wager."""
    from firmware.config import ConfigError

    if not submission.on_sensor:
        raise ConfigError(f"{what}: rules: no [progressive] section; a bank would have no meter to keep")
