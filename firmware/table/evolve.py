"""The book-keeping: what each event changes. Pure, total, and without any rule, so that replay needs no rulebook.

This module finds the concern of an event, and keeps the trail that UNDO goes back along. The changes are in
`evolve_decks`, `evolve_bets`, `evolve_game`, `evolve_prizes` and, of program, desk and neighbors, below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import assert_never

from firmware.rules.approvals import Act
from firmware.rules.money import Cents, to_micros
from firmware.table import events as e
from firmware.table import finals
from firmware.table.evolve_bets import evolve_bets
from firmware.table.evolve_decks import evolve_decks, machine_work, unshuffles
from firmware.table.evolve_game import evolve_game
from firmware.table.evolve_prizes import evolve_accounts, evolve_prizes
from firmware.table.phases import after, knows
from firmware.table.state import (
    IN_ROUND,
    JUST_STARTED,
    NO_PANEL,
    NO_TRAIL,
    STRANGER,
    Amounts,
    Debt,
    Felt,
    LedgerSeen,
    Neighbor,
    Owed,
    PanelKind,
    Position,
    Prepared,
    Round,
    Seat,
    Sensor,
    SharePaid,
    Shuffler,
    Step,
    TableState,
    Trail,
    WrongPins,
)
from firmware.table.tally import COUNTED, added, counted
from firmware.wire.reports import Counted
from firmware.wire.structs import replace

OUTBOX_MAX = 256
"""Messages kept at hand: some hours without a bank. An older one is read from the journal."""
STEPS_MAX, FACTS_MAX = 64, 256
"""How far UNDO goes back, in presses, and across how many facts."""

_QUIET = frozenset(
    {
        e.PressRefused,
        e.PinTried,
        e.Complained,
        e.ShufflerChanged,
        e.NeighborChanged,
        e.BankHolds,
        e.VerdictsHeld,
        e.MessageOwed,
        e.StepsFinal,
        e.ButtonIgnored,
        e.SettlementCorrected,
    }
)
"""Events that leave the last notice standing."""
_NO_STEP = frozenset({e.PressRefused, e.PinTried, e.StepsFinal})
"""Events that belong to no press and are no facts either."""
_SILENT = frozenset({e.PanelTurned, e.FloorCalled, e.StakesPlaced, e.Decided, e.RaiseSized})
"""Events that touch only the desk and a player's own position: no fact is read against them."""


def evolve(state: TableState, event: e.Event) -> TableState:
    """The table after `event`. AssertionError if its phase does not know it: no program has ever written that."""
    if type(event) is e.Undone:
        return _undone(state, event)
    assert knows(state.phase, event), f"{type(event).__name__} while {state.phase}"
    return _remember(state, ahead(state, event), event)


def ahead(state: TableState, event: e.Event) -> TableState:
    """The table after `event` but for its trail, for a law that looks ahead. Not for UNDO, which needs the trail."""
    phase = after(state.phase, event)
    changed = _change(state, event)
    if type(event) in COUNTED and state.program.live:
        changed = replace(changed, days=counted(state, event))
    if type(event) not in _QUIET and changed.desk.notice.id:
        changed = replace(changed, desk=changed.desk.unsaid)
    if phase is not state.phase:
        changed = replace(changed, phase=phase)
        if changed.program.live_by:
            changed = replace(changed, program=replace(changed.program, live_by=""))
        if changed.desk.panel != NO_PANEL:
            changed = replace(changed, desk=replace(changed.desk, panel=NO_PANEL))
    return changed


def _change(state: TableState, event: e.Event) -> TableState:
    match event:
        case e.OfBets():
            return evolve_bets(state, event)
        case e.OfGame():
            return evolve_game(state, event)
        case e.OfNeighbors():
            return _neighbors(state, event)
        case e.OfDesk():
            return _desk(state, event)
        case e.OfDecks():
            return evolve_decks(state, event)
        case e.OfPrizes():
            return evolve_prizes(state, event)
        case e.OfAccounts():
            return evolve_accounts(state, event)
        case e.OfProgram():
            return _program(state, event)
        case _:
            assert_never(event)


# The trail ------------------------------------------------------------------------------------------------------------


