"""One rehearsal from its first line to its last, or to the first that fails."""

from __future__ import annotations

from collections.abc import Iterable

from firmware.bank.decide import BankRules
from firmware.proof.rehearse import steps as s
from firmware.proof.rehearse.expectations import failure, texts, where
from firmware.proof.rehearse.player import Outcome, Player
from firmware.proof.rehearse.rig import Rig
from firmware.proof.rehearse.script import Malformed
from firmware.proof.rehearse.table import Table
from firmware.proof.rehearse.tables import Filed, Forbidden, check_names, seatings
from firmware.proof.rehearse.transcript import Transcript
from firmware.proof.rehearse.trial import keys

KEYS_SHOWN = 40


class Failed(Exception):
    """A step did not go, or an expectation does not hold: the line, what was expected, what stands on the screen."""

    def __init__(self, line: s.Line, why: str, seen: Iterable[str] = ()) -> None:
        super().__init__(why)
        self.line, self.why, self.seen = line, why, tuple(seen)


def seen(table: Table) -> list[str]:
    """The content of a table's screen, in a few lines."""
    shown = table.screen()
    words = " ".join(keys(shown))
    return [
        f"on the screen of {table.name} (phase {where(table)}): {' | '.join(texts(shown))}",
        f"keys: {words}",
    ]


def rehearse(script: s.Script, filed: Iterable[Filed], bank: BankRules | None, seed: int, kept: Transcript) -> None:
    """Play a script. Raises Malformed for what cannot be played, ConfigError for a file, Failed where it fails."""
    tables = tuple(filed)
    check_names(script, [one.name for one in tables])
    try:
        found = seatings(tables, script.lines)
    except Forbidden as forbidden:
        _expects_refusal(script, forbidden.line, forbidden.why)
        return
    rig = Rig(found, bank, seed)
    for place, line in enumerate(script.lines):
        if isinstance(line.says, s.GivenMeter) and (why := _put_meter(rig, line.says)):
            _expects_refusal(script, line, why)
            return
        expected = _refusal_after(script.lines, place)
        if isinstance(line.says, s.Given | s.GivenMeter) and expected is not None:
            raise Failed(expected, "does not hold: what is given before it is allowed")
    _play(script, Player(rig), kept)


def _refusal_after(lines: tuple[s.Line, ...], place: int) -> s.Line | None:
    """The expectation on the next line that the step is refused."""
    following = lines[place + 1] if place + 1 < len(lines) else None
    return following if following is not None and isinstance(following.says, s.WasRefused) else None


def _expects_refusal(script: s.Script, line: s.Line, why: str) -> None:
    """The given rules are forbidden: the script ends there, well if that was expected."""
    expected = _refusal_after(script.lines, script.lines.index(line))
    if expected is None:
        raise Failed(line, f"is refused: {why}")
    assert isinstance(expected.says, s.WasRefused), "found as a refusal"
    if expected.says.text.casefold() not in why.casefold():
        raise Failed(expected, f'was refused with "{why}"')


def _put_meter(rig: Rig, given: s.GivenMeter) -> str:
    """So much stands on a meter; why it cannot, or ""."""
    found = [table for table in rig.tables.values() if given.table in ("", table.name)]
    banks = [table.bank for table in found if table.bank is not None and given.meter in table.bank.names]
    for bank in banks:
        bank.put(given.meter, given.amount)
    if banks:
        return ""
    names = dict.fromkeys(name for table in found if table.bank for name in table.bank.names)
    return f"no meter {given.meter}; right would be {', '.join(names) or 'none, for nothing here has a meter'}"


def _play(script: s.Script, player: Player, kept: Transcript) -> None:
    outcome = Outcome()
    played = [line for line in script.lines if not isinstance(line.says, s.Given | s.GivenMeter)]
    for place, line in enumerate(played):
        table = player.table
        if line.is_step:
            joined = _is_joined(played, place)
            outcome = player.play(line, joined=joined)
            kept.note(player.table, line, player.started_ns, outcome)
            expected = _refusal_after(tuple(played), place)
            if outcome.refused is not None and expected is None and _fails(line):
                raise Failed(line, f"did not go: {outcome.refused}", seen(player.table))
            continue
        if isinstance(line.says, s.WasRefused) and not place:
            raise Malformed("expect refused: there is no step before it; write the step that is refused", line.number)
        if why := failure(table, line.says, outcome):  # type: ignore[arg-type]
            raise Failed(line, f"does not hold: {why}", seen(table))


def _is_joined(played: list[s.Line], place: int) -> bool:
    """The next step starts so long after the start of this one: nothing is waited for."""
    following = next((line for line in played[place + 1 :] if line.is_step), None)
    return following is not None and following.after_ns is not None


def _fails(line: s.Line) -> bool:
    """A wrong PIN is no failure, and neither is a forced press."""
    forced = isinstance(line.says, s.Press) and line.says.manner == "force"
    return not (forced or isinstance(line.says, s.Badge))
