"""The obstacles that keep bets closed between two rounds: the disk, the shuffler, the decks, the switch.

An alarm not acknowledged, sort mode, a wrong color or count, another unit, cards left in a machine taken out of
service: bets do not open, and the screen says why and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from firmware.rules.message import Message, say
from firmware.table.house import House
from firmware.table.procedures import AUTOMATED, DECK, SHOE
from firmware.table.projections import heeds_switch
from firmware.table.state import JUST_STARTED, MachineWork, Prepared, TableState


class ObstacleKind(StrEnum):
    """An obstacle that keeps bets closed."""

    DISK = "disk short of room"
    SENSORS = "sensors not heard yet"
    SWITCH = "switch locked"
    ALARM = "shuffler alarm"
    LINE = "shuffler not connected"
    UNIT = "another shuffler"
    FAULT = "shuffler fault"
    MODE = "shuffler mode"
    EMPTY = "shuffler empty"
    STALE = "not shuffled"
    COUNT = "shuffler count"
    DECK = "wrong deck in the shuffler"
    COVERED = "cards in a covered shuffler"
    DUE = "decks due"
    MISSING = "deck missing"


ROUTINE = frozenset({ObstacleKind.STALE, ObstacleKind.EMPTY, ObstacleKind.DECK})
"""A deck that goes into the machine, as after every round: an order, and no fault."""


class Obstacle(Struct, frozen=True):
    """A reason why bets do not open, and what to do about it."""

    kind: ObstacleKind
    what: Message
    remedy: Message

    @property
    def both(self) -> Message:
        """The reason and the remedy, as two sentences."""
        return say("obstacle.both", what=self.what, remedy=self.remedy)


def machine_used(house: House, state: TableState) -> bool:
    """An automated card shuffling device is on the table and not covered as out of order."""
    return house.equipment.machine and not state.decks.covered


def method(house: House, state: TableState) -> str:
    """How cards are dealt now: without a machine only from a manual shoe (653a.9(a)(1), .10, .13(g))."""
    return house.equipment.method if machine_used(house, state) else SHOE


def hours(house: House, state: TableState) -> int:
    """For how long a deck may be used as cards are dealt now (653a.3(c))."""
    return house.procedure.hours[method(house, state)]


def stub_due(house: House, state: TableState) -> bool:
    """This round's stub has to be counted: so many rounds have gone, and no machine counts (653a.8(f)).

    A void round is counted too, unless no card left the deck, or the deck has gone: every fifth round is one of them.
    """
    counted = machine_used(house, state) and house.equipment.counts
    if state.round.void_cite and not (state.round.void_dealt and state.decks.played_is_here):
        return False
    return not counted and state.decks.since_count >= house.procedure.stub_every - 1 and not state.round.stub_counted


def obstacles(house: House, state: TableState) -> tuple[Obstacle, ...]:
    """All that keeps bets closed between two rounds, the most urgent first."""
    return tuple(_obstacles(house, state))


def _obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if state.neighbors.disk_short:
        yield Obstacle(ObstacleKind.DISK, say("disk.short"), say("remedy.technician"))
    yield from miscounts(house, state)
    if machine_used(house, state):
        yield from machine_obstacles(house, state)
    elif state.decks.covered:
        yield from left_in_the_machine(house, state)
    yield from _deck_obstacles(house, state)
    if state.program.progressive:
        yield from _progressive_obstacles(state)


def _progressive_obstacles(state: TableState) -> Iterator[Obstacle]:
    """A fault of the progressive's own equipment, or its bank, stops its wagers only (`projections.trouble`)."""
    if state.felt.out_of_order:
        return
    if state.felt.why == JUST_STARTED:  # a moment after the start: whether the switch is locked is not known
        yield Obstacle(ObstacleKind.SENSORS, say("off.sensors", why=state.felt.why), say("remedy.technician"))
    if heeds_switch(state) and state.felt.switch_locked:
        yield Obstacle(ObstacleKind.SWITCH, say("switch.locked"), say("switch.turn"))


def miscounts(house: House, state: TableState) -> Iterator[Obstacle]:
    """Decks that the machine has counted wrongly: each of them has to be removed, even if hands shuffle now (653a.5(b))."""
    for number, cards in state.decks.miscounted:
        if any(deck.number == number for deck in state.decks.here):
            yield _miscount(house, cards)


def _miscount(house: House, cards: int | None) -> Obstacle:
    remedy = say("shuffler.counts-remedy", cite=house.procedure.cite("machine count"))
    return Obstacle(ObstacleKind.COUNT, say("shuffler.counts", count=_counted(cards), deck=DECK), remedy)


