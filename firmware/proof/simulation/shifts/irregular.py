"""The irregularities of a shift, entered at the table by their names, and the stub that is counted."""

from __future__ import annotations

from firmware.proof.simulation.shifts.houses import CHIEF, FLOOR
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table import irregularity
from firmware.table.interlock import stub_due
from firmware.table.state import Panel, PanelKind, Phase


def tell(shift: ProvedTable, key: str) -> None:
    """PROBLEM, what happened, and the floorperson's signature where it is asked for; another one's where two sign."""
    shift.press("problem")
    shift.press(f"problem {key}")
    if shift.state.desk.panel == Panel(PanelKind.PROBLEM, 0, key):
        shift.press("apply", FLOOR)
    if shift.state.desk.panel.signed:
        shift.press("apply", CHIEF)


def maybe_void(shift: ProvedTable) -> bool:
    """Anything irregular that may happen in this phase, or nothing."""
    if not shift.sometimes(0.01):
        return False
    known = irregularity.problems(shift.house, shift.state)
    notes = [problem for problem in known if not problem.act and problem.key not in ("left", "sensors", "correct")]
    voids = [problem for problem in known if problem.voids]
    chosen = shift.chance.choice([*notes, *voids] or [None])
    if chosen is None:
        return False
    shift.tally[f"{chosen.key} in {shift.state.phase}"] += 1
    tell(shift, chosen.key)
    return bool(chosen.voids)


def maybe_void_again(shift: ProvedTable) -> None:
    """Perhaps something irregular in a void round too, which may return what was still to be settled."""
    voids = [problem for problem in irregularity.problems(shift.house, shift.state) if problem.voids]
    if voids and shift.whims.random() < 0.3:
        chosen = shift.whims.choice(voids)
        shift.tally[f"{chosen.key} in a void round"] += 1
        tell(shift, chosen.key)


def maybe_void_by_two(shift: ProvedTable) -> None:
    """Perhaps something irregular is found once a share or envy bonuses were paid, and two people have the round void."""
    voids = [problem for problem in irregularity.problems(shift.house, shift.state) if problem.voids]
    if voids and irregularity.needs_two(shift.state) and shift.late.random() < 0.3:
        chosen = shift.late.choice(voids)
        shift.tally[f"{chosen.key} by two people"] += 1
        tell(shift, chosen.key)


def maybe_fouled(shift: ProvedTable) -> None:
    """Perhaps a card is found twice in a round in which something was paid: the deck leaves, and what was paid stands, but
    where two people have it void.
    """
    told = {problem.key: problem for problem in irregularity.problems(shift.house, shift.state)}
    paid = "fouled" in told and (irregularity.needs_two(shift.state) or not told["fouled"].voids)
    if paid and shift.whims.random() < 0.01:
        shift.tally["fouled after a payment"] += 1
        tell(shift, "fouled")


def count_stub(shift: ProvedTable) -> None:
    """The stub, where it is due now."""
    if stub_due(shift.house, shift.state) and shift.state.phase in (Phase.DEAL, Phase.SETTLE, Phase.VOID):
        shift.tally["stub counted"] += 1
        shift.press("stub-right")


def player_leaves(shift: ProvedTable) -> None:
    """Perhaps a player leaves a hand behind."""
    if shift.sometimes(0.005) and shift.state.players:
        shift.tally["left"] += 1
        seat = shift.chance.choice(shift.state.players)
        tell(shift, "left")
        shift.press(f"left {seat}", FLOOR)
        if shift.sometimes(0.3):
            shift.press(f"left {seat}", FLOOR)
        shift.press("back")
