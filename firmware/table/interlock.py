"""What keeps bets closed between two rounds: the shuffler, the decks, the bank, the switch.

An alarm not acknowledged, sort mode, a wrong colour or count, another unit, cards left in a machine taken out of
service: bets do not open, and the screen says why and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware.table.procedures import AUTOMATED, DECK, HOURS, SHOE, STUB_EVERY
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
        yield from left_in_the_machine(house, state)
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
    """What the shuffler says that keeps bets closed.

    Cards that came preshuffled and were cut are dealt without it, unless it deals itself: what it holds is then asked
    before the next round.
    """
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
    elif shuffler.mode in ("sort", "service", "off", "selftest", "fault"):
        yield Obstacle(f"Shuffler is in {shuffler.mode} mode", "Set it to shuffle.")
    elif state.cards != "cut" or house.equipment.method == AUTOMATED:
        yield from _contents(house, state)


def _contents(house: House, state: TableState) -> Iterator[Obstacle]:
    """The deck that is next has to be in the machine, whole."""
    shuffler, deck = state.shuffler, state.deck
    if shuffler.mode == "empty":
        colour = f"{deck.colour} " if deck else ""
        yield Obstacle("The shuffler is empty", f"Put the {colour}deck in.")
        return
    if house.equipment.counts and shuffler.mode == "ready" and shuffler.count != DECK:
        cite = house.procedure.cite("machine count")
        yield Obstacle(f"Shuffler counts {shuffler.count}, not {DECK}", f"PROBLEM, Remove a deck ({cite}).")
    if deck and shuffler.deck and shuffler.deck != deck.colour:
        cite = house.procedure.cite("alternate" if len(state.decks) > 1 else "decks")
        yield Obstacle(f"The shuffler has the {shuffler.deck} deck", f"The {deck.colour} deck is next ({cite}).")


def left_in_the_machine(house: House, state: TableState) -> Iterator[Obstacle]:
    """Cards in the covered machine, as it says; after a jam it does not know. What never counts, or is off, says nothing."""
    shuffler = state.shuffler
    if not shuffler.connected or shuffler.mode == "empty":
        return
    if shuffler.count:
        what = f"{shuffler.count} cards are in the covered device"
        yield Obstacle(what, "Take them out, and shuffle them with the others.")
    elif shuffler.count is None and shuffler.mode == "fault" and house.equipment.counts:
        what = "Nobody knows how many cards are in the covered device"
        yield Obstacle(what, "Take all out, empty it at the unit or switch it off; shuffle them with the others.")


def _deck_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if state.deck_due:
        yield Obstacle(state.deck_due, "Change the decks.")
    elif len(state.decks) < len(house.equipment.colours):
        cite = house.procedure.cite("two decks" if len(house.equipment.colours) > 1 else "decks")
        yield Obstacle("A deck is missing", f"Have another deck brought ({cite}).")