def machine_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    """The shuffler's words that keep bets closed.

    Cards that came preshuffled and were cut are dealt without it, unless it deals itself: its own deck is then asked
    for before the next round.
    """
    shuffler = state.neighbors.shuffler
    if shuffler.alarm > shuffler.acknowledged:
        yield Obstacle(
            ObstacleKind.ALARM,
            _alarm(shuffler.fault),
            say("shuffler.alarm-remedy"),
        )
    if not shuffler.connected:
        yield Obstacle(ObstacleKind.LINE, say("shuffler.not-connected"), say("shuffler.check-cable"))
        return
    if shuffler.unit != state.decks.unit:
        yield Obstacle(
            ObstacleKind.UNIT,
            say("shuffler.other-unit", there=shuffler.unit, wanted=state.decks.unit),
            say("shuffler.other-unit-remedy"),
        )
    if shuffler.fault:
        yield Obstacle(ObstacleKind.FAULT, say("shuffler.fault", fault=shuffler.fault), say("shuffler.fault-remedy"))
    elif shuffler.mode in ("sort", "service", "off", "selftest", "fault"):
        yield Obstacle(ObstacleKind.MODE, say("shuffler.mode", mode=shuffler.mode), say("shuffler.set-to-shuffle"))
    elif state.decks.miscount is None and not _out_of_the_machine(house, state):
        found = tuple(_contents(house, state))
        yield from found or _stale(state)


def _out_of_the_machine(house: House, state: TableState) -> bool:
    """The cards of the next round are prepared, and the dealer has them; new ones are asked for until they are bet on."""
    decks = state.decks
    delivered = decks.cards == Prepared.MACHINE and not decks.opening and not decks.recut
    return (decks.cards == Prepared.CUT or delivered) and house.equipment.method != AUTOMATED


def _stale(state: TableState) -> Iterator[Obstacle]:
    """After every round, and after a jam, the machine has to show that it has shuffled again (653a.5(a), .13(e))."""
    decks = state.decks
    wanted = (not decks.cards or decks.reshuffle) and state.neighbors.shuffler.unit == decks.unit
    if wanted and state.neighbors.shuffler.mode == "ready" and decks.work is not MachineWork.DONE:
        remedy = say("shuffler.put-in", color=decks.current.color) if decks.current else say("shuffler.put-a-deck-in")
        yield Obstacle(ObstacleKind.STALE, say("shuffler.stale"), remedy)


def _alarm(fault: str) -> Message:
    return say("shuffler.alarm", fault=fault) if fault else say("shuffler.alarm-see-unit")


def _counted(count: int | None) -> int | str:
    """`?` where the unit does not know."""
    return "?" if count is None else count


def _contents(house: House, state: TableState) -> Iterator[Obstacle]:
    """The deck that is next has to be in the machine, whole."""
    shuffler, deck = state.neighbors.shuffler, state.deck
    if shuffler.mode == "empty":
        remedy = say("shuffler.put-in", color=deck.color) if deck else say("shuffler.put-a-deck-in")
        yield Obstacle(ObstacleKind.EMPTY, say("shuffler.empty"), remedy)
        return
    if house.equipment.counts and shuffler.mode == "ready" and shuffler.count != DECK:
        yield _left_over(house, state)
    if deck and shuffler.deck and shuffler.deck != deck.color:
        alternate = len(state.decks.here) > 1
        cite = house.procedure.cite("alternate" if alternate else "decks")
        if alternate and not state.decks.opening:  # the played cards go in, and those of the other deck come out
            what, remedy = say("shuffler.swap"), say("deck.take", color=deck.color, cite=cite)
        else:
            what = say("shuffler.has-deck", color=shuffler.deck)
            remedy = say("deck.next-by", color=deck.color, cite=cite)
        yield Obstacle(ObstacleKind.DECK, what, remedy)


def _left_over(house: House, state: TableState) -> Obstacle:
    """The machine does not know its count; or it counted, wrongly, cards that are none of a deck at the table."""
    found = _miscount(house, state.neighbors.shuffler.count)
    if state.neighbors.shuffler.count is None or state.deck is None:
        return found
    return Obstacle(found.kind, found.what, say("shuffler.put-in", color=state.deck.color))


def left_in_the_machine(house: House, state: TableState) -> Iterator[Obstacle]:
    """Cards in the covered machine, as it says; after a jam it does not know. A machine that never counts, or is off,
    says nothing.
    """
    shuffler = state.neighbors.shuffler
    if not shuffler.connected or shuffler.mode == "empty":
        return
    if shuffler.count:
        what = say("covered.cards", n=shuffler.count)
        yield Obstacle(ObstacleKind.COVERED, what, say("covered.cards-remedy"))
    elif shuffler.count is None and shuffler.mode == "fault" and house.equipment.counts:
        what = say("covered.unknown")
        yield Obstacle(
            ObstacleKind.COVERED,
            what,
            say("covered.unknown-remedy"),
        )


def _deck_obstacles(house: House, state: TableState) -> Iterator[Obstacle]:
    if state.decks.due:
        yield Obstacle(ObstacleKind.DUE, state.decks.due, say("deck.change"))
    elif len(state.decks.here) < len(house.equipment.colors):
        cite = house.procedure.cite("two decks" if len(house.equipment.colors) > 1 else "decks")
        yield Obstacle(ObstacleKind.MISSING, say("deck.missing"), say("deck.missing-remedy", cite=cite))
