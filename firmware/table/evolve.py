"""The book-keeping: what each event changes. Pure, total, and without any rule, so that replay needs no rulebook."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from firmware.table import events as e
from firmware.table.phases import after
from firmware.table.records import replace
from firmware.table.state import (
    Before,
    Box,
    Deck,
    Entry,
    Game,
    Owed,
    Phase,
    Prize,
    Seat,
    Shuffler,
    TableState,
)

OUTBOX_MAX = 20_000
"""Messages kept for a bank that was restored from a backup: more than a week at sixty rounds an hour."""

_QUIET = (e.PressRefused, e.PinFailed, e.Complained, e.ShufflerChanged, e.LinkChanged, e.BankHolds, e.MessageOwed)
"""Events that leave the last notice standing."""


def evolve(state: TableState, event: e.Event) -> TableState:
    """The table after `event`."""
    phase = after(state.phase, event)
    if not isinstance(event, _QUIET) and state.notice:
        state = replace(state, notice="")
    state = _change(event, state)
    if phase is not state.phase:
        state = replace(state, phase=phase, panel="")
    return state


def _each(state: TableState, change: Callable[[Seat], Seat]) -> TableState:
    return replace(state, seats=tuple(change(seat) for seat in state.seats))


def _prize(state: TableState, number: int, **changes: object) -> TableState:
    seat = state.seat(number)
    assert seat.prize is not None, f"seat {number} has no prize"
    return state.with_seat(number, replace(seat, prize=replace(seat.prize, **changes)))  # type: ignore[arg-type]


def _game(state: TableState, **changes: object) -> TableState:
    return replace(state, game=replace(state.game, **changes))  # type: ignore[arg-type]


def _box(state: TableState, number: int, **changes: object) -> TableState:
    seat = state.seat(number)
    return state.with_seat(number, replace(seat, box=replace(seat.box, **changes)))  # type: ignore[arg-type]


def next_turn(state: TableState) -> int:
    """The seat that is settled next against the dealer, from the last one down; 0 when none is left."""
    waiting = [number for number, seat in state.numbered() if seat.box.plays and not seat.box.settled]
    return max(waiting, default=0)


def next_draw(state: TableState) -> int:
    """The next player to draw, from seat 1 up (671a.11(d)); 0 when none is left."""
    return min((number for number, seat in state.numbered() if seat.box.waits_for_cards), default=0)


def _back_to_turn(state: TableState) -> TableState:
    """A prize is over: at levels 1 and 2 the same seat is still being settled, or the next one is."""
    return replace(state, turn=next_turn(state) if state.in_turn else 0)


@singledispatch
def _change(event: e.Event, state: TableState) -> TableState:
    raise AssertionError(f"evolve does not know {type(event).__name__}")


@_change.register
def _(event: e.TableOpened, state: TableState) -> TableState:
    seats = (Seat(),) * event.seats
    return replace(state, table=event.table, journal=event.journal, seats=seats, accounts=(0,) * event.seats)


@_change.register
def _(event: e.Started, state: TableState) -> TableState:
    if event.boot != state.boot:  # another clock: whatever was pushed was long before
        pushed = tuple((number, hand, 0, placed) for number, hand, _, placed in state.game.pushed)
        state = _game(state, pushed=pushed)
    if event.level != state.level:
        state = _of_another_level(state, event.level)
    return replace(
        state,
        boot=event.boot,
        book=event.book,
        level=event.level,
        progressive=event.progressive,
        submission=event.submission,
        equipment=event.equipment,
        switch_locked=True,
        shuffler=replace(state.shuffler, connected=False),
        link_up=False,
        link_why="just started",
        sensors_up=False,
        sensors_why="just started",
    )


def _of_another_level(state: TableState, level: int) -> TableState:
    """Between two rounds: the last one, told otherwise, cannot be taken back, and level 0 knows no positions."""
    state = replace(state, before=None, panel="")
    return state if level else _each(state, lambda seat: replace(seat, box=Box()))


@_change.register
def _(event: e.BetsOpened, state: TableState) -> TableState:
    seats = tuple(
        Seat(covered=seat.covered, before_lock=number in event.stuck, dead=seat.dead, box=Box(stakes=seat.box.stakes))
        for number, seat in state.numbered()
    )
    return replace(
        state,
        round=event.round,
        seats=seats,
        cards=state.cards or ("machine" if state.shuffler.mode == "ready" else ""),
        opening=(),
        idled=False,
        game=Game(),
        sent_wagers=False,
        void_cite="",
        void_kind="",
        still=(),
        turn=0,
        envy=(),
        question=0,
        complaint="",
    )


@_change.register
def _(event: e.WagerPlaced, state: TableState) -> TableState:
    seat = replace(state.seat(event.seat), covered=True, wager=True)
    return replace(state.with_seat(event.seat, seat), before=None)


@_change.register
def _(event: e.WagerTakenBack, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), covered=False, wager=False))


@_change.register
def _(event: e.ChipNotRecognised, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), covered=True, ignored=True))


@_change.register
def _(event: e.ChipSeen, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), covered=True, before_lock=event.before_lock))


@_change.register
def _(event: e.ChipLifted, state: TableState) -> TableState:
    seat = replace(state.seat(event.seat), covered=False, before_lock=False, ignored=False)
    return state.with_seat(event.seat, seat)


@_change.register
def _(event: e.LateWager, state: TableState) -> TableState:
    seat = state.seat(event.seat)
    covered = seat.covered or event.covered
    seat = replace(seat, covered=covered, late=True, late_ms=event.ms, was_lit=event.was_lit)
    return state.with_seat(event.seat, seat)


@_change.register
def _(event: e.BetsClosed, state: TableState) -> TableState:
    seats = tuple(
        replace(seat, wager=number in event.accepted, before_lock=seat.covered) for number, seat in state.numbered()
    )
    return replace(
        state,
        seats=seats,
        lock_at_ns=event.at_ns,
        lock_boot=state.boot,
        lock_source=event.source,
        played=state.deck.number if state.deck else 0,
        chips=0,
        question=0,
        before=None,
    )


@_change.register
def _(event: e.BetsReopened, state: TableState) -> TableState:
    def as_open(seat: Seat) -> Seat:
        stuck = seat.before_lock and not seat.wager and not seat.late
        box = Box(stakes=() if seat.box.by_lamp else seat.box.stakes)
        return replace(seat, before_lock=stuck, late=False, late_ms=None, was_lit=False, mark="", box=box)

    return _game(_each(state, as_open), magic_card="", lucky=None, boxes_open=False)


@_change.register
def _(event: e.SensorMarked, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), dead=event.dead))


@_change.register
def _(event: e.WagerMarked, state: TableState) -> TableState:
    seat = replace(state.seat(event.seat), wager=event.placed)
    return replace(state.with_seat(event.seat, seat), before=None)


@_change.register
def _(event: e.SwitchTurned, state: TableState) -> TableState:
    return replace(state, switch_locked=event.locked)


@_change.register
def _(event: e.CountEntered, state: TableState) -> TableState:
    return replace(state, chips=event.chips, question=0)


@_change.register
def _(event: e.CountTakenBack, state: TableState) -> TableState:
    return replace(state, chips=0, question=0)


@_change.register
def _(event: e.SeatInQuestion, state: TableState) -> TableState:
    return replace(state, question=event.seat)


@_change.register
def _(event: e.DifferenceSettled, state: TableState) -> TableState:
    seat = state.seat(event.seat)
    seat = replace(seat, wager=event.outcome == "by hand" or (event.outcome == "returned" and seat.wager))
    chips = state.chips - (event.outcome == "returned")
    return replace(state.with_seat(event.seat, seat), chips=chips, question=0)


@_change.register
def _(event: e.CountAgreed, state: TableState) -> TableState:
    return state


@_change.register
def _(event: e.SettlingBegun, state: TableState) -> TableState:
    return _back_to_turn(state)


@_change.register
def _(event: e.WinnerPicked, state: TableState) -> TableState:
    return replace(state, turn=event.seat) if event.seat else _back_to_turn(state)


@_change.register
def _(event: e.PrizeNamed, state: TableState) -> TableState:
    prize = Prize(event.hand, event.odds, event.cite, amount=event.amount, wager=event.wager)
    return _named(state, event.seat, prize)


@_change.register
def _(event: e.ShareNamed, state: TableState) -> TableState:
    prize = Prize(
        event.hand,
        event.odds,
        event.cite,
        meter=event.meter,
        percent=event.percent,
        wager=event.wager,
        backers=event.backers,
    )
    return _named(state, event.seat, prize)


def _named(state: TableState, number: int, prize: Prize) -> TableState:
    """A prize of this seat: the same one under another name keeps its cards, one that is over stays on record."""
    seat = state.seat(number)
    old = seat.prize
    if old is not None and old.status in ("paid", "rejected"):
        again = old.status == "rejected" and old.wager == prize.wager and bool(prize.meter)
        cards = old.cards if again else ()
        seat = replace(seat, earlier=(*seat.earlier, old), prize=replace(prize, cards=cards))
    else:
        seat = replace(seat, prize=replace(prize, cards=old.cards if old else ()))
    return replace(state.with_seat(number, seat), turn=number)


@_change.register
def _(event: e.CardTapped, state: TableState) -> TableState:
    if state.phase is Phase.HAND:
        entry = replace(state.game.entry, cards=event.cards, rank=event.rank, slot=event.slot)
        return _game(state, entry=entry)
    return _prize(state, state.turn, cards=event.cards, rank=event.rank, slot=event.slot)


@_change.register
def _(event: e.HandShown, state: TableState) -> TableState:
    return _prize(state, event.seat, cards=event.cards, rank="")


@_change.register
def _(event: e.PrizeTakenBack, state: TableState) -> TableState:
    seat = state.seat(event.seat)
    earlier = seat.earlier
    seat = replace(seat, prize=earlier[-1] if earlier else None, earlier=earlier[:-1])
    return _back_to_turn(state.with_seat(event.seat, seat))


@_change.register
def _(event: e.PrizeValidated, state: TableState) -> TableState:
    return _prize(state, event.seat, status="validated", by=(event.by,))


@_change.register
def _(event: e.PrizePaid, state: TableState) -> TableState:
    return _back_to_turn(_prize(state, event.seat, status="paid"))


@_change.register
def _(event: e.ClaimMade, state: TableState) -> TableState:
    return _prize(state, event.seat, status="claimed", claim=event.claim, by=(event.by,))


@_change.register
def _(event: e.ClaimPriced, state: TableState) -> TableState:
    return _prize(state, event.seat, status="pending", amount=event.amount)


@_change.register
def _(event: e.ClaimPaid, state: TableState) -> TableState:
    return _back_to_turn(_prize(state, event.seat, status="paid", by=event.by))


@_change.register
def _(event: e.ClaimRejected, state: TableState) -> TableState:
    return _back_to_turn(_prize(state, event.seat, status="rejected", by=event.by))


@_change.register
def _(event: e.EnvyOwed, state: TableState) -> TableState:
    state = _each(state, lambda seat: replace(seat, mark="" if seat.mark == "same player" else seat.mark))
    return replace(state, turn=event.holder, envy=event.payments)


@_change.register
def _(event: e.EnvyMarked, state: TableState) -> TableState:
    return state.with_seat(event.seat, replace(state.seat(event.seat), mark=event.mark))


@_change.register
def _(event: e.EnvyPaid, state: TableState) -> TableState:
    paid = sum(cents for _, cents in event.payments)
    return _back_to_turn(replace(_game(state, envied=(event.holder, paid, state.envy)), envy=()))


@_change.register
def _(event: e.RoundVoided, state: TableState) -> TableState:
    """What was collected of it already goes back too (reading 12): the lines that follow say everything anew."""

    def anew(seat: Seat) -> Seat:
        return replace(seat, box=replace(seat.box, lines=(), due=(), told=(), cards=(), settled=False))

    paid = ((number, sum(line.payout for line in seat.box.lines)) for number, seat in state.numbered())
    back = tuple(one for one in paid if one[1])
    state = _game(_each(state, anew), entry=Entry(), last_settled=0, taken_back=back)
    return replace(state, void_cite=event.cite, void_kind=event.kind, still=event.still, turn=0)


def _has_left(seat: Seat) -> bool:
    return seat.mark == "left" or seat.box.choice == "abandoned"


def _bets_again(state: TableState, seat: Seat) -> tuple[tuple[str, int], ...]:
    """Whoever stays is taken to bet the same again; but nobody backs the hand of a player who left."""
    gone = {f"super:{number}" for number, other in state.numbered() if _has_left(other)}
    return () if _has_left(seat) else tuple(stake for stake in seat.box.stakes if stake[0] not in gone)


@_change.register
def _(event: e.RoundCleared, state: TableState) -> TableState:
    """The cards of this round are in the discard rack; with two decks the other one is next (653a.3(b)(3)).

    While the machine is covered the table plays with one deck (653a.3(a)): two need a machine (653a.3(b)).
    """
    before = Before(state.round, state.seats, state.game, state.in_play, state.since_count, state.cards)
    seats = tuple(
        Seat(
            covered=seat.covered,
            before_lock=seat.before_lock,
            ignored=seat.ignored,
            dead=seat.dead,
            box=Box(stakes=_bets_again(state, seat)),
        )
        for seat in state.seats
    )
    return replace(
        state,
        seats=seats,
        game=Game(),
        before=None if state.void_cite else before,
        turn=0,
        envy=(),
        in_play=state.in_play if state.covered else (state.in_play + 1) % max(1, len(state.decks)),
        since_count=0 if state.game.stub_counted else state.since_count + 1,
        cards="",
        recut="",
        reshuffle=False,
    )


@_change.register
def _(event: e.ClearTakenBack, state: TableState) -> TableState:
    last = state.before
    assert last is not None, "nothing was cleared"

    def as_before(number: int, seat: Seat) -> Seat:
        kept = last.seats[number - 1]
        return replace(kept, covered=seat.covered, before_lock=seat.before_lock, ignored=seat.ignored, dead=seat.dead)

    return replace(
        state,
        round=event.round,
        seats=tuple(as_before(number, seat) for number, seat in state.numbered()),
        game=last.game,
        in_play=last.in_play,
        since_count=last.since_count,
        cards=last.cards,
        before=None,
        turn=0,
        sent_wagers=any(seat.wager or seat.five_card for seat in last.seats),
    )


@_change.register
def _(event: e.PanelTurned, state: TableState) -> TableState:
    """Whoever leaves the panel of the wagers has put them right: what a floorperson signed is used up."""
    still = state.game.boxes_open and event.panel.startswith("stakes")
    return replace(_game(state, boxes_open=still), panel=event.panel)


@_change.register
def _(event: e.FloorCalled, state: TableState) -> TableState:
    return replace(state, floor_called=event.on)


@_change.register
def _(event: e.PressRefused, state: TableState) -> TableState:
    return replace(state, notice=event.why)


@_change.register
def _(event: e.PinFailed, state: TableState) -> TableState:
    return replace(state, notice=event.why)


@_change.register
def _(event: e.Complained, state: TableState) -> TableState:
    return replace(state, complaint=f"{event.place}: {event.text}", complaints=state.complaints + event.count)


@_change.register
def _(event: e.ShufflerChanged, state: TableState) -> TableState:
    # A unit that was switched off counts its alarms anew; what was acknowledged then says nothing about now.
    same_count = event.unit == state.shuffler.unit and event.alarm >= state.shuffler.alarm
    known = state.shuffler.acknowledged if same_count else 0
    shuffler = Shuffler(
        event.connected, event.unit, event.mode, event.count, event.deck, event.fault, event.alarm, acknowledged=known
    )
    return replace(state, shuffler=shuffler, unit=state.unit or event.unit)


@_change.register
def _(event: e.AlarmAcknowledged, state: TableState) -> TableState:
    return replace(state, shuffler=replace(state.shuffler, acknowledged=event.alarm))


@_change.register
def _(event: e.LinkChanged, state: TableState) -> TableState:
    return replace(state, link_up=event.up, link_why=event.why)


@_change.register
def _(event: e.SensorsChanged, state: TableState) -> TableState:
    return replace(state, sensors_up=event.up, sensors_why=event.why)


@_change.register
def _(event: e.MessageOwed, state: TableState) -> TableState:
    outbox = (*state.outbox, Owed(event.seq, event.hash, event.text))[-OUTBOX_MAX:]
    return replace(state, outbox=outbox, sent_wagers=True)


@_change.register
def _(event: e.BankHolds, state: TableState) -> TableState:
    return replace(state, bank_epoch=event.epoch, bank_seq=event.seq)


@_change.register
def _(event: e.BankAlarm, state: TableState) -> TableState:
    return replace(state, bank_alarm=event.kind, bank_alarm_text=event.text)


# Opening and closing the table, decks -------------------------------------------------------------------------------


@_change.register
def _(event: e.DecksReceived, state: TableState) -> TableState:
    return _received(state, event.decks, event.at, "")


@_change.register
def _(event: e.PreinspectedReceived, state: TableState) -> TableState:
    return _received(state, event.decks, event.at, "preshuffled")


def _received(state: TableState, came: tuple[tuple[int, str], ...], at: int, cards: str) -> TableState:
    """A deck that stayed keeps its hours and its rounds since a count; of two decks the one not played last is next."""
    decks = (*state.decks, *(Deck(number, colour, at) for number, colour in came))
    numbers = tuple(number for number, _ in came)
    return replace(
        state,
        decks=decks,
        deck_number=max(numbers),
        opening=numbers,
        in_play=next((place for place, deck in enumerate(decks) if deck.number != state.played), 0),
        cards=cards,
        since_count=state.since_count if state.decks else 0,
        before=None,
    )


@_change.register
def _(event: e.DecksRefused, state: TableState) -> TableState:
    decks = tuple(deck for deck in state.decks if deck.number not in state.opening)
    return replace(state, decks=decks, opening=(), in_play=0, cards="")


@_change.register(e.DecksInspected)
@_change.register(e.DecksVerified)
@_change.register(e.ClosingTakenBack)
def _(event: e.Event, state: TableState) -> TableState:
    return replace(state, face_up=False)


@_change.register
def _(event: e.FirstPlayerLooked, state: TableState) -> TableState:
    return replace(state, face_up=False, faces_seen=True)


@_change.register
def _(event: e.StepTakenBack, state: TableState) -> TableState:
    idled = state.idled and state.phase is not Phase.IDLE
    return replace(state, face_up=False, idled=idled)


@_change.register
def _(event: e.CardsStacked, state: TableState) -> TableState:
    return replace(state, cards="")


@_change.register
def _(event: e.ShuffleWanted, state: TableState) -> TableState:
    return replace(state, cards="")


@_change.register
def _(event: e.DeckShuffled, state: TableState) -> TableState:
    return replace(state, cards="shuffled", before=None)


@_change.register
def _(event: e.DeckDelivered, state: TableState) -> TableState:
    """While bets are open the last clearing can still be taken back, as where the deck was ready when they opened."""
    before = state.before if state.phase is Phase.OPEN else None
    return replace(state, cards="machine", recut="", reshuffle=False, before=before)


@_change.register
def _(event: e.DeckCut, state: TableState) -> TableState:
    return replace(state, cards="cut", recut="", reshuffle=False, before=None)


@_change.register
def _(event: e.CutNotNeeded, state: TableState) -> TableState:
    return replace(state, cards="machine")


@_change.register
def _(event: e.RecutOrdered, state: TableState) -> TableState:
    return replace(state, recut=event.by, reshuffle=False)


@_change.register
def _(event: e.ReshuffleOrdered, state: TableState) -> TableState:
    return replace(state, recut=event.by, reshuffle=True)


@_change.register
def _(event: e.DecksWanted, state: TableState) -> TableState:
    return replace(state, decks=() if event.all else state.decks, deck_due="", in_play=0, cards="", before=None)


@_change.register
def _(event: e.DeckDue, state: TableState) -> TableState:
    return replace(state, deck_due=event.why)


@_change.register
def _(event: e.DeckRemoved, state: TableState) -> TableState:
    decks = tuple(deck for deck in state.decks if deck.number != event.number)
    return replace(state, decks=decks, in_play=0, cards="", before=None)


@_change.register
def _(event: e.TableIdled, state: TableState) -> TableState:
    """Spread again, because a step was taken back, the cards are no less seen."""
    seen = state.idled and state.faces_seen
    return replace(state, face_up=False, faces_seen=seen, idled=True, cards="", before=None)


@_change.register
def _(event: e.FacesTurned, state: TableState) -> TableState:
    return replace(state, face_up=event.up, faces_seen=True)


@_change.register
def _(event: e.ClosingBegun, state: TableState) -> TableState:
    return replace(state, emptied=0, counted=False, cards="", before=None)


@_change.register
def _(event: e.CardsEmptied, state: TableState) -> TableState:
    return replace(state, emptied=event.cards, counted=True)


@_change.register
def _(event: e.TableShut, state: TableState) -> TableState:
    seats = tuple(replace(seat, box=Box()) for seat in state.seats)
    return replace(state, seats=seats, decks=(), in_play=0, deck_due="", cards="", before=None)


@_change.register
def _(event: e.DeviceCovered, state: TableState) -> TableState:
    return replace(state, covered=event.why)


@_change.register
def _(event: e.DeviceUncovered, state: TableState) -> TableState:
    return replace(state, covered="")


@_change.register
def _(event: e.UnitAccepted, state: TableState) -> TableState:
    return replace(state, unit=event.unit)


@_change.register
def _(event: e.StubCounted, state: TableState) -> TableState:
    return _game(state, stub_counted=True)


# The game against the dealer ----------------------------------------------------------------------------------------


@_change.register
def _(event: e.BoxPlaced, state: TableState) -> TableState:
    """Whoever sits there now has decided nothing yet."""
    by_lamp = bool(event.stakes) and state.phase in (Phase.COUNT, Phase.DIFFERENCE)
    seat = replace(state.seat(event.seat), box=Box(stakes=event.stakes, by_lamp=by_lamp), mark="")
    return replace(state.with_seat(event.seat, seat), before=None)


@_change.register
def _(event: e.Dealt, state: TableState) -> TableState:
    return replace(_game(state, street=0, was_dealt=True, boxes_open=False), turn=0)


@_change.register
def _(event: e.DealTakenBack, state: TableState) -> TableState:
    """Nobody has decided anything yet; who has left stays away."""

    def undecided(seat: Seat) -> Seat:
        fresh = Box(stakes=seat.box.stakes)
        left = replace(fresh, choice="abandoned", stayed=fresh)
        return replace(seat, box=left if seat.box.choice == "abandoned" else fresh)

    return _each(state, undecided)


@_change.register
def _(event: e.Decided, state: TableState) -> TableState:
    return _box(
        state,
        event.seat,
        choice=event.choice,
        street=event.street,
        times=event.times,
        raised=0,
        option=event.option,
        exchanged=event.exchanged,
        told=(),
    )


@_change.register
def _(event: e.RaiseSized, state: TableState) -> TableState:
    return _box(state, event.seat, raised=event.cents)


@_change.register
def _(event: e.SeatChosen, state: TableState) -> TableState:
    return replace(state, turn=event.seat)


@_change.register
def _(event: e.SeatAbandoned, state: TableState) -> TableState:
    """What a player who is back had decided stands again."""
    seat = state.seat(event.seat)
    box = seat.box
    if event.left:
        gone = replace(box, choice="abandoned", street="", times=0, raised=0, option="", told=(), due=(), cards=())
        box = replace(gone, stayed=box)
    else:
        box = replace(box.stayed or Box(stakes=box.stakes), lines=box.lines, super_row=box.super_row)
    return state.with_seat(event.seat, replace(seat, box=box, mark="left" if event.left else ""))


@_change.register
def _(event: e.StreetClosed, state: TableState) -> TableState:
    return replace(_game(state, street=event.street), turn=0)


@_change.register(e.AskingDone)
@_change.register(e.LockedIn)
def _(event: e.Event, state: TableState) -> TableState:
    return replace(state, turn=0)


@_change.register
def _(event: e.StreetReopened, state: TableState) -> TableState:
    """Folds that were collected lie before their players again."""

    def asked_again(seat: Seat) -> Seat:
        return replace(seat, box=replace(seat.box, lines=(), settled=False)) if seat.box.plays else seat

    return replace(_each(_game(state, street=event.street), asked_again), turn=0)


@_change.register
def _(event: e.LinesSettled, state: TableState) -> TableState:
    lines = (*state.seat(event.seat).box.lines, *event.lines)
    return _box(state, event.seat, lines=lines, settled=event.complete)


@_change.register
def _(event: e.SuperTold, state: TableState) -> TableState:
    """On the hand of a seat, or (0) of the dealer."""
    return _box(state, event.seat, super_row=event.row) if event.seat else _game(state, dealer_row=event.row)


@_change.register
def _(event: e.SupersSettled, state: TableState) -> TableState:
    return replace(_game(state, supers_settled=True), turn=next_draw(state))


@_change.register
def _(event: e.DrawTaken, state: TableState) -> TableState:
    state = _box(state, event.seat, drawn=True, choice="play" if event.bets else "fold", times=event.times)
    return replace(state, turn=next_draw(state))


@_change.register
def _(event: e.DrawTakenBack, state: TableState) -> TableState:
    early = tuple(line for line in state.seat(event.seat).box.lines if line.wager not in ("options_fee", "ante"))
    return replace(
        _box(state, event.seat, drawn=False, choice="check", times=0, lines=early, settled=False), turn=event.seat
    )


@_change.register
def _(event: e.DrawsDone, state: TableState) -> TableState:
    return replace(state, turn=0)


@_change.register
def _(event: e.EntryBegun, state: TableState) -> TableState:
    return _game(state, entry=Entry(want=event.want))


@_change.register(e.EntryLeft)
@_change.register(e.RevealEntryLeft)
def _(event: e.Event, state: TableState) -> TableState:
    return _game(state, entry=Entry())


@_change.register
def _(event: e.CardsEntered, state: TableState) -> TableState:
    state = _game(state, board=event.board, dealer=event.dealer, six_card=event.six_card, entry=Entry())
    return _box(state, event.seat, cards=event.cards) if event.seat else state


@_change.register
def _(event: e.DealerShown, state: TableState) -> TableState:
    state = _game(state, dealer_hand=event.hand, qualifies=event.qualifies, last_settled=0, was_shown=True)
    return replace(state, turn=next_turn(state))


@_change.register
def _(event: e.DealerTakenBack, state: TableState) -> TableState:
    state = _each(state, lambda seat: replace(seat, box=replace(seat.box, told=(), due=(), cards=())))
    return replace(
        _game(state, dealer_hand="", qualifies=None, dealer_row=None, board=(), dealer=(), six_card=(), last_settled=0),
        turn=0,
    )


@_change.register
def _(event: e.HandTold, state: TableState) -> TableState:
    return _box(state, event.seat, told=event.told, due=event.lines)


@_change.register
def _(event: e.SeatSettled, state: TableState) -> TableState:
    state = _box(state, event.seat, final=event.lines, due=(), settled=True)
    undoable = event.seat if not any(line.payout or line.returned for line in event.lines) else 0
    state = _game(state, last_settled=undoable)
    return replace(state, turn=next_turn(state))


@_change.register
def _(event: e.SettledTakenBack, state: TableState) -> TableState:
    return _unsettled(state, event.seat)


def _unsettled(state: TableState, number: int) -> TableState:
    """This seat is settled again: what was settled before its turn (a fold, Lunar Poker's passes) stays."""
    state = _box(state, number, final=(), due=(), settled=False, told=(), cards=())
    return replace(_game(state, last_settled=0), turn=next_turn(state))


def _supers_again(state: TableState, number: int) -> TableState:
    """The first pass is paid again, this seat's hand told anew; what was settled at a draw stays (671a.11(c), (d))."""

    def unpaid(seat: Seat) -> Seat:
        drawn = tuple(line for line in seat.box.lines if seat.box.drawn and not line.wager.startswith("super"))
        return replace(seat, box=replace(seat.box, lines=drawn, settled=False)) if seat.box.plays else seat

    return replace(_box(_each(state, unpaid), number, super_row="", told=()), turn=number)


@_change.register
def _(event: e.SettlementCorrected, state: TableState) -> TableState:
    if event.wager == "super":
        return _supers_again(state, event.seat)
    if event.wager:
        seat = state.seat(event.seat)
        kept = [prize for prize in seat.prizes if (prize.wager, prize.status) != (event.wager, "paid")]
        seat = replace(seat, prize=kept[-1] if kept else None, earlier=tuple(kept[:-1]))
        state = state.with_seat(event.seat, seat)
        return _back_to_turn(state)
    return _unsettled(state, event.seat)


@_change.register
def _(event: e.IrregularityNoted, state: TableState) -> TableState:
    change = {"one-face-up": 1, "no-face-up": -1}.get(event.kind, 0)
    opened = state.game.boxes_open or event.kind == "boxes"
    return _game(state, left_out=state.game.left_out + change, boxes_open=opened)


# Five Card Hand bonus -----------------------------------------------------------------------------------------------


def _account(state: TableState, number: int, change: int) -> TableState:
    accounts = list(state.accounts)
    accounts[number - 1] += change
    return replace(state, accounts=tuple(accounts))


@_change.register
def _(event: e.BoughtIn, state: TableState) -> TableState:
    return _account(state, event.seat, event.amount)


@_change.register
def _(event: e.CashedOut, state: TableState) -> TableState:
    return replace(_account(state, event.seat, -event.amount), before=None)


@_change.register
def _(event: e.FiveCardPlaced, state: TableState) -> TableState:
    state = _pushed(state, event, placed=True)
    return replace(_five_card(_account(state, event.seat, -event.amount), event.seat, event.hand, True), before=None)


@_change.register
def _(event: e.FiveCardReturned, state: TableState) -> TableState:
    state = _pushed(state, event, placed=False)
    return _five_card(_account(state, event.seat, event.amount), event.seat, event.hand, False)


def _pushed(state: TableState, event: e.FiveCardPlaced | e.FiveCardReturned, *, placed: bool) -> TableState:
    push = (event.seat, event.hand, event.at_ns, placed)
    return _game(state, pushed=(*state.game.pushed, push))


def _five_card(state: TableState, number: int, hand: str, placed: bool) -> TableState:
    seat = state.seat(number)
    return state.with_seat(number, replace(seat, own=placed) if hand == "own" else replace(seat, dealers=placed))


@_change.register
def _(event: e.ButtonIgnored, state: TableState) -> TableState:
    return replace(state, notice=f"Seat {event.seat}: {event.why}")


@_change.register
def _(event: e.BonusDrawn, state: TableState) -> TableState:
    return _game(state, magic_card=event.magic_card, lucky=event.lucky)


@_change.register
def _(event: e.AccountCredited, state: TableState) -> TableState:
    state = _game(state, credited=(*state.game.credited, (event.seat, event.wager, event.amount)))
    return _account(state, event.seat, event.amount)


@_change.register
def _(event: e.AccountCorrected, state: TableState) -> TableState:
    kept = tuple(one for one in state.game.credited if one[:2] != (event.seat, event.wager))
    state = _game(state, credited=kept)
    return _account(state, event.seat, -event.amount)
