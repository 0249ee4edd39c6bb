"""The table's end of the wire (docs/mqtt.md): what its bank says becomes an input, and the meters that it shows. Pure."""

from __future__ import annotations

from typing import NamedTuple

from firmware.rules.games.registry import game_of
from firmware.rules.message import NOTHING, Message, say
from firmware.rules.money import dollars
from firmware.rules.strict import shown
from firmware.table.inputs import Anchors, BankSaid, ClaimAnswer, RefusedAnswer
from firmware.table.state import Phase, TableState
from firmware.wire.from_bank import Board, Down, Heartbeat
from firmware.wire.from_table import Fault, FloorReason
from firmware.wire.offers import Offer, differences
from firmware.wire.payload import WireError, read
from firmware.wire.structs import replace


def decode_down(payload: bytes, table: str, *, retained: bool = False) -> BankSaid:
    """The bank's record of this table; `retained`: as the broker had kept it. Raises WireError."""
    down = read(payload, Down)
    if down.table != table:
        raise WireError("table", f"is {shown(down.table)}; this topic is for table {shown(table)}")
    return heard(down, retained=retained)


def heard(down: Down, *, retained: bool = False) -> BankSaid:
    """The bank's word about a table as the table's input."""
    claims = tuple(
        ClaimAnswer(claim.claim, claim.status, claim.amount, claim.meter, claim.version, claim.owed, claim.gone)
        for claim in down.claims
    )
    refused = tuple(RefusedAnswer(one.claim, one.by) for one in down.refused)
    said = BankSaid(
        down.epoch, down.journal, down.seq, down.hash, claims,
        anchors=_anchors(down), retained=retained, refused=refused,
    )  # fmt: skip
    if down.alarm is None:
        return said
    about = (down.alarm.journal, down.alarm.seq, down.alarm.hash)
    return replace(said, alarm=down.alarm.kind, alarm_text=down.alarm.text, about=about)


def _anchors(down: Down) -> Anchors:
    rows, head = (down.anchor.rows, down.anchor.head) if down.anchor else (0, "")
    seen_rows, seen_head = (down.seen.rows, down.seen.head) if down.seen else (0, "")
    return Anchors(down.term, rows, head, down.before, seen_rows, seen_head)


def decode_alive(payload: bytes, bank: str) -> Heartbeat:
    """The heartbeat of this table's own bank. Raises WireError."""
    beat = read(payload, Heartbeat)
    if beat.bank != bank:
        raise WireError("bank", f"is {shown(beat.bank)}; this table's is {shown(bank)}")
    return beat


def objection_to_offer(ours: Offer | None, theirs: Offer | None) -> Message:
    """Why no wager is recognized by a bank that plays this: what both play, by its name; NOTHING where it is the same."""
    if ours is None or theirs == ours:
        return NOTHING
    if theirs is None:
        return say("link.offer-unsaid")
    found = next(differences(ours, theirs))
    of = game_of(ours.book).called(found.of) if found.of in {one.name for one in ours.wagers} else found.of
    return say(f"link.other-{found.what}", there=found.theirs, here=found.ours, of=of)


class MeterHeard(NamedTuple):
    """A meter as the bank's board says it: what the book calls it, what people read, and the dollars on it."""

    name: str
    display_name: str
    amount: str


def decode_meters(payload: bytes) -> tuple[MeterHeard, ...]:
    """Every meter on the board, highest rank first. Raises WireError."""
    return meters_of(read(payload, Board))


def meters_of(board: Board) -> tuple[MeterHeard, ...]:
    """Every meter on a board, highest rank first."""
    return tuple(MeterHeard(meter.name, meter.display_name, dollars(meter.amount)) for meter in board.meters)


# How the table stands -------------------------------------------------------------------------------------------------

_WANTED = {Phase.VALIDATE: FloorReason.PRIZE, Phase.HOLD: FloorReason.CLAIM}
"""Phases in which the table waits for a signature."""


def floor_wanted(state: TableState) -> FloorReason | None:
    """Why a floorperson is wanted, None where none is; a call of the dealer's first."""
    if state.desk.floor_called:
        return FloorReason.CALLED
    return _WANTED.get(state.phase) or (FloorReason.PINS if state.history.warned else None)


def faults(state: TableState, *, machine: bool) -> tuple[Fault, ...]:
    """The faults of the table; `machine`: of the computer too. Without a progressive wager, it has no fault of one."""
    them, felt, offers = state.neighbors, state.felt, state.program.progressive
    there = {
        Fault.OUT_OF_ORDER: felt.out_of_order,
        Fault.BANK_ALARM: bool(them.bank_alarm),
        Fault.SENSORS: offers and not felt.up,
        Fault.SENSOR: any(sensor.dead for sensor in felt.sensors),
        Fault.LINK: offers and not them.link_up,
        Fault.SHUFFLER: bool(them.shuffler.fault) or them.shuffler.alarm > them.shuffler.acknowledged,
        Fault.DISK: them.disk_short,
        Fault.MACHINE: machine,
        Fault.PINS: bool(state.history.warned),
        Fault.BADGE_LOCKED: any(one.locked for one in state.history.failures),
    }
    return tuple(sorted(fault for fault, is_there in there.items() if is_there))
