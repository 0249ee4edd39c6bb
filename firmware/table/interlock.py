"""What keeps bets closed between two rounds: the shuffler, the decks, the bank, the switch.

An alarm not acknowledged, sort mode, a wrong color or count, another unit, cards left in a machine taken out of
service: bets do not open, and the screen says why and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from firmware.table.house import House
from firmware.table.procedures import AUTOMATED, DECK, HOURS, SHOE, STUB_EVERY
from firmware.table.state import TableState


class ObstacleKind(StrEnum):
    """What keeps bets closed."""

    BANK = "bank alarm"
    SENSORS = "sensors lost"
    SWITCH = "switch locked"
    ALARM = "shuffler alarm"
    LINE = "shuffler not connected"
    UNIT = "another shuffler"
    FAULT = "shuffler fault"
    MODE = "shuffler mode"
    EMPTY = "shuffler empty"
    COUNT = "shuffler count"
    DECK = "wrong deck in the shuffler"
    COVERED = "cards in a covered shuffler"
    DUE = "decks due"
    MISSING = "deck missing"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why bets do not open, and what to do about it."""

    kind: ObstacleKind
    what: str
    remedy: str


def machine_used(house: House, state: TableState) -> bool:
    """An automated card shuffling device is on the table and not covered as out of order."""
    return house.equipment.machine and not state.decks.covered


def method(house: House, state: TableState) -> str:
    """How cards are dealt now: without a machine only from a manual shoe (653a.9(a)(1), .10, .13(g))."""
    return house.equipment.method if machine_used(house, state) else SHOE


def hours(house: House, state: TableState) -> int:
    """For how long a deck may be used as cards are dealt now (653a.3(c))."""
    return HOURS[method(house, state)]


def stub_due(house: House, state: TableState) -> bool:
    """This round's stub has to be counted: five rounds have gone, and no machine counts (653a.8(f))."""
    counted = machine_used(house, state) and house.equipment.counts
    return not counted and state.decks.since_count >= STUB_EVERY - 1 and not state.round.stub_counted


def obstacles(house: House, state: TableState) -> tuple[Obstacle, ...]:
    """All that keeps bets closed between two rounds, the most urgent first."""
    return tuple(_obstacles(house, state))


def _obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if machine_used(house, state):
        yield from machine_obstacles(house, state)
    elif state.decks.covered:
        yield from left_in_the_machine(house, state)
    yield from _deck_obstacles(house, state)
    if state.program.progressive:
        yield from _progressive_obstacles(state)


def _progressive_obstacles(state: TableState) -> Iterator[Obstacle]:
    if state.neighbours.bank_alarm:
        yield Obstacle(
            ObstacleKind.BANK,
            f"Bank alarm: {state.neighbours.bank_alarm_text}",
            "Call the floor; two people must look.",
        )
    if not state.felt.up:
        yield Obstacle(ObstacleKind.SENSORS, f"Sensors lost: {state.felt.why}", "Call the technician.")
    if state.felt.switch_locked:
        yield Obstacle(ObstacleKind.SWITCH, "Lockout switch is locked", "Turn it to open.")


def machine_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    """What the shuffler says that keeps bets closed.

    Cards that came preshuffled and were cut are dealt without it, unless it deals itself: what it holds is then asked
    before the next round.
    """
    shuffler = state.neighbours.shuffler
    if shuffler.alarm > shuffler.acknowledged:
        yield Obstacle(
            ObstacleKind.ALARM,
            f"Shuffler alarm: {shuffler.fault or 'see the unit'}",
            "Clear the fault, then press ACKNOWLEDGE.",
        )
    if not shuffler.connected:
        yield Obstacle(ObstacleKind.LINE, "Shuffler not connected", "Check its power and cable.")
        return
    if shuffler.unit != state.decks.unit:
        yield Obstacle(
            ObstacleKind.UNIT,
            f"Shuffler {shuffler.unit}, not {state.decks.unit}",
            "PROBLEM, New shuffler; or put the right one back.",
        )
    if shuffler.fault:
        yield Obstacle(
            ObstacleKind.FAULT, f"Shuffler fault: {shuffler.fault}", "Clear it at the unit; it must reshuffle."
        )
    elif shuffler.mode in ("sort", "service", "off", "selftest", "fault"):
        yield Obstacle(ObstacleKind.MODE, f"Shuffler is in {shuffler.mode} mode", "Set it to shuffle.")
    elif state.decks.cards != "cut" or house.equipment.method == AUTOMATED:
        yield from _contents(house, state)


def _contents(house: House, state: TableState) -> Iterator[Obstacle]:
    """The deck that is next has to be in the machine, whole."""
    shuffler, deck = state.neighbours.shuffler, state.deck
    if shuffler.mode == "empty":
        color = f"{deck.color} " if deck else ""
        yield Obstacle(ObstacleKind.EMPTY, "The shuffler is empty", f"Put the {color}deck in.")
        return
    if house.equipment.counts and shuffler.mode == "ready" and shuffler.count != DECK:
        cite = house.procedure.cite("machine count")
        yield Obstacle(
            ObstacleKind.COUNT, f"Shuffler counts {shuffler.count}, not {DECK}", f"PROBLEM, Remove a deck ({cite})."
        )
    if deck and shuffler.deck and shuffler.deck != deck.color:
        cite = house.procedure.cite("alternate" if len(state.decks.here) > 1 else "decks")
        yield Obstacle(
            ObstacleKind.DECK, f"The shuffler has the {shuffler.deck} deck", f"The {deck.color} deck is next ({cite})."
        )


def left_in_the_machine(house: House, state: TableState) -> Iterator[Obstacle]:
    """Cards in the covered machine, as it says; after a jam it does not know. What never counts, or is off, says nothing."""
    shuffler = state.neighbours.shuffler
    if not shuffler.connected or shuffler.mode == "empty":
        return
    if shuffler.count:
        what = f"{shuffler.count} cards are in the covered device"
        yield Obstacle(ObstacleKind.COVERED, what, "Take them out, and shuffle them with the others.")
    elif shuffler.count is None and shuffler.mode == "fault" and house.equipment.counts:
        what = "Nobody knows how many cards are in the covered device"
        yield Obstacle(
            ObstacleKind.COVERED,
            what,
            "Take all out, empty it at the unit or switch it off; shuffle them with the others.",
        )


def _deck_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if state.decks.due:
        yield Obstacle(ObstacleKind.DUE, state.decks.due, "Change the decks.")
    elif len(state.decks.here) < len(house.equipment.colors):
        cite = house.procedure.cite("two decks" if len(house.equipment.colors) > 1 else "decks")
        yield Obstacle(ObstacleKind.MISSING, "A deck is missing", f"Have another deck brought ({cite}).")
