"""What keeps bets closed between two rounds: the shuffler, the decks, the bank, the switch.

An alarm not acknowledged, sort mode, a wrong colour or count, another unit, cards left in a machine taken out of
service: bets do not open, and the screen says why and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware.table.procedures import DECK, HOURS, SHOE, STUB_EVERY
from firmware.table.state import House, TableState


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why bets do not open, and what to do about it."""

    what: str
    remedy: str


def machine_used(house: House, state: TableState) -> bool:
    """An automated card shuffling device is on the table and not covered as out of order."""
    return house.equipment.machine and not state.covered


def method(house: House, state: TableState) -> str:
    """How cards are dealt now: without a machine only from a manual shoe (653a.9(a)(1), .10, .13(g))."""
    return house.equipment.method if machine_used(house, state) else SHOE


def hours(house: House, state: TableState) -> int:
    """For how long a deck may be used as cards are dealt now (653a.3(c))."""
    return HOURS[method(house, state)]


def stub_due(house: House, state: TableState) -> bool:
    """This round's stub has to be counted: five rounds have gone, and no machine counts (653a.8(f))."""
    counted = machine_used(house, state) and house.equipment.counts
    return not counted and state.since_count >= STUB_EVERY - 1 and not state.game.stub_counted


def obstacles(house: House, state: TableState) -> tuple[Obstacle, ...]:
    """All that keeps bets closed between two rounds, the most urgent first."""
    return tuple(_obstacles(house, state))


def _obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if machine_used(house, state):
        yield from machine_obstacles(house, state)
    elif state.covered:
        yield from _left_in_the_machine(state)
    yield from _deck_obstacles(house, state)
    if state.progressive:
        yield from _progressive_obstacles(state)


def _progressive_obstacles(state: TableState) -> Iterator[Obstacle]:
    if state.bank_alarm:
        yield Obstacle(f"Bank alarm: {state.bank_alarm_text}", "Call the floor; two people must look.")
    if not state.sensors_up:
        yield Obstacle(f"Sensors lost: {state.sensors_why}", "Call the technician.")
    if state.switch_locked:
        yield Obstacle("Lockout switch is locked", "Turn it to open.")


def machine_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    """What the shuffler says that keeps bets closed."""
    shuffler = state.shuffler
    if shuffler.alarm > shuffler.acknowledged:
        yield Obstacle(
            f"Shuffler alarm: {shuffler.fault or 'see the unit'}", "Clear the fault, then press ACKNOWLEDGE."
        )
    if not shuffler.connected:
        yield Obstacle("Shuffler not connected", "Check its power and cable.")
        return
    if shuffler.unit != state.unit:
        yield Obstacle(
            f"Shuffler {shuffler.unit}, not {state.unit}", "PROBLEM, New shuffler; or put the right one back."
        )
    if shuffler.fault:
        yield Obstacle(f"Shuffler fault: {shuffler.fault}", "Clear it at the unit; it must reshuffle.")
    elif shuffler.mode in ("sort", "service", "off", "selftest", "fault", "empty"):
        yield Obstacle(f"Shuffler is in {shuffler.mode} mode", "Set it to shuffle.")
    elif house.equipment.counts and shuffler.mode == "ready" and shuffler.count != DECK:
        cite = house.procedure.cite("machine count")
        yield Obstacle(f"Shuffler counts {shuffler.count}, not {DECK}", f"PROBLEM, Remove a deck ({cite}).")
    deck = state.deck
    if deck and shuffler.deck and shuffler.deck != deck.colour:
        cite = house.procedure.cite("alternate" if len(state.decks) > 1 else "decks")
        yield Obstacle(f"The shuffler has the {shuffler.deck} deck", f"The {deck.colour} deck is next ({cite}).")


def _left_in_the_machine(state: TableState) -> Iterator[Obstacle]:
    count = state.shuffler.count or 0
    if state.shuffler.connected and count and state.shuffler.mode != "empty":
        yield Obstacle(f"{count} cards are in the covered device", "Take them out, and shuffle them with the others.")


def _deck_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if state.deck_due:
        yield Obstacle(state.deck_due, "Change the decks.")
    elif len(state.decks) < len(house.equipment.colours):
        cite = house.procedure.cite("two decks" if len(house.equipment.colours) > 1 else "decks")
        yield Obstacle("A deck is missing", f"Have another deck brought ({cite}).")