def _remember(before: TableState, state: TableState, event: e.Event) -> TableState:
    """A new press is a step; what happened by itself is kept beside the steps, as it stays when they are undone."""
    trail = before.trail
    taps = before.taps
    if event.tap > taps:
        known = replace(before, trail=NO_TRAIL) if trail is not NO_TRAIL else before
        steps = (*trail.steps, Step(known, len(trail.facts), type(event) in _SILENT))
        trail = Trail(steps[-STEPS_MAX:], trail.facts, trail.final if len(steps) <= STEPS_MAX else finals.LONG_AGO)
        taps = event.tap
    elif event.tap:
        if trail.steps and trail.steps[-1].silent and type(event) not in _SILENT:
            last = trail.steps[-1]
            heard = Step(last.before, last.facts, silent=False)
            trail = Trail((*trail.steps[:-1], heard), trail.facts, trail.final)
    elif trail.steps and type(event) not in _NO_STEP:
        trail = Trail(trail.steps, (*trail.facts, event), trail.final)
        if len(trail.facts) > FACTS_MAX:
            trail = Trail(final=finals.LONG_AGO)
    if final := finals.final(before, event):
        trail = Trail(final=final)
    elif kept := finals.barrier(before, event):
        trail = Trail(_since(trail.steps, kept.keeps), trail.facts, kept.name)
    elif isinstance(event, e.StepsFinal):
        trail = Trail(trail.steps[len(trail.steps) - event.left :], trail.facts, finals.MEANT_ELSE)
    if not trail.steps and trail.facts:
        trail = Trail(final=trail.final)
    return state if trail is state.trail else replace(state, trail=trail, taps=taps)


def _since(steps: tuple[Step, ...], keeps: Callable[[TableState], bool]) -> tuple[Step, ...]:
    """The last steps, back to the first that is not kept: what lies before that is not taken back either."""
    first = len(steps)
    while first and keeps(steps[first - 1].before):
        first -= 1
    return steps[first:]


def _undone(state: TableState, event: e.Undone) -> TableState:
    """The table before the last step, and every fact since: as if that press had never been."""
    assert state.trail.steps, "nothing may be undone"
    twin = without(state, state.trail.steps[-1])
    steps = state.trail.steps[:-1]
    trail = Trail(steps, state.trail.facts if steps else (), state.trail.final)
    taps = event.tap or state.taps
    return replace(twin, trail=trail, history=state.history, taps=taps, desk=twin.desk.unsaid)


def without(state: TableState, step: Step) -> TableState:
    """The table as it would stand had this press, and all that followed it, never been; its own trail left out.

    A conclusion that the table drew from a fact holds only if that phase knows it.
    """
    facts = state.trail.facts[step.facts :]
    return reduce(_known, facts, step.before) if facts else step.before


def _known(twin: TableState, fact: object) -> TableState:
    assert isinstance(fact, e.Recorded)
    return ahead(twin, fact) if knows(twin.phase, fact) else twin  # type: ignore[arg-type]


# Program, desk, neighbors ---------------------------------------------------------------------------------------------


def _program(state: TableState, event: e.ProgramEvent) -> TableState:
    match event:
        case e.TableOpened():
            return replace(
                state,
                program=replace(state.program, table=event.table, journal=event.journal),
                round=Round(seats=(Seat(),) * event.seats),
                felt=Felt(accounts=(0,) * event.seats),
            )
        case e.Started():
            return _started(state, event)
        case e.ClockCorrected(by=by):
            return _corrected(state, by)
        case e.RecordAccepted(what=what):
            ledger = LedgerSeen() if what == "bank" else state.neighbors.ledger
            return replace(state, neighbors=replace(state.neighbors, ledger=ledger))
        case e.DayClosed():
            return state
        case e.MeterForced():
            stand = {**dict(state.program.meters), event.meter: to_micros(Cents(event.amount))}
            return replace(state, program=replace(state.program, meters=tuple(sorted(stand.items()))))
        case e.MetersMoved(stand=stand_now, fed=fed):
            program = replace(state.program, meters=stand_now)
            return replace(state, program=program, round=_fed(state.round, fed))
        case e.LiveSigned(by=by):
            return replace(state, program=replace(state.program, live_by=by))
        case e.TableLive():
            return replace(state, program=replace(state.program, live=True, live_by="", meters=()))
        case _:
            assert_never(event)


