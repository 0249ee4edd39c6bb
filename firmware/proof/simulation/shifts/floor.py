"""The work at a table between its rounds: it is opened, decks come, are washed, shuffled and cut, it is closed."""

from __future__ import annotations

from firmware.proof.simulation.shifts.houses import CHIEF, FLOOR
from firmware.proof.simulation.shifts.irregular import tell
from firmware.proof.simulation.shifts.table_under_proof import ProvedTable
from firmware.table import irregularity, opening
from firmware.table.inputs import Ticked
from firmware.table.interlock import machine_used, obstacles
from firmware.table.state import Phase

ROUND_S = 120
"""Thirty rounds an hour."""


def open_table(shift: ProvedTable) -> None:
    """Decks are received, inspected, verified, spread; then to open bets."""
    shift.tally["opened"] += 1
    if shift.sometimes(0.3):
        shift.press("preinspected")
    else:
        shift.press("received", again=0.1)
        shift.press("inspected")
        shift.press("verify", FLOOR)
        _first_player(shift)
    _shuffle(shift)


def _first_player(shift: ProvedTable) -> None:
    shift.press("looked", again=0.1)
    shift.press("stacked")


def _shuffle(shift: ProvedTable) -> None:
    """From the stack to open bets."""
    shift.machine_ready()
    while shift.state.phase in (Phase.SHUFFLE, Phase.CUT):
        if shift.state.phase is Phase.CUT:
            shift.press("cut")
        else:
            shift.press("shuffled")
    if shift.state.phase is Phase.CLOSED and shift.state.decks.due:
        _decks_come(shift)
    shift.expect(Phase.OPEN, f"bets did not open: {obstacles(shift.house, shift.state)}")


def between_rounds(shift: ProvedTable, *, calm: bool = False) -> None:
    """The time between two rounds: time passes, decks grow old, machines fail, nobody plays."""
    shift.now_s += ROUND_S
    shift.now_ns += ROUND_S * 1_000_000_000
    shift.machine_ready()
    _shuffle_if_wanted(shift)
    shift.take(Ticked(shift.now_s))
    _floor_orders(shift, calm)
    if shift.state.phase in (Phase.CLOSED, Phase.SHUT):
        _decks_come(shift)
    _shuffle_if_wanted(shift)


def _shuffle_if_wanted(shift: ProvedTable) -> None:
    if shift.state.phase in (Phase.SHUFFLE, Phase.CUT):
        _shuffle(shift)


def _floor_orders(shift: ProvedTable, calm: bool) -> None:
    if calm or shift.state.phase is not Phase.OPEN:
        return
    known = {problem.key for problem in irregularity.problems(shift.house, shift.state)}
    if "idle" in known and shift.sometimes(0.01):
        shift.tally["idle"] += 1
        _cash_out(shift)
        tell(shift, "idle")
        shift.press("face-up")
        _first_player(shift)
        _shuffle(shift)
    elif "cover" in known and shift.sometimes(0.01):
        shift.tally["device covered"] += 1
        tell(shift, "cover")
        shift.machine_ready()
    elif "uncover" in known and shift.sometimes(0.2):
        tell(shift, "uncover")
        shift.machine_ready()
    if shift.state.decks.cards == "cut" and shift.sometimes(0.02) and shift.state.phase is Phase.OPEN:
        shift.tally["recut"] += 1
        tell(shift, "recut")
        shift.press("recut")


def _decks_come(shift: ProvedTable) -> None:
    """A deck is due or missing: others come."""
    shift.tally["decks changed"] += 1
    if shift.state.phase is Phase.CLOSED:
        shift.press("fetch")
    shift.press("received")
    shift.press("inspected")
    shift.press("verify", CHIEF)
    _first_player(shift)
    _shuffle(shift)


def close_table(shift: ProvedTable) -> None:
    """Accounts are paid out, cards counted, the table is shut."""
    _cash_out(shift)
    shift.expect(Phase.OPEN, "not open at the end")
    tell(shift, "close")
    if shift.sometimes(0.2):
        shift.press(f"emptied {opening.expected(shift.state) - 1}")
        shift.press("shut-short", FLOOR)
    else:
        shift.press(f"emptied {opening.expected(shift.state)}")
    shift.expect(Phase.SHUT, "the table did not shut")


def _cash_out(shift: ProvedTable) -> None:
    for seat, credit in enumerate(shift.state.felt.accounts, start=1):
        if credit:
            shift.press(f"account {seat}")
            shift.press("cash-out")
    if shift.state.desk.panel.kind:
        shift.press("back")


def next_deck(shift: ProvedTable) -> None:
    """Two decks alternate: while this round was played the machine shuffled the other one. One goes in at its end."""
    equipment = shift.house.equipment
    if machine_used(shift.house, shift.state) and len(shift.state.decks.here) == len(equipment.colors):
        other = shift.state.decks.here[(shift.state.decks.in_play + 1) % len(shift.state.decks.here)]
        shift.shuffles(other.color)