def _started(state: TableState, event: e.Started) -> TableState:
    round_ = state.round
    if event.boot != state.program.boot:  # another clock: every push was long before
        round_ = replace(round_, pushed=tuple((number, wager, 0, placed) for number, wager, _, placed in round_.pushed))
    desk = state.desk
    if event.level != state.program.level and not event.level:  # level 0 knows no positions
        round_ = replace(round_, seats=tuple(replace(seat, position=Position(), player="") for seat in round_.seats))
    if event.level != state.program.level:
        desk = replace(desk, panel=NO_PANEL)
    return replace(
        state,
        program=replace(
            state.program,
            boot=event.boot,
            booted=state.program.booted if event.boot == state.program.boot else event.at,
            book=event.book,
            level=event.level,
            wagers=event.wagers,
            sensed=event.sensed,
            submission=event.submission,
            equipment=event.equipment,
        ),
        round=round_,
        desk=desk,
        felt=replace(state.felt, sensors=_sensors(state, event), switch_locked=True, up=False, why=JUST_STARTED),
        neighbors=replace(
            state.neighbors,
            shuffler=replace(state.neighbors.shuffler, connected=False),
            link_up=False,
            link_why=JUST_STARTED,
            heard=False,
            unheard_by=(),
        ),
    )


def _sensors(state: TableState, event: e.Started) -> tuple[Sensor, ...]:
    """Sensors as they are known; new ones where the table takes other wagers by sensors than before."""
    number = len(state.round.seats) * len(event.sensed)
    return state.felt.sensors if len(state.felt.sensors) == number else (Sensor(),) * number


def _corrected(state: TableState, by: int) -> TableState:
    """A deck that came on this boot came by its clock, so its age stays; one from before is older or younger by so much.

    If the time from before was ahead of the right one too, all of it was counted by that.
    """
    booted = state.program.booted
    here = tuple(
        replace(deck, since=deck.since + by) if deck.since >= min(booted, booted + by + 1) else deck
        for deck in state.decks.here
    )
    program = replace(state.program, booted=booted + by)
    return replace(state, program=program, decks=replace(state.decks, here=here))


def _desk(state: TableState, event: e.DeskEvent) -> TableState:
    desk = state.desk
    match event:
        case e.PanelTurned():
            return _panel_turned(state, event)
        case e.FloorCalled():
            return replace(state, desk=replace(desk, floor_called=event.on))
        case e.PressRefused():
            return replace(state, desk=replace(desk, notice=event.why, refused=event.by, pressed=event.word, failed=""))
        case e.PinTried():
            if event.why or not event.right:
                state = replace(state, desk=replace(desk, notice=event.why, refused="", pressed="", failed=event.badge))
            return _tried(state, event)
        case e.BadgeUnlocked():
            return _now_failed(state, state.history.failed(event.badge).unlocked())
        case e.Complained():
            complaint, complaints = f"{event.place}: {event.text}", desk.complaints + event.count
            stranger = event.text if event.place == STRANGER else desk.stranger
            return replace(state, desk=replace(desk, complaint=complaint, complaints=complaints, stranger=stranger))
        case e.StepsFinal() | e.Undone():
            return state
        case _:
            assert_never(event)


def _tried(state: TableState, event: e.PinTried) -> TableState:
    """One more wrong PIN, or none any more; a badge that nobody wears has none, and one that was not checked adds none."""
    if event.right:
        return _now_failed(state, WrongPins(event.badge, 0))
    known = state.history.failed(event.badge)
    return _now_failed(state, known.one_more(event.at)) if event.failures > known.count else state


def _now_failed(state: TableState, wrong: WrongPins) -> TableState:
    others = tuple(one for one in state.history.failures if one.badge != wrong.badge)
    known = (*others, wrong) if wrong.count else others
    return replace(state, history=replace(state.history, failures=known))


def _panel_turned(state: TableState, event: e.PanelTurned) -> TableState:
    """Leaving the panel of the wagers means that they are right: the floorperson's signature is used up."""
    if state.round.positions_open and event.panel.kind is not PanelKind.STAKES:
        state = replace(state, round=replace(state.round, positions_open=False))
    return replace(state, desk=replace(state.desk, panel=event.panel))


def _neighbors(state: TableState, event: e.NeighborsEvent) -> TableState:
    them = state.neighbors
    match event:
        case e.ShufflerChanged():
            return _shuffler_changed(state, event)
        case e.AlarmAcknowledged():
            shuffler = replace(them.shuffler, acknowledged=event.alarm)
            return replace(state, neighbors=replace(them, shuffler=shuffler))
        case e.NeighborChanged():
            return _neighbor_changed(state, event)
        case e.OneSigned(act=Act.UNHEARD):
            return replace(state, neighbors=replace(them, unheard_by=(*them.unheard_by, event.by)))
        case e.MessageOwed():
            outbox = (*them.outbox, Owed(event.seq, event.hash, event.text))[-OUTBOX_MAX:]
            round_ = _fed(state.round, event.fed)
            untold = them.untold.told if event.kind == Counted.KIND else them.untold
            return replace(state, neighbors=replace(them, outbox=outbox, untold=untold), round=round_)
        case e.BankHolds():
            ledger = LedgerSeen(event.epoch, event.term, event.rows, event.head, event.key)
            kept = them.ledger if ledger.epoch == them.ledger.epoch and ledger.rows < them.ledger.rows else ledger
            return replace(state, neighbors=replace(them, ledger=kept, bank_seq=event.seq))
        case e.BankAlarm():
            return replace(state, neighbors=replace(them, bank_alarm=event.kind, bank_alarm_text=event.text))
        case e.VerdictsHeld():
            return replace(state, neighbors=replace(them, held=event.claims))
        case e.DebtsHeard() | e.OneSigned() | e.DebtEnded():
            shares = _shares(them.shares, event) if isinstance(event, e.DebtEnded) and event.paid else them.shares
            return replace(state, neighbors=replace(them, debts=_debts(them.debts, event), shares=shares))
        case _:
            assert_never(event)


def _neighbor_changed(state: TableState, event: e.NeighborChanged) -> TableState:
    them = state.neighbors
    match event.what:
        case Neighbor.LINK:
            heard = them.heard or event.up
            return replace(state, neighbors=replace(them, link_up=event.up, link_why=event.why, heard=heard))
        case Neighbor.SENSORS:
            return replace(state, felt=replace(state.felt, up=event.up, why=event.why))
        case Neighbor.DISK:
            return replace(state, neighbors=replace(them, disk_short=not event.up))
        case _:
            assert_never(event.what)


def _fed(round_: Round, fed: Amounts) -> Round:
    """The round's wagers count on the meters, or what they put there went back."""
    return replace(round_, sent_wagers=True, fed=added(round_.fed, fed)) if fed else round_


def _shares(known: tuple[SharePaid, ...], event: e.DebtEnded) -> tuple[SharePaid, ...]:
    return tuple(replace(one, paid=one.paid + event.owed) if one.claim == event.claim else one for one in known)


def _debts(known: tuple[Debt, ...], event: e.DebtsHeard | e.OneSigned | e.DebtEnded) -> tuple[Debt, ...]:
    """The first signature stands until the claim is ended, or another amount is owed."""
    if isinstance(event, e.DebtsHeard):
        signed = {replace(debt, by="", gone=False): debt.by for debt in known}
        return tuple(replace(debt, by=signed.get(replace(debt, gone=False), "")) for debt in event.debts)
    this = next(debt for debt in known if debt.claim == event.claim)
    left: tuple[Debt, ...] = ()
    if isinstance(event, e.OneSigned):
        left = (replace(this, by=event.by),)
    elif not event.paid:
        left = (replace(this, by="", gone=True),)
    at = known.index(this)
    return (*known[:at], *left, *known[at + 1 :])


def _shuffler_changed(state: TableState, event: e.ShufflerChanged) -> TableState:
    """A unit that was switched off counts its alarms from nothing; what was acknowledged then says nothing about now."""
    known = state.neighbors.shuffler
    same_count = event.unit == known.unit and event.alarm >= known.alarm
    shuffler = Shuffler(
        event.connected,
        event.unit,
        event.mode,
        event.count,
        event.deck,
        event.fault,
        event.alarm,
        acknowledged=known.acknowledged if same_count else 0,
    )
    cards = Prepared.NOT if unshuffles(state, event) else state.decks.cards
    decks = replace(state.decks, work=machine_work(state, event), cards=cards, unit=state.decks.unit or event.unit)
    round_ = state.round
    if state.phase in IN_ROUND and (known.mode, event.mode) == ("dispensing", "empty"):
        round_ = replace(round_, shoe_empty=True)
    return replace(state, neighbors=replace(state.neighbors, shuffler=shuffler), decks=decks, round=round_)
